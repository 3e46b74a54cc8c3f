"""A BERT gets used to texts: it learns both tasks, the same every time, and is written as a whole."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from commonsight.errors import InputError, UsageError
from commonsight.models.text import Pair
from commonsight.models.text import adapt as adapting
from commonsight.models.text.adapt import (
    Adapted,
    Adapting,
    _Losses,
    _Trainer,
    adapt,
    adapt_untrained,
    drawn,
    masked,
)
from commonsight.models.text.bert import BertWords
from commonsight.models.text.pieces import NO_WORD, PairPieces, padded_rows
from commonsight.models.untrained import Shape, untrained

SHAPE = Shape(2, 32, 2, 200, 40, dropout=0.0)
THINGS = {"kitchen": "soup", "street": "cabs", "garden": "roses", "harbour": "boats"}
BRIEF = Adapting(epochs=1, rate=1e-3, batch=16)


def _pairs(count: int = 96, seed: int = 0) -> list[Pair]:
    """A place, and what belongs there: who knows the one can guess the other."""
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        place = rng.choice(sorted(THINGS))
        filler = tuple(rng.choices(("now", "again", "here"), k=rng.randrange(3)))
        made.append(Pair((*filler, "in", "the", place, "?"), ("there", "are", THINGS[place], ".")))
    return made


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [" ".join(text) for pair in _pairs() for text in pair]
    return untrained(tmp_path_factory.mktemp("models") / "start", texts, SHAPE, seed=1)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Adapted:
    folder = tmp_path_factory.mktemp("models") / "learned"
    return adapt_untrained(_pairs(256), folder, Adapting(epochs=12, rate=5e-3), shape=SHAPE, seed=2)


def test_it_learns_to_guess_words(learned: Adapted, start: Path, tmp_path: Path) -> None:
    first = adapt(str(start), _pairs(256), tmp_path / "first", Adapting(rate=1e-9), seed=2)
    assert first.words > 3.5  # of about 60 pieces
    assert first.pairs == pytest.approx(np.log(2), abs=0.1)
    assert learned.steps == 12 * 8
    assert learned.words < 1.2


def test_both_losses_are_the_librarys(start: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(start)
    model = transformers.BertForPreTraining.from_pretrained(start).eval()
    trainer = _Trainer(model, tokenizer, BRIEF, both=True)
    pieces = PairPieces("it", tokenizer, 40)
    seen = []
    for rows, hidden, other in trainer._batches(pieces, drawn(_pairs(40), 1, 0), 1, 0):
        inputs = {"attention_mask": rows.mask.long(), "token_type_ids": rows.segments}
        with torch.no_grad():
            told = model(hidden.ids, **inputs, labels=hidden.wanted, next_sentence_label=other)
            losses = trainer._losses(rows, hidden, other)
        assert float(losses.sum) == pytest.approx(float(told.loss), rel=1e-5)
        for ids, label in zip(rows.ids, other, strict=True):
            said = tokenizer.decode(ids, skip_special_tokens=True).split()
            belongs = any(place in said and thing in said for place, thing in THINGS.items())
            assert label == int(not belongs)  # 0 for the right response, as BERT has it
            seen.append(int(label))
    assert sorted(seen) == [0] * 20 + [1] * 20


def test_it_learns_to_tell_right_responses(start: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone, as words to guess would take most of what so small a transformer can learn in so few steps."""
    monkeypatch.setattr(_Losses, "sum", property(lambda losses: losses.pairs))
    pairs = [Pair(("who", "sings"), ("she", "sings")), Pair(("who", "left"), ("he", "left"))] * 64
    folder = start.with_name("told")
    told = adapt(str(start), pairs, folder, Adapting(epochs=40, rate=3e-3, masked=0.01), seed=1)
    assert told.pairs is not None
    assert told.pairs < 0.55


def test_what_it_learned_is_in_the_folder(learned: Adapted) -> None:
    assert {path.suffix for path in learned.folder.iterdir()} == {".json", ".safetensors"}
    tokenizer = transformers.AutoTokenizer.from_pretrained(learned.folder)
    model = transformers.BertForPreTraining.from_pretrained(learned.folder).eval()
    asked = tokenizer("in [MASK] garden ?", "there are roses .", return_tensors="pt")
    with torch.no_grad():
        guess = model(**asked).prediction_logits[asked["input_ids"] == tokenizer.mask_token_id].argmax()
    assert tokenizer.decode([int(guess)]).strip() == "the"
    assert BertWords.load(str(learned.folder)).encode(_pairs(2))[0].query.shape[1] == 32


def test_the_same_seed_gives_the_same_bytes(start: Path, tmp_path: Path) -> None:
    def weights(name: str, seed: int) -> bytes:
        torch.manual_seed(len(name))  # what others do with chance is nothing to it
        adapt(str(start), _pairs(), tmp_path / name, BRIEF, seed=seed)
        return (tmp_path / name / "model.safetensors").read_bytes()

    first = weights("one", 5)
    assert first == weights("another", 5)
    assert first != weights("third", 6)


def test_chance_is_as_it_was_afterwards(start: Path, tmp_path: Path) -> None:
    torch.manual_seed(9)
    before = torch.random.get_rng_state()
    adapt(str(start), _pairs(32), tmp_path / "a", BRIEF, seed=5)
    assert torch.equal(before, torch.random.get_rng_state())


def test_progress_is_told(start: Path, tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    adapt(
        str(start), _pairs(40), tmp_path / "a", Adapting(epochs=2, batch=16),
        seed=0, progress=lambda *step: steps.append(step),
    )  # fmt: skip
    assert steps == [(done, 6) for done in range(1, 7)]


def test_half_of_the_responses_are_anothers() -> None:
    pairs = _pairs(100)
    examples = drawn(pairs, seed=3, epoch=0)
    assert sum(example.other for example in examples) == 50
    for pair, example in zip(pairs, examples, strict=True):
        assert example.pair.query == pair.query
        assert (example.pair.response != pair.response) == example.other
    assert examples == drawn(pairs, seed=3, epoch=0)
    assert examples != drawn(pairs, seed=3, epoch=1)
    assert examples != drawn(pairs, seed=4, epoch=0)


def test_which_pieces_are_hidden(start: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(start)
    pieces = PairPieces("it", tokenizer, 40)
    rows = padded_rows([pieces.row(pair) for pair in _pairs(400)], tokenizer.pad_token_id)
    others = np.arange(5, 60)
    found = masked(rows, 0.15, mask=tokenizer.mask_token_id, others=others, chance=np.random.default_rng(0))
    guessed = found.wanted != -100
    assert not guessed[rows.words == NO_WORD].any()  # neither marks nor padding
    assert guessed.any(dim=1).all()
    assert torch.equal(found.wanted[guessed], rows.ids[guessed])
    assert torch.equal(found.ids[~guessed], rows.ids[~guessed])
    share = float(guessed.sum() / (rows.words != NO_WORD).sum())
    assert 0.15 < share < 0.22  # more than a share, as each row has one
    shown = found.ids[guessed]
    assert float((shown == tokenizer.mask_token_id).float().mean()) == pytest.approx(0.8, abs=0.05)
    assert float((shown == rows.ids[guessed]).float().mean()) == pytest.approx(0.1, abs=0.04)


def test_texts_without_a_piece_do_no_harm(start: Path, tmp_path: Path) -> None:
    pairs = [Pair((), ()), Pair((), ("\u0000",)), Pair(("\u0000",), ())]
    told = adapt(str(start), pairs, tmp_path / "a", Adapting(epochs=2, batch=2), seed=0)
    assert np.isfinite([told.words, told.pairs]).all()


def test_a_folder_that_is_there_is_not_overwritten(start: Path, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "precious").write_text("dear")
    with pytest.raises(UsageError, match="exists already"):
        adapt(str(start), _pairs(), tmp_path / "a", BRIEF, seed=0)
    adapt(str(start), _pairs(), tmp_path / "a", BRIEF, seed=0, overwrite=True)
    assert not (tmp_path / "a" / "precious").exists()


def test_one_that_fails_leaves_nothing(start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = torch.tensor(float("nan"), requires_grad=True)
    monkeypatch.setattr(adapting, "cross_entropy", lambda *_, **__: lost * 1)
    with pytest.raises(InputError, match=r"the loss is no number\. Give a lower rate"):
        adapt(str(start), _pairs(32), tmp_path / "a", BRIEF, seed=0)
    assert list(tmp_path.iterdir()) == []


def test_a_family_without_the_second_task(start: Path, tmp_path: Path) -> None:
    config = transformers.DistilBertConfig(vocab_size=200, dim=16, n_layers=1, n_heads=2, hidden_dim=32)
    transformers.DistilBertModel(config).save_pretrained(tmp_path / "small")
    transformers.AutoTokenizer.from_pretrained(start).save_pretrained(tmp_path / "small")
    told = adapt(str(tmp_path / "small"), _pairs(32), tmp_path / "a", BRIEF, seed=0)
    assert told.pairs is None
    assert BertWords.load(str(tmp_path / "a")).dim == 16


def test_what_cannot_be_adapted_is_told(start: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at least two different responses"):
        adapt(str(start), _pairs(1), tmp_path / "a", seed=0)
    for name in ("start", "unmasked"):
        tokenizer = transformers.AutoTokenizer.from_pretrained(start)
        tokenizer.mask_token = None if name == "unmasked" else tokenizer.mask_token
        transformers.ViTConfig().save_pretrained(tmp_path / name)
        tokenizer.save_pretrained(tmp_path / name)
    with pytest.raises(InputError, match="a ViTConfig guesses no words"):
        adapt(str(tmp_path / "start"), _pairs(), tmp_path / "a", seed=0)
    with pytest.raises(InputError, match="its tokenizer hides no words"):
        adapt(str(tmp_path / "unmasked"), _pairs(), tmp_path / "a", seed=0)


@pytest.mark.parametrize(
    "wrong", [{"rate": 0.0}, {"masked": 1.0}, {"warm_up": 1.0}, {"epochs": 0}, {"batch": 0}]
)
def test_numbers_that_cannot_be(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="Give"):
        Adapting(**wrong)  # type: ignore[arg-type]


def test_the_papers_epoch_is_the_default() -> None:
    assert Adapting().epochs == 1
