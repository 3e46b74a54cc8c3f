"""Files of tensors, written by the safetensors library: on the disk, for anyone to read, or an error."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from safetensors import SafetensorError

from commonsight.errors import InputError
from commonsight.store.atomic import with_ordinary_mode


@contextmanager
def tensor_file(path: Path) -> Iterator[None]:
    """What the block writes to `path` is on the disk when it ends, so that not even a power cut takes it."""
    try:
        with with_ordinary_mode(path):
            yield
        with path.open("rb") as stream:
            os.fsync(stream.fileno())
    except (SafetensorError, OSError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(f"{path} cannot be written ({reason}). Make room, then begin again.") from error
