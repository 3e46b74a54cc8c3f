"""What workers, reviewers and an owner do, one step at a time, until there is nothing left for them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from commonsight.collect.protocol import Exam, Protocol
from commonsight.runs.simulated.client import Client, Reply
from commonsight.runs.simulated.minds import Answer, Answers, Mind, Payload
from commonsight.runs.simulated.sitting import sat, verdict

T = TypeVar("T")

NOT_FOR_PEOPLE = ("program",)
"""Exams that only programs take."""
GOES_HOME = ("out", "finished", "not-member", "budget", "exam-failed")
"""Refusals after which there is nothing more to do."""
MOST_BACK = 5
"""Who has given back so much in a row has nothing that they could do."""
DRAFTS, CHECKS, TWICE, SKIPS, UNDOES = 0.1, 0.2, 0.03, 0.01, 0.01
"""How often a draft is saved, answers are looked through, a submission is sent twice, work is given back,
and what was handed in is taken back to be handed in again."""


@dataclass
class Books:
    """What the whole company has done."""

    handed_in: Counter[str] = field(default_factory=Counter)
    """By stage."""
    complaints: Counter[str] = field(default_factory=Counter)
    """`<stage>: <field>: <message>`"""
    warnings: Counter[str] = field(default_factory=Counter)
    """By kind."""
    looked: int = 0
    """Drafts that were looked through."""
    exams: Counter[str] = field(default_factory=Counter)
    """`<exam>: <state>`"""
    home: Counter[str] = field(default_factory=Counter)
    """Why people went home."""
    progress: int = 0
    """Grows with everything that may have made new work."""
    most: int | None = None
    """Submissions after which all go home."""
    head: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "thinking"))
    """Where all think, one after the other: so no request waits for someone's thoughts."""

    async def think(self, thought: Callable[[], T]) -> T:
        """What comes of a thought that takes a while."""
        return await asyncio.get_running_loop().run_in_executor(self.head, thought)

    @property
    def full(self) -> bool:
        """Whether enough was handed in."""
        return self.most is not None and sum(self.handed_in.values()) >= self.most


@dataclass
class Person:
    """One simulated person at work in a campaign."""

    client: Client
    campaign_id: int
    protocol: Protocol
    answer: Answer
    mind: Mind
    books: Books
    name: str
    at_home: str = ""
    """Why they went home; empty while they work."""
    idle_since: int = -1
    """The company's progress when they last found nothing to do."""
    _given_back: int = 0
    _sent: int = 0

    async def step(self) -> bool:
        """Do one thing; False if there is nothing to do now."""
        reply = await self.client.ask("take", "POST", f"/campaigns/{self.campaign_id}/work", {})
        if reply.ok:
            return False if reply.body is None else await self._work(reply.body)
        if reply.code.startswith("exam:"):
            return await self._sit(reply.code.removeprefix("exam:"))
        if reply.code in GOES_HOME:
            self._go_home(reply.code)
        return False

    def _go_home(self, why: str) -> None:
        self.at_home = why
        self.books.home[why] += 1

    # --- work ----------------------------------------------------------------------------------------------

    async def _work(self, work: dict[str, Any]) -> bool:
        draw, at = self.mind.draw, f"/work/{work['assignment_id']}"
        answers = await self._thought(work["stage"], work["payload"])
        if answers is None or draw.random() < SKIPS:
            self._given_back += 1
            await self.client.ask("give back", "POST", f"{at}/back", {})
            return self._given_back < MOST_BACK
        if draw.random() < DRAFTS:
            await self.client.ask("save draft", "PUT", f"{at}/draft", {"draft": answers})
        if draw.random() < CHECKS:
            await self._check(at, answers)
        reply = await self._hand_in(at, answers)
        if not reply.ok:
            self._complain(work["stage"], reply)
            await self.client.ask("give back", "POST", f"{at}/back", {})
            return reply.status == 422
        self._given_back = 0
        self.books.handed_in[work["stage"]] += 1
        self.books.progress += 1
        if draw.random() < UNDOES:
            await self._again(at, work["stage"], answers)
        return True

    async def _thought(self, stage: str, payload: Payload) -> Answers | None:
        return await self.books.think(lambda: self.answer(stage, payload, self.mind))

    async def _check(self, at: str, answers: dict[str, Any]) -> None:
        reply = await self.client.ask("check", "POST", f"{at}/check", {"draft": answers})
        if reply.ok:
            self.books.looked += 1
            self.books.warnings.update(one["kind"] for one in reply.body["warnings"])

    async def _hand_in(self, at: str, answers: dict[str, Any]) -> Reply:
        """Sometimes twice, as when the answer to the first got lost: it must count once."""
        self._sent += 1
        sent = {
            "answers": answers, "key": f"{self.name}-{at.rpartition('/')[2]}-{self._sent}",
            "seconds": round(self.mind.draw.lognormvariate(4.0, 0.6), 1),
        }  # fmt: skip
        reply = await self.client.ask("hand in", "POST", f"{at}/hand-in", sent)
        if reply.ok and self.mind.draw.random() < TWICE:
            again = await self.client.ask("hand in again", "POST", f"{at}/hand-in", sent)
            if again.body != reply.body:
                self.books.complaints["a submission that was sent twice was answered differently"] += 1
        return reply

    async def _again(self, at: str, stage: str, answers: dict[str, Any]) -> None:
        undone = await self.client.ask("undo", "POST", f"{at}/undo", {})
        if undone.ok:
            reply = await self._hand_in(at, answers)
            if not reply.ok:
                self._complain(stage, reply)

    def _complain(self, stage: str, reply: Reply) -> None:
        told = reply.body.get("complaints") if isinstance(reply.body, dict) else None
        for one in told or [{"field": "", "message": reply.detail}]:
            self.books.complaints[f"{stage}: {one['field']}: {one['message']}"] += 1

    # --- exams ---------------------------------------------------------------------------------------------

    async def _sit(self, name: str) -> bool:
        at = f"/campaigns/{self.campaign_id}/exams/{name}"
        if name in NOT_FOR_PEOPLE:
            return False
        sheet = await self.client.ask("look at exam", "GET", at)
        if not sheet.ok or sheet.body["state"] != "open":
            if sheet.ok and sheet.body["state"] == "failed":
                self._go_home("exam-failed")
            return bool(sheet.ok and sheet.body["state"] == "passed")  # graded a moment ago
        samples = [sample["payload"] for sample in sheet.body["samples"]]
        exam = exam_named(self.protocol, name)
        answers = await self.books.think(lambda: sat(exam, samples, self.answer, self.mind))
        reply = await self.client.ask("sit exam", "POST", at, {"answers": answers})
        if not reply.ok:
            self._complain(f"exam {name}", reply)
            return False
        self.books.exams[f"{name}: {reply.body['state']}"] += 1
        self.books.progress += 1
        return bool(reply.body["state"] != "waiting")


@dataclass
class Reviewer(Person):
    """Who also grades exams and settles disputes."""

    async def step(self) -> bool:
        """What waits for reviewers first, then work like anyone's."""
        done = await self._grade() + await self._settle()
        return await super().step() or done > 0

    async def _grade(self) -> int:
        at = f"/campaigns/{self.campaign_id}/exam-tries"
        waiting = await self.client.ask("exams to grade", "GET", at)
        graded = 0
        for sat_exam in waiting.body if waiting.ok else ():
            exam = exam_named(self.protocol, sat_exam["exam"])
            said = verdict(exam, sat_exam["share"], self.mind)
            told = {"verdict": said, "feedback": "Read with care."}
            reply = await self.client.ask("grade exam", "POST", f"{at}/{sat_exam['try_id']}", told)
            if reply.ok:
                self.books.exams[f"{exam.name}: graded {said}"] += 1
                self.books.progress += 1
                graded += 1
        return graded

    async def _settle(self) -> int:
        at = f"/campaigns/{self.campaign_id}/disputes"
        waiting = await self.client.ask("disputes", "GET", at)
        settled = 0
        for dispute in waiting.body if waiting.ok else ():
            answers = await self._thought(dispute["stage"], dispute["payload"])
            reply = await self.client.ask(
                "settle dispute", "POST", f"{at}/{dispute['task_id']}", {"answers": answers or {}}
            )
            settled += reply.ok
            self.books.progress += reply.ok
        return settled


@dataclass
class Owner:
    """Who runs the campaign: closes a round when nobody has anything left to do."""

    client: Client
    campaign_id: int
    protocol: Protocol
    books: Books
    rounds: int = 0
    _tried_at: int = -1
    """How much had been handed in when that was last tried: without anything new it is not tried again."""

    async def close_round(self, most: int) -> bool:
        """Draw a round's samples, or close it once they were looked at; whether that may have made work."""
        handed_in = sum(self.books.handed_in.values())
        if self.protocol.sampling is None or self.rounds >= most or handed_in == self._tried_at:
            return False
        reply = await self.client.ask("close round", "POST", f"/campaigns/{self.campaign_id}/rounds", {})
        self.rounds += reply.ok
        self._tried_at = handed_in
        self.books.progress += 1
        return True

    async def told(self, what: str) -> Any:
        """Something that owners see: status, agreement, workers."""
        reply = await self.client.ask(what, "GET", f"/campaigns/{self.campaign_id}/{what}")
        return reply.body if reply.ok else None


def exam_named(protocol: Protocol, name: str) -> Exam:
    """The exam of this name."""
    return next(exam for exam in protocol.exams if exam.name == name)


async def work_on(person: Person, over: asyncio.Event) -> None:
    """Work until it is over or the person goes home; who has nothing to do looks again soon."""
    wait = 0.05
    while not over.is_set() and not person.at_home and not person.books.full:
        before = person.books.progress
        if await person.step():
            wait, person.idle_since = 0.05, -1
            continue
        person.idle_since = before
        try:
            await asyncio.wait_for(over.wait(), timeout=wait)
        except TimeoutError:
            wait = min(1.0, 2 * wait)
