"""Labelled pairs: what is read from a file, what is held out, what is added."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from toy_nli import toy, written

from commonsight.build.matching.similarity_fit import Judged
from commonsight.errors import InputError
from commonsight.models.nli.pairs import LABELS, LONGEST, as_words, examples, parted, read_pairs, with_extras

TEXTS = st.text(max_size=40).filter(lambda text: text == text.encode("utf-8", "ignore").decode())
PAIRS = st.lists(st.builds(Judged, TEXTS, TEXTS, st.sampled_from((*LABELS, "-"))), min_size=1, max_size=20)


@given(PAIRS)
def test_what_was_written_is_read_without_what_nobody_settled(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[Judged]
) -> None:
    path = written(tmp_path_factory.mktemp("pairs") / "a.jsonl", pairs)
    settled = [pair for pair in pairs if pair.label != "-"]
    if settled:
        assert [*map(structs.astuple, read_pairs(path))] == [*map(structs.astuple, settled)]
    else:
        with pytest.raises(InputError, match="no pair in this file has a label"):
            read_pairs(path)


@given(st.binary(max_size=200))
def test_any_bytes_are_pairs_or_a_message(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("pairs") / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"a\.jsonl"):
        read_pairs(path)


def test_a_label_that_is_none_is_told_with_its_place(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", [*toy(6), Judged("a", "b", "maybe")])
    with pytest.raises(InputError, match=r"a\.jsonl:7.*label.*'maybe' is no label.*Write one of entailment"):
        read_pairs(path)
    path.write_text(json.dumps({"premise": "a", "label": "neutral"}), "utf-8")
    with pytest.raises(InputError, match=r"a\.jsonl:1.*hypothesis"):
        read_pairs(path)


def test_no_premise_is_on_both_sides() -> None:
    pairs = [Judged(f"premise {number // 3}", str(number), LABELS[number % 3]) for number in range(90)]
    learned, judged = parted(pairs)
    assert sorted({pair.premise for pair in judged}) == ["premise 19", "premise 29", "premise 9"]
    assert not {pair.premise for pair in learned} & {pair.premise for pair in judged}
    assert sorted((*learned, *judged), key=pairs.index) == pairs


def test_random_pairs_are_neutral_and_shortened_ones_entailed() -> None:
    pairs = [Judged(f"he number {n} walks there", f"she number {n} sits", "contradiction") for n in range(80)]
    found = with_extras(pairs, seed=1)
    assert found[:80] == pairs
    extras = found[80:]
    apart = [pair for pair in extras if pair.label == "neutral"]
    shorter = [pair for pair in extras if pair.label == "entailment"]
    assert len(apart) + len(shorter) == len(extras)
    assert 15 <= len(apart) <= 20
    assert len(shorter) == 20
    assert all(set(pair.hypothesis.split()) <= set(pair.premise.split()) for pair in shorter)
    numbers = [[text.split()[2] for text in (pair.premise, pair.hypothesis)] for pair in apart]
    assert all(one != other for one, other in numbers)
    assert found == with_extras(pairs, seed=1) != with_extras(pairs, seed=2)


def test_a_pair_is_a_question_about_its_premise() -> None:
    pairs = toy(6)
    one, *_ = examples(pairs)
    assert one.query.words == ("casey", "holds", "a", "cup", "today")
    assert [text.words for text in one.responses] == [("casey", "holds", "a", "cup")]
    assert [example.gold for example in examples(pairs)] == [0, 1, 2, 0, 1, 2]
    shuffled = random.Random(0).sample(pairs, 6)
    assert [LABELS[example.gold or 0] for example in examples(shuffled)] == [pair.label for pair in shuffled]


def test_no_text_is_without_a_word_or_too_long() -> None:
    assert as_words("").words == ("nothing",)
    assert len(as_words("so " * 1000).words) == LONGEST
