"""`commonsight predict`, `models` and `train-regions` on the command line."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs
from safetensors.numpy import load_file

from commonsight.benchmarks.vcr import VCR
from commonsight.core.answer import Pick, Verdict
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.models.catalogue import ALL, find
from commonsight.models.describing import parameter_counts
from commonsight.models.features.examples import example_of
from commonsight.runs import predicting
from commonsight.runs.training import Surroundings, planned, train
from commonsight.store.dataset import read_dataset
from commonsight.store.runs import AnswerLine, RunLog, read_answers

from .conftest import Run
from .training_data import changed, without_labels

QUICK = {"epochs": 2, "batch": 8}
pytestmark = pytest.mark.usefixtures("one_thread", "kept_cache")


@pytest.fixture(scope="module")
def trained(kept: Path, drawn_vcr: Path) -> Path:
    """R2C, trained for a moment on both tasks."""
    out = kept / "r2c"
    train(planned("r2c", drawn_vcr, recipe=QUICK), out, Surroundings(kept / "cache" / "features"))
    return out


@pytest.fixture(scope="module")
def answered(kept: Path, trained: Path, drawn_vcr: Path) -> Path:
    """What it says to the validation split; the file to hand in lies beside."""
    asked = predicting.Asked(
        drawn_vcr, "val", attention=5, native=kept / "r2c.csv", features=kept / "cache" / "features"
    )
    predicting.predict(trained, asked, kept / "run")
    return kept / "run"


@pytest.fixture
def vcr(drawn_vcr: Path) -> Path:
    return drawn_vcr


def items_of(dataset: Path, split: str) -> dict[str, Item]:
    return {item.id: item for item in read_dataset(dataset, split=split)}


def lines(folder: Path) -> dict[tuple[str, str], AnswerLine]:
    found = [((line.item, line.task), line) for line in read_answers(folder)]
    assert len(dict(found)) == len(found)  # nothing is answered twice
    return dict(found)


def test_a_run_like_any_other_is_left_behind(answered: Path) -> None:
    names = {path.name for path in answered.iterdir()}
    assert names == {
        "run.json", "answers.jsonl", "report.json", "report.html", "report.md", "attention.safetensors",
        "sessions.jsonl",
    }  # fmt: skip
    info = json.loads((answered / "run.json").read_bytes())
    assert (info["benchmark"], info["answerer"], info["tasks"]) == ("vcr", "R2C", ["q2a", "qa2r"])
    assert (info["options"]["split"], info["options"]["drawn"]) == ("val", True)
    report = json.loads((answered / "report.json").read_bytes())
    assert (report["n"], report["answers"]) == (19, 19 * 5)
    assert report["seconds"] > 0


def test_rationales_are_asked_for_every_answer(answered: Path, vcr: Path) -> None:
    found = lines(answered)
    for item in items_of(vcr, "val").values():
        assert isinstance(item.gold, Pick)
        keys = {task for name, task in found if name == item.id}
        others = {f"qa2r@{place}" for place in range(4) if place != item.gold.index}
        assert keys == {"q2a", "qa2r"} | others
    for line in found.values():
        chances = line.extra["probabilities"]
        assert len(chances) == 4
        assert sum(chances) == pytest.approx(1, abs=1e-5)
        assert line.answer == Pick(int(np.argmax(chances)))


def test_what_is_handed_in_scores_the_same(run: Run, answered: Path, kept: Path, vcr: Path) -> None:
    told = run("score", "vcr", "--gold", vcr, "--split", "val", "--predictions", kept / "r2c.csv", "--json")
    assert told.code == 0, told.err
    report = json.loads((answered / "report.json").read_bytes())
    for metric in ("q2a", "qa2r", "q2ar"):
        assert told.json["metrics"][metric]["k"] == report["metrics"][metric]["k"]
        assert told.json["metrics"][metric]["n"] == report["metrics"][metric]["n"] == 19


def test_what_was_looked_at_is_shares_of_what_is_there(answered: Path, vcr: Path) -> None:
    path = answered / "attention.safetensors"
    looked, items = load_file(path), items_of(vcr, "val")
    shown = list(items)[:5]
    assert set(looked) == {
        f"{item}/{task}/{name}" for item in shown for task in ("q2a", "qa2r") for name in ("query", "objects")
    }
    for item in shown:
        example = example_of(VCR.task("q2a").ask(items[item]))
        lengths = [len(text.words) for text in example.responses]
        for name, places in (("query", len(example.query.words)), ("objects", len(example.objects))):
            shares = looked[f"{item}/q2a/{name}"].astype(np.float32)
            assert shares.shape == (4, max(lengths), places)
            for choice, length in enumerate(lengths):
                assert shares[choice, :length].sum(axis=-1) == pytest.approx(np.ones(length), abs=5e-3)
                assert not shares[choice, length:].any()
    mask = os.umask(0o022)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


def test_the_command_tells_and_writes_all_of_it(
    run: Run, trained: Path, answered: Path, vcr: Path, tmp_path: Path
) -> None:
    out, native = tmp_path / "run", tmp_path / "r2c.csv"
    words = ("predict", trained, vcr, "--out", out, "--predictions", native, "--threads", 1)
    told = run(*words)
    assert told.code == 0, told.err
    assert told.out.startswith("R2C on ")
    assert f"the report: {out / 'report.html'}" in told.out
    assert lines(out) == lines(answered)
    assert native.read_text().count("\n") == 20
    again = run(*words, "--json")  # nothing is left to answer, and all of it is told once more
    assert again.json["answers"] == 95
    assert lines(out) == lines(answered)


def _stopping(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    plain, calls = RunLog.extend, iter(range(1000))

    def extend(self: RunLog, new: list[AnswerLine]) -> None:
        if next(calls) == at:
            raise KeyboardInterrupt
        plain(self, new)

    monkeypatch.setattr(RunLog, "extend", extend)


@pytest.mark.parametrize("at", [1, 3])
def test_stopped_halfway_it_goes_on(
    run: Run, trained: Path, vcr: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """Ten answers are written at once, and sixteen questions are read: it may stop within a batch."""
    monkeypatch.setattr(predicting, "AT_ONCE", 10)
    monkeypatch.setattr(predicting, "BATCH", 16)
    words = ("predict", trained, vcr, "--attention", 5)
    assert run(*words, "--out", tmp_path / "whole").code == 0
    with monkeypatch.context() as patched:
        _stopping(patched, at)
        told = run(*words, "--out", tmp_path / "run")
    assert told.code == 130
    assert "Stopped. The same command goes on from here." in told.err
    assert len(lines(tmp_path / "run")) < 95
    assert not (tmp_path / "run" / "report.json").exists()
    told = run(*words, "--out", tmp_path / "run")
    assert told.code == 0, told.err
    assert lines(tmp_path / "run") == lines(tmp_path / "whole")  # probabilities to the last bit
    one, two = (load_file(tmp_path / name / "attention.safetensors") for name in ("run", "whole"))
    assert one.keys() == two.keys()
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_a_split_without_labels_is_answered_all_the_same(
    run: Run, trained: Path, vcr: Path, tmp_path: Path
) -> None:
    bare = changed(vcr, tmp_path / "bare", without_labels)
    words = ("predict", trained, bare, "--split", "test", "--out", tmp_path / "run")
    told = run(*words, "--predictions", tmp_path / "test.csv")
    assert told.code == 0, told.err
    assert "the split has no labels, so there is nothing to score." in told.out
    found = lines(tmp_path / "run")
    assert len(found) == 6 * 5
    assert {task for _, task in found} == {"q2a", *(f"qa2r@{place}" for place in range(4))}
    assert not (tmp_path / "run" / "report.json").exists()
    gold = ("--gold", vcr, "--split", "test")  # the labels are found elsewhere
    told = run("score", "vcr", *gold, "--predictions", tmp_path / "test.csv", "--json")
    assert told.json["n"] == 6


def test_only_a_part(run: Run, trained: Path, vcr: Path, tmp_path: Path) -> None:
    words = ("predict", trained, vcr, "--out", tmp_path / "run", "--attention", 0)
    told = run(*words, "--only", "question_type=Explanation", "--json")
    assert told.code == 0, told.err
    assert 0 < told.json["n"] < 19
    assert not (tmp_path / "run" / "attention.safetensors").exists()
    told = run(*words)
    assert told.code == 2
    assert f"{tmp_path / 'run'} holds another run already. Choose another folder." in told.err


def _strange(words: int) -> Callable[[Item], Item]:
    """Choices of so many words that nobody ever said, and nothing else."""

    def said(item: Item) -> Item:
        text = TaggedText(tuple(f"zq{place}" for place in range(words)))
        return structs.replace(item, texts={"question": text}, choices=(text,) * 4, rationales=(text,) * 4)

    return said


def test_a_split_of_which_no_word_is_known_is_not_answered(
    run: Run, trained: Path, vcr: Path, tmp_path: Path
) -> None:
    foreign = changed(vcr, tmp_path / "foreign", _strange(3))
    told = run("predict", trained, foreign, "--out", tmp_path / "run", "--threads", 1, width=400)
    assert told.code == 2
    assert f"{foreign}, split val, task q2a: of all the words there (zq0, zq1, zq2, …) the" in told.err
    assert "network knows none, so it could only guess. Give a dataset that says things as its" in told.err
    assert not (tmp_path / "run").exists()  # so that a corrected command may begin there


def test_many_unknown_words_are_told_with_their_share(
    run: Run, trained: Path, vcr: Path, tmp_path: Path
) -> None:
    def half(item: Item) -> Item:
        return _strange(3)(item) if int(item.id.rpartition("-")[2]) % 2 else item

    told = run("predict", trained, vcr, "--out", tmp_path / "plain", "--threads", 1)
    assert told.code == 0, told.err
    assert "of the words" not in told.err
    mixed = changed(vcr, tmp_path / "mixed", half)
    told = run("predict", trained, mixed, "--out", tmp_path / "run", "--threads", 1)
    assert told.code == 0, told.err
    line = r"split val, task q2a: (\d+) % of the words are none that the network was trained on"
    found = re.search(line, told.err)
    assert found is not None
    assert 20 < int(found[1]) < 100


def test_verdicts_are_answered_and_scored(run: Run, drawn_world: Path, tmp_path: Path) -> None:
    dataset = drawn_world / "nlvr2"
    words = ("train", "lstm", dataset, "--val-split", "dev", "--epochs", 1, "--threads", 1)
    assert run(*words, "--out", tmp_path / "trained").code == 0
    told = run(
        "predict", tmp_path / "trained", dataset, "--split", "dev", "--out", tmp_path / "run",
        "--predictions", tmp_path / "dev.csv", "--json",
    )  # fmt: skip
    assert told.code == 0, told.err
    assert all(isinstance(line.answer, Verdict) for line in lines(tmp_path / "run").values())
    gold = ("--gold", dataset, "--split", "dev")
    scored = run("score", "nlvr2", *gold, "--predictions", tmp_path / "dev.csv", "--json")
    assert scored.json["metrics"]["accuracy"]["k"] == told.json["metrics"]["accuracy"]["k"]


def _broken(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(b"{")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "training.json").unlink(), "there is no training here (no training.json)"),
        (lambda folder: shutil.rmtree(folder / "qa2r"), "there is no trained network here (no network.json)"),
        (lambda folder: (folder / "q2a" / "best.safetensors").unlink(), "there are no weights here."),
        (_broken("training.json"), "training.json: this cannot be read"),
        (_broken("q2a/network.json"), "network.json: this cannot be read"),
        (_broken("q2a/best.safetensors"), "best.safetensors: this is not a safetensors file"),
        (
            lambda folder: shutil.copy(folder / "qa2r" / "best.safetensors", folder / "q2a"),
            "these weights are of another network",
        ),
    ],
)
def test_a_folder_that_is_damaged_is_told(
    run: Run, trained: Path, vcr: Path, tmp_path: Path, damage: Callable[[Path], object], message: str
) -> None:
    shutil.copytree(trained, tmp_path / "trained")
    damage(tmp_path / "trained")
    told = run("predict", tmp_path / "trained", vcr, "--out", tmp_path / "run", width=400)
    assert told.code == 2
    assert message in told.err
    assert "`commonsight train` wrote" in told.err
    assert not (tmp_path / "run").exists()


def test_what_does_not_go_together_is_told(
    run: Run, trained: Path, answered: Path, drawn_world: Path, vcr: Path, tmp_path: Path
) -> None:
    out = ("--out", tmp_path / "run")
    told = run("predict", trained, drawn_world / "pmr", *out, width=400)
    assert (told.code, "was trained on vcr, and this is pmr." in told.err) == (2, True)
    told = run("predict", trained, vcr, "--split", "dev", *out, width=400)
    assert told.code == 2
    assert "there is no split 'dev'. Choose one of: train, val, test." in told.err
    told = run("predict", trained, vcr, "--split", "test", "--out", answered)
    assert told.code == 2
    assert "holds another run already" in told.err
    one = train(planned("lstm", vcr, recipe=QUICK, tasks=("q2a",)), tmp_path / "one")[0].folder.parent
    told = run("predict", one, vcr, *out, "--predictions", tmp_path / "x.csv", width=400)
    assert told.code == 2
    assert "the leaderboard of vcr wants qa2r too, which was not trained." in told.err
    told = run("predict", one, vcr, *out, "--json")
    assert list(told.json["metrics"]) == ["q2a"]


def test_a_benchmark_of_the_same_tasks_is_still_another(
    run: Run, trained: Path, vcr: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "trained"
    shutil.copytree(trained, folder)
    plan = json.loads((folder / "training.json").read_bytes()) | {"benchmark": "rcv"}
    (folder / "training.json").write_text(json.dumps(plan))
    told = run("predict", folder, vcr, "--out", tmp_path / "run", width=400)
    assert told.code == 2
    assert f"{folder} was trained on rcv, and this is vcr." in told.err


def test_predicting_is_one_processs_work(
    run: Run, trained: Path, vcr: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    told = run("predict", trained, vcr, "--out", tmp_path / "run", width=400)
    assert told.code == 2
    assert "`commonsight predict` is one process's work. Start it without `accelerate launch`." in told.err


# Regions


def test_an_encoder_learns_from_scene_graphs_and_others_see_with_it(
    run: Run, drawn_world: Path, vcr: Path, tmp_path: Path
) -> None:
    raw = drawn_world / "raw"
    scenes = ("train-regions", raw / "scene_graphs.json", "--images", raw / "images")
    learn = (*scenes, "--dim", 16, "--pixels", 32, "--threads", 1, "--out", tmp_path / "eyes")
    told = run(*learn, "--epochs", 2)
    assert told.code == 0, told.err
    assert "things to say of" in told.out
    assert told.err.count("epoch") == 2
    again = run(*learn, "--epochs", 2, "--json")
    assert again.json["training"]["epoch"] == 2
    about = json.loads((tmp_path / "eyes" / "regions.json").read_bytes())
    assert again.json["targets"] == len(about["targets"])
    told = run(*learn, "--epochs", 3, width=400)
    assert told.code == 2
    assert "eyes holds an encoder that was begun otherwise." in told.err
    see = ("train", "r2c", vcr, "--task", "q2a", "--epochs", 1, "--out", tmp_path / "trained")
    told = run(*see, "--regions", f"seen:{tmp_path / 'eyes'}")
    assert told.code == 0, told.err
    names = json.loads((tmp_path / "trained" / "q2a" / "network.json").read_bytes())["names"]
    assert names["regions"].startswith("told@")
    _look_again(run, learn, vcr, tmp_path)


def _look_again(run: Run, learn: tuple[object, ...], vcr: Path, tmp_path: Path) -> None:
    """Its encoder may move, but not become another."""
    words = ("predict", tmp_path / "trained", vcr, "--out", tmp_path / "run")
    (tmp_path / "eyes").rename(tmp_path / "moved")
    told = run(*words, width=400)
    assert (told.code, "there is no region encoder here" in told.err) == (2, True)
    assert run(*words, "--regions", f"seen:{tmp_path / 'moved'}").code == 0
    assert run(*learn, "--epochs", 1, "--seed", 1).code == 0
    told = run(*words, width=400)
    assert told.code == 2
    assert "the network was trained with told@" in told.err
    assert "Say with --regions where the same one is now." in told.err


def test_scenes_without_pictures_or_too_few_are_told(run: Run, drawn_world: Path, tmp_path: Path) -> None:
    scenes = drawn_world / "raw" / "scene_graphs.json"
    told = run("train-regions", scenes, "--out", tmp_path / "eyes", width=400)
    assert told.code == 2
    assert "--images is missing: where are the pictures of these scene graphs?" in told.err
    few = json.loads(scenes.read_bytes())[:5]
    (tmp_path / "few.json").write_text(json.dumps(few))
    images = ("--images", scenes.parent / "images")
    told = run("train-regions", tmp_path / "few.json", *images, "--out", tmp_path / "eyes", width=400)
    assert told.code == 2
    assert "at least ten scenes are needed, to learn from and to judge by." in told.err


def test_a_dataset_has_scenes_and_pictures_of_its_own(run: Run, vcr: Path, tmp_path: Path) -> None:
    told = run("train-regions", vcr, "--out", tmp_path / "eyes", "--epochs", 1, "--pixels", 32, "--json")
    assert told.code == 0, told.err
    assert told.json["objects"] > 100


# Models


def test_all_networks_are_listed_and_each_is_told_of(run: Run) -> None:
    told = run("models", width=140)
    assert told.code == 0
    listed = told.out.splitlines()
    assert [line.split()[0] for line in listed[1 : len(ALL) + 1]] == [entry.name for entry in ALL]
    by_name = {line.split()[0]: line for line in listed}
    assert by_name["r2c"].split() == ["r2c", "R2C", "Zellers", "2019", "words,", "pictures", "0.3", "11.8"]
    assert "sub-words, no query" in by_name["bert-response-only"]
    assert "words, pictures, programs" in by_name["nmn-cs"]
    assert "sub-words, pictures, facts" in by_name["krisp"]
    assert "Suhr 2019        pictures  " in by_name["image-only"]
    assert "Suhr 2019        answers  " in by_name["majority"]
    assert all(re.search(r" [A-Z][a-z-]+ \d{4} ", by_name[entry.name]) for entry in ALL if entry.citation)
    assert max(map(len, listed)) <= 116
    counts = parameter_counts(find("r2c"))
    told = run("models", "r2c")
    assert told.out.startswith("r2c  R2C\n")
    assert f"small {counts['small']:,}, paper {counts['paper']:,}" in told.out
    assert "From Recognition to Cognition" in told.out
    assert "sees by     small crops, paper resnet:PLACE" in told.out
    assert "large 5" in run("models", "ernie-vil").out.split("parameters")[1]
    told = run("models", "--json")
    (one,) = [model for model in told.json["models"] if model["name"] == "r2c"]
    assert one["parameters"] == counts
    assert one["trained"]["paper"]["rate"] == find("r2c").paper.recipe.rate
    assert (one["by"], one["inputs"]) == ("Zellers 2019", "words, pictures")
    assert one["regions"] == {"small": "crops", "paper": "resnet:PLACE"}
    assert one["needs"] == "words, and pictures with boxes"


def test_a_network_that_nobody_knows_is_told(run: Run) -> None:
    told = run("models", "r3c")
    assert told.code == 2
    assert "There is no network 'r3c'. Did you mean r2c" in told.err


def test_items_are_as_they_were(vcr: Path) -> None:
    """The tests themselves: taking labels away takes nothing else."""
    item = next(iter(items_of(vcr, "val").values()))
    bare = without_labels(item)
    assert bare.gold is None
    assert structs.replace(bare, gold=item.gold, rationale_gold=item.rationale_gold) == item
