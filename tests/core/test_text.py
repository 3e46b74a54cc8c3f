"""Tagged text: both notations, the names that regions get, and the spacing of ordinary English."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core.text import NEUTRAL_NAMES, TaggedText, Token, join_words, neutral_namer, pieces

LABELS = ("person", "dog", "person", "teddy bear")

NOTATIONS: list[tuple[str, tuple[Token, ...]]] = [
    ("Why is [person1] pointing?", ("Why", "is", (0,), "pointing", "?")),
    ("[person1, person3] pet [dog2].", ((0, 2), "pet", (1,), ".")),
    ("[person1,person3] wait", ((0, 2), "wait")),
    ("[ person1 ] waits", ((0,), "waits")),
    ("[person 1] waits", ((0,), "waits")),
    ("The [teddy bear4]'s ear", ("The", (3,), "'", "s", "ear")),
    ("([dog2])", ("(", (1,), ")")),
    ("[dog2][dog2]", ((1,), (1,))),
    ("", ()),
    ("   ", ()),
]


@pytest.mark.parametrize(("text", "tokens"), NOTATIONS)
def test_brackets_become_references(text: str, tokens: tuple[Token, ...]) -> None:
    assert TaggedText.parse(text, LABELS).tokens == tokens


@pytest.mark.parametrize(
    "text",
    [
        "[person5]",  # beyond the scene
        "[person0]",  # numbers count from one
        "[person2]",  # the second region is a dog
        "[Person1]",  # labels are as the scene spells them
        "[cat1]",
        "[person]",
        "[1]",
        "[person1, cat9]",  # one part names nothing, so the whole stays words
        "[person1,]",
        "[]",
        "[sic]",
        "[person99999999999999999999]",
    ],
)
def test_brackets_that_name_no_region_stay_words(text: str) -> None:
    tokens = TaggedText.parse(text, LABELS).tokens
    assert all(isinstance(token, str) for token in tokens)
    assert "".join(map(str, tokens)) == text.replace(" ", "")


def test_a_bad_bracket_does_not_hide_a_good_one() -> None:
    assert TaggedText.parse("[cat9] and [dog2]", LABELS).tokens == ("[", "cat9", "]", "and", (1,))


def test_a_text_is_cut_at_its_references() -> None:
    found = [tuple(piece) for piece in pieces("Why is [person1, person3]’s [cat9] here? [dog2]", LABELS)]
    assert found == [
        ("Why is ", ()), ("[person1, person3]", (0, 2)), ("’s [cat9] here? ", ()), ("[dog2]", (1,)),
    ]  # fmt: skip
    assert list(pieces("", LABELS)) == []


@given(st.text(st.sampled_from("[]person1dog2, x"), max_size=40))
def test_the_pieces_of_a_text_are_the_text(text: str) -> None:
    cut = list(pieces(text, LABELS))
    assert "".join(piece.text for piece in cut) == text
    pointed = [region for piece in cut for region in piece.regions]
    assert pointed == list(TaggedText.parse(text, LABELS).references())


def test_token_notation_is_what_the_files_hold() -> None:
    text = TaggedText(("Why", "is", (0, 2), "here", "?"))
    assert text.native() == ["Why", "is", [0, 2], "here", "?"]
    assert list(text.references()) == [0, 2]


def test_references_come_in_order_with_repeats() -> None:
    assert list(TaggedText(((2,), "and", (0, 2), "x")).references()) == [2, 0, 2]


def test_plain_text_is_kept_as_the_one_string_it_is() -> None:
    odd = "  two  spaces, [person1] and a tab\t"
    assert TaggedText.plain(odd).tokens == (odd,)
    assert list(TaggedText.plain(odd).references()) == []


words = st.from_regex(r"\w+|[^\w\s]", fullmatch=True).filter(lambda word: word not in ("[", "]"))
labels = st.lists(st.sampled_from(["person", "dog", "teddy bear", "tv"]), min_size=1, max_size=20)


@given(labels, st.data())
def test_parse_reads_back_what_bracketed_writes(labels: list[str], data: st.DataObject) -> None:
    index = st.integers(0, len(labels) - 1)
    references = st.lists(index, min_size=1, max_size=3).map(tuple)
    text = TaggedText(tuple(data.draw(st.lists(st.one_of(words, references), max_size=12))))
    assert TaggedText.parse(text.bracketed(labels), labels) == text


@given(st.lists(words, max_size=12))
def test_joined_tokens_never_have_two_spaces_or_space_at_an_end(tokens: list[str]) -> None:
    joined = join_words(tokens)
    assert "  " not in joined
    assert joined == joined.strip()
    assert re.sub(r"\s", "", joined) == "".join(tokens)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["can", "'", "t"], "can't"),
        (["it", "’", "s"], "it’s"),
        (["It", "'s", "late"], "It's late"),
        (["do", "n't", "go"], "don't go"),
        (["DO", "N'T"], "DON'T"),
        (["the", "dogs", "'", "bowl"], "the dogs' bowl"),  # no elision: the space stays
        (["we", "'", "ll", "see"], "we'll see"),
        (["He", "said", '"', "hi", '"', "."], 'He said " hi ".'),
        (["a", ",", "b", ";", "c", ":", "d", "!"], "a, b; c: d!"),
        (["(", "maybe", ")"], "(maybe)"),
        (["costs", "$", "5", "or", "10", "%"], "costs $5 or 10%"),
        (["a", "", "b"], "a b"),
        (["", "b"], "b"),
        (["s"], "s"),
        (["a", "s"], "a s"),
        ([], ""),
    ],
)
def test_words_are_put_together_as_english_is(tokens: list[str], text: str) -> None:
    assert join_words(tokens) == text


def test_class_names_carry_the_number_of_the_region() -> None:
    text = TaggedText(("Why", "is", (2,), "'s", (1,), "here", "?"))
    assert text.with_class_names(LABELS) == "Why is person 3's dog 2 here?"
    assert TaggedText(((0, 2), "wait")).with_class_names(LABELS) == "person 1 and person 3 wait"


def test_people_get_neutral_names_and_things_their_class() -> None:
    text = TaggedText(((2,), "gives", (3,), "to", (0,), "."))
    assert text.with_names(LABELS) == "Riley gives the teddy bear to Casey."


@given(st.lists(st.sampled_from(["person", "dog"]), min_size=1, max_size=40))
def test_a_person_has_the_same_name_in_every_text(labels: list[str]) -> None:
    name = neutral_namer(labels)
    people = [index for index, label in enumerate(labels) if label == "person"]
    for index in range(len(labels)):
        assert TaggedText(((index,),)).with_names(labels) == name(index)
    first = people[: len(NEUTRAL_NAMES)]
    assert len({name(index) for index in first}) == len(first)


def test_bracket_notation_counts_from_one_and_token_notation_from_zero() -> None:
    assert TaggedText(((0, 2), "wait", ".")).bracketed(LABELS) == "[person1, person3] wait."


def test_a_determiner_in_front_of_a_tag_is_not_doubled() -> None:
    text = TaggedText(("Why", "is", (0,), "holding", "the", (1,), "and", (1,), "?"))
    assert text.with_names(("person", "cup")) == "Why is Casey holding the cup and the cup?"
