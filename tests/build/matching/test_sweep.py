"""The sweep over lambda: what matching would give, judged by two; and what people are asked and answer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from commonsight.build.matching.fakes import (
    FittedWords,
    MatrixBlocks,
    ScriptedRelevance,
    ScriptedSimilarity,
    WordRelevance,
    WordSimilarity,
)
from commonsight.build.matching.recipe import Recipe
from commonsight.build.matching.remap import Remap
from commonsight.build.matching.run import run_matching
from commonsight.build.matching.scorers import RelevanceModel, Scores
from commonsight.build.matching.sweep import SweepRun, drawn, run_sweep
from commonsight.build.matching.sweep_people import Answered, Questions, questions, read_answers
from commonsight.build.matching.sweep_work import Sweep, Trials, _credit
from commonsight.build.matching.values import Annotation, Pair, answer_pair, normalised
from commonsight.core.text import TaggedText
from commonsight.errors import InputError, InvalidRecords, Problem, UsageError
from commonsight.text.encoders import HashedEncoder

EMBED = HashedEncoder(32).encode
DEEDS = ("holds", "wants", "sees", "paints", "drops", "likes", "hides")
THINGS = ("cup", "dog", "chair", "book")


def annotation(number: int) -> Annotation:
    """Two an image, three groups; every seventh answer speaks of the deed that is asked about."""
    thing, deed = THINGS[number % 4], DEEDS[number % 7]
    return Annotation(
        f"a{number}",
        f"g{number // 2 % 3}",
        ("person", thing),
        TaggedText(("Why", "is", (0,), "one", "that", deed, "?")),
        TaggedText(((0,), deed, "the", (1,), "of", str(number), ".")),
        TaggedText(((0,), "stands", "near", (1,), "and", deed, "it", str(number), ".")),
        f"image{number // 2}",
    )


ANNOTATIONS = [annotation(number) for number in range(72)]
SWEEP = Sweep(Recipe(seed=5, folds=3, bucket=14), "answers", (0.0, 0.1, 10.0), samples=3, asked=8)


class Other:
    """A judge of another name."""

    name = "other"

    def fit(self, pairs: Sequence[Pair], *, seed: int) -> FittedWords:
        return WordRelevance().fit(pairs, seed=seed)


def swept(
    spool: Path,
    sweep: Sweep = SWEEP,
    *,
    relevance: RelevanceModel | None = None,
    similarity: Any = None,
    judge: RelevanceModel | None = None,
    workers: int = 1,
    progress: Any = lambda units, _: units,
) -> SweepRun:
    return run_sweep(
        ANNOTATIONS, sweep, relevance or WordRelevance(), similarity or WordSimilarity(), judge or Other(),
        spool, embed=EMBED, workers=workers, progress=progress,
    )  # fmt: skip


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> SweepRun:
    return swept(tmp_path_factory.mktemp("sweep") / "spool")


@pytest.mark.parametrize("task", ["answers", "rationales"])
def test_each_lambda_gives_what_matching_gives(tmp_path: Path, task: Any) -> None:
    everyone = structs.replace(SWEEP, task=task, asked=len(ANNOTATIONS))
    result = swept(tmp_path / "sweep", everyone)
    for trade, tried in zip(SWEEP.lambdas, result.tried, strict=True):
        recipe = structs.replace(SWEEP.recipe, lambda_answer=trade, lambda_rationale=trade)
        run = run_matching(
            ANNOTATIONS, recipe, WordRelevance(), WordSimilarity(), tmp_path / str(trade), embed=EMBED
        )
        matched = {entry.annotation.id: getattr(entry, task).texts for entry in run.matched}
        assert {name: shown.texts for name, shown in tried.shown.items()} == matched


def test_figures_are_those_of_the_choices(tmp_path: Path) -> None:
    result = swept(tmp_path / "spool", structs.replace(SWEEP, asked=len(ANNOTATIONS)))
    assert sorted(each.id for each in result.annotations) == sorted(each.id for each in ANNOTATIONS)
    for tried in (result.by_lot, *result.tried):
        assert len(tried.chooser) == len(tried.judge) == len(tried.similar) == len(ANNOTATIONS)
        for place, own in enumerate(result.annotations):
            shown = tried.shown[own.id]
            assert tried.similar[place] == shown.similar
            assert (shown.pick == 0) or tried.chooser[place] < 1
            assert len({normalised(text) for text in (own.answer, *shown.texts)}) == 4
            assert own.id not in shown.lenders
    pairs = [answer_pair(each) for each in ANNOTATIONS]
    alike = WordSimilarity().weigh(pairs).rows(np.arange(len(pairs)))
    at = {pair.id: place for place, pair in enumerate(pairs)}
    for name, shown in result.tried[0].shown.items():
        assert shown.similar == tuple(alike[at[name], [at[lender] for lender in shown.lenders]])


def test_a_large_lambda_makes_choices_unlike(tmp_path: Path) -> None:
    ids = [each.id for each in ANNOTATIONS]
    near = {(one, other): 0.9 for i, one in enumerate(ids) for k, other in enumerate(ids) if abs(i - k) < 25}
    whole = structs.replace(SWEEP, recipe=Recipe(seed=5, folds=3, bucket=None, tags=0.0))
    result = swept(
        tmp_path / "spool", whole, relevance=ScriptedRelevance(near), similarity=ScriptedSimilarity(near)
    )
    alike = [float(np.mean(tried.similar)) for tried in (*result.tried, result.by_lot)]
    assert alike[:2] == pytest.approx([0.9, 0.9])  # only what is most relevant, since log 0.9 / 0.5 > 0.23
    assert 0.9 > alike[3] > alike[2]


def test_matching_is_harder_than_a_lot(result: SweepRun) -> None:
    assert np.mean(result.tried[0].chooser) < np.mean(result.by_lot.chooser)
    assert np.mean(result.tried[0].judge) < np.mean(result.by_lot.judge)


class Counted:
    """Shared words that count how often they are asked."""

    def __init__(self) -> None:
        self.name = "counted"
        self.fits, self.seen = 0, Counter[str]()

    def fit(self, pairs: Sequence[Pair], *, seed: int) -> CountedFit:
        self.fits += 1
        return CountedFit(WordRelevance().fit(pairs, seed=seed), self, frozenset(pair.id for pair in pairs))

    def weigh(self, bucket: Sequence[Pair]) -> MatrixBlocks:
        self.seen.update(pair.id for pair in bucket)
        return WordSimilarity().weigh(bucket)


class CountedFit:
    def __init__(self, fitted: FittedWords, owner: Counted, learned: frozenset[str]) -> None:
        self._fitted, self._owner, self._learned = fitted, owner, learned

    def weigh(self, bucket: Sequence[Pair], remap: Remap | None = None) -> MatrixBlocks:
        self._owner.seen.update(pair.id for pair in bucket)
        return self._fitted.weigh(bucket, remap)

    def score(self, queries: Sequence[Pair], responses: Sequence[TaggedText]) -> Scores:
        assert self._learned.isdisjoint(query.id for query in queries)
        return self._fitted.score(queries, responses)


def test_what_is_costly_is_done_once(tmp_path: Path) -> None:
    relevance, similarity, judge = Counted(), Counted(), Counted()
    swept(tmp_path / "spool", relevance=relevance, similarity=similarity, judge=judge)
    assert relevance.fits == judge.fits == 3  # folds
    assert relevance.seen == similarity.seen == Counter(each.id for each in ANNOTATIONS)
    assert not judge.seen


def test_one_fold_is_judged_in_halves(tmp_path: Path) -> None:
    one = structs.replace(SWEEP, recipe=structs.replace(SWEEP.recipe, folds=1))
    relevance, judge = Counted(), Counted()
    swept(tmp_path / "spool", one, relevance=relevance, judge=judge)  # the fake minds who learned from whom
    assert relevance.fits == judge.fits == 2


def test_one_that_cannot_tell_is_right_by_chance(tmp_path: Path) -> None:
    result = swept(
        tmp_path / "spool", relevance=ScriptedRelevance({}), similarity=ScriptedSimilarity({}, 0.25)
    )
    for tried in (result.by_lot, *result.tried):
        assert set(tried.chooser) == {0.25}
        assert set(tried.similar) == {(0.25, 0.25, 0.25)}


def test_credit_is_shared() -> None:
    scores = np.array([[-1, -2, -3, -4], [-2, -1, -3, -4], [-1, -1, -3, -4], [0, 0, 0, 0]], np.float32)
    assert _credit(scores) == (1.0, 0.0, 0.5, 0.25)


def test_workers_give_the_same_bytes(tmp_path: Path, result: SweepRun) -> None:
    swept(tmp_path / "one")
    again = swept(tmp_path / "two", workers=2)
    assert again == result
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two")
    )
    assert one == two
    assert swept(tmp_path / "three", structs.replace(SWEEP, recipe=Recipe(6, folds=3, bucket=14))) != result


class Stopped(Exception):  # noqa: N818 - it is no error
    """As if by Ctrl-C."""


def test_a_stopped_sweep_goes_on(tmp_path: Path, result: SweepRun) -> None:
    def stop(units: Any, total: int) -> Any:
        assert total > 2
        yield next(units)
        yield next(units)
        raise Stopped

    spool = tmp_path / "spool"
    with pytest.raises(Stopped):
        swept(spool, progress=stop)
    kept = {path: path.stat().st_mtime_ns for path in spool.glob("answers-*.json")}
    assert len(kept) == 2
    (spool / ".answers-train-0-00009.json.1.part").write_bytes(b"half")
    assert swept(spool) == result
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert not list(spool.glob(".*.part"))
    for path in spool.glob("answers-*.json"):
        msgspec.json.decode(path.read_bytes(), type=Trials)


def test_another_sweep_is_left_alone(tmp_path: Path) -> None:
    swept(tmp_path / "spool")
    with pytest.raises(UsageError, match="holds another sweep, begun and not finished"):
        swept(tmp_path / "spool", structs.replace(SWEEP, lambdas=(0.1,)))


@pytest.mark.parametrize(
    ("lambdas", "message"),
    [
        ((), "no lambda"),
        ((0.1, 0.1), "lambda 0.1 is there twice"),
        ((0.1, 0.01), "0.1, 0.01 are not in order"),
        ((-1.0, 1.0), "lambda -1 cannot be tried"),
        ((float("nan"),), "lambda nan cannot be tried"),
        ((0.1, float("inf")), "lambda inf cannot be tried"),
    ],
)
def test_bad_lambdas(lambdas: tuple[float, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Sweep(Recipe(), "answers", lambdas)


def test_what_cannot_be_swept(tmp_path: Path) -> None:
    bare = [structs.replace(each, rationale=None) for each in ANNOTATIONS]
    asked = structs.replace(SWEEP, task="rationales")
    with pytest.raises(UsageError, match="no rationales"):
        run_sweep(bare, asked, WordRelevance(), WordSimilarity(), Other(), tmp_path / "spool")
    alike = [structs.replace(each, answer=TaggedText(("Yes", "."))) for each in ANNOTATIONS]
    with pytest.raises(InputError, match=r"Fold .*, answers: there are 1 different responses"):
        run_sweep(alike, SWEEP, WordRelevance(), WordSimilarity(), Other(), tmp_path / "spool")
    assert not (tmp_path / "spool").exists()


# --- people ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def asked(result: SweepRun) -> Questions:
    return questions(result)


def test_nobody_sees_a_question_twice(result: SweepRun, asked: Questions) -> None:
    chosen = drawn(ANNOTATIONS, SWEEP)
    assert len(chosen.asked) == 8
    assert len(chosen.samples) == 3
    assert set(chosen.asked).isdisjoint(chosen.samples)
    assert [entry.form for entry in asked.asked] == [1] * 8 + [2] * 8 + [3] * 8
    for form in (1, 2, 3):
        assert sorted(each.id for each in asked.asked if each.form == form) == sorted(chosen.asked)
    for trade in SWEEP.lambdas:
        assert sorted(each.id for each in asked.asked if each.trade == trade) == sorted(chosen.asked)
    assert questions(result) == asked


def test_the_key_fits_what_is_asked(result: SweepRun, asked: Questions) -> None:
    own = {each.id: each for each in ANNOTATIONS}
    keys = {(key.trade, key.id): key for key in asked.keys}
    for entry in asked.asked:
        key = keys[entry.trade, entry.id]
        right = own[entry.id].answer.bracketed(own[entry.id].objects)
        assert entry.choices.index(right) == key.label
        assert len(set(entry.choices)) == 4
        assert key.sources[key.label] == entry.id
        assert key.group == own[entry.id].group
        shown = result.tried[SWEEP.lambdas.index(entry.trade)].shown[entry.id]
        assert sorted(key.sources) == sorted((entry.id, *shown.lenders))
    for trade in SWEEP.lambdas:
        labels = Counter(key.label for key in asked.keys if key.trade == trade)
        assert labels == Counter({0: 2, 1: 2, 2: 2, 3: 2})
    told = msgspec.to_builtins(asked.asked[0])
    assert set(told) == {
        "form",
        "lambda",
        "id",
        "question",
        "choices",
        "image",
    }  # nothing about the right one


def test_rationales_are_asked_with_their_answer(tmp_path: Path) -> None:
    asked = questions(swept(tmp_path / "spool", structs.replace(SWEEP, task="rationales")))
    own = {each.id: each for each in ANNOTATIONS}
    for entry in asked.asked:
        assert entry.answer == own[entry.id].answer.bracketed(own[entry.id].objects)


LAMBDAS, IDS = (0.0, 0.1, 1.0), ("a", "b", "7")


def _file(folder: Path, *lines: object) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def test_answers_are_read(tmp_path: Path) -> None:
    path = _file(
        tmp_path,
        {"lambda": 0, "id": "a", "choice": 3},
        {"lambda": 1, "id": 7, "choice": 0, "worker": "w1", "seconds": 12},
        {"lambda": 1, "id": 7, "choice": 1, "worker": 2},
    )
    found = read_answers(path, LAMBDAS, IDS, 4)
    assert [msgspec.to_builtins(each) for each in found] == [
        {"lambda": 0.0, "id": "a", "choice": 3, "worker": None},
        {"lambda": 1.0, "id": "7", "choice": 0, "worker": "w1"},
        {"lambda": 1.0, "id": "7", "choice": 1, "worker": "2"},
    ]


def test_all_faults_are_told_with_their_lines(tmp_path: Path) -> None:
    good = {"lambda": 0.1, "id": "a", "choice": 3}
    path = _file(
        tmp_path, good, good | {"lambda": 0.2}, good | {"id": "z"}, good | {"choice": 4},
        good | {"choice": -1, "id": "b"}, good | {"choice": 1.5}, good, {"id": "a", "choice": 1},
    )  # fmt: skip
    with pytest.raises(InvalidRecords) as caught:
        read_answers(path, LAMBDAS, IDS, 4)
    places = [(problem.line, problem.field) for problem in caught.value.problems]
    assert places == [
        (2, "lambda"), (3, "id"), (4, "choice"), (4, "id"), (5, "choice"), (6, "choice"), (7, "id"),
        (8, None),
    ]  # fmt: skip
    told = str(caught.value)
    assert "answers.jsonl:2: lambda: 0.2 was not tried. This sweep has 0, 0.1, 1." in told
    assert "answers.jsonl:3: id: nobody was asked about 'z'. Take the ids of to-answer.jsonl." in told
    assert "answers.jsonl:4: choice: there is no choice 4. Count the choices from 0 to 3." in told
    assert "answers.jsonl:7: id: line 1 answers this too." in told


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecords, match="cannot be read"):
        read_answers(tmp_path / "none.jsonl", LAMBDAS, IDS, 4)


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 5), st.floats(), st.sampled_from(("a", "b", "7", "z", "")),
    st.lists(st.integers(), max_size=1),
)  # fmt: skip
RECORDS = st.dictionaries(st.sampled_from(("lambda", "id", "choice", "worker", "more")), VALUES, max_size=5)
GOOD = st.fixed_dictionaries(
    {"lambda": st.sampled_from(LAMBDAS), "id": st.sampled_from(IDS), "choice": st.integers(0, 3)},
    optional={"worker": st.text(max_size=3)},
)


@given(st.lists(st.one_of(GOOD, GOOD, RECORDS, VALUES), max_size=6), st.binary(max_size=12))
def test_whatever_is_read_fits_what_was_asked(tmp_path_factory: Any, lines: list[Any], tail: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes("".join(f"{json.dumps(line)}\n" for line in lines).encode() + tail)
    problems: Sequence[Problem] = ()
    found: Sequence[Answered] = ()
    try:
        found = read_answers(path, LAMBDAS, IDS, 4)
    except InvalidRecords as error:
        problems = error.problems
    assert problems or len(found) >= len(lines) > 0 or (found and tail)
    assert all(problem.line is not None or "no records" in str(problem) for problem in problems)
    assert len({(each.trade, each.id, each.worker) for each in found}) == len(found)
    for each in found:
        assert each.trade in LAMBDAS
        assert each.id in IDS
        assert 0 <= each.choice < 4
