"""METEOR by hand: words, stems, synonyms, and runs of matches."""

from __future__ import annotations

import pytest

from commonsight.score.meteor import matching_told, meteor
from commonsight.text.synonyms import installed_synonyms


class Alike:
    """Two words mean the same."""

    name = "two words"

    def of(self, word: str) -> frozenset[str]:
        return frozenset(("couch", "sofa")) if word in ("couch", "sofa") else frozenset()


def one(text: str, *references: str, synonyms: Alike | None = None) -> float:
    return float(meteor([text], [references], synonyms)[0])


def expected(matches: int, chunks: int, length: int, reference: int) -> float:
    precision, recall = matches / length, matches / reference
    mean = 10 * precision * recall / (recall + 9 * precision)
    return (1 - 0.5 * (chunks / matches) ** 3) * mean


def test_words_in_one_run_and_in_two() -> None:
    assert one("the dog sleeps", "the dog sleeps") == pytest.approx(expected(3, 1, 3, 3))
    assert one("the dog now sleeps", "the dog sleeps") == pytest.approx(expected(3, 2, 4, 3))
    assert one("nothing alike", "the dog sleeps") == 0
    assert one("", "the dog sleeps") == 0


def test_stems_match_and_case_does_not_matter() -> None:
    assert one("Dogs sleep", "the dog sleeps") == pytest.approx(expected(2, 1, 2, 3))


def test_synonyms_match_where_they_are_known() -> None:
    assert one("the sofa", "the couch") == pytest.approx(expected(1, 1, 2, 2))
    assert one("the sofa", "the couch", synonyms=Alike()) == pytest.approx(expected(2, 1, 2, 2))


def test_the_best_reference_counts() -> None:
    assert one("the dog", "a cat", "the dog", "the dog sleeps") == pytest.approx(expected(2, 1, 2, 2))


def test_whether_synonyms_are_known_is_told() -> None:
    assert "no synonyms: there is no WordNet" in matching_told(None)
    assert "synonyms (two words)" in matching_told(Alike())


@pytest.mark.skipif(installed_synonyms() is None, reason="Debian's wordnet-base is not there")
def test_with_wordnet_it_is_what_nltk_documents() -> None:
    text = "It is a guide to action which ensures that the military always obeys the commands of the party"
    reference = "It is a guide to action that ensures that the military will forever heed Party commands"
    other = (
        "It is the guiding principle which guarantees the military forces always being under the command of "
        "the Party"
    )
    known = installed_synonyms()
    assert meteor([text], [[reference]], known)[0] == pytest.approx(0.6944, abs=5e-5)
    assert meteor([text], [[reference, other]], known)[0] == pytest.approx(0.6944, abs=5e-5)
