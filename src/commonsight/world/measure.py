"""What a world's texts are like: how often each type is asked, how long they are, how many differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from commonsight.core.text import Token
from commonsight.errors import UsageError
from commonsight.store.jsonfiles import read_lines
from commonsight.world.vcr import SHARES

PAPER_WORDS = {"question": 6.6, "answer": 7.5, "rationale": 16.2}
"""VCR's mean lengths (Zellers et al., 2019, Table 1)."""


class RawLine(Struct, frozen=True):
    """What is measured of a line of raw/vcr.jsonl."""

    id: str
    type: str
    question: tuple[Token, ...]
    answer: tuple[Token, ...]
    rationale: tuple[Token, ...]


class Measured(NamedTuple):
    """Figures of one world."""

    triplets: int
    shares: dict[str, float]
    """By inference type."""
    words: dict[str, float]
    """The mean length of each text, a tag as one word and marks as none."""
    wordings: int
    """Different texts, whichever objects their tags mean."""


def measured(lines: Iterable[RawLine]) -> Measured:
    """Measure raw annotations."""
    types: Counter[str] = Counter()
    words: Counter[str] = Counter()
    wordings: set[tuple[str, ...]] = set()
    for line in lines:
        types[line.type] += 1
        for part in PAPER_WORDS:
            tokens: tuple[Token, ...] = getattr(line, part)
            words[part] += sum(isinstance(token, tuple) or token.isalnum() for token in tokens)
            wordings.add(tuple("[]" if isinstance(token, tuple) else token for token in tokens))
    total = types.total()
    return Measured(
        total,
        {name: types[name] / total if total else 0.0 for name in SHARES},
        {part: words[part] / total if total else 0.0 for part in PAPER_WORDS},
        len(wordings),
    )


def measured_world(world: Path) -> Measured:
    """Measure the raw VCR annotations of a world on the disk."""
    path = world / "raw" / "vcr.jsonl"
    if not path.is_file():
        raise UsageError(f"{path} is not there. Give the folder of a world made with --kind vcr or all.")
    return measured(record.value for record in read_lines(path, RawLine))
