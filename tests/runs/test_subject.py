"""Files and datasets as something to audit."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonsight.audit.fakes import clean_items
from commonsight.errors import UsageError
from commonsight.runs.subject import Opening
from commonsight.store.dataset import write_dataset
from commonsight.store.info import DatasetInfo, Made


def written(folder: Path, benchmark: str = "any-text") -> Path:
    info = DatasetInfo("mine", benchmark, "1", Made("test", "0"), {}, title="Any text")
    write_dataset(folder, clean_items(30, seed=1), info)
    return folder


def test_native_files_are_told_by_what_they_hold(fixtures_dir: Path) -> None:
    files = (fixtures_dir / "pmr" / "val-ori.jsonl", fixtures_dir / "pmr" / "val-adv.jsonl")
    subject = Opening(files).subject()
    assert (subject.benchmark, subject.name) == ("pmr", "val-ori.jsonl, val-adv.jsonl")
    assert len(list(subject.read())) == len(list(subject.read())) == 8
    assert len(subject.cases["action"]) == 8


def test_both_steps_of_a_staged_task_are_cases(fixtures_dir: Path) -> None:
    subject = Opening((fixtures_dir / "vcr" / "val.jsonl",)).subject()
    assert set(subject.cases) == {"q2a", "qa2r"}
    answer, reason = subject.cases["q2a"].all[0], subject.cases["qa2r"].all[0]
    assert answer.answer is not None
    assert answer.answer in reason.asked
    assert answer.answer not in answer.asked


def test_a_dataset_of_any_text_task_can_be_audited(tmp_path: Path) -> None:
    subject = Opening((written(tmp_path / "made"),)).subject()
    assert (subject.title, subject.images) == ("Any text", tmp_path / "made")
    assert len(subject.cases["choose"]) == 30


def test_two_benchmarks_at_once_are_refused(tmp_path: Path, fixtures_dir: Path) -> None:
    with pytest.raises(UsageError, match="These are of pmr and nlvr2"):
        Opening((fixtures_dir / "pmr" / "val-ori.jsonl", fixtures_dir / "nlvr2" / "dev.json")).subject()
    with pytest.raises(UsageError, match="not all of one benchmark"):
        Opening((written(tmp_path / "made"), fixtures_dir / "nlvr2" / "dev.json")).subject()


def test_a_label_task_has_its_answers(fixtures_dir: Path) -> None:
    cases = Opening((fixtures_dir / "nlvr2" / "dev.json",)).subject().cases["verify"]
    assert cases.kind == "label"
    assert {case.answer for case in cases} == {"True", "False"}
    grounded = Opening((fixtures_dir / "cric" / "val_questions.json",)).subject().cases["answer"]
    assert grounded.kind == "label"
    assert all(case.answer for case in grounded)
