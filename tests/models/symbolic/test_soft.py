"""Programs executed over what is likely: as over what is true, where nothing is in doubt."""

from __future__ import annotations

import numpy as np
import pytest

from commonsight.core.scene import Box, Region, Relation, Scene
from commonsight.graph.execute import execute
from commonsight.graph.knowledge import Knowledge, KnowledgeItem
from commonsight.graph.phrase import Node, Phrase
from commonsight.graph.programs import read
from commonsight.graph.sets import SceneSets
from commonsight.models.symbolic.lore import Lore
from commonsight.models.symbolic.scene_reader import Terms, ToldScene, terms_of
from commonsight.models.symbolic.scenes import Common, common_answers, told_scene
from commonsight.models.symbolic.soft import SoftExecutor


def thing(name: str) -> Phrase:
    return Phrase((name,), (Node(name, 0, 1),))


KNOWN = Knowledge(
    [
        KnowledgeItem("IsA", thing("cat"), thing("animal")),
        KnowledgeItem("IsA", thing("dog"), thing("animal")),
        KnowledgeItem("CapableOf", thing("cat"), Phrase(("climb", "tree"), (Node("tree", 1, 2),))),
        KnowledgeItem("CapableOf", thing("dog"), Phrase(("bark",))),
    ]
)
SCENE = Scene(
    "a.png",
    tuple(
        Region(label, Box(10.0 * n, 0.0, 10.0 * n + 8, 8.0), attributes=attributes, id=10 + n)
        for n, (label, attributes) in enumerate(
            (("cat", ("black", "small")), ("dog", ("white",)), ("tree", ("green",)), ("cat", ("white",)))
        )
    ),
    (Relation(0, "left of", 1), Relation(1, "left of", 2), Relation(3, "on", 2)),
    40,
    10,
)
TERMS = terms_of([SCENE])
PROGRAMS = (
    '[0] Initial(); [1] Find([0], "cat", "black"); [2] Relate([1], "on"); [3] Recognition([2], "object")',
    '[0] Initial(); [1] Find([0], "dog"); [2] Relate([1], "left of"); [3] Recognition([2], "object")',
    '[0] Initial(); [1] Find([0], "tree"); [2] Relate_Reverse([1], "on"); [3] Recognition([2], "color")',
    '[0] Initial(); [1] Find_Hypernym([0], "animal"); [2] Find([1], "object", "green"); [3] Verify([2])',
    ('[0] Initial(); [1] Find([0], "tree"); [2] Find_KG([0], [1], "BLANK", "CapableOf", "climb VISION"); '
    '[3] Find([2], "object", "white"); [4] Recognition([3], "animal")'),
    '[0] Initial(); [1] Find_KG([0], "BLANK", "CapableOf", "bark"); [2] Verify([1])',
    ('[0] Initial(); [1] Find([0], "object", "white"); [2] Find([0], "tree"); [3] Relate_Reverse([2], "on"); '
    '[4] And([1], [3]); [5] Recognition([4], "object")'),
    '[0] Initial(); [1] Find([0], "object", "purple"); [2] Verify([1])',
)  # fmt: skip


def sure(scene: Scene, terms: Terms) -> ToldScene:
    count = len(scene.regions)
    labels = np.zeros((count, len(terms.labels)), np.float32)
    attributes = np.zeros((count, len(terms.attributes)), np.float32)
    relations = np.zeros((count, count, len(terms.predicates)), np.float32)
    for place, region in enumerate(scene.regions):
        labels[place, terms.labels.index(region.label)] = 1
        attributes[place, [terms.attributes.index(one) for one in region.attributes]] = 1
    for edge in scene.relations:
        relations[edge.subject, edge.object, terms.predicates.index(edge.predicate)] = 1
    return ToldScene(labels, attributes, relations)


@pytest.mark.parametrize("text", PROGRAMS)
def test_where_nothing_is_in_doubt_it_is_as_over_what_is_true(text: str) -> None:
    program, told = read(text), sure(SCENE, TERMS)
    likely = SoftExecutor(told, TERMS, Lore(KNOWN, TERMS.labels), threshold=0.5).execute(program)
    true = execute(program, SceneSets(SCENE, KNOWN), KNOWN)
    assert likely.answer == true.answer
    assert likely.target == (true.target.bit_length() - 1 if true.target else None)
    for own, value in zip(likely.weights, true.values, strict=True):
        if own is not None:
            assert isinstance(value, int)
            assert [bool(one > 0.5) for one in own] == [bool(value >> place & 1) for place in range(len(own))]
    assert told_scene(told, TERMS, SCENE).relations == SCENE.relations
    assert [one.label for one in told_scene(told, TERMS, SCENE).regions] == [
        one.label for one in SCENE.regions
    ]


def test_what_a_program_says_of_names_still_holds_when_an_object_is_named() -> None:
    """The first object is taken for a dog; but it is one of those that climb trees, so it is a cat."""
    told = sure(SCENE, TERMS)
    told.labels[0] = 0
    told.labels[0, [TERMS.labels.index("dog"), TERMS.labels.index("cat")]] = 0.6, 0.4
    program = read(
        '[0] Initial(); [1] Find([0], "tree"); [2] Find_KG([0], [1], "BLANK", "CapableOf", "climb VISION"); '
        '[3] Find([2], "object", "black"); [4] Recognition([3], "animal")'
    )
    likely = SoftExecutor(told, TERMS, Lore(KNOWN, TERMS.labels), threshold=0.5).execute(program)
    assert (likely.answer, likely.target) == ("cat", 0)
    plain = told_scene(told, TERMS, SCENE)
    assert execute(program, SceneSets(plain, KNOWN), KNOWN).answer is None


def test_nothing_likely_is_no_answer() -> None:
    executor = SoftExecutor(sure(SCENE, TERMS), TERMS, Lore(KNOWN, TERMS.labels), threshold=0.5)
    lost = '[0] Initial(); [1] Find([0], "elephant"); [2] Recognition([1], "color")'
    assert executor.execute(read(lost)).answer is None
    nowhere = '[0] Initial(); [1] Relate([0], "riding"); [2] Recognition([1], "object")'
    assert executor.execute(read(nowhere)).answer is None
    shapes = [(0, len(TERMS.labels)), (0, len(TERMS.attributes)), (0, 0, len(TERMS.predicates))]
    empty = ToldScene(*(np.zeros(shape, np.float32) for shape in shapes))
    nothing = SoftExecutor(empty, TERMS, Lore(KNOWN, TERMS.labels), threshold=0.5)
    assert nothing.execute(read(PROGRAMS[0])).answer is None
    assert nothing.execute(read(PROGRAMS[-1])).answer == "no"


def test_common_answers_are_those_to_questions_that_end_alike() -> None:
    programs = [read(text) for text in (PROGRAMS[2], PROGRAMS[2], PROGRAMS[2], PROGRAMS[-1])]
    common = common_answers(programs, ["red", "white", "white", "yes"])
    assert common == Common({"Recognition color": "white", "Verify": "yes", "": "white"}, "white")
    assert common.to(read(PROGRAMS[-1])) == "yes"
    assert common.to(read(PROGRAMS[0])) == "white"
