"""`commonsight train-symbolic` on questions with programs, and `predict` of what it made."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from commonsight.core.benchmark import Ask
from commonsight.core.program import Program, Step
from commonsight.graph.programs import read
from commonsight.models.symbolic.scenes import ScenesSolver
from commonsight.store.runs import read_answers, read_run

from .conftest import Run


class Made(NamedTuple):
    """What a solver is fitted with."""

    questions: Path
    regions: Path
    facts: Path

    @property
    def options(self) -> tuple[object, ...]:
        return ("--regions", f"seen:{self.regions}", "--knowledge", self.facts, "--threads", 1)


@pytest.fixture
def made(run: Run, drawn_world: Path, tmp_path: Path) -> Made:
    """Questions about a few drawn scenes, and an encoder that has hardly learned to see."""
    raw, questions, regions = drawn_world / "raw", tmp_path / "questions", tmp_path / "regions"
    facts, images = raw / "knowledge" / "triples.tsv", raw / "images"
    graphs = raw / "scene_graphs.json"
    built = run("build", "questions", "--scenes", graphs, "--knowledge", facts, "--images", images,
                "--out", questions)  # fmt: skip
    assert built.code == 0, built.err
    eyes = run("train-regions", graphs, "--images", images, "--epochs", 1, "--threads", 1, "--out", regions)
    assert eyes.code == 0, eyes.err
    return Made(questions, regions, facts)


def test_a_solver_is_fitted_and_answers_with_its_steps(run: Run, made: Made, tmp_path: Path) -> None:
    solver, answers = tmp_path / "solver", tmp_path / "run"
    told = run("train-symbolic", made.questions, *made.options, "--out", solver)
    assert told.code == 0, told.err
    assert "% of those held out are answered and pointed right" in told.out
    again = run("train-symbolic", made.questions, *made.options, "--out", solver)
    assert (again.code, "holds a symbolic solver already" in again.err) == (2, True)

    asked = ("predict", solver, made.questions, "--split", "val", "--out", answers, "--json")
    told = run(*asked)
    assert told.code == 0, told.err
    assert 0 < told.json["metrics"]["answer"]["value"] <= 1
    lines = list(read_answers(answers))
    assert all(line.extra["program"].startswith("[0] Initial()") for line in lines)
    assert all(len(line.extra["trace"]) > 1 for line in lines)
    info = read_run(answers)
    assert info.answerer == "Programs over scene graphs"
    assert {"scenes.json", "knowledge.json"} < set(info.options["weights"])

    moved = tmp_path / "elsewhere"
    made.regions.rename(moved)
    other = run("predict", solver, made.questions, "--split", "val", "--out", tmp_path / "again")
    assert other.code == 2
    told = run(*asked[:-3], "--out", tmp_path / "again", "--regions", f"seen:{moved}", "--json")
    assert told.code == 0, told.err
    assert [line.answer for line in read_answers(tmp_path / "again")] == [line.answer for line in lines]


ENDS = {
    0: '[0] Initial(); [1] Find([0], "elephant"); [2] Recognition([1], "color")',  # there is none
    1: '[0] Initial(); [1] Find([0], "object"); [2] Verify([1])',
}


def test_what_no_program_answers_is_counted_by_why(
    run: Run, made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of every three questions one has a program that comes to nothing, one such that answers, and one such
    that cannot be executed."""
    solver, answers = tmp_path / "solver", tmp_path / "run"
    assert run("train-symbolic", made.questions, *made.options, "--out", solver).code == 0
    asked: list[str] = []

    def programs(_: ScenesSolver, asks: Sequence[Ask]) -> list[Program]:
        asked.extend(ask.item_id for ask in asks)
        kind = (len(asked) - 1) % 3
        return [read(ENDS[kind]) if kind in ENDS else Program((Step("Verify"),))]

    monkeypatch.setattr(ScenesSolver, "programs", programs)
    told = run("predict", solver, made.questions, "--split", "val", "--out", answers)
    assert told.code == 0, told.err
    lines = list(read_answers(answers))
    count = len(lines)
    assert count > 5
    fruitless, unread = (count + 2) // 3, count // 3
    assert [line.extra.get("came_to_nothing", False) for line in lines[:3]] == [True, False, False]
    assert [line.extra["fell_back"] for line in lines[:3]] == [True, False, True]
    said = " ".join(told.out.split())
    assert f"{fruitless} of {count} questions were read, but their programs came to nothing" in said
    assert f"{unread} of {count} questions could not be read" in said


def test_a_solver_that_was_stopped_goes_on_with_the_same_and_nothing_else(
    run: Run, made: Made, tmp_path: Path
) -> None:
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    assert run("train-symbolic", made.questions, *made.options, "--out", whole).code == 0
    shutil.copytree(whole, stopped)  # as if it had been killed while it learned to read scenes
    for name in ("symbolic.json", "scenes.json", "knowledge.json"):
        (stopped / name).unlink()
    shutil.rmtree(stopped / "scenes")
    read = (stopped / "programs" / "best.safetensors").stat().st_mtime_ns
    other = run("train-symbolic", made.questions, *made.options, "--seed", 1, "--out", stopped)
    assert (other.code, "was begun otherwise" in " ".join(other.err.split())) == (2, True)
    assert run("train-symbolic", made.questions, *made.options, "--out", stopped).code == 0
    assert (stopped / "programs" / "best.safetensors").stat().st_mtime_ns == read  # not trained again
    for name in ("scenes/best.safetensors", "scenes.json", "symbolic.json"):
        assert (stopped / name).read_bytes() == (whole / name).read_bytes()


def test_what_is_missing_is_told_before_anything_is_trained(run: Run, made: Made, tmp_path: Path) -> None:
    regions, facts = ("--regions", f"seen:{made.regions}"), ("--knowledge", made.facts)
    for options, message in (
        (facts, "sees with an encoder of objects"),
        (regions, "Say with --knowledge FILE"),
        ((*regions, "--knowledge", tmp_path / "none.tsv"), "there is no such file of knowledge"),
        (("--regions", "crops", *facts), "a symbolic solver sees with seen:FOLDER"),
        ((*regions, *facts, "--val-split", "dev"), "there is no split 'dev'"),
        ((*regions, *facts, "--sight", "pixels"), "scenes sees by boxes"),
    ):
        told = run("train-symbolic", made.questions, *options, "--out", tmp_path / "solver")
        assert told.code == 2, message
        assert message in " ".join(told.err.split())
        assert not (tmp_path / "solver").exists()
