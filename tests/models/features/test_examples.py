"""A question becomes words and objects that fit each other, whatever its texts are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from making import asks
from msgspec import structs

from commonsight.core.answer import Grounded, Pick, Verdict
from commonsight.core.benchmark import Ask
from commonsight.core.program import Program, Step
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import InputError
from commonsight.models.features.examples import NOTHING, WHOLE, Example, Spoken, example_of

SCENE = Scene(
    "a.jpg",
    (
        Region("person", Box(10, 20, 30, 40)),
        Region("fire hydrant", Box(0, 0, 5, 5)),
        Region("person"),
        Region("cup", Box(1, 2, 3, 4)),
    ),
    width=200,
    height=100,
    stored="images/a.jpg",
)


def asked(*, question: TaggedText, choices: tuple[TaggedText, ...], scene: Scene = SCENE, **more: Any) -> Ask:
    return Ask("item-1", "answer", (scene,), {"question": question}, "pick", choices, **more)


def test_people_have_names_and_things_their_class() -> None:
    question = TaggedText(("Why", "is", (2,), "near", "the", (1,), "?"))
    example = example_of(asked(question=question, choices=(TaggedText(((0, 2), "don't", "care", ".")),)))
    assert example.query == Spoken(
        ("why", "is", "riley", "near", "the", "fire", "hydrant", "?"), (0, 0, 3, 0, 0, 2, 2, 0)
    )
    assert example.responses == (Spoken(("casey", "and", "riley", "don't", "care", "."), (1, 0, 3, 0, 0, 0)),)


def test_only_objects_that_a_text_points_to_are_kept() -> None:
    example = example_of(asked(question=TaggedText(("Why", (2,))), choices=(TaggedText(((1,),)),)))
    assert [seen.label for seen in example.objects] == [WHOLE, "fire hydrant", "person"]
    assert example.regions == (1, 2)
    assert example.objects[0].box == Box(0, 0, 200, 100)
    assert example.objects[1].box == Box(0, 0, 5, 5)
    assert example.objects[2].box is None
    assert example.picture == "images/a.jpg"


def test_what_only_an_unread_query_points_to_is_not_in_view() -> None:
    ask = asked(question=TaggedText(("Why", (2,), "and", (1,))), choices=(TaggedText(((1,),)),))
    example = example_of(ask, query=False)
    assert example.regions == (1,)
    assert example.query.objects == (0, 0, 0, 1, 1)
    assert example.responses == example_of(structs.replace(ask, texts={}), query=False).responses


def test_all_objects_can_be_kept() -> None:
    ask = asked(question=TaggedText(("Why", (2,))), choices=(TaggedText.plain("So"),))
    example = example_of(ask, kept="all")
    assert example.regions == (0, 1, 2, 3)
    assert example.query.objects == (0, 3)
    assert [seen.label for seen in example.objects[1:]] == list(SCENE.labels)


def test_several_texts_are_read_one_after_another() -> None:
    texts = {"premise": TaggedText.plain("It rains."), "question": TaggedText.plain("And now?")}
    example = example_of(Ask("i", "t", (), texts, "pick", (TaggedText.plain("x"),)))
    assert example.query.words == ("it", "rains", ".", "and", "now", "?")
    assert example.objects == example_of(Ask("i", "t", (), {}, "pick", (TaggedText.plain("x"),))).objects
    assert example.picture is None


@pytest.mark.parametrize(
    ("expects", "gold", "number"),
    [
        ("pick", Pick(1), 1),
        ("pick", None, None),
        ("verdict", Verdict(True), 1),
        ("verdict", Verdict(False), 0),
        ("verdict", None, None),
    ],
)
def test_the_right_choice_is_kept(expects: Any, gold: Any, number: int | None) -> None:
    choices = (TaggedText.plain("a"), TaggedText.plain("b")) if expects == "pick" else ()
    example = example_of(Ask("i", "t", (SCENE,), {}, expects, choices, gold))
    assert example.gold == number
    if expects == "verdict":
        assert [text.words for text in example.responses] == [("false",), ("true",)]


def test_sizes_are_around_all_boxes_where_the_scene_tells_none() -> None:
    scenes = (
        Scene("a", (Region("cup", Box(0, 0, 60, 20)), Region("dog", Box(10, 5, 30, 50.4)))),
        Scene("a", (Region("cup"),)),
        Scene("a", (Region("cup", Box(0, 0, 60, 20)),), width=0, height=0),
    )
    sizes = [
        example_of(asked(question=TaggedText(()), choices=(TaggedText(()),), scene=scene)).size
        for scene in scenes
    ]
    assert sizes == [(60, 50), (1, 1), (60, 20)]


def test_what_cannot_be_scored_is_told() -> None:
    told = "Item i, task t: there are no choices to score"
    for ask in (Ask("i", "t", (), {}, "text"), Ask("i", "t", (), {}, "pick")):
        with pytest.raises(InputError, match=told):
            example_of(ask)


@pytest.mark.parametrize("lost", [4, 40, -1])
def test_a_text_that_points_to_no_object_is_told(lost: int) -> None:
    ask = asked(question=TaggedText(((1,),)), choices=(TaggedText(((lost,), "runs")),))
    told = rf"Item item-1, task answer: a text points to object {lost} \(counted from 0\), and its picture"
    with pytest.raises(InputError, match=told):
        example_of(ask)


@given(ask=asks(), kept=st.sampled_from(["mentioned", "all"]))
def test_words_and_objects_are_aligned(ask: Ask, kept: Any) -> None:
    example = example_of(ask, kept=kept)
    labels = ask.scenes[0].labels
    assert len(example.objects) == len(example.regions) + 1
    assert example.objects[0].label == WHOLE
    assert [seen.label for seen in example.objects[1:]] == [labels[place] for place in example.regions]
    for text in (example.query, *example.responses):
        assert len(text.words) == len(text.objects) > 0
        assert all(word and not any(map(str.isspace, word)) for word in text.words)
        assert all(0 <= place < len(example.objects) for place in text.objects)
    for spoken, text in zip(example.responses, ask.choices, strict=True):
        pointed = {example.regions[place - 1] for place in spoken.objects if place}
        assert pointed == set(text.references())
    if kept == "mentioned":
        texts = (*ask.texts.values(), *ask.choices)
        assert set(example.regions) == {place for text in texts for place in text.references()}
    assert list(example.regions) == sorted(set(example.regions))


@given(ask=asks())
def test_texts_without_a_word_are_one_that_stands_for_nothing(ask: Ask) -> None:
    example = example_of(ask)
    for spoken, text in zip(example.responses, ask.choices, strict=True):
        said = any(isinstance(token, str) and token.strip() for token in text.tokens)
        if not said and not [*text.references()]:
            assert spoken == Spoken((NOTHING,), (0,))


def test_a_named_answer_has_no_choices_and_knows_its_targets() -> None:
    scene = Scene("1", (Region("cup", id=40), Region("dog", id=7), Region("cup", id=9)), width=10, height=10)
    program = Program((Step("Initial"), Step("Verify")))
    ask = Ask(
        "1", "answer", (scene, Scene("2", stored="images/2.png")), {"question": TaggedText.plain("which?")},
        "grounded", (), Grounded("cup", 40), (40, 9, 1000), program,
    )  # fmt: skip
    found = example_of(ask, kept="all", named=True)
    assert (found.answer, found.gold, found.targets) == ("cup", None, (1, 3))  # 0 is the whole picture
    assert [response.words for response in found.responses] == [(NOTHING,)]
    assert found.program == program
    assert found.beside == ("images/2.png",)
    assert example_of(ask, kept="mentioned", named=True).targets == ()
    verdict = structs.replace(ask, expects="verdict", gold=Verdict(False))
    assert example_of(verdict, named=True).answer == "False"
    picked = structs.replace(ask, expects="pick", gold=Pick(0), choices=(TaggedText.plain("cup"),))
    with pytest.raises(InputError, match="its answer is chosen, not named"):
        example_of(picked, named=True)


def test_a_program_that_cannot_be_read_is_set_aside() -> None:
    def example(steps: tuple[Step, ...]) -> Example:
        question = TaggedText.plain("What can hold water?")
        ask = asked(question=question, choices=(), program=Program(steps))
        return example_of(structs.replace(ask, expects="grounded"), named=True)

    begun, end = Step("Initial"), Step("Recognition", ("object",))
    sought = Step("Find_KG", ("BLANK", "can", "hold water"))
    read = example((begun, sought, end))
    assert read.program is not None
    assert (read.program.steps[1].text_input, read.set_aside) == (("BLANK", "CapableOf", "hold water"), "")
    for joined in ((0, 1), (0, 7), (7, 8)):
        lost = example((begun, Step("And", None, None, joined), end))
        assert lost.program is None
        assert lost.set_aside.startswith("Step 1 of the program, And: it takes its objects from step")
