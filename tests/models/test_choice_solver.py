"""A fine-tuned cross-encoder as a solver of choices, behind the audit's door."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonsight.audit import fakes
from commonsight.audit.blind.probe import Blind
from commonsight.audit.blind.solvers import ChoiceSolver
from commonsight.audit.probe import Setting
from commonsight.models.choice_solver import TransformerChoices
from commonsight.models.cross_encoder import Fitting
from commonsight.models.untrained import Shape, untrained
from commonsight.text.encoders import HashedEncoder

SMALL = Shape(1, 16, 1, 400, 48, dropout=0.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [*fakes.WORDS, "indeed person1 person2 person3 person4 dog cup car . ?"]
    return untrained(tmp_path_factory.mktemp("models") / "tiny", texts, SMALL)


@pytest.fixture(scope="module")
def solver(folder: Path) -> TransformerChoices:
    return TransformerChoices(str(folder), fitting=Fitting(1e-2, 32, 4))


def _choices(count: int, seed: int) -> tuple[list[str], list[str], list[bool]]:
    cases = fakes.subject_of(fakes.planted(fakes.clean_items(count, seed), fakes.watermark, 1.0, 0)).cases
    rows = [(case.asked, text, place == case.gold) for case in cases["choose"]
            for place, text in enumerate(case.said)]  # fmt: skip
    return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]


def test_it_learns_what_sets_right_choices_apart(solver: TransformerChoices) -> None:
    fitted = solver.fit(*_choices(80, 1), seed=0)
    asked, said, right = _choices(40, 2)
    scores = fitted.scores(asked, said).reshape(-1, 4)
    picked = scores.argmax(axis=1)
    assert sum(right[4 * row + int(place)] for row, place in enumerate(picked)) > 30
    again = solver.fit(*_choices(80, 1), seed=0).scores(asked, said)
    assert again.tobytes() == scores.tobytes()


def test_an_audit_takes_it_beside_its_own_solvers(solver: TransformerChoices) -> None:
    door: ChoiceSolver = solver
    items = fakes.planted(fakes.clean_items(60, 3), fakes.watermark, 1.0, 0)
    [section] = Blind((door,), trees=2).measure(fakes.subject_of(items), Setting(HashedEncoder(32), folds=2))
    rows = {(row[0], row[1]) for row in section.tables[1].rows}
    assert ("choices, one at a time", solver.name) in rows
    assert ("question and choices", solver.name) in rows


def test_labels_are_choices_too(solver: TransformerChoices) -> None:
    subject = fakes.subject_of(fakes.clean_verdicts(40, 1), fakes.VERIFY)
    [section] = Blind((solver,), trees=2).measure(subject, Setting(HashedEncoder(32), folds=2))
    assert ("question only", solver.name) in {(row[0], row[1]) for row in section.tables[1].rows}
