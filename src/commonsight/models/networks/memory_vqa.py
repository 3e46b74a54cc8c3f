"""Memory-VQA: a question looks first at facts, then at objects with what it has learned from them.

CRIC, section 4.1, equations 1 and 2, and Figure 10. Facts are those that share a word with the question
(`graph.retrieval`). A GRU tells from the question which relation is asked for, and only facts of that one are
kept; it learns that from the questions' programs, where these look something up. Where no fact is of that
relation all are kept, which is our choice: the paper does not say. Nor does it say in which order a fact's
words are read: from the last to the first, so that facts help that no training question was about
(docs/results.md).
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Generator, Tensor, nn

from commonsight.graph.knowledge import RELATIONS
from commonsight.models.features.batch import Batch, Facts, Words
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.looking import Combined, Gaze, TopDown, pointing_loss
from commonsight.models.layers.perceptron import Perceptron
from commonsight.models.layers.recurrent import GRU, turned
from commonsight.models.network import Scores, needed, scored
from commonsight.models.networks.pointing import taught
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import WordVectors


class MemoryVQA(nn.Module):
    """Two banks, of facts and of objects; one attention over each; an MLP that names the answer."""

    def __init__(
        self,
        words: WordVectors,
        regions: RegionEncoder,
        *,
        answers: int,
        relations: int,
        hidden: int,
        dropout: float,
        relating: float = 1.0,
        pointing: float = 0.0,
    ) -> None:
        """`relating` weighs the loss of mistaking the relation, `pointing` that of looking elsewhere than at
        the targets."""
        super().__init__()
        self.words, self.regions, self.dropout = words, regions, dropout
        self.relating, self.pointing = relating, pointing
        self.ask, self.hear = (GRU(words.dim, hidden, dropout=dropout) for _ in range(2))
        self.relation = nn.Linear(hidden, relations)
        self.memorise = GRU(words.dim, hidden, dropout=dropout)
        self.know, self.learn = TopDown(hidden, hidden, hidden), Combined(hidden, hidden, hidden)
        self.look, self.see = TopDown(regions.dim, hidden, hidden), Combined(regions.dim, hidden, hidden)
        self.answer = Perceptron(hidden, 2 * hidden, answers, dropout=dropout)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query, seen = needed(batch.query, "a query word by word"), needed(batch.seen, "pictures")
        facts, read = needed(batch.facts, "facts"), self.words(query)
        asked = self.ask(read, query.lengths, generator=generator)[:, 0]  # (batch, hidden)
        heard = self.hear(read, query.lengths, generator=generator)[:, 0]
        relation = self.relation(dropout(heard, self.dropout, generator, self.training))  # (batch, relation)
        kept = _kept(facts, relation.argmax(dim=1))  # (batch, fact)
        known: Gaze = self.know(self._bank(facts, kept, generator), asked, kept)
        learned = self.learn(known.values, asked)  # (batch, hidden): equation 1
        gaze: Gaze = self.look(self.regions(seen), learned, seen.mask)
        both = dropout(self.see(gaze.values, learned), self.dropout, generator, self.training)  # equation 2
        extra = self.relating * pointing_loss(relation, torch.ones_like(facts.sought), facts.sought)
        pointed = taught(gaze, batch, self.pointing)
        return scored(
            self.answer(both, generator),
            batch,
            extra=extra if pointed is None else extra + pointed,
            attention={"glimpses": gaze.weights[:, None, None], "facts": known.weights[:, None, None]},
        )

    def _bank(self, facts: Facts, kept: Tensor, generator: Generator | None) -> Tensor:
        """(batch, fact, hidden): what is read of each fact that is kept, once however many questions keep it;
        zeros for the others, which are most, and are not read."""
        read = kept.clone()
        read[0, 0] = True  # so that every weight has its part in every batch; nobody looks at it
        chosen, own = torch.unique(facts.which[read], return_inverse=True)
        vectors, lengths = self._chosen(facts.words, chosen)
        # From its end: a GRU knows best what it read last, and what a fact is about mostly comes first.
        read_last = turned(vectors, lengths)
        bank: Tensor = self.memorise(read_last, lengths, generator=generator)  # (different fact, hidden)
        places = read.flatten().nonzero().squeeze(1)
        empty: Tensor = bank.new_zeros(read.numel(), bank.shape[1])
        return empty.index_copy(0, places, bank[own]).view(*read.shape, -1)

    def _chosen(self, words: Words, chosen: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors of these facts' words, (fact, word, dim), and how many words each has."""
        lengths, vectors = words.lengths[:, chosen], words.vectors
        longest = int(lengths.max())
        some = replace(
            words,
            ids=words.ids[:, chosen, :longest],
            lengths=lengths,
            objects=words.objects[:, chosen, :longest],
            vectors=None if vectors is None else vectors[:, chosen, :longest],
        )
        return self.words(some)[0], lengths[0]


def _kept(facts: Facts, relation: Tensor) -> Tensor:
    """(batch, fact): those of this relation, (batch); where there is none, all that there are."""
    fitting = facts.mask & (facts.relations == relation[:, None])
    return torch.where(fitting.any(dim=1, keepdim=True), fitting, facts.mask)


def memory_vqa_small(parts: Parts, *, pointing: float = 0.0) -> MemoryVQA:
    """For the drawn world."""
    return _built(parts, hidden=96, dropout=0.2, pointing=pointing)


def memory_vqa_paper(parts: Parts, *, pointing: float = 0.0) -> MemoryVQA:
    """The paper gives no numbers: 512, as in the bottom-up attention that it takes over, without dropout, and
    losses of equal weight are our choice."""
    return _built(parts, hidden=512, dropout=0.0, pointing=pointing)


def _built(parts: Parts, *, hidden: int, dropout: float, pointing: float) -> MemoryVQA:
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return MemoryVQA(
        words,
        regions,
        answers=parts.answers,
        relations=len(RELATIONS),
        hidden=hidden,
        dropout=dropout,
        pointing=pointing,
    )
