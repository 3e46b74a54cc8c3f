"""`commonsight train-grid`: each part trained on and tested on, gone on with, and refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, stdev

import pytest
import torch
from msgspec import structs

from commonsight.benchmarks.pmr import PMR
from commonsight.core.item import Item
from commonsight.store.dataset import read_dataset, sha256

from .conftest import Run
from .training_data import changed, without_outlines

QUICK = ("--epochs", 1, "--batch", 8, "--threads", 1)


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Threads as they were; reports without figures, of which there would be dozens."""
    monkeypatch.setattr(
        "commonsight.audit.report.write.drawn",
        lambda told, _: {plot.name: "<svg/>" for section in told.sections for plot in section.plots},
    )
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def pmr(drawn_world: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A drawn dataset of which every other item is said to have come from matching."""

    def halved(item: Item) -> Item:
        half = ("ori", "adv")[int(item.id) % 2]
        return structs.replace(without_outlines(item), groups={**item.groups, "half": half})

    return changed(drawn_world / "pmr", tmp_path_factory.mktemp("halves") / "pmr", halved)


def report(folder: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = json.loads((folder / "report.json").read_bytes())["metrics"]
    return found


def test_every_part_is_trained_on_and_tested_on(run: Run, pmr: Path, tmp_path: Path) -> None:
    out = tmp_path / "grid"
    words = ("train-grid", "lstm", pmr, "--out", out, *QUICK, "--test-split", "val")
    told = run(*words, "--seeds", 2, width=200)
    assert told.code == 0, told.err
    made = json.loads((out / "grid.json").read_bytes())
    assert made["parts"] == {"Ori": "half=ori", "Adv": "half=adv", "Mix": ""}
    parts = list(made["parts"])
    assert [(cell["trained"], cell["tested"]) for cell in made["cells"]] == [
        (trained, tested) for trained in parts for tested in parts
    ]
    for cell in made["cells"]:
        folders = [out / f"seed-{seed}" / cell["trained"] for seed in (0, 1)]
        runs = [report(folder / f"tested-{cell['tested']}") for folder in folders]
        for name, summary in cell["metrics"].items():
            values = [one[name]["value"] for one in runs]
            assert summary["seeds"] == values
            assert summary["mean"] == pytest.approx(fmean(values))
            assert summary["deviation"] == pytest.approx(stdev(values))
        assert {f"picks_{name}" for name in ("Action-True", "Distractor2")} <= set(cell["metrics"])
    halves = [item.groups["half"] for item in read_dataset(pmr, split="val")]
    counts = {"Ori": halves.count("ori"), "Adv": halves.count("adv"), "Mix": len(halves)}
    assert all(cell["metrics"]["accuracy"]["n"] == counts[cell["tested"]] for cell in made["cells"])
    plan = json.loads((out / "seed-1" / "Adv" / "trained" / "training.json").read_bytes())
    assert (plan["only"], plan["seed"]) == ("half=adv", 1)
    tables = (out / "grid.md").read_text()
    assert "|  | Ori train |  |  | Adv train |  |  | Mix train |  |  |" in tables
    assert "|  | Ori test | Adv test | Mix test | Ori test |" in tables
    assert "a drawn dataset; percent, mean and deviation of 2 seeds." in tables
    assert str(out / "grid.md") in told.out
    assert " ± " in told.out


def test_it_goes_on_and_more_seeds_add_to_it(
    run: Run, pmr: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "grid"
    words = (
        "train-grid",
        "lstm",
        pmr,
        "--out",
        out,
        *QUICK,
        "--test-split",
        "val",
        "--parts",
        "Adv:half=adv",
    )

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("commonsight.runs.grid.predict", stopped)
        assert run(*words).code == 130
    assert not (out / "grid.json").exists()
    told = run(*words, "--json")
    assert told.code == 0, told.err
    assert "epoch" not in told.err  # what was trained before is not trained again
    kept = (out / "seed-0" / "Adv" / "trained" / "action" / "best.safetensors").stat().st_mtime_ns
    more = run(*words, "--seeds", 2, "--json")
    assert (out / "seed-0" / "Adv" / "trained" / "action" / "best.safetensors").stat().st_mtime_ns == kept
    for before, now in zip(told.json["cells"], more.json["cells"], strict=True):
        assert now["metrics"]["accuracy"]["seeds"][:1] == before["metrics"]["accuracy"]["seeds"]
        assert before["metrics"]["accuracy"]["deviation"] is None
        assert now["metrics"]["accuracy"]["deviation"] is not None


def test_it_is_trained_as_a_person_says(run: Run, pmr: Path, tmp_path: Path) -> None:
    """With the same options as `train`; 0 says never."""
    out, words = tmp_path / "grid", ("--parts", "Adv:half=adv", "--test-split", "val")
    numbers = ("--decay", 0.5, "--clip", 0, "--plateau", 1, "--patience", 3, "--growth", 1.5, "--ema", 0.9)
    told = run("train-grid", "lstm", pmr, "--out", out, *QUICK, *words, *numbers)
    assert told.code == 0, told.err
    recipe = json.loads((out / "seed-0" / "Adv" / "trained" / "training.json").read_bytes())["recipe"]
    assert (recipe["decay"], recipe["clip"], recipe["plateau"]) == (0.5, None, 1)
    assert (recipe["patience"], recipe["growth"], recipe["ema"], recipe["epochs"]) == (3, 1.5, 0.9, 1)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ("Ori", "--parts: 'Ori' is no part with a name of its own."),
        ("A:half=ori,A:half=adv", "--parts: 'A:half=adv' is no part with a name of its own."),
        ("../up:half=ori", "is no part with a name of its own."),
        (" , ", "--parts names no part."),
        ("A:half", "--only half: write SLICE=LABEL"),
        ("A:mood=sad", "pmr knows no slice 'mood'. It has: half, category, premise."),
        ("A:half=ori,B:half=none", "split train has no such item. Its labels are: adv, ori."),
    ],
)
def test_parts_that_are_none_are_told_before_anything_is_trained(
    run: Run, pmr: Path, tmp_path: Path, parts: str, message: str
) -> None:
    words = ("train-grid", "lstm", pmr, "--out", tmp_path / "grid", "--parts", parts, "--test-split", "val")
    told = run(*words, *QUICK, width=400)
    assert told.code == 2
    assert message in told.err
    assert not (tmp_path / "grid").exists()


def test_a_dataset_without_parts_is_told_how_to_give_them(run: Run, drawn_vcr: Path, tmp_path: Path) -> None:
    told = run("train-grid", "lstm", drawn_vcr, "--out", tmp_path / "grid", width=400)
    assert told.code == 2
    assert "vcr names no parts to train on apart. Give them, as in --parts" in told.err
    assert "Its slices: question_type." in told.err


def test_the_papers_parts_are_slices_of_the_benchmark() -> None:
    slices = PMR.scoring.slices
    assert all(only.partition("=")[0] in slices for only in PMR.scoring.parts.values() if only)


def test_a_test_split_without_labels_is_told_first(run: Run, pmr: Path, tmp_path: Path) -> None:
    bare = changed(
        pmr,
        tmp_path / "bare",
        lambda item: structs.replace(item, gold=None) if item.split == "test" else item,
    )
    told = run("train-grid", "lstm", bare, "--out", tmp_path / "grid", "--parts", "Mix:", width=400)
    assert told.code == 2
    assert "items to test on have no right answer for action" in told.err
    assert not (tmp_path / "grid").exists()


def test_every_part_begins_with_the_weights_that_are_given(run: Run, pmr: Path, tmp_path: Path) -> None:
    assert run("train", "lstm", pmr, "--out", tmp_path / "first", *QUICK).code == 0
    words = ("train-grid", "lstm", pmr, *QUICK, "--parts", "All:", "--test-split", "val")
    told = run(*words, "--weights", tmp_path / "first", "--out", tmp_path / "grid")
    assert told.code == 0, told.err
    plan = json.loads((tmp_path / "grid" / "seed-0" / "All" / "trained" / "training.json").read_bytes())
    digest = sha256(tmp_path / "first" / "action" / "best.safetensors")
    assert plan["weights"] == {"action": digest}
