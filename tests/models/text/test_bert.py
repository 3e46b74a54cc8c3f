"""Words as a frozen transformer reads them: the right layer, the right mean, and no word of a neighbour's."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from commonsight.errors import InputError, UsageError
from commonsight.models.features.examples import Example, Spoken
from commonsight.models.features.texts import kept_texts
from commonsight.models.text import Encoded, Pair, WordEncoder
from commonsight.models.text.bert import BertWords, averaged
from commonsight.models.text.pieces import NO_WORD, PairPieces
from commonsight.models.untrained import Shape, untrained

SHAPE = Shape(3, 32, 2, 400, 40)
WORDS = (
    "why", "is", "riley", "here", "she", "sings", "in", "the", "kitchen", "it", "was", "cold", "soup"
)  # fmt: skip


def _pairs(count: int, seed: int = 0) -> list[Pair]:
    """Words that are known, and words that are spelled out, in texts of any length."""
    rng = random.Random(seed)

    def text() -> tuple[str, ...]:
        return tuple(
            rng.choice(WORDS) if rng.random() < 0.8 else "".join(rng.choices("ehist", k=3))
            for _ in range(rng.randrange(1, 9))
        )

    return [Pair(text(), text()) for _ in range(count)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return untrained(tmp_path_factory.mktemp("models") / "tiny", [" ".join(WORDS)], SHAPE, seed=4)


@pytest.fixture(scope="module")
def encoder(folder: Path) -> BertWords:
    return BertWords.load(str(folder))


def _plainly(folder: Path, pair: Pair, layer: int) -> np.ndarray[Any, Any]:
    """The same in the library's own words: one pair, no padding, word by word."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.BertModel.from_pretrained(folder).eval()
    read = tokenizer(" ".join(pair.query), " ".join(pair.response), return_tensors="pt")
    with torch.no_grad():
        hidden = model(**read, output_hidden_states=True).hidden_states
    assert len(hidden) == 4  # the embeddings, and three layers
    words = []
    for side, text in enumerate(pair):
        for place in range(len(text)):
            pieces = [
                number
                for number, (of, word) in enumerate(zip(read.sequence_ids(0), read.word_ids(0), strict=True))
                if of == side and word == place
            ]
            assert pieces
            words.append(torch.stack([hidden[layer][0, number] for number in pieces]).mean(dim=0))
    return torch.stack(words).numpy()


def _joined(encoded: Encoded) -> np.ndarray[Any, Any]:
    return np.concatenate(encoded)


@pytest.mark.parametrize(("layer", "hidden"), [(None, 2), (-1, 3), (1, 1), (-4, 0)])
def test_it_is_what_the_library_gives(folder: Path, layer: int | None, hidden: int) -> None:
    encoder: WordEncoder = BertWords.load(str(folder), **({} if layer is None else {"layer": layer}))
    assert (encoder.dim, encoder.paired) == (32, True)
    pairs = _pairs(9)
    for pair, found in zip(pairs, encoder.encode(pairs), strict=True):
        assert (len(found.query), len(found.response)) == (len(pair.query), len(pair.response))
        np.testing.assert_allclose(_joined(found), _plainly(folder, pair, hidden), atol=2e-6)


def test_the_layers_are_not_all_alike(folder: Path) -> None:
    pairs = _pairs(1)
    found = [_joined(BertWords.load(str(folder), layer=layer).encode(pairs)[0]) for layer in range(4)]
    for one in range(4):
        for other in range(one):
            assert np.abs(found[one] - found[other]).max() > 0.05


def test_a_word_is_the_mean_of_its_pieces() -> None:
    hidden = torch.tensor([[[1.0, 2.0], [3.0, 4.0], [5.0, 8.0], [7.0, 0.0]], [[9.0, 1.0]] * 4])
    words = torch.tensor([[NO_WORD, 0, 0, 2], [NO_WORD, 1, NO_WORD, NO_WORD]])
    found = averaged(hidden, words, [3, 2])
    assert found.tolist() == [[4, 6], [0, 0], [7, 0], [0, 0], [9, 1]]


def test_others_in_the_batch_change_nothing(encoder: BertWords, folder: Path) -> None:
    pairs = [*_pairs(40, seed=1), Pair(("kitchen",) * 15, ("soup",) * 15)]
    together = encoder.encode(pairs)
    for pair, found in zip(pairs, together, strict=True):
        np.testing.assert_allclose(_joined(found), _joined(encoder.encode([pair])[0]), atol=2e-6)
    by_threes = BertWords.load(str(folder), batch=3).encode(pairs[::-1])[::-1]
    for found, again in zip(together, by_threes, strict=True):
        np.testing.assert_allclose(_joined(found), _joined(again), atol=2e-6)


def test_a_word_differs_with_the_response_beside_it(encoder: BertWords) -> None:
    one, other = encoder.encode([Pair(("why",), ("soup",)), Pair(("why",), ("cold",))])
    assert np.abs(one.query - other.query).max() > 1e-3


def test_too_long_a_pair_loses_the_querys_first_words(folder: Path) -> None:
    encoder = BertWords.load(str(folder), longest=12)  # nine beside the three marks
    query, response = ("why", "is", "riley", "here", "in", "the", "kitchen"), ("she", "sings", "it", "was")
    found = encoder.encode([Pair(query, response)])[0]
    assert not found.query[:2].any()
    assert found.query[2:].all(axis=1).all()
    kept = encoder.encode([Pair(query[2:], response)])[0]
    np.testing.assert_allclose(found.query[2:], kept.query, atol=2e-6)
    np.testing.assert_allclose(found.response, kept.response, atol=2e-6)
    longer = encoder.encode([Pair(query, ("soup",) * 20)])[0]
    assert not longer.query.any()
    assert longer.response[:9].any(axis=1).all()
    assert not longer.response[9:].any()


def test_odd_words_and_no_words(encoder: BertWords) -> None:
    pairs = [
        Pair(("\ud800", "she"), ("\u200b", "soup" * 5000, "\U0001f600")),
        Pair((), ("she",)),
        Pair(("she",), ()),
        Pair((), ()),
    ]
    found = encoder.encode(pairs)
    assert [(len(one.query), len(one.response)) for one in found] == [(2, 3), (0, 1), (1, 0), (0, 0)]
    assert all(np.isfinite(_joined(one)).all() for one in found)
    assert encoder.encode([]) == []


def test_progress_is_told(folder: Path) -> None:
    steps: list[tuple[int, int]] = []
    BertWords.load(str(folder), batch=4).encode(_pairs(10), progress=lambda *step: steps.append(step))
    assert steps == [(4, 10), (8, 10), (10, 10)]


def test_it_is_kept(encoder: BertWords, tmp_path: Path) -> None:
    query, *responses = (Spoken(pair.query, (0,) * len(pair.query)) for pair in _pairs(5))
    example = Example("1", "t", None, (1, 1), query, tuple(responses), (), ())
    kept = kept_texts(tmp_path / "a", [example], encoder)
    straight = encoder.encode([Pair(query.words, response.words) for response in responses])
    for found, wanted in zip(kept.of(example), straight, strict=True):
        np.testing.assert_allclose(np.concatenate(found), _joined(wanted), atol=2e-3)  # of 16 bits


def test_its_name_says_what_it_is(folder: Path, tmp_path: Path) -> None:
    name = BertWords.load(str(folder)).name
    assert name.startswith("bert-1(tiny@")
    assert name.endswith(", at most 38 pieces, layer 2 of 3)")
    shutil.copytree(folder, tmp_path / "tiny")
    assert BertWords.load(str(tmp_path / "tiny")).name == name
    config = tmp_path / "tiny" / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"layer_norm_eps": 1e-6}))
    others = {BertWords.load(str(tmp_path / "tiny")).name, BertWords.load(str(folder), layer=1).name}
    assert name not in others | {BertWords.load(str(folder), longest=20).name}


# --- other families ----------------------------------------------------------------------------------------


def _roberta(folder: Path) -> Path:
    """Bytes, of which the space before a word is one; pairs as "<s> query </s></s> response </s>"."""
    letters = ["<s>", "<pad>", "</s>", "<unk>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    made = Tokenizer(models.BPE({letter: number for number, letter in enumerate(letters)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=False)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, model_max_length=60, model_input_names=["input_ids", "attention_mask"],
        pad_token="<pad>", unk_token="<unk>", cls_token="<s>", sep_token="</s>",
    )  # fmt: skip
    config = transformers.RobertaConfig(
        vocab_size=len(letters), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=62, type_vocab_size=1, pad_token_id=1,
    )  # fmt: skip
    transformers.RobertaForMaskedLM(config).save_pretrained(folder)  # which has no pooler
    tokenizer.save_pretrained(folder)
    return folder


def test_a_roberta_has_marks_and_segments_of_its_own(tmp_path: Path) -> None:
    folder = _roberta(tmp_path / "roberta")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    row = PairPieces("it", tokenizer, 60).row(Pair(("ab", "c"), ("d",)))
    assert tokenizer.convert_ids_to_tokens(row.ids) == (
        ["<s>", "Ġ", "a", "b", "Ġ", "c", "</s>", "</s>", "Ġ", "d", "</s>"]
    )
    assert row.words == [-1, 0, 0, 0, 1, 1, -1, -1, 2, 2, -1]
    assert set(row.segments) == {0}
    encoder = BertWords.load(str(folder))
    pairs = _pairs(6)
    for pair, found in zip(pairs, encoder.encode(pairs), strict=True):
        np.testing.assert_allclose(_joined(found), _joined(encoder.encode([pair])[0]), atol=2e-6)


def test_rows_of_a_bert(folder: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    row = PairPieces("it", tokenizer, 40).row(Pair(("why", "hes"), ("soup",)))
    assert tokenizer.convert_ids_to_tokens(row.ids) == (
        ["[CLS]", "why", "h", "##e", "##s", "[SEP]", "soup", "[SEP]"]
    )
    assert row.segments == [0, 0, 0, 0, 0, 0, 1, 1]
    assert row.words == [-1, 0, 1, 1, 1, -1, 2, -1]


# --- what cannot be used -----------------------------------------------------------------------------------


def test_a_pickle_is_not_read(folder: Path, tmp_path: Path) -> None:
    given = tmp_path / "given"
    shutil.copytree(folder, given)
    (given / "model.safetensors").unlink()
    torch.save(transformers.BertModel.from_pretrained(folder).state_dict(), given / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"given: .*pickle only \(pytorch_model\.bin\).*save_pretrained"):
        BertWords.load(str(given))


def test_weights_that_are_missing_are_told(folder: Path, tmp_path: Path) -> None:
    given = tmp_path / "given"
    shutil.copytree(folder, given)
    config = json.loads((given / "config.json").read_text())
    (given / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 4}))
    with pytest.raises(InputError, match=r"16 of its weights are missing .* \(encoder\.layer\.3"):
        BertWords.load(str(given))
    (given / "config.json").write_text(json.dumps(config))
    (given / "model.safetensors").write_bytes(b"damaged")
    with pytest.raises(InputError, match="given: this cannot be loaded as a model"):
        BertWords.load(str(given))
    (given / "model.safetensors").unlink()
    with pytest.raises(InputError, match="given: this cannot be loaded as a model"):
        BertWords.load(str(given))


def test_what_is_no_bert_is_told(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        BertWords.load(str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match=r"There is no layer 4\. Give one from 0 to 3"):
        BertWords.load(str(folder), layer=4)
    with pytest.raises(InputError, match="with 3 pieces there is no room for a word"):
        BertWords.load(str(folder), longest=3)
    with pytest.raises(InputError, match="There is no device moon here"):
        BertWords.load(str(folder), device="moon")


def test_an_encoder_with_a_decoder_is_told(folder: Path, tmp_path: Path) -> None:
    config = transformers.T5Config(vocab_size=400, d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2)
    config.save_pretrained(tmp_path)
    for path in folder.glob("tokenizer*"):
        shutil.copy(path, tmp_path)
    with pytest.raises(InputError, match=r"an encoder with a decoder\. Give a model like BERT"):
        BertWords.load(str(tmp_path))
