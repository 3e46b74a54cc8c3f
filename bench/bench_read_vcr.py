"""Reading VCR's native records: items, checked, against bare `json.loads` on the same lines."""

from __future__ import annotations

import json
import tempfile
from collections import deque
from functools import partial
from pathlib import Path

from _figures import ROUNDS, Figure, arguments, show
from _synthetic import write_vcr
from _timing import interleaved, peak_bytes
from commonsight.benchmarks.vcr import VCR, VcrRecord
from commonsight.store.jsonfiles import read_lines
from commonsight.store.native import read_native

RECORDS = 200_000


def bare(path: Path) -> None:
    """The least that any reader does: every line decoded, nothing checked, nothing kept."""
    with path.open("rb") as file:
        for line in file:
            json.loads(line)


def records(path: Path) -> None:
    """Typed native records."""
    deque(read_lines(path, VcrRecord), maxlen=0)


def items(path: Path) -> None:
    """Items, checked."""
    deque(read_native(VCR.native, [path]), maxlen=0)


def all_items(path: Path) -> list[object]:
    """Items, checked, and all of them kept at once."""
    return list(read_native(VCR.native, [path]))


def all_bare(path: Path) -> list[object]:
    """What `json.loads` makes, all of it kept at once."""
    with path.open("rb") as file:
        return [json.loads(line) for line in file]


def figures(number: int = RECORDS, rounds: int = ROUNDS) -> list[Figure]:
    """Measure on this many records."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "val.jsonl"
        write_vcr(path, number)
        size = path.stat().st_size
        ways = {"json": bare, "records": records, "items": items}
        times = interleaved({name: partial(way, path) for name, way in ways.items()}, rounds)
        streamed, kept, loaded = (peak_bytes(way, path) for way in (items, all_items, all_bare))
    told = f"{number:,} VCR records"
    return [
        Figure(
            "read_items", f"{told} as checked items, time by `json.loads`", times.ratio("items", "json"), 2
        ),
        Figure(
            "read_records", f"{told} as typed records, time by `json.loads`", times.ratio("records", "json")
        ),
        Figure("read_memory", f"{told} as a stream of items, peak memory by file size", streamed / size, 2),
        Figure("read_memory_kept", f"{told} as items all kept, peak memory by file size", kept / size),
        Figure(
            "read_memory_json", f"{told} by `json.loads`, all kept, peak memory by file size", loaded / size
        ),
    ]


def main() -> None:
    """Run from the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--records", type=int, default=RECORDS)
    options = parser.parse_args()
    show(figures(options.records, options.rounds), options.json)


if __name__ == "__main__":
    main()
