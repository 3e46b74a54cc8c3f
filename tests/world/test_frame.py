"""A drawn scene as the writers get it: what is listed can be made out, and facts are about nothing else."""

from __future__ import annotations

import pytest

from commonsight.core.checks import scene_faults
from commonsight.world.frame import ENOUGH, SMALLEST, Frame, frame, scene_of
from commonsight.world.logic import conclude
from commonsight.world.make import Plan, frames_of, units
from commonsight.world.rules import RULES
from commonsight.world.vcr import entities_of

PLAN = Plan(72, 3, ("vcr",))


@pytest.fixture(scope="module")
def frames() -> list[Frame]:
    return [shot for unit in units(PLAN) for shot in frames_of(PLAN, unit)]


def test_people_are_listed_first(frames: list[Frame]) -> None:
    for shot in frames:
        labels = [shot.names[entity] for entity in shot.index]
        people = labels.count("person")
        assert labels[:people] == ["person"] * people
        assert list(shot.index.values()) == list(range(len(shot.index)))


def test_most_scenes_show_two_people_or_more(frames: list[Frame]) -> None:
    people = [sum(shot.names[entity] == "person" for entity in shot.index) for shot in frames]
    assert sum(count >= 2 for count in people) > 0.7 * len(frames)


def test_what_is_listed_is_clear_and_what_is_not_is_not(frames: list[Frame]) -> None:
    for shot in frames:
        clear = set()
        for entity, seen in shot.picture.visible.items():
            left, top, right, bottom = seen.box
            if seen.share >= ENOUGH and min(right - left, bottom - top) >= SMALLEST:
                clear.add(entity)
        assert set(shot.index) == clear


def test_boxes_and_outlines_are_inside_the_picture(frames: list[Frame]) -> None:
    for shot in frames:
        scene = scene_of(shot, "one.jpg")
        assert list(scene_faults(scene)) == []
        assert (scene.width, scene.height) == shot.picture.image.size
        for region in scene.regions:
            assert region.box is not None
            assert 0 <= region.box.left < region.box.right <= (scene.width or 0)
            assert 0 <= region.box.top < region.box.bottom <= (scene.height or 0)
            assert region.polygons
            for polygon in region.polygons:
                assert len(polygon) >= 3
                assert all(0 <= x <= (scene.width or 0) and 0 <= y <= (scene.height or 0) for x, y in polygon)


def test_facts_and_proofs_are_about_what_is_listed(frames: list[Frame]) -> None:
    for shot in frames:
        for fact in shot.known:
            assert set(entities_of(fact)) <= set(shot.index), fact
        assert shot.proofs == conclude(shot.facts, RULES)


def test_a_hidden_thing_leaves_the_list_and_the_facts(frames: list[Frame]) -> None:
    hidden = [(shot, entity) for shot in frames for entity in shot.names if entity not in shot.index]
    assert hidden  # occlusion is part of the world
    for shot, entity in hidden:
        assert all(entity not in entities_of(fact) for fact in shot.known)


def test_the_same_stage_gives_the_same_frame(frames: list[Frame]) -> None:
    again = frame(frames[0].stage)
    assert again.picture.image.tobytes() == frames[0].picture.image.tobytes()
    assert (again.facts, again.proofs, again.index) == (frames[0].facts, frames[0].proofs, frames[0].index)


def test_no_two_scenes_look_the_same(frames: list[Frame]) -> None:
    assert len({shot.picture.image.tobytes() for shot in frames}) == len(frames)
