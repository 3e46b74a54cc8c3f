"""Buckets: every pair in one, none too large, and a full matching in each."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.matching.buckets import Bucketed, Limits, buckets, halves, impossible, question_word
from commonsight.build.matching.fakes import MatrixBlocks
from commonsight.build.matching.rounds import match_rounds
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText
from commonsight.text.encoders import HashedEncoder

EMBED = HashedEncoder(32).encode
TALK = ("the boat", "a red car", "old music", "her garden", "rain", "a long walk", "the war", "cheese")


def pair(number: int, query: str = "What is it ?", response: str | None = None, image: str = "") -> Pair:
    said = f"It is {number} ." if response is None else response
    return Pair(
        f"p{number}",
        image or f"i{number}",
        (),
        TaggedText(tuple(query.split())),
        TaggedText(tuple(said.split())),
    )


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("Why is [0] up ?", "why"),
        ("Whose cup is it ?", "who"),
        ("If it rains , what will they do ?", "what"),
        ("Is the one who sits angry ?", "is"),
        ("And then are they happy ?", "is"),
        ("Tell me more .", "other"),
        ("They are late .", "other"),
    ],
)
def test_question_words(query: str, kind: str) -> None:
    tokens = tuple((0,) if word == "[0]" else word for word in query.split())
    assert question_word(TaggedText(tokens)) == kind


def test_pronouns_and_question_words_make_buckets() -> None:
    starts = {"female": "She", "male": "He", "neutral": "They"}
    pairs = [
        pair(number, f"{word} is it ?", f"{start} said {number}")
        for number, (start, word) in enumerate(
            (start, word) for start in starts.values() for word in ("Why", "Where") for _ in range(8)
        )
    ]
    found = buckets(pairs, "answers", Limits())
    assert [(bucket.name, len(bucket.members)) for bucket in found.buckets] == [
        (f"{gender}/{word}", 8) for gender in ("female", "male", "neutral") for word in ("where", "why")
    ]
    assert found.merged == ()
    by_pronoun = buckets(pairs, "rationales", Limits())
    assert [bucket.name for bucket in by_pronoun.buckets] == ["female", "male", "neutral"]


def test_no_bucket_is_one_bucket() -> None:
    found = buckets([pair(n) for n in range(9)], "answers", Limits(None))
    assert [bucket.members for bucket in found.buckets] == [tuple(range(9))]


@pytest.mark.parametrize("embed", [EMBED, None])
def test_large_buckets_are_cut(embed: object) -> None:
    pairs = [pair(n, f"What about {TALK[n % 8]} ?") for n in range(200)]
    found = buckets(pairs, "rationales", Limits(40), embed=embed)  # type: ignore[arg-type]
    sizes = [len(bucket.members) for bucket in found.buckets]
    assert sum(sizes) == 200
    assert max(sizes) <= 40
    assert min(sizes) >= 8


def test_cutting_keeps_like_with_like() -> None:
    pairs = [pair(n, f"What about {TALK[n % 2]} ?") for n in range(60)]
    found = buckets(pairs, "rationales", Limits(30), embed=EMBED)
    assert {frozenset(place % 2 for place in bucket.members) for bucket in found.buckets} == {
        frozenset({0}),
        frozenset({1}),
    }


def test_halves_of_equal_vectors_end() -> None:
    first = halves(np.ones((10, 3), np.float32), random.Random(0))
    assert 2 <= sum(first) <= 8


def test_a_small_bucket_is_merged_within_its_pronoun_and_said() -> None:
    pairs = [pair(n, "Why is it ?", f"She said {n}") for n in range(3)]
    pairs += [pair(n, "Where is it ?", f"She said {n}") for n in range(3, 12)]
    pairs += [pair(n, "Why is it ?", f"He said {n}") for n in range(12, 20)]
    found = buckets(pairs, "answers", Limits(), embed=EMBED)
    assert [bucket.name for bucket in found.buckets] == ["female/where", "male/why"]
    (note,) = found.merged
    assert (note.bucket, note.items, note.into) == ("female/why", 3, "female/where")
    assert note.why == "it has 3 of the 4 different responses that are needed"


def test_a_bucket_without_its_like_goes_to_another_pronoun() -> None:
    pairs = [pair(n, "Why is it ?", f"They said {n}") for n in range(8)]
    pairs += [pair(8, "Why is it ?", "She said so")]
    found = buckets(pairs, "answers", Limits())
    assert [len(bucket.members) for bucket in found.buckets] == [9]
    assert found.merged[0].into == "neutral/why"


def test_a_bucket_of_one_image_is_merged_unless_that_is_allowed() -> None:
    pairs = [pair(n, "Why is it ?", image="one") for n in range(6)]
    pairs += [pair(n, "Where is it ?") for n in range(6, 40)]
    found = buckets(pairs, "answers", Limits())
    assert len(found.buckets) == 1
    assert found.merged[0].why == "of 6 one image holds 6"
    assert len(buckets(pairs, "answers", Limits(same_image=True)).buckets) == 2


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([pair(n, response=f"so {n % 3}") for n in range(9)], "there are 3 different responses, and 4 are"),
        ([pair(n, response="so" if n < 4 else None) for n in range(9)], "4 of 9 responses read alike"),
        ([pair(n, image="one" if n < 5 else "") for n in range(9)], "5 of 9 annotations are of one image"),
        ([pair(n) for n in range(4)], None),
    ],
)
def test_what_is_impossible(pairs: list[Pair], said: str | None) -> None:
    why = impossible(pairs, Limits())
    assert why is said is None or (said is not None and why is not None and said in why)


PAIRS = st.lists(
    st.tuples(
        st.sampled_from(("Why is it ?", "Where is it ?", "Is it ?", "So .")),
        st.sampled_from(("She", "He", "They")),
        st.integers(0, 40),
        st.integers(0, 25),
    ),
    min_size=1,
    max_size=70,
).map(
    lambda rows: [
        pair(n, query, f"{start} said {text}", f"image{image}")
        for n, (query, start, text, image) in enumerate(rows)
    ]
)


@given(PAIRS, st.sampled_from(("answers", "rationales")), st.integers(5, 30), st.booleans())
def test_every_pair_is_in_one_bucket_and_every_bucket_has_its_matchings(
    pairs: list[Pair], task: str, most: int, same_image: bool
) -> None:
    limits = Limits(most, same_image=same_image)

    def divided() -> Bucketed:
        return buckets(pairs, task, limits, embed=EMBED, seed=3)  # type: ignore[arg-type]

    found = divided()
    assert found == divided()
    counts = Counter(place for bucket in found.buckets for place in bucket.members)
    assert counts == Counter(range(len(pairs)))
    if len(found.buckets) == 1:
        return  # it may be too small for any matching, which `impossible` tells
    rng = np.random.default_rng(len(pairs))
    for bucket in found.buckets:
        n = len(bucket.members)
        scores = MatrixBlocks(np.log(rng.random((n, n), np.float32) + 1e-6).astype(np.float32))
        similar = MatrixBlocks(rng.random((n, n), np.float32))
        own = [pairs[place] for place in bucket.members]
        rounds = match_rounds(own, scores, similar, trade=0.1, same_image=same_image)
        assert rounds.responses.shape == (n, 3)
