"""CRIC's work: generated questions are judged by their steps, and mended where an answer is not theirs."""

from __future__ import annotations

from commonsight.benchmarks.protocols.cric_flow import NOTHING
from commonsight.runs.simulated.minds import Answers, Mind, Payload

NO = "no"


def answer(stage: str, payload: Payload, mind: Mind) -> Answers | None:
    """Judge, or mend."""
    return _correct(payload, mind) if stage == "correct" else _review(payload, mind)


def _review(payload: Payload, mind: Mind) -> Answers:
    """The answer must be what the last step gives; words are taken to be in order, but for errors."""
    right = mind.yes_no(_is_right(payload))
    note = {} if right == "yes" else {"note": "The last step gives something else."}
    return {"grammatical": mind.yes_no(True), "unambiguous": mind.yes_no(True), "right": right, **note}


def given(payload: Payload) -> str:
    """What the steps come to."""
    return str(payload["steps"][-1]["gives"]).lower() if payload["steps"] else ""


def _is_right(payload: Payload) -> bool:
    said = given(payload)
    return not said or said == str(payload["answer"]).lower()


def _correct(payload: Payload, mind: Mind) -> Answers:
    """The answer that the steps give; where it is there already, nothing can be mended."""
    if _is_right(payload):
        return {"action": "drop"}
    mended = {"action": "correct", "question": payload["question"], "answer": given(payload)}
    if mended["answer"] == NO:
        return {**mended, "pointing": "none"}
    if payload["points"] != NOTHING:
        return {**mended, "pointing": "same"}
    boxes = len(payload["picture"].get("regions") or ())
    if not boxes:
        return {"action": "drop"}
    return {**mended, "pointing": "other", "target": [mind.draw.randrange(boxes)]}
