"""Everything that is said of a person must be seen: each pose, mood, garment and hat changes the drawing."""

from __future__ import annotations

from math import dist
from typing import get_args

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from commonsight.world.draw.geometry import AGE_HEIGHT
from commonsight.world.draw.pen import Pen
from commonsight.world.draw.people import Hands, draw_person
from commonsight.world.draw.people_body import ARM, pose_body
from commonsight.world.model import (
    COLOURS,
    HAIRS,
    SKINS,
    Actor,
    Expression,
    HairStyle,
    Hat,
    Look,
    Outfit,
    Pose,
)

UNIT = 110.0
FEET = (90.0, 150.0)
LOOK = Look(SKINS[0], "brown", "short", "red", "blue")
PLAIN = Actor(4, "someone", LOOK)
CLEAR = 60
"""How many pixels of a figure must differ clearly before a stranger could tell two drawings apart."""

Drawn = tuple[NDArray[np.int16], NDArray[np.uint8], Hands]


def draw(
    actor: Actor,
    look_towards: tuple[float, float] | None = None,
    reach_for: tuple[float, float] | None = None,
) -> Drawn:
    pen = Pen(180, 160, "#efe3cc")
    pen.entity = actor.id + 1
    hands = draw_person(pen, actor, *FEET, UNIT, look_towards, reach_for)
    return np.asarray(pen.picture(), dtype=np.int16), pen.numbers(), hands


def differing(one: Drawn, other: Drawn) -> int:
    """How many pixels differ by more than a shade."""
    return int((np.abs(one[0] - other[0]).max(axis=2) > 40).sum())


def height(drawn: Drawn) -> int:
    rows = np.flatnonzero((drawn[1] > 0).any(axis=1))
    return int(rows[-1] - rows[0] + 1)


def test_all_poses_differ_from_one_another() -> None:
    drawn = {pose: draw(replace(PLAIN, pose=pose)) for pose in get_args(Pose)}
    for one in drawn:
        for other in drawn:
            if one < other:
                assert differing(drawn[one], drawn[other]) > 2 * CLEAR, (one, other)


@pytest.mark.parametrize("age", ["child", "adult", "old"])
def test_all_moods_differ_in_the_face(age: str) -> None:
    look = replace(LOOK, age=age)
    drawn = {
        mood: draw(replace(PLAIN, look=look, expression=mood, pose="walking"))
        for mood in get_args(Expression)
    }
    for one in drawn:
        for other in drawn:
            if one < other:
                assert differing(drawn[one], drawn[other]) > CLEAR / 2, (one, other)


def test_a_sleeper_does_not_look_awake() -> None:
    asleep = draw(replace(PLAIN, pose="sleeping", seat=9))
    assert differing(asleep, draw(replace(PLAIN, pose="sitting", seat=9))) > CLEAR


@pytest.mark.parametrize("outfit", [o for o in get_args(Outfit) if o != "casual"])
@pytest.mark.parametrize("pose", ["standing", "sitting"])
def test_every_outfit_shows(outfit: Outfit, pose: Pose) -> None:
    actor = replace(PLAIN, pose=pose, seat=3 if pose == "sitting" else None)
    dressed = replace(actor, look=replace(LOOK, outfit=outfit))
    assert differing(draw(actor), draw(dressed)) > CLEAR


@pytest.mark.parametrize("outfit", get_args(Outfit))
def test_the_top_keeps_its_colour_in_every_outfit(outfit: Outfit) -> None:
    picture, numbers, _ = draw(replace(PLAIN, look=replace(LOOK, outfit=outfit, top="green")))
    paint = COLOURS["green"]
    wanted = np.array([int(paint[i : i + 2], 16) for i in (1, 3, 5)])
    same = (np.abs(picture - wanted).max(axis=2) < 12) & (numbers > 0)
    assert same.sum() > 2 * CLEAR


@pytest.mark.parametrize("hat", get_args(Hat))
def test_every_hat_shows(hat: Hat) -> None:
    others = [
        draw(replace(PLAIN, look=replace(LOOK, hat=other)))
        for other in (None, *get_args(Hat))
        if other != hat
    ]
    this = draw(replace(PLAIN, look=replace(LOOK, hat=hat)))
    assert min(differing(this, other) for other in others) > CLEAR


@pytest.mark.parametrize("style", get_args(HairStyle))
def test_every_hair_style_shows(style: HairStyle) -> None:
    this = draw(replace(PLAIN, look=replace(LOOK, hair_style=style)))
    others = [
        draw(replace(PLAIN, look=replace(LOOK, hair_style=o))) for o in get_args(HairStyle) if o != style
    ]
    assert min(differing(this, other) for other in others) > CLEAR / 2


@pytest.mark.parametrize("style", get_args(HairStyle))
def test_hair_shows_its_colour_even_in_the_old_and_the_bald(style: HairStyle) -> None:
    for age in ("adult", "old"):
        looks = [replace(LOOK, hair_style=style, hair=hair, age=age) for hair in HAIRS]
        drawn = [draw(replace(PLAIN, look=look)) for look in looks]
        assert all(differing(drawn[0], other) > 10 for other in drawn[1:]), age


def test_glasses_and_skins_show() -> None:
    plain = draw(PLAIN)
    assert differing(plain, draw(replace(PLAIN, look=replace(LOOK, glasses=True)))) > 15
    assert differing(plain, draw(replace(PLAIN, look=replace(LOOK, skin=SKINS[4])))) > CLEAR


def test_eyes_follow_what_is_looked_at() -> None:
    head = draw(PLAIN)[2]
    x, y = head.head
    around = [draw(PLAIN, (x + dx, y + dy)) for dx, dy in ((99, 0), (-99, 0), (0, 99), (0, -99))]
    for i, one in enumerate(around):
        for other in around[:i]:
            assert differing(one, other) > 15
            below = np.s_[int(y + head.radius * 1.4) :]
            assert np.array_equal(one[0][below], other[0][below])  # only the head turns


def test_facing_left_mirrors_facing_right() -> None:
    assert differing(draw(PLAIN), draw(replace(PLAIN, facing="left"))) > CLEAR


def test_children_are_smaller_with_larger_heads() -> None:
    adult, child = draw(PLAIN), draw(replace(PLAIN, look=replace(LOOK, age="child")))
    assert height(child) / height(adult) == pytest.approx(AGE_HEIGHT["child"], abs=0.06)
    assert child[2].radius / height(child) > 1.2 * adult[2].radius / height(adult)


def test_the_old_stoop() -> None:
    upright, stooped = (
        pose_body(PLAIN, *FEET, UNIT),
        pose_body(replace(PLAIN, look=replace(LOOK, age="old")), *FEET, UNIT),
    )
    assert stooped.head[0] > upright.head[0] + 3


@pytest.mark.parametrize("pose", get_args(Pose))
@pytest.mark.parametrize("age", ["adult", "child"])
def test_hands_and_head_are_where_they_are_drawn(pose: Pose, age: str) -> None:
    actor = replace(PLAIN, pose=pose, look=replace(LOOK, age=age))
    _, numbers, hands = draw(actor)
    for x, y in (hands.hold, hands.other, hands.head):
        assert numbers[round(y), round(x)] == actor.id + 1
    body = pose_body(actor, *FEET, UNIT)
    assert dist(hands.hold, body.front_arm.root) <= 2 * ARM * body.scale + 1e-6


@pytest.mark.parametrize("target", [(170, 20), (10, 30), (160, 140), (90, -50)])
def test_a_pointing_arm_is_straight_and_on_target(target: tuple[float, float]) -> None:
    body = pose_body(replace(PLAIN, pose="pointing"), *FEET, UNIT, target)
    (sx, sy), (ex, ey), (hx, hy) = body.front_arm
    reach = np.array([hx - sx, hy - sy])
    wanted = np.array([target[0] - sx, target[1] - sy])
    assert reach @ wanted / np.linalg.norm(reach) / np.linalg.norm(wanted) > 0.999
    assert abs((ex - sx) * (hy - sy) - (ey - sy) * (hx - sx)) / np.linalg.norm(reach) < 0.5


def test_eating_brings_the_hand_to_the_mouth_and_reading_takes_both() -> None:
    hands = draw(replace(PLAIN, pose="eating", holds=9))[2]
    assert dist(hands.hold, hands.head) < 1.5 * hands.radius
    reading = draw(replace(PLAIN, pose="reading", holds=9))[2]
    assert reading.both
    assert reading.grip[0] == pytest.approx((reading.hold[0] + reading.other[0]) / 2)


def test_wide_things_take_both_hands() -> None:
    pen = Pen(180, 160)
    actor = replace(PLAIN, holds=9)
    assert not draw_person(pen, actor, *FEET, UNIT, width=0.1 * UNIT).both
    wide = draw_person(pen, actor, *FEET, UNIT, width=0.3 * UNIT)
    assert wide.both
    assert wide.hold[0] - wide.other[0] > 0.2 * UNIT


def test_letters_over_a_sleeper_are_no_part_of_the_sleeper() -> None:
    _, numbers, hands = draw(replace(PLAIN, pose="sleeping"))
    assert np.flatnonzero((numbers > 0).any(axis=1))[0] > hands.head[1] - 1.6 * hands.radius
