"""What is said about shortcuts: one finding a family of them, one for all together, one for the balance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonsight.audit.cases import Cases
from commonsight.audit.chance import ALARM, surely_above
from commonsight.audit.listwise import Earned, Rows
from commonsight.audit.shortcuts.picks import Balance, Rule
from commonsight.audit.values import Finding
from commonsight.score.intervals import Floats

UNLIKELY = 0.05
"""What chance gives in fewer than one audit of twenty is worth a note."""
IMBALANCE = 0.10
"""How far the commonest of a few shared answers may be above an even share."""

REMEDIES = {
    "length": "Bring the choices of an item to about the same length, or match wrong ones by length.",
    "position": "Shuffle the choices of every item with a new seed.",
    "punctuation": "Punctuate all choices in the same way, by a program.",
    "capitals": "Write all choices in the same case, by a program.",
    "specificity": "Make wrong choices as detailed as right ones: match them by the rarity of their words.",
    "overlap": "Take wrong choices that speak of what is asked as much as the right one does.",
    "tag-overlap": "Give wrong choices the tags of the question as often as right ones (re-tag them by "
    "salience).",
    "pronoun-overlap": "Take wrong choices whose pronouns fit the question as well as the right one's do.",
    "tag-count": "Take wrong choices that point to as many objects as the right one does.",
    "negation": "Balance negations between right and wrong choices.",
    "oddity": "Look at the odd ones: make wrong choices as unlike each other as they are unlike the right "
    "one.",
}
_NAMES = {
    "length": "Length", "position": "Position", "punctuation": "Punctuation", "capitals": "How a choice is "
    "capitalised",
    "specificity": "How specific a choice is", "overlap": "Sharing words with what is asked",
    "tag-overlap": "Repeating the tags of what is asked",
    "pronoun-overlap": "Repeating the pronouns of what is asked", "tag-count": "The number of tags",
    "negation": "Negation", "oddity": "Being the odd one out",
}  # fmt: skip


def family_finding(rows: Rows, family: str, rules: Sequence[Rule], matters: float) -> Finding:
    """About the surest of a family's rules: it matters where a pick by it alone beats a guess."""
    surest, best = min(rules, key=lambda one: (one.p, -abs(one.z))), max(rules, key=lambda one: one.z)
    reached, limit = float(best.earned.credit.mean()), rows.chance + matters
    code, task = f"{family}-shortcut", rows.cases.task
    if surest.p > UNLIKELY:
        says = f"{_NAMES[family]} tells nothing beyond what chance gives in {len(rows.sizes):,} items."
        return Finding(code, "fine", says, value=reached, limit=limit, task=task)
    gain = best.earned.credit - rows.chances
    if best.p > ALARM or surely_above(gain, rows.cases.groups) <= matters:
        return Finding(code, "note", _said(rows, surest), value=reached, limit=limit, task=task)
    items = behind(rows, best.earned)
    return Finding(code, "warning", _said(rows, best), REMEDIES[family], reached, limit, items, task)


def _said(rows: Rows, rule: Rule) -> str:
    reached = float(rule.earned.credit.mean())
    where = float(rule.earned.credit[rule.earned.decided].mean())
    return (
        f"Picking {rule.says} is right in {reached:.1%} of the items, where guessing gets {rows.chance:.1%} "
        f"(it tells choices apart in {rule.coverage:.0%} of them, and is right in {where:.1%} of these)."
    )


def alone_finding(rows: Rows, result: Earned, matters: float) -> Finding:
    """About the model that sees nothing but shortcuts."""
    chance, reached = rows.chance, float(result.credit.mean())
    limit, code, task = chance + matters, "shortcuts-alone", rows.cases.task
    gain, groups = result.credit - rows.chances, rows.cases.groups
    if surely_above(gain, groups) <= matters:
        more = surely_above(gain, groups, 1 - UNLIKELY / 2) > 0
        how = "more than guessing, but by how much is not sure" if more else "not surely more than guessing"
        says = f"All shortcuts together get {reached:.1%}: {how} ({chance:.1%})."
        return Finding(code, "note" if more else "fine", says, value=reached, limit=limit, task=task)
    says = (
        "A model that sees only lengths, positions, punctuation and overlaps, and no word, gets "
        f"{reached:.1%}, where guessing gets {chance:.1%}."
    )
    remedy = "See which of the shortcuts of this section it goes by, and mend those first; then audit again."
    return Finding(code, "warning", says, remedy, reached, limit, behind(rows, result), task)


def behind(rows: Rows, result: Earned) -> tuple[str, ...]:
    """The items that are given away, the clearest first."""
    given = np.flatnonzero(result.decided & (result.credit > rows.chances))
    order = given[np.lexsort((-result.margin[given], -result.credit[given]))]
    return tuple(rows.cases.all[at].id for at in order.tolist())


def position_finding(rows: Rows, found: Balance, matters: float) -> Finding:
    """Whether right choices are spread evenly over positions."""
    shares = np.divide(found.counts, len(rows.sizes))
    top = int(np.argmax(np.subtract(found.counts, found.expected)))
    hits = rows.cases.gold == top
    said = ", ".join(f"{share:.1%}" for share in shares.tolist())
    limit, task = rows.chance + matters, rows.cases.task
    value = float(hits.mean())
    if found.p > UNLIKELY:
        says = f"Right choices are spread evenly over positions ({said})."
        return Finding("label-balance", "fine", says, value=value, limit=limit, task=task)
    says = f"Right choices are not spread evenly over positions: {said} from the first to the last."
    gain = hits.astype(np.float64) - rows.chances
    if found.p > ALARM or surely_above(gain, rows.cases.groups) <= matters:
        return Finding("label-balance", "note", says, value=value, limit=limit, task=task)
    items = tuple(case.id for case, hit in zip(rows.cases, hits.tolist(), strict=True) if hit)
    return Finding("label-balance", "warning", says, REMEDIES["position"], value, limit, items, task)


def answers_finding(cases: Cases, labels: Sequence[str], hits: Floats, found: Balance) -> Finding:
    """Whether a few shared answers are about equally common; `hits` marks items with the commonest."""
    shares = zip(labels, found.counts, strict=True)
    said = ", ".join(f"“{label}” {count / len(cases):.1%}" for label, count in shares)
    limit, value = 1 / len(labels) + IMBALANCE, float(hits.mean())
    if found.p > UNLIKELY:
        says = f"The answers are evenly spread: {said}."
        return Finding("label-balance", "fine", says, value=value, limit=limit, task=cases.task)
    if found.p > ALARM or surely_above(hits, cases.groups) <= limit:
        says = f"The answers are not quite evenly spread: {said}."
        return Finding("label-balance", "note", says, value=value, limit=limit, task=cases.task)
    says = f"One answer is much commoner than the others: {said}. Always giving it gets {value:.1%}."
    remedy = "Add items with the rarer answers, take some of the commonest out, or report scores by answer."
    items = tuple(case.id for case, hit in zip(cases, hits.tolist(), strict=True) if hit)
    return Finding("label-balance", "warning", says, remedy, value, limit, items, cases.task)
