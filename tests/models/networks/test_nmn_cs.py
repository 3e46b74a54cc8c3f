"""Programs of a batch executed together, learning from programs, and what each module does by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from making import (
    ANSWERS,
    batch_for,
    drawn,
    drawn_calls,
    given_to,
    reading_for,
    scores_of,
    tiny_network,
    training_loss,
)
from torch import Tensor

from commonsight.core.answer import Grounded
from commonsight.core.benchmark import Ask
from commonsight.core.program import Program
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText
from commonsight.errors import InputError
from commonsight.graph.programs import read
from commonsight.models.catalogue import find
from commonsight.models.engine.team import Team
from commonsight.models.features.examples import Example, example_of
from commonsight.models.features.source import Source
from commonsight.models.libraries import seeded
from commonsight.models.networks.nmn_cs.execution import Seen, Together, execute, planned
from commonsight.models.networks.nmn_cs.modules import Text, functions
from commonsight.models.networks.nmn_cs.network import NMNCS, layouts_of
from commonsight.models.networks.nmn_cs.per_module import ModuleScore, layout_scores, overlap, table
from commonsight.models.networks.nmn_cs.truth import NMNCSGT, Outcome
from commonsight.models.programs.layouts import CALLS, laid_out
from commonsight.models.programs.learning import ReadRight, layouts_right

GT, CS = find("nmn-cs-gt"), find("nmn-cs")
OBJECTS, DIM, WORDS, LONGEST = 5, 4, 3, 12


def texts_of(whole: Tensor, parts: Tensor, lengths: Tensor) -> object:
    def texts(group: Together) -> Text:
        rows, places = torch.tensor(group.rows), torch.tensor(group.places)
        if not CALLS[group.call].queries:
            return Text(whole[rows, places])
        return Text(whole[rows, places], parts[rows, places], lengths[rows, places])

    return texts


def test_executed_together_is_as_executed_one_by_one() -> None:
    rng = np.random.default_rng(5)
    layouts = [drawn_calls(rng, int(rng.integers(2, LONGEST))) for _ in range(24)]
    with seeded(1):
        modules = functions(seen=DIM, words=WORDS, hidden=6, answers=4, dropout=0.0).eval()
        objects, whole = torch.randn(24, OBJECTS, DIM), torch.randn(24, LONGEST, WORDS)
        parts = torch.randn(24, LONGEST, 3, 4, WORDS)
    lengths = torch.randint(1, 5, (24, LONGEST, 3), generator=torch.Generator().manual_seed(1))
    there = torch.arange(OBJECTS) < torch.arange(24)[:, None] % OBJECTS + 1
    together = execute(planned(layouts), modules, Seen(objects, there), texts_of(whole, parts, lengths))  # type: ignore[arg-type]
    assert len(planned(layouts).groups) < sum(map(len, layouts)) / 2
    for row, layout in enumerate(layouts):
        one = slice(row, row + 1)
        texts = texts_of(whole[one], parts[one], lengths[one])
        alone = execute(planned([layout]), modules, Seen(objects[one], there[one]), texts)  # type: ignore[arg-type]
        torch.testing.assert_close(together.answers[row], alone.answers[0], rtol=1e-5, atol=1e-5)
        torch.testing.assert_close(
            together.attention[together.asked[row]], alone.attention[alone.asked[0]], rtol=1e-5, atol=1e-5
        )


def test_calls_wait_for_what_they_take() -> None:
    names = {call: number for number, call in enumerate(CALLS)}
    by_name = {CALLS[number].function: number for number in names.values() if CALLS[number].takes < 2}
    first = [by_name[name] for name in ("Initial", "Find", "Relate", "Verify")]
    second = [by_name[name] for name in ("Initial", "Find", "Verify")]
    plan = planned([first, second])
    assert [(CALLS[group.call].function, group.rows) for group in plan.groups] == [
        ("Find", (0, 1)), ("Relate", (0,)), ("Verify", (1,)), ("Verify", (0,)),
    ]  # fmt: skip
    assert plan.groups[0].inputs == ((0, 1),)  # Initial of each question
    at_once = planned([first, second], at_once=True)
    assert [CALLS[group.call].function for group in at_once.groups] == ["Find", "Relate", "Verify"]


def test_programs_teach_and_are_not_looked_at_when_it_answers() -> None:
    examples = drawn(12)
    network, batch = tiny_network(CS), batch_for(CS, examples)
    without = replace(batch, programs=())
    torch.testing.assert_close(scores_of(network, batch).logits, scores_of(network, without).logits)
    assert float(scores_of(network, batch).extra.sum()) > 0
    assert float(scores_of(network, without).extra.sum()) == 0
    some = replace(batch, programs=(None, *batch.programs[1:]))
    losses = scores_of(network, some).extra
    assert losses.shape == (12,)
    assert losses[0] == 0
    assert bool((losses[1:] > 0).all())
    assert torch.isfinite(training_loss(network, some))


def test_the_whole_picture_is_never_pointed_to() -> None:
    for entry in (CS, GT):
        glimpses = scores_of(tiny_network(entry), batch_for(entry, drawn(8))).attention["glimpses"]
        assert glimpses.shape[:3] == (8, 1, 1)
        assert not glimpses[..., 0].any()
        torch.testing.assert_close(glimpses.sum(dim=-1), torch.ones(8, 1, 1))


def test_modules_that_are_given_what_is_true_need_a_program() -> None:
    network, batch = tiny_network(GT), batch_for(GT, drawn(4))
    with pytest.raises(InputError, match="given every question's program, and some have none"):
        network(replace(batch, programs=()))
    untold = tuple(
        None if program is None else Program(tuple(replace_output(program))) for program in batch.programs
    )
    with pytest.raises(InputError, match="does not say what it gives"):
        network(replace(batch, programs=untold))


def replace_output(program: Program) -> list[object]:
    from msgspec import structs

    return [structs.replace(step, output=None) for step in program.steps]


def test_each_call_is_judged_by_what_it_should_give() -> None:
    network, batch = tiny_network(GT), batch_for(GT, drawn(6))
    assert isinstance(network, NMNCSGT)
    outcomes = list(network.eval().outcomes(batch))
    laid = [laid_out(program) for program in batch.programs if program is not None]
    giving = [
        one for row in laid for one in row if not CALLS[one.call].ends and one.step.function != "Initial"
    ]
    assert len(outcomes) == len(giving)
    for outcome in outcomes:
        own = [one.step.output for one in laid[outcome.row] if one.step.function == outcome.function]
        assert tuple(place + 1 for place in sorted(outcome.true)) in own
    ends = [CALLS[row[-1].call].function for row in laid]
    assert len(network.recognised(batch)) == ends.count("Recognition")


def test_the_table_of_modules() -> None:
    outcomes = [
        Outcome(0, "Find", frozenset({1, 2}), frozenset({2, 3})),
        Outcome(0, "Find", frozenset(), frozenset()),
        Outcome(1, "Relate_Reverse", frozenset({1}), frozenset()),
    ]
    assert overlap(outcomes[0]) == pytest.approx(1 / 3)
    assert table(outcomes, [True, False]) == [
        ModuleScore("Find", pytest.approx(2 / 3), 2),
        ModuleScore("Relate", 0.0, 1),
        ModuleScore("Recognition", 0.5, 2),
    ]


def test_layouts_are_right_by_hand_however_a_program_orders_what_it_joins() -> None:
    """Said of a red cup first and then of what is on the table; the program has them the other way round."""
    joined = read(
        '[0] Initial(); [1] Find([0], "table"); [2] Relate_Reverse([1], "on"); [3] Find([0], "cup", "red"); '
        "[4] And([2], [3]); [5] Verify([4])"
    )
    plain = read('[0] Initial(); [1] Find([0], "dog"); [2] Verify([1])')

    def example(text: str, program: Program) -> Example:
        texts = {"question": TaggedText.plain(text)}
        ask = Ask("q", "answer", (Scene("a"),), texts, "grounded", (), Grounded("yes", None), (), program)
        return example_of(ask, kept="all", named=True)

    examples = [example("is there a red cup on the table ?", joined), example("is there a dog ?", plain)]
    both = [numbered("Initial Find Initial Find Relate_Reverse And Verify"), numbered("Initial Find Verify")]
    assert layouts_right(examples, both) == ReadRight(1.0, 1.0, 0.0, 2)
    other = [numbered("Initial Find Relate_Reverse Initial Find And Verify"), numbered("Initial Verify")]
    # of 7 calls 4 stand where they should (1, 2, 6, 7), of 3 one (Initial)
    assert layouts_right(examples, other) == ReadRight(5 / 10, 0.0, 0.0, 2)
    longer = [both[0], numbered("Initial Find Find Verify")]
    assert layouts_right(examples, longer) == ReadRight(9 / 11, 0.5, 0.0, 2)


def numbered(names: str) -> list[int]:
    by_name = {CALLS[number].function: number for number in range(len(CALLS)) if CALLS[number].takes < 2}
    by_name["And"] = next(number for number, call in enumerate(CALLS) if call.function == "And")
    return [by_name[name] for name in names.split()]


def test_layouts_of_all_questions_are_judged_each_by_its_own() -> None:
    """Questions are read in the order of their lengths, and told in their own."""
    network = tiny_network(CS)
    assert isinstance(network, NMNCS)
    examples = given_to(CS, drawn(24, words=(2, 9)))
    reading = reading_for(CS)
    said = [list(layouts_of(network.eval(), reading.batch([one]))[0]) for one in examples]
    scores = layout_scores(network, Source(examples, reading), Team("cpu"))
    assert scores == layouts_right(examples, said)
    assert scores.questions == 24


def test_answers_are_as_many_as_training_has() -> None:
    network = tiny_network(CS)
    assert isinstance(network, NMNCS)
    assert network.functions["Verify"].tell.out_features == len(ANSWERS)
