"""A run's report as sections of a page: findings in plain words first, then tables and plots."""

from __future__ import annotations

from collections.abc import Iterator

from commonsight.audit.values import Audit, Cell, Finding, Plot, Section, Table
from commonsight.runs.summary import RunReport
from commonsight.score.intervals import Figure
from commonsight.store.figures import Bars, Level, Series

UNREAD = 0.02
"""A share of replies without a readable answer above which a score says little about the model."""
LEANING = 0.1
"""How far above its even share a position may be picked before it is called a liking."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_UNREAD = {
    "unparsed": "held no readable answer",
    "truncated": "ended before the answer",
    "refused": "were refusals",
}


def page_of(report: RunReport) -> Audit:
    """The report in the terms that pages are made from."""
    sections = (
        _scores(report),
        *_checked(report),
        *(_slice(name, labels) for name, labels in report.slices.items()),
        _made(report),
    )
    made: dict[str, str | int | float] = {"version": report.commonsight, "confidence": report.confidence}
    return Audit(
        f"{report.answerer} on {report.dataset}", report.benchmark, report.title, report.n, {}, sections, made
    )


def _scores(report: RunReport) -> Section:
    tables = [_figures("Scores", report.metrics, f"Intervals are clustered by {report.clustered_by}.")]
    if report.judged is not None:
        note = f"What {report.judge} read in replies that held no readable answer. Never the score itself."
        tables.append(_figures("With a judge", report.judged, note))
    return Section(
        "run",
        "Scores",
        "By the rules of the benchmark's paper. A reply without a readable answer scores 0.",
        findings=tuple(_findings(report)),
        figures=report.metrics,
        tables=tuple(tables),
        plots=(_score_plot(report.metrics),),
    )


def _findings(report: RunReport) -> Iterator[Finding]:
    for kind, share in report.unread.items():
        value = share.value or 0.0
        says = f"{100 * value:.1f} % of the replies ({share.k:,} of {share.n:,}) {_UNREAD[kind]}."
        if value > UNREAD:
            remedy = "Look at some of them: the prompt, its room for tokens or the model may be at fault."
            yield Finding(kind, "warning", says, remedy, value, UNREAD)
        elif value:
            yield Finding(kind, "note", says, value=value)
    if report.failed:
        why = next(iter(report.why_failed), "")
        says = f"{report.failed:,} questions got no answer, most often because: {why}"
        yield Finding("unanswered", "warning", says, "Resume the run: only these are asked again.")
    for task, shares in report.positions.items():
        place, most = max(enumerate(shares), key=lambda pair: pair[1])
        if most > 1 / len(shares) + LEANING:
            says = f"Choice {LETTERS[place]} is picked {100 * most:.0f} % of the time."
            remedy = "Ask with --circular: a liking for a position must not count as knowledge."
            yield Finding("position", "note", says, remedy, most, task=task)
    for note in report.notes:
        yield Finding("model", "note", note)
    if not report.failed and not any(share.k for share in report.unread.values()):
        yield Finding("all-read", "fine", f"Every one of {report.answers:,} replies held a readable answer.")


def _checked(report: RunReport) -> Iterator[Section]:
    if report.circular:
        about = "Every item is asked once for each rotation of its choices, and right only if always right."
        yield Section("run", "Rotated choices", about, figures=report.circular,
                      tables=(_figures("", report.circular),))  # fmt: skip
    if report.own_given:
        about = "The model's own answer is given in place of the right one, as if nobody had corrected it."
        yield Section("run", "Own answer given", about, tables=(_figures("", report.own_given),))
    if report.repeated:
        yield _repeated(report)
    if report.positions:
        yield _positions(report)


def _repeated(report: RunReport) -> Section:
    ks = list(dict.fromkeys(k for told in report.repeated.values() for k in told.pass_at))
    columns = ("task", "times", "mean", "deviation", *(f"pass@{k}" for k in ks), "right and wrong")
    rows: list[tuple[Cell, ...]] = [
        (task, told.epochs, told.mean, told.deviation, *(told.pass_at.get(k) for k in ks), told.unsteady)
        for task, told in report.repeated.items()
    ]
    about = "The deviation is that of the score from one time to the next."
    return Section("run", "Repeated asking", about, tables=(Table("", columns, tuple(rows)),))


def _positions(report: RunReport) -> Section:
    width = max(map(len, report.positions.values()))
    names = tuple(LETTERS[:width])
    series = tuple(
        Series(task, tuple(range(width)), (*shares, *[None] * (width - len(shares))))
        for task, shares in report.positions.items()
    )
    bars = Bars(names, series, "share of picks", y_range=(0.0, 1.0), levels=(Level(1 / width, "even"),))
    about = "Where picks stood as the model saw the choices."
    return Section("run", "Positions picked", about, plots=(Plot("positions", (bars,)),))


def _slice(name: str, labels: dict[str, dict[str, Figure]]) -> Section:
    metrics = tuple(next(iter(labels.values()), {}))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (label, next(iter(figures.values())).n, *(figures[metric] for metric in metrics))
        for label, figures in labels.items()
    )
    title = f"By {name.replace('_', ' ')}"
    return Section("run", title, tables=(Table("", (name.replace("_", " "), "n", *metrics), rows),))


def _made(report: RunReport) -> Section:
    rows: list[tuple[Cell, ...]] = [
        ("model", report.answerer),
        ("data", report.dataset),
        *((f"prompt of {task}", name) for task, name in report.prompts.items()),
        *((name.replace("_", " "), _text(value)) for name, value in report.options.items()),
        *((f"step before scoring {number}", step) for number, step in enumerate(report.steps, 1)),
        ("answers", report.answers),
        ("tokens read", report.input_tokens),
        ("tokens written", report.output_tokens),
        ("cost, in the money of the prices given", report.cost),
        ("seconds of asking", report.seconds),
        ("answers a second", report.per_second),
    ]
    note = (
        "Times are of sessions that ended in their own way; tokens are of replies that were not known before."
    )
    return Section("run", "How it was made", tables=(Table("", ("", ""), tuple(rows), note),))


def _text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _figures(title: str, figures: dict[str, Figure], note: str = "") -> Table:
    rows = tuple((name, figure, figure.k, figure.n) for name, figure in figures.items())
    return Table(title, ("metric", "score", "k", "n"), rows, note)


def _score_plot(metrics: dict[str, Figure]) -> Plot:
    shown = {name: figure for name, figure in metrics.items() if figure.n}
    series = Series(
        "score",
        tuple(range(len(shown))),
        tuple(figure.value for figure in shown.values()),
        tuple(figure.low for figure in shown.values()),
        tuple(figure.high for figure in shown.values()),
    )
    return Plot("scores", (Bars(tuple(shown), (series,), "score", y_range=(0.0, 1.0)),))
