"""Questions about what is known of a seen thing: by the knowledge graph, and by the table of behaviours."""

from __future__ import annotations

from collections.abc import Iterator

from commonsight.world.aokvqa.physics import BEHAVIOURS
from commonsight.world.aokvqa.topic import Ground, Right, Subject, Topic, ample, entity
from commonsight.world.aokvqa.view import View, category
from commonsight.world.things import THINGS


def things(view: View) -> Iterator[Subject]:
    """Every thing in sight."""
    return ((thing,) for thing in view.things)


def triple_tails(view: View, relation: str, head: str) -> list[str]:
    """What the graph says of a thing, or of the kinds that it belongs to."""
    kinds = [
        head,
        *view.known.tails.get(("IsA", head), ()),
        *view.known.tails.get(("IsA-Taxonomy", head), ()),
    ]
    kinds.append(category(head))
    return [tail for kind in dict.fromkeys(kinds) for tail in view.known.tails.get((relation, kind), ())]


def known_of(name: str, relation: str, **rest: float) -> Topic:
    """What one relation of the knowledge graph says of a seen thing."""

    def right(view: View, subject: Subject) -> Right:
        head = view.names.get(entity(subject), "")
        return {
            tail: Ground((("is", subject[0], head),), ("triple", relation, head, tail))
            for tail in view.known.tails.get((relation, head), ())
        }

    def wrong(view: View, subject: Subject) -> list[str]:
        head = view.names[entity(subject)]
        return [
            tail for tail in view.known.all_tails.get(relation, ()) if _surely_not(view, relation, head, tail)
        ]

    # Wrong answers are about other categories of things, so a category would give the answer away.
    return Topic(name, "knowledge base", things, right, wrong, ("name", "clue", "category"), **rest)


def _surely_not(view: View, relation: str, head: str, tail: str) -> bool:
    """Whether a tail is far from everything true of the head: another kind of thing, and other words."""
    true = [tail for kind in RELATIONS for tail in triple_tails(view, kind, head)]
    words = {_stem(word) for phrase in (*true, head, category(head)) for word in phrase.split()}
    if {_stem(word) for word in tail.split()} & (words - _SMALL):
        return False
    heads = view.known.heads.get((relation, tail), ())
    if relation == "AtLocation" and ("place", tail) in view.facts:
        return False
    if not any(other in THINGS for other in heads):  # of places or activities only
        return False
    return not any(category(other) == category(head) or other in words for other in heads)


RELATIONS = (
    "IsA", "IsA-Taxonomy", "UsedFor", "CapableOf", "HasProperty", "HasA", "ReceivesAction", "MadeFrom",
    "AtLocation",
)  # fmt: skip
_SMALL = {"a", "an", "the", "for", "to", "of", "in", "on", "by", "with"}


def _stem(word: str) -> str:
    for ending in ("ing", "en", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending)
    return word


# --- what things would do ---------------------------------------------------------------------------------


def _behaves(view: View) -> Iterator[Subject]:
    return ((kind,) for kind, row in BEHAVIOURS.items() if view.present & set(row.yes))


def _would(view: View, subject: Subject) -> Right:
    kind = str(subject[0])
    return {
        view.names[thing]: Ground((("is", thing, view.names[thing]),), ("table", "behaviour", kind))
        for thing in view.things
        if view.names[thing] in BEHAVIOURS[kind].yes
    }


def _would_not(view: View, subject: Subject) -> list[str]:
    """Things in sight that do not, and things that do and are not there: only looking tells them apart."""
    row = BEHAVIOURS[str(subject[0])]
    inert = [name for name in row.no if name in view.present]
    absent = [name for name in row.yes if name not in view.present]
    return ample((*inert, *absent), row.no, tuple(_would(view, subject)))


BEHAVIOUR = Topic("behaviour", "physical", _behaves, _would, _would_not, (), 0.4)
