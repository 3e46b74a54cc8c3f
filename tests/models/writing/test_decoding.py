"""Looking for texts: against all texts that there are, on a teller whose chances are drawn."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from commonsight.errors import UsageError
from commonsight.models.features.batch import Batch
from commonsight.models.writing.decoding import Remembering, Text, decoded
from commonsight.models.writing.style import Decoding

TOKENS, END = 4, 3


class Drawn(Remembering[Any]):
    """Chances of the next token follow from the question and all that was written."""

    def __init__(self, questions: int, seed: int) -> None:
        self._seed = seed
        self.written: list[tuple[int, ...]] = [(row,) for row in range(questions)]

    def begun(self) -> Tensor:
        return torch.stack([logits(self._seed, written) for written in self.written])

    def after(self, tokens: Tensor) -> Tensor:
        told = []
        for row, several in enumerate(tokens.tolist()):
            rows = []
            for token in several:
                self.written[row] += (token,)
                rows.append(logits(self._seed, self.written[row]))
            told.append(torch.stack(rows))
        return torch.stack(told)

    def spread(self, times: int) -> None:
        self.written = [one for one in self.written for _ in range(times)]

    def chosen(self, rows: Tensor) -> None:
        self.written = [self.written[row] for row in rows.tolist()]


def logits(seed: int, written: tuple[int, ...]) -> Tensor:
    chance = torch.Generator().manual_seed(hash((seed, *written)) % 2**31)
    return 3 * torch.randn(TOKENS, generator=chance)


class Network:
    end = END

    def __init__(self, questions: int, seed: int) -> None:
        self._questions, self._seed = questions, seed

    def told(self, batch: Batch) -> Drawn:  # noqa: ARG002
        return Drawn(self._questions, self._seed)


def searched(seed: int, how: Decoding, questions: int = 3) -> list[Text]:
    batch = Batch(torch.ones(questions, 1, dtype=torch.bool), torch.zeros(questions))
    return decoded(Network(questions, seed), batch, how)


def every_text(seed: int, question: int, longest: int) -> dict[tuple[int, ...], float]:
    """The logarithm of the probability of every text: such as have ended, and such as were cut."""
    found = {}
    for length in range(1, longest + 1):
        for tokens in itertools.product(range(TOKENS), repeat=length):
            if END in tokens[:-1] or (tokens[-1] != END and length < longest):
                continue
            found[tokens] = total(seed, question, tokens)
    return found


def total(seed: int, question: int, tokens: tuple[int, ...]) -> float:
    written, whole = (question,), 0.0
    for token in tokens:
        whole += float(logits(seed, written).log_softmax(dim=0)[token])
        written += (token,)
    return whole


def greedy(seed: int, question: int, longest: int) -> tuple[int, ...]:
    written: tuple[int, ...] = (question,)
    for _ in range(longest):
        written += (int(logits(seed, written).argmax()),)
        if written[-1] == END:
            break
    return written[1:]


@given(st.integers(0, 10_000), st.integers(1, 4))
def test_a_beam_of_one_takes_the_likeliest_token_each_time(seed: int, longest: int) -> None:
    for question, text in enumerate(searched(seed, Decoding(1, longest))):
        wanted = greedy(seed, question, longest)
        assert text.tokens == tuple(token for token in wanted if token != END)
        assert text.log_chance == pytest.approx(total(seed, question, wanted), abs=1e-4)


@given(st.integers(0, 10_000), st.sampled_from((0.0, 1.0)))
@settings(max_examples=20)
def test_a_beam_as_wide_as_all_beginnings_finds_the_best_text(seed: int, length: float) -> None:
    how = Decoding(TOKENS**2, 3, length)
    for question, text in enumerate(searched(seed, how, 2)):
        scores = {
            tokens: chance / len(tokens) ** length for tokens, chance in every_text(seed, question, 3).items()
        }
        best = max(scores, key=lambda tokens: scores[tokens])
        assert text.score == pytest.approx(scores[best], abs=1e-4)
        assert text.tokens == tuple(token for token in best if token != END)


@given(st.integers(0, 10_000), st.integers(2, 5), st.sampled_from((0.0, 0.5, 1.0)))
@settings(max_examples=30)
def test_a_wider_search_never_finds_a_worse_text(seed: int, beam: int, length: float) -> None:
    narrow, wide = (searched(seed, Decoding(width, 4, length)) for width in (1, beam))
    for one, other in zip(narrow, wide, strict=True):
        assert other.score >= one.score - 1e-6
        assert other.score == pytest.approx(
            other.log_chance / (len(other.tokens) + _has_ended(other)) ** length, abs=1e-5
        )


def _has_ended(text: Text) -> bool:
    return len(text.tokens) < 4


@pytest.mark.parametrize("name", ["beam", "longest"])
def test_what_could_write_nothing_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=f"{name} is 0. Give at least 1"):
        Decoding(**{name: 0})
