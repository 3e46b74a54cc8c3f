"""Programs over boxes of shapes: what they give, what their trace tells, and which ones are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.errors import InputError
from commonsight.graph.shapes.execute import APPLIED, RELATED, Runner, execute
from commonsight.graph.shapes.functions import FUNCTIONS, WORDS, Type
from commonsight.graph.shapes.programs import Form, Part, is_sentence, parse, size, text, type_of
from commonsight.graph.shapes.values import COLOURS, KINDS, SIZES, Panel, Shape, Tableau, tableau


def tower(*colours: str) -> list[Shape]:
    """Blocks on each other, the base first, one pixel apart."""
    return [Shape("square", colour, 20, 40, 80 - 21 * level) for level, colour in enumerate(colours)]


TOWERS = tableau([tower("yellow"), tower("blue", "black", "yellow"), tower("blue", "blue")])
SCATTERED = tableau(
    [
        [Shape("circle", "black", 30, 0, 70), Shape("triangle", "yellow", 10, 40, 40)],
        [Shape("square", "blue", 20, 1, 30), Shape("circle", "blue", 10, 50, 12)],
        [Shape("triangle", "black", 20, 80, 10), Shape("square", "black", 10, 69, 20)],
    ]
)


@pytest.mark.parametrize(
    ("program", "holds"),
    [
        ("(count >= 3 (colour blue (objects)))", True),
        ("(count == 2 (colour blue (objects)))", False),
        ("(count-boxes == 1 (has == 3 (objects)))", True),
        ("(count-boxes >= 1 (has >= 1 (top (colour yellow (objects)))))", True),
        ("(count-boxes == 2 (has >= 1 (top (colour yellow (objects)))))", True),
        ("(count-boxes == 2 (has >= 1 (base (colour blue (objects)))))", True),
        ("(count == 1 (middle (objects)))", True),
        ("(count == 1 (level 2 (colour black (objects))))", True),
        ("(count == 1 (from-top 2 (colour black (objects))))", True),
        ("(count >= 1 (level 0 (objects)))", False),
        ("(count == 1 (relate on (colour yellow (objects)) (colour black (objects))))", True),
        ("(count >= 1 (relate on (colour yellow (objects)) (colour blue (objects))))", False),
        ("(count >= 1 (relate above (colour yellow (objects)) (colour blue (objects))))", True),
        ("(count == 2 (unlike under (objects) (objects)))", True),
        ("(count == 1 (alike under (objects) (objects)))", True),
        ("(count-boxes == 1 (run >= 2 (colour blue (objects))))", True),
        ("(count-boxes == 2 (hues == 1 (objects)))", True),
        ("(count-boxes == 1 (same == 2 (objects)))", True),
        ("(count-boxes == 1 (only (colour yellow (objects))))", True),
        ("(count-boxes == 1 (more (colour black (objects)) (kind circle (objects))))", True),
        ("(count-boxes == 1 (equal (colour black (objects)) (colour yellow (objects))))", False),
        ("(count-boxes == 1 (tallest (boxes)))", True),
        ("(count-boxes == 1 (both (shortest (boxes)) (has == 1 (objects))))", True),
        ("(every (boxes) (has >= 1 (objects)))", True),
        ("(every (has >= 2 (objects)) (has >= 1 (colour blue (objects))))", True),
        ("(all (base (objects)) (colour blue (objects)))", False),
        ("(all (colour black (objects)) (middle (objects)))", True),
        ("(all (kind circle (objects)) (objects))", False),  # there is none
        ("(together (colour black (objects)))", True),
        ("(together (colour blue (objects)))", False),
        ("(all-hues == 2 (base (objects)))", True),
        ("(all-forms == 1 (objects))", True),
        ("(share >= 2 base (boxes))", True),
        ("(share >= 2 height (boxes))", False),
        ("(differ == 3 height (boxes))", True),
        ("(share >= 2 colours (boxes))", False),
        ("(outnumber (colour blue (objects)) (colour yellow (objects)))", True),
        ("(count == 1 (inside (has == 1 (objects)) (objects)))", True),
        ("(count == 5 (except (objects) (colour black (objects))))", True),
        ("(count == 3 (union (colour black (objects)) (colour yellow (objects))))", True),
        ("(count-boxes == 2 (either (has == 1 (objects)) (has == 2 (objects))))", True),
        ("(count-boxes == 1 (other (has >= 2 (objects))))", True),
        ("(and (count >= 1 (objects)) (not (count >= 9 (objects))))", True),
        ("(or (count >= 9 (objects)) (count < 7 (objects)))", True),
    ],
)
def test_a_program_over_towers(program: str, holds: bool) -> None:
    assert execute(parse(program), TOWERS).holds is holds


@pytest.mark.parametrize(
    ("program", "holds"),
    [
        ("(count == 3 (wall any (objects)))", True),
        ("(count == 1 (wall corner (objects)))", True),
        ("(count == 1 (wall right (objects)))", True),
        ("(count == 2 (wall left (objects)))", True),  # one pixel from the wall is at the wall
        ("(count == 3 (wall side (objects)))", True),
        ("(count == 0 (wall top (objects)))", True),
        ("(count == 1 (near-wall top (objects)))", True),
        ("(count == 2 (size big (objects)))", False),
        ("(count == 2 (size medium (objects)))", True),
        ("(count == 2 (relate touching (objects) (objects)))", True),
        ("(count == 2 (relate beside (objects) (objects)))", True),
        ("(count-boxes == 3 (forms == 2 (objects)))", True),
    ],
)
def test_a_program_over_scattered_shapes(program: str, holds: bool) -> None:
    shown = SCATTERED
    if "near-wall" in program:
        shown = tableau([[Shape("circle", "black", 10, 50, 8)], [], []])
    assert execute(parse(program), shown).holds is holds


def test_the_trace_tells_every_step_by_position() -> None:
    program = parse("(count-boxes >= 1 (has >= 1 (top (colour black (objects)))))")
    trace = execute(program, tableau([tower("blue", "black"), [], tower("yellow")])).trace
    listed = "box 1: blue square 20 at (40, 80); box 1: black square 20 at (40, 59)"
    assert trace == (
        f"(objects) = {listed}; box 3: yellow square 20 at (40, 80)",
        "(colour black (objects)) = box 1: black square 20 at (40, 59)",
        "(top (colour black (objects))) = box 1: black square 20 at (40, 59)",
        "(has >= 1 (top (colour black (objects)))) = boxes 1",
        "(count-boxes >= 1 (has >= 1 (top (colour black (objects))))) = true",
    )


def test_every_function_can_be_applied_and_every_relation_is_known() -> None:
    assert set(APPLIED) == set(FUNCTIONS)
    assert set(RELATED) == set(WORDS["relation"])


def test_the_listed_order_of_shapes_changes_nothing() -> None:
    shapes = [Shape("circle", "black", 10, 60, 80), Shape("circle", "yellow", 10, 10, 80)]
    program = parse("(count == 1 (base (colour yellow (objects))))")
    assert execute(program, tableau([shapes, [], []])).holds
    assert execute(program, tableau([shapes[::-1], [], []])).holds


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("(fly (objects))", "there is no function 'fly'"),
        ("()", "there is no function ''"),
        ("(count >= 1)", "count is given 2 parts and takes 3 (compare, number, objects)"),
        ("(count >= one (objects))", "'one' stands where a number belongs"),
        ("(count near 1 (objects))", "'near' stands where a compare belongs"),
        ("(count >= 1 (boxes))", "(boxes …) stands where a objects belongs"),
        ("(colour red (objects))", "'red' stands where a colour belongs"),
        ("(objects)", "(objects …) stands where a truth belongs"),
    ],
)
def test_a_program_that_does_not_fit_is_refused(program: str, why: str) -> None:
    with pytest.raises(InputError) as caught:
        execute(parse(program), TOWERS)
    assert why in str(caught.value)
    assert not is_sentence(parse(program))


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("count", "does not begin with a bracket"),
        ("", "does not begin with a bracket"),
        ("(count", "lacks a closing bracket"),
        ("(boxes) (boxes)", "goes on after its last bracket"),
    ],
)
def test_text_that_is_no_program_is_refused(written: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        parse(written)


def _words(kind: Type) -> st.SearchStrategy[Part]:
    return st.integers(0, 5) if kind == "number" else st.sampled_from(WORDS[kind])


def forms(gives: Type, depth: int) -> st.SearchStrategy[Form]:
    """Programs of a type, at random; below a depth only calls that take no other."""

    def parts(name: str) -> st.SearchStrategy[Form]:
        taken = [
            _words(kind) if kind == "number" or kind in WORDS else forms(kind, depth - 1)
            for kind in FUNCTIONS[name].takes
        ]
        return st.tuples(st.just(name), *taken)

    fitting = [name for name, signature in FUNCTIONS.items() if signature.gives == gives]
    flat = [n for n in fitting if not {"truth", "boxes", "objects"} & set(FUNCTIONS[n].takes)]
    names = flat if depth <= 0 and flat else ["count"] if depth <= 0 and gives == "truth" else fitting
    return st.sampled_from(names).flatmap(parts)


shapes = st.builds(
    Shape,
    st.sampled_from(KINDS),
    st.sampled_from(COLOURS),
    st.sampled_from(SIZES),
    st.integers(0, 70),
    st.integers(0, 70),
)
boxes = st.lists(st.lists(shapes, max_size=6), min_size=3, max_size=3).map(tableau)


@given(forms("truth", 3), boxes)
def test_any_program_that_fits_is_executed(program: Form, shown: Tableau) -> None:
    assert type_of(program) == "truth"
    assert parse(text(program)) == program
    found = execute(program, shown)
    assert found.holds is Runner(shown).holds(program)
    assert len(found.trace) <= size(program)
    assert found.trace[-1] == f"{text(program)} = {str(found.holds).lower()}"


@given(st.lists(shapes, max_size=8), st.sets(st.integers(0, 7)))
def test_a_run_is_no_longer_than_what_is_in_it(listed: list[Shape], chosen: set[int]) -> None:
    panel = Panel(tuple(listed))
    inside = {number for number in chosen if number < len(listed)}
    assert bool(inside) <= panel.longest_run(inside) <= len(inside)
