"""Collecting: durable submissions a second with a hundred people at once, and a campaign of 100,000 tasks.

Each person takes a task, hands it in, and takes the next, over HTTP, as fast as the app lets them. What an
app must do at the least, in the same run: one row in one transaction for each request.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from _collect_sites import LABELLING, OVERLAP, PROTOCOLS, task
from _figures import Figure, arguments, show
from _lanes import Lane, at, together
from commonsight.collect.protocol import NewTask

HERE = Path(__file__).resolve().parent
PEOPLE, SUBMISSIONS, TASKS = 100, 3_000, 100_000
EVERY = 10.0
"""Seconds from one submission of a person to the next, where they work at people's pace: quick people."""
LOOKS = 100
"""How often the dashboard is asked for, and how many tasks are taken one after the other."""
WARM = 10
"""Looks before that: a server that has just started compiles its statements and opens its connections."""
PASSWORD = "a password for a benchmark"


class Campaign(NamedTuple):
    """A collection on the disk, with people who are signed in."""

    folder: Path
    url: str
    campaign_id: int
    tokens: tuple[str, ...]
    owner: str


class Rush(NamedTuple):
    """What many people at once got done."""

    per_second: float
    hand_in: list[float]
    take: list[float]
    processor: float
    """Seconds of the server's processor time for each submission."""


@contextmanager
def databases() -> Iterator[dict[str, str | None]]:
    """By name: SQLite, and a PostgreSQL server of our own where it is installed; its address, or None."""
    spec = importlib.util.spec_from_file_location(
        "postgres_server", HERE.parent / "tests" / "collect" / "postgres_server.py"
    )
    assert spec is not None
    assert spec.loader is not None
    server = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(server)
    running = server.running() if server.programs() is not None else nullcontext()
    with running as address:
        yield {"SQLite": None} | ({"PostgreSQL": address} if address else {})


def new_database(address: str, name: str) -> str:
    """A new database on the server."""
    from sqlalchemy import create_engine, text

    driven = address.replace("postgresql:", "postgresql+psycopg:")
    engine = create_engine(driven, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return address.rpartition("/")[0] + f"/{name}"


def laid_out(folder: Path, url: str | None, tasks: int, people: int) -> Campaign:
    """A campaign with so many tasks and so many people, who are signed in already."""
    from argon2 import PasswordHasher

    from commonsight.collect import accounts, campaigns
    from commonsight.collect.database import sqlite_url
    from commonsight.collect.folder import make_folder, open_folder

    accounts.HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)  # signing in is not measured
    make_folder(folder, url)
    desk = open_folder(folder, PROTOCOLS)
    campaign_id = campaigns.make_campaign(desk, "bench", LABELLING.name)
    tokens = []
    for number in range(people + 1):
        role = "worker" if number < people else "owner"
        who = accounts.make_user(desk, f"person{number}", PASSWORD)
        desk.database.write(partial(_join, desk, campaign_id, who.user_id, role))
        tokens.append(accounts.sign_in(desk, f"person{number}", PASSWORD))
    for start in range(0, tasks, 5000):
        some = [task(number) for number in range(start, min(tasks, start + 5000))]
        desk.database.write(partial(_add, desk, campaign_id, some))
    desk.database.close()
    kept = url or sqlite_url(folder / "collect.sqlite")
    return Campaign(folder, kept, campaign_id, tuple(tokens[:-1]), tokens[-1])


def _join(desk: Any, campaign_id: int, user_id: int, role: str, session: Any) -> None:
    from commonsight.collect.campaigns import add_member_in

    add_member_in(session, desk, campaign_id, user_id, role)


def _add(desk: Any, campaign_id: int, tasks: list[NewTask], session: Any) -> None:
    from commonsight.collect.desk import campaign_in
    from commonsight.collect.tasks import add_tasks_in

    add_tasks_in(session, desk, campaign_in(session, campaign_id), tasks)


@contextmanager
def serving(*options: str) -> Iterator[tuple[int, int]]:
    """The port and the process of a site."""
    command = [sys.executable, str(HERE / "_collect_sites.py"), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline()), process.pid
        finally:
            process.kill()


def processor_seconds(pid: int) -> float:
    """What a process has used of the processor so far."""
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def bearer(token: str) -> str:
    """The header that says who one is."""
    return f"Authorization: Bearer {token}\r\n"


def rush(campaign: Campaign, submissions: int, every: float = 0.0) -> Rush:
    """Everyone takes tasks and hands them in until there are so many submissions; with `every`, each person
    hands in once in so many seconds, one after the other, and not as fast as they can."""
    took: list[float] = []
    handed: list[float] = []
    left = iter(range(submissions))
    people = len(campaign.tokens)

    async def work(port: int, number: int, token: str) -> None:
        lane = Lane(port, bearer(token))
        began = time.perf_counter() + every * number / people
        for own, turn in enumerate(left):
            if every:
                await asyncio.sleep(began + every * own - time.perf_counter())
            work = await lane.ask("POST", f"/api/campaigns/{campaign.campaign_id}/work", {})
            assert work.status == 200, work
            took.append(work.seconds)
            answers = {"label": "true" if turn % 3 else "false", "why": "One can count them in both."}
            sent = {"answers": answers, "key": f"{every}-{number}-{turn}", "seconds": 12.5}
            done = await lane.ask("POST", f"/api/work/{work.body['assignment_id']}/hand-in", sent)
            assert done.status == 200, done
            handed.append(done.seconds)
        await lane.close()

    before_all = kept(campaign)
    with serving("--folder", str(campaign.folder)) as (port, pid):
        before = processor_seconds(pid)
        everyone = (work(port, number, token) for number, token in enumerate(campaign.tokens))
        seconds = asyncio.run(together(everyone))
        processor = processor_seconds(pid) - before
    there = kept(campaign) - before_all
    assert there == submissions, f"{submissions} were acknowledged, and {there} are there"
    return Rush(submissions / seconds, handed, took, processor / submissions)


def kept(campaign: Campaign) -> int:
    """Submissions that are in the database."""
    from sqlalchemy import func, select

    from commonsight.collect.database import Database
    from commonsight.collect.tables import Assignment

    database = Database(campaign.url)
    with database.read() as session:
        given = select(func.count()).select_from(Assignment).where(Assignment.state == "given")
        count = session.scalar(given)
    database.close()
    return count or 0


def bare_rush(url: str, people: int, submissions: int) -> Rush:
    """As many requests, each of which is one row in one transaction."""
    handed: list[float] = []
    left = iter(range(submissions))

    async def work(port: int) -> None:
        lane = Lane(port)
        for turn in left:
            answers = {"label": "true" if turn % 3 else "false", "why": "One can count them in both."}
            done = await lane.ask("POST", "/keep", {"answers": answers, "key": f"{turn}", "seconds": 12.5})
            assert done.status == 200, done
            handed.append(done.seconds)
        await lane.close()

    with serving("--bare", url) as (port, pid):
        before = processor_seconds(pid)
        seconds = asyncio.run(together(work(port) for _ in range(people)))
        return Rush(submissions / seconds, handed, [], (processor_seconds(pid) - before) / submissions)


class Large(NamedTuple):
    """A large campaign: seconds of each request, one after the other."""

    take: list[float]
    page: list[float]
    status: list[float]


def large(campaign: Campaign, looks: int) -> Large:
    """Tasks taken by several people in turn, and the owner's dashboard, while nobody else is there."""

    async def ask(port: int) -> Large:
        owner = Lane(port, bearer(campaign.owner))
        browser = Lane(port, f"Cookie: commonsight={campaign.owner}\r\n")
        lanes = [Lane(port, bearer(token)) for token in campaign.tokens]
        at_campaign = f"/campaigns/{campaign.campaign_id}"
        found = Large([], [], [])
        for turn in range(WARM + looks):
            lane = lanes[turn % len(lanes)]
            work = await lane.ask("POST", f"/api{at_campaign}/work", {})
            found.take.append(work.seconds)
            sent = {"answers": {"label": "true"}, "key": f"large-{turn}"}
            done = await lane.ask("POST", f"/api/work/{work.body['assignment_id']}/hand-in", sent)
            assert done.status == 200, done
            status = await owner.ask("GET", f"/api{at_campaign}/status")
            shown = await browser.ask("GET", f"{at_campaign}/")
            assert (status.status, shown.status) == (200, 200), (status.status, shown.status)
            found.status.append(status.seconds)
            found.page.append(shown.seconds)
        return Large(found.take[WARM:], found.page[WARM:], found.status[WARM:])

    with serving("--folder", str(campaign.folder)) as (port, _):
        return asyncio.run(ask(port))


# --- the figures -------------------------------------------------------------------------------------------


def rush_figures(name: str, address: str | None, submissions: int, rounds: int) -> Iterator[Figure]:
    """A hundred people at once on one database, and the bare site beside it, in turn."""
    key = name.lower()
    ours, bare = [], []
    calm: list[Rush] = []
    for turn in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            url = None if address is None else new_database(address, f"rush{turn}")
            paced = 4 * PEOPLE  # of which the first of each person warm the server up
            tasks = (submissions + paced) // OVERLAP + PEOPLE
            campaign = laid_out(Path(folder) / "ours", url, tasks, PEOPLE)
            ours.append(rush(campaign, submissions))
            if not calm:  # it takes its time, whatever the machine
                slow = rush(campaign, paced, EVERY)
                calm.append(slow._replace(hand_in=slow.hand_in[PEOPLE:], take=slow.take[PEOPLE:]))
            own_file = f"sqlite:///{folder}/bare.sqlite"
            plain = own_file if address is None else new_database(address, f"bare{turn}")
            bare.append(bare_rush(plain, PEOPLE, submissions))
    what = f"{name}, {PEOPLE} people at once, {submissions:,} submissions"
    rate = statistics.median(one.per_second for one in ours)
    yield Figure(f"{key}_rate", f"{what}: durable submissions a second", rate, unit="/s")
    yield Figure(f"{key}_p99", f"{what}: p99 of handing in, milliseconds", _p99(ours), unit="")
    pace = f"{name}, {PEOPLE} people, each a submission every {EVERY:g} s: p99 of handing in, milliseconds"
    yield Figure(f"{key}_calm", pace, _p99(calm), 250, unit="")
    yield Figure(
        f"{key}_processor", f"{what}: milliseconds of the server's processor time, taking the task included",
        1000 * statistics.median(one.processor for one in ours), unit="",
    )  # fmt: skip
    yield Figure(f"{key}_bare", f"{what}: one row a request and nothing else, a second",
                 statistics.median(one.per_second for one in bare), unit="/s")  # fmt: skip
    pairs = zip(ours, bare, strict=True)
    share = statistics.median(one.per_second / other.per_second for one, other in pairs)
    yield Figure(f"{key}_share", f"{what}: ours by that", share)


def _p99(rushes: Sequence[Rush]) -> float:
    return statistics.median(at(0.99, one.hand_in) for one in rushes)


def large_figures(name: str, address: str | None, tasks: int, looks: int) -> Iterator[Figure]:
    """A campaign of many tasks on one database."""
    key, what = name.lower(), f"{name}, a campaign of {tasks:,} tasks"
    with tempfile.TemporaryDirectory() as folder:
        url = None if address is None else new_database(address, "large")
        found = large(laid_out(Path(folder) / "ours", url, tasks, 10), looks)
    parts = (
        ("take", "taking a task", found.take),
        ("status", "its status", found.status),
        ("page", "the owner's dashboard", found.page),
    )
    for part, told, seconds in parts:
        slow = at(0.95, seconds)
        yield Figure(f"{key}_{part}", f"{what}: p95 of {told}, milliseconds", slow, 100, unit="")


def figures(
    submissions: int = SUBMISSIONS, tasks: int = TASKS, looks: int = LOOKS, rounds: int = 3
) -> list[Figure]:
    """All figures of this file."""
    load = os.getloadavg()[0]
    found: list[Figure] = []
    with databases() as known:
        for name, address in known.items():
            found.extend(rush_figures(name, address, submissions, rounds))
            found.extend(large_figures(name, address, tasks, looks))
    found.append(Figure("load", "the machine's load when these figures were begun (2 cores)", load, unit=""))
    return found


def main() -> None:
    """Run from the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--submissions", type=int, default=SUBMISSIONS, help="by a hundred people at once")
    parser.add_argument("--tasks", type=int, default=TASKS, help="of the large campaign")
    options: Any = parser.parse_args()
    began = time.perf_counter()
    show(figures(options.submissions, options.tasks, rounds=options.rounds), options.json)
    print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
