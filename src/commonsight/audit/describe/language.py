"""Linguistic phenomena in what is asked (NLVR2, Table 5) and what it asks of two images (Table 10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from commonsight.audit.describe.texts import bars, nothing_to_describe, question_of
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.values import Cell, Plot, Section, Table
from commonsight.score.intervals import Figure, figure
from commonsight.text.pair_reasoning import PAIR_TYPES, WHOLE, pair_types
from commonsight.text.phenomena import HELD_OUT_F1, PHENOMENA, phenomena

NLVR2_SHARES = dict(
    zip(
        PHENOMENA,
        (0.411, 0.225, 0.236, 0.168, 0.333, 0.146, 0.49, 0.08, 0.206, 0.096, 0.038, 0.115, 0.019),
        strict=True,
    )
)
"""The paper's Table 5, over 800 sentences of dev."""
NLVR2_PAIRS = dict(zip((*PAIR_TYPES, WHOLE), (0.03, 0.19, 0.11, 0.265, 0.06, 0.395), strict=True))
"""The paper's Table 10, over 200 of them."""


@dataclass(frozen=True)
class LanguageProbe:
    """Shares of different texts that show each phenomenon, by rules."""

    name: str = "language"
    title: str = "Linguistic phenomena"

    codes: ClassVar[tuple[str, ...]] = ()  # it only describes

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One table, and another where items show two images."""
        texts: dict[str, str] = {}
        pairs = items = 0
        for item in subject.read():
            items += 1
            asked = question_of(item)
            if asked is not None:
                said = asked[1].with_names(item.labels) if _known(item.labels, asked[1].references()) else ""
                texts.setdefault(said, subject.cluster_of(item))
            pairs += len(item.scenes) == 2
        texts.pop("", None)
        if not items:
            raise nothing_to_describe()
        if not texts:
            raise CannotMeasure("No item has a text that is asked, so that it shows no phenomena.")
        return [self._section(texts, pairs == items, setting)]

    def _section(self, texts: dict[str, str], two_images: bool, setting: Setting) -> Section:
        tagged = [phenomena(text) for text in texts]
        shares = {name: _share(name, tagged, setting) for name in PHENOMENA}
        tables = [_phenomena_table(shares)]
        if two_images:
            asked = [pair_types(text) or (WHOLE,) for text in texts]
            tables.append(_pairs_table({name: _share(name, asked, setting) for name in NLVR2_PAIRS}))
        values = [found.value or 0.0 for found in shares.values()]
        return Section(
            self.name,
            self.title,
            f"What {len(texts):,} different texts ask for, by rules that were held against people's tags. "
            "A text may show several phenomena.",
            figures={name.replace(" ", "_"): found for name, found in shares.items()},
            tables=tuple(tables),
            plots=(
                Plot(
                    "language",
                    (bars([_short(name) for name in shares], values, "share of texts"),),
                    "Linguistic phenomena, as in NLVR2's Table 5.",
                ),
            ),
            skipped=() if two_images else (
                "Reasoning over pairs of images (NLVR2, Table 10): not every item shows two images.",
            ),
        )  # fmt: skip


def _known(labels: Sequence[str], named: Iterable[int]) -> bool:
    return all(0 <= index < len(labels) for index in named)


def _share(name: str, tagged: Sequence[Sequence[str]], setting: Setting) -> Figure:
    return figure([name in tags for tags in tagged], confidence=setting.confidence, seed=setting.seed)


def _short(name: str) -> str:
    return name.replace(" quantifier", "").replace(" relation", "").replace("cardinality", "card.")


def _phenomena_table(shares: dict[str, Figure]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (name, found, NLVR2_SHARES[name], HELD_OUT_F1[name]) for name, found in shares.items()
    ]
    return Table(
        "Phenomena",
        ("phenomenon", "share of texts", "in NLVR2", "F1 of the rules"),
        tuple(rows),
        "NLVR2's Table 5. The last column is how the rules agree with its authors on 400 sentences that they "
        "were not written for; where it is low, do not trust the share.",
    )


def _pairs_table(shares: dict[str, Figure]) -> Table:
    return Table(
        "What is asked of two images",
        ("type", "share of texts", "in NLVR2"),
        tuple((name, found, NLVR2_PAIRS[name]) for name, found in shares.items()),
        "NLVR2's Table 10, whose 200 sentences were not released: the rules follow its definitions alone.",
    )
