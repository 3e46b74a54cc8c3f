"""Blind solvers on the real files, held against what the papers found."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonsight.audit.probe import Setting
from commonsight.audit.probes import ALL
from commonsight.audit.run import sections_of
from commonsight.audit.values import Section
from commonsight.runs.subject import Opening
from commonsight.text.encoders import HashedEncoder

pytestmark = [pytest.mark.real_data, pytest.mark.slow]
PROBE = next(probe for probe in ALL if probe.name == "blind")


def measured(path: Path) -> dict[str | None, Section]:
    sections = sections_of(PROBE, Opening((path,)).subject(), Setting(HashedEncoder(256), folds=5))
    return {section.task: section for section in sections}


def test_nlvr2_sentences_tell_no_more_than_the_majority(data_dir: Path) -> None:
    """The paper's text-only baseline equals the majority class on its development set."""
    figures = measured(data_dir / "nlvr2" / "dev.json")["verify"].figures
    assert figures["majority"].value == pytest.approx(0.5086, abs=1e-4)
    told, majority = figures["question"], figures["majority"]
    assert told.low is not None
    assert told.high is not None
    assert told.low <= majority.value <= told.high


def test_pmr_actions_alone_are_clearly_above_chance(data_dir: Path) -> None:
    """The paper's BERT, trained on eight times as many, gets 39.3 from actions and 65.2 with the premise."""
    figures = measured(data_dir / "pmr" / "val-ori.jsonl")["action"].figures
    assert figures["choices"].low is not None
    assert figures["choices"].low > 0.27
    assert figures["question_and_choices"].value > figures["choices"].value
    assert figures["question_and_choices"].value < 0.652


def test_aokvqa_questions_tell_a_little(data_dir: Path) -> None:
    """The paper's question-only row has 33 %, the most common answer 30.7 % (counted in train)."""
    figures = measured(data_dir / "aokvqa" / "aokvqa_v1p0_val.json")["mc"].figures
    assert 0.27 < figures["question_and_choices"].value < 0.42
    assert 0.25 < figures["most_common"].value < 0.32
