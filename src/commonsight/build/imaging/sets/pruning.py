"""What may not be in a set: NLVR2's automatic pruning, and its workers' (section 3.1 and appendix B)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from commonsight.build.imaging.sets.addresses import is_of
from commonsight.build.imaging.sets.gallery import Seen
from commonsight.build.imaging.sets.near import near_doubles
from commonsight.build.imaging.sets.rules import Fitness
from commonsight.build.imaging.sets.values import Dropped, ImageReason, Pool

OnDropped = Callable[[Dropped], None]


class Pruning:
    """Takes out of some images those that are not fit, and tells which and why."""

    def __init__(self, pool: Pool, fitness: Fitness, skipped: Collection[str], on_dropped: OnDropped) -> None:
        self._pool, self._fitness, self._skipped, self._on_dropped = pool, fitness, skipped, on_dropped

    def fit(self, places: Sequence[int]) -> list[int]:
        """Those that are fit by themselves: there, whole, and large enough."""
        return self._without(places, self._fault)

    def kept_by_people(self, places: Sequence[int]) -> list[int]:
        """Without those that people took out."""
        removed = self._pool.removed
        return self._without(places, lambda place: _Fault("removed by people") if place in removed else None)

    def unmet(self, places: Sequence[int], met: set[str]) -> list[int]:
        """Without those whose address an earlier set of the same query had; these are met from now on."""
        addresses = [self._pool.candidates[place].address for place in places]
        known = frozenset(met)
        met.update(addresses)
        earlier = {place for place, address in zip(places, addresses, strict=True) if address in known}
        return self._without(
            places, lambda place: _Fault("met in an earlier set") if place in earlier else None
        )

    def different(self, places: Sequence[int]) -> list[int]:
        """Without those whose bytes an earlier one has."""
        first: dict[str, int] = {}
        for place in places:
            first.setdefault(self._seen(place).sha256, place)
        return self._without(places, lambda place: self._double(place, first[self._seen(place).sha256]))

    def _double(self, place: int, first: int) -> _Fault | None:
        return None if first == place else _Fault("exact duplicate", of=self._pool.candidates[first].image)

    def distinct(self, places: Sequence[int]) -> list[int]:
        """Without those that look nearly as an earlier one does."""
        if self._fitness.near < 0:
            return list(places)
        told = [place for place in places if self._seen(place).hash]
        hashes = [int(self._seen(place).hash, 16) for place in told]
        doubles = {
            told[place]: _Fault("near duplicate", of=self._pool.candidates[told[first]].image)
            for place, first in near_doubles(hashes, self._fitness.near).items()
        }
        return self._without(places, doubles.get)

    def _without(self, places: Sequence[int], fault_of: Callable[[int], _Fault | None]) -> list[int]:
        kept = []
        for place in places:
            fault = fault_of(place)
            if fault is None:
                kept.append(place)
            else:
                self.drop(place, *fault)
        return kept

    def _fault(self, place: int) -> _Fault | None:
        candidate, seen = self._pool.candidates[place], self._pool.seen[place]
        if candidate.url is not None and is_of(candidate.url, self._skipped):
            return _Fault("stock photograph")
        if seen is None:
            return _Fault("not downloaded")
        if seen.fault is not None:
            return _Fault("broken", seen.fault)
        if min(seen.width, seen.height) < self._fitness.shortest:
            return _Fault("too small", f"{seen.width} x {seen.height}")
        return None

    def drop(
        self, place: int, reason: ImageReason, why: str | None = None, of: str | None = None
    ) -> None:
        """Tell that an image is left out."""
        candidate = self._pool.candidates[place]
        self._on_dropped(Dropped(candidate.image, reason, candidate.query, candidate.result, of, why))

    def _seen(self, place: int) -> Seen:
        seen = self._pool.seen[place]
        assert seen is not None  # only what is fit is compared
        return seen


class _Fault(NamedTuple):
    """Why an image is left out."""

    reason: ImageReason
    why: str | None = None
    of: str | None = None
