"""What submissions are sent to: the annotation app as it is, and the least that could keep an answer.

Run as a script it serves one of them in a process of its own, and prints its port. The bare site has the same
web server and the same kind of route, checks no form and knows no tasks: each request is one row in one
transaction, on the disk before it is answered.
"""

from __future__ import annotations

import argparse
import json
import socket
from collections import Counter
from pathlib import Path
from typing import Any

from fastapi import Depends, FastAPI, Request
from sqlalchemy import text

from commonsight.collect.database import Database
from commonsight.collect.protocol import (
    Done,
    Field,
    NewTask,
    Option,
    Outcome,
    Pay,
    Protocol,
    Record,
    Show,
    Stage,
    Standing,
)

OVERLAP = 3
LABELS = (Option("true", "True"), Option("false", "False"))


def labelled(done: Done) -> Outcome:
    """The majority's label makes the record."""
    votes = Counter(said.answers["label"] for said in done.said)
    by = tuple(said.assignment for said in done.said)
    data = {"sentence": done.payload["sentence"], "label": votes.most_common(1)[0][0]}
    return Outcome(records=(Record(done.key, data, by),))


LABEL = Stage(
    "label", "Is it true?", "Say whether a sentence is true.", (Show("sentence", "text"),),
    (Field("label", "choice", "Is it true?", options=LABELS), Field("why", "text", "Why?", required=False)),
    Pay(300), labelled, overlap=OVERLAP, votes=("label",), minutes=60,
)  # fmt: skip
LABELLING = Protocol(
    "labelling", "Labelling", "made up", "USD", (LABEL,), "label",
    lambda *_: (), lambda *_: Standing(), lambda _: (),
)  # fmt: skip
PROTOCOLS = {LABELLING.name: LABELLING}


def task(number: int) -> NewTask:
    """One sentence to be labelled."""
    sentence = f"There are {number % 7} dogs in the left image, and more than that in the right image."
    return NewTask("label", f"s{number}", {"sentence": sentence})


def our_site(folder: Path) -> Any:
    """The annotation app, with limits that nobody reaches."""
    from commonsight.collect.folder import open_folder
    from commonsight.web.collect.app import build_app
    from commonsight.web.collect.limits import Limits

    desk = open_folder(folder, PROTOCOLS)
    return build_app(desk, limits=Limits(desk.clock, writes_a_minute=10**7))


def bare_site(url: str) -> Any:
    """One fsynced insert a request, and nothing else."""
    database = Database(url)
    kind = "INTEGER" if database.is_sqlite else "BIGSERIAL"
    with database.writer.begin() as connection:
        connection.execute(text(f"CREATE TABLE bare (id {kind} PRIMARY KEY, said TEXT NOT NULL)"))
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    insert = text("INSERT INTO bare (said) VALUES (:said)")

    async def body(request: Request) -> bytes:
        return await request.body()

    def keep(said: bytes = Depends(body)) -> dict[str, bool]:
        with database.writer.begin() as connection:
            connection.execute(insert, {"said": json.dumps(json.loads(said))})
        return {"kept": True}

    app.post("/keep")(keep)
    return app


def main() -> None:
    """Serve until killed."""
    import uvicorn

    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--bare", help="the address of a database")
    options = parser.parse_args()
    site = bare_site(options.bare) if options.bare else our_site(options.folder)
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    print(listening.getsockname()[1], flush=True)
    config = uvicorn.Config(site, log_level="error", access_log=False, timeout_keep_alive=120)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
