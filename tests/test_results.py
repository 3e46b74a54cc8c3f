"""The page of results shows what was kept, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import _results
import quality_analyses
import quality_networks
import quality_text_rows
from commonsight.models.catalogue import find

TABLES = [*(table.shown for table in quality_networks.TABLES.values()), *quality_analyses.ALL]


def test_the_page_shows_what_was_kept() -> None:
    page = _results.PAGE.read_text(encoding="utf-8")
    stale = "stale: run `bench/quality_networks.py --show --write`, or the script that the page names"
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
        assert row in table.others or row in table.asked or find(row).name == row


def test_a_run_that_was_stopped_is_no_row(tmp_path: Path) -> None:
    table = quality_networks.TABLES["aokvqa"]
    row, place = quality_networks.Row(table, "prompted", 0), quality_networks.Place(tmp_path)
    (tmp_path / row.folder / "run").mkdir(parents=True)
    told = {"metrics": {"mc": {"value": 0.5}, "da": {"value": 0.25}}, "slices": {}}
    (tmp_path / row.folder / "run" / "report.json").write_text(json.dumps(told))
    assert quality_networks.scores_of(place, row) is None
    (tmp_path / row.folder / quality_networks.DONE).touch()
    assert quality_networks.scores_of(place, row) == {"mc": 0.5, "da": 0.25}


def test_the_page_shows_the_rows_of_text_alone() -> None:
    page = _results.PAGE.read_text(encoding="utf-8")
    table = quality_text_rows.TABLE
    stale = "stale: run `bench/quality_text_rows.py --write`"
    assert _results.written(page, [table], _results.read_kept()) == page, stale
    kept = _results.read_kept()[table.name]
    assert kept.keys() <= set(table.rows)  # rows that have not been run yet are not there
    assert all(len(seeds) == 3 for seeds in kept.values())


def test_analyses_are_read_from_what_the_audit_says() -> None:
    systems = list(quality_analyses.SYSTEMS)
    sliced = {
        "title": "By knowledge type",
        "rows": [["visual", 9, *({"value": at / 10} for at in range(5))]],
    }
    pairs = {
        "title": "Pairwise difference",
        "rows": [[name, *(None if name == beside else 0.5 for beside in systems)] for name in systems],
    }
    together = {name: {"value": 0.4} for name in quality_analyses.TOGETHER.metrics}
    found = quality_analyses.measured([
        {"probe": "slices", "tables": [sliced, {"title": "By objects", "rows": []}], "figures": {}},
        {"probe": "ensemble", "tables": [pairs], "figures": together | {"else": {"value": 1.0}}},
    ])
    assert found["aokvqa-knowledge"]["gpv-2"] == {"visual": 0.4}
    assert found["aokvqa-pairs"]["vilbert"] == dict.fromkeys(systems[1:], 0.5)
    assert found["aokvqa-together"] == {"all five": dict.fromkeys(together, 0.4)}
    assert found.keys() <= {table.name for table in quality_analyses.ALL}


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
