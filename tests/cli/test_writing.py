"""`commonsight train` and `predict` with networks that write: answers, choices, rationales, contexts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from commonsight.core.answer import FreeText, Pick
from commonsight.core.benchmark import Task
from commonsight.errors import UsageError
from commonsight.models.engine.checkpoint import BEST, weights
from commonsight.models.engine.state import EpochLine, State
from commonsight.models.language_models import bare
from commonsight.models.untrained import Shape
from commonsight.models.untrained_vlm import Sizes, byte_tokenizer
from commonsight.runs.contexts import from_file
from commonsight.runs.training import Surroundings, planned, read_training, train
from commonsight.store.dataset import read_dataset
from commonsight.store.runs import read_answers, read_run
from commonsight.world.make import Plan, make_world

from .conftest import Run

QUICK = ("--epochs", 1, "--limit", 16, "--threads", 1)
SEEN = ("--regions", "pixels:32x24")
"""Of a canvas so few pixels, that it is quick."""
TINY = {"epochs": 2, "batch": 8}
pytestmark = pytest.mark.usefixtures("one_thread", "kept_cache")


@pytest.fixture(scope="module")
def asked(kept: Path) -> Path:
    """Questions with choices, direct answers and rationales about a drawn world."""
    make_world(kept / "world", Plan(30, 3, ("aokvqa",)), progress=lambda done, _: done)
    return kept / "world" / "aokvqa"


def answers(folder: Path, task: str) -> dict[str, object]:
    return {line.item: line.answer for line in read_answers(folder) if line.task == task}


def test_clipcap_learns_to_pick_and_to_answer(run: Run, asked: Path, tmp_path: Path) -> None:
    told = run("train", "clipcap", asked, *QUICK, *SEEN, "--out", tmp_path / "trained")
    assert told.code == 0, told.err
    assert sorted(path.name for path in (tmp_path / "trained").iterdir()) == ["da", "mc", "training.json"]
    told = run("predict", tmp_path / "trained", asked, "--out", tmp_path / "run", "--longest", 4, "--json")
    assert told.code == 0, told.err
    assert set(told.json["metrics"]) == {"mc", "da"}
    assert all(isinstance(one, FreeText) for one in answers(tmp_path / "run", "da").values())
    lines = [line for line in read_answers(tmp_path / "run") if line.task == "mc"]
    assert all("named" in line.extra for line in lines)
    options = read_run(tmp_path / "run").options
    assert options["writes"]["da"] == {"beam": 1, "longest": 4, "length": 0.0}
    assert options["choices"].startswith("nearest choice by cosine of mean word vectors")


def test_gpv2_learns_to_answer_and_ranks_choices_by_it(run: Run, asked: Path, tmp_path: Path) -> None:
    told = run("train", "gpv-2", asked, *QUICK, "--out", tmp_path / "trained")
    assert told.code == 0, told.err
    assert sorted(path.name for path in (tmp_path / "trained").iterdir()) == ["da", "training.json"]
    for beam in (1, 3):
        out = tmp_path / f"run{beam}"
        told = run("predict", tmp_path / "trained", asked, "--out", out, "--beam", beam, "--json")
        assert told.code == 0, told.err
        assert read_run(out).options["writes"]["da"]["beam"] == beam
    assert answers(tmp_path / "run1", "da").keys() == answers(tmp_path / "run3", "da").keys()
    # Choices are given, so that none is looked for and no beam matters.
    assert answers(tmp_path / "run1", "mc") == answers(tmp_path / "run3", "mc")
    lines = [line for line in read_answers(tmp_path / "run1") if line.task == "mc"]
    assert lines
    for line in lines:
        chances = line.extra["probabilities"]
        assert sum(chances) == pytest.approx(1.0)
        assert line.answer == Pick(chances.index(max(chances)))


def test_contexts_of_the_split_that_is_asked_are_enough(run: Run, asked: Path, tmp_path: Path) -> None:
    """`predict` writes contexts of one split, and reads them, too."""
    trained, contexts = tmp_path / "trained", tmp_path / "contexts.jsonl"
    assert run("train", "gpv-2", asked, *QUICK, "--out", trained).code == 0
    ids = [item.id for item in read_dataset(asked, split="val")]
    contexts.write_text("".join(f'{{"item": "{one}", "context": "a room"}}\n' for one in ids))
    options = ("--split", "val", "--context", contexts, "--beam", 1, "--longest", 2)
    told = run("predict", trained, asked, *options, "--out", tmp_path / "run", "--json")
    assert told.code == 0, told.err
    assert set(told.json["metrics"]) == {"mc", "da"}


@pytest.mark.parametrize("oracle", ["rationale", "masked-rationale"])
def test_gpv2_is_told_what_people_wrote(run: Run, asked: Path, tmp_path: Path, oracle: str) -> None:
    """Table 5, rows i and h: in training, and when it is asked."""
    trained, out = tmp_path / "trained", tmp_path / "run"
    told = run("train", "gpv-2", asked, *QUICK, "--context", oracle, "--out", trained)
    assert told.code == 0, told.err
    training = read_training(trained)
    assert (training.context, training.sources["context"], training.tasks) == (oracle, oracle, ("da",))
    told = run("predict", trained, asked, "--out", out, "--beam", 1, "--longest", 4, "--json")
    assert told.code == 0, told.err
    assert set(told.json["metrics"]) == {"mc", "da"}
    assert read_run(out).options["context"] == oracle


def test_rationales_are_written_as_contexts(run: Run, asked: Path, tmp_path: Path) -> None:
    trained = tmp_path / "trained"
    told = run("train", "clipcap", asked, "--task", "rationale", *QUICK, *SEEN, "--out", trained)
    assert told.code == 0, told.err
    arguments = ("predict", tmp_path / "trained", asked, "--out", tmp_path / "why", "--longest", 6)
    told = run(*arguments, "--beam", 2)
    assert told.code == 0, told.err
    assert "--context" in told.out
    context = from_file(tmp_path / "why" / "contexts.jsonl")
    items = [item for item in read_dataset(asked) if item.split == "val"]
    assert all(isinstance(context(item), str) for item in items)
    before = (tmp_path / "why" / "contexts.jsonl").read_bytes()
    log = tmp_path / "why" / "answers.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:3]))  # as if it had been killed
    assert run(*arguments, "--beam", 2).code == 0
    assert sorted((tmp_path / "why" / "contexts.jsonl").read_bytes().splitlines()) == sorted(
        before.splitlines()
    )
    told = run(
        "train", "gpv-2", asked, *QUICK, "--context", tmp_path / "why" / "contexts.jsonl", "--val-split",
        "val", "--out", tmp_path / "with",
    )  # fmt: skip
    assert told.code == 2  # there is none for the items to train on
    assert "there is no context for item" in told.err
    assert not (tmp_path / "with").exists()


@pytest.mark.parametrize("network", ["clipcap", "gpv-2"])
def test_captions_are_written_as_contexts(run: Run, asked: Path, tmp_path: Path, network: str) -> None:
    """Of the picture alone: questions about the same picture get the same caption."""
    assert run("world", "describe", asked, "--out", tmp_path / "captions.jsonl", "--workers", 1).code == 0
    seen = SEEN if network == "clipcap" else ()
    told = run(
        "train", network, asked, "--task", "caption", "--captions", tmp_path / "captions.jsonl",
        *QUICK, *seen, "--out", tmp_path / "trained",
    )  # fmt: skip
    assert told.code == 0, told.err
    training = read_training(tmp_path / "trained")
    assert training.tasks == ("caption",)
    assert "captions 1" in training.sources
    (tmp_path / "captions.jsonl").unlink()  # what was trained needs them no more
    told = run(
        "predict", tmp_path / "trained", asked, "--out", tmp_path / "run", "--longest", 6, "--beam", 2
    )
    assert told.code == 0, told.err
    assert "--context" in told.out
    context = from_file(tmp_path / "run" / "contexts.jsonl")
    pictures: dict[str, set[str]] = {}
    for item in read_dataset(asked, split="val"):
        pictures.setdefault(item.groups["image"], set()).add(context(item))
    assert len(pictures) > 1
    assert all(len(texts) == 1 for texts in pictures.values())
    told = run("predict", tmp_path / "trained", asked, "--out", tmp_path / "b", "--context", "rationale")
    assert "captions tell of a picture alone" in told.err


def test_a_context_is_read_by_any_network(run: Run, asked: Path, tmp_path: Path) -> None:
    trained = tmp_path / "trained"
    told = run("train", "question-only", asked, *QUICK, "--context", "masked-rationale", "--out", trained)
    assert told.code == 0, told.err
    known = json.loads((tmp_path / "trained" / "da" / "network.json").read_text())["known"]["words"]["names"]
    plain = run("train", "question-only", asked, *QUICK, "--out", tmp_path / "plain")
    assert plain.code == 0, plain.err
    fewer = json.loads((tmp_path / "plain" / "da" / "network.json").read_text())["known"]["words"]["names"]
    assert set(fewer) < set(known)
    told = run("predict", tmp_path / "trained", asked, "--out", tmp_path / "run")
    assert told.code == 0, told.err
    assert read_run(tmp_path / "run").options["context"] == "masked-rationale"
    told = run("predict", tmp_path / "trained", asked, "--context", "none", "--out", tmp_path / "bare")
    assert told.code == 0, told.err
    assert "context" not in read_run(tmp_path / "bare").options
    told = run(
        "train", "question-only", asked, *QUICK, "--context", "rationale", "--out", tmp_path / "trained"
    )
    assert told.code == 2
    assert "begun otherwise" in told.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("question-only", "--task", "rationale"), "Q-Only writes nothing. Choose clipcap or gpv-2"),
        (("clipcap", "--task", "da,rationale"), "rationales are not scored as answers are. Train them alone"),
        (("clipcap", "--text", "glove"), "'glove' is none that it can. Choose learned or gpt2:PLACE"),
        (("gpv-2", "--size", "paper"), "reads a T5. Say where that is with --text t5:PLACE"),
        (("gpv-2", "--context", "reasons"), "--context reasons: there is no such file"),
        (("lxmert", "--task", "caption"), "LXMERT writes nothing. Choose clipcap or gpv-2"),
        (("clipcap", "--task", "caption"), "items have no captions. Give some with --captions FILE"),
        (("clipcap", "--task", "mc,caption"), "captions are not scored as answers are. Train them alone"),
        (("clipcap", "--captions", "c.json"), "--captions: they are learned by --task caption alone"),
        (
            ("clipcap", "--task", "caption", "--captions", "c.json"),
            "--captions c.json: there is no such file. Give one that `run --context` reads",
        ),
    ],
)
def test_what_cannot_be_done_is_told(
    run: Run, asked: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    told = run("train", *arguments, asked, *QUICK, "--out", tmp_path / "trained", width=400)
    assert told.code == 2
    assert message in told.err
    assert not (tmp_path / "trained").exists()


def test_one_that_writes_nothing_has_no_beam(run: Run, asked: Path, tmp_path: Path) -> None:
    assert run("train", "question-only", asked, *QUICK, "--out", tmp_path / "trained").code == 0
    told = run("predict", tmp_path / "trained", asked, "--out", tmp_path / "run", "--beam", 3)
    assert told.code == 2
    assert "--beam: Q-Only writes nothing. Leave it out" in told.err


def test_it_begins_with_a_language_model_of_a_folder(run: Run, asked: Path, tmp_path: Path) -> None:
    texts = ["question: what is this? answer: a cup"]
    cut = byte_tokenizer(texts, Sizes(vocabulary=300, tokens=256), None)
    bare("gpt2", Shape(1, 16, 2, len(cut), 256), (cut.pad_token_id, cut.eos_token_id)).save_pretrained(
        tmp_path / "gpt2"
    )
    cut.save_pretrained(tmp_path / "gpt2")
    told = run(
        "train", "clipcap-transformer", asked, "--task", "da", "--size", "paper", *QUICK, *SEEN,
        "--text", f"gpt2:{tmp_path / 'gpt2'}", "--out", tmp_path / "trained",
    )  # fmt: skip
    assert told.code == 0, told.err
    (tmp_path / "gpt2" / "config.json").unlink()  # what was trained needs it no more
    told = run("predict", tmp_path / "trained", asked, "--out", tmp_path / "run", "--longest", 3)
    assert told.code == 0, told.err
    assert len(answers(tmp_path / "run", "da")) == len(answers(tmp_path / "run", "mc")) > 0


class KilledError(Exception):
    """As if the process had ended."""


class Killing:
    """Ends a training after so many steps."""

    def __init__(self, after: int) -> None:
        self._after = after

    def step(self, state: State, steps: int) -> None:  # noqa: ARG002
        if state.step == self._after:
            raise KilledError

    def epoch(self, line: EpochLine, state: State) -> None: ...


@pytest.mark.parametrize("network", ["clipcap", "gpv-2"])
def test_what_was_killed_comes_to_the_same_weights(network: str, asked: Path, tmp_path: Path) -> None:
    regions = SEEN[1] if network == "clipcap" else None
    plan = planned(network, asked, recipe=TINY, tasks=("da",), limit=24, regions=regions)
    whole = train(plan, tmp_path / "whole")[0]

    def watch(_: Task) -> Killing:
        return Killing(4)

    with pytest.raises(KilledError):
        train(plan, tmp_path / "killed", Surroundings(every=0.0, watch=watch))
    again = train(plan, tmp_path / "killed")[0]
    assert again.state == whole.state
    one, other = (weights(folder / "da" / BEST) for folder in (tmp_path / "whole", tmp_path / "killed"))
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_rationales_without_any_cannot_be_learned(asked: Path) -> None:
    with pytest.raises(UsageError, match="writes nothing"):
        planned("r2c", asked, recipe={}, tasks=("rationale",))
