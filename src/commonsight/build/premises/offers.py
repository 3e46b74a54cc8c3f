"""Six premises about an image, one of each category, by chance and by seed."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from commonsight.build.premises.pictures import Picture
from commonsight.build.premises.templates import CATEGORIES, TEMPLATES, Category, Template
from commonsight.build.premises.words import WORDS
from commonsight.core.inflect import an
from commonsight.core.text import TaggedText, Token

_PIECE = re.compile(r"\{([pq])\}|[^\W_]+(?:-[^\W_]+)*|[^\w\s]")


class Offer(Struct, frozen=True, rename={"image": "img_fn"}, omit_defaults=True):
    """A premise as a line of the output, in the words of PMR's own files where it has them."""

    id: str
    image: str
    objects: tuple[str, ...]
    premise: list[str | list[int]]
    """Tokens; a list of positions stands for the objects that are meant."""
    text: str
    """The same in bracket notation."""
    category: Category
    template: str
    word: str | None = None
    metadata_fn: str | None = None


def offers(
    picture: Picture,
    seed: int,
    *,
    templates: Sequence[Template] = TEMPLATES,
    words: Mapping[str, Sequence[str]] = WORDS,
) -> list[Offer]:
    """One premise of each category that fits the image; none where nobody is in it.

    The choice depends on the seed and the image's name alone, not on what else is read.
    """
    rng = random.Random(f"{seed}\0{picture.image}")
    made = []
    for category in CATEGORIES if picture.people else ():
        fitting = [entry for entry in templates if entry.category == category and _fits(entry, picture)]
        if fitting:
            made.append(_offer(picture, rng.choice(fitting), words, rng))
    return made


def _fits(template: Template, picture: Picture) -> bool:
    count = len(picture.people)
    return template.least <= count and (template.most is None or count <= template.most)


def _offer(
    picture: Picture, template: Template, words: Mapping[str, Sequence[str]], rng: random.Random
) -> Offer:
    named = rng.sample(picture.people, min(2, len(picture.people)))
    word = None if template.words is None else rng.choice(words[template.words])
    text = tokens(filled(template, word), dict(zip("pq", named, strict=False)))
    return Offer(
        f"{picture.image}#{template.category}",
        picture.image,
        picture.objects,
        text.native(),
        text.bracketed(picture.objects),
        template.category,
        template.text,
        word,
        picture.metadata,
    )


def filled(template: Template, word: str | None) -> str:
    """The template's text with its slot filled; the people's marks stay."""
    if word is None:
        return template.text
    counted = f"{an(word)} {word}"
    text = template.text.replace("{a v}", counted).replace("{v}", word)
    return text.replace("{A v}", counted[0].upper() + counted[1:])


def tokens(text: str, people: Mapping[str, int]) -> TaggedText:
    """A filled template as tokens: marks become tags, words with hyphens stay whole."""
    made: list[Token] = []
    for piece in _PIECE.finditer(text):
        mark = piece.group(1)
        made.append(piece.group() if mark is None else (people[mark],))
    return TaggedText(tuple(made))
