"""Which objects texts point to, beside which are in the images (VCR Figure 8, PMR Figure 10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from commonsight.audit.describe.texts import nothing_to_describe, right_choice, right_rationale
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.values import Finding, Plot, Section, Table
from commonsight.core.item import Item
from commonsight.store.figures import Bars, Series

SHOWN = 20
PLOTTED = 10


@dataclass(frozen=True)
class ObjectsProbe:
    """Objects that are mentioned, by class, and objects that were detected."""

    name: str = "objects"
    title: str = "Objects mentioned and objects shown"

    codes = ("lost-tags",)

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One table and one plot; tags that point to no object are named."""
        del setting  # nothing to choose
        mentioned: Counter[str] = Counter()
        shown: Counter[str] = Counter()
        images: set[str] = set()
        lost: list[str] = []
        items = 0
        for item in subject.read():
            items += 1
            labels = item.labels
            for scene in item.scenes:
                if scene.image not in images:
                    images.add(scene.image)
                    shown.update(scene.labels)
            named = named_objects(item)
            mentioned.update(labels[index] for index in named if index < len(labels))
            if any(index >= len(labels) for index in named):
                lost.append(item.id)
        if not items:
            raise nothing_to_describe()
        if not mentioned and not lost:
            raise CannotMeasure("No text points to objects, so that there are none to count (VCR, Figure 8).")
        return [_section(self, mentioned, shown, lost, items)]


def named_objects(item: Item) -> frozenset[int]:
    """The objects that what is asked and the right texts point to, each once."""
    right = [right_choice(item), right_rationale(item) if item.rationale_gold is not None else None]
    texts = [*item.texts.values(), *(text for text in right if text is not None)]
    return frozenset(index for text in texts for index in text.references())


def _section(
    probe: ObjectsProbe, mentioned: Counter[str], shown: Counter[str], lost: list[str], items: int
) -> Section:
    total, seen = mentioned.total(), shown.total()
    order = sorted({*mentioned, *shown}, key=lambda name: (-mentioned[name], -shown[name], name))
    rows = tuple(
        (name, mentioned[name], _share(mentioned[name], total), shown[name], _share(shown[name], seen))
        for name in order
    )
    people = _share(mentioned["person"], total)
    lost_finding = Finding(
        "lost-tags", "note", f"In {len(lost):,} of {items:,} items a tag points to no object of the image.",
        "Check the order of objects: such a tag means nothing to a model.", len(lost) / items,
        items=tuple(lost),
    )  # fmt: skip
    return Section(
        probe.name,
        probe.title,
        "An object counts once an item, however often it is mentioned, and once an image where it is shown.",
        findings=(lost_finding,) if lost else (),
        numbers={"people": people, "mentioned": total / items},
        tables=(
            Table(
                "Objects by class",
                ("class", "mentioned", "share", "shown", "share shown"),
                rows[:SHOWN],
                f"The {SHOWN} most mentioned. VCR's Figure 8: mostly people; cars are mentioned more often "
                "than ties although fewer are shown.",
            ),
        ),
        plots=(_plot(rows[:PLOTTED]),),
    )


def _share(count: int, total: int) -> float:
    return count / total if total else 0.0


def _plot(rows: Sequence[tuple[str, int, float, int, float]]) -> Plot:
    x = tuple(map(float, range(len(rows))))
    return Plot(
        "objects",
        (
            Bars(
                tuple(row[0] for row in rows),
                (
                    Series("mentioned", x, tuple(row[2] for row in rows)),
                    Series("shown", x, tuple(row[4] for row in rows)),
                ),
                "share",
            ),
        ),
        "Classes of objects, as a share of all that are mentioned and of all that are shown.",
    )
