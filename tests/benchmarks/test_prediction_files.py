"""Prediction files that cannot be used: each an error that names file, place and remedy, never a crash."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.benchmarks import ALL, find
from commonsight.benchmarks.vcr import ANSWER_COLUMNS, RATIONALE_COLUMNS
from commonsight.errors import CommonsightError, InputError, PredictionError
from commonsight.score.scoring import gather_gold, measure
from commonsight.score.votes import read_votes
from commonsight.store.native import read_native

FILES = {
    "vcr": ("predictions.csv", ["val.jsonl"]),
    "pmr": ("predictions.jsonl", ["val-ori.jsonl", "val-adv.jsonl"]),
    "cric": ("predictions.jsonl", ["val_questions.json"]),
    "nlvr2": ("predictions.csv", ["dev.json"]),
    "aokvqa": ("predictions.json", ["aokvqa_v1p0_val.json"]),
    "nlvr": ("predictions.csv", ["dev.json"]),
    "okvqa": ("predictions.jsonl", ["val.json"]),
}
HEADER = ",".join(("annot_id", *ANSWER_COLUMNS, *RATIONALE_COLUMNS)) + "\n"
ROW = "val-0" + ",0.5" * 20 + "\n"


def vcr_row(value: str, place: int = 3) -> str:
    return ",".join(["val-0", *(value if i == place else "0.5" for i in range(20))]) + "\n"


BAD: list[tuple[str, str | bytes, str]] = [
    ("vcr", HEADER + ROW + vcr_row("nan"), ":3: answer_3 is missing or not a number. Write a finite number"),
    ("vcr", HEADER + vcr_row("inf", 0), ":2: answer_0 is inf. Write a finite number in every column."),
    ("vcr", HEADER + vcr_row("-inf", 19), ":2: rationale_conditioned_on_a3_3 is -inf. Write a finite"),
    ("vcr", HEADER + vcr_row(""), ":2: answer_3 is missing or not a number. Write a finite number"),
    ("vcr", HEADER + vcr_row("1e999"), ":2: answer_3 is inf. "),
    ("vcr", HEADER + vcr_row("high"), "not a double: invalid value 'high'. Write every row with all of its"),
    ("vcr", HEADER + ROW + "val-1,0.5\n", ":3: expected 21 columns, got 2"),
    (
        "vcr",
        HEADER.replace(",answer_2", "") + ROW.replace(",0.5", "", 1),
        ":1: 1 columns are missing (answer_2); found 20. Write the header that the format has.",
    ),
    ("vcr", "a,b\n1,2\n", ":1: 21 columns are missing (annot_id, answer_0, answer_1, …); found 2. Write the"),
    ("vcr", HEADER.replace("answer_1,", "answer_0,", 1) + ROW, ":1: 1 columns are missing (answer_1); found"),
    (
        "vcr",
        HEADER[:-1] + ",answer_0\n" + ROW[:-1] + ",0.5\n",
        ":1: the column answer_0 is there twice. Keep one of each.",
    ),
    ("vcr", (HEADER + ROW).encode().replace(b"answer_3", b"answer_\xff"), ":1: the text is not UTF-8. Save"),
    ("vcr", HEADER, "the file holds no predictions. Was it written in full?"),
    ("vcr", "", "the file holds no predictions. Was it written in full?"),
    ("vcr", (HEADER + ROW).encode().replace(b"val-0", b"val\xff"), "the text is not UTF-8. Save the file"),
    ("pmr", '{"total_id": 1, "prediction": 4}', "total_id 1: prediction: 4 is not a choice. Choices count"),
    ("pmr", '{"total_id": 1, "prediction": -1}', "total_id 1: prediction: -1 is not a choice."),
    ("pmr", '\n{"total_id": "1", "prediction": 1}', ":2: total_id: expected `int`, got `str`."),
    ("pmr", '{"total_id": 1, "prediction": 1.5}', ":1: prediction: expected `int`, got `float`."),
    ("pmr", '{"total_id": 1, "prediction": NaN}', ":1: this is not JSON"),
    ("pmr", '{"total_id": 1}', ":1: object missing required field `prediction`."),
    ("pmr", "", "the file holds no records."),
    ("pmr", b'{"total_id": 1, "note": "\xff", "prediction": 1}', ":1: the text is not UTF-8."),
    ("cric", '{"question_id": "a", "answer": "no"}', ":1: object missing required field `object_id`."),
    ("cric", '{"question_id": "a", "answer": "b", "object_id": "1"}', ":1: object_id: expected `int | null`"),
    ("cric", '{"question_id": "a", "answer": "b", "object_id": -1}', ":1: object_id: expected `int` >= 0"),
    ("cric", f'{{"question_id": "a", "answer": "b", "object_id": {2**70}}}', ":1: object_id: expected `int`"),
    ("cric", '{"question_id": "a", "answer": null, "object_id": 1}', ":1: answer: expected `str`, got"),
    ("cric", "", "the file holds no records."),
    ("nlvr2", "dev-0-0-0,True\ndev-0-1-0,Yes\n", ":2: dev-0-1-0: 'yes' is neither True nor False. Write"),
    ("nlvr2", "dev-0-0-0,Maybe\n", ":1: dev-0-0-0: 'maybe' is neither True nor False."),  # no header
    ("nlvr2", "identifier,prediction\ndev-0-0-0,1\n", ":2: dev-0-0-0: '1' is neither True nor False."),
    ("nlvr2", "dev-0-0-0,True\ndev-0-0-0\n", ":2: expected 2 columns, got 1"),
    ("nlvr2", "dev-0-0-0\n", ": expected 2 columns, got 1"),
    ("nlvr2", "dev-0-0-0,True,0.9\n", ": expected 2 columns, got 3"),
    ("nlvr2", "identifier,prediction\n", "the file holds no predictions. Was it written in full?"),
    ("nlvr2", "\n\n", "the file holds no predictions. Was it written in full?"),
    ("nlvr2", "", "the file holds no predictions. Was it written in full?"),
    ("nlvr2", b"dev-0-0-0,\xff\n", "the text is not UTF-8."),
    ("aokvqa", "{}", "the file holds no records."),
    ("aokvqa", "", "the file holds no records."),
    ("aokvqa", "[]", "expected `object`, got `array`."),
    ("aokvqa", '{"q0": {}}', "neither multiple_choice nor direct_answer is given. Give at least one."),
    ("aokvqa", '{"q0": {"multiple_choice": 1}}', "multiple_choice: expected `str`, got `int`."),
    ("aokvqa", '{"q0": {"direct_answer": null}}', "direct_answer: expected `str`, got `null`."),
    (
        "aokvqa",
        '{"q0": {"multiple_choice": "a"}, "q1": {"direct_answer": "a"}}',
        "multiple_choice is given for some questions and missing for 1, such as q1. Give it for every",
    ),
    (
        "aokvqa",
        '{"q0": {"direct_answer": "a"}, "q1": {"direct_answer": "a"}, "q0": {"direct_answer": "b"}}',
        "more than one prediction for id q0. Keep one prediction an id.",
    ),
    ("aokvqa", '{"q0": {"direct_answer": "a"}', "the JSON is cut off."),
    ("aokvqa", b'{"q0": {"direct_answer": "\xff"}}', "the text is not UTF-8."),
]


@pytest.mark.parametrize(("benchmark", "content", "message"), BAD)
def test_a_file_that_cannot_be_used_names_place_and_remedy(
    tmp_path: Path, benchmark: str, content: str | bytes, message: str
) -> None:
    path = tmp_path / "predictions"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as raised:
        find(benchmark).scoring.read_predictions(path)
    assert str(raised.value).startswith(str(path))
    assert message in str(raised.value)


@pytest.mark.parametrize("benchmark", [benchmark.name for benchmark in ALL])
def test_a_file_that_is_not_there_is_a_clear_error(tmp_path: Path, benchmark: str) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(InputError) as raised:
            find(benchmark).scoring.read_predictions(path)
        assert str(raised.value).startswith(f"{path}: the file cannot be read")


def doubled(name: str, content: bytes) -> bytes:
    """The last prediction once more."""
    if name == "aokvqa":
        rows = json.loads(content)
        key, row = rows.popitem()
        return json.dumps({**rows, key: row})[:-1].encode() + f', "{key}": {json.dumps(row)}}}'.encode()
    return content.rstrip(b"\n") + b"\n" + content.splitlines()[-1]


@pytest.mark.parametrize("benchmark", [benchmark.name for benchmark in ALL])
def test_a_doubled_prediction_is_an_error_that_names_the_id(
    tmp_path: Path, fixtures_dir: Path, benchmark: str
) -> None:
    predictions, gold = FILES[benchmark]
    folder = fixtures_dir / benchmark
    path = tmp_path / "predictions"
    path.write_bytes(doubled(benchmark, (folder / predictions).read_bytes()))
    scoring, native = find(benchmark).scoring, find(benchmark).native
    items = list(read_native(native, [folder / name for name in gold]))
    with pytest.raises(PredictionError, match=rf"more than one prediction for id {items[-1].id}\. Keep one"):
        measure(scoring, gather_gold(scoring, items), scoring.read_predictions(path))


@pytest.mark.parametrize("benchmark", [benchmark.name for benchmark in ALL])
def test_predictions_of_another_split_are_an_error_that_names_ids(fixtures_dir: Path, benchmark: str) -> None:
    predictions, gold = FILES[benchmark]
    folder = fixtures_dir / benchmark
    scoring, native = find(benchmark).scoring, find(benchmark).native
    items = list(read_native(native, [folder / name for name in gold]))
    given = scoring.read_predictions(folder / predictions)
    with pytest.raises(PredictionError, match=rf"the gold has no id {items[0].id}\. Check that predictions"):
        measure(scoring, gather_gold(scoring, items[1:]), given)


def any_file(fixtures_dir: Path, benchmark: str, data: st.DataObject) -> bytes:
    """Any bytes, or a good file that was damaged."""
    kind = data.draw(st.sampled_from(["bytes", "text", "damaged"]))
    if kind == "bytes":
        return data.draw(st.binary(max_size=120))
    if kind == "text":
        return data.draw(st.text(alphabet=',\n"{}[]:0a.TrueFalse\r é', max_size=80)).encode()
    content = bytearray((fixtures_dir / benchmark / FILES[benchmark][0]).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        content[start : start + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=4))
    return bytes(content)


@pytest.mark.parametrize("benchmark", [benchmark.name for benchmark in ALL])
@given(data=st.data())
def test_any_bytes_are_read_or_are_an_error_of_ours(
    tmp_path_factory: pytest.TempPathFactory, fixtures_dir: Path, benchmark: str, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "any-predictions"
    path.write_bytes(any_file(fixtures_dir, benchmark, data))
    scoring, native = find(benchmark).scoring, find(benchmark).native
    gold = [fixtures_dir / benchmark / name for name in FILES[benchmark][1]]
    try:
        given = scoring.read_predictions(path)
        outcome = measure(scoring, gather_gold(scoring, read_native(native, gold)), given, allow_missing=True)
    except CommonsightError as error:
        assert str(error)  # noqa: PT017
        return
    assert outcome.metrics


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"item": "a", "task": "q2a", "votes": []}, ":1: votes: nobody voted. Leave the item out."),
        ({"item": "a", "task": "q2a", "votes": [-1]}, ":1: votes[0]: expected `int` >= 0"),
        ({"item": "a", "task": "q2a", "votes": [10**30]}, ":1: votes[0]: expected `int` <= 999"),
        ({"item": "a", "task": "q2a", "votes": ["1"]}, ":1: votes[0]: expected `int`, got `str`"),
        ({"item": "a", "votes": [1]}, ":1: object missing required field `task`"),
    ],
)
def test_votes_that_cannot_be_counted_are_clear_errors(
    tmp_path: Path, line: dict[str, Any], message: str
) -> None:
    (tmp_path / "votes.jsonl").write_text(json.dumps(line))
    with pytest.raises(InputError) as raised:
        read_votes(tmp_path / "votes.jsonl")
    assert message in str(raised.value)


def test_a_tie_of_votes_is_no_answer_and_counted(tmp_path: Path) -> None:
    rows = [("a", [1, 1, 0]), ("b", [1, 0]), ("c", [3, 3, 2, 2, 0])]
    (tmp_path / "votes.jsonl").write_text(
        "\n".join(json.dumps({"item": item, "task": "q2a", "votes": votes}) for item, votes in rows)
    )
    run = read_votes(tmp_path / "votes.jsonl")
    assert run.ties == 2
    given = find("vcr").scoring.from_answers(run.answers)
    assert given.columns["answer"].tolist() == [1, -1, -1]
    assert given.failures == {"unparsed": 2}
