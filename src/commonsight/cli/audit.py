"""`commonsight audit`: what a benchmark can be solved by without understanding it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from commonsight.audit.thresholds import breaches, refuse_unknown, threshold
from commonsight.cli.arguments import (
    BenchmarkOption,
    Confidence,
    SliceFiles,
    Split,
    check_images,
    refuse_loss,
    slice_files,
)
from commonsight.cli.audit_options import (
    AuditSeed,
    Edit,
    EditedRun,
    FailOn,
    Filtered,
    Folds,
    Images,
    JsonAudit,
    Keep,
    Only,
    OutFolder,
    Overwrite,
    Paths,
    Runs,
    Skip,
    Transformer,
    Workers,
)
from commonsight.cli.audit_show import show, tell_broken
from commonsight.cli.console import err, out, print_json, progress, visible
from commonsight.cli.tables import plural
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from commonsight.audit.blind.solvers import ChoiceSolver
    from commonsight.audit.probe import Probe, RunAnswers, Setting
    from commonsight.audit.values import Audit
    from commonsight.runs.audits import Found
    from commonsight.runs.subject import Opening

NAME = "audit"
EXAMPLES = """Examples:

[cyan]commonsight audit val.jsonl --out report[/]

[cyan]commonsight audit my-dataset --out report --fail-on warning[/]

[cyan]commonsight audit my-dataset --only blind,words --fail-on 'blind.choices>0.3'[/]

[cyan]commonsight audit my-dataset --run runs/a --run runs/b --out report[/]"""

def command(
    paths: Paths,
    out_folder: OutFolder = None,
    benchmark: BenchmarkOption = None,
    split: Split = None,
    images: Images = None,
    only: Only = None,
    skip: Skip = None,
    fail_on: FailOn = None,
    transformer: Transformer = None,
    runs: Runs = None,
    slices: SliceFiles = None,
    edited_run: EditedRun = None,
    filtered: Filtered = None,
    keep: Keep = 0.5,
    edit: Edit = None,
    seed: AuditSeed = 0,
    folds: Folds = 5,
    confidence: Confidence = 0.95,
    workers: Workers = None,
    json: JsonAudit = False,
    overwrite: Overwrite = False,
) -> None:
    """Tell what can be solved by shortcuts: without the image, without the question, by words, by position.

    Nothing here needs torch, unless --transformer is given. What cannot be measured is said, and the rest
    goes on.
    """
    from commonsight.audit.probe import Setting
    from commonsight.audit.report.write import write_report
    from commonsight.runs.subject import Opening
    from commonsight.text.encoders import default_encoder

    check_images(images)
    _refuse_other_folder(out_folder, overwrite)
    for folder in (filtered, edit):
        if folder is not None:
            refuse_loss(folder, paths, overwrite)
    probes = chosen_probes(only, skip, transformer)
    rules = [threshold(text) for text in fail_on or ()]
    refuse_unknown(rules, probes)
    opening = _sliced(Opening(tuple(paths), benchmark, split, images), slices, runs)
    setting = Setting(default_encoder(), seed, folds, confidence)
    light = replace(opening, outlines=False)  # no probe looks at them, and they take most of the reading
    audit = _audited(light, probes, setting, runs or [], edited_run, workers or os.cpu_count() or 1)
    broken = list(breaches(audit, rules))
    page = None if out_folder is None else write_report(out_folder, audit, overwrite=overwrite)
    if json:
        print_json(audit)
    else:
        show(audit, page)
    if filtered is not None:
        _write_filtered(filtered, opening, setting, keep, overwrite)
    if edit is not None:
        _write_edited(edit, opening, setting, overwrite)
    tell_broken(broken)


def _sliced(opening: Opening, given: list[str] | None, runs: list[Path] | None) -> Opening:
    """With the files that tell more of the items."""
    if not given:
        return opening
    if not runs:
        raise UsageError("--slices: only scores of runs are sorted. Give --run, or leave it out.")
    benchmark = opening.known()
    if benchmark is None:
        raise UsageError("--slices: files that sort items are of a benchmark. Leave it out.")
    return replace(opening, slices=tuple(slice_files(benchmark, given).items()))


def chosen_probes(only: str | None, skip: str | None, transformer: str | None = None) -> list[Probe]:
    """The probes that were asked for, in the report's order."""
    from commonsight.audit.probes import with_solvers

    probes = with_solvers(() if transformer is None else (_solver(transformer),))
    names = {probe.name for probe in probes}
    wanted = names if only is None else _named(only, "--only", names)
    unwanted = set() if skip is None else _named(skip, "--skip", names)
    chosen = [probe for probe in probes if probe.name in wanted - unwanted]
    if not chosen:
        raise UsageError("--only and --skip leave no probe. Leave one of them out.")
    return chosen


def _solver(transformer: str) -> ChoiceSolver:
    from commonsight.models.choice_solver import TransformerChoices

    return TransformerChoices(transformer)


def _named(text: str, option: str, known: set[str]) -> set[str]:
    names = {name.strip() for name in text.split(",") if name.strip()}
    if unknown := sorted(names - known):
        there = ", ".join(sorted(known))
        raise UsageError(f"{option} {text}: no probe is called {', '.join(unknown)}. There are: {there}.")
    return names


def _refuse_other_folder(folder: Path | None, overwrite: bool) -> None:
    """Before minutes of work: the place must be free, or hold a report that may be replaced."""
    if folder is None or not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not overwrite:
        raise UsageError(f"{folder} exists already. Choose another folder, or add --overwrite to replace it.")
    if not (folder / "report.json").is_file():
        raise UsageError(f"{folder} is not a report, so --overwrite leaves it alone. Choose another folder.")


def _audited(
    opening: Opening,
    probes: list[Probe],
    setting: Setting,
    runs: list[Path],
    edited_run: Path | None,
    workers: int,
) -> Audit:
    from commonsight.runs.audits import audit_of

    if edited_run is not None and len(runs) != 1:
        raise UsageError("--edited-run goes with exactly one --run: the same model before and after.")
    answers = _read_runs(opening, runs)

    def passing(found: Iterator[Found], total: int) -> Iterator[Found]:
        return progress(found, "auditing", total)

    audit = audit_of(opening, probes, setting, runs=answers, workers=workers, passing=passing)
    if edited_run is None:
        return audit
    return _with_counter_test(audit, opening, setting, answers[0], edited_run)


def _read_runs(opening: Opening, runs: list[Path]) -> tuple[RunAnswers, ...]:
    from commonsight.runs.answers import read_runs

    if not runs:
        return ()
    benchmark = opening.known()
    if benchmark is None:
        raise UsageError("--run: runs are scored by a benchmark's rules, and this dataset is of none.")
    return read_runs(benchmark, runs, opening.read, allow_missing=True)


def _with_counter_test(
    audit: Audit, opening: Opening, setting: Setting, before: RunAnswers, after: Path
) -> Audit:
    from msgspec import structs

    from commonsight.audit.edits.counter_test import counter_test

    (edited,) = _read_runs(opening, [after])  # the labels and ids are the same: only choices were reworded
    subject = opening.subject()
    clusters = {item.id: subject.cluster_of(item) for item in subject.read()}
    section = counter_test(
        before, replace(edited, name=after.name), clusters, confidence=setting.confidence, seed=setting.seed
    )
    return structs.replace(audit, sections=(*audit.sections, section))


def _write_filtered(folder: Path, opening: Opening, setting: Setting, keep: float, overwrite: bool) -> None:
    from commonsight.audit.hardness.filter import hardened, hardening
    from commonsight.runs.derived import write_derived

    subject = opening.subject()
    with err.status("hardening") as status:  # shown on a terminal only
        found = hardening(
            subject,
            setting,
            keep=keep,
            watch=lambda number, model: status.update(f"hardening: round {number}, model {model + 1}"),
        )
    made = {"filter": "AFLite", "keep": keep, "rounds": found.rounds, "dropped": len(found.dropped)}
    items = hardened(subject.read(), found.keep, found.predictability)
    info = write_derived(
        folder, items, opening, by="audit --filter", seed=setting.seed, options=made, overwrite=overwrite
    )
    rounds = plural(found.rounds, "round")
    told = f"{folder}: {plural(info.items, 'item')} kept, {len(found.dropped):,} dropped in {rounds}"
    for line in (told, *found.notes):
        out.print(visible(line), markup=False, soft_wrap=True)


def _write_edited(folder: Path, opening: Opening, setting: Setting, overwrite: bool) -> None:
    from commonsight.audit.edits.edited import edited_items
    from commonsight.runs.derived import write_derived

    items = edited_items(opening.read(), setting.seed)
    info = write_derived(
        folder, items, opening, by="audit --edit", seed=setting.seed, options={}, overwrite=overwrite
    )
    told = f"{folder}: {plural(info.items, 'item')}, choices in other words"
    out.print(visible(told), markup=False, soft_wrap=True)
