"""`commonsight collect pay`: what workers are owed, and a list to pay it by."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from commonsight.cli.arguments import Json
from commonsight.cli.collect.opening import CampaignOption, Folder, campaign_of, opened
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import plural, table
from commonsight.errors import InputError, UsageError
from commonsight.store.atomic import new_file

if TYPE_CHECKING:
    from commonsight.collect.desk import Desk

NAME = "pay"
EXAMPLES = """Examples:

[cyan]commonsight collect pay ours[/]

[cyan]commonsight collect pay ours --out payments.csv --settle --reason "November"[/]

[cyan]commonsight collect pay ours --out payments.csv --last[/]  (the list of the last payment, again)"""

UNIT = 0.0001
"""What amounts in JSON are counted in, of the currency's own unit."""


class Payment(NamedTuple):
    """One line of the list."""

    worker: str
    amount: int
    """In ten-thousandths, as all money here."""
    reason: str


def command(
    folder: Folder,
    campaign: CampaignOption = None,
    out_file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="A list of payments, CSV, new.")
    ] = None,
    settle: Annotated[
        bool, typer.Option("--settle", help="Note that everyone was paid what they are owed.")
    ] = False,
    last: Annotated[
        bool, typer.Option("--last", help="The payment that was noted last, instead of what is owed.")
    ] = False,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="What the payment is called.")] = "",
    json: Json = False,
) -> None:
    """Show what everyone earned, was paid and is owed; with --settle, note that it is paid.

    Nothing here moves money: pay by the list, which --out writes. What was noted once is never owed again.
    """
    if settle and (out_file is None or last):
        raise UsageError("--settle notes a payment: give --out FILE for the list to pay by, and no --last.")
    if out_file is not None and out_file.exists():
        raise UsageError(f"{out_file} exists already, and it may be a list of payments. Name another file.")
    with opened(folder) as desk:
        campaign_id = campaign_of(desk, campaign)
        currency = _currency(desk, campaign_id)
        if out_file is None:
            _show(desk, campaign_id, currency, last=last, json=json)
            return
        payments = _last(desk, campaign_id) if last else _owed(desk, campaign_id, reason)
        if not payments:
            raise UsageError("Nobody was paid yet." if last else "Nobody is owed anything just now.")
        with new_file(out_file) as beside:
            _write(beside, payments, currency)  # where there is no room for a list, nothing is noted
            if settle:
                payments = _settled(desk, campaign_id, reason)
                _write_noted(beside, out_file, payments, currency)
    _tell(out_file, payments, currency, settle=settle, json=json)


def _currency(desk: Desk, campaign_id: int) -> str:
    from commonsight.collect.desk import campaign_in

    with desk.database.read() as session:
        return desk.protocol_of(campaign_in(session, campaign_id)).currency


def _owed(desk: Desk, campaign_id: int, reason: str) -> list[Payment]:
    from commonsight.collect.ledger import balances

    return [Payment(each.name, each.owed, reason) for each in balances(desk, campaign_id) if each.owed > 0]


def _last(desk: Desk, campaign_id: int) -> list[Payment]:
    from commonsight.collect.ledger import last_payment

    return [Payment(line.name, -line.amount, line.reason) for line in last_payment(desk, campaign_id)]


def _settled(desk: Desk, campaign_id: int, reason: str) -> list[Payment]:
    from commonsight.collect.ledger import pay_out

    paid = pay_out(desk, campaign_id, reason=reason, by=None)
    return [Payment(each.name, each.owed, reason) for each in paid]


def _write(path: Path, payments: Iterable[Payment], currency: str) -> None:
    from commonsight.collect.money import plain

    with path.open("w", encoding="utf-8", newline="") as stream:
        lines = csv.writer(stream, lineterminator="\n")
        lines.writerow(("worker", "amount", "currency", "reason"))
        lines.writerows((each.worker, plain(each.amount), currency, each.reason) for each in payments)


def _write_noted(beside: Path, path: Path, payments: Iterable[Payment], currency: str) -> None:
    try:
        _write(beside, payments, currency)
    except OSError as error:
        raise InputError(
            f"The payment is noted, but {path} cannot be written ({error.strerror or error}). Make room, "
            "then write the list with: commonsight collect pay FOLDER --last --out FILE"
        ) from error


def _tell(path: Path, payments: list[Payment], currency: str, *, settle: bool, json: bool) -> None:
    from commonsight.collect.money import money

    if json:
        rows = [payment._asdict() for payment in payments]
        print_json({"settled": settle, "currency": currency, "unit": UNIT, "payments": rows})
        return
    total = money(sum(payment.amount for payment in payments), currency)
    told = f"{path}: {plural(len(payments), 'payment')}, {total}" + (", noted as paid" if settle else "")
    out.print(visible(told), markup=False, soft_wrap=True)


def _show(desk: Desk, campaign_id: int, currency: str, *, last: bool, json: bool) -> None:
    from commonsight.collect.ledger import Balance, balances, money

    if last:
        found = [Balance(0, each.worker, 0, each.amount, 0) for each in _last(desk, campaign_id)]
    else:
        found = balances(desk, campaign_id)
    if json:
        rows = [balance._asdict() for balance in found]
        print_json({"campaign_id": campaign_id, "currency": currency, "unit": UNIT, "balances": rows})
        return
    sums = (sum(getattr(line, name) for line in found) for name in ("earned", "paid", "owed"))
    made = table("worker", "earned", "paid", "owed")
    for line in (*found, Balance(0, "all", *sums)):
        amounts = (money(amount, currency) for amount in (line.earned, line.paid, line.owed))
        made.add_row(visible(line.name), *amounts)
    out.print(made)
