"""Matching from end to end with scorers that need no model: who gets what, on any number of workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from commonsight.build.matching.fakes import (
    FittedScript,
    MatrixBlocks,
    ScriptedRelevance,
    ScriptedSimilarity,
    WordRelevance,
    WordSimilarity,
)
from commonsight.build.matching.recipe import Matched, Recipe
from commonsight.build.matching.remap import Remap
from commonsight.build.matching.run import MatchRun, jobs, run_matching
from commonsight.build.matching.scorers import Rows, Scores
from commonsight.build.matching.threads import _PREFIXES, _SUFFIXES, _libraries, one_thread
from commonsight.build.matching.values import Annotation, Pair, normalised
from commonsight.build.matching.work import Unit
from commonsight.core.text import TaggedText
from commonsight.errors import InputError, UsageError
from commonsight.text.encoders import HashedEncoder

EMBED = HashedEncoder(32).encode
THINGS = ("cup", "dog", "chair", "book")
DEEDS = ("holds", "wants", "sees", "paints", "drops", "likes", "hides")
WORDS = ("Why", "What", "Where", "Is")


def annotation(number: int, groups: int = 6) -> Annotation:
    """Groups of whole images, two annotations an image, every seventh answer there twice."""
    thing, deed = THINGS[number % 4], DEEDS[number % 7]
    who = ("She", "He", (0,))[number % 3]
    unique = str(number - number % 7 // 6)
    return Annotation(
        f"a{number}",
        f"g{number // 2 % 7 % groups}",
        ("person", thing, "person")[: 2 + number % 2],
        TaggedText((WORDS[number % 4], "is", (0,), deed, "the", (1,), "?")),
        TaggedText((who, deed, (1,), unique, ".")),
        TaggedText((who, "stands", "near", (1,), "and", deed, "it", str(number), ".")),
        f"image{number // 2}",
    )


ANNOTATIONS = [annotation(number) for number in range(240)]
RECIPE = Recipe(seed=5, folds=4, bucket=20)


def matched(
    spool: Path, recipe: Recipe = RECIPE, annotations: Sequence[Annotation] = ANNOTATIONS, workers: int = 1
) -> MatchRun:
    return run_matching(
        annotations, recipe, WordRelevance(), WordSimilarity(), spool, embed=EMBED, workers=workers
    )


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> MatchRun:
    return matched(tmp_path_factory.mktemp("run") / "spool")


def _by_fold(result: MatchRun) -> dict[str, list[Matched]]:
    folds: dict[str, list[Matched]] = {}
    for entry in result.matched:
        folds.setdefault(entry.fold, []).append(entry)
    return folds


def check(result: MatchRun, *, same_image: bool = False, balanced: bool = True) -> None:
    """What must hold of every matching."""
    for entries in _by_fold(result).values():
        assert [entry.index for entry in entries] == list(range(len(entries)))
        used: dict[str, Counter[int]] = {"answers": Counter(), "rationales": Counter()}
        for entry in entries:
            for part, own in (("answers", "answer"), ("rationales", "rationale")):
                wrong = getattr(entry, part)
                if wrong is None:
                    continue
                used[part].update(wrong.sources)
                lenders = [entries[source].annotation for source in wrong.sources]
                right = getattr(entry.annotation, own)
                texts = [normalised(text) for text in (right, *(getattr(each, own) for each in lenders))]
                assert len(set(texts)) == len(texts) == 4
                assert len({normalised(text) for text in (right, *wrong.texts)}) == 4
                assert entry.annotation not in lenders
                if not same_image:
                    assert all((each.image or each.id) != entry.annotation.image for each in lenders)
                for text in wrong.texts:
                    assert all(tag < len(entry.annotation.objects) for tag in text.references())
        if balanced:
            for part, counts in used.items():
                if getattr(entries[0], part) is not None:
                    assert counts == Counter(dict.fromkeys(range(len(entries)), 3))


def test_every_response_is_right_once_and_wrong_three_times(result: MatchRun) -> None:
    assert sorted(entry.annotation.id for entry in result.matched) == sorted(a.id for a in ANNOTATIONS)
    check(result)


def test_folds_hold_whole_groups(result: MatchRun) -> None:
    groups = {fold: {e.annotation.group for e in entries} for fold, entries in _by_fold(result).items()}
    assert set(groups) == {"train-0", "train-1", "val-0", "test-0"}
    assert sum(map(len, groups.values())) == 6


def test_it_says_how_it_went(result: MatchRun) -> None:
    assert result.exact == result.buckets > 8
    assert result.merged
    assert result.recipe.relevance == "shared words"


def test_wrong_choices_are_relevant(result: MatchRun) -> None:
    shared = [
        len({w for w in entry.annotation.question.tokens if w in DEEDS} & set(text.tokens))
        for entry in result.matched
        for text in entry.answers.texts
    ]
    assert np.mean(shared) > 2 / 7  # twice what chance gives


@pytest.mark.parametrize(
    "recipe",
    [
        structs.replace(RECIPE, bucket=None),
        structs.replace(RECIPE, folds=1),
        structs.replace(RECIPE, same_image=True),
        structs.replace(RECIPE, mode="pmr"),
        structs.replace(RECIPE, mode="pmr", folds=1, shortlist=5),
        structs.replace(RECIPE, bucket=None, dense_most=10, candidates=8),
    ],
)
def test_other_recipes(tmp_path: Path, recipe: Recipe) -> None:
    found = matched(tmp_path / "spool", recipe)
    check(found, same_image=recipe.same_image, balanced=recipe.mode != "pmr")
    assert (found.exact == found.buckets) == (recipe.dense_most > 10)


def test_without_rationales_there_are_none(tmp_path: Path) -> None:
    bare = [structs.replace(each, rationale=None) for each in ANNOTATIONS[:80]]
    found = matched(tmp_path / "spool", structs.replace(RECIPE, folds=2), bare)
    assert all(entry.rationales is None for entry in found.matched)
    check(found)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(st.integers(0, 1000), st.integers(1, 4), st.sampled_from([None, 8, 40]), st.integers(60, 120))
def test_it_holds_for_any_seed(
    tmp_path_factory: pytest.TempPathFactory, seed: int, folds: int, bucket: int | None, count: int
) -> None:
    recipe = structs.replace(RECIPE, seed=seed, folds=folds, bucket=bucket)
    check(matched(tmp_path_factory.mktemp("any") / "spool", recipe, ANNOTATIONS[:count]))


# --- the same bytes ----------------------------------------------------------------------------------------


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_any_number_of_workers_gives_the_same_bytes(tmp_path: Path) -> None:
    runs = [matched(tmp_path / str(workers), workers=workers) for workers in (1, 2, 5)]
    assert runs[0] == runs[1] == runs[2]
    assert _files(tmp_path / "1") == _files(tmp_path / "2") == _files(tmp_path / "5")


def test_another_seed_gives_others(tmp_path: Path, result: MatchRun) -> None:
    assert matched(tmp_path / "spool", structs.replace(RECIPE, seed=6)).matched != result.matched


def test_jobs_are_cut_only_where_workers_would_idle() -> None:
    units = [Unit("answers", fold, bucket) for fold in ("train-0", "val-0") for bucket in range(5)]
    assert [job.buckets for job in jobs(units, 2)] == [(0, 1, 2, 3, 4), (0, 1, 2, 3, 4)]
    cut = jobs(units, 5)
    assert [job.fold for job in cut] == ["train-0"] * 3 + ["val-0"] * 3
    assert sorted(bucket for job in cut[:3] for bucket in job.buckets) == [0, 1, 2, 3, 4]
    assert jobs([], 3) == []


def test_matrix_products_take_one_thread_and_the_number_is_restored() -> None:
    def counts() -> list[int]:
        names = [f"{prefix}_get_num_threads{suffix}" for prefix in _PREFIXES for suffix in _SUFFIXES]
        found = [getattr(library, name, None) for library in _libraries() for name in names]
        return [int(get()) for get in found if get is not None]

    with one_thread():
        inside = counts()
    assert set(inside) <= {1}
    before = counts()
    with one_thread():
        pass
    assert counts() == before


# --- cross-fitting -----------------------------------------------------------------------------------------


class _Watched(MatrixBlocks):
    def __init__(self, matrix: Scores, bucket: Sequence[Pair], seen: frozenset[str]) -> None:
        super().__init__(matrix)
        self._bucket, self._seen = bucket, seen

    def rows(self, wanted: Rows) -> Scores:
        judged = {self._bucket[place].id for place in wanted}
        assert self._seen
        assert not judged & self._seen, "a model judges what it has learned from"
        return super().rows(wanted)


class _WatchedFit(FittedScript):
    def weigh(self, bucket: Sequence[Pair], remap: Remap | None = None) -> MatrixBlocks:
        assert remap is not None
        return _Watched(super().weigh(bucket).rows(np.arange(len(bucket))), bucket, self.seen)

    def score(self, queries: Sequence[Pair], responses: Sequence[TaggedText]) -> Scores:
        assert not {query.id for query in queries} & self.seen
        return super().score(queries, responses)


class _WatchedRelevance(ScriptedRelevance):
    def fit(self, pairs: Sequence[Pair], *, seed: int) -> FittedScript:
        assert seed >= 0
        return _WatchedFit({}, 0.5, frozenset(pair.id for pair in pairs))


@pytest.mark.parametrize("folds", [1, 2, 4])
@pytest.mark.parametrize("mode", ["vcr", "pmr"])
@pytest.mark.parametrize("groups", [6, 1])
def test_nobody_judges_what_they_learned_from(tmp_path: Path, folds: int, mode: str, groups: int) -> None:
    recipe = structs.replace(RECIPE, folds=folds if groups > 1 else 1, mode=mode)
    annotations = [annotation(number, groups) for number in range(96)]
    run_matching(annotations, recipe, _WatchedRelevance({}), ScriptedSimilarity({}), tmp_path / "spool")


class _Reader(ScriptedRelevance):
    """Remembers how every response reads to every query."""

    def __init__(self) -> None:
        super().__init__({}, 0.5)
        self.read: dict[tuple[str, str], TaggedText] = {}

    def fit(self, pairs: Sequence[Pair], *, seed: int) -> FittedScript:
        del pairs, seed
        return _ReaderFit(self.read)


class _ReaderFit(FittedScript):
    def __init__(self, read: dict[tuple[str, str], TaggedText]) -> None:
        super().__init__({}, 0.5, frozenset())
        self._read = read

    def weigh(self, bucket: Sequence[Pair], remap: Remap | None = None) -> MatrixBlocks:
        assert remap is not None
        for query, one in enumerate(bucket):
            self._read.update({(one.id, other.id): remap(query, k) for k, other in enumerate(bucket)})
        return super().weigh(bucket)


@pytest.mark.parametrize("folds", [1, 4])
@pytest.mark.parametrize("way", ["spoken", "paper"])
def test_what_is_judged_is_what_is_used(tmp_path: Path, folds: int, way: str) -> None:
    reader = _Reader()
    recipe = structs.replace(RECIPE, folds=folds, remap=way)
    annotations = [structs.replace(one, rationale=None) for one in ANNOTATIONS]
    found = run_matching(annotations, recipe, reader, ScriptedSimilarity({}), tmp_path / "spool")
    ids = {(each.fold, each.index): each.annotation.id for each in found.matched}
    for each in found.matched:
        for text, source in zip(each.answers.texts, each.answers.sources, strict=True):
            assert reader.read[each.annotation.id, ids[each.fold, source]] == text


def test_the_paper_draws_tags_at_random_and_does_not_mind_where_they_go(tmp_path: Path) -> None:
    def lent(**options: object) -> tuple[list[tuple[int, ...]], list[tuple[TaggedText, ...]]]:
        recipe = structs.replace(RECIPE, **options)
        found = matched(tmp_path / f"{options}", recipe).matched
        return [each.answers.sources for each in found], [each.answers.texts for each in found]

    spoken, paper = lent(), lent(remap="paper")
    assert spoken[0] == paper[0]  # these judges do not look at tags
    assert spoken[1] != paper[1]

    def away(found: MatchRun) -> int:
        """How many tagged things have no like in the image they are lent to."""
        own = {(each.fold, each.index): each.annotation for each in found.matched}
        return sum(
            own[each.fold, source].objects[1] not in each.annotation.objects
            for each in found.matched
            for source in each.answers.sources
        )

    def undecided(tags: float) -> MatchRun:
        recipe, judge = structs.replace(RECIPE, bucket=None, tags=tags), ScriptedRelevance({}, 0.5)
        return run_matching(ANNOTATIONS, recipe, judge, ScriptedSimilarity({}), tmp_path / f"{tags}")

    assert away(undecided(1.0)) == 0 < away(undecided(0.0))


def test_scripts_decide(tmp_path: Path) -> None:
    annotations = [
        structs.replace(annotation(2 * n), rationale=None, group="g", answer=TaggedText((f"They {n}",)))
        for n in range(8)
    ]
    liked = ScriptedRelevance({(f"a{2 * n}", f"a{2 * ((n + 3) % 8)}"): 0.9 for n in range(8)}, 0.1)
    recipe = Recipe(folds=1, bucket=None)
    found = run_matching(annotations, recipe, liked, ScriptedSimilarity({}), tmp_path / "a")
    assert [entry.answers.sources[0] for entry in found.matched] == [(n + 3) % 8 for n in range(8)]
    alike = ScriptedSimilarity({(f"a{2 * n}", f"a{2 * ((n + 3) % 8)}"): 1.0 for n in range(8)})
    strict = structs.replace(recipe, lambda_answer=10.0)
    found = run_matching(annotations, strict, liked, alike, tmp_path / "b")
    assert all(entry.answers.sources[0] != (n + 3) % 8 for n, entry in enumerate(found.matched))


def test_remapping_never_makes_two_choices_alike(tmp_path: Path) -> None:
    """'[cup] is red' becomes 'the cup is red' where there is no cup, and someone said just that."""
    texts = [((0,), "is", "red"), ("the", "cup", "is", "red"), *((f"w{n}",) for n in range(8))]
    annotations = [
        Annotation(f"a{n}", "g", ("cup",) if n == 0 else (), TaggedText(("Why", "?")), TaggedText(text))
        for n, text in enumerate(texts)
    ]
    wanted = {(f"a{n}", f"a{m}"): 0.9 for n in range(10) for m in (0, 1)}
    recipe = Recipe(folds=1, bucket=None)
    found = run_matching(
        annotations, recipe, ScriptedRelevance(wanted, 0.1), ScriptedSimilarity({}), tmp_path / "s"
    )
    check(found)


# --- bad input ---------------------------------------------------------------------------------------------


def test_a_fold_without_a_matching_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    few = [structs.replace(annotation(n), answer=TaggedText((f"so {n % 3}",))) for n in range(24)]
    with pytest.raises(InputError, match=r"answers: there are \d different responses, and 4 are needed"):
        matched(tmp_path / "spool", annotations=few)
    assert not (tmp_path / "spool").exists()


def test_a_group_in_two_splits_is_refused(tmp_path: Path) -> None:
    torn = [structs.replace(a, split="val" if n == 0 else "train") for n, a in enumerate(ANNOTATIONS)]
    with pytest.raises(InputError, match="Group g0 is in more than one split"):
        matched(tmp_path / "spool", annotations=torn)


def test_the_top_three_need_three_others(tmp_path: Path) -> None:
    one_image = [structs.replace(a, image="one") for a in ANNOTATIONS[:12]]
    with pytest.raises(InputError, match="finds only 0 responses that it may have, and needs 3"):
        matched(tmp_path / "spool", structs.replace(RECIPE, mode="pmr", folds=1), one_image)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"lambda_answer": -0.1}, "lambda answer is -0.1. Give a number of at least 0."),
        ({"lambda_rationale": float("nan")}, "lambda rationale is nan"),
        ({"bucket": 3}, "Buckets of 3 are too small. Give at least 4."),
        ({"folds": 0}, "folds is 0. Give at least 1."),
        ({"memory": 0}, "memory is 0"),
        ({"shortlist": 0}, "shortlist is 0. Give at least 1."),
    ],
)
def test_recipes_that_cannot_be(changed: dict[str, float], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        structs.replace(RECIPE, **changed)
    assert said in str(caught.value)


def test_a_bucket_that_the_memory_does_not_allow_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Matching \d+ at once takes about .* Give --memory"):
        matched(tmp_path / "spool", structs.replace(RECIPE, memory=1000))
    assert not (tmp_path / "spool").exists()


# --- going on ----------------------------------------------------------------------------------------------


def test_finished_buckets_are_not_done_again(tmp_path: Path, result: MatchRun) -> None:
    spool = tmp_path / "spool"
    matched(spool)
    before = {path.name: path.stat().st_mtime_ns for path in spool.glob("*-*.json")}
    lost = sorted(before)[3]
    (spool / lost).unlink()
    (spool / ".half.json.1.part").write_text("{")
    assert matched(spool).matched == result.matched
    after = {path.name: path.stat().st_mtime_ns for path in spool.glob("*-*.json")}
    assert {name for name in after if after[name] != before[name]} == {lost}
    assert not [*spool.glob(".*.part")]


@pytest.mark.parametrize("what", ["recipe", "annotations"])
def test_a_spool_of_another_matching_is_refused(tmp_path: Path, what: str) -> None:
    matched(tmp_path / "spool")
    recipe = structs.replace(RECIPE, seed=9) if what == "recipe" else RECIPE
    annotations = ANNOTATIONS[:-2] if what == "annotations" else ANNOTATIONS
    with pytest.raises(UsageError, match="holds another matching, begun and not finished"):
        matched(tmp_path / "spool", recipe, annotations)


SLOW = """
    import importlib.util, sys, time
    from pathlib import Path
    spec = importlib.util.spec_from_file_location("cases", sys.argv[1])
    cases = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cases)

    class Slow(cases.WordSimilarity):
        def weigh(self, bucket):
            time.sleep(0.3)
            return super().weigh(bucket)

    cases.run_matching(
        cases.ANNOTATIONS, cases.RECIPE, cases.WordRelevance(), Slow(), Path(sys.argv[2]),
        embed=cases.EMBED, workers=int(sys.argv[3]),
    )
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_goes_on(tmp_path: Path, result: MatchRun, workers: int) -> None:
    spool = tmp_path / "spool"
    arguments = [sys.executable, "-c", textwrap.dedent(SLOW), __file__, str(spool), str(workers)]
    process = subprocess.Popen(arguments)
    deadline = time.monotonic() + 60
    while len([*spool.glob("*-*.json")]) < 3:
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    time.sleep(0.5)  # its workers end with it
    before = {path.name: path.stat().st_mtime_ns for path in spool.glob("*-*.json")}
    assert 3 <= len(before) < result.buckets
    assert matched(spool).matched == result.matched
    assert all((spool / name).stat().st_mtime_ns == at for name, at in before.items())
