"""The plainest model there is, to try `commonsight run` with: it never looks, and takes the first choice.

    commonsight run DATASET --model python:first_choice:answer --circular
"""

from __future__ import annotations


def answer(question: str, candidates: tuple[str, ...]) -> str:
    """The first of the choices; where there are none, what is usual."""
    return candidates[0] if candidates else "red" if "color" in question else "a person"
