"""What a task shows, as a page has it: boxes by size, pictures by letter, texts cut at their tags."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from commonsight.collect.protocol import Show
from commonsight.web.collect.shows_view import humane, letter, picture_view, show_views, tagged
from commonsight.web.site import page_templates

REGIONS: list[dict[str, Any]] = [
    {"label": "dog", "box": [10.04, 5, 20, 15], "polygons": [[[10, 5], [20.26, 5.5], [15, 15]]]},
    {"label": "room", "box": [0, 0, 100, 80]},
    {"label": "thought", "box": None},
]
SCENE = {"picture": "a.png", "width": 100, "height": 80, "alt": "A room", "regions": REGIONS}
PAGES = page_templates("Test", {}).env


def drawn(shows: tuple[Show, ...], payload: dict[str, Any]) -> str:
    """As a page has it."""
    start = '{% from "collect/work_shows.html" import show %}'
    page = PAGES.from_string(start + "{% for each in views %}{{ show(each) }}{% endfor %}")
    return page.render(views=show_views(shows, payload))


def test_large_boxes_are_drawn_first_so_that_small_ones_can_be_pointed_at() -> None:
    view = picture_view("scene", SCENE)
    assert [box.name for box in view.boxes] == ["dog1", "room2", "thought3"]
    assert [box.name for box in view.drawn] == ["room2", "dog1"]
    assert view.boxes[0].corners == (10.0, 5.0, 10.0, 10.0)
    assert view.boxes[0].outlines == ("10,5 20.3,5.5 15,15",)


def test_a_picture_is_as_wide_as_fits() -> None:
    sizes = ({"width": 100, "height": 80}, {"width": 1, "height": 99}, {"width": 99, "height": 1})
    assert [picture_view("p", SCENE | size).shape for size in sizes] == [12, 3, 30]


def test_texts_point_to_the_first_scene() -> None:
    shows = (Show("text", "text"), Show("scene", "scene"))
    text, scene = show_views(shows, {"scene": SCENE, "text": "The [dog1] and [cat9]."}, scope="samples.0.")
    assert [piece.regions for piece in text.texts[0]] == [(), (0,), ()]
    assert text.about == "samples.0.scene" == scene.pictures[0].entry


def test_what_a_task_does_not_have_is_left_out() -> None:
    shows = (Show("gone", "texts"), Show("empty", "texts"), Show("none", "scene"), Show("blank", "text"))
    assert show_views(shows, {"empty": [], "none": None, "blank": ""}) == ()


def test_pairs_are_lists_or_sides_under_letters() -> None:
    plain = {"picture": "b.png", "width": 3, "height": 2}
    payload = {"pairs": [[plain, plain], {"left": plain, "right": plain}]}
    (view,) = show_views((Show("pairs", "pairs"),), payload)
    assert [(pair.letter, len(pair.pictures)) for pair in view.pairs] == [("A", 2), ("B", 2)]
    page = drawn((Show("pairs", "pairs"),), payload)
    assert 'aria-label="Enlarge: Pair B, right picture"' in page
    assert 'width="3" height="2"' in page


def test_what_others_said_is_told_name_by_name() -> None:
    said = {"triplets": [{"question": "Why?"}, {"question": "Who?"}], "all_right": True, "notes": ["a", "b"]}
    (view,) = show_views((Show("said", "answers"),), {"said": [said]})
    lines = [(line.label, ["".join(p.text for p in text) for text in line.texts]) for line in view.said[0]]
    assert lines == [
        ("Question", ["Why?"]), ("Question", ["Who?"]), ("All right", ["yes"]), ("Notes", ["a", "b"]),
    ]  # fmt: skip


def test_letters_go_on_as_numbers() -> None:
    assert [letter(place) for place in (0, 25, 26)] == ["A", "Z", "27"]
    assert humane("answer_type ") == "Answer type"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(JSON)
def test_anything_that_someone_said_can_be_drawn_and_is_never_markup(said: Any) -> None:
    page = drawn((Show("said", "answers", "Said"),), {"said": ["<script>alert(1)</script>", said]})
    assert "<script>" not in page
    assert "".join(piece.text for piece in tagged("[dog1] <b>", ("dog",))) == "[dog1] <b>"
