"""A prompt is a value with a name and a version: what a model is told, and how regions are shown to it.

A benchmark declares one for each of its tasks; a person may write another in a file. A prompt that changes
gets a new number, since a score is a score with a prompt.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Shown = Literal["names", "boxes", "coordinates", "both"]
"""How regions are shown: by name alone, by numbered boxes on the picture, by coordinates, by both."""
Reasoning = Literal["none", "before", "after"]
"""Whether a model shall give reasons, before its answer or after it."""
Form = Literal["turns", "text"]
"""A conversation, or one text that the model goes on with, as language models were asked before they chatted.
Of what it goes on with everything counts, also where it ran out of tokens."""


class Prompt(Struct, frozen=True, forbid_unknown_fields=True):
    """How one kind of question is put to a model."""

    name: str
    """With its version, such as `vcr.q2a@1`; runs record it."""
    template: str
    """Jinja. It may use `texts` (by role), `choices` (each with `letter` and `text`), `objects` (each with
    `name` and, if shown, `box`), `pictures` (how many), and three ready-made parts: `listed_objects`,
    `listed_choices`, `instruction`."""
    system: str = ""
    regions: Shown = "boxes"
    reasoning: Reasoning = "none"
    most_tokens: int = 64
    """Enough for a short answer; with reasoning at least 512 are given."""
    form: Form = "turns"
    stop: tuple[str, ...] = ()
    """Where a reply ends: what follows the first of these is not read."""
    in_words: bool = False
    """Whether a question with choices is answered in words of one's own, which are brought to the nearest
    choice afterwards. Examples then give the words of the right choice."""
    examples_as: str = ""
    """The task whose questions are shown as examples, where that is another one: picks are then in words."""


ASKED = """{{ listed_objects }}{% for role, text in texts.items() %}
{{ role | replace("_", " ") | capitalize }}: {{ text }}
{% endfor %}
{{ listed_choices }}

{{ instruction }}"""
"""The objects, every text under its role, the choices, how to answer: what most prompts are made of."""


def plain_prompt(name: str, opening: str) -> Prompt:
    """A sentence on what this is about, and then the question."""
    return Prompt(name, f"{opening}\n\n{ASKED}")
