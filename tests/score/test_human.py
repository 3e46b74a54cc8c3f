"""Human performance: by hand, and on the judgements that NLVR2 released."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.score.human import Judgement, WorkerMean, majority_picks, majority_vote, worker_mean


@pytest.mark.parametrize(
    ("votes", "pick"),
    [
        ([2, 2, 2, 0, 1], 2),
        ([3, 3, 0, 1, 2], 3),  # a plurality is enough
        ([1, 1, 0, 0, 3], None),  # two tie for first
        ([0, 1, 2, 3], None),
        ([0], 0),
    ],
)
def test_majority_vote(votes: list[int], pick: int | None) -> None:
    assert majority_vote(votes) == pick


@given(st.lists(st.integers(0, 3), min_size=1, max_size=7), st.randoms(use_true_random=False))
def test_the_order_of_votes_does_not_matter(votes: list[int], random) -> None:  # type: ignore[no-untyped-def]
    shuffled = votes.copy()
    random.shuffle(shuffled)
    pick = majority_vote(votes)
    assert majority_vote(shuffled) == pick
    counts = sorted(votes.count(choice) for choice in set(votes))
    assert (pick is None) == (counts[-2:-1] == counts[-1:])


def test_ties_are_counted() -> None:
    result = majority_picks({"a": [0, 0, 1, 1, 2], "b": [3, 3, 3, 3, 1], "c": [0, 1]})
    assert result.picks == {"a": None, "b": 3, "c": None}
    assert result.ties == 2


def test_votes_that_nobody_cast() -> None:
    with pytest.raises(ValueError, match="no votes for x, z; leave such items out"):
        majority_picks({"x": [], "y": [1], "z": []})
    with pytest.raises(ValueError, match="no votes"):
        majority_vote([])


def judged(worker: str, right: int, wrong: int, **roles: str) -> list[Judgement]:
    return [Judgement(worker, True, True, **roles)] * right + [
        Judgement(worker, False, True, **roles)
    ] * wrong


def test_workers_weigh_the_same() -> None:
    result = worker_mean(judged("a", 9, 1) + judged("b", 100, 0) + judged("c", 1, 4), minimum=10)
    assert result == WorkerMean(
        mean=pytest.approx(0.95),
        deviation=pytest.approx(0.05 * 2**0.5),
        workers=2,
        judgements=110,
        left_out=5,
        workers_left_out=1,
    )


def test_nobody_judges_what_they_wrote_or_labelled() -> None:
    strangers = judged("a", 3, 1, writer="b", labeller="c")
    own = judged("a", 5, 0, writer="a", labeller="c") + judged("a", 5, 0, writer="b", labeller="a")
    result = worker_mean(strangers + own, minimum=4)
    assert (result.mean, result.judgements, result.left_out) == (0.75, 4, 10)
    assert worker_mean(strangers + own, minimum=5).workers == 0  # own ones do not help to reach the minimum


def test_few_workers() -> None:
    assert worker_mean([]) == WorkerMean(None, None, 0, 0, 0, 0)
    assert worker_mean(judged("a", 99, 0)) == WorkerMean(None, None, 0, 0, 99, 1)
    assert worker_mean(judged("a", 100, 0)) == WorkerMean(1.0, None, 1, 100, 0, 0)


def released(path: Path, *, labeller: bool = True) -> Iterator[Judgement]:
    for line in path.read_text("utf-8").splitlines():
        record = json.loads(line)
        (first_validator,) = record["validation"]
        for worker, given_label in record["extra_validations"].items():
            yield Judgement(
                worker,
                given_label,
                record["label"],
                writer=record["writer"],
                labeller=first_validator if labeller else None,
            )


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("split", "published", "workers", "judgements"),
    [("dev", "96.2±2.1", 51, 24159), ("test1", "96.3±2.9", 52, 24195)],
)
def test_nlvr2_table_6(data_dir: Path, split: str, published: str, workers: int, judgements: int) -> None:
    result = worker_mean(released(data_dir / "nlvr2" / f"{split}.json"))
    assert result.mean is not None
    assert result.deviation is not None
    assert f"{100 * result.mean:.1f}±{100 * result.deviation:.1f}" == published
    of_a_population = result.deviation * ((workers - 1) / workers) ** 0.5
    assert f"{100 * result.mean:.1f}±{100 * of_a_population:.1f}" == published
    assert (result.workers, result.judgements) == (workers, judgements)


@pytest.mark.real_data
def test_the_readings_that_do_not_round_to_table_6(data_dir: Path) -> None:
    """Counting second thoughts on one's own label; holding the minimum against both splits at once."""
    dev, test = (data_dir / "nlvr2" / name for name in ("dev.json", "test1.json"))
    with_labellers = [worker_mean(released(path, labeller=False)).mean for path in (dev, test)]
    assert with_labellers == pytest.approx([0.96278, 0.96361], abs=1e-5)
    together = worker_mean([*released(dev), *released(test)])
    assert (together.workers, together.workers_left_out) == (64, 34)
    assert together.mean == pytest.approx(0.96114, abs=1e-5)
