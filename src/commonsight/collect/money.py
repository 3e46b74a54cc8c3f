"""Amounts of money as people write and read them."""

from __future__ import annotations

import re

from commonsight.collect.protocol import Money
from commonsight.errors import UsageError

UNIT: Money = 10_000
"""How many of ours make one of the currency's."""
MOST: Money = 2**53
"""As large as every reader of JSON can take."""
SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
_AMOUNT = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,4}))?")


def money(amount: Money, currency: str) -> str:
    """An amount for people: `$0.22`, `-$1,250.00`, `0.225 CNY`."""
    sign = "-" if amount < 0 else ""
    figure = f"{sign}{SIGNS.get(currency, '')}{_figure(abs(amount), ',')}"
    return figure if currency in SIGNS else f"{figure} {currency}"


def plain(amount: Money) -> str:
    """An amount for programs: `0.22`, `-1250.00`."""
    return f"{'-' if amount < 0 else ''}{_figure(abs(amount), '')}"


def _figure(amount: Money, between: str) -> str:
    """With two digits behind the point, or as many as there are."""
    whole, rest = divmod(amount, UNIT)
    digits = f"{rest:04d}"
    shown = digits[:2] + digits[2:].rstrip("0")
    return f"{whole:{between}}.{shown}"


def read_money(text: str) -> Money:
    """An amount that a person wrote, such as `12`, `0.22` or `1,250.50`, without sign or currency."""
    found = _AMOUNT.fullmatch(text.strip())
    if found is None:
        raise UsageError(
            f"'{text:.40}' is no amount of money. Write it like 12, 0.22 or 1,250.50: no currency, a point "
            "for the fraction, and at most four digits behind it."
        )
    whole, fraction = found.group(1).replace(",", ""), (found.group(2) or "").ljust(4, "0")
    if len(whole) > len(str(MOST)) or (amount := int(whole) * UNIT + int(fraction)) > MOST:
        raise UsageError(f"'{text:.40}' is more money than can be counted here. Write a smaller amount.")
    return amount
