"""How good matched choices are: how hard without the question or the image, how fair, against other choices.

    python bench/quality_matching.py --data world
    python bench/quality_matching.py --data real --read 40 --lambda-answer 0.1

Not a speed benchmark. The same questions get wrong answers of three kinds: matched, random, and the most
similar ones. Solvers are trained on all folds but one and tried on that one; answers are only lent within a
fold, so all uses of an answer are on the same side. `--read` prints items for people to judge.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from _quality_items import (
    Asked,
    Bench,
    drawn,
    matched,
    most_similar,
    real_annotations,
    world_annotations,
)
from _quality_solvers import (
    CHOICES,
    Solved,
    boosted,
    compared,
    fits,
    grams,
    held_out,
    logistic,
    meanings,
    relevance,
    solved,
)
from _results import real_folder
from commonsight.build.matching.recipe import Recipe
from commonsight.build.matching.relevance_views import reading
from commonsight.build.matching.values import Annotation
from commonsight.text.encoders import Encoder, default_encoder

FOLDS = 5
SCENES = 1200
WORLD_SEED = 3
"""Not the worlds that remapping and similarity were mended on, which were those of seeds 1 and 2."""
KINDS: dict[str, Callable[[Bench], list[Asked]]] = {
    "matched": matched,
    "random": drawn,
    "most similar": most_similar,
}


class Row(NamedTuple):
    """A line of the table."""

    what: str
    value: str


def measured(items: Sequence[Asked], encoder: Encoder) -> list[Row]:
    """Everything about one kind of wrong answers."""
    refuse_leaks(items)
    alone = [
        held_out(items, grams, logistic),
        held_out(items, grams, lambda: logistic(0.1)),
        held_out(items, meanings(encoder), boosted),
    ]
    judged = relevance(items, encoder).chances
    fitting = held_out(items, fits(encoder), boosted)
    similar = np.array([item.similar for item in items])
    return [
        *answer_only(alone),
        Row("four answers compared, no question", str(held_out(items, compared(encoder), boosted))),
        Row("question and answer, trained on these items", str(fitting)),
        Row("question and answer, P_rel (trained on random ones)", str(solved(judged))),
        Row("mean P_rel of the right answer", f"{judged[:, 0].mean():.2f}"),
        Row("mean P_rel of wrong answers", f"{judged[:, 1:].mean():.2f}"),
        Row("mean P_sim of wrong answers to the right one", f"{similar.mean():.3f}"),
        Row("wrong answers with P_sim above 0.5", f"{100 * (similar > 0.5).mean():.1f} %"),
        Row("words of a wrong answer that the right one has", f"{100 * overlap(items):.0f} %"),
        Row("how often an answer is lent, least to most", uses(items)),
    ]


def answer_only(alone: Sequence[Solved]) -> list[Row]:
    """The best of all solvers counts, which flatters them a little."""
    names = ("n-grams, logistic", "n-grams, logistic, smoother", "embedding, boosted trees")
    best = max(alone, key=lambda found: found.accuracy)
    rows = [Row(f"one answer alone: {name}", str(each)) for name, each in zip(names, alone, strict=True)]
    return [*rows, Row("one answer alone: the best", str(best))]


def refuse_leaks(items: Sequence[Asked]) -> None:
    """Every answer must be used in one fold only, its own: else a solver could have seen it."""
    home = {item.pair.id: item.fold for item in items}
    for item in items:
        if any(home[lender] != item.fold for lender in item.lent):
            raise AssertionError(f"{item.pair.id} borrows from another fold")
    groups: dict[str, set[str]] = {}
    for item in items:
        groups.setdefault(item.pair.image, set()).add(item.fold)
    if any(len(folds) > 1 for folds in groups.values()):
        raise AssertionError("an image is in two folds")


def overlap(items: Sequence[Asked]) -> float:
    """The share of a wrong answer's words that the right one has."""
    shares = []
    for item in items:
        right, *wrong = (set(reading(text, item.pair.objects).split()) for text in item.choices)
        shares += [len(right & words) / max(1, len(words)) for words in wrong]
    return float(np.mean(shares))


def uses(items: Sequence[Asked]) -> str:
    """How often answers are wrong choices; for matched ones it must be three times each."""
    lent = Counter(lender for item in items for lender in item.lent[1:])
    counts = [lent[item.pair.id] for item in items]
    return f"{min(counts)} to {max(counts)}"


def read_aloud(items: Sequence[Asked], count: int, seed: int) -> None:
    """Items for people to judge: the same questions whatever the wrong answers are."""
    known = {item.pair.id: item for item in items}
    for number, name in enumerate(random.Random(seed).sample(sorted(known), min(count, len(known))), 1):
        item = known[name]
        print(f"\n{number}. {item.pair.query.bracketed(item.pair.objects)}")
        for place, text in enumerate(item.choices):
            told = "   right" if not place else f"   {item.similar[place - 1]:.2f} "
            print(f"{told} {text.bracketed(item.pair.objects)}")


def same_meaning(items: Sequence[Asked], annotations: Sequence[Annotation]) -> str:
    """How many items have a wrong answer that means what the right one does, by the world's own record."""
    means = {one.id: _meaning(one.extra.get("mistake") or one.extra["form"]) for one in annotations}
    doubled = [means[item.lent[0]] in {means[lender] for lender in item.lent[1:]} for item in items]
    return f"{100 * float(np.mean(doubled)):.1f} %"


def _meaning(fact: object) -> object:
    """A fact without who and what it is about; of a reason, what is given for it."""
    if isinstance(fact, list) and fact[:1] == ["reason"]:
        return _meaning(fact[-1])
    return tuple(map(_meaning, fact)) if isinstance(fact, list) else None if isinstance(fact, int) else fact


def shown(tables: dict[str, list[Row]]) -> None:
    """A Markdown table, a column for each kind."""
    print(f"| | {' | '.join(tables)} |\n|---|{'---:|' * len(tables)}")
    for rows in zip(*tables.values(), strict=True):
        print(f"| {rows[0].what} | {' | '.join(row.value for row in rows)} |")


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--data", choices=("world", "real"), required=True)
    parser.add_argument("--task", choices=("answers", "rationales"), default="answers")
    parser.add_argument("--scenes", type=int, default=SCENES, help="of the world")
    parser.add_argument("--world-seed", type=int, default=WORLD_SEED)
    parser.add_argument("--folds", type=int, default=FOLDS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lambda-answer", type=float, default=Recipe().lambda_answer)
    parser.add_argument("--lambda-rationale", type=float, default=Recipe().lambda_rationale)
    parser.add_argument("--remap", choices=("spoken", "paper"), default=Recipe().remap)
    parser.add_argument("--tags", type=float, default=Recipe().tags)
    parser.add_argument("--read", type=int, metavar="N", help="print N matched items instead")
    return parser.parse_args()


def main() -> None:
    """Run from the command line."""
    given = options()
    why = given.task == "rationales"
    if given.data == "world":
        annotations = world_annotations(given.scenes, given.world_seed)
    elif not (real_folder() / "vcr").is_dir():
        sys.exit(f"{real_folder()} holds no folder vcr. Set COMMONSIGHT_DATA to the folder of the real text.")
    else:
        annotations = real_annotations(real_folder(), why=why)
    recipe = Recipe(
        given.seed, given.lambda_answer, given.lambda_rationale, folds=given.folds,
        remap=given.remap, tags=given.tags,
    )  # fmt: skip
    bench = Bench(annotations, given.task, recipe, default_encoder())
    if given.read is not None:
        items = matched(bench)
        read_aloud(items, given.read, given.seed)
        if given.data == "world":
            print(f"\nAll items, a wrong answer of the same meaning: {same_meaning(items, annotations)}")
        print(f"P_rel solves {solved(relevance(items, bench.encoder).chances)}")
        return
    print(f"{len(annotations):,} {given.task}, {given.folds} folds, {CHOICES} choices: chance is 25 %\n")
    shown({name: measured(kind(bench), bench.encoder) for name, kind in KINDS.items()})


if __name__ == "__main__":
    main()
