"""How exams are sat: by who has read the instructions, and errs now and then; and how they are graded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from commonsight.collect.protocol import Exam, Field
from commonsight.runs.simulated.minds import Answer, Answers, Mind, Payload

DISTINCTION = 0.35
"""How often a reviewer passes someone with distinction, where that opens other work."""
FILLING = ("one", "image", "shows", "two", "cups", "on", "a", "tray", "and", "the", "other", "shows", "one")


def sat(exam: Exam, samples: Sequence[Payload], answer: Answer, mind: Mind) -> Answers:
    """The answers to an exam: the graded part by heart, the written one as work is done."""
    graded = {question.field.name: _picked(question.field, question.right, mind) for question in exam.graded}
    if samples:
        about = [_about(exam, payload, answer, mind) for payload in samples]
        return {**graded, "samples": about}
    return {**graded, **_filled(exam.written, {}, mind)}


def _picked(field: Field, right: str, mind: Mind) -> str:
    others = [option.value for option in field.options if option.value != right]
    return mind.draw.choice(others) if others and mind.errs() else right


def _about(exam: Exam, payload: Payload, answer: Answer, mind: Mind) -> Answers:
    """The written part about one sample: what someone would hand in, as far as the exam asks for it."""
    names = {field.name for field in exam.written}
    done: Any = answer(exam.samples_of, payload, mind) or {}
    if not names & set(done):  # the exam asks for one entry of what the work is a group of
        entries = [value[0] for value in done.values() if isinstance(value, list) and value]
        done = next((entry for entry in entries if isinstance(entry, Mapping) and names & set(entry)), {})
    said = {name: value for name, value in done.items() if name in names}
    return _filled([field for field in exam.written if field.name not in said], payload, mind) | said


def _filled(fields: Sequence[Field], payload: Payload, mind: Mind) -> Answers:
    """Something that fits, for what nobody can be asked about here."""
    return {field.name: _something(field, payload, mind) for field in fields if field.required}


def _something(field: Field, payload: Payload, mind: Mind) -> Any:
    values = [option.value for option in field.options]
    values = values or [str(place) for place in range(len(payload.get(field.options_from) or ()))]
    if field.kind in ("choice", "rating"):
        return mind.draw.choice(values or ["0"])
    if field.kind == "choices":
        return values[: max(1, field.least or 0)]
    if field.kind == "texts":
        return list(FILLING[: field.least or 1])
    count = min(max(field.least_words, 8), field.most_words or field.least_words + 8)
    text = " ".join((FILLING * (1 + count // len(FILLING)))[:count])
    return f"{{{text}}}" if field.marks else text


def verdict(exam: Exam, share: float, mind: Mind) -> str:
    """What a reviewer says of a written part: most are let in, some with distinction."""
    if not mind.judges(share >= exam.pass_mark):
        return "failed"
    return "distinction" if exam.distinction and mind.draw.random() < DISTINCTION else "passed"
