"""Pairs of short sentences whose label is plain to see, and a tiny trained model of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import torch

from commonsight.build.matching.similarity_fit import Judged
from commonsight.models.engine import checkpoint
from commonsight.models.engine.recipe import Recipe
from commonsight.models.libraries import seeded
from commonsight.models.nli import network as nli
from commonsight.models.nli.network import About, Inference
from commonsight.models.nli.pairs import examples

WHO = ("casey", "riley", "the dog", "the cat", "a woman")
DEEDS = ("holds a cup", "runs home", "sleeps", "paints a tree", "drops the ball", "sees a house")


def toy(count: int = 120) -> list[Judged]:
    """A sentence entails itself; another deed is neutral; `not` contradicts."""
    made = []
    for number in range(count // 3):
        who, deed = WHO[number % 5], DEEDS[number % 6]
        other = DEEDS[(number + 1 + number % 4) % 6]
        said = f"{who} {deed} today"
        made += [
            Judged(said, f"{who} {deed}", "entailment"),
            Judged(said, f"{who} {other}", "neutral"),
            Judged(said, f"{who} never {deed}", "contradiction"),
        ]
    return made


def written(path: Path, pairs: Iterable[Judged]) -> Path:
    """As JSON lines."""
    fields = ("premise", "hypothesis", "label")
    lines = [{name: getattr(pair, name) for name in fields} for pair in pairs]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def untaught(folder: Path, *, text: str = "learned", seed: int = 1) -> Path:
    """A model as it begins, kept as a trained one is."""
    known = nli.vocabulary(text, examples(toy()))
    with seeded(seed):
        read = nli.reads(text, known, 12)
        network = Inference("small", read.module())
        with torch.no_grad():
            network.esim.hidden.weight.mul_(4)  # or all pairs would look alike to it
            network.esim.score.weight.mul_(10)
    nli.ABOUT.save(folder, About("small", text, read.name, read.dim, known, {}, Recipe(epochs=1)))
    checkpoint.save_best(folder, network.state_dict())
    return folder
