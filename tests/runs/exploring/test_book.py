"""A dataset to look through: every view of it is what going through all items by hand would give."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from _erring_runs import erring_run
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.errors import InputError, InvalidRecords, UsageError
from commonsight.runs.exploring import measured
from commonsight.runs.exploring.book import PAGE, WARNINGS, Book, open_book
from commonsight.runs.exploring.query import ORDERS, Query
from commonsight.store.dataset import read_dataset, read_row


@pytest.fixture(scope="module")
def items(drawn_world: Path) -> list[Item]:
    return list(read_dataset(drawn_world / "vcr"))


@pytest.fixture(scope="module")
def book(drawn_world: Path, items: list[Item], tmp_path_factory: pytest.TempPathFactory) -> Book:
    folder = tmp_path_factory.mktemp("exploring")
    erring = (("often", 7, 0.9), ("half", 2, 0.6), ("never", 1, 0.7))
    said = "reply {number}"
    runs = [erring_run(folder / name, items, every, sure=sure, reply=said) for name, every, sure in erring]
    (folder / "audit").mkdir()
    flagged = [{"item": item.id, "codes": ["length", "likeness"][: 1 + number % 2]}
               for number, item in enumerate(items[:9])]  # fmt: skip
    (folder / "audit" / "items.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, flagged)) + b"\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMMONSIGHT_CACHE", str(folder / "cache"))
        return open_book(drawn_world / "vcr", runs, folder / "audit", workers=1)


def _ids(book: Book, query: Query) -> list[str]:
    return [card.id for card in book.page(query, size=10_000).cards]


def test_all_items_are_there_in_the_order_of_the_data(book: Book, items: list[Item]) -> None:
    assert _ids(book, Query()) == [item.id for item in items]
    card, item = book.page(Query()).cards[0], items[0]
    assert card.asked == item.texts["question"].bracketed(item.labels)
    assert isinstance(item.gold, Pick)
    assert card.right == item.choices[item.gold.index].bracketed(item.labels)
    assert card.drawn
    assert card.pictures[0].stored == item.scenes[0].stored


def test_a_page_is_a_part_of_the_whole(book: Book) -> None:
    whole = _ids(book, Query())
    second = book.page(Query(page=1))
    assert [card.id for card in second.cards] == whole[PAGE : 2 * PAGE]
    assert (second.total, second.before) == (len(whole), PAGE)
    assert book.page(Query(page=10_000)).cards == []


def test_labels_of_one_filter_add_up_and_filters_narrow(book: Book, items: list[Item]) -> None:
    query = Query(labels={"split": ("val", "test"), "answer_type": ("choice 1",)})
    expected = [i.id for i in items if i.split in ("val", "test") and i.gold == Pick(0)]
    assert _ids(book, query) == expected
    counts = book.page(query).counts
    firsts = [item for item in items if item.gold == Pick(0)]
    assert counts["split"]["train"] == sum(item.split == "train" for item in firsts), "as if it were chosen"
    assert counts["answer_type"]["choice 2"] == sum(
        item.split in ("val", "test") and item.gold == Pick(1) for item in items
    )


def test_words_are_found_by_their_beginnings(book: Book, items: list[Item]) -> None:
    def has(item: Item, *beginnings: str) -> bool:
        texts = (*item.texts.values(), *item.choices, *item.rationales)
        told = " ".join((item.id, *(text.bracketed(item.labels) for text in texts), *item.labels)).lower()
        words = re.findall(r"[^\W_]+", told)
        return all(any(word.startswith(begin) for word in words) for begin in beginnings)

    expected = [item.id for item in items if has(item, "why", "per")]
    assert 0 < len(expected) < len(items)
    assert _ids(book, Query(words="Why PER")) == expected


@given(st.text(max_size=40))
def test_any_text_can_be_searched_for(book: Book, text: str) -> None:
    assert 0 <= book.page(Query(words=text)).total <= book.index.count


@pytest.mark.parametrize("text", ['"', "NEAR(a b)", "a OR b", "*", "text:x", "-a", "'; DROP TABLE cards; --"])
def test_signs_of_the_query_language_are_words(book: Book, text: str) -> None:
    book.page(Query(words=text))
    assert book.page(Query()).total == book.index.count


def test_right_and_wrong_and_disagreement(book: Book, items: list[Item]) -> None:
    ids = [item.id for item in items]
    assert _ids(book, Query(right=("often",))) == [one for number, one in enumerate(ids) if number % 7]
    assert _ids(book, Query(wrong=("never",))) == ids
    both = _ids(book, Query(right=("often",), wrong=("half",)))
    assert both == [one for number, one in enumerate(ids) if number % 7 and number % 2 == 0]
    assert _ids(book, Query(differ=True)) == [one for n, one in enumerate(ids) if n % 7 or n % 2]


def test_orders(book: Book, items: list[Item]) -> None:
    hardest = _ids(book, Query(order="hardest"))
    numbers = {item.id: number for number, item in enumerate(items)}
    failed = [1 + (numbers[one] % 2 == 0) + (numbers[one] % 7 == 0) for one in hardest]
    assert failed == sorted(failed, reverse=True)
    assert _ids(book, Query(order="easiest"))[0] != hardest[0]
    irt = _ids(book, Query(order="irt"))
    assert numbers[irt[0]] % 14 == 0, "failed by all"
    for order in ORDERS:
        assert sorted(_ids(book, Query(order=order))) == sorted(numbers)


def test_what_an_audit_found_is_a_filter(book: Book, items: list[Item]) -> None:
    assert _ids(book, Query(labels={WARNINGS: ("likeness",)})) == [item.id for item in items[1:9:2]]
    assert book.page(Query()).counts[WARNINGS] == {"length": 9, "likeness": 4}


def test_an_item_is_read_whole_from_its_row(book: Book, items: list[Item]) -> None:
    for item in items[::7]:
        assert book.item(item.id) == item
    assert book.item("no such") is None


def test_neighbours_follow_the_view(book: Book) -> None:
    query = Query(labels={"split": ("val",)})
    ids = _ids(book, query)
    assert book.beside(query, ids[0]) == (None, ids[1])
    assert book.beside(query, ids[-1]) == (ids[-2], None)
    assert book.beside(query, "no such") == (None, None)


def test_what_runs_said(book: Book, items: list[Item]) -> None:
    often, half, _ = book.said(items[0].id)
    assert (often.score, half.score) == (0.0, 0.0)
    assert [line.reply for line in often.lines] == ["reply 0"]
    assert often.scores["q2a"] == 0.0
    assert book.said("no such")[0].lines == []


def test_views_that_cannot_be_are_refused(book: Book, drawn_world: Path, tmp_path: Path) -> None:
    for query, message in ((Query(labels={"x": ("y",)}), "no filter"), (Query(order="x"), "no order"),
                           (Query(right=("x",)), "no run")):  # fmt: skip
        with pytest.raises(UsageError, match=message):
            book.page(query)
    with pytest.raises(UsageError, match="no dataset"):
        open_book(tmp_path)
    with pytest.raises(InvalidRecords, match="audit"):
        open_book(drawn_world / "vcr", audit=tmp_path, workers=1)
    with pytest.raises(InputError, match="cannot be read"):
        read_row(drawn_world / "vcr", "val", 10_000)


def test_the_index_is_made_once_and_is_the_same_by_any_number_of_workers(
    drawn_world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {}
    for workers in (1, 2):
        monkeypatch.setenv("COMMONSIGHT_CACHE", str(tmp_path / str(workers)))
        index = open_book(drawn_world / "nlvr2", workers=workers).index
        found = index.filters.values()
        filters = {one.name: (one.labels, one.rows.tolist(), one.codes.tolist()) for one in found}
        made[workers] = (index.ids, filters)
        (path,) = (tmp_path / str(workers) / "explore").iterdir()
        before = path.stat().st_mtime_ns
        open_book(drawn_world / "nlvr2", workers=workers)
        assert path.stat().st_mtime_ns == before
    assert made[1] == made[2]
    assert np.all(np.diff(made[1][1]["split"][1]) >= 0)


def test_a_gold_is_gathered_once_and_runs_earn_the_same_again(
    drawn_world: Path, book: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMONSIGHT_CACHE", str(tmp_path))
    runs = [run.path for run in book.measured.values()]
    first = open_book(drawn_world / "vcr", runs, workers=1)
    (kept,) = (tmp_path / "explore").glob("*.arrow")
    monkeypatch.setattr(measured, "gather_gold", None)  # not to be called again
    again = open_book(drawn_world / "vcr", runs, workers=1)
    assert [one.name for one in (tmp_path / "explore").glob("*.arrow")] == [kept.name]
    for name, run in first.runs.items():
        np.testing.assert_array_equal(run.score, again.runs[name].score)
        assert run.every.keys() == again.runs[name].every.keys()
    assert {n: m.outcome.gold.slices.keys() for n, m in first.measured.items()} == {
        n: m.outcome.gold.slices.keys() for n, m in again.measured.items()
    }


def test_a_hidden_gold_cannot_be_found_in_any_way(
    drawn_world: Path, items: list[Item], book: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMONSIGHT_CACHE", str(tmp_path))
    runs = [run.path for run in book.measured.values()]
    hidden = open_book(drawn_world / "vcr", runs, workers=1, hidden=True)
    assert hidden.runs == {}, "right and wrong, item by item, would tell it"
    assert len(hidden.measured) == len(runs)
    assert "answer_type" not in hidden.index.filters
    page = hidden.page(Query())
    assert page.total == len(items)
    assert all(card.right == "" for card in page.cards)
    found = hidden.item(items[0].id)
    assert found is not None
    assert (found.gold, found.rationale_gold, found.provenance, found.extra) == (None, None, {}, {})
    assert hidden.said(items[0].id) == []
    assert not list((tmp_path / "explore").glob("*.arrow")), "nor in the cache"
