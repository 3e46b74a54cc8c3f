"""Colours of sentences and drawings change places, and nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_shapes import drawn
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from commonsight.graph.shapes.recolouring import OTHERS, paint_after, repainted, reworded
from commonsight.graph.shapes.values import COLOURS, KINDS, SIDE, STEP, Shape, tableau
from commonsight.models.symbolic.sight import see

TURNED = {"yellow": "black", "black": "blue", "blue": "yellow"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("There is a yellow block.", "There is a black block."),
        ("Black squares on a BLUE one, and yelllow ones", "Blue squares on a Yellow one, and black ones"),
        ("2 blocks in each grey box", "2 blocks in each grey box"),
        ("", ""),
    ],
)
def test_words_for_colours_change(before: str, after: str) -> None:
    assert reworded(before, TURNED) == after


def test_there_are_five_others_and_each_can_be_undone() -> None:
    assert len({tuple(one.items()) for one in OTHERS}) == 5
    assert all(sorted(one.values()) == sorted(COLOURS) and set(one) == set(COLOURS) for one in OTHERS)
    assert {colour: colour for colour in COLOURS} not in OTHERS
    assert [paint_after(one, TURNED) for one in ("Yellow", "black", "#0099FF", "Mauve")] == [
        "Black", "#0099ff", "Yellow", "Mauve",
    ]  # fmt: skip


@given(
    st.sampled_from(OTHERS),
    st.lists(
        st.tuples(st.sampled_from(KINDS), st.sampled_from(COLOURS), st.sampled_from((10, 20, 30))),
        min_size=3,
        max_size=3,
    ),
)
def test_recoloured_drawings_show_the_same_shapes(
    becomes: dict[str, str], shapes: list[tuple[str, str, int]]
) -> None:
    shown = tableau([[Shape(*one, 15, 40)] for one in shapes])
    wanted = tableau(
        [[structs.replace(one, colour=becomes[one.colour]) for one in panel.shapes] for panel in shown.panels]
    )
    pixels = np.asarray(drawn(shown))
    made = repainted(pixels, becomes)
    assert np.abs(made.astype(int) - np.asarray(drawn(wanted)).astype(int)).max() <= 2  # of 255
    assert see(made).shapes == wanted
    assert (made[:, SIDE:STEP] == pixels[:, SIDE:STEP]).all()  # between the boxes
