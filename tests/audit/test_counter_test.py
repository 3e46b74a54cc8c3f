"""How far a run falls when choices are put in other words."""

from __future__ import annotations

import numpy as np
import pytest

from commonsight.audit.edits.counter_test import counter_test
from commonsight.audit.probe import CannotMeasure, RunAnswers


def run(name: str, scores: list[float], *, first: int = 0, metric: str = "accuracy") -> RunAnswers:
    ids = tuple(f"i{number}" for number in range(first, first + len(scores)))
    return RunAnswers(name, ids, {metric: np.array(scores)})


def test_a_fall_is_found_with_the_items_that_were_lost() -> None:
    before = run("plain", [1.0] * 80 + [0.0] * 20)
    after = run("edited", [0.0] * 30 + [1.0] * 50 + [0.0] * 20)
    section = counter_test(before, after)
    (found,) = section.findings
    assert (found.code, found.level) == ("counter-test", "warning")
    assert found.value == pytest.approx(0.3)
    assert found.items == tuple(f"i{number}" for number in range(30))
    assert section.figures["accuracy-before"].value == 0.8
    assert section.figures["accuracy-after"].value == 0.5
    row = section.tables[0].rows[0]
    assert row[:2] == ("accuracy", 100)
    assert row[-2:] == (30, 0)


def test_no_fall_is_fine_and_a_small_sure_one_a_note() -> None:
    same = run("plain", [1.0, 0.0] * 50)
    assert counter_test(same, same).findings[0].level == "fine"
    before, after = run("plain", [1.0] * 1000), run("edited", [0.0] * 15 + [1.0] * 985)
    assert counter_test(before, after).findings[0].level == "note"


def test_items_are_paired_by_id_and_clusters_are_respected() -> None:
    before = run("plain", [1.0] * 60)
    after = RunAnswers("edited", tuple(reversed(before.ids)), {"accuracy": np.array([1.0] * 30 + [0.0] * 30)})
    assert set(counter_test(before, after).findings[0].items) == {f"i{number}" for number in range(30)}
    one = counter_test(before, after, dict.fromkeys(before.ids, "the same image"))
    assert one.findings[0].level == "fine"


def test_scores_that_a_metric_leaves_out_are_left_out() -> None:
    before, after = run("plain", [1.0, np.nan, 1.0, 1.0]), run("edited", [1.0, 1.0, np.nan, 0.0])
    assert counter_test(before, after).figures["accuracy-before"].n == 2


def test_runs_that_cannot_be_compared_say_so() -> None:
    with pytest.raises(CannotMeasure, match="0 scored items in common"):
        counter_test(run("plain", [1.0] * 5), run("edited", [1.0] * 5, first=10))
    with pytest.raises(CannotMeasure, match="no metric in common: accuracy and mc"):
        counter_test(run("plain", [1.0] * 5), run("edited", [1.0] * 5, metric="mc"))
