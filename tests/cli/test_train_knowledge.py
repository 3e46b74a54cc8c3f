"""Networks for questions that need knowledge, from files to scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from commonsight.models.blueprint import read_blueprint

from .training_data import COLOURS, THINGS, colour_question, of_records

FACTS = "".join(f"HasProperty\t{thing}\t{colour}\n" for thing, colour in THINGS.items())
pytestmark = pytest.mark.usefixtures("one_thread", "kept_cache")


def choices(number: int, split: str) -> dict[str, Any]:
    """A record with choices and direct answers."""
    return colour_question(number, split, ["coloured", "coloured"])


def soft(number: int, split: str) -> dict[str, Any]:
    """A record with soft scores, of other answers."""
    thing = list(THINGS)[number % 4]
    said = f"What colour is the {thing} of {split}?"
    return {"sent": said, "question_id": number, "img_id": f"{number % 4:012d}", "label": {f"{thing}like": 1}}


def made(folder: Path, benchmark: str, record: Any, pattern: str = "aokvqa_v1p0_{}.json") -> Path:
    """Twelve questions to train on and four to validate by, with a picture for each thing."""
    (folder / "images").mkdir(parents=True)
    for number, colour in enumerate(THINGS.values()):
        Image.new("RGB", (16, 16), colour).save(folder / "images" / f"{number:012d}.jpg")
    numbers = {"train": range(12), "val": range(12, 16)}
    splits = {split: [record(number, split) for number in several] for split, several in numbers.items()}
    return of_records(folder, benchmark, splits, pattern=pattern, images=folder / "images")


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("asked"), "aokvqa", choices)


def test_a_graph_is_built_and_kept(run: Any, asked: Path, tmp_path: Path) -> None:
    facts, out = tmp_path / "facts.tsv", tmp_path / "krisp"
    facts.write_text(FACTS + "HasProperty\tsnow\twhite\n")
    told = run("train", "krisp", asked, "--knowledge", facts, "--epochs", 12, "--batch", 2, "--out", out)
    assert told.code == 0, told.err
    assert "da: a graph of 8 nodes and 4 facts; 4 of 5 answers are nodes" in told.err
    known = read_blueprint(out / "da").known
    assert known.graph.nodes == tuple(sorted((*THINGS, *COLOURS)))
    assert known.answers == ("blue", "brown", "coloured", "green", "red")
    told = run("predict", out, asked, "--out", tmp_path / "run", "--json")
    assert told.code == 0, told.err
    assert told.json["metrics"]["da"]["value"] == told.json["metrics"]["mc"]["value"] == 1.0
    facts.write_text(FACTS)
    told = run("predict", out, asked, "--out", tmp_path / "other")
    assert told.code == 2
    assert "Say with --knowledge where the same one is now." in told.err


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        (None, "KRISP reads facts. Say with --knowledge FILE where they are."),
        ("HasProperty\tsnow\twhite\n", "no answer has any among these"),
    ],
)
def test_without_facts_about_answers_nothing_is_trained(
    run: Any, asked: Path, tmp_path: Path, facts: str | None, message: str
) -> None:
    options = []
    if facts is not None:
        (tmp_path / "facts.tsv").write_text(facts)
        options = ["--knowledge", tmp_path / "facts.tsv"]
    told = run("train", "krisp", asked, *options, "--out", tmp_path / "krisp")
    assert told.code == 2
    assert message in told.err
    assert not (tmp_path / "krisp").exists()


def test_vilbert_goes_on_from_other_questions(run: Any, asked: Path, tmp_path: Path) -> None:
    """Soft scores are learned from; then all but the layer of answers is taken over, and told."""
    before = made(tmp_path / "before", "okvqa", soft, "{}.json")
    told = run("train", "vilbert", before, "--epochs", 1, "--out", tmp_path / "first")
    assert told.code == 0, told.err
    assert read_blueprint(tmp_path / "first" / "da").known.answers == (
        "bloodlike", "grasslike", "skylike", "soillike",
    )  # fmt: skip
    told = run(
        "train", "vilbert", asked, "--weights", tmp_path / "first", "--epochs", 1,
        "--out", tmp_path / "second",
    )  # fmt: skip
    assert told.code == 0, told.err
    assert "2 begun anew, for other answers (named.bias, named.weight)" in told.err
    assert read_blueprint(tmp_path / "second" / "da").known.answers[0] == "blue"
    told = run("predict", tmp_path / "second", asked, "--out", tmp_path / "run", "--json")
    assert told.code == 0, told.err
    assert set(told.json["metrics"]) == {"mc", "da"}
