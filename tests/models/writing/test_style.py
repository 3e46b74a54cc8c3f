"""How questions are put to networks that write."""

from __future__ import annotations

from commonsight.core.answer import FreeText, Pick, Verdict
from commonsight.core.benchmark import Ask, Expects
from commonsight.core.scene import Region, Scene
from commonsight.core.text import TaggedText
from commonsight.models.catalogue import find
from commonsight.models.features.examples import example_of
from commonsight.models.writing.examples import as_written, to_learn
from commonsight.models.writing.style import CAPTION, RATIONALE, Writes

CLIPCAP, GPV2 = (find(name).writes for name in ("clipcap", "gpv-2"))
SCENE = Scene("a.jpg", (Region("person"), Region("cup")), (), 64, 48)


def ask(task: str = "mc", expects: Expects = "pick", **more: object) -> Ask:
    texts = {"question": TaggedText(("What does", (0,), "hold?"))}
    choices = (TaggedText.plain("A cup"), TaggedText(((1,),))) if expects == "pick" else ()
    given = {"gold": Pick(1)} | more
    return Ask("item", task, (SCENE,), texts, expects, choices, **given)  # type: ignore[arg-type]


def written(one: Ask, writes: Writes | None) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    assert writes is not None
    example = as_written(example_of(one, named=one.expects == "text"), one, writes)
    assert example.written is not None
    assert example.answer is None
    return example.written.asked, example.written.said, example.written.wanted


def test_clipcap_is_told_choices_and_what_is_wanted() -> None:
    asked, said, wanted = written(ask(), CLIPCAP)
    assert asked == "question: What does Casey hold? choices: A cup, the cup. answer:"
    assert said == (" A cup", " the cup")
    assert wanted == (" the cup",)


def test_clipcap_answers_directly_without_choices() -> None:
    one = ask("da", "text", gold=FreeText("cup"), answers=("mug", "cup", "cup"))
    assert written(one, CLIPCAP) == ("question: What does Casey hold? answer:", (), (" cup", " mug"))


def test_gpv2_reads_small_letters_and_nothing_but_the_question() -> None:
    assert written(ask(), GPV2) == ("what does casey hold?", ("a cup", "the cup"), ("the cup",))


def test_a_rationale_is_asked_for_as_a_context() -> None:
    one = ask(RATIONALE, "text", gold=FreeText("Hands hold."), answers=("Hands hold.", "It is held."))
    asked, _, wanted = written(one, CLIPCAP)
    assert asked == "question: What does Casey hold? context:"
    assert wanted == (" Hands hold.", " It is held.")
    assert written(one, GPV2)[0] == "what does casey hold? why?"


def test_a_caption_is_asked_for_by_the_picture_alone() -> None:
    one = Ask("item", CAPTION, (SCENE,), {}, "text", (), FreeText("A cup."), answers=("A cup.", "Red."))
    assert written(one, CLIPCAP) == ("", (), (" A cup.", " Red."))
    assert written(one, GPV2) == ("describe the picture.", (), ("a cup.", "red."))


def test_every_rationale_is_learned_and_of_answers_the_first() -> None:
    assert CLIPCAP is not None
    for task, count in ((RATIONALE, 2), (CAPTION, 2), ("da", 1)):
        one = ask(task, "text", gold=FreeText("one"), answers=("one", "two"))
        learned = to_learn(as_written(example_of(one, named=True), one, CLIPCAP))
        assert [example.written.said for example in learned if example.written is not None] == [
            (" one",),
            (" two",),
        ][:count]
        assert all(example.gold == 0 and len(example.responses) == 1 for example in learned)


def test_a_verdict_is_one_of_two_texts() -> None:
    one = ask("verify", "verdict", gold=Verdict(True))
    assert written(one, GPV2)[1:] == (("false", "true"), ("true",))


def test_without_a_label_nothing_is_wanted() -> None:
    assert written(ask(gold=None), CLIPCAP)[2] == ()
