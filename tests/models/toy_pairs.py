"""Drawn questions about drawn objects, and tiny parts, for networks that read and see.

The right choice names objects of the picture, and what an object looks like depends on its name, so that
there is something to learn.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy

from commonsight.core.scene import Box
from commonsight.models.features.batch import Batch
from commonsight.models.features.examples import WHOLE, Example, SeenObject, Spoken
from commonsight.models.features.reading import PieceReading
from commonsight.models.features.vocabulary import Vocabulary
from commonsight.models.libraries import libraries, seeded
from commonsight.models.network import Scores
from commonsight.models.parts import Parts
from commonsight.models.regions.small import SmallRegions
from commonsight.models.untrained import tokenizer, vocabulary_of

NOUNS = ("man", "woman", "dog", "cup", "table", "chair")
ADJECTIVES = ("red", "blue", "small", "wooden")
LINKS = ("holding", "behind", "under", "watching")
LABELS = Vocabulary((WHOLE, *NOUNS))
PIXELS, WIDTH, LONGEST = 8, 32, 64
TOKENS = tokenizer(vocabulary_of((*NOUNS, *ADJECTIVES, *LINKS, "a"), 200), LONGEST)


def drawn(count: int, *, seed: int = 0, choices: int = 4, objects: int = 3) -> list[Example]:
    """Questions with at most so many objects; each choice is a sentence about two things."""
    rng = np.random.default_rng((seed, count, choices, objects))
    return [_question(f"{seed}-{number}", rng, choices, objects) for number in range(count)]


def _question(item: str, rng: np.random.Generator, choices: int, most: int) -> Example:
    here = int(rng.integers(1, most + 1))
    boxes = rng.integers(0, 40, (here, 2)).astype(float)
    objects = (
        SeenObject(WHOLE, Box(0.0, 0.0, 100.0, 80.0)),
        *(SeenObject(str(rng.choice(NOUNS)), Box(x, y, x + 30, y + 25)) for x, y in boxes.tolist()),
    )
    names, gold = [each.label for each in objects[1:]], int(rng.integers(choices))
    sentences = tuple(_sentence(rng, here, names if rank == gold else NOUNS) for rank in range(choices))
    query = _sentence(rng, here, names)
    return Example(item, "answer", None, (100, 80), query, sentences, objects, tuple(range(here)), gold)


def _sentence(rng: np.random.Generator, objects: int, names: Sequence[str]) -> Spoken:
    first, second = (str(rng.choice(names)) for _ in range(2))
    words = ["a", str(rng.choice(ADJECTIVES)), first, str(rng.choice(LINKS)), "a", second]
    words += [str(rng.choice(names))] * int(rng.integers(0, 3))
    pointing = [int(rng.integers(0, objects + 1)) if word in NOUNS else 0 for word in words]
    return Spoken(tuple(words), tuple(pointing))


def batch_of(examples: Sequence[Example]) -> Batch:
    """As sub-words, and with pixels for each object, the same in any batch."""
    batch = PieceReading(TOKENS, LABELS, longest=LONGEST).batch(examples)
    assert batch.seen is not None
    crops = torch.zeros(*batch.seen.mask.shape, 3, PIXELS, PIXELS, dtype=torch.uint8)
    for row, example in enumerate(examples):
        noise = np.random.default_rng(zlib.crc32(example.item.encode()))
        for place, each in enumerate(example.objects):
            name = np.random.default_rng(zlib.crc32(each.label.encode()))
            look = name.integers(0, 200, (3, PIXELS, PIXELS)) + noise.integers(0, 50, (3, PIXELS, PIXELS))
            crops[row, place] = torch.from_numpy(look.astype(np.uint8))
    return replace(batch, seen=replace(batch.seen, features=crops))


def bert(*, layers: int = 2, dropout: float = 0.1) -> Any:
    """A BERT that has learned nothing."""
    transformers = libraries().transformers
    return transformers.BertModel(
        transformers.BertConfig(
            vocab_size=len(TOKENS),
            hidden_size=WIDTH,
            num_hidden_layers=layers,
            num_attention_heads=2,
            intermediate_size=2 * WIDTH,
            max_position_embeddings=LONGEST,
            initializer_range=0.1,
            hidden_dropout_prob=dropout,
            attention_probs_dropout_prob=dropout,
        )
    )


def tiny(build: Callable[[Parts], nn.Module], *, seed: int = 0, dropout: float = 0.1) -> Any:
    """A network from tiny parts."""
    with seeded(seed):
        regions = SmallRegions(16, size=PIXELS, widths=(8, 16))
        return build(Parts(len(LABELS), transformer=bert(dropout=dropout), regions=regions))


def scores_of(network: nn.Module, batch: Batch) -> Scores:
    """Without dropout and without gradients."""
    network.eval()
    with torch.no_grad():
        found: Scores = network(batch)
    return found


def loss_of(network: nn.Module, batch: Batch, *, seed: int = 0) -> Tensor:
    """What training lowers, with dropout drawn from a seed."""
    network.train()
    with seeded(seed):  # transformers have dropout of their own
        scores: Scores = network(batch, generator=Generator().manual_seed(seed))
    return cross_entropy(scores.logits, batch.gold) + scores.extra


def trained(
    network: nn.Module, batch: Batch, *, steps: int, rate: float, same: bool = False
) -> list[float]:
    """The loss at each step; with `same` each draws the same."""
    optimiser = torch.optim.AdamW([each for each in network.parameters() if each.requires_grad], lr=rate)
    told = []
    for step in range(steps):
        loss = loss_of(network, batch, seed=0 if same else step)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        told.append(loss.item())
    return told


def paper_parts(layers: int, width: int, heads: int) -> Parts:
    """Parts of a published size that hold no numbers, to look at shapes."""
    transformers = libraries().transformers
    with torch.device("meta"):
        config = transformers.BertConfig(
            hidden_size=width,
            num_hidden_layers=layers,
            num_attention_heads=heads,
            intermediate_size=4 * width,
        )
        return Parts(len(LABELS), transformer=transformers.BertModel(config), regions=Unseen(2048))


class Unseen(nn.Module):
    """A region encoder that only has a size."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, seen: Any) -> Tensor:
        raise AssertionError(f"nothing of {seen} is to be seen here")


def millions(network: nn.Module) -> float:
    """How many numbers are learned."""
    return sum(each.numel() for each in network.parameters()) / 1e6


def check_shapes(network: nn.Module) -> None:
    """A number for each choice, the lowest for those that are not there, and what each word looks at."""
    batch = batch_of([*drawn(3), *drawn(2, seed=1, choices=2)])
    assert batch.pieces is not None
    assert batch.seen is not None
    scores = scores_of(network, batch)
    assert scores.logits.shape == batch.choices.shape == (5, 4)
    assert (scores.logits[3:, 2:] == torch.finfo(torch.float32).min).all()
    assert scores.logits[batch.choices].isfinite().all()
    assert batch.pieces.said is not None
    assert batch.pieces.asked is not None
    words, asked = int(batch.pieces.said.max()), int(batch.pieces.asked.max())
    looks = scores.attention["objects"]
    assert looks.shape == (*batch.choices.shape, words, batch.seen.mask.shape[1])
    assert scores.attention["query"].shape == (*batch.choices.shape, words, asked)
    lengths = batch.pieces.said.amax(dim=-1, keepdim=True)  # (batch, choice, 1)
    there = torch.arange(1, words + 1) <= lengths
    for shares in scores.attention.values():
        assert (shares >= 0).all()
        assert torch.allclose(shares.sum(-1), there.float(), atol=1e-5)
    nobody = ~batch.seen.mask[:, None, None].expand_as(looks)
    assert nobody.any()
    assert (looks[nobody] == 0).all()
    assert (looks[~nobody] > 0).any()


def check_padding(network: nn.Module) -> None:
    """A question alone scores as beside others with longer texts, more objects and more choices."""
    mixed = [*drawn(4, objects=2), *drawn(3, seed=1, choices=2), *drawn(3, seed=2, choices=6, objects=5)]
    together = scores_of(network, batch_of(mixed)).logits
    for row, example in enumerate(mixed):
        alone = scores_of(network, batch_of([example])).logits[0]
        assert torch.allclose(together[row, : len(alone)], alone, atol=1e-5), example.item


def check_order(network: nn.Module) -> None:
    """Choices in another order have the same scores in that order."""
    batch, order = batch_of(drawn(6)), torch.tensor([2, 0, 3, 1])
    assert batch.pieces is not None
    names = ("ids", "segments", "mask", "objects")
    turned = {name: getattr(batch.pieces, name)[:, order] for name in names}
    other = replace(batch, pieces=replace(batch.pieces, **turned))
    assert torch.allclose(
        scores_of(network, other).logits, scores_of(network, batch).logits[:, order], atol=1e-5
    )


def check_gradients(network: nn.Module) -> None:
    """Every number that can be learned is."""
    loss_of(network, batch_of(drawn(6))).backward()  # type: ignore[no-untyped-call]
    idle = [name for name, each in network.named_parameters() if each.grad is None or not each.grad.any()]
    assert idle == []


def check_same_seed(network: nn.Module) -> None:
    """A step of training repeats with its seed, and differs with another."""
    batch = batch_of(drawn(6))
    with torch.no_grad():
        first, again, other = (loss_of(network, batch, seed=seed).item() for seed in (3, 3, 4))
    assert first == again
    assert first != other


def share_right(network: nn.Module, batch: Batch) -> float:
    """How often the right choice has the highest score."""
    return float((scores_of(network, batch).logits.argmax(dim=1) == batch.gold).float().mean())
