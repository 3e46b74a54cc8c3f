"""The whole audit on planted and clean benchmarks: every plant is found, nothing else is cried over."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from commonsight.audit import fakes
from commonsight.audit.probe import Setting
from commonsight.audit.probes import ALL, DESCRIPTIONS
from commonsight.audit.run import audited
from commonsight.audit.values import Audit
from commonsight.core.benchmark import Task
from commonsight.core.item import Item
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder(32), folds=3)
LOOKING = [probe for probe in ALL if probe not in DESCRIPTIONS]
SHARE = 0.35

PLANTS = {
    "length": (fakes.longer_answer, "length-shortcut"),
    "a watermark word": (fakes.watermark, "word-artifacts"),
    "position": (fakes.first_position, "position-shortcut"),
    "tag overlap": (fakes.repeated_tag, "tag-overlap-shortcut"),
}


LEARNING = ("blind", "hardness")
"""Slow ones, whose own tests hold them to the same plants."""


def audit_of(items: Sequence[Item], task: Task = fakes.CHOOSE, *, learning: bool = False) -> Audit:
    probes = [probe for probe in LOOKING if learning or probe.name not in LEARNING]
    return audited(fakes.subject_of(items, task), probes, SETTING)


def warnings_of(audit: Audit) -> dict[str, tuple[str, ...]]:
    return {finding.code: finding.items for finding in audit.findings if finding.level == "warning"}


@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_shortcut_is_found_with_its_items(plant: str) -> None:
    change, code = PLANTS[plant]
    clean = fakes.clean_items(1000, seed=11)
    items = fakes.planted(clean, change, SHARE, seed=11)
    found = warnings_of(audit_of(items))
    assert code in found
    changed = {after.id for before, after in zip(clean, items, strict=True) if before != after}
    named = found[code]
    assert len(changed & set(named)) / len(named) > 1.15 * len(changed) / len(items)


def test_a_leaked_split_is_found_with_exactly_its_items() -> None:
    items = fakes.leaked(fakes.clean_items(600, seed=12), 0.05, seed=12)
    audit = audit_of(items)
    found = warnings_of(audit)
    copies = {item.id for item in items if item.id.startswith("again-")}
    assert copies <= set(found["duplicate-items"])


def test_a_clean_set_raises_no_warning() -> None:
    for seed in (0, 1):
        assert not warnings_of(audit_of(fakes.clean_items(300, seed=seed), learning=True))
        assert not warnings_of(audit_of(fakes.clean_verdicts(300, seed=seed), fakes.VERIFY, learning=True))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
def test_fifty_clean_sets_raise_no_warning(seed: int) -> None:
    assert not warnings_of(audit_of(fakes.clean_items(400, seed=100 + seed), learning=True))
    assert not warnings_of(audit_of(fakes.clean_verdicts(400, seed=100 + seed), fakes.VERIFY, learning=True))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
@pytest.mark.parametrize("plant", PLANTS)
def test_fifty_plants_are_found(plant: str, seed: int) -> None:
    change, code = PLANTS[plant]
    items = fakes.planted(fakes.clean_items(1000, seed=seed), change, SHARE, seed=seed)
    probes = [probe for probe in LOOKING if probe.name in ("shortcuts", "words")]
    found = warnings_of(audited(fakes.subject_of(items), probes, SETTING))
    assert code in found
