"""Cross-encoders as judges: what they are shown, that all ways to ask them agree, one result."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from commonsight.build.matching.fakes import WordRelevance, WordSimilarity
from commonsight.build.matching.narrow import NarrowRelevance, NarrowSimilarity
from commonsight.build.matching.recipe import Recipe
from commonsight.build.matching.remap import Remap
from commonsight.build.matching.run import MatchRun, run_matching
from commonsight.build.matching.values import Annotation, Pair, answer_pair, normalised
from commonsight.core.text import TaggedText
from commonsight.errors import InputError
from commonsight.models import matching
from commonsight.models.cross_encoder import Fitting, Step
from commonsight.models.matching import TransformerRelevance, TransformerSimilarity, drawn
from commonsight.models.untrained import Shape, untrained
from commonsight.text.encoders import HashedEncoder

SMALL = Shape(1, 16, 2, 400, 64)
BRIEF = Fitting(1e-3, 16, 1)
DEEDS = ("holds", "wants", "sees", "paints", "drops", "likes", "hides")


def annotation(number: int) -> Annotation:
    deed = DEEDS[number % 7]
    return Annotation(
        f"a{number}",
        f"g{number // 2 % 6}",
        ("person", "cup", "person"),
        TaggedText(("Why", "is", (2,), deed, "the", (1,), "in", str(number), "?")),
        TaggedText(((2,), deed, (1,), str(number), ".")),
        image=f"image{number // 2}",
    )


ANNOTATIONS = [annotation(number) for number in range(48)]
PAIRS = [answer_pair(each) for each in ANNOTATIONS]
TEXTS = [text.with_names(pair.objects) for pair in PAIRS for text in (pair.query, pair.response)]
ROWS = np.arange(len(PAIRS), dtype=np.int64)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return untrained(tmp_path_factory.mktemp("models") / "small", TEXTS, SMALL)


@pytest.fixture(scope="module")
def nli(tmp_path_factory: pytest.TempPathFactory) -> Path:
    labels = ("CONTRADICTION", "NEUTRAL", "ENTAILMENT")
    return untrained(tmp_path_factory.mktemp("models") / "nli", TEXTS, SMALL, labels=labels, seed=5)


# --- relevance ---------------------------------------------------------------------------------------------


def test_a_quarter_is_shown_its_own_response() -> None:
    epochs = [drawn(PAIRS, 7, epoch) for epoch in range(4)]
    own = {(pair.query.with_names(pair.objects), pair.response.with_names(pair.objects)) for pair in PAIRS}
    actual: Counter[tuple[str, str]] = Counter()
    for examples in epochs:
        assert len(examples) == len(PAIRS)
        assert sum(example.label for example in examples) == len(PAIRS) // 4
        actual.update(example[:2] for example in examples if example.label)
        assert not own & {example[:2] for example in examples if not example.label}
    assert actual == Counter(dict.fromkeys(own, 1))  # each once in four epochs
    assert epochs[0] == drawn(PAIRS, 7, 0) != drawn(PAIRS, 8, 0)


def test_people_get_names_and_objects_their_class() -> None:
    examples = drawn(PAIRS, 7, 0)
    assert all(example.first.startswith("Why is Riley") for example in examples)
    assert all(" the cup in " in example.first for example in examples)
    assert {example.second.split()[0] for example in examples if example.label} == {"Riley"}
    assert {example.second.split()[0] for example in examples} == {"Riley", "Casey"}  # by remapping


def test_responses_that_all_read_alike_teach_nothing() -> None:
    alike = [Pair(str(n), str(n), (), TaggedText.plain(f"{n}?"), TaggedText.plain("Yes.")) for n in range(8)]
    with pytest.raises(InputError, match="at least two different responses"):
        drawn(alike, 0, 0)


def test_all_ways_to_ask_for_relevance_agree(folder: Path) -> None:
    fitted = TransformerRelevance(str(folder), fitting=BRIEF).fit(PAIRS, seed=3)
    all_at_once = fitted.weigh(PAIRS).rows(ROWS)
    assert all_at_once.shape == (48, 48)
    assert all_at_once.max() <= 0
    blocks = fitted.weigh(PAIRS)
    assert len(blocks) == 48
    for part in (ROWS[40:], ROWS[:1], ROWS[::-1], ROWS[[3, 3]]):  # any rows, in any order: the same bytes
        assert blocks.rows(part).tobytes() == all_at_once[part].tobytes()
    remap = Remap(PAIRS, fitted.remap_seed)
    scored = fitted.score([PAIRS[4]] * 48, [remap(4, place) for place in range(48)])
    np.testing.assert_allclose(scored, all_at_once[4], atol=1e-5)


def test_narrow_judges_agree_with_exhaustive_ones_over_all(folder: Path, nli: Path) -> None:
    slow = TransformerRelevance(str(folder), fitting=BRIEF)
    narrow = NarrowRelevance(WordRelevance(), slow, 48).fit(PAIRS, seed=3).weigh(PAIRS).rows(ROWS)
    assert narrow.tobytes() == slow.fit(PAIRS, seed=3).weigh(PAIRS).rows(ROWS).tobytes()
    # One short of all: what is rescored is the same up to the last bits of other batches.
    nearly = NarrowRelevance(WordRelevance(), slow, 47).fit(PAIRS, seed=3).weigh(PAIRS).rows(ROWS)
    np.testing.assert_allclose(nearly, narrow, atol=1e-5)
    alike = TransformerSimilarity(str(nli))
    whole = alike.weigh(PAIRS).rows(ROWS)
    assert NarrowSimilarity(WordSimilarity(), alike, 48).weigh(PAIRS).rows(ROWS).tobytes() == whole.tobytes()
    nearly = NarrowSimilarity(WordSimilarity(), alike, 47).weigh(PAIRS).rows(ROWS)
    np.testing.assert_allclose(nearly, whole, atol=1e-5)


def test_what_was_fitted_is_kept_and_found_again(folder: Path, tmp_path: Path) -> None:
    steps: list[Step] = []
    judge = TransformerRelevance(str(folder), fitting=BRIEF, keep=tmp_path / "kept", progress=steps.append)
    first = judge.fit(PAIRS, seed=3).weigh(PAIRS).rows(ROWS)
    told = len(steps)
    assert told == 3
    assert len([*(tmp_path / "kept").iterdir()]) == 1
    assert judge.fit(PAIRS, seed=3).weigh(PAIRS).rows(ROWS).tobytes() == first.tobytes()
    assert len(steps) == told  # nothing was fitted
    judge.fit(PAIRS, seed=4)
    judge.fit(PAIRS[:-1], seed=3)
    assert len(steps) == 3 * told
    assert len([*(tmp_path / "kept").iterdir()]) == 3


# --- similarity --------------------------------------------------------------------------------------------


def test_similarity_is_the_greater_direction(nli: Path) -> None:
    judge = TransformerSimilarity(str(nli))
    matrix = judge.weigh(PAIRS).rows(ROWS)
    assert (matrix == matrix.T).all()
    assert (matrix.diagonal() == 1).all()
    assert (judge.weigh(PAIRS).pairs(ROWS, ROWS[::-1]) == matrix[ROWS, ROWS[::-1]]).all()
    one, other = "Casey holds the cup 0.", "Casey wants the cup 1."
    there, back = judge.entails([one, other], [other, one])
    assert there != back
    assert matrix[0, 1] == pytest.approx(max(there, back), abs=1e-6)
    scored = judge.score(PAIRS[:1] * 47, PAIRS[1:])
    np.testing.assert_allclose(scored, matrix[0, 1:], atol=1e-6)


def test_the_class_of_entailment_is_found_by_its_name(tmp_path: Path) -> None:
    turned = untrained(tmp_path / "turned", TEXTS, SMALL, labels=("entailment", "not_entailment"), seed=5)
    texts = ["Casey holds the cup."], ["Casey wants the cup."]
    judge = TransformerSimilarity(str(turned))
    assert 0 < judge.entails(*texts)[0] < 1
    plain = untrained(tmp_path / "plain", TEXTS, SMALL, labels=("LABEL_0", "LABEL_1"))
    with pytest.raises(InputError, match=r"its classes are LABEL_0, LABEL_1\. Give a model of natural"):
        TransformerSimilarity(str(plain))
    with pytest.raises(InputError, match=r"its classes are entailment\. Give"):
        TransformerSimilarity(str(untrained(tmp_path / "one", TEXTS, SMALL, labels=("entailment",))))


def test_whoever_is_meant_the_same_said_is_the_same(nli: Path) -> None:
    said = [
        ((2,), "naps"),
        ((0,), "naps"),
        ((0,), "kicks", (2,)),
        ((2,), "kicks", (0,)),
        ("The", (1,), "fell"),
    ]
    pairs = [
        Pair(str(n), str(n), ("person", "cup", "person"), TaggedText.plain("?"), TaggedText(tokens))
        for n, tokens in enumerate(said)
    ]
    matrix = TransformerSimilarity(str(nli)).weigh(pairs).rows(np.arange(5))
    assert (matrix == 1).sum() == 5 + 2 + 2
    assert matrix[0, 1] == matrix[2, 3] == 1


# --- in a run ----------------------------------------------------------------------------------------------


def test_judges_travel_as_names(folder: Path, nli: Path) -> None:
    similar = TransformerSimilarity(str(nli))
    similar.entails(["a"], ["b"])  # loaded, and not sent
    assert len(pickle.dumps(similar)) < 2000
    relevant = TransformerRelevance(str(folder), fitting=BRIEF)
    assert len(pickle.dumps(relevant)) < 2000
    assert pickle.loads(pickle.dumps(relevant)).name == relevant.name
    assert relevant.name.startswith("transformer-relevance-1(small@")
    assert relevant.name.endswith(", learning rate 0.001, batch 16, epochs 1)")
    assert pickle.loads(pickle.dumps(similar)).entails(["a"], ["b"]) == similar.entails(["a"], ["b"])


def _matched(folder: Path, nli: Path, spool: Path, workers: int) -> MatchRun:
    relevance = NarrowRelevance(WordRelevance(), TransformerRelevance(str(folder), fitting=BRIEF), 8)
    similarity = NarrowSimilarity(WordSimilarity(), TransformerSimilarity(str(nli)), 8)
    recipe = Recipe(seed=2, folds=3)
    return run_matching(
        ANNOTATIONS, recipe, relevance, similarity, spool, embed=HashedEncoder(16).encode, workers=workers
    )


def test_any_number_of_workers_gives_the_same(folder: Path, nli: Path, tmp_path: Path) -> None:
    one = _matched(folder, nli, tmp_path / "one", 1)
    two = _matched(folder, nli, tmp_path / "two", 2)
    assert one.matched == two.matched
    assert one.recipe == two.recipe
    used = Counter((entry.fold, source) for entry in one.matched for source in entry.answers.sources)
    assert set(used.values()) == {3}
    assert all(
        len({normalised(text) for text in (entry.annotation.answer, *entry.answers.texts)}) == 4
        for entry in one.matched
    )


def test_rows_are_grouped_alike_whatever_is_asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "PAIRS_AT_ONCE", 100)  # two rows of 48 at once
    fitted = TransformerRelevance(str(folder), fitting=BRIEF).fit(PAIRS, seed=3)
    assert fitted.weigh(PAIRS).rows(ROWS[7:8]).tobytes() == fitted.weigh(PAIRS).rows(ROWS)[7:8].tobytes()
