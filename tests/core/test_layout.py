"""What may follow what in a layout, checked against all layouts there are."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core.layout import LONGEST, MODULES, NUMBERS, PLAIN, Place, arranged, fault, may_follow

NAMES = tuple(module.name for module in MODULES)


@pytest.mark.parametrize(
    ("layout", "told"),
    [
        (("find", "exist"), None),
        (("find", "find", "transform", "and", "count"), None),
        (("scene", "find", "more_num"), None),
        ((), "it ends without an answer"),
        (("find",), "it ends without an answer"),
        (("exist",), "exist takes 1 maps, and there are 0"),
        (("find", "find", "exist"), "exist answers, and 1 maps and 0 modules are left"),
        (("find", "exist", "find"), "exist answers, and 0 maps and 1 modules are left"),
        (("find", "look", "exist"), "there is no module 'look'"),
        (("find",) * 6 + ("and",) * 5 + ("exist",), f"12 modules are more than {LONGEST}"),
    ],
)
def test_what_is_wrong_with_a_layout_is_told(layout: tuple[str, ...], told: str | None) -> None:
    assert fault(layout) == told


def test_the_plain_layout_is_well_formed() -> None:
    assert fault(PLAIN) is None


def _written(longest: int) -> set[tuple[str, ...]]:
    """All that can be written by one who keeps to what may follow."""
    done: set[tuple[str, ...]] = set()
    open_: list[tuple[tuple[str, ...], int]] = [((), 0)]
    while open_:
        layout, stack = open_.pop()
        allowed = may_follow(stack, longest - len(layout))
        assert any(allowed)  # nobody is led where there is no way on
        for module, may in zip(MODULES, allowed, strict=True):
            if may and module.answers:
                done.add((*layout, module.name))
            elif may:
                open_.append(((*layout, module.name), stack - module.takes + 1))
    return done


@pytest.mark.parametrize("longest", [2, 3, 4])
def test_what_may_follow_leads_to_all_well_formed_layouts_and_to_no_others(longest: int) -> None:
    every = (layout for length in range(longest + 1) for layout in product(NAMES, repeat=length))
    assert _written(longest) == {layout for layout in every if fault(layout, longest) is None}


@given(st.data())
def test_whoever_keeps_to_it_comes_to_an_end(data: st.DataObject) -> None:
    longest = data.draw(st.integers(2, LONGEST))
    layout: list[str] = []
    stack = 0
    while True:
        allowed = may_follow(stack, longest - len(layout))
        module = data.draw(st.sampled_from([one for one, may in zip(MODULES, allowed, strict=True) if may]))
        layout.append(module.name)
        stack += 1 - module.takes
        if module.answers:
            break
    assert fault(layout, longest) is None
    assert len(arranged([NUMBERS[name] for name in layout])) == len(layout)


def test_modules_take_their_maps_from_the_top_of_the_stack() -> None:
    names = ("find", "scene", "transform", "and", "count")
    find, scene, transform, both, count = (NUMBERS[name] for name in names)
    assert arranged([find, scene, transform, both, count]) == (
        Place(find, (), 0),
        Place(scene, (), 0),
        Place(transform, (1,), 1),
        Place(both, (0, 2), 2),
        Place(count, (3,), 3),
    )


@pytest.mark.parametrize("layout", [("exist",), ("find",), ("find", "find", "exist")])
def test_what_is_not_well_formed_is_not_arranged(layout: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"takes 1 maps|no layout that ends"):
        arranged([NUMBERS[name] for name in layout])
