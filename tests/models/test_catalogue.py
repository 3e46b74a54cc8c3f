"""Networks are found by name, and each says what it is."""

from __future__ import annotations

import re

import pytest

from commonsight.errors import UsageError
from commonsight.models.catalogue import ALL, find
from commonsight.models.catalogue_entry import Entry


def test_names_are_what_people_type_and_no_two_alike() -> None:
    names = [entry.name for entry in ALL]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)
    assert len({entry.title for entry in ALL}) == len(ALL)


def test_every_network_that_learns_says_whose_it_is() -> None:
    for entry in ALL:
        assert not entry.learns or re.search(r"\(\d{4}\)\. .+\. https://", entry.citation), entry.name
        assert not entry.note or entry.note.endswith("."), entry.name


@pytest.mark.parametrize("entry", ALL, ids=[entry.name for entry in ALL])
def test_each_is_found_by_its_name(entry: Entry) -> None:
    assert find(entry.name) is entry


def test_a_wrong_name_is_told_what_comes_close() -> None:
    with pytest.raises(UsageError, match=r"There is no network 'Mutn'\. Did you mean mutan\?"):
        find("Mutn")
    with pytest.raises(UsageError, match="Did you mean bert-response-only"):
        find("bert_response")
    with pytest.raises(UsageError, match=r"'zzzz'\. Choose one of chance, bert, .*mutan"):
        find("zzzz")
