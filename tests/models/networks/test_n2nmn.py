"""N2NMN by hand: its modules, layouts of a batch run at once, and a policy that is searched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
import torch
from making import DIM, batch_for, drawn, drawn_layout, scores_of, tiny_network
from torch import Generator, Tensor, nn
from torch.nn.functional import conv2d, cross_entropy, normalize

from commonsight.core.layout import MODULES, NUMBERS, PLAIN, arranged, fault
from commonsight.models.catalogue import find
from commonsight.models.libraries import seeded
from commonsight.models.networks.n2nmn.execute import execute
from commonsight.models.networks.n2nmn.modules import EVERYWHERE, TILE, Call, Sight, modules
from commonsight.models.networks.n2nmn.network import N2NMN, Sizes, looked_at, shown
from commonsight.models.networks.n2nmn.policy import LayoutPolicy, Written
from commonsight.models.words import LearnedVectors

TEXT, ANSWERS, HEIGHT, WIDTH, BATCH = 5, 3, 4, 6, 7
PLACES = HEIGHT * WIDTH
NAMES = tuple(module.name for module in MODULES)


def toolbox(*, reads: bool = False, grid: tuple[int, int] = (HEIGHT, WIDTH)) -> nn.ModuleDict:
    with seeded(0):
        return modules(DIM, TEXT, ANSWERS, width=8, kernel=3, grid=grid, reads=reads)


def some(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=Generator().manual_seed(seed))


def call(maps: int) -> Call:
    """Two calls for one question, one for another, and none for the rest."""
    taken = tuple(some(3, PLACES, seed=10 + number) for number in range(maps))
    sight = Sight(some(BATCH, DIM, PLACES), (HEIGHT, WIDTH))
    rows, slots = torch.tensor([0, 2, 2]), torch.tensor([0, 0, 1])
    return Call(sight, rows, slots, some(3, TEXT, seed=1), taken, 2)


# Modules


def test_scene_is_everywhere() -> None:
    assert torch.equal(toolbox()["scene"](call(0)), torch.full((3, PLACES), EVERYWHERE))


def test_find_weighs_the_product_of_seen_and_said() -> None:
    find_, given = toolbox()["find"], call(0)
    found = find_(given)
    for number, row in enumerate(given.rows.tolist()):
        for place in range(PLACES):
            product = find_.image(given.sight.places[row, :, place]) * find_.text(given.text[number])
            expected = find_.weigh(product / product.norm())
            torch.testing.assert_close(found[number, place], expected[0])


def test_filter_is_find_and_and() -> None:
    box, given = toolbox(), call(1)
    found = torch.minimum(given.maps[0], box["find"](given._replace(maps=())))
    torch.testing.assert_close(box["filter"](given), found)
    assert not list(box["filter"].parameters())


def test_find_same_is_told_what_is_seen_through_a_map() -> None:
    same, given = toolbox()["find_same"], call(1)
    found = same(given)
    for number, row in enumerate(given.rows.tolist()):
        shares = given.maps[0][number].softmax(dim=0)
        like = same.like(sum(shares[place] * given.sight.places[row, :, place] for place in range(PLACES)))
        product = same.image(given.sight.places[row].T) * same.text(given.text[number]) * like
        torch.testing.assert_close(found[number], same.weigh(normalize(product, dim=1)).squeeze(1))


def test_transform_looks_around() -> None:
    moved, given = toolbox()["transform"], call(1)
    kernels = moved.around.weight.reshape(-1, 1, 3, 3)
    around = conv2d(given.maps[0].reshape(3, 1, HEIGHT, WIDTH), kernels, moved.around.bias, padding=1)
    product = around.flatten(2) * moved.text(given.text)[..., None]
    expected = moved.weigh(normalize(product, dim=1).transpose(1, 2)).squeeze(-1)
    torch.testing.assert_close(moved(given), expected)


def test_and_is_the_lesser_and_or_the_greater() -> None:
    box, given = toolbox(), call(2)
    assert torch.equal(box["and"](given), torch.minimum(*given.maps))
    assert torch.equal(box["or"](given), torch.maximum(*given.maps))


def test_exist_and_count_judge_maps_alone_as_published() -> None:
    box, one, two = toolbox(), call(1), call(2)
    found = one.maps[0]
    ends = torch.stack((found.amin(1), found.mean(1), found.amax(1)), dim=1)
    torch.testing.assert_close(box["exist"](one), box["exist"].judge.features(ends))
    parts = ((each, each.amin(1, keepdim=True), each.amax(1, keepdim=True)) for each in two.maps)
    told = torch.cat([part for several in parts for part in several], dim=1)
    torch.testing.assert_close(box["count"](one), box["count"].judge.features(told[:, : PLACES + 2]))
    for name in ("equal_num", "more_num", "less_num"):
        torch.testing.assert_close(box[name](two), box[name].judge.features(told))
        assert torch.equal(box[name](two), box[name](two._replace(text=two.text + 1)))


def test_what_is_said_counts_where_it_is_read() -> None:
    box, given = toolbox(reads=True, grid=(2, 2)), call(1)
    for name in ("exist", "count"):
        assert not torch.allclose(box[name](given), box[name](given._replace(text=given.text + 1)))


@pytest.mark.parametrize(("name", "maps"), [("describe", 1), ("same_property", 2)])
def test_describe_multiplies_what_is_seen_through_each_map(name: str, maps: int) -> None:
    module, given = toolbox()[name], call(maps)
    met = module.text(given.text)
    for number in range(maps):
        shares = given.maps[number].softmax(dim=1)
        met = met * module.seen[number](torch.einsum("np,ndp->nd", shares, given.sight.places[given.rows]))
    torch.testing.assert_close(module(given), module.answer(normalize(met, dim=1)))


def test_canvases_are_projected_once_for_all_calls() -> None:
    box, given = toolbox(), call(1)
    for name in ("find", "filter", "find"):
        box[name](given)
    assert list(given.sight._made) == [box["find"].image]


def test_few_calls_look_at_few_canvases() -> None:
    given = call(1)
    few = given.narrowed()
    assert few.sight.places.shape[0] == 2
    torch.testing.assert_close(few.sight.places[few.rows], given.sight.places[given.rows])
    all_ = given._replace(sight=Sight(given.sight.places[:3], given.sight.shape))
    assert all_.narrowed() is all_


# Layouts of a batch


def alone(box: nn.ModuleDict, layout: Sequence[int], text: Tensor, seen: Tensor) -> Tensor:
    """One question's answer, module by module: (answer)."""
    sight, first = Sight(seen.flatten(1)[None], (seen.shape[1], seen.shape[2])), torch.tensor([0])
    found: list[Tensor] = []
    for at, place in enumerate(arranged(layout)):
        taken = tuple(found[one] for one in place.inputs)
        given = Call(sight, first, first, text[at][None], taken)
        found.append(box[NAMES[place.module]](given))
    return found[-1][0]


@pytest.mark.parametrize("learning", [True, False])
def test_layouts_of_a_batch_are_run_at_once_and_come_to_the_same(learning: bool) -> None:
    box = toolbox(reads=True).requires_grad_(learning)
    layouts = [[NUMBERS[name] for name in drawn_layout(str(item))] for item in range(40)]
    assert len({tuple(layout) for layout in layouts}) > 20
    text, seen = some(40, 10, TEXT), some(40, DIM, HEIGHT, WIDTH, seed=1)
    assert len(layouts) > 2 * TILE
    with torch.set_grad_enabled(learning):
        together = execute(box, layouts, text, seen)
    for row, layout in enumerate(layouts):
        one = alone(box, layout, text[row], seen[row])
        torch.testing.assert_close(together.answers[row], one, rtol=1e-5, atol=1e-5)


def test_what_answers_are_made_of_is_told_last_come_last() -> None:
    box, text, seen = toolbox(), some(3, 5, TEXT), some(3, DIM, HEIGHT, WIDTH)
    two = ("find", "find", "and", "scene", "equal_num")
    written = (("find", "scene", "more_num"), ("scene", "exist"), two)
    layouts = [[NUMBERS[name] for name in layout] for layout in written]
    run = execute(box, layouts, text, seen)
    looks = looked_at(run)
    everywhere = torch.full((PLACES,), 1 / PLACES)
    assert looks.shape == (3, 1, 2, PLACES)
    for row in range(3):
        torch.testing.assert_close(looks[row, 0, 1], everywhere)
    assert not looks[1, 0, 0].any()
    found = torch.minimum(*(alone_map(box, text[2, at], seen[2]) for at in range(2)))
    torch.testing.assert_close(looks[2, 0, 0], found.softmax(dim=0))
    assert looked_at(execute(box, layouts[1:2], text, seen)).shape == (1, 1, 1, PLACES)


def alone_map(box: nn.ModuleDict, text: Tensor, seen: Tensor) -> Tensor:
    """What `find` finds: (place)."""
    sight, first = Sight(seen.flatten(1)[None], (HEIGHT, WIDTH)), torch.tensor([0])
    found: Tensor = box["find"](Call(sight, first, first, text[None], ()))
    return found[0]


def test_gradients_are_those_of_one_by_one() -> None:
    layouts = [[NUMBERS[name] for name in drawn_layout(str(item))] for item in range(12)]
    text, seen = some(12, 10, TEXT), some(12, DIM, HEIGHT, WIDTH, seed=1)
    found = []
    for way in ("together", "alone"):
        box = toolbox(reads=True)
        if way == "together":
            answers = execute(box, layouts, text, seen).answers
        else:
            each = zip(layouts, text, seen, strict=True)
            answers = torch.stack([alone(box, *question) for question in each])
        answers.square().sum().backward()
        found.append({name: weight.grad for name, weight in box.named_parameters()})
    for name, gradient in found[0].items():
        torch.testing.assert_close(gradient, found[1][name], rtol=1e-4, atol=1e-5)


def test_each_module_is_called_once_for_each_height() -> None:
    box, calls = toolbox(), Counter[str]()
    for name, module in box.items():
        module.register_forward_hook(lambda *_, name=name: calls.update([name]))
    layout = [NUMBERS[name] for name in ("find", "find", "transform", "and", "exist")]
    execute(box, [layout] * 16, some(16, 5, TEXT), some(16, DIM, HEIGHT, WIDTH))
    assert calls == {"find": 1, "transform": 1, "and": 1, "exist": 1}


# The policy


def policy(longest: int = 3, *, seed: int = 0, spread: float = 1.0) -> LayoutPolicy:
    with seeded(seed):
        made = LayoutPolicy(TEXT, hidden=6, layers=2, embedded=4, longest=longest, dropout=0.0)
        nn.init.normal_(made.choose.weight, std=spread)
    return made


def every(longest: int) -> list[list[int]]:
    """All layouts of so many modules at most."""
    done, open_ = [], [[number] for number in range(len(MODULES))]
    while open_:
        layout = open_.pop()
        if fault([NAMES[one] for one in layout], longest) is None:
            done.append(layout)
        elif len(layout) < longest:
            open_ += [[*layout, number] for number in range(len(MODULES))]
    return done


def chances(made: LayoutPolicy, layouts: list[list[int]], vectors: Tensor) -> Written:
    """One question with each layout given."""
    several = len(layouts)
    lengths = torch.full((several,), vectors.shape[0])
    written: Written = made(vectors.expand(several, -1, -1), lengths, given=layouts)
    return written


def test_chances_of_all_layouts_add_up_to_one() -> None:
    layouts = every(3)
    assert len(layouts) == 2 * 3 + 2 * 3 * 3 + 4 * 4
    written = chances(policy(), layouts, some(4, TEXT))
    assert [list(one) for one in written.layouts] == layouts
    torch.testing.assert_close(written.log_chance.exp().sum(), torch.tensor(1.0))


def test_entropy_is_what_is_expected_of_each_step() -> None:
    """By the chain rule, what the steps of each layout have, as likely as it is, is that of all layouts."""
    written = chances(policy(), every(3), some(4, TEXT))
    chance = written.log_chance.exp()
    torch.testing.assert_close(
        (chance * written.entropy).sum(), -(chance * written.log_chance).sum(), rtol=1e-4, atol=1e-5
    )


def test_layouts_are_drawn_as_likely_as_they_are() -> None:
    made, vectors, count = policy(2), some(4, TEXT), 4000
    layouts = every(2)
    expected = chances(made, layouts, vectors).log_chance.exp().tolist()
    lengths = torch.full((count,), 4)
    drawn_ = made(
        vectors.expand(count, -1, -1), lengths, sampled=True, generator=Generator().manual_seed(1)
    )
    counted = Counter(drawn_.layouts)
    for layout, chance in zip(layouts, expected, strict=True):
        deviation = (count * chance * (1 - chance)) ** 0.5
        assert abs(counted[tuple(layout)] - count * chance) < 4 * deviation + 1


def test_whatever_is_drawn_is_well_formed() -> None:
    for seed in range(5):
        made = policy(10, seed=seed, spread=20.0)  # of strong opinions
        vectors, lengths = some(200, 6, TEXT, seed=seed), torch.randint(1, 7, (200,))
        chance = Generator().manual_seed(seed)
        for written in (made(vectors, lengths, sampled=True, generator=chance), made(vectors, lengths)):
            assert all(fault([NAMES[one] for one in layout], 10) is None for layout in written.layouts)


def test_without_chance_the_likeliest_module_is_written() -> None:
    made, vectors = policy(3), some(4, TEXT)
    written = made(vectors[None], torch.tensor([4]))
    likeliest: list[int] = []
    while not likeliest or not MODULES[likeliest[-1]].answers:
        ways = [layout for layout in every(3) if layout[: len(likeliest)] == likeliest]
        log = chances(made, ways, vectors).log_chance
        by_next: dict[int, float] = {}
        for layout, one in zip(ways, log.exp().tolist(), strict=True):
            step = layout[len(likeliest)]
            by_next[step] = by_next.get(step, 0.0) + one
        likeliest.append(max(by_next, key=lambda number: by_next[number]))
    assert list(written.layouts[0]) == likeliest


def test_drawing_needs_a_generator() -> None:
    with pytest.raises(ValueError, match="drawn from a generator"):
        policy()(some(1, 4, TEXT), torch.tensor([4]), sampled=True)


# Search


def searching(*, entropy: float = 0.0, longest: int = 2) -> N2NMN:
    sizes = Sizes(
        hidden=6, layers=1, embedded=4, width=8, kernel=3, grid=(2, 2), reads=False, longest=longest
    )
    with seeded(0):
        words, canvas = LearnedVectors(9, TEXT), nn.Identity()
        canvas.dim = DIM  # type: ignore[assignment]
        return N2NMN(words, canvas, answers=ANSWERS, sizes=sizes, learning="search", entropy=entropy)  # type: ignore[arg-type]


@pytest.mark.parametrize("entropy", [0.0, 0.3])
def test_the_expected_gradient_is_that_of_the_expected_loss(entropy: float) -> None:
    """Over all layouts there are, each as likely as the policy has it; what is expected cancels out."""
    network, vectors = searching(entropy=entropy), some(4, TEXT)
    layouts, own = every(2), list(network.policy.parameters())
    gold = torch.ones(len(layouts), dtype=torch.long)
    answers = some(len(layouts), ANSWERS, seed=3)
    written = chances(network.policy, layouts, vectors)
    chance = written.log_chance.exp()
    lost = cross_entropy(answers, gold, reduction="none")
    exact = (chance * lost).sum() + entropy * (chance * written.log_chance).sum()
    wanted = torch.autograd.grad(exact, own, retain_graph=True, allow_unused=True)
    extra = network._searched(written, answers, gold)
    # An entropy of steps is added up along the way, and its own gradient is half of the story: the other
    # half is that layouts become likelier whose steps are undecided. It is left out, as the authors do.
    left_out = -entropy * (chance * written.entropy.detach()).sum()
    both = (chance.detach() * extra).sum() + left_out
    found = torch.autograd.grad(both, own, allow_unused=True)
    for one, other in zip(found, wanted, strict=True):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-6)


def test_what_is_expected_is_learned_and_moves_nothing_else() -> None:
    network = searching()
    written = chances(network.policy, every(2), some(4, TEXT))
    gold, answers = torch.zeros(len(written.layouts), dtype=torch.long), torch.zeros(6, ANSWERS)
    assert network.expected is not None
    nn.init.zeros_(network.expected.weight)
    extra = network._searched(written, answers, gold)  # all lose log 3, and so much is expected at first
    torch.testing.assert_close(extra, torch.zeros(6))
    with torch.no_grad():
        network.expected.bias += 0.5
    off = network._searched(written, answers, gold)
    torch.testing.assert_close(off, 0.25 - 0.5 * written.log_chance)


def test_search_finds_the_layout_that_answers() -> None:
    network, vectors = searching(), some(4, TEXT)
    optimiser, chance = torch.optim.Adam(network.parameters(), lr=0.03), Generator().manual_seed(0)
    wanted, count = (NUMBERS["find"], NUMBERS["count"]), 32
    gold = torch.zeros(count, dtype=torch.long)
    given, lengths = vectors.expand(count, -1, -1), torch.full((count,), 4)
    for _ in range(80):
        written = network.policy(given, lengths, sampled=True, generator=chance)
        right = torch.tensor([[4.0 * (layout == wanted), 0.0, 0.0] for layout in written.layouts])
        optimiser.zero_grad()
        network._searched(written, right, gold).mean().backward()
        optimiser.step()
    assert network.policy(vectors[None], torch.tensor([4])).layouts == (wanted,)


# The network


@pytest.mark.parametrize("name", ["n2nmn-cloning", "n2nmn-tune", "n2nmn-rl"])
def test_patience_is_the_papers_and_grows(name: str) -> None:
    recipe = find(name).paper.recipe
    assert (recipe.patience, recipe.growth) == (30, 1.01)


def test_layouts_that_are_not_well_formed_become_plain() -> None:
    entry = find("n2nmn-cloning")
    batch = batch_for(entry, drawn(3))
    good = ("scene", "count")
    given = replace(batch, layouts=(good, ("exist",), ()))
    plain = [NUMBERS[name] for name in PLAIN]
    assert shown(given, 10) == [[NUMBERS[name] for name in good], plain, plain]
    assert shown(replace(batch, layouts=()), 10) == [plain] * 3


def test_layouts_are_shown_in_training_alone() -> None:
    entry = find("n2nmn-cloning")
    network, batch = tiny_network(entry), batch_for(entry, drawn(6))
    assert all(batch.layouts)
    without = replace(batch, layouts=())
    assert torch.equal(scores_of(network, batch).logits, scores_of(network, without).logits)
    assert not scores_of(network, batch).extra.any()
    network.train()
    extras = [network(one, generator=Generator().manual_seed(0)).extra for one in (batch, without)]
    assert not torch.allclose(*extras)


def test_every_module_has_a_gradient_though_no_layout_has_it() -> None:
    entry = find("n2nmn-cloning")
    network, batch = tiny_network(entry).train(), batch_for(entry, drawn(4))
    plain = replace(batch, layouts=(PLAIN,) * 4)
    network(plain, generator=Generator().manual_seed(0)).logits.sum().backward()
    assert network.get_parameter("toolbox.count.judge.features.weight").grad is None
    scores = network(plain, generator=Generator().manual_seed(0))
    (scores.logits.sum() + scores.extra.sum()).backward()
    gradient = network.get_parameter("toolbox.count.judge.features.weight").grad
    assert gradient is not None
    assert not gradient.any()


@pytest.mark.parametrize("name", ["n2nmn-cloning", "n2nmn-rl"])
def test_it_tells_what_its_answer_was_made_of(name: str) -> None:
    entry = find(name)
    scores = scores_of(tiny_network(entry), batch_for(entry, drawn(5)))
    places = scores.attention["places"]
    assert places.shape[:2] == (5, 1)
    torch.testing.assert_close(places[:, 0, -1].sum(dim=-1), torch.ones(5))
