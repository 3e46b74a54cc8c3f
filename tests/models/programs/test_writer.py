"""Whole programs: the words of every call, always well typed, copied from the question where need be."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from commonsight.core.program import Program
from commonsight.errors import InputError
from commonsight.graph.programs import SIGNATURES, check, read, written
from commonsight.models.features.examples import Example, Spoken
from commonsight.models.features.vocabulary import Vocabularies, vocabularies
from commonsight.models.libraries import seeded
from commonsight.models.network import Scores
from commonsight.models.programs import learning
from commonsight.models.programs.layouts import CALLS
from commonsight.models.programs.texts import END, NEXT, Kind, Saying, kind_of, sayable, spelled
from commonsight.models.programs.writer import ProgramWriter
from commonsight.models.words import LearnedVectors

TAUGHT = {
    "is there a red cup ?": '[0] Initial(); [1] Find([0], "cup", "red"); [2] Verify([1])',
    "is there a dog ?": '[0] Initial(); [1] Find([0], "dog"); [2] Verify([1])',
    "what color is the cup on the table ?": '[0] Initial(); [1] Find([0], "table"); '
    '[2] Relate_Reverse([1], "on"); [3] Find([2], "cup"); [4] Recognition([3], "color")',
    "what can climb the tree ?": '[0] Initial(); [1] Find([0], "tree"); '
    '[2] Find_KG([0], [1], "BLANK", "CapableOf", "climb VISION"); [3] Recognition([2], "object")',
    "what furniture does a cat like ?": '[0] Initial(); [1] Find_Hypernym([0], "furniture"); '
    '[2] Find_KG_Reverse([1], "cat", "CapableOf", "like BLANK"); [3] Recognition([2], "furniture")',
}


def examples() -> list[Example]:
    return [asked(question, program) for question, program in TAUGHT.items()]


def asked(question: str, program: str | None = None) -> Example:
    words = tuple(question.split())
    said = Spoken(words, (0,) * len(words))
    alone = (Spoken(("nothing",), (0,)),)
    return Example(question, "answer", None, (1, 1), said, alone, (), (), program=program and read(program))  # type: ignore[arg-type]


def tiny(known: Vocabularies, seed: int = 0) -> ProgramWriter:
    from commonsight.models.features.vocabulary import Vocabulary

    with seeded(seed):
        words = LearnedVectors(len(known.words), 24)
        return ProgramWriter(words, known.words, Vocabulary(known.arguments), hidden=32, dropout=0.0)


def overfitted() -> tuple[ProgramWriter, Vocabularies]:
    known = vocabularies(examples(), programs=True)
    writer, source = tiny(known), learning.source_of(examples(), known)
    batch = source.batch(range(len(source)))
    optimiser = torch.optim.Adam(writer.parameters(), lr=0.01)
    for _ in range(120):
        scores: Scores = writer(batch)
        optimiser.zero_grad()
        scores.extra.mean().backward()
        optimiser.step()
    return writer, known


def test_it_learns_programs_by_heart_and_copies_names_that_it_never_said() -> None:
    writer, known = overfitted()
    source = learning.source_of(examples(), known)
    said = learning.written(writer, source)
    assert [written(one) for one in said] == list(TAUGHT.values())
    right = learning.read_right(source.examples, said)
    assert right == learning.ReadRight(1.0, 1.0, 1.0, len(TAUGHT))


def test_what_is_right_is_counted() -> None:
    several = examples()
    programs = [one.program for one in several if one.program is not None]
    wrong = [read(TAUGHT["is there a dog ?"]), *programs[1:]]
    found = learning.read_right(several, wrong)
    assert found.functions == 1.0
    assert found.layouts == 1.0
    assert found.programs == pytest.approx(4 / 5)
    shorter = learning.layouts_right(
        several[:1], [[0, CALLS.index(next(c for c in CALLS if c.function == "Verify"))]]
    )
    assert shorter.functions == pytest.approx(1 / 3)
    assert shorter.layouts == 0.0


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31), st.floats(0.1, 30.0))
def test_any_weights_give_programs_that_can_be_executed(seed: int, spread: float) -> None:
    known = vocabularies(examples(), programs=True)
    writer = tiny(known)
    with seeded(seed), torch.no_grad():
        for weight in writer.parameters():
            weight.normal_(0.0, spread)
    strange = [asked("umbrella umbrella of ?"), asked("is the zebra red ?"), *examples()[:1]]
    for program in learning.written(writer, learning.source_of(strange, known)):
        check(program)


@given(st.integers(0, 10_000), st.sampled_from(CALLS))
def test_whatever_is_said_of_what_may_be_is_well_typed(seed: int, call: object) -> None:
    rng, saying = np.random.default_rng(seed), Saying(call)  # type: ignore[arg-type]
    words = {
        Kind.WORD: "cup",
        Kind.BLANK: "BLANK",
        Kind.VISION: "VISION",
        Kind.RELATION: "UsedFor",
        Kind.NEXT: NEXT,
        Kind.END: END,
    }
    said = 0
    while not saying.over:
        may = sorted(saying.may())
        assert may
        saying.add(words[may[int(rng.integers(len(may)))]])
        said += 1
        assert said < 100
    texts, takes = saying.texts, saying._call.takes
    steps = read('[0] Initial(); [1] Find([0], "cup")').steps
    step = structs.replace(
        steps[1], function=saying._call.function, text_input=texts or None, inputs=(0, 1)[:takes]
    )
    check(Program((*steps, step)))
    assert sayable(texts)
    least, _ = SIGNATURES[saying._call.function].words
    assert len(texts) >= least


def test_texts_are_spelled_word_by_word() -> None:
    assert spelled(("object", "black hair")) == ("object", NEXT, "black", "hair", END)
    assert spelled(()) == ()
    assert kind_of("UsedFor") is Kind.RELATION
    assert kind_of("used") is Kind.WORD


def test_programs_that_cannot_be_said_are_not_taught() -> None:
    long = " ".join("abcdefghi")
    program = f'[0] Initial(); [1] Find([0], "{long}"); [2] Verify([1])'
    assert learning.taught([asked("long ?", program), asked("none ?"), *examples()]) == examples()


def test_the_same_seed_gives_the_same_loss() -> None:
    known = vocabularies(examples(), programs=True)
    batch = learning.source_of(examples(), known).batch(range(3))
    one, other = (tiny(known)(batch).extra for _ in range(2))
    assert torch.equal(one, other)
    assert one.shape == (3,)
    with pytest.raises(InputError):
        read("[0] Nothing()")
