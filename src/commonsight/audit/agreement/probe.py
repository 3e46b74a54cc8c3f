"""Do people agree on the answers? (NLVR2, sections 4 and 5; A-OKVQA's ten direct answers.)

A label that people cannot agree on bounds what any model can earn, and an item on which they differ is as
likely wrong as hard.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from msgspec import Struct

from commonsight.audit.agreement.answers import Answered, answers_section
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.values import Cell, Finding, Plot, Section, Table
from commonsight.score.agreement import Agreement, Measure, agreement, ballots
from commonsight.score.human import Judgement, worker_mean
from commonsight.score.intervals import Figure, figure
from commonsight.store.figures import Bars, Series

DISAGREEING = 2
"""Votes against the label that make an item disputed: NLVR2, section 3.4, removes such items."""
LEAST_ALPHA = 0.667
"""Krippendorff's lowest limit, below which he would draw no conclusion from votes at all."""
GOOD_ALPHA = 0.8
"""His customary limit."""
JUDGEMENTS = 100
"""How many judgements make a worker's accuracy worth a row: NLVR2, section 5."""
SHOWN_WORKERS = 20


class Voted(Struct, frozen=True, gc=False):
    """One item that people voted on."""

    id: str
    split: str
    cluster: str
    votes: tuple[Judgement, ...]

    @property
    def against(self) -> int:
        """Votes other than the label, the vote that made the label not being one of them."""
        return sum(vote.given != vote.gold for vote in self.votes if not vote.made_gold)


def everyone(item: Voted) -> tuple[Judgement, ...]:
    """All votes, as the paper counts them."""
    return item.votes


def each_once(item: Voted) -> tuple[Judgement, ...]:
    """The first vote of each worker: agreeing with oneself is no agreement between people."""
    return tuple({vote.worker: vote for vote in reversed(item.votes)}.values())


def strangers(item: Voted) -> tuple[Judgement, ...]:
    """The first vote of each worker who did not write the item."""
    return tuple(vote for vote in each_once(item) if vote.worker != vote.writer)


Voters = Callable[[Voted], Sequence[Judgement]]


@dataclass(frozen=True)
class AgreementProbe:
    """Krippendorff's alpha, Fleiss' kappa, and how well single workers do."""

    name: str = "agreement"
    title: str = "Do people agree on the answers?"
    disagreeing: int = DISAGREEING
    least_alpha: float = LEAST_ALPHA
    good_alpha: float = GOOD_ALPHA
    judgements: int = JUDGEMENTS

    codes = ("agreement", "low-agreement")

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section for votes on labels, one for answers in people's own words."""
        voted: list[Voted] = []
        answered: list[Answered] = []
        for item in subject.read():
            votes = tuple(subject.judgements_of(item))
            cluster = subject.cluster_of(item)
            if len(votes) > 1:
                voted.append(Voted(item.id, item.split, cluster, votes))
            if len(item.direct_answers) > 1:
                answered.append(Answered(item.id, item.split, cluster, item.direct_answers))
        sections = [self._votes(voted, setting)] if voted else []
        sections += [answers_section(self.name, answered, setting)] if answered else []
        if not sections:
            raise CannotMeasure(
                "No item carries votes or answers by several people, so agreement cannot be measured."
            )
        return sections

    def _votes(self, voted: Sequence[Voted], setting: Setting) -> Section:
        kept = [item for item in voted if item.against < self.disagreeing]
        measured = partial(_measured, setting=setting)
        whole, once = measured(voted, everyone), measured(voted, each_once)
        after = measured(kept, everyone)
        workers = self._workers(voted, setting)
        people = [self._human_table(voted, kept), workers] if workers.rows else []
        return Section(
            self.name,
            "Votes on the labels",
            "Several people judged each item. Alpha and kappa are 1 where all agree and 0 where they agree "
            "as often as chance would have it; intervals come from resampling clusters of items.",
            findings=(self._finding(once), self._disputed(voted)),
            figures={"unanimous": _unanimous(voted, setting)},
            numbers=_numbers({"": whole, "_once": once, "_after_pruning": after}),
            tables=(self._agreement_table(voted, kept, setting), *people),
            plots=(_accuracies(workers),) if len(workers.rows) > 1 else (),
            skipped=() if workers.rows else (self._too_few(),),
        )

    def _too_few(self) -> str:
        return f"Nobody gave {self.judgements} judgements on others' items: accuracy by worker is noise."

    def _agreement_table(self, voted: Sequence[Voted], kept: Sequence[Voted], setting: Setting) -> Table:
        pruned = f"without items that {self.disagreeing} or more voted against"
        rows: list[tuple[Cell, ...]] = []
        for split in _splits(voted):
            mine, left = _of(voted, split), _of(kept, split)
            found = {
                "all votes": _measured(mine, everyone, setting),
                "each worker once": _measured(mine, each_once, setting),
                "each worker once, but the item's writer": _measured(mine, strangers, setting),
                f"all votes, {pruned}": _measured(left, everyone, setting),
            }
            told = {measured.votes: label for label, measured in reversed(found.items())}  # equal rows once
            rows += [_row(split, label, found[label]) for label in found if label in told.values()]
        return Table(
            "Agreement between people",
            ("split", "counted", "items", "votes", "alpha", "interval", "kappa", "interval", "same pairs"),
            tuple(rows),
            "NLVR2, section 4 (alpha 0.906 and kappa 0.814 before pruning, 0.912 and 0.889 after, over "
            "development and both tests). Kappa takes items with different numbers of votes each by its "
            "own pairs. With equal numbers of votes, alpha and kappa of one set of votes are the "
            "same but for one part in the number of votes.",
        )

    def _human_table(self, voted: Sequence[Voted], kept: Sequence[Voted]) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for split in _splits(voted):
            for label, items in (("as given", _of(voted, split)), ("after pruning", _of(kept, split))):
                mean = worker_mean(_tests(items), minimum=self.judgements)
                rows.append((split, label, mean.mean, mean.deviation, mean.workers, mean.judgements))
        return Table(
            "Human accuracy, each worker weighing the same",
            ("split", "items", "mean", "deviation", "workers", "judgements"),
            tuple(rows),
            f"Workers with at least {self.judgements} judgements, on items that they neither wrote nor "
            "labelled (NLVR2, section 5 and Table 6).",
        )

    def _workers(self, voted: Sequence[Voted], setting: Setting) -> Table:
        right: defaultdict[str, list[bool]] = defaultdict(list)
        clusters: defaultdict[str, list[str]] = defaultdict(list)
        for item in voted:
            for vote in item.votes:
                if vote.counts and not vote.made_gold:
                    right[vote.worker].append(vote.given == vote.gold)
                    clusters[vote.worker].append(item.cluster)
        measured = {
            worker: figure(given, clusters[worker], confidence=setting.confidence)
            for worker, given in right.items()
            if len(given) >= self.judgements
        }
        worst = sorted(measured, key=lambda worker: (measured[worker].value or 0.0, worker))
        return Table(
            f"Accuracy by worker, the {SHOWN_WORKERS} least accurate",
            ("worker", "accuracy", "judgements"),
            tuple((worker, measured[worker], measured[worker].n) for worker in worst[:SHOWN_WORKERS]),
        )

    def _finding(self, found: Agreement) -> Finding:
        value, low, high = found.alpha.value, found.alpha.low, found.alpha.high
        if value is None:
            return Finding("agreement", "note", "All votes are the same, so that alpha is not defined.")
        says = f"Krippendorff's alpha between people is {value:.3f}"
        if low is not None and low >= self.good_alpha:
            return Finding(
                "agreement", "fine", f"{says}: they agree well on the labels.",
                value=value, limit=self.good_alpha,
            )  # fmt: skip
        if high is not None and high < self.least_alpha:
            return Finding(
                "agreement", "warning", f"{says}: the labels are too uncertain to score models by.",
                "Have items that people differ on checked or removed, and say how the label was settled.",
                value, self.least_alpha,
            )  # fmt: skip
        return Finding(
            "agreement", "note", f"{says}: usable, but part of every model's errors are the labels'.",
            "Report human accuracy beside models', and look at the items that people differ on.",
            value, self.good_alpha,
        )  # fmt: skip

    def _disputed(self, voted: Sequence[Voted]) -> Finding:
        worst = sorted(
            (item for item in voted if item.against >= self.disagreeing),
            key=lambda item: (-item.against / len(item.votes), item.id),
        )
        if not worst:
            return Finding(
                "low-agreement", "fine",
                f"No item has {self.disagreeing} or more votes against its label.",
                value=0.0, limit=float(self.disagreeing),
            )  # fmt: skip
        return Finding(
            "low-agreement",
            "note",
            f"{len(worst):,} of {len(voted):,} items got {self.disagreeing} or more votes against "
            "their label.",
            "Look at these first: the label may be wrong, or the text may be read in two ways.",
            len(worst) / len(voted),
            items=tuple(item.id for item in worst),
        )


def _measured(items: Sequence[Voted], voters: Voters, setting: Setting) -> Agreement:
    cast = ballots([vote.given for vote in voters(item)] for item in items)
    clusters = [item.cluster for item in items]
    return agreement(cast, clusters, confidence=setting.confidence, seed=setting.seed)


def _unanimous(voted: Sequence[Voted], setting: Setting) -> Figure:
    alike = np.array([len({vote.given for vote in item.votes}) == 1 for item in voted])
    return figure(alike, [item.cluster for item in voted], confidence=setting.confidence, seed=setting.seed)


def _tests(items: Iterable[Voted]) -> Iterable[Judgement]:
    return (vote for item in items for vote in item.votes if not vote.made_gold)


def _splits(voted: Sequence[Voted]) -> list[str]:
    names = list(dict.fromkeys(item.split for item in voted))
    return names if len(names) == 1 else [*names, "all"]


def _of(voted: Sequence[Voted], split: str) -> Sequence[Voted]:
    return voted if split == "all" else [item for item in voted if item.split == split]


def _row(split: str, label: str, found: Agreement) -> tuple[Cell, ...]:
    return (
        split, label, found.items, found.votes,
        found.alpha.value, _span(found.alpha), found.kappa.value, _span(found.kappa), found.percent.value,
    )  # fmt: skip


def _span(measure: Measure) -> str | None:
    if measure.low is None or measure.high is None:
        return None
    return f"{measure.low:.3f} to {measure.high:.3f}"


def _numbers(found: dict[str, Agreement]) -> dict[str, float]:
    named = {
        f"{name}{suffix}": getattr(measured, name).value
        for suffix, measured in found.items()
        for name in ("alpha", "kappa", "percent")
    }
    return {name: value for name, value in named.items() if value is not None}


def _accuracies(workers: Table) -> Plot:
    names = tuple(str(row[0]) for row in workers.rows)
    figures = [row[1] for row in workers.rows]
    assert all(isinstance(found, Figure) for found in figures)
    return Plot(
        "agreement-workers",
        (
            Bars(
                names,
                (
                    Series(
                        "",
                        tuple(map(float, range(len(names)))),
                        tuple(found.value for found in figures),  # type: ignore[union-attr]
                        tuple(found.low for found in figures),  # type: ignore[union-attr]
                        tuple(found.high for found in figures),  # type: ignore[union-attr]
                    ),
                ),
                "accuracy",
                y_range=(0, 1),
            ),
        ),
        "Accuracy of single workers on items of others, the least accurate first.",
    )
