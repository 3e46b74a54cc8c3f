"""Sentences about three boxes of flat shapes: each is read as a program, which is executed over the shapes.

What a sentence may mean, the grammar says; which of it is meant, weights that are fitted to labels alone.
What shapes there are is read from the scene or seen in the pixels.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from commonsight.core.answer import Verdict
from commonsight.core.benchmark import Ask
from commonsight.core.scene import Scene
from commonsight.errors import InputError, UsageError
from commonsight.graph.shapes.chart import Reading, prior, readings
from commonsight.graph.shapes.execute import Runner, execute
from commonsight.graph.shapes.lexicon import lexicon
from commonsight.graph.shapes.programs import text
from commonsight.graph.shapes.values import SIDE, Tableau, tableau_of
from commonsight.models.symbolic.ranker import Lesson, chances, explained
from commonsight.models.symbolic.ranker import fit as fit_weights
from commonsight.models.symbolic.sight import WIDTH, see_file
from commonsight.models.symbolic.solver import Fitted, Fitting, Kind, Solved, Where
from commonsight.store.documents import read_document
from commonsight.store.paths import below

WEIGHTS = "weights.json"
SCENES, PIXELS = "scenes", "pixels"
FORMAT = 1
CLOSE = 1e-9
"""Chances of true and false that differ by less are the same: then it is the commonest answer that counts."""


class Learned(Struct, frozen=True):
    """What `weights.json` holds."""

    weights: dict[str, float]
    commonest: bool
    """The commonest label, for sentences that cannot be read."""
    format: int = FORMAT


def is_about_shapes(ask: Ask) -> bool:
    """Whether a question is one sentence about one picture of three boxes."""
    if ask.expects != "verdict" or len(ask.scenes) != 1 or len(ask.texts) != 1:
        return False
    return (ask.scenes[0].width, ask.scenes[0].height) == (WIDTH, SIDE)


def sentence_of(ask: Ask) -> str:
    """What is said of the picture."""
    said = next(iter(ask.texts.values()))
    return said.with_class_names(ask.scenes[0].labels)


def shown(scene: Scene, where: Where) -> Tableau:
    """The shapes of a picture, as listed or as seen."""
    if where.sight == SCENES:
        return tableau_of(scene)
    if scene.stored is None:
        raise UsageError(
            f"{where.dataset} keeps no picture {scene.image}. Convert it again with --images, or see by "
            "scenes."
        )
    return see_file(below(where.dataset, scene.stored)).shapes


class _Group(NamedTuple):
    """All pictures of one sentence, and whether it is true of each."""

    readings: list[Reading]
    given: npt.NDArray[np.bool_]  # (reading, picture): what each reading says
    labels: npt.NDArray[np.bool_]  # (picture,)

    def lesson(self) -> Lesson:
        return Lesson(self.readings, explained(self.given == self.labels))


def fit(asks: Sequence[Ask], how: Fitting) -> Fitted:
    """Learn which readings are meant, from labels alone; with folds, measured on sentences held out."""
    groups = _groups(asks, how)
    labels = np.concatenate([group.labels for group in groups])
    commonest = bool(labels.mean() >= 0.5)
    measured = {
        "sentences": float(len(groups)),
        "unread": float(sum(not group.readings for group in groups)),
        "majority": float((labels == commonest).mean()),
    }
    if how.folds:
        measured |= _held_out(groups, how)
    learned = Learned(_weights(groups), commonest)
    content = msgspec.json.format(msgspec.json.encode(learned, order="sorted"), indent=1) + b"\n"
    return Fitted({WEIGHTS: content}, measured)


def _groups(asks: Sequence[Ask], how: Fitting) -> list[_Group]:
    by_sentence: dict[str, list[Ask]] = defaultdict(list)
    for ask in asks:
        by_sentence[sentence_of(ask)].append(ask)
    found, done = [], 0
    for sentence, same in by_sentence.items():
        meant = readings(sentence, {})
        runners = [Runner(shown(ask.scenes[0], how.where)) for ask in same]
        given = np.array([[runner.holds(one.program) for runner in runners] for one in meant], dtype=bool)
        labels = np.array([_label(ask) for ask in same])
        found.append(_Group(meant, given.reshape(len(meant), len(same)), labels))
        done += len(same)
        how.told(done, len(asks))
    return found


def _label(ask: Ask) -> bool:
    if not isinstance(ask.gold, Verdict):
        raise InputError(f"Item {ask.item_id} is neither true nor false. Fit on a split that has labels.")
    return ask.gold.value


def _weights(groups: Sequence[_Group]) -> dict[str, float]:
    known = lexicon()
    lessons = [group.lesson() for group in groups if group.readings]
    return fit_weights(lessons, lambda feature: prior(feature, known))


def _held_out(groups: Sequence[_Group], how: Fitting) -> dict[str, float]:
    """How many pictures, and how many sentences as a whole, are told right by weights that never saw them."""
    order = list(range(len(groups)))
    random.Random(how.seed).shuffle(order)
    right = np.zeros(0, dtype=bool)
    whole = 0
    for fold in range(how.folds):
        out = set(order[fold :: how.folds])
        rest = [group for n, group in enumerate(groups) if n not in out]
        if not rest or not out:
            raise UsageError(
                f"--folds {how.folds}: {len(groups)} sentences are too few for that. Ask for fewer, or 0."
            )
        weights = _weights(rest)
        commonest = bool(np.concatenate([group.labels for group in rest]).mean() >= 0.5)
        for group in (groups[n] for n in sorted(out)):
            told = _told(group, weights, commonest) == group.labels
            right, whole = np.concatenate([right, told]), whole + bool(told.all())
    return {"accuracy": float(right.mean()), "consistency": whole / len(groups)}


def _told(group: _Group, weights: dict[str, float], commonest: bool) -> npt.NDArray[np.bool_]:
    """What is said of each picture."""
    if not group.readings:
        return np.full(len(group.labels), commonest)
    known = lexicon()
    scored = [
        one._replace(score=sum(weights.get(f, prior(f, known)) for f in one.features))
        for one in group.readings
    ]
    return np.asarray(chances(scored) @ group.given >= 0.5, dtype=bool)


class ShapeSolver:
    """Answers by the readings' votes, each as heavy as it is likely; the likeliest winner explains."""

    def __init__(self, learned: Learned, where: Where) -> None:
        self.name = "Symbolic (shapes)"
        self._learned, self._where = learned, where
        self._read: dict[str, list[Reading]] = {}

    def solve(self, ask: Ask) -> Solved:
        """Whether the sentence is true of the picture."""
        sentence = sentence_of(ask)
        if sentence not in self._read:
            self._read[sentence] = readings(sentence, self._learned.weights)
        meant = self._read[sentence]
        if not meant:
            why = "The sentence cannot be read: the commonest answer of training."
            return Solved(Verdict(self._learned.commonest), "", (why,), True)
        boxes = shown(ask.scenes[0], self._where)
        runner = Runner(boxes)
        given = [runner.holds(one.program) for one in meant]
        share = float(chances(meant) @ np.array(given, dtype=np.float64))
        tied = abs(share - 0.5) < CLOSE
        said = self._learned.commonest if tied and len(set(given)) > 1 else share > 0.5
        best = next(one for one, value in zip(meant, given, strict=True) if value == said)
        return Solved(Verdict(said), text(best.program), execute(best.program, boxes).trace, False)


def load(folder: Path, where: Where) -> ShapeSolver:
    """A solver from what `fit` made."""
    remedy = "Train the solver again."
    learned = read_document(folder / WEIGHTS, Learned, remedy=remedy)
    if learned.format != FORMAT:
        raise InputError(
            f"{folder / WEIGHTS}: its format is {learned.format}, this version reads {FORMAT}. {remedy}"
        )
    return ShapeSolver(learned, where)


KIND = Kind(
    "shapes",
    "sentences about three boxes of flat shapes",
    (SCENES, PIXELS),
    is_about_shapes,
    frozenset(),
    fit,
    load,
)
