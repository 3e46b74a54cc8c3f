"""What cleaning did to a source: how much there was, how much is left, and what went, by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from commonsight.core.scene import Scene
from commonsight.graph.clean import NOTHING_LEFT, REASONS, Cleaned, Cleaner

EXAMPLES = 5
"""How many examples of each reason are kept."""


class Totals(Struct):
    """How much a source tells."""

    pictures: int = 0
    objects: int = 0
    attributes: int = 0
    relations: int = 0

    def add(self, scene: Scene) -> None:
        """Count one scene; one without objects is no picture to ask about."""
        if scene.regions:
            self.pictures += 1
        self.objects += len(scene.regions)
        self.attributes += sum(len(region.attributes) for region in scene.regions)
        self.relations += len(scene.relations)

    def update(self, other: Totals) -> None:
        """Take over what was counted elsewhere."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class CleaningReport(Struct):
    """What went, by reason, with the first few examples. Reports of parts add up to that of the whole."""

    before: Totals = field(default_factory=Totals)
    after: Totals = field(default_factory=Totals)
    dropped: Counter[str] = field(default_factory=Counter)
    examples: dict[str, dict[str, None]] = field(default_factory=dict)

    def add(self, scene: Scene, result: Cleaned) -> None:
        """Take in one picture: as it was, and what cleaning made of it."""
        self.before.add(scene)
        self.after.add(result.scene)
        for (reason, what), times in result.dropped.items():
            self.dropped[reason] += times
            self._show(reason, what)

    def update(self, other: CleaningReport) -> None:
        """Take in the report of pictures that come after these."""
        self.before.update(other.before)
        self.after.update(other.after)
        self.dropped.update(other.dropped)
        for reason, examples in other.examples.items():
            for what in examples:
                self._show(reason, what)

    def _show(self, reason: str, what: str) -> None:
        examples = self.examples.setdefault(reason, {})
        if len(examples) < EXAMPLES:
            examples[what] = None

    @property
    def skipped(self) -> int:
        """Pictures with nothing left."""
        return self.dropped[NOTHING_LEFT]

    def __str__(self) -> str:
        """For people to read."""
        lines = [
            f"{name}: {getattr(self.before, name):,} before, {getattr(self.after, name):,} after"
            for name in self.before.__struct_fields__
        ]
        for reason in REASONS:
            if self.dropped[reason]:
                shown = ", ".join(repr(what) for what in self.examples.get(reason, ()))
                lines.append(f"{self.dropped[reason]:,} x {reason}, such as {shown}")
        return "\n".join(lines)


def clean_all(
    scenes: Iterable[Scene], cleaner: Cleaner, report: CleaningReport | None = None
) -> Iterator[Scene]:
    """The scenes that have something left, as a stream; the report is filled on the way."""
    for scene in scenes:
        result = cleaner.clean(scene)
        if report is not None:
            report.add(scene, result)
        if result.scene.regions:
            yield result.scene
