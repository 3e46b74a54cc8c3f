"""A made question as an item."""

from __future__ import annotations

from typing import Any

from commonsight.build.questions.generate import Made
from commonsight.core.answer import Grounded
from commonsight.core.item import Item
from commonsight.core.text import TaggedText


def to_item(made: Made, id_: str, split: str, image: str, provenance: dict[str, Any]) -> Item:
    """The item of a question, with the parts of both graphs that it was made from."""
    extra: dict[str, Any] = {"sub_graph": made.subgraph}
    if made.question.wrong is not None:
        wrong = made.question.wrong
        extra["wrong_part"] = {"part": wrong.part, "said": wrong.said, "true": list(wrong.true)}
    return Item(
        id_,
        split,
        (made.scene,),
        {"question": TaggedText.plain(made.text)},
        gold=Grounded(made.answer, made.target[0] if made.target else None),
        target=made.target,
        program=made.program,
        groups={"image": image, "question_type": made.question.type},
        provenance=provenance,
        extra=extra,
    )
