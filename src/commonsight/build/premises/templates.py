"""The templates of premises by category, after PMR's appendix D, with grammar and gender mended.

`{p}` and `{q}` are two people of the image, `{v}` is the slot, `{a v}` the slot with its article.
"""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

Category = Literal["relationship", "personality", "identity", "antecedent", "mood", "environment"]
CATEGORIES: tuple[Category, ...] = get_args(Category)

SAME_CATEGORY: dict[str, Category] = {
    **{name: name for name in CATEGORIES},
    "character": "personality",
    "surroundings": "environment",
    "emotion": "mood",
}
"""What the released files and the paper's text call the categories, and what its figure calls them."""


class Template(Struct, frozen=True):
    """A sentence with a slot, and which images it fits."""

    category: Category
    text: str
    words: str | None = None
    """The list that fills the slot; None where there is no slot."""
    least: int = 1
    """How many people must be in the image at least, so that everyone whom it speaks of is there."""
    most: int | None = None


def _templates(category: Category, *rows: tuple[str, str | None, int]) -> tuple[Template, ...]:
    return tuple(Template(category, text, words, least) for text, words, least in rows)


TEMPLATES: tuple[Template, ...] = (
    *_templates(
        "relationship",
        ("{p} and {q} are {v}.", "pairs", 2),
        ("{p} is {q}'s {v}.", "partners", 2),
        ("{p} is talking with their {v}.", "partners", 1),
        ("Because of what happened before, they have {a v} relationship now.", "bonds", 2),
        ("The relationship between {p} and {q} is very {v}.", "bonds", 2),
    ),
    Template("relationship", "They are {v}.", "pairs", 2, 2),
    Template("relationship", "The two speakers are {v}.", "pairs", 2, 2),
    *_templates(
        "personality",
        ("{p} is {v}.", "traits", 1),
        ("{p} has {a v} temper.", "tempers", 1),
        ("Both {p} and {q} are {v}.", "traits", 2),
        ("{p}'s personality is very {v}.", "traits", 1),
        ("{p} is thought to be {a v} person.", "traits", 1),
        ("{p} gives people {a v} feeling.", "impressions", 1),
        ("They all know that {p} is {a v} person.", "traits", 3),
        ("{p} is considered to be {a v} person.", "traits", 1),
        ("{p} is quite {v} about most things.", "traits", 1),
    ),
    *_templates(
        "identity",
        ("{p} is {a v}.", "identities", 1),
        ("{p}'s job is that of {a v}.", "jobs", 1),
        ("The occupation of {p} is that of {a v}.", "jobs", 1),
        ("{p} works in {a v}.", "workplaces", 1),
        ("{p} works for {a v}.", "employers", 1),
        ("The line of work that {p} is in is {v}.", "fields", 1),
    ),
    *_templates(
        "antecedent",
        ("There was {a v}.", "incidents", 1),
        ("{A v} happened.", "incidents", 1),
        ("{p} and {q} had a fight.", None, 2),
        ("{p} had no idea who {q} was supposed to be.", None, 2),
        ("{p} and {q} were very familiar with each other.", None, 2),
        ("{p} broke things by accident.", None, 1),
        ("Something unfortunate had just happened.", None, 1),
        ("Something fortunate had just happened.", None, 1),
        ("{p} just lost their {v}.", "losses", 1),
        ("{p} just got a new {v}.", "gains", 1),
    ),
    *_templates(
        "mood",
        ("{p} is {v}.", "moods", 1),
        ("{p} feels {v}.", "moods", 1),
        ("To {p}, nothing could be more {v}.", "experiences", 1),
        ("Having a conversation with {q}, {p} is very {v}.", "moods", 2),
        ("{p} has {a v} time with {q}.", "times", 2),
        ("Because of {q}'s behavior, {p} feels very {v}.", "moods", 2),
        ("{p} is so {v} to talk with {q}.", "urges", 2),
        ("People have {v} looks on their faces.", "looks", 2),
        ("{p} looks {v} today.", "moods", 1),
        ("Recently, {p} is becoming more and more {v}.", "moods", 1),
        ("This scene makes them very {v}.", "moods", 2),
        ("{p} makes {q} {v}.", "moods", 2),
        ("{p} is feeling a bit {v}.", "moods", 1),
        ("{p} is in {a v} mood today.", "tones", 1),
        ("{p} is filled with {v}.", "feelings", 1),
    ),
    *_templates(
        "environment",
        ("It is {v}.", "weathers", 1),
        ("The atmosphere is {v}.", "atmospheres", 1),
        ("There is {v} in the air.", "airs", 1),
        ("This is telling {a v} story.", "atmospheres", 1),
        ("The scene is {v}.", "atmospheres", 1),
    ),
)
