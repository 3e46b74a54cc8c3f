"""A reply marked one at a time earns what a run with the same replies earns."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonsight.benchmarks import find
from commonsight.core.answer import Refused, Truncated
from commonsight.errors import InputError
from commonsight.runs.exports.marking import UNREAD, Marker
from commonsight.runs.subject import Opening
from commonsight.score.scoring import LoggedAnswer, gather_gold, measure, scorecard

REPLIES = ("A", "B", "The answer is (C).", "D", "True", "False", "hm", "", "umbrella", "rice",
           "Answer: yes\nObject: none", "I'm sorry, I cannot tell.")  # fmt: skip
NAMES = ("vcr", "pmr", "cric", "nlvr2", "aokvqa")


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(draws=st.lists(st.sampled_from(REPLIES), min_size=13, max_size=13))
def test_marks_add_up_to_the_papers_scores(
    name: str,
    draws: list[str],
    opening_of: Callable[[str], Opening],
    exported: Callable[..., Path],
    tmp_path: Path,
) -> None:
    folder = tmp_path / f"inspect-{name}"
    if not folder.exists():
        exported(name, "inspect")
    marker, benchmark = Marker(folder), find(name)
    items = list(opening_of(name).read())
    for task in marker.info.tasks:
        marked = {
            item.id: marker.mark(item.id, task.name, reply) for item, reply in zip(items, draws, strict=False)
        }
        logged = [LoggedAnswer(item, task.name, mark.answer) for item, mark in marked.items()]
        given_ = benchmark.scoring.from_answers(logged)
        card = scorecard(name, measure(benchmark.scoring, gather_gold(benchmark.scoring, items), given_))
        rows = [(item, mark.values) for item, mark in marked.items()]
        overall = marker.overall(task.name, rows)
        unread = sum(bool(mark.failure) for mark in marked.values()) / len(marked)
        assert overall.pop(UNREAD) == pytest.approx(unread)
        # What holds an item against another one, as PMR's pals, is only known once a run is imported.
        alone = {m: f.value for m, f in card.metrics.items() if m != "both_premises"}
        assert overall == pytest.approx(alone, nan_ok=True)
        parts = [marker.results(item, task.name, reply) for item, reply in zip(marked, draws, strict=False)]
        for metric, value in overall.items():
            assert marker.aggregated([p[metric] for p in parts]) == pytest.approx(value, nan_ok=True)


def test_the_soft_score_and_what_it_leaves_out(exported: Callable[..., Path]) -> None:
    from commonsight.runs.exports.info import read_items

    folder = exported("aokvqa", "lmms-eval")
    marker = Marker(folder)
    for item in read_items(folder):
        said = item.direct_answers[-1]
        value = marker.mark(item.id, "da", said).values["da"]
        if item.extra.get("difficult_direct_answer"):
            assert math.isnan(value)
            assert marker.results(item.id, "da", said)["da"]["value"] is None
        else:
            assert value == pytest.approx(min(1.0, item.direct_answers.count(said) / 3))


def test_why_a_reply_could_not_be_read_is_told(exported: Callable[..., Path]) -> None:
    marker = Marker(exported("vcr", "inspect"))
    cut = marker.mark("val-0", "q2a", "Let us think", "length")
    assert isinstance(cut.answer, Truncated)
    assert cut.failure == "truncated"
    refused = marker.mark("val-0", "q2a", "", "filtered")
    assert isinstance(refused.answer, Refused)
    assert refused.values == {"q2a": 0.0, UNREAD: 1.0}
    both = marker.mark("val-0", "q2a", "A or B")
    assert both.failure.startswith("unparsed: ")
    assert marker.told("val-0", "q2a", marker.mark("val-0", "q2a", "It is (b).")) == "B"


def test_an_item_that_is_not_there_is_named(exported: Callable[..., Path]) -> None:
    with pytest.raises(InputError, match="there is no item val-99 in this export"):
        Marker(exported("vcr", "inspect")).mark("val-99", "q2a", "A")
