"""Every objective on drawn questions: its loss falls, its masks are as stated, and a seed repeats it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import torch
import toy_pairs as toy
from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch, Seen
from commonsight.models.libraries import seeded
from commonsight.models.networks.two_stream import TwoStream, ernie_vil_small
from commonsight.models.networks.uniter import uniter_small
from commonsight.models.networks.vl_bert import vl_bert_small
from commonsight.models.pretraining.alignment import WordRegions
from commonsight.models.pretraining.described import described, told_of_others
from commonsight.models.pretraining.image_text import ImageText, pairs
from commonsight.models.pretraining.masked_regions import RegionClasses, RegionFeatures, objects
from commonsight.models.pretraining.masked_words import MaskedWords
from commonsight.models.pretraining.masking import Marks, disguised, some
from commonsight.models.pretraining.objective import Objective, Pretraining
from commonsight.models.pretraining.scene_graph import SceneGraph
from commonsight.models.pretraining.systems import (
    ernie_vil_pretraining,
    uniter_pretraining,
    vl_bert_pretraining,
)
from commonsight.models.regions.small import SmallRegions

MARKS = Marks.of(toy.TOKENS)
CLASSES = len(toy.LABELS)

MAKERS: dict[str, Callable[[Any], nn.Module]] = {
    "masked words": lambda network: MaskedWords(network.text_dim, MARKS),
    "region features": lambda network: RegionFeatures(network.region_dim, network.regions.dim),
    "region classes": lambda network: RegionClasses(network.region_dim, network.regions.dim, CLASSES),
    "image and text": lambda network: ImageText(network.pooled_dim),
    "words and regions": lambda _: WordRegions(MARKS, weight=1.0),
    "objects": lambda network: SceneGraph("object", network.text_dim, toy.TOKENS),
    "attributes": lambda network: SceneGraph("attribute", network.text_dim, toy.TOKENS),
    "relations": lambda network: SceneGraph("relation", network.text_dim, toy.TOKENS),
}


@pytest.fixture(autouse=True)
def _one_thread_and_one_seed() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    with seeded(0):
        yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def batch() -> Batch:
    return toy.batch_of(toy.drawn(12))


def _held_out(trained: Pretraining, batch: Batch) -> float:
    with torch.no_grad():
        return float(trained.eval()(batch).extra)


@pytest.mark.parametrize("name", MAKERS)
def test_the_loss_falls(name: str, batch: Batch) -> None:
    network = toy.tiny(uniter_small, dropout=0.0)
    with seeded(1):
        objective = MAKERS[name](network)
    assert isinstance(objective, Objective)
    trained = Pretraining(network, [objective])
    before = _held_out(trained, batch)
    # Telling whose text it is takes hundreds of steps if it is another's at each; with the same draw few.
    paired = name in ("image and text", "words and regions")
    toy.trained(trained, batch, steps=30, rate=1e-3 if paired else 3e-3, same=paired)
    after = _held_out(trained, batch)
    # The losses begin at different heights: all must lose a good part, and alignment may pass below zero.
    assert after < before - 0.2 * abs(before)


@pytest.mark.parametrize("name", [name for name in MAKERS if name != "words and regions"])
@pytest.mark.parametrize("build", [vl_bert_small, ernie_vil_small], ids=["vl-bert", "ernie-vil"])
def test_every_network_has_it(name: str, build: Any, batch: Batch) -> None:
    network = toy.tiny(build)
    trained = Pretraining(network, [MAKERS[name](network)])
    toy.loss_of(trained, batch).backward()  # type: ignore[no-untyped-call]
    head = [each for each in trained.objectives.parameters() if each.requires_grad]
    assert all(each.grad is not None and each.grad.any() for each in head)
    assert trained.last.keys() == {trained.objectives[0].name}


def test_alignment_wants_one_stream(batch: Batch) -> None:
    regions = SmallRegions(16, size=toy.PIXELS, widths=(8, 16))
    network = TwoStream(toy.bert(), regions, width=16, heads=2, inner=16, connections=1, drop=0.0)
    with pytest.raises(ValueError, match="words have 32 numbers and regions 16"):
        Pretraining(network, [WordRegions(MARKS)]).eval()(batch)


@pytest.mark.parametrize("share", [0.15, 0.3])
def test_about_so_much_is_hidden(share: float) -> None:
    there = torch.rand(200, 1, 400, generator=Generator().manual_seed(1)) < 0.7
    hidden = some(there, share, Generator().manual_seed(2))
    assert not (hidden & ~there).any()
    assert float(hidden.sum() / there.sum()) == pytest.approx(share, abs=0.005)


def test_of_each_row_something_is_hidden_where_there_is_something() -> None:
    there = torch.tensor([[[True, False, True]], [[False, False, False]]])
    for seed in range(20):
        hidden = some(there, 0.01, Generator().manual_seed(seed))
        assert hidden[0].sum() == 1
        assert not hidden[0, 0, 1]
        assert not hidden[1].any()


def test_hidden_pieces_are_replaced_by_berts_rules() -> None:
    marks = Marks(mask=4, special=(0, 1, 2, 3, 4), vocabulary=1000)
    ids = torch.full((100, 1, 500), 7)
    hidden = torch.rand(ids.shape, generator=Generator().manual_seed(3)) < 0.5
    out = disguised(ids, hidden, marks, Generator().manual_seed(4))
    assert (out[~hidden] == 7).all()
    shares = [float((out[hidden] == kind).float().mean()) for kind in (4, 7)]
    assert shares == pytest.approx([0.8, 0.1], abs=0.005)
    others = out[hidden & (out != 4) & (out != 7)]
    assert others.unique().numel() > 900
    assert len(others) / hidden.sum() == pytest.approx(0.1, abs=0.005)


def test_marks_are_never_hidden(batch: Batch) -> None:
    pieces = described(batch).pieces
    assert pieces is not None
    plain = MARKS.plain(pieces.ids, pieces.mask)
    spelled = {toy.TOKENS.convert_ids_to_tokens(int(number)) for number in pieces.ids[plain]}
    assert spelled == {"a", *toy.NOUNS, *toy.ADJECTIVES, *toy.LINKS}
    assert not plain[~pieces.mask].any()


def test_only_true_texts_are_told(batch: Batch) -> None:
    unknown = replace(batch, gold=batch.gold.clone().index_fill_(0, torch.tensor([1, 4]), -1))
    told = described(unknown)
    assert len(told) == 10
    assert told.choices.shape == (10, 1)
    kept = [row for row in range(12) if row not in (1, 4)]
    assert batch.pieces is not None
    assert told.pieces is not None
    for place, row in enumerate(kept):
        assert torch.equal(told.pieces.ids[place, 0], batch.pieces.ids[row, batch.gold[row]])
        assert torch.equal(told.seen.features[place], batch.seen.features[row])  # type: ignore[union-attr,index]


def test_another_text_points_to_this_picture(batch: Batch) -> None:
    told = described(batch)
    mates = torch.arange(12).roll(1)
    mixed = told_of_others(told, mates)
    assert torch.equal(mixed.pieces.ids, told.pieces.ids[mates])  # type: ignore[union-attr]
    assert torch.equal(mixed.seen.boxes, told.seen.boxes)  # type: ignore[union-attr]
    assert mixed.pieces is not None
    assert told.seen is not None
    pointed = told.seen.mask.gather(1, mixed.pieces.objects[:, 0])
    assert pointed.all()
    assert mixed.pieces.objects.any()


def test_half_of_the_pairs_are_swapped(batch: Batch) -> None:
    told = described(batch)
    matches = []
    for seed in range(200):
        mixed, match = pairs(told, Generator().manual_seed(seed))
        same = (mixed.pieces.ids == told.pieces.ids).all(dim=-1)[:, 0]  # type: ignore[union-attr]
        assert (same[match]).all()
        assert not (same[~match]).any()  # no two of the drawn texts are the same
        matches.append(match)
    assert float(torch.cat(matches).float().mean()) == pytest.approx(0.5, abs=0.03)
    alone = described(toy.batch_of(toy.drawn(1)))
    assert pairs(alone, Generator().manual_seed(0)).match.tolist() == [True]


def test_a_hidden_object_is_not_seen(batch: Batch) -> None:
    """With all objects hidden, their pixels change nothing that is told; only the whole picture's do."""
    network = toy.tiny(vl_bert_small, dropout=0.0)
    told = described(batch)
    objective = RegionClasses(network.region_dim, network.regions.dim, CLASSES, share=1.0)
    trained = Pretraining(network, [objective]).eval()

    def loss(features: Tensor) -> float:
        assert told.seen is not None
        with torch.no_grad():
            return float(trained(replace(told, seen=replace(told.seen, features=features))).extra)

    assert told.seen is not None
    assert told.seen.features is not None
    own, others = told.seen.features.clone(), told.seen.features.clone()
    others[:, 1:] //= 3
    whole = own.clone()
    whole[:, 0] //= 3
    assert loss(own) == loss(others)
    assert loss(own) != loss(whole)


def test_looks_of_any_scale_weigh_the_same(batch: Batch) -> None:
    """An encoder whose vectors are ten times as long makes regression no louder."""

    class Louder(nn.Module):
        def __init__(self, regions: Any) -> None:
            super().__init__()
            self.regions, self.dim = regions, regions.dim

        def forward(self, seen: Seen) -> Tensor:
            louder: Tensor = 10 * self.regions(seen)
            return louder

    network = toy.tiny(uniter_small, dropout=0.0)
    with seeded(1):
        objective = RegionFeatures(network.region_dim, network.regions.dim, share=1.0)
    told = described(batch)
    quiet = float(objective(network, told, generator=Generator().manual_seed(0)).detach())
    network.regions = Louder(network.regions)
    # All objects are hidden, so only the whole picture, which UNITER brings to one scale itself, is louder.
    loud = float(objective(network, told, generator=Generator().manual_seed(0)).detach())
    assert loud == pytest.approx(quiet, rel=0.05)
    assert 0.5 < quiet < 2


def test_unknown_labels_and_the_whole_picture_are_not_asked_for(batch: Batch) -> None:
    told = described(batch)
    assert told.seen is not None
    assert not objects(told.seen)[:, 0].any()
    nameless = replace(told, seen=replace(told.seen, classes=torch.ones_like(told.seen.classes)))
    network = toy.tiny(uniter_small)
    objective = RegionClasses(network.region_dim, network.regions.dim, CLASSES)
    assert float(objective(network, nameless, generator=Generator().manual_seed(0))) == 0.0


def test_a_detectors_doubt_is_learned_from(batch: Batch) -> None:
    """The divergence from an even distribution is least where all classes are told to be as likely."""

    def even(seen: Seen) -> Tensor:
        return torch.full((*seen.mask.shape, CLASSES), 1 / CLASSES)

    network = toy.tiny(uniter_small, dropout=0.0)
    objective = RegionClasses(network.region_dim, network.regions.dim, CLASSES, distribution=even)
    trained = Pretraining(network, [objective])
    before = _held_out(trained, batch)
    toy.trained(trained, batch, steps=25, rate=3e-3)
    assert before > 0.01
    assert 0 <= _held_out(trained, batch) < 0.3 * before


@pytest.mark.parametrize("kind", ["object", "attribute", "relation"])
def test_nodes_are_hidden_whole(kind: Any) -> None:
    tokens = toy.tokenizer(toy.vocabulary_of(["a red table the man abcdefghijklmnopqrstuvwxyz"], 100), 64)
    read = tokens("a red chair behind the man .", "a dog standing on a table")["input_ids"]
    ids = torch.tensor([[read]])
    objective = SceneGraph(kind, 8, tokens)
    spelled = tokens.convert_ids_to_tokens(ids[0, 0].tolist())
    found: dict[int, str] = {}
    for piece, node in zip(spelled, objective.nodes(ids)[0, 0].tolist(), strict=True):
        if node:
            found[node] = found.get(node, "") + (piece[2:] if piece.startswith("##") else f" {piece}")
    expected = {
        "object": [" chair", " man", " dog", " table"],
        "attribute": [" red"],
        "relation": [" behind", " standing on"],
    }
    assert list(found.values()) == expected[kind]


def test_a_text_without_attributes_teaches_none() -> None:
    network = toy.tiny(ernie_vil_small)
    plain = toy.drawn(2)[0]
    words = ("man", "holding", "cup")
    spoken = type(plain.query)(words, (0, 0, 0))
    bare = type(plain)(**{
        **{name: getattr(plain, name) for name in plain.__struct_fields__},
        "query": spoken, "responses": (spoken,) * 4,
    })  # fmt: skip
    trained = Pretraining(network, [SceneGraph("attribute", network.text_dim, toy.TOKENS)])
    loss = toy.loss_of(trained, toy.batch_of([bare]))
    loss.backward()  # type: ignore[no-untyped-call]
    assert trained.last == {"attributes": 0.0}


@pytest.mark.parametrize(
    ("build", "system", "count"),
    [
        (vl_bert_small, vl_bert_pretraining, 2),
        (uniter_small, uniter_pretraining, 5),
        (ernie_vil_small, ernie_vil_pretraining, 6),
    ],
)
def test_a_system_is_trained_as_any_network(build: Any, system: Any, count: int, batch: Batch) -> None:
    network = toy.tiny(build, dropout=0.0)
    with seeded(2):
        trained = system(network, toy.TOKENS, CLASSES)
    assert len(trained.objectives) == count
    scores = toy.scores_of(trained, batch)
    assert scores.logits.shape == batch.choices.shape
    assert (scores.logits[batch.choices] == 0).all()
    assert len(trained.last) == count
    before = _held_out(trained, batch)
    assert before == pytest.approx(sum(trained.last.values()), abs=1e-5)
    toy.trained(trained, batch, steps=12, rate=3e-3)
    assert len(trained.last) == (1 if system is uniter_pretraining else count)
    assert _held_out(trained, batch) < before - 0.1
    assert toy.scores_of(trained.network, batch).logits.std() > 0


def test_a_step_of_uniter_draws_one_objective_of_all(batch: Batch) -> None:
    trained = uniter_pretraining(toy.tiny(uniter_small), toy.TOKENS, CLASSES)
    names = set()
    for seed in range(40):
        toy.loss_of(trained, batch, seed=seed)
        names |= trained.last.keys()
    assert len(names) == 5


def test_where_several_processes_average_gradients_every_weight_has_one(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise they would wait for each other's: each draws its own objective."""
    trained = uniter_pretraining(toy.tiny(uniter_small), toy.TOKENS, CLASSES)
    alone = toy.loss_of(trained, batch)
    alone.backward()  # type: ignore[no-untyped-call]
    assert any(each.grad is None for each in trained.parameters())
    monkeypatch.setattr(torch.distributed, "is_initialized", lambda: True)
    together = toy.loss_of(trained, batch)
    together.backward()  # type: ignore[no-untyped-call]
    assert all(each.grad is not None for each in trained.parameters() if each.requires_grad)
    assert float(together.detach()) == float(alone.detach())


def test_a_seed_repeats_a_step_and_training_wants_one(batch: Batch) -> None:
    trained = ernie_vil_pretraining(toy.tiny(ernie_vil_small), toy.TOKENS, CLASSES)
    toy.check_same_seed(trained)
    with pytest.raises(ValueError, match="masks need a generator to draw from"):
        trained.train()(batch)


def test_nothing_known_teaches_nothing(batch: Batch) -> None:
    trained = vl_bert_pretraining(toy.tiny(vl_bert_small), toy.TOKENS, CLASSES).eval()
    hidden = replace(batch, gold=torch.full_like(batch.gold, -1))
    assert _held_out(trained, hidden) == 0.0
    assert trained.last == {}


@pytest.mark.slow
@pytest.mark.parametrize("build", [uniter_small, ernie_vil_small])
def test_whose_text_it_is_can_be_told_of_pictures_never_seen(build: Any) -> None:
    batch, others = toy.batch_of(toy.drawn(64, objects=1)), toy.batch_of(toy.drawn(200, seed=9, objects=1))
    network = toy.tiny(build, dropout=0.0)
    with seeded(1):
        trained = Pretraining(network, [ImageText(network.pooled_dim)])
    assert _held_out(trained, others) > 0.68
    toy.trained(trained, batch, steps=400, rate=3e-4)
    assert _held_out(trained, others) < 0.5
