"""Whole programs from questions: the layout, and the words of every call.

Words are said one after another for all calls at once. Each is one that training's programs have, or one of
the question's own words: both kinds are scored together, and a word that is both counts as the sum of its
scores (a pointer-or-generate decoder; See et al., 2017). So names that training never asked for can be asked
for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn

from commonsight.core.program import Program
from commonsight.models.features.batch import Batch
from commonsight.models.features.vocabulary import PADDING, UNKNOWN, Vocabulary
from commonsight.models.layers.attention import BilinearAttention
from commonsight.models.network import Scores, needed, scored
from commonsight.models.programs.layouts import CALLS, laid_out, ordered_texts, program_of
from commonsight.models.programs.predictor import LayoutPredictor, Read, Told
from commonsight.models.programs.texts import END, NEXT, Kind, Saying, kind_of, spelled
from commonsight.models.words import WordVectors

_LOW = 1e-9


class _Calls(NamedTuple):
    """Calls of all questions that have words to be said."""

    rows: Tensor  # (call): whose
    columns: Tensor  # (call): which of its calls
    states: Tensor  # (call, hidden): of whom said the layout
    copied: Tensor  # (call, word): the number under which a question's word counts

    def by_question(self, values: Tensor, questions: int) -> Tensor:
        """(call, dim) as (question, call, dim): all calls of a question attend to the same words, which need
        not be there for each."""
        places = (questions, int(self.columns.max()) + 1, values.shape[1])
        return values.new_zeros(places).index_put((self.rows, self.columns), values)

    def first(self, count: int) -> _Calls:
        """As many of them."""
        return _Calls(*(part[:count] for part in self))


class ProgramWriter(nn.Module):
    """Questions to programs."""

    def __init__(
        self, words: WordVectors, asked: Vocabulary, said: Vocabulary, *, hidden: int, dropout: float
    ) -> None:
        """`asked` are the words of questions, `said` those of programs."""
        super().__init__()
        self.predictor = LayoutPredictor(words, hidden=hidden, dropout=dropout)
        self._asked = ("", "", *asked.names)
        self._names = ("", "", *said.names, NEXT, END)
        self._numbers = {name: number for number, name in enumerate(self._names) if name}
        self.table = nn.Embedding(len(self._names), hidden, padding_idx=PADDING)
        self.begin = nn.Linear(hidden, hidden)
        self.say = nn.GRUCell(2 * hidden, hidden)
        self.attend = BilinearAttention(hidden, 2 * hidden)
        self.join = nn.Linear(3 * hidden, hidden)
        self.word = nn.Linear(hidden, len(self._names))
        self.copy = BilinearAttention(hidden, 2 * hidden)
        kinds = [Kind.NEVER, Kind.NEVER, *map(kind_of, self._names[2:])]
        self.register_buffer("kinds", torch.tensor(kinds), persistent=False)
        # A question's word counts under its number among the programs' words, where it has one.
        same = [self._numbers.get(name, PADDING) for name in self._asked]
        self.register_buffer("same", torch.tensor(same), persistent=False)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        """No answer, but what learning costs: of the layouts, and of their words."""
        query = needed(batch.query, "a query word by word")
        read = self.predictor.read(query, generator=generator)
        laid = [laid_out(program) for program in batch.programs if program is not None]
        told = self.predictor(read, [[one.call for one in row] for row in laid], generator=generator)
        loss = self.predictor.loss(told, torch.ones(len(batch), dtype=torch.bool, device=read.words.device))
        texts = [[spelled(ordered_texts(one.step)) for one in row] for row in laid]
        whole = loss + self._costs(query.ids, read, told, texts)
        return scored(loss.new_zeros(len(batch), 1), batch, extra=whole)

    def written(self, batch: Batch, asked: Sequence[Sequence[str]]) -> list[Program]:
        """The programs of questions, each with its words as they are; always well typed."""
        query = needed(batch.query, "a query word by word")
        with torch.inference_mode():
            read = self.predictor.read(query)
            told: Told = self.predictor(read)
            layouts = told.layouts
            places = [(row, place) for row, layout in enumerate(layouts) for place in range(len(layout))]
            saying = [Saying(CALLS[layouts[row][place]]) for row, place in places]
            self._say(query.ids, read, told, places, saying, asked)
        texts: list[list[tuple[str, ...]]] = [[] for _ in layouts]
        for (row, _), one in zip(places, saying, strict=True):
            texts[row].append(one.texts)
        return [program_of(layout, own) for layout, own in zip(layouts, texts, strict=True)]

    def _say(
        self,
        ids: Tensor,
        read: Read,
        told: Told,
        places: list[tuple[int, int]],
        saying: list[Saying],
        asked: Sequence[Sequence[str]],
    ) -> None:
        calls = self._calls(ids, told, places)
        state, before = self._begun(calls), calls.rows.new_full((len(places),), PADDING)
        seen = torch.zeros_like(state)
        while not all(one.over for one in saying):
            state, seen, chances = self._next(read, calls, before, state, seen)
            chances = chances.masked_fill(~self._fitting(saying, chances.shape[1]), -1.0)
            before = chances.argmax(dim=1)
            for number, (row, _), one in zip(before.tolist(), places, saying, strict=True):
                if not one.over:
                    known = number < len(self._names)
                    one.add(self._names[number] if known else asked[row][number - len(self._names)])

    def _fitting(self, saying: list[Saying], width: int) -> Tensor:
        """(call, word): those that may come next; words that only a question has are words like others."""
        table: Tensor = self.kinds  # type: ignore[assignment]
        longer = torch.cat((table, table.new_full((width - len(table),), Kind.WORD)))
        allowed = torch.zeros(len(saying), len(Kind), dtype=torch.bool)
        for row, one in enumerate(saying):
            allowed[row, list(one.may() if not one.over else {Kind.END})] = True
        return allowed.to(table.device)[:, longer]

    def _costs(self, ids: Tensor, read: Read, told: Told, texts: list[list[tuple[str, ...]]]) -> Tensor:
        """(batch): minus the logarithm of how likely the true words were."""
        places = [(row, place) for row, own in enumerate(texts) for place, words in enumerate(own) if words]
        places.sort(key=lambda at: -len(texts[at[0]][at[1]]))  # so that those that still speak are the first
        lengths = [len(texts[row][place]) for row, place in places]
        calls = self._calls(ids, told, places)
        true = self._true(calls, [texts[row][place] for row, place in places], ids)  # (call, step)
        state, before = self._begun(calls), calls.rows.new_full((len(places),), PADDING)
        seen, costs = torch.zeros_like(state), state.new_zeros(len(texts))
        for step in range(true.shape[1]):
            speaking = bisect_left(lengths, -step, key=lambda length: -length)  # those longer than this
            now = calls.first(speaking)
            state, seen, chances = self._next(read, now, before[:speaking], state[:speaking], seen[:speaking])
            before = true[:speaking, step]
            own = chances.gather(1, before[:, None])[:, 0].clamp(min=_LOW).log()
            costs = costs.index_add(0, now.rows, -own.masked_fill(before <= UNKNOWN, 0.0))
        return costs

    def _true(self, calls: _Calls, texts: Sequence[Sequence[str]], ids: Tensor) -> Tensor:
        """(call, step): numbers of the words that should be said; unknown ones cost nothing."""
        longest = max(map(len, texts))
        place = {name: number for number, name in enumerate(self._asked) if name}
        rows = ids[:, 0].tolist()
        found = []
        for row, words in zip(calls.rows.tolist(), texts, strict=True):
            numbers = [self._numbers.get(word) or self._copied(place.get(word), rows[row]) for word in words]
            found.append([*numbers, *[PADDING] * (longest - len(numbers))])
        return torch.tensor(found, device=ids.device)

    def _copied(self, number: int | None, asked: list[int]) -> int:
        return len(self._names) + asked.index(number) if number in asked else UNKNOWN

    def _calls(self, ids: Tensor, told: Told, places: list[tuple[int, int]]) -> _Calls:
        rows, columns = torch.tensor(places, device=ids.device).T
        same: Tensor = self.same  # type: ignore[assignment]
        asked = ids[:, 0]  # (batch, word)
        own = same[asked]
        first = (asked[:, :, None] == asked[:, None]).int().argmax(dim=2)  # the first place of the same word
        copied = torch.where(own == PADDING, first + len(self._names), own)
        # BLANK, at the end of a question, is no word to be copied: it counts as padding, which is never said.
        longer = nn.functional.pad(copied, (0, 1), value=PADDING).masked_fill(
            nn.functional.pad(asked == PADDING, (0, 1), value=True), PADDING
        )
        return _Calls(rows, columns, told.states[rows, columns], longer[rows])

    def _begun(self, calls: _Calls) -> Tensor:
        begun: Tensor = self.begin(calls.states).tanh()
        return begun

    def _next(
        self, read: Read, calls: _Calls, before: Tensor, state: Tensor, seen: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """After the word before: the state, what was attended to, and how likely each word is."""
        known = before.masked_fill(before >= len(self._names), UNKNOWN)
        state = self.say(torch.cat((self.table(known), seen), dim=1), state)
        questions, own_places = len(read.words), (calls.rows, calls.columns)
        looked = self.attend(calls.by_question(state, questions), read.states, read.mask)
        joined = self.join(torch.cat((state, looked.values[own_places]), dim=1)).tanh()
        lowest = torch.finfo(joined.dtype).min
        asking = calls.by_question(joined @ self.copy.weight, questions)
        pointing = (asking @ read.states.transpose(1, 2)).masked_fill(~read.mask[:, None], lowest)
        scores = torch.cat((self.word(joined), pointing[own_places]), dim=1)
        shares = scores.float().softmax(dim=1)
        own, copied = shares[:, : len(self._names)], shares[:, len(self._names) :]
        wide = nn.functional.pad(own, (0, copied.shape[1]))
        return state, joined, wide.scatter_add(1, calls.copied, copied)
