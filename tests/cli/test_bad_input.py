"""Bad input for every benchmark: code 2, a message with place and remedy, no traceback, nothing written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

LONG = 10 * 1024 * 1024
TEXT = {
    "vcr": "question",
    "pmr": "premise",
    "cric": "question",
    "nlvr2": "sentence",
    "aokvqa": "question",
    "nlvr": "sentence",
    "okvqa": "sent",
}
LABEL: dict[str, tuple[str, Any]] = {
    "vcr": ("answer_label", 4),
    "pmr": ("answer_label", -1),
    "cric": ("target", ["nine"]),
    "nlvr2": ("label", "Maybe"),
    "aokvqa": ("correct_choice_idx", 9),
    "nlvr": ("label", "Maybe"),
    "okvqa": ("label", {"cup": 1.5}),
}
REMEDY = (".", "?")


@pytest.fixture
def refused(run: Any, tmp_path: Path) -> Callable[..., str]:
    """Convert a bad file: it is refused, and leaves no trace."""

    def convert(case: Any, path: Path, *options: object) -> str:
        before = sorted(tmp_path.rglob("*"))
        told = run("convert", case.name, path, "--out", tmp_path / "made", *options)
        assert told.code == 2, told.out
        assert told.out == ""
        assert told.err.startswith("error: ")
        assert told.err.rstrip().endswith(REMEDY)
        assert len(told.err) < 1000
        assert sorted(tmp_path.rglob("*")) == before
        checked = run("validate", case.name, path, *options)
        assert checked.code == 2
        assert told.err.removeprefix("error: ").strip() in checked.out
        return str(told.err)

    return convert


def second_line(case: Any, path: Path) -> str:
    """Where the second record stands in a file that `Case.write` wrote."""
    return f"{path}:{3 if case.array else 2}:"


def test_truncated(case: Any, refused: Any, tmp_path: Path) -> None:
    path = case.write(tmp_path, case.records())
    content = path.read_bytes()
    path.write_bytes(content[: content.rindex(b'"') - 2])
    said = refused(case, path)
    last = content[: content.rindex(b"}")].count(b"\n") + 1
    assert f"{path}:{last}: " in said
    assert "the JSON is cut off. Was the file copied or downloaded in full?" in said


def test_wrong_type(case: Any, refused: Any, tmp_path: Path) -> None:
    first, second, *_ = case.records()
    path = case.write(tmp_path, [first, {**second, TEXT[case.name]: 7}])
    said = refused(case, path)
    assert second_line(case, path) in said
    assert f"{TEXT[case.name]}: expected " in said
    assert "Correct the field's type or value." in said


def test_missing_field(case: Any, refused: Any, tmp_path: Path) -> None:
    first, second, *_ = case.records()
    second = {name: value for name, value in second.items() if name != case.id_field}
    path = case.write(tmp_path, [first, second])
    said = refused(case, path)
    assert second_line(case, path) in said
    assert f"`{case.id_field}`" in said


def test_label_out_of_range(case: Any, refused: Any, tmp_path: Path) -> None:
    first, second, *_ = case.records()
    field, value = LABEL[case.name]
    path = case.write(tmp_path, [first, {**second, field: value}])
    said = refused(case, path)
    assert second_line(case, path) in said
    assert f"{field}" in said


@pytest.mark.parametrize("name", ["vcr", "pmr"])
@pytest.mark.parametrize("where", ["text", "answer_choices", "rationale_choices"])
def test_tag_to_no_object(case_of: Any, refused: Any, tmp_path: Path, name: str, where: str) -> None:
    case = case_of(name)
    if name == "pmr" and where == "rationale_choices":
        where = "answer_choices"
    record = case.records()[1]
    field = TEXT[name] if where == "text" else where
    record[field] = [[99], "?"] if where == "text" else [[[99], "."], *record[field][1:]]
    path = case.write(tmp_path, [case.records()[0], record])
    said = refused(case, path)
    assert f"{path}:2: record {record[case.id_field]}: {field}: the tag [99] points to no object" in said
    assert "Tags count objects from 0 to" in said


@pytest.mark.parametrize("name", ["vcr", "pmr"])
@pytest.mark.parametrize(
    ("box", "what"),
    [
        ([10, 10, 5, 20], "is inverted"),
        ([0, 0, 9000, 20], "reaches outside the image"),
        ([-50, 0, 10, 20], "reaches outside the image"),
    ],
)
def test_bad_box(case_of: Any, refused: Any, tmp_path: Path, name: str, box: list[int], what: str) -> None:
    case = case_of(name)
    record = case.records()[0]
    metadata = json.loads((case.images / record["metadata_fn"]).read_bytes())
    metadata["boxes"][0] = [*box, 0.9]
    sidecar = tmp_path / "images" / record["metadata_fn"]
    sidecar.parent.mkdir(parents=True)
    sidecar.write_text(json.dumps(metadata))
    path = case.write(tmp_path, [record])
    said = refused(case, path, "--images", tmp_path / "images")
    assert f"{path}:1: record {record[case.id_field]}: boxes: the box of object 0 (person) {what}" in said


@pytest.mark.parametrize(
    "change", [{"x_loc": 95}, {"y_loc": -5}, {"size": -3}, {"size": "big"}, {"x_loc": "nan"}]
)
def test_bad_shape(case_of: Any, refused: Any, tmp_path: Path, change: dict[str, Any]) -> None:
    case = case_of("nlvr")
    first, second, *_ = case.records()
    second["structured_rep"][0][0] |= change
    path = case.write(tmp_path, [first, second])
    said = refused(case, path)
    assert f"{path}:2: " in said
    assert "structured_rep: a " in said
    assert said.count("\n") == 1  # one shape, one problem, though six drawings show it


def test_duplicate_ids(case: Any, refused: Any, tmp_path: Path) -> None:
    first, second, *_ = case.records()
    path = case.write(tmp_path, [first, {**second, case.id_field: first[case.id_field]}])
    said = refused(case, path)
    where = f"{path.name}:{2 if case.array else 1}"
    place = f"{second_line(case, path)} record {first[case.id_field]}: {case.id_field}: "
    assert f"{place}the id was used before, at {where}. Give every record its own." in said


@pytest.mark.parametrize("name", ["vcr", "pmr", "cric", "nlvr"])
def test_missing_split(case_of: Any, refused: Any, tmp_path: Path, name: str) -> None:
    case = case_of(name)
    record = case.records()[0]
    if name == "vcr":
        record["annot_id"] = "35"
    path = case.write(tmp_path, [record], "records.json")
    said = refused(case, path)
    assert "split: neither the record nor the file's name says which split this is" in said
    assert "Name it with --split" in said


def test_a_split_that_cannot_be_a_file(case: Any, refused: Any, tmp_path: Path) -> None:
    path = case.write(tmp_path, case.records()[:1])
    assert "cannot be a split's name" in refused(case, path, "--split", "../up")


def test_not_utf_8(case: Any, refused: Any, tmp_path: Path) -> None:
    first, second, *_ = case.records()
    path = case.write(tmp_path, [first, {**second, "note": "cafe"}])
    path.write_bytes(path.read_bytes().replace(b"cafe", b"caf\xe9"))
    said = refused(case, path)
    assert str(path) in said
    assert "UTF-8" in said


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_empty(case: Any, refused: Any, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / case.files[0]
    path.write_bytes(content)
    said = refused(case, path)
    assert f"{path}: the file holds no records. Was the file copied or downloaded in full?" in said


def test_an_array_without_records(case: Any, refused: Any, tmp_path: Path) -> None:
    path = tmp_path / case.files[0]
    path.write_bytes(b"[]\n")
    assert str(path) in refused(case, path)


@pytest.mark.parametrize("start", [b"x", b"{" * 5, b"["])
def test_a_long_line(case: Any, refused: Any, tmp_path: Path, start: bytes) -> None:
    path = tmp_path / case.files[0]
    path.write_bytes(start * (LONG // len(start)) + b"\n")
    said = refused(case, path)
    assert f"{path}:1: " in said or (
        case.array and start != b"x"
    )  # of brackets, an array's reader knows no line


def test_a_folder_instead_of_a_file(case: Any, refused: Any, tmp_path: Path) -> None:
    (tmp_path / "val").mkdir()
    assert "the file cannot be read (is a directory)" in refused(case, tmp_path / "val")


# Predictions: what each file looks like when it is wrong, and what the message must say.

VCR_HEAD = "annot_id," + ",".join(
    [f"answer_{i}" for i in range(4)]
    + [f"rationale_conditioned_on_a{a}_{r}" for a in range(4) for r in range(4)]
)
ROW = ",".join(["0.1"] * 20)

BAD_PREDICTIONS: list[tuple[str, str, str | bytes, tuple[str, ...]]] = [
    ("vcr", "nan", f"{VCR_HEAD}\nval-0,nan,{ROW[4:]}\n", (":2: ", "answer_0", "finite number")),
    ("vcr", "infinite", f"{VCR_HEAD}\nval-0,{ROW}\nval-1,{ROW[4:]},inf\n", (":3: ", "a3_3", "finite number")),
    ("vcr", "word", f"{VCR_HEAD}\nval-0,x,{ROW[4:]}\n", ("answer_0", "numbers")),
    ("vcr", "short row", f"{VCR_HEAD}\nval-0,{ROW[4:]}\n", ("21 columns", "all of its columns")),
    ("vcr", "short head", "annot_id,answer_0\nval-0,1\n", (":1: ", "19 columns are missing", "header")),
    ("pmr", "nan", '{"total_id": 32, "prediction": NaN}\n', (":1: ", "JSON")),
    ("pmr", "missing", '{"total_id": 32}\n', (":1: ", "prediction", "Correct")),
    ("pmr", "word", '{"total_id": 32, "prediction": "C"}\n', (":1: ", "prediction", "Correct")),
    ("pmr", "range", '{"total_id": 32, "prediction": 4}\n', ("32", "prediction", "from 0 to 3")),
    ("cric", "nan", '{"question_id": "c0", "answer": NaN, "object_id": 1}\n', (":1: ", "JSON")),
    ("cric", "missing", '{"question_id": "c0", "answer": "a"}\n', (":1: ", "object_id", "Correct")),
    (
        "cric",
        "word",
        '{"question_id": "c0", "answer": "a", "object_id": "x"}\n',
        (":1: ", "object_id", "Correct"),
    ),
    ("nlvr2", "nan", "dev-0-0-0,NaN\n", (":1: ", "nan", "identifier,True")),
    ("nlvr2", "short", "dev-0-0-0,True\ndev-0-1-0\n", (":2: ", "2 columns")),
    ("nlvr2", "word", "identifier,prediction\ndev-0-0-0,yes\n", (":2: ", "neither True nor False")),
    ("aokvqa", "nan", '{"q0": {"multiple_choice": NaN}}', (":1: ", "JSON")),
    ("aokvqa", "neither", '{"q0": {}}', ("neither multiple_choice nor direct_answer", "at least one")),
    ("aokvqa", "part", '{"q0": {"direct_answer": "a"}, "q1": {}}', ("direct_answer", "q1", "for every")),
    ("aokvqa", "list", "[]", ("Correct",)),
    ("nlvr", "nan", "7-0,NaN\n", (":1: ", "nan", "identifier,True")),
    ("nlvr", "short", "7-0,True\n7-1\n", (":2: ", "2 columns")),
]


def refuse_predictions(run: Any, case: Any, path: Path) -> str:
    messages = set()
    for arguments in (
        ("score", case.name, *case.gold, "--predictions", path),
        ("score", case.name, *case.gold, "--predictions", path, "--allow-missing", "--json"),
        ("compare", path, *case.gold),
    ):
        told = run(*arguments)
        assert (told.code, told.out) == (2, "")
        assert told.err.startswith("error: ")
        assert str(path) in told.err
        assert told.err.rstrip().endswith(REMEDY)
        assert len(told.err) < 1000
        messages.add(told.err)
    assert len(messages) == 1
    return messages.pop()


@pytest.mark.parametrize(
    ("name", "kind", "content", "said"),
    BAD_PREDICTIONS,
    ids=[f"{name}-{kind}" for name, kind, *_ in BAD_PREDICTIONS],
)
def test_bad_predictions(
    run: Any, case_of: Any, tmp_path: Path, name: str, kind: str, content: str, said: tuple[str, ...]
) -> None:
    case = case_of(name)
    path = tmp_path / case.predictions
    path.write_text(content)
    told = refuse_predictions(run, case, path)
    for part in said:
        assert part in told, kind


@pytest.mark.parametrize("kind", ["empty", "not UTF-8", "long"])
def test_bad_prediction_files(run: Any, case: Any, tmp_path: Path, kind: str) -> None:
    path = tmp_path / case.predictions
    odd = b'"q\xe9",True\n' if path.suffix == ".csv" else b'{"q\xe9": 1, "total_id": 1}\n'
    path.write_bytes({"empty": b"", "not UTF-8": odd, "long": b"x" * LONG + b"\n"}[kind])
    said = refuse_predictions(run, case, path)
    assert {"empty": "Was ", "not UTF-8": "Save the file as UTF-8.", "long": ""}[kind] in said


def test_unknown_ids(run: Any, case: Any, tmp_path: Path) -> None:
    text = case.both_predictions[0].read_text("utf-8")
    first = str(case.records()[0][case.id_field])
    stranger = "99999" if case.name in ("pmr", "okvqa") else "stranger"
    path = tmp_path / case.predictions
    path.write_text(
        text.replace(f'"{first}"', f'"{stranger}"')
        if "json" in path.suffix
        else text.replace(first, stranger)
    )
    if case.name == "pmr":
        path.write_text(text.replace('"total_id": 32,', '"total_id": 99999,'))
    if case.name == "okvqa":
        path.write_text(text.replace('"question_id": 7001,', '"question_id": 99999,'))
    said = refuse_predictions(run, case, path)
    assert f"the gold has no id {stranger}. Check that predictions and gold are of the same split." in said


def test_doubled_ids(run: Any, case: Any, tmp_path: Path) -> None:
    path = tmp_path / case.predictions
    text = case.both_predictions[0].read_text("utf-8")
    if case.name == "aokvqa":
        path.write_text(text.rstrip("} \n") + '}, "q4": {"multiple_choice": "fly", "direct_answer": "fly"}}')
    else:
        path.write_text(text + text.splitlines()[-1] + "\n")
    last = case.records(len(case.files) - 1)[-1][case.id_field]
    said = refuse_predictions(run, case, path)
    assert f"more than one prediction for id {last}. Keep one prediction an id." in said


@pytest.mark.parametrize("name", ["vcr", "cric"])
def test_the_installed_command_says_the_same(command: Any, case_of: Any, tmp_path: Path, name: str) -> None:
    case = case_of(name)
    path = case.write(tmp_path, [{**case.records()[0], TEXT[case.name]: 7}])
    told = command("convert", case.name, path, "--out", tmp_path / "made")
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith(f"error: {path}:")
    assert told.err.count("\n") == 1  # never broken by width: it can be searched and clicked
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
