"""What a reader has found at some place of a sentence, and how unlikely it is."""

from __future__ import annotations

from typing import NamedTuple

from commonsight.build.questions.form import Clause, Having, Referent

STACKED, JOINED_INSIDE, CONTACT = 1.0, 0.3, 0.5
"""What it costs: a clause past a nearer noun, "and" within a clause, no "that" before a clause."""
UNLIKE, REDUCED = 0.4, 0.3
"""Clauses joined that begin unlike each other (that … and which …); knowledge without "that is"."""
SECOND, REWORDED = 0.2, 0.2
"""A noun's second sense; a phrase in another form than the knowledge graph has it."""
SEEN = 0.1
"""A thing of the picture in a phrase of knowledge, rather than the phrase's own words."""


class Noun(NamedTuple):
    """A description, and where it ends."""

    referent: Referent
    end: int
    cost: float
    told: int = 0
    """How many clauses follow its noun, and how many of them after "and"."""
    joined: int = 0
    begun: str = ""
    """The word that the first of them begins with."""

    @property
    def inside(self) -> float:
        """What it costs within a clause."""
        return self.cost + JOINED_INSIDE * self.joined


class Part(NamedTuple):
    """Something said, where it ends, and, if it was said with its object in place, that object."""

    says: Clause
    end: int
    cost: float
    filler: Referent | None = None


def with_clause(noun: Noun, part: Part, cost: float, *, begun: str = "", joined: int = 0) -> Noun:
    """A description with one more thing said after its noun."""
    referent, says = noun.referent, part.says
    attributes, clauses = referent.attributes, referent.clauses
    if isinstance(says, Having):
        attributes = (*attributes, says.attribute)
    else:
        clauses = (*clauses, says)
    return Noun(
        Referent(referent.name, referent.is_category, attributes, clauses),
        part.end,
        noun.cost + part.cost + cost,
        noun.told + 1,
        noun.joined + joined,
        noun.begun or begun,
    )
