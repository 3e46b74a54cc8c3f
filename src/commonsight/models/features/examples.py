"""One question as networks read it: words, what they point to, and the objects that matter.

An object is there if the query or any response points to it, and the whole picture is always the first of
them: R2C looks at nothing else (VCR, appendix E), and a word that points to nothing points to the whole
picture (section 5). People are called by gender-neutral names and things by their class, which are words
that pretrained text encoders know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct, structs

from commonsight.core.answer import FreeText, Grounded, Pick, Verdict
from commonsight.core.benchmark import Ask, Expects
from commonsight.core.layout import Layout
from commonsight.core.program import Program, Step
from commonsight.core.scene import Box, Polygon, Region, Scene
from commonsight.core.text import TaggedText, Token, neutral_namer
from commonsight.errors import InputError
from commonsight.graph.retrieval import Fact
from commonsight.models.features.signs import Counting, Counts
from commonsight.models.programs.layouts import Understood, understood
from commonsight.models.writing.style import Written
from commonsight.score.direct_answer import ENOUGH

Kept = Literal["mentioned", "all"]
"""Which objects of a picture are kept: those that a text points to, as R2C does, or each of them."""

Namer = Callable[[int], str]
"""What a region is called, by its position in the scene."""

WHOLE = "image"
"""The class of the whole picture."""
NOTHING = "nothing"
"""Stands for a text without a word, which no sequence can be."""
VERDICTS = (TaggedText.plain("False"), TaggedText.plain("True"))
PICKED: tuple[Expects, ...] = ("pick", "verdict")
"""What networks that score choices can answer."""
NAMED: tuple[Expects, ...] = ("verdict", "grounded", "text")
"""What networks that name an answer can."""
WRITTEN: tuple[Expects, ...] = ("pick", "verdict", "text")
"""What networks that write can."""

_NO_WORDS = TaggedText(())
_WORD = re.compile(r"\w+(?:'\w+)?|[^\w\s]")


class Spoken(Struct, frozen=True):
    """A text, word by word."""

    words: tuple[str, ...]
    objects: tuple[int, ...]
    """For each word the object that it points to, by position; 0, the whole picture, for most."""


class SeenObject(Struct, frozen=True):
    """An object of a picture; without a box where the dataset knows none."""

    label: str
    box: Box | None
    polygons: tuple[Polygon, ...] | None = None


class Times(NamedTuple):
    """How many people gave an answer."""

    place: int
    """Among the answers that can be named."""
    people: int


class Example(Struct, frozen=True):
    """One question, ready to be made into tensors."""

    item: str
    task: str
    picture: str | None
    """Where the dataset keeps its pixels, if it does."""
    size: tuple[int, int]
    """Width and height of the picture that boxes are measured in."""
    query: Spoken
    responses: tuple[Spoken, ...]
    objects: tuple[SeenObject, ...]
    """The whole picture first."""
    regions: tuple[int, ...]
    """For each object but the first its position in the scene, so that attention can be drawn on it."""
    gold: int | None = None
    """The right choice; or the right answer's place among those that training has."""
    answer: str | None = None
    """In words, where it is named and not chosen; such a question has a single response without words."""
    targets: tuple[int, ...] = ()
    """Objects that a right answer may point to, by position."""
    program: Program | None = None
    """The steps to the right answer; what they give is told by the objects' positions, as in `targets`. Both
    inputs of a step that joins them are in the order in which the query speaks of them."""
    beside: tuple[str, ...] = ()
    """Further pictures of the same question, where it has several."""
    counted: tuple[Counts, ...] = ()
    """Of each picture how many objects of each kind it shows, for networks that read signs."""
    in_panels: tuple[Counts, ...] = ()
    """The same of each part of a single picture, from left to right."""
    facts: tuple[Fact, ...] = ()
    """What is known about the question's words, for networks that read facts."""
    layout: Layout = ()
    """Which modules to put together, for networks that are shown it in training."""
    written: Written | None = None
    """The same question as networks that write read it."""
    said: tuple[str, ...] = ()
    """What people answered, each as often as it was said, where an answer is named and there are several."""
    times: tuple[Times, ...] = ()
    """The same by the answers' places among those that can be named; others are left out."""
    choices: tuple[str, ...] = ()
    """In words, where a network that names answers is given some to score instead."""
    places: tuple[int, ...] = ()
    """Of each choice its place among the answers that can be named; -1 for others."""
    set_aside: str = ""
    """What is wrong with the program that it came with, where that cannot be read; it has none then."""

    def rights(self) -> dict[int, float]:
        """How right choices or answers are, by place: wholly if it is the gold, or enough people gave it."""
        if not self.said:
            return {} if self.gold is None else {self.gold: 1.0}
        return {place: min(1.0, people / ENOUGH) for place, people in self.times}


def unasked(examples: Iterable[Example]) -> list[Example]:
    """The same with nothing asked, for those who read responses alone."""
    return [structs.replace(example, query=Spoken((), ())) for example in examples]


def different_facts(examples: Iterable[Example]) -> Iterable[Fact]:
    """Every fact of theirs once; questions share them, so that telling them apart costs little."""
    return {id(fact): fact for example in examples for fact in example.facts}.values()


def example_of(
    ask: Ask,
    *,
    kept: Kept = "mentioned",
    named: bool = False,
    counting: Counting | None = None,
    query: bool = True,
) -> Example:
    """What a network reads of a question with choices; True and False are choices too. Without `query` it
    reads none, and what only that points to is not among the objects that are mentioned.

    With `named` the answer is one of all that training has, and there are no choices to read. With `counting`
    the objects of all pictures are counted.
    """
    choices, gold = ((_NO_WORDS,), None) if named else _choices(ask)
    scene = ask.scenes[0] if ask.scenes else Scene("")
    texts = (*ask.texts.values(), *choices)
    _check_references(ask, texts, len(scene.regions))
    regions = _regions(scene, texts if query else choices, kept)
    position = {region: place for place, region in enumerate(regions, start=1)}
    name = neutral_namer(scene.labels)
    asked = spoken(ask.texts.values(), name, position)
    program = _program(ask.program, asked, scene, position)
    return Example(
        ask.item_id,
        ask.task,
        scene.stored,
        _size(scene),
        asked,
        tuple(spoken((choice,), name, position) for choice in choices),
        (_whole(scene), *(_seen(scene.regions[region]) for region in regions)),
        regions,
        gold,
        _answer(ask) if named else None,
        _targets(ask, scene, position),
        program.program,
        tuple(other.stored for other in ask.scenes[1:] if other.stored is not None),
        () if counting is None else counting.counted(ask.scenes),
        () if counting is None else counting.in_panels(ask.scenes),
        said=ask.answers if named else (),
        set_aside=program.fault,
    )


def spoken(texts: Iterable[TaggedText], name: Namer, position: Mapping[int, int]) -> Spoken:
    """Texts one after another, word by word; `position` is where each region is among the objects. What is
    not among them is somewhere in the whole picture."""
    words: list[str] = []
    objects: list[int] = []
    for text in texts:
        for token in text.tokens:
            for said, seen in _said(token, name, position):
                words.append(said)
                objects.append(seen)
    return Spoken(tuple(words), tuple(objects)) if words else Spoken((NOTHING,), (0,))


def _said(token: Token, name: Namer, position: Mapping[int, int]) -> Iterator[tuple[str, int]]:
    if isinstance(token, str):
        yield from ((word.lower(), 0) for word in _WORD.findall(token))
        return
    for rank, region in enumerate(token):
        if rank:
            yield "and", 0
        for word in name(region).lower().removeprefix("the ").split():
            yield word, position.get(region, 0)


def _answer(ask: Ask) -> str | None:
    match ask.gold:
        case Verdict(value):
            return str(value)
        case FreeText(text) | Grounded(text):
            return text
    if ask.expects not in NAMED:
        raise InputError(
            f"Item {ask.item_id}, task {ask.task}: its answer is chosen, not named. "
            "Choose a network that scores choices."
        )
    return None


def _targets(ask: Ask, scene: Scene, position: Mapping[int, int]) -> tuple[int, ...]:
    """Objects by position: those of the scene that are kept."""
    wanted = frozenset(ask.target or ())
    own = (place for place, region in enumerate(scene.regions) if region.id in wanted)
    return tuple(position[place] for place in own if place in position)


def _program(
    program: Program | None, asked: Spoken, scene: Scene, position: Mapping[int, int]
) -> Understood:
    """With positions in place of the source's own ids, of the objects that are kept; 0 for others."""
    read = Understood(None) if program is None else understood(program, asked.words)
    if read.program is None:
        return read
    own = {
        place if region.id is None else region.id: position[place]
        for place, region in enumerate(scene.regions)
        if place in position
    }
    steps = (structs.replace(step, output=_given(step, own)) for step in read.program.steps)
    return Understood(Program(tuple(steps)))


def _given(step: Step, own: Mapping[int, int]) -> tuple[int | str, ...] | None:
    if step.output is None:
        return None
    return tuple(own.get(one, 0) if isinstance(one, int) else one for one in step.output)


def _choices(ask: Ask) -> tuple[tuple[TaggedText, ...], int | None]:
    if ask.expects == "verdict":
        return VERDICTS, int(ask.gold.value) if isinstance(ask.gold, Verdict) else None
    if ask.expects != "pick" or not ask.choices:
        raise InputError(
            f"Item {ask.item_id}, task {ask.task}: there are no choices to score. "
            "Choose a task that asks to pick one of several."
        )
    gold = ask.gold.index if isinstance(ask.gold, Pick) else None
    if gold is not None and not 0 <= gold < len(ask.choices):
        raise InputError(
            f"Item {ask.item_id}, task {ask.task}: choice {gold} (counted from 0) is said to be right, of "
            f"{len(ask.choices)}. Correct the label."
        )
    return ask.choices, gold


def _check_references(ask: Ask, texts: Sequence[TaggedText], regions: int) -> None:
    lost = sorted({region for text in texts for region in text.references() if not 0 <= region < regions})
    if lost:
        raise InputError(
            f"Item {ask.item_id}, task {ask.task}: a text points to object {lost[0]} (counted from 0), and "
            f"its picture has {regions} objects. Correct the text, or give the picture's objects."
        )


def _regions(scene: Scene, texts: Sequence[TaggedText], kept: Kept) -> tuple[int, ...]:
    if kept == "all":
        return tuple(range(len(scene.regions)))
    return tuple(sorted({region for text in texts for region in text.references()}))


def _size(scene: Scene) -> tuple[int, int]:
    """As the scene says, or else around all of its boxes."""
    if scene.width and scene.height:
        return scene.width, scene.height
    boxes = [region.box for region in scene.regions if region.box is not None]
    across = max((box.right for box in boxes), default=1.0)
    down = max((box.bottom for box in boxes), default=1.0)
    return max(1, round(across)), max(1, round(down))


def _whole(scene: Scene) -> SeenObject:
    width, height = _size(scene)
    return SeenObject(WHOLE, Box(0.0, 0.0, float(width), float(height)))


def _seen(region: Region) -> SeenObject:
    return SeenObject(region.label, region.box, region.polygons)
