"""Any view is an address, and any address is a view."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from hypothesis import given
from hypothesis import strategies as st

from commonsight.runs.exploring.query import ORDERS, Query
from commonsight.web.explore.views import address, item_path, query_of, toggled

TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
NAMES = TEXT.filter(bool)
RUNS = st.lists(NAMES, max_size=4, unique=True)


@st.composite
def queries(draw: st.DrawFn) -> Query:
    runs = draw(RUNS)
    cut = draw(st.integers(0, len(runs)))
    labels = draw(
        st.dictionaries(NAMES, st.lists(TEXT, min_size=1, max_size=3, unique=True).map(tuple), max_size=3)
    )
    order, page = draw(st.sampled_from(ORDERS)), draw(st.integers(0, 9999))
    return Query(draw(TEXT), labels, tuple(runs[:cut]), tuple(runs[cut:]), draw(st.booleans()), order, page)


@given(queries())
def test_an_address_brings_the_view_back(query: Query) -> None:
    shown = urlsplit(address("/x/", query))
    assert query_of(parse_qsl(shown.query, keep_blank_values=True, strict_parsing=bool(shown.query))) == query


@given(st.lists(st.tuples(TEXT, TEXT), max_size=6))
def test_any_address_is_a_view(pairs: list[tuple[str, str]]) -> None:
    query = query_of(pairs)
    assert query.page >= 0
    assert query.order in ORDERS


@given(queries(), NAMES, TEXT)
def test_choosing_a_label_twice_is_not_choosing_it(query: Query, name: str, label: str) -> None:
    once = toggled(query, name, label)
    chosen = label in query.labels.get(name, ())
    assert (label in once.labels.get(name, ())) != chosen
    assert once.page == 0
    again = toggled(once, name, label)
    assert set(again.labels.get(name, ())) == set(query.labels.get(name, ()))


@given(TEXT)
def test_an_item_path_is_one_segment(item: str) -> None:
    assert item_path("x", item).count("/") == 3
