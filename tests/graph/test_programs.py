"""Programs as text, and what makes one well formed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core.program import FUNCTIONS, Program, Step
from commonsight.errors import InputError
from commonsight.graph.knowledge import RELATIONS
from commonsight.graph.programs import SIGNATURES, check, inputs_of, read, written

PLATE = '[0] Initial(); [1] Find([0], "plate"); [2] Relate_Reverse([1], "on"); [3] Recognition([2], "color")'

WORDS = st.text(min_size=1, max_size=8)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Any well-formed program, its words as odd as can be."""
    steps = [Step("Initial", inputs=())]
    for _ in range(draw(st.integers(0, 6))):
        places = st.integers(0, len(steps) - 1)
        function = draw(
            st.sampled_from(("Find", "Relate", "Relate_Reverse", "And", "Find_Hypernym", "Find_KG"))
        )
        if function == "And":
            steps.append(Step("And", inputs=(draw(places), draw(places))))
        elif function == "Find":
            steps.append(
                Step("Find", tuple(draw(st.lists(WORDS, min_size=1, max_size=3))), inputs=(draw(places),))
            )
        elif function == "Find_KG":
            query = (
                "BLANK",
                draw(st.sampled_from(RELATIONS)),
                draw(st.sampled_from(("hold VISION", "climb"))),
            )
            places_taken = (draw(places), draw(places)) if "VISION" in query[2] else (draw(places),)
            steps.append(Step("Find_KG", query, inputs=places_taken))
        else:
            steps.append(Step(function, (draw(WORDS),), inputs=(draw(places),)))
    last = len(steps) - 1
    steps.append(
        draw(
            st.sampled_from((Step("Verify", inputs=(last,)), Step("Recognition", ("color",), inputs=(last,))))
        )
    )
    return Program(tuple(steps))


@given(programs())
def test_what_is_written_is_read_again(program: Program) -> None:
    assert read(written(program)) == program


@given(
    st.text(max_size=60)
    | programs()
    .map(written)
    .flatmap(lambda text: st.sampled_from((text[:-1], text[1:], text.replace("[1]", "[9]", 1))))
)
def test_any_text_is_read_or_refused_with_a_message(text: str) -> None:
    try:
        program = read(text)
    except InputError:
        return
    check(program)
    assert read(written(program)) == program


def test_the_notation() -> None:
    program = read(PLATE)
    assert [step.function for step in program.steps] == ["Initial", "Find", "Relate_Reverse", "Recognition"]
    assert program.steps[1] == Step("Find", ("plate",), inputs=(0,))
    assert written(program) == PLATE


def test_every_function_has_a_signature() -> None:
    assert tuple(sorted(SIGNATURES)) == tuple(sorted(FUNCTIONS))


def test_a_step_that_names_no_input_takes_the_one_before() -> None:
    assert inputs_of(Step("Find", ("cup",)), 3) == (2,)
    assert inputs_of(Step("Initial"), 3) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no steps"),
        ("[0] Initial(); [1] Find([0])", "Step 1 of the program, Find: it takes 1 or more words, not 0."),
        ("[0] Initial(); [1] And([0])", "it takes 2 earlier steps, not 1."),
        ('[0] Initial(); [1] Find([1], "cup")', "from step 1, which does not come before it."),
        ("[0] Initial(); [1] Verify([0]); [2] Verify([1])", "from step 1, which gives a concept."),
        ('[0] Initial(); [1] Count([0], "cup")', "there is no such function. The ten are: Initial,"),
        ('[0] Initial(); [2] Find([0], "cup")', "numbers step 1 as 2. Count from 0."),
        ("[0] Initial(); [1] Find([0], cup)", "Find cannot take cup."),
        ('[0] Initial(); [1] Find_KG([0], "BLANK", "Desires", "x")', "'Desires' is no relation."),
        ('[0] Initial(); [1] Find_KG([0], "x", "UsedFor", "BLANK")', "one BLANK, in its head."),
        ('[0] Initial(); [1] Find_KG_Reverse([0], "BLANK", "UsedFor", "x")', "one BLANK, in its tail."),
        (
            '[0] Initial(); [1] Find_KG([0], "BLANK", "UsedFor", "VISION")',
            "1 VISION, but 0 steps to be seen.",
        ),
        ("[0] Initial() [1] Verify([0])", 'cannot be read at "[0] Initial()'),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        read(text)
    assert message in str(refused.value)
