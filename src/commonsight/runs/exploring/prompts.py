"""What a run asked of an item, put together again word for word from the plan that the run keeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.runs.plan import Plan, read_kept
from commonsight.runs.questions import Questioner
from commonsight.runs.running import questioner
from commonsight.store.runs import is_run, read_run
from commonsight.vlm.client import Picture, Request
from commonsight.vlm.pictures import Pictures


class Said(NamedTuple):
    """What one side says: its texts, with a word for each picture among them."""

    role: str
    text: str


class _Unseen(Pictures):
    """Pictures that nobody looks at: what is told beside them is the same."""

    def plain(self, scene: Scene) -> Picture:
        return Picture(b"", "", scene.image)

    def boxed(self, scene: Scene, regions: Sequence[int]) -> Picture:
        return Picture(b"", "", f"{scene.image}, with {len(regions)} boxes drawn on")


@dataclass(frozen=True)
class Prompts:
    """The prompts of a run on the dataset that lies here now."""

    run: Path
    dataset: Path

    @property
    def there(self) -> bool:
        """Whether the run tells what it asked: networks ask nothing."""
        return is_run(self.run) and "plan" in read_run(self.run).options

    @cached_property
    def _asker(self) -> Questioner:
        plan: Plan = structs.replace(read_kept(self.run).plan, paths=(str(self.dataset),), images=None)
        asker = questioner(plan)
        given = "all" if asker.variants.given == "own" else asker.variants.given
        unseen = None if asker.pictures is None else _Unseen(self.dataset)
        return replace(asker, pictures=unseen, variants=replace(asker.variants, given=given))

    def of(self, item: Item) -> dict[str, list[Said]]:
        """By the name of each task, as the log has it, what was asked."""
        found = {}
        for question in self._asker.questions([item]):
            request = question.request if isinstance(question.request, Request) else question.request()
            found[question.task] = list(_said(request))
        return found


def _said(request: Request) -> Iterator[Said]:
    for turn in request.turns:
        parts = (part if isinstance(part, str) else f"[picture: {part.name}]" for part in turn.parts)
        yield Said(turn.role, "\n".join(parts))
