"""From a question to a request: a prompt filled in, with its pictures, after examples if there are any."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from commonsight.core.answer import FreeText, Given, Grounded, Pick, Verdict
from commonsight.core.benchmark import Ask, Expects
from commonsight.core.prompt import Prompt, Reasoning
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError
from commonsight.vlm.client import Picture, Request, Turn
from commonsight.vlm.pictures import Pictures, region_name, shares

if TYPE_CHECKING:
    from jinja2 import Template

_GAPS = re.compile(r"\n{3,}")
LETTERS = string.ascii_uppercase
ROOM_TO_REASON = 512
"""Tokens that reasoning is given at least."""


class Choice(NamedTuple):
    """A choice as a template sees it."""

    letter: str
    text: str


class Thing(NamedTuple):
    """An object as a template sees it; the box in thousandths of the picture, where it is shown."""

    name: str
    number: int
    box: tuple[int, int, int, int] | None


class Example(NamedTuple):
    """A question with its right answer, shown before the one that is asked."""

    ask: Ask
    answer: str


def request_of(
    ask: Ask,
    prompt: Prompt,
    pictures: Pictures | None,
    *,
    examples: Sequence[Example] = (),
    temperature: float = 0.0,
    seed: int | None = None,
    weighed: bool = False,
) -> Request:
    """What a model is asked; without `pictures` it is asked blind.

    `weighed`: where there are choices, the model is asked how likely it holds the text of each, and what it
    is told asks for that text instead of its letter. What has no choices is asked as ever.
    """
    if weighed and prompt.reasoning != "none":
        raise UsageError("Weighed choices leave no room for reasons. Ask for none, or score by text.")
    worded = weighed or prompt.in_words
    shown = [
        _Shown(
            _turn(example.ask, prompt, pictures, weighed),
            _worded(example) if worded or example.ask.expects != ask.expects else example.answer,
        )
        for example in examples
    ]
    asked = _turn(ask, prompt, pictures, weighed)
    turns = _as_one_text(prompt, shown, asked) if prompt.form == "text" else _as_turns(prompt, shown, asked)
    room = prompt.most_tokens if prompt.reasoning == "none" else max(prompt.most_tokens, ROOM_TO_REASON)
    answers = candidates(ask) if prompt.reasoning == "none" and not prompt.in_words else ()
    texts = continuations(ask) if weighed else ()
    return Request(
        turns, room, temperature, seed, prompt.stop, answers, texts, continued=prompt.form == "text"
    )


class _Shown(NamedTuple):
    """An example as it is written: what is asked, and the answer to it."""

    asked: Turn
    answer: str


def _as_turns(prompt: Prompt, shown: Sequence[_Shown], asked: Turn) -> tuple[Turn, ...]:
    """A conversation in which the examples have been answered already."""
    system = [Turn("system", (prompt.system,))] if prompt.system else []
    before = [turn for one in shown for turn in (one.asked, Turn("assistant", (one.answer,)))]
    return (*system, *before, asked)


def _as_one_text(prompt: Prompt, shown: Sequence[_Shown], asked: Turn) -> tuple[Turn, ...]:
    """Examples with their answers, an empty line between them, and the question, where the model goes on."""
    parts: list[str | Picture] = [f"{prompt.system}\n\n"] if prompt.system else []
    for one in shown:
        parts += [*one.asked.parts, f" {one.answer}\n\n"]
    return (Turn("user", _run_together([*parts, *asked.parts])),)


def _run_together(parts: Sequence[str | Picture]) -> tuple[str | Picture, ...]:
    """Texts that follow each other as one."""
    joined: list[str | Picture] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(joined)


def continuations(ask: Ask) -> tuple[str, ...]:
    """The whole text of each candidate: the choices', or the two verdicts."""
    if ask.expects == "pick":
        return tuple(_written(choice, ask) for choice in ask.choices)
    return candidates(ask)


def _worded(example: Example) -> str:
    """What an example answers, in the words of its choice."""
    ask, gold = example.ask, example.ask.gold
    return _written(ask.choices[gold.index], ask) if isinstance(gold, Pick) else example.answer


def candidates(ask: Ask) -> tuple[str, ...]:
    """The few words that an answer begins with, where there are few."""
    if ask.expects == "pick":
        return tuple(LETTERS[: len(ask.choices)])
    return ("True", "False") if ask.expects == "verdict" else ()


def right_answer(ask: Ask) -> str:
    """The gold as a model should have said it, for examples."""
    return said(ask.gold, ask)


def said(gold: Given | None, ask: Ask) -> str:
    """An answer in the form that the instruction asks for."""
    match gold:
        case Pick(index):
            return LETTERS[index]
        case Verdict(value):
            return str(value)
        case Grounded(text, object_id):
            return f"Answer: {text}\nObject: {_number(object_id, ask)}"
        case FreeText(text):
            return text
    raise UsageError(f"Item {ask.item_id} has no right answer to show. Take examples from a labelled split.")


def _number(object_id: int | None, ask: Ask) -> str:
    """The number that an object has in the picture; the source's own ids are no use to a model."""
    if object_id is None:
        return "none"
    ids = [region.id for region in ask.scenes[0].regions] if ask.scenes else []
    return str(ids.index(object_id) + 1) if object_id in ids else "none"


def _turn(ask: Ask, prompt: Prompt, pictures: Pictures | None, weighed: bool) -> Turn:
    values = _values(ask, prompt, len(ask.scenes) if pictures else 0)
    if weighed and ask.expects == "pick":
        values["instruction"] = IN_WORDS
    elif prompt.in_words and ask.expects == "pick":
        values["instruction"] = instruction("text", prompt.reasoning)
    text = _filled(prompt, values)
    shown = () if pictures is None else tuple(_picture(scene, ask, prompt, pictures) for scene in ask.scenes)
    return Turn("user", (*shown, _GAPS.sub("\n\n", text).strip()))


def _picture(scene: Scene, ask: Ask, prompt: Prompt, pictures: Pictures) -> Picture:
    wanted = mentioned(ask) or (range(len(scene.regions)) if ask.expects == "grounded" else ())
    if prompt.regions in ("boxes", "both") and wanted and scene.width:
        return pictures.boxed(scene, [place for place in wanted if place < len(scene.regions)])
    return pictures.plain(scene)


def mentioned(ask: Ask) -> tuple[int, ...]:
    """The regions that question and choices point to, in the order of their numbers."""
    texts = (*ask.texts.values(), *ask.choices)
    return tuple(sorted({place for text in texts for place in text.references()}))


def _values(ask: Ask, prompt: Prompt, pictures: int) -> dict[str, object]:
    texts = [_written(text, ask) for text in ask.choices]
    choices = [Choice(letter, text) for letter, text in zip(LETTERS, texts, strict=False)]
    objects = _things(ask, prompt)
    return {
        "texts": {role: _written(text, ask) for role, text in ask.texts.items()},
        "choices": choices,
        "objects": objects,
        "pictures": pictures,
        "listed_choices": "\n".join(f"{choice.letter}. {choice.text}" for choice in choices),
        "listed_objects": _listed(objects, prompt, drawn=bool(pictures)),
        "instruction": instruction(ask.expects, prompt.reasoning),
    }


def _written(text: TaggedText, ask: Ask) -> str:
    """Tags in brackets, by class and number; a text of one string stays as it is."""
    return text.bracketed(ask.scenes[0].labels if ask.scenes else ())


def _things(ask: Ask, prompt: Prompt) -> list[Thing]:
    if not ask.scenes:
        return []
    scene = ask.scenes[0]
    wanted = mentioned(ask) or (range(len(scene.regions)) if ask.expects == "grounded" else ())
    with_boxes = prompt.regions in ("coordinates", "both")
    found = []
    for place in wanted:
        region = scene.regions[place]
        corners = shares(scene, region) if with_boxes else None
        box = None if corners is None else tuple(round(1000 * min(1.0, max(0.0, share))) for share in corners)
        found.append(Thing(region_name(scene.regions, place), place + 1, box))  # type: ignore[arg-type]
    return found


def _listed(objects: Sequence[Thing], prompt: Prompt, *, drawn: bool) -> str:
    """What is said of the objects before the question; nothing if there are none."""
    if not objects:
        return ""
    marked = drawn and prompt.regions in ("boxes", "both")
    told = "Each is marked in the picture by a box with its name." if marked else ""
    if any(thing.box is not None for thing in objects):
        head = "Objects, with the left, top, right and bottom of each in thousandths of the picture's size:"
        lines = [thing.name if thing.box is None else f"{thing.name}: {list(thing.box)}" for thing in objects]
        return "\n".join(filter(None, (head, *lines, told))) + "\n"
    return f"Objects: {', '.join(thing.name for thing in objects)}. {told}".rstrip() + "\n"


_FORMS: dict[Expects, str] = {
    "pick": "the letter of the right choice",
    "verdict": "True or False",
    "text": "one word or a short phrase",
    "grounded": "one word or a short phrase, and below it a line 'Object: N' with the number of the object "
    "that the answer is about, or 'Object: none'",
}


IN_WORDS = "Answer with the words of the right choice only, without its letter."
"""What is asked for where choices are weighed as wholes."""


def instruction(expects: Expects, reasoning: Reasoning) -> str:
    """How to answer, so that the answer can be read without guessing."""
    form = _FORMS[expects]
    if reasoning == "before":
        return f"Think step by step. Then end with a line 'Answer: ' that gives {form}."
    if reasoning == "after":
        return f"Begin with a line 'Answer: ' that gives {form}. Then say why."
    if expects == "grounded":
        return f"Write a line 'Answer: ' that gives {form}."
    return f"Answer with {form} only."


def _filled(prompt: Prompt, values: dict[str, object]) -> str:
    from jinja2 import TemplateError

    try:
        return _template(prompt.template).render(values)
    except TemplateError as error:  # also what the sandbox forbids
        raise UsageError(f"Prompt {prompt.name} cannot be filled in: {error}. Mend its template.") from error


@lru_cache(maxsize=64)
def _template(text: str) -> Template:
    """A person's own template may come from anywhere: it can fill in texts and do nothing else."""
    from jinja2 import StrictUndefined, TemplateSyntaxError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    try:
        return environment.from_string(text)
    except TemplateSyntaxError as error:
        at = f"line {error.lineno}: {error.message}"
        raise UsageError(f"The prompt's template cannot be read: {at}. Mend it.") from error
