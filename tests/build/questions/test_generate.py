"""The generator on scenes made by lot: what every question must be, and rules shown one by one."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from commonsight.build.questions.answers import gives_away, own_attributes
from commonsight.build.questions.english import English
from commonsight.build.questions.form import Known, Question, Referent, Related
from commonsight.build.questions.generate import Made, questions
from commonsight.build.questions.lore import Lore, sayable
from commonsight.build.questions.makers import MAKERS
from commonsight.build.questions.scope import Manner, Scope
from commonsight.build.questions.steps import functions, length
from commonsight.core.scene import Region, Relation, Scene
from commonsight.graph.execute import execute
from commonsight.graph.knowledge import Knowledge, KnowledgeItem, Query
from commonsight.graph.phrases import parse
from commonsight.graph.sets import SceneSets

ITEMS = """
IsA fork utensil; IsA spoon utensil; IsA apple food; IsA cup container; IsA table furniture
IsA plate tableware; IsA man person; IsA dog animal
UsedFor fork lifting food; UsedFor cup holding drinks; UsedFor table eating at
HasProperty apple sweet; CapableOf dog guard a house; CapableOf man talk; IsA-Taxonomy dog canine
AtLocation plate kitchen; HasPrerequisite eating plate
"""
NAMES = ("fork", "spoon", "apple", "cup", "table", "plate", "man", "dog", "stone")
ATTRIBUTES = ("red", "green", "white", "small", "large", "wooden", "metal", "clean", "open", "7")
PREDICATES = ("on", "next to", "holding", "behind", "has", "of")


def item(relation: str, head: str, tail: str) -> KnowledgeItem:
    return KnowledgeItem(
        relation, parse(head.split(), event=relation.startswith("HasPre")), parse(tail.split(), event=False)
    )


TRIPLES = ITEMS.strip().replace("\n", ";").split(";")
LORE = Lore(Knowledge([item(*each.split(maxsplit=2)) for each in TRIPLES]))


def any_scene(seed: int) -> Scene:
    rng = Random(seed)
    count = rng.randint(4, 10)
    regions = tuple(
        Region(rng.choice(NAMES), attributes=tuple(rng.sample(ATTRIBUTES, rng.randint(0, 3))), id=50 + place)
        for place in range(count)
    )
    pairs = (rng.sample(range(count), 2) for _ in range(2 * count))
    relations = tuple(Relation(one, rng.choice(PREDICATES), other) for one, other in pairs)
    return Scene(f"{seed}.png", regions, relations)


def made_of(scene: Scene, seed: int = 0, manner: Manner | None = None) -> list[Made]:
    return list(questions(scene, LORE, English(), Random(seed), manner or Manner()))


SCENES = [any_scene(seed) for seed in range(120)]
MADE = [each for seed, scene in enumerate(SCENES) for each in made_of(scene, seed)]


def test_all_five_types_come_out_and_both_verdicts() -> None:
    assert set(Counter(made.question.type for made in MADE)) == set(MAKERS)
    assert min(Counter(made.question.type for made in MADE).values()) > 50
    answers = Counter(made.answer for made in MADE)
    assert min(answers["yes"], answers["no"]) > 100


def test_every_program_gives_its_answer_and_is_as_long_as_was_foreseen() -> None:
    for made in MADE:
        sets = SceneSets(made.scene, LORE.knowledge)
        executed = execute(made.program, sets, LORE.knowledge)
        assert executed.answer == made.answer
        assert sets.ids(executed.target) == made.target
        assert 2 <= length(made.program) == functions(made.question) <= 7


def test_what_is_asked_for_is_one_object_and_is_not_told() -> None:
    asked = [made for made in MADE if made.question.asks is not None]
    assert len(asked) > 500
    for made in asked:
        assert len(made.target) == 1, made.text
        assert not gives_away(made.text, made.answer), made.text


def meant(scope: Scope, referent: Referent) -> int:
    return bin(scope.meant(referent)).count("1")


def described(question: Question) -> list[Referent]:
    """Every "the …" of a question."""
    found = [] if question.exists or question.asks is not None else [question.subject]
    clauses = [*question.subject.clauses, *([question.says] if question.says else [])]
    for clause in clauses:
        if isinstance(clause, Related):
            found.append(clause.other)
        elif isinstance(clause, Known) and clause.seen is not None:
            found.append(clause.seen)
    return found


def test_no_referent_is_empty_or_ambiguous() -> None:
    for made in MADE:
        scope = Scope(SceneSets(made.scene, LORE.knowledge), LORE, Random(0), Manner())
        for referent in described(made.question):
            assert meant(scope, referent) == 1, made.text


def test_no_question_comes_twice_in_a_scene_and_the_dice_decide() -> None:
    for scene in SCENES[:20]:
        texts = [made.text for made in made_of(scene, 1)]
        assert len(texts) == len(set(texts))
        assert texts == [made.text for made in made_of(scene, 1)]


def test_a_no_says_what_is_wrong_and_a_yes_that_nothing_is() -> None:
    for made in MADE:
        if made.question.asks is None:
            assert (made.answer == "no") == (made.question.wrong is not None) == (not made.target)
        else:
            assert made.question.wrong is None
    parts = {made.question.wrong.part for made in MADE if made.question.wrong}
    assert parts == {"attribute", "knowledge"}


def test_what_may_hold_all_the_same_is_never_denied() -> None:
    assert LORE.doubtful("spoon", Query("BLANK", "UsedFor", "lifting food"))  # a utensil, as the fork is
    assert LORE.doubtful("stone", Query("BLANK", "UsedFor", "lifting food"))  # nothing is known of stones
    assert not LORE.doubtful("table", Query("BLANK", "UsedFor", "lifting food"))
    beside = Scene("a.png", (Region("fork"), Region("spoon")))
    assert not any("lifting food" in made.text and made.answer == "no" for made in made_of(beside))


def test_people_are_neither_objects_nor_known_of() -> None:
    scope = Scope(SceneSets(Scene("a.png", (Region("man"),)), LORE.knowledge), LORE, Random(0), Manner())
    assert scope.kind_of(0) == ("person", True)
    assert LORE.about("man").alone == ()
    assert not any("talk" in made.text for made in MADE)


def test_numbers_are_not_asked_for_and_two_colors_neither() -> None:
    assert own_attributes(("red", "green", "7", "small")) == {"size": "small"}


@pytest.mark.parametrize(
    ("query", "can_be_said"),
    [
        (Query("BLANK", "UsedFor", "lifting food"), True),
        (Query("BLANK", "UsedFor", "lifting VISION"), True),
        (Query("fork", "UsedFor", "lifting BLANK"), True),
        (Query("eating", "HasPrerequisite", "BLANK"), True),
        (Query("BLANK", "IsA", "utensil"), False),
        (Query("BLANK", "AtLocation", "VISION"), False),
        (Query("plate", "AtLocation", "BLANK"), False),
        (Query("handbag", "UsedFor", "carrying money and BLANK"), False),
    ],
)
def test_which_queries_have_words(query: Query, can_be_said: bool) -> None:
    assert sayable(query) is can_be_said


def test_manner_is_heeded() -> None:
    short = [
        made
        for seed, scene in enumerate(SCENES[:30])
        for made in made_of(scene, seed, Manner(functions=(2, 3), details=(0,)))
    ]
    assert short
    assert max(length(made.program) for made in short) <= 3
    assert not any(made.question.subject.attributes for made in short)


def test_a_scene_without_anything_to_say_gives_nothing() -> None:
    assert made_of(Scene("a.png")) == []
    assert made_of(Scene("a.png", (Region("stone"),))) == []


@pytest.mark.parametrize(
    ("text", "answer", "told"),
    [
        ("What is next to the cup?", "cup", True),
        ("What is next to the cups?", "cup", True),
        ("What is on the table?", "dining table", True),
        ("What color is the orange thing?", "orange", True),
        ("What is next to the cupboard?", "cup", False),
    ],
)
def test_giving_away(text: str, answer: str, told: bool) -> None:
    assert gives_away(text, answer) is told


def test_knowledge_about_an_object_does_not_describe_others_by_that_object() -> None:
    checked = 0
    for made in MADE:
        for clause in made.question.subject.clauses if made.question.type == "QueryAtt" else ():
            if isinstance(clause, Known) and clause.seen is not None:
                label = next(region.label for region in made.scene.regions if region.id == made.target[0])
                others = [each.other.name for each in clause.seen.clauses if isinstance(each, Related)]
                assert label not in others, made.text
                checked += len(others)
    assert checked > 5


def test_nothing_is_of_two_materials_in_one_breath_and_no_attribute_is_said_twice() -> None:
    lore = Lore(Knowledge([item("IsA", "bench", "furniture"), item("MadeFrom", "bench", "stone")]))
    bench, other = Region("bench", attributes=("metal", "wood", "wooden")), Region("bench")
    scene = Scene("park.png", (bench, other, Region("stone")), (Relation(0, "next to", 2),))
    texts = {
        made.text for seed in range(60) for made in questions(scene, lore, English(), Random(seed), Manner())
    }
    assert any("stone" in text for text in texts)
    assert any("metal" in text for text in texts)
    for text in texts:
        assert "wood wooden" not in text
        assert "wooden wood" not in text
        assert not ("made from stone" in text and ("metal" in text or "wood" in text)), text
