"""A full matching that is allowed is found whenever there is one."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.matching.feasible import Keys, Rules, full_matching
from commonsight.errors import InputError


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    n = draw(st.integers(2, 6))
    numbers = st.lists(st.integers(0, 3), min_size=n, max_size=n).map(lambda found: np.array(found, np.int64))
    texts = np.unique(draw(numbers), return_inverse=True)[1].astype(np.int64)
    given_ = [np.array(draw(st.permutations(range(n))), np.int64) for _ in range(draw(st.integers(0, 2)))]
    had = np.stack([np.arange(n), *given_], axis=1)
    return Rules(Keys(draw(numbers), texts), had, same_image=draw(st.booleans()))


@given(rules())
def test_it_is_found_if_there_is_one(rules: Rules) -> None:
    n = len(rules)
    allowed = rules.rows(np.arange(n))
    for query in range(n):
        np.testing.assert_array_equal(rules.pairs(np.full(n, query), np.arange(n)), allowed[query])
    if any(all(allowed[q, r] for q, r in enumerate(order)) for order in permutations(range(n))):
        found = full_matching(rules)
        assert sorted(found) == list(range(n))
        assert allowed[np.arange(n), found].all()
    else:
        with pytest.raises(InputError, match="no way to give every query a response"):
            full_matching(rules)


def test_many_copies_and_large_images_are_no_obstacle() -> None:
    n = 1200
    rng = np.random.default_rng(1)
    texts = np.sort(rng.integers(0, 4, n))  # a quarter of all reads alike
    images = np.arange(n) // 40
    had = np.arange(n, dtype=np.int64)[:, None]
    for _ in range(2):
        rules = Rules(Keys(images, texts), had)
        found = full_matching(rules)
        assert sorted(found) == list(range(n))
        assert rules.pairs(np.arange(n), found).all()
        had = np.concatenate((had, found[:, None]), axis=1)
