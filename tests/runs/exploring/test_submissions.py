"""Files that people send in are scored as `score` scores them, by a process that never has the gold."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.benchmarks import ALL, find
from commonsight.errors import PredictionError, UsageError
from commonsight.runs.exploring.sandbox import Room, _decoded, _encoded, read_in_sandbox, safe_ending
from commonsight.runs.exploring.submissions import MOST_BYTES, Submissions, checked_name
from commonsight.score.scoring import gather_gold, measure
from commonsight.store.dataset import read_dataset, write_dataset
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.native import read_native

FILES = {
    "vcr": (("vcr/val.jsonl",), "vcr/predictions.csv"),
    "pmr": (("pmr/val-ori.jsonl", "pmr/val-adv.jsonl"), "pmr/predictions.jsonl"),
    "cric": (("cric/val_questions.json",), "cric/predictions.jsonl"),
    "nlvr2": (("nlvr2/dev.json",), "nlvr2/predictions.csv"),
    "aokvqa": (("aokvqa/aokvqa_v1p0_val.json",), "aokvqa/predictions.json"),
}


@pytest.mark.parametrize("name", FILES)
def test_columns_survive_the_way_out_of_the_sandbox(name: str, fixtures_dir: Path, tmp_path: Path) -> None:
    benchmark = find(name)
    native, path = FILES[name]
    items = list(read_native(benchmark.native, [fixtures_dir / one for one in native]))
    here = benchmark.scoring.read_predictions(fixtures_dir / path)
    _encoded(here, tmp_path / "columns.arrow")
    there = _decoded(tmp_path / "columns.arrow")
    gold = gather_gold(benchmark.scoring, [item for item in items if benchmark.scoring.labelled(item)])
    first, second = (measure(benchmark.scoring, gold, each, allow_missing=True) for each in (here, there))
    assert first.failures == second.failures
    for metric, column in first.metrics.items():
        assert column.values.tolist() == pytest.approx(second.metrics[metric].values.tolist(), nan_ok=True)
    assert {one.name for one in ALL} >= set(FILES)


@pytest.fixture
def kept(fixtures_dir: Path, tmp_path: Path) -> Submissions:
    nlvr2 = find("nlvr2")
    items = list(read_native(nlvr2.native, [fixtures_dir / "nlvr2/dev.json"]))
    info = DatasetInfo("nlvr2-dev", "nlvr2", "1", Made("test", "1"), {})
    write_dataset(tmp_path / "data", items, info)
    split = next(iter(read_dataset(tmp_path / "data"))).split
    return Submissions(tmp_path / "sent", tmp_path / "data", nlvr2, split, lambda: 12.5)


def test_a_file_is_scored_and_kept(kept: Submissions, fixtures_dir: Path) -> None:
    content = (fixtures_dir / "nlvr2/predictions.csv").read_bytes()
    made = kept.submit("  my   run ", content, ".csv")
    assert (made.name, made.n, made.made_at) == ("my run", kept.items, 12.5)
    assert 0 <= (made.metrics["accuracy"].value or 0) <= 1
    assert kept.all() == [made]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "prediction"),
        (b"\xff\xfe\x00", "your file|UTF-8|cannot"),
        (b"no-such-item,True\n", "no-such-item"),
        (b"{{{{", "your file|line"),
    ],
)
def test_what_cannot_be_scored_is_refused(kept: Submissions, content: bytes, message: str) -> None:
    with pytest.raises(PredictionError, match=message) as raised:
        kept.submit("x", content, ".csv")
    assert "/tmp" not in str(raised.value)
    assert kept.all() == []


def test_reading_may_use_only_so_much() -> None:
    with pytest.raises(PredictionError, match="too much"):
        read_in_sandbox("nlvr2", b"x,True\n" * 10, ".csv", Room(memory=64 << 20))
    with pytest.raises(PredictionError, match="bytes"):
        Submissions.submit(_Bare(), "x", b"0" * (MOST_BYTES + 1), ".csv")  # type: ignore[arg-type]


class _Bare:
    """Refused before anything of a folder is needed."""


@given(st.text(max_size=20))
def test_an_ending_is_letters_and_digits(text: str) -> None:
    assert safe_ending(text).removeprefix(".").isalnum() or not safe_ending(text)
    assert "/" not in safe_ending(text)


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "a\x00b", "a\u202eb"])
def test_names_are_one_line_of_text(name: str) -> None:
    with pytest.raises(UsageError, match="name"):
        checked_name(name)
