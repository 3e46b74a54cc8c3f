"""Texts that networks write, as answers; contexts; and rationales as a task."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core.answer import Answer, FreeText, Pick, Unparsed, Verdict
from commonsight.core.benchmark import Ask, Expects
from commonsight.core.item import Item
from commonsight.core.scene import Region, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError
from commonsight.models.catalogue import find
from commonsight.models.writing.style import RATIONALE
from commonsight.runs.choosing import Nearest
from commonsight.runs.contexts import (
    ContextLine,
    check_context,
    checked_context,
    context_named,
    from_file,
    told_beside,
    with_context,
    write_contexts,
)
from commonsight.runs.lessons import examples
from commonsight.runs.rationales import ask_why
from commonsight.runs.writing import how_to_write, meant, told_of_writing
from commonsight.text.vectors import InMemoryVectors

VECTORS = InMemoryVectors({"cat": [1.0, 0.0], "kitten": [0.9, 0.1], "car": [0.0, 1.0]})
CHOICES = (TaggedText.plain("car"), TaggedText.plain("cat"))


def ask(expects: Expects, choices: tuple[TaggedText, ...] = ()) -> Ask:
    return Ask("1", "task", (), {"question": TaggedText.plain("What is it?")}, expects, choices)


@pytest.mark.parametrize(
    ("expects", "text", "answer"),
    [
        ("text", "a kitten", FreeText("a kitten")),
        ("text", "", FreeText("")),
        ("pick", "the kitten", Pick(1)),
        ("pick", "Car", Pick(0)),
        ("pick", "qwerty", Unparsed("qwerty", "no word of the text has a vector")),
        ("verdict", "true", Verdict(True)),
        ("verdict", "False", Verdict(False)),
        ("verdict", "maybe", Unparsed("maybe", "it is neither True nor False")),
    ],
)
def test_what_a_text_means(expects: Expects, text: str, answer: Answer) -> None:
    choices = CHOICES if expects == "pick" else ()
    assert meant(ask(expects, choices), text, Nearest((), VECTORS)).answer == answer


def test_how_to_write_is_as_published_unless_said_otherwise() -> None:
    gpv2, clipcap = find("gpv-2"), find("clipcap")
    published = how_to_write(gpv2, beam=None, longest=None)
    assert published == gpv2.writes
    assert told_of_writing(published, ("da",)) == {
        "writes": {"da": {"beam": 20, "longest": 10, "length": 0.0}}
    }
    narrow = how_to_write(clipcap, beam=2, longest=9)
    assert narrow is not None
    assert (narrow.answer.beam, narrow.rationale.beam, narrow.rationale.longest) == (2, 2, 9)
    assert narrow.decoding(RATIONALE).length == 1.0
    assert told_of_writing(None, ("da",)) == {}
    with pytest.raises(UsageError, match=r"--beam: R2C writes nothing\. Leave it out"):
        how_to_write(find("r2c"), beam=3, longest=None)


ITEM = Item(
    "1",
    "val",
    (Scene("a.jpg", (Region("person"),)),),
    {"question": TaggedText.plain("What is it?")},
    CHOICES,
    Pick(1),
    (TaggedText.plain("The cat purrs"), TaggedText(((0,), "strokes a cat.")), TaggedText.plain("Cats.")),
    direct_answers=("cat", "kitten"),
)


def test_one_rationale_or_all() -> None:
    assert context_named("rationale")(ITEM) == "The cat purrs"
    assert context_named("masked-rationale")(ITEM) == "The [answer] purrs"
    assert context_named("rationales")(ITEM) == "The cat purrs. [person1] strokes a cat. Cats."
    assert checked_context("rationale") == "rationale"
    assert told_beside("rationale") == {"context": "rationale"}
    with pytest.raises(UsageError, match=r"no such file\. Give one, or write rationale or masked-rationale"):
        check_context("reason")


def test_a_context_stands_before_or_after() -> None:
    one = ask("text")
    assert list(with_context(one, "Cats purr.").texts) == ["context", "question"]
    assert list(with_context(one, "Cats purr.", after=True).texts) == ["question", "context"]


@given(st.dictionaries(st.text(min_size=1), st.text(), min_size=1, max_size=5))
def test_contexts_that_were_written_are_read_again(texts: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "contexts.jsonl"
        assert write_contexts(path, (ContextLine(*pair) for pair in texts.items())) == len(texts)
        context = from_file(path)
        assert {item: context(Item(item, "val")) for item in texts} == texts
        assert told_beside(str(path))["context"] != "rationale"


def test_rationales_are_asked_for_without_choices() -> None:
    asked = ask_why(ITEM)
    assert (asked.task, asked.expects, asked.choices) == (RATIONALE, "text", ())
    assert asked.answers == ("The cat purrs", "Casey strokes a cat.", "Cats.")
    assert asked.gold == FreeText("The cat purrs")
    example = examples(find("clipcap"), [asked])[0]
    assert example.written is not None
    assert example.written.asked == "question: What is it? context:"
    assert example.written.wanted == (" The cat purrs", " Casey strokes a cat.", " Cats.")


def test_of_rationales_to_choose_from_only_the_right_one_is_learned() -> None:
    chosen = Item("1", "val", ITEM.scenes, ITEM.texts, rationales=ITEM.rationales, rationale_gold=2)
    assert ask_why(chosen).answers == ("Cats.",)
    assert ask_why(Item("1", "val", rationales=ITEM.rationales)).gold is None
