"""Native files: splits, ids, sidecar metadata, and writing that is all or nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from commonsight.benchmarks.aokvqa import AOKVQA
from commonsight.benchmarks.nlvr2 import NLVR2
from commonsight.benchmarks.pmr import PMR
from commonsight.benchmarks.vcr import VCR
from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.core.scene import Box
from commonsight.errors import InputError, InvalidRecords, Problem
from commonsight.score.scoring import Scoring
from commonsight.store.native import read_native, split_from_name, write_native


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("train.jsonl", "train"),
        ("val.jsonl", "val"),
        ("val_152.jsonl", "val"),
        ("val-ori.jsonl", "val"),
        ("balanced_dev.json", "dev"),
        ("unbalanced_test1.json", "test1"),
        ("test2.json", "test2"),
        ("test_v1_questions.json", "test"),
        ("aokvqa_v1p0_test.json", "test"),
        ("validation.json", "val"),
        ("valid.json", "val"),
        ("testdev.json", "testdev"),
        ("TRAIN.jsonl", "train"),
        ("latest.json", None),
        ("developer.json", None),
        ("retrained.json", None),
        ("value.json", None),
        ("data.jsonl", None),
        ("gd_vcr_886.jsonl", None),
    ],
)
def test_a_file_s_name_tells_the_split(name: str, split: str | None) -> None:
    assert split_from_name(name) == split


def write_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def problems_of(benchmark: Benchmark[Scoring], *paths: Path, **options: Any) -> tuple[list[Item], list[str]]:
    """Items, and problems without their folder."""
    problems: list[Problem] = []
    items = list(read_native(benchmark.native, list(paths), on_problem=problems.append, **options))
    assert all(problem.path.is_absolute() for problem in problems)
    folder = str(paths[0].parent)
    return items, [str(problem).replace(f"{folder}/", "").replace(folder, ".") for problem in problems]


@pytest.fixture
def pmr(fixtures_dir: Path) -> list[dict[str, Any]]:
    return rows_of(fixtures_dir / "pmr" / "val-ori.jsonl")


@pytest.fixture
def vcr(fixtures_dir: Path) -> list[dict[str, Any]]:
    return rows_of(fixtures_dir / "vcr" / "val.jsonl")


def test_a_split_that_nothing_tells_is_a_problem(tmp_path: Path, pmr: list[dict[str, Any]]) -> None:
    path = write_lines(tmp_path / "records.jsonl", pmr[:1])
    assert problems_of(PMR, path) == (
        [],
        [
            (
                "records.jsonl:1: split: neither the record nor the file's name says which split this is. "
                "Name it with --split, such as --split val."
            )
        ],
    )
    items, problems = problems_of(PMR, path, split="mine")
    assert ([item.split for item in items], problems) == (["mine"], [])


def test_the_record_s_own_split_goes_before_the_file_s_name(
    tmp_path: Path, vcr: list[dict[str, Any]]
) -> None:
    path = write_lines(tmp_path / "train.jsonl", vcr[:1])  # its annot_id says val-0
    assert [item.split for item in read_native(VCR.native, [path])] == ["val"]
    assert [item.split for item in read_native(VCR.native, [path], split="test")] == ["test"]


@pytest.mark.parametrize("split", ["../x", "a/b", "..", "x y", "-x"])
def test_a_split_that_cannot_be_a_file_s_name_is_a_problem(
    tmp_path: Path, fixtures_dir: Path, split: str
) -> None:
    rows = json.loads((fixtures_dir / "aokvqa" / "aokvqa_v1p0_val.json").read_text())
    path = tmp_path / "x.json"
    path.write_text(json.dumps([{**rows[0], "split": split}, rows[1]]))
    items, problems = problems_of(AOKVQA, path)
    assert [item.id for item in items] == ["q1"]
    assert problems == [f"x.json:1: split: '{split}' cannot be a split's name. Use letters, digits, _ and -."]


def test_an_id_used_before_is_a_problem_that_says_where(tmp_path: Path, pmr: list[dict[str, Any]]) -> None:
    first = write_lines(tmp_path / "val-ori.jsonl", pmr[:2])
    second = write_lines(tmp_path / "val-adv.jsonl", [pmr[2], pmr[1], pmr[2]])
    items, problems = problems_of(PMR, first, second)
    assert [item.id for item in items] == ["32", "33", "34"]
    assert problems == [
        (
            "val-adv.jsonl:2: record 33: total_id: the id was used before, at val-ori.jsonl:2. "
            "Give every record its own."
        ),
        (
            "val-adv.jsonl:3: record 34: total_id: the id was used before, at val-adv.jsonl:1. "
            "Give every record its own."
        ),
    ]


def test_the_same_id_in_two_splits_is_fine(tmp_path: Path, pmr: list[dict[str, Any]]) -> None:
    paths = [write_lines(tmp_path / f"{split}-ori.jsonl", pmr) for split in ("train", "val")]
    items, problems = problems_of(PMR, *paths)
    assert (len(items), problems) == (8, [])


def test_a_fault_is_named_by_the_native_field(tmp_path: Path, vcr: list[dict[str, Any]]) -> None:
    row = {**vcr[0], "answer_label": 4, "rationale_label": -1}
    row["question"] = ["Why", [9], "?"]
    row["answer_choices"] = [[[7]], ["b"], ["c"], ["d"]]
    _, problems = problems_of(VCR, write_lines(tmp_path / "val.jsonl", [row]))
    assert [problem.partition(": record val-0: ")[2].partition(". ")[0] for problem in problems] == [
        "answer_label: the label 4 is not one of the 4 choices",
        "rationale_label: the label -1 is not one of the 4 choices",
        "question: the tag [9] points to no object",
        "answer_choices: the tag [7] points to no object",
    ]


KITCHEN = "drawn_kitchen/kitchen@0.json"


def with_metadata(
    tmp_path: Path, fixtures_dir: Path, vcr: list[dict[str, Any]], **changes: Any
) -> tuple[Path, Path]:
    """One record, and a folder of images whose metadata has been changed."""
    content = json.loads((fixtures_dir / "vcr" / "images" / KITCHEN).read_text())
    for name, value in changes.items():
        content[name] = value
    metadata = tmp_path / "images" / KITCHEN
    metadata.parent.mkdir(parents=True)
    metadata.write_text(json.dumps(content))
    return write_lines(tmp_path / "val.jsonl", vcr[:1]), tmp_path / "images"


def test_metadata_gives_boxes_polygons_scores_and_sizes(
    tmp_path: Path, fixtures_dir: Path, vcr: list[dict[str, Any]]
) -> None:
    path, images = with_metadata(tmp_path, fixtures_dir, vcr, camera="left")
    (item,) = read_native(VCR.native, [path], images=images)
    scene = item.scenes[0]
    assert (scene.width, scene.height, scene.extra) == (160, 100, {"camera": "left"})
    cup = scene.regions[2]
    assert (cup.label, cup.box, cup.score) == ("cup", Box(48, 60, 56, 70), 0.84)
    assert cup.polygons == (((48, 60), (56, 60), (56, 70), (48, 70)),)


BOXES = [[10, 20, 40, 95], [70, 25, 98, 95], [48, 60, 56, 70], [110, 50, 140, 95]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"boxes": BOXES[:3]}, "boxes: 3 entries for the record's 4 objects"),
        ({"segms": []}, "segms: 0 entries for the record's 4 objects"),
        ({"names": ["person"] * 5}, "names: 5 entries for the record's 4 objects"),
        ({"names": ["person", "dog", "cup", "chair"]}, "names: they differ from the record's objects"),
        ({"boxes": [*BOXES[:3], [1, 2, 3]]}, "boxes: the box of object 3 has 3 numbers"),
        ({"boxes": [[0] * 6, *BOXES[1:]]}, "boxes: the box of object 0 has 6 numbers"),
        (
            {"boxes": [[40, 20, 10, 95], *BOXES[1:]]},
            "boxes: the box of object 0 (person) is inverted: (40, 20, 10, 95)",
        ),
        (
            {"boxes": [*BOXES[:3], [110, 50, 240, 95]]},
            "boxes: the box of object 3 (chair) reaches outside the image (160 x 100): (110, 50, 240, 95)",
        ),
        ({"boxes": "none"}, "boxes: expected `array`, got `str`"),
        ({"width": 0}, "width: expected `int` >= 1"),
        ({"width": 10**30}, "width: expected `int` <= 2147483647"),
        ({"segms": [[[[1, 2, 3]]]] * 4}, "segms[0][0][0]: expected `array` of length 2"),
    ],
)
def test_metadata_that_does_not_fit_is_a_problem(
    tmp_path: Path, fixtures_dir: Path, vcr: list[dict[str, Any]], changes: dict[str, Any], message: str
) -> None:
    path, images = with_metadata(tmp_path, fixtures_dir, vcr, **changes)
    items, problems = problems_of(VCR, path, images=images)
    assert items == []
    assert len(problems) == 1
    assert f"{message}. " in problems[0]


def test_metadata_faults_name_the_metadata_file(
    tmp_path: Path, fixtures_dir: Path, vcr: list[dict[str, Any]]
) -> None:
    path, images = with_metadata(tmp_path, fixtures_dir, vcr, names=["person"] * 4)
    _, problems = problems_of(VCR, path, images=images)
    assert problems == [
        (
            f"images/{KITCHEN}: record val-0: names: they differ from the record's objects. "
            "Use the metadata of this image."
        )
    ]


def test_missing_metadata_is_a_problem(tmp_path: Path, vcr: list[dict[str, Any]]) -> None:
    path = write_lines(tmp_path / "val.jsonl", vcr[:1])
    items, problems = problems_of(VCR, path, images=tmp_path)
    assert items == []
    assert problems == [
        f"{KITCHEN}: the file cannot be read (no such file or directory). Check the path and its permissions."
    ]


def test_broken_metadata_is_a_problem(tmp_path: Path, fixtures_dir: Path, vcr: list[dict[str, Any]]) -> None:
    path, images = with_metadata(tmp_path, fixtures_dir, vcr)
    (images / KITCHEN).write_text('{"boxes": [')
    items, problems = problems_of(VCR, path, images=images)
    assert items == []
    assert problems == [
        f"images/{KITCHEN}:1: the JSON is cut off. Was the file copied or downloaded in full?"
    ]


@pytest.mark.parametrize("name", ["../secret.json", "/etc/passwd", "//etc/passwd", "a/../../secret.json", ""])
def test_metadata_is_never_read_from_outside_the_images(
    tmp_path: Path, vcr: list[dict[str, Any]], name: str
) -> None:
    (tmp_path / "secret.json").write_text('{"boxes": []}')
    path = write_lines(tmp_path / "val.jsonl", [{**vcr[0], "metadata_fn": name}])
    items, problems = problems_of(VCR, path, images=tmp_path / "images")
    assert items == []
    assert problems == [
        (
            f"images: '{name}' is not a path below images. Write names relative to that folder. "
            "Correct the record."
        )
    ]


def test_without_images_the_metadata_is_not_looked_for(tmp_path: Path, vcr: list[dict[str, Any]]) -> None:
    (item,) = read_native(VCR.native, [write_lines(tmp_path / "val.jsonl", vcr[:1])])
    assert item.scenes[0].regions[0].box is None


def below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def items_of(benchmark: Benchmark[Scoring], path: Path, images: Path | None = None) -> list[Item]:
    return list(read_native(benchmark.native, [path], images=images))


def test_each_item_is_written_to_its_own_file(fixtures_dir: Path, tmp_path: Path) -> None:
    items = [
        *items_of(PMR, fixtures_dir / "pmr" / "val-ori.jsonl"),
        *items_of(PMR, fixtures_dir / "pmr" / "val-adv.jsonl"),
    ]
    written = write_native(PMR.native, items, tmp_path / "out")
    assert written == {"val-ori.jsonl": 4, "val-adv.jsonl": 4}
    assert below(tmp_path / "out") == ["val-adv.jsonl", "val-ori.jsonl"]
    for name in written:
        original = rows_of(fixtures_dir / "pmr" / name)
        assert rows_of(tmp_path / "out" / name) == original


def test_metadata_is_written_once_an_image(fixtures_dir: Path, tmp_path: Path) -> None:
    images = fixtures_dir / "vcr" / "images"
    items = items_of(VCR, fixtures_dir / "vcr" / "val.jsonl", images)
    written = write_native(VCR.native, items, tmp_path)
    sidecars = sorted(str(path.relative_to(images)) for path in images.rglob("*.json"))
    assert written == {"val.jsonl": 8, **{f"images/{name}": 1 for name in sidecars}}
    for name in sidecars:
        ours = json.loads((tmp_path / "images" / name).read_text())
        assert ours == json.loads((images / name).read_text())


def failing_midway(items: list[Item]) -> Iterator[Item]:
    yield from items[:3]
    raise RuntimeError("the power went out")


@pytest.mark.parametrize("fault", ["items", "from_item"])
@pytest.mark.parametrize("benchmark", [VCR, AOKVQA], ids=["lines and sidecars", "array"])
def test_writing_leaves_nothing_if_it_fails_midway(
    fixtures_dir: Path, tmp_path: Path, benchmark: Benchmark[Scoring], fault: str
) -> None:
    file = {"vcr": "vcr/val.jsonl", "aokvqa": "aokvqa/aokvqa_v1p0_val.json"}[benchmark.name]
    items = items_of(benchmark, fixtures_dir / file, fixtures_dir / "vcr" / "images")
    native = benchmark.native
    if fault == "from_item":
        turns = iter(range(100))

        def from_item(item: Item) -> dict[str, Any]:
            if next(turns) == 3:
                raise RuntimeError("the power went out")
            return native.from_item(item)

        broken, source = replace(native, from_item=from_item), iter(items)
    else:
        broken, source = native, failing_midway(items)
    with pytest.raises(RuntimeError, match="power"):
        write_native(broken, source, tmp_path / "out")
    assert below(tmp_path) == []


def test_a_failed_writing_leaves_the_old_files_as_they_were(fixtures_dir: Path, tmp_path: Path) -> None:
    items = items_of(NLVR2, fixtures_dir / "nlvr2" / "dev.json")
    (tmp_path / "dev.json").write_text("old")
    with pytest.raises(RuntimeError):
        write_native(NLVR2.native, failing_midway(items), tmp_path)
    assert below(tmp_path) == ["dev.json"]
    assert (tmp_path / "dev.json").read_text() == "old"


def test_metadata_is_never_written_outside_the_folder(fixtures_dir: Path, tmp_path: Path) -> None:
    items = items_of(VCR, fixtures_dir / "vcr" / "val.jsonl", fixtures_dir / "vcr" / "images")
    for name in ("../../escaped.json", "//escaped.json", "/escaped.json"):
        bad = structs.replace(items[0], extra={**items[0].extra, "metadata_fn": name})
        with pytest.raises(InputError, match="is not a path below"):
            write_native(VCR.native, [*items[1:], bad], tmp_path / "out")
        assert below(tmp_path) == []


def test_a_split_never_leads_outside_the_folder(fixtures_dir: Path, tmp_path: Path) -> None:
    (item, *_) = items_of(NLVR2, fixtures_dir / "nlvr2" / "dev.json")
    with pytest.raises(InputError, match=r"'\.\./x' cannot be a split's name"):
        write_native(NLVR2.native, [structs.replace(item, split="../x")], tmp_path / "out")
    assert below(tmp_path) == []


def test_the_first_problem_is_raised_unless_problems_are_collected(
    tmp_path: Path, pmr: list[dict[str, Any]]
) -> None:
    path = write_lines(tmp_path / "val-ori.jsonl", [pmr[0], {**pmr[1], "answer_label": 9}, {"total_id": 1}])
    with pytest.raises(InvalidRecords) as raised:
        list(read_native(PMR.native, [path]))
    assert len(raised.value.problems) == 1
    items, problems = problems_of(PMR, path)
    assert (len(items), len(problems)) == (1, 2)
