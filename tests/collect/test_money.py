"""Amounts are written as people write them, and read back to the last ten-thousandth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.collect.money import MOST, money, plain, read_money
from commonsight.errors import UsageError

AMOUNTS = st.integers(-MOST, MOST)


@pytest.mark.parametrize(
    ("amount", "currency", "told"),
    [
        (0, "USD", "$0.00"),
        (2200, "USD", "$0.22"),
        (2250, "USD", "$0.225"),
        (1, "USD", "$0.0001"),
        (-2200, "USD", "-$0.22"),
        (12_500_000, "EUR", "€1,250.00"),
        (12_345_678_900, "GBP", "£1,234,567.89"),
        (30_000, "CNY", "3.00 CNY"),
        (-5000, "CNY", "-0.50 CNY"),
    ],
)
def test_amounts_for_people(amount: int, currency: str, told: str) -> None:
    assert money(amount, currency) == told


@pytest.mark.parametrize(
    ("text", "amount"),
    [("12", 120_000), ("0.22", 2200), ("1,250.50", 12_505_000), (" 0.0001 ", 1), ("007", 70_000)],
)
def test_what_people_write(text: str, amount: int) -> None:
    assert read_money(text) == amount


@pytest.mark.parametrize(
    "text",
    ["", ".", "-1", "+1", "$5", "5 USD", "1.", ".5", "0.00001", "1,25", "12,34.5", "1e3", "٣", "1 2", "nan"],
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="no amount of money"):
        read_money(text)


@pytest.mark.parametrize("text", ["9" * 400, "900719925475"])
def test_more_than_can_be_counted_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="more money"):
        read_money(text)


@given(AMOUNTS)
def test_written_and_read_it_is_the_same(amount: int) -> None:
    for told in (plain(amount), money(amount, "XXX").removesuffix(" XXX"), money(amount, "USD")):
        size = told.removeprefix("-").removeprefix("$")
        assert told.startswith("-") == (amount < 0)
        assert read_money(size) == abs(amount)
        assert len(size.partition(".")[2]) in (2, 3, 4)


@given(st.text(max_size=30))
def test_whatever_is_written_is_read_or_refused(text: str) -> None:
    try:
        amount = read_money(text)
    except UsageError:
        return
    assert 0 <= amount <= MOST
    assert read_money(plain(amount)) == amount
