"""How a test runs the command line: in this process, or as the installed command; and the six benchmarks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from commonsight.cli import console
from commonsight.cli.main import main


@dataclass(frozen=True)
class Told:
    """What a command left behind: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Told]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process through the real `main`, at a fixed width."""

    def call(*arguments: object, width: int = 100) -> Told:
        monkeypatch.setattr(sys, "argv", ["commonsight", *map(str, arguments)])
        monkeypatch.setattr(console.out, "width", width)
        monkeypatch.setattr(console.err, "width", width)
        capsys.readouterr()
        code: object = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        written = capsys.readouterr()
        assert isinstance(code, int)
        assert "Traceback" not in written.err
        return Told(code, written.out, written.err)

    return call


@pytest.fixture
def command() -> Run:
    """Run the installed command in a process of its own."""

    def call(*arguments: object, **environment: str) -> Told:
        clean = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
        done = subprocess.run(
            [Path(sys.executable).with_name("commonsight"), *map(str, arguments)],
            capture_output=True,
            encoding="utf-8",
            env={**clean, **environment},
            timeout=60,
        )
        return Told(done.returncode, done.stdout, done.stderr)

    return call


@dataclass(frozen=True)
class Case:
    """One benchmark's fixture: its native files and two sets of predictions."""

    name: str
    folder: Path
    files: tuple[str, ...]
    predictions: str
    images: Path | None = None
    id_field: str = "identifier"
    labels: tuple[str, ...] = field(default=("label",))

    @property
    def paths(self) -> list[Path]:
        return [self.folder / name for name in self.files]

    @property
    def array(self) -> bool:
        return self.name in ("cric", "aokvqa", "okvqa")

    @property
    def gold(self) -> list[object]:
        return [argument for path in self.paths for argument in ("--gold", path)]

    @property
    def both_predictions(self) -> list[Path]:
        first = self.folder / self.predictions
        return [first, first.with_stem("predictions_b")]

    def records(self, number: int = 0) -> list[dict[str, Any]]:
        text = self.paths[number].read_text("utf-8")
        return json.loads(text) if self.array else [json.loads(line) for line in text.splitlines() if line]

    def write(self, folder: Path, records: list[dict[str, Any]], name: str | None = None) -> Path:
        """A native file of these records."""
        path = folder / (name or self.files[0])
        lines = [json.dumps(record) for record in records]
        path.write_text(
            "[\n" + ",\n".join(lines) + "\n]\n" if self.array else "\n".join(lines) + "\n", "utf-8"
        )
        return path


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """For what is made once for all tests of a file, too: with more threads sums come in another order."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What all tests of a file use: features, and networks that were trained."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def kept_cache(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands keep features there, for the next test."""
    monkeypatch.setenv("COMMONSIGHT_CACHE", str(kept / "cache"))


@pytest.fixture(scope="session")
def drawn_vcr(drawn_world: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A drawn dataset to train on: 29 items in `train`, 19 in `val`, 6 in `test`, with pictures."""
    from .training_data import changed, without_outlines

    return changed(drawn_world / "vcr", tmp_path_factory.mktemp("drawn") / "vcr", without_outlines)


NAMES = ("vcr", "pmr", "cric", "nlvr2", "aokvqa", "nlvr", "okvqa")


def _case(name: str, fixtures: Path) -> Case:
    folder, frames = fixtures / name, fixtures / "vcr" / "images"
    return {
        "vcr": Case(
            name,
            folder,
            ("val.jsonl",),
            "predictions.csv",
            frames,
            "annot_id",
            ("answer_label", "rationale_label"),
        ),
        "pmr": Case(
            name,
            folder,
            ("val-ori.jsonl", "val-adv.jsonl"),
            "predictions.jsonl",
            frames,
            "total_id",
            ("answer_label",),
        ),
        "cric": Case(
            name,
            folder,
            ("val_questions.json",),
            "predictions.jsonl",
            None,
            "question_id",
            ("answer", "target", "program"),
        ),
        "nlvr2": Case(name, folder, ("dev.json",), "predictions.csv", folder / "images"),
        "aokvqa": Case(
            name,
            folder,
            ("aokvqa_v1p0_val.json",),
            "predictions.json",
            None,
            "question_id",
            ("correct_choice_idx", "direct_answers", "rationales"),
        ),
        "nlvr": Case(name, folder, ("dev.json",), "predictions.csv"),
        "okvqa": Case(name, folder, ("val.json",), "predictions.jsonl", id_field="question_id"),
    }[name]


@pytest.fixture
def case_of(fixtures_dir: Path) -> Callable[[str], Case]:
    """A benchmark's fixture by its name."""
    return lambda name: _case(name, fixtures_dir)


@pytest.fixture(params=NAMES)
def case(request: pytest.FixtureRequest, fixtures_dir: Path) -> Case:
    """Each of the six benchmarks in turn."""
    return _case(request.param, fixtures_dir)


@pytest.fixture
def dataset_of(run: Run, tmp_path: Path) -> Callable[..., Path]:
    """The dataset that `convert` makes of a benchmark's fixture."""

    def made(case: Case, *options: object) -> Path:
        folder = tmp_path / f"{case.name}-dataset"
        told = run("convert", case.name, *case.paths, "--out", folder, *options)
        assert told.code == 0, told.err
        return folder

    return made
