"""The earlier texts of a field that are most like what is being written, for a writer to look beyond them.

What was handed in is read as it comes, encoded once and kept as rows of one matrix for each field, so that a
question of a hundred thousand is one product of a matrix with a vector. A field that is asked about for the
first time late in a campaign is read in the background; until that is done, what is there is looked through.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from threading import Lock, Thread
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import select

from commonsight.collect.desk import SECOND, Desk
from commonsight.collect.protocol import Answers, Payload
from commonsight.collect.tables import Assignment, Task
from commonsight.text.encoders import Encoder, Vectors, default_encoder

FRESH = SECOND
"""How old the last look for new texts may be: someone who types asks many times a second."""
SLACK = 10 * SECOND
"""Hand-ins may be saved in another order than they were made in, by about the time that one takes."""
AT_ONCE = 500
"""New texts that are read while someone waits; more than these are read in the background."""
MANY = 20
"""A text that so many wrote has hardly been taken back by all of them."""
SPARE = 8
"""Hits beyond those asked for: some may have been taken back since they were read."""


class Near(NamedTuple):
    """An earlier text, and the cosine of its vector with that of the given one."""

    text: str
    cosine: float


class Similar:
    """The nearest earlier texts of any field of any campaign; one for all threads of a server."""

    def __init__(self, desk: Desk, encoder: Encoder | None = None) -> None:
        self._desk, self._given_encoder = desk, encoder
        self._shelves: dict[tuple[int, str, tuple[str, ...], str], Shelf] = {}
        self._lock = Lock()

    def nearest(
        self, campaign_id: int, stage: str, field: str, text: str, k: int, *, by: str = "",
        payload: Payload | None = None, task_id: int | None = None,
    ) -> list[str]:  # fmt: skip
        """Up to `k` earlier texts of a field (`question`, `triplets.0.question`), the most alike first.

        With `by` (`Field.similar_by`) only those of tasks that have the same there as this one: by its
        payload, or, since workers are not handed all of that, by its number.
        """
        if by and task_id is not None:
            with self._desk.database.read() as session:
                same = marked(session.scalar(select(Task.payload[by]).where(Task.id == task_id)))
        else:
            same = marked((payload or {}).get(by)) if by else ""
        return [near.text for near in self.near(campaign_id, stage, field, text, k, by, same)]

    def near(
        self, campaign_id: int, stage: str, field: str, text: str, k: int, by: str = "", same: str = ""
    ) -> list[Near]:
        """The same, with how alike they are; `same` is the payload's entry, as `marked` has it."""
        if not text.strip() or k < 1:
            return []
        shelf = self._shelf(campaign_id, stage, field, by)
        if shelf.due(self._desk.clock()) and shelf.read(AT_ONCE, wait=False) == AT_ONCE:
            Thread(target=shelf.read_all, name="earlier texts", daemon=True).start()
        return shelf.still_said(shelf.search(self._encoder.encode([text])[0], k + SPARE, same), same)[:k]

    def catch_up(self, campaign_id: int, stage: str, field: str, by: str = "") -> int:
        """Read all that is new, however much it is; how many texts are then known."""
        shelf = self._shelf(campaign_id, stage, field, by)
        shelf.read_all()
        return len(shelf.texts)

    @property
    def _encoder(self) -> Encoder:
        with self._lock:
            if self._given_encoder is None:
                self._given_encoder = default_encoder()
            return self._given_encoder

    def _shelf(self, campaign_id: int, stage: str, field: str, by: str) -> Shelf:
        key = (campaign_id, stage, path_of(field), by)
        encoder = self._encoder
        with self._lock:
            if key not in self._shelves:
                self._shelves[key] = Shelf(self._desk, encoder, *key)
            return self._shelves[key]


class _HandedIn(NamedTuple):
    assignment: int
    given_at: int
    answers: Any
    mark: str


class Shelf:
    """All texts of one field that were handed in so far, each once a mark, with their vectors.

    The mark is what the task's payload has under `by`; without `by` all texts have the same.
    """

    def __init__(
        self, desk: Desk, encoder: Encoder, campaign_id: int, stage: str, path: tuple[str, ...], by: str = ""
    ) -> None:
        self.texts: list[str] = []
        self._desk, self._encoder = desk, encoder
        self._campaign_id, self._stage, self._path, self._by = campaign_id, stage, path, by
        self._rows: Vectors = np.zeros((64, encoder.dimension), np.float32)  # (text or spare, dimension)
        self._places: dict[str, list[int]] = {}  # mark -> rows
        self._said_by: dict[tuple[str, str], dict[int, int]] = {}  # mark, text -> assignment -> given when
        self._recent: dict[int, int] = {}  # assignment -> when it was given, of those that may come again
        self._newest = 0
        self._looked_at = -FRESH
        self._looking, self._reading = Lock(), Lock()

    def due(self, now: int) -> bool:
        """Whether it is time to look for new texts; says so to one of those who ask."""
        with self._looking:
            if now - self._looked_at < FRESH:
                return False
            self._looked_at = now
            return True

    def read_all(self) -> None:
        """Read until nothing is new."""
        while self.read(10 * AT_ONCE) == 10 * AT_ONCE:
            continue

    def read(self, most: int, *, wait: bool = True) -> int:
        """Read up to so many hand-ins that were not seen yet; how many there were.

        Without `wait` nothing is read while another does it.
        """
        if not self._reading.acquire(blocking=wait):
            return 0
        try:
            new = self._new_ones(most)
            self.add(self._answers_of(new))
            self._newest = max([self._newest, *new.values()])
            recent = (self._recent | new).items()
            self._recent = {number: at for number, at in recent if at >= self._newest - SLACK}
            return len(new)
        finally:
            self._reading.release()

    def _new_ones(self, most: int) -> dict[int, int]:
        wanted = (
            select(Assignment.id, Assignment.given_at)
            .where(Assignment.campaign_id == self._campaign_id, Assignment.stage == self._stage)
            .where(Assignment.given_at >= self._newest - SLACK)
            .order_by(Assignment.given_at, Assignment.id)
            .limit(most + len(self._recent))
        )
        with self._desk.database.read() as session:
            found = {number: at for number, at in session.execute(wanted) if at is not None}
        new = [(number, at) for number, at in found.items() if self._recent.get(number) != at]
        return dict(new[:most])

    def _answers_of(self, new: Mapping[int, int]) -> list[_HandedIn]:
        wanted = select(Assignment.id, Assignment.given_at, Assignment.answers)
        if self._by:
            wanted = wanted.add_columns(Task.payload[self._by]).join(Task, Task.id == Assignment.task_id)
        numbers, found = list(new), []
        with self._desk.database.read() as session:
            for start in range(0, len(numbers), AT_ONCE):
                some = Assignment.id.in_(numbers[start : start + AT_ONCE])
                for number, given_at, answers, *rest in session.execute(
                    wanted.where(some, Assignment.state == "given")
                ):
                    mark = marked(rest[0]) if rest else ""
                    found.append(_HandedIn(number, given_at or 0, answers, mark))
        return sorted(found, key=lambda one: (one.given_at, one.assignment))

    def add(self, handed_in: Iterable[tuple[int, int, Any, str]]) -> None:
        """Put the texts of these answers on the shelf."""
        fresh: list[tuple[str, str]] = []
        for number, given_at, answers, mark in handed_in:
            for text in filter(str.strip, texts_at(answers or {}, self._path)):
                if (mark, text) not in self._said_by:
                    fresh.append((mark, text))
                self._said_by.setdefault((mark, text), {})[number] = given_at
        if not fresh:
            return
        begin = len(self.texts)
        self._grow(begin + len(fresh))
        self._rows[begin : begin + len(fresh)] = self._encoder.encode([text for _, text in fresh])
        self.texts.extend(text for _, text in fresh)
        for at, (mark, _) in enumerate(fresh, start=begin):  # last: rows that are searched are filled
            self._places.setdefault(mark, []).append(at)

    def _grow(self, size: int) -> None:
        if size > len(self._rows):
            grown = np.zeros((max(size, 2 * len(self._rows)), self._rows.shape[1]), np.float32)
            grown[: len(self.texts)] = self._rows[: len(self.texts)]
            self._rows = grown

    def search(self, vector: Vectors, most: int, mark: str = "") -> list[Near]:
        """The texts whose vectors are nearest, the nearest first; those alike in the order of hand-in."""
        if self._by:
            rows = np.array(self._places.get(mark, ()), np.int64)
            cosines = self._rows[rows] @ vector  # (text of this mark,)
        else:
            rows = np.arange(len(self._places.get(mark, ())))
            cosines = self._rows[: len(rows)] @ vector  # (text,)
        some = np.argpartition(-cosines, most)[:most] if most < len(rows) else np.arange(len(rows))
        order = some[np.lexsort((some, -cosines[some]))]
        return [Near(self.texts[rows[at]], float(cosines[at])) for at in order.tolist()]

    def still_said(self, hits: Sequence[Near], mark: str = "") -> list[Near]:
        """Those that someone's answers still hold: work can be taken back."""
        said_by = {hit.text: dict(self._said_by[mark, hit.text]) for hit in hits}
        asked = {number for one in said_by.values() if len(one) < MANY for number in one}
        wanted = select(Assignment.id, Assignment.given_at).where(Assignment.id.in_(asked))
        with self._desk.database.read() as session:
            given = set(session.execute(wanted.where(Assignment.state == "given")).tuples())
        return [
            hit
            for hit in hits
            if len(said_by[hit.text]) >= MANY or not given.isdisjoint(said_by[hit.text].items())
        ]


def marked(entry: Any) -> str:
    """An entry of a payload as one text, the same for the same content."""
    return json.dumps(entry, sort_keys=True, ensure_ascii=False)


def path_of(field: str) -> tuple[str, ...]:
    """A field's name without the places of a group's entries: `triplets.0.question` is of all triplets."""
    return tuple(part for part in field.split(".") if not part.isdigit())


def texts_at(answers: Answers | Any, path: Sequence[str]) -> Iterator[str]:
    """Every text that stands at a path in answers: in each entry of a group, each of several texts."""
    if isinstance(answers, list | tuple):
        for entry in answers:
            yield from texts_at(entry, path)
    elif isinstance(answers, str):
        if not path:
            yield answers
    elif isinstance(answers, dict) and path and path[0] in answers:
        yield from texts_at(answers[path[0]], path[1:])
