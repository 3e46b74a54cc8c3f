"""What the tests on words found, as tables and as a plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.listwise import Rows
from commonsight.audit.values import Cell, Plot, Table
from commonsight.audit.words.grams import Grams, Ints, grams_of
from commonsight.audit.words.guess import Choosing
from commonsight.audit.words.stats import Sums, Tested, association, by_choices
from commonsight.score.intervals import Floats
from commonsight.store.figures import Level, Panel, Series, log_places

SHOWN = 15
"""Rows of a table: enough to see what kind of words they are."""
_POINTS = 1500
"""Points of a plot; the farthest from chance are kept, and of the others every so many."""


class Told(NamedTuple):
    """What words tell about one label."""

    label: str
    grams: Grams
    found: Tested
    chosen: Ints
    """The artifacts, the strongest first."""
    pmi: Floats


def told(
    label: str, grams: Grams, sums: Sums, target: NDArray[np.bool_], choosing: Choosing, smoothing: float
) -> Told:
    """The tests, and PMI among grams of the same length."""
    found = choosing.test(sums)
    inside = np.asarray(grams.holds.T @ target.astype(np.float64), np.float64).ravel()
    outside = found.held - inside
    pmi = np.zeros(len(grams.names))
    for size in np.unique(grams.sizes).tolist():
        same = grams.sizes == size
        pmi[same] = association(np.stack([inside[same], outside[same]], axis=1), smoothing)[:, 0]
    return Told(label, grams, found, choosing.chosen(grams, found), pmi)


def telling_table(one: Told, title: str, *, above: bool) -> Table:
    """The artifacts that stand above (or below) chance, the surest first."""
    side = one.found.z[one.chosen] > 0
    chosen = one.chosen[side if above else ~side][:SHOWN]
    columns = (
        "words", "texts", f"share of {one.label}", "by chance", "PMI", "z, texts independent",
        "z, by groups", "q",
    )  # fmt: skip
    return Table(title, columns, tuple(_row(one, at) for at in chosen.tolist()), _HOW)


_HOW = (
    "z: standard deviations from chance, as in Gardner et al. (2021), and with items of one group counted "
    "as one where they agree; q: the share of false alarms among all words as sure as this one. Runs of "
    "words that only repeat what one of their words tells are left out."
)


def _row(one: Told, at: int) -> tuple[Cell, ...]:
    found = one.found
    return (
        one.grams.names[at], int(found.held[at]), float(found.share[at]), float(found.usual[at]),
        float(one.pmi[at]), float(found.plain[at]), float(found.z[at]), float(found.q[at]),
    )  # fmt: skip


def pmi_table(rows: Rows, said: Sequence[str], one: Told, smoothing: float) -> Table:
    """PMI of words with wrong choices exactly as PMR reckons it: what is asked and one choice are a text."""
    asked = rows.cases.asked
    texts = [f"{asked[item]} {text}" for item, text in zip(rows.item_of.tolist(), said, strict=True)]
    words = grams_of(texts, least=1, longest=1)
    held = np.asarray(words.holds.sum(axis=0), np.float64).ravel()
    wrong = np.asarray(words.holds.T @ (~rows.right).astype(np.float64), np.float64).ravel()
    pmi = association(np.stack([wrong, held - wrong], axis=1), smoothing)[:, 0]
    place = {name: at for at, name in enumerate(one.grams.names)}
    order = np.lexsort((np.arange(len(pmi)), -pmi))[:SHOWN].tolist()
    found = []
    for rank, at in enumerate(order, 1):
        known = place.get(words.names[at])
        z, q = (None, None) if known is None else (float(one.found.z[known]), float(one.found.q[known]))
        share = float(wrong[at] / held[at])
        value = float(pmi[at])
        found.append((rank, words.names[at], int(held[at]), share, value, float(np.exp(value)), z, q))
    note = (
        "PMR, Table 4: what is asked and one choice are one text, False where the choice is wrong; every "
        f"count is raised by {smoothing:g} (Gururangan et al., 2018). The paper's values (green 1.620, red "
        "1.562 on all of its original half) are larger than any logarithm could be here; they are the "
        "column p ratio, before the logarithm."
    )
    columns = ("No.", "word", "texts", "share false", "PMI", "p ratio", "z, by groups", "q")
    return Table("Words of wrong choices, by PMI", columns, tuple(found), note)


def type_tables(
    rows: Rows, grams: Grams, choosing: Choosing, smoothing: float, shown: int = 8
) -> tuple[Table, ...]:
    """Where the benchmark says what kind each choice is: the words that tell each kind."""
    types = [kind for case in rows.cases for kind in case.types]
    if len(types) != len(rows.item_of):
        return ()
    column = np.array(types)
    lines: list[tuple[Cell, ...]] = []
    for kind in dict.fromkeys(sorted(types)):
        target = column == kind
        sums = by_choices(grams.holds, rows.item_of, target, rows.cases.groups)
        one = told(kind, grams, sums, target, choosing, smoothing)
        more = [at for at in one.chosen.tolist() if one.found.z[at] > 0][:shown]
        lines.extend((kind, *_row(one, at)) for at in more)
    if not lines:
        return ()
    columns = (
        "type of choice", "words", "texts", "share of the type", "by chance", "PMI", "z, texts independent",
        "z, by groups", "q",
    )  # fmt: skip
    return (Table("Words that tell the type of a choice", columns, tuple(lines), _HOW),)


def competency_plot(name: str, all_told: Sequence[Told], rate: float) -> Plot:
    """z against the number of texts, as in Gardner et al. (2021): without artifacts all lie near 0."""
    return Plot(
        name,
        tuple(_panel(one) for one in all_told[:2]),
        "Each point is a word or a run of words: in how many texts it stands, and how far its share of a "
        f"label is from chance. Those beyond false alarms (at most {rate:.0%} of them) and with a real "
        "effect are orange.",
    )


def _panel(one: Told) -> Panel:
    plain = np.setdiff1d(np.flatnonzero(one.found.enough), one.chosen)
    plain = plain[np.argsort(-np.abs(one.found.z[plain]), kind="stable")]
    rest = plain[_POINTS // 2 :]
    plain = np.concatenate([plain[: _POINTS // 2], rest[:: max(1, 2 * len(rest) // _POINTS)]])
    marked = one.chosen[:_POINTS]
    z, held = one.found.z, np.log10(np.maximum(1.0, one.found.held))
    named = np.concatenate([marked[z[marked] > 0][:8], marked[z[marked] <= 0][:8]]).tolist()
    series = [
        Series(label, tuple(held[at].tolist()), tuple(z[at].tolist()), line=False, colour=colour, size=2.5)
        for label, at, colour in (("as by chance", plain, 5), ("artifacts", marked, 1))
        if len(at)
    ]
    return Panel(
        tuple(series),
        "texts that hold it",
        f"z of {one.label}",
        ticks=_powers(held[np.concatenate([plain, marked])]),
        levels=(Level(0.0, "chance"),),
        notes=_legible([(float(held[at]), float(z[at]), one.grams.names[at]) for at in named]),
    )


def _legible(notes: Sequence[tuple[float, float, str]]) -> tuple[tuple[float, float, str], ...]:
    """Without those that would lie on an earlier one."""
    height = max((abs(y) for _, y, _ in notes), default=0.0) / 12
    kept: list[tuple[float, float, str]] = []
    for x, y, said in notes:
        if all(abs(y - other) > height or abs(x - place) > 0.6 for place, other, _ in kept):
            kept.append((x, y, said))
    return tuple(kept)


def _powers(held: Floats) -> tuple[tuple[float, str], ...]:
    top = int(np.ceil(held.max(initial=1.0)))
    low = int(np.floor(held.min(initial=1.0)))
    counts = [10**power for power in range(low, top + 1)]
    return tuple(zip(log_places(counts), (f"{count:,}" for count in counts), strict=True))
