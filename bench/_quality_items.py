"""The same questions with wrong answers of three kinds: matched, random, most similar to the right one."""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import structs

from commonsight.build.matching.buckets import Task
from commonsight.build.matching.folds import folded
from commonsight.build.matching.habits import Habits
from commonsight.build.matching.raw import read_raw
from commonsight.build.matching.recipe import Recipe
from commonsight.build.matching.relevance import EmbeddedRelevance
from commonsight.build.matching.remap import Remap
from commonsight.build.matching.rounds import keys
from commonsight.build.matching.run import run_matching
from commonsight.build.matching.similarity import EmbeddedSimilarity
from commonsight.build.matching.threads import one_thread
from commonsight.build.matching.values import Annotation, Pair, answer_pair, normalised, rationale_pair
from commonsight.core.text import TaggedText
from commonsight.text.encoders import Encoder
from commonsight.world.make import Plan, make_world

WRONG = 3
REAL = ("val_152", "premise_form_2923", "gd_vcr_886")


class Asked(NamedTuple):
    """A question with four answers, the right one first, and what two judges make of each."""

    pair: Pair
    fold: str
    choices: tuple[TaggedText, ...]
    lent: tuple[str, ...]
    """The ids of those whose answers the choices are: its own first."""
    similar: tuple[float, ...]
    """P_sim of each wrong choice with the right one, as both read where they were written."""


def world_annotations(scenes: int, seed: int) -> list[Annotation]:
    """What simulated annotators write about a world; folds are cut anew, so its splits are left out."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "world"
        make_world(made, Plan(scenes, seed, ("vcr",)), progress=lambda done, _: done)
        return [_without_split(each) for each in read_raw(made / "raw" / "vcr.jsonl", "image")]


def _without_split(one: Annotation) -> Annotation:
    return structs.replace(one, split=None)


def real_annotations(folder: Path, *, why: bool = False) -> list[Annotation]:
    """All VCR-style questions that there are; with `why` those that have a rationale."""
    found = []
    for name in REAL:
        for number, line in enumerate((folder / "vcr" / f"{name}.jsonl").read_text("utf-8").splitlines()):
            record = json.loads(line)
            question, reason = _question_and_reason(record)
            if why and not reason:
                continue
            answer = _tokens(record["answer_choices"][record["answer_label"]])
            group = str(record.get("movie") or record.get("video_name") or record["img_fn"].split("/")[0])
            image = f"{name}:{record['img_fn']}"
            found.append(
                Annotation(f"{name}:{number}", group.removeprefix("lsmdc_"), tuple(record["objects"]),
                           _tokens(question), answer, _tokens(reason) if why else None, image)
            )  # fmt: skip
    return found


def _tokens(tokens: Sequence[Any]) -> TaggedText:
    return TaggedText(tuple(tuple(token) if isinstance(token, list) else token for token in tokens))


def _question_and_reason(record: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """One of the files puts the rationale before the question; another repeats the answers for it."""
    if "question" in record:
        reason = record["rationale_choices"][record["rationale_label"]]
        return list(record["question"]), [] if "video_name" in record else list(reason)
    tokens = record["premise"]
    ends = [place for place, token in enumerate(tokens[:-1]) if token in (".", "!", "?")]
    return (list(tokens[ends[-1] + 1 :]), list(tokens[: ends[-1] + 1])) if ends else (list(tokens), [])


class Bench(NamedTuple):
    """Annotations, which of their texts are asked about, and the judges."""

    annotations: Sequence[Annotation]
    task: Task
    recipe: Recipe
    encoder: Encoder

    def pairs(self) -> Iterator[tuple[str, list[Pair]]]:
        """The pairs of each fold."""
        pair = answer_pair if self.task == "answers" else rationale_pair
        for fold, members in folded(self.annotations, count=self.recipe.folds, seed=self.recipe.seed).items():
            yield fold, [pair(member) for member in members]

    def elsewhere(self, fold: str) -> list[Pair]:
        """The pairs of all other folds."""
        return [pair for name, pairs in self.pairs() if name != fold for pair in pairs]


def matched(bench: Bench) -> list[Asked]:
    """Adversarial Matching."""
    similarity, relevance = EmbeddedSimilarity(bench.encoder), EmbeddedRelevance(bench.encoder)
    annotations = bench.annotations if bench.task == "rationales" else [*map(_only_answer, bench.annotations)]
    with tempfile.TemporaryDirectory() as folder:
        result = run_matching(
            annotations, bench.recipe, relevance, similarity, Path(folder) / "spool",
            embed=bench.encoder.encode, workers=os.cpu_count() or 1,
        )  # fmt: skip
    wrong = [each.answers if bench.task == "answers" else each.rationales for each in result.matched]
    lent = {(each.fold, each.index): own for each, own in zip(result.matched, wrong, strict=True)}
    found = []
    for fold, pairs in bench.pairs():
        own = [lent[fold, place] for place in range(len(pairs))]
        places = np.array([each.sources for each in own if each is not None], np.int64)
        texts = [each.texts for each in own if each is not None]
        found += _asked(bench, fold, pairs, places, texts)
    return found


def _only_answer(one: Annotation) -> Annotation:
    return Annotation(one.id, one.group, one.objects, one.question, one.answer, None, one.image)


def drawn(bench: Bench) -> list[Asked]:
    """Random answers of the fold, with tags remapped."""
    found = []
    for fold, pairs in bench.pairs():
        rng = random.Random(f"{bench.recipe.seed}:{fold}:random")
        order = [rng.sample(range(len(pairs)), len(pairs)) for _ in pairs]
        found += _first_allowed(bench, fold, pairs, order)
    return found


def most_similar(bench: Bench) -> list[Asked]:
    """The answers of the fold that are most similar to the right one, with tags remapped."""
    found = []
    for fold, pairs in bench.pairs():
        scores = EmbeddedSimilarity(bench.encoder).weigh(pairs).rows(np.arange(len(pairs)))
        order = np.argsort(-scores, axis=1, kind="stable").tolist()
        found += _first_allowed(bench, fold, pairs, order)
    return found


def _first_allowed(bench: Bench, fold: str, pairs: list[Pair], order: list[list[int]]) -> list[Asked]:
    """For each query the first three that matching would be allowed to give it."""
    habits = None if bench.recipe.remap == "paper" else Habits.of(bench.elsewhere(fold) or pairs)
    remap, allowed = Remap(pairs, f"{bench.recipe.seed}:{bench.task}", habits), keys(pairs)
    places, texts = np.zeros((len(pairs), WRONG), np.int64), []
    for query, candidates in enumerate(order):
        seen, chosen = {normalised(pairs[query].response)}, list[tuple[int, TaggedText]]()
        had = {int(allowed.texts[query])}
        for other in candidates:
            text = remap(query, other)
            if allowed.images[other] == allowed.images[query] or normalised(text) in seen:
                continue
            if int(allowed.texts[other]) not in had:
                chosen.append((other, text))
                seen.add(normalised(text))
                had.add(int(allowed.texts[other]))
            if len(chosen) == WRONG:
                break
        places[query] = [place for place, _ in chosen]
        texts.append(tuple(text for _, text in chosen))
    return _asked(bench, fold, pairs, places, texts)


def _asked(
    bench: Bench, fold: str, pairs: list[Pair], places: np.ndarray, texts: Sequence[tuple[TaggedText, ...]]
) -> list[Asked]:
    with one_thread():
        scores = EmbeddedSimilarity(bench.encoder).weigh(pairs).rows(np.arange(len(pairs)))
    return [
        Asked(
            pair, fold, (pair.response, *own), (pair.id, *(pairs[place].id for place in lenders)),
            tuple(float(scores[query, place]) for place in lenders),
        )
        for query, (pair, own, lenders) in enumerate(zip(pairs, texts, places.tolist(), strict=True))
    ]  # fmt: skip
