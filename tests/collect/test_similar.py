"""The nearest earlier texts: found, kept up to date, and forgotten when they are taken back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from handed_in import campaign_of, give_again, hand_in_all, take_back
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from commonsight.collect import similar as module
from commonsight.collect.desk import Desk
from commonsight.collect.similar import Shelf, Similar, path_of, texts_at
from commonsight.collect.tables import Assignment
from commonsight.text.encoders import HashedEncoder

TEXTS = ["Why is the dog barking?", "What colour is the car?", "Why does the dog bark so loudly?"]
ENCODER = HashedEncoder(64)


def _questions(texts: list[str]) -> list[dict[str, Any]]:
    return [{"question": text} for text in texts]


def test_the_most_alike_come_first_each_once(desk: Desk) -> None:
    campaign = campaign_of(desk)
    hand_in_all(desk, campaign, "write", _questions([*TEXTS, TEXTS[0]]))
    found = Similar(desk, ENCODER).near(campaign, "write", "question", "Why is the dog barking loudly?", 5)
    assert {one.text for one in found} == set(TEXTS)
    assert len(found) == 3
    assert found[-1].text == TEXTS[1]
    assert [one.cosine for one in found] == sorted((one.cosine for one in found), reverse=True)


def test_no_more_than_asked_for_and_nothing_for_nothing(desk: Desk) -> None:
    campaign = campaign_of(desk)
    hand_in_all(desk, campaign, "write", _questions(TEXTS))
    near = Similar(desk, ENCODER)
    assert near.nearest(campaign, "write", "question", TEXTS[1], 1) == [TEXTS[1]]
    assert near.nearest(campaign, "write", "question", "  ", 5) == []
    assert near.nearest(campaign, "write", "question", TEXTS[1], 0) == []


def test_other_fields_stages_and_campaigns_are_other_shelves(desk: Desk) -> None:
    one, other = campaign_of(desk), campaign_of(desk, "two")
    hand_in_all(desk, one, "write", [{"question": "A dog?", "answer": "A cat."}])
    near = Similar(desk, ENCODER)
    assert near.nearest(one, "write", "answer", "A dog?", 5) == ["A cat."]
    assert near.nearest(one, "vote", "question", "A dog?", 5) == []
    assert near.nearest(other, "write", "question", "A dog?", 5) == []


def test_new_texts_are_seen_a_second_later_even_if_saved_out_of_order(desk: Desk, clock: Any) -> None:
    campaign = campaign_of(desk)
    near = Similar(desk, ENCODER)
    hand_in_all(desk, campaign, "write", _questions(TEXTS[:1]))
    assert near.nearest(campaign, "write", "question", "dog", 5) == TEXTS[:1]
    clock.pass_seconds(-3)  # given before the first, saved after it
    hand_in_all(desk, campaign, "write", _questions(TEXTS[1:]), by="slow")
    clock.pass_seconds(3.5)
    assert near.nearest(campaign, "write", "question", "dog", 5) == TEXTS[:1], "looked a moment ago"
    clock.pass_seconds(1)
    assert set(near.nearest(campaign, "write", "question", "dog", 5)) == set(TEXTS)


def test_what_is_taken_back_is_no_longer_shown(desk: Desk, clock: Any) -> None:
    campaign = campaign_of(desk)
    first, _, _ = hand_in_all(desk, campaign, "write", _questions(TEXTS))
    near = Similar(desk, ENCODER)
    assert near.nearest(campaign, "write", "question", TEXTS[0], 1) == [TEXTS[0]]
    take_back(desk, first)
    assert TEXTS[0] not in near.nearest(campaign, "write", "question", TEXTS[0], 5)
    clock.pass_seconds(2)
    give_again(desk, first, {"question": "Why is the dog asleep?"})
    found = near.nearest(campaign, "write", "question", TEXTS[0], 5)
    assert "Why is the dog asleep?" in found
    assert TEXTS[0] not in found


def test_groups_and_lists_give_each_of_their_texts(desk: Desk) -> None:
    campaign = campaign_of(desk)
    triplets = [{"question": "One dog?"}, {"question": "Two dogs?"}]
    hand_in_all(desk, campaign, "write", [{"triplets": triplets, "wrong": ["a", "b"]}])
    near = Similar(desk, ENCODER)
    found = near.nearest(campaign, "write", "triplets.0.question", "dogs", 5)
    assert set(found) == {"One dog?", "Two dogs?"}
    assert near.nearest(campaign, "write", "wrong.1", "b", 1) == ["b"]


def test_only_texts_of_tasks_that_have_the_same_entry(desk: Desk) -> None:
    campaign = campaign_of(desk)
    for place, text in ((["a", 1], "A dog?"), (["b"], "A cat?"), (["a", 1], "Two dogs?"), (["b"], "A dog?")):
        hand_in_all(desk, campaign, "write", _questions([text]), by=text + str(place), payload={"set": place})
    near = Similar(desk, ENCODER)
    of_a = near.nearest(campaign, "write", "question", "dog", 5, by="set", payload={"set": ["a", 1]})
    assert set(of_a) == {"A dog?", "Two dogs?"}
    of_b = near.nearest(campaign, "write", "question", "dog", 5, by="set", payload={"set": ["b"]})
    assert of_b == ["A dog?", "A cat?"]
    assert near.nearest(campaign, "write", "question", "dog", 5, by="set", payload={}) == []


def test_what_workers_may_not_see_is_looked_up_by_the_task(desk: Desk) -> None:
    campaign = campaign_of(desk)
    (one,) = hand_in_all(desk, campaign, "write", _questions(["A dog?"]), payload={"_split": "val"})
    hand_in_all(desk, campaign, "write", _questions(["Two dogs?"]), by="b", payload={"_split": "train"})
    with desk.database.read() as session:
        task_id = session.scalar(select(Assignment.task_id).where(Assignment.id == one))
    near = Similar(desk, ENCODER)
    found = near.nearest(campaign, "write", "question", "dog", 5, by="_split", payload={}, task_id=task_id)
    assert found == ["A dog?"]


def test_many_texts_are_read_in_pieces_and_all_found(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AT_ONCE", 7)
    campaign = campaign_of(desk)
    hand_in_all(desk, campaign, "write", _questions([f"Is number {n} here?" for n in range(150)]))
    near = Similar(desk, ENCODER)
    assert near.catch_up(campaign, "write", "question") == 150
    for number in (0, 77, 149):
        text = f"Is number {number} here?"
        assert near.nearest(campaign, "write", "question", text, 1) == [text]


def test_one_who_types_does_not_wait_for_another_who_reads(desk: Desk) -> None:
    campaign = campaign_of(desk)
    hand_in_all(desk, campaign, "write", _questions(TEXTS))
    shelf = Shelf(desk, ENCODER, campaign, "write", ("question",))
    with shelf._reading:
        assert shelf.read(5, wait=False) == 0
    assert shelf.read(5) == 3


@pytest.mark.parametrize("count", [1, 5, 64, 300])
def test_the_search_is_exact(count: int) -> None:
    texts = [f"word{number} and word{number * 7 % 11}" for number in range(count)]
    shelf = Shelf(None, ENCODER, 1, "write", ("q",))  # type: ignore[arg-type] - the search reads nothing
    shelf.add([(number, number, {"q": text}, "") for number, text in enumerate(texts)])
    asked = ENCODER.encode(["word3 and word10"])[0]
    cosines = ENCODER.encode(texts) @ asked
    best = np.lexsort((np.arange(count), -cosines))[:4]
    assert [one.text for one in shelf.search(asked, 4)] == [texts[at] for at in best.tolist()]


ANSWERS = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
)


@given(ANSWERS, st.lists(st.sampled_from("ab"), max_size=3))
def test_any_answers_can_be_looked_through(answers: Any, path: list[str]) -> None:
    assert all(isinstance(text, str) for text in texts_at(answers, path))


def test_places_in_a_group_are_no_part_of_the_path() -> None:
    assert path_of("triplets.12.question") == ("triplets", "question")
