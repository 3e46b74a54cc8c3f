"""Published answers are complete and sourced; a user's own are read, or refused with the reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.benchmarks import ALL
from commonsight.benchmarks.datasheets import published, read_answers
from commonsight.core.item import Item
from commonsight.errors import CommonsightError, InvalidRecords, UsageError
from commonsight.store.dataset import read_info, write_dataset
from commonsight.store.datasheet import PUBLISHED, QUESTIONS, unanswered
from commonsight.store.info import DatasetInfo, Made, SplitInfo

NAMES = [benchmark.name for benchmark in ALL]
KEYS = [question.key for question in QUESTIONS]
BARE = DatasetInfo(
    "bare",
    "vcr",
    "1.0.0",
    Made("convert", "0.1.0"),
    {"val": SplitInfo("val.parquet", 1, "00")},
    licence="MIT",
)
UNKNOWN = f"the datasheet has no such question. Choose one of: {', '.join(KEYS)}."
OPEN = {question.key for question in unanswered(BARE)}

UNSAID = re.compile(r"The (NLVR2 |A-OKVQA )?paper does not say\.")
PLACE = r"(section|appendix|table) [\w.]+|(sections|appendices) [\w., ]+|acknowledgments"
CITED = re.compile(rf".+\(((?:NLVR2|A-OKVQA) paper, )?({PLACE})(, ({PLACE}))*\)\.", re.DOTALL)


def test_thirteen_questions_are_open() -> None:
    assert len(OPEN) == 13


@pytest.mark.parametrize("name", NAMES)
def test_every_open_question_is_answered_and_nothing_else(name: str) -> None:
    assert set(published(name)) == OPEN | {"published"}


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_names_its_section_or_says_that_there_is_none(name: str) -> None:
    for key, answer in published(name).items():
        assert isinstance(answer, str)
        assert answer == answer.strip() != "", key
        assert "  " not in answer, key
        if key != "published":
            assert UNSAID.fullmatch(answer) or CITED.fullmatch(answer), f"{key}: {answer}"


@pytest.mark.parametrize("name", NAMES)
def test_where_the_answers_come_from_is_said(name: str) -> None:
    assert re.search(r"the \S+ paper \(\w+ et al\.", published(name)["published"])


@pytest.mark.parametrize("name", NAMES)
def test_a_dataset_with_published_answers_leaves_no_question_open(name: str, tmp_path: Path) -> None:
    info = DatasetInfo(
        name, name, "1.0.0", Made("convert", "0.1.0"), {}, licence="MIT", datasheet=published(name)
    )
    written = write_dataset(tmp_path / name, [Item("a", "val")], info)
    assert unanswered(written) == []
    assert read_info(tmp_path / name) == written
    readme = (tmp_path / name / "README.md").read_text("utf-8")
    assert "20 of the datasheet's 20 questions are answered; 0 are not answered yet." in readme
    assert f"**{PUBLISHED}** The answers" in readme
    assert "Further notes" not in readme


def test_a_benchmark_without_a_file_has_no_answers() -> None:
    assert published("none") == {}


def answers_file(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("own.toml", 'funding = "Ours."\ncount = """\nTen\nmore"""\nharm = ""\n'),
        ("OWN.TOML", '\ufefffunding = "Ours."\r\ncount = "Ten\\nmore"\r\nharm = ""\r\n'),
        ("own.json", '{"funding": "Ours.", "count": "Ten\\nmore", "harm": ""}'),
        ("own.json", '\ufeff{"funding": "Ours.", "count": "Ten\\nmore", "harm": ""}'),
    ],
)
def test_own_answers_are_read(tmp_path: Path, name: str, content: str) -> None:
    answers = read_answers(answers_file(tmp_path, name, content))
    assert answers == {"funding": "Ours.", "count": "Ten\nmore", "harm": ""}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.toml", 'founding = "x"', f"a.toml: founding: {UNKNOWN}"),
        ("a.json", '{"published": "x"}', f"a.json: published: {UNKNOWN}"),
        ("a.toml", "funding = 3", "a.toml: funding: the answer is a number, not text. Write it in quot"),
        ("a.toml", "period = 2018-08-01", "a.toml: period: the answer is a date or time, not text."),
        ("a.toml", '[people]\npay = "x"', "a.toml: people: the answer is a table, not text."),
        ("a.json", '{"raw": true}', "a.json: raw: the answer is true or false, not text."),
        ("a.json", '{"raw": null}', "a.json: raw: the answer is null, not text."),
        ("a.json", '{"raw": ["x"]}', "a.json: raw: the answer is a list, not text."),
        ("a.json", '["x"]', 'a.json: this is a list, not an object. Write {"key": "answer"}.'),
        ("a.json", '{"raw": "x", "raw": "y"}', "a.json: raw: the key stands more than once. Give each"),
        ("a.json", '{"raw": "x",\n\n!}', "a.json:3: this is not JSON: "),
        ("a.json", '{"raw": "x"', "a.json:1: the JSON is cut off. "),
        ("a.json", "[" * 100_000, "a.json: brackets are nested too deeply. "),
        ("a.toml", 'raw = "x"\nharm = yes', "a.toml:2: this is not TOML: invalid value. Write key = "),
        ("a.toml", 'raw = "x"\nraw = "y"', "a.toml:2: this is not TOML: cannot overwrite a value. "),
        ("a.toml", 'raw = """x\n', "a.toml:2: this is not TOML: "),
        ("a.toml", "raw = " + "[" * 100_000, "a.toml: brackets are nested too deeply. "),
        ("a.toml", "raw = " + "1" * 5000, "a.toml: this is not TOML: "),
        ("a.toml", b'raw = "x"\nharm = "\xff"', "a.toml:2: the text is not UTF-8. Save the file as UTF-8."),
        ("a.json", b'{"raw": "\xff"}', "a.json:1: the text is not UTF-8. Save the file as UTF-8."),
    ],
)  # fmt: skip
def test_a_fault_is_named(tmp_path: Path, name: str, content: str | bytes, message: str) -> None:
    with pytest.raises(InvalidRecords) as caught:
        read_answers(answers_file(tmp_path, name, content))
    assert str(caught.value).startswith(str(tmp_path / message))


def test_all_faults_are_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecords) as caught:
        read_answers(answers_file(tmp_path, "a.toml", 'raw = 1\nwho = "x"\nharm = false\nuses = "None."'))
    assert [problem.field for problem in caught.value.problems] == ["raw", "who", "harm"]


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"own\.yaml: .* Let the name end in \.toml or \.json\."):
        read_answers(tmp_path / "own.yaml")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecords, match=r"own\.toml: the file cannot be read \(no such file"):
        read_answers(tmp_path / "own.toml")


VALUES = st.recursive(
    st.text(max_size=5) | st.integers() | st.booleans(), lambda inner: st.lists(inner, max_size=2)
)
LINES = st.tuples(st.sampled_from([*KEYS, "other", '"q"', "a.b", "[t]"]), VALUES).map(
    lambda pair: f"{pair[0]} = {pair[1]!r}"
)
CONTENT = st.binary() | st.lists(LINES, max_size=3).map(
    lambda lines: "\n".join(lines).encode("utf-8", "replace")
)


@given(CONTENT, st.sampled_from(["a.toml", "a.json"]))
def test_any_content_is_read_or_refused_on_purpose(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str
) -> None:
    path = answers_file(tmp_path_factory.mktemp("answers"), name, content)
    try:
        answers = read_answers(path)
    except CommonsightError:
        return
    assert set(answers) <= set(KEYS)
    assert all(isinstance(answer, str) for answer in answers.values())
