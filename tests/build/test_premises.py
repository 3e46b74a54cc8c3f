"""Premises: offered by template and seed, read from all kinds of sources, their categories found again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.premises.labels import empty_tally, labelled, tallied
from commonsight.build.premises.offers import filled, offers
from commonsight.build.premises.pictures import Picture, read_pictures
from commonsight.build.premises.recover import category_of, compared, recovered
from commonsight.build.premises.templates import CATEGORIES, TEMPLATES, Template
from commonsight.build.premises.words import WORDS
from commonsight.core.text import TaggedText
from commonsight.errors import InputError, InvalidRecords


def _picture(people: int, name: str = "film/1.jpg") -> Picture:
    return Picture(name, ("cup", *["person"] * people, "chair"))


def test_every_slot_has_a_list_and_every_list_a_slot() -> None:
    for template in TEMPLATES:
        slots = [mark for mark in ("{v}", "{a v}", "{A v}") if mark in template.text]
        assert bool(slots) == (template.words is not None), template.text
        assert ("{q}" not in template.text) or template.least >= 2
    used = {template.words for template in TEMPLATES} - {None}
    assert used | {"jobs", "roles"} == set(WORDS)
    for name, words in WORDS.items():
        assert len(set(words)) == len(words) >= 20, name
    assert {template.category for template in TEMPLATES} == set(CATEGORIES)


def test_one_premise_of_each_category_is_offered() -> None:
    made = offers(_picture(3), 0)
    assert tuple(offer.category for offer in made) == CATEGORIES
    for offer in made:
        text = TaggedText(tuple(tuple(t) if isinstance(t, list) else t for t in offer.premise))
        assert set(text.references()) <= {1, 2, 3}
        assert offer.text == text.bracketed(offer.objects)
        assert "{" not in offer.text
        assert offer.word is None or offer.word in offer.text
        assert offer.text[0] == "[" or offer.text[0].isupper()


def test_nobody_is_spoken_of_who_is_not_there() -> None:
    assert offers(_picture(0), 0) == []
    texts = [offer.text for seed in range(60) for offer in offers(_picture(1), seed)]
    assert len(texts) == 360
    assert not any("They" in text or "People" in text or "[person3]" in text for text in texts)
    three = [offer.text for seed in range(200) for offer in offers(_picture(3), seed)]
    assert not any(text.startswith("The two speakers") for text in three)
    two = [offer.text for seed in range(200) for offer in offers(_picture(2), seed)]
    assert any(text.startswith("The two speakers") for text in two)
    assert not any(text.startswith("They all know") for text in two)


def test_the_seed_and_the_image_decide_alone() -> None:
    assert offers(_picture(2), 5) == offers(_picture(2), 5)
    assert offers(_picture(2), 5) != offers(_picture(2), 6)
    assert offers(_picture(2, "b.jpg"), 5) != offers(_picture(2, "c.jpg"), 5)


def test_articles_agree() -> None:
    template = Template("identity", "{p} is {a v}.", "jobs")
    assert filled(template, "actor") == "{p} is an actor."
    assert filled(template, "university teacher") == "{p} is a university teacher."
    assert filled(Template("antecedent", "{A v} happened.", "incidents"), "ambush") == "An ambush happened."


# --- reading -----------------------------------------------------------------------------------------------


def _lines(folder: Path, *records: Any) -> Path:
    path = folder / "lines.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_lines_give_each_image_once(tmp_path: Path) -> None:
    one = {"img_fn": "a.jpg", "objects": ["person"], "metadata_fn": "a.json", "question": ["x"]}
    path = _lines(tmp_path, one, {"image": "b.jpg", "objects": ["cup", "person"]}, one)
    assert list(read_pictures(path)) == [
        Picture("a.jpg", ("person",), "a.json"), Picture("b.jpg", ("cup", "person")),
    ]  # fmt: skip


def test_a_folder_of_metadata_files(tmp_path: Path) -> None:
    (tmp_path / "film").mkdir()
    for name in ("film/2", "film/1"):
        (tmp_path / f"{name}.json").write_text(json.dumps({"names": ["person"], "boxes": [[0, 0, 1, 1]]}))
    (tmp_path / "film/2.png").write_bytes(b"")
    found = list(read_pictures(tmp_path))
    assert [(one.image, one.metadata) for one in found] == [
        ("film/1.jpg", "film/1.json"), ("film/2.png", "film/2.json"),
    ]  # fmt: skip


def test_bundled_fixtures_are_read(fixtures_dir: Path) -> None:
    lines = list(read_pictures(fixtures_dir / "pmr" / "val-ori.jsonl"))
    assert lines
    assert all(one.people for one in lines)


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{"img_fn": "a.jpg"}], "lines.jsonl:1: object missing required field `objects`"),
        ([{"objects": []}], "lines.jsonl:1: img_fn: the line names no image"),
        ([{"img_fn": "a", "objects": [1]}], "lines.jsonl:1: objects[0]: expected `str`"),
        (
            [{"img_fn": "a", "objects": ["cup"]}, {"img_fn": "a", "objects": ["cat"]}],
            "lines.jsonl:2: objects: the image a was said to hold other objects before",
        ),
    ],
)
def test_bad_lines_are_told(tmp_path: Path, records: list[Any], message: str) -> None:
    with pytest.raises(InvalidRecords) as told:
        list(read_pictures(_lines(tmp_path, *records)))
    assert message in str(told.value)


def test_bad_folders_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the folder holds no metadata files"):
        list(read_pictures(tmp_path))
    (tmp_path / "a.json").write_text('{"boxes": []}')
    with pytest.raises(InvalidRecords, match=r"a\.json.*names"):
        list(read_pictures(tmp_path))


@given(st.binary(max_size=200))
def test_any_bytes_end_in_a_message(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("premises") / "x.jsonl"
    path.write_bytes(content)
    for read in (read_pictures, labelled):
        message = str(path)
        try:
            list(read(path))  # type: ignore[operator]
        except InvalidRecords as told:
            message = str(told)
        assert "x.jsonl" in message


# --- categories found again --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("premise", "category"),
    [
        ("[person1] and [person2] are old friends.", "relationship"),
        ("[person2] is [person3]'s tutor.", "relationship"),
        ("[person2] is very fussy.", "personality"),
        ("[person3] is thought to be a/an gullible woman.", "personality"),
        ("the occupation of [person2] is a plumber.", "identity"),
        ("[person1] just got a new motorbike .", "antecedent"),
        ("To [person1], nothing could be more amusing.", "mood"),
        ("[person1] is furious .", "mood"),
        ("[person1] is stingy", "personality"),
        ("the atmosphere is solemn .", "environment"),
    ],
)
def test_categories_are_found_again(premise: str, category: str) -> None:
    assert category_of(premise) == category


def test_tokens_and_brackets_read_alike() -> None:
    tokens = TaggedText(((0,), "is", (1,), "'s", "tutor", "."))
    assert compared(tokens) == compared("[person1] is [person2]'s tutor.")
    assert compared("[a1] is an/the x") == ("<person>", "is", "an/the", "x", ".")
    assert compared("[a1] is a/an x.") == compared("[b2] is an x")


def test_what_is_offered_is_found_again() -> None:
    pictures = [_picture(count, f"{number}.jpg") for number in range(12) for count in (1, 2, 3)]
    made = [offer for picture in pictures for offer in offers(picture, 1)]
    found = [recovered(offer.text) for offer in made]
    assert all(one.bleu == pytest.approx(1.0) for one in found)
    right = sum(one.category == offer.category for one, offer in zip(found, made, strict=True))
    assert right >= len(made) - 3  # "[person1] is proud." is a trait and a mood


def test_the_closest_template_and_its_score() -> None:
    templates = (Template("mood", "{p} feels {v}.", "m"), Template("identity", "{p} is {a v}.", "j"))
    words = {"m": ("sad",), "j": ("cook",)}
    assert recovered("[person1] feels sad.", templates=templates, words=words).bleu == pytest.approx(1.0)
    open_slot = recovered("[person1] is a pilot.", templates=templates, words=words)
    assert open_slot.category == "identity"
    # words 4 of 5; pairs 2 of 4, threes 1 of 3, fours 0 of 2, one more of each
    assert open_slot.bleu == pytest.approx((4 / 5 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25)
    with pytest.raises(ValueError, match="no template"):
        recovered("x", templates=())


def test_labels_keep_everything_and_are_counted(tmp_path: Path) -> None:
    path = _lines(
        tmp_path,
        {"total_id": 7, "premise": [[0], "is", "stingy", "."], "category": "character"},
        {"premise": "The atmosphere is tense.", "category": "mood"},
        {"premise": "It is sunny."},
    )
    tally = empty_tally()
    first, second, third = [line.record() for line in tallied(labelled(path), tally)]
    assert first["total_id"] == 7
    assert json.loads(json.dumps(first["premise"])) == [[0], "is", "stingy", "."]
    assert (first["category"], first["category_before"]) == ("personality", "character")
    assert (second["category"], second["category_before"]) == ("environment", "mood")
    assert "category_before" not in third
    assert third["category_bleu"] == 1.0
    assert (tally.total, tally.compared, tally.same) == (3, 2, 1)
    assert tally.found == {"personality": 1, "environment": 2}


def test_an_empty_premise_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecords, match=r"lines\.jsonl:2: premise: the premise is empty"):
        list(labelled(_lines(tmp_path, {"premise": "a"}, {"premise": [" "]})))


@pytest.mark.real_data
def test_the_released_categories_are_mostly_found_again(data_dir: Path) -> None:
    tally = empty_tally()
    for _ in tallied(labelled(data_dir / "pmr" / "val-ori.jsonl"), tally):
        pass
    assert (tally.total, tally.compared) == (1538, 1538)
    assert (
        tally.same == 1144
    )  # 74.4 %: the release was labelled by BLEU too, with lists that are not published
    assert tally.found["relationship"] == max(tally.found.values())  # as in the paper's Figure 4
    assert tally.found["environment"] == min(tally.found.values())
