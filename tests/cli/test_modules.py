"""`commonsight train nmn-cs` and `commonsight modules`, on questions made from a few drawn scenes."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from msgspec import structs

from commonsight.core.item import Item
from commonsight.core.program import Program

from .conftest import Run
from .training_data import changed

QUICK = ("--epochs", 1, "--threads", 1, "--batch", 16)
ON_VAL = ("--split", "val", "--threads", 1)


@pytest.fixture
def questions(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Some hundred questions, a few of each split."""
    monkeypatch.setenv("COMMONSIGHT_CACHE", str(tmp_path / "cache"))
    world, found = tmp_path / "world", tmp_path / "questions"
    made = run("world", "make", "--out", world, "--scenes", 16, "--seed", 3, "--kind", "cric", "--workers", 1)
    assert made.code == 0, made.err
    graphs, known = world / "raw" / "scene_graphs.json", world / "raw" / "knowledge" / "triples.tsv"
    images = world / "raw" / "images"
    built = run(
        "build", "questions", "--scenes", graphs, "--knowledge", known, "--images", images, "--out", found
    )
    assert built.code == 0, built.err
    return found


def test_layouts_and_modules_are_judged(run: Run, questions: Path, tmp_path: Path) -> None:
    for name in ("nmn-cs", "nmn-cs-gt", "question-only"):
        done = run("train", name, questions, "--out", tmp_path / name, "--limit", 32, *QUICK)
        assert done.code == 0, done.err
    layouts = run("modules", tmp_path / "nmn-cs", questions, *ON_VAL, "--json").json
    assert layouts["model"] == "NMN-CS"
    assert 0 <= layouts["layouts"]["layouts"] <= layouts["layouts"]["functions"] <= 1
    assert layouts["modules"] == {}
    modules = run("modules", tmp_path / "nmn-cs-gt", questions, *ON_VAL, "--json").json
    assert modules["layouts"] is None
    assert {"Find", "Recognition"} <= set(modules["modules"])
    assert all(0 <= row["score"] <= 1 and row["calls"] > 0 for row in modules["modules"].values())
    shown = run("modules", tmp_path / "nmn-cs", questions, *ON_VAL)
    assert "whole layouts" in shown.out
    said = run("predict", tmp_path / "nmn-cs", questions, *ON_VAL, "--out", tmp_path / "run")
    assert said.code == 0, said.err
    other = run("modules", tmp_path / "question-only", questions, *ON_VAL)
    assert other.code == 2
    assert "Q-Only, which has no modules" in " ".join(other.err.split())


def test_without_programs_there_is_nothing_to_learn_from(run: Run, questions: Path, tmp_path: Path) -> None:
    def without(item: Item) -> Item:
        return structs.replace(item, program=None)

    plain = changed(questions, tmp_path / "plain", without)
    said = run("train", "nmn-cs", plain, "--out", tmp_path / "cs", *QUICK)
    assert said.code == 2
    assert "NMN-CS learns from programs" in " ".join(said.err.split())
    assert not (tmp_path / "cs").exists()


def broken(item: Item) -> Item:
    """Every sixth question has a program that takes from a step that does not exist."""
    assert item.program is not None
    if zlib.crc32(item.id.encode()) % 6:
        return item
    steps = (*item.program.steps[:-1], structs.replace(item.program.steps[-1], inputs=(99,)))
    return structs.replace(item, program=Program(steps))


def test_ill_typed_programs_are_set_aside_and_told(run: Run, questions: Path, tmp_path: Path) -> None:
    faulty = changed(questions, tmp_path / "faulty", broken)
    for name in ("nmn-cs", "nmn-cs-gt", "question-only"):
        done = run("train", name, faulty, "--out", tmp_path / name, "--limit", 32, *QUICK)
        assert done.code == 0, done.err
        assert "programs set aside because they cannot be read: " in " ".join(done.err.split())
        assert "step 99, which does not come before it" in " ".join(done.err.split())
    for name in ("nmn-cs", "question-only"):
        said = run("predict", tmp_path / name, faulty, *ON_VAL, "--out", tmp_path / "runs" / name)
        assert said.code == 0, said.err
        assert "programs set aside because they cannot be read: " in " ".join(said.out.split())
    without = run("predict", tmp_path / "nmn-cs-gt", faulty, *ON_VAL, "--out", tmp_path / "runs" / "gt")
    assert without.code == 2
    assert "have none that can be read" in " ".join(without.err.split())
    judged = run("modules", tmp_path / "nmn-cs-gt", faulty, *ON_VAL, "--json").json
    whole = run("modules", tmp_path / "nmn-cs-gt", questions, *ON_VAL, "--json").json
    assert judged["n"] < whole["n"]
    assert f": {whole['n'] - judged['n']} (" in judged["set_aside"]
    assert "set_aside" not in whole
