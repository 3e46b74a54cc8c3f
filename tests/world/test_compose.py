"""A stage as a picture: what stands where, what hides what, and masks that fit the pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from commonsight.errors import UsageError
from commonsight.world.draw.compose import MOST, Rendered, render
from commonsight.world.draw.compose_layout import Layout
from commonsight.world.draw.compose_outline import Polygon, outlines
from commonsight.world.draw.geometry import HEIGHT, WIDTH, extent
from commonsight.world.model import SKINS, Actor, Camera, Look, Prop, Spot, Stage

MUM = Look(SKINS[1], "brown", "ponytail", "green", "blue")
KID = Look(SKINS[3], "black", "curly", "yellow", "red", age="child")
COP = Look(SKINS[2], "brown", "short", "blue", "black", outfit="police uniform", hat="police cap")


def stage(*entities: Actor | Prop, spots: dict[int, tuple[float, float]], **more: Any) -> Stage:
    actors = tuple(entity for entity in entities if isinstance(entity, Actor))
    props = tuple(entity for entity in entities if isinstance(entity, Prop))
    places = {entity: Spot(*spot) for entity, spot in spots.items()}
    return Stage("s1", "m1", more.pop("place", "kitchen"), actors, props, places, **more)


PARTY = stage(
    Actor(0, "mum", MUM, pose="handing over", expression="happy", holds=20, partner=1, looks_at=1),
    Actor(1, "kid", KID, expression="surprised", looks_at=20, facing="left"),
    Actor(2, "cop", COP, pose="sitting", seat=10, looks_at=1, facing="left"),
    Prop(10, "chair", "brown"), Prop(11, "dining table", "brown"), Prop(12, "plate", "white", on=11),
    Prop(13, "cake", "pink", on=11, state="lit"), Prop(14, "cup", "red", on=11), Prop(15, "window", "white"),
    Prop(16, "refrigerator", "white"), Prop(18, "balloon", "red"), Prop(20, "gift box", "blue"),
    Prop(21, "dog", "brown"), Prop(22, "bucket", "blue"), Prop(23, "apple", "red", inside=22),
    spots={0: (0.18, 0.25), 1: (0.4, 0.25), 10: (0.7, 0.65), 11: (0.7, 0.42), 12: (0.2, 0), 13: (0.5, 0),
           14: (0.8, 0), 15: (0.45, 1), 16: (0.1, 0.95), 18: (0.3, 0.6), 21: (0.55, 0.05), 22: (0.9, 0.1)},
)  # fmt: skip


def entity_map(of: Stage) -> NDArray[np.uint8]:
    """The pen's map of a stage: what masks must agree with."""
    from commonsight.world.draw.compose import _Scene
    from commonsight.world.draw.pen import Pen

    pen = Pen(WIDTH, HEIGHT)
    _Scene(of, pen).draw()
    return np.ascontiguousarray(pen.numbers())


def fill(polygons: tuple[Polygon, ...], fine: int = 4) -> NDArray[np.bool_]:
    """The pixels whose middle is inside."""
    sheet = Image.new("1", (WIDTH * fine, HEIGHT * fine))
    ink = ImageDraw.Draw(sheet)
    for polygon in polygons:
        ink.polygon([(x * fine - 0.5, y * fine - 0.5) for x, y in polygon], fill=1)
    return np.asarray(sheet)[fine // 2 :: fine, fine // 2 :: fine]


def test_everything_in_the_room_is_seen() -> None:
    rendered = render(PARTY)
    assert rendered.image.size == (WIDTH, HEIGHT)
    assert rendered.image.mode == "RGB"
    assert set(rendered.visible) == {a.id for a in PARTY.actors} | {p.id for p in PARTY.props}


@pytest.mark.parametrize("camera", [Camera(), Camera(0.1, 0.03, 1.3)])
def test_boxes_are_the_bounds_of_the_mask(camera: Camera) -> None:
    scene = replace(PARTY, camera=camera)
    numbers, visible = entity_map(scene), render(scene).visible
    assert {int(number) - 1 for number in np.unique(numbers) if number} == set(visible)
    for entity, seen in visible.items():
        rows, columns = np.nonzero(numbers == entity + 1)
        assert seen.box == (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
        assert 0 <= seen.box[0] < seen.box[2] <= WIDTH
        assert 0 <= seen.box[1] < seen.box[3] <= HEIGHT


def test_polygons_lie_in_their_boxes_and_fit_the_masks() -> None:
    numbers = entity_map(PARTY)
    fits = []
    for entity, seen in render(PARTY).visible.items():
        left, top, right, bottom = seen.box
        assert all(left <= x <= right and top <= y <= bottom for polygon in seen.polygons for x, y in polygon)
        mask, drawn = numbers == entity + 1, fill(seen.polygons)
        fits.append((mask & drawn).sum() / (mask | drawn).sum())
    assert np.mean(fits) > 0.93  # 0.957 over the 166 entities of twelve scenes
    assert min(fits) > 0.75


def test_the_nearer_hides_the_farther() -> None:
    far, near = Prop(1, "refrigerator", "white"), Actor(2, "mum", MUM)
    alone = render(stage(far, spots={1: (0.5, 0.8)})).visible[1]
    both = render(stage(far, near, spots={1: (0.5, 0.8), 2: (0.5, 0.3)})).visible
    behind = render(stage(far, near, spots={1: (0.5, 0.3), 2: (0.5, 0.8)})).visible
    assert alone.share > 0.95
    assert both[1].share < 0.8
    assert both[2].share > 0.95
    assert behind[1].share > 0.95
    assert 2 not in behind or behind[2].share < both[2].share


def test_what_is_wholly_hidden_is_not_there() -> None:
    cup, bus = Prop(1, "cup", "red"), Prop(2, "bus", "yellow")
    scene = stage(cup, bus, spots={1: (0.5, 0.5), 2: (0.5, 0.3)}, place="street")
    assert set(render(scene).visible) == {2}


def test_half_out_of_the_picture_is_half_a_share() -> None:
    seen = render(stage(Prop(1, "couch", "red"), spots={1: (0.0, 0.3)})).visible[1]
    assert seen.box[0] == 0
    assert 0.3 < seen.share < 0.7


def test_a_held_thing_is_in_the_hand() -> None:
    for name in ("cup", "handbag", "umbrella", "book", "cell phone", "teddy bear", "flower", "suitcase"):
        scene = stage(Actor(1, "mum", MUM, holds=2), Prop(2, name, "red"), spots={1: (0.5, 0.3)})
        hands, seen = Layout(scene, WIDTH, HEIGHT).hands[1], render(scene).visible[2]
        left, top, right, bottom = seen.box
        x, y = hands.grip
        assert left - 6 <= x <= right + 6, name
        assert top - 6 <= y <= bottom + 6, name


def test_a_thing_stands_on_its_table() -> None:
    seen = render(PARTY).visible
    left, top, right, _ = seen[11].box
    for entity in (12, 13, 14):
        box = seen[entity].box
        assert abs(box[3] - top) < 10
        assert left - 1 <= box[0]
        assert box[2] <= right + 1
    assert seen[12].box[0] < seen[13].box[0] < seen[14].box[0]  # in the order of their x


def test_things_on_a_carried_tray_go_along() -> None:
    scene = stage(
        Actor(1, "mum", MUM, holds=2),
        Prop(2, "tray", "grey"),
        Prop(3, "cup", "red", on=2),
        spots={1: (0.3, 0.2)},
    )
    seen = render(scene).visible
    assert abs(seen[3].box[3] - seen[2].box[1]) < 8
    assert seen[2].box[0] <= seen[3].box[0]


def test_what_is_inside_peeps_out_of_what_it_is_in() -> None:
    seen, layout = render(PARTY).visible, Layout(PARTY, WIDTH, HEIGHT)
    whole = extent(PARTY.prop(23), layout.feet[23].unit).height
    assert 0 < seen[23].box[3] - seen[23].box[1] < whole
    assert seen[23].box[1] < seen[22].box[3]


def test_a_closed_refrigerator_hides_what_is_in_it() -> None:
    milk = Prop(2, "bottle", "white", inside=1)
    for state, count in (("open", 2), (None, 1)):
        fridge = Prop(1, "refrigerator", "grey", state=state)
        assert len(render(stage(fridge, milk, spots={1: (0.5, 0.5)})).visible) == count


def test_sitters_sit_on_their_seat() -> None:
    seen = render(PARTY).visible
    assert seen[10].box[0] - 12 < (seen[2].box[0] + seen[2].box[2]) / 2 < seen[10].box[2] + 12
    assert seen[2].box[1] < seen[10].box[1]


def test_two_on_a_couch_sit_side_by_side() -> None:
    scene = stage(
        Actor(1, "mum", MUM, pose="sitting", seat=3), Actor(2, "kid", KID, pose="sitting", seat=3),
        Prop(3, "couch", "red"),
        spots={1: (0.9, 0), 2: (0.1, 0), 3: (0.5, 0.4)},
    )  # fmt: skip
    feet = Layout(scene, WIDTH, HEIGHT).feet
    assert feet[2].x + 20 < feet[1].x


@pytest.mark.parametrize("gap", [0.05, 0.3, 0.7])
def test_partners_come_within_reach(gap: float) -> None:
    spots = {1: (0.5 - gap / 2, 0.3), 2: (0.5 + gap / 2, 0.3)}
    hug = stage(
        Actor(1, "mum", MUM, pose="hugging", partner=2),
        Actor(2, "cop", COP, pose="hugging", partner=1, facing="left"),
        spots=spots,
    )  # fmt: skip
    boxes = [render(hug).visible[entity].box for entity in (1, 2)]
    assert boxes[0][2] > boxes[1][0]  # they touch
    give = stage(
        Actor(1, "mum", MUM, pose="handing over", partner=2, holds=3), Actor(2, "kid", KID, facing="left"),
        Prop(3, "gift box", "red"), spots=spots,
    )  # fmt: skip
    mum, kid, gift = (render(give).visible[entity].box for entity in (1, 2, 3))
    assert mum[0] < gift[0] < gift[2] < kid[2]
    hands = Layout(give, WIDTH, HEIGHT).hands[2].hold
    assert abs(hands[0] - (gift[0] + gift[2]) / 2) < 25  # the other reaches for it
    assert abs(hands[1] - (gift[1] + gift[3]) / 2) < 30


def test_the_same_stage_gives_the_same_bytes_and_seeds_differ() -> None:
    def drawn(scene: Stage) -> tuple[bytes, Rendered]:
        rendered = render(scene)
        return rendered.image.tobytes(), rendered

    first, again, other = drawn(PARTY), drawn(PARTY), drawn(replace(PARTY, seed=7))
    assert first[0] == again[0]
    assert first[1].visible == again[1].visible
    assert first[0] != other[0]


def test_light_and_weather_show() -> None:
    scene = stage(
        Actor(1, "mum", MUM), Prop(2, "lamp", "yellow", state="lit"), spots={1: (0.3, 0.3), 2: (0.8, 0.6)}
    )
    day, dusk, night_mean = (
        float(np.mean(np.asarray(render(replace(scene, light=light)).image)))
        for light in ("day", "dusk", "night")
    )
    assert day > dusk > night_mean
    night = np.asarray(render(replace(scene, light="night")).image, dtype=float)
    dark = np.asarray(
        render(replace(scene, light="night", props=(replace(scene.props[0], state=None),))).image, dtype=float
    )
    assert (night - dark)[60:140, 260:340].mean() > 10  # around the lamp
    assert abs((night - dark)[:, :60].mean()) < 8
    street = replace(scene, place="street")
    clear, wet = (np.asarray(render(replace(street, weather=w)).image) for w in ("clear", "rain"))
    assert (clear != wet).mean() > 0.2


def test_ids_go_up_to_the_largest() -> None:
    scene = stage(Actor(MOST, "mum", MUM), Prop(0, "dog", "brown"), spots={MOST: (0.3, 0.3), 0: (0.7, 0.3)})
    assert set(render(scene).visible) == {0, MOST}


def test_faults_are_named() -> None:
    with pytest.raises(
        UsageError, match=r"stage s1: ids \[251\] cannot be drawn. Give every entity its own id from 0 to 250"
    ):
        render(stage(Prop(251, "dog", "brown"), spots={251: (0.5, 0.5)}))
    with pytest.raises(UsageError, match=r"ids \[3\] cannot be drawn"):
        render(stage(Prop(3, "dog", "brown"), Prop(3, "cat", "grey"), spots={3: (0.5, 0.5)}))
    with pytest.raises(UsageError, match="stage s1: entity 3 has no spot"):
        render(stage(Prop(3, "dog", "brown"), spots={}))


def test_outlines_of_odd_shapes() -> None:
    numbers = np.zeros((40, 60), dtype=np.uint8)
    numbers[5:35, 5:45] = 7
    numbers[12:28, 14:30] = 0  # a hole
    numbers[10:12, 50:56] = 7  # and a piece apart
    numbers[39, 59] = 251  # one pixel in a corner
    found = outlines(numbers)
    assert set(found) == {7, 251}
    assert found[7].box == (5, 5, 56, 35)
    assert found[7].area == 30 * 40 - 16 * 16 + 12
    assert found[251].box == (59, 39, 60, 40)
    assert found[251].polygons == (((59.0, 39.0), (60.0, 39.0), (60.0, 40.0), (59.0, 40.0)),)
    sheet = Image.new("1", (60 * 4, 40 * 4))
    for polygon in found[7].polygons:
        ImageDraw.Draw(sheet).polygon([(x * 4 - 0.5, y * 4 - 0.5) for x, y in polygon], fill=1)
    drawn = np.asarray(sheet)[2::4, 2::4]
    assert (drawn & (numbers == 7)).sum() / (drawn | (numbers == 7)).sum() > 0.97
    assert not drawn[18:22, 18:26].any()
    assert outlines(np.zeros((4, 4), dtype=np.uint8)) == {}
