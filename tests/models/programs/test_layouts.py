"""Programs as layouts and back; only well-typed layouts are ever said."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from making import NAMING, batch_for, drawn, drawn_calls

from commonsight.core.program import Program, Step
from commonsight.errors import InputError
from commonsight.graph.programs import check, read, written
from commonsight.models.catalogue import find
from commonsight.models.libraries import seeded
from commonsight.models.programs.layouts import (
    CALLS,
    LONGEST,
    allowed,
    as_spoken,
    laid_out,
    program_of,
    same_meaning,
    understood,
)
from commonsight.models.programs.predictor import LayoutPredictor
from commonsight.models.words import LearnedVectors

JOINED = (
    '[0] Initial(); [1] Find([0], "couch"); [2] Relate_Reverse([1], "left of"); [3] Find([0], "dog", "red"); '
    '[4] Relate_Reverse([3], "behind"); [5] And([2], [4]); [6] Find_KG([5], "BLANK", "UsedFor", "sitting"); '
    '[7] Recognition([6], "object")'
)
SEEN = (
    '[0] Initial(); [1] Find([0], "tree"); [2] Find_KG([0], [1], "BLANK", "CapableOf", "climb VISION"); '
    "[3] Verify([2])"
)


def test_a_program_laid_out_is_the_same_program() -> None:
    for text in (JOINED, SEEN):
        laid = laid_out(read(text))
        texts = [one.step.text_input or () for one in laid]
        assert written(program_of([one.call for one in laid], texts)) == text
    names = [CALLS[one.call].function for one in laid_out(read(SEEN))]
    assert names == ["Initial", "Initial", "Find", "Find_KG", "Verify"]


def test_and_takes_its_inputs_as_the_question_speaks_of_them() -> None:
    words = [
        "which",
        "object",
        "that",
        "is",
        "behind",
        "the",
        "red",
        "dog",
        "and",
        "to",
        "the",
        "left",
        "of",
        "the",
        "couch",
        "is",
        "used",
        "for",
        "sitting",
        "?",
    ]
    turned = as_spoken(read(JOINED), words)
    assert turned.steps[5].inputs == (4, 2)
    check(turned)
    other = read(JOINED.replace("And([2], [4])", "And([4], [2])"))
    assert same_meaning(read(JOINED), words) == same_meaning(other, words)
    assert same_meaning(read(JOINED), words) != same_meaning(read(JOINED.replace("couch", "sofa")), words)


def test_the_order_of_attributes_means_nothing() -> None:
    one, other = (
        read(f'[0] Initial(); [1] Find([0], "cup", {both}); [2] Verify([1])')
        for both in ('"a", "b"', '"b", "a"')
    )
    assert same_meaning(one, ()) == same_meaning(other, ())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('[0] Initial(); [1] Find([0], "cup")', "ends without an answer"),
        (
            "[0] Initial(); "
            + " ".join(f'[{n}] Find([{n - 1}], "cup");' for n in range(1, 25))
            + " [25] Verify([24])",
            "takes 26 calls, and at most 20",
        ),
    ],
)
def test_what_cannot_be_laid_out_is_told(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        laid_out(read(text))


def test_steps_that_are_taken_from_again_and_again_do_not_hang() -> None:
    steps = (
        "[0] Initial(); "
        + " ".join(f"[{n}] And([{n - 1}], [{n - 1}]);" for n in range(1, 60))
        + " [60] Verify([59])"
    )
    with pytest.raises(InputError, match="too many calls"):
        laid_out(read(steps))


@given(st.integers(0, 10_000), st.integers(2, LONGEST))
def test_any_choice_among_what_is_allowed_ends_well_typed(seed: int, most: int) -> None:
    layout = drawn_calls(np.random.default_rng(seed), most)
    assert len(layout) <= most
    placed = [("x",) * max(1, 3 * CALLS[call].queries) for call in layout]
    program = program_of(layout, placed)
    assert [CALLS[one].function for one in layout if one] == [step.function for step in program.steps[1:]]


def test_something_may_always_come_next() -> None:
    for left in range(2, LONGEST + 1):
        for there in range(left):
            assert any(allowed()[there][left])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31), st.floats(0.1, 30.0))
def test_any_weights_give_layouts_that_can_be_executed(seed: int, spread: float) -> None:
    batch = batch_for(find("question-only"), drawn(4))
    assert batch.query is not None
    with seeded(seed), torch.no_grad():
        predictor = LayoutPredictor(LearnedVectors(len(NAMING.words), 8), hidden=8, dropout=0.0).eval()
        for weight in predictor.parameters():
            weight.normal_(0.0, spread)
        told = predictor(predictor.read(batch.query))
    for layout in told.layouts:
        assert 2 <= len(layout) <= LONGEST
        assert CALLS[layout[-1]].ends
        depth = 0
        for number, call in enumerate(layout):
            assert allowed()[depth][LONGEST - number][call]
            depth += 1 - CALLS[call].takes
        assert depth == 1


def test_a_layout_that_is_given_is_said_as_likely_as_it_was() -> None:
    """What the network says by itself costs what its own words cost when they are given."""
    batch = batch_for(find("nmn-cs"), drawn(6))
    assert batch.query is not None
    with seeded(2), torch.no_grad():
        predictor = LayoutPredictor(LearnedVectors(len(NAMING.words), 8), hidden=8, dropout=0.0).eval()
        own = predictor.read(batch.query)
        said = predictor(own)
        again = predictor(own, said.layouts)
    torch.testing.assert_close(again.weights, said.weights)
    assert again.layouts == said.layouts
    known = torch.tensor([True] * 5 + [False])
    loss = predictor.loss(again, known)
    assert bool((loss[:5] > 0).all())
    assert loss[5] == 0


def test_programs_are_programs() -> None:
    assert isinstance(program_of(drawn_calls(np.random.default_rng(1), 9)[:0], []), Program)


ILL_TYPED = (
    ((Step("Initial"), Step("And", None, None, (0, 2)), Step("Verify")), "step 2, which does not come"),
    ((Step("Initial"), Step("And", None, None, (0, 9)), Step("Verify")), "step 9, which does not come"),
    ((Step("Initial"), Step("And", None, None, (0, -1)), Step("Verify")), "step -1, which does not come"),
    ((), "The program has no steps"),
    ((Step("Initial"), Step("Find", ("cup",))), "ends without an answer"),
    ((Step("Initial"), *[Step("Find", ("cup",))] * 5000, Step("Verify")), "too many calls"),
)


@pytest.mark.parametrize(("steps", "fault"), ILL_TYPED)
def test_an_ill_typed_program_is_set_aside_with_its_fault(steps: tuple[Step, ...], fault: str) -> None:
    found = understood(Program(steps), ("which", "cup"))
    assert found.program is None
    assert fault in found.fault


def test_a_well_typed_program_is_understood_as_it_is() -> None:
    program = read(JOINED)
    words = ["what", "is", "left", "of", "the", "couch", "and", "behind", "the", "dog"]
    assert understood(program, words) == (as_spoken(program, words), "")
