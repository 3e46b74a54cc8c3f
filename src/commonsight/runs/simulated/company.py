"""A whole company at work in one campaign, over HTTP, and what it got done."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx

from commonsight.collect.protocol import Protocol
from commonsight.runs.simulated.client import Client, Tally
from commonsight.runs.simulated.minds import Memory, Mind
from commonsight.runs.simulated.people import Books, Owner, Person, Reviewer, work_on
from commonsight.runs.simulated.sights import DrawnWorld
from commonsight.runs.simulated.ways import answer_of, memory_of
from commonsight.world.voices import voices

AT_THE_DOOR = 4
"""People who sign up at once: passwords are slow by design."""
ROUNDS = 6
"""Rounds that the owner closes at most."""
LOOKS = 0.1
"""Seconds between two looks at whether everyone has nothing to do."""


@dataclass(frozen=True)
class Wish:
    """What is to be simulated."""

    url: str
    campaign_id: int
    protocol: Protocol
    """As the campaign has it, with what it changed."""
    workers: int = 20
    reviewers: int = 2
    seconds: float | None = None
    """When all go home; without it, when there is nothing left to do."""
    most: int | None = None
    """Submissions after which all go home."""
    error_rate: float = 0.05
    seed: int = 0
    transport: httpx.AsyncBaseTransport | None = None
    """Another way to the app than over the network, such as straight to it in this process."""


@dataclass(frozen=True)
class Pace:
    """How long something took, in milliseconds."""

    times: int
    p50: float
    p95: float
    p99: float


@dataclass(frozen=True)
class Result:
    """What the company got done."""

    seconds: float
    submissions: int
    per_second: float
    by_stage: dict[str, int]
    paces: dict[str, Pace]
    """By what was asked for."""
    exams: dict[str, int]
    went_home: dict[str, int]
    warnings: dict[str, int]
    looked: int
    refused: dict[str, int]
    complaints: dict[str, int]
    faults: dict[str, str]
    waited: int
    status: dict[str, Any] | None
    agreement: list[dict[str, Any]] | None


def simulate(wish: Wish, world: DrawnWorld, invite: Callable[[str], str]) -> Result:
    """Let a company work; `invite` makes an invitation for a role."""
    return asyncio.run(_simulate(wish, world, invite, memory_of(wish.protocol.name, world)))


async def _simulate(
    wish: Wish, world: DrawnWorld, invite: Callable[[str], str], memory: Memory
) -> Result:
    tally, books = Tally(), Books(most=wish.most)
    limits = httpx.Limits(max_connections=wish.workers + wish.reviewers + 2)
    way: dict[str, Any] = {"timeout": 60, "limits": limits, "trust_env": False, "transport": wish.transport}
    async with httpx.AsyncClient(base_url=wish.url, **way) as http:
        people, owner = _gathered(wish, world, http, tally, books, memory)
        await _let_in([*people, owner], wish, invite)
        began = time.perf_counter()
        await _at_work(people, owner, wish)
        seconds = time.perf_counter() - began
        status, agreement = await owner.told("status"), await owner.told("agreement")
    books.head.shutdown()
    return _result(seconds, tally, books, status, agreement)


def _gathered(
    wish: Wish, world: DrawnWorld, http: httpx.AsyncClient, tally: Tally, books: Books, memory: Memory
) -> tuple[list[Person], Owner]:
    count = wish.workers + wish.reviewers
    answer, crew = answer_of(wish.protocol.name), voices(wish.seed, count)
    people = []
    for number, voice in enumerate(crew):
        name = f"drawn-{wish.seed}-{number}"
        mind = Mind(voice, world, random.Random(f"{wish.seed}:{name}"), wish.error_rate, memory)
        kind = Person if number < wish.workers else Reviewer
        client = Client(http, tally)
        people.append(kind(client, wish.campaign_id, wish.protocol, answer, mind, books, name))
    return people, Owner(Client(http, tally), wish.campaign_id, wish.protocol, books)


async def _let_in(people: Sequence[Person | Owner], wish: Wish, invite: Callable[[str], str]) -> None:
    door = asyncio.Semaphore(AT_THE_DOOR)

    async def come(person: Person | Owner) -> None:
        role = {Owner: "owner", Reviewer: "reviewer"}.get(type(person), "worker")
        name = person.name if isinstance(person, Person) else f"drawn-{wish.seed}-owner"
        async with door:
            await person.client.sign_up(name, f"password of {name}", invite(role))

    await asyncio.gather(*map(come, people))


async def _at_work(people: Sequence[Person], owner: Owner, wish: Wish) -> None:
    over = asyncio.Event()
    at_work = asyncio.gather(*(work_on(person, over) for person in people))
    watching = asyncio.create_task(_watch(people, owner, wish, over))
    try:
        await at_work
    finally:
        over.set()
        at_work.cancel()
        await watching


async def _watch(people: Sequence[Person], owner: Owner, wish: Wish, over: asyncio.Event) -> None:
    """End the day when its time is up, or when nobody has found anything since the last thing was done."""
    ends = math.inf if wish.seconds is None else time.monotonic() + wish.seconds
    while not over.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(over.wait(), timeout=min(LOOKS, max(0.0, ends - time.monotonic())))
        idle = all(person.at_home or person.idle_since == owner.books.progress for person in people)
        late = time.monotonic() >= ends or owner.books.full
        if late or (idle and not await owner.close_round(ROUNDS)):
            over.set()


def _result(seconds: float, tally: Tally, books: Books, status: Any, agreement: Any) -> Result:
    submissions = sum(books.handed_in.values())
    return Result(
        seconds=seconds,
        submissions=submissions,
        per_second=submissions / seconds if seconds else 0.0,
        by_stage=dict(books.handed_in),
        paces={verb: pace_of(took) for verb, took in sorted(tally.seconds.items())},
        exams=dict(sorted(books.exams.items())),
        went_home=dict(books.home),
        warnings=dict(books.warnings),
        looked=books.looked,
        refused=dict(tally.refused.most_common()),
        complaints=dict(books.complaints.most_common()),
        faults=tally.faults,
        waited=tally.waited,
        status=status,
        agreement=agreement,
    )


def pace_of(seconds: Sequence[float]) -> Pace:
    """The middle and the slow end of some times: the least that so many hundredths do not exceed."""
    ordered = sorted(seconds)

    def at(share: float) -> float:
        return round(1000 * ordered[max(0, math.ceil(share * len(ordered)) - 1)], 2)

    return Pace(len(ordered), at(0.50), at(0.95), at(0.99))
