"""The page of results shows what was kept, and nothing else."""

from __future__ import annotations

import pytest

import _results
import quality_networks
from commonsight.models.catalogue import find

TABLES = [table.shown for table in quality_networks.TABLES.values()]


def test_the_page_shows_what_was_kept() -> None:
    page = _results.PAGE.read_text(encoding="utf-8")
    stale = "stale: run `bench/quality_networks.py --show --write`"
    assert _results.written(page, TABLES, _results.read_kept()) == page, stale


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_what_was_kept_is_of_rows_and_metrics_that_there_are(table: _results.Shown) -> None:
    for row, seeds in _results.read_kept().get(table.name, {}).items():
        assert row in table.rows
        for scores in seeds.values():
            assert set(scores) <= set(table.metrics)
            assert all(0 <= score <= 1 for score in scores.values())


@pytest.mark.parametrize("table", quality_networks.TABLES.values(), ids=lambda table: table.shown.name)
def test_rows_are_networks_or_have_a_command_of_their_own(table: quality_networks.Table) -> None:
    for row in table.shown.rows:
        assert row in table.others or find(row).name == row


def test_a_cell_is_a_mean_with_its_deviation() -> None:
    assert _results.cell([0.5]) == "50.0"
    assert _results.cell([0.5, 0.6, 0.7]) == "60.0 ± 10.0"
    assert _results.cell([]) == "–"


def test_what_is_measured_anew_takes_the_place_of_what_was() -> None:
    before = {"vcr": {"r2c": {"0": {"q2a": 0.5}, "1": {"q2a": 0.6}}}}
    now = {"vcr": {"r2c": {"1": {"q2a": 0.7}}, "lstm": {"0": {"q2a": 0.2}}}}
    assert _results.merged(before, now) == {
        "vcr": {"r2c": {"0": {"q2a": 0.5}, "1": {"q2a": 0.7}}, "lstm": {"0": {"q2a": 0.2}}}
    }
    assert before["vcr"]["r2c"]["1"] == {"q2a": 0.6}
