"""A made question as an item."""

from __future__ import annotations

from typing import Any, NamedTuple

from commonsight.build.questions.generate import Made
from commonsight.core.answer import Grounded
from commonsight.core.item import Item
from commonsight.core.text import TaggedText


class Picture(NamedTuple):
    """What all questions about a picture share."""

    number: str
    split: str
    provenance: dict[str, Any]
    extra: dict[str, Any]


def to_item(made: Made, id_: str, about: Picture) -> Item:
    """The item of a question, with the parts of both graphs that it was made from; without its scene."""
    extra: dict[str, Any] = {"sub_graph": made.subgraph, **about.extra}
    if made.question.wrong is not None:
        wrong = made.question.wrong
        extra["wrong_part"] = {"part": wrong.part, "said": wrong.said, "true": wrong.true}
    return Item(
        id_,
        about.split,
        (),
        {"question": TaggedText.plain(made.text)},
        gold=Grounded(made.answer, made.target[0] if made.target else None),
        target=made.target,
        program=made.program,
        groups={"image": about.number, "question_type": made.question.type},
        provenance=about.provenance,
        extra=extra,
    )
