"""A view of a dataset as an address, and back: whatever a person sees can be sent to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import quote, urlencode

from commonsight.runs.exploring.query import ORDERS, Query

FILTER, RUN = "f.", "r."
"""Before the name of a filter or of a run in an address: `f.split=val`, `r.r2c=wrong`."""
MOST_PAGES = 1_000_000

Pairs = Iterable[tuple[str, str]]


def query_of(pairs: Pairs) -> Query:
    """The view that an address asks for; what it cannot mean is left out, so that old links still open."""
    labels: dict[str, list[str]] = {}
    single: dict[str, str] = {}
    runs: dict[str, str] = {}
    for name, value in pairs:
        if name.startswith(FILTER) and len(name) > len(FILTER):
            labels.setdefault(name[len(FILTER) :], []).append(value)
        elif name.startswith(RUN):
            runs[name[len(RUN) :]] = value
        else:
            single[name] = value
    order = single.get("order", "")
    return Query(
        words=single.get("q", ""),
        labels={name: tuple(dict.fromkeys(several)) for name, several in labels.items()},
        right=tuple(run for run, state in runs.items() if state == "right"),
        wrong=tuple(run for run, state in runs.items() if state == "wrong"),
        differ=single.get("differ") == "1",
        order=order if order in ORDERS else ORDERS[0],
        page=_page(single.get("page", "")),
    )


def _page(told: str) -> int:
    """Counted from 1 in addresses, as people count."""
    return min(int(told), MOST_PAGES) - 1 if told.isascii() and told.isdecimal() and int(told) else 0


def pairs_of(query: Query) -> list[tuple[str, str]]:
    """The address's part after the question mark, in one fixed order; what is as usual is left out."""
    found = [("q", query.words)] if query.words else []
    for name in sorted(query.labels):
        found += [(FILTER + name, label) for label in query.labels[name]]
    found += [(RUN + run, "right") for run in query.right]
    found += [(RUN + run, "wrong") for run in query.wrong]
    found += [("differ", "1")] if query.differ else []
    found += [("order", query.order)] if query.order != ORDERS[0] else []
    found += [("page", str(query.page + 1))] if query.page else []
    return found


def address(path: str, query: Query | None = None, **more: str) -> str:
    """A path with a view behind it."""
    pairs = [*(pairs_of(query) if query is not None else ()), *more.items()]
    return f"{path}?{urlencode(pairs)}" if pairs else path


def item_path(book: str, item: str) -> str:
    """Where an item's page is; ids may hold anything."""
    return f"/{book}/items/{quote(item, safe='')}"


def toggled(query: Query, name: str, label: str) -> Query:
    """The view with one label more, or one less."""
    chosen = list(query.labels.get(name, ()))
    chosen = [one for one in chosen if one != label] if label in chosen else [*chosen, label]
    labels: Mapping[str, tuple[str, ...]] = query.labels | {name: tuple(chosen)}
    kept = {one: several for one, several in labels.items() if several}
    return Query(query.words, kept, query.right, query.wrong, query.differ, query.order)
