"""What the pages of workers are drawn with: pay in words, what became of work, what is told where."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fastapi import Request

from commonsight.collect import mine
from commonsight.collect.comments import Remark
from commonsight.collect.earning import most_earned
from commonsight.collect.money import money
from commonsight.collect.protocol import Payload, Stage
from commonsight.errors import Complaint
from commonsight.web.collect.access import Me, desk_of
from commonsight.web.collect.forms_view import FieldView, field_views, id_of, labelled, pointed_at
from commonsight.web.collect.posted_form import Posted
from commonsight.web.collect.showing import protocol_of
from commonsight.web.collect.shows_view import show_views

BESIDE = 4
"""Pictures that fit beside a form."""


class After(NamedTuple):
    """What is said about the work before this one."""

    assignment_id: int
    said: str
    mood: str
    may_undo: bool


class CommentView(NamedTuple):
    """A comment, and who said it: oneself, or someone by their role."""

    by: str
    text: str


class Place(NamedTuple):
    """A field of the page, and what is told there."""

    path: str
    complaints: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def id(self) -> str:
        """What it is called there."""
        return id_of(self.path)

    def is_on(self, names: Container[str]) -> bool:
        """Whether a page that sent these names has it: an entry of a list may have been removed."""
        parts = self.path.split(".")
        entries = (".".join(parts[: n + 1]) for n, part in enumerate(parts) if part.isdigit())
        return all(entry in names for entry in entries)


class Told(NamedTuple):
    """A complaint in the list above the form, and where it leads."""

    id: str
    label: str
    message: str


def pay_text(stage: Stage, currency: str) -> str:
    """What the work earns: `$0.10`, `$0.22 each, up to $0.66`, `$0.15 if it is kept`."""
    if not stage.pay.amount and not stage.pay.reward:
        return ""
    text = money(stage.pay.amount, currency)
    if stage.pay.each and most_earned(stage) > stage.pay.amount:
        text += f" each, up to {money(most_earned(stage), currency)}"
    if stage.pay.reward:
        text += f", and up to {money(stage.pay.reward, currency)} more"
    return f"{text} if it is kept" if stage.pay.only_if_kept or stage.pay.reward else text


def after_view(request: Request, me: Me, assignment_id: int) -> After | None:
    """What became of the work that was just handed in."""
    found = mine.handed_in(desk_of(request), assignment_id, me.who.user_id) if assignment_id else None
    if found is None:
        return None
    said, mood = "Handed in.", "good"
    currency = protocol_of(request, me).currency
    if found.earned > 0:
        said += f" You earned {money(found.earned, currency)}."
    if found.may_earn > 0:
        more = " more" if found.earned > 0 else ""
        said += f" It earns {money(found.may_earn, currency)}{more} if it is kept."
    if found.gold is not None:
        said += " The answer to that one was known, and yours was "
        said += "right." if found.gold else "another."
        mood = "good" if found.gold else "warn"
    return After(assignment_id, said, mood, found.may_undo)


def comment_views(said: Iterable[Remark], user_id: int) -> list[CommentView]:
    """Comments as a worker sees them."""
    return [CommentView("You" if each.user_id == user_id else f"A {each.role}", each.text) for each in said]


def work_values(
    stage: Stage, payload: Payload, answers: Mapping[str, Any], complaints: Sequence[Complaint]
) -> dict[str, Any]:
    """What a stage shows and asks, and what is wrong with the answers."""
    fields = field_views(stage.form, payload, answers, complaints)
    return {
        "stage": stage,
        "shows": show_views(stage.shows, payload),
        "wide": is_wide(stage, payload),
        "fields": fields,
        "pointed": pointed_at(fields),
        "complaints": told_above(fields, complaints),
    }


def is_wide(stage: Stage, payload: Payload) -> bool:
    """Whether what is shown needs the whole width, and the form stands below it."""
    return any(
        show.kind == "pairs" or (show.kind == "pictures" and len(payload.get(show.name) or ()) > BESIDE)
        for show in stage.shows
    )


def told_above(fields: Iterable[FieldView], complaints: Iterable[Complaint]) -> list[Told]:
    """The complaints as a list above the form, each leading to its field."""
    known = dict(labelled(fields))
    told = []
    for each in complaints:
        path = _nearest(each.field, known)
        told.append(Told(id_of(path) if path else "", known.get(path, ""), each.message))
    return told


def _nearest(path: str, known: Mapping[str, str]) -> str:
    """The nearest field of the page: what is said of a part that is not drawn is told at the whole."""
    while path and path not in known:
        path = path.rpartition(".")[0]
    return path


def spoken(
    fields: Iterable[FieldView], read: Posted, told: Iterable[Complaint], warned: Iterable[Any]
) -> list[Place]:
    """For each field on the page, what is told there now; those that were fine again are told nothing."""
    complaints: dict[str, list[str]] = {}
    warnings: dict[str, list[str]] = {}
    for each in told:
        complaints.setdefault(each.field, []).append(each.message)
    for each in warned:
        warnings.setdefault(each.field, []).append(each.message)
    return [
        Place(read.place(path), tuple(complaints.get(path, ())), tuple(warnings.get(path, ())))
        for path, _ in labelled(fields)
    ]
