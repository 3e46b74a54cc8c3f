"""How well people do: the two ways in which the papers turn workers' judgements into one figure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, stdev

from msgspec import Struct


class MajorityPicks(Struct, frozen=True):
    """What the workers of each item chose together; None where they tied for first."""

    picks: dict[str, int | None]
    ties: int
    """Items without a plurality. They score 0, and are counted here."""


class Judgement(Struct, frozen=True, gc=False):
    """One worker's answer to one item."""

    worker: str
    given: bool | int | str
    gold: bool | int | str
    writer: str | None = None
    """Who wrote the item, if that was a worker."""
    labeller: str | None = None
    """Whose answer became the gold label, if it was a single worker's."""
    made_gold: bool = False
    """Whether this very answer became the gold label: a vote like others, but no test of the worker."""

    @property
    def counts(self) -> bool:
        """Whether the worker met the item as a stranger, having neither written nor labelled it."""
        return self.worker not in (self.writer, self.labeller)


class WorkerMean(Struct, frozen=True):
    """Accuracy averaged over workers, each weighing the same, in [0, 1]."""

    mean: float | None
    """None if no worker is left."""
    deviation: float | None
    """Between workers, with n - 1; None for fewer than two."""
    workers: int
    judgements: int
    left_out: int
    """Judgements not counted: on the worker's own item, or by a worker with too few."""
    workers_left_out: int


def majority_vote(votes: Sequence[int]) -> int | None:
    """The choice with most votes; None if two tie for first, as nothing is ever guessed.

    VCR, section 6.1: five workers answer each of 200 questions, "combined using a majority vote". With four
    choices, five votes can fall 2-2-1. The paper does not say what becomes of those; here they are wrong.
    """
    if not votes:
        raise ValueError("no votes: leave an item that nobody answered out of the human figure")
    (choice, most), *others = Counter(votes).most_common()
    return None if others and others[0][1] == most else choice


def majority_picks(votes: Mapping[str, Sequence[int]]) -> MajorityPicks:
    """`majority_vote` for each item, by id, and how many ended in a tie."""
    if unanswered := [item for item, cast in votes.items() if not cast]:
        raise ValueError(f"no votes for {', '.join(unanswered)}; leave such items out of the human figure")
    picks = {item: majority_vote(cast) for item, cast in votes.items()}
    return MajorityPicks(picks, ties=sum(pick is None for pick in picks.values()))


def worker_mean(judgements: Iterable[Judgement], *, minimum: int = 100) -> WorkerMean:
    """Mean and deviation of the accuracies of workers with at least `minimum` judgements.

    NLVR2, section 5. Judgements on sentences that the worker wrote are left out, as the paper says. So are
    those of the worker whose earlier answer is the gold label, who is only held against themselves (a fifth
    of the examples have one). The paper does not mention them; without them the released files round to its
    Table 6, 96.2±2.1 on dev and 96.3±2.9 on Test-P, and with them to 96.3 and 96.4 (which would also be
    Table 6 if its digits were cut off instead of rounded). Leave `labeller` out to count them.

    `minimum` is held against the judgements given, after those are left out. Table 6 comes out when each
    split is given alone (51 and 52 workers). The paper's "68 unique workers" fits its figure over dev and
    both tests together: dev and Test-P in one call give 64.

    The deviation divides by n - 1, the workers being a sample of all who might have worked; dividing by n
    rounds to the same Table 6.
    """
    right: defaultdict[str, list[bool]] = defaultdict(list)
    seen = 0
    everyone = set()
    for judgement in judgements:
        seen += 1
        everyone.add(judgement.worker)
        if judgement.counts:
            right[judgement.worker].append(judgement.given == judgement.gold)
    kept = [answers for answers in right.values() if len(answers) >= minimum]
    accuracies = [fmean(answers) for answers in kept]
    counted = sum(map(len, kept))
    return WorkerMean(
        mean=fmean(accuracies) if accuracies else None,
        deviation=stdev(accuracies) if len(accuracies) > 1 else None,
        workers=len(kept),
        judgements=counted,
        left_out=seen - counted,
        workers_left_out=len(everyone) - len(kept),
    )
