"""Runs of words as columns."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from commonsight.audit.words.grams import grams_of, words_in

WORDS = st.lists(st.sampled_from(("a", "b", "c", "dd")), max_size=6).map(" ".join)


def test_words_as_treebanks_cut_them() -> None:
    assert words_in("She can't, she WON’T; it's person1's.") == [
        "she", "ca", "n't", "she", "wo", "n't", "it", "'s", "person1", "'s",
    ]  # fmt: skip
    assert words_in("") == []


def naive(texts: list[str], least: int) -> dict[str, set[int]]:
    held: dict[str, set[int]] = {}
    for row, text in enumerate(texts):
        words = words_in(text)
        for size in (1, 2, 3):
            for start in range(len(words) - size + 1):
                held.setdefault(" ".join(words[start : start + size]), set()).add(row)
    return {name: rows for name, rows in held.items() if len(rows) >= least}


@given(st.lists(WORDS, max_size=12), st.integers(1, 3))
def test_grams_are_those_that_a_plain_count_finds(texts: list[str], least: int) -> None:
    grams = grams_of(texts, least=least)
    assert grams.holds.shape == (len(texts), len(grams.names))
    found = {
        name: set(grams.holds[:, [column]].nonzero()[0].tolist()) for column, name in enumerate(grams.names)
    }
    assert found == naive(texts, least)
    assert max(Counter(grams.names).values(), default=1) == 1
    assert [len(name.split()) for name in grams.names] == grams.sizes.tolist()
    assert set(grams.holds.data.tolist()) <= {1.0}
