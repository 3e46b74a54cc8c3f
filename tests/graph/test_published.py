"""CRIC's programs as published: their phrases are our relations."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonsight.benchmarks.cric import CRIC
from commonsight.core.program import Program, Step
from commonsight.errors import InputError
from commonsight.graph.knowledge import RELATIONS
from commonsight.graph.programs import check, read
from commonsight.graph.published import PHRASES, in_our_words
from commonsight.store.native import read_native


def test_published_programs_are_well_typed_in_our_words(fixtures_dir: Path) -> None:
    items = list(read_native(CRIC.native, [fixtures_dir / "cric" / "val_questions.json"]))
    assert len(items) == 6
    for item in items:
        assert item.program is not None
        with pytest.raises(InputError, match="is no relation"):
            check(item.program)
        check(in_our_words(item.program))


def test_all_relations_but_that_of_taxonomies_have_a_phrase() -> None:
    assert set(PHRASES.values()) == set(RELATIONS) - {"IsA-Taxonomy"}
    assert len(PHRASES) == len(set(PHRASES.values()))


@pytest.mark.parametrize("phrase", ["Can be", " can be", "ReceivesAction"])
def test_functions_and_relations_are_spelled_in_several_ways(phrase: str) -> None:
    step = Step("find kg reverse", ("cup", phrase, "BLANK"), (3,), (0,), {"note": 1})
    (found,) = in_our_words(Program((step,))).steps
    assert found == Step("Find_KG_Reverse", ("cup", "ReceivesAction", "BLANK"), (3,), (0,), {"note": 1})


def test_what_is_in_our_words_or_unknown_stays_as_it_is() -> None:
    ours = read('[0] Initial(); [1] Find_KG([0], "BLANK", "UsedFor", "can"); [2] Verify([1])')
    assert in_our_words(ours) == ours
    odd = Program((Step("Find_KG", ("BLANK", "loves", "can")), Step("Dance", ("can", "can", "can"))))
    assert in_our_words(odd) == odd
