"""The benchmarks, listed. Adding one is one file, one line here, one fixture."""

from __future__ import annotations

from commonsight.benchmarks.aokvqa import AOKVQA
from commonsight.benchmarks.cric import CRIC
from commonsight.benchmarks.nlvr import NLVR
from commonsight.benchmarks.nlvr2 import NLVR2
from commonsight.benchmarks.okvqa import OKVQA
from commonsight.benchmarks.pmr import PMR
from commonsight.benchmarks.vcr import VCR
from commonsight.core.benchmark import Benchmark
from commonsight.errors import UsageError
from commonsight.score.scoring import Scoring

ALL: tuple[Benchmark[Scoring], ...] = (VCR, PMR, CRIC, NLVR2, AOKVQA, NLVR, OKVQA)


def find(name: str) -> Benchmark[Scoring]:
    """The benchmark of this name."""
    for benchmark in ALL:
        if benchmark.name == name:
            return benchmark
    raise UsageError(f"'{name}' is no benchmark. Choose one of: {', '.join(b.name for b in ALL)}.")
