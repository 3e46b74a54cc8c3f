"""From questions to requests: what a model reads, for every kind of task."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from commonsight.benchmarks import ALL, find
from commonsight.core.answer import FreeText, Grounded, Pick, Verdict
from commonsight.core.benchmark import Ask
from commonsight.core.prompt import ASKED, Prompt, plain_prompt
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError
from commonsight.store.native import read_native
from commonsight.vlm.client import Picture, Reply, Request, Turn
from commonsight.vlm.pictures import Pictures
from commonsight.vlm.reading import answer_of, ended
from commonsight.vlm.render import IN_WORDS, Example, instruction, mentioned, request_of, right_answer

SCENE = Scene(
    "kitchen.png",
    (
        Region("person", Box(0, 0, 100, 200), id=71),
        Region("cup", Box(50, 50, 100, 100), id=82),
        Region("dog", None, id=93),
    ),
    width=200,
    height=200,
)
QUESTION = TaggedText(("Why", "is", (0,), "smiling", "?"))
CHOICES = (TaggedText(((0,), "likes", (1,), ".")), TaggedText(("It", "is", "late", ".")))
ASK = Ask("a", "t", (SCENE,), {"question": QUESTION}, "pick", CHOICES, Pick(1))


def text_of(request: Request) -> str:
    return "\n".join(part for turn in request.turns for part in turn.parts if isinstance(part, str))


def test_a_question_with_its_choices_reads_as_a_person_would_write_it() -> None:
    request = request_of(ASK, plain_prompt("x@1", "Look."), None)
    assert text_of(request) == (
        "Look.\n\nObjects: person1, cup2.\nQuestion: Why is [person1] smiling?\n"
        "A. [person1] likes [cup2].\nB. It is late.\n\nAnswer with the letter of the right choice only."
    )
    assert request.candidates == ("A", "B")
    assert request.pictures == ()


def test_coordinates_are_thousandths_of_the_picture() -> None:
    prompt = Prompt("x@1", ASKED, regions="coordinates")
    assert "person1: [0, 0, 500, 1000]\ncup2: [250, 250, 500, 500]" in text_of(request_of(ASK, prompt, None))


def test_reasoning_gets_room_and_no_single_letter_is_scored() -> None:
    before = request_of(ASK, Prompt("x@1", ASKED, reasoning="before"), None)
    assert before.most_tokens >= 512
    assert before.candidates == ()
    assert "Think step by step" in text_of(before)
    assert instruction("verdict", "after").startswith("Begin with a line 'Answer: ' that gives True or False")


def test_examples_come_before_with_their_right_answers() -> None:
    request = request_of(ASK, plain_prompt("x@1", "Look."), None, examples=[Example(ASK, right_answer(ASK))])
    assert [turn.role for turn in request.turns] == ["user", "assistant", "user"]
    assert request.turns[1].parts == ("B",)


@pytest.mark.parametrize(
    ("gold", "said"),
    [
        (Pick(0), "A"),
        (Verdict(False), "False"),
        (FreeText("a cup"), "a cup"),
        (Grounded("red", 82), "Answer: red\nObject: 2"),
        (Grounded("no", None), "Answer: no\nObject: none"),
    ],
)
def test_right_answers_are_in_the_form_that_is_asked_for_and_read_back(gold: Pick, said: str) -> None:
    expects = {Pick: "pick", Verdict: "verdict", FreeText: "text", Grounded: "grounded"}[type(gold)]
    ask = Ask("a", "t", (SCENE,), {}, expects, CHOICES, gold)  # type: ignore[arg-type]
    assert right_answer(ask) == said
    assert answer_of(Reply(said), ask) == gold


def test_an_example_without_its_answer_is_refused() -> None:
    with pytest.raises(UsageError, match="no right answer to show"):
        right_answer(Ask("a", "t", (), {}, "pick", CHOICES, None))


def test_a_template_of_a_persons_own_can_only_fill_in_texts() -> None:
    with pytest.raises(UsageError, match="cannot be read: line 1"):
        request_of(ASK, Prompt("mine@1", "{% if %}"), None)
    evil = Prompt("mine@1", "{{ texts.__class__.__mro__[1].__subclasses__() }}")
    with pytest.raises(UsageError, match="mine@1"):
        request_of(ASK, evil, None)
    with pytest.raises(UsageError, match="'nothing' is undefined"):
        request_of(ASK, Prompt("mine@1", "{{ nothing }}"), None)


@pytest.mark.parametrize("benchmark", ALL, ids=[benchmark.name for benchmark in ALL])
def test_every_task_has_a_prompt_with_name_and_version(benchmark: object) -> None:
    for task in getattr(benchmark, "tasks"):  # noqa: B009 - any benchmark
        assert task.prompt is not None
        name, _, version = task.prompt.name.partition("@")
        assert name == f"{getattr(benchmark, 'name')}.{task.name}"  # noqa: B009
        assert version.isdecimal()


def test_pictures_of_a_pair_come_left_to_right_before_the_text(fixtures_dir: Path) -> None:
    benchmark = find("nlvr2")
    item = next(read_native(benchmark.native, [fixtures_dir / "nlvr2" / "dev.json"]))
    task = benchmark.tasks[0]
    assert task.prompt is not None
    request = request_of(task.ask(item), task.prompt, Pictures(fixtures_dir / "nlvr2" / "images"))
    kinds = [type(part) for part in request.turns[-1].parts]
    assert kinds == [Picture, Picture, str]
    assert [picture.name for picture in request.pictures] == [scene.image for scene in item.scenes]


def test_only_what_is_mentioned_is_drawn(fixtures_dir: Path) -> None:
    benchmark = find("vcr")
    files = [fixtures_dir / "vcr" / "val.jsonl"]
    item = next(read_native(benchmark.native, files, images=fixtures_dir / "vcr" / "images"))
    task = benchmark.task("q2a")
    ask = task.ask(item)
    assert mentioned(ask)
    assert task.prompt is not None
    pictures = Pictures(fixtures_dir / "vcr" / "images")
    drawn = request_of(ask, task.prompt, pictures).pictures[0]
    assert drawn.digest != pictures.plain(item.scenes[0]).digest
    assert drawn.digest == pictures.boxed(item.scenes[0], mentioned(ask)).digest


def test_weighed_choices_are_asked_for_in_words_and_sent_along() -> None:
    example = Example(structs.replace(ASK, item_id="b"), "B")
    request = request_of(ASK, plain_prompt("x@1", "Look."), None, examples=[example], weighed=True)
    assert request.candidates == ("A", "B")
    assert request.continuations == ("[person1] likes [cup2].", "It is late.")
    assert text_of(request).endswith("B. It is late.\n\n" + IN_WORDS)
    assert request.turns[1] == Turn("assistant", ("It is late.",))
    assert request.key("m") != structs.replace(request, continuations=()).key("m")
    free = structs.replace(ASK, expects="text", choices=())
    assert request_of(free, plain_prompt("x@1", "Look."), None, weighed=True) == request_of(
        free, plain_prompt("x@1", "Look."), None
    )
    with pytest.raises(UsageError, match="no room for reasons"):
        request_of(ASK, Prompt("x@1", ASKED, reasoning="before"), None, weighed=True)


PROMPT = Prompt("x@1", "Question: {{ texts.question }}\nAnswer:", form="text", stop=("\n",), in_words=True)
SOLVED = Example(ASK, right_answer(ASK))


def test_one_text_holds_examples_with_the_words_of_their_answers() -> None:
    request = request_of(ASK, structs.replace(PROMPT, system="Be brief."), None, examples=[SOLVED, SOLVED])
    one = "Question: Why is [person1] smiling?\nAnswer:"
    assert request.turns == (
        Turn("user", (f"Be brief.\n\n{one} It is late.\n\n{one} It is late.\n\n{one}",)),
    )
    assert request.continued
    assert request.stop == ("\n",)
    assert request.candidates == ()


def test_in_turns_words_are_asked_for_too() -> None:
    prompt = Prompt("x@1", ASKED, in_words=True)
    request = request_of(ASK, prompt, None, examples=[SOLVED])
    assert not request.continued
    assert request.turns[1] == Turn("assistant", ("It is late.",))
    assert text_of(request).endswith("Answer with one word or a short phrase only.")


def test_an_example_of_another_task_answers_in_words() -> None:
    other = structs.replace(ASK, expects="text", choices=(), gold=FreeText("late"))
    request = request_of(other, structs.replace(PROMPT, in_words=False), None, examples=[SOLVED])
    assert "Answer: It is late.\n\nQuestion" in text_of(request)


def test_pictures_stand_before_their_questions_in_one_text(tmp_path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (200, 200)).save(tmp_path / "kitchen.png")
    request = request_of(ASK, PROMPT, Pictures(tmp_path), examples=[SOLVED])
    (turn,) = request.turns
    assert [type(part) for part in turn.parts] == [Picture, str, Picture, str]


@pytest.mark.parametrize(
    ("reply", "text", "finish"),
    [
        (Reply(" rain\nQuestion: What?", "length"), " rain", "stop"),
        (Reply(" rain and", "length"), " rain and", "stop"),
        (Reply("", "filtered"), "", "filtered"),
        (Reply("\nrain"), "", "stop"),
    ],
)
def test_a_text_ends_at_its_stop_or_with_its_last_token(reply: Reply, text: str, finish: str) -> None:
    assert ended(reply, PROMPT) == structs.replace(reply, text=text, finish=finish)


def test_a_turn_that_ran_out_of_tokens_is_cut_off() -> None:
    talked = structs.replace(PROMPT, form="turns")
    assert ended(Reply("rain and", "length"), talked).finish == "length"
    assert ended(Reply("rain\nand", "length"), talked) == Reply("rain", "stop")
