"""One thread for matrix products: processes are what work is spread over here.

Threads of several workers get in each other's way where cores are few, and the
last bit of a sum depends on how many share it. numpy's and scipy's OpenBLAS take the number from the
environment only when they are loaded, so it is set in the loaded libraries. Where there are none, nothing
happens.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

_MAPS = Path("/proc/self/maps")
_PREFIXES = ("scipy_openblas", "openblas")
_SUFFIXES = ("64_", "")


@contextmanager
def one_thread() -> Iterator[None]:
    """Matrix products take one thread in this process while the block lasts."""
    import scipy.linalg  # noqa: F401 - scipy brings a library of its own, which must be loaded to be set

    with ExitStack() as restored:
        for library in _libraries():
            for name in (prefix + "_{}_num_threads" + suffix for prefix in _PREFIXES for suffix in _SUFFIXES):
                get, put = (getattr(library, name.format(verb), None) for verb in ("get", "set"))
                if get is not None and put is not None:
                    restored.callback(put, int(get()))
                    put(1)
        yield


def _libraries() -> list[ctypes.CDLL]:
    if not _MAPS.is_file():
        return []
    mapped = (line.split(maxsplit=5) for line in _MAPS.read_text("utf-8", "replace").splitlines())
    paths = sorted({parts[5] for parts in mapped if len(parts) == 6 and "openblas" in Path(parts[5]).name})
    return [ctypes.CDLL(path) for path in paths]
