"""What sentences say of a scene."""

from __future__ import annotations

import pytest

from commonsight.models.pretraining.scene_words import mentions


def _said(sentence: str, kind: str) -> list[str]:
    words = sentence.split()
    return [" ".join(words[one.start : one.end]) for one in mentions(words) if one.kind == kind]


@pytest.mark.parametrize(
    ("sentence", "objects", "attributes", "relations"),
    [
        ("a red dog behind a wooden chair", ["dog", "chair"], ["red", "wooden"], ["behind"]),
        ("riley is standing next to the small table", ["riley", "table"], ["small"], ["standing next to"]),
        (
            "the man in a red tie will play a beautiful tune with his guitar",
            ["man", "tie", "tune", "guitar"],
            ["red", "beautiful"],
            ["in", "play", "with"],
        ),
        ("casey , or jackie , are wearing hats .", ["casey", "jackie", "hats"], [], []),
        ("riley and sam are wearing hats", ["riley", "sam", "hats"], [], ["are wearing"]),
        ("a traffic light above two cars", ["traffic light", "cars"], ["two"], ["above"]),
        (". , !", [], [], []),
        ("", [], [], []),
    ],
)
def test_objects_attributes_and_relations_are_found(
    sentence: str, objects: list[str], attributes: list[str], relations: list[str]
) -> None:
    assert _said(sentence, "object") == objects
    assert _said(sentence, "attribute") == attributes
    assert _said(sentence, "relation") == relations


def test_nothing_relates_across_a_comma() -> None:
    assert _said("the man is tired , near the table", "relation") == []


def test_mentions_do_not_overlap() -> None:
    sentence = "a tall man with black hair is sitting on the old brown couch and watching a small dog"
    words = sentence.split()
    places = [place for one in mentions(words) for place in range(one.start, one.end)]
    assert len(places) == len(set(places))
