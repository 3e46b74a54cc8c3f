"""The checker proves every label of a world, and finds one that does not follow."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from commonsight.errors import UsageError
from commonsight.world.make import KINDS, Plan, Unit, units
from commonsight.world.prove import LABELLED, Verdict, proved, verdicts


def _quiet(done: Iterator[Unit], _: int) -> Iterator[Unit]:
    return done


def test_some_three_hundred_items_of_each_kind_are_proved() -> None:
    counts = proved(Plan(156, 2, ("vcr", "pmr", "aokvqa")), _quiet)
    counts |= proved(Plan(320, 2, ("nlvr2",)), _quiet)
    for kind, count in counts.items():
        assert count.items >= 270, (kind, count)
        assert count.unproved == 0, (kind, count)
        assert count.mistakes < 0.08 * count.items


@pytest.mark.slow
def test_ten_thousand_items_are_proved() -> None:
    counts = proved(Plan(1560, 4, LABELLED), _quiet)
    assert sum(count.items for count in counts.values()) >= 10_000
    assert {kind: count.unproved for kind, count in counts.items()} == dict.fromkeys(LABELLED, 0)


def test_a_label_that_does_not_follow_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(12, 2, ("vcr", "pmr", "aokvqa"))
    monkeypatch.setattr("commonsight.world.prove.proves", lambda *_: False)
    monkeypatch.setattr("commonsight.world.pmr.check", lambda *_: False)
    monkeypatch.setattr("commonsight.world.aokvqa.check", lambda *_: False)
    for kind, count in proved(plan, _quiet).items():
        assert count.proved == 0, kind
        assert count.unproved > 0.8 * count.items


def test_a_mistake_that_can_be_proved_counts_as_unproved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "commonsight.world.prove.verdicts", lambda *_: iter([Verdict("vcr", "a", holds=True, mistake=True)])
    )
    assert proved(Plan(1, 0, ("vcr",)), _quiet)["vcr"].unproved == 1


def test_scene_graphs_have_no_labels_to_prove() -> None:
    with pytest.raises(UsageError, match="no labels"):
        proved(Plan(12, 0, ("cric",)), _quiet)
    plan = Plan(12, 5, KINDS)
    assert {verdict.kind for verdict in verdicts(plan, units(plan)[0])} == {"vcr", "pmr", "aokvqa"}
