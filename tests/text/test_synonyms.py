"""Synonyms by WordNet's own files, those of Debian where they are installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.errors import InputError
from commonsight.text.synonyms import DEBIAN, WordNetSynonyms, installed_synonyms

known = pytest.mark.skipif(not (DEBIAN / "index.noun").is_file(), reason="Debian's wordnet-base is not there")


@pytest.fixture(scope="module")
def wordnet() -> WordNetSynonyms:
    found = installed_synonyms()
    assert found is not None
    return found


@known
@pytest.mark.parametrize(
    ("word", "other"),
    [("sofa", "couch"), ("couches", "sofa"), ("men", "man"), ("geese", "goose"), ("quickly", "rapidly"),
     ("bigger", "large"), ("ran", "run"), ("hurries", "rush")],
)  # fmt: skip
def test_words_that_mean_the_same_in_any_form(wordnet: WordNetSynonyms, word: str, other: str) -> None:
    assert other in wordnet.of(word)


@known
def test_what_is_no_word_has_none(wordnet: WordNetSynonyms) -> None:
    assert wordnet.of("qwrtz") == frozenset()
    assert all(" " not in word for word in wordnet.of("dog"))
    assert wordnet.bases("geese", "noun") == ["geese", "goose"]  # an exception: no rule is tried then


@known
@given(st.text(max_size=12))
def test_any_word_may_be_asked_for(wordnet: WordNetSynonyms, word: str) -> None:
    assert isinstance(wordnet.of(word), frozenset)


def test_a_folder_without_wordnet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no index\.noun"):
        WordNetSynonyms(tmp_path)
