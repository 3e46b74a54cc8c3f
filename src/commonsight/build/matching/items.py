"""Matched annotations as items of a multiple-choice benchmark, in VCR's convention.

The right choice stands in every position equally often, as far as the numbers allow, in each split and in
each fold. The order of the wrong ones is drawn too: it must not tell which round gave them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from commonsight.build.matching.raw import NATIVE
from commonsight.build.matching.recipe import Matched, Recipe, Wrong
from commonsight.build.matching.values import Annotation
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.scene import Region, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import InputError

SPLITS = frozenset(("train", "val", "test"))
"""Splits that VCR's ids begin with, as in `val-35`."""


def matched_items(matched: Sequence[Matched], recipe: Recipe) -> Iterator[Item]:
    """Items, in the order of the matched annotations."""
    answers = positions(matched, recipe.rounds + 1, f"{recipe.seed}:answers")
    rationales = positions(matched, recipe.rounds + 1, f"{recipe.seed}:rationales")
    texts = {(entry.fold, entry.index): entry.annotation for entry in matched}
    for entry, answer, rationale in zip(matched, answers, rationales, strict=True):
        if recipe.mode == "generic":
            yield _text_item(entry, recipe, answer, texts)
        else:
            yield _image_item(entry, recipe, answer, rationale)


def positions(matched: Sequence[Matched], choices: int, seed: str) -> list[int]:
    """Where the right choice of each item stands: all positions as often as can be, fold by fold."""
    folds: dict[str, dict[str, list[int]]] = {}
    for place, entry in enumerate(matched):
        folds.setdefault(entry.split, {}).setdefault(entry.fold, []).append(place)
    found = [0] * len(matched)
    for split, members in folds.items():
        rng = random.Random(f"{seed}:{split}:positions")
        order = rng.sample(range(choices), choices)
        given = 0
        for places in members.values():  # goes on counting where the last fold stopped
            labels = [order[(given + turn) % choices] for turn in range(len(places))]
            given += len(places)
            rng.shuffle(labels)
            for place, label in zip(places, labels, strict=True):
                found[place] = label
    return found


class _Choices(NamedTuple):
    texts: tuple[TaggedText, ...]
    sources: list[int]
    rounds: list[int]
    """Zero for the right one."""


def _choices(right: TaggedText, own: int, wrong: Wrong, label: int, rng: random.Random) -> _Choices:
    order = rng.sample(range(len(wrong.texts)), len(wrong.texts))
    order.insert(label, -1)  # the right one
    return _Choices(
        tuple(right if turn < 0 else wrong.texts[turn] for turn in order),
        [own if turn < 0 else wrong.sources[turn] for turn in order],
        [turn + 1 for turn in order],
    )


def _image_item(entry: Matched, recipe: Recipe, answer: int, rationale: int) -> Item:
    annotation = entry.annotation
    rng = random.Random(f"{recipe.seed}:order:{annotation.id}")
    answers = _choices(annotation.answer, entry.index, entry.answers, answer, rng)
    provenance = {"answer_match_iter": answers.rounds, "answer_sources": answers.sources}
    rationales = None
    if entry.rationales is not None and annotation.rationale is not None:
        rationales = _choices(annotation.rationale, entry.index, entry.rationales, rationale, rng)
        provenance |= {"rationale_match_iter": rationales.rounds, "rationale_sources": rationales.sources}
    native = {name: annotation.extra[name] for name in NATIVE if name in annotation.extra}
    image = native.pop("img_id", annotation.image or annotation.id)
    return Item(
        annotation.id,
        entry.split,
        (Scene(annotation.image or annotation.id, tuple(Region(label) for label in annotation.objects)),),
        {"question": annotation.question},
        answers.texts,
        Pick(answer),
        () if rationales is None else rationales.texts,
        None if rationales is None else rationale,
        groups={"movie": annotation.group, "image": image},
        provenance={**provenance, **_provenance(entry, recipe)},
        extra={**native, **({"drawn": True} if annotation.extra.get("drawn") is True else {})},
    )


def refuse_other_splits(folds: Mapping[str, Sequence[Annotation]]) -> None:
    """VCR's ids say the split: one that says another than the item is in would be read back wrongly."""
    for fold, members in folds.items():
        split = fold.rpartition("-")[0]
        for annotation in members:
            told, dash, _ = annotation.id.partition("-")
            if dash and told in SPLITS and told != split:
                raise InputError(
                    f"Annotation {annotation.id} is in fold {fold}, and its id says {told}. "
                    f'State "split": "{told}" in it, or use ids that do not begin with a split.'
                )


def _text_item(entry: Matched, recipe: Recipe, label: int, texts: dict[tuple[str, int], Annotation]) -> Item:
    annotation = entry.annotation
    rng = random.Random(f"{recipe.seed}:order:{annotation.id}")
    as_written = tuple(_response(texts[entry.fold, source]) for source in entry.answers.sources)
    wrong = Wrong(as_written, entry.answers.sources)
    context = annotation.extra.get("context_orig") or _said(annotation.question)
    choices = _choices(_response(annotation), entry.index, wrong, label, rng)
    return Item(
        annotation.id,
        entry.split,
        texts={"context": TaggedText.plain(context)},
        choices=choices.texts,
        gold=Pick(label),
        groups={"group": annotation.group},
        provenance={
            "answer_match_iter": choices.rounds,
            "answer_sources": choices.sources,
            **_provenance(entry, recipe),
        },
    )


def _response(annotation: Annotation) -> TaggedText:
    """The response as its writer spaced it."""
    return TaggedText.plain(annotation.extra.get("response_orig") or _said(annotation.answer))


def _said(text: TaggedText) -> str:
    return text.render(str)


_OWN = frozenset((*NATIVE, "context_orig", "response_orig"))


def _provenance(entry: Matched, recipe: Recipe) -> dict[str, Any]:
    """Where the item was matched and how, and whatever else its annotation says."""
    told = {name: value for name, value in entry.annotation.extra.items() if name not in _OWN}
    return {
        "match_fold": entry.fold,
        "match_index": entry.index,
        **told,
        "matching": {
            "mode": recipe.mode,
            "seed": recipe.seed,
            "lambda_answer": recipe.lambda_answer,
            "lambda_rationale": recipe.lambda_rationale,
            "relevance": recipe.relevance,
            "similarity": recipe.similarity,
        },
    }


def text_record(item: Item) -> dict[str, Any]:
    """An item of any text task as one line of JSON."""
    return {
        "id": item.id,
        **item.groups,
        "context": item.texts["context"].render(str),
        "choices": [choice.render(str) for choice in item.choices],
        "label": item.gold.index if isinstance(item.gold, Pick) else None,
        **item.provenance,
    }
