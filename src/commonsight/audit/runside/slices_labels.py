"""What items can be sorted by, to see where runs do well: each a list of labels, one entry for each case.

Whatever the benchmark, the fields of its items decide: an item without a program has no count of functions,
one whose groups name no category has none. A case may carry several labels of a kind, or none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from commonsight.audit.cases import GROUPS, Case, Cases
from commonsight.audit.probe import Subject
from commonsight.audit.substitutions import TYPES, nearest_wrong, substitution_type
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.score.bins import FREQUENCY_BINS, LENGTH_BINS, SIZE_BINS, bin_of
from commonsight.text.question_types import QUESTION_TYPES, question_types

MOST_LABELS = 20
"""A field with more values than this names its items rather than sorting them."""
NOT_SORTING = frozenset(("answer_types",))
"""Fields that say something of each choice, not of the item."""
TRAIN = "train"
BINS = ("0", *(f"{low}+" if high is None else f"{low}-{high}" for low, high in FREQUENCY_BINS))
SIZES = ("0", *(f"{low}+" if high is None else f"{low}-{high}" for low, high in SIZE_BINS))
LENGTHS = ("0", *(f"{low}+" if high is None else f"{low}-{high}" for low, high in LENGTH_BINS))
_YES_NO = frozenset(("yes", "no", "true", "false"))
_NUMBERS = frozenset(
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
     "twelve", "thirteen", "fourteen", "fifteen", "twenty", "thirty", "forty", "fifty", "hundred")
)  # fmt: skip

Labels = list[tuple[str, ...]]


class Slice(NamedTuple):
    """One way to sort cases."""

    name: str
    labels: Labels
    order: tuple[str, ...] = ()
    """Labels in an order that means something; others follow by name."""
    note: str = ""

    @property
    def found(self) -> list[str]:
        """The labels that occur, in order."""
        there = {label for labels in self.labels for label in labels}
        rest = sorted(there - set(self.order), key=_natural)
        return [*(label for label in self.order if label in there), *rest]


def _natural(label: str) -> tuple[int, int, str]:
    return (0, int(label), "") if label.isdecimal() else (1, 0, label)


def slices_of(subject: Subject, cases: Cases) -> Iterator[Slice]:
    """Every way to sort these cases that puts them under at least two labels. What items say of themselves
    goes before what is told from their words under the same name."""
    every = {found.name: found for found in (*_of_cases(subject, cases), *_of_items(subject, cases))}
    for found in every.values():
        if len(found.found) > 1:
            yield found


def _of_cases(subject: Subject, cases: Cases) -> Iterator[Slice]:
    yield answer_frequency(subject, cases)
    yield Slice(
        "question_type", [question_types(case.asked) or ("other",) for case in cases],
        (*QUESTION_TYPES, "other"), "By words of the question, which may be of several types (VCR, Table 4).",
    )  # fmt: skip
    yield Slice(
        "question_words", [(bin_of(count_words(case.given), LENGTH_BINS),) for case in cases], LENGTHS,
        "Words in what is asked (CRIC, Figure 11).",
    )  # fmt: skip
    yield Slice("answer_kind", [(answer_kind(case.answer),) for case in cases])
    if cases.kind == "pick":
        yield Slice("right_position", [(str((case.gold or 0) + 1),) for case in cases])
        changes = [nearest_wrong(case.choices, case.gold or 0) for case in cases]
        kinds: Labels = [() if change is None else (substitution_type(change),) for change in changes]
        note = "What was changed to make the nearest wrong choice, by rules (PMR, Table 5)."
        yield Slice("substitution", kinds, TYPES, note)


def answer_frequency(subject: Subject, cases: Cases) -> Slice:
    """How often the right answer occurs as one in training; without a training split, in the other cases.

    Where people gave several answers each counts, and the case's own is the most common of them, as in
    A-OKVQA's Table 6.
    """
    known = subject.cases[cases.task].labelled
    training = [case for case in known if case.split == TRAIN]
    others = not training or any(case.split == TRAIN for case in cases)
    counts: Counter[str] = Counter()
    for case in known if others else training:
        counts.update(given_answers(case))
    labels: Labels = []
    for case in cases:
        own = given_answers(case)
        answer = Counter(own).most_common(1)[0][0] if own else ""
        times = counts[answer] - (own.count(answer) if others else 0)
        labels.append((bin_of(times, FREQUENCY_BINS),))
    where = "among the answers of the other items" if others else "in the training split"
    note = f"How often the right answer occurs {where} (A-OKVQA, Table 6)."
    return Slice("answer_frequency", labels, BINS, note)


def given_answers(case: Case) -> tuple[str, ...]:
    """The right answers that people gave, or the one that there is; in lower case."""
    return tuple(text.strip().lower() for text in case.accepted or (case.answer or "",))


def count_words(text: TaggedText) -> int:
    """Words and tags, without punctuation that stands alone."""
    found = 0
    for token in text.tokens:
        parts = token.split() if isinstance(token, str) else [str(token)]
        found += sum(any(map(str.isalnum, part)) for part in parts)
    return found


def answer_kind(answer: str | None) -> str:
    """Yes or no, a number, one word, several words."""
    text = (answer or "").strip().lower()
    if text in _YES_NO:
        return text
    if text in _NUMBERS or text.replace(".", "", 1).replace(",", "").isdecimal():
        return "number"
    return "one word" if len(text.split()) == 1 else "several words"


_SIZED = {
    "training": (BINS, "How often the right answer occurs in the training file (A-OKVQA, Table 6)."),
    "knowledge": ((), "Kind of knowledge that a question needs (A-OKVQA, Table 7)."),
    "knowledge_type": ((), "Kind of knowledge that a question needs (A-OKVQA, Table 7)."),
    "graph_size": (
        SIZES, "Attributes, relations and items of knowledge that a question rests on (CRIC, Figure 11)."
    ),
    "objects": (SIZES, "Objects in the picture."),
}
"""Of some slices the order of their labels, and what they are."""


def _of_items(subject: Subject, cases: Cases) -> Iterator[Slice]:
    """By fields of the items: groups that are no ids, short fields, programs, graphs."""
    place = {case.id: at for at, case in enumerate(cases)}
    found: dict[str, Labels] = {}
    kinds: dict[str, set[str]] = {}
    for item in subject.read():
        if item.id not in place:
            continue
        told = {name: labels_of(item) for name, labels_of in subject.slices.items()}
        for name, labels in {**item_labels(item), **told}.items():
            seen = kinds.setdefault(name, set())
            if len(seen) > MOST_LABELS:
                found.pop(name, None)  # names of items, such as addresses: kept no longer
                continue
            seen.update(labels)
            found.setdefault(name, [()] * len(place))[place[item.id]] = labels
    for name, column in found.items():
        if len(kinds[name]) <= MOST_LABELS:
            yield Slice(name, column, *_SIZED.get(name, ()))


def item_labels(item: Item) -> dict[str, tuple[str, ...]]:
    """What an item says of itself that others may share."""
    found: dict[str, tuple[str, ...]] = {
        name: (value,) for name, value in item.groups.items() if name not in GROUPS
    }
    for name, value in item.extra.items():
        labels = () if name in NOT_SORTING else _field_labels(value)
        if labels:
            found[name] = labels
    if item.program is not None:
        found["functions"] = (str(len(item.program)),)
    graph = item.extra.get("sub_graph")
    if isinstance(graph, dict):
        size = sum(len(part) for part in graph.values() if isinstance(part, list))
        found["graph_size"] = (bin_of(size, SIZE_BINS),)
    objects = sum(len(scene.regions) for scene in item.scenes)
    if objects:
        found["objects"] = (bin_of(objects, SIZE_BINS),)
    return found


def _field_labels(value: Any) -> tuple[str, ...]:
    if isinstance(value, bool):
        return ("yes" if value else "no",)
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return tuple(dict.fromkeys(value))
    return ()
