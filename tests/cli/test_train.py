"""`commonsight train` on the command line: trained, stopped, gone on with, refused."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from making import WORDS
from msgspec import convert, structs

from commonsight.cli.train_show import EpochWatch
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.models.catalogue import find
from commonsight.models.engine import checkpoint
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.state import State
from commonsight.models.untrained import Shape, untrained
from commonsight.store.dataset import write_dataset
from commonsight.store.info import DatasetInfo, Made

from .conftest import Run
from .training_data import changed, without_labels

QUICK = ("--epochs", 2, "--batch", 8, "--threads", 1)


@pytest.fixture(autouse=True)
def _surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cache that is nobody else's; threads as they were."""
    monkeypatch.setenv("COMMONSIGHT_CACHE", str(tmp_path / "cache"))
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.fixture
def vcr(drawn_vcr: Path) -> Path:
    return drawn_vcr


def weights(folder: Path, task: str = "q2a") -> dict[str, torch.Tensor]:
    return checkpoint.weights(folder / task / "best.safetensors")


def same(folder: Path, other: Path) -> bool:
    mine, theirs = weights(folder), weights(other)
    return mine.keys() == theirs.keys() and all(torch.equal(mine[name], theirs[name]) for name in mine)


def test_a_network_is_trained_for_each_task(run: Run, vcr: Path, tmp_path: Path) -> None:
    out = tmp_path / "trained"
    told = run("train", "r2c", vcr, "--out", out, *QUICK, "--seed", 3)
    assert told.code == 0, told.err
    assert [line.split()[0] for line in told.out.splitlines()[:3]] == ["task", "q2a", "qa2r"]
    assert "commonsight predict" in told.out
    assert told.err.count("epoch 1 ") == told.err.count("epoch 2 ") == 2
    line = r"^q2a  epoch 1  loss \d\.\d{3} \+ \d\.\d{3}  validation [\d.]+  best so far$"
    assert re.search(line, told.err, re.MULTILINE)
    assert sorted(path.name for path in (out / "q2a").iterdir() if path.name != ".lock") == [
        "best.safetensors", "checkpoints", "logs", "network.json",
    ]  # fmt: skip
    plan = json.loads((out / "training.json").read_bytes())
    assert (plan["network"], plan["benchmark"], plan["seed"]) == ("r2c", "vcr", 3)
    assert plan["tasks"] == ["q2a", "qa2r"]
    recipe = structs.replace(find("r2c").small.recipe, epochs=2, batch=8)  # the rest is the catalogue's
    assert convert(plan["recipe"], Recipe) == recipe
    assert len(list((tmp_path / "cache" / "features").iterdir())) == 2  # crops of both splits, for both tasks


def test_the_same_command_again_does_nothing_more(run: Run, vcr: Path, tmp_path: Path) -> None:
    words = ("train", "lstm", vcr, "--task", "q2a", "--out", tmp_path / "trained", *QUICK, "--json")
    first = run(*words)
    assert first.code == 0, first.err
    history = first.json["q2a"]["history"]
    assert [line["epoch"] for line in history] == [1, 2]
    again = run(*words)
    assert again.json == first.json
    assert "epoch" not in again.err


def _interrupting(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    plain = EpochWatch.step

    def step(self: EpochWatch, state: State, steps: int) -> None:
        plain(self, state, steps)
        if state.step == at:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(EpochWatch, "step", step)


def test_ctrl_c_ends_it_with_130_and_it_goes_on_as_if_nothing_had(
    run: Run, vcr: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--task", "q2a", *QUICK, "--ema", 0.9, "--accumulate", 2)
    assert run("train", "lstm", vcr, "--out", tmp_path / "whole", *options).code == 0
    with monkeypatch.context() as patched:
        _interrupting(patched, at=2)
        stopped = run("train", "lstm", vcr, "--out", tmp_path / "parts", *options)
    assert stopped.code == 130
    assert "Stopped. The same command goes on from here." in stopped.err
    begun = checkpoint.latest(tmp_path / "parts" / "q2a")
    assert begun is not None
    assert (begun.state.epoch, begun.state.step) == (0, 3)
    told = run("train", "lstm", vcr, "--out", tmp_path / "parts", *options)
    assert told.code == 0, told.err
    assert same(tmp_path / "whole", tmp_path / "parts")


@pytest.mark.slow
def test_a_real_ctrl_c(vcr: Path, tmp_path: Path) -> None:
    """The installed command in a process of its own, and a signal from outside."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = ["train", "r2c", vcr, "--out", tmp_path / "out", "--epochs", 500, "--patience", 0]
    with subprocess.Popen(
        [sys.executable, "-m", "commonsight", *map(str, command)],
        env=environment, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        while "epoch 2" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert told.splitlines()[-1] == "Stopped. The same command goes on from here."
    assert checkpoint.latest(tmp_path / "out" / "q2a") is not None


def test_other_options_are_refused_by_name(run: Run, vcr: Path, tmp_path: Path) -> None:
    words = ("train", "lstm", vcr, "--task", "q2a", "--out", tmp_path / "out")
    assert run(*words, *QUICK).code == 0
    told = run(*words, *QUICK, "--rate", 0.5, "--seed", 1)
    assert told.code == 2
    assert "begun otherwise (seed was 0, now 1; recipe rate was 0.001, now 0.5)." in told.err
    assert "Choose another folder, or go on with the same options." in told.err
    told = run("train", "esim", vcr, "--task", "q2a", "--out", tmp_path / "out", *QUICK)
    assert told.code == 2
    assert "network was lstm, now esim" in told.err


def test_a_dataset_may_move_but_not_change(run: Run, vcr: Path, tmp_path: Path) -> None:
    words = ("--task", "q2a", "--out", tmp_path / "out", *QUICK)
    assert run("train", "lstm", vcr, *words).code == 0
    moved = changed(vcr, tmp_path / "moved", lambda item: item)
    assert run("train", "lstm", moved, *words).code == 0
    other = changed(vcr, tmp_path / "other", lambda item: structs.replace(item, gold=Pick(0)))
    told = run("train", "lstm", other, *words)
    assert told.code == 2
    assert "sources was" in told.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("r2cc",), "There is no network 'r2cc'. Did you mean r2c"),
        (("chance", "--weights", "old"), "Chance has no weights to begin with. Leave --weights out."),
        (("lstm", "--size", "large"), "There is no large lstm. Choose small or paper."),
        (("lstm", "--task", "q2b"), "--task q2b: vcr has no such task. It has: q2a, qa2r."),
        (("uniter", "--size", "paper"), "UNITER as published reads a BERT. Say where that is with --text"),
        (("r2c", "--size", "paper", "--text", "learned"), "R2C as published sees by a ResNet. Say where"),
        (("lstm", "--text", "runes"), "There is no way to read words 'runes'"),
        (("r2c", "--regions", "sonar"), "There is no way to see 'sonar'"),
        (("r2c", "--regions", "seen:nowhere"), "nowhere: there is no region encoder here (no regions.json)"),
        (("lstm", "--train-split", "learn"), "there is no split 'learn'. It has: train, val, test."),
        (("lstm", "--val-split", "dev"), "Name others with --train-split and --val-split."),
        (("lstm", "--only", "half"), "--only half: write SLICE=LABEL, such as half=adv."),
        (("lstm", "--only", "half=adv"), "--only: vcr knows no slice 'half'. It has: question_type."),
        (("lstm", "--only", "question_type=Odd"), "split train has no such item. Its labels are: Activity"),
        (("lstm", "--ema", "1"), "ema is 1. Give a share between 0 and 1."),
        (("lstm", "--rate", "inf"), "rate is inf. Give more than 0."),
        (("lstm", "--device", "abacus"), "There is no device abacus here"),
    ],
)
def test_what_cannot_be_trained_is_told(
    run: Run, vcr: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    told = run("train", arguments[0], vcr, "--out", tmp_path / "out", *arguments[1:], width=400)
    assert told.code == 2
    assert message in told.err
    assert not (tmp_path / "out").exists()  # so that a corrected command may begin there


def test_what_is_no_dataset_is_told(run: Run, tmp_path: Path) -> None:
    told = run("train", "lstm", tmp_path, "--out", tmp_path / "out")
    assert told.code == 2
    assert f"{tmp_path} is not a dataset. Make one with `commonsight convert` or `build`." in told.err


def test_a_split_without_labels_is_told(run: Run, vcr: Path, tmp_path: Path) -> None:
    bare = changed(vcr, tmp_path / "bare", without_labels)
    told = run("train", "lstm", bare, "--out", tmp_path / "out", *QUICK)
    assert told.code == 2
    assert "29 of 29 items to train on have no right answer for q2a (" in told.err

    def some(item: Item) -> Item:
        return item if item.split == "train" or int(item.gold.index) else without_labels(item)  # type: ignore[union-attr]

    told = run("train", "lstm", changed(vcr, tmp_path / "some", some), "--out", tmp_path / "out", *QUICK)
    assert told.code == 2
    assert "of 19 items to choose the best weights by have no right answer for q2a" in told.err


def test_an_answer_is_enough_to_train_on_answers(run: Run, vcr: Path, tmp_path: Path) -> None:
    answers = changed(vcr, tmp_path / "answers", lambda item: structs.replace(item, rationale_gold=None))
    words = ("train", "lstm", answers, "--out", tmp_path / "out", *QUICK)
    assert run(*words, "--task", "q2a").code == 0
    told = run("train", "lstm", answers, "--out", tmp_path / "both", *QUICK)
    assert told.code == 2
    assert "have no right answer for qa2r" in told.err
    assert not (tmp_path / "both").exists()  # told before the first task is trained


def test_a_label_that_no_choice_has_is_told(run: Run, vcr: Path, tmp_path: Path) -> None:
    odd = changed(vcr, tmp_path / "odd", lambda item: structs.replace(item, gold=Pick(9)))
    told = run("train", "lstm", odd, "--task", "q2a", "--out", tmp_path / "out")
    assert told.code == 2
    assert "choice 9 (counted from 0) is said to be right, of 4. Correct the label." in told.err


def _said_otherwise(item: Item) -> Item:
    """Validation says nothing that training says."""
    if item.split == "train":
        return item
    texts = tuple(TaggedText.plain(f"{WORDS[place]} {WORDS[-place]}") for place in range(1, 5))
    return structs.replace(item, texts={"question": texts[0]}, choices=texts)


def test_words_that_training_never_saw_are_told(run: Run, vcr: Path, tmp_path: Path) -> None:
    strange = changed(vcr, tmp_path / "strange", _said_otherwise)
    told = run("train", "lstm", strange, "--task", "q2a", "--out", tmp_path / "out", *QUICK)
    assert told.code == 2
    assert "Only 0.0 % of the words to choose the best weights by occur in the training split" in told.err


@pytest.mark.parametrize("network", ["lstm", "r2c-no-vision"])
def test_an_encoder_that_reads_any_word_may_meet_new_ones(
    run: Run, vcr: Path, tmp_path: Path, network: str
) -> None:
    strange = changed(vcr, tmp_path / "strange", _said_otherwise)
    words = ("--task", "q2a", "--out", tmp_path / "out", *QUICK, "--text", "static")
    told = run("train", network, strange, *words)
    assert told.code == 0, told.err
    answered = run("predict", tmp_path / "out", strange, "--out", tmp_path / "run", "--threads", 1)
    assert answered.code == 0, answered.err
    assert "of the words" not in answered.err


def _unstored(item: Item) -> Item:
    return structs.replace(item, scenes=tuple(structs.replace(scene, stored=None) for scene in item.scenes))


def test_a_network_that_sees_wants_pictures(run: Run, vcr: Path, tmp_path: Path) -> None:
    bare = changed(vcr, tmp_path / "bare", _unstored)
    told = run("train", "r2c", bare, "--out", tmp_path / "out", *QUICK)
    assert told.code == 2
    assert "29 of 29 questions have no picture in the dataset (" in told.err
    assert "(--images), or choose a network that reads texts alone." in told.err
    assert run("train", "r2c-no-vision", bare, "--task", "q2a", "--out", tmp_path / "blind", *QUICK).code == 0


def test_a_picture_that_is_gone_is_told(run: Run, vcr: Path, tmp_path: Path) -> None:
    bare = changed(vcr, tmp_path / "bare", lambda item: item)
    next((bare / "images").rglob("*.jpg")).unlink()
    told = run("train", "r2c", bare, "--out", tmp_path / "out", *QUICK)
    assert told.code == 2
    assert "the picture is missing. Restore it" in told.err


def test_two_pictures_are_too_many_for_a_network_that_sees_one(
    run: Run, drawn_world: Path, tmp_path: Path
) -> None:
    words = (drawn_world / "nlvr2", "--val-split", "dev", *QUICK)
    told = run("train", "r2c", *words, "--out", tmp_path / "out")
    assert told.code == 2
    assert "has 2 pictures, and R2C sees one. Choose a network that sees several, or none." in told.err
    assert run("train", "lstm", *words, "--out", tmp_path / "blind").code == 0  # True and False are choices


def test_features_that_cannot_be_kept_are_told(run: Run, vcr: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    words = ("train", "r2c", vcr, "--task", "q2a", "--out", tmp_path / "out", *QUICK)
    told = run(*words, "--features", tmp_path / "file")
    assert told.code == 2
    assert f"{tmp_path / 'file'}" in told.err
    assert "the system refuses this" in told.err
    assert run(*words, "--features", tmp_path / "kept").code == 0
    assert len(list((tmp_path / "kept").iterdir())) == 2


def test_a_disk_that_is_full_is_told(
    run: Run, vcr: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    words = ("train", "r2c", vcr, "--task", "q2a", "--out", tmp_path / "out", *QUICK)
    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", full)
        told = run(*words)
        assert told.code == 2
        assert "cannot be written (no space left on device). Make room, then begin again" in told.err
    with monkeypatch.context() as patched:
        patched.setattr(checkpoint, "save_file", full)
        told = run(*words)
        assert told.code == 2
        assert "best.safetensors" in told.err
        assert "cannot be written (no space left on device). Make room, then begin again" in told.err
    assert run(*words).code == 0


def test_only_a_part_and_only_the_first_items(run: Run, drawn_world: Path, tmp_path: Path) -> None:
    words = ("train", "lstm", drawn_world / "pmr", *QUICK, "--json")
    told = run(*words, "--out", tmp_path / "ori", "--only", "half=ori", "--limit", 6, "--batch", 4)
    assert told.code == 0, told.err
    assert told.json["action"]["step"] == 4  # six items, four at a time, twice


def test_numbers_can_be_switched_off(run: Run, vcr: Path, tmp_path: Path) -> None:
    words = ("train", "lstm", vcr, "--task", "q2a", "--out", tmp_path / "out", *QUICK)
    told = run(*words, "--patience", 0, "--plateau", 0, "--clip", 0, "--ema", 0, "--growth", 1.5)
    assert told.code == 0, told.err
    recipe = json.loads((tmp_path / "out" / "training.json").read_bytes())["recipe"]
    assert [recipe[name] for name in ("patience", "plateau", "clip", "ema")] == [None] * 4
    assert recipe["growth"] == 1.5


def test_a_frozen_transformer_reads_the_words_of_all_tasks(run: Run, vcr: Path, tmp_path: Path) -> None:
    bert = untrained(tmp_path / "bert", ["a the of is person"] * 3, Shape(2, 32, 2, 300, 64))
    words = ("train", "r2c", vcr, "--text", f"bert:{bert}", *QUICK, "--epochs", 1)
    told = run(*words, "--out", tmp_path / "some", "--limit", 5, "--task", "q2a")
    assert told.code == 0, told.err
    told = run(*words, "--out", tmp_path / "out")  # the same splits, more of them, and another task
    assert told.code == 0, told.err
    blueprint = json.loads((tmp_path / "out" / "qa2r" / "network.json").read_bytes())
    assert blueprint["text"] == f"bert:{bert.resolve()}"
    assert blueprint["names"]["text"].startswith("bert-1(bert@")


def test_an_encoder_that_changed_meanwhile_is_refused(run: Run, vcr: Path, tmp_path: Path) -> None:
    words = ("train", "lstm", vcr, "--text", f"bert:{tmp_path / 'bert'}", "--task", "q2a", *QUICK)
    for seed, code in ((1, 0), (2, 2)):
        untrained(tmp_path / "bert", ["a the of is person"] * 3, Shape(2, 32, 2, 300, 64), seed=seed)
        told = run(*words, "--out", tmp_path / "out")
        assert told.code == code, told.err
    assert "was begun with other words, or other encoders. Choose another folder." in told.err


def test_any_multiple_choice_dataset_will_do(run: Run, tmp_path: Path) -> None:
    """One of no benchmark, without pictures."""
    choices = tuple(TaggedText.plain(word) for word in WORDS[:3])
    asked = [{"question": TaggedText.plain(word)} for word in WORDS[:5]]
    items = [
        Item(f"{split}-{number}", split, (), asked[number % 5], choices, Pick(number % 3))
        for split in ("train", "val")
        for number in range(12)
    ]
    info = DatasetInfo("mine", "any-text", "1", Made("test", "0"), {}, title="Any text")
    write_dataset(tmp_path / "mine", items, info)
    told = run("train", "esim", tmp_path / "mine", "--out", tmp_path / "out", *QUICK, "--json")
    assert told.code == 0, told.err
    assert list(told.json) == ["choose"]


def test_without_torch_the_extra_is_named(run: Run, vcr: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    commands = (
        ("train", "lstm", vcr, "--out", "x"),
        ("predict", "x", vcr, "--out", "y"),
        ("models",),
        ("train-regions", "x", "--out", "y"),
        ("train-text", "bert", vcr, "--out", "y"),
        ("pretrain", "uniter", vcr, "--out", "y"),
        ("train-nli", "x", "--out", "y"),
    )
    for words in commands:
        told = run(*words)
        assert told.code == 1
        assert "is not installed. Install it with: pip install 'commonsight[models]'" in told.err
