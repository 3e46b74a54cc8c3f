"""The tagger of linguistic phenomena: sentence by sentence, on any text, and against what people tagged."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.text.image_mentions import spaced, without_images, without_sides
from commonsight.text.pair_reasoning import PAIR_TYPES, pair_types
from commonsight.text.phenomena import HELD_OUT_F1, PHENOMENA, TagScore, phenomena, tag_scores

SENTENCES = [
    ("A shelf holds exactly four jars.", {"hard cardinality"}),
    ("One image shows a lamp.", set()),
    ("At least two lamps are lit.", {"soft cardinality"}),
    ("There are no more than three kites.", {"existential quantifier", "soft cardinality", "negation"}),
    ("Every jar is sealed.", {"universal quantifier"}),
    ("A cat licks its paw.", {"coreference"}),
    ("The left image shows a lamp.", set()),
    ("The lamp in the image on the left is lit.", {"presupposition"}),
    ("A lamp stands under a window.", {"spatial relation"}),
    ("A lamp in red is lit in both images.", {"universal quantifier"}),
    ("There are more kites in the left image than in the right image.",
     {"existential quantifier", "comparison"}),
    ("Three or more kites fly.", {"soft cardinality"}),
    ("Kites and balloons fly.", {"coordination"}),
    ("None of the kites fly.", {"negation", "presupposition"}),
    ("A cat naps, and the cat purrs.", {"coordination"}),
    ("A cat sleeps on a rug near a stove.", {"spatial relation", "pp ambiguity"}),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "tags"), SENTENCES)
def test_sentences_of_one_phenomenon_or_two(sentence: str, tags: set[str]) -> None:
    assert set(phenomena(sentence)) == tags


def test_tags_come_in_the_order_of_the_table() -> None:
    found = phenomena("There are exactly two cats on each rug and no dogs.")
    assert list(found) == sorted(found, key=PHENOMENA.index)
    assert len(found) >= 5


def test_case_and_spaces_do_not_matter() -> None:
    assert phenomena("  there ARE  at LEAST two kites ") == phenomena("There are at least two kites")


def test_images_are_set_aside_and_things_stay() -> None:
    assert without_images(spaced("In at least one of the images, a cat naps.")).split() == [
        "§", ",", "a", "cat", "naps.",
    ]  # fmt: skip
    assert "left" not in without_sides(spaced("The cat on the left naps."))
    assert "to the left of" in without_sides(spaced("A cat is to the left of a dog."))


@pytest.mark.parametrize(
    ("sentence", "types"),
    [
        ("Only one image shows a kite.", {"exactly one image"}),
        ("In one image, kites fly.", {"existential quantification"}),
        ("Kites fly in both images.", {"universal quantification"}),
        ("The left image contains exactly two kites.", {"left or right image"}),
        ("There are more kites in the image on the right.",
         {"left or right image", "comparison between images"}),
        ("The left image has twice as many kites as the right image.",
         {"left or right image", "comparison between images"}),
        ("There are more than two kites in one image.", {"existential quantification"}),
        ("A kite is red.", set()),
    ],
)  # fmt: skip
def test_what_a_sentence_asks_of_a_pair(sentence: str, types: set[str]) -> None:
    assert set(pair_types(sentence)) == types
    assert types <= set(PAIR_TYPES)


def test_scores_by_hand() -> None:
    tagged = [("a", ["negation"]), ("b", ["negation"]), ("c", []), ("d", [])]
    found = tag_scores(tagged, lambda sentence: ["negation"] if sentence in "ac" else [])
    assert found["negation"] == TagScore(both=1, tagger=2, people=2)
    assert (found["negation"].precision, found["negation"].recall, found["negation"].f1) == (0.5, 0.5, 0.5)
    unseen = found["comparison"]
    assert unseen.precision is unseen.recall is unseen.f1 is None


@given(st.text(max_size=200))
def test_any_text_can_be_tagged(text: str) -> None:
    assert set(phenomena(text)) <= set(PHENOMENA)
    assert set(pair_types(text)) <= set(PAIR_TYPES)


@pytest.mark.parametrize(
    "piece", ["the ", "and a ", "one of the images on the left ", "with a ", "more ", "a" * 50]
)
def test_long_texts_take_no_longer_than_their_length(piece: str) -> None:
    start = time.process_time()
    phenomena(piece * 200)
    assert time.process_time() - start < 1.0


@pytest.mark.real_data
def test_the_tagger_agrees_with_people_on_sentences_it_was_not_written_for(data_dir: Path) -> None:
    from commonsight.benchmarks.nlvr2 import read_tagged_sentences

    tagged = list(read_tagged_sentences(data_dir / "nlvr2" / "annotated_dev_examples.txt"))
    unseen = tag_scores(tagged[1::2])
    assert {name: round(score.f1 or 0.0, 2) for name, score in unseen.items()} == HELD_OUT_F1
    both = sum(score.both for score in unseen.values())
    assert 2 * both / sum(score.tagger + score.people for score in unseen.values()) > 0.88
