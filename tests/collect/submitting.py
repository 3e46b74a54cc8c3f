"""A process of its own that takes and hands in work, and says so line by line once it is on the disk.

    python submitting.py URL CAMPAIGN take USER…       each of them takes the next task, all at once
    python submitting.py URL CAMPAIGN give USER:ASSIGNMENT…     each hands in what they hold, all at once

It says `ready`, and begins when it reads a line.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from toy_protocol import TOY

from commonsight.collect.database import Database
from commonsight.collect.desk import Desk
from commonsight.collect.handing_in import hand_in
from commonsight.collect.queue import take


def main(url: str, campaign: str, verb: str, *whom: str) -> None:
    """Do it."""
    desk = Desk(Database(url), {"toy": TOY}, Path(), b"secret for tests")
    start = Barrier(len(whom))

    def one(who: str) -> None:
        start.wait()
        if verb == "take":
            work = take(desk, int(campaign), int(who))
            say(f"{who} {work.task_id if work else 'nothing'}")
        else:
            user_id, number = map(int, who.split(":"))
            hand_in(desk, number, user_id, {"good": "yes"}, key=f"key {number}")
            say(f"{number}")

    with ThreadPoolExecutor(len(whom)) as pool:
        say("ready")
        sys.stdin.readline()
        list(pool.map(one, whom))
    desk.database.close()


def say(line: str) -> None:
    """Past all buffers: what was said stays said when the process is killed."""
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
