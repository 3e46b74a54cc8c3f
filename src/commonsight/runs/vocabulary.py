"""Which answers a network that names them can say: those of a file, of a rule, or all that training has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import structs

from commonsight.build.vocabulary import answer_vocabulary, read_vocabulary, right_answer
from commonsight.core.item import Item
from commonsight.errors import InputError, UsageError
from commonsight.models.catalogue_entry import Entry
from commonsight.models.engine.recipe import Loss
from commonsight.models.features.examples import Example
from commonsight.models.features.vocabulary import Vocabularies
from commonsight.store.dataset import sha256


def checked_vocabulary(entry: Entry, path: Path | None) -> dict[str, str]:
    """Its hash, for provenance; what is wrong with it is told before anything is read."""
    if path is None:
        return {}
    if entry.writes is not None:
        raise UsageError(f"--vocabulary: {entry.title} writes whatever it answers. Leave it out.")
    if not entry.names:
        raise UsageError(f"--vocabulary: {entry.title} scores choices and names no answer. Leave it out.")
    answers = read_vocabulary(path)
    doubled = [answer for answer, times in Counter(answers).items() if times > 1]
    if doubled:
        raise InputError(f"{path}: {doubled[0]!r} is there twice. Keep one line an answer.")
    return {"vocabulary": sha256(path)}


def with_answers(
    found: Vocabularies, entry: Entry, path: str | None, items: Sequence[Item]
) -> Vocabularies:
    """The vocabularies with the answers of a file, or of the network's rule, counted in these items."""
    if path is None and entry.vocabulary is None:
        return found
    if path is not None:
        answers = read_vocabulary(Path(path))
    else:
        assert entry.vocabulary is not None
        answers = answer_vocabulary(items, entry.vocabulary)
    if not answers:
        raise InputError(
            "There is no answer to name: none occurs often enough in the training split. Train on more "
            "items, or give answers with --vocabulary."
        )
    right = Counter(map(_right, items))
    return structs.replace(found, answers=answers, counts=tuple(right[answer] for answer in answers))


def _right(item: Item) -> str | None:
    """What is right; where nobody says, as in OK-VQA, what most people answered."""
    given = Counter(item.direct_answers).most_common(1)
    return right_answer(item) or next((answer for answer, _ in given), None)


def answerable(examples: Sequence[Example], loss: Loss) -> list[Example]:
    """Those with an answer that can be named: there is nothing to be learned from the others."""
    if loss == "one":
        return [example for example in examples if example.gold is not None]
    return [example for example in examples if example.times]


def left_out(asked: int, kept: int, answers: int) -> str | None:
    """How many questions have no such answer, in words."""
    if kept == 0:
        raise InputError(
            f"None of the {asked:,} questions to train on has an answer among the {answers:,} that can be "
            "named. Was the vocabulary made from another dataset?"
        )
    if kept == asked:
        return None
    return (
        f"{asked - kept:,} of {asked:,} questions have no answer among the {answers:,} that can be named, "
        "and are left out"
    )


def covered(items: Iterable[Item], answers: Sequence[str]) -> float | None:
    """The share of items with a right answer among these; nothing where no item has labels."""
    known = frozenset(answers)
    found = [not known.isdisjoint(right) for item in items if (right := _right_answers(item))]
    return sum(found) / len(found) if found else None


def _right_answers(item: Item) -> tuple[str, ...]:
    right = right_answer(item)
    return item.direct_answers if right is None else (*item.direct_answers, right)
