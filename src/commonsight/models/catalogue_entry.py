"""What there is to know about a network before it is built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from commonsight.build.vocabulary import Rule
from commonsight.models.canvas_eyes import CANVAS, STAGES
from commonsight.models.engine.recipe import Recipe
from commonsight.models.features.examples import Kept
from commonsight.models.features.signs import Counting
from commonsight.models.parts import Parts
from commonsight.models.writing.style import Writes

LayoutRule = Literal["constituents", "grammar"]
"""How layouts are made, which say what modules to put together: of a sentence's constituents, to be shown in
training alone; or by a grammar that reads it, in training and afterwards."""


@dataclass(frozen=True)
class Size:
    """A network at one size, with how it is trained at that size."""

    build: Callable[[Parts], Any]
    """Parts to a `Network`."""
    recipe: Recipe = field(default_factory=Recipe)
    words: int = 96
    """How many numbers a word's vector has where vectors are learned from nothing."""
    regions: int = 96
    """How many numbers an object's vector has where its encoder learns from nothing."""
    canvas: tuple[int, int] = CANVAS
    """Width and height of a canvas's pixels, unless a person says otherwise."""
    stages: tuple[int, ...] = STAGES
    """Channels of the convolutions over those before the last."""
    raw: int | None = None
    """Channels of the last; as many as `regions` unless it says so."""
    transformer: tuple[int, int, int] = (2, 96, 4)
    """Layers, width and heads of a transformer that begins from nothing."""
    text: str = "learned"
    """Where its words come from unless a person says otherwise, as `--text` has it; with FILE, FOLDER or
    PLACE in it a person must say where that is."""
    sight: str = ""
    """How it sees unless a person says otherwise, as `--regions` has it, in the same way; if empty, it learns
    to see from nothing."""


@dataclass(frozen=True)
class Entry:
    """One network of the catalogue."""

    name: str
    title: str
    citation: str
    reads: Literal["words", "pieces", "wholes"]
    """Words, sub-words, or whole texts as one vector each."""
    sees: bool
    small: Size
    """Suits the drawn world and a CPU."""
    paper: Size
    """The published numbers."""
    large: Size | None = None
    """The published numbers of a larger one, where there are two."""
    objects: Kept = "mentioned"
    """Which objects of a picture it is given."""
    looks: Literal["objects", "canvas"] = "objects"
    """What it sees of pictures, if it does: objects one by one, or places of all pictures side by side."""
    query: bool = True
    """Whether the query is read at all."""
    names: bool = False
    """Whether it names one of the answers that training has, and does not score what it is given."""
    writes: Writes | None = None
    """How it writes what it answers, if it does."""
    vocabulary: Rule | None = None
    """Which answers it can name unless a person gives some; without a rule, all that training has."""
    picks: Literal["nearest", "scored"] = "nearest"
    """How one that names or writes answers chooses, where choices are given: that nearest to the answer that
    it gives, or the one that it scores highest."""
    hidden: bool = False
    """Whether `--hidden` may put a layer between what it reads and the answers that it names."""
    counts: Counting | None = None
    """Which signs it reads, if it does: words of the query crossed with counts of objects."""
    facts: bool = False
    """Whether it reads facts about the question, which `--knowledge` gives."""
    graph: bool = False
    """Whether it is built on a graph of facts about all questions, which `--knowledge` gives, too."""
    begins_like: tuple[str, ...] = ()
    """Networks of which it takes over the weights that fit, beside its own kind."""
    programs: bool = False
    """Whether it learns from programs, the steps to the right answer."""
    executes: bool = False
    """Whether it is given the program when it answers, too, and so answers no question without one."""
    layouts: LayoutRule | None = None
    """How layouts are made of each question's words, where it is given such."""
    begins: str | None = None
    """The network with whose weights it must begin, where it goes on from what another has learned."""
    drawn: bool = False
    """Whether its answer is drawn by its chances, from the seed, where others give the likeliest."""
    draws: bool = False
    """Whether training draws which of its parts a question meets, so that a step may leave some out, or in
    which order it reads."""
    learns: bool = True
    """Whether there is anything in it to train."""
    note: str = ""

    @property
    def knows(self) -> bool:
        """Whether it is given knowledge, in either way."""
        return self.facts or self.graph
