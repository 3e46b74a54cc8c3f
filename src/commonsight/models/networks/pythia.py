"""Pythia (Jiang et al., 2018): bottom-up attention with other layers, as A-OKVQA has it (section 5.4).

What differs from Anderson et al. (2018): rectified layers with normalised weights in place of gated tanhs,
products in place of concatenations, and a question that is read by attention over its words. The released
program reads it with an LSTM, where the paper has a GRU; this is as released.
"""

from __future__ import annotations

from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.looking import Gaze, gazed
from commonsight.models.layers.masks import masked_softmax
from commonsight.models.layers.normed import NormedReLU
from commonsight.models.layers.recurrent import ForwardLSTM
from commonsight.models.network import Scores, needed, scored
from commonsight.models.networks.rare import begun_rare
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import WordVectors


class Meeting(nn.Module):
    """What is seen times what is asked, each through a layer of its own."""

    def __init__(self, seen: int, asked: int, out: int) -> None:
        super().__init__()
        self.seen, self.asked = NormedReLU(seen, out), NormedReLU(asked, out)

    def forward(self, seen: Tensor, asked: Tensor) -> Tensor:
        """(..., seen) and (..., asked) -> (..., out)"""
        met: Tensor = self.seen(seen) * self.asked(asked)
        return met


class AttendedWords(nn.Module):
    """A question as what it says at the words that matter, several times over, side by side."""

    def __init__(self, words: int, *, hidden: int, inner: int, glimpses: int, dropout: float) -> None:
        super().__init__()
        self.read = ForwardLSTM(words, hidden, dropout=dropout)
        self.inner = nn.Linear(hidden, inner)
        # No bias: one number added to every word changes no softmax.
        self.weigh = nn.Linear(inner, glimpses, bias=False)
        self.dim = glimpses * hidden

    def forward(
        self, words: Tensor, lengths: Tensor, mask: Tensor, *, generator: Generator | None
    ) -> Tensor:
        """(batch, word, words), how many there are, and which -> (batch, glimpses x hidden)"""
        steps = self.read(words, lengths, generator=generator).steps  # (batch, word, hidden)
        scores = self.weigh(self.inner(steps).relu()).transpose(1, 2)  # (batch, glimpse, word)
        read: Tensor = masked_softmax(scores, mask[:, None]) @ steps
        return read.flatten(1)


class Pythia(nn.Module):
    """One attention over objects; answers are named by two heads, whose scores add up."""

    def __init__(
        self,
        words: WordVectors,
        regions: RegionEncoder,
        *,
        answers: int,
        reading: int,
        inner: int,
        hidden: int,
        narrow: int,
        glimpses: int = 2,
        dropout: float = 0.0,
    ) -> None:
        """`reading` numbers of a word as it is read, and `inner` ones to weigh it by; `hidden` numbers where
        objects and question meet; one head is `hidden` wide, the other `narrow`."""
        super().__init__()
        self.words, self.regions, self.dropout = words, regions, dropout
        self.ask = AttendedWords(
            words.dim, hidden=reading, inner=inner, glimpses=glimpses, dropout=dropout
        )
        self.meet = Meeting(regions.dim, self.ask.dim, hidden)
        self.look = nn.Linear(hidden, 1, bias=False)
        self.join = Meeting(regions.dim, self.ask.dim, hidden)
        self.wide, self.narrow = NormedReLU(hidden, hidden), NormedReLU(hidden, narrow)
        self.by_wide, self.by_narrow = nn.Linear(hidden, answers), nn.Linear(narrow, answers, bias=False)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query, seen = needed(batch.query, "a query word by word"), needed(batch.seen, "pictures")
        read, lengths, there = self.words(query)[:, 0], query.lengths[:, 0], query.mask[:, 0]
        asked = self.ask(read, lengths, there, generator=generator)  # (batch, asked)
        objects = self.regions(seen)  # (batch, object, seen)
        met = dropout(self.meet(objects, asked[:, None]), self.dropout, generator, self.training)
        gaze: Gaze = gazed(objects, self.look(met).squeeze(-1), seen.mask)
        both = dropout(self.join(gaze.values, asked), self.dropout, generator, self.training)
        logits: Tensor = self.by_wide(self.wide(both)) + self.by_narrow(self.narrow(both))
        return scored(logits, batch, attention={"glimpses": gaze.weights[:, None, None]})


def pythia_small(parts: Parts) -> Pythia:
    """For the drawn world."""
    network = _built(parts, reading=96, inner=48, hidden=192, narrow=48, dropout=0.2)
    begun_rare(network.by_wide)
    return network


def pythia_paper(parts: Parts) -> Pythia:
    """5,000 numbers where question and objects meet (its section 2.1); 1,024 for a word, weighed by 512 into
    two glimpses, and a second head of 300, without dropout, are the released settings."""
    return _built(parts, reading=1024, inner=512, hidden=5000, narrow=300, dropout=0.0)


def _built(parts: Parts, *, reading: int, inner: int, hidden: int, narrow: int, dropout: float) -> Pythia:
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return Pythia(
        words,
        regions,
        answers=parts.answers,
        reading=reading,
        inner=inner,
        hidden=hidden,
        narrow=narrow,
        dropout=dropout,
    )
