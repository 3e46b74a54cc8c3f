"""What a run came to, read from its log: the paper's scores, and what else the log tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from commonsight.core.answer import FAILURES
from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.errors import InputError
from commonsight.runs.checks import Repeated, circular, own_given, places_of, positions, repeated
from commonsight.runs.choosing import steps
from commonsight.runs.judging import read_judged
from commonsight.runs.plan import Plan
from commonsight.runs.sessions import sessions
from commonsight.runs.variants import Key
from commonsight.score.gold import Gold
from commonsight.score.intervals import Figure, figure
from commonsight.score.scoring import LoggedAnswer, Scorecard, Scoring, gather_gold, measure, scorecard
from commonsight.store.runs import AnswerLine, read_answers, read_failures, read_run


class RunReport(Struct, frozen=True):
    """The one object that `--json` prints, and what `report.json` holds."""

    benchmark: str
    title: str
    answerer: str
    dataset: str
    n: int
    metrics: dict[str, Figure]
    unread: dict[str, Figure]
    """Answers that score 0 for want of a readable one, by kind, as shares of all answers."""
    failed: int
    """Questions without any answer, which are left out of the scores; `--resume` asks them again."""
    why_failed: dict[str, int] = {}
    """The most common reasons."""
    prompts: dict[str, str] = {}
    options: dict[str, Any] = {}
    """What was not as by default."""
    circular: dict[str, Figure] = {}
    """By task: right at every rotation of the choices."""
    own_given: dict[str, Figure] = {}
    """By task that builds on an answer: right where the model's own answer was given."""
    positions: dict[str, tuple[float, ...]] = {}
    """By task: the share of picks at each position as shown."""
    repeated: dict[str, Repeated] = {}
    """By task: what repeated asking gave."""
    judged: dict[str, Figure] | None = None
    """The metrics once more, with what a judge read in replies that nobody else could read."""
    judge: str | None = None
    answers: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    """Of all sessions that ended in their own way; likewise the rate."""
    per_second: float = 0.0
    slices: dict[str, dict[str, dict[str, Figure]]] = {}
    steps: tuple[str, ...] = ()
    confidence: float = 0.95
    clustered_by: str | None = None
    commonsight: str = ""
    notes: tuple[str, ...] = ()
    """What the model's side said that a reader should know."""


def run_report(
    folder: Path,
    benchmark: Benchmark[Scoring],
    items: Iterable[Item],
    *,
    confidence: float = 0.95,
    seed: int = 0,
) -> RunReport:
    """Score a run by its benchmark's rules, on the items that it answered."""
    info = read_run(folder)
    lines = list(read_answers(folder))
    plain = [line for line in lines if _plain(line)]
    asked = {line.item for line in lines}
    labelled = [item for item in items if item.id in asked and benchmark.scoring.labelled(item)]
    if not labelled:
        raise InputError(f"{folder}: no labelled item of the dataset is answered yet, so none can be scored.")
    gold = gather_gold(benchmark.scoring, labelled)
    places = places_of(benchmark, labelled)
    card = _card(benchmark, gold, plain, confidence, seed)
    judged = read_judged(folder)
    again = None if judged is None else _card(benchmark, gold, judged.applied(plain), confidence, seed)
    failures = read_failures(folder)
    done, tokens = sessions(folder), _tokens(lines)
    kept = info.options
    return RunReport(
        info.benchmark,
        benchmark.title,
        info.answerer,
        info.dataset,
        card.n,
        card.metrics,
        _unread(plain, confidence),
        len(failures),
        dict(Counter(failure.why for failure in failures.values()).most_common(REASONS)),
        kept.get("prompts", {}),
        _told(kept),
        circular(lines, places, confidence),
        own_given(lines, benchmark, places, confidence),
        positions([line for line in lines if Key.parse(line.task).task not in _worded(kept)], places),
        repeated(lines, places, confidence),
        None if again is None else again.metrics,
        None if judged is None else judged.judge,
        len(lines),
        *tokens,
        _cost(tokens, kept.get("server", {})),
        done.seconds,
        done.per_second,
        card.slices,
        (*card.steps, *steps(plain)),
        confidence,
        card.clustered_by,
        info.commonsight,
        done.notes,
    )


REASONS = 5
"""Reasons for failures that a report tells."""


def _plain(line: AnswerLine) -> bool:
    return Key.parse(line.task) == Key(line.task)


def _worded(kept: dict[str, Any]) -> set[str]:
    """Tasks that were answered in words, without sight of the choices: these have no positions to like."""
    prompts = kept.get("plan", {}).get("prompts", {})
    return {task for task, prompt in prompts.items() if prompt.get("in_words")}


def _told(kept: dict[str, Any]) -> dict[str, Any]:
    """The plan's options that differ from their defaults; paths and prompts are told elsewhere."""
    defaults = msgspec.to_builtins(Plan(paths=()))
    plan = kept.get("plan", {})
    return {
        name: value
        for name, value in plan.items()
        if name not in ("paths", "prompts", "images") and value != defaults.get(name)
    }


def _cost(tokens: tuple[int, int], server: dict[str, Any]) -> float | None:
    prices = (server.get("input_price"), server.get("output_price"))
    if prices == (None, None):
        return None
    return sum(count * (price or 0) for count, price in zip(tokens, prices, strict=True)) / 1e6


def _card(
    benchmark: Benchmark[Scoring], gold: Gold, lines: list[AnswerLine], confidence: float, seed: int
) -> Scorecard:
    known = set(gold.ids.to_pylist())
    logged = (LoggedAnswer(line.item, line.task, line.answer) for line in lines if line.item in known)
    predictions = benchmark.scoring.from_answers(logged)
    outcome = measure(benchmark.scoring, gold, predictions, allow_missing=True)
    return scorecard(
        benchmark.name,
        outcome,
        clustered_by=benchmark.scoring.clustered_by,
        confidence=confidence,
        seed=seed,
    )


def _unread(lines: list[AnswerLine], confidence: float) -> dict[str, Figure]:
    found = {}
    for kind in FAILURES:
        hits = [isinstance(line.answer, kind) for line in lines]
        found[kind.__name__.lower()] = figure(hits, confidence=confidence)
    return found


def _tokens(lines: list[AnswerLine]) -> tuple[int, int]:
    """Read and written; replies that came out of the cache cost nothing this time."""
    asked = [line for line in lines if not line.extra.get("cached")]
    names = ("input_tokens", "output_tokens")
    told, wrote = (sum(int(line.extra.get(name) or 0) for line in asked) for name in names)
    return told, wrote
