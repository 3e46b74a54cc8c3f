"""Where keys come from, and that they show nowhere."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.errors import AnswererUnusable, InputError
from commonsight.vlm.keys import Key, find_key, redacted

SECRET = "sk-abcdefghijklmnop"
ADDRESS = "https://api.example.org/v1"


def test_a_key_shows_nowhere() -> None:
    key = Key(f" {SECRET}\n")
    for shown in (repr(key), str(key), f"{key}", f"{key!r:>30}", f"{[key]} {(key,)!r}"):
        assert SECRET not in shown
    assert key.reveal() == SECRET
    with pytest.raises(TypeError, match="a key is not pickled"):
        pickle.dumps(key)


@pytest.mark.parametrize("value", ["", "  ", "a b", "kéy", "a\x00b", "a\r\nX: y"])
def test_what_no_header_can_carry_is_no_key(value: str) -> None:
    with pytest.raises(AnswererUnusable, match="What FOO holds is not a key") as caught:
        Key(value, "What FOO holds")
    assert not value.strip() or value not in str(caught.value)


PRINTED = st.characters(min_codepoint=33, max_codepoint=126)


@given(st.text(PRINTED, min_size=8, max_size=40), st.text(), st.text())
def test_no_telling_piece_of_a_key_is_left(secret: str, before: str, after: str) -> None:
    key = Key(secret)
    hidden = key.redacted(f"{before}{secret[1:]}{after} {secret}")
    if secret not in "[key]":
        assert not any(secret[at : at + 8] in hidden for at in range(len(secret) - 7))


def test_text_without_the_key_stays_as_it_is() -> None:
    text = 'the server says: {"error": "nothing to hide"}'
    assert redacted(text, Key(SECRET)) == text
    assert redacted("Incorrect API key provided: sk-ab****wxyz.", None) == "Incorrect API key provided: [key]"


def test_a_key_comes_from_the_environment() -> None:
    environment = {"OPENAI_API_KEY": "one", "MINE": "two", "EMPTY": " "}
    found = find_key(ADDRESS, environment=environment)
    assert found is not None
    assert found.reveal() == "one"
    named = find_key(ADDRESS, variable="MINE", environment=environment)
    assert named is not None
    assert named.reveal() == "two"
    assert find_key(ADDRESS, environment={}) is None
    for name in ("EMPTY", "NONE"):
        with pytest.raises(AnswererUnusable, match=f"The environment variable {name} is not set"):
            find_key(ADDRESS, variable=name, environment=environment)


KEYRINGS = [
    "https://other.org = no\napi.example.org = yes\n",
    "# mine\n[keys]\nhttps://api.example.org/v1/chat = yes\n",
    '"https://api.example.org" = "yes"\n',
]


@pytest.mark.parametrize("text", KEYRINGS)
def test_a_key_comes_from_a_keyring(tmp_path: Path, text: str) -> None:
    ring = tmp_path / "keys"
    ring.write_text(text)
    ring.chmod(0o600)
    found = find_key(ADDRESS, keyring=ring, environment={"OPENAI_API_KEY": "one"})
    assert found is not None
    assert found.reveal() == "yes"
    with pytest.raises(AnswererUnusable, match=r"holds no key for localhost:8000\. Add a line: "):
        find_key("http://localhost:8000/v1", keyring=ring)


def test_a_keyring_that_others_can_read_is_refused(tmp_path: Path) -> None:
    ring = tmp_path / "keys"
    ring.write_text(KEYRINGS[0])
    ring.chmod(0o640)
    with pytest.raises(InputError, match=r"can be read by others\. Protect it first: chmod 600"):
        find_key(ADDRESS, keyring=ring)


@pytest.mark.parametrize("text", [f"[keys\n{SECRET}\n", f"[a]\n  {SECRET}\n[a\n= {SECRET}\n"])
def test_a_broken_keyring_is_not_quoted(tmp_path: Path, text: str) -> None:
    ring = tmp_path / "keys"
    ring.write_text(text)
    ring.chmod(0o600)
    with pytest.raises(InputError) as caught:
        find_key(ADDRESS, keyring=ring)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_missing_keyring_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        find_key(ADDRESS, keyring=tmp_path / "none")
