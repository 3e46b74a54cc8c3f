"""Hardness: predictable items are found, hardening makes a set harder for a solver that did not filter it."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from commonsight.audit import fakes
from commonsight.audit.blind.probe import Blind
from commonsight.audit.blind.results import one_thread
from commonsight.audit.hardness.aflite import Partitions, partition, predictability
from commonsight.audit.hardness.dynamics import dynamics
from commonsight.audit.hardness.filter import hardened, hardening
from commonsight.audit.hardness.probe import Hardness, solved_by_all
from commonsight.audit.hardness.views import View, view_of
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.store.figures import write_figure
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder(64), folds=3)
FEW = Partitions(count=8)


def marked(count: int = 240, share: float = 0.5) -> list[Item]:
    return fakes.planted(fakes.clean_items(count, 4), fakes.watermark, share, 0)


def has_mark(item: Item) -> bool:
    return any("indeed" in text.tokens for text in item.choices)


def view(items: list[Item]) -> View:
    return view_of(fakes.subject_of(items).cases["choose"], SETTING.encoder, 0)


def test_a_partition_keeps_groups_whole_and_inactive_items_out() -> None:
    groups = np.repeat(np.arange(20), 5)
    active = np.ones(100, bool)
    active[:30] = False
    learn = partition(groups, active, 0.6, np.random.default_rng(0))
    assert not learn[:30].any()
    assert 30 < learn.sum() <= 0.6 * 70
    assert all(len(set(learn[groups == group])) == 1 for group in range(6, 20))


def test_items_with_a_plant_are_predictable() -> None:
    items = marked()
    with one_thread():
        scores = predictability(view(items), np.ones(len(items), bool), FEW, 0)
    planted = np.array([has_mark(item) for item in items])
    assert np.nanmean(scores[planted]) > 0.8
    assert np.nanmean(scores[~planted]) < 0.3
    half = np.arange(len(items)) % 2 == 0
    assert np.isnan(predictability(view(items), half, FEW, 0)[~half]).all()


def test_items_with_a_plant_are_easy_to_learn() -> None:
    items = marked()
    course = dynamics(view(items), 0)
    planted = np.array([has_mark(item) for item in items])
    assert course.confidence[planted].mean() > course.confidence[~planted].mean() + 0.2
    assert course.correctness.min() >= 0
    assert course.correctness.max() <= 1
    assert not (course.easy & course.hard).any()


def test_the_course_of_one_item_is_its_mean_and_deviation() -> None:
    items = marked(40)
    one, two = dynamics(view(items), 0, epochs=1), dynamics(view(items), 0, epochs=2)
    assert one.variability.max() == 0
    later = 2 * two.confidence - one.confidence  # the second epoch's chance
    np.testing.assert_allclose(two.variability, np.abs(later - one.confidence) / 2, atol=1e-12)


@pytest.fixture(scope="module")
def subject() -> Subject:
    return fakes.subject_of(marked())


def test_the_section_names_items_and_draws_a_map(subject: Subject, tmp_path: Path) -> None:
    blind = Blind(trees=4)
    [section] = Hardness(blind, FEW).measure(subject, SETTING)
    found = {finding.code: finding for finding in section.findings}
    assert set(found) == {"predictable-items", "solved-by-every-probe", "hard-to-learn"}
    assert not [finding for finding in section.findings if finding.level == "warning"]
    planted = {item.id for item in subject.read() if has_mark(item)}
    first = found["predictable-items"].items[:40]
    assert sum(name in planted for name in first) >= 34
    every = solved_by_all(blind.results(subject, subject.cases["choose"].labelled, SETTING))
    assert section.figures["every_probe"].k == every.sum() == len(found["solved-by-every-probe"].items)
    assert sum(row[1] for row in section.tables[1].rows if isinstance(row[1], int)) == 240
    paths = write_figure(tmp_path / "map", section.plots[0].panels)
    assert all(path.stat().st_size > 1000 for path in paths)


def test_labels_are_judged_where_they_are_few() -> None:
    verdicts = fakes.subject_of(fakes.clean_verdicts(80, 1), fakes.VERIFY)
    [section] = Hardness(Blind(trees=2), FEW).measure(verdicts, SETTING)
    assert 0.3 < section.numbers["predictability"] < 0.7
    # There is only the sentence to see: that one solver agrees with itself is not worth telling.
    assert {finding.code for finding in section.findings} == {"predictable-items", "hard-to-learn"}
    [few] = Hardness(Blind(trees=2), FEW).measure(fakes.subject_of(fakes.clean_items(5, 1)), SETTING)
    assert "too few" in few.skipped[0]


# --- the filter --------------------------------------------------------------------------------------------


def test_hardening_lowers_what_another_solver_gets(subject: Subject) -> None:
    found = hardening(subject, SETTING, keep=0.4, partitions=FEW)
    planted = {item.id for item in subject.read() if has_mark(item)}
    assert len(planted & set(found.dropped)) > 0.7 * len(planted)
    left = list(hardened(subject.read(), found.keep, found.predictability, {"seed": 0}))
    before = Blind(trees=2).results(subject, subject.cases["choose"], SETTING)
    harder = fakes.subject_of(left)
    after = Blind(trees=2).results(harder, harder.cases["choose"], SETTING)
    # Grams are no part of what filtered: AFLite read embeddings.
    was, now = (each.sights[0].solvers["grams, linear"].mean() for each in (before, after))
    assert was > 0.5
    assert now < was - 0.15


def test_the_round_that_finds_less_than_a_slice_is_the_last() -> None:
    watched: list[tuple[int, int]] = []
    partitions = Partitions(count=24)  # so many that hardly an item is solved three times in four by chance
    clean = fakes.subject_of(fakes.clean_items(300, 3))
    found = hardening(
        clean,
        SETTING,
        keep=0.5,
        partitions=partitions,
        watch=lambda number, model: watched.append((number, model)),
    )
    assert found.rounds == 1
    assert len(found.dropped) < 0.1 * 300
    assert watched == [(1, model) for model in range(24)]


def test_every_split_gives_up_its_share_and_no_more(subject: Subject) -> None:
    found = hardening(subject, SETTING, keep=0.8, partitions=FEW)
    items = {item.id: item for item in subject.read()}
    assert found.keep | set(found.dropped) == set(items)
    for split in ("train", "val"):
        own = [name for name, item in items.items() if item.split == split]
        assert len([name for name in own if name in found.keep]) == 0.8 * len(own)
    assert all(each.predictability >= FEW.threshold for each in found.dropped.values())
    assert "round 1: solved by" in str(next(iter(found.dropped.values())))


def test_what_is_kept_says_how_predictable_it_is(subject: Subject) -> None:
    items = list(subject.read())[:3]
    kept = list(hardened(items, {items[0].id, items[1].id}, {items[0].id: 0.123456}, {"threshold": 0.75}))
    assert [item.id for item in kept] == [items[0].id, items[1].id]
    assert kept[0].provenance["audit"] == {"threshold": 0.75, "predictability": 0.1235}
    assert kept[1].provenance["audit"] == {"threshold": 0.75}
    assert structs.replace(kept[0], provenance={}) == structs.replace(items[0], provenance={})


def test_items_without_labels_are_kept() -> None:
    rng = random.Random(1)
    items = [structs.replace(i, gold=None) if rng.random() < 0.2 else i for i in marked(120, 1.0)]
    hidden = {item.id for item in items if item.gold is None}
    found = hardening(fakes.subject_of(items), SETTING, keep=0.5, partitions=FEW)
    assert hidden <= found.keep
    assert f"{len(hidden)} items without a known answer were kept." in found.notes


def test_what_cannot_be_filtered_is_told() -> None:
    with pytest.raises(CannotMeasure, match="too few to judge"):
        hardening(fakes.subject_of(fakes.clean_items(5, 1)), SETTING)
    with pytest.raises(UsageError, match="share to keep is 0"):
        hardening(fakes.subject_of(fakes.clean_items(40, 1)), SETTING, keep=0.0)
    with pytest.raises(UsageError, match="threshold is 2"):
        Partitions(threshold=2.0)
    with pytest.raises(UsageError, match="0 partitions"):
        Partitions(count=0)
