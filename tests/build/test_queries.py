"""Queries: the four heuristics, the lists they start from, and how many of NLVR2's own they find."""

from __future__ import annotations

import json
import os
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.queries.heuristics import Query, queries
from commonsight.build.queries.nouns import Noun, read_nouns, shipped_nouns
from commonsight.build.queries.similar import SimilarWords, concrete_words, vocabulary
from commonsight.errors import InvalidRecords
from commonsight.text.vectors import InMemoryVectors
from commonsight.text.wordnet import WordNet

CUP = Noun(("cup",), "object", ("crockery", "container"))
VECTORS = InMemoryVectors(
    {"cup": [1, 0, 0], "bowl": [0.9, 0.1, 0], "mug": [1, 0.5, 0], "tree": [0.3, 1, 0], "stone": [0, 0, 1],
     "cups": [1, 0, 0], "wine": [1, 0, 1], "glass": [1, 0, 0.2]}
)  # fmt: skip


def _texts(made: list[Query], heuristic: str) -> list[str]:
    return [query.query for query in made if query.heuristic == heuristic]


def test_an_object_is_counted_generalised_and_set_beside_others() -> None:
    similar = SimilarWords(VECTORS, ["stone", "tree", "bowl", "mug", "cups", "cup", "unknown"], least=0.35)
    made = list(queries([CUP], similar))
    assert _texts(made, "hypernyms") == ["cup crockery", "cup container"]
    assert _texts(made, "similar words") == ["cup bowl", "cup mug"]
    assert {"two cups", "group of cups", "some cups"} <= set(_texts(made, "quantities"))
    assert _texts(made, "activities") == []
    bowl = next(query for query in made if query.query == "cup bowl")
    assert (bowl.noun, bowl.added, bowl.kind) == ("cup", "bowl", "object")
    assert bowl.cosine == pytest.approx(0.9939, abs=1e-4)


def test_an_animal_is_counted_and_does_things() -> None:
    made = list(
        queries([Noun(("wild goose", "goose"), "animal", ("bird",))], SimilarWords(VECTORS, ["bowl"]))
    )
    assert {query.heuristic for query in made} == {"quantities", "activities"}
    assert {"wild geese eating", "geese swimming"} <= set(_texts(made, "activities"))
    assert {"herd of wild geese", "two geese"} <= set(_texts(made, "quantities"))
    assert {query.noun for query in made} == {"wild goose"}


def test_what_is_not_counted_is_not_counted() -> None:
    made = list(queries([Noun(("milk",), "object")]))
    assert _texts(made, "quantities") == ["some milk", "lots of milk", "plenty of milk"]


def test_no_query_is_made_twice_and_none_repeats_itself() -> None:
    nouns = [
        Noun(("beer bottle",), "object", ("bottle", "container")),
        Noun(("Beer Bottle",), "object", ("container",)),
    ]
    made = list(queries(nouns))
    assert _texts(made, "hypernyms") == ["beer bottle container"]
    assert len({query.query.casefold() for query in made}) == len(made)


def test_the_mark_and_the_number_of_similar_words() -> None:
    words = ["bowl", "mug", "tree", "glass"]
    assert [near.word for near in SimilarWords(VECTORS, words, least=0.9).of(CUP, "cup")] == ["bowl", "glass"]
    assert [near.word for near in SimilarWords(VECTORS, words, most=1).of(CUP, "cup")] == ["bowl"]
    assert SimilarWords(VECTORS, words).of(CUP, "unknown") == []
    assert SimilarWords(VECTORS, []).of(CUP, "cup") == []
    near = SimilarWords(VECTORS, ["wine glass"], least=0.0).of(CUP, "cup")
    assert near[0].cosine == pytest.approx(
        1 / (1 + 0.6**2) ** 0.5, abs=1e-6
    )  # the mean of (1,0,1) and (1,0,.2)


def test_every_spelling_that_is_looked_up_is_in_the_vocabulary() -> None:
    assert vocabulary([Noun(("Hot-air balloon",), "object")], ["cup"]) == {
        "hot-air balloon", "hot-air_balloon", "hot air balloon", "hot-air", "hot", "air", "balloon", "cup",
    }  # fmt: skip


def test_the_shipped_list_is_even_and_complete() -> None:
    nouns = shipped_nouns()
    assert Counter(noun.kind for noun in nouns) == {"animal": 62, "object": 62}
    assert all(noun.hypernyms for noun in nouns if noun.kind == "object")
    names = [name.casefold() for noun in nouns for name in noun.names]
    assert len(set(names)) == len(names)
    assert "banana" in concrete_words([], None)


# --- lists -------------------------------------------------------------------------------------------------


def _file(folder: Path, text: str | bytes) -> Path:
    path = folder / "nouns.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_list_is_read(tmp_path: Path) -> None:
    text = (
        "# notes\n\ntimber wolf, grey  wolf , timber wolf\tanimal\nn03147509 cup\tobject\tdish, ware # tea\n"
    )
    assert read_nouns(_file(tmp_path, text)) == [
        Noun(("timber wolf", "grey wolf"), "animal"), Noun(("cup",), "object", ("dish", "ware"), "n03147509"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wolf\n", "nouns.txt:1: kind: nothing says whether wolf is an animal"),
        ("wolf\tbeast\n", "nouns.txt:1: kind: 'beast' is no kind. Write animal or object."),
        (" , \tanimal\n", "nouns.txt:1: names: this names no thing"),
        ("a\tanimal\tb\tc\n", "nouns.txt:1: names: this names no thing"),
        ("a\tanimal\nA\tobject\n", "nouns.txt:2: names: line 1 has A too"),
        ("# nothing\n", "nouns.txt: the file holds no records"),
        (b"\xff\n", "nouns.txt:1: the text is not UTF-8"),
    ],
)
def test_bad_lists_are_told(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(InvalidRecords) as told:
        read_nouns(_file(tmp_path, text))
    assert message in str(told.value)


@given(st.binary(max_size=120))
def test_any_bytes_end_in_a_message(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    nouns, message = [], ""
    try:
        nouns = read_nouns(_file(tmp_path_factory.mktemp("queries"), content))
    except InvalidRecords as told:
        message = str(told)
    assert bool(nouns) != ("nouns.txt" in message)
    assert list(queries(nouns)) == list(queries(nouns))


# --- with the real WordNet ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real() -> WordNet:
    folder = Path(os.environ.get("COMMONSIGHT_WORDNET") or "/usr/share/wordnet")
    if not (folder / "data.noun").is_file():
        pytest.skip(f"no WordNet in {folder}: install Debian's wordnet-base, or set COMMONSIGHT_WORDNET")
    return WordNet(folder)


def test_wordnet_fills_in_what_a_list_leaves_out(tmp_path: Path, real: WordNet) -> None:
    text = "n02114367 timber wolf\nflute\nacorn\nskunk\tanimal\ncup\tobject\tdish\n"
    wolf, flute, acorn, skunk, cup = read_nouns(_file(tmp_path, text), real)
    assert wolf == Noun(("timber wolf", "grey wolf", "gray wolf"), "animal", wolf.hypernyms, "n02114367")
    assert (flute.kind, flute.names) == ("object", ("flute", "transverse flute"))
    assert "woodwind" in flute.hypernyms
    assert {"artifact", "instrumentality", "entity"}.isdisjoint(flute.hypernyms)
    assert "fruit" in acorn.hypernyms
    assert "polecat" in skunk.names  # the animal, though not the word's first meaning
    assert cup.hypernyms[0] == "dish"
    assert "crockery" in cup.hypernyms


def test_an_unknown_number_is_told(tmp_path: Path, real: WordNet) -> None:
    for number in ("n00000003", "n03147509"):  # none at all, and a cup
        with pytest.raises(
            InvalidRecords, match=rf"nouns\.txt:1: synset: this WordNet has no synset {number}"
        ):
            read_nouns(_file(tmp_path, f"{number} wolf\n"), real)


def test_general_words_tell_meanings_apart(tmp_path: Path, real: WordNet) -> None:
    fruit, plant = read_nouns(_file(tmp_path, "banana\tobject\tfruit\nBanana tree, banana\n"), real)
    assert (fruit.synset, plant.synset) == ("n07753592", "n12352287")
    dolphin = next(noun for noun in shipped_nouns(real) if noun.names[0] == "dolphin")
    assert "mahimahi" not in dolphin.names


def test_the_concrete_words_of_wordnet(real: WordNet) -> None:
    words = concrete_words([], real)
    assert {"pear", "chair", "bread", "tree"} <= set(words)
    assert {"idea", "dog", "anger", "physicist", "peignoir"}.isdisjoint(words)


@pytest.mark.real_data
def test_most_of_the_released_queries_are_made(tmp_path: Path, data_dir: Path, real: WordNet) -> None:
    released: dict[str, set[str]] = defaultdict(set)
    for name in ("dev.json", "test1.json"):
        for line in (data_dir / "nlvr2" / name).read_text("utf-8").splitlines():
            record = json.loads(line)
            released[record["synset"]].add(re.sub(r"\d+$", "", record["query"]).casefold())
    nouns = read_nouns(_file(tmp_path, "\n".join(released)), real)
    assert len(nouns) == 124
    made: dict[str, set[str]] = defaultdict(set)
    for query in queries(nouns):
        made[query.noun].add(query.query.casefold())
    found = sum(len(released[noun.names[0]] & made[noun.names[0]]) for noun in nouns)
    assert sum(map(len, released.values())) == 827
    assert found >= 550  # the words for quantities were completed after reading these very files
