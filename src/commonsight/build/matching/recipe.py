"""What matching is asked to do, and what it gives: everything that its bytes depend on."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from commonsight.build.matching.assign import CANDIDATES, DENSE_MOST, MEMORY
from commonsight.build.matching.buckets import BUCKET, Limits, Task
from commonsight.build.matching.folds import FOLDS
from commonsight.build.matching.remap import Way
from commonsight.build.matching.rounds import LAMBDA_ANSWER, LAMBDA_RATIONALE, ROUNDS
from commonsight.build.matching.tags import TAGS
from commonsight.build.matching.values import Annotation
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError

Mode = Literal["vcr", "pmr", "generic"]


class Recipe(Struct, frozen=True):
    """How to match; the papers' values are the defaults, but for `remap` and `tags`."""

    seed: int = 0
    lambda_answer: float = LAMBDA_ANSWER
    lambda_rationale: float = LAMBDA_RATIONALE
    bucket: int | None = BUCKET
    folds: int = FOLDS
    rounds: int = ROUNDS
    same_image: bool = False
    remap: Way = "spoken"
    """How tags of a borrowed response become objects of the image; `paper` draws them at random."""
    tags: float = TAGS
    """How much it counts in matching that tags can stay; 0 for the paper's matching."""
    mode: Mode = "vcr"
    """`pmr` takes the three most relevant for each query: no similarity, no matching, no buckets."""
    memory: int = MEMORY
    candidates: int = CANDIDATES
    dense_most: int = DENSE_MOST
    shortlist: int | None = None
    """Of `pmr`: how many responses, the best as they were written, are remapped for a query and scored again.

    None for all, as in the paper. A remapped response speaks of other things, so a short list is quick and
    rough: of 150 queries, 24 (100, 400) gave the same three as all for 31 (37, 45) in a hundred among the
    1,538 responses of PMR's validation set, and for 85 (90, 95) among 1,038 of VCR's kind.
    """
    relevance: str = ""
    similarity: str = ""
    """The scorers' names; filled in from those that are used."""

    def __post_init__(self) -> None:
        for name in ("lambda_answer", "lambda_rationale", "tags"):
            value = getattr(self, name)
            if not 0 <= value < float("inf"):
                raise UsageError(f"{name.replace('_', ' ')} is {value:g}. Give a number of at least 0.")
        for name in ("folds", "rounds", "memory", "candidates", "shortlist"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"{name} is {value}. Give at least 1.")
        if self.bucket is not None and self.bucket <= self.rounds:
            raise UsageError(f"Buckets of {self.bucket} are too small. Give at least {self.rounds + 1}.")

    @property
    def limits(self) -> Limits:
        """Of a bucket."""
        return Limits(None if self.mode == "pmr" else self.bucket, self.rounds, self.same_image)

    def trade(self, task: Task) -> float:
        """Lambda of a task."""
        return self.lambda_answer if task == "answers" else self.lambda_rationale


class Wrong(Struct, frozen=True):
    """The wrong choices of one query, in the order of the rounds that gave them."""

    texts: tuple[TaggedText, ...]
    sources: tuple[int, ...]
    """The places in the fold of those who lent them."""


class Matched(Struct, frozen=True):
    """An annotation with its wrong answers and, if it has a rationale, its wrong rationales."""

    annotation: Annotation
    fold: str
    index: int
    """Its place in the fold."""
    answers: Wrong
    rationales: Wrong | None = None

    @property
    def split(self) -> str:
        """The split of its fold: `train` of `train-3`."""
        return self.fold.rpartition("-")[0]
