"""An item without what is right of it."""

from __future__ import annotations

from commonsight.core.item import Item


def without_gold(item: Item) -> Item:
    """The item as an answerer may see it.

    `extra` and `provenance` go as a whole: votes, sources of choices and original texts give answers away.
    """
    chosen_from = item.rationales if rationales_to_choose(item) else ()
    return Item(
        item.id, item.split, item.scenes, item.texts, item.choices, None, chosen_from, groups=item.groups
    )


def rationales_to_choose(item: Item) -> bool:
    """Whether the rationales are choices; of an item with a gold but no gold rationale, all are right."""
    return item.rationale_gold is not None or item.gold is None
