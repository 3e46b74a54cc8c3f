"""What a score of the choices would earn."""

from __future__ import annotations

import numpy as np
from msgspec import structs

from commonsight.audit import fakes
from commonsight.audit.listwise import centred, earned, rows_of
from commonsight.core.answer import Pick


def three() -> list[fakes.Item]:
    first, second, third = fakes.clean_items(3, seed=1)
    return [
        structs.replace(first, gold=Pick(0)),
        structs.replace(second, gold=Pick(1), choices=second.choices[:2]),
        structs.replace(third, gold=Pick(3)),
    ]


def test_ties_share_what_is_earned() -> None:
    rows = rows_of(fakes.subject_of(three()).cases["choose"])
    assert rows.sizes.tolist() == [4, 2, 4]
    result = earned(np.array([2.0, 2, 1, 0, 5, 5, 9, 1, 1, 1]), rows)
    assert result.credit.tolist() == [0.5, 0.5, 0.0]
    assert result.decided.tolist() == [True, False, True]
    assert result.ties.tolist() == [2, 2, 1]
    assert result.margin.tolist() == [0, 0, -8]
    assert rows.chance == (0.25 + 0.5 + 0.25) / 3


def test_items_without_a_choice_to_make_are_left_out() -> None:
    items = three()
    items[1] = structs.replace(items[1], choices=items[1].choices[:1], gold=Pick(0))
    items[2] = structs.replace(items[2], gold=None)
    rows = rows_of(fakes.subject_of(items).cases["choose"].labelled)
    assert [case.id for case in rows.cases] == [items[0].id]


def test_centred_values_have_mean_zero_in_every_item() -> None:
    rows = rows_of(fakes.subject_of(three()).cases["choose"])
    off = centred(np.arange(10.0), rows)
    assert np.add.reduceat(off, rows.starts).tolist() == [0, 0, 0]
