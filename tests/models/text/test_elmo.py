"""A language model of letters: what each direction sees, what it learns, and how it is kept."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from commonsight.errors import InputError, InvalidRecords, UsageError
from commonsight.models.features.batch import Words
from commonsight.models.text import Pair, Text, WordEncoder
from commonsight.models.text.elmo import (
    ELMO_PAPER,
    LAYERS,
    BiLM,
    ElmoWords,
    Sizes,
    load_model,
    save_model,
    sentences,
    spelled,
    turned_around,
)
from commonsight.models.text.elmo_fit import Fitted, Fitting, _Trainer, fit_elmo
from commonsight.models.text.mix import MixedVectors

SIZES = Sizes(letters=8, filters=((1, 8), (2, 8), (3, 16)), hidden=24, cell=24, longest=10)
BRIEF = Fitting(epochs=1, batch=16)


def _texts(count: int, seed: int = 0) -> list[Text]:
    """Who does what where; the place follows from who it is, and says what is done."""
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        who, where, does = rng.choice(
            (("cook", "kitchen", "stirs"), ("sailor", "harbour", "rows"), ("gardener", "garden", "digs"))
        )
        when = rng.choices(("often", "now", "still"), k=rng.randrange(3))
        made.append(("the", who, *when, does, "in", "the", where))
    return made


@pytest.fixture(scope="module")
def fitted() -> Fitted:
    return fit_elmo(_texts(300), SIZES, Fitting(epochs=60, batch=32, rate=1e-2), seed=3)


def _pairs(count: int) -> list[Pair]:
    texts = _texts(2 * count, seed=8)
    return [Pair(one, other) for one, other in zip(texts[::2], texts[1::2], strict=True)]


def test_it_learns_the_language(fitted: Fitted) -> None:
    # Sentences it has not seen: only who it is, and how often one says when, is left to chance.
    assert fitted.perplexity is not None
    assert fitted.perplexity < 2.3
    fresh = fit_elmo(_texts(300), SIZES, Fitting(epochs=1, rate=1e-9), seed=3)
    assert fresh.perplexity is not None
    assert fresh.perplexity > 15
    assert fitted.words == 3 + 14  # with rare words, a beginning and an end


def test_words_have_vectors_in_their_sentence(fitted: Fitted) -> None:
    encoder: WordEncoder = ElmoWords(fitted.model)
    assert (encoder.dim, encoder.paired) == (48, False)
    one, other = encoder.encode([Pair(("the", "cook", "now"), ("the", "sailor", "now")), Pair((), ("now",))])
    assert np.abs(one.query[0] - one.response[0]).max() > 0.01  # what comes later is seen too
    assert np.abs(one.query[2] - one.response[2]).max() > 0.01
    assert other.query.shape == (0, 48)
    assert other.response.shape == (1, 48)


def test_others_in_the_batch_change_nothing(fitted: Fitted) -> None:
    encoder = ElmoWords(fitted.model)
    pairs = [*_pairs(40), Pair(("kitchen",) * 60, ("\U0001f600", "x" * 500, "\ud800"))]
    together = encoder.encode(pairs)
    for pair, found in zip(pairs, together, strict=True):
        alone = encoder.encode([pair])[0]
        assert found.query.shape == (len(pair.query), 48)
        np.testing.assert_allclose(found.query, alone.query, atol=2e-6)
        np.testing.assert_allclose(found.response, alone.response, atol=2e-6)
    swapped = encoder.encode([Pair(pairs[0].response, pairs[0].query)])[0]
    np.testing.assert_allclose(swapped.response, together[0].query, atol=2e-6)  # each text alone
    assert encoder.encode([]) == []


def test_each_direction_sees_its_own_side_only() -> None:
    torch.manual_seed(0)
    model = BiLM(SIZES).eval()
    with torch.no_grad():
        one, other = (model(*sentences([text], 10)) for text in (("a", "b", "c", "d"), ("a", "b", "x", "d")))
    for number in range(1, LAYERS):
        forwards = (one.forwards[number] - other.forwards[number]).abs().amax(dim=2)[0] > 1e-6
        backwards = (one.backwards[number] - other.backwards[number]).abs().amax(dim=2)[0] > 1e-6
        assert forwards.tolist() == [False] * 3 + [True] * 3  # with a beginning and an end
        assert backwards.tolist() == [True] * 4 + [False] * 2
    assert torch.equal(one.forwards[0], one.backwards[0])


def test_the_layers_are_a_plain_lstm_each_way() -> None:
    torch.manual_seed(1)
    model = BiLM(SIZES).eval()
    read = sentences([("a", "bb", "c"), ("dd",)], 10)
    with torch.no_grad():
        layers = model(*read)
        for row, length in enumerate(read.lengths.tolist()):
            words = model.words(read.types)[read.which[row, :length]][None]
            first = model.forwards[0](words)[0]
            second = first + model.forwards[1](first)[0]
            back = model.backwards[0](words.flip(1))[0]
            torch.testing.assert_close(layers.forwards[2, row, :length], second[0])
            torch.testing.assert_close(layers.backwards[1, row, :length], back[0].flip(0))


def test_letters_of_words() -> None:
    assert spelled(["ab", "é", ""], 6).tolist() == [
        [256, 97, 98, 257, 260, 260],
        [256, 0xC3, 0xA9, 257, 260, 260],
        [256, 257, 260, 260, 260, 260],
    ]
    assert spelled(["abcdefg"], 6).tolist() == [[256, 97, 98, 99, 100, 257]]
    read = sentences([("a", "b", "a"), ("b",)], 6)
    assert read.which.tolist() == [[0, 2, 3, 2, 1], [0, 3, 1, 0, 0]]
    assert read.lengths.tolist() == [5, 3]
    assert read.types[:, 1].tolist() == [258, 259, 97, 98]


def test_places_turned_around() -> None:
    assert turned_around(4, torch.tensor([4, 2])).tolist() == [[3, 2, 1, 0], [1, 0, 2, 3]]


def test_the_mean_is_that_of_all_layers(fitted: Fitted) -> None:
    pairs = _pairs(3)
    means, every = ElmoWords(fitted.model), ElmoWords(fitted.model, mix="all")
    assert (every.dim, means.name == every.name) == (144, False)
    for mean, layers in zip(means.encode(pairs), every.encode(pairs), strict=True):
        np.testing.assert_allclose(mean.query, layers.query.reshape(-1, 3, 48).mean(axis=1), atol=1e-6)


def test_a_network_learns_the_mix(fitted: Fitted) -> None:
    vectors = torch.from_numpy(ElmoWords(fitted.model, mix="all").encode(_pairs(1))[0].query)[None, None]
    shape = vectors.shape[:3]
    nothing = torch.zeros(shape, dtype=torch.long)
    words = Words(nothing, torch.tensor([[shape[2]]]), nothing, vectors)
    mix = MixedVectors(3, 48)
    torch.testing.assert_close(mix(words), vectors.reshape(*shape, 3, 48).mean(dim=3))
    mix(words).square().sum().backward()
    assert mix.shares.grad is not None
    assert mix.shares.grad.abs().min() > 0
    with torch.no_grad():
        mix.shares.copy_(torch.tensor([-50.0, 50.0, -50.0]))
    torch.testing.assert_close(mix(words), vectors[..., 48:96])
    with pytest.raises(InputError, match="mixes 2 layers of 48 numbers"):
        MixedVectors(2, 48)(words)


# --- training ----------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_model() -> None:
    def name(seed: int, stir: int) -> str:
        torch.manual_seed(stir)  # what others do with chance is nothing to it
        return ElmoWords(fit_elmo(_texts(100), SIZES, BRIEF, seed=seed).model).name

    assert name(1, 5) == name(1, 6)
    assert name(1, 5) != name(2, 5)


def test_progress_is_told() -> None:
    steps: list[tuple[int, int]] = []
    texts = _texts(100)
    fit_elmo(texts, SIZES, Fitting(epochs=2, held=0), seed=0, progress=lambda *step: steps.append(step))
    total = 2 * -(-len(set(texts)) // 32)
    assert steps == [(done, total) for done in range(1, total + 1)]


def test_words_that_are_drawn_stand_for_all_of_them() -> None:
    texts = _texts(60)
    torch.manual_seed(0)
    trainer = _Trainer(BiLM(SIZES), texts, Fitting(drawn=10**6), "cpu")
    states, wanted = trainer._states(texts[:8], 0.0)
    every = torch.arange(trainer.words)
    full = cross_entropy(trainer._guesses(states, every), wanted)
    torch.testing.assert_close(trainer._sampled(states, wanted, every), full)


def test_few_drawn_words_teach_as_well() -> None:
    few = fit_elmo(_texts(300), SIZES, Fitting(epochs=40, rate=1e-2, drawn=6), seed=3)
    assert few.perplexity is not None
    assert few.perplexity < 4


def test_what_each_direction_is_to_guess() -> None:
    trainer = _Trainer(BiLM(SIZES), [("a", "a", "b")], Fitting(words=1), "cpu")
    states, wanted = trainer._states([("a", "b"), ("a",)], 0.0)
    # 0 rare, 1 beginning, 2 end, 3 the one frequent word: forwards, then backwards.
    assert wanted.tolist() == [3, 0, 2, 3, 2, 1, 3, 0, 1, 3]
    assert states.shape == (10, 24)


def test_few_texts_are_all_trained_on() -> None:
    told = fit_elmo([("a", "b"), ("b",), ()], SIZES, BRIEF, seed=0)
    assert (told.perplexity, told.steps, told.words) == (None, 1, 5)
    with pytest.raises(InputError, match="no text with a word"):
        fit_elmo([()], SIZES, BRIEF, seed=0)


def test_the_papers_sizes() -> None:
    assert sum(count for _, count in ELMO_PAPER.filters) == 2048
    with torch.device("meta"):
        model = BiLM(ELMO_PAPER)
    assert model.forwards[0].weight_ih_l0.shape == (4 * 4096, 512)
    assert model.forwards[0].proj_size == 512


@pytest.mark.parametrize(
    "wrong", [{"epochs": 0}, {"drawn": 0}, {"held": -1}, {"rate": 1.0}, {"dropout": 1.0}]
)
def test_numbers_that_cannot_be(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="Give"):
        Fitting(**wrong)  # type: ignore[arg-type]


# --- kept --------------------------------------------------------------------------------------------------


def test_it_is_saved_and_found_again(fitted: Fitted, tmp_path: Path) -> None:
    save_model(fitted.model, tmp_path / "elmo", perplexity=fitted.perplexity)
    told = json.loads((tmp_path / "elmo" / "elmo.json").read_text())["told"]
    assert told == {"perplexity": fitted.perplexity}
    one, other = ElmoWords(fitted.model), ElmoWords.load(tmp_path / "elmo")
    assert one.name == other.name
    for found, again in zip(one.encode(_pairs(3)), other.encode(_pairs(3)), strict=True):
        assert found.query.tobytes() == again.query.tobytes()


def test_what_is_no_model_is_told(fitted: Fitted, tmp_path: Path) -> None:
    folder = tmp_path / "elmo"
    with pytest.raises(InvalidRecords, match=r"elmo\.json: it cannot be read \(no such file"):
        load_model(folder)
    save_model(fitted.model, folder)
    said = json.loads((folder / "elmo.json").read_text())
    (folder / "elmo.json").write_text(json.dumps({"sizes": said["sizes"] | {"hidden": 20, "cell": 20}}))
    with pytest.raises(InvalidRecords, match=r"weights\.safetensors: this is not of a language model"):
        load_model(folder)
    (folder / "elmo.json").write_text(json.dumps(said))
    (folder / "weights.safetensors").write_bytes(b"damaged")
    with pytest.raises(InvalidRecords, match=r"weights\.safetensors: this is not of .*Train it again"):
        load_model(folder)
    (folder / "elmo.json").write_text("{}")
    with pytest.raises(InvalidRecords, match=r"elmo\.json: this is not of .*`sizes`"):
        load_model(folder)
