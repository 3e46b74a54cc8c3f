"""People: their names, their passwords, and the browsers that they are signed in with.

A password is kept as an argon2 hash, a browser's secret as a SHA-256 of it: who reads the database can sign
in as nobody. Someone who guesses names learns nothing from an answer, nor from how long it takes.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from functools import cache
from threading import BoundedSemaphore
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from commonsight.collect.desk import SECOND, Desk
from commonsight.collect.tables import SignIn, User
from commonsight.errors import UsageError, WorkRefused

SESSION_SECONDS = 14 * 24 * 3600
"""How long a browser stays signed in."""
LEAST_PASSWORD, MOST_PASSWORD = 10, 200
HASHER = PasswordHasher()
"""With the library's own numbers (RFC 9106, the second choice): 64 MiB a password."""

_NAME = re.compile(r"[A-Za-z0-9._-]{3,64}")
_AT_ONCE = BoundedSemaphore(4)
"""Passwords that are hashed at the same time: each takes so much memory that a crowd could use it all up."""


class Who(NamedTuple):
    """A person, as pages and verbs know them."""

    user_id: int
    name: str


def checked_name(name: str) -> str:
    """A name as it is kept, in small letters, so that no two differ only in their size."""
    if not _NAME.fullmatch(name):
        raise UsageError("A name has 3 to 64 letters, digits, dots, dashes or underscores. Choose another.")
    return name.lower()


def checked_password(password: str, name: str = "") -> str:
    """A password that may be set, in the one spelling that Unicode has for it."""
    if not LEAST_PASSWORD <= len(password) <= MOST_PASSWORD:
        raise UsageError(
            f"A password has {LEAST_PASSWORD} to {MOST_PASSWORD} characters. Choose another: some words "
            "that do not belong together are easy to remember."
        )
    if name and password.lower() == name.lower():
        raise UsageError("A password must not be the name. Choose another.")
    if not _is_text(password):
        raise UsageError("A password must be text. Choose another.")
    return unicodedata.normalize("NFC", password)


def make_user(desk: Desk, name: str, password: str) -> Who:
    """A new person."""
    kept = checked_name(name)
    hashed = hash_password(checked_password(password, kept))

    def work(session: Session) -> Who:
        user = User(name=kept, password=hashed, made_at=desk.clock(), disabled=False)
        session.add(user)
        try:
            session.flush()
        except IntegrityError as error:
            raise WorkRefused("name-taken", f"Someone is called '{kept}' already. Choose another.") from error
        return Who(user.id, kept)

    return desk.database.write(work)


def sign_in(desk: Desk, name: str, password: str) -> str:
    """A new secret for a browser to keep."""
    asked = name.lower() if _NAME.fullmatch(name) else ""
    with desk.database.read() as session:
        user = session.scalar(select(User).where(User.name == asked))
    known = user is not None and not user.disabled
    right = _verified(user.password if user is not None and known else _nobodys(), password)
    if user is None or not known or not right:
        raise WorkRefused("wrong-password", "This name and this password do not go together. Try again.")
    token, csrf, now = secrets.token_urlsafe(32), secrets.token_urlsafe(32), desk.clock()
    again = HASHER.check_needs_rehash(user.password)
    hashed = hash_password(unicodedata.normalize("NFC", password)) if again else user.password

    def work(session: Session) -> None:
        session.execute(delete(SignIn).where(SignIn.user_id == user.id, SignIn.ends_at <= now))
        ends_at = now + SESSION_SECONDS * SECOND
        session.add(
            SignIn(secret=_digest(token), user_id=user.id, csrf=csrf, made_at=now, ends_at=ends_at)
        )
        if again and (kept := session.get(User, user.id)) is not None and kept.password == user.password:
            kept.password = hashed

    desk.database.write(work)
    return token


def who(desk: Desk, token: str) -> tuple[Who, str] | None:
    """Whose browser has this secret, and what its forms must carry; None once that is over."""
    if not _is_text(token):
        return None
    found = (
        select(User.id, User.name, SignIn.csrf)
        .join(SignIn, SignIn.user_id == User.id)
        .where(SignIn.secret == _digest(token), SignIn.ends_at > desk.clock(), User.disabled.is_(False))
    )
    with desk.database.read() as session:
        row = session.execute(found).one_or_none()
    return None if row is None else (Who(row.id, row.name), row.csrf)


def sign_out(desk: Desk, token: str) -> None:
    """This browser's secret is worth nothing any more."""
    if _is_text(token):
        gone = delete(SignIn).where(SignIn.secret == _digest(token))
        desk.database.write(lambda session: session.execute(gone))


def end_all(desk: Desk, user_id: int) -> None:
    """Sign a person out everywhere."""
    desk.database.write(lambda session: _end_all_in(session, user_id))


def change_password(desk: Desk, user_id: int, old: str, new: str, *, keep: str | None = None) -> None:
    """Another password, for who knows the old one. Every browser is signed out, but the one with `keep`."""
    with desk.database.read() as session:
        user = session.get(User, user_id)
    if user is None or not _verified(user.password, old):
        raise WorkRefused("wrong-password", "The old password is not this one. Try again.")
    hashed = hash_password(checked_password(new, user.name))

    def work(session: Session) -> None:
        session.get_one(User, user_id).password = hashed
        _end_all_in(session, user_id, keep)

    desk.database.write(work)


def reset_password(desk: Desk, name: str, new: str) -> None:
    """Another password, by whoever has the folder: for people who forgot theirs."""
    hashed = hash_password(checked_password(new, name))

    def work(session: Session) -> None:
        user = _named_in(session, name)
        user.password = hashed
        _end_all_in(session, user.id)

    desk.database.write(work)


def disable(desk: Desk, name: str) -> None:
    """Nobody signs in by this name any more, and who is signed in is so no longer."""

    def work(session: Session) -> None:
        user = _named_in(session, name)
        user.disabled = True
        _end_all_in(session, user.id)

    desk.database.write(work)


def find_user(desk: Desk, name: str) -> Who | None:
    """The person of this name."""
    with desk.database.read() as session:
        user = session.scalar(select(User).where(User.name == name.lower()))
    return None if user is None else Who(user.id, user.name)


def right_password(desk: Desk, user_id: int, password: str) -> bool:
    """Whether it is theirs: asked again before something that cannot be taken back."""
    with desk.database.read() as session:
        user = session.get(User, user_id)
    return user is not None and not user.disabled and _verified(user.password, password)


def hash_password(password: str) -> str:
    """What the database keeps of it."""
    with _AT_ONCE:
        return HASHER.hash(password)


def _verified(hashed: str, password: str) -> bool:
    if not _is_text(password) or len(password) > MOST_PASSWORD:
        password = ""  # which nobody's is, and it takes as long to find out
    try:
        with _AT_ONCE:
            return HASHER.verify(hashed, unicodedata.normalize("NFC", password))
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobodys() -> str:
    """A hash to check against where there is no such name, so that it takes as long."""
    return hash_password(secrets.token_urlsafe(32))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _is_text(text: str) -> bool:
    """Half a surrogate pair cannot be encoded, and nobody types one."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _named_in(session: Session, name: str) -> User:
    user = session.scalar(select(User).where(User.name == name.lower()))
    if user is None:
        raise UsageError(f"Nobody here is called '{name}'.")
    return user


def _end_all_in(session: Session, user_id: int, keep: str | None = None) -> None:
    ended = delete(SignIn).where(SignIn.user_id == user_id)
    session.execute(ended if keep is None else ended.where(SignIn.secret != _digest(keep)))
