"""One item: its pictures, its steps, what runs said of it and what they looked at."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from commonsight.core.item import Item
from commonsight.runs.exploring.book import Book, RunSays
from commonsight.runs.labels import asked
from commonsight.web.explore.attention_views import LookedView, looked_view
from commonsight.web.explore.grid_pages import known_part
from commonsight.web.explore.item_views import item_view, scene_view
from commonsight.web.explore.shelf import book_of
from commonsight.web.explore.views import query_of
from commonsight.web.site import render

router = APIRouter()


@router.get("/{book}/items/{item:path}/boxes")
def boxes(request: Request, book: str, item: str) -> Response:
    """The boxes of an item's pictures alone, for the grid to draw over thumbnails."""
    found = _item(book_of(request, book), item)
    views = [scene_view(scene, str(place)) for place, scene in enumerate(found.scenes)]
    return render(request, "explore/boxes.html", views=views)


@router.get("/{book}/items/{item:path}/prompt")
def prompt(request: Request, book: str, item: str, run: str, task: str) -> Response:
    """What a run asked, word for word. Where htmx asks, without the page around it."""
    opened = book_of(request, book)
    found = _item(opened, item)
    if run not in opened.prompts:
        raise HTTPException(404, "This run does not tell what it asked.")
    turns = opened.prompts[run].of(found).get(task)
    if turns is None:
        raise HTTPException(404, "The run was not asked to put this item so.")
    name = "explore/turns.html" if "hx-request" in request.headers else "explore/prompt.html"
    return render(request, name, key=book, book=opened, item=item, run=run, turns=turns)


@router.get("/{book}/items/{item:path}")
def page(request: Request, book: str, item: str) -> Response:
    """All of an item. `hide=1` keeps what is right to itself, for those who want to try."""
    opened = book_of(request, book)
    found = _item(opened, item)
    said = opened.said(item)
    query = known_part(opened, query_of(request.query_params.multi_items()))
    before, after = opened.beside(query, item)
    return render(
        request,
        "explore/item.html",
        key=book,
        book=opened,
        query=query,
        view=item_view(opened, found, said),
        said=said,
        looked=_looked(opened, found, said),
        before=before,
        after=after,
        hidden=opened.hidden or request.query_params.get("hide") == "1",
        reported=request.query_params.get("reported") == "1",
    )


def _looked(book: Book, item: Item, said: Sequence[RunSays]) -> list[LookedView]:
    asks = {task.name: asked(task, item) for task in book.benchmark.tasks}
    return [looked_view(run.name, each, item, asks.get(each.task)) for run in said for each in run.looked]


def _item(book: Book, item: str) -> Item:
    found = book.item(item)
    if found is None:
        raise HTTPException(404, "There is no item of this id here.")
    return found
