"""`commonsight build questions`: graphs in, a benchmark out; whatever is wrong is told picture by picture."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonsight.benchmarks import find
from commonsight.benchmarks.cric import QUESTION_TYPES
from commonsight.core.answer import Grounded
from commonsight.core.item import Item
from commonsight.graph.execute import execute
from commonsight.graph.knowledge import Knowledge
from commonsight.graph.load import load_knowledge
from commonsight.graph.sets import SceneSets
from commonsight.store.dataset import check_dataset, read_dataset, read_info
from commonsight.store.native import read_native
from commonsight.world.make import Plan, make_world

TRIPLES = Path("raw/knowledge/triples.tsv")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("questions") / "world"
    make_world(folder, Plan(60, 4, ("cric",)), progress=lambda units, _: units)
    return folder


def _files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _ask(run: Any, world: Path, out: Path, *options: object) -> Any:
    return run(
        "build", "questions", "--scenes", world, "--knowledge", world / TRIPLES, "--out", out, *options
    )


def _knowledge(world: Path, items: list[Item]) -> Knowledge:
    names = {region.label for item in items for region in item.scenes[0].regions}
    return load_knowledge([world / TRIPLES], names).knowledge


@pytest.fixture(scope="module")
def asked(world: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All raw questions, written as a dataset by the command itself."""
    import sys

    from commonsight.cli.main import main

    out = tmp_path_factory.mktemp("asked") / "asked"
    patch = pytest.MonkeyPatch()
    patch.setattr(
        sys, "argv",
        ["commonsight", "build", "questions", "--scenes", str(world), "--knowledge", str(world / TRIPLES),
         "--no-balance", "--images", str(world / "raw" / "images"), "--sample-for-review", "3",
         "--workers", "1", "--out", str(out)],
    )  # fmt: skip
    with patch.context(), pytest.raises(SystemExit) as ended:
        main()
    patch.undo()
    assert ended.value.code == 0
    return out


def test_a_whole_dataset(asked: Path) -> None:
    assert check_dataset(asked) == []
    info = read_info(asked)
    assert info is not None
    assert (info.benchmark, info.drawn, info.images) == ("cric", True, 60)
    assert info.made.by == "build questions"
    assert set(info.splits) == {"train", "val", "test"}
    names = {path.name for path in asked.iterdir()}
    assert names == {
        "README.md", "croissant.json", "dataset.json", "figures", "images", "native", "report.json",
        "review.html", "train.parquet", "val.parquet", "test.parquet",
    }  # fmt: skip
    assert [path.name for path in asked.parent.iterdir()] == ["asked"]  # nothing is left beside it
    assert {path.name for path in (asked / "figures").iterdir()} == {
        "answers.svg", "answers.png", "questions.svg", "questions.png",
    }  # fmt: skip


def test_every_program_gives_its_answer_its_objects_and_its_trace(world: Path, asked: Path) -> None:
    items = list(read_dataset(asked))
    knowledge = _knowledge(world, items)
    assert len(items) > 1000
    for item in items:
        (scene,) = item.scenes
        sets = SceneSets(scene, knowledge)
        assert item.program is not None
        assert isinstance(item.gold, Grounded)
        executed = execute(item.program, sets, knowledge)
        assert executed.answer == item.gold.text
        assert sets.ids(executed.target) == item.target
        assert item.gold.object_id == (item.target[0] if item.target else None)
        assert (item.gold.text == "no") == (item.target == ())
        for step, value in zip(item.program.steps, executed.values, strict=True):
            assert step.output == (sets.ids(value) if isinstance(value, int) else (value,))
        assert 2 <= len(item.program) - 1 <= 7


def test_questions_are_of_five_types_and_none_comes_twice_in_an_image(asked: Path) -> None:
    items = list(read_dataset(asked))
    texts = Counter((item.groups["image"], item.texts["question"].tokens[0]) for item in items)
    assert set(texts.values()) == {1}
    assert {item.groups["question_type"] for item in items} == set(QUESTION_TYPES)
    for item in items:
        wrong = isinstance(item.gold, Grounded) and item.gold.text == "no"
        assert ("wrong_part" in item.extra) == wrong
        assert set(item.extra["sub_graph"]) == {"relations", "attributes", "knowledge_items"}


def test_an_image_is_in_one_split_only(asked: Path) -> None:
    splits: dict[str, set[str]] = {}
    for item in read_dataset(asked):
        splits.setdefault(item.groups["image"], set()).add(item.split)
    assert {len(own) for own in splits.values()} == {1}


def test_native_files_hold_the_same_as_lines(asked: Path) -> None:
    stored = {item.id: item for item in read_dataset(asked)}
    files = sorted((asked / "native").iterdir())
    assert [path.name for path in files] == ["test.jsonl", "train.jsonl", "val.jsonl"]
    count = 0
    for item in read_native(find("cric").native, files):
        own = stored[item.id]
        assert (item.split, item.texts, item.gold, item.target) == (
            own.split,
            own.texts,
            own.gold,
            own.target,
        )
        assert (item.program, item.groups) == (own.program, own.groups)
        assert item.extra["image"] == own.scenes[0].image
        count += 1
    assert count == len(stored)


def test_balance_is_the_default_and_is_reported(run: Any, world: Path, tmp_path: Path) -> None:
    told = _ask(run, world, tmp_path / "asked", "--workers", 1)
    assert told.code == 0, told.err
    report = json.loads((tmp_path / "asked" / "report.json").read_text())
    before, after = report["balance"]["before"], report["balance"]["after"]
    assert report["questions"] == {"raw": before["questions"], "kept": after["questions"]}
    assert after["questions"] < before["questions"]
    items = list(read_dataset(tmp_path / "asked"))
    assert len(items) == after["questions"]
    given = Counter((item.groups["question_type"], item.gold.text) for item in items)  # type: ignore[union-attr]
    for kind in ("VerifyKG", "VerifyAtt"):
        assert given[kind, "yes"] == given[kind, "no"] > 0
    for kind, own in after["types"].items():
        assert own["answers"]["top_share"] <= before["types"][kind]["answers"]["top_share"]
    assert "VerifyKG" in told.out
    assert "functions in a program" in told.out


def test_any_number_of_workers_gives_the_same_bytes(run: Any, world: Path, tmp_path: Path) -> None:
    for name, workers in (("one/a", 1), ("two/a", 2)):
        told = _ask(run, world, tmp_path / name, "--per-scene", 5, "--workers", workers)
        assert told.code == 0, told.err
    assert _files(tmp_path / "one/a") == _files(tmp_path / "two/a")


# --- bad input ---------------------------------------------------------------------------------------------

CUPS = [
    {"name": "cup", "box": [0, 0, 10, 10], "attributes": ["red"]},
    {"name": "table", "box": [0, 20, 90, 60], "attributes": ["wooden"]},
    {"name": "knife", "box": [40, 0, 50, 10], "attributes": ["metal"]},
]
GOOD = {"image": "good.jpg", "objects": CUPS, "relations": [[0, "on", 1], [2, "on", 1]]}
TOLD = "UsedFor\tknife\tcutting food\nUsedFor\tcup\tdrinking water\nCapableOf\ttable\thold plates\n"


def _scenes(folder: Path, *records: dict[str, Any]) -> Path:
    path = folder / "scenes.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def _make(run: Any, folder: Path, *records: dict[str, Any], knowledge: str = TOLD, options: Any = ()) -> Any:
    table = folder / "knowledge.tsv"
    table.write_text(knowledge)
    return run(
        "build", "questions", "--scenes", _scenes(folder, *records), "--knowledge", table, "--no-balance",
        "--workers", 1, "--out", folder / "asked", *options,
    )  # fmt: skip


def _skipped(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "asked" / "skipped.jsonl").read_text().splitlines()]


def test_good_input_skips_nothing(run: Any, tmp_path: Path) -> None:
    told = _make(run, tmp_path, GOOD)
    assert told.code == 0, told.err
    assert not (tmp_path / "asked" / "skipped.jsonl").exists()


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "dangling": ({"relations": [[0, "on", 9]]}, "the relation names object 9, which is not in this graph"),
    "boxless": ({"objects": [{"name": "cup"}, *CUPS[1:]]}, "cup (0) has no box and is not asked about"),
    "flat": ({"objects": [{**CUPS[0], "box": [5, 5, 5, 9]}, *CUPS[1:]]}, "the box has no area"),
    "empty": ({"objects": [], "relations": []}, "the graph is empty"),
    "rare": ({"objects": [{"name": "qux", "box": [0, 0, 1, 1]}], "relations": []}, "no object left"),
    "nameless": ({"objects": [{"name": " ", "box": [0, 0, 1, 1]}, *CUPS[1:]]}, "the object has no name"),
}


def test_bad_pictures_are_told_one_by_one_and_the_rest_goes_on(run: Any, tmp_path: Path) -> None:
    bad = [{**GOOD, "image": f"{name}.jpg", **changed} for name, (changed, _) in BAD.items()]
    told = _make(run, tmp_path, *bad, GOOD, options=("--fewest", 2))
    assert told.code == 3, told.err
    skipped = _skipped(tmp_path)
    assert {entry["image"] for entry in skipped} == {f"{name}.jpg" for name in BAD}
    for name, (_, why) in BAD.items():
        own = [entry for entry in skipped if entry["image"] == f"{name}.jpg"]
        assert any(why in entry["message"] for entry in own)
        assert why in told.err
        assert all(entry["remedy"] and entry["place"].startswith("scenes.jsonl") for entry in own)
    assert check_dataset(tmp_path / "asked") == []
    images = {item.extra["image"] for item in read_dataset(tmp_path / "asked")}
    assert images == {"good.jpg", "dangling.jpg", "boxless.jpg", "flat.jpg", "nameless.jpg"}


def test_a_picture_about_which_nothing_can_be_asked(run: Any, tmp_path: Path) -> None:
    bare = {"image": "bare.jpg", "objects": [{"name": "knife"}]}
    seen = {"image": "seen.jpg", "objects": CUPS[2:]}
    (tmp_path / "none.tsv").write_text("relation\thead\ttail\nIsA\tknife\ttool\n")
    options = ("--additions", tmp_path / "none.tsv")
    told = _make(run, tmp_path, bare, seen, knowledge="UsedFor\tknife\tcutting food\n", options=options)
    assert told.code == 3, told.err
    assert "image bare.jpg: nothing can be asked about this picture. Tell more about it" in told.err
    assert {item.extra["image"] for item in read_dataset(tmp_path / "asked")} == {"seen.jpg"}


def test_no_question_is_about_an_object_without_a_box(run: Any, tmp_path: Path) -> None:
    bare = {**GOOD, "objects": [{"name": "cup", "attributes": ["red"]}, *CUPS[1:]]}
    _make(run, tmp_path, bare)
    assert all(0 not in (item.target or ()) for item in read_dataset(tmp_path / "asked"))
    told = _make(run, tmp_path, bare, options=("--no-boxes", "--overwrite"))
    assert told.code == 0, told.err
    assert any(0 in (item.target or ()) for item in read_dataset(tmp_path / "asked"))


def test_bad_knowledge_is_told_and_the_rest_goes_on(run: Any, tmp_path: Path) -> None:
    more = "IsA\tcup\tmug\nIsA\tmug\tcup\nWobbles\tcup\ttable\nUsedFor\tcup\n"
    told = _make(run, tmp_path, GOOD, knowledge=f"relation\thead\ttail\n{TOLD}{more}")
    assert told.code == 3, told.err
    assert "categories go in a circle: cup and mug" in told.err
    assert "knowledge.tsv:7: relation: unknown relation 'Wobbles'" in told.err
    assert "knowledge.tsv:8: 2 columns instead of 3" in told.err
    assert check_dataset(tmp_path / "asked") == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "in no layout of scene graphs that is known"),
        ('{"image": "a.jpg", "objects": []}\n', "there is no scene to ask about"),
        (
            '{"image": "a.jpg", "objects": [{"name": "qux", "box": [0, 0, 1, 1]}]}\n',
            "nothing can be asked about",
        ),
    ],
)
def test_nothing_to_ask_about_makes_nothing(run: Any, tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "scenes.jsonl").write_text(text)
    told = run("build", "questions", "--scenes", tmp_path / "scenes.jsonl", "--out", tmp_path / "asked")
    assert told.code == 2
    assert why in told.err
    assert [path.name for path in tmp_path.iterdir()] == ["scenes.jsonl"]


@pytest.mark.parametrize("option", ["--scenes", "--knowledge", "--object-aliases", "--images"])
def test_a_file_that_is_not_there(run: Any, tmp_path: Path, option: str) -> None:
    given = {"--scenes": _scenes(tmp_path, GOOD), option: tmp_path / "nowhere"}
    arguments = [part for pair in given.items() for part in pair]
    told = run("build", "questions", *arguments, "--out", tmp_path / "asked")
    assert told.code == 2
    assert "there is no such" in told.err
    assert [path.name for path in tmp_path.iterdir()] == ["scenes.jsonl"]


def test_a_picture_whose_file_is_missing_is_left_out(run: Any, world: Path, tmp_path: Path) -> None:
    shutil.copytree(world, tmp_path / "world")
    gone = sorted((tmp_path / "world" / "raw" / "images").rglob("*.jpg"))[0]
    gone.unlink()
    images = tmp_path / "world" / "raw" / "images"
    told = _ask(
        run, tmp_path / "world", tmp_path / "asked", "--images", images, "--per-scene", 3, "--workers", 1
    )
    assert told.code == 3, told.err
    assert "the picture's file is missing" in told.err
    assert check_dataset(tmp_path / "asked") == []


def test_another_layout_and_other_names_for_one_picture(run: Any, tmp_path: Path) -> None:
    told = _make(run, tmp_path, {**GOOD, "image": "1.jpg"}, {**GOOD, "image": "1.png"})
    assert told.code == 3
    assert "another picture has its number, 1" in told.err
    told = _make(run, tmp_path, GOOD, options=("--layout", "gqa", "--overwrite"))
    assert told.code == 2
    told = _make(run, tmp_path, GOOD, options=("--layout", "paper", "--overwrite"))
    assert (told.code, "There is no layout 'paper'" in told.err) == (2, True)


def test_too_few_to_balance(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = lambda index, _: np.zeros(len(index), dtype=np.bool_)  # noqa: E731
    monkeypatch.setattr("commonsight.build.questions.outcome.balanced", nothing)
    told = run("build", "questions", "--scenes", _scenes(tmp_path, GOOD), "--out", tmp_path / "asked")
    assert told.code == 2
    assert "too few to be even. Give more scenes, or add --no-balance" in told.err


def test_a_dataset_that_is_there_is_not_lost(run: Any, tmp_path: Path) -> None:
    _make(run, tmp_path, GOOD)
    before = _files(tmp_path / "asked")
    told = _make(run, tmp_path, GOOD)
    assert told.code == 2
    assert "add --overwrite" in told.err
    assert _files(tmp_path / "asked") == before
