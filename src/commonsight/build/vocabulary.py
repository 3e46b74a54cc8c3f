"""Which answers can be named: a vocabulary from training items, by A-OKVQA's rules (appendices B and D).

In a file there is one answer a line. An answer's position is its class, so an empty line is an entry too: the
paper's 10,424 count one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from commonsight.core.answer import FreeText, Grounded, Pick, Verdict
from commonsight.core.item import Item
from commonsight.errors import InputError, fail
from commonsight.store.atomic import new_file
from commonsight.store.jsonfiles import empty_problem, read_bytes


class Rule(Struct, frozen=True):
    """The defaults are A-OKVQA's for large pre-trained models (appendix B)."""

    correct: bool = True
    """Whether every right choice is in it."""
    choices: int | None = 3
    """Choices, right or wrong, of at least so many questions; none where nothing is said."""
    answers: int | None = 3
    """Answers that people gave to at least so many questions."""


LARGE = Rule()
SPECIALISED = Rule(correct=False, choices=None, answers=2)
"""For models that were made for such questions: direct answers that occur at least twice (appendix D)."""
LARGE_ANSWERS = 10_424
"""In the paper's vocabulary by the first rule, and in the published file."""
SPECIALISED_ANSWERS = 2_133
"""In the paper's by the second ("2,133 bi-grams or unigrams, with 1,937 words"). The published file has 4,550
lines, of 3,863 words, one of them `<unk>`; the paper does not say why its own is smaller."""


def answer_vocabulary(items: Iterable[Item], rule: Rule = LARGE) -> tuple[str, ...]:
    """The answers, sorted: the same items in any order give the same vocabulary."""
    kept: set[str] = set()
    choices: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    for item in items:
        choices.update({choice.bracketed(item.labels) for choice in item.choices})
        answers.update(set(item.direct_answers))
        right = right_answer(item) if rule.correct else None
        kept.update(() if right is None else (right,))
    for counts, least in ((choices, rule.choices), (answers, rule.answers)):
        kept.update(text for text, count in counts.items() if least is not None and count >= least)
    return tuple(sorted(kept))


def right_answer(item: Item) -> str | None:
    """What is right, in words: the right choice where there are choices."""
    match item.gold:
        case Pick(index) if 0 <= index < len(item.choices):
            return item.choices[index].bracketed(item.labels)
        case FreeText(text) | Grounded(text):
            return text
        case Verdict(value):
            return str(value)
    return None


def read_vocabulary(path: Path) -> tuple[str, ...]:
    """The answers of a file, in its order; lines may end as Windows has it."""
    content = read_bytes(path)
    assert content is not None  # `read_bytes` raises here
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: the text is not UTF-8. Save the file as UTF-8.") from error
    if not text:
        fail(empty_problem(path))
    return tuple(text.replace("\r\n", "\n").removesuffix("\n").split("\n"))


def write_vocabulary(path: Path, answers: Sequence[str]) -> None:
    """One answer a line."""
    broken = next((answer for answer in answers if "\n" in answer or answer.endswith("\r")), None)
    if broken is not None:
        raise InputError(f"An answer has two lines ({broken!r}); a vocabulary has one a line. Correct it.")
    with new_file(path) as beside:
        beside.write_text("".join(f"{answer}\n" for answer in answers), encoding="utf-8", newline="\n")
