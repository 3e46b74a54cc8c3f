"""Reports of faults, what is decided about them, and the next version of a dataset."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.errors import InputError, UsageError
from commonsight.runs.exploring.errata import CHANGEABLE, Errata, changed, release
from commonsight.store.dataset import check_dataset, read_dataset
from commonsight.store.runs import AnswerLine, RunInfo, RunLog, create_run


@pytest.fixture(scope="module")
def items(drawn_world: Path) -> list[Item]:
    return list(read_dataset(drawn_world / "vcr"))


def _other(item: Item) -> int:
    assert isinstance(item.gold, Pick)
    return (item.gold.index + 1) % 4


def test_reports_are_kept_with_what_became_of_them(tmp_path: Path, items: list[Item]) -> None:
    errata = Errata(tmp_path)
    first = errata.report(items[0].id, " The answer is wrong. ", "someone", 1.0)
    second = errata.report(items[1].id, "Typo.", "", 2.0)
    errata.decide(first, "refused", "It is right.", 3.0)
    found = Errata(tmp_path).all()
    assert [one.reported.id for one in found] == [first, second]
    assert found[0].reported.text == "The answer is wrong."
    assert found[0].decided is not None
    assert found[0].decided.action == "refused"
    assert found[1].decided is None
    for text in ("", "   ", "x" * 4001):
        with pytest.raises(UsageError, match="what is wrong"):
            errata.report(items[0].id, text, "x", 1.0)
    with pytest.raises(UsageError, match="no report"):
        errata.decide("none", "removed", "", 1.0)
    with pytest.raises(UsageError, match="no change"):
        errata.decide(second, "fixed", "", 1.0, items[1])


def test_a_release_changes_what_was_settled_and_nothing_else(
    drawn_world: Path, tmp_path: Path, items: list[Item]
) -> None:
    errata = Errata(tmp_path / "errata")
    wrong, gone, kept = items[3], items[5], items[7]
    gold = {"gold": {"type": "pick", "index": _other(wrong)}}
    errata.decide(errata.report(wrong.id, "Wrong.", "a", 1.0), "fixed", "Yes.", 2.0, wrong, gold)
    errata.decide(errata.report(gone.id, "Empty picture.", "a", 1.0), "removed", "Yes.", 2.0)
    errata.decide(errata.report(kept.id, "I dislike it.", "a", 1.0), "refused", "No.", 2.0)
    released = release(drawn_world / "vcr", errata.all(), tmp_path / "new", "9.1")
    after = {item.id: item for item in read_dataset(tmp_path / "new")}
    assert check_dataset(tmp_path / "new") == []
    assert gone.id not in after
    assert len(after) == len(items) - 1
    assert after[wrong.id].gold == Pick(_other(wrong))
    assert after[wrong.id].provenance["release"] == {"change": "changed", "version": "9.1", "since": "9.1"}
    assert after[kept.id].provenance["release"]["change"] == "unchanged"
    assert after[kept.id].choices == kept.choices
    told = {one.item: one.change for one in released.changes}
    assert told == {wrong.id: "changed", gone.id: "removed"}
    lines = (tmp_path / "new" / "changes.jsonl").read_text().splitlines()
    assert [json.loads(line)["item"] for line in lines] == [wrong.id, gone.id]
    again = release(tmp_path / "new", [], tmp_path / "newer", "9.2")
    assert again.changes == ()
    newer = {item.id: item for item in read_dataset(tmp_path / "newer")}
    assert newer[wrong.id].provenance["release"] == {"change": "unchanged", "version": "9.2", "since": "9.1"}


def test_errata_of_other_items_release_nothing(drawn_world: Path, tmp_path: Path) -> None:
    errata = Errata(tmp_path / "errata")
    errata.decide(errata.report("no-such", "x", "a", 1.0), "removed", "", 2.0)
    with pytest.raises(InputError, match="no-such"):
        release(drawn_world / "vcr", errata.all(), tmp_path / "new", "9.1")
    assert not (tmp_path / "new").exists()


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from((*CHANGEABLE, "id", "nonsense")), _JSON, max_size=3))
def test_a_change_gives_an_item_or_says_why_not(items: list[Item], change: dict[str, object]) -> None:
    with suppress(UsageError):  # the one way in which it may fail
        assert changed(items[0], change).id == items[0].id


def test_the_command_scores_old_runs_again(drawn_world: Path, tmp_path: Path, items: list[Item]) -> None:
    create_run(tmp_path / "run", RunInfo("vcr", "x", "vcr", ("q2a",), "1"))
    log = RunLog(tmp_path / "run")
    log.extend([AnswerLine(item.id, "q2a", item.gold) for item in items if item.gold is not None])
    log.close()
    errata = Errata(tmp_path / "errata")
    gold = {"gold": {"type": "pick", "index": _other(items[0])}}
    errata.decide(errata.report(items[0].id, "Wrong.", "a", 1.0), "fixed", "Yes.", 2.0, items[0], gold)
    errata.decide(errata.report(items[1].id, "Wrong.", "a", 1.0), "removed", "Yes.", 2.0)
    asked = ["--errata", tmp_path / "errata", "--version", "9", "--out", tmp_path / "new"]
    command = [sys.executable, "-m", "commonsight", "release", drawn_world / "vcr", *asked]
    done = subprocess.run([*command, "--run", tmp_path / "run", "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["changed"], told["removed"]) == (1, 1)
    scores = told["runs"]["run"]["q2a"]
    assert scores["before"]["value"] == 1.0
    assert scores["after"]["value"] == pytest.approx((len(items) - 2) / (len(items) - 1))
