"""`commonsight build lambda-sweep`: figures, a plot, a page, questions for people, and their answers."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from commonsight.cli.build import sweep
from commonsight.world.make import Plan, make_world

QUICK = ("--scorer", "words", "--folds", 3, "--workers", 1, "--lambdas", "0,0.1,1")
FILES = ["key.jsonl", "sweep.json", "sweep.md", "sweep.png", "sweep.svg", "to-answer.jsonl"]


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sweep") / "world"
    make_world(folder, Plan(36, 1, ("vcr",)), progress=lambda units, _: units)
    return folder / "raw" / "vcr.jsonl"


@pytest.fixture(scope="module")
def made(raw: Path) -> Path:
    """One sweep for all tests that begin with one."""
    folder = raw.parent / "sweep"
    sweep.command(raw, folder, lambdas="0,0.1,1", folds=3, workers=1, ask=12, scorer="words")
    return folder


@pytest.fixture
def swept(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "a" / "sweep")


def _files(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _answers(folder: Path, swept: Path, wrong: int) -> Path:
    """Every question answered: at lambda 0 some of them wrong, at 0.1 all right, at 1 nobody was asked."""
    path = folder / "answers.jsonl"
    with path.open("w") as lines:
        for lambda_ in (0, 0.1):
            own = [key for key in _lines(swept / "key.jsonl") if key["lambda"] == lambda_]
            for place, key in enumerate(own):
                miss = lambda_ == 0 and place < wrong
                choice = (key["label"] + miss) % 4
                lines.write(json.dumps({"lambda": lambda_, "id": key["id"], "choice": choice}) + "\n")
    return path


def test_a_world_is_swept_from_end_to_end(run: Any, raw: Path, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "sweep"
    told = run("build", "lambda-sweep", raw, "--out", folder, *QUICK, "--samples", 2, "--ask", 12)
    assert told.code == 0, told.err
    count = len(raw.read_text().splitlines())
    assert f"{count} items of" in told.out
    assert "answers, drawn" in told.out
    assert [line.split()[0] for line in told.out.splitlines()[1:]] == ["lambda", "random", "0", "0.1", "1"]
    assert "in 3 forms" in told.err
    assert sorted(path.name for path in folder.iterdir()) == FILES
    assert [path.name for path in folder.parent.iterdir()] == ["sweep"]  # nothing is left beside it
    figures = json.loads((folder / "sweep.json").read_text())
    assert [row["lambda"] for row in figures["lambdas"]] == [0.0, 0.1, 1.0]
    assert figures["n"] == figures["by_lot"]["judge"]["n"] == count
    assert all(row["people"] is None for row in figures["lambdas"])
    assert figures["sweep"]["judge"] == "embedded-relevance-1(hashed-256)"
    page = (folder / "sweep.md").read_text("utf-8")
    assert page.count("### ") == len(figures["samples"]) == 2
    assert "drawn, not real" in page
    for sample in figures["samples"]:
        assert f"Right: **{sample['right']}**" in page
        assert all(text in page for entry in sample["choices"] for text in entry["wrong"])
    assert len(_lines(folder / "to-answer.jsonl")) == len(_lines(folder / "key.jsonl")) == 36
    assert not any("label" in entry for entry in _lines(folder / "to-answer.jsonl"))


def test_workers_give_the_same_bytes(run: Any, raw: Path, tmp_path: Path, swept: Path) -> None:
    options = [*QUICK, "--ask", 12]
    options[options.index("--workers") + 1] = 2
    told = run("build", "lambda-sweep", raw, "--out", tmp_path / "b", *options)
    assert told.code == 0, told.err
    assert _files(tmp_path / "b") == _files(swept)


def test_answers_of_people_are_added(run: Any, raw: Path, tmp_path: Path, swept: Path) -> None:
    before = _files(swept)
    call = ("build", "lambda-sweep", raw, "--out", swept, *QUICK, "--ask", 12)
    told = run(*call, "--humans", _answers(tmp_path, swept, 3), "--json")
    assert told.code == 0, told.err
    first, second, third = told.json["lambdas"]
    assert (first["people"]["k"], first["people"]["n"], first["people"]["value"]) == (9, 12, 0.75)
    assert second["people"]["value"] == 1.0
    assert second["people"]["low"] < 1.0
    assert third["people"] is None
    assert "samples" not in told.json
    after = _files(swept)
    assert {name for name in FILES if after[name] != before[name]} == {
        "sweep.json", "sweep.md", "sweep.png", "sweep.svg",
    }  # fmt: skip
    assert "people" in (swept / "sweep.svg").read_text("utf-8")
    told = run(*call)  # what is there is shown again, people and all
    assert "75.0 (" in told.out
    assert _files(swept) == after


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--lambdas", "0.1,x"), "--lambdas 0.1,x: give numbers with commas between them"),
        (("--lambdas", ""), "--lambdas : give numbers"),
        (("--lambdas", "1,0.1"), "1, 0.1 are not in order. Give the smallest first."),
        (("--lambdas", "0.1,0.1"), "lambda 0.1 is there twice. Give each once."),
        (("--lambdas=-1,1",), "lambda -1 cannot be tried. Give numbers of at least 0."),
        (("--lambdas", "nan"), "lambda nan cannot be tried."),
        (("--bucket", "few"), "--bucket few: give a number, or none."),
        (("--humans", "nowhere.jsonl"), "nowhere.jsonl: the file cannot be read"),
    ],
)
def test_bad_options(run: Any, raw: Path, tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    told = run("build", "lambda-sweep", raw, "--out", tmp_path / "sweep", *QUICK, *options)
    assert told.code == 2
    assert message in told.err
    assert list(tmp_path.iterdir()) == []


def test_answers_that_do_not_fit(run: Any, raw: Path, tmp_path: Path, swept: Path) -> None:
    before = _files(swept)
    answers = _answers(tmp_path, swept, 0)
    name = _lines(answers)[0]["id"]
    bad = [
        {"lambda": 0.2, "id": name, "choice": 0},
        {"lambda": 0, "id": "nobody", "choice": 0},
        {"lambda": 1, "id": name, "choice": 4},
    ]
    good = answers.read_text().splitlines()
    answers.write_text("\n".join([*good, *map(json.dumps, bad)]))
    told = run("build", "lambda-sweep", raw, "--out", swept, *QUICK, "--ask", 12, "--humans", answers)
    assert told.code == 2
    assert "answers.jsonl:25: lambda: 0.2 was not tried" in told.err
    assert "answers.jsonl:26: id: nobody was asked about 'nobody'" in told.err
    assert "answers.jsonl:27: choice: there is no choice 4" in told.err
    assert _files(swept) == before


def test_another_folder_is_left_alone(run: Any, raw: Path, tmp_path: Path, swept: Path) -> None:
    before = _files(swept)
    call = ("build", "lambda-sweep", raw, *QUICK, "--ask", 12)
    told = run(*call, "--out", swept, "--seed", 1)
    assert told.code == 2
    assert "holds something else than this sweep. Choose another folder." in told.err
    assert _files(swept) == before
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "sweep.json").write_text("{}")
    (tmp_path / "mine" / "key.jsonl").write_text("")
    told = run(*call, "--out", tmp_path / "mine")
    assert told.code == 2
    assert (tmp_path / "mine" / "sweep.json").read_text() == "{}"


def test_without_rationales(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    records = (
        {"context": f"What of {n % 5}?", "response": f"It is {n % 5} and {n}.", "group": f"g{n % 4}"}
        for n in range(40)
    )
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    call = ("build", "lambda-sweep", path, "--out", tmp_path / "sweep", "--mode", "generic", *QUICK)
    told = run(*call, "--task", "rationales")
    assert told.code == 2
    assert "These annotations have no rationales. Sweep over answers." in told.err
    told = run(*call)
    assert told.code == 0, told.err
    assert "40 items of 4 groups, answers\n" in told.out


@pytest.mark.slow
def test_the_embedded_judges(run: Any, raw: Path, tmp_path: Path) -> None:
    for task in ("answers", "rationales"):
        folder = tmp_path / task
        told = run("build", "lambda-sweep", raw, "--out", folder, "--folds", 3, "--task", task, "--json")
        assert told.code == 0, told.err
        by_lot, small, large = told.json["by_lot"], told.json["lambdas"][0], told.json["lambdas"][-1]
        assert small["chooser"]["value"] < by_lot["chooser"]["value"]
        assert small["judge"]["value"] < by_lot["judge"]["value"]
        assert small["similarity"]["value"] > large["similarity"]["value"]
