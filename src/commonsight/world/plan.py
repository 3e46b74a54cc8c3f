"""From a movie to its scenes: an episode is cast, furnished, laid out and lit.

Every scene is a function of its movie, its index and a random generator made from both (`scene_rng`), so that
any worker can make any scene. What an episode intends is returned along with the stage by `plan_episode`;
whether the rules prove it from the stage alone is for tests and checkers.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple, cast

from msgspec.structs import replace

from commonsight.world.cast import Movie
from commonsight.world.episodes import EPISODES, Episode
from commonsight.world.facts import Fact
from commonsight.world.model import Camera, Light, Spot, Stage
from commonsight.world.places import PLACES
from commonsight.world.scenery import Scenery

CLIP_SHOTS = (3, 6)
SHOT_FRAMES = (4, 8)
"""How many shots a clip has, and frames a shot."""
WORDS = {
    "doing": (2,), "feels": (2,), "wants": (2,), "next": (2,), "occupation": (2,), "related": (3,),
    "happened": (1,), "at": (1,), "time": (1,), "would": (2, 3),
}  # fmt: skip
"""Which arguments of a concluded fact are words; the others are entities, or nothing."""
TRIES = 40
"""How often a layout is begun anew; each time it may be a little tighter."""


class Planned(NamedTuple):
    """A stage, the episode it plays, and which entity is which of its roles and needs."""

    stage: Stage
    episode: Episode
    keys: dict[str, int]

    def intended(self) -> tuple[Fact, ...]:
        """What the rules must prove from the stage."""
        return tuple(self._fact(text) for text in self.episode.proves)

    def _fact(self, text: str) -> Fact:
        kind, then = text.split(", ", 1)
        kept = WORDS[kind]
        parts = [part.strip() for part in then.split(",")]
        return (kind, *(
            part if position in kept else None if part == "-" else self.keys[part]
            for position, part in enumerate(parts, start=1)
        ))  # fmt: skip


def scene_rng(seed: int, movie: Movie, index: int, what: str = "scene") -> Random:
    """The generator for one scene or clip of a movie: the same on every machine and for any worker."""
    return Random(f"{seed}:{movie.name}:{what}:{index}")


def plan_scene(movie: Movie, index: int, rng: Random) -> Stage:
    """The movie's scene of this index."""
    episode = EPISODES[rng.choice(movie.episodes)]
    return plan_episode(movie, episode, f"{movie.name}/{index:05d}", rng).stage


def plan_episode(movie: Movie, episode: Episode, name: str, rng: Random, place: str = "") -> Planned:
    """One staging of an episode, at one of the movie's places unless another is given."""
    where = place or rng.choice(
        [here for here in episode.places if here in movie.places] or list(episode.places)
    )
    scenery = _laid_out(movie, episode, where, rng)
    return Planned(_stage(scenery, movie, name, rng), episode, scenery.draft.ids())


def _laid_out(movie: Movie, episode: Episode, place: str, rng: Random) -> Scenery:
    light = cast("Light", rng.choice(episode.light.split("|") if episode.light else PLACES[place].lights))
    for attempt in range(TRIES):
        scenery = Scenery(movie, episode, PLACES[place], light, rng, slack=0.02 * attempt)
        if scenery.build():
            return scenery
    raise AssertionError(
        f"no room for the episode {episode.name!r} at the place {place!r}: give it fewer needs"
    )


def _stage(scenery: Scenery, movie: Movie, name: str, rng: Random) -> Stage:
    return Stage(
        id=name,
        movie=movie.name,
        place=scenery.place.name,
        actors=scenery.draft.actors(rng),
        props=scenery.draft.props(),
        spots=scenery.draft.spots(),
        light=scenery.light,
        weather="rain" if rng.choice(scenery.episode.weather.split("|")) == "rain" else "clear",
        camera=_jitter(rng),
        palette=movie.palette,
        seed=rng.randrange(2**31),
    )


def _jitter(rng: Random) -> Camera:
    shift_x, shift_y = rng.uniform(-0.012, 0.012), rng.uniform(-0.012, 0.012)
    return Camera(round(shift_x, 4), round(shift_y, 4), round(rng.uniform(1.0, 1.03), 4))


def plan_clip(movie: Movie, index: int, rng: Random) -> tuple[Stage, ...]:
    """The frames of a short clip: shots of one thread at one place, with small movements within a shot.

    A frame's id ends in its shot and its number there: `…/clip00003/shot1/frame02`. People and camera drift
    from frame to frame; who is there, and what is true of them, changes only from shot to shot.
    """
    first = EPISODES[rng.choice(movie.episodes)]
    place = rng.choice([here for here in first.places if here in movie.places] or list(first.places))
    fitting = [EPISODES[name] for name in movie.episodes if place in EPISODES[name].places]
    frames: list[Stage] = []
    for shot in range(rng.randint(*CLIP_SHOTS)):
        episode = first if shot == 0 else rng.choice(fitting)
        name = f"{movie.name}/clip{index:05d}/shot{shot}"
        frames.extend(_frames(plan_episode(movie, episode, name, rng, place).stage, rng))
    return tuple(frames)


def _frames(stage: Stage, rng: Random) -> list[Stage]:
    """A stage that moves a little: those who walk or run go their way, the camera sways."""
    speed = {"walking": 0.004, "running": 0.008}
    steps = {
        actor.id: speed.get(actor.pose, 0.0) * (1 if actor.facing == "right" else -1)
        for actor in stage.actors
        if actor.seat is None
    }
    steps |= {
        actor.holds: steps[actor.id]
        for actor in stage.actors
        if actor.holds is not None and actor.id in steps
    }
    sway = rng.uniform(-0.0015, 0.0015)
    made = []
    for number in range(rng.randint(*SHOT_FRAMES)):
        spots = {
            entity: Spot(round(spot.x + number * steps.get(entity, 0.0), 4), spot.depth)
            for entity, spot in stage.spots.items()
        }
        camera = replace(stage.camera, shift_x=round(stage.camera.shift_x + number * sway, 4))
        made.append(replace(stage, id=f"{stage.id}/frame{number:02d}", spots=spots, camera=camera))
    return made
