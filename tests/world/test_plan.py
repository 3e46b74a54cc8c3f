"""Scenes: the same for the same seed, never the same twice, with people whose faces can be seen."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from commonsight.world.cast import PALETTES, Movie, movie
from commonsight.world.episodes import EPISODES, castable
from commonsight.world.layout import Body, person_body
from commonsight.world.model import HAIRS, SKINS, Stage
from commonsight.world.places import PLACES
from commonsight.world.plan import CLIP_SHOTS, SHOT_FRAMES, plan_clip, plan_scene, scene_rng
from commonsight.world.things import THINGS


def scene(seed: int, of: Movie, index: int) -> Stage:
    return plan_scene(of, index, scene_rng(seed, of, index))


@cache
def scenes() -> tuple[Stage, ...]:
    """Two thousand scenes of forty movies."""
    return tuple(scene(0, made, index) for made in map(movie, range(40)) for index in range(50))


# -- movies, places, episodes


def test_there_are_enough_places_and_episodes() -> None:
    assert len(PLACES) >= 12
    assert len(EPISODES) >= 40
    assert {place for episode in EPISODES.values() for place in episode.places} == set(PLACES)


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_place_is_furnished_from_the_things_of_the_world(place: object) -> None:
    for fixture in place.fixtures:  # type: ignore[attr-defined]
        assert fixture.name in THINGS
        assert 0 <= fixture.x <= 1
        assert 0 <= fixture.depth <= 1
        assert fixture.on in {"", *(other.name for other in place.fixtures)}  # type: ignore[attr-defined]
    assert {*place.usual, *place.floor} <= set(THINGS)  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(20))
def test_a_movie_keeps_to_its_cast_and_thread(seed: int) -> None:
    made = movie(seed)
    assert made == movie(seed)
    assert 4 <= len(made.cast) <= 7
    assert len({character.name for character in made.cast}) == len(made.cast)
    assert len({character.look.skin for character in made.cast}) >= 4
    assert all(character.look.skin in SKINS and character.look.hair in HAIRS for character in made.cast)
    assert 0 <= made.palette < PALETTES
    ages = [character.look.age for character in made.cast]
    assert all(castable(EPISODES[name], ages) for name in made.episodes)


def test_movies_differ_and_every_episode_has_one() -> None:
    made = [movie(seed) for seed in range(150)]
    assert len({each.name for each in made}) == len(made)
    assert {name for each in made for name in each.episodes} == set(EPISODES)


# -- the same, and never the same


def test_a_scene_is_a_function_of_seed_movie_and_index() -> None:
    made = movie(3)
    forwards = [scene(7, made, index) for index in range(30)]
    backwards = [scene(7, movie(3), index) for index in reversed(range(30))]
    assert forwards == backwards[::-1]
    assert forwards[0] != scene(8, made, 0)


def test_no_two_scenes_are_the_same() -> None:
    bare = {msgspec.json.encode(replace(stage, id="", seed=0)) for stage in scenes()}
    assert len(bare) == len(scenes()) == 2000


def test_a_stage_survives_json() -> None:
    for stage in scenes()[::20]:
        assert msgspec.json.decode(msgspec.json.encode(stage), type=Stage) == stage


# -- who and what is there


def test_nearly_all_scenes_have_two_people_and_three_entities() -> None:
    two = sum(len(stage.actors) >= 2 for stage in scenes())
    three = sum(len(stage.actors) + len(stage.props) >= 3 for stage in scenes())
    assert two >= 0.95 * len(scenes())
    assert three >= 0.99 * len(scenes())


def test_ids_are_dense_and_people_come_first() -> None:
    for stage in scenes():
        ids = [*(actor.id for actor in stage.actors), *(prop.id for prop in stage.props)]
        assert ids == list(range(len(ids)))
        assert set(stage.spots) == set(ids)


def test_what_is_named_is_there_and_fit_for_it() -> None:
    for stage in scenes():
        people, things = {actor.id for actor in stage.actors}, {prop.id: prop for prop in stage.props}
        for actor in stage.actors:
            assert actor.holds is None or THINGS[things[actor.holds].name].held
            assert actor.seat is None or THINGS[things[actor.seat].name].seat is not None
            assert actor.partner is None or actor.partner in people - {actor.id}
            for regarded in (actor.looks_at, actor.points_at):
                assert regarded is None or regarded in (people | things.keys()) - {actor.id}
        held = [actor.holds for actor in stage.actors if actor.holds is not None]
        assert len(set(held)) == len(held)


def test_things_are_what_their_class_allows() -> None:
    for stage in scenes():
        for prop in stage.props:
            kind = THINGS[prop.name]
            assert prop.colour in kind.colours
            assert prop.state is None or prop.state in kind.states
            assert prop.material in ("", *kind.materials)
            assert prop.on is None or THINGS[stage.prop(prop.on).name].top is not None


def test_a_pose_has_what_it_needs() -> None:
    for stage in scenes():
        for actor in stage.actors:
            if actor.pose in ("sitting", "lying", "sleeping"):
                assert actor.seat is not None, (stage.id, actor)
            if actor.pose == "reading":
                assert actor.holds is not None, (stage.id, actor)
            if actor.pose == "eating":
                assert actor.holds is not None, (stage.id, actor)
            if actor.pose in ("hugging", "handing over"):
                assert actor.partner is not None, (stage.id, actor)
            if actor.pose in ("standing", "walking", "running", "crouching"):
                assert actor.seat is None, (stage.id, actor)
            assert (actor.points_at is not None) == (actor.pose == "pointing"), (stage.id, actor)


def test_people_face_what_they_look_at() -> None:
    for stage in scenes():
        for actor in stage.actors:
            regarded = next(
                (x for x in (actor.partner, actor.points_at, actor.looks_at) if x is not None), None
            )
            if regarded is None or regarded == actor.holds:
                continue
            here, there = stage.spots[actor.id].x, stage.spots[regarded].x
            assert here == there or actor.facing == ("right" if there > here else "left"), (stage.id, actor)


# -- where they are


def _body(stage: Stage, number: int) -> Body:
    actor = stage.actors[number]
    seat = THINGS[stage.prop(actor.seat).name] if actor.seat is not None else None
    lift = (seat.seat or 0) * seat.height if seat else 0.0
    return person_body(actor.look.age, actor.pose, stage.spots[actor.id], lift, seat is not None)


def test_people_stand_apart_and_hide_no_face() -> None:
    hidden = 0
    for stage in scenes():
        bodies = [_body(stage, number) for number in range(len(stage.actors))]
        for one, other in combinations(bodies, 2):
            assert abs(one.spot.x - other.spot.x) > 0.05, stage.id
            front, back = sorted((one, other), key=lambda body: body.spot.depth)
            face, _ = back.vital[0]
            hidden += front.solid.shared(face) > 0.3 * face.area
    assert hidden <= 0.01 * len(scenes())


def test_everything_is_in_the_room() -> None:
    for stage in scenes():
        assert all(0 <= spot.x <= 1 and 0 <= spot.depth <= 1 for spot in stage.spots.values()), stage.id


def test_people_stand_at_different_depths() -> None:
    depths = [stage.spots[actor.id].depth for stage in scenes() for actor in stage.actors]
    assert min(depths) < 0.1
    assert max(depths) > 0.6


def test_no_seat_holds_more_than_it_can() -> None:
    for stage in scenes():
        seats = [actor.seat for actor in stage.actors if actor.seat is not None]
        for seat in set(seats):
            assert seats.count(seat) <= (2 if stage.prop(seat).name in ("couch", "bench") else 1), stage.id


# -- clips


@pytest.mark.parametrize("index", range(6))
def test_a_clip_is_a_few_shots_at_one_place(index: int) -> None:
    made = movie(index)
    frames = plan_clip(made, index, scene_rng(0, made, index, "clip"))
    assert frames == plan_clip(made, index, scene_rng(0, made, index, "clip"))
    assert len({frame.place for frame in frames}) == 1
    assert len({frame.id for frame in frames}) == len(frames)
    shots: dict[str, list[Stage]] = {}
    for frame in frames:
        shots.setdefault(frame.id.rsplit("/", 1)[0], []).append(frame)
    assert CLIP_SHOTS[0] <= len(shots) <= CLIP_SHOTS[1]
    for shot in shots.values():
        assert SHOT_FRAMES[0] <= len(shot) <= SHOT_FRAMES[1]
        for one, other in pairwise(shot):
            assert (one.actors, one.props) == (other.actors, other.props)
            assert all(abs(one.spots[key].x - other.spots[key].x) < 0.02 for key in one.spots)


def test_a_held_thing_goes_along_with_its_holder() -> None:
    for index in range(10):
        made = movie(index)
        for frame in plan_clip(made, index, Random(index)):
            for actor in frame.actors:
                if actor.holds is not None:
                    assert frame.spots[actor.holds] == frame.spots[actor.id]
