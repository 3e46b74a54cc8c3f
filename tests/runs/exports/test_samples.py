"""An export asks what a run would ask, and carries the items that it was made from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from commonsight.benchmarks import find
from commonsight.core.benchmark import Ask
from commonsight.errors import InputError, UsageError
from commonsight.runs.exports.for_vlmevalkit import kept
from commonsight.runs.exports.info import Peer, exported_name, is_export, read_export, read_items
from commonsight.runs.exports.peers import WRITERS, export
from commonsight.runs.exports.samples import sampler_of
from commonsight.runs.prompts import prompt_for
from commonsight.runs.questions import Questioner
from commonsight.runs.subject import Opening
from commonsight.vlm.client import Request
from commonsight.vlm.pictures import Pictures
from commonsight.vlm.render import request_of

NAMES = ("vcr", "pmr", "cric", "nlvr2", "aokvqa")
OpeningOf = Callable[[str], Opening]
Exported = Callable[..., Path]


def test_every_peer_has_a_writer() -> None:
    assert set(WRITERS) == set(get_args(Peer))


@pytest.mark.parametrize("name", NAMES)
def test_the_questions_are_those_of_a_run(name: str, opening_of: OpeningOf, exported: Exported) -> None:
    opening, benchmark = opening_of(name), find(name)
    assert opening.images is not None
    prompts = {task.name: prompt_for(task, {}) for task in benchmark.tasks}
    questioner = Questioner(benchmark.tasks, prompts, Pictures(opening.images))
    asked: dict[tuple[str, str], Request] = {}
    for question in questioner.questions(opening.read()):
        assert callable(question.request)
        asked[question.item, question.task] = question.request()
    folder = exported(name, "inspect")
    seen = set()
    for task in benchmark.tasks:
        for line in (folder / f"{exported_name(name, task.name)}.jsonl").read_text("utf-8").splitlines():
            record = json.loads(line)
            request = asked[record["item"], record["task"]]
            assert record["text"] == request.turns[-1].parts[-1]
            assert [(folder / image).read_bytes() for image in record["images"]] == [
                picture.data for picture in request.pictures
            ]
            seen.add((record["item"], record["task"]))
    assert seen == set(asked)
    assert sum(task.samples for task in read_export(folder).tasks) == len(asked)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("peer", get_args(Peer))
def test_the_items_come_back_as_they_were(
    name: str, peer: Peer, opening_of: OpeningOf, exported: Exported
) -> None:
    folder = exported(name, peer)
    assert is_export(folder)
    assert list(read_items(folder)) == list(opening_of(name).read())


def test_a_limit_and_a_task_are_kept(opening_of: OpeningOf, tmp_path: Path) -> None:
    info = export(opening_of("vcr"), "inspect", tmp_path / "out", tasks=["qa2r"], limit=3)
    assert [(task.name, task.samples) for task in info.tasks] == [("qa2r", 3)]
    assert len(list(read_items(tmp_path / "out"))) == 3


def test_an_unknown_task_is_named(opening_of: OpeningOf) -> None:
    with pytest.raises(UsageError, match=r"--task q2r: vcr has no such task\. It has: q2a, qa2r"):
        sampler_of(opening_of("vcr"), ["q2r"])


def test_hidden_labels_leave_out_what_cannot_be_asked(
    tmp_path: Path, fixtures_dir: Path
) -> None:
    lines = (fixtures_dir / "vcr" / "val.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    for record in records:
        record["annot_id"] = record["annot_id"].replace("val", "test")
        del record["answer_label"], record["rationale_label"]
    hidden = tmp_path / "test.jsonl"
    hidden.write_text("".join(json.dumps(record) + "\n" for record in records))
    opening = Opening((hidden,), images=fixtures_dir / "vcr" / "images")
    info = export(opening, "lmms-eval", tmp_path / "out")
    assert [(task.name, task.metrics) for task in info.tasks] == [("q2a", {"unread": False})]
    with pytest.raises(InputError, match="nothing to export: no item can be asked in qa2r"):
        export(opening, "lmms-eval", tmp_path / "none", tasks=["qa2r"])
    assert not (tmp_path / "none").exists()


def test_a_missing_picture_leaves_nothing_behind(fixtures_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    opening = Opening((fixtures_dir / "nlvr2" / "dev.json",), images=tmp_path / "empty")
    with pytest.raises(InputError, match="the picture is missing"):
        export(opening, "inspect", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_what_pandas_would_drop_is_kept() -> None:
    assert kept("None") == " None"
    assert kept("n/a") == " n/a"
    assert kept("none of them") == "none of them"
    assert kept("") == ""


def test_nothing_of_the_answer_is_told(opening_of: OpeningOf) -> None:
    """The question must read the same whatever the gold is."""
    opening = opening_of("aokvqa")
    sampler = sampler_of(opening, None)
    for item in opening.read():
        for sample in sampler.samples(item):
            blank = Ask(
                sample.ask.item_id, sample.ask.task, sample.ask.scenes, sample.ask.texts, sample.ask.expects,
                sample.ask.choices,
            )  # fmt: skip
            assert request_of(blank, sample.prompt, sampler.pictures) == sample.request
