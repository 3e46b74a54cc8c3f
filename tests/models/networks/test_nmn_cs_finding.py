"""What calls should find, as their programs say, and what is lost by finding something else."""

from __future__ import annotations

import pytest
import torch
from making import batch_for, drawn, tiny_network, tiny_parts, training_loss
from msgspec import structs

from commonsight.core.program import Program, Step
from commonsight.models.catalogue import find
from commonsight.models.networks.nmn_cs.execution import Executed, Plan, Seen, planned
from commonsight.models.networks.nmn_cs.finding import Wanted, finding_loss, wanted
from commonsight.models.networks.nmn_cs.network import NMNCS
from commonsight.models.programs.layouts import Laid, laid_out

PROGRAM = Program((
    Step("Initial", None, (1, 2, 3), ()),
    Step("Find", ("cup",), (1, 3), (0,)),
    Step("Relate", ("on",), (2,), (1,)),
    Step("Recognition", ("color",), ("red",), (2,)),
))
SEEN = Seen(torch.zeros(2, 4, 5), torch.tensor([[True, True, True, False]] * 2))


def laid_and_planned(*programs: Program | None) -> tuple[list[tuple[Laid, ...] | None], Plan]:
    laid = [None if own is None else laid_out(own) for own in programs]
    calls = [one.call for one in laid_out(PROGRAM)]
    return laid, planned([calls for _ in programs])


def lost(plan: Plan, true: Wanted, scores: torch.Tensor) -> list[float]:
    executed = Executed(torch.zeros(2, 1), scores, scores, torch.zeros(2))
    return [float(one) for one in finding_loss(executed, plan, SEEN, true, weight=3.0)]


def test_objects_are_those_of_the_steps() -> None:
    true = wanted(*laid_and_planned(PROGRAM, PROGRAM), SEEN)
    assert true.known.all()
    find_rows, relate_rows = true.objects[2:4], true.objects[4:6]
    assert find_rows.tolist() == [[1, 0, 1, 0]] * 2
    assert relate_rows.tolist() == [[0, 1, 0, 0]] * 2
    assert true.objects[:2].tolist() == [[1, 1, 1, 0]] * 2


def test_nothing_is_lost_where_nobody_says() -> None:
    silent = Program(tuple(structs.replace(step, output=None) for step in PROGRAM.steps))
    laid, plan = laid_and_planned(silent, None)
    true = wanted(laid, plan, SEEN)
    assert true.known.tolist() == [True, False, False, False, False, False]
    assert lost(plan, true, torch.ones(4, 4)) == [0.0, 0.0]


def test_what_should_be_found_counts_more() -> None:
    laid, plan = laid_and_planned(PROGRAM, None)
    true = wanted(laid, plan, SEEN)
    sure = torch.where(true.objects[2:] > 0, 40.0, -40.0)
    assert lost(plan, true, sure) == pytest.approx([0.0, 0.0], abs=1e-6)
    missed, invented, padded = sure.clone(), sure.clone(), sure.clone()
    missed[0, 0], invented[0, 1], padded[0, 3] = -6.0, 6.0, 6.0
    assert lost(plan, true, missed)[0] == pytest.approx(3 * lost(plan, true, invented)[0])
    assert lost(plan, true, invented)[0] == pytest.approx(2.0, abs=0.01)
    assert lost(plan, true, padded)[0] == pytest.approx(0.0, abs=1e-6)


def test_the_small_network_is_taught_objects_and_the_published_one_is_not() -> None:
    entry = find("nmn-cs")
    batch, network = batch_for(entry, drawn(8)), tiny_network(entry)
    assert isinstance(network, NMNCS)
    taught = training_loss(network, batch)
    network.finding = 0.0
    assert training_loss(network, batch) < taught
    assert entry.paper.build(tiny_parts(entry)).finding == 0.0
