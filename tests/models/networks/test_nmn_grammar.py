"""Modules over drawings by hand: chances of numbers, panels and truths; layouts of a batch run at once."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
import torch
from making import drawn_form
from torch import Generator, Tensor, nn

from commonsight.core.layout import Layout
from commonsight.graph.shapes.functions import FUNCTIONS
from commonsight.graph.shapes.layouts import PLAIN, called, written
from commonsight.models.features.batch import Seen
from commonsight.models.libraries import seeded
from commonsight.models.networks.nmn_grammar.counting import (
    FAR,
    MOST,
    Compare,
    Group,
    Hold,
    Rank,
    largest_of,
    numbers_of,
)
from commonsight.models.networks.nmn_grammar.execute import KIND_OF, execute, modules
from commonsight.models.networks.nmn_grammar.modules import Everything, Join, Pick, Relate, Together
from commonsight.models.networks.nmn_grammar.network import DRAWN
from commonsight.models.networks.nmn_grammar.scene import Look, Sight

HIDDEN, RELATED, PANELS = 6, 5, 3
SURE = 20.0


def some(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=Generator().manual_seed(seed))


def sight(*pictures: tuple[int, ...]) -> Sight:
    """Of each picture the panel of every object; all pictures have as many objects."""
    panel = torch.tensor(pictures)
    inside = (panel[:, None] == torch.arange(PANELS)[:, None]).float()
    objects = panel.shape[1]
    beside = (inside.transpose(1, 2) @ inside) * (1 - torch.eye(objects))
    count = len(pictures)
    return Sight(
        torch.ones(count, objects),
        inside,
        some(count, objects, HIDDEN),
        some(count, objects, objects, RELATED, seed=1),
        beside,
    )


def call(function: str, seen: Sight, *inputs: Tensor, words: tuple[str, ...] = ()) -> Together:
    """One call for each picture."""
    rows = torch.arange(len(seen.there))
    return Together(function, (words,) * len(rows), rows, seen, inputs)


def toolbox(seed: int = 0) -> nn.ModuleDict:
    with seeded(seed):
        return modules(HIDDEN, RELATED)


def layouts(count: int) -> list[Layout]:
    rng = np.random.default_rng(0)
    return [written(drawn_form("truth", rng, 3)) for _ in range(count)]


# Numbers


def test_how_many_there_are_is_a_chance_for_each_number() -> None:
    chances = torch.tensor([0.5, 0.25, 1.0])
    found = numbers_of(chances)
    expected = torch.zeros(MOST + 1)
    for there in product((0, 1), repeat=3):
        likely = torch.where(torch.tensor(there).bool(), chances, 1 - chances).prod()
        expected[sum(there)] += likely
    torch.testing.assert_close(found, expected)
    many = numbers_of(torch.ones(2, MOST + 3))
    torch.testing.assert_close(many, torch.eye(MOST + 1)[[MOST, MOST]])


def test_how_many_are_in_the_largest_group() -> None:
    groups = torch.stack([torch.tensor([0.2, 0.5, 0.3]), torch.tensor([0.6, 0.4, 0.0])])
    expected = torch.zeros(3)
    for one, other in product(range(3), repeat=2):
        expected[max(one, other)] += groups[0, one] * groups[1, other]
    torch.testing.assert_close(largest_of(groups), expected)


def test_an_amount_is_compared_with_a_number_by_what_was_learned_of_their_difference() -> None:
    compare = Compare()
    with torch.no_grad():  # `==`: up to one less is unlikely, as many are likely, from one more on unlikely
        steps = compare.steps.weight[compare.keys.index("==")]
        steps.zero_()
        steps[0], steps[FAR], steps[FAR + 1] = -SURE, 2 * SURE, -2 * SURE
    seen = sight((0, 0, 1))
    chances = torch.tensor([[1.0, 1.0, 1.0]])
    for number in range(5):
        whole = compare(call("count", seen, chances, words=("==", str(number))))
        torch.testing.assert_close(whole, torch.tensor([float(number == 3)]))
        panels = compare(call("has", seen, chances, words=("==", str(number))))
        torch.testing.assert_close(panels, torch.tensor([[float(number == n) for n in (2, 1, 0)]]))


def test_an_amount_begins_likely_once_the_number_is_reached() -> None:
    seen, chances = sight((0, 1, 2)), torch.tensor([[1.0, 1.0, 0.0]])
    asked = [Compare()(call("count", seen, chances, words=(">=", str(number)))) for number in range(1, 5)]
    likely = torch.cat(asked).tolist()
    assert likely[0] == likely[1] > 0.9
    assert likely[2] == likely[3] < 0.1


def test_two_amounts_are_compared_panel_by_panel() -> None:
    compare = Compare()
    with torch.no_grad():
        steps = compare.steps.weight[compare.keys.index("more")]
        steps.zero_()
        steps[0], steps[FAR + 1] = -SURE, 2 * SURE
    seen = sight((0, 0, 1, 2))
    first, second = torch.tensor([[1.0, 1, 1, 0]]), torch.tensor([[1.0, 0, 1, 1]])
    found = compare(call("more", seen, first, second))
    torch.testing.assert_close(found, torch.tensor([[1.0, 0, 0]]))


# What holds


@pytest.mark.parametrize("function", ["all", "every"])
def test_what_holds_of_all_looks_at_whether_any_do_and_all_do(function: str) -> None:
    hold = Hold()
    with torch.no_grad():  # true if there are some, and all of them are
        hold.tables.weight[:] = torch.tensor([SURE, -SURE, -SURE, -SURE])
    seen = sight((0, 1, 2))
    whole = torch.tensor([[1.0, 1, 0]])
    for second, expected in (([1.0, 1, 0], 1.0), ([1.0, 0, 1], 0.0), ([0.0, 0, 1], 0.0)):
        found = hold(call(function, seen, whole, torch.tensor([second])))
        torch.testing.assert_close(found, torch.tensor([expected]))
    nothing = hold(call(function, seen, torch.zeros(1, 3), whole))
    torch.testing.assert_close(nothing, torch.tensor([0.0]))


def test_only_is_said_of_all_that_a_panel_holds() -> None:
    hold = Hold()
    with torch.no_grad():
        hold.tables.weight[:] = torch.tensor([SURE, -SURE, -SURE, -SURE])
    found = hold(call("only", sight((0, 0, 1, 1)), torch.tensor([[1.0, 1, 1, 0]])))
    torch.testing.assert_close(found, torch.tensor([[1.0, 0, 0]]))


def test_two_chances_are_joined_by_a_table_at_every_place() -> None:
    join = Join()
    with torch.no_grad():
        join.tables.weight[join.functions.index("except")] = torch.tensor([-SURE, SURE, -SURE, -SURE])
    seen = sight((0, 1, 2))
    found = join(call("except", seen, torch.tensor([[1.0, 1, 0]]), torch.tensor([[1.0, 0.25, 1]])))
    torch.testing.assert_close(found, torch.tensor([[0.0, 0.75, 0]]))
    untaught = join(call("and", seen, torch.tensor([1.0]), torch.tensor([1.0])))
    assert untaught.item() > 0.8
    assert join(call("or", seen, torch.zeros(1), torch.zeros(1))).item() < 0.2


def test_objects_inside_panels_have_the_chance_of_their_panel() -> None:
    join = Join()
    with torch.no_grad():
        join.tables.weight[join.functions.index("inside")] = torch.tensor([SURE, -SURE, -SURE, -SURE])
    panels, objects = torch.tensor([[0.5, 0.0, 1.0]]), torch.tensor([[1.0, 1.0, 1.0, 0.0]])
    found = join(call("inside", sight((0, 1, 2, 2)), panels, objects))
    torch.testing.assert_close(found, torch.tensor([[0.5, 0.0, 1.0, 0.0]]))


# Objects


def test_everything_is_all_objects_or_all_panels() -> None:
    seen = sight((0, 1, 1, 2))._replace(there=torch.tensor([[1.0, 1, 0, 0]]))
    everything = Everything()
    assert torch.equal(everything(call("objects", seen)), seen.there)
    assert torch.equal(everything(call("boxes", seen)), torch.ones(1, PANELS))


def test_a_word_weighs_what_is_seen_of_each_object_that_comes_in() -> None:
    pick, seen = Pick(HIDDEN), sight((0, 1, 2))
    came = torch.tensor([[1.0, 0.5, 0.0]])
    found = pick(call("colour", seen, came, words=("yellow",)))
    at = pick.keys.index("colour yellow")
    for place in range(3):
        score = seen.things[0, place] @ pick.said.weight[at] + pick.bias.weight[at, 0]
        torch.testing.assert_close(found[0, place], came[0, place] * score.sigmoid())
    assert torch.equal(
        pick(call("level", seen, came, words=("30",))), pick(call("level", seen, came, words=("9",)))
    )


def test_an_object_is_related_to_any_of_others_in_its_own_panel() -> None:
    relate, seen = Relate(RELATED), sight((0, 0, 1))
    with torch.no_grad():
        relate.said.weight.zero_()
        relate.bias.weight.fill_(SURE)  # all pairs are related, as long as they are in one panel
    everything = torch.ones(1, 3)
    found = relate(call("relate", seen, everything, everything, words=("on",)))
    torch.testing.assert_close(found, torch.tensor([[1.0, 1, 0]]))
    second = torch.tensor([[0.5, 0, 1]])
    found = relate(call("relate", seen, everything, second, words=("on",)))
    torch.testing.assert_close(found, torch.tensor([[0.0, 0.5, 0]]))


def test_panels_hold_their_own_by_how_much_is_in_them() -> None:
    rank = Rank()
    with torch.no_grad():  # at least as many as another
        rank.steps.weight.zero_()
        rank.steps.weight[:, 0], rank.steps.weight[:, FAR] = -SURE, 2 * SURE
    found = rank(call("tallest", sight((0, 0, 1, 2, 2)), torch.ones(1, PANELS)))
    torch.testing.assert_close(found, torch.tensor([[1.0, 0, 1]]))
    others = rank(call("tallest", sight((0, 0, 1, 2, 2)), torch.tensor([[0.0, 1, 0]])))
    torch.testing.assert_close(others, torch.tensor([[0.0, 1, 0]]))  # of those that are not meant it is


@pytest.mark.parametrize(("largest", "counted"), [(-SURE, 2), (SURE, 3)])
def test_groups_are_counted_or_the_largest_is(largest: float, counted: int) -> None:
    compare = Compare()
    with torch.no_grad():
        steps = compare.steps.weight[compare.keys.index("==")]
        steps.zero_()
        steps[0], steps[FAR], steps[FAR + 1] = -SURE, 2 * SURE, -2 * SURE
    with seeded(0):
        group = Group(HIDDEN, compare)
    with torch.no_grad():
        group.largest.weight.fill_(largest)
        belongs = torch.zeros(HIDDEN, group.groups)
        belongs[0, 0], belongs[1, 1] = SURE, SURE
        group.belongs.weight[group.keys.index("all-hues")] = belongs.flatten()
    seen = sight((0, 0, 1, 2))
    things = torch.zeros(1, 4, HIDDEN)
    things[0, :3, 0] = things[0, 3, 1] = 1.0  # three of one kind, one of another
    seen = seen._replace(things=things)
    for number in range(5):
        found = group(call("all-hues", seen, torch.ones(1, 4), words=("==", str(number))))
        torch.testing.assert_close(found, torch.tensor([float(number == counted)]))


# What is seen


def test_an_object_is_where_it_is_in_its_own_panel() -> None:
    look = Look(4, panels=DRAWN, hidden=HIDDEN, related=RELATED, dropout=0.0)
    boxes = torch.tensor([[[0, 0, 1, 1], [0, 0, 0.1, 0.5], [0.375, 0.1, 0.5, 0.2], [0.9, 0.5, 1, 1.0]]])
    found = look._own(boxes, look._panel(boxes))
    torch.testing.assert_close(found[0, 1], torch.tensor([0.0, 0, 0.4, 0.5]))
    torch.testing.assert_close(found[0, 2], torch.tensor([0.0, 0.1, 0.5, 0.2]))
    torch.testing.assert_close(found[0, 3], torch.tensor([0.6, 0.5, 1.0, 1.0]))


def test_the_picture_as_a_whole_is_no_object_and_padding_is_none() -> None:
    look = Look(4, panels=DRAWN, hidden=HIDDEN, related=RELATED, dropout=0.0)
    boxes = torch.rand(1, 4, 4, generator=Generator().manual_seed(0)).sort(dim=-1).values
    mask = torch.tensor([[True, True, True, False]])
    seen = Seen(mask, boxes, torch.zeros(1, 4, dtype=torch.long))
    found = look(seen, some(1, 4, 4))
    assert found.there.tolist() == [[0.0, 1.0, 1.0, 0.0]]
    assert not found.inside[0, :, [0, 3]].any()
    assert not found.beside[0, [0, 3]].any()


# All of it


def test_every_function_has_a_module_and_every_module_is_asked() -> None:
    assert KIND_OF.keys() == FUNCTIONS.keys()
    assert set(KIND_OF.values()) == set(toolbox())
    asked = {call.function for layout in layouts(600) for call in called(layout)}
    assert asked == FUNCTIONS.keys()


def test_layouts_of_a_batch_are_run_at_once_and_come_to_the_same() -> None:
    several = [PLAIN, *layouts(300)]
    seen = sight(*(tuple(np.random.default_rng(n).integers(0, PANELS, 5)) for n in range(len(several))))
    box = toolbox()
    together = execute(box, several, seen)
    assert ((together.truths >= 0) & (together.truths <= 1)).all()
    for row, layout in enumerate(several):
        one = execute(box, [layout], Sight(*(part[row : row + 1] for part in seen)))
        torch.testing.assert_close(together.truths[row], one.truths[0])
        torch.testing.assert_close(together.meant[row], one.meant[0])


def test_calls_of_one_function_that_wait_for_nothing_are_one() -> None:
    box, calls = toolbox(), Counter[str]()
    for name, module in box.items():
        module.register_forward_hook(lambda *_, name=name: calls.update([name]))
    layout = ("objects", "colour yellow", "count >= 1", "objects", "kind circle", "count == 2", "and")
    other = ("objects", "colour blue", "count < 3", "objects", "colour black", "count > 1", "and")
    execute(box, [layout, other] * 8, sight(*[(0, 1, 2)] * 16))
    assert calls == {"everything": 1, "pick": 2, "compare": 1, "join": 1}  # colours, and kinds


def test_what_is_meant_is_what_the_last_call_for_objects_gave() -> None:
    box, seen = toolbox(), sight((0, 1, 2), (0, 0, 0))
    run = execute(box, [("objects", "colour yellow", "count >= 1"), ("boxes", "count-boxes == 3")], seen)
    everything = torch.ones(2, 3)
    picked = box["pick"](call("colour", seen, everything, words=("yellow",)))
    torch.testing.assert_close(run.meant[0], picked[0])
    torch.testing.assert_close(run.meant[1], seen.there[1])
