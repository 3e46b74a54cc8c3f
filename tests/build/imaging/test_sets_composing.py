"""NLVR2's rules for sets, one by one: on images that are told, not seen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from commonsight.benchmarks.nlvr2 import NLVR2, Nlvr2Record
from commonsight.build.imaging.sets.composing import STAGES, Composer, Made
from commonsight.build.imaging.sets.gallery import Seen
from commonsight.build.imaging.sets.lists import Candidate
from commonsight.build.imaging.sets.report import sets_report
from commonsight.build.imaging.sets.rules import Fitness, Search
from commonsight.build.imaging.sets.values import Pool
from commonsight.build.imaging.sets.writing import pair_tasks, pictures
from commonsight.core.benchmark import Source

PAPER = Fitness()


def _seen(number: int, **told: Any) -> Seen:
    known: dict[str, Any] = {"sha256": f"{number:064x}", "width": 640, "height": 480, "row": number}
    # Hashes far from one another: bytes of the number's own, repeated.
    known["hash"] = f"{(number * 0x9E3779B97F4A7C15) % 2**64:016x}"
    return Seen(f"/photos/{number}.jpg", "stamp", **{**known, **told})


def _results(query: str, *sizes: int) -> list[Candidate]:
    """So many images for each result of a query, each with an address of its own."""
    return [
        Candidate(f"{query} {result} {rank}", Path(f"{result}-{rank}.jpg"), f"http://x/{query}/{result}/{rank}",
                  query, result, rank, "cup")
        for result, size in enumerate(sizes)
        for rank in range(size)
    ]  # fmt: skip


def _pool(candidates: Sequence[Candidate], **changes: Any) -> Pool:
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((len(candidates), 8)).astype(np.float32)
    seen = [_seen(number) for number in range(len(candidates))]
    return Pool(candidates, seen, vectors, {}, frozenset())._replace(**changes)


def _made(pool: Pool, fitness: Fitness = PAPER, search: Search | None = None, **options: Any) -> Made:
    told: dict[str, Any] = {"alike": -1.0, "skipped": (), "split": "train", "seed": 3, **options}
    return Composer(pool, search or Search(), fitness, **told).compose()


def _with(pool: Pool, changed: dict[int, Seen | None]) -> Pool:
    return pool._replace(seen=[changed.get(place, one) for place, one in enumerate(pool.seen)])


def test_the_papers_numbers_are_the_defaults() -> None:
    assert Search() == Search(16, 60, 30, 5, 100, 60)
    assert (PAPER.shortest, PAPER.size, PAPER.interesting) == (200, 8, 3)


def test_a_result_and_its_fifteen_most_similar_become_eight_in_four_pairs() -> None:
    made = _made(_pool(_results("two cups", 20)))
    (one,) = made.sets
    assert [member.image for member in one.images] == [f"two cups 0 {rank}" for rank in range(8)]
    assert sorted(place for pair in one.pairs for place in pair) == list(range(8))
    assert len(one.pairs) == 4
    assert (made.sets_after["collected"], made.images_after["collected"]) == (1, 16)
    assert [drop.reason for drop in made.dropped] == ["beyond the set's size"] * 8 + ["in no set"] * 4
    assert (one.query, one.result, one.synset) == ("two cups", 0, "cup")
    assert one.images[0].similarity == 1.0


def test_pairs_are_drawn_from_the_seed() -> None:
    pool = _pool(_results("q", 8, 8))
    first, again, other = (_made(pool, seed=seed) for seed in (1, 1, 2))
    assert [one.pairs for one in first.sets] == [one.pairs for one in again.sets]
    assert [one.pairs for one in first.sets] != [one.pairs for one in other.sets]
    assert first.sets[0].pairs != first.sets[1].pairs


def _hash(bits: int) -> str:
    """The hash of the first image, with so many bits changed."""
    return f"{int(_seen(0).hash, 16) ^ ((1 << bits) - 1):016x}"


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (Seen("4.jpg", "stamp", fault="no picture"), "broken"),
        (None, "not downloaded"),
        (_seen(4, width=199), "too small"),
        (_seen(4, height=199), "too small"),
        (_seen(4, sha256=_seen(0).sha256), "exact duplicate"),
        (_seen(4, hash=_hash(6)), "near duplicate"),
    ],
)
def test_what_is_not_fit_goes(changed: Seen | None, reason: str) -> None:
    pool = _pool(_results("q", 9))
    made = _made(_with(pool, {4: changed}))
    assert [(drop.image, drop.reason) for drop in made.dropped] == [("q 0 4", reason)]
    (one,) = made.sets
    assert "q 0 4" not in {member.image for member in one.images}
    assert not _made(_with(_pool(_results("q", 8)), {4: changed})).sets


def test_what_is_just_fit_stays() -> None:
    changed = _seen(4, width=200, height=200, hash=_hash(7))
    assert len(_made(_with(_pool(_results("q", 8)), {4: changed})).sets) == 1


def test_pictures_without_a_hash_are_never_nearly_the_same() -> None:
    pool = _pool(_results("q", 8))
    assert len(_made(_with(pool, {3: _seen(3, hash=""), 4: _seen(4, hash="")})).sets) == 1


def test_stock_photographs_are_skipped() -> None:
    candidates = _results("q", 9)
    candidates[2] = msgspec.structs.replace(candidates[2], url="https://c8.alamy.com/x.jpg")
    made = _made(_pool(candidates), skipped=("alamy.com",))
    assert [(drop.image, drop.reason) for drop in made.dropped] == [("q 0 2", "stock photograph")]


def test_an_address_that_an_earlier_set_of_the_query_had_goes() -> None:
    candidates = _results("q", 8, 9) + _results("other", 8)
    shared = candidates[0].url
    for place in (10, 17):
        candidates[place] = msgspec.structs.replace(candidates[place], url=shared)
    made = _made(_pool(candidates))
    assert [(drop.image, drop.reason) for drop in made.dropped] == [("q 1 2", "met in an earlier set")]
    assert [one.query for one in made.sets] == ["q", "q", "other"]  # other queries may have it


def test_an_address_counts_as_met_even_if_its_set_went() -> None:
    candidates = _results("q", 7, 8)
    candidates[9] = msgspec.structs.replace(candidates[9], url=candidates[0].url)
    made = _made(_pool(candidates))
    assert not made.sets
    assert [(gone.reason, gone.result) for gone in made.discarded] == [
        ("too few images", 0), ("too few images", 1),
    ]  # fmt: skip


def test_what_people_took_out_goes_and_then_sets_with_fewer_than_eight() -> None:
    made = _made(_pool(_results("q", 9, 8), removed=frozenset({1, 10})))
    assert [one.result for one in made.sets] == [0]
    assert [gone.reason for gone in made.discarded] == ["too few images"]
    assert [made.sets_after[stage] for stage in STAGES] == [2, 2, 1, 1, 1]
    assert [made.images_after[stage] for stage in STAGES] == [17, 17, 8, 8, 8]


@pytest.mark.parametrize(("interesting", "sets"), [(3, 1), (2, 0)])
def test_sets_with_fewer_than_three_interesting_images_go(interesting: int, sets: int) -> None:
    flags = {place: place >= 8 - interesting for place in range(8)}
    made = _made(_pool(_results("q", 8), interesting=flags))
    assert len(made.sets) == sets
    assert [gone.reason for gone in made.discarded] == ["too few interesting images"] * (1 - sets)


def test_interesting_images_come_first_and_then_the_most_similar() -> None:
    flags = dict.fromkeys((0, 2, 5, 6), False)  # of the others nobody says anything: they are interesting
    (one,) = _made(_pool(_results("q", 11), interesting=flags)).sets
    assert [member.image for member in one.images] == [f"q 0 {rank}" for rank in (1, 3, 4, 7, 8, 9, 10, 0)]
    assert [member.interesting for member in one.images] == [True] * 7 + [False]


@pytest.mark.parametrize(
    ("query", "sizes", "sets"),
    [
        ("some cups", [8] * 40, 30),
        ("two cups", [8] * 70, 60),
        ("some cups", [8, 1] * 40, 30),  # 60 results hold 30 sets
        ("some cups", [8, 1, 1] * 30, 20),  # 60 results hold 20
        ("group of cups", [8, 1, 1] * 40, 34),  # 100 results hold 34
        ("some cups", [8, 1, 1, 1, 1, 1, 8], 1),  # five without similar images end the query
        ("some cups", [8, 1, 1, 1, 1, 8, 1], 2),
    ],
)
def test_a_query_is_followed_as_far_as_the_paper_does(query: str, sizes: list[int], sets: int) -> None:
    made = _made(_pool(_results(query, *sizes)), Fitness(near=-1))
    assert len(made.sets) == sets


def _folder(groups: int, each: int, spread: float = 0.05) -> Pool:
    """Images without a query: groups of vectors that point the same way, one after another in turn."""
    rng = np.random.default_rng(1)
    count = groups * each
    candidates = [Candidate(f"{number % groups}/{number}.jpg", Path("x")) for number in range(count)]
    middles = np.eye(groups, 8)
    vectors = middles[np.arange(count) % groups] + spread * rng.standard_normal((count, 8))
    return _pool(candidates, vectors=vectors.astype(np.float32))


def test_in_a_folder_neighbours_become_sets() -> None:
    made = _made(_folder(3, 16), Fitness(near=-1))
    assert len(made.sets) == 6  # what a set leaves over is free for another
    for one in made.sets:
        assert len({member.image.partition("/")[0] for member in one.images}) == 1
        assert one.similarity > 0.9
    images = [member.image for one in made.sets for member in one.images]
    assert len(set(images)) == len(images)  # each image in one set at most
    tight = [one.similarity for one in made.sets]
    report = sets_report(_folder(3, 16), made, seed=0)
    assert report.similarity is not None
    assert report.similarity.made == pytest.approx(np.mean(tight), abs=1e-3)
    assert report.similarity.random < 0.5


def test_a_folder_has_no_limits_of_a_query() -> None:
    assert len(_made(_folder(8, 40), Fitness(size=2, interesting=0, near=-1), Search(related=2)).sets) == 160


def test_images_that_are_not_alike_enough_are_in_no_set() -> None:
    pool = _folder(2, 9)
    vectors = pool.vectors[np.arange(18)]
    vectors[0], vectors[1] = -np.eye(8)[0], -np.eye(8)[1]  # which point elsewhere
    made = _made(pool._replace(vectors=vectors), Fitness(near=-1), alike=0.5)
    assert sorted(drop.image for drop in made.dropped if drop.reason == "in no set") == ["0/0.jpg", "1/1.jpg"]
    assert len(made.sets) == 2


def test_a_query_without_results_is_searched_in_its_order() -> None:
    folder = _folder(2, 16)
    candidates = [msgspec.structs.replace(one, query="some cups") for one in folder.candidates]
    made = _made(folder._replace(candidates=candidates), Fitness(near=-1), Search(sets=1))
    (one,) = made.sets
    assert one.images[0].image == "0/0.jpg"
    assert (one.query, one.result) == ("some cups", 0)


def test_folders_are_pruned_before_sets_are_made() -> None:
    pool = _folder(1, 10)
    double = msgspec.structs.replace(_seen(1), sha256=_seen(0).sha256)
    made = _made(_with(pool, {1: double, 2: msgspec.structs.replace(_seen(2), width=10)}), Fitness(near=-1))
    assert {(drop.image, drop.reason, drop.of) for drop in made.dropped} == {
        ("0/1.jpg", "exact duplicate", "0/0.jpg"), ("0/2.jpg", "too small", None),
    }  # fmt: skip
    assert len(made.sets) == 1


def test_tasks_are_nlvr2_records_that_want_a_sentence() -> None:
    (one,) = _made(_pool(_results("two cups", 8)), split="dev").sets
    tasks = list(pair_tasks(one, 2))
    names = [f"dev-0-{pair}-{said}" for said in (0, 1) for pair in range(4)]
    assert [task.identifier for task in tasks] == names
    assert [task.left_url for task in tasks[:4]] == [task.left_url for task in tasks[4:]]
    assert tasks[0].query == "two cups0"
    written = {**msgspec.to_builtins(tasks[5]), "sentence": "There are cups.", "label": "True"}
    record = msgspec.json.decode(msgspec.json.encode(written), type=Nlvr2Record)
    item = NLVR2.native.to_item(record, {}, Source("dev.json", "dev"))
    assert item.groups == {"sentence": "dev-0-1", "set": "dev-0"}
    files = dict(pictures(one))
    assert {scene.image for scene in item.scenes} <= set(files)
    left, _ = one.pairs[1]
    assert files[item.scenes[0].image] == Path(one.images[left].path or "")


def test_the_report_counts_what_went() -> None:
    pool = _pool(_results("q", 16, 7), interesting={0: False})
    report = sets_report(pool, _made(pool), seed=0)
    assert report.images == 23
    assert report.dropped == {"beyond the set's size": 8}
    assert report.discarded == {"too few images": 1}
    assert report.interesting == 1.0  # the one that is not came last, and was beyond the set's size
    assert [(stage.sets, stage.images) for stage in report.stages] == [
        (2, 23), *[(1, 16)] * 4, (1, 8),
    ]  # fmt: skip
