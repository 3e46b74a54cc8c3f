"""NLVR2's rules for sets of images, each number as the paper has it (Suhr et al., 2019)."""

from __future__ import annotations

from msgspec import Struct

from commonsight.build.imaging.sets.lists import is_collective


class Search(Struct, frozen=True):
    """How far the results of one query are followed (appendix B)."""

    related: int = 16
    """Images of a collected set: a result and the fifteen most similar."""
    results: int = 60
    """Results that are observed, at most."""
    sets: int = 30
    """Sets that are saved, at most."""
    barren: int = 5
    """Results without similar images, one after another, that end the search."""
    collective_results: int = 100
    """Instead of `results`, for collective nouns and "two <synset>" (footnote 12)."""
    collective_sets: int = 60
    """Instead of `sets`, likewise."""

    def limits(self, query: str | None) -> tuple[float, float]:
        """Results and sets at most; a folder, which nobody searched, has no limits."""
        if query is None:
            return float("inf"), float("inf")
        if is_collective(query):
            return self.collective_results, self.collective_sets
        return self.results, self.sets


class Fitness(Struct, frozen=True):
    """Which images and which sets stay (section 3.1 and appendix B)."""

    shortest: int = 200
    """Pixels that either side must have."""
    size: int = 8
    """Images of a set; a set that has fewer goes."""
    interesting: int = 3
    """Interesting images that a set must have."""
    near: int = 6
    """Bits of 64 in which hashes of nearly the same pictures differ at most; below 0, no two are that. In the
    paper, people took duplicates out."""


class Writing(Struct, frozen=True):
    """What becomes of a set (section 3.2 and section 4)."""

    tasks: int = 2
    """Sentences that are asked for about each set. Both are about the same pairs, as they are in all 2,931
    pairs of the released dev file that have two."""
