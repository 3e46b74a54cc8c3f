"""`commonsight collect simulate`: annotators of the drawn world, at work in the real app."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.cli.collect.opening import Folder, campaign_of, opened
from commonsight.cli.console import err, out, visible
from commonsight.cli.tables import plural
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from commonsight.runs.simulated.company import Result

NAME = "simulate"
EXAMPLES = """Examples:

[cyan]commonsight collect simulate ours --campaign pilot --world world --workers 20[/]

[cyan]commonsight collect simulate ours --campaign pilot --world world --url http://127.0.0.1:8000 \
--minutes 5[/]"""
SHOWN = 12
"""Lines of each kind that people read."""
PATIENCE = 60.0
"""Seconds within which a server must answer."""


def command(
    folder: Folder,
    world: Annotated[
        Path, typer.Option(metavar="DIR", help="The world that the campaign's pictures are of.")
    ],
    campaign: Annotated[
        str | None, typer.Option(metavar="NAME", help="The campaign; not needed where there is one.")
    ] = None,
    workers: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="Workers at once.")] = 20,
    reviewers: Annotated[int, typer.Option(metavar="N", min=0, max=100, help="Reviewers at once.")] = 2,
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the folder is served; by default it is now.")
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(metavar="M", min=0.0, help="Stop after so long; by default when nothing is left to do."),
    ] = None,
    most: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Stop after so many submissions.")
    ] = None,
    error_rate: Annotated[
        float, typer.Option(metavar="SHARE", min=0.0, max=1.0, help="How often someone judges wrongly.")
    ] = 0.05,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of all that people draw.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Let simulated annotators work in a campaign, over HTTP: by invitation, through exams and forms.

    They are of the drawn world, so they know what its pictures show, and write about them with voices and
    mistakes of their own. All of them work as fast as the app lets them: this is the load test, too. What
    they make is a part of the campaign like anyone's work, so give them a campaign of their own.
    """
    with opened(folder) as desk:
        from commonsight.collect import so_far
        from commonsight.collect.invitations import invite
        from commonsight.runs.simulated.company import Wish, simulate
        from commonsight.runs.simulated.sights import DrawnWorld
        from commonsight.runs.simulated.ways import answer_of

        campaign_id = campaign_of(desk, campaign)
        protocol = so_far.protocol_of(desk, campaign_id)
        answer_of(protocol.name)
        seen = DrawnWorld(world)
        with _served(folder) if url is None else _there(url) as address:
            wish = Wish(
                address, campaign_id, protocol, workers, reviewers,
                None if minutes is None else 60 * minutes, most, error_rate, seed,
            )  # fmt: skip
            result = simulate(wish, seen, lambda role: invite(desk, campaign_id, role))
    if as_json:
        out.print_json(json.dumps(asdict(result)))
    else:
        _tell(result)


@contextmanager
def _there(url: str) -> Iterator[str]:
    yield url.rstrip("/")


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """The folder, served by a process of its own on a port that is free."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    words = [sys.executable, "-m", "commonsight", "collect", "serve", str(folder), "--port", str(port)]
    server = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        _wait_for(server, port)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise UsageError("The app could not be served; what it said stands above. Serve it, and give --url.")


def _tell(result: Result) -> None:
    _say(
        f"{plural(result.submissions, 'submission')} in {result.seconds:.1f} s: "
        f"{result.per_second:.1f} a second"
    )
    for verb in ("take", "hand in", "check", "save draft", "status"):
        if verb in result.paces:
            pace = result.paces[verb]
            _say(f"  {verb:10}  p50 {pace.p50:7.1f} ms   p95 {pace.p95:7.1f} ms   p99 {pace.p99:7.1f} ms")
    for title, counts in (
        ("handed in", result.by_stage), ("exams", result.exams), ("went home", result.went_home),
        ("warnings", result.warnings), ("refused", result.refused), ("complaints", result.complaints),
    ):  # fmt: skip
        if counts:
            shown = ", ".join(f"{name} {count:,}" for name, count in list(counts.items())[:SHOWN])
            _say(f"{title}: {shown}")
    if result.status is not None:
        stages = ", ".join(f"{one['name']} {one['done']:,} done" for one in result.status["stages"])
        _say(f"collected: {plural(result.status['records'], 'record')} ({stages})")
    for one in result.agreement or ():
        alpha = one["agreement"]["alpha"]["value"]
        if alpha is not None:
            _say(f"agreement: {one['stage']} {one['field']}: alpha {alpha:.3f}")
    for verb, told in result.faults.items():
        err.print(visible(f"fault: {verb}: {told}"), markup=False, soft_wrap=True)


def _say(line: str) -> None:
    out.print(visible(line), markup=False, soft_wrap=True, highlight=False)
