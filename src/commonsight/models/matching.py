"""Cross-encoders as judges of matching: relevance is fine-tuned, similarity comes from any NLI model.

People are named by gender-neutral names and objects by their class, as in the paper (VCR, appendix C). A
judge holds only the name of its model and numbers: it is handed to workers, which load the model themselves.
"""

from __future__ import annotations

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
from msgspec import structs

from commonsight.build.matching.remap import Remap, remapped
from commonsight.build.matching.scorers import Rows, Scores
from commonsight.build.matching.values import Pair, normalised
from commonsight.core.text import NEUTRAL_NAMES, TaggedText
from commonsight.errors import InputError
from commonsight.models.cross_encoder import CrossEncoder, Example, Fitting, Progress, silent
from commonsight.models.sources import Source, source
from commonsight.store.atomic import new_folder

ACTUAL_OF = 4
"""One query in so many is shown its actual response: the paper's 25 %, without the luck."""
PAIRS_AT_ONCE = 4096
"""About how many pairs are scored together: enough for batches of like length."""
ENTAILED = ("entailment", "entail", "entails", "entailed")
"""What models of natural language inference call the class that similarity is made of."""
_TRIES = 20


class TransformerRelevance:
    """A relevance model that is fine-tuned from any pretrained transformer.

    With `keep`, a folder, what was fitted is kept there and found again by what it was fitted on: a run that
    goes on, or another worker on the same fold, need not fit anew.
    """

    def __init__(
        self,
        model: str,
        *,
        fitting: Fitting | None = None,
        keep: Path | None = None,
        progress: Progress = silent,
        device: str = "cpu",
    ) -> None:
        self._source = source(model)
        self._fitting = Fitting() if fitting is None else fitting
        self._keep, self._progress, self._device = keep, progress, device
        self.name = f"transformer-relevance-1({self._source.name}, {self._fitting}{elsewhere(device)})"

    def fit(self, pairs: Sequence[Pair], *, seed: int) -> FittedTransformerRelevance:
        """Fine-tune on these pairs, or find what was fitted on them before."""
        kept = None if self._keep is None else self._keep / self._print(pairs, seed)
        if kept is not None and kept.is_dir():
            # Not looked at anew: it has the tokenizer and the limits of what it was made from.
            model = self._load(structs.replace(self._source, place=str(kept)), seed)
            return FittedTransformerRelevance(model, seed)
        model = self._load(self._source, seed)
        model.fit(partial(drawn, pairs, seed), self._fitting, seed=seed, progress=self._progress)
        if kept is not None and not kept.is_dir():
            with new_folder(kept, overwrite=True) as beside:
                model.save(beside)
        return FittedTransformerRelevance(model, seed)

    def _load(self, place: Source, seed: int) -> CrossEncoder:
        return CrossEncoder.load(place, classes=2, seed=seed, device=self._device)

    def _print(self, pairs: Sequence[Pair], seed: int) -> str:
        said = hashlib.sha256(f"{self.name}:{seed}:".encode())
        for pair in pairs:
            said.update(msgspec.json.encode(pair))
        return said.hexdigest()[:32]


def drawn(pairs: Sequence[Pair], seed: int, epoch: int) -> list[Example]:
    """Each query once: a quarter with their own response, the others with a random one, remapped.

    It is another quarter in each epoch.
    """
    texts = [normalised(pair.response) for pair in pairs]
    if len(set(texts)) < 2:
        raise InputError(
            "The relevance model needs at least two different responses to learn from. "
            "Give more annotations, or annotations whose responses differ."
        )
    order = list(range(len(pairs)))
    random.Random(f"{seed}:quarters").shuffle(order)
    rng = random.Random(f"{seed}:{epoch}:responses")
    return [
        _example(pairs, place, texts, actual=turn % ACTUAL_OF == epoch % ACTUAL_OF, rng=rng)
        for turn, place in enumerate(order)
    ]


def _example(
    pairs: Sequence[Pair], place: int, texts: Sequence[str], *, actual: bool, rng: random.Random
) -> Example:
    pair = pairs[place]
    response = pair.response
    if not actual:
        # Most responses read unlike this one, so a few tries find one.
        tries = [rng.randrange(len(pairs)) for _ in range(_TRIES)]
        other = pairs[next((found for found in tries if texts[found] != texts[place]), tries[-1])]
        response = remapped(other.response, other.objects, pair, rng)
    return Example(_named(pair.query, pair), _named(response, pair), int(actual))


def elsewhere(device: str) -> str:
    """For provenance: the last bits of scores depend on what computes them."""
    return "" if device == "cpu" else f", on {device}"


def _named(text: TaggedText, pair: Pair) -> str:
    return text.with_names(pair.objects)


class FittedTransformerRelevance:
    """A fine-tuned model. Responses are remapped to each query before they are judged, as in the paper."""

    def __init__(self, model: CrossEncoder, seed: int) -> None:
        self._model, self.remap_seed = model, str(seed)

    def weigh(self, bucket: Sequence[Pair], remap: Remap | None = None) -> TransformerBlocks:
        """All pairs of a bucket, scored when they are asked for."""
        return TransformerBlocks(self, bucket, remap if remap is not None else Remap(bucket, self.remap_seed))

    def score(self, queries: Sequence[Pair], responses: Sequence[TaggedText]) -> Scores:
        """log P_rel of each query with the response beside it."""
        asked = [_named(pair.query, pair) for pair in queries]
        said = [_named(text, pair) for text, pair in zip(responses, queries, strict=True)]
        return self._model.log_chances(asked, said)[:, 1]


class TransformerBlocks:
    """log P_rel of all pairs of a bucket, each computed once: four bytes for every pair are kept.

    Rows are computed in groups that do not depend on which are asked for, as the last bit of a score depends
    on the texts beside it in a batch.
    """

    def __init__(self, fitted: FittedTransformerRelevance, bucket: Sequence[Pair], remap: Remap) -> None:
        self._fitted, self._bucket, self._remap = fitted, bucket, remap
        self._group = max(1, PAIRS_AT_ONCE // max(1, len(bucket)))
        self._known: dict[int, Scores] = {}

    def __len__(self) -> int:
        return len(self._bucket)

    def rows(self, queries: Rows) -> Scores:
        """log P_rel of these queries with all responses."""
        scores = np.zeros((len(queries), len(self)), np.float32)
        for row, query in zip(scores, queries.tolist(), strict=True):
            group, place = divmod(query, self._group)
            if group not in self._known:
                self._known[group] = self._scored(group)
            row[:] = self._known[group][place]
        return scores

    def _scored(self, group: int) -> Scores:
        n = len(self)
        own = range(group * self._group, min((group + 1) * self._group, n))
        texts = [self._remap(query, response) for query in own for response in range(n)]
        asked = [self._bucket[query] for query in own for _ in range(n)]
        return self._fitted.score(asked, texts).reshape(len(own), n)


class EntailmentSimilarity(ABC):
    """P_sim from whoever tells what follows from what: the greater of both directions of entailment."""

    name: str

    @abstractmethod
    def either_way(self, ones: Sequence[str], others: Sequence[str]) -> Scores:
        """How likely each text is to follow from the one beside it, or that one from it, the greater of both.

        The last bits may depend on the texts that are asked for together, but on nothing asked for before:
        else the result would depend on which worker had which bucket.
        """

    def score(self, ones: Sequence[Pair], others: Sequence[Pair]) -> Scores:
        """P_sim of each response with the one beside it."""
        return self._similar([_by_mention(pair) for pair in ones], [_by_mention(pair) for pair in others])

    def _similar(self, ones: Sequence[str], others: Sequence[str]) -> Scores:
        both = self.either_way(ones, others)
        alike = [one == other for one, other in zip(ones, others, strict=True)]
        both[alike] = 1.0
        settled: Scores = np.minimum(both, np.float32(1.0))
        return settled

    def weigh(self, bucket: Sequence[Pair]) -> SharedTexts:
        """All pairs of a bucket's responses, each two different texts once."""
        numbers: dict[str, int] = {}
        which = np.array([numbers.setdefault(_by_mention(pair), len(numbers)) for pair in bucket], np.int64)
        texts = tuple(numbers)
        matrix = np.ones((len(texts), len(texts)), np.float32)
        step = max(1, PAIRS_AT_ONCE // max(1, len(texts)))
        for start in range(0, len(texts), step):
            places = [
                (one, other)
                for one in range(start, min(start + step, len(texts)))
                for other in range(one + 1, len(texts))
            ]
            scores = self._similar([texts[one] for one, _ in places], [texts[other] for _, other in places])
            for (one, other), score in zip(places, scores, strict=True):
                matrix[one, other] = matrix[other, one] = score
        return SharedTexts(matrix, which)


class TransformerSimilarity(EntailmentSimilarity):
    """Any transformer that was trained on natural language inference."""

    def __init__(self, model: str, *, device: str = "cpu") -> None:
        self._source = source(model)
        self._class = _entailed(model, self._source.labels)
        self._device = device
        self._loaded: CrossEncoder | None = None
        self.name = f"transformer-similarity-1({self._source.name}{elsewhere(device)})"

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_loaded": None}  # each process loads its own

    def entails(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Scores:
        """How likely each hypothesis is to follow from the premise beside it, in this direction only."""
        if self._loaded is None:
            self._loaded = CrossEncoder.load(self._source, device=self._device)
        chances: Scores = np.exp(self._loaded.log_chances(premises, hypotheses)[:, self._class])
        return chances

    def either_way(self, ones: Sequence[str], others: Sequence[str]) -> Scores:
        """The greater of both directions, each read on its own."""
        there, back = self.entails([*ones, *others], [*others, *ones]).reshape(2, len(ones))
        greater: Scores = np.maximum(there, back)
        return greater


class SharedTexts:
    """P_sim of responses of which some read the same, from that of the different texts."""

    def __init__(self, matrix: Scores, which: Rows) -> None:
        self._matrix, self._which = matrix, which

    def __len__(self) -> int:
        return len(self._which)

    def rows(self, responses: Rows) -> Scores:
        """P_sim of these responses with all."""
        return self._matrix[self._which[responses]][:, self._which]

    def pairs(self, ones: Rows, others: Rows) -> Scores:
        """P_sim of each response with the one beside it."""
        return self._matrix[self._which[ones], self._which[others]]


def _by_mention(pair: Pair) -> str:
    """A response with its people named in the order in which it mentions them.

    Two responses that say the same of someone would be two right answers, whoever they point to.
    """
    people = dict.fromkeys(tag for tag in pair.response.references() if pair.objects[tag] == "person")
    names = {tag: NEUTRAL_NAMES[rank % len(NEUTRAL_NAMES)] for rank, tag in enumerate(people)}
    return pair.response.render(lambda tag: names.get(tag) or f"the {pair.objects[tag]}")


def _entailed(model: str, labels: Sequence[str]) -> int:
    """The number of the class that means entailment."""
    found = [number for number, label in enumerate(labels) if label.strip().lower() in ENTAILED]
    if len(found) == 1 and len(labels) > 1:
        return found[0]
    raise InputError(
        f"{model}: similarity needs a model with a class called entailment, but its classes are "
        f"{', '.join(labels) or 'none'}. Give a model of natural language inference, or name its classes in "
        "id2label of its config.json."
    )
