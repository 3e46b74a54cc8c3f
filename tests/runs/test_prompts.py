"""Prompts of a person's own, examples, and contexts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonsight.benchmarks import find
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText
from commonsight.errors import InputError, InvalidRecords, UsageError
from commonsight.runs.contexts import (
    ORACLES,
    context_named,
    from_file,
    from_masked_rationales,
    from_rationales,
    with_context,
)
from commonsight.runs.prompts import PLAIN, prompt_for, prompts_named, read_prompts
from commonsight.runs.shots import Shots

MC = find("aokvqa").task("mc")


def item(number: int, image: str | None = None) -> Item:
    choices = tuple(map(TaggedText.plain, ("dog", "cat", "cow", "hen")))
    reasons = (TaggedText.plain("The dog barks"), TaggedText.plain("Dogs and a dog-house are here."))
    scenes, texts = (Scene(image or f"{number}.jpg"),), {"question": TaggedText.plain("Who?")}
    return Item(
        f"q{number}", "train", scenes, texts, choices, Pick(0), reasons, direct_answers=("dog", "puppy"),
        groups={"image": str(number)},
    )  # fmt: skip


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_prompt_file_is_read_by_task(tmp_path: Path) -> None:
    text = '[mc]\nname = "mine.mc@2"\ntemplate = "{{ texts.question }}"\nregions = "both"'
    path = written(tmp_path / "p.toml", text)
    own = read_prompts(path, find("aokvqa").tasks)
    assert prompt_for(MC, own).name == "mine.mc@2"
    assert prompt_for(find("aokvqa").task("da"), own).name == "aokvqa.da@1"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[mc", "this is no TOML"),
        ('[nothing]\nname = "a@1"', "there is no task 'nothing'. Name a task of the benchmark: mc, da"),
        ('[mc]\nname = "a@1"', "mc: Object missing required field `template`"),
        ('[mc]\nname = "a"\ntemplate = "x"', "mc.name: 'a' has no version. Write it as mine.q2a@1"),
        ('[mc]\nname = "a@1"\ntemplate = "x"\nregions = "circles"', "Invalid enum value 'circles'"),
        ('[mc]\nname = "a@1"\ntemplate = "x"\ncolour = 1', "unknown field `colour`"),
        ("mc = 3", "Expected `object`, got `int`"),
        ('[mc]\nname = "a@1"\ntemplate = "x"\nexamples_as = "q"', "mc.examples_as: there is no task 'q'"),
    ],
)
def test_a_bad_prompt_file_is_told_field_by_field(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises((InvalidRecords, InputError)) as caught:
        read_prompts(written(tmp_path / "p.toml", text), find("aokvqa").tasks)
    assert says in str(caught.value)
    assert "p.toml" in str(caught.value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=80))
def test_any_file_is_read_or_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "p.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        read_prompts(path, find("aokvqa").tasks)
    except InputError as error:
        assert str(path) in str(error)  # noqa: PT017 - either way is fine, but never another error


def test_a_change_of_prompt_is_in_its_name() -> None:
    changed = prompt_for(MC, {}, regions="names", reasoning="before")
    assert changed.name == "aokvqa.mc@1+regions=names+reasoning=before"
    assert prompt_for(MC, {}, regions="boxes", reasoning="none").name == "aokvqa.mc@1"
    assert PLAIN.name == "plain@1"


def test_examples_are_drawn_the_same_each_time_and_never_of_the_same_picture() -> None:
    items = [item(number) for number in range(30)] + [item(99, "3.jpg")]
    ask = MC.ask(items[3])
    shots = Shots(items, MC, 10, seed=1)
    first = shots.of(ask)
    assert len(first) == 10
    assert first == Shots(items, MC, 10, seed=1).of(ask)
    assert first != Shots(items, MC, 10, seed=2).of(ask)
    assert all(shot.ask.scenes[0].image != "3.jpg" for shot in first)
    assert all(len(Shots(items, MC, 29, seed=seed).of(ask)) == 29 for seed in range(20))
    assert len({shot.ask.item_id for shot in first}) == 10


def test_too_few_examples_are_refused() -> None:
    with pytest.raises(UsageError, match="has 3 labelled items for mc"):
        Shots([item(number) for number in range(3)], MC, 10, seed=0)


def test_rationales_and_masked_ones() -> None:
    assert from_rationales(item(1)) == "The dog barks. Dogs and a dog-house are here."
    assert from_masked_rationales(item(1)) == "The [answer] barks. Dogs and a [answer]-house are here."
    ask = with_context(MC.ask(item(1)), "It is night.")
    assert list(ask.texts) == ["context", "question"]


def hidden(reason: str, right: str, *answers: str) -> str:
    choices = (TaggedText.plain(right), TaggedText.plain("anything else"))
    return from_masked_rationales(
        Item("q", "train", (), {}, choices, Pick(0), (TaggedText.plain(reason),), direct_answers=answers)
    )


@pytest.mark.parametrize(
    ("reason", "right", "answers", "masked"),
    [
        (
            "A home run, running home: he hits a Home Run.", "home run", ("run", "home run", "home run"),
            "A [answer], running home: he hits a [answer].",
        ),
        ("A puppy is a young dog.", "dog", ("dog", "dog", "puppy"), "A puppy is a young [answer]."),
        ("A puppy is a young dog.", "dog", ("puppy", "dog", "puppy"), "A [answer] is a young [answer]."),
        ("Hot dogs: a hot dog is no dog.", "dog", ("hot dog",), "Hot dogs: a [answer] is no [answer]."),
        ("The answer is an answer sheet.", "answer sheet", ("answer",), "The [answer] is an [answer]."),
        ("They wait (for $5).", "$5", (), "They wait (for [answer])."),
        ("They wait.", " ", ("",), "They wait."),
    ],
    ids=["several words", "rarer answers stay", "most people's", "longest first", "mask", "signs", "none"],
)  # fmt: skip
def test_the_right_choice_and_most_peoples_answer_are_hidden(
    reason: str, right: str, answers: tuple[str, ...], masked: str
) -> None:
    assert hidden(reason, right, *answers) == masked


def test_one_rationale_is_the_first_as_it_is_written() -> None:
    assert ORACLES["rationale"](item(1)) == "The dog barks"
    assert ORACLES["masked-rationale"](item(1)) == "The [answer] barks"


def test_examples_have_contexts_of_their_own(tmp_path: Path) -> None:
    lines = "".join(f'{{"item": "q{number}", "context": "It is {number}."}}\n' for number in range(12))
    told = context_named(str(written(tmp_path / "c.jsonl", lines)), "Name their file.")
    items = [item(number) for number in range(12)]
    for shot in Shots(items, MC, 10, 1, told).of(MC.ask(items[0])):
        number = shot.ask.item_id.removeprefix("q")
        assert shot.ask.texts["context"].bracketed(()) == f"It is {number}."
    with pytest.raises(InputError, match=r"no context for item q12. Name their file."):
        Shots([item(number) for number in range(13)], MC, 10, 1, told)


def test_the_papers_prompt_is_there_by_name(tmp_path: Path) -> None:
    found = prompts_named("paper", find("aokvqa"))
    assert {prompt.name for prompt in found.values()} == {"aokvqa.paper.mc@1", "aokvqa.paper.da@1"}
    with pytest.raises(UsageError, match=r"no such file or prompt.*aokvqa has: paper, paper-turns"):
        prompts_named(str(tmp_path / "paper"), find("aokvqa"))


def test_contexts_from_a_file(tmp_path: Path) -> None:
    path = written(tmp_path / "c.jsonl", '{"item": "q1", "context": "A dog."}\n')
    assert from_file(path)(item(1)) == "A dog."
    with pytest.raises(InputError, match="no context for item q2"):
        from_file(path)(item(2))
    twice = written(tmp_path / "d.jsonl", '{"item": "q1", "context": "A"}\n{"item": "q1", "context": "B"}\n')
    with pytest.raises(InputError, match=r"d.jsonl:2: item q1 is given twice"):
        from_file(twice)


def test_cocos_captions_are_found_by_the_picture(tmp_path: Path) -> None:
    two = '{"image_id": 1, "caption": "A dog."}, {"image_id": 1, "caption": "One dog. "}'
    path = written(tmp_path / "captions_val2017.json", f'{{"images": [], "annotations": [{two}]}}')
    captions = context_named(str(path))
    assert captions(item(1)) == "One dog."
    with pytest.raises(InputError, match="no caption for picture 2 of item q2"):
        captions(item(2))
    with pytest.raises(InvalidRecords, match="annotations"):
        context_named(str(written(tmp_path / "x.json", "{}")))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60), st.sampled_from([".json", ".jsonl"]))
def test_any_file_of_contexts_is_read_or_refused(tmp_path: Path, content: bytes, ending: str) -> None:
    path = tmp_path / f"c{ending}"
    path.write_bytes(content)
    try:
        context_named(str(path))
    except InputError as error:
        assert str(path) in str(error)  # noqa: PT017 - either way is fine, but never another error
