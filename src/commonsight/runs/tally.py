"""What a run has done so far, for the report and for whoever watches."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from commonsight.vlm.client import Reply


@dataclass
class Tally:
    """Counts of one run, from when it was begun or resumed."""

    already: int = 0
    """Answered before, and so not asked again."""
    answered: int = 0
    cached: int = 0
    """Of those answered, the ones whose reply was known."""
    failed: int = 0
    requests: int = 0
    """Sent, whatever became of them."""
    retries: int = 0
    limited: int = 0
    """Requests that the server put off because there were too many."""
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    most_at_once: int = 0
    stopped: str | None = None
    """Why it ended before its end; None if it did not."""
    notes: tuple[str, ...] = ()
    """What the model's side has to say that a reader of the score should know."""

    @property
    def per_second(self) -> float:
        """Answers a second."""
        return self.answered / self.seconds if self.seconds else 0.0

    def count(self, reply: Reply) -> None:
        """One more answer."""
        self.answered += 1
        if reply.cached:
            self.cached += 1
            return
        self.input_tokens += reply.input_tokens or 0
        self.output_tokens += reply.output_tokens or 0

    def with_more(self, later: Tally) -> Tally:
        """What was done in two sessions, together."""
        mine, theirs = asdict(self), asdict(later)
        return Tally(
            **{name: mine[name] + theirs[name] for name in _ADDED},
            already=self.already,
            most_at_once=max(self.most_at_once, later.most_at_once),
            stopped=later.stopped,
            notes=tuple(dict.fromkeys((*self.notes, *later.notes))),
        )

    def told(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self) | {"per_second": self.per_second}


_NOT_ADDED = ("already", "most_at_once", "stopped", "notes")
_ADDED = tuple(field.name for field in fields(Tally) if field.name not in _NOT_ADDED)
