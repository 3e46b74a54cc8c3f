"""WordNet's files: a small folder made here, broken ones, and the real one where it is installed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.errors import InputError, InvalidRecords
from commonsight.text.wordnet import ANIMAL, ARTIFACT, WordNet

LICENCE = "  1 A licence stands in front.\n  2 It is indented.\n"
SMALL = {
    "entity": ("03", []), "thing": ("03", ["entity"]), "animal": ("05", ["thing"]), "dog": ("05", ["animal"]),
    "tool": ("06", ["thing"]), "toy_dog": ("06", ["tool", "dog"]),
}  # fmt: skip


def write_wordnet(folder: Path, synsets: dict[str, tuple[str, list[str]]] = SMALL) -> Path:
    """WordNet's two files for nouns, one word a synset, all offsets right."""
    folder.mkdir(parents=True, exist_ok=True)
    names = list(synsets)
    lines, offsets, at = [], {}, len(LICENCE)
    blank = dict.fromkeys(names, 0)
    for name in names:
        offsets[name] = at
        at += len(_data(name, synsets, blank))
    lines = [_data(name, synsets, offsets) for name in names]
    (folder / "data.noun").write_text(LICENCE + "".join(lines))
    entries = [f"{name} n 1 1 @ 1 {int(name != 'toy_dog')} {offsets[name]:08d}  \n" for name in sorted(names)]
    (folder / "index.noun").write_text(LICENCE + "".join(entries))
    return folder


def _data(name: str, synsets: dict[str, tuple[str, list[str]]], offsets: dict[str, int]) -> str:
    kind, above = synsets[name]
    below = [other for other, (_, ups) in synsets.items() if name in ups]
    pointers = [("@", other) for other in above] + [("~", other) for other in below]
    joined = "".join(f"{symbol} {offsets[other]:08d} n 0000 " for symbol, other in pointers)
    return f"{offsets[name]:08d} {kind} n 01 {name} 0 {len(pointers):03d} {joined}| what {name} means  \n"


def test_a_word_is_found_with_what_is_above_and_below(tmp_path: Path) -> None:
    wordnet = WordNet(write_wordnet(tmp_path))
    (dog,) = wordnet.synsets("Dog")
    assert (dog.words, dog.kind, dog.gloss) == (("dog",), ANIMAL, "what dog means")
    assert [one.words for one in wordnet.above(dog)] == [("animal",)]
    assert [one.words for one in wordnet.below(dog)] == [("toy dog",)]
    assert [(one.synset.words[0], one.steps) for one in wordnet.ancestors(dog)] == [
        ("animal", 1), ("thing", 2), ("entity", 3),
    ]  # fmt: skip
    assert wordnet.depth(dog) == 3


def test_two_ways_up_are_walked_once(tmp_path: Path) -> None:
    wordnet = WordNet(write_wordnet(tmp_path))
    (toy,) = wordnet.synsets("toy dog")
    assert toy.kind == ARTIFACT
    steps = [(one.synset.words[0], one.steps) for one in wordnet.ancestors(toy)]
    assert steps == [("tool", 1), ("dog", 1), ("thing", 2), ("animal", 2), ("entity", 3)]
    assert wordnet.depth(toy) == 3


def test_every_lemma_is_found_and_nothing_else(tmp_path: Path) -> None:
    wordnet = WordNet(write_wordnet(tmp_path / "dict").parent)  # Princeton's folder holds a `dict`
    lemmas = [entry.lemma for entry in wordnet.entries()]
    assert lemmas == ["animal", "dog", "entity", "thing", "tool", "toy dog"]
    assert all(wordnet.synsets(lemma)[0].words == (lemma,) for lemma in lemmas)
    for unknown in ("", " ", "do", "dogs", "aardvark", "zebra", "1", "hündin", "toy"):
        assert wordnet.synsets(unknown) == []
    assert [lemma for lemma in lemmas if not wordnet.common(lemma)] == ["toy dog"]
    assert not wordnet.common("zebra")


def test_a_circle_ends(tmp_path: Path) -> None:
    wordnet = WordNet(write_wordnet(tmp_path, {"hen": ("05", ["egg"]), "egg": ("05", ["hen"])}))
    (hen,) = wordnet.synsets("hen")
    assert [one.synset.words for one in wordnet.ancestors(hen)] == [("egg",)]
    assert wordnet.depth(hen) == 0


@given(
    st.dictionaries(st.text("abcz_-'", min_size=1, max_size=6), st.just(("06", [])), min_size=1, max_size=30)
)
def test_the_index_is_searched_rightly(
    tmp_path_factory: pytest.TempPathFactory, synsets: dict[str, tuple[str, list[str]]]
) -> None:
    wordnet = WordNet(write_wordnet(tmp_path_factory.mktemp("wordnet"), synsets))
    for name in synsets:
        assert [one.words for one in wordnet.synsets(name)] == [(name.replace("_", " "),)]
        if name + "b" not in synsets:
            assert wordnet.synsets(name + "b") == []


def _broken(folder: Path, name: str, old: str, new: str) -> Path:
    path = write_wordnet(folder) / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return folder


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        (
            "index.noun",
            "dog n 1 1 @ 1 1 ",
            "dog n 2 1 @ 1 1 ",
            "index.noun:4: not as many fields as 2 meanings",
        ),
        ("index.noun", "dog n 1 ", "dog n x ", "index.noun:4: this is not a line of an index"),
        ("data.noun", "05 n 01 dog 0", "05 n 07 dog 0", "data.noun:6: this is not a synset's line"),
        ("data.noun", "05 n 01 dog 0", "05 n 0x dog 0", "data.noun:6: this is not a synset's line"),
        ("data.noun", "It is indented", "It is not indented", "no synset begins at byte"),
    ],
)
def test_broken_files_are_told_with_their_line(
    tmp_path: Path, name: str, old: str, new: str, message: str
) -> None:
    wordnet = WordNet(_broken(tmp_path, name, old, new))
    with pytest.raises(InvalidRecords) as told:
        wordnet.synsets("dog")
    assert message in str(told.value)
    assert "Give a folder with WordNet's own files" in str(told.value)


def test_a_folder_without_the_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no index\.noun with its data\.noun"):
        WordNet(tmp_path)
    (write_wordnet(tmp_path) / "data.noun").write_bytes(b"")
    with pytest.raises(InvalidRecords, match=r"data\.noun: the file is empty"):
        WordNet(tmp_path)


@given(
    st.binary(min_size=1, max_size=400),
    st.binary(min_size=1, max_size=400),
    st.sampled_from(["dog", "a", ""]),
)
def test_any_bytes_end_in_a_message(
    tmp_path_factory: pytest.TempPathFactory, index: bytes, data: bytes, word: str
) -> None:
    folder = tmp_path_factory.mktemp("wordnet")
    (folder / "index.noun").write_bytes(index + b"\ndog n 1 1 @ 1 1 00000001\n")
    (folder / "data.noun").write_bytes(data)
    message = "Give a folder"
    try:
        WordNet(folder).synsets(word)
    except InvalidRecords as told:
        message = str(told)
    assert "Give a folder" in message


@pytest.fixture(scope="module")
def real() -> WordNet:
    folder = Path(os.environ.get("COMMONSIGHT_WORDNET") or "/usr/share/wordnet")
    if not (folder / "data.noun").is_file():
        pytest.skip(f"no WordNet in {folder}: install Debian's wordnet-base, or set COMMONSIGHT_WORDNET")
    return WordNet(folder)


def test_the_real_wordnet(real: WordNet) -> None:
    flute = real.synsets("flute")[0]
    assert flute.words == ("flute", "transverse flute")
    assert "woodwind" in real.above(flute)[0].words
    assert real.synsets("timber wolf")[0].words[:3] == ("timber wolf", "grey wolf", "gray wolf")
    assert real.depth(real.synsets("entity")[0]) == 0
    count = 0
    for number, lemma in enumerate(entry.lemma for entry in real.entries()):
        count += 1
        if number % 97 == 0:
            found = {word.lower() for one in real.synsets(lemma) for word in one.words}
            assert lemma in found
    assert count > 100_000
