"""How items are spread over what they share (VCR Figures 9 and 10, NLVR2 Figure 4).

Items to an image, images to a movie, examples to a synset: what a few images or topics carry, a model may
learn instead of the task, and the fewer there are, the wider the error bars.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from commonsight.audit.describe.texts import IDENTITIES, MOST_KINDS, bars, nothing_to_describe
from commonsight.audit.probe import Setting, Subject
from commonsight.audit.values import Cell, Finding, Plot, Section, Table
from commonsight.core import inflect
from commonsight.core.item import Item
from commonsight.store.figures import Panel, Series

LEAST_MEAN = 5.0
"""Items that a value of a field must have on average for the field to be a topic."""
MOST_BARS = 12
NAMED = 5
_NOTES = {
    "items to an image": "VCR's Figure 10: 2.645 on average.",
    "images to a movie": "VCR's Figure 9.",
    "items to a synset": "NLVR2's Figure 4: 752.9 with a deviation of 205.7 over 124 synsets and all splits.",
    "items to a sentence": "NLVR2, section 3.6: 3.6 on average.",
}
_NAMELESS = ("items to an image", "items to a set of images", "items to a sentence", "items to a set")
"""What has a number for a name: of no use in a list."""
WRITERS = ("writer", "worker", "annotator")
MOST_BY_ONE = 0.2
"""The share of items by one person that is worth knowing: models learn to know a writer's hand."""


@dataclass(frozen=True)
class SpreadProbe:
    """Items to an image, to a movie, to a sentence, to a topic that the data names."""

    name: str = "spread"
    title: str = "How items are spread"

    codes = ("one-writer",)

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One table, and one plot for each thing shared."""
        del setting  # nothing to choose
        found = _Found()
        for item in subject.read():
            found.add(item)
        if not found.items:
            raise nothing_to_describe()
        shared = found.shared()
        skipped = []
        if "images to a movie" not in shared:
            skipped.append("Images to a movie (VCR, Figure 9): the items do not name a movie.")
        return [
            Section(
                self.name,
                self.title,
                "How many items, or images, come with one image, movie, sentence or topic.",
                findings=tuple(_by_one(shared)),
                numbers={name.replace(" ", "_"): _mean(counts) for name, counts in shared.items()},
                tables=(_summary(shared), _extremes(shared)),
                plots=tuple(_plot(name, counts) for name, counts in shared.items()),
                skipped=tuple(skipped),
            )
        ]


class _Found:
    """What one pass counts."""

    def __init__(self) -> None:
        self.items = 0
        self._images: Counter[tuple[str, ...]] = Counter()
        self._groups: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._frames: defaultdict[str, set[str]] = defaultdict(set)
        self._named: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def add(self, item: Item) -> None:
        """Count one item."""
        self.items += 1
        if item.scenes:
            self._images[tuple(scene.image for scene in item.scenes)] += 1
        for kind in IDENTITIES[1:]:
            if kind in item.groups:
                self._groups[kind][item.groups[kind]] += 1
        if "movie" in item.groups:
            self._frames[item.groups["movie"]].update(scene.image for scene in item.scenes)
        for name, value in item.extra.items():
            if isinstance(value, str) and name not in IDENTITIES:
                self._named[name][value] += 1

    def shared(self) -> dict[str, Counter[str]]:
        """Counts by what is shared, in the order of the report."""
        found: dict[str, Counter[str]] = {}
        if self._images:
            several = max(map(len, self._images)) > 1
            name = "items to a set of images" if several else "items to an image"
            found[name] = Counter({" + ".join(images): count for images, count in self._images.items()})
        for kind, counts in self._groups.items():
            found[_to(kind)] = counts
        if self._frames:
            found["images to a movie"] = Counter({name: len(images) for name, images in self._frames.items()})
        for name, counts in self._named.items():
            topic = len(counts) > MOST_KINDS and counts.total() >= LEAST_MEAN * len(counts)
            if topic or name in WRITERS:
                found[_to(name)] = counts
        return found


def _to(kind: str) -> str:
    return f"items to {inflect.an(kind)} {kind}"


def _by_one(shared: Mapping[str, Counter[str]]) -> Iterator[Finding]:
    for name in WRITERS:
        counts = shared.get(_to(name))
        if not counts:
            continue
        ((person, most),) = counts.most_common(1)
        share = most / counts.total()
        if share > MOST_BY_ONE:
            yield Finding(
                "one-writer", "note", f"One {name} ({person}) wrote {share:.0%} of the items.",
                "Report accuracy with and without them, and keep each writer within one split.",
                share, MOST_BY_ONE,
            )  # fmt: skip


def _mean(counts: Mapping[str, int]) -> float:
    return float(np.mean(list(counts.values())))


def _summary(shared: dict[str, Counter[str]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, counts in shared.items():
        sizes = np.array(list(counts.values()))
        low, middle, high = map(float, np.quantile(sizes, [0, 0.5, 1]))
        rows.append((name, len(sizes), float(sizes.mean()), float(sizes.std()), low, middle, high))
    notes = [_NOTES[name] for name in shared if name in _NOTES]
    return Table(
        "Shared by several items",
        ("", "different", "mean", "deviation", "least", "half", "most"),
        tuple(rows),
        " ".join(notes),
    )


def _extremes(shared: dict[str, Counter[str]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, counts in shared.items():
        if name in _NAMELESS:
            continue
        ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
        most = ", ".join(f"{value} ({count})" for value, count in ordered[:NAMED])
        least = ", ".join(f"{value} ({count})" for value, count in reversed(ordered[-NAMED:]))
        rows.append((name, most, least))
    return Table("The largest and the smallest", ("", "most", "fewest"), tuple(rows))


def _plot(name: str, counts: Counter[str]) -> Plot:
    sizes = np.array(list(counts.values()))
    stem = "spread-" + name.replace(" ", "-")
    caption = f"{name[0].upper()}{name[1:]}. {_NOTES.get(name, '')}".strip()
    if sizes.max() <= MOST_BARS:
        histogram = np.bincount(sizes)[1:]
        names = [str(size) for size in range(1, len(histogram) + 1)]
        return Plot(stem, (bars(names, [float(count) for count in histogram], "how many"),), caption)
    ordered = np.sort(sizes)[::-1]
    ranks = np.unique(np.linspace(0, len(ordered) - 1, min(100, len(ordered))).astype(int))
    places, heights = (float(rank + 1) for rank in ranks), (float(ordered[rank]) for rank in ranks)
    return Plot(stem, (Panel((Series("", tuple(places), tuple(heights)),), "rank", name),), caption)
