"""Replies read again, with the parser of today, without asking anybody again.

The log keeps every reply word for word. Answers that read otherwise now are written anew, beside and then in
place of the old log; replies, tokens and times stay as they are.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import structs

from commonsight.core.answer import Answer
from commonsight.runs.plan import Plan
from commonsight.runs.running import items_of, questioner
from commonsight.store.atomic import new_file
from commonsight.store.runs import ANSWERS, AnswerLine, RunLog, read_answers
from commonsight.vlm.client import Reply


def read_again(folder: Path, plan: Plan) -> int:
    """Read every reply of the run anew; gives how many answers changed by it."""
    with RunLog(folder):  # nobody else may write now
        lines = list(read_answers(folder))
        now: dict[tuple[str, str], Answer] = {}
        said = {(line.item, line.task): line for line in lines if line.reply is not None}
        asker = questioner(plan, pictures=False)
        for key, ask in asker.asks(items_of(plan)):
            name = (ask.item_id, str(key))
            if name in said:
                line = said[name]
                reply = Reply(line.reply or "", line.extra.get("finish", "stop"))
                now[name] = asker.read(ask, key, reply)
        changed = [line for line in lines if now.get((line.item, line.task), line.answer) != line.answer]
        if changed:
            _write(folder, lines, now)
        return len(changed)


def _write(folder: Path, lines: list[AnswerLine], now: dict[tuple[str, str], Answer]) -> None:
    with new_file(folder / ANSWERS) as beside, beside.open("wb") as stream:
        for line in lines:
            answer = now.get((line.item, line.task), line.answer)
            stream.write(msgspec.json.encode(structs.replace(line, answer=answer)) + b"\n")
