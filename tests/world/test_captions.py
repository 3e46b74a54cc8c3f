"""Captions of drawn scenes: they tell what can be seen, and nothing else."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

from commonsight.world.captions import DEEDS, caption, captions
from commonsight.world.frame import Frame
from commonsight.world.make import Plan, frames_of, units

PLAN = Plan(24, 5, ("aokvqa",))


@cache
def shots() -> tuple[Frame, ...]:
    return tuple(shot for unit in units(PLAN) for shot in frames_of(PLAN, unit))


def told(shot: Frame, seed: int = 0) -> str:
    return caption(shot, random.Random(seed)).text


def test_everything_told_is_seen_and_nothing_is_concluded() -> None:
    for shot in shots():
        made = caption(shot, random.Random(1))
        assert set(made.facts) <= shot.facts
        assert not set(made.facts) & {proof.fact for proof in shot.proofs}
        assert {fact[0] for fact in made.facts} <= {*DEEDS, "place", "is", "age"}


def test_what_is_told_of_is_named() -> None:
    for shot in shots():
        made = caption(shot, random.Random(1))
        words = made.text.lower()
        for fact in made.facts:
            if fact[0] == "is" and fact[2] != "person":
                assert str(fact[2]) in words
        assert "{" not in words
        assert made.text[0].isupper()
        assert made.text.endswith(".")
        assert len(words.split()) < 45


def test_captions_differ_as_scenes_do_and_the_same_seed_gives_the_same() -> None:
    assert [told(shot) for shot in shots()] == [told(shot) for shot in shots()]
    assert len({told(shot) for shot in shots()}) > len(shots()) / 2


def test_a_picture_is_known_by_both_its_names() -> None:
    found = [one for several in captions(PLAN, 1) for one in several]
    assert len(found) == 24
    assert found[0].images == (f"{shots()[0].stage.id}.jpg", "000000000001.jpg")
    assert found[-1].images[1] == "000000000024.jpg"


def test_what_nobody_counts_has_no_article() -> None:
    for shot in shots():
        renamed = {entity: name if name == "person" else "medicine" for entity, name in shot.names.items()}
        words = told(replace(shot, names=renamed)).lower()
        assert "medicine" in words
        assert " a medicine" not in words
