"""English back to programs: a table of sentences read by hand, and whatever else may come."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonsight.build.questions import reading
from commonsight.build.questions.consistency import normalised
from commonsight.build.questions.reading import Lexicon, Reading, read
from commonsight.build.questions.reading.relations import meaning
from commonsight.build.questions.steps import compiled
from commonsight.core.scene import Region, Relation, Scene
from commonsight.graph.knowledge import Knowledge, KnowledgeItem
from commonsight.graph.phrase import Node, Phrase
from commonsight.graph.programs import read as read_program
from commonsight.graph.programs import written


def phrase(text: str) -> Phrase:
    """Words; those in brackets are nodes: "lifting [food]"."""
    words, nodes = [], []
    for word in text.split():
        if word.startswith("["):
            nodes.append(Node(word[1:-1].replace("_", " "), len(words), len(words) + len(word.split("_"))))
        words += word.strip("[]").split("_")
    return Phrase(tuple(words), tuple(nodes))


FACTS = """
[fork] IsA [utensil]
[knife] IsA [utensil]
[apple] IsA [food]
[dog] IsA [animal]
[fork] UsedFor lifting [food]
[knife] UsedFor cutting [food]
[cup] UsedFor drinking
[dog] CapableOf eat [food]
[dog] CapableOf bark
[fork] AtLocation [kitchen]
[knife] AtLocation [work_surface]
[apple] HasProperty juicy
[apple] HasProperty red
[fork] HasA four [tines]
[cup] HasA [handle]
[hat] ReceivesAction worn on the head
[table] MadeFrom [wood]
[cider] MadeFrom [apple]
[dog] IsA-Taxonomy [canine]
chopping [food] HasPrerequisite [knife]
setting the table HasSubevent placing [plate] on top
[man] CapableOf ride [horse]
"""


def knowledge() -> Knowledge:
    items = []
    for line in FACTS.strip().splitlines():
        words = line.split()
        at = next(number for number, word in enumerate(words) if word[0].isupper())
        head, tail = " ".join(words[:at]), " ".join(words[at + 1 :])
        items.append(KnowledgeItem(words[at], phrase(head), phrase(tail)))
    return Knowledge(items)


SCENE = Scene(
    "kitchen.png",
    (
        Region("table", attributes=("wooden", "large")),
        Region("plate", attributes=("white",)),
        Region("fork", attributes=("metal", "small")),
        Region("knife", attributes=("metal", "light blue")),
        Region("cup", attributes=("red",)),
        Region("man", attributes=("standing", "brown hair", "green top", "adult")),
        Region("dog", attributes=("brown",)),
        Region("apple", attributes=("red", "small")),
        Region("hat", attributes=("black",)),
        Region("traffic light"),
    ),
    (
        Relation(1, "on", 0),
        Relation(2, "on", 1),
        Relation(3, "left of", 1),
        Relation(5, "holding", 4),
        Relation(5, "wears", 8),
        Relation(6, "under", 0),
        Relation(6, "looking at", 5),
        Relation(7, "on", 1),
        Relation(0, "cover", 6),
        Relation(5, "has", 8),
        Relation(9, "attach to", 0),
    ),
)
LEXICON = Lexicon(knowledge())
WORDS = LEXICON.of(SCENE)

TABLE = """
What is on the plate?
    [1] Find([0], "plate"); [2] Relate_Reverse([1], "on"); [3] Recognition([2], "object")
Which object is to the left of the plate?
    [1] Find([0], "plate"); [2] Relate_Reverse([1], "left of"); [3] Recognition([2], "object")
What object in the image is the man holding?
    [1] Find([0], "man"); [2] Relate([1], "holding"); [3] Recognition([2], "object")
What is the man wearing?
    [1] Find([0], "man"); [2] Relate([1], "wears"); [3] Recognition([2], "object")
What does the table cover?
    [1] Find([0], "table"); [2] Relate([1], "cover"); [3] Recognition([2], "object")
What covers the dog?
    [1] Find([0], "dog"); [2] Relate_Reverse([1], "cover"); [3] Recognition([2], "object")
Which object does the man have?
    [1] Find([0], "man"); [2] Relate([1], "has"); [3] Recognition([2], "object")
What is attached to the table?
    [1] Find([0], "table"); [2] Relate_Reverse([1], "attach to"); [3] Recognition([2], "object")
What utensil on the plate can be used for lifting food?
    [1] Find([0], "plate"); [2] Relate_Reverse([1], "on"); [3] Find_Hypernym([2], "utensil");
    [4] Find_KG([3], "BLANK", "UsedFor", "lifting food"); [5] Recognition([4], "utensil")
What kind of utensil is usually used to cut food?
    [1] Find_Hypernym([0], "utensil"); [2] Find_KG([1], "BLANK", "UsedFor", "cutting food");
    [3] Recognition([2], "utensil")
Which small metal object is likely to be found in a kitchen?
    [1] Find([0], "object", "small", "metal"); [2] Find_KG([1], "BLANK", "AtLocation", "kitchen");
    [3] Recognition([2], "object")
Which object can often be found on a work surface?
    [1] Find_KG([0], "BLANK", "AtLocation", "work surface"); [2] Recognition([1], "object")
What has four tines?
    [1] Find_KG([0], "BLANK", "HasA", "four tines"); [2] Recognition([1], "object")
What usually has a handle?
    [1] Find_KG([0], "BLANK", "HasA", "handle"); [2] Recognition([1], "object")
What can be worn on the head?
    [1] Find_KG([0], "BLANK", "ReceivesAction", "worn on the head"); [2] Recognition([1], "object")
What food is cider made from?
    [1] Find_Hypernym([0], "food"); [2] Find_KG_Reverse([1], "cider", "MadeFrom", "BLANK");
    [3] Recognition([2], "food")
What does chopping food require?
    [1] Find_KG_Reverse([0], "chopping food", "HasPrerequisite", "BLANK"); [2] Recognition([1], "object")
Which white object does setting the table involve placing on top?
    [1] Find([0], "object", "white");
    [2] Find_KG_Reverse([1], "setting the table", "HasSubevent", "placing BLANK on top");
    [3] Recognition([2], "object")
What can a knife be used for cutting?
    [1] Find_KG_Reverse([0], "knife", "UsedFor", "cutting BLANK"); [2] Recognition([1], "object")
What is usually juicy?
    [1] Find_KG([0], "BLANK", "HasProperty", "juicy"); [2] Recognition([1], "object")
What color is the cup?
    [1] Find([0], "cup"); [2] Recognition([1], "color")
What is the color of the light blue knife?
    [1] Find([0], "knife", "light blue"); [2] Recognition([1], "color")
What material is the object under the cup made of?
    [1] Find([0], "cup"); [2] Relate_Reverse([1], "under"); [3] Recognition([2], "material")
What is the table that covers the dog made of?
    [1] Find([0], "dog"); [2] Relate_Reverse([1], "cover"); [3] Find([2], "table");
    [4] Recognition([3], "material")
What is the man who has brown hair doing?
    [1] Find([0], "man", "brown hair"); [2] Recognition([1], "pose")
How does the man look?
    [1] Find([0], "man"); [2] Recognition([1], "expression")
What mood is the man in?
    [1] Find([0], "man"); [2] Recognition([1], "expression")
How old is the man?
    [1] Find([0], "man"); [2] Recognition([1], "age")
What color is the object that the man is holding?
    [1] Find([0], "man"); [2] Relate([1], "holding"); [3] Recognition([2], "color")
What color is the object the man is holding?
    [1] Find([0], "man"); [2] Relate([1], "holding"); [3] Recognition([2], "color")
What color is the object that the man wearing the hat is holding?
    [1] Find([0], "hat"); [2] Relate_Reverse([1], "wears"); [3] Find([2], "man");
    [4] Relate([3], "holding"); [5] Recognition([4], "color")
Which color is the animal that is under the table and that is looking at the man?
    [1] Find([0], "table"); [2] Relate_Reverse([1], "under"); [3] Find([0], "man");
    [4] Relate_Reverse([3], "looking at"); [5] And([2], [4]); [6] Find_Hypernym([5], "animal");
    [7] Recognition([6], "color")
What size is the thing on the plate that can be used for lifting the food?
    [1] Find([0], "plate"); [2] Find_Hypernym([0], "food");
    [3] Find_KG([1], [2], "BLANK", "UsedFor", "lifting VISION"); [4] Relate_Reverse([3], "on");
    [5] Recognition([4], "size")
Is the cup red?
    [1] Find([0], "cup", "red"); [2] Verify([1])
Is the man that is wearing a green top standing?
    [1] Find([0], "man", "green top", "standing"); [2] Verify([1])
Is the man an adult?
    [1] Find([0], "man", "adult"); [2] Verify([1])
Does the man have brown hair?
    [1] Find([0], "man", "brown hair"); [2] Verify([1])
Is the dog under the table?
    [1] Find([0], "table"); [2] Relate_Reverse([1], "under"); [3] Find([2], "dog"); [4] Verify([3])
Can the animal bark?
    [1] Find_Hypernym([0], "animal"); [2] Find_KG([1], "BLANK", "CapableOf", "bark"); [3] Verify([2])
Can the dog eat the object on the plate?
    [1] Find([0], "dog"); [2] Find([0], "plate"); [3] Relate_Reverse([2], "on");
    [4] Find_KG([1], [3], "BLANK", "CapableOf", "eat VISION"); [5] Verify([4])
Is the animal a kind of canine?
    [1] Find_Hypernym([0], "animal"); [2] Find_KG([1], "BLANK", "IsA-Taxonomy", "canine"); [3] Verify([2])
Is the object that covers the dog made from wood?
    [1] Find([0], "dog"); [2] Relate_Reverse([1], "cover"); [3] Find_KG([2], "BLANK", "MadeFrom", "wood");
    [4] Verify([3])
Does chopping food require the object to the left of the plate?
    [1] Find([0], "plate"); [2] Relate_Reverse([1], "left of");
    [3] Find_KG_Reverse([2], "chopping food", "HasPrerequisite", "BLANK"); [4] Verify([3])
Can a fork be used for lifting the red object on the plate?
    [1] Find([0], "plate"); [2] Relate_Reverse([1], "on"); [3] Find([2], "object", "red");
    [4] Find_KG_Reverse([3], "fork", "UsedFor", "lifting BLANK"); [5] Verify([4])
Does setting the table involve placing the white object on top?
    [1] Find([0], "object", "white");
    [2] Find_KG_Reverse([1], "setting the table", "HasSubevent", "placing BLANK on top"); [3] Verify([2])
Is there a utensil that can be used for cutting food in the picture?
    [1] Find_Hypernym([0], "utensil"); [2] Find_KG([1], "BLANK", "UsedFor", "cutting food");
    [3] Verify([2])
Is there any food that is small?
    [1] Find_Hypernym([0], "food"); [2] Find([1], "object", "small"); [3] Verify([2])
Is there an object which is usually red?
    [1] Find_KG([0], "BLANK", "HasProperty", "red"); [2] Verify([1])
Is there a red object that a knife can be used for cutting and which is on the plate?
    [1] Find([0], "plate"); [2] Relate_Reverse([1], "on"); [3] Find([2], "object", "red");
    [4] Find_KG_Reverse([3], "knife", "UsedFor", "cutting BLANK"); [5] Verify([4])
Is there a metal utensil used for lifting food?
    [1] Find_Hypernym([0], "utensil"); [2] Find([1], "object", "metal");
    [3] Find_KG([2], "BLANK", "UsedFor", "lifting food"); [4] Verify([3])
"""
"""Questions, and below each its program without Initial."""


def expected() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for line in TABLE.strip().splitlines():
        if line.startswith(" "):
            text, program = found[-1]
            found[-1] = text, f"{program} {line.strip()}"
        else:
            found.append((line, "[0] Initial();"))
    return found


EXPECTED = expected()


def first_program(text: str) -> str | None:
    found = read(text, WORDS)
    return written(compiled(found[0].question)) if found else None


@pytest.mark.parametrize(("text", "program"), EXPECTED)
def test_sentences_are_read_as_by_hand(text: str, program: str) -> None:
    best = first_program(text)
    assert best is not None
    assert normalised(read_program(best)) == normalised(read_program(program)), best


def test_a_clause_without_and_belongs_to_the_nearest_noun_first() -> None:
    best, *others = read("What color is the object on the plate that is on the table?", WORDS)
    assert len(best.question.subject.clauses) == 1
    assert any(len(other.question.subject.clauses) == 2 for other in others)


def test_and_joins_clauses_about_the_outer_noun_first() -> None:
    text = "What color is the dog that is looking at the man that is holding the cup and that can bark?"
    best, *others = read(text, WORDS)
    assert len(best.question.subject.clauses) == 2
    assert any(len(other.question.subject.clauses) == 1 for other in others)


def test_and_needs_a_clause_to_join() -> None:
    for found in read("What color is the object on the plate and that can bark?", WORDS):
        assert len(found.question.subject.clauses) == 2


@pytest.mark.parametrize(
    "text",
    [
        "", "?", "what", "What is?", "What color is?", "What color is the?", "Is there?", "Is the cup?",
        "What color is the unicorn?", "What color the cup is?", "The cup is red.", "Can the cup red?",
        "Is there a cup that?", "Is there a cup and?", "What color is the cup that is under?",
        "Does chopping food require?", "What is the the cup on?", "cup " * 50, "the " * 200, "\x00", "…",
        "What can a knife be used for cutting the cup?",
    ],
)  # fmt: skip
def test_what_is_no_question_has_no_reading(text: str) -> None:
    assert read(text, WORDS) == []


SALAD = sorted({word for text, _ in EXPECTED for word in text.rstrip("?").lower().split()})


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(SALAD), max_size=25))
def test_any_order_of_words_is_read_or_not_but_never_breaks(words: list[str]) -> None:
    found = read(" ".join(words), WORDS)
    assert all(isinstance(each, Reading) for each in found)
    assert [each.cost for each in found] == sorted(each.cost for each in found)
    for each in found[:3]:
        compiled(each.question)


@given(st.text(max_size=80))
def test_any_text_is_read_or_not_but_never_breaks(text: str) -> None:
    read(text, WORDS)


def test_deep_nesting_stays_bounded() -> None:
    text = "What color is the object" + " that is on the object" * 18 + "?"
    assert len(read(text, WORDS)) <= 200


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hold", "holding"), ("wears", "is wearing"), ("left of", "to the left of"), ("has a", "has"),
        ("on the right of", "right of"), ("park next", "parked next to"), ("look", "looking at"),
        ("in the front of", "in front of"), ("handing to", "handing something to"),
    ],
)  # fmt: skip
def test_forms_of_a_predicate_mean_the_same(one: str, other: str) -> None:
    assert meaning(one) == meaning(other)


def test_the_reader_knows_nothing_of_the_wordings() -> None:
    """It would be no check if it shared them."""
    folder = Path(inspect.getfile(reading)).parent
    for path in [*folder.glob("*.py"), folder.parent / "consistency.py"]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").rpartition(".")[2] not in ("english", "wordings", "predicates")
