"""What a dataset says about itself: the content of `dataset.json`."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

FORMAT = 1
"""The layout of dataset folders; a reader refuses a number that it does not know."""


class SourceFile(Struct, frozen=True):
    """A file that a dataset was made from."""

    name: str
    sha256: str


class SplitInfo(Struct, frozen=True):
    """One split: its Parquet file, how many items it holds, and the file's hash."""

    file: str
    items: int
    sha256: str


class Made(Struct, frozen=True):
    """How a dataset came to be. No clock: the same inputs give the same bytes."""

    by: str
    """The verb that made it, such as `convert`."""
    commonsight: str
    seed: int | None = None
    sources: tuple[SourceFile, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)


class DatasetInfo(Struct, frozen=True):
    """Everything that `dataset.json` holds."""

    name: str
    benchmark: str
    version: str
    made: Made
    splits: dict[str, SplitInfo]
    title: str = ""
    description: str = ""
    citation: str = ""
    licence: str = ""
    homepage: str = ""
    drawn: bool = False
    """Whether the pictures are drawn by us; no figure on such a dataset is one on a real benchmark."""
    images: int = 0
    datasheet: dict[str, str] = field(default_factory=dict)
    """Answers to the datasheet's questions, by the question's key; a missing one is said to be open.
    `published` is no question: it says that the answers are those of the benchmark's authors."""
    format: int = FORMAT

    @property
    def items(self) -> int:
        """Items in all splits."""
        return sum(split.items for split in self.splits.values())
