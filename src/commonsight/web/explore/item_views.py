"""An item as its page draws it. What an item has decides what is shown: no benchmark is asked for by name.

Each task of the benchmark is one step of the page, with exactly what an answerer was given (the second step
of a staged question has the right answer before it), the choices, and what every run said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from commonsight.core.answer import FAILURES, Answer, FreeText, Grounded, Pick, Verdict
from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.core.text import Piece, TaggedText, pieces
from commonsight.runs.answers import PROBABILITIES
from commonsight.runs.exploring.book import Book, RunSays
from commonsight.runs.labels import asked
from commonsight.runs.variants import Key
from commonsight.store.runs import AnswerLine
from commonsight.web.collect.shows_view import PictureView, humane, letter, picture_view
from commonsight.web.explore.program_views import ProgramView, RelationView, program_view, relations_of

Words = tuple[Piece, ...]

TOLD = ("input_tokens", "output_tokens", "seconds", "model", "finish")
"""What a run tells of a reply beside its words, in this order."""


class ChoiceView(NamedTuple):
    """One choice: its words, whether it is right, and who picked it."""

    letter: str
    words: Words
    right: bool
    picked: tuple[str, ...]
    """Names of runs."""


class SaidView(NamedTuple):
    """What one run said to one task."""

    run: str
    variant: str
    """How the task was varied, such as a rotation of the choices; empty for the plain one."""
    answer: Words
    right: bool | None
    """None where the item has no right answer, or the answer earns a part."""
    bars: tuple[tuple[str, float], ...]
    """By letter the probability of each choice, where the run tells."""
    reply: str | None
    told: tuple[tuple[str, str], ...]
    prompt: str | None
    """The name under which what was asked is told, where the run tells."""


class StepView(NamedTuple):
    """One task of an item."""

    name: str
    title: str
    given: tuple[tuple[str, Words], ...]
    """What is given, by role, in words."""
    choices: tuple[ChoiceView, ...]
    right: Words
    """The right answer where there is nothing to choose."""
    said: tuple[SaidView, ...]


class ItemView(NamedTuple):
    """An item, ready to be drawn."""

    id: str
    split: str
    pictures: tuple[PictureView, ...]
    steps: tuple[StepView, ...]
    answers: tuple[tuple[str, int], ...]
    """People's own answers, with how many gave each."""
    rationales: tuple[Words, ...]
    """Those that are all right; those to choose from are a step's choices."""
    program: ProgramView | None
    relations: tuple[RelationView, ...]
    groups: tuple[tuple[str, str], ...]
    more: tuple[tuple[str, str], ...]
    """All else that the data holds, as JSON."""
    drawn: bool


def item_view(book: Book, item: Item, said: Sequence[RunSays]) -> ItemView:
    """All of an item."""
    labels = item.labels
    chosen_from = item.rationale_gold is not None
    return ItemView(
        item.id,
        item.split,
        tuple(_pictures(item)),
        tuple(_steps(book.benchmark.tasks, item, said)),
        tuple(Counter(item.direct_answers).most_common()),
        () if chosen_from else tuple(words_of(text, labels) for text in item.rationales),
        program_view(item),
        relations_of(item),
        tuple((humane(name), value) for name, value in item.groups.items()),
        tuple(
            (humane(name), _pretty(value))
            for name in ("provenance", "extra")
            if (value := getattr(item, name))
        ),
        bool(item.provenance.get("drawn")),
    )


def words_of(text: TaggedText, labels: Sequence[str]) -> Words:
    """A text cut at its tags."""
    return tuple(pieces(text.bracketed(labels), labels))


def _pretty(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _pictures(item: Item) -> Iterator[PictureView]:
    for place, scene in enumerate(item.scenes):
        yield scene_view(scene, str(place), letter(place) if len(item.scenes) > 1 else "")


def scene_view(scene: Scene, entry: str, named: str = "") -> PictureView:
    """A scene as a picture with boxes. One without a stored picture has an empty address."""
    stored = (scene.stored or "").removeprefix("images/")
    seen = {
        "picture": stored,
        "width": scene.width or _extent(scene)[0],
        "height": scene.height or _extent(scene)[1],
    }
    regions = msgspec.to_builtins(scene.regions)
    return picture_view(entry, seen | {"alt": scene.image, "regions": regions}, named)


def _extent(scene: Scene) -> tuple[int, int]:
    """As far as boxes reach, for a picture of unknown size."""
    boxes = [region.box for region in scene.regions if region.box is not None]
    wide, tall = (max((getattr(box, side) for box in boxes), default=0) for side in ("right", "bottom"))
    return int(wide) or 400, int(tall) or 300


def _steps(tasks: Sequence[Task], item: Item, said: Sequence[RunSays]) -> Iterator[StepView]:
    for task in tasks:
        ask = asked(task, item)
        if ask is not None:
            yield _step(task, ask, item, said)


def _step(task: Task, ask: Ask, item: Item, said: Sequence[RunSays]) -> StepView:
    labels = item.labels
    lines = [(run, line) for run in said for line in run.lines if Key.parse(line.task).task == task.name]
    picked: dict[int, list[str]] = {}
    for run, line in lines:
        if isinstance(line.answer, Pick) and line.task == task.name:
            picked.setdefault(line.answer.index, []).append(run.name)
    gold = ask.gold.index if isinstance(ask.gold, Pick) else None
    choices = tuple(
        ChoiceView(letter(place), words_of(text, labels), place == gold, tuple(picked.get(place, ())))
        for place, text in enumerate(ask.choices)
    )
    given = tuple((humane(role), words_of(text, labels)) for role, text in ask.texts.items())
    right = () if ask.gold is None or choices else answer_words(ask.gold, ask, labels)
    return StepView(
        task.name,
        task.title,
        given,
        choices,
        right,
        tuple(_said(run, line, ask, labels) for run, line in lines),
    )


def _said(run: RunSays, line: AnswerLine, ask: Ask, labels: Sequence[str]) -> SaidView:
    chances = line.extra.get(PROBABILITIES) or ()
    bars = tuple((letter(place), float(chance)) for place, chance in enumerate(chances))
    told = tuple((humane(name), str(line.extra[name])) for name in TOLD if name in line.extra)
    key = Key.parse(line.task)
    variant = "" if key == Key(key.task) else line.task
    return SaidView(
        run.name,
        variant,
        answer_words(line.answer, ask, labels),
        is_right(line.answer, ask),
        bars,
        line.reply,
        told,
        line.task if run.prompted else None,
    )


def answer_words(answer: Answer, ask: Ask, labels: Sequence[str]) -> Words:
    """An answer as people read it."""
    if isinstance(answer, Pick):
        if answer.index >= len(ask.choices):
            return (Piece(f"choice {answer.index + 1}, which there is not"),)
        return (Piece(f"{letter(answer.index)}. "), *words_of(ask.choices[answer.index], labels))
    if isinstance(answer, Verdict):
        return (Piece("True" if answer.value else "False"),)
    if isinstance(answer, FreeText):
        return (Piece(answer.text),)
    if isinstance(answer, Grounded):
        return (Piece(answer.text), *_pointed(answer.object_id, ask, labels))
    return (Piece(type(answer).__name__.lower()),)


def _pointed(object_id: int | None, ask: Ask, labels: Sequence[str]) -> Iterator[Piece]:
    """What an answer points to, by the name that the object has here."""
    if object_id is None:
        return
    ids = [region.id for region in ask.scenes[0].regions] if ask.scenes else []
    place = ids.index(object_id) if object_id in ids else None
    yield Piece(" at ")
    yield Piece(f"object {object_id}") if place is None else Piece(f"{labels[place]}{place + 1}", (place,))


def is_right(answer: Answer, ask: Ask) -> bool | None:
    """Whether an answer is the right one; None where that is a matter of degree, or not known."""
    if ask.gold is None:
        return None
    if isinstance(answer, FAILURES):
        return False
    if isinstance(answer, Grounded) and isinstance(ask.gold, Grounded):
        known = ask.target if ask.target is not None else (ask.gold.object_id,)
        return answer.text == ask.gold.text and (
            answer.object_id in known or (not known and answer.object_id is None)
        )
    if isinstance(answer, FreeText):
        return None
    return answer == ask.gold
