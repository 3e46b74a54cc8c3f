"""Fit the embedded similarity model.

    python -m commonsight.build.matching.similarity_fit --nli FOLDER --out FILE

FOLDER holds snli_dev.jsonl, a premise, a hypothesis and a label a line. As in the paper (appendix C) random
pairs are added that do not follow, and paraphrases that do; ours leave out words of a sentence, where the
paper translates there and back. Negations are ours. The same file gives the same numbers.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Struct, json
from numpy.typing import NDArray

from commonsight.build.matching.similarity import Coefficients, Fitted
from commonsight.build.matching.similarity_features import FEATURES, Vocabulary, aligned, prepare
from commonsight.build.matching.similarity_words import negates, stem, words_of
from commonsight.store.atomic import new_file
from commonsight.store.jsonfiles import read_lines
from commonsight.text.encoders import Encoder, HashedEncoder, default_encoder

SEED = 0
SNLI = "snli_dev.jsonl"
LEFT_OUT = 0.12
"""How likely a paraphrase leaves out a word."""
COMMON = 60
"""Words in fewer sentences than this all weigh the same: 1."""
RIDGE = 1e-3
AT_LEAST = {"alike": 0.0, "covered": 0.0}
AT_MOST = {"lacking": 0.0, "negated": 0.0, "opposed": 0.0}
"""Signs that are not left to chance: to cover more must never make two texts less similar, and so on."""
NOTE = (
    "The logarithm of the odds that a text follows from another, by encoder. Fitted by "
    "commonsight.build.matching.similarity_fit on the development set of SNLI (Bowman et al. 2015, "
    "CC BY-SA 4.0), with random pairs and negated sentences as not following and sentences with words left "
    "out as following. "
    "The words weigh as they are rare there, by stem; others weigh 1."
)


class Judged(Struct, frozen=True):
    """A pair as people labelled it."""

    premise: str
    hypothesis: str
    label: str


class Example(NamedTuple):
    """A pair to learn from."""

    premise: str
    hypothesis: str
    follows: bool


def read_judged(path: Path) -> list[Judged]:
    """The labelled pairs of a file."""
    return [record.value for record in read_lines(path, Judged)]


def examples(judged: Sequence[Judged], rng: random.Random) -> list[Example]:
    """All that is learned from: labelled, random and paraphrased pairs."""
    labelled = [Example(pair.premise, pair.hypothesis, pair.label == "entailment") for pair in judged]
    paraphrased = [Example(pair.hypothesis, shortened(pair.hypothesis, rng), True) for pair in judged[::2]]
    return [*labelled, *random_pairs(judged, rng), *paraphrased, *_negated_pairs(judged)]


AUXILIARY = re.compile(r"\b(is|are|was|were|can|will|has|have)\b")


def _negated_pairs(judged: Sequence[Judged]) -> list[Example]:
    """Every third sentence with its own negation, which does not follow: captions alone hold hardly any."""
    texts = [pair.hypothesis for pair in judged[::3]]
    negated = [AUXILIARY.sub(r"\1 not", text, count=1) for text in texts]
    return [Example(text, other, False) for text, other in zip(texts, negated, strict=True) if other != text]


def random_pairs(judged: Sequence[Judged], rng: random.Random) -> list[Example]:
    """Hypotheses with another's premise, and with another's hypothesis, which is as long as responses are."""
    others = rng.sample(judged, len(judged))
    apart = [(a, b) for a, b in zip(judged, others, strict=True) if a.premise != b.premise]
    return [
        Example(a.premise if place % 2 else a.hypothesis, b.hypothesis, False)
        for place, (a, b) in enumerate(apart)
    ]


def shortened(text: str, rng: random.Random) -> str:
    """A text with some of its words left out, which it still says; never one that negates."""
    words = text.split()
    kept = [word for word in words if rng.random() >= LEFT_OUT or negates(word.lower())]
    return " ".join(kept or words)


def word_weights(texts: Iterable[str]) -> dict[str, float]:
    """What the common words weigh, by stem: by how rare each is, 1 for one just common enough."""
    found = [{stem(word) for word in words_of(text)} for text in texts]
    counts = Counter(word for words in found for word in words)
    scale = math.log(len(found) / COMMON) if len(found) > COMMON else 1.0
    common = sorted(word for word, count in counts.items() if count >= COMMON)
    return {word: round(min(1.0, math.log(len(found) / counts[word]) / scale), 3) for word in common}


def fit(pairs: Sequence[Example], encoder: Encoder, vocabulary: Vocabulary) -> Coefficients:
    """The logistic regression on these pairs, its signs held."""
    texts = prepare([text for pair in pairs for text in pair[:2]], encoder, vocabulary)
    first = np.arange(0, 2 * len(pairs), 2)
    features = aligned(texts, first, first + 1).astype(np.float64)
    follows = np.array([pair.follows for pair in pairs], np.float64)
    # On one scale, so that the ridge treats all alike; the scale is taken out again.
    scale = features.std(axis=0) + 1e-9
    found = _regression(features / scale, follows)
    weights = {name: round(float(value), 4) for name, value in zip(FEATURES, found[1:] / scale, strict=True)}
    return Coefficients(round(float(found[0]), 4), weights)


def _regression(features: NDArray[np.float64], follows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Intercept and weights of the least loss within the bounds."""
    from scipy.optimize import minimize

    def loss(numbers: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = features @ numbers[1:] + numbers[0]
        wrong = 1 / (1 + np.exp(-odds)) - follows
        value = np.mean(np.logaddexp(0, odds) - follows * odds) + RIDGE / 2 * np.sum(numbers[1:] ** 2)
        slope = features.T @ wrong / len(follows) + RIDGE * numbers[1:]
        return float(value), np.concatenate(([wrong.mean()], slope))

    bounds = [(None, None), *((AT_LEAST.get(name), AT_MOST.get(name)) for name in FEATURES)]
    start = np.zeros(1 + features.shape[1])
    best = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-13, "gtol": 1e-8}
    )
    return np.asarray(best.x, np.float64)


def fit_all(nli: Path, encoders: Sequence[Encoder]) -> Fitted:
    """One set of coefficients for each encoder."""
    judged = read_judged(nli / SNLI)
    words = word_weights(text for pair in judged for text in (pair.premise, pair.hypothesis))
    pairs = examples(judged, random.Random(f"{SEED}:similarity"))
    return Fitted(NOTE, words, {coder.name: fit(pairs, coder, Vocabulary(words)) for coder in encoders})


def written(fitted: Fitted) -> str:
    """The numbers as similarity.json holds them: JSON in lines that can be read."""
    sets = json.format(json.encode(fitted.encoders), indent=2).decode()
    words = textwrap.fill(json.format(json.encode(fitted.words), indent=0).decode(), 110)
    return f'{{\n"note": {json.encode(fitted.note).decode()},\n"encoders": {sets},\n"words": {words}\n}}\n'


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit for the encoders at hand and write the file; sets that it has for others stay."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[2])
    parser.add_argument("--nli", type=Path, required=True, help=f"folder with {SNLI}")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    given = parser.parse_args(arguments)
    at_hand = {encoder.name: encoder for encoder in (HashedEncoder(), default_encoder())}
    fitted = fit_all(given.nli, list(at_hand.values()))
    before = json.decode(given.out.read_bytes(), type=Fitted).encoders if given.out.exists() else {}
    sets = dict(sorted({**before, **fitted.encoders}.items()))
    with new_file(given.out) as beside:
        beside.write_text(written(Fitted(fitted.note, fitted.words, sets)), encoding="utf-8")


if __name__ == "__main__":
    main()
