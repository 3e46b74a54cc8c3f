"""Networks for questions that need knowledge, from files to scores."""

from __future__ import annotations

from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from commonsight.cli.train import command
from commonsight.errors import UsageError
from commonsight.models.blueprint import read_blueprint
from commonsight.runs.elsewhere import tried_elsewhere
from commonsight.runs.knowing import MOST
from commonsight.runs.training import TrainingPlan
from commonsight.store.runs import read_answers, read_run

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
    told = run("predict", tmp_path / "first", asked, "--out", tmp_path / "as-it-is", "--json")
    assert told.code == 0, told.err
    assert set(told.json["metrics"]) == {"mc", "da"}
    assert f"{tmp_path / 'first'}: trained on okvqa, tried as it is on aokvqa" in told.err
    assert read_run(tmp_path / "as-it-is").options["trained_for"] == "okvqa"
    said = {line.answer.text for line in read_answers(tmp_path / "as-it-is") if line.task == "da"}
    assert said <= {"bloodlike", "grasslike", "skylike", "soillike"}
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
    assert "trained_for" not in read_run(tmp_path / "run").options


def trained_on(benchmark: str, network: str = "vilbert", task: str = "da") -> TrainingPlan:
    return TrainingPlan(network, benchmark, "", {}, (task,))


def test_what_was_learned_elsewhere_is_tried_where_the_same_is_asked_for(asked: Path, tmp_path: Path) -> None:
    assert tried_elsewhere(tmp_path, trained_on("aokvqa"), asked) is None
    for network in ("vilbert", "vilbert-named", "question-only", "random"):
        told = tried_elsewhere(tmp_path, trained_on("okvqa", network), asked)
        assert told == "trained on okvqa, tried as it is on aokvqa"


@pytest.mark.parametrize(
    "plan",
    [
        trained_on("okvqa", "gpv-2"),
        trained_on("vcr", "r2c", "q2a"),
        trained_on("other", "bert", "mc"),
        trained_on("cric", "vilbert-named", "answer"),
    ],
    ids=["it writes", "another task", "choices", "objects to point to"],
)
def test_where_something_else_was_learned_it_is_refused(
    asked: Path, tmp_path: Path, plan: TrainingPlan
) -> None:
    message = rf"was trained on {plan.benchmark}, and this is aokvqa\. Give a dataset of the same benchmark"
    with pytest.raises(UsageError, match=message):
        tried_elsewhere(tmp_path, plan, asked)


def test_as_many_facts_as_trainings_have_by_themselves() -> None:
    assert signature(command).parameters["facts"].default == MOST
