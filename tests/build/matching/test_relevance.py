"""The embedded relevance model: what it learns, that it is calibrated, and that it is the same everywhere."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from commonsight.build.matching.relevance import EmbeddedRelevance, FittedEmbeddedRelevance
from commonsight.build.matching.remap import remapped
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText
from commonsight.errors import InputError
from commonsight.text.encoders import HashedEncoder, default_encoder

TOPICS = {
    "kitchen": ("cooking soup", "stirring pans", "washing plates"),
    "street": ("waiting outside", "hailing cabs", "crossing roads"),
    "office": ("typing letters", "filing papers", "answering calls"),
    "garden": ("planting seeds", "raking leaves", "watering roses"),
}
SAID = ("quietly", "slowly", "again", "today", "alone", "gladly", "here", "now")


def planted(count: int, seed: int = 0) -> list[Pair]:
    """Questions that name a place, answered by what is done there: nothing in the words is shared."""
    rng = random.Random(seed)
    pairs = []
    for number in range(count):
        place = rng.choice(sorted(TOPICS))
        done = f"is {rng.choice(TOPICS[place])} {rng.choice(SAID)} {rng.choice(SAID)} ."
        query = TaggedText(("What", "is", (0,), "doing", "in", "the", place, "?"))
        response = TaggedText(((0,), *done.split()))
        pairs.append(Pair(f"p{number}", f"image{number}", ("person", "chair"), query, response))
    return pairs


def _place(pair: Pair) -> str:
    return next(str(token) for token in pair.query.tokens if token in TOPICS)


class Judged(NamedTuple):
    """Chances that a model gave to actual and to random responses."""

    chances: NDArray[np.float64]
    actual: NDArray[np.bool_]

    def auc(self) -> float:
        order = np.argsort(np.argsort(self.chances))
        hits = int(self.actual.sum())
        ranks = float(order[self.actual].sum()) - hits * (hits - 1) / 2
        return ranks / (hits * (len(order) - hits))

    def worst_bin(self, bins: int = 5) -> float:
        """The greatest difference between the mean chance and what was seen, in bins of equal size."""
        parts = np.array_split(np.argsort(self.chances, kind="stable"), bins)
        return max(abs(float(self.chances[part].mean() - self.actual[part].mean())) for part in parts)


def judged(model: FittedEmbeddedRelevance, pairs: list[Pair], seed: int = 1) -> Judged:
    """Each query with its own response and with three random ones, remapped."""
    rng = random.Random(seed)
    queries, responses, actual = [], [], []
    for pair in pairs:
        others = [rng.choice(pairs) for _ in range(3)]
        queries += [pair] * 4
        responses += [pair.response, *(remapped(one.response, one.objects, pair, rng) for one in others)]
        actual += [True, False, False, False]
    return Judged(np.exp(model.score(queries, responses).astype(np.float64)), np.array(actual))


@pytest.fixture(scope="module")
def model() -> FittedEmbeddedRelevance:
    return EmbeddedRelevance(HashedEncoder()).fit(planted(400), seed=3)


def test_what_belongs_together_is_learned(model: FittedEmbeddedRelevance) -> None:
    pairs = planted(120, seed=9)
    scores = model.weigh(pairs).rows(np.arange(len(pairs)))
    places = np.array([_place(pair) for pair in pairs])
    alike = places[:, None] == places
    assert scores[alike].min() > scores[~alike].max()
    assert judged(model, pairs).auc() > 0.85


def test_scores_are_logarithms_of_chances(model: FittedEmbeddedRelevance) -> None:
    scores = model.weigh(planted(50)).rows(np.arange(50))
    assert (scores.shape, scores.dtype) == ((50, 50), np.float32)
    assert np.isfinite(scores).all()
    assert scores.max() <= 0


def test_blocks_and_single_scores_agree(model: FittedEmbeddedRelevance) -> None:
    pairs = planted(60, seed=4)
    block = model.weigh(pairs).rows(np.arange(60))
    for shift in (0, 1, 17):
        others = [pairs[(place + shift) % 60].response for place in range(60)]
        beside = block[np.arange(60), (np.arange(60) + shift) % 60]
        assert np.abs(model.score(pairs, others) - beside).max() < 0.03


def test_a_row_is_the_same_whatever_is_asked_with_it(
    model: FittedEmbeddedRelevance, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = model.weigh(planted(60, seed=4))
    whole = blocks.rows(np.arange(60))
    chosen = np.array([7, 3, 59, 7])
    assert blocks.rows(chosen).tobytes() == whole[chosen].tobytes()
    assert blocks.rows(np.zeros(0, np.int64)).shape == (0, 60)
    monkeypatch.setattr("commonsight.build.matching.relevance._AT_ONCE", 7 * 60)
    assert blocks.rows(np.arange(60)).tobytes() == whole.tobytes()


def test_whole_numbers_stay_exact(model: FittedEmbeddedRelevance) -> None:
    blocks = model.weigh(planted(80))
    left, right = blocks._queries.astype(np.float64), blocks._responses.astype(np.float64)
    assert np.array_equal(left, np.round(left))
    assert float((np.abs(left) @ np.abs(right)).max()) < 2**24
    assert np.array_equal(left @ right, (blocks._queries @ blocks._responses).astype(np.float64))


def test_a_response_of_classes_that_the_image_lacks_fits_less() -> None:
    rng = random.Random(0)
    things = ("car", "dog", "cup", "boat", "tie", "bed")
    query = TaggedText(("What", "is", "this", "?"))
    pairs = [
        Pair(str(number), str(number), (thing,), query, TaggedText(("It", "is", (0,), rng.choice(SAID))))
        for number in range(300)
        for thing in [rng.choice(things)]
    ]
    model = EmbeddedRelevance(HashedEncoder()).fit(pairs, seed=0)
    fits, lacks = model.score(
        [pairs[0]] * 2, [TaggedText(("It", "is", (0,))), _other_thing(pairs[0], things)]
    )
    assert fits > lacks + 1


def _other_thing(pair: Pair, things: tuple[str, ...]) -> TaggedText:
    return TaggedText(("It", "is", "the", next(thing for thing in things if thing not in pair.objects)))


def test_a_bucket_of_one_and_of_none(model: FittedEmbeddedRelevance) -> None:
    assert model.weigh(planted(1)).rows(np.array([0])).shape == (1, 1)
    assert len(model.weigh([])) == 0
    assert model.score([], []).shape == (0,)


def test_texts_without_words_get_chances_too(model: FittedEmbeddedRelevance) -> None:
    empty = [
        Pair(str(n), str(n), (), TaggedText(()), TaggedText.plain(text)) for n, text in enumerate(("", "?!"))
    ]
    scores = model.weigh(empty).rows(np.arange(2))
    assert np.isfinite(scores).all()
    assert (scores <= 0).all()
    assert np.abs(model.score(empty, [pair.response for pair in empty]) - np.diag(scores)).max() < 0.03


def test_where_nothing_can_be_learned_a_quarter_is_told() -> None:
    rng = random.Random(5)
    pairs = [
        Pair(str(n), str(n), (), TaggedText.plain("Why?"), TaggedText.plain(rng.choice(SAID)))
        for n in range(400)
    ]
    told = judged(EmbeddedRelevance(HashedEncoder(64)).fit(pairs, seed=0), pairs)
    assert np.abs(told.chances - 0.25).max() < 0.1


@pytest.mark.parametrize("pairs", [[], planted(1), [planted(1)[0]] * 5], ids=["none", "one", "all alike"])
def test_without_two_responses_the_remedy_is_named(pairs: list[Pair]) -> None:
    with pytest.raises(InputError, match=r"at least two different responses.*Give more annotations"):
        EmbeddedRelevance(HashedEncoder()).fit(pairs, seed=0)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_few_pairs_are_enough_to_go_on(count: int) -> None:
    scores = (
        EmbeddedRelevance(HashedEncoder()).fit(planted(count), seed=0).weigh(planted(9)).rows(np.arange(9))
    )
    assert np.isfinite(scores).all()
    assert scores.max() <= 0


def test_many_pairs_are_sampled() -> None:
    model = EmbeddedRelevance(HashedEncoder(), most_pairs=100).fit(planted(300), seed=0)
    assert judged(model, planted(60, seed=8)).auc() > 0.8


def test_the_name_tells_the_encoder() -> None:
    assert EmbeddedRelevance(HashedEncoder(32)).name == "embedded-relevance-1(hashed-32)"
    assert default_encoder().name in EmbeddedRelevance().name


def test_the_seed_matters_and_is_all_that_does() -> None:
    pairs = planted(80)

    def scores(seed: int) -> bytes:
        return (
            EmbeddedRelevance(HashedEncoder(32))
            .fit(pairs, seed=seed)
            .weigh(pairs)
            .rows(np.arange(80))
            .tobytes()
        )

    assert scores(1) == scores(1)
    assert scores(1) != scores(2)


_SCRIPT = """
import hashlib, importlib.util, sys
import numpy as np
spec = importlib.util.spec_from_file_location("here", sys.argv[1])
here = importlib.util.module_from_spec(spec)
spec.loader.exec_module(here)
print(here.fingerprint())
"""


def fingerprint() -> str:
    """A hash of what a model fitted here says of a bucket."""
    pairs = planted(150)
    scores = EmbeddedRelevance(HashedEncoder(64)).fit(pairs, seed=1).weigh(pairs).rows(np.arange(150))
    return hashlib.sha256(scores.tobytes()).hexdigest()


def test_processes_and_threads_do_not_matter() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT, __file__],
            env={**os.environ, "PYTHONHASHSEED": seed, "OPENBLAS_NUM_THREADS": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


def _tokens(tokens: list[Any]) -> TaggedText:
    return TaggedText(tuple(tuple(token) if isinstance(token, list) else token for token in tokens))


def _question(record: dict[str, Any]) -> list[Any]:
    """The question alone: one of the files puts the rationale before it."""
    if "question" in record:
        return list(record["question"])
    tokens = record["premise"]
    ends = [place for place, token in enumerate(tokens[:-1]) if token in (".", "!", "?")]
    return list(tokens[ends[-1] + 1 :]) if ends else list(tokens)


def real_pairs(folder: Path) -> list[Pair]:
    """Questions with their answers, from all of the VCR-style text there is."""
    pairs = []
    for name in ("val_152", "premise_form_2923", "gd_vcr_886"):
        for number, line in enumerate((folder / f"{name}.jsonl").read_text("utf-8").splitlines()):
            record = json.loads(line)
            answer = _tokens(record["answer_choices"][record["answer_label"]])
            image = f"{name}:{record['img_fn']}"
            query = _tokens(_question(record))
            pairs.append(Pair(f"{name}:{number}", image, tuple(record["objects"]), query, answer))
    return pairs


@pytest.mark.real_data
@pytest.mark.parametrize("encoder", [HashedEncoder(), None], ids=["hashed", "default"])
def test_real_answers_are_told_from_random_ones(data_dir: Path, encoder: HashedEncoder | None) -> None:
    pairs = real_pairs(data_dir / "vcr")
    images = sorted({pair.image for pair in pairs})
    random.Random(0).shuffle(images)
    found = []
    for part in range(3):  # every third is judged by a model that saw only the images of the others
        held_out = set(images[part::3])
        model = EmbeddedRelevance(encoder).fit([one for one in pairs if one.image not in held_out], seed=0)
        found.append(judged(model, [one for one in pairs if one.image in held_out]))
        assert found[-1].auc() > 0.85  # about 0.88 hashed, 0.90 with static embeddings
    told = Judged(*map(np.concatenate, zip(*found, strict=True)))
    assert len(told.actual) == 4 * len(pairs)
    assert told.worst_bin() < 0.05
