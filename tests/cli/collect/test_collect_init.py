"""`collect init`, `state` and `password`: collections, campaigns and their owners."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from people import PASSWORD
from sqlalchemy import select

from commonsight.benchmarks.protocols import BY_NAME
from commonsight.collect.accounts import find_user, sign_in
from commonsight.collect.campaigns import Membership, membership
from commonsight.collect.desk import Desk
from commonsight.collect.folder import open_folder
from commonsight.collect.tables import Campaign

Run = Callable[..., Any]
PILOT = ("--protocol", "vcr", "--name", "pilot")


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """Where no collection is yet."""
    return tmp_path / "new"


def _look(folder: Path, at: Callable[[Desk], Any]) -> Any:
    desk = open_folder(folder, BY_NAME)
    try:
        return at(desk)
    finally:
        desk.database.close()


def _campaigns(folder: Path) -> dict[str, Campaign]:
    def at(desk: Desk) -> dict[str, Campaign]:
        with desk.database.read() as session:
            return {one.name: one for one in session.scalars(select(Campaign))}

    return _look(folder, at)


def _memberships(folder: Path, name: str) -> list[Membership]:
    def at(desk: Desk) -> list[Membership]:
        found = find_user(desk, name)
        return [] if found is None else membership(desk, found.user_id)

    return _look(folder, at)


def test_a_collection_and_its_first_campaign(run: Run, new: Path) -> None:
    told = run(
        "collect", "init", new, *PILOT, "--owner", "Ann", "--set", "least_triplets=2", "--set",
        "review_share=0.5", "--budget", "1,250.50", "--gold-rate", "0.1", "--seed", 7,
    )  # fmt: skip
    assert told.code == 0
    assert f"{new}: a new collection" in told.out
    assert "campaign 'pilot' by VCR (visual commonsense), owned by Ann" in told.out
    assert PASSWORD not in told.out + told.err
    made = _campaigns(new)["pilot"]
    assert made.settings == {"least_triplets": 2, "review_share": 0.5}
    assert (made.budget, made.gold_rate, made.seed) == (12_505_000, 0.1, 7)
    assert [(one.name, one.role) for one in _memberships(new, "ann")] == [("pilot", "owner")]
    assert _look(new, lambda desk: sign_in(desk, "ann", PASSWORD))


def test_init_again_adds_a_campaign(run: Run, new: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("collect", "init", new, *PILOT, "--owner", "ann")
    monkeypatch.delenv("COMMONSIGHT_PASSWORD")  # who is known is not asked again
    told = run("collect", "init", new, "--protocol", "pmr", "--name", "second", "--owner", "ANN")
    assert told.code == 0
    assert "its tables are up to date" in told.out
    assert [one.name for one in _memberships(new, "ann")] == ["pilot", "second"]
    told = run("collect", "init", new, *PILOT)
    assert (told.code, "a campaign 'pilot' already" in told.err) == (2, True)
    assert run("collect", "init", new).code == 0


def test_a_collection_on_either_database(
    run: Run, new: Path, empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUR_DATABASE", empty_database_url)
    assert run("collect", "init", new, *PILOT, "--database", "env:OUR_DATABASE").code == 0
    assert list(_campaigns(new)) == ["pilot"]
    assert empty_database_url not in (new / "collect.json").read_text()
    told = run("collect", "init", new, *PILOT, "--database", "env:OUR_DATABASE")
    assert (told.code, "has a database already" in told.err) == (2, True)
    assert run("collect", "state", new, "pilot", "paused").code == 0
    assert _campaigns(new)["pilot"].state == "paused"
    told = run("collect", "state", new, "pilot", "asleep")
    assert (told.code, "running, paused, finished" in told.err) == (2, True)
    told = run("collect", "state", new, "other", "paused")
    assert (told.code, "There is no campaign 'other'. There is: 'pilot'." in told.err) == (2, True)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--protocol", "vcr"], "give both --protocol and --name"),
        (["--name", "x"], "give both --protocol and --name"),
        (["--owner", "ann"], "give --protocol and --name, too"),
        (["--protocol", "other", "--name", "x"], "'other' is no protocol. Choose one of: vcr"),
        ([*PILOT, "--set", "speed=3"], "'vcr' has no setting 'speed'"),
        ([*PILOT, "--set", "least_triplets=many"], "is a whole number (by default 1), not 'many'"),
        ([*PILOT, "--set", "least_triplets"], "Write name=value"),
        ([*PILOT, "--budget", "a lot"], "'a lot' is no amount of money"),
        ([*PILOT, "--owner", "a b"], "A name has 3 to 64 letters"),
        (["--protocol", "vcr", "--name", "\x1b[31m"], "A campaign's name has 1 to 120"),
        ([*PILOT, "--gold-rate", "2"], "Invalid value for '--gold-rate'"),
        ([*PILOT, "--database", "mysql://host/name"], "'mysql' is no database that we know"),
        ([*PILOT, "--database", "postgresql://a:hunter2@h/n"], "--database env:NAME"),
    ],
)
def test_what_makes_no_campaign_leaves_no_folder(run: Run, new: Path, options: list[str], why: str) -> None:
    told = run("collect", "init", new, *options)
    assert told.code == 2
    assert why in " ".join(told.err.split())
    assert "hunter2" not in told.err
    assert not new.exists()


def test_a_password_comes_from_a_file(
    run: Run, new: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COMMONSIGHT_PASSWORD")
    secret = tmp_path / "secret.txt"
    secret.write_text("the words of a file\nand more\n")
    told = run("collect", "init", new, *PILOT, "--owner", "ann", "--password-file", secret)
    assert told.code == 0
    assert _look(new, lambda desk: sign_in(desk, "ann", "the words of a file"))
    secret.write_text("")
    told = run("collect", "password", new, "ann", "--password-file", secret)
    assert (told.code, "is empty" in told.err) == (2, True)
    secret.write_text("short")
    told = run("collect", "password", new, "ann", "--password-file", secret)
    assert (told.code, "10 to 200 characters" in told.err) == (2, True)
    told = run("collect", "password", new, "ann", "--password-file", tmp_path / "none")
    assert (told.code, "Check the path" in told.err) == (2, True)


def test_a_password_is_typed_without_being_shown(
    run: Run, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COMMONSIGHT_PASSWORD")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    asked = []

    def typed(prompt: str, **options: object) -> str:
        asked.append((prompt, options["hide_input"], options["confirmation_prompt"]))
        return "typed without a sound"

    monkeypatch.setattr("typer.prompt", typed)
    assert run("collect", "init", new, *PILOT, "--owner", "ann").code == 0
    assert asked == [("Password of ann", True, True)]
    assert _look(new, lambda desk: sign_in(desk, "ann", "typed without a sound"))


def test_where_nobody_can_be_asked_no_campaign_is_made(
    run: Run, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COMMONSIGHT_PASSWORD")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    told = run("collect", "init", new, *PILOT, "--owner", "ann")
    assert (told.code, "no one to ask for ann's password" in told.err) == (2, True)
    assert _campaigns(new) == {}


def test_a_forgotten_password_and_a_locked_door(run: Run, new: Path) -> None:
    run("collect", "init", new, *PILOT, "--owner", "ann")
    told = run("collect", "password", new, "bob")
    assert (told.code, "Nobody here is called 'bob'" in told.err) == (2, True)
    assert run("collect", "password", new, "ann").code == 0
    assert run("collect", "password", new, "ann", "--lock").code == 0
    from commonsight.errors import WorkRefused

    with pytest.raises(WorkRefused):
        _look(new, lambda desk: sign_in(desk, "ann", PASSWORD))


def test_what_is_no_collection_says_how_to_make_one(run: Run, tmp_path: Path) -> None:
    for verb, *more in (("state", "x", "paused"), ("invite", "x"), ("import", "y"), ("serve",)):
        told = run("collect", verb, tmp_path, *more)
        assert (told.code, "commonsight collect init" in told.err) == (2, True)


def test_without_the_extra_it_is_named(run: Run, new: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "argon2", None)
    told = run("collect", "init", new, *PILOT)
    assert (told.code, "pip install 'commonsight[serve]'" in told.err) == (1, True)
