"""What several protocols need: votes, chance, gold questions, pictures without boxes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec import structs, to_builtins

from commonsight.benchmarks.protocols.scenes import LONGEST, number_of
from commonsight.collect.protocol import Done, History, Option, Setting, Shown
from commonsight.core.scene import Scene

YES_NO = (Option("yes", "Yes", "y"), Option("no", "No", "n"))

GOLD = {
    "least_gold": Setting(
        0.7,
        "The share of gold questions that a worker must have right to go on. Ours: the paper has no gold "
        "questions, and a campaign has none until some are imported.",
    ),
    "gold_seen": Setting(5, "Gold questions that a worker must have met before that share counts. Ours."),
}
"""Settings of every protocol that sends home who fails gold questions."""


def defaults(settings: Mapping[str, Setting]) -> dict[str, Any]:
    """What a campaign has that changes nothing."""
    return {name: setting.default for name, setting in settings.items()}


def failed_gold(history: History, settings: Mapping[str, Any]) -> str:
    """Why someone is out by their gold questions; empty if they are not."""
    seen, right = len(history.gold), sum(history.gold)
    if seen < max(1, settings["gold_seen"]) or right >= settings["least_gold"] * seen:
        return ""
    return f"Of {seen} questions with known answers, {right} were answered right."


def too_few_good(verdicts: Sequence[bool], least: float, judged: int, what: str) -> str:
    """Why someone is out by what others said of their work; empty if they are not."""
    good = sum(verdicts)
    if len(verdicts) < max(1, judged) or good >= least * len(verdicts):
        return ""
    return f"Of {len(verdicts)} {what} that were judged, {good} were kept."


def chosen_by_most(done: Done, field: str) -> set[int]:
    """The positions that more than half of the workers chose in a field of `choices`."""
    votes = Counter(int(value) for said in done.said for value in set(said.answers.get(field) or ()))
    return {position for position, times in votes.items() if 2 * times > len(done.said)}


def majority(done: Done, field: str) -> str | None:
    """What more than half of the workers said; None if nothing is."""
    votes = Counter(said.answers[field] for said in done.said)
    value, times = votes.most_common(1)[0]
    return str(value) if 2 * times > len(done.said) else None


def by_chance(text: str, share: float) -> bool:
    """Whether this text is among a share of all texts: drawn by it alone, so the same every time."""
    drawn = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
    return drawn < share * 2**64


def picture(scene: Scene, keep: Callable[[str], Shown]) -> dict[str, Any]:
    """A picture as it is, without boxes."""
    kept = structs.replace(keep(scene.stored or scene.image), regions=())
    shown: dict[str, Any] = to_builtins(kept)
    return shown


def short_key(name: str) -> str:
    """A task's key for something of this name: short enough to leave room for what comes of the task."""
    return name if len(name) <= LONGEST else f"{name[:LONGEST]}#{number_of(name)}"


def photograph(name: str, shown: Mapping[str, Any]) -> Scene:
    """The scene of a payload's picture, under the name that a benchmark gives it."""
    return Scene(name, width=shown["width"], height=shown["height"], stored=shown["picture"])


def image_number(name: str, content: str) -> int:
    """The number by which COCO and Visual Genome call a picture; a made-up one where its name has none."""
    stem = PurePosixPath(name).stem
    return int(stem) if stem.isascii() and stem.isdigit() and len(stem) < 19 else number_of(content)


def one_line(text: str) -> str:
    """A text as files of lines have it: single spaces, no line breaks."""
    return " ".join(text.split())


def different(texts: Iterable[str]) -> int:
    """How many different texts there are, whatever their case and spaces."""
    return len({one_line(text.casefold()) for text in texts})
