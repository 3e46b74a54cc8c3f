"""How many requests may be under way: found out by trying, the way a network finds its speed.

Pure: the caller brings the time. Nothing here sleeps, so everything here is tested without sleeping.

A level is held until as many requests as it allows have begun and ended under it. By Little's law its rate is
the number under way divided by their mean latency, so one number tells whether more at once brought more a
second. While it does, the level doubles; once it does not, the last good level is kept, and now and then a
slightly higher or lower one is tried, ever more rarely when it is in vain. Too many requests (429) cut it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

GAIN = 0.25
"""A level of twice the size must bring at least this much more a second; smaller steps in proportion."""
CUT = 0.6
"""What is left of the level after a 429."""
RARELY = 64
"""A higher level that was in vain is tried again after at most so many rounds."""


@dataclass
class _Round:
    """What was seen at one level."""

    since: float
    ended: int = 0
    latency: float = 0.0
    faults: int = 0
    most_at_once: int = 0

    @property
    def mean(self) -> float:
        return self.latency / self.ended


@dataclass
class AdaptiveLimit:
    """The level, from `start` up to `most`."""

    most: int
    start: int = 4
    level: int = field(init=False)
    highest: int = field(init=False, default=0)
    """The most that were under way at once."""
    at_once: int = field(init=False, default=0)
    paused_until: float = field(init=False, default=float("-inf"))
    doubling: bool = field(init=False, default=True)
    _good: tuple[int, float] | None = field(init=False, default=None)
    """The last level that paid, and its rate."""
    _round: _Round = field(init=False)
    _patience: int = field(init=False, default=1)
    _rounds_left: int = field(init=False, default=0)
    _down: bool = field(init=False, default=False)
    """Whether the next level to try is a lower one: noise must not carry the level up for ever."""

    def __post_init__(self) -> None:
        if self.most < 1:
            raise ValueError("at least one request must be allowed")
        self.level = max(1, min(self.start, self.most))
        self._round = _Round(float("-inf"))

    def wait(self, now: float) -> float | None:
        """Seconds until a request may begin: 0 for now, None for "when another one has ended"."""
        if now < self.paused_until:
            return self.paused_until - now
        return 0.0 if self.at_once < self.level else None

    def begin(self, now: float) -> None:
        """A request begins."""
        self.at_once += 1
        self.highest = max(self.highest, self.at_once)
        self._round.most_at_once = max(self._round.most_at_once, self.at_once)
        if self._round.since == float("-inf"):
            self._round.since = now

    def drop(self) -> None:
        """A request ended without telling anything: it was cancelled."""
        self.at_once -= 1

    def end(self, began: float, now: float) -> None:
        """A request was answered."""
        self.at_once -= 1
        if began < self._round.since:  # it began under another level
            return
        self._round.ended += 1
        self._round.latency += max(now - began, 1e-6)
        self._judge(now)

    def fault(self, began: float, now: float) -> None:
        """A request failed for a reason that may be overload: a time-out, a server's error."""
        self.at_once -= 1
        if began < self._round.since:
            return
        self._round.faults += 1
        if self._round.faults > max(2, self.level // 2):
            self._cut(now)

    def limited(self, began: float, now: float, retry_after: float | None) -> None:
        """The server said that there were too many; where it said how long to wait, everyone does."""
        self.at_once -= 1
        if retry_after is not None:
            self.paused_until = max(self.paused_until, now + retry_after)
        if began >= self._round.since:  # those that were under way during the cut tell nothing new
            self._cut(now)

    def _cut(self, now: float) -> None:
        self.doubling = False
        self._good = None
        self._rounds_left, self._patience, self._down = 0, 1, False
        self._go_to(max(1, int(self.level * CUT)), max(now, self.paused_until))

    def _go_to(self, level: int, now: float) -> None:
        self.level = min(level, self.most)
        self._round = _Round(now)

    def _judge(self, now: float) -> None:
        seen = self._round
        if seen.ended < max(self.level, 4):
            return
        if seen.most_at_once < self.level:  # the questions, not the server, were the limit
            self._round = _Round(now, most_at_once=self.at_once)
            return
        rate = self.level / seen.mean
        if self._good is None or self.level == self._good[0]:
            self._good = (self.level, rate)
            self._move(now)
        elif self.level > self._good[0]:
            self._prefer(rate, _pays(self._good, (self.level, rate)), now)
        else:
            self._prefer(rate, not _pays((self.level, rate), self._good), now)

    def _prefer(self, rate: float, better: bool, now: float) -> None:
        """Keep the level that was tried, or go back to the one before."""
        assert self._good is not None
        if better:
            self._good, self._patience = (self.level, rate), 1
            self._move(now)
        else:
            self.doubling = False
            self._down = not self._down
            self._rounds_left = self._patience
            self._patience = min(2 * self._patience, RARELY)
            self._go_to(self._good[0], now)

    def _move(self, now: float) -> None:
        """Try another level, unless the last one tried in vain was not long ago."""
        step = max(1, self.level // 8)
        if self._rounds_left > 0:
            self._rounds_left -= 1
            self._go_to(self.level, now)
        elif self.doubling:
            self._go_to(2 * self.level, now)
        elif self._down or self.level == self.most:
            self._go_to(max(1, self.level - step), now)
        else:
            self._go_to(self.level + step, now)


def _pays(few: tuple[int, float], many: tuple[int, float]) -> bool:
    """Whether the higher of two levels, each with its rate, brings enough more a second."""
    return many[1] / few[1] >= 1 + GAIN * (many[0] / few[0] - 1)


@dataclass
class PerMinute:
    """At most so many a minute (requests or tokens), spread evenly.

    What a request costs in tokens is known when it has ended, so the account may be overdrawn, and the next
    request waits until it is even.
    """

    most: float
    _account: float = field(init=False, default=0.0)
    _at: float | None = field(init=False, default=None)

    def wait(self, now: float) -> float:
        """Seconds until another may begin."""
        self._fill(now)
        return max(0.0, -self._account * 60 / self.most)

    def take(self, now: float, amount: float) -> None:
        """So much was used."""
        self._fill(now)
        self._account -= amount

    def _fill(self, now: float) -> None:
        if self._at is not None:
            earned = (now - self._at) * self.most / 60
            self._account = min(0.0, self._account + earned)
        self._at = now
