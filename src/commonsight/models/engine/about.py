"""What weights are, said by a file beside them: written before training begins, read to build them again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from commonsight.errors import InputError, UsageError
from commonsight.store.documents import read_document, write_document

T = TypeVar("T")


@dataclass(frozen=True)
class AboutFile(Generic[T]):
    """The file of one kind of trained network."""

    name: str
    kind: type[T]
    what: str
    """What a folder without the file does not hold, such as "trained detector"."""
    command: str
    """That writes such folders."""

    def there(self, folder: Path) -> bool:
        """Whether a folder says what it holds, or will hold."""
        return (folder / self.name).is_file()

    def save(self, folder: Path, about: T) -> None:
        """Say what the weights beside it are."""
        write_document(folder / self.name, about)

    def read(self, folder: Path) -> T:
        """What a folder holds."""
        remedy = f"Give a folder that `commonsight {self.command}` wrote."
        if not self.there(folder):
            raise InputError(f"{folder}: there is no {self.what} here (no {self.name}). {remedy}")
        return read_document(folder / self.name, self.kind, remedy=remedy)

    def begin(self, folder: Path, about: T, *, holds: str, learned: str) -> None:
        """Save it. A folder that holds another, such as "a detector" that learned "scenes", is refused."""
        if not self.there(folder):
            self.save(folder, about)
        elif self.read(folder) != about:
            raise UsageError(
                f"{folder} holds {holds} that was begun otherwise. Choose another folder, or go on with the "
                f"same {learned} and options."
            )
