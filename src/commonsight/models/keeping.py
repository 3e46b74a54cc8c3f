"""Where features that are made once are kept, and what they are made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from commonsight.models.features.files import feature_path
from commonsight.models.features.objects import Pictured
from commonsight.models.progress import Progress, silent

Told = Callable[[str], Progress]
"""Given what is being done, whom to tell how far it has come."""


@dataclass(frozen=True)
class Keeping:
    """Features of some questions of a dataset."""

    folder: Path
    """Where feature files lie, of any dataset: each is known by what it was made from."""
    dataset: Path
    pictures: Callable[[], Sequence[Pictured]] = list
    """Of these questions; asked for by those who look at them."""
    threads: int = 1
    told: Told = lambda _: silent

    def path(self, kind: str, name: str, made_from: str) -> Path:
        """Where features of this kind, made by an encoder of this name, are or will be.

        `made_from` stands for the very texts or pictures. So features that were made of a part of a dataset
        are never taken for those of the whole, and those of two datasets with the same content are shared.
        """
        return feature_path(self.folder, kind, sources=(made_from,), name=name)
