"""A peer's replies become a run that is read, scored and compared like any other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commonsight.benchmarks import find
from commonsight.core.answer import Pick, Truncated, Unparsed
from commonsight.errors import InputError
from commonsight.runs.answers import read_runs
from commonsight.runs.exports.back import bring_back
from commonsight.runs.subject import Opening
from commonsight.store.runs import read_answers, read_failures, read_run

OpeningOf = Callable[[str], Opening]


def sample(item: str, text: str, *, task: str = "q2a", epoch: int = 1, **other: Any) -> dict[str, Any]:
    output = {"choices": [{"stop_reason": other.pop("stop", "stop")}], "completion": text}
    told = {"item": item, "task": task}
    return {"id": item, "epoch": epoch, "output": output, "metadata": told, **other}


def log(path: Path, samples: list[dict[str, Any]], model: str = "mock/one") -> Path:
    content = {"version": 2, "status": "success", "eval": {"task": "t", "model": model}, "samples": samples}
    path.write_text(json.dumps(content))
    return path


def test_replies_are_kept_word_for_word_and_read_by_the_parser(opening_of: OpeningOf, tmp_path: Path) -> None:
    samples = [
        sample("val-1", "It is (B)."),
        sample("val-0", "A or B?", scores={"s": {"value": float("nan")}}),
        sample("val-2", "Let me", stop="max_tokens"),
        sample("val-3", "", error={"message": "overloaded", "traceback": ""}),
        sample("val-4", "attachment://k", attachments={"k": "Answer: C"}),
        sample("val-4", "D", epoch=2),
    ]
    path = log(tmp_path / "log.json", samples)
    brought = bring_back(opening_of("vcr"), "inspect", [path], tmp_path / "run", blind=True)
    assert (brought.answerer, brought.tasks) == ("mock/one", ("q2a",))
    assert (brought.answers, brought.unread, brought.failed) == (5, 2, 1)
    lines = list(read_answers(tmp_path / "run"))
    assert [(line.item, line.task, line.reply) for line in lines] == [
        ("val-0", "q2a", "A or B?"),
        ("val-1", "q2a", "It is (B)."),
        ("val-2", "q2a", "Let me"),
        ("val-4", "q2a", "Answer: C"),
        ("val-4", "q2a#1", "D"),
    ]
    assert isinstance(lines[0].answer, Unparsed)
    assert lines[1].answer == Pick(1)
    assert isinstance(lines[2].answer, Truncated)
    assert lines[2].extra == {"finish": "length"}
    assert lines[3].answer == Pick(2)
    assert read_failures(tmp_path / "run")["val-3", "q2a"].why == "overloaded"
    info = read_run(tmp_path / "run")
    assert info.options == {"imported": "inspect", "blind": True}


def test_a_run_that_came_back_can_be_audited(opening_of: OpeningOf, tmp_path: Path) -> None:
    opening = opening_of("vcr")
    path = log(tmp_path / "log.json", [sample(item.id, "A") for item in opening.read()])
    bring_back(opening, "inspect", [path], tmp_path / "run")
    (answers,) = read_runs(find("vcr"), [tmp_path / "run"], opening.read)
    assert set(answers.answers["q2a"].values()) == {0}
    assert answers.options["model"] == "mock/one"


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ([], "the log holds no samples"),
        ([sample("val-0", "A"), sample("val-0", "B")], "item val-0 has a second reply in task q2a"),
        ([sample("val-77", "A")], r"The dataset has no id val-77\. Give the dataset, and the split"),
        ([sample("val-0", "A", task="mc")], r"task: vcr has no task mc\. It has: q2a, qa2r"),
        ([{"id": 1, "metadata": {}}], "sample 1 does not say which item and task it is"),
    ],
)
def test_what_does_not_fit_is_told_and_leaves_nothing(
    samples: list[dict[str, Any]], message: str, opening_of: OpeningOf, tmp_path: Path
) -> None:
    path = log(tmp_path / "log.json", samples)
    with pytest.raises(InputError, match=message):
        bring_back(opening_of("vcr"), "inspect", [path], tmp_path / "run")
    assert [entry.name for entry in tmp_path.iterdir()] == ["log.json"]


def test_results_of_several_models_are_not_mixed(opening_of: OpeningOf, tmp_path: Path) -> None:
    paths = [log(tmp_path / f"{m}.json", [sample(f"val-{n}", "A")], m) for n, m in enumerate(("one", "two"))]
    with pytest.raises(InputError, match=r"several models \(one, two\)"):
        bring_back(opening_of("vcr"), "inspect", paths, tmp_path / "run")


def test_a_model_without_a_name_must_be_named(opening_of: OpeningOf, tmp_path: Path) -> None:
    path = tmp_path / "predictions.tsv"
    path.write_text("prediction\tcommonsight_item\tcommonsight_task\nB\tval-1\tq2a\n")
    opening = opening_of("vcr")
    with pytest.raises(InputError, match="Name it with --model"):
        bring_back(opening, "vlmevalkit", [path], tmp_path / "run")
    assert bring_back(opening, "vlmevalkit", [path], tmp_path / "run", model="M").answerer == "M"
