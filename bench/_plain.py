"""The rules as one would write them in plain Python, dictionaries and a loop: what we compare scoring with.

Ids that are missing or unknown raise in the cheapest way there is; a dictionary cannot hold an id twice.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TypedDict


class Nlvr2Gold(TypedDict):
    """One example's gold."""

    label: bool
    sentence: str


class VcrGold(TypedDict):
    """One question's gold: which answer and which rationale are right."""

    answer: int
    rationale: int


class VcrPick(TypedDict):
    """What was picked for one question: the answer, and a rationale on the condition of each answer."""

    answer: int
    rationale: list[int]


def read_nlvr2(path: Path) -> dict[str, bool]:
    """Predictions by identifier."""
    with path.open(newline="", encoding="utf-8") as file:
        return {identifier: said == "True" for identifier, said in csv.reader(file)}


def score_nlvr2(gold: dict[str, Nlvr2Gold], predictions: dict[str, bool]) -> dict[str, float]:
    """Accuracy by example, consistency by sentence."""
    if len(predictions) != len(gold):  # then, as an id that is missing raises below, none is unknown
        raise ValueError("predictions and gold are of different items")
    correct = 0
    whole: dict[str, bool] = {}
    for identifier, example in gold.items():
        right = predictions[identifier] == example["label"]
        correct += right
        sentence = example["sentence"]
        whole[sentence] = right and whole.get(sentence, True)
    return {"accuracy": correct / len(gold), "consistency": sum(whole.values()) / len(whole)}


def read_vcr(path: Path) -> dict[str, VcrPick]:
    """Predictions by annot_id: the highest of every four scores."""
    picks: dict[str, VcrPick] = {}
    with path.open(newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        next(rows)
        for row in rows:
            scores = [float(cell) for cell in row[1:]]
            chosen = []
            for start in range(0, 20, 4):
                four = scores[start : start + 4]
                chosen.append(four.index(max(four)))
            picks[row[0]] = {"answer": chosen[0], "rationale": chosen[1:]}
    return picks


def score_vcr(gold: dict[str, VcrGold], predictions: dict[str, VcrPick]) -> dict[str, float]:
    """Answer, rationale given the right answer, and both."""
    if len(predictions) != len(gold):  # then, as an id that is missing raises below, none is unknown
        raise ValueError("predictions and gold are of different items")
    answers = rationales = both = 0
    for annot_id, question in gold.items():
        picked = predictions[annot_id]
        answer = question["answer"]
        answer_right = picked["answer"] == answer
        rationale_right = picked["rationale"][answer] == question["rationale"]
        answers += answer_right
        rationales += rationale_right
        both += answer_right and rationale_right
    n = len(gold)
    return {"q2a": answers / n, "qa2r": rationales / n, "q2ar": both / n}
