"""The papers' networks in the rows of their papers' tables, over several seeds.

    python bench/quality_networks.py --out results                   everything, many hours of two cores
    python bench/quality_networks.py --out results --tables vcr --only r2c,esim --seeds 1
    python bench/quality_networks.py --out results --show            what is there so far
    python bench/quality_networks.py --out results --show --write    and into results.json, docs/results.md

Every step is a command of Commonsight in a process of its own, in a folder of its own: what was stopped goes
on where it was. Most tables are of a drawn world, and say nothing about the real benchmarks. Rows that ask a
language model start a small one here, or ask the one that --model and --base-url name.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import _results
from _model_server import MODEL, served
from _results import Results, Scores, Shown
from commonsight.store.runs import is_run

EYES, WORLD, PREMISES = ("eyes", 6000, 11, "cric"), ("vcr", 10_000, 12, "vcr"), ("pmr", 10_000, 13, "pmr")
"""Folder, scenes, seed and kind: the encoder of objects learns from a world of its own."""
LIMIT = 8000
"""Training questions of a drawn world."""
PRE_TRAINED = ("vl-bert", "uniter", "ernie-vil")
ONE_AT_A_TIME = Lock()
"""Rows that run side by side may need the same preparation."""


class Place(NamedTuple):
    """Where everything lies, and which language model is asked where one is."""

    out: Path
    model: str = MODEL
    base_url: str | None = None
    """None for the small model, which is then started."""

    def run(self, *command: str | Path, into: str) -> str:
        """What a command prints, with what it says besides in a log of its own; it must succeed."""
        log = self.out / "logs" / f"{into}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        told = [sys.executable, "-m", "commonsight", *map(str, command)]
        quiet = os.environ | {"OMP_NUM_THREADS": "1"}
        with log.open("a", encoding="utf-8") as stream:
            done = subprocess.run(
                told, cwd=self.out, stdout=subprocess.PIPE, stderr=stream, env=quiet, check=False, text=True
            )
            stream.write(done.stdout)
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, command))} failed; see {log}")
        return done.stdout

    def prepare(self, folder: str, *command: str | Path) -> None:
        """A command that makes this folder, unless it has; one that was stopped goes on."""
        with ONE_AT_A_TIME:
            if not (self.out / "done" / folder).exists():
                self.run(*command, "--out", folder, into=folder)
                (self.out / "done").mkdir(exist_ok=True)
                (self.out / "done" / folder).touch()


class Table(NamedTuple):
    """One paper's table: which networks, on which dataset, and what each begins with."""

    shown: Shown
    dataset: str
    prepare: Callable[[Place], None]
    options: tuple[str, ...]
    """How every row is trained."""
    begin: Callable[[Place, Row], tuple[str, ...]] = lambda *_: ()
    """What a row begins with, made if it is not there: options of `train`."""
    others: Mapping[str, tuple[str, ...]] = {}
    """Rows that another command than `train` makes: which."""
    knows: tuple[str, ...] = ()
    """Rows that are told what everybody knows."""
    split: str = "test"
    asked: Mapping[str, tuple[str, ...]] = {}
    """Rows that ask a language model: with which options of `run`. A seed draws other examples."""

    def command(self, row: str) -> tuple[str, ...]:
        """What trains a row."""
        if row in self.others:
            return self.others[row]
        facts = KNOWLEDGE if row in self.knows else ()
        return ("train", row, self.dataset, *self.options, *COMMON, *facts)


class Row(NamedTuple):
    """One network of a table, trained from one seed."""

    table: Table
    network: str
    seed: int

    @property
    def label(self) -> str:
        """Says which, for logs."""
        return f"{self.table.shown.name}-{self.network}-{self.seed}"

    @property
    def folder(self) -> Path:
        """Where its training and its run are."""
        return Path(f"{self.table.shown.name}-rows") / f"{self.network}-{self.seed}"


def world(place: Place, folder: str, scenes: int, seed: int, kind: str) -> None:
    """Draw one."""
    place.prepare(folder, "world", "make", "--scenes", str(scenes), "--seed", str(seed), "--kind", kind)


def eyes(place: Place) -> None:
    """An encoder of objects."""
    world(place, *EYES)
    seen = ("eyes/raw/scene_graphs.json", "--images", "eyes/raw/images", "--threads", "1")
    place.prepare("regions", "train-regions", *seen)


def matched(place: Place) -> None:
    """VCR's questions with wrong choices by Adversarial Matching."""
    eyes(place)
    world(place, *WORLD)
    raw = ("vcr/raw/vcr.jsonl", "--images", "vcr/raw/images", "--lambda-answer", "0.5")
    place.prepare("matched", "build", "match", *raw)


def premises(place: Place) -> None:
    """PMR's, whose wrong choices annotators write."""
    eyes(place)
    world(place, *PREMISES)


def begun(dataset: str, name: str) -> Callable[[Place, Row], tuple[str, ...]]:
    """BERT has read the training texts. Cross-modal transformers are made from it, as in their papers, and
    have had their own pre-training on texts and pictures; they learn to look last, so they take longer."""

    def of(place: Place, row: Row) -> tuple[str, ...]:
        network, text = row.network, ("--text", f"bert:text-{name}")
        if not network.startswith("bert") and network not in PRE_TRAINED:
            return ()
        place.prepare(f"text-{name}", "train-text", "bert", dataset, "--threads", "1", "--epochs", "3")
        if network not in PRE_TRAINED:
            return (*text, *HALVES)
        folder = f"pretrained-{name}-{network}"
        options = (*text, *HALVES, "--regions", "seen:regions", *COMMON, "--epochs", "4")
        place.prepare(folder, "pretrain", network, dataset, *options)
        return (*text, *HALVES, "--weights", folder, "--batch", "8", "--epochs", "12")

    return of


HALVES = ("--precision", "bf16")
"""Transformers spend their time in large products, which many processors do 1.6 times as fast this way."""
COMMON = ("--features", "features", "--threads", "1")
DRAWN = ("--regions", "seen:regions", "--epochs", "8", "--limit", str(LIMIT))
VCR = Table(
    Shown(
        "vcr",
        "drawn world, as VCR's Tables 1 and 2",
        {"q2a": "Q→A", "qa2r": "QA→R", "q2ar": "Q→AR"},
        (
            "lstm", "bert-response-only", "esim", "bert", "revisited-vqa", "bottom-up", "mlb", "mutan", "r2c",
            "r2c-no-query", "r2c-no-reasoning", "r2c-no-vision", "r2c-glove",
        ),
    ),
    "matched",
    matched,
    DRAWN,
    begun("matched", "vcr"),
)
PMR = Table(
    Shown(
        "pmr",
        "drawn world, as PMR's Table 2",
        {"accuracy": "accuracy"},
        ("bert-response-only", "bert", "vl-bert", "uniter", "ernie-vil"),
    ),
    "pmr/pmr",
    premises,
    DRAWN,
    begun("pmr/pmr", "pmr"),
)


def drawings(place: Place) -> None:
    """NLVR's drawings: trained on its development half alone, since its training half is not at hand."""
    data = Path(os.environ.get("COMMONSIGHT_DATA", _results.ROOT.parent / "shared" / "data")) / "nlvr"
    if not (place.out / "nlvr-images" / "images").is_dir():
        for name in ("dev-images.tar", "test-images.tar"):
            with tarfile.open(data / name) as several:
                several.extractall(place.out / "nlvr-images", filter="data")
    native = (data / "dev.json", data / "test.json", "--images", "nlvr-images")
    place.prepare("nlvr", "convert", "nlvr", *native)
    place.prepare("drawings", "build", "drawings", "nlvr", "--hold-out", "dev")


def cloned(place: Place, row: Row) -> tuple[str, ...]:
    """What policy search after cloning begins with: the cloned network of the same seed."""
    if row.network != "n2nmn-tune":
        return ()
    before = row._replace(network="n2nmn-cloning")
    finish(place, before)
    return ("--weights", str(before.folder / "trained"))


NLVR = Table(
    Shown(
        "nlvr",
        "real NLVR, trained on dev, tested on test",
        {"accuracy": "accuracy", "consistency": "consistency"},
        (
            "majority", "text-only", "image-only", "cnn-rnn", "maxent", "film", "mac", "n2nmn-cloning",
            "n2nmn-tune", "n2nmn-rl", "cnn-biatt", "cmm", "biatt-objects", "biatt-pointer",
            "symbolic-pixels", "symbolic-scenes",
        ),
    ),
    "drawings",
    drawings,
    ("--regions", "pixels:200x50", "--epochs", "8"),
    cloned,
    others={
        "biatt-objects": ("train", "biatt-objects", "drawings", "--epochs", "8", *COMMON),
        "biatt-pointer": ("train", "biatt-pointer", "drawings", "--epochs", "8", *COMMON),
        "symbolic-pixels": ("train-symbolic", "drawings", "--sight", "pixels"),
        "symbolic-scenes": ("train-symbolic", "drawings", "--sight", "scenes"),
    },
)


def compositional(place: Place) -> None:
    """Questions with programs, of scenes that the encoder of objects has not learned from."""
    eyes(place)
    world(place, "cric", 1500, 14, "cric")
    graphs = ("--scenes", "cric", "--knowledge", FACTS, "--images", "cric/raw/images")
    place.prepare("questions", "build", "questions", *graphs)


FACTS = "cric/raw/knowledge/triples.tsv"
KNOWLEDGE = ("--knowledge", FACTS)
CRIC = Table(
    Shown(
        "cric",
        "drawn world, as CRIC's Table 2",
        {
            "answer_kind=verify/answer": "verify Ans",
            "answer_kind=verify/grounding": "verify Grd",
            "answer_kind=recognize/answer": "recognize Ans",
            "answer_kind=recognize/grounding": "recognize Grd",
            "answer": "Ans",
            "grounding": "Grd",
            "final": "Final",
        },
        (
            "question-only", "image-only", "san", "bottom-up-named", "bottom-up-att", "mac-objects", "nmn-cs",
            "nmn-cs-gt", "memory-vqa", "memory-vqa-att", "vilbert-named", "vilbert-att", "symbolic",
        ),
    ),
    "questions",
    compositional,
    ("--regions", "seen:regions"),
    others={
        "image-only": ("train", "image-only", "questions", *COMMON, "--epochs", "4"),
        "symbolic": ("train-symbolic", "questions", "--regions", "seen:regions", *KNOWLEDGE),
    },
    begin=lambda _, row: HALVES if row.network.startswith("vilbert") else (),
    knows=("memory-vqa", "memory-vqa-att"),
)
MODULES = Shown(
    "modules",
    "drawn world, as CRIC's Table 3",
    {
        "functions": "functions",
        "layouts": "layouts",
        "Find": "Find",
        "Relate": "Relate",
        "Find_Hypernym": "Find_Hypernym",
        "Find_KG": "Find_KG",
        "And": "And",
        "Recognition": "Recognition",
    },
    ("nmn-cs", "nmn-cs-gt"),
)
"""Rows of CRIC's whose parts are judged as well: predicted layouts, and modules that are given the truth."""


def knowledge_questions(place: Place) -> None:
    """A-OKVQA's questions about drawn scenes, with captions of all their pictures."""
    eyes(place)
    world(place, *QUESTIONS)
    place.prepare(CAPTIONS, "world", "describe", "aokvqa/aokvqa")


QUESTIONS, CAPTIONS = ("aokvqa", 5000, 15, "aokvqa"), "aokvqa-captions.jsonl"
SEEN = ("--regions", "seen:regions", "--epochs", "8")
READS, SEES = ("--text", "clip:clip"), ("--regions", "clip:clip")
AOKVQA_NETWORKS: Mapping[str, tuple[str, ...]] = {
    "random": (),
    "random-weighted": (),
    "most-common": (),
    "bert-classifier": (),
    "clip-classifier-text": READS,
    "clip-zero-shot-text": READS,
    "clip-contrastive-text": READS,
    "resnet-classifier": (),
    "clip-classifier-image": (*READS, *SEES),
    "clip-zero-shot-image": (*READS, *SEES),
    "clip-contrastive-image": (*READS, *SEES),
    "clip-classifier": (*READS, *SEES),
    "clip-zero-shot": (*READS, *SEES),
    "clip-contrastive": (*READS, *SEES),
    "clipcap": (*SEES, *HALVES, "--epochs", "8"),
    "pythia": SEEN,
    "vilbert": (*SEEN, *HALVES),
    "lxmert": (*SEEN, *HALVES),
    "krisp": (*SEEN, *HALVES, "--knowledge", "eyes/raw/knowledge/triples.tsv"),
    "gpv-2": (*SEEN, *HALVES),
}
"""Networks of Tables 3 and 5, and what each reads and sees by. Those over frozen vectors are trained for as
many epochs as the catalogue has: they are quick."""


def encoders(place: Place, row: Row) -> tuple[str, ...]:
    """A row's own options; the small CLIP, like the encoder of objects, has learned from another world."""
    options = AOKVQA_NETWORKS[row.network]
    if "clip:clip" in options:
        graphs = ("eyes/raw/scene_graphs.json", "--images", "eyes/raw/images", "--threads", "1")
        place.prepare("clip", "train-clip", *graphs)
    return (*begun("aokvqa/aokvqa", "aokvqa")(place, row), *options)


PROMPTED = (
    "--prompt", "paper", "--nearest-choice", "glove-6b-50d", "--blind", "none", "--shots", "10",
    "--shots-from", "aokvqa/aokvqa", "--limit", "300",
)  # fmt: skip
AOKVQA = Table(
    Shown(
        "aokvqa",
        "drawn world, as A-OKVQA's Tables 3, 4 and 5",
        {"mc": "MC", "da": "DA"},
        (*AOKVQA_NETWORKS, "prompted", "prompted-captions", "prompted-rationale", "prompted-masked"),
    ),
    "aokvqa/aokvqa",
    knowledge_questions,
    ("--limit", str(LIMIT)),
    encoders,
    split="val",
    asked={
        "prompted": PROMPTED,
        "prompted-captions": (*PROMPTED, "--context", CAPTIONS),
        "prompted-rationale": (*PROMPTED, "--context", "rationale"),
        "prompted-masked": (*PROMPTED, "--context", "masked-rationale"),
    },
)
TABLES = {table.shown.name: table for table in (VCR, PMR, NLVR, CRIC, AOKVQA)}


def finish(place: Place, row: Row) -> None:
    """Train a row's networks and try them, or ask a language model."""
    if scores_of(place, row) is not None:
        return
    if row.network in row.table.asked:
        ask(place, row)
    else:
        train(place, row)
    print(f"{row.label}: {scores_of(place, row)}", flush=True)


def ask(place: Place, row: Row) -> None:
    """Put the questions to a language model; a run that was begun goes on."""
    table, run = row.table, row.folder / "run"
    with nullcontext(place.base_url) if place.base_url else served() as address:
        where = ("--base-url", str(address), "--concurrency", "4")
        if is_run(place.out / run):
            place.run("run", "--resume", run, *where, into=row.label)
            return
        what = ("--split", table.split, *table.asked[row.network], "--seed", str(row.seed))
        model = ("--model", f"openai:{place.model}", *where)
        place.run("run", table.dataset, *what, *model, "--out", run, into=row.label)


def train(place: Place, row: Row) -> None:
    """Train a row's networks and try them."""
    table, trained = row.table, row.folder / "trained"
    begin, seed = table.begin(place, row), ("--seed", str(row.seed))
    place.run(*table.command(row.network), *begin, *seed, "--out", trained, into=row.label)
    tried = ("--split", table.split, *COMMON)
    if row.network in MODULES.rows:
        told = place.run("modules", trained, table.dataset, *tried, "--json", into=row.label)
        (place.out / row.folder / "modules.json").write_text(told, encoding="utf-8")
    run = ("--attention", "0", "--out", row.folder / "run")
    place.run("predict", trained, table.dataset, *tried, *run, into=row.label)


def scores_of(place: Place, row: Row) -> Scores | None:
    """Its scores, if it is done."""
    report = place.out / row.folder / "run" / "report.json"
    if not report.is_file():
        return None
    told = json.loads(report.read_text(encoding="utf-8"))
    found = {name: _value(told, name) for name in row.table.shown.metrics}
    return {name: value for name, value in found.items() if value is not None}


def module_scores(place: Place, row: Row) -> Scores | None:
    """What a row's parts come to, if it has such and they were judged."""
    judged = place.out / row.folder / "modules.json"
    if not judged.is_file():
        return None
    told = json.loads(judged.read_text(encoding="utf-8"))
    return (told["layouts"] or {}) | {name: part["score"] for name, part in told["modules"].items()}


def _value(told: dict[str, Any], name: str) -> float | None:
    """A metric, or one of a part: `type=verify/answer`."""
    part, _, metric = name.rpartition("/")
    kind, _, label = part.partition("=")
    metrics = told["slices"].get(kind, {}).get(label, {}) if part else told["metrics"]
    value = metrics.get(metric, {}).get("value")
    return None if value is None else float(value)


def rows_of(tables: Iterable[Table], only: Iterable[str], seeds: Iterable[int]) -> Iterator[Row]:
    """Every row with the first seed, then with the second: a table is there early."""
    wanted, chosen = set(only), list(tables)
    for seed in seeds:
        for table in chosen:
            for network in table.shown.rows:
                if not wanted or network in wanted:
                    yield Row(table, network, seed)


def results(place: Place, rows: Iterable[Row]) -> Results:
    """What is there so far."""
    found: Results = {}
    for row in rows:
        measured = {row.table.shown.name: scores_of(place, row), MODULES.name: module_scores(place, row)}
        for table, scores in measured.items():
            if scores is not None:
                found.setdefault(table, {}).setdefault(row.network, {})[str(row.seed)] = scores
    return found


def main() -> None:
    """As the module says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--only", default="", help="these networks, with commas between")
    parser.add_argument("--seeds", default="0,1,2")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="only show what is there")
    parser.add_argument("--write", action="store_true", help="keep it, and put it into the docs")
    parser.add_argument("--model", default=MODEL, help="a language model to ask, with --base-url")
    parser.add_argument("--base-url")
    given = parser.parse_args()
    place = Place(given.out.resolve(), given.model, given.base_url)
    tables = [TABLES[name] for name in given.tables.split(",")]
    seeds = [int(seed) for seed in given.seeds.split(",")]
    rows = list(rows_of(tables, filter(None, given.only.split(",")), seeds))
    if not given.show:
        place.out.mkdir(parents=True, exist_ok=True)
        for table in tables:
            table.prepare(place)
        with ThreadPoolExecutor(given.workers) as pool:
            list(pool.map(lambda row: finish(place, row), rows))
    found = results(place, rows)
    for shown in (*(table.shown for table in tables), MODULES):
        if shown.name in found:
            print("\n".join(("", *_results.lines(shown, found))))
    if given.write:
        _results.write(found, [*(table.shown for table in TABLES.values()), MODULES])


if __name__ == "__main__":
    main()
