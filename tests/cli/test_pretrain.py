"""`commonsight pretrain`, and `train --weights`, on the command line."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from msgspec import structs
from safetensors.torch import save_file

from commonsight.core.item import Item
from commonsight.models.engine import checkpoint
from commonsight.models.engine.loop import Unwatched
from commonsight.models.engine.state import State
from commonsight.models.untrained import Shape, untrained
from commonsight.runs.pretraining import Pretrained, pretrain, pretraining_planned
from commonsight.runs.training import Surroundings, planned, train

from .conftest import Run
from .training_data import changed, without_labels, without_outlines

QUICK = {"epochs": 2, "batch": 4}
WORDS = ("--epochs", 1, "--batch", 4, "--threads", 1)
pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(autouse=True)
def _surroundings(kept: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("COMMONSIGHT_CACHE", str(kept / "cache"))
    yield
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def pmr(drawn_world: Path, kept: Path) -> Path:
    """A few drawn questions, each with four objects at most: quick to look at."""
    counts: dict[str, int] = {}

    def few(item: Item) -> Item | None:
        counts[item.split] = counts.get(item.split, 0) + 1
        if counts[item.split] > 6:
            return None
        lit = without_outlines(item)
        pointed = {region for text in (*item.texts.values(), *item.choices) for region in text.references()}
        most = max((4, *(region + 1 for region in pointed)))
        scenes = tuple(structs.replace(scene, regions=scene.regions[:most]) for scene in lit.scenes)
        return structs.replace(lit, scenes=scenes)

    return changed(drawn_world / "pmr", kept / "pmr", few)


def _pretrained(pmr: Path, kept: Path, name: str, watch: Any = None, **options: Any) -> Pretrained:
    plan = pretraining_planned("uniter", pmr, recipe=QUICK, **options)
    around = Surroundings(kept / "cache" / "features", every=0.0)
    return pretrain(plan, kept / name, around, watch=watch or (lambda _: Unwatched()))


@pytest.fixture(scope="module")
def uniter(pmr: Path, kept: Path) -> Path:
    """UNITER, pre-trained for a moment on all that its paper has."""
    _pretrained(pmr, kept, "uniter")
    return kept / "uniter"


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return checkpoint.weights(folder / "best.safetensors")


def test_what_is_chosen_is_learned_and_told(run: Run, pmr: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("pretrain", "ernie-vil", pmr, "--out", out, *WORDS, "--objectives", "objects, masked-words")
    told = run(*words)
    assert told.code == 0, told.err
    assert [line.split()[0] for line in told.out.splitlines()[:3]] == ["objective", "masked-words", "objects"]
    assert f"Train it: commonsight train ernie-vil DATASET --weights {out} --out DIR" in told.out
    line = r"^ernie-vil  epoch 1  loss [\d.]+  held out [\d.]+ \(masked-words [\d.]+, objects [\d.]+\)  best"
    assert re.search(line, told.err, re.MULTILINE)
    assert sorted(path.name for path in out.iterdir() if path.name != ".lock") == [
        "best.safetensors", "checkpoints", "logs", "network.json", "pretraining.json", "transformer",
    ]  # fmt: skip
    assert json.loads((out / "pretraining.json").read_bytes())["objectives"] == ["masked-words", "objects"]
    assert {name.split(".")[1] for name in weights(out) if name.startswith("objectives.")} == {"0", "1"}
    again = run(*words, "--json")  # it is finished, and stays so
    assert again.code == 0, again.err
    assert again.json["training"]["epoch"] == 1
    assert again.json["texts"] == 6
    assert again.json["held_out"].keys() == {"masked-words", "objects"}
    assert all(loss["after"] < loss["before"] for loss in again.json["held_out"].values())
    other = run(*words[:-1], "matching")
    assert other.code == 2
    assert "objectives was ('masked-words', 'objects'), now ('matching',)" in other.err


def test_the_log_has_every_objective(uniter: Path) -> None:
    written = b"".join(path.read_bytes() for path in (uniter / "logs").iterdir())
    for name in ("masked-words", "region-features", "region-classes", "matching", "alignment"):
        assert f"held-out/{name}".encode() in written


class _Killed(Exception):  # noqa: N818 - it is what happens
    """Nothing is saved any more, as after kill -9."""


class _Killing(Unwatched):
    def step(self, state: State, steps: int) -> None:
        if state.step == steps // 2:
            raise _Killed


def test_killed_it_goes_on_as_if_nothing_had(pmr: Path, kept: Path, uniter: Path) -> None:
    """Also where steps draw one objective each, and some have not been met before the end."""
    with pytest.raises(_Killed):
        _pretrained(pmr, kept, "parts", watch=lambda _: _Killing())
    begun = checkpoint.latest(kept / "parts")
    assert begun is not None
    assert 0 < begun.state.step < 4
    found = _pretrained(pmr, kept, "parts")
    assert found.state.step == 4
    whole, parts = weights(uniter), weights(kept / "parts")
    assert whole.keys() == parts.keys()
    assert all(torch.equal(whole[name], parts[name]) for name in whole)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("r2c",), "R2C is not pre-trained on texts with pictures. Choose one of vl-bert, uniter, ernie-v"),
        (("unitre",), "There is no network 'unitre'. Did you mean uniter"),
        (("uniter", "--objectives", "masked-word"), "Did you mean masked-words?"),
        (("uniter", "--text", "glove"), "UNITER reads sub-words, and 'glove' has none."),
        (("uniter", "--val-split", "dev"), "there is no split 'dev'"),
        (("uniter", "--weights", "nowhere"), "nowhere: there is no such file or folder"),
    ],
)
def test_what_cannot_be_pre_trained_is_told(
    run: Run, pmr: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    told = run("pretrain", arguments[0], pmr, "--out", tmp_path / "out", *arguments[1:], *WORDS, width=400)
    assert told.code == 2
    assert message in told.err
    assert not (tmp_path / "out").exists()


def test_texts_without_a_right_choice_teach_nothing(run: Run, pmr: Path, tmp_path: Path) -> None:
    bare = changed(pmr, tmp_path / "bare", without_labels)
    told = run("pretrain", "uniter", bare, "--out", tmp_path / "out", *WORDS, width=400)
    assert told.code == 2
    assert "of no item in split train the right choice is known" in told.err


def test_training_begins_with_what_was_pre_trained(
    run: Run, pmr: Path, uniter: Path, tmp_path: Path
) -> None:
    """With so low a rate that the first epoch's loss is what it begins with."""
    words = ("train", "uniter", pmr, *WORDS, "--rate", "1e-12", "--json")
    told = run(*words, "--out", tmp_path / "with", "--weights", uniter, width=400)
    assert told.code == 0, told.err
    assert re.search(r"^action: (\d+) of \1 weights taken over; \d+ in the file without use", told.err)
    plain = run(*words, "--out", tmp_path / "without")
    assert "taken over" not in plain.err
    losses = [one.json["action"]["history"][0]["loss"] for one in (told, plain)]
    assert abs(losses[0] - losses[1]) > 1e-4
    name = "inputs.embeddings.word_embeddings.weight"
    began, trained = weights(uniter)[f"network.{name}"], weights(tmp_path / "with" / "action")[name]
    assert torch.allclose(began, trained, atol=1e-9)
    kept = [folder / "transformer" / "tokenizer.json" for folder in (uniter, tmp_path / "with" / "action")]
    assert kept[0].read_bytes() == kept[1].read_bytes()
    said = run("predict", tmp_path / "with", pmr, "--split", "val", "--out", tmp_path / "run")
    assert said.code == 0, said.err


def test_pre_training_goes_on_from_pre_training(run: Run, pmr: Path, uniter: Path, tmp_path: Path) -> None:
    words = ("pretrain", "uniter", pmr, "--weights", uniter, "--objectives", "masked-words")
    told = run(*words, "--out", tmp_path / "more", *WORDS, "--json")
    assert told.code == 0, told.err
    assert "weights taken over" in told.err
    after = pretraining_planned("uniter", pmr, recipe=QUICK, weights=tmp_path / "more")
    assert after.weights.keys() == {"pretraining"}


def test_weights_are_known_by_what_is_in_them(run: Run, drawn_vcr: Path, kept: Path, tmp_path: Path) -> None:
    around = Surroundings(kept / "cache" / "features")
    for seed in (1, 2):
        plan = planned("lstm", drawn_vcr, recipe=QUICK, tasks=("q2a",), limit=6, seed=seed)
        train(plan, tmp_path / f"begun-{seed}", around)
    words = ("train", "lstm", drawn_vcr, "--task", "q2a", "--limit", 6, *WORDS, "--out", tmp_path / "out")
    assert run(*words, "--weights", tmp_path / "begun-1").code == 0
    shutil.copytree(tmp_path / "begun-1", tmp_path / "moved")
    again = run(*words, "--weights", tmp_path / "moved")
    assert again.code == 0, again.err
    for other in (("--weights", tmp_path / "begun-2"), ()):
        told = run(*words, *other, width=400)
        assert told.code == 2
        assert "begun otherwise (weights was {'q2a': '" in told.err


def test_the_other_tasks_words_are_those_of_the_weights(
    run: Run, drawn_vcr: Path, pmr: Path, tmp_path: Path
) -> None:
    """A network may go from one benchmark to another; its numbers stay those of the first one's words."""
    train(planned("lstm", drawn_vcr, recipe=QUICK, tasks=("q2a",)), tmp_path / "vcr")
    told = run("train", "lstm", pmr, "--weights", tmp_path / "vcr", "--out", tmp_path / "pmr", *WORDS)
    assert told.code == 0, told.err
    known = [
        json.loads((tmp_path / place / "network.json").read_bytes())["known"]
        for place in ("vcr/q2a", "pmr/action")
    ]
    assert known[0] == known[1]


def test_released_weights_are_taken_as_far_as_they_fit(run: Run, pmr: Path, tmp_path: Path) -> None:
    bert = untrained(tmp_path / "bert", ["a the of is person"] * 3, Shape(2, 32, 2, 300, 130))
    words = ("train", "vl-bert", pmr, *WORDS)
    told = run(*words, "--weights", bert, "--out", tmp_path / "folder", width=400)
    assert told.code == 0, told.err
    assert re.search(r"^action: \d+ of \d+ weights taken over; \d+ not in the file \(", told.err)
    plan = json.loads((tmp_path / "folder" / "training.json").read_bytes())
    assert plan["text"] == f"bert:{bert.resolve()}"
    released = tmp_path / "released.safetensors"
    save_file({"vlbert.encoder.layer.0.output.dense.weight": torch.zeros(7, 7)}, released)
    refused = (
        ((), "Say with --text bert:PLACE which model that is of."),
        (("--text", f"bert:{bert}"), "1 weights have the right name and none has the right shape"),
    )
    for options, message in refused:
        told = run(*words, "--weights", released, *options, "--out", tmp_path / "file", width=400)
        assert told.code == 2
        assert message in told.err
        assert not (tmp_path / "file").exists()


@pytest.mark.parametrize("pickled", ["model.bin", "folder/pytorch_model.bin"])
def test_a_pickle_is_refused(run: Run, pmr: Path, tmp_path: Path, pickled: str) -> None:
    path = tmp_path / pickled
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"\x80\x04.")
    given = path if path.parent == tmp_path else path.parent
    told = run("train", "uniter", pmr, "--weights", given, "--out", tmp_path / "out", *WORDS, width=800)
    assert told.code == 2
    assert "only .safetensors is read, because other files of weights can run a program" in told.err
    assert "python -c" in told.err


def test_weights_of_another_network_are_refused(run: Run, pmr: Path, uniter: Path, tmp_path: Path) -> None:
    told = run("train", "vl-bert", pmr, "--weights", uniter, "--out", tmp_path / "out", *WORDS, width=400)
    assert told.code == 2
    assert "holds uniter, and this is vl-bert. Give weights of the same network." in told.err
    told = run(
        "train", "uniter", pmr, "--weights", uniter, "--size", "paper", "--out", tmp_path / "out", width=400
    )
    assert told.code == 2
    assert "holds a network of size small. Say --size small." in told.err
