"""Raw replies of real models to A-OKVQA's questions, read by our parser and looked at together."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from commonsight.audit.probe import Setting, Subject
from commonsight.audit.runside.circular import Circular
from commonsight.audit.runside.ensemble import Ensemble
from commonsight.audit.runside.irt import ItemResponse
from commonsight.audit.runside.slices import Slices
from commonsight.benchmarks import find
from commonsight.core.answer import FreeText
from commonsight.runs.answers import read_runs
from commonsight.score.parse import parse_free_text, parse_pick
from commonsight.store.native import read_native
from commonsight.store.runs import AnswerLine, RunInfo, create_run
from commonsight.text.encoders import HashedEncoder

pytestmark = pytest.mark.real_data

DIRECT = {
    "blip": "blip-vqa-base_da_validation_viper_False_rationale_False",
    "llava": "da_validation_viper_False_rationale_False",
}
REPLIES = {
    "blip": "blip-vqa-base_mc_validation_viper_False_rationale_False",
    "instructblip": "instructblip-vicuna-7b_mc_validation_viper_False_rationale_True",
    "llava": "mc_validation_viper_False_rationale_False",
    "llava-reasons": "mc_validation_viper_False_rationale_True",
}
SETTING = Setting(HashedEncoder())


def lines_of(data_dir: Path, file: str, task: str) -> list[AnswerLine]:
    records = json.loads((data_dir / "aokvqa" / "predictions" / f"aokvqa_task_{file}.json").read_text())
    found = []
    for record in records:
        reply = record.get("llava_zero_shot_full_response", record.get("model_response"))
        said = parse_pick(reply, record["choices"]) if task == "mc" else parse_free_text(reply)
        if isinstance(said, FreeText):  # people's answers are in lower case
            said = FreeText(said.text.lower())
        found.append(AnswerLine(record["question_id"], task, said, reply))
    return found


@pytest.fixture(scope="module")
def subject(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Subject:
    benchmark, folder = find("aokvqa"), tmp_path_factory.mktemp("runs")
    for name, file in REPLIES.items():
        lines = lines_of(data_dir, file, "mc")
        if name in DIRECT:
            lines += lines_of(data_dir, DIRECT[name], "da")
        create_run(folder / name, RunInfo("aokvqa", name, "val", ("mc", "da"), "0"))
        # Written at once: a log that is safe after each of 3,096 answers would take half a minute.
        (folder / name / "answers.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(lines))

    val = data_dir / "aokvqa" / "aokvqa_v1p0_val.json"
    runs = read_runs(
        benchmark, [folder / name for name in REPLIES], lambda: read_native(benchmark.native, [val]),
        allow_missing=True,
    )  # fmt: skip
    return Subject(
        "val", "aokvqa", "A-OKVQA", lambda: read_native(benchmark.native, [val]), benchmark.tasks,
        benchmark.scoring.cluster_of, runs=runs,
    )  # fmt: skip


def test_together_they_solve_more_than_the_best(subject: Subject) -> None:
    section = Ensemble().measure(subject, SETTING)[0]
    counts = {name: figure.k for name, figure in section.figures.items()}
    assert counts["best"] == 638
    assert counts["oracle"] == 693
    assert counts["none_right"] == 774 - 693
    assert section.figures["majority"].value == pytest.approx(0.798, abs=0.001)
    solved = next(table for table in section.tables if table.title == "How many runs solve an item")
    counted = [int(str(row[1])) for row in solved.rows]
    assert (counted[0], sum(counted)) == (81, 774)
    unsolved = next(table for table in section.tables if table.title == "Items that no run solves")
    assert len(unsolved.rows) == 8


def test_direct_answers_are_partly_right_and_differ_more(subject: Subject) -> None:
    """Table 8 by the paper's own metric: any answer that a person gave counts as right."""
    _, section = Ensemble().measure(subject, SETTING)
    assert section.task == "da"
    figures = section.figures
    assert figures["best"].n == 726  # without those that are difficult to answer directly
    assert figures["best"].value == pytest.approx(0.7048, abs=1e-4)
    assert figures["oracle"].value == pytest.approx(0.7557, abs=1e-4)
    assert (figures["all_right"].k, figures["none_right"].k) == (321, 113)
    pairs = next(table for table in section.tables if table.title == "Pairwise difference")
    # Of what BLIP answers llava misses a tenth; the other way round it is more than two fifths.
    assert pairs.rows[0][2] == pytest.approx(0.1008, abs=1e-4)
    assert pairs.rows[1][1] == pytest.approx(0.4437, abs=1e-4)


def test_two_of_them_like_the_first_place(subject: Subject) -> None:
    section, *_ = Circular().measure(subject, SETTING)
    warned = [found.says for found in section.findings if found.level == "warning"]
    assert len(warned) == 2
    assert warned[0].startswith("Where instructblip is wrong it takes position A in 60% of items")
    assert warned[1].startswith("Where llava-reasons is wrong it takes position A in 42% of items")


def test_numbers_are_what_they_lack(subject: Subject) -> None:
    section = Slices().measure(subject, SETTING)[0]
    assert [found.code for found in section.findings] == ["weak-slice"]
    assert section.figures["llava.answer_kind.number"].k == 22
    assert section.figures["llava.answer_kind.number"].n == 37


def test_a_wrong_label_comes_up(subject: Subject) -> None:
    section, *_ = ItemResponse().measure(subject, SETTING)
    doubted = next(found for found in section.findings if found.code == "gold-contradicted")
    # "The object covering this man's face is a called what?" says t-shirt; its rationales say umbrella.
    assert "kGn5XFpkwvtJNrUnPLSzwm" in doubted.items[:3]
    abilities = next(table for table in section.tables if table.title == "Abilities")
    assert [row[0] for row in abilities.rows] == ["llava", "llava-reasons", "instructblip", "blip"]
