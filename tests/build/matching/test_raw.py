"""Raw annotations: read in every notation, refused with the place of the fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonsight.build.matching.raw import read_raw
from commonsight.core.text import TaggedText
from commonsight.errors import InvalidRecords


def line(number: int, **changed: Any) -> dict[str, Any]:
    record = {
        "id": f"a{number}",
        "group": f"movie{number % 2}",
        "objects": ["person", "person", "cup"],
        "question": ["Why", "is", [0], "up", "?"],
        "answer": [[0], "wants", "drink", str(number), "."],
        "rationale": [[0], "holds", [2], str(number), "."],
        "image": f"{number}.jpg",
    }
    return {name: value for name, value in (record | changed).items() if value is not None}


def text_line(number: int, **changed: Any) -> dict[str, Any]:
    record = {"context": f"How are you, {number}?", "response": f"Fine, thanks {number}.", "group": "g"}
    return record | changed


def write(folder: Path, records: list[Any]) -> Path:
    path = folder / "raw.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_token_lists_are_read(tmp_path: Path) -> None:
    read = read_raw(write(tmp_path, [line(n, split="train") for n in range(4)]))
    assert [annotation.id for annotation in read] == ["a0", "a1", "a2", "a3"]
    first = read[0]
    assert first.group == "movie0"
    assert first.split == "train"
    assert first.image == "0.jpg"
    assert first.objects == ("person", "person", "cup")
    assert first.question == TaggedText(("Why", "is", (0,), "up", "?"))
    assert first.rationale == TaggedText(((0,), "holds", (2,), "0", "."))
    assert first.extra == {}


def test_strings_are_read_in_bracket_notation(tmp_path: Path) -> None:
    told = {"question": "Why is [person1] up?", "answer": "No reason [see below].", "rationale": None}
    records = [line(n, **told | {"answer": f"[person2, person1] want {n}."}) for n in range(3)]
    read = read_raw(write(tmp_path, [*records, line(3, **told)]))
    assert read[0].question == TaggedText(("Why", "is", (0,), "up", "?"))
    assert read[0].answer == TaggedText(((1, 0), "want", "0", "."))
    assert read[0].extra == {
        "question_orig": "Why is [person1] up?",
        "answer_orig": "[person2, person1] want 0.",
    }
    assert read[3].answer.tokens[:3] == ("No", "reason", "[")  # no tag, and none is made of it


def test_native_fields_get_their_native_names_and_all_else_is_kept(tmp_path: Path) -> None:
    more = {"likelihood": "likely", "interesting": [1, -1], "metadata_fn": "m.json", "writer": {"w": [1]}}
    read = read_raw(write(tmp_path, [line(n, **more) for n in range(4)]))
    assert read[0].extra == {
        "answer_likelihood": "likely",
        "interesting_scores": [1, -1],
        "metadata_fn": "m.json",
        "writer": {"w": [1]},
    }


def test_any_text_task_is_read(tmp_path: Path) -> None:
    records = [text_line(n, **({"id": 7} if n == 1 else {}), mood="good") for n in range(4)]
    read = read_raw(write(tmp_path, records), "text")
    assert [annotation.id for annotation in read] == ["line-1", "7", "line-3", "line-4"]
    assert read[0].rationale is None
    assert read[0].objects == ()
    assert read[0].extra == {
        "mood": "good",
        "context_orig": "How are you, 0?",
        "response_orig": "Fine, thanks 0.",
    }


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"answer": [[3], "wants"]},
            "answer: the tag [3] points to no object. Token lists count its objects",
        ),
        ({"question": [[-1], "?"]}, "question: the tag [-1] points to no object"),
        ({"rationale": "As [person3] says."}, "rationale: the tag [person3] points to no object"),
        ({"answer": [[], "is", "up"]}, "answer: the tag [] points to no object"),
        ({"objects": []}, "question: the tag [0] points to no object. The annotation lists no objects."),
        ({"answer": ""}, "answer: the text is empty"),
        ({"question": ["?", " "]}, "question: the text is empty"),
        ({"rationale": []}, "rationale: the text is empty"),
        ({"id": "a0"}, "record a0: id: line 1 has this id too. Give every annotation an id of its own."),
        ({"id": ""}, "id: the id is empty"),
        ({"group": " "}, "group: the group is empty"),
        ({"split": "../up"}, "split: '../up' cannot be a split's name"),
        ({"answer_choices": []}, "answer_choices: matching writes this field itself"),
        ({"answer": 3}, "answer: expected `str | array`, got `int`"),
        ({"answer": [[0], 1.5]}, "expected `str | array`, got `float`"),
        ({"objects": "person"}, "objects: expected `array`, got `str`"),
        ({"group": None}, "missing required field `group`"),
        ({"interesting": "very"}, "interesting: expected `array`, got `str`"),
    ],
)
def test_a_fault_is_told_with_its_place(tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    path = write(tmp_path, [line(0), line(1, **changed), *(line(n) for n in range(2, 6))])
    with pytest.raises(InvalidRecords) as caught:
        read_raw(path)
    told = str(caught.value)
    assert told.startswith(f"{path}:2: ")
    assert said in told


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, [line(0, answer=""), line(1), line(2, question=[[9]]), line(1)])
    path.write_text(path.read_text() + "{\n")
    with pytest.raises(InvalidRecords) as caught:
        read_raw(path)
    assert [problem.line for problem in caught.value.problems] == [1, 3, 4, 5]


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([], "the file holds no records"),
        ([line(0), line(1), line(2)], "3 annotations are too few to match. Give at least 4"),
        ([line(n, answer=["Yes", "."]) for n in range(9)], "the 9 responses all read alike"),
        ([line(n, answer=["It", "is", str(n % 3)]) for n in range(9)], "read like only 3 different ones"),
        ([line(n, rationale="So it is.") for n in range(5)], "the 5 rationales all read alike"),
        ([*(line(n) for n in range(5)), line(5, rationale=None)], "record a5: rationale: there is none"),
    ],
)
def test_what_is_wrong_with_all_of_them(tmp_path: Path, records: list[Any], said: str) -> None:
    with pytest.raises(InvalidRecords, match=said):
        read_raw(write(tmp_path, records))


def test_the_layouts_are_not_mixed_up(tmp_path: Path) -> None:
    path = write(tmp_path, [text_line(n) for n in range(4)])
    with pytest.raises(InvalidRecords, match="missing required field `id`"):
        read_raw(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecords, match=r"none\.jsonl: the file cannot be read"):
        read_raw(tmp_path / "none.jsonl")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
FIELDS = (
    "id",
    "group",
    "objects",
    "question",
    "answer",
    "rationale",
    "image",
    "split",
    "context",
    "matching",
)
RECORDS = st.dictionaries(st.sampled_from(FIELDS), JSON | st.just("[person1] is"), max_size=9)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(RECORDS.map(lambda more: line(0, **more)) | RECORDS, max_size=6),
    st.sampled_from(["image", "text"]),
)
def test_any_records_are_read_or_refused(tmp_path: Path, records: list[Any], layout: Any) -> None:
    path = write(tmp_path, records)
    try:
        read = read_raw(path, layout)
    except InvalidRecords as error:
        read, problems = [], error.problems
    else:
        problems = ()
    assert all(problem.path == path for problem in problems)
    assert len(read) == len(records) or problems


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_bytes_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "raw.jsonl"
    path.write_bytes(content)
    with pytest.raises(InvalidRecords):
        read_raw(path)
