"""Runs compared on what all of them answered: figures, ties, flips and slices, counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from _erring_runs import erring_run
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.errors import PredictionError, UsageError
from commonsight.runs.exploring.board import boards, flips
from commonsight.runs.exploring.book import Book, open_book
from commonsight.store.dataset import read_dataset


def _run(folder: Path, items: list[Item], wrong_every: int) -> Path:
    """With a report of what it took."""
    told = '{"cost": 0.5, "input_tokens": 10, "output_tokens": 5, "seconds": 2.5}'
    made = erring_run(folder, items, wrong_every)
    (made / "report.json").write_text(told)
    return made


@pytest.fixture(scope="module")
def train(drawn_world: Path) -> list[Item]:
    return list(read_dataset(drawn_world / "vcr", split="train"))


@pytest.fixture(scope="module")
def book(drawn_world: Path, train: list[Item], tmp_path_factory: pytest.TempPathFactory) -> Book:
    folder = tmp_path_factory.mktemp("board")
    val = list(read_dataset(drawn_world / "vcr", split="val"))
    runs = [
        _run(folder / "good", train, 9),
        _run(folder / "half", train, 2),
        _run(folder / "part", train[:20], 3),
        _run(folder / "other", val, 2),
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMMONSIGHT_CACHE", str(folder / "cache"))
        return open_book(drawn_world / "vcr", runs, workers=1)


def test_runs_are_ranked_on_what_all_answered(book: Book, train: list[Item]) -> None:
    first, second = boards(book.measured)
    assert (first.splits, second.splits) == (("train",), ("val",))
    assert (first.items, first.of) == (20, len(train))
    assert [run.name for run in first.runs] == ["good", "part", "half"]
    good, part, half = first.runs
    assert good.figures["q2a"].value == pytest.approx(17 / 20)
    assert part.figures["q2a"].value == pytest.approx(13 / 20)
    assert half.figures["q2a"].value == pytest.approx(10 / 20)
    assert (part.answered, good.answered) == (20, len(train))
    assert (good.cost, good.tokens, good.seconds) == (0.5, 15, 2.5)
    assert set(good.ties) & set(part.ties), "20 items cannot tell these apart"
    assert len(first.comparison.pairs) == 3


def test_flips_are_counted(book: Book, train: list[Item]) -> None:
    found = flips(book.measured["good"], book.measured["half"])
    right = [(number % 9 != 0, number % 2 != 0) for number in range(len(train))]
    assert found.items == len(train)
    assert found.only_first == sum(a and not b for a, b in right)
    assert found.only_second == sum(b and not a for a, b in right)
    assert found.both + found.neither == sum(a == b for a, b in right)
    assert found.mcnemar is not None
    assert (found.mcnemar.only_first, found.mcnemar.only_second) == (found.only_first, found.only_second)
    assert found.difference.difference == pytest.approx(found.first.value - found.second.value)
    for gap in found.gaps:
        assert gap.items >= 10
        assert gap.difference.difference == pytest.approx(gap.first - gap.second)


def test_what_cannot_be_compared_is_refused(book: Book, drawn_world: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="different splits"):
        flips(book.measured["good"], book.measured["other"])
    items = [Item("x", "val", gold=Pick(0), choices=book_choices(book))]
    with pytest.raises(PredictionError, match="none of its answers"):
        open_book(drawn_world / "vcr", [_run(tmp_path / "strange", items, 2)], workers=1)


def book_choices(book: Book) -> tuple[TaggedText, ...]:
    item = book.item(book.index.ids[0])
    assert item is not None
    return item.choices
