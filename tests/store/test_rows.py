"""Items as rows: whatever an item holds comes back from a real Parquet file."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core.answer import FreeText, Grounded, Pick, Verdict
from commonsight.core.item import Item
from commonsight.core.program import Program, Step
from commonsight.core.scene import Box, Region, Relation, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import InputError
from commonsight.store.rows import (
    SCHEMA,
    flat_batch,
    from_page,
    from_row,
    plain_batch,
    to_batch,
    to_page,
    to_row,
)


def through_parquet(items: list[Item]) -> list[Item]:
    stream = io.BytesIO()
    with pq.ParquetWriter(stream, SCHEMA, compression="zstd") as writer:
        writer.write_batch(to_batch(items))
    table = pq.read_table(io.BytesIO(stream.getvalue()))
    assert table.schema.equals(SCHEMA)
    return [from_row(row) for row in table.to_pylist()]


int32, int64 = st.integers(-(2**31), 2**31 - 1), st.integers(-(2**63), 2**63 - 1)
floats = st.floats(allow_nan=False)
text = st.text(max_size=8)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=5,
)
objects = st.dictionaries(text, json_values, max_size=3)
boxes = st.builds(Box, floats, floats, floats, floats)
points = st.tuples(floats, floats)
polygons = st.lists(st.lists(points, max_size=3).map(tuple), max_size=2).map(tuple)
regions = st.builds(
    Region,
    text,
    st.none() | boxes,
    st.none() | polygons,
    st.none() | floats,
    st.lists(text, max_size=2).map(tuple),
    st.none() | int64,
)
scenes = st.builds(
    Scene,
    text,
    st.lists(regions, max_size=3).map(tuple),
    st.lists(st.builds(Relation, int32, text, int32), max_size=2).map(tuple),
    st.none() | int32,
    st.none() | int32,
    st.none() | text,
    objects,
)
golds = st.one_of(
    st.none(),
    st.builds(Pick, int32),
    st.builds(Verdict, st.booleans()),
    st.builds(FreeText, text),
    st.builds(Grounded, text, st.none() | int64),
)
steps = st.builds(
    Step,
    text,
    st.none() | st.lists(text, max_size=2).map(tuple),
    st.none() | st.lists(st.integers() | text, max_size=2).map(tuple),
    st.none() | st.lists(st.integers(), max_size=2).map(tuple),
    objects,
)


@st.composite
def items(draw: st.DrawFn) -> Item:
    pictures = tuple(draw(st.lists(scenes, max_size=2)))
    count = len(pictures[0].regions) if pictures else 0
    words = text
    if count:
        references = st.lists(st.integers(0, count - 1), max_size=3).map(tuple)
        words = st.one_of(text, references)  # type: ignore[assignment]
    tagged = st.builds(TaggedText, st.lists(words, max_size=4).map(tuple))
    some = st.lists(tagged, max_size=3).map(tuple)
    return Item(
        draw(text),
        draw(text),
        pictures,
        draw(st.dictionaries(text, tagged, max_size=3)),
        draw(some),
        draw(golds),
        draw(some),
        draw(st.none() | int32),
        draw(st.lists(text, max_size=3).map(tuple)),
        draw(st.none() | st.lists(int64, max_size=3).map(tuple)),
        draw(st.none() | st.builds(Program, st.lists(steps, max_size=3).map(tuple))),
        draw(st.dictionaries(text, text, max_size=3)),
        draw(objects),
        draw(objects),
    )


@given(st.lists(items(), min_size=1, max_size=3))
def test_any_item_comes_back_from_parquet(many: list[Item]) -> None:
    assert through_parquet(many) == many


@pytest.mark.parametrize(
    "gold", [None, Pick(0), Verdict(False), FreeText(""), Grounded("no", None), Grounded("", 0)]
)
def test_every_kind_of_gold_comes_back_as_itself(gold: Any) -> None:
    (item,) = through_parquet([Item("i", "val", gold=gold)])
    assert item.gold == gold
    assert type(item.gold) is type(gold)


@pytest.mark.parametrize(
    "tokens", [(), ("",), ("one",), ("two", "words"), ((0,),), ((),), ("a", (0, 1), "", (1,)), ("[person1]",)]
)
def test_every_shape_of_text_comes_back(tokens: Any) -> None:
    scene = Scene("x", (Region("person"), Region("dog")))
    item = Item("i", "val", (scene,), {"question": TaggedText(tokens)}, (TaggedText(tokens),))
    assert through_parquet([item]) == [item]


def test_no_target_and_an_empty_target_are_not_the_same() -> None:
    many = [Item("a", "val", target=None), Item("b", "val", target=())]
    assert [item.target for item in through_parquet(many)] == [None, ()]


def test_the_text_column_is_readable_as_it_is() -> None:
    scene = Scene("x", (Region("person"), Region("dog")))
    item = Item("i", "val", (scene,), {"question": TaggedText(("Why", "is", (0, 1), "here", "?"))})
    assert to_row(item)["texts"][0]["text"] == {
        "text": "Why is [person1, dog2] here?",
        "words": ["Why", "is", None, "here", "?"],
        "tags": [[0, 1]],
    }


def test_the_same_item_gives_the_same_row_whatever_the_order_of_its_keys() -> None:
    first = Item("i", "val", extra={"a": 1, "b": {"c": 1, "d": 2}}, groups={"x": "1", "y": "2"})
    second = Item("i", "val", extra={"b": {"d": 2, "c": 1}, "a": 1}, groups={"y": "2", "x": "1"})
    assert to_row(first) == to_row(second)


def test_a_gold_of_a_later_version_is_refused() -> None:
    row = to_row(Item("i", "val", gold=Pick(0)))
    with pytest.raises(InputError, match="The gold kind 'ranking' is not one that this version knows"):
        from_row({**row, "gold_kind": "ranking"})


def test_a_batch_has_the_one_schema() -> None:
    assert to_batch([Item("i", "val")]).schema.equals(SCHEMA)
    assert isinstance(to_batch([]), pa.RecordBatch)


def test_items_that_share_a_scene_give_the_same_rows_as_if_they_did_not() -> None:
    scene = Scene("x", (Region("cup", Box(0, 0, 1, 1), attributes=("red",), id=3),), width=4, height=5)
    other = Scene("y")
    shared = [
        Item("a", "val", (scene,)),
        Item("b", "val", (other, scene)),
        Item("c", "val"),
        Item("d", "val", (scene,)),
    ]
    one_by_one = pa.RecordBatch.from_pylist([to_row(item) for item in shared], schema=SCHEMA)
    assert to_batch(shared).equals(one_by_one)
    assert through_parquet(shared) == shared


def test_a_page_gives_its_items_back_and_can_be_thinned() -> None:
    one, other = Scene("x", (Region("cup", id=3),)), Scene("y")
    items = [Item(str(n), "val", (one if n < 3 else other,), gold=Grounded("cup", n)) for n in range(5)]
    page = to_page(items)
    assert page.scenes == [one, other]
    back = list(from_page(page))
    assert back == items
    assert back[0].scenes[0] is back[2].scenes[0]
    some = page.chosen(np.array([False, False, False, True, True]))
    assert some.scenes == [other]
    assert list(from_page(some)) == items[3:]
    assert some.batch().equals(to_batch(items[3:]))


def test_a_page_falls_into_splits_whatever_number_of_scenes_a_row_shows() -> None:
    one, other = Scene("x"), Scene("y")
    shown = [(one,), (other, one), (), (other,), (one, other)]
    items = [Item(str(n), ("val", "train")[n % 2], scenes) for n, scenes in enumerate(shown)]
    parts = dict(to_page(items).by_split())
    assert {split: list(from_page(part)) for split, part in parts.items()} == {
        "val": items[::2],
        "train": items[1::2],
    }
    assert parts["train"].batch().equals(to_batch(items[1::2]))


def test_rows_given_as_columns_are_those_of_the_items() -> None:
    items = [
        Item(f"7-{number}", "train", (), {"question": TaggedText.plain(said)}, gold=gold, target=target)
        for number, (said, gold, target) in enumerate(
            [("What is red?", Grounded("cup", 4), (4, 5)), ("Is it red?", Grounded("no", None), ())]
        )
    ]
    columns = {
        "id": [item.id for item in items],
        "split": ["train", "train"],
        "gold_kind": ["grounded", "grounded"],
        "gold_text": ["cup", "no"],
        "gold_object": [4, None],
        "target": [(4, 5), ()],
    }
    texts = ["What is red?", "Is it red?"]
    assert plain_batch(columns, "question", texts).equals(flat_batch(items))
    assert plain_batch({}, "question", []).equals(flat_batch([]))
