"""Programs executed over a small table and what everybody knows about it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core.program import Program, Step
from commonsight.core.scene import Region, Relation, Scene
from commonsight.graph.execute import Executed, execute, traced
from commonsight.graph.knowledge import Filler, Knowledge, KnowledgeItem, Query, asked
from commonsight.graph.phrase import EVENT, Edge, Node, Phrase
from commonsight.graph.programs import read
from commonsight.graph.sets import SceneSets, positions

MAN, TABLE, PLATE, APPLE, FORK, CUP = range(6)
SCENE = Scene(
    "1.jpg",
    (
        Region("man", id=10),
        Region("table", id=11, attributes=("brown", "wooden")),
        Region("plate", id=12, attributes=("white",)),
        Region("apple", id=13, attributes=("red", "small")),
        Region("fork", id=14, attributes=("silver",)),
        Region("cup", id=15, attributes=("white", "small")),
    ),
    (
        Relation(PLATE, "on", TABLE),
        Relation(APPLE, "on", PLATE),
        Relation(CUP, "on", TABLE),
        Relation(FORK, "next to", PLATE),
        Relation(MAN, "holding", FORK),
    ),
)


def thing(name: str) -> Phrase:
    return Phrase((name,), (Node(name, 0, 1),))


def item(relation: str, head: str, tail: Phrase) -> KnowledgeItem:
    return KnowledgeItem(relation, thing(head), tail)


LIFT_FOOD = Phrase(("lifting", "the", "food"), (Node("food", 1, 3),), (Edge(EVENT, "lift", 0),))
KNOWLEDGE = Knowledge(
    [
        item("IsA", "apple", thing("fruit")),
        item("IsA", "fruit", thing("food")),
        item("IsA", "fork", thing("utensil")),
        item("UsedFor", "fork", LIFT_FOOD),
        item("UsedFor", "cup", Phrase(("holding", "drinks"), (Node("drinks", 1, 2),))),
        KnowledgeItem("HasPrerequisite", Phrase(("eating",)), thing("fork")),
    ]
)


def answered(program: str) -> Executed:
    return execute(read(program), SceneSets(SCENE, KNOWLEDGE), KNOWLEDGE)


@pytest.mark.parametrize(
    ("program", "answer", "target"),
    [
        (
            '[1] Find([0], "plate"); [2] Relate_Reverse([1], "on"); [3] Recognition([2], "color")',
            "red",
            {APPLE},
        ),
        ('[1] Find([0], "man"); [2] Relate([1], "holding"); [3] Recognition([2], "object")', "fork", {FORK}),
        (
            (
                '[1] Find([0], "object", "white"); [2] Find([1], "object", "small"); '
                '[3] Recognition([2], "object")'
            ),
            "cup",
            {CUP},
        ),
        ('[1] Find_Hypernym([0], "food"); [2] Recognition([1], "fruit")', "apple", {APPLE}),
        (
            '[1] Find_KG([0], "BLANK", "UsedFor", "holding drinks"); [2] Recognition([1], "object")',
            "cup",
            {CUP},
        ),
        (
            (
                '[1] Find([0], "plate"); [2] Relate_Reverse([1], "on"); '
                '[3] Find_KG([0], [2], "BLANK", "UsedFor", "lifting VISION"); [4] Recognition([3], "utensil")'
            ),
            "fork",
            {FORK},
        ),
        (
            (
                '[1] Find([0], "man"); [2] Find_KG([0], [1], "BLANK", "UsedFor", "lifting VISION"); '
                "[3] Verify([2])"
            ),
            "no",
            set(),
        ),
        ('[1] Find_KG_Reverse([0], "eating", "HasPrerequisite", "BLANK"); [2] Verify([1])', "yes", {FORK}),
        (
            (
                '[1] Find([0], "table"); [2] Relate_Reverse([1], "on"); [3] Find([0], "object", "small"); '
                '[4] And([2], [3]); [5] Recognition([4], "object")'
            ),
            "cup",
            {CUP},
        ),
        ('[1] Find([0], "object", "white"); [2] Recognition([1], "object")', None, {PLATE, CUP}),
        ('[1] Find([0], "horse"); [2] Recognition([1], "object")', None, set()),
        ('[1] Find([0], "man"); [2] Recognition([1], "color")', None, {MAN}),
        ('[1] Find([0], "cup")', None, {CUP}),
    ],
)
def test_each_function_by_hand(program: str, answer: str | None, target: set[int]) -> None:
    found = answered(f"[0] Initial(); {program}")
    assert found.answer == answer
    assert set(positions(found.target)) == target


def test_the_trace_names_objects_by_the_ids_of_the_source() -> None:
    program = read('[0] Initial(); [1] Find([0], "object", "white"); [2] Verify([1])')
    sets = SceneSets(SCENE, KNOWLEDGE)
    outputs = [step.output for step in traced(program, execute(program, sets, KNOWLEDGE), sets).steps]
    assert outputs == [(10, 11, 12, 13, 14, 15), (12, 15), ("yes",)]


def test_without_inputs_a_step_takes_the_one_before() -> None:
    program = Program((Step("Initial"), Step("Find", ("cup",)), Step("Recognition", ("object",))))
    assert execute(program, SceneSets(SCENE, KNOWLEDGE), KNOWLEDGE).answer == "cup"


def test_an_item_answers_every_query_that_leaves_one_of_its_objects_open() -> None:
    queries = dict(asked(item("UsedFor", "fork", LIFT_FOOD)))
    assert queries == {
        Query("BLANK", "UsedFor", "lifting the food"): Filler("fork", None),
        Query("BLANK", "UsedFor", "lifting VISION"): Filler("fork", "food"),
        Query("fork", "UsedFor", "lifting BLANK"): Filler("food", None),
        Query("VISION", "UsedFor", "lifting BLANK"): Filler("food", "fork"),
    }
    assert [query.reverse for query in queries] == [False, False, True, True]


def test_categories_reach_all_the_way_up_and_survive_a_circle() -> None:
    assert KNOWLEDGE.kinds("apple") == {"apple", "fruit", "food"}
    circle = Knowledge([item("IsA", "a", thing("b")), item("IsA", "b", thing("a"))])
    assert circle.kinds("a") == {"a", "b"}


@given(st.sets(st.integers(0, 200)))
def test_a_set_is_the_sum_of_its_bits(members: set[int]) -> None:
    assert list(positions(sum(1 << member for member in members))) == sorted(members)
