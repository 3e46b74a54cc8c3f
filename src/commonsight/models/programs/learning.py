"""Teaching programs: questions to read, how well they are read, and what is kept beside the weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import structs
from torch import nn

from commonsight.core.program import Program
from commonsight.models.engine.loop import Judge
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.team import Team
from commonsight.models.features.buckets import batches
from commonsight.models.features.examples import Example
from commonsight.models.features.reading import WordReading
from commonsight.models.features.source import Source
from commonsight.models.features.vocabulary import Vocabularies, Vocabulary
from commonsight.models.programs.layouts import laid_out, same_meaning
from commonsight.models.programs.texts import sayable
from commonsight.models.programs.writer import ProgramWriter
from commonsight.models.words import LearnedVectors

RECIPE = Recipe(epochs=14, batch=32, rate=2e-3, decay=0.0, plateau=2, patience=4)
"""For some thousand questions."""
HIDDEN, WORDS, DROPOUT = 128, 96, 0.2
READ = 128
"""Questions that are read at once."""


class ReadRight(NamedTuple):
    """How well programs are told from questions: shares of 1."""

    functions: float
    """Of all functions, those that are right in their place; as many as the longer of both programs has."""
    layouts: float
    """Of all programs, those whose functions are all right, and feed each other as they should."""
    programs: float
    """Those that are right to the last word."""
    questions: int


def writer_of(known: Vocabularies) -> ProgramWriter:
    """A writer that knows these words of questions and of programs."""
    words = LearnedVectors(len(known.words), WORDS)
    return ProgramWriter(words, known.words, Vocabulary(known.arguments), hidden=HIDDEN, dropout=DROPOUT)


def source_of(examples: Sequence[Example], known: Vocabularies) -> Source:
    """Questions to learn from; each has a single choice, and nothing is learned about it."""
    alone = [structs.replace(one, gold=0, objects=one.objects[:1], targets=()) for one in examples]
    return Source(alone, WordReading(known))


def taught(examples: Sequence[Example]) -> list[Example]:
    """Those whose programs can be said."""
    return [
        one
        for one in examples
        if one.program is not None and all(sayable(step.text_input or ()) for step in one.program.steps)
    ]


def written(writer: ProgramWriter, source: Source) -> list[Program]:
    """The program of every question."""
    found: dict[int, Program] = {}
    training = writer.training
    writer.eval()
    device = next(writer.parameters()).device
    for numbers in batches(source.lengths, READ, seed=None):
        asked = [source.examples[number].query.words for number in numbers.tolist()]
        programs = writer.written(source.batch(numbers.tolist()).to(device), asked)
        found |= dict(zip(numbers.tolist(), programs, strict=True))
    writer.train(training)
    return [found[number] for number in range(len(source))]


def read_right(examples: Sequence[Example], said: Sequence[Program]) -> ReadRight:
    """How many are right, of those that have a program."""
    functions = total = layouts = programs = 0
    for example, program in zip(examples, said, strict=True):
        assert example.program is not None
        words = example.query.words
        true, own = same_meaning(example.program, words), same_meaning(program, words)
        functions += sum(one[0] == other[0] for one, other in zip(true, own, strict=False))
        total += max(len(true), len(own))
        layouts += [one[0] for one in true] == [one[0] for one in own]
        programs += true == own
    count = max(1, len(said))
    return ReadRight(functions / max(1, total), layouts / count, programs / count, len(said))


def layouts_right(examples: Sequence[Example], said: Sequence[Sequence[int]]) -> ReadRight:
    """The same where only layouts are told; no program is right to the last word then."""
    functions = total = layouts = 0
    for example, own in zip(examples, said, strict=True):
        assert example.program is not None
        true = [one.call for one in laid_out(example.program)]
        functions += sum(one == other for one, other in zip(true, own, strict=False))
        total += max(len(true), len(own))
        layouts += true == list(own)
    return ReadRight(functions / max(1, total), layouts / max(1, len(said)), 0.0, len(said))


def judge(examples: Sequence[Example], known: Vocabularies) -> Judge:
    """The share of programs that are right to the last word."""

    def judged(network: nn.Module, team: Team) -> float:
        assert isinstance(network, ProgramWriter)
        own = [examples[number] for number in team.share(np.arange(len(examples))).tolist()]
        said = written(network, source_of(own, known)) if own else []
        return team.summed(read_right(own, said).programs * len(said)) / len(examples)

    return judged
