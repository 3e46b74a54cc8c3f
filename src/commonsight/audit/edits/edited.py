"""Small edits of the choices that keep what they say: a model that understands them keeps its answers.

The counter-test to shortcuts (see `counter_test`): edit, ask again, and see how far accuracy falls. Every
kind of edit is a function that changes a choice in one place, or gives None where it does not fit; it is not
told which choice is right. What was changed is written down with the item.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import structs

from commonsight.audit.edits.kinds import KINDS, OPPOSED, Asked, asked_of, full_stop
from commonsight.audit.edits.pieces import Pieces, apart, together
from commonsight.core.item import Item
from commonsight.core.text import TaggedText, Token

MOST = 2
"""Edits of one choice."""
RELUCTANT = 0.6
"""How often a filler is left for last: it fits almost everywhere and would crowd out the others."""

_NO_WORD = re.compile(r"[^\w\s\[\],]")


class Edit(NamedTuple):
    """What was done to one choice."""

    field: str
    """`choices` or `rationales`."""
    place: int
    kinds: tuple[str, ...]
    before: str
    after: str

    def as_dict(self) -> dict[str, Any]:
        """For the item's provenance."""
        return {**self._asdict(), "kinds": list(self.kinds)}


class Edited(NamedTuple):
    """An item whose choices say the same in other words, and what was done to them."""

    item: Item
    edits: tuple[Edit, ...]


def edited(item: Item, rng: random.Random) -> Edited:
    """The item with every choice edited where an edit fits; no two choices become alike."""
    asked = asked_of(item)
    choices = _all(item.choices, "choices", asked, rng, item.labels)
    offered = item.rationales if item.rationale_gold is not None else ()
    rationales = _all(offered, "rationales", asked, rng, item.labels)
    changes: dict[str, Any] = {"choices": choices.texts}
    if offered:
        changes["rationales"] = rationales.texts
    edits = (*choices.edits, *rationales.edits)
    provenance = {**item.provenance, "edits": [edit.as_dict() for edit in edits]}
    return Edited(structs.replace(item, **changes, provenance=provenance), edits)


def edited_items(items: Iterable[Item], seed: int) -> Iterator[Item]:
    """Every item edited, one at a time; what happens to one does not hang on the others or on their order."""
    for item in items:
        changed = edited(item, random.Random(f"{seed}:edit:{item.id}")).item
        yield structs.replace(changed, provenance={**changed.provenance, "edit_seed": seed})


class _Texts(NamedTuple):
    texts: tuple[TaggedText, ...]
    edits: tuple[Edit, ...]


def _all(
    texts: Sequence[TaggedText], field: str, asked: Asked, rng: random.Random, labels: Sequence[str]
) -> _Texts:
    found = list(texts)
    edits: list[Edit] = []
    for place, text in enumerate(texts):
        others = {key(other) for at, other in enumerate(found) if at != place}
        others.update(key(other) for at, other in enumerate(texts) if at != place)
        changed, kinds = _edited_text(text, asked, rng)
        if not kinds or changed == text or key(changed) in others:
            continue
        found[place] = changed
        edits.append(Edit(field, place, kinds, _written(text, labels), _written(changed, labels)))
    return _Texts(tuple(found), tuple(edits))


def _edited_text(text: TaggedText, asked: Asked, rng: random.Random) -> tuple[TaggedText, tuple[str, ...]]:
    """One or two edits in an order of their own; the full stop only where nothing else fits."""
    pieces = apart(text)
    if pieces is None or not pieces.tokens:
        return text, ()
    wanted = rng.randint(1, MOST)
    order = rng.sample(list(KINDS), len(KINDS))
    if rng.random() < RELUCTANT:
        order = [kind for kind in order if kind != "filler"] + ["filler"]
    done: list[str] = []
    tokens = pieces.tokens
    for kind in order:
        if len(done) == wanted:
            break
        changed = None if OPPOSED.get(kind) in done else KINDS[kind](tokens, asked, rng)
        if changed is not None and changed != tokens:
            tokens = changed
            done.append(kind)
    if not done:
        tokens, done = full_stop(tokens), ["full stop"]
    return together(Pieces(tokens, pieces.cut)), tuple(done)


def key(text: TaggedText) -> tuple[Token, ...]:
    """What two choices must differ in: words in lower case and tags, without marks."""
    found: list[Token] = []
    for token in text.tokens:
        if isinstance(token, str):
            found.extend(_NO_WORD.sub(" ", token.lower()).split())
        else:
            found.append(tuple(sorted(token)))
    return tuple(found)


def _written(text: TaggedText, labels: Sequence[str]) -> str:
    return text.render(lambda index: f"[{labels[index] if index < len(labels) else 'object'}{index + 1}]")


