"""The pictures of a list, from the web to a folder: politely, and going on where it was stopped.

Every address is asked once, however many lines name it. What came of it is a line of a log, so that another
run asks only for the rest, and for those whose servers may answer by now. What does not open as a picture is
not kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from msgspec import Struct, structs

from commonsight.build.imaging.sets.addresses import is_of
from commonsight.build.imaging.sets.fetch import Failed, Manners, fetched
from commonsight.build.imaging.sets.lists import Listed
from commonsight.build.imaging.sets.telling import Telling, silent
from commonsight.errors import InputError, InvalidRecords
from commonsight.store.images import ImageStore
from commonsight.store.lines import Lines, whole_lines

LOG = "downloads.jsonl"
STOCK_FAULT = "the address is one of a seller of photographs"
_LONGEST_WAIT = 10
"""Times the usual wait, for a server that names a time."""


class Outcome(Struct, frozen=True, omit_defaults=True):
    """What came of one address."""

    url: str
    path: str | None = None
    """Below the folder."""
    fault: str | None = None
    again: bool = False
    """Whether it is worth asking another time."""


def download(
    lines: Iterable[Listed],
    folder: Path,
    manners: Manners,
    *,
    skipped: Collection[str],
    telling: Telling = silent,
    transport: httpx.AsyncBaseTransport | None = None,
) -> dict[str, Outcome]:
    """What came of every address; the pictures lie below the folder, by their content's hash.

    Addresses of the `skipped` domains are not asked.
    """
    urls = list(dict.fromkeys(line.url for line in lines if line.url is not None))
    folder.mkdir(parents=True, exist_ok=True)
    log = Lines(folder / LOG)
    try:
        known = _known(folder / LOG, folder)
        fresh = [url for url in urls if url not in known]
        stock = [Outcome(url, fault=STOCK_FAULT) for url in fresh if is_of(url, skipped)]
        known |= {outcome.url: outcome for outcome in stock}
        wanted = [url for url in fresh if url not in known]

        def keep(outcome: Outcome) -> None:
            log.append([outcome])
            known[outcome.url] = outcome
            telling(len(known), len(urls))

        asyncio.run(_Asking(folder, manners, transport, keep).all(wanted))
    except ExceptionGroup as failed:  # of the tasks; all of them end with the first
        raise failed.exceptions[0] from failed
    finally:
        log.close()
    return {url: known[url] for url in urls}


def with_paths(lines: Iterable[Listed], outcomes: dict[str, Outcome]) -> list[Listed]:
    """The same list, with the path of every picture that is there."""
    return [
        line if line.url is None or line.path else structs.replace(line, path=outcomes[line.url].path)
        for line in lines
    ]


def _known(path: Path, folder: Path) -> dict[str, Outcome]:
    """What earlier runs found out: pictures that are still there, and faults that stay faults."""
    every = {outcome.url: outcome for outcome in whole_lines(path, Outcome)}
    return {
        url: one
        for url, one in every.items()
        if ((folder / one.path).is_file() if one.path is not None else not one.again)
    }


class _Asking:
    """Asks several servers at once, and each of them one thing after another."""

    def __init__(
        self,
        folder: Path,
        manners: Manners,
        transport: httpx.AsyncBaseTransport | None,
        keep: Callable[[Outcome], None],
    ) -> None:
        self._store, self._manners, self._transport, self._keep = ImageStore(folder), manners, transport, keep
        self._folder = folder

    async def all(self, urls: Sequence[str]) -> None:
        """Ask for all of these; what comes of each is kept as it comes."""
        by_host: dict[str, list[str]] = {}
        for url in urls:
            by_host.setdefault(_host(url), []).append(url)
        waiting = iter(by_host.values())
        async with self._client() as client, asyncio.TaskGroup() as group:
            for _ in range(min(self._manners.at_once, len(by_host))):
                group.create_task(self._hosts(client, waiting))

    def _client(self) -> httpx.AsyncClient:
        # Connections go to numbers, and one number may stand for many names. So none is kept for the next
        # name, whose certificate it never showed, and no cookie is.
        return httpx.AsyncClient(
            transport=self._transport,
            limits=httpx.Limits(max_connections=self._manners.at_once, max_keepalive_connections=0),
            timeout=self._manners.timeout,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            trust_env=False,
        )

    async def _hosts(self, client: httpx.AsyncClient, waiting: Iterator[list[str]]) -> None:
        for urls in waiting:  # shared by all tasks: whoever is free takes the next
            free = 0.0
            for url in urls:
                await asyncio.sleep(max(0.0, free - time.monotonic()))
                self._keep(await self._one(client, url))
                free = time.monotonic() + self._manners.pause

    async def _one(self, client: httpx.AsyncClient, url: str) -> Outcome:
        manners = self._manners
        got = await fetched(client, url, manners)
        for _ in range(manners.tries - 1):
            if not isinstance(got, Failed) or not got.again:
                break
            wanted = manners.wait if got.after is None else got.after
            await asyncio.sleep(min(wanted, _LONGEST_WAIT * manners.wait))
            got = await fetched(client, url, manners)
        if isinstance(got, Failed):
            return Outcome(url, fault=got.why, again=got.again or got.ours)
        return self._kept(url, got)

    def _kept(self, url: str, content: bytes) -> Outcome:
        beside = self._folder / f".{hashlib.sha256(url.encode()).hexdigest()}.part"
        try:
            beside.write_bytes(content)
            return Outcome(url, self._store.add(beside).stored)
        except InvalidRecords as error:
            return Outcome(url, fault=error.problems[0].message)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"{self._folder} cannot be written ({reason}). Make room.") from error
        finally:
            beside.unlink(missing_ok=True)


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return ""
