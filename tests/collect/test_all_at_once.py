"""Everyone does everything at the same time: nothing is lost, doubled or stuck."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from at_work import NO, QUESTION, YES, begun, check_books, crew, earnings, rows, vote_task, write_task
from people import worker
from sqlalchemy.orm import Session
from toy_protocol import TOY, VOTE, WRITE

from commonsight.collect.database import insert_new
from commonsight.collect.desk import Desk, SteadyClock, campaign_in
from commonsight.collect.disputes import disputes, settle
from commonsight.collect.handing_in import hand_in, undo
from commonsight.collect.protocol import Pay
from commonsight.collect.quality import close_round
from commonsight.collect.queue import give_back, renew, save_draft, take
from commonsight.collect.tables import Assignment, RecordRow, Task, Verdict
from commonsight.collect.tasks import task_row
from commonsight.errors import WorkRefused

WORKERS, STEPS = 6, 14


def _gold(session: Session, desk: Desk, campaign_id: int) -> None:
    campaign = campaign_in(session, campaign_id)
    insert_new(session, Task, [task_row(desk, campaign, vote_task(f"gold {n}"), YES) for n in range(3)])


def _work(desk: Desk, campaign_id: int, user_id: int) -> Counter[str]:
    """One worker who changes their mind a lot."""
    chance = random.Random(user_id)
    done: Counter[str] = Counter()
    last = 0
    for step in range(STEPS):
        try:
            work = take(desk, campaign_id, user_id)
            if work is None:
                done["nothing left"] += 1
                continue
            draw = chance.random()
            if draw < 0.1:
                give_back(desk, work.assignment_id, user_id)
            elif draw < 0.2:
                save_draft(desk, work.assignment_id, user_id, {"good": "y"})
                renew(desk, work.assignment_id, user_id)
            elif draw < 0.3 and last:
                undo(desk, last, user_id)
            else:
                answers = QUESTION if work.stage == "write" else chance.choice((YES, NO))
                key = f"{user_id}/{step}"
                for _ in range(2):  # sent twice
                    hand_in(desk, work.assignment_id, user_id, answers, key=key)
                last = work.assignment_id
            done["did"] += 1
        except WorkRefused as refused:
            done[refused.code] += 1
    return done


def _settle(desk: Desk, campaign_id: int, reviewer: int) -> Counter[str]:
    for _ in range(STEPS // 3):
        for dispute in disputes(desk, campaign_id):
            settle(desk, dispute.task_id, reviewer, YES)
        close_round(desk, campaign_id, reviewer)
    return Counter()


def test_everyone_at_once(desk: Desk) -> None:
    stages = (replace(WRITE, pay=Pay(1000, only_if_kept=True)), replace(VOTE, overlap=2))
    busy = replace(desk, protocols={"toy": replace(TOY, stages=stages)}, clock=SteadyClock())
    new = (*(write_task(f"w{n}") for n in range(14)), *(vote_task(f"v{n}", overlap=2) for n in range(10)))
    first = begun(busy, *new, budget=10**9, gold_rate=0.2, settings={"most_bad": 50})
    busy.database.write(lambda session: _gold(session, busy, first))
    people = crew(busy, first, WORKERS)
    reviewer = worker(busy, first, "reviewer", role="reviewer")
    with ThreadPoolExecutor(WORKERS + 1) as pool:
        jobs = [pool.submit(partial(_work, busy, first, user_id)) for user_id in people]
        jobs.append(pool.submit(partial(_settle, busy, first, reviewer)))
        done = sum((job.result(120) for job in jobs), Counter())
    assert set(done) <= {"did", "nothing left", "too-late", "given-already"}
    assert done["did"] > WORKERS
    check_books(busy)
    kept = {number for record in rows(busy, RecordRow) for number in record.by}
    for assignment in rows(busy, Assignment, stage="write", state="given"):
        verdicts = rows(busy, Verdict, assignment_id=assignment.id, by_gold=False)
        assert len(verdicts) <= 1
        assert assignment.may_earn == (0 if verdicts else 1000)
        assert (assignment.id in kept) == any(one.good for one in verdicts)
    assert sum(earnings(busy, first).values()) > 0
