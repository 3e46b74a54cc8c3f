"""What every network of the catalogue must do, whichever it is: built at its small size from tiny parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import torch
from held import Held
from making import (
    ANSWERS,
    ARGUMENTS,
    KNOWN,
    LONGEST,
    batch_for,
    drawn,
    given_to,
    letters,
    littered,
    loss_of,
    nodes_for,
    overfitted,
    reading_for,
    scores_of,
    sees,
    set_dropout,
    tiny_network,
    training_loss,
    with_pictures,
)
from msgspec import structs
from safetensors.torch import load_model, save_model
from torch import nn

from commonsight.models.canvas.frozen import KeptMaps
from commonsight.models.canvas.pixels import PixelMaps
from commonsight.models.catalogue import ALL, find
from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.features.batch import Batch, Words
from commonsight.models.features.examples import Example
from commonsight.models.language_models import bare
from commonsight.models.network import Network
from commonsight.models.parts import Parts
from commonsight.models.regions.small import SmallRegions
from commonsight.models.untrained import Shape, encoder
from commonsight.models.words import LearnedVectors
from commonsight.models.writing.decoding import decoded
from commonsight.models.writing.style import Decoding

TOLERANCE = 1e-5
ITEMS = 32
TRAINING_BYTES = 100_000_000
PREDICTION_BYTES = 25_000_000
"""What a tiny network may hold over 32 questions of 4 choices, 24 words and up to 6 objects."""

INERT = ("key.bias",)
"""Weights that no gradient moves, by arithmetic: what is added to all keys, a softmax takes away again."""

LEARNING = tuple(entry for entry in ALL if entry.learns)
CHOOSING = tuple(entry for entry in ALL if not entry.names)
OTHERS = tuple(entry for entry in ALL if not entry.learns)
WRITING = tuple(entry for entry in ALL if entry.writes is not None)


def over(entries: tuple[Entry, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("entry", entries, ids=[entry.name for entry in entries])


every_network = over(ALL)
every_learner = over(LEARNING)


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@cache
def learned(name: str) -> nn.Module:
    """A network that knows 32 questions by heart, so that its scores are far apart. Not to be trained on."""
    entry = find(name)
    return overfitted(entry, batch_for(entry, drawn(ITEMS))) if entry.learns else tiny_network(entry)


def logits(entry: Entry, examples: list[Example]) -> torch.Tensor:
    return scores_of(learned(entry.name), batch_for(entry, examples)).logits


# Shapes and invariances


@every_network
def test_scores_have_their_shapes(entry: Entry) -> None:
    examples = [*drawn(3), *drawn(2, choices=2), *drawn(1, choices=5)]
    batch = batch_for(entry, examples)
    network = learned(entry.name)
    assert isinstance(network, Network)
    scores = scores_of(network, batch)
    assert scores.logits.shape == batch.choices.shape == (6, len(ANSWERS) if entry.names else 5)
    assert scores.logits.dtype == torch.float32
    assert scores.logits.isfinite().all()
    assert (scores.logits[~batch.choices] == torch.finfo(torch.float32).min).all()
    assert (scores.logits[batch.choices].abs() < 1e4).all()
    assert scores.extra.shape in ((), (len(batch),))
    assert scores.extra.isfinite().all()


@every_network
def test_attention_is_shares_of_what_is_there(entry: Entry) -> None:
    """Under names that mean the same for all, so that whoever draws them needs to know no network."""
    batch = batch_for(entry, [*drawn(3), *drawn(1, words=(9, 9), choices=5, objects=6)])
    seen, query, facts = batch.seen, batch.query, batch.facts
    assert seen is not None
    for name, weights in scores_of(learned(entry.name), batch).attention.items():
        assert name in ("query", "objects", "glimpses", "places", "facts")
        assert weights.ndim == 4, name
        assert weights.shape[:2] == (len(batch), 1 if entry.names else batch.choices.shape[1]), name
        assert bool((weights >= 0).all()), name
        assert bool((weights.sum(dim=-1) <= 1 + TOLERANCE).all()), name
        assert bool(weights.any()), name
        if name in ("objects", "glimpses"):
            assert not weights.masked_select(~seen.mask[:, None, None]).any()
        if name == "facts":
            assert facts is not None
            assert weights.shape[2:] == (1, facts.mask.shape[1])
            assert not weights.masked_select(~facts.mask[:, None, None]).any()
        if name == "query" and query is not None:
            assert not weights.masked_select(~query.mask[:, :, None]).any()


@pytest.mark.parametrize(
    "company",
    [
        pytest.param(lambda: drawn(1, words=(20, 20)), id="longer texts"),
        pytest.param(lambda: drawn(1, choices=7), id="more choices"),
        pytest.param(lambda: drawn(1, objects=9), id="more objects"),
        pytest.param(lambda: drawn(1, facts=12), id="more facts"),
    ],
)
@every_network
def test_padding_changes_no_score(entry: Entry, company: Callable[[], list[Example]]) -> None:
    examples = drawn(ITEMS)[:5]
    choices = len(ANSWERS) if entry.names else 4
    together = logits(entry, [*examples, *company()])[:, :choices]
    if entry.learns:  # else there would be nothing to change
        assert together[:5].std() > 0.5
    for place, example in enumerate(examples):
        torch.testing.assert_close(
            together[place : place + 1], logits(entry, [example]), rtol=TOLERANCE, atol=TOLERANCE
        )


@every_network
def test_what_stands_in_padding_changes_no_score(entry: Entry) -> None:
    batch = batch_for(entry, [*drawn(4), *drawn(1, words=(12, 12), choices=6, objects=6)])
    other = littered(batch)
    network = learned(entry.name)
    torch.testing.assert_close(
        scores_of(network, other).logits, scores_of(network, batch).logits, rtol=TOLERANCE, atol=TOLERANCE
    )


@over(CHOOSING)
def test_the_order_of_choices_only_permutes_scores(entry: Entry) -> None:
    examples, order = drawn(ITEMS)[:6], [2, 0, 3, 1]
    turned = [
        structs.replace(example, responses=tuple(example.responses[place] for place in order))
        for example in examples
    ]
    torch.testing.assert_close(
        logits(entry, turned), logits(entry, examples)[:, order], rtol=TOLERANCE, atol=TOLERANCE
    )


@every_network
def test_the_order_of_questions_only_permutes_scores(entry: Entry) -> None:
    examples = drawn(ITEMS)[:6]
    torch.testing.assert_close(
        logits(entry, examples[::-1]), logits(entry, examples).flip(0), rtol=TOLERANCE, atol=TOLERANCE
    )


# What the catalogue says of it


@every_network
def test_the_query_is_read_or_not_as_declared(entry: Entry) -> None:
    examples, others = drawn(ITEMS)[:6], drawn(6, seed=9)
    asked = [
        structs.replace(example, query=other.query) for example, other in zip(examples, others, strict=True)
    ]
    changed = not torch.allclose(logits(entry, asked), logits(entry, examples), atol=1e-3)
    assert changed == entry.query


@every_network
def test_pictures_are_seen_or_not_as_declared(entry: Entry) -> None:
    examples = drawn(ITEMS)[:6]
    batch, network = batch_for(entry, examples), learned(entry.name)
    before = scores_of(network, batch).logits
    if not entry.sees:
        torch.testing.assert_close(scores_of(network, replace(batch, seen=None)).logits, before)
        return
    after = scores_of(network, with_pictures(entry, batch, examples, seed=1)).logits
    assert not torch.allclose(after, before, atol=1e-3)


@every_network
def test_facts_are_read_or_not_as_declared(entry: Entry) -> None:
    examples = drawn(ITEMS)[:6]
    ignorant = [structs.replace(example, facts=()) for example in examples]
    changed = not torch.allclose(logits(entry, ignorant), logits(entry, examples), atol=1e-3)
    assert changed == entry.facts
    assert (batch_for(entry, examples).facts is not None) == entry.facts


@over(tuple(entry for entry in CHOOSING if entry.reads == "words"))
def test_a_query_may_be_read_beside_each_response(entry: Entry) -> None:
    """As when a text encoder has read both together, and the query's words differ from choice to choice."""
    batch, network = batch_for(entry, drawn(ITEMS)[:5]), learned(entry.name)
    assert batch.query is not None
    beside = replace(batch, query=repeated(batch.query, batch.choices.shape[1]))
    torch.testing.assert_close(
        scores_of(network, beside).logits, scores_of(network, batch).logits, rtol=TOLERANCE, atol=TOLERANCE
    )


def repeated(words: Words, choices: int) -> Words:
    times = (-1, choices, -1)
    return Words(
        words.ids.expand(times), words.lengths.expand(-1, choices), words.objects.expand(times)
    )


@every_network
def test_the_published_size_can_be_built(entry: Entry) -> None:
    """On a device that keeps no numbers: shapes only."""
    published, small = (built(entry, size) for size in (entry.paper, entry.small))
    more, fewer = (sum(weight.numel() for weight in one.parameters()) for one in (published, small))
    if entry.paper.build is entry.small.build:  # what has no size of its own
        assert more == fewer
    else:
        assert more > fewer


def transformer(entry: Entry, size: Size) -> object:
    shape = Shape(*size.transformer)
    return encoder(shape) if entry.writes is None else bare(entry.writes.model, shape)


def built(entry: Entry, size: Size) -> nn.Module:
    with torch.device("meta"):
        parts = Parts(
            len(KNOWN.labels),
            words=LearnedVectors(len(KNOWN.words), size.words) if entry.reads == "words" else None,
            transformer=transformer(entry, size) if entry.reads == "pieces" else None,
            regions=SmallRegions(size.regions) if sees(entry, "objects") else None,
            canvas=(PixelMaps if entry.learns else KeptMaps)(size.regions) if sees(entry, "canvas") else None,
            wholes=size.words if entry.reads == "wholes" else 0,
            answers=len(ANSWERS) if entry.names else 0,
            signs=0 if entry.counts is None else 100,
            arguments=ARGUMENTS if entry.programs else (),
            nodes=nodes_for(entry),
        )
        network: nn.Module = size.build(parts)
    return network


# Learning


@every_learner
def test_it_overfits_a_few_questions(entry: Entry) -> None:
    batch = batch_for(entry, drawn(ITEMS))
    scores = scores_of(learned(entry.name), batch)
    assert float(loss_of(scores, batch)) < 0.1
    assert (scores.logits.argmax(dim=1) == batch.gold).all()


@every_learner
def test_a_step_lowers_the_loss(entry: Entry) -> None:
    """A short one, straight against the gradient and without dropout, which leaves nothing to chance."""
    network, batch = tiny_network(entry).eval(), batch_for(entry, drawn(ITEMS))
    before = loss_of(network(batch), batch)
    before.backward()
    gradients = [weight.grad for weight in network.parameters() if weight.grad is not None]
    torch.optim.SGD(network.parameters(), lr=0.005 / nn.utils.get_total_norm(gradients).item()).step()
    assert loss_of(scores_of(network, batch), batch).item() < before.item()


@every_learner
def test_gradients_reach_every_weight(entry: Entry) -> None:
    network, batch = tiny_network(entry), batch_for(entry, drawn(ITEMS))
    for seed in range(10 if entry.draws else 1):
        training_loss(network, batch, seed=seed).backward()
    trained = {name: weight for name, weight in network.named_parameters() if weight.requires_grad}
    assert trained
    lost = [
        name
        for name, weight in trained.items()
        if weight.grad is None
        or not weight.grad.isfinite().all()
        or (not weight.grad.any() and not name.endswith(INERT))
    ]
    assert not lost


@every_learner
def test_a_seed_repeats_a_step_of_training(entry: Entry) -> None:
    network, batch = tiny_network(entry), batch_for(entry, drawn(8))
    drops = set_dropout(network, 0.2)  # its small size may do without
    one, same, other = (training_loss(network, batch, seed=seed) for seed in (1, 1, 2))
    assert torch.equal(one, same)
    assert torch.equal(one, other) == (not drops)


@every_learner
def test_without_dropout_nothing_is_drawn_but_as_declared(entry: Entry) -> None:
    network, batch = tiny_network(entry), batch_for(entry, drawn(8))
    set_dropout(network, 0.0)
    one, other = (training_loss(network, batch, seed=seed) for seed in (1, 2))
    assert torch.equal(one, other) != entry.draws


@every_learner
def test_it_is_the_same_after_saving_and_loading(entry: Entry, tmp_path: Path) -> None:
    network, fresh = learned(entry.name), tiny_network(entry, seed=1)
    batch = batch_for(entry, drawn(8))
    file = tmp_path / "network.safetensors"
    save_model(network, str(file))
    assert not torch.allclose(scores_of(fresh, batch).logits, scores_of(network, batch).logits)
    missing, unexpected = load_model(fresh, str(file))
    assert not missing
    assert not unexpected
    assert torch.equal(scores_of(fresh, batch).logits, scores_of(network, batch).logits)


@over(OTHERS)
def test_what_does_not_learn_has_nothing_to_learn(entry: Entry) -> None:
    batch = batch_for(entry, [*drawn(3), *drawn(2, choices=2)])
    network = tiny_network(entry)
    assert not network.state_dict()
    if entry.query or entry.sees:  # it goes by what others have learned
        return
    shares = scores_of(network, batch).logits.softmax(dim=1)
    even = batch.choices / batch.choices.sum(dim=1, keepdim=True)
    most_common = torch.eye(len(ANSWERS))[:1].expand(len(batch), -1)
    counted = entry.names and entry.picks != "scored"
    torch.testing.assert_close(shares, most_common if counted else even)


# Writing


@over(WRITING)
def test_it_writes_what_it_has_learned_by_heart(entry: Entry) -> None:
    """Learned as training learns: from the right text alone."""
    examples = drawn(8)
    right = [structs.replace(one, responses=one.responses[one.gold or 0 :][:1], gold=0) for one in examples]
    batch = batch_for(entry, right)
    network = overfitted(entry, batch)
    said = [texts.said[0] for one in given_to(entry, right) if (texts := one.written) is not None]
    for how in (Decoding(1, LONGEST), Decoding(4, LONGEST)):
        written = decoded(network.eval(), batch, how)
        assert [letters().decode(text.tokens, skip_special_tokens=True) for text in written] == said
        torch.testing.assert_close(
            torch.tensor([text.log_chance for text in written]),
            scores_of(network, batch).logits[:, 0],
            rtol=1e-3,
            atol=1e-3,
        )


@over(WRITING)
def test_a_wider_search_finds_no_worse_text_and_company_changes_none(entry: Entry) -> None:
    examples, network = [*drawn(5), *drawn(1, words=(20, 20), objects=9)], tiny_network(entry).eval()
    batch = batch_for(entry, examples)
    narrow, wide = (decoded(network, batch, Decoding(width, 6)) for width in (1, 5))
    assert all(one.score >= other.score - TOLERANCE for one, other in zip(wide, narrow, strict=True))
    for place, example in enumerate(examples):
        alone = decoded(network, batch_for(entry, [example]), Decoding(5, 6))[0]
        assert alone.tokens == wide[place].tokens
        assert alone.score == pytest.approx(wide[place].score, abs=1e-4)


@over(WRITING)
def test_the_likeliest_token_each_time_is_what_a_beam_of_one_takes(entry: Entry) -> None:
    network, batch = tiny_network(entry).eval(), batch_for(entry, drawn(4))
    written = decoded(network, batch, Decoding(1, 4))
    with torch.no_grad():
        telling = network.told(batch)
        tokens = [telling.begun().argmax(dim=-1)]
        for _ in range(3):
            tokens.append(telling.after(tokens[-1][:, None])[:, -1].argmax(dim=-1))
    for row, text in enumerate(written):
        wanted = [int(each[row]) for each in tokens]
        ends = wanted.index(network.end) if network.end in wanted else 4
        assert list(text.tokens) == wanted[:ends]


# Memory


@every_network
def test_memory_is_bounded(entry: Entry) -> None:
    """Twice the same questions, and not others: where rows of like length are read together, and forgotten
    before the next ones, it is the largest group that counts, and its share of all rows is then the same."""
    network, examples = tiny_network(entry), drawn(16, words=(20, 24), objects=6)
    few, many = (batch_for(entry, examples * times) for times in (1, 2))
    for hold, most in ((held_by_prediction, PREDICTION_BYTES), (held_by_training, TRAINING_BYTES)):
        if hold is held_by_training and not entry.learns:
            continue
        half, whole = hold(network, few), hold(network, many)
        assert whole < most
        assert whole < 2.2 * half + 1000  # twice the questions, twice the memory


def held_by_prediction(network: nn.Module, batch: Batch) -> int:
    with Held() as held:
        scores_of(network, batch)
    assert held.now == 0  # nothing is kept from one batch to the next
    return held.most


def held_by_training(network: nn.Module, batch: Batch) -> int:
    with Held() as held:
        training_loss(network, batch).backward()
    network.zero_grad()
    return held.most


def test_drawn_questions_are_what_they_are_taken_for() -> None:
    """The suite itself: questions differ, and batches are padded where they are said to be."""
    examples = drawn(ITEMS)
    assert len({example.query.words for example in examples}) > 20
    assert {example.gold for example in examples} == {0, 1, 2, 3}
    for entry in (find("lstm"), find("bert")):
        batch = reading_for(entry).batch([*examples, *drawn(1, words=(20, 20), choices=7, objects=9)])
        texts = batch.responses or batch.pieces
        assert texts is not None
        assert batch.choices.shape[1] == 7
        assert texts.ids.shape[2] >= 20
        assert not texts.mask.all()
        assert batch.seen is not None
        assert not batch.seen.mask.all()
