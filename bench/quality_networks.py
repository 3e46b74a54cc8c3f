"""The rows of VCR's Tables 1 and 2 and of PMR's Table 2 on a drawn world, over several seeds.

    python bench/quality_networks.py --out results            everything, some hours of two cores
    python bench/quality_networks.py --out results --only r2c,esim --seeds 1
    python bench/quality_networks.py --out results --show     what is there so far

Every step is a command of Commonsight in a process of its own, in a folder of its own: what was stopped goes
on where it was. Figures are of a drawn world and say nothing about the real benchmarks.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean, stdev
from threading import Lock
from typing import NamedTuple

EYES, WORLD, PREMISES = ("eyes", 6000, 11, "cric"), ("vcr", 10_000, 12, "vcr"), ("pmr", 10_000, 13, "pmr")
"""Folder, scenes, seed and kind: the encoder of objects learns from a world of its own."""
LIMIT = 8000
"""Training questions."""
VCR_ROWS = (
    "lstm", "bert-response-only", "esim", "bert", "revisited-vqa", "bottom-up", "mlb", "mutan", "r2c",
    "r2c-no-query", "r2c-no-reasoning", "r2c-no-vision", "r2c-glove",
)  # fmt: skip
PMR_ROWS = ("bert-response-only", "bert", "vl-bert", "uniter", "ernie-vil")
TRANSFORMERS = ("bert-response-only", "bert")
"""Begin with a BERT that has read the training texts; cross-modal ones with their own pre-training."""
ONE_AT_A_TIME = Lock()
"""Rows that run side by side may need the same preparation."""
METRICS = {"vcr": ("q2a", "qa2r", "q2ar"), "pmr": ("accuracy",)}


class Row(NamedTuple):
    """One network on one benchmark, trained from one seed."""

    benchmark: str
    network: str
    seed: int

    @property
    def folder(self) -> Path:
        return Path(self.benchmark + "-rows") / f"{self.network}-{self.seed}"


class Place(NamedTuple):
    """Where everything lies, and how long networks are trained."""

    out: Path
    epochs: int

    def run(self, *command: str | Path, into: str) -> None:
        """A command, with what it says in a log of its own; it must succeed."""
        log = self.out / "logs" / f"{into}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        told = [sys.executable, "-m", "commonsight", *map(str, command)]
        with log.open("a", encoding="utf-8") as stream:
            done = subprocess.run(told, cwd=self.out, stdout=stream, stderr=stream, env=_quiet(), check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, command))} failed; see {log}")

    def prepare(self, folder: str, *command: str | Path) -> None:
        """A command that makes this folder, unless it has; one that was stopped goes on."""
        with ONE_AT_A_TIME:
            if not (self.out / "done" / folder).exists():
                self.run(*command, "--out", folder, into=folder)
                (self.out / "done").mkdir(exist_ok=True)
                (self.out / "done" / folder).touch()


def _quiet() -> dict[str, str]:
    return os.environ | {"OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1"}


def worlds(place: Place, benchmarks: Iterable[str]) -> None:
    """Pictures, questions with wrong choices by matching, and an encoder of objects."""
    for folder, scenes, seed, kind in (EYES, WORLD, PREMISES):
        if folder == "eyes" or folder in benchmarks:
            place.prepare(
                folder, "world", "make", "--scenes", str(scenes), "--seed", str(seed), "--kind", kind
            )
    seen = ("eyes/raw/scene_graphs.json", "--images", "eyes/raw/images", "--threads", "1")
    place.prepare("regions", "train-regions", *seen)
    if "vcr" in benchmarks:
        raw = ("vcr/raw/vcr.jsonl", "--images", "vcr/raw/images", "--lambda-answer", "0.5")
        place.prepare("matched", "build", "match", *raw)


def dataset_of(benchmark: str) -> str:
    """Of drawn PMR, wrong choices are written by its annotators; of VCR they are matched."""
    return "matched" if benchmark == "vcr" else "pmr/pmr"


def prepared_texts(place: Place, row: Row) -> tuple[str, ...]:
    """What a transformer begins with: learned from the training texts, and pictures, of the same dataset."""
    data = dataset_of(row.benchmark)
    if row.network in TRANSFORMERS:
        folder = f"text-{row.benchmark}"
        place.prepare(folder, "train-text", "bert", data, "--threads", "1", "--epochs", "3")
        return ("--text", f"bert:{folder}")
    if row.network in PMR_ROWS:
        folder = f"pretrained-{row.benchmark}-{row.network}"
        options = ("--regions", "seen:regions", "--features", "features", "--threads", "1", "--epochs", "4")
        place.prepare(folder, "pretrain", row.network, data, *options)
        return ("--weights", folder)
    return ()


def finish(place: Place, row: Row) -> None:
    """Train a row's networks and try them on the test split."""
    if scores_of(place, row) is not None:
        return
    data, folder = dataset_of(row.benchmark), row.folder
    begin = prepared_texts(place, row)
    common = ("--features", "features", "--threads", "1")
    options = ("--regions", "seen:regions", "--epochs", str(place.epochs), "--limit", str(LIMIT))
    label = "-".join((row.benchmark, row.network, str(row.seed)))
    place.run(
        "train", row.network, data, *options, *common, *begin, "--seed", str(row.seed),
        "--out", folder / "trained", into=label,
    )  # fmt: skip
    place.run("predict", folder / "trained", data, "--split", "test", *common, "--attention", "0",
              "--out", folder / "run", into=label)  # fmt: skip
    print(f"{label}: {scores_of(place, row)}", flush=True)


def scores_of(place: Place, row: Row) -> dict[str, float] | None:
    """Its scores, if it is done."""
    report = place.out / row.folder / "run" / "report.json"
    if not report.is_file():
        return None
    metrics = json.loads(report.read_text(encoding="utf-8"))["metrics"]
    return {name: float(metrics[name]["value"]) for name in METRICS[row.benchmark]}


def rows_of(benchmarks: Iterable[str], only: Iterable[str], seeds: int) -> Iterator[Row]:
    """Every row with the first seed, then with the second: a table is there early."""
    wanted = set(only)
    for seed in range(seeds):
        for benchmark in benchmarks:
            for network in VCR_ROWS if benchmark == "vcr" else PMR_ROWS:
                if not wanted or network in wanted:
                    yield Row(benchmark, network, seed)


def table(place: Place, benchmark: str, seeds: int) -> Iterator[str]:
    """Mean and deviation over the seeds that are done, as Markdown."""
    names = METRICS[benchmark]
    yield f"| {benchmark}, drawn world | seeds | " + " | ".join(names) + " |"
    yield "|---|---:|" + "---:|" * len(names)
    for network in VCR_ROWS if benchmark == "vcr" else PMR_ROWS:
        found = [scores_of(place, Row(benchmark, network, seed)) for seed in range(seeds)]
        done = [one for one in found if one is not None]
        if done:
            cells = [_cell([one[name] for one in done]) for name in names]
            yield f"| {network} | {len(done)} | " + " | ".join(cells) + " |"


def _cell(values: list[float]) -> str:
    spread = f" ± {100 * stdev(values):.1f}" if len(values) > 1 else ""
    return f"{100 * fmean(values):.1f}{spread}"


def main() -> None:
    """As the module says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--benchmarks", default="vcr,pmr")
    parser.add_argument("--only", default="", help="these networks, with commas between")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="only show what is there")
    given = parser.parse_args()
    place, benchmarks = Place(given.out.resolve(), given.epochs), given.benchmarks.split(",")
    if not given.show:
        place.out.mkdir(parents=True, exist_ok=True)
        worlds(place, benchmarks)
        rows = list(rows_of(benchmarks, filter(None, given.only.split(",")), given.seeds))
        with ThreadPoolExecutor(given.workers) as pool:
            list(pool.map(lambda row: finish(place, row), rows))
    for benchmark in benchmarks:
        print("\n".join(("", *table(place, benchmark, given.seeds))))


if __name__ == "__main__":
    main()
