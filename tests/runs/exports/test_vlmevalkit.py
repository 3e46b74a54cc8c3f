"""The TSV keeps the rules that VLMEvalKit's guide to datasets states.

VLMEvalKit itself is not on the package index, so the rules are checked here one by one, with pandas, with
which it reads: an `index` of its own for each row; `image` base64, or a list of them as text, or the index
of a row with the same picture, in at most 64 letters; `image_path` names for lists; choices in columns A, B,
C …; `answer` a letter where there are choices.
"""

from __future__ import annotations

import ast
import base64
import io
import json
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from commonsight.core.answer import FreeText, Pick
from commonsight.errors import InputError
from commonsight.runs.exports.datasets import dataset_of_tsv
from commonsight.runs.exports.for_vlmevalkit import ITEM, TASK
from commonsight.runs.exports.info import read_export, read_items
from commonsight.runs.subject import Opening
from commonsight.store.dataset import check_dataset, read_dataset

pandas = pytest.importorskip("pandas", reason="VLMEvalKit reads with pandas, which is not installed")

NAMES = ("vcr", "pmr", "cric", "nlvr2", "aokvqa")
Exported = Callable[..., Path]


def pictures(rows: dict[str, Any], index: int) -> list[Image.Image]:
    """As VLMEvalKit resolves the `image` column."""
    cell = rows[str(index)]
    if len(cell) <= 64:
        cell = rows[cell]
        assert len(cell) > 64
    parts = ast.literal_eval(cell) if cell.startswith("[") else [cell]
    return [Image.open(io.BytesIO(base64.b64decode(part))) for part in parts]


@pytest.mark.parametrize("name", NAMES)
def test_the_table_keeps_the_rules(name: str, exported: Exported) -> None:
    folder = exported(name, "vlmevalkit")
    items = {item.id: item for item in read_items(folder)}
    for task in read_export(folder).tasks:
        table = pandas.read_csv(folder / f"{task.called}.tsv", sep="\t")
        assert len(table) == task.samples
        assert list(table["index"]) == list(range(len(table)))
        assert set(table[TASK]) == {task.name}
        shown = {str(index): str(cell) for index, cell in zip(table["index"], table["image"], strict=True)}
        letters = [column for column in table.columns if column in string.ascii_uppercase]
        for row in table.to_dict("records"):
            item = items[str(row[ITEM])]
            found = pictures(shown, row["index"])
            assert len(found) == len(item.scenes)
            paths = row["image_path"]
            names = ast.literal_eval(paths) if paths.startswith("[") else [paths]
            assert len(names) == len(found)
            assert row["split"] == item.split
            assert isinstance(row["question"], str)
            if letters:
                assert all(isinstance(row[letter], str) for letter in letters)
                assert row["answer"] in letters
                assert "A. " not in row["question"]  # VLMEvalKit writes the choices itself
                assert "Answer with" not in row["question"]


def test_two_pictures_and_the_same_picture_again(exported: Exported) -> None:
    table = pandas.read_csv(exported("nlvr2", "vlmevalkit") / "commonsight_nlvr2_verify.tsv", sep="\t")
    assert table["image"][0].startswith("['")
    cric = pandas.read_csv(exported("cric", "vlmevalkit") / "commonsight_cric_answer.tsv", sep="\t")
    short = [cell for cell in map(str, cric["image"]) if len(cell) <= 64]
    assert short, "the fixture has several questions about one picture"


def test_a_choice_called_none_survives_pandas(tmp_path: Path, fixtures_dir: Path) -> None:
    from commonsight.runs.exports.peers import export

    records = json.loads((fixtures_dir / "aokvqa" / "aokvqa_v1p0_val.json").read_text("utf-8"))[:1]
    records[0]["choices"][1] = "None"
    source = tmp_path / "aokvqa_v1p0_val.json"
    source.write_text(json.dumps(records))
    Image.new("RGB", (8, 8)).save(tmp_path / f"{records[0]['image_id']:012d}.jpg")
    export(Opening((source,), images=tmp_path), "vlmevalkit", tmp_path / "out", tasks=["mc"])
    table = pandas.read_csv(tmp_path / "out" / "commonsight_aokvqa_mc.tsv", sep="\t")
    assert table["B"][0].strip() == "None"


@pytest.mark.parametrize("name", NAMES)
def test_our_own_table_gives_the_same_items(
    name: str, exported: Exported, opening_of: Callable[[str], Opening], tmp_path: Path
) -> None:
    folder = exported(name, "vlmevalkit")
    table = next(folder.glob("*.tsv"))
    info = dataset_of_tsv(table, tmp_path / "back", tmp_path / "scratch")
    assert info.benchmark == name
    assert list(read_dataset(tmp_path / "back")) == list(opening_of(name).read())


def test_our_own_table_with_its_pictures_is_a_whole_dataset(
    exported: Exported, fixtures_dir: Path, tmp_path: Path
) -> None:
    table = exported("vcr", "vlmevalkit") / "commonsight_vcr_q2a.tsv"
    info = dataset_of_tsv(table, tmp_path / "back", tmp_path, images=fixtures_dir / "vcr" / "images")
    assert info.images == 3
    assert check_dataset(tmp_path / "back") == []


def foreign(folder: Path, rows: list[list[str]]) -> Path:
    path = folder / "FOREIGN_dev.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return path


def drawn(colour: int) -> str:
    stream = io.BytesIO()
    Image.new("RGB", (8, 6), colour).save(stream, "PNG")
    return base64.b64encode(stream.getvalue()).decode()


NO_PICTURE = base64.b64encode(b"no picture " * 9).decode()
HEAD = ["index", "image", "question", "hint", "A", "B", "C", "answer", "category"]


def test_any_table_becomes_a_dataset(tmp_path: Path) -> None:
    rows = [
        HEAD,
        ["7", drawn(1), "What is it?", "Look.", "a cup", " None", "", "B", "things"],
        ["8", "7", "And its colour?", "", "", "", "", "red", ""],
        ["9", repr([drawn(2), drawn(3)]), "Same?", "", "yes", "no", "maybe", "", ""],
    ]
    (tmp_path / "scratch").mkdir()
    info = dataset_of_tsv(foreign(tmp_path, rows), tmp_path / "out", tmp_path / "scratch")
    assert check_dataset(tmp_path / "out") == []
    assert (info.benchmark, info.images) == ("vlmevalkit", 3)
    first, second, third = read_dataset(tmp_path / "out")
    assert [text.tokens[0] for text in first.choices] == ["a cup", "None"]
    assert (first.gold, second.gold, third.gold) == (Pick(1), FreeText("red"), None)
    assert first.scenes[0].stored == second.scenes[0].stored
    assert len(third.scenes) == 2
    assert (first.split, first.groups) == ("dev", {"category": "things"})


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (["7", "!" * 99, "?", "", "", "", "", "", ""], r"FOREIGN_dev\.tsv:2: image: this is no base64"),
        (["7", "5", "?", "", "", "", "", "", ""], "image: it is the picture of row 5, which has none"),
        (["7", "[1,", "?", "", "", "", "", "", ""], "image: this is no list"),
        (["7", drawn(1), "?", "", "x", "y", "", "C", ""], "answer: the answer 'C' is no choice"),
        (["7", NO_PICTURE, "?", "", "", "", "", "", ""], "not a whole image"),
    ],
)
def test_a_broken_table_leaves_nothing(row: list[str], message: str, tmp_path: Path) -> None:
    table = foreign(tmp_path, [HEAD, row])
    (tmp_path / "scratch").mkdir()
    with pytest.raises(InputError, match=message):
        dataset_of_tsv(table, tmp_path / "out", tmp_path / "scratch")
    assert not (tmp_path / "out").exists()
