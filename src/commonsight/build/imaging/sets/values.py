"""What sets are made of, and what becomes of what is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from msgspec import Struct

from commonsight.build.imaging.sets.gallery import Seen
from commonsight.build.imaging.sets.lists import Candidate
from commonsight.build.imaging.sets.vectors import Vectors

ImageReason = Literal[
    "not downloaded", "stock photograph", "broken", "too small", "removed by people", "met in an earlier set",
    "exact duplicate", "near duplicate", "in no set", "beyond the set's size",
]  # fmt: skip
"""Why an image is not in a set, in the order in which this is asked."""
SetReason = Literal["too few images", "too few interesting images"]
IMAGE_REASONS: tuple[ImageReason, ...] = get_args(ImageReason)
SET_REASONS: tuple[SetReason, ...] = get_args(SetReason)


class Pool(NamedTuple):
    """All that sets are made from: candidates, what was seen of them, and their vectors."""

    candidates: Sequence[Candidate]
    seen: Sequence[Seen | None]
    """None for a candidate without a file."""
    vectors: Vectors
    """By `Seen.row`."""
    interesting: Mapping[int, bool]
    """By place; what is not said counts as interesting, for NLVR2's workers marked those that are not."""
    removed: frozenset[int]
    """Places of images that people took out."""


class Dropped(Struct, frozen=True, omit_defaults=True):
    """An image that is not in a set, and why."""

    image: str
    reason: ImageReason
    query: str | None = None
    result: int | None = None
    of: str | None = None
    """The image that it is a duplicate of."""
    why: str | None = None
    """What is wrong with it, in words."""


class Discarded(Struct, frozen=True, omit_defaults=True):
    """A set that went as a whole, and why."""

    reason: SetReason
    images: tuple[str, ...]
    query: str | None = None
    result: int | None = None


class Collected(NamedTuple):
    """A set as it was found: the places of a result and of what is similar to it, the likest first."""

    members: tuple[int, ...]
    query: str | None
    result: int | None
    """The number of the result; None in a folder, which nobody searched."""


class Member(Struct, frozen=True, omit_defaults=True):
    """An image of a set."""

    image: str
    sha256: str
    width: int
    height: int
    interesting: bool
    similarity: float
    """The cosine of its vector and that of the result that the set was found by."""
    url: str | None = None
    path: str | None = None


class ImageSet(Struct, frozen=True, omit_defaults=True):
    """Eight similar images in four pairs: what a writer is shown."""

    id: str
    images: tuple[Member, ...]
    """Interesting ones first, then the likest."""
    pairs: tuple[tuple[int, int], ...]
    """Left and right, by position among the images."""
    similarity: float
    """The mean cosine of two of its images."""
    query: str | None = None
    result: int | None = None
    synset: str | None = None
