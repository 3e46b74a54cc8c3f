"""What a question means, before it has words and before it has steps."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from commonsight.graph.knowledge import Query
from commonsight.graph.programs import ANY

QuestionType = Literal["QueryObjKG", "QueryObjSG", "QueryAtt", "VerifyKG", "VerifyAtt"]
"""The five types of CRIC (Figure 7 (a))."""


class Having(Struct, frozen=True, tag=True, gc=False):
    """Is red."""

    attribute: str


class Related(Struct, frozen=True, tag=True, gc=False):
    """Is on the plate; or, if the described object is not the relation's subject: the man is holding it."""

    predicate: str
    other: Referent
    is_subject: bool = True


class Known(Struct, frozen=True, tag=True, gc=False):
    """Can be used for cutting food: it fills the query's BLANK. `seen` is what VISION stands for."""

    query: Query
    seen: Referent | None = None


Clause = Having | Related | Known


class Referent(Struct, frozen=True, gc=False):
    """A description of objects: the small red utensil that is on the plate."""

    name: str = ANY
    is_category: bool = False
    """Whether the name is a category (utensil), not an object's own name (fork)."""
    attributes: tuple[str, ...] = ()
    clauses: tuple[Related | Known, ...] = ()


class Wrong(Struct, frozen=True, gc=False):
    """The part of a question that does not hold: what it says, and what would be right."""

    part: Literal["attribute", "knowledge"]
    said: str
    true: tuple[str, ...] = ()
    """The attribute that holds instead; or the things of which the knowledge does hold."""


class Question(Struct, frozen=True, gc=False):
    """What is asked.

    QueryObjKG    subject "vehicle", says Known(carry cargo), asks "vehicle": What vehicle can carry cargo?
    QueryObjSG    subject "object", says Related(next to …), asks "object": What is next to the …?
    QueryAtt      subject with all it needs, says nothing, asks "color": What color is the …?
    VerifyKG      says Known; asks nothing: Is there a vehicle that can carry cargo? Can the vehicle …?
    VerifyAtt     says Having: Is the … red? Is there a red … that …?
    """

    type: QuestionType
    subject: Referent
    says: Clause | None = None
    """What the sentence says of its subject, beside what the subject's own description says."""
    asks: str | None = None
    """What is to be recognised; None for yes or no."""
    exists: bool = False
    """Whether it is asked if there is such a thing at all, rather than whether it holds of the one meant."""
    wrong: Wrong | None = None
