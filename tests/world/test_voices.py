"""Annotators' voices: the same for the same seed, with words of their own, and never a broken tag."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from commonsight.world.voices import SYNONYMS, Voice, prefer, style, voices

CREW = voices(1, 40)
TAGS = re.compile(r"\{\d+\}|\[[^\]]*\]")


def _plain(**changes: object) -> Voice:
    """A voice that changes nothing, but for these."""
    favourites = {row[0]: row[0] for row in SYNONYMS}
    silent = Voice("w0", favourites, contracts=False, wordy=0.5, lazy=0.0, mistakes=0.0, typos=0.0)
    return structs.replace(silent, **changes)


def test_the_same_seed_gives_the_same_crew() -> None:
    assert voices(1, 40) == CREW
    assert voices(2, 40) != CREW
    assert voices(1, 12) == CREW[:12]  # a larger crew begins with the smaller
    assert len({voice.name for voice in CREW}) == 40


def test_most_are_careful_and_some_are_not() -> None:
    careless = [voice for voice in voices(3, 400) if voice.mistakes >= 0.05]
    assert 40 <= len(careless) <= 130
    assert all(voice.lazy >= 0.2 and voice.typos >= 0.005 for voice in careless)


def test_every_voice_has_a_favourite_of_each_row() -> None:
    for voice in CREW:
        assert all(voice.favourites[row[0]] in row for row in SYNONYMS)


@pytest.mark.parametrize("row", SYNONYMS, ids=lambda row: row[0])
def test_favourites_are_used(row: tuple[str, ...]) -> None:
    favourites = {other[0]: other[0] for other in SYNONYMS} | {row[0]: row[-1]}
    said = style(_plain(favourites=favourites), f"so {row[0]} it goes", random.Random(0))
    assert said == f"so {row[-1]} it goes"


def test_words_are_replaced_whole() -> None:
    voice = _plain(favourites={"sad": "upset", "child": "kid"})
    assert style(voice, "sadly the children sat", random.Random(0)) == "sadly the children sat"


def test_some_contract() -> None:
    text = "it is late and {1} does not mind"
    assert style(_plain(contracts=True), text, random.Random(0)) == "it's late and {1} doesn't mind"
    assert style(_plain(), text, random.Random(0)) == text


@given(
    st.lists(
        st.sampled_from(
            ["{3}", "{12}", "[child2]", "[cell phone4]", "sad", "picture", "holding", "it is", "because"]
        ),
        max_size=12,
    ),
    st.integers(0, 39),
    st.integers(0, 5),
)
def test_tags_are_never_changed(words: list[str], number: int, seed: int) -> None:
    text = " ".join(words)
    voice = structs.replace(CREW[number], typos=1.0)
    said = style(voice, text, random.Random(seed))
    assert TAGS.findall(said) == TAGS.findall(text)
    assert said == style(voice, text, random.Random(seed))


def test_typos_are_rare_and_small() -> None:
    text = "somebody carefully gathers everything beside {1}"
    plain = set(text.split())
    rng = random.Random(4)
    lines = [
        style(structs.replace(_plain(), typos=voice.typos), text, rng) for voice in CREW for _ in range(200)
    ]
    strange = [word for line in lines for word in line.split() if word not in plain]
    assert 0 < len(strange) < 0.01 * sum(len(line.split()) for line in lines)
    assert all(len(word) >= 4 for word in strange)


def test_wordy_voices_lean_to_long_wordings() -> None:
    row = ("short", "longer", "the longest")

    def longest(wordy: float) -> int:
        rng = random.Random(1)
        return sum(prefer(_plain(wordy=wordy), row, rng) == row[-1] for _ in range(500))

    assert longest(0.9) > 2 * longest(0.1)
    assert prefer(_plain(), ("only",), random.Random(0)) == "only"
