"""BLEU against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.text.bleu import BleuCounts, Smoothing, bleu_counts, corpus_bleu, sentence_bleu

CAT = ["the", "cat", "is", "on", "the", "mat"]
WORDS = st.lists(st.sampled_from("abcde"), max_size=9)


def test_runs_are_clipped_as_in_the_paper() -> None:
    counts = bleu_counts(["the"] * 7, [CAT, ["there", "is", "a", "cat", "on", "the", "mat"]])
    assert counts.matches == (2, 0, 0, 0)
    assert counts.totals == (7, 6, 5, 4)
    assert (counts.length, counts.reference) == (7, 7)


def test_the_nearest_length_counts_and_of_two_the_shorter() -> None:
    assert bleu_counts(list("abcd"), [list("abc"), list("abcde")]).reference == 3


def test_a_sentence_by_hand() -> None:
    # words 5 of 6, pairs 3 of 5, threes 1 of 4; "a cat is on the mat" without its fours would be 0
    text = ["the", "cat", "sat", "on", "the", "mat"]
    assert bleu_counts(text, [CAT]).matches == (5, 3, 1, 0)
    assert sentence_bleu(text, [CAT]) == 0.0
    assert sentence_bleu(text, [CAT], longest=3) == pytest.approx((5 / 6 * 3 / 5 * 1 / 4) ** (1 / 3))


@pytest.mark.parametrize(
    ("smoothing", "precisions"),
    [
        ("floor", (5 / 6, 3 / 5, 1 / 4, 0.1 / 3)),
        ("add-one", (5 / 6, 4 / 6, 2 / 5, 1 / 4)),
        ("exponential", (5 / 6, 3 / 5, 1 / 4, 0.5 / 3)),
    ],
)
def test_smoothing_by_hand(smoothing: Smoothing, precisions: tuple[float, ...]) -> None:
    score = sentence_bleu(["the", "cat", "sat", "on", "the", "mat"], [CAT], smoothing=smoothing)
    assert score == pytest.approx(math.prod(precisions) ** 0.25)


def test_what_is_missing_counts_half_as_much_each_time() -> None:
    counts = BleuCounts((2, 0, 0, 0), (4, 3, 2, 1), 4, 4)
    expected = (2 / 4 * (1 / 2) / 3 * (1 / 4) / 2 * (1 / 8) / 1) ** 0.25
    assert counts.score("exponential") == pytest.approx(expected)


def test_short_texts_are_held_down() -> None:
    assert sentence_bleu(CAT[:4], [CAT]) == pytest.approx(math.exp(1 - 6 / 4))


def test_a_corpus_is_summed_before_it_is_divided() -> None:
    pairs = [(CAT, [CAT]), (["a", "dog"], [["a", "cat"]])]
    expected = (7 / 8 * 5 / 6 * 4 / 4 * 3 / 3) ** 0.25
    assert corpus_bleu(pairs) == pytest.approx(expected)
    assert corpus_bleu([]) == 0.0


def test_a_reference_is_needed() -> None:
    with pytest.raises(ValueError, match="at least one reference"):
        sentence_bleu(CAT, [])


@given(
    WORDS,
    st.lists(WORDS, min_size=1, max_size=3),
    st.sampled_from(["none", "floor", "add-one", "exponential"]),
)
def test_scores_are_shares(text: list[str], references: list[list[str]], smoothing: Smoothing) -> None:
    score = sentence_bleu(text, references, smoothing=smoothing)
    assert 0.0 <= score <= 1.0 + 1e-12
    assert sentence_bleu(text, [*references, text], smoothing=smoothing) == pytest.approx(
        1.0 if text else 0.0
    )
    assert sentence_bleu(["z"], references, smoothing=smoothing) == 0.0
