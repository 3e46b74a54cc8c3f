"""How networks that write read examples: a question as people put it, and texts with an end mark each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from commonsight.models.features.batch import Batch, Texts
from commonsight.models.features.examples import Example
from commonsight.models.features.ragged import padded
from commonsight.models.features.reading import gold, present, seen
from commonsight.models.features.vocabulary import Vocabulary
from commonsight.models.layers.masks import lengths_to_mask
from commonsight.models.network import needed
from commonsight.models.writing.style import Written


class TextReading:
    """Texts as sub-words of a tokenizer.

    A question that is too long loses its first words where the language model goes on with it, since what is
    wanted is said last, and its last words where one reads it and then writes, as T5's own tokenizer does.
    """

    def __init__(self, tokenizer: Any, labels: Vocabulary, *, longest: int, ends: bool) -> None:
        """With `ends` a question has an end mark of its own, as T5 reads it."""
        self._tokenizer, self._labels, self._longest, self._ends = tokenizer, labels, longest, ends
        self._known: dict[str, tuple[int, ...]] = {}

    def length(self, example: Example) -> int:
        """Of the question with the longest text behind it."""
        written = _written(example)
        return len(self._asked(written)) + max((len(self._said(one)) for one in written.said), default=1)

    def batch(self, examples: Sequence[Example]) -> Batch:
        """The examples as sub-words."""
        several = [_written(example) for example in examples]
        most = max(len(example.responses) for example in examples)
        asked = padded([[self._asked(one)] for one in several], 1)
        said = padded([[self._said(text) for text in one.said] for one in several], most)
        counts = lengths_to_mask(said.lengths, said.places.shape[-1])
        # A question without a word is no piece at all, though rows are at least one place wide.
        lengths = asked.lengths.new_tensor([len(self._asked(one)) for one in several])
        texts = Texts(
            asked.places[:, 0],
            lengths_to_mask(lengths, asked.places.shape[-1]),
            said.places,
            counts & present(examples)[..., None],
        )
        return Batch(present(examples), gold(examples), seen=seen(examples, self._labels), texts=texts)

    def _asked(self, written: Written) -> tuple[int, ...]:
        pieces = self._pieces(written.asked)
        if not self._ends:
            return pieces[-self._longest :]
        return (*pieces[: self._longest - 1], self._tokenizer.eos_token_id)

    def _said(self, text: str) -> tuple[int, ...]:
        return (*self._pieces(text)[: self._longest - 1], self._tokenizer.eos_token_id)

    def _pieces(self, text: str) -> tuple[int, ...]:
        if text not in self._known:
            # Half a surrogate pair, which tokenizers refuse, becomes a mark.
            clean = text.encode("utf-8", "replace").decode()
            self._known[text] = tuple(self._tokenizer.encode(clean, add_special_tokens=False))
        return self._known[text]


def _written(example: Example) -> Written:
    return needed(example.written, "texts as people put them")
