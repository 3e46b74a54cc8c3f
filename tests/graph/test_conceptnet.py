"""Reading knowledge in its three layouts; bad lines are told and passed over."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.errors import InvalidRecords, Problem
from commonsight.graph.conceptnet import Triple, read_triples
from commonsight.world.cric import knowledge_csv
from commonsight.world.knowledge import read_knowledge

ASSERTION = (
    '/a/[/r/UsedFor/,/c/en/fork/,/c/en/eat/]\t/r/UsedFor\t/c/en/fork/n\t/c/en/lift_food\t{"weight": 2.5}'
)
FRENCH = '/a/[/r/IsA/,/c/fr/chat/,/c/en/animal/]\t/r/IsA\t/c/fr/chat\t/c/en/animal\t{"weight": 1.0}'


def _write(folder: Path, *lines: str) -> Path:
    path = folder / "knowledge.tsv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_conceptnet_assertions(tmp_path: Path) -> None:
    skipped: Counter[str] = Counter()
    found = list(read_triples(_write(tmp_path, ASSERTION, FRENCH), skipped=skipped))
    assert found == [Triple("UsedFor", "fork", "lift food", 2.5)]
    assert skipped == {"not English": 1}


def test_gzip_is_seen_by_its_first_bytes(tmp_path: Path) -> None:
    path = tmp_path / "assertions.csv"
    path.write_bytes(gzip.compress(ASSERTION.encode() + b"\n"))
    assert [triple.head for triple in read_triples(path)] == ["fork"]


def test_a_cut_off_gzip_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "assertions.csv.gz"
    path.write_bytes(gzip.compress((ASSERTION + "\n").encode() * 500)[:-20])
    problems: list[Problem] = []
    list(read_triples(path, problems.append))
    assert "damaged" in problems[-1].message


def test_plain_triples_with_a_score_and_without(tmp_path: Path) -> None:
    path = _write(
        tmp_path, "MadeOf\tfork\tmetal", "IsA\tdog\tanimal\t0.75", "HasLastSubevent\teat\twash dish"
    )
    assert list(read_triples(path)) == [
        Triple("MadeFrom", "fork", "metal"),
        Triple("IsA", "dog", "animal", 0.75),
        Triple("HasSubevent", "eat", "wash dish"),
    ]


def test_a_header_marks_our_own_table(tmp_path: Path) -> None:
    path = _write(tmp_path, "relation\thead\ttail", "IsA-Taxonomy\tcat\tfeline")
    assert list(read_triples(path)) == [Triple("IsA-Taxonomy", "cat", "feline", trusted=True)]


def test_both_layouts_of_the_world_say_the_same(tmp_path: Path) -> None:
    written = knowledge_csv(tmp_path)
    ours = [tuple(triple) for triple in read_knowledge()]
    assert [triple[:3] for triple in read_triples(written.triples)] == ours
    assert [triple[:3] for triple in read_triples(written.assertions)] == ours


@pytest.mark.parametrize(
    ("line", "field", "message"),
    [
        ("UsedFor\tfork", None, "2 columns instead of 3"),
        ("just words", None, "1 column instead of 3"),
        ("UsedFor\t\teat", "head", "nothing stands here"),
        ("UsedFor\tfork\t ", "tail", "nothing stands here"),
        ("UsedFor\tfork\teat\tmuch", "score", "'much' is not a number"),
        ("UsedFor\tfork\teat\tnan", "score", "the weight is not a number"),
        ("FooOf\tfork\teat", "relation", "unknown relation 'FooOf'"),
    ],
)
def test_a_bad_line_is_told_and_passed_over(
    tmp_path: Path, line: str, field: str | None, message: str
) -> None:
    path = _write(tmp_path, "IsA\tdog\tanimal", line, "IsA\tcat\tanimal")
    problems: list[Problem] = []
    assert [triple.head for triple in read_triples(path, problems.append)] == ["dog", "cat"]
    (problem,) = problems
    assert (problem.line, problem.field) == (2, field)
    assert message in problem.message
    assert problem.remedy
    with pytest.raises(InvalidRecords, match=r"knowledge\.tsv:2"):
        list(read_triples(path))


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("/a/x\t/r/IsA\t/c/en/a", None),
        ("/a/x\tIsA\t/c/en/a\t/c/en/b\t{}", "relation"),
        ("/a/x\t/r/IsA\tdog\t/c/en/b\t{}", "start"),
        ("/a/x\t/r/IsA\t/c/en/a\t/c/en/b\t{", "metadata"),
        ('/a/x\t/r/IsA\t/c/en/a\t/c/en/b\t{"weight": "much"}', "metadata"),
    ],
)
def test_a_bad_assertion_names_its_field(tmp_path: Path, line: str, field: str | None) -> None:
    problems: list[Problem] = []
    found = list(read_triples(_write(tmp_path, ASSERTION, line), problems.append))
    assert len(found) == 1
    assert [(problem.line, problem.field) for problem in problems] == [(2, field)]


def test_an_unknown_relation_is_told_once_and_counted(tmp_path: Path) -> None:
    problems: list[Problem] = []
    skipped: Counter[str] = Counter()
    path = _write(tmp_path, *["FooOf\ta\tb"] * 5, "BarOf\ta\tb")
    assert list(read_triples(path, problems.append, skipped)) == []
    assert [problem.line for problem in problems] == [1, 6]
    assert skipped == {"unknown relation FooOf": 5, "unknown relation BarOf": 1}


def test_no_file_and_an_empty_file(tmp_path: Path) -> None:
    problems: list[Problem] = []
    list(read_triples(tmp_path / "none.tsv", problems.append))
    (tmp_path / "empty.tsv").touch()
    list(read_triples(tmp_path / "empty.tsv", problems.append))
    assert "cannot be read" in problems[0].message
    assert "no records" in problems[1].message


@given(
    st.lists(st.binary(max_size=60), max_size=6), st.sampled_from([b"", b"relation\thead\ttail\n", b"/a/x\t"])
)
def test_no_bytes_make_it_stumble(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], first: bytes
) -> None:
    path = tmp_path_factory.mktemp("knowledge") / "any.tsv"
    path.write_bytes(first + b"\n".join(lines))
    problems: list[Problem] = []
    for triple in read_triples(path, problems.append):
        assert triple.head
        assert triple.tail
    assert all(problem.remedy for problem in problems)


_FIELDS = st.sampled_from(
    ["/a/x", "/r/IsA", "/c/en/dog", "/c/en/", "/c/de/hund", "{}", '{"weight": -1}', "[]", "", "IsA"]
)


@given(st.lists(st.lists(_FIELDS, max_size=6).map("\t".join), max_size=5))
def test_mixed_up_columns_make_it_stumble_neither(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    path = _write(tmp_path_factory.mktemp("knowledge"), ASSERTION, *lines)
    assert next(read_triples(path, lambda _: None)).head == "fork"


@pytest.mark.real_data
def test_the_whole_of_cn100k(data_dir: Path) -> None:
    relations: Counter[str] = Counter()
    for name in ("train", "valid", "test"):
        relations.update(triple.relation for triple in read_triples(data_dir / "knowledge" / f"{name}.txt"))
    assert relations.total() == 102_400
    assert relations["MadeFrom"] == 601
    assert relations["HasSubevent"] == 6_628 + 964 + 597
    assert relations["IsA"] == 15_333 + 69
