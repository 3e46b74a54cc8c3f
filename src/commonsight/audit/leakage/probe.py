"""Leakage: items, texts, pictures and groups that are in two splits, or twice in one.

A split is compared with every one before it, `train` first. That a whole item, a movie or a picture is in
two splits is a warning however rare it is; texts that are nearly the same recur by chance where they are
short, so that they are only a warning where they are long and common.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from commonsight.audit.leakage.groups import KEPT_APART, SHARED, ids_twice
from commonsight.audit.leakage.report import pair_table, share_table
from commonsight.audit.leakage.study import Pair, Study, study
from commonsight.audit.leakage.twins import Rules
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.values import Finding, Level, Section
from commonsight.score.intervals import Figure

NEAR = 0.75
"""The share of their words that two texts have in common to be near: one word of seven may differ."""
LEAST_WORDS = 8
"""Shorter texts ("What is person1 doing?") are alike by chance."""
LONG = 20
"""Items with so many words, choices among them, are never the same by chance."""
TEXTS_LIMIT = 0.01
"""The share of held-out items that may have a near twin, with its answer, in the split to learn from."""
WITHIN_LIMIT = 0.01
"""The share of a split's items that may be there twice."""
PICTURES_LIMIT = 0.005
"""The share of a split's items whose picture may look like one of another split; copies may not be at all."""

ABOUT = (
    "Every split against those before it: whole items, questions with and without their right answers, "
    "groups, pictures, right answers. Texts are near where they have at least three quarters of their words "
    "in common. What recurs by design within a group, such as the four pairs of one sentence, is not counted."
)
REMOVE = "Take these items out of the split that is held out, or out of the one to learn from."


RULES = Rules(NEAR, LEAST_WORDS, LONG)
CODES = (
    "same-id",
    "duplicate-items",
    "near-duplicate-questions",
    "group-across-splits",
    "answers-seen",
    "duplicate-images",
)


@dataclass(frozen=True)
class Leakage:
    """The probe."""

    rules: Rules = RULES
    texts_limit: float = TEXTS_LIMIT
    within_limit: float = WITHIN_LIMIT
    pictures_limit: float = PICTURES_LIMIT
    kept_apart: tuple[str, ...] = KEPT_APART
    shared: tuple[str, ...] = SHARED
    name: str = "leakage"
    title: str = "Leakage"

    codes = CODES

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section for the whole."""
        found = study(subject, self.rules, setting.seed, self.kept_apart, self.shared)
        if not found.entries:
            raise CannotMeasure("There are no items, so nothing can have leaked.")
        confidence = 1 - (1 - setting.confidence) / max(1, 3 * len(found.pairs) + len(found.splits))
        findings = [
            *self._ids(found),
            *self._items(found, confidence),
            *self._texts(found, confidence),
            *self._groups(found),
            *self._answers(found),
            *self._pictures(found, confidence),
        ]
        return [
            Section(
                self.name,
                self.title,
                ABOUT,
                findings=tuple(findings),
                figures=_figures(found, setting.confidence),
                numbers=_numbers(found),
                tables=(*share_table(found, setting.confidence), *pair_table(found)),
                skipped=tuple(_skipped(found, subject)),
            )
        ]

    def _ids(self, found: Study) -> Iterator[Finding]:
        twice = ids_twice(found.entries)
        if not twice:
            yield Finding("same-id", "fine", "Every item has an id of its own.", value=0.0, limit=0.0)
            return
        across = sum(len(set(splits)) > 1 for splits in twice.values())
        says = f"{len(twice):,} ids belong to several items, {across:,} of them to items of different splits."
        share = len(twice) / len(found.entries)
        remedy = "Give every item an id of its own."
        yield Finding("same-id", "warning", says, remedy, share, 0.0, tuple(twice))

    def _items(self, found: Study, confidence: float) -> Iterator[Finding]:
        clean = True
        for pair in found.pairs:
            places = [twin.place for twin in found.items.of(*pair)]
            if places:
                clean = False
                says = f"{_of(found, pair[1], places)} of {pair[1]} are in {pair[0]} as well, word for word."
                yield self._finding(found, "duplicate-items", "warning", says, pair[1], places, 0.0)
        for split in found.splits:
            places = [twin.place for twin in found.items.of(split, split)]
            if places:
                clean = False
                share = found.share(split, places, confidence)
                level: Level = "warning" if (share.low or 0) > self.within_limit else "note"
                says = f"{_of(found, split, places)} of {split} are there twice, word for word."
                yield self._finding(found, "duplicate-items", level, says, split, places, self.within_limit)
        if clean:
            yield Finding("duplicate-items", "fine", "No item is there twice.", value=0.0, limit=0.0)

    def _texts(self, found: Study, confidence: float) -> Iterator[Finding]:
        """Near twins across splits that are not the same item altogether."""
        clean = True
        for pair in found.pairs:
            same = {twin.place for twin in found.items.of(*pair)}
            near = [twin.place for twin in found.near_told.of(*pair) if twin.place not in same]
            if not near:
                continue
            clean = False
            own = [place for place in near if found.entries[place].choices]
            share = found.share(pair[1], own, confidence)
            level: Level = "warning" if (share.low or 0) > self.texts_limit else "note"
            what = "question and right answer" if own else "question"
            says = (
                f"{_of(found, pair[1], near)} of {pair[1]} have nearly the same {what} as an item of "
                f"{pair[0]} (at least {self.rules.words} words, {self.rules.near:.0%} of them in common)."
            )
            yield self._finding(
                found, "near-duplicate-questions", level, says, pair[1], near, self.texts_limit
            )
        if clean and found.pairs and not any(map(found.hidden, found.splits)):
            says = "No question has a near twin with its answer in another split."
            yield Finding("near-duplicate-questions", "fine", says, value=0.0, limit=self.texts_limit)

    def _groups(self, found: Study) -> Iterator[Finding]:
        clean = True
        for crossing in found.crossings:
            if not crossing.places:
                continue
            strict = found.kinds[crossing.kind]
            clean = clean and not strict
            if not strict and crossing.kind != "writer":
                continue  # a category is meant to be in every split
            places, second = list(crossing.places), crossing.second
            says = (
                f"{_of(found, second, places)} of {second} have their {crossing.kind} in common with "
                f"{crossing.first}: {crossing.names:,} are in both, of {crossing.of:,}."
            )
            level: Level = "warning" if strict else "note"
            yield self._finding(found, "group-across-splits", level, says, second, places, 0.0)
        if clean and found.pairs:
            tested = [kind for kind, strict in found.kinds.items() if strict]
            if tested:
                says = f"No {' or '.join(sorted(tested))} is in two splits."
                yield Finding("group-across-splits", "fine", says, value=0.0, limit=0.0)

    def _answers(self, found: Study) -> Iterator[Finding]:
        for pair in found.pairs:
            places = found.answers_seen(pair)
            if places is None:
                continue
            total = found.with_answer(pair[1])
            says = (
                f"The right answer of {len(places):,} of {total:,} items of {pair[1]} "
                f"({len(places) / total:.1%}) is a right answer in {pair[0]} too; "
                "the others ask for one that was never learned."
            )
            yield Finding("answers-seen", "note", says, value=len(places) / total)

    def _pictures(self, found: Study, confidence: float) -> Iterator[Finding]:
        if found.pictures is None or not found.pictures.names:
            return
        shown: dict[str, dict[str, list[int]]] = {}
        for place, entry in enumerate(found.entries):
            for name in entry.pictures:
                shown.setdefault(name, {}).setdefault(entry.split, []).append(place)
        clean = True
        for pair in [*found.pairs, *((split, split) for split in found.splits)]:
            exact = _showing(found, shown, pair, exact=True)
            alike = [place for place in _showing(found, shown, pair, exact=False) if place not in exact]
            if not exact and not alike:
                continue
            clean = False
            first, second = pair
            share = found.share(second, alike, confidence)
            across = first != second
            told = across and (bool(exact) or (share.low or 0) > self.pictures_limit)
            where = f"of {first}" if across else "of the same split"
            says = (
                f"{_of(found, second, [*exact, *alike])} of {second} show a picture {where} under another "
                f"name: {len(exact):,} the same file, {len(alike):,} one that looks the same "
                "(another size or brightness, or a crop)."
            )
            yield self._finding(
                found, "duplicate-images", "warning" if told else "note", says, second, [*exact, *alike], 0.0
            )
        if clean:
            says = "No picture is there under two names."
            yield Finding("duplicate-images", "fine", says, value=0.0, limit=0.0)

    @staticmethod
    def _finding(
        found: Study, code: str, level: Level, says: str, split: str, places: Sequence[int], limit: float
    ) -> Finding:
        ids = tuple([found.entries[place].id for place in places])
        return Finding(code, level, says, REMOVE, len(places) / len(found.members[split]), limit, ids)


def _of(found: Study, split: str, places: Sequence[int]) -> str:
    total = len(found.members[split])
    return f"{len(places):,} of {total:,} items ({len(places) / total:.1%})"


def _showing(found: Study, shown: dict[str, dict[str, list[int]]], pair: Pair, *, exact: bool) -> list[int]:
    """Items of the second split with a picture that is in the first under another name, the likest first."""
    first, second = pair
    places: dict[int, None] = {}
    for same in found.same:
        if same.exact != exact:
            continue
        for one, other in ((same.one, same.other), (same.other, same.one)):
            if first in shown.get(one, {}):
                places.update(dict.fromkeys(shown.get(other, {}).get(second, ())))
            if first == second:
                break  # within a split, one of the two is enough
    return list(places)


def _figures(found: Study, confidence: float) -> dict[str, Figure]:
    figures: dict[str, Figure] = {}
    for first, second in found.pairs:
        kinds = {
            "items": found.items, "questions": found.questions, "told": found.told,
            "near-questions": found.near_questions, "near-told": found.near_told,
        }  # fmt: skip
        for kind, twins in kinds.items():
            places = [twin.place for twin in twins.of(first, second)]
            figures[f"{second}-in-{first}-{kind}"] = found.share(second, places, confidence)
        seen = found.answers_seen((first, second))
        if seen is not None:
            figures[f"{second}-in-{first}-answers"] = found.share(second, seen, confidence)
    return figures


def _numbers(found: Study) -> dict[str, float]:
    counts = {f"{split}-doubled-items": float(len(found.items.of(split, split))) for split in found.splits}
    for split in found.splits:
        counts[f"{split}-same-question-and-answer"] = float(len(found.told.of(split, split)))
        counts[f"{split}-near-question-and-answer"] = float(len(found.near_told.of(split, split)))
    if found.pictures is not None:
        counts["pictures"] = float(len(found.pictures.names))
        counts["pictures-under-two-names"] = float(len(found.same))
    return counts


def _skipped(found: Study, subject: Subject) -> Iterator[str]:
    if len(found.splits) < 2:
        yield f"There is one split only ({found.splits[0]}), so that nothing can be compared across splits."
    for split in found.splits:
        if hidden := found.hidden(split):
            yield (
                f"{hidden:,} of {len(found.members[split]):,} items of {split} have no label, so that they "
                "were not compared with others by their right answers."
            )
    pictures = found.pictures
    if pictures is None:
        yield "No folder of pictures was given, so that pictures were only compared by their names."
        return
    if pictures.missing:
        total = len(pictures.missing) + len(pictures.names) + len(pictures.broken)
        yield (
            f"{len(pictures.missing):,} of {total:,} pictures are not below {subject.images}, "
            f"such as {pictures.missing[0]}."
        )
    if pictures.broken:
        names = ", ".join(islice(pictures.broken, 3))
        yield f"{len(pictures.broken):,} pictures cannot be read, such as {names}."


LEAKAGE = Leakage()
