"""Where features that are made once are kept, and what they are made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from commonsight.models.features.files import feature_path
from commonsight.models.features.objects import Pictured
from commonsight.models.progress import Progress, silent

Told = Callable[[str], Progress]
"""Given what is being done, whom to tell how far it has come."""


@dataclass(frozen=True)
class Keeping:
    """One dataset's features."""

    folder: Path
    """Where feature files lie, of any dataset: each is known by what it was made from."""
    dataset: Path
    sources: tuple[str, ...]
    """Hashes of the dataset's files, of the splits that are used."""
    tasks: tuple[str, ...] = ()
    """Whose texts are read."""
    pictures: tuple[Pictured, ...] = ()
    threads: int = 1
    told: Told = lambda _: silent

    def path(self, kind: str, name: str, **options: object) -> Path:
        """Where the features of this kind, made by an encoder of this name, are or will be."""
        return feature_path(self.folder, kind, sources=self.sources, name=name, **options)
