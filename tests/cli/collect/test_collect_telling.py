"""`collect status`, `agreement`, `pay`, `export` and `webhook`: what a campaign tells, and to whom."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from laid_down import lay_record, lay_task
from people import picture, worker
from sqlalchemy.orm import Session

from commonsight.benchmarks.protocols import BY_NAME
from commonsight.build.matching.raw import read_raw
from commonsight.cli.collect import pay, status
from commonsight.collect.desk import Desk, campaign_named
from commonsight.collect.folder import open_folder
from commonsight.collect.ledger import balances, enter_in
from commonsight.collect.pictures import keep
from commonsight.collect.protocol import worker_name
from commonsight.collect.signing import secret_of
from commonsight.collect.tables import Webhook

Run = Callable[..., Any]
GOOD, BAD = {"good_enough": "yes"}, {"good_enough": "no"}


@pytest.fixture
def desk(ours: Path) -> Iterator[Desk]:
    desk = open_folder(ours, BY_NAME)
    yield desk
    desk.database.close()


@pytest.fixture
def pilot(desk: Desk) -> int:
    """The campaign with two writers, four records, and votes on three of them."""
    with desk.database.read() as session:
        campaign = campaign_named(session, "pilot").id
    zoe, ann = (worker(desk, campaign, name) for name in ("zoe", "ann"))
    shown = keep(desk, picture())
    for number in range(4):
        task, by = lay_task(desk, campaign, "write", f"{number}", {zoe: {}}, state="done", wanted=1)
        lay_record(desk, campaign, task, f"{number}", _triplet(number, shown.hash, zoe), by)
        if number:
            second = GOOD if number > 1 else BAD
            lay_task(desk, campaign, "review", f"{number}", {zoe: GOOD, ann: second}, state="done", wanted=2)

    def earn(session: Session) -> None:
        enter_in(session, desk, campaign, zoe, 12_345, "work", stage="write")
        enter_in(session, desk, campaign, ann, 500, "work", stage="review")

    desk.database.write(earn)
    return campaign


def _triplet(number: int, shown: str, writer: int) -> dict[str, Any]:
    """A record as VCR's protocol makes them."""
    region = {"label": "person", "box": [1.0, 2.0, 30.0, 40.0]}
    groups = {"movie": f"m{number}", "image": f"{number}.png"}
    return {
        "picture": {"picture": shown, "width": 64, "height": 48, "alt": "", "regions": [region]},
        "source": {"image": "room.png", "split": "", "groups": groups, "metadata_fn": "room.json"},
        "question": f"Why is [person1] {number} here?", "answer": f"[person1] wants {number} of them.",
        "rationale": f"[person1] looks at {number} things.", "likelihood": "likely", "scores": [1],
        "number": number, "writer": worker_name(writer),
    }  # fmt: skip


def test_the_status_for_people_and_for_programs(run: Run, ours: Path, pilot: int) -> None:
    told = run("collect", "status", ours)
    assert told.code == 0
    lines = told.out.splitlines()
    assert lines[0].startswith("pilot, by vcr, is running")
    assert lines[2].split() == ["write", "0", "0", "4", "0", "0", "4", "4"]
    assert "4 records; about 0 answers left" in told.out
    assert "2 workers; 2 active in the last hour" in told.out
    assert "earned $1.2845, up to $0.00 under way; about $1.2845 in all, $0.3211 a record" in told.out
    found = run("collect", "status", ours, "--campaign", "pilot", "--json").json
    assert (found["campaign_id"], found["records"], found["estimate"]["spent"]) == (pilot, 4, 12_845)
    assert [stage["name"] for stage in found["stages"]] == ["write", "review"]


def test_a_status_that_is_watched(
    run: Run, ours: Path, pilot: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []

    def sleep(seconds: float) -> None:
        looks.append(seconds)
        if len(looks) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(status.time, "sleep", sleep)
    told = run("collect", "status", ours, "--watch")
    assert (told.code, looks) == (130, [status.EVERY] * 3)
    assert "pilot, by vcr" in told.out
    told = run("collect", "status", ours, "--watch", "--json")
    assert (told.code, "--json for programs" in told.err) == (2, True)
    assert pilot


def test_what_waits_for_reviewers(run: Run, ours: Path, desk: Desk, pilot: int) -> None:
    lay_task(desk, pilot, "review", "odd", state="disputed")
    assert "waiting for a reviewer: 1 dispute" in run("collect", "status", ours).out
    lay_task(desk, pilot, "review", "odder", state="disputed")
    assert "waiting for a reviewer: 2 disputes" in run("collect", "status", ours).out


def test_agreement_by_hand(run: Run, ours: Path, pilot: int) -> None:
    """Votes: good bad, good good, good good. Pairs that agree: 2 of 3; 5 of 6 are good."""
    told = run("collect", "agreement", ours)
    assert told.code == 0
    assert told.out.split()[:7] == ["stage", "field", "alpha", "kappa", "agree", "tasks", "votes"]
    found = run("collect", "agreement", ours, "--json").json
    (field,) = found["fields"]
    chance = (5 / 6) ** 2 + (1 / 6) ** 2
    assert (field["stage"], field["field"], found["campaign"]) == ("review", "good_enough", "pilot")
    assert field["agreement"]["percent"]["value"] == pytest.approx(2 / 3)
    assert field["agreement"]["kappa"]["value"] == pytest.approx((2 / 3 - chance) / (1 - chance))
    assert field["agreement"]["alpha"]["value"] == pytest.approx(1 - 5 * 2 / (5 + 5))
    assert pilot


def test_a_payment_is_listed_and_noted_once(
    run: Run, ours: Path, tmp_path: Path, desk: Desk, pilot: int
) -> None:
    told = run("collect", "pay", ours)
    assert [line.split() for line in told.out.splitlines()] == [
        ["worker", "earned", "paid", "owed"], ["ann", "$0.05", "$0.00", "$0.05"],
        ["zoe", "$1.2345", "$0.00", "$1.2345"], ["all", "$1.2845", "$0.00", "$1.2845"],
    ]  # fmt: skip
    path = tmp_path / "payments.csv"
    assert run("collect", "pay", ours, "--out", path).out == f"{path}: 2 payments, $1.2845\n"
    path.unlink()
    told = run("collect", "pay", ours, "--out", path, "--settle", "--reason", "June, first")
    assert (told.code, told.out) == (0, f"{path}: 2 payments, $1.2845, noted as paid\n")
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert rows == [
        {"worker": "ann", "amount": "0.05", "currency": "USD", "reason": "June, first"},
        {"worker": "zoe", "amount": "1.2345", "currency": "USD", "reason": "June, first"},
    ]
    assert [balance.owed for balance in balances(desk, pilot)] == [0, 0]
    told = run("collect", "pay", ours, "--out", tmp_path / "more.csv", "--settle")
    assert (told.code, "Nobody is owed anything" in told.err) == (2, True)
    run("collect", "pay", ours, "--out", tmp_path / "again.csv", "--last")
    assert (tmp_path / "again.csv").read_bytes() == path.read_bytes()
    told = run("collect", "pay", ours, "--json").json
    assert [row["paid"] for row in told["balances"]] == [500, 12_345]


def test_a_full_disk_says_what_to_do_about_a_payment(
    run: Run, ours: Path, tmp_path: Path, desk: Desk, pilot: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no room at all nothing is noted; when it runs out in between, the list can be had again."""
    real, left = pay._write, [0]

    def write(*arguments: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        real(*arguments)

    monkeypatch.setattr(pay, "_write", write)
    path = tmp_path / "payments.csv"
    with pytest.raises(OSError, match="No space"):
        run("collect", "pay", ours, "--out", path, "--settle")
    assert sum(balance.owed for balance in balances(desk, pilot)) == 12_845
    left[0] = 1
    told = run("collect", "pay", ours, "--out", path, "--settle")
    assert (told.code, path.exists()) == (2, False)
    assert "The payment is noted" in told.err
    assert "--last --out FILE" in told.err
    left[0] = 1
    assert run("collect", "pay", ours, "--out", path, "--last").code == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--settle"], "give --out FILE"),
        (["--out", "new.csv", "--settle", "--last"], "no --last"),
        (["--out", "there.csv"], "exists already"),
        (["--out", "new.csv", "--last"], "Nobody was paid yet"),
    ],
)
def test_payments_that_are_refused(
    run: Run, ours: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], told: str
) -> None:
    (tmp_path / "there.csv").write_text("worker\n")
    monkeypatch.chdir(tmp_path)
    found = run("collect", "pay", ours, *options)
    assert (found.code, told in found.err) == (2, True)
    assert not (tmp_path / "new.csv").exists()


def test_exports(run: Run, ours: Path, tmp_path: Path, pilot: int) -> None:
    made, raw, every = (tmp_path / name for name in ("made", "raw.jsonl", "all.jsonl"))
    sheet = tmp_path / "sheet.toml"
    sheet.write_text('funding = "A grant."')
    told = run(
        "collect", "export", ours, "--out", made, "--raw", raw, "--all", every, "--split", "val",
        "--datasheet", sheet, "--pictures", tmp_path / "images",
    )  # fmt: skip
    assert told.out.splitlines() == [
        f"{made}: 4 items (val 4), 1 images", f"{raw}: 4 records", f"{tmp_path / 'images'}: 1 picture",
        f"{every}: 10 assignments",
    ]  # fmt: skip
    assert run("validate", made).code == 0
    assert "A grant." in (made / "README.md").read_text()
    assert len(read_raw(raw)) == 4
    assert json.loads(every.read_bytes().splitlines()[0])["worker"] == "w1"
    for path in (raw, every):
        assert "zoe" not in path.read_text()
    for option, path in (("--out", made), ("--raw", raw), ("--all", every)):
        again = run("collect", "export", ours, option, path)
        assert (again.code, "exists already" in again.err) == (2, True)
        assert run("collect", "export", ours, option, path, "--overwrite").code == 0
    assert pilot


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "Give --out DIR"),
        (["--out", "made", "--pictures", "images"], "give --raw FILE, too"),
        (["--out", "made"], "no finished record"),
        (["--raw", "raw.jsonl"], "no finished record"),
        (["--out", "made", "--split", "../x"], "a split's name"),
        (["--campaign", "other", "--raw", "raw.jsonl"], "no campaign 'other'"),
    ],
)
def test_exports_that_are_refused(
    run: Run, ours: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    found = run("collect", "export", ours, *options)
    assert (found.code, told in found.err) == (2, True)
    assert set(tmp_path.iterdir()) == before


def test_webhooks_come_and_go(run: Run, ours: Path, desk: Desk) -> None:
    url = "https://example.org/hook"
    told = run("collect", "webhook", ours, "--add", url, "--kinds", "record, erratum")
    secret = told.out.strip()
    with desk.database.read() as session:
        hook = session.get_one(Webhook, 1)
        assert secret == secret_of(desk.secret, hook.salt)
        assert (hook.kinds, hook.private) == (["erratum", "record"], False)
    listed = run("collect", "webhook", ours)
    assert url in listed.out
    assert secret not in listed.out
    made = run("collect", "webhook", ours, "--add", "http://127.0.0.1:9/", "--allow-private", "--json").json
    found = run("collect", "webhook", ours, "--json").json["webhooks"]
    assert [hook["id"] for hook in found] == [1, made["id"]]
    run("collect", "webhook", ours, "--remove", 1)
    assert [hook["id"] for hook in run("collect", "webhook", ours, "--json").json["webhooks"]] == [made["id"]]


@pytest.mark.parametrize(
    ("options", "told", "code"),
    [
        (["--add", "http://127.0.0.1/"], "open web", 2),
        (["--add", "https://example.org/", "--kinds", "rain"], "no events of the kind 'rain'", 2),
        (["--add", "https://example.org/", "--remove", "1"], "One thing at a time", 2),
        (["--kinds", "record"], "give --add URL", 2),
        (["--remove", "9"], "no such webhook", 1),
    ],
)
def test_webhooks_that_are_refused(run: Run, ours: Path, options: list[str], told: str, code: int) -> None:
    found = run("collect", "webhook", ours, *options)
    assert (found.code, told in found.err) == (code, True)
