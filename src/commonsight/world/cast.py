"""Movies: a cast that keeps its looks, a colour scheme, and a plot thread of places and episodes.

Scenes belong to movies, so that a split by movie holds out people, places and threads, as in VCR.
"""

from __future__ import annotations

from random import Random

from msgspec import Struct
from msgspec.structs import replace

from commonsight.world.episodes import EPISODES, Episode, castable
from commonsight.world.model import COLOURS, HAIRS, SKINS, Age, HairStyle, Hat, Look, Outfit

NAMES = (
    "Ada", "Amir", "Bela", "Chidi", "Dalia", "Emre", "Fumi", "Goran", "Hana", "Ines", "Jonas", "Kofi",
    "Lena", "Mateo", "Nadia", "Omar", "Priya", "Quinn", "Rosa", "Sven", "Tariq", "Uma", "Vera", "Wei",
    "Ximena", "Yusuf", "Zoe",
)  # fmt: skip
ADJECTIVES = (
    "AMBER", "BRIGHT", "CROOKED", "DISTANT", "EARLY", "FADED", "GOLDEN", "HIDDEN",
    "IDLE", "LAST", "PAPER", "QUIET", "SILVER", "TENDER", "WINTER",
)  # fmt: skip
NOUNS = (
    "BRIDGE", "CARAVAN", "DOOR", "ECHO", "FERRY", "GARDEN", "HARBOUR", "KITCHEN",
    "LETTER", "MARKET", "ORCHARD", "PARADE", "RIVER", "SUMMER", "WINDOW",
)  # fmt: skip

PALETTES = 4
"""How many colour schemes a place can be painted in."""
THREAD = (14, 20)
"""How many episodes a movie is made of, at least and at most."""
JOB_OUTFITS = ("apron", "chef jacket", "doctor coat", "police uniform", "work vest")


class Character(Struct, frozen=True):
    """Someone of a movie's cast."""

    name: str
    look: Look


class Movie(Struct, frozen=True):
    """A cast, a style and a plot thread."""

    name: str
    cast: tuple[Character, ...]
    palette: int
    places: tuple[str, ...]
    """Where the thread plays, of the places that its episodes allow."""
    episodes: tuple[str, ...]
    """Names in `episodes.EPISODES`."""
    jobs: dict[str, str]
    """Who wears which working clothes: a doctor stays the doctor."""


def movie(seed: int) -> Movie:
    """The movie of this seed."""
    rng = Random(f"movie:{seed}")
    cast = _cast(rng)
    ages = [character.look.age for character in cast]
    possible = [episode for episode in EPISODES.values() if castable(episode, ages)]
    thread = rng.sample(possible, min(len(possible), rng.randint(*THREAD)))
    grown = [character.name for character in cast if character.look.age == "adult"]
    return Movie(
        name=f"{seed:04d}_{rng.choice(ADJECTIVES)}_{rng.choice(NOUNS)}",
        cast=cast,
        palette=rng.randrange(PALETTES),
        places=_places(rng, thread),
        episodes=tuple(episode.name for episode in thread),
        jobs={outfit: rng.choice(grown) for outfit in JOB_OUTFITS},
    )


def _places(rng: Random, thread: list[Episode]) -> tuple[str, ...]:
    """One or two of the places of each episode: a movie returns to its rooms."""
    chosen = {
        place for episode in thread for place in rng.sample(episode.places, min(2, len(episode.places)))
    }
    return tuple(sorted(chosen))


def _cast(rng: Random) -> tuple[Character, ...]:
    """Two grown-ups and a child at least; skins, hair and clothes as different as the number allows."""
    size = rng.randint(4, 7)
    rest: list[Age] = ["adult", "child", "old", "adult", "old"]
    ages: list[Age] = ["adult", "adult", "child", *rng.sample(rest, size - 3)]
    names = rng.sample(NAMES, size)
    skins = rng.sample(SKINS, len(SKINS)) + rng.choices(SKINS, k=size)
    tops = rng.sample(sorted(COLOURS), size)
    return tuple(
        Character(name, replace(_look(rng, age), skin=skin, top=top))
        for name, age, skin, top in zip(names, ages, skins, tops, strict=False)
    )


def _look(rng: Random, age: Age) -> Look:
    styles: tuple[HairStyle, ...] = ("short", "long", "curly", "bun", "ponytail")
    hats: tuple[Hat, ...] = ("cap", "beanie")
    outfits: tuple[Outfit, ...] = (
        ("casual",) if age == "child" else ("casual", "casual", "casual", "dress", "suit")
    )
    return Look(
        skin=SKINS[0],
        hair="grey" if age == "old" else rng.choice([name for name in HAIRS if name != "grey"]),
        hair_style="bald" if age == "old" and rng.random() < 0.3 else rng.choice(styles),
        top="blue",
        bottom=rng.choice(("blue", "black", "brown", "grey", "green")),
        age=age,
        outfit=rng.choice(outfits),
        hat=rng.choice(hats) if rng.random() < 0.15 else None,
        glasses=rng.random() < (0.5 if age == "old" else 0.2),
    )
