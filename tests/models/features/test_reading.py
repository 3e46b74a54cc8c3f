"""Examples become tensors: words and sub-words beside what they point to, padding apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from making import KNOWN, WORDS, asks, drawn, pieces
from msgspec import structs
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.processors import RobertaProcessing
from tokenizers.trainers import BpeTrainer

from commonsight.core.benchmark import Ask
from commonsight.core.scene import Box
from commonsight.models.features.batch import Batch, Pieces, Seen, Words
from commonsight.models.features.examples import Example, SeenObject, Spoken, example_of
from commonsight.models.features.reading import PieceReading, WordReading
from commonsight.models.features.vocabulary import PADDING, UNKNOWN, Vocabulary, vocabularies
from commonsight.models.libraries import libraries

TOKENIZER = pieces()
NAMES = {number: name for name, number in TOKENIZER.get_vocab().items()}
several_asks = st.lists(asks(), min_size=1, max_size=3)


def examples_of(several: Sequence[Ask]) -> list[Example]:
    return [example_of(ask) for ask in several]


def piece_reading(*, longest: int = 64, query: bool = True) -> PieceReading:
    return PieceReading(TOKENIZER, KNOWN.labels, longest=longest, query=query)


def words_of(batch: Batch) -> tuple[Words, Words]:
    assert batch.query is not None
    assert batch.responses is not None
    return batch.query, batch.responses


def pieces_of(batch: Batch) -> Pieces:
    assert batch.pieces is not None
    return batch.pieces


def seen_of(batch: Batch) -> Seen:
    assert batch.seen is not None
    return batch.seen


# Words


@given(several=several_asks)
def test_words_are_what_examples_say(several: list[Ask]) -> None:
    examples = examples_of(several)
    known = vocabularies(examples)
    names = dict(enumerate(known.words.names, start=2))
    query, responses = words_of(batch := WordReading(known).batch(examples))
    assert query.ids.shape[1] == 1
    assert responses.ids.shape[:2] == batch.choices.shape
    for row, example in enumerate(examples):
        assert batch.choices[row].sum() == len(example.responses)
        for words, texts in ((query, (example.query,)), (responses, example.responses)):
            for choice, text in enumerate(texts):
                length = int(words.lengths[row, choice])
                assert tuple(names[int(word)] for word in words.ids[row, choice, :length]) == text.words
                assert tuple(words.objects[row, choice, :length].tolist()) == text.objects
                assert not words.ids[row, choice, length:].any()
                assert not words.objects[row, choice, length:].any()
    assert (responses.lengths[~batch.choices] == 1).all()
    assert (words.mask.sum(dim=-1) == words.lengths).all()


@given(several=several_asks)
def test_gold_and_objects_are_what_examples_say(several: list[Ask]) -> None:
    examples = examples_of(several)
    known = vocabularies(examples)
    batch = WordReading(known).batch(examples)
    seen, labels = seen_of(batch), dict(enumerate(known.labels.names, start=2))
    for row, example in enumerate(examples):
        count = len(example.objects)
        assert batch.gold[row] == (-1 if example.gold is None else example.gold)
        assert seen.mask[row].tolist() == [True] * count + [False] * (seen.mask.shape[1] - count)
        assert [labels[int(number)] for number in seen.classes[row, :count]] == [
            found.label for found in example.objects
        ]
        assert (seen.classes[row, count:] == PADDING).all()
        assert not seen.boxes[row, count:].any()
    assert seen.boxes.isfinite().all()
    torch.testing.assert_close(seen.boxes[:, 0], torch.tensor([0.0, 0, 1, 1]).expand(len(examples), 4))


def test_boxes_are_shares_of_the_picture() -> None:
    objects = (SeenObject("image", Box(0, 0, 200, 50)), SeenObject("cup", Box(20, 10, 100, 50)))
    example = structs.replace(drawn(1)[0], size=(200, 50), objects=(*objects, SeenObject("dog", None)))
    boxes = seen_of(WordReading(KNOWN).batch([example])).boxes[0]
    torch.testing.assert_close(boxes[1], torch.tensor([0.1, 0.2, 0.5, 1.0]))
    assert not boxes[2].any()


class Counted:
    """Vectors that tell the choice, the text and the place that they are of."""

    dim = 3

    def of(self, example: Example) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        return [
            (self._text(example.query, choice, 1), self._text(text, choice, 2))
            for choice, text in enumerate(example.responses)
        ]

    def _text(self, text: Spoken, choice: int, which: int) -> NDArray[Any]:
        return np.array([(which, choice, place) for place in range(len(text.words))], np.float16)


@given(several=several_asks)
def test_an_encoders_vectors_stand_beside_their_words(several: list[Ask]) -> None:
    examples = examples_of(several)
    batch = WordReading(vocabularies(examples), Counted()).batch(examples)
    for which, words in enumerate(words_of(batch), start=1):
        assert words.vectors is not None
        assert words.vectors.shape == (*words.ids.shape, 3)
        assert words.ids.shape[:2] == batch.choices.shape  # queries too
        there = words.mask & batch.choices[..., None]
        for row, choice, place in there.nonzero().tolist():
            assert words.vectors[row, choice, place].tolist() == [which, choice, place]
        assert not words.vectors[~there].any()
    for row, example in enumerate(examples):
        query, _ = words_of(batch)
        ids = query.ids[row, : len(example.responses)]
        assert (ids == ids[0]).all()


@given(several=several_asks)
def test_lengths_are_those_of_the_rows(several: list[Ask]) -> None:
    examples = examples_of(several)
    known = vocabularies(examples)
    for example in examples:
        _, responses = words_of(WordReading(known).batch([example]))
        assert WordReading(known).length(example) == responses.ids.shape[-1]
        for longest, query in ((64, True), (64, False), (9, True), (9, False)):
            reading = piece_reading(longest=longest, query=query)
            assert reading.length(example) == pieces_of(reading.batch([example])).ids.shape[-1]


# Sub-words


def test_a_pair_is_read_as_transformers_read_pairs() -> None:
    query, response = Spoken(("bac", "dod"), (0, 2)), Spoken(("kix", "lun"), (1, 0))
    example = structs.replace(drawn(1)[0], query=query, responses=(response,))
    batch = piece_reading().batch([example])
    found = pieces_of(batch)
    names = [NAMES[number] for number in found.ids[0, 0].tolist()]
    assert names[:4] == ["[CLS]", "bac", "dod", "[SEP]"]
    assert names[-2:] == ["lun", "[SEP]"]
    assert found.segments[0, 0].tolist() == [0] * 4 + [1] * (len(names) - 4)
    # "kix" is no word of the vocabulary; each of its pieces points to where the word does
    broken = names[4:-2]
    assert found.objects[0, 0].tolist() == [0, 0, 2, 0, *[1] * len(broken), 0, 0]
    own = TOKENIZER("bac dod", "kix lun")
    assert found.ids[0, 0].tolist() == own["input_ids"]
    assert found.segments[0, 0].tolist() == own["token_type_ids"]


def inside(found: Pieces, row: int, choice: int) -> tuple[list[int], list[int], list[int]]:
    there = found.mask[row, choice]
    return tuple(part[row, choice][there].tolist() for part in (found.ids, found.segments, found.objects))  # type: ignore[return-value]


def spelled(text: Spoken) -> list[tuple[int, int]]:
    return [
        (piece, place)
        for word, place in zip(text.words, text.objects, strict=True)
        for piece in TOKENIZER.encode(word, add_special_tokens=False)
    ]


@given(several=several_asks, longest=st.integers(4, 30), query=st.booleans())
def test_no_row_is_too_long_and_responses_are_kept(several: list[Ask], longest: int, query: bool) -> None:
    examples = examples_of(several)
    batch = piece_reading(longest=longest, query=query).batch(examples)
    found, marks = pieces_of(batch), 3 if query else 2
    assert found.ids.shape[-1] <= longest
    assert (found.ids[~found.mask] == TOKENIZER.pad_token_id).all()
    for row, example in enumerate(examples):
        for choice, text in enumerate(example.responses):
            ids, segments, objects = inside(found, row, choice)
            response = spelled(text)[: longest - marks]
            asked = spelled(example.query)[-max(1, longest - marks - len(response)) :] if query else []
            asked = asked if longest - marks - len(response) else []
            cls, sep = TOKENIZER.cls_token_id, TOKENIZER.sep_token_id
            expected = [(cls, 0), *asked, *([(sep, 0)] if query else []), *response, (sep, 0)]
            assert list(zip(ids, objects, strict=True)) == expected
            first = len(asked) + 2 if query else len(expected)
            assert segments == [0] * first + [1] * (len(expected) - first)


@given(several=several_asks)
def test_without_the_query_nothing_of_it_is_read(several: list[Ask]) -> None:
    examples = examples_of(several)
    other = [structs.replace(example, query=Spoken(("bac", "bad"), (0, 0))) for example in examples]
    reading = piece_reading(query=False)
    one, same = pieces_of(reading.batch(examples)), pieces_of(reading.batch(other))
    assert torch.equal(one.ids, same.ids)
    assert torch.equal(one.objects, same.objects)
    assert not one.segments.any()
    assert ((one.ids == TOKENIZER.sep_token_id).sum(dim=-1) <= 1).all()


def byte_level() -> Any:
    """A tokenizer like RoBERTa's: bytes, words that begin with a space, and marks of its own."""
    made = Tokenizer(BPE())
    made.pre_tokenizer = ByteLevel(add_prefix_space=False)
    marks = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = BpeTrainer(vocab_size=330, special_tokens=marks, initial_alphabet=ByteLevel.alphabet())
    made.train_from_iterator([" ".join(WORDS)] * 3, trainer)
    made.post_processor = RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    names = {"cls_token": "<s>", "sep_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    return libraries().transformers.PreTrainedTokenizerFast(tokenizer_object=made, **names)


@given(several=several_asks, query=st.booleans())
def test_a_tokenizer_like_robertas_is_read_as_it_reads(several: list[Ask], query: bool) -> None:
    examples, own = examples_of(several), BYTE_LEVEL
    found = pieces_of(PieceReading(own, KNOWN.labels, longest=400, query=query).batch(examples))
    assert (found.ids[~found.mask] == 1).all()
    for row, example in enumerate(examples):
        for choice, text in enumerate(example.responses):
            texts = [" " + " ".join(one.words) for one in ((example.query, text) if query else (text,))]
            ids, _, _ = inside(found, row, choice)
            assert ids == own(*texts)["input_ids"]
            assert ids[0] == 0
            assert ids.count(2) == (3 if query else 1)


BYTE_LEVEL = byte_level()


@given(several=several_asks, query=st.booleans())
def test_every_piece_tells_which_word_it_is_of(several: list[Ask], query: bool) -> None:
    examples = examples_of(several)
    found = pieces_of(piece_reading(longest=400, query=query).batch(examples))
    assert found.asked is not None
    assert found.said is not None
    assert not (found.asked * found.said).any()
    for row, example in enumerate(examples):
        for choice, text in enumerate(example.responses):
            for numbers, spoken in ((found.asked, example.query), (found.said, text)):
                pieces = found.ids[row, choice][numbers[row, choice] > 0].tolist()
                hidden = spoken is example.query and not query
                assert pieces == [piece for piece, _ in ([] if hidden else spelled(spoken))]
            said = found.said[row, choice]
            for number, word in enumerate(text.words, start=1):
                own = found.ids[row, choice][said == number].tolist()
                assert own == TOKENIZER.encode(word, add_special_tokens=False)


def test_objects_beside_a_text_make_a_row_longer() -> None:
    example = drawn(1)[0]
    reading = PieceReading(TOKENIZER, KNOWN.labels, longest=64, sees=True)
    assert reading.length(example) == piece_reading().length(example) + len(example.objects)


def test_the_querys_first_words_are_lost_first() -> None:
    long = Spoken(WORDS[:30], (0,) * 30)
    example = structs.replace(drawn(1, choices=1)[0], query=long, responses=(Spoken(WORDS[30:35], (0,) * 5),))
    ids = pieces_of(piece_reading(longest=20).batch([example])).ids[0, 0].tolist()
    names = [NAMES[number] for number in ids]
    assert names == ["[CLS]", *WORDS[18:30], "[SEP]", *WORDS[30:35], "[SEP]"]


def test_there_must_be_room_for_a_text() -> None:
    with pytest.raises(ValueError, match="3 sub-words have no room for a text beside 3 marks"):
        piece_reading(longest=3)
    assert piece_reading(longest=3, query=False).length(drawn(1)[0]) == 3


def test_unknown_labels_are_one() -> None:
    reading = PieceReading(TOKENIZER, Vocabulary(("image",)), longest=64)
    seen = seen_of(reading.batch(drawn(4)))
    assert (seen.classes[:, 0] == 2).all()
    assert (seen.classes[:, 1:][seen.mask[:, 1:]] == UNKNOWN).all()


def test_batches_move_whole() -> None:
    batch = WordReading(KNOWN).batch(drawn(2))
    moved = batch.to("meta")
    query, responses = words_of(moved)
    assert len(batch) == 2
    tensors = (moved.gold, moved.choices, query.ids, query.mask, responses.objects, seen_of(moved).boxes)
    assert {tensor.device.type for tensor in tensors} == {"meta"}
    assert moved.pieces is None
