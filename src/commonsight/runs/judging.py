"""A judge, for who wants one: another model reads replies in which the parser found no answer.

Never the default, and never in place of the plain score: a report tells both. The judge sees the choices and
the reply, not the picture, not the question and not the right answer, so that it can read but not solve. What
it said is a run of its own in the folder `judge` of the run: logged, resumable, with its prompt's version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from msgspec import structs

from commonsight import __version__
from commonsight.core.answer import Answer, Truncated, Unparsed
from commonsight.core.benchmark import Ask
from commonsight.errors import UsageError
from commonsight.runs.asking import Asking, Pace, ready
from commonsight.runs.feed import Question
from commonsight.runs.questions import own_answer
from commonsight.runs.tally import Tally
from commonsight.runs.variants import Key
from commonsight.store.runs import AnswerLine, RunInfo, RunLog, create_run, is_run, read_answers, read_run
from commonsight.vlm.client import Client, Request, Turn
from commonsight.vlm.render import LETTERS

FOLDER = "judge"
PROMPT = "judge.read@1"
_TEXT = """Somebody was asked a question and replied as below. Read the reply, and say which answer it gives.
Do not answer the question yourself. If the reply gives no answer, or several, write: none.

{answers}

The reply, between the lines:
-----
{reply}
-----

Write {form}, or none. Write nothing else."""
_READ_ALOUD = 4_000
"""Letters of a reply that a judge reads: the last, where a reply settles."""


class Judged(NamedTuple):
    """What a judge read."""

    judge: str
    read: Mapping[tuple[str, str], Answer]

    def applied(self, lines: Iterable[AnswerLine]) -> list[AnswerLine]:
        """The same answers, those that nobody could read as the judge read them."""
        return [
            structs.replace(line, answer=self.read[line.item, line.task])
            if _unread(line) and (line.item, line.task) in self.read
            else line
            for line in lines
        ]


def read_judged(folder: Path) -> Judged | None:
    """What the judge of a run read; None for a run without one."""
    inner = folder / FOLDER
    if not is_run(inner):
        return None
    read = {(line.item, line.task): line.answer for line in read_answers(inner)}
    return Judged(f"{read_run(inner).answerer}, {PROMPT}", read)


async def judge_all(
    client: Client,
    folder: Path,
    asks: Iterable[tuple[Key, Ask]],
    pace: Pace,
    watch: Callable[[Tally], None] | None = None,
) -> Tally:
    """Have the judge read every reply of the run that has none of its readings yet."""
    inner = folder / FOLDER
    if not is_run(inner):
        outer = read_run(folder)
        told = {"prompt": PROMPT, "reads": folder.resolve().name}
        create_run(
            inner,
            RunInfo(outer.benchmark, client.name, outer.dataset, outer.tasks, __version__, options=told),
        )
    elif (judge := read_run(inner).answerer) != client.name:
        raise UsageError(f"{folder} has been read by {judge} already. A run has one judge.")
    rng = Random(0)
    with RunLog(inner) as log:
        await ready(client, pace.backoff, rng)
        return await Asking(client, log, rng, pace=pace, watch=watch).run(_questions(folder, asks))


def _unread(line: AnswerLine) -> bool:
    return isinstance(line.answer, Unparsed | Truncated)


def _questions(folder: Path, asks: Iterable[tuple[Key, Ask]]) -> Iterator[Question]:
    unread = {(line.item, line.task): line.reply for line in read_answers(folder) if _unread(line)}
    for key, ask in asks if unread else ():
        reply = unread.get((ask.item_id, str(key)))
        if reply and ask.expects in ("pick", "verdict"):
            yield Question(ask.item_id, str(key), request_of(ask, reply), partial(own_answer, ask, key))


def request_of(ask: Ask, reply: str) -> Request:
    """What a judge is asked about one reply."""
    labels = ask.scenes[0].labels if ask.scenes else ()
    if ask.expects == "pick":
        texts = (choice.bracketed(labels) for choice in ask.choices)
        answers = "\n".join(f"{letter}. {text}" for letter, text in zip(LETTERS, texts, strict=False))
        form = "the letter of that answer"
    else:
        answers, form = "The answers are True and False.", "True or False"
    text = _TEXT.format(answers=answers, reply=reply[-_READ_ALOUD:], form=form)
    return Request((Turn("user", (text,)),), most_tokens=16)
