"""What one write does to people: money and verdicts, gathered while it runs and entered at its end.

They are entered in the order of people's ids, standing before money. So two writes that concern the same
people never wait for each other in a circle.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy.orm import Session

from commonsight.collect.desk import Desk
from commonsight.collect.ledger import enter_in, promise_in
from commonsight.collect.protocol import Money, Protocol
from commonsight.collect.standing import settle_standing_in
from commonsight.collect.tables import Assignment, Campaign, Verdict

PROMISE = "promise"


class Line(NamedTuple):
    """Money for someone, or back from them."""

    user_id: int
    stage: str
    kind: str
    assignment_id: int
    amount: Money
    reason: str


class Settling:
    """What is to be entered when the work of a write is done."""

    def __init__(self, session: Session, desk: Desk, campaign: Campaign, protocol: Protocol) -> None:
        self.session, self.desk, self.campaign, self.protocol = session, desk, campaign, protocol
        self._lines: list[Line] = []
        self._judged: set[int] = set()

    def pay(self, assignment: Assignment, amount: Money, kind: str, reason: str) -> None:
        """Money for an assignment, on its worker's account."""
        line = Line(assignment.user_id, assignment.stage, kind, assignment.id, amount, reason)
        self._lines.append(line)

    def promise(self, assignment: Assignment, amount: Money) -> None:
        """What the bonus of this round may add for an assignment."""
        self._lines.append(Line(assignment.user_id, assignment.stage, PROMISE, assignment.id, amount, ""))

    def judge(
        self, assignment: Assignment, good: bool, reason: str, feedback: str = "", *, by_gold: bool = False
    ) -> None:
        """A verdict on an assignment, for its worker's standing."""
        self.session.add(
            Verdict(
                assignment_id=assignment.id, campaign_id=self.campaign.id, user_id=assignment.user_id,
                stage=assignment.stage, by_gold=by_gold, good=good, reason=reason, feedback=feedback,
                made_at=self.desk.clock(),
            )
        )  # fmt: skip
        self._judged.add(assignment.user_id)

    def add(self, other: Settling) -> None:
        """All that another has gathered, too."""
        self._lines.extend(other._lines)
        self._judged |= other._judged

    def settle(self) -> None:
        """Enter all of it: first what concerns people's standing, then their money."""
        for user_id in sorted(self._judged):
            settle_standing_in(self.session, self.desk, self.campaign, user_id, protocol=self.protocol)
        for line in sorted(self._lines):
            if line.kind == PROMISE:
                promise_in(self.session, self.campaign.id, line.user_id, line.stage, line.amount)
                continue
            enter_in(
                self.session, self.desk, self.campaign.id, line.user_id, line.amount, line.kind,
                stage=line.stage, assignment_id=line.assignment_id, reason=line.reason,
            )  # fmt: skip
        self._lines, self._judged = [], set()
