"""What every probe of runs must do, whatever it is given: say something, or say why not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from commonsight.audit import fakes
from commonsight.audit.probe import CannotMeasure, Probe, RunAnswers, Setting, Subject
from commonsight.audit.run import sections_of
from commonsight.audit.runside.circular import Circular
from commonsight.audit.runside.ensemble import Ensemble
from commonsight.audit.runside.fakes import guessed, run_of_picks, with_runs
from commonsight.audit.runside.graded import graded
from commonsight.audit.runside.irt import ItemResponse
from commonsight.audit.runside.pick_types import PickTypes
from commonsight.audit.runside.slices import Slices
from commonsight.audit.runside.vision_gain import VisionGain
from commonsight.core.answer import Pick
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder())
PROBES: tuple[Probe, ...] = (
    Slices(), PickTypes(), Ensemble(), Circular(), VisionGain(), ItemResponse(),
)  # fmt: skip
every_probe = pytest.mark.parametrize("probe", PROBES, ids=[probe.name for probe in PROBES])


def busy(count: int, seed: int = 1) -> Subject:
    """Runs of all sorts: four plain, one rotated, one blind, on items whose choices have kinds."""
    items = [
        structs.replace(item, extra={"answer_types": ["a", "b", "c", "d"]})
        for item in fakes.clean_items(count, seed)
    ]
    runs = [guessed(items, 0.4 + 0.1 * n, seed + n, f"run{n}") for n in range(4)]
    runs.append(guessed(items, 0.4, 50, "run0@1", model="run0", circular=1))
    runs.append(guessed(items, 0.3, 51, "run0-blind", blind=True))
    return with_runs(fakes.subject_of(items), *runs)


@every_probe
def test_it_finds_something_in_runs_of_all_sorts(probe: Probe) -> None:
    sections = probe.measure(busy(120), SETTING)
    assert sections
    for section in sections:
        assert section.probe == probe.name
        assert section.task == "choose"
        assert section.tables
        assert section.about
        assert all(0 <= figure.low <= figure.high <= 1 for figure in section.figures.values()
                   if figure.low is not None and figure.high is not None)  # fmt: skip
        assert all(np.isfinite(value) for value in section.numbers.values())
        for table in section.tables:
            assert all(len(row) == len(table.columns) for row in table.rows)
    names = [plot.name for section in sections for plot in section.plots]
    assert len(set(names)) == len(names)


@every_probe
def test_the_same_runs_give_the_same_findings(probe: Probe) -> None:
    assert probe.measure(busy(60), SETTING) == probe.measure(busy(60), SETTING)


def no_labels(subject: Subject) -> Subject:
    items = [structs.replace(item, gold=None) for item in subject.read()]
    return replace(fakes.subject_of(items), runs=subject.runs)


def one_choice(subject: Subject) -> Subject:
    items = [
        structs.replace(item, choices=item.choices[:1], gold=Pick(0), extra={}) for item in subject.read()
    ]
    runs = [run_of_picks(items, np.zeros(len(items), int), f"run{n}") for n in range(4)]
    blind = run_of_picks(items, np.zeros(len(items), int), "run0-blind", blind=True)
    return with_runs(fakes.subject_of(items), *runs, blind)


def always_right(subject: Subject) -> Subject:
    items = list(subject.read())
    runs = [guessed(items, 1.0, n, f"run{n}") for n in range(4)]
    return with_runs(fakes.subject_of(items), *runs, guessed(items, 1.0, 9, "run0-blind", blind=True))


def nothing_read(subject: Subject) -> Subject:
    items = list(subject.read())
    runs = [run_of_picks(items, np.full(len(items), -1), f"run{n}") for n in range(4)]
    blind = run_of_picks(items, np.full(len(items), -1), "run0-blind", blind=True)
    return with_runs(fakes.subject_of(items), *runs, blind)


def left_out(subject: Subject) -> Subject:
    """Every metric leaves every item out."""
    nothing = {"accuracy": np.full(len(subject.runs[0].ids), np.nan)}
    return replace(subject, runs=tuple(replace(run, scores=nothing) for run in subject.runs))


def parts(subject: Subject) -> Subject:
    """Runs that answered different items."""
    items = list(subject.read())
    runs = [guessed(items[30 * n : 30 * n + 30], 0.5, n, f"run{n}") for n in range(4)]
    return with_runs(fakes.subject_of(items), *runs)


BAD = {
    "no labels": no_labels, "one choice": one_choice, "always right": always_right,
    "nothing read": nothing_read, "left out": left_out, "parts": parts, "five items": lambda _: busy(5),
}  # fmt: skip


@every_probe
@pytest.mark.parametrize("bad", BAD)
def test_bad_input_is_told_and_never_a_crash(probe: Probe, bad: str) -> None:
    with np.errstate(all="raise", under="ignore"):
        sections = sections_of(probe, BAD[bad](busy(120)), SETTING)
    assert sections
    for section in sections:
        assert section.skipped or section.tables
        assert all(sentence.endswith(".") for sentence in section.skipped)
        assert all(np.isfinite(value) for value in section.numbers.values())
    if bad in ("no labels", "left out", "five items"):
        assert "No run was scored on" in sections[0].skipped[0]


@settings(max_examples=15)
@given(st.data())
def test_any_picks_are_measured(data: st.DataObject) -> None:
    items = fakes.clean_items(24, 1)
    rows = [data.draw(st.lists(st.integers(-1, 3), min_size=24, max_size=24)) for _ in range(4)]
    subject = with_runs(
        fakes.subject_of(items), *(run_of_picks(items, row, f"run{n}") for n, row in enumerate(rows))
    )
    for probe in (Ensemble(), Circular(), ItemResponse()):
        assert sections_of(probe, subject, SETTING)


def test_a_matrix_lines_runs_up() -> None:
    items = fakes.clean_items(40, 1)
    late = guessed(items[10:], 1.0, 1, "late")
    early = guessed(items[:30][::-1], 1.0, 2, "early")
    (matrix,) = graded(with_runs(fakes.subject_of(items), late, early))
    assert np.isnan(matrix.scores[0, :10]).all()
    assert (matrix.scores[0, 10:] == 1).all()
    assert np.isnan(matrix.scores[1, 30:]).all()
    assert matrix.shared.ids == [item.id for item in items[10:30]]
    assert (matrix.said[0, 10:] == matrix.cases.gold[10:]).all()


def test_words_are_the_same_in_any_case() -> None:
    items = fakes.clean_verdicts(40, 1)
    ids = tuple(item.id for item in items)
    score = {"accuracy": np.ones(40)}
    runs = [RunAnswers(word, ids, score, {"verify": dict.fromkeys(ids, word)}) for word in ("True", " true")]
    (matrix,) = graded(with_runs(fakes.subject_of(items, fakes.VERIFY), *runs))
    assert (matrix.said == 0).all()


def test_without_any_runs_every_probe_says_how_to_give_them() -> None:
    for probe in PROBES:
        with pytest.raises(CannotMeasure, match=r"Give runs with --run to measure this\."):
            probe.measure(fakes.subject_of(fakes.clean_items(40, 1)), SETTING)
