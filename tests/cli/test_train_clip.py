"""`commonsight train-clip` on a drawn world's scene graphs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from commonsight.models.wholes import clip
from commonsight.runs import clipping
from commonsight.store.dataset import read_dataset
from commonsight.world.make import Plan, make_world

SMALL = ("--pixels", "24", "--patch", "8", "--dim", "16", "--threads", "1")


@pytest.fixture(scope="module")
def scenes(drawn_world: Path) -> tuple[str, ...]:
    raw = drawn_world / "raw"
    return (str(raw / "scene_graphs.json"), "--images", str(raw / "images"))


def test_it_is_a_clip_like_any_other_and_goes_on(run: Any, scenes: tuple[str, ...], tmp_path: Path) -> None:
    told = run("train-clip", *scenes, *SMALL, "--epochs", "2", "--out", tmp_path / "clip", "--json")
    assert told.code == 0, told.err
    found = json.loads(told.out)
    assert found["pictures"] >= found["judged"] == found["compared"] >= 2
    assert 0 <= found["state"]["best"] <= 1
    assert clip.ClipTexts(clip.load(str(tmp_path / "clip"))).encode(["a man"]).shape == (1, 16)
    model = (tmp_path / "clip" / "model.safetensors").read_bytes()
    half = shutil.copytree(tmp_path / "clip", tmp_path / "half")
    (half / "config.json").unlink()  # as if it had been killed while it was saved
    assert run("train-clip", *scenes, *SMALL, "--epochs", "2", "--out", half).code == 0
    assert (half / "config.json").is_file()
    assert (half / "model.safetensors").read_bytes() == model
    told = run("train-clip", *scenes, *SMALL, "--epochs", "2", "--seed", "1", "--out", half)
    assert told.code == 2
    assert "holds a CLIP that was begun otherwise" in told.err


def test_zero_shot_wants_one_clip_and_not_two(
    run: Any, scenes: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMONSIGHT_CACHE", str(tmp_path / "cache"))
    make_world(tmp_path / "world", Plan(30, 3, ("aokvqa",)), progress=lambda done, _: done)
    for place, seed in (("one", "1"), ("other", "2")):
        told = run("train-clip", *scenes, *SMALL, "--epochs", "1", "--seed", seed, "--out", tmp_path / place)
        assert told.code == 0, told.err
    shutil.copytree(tmp_path / "one", tmp_path / "copied")
    words = ("train", "clip-zero-shot", tmp_path / "world" / "aokvqa", "--text", f"clip:{tmp_path / 'one'}")
    told = run(*words, "--regions", f"clip:{tmp_path / 'other'}", "--out", tmp_path / "two")
    assert told.code == 2
    assert "Give the same CLIP twice" in " ".join(told.err.split())
    assert not (tmp_path / "two").exists()
    told = run(*words, "--regions", f"clip:{tmp_path / 'copied'}", "--out", tmp_path / "same")
    assert told.code == 0, told.err


def test_what_is_missing_is_told(run: Any, scenes: tuple[str, ...], tmp_path: Path) -> None:
    for given, message in (
        ((scenes[0],), "--images is missing"),
        ((*scenes, "--pixels", "30", "--patch", "8"), "cannot be cut into squares of 8"),
    ):
        told = run("train-clip", *given, "--out", tmp_path / "clip")
        assert told.code == 2
        assert message in told.err
        assert not (tmp_path / "clip").exists()


def test_a_dataset_tells_of_its_pictures_by_graphs_and_reasons(drawn_world: Path) -> None:
    plan = clipping.ClipPlan(drawn_world / "vcr", captions=2)
    vcr = list(read_dataset(drawn_world / "vcr", split="train"))
    rationales = {text.with_names(item.labels) for item in vcr for text in item.rationales}
    graphs = clipping._of_items(vcr, plan)
    assert {one.picture for one in graphs} == {item.scenes[0].stored for item in vcr}
    assert not {text for one in graphs for text in one.captions} & rationales  # three in four are wrong
    reasons = [structs.replace(item, rationale_gold=None) for item in vcr]
    told = {text for one in clipping._of_items(reasons, plan) for text in one.captions}
    assert rationales <= told
