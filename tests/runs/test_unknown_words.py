"""Which networks know words by number, and what is said where they know too few."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from making import KNOWN, drawn
from msgspec import structs

from commonsight.errors import InputError
from commonsight.models.catalogue import ALL, find
from commonsight.models.features.examples import Example, Spoken
from commonsight.runs.unknown_words import MANY, is_closed, refuse_unknown, sampled, unknown_told

PLACE = "world/vcr, split val, task q2a"


def saying(*words: str) -> Example:
    text = Spoken(words, (0,) * len(words))
    return structs.replace(drawn(1)[0], query=text, responses=(text, text))


STRANGE = saying("quux", "quuz")


@pytest.mark.parametrize("text", ["static", "bert:tiny", "elmo:folder", "gpt2:tiny", "t5:tiny", "clip:tiny"])
def test_what_reads_any_word_is_asked_anything(text: str) -> None:
    for entry in ALL:
        assert not is_closed(entry, text)
        refuse_unknown(entry, text, KNOWN, [STRANGE])
        assert unknown_told(entry, text, KNOWN, [STRANGE], place=PLACE) is None


@pytest.mark.parametrize("text", ["learned", "glove", "glove:vectors.txt"])
def test_what_has_a_table_is_asked_what_is_in_it(text: str) -> None:
    with pytest.raises(InputError, match=r"Only 0\.0 % of the words"):
        refuse_unknown(find("r2c"), text, KNOWN, [STRANGE])
    with pytest.raises(InputError, match=r"q2a: of all the words there \(quux, quuz, …\) the network knows"):
        unknown_told(find("r2c"), text, KNOWN, [STRANGE], place=PLACE)
    refuse_unknown(find("r2c"), text, KNOWN, drawn(3))
    assert unknown_told(find("r2c"), text, KNOWN, drawn(3), place=PLACE) is None


def test_where_nothing_is_learned_no_word_is_missed() -> None:
    refuse_unknown(find("chance"), "learned", KNOWN, [STRANGE])


def test_a_query_counts_for_those_who_read_it() -> None:
    known = drawn(1)[0]
    asked = structs.replace(known, query=Spoken(("quux",) * 99, (0,) * 99))
    assert unknown_told(find("lstm"), "learned", KNOWN, [asked], place=PLACE) is None
    told = unknown_told(find("esim"), "learned", KNOWN, [asked], place=PLACE)
    assert told is not None
    assert "of the words are none that the network was trained on; it cannot tell them apart." in told


@pytest.mark.parametrize(("strange", "told"), [(1, False), (2, False), (3, True), (9, True)])
def test_people_are_told_from_a_share_on(strange: int, told: bool) -> None:
    name = KNOWN.words.names[0]
    words = ("quux",) * strange + (name,) * (10 - strange)
    line = unknown_told(find("esim"), "learned", KNOWN, [saying(*words)], place=PLACE)
    assert MANY == 0.2
    assert line == (
        f"{PLACE}: {10 * strange} % of the words are none that the network was trained on; it cannot tell "
        "them apart."
        if told
        else None
    )


@given(st.integers(0, 300), st.integers(1, 50))
def test_a_sample_is_of_all_of_it(count: int, most: int) -> None:
    found = sampled(range(count), most)
    assert len(found) <= most
    assert len(found) >= min(count, most) / 2
    assert not count or found[0] == 0
