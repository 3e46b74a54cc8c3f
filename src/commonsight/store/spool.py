"""What a long run keeps on the disk while it works, so that it can go on where it was stopped.

A part is there as a whole or not at all. `begun.json` says what the parts are of, so that nothing is taken
from another run. Who began a spool removes its folder once the result is safe.
"""

from __future__ import annotations

from pathlib import Path

from commonsight.errors import UsageError
from commonsight.store.atomic import new_file

BEGUN = "begun.json"


class Spool:
    """A folder of finished parts."""

    def __init__(self, folder: Path, what: str, told: bytes) -> None:
        """A new spool, or that of the same run begun before; `told` is all that its parts depend on."""
        kept = folder / BEGUN
        if kept.is_file() and kept.read_bytes() != told:
            raise UsageError(
                f"{folder} holds another {what}, begun and not finished. "
                "Finish it with the options it was begun with, or remove it."
            )
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        for part in folder.glob(".*.part"):  # what was being written when it was stopped
            part.unlink()
        self.keep(BEGUN, told)

    def path(self, name: str) -> Path:
        """Where a part is, or will be."""
        return self.folder / name

    def has(self, name: str) -> bool:
        """Whether a part is finished."""
        return self.path(name).is_file()

    def keep(self, name: str, content: bytes) -> None:
        """Put a finished part on the disk: from then on it is never made again."""
        with new_file(self.path(name)) as part:
            part.write_bytes(content)

    def read(self, name: str) -> bytes:
        """A finished part."""
        return self.path(name).read_bytes()
