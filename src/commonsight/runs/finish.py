"""What a run leaves behind: its report for programs and for people, and predictions to hand in."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from commonsight.errors import UsageError
from commonsight.runs.answers import said_of
from commonsight.runs.plan import Plan
from commonsight.runs.running import items_of
from commonsight.runs.sections import page_of
from commonsight.runs.subject import benchmark_of
from commonsight.runs.summary import RunReport, run_report
from commonsight.score.scoring import Said
from commonsight.store.atomic import new_file
from commonsight.store.runs import read_answers

REPORT, PAGE, MARKDOWN = "report.json", "report.html", "report.md"


def finished(folder: Path, plan: Plan, *, confidence: float, native: Path | None = None) -> RunReport | None:
    """Score the run and write its report; None where nothing that is labelled has an answer."""
    if next(read_answers(folder), None) is None:
        return None
    report = _report(folder, plan, confidence)
    if native is not None:  # last: whatever is wrong with it, the scores are there
        write_predictions(native, folder, plan)
    return report


def _report(folder: Path, plan: Plan, confidence: float) -> RunReport | None:
    benchmark = benchmark_of(plan.opening)
    labelled = (item for item in items_of(plan) if benchmark.scoring.labelled(item))
    if next(labelled, None) is None:
        return None
    report = run_report(folder, benchmark, items_of(plan), confidence=confidence, seed=plan.seed)
    write_report(folder, report)
    return report


def check_hand_in(plan: Plan) -> None:
    """Find out before anything is asked whether the answers can be handed in as a file."""
    benchmark = benchmark_of(plan.opening)
    if benchmark.scoring.hand_in is None:
        raise UsageError(f"--predictions: {benchmark.name} has no leaderboard's format. Leave it out.")
    staged = [task.name for task in benchmark.tasks if task.given is not None]
    if staged and (plan.given != "all" or set(plan.tasks) != {task.name for task in benchmark.tasks}):
        raise UsageError(
            f"--predictions: the leaderboard of {benchmark.name} wants {', '.join(staged)} for every answer. "
            "Ask all tasks, with --given all."
        )


def write_predictions(path: Path, folder: Path, plan: Plan) -> None:
    """The run's answers as the benchmark's leaderboard wants them, in the order of the data."""
    benchmark = benchmark_of(plan.opening)
    assert benchmark.scoring.hand_in is not None  # `check_hand_in` was asked
    said = said_of(read_answers(folder))
    answered = (Said(item, *said[item.id]) for item in items_of(plan) if item.id in said)
    with new_file(path) as beside, beside.open("w", encoding="utf-8") as stream:
        stream.writelines(benchmark.scoring.hand_in(answered))


def write_report(folder: Path, report: RunReport) -> None:
    """The three files, each whole or not there."""
    with new_file(folder / REPORT) as beside:
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")
    from commonsight.audit.report.markdown import markdown
    from commonsight.audit.report.page import page
    from commonsight.audit.report.write import drawn

    told = page_of(report)
    with TemporaryDirectory() as plots, new_file(folder / PAGE) as beside:
        beside.write_text(page(told, drawn(told, Path(plots)), called="Run"), encoding="utf-8")
    with new_file(folder / MARKDOWN) as beside:
        beside.write_text(markdown(told, called="Run", plots=False), encoding="utf-8")
