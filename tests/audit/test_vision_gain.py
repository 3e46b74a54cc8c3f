"""With and without the picture."""

from __future__ import annotations

import numpy as np
import pytest

from commonsight.audit import fakes
from commonsight.audit.probe import CannotMeasure, Setting
from commonsight.audit.runside.fakes import gold_of, guessed, run_of_picks, with_runs
from commonsight.audit.runside.graded import chance_of, graded
from commonsight.audit.runside.vision_gain import VisionGain, gain_of, pairs_of
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder())


def test_gain_and_leakage_by_hand() -> None:
    items = fakes.clean_items(40, seed=4)
    gold, at = gold_of(items), np.arange(40)
    seeing = run_of_picks(items, np.where(at < 30, gold, (gold + 1) % 4), "m")
    blind = run_of_picks(items, np.where((at < 10) | (at >= 35), gold, (gold + 1) % 4), "m-blind", blind=True)
    (matrix,) = graded(with_runs(fakes.subject_of(items), seeing, blind), [seeing, blind])
    found = gain_of(matrix, SETTING)
    assert found.gain.difference == pytest.approx(30 / 40 - 15 / 40)
    assert found.leakage.difference == pytest.approx(15 / 40 - 1 / 4)
    assert found.only_seeing == tuple(item.id for item in items[10:30])
    assert found.only_blind == tuple(item.id for item in items[35:])


def test_pairs_by_model_and_by_name() -> None:
    items = fakes.clean_items(8, seed=1)

    def run(name: str, **options: object) -> object:
        return guessed(items, 0.5, 1, name, **options)

    runs = [
        run("a", model="x"), run("b"), run("dark", model="x", blind=True), run("b-blind", blind=True),
        run("stray", model="z", blind=True), run("a@1", model="x", circular=1),
    ]  # fmt: skip
    assert [(pair.model, pair.seeing, pair.blind) for pair in pairs_of(runs)] == [("a", 0, 2), ("b", 1, 3)]  # type: ignore[arg-type]
    assert [pair.model for pair in pairs_of([runs[1], runs[4]])] == ["b"]  # type: ignore[list-item]
    assert pairs_of(runs[:2]) == []  # type: ignore[arg-type]


def measured(seeing: float, blind: float, seed: int, count: int = 600) -> dict[str, str]:
    items = fakes.clean_items(count, seed)
    runs = (guessed(items, seeing, seed, "m"), guessed(items, blind, seed + 99, "m-blind", blind=True))
    (section,) = VisionGain().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
    return {found.code: found.level for found in section.findings}


def test_a_leak_is_found_and_a_useless_picture_too() -> None:
    assert measured(0.8, 0.5, 1) == {"blind-run": "warning", "vision-gain": "fine"}
    assert measured(0.6, 0.6, 2, 2000) == {"blind-run": "warning", "vision-gain": "warning"}
    assert measured(0.25, 0.25, 3) == {"blind-run": "fine"}  # who cannot do the task says nothing of pictures


@pytest.mark.parametrize("seed", range(50))
def test_a_clean_pair_raises_nothing(seed: int) -> None:
    assert measured(0.7, 0.25, seed, 200 + 30 * seed) == {"blind-run": "fine", "vision-gain": "fine"}


def test_chance_of_shared_answers_is_the_commonest() -> None:
    (matrix,) = graded(
        with_runs(
            fakes.subject_of(items := fakes.clean_verdicts(40, 1)[:39], fakes.VERIFY),
            run_of_picks(items, np.zeros(39, int), task="verify"),
        )
    )
    share = np.mean([case.answer == "True" for case in matrix.cases])
    assert chance_of(matrix.cases).mean() == pytest.approx(max(share, 1 - share))


def test_without_a_pair_it_says_what_to_give() -> None:
    items = fakes.clean_items(40, seed=1)
    subject = fakes.subject_of(items)
    with pytest.raises(CannotMeasure, match="Give runs with --run"):
        VisionGain().measure(subject, SETTING)
    with pytest.raises(CannotMeasure, match="A run without the picture is needed"):
        VisionGain().measure(with_runs(subject, guessed(items, 0.5, 1)), SETTING)
    half = guessed(items[:20], 0.5, 1), guessed(items[20:], 0.5, 1, blind=True)
    with pytest.raises(CannotMeasure, match="no item in common"):
        VisionGain().measure(with_runs(subject, *half), SETTING)
