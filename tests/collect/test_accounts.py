"""Names, passwords, and the browsers that are signed in."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from people import CHEAP, PASSWORD, HandClock, person
from sqlalchemy import select

from commonsight.collect import accounts
from commonsight.collect.desk import Desk
from commonsight.collect.tables import SignIn, User
from commonsight.errors import UsageError, WorkRefused

NAME_LETTERS = string.ascii_letters + string.digits + "._-"


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "HASHER", CHEAP)


def test_a_person_signs_in_and_out(desk: Desk) -> None:
    made = accounts.make_user(desk, "Ann", PASSWORD)
    assert made.name == "ann"
    token = accounts.sign_in(desk, "ANN", PASSWORD)
    found = accounts.who(desk, token)
    assert found is not None
    assert found[0] == made
    assert len(found[1]) >= 32
    other = accounts.sign_in(desk, "ann", PASSWORD)
    assert other != token
    accounts.sign_out(desk, token)
    assert accounts.who(desk, token) is None
    assert accounts.who(desk, other) is not None
    accounts.end_all(desk, made.user_id)
    assert accounts.who(desk, other) is None


def test_the_database_keeps_no_secret(desk: Desk) -> None:
    accounts.make_user(desk, "ann", PASSWORD)
    token = accounts.sign_in(desk, "ann", PASSWORD)
    with desk.database.read() as session:
        kept = session.scalars(select(User.password)).one(), session.scalars(select(SignIn.secret)).one()
    assert kept[0].startswith("$argon2id$")
    assert PASSWORD not in kept[0]
    assert token not in kept[1]


def test_real_hashes_take_what_the_library_advises() -> None:
    from argon2 import PasswordHasher

    assert PasswordHasher().memory_cost >= 64 * 1024


def test_a_name_is_given_once_whatever_its_letters(desk: Desk) -> None:
    accounts.make_user(desk, "ann", PASSWORD)
    with pytest.raises(WorkRefused, match="'ann' already") as raised:
        accounts.make_user(desk, "ANN", "another password")
    assert raised.value.code == "name-taken"


@pytest.mark.parametrize(
    ("name", "password"),
    [("ann", "wrong horse battery"), ("bob", PASSWORD), ("", ""), ("a\0b", "\ud800"), ("ann", "x" * 10_000)],
)
def test_wrong_names_and_wrong_passwords_look_alike(desk: Desk, name: str, password: str) -> None:
    accounts.make_user(desk, "ann", PASSWORD)
    with pytest.raises(WorkRefused, match="do not go together") as raised:
        accounts.sign_in(desk, name, password)
    assert raised.value.code == "wrong-password"


def test_an_unknown_name_is_hashed_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes the time is done for every name, so that the time tells nothing."""
    person(desk, "ann")
    person(desk, "gone")
    accounts.disable(desk, "gone")
    checked = []

    class Counting:
        def __getattr__(self, name: str) -> object:
            return getattr(CHEAP, name)

        def verify(self, hashed: str, password: str) -> bool:
            checked.append(hashed)
            return CHEAP.verify(hashed, password)

    monkeypatch.setattr(accounts, "HASHER", Counting())
    for name in ("ann", "nobody", "gone", "no name!"):
        with pytest.raises(WorkRefused):
            accounts.sign_in(desk, name, "wrong horse battery")
    assert len(checked) == 4


def test_a_sign_in_ends_and_makes_room(desk: Desk, clock: HandClock) -> None:
    person(desk, "ann")
    token = accounts.sign_in(desk, "ann", PASSWORD)
    clock.pass_seconds(accounts.SESSION_SECONDS - 1)
    assert accounts.who(desk, token) is not None
    clock.pass_seconds(1)
    assert accounts.who(desk, token) is None
    accounts.sign_in(desk, "ann", PASSWORD)
    with desk.database.read() as session:
        assert len(session.scalars(select(SignIn)).all()) == 1


def test_another_password_ends_other_browsers(desk: Desk) -> None:
    user_id = person(desk, "ann")
    mine, other = accounts.sign_in(desk, "ann", PASSWORD), accounts.sign_in(desk, "ann", PASSWORD)
    with pytest.raises(WorkRefused, match="old password"):
        accounts.change_password(desk, user_id, "not the old one", "a new password")
    with pytest.raises(UsageError, match="10 to 200"):
        accounts.change_password(desk, user_id, PASSWORD, "short")
    accounts.change_password(desk, user_id, PASSWORD, "a new password", keep=mine)
    assert accounts.who(desk, mine) is not None
    assert accounts.who(desk, other) is None
    assert accounts.right_password(desk, user_id, "a new password")
    assert not accounts.right_password(desk, user_id, PASSWORD)


def test_a_forgotten_password_is_set_by_the_folders_owner(desk: Desk) -> None:
    person(desk, "ann")
    token = accounts.sign_in(desk, "ann", PASSWORD)
    accounts.reset_password(desk, "Ann", "a new password")
    assert accounts.who(desk, token) is None
    assert accounts.sign_in(desk, "ann", "a new password")
    with pytest.raises(UsageError, match="Nobody here is called 'bob'"):
        accounts.reset_password(desk, "bob", "a new password")


def test_who_is_disabled_is_out_at_once(desk: Desk) -> None:
    user_id = person(desk, "ann")
    token = accounts.sign_in(desk, "ann", PASSWORD)
    accounts.disable(desk, "ann")
    assert accounts.who(desk, token) is None
    assert not accounts.right_password(desk, user_id, PASSWORD)
    with pytest.raises(WorkRefused, match="do not go together"):
        accounts.sign_in(desk, "ann", PASSWORD)


def test_an_old_hash_is_made_anew_at_sign_in(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from argon2 import PasswordHasher

    person(desk, "ann")
    stronger = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    monkeypatch.setattr(accounts, "HASHER", stronger)
    accounts.sign_in(desk, "ann", PASSWORD)
    with desk.database.read() as session:
        assert not stronger.check_needs_rehash(session.scalars(select(User.password)).one())
    assert accounts.sign_in(desk, "ann", PASSWORD)


def test_a_password_typed_on_another_machine_is_the_same(desk: Desk) -> None:
    """é is one character or two, depending on who typed it."""
    accounts.make_user(desk, "ann", "caf\u00e9 au lait")
    assert accounts.sign_in(desk, "ann", "cafe\u0301 au lait")


@pytest.mark.parametrize("token", ["", "x", "\ud800", "é" * 50, "0" * 64])
def test_a_made_up_secret_is_nobodys(desk: Desk, token: str) -> None:
    person(desk, "ann")
    accounts.sign_in(desk, "ann", PASSWORD)
    assert accounts.who(desk, token) is None
    accounts.sign_out(desk, token)


@given(st.text(NAME_LETTERS, min_size=3, max_size=64))
def test_good_names_are_kept_in_small_letters(name: str) -> None:
    assert accounts.checked_name(name) == name.lower()


@given(st.text())
def test_no_other_name_is_taken(name: str) -> None:
    if 3 <= len(name) <= 64 and set(name) <= set(NAME_LETTERS):
        return
    with pytest.raises(UsageError, match="3 to 64"):
        accounts.checked_name(name)


@given(st.text(st.characters(), min_size=10, max_size=200))
def test_a_password_of_any_text_is_taken(password: str) -> None:
    if any("\ud800" <= letter <= "\udfff" for letter in password):
        with pytest.raises(UsageError, match="must be text"):
            accounts.checked_password(password)
    else:
        kept = accounts.checked_password(password)
        assert CHEAP.verify(CHEAP.hash(kept), kept)


@given(st.one_of(st.text(max_size=9), st.text(min_size=201, max_size=300)))
def test_a_password_that_is_short_or_endless_is_refused(password: str) -> None:
    with pytest.raises(UsageError, match="10 to 200"):
        accounts.checked_password(password)


def test_a_password_is_not_the_name() -> None:
    with pytest.raises(UsageError, match="must not be the name"):
        accounts.checked_password("Bartholomew", "bartholomew")
