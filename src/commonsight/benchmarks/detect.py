"""Which benchmark a native file belongs to, told from its first record."""

from __future__ import annotations

from pathlib import Path

import msgspec

from commonsight.benchmarks import ALL
from commonsight.core.benchmark import Benchmark
from commonsight.errors import InputError
from commonsight.score.scoring import Scoring
from commonsight.store.dataset import is_dataset, read_info
from commonsight.store.jsonfiles import LONGEST_LINE


def detect(path: Path) -> Benchmark[Scoring]:
    """The benchmark of a native file or a dataset; an error that lists them if none fits, or several do."""
    if is_dataset(path):
        info = read_info(path)
        assert info is not None  # `read_info` raises here
        fitting = [benchmark for benchmark in ALL if benchmark.name == info.benchmark]
    else:
        fields = _first_fields(path)
        fitting = [benchmark for benchmark in ALL if benchmark.native.telling <= fields]
        most = max((len(benchmark.native.telling) for benchmark in fitting), default=0)
        fitting = [benchmark for benchmark in fitting if len(benchmark.native.telling) == most]
    if len(fitting) != 1:
        names = ", ".join(benchmark.name for benchmark in ALL)
        raise InputError(
            f"{path}: this does not look like any one benchmark. Name it with --benchmark ({names})."
        )
    return fitting[0]


def _first_fields(path: Path) -> frozenset[str]:
    try:
        with path.open("rb") as stream:
            head = b"\n"
            while head.isspace():  # blank lines before the first record
                head = stream.readline(LONGEST_LINE)
        if head.lstrip().startswith(b"["):
            records = msgspec.json.decode(path.read_bytes(), type=list[dict[str, msgspec.Raw]])
            return frozenset(records[0]) if records else frozenset()
        return frozenset(msgspec.json.decode(head, type=dict[str, msgspec.Raw]))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: the file cannot be read ({reason}). Check the path.") from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return frozenset()
