"""Trained, pre-trained and asked with features of regions that were made elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs
from safetensors.numpy import save_file

from commonsight.store.dataset import read_dataset

from .conftest import Run

pytestmark = pytest.mark.usefixtures("one_thread", "kept_cache")
QUICK = ("--epochs", 1, "--batch", 8, "--threads", 1)
Arrays = dict[str, Any]


def features(dataset: Path, path: Path, change: Callable[[Arrays], object] = lambda _: None) -> Path:
    """Of every picture a row for all of it, and one for each of its boxes."""
    arrays: Arrays = {}
    rng = np.random.default_rng(0)
    for scene in (scene for item in read_dataset(dataset) for scene in item.scenes):
        own = [structs.astuple(region.box) for region in scene.regions if region.box is not None]
        boxes = np.array([(0, 0, scene.width, scene.height), *own], np.float32)
        arrays[f"{scene.stored}/boxes"] = boxes
        arrays[f"{scene.stored}/features"] = rng.random((len(boxes), 6), np.float32)
    change(arrays)
    save_file(arrays, path)
    return path


def test_trained_with_a_file_and_asked_with_it_and_no_other(
    run: Run, drawn_vcr: Path, tmp_path: Path
) -> None:
    given, out = features(drawn_vcr, tmp_path / "regions.safetensors"), tmp_path / "trained"
    words = ("--task", "q2a", "--regions", f"features:{given}", "--out", out, *QUICK)
    told = run("train", "r2c", drawn_vcr, *words)
    assert told.code == 0, told.err
    (tmp_path / "moved").mkdir()
    moved = given.rename(tmp_path / "moved" / "others.safetensors")
    ask = ("predict", out, drawn_vcr, "--threads", 1, "--out", tmp_path / "run")
    told = run(*ask, width=400)
    assert told.code == 2
    assert "regions.safetensors: there is no such file or folder. Say where the features are" in told.err
    other = features(drawn_vcr, tmp_path / "b", lambda all_: [one.sort() for one in all_.values()])
    told = run(*ask, "--regions", f"features:{other}", width=400)
    assert told.code == 2
    assert "the network was trained with features-1@" in told.err
    assert "Say with --regions where the same one is now." in told.err
    told = run(*ask, "--regions", f"features:{moved.parent}", "--json")
    assert told.code == 0, told.err
    assert told.json["n"] == 19


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda all_: [all_.pop(name) for name in list(all_)[:2]], "there are no features of images/"),
        (lambda all_: [all_.pop(next(iter(all_)))], "and no images/"),
        (lambda all_: [one.fill(np.nan) for one in all_.values()], "has numbers that are not finite"),
        (lambda all_: all_.update({n: a / 999 for n, a in all_.items()}), "no region of images/"),
        (lambda all_: all_.update(more=np.zeros(3)), "more is neither features nor boxes of a picture"),
    ],
)
def test_files_that_do_not_fit_are_told(
    run: Run, drawn_vcr: Path, tmp_path: Path, change: Callable[[Arrays], object], message: str
) -> None:
    given = features(drawn_vcr, tmp_path / "regions.safetensors", change)
    words = ("train", "r2c", drawn_vcr, "--regions", f"features:{given}", "--out", tmp_path / "out", *QUICK)
    told = run(*words, width=400)
    assert told.code == 2
    assert message in told.err
    assert not (tmp_path / "out").exists()


def test_pre_trained_with_a_file(run: Run, drawn_vcr: Path, tmp_path: Path) -> None:
    given, out = features(drawn_vcr, tmp_path / "regions.safetensors"), tmp_path / "pretrained"
    words = ("--regions", f"features:{given}", "--objectives", "region-features", "--limit", 4)
    told = run("pretrain", "uniter", drawn_vcr, *words, "--task", "q2a", "--out", out, *QUICK)
    assert told.code == 0, told.err
