"""Objectives chosen by name, and what the published systems have."""

from __future__ import annotations

from contextlib import suppress

import pytest
import toy_pairs as toy
from hypothesis import given
from hypothesis import strategies as st

from commonsight.errors import InputError, UsageError
from commonsight.models.catalogue import ALL, find
from commonsight.models.networks.two_stream import TwoStream, ernie_vil_small
from commonsight.models.networks.uniter import uniter_small
from commonsight.models.pretraining.masking import Marks
from commonsight.models.pretraining.systems import (
    OBJECTIVES,
    SYSTEMS,
    pretraining,
    read_objectives,
    system_of,
)
from commonsight.models.regions.small import SmallRegions

CLASSES = len(toy.LABELS)
spaces = st.text(" \t\n", max_size=2)


@given(
    chosen=st.lists(st.sampled_from(OBJECTIVES), min_size=1, max_size=12),
    around=st.lists(st.tuples(spaces, spaces), min_size=12, max_size=12),
    commas=st.booleans(),
)
def test_any_way_to_write_a_choice_is_the_same_choice(
    chosen: list[str], around: list[tuple[str, str]], commas: bool
) -> None:
    text = ",".join(
        f"{before}{name}{after}" for name, (before, after) in zip(chosen, around, strict=False)
    )
    found = read_objectives(text + ",," * commas)
    assert set(found) == set(chosen)
    assert list(found) == [name for name in OBJECTIVES if name in chosen]
    assert read_objectives(",".join(found)) == found


@given(st.text(max_size=30) | st.text("maskedword-s, ", max_size=30))
def test_any_other_text_is_refused_and_no_crash(text: str) -> None:
    with suppress(UsageError):
        assert set(read_objectives(text)) <= set(OBJECTIVES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("masked-word", "there is no objective 'masked-word'. Did you mean masked-words?"),
        ("matching,telepathy", "there is no objective 'telepathy'. Choose among masked-words, region-fea"),
        (" , ", "--objectives names none. Choose among masked-words"),
    ],
)
def test_what_is_no_choice_is_told(text: str, message: str) -> None:
    with pytest.raises(UsageError) as told:
        read_objectives(text)
    assert message in str(told.value)


@pytest.mark.parametrize("name", OBJECTIVES)
def test_an_objective_goes_by_the_name_it_is_chosen_by(name: str) -> None:
    trained = pretraining(toy.tiny(uniter_small), toy.TOKENS, CLASSES, (name,))
    assert [str(each.name) for each in trained.objectives] == [name]


def test_every_system_is_of_a_network_and_no_other_has_one() -> None:
    for system in SYSTEMS:
        assert system_of(system.network, "") is system
        assert set(system.objectives) <= set(OBJECTIVES)
        assert find(system.network).sees
    others = [entry for entry in ALL if entry.name not in {system.network for system in SYSTEMS}]
    for entry in others:
        with pytest.raises(UsageError, match=r"Choose one of vl-bert, uniter, ernie-vil\."):
            system_of(entry.name, entry.title)


def test_alignment_is_refused_before_anything_is_trained() -> None:
    regions = SmallRegions(16, size=toy.PIXELS, widths=(8, 16))
    network = TwoStream(toy.bert(), regions, width=16, heads=2, inner=16, connections=1, drop=0.0)
    with pytest.raises(UsageError, match=r"words have 32 numbers and objects 16\. Leave it out"):
        pretraining(network, toy.TOKENS, CLASSES, ("alignment",))
    assert pretraining(toy.tiny(ernie_vil_small), toy.TOKENS, CLASSES, ("alignment",))


def test_a_tokenizer_without_a_mask_is_told() -> None:
    class Maskless:
        mask_token_id = None

    with pytest.raises(InputError, match="no mark for a hidden piece"):
        Marks.of(Maskless())
