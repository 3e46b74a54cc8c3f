"""How long a run took and what it cost in requests: a line for each time that it was begun or resumed."""

from __future__ import annotations

from pathlib import Path

import msgspec

from commonsight.runs.tally import Tally
from commonsight.store.lines import Lines

SESSIONS = "sessions.jsonl"
_tally = msgspec.json.Decoder(Tally)


def keep_session(folder: Path, tally: Tally) -> None:
    """Add what was done just now. A process that is killed leaves no line, only its answers."""
    lines = Lines(folder / SESSIONS)
    try:
        lines.append([tally])
    finally:
        lines.close()


def sessions(folder: Path) -> Tally:
    """All that was done so far, added up; lines that are torn are left out."""
    path, total = folder / SESSIONS, Tally()
    if not path.is_file():
        return total
    for line in path.read_bytes().splitlines():
        try:
            total = total.with_more(_tally.decode(line))
        except msgspec.MsgspecError:
            continue
    return total
