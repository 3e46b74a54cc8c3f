"""What was changed to make a wrong choice: rules against examples of each type."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.audit.substitutions import TYPES, nearest_wrong, substitution, substitution_type
from commonsight.benchmarks import find
from commonsight.core.answer import Pick
from commonsight.core.text import TaggedText
from commonsight.store.native import read_native

EXAMPLES = {
    "Appearance": ("the woman with long hair will sleep soon", "the woman with short hair will sleep soon"),
    "Emotion": ("she weeps and tells him her whole story", "she smiles and tells him her whole story"),
    "Clothing": ("he will button up his shirt as it is cold", "he will button up his coat as it is cold"),
    "Body State": ("as he is lying near the wall she calls", "as he is standing near the wall she calls"),
    "Location": ("he will ask her to leave the room at once", "he will ask her to leave the office at once"),
    "Objects": ("they try to fight each other with knives", "they try to fight each other with guns"),
    "Color": ("he will put the book on the yellow box", "he will put the book on the red box"),
    "Texture": ("they will rest on the bench for a while", "they will rest on the stone bench for a while"),
    "Scenery": ("they are going down the street together", "they are going down the park together"),
}


@pytest.mark.parametrize("kind", EXAMPLES)
def test_one_of_each(kind: str) -> None:
    before, after = EXAMPLES[kind]
    found = substitution(before.split(), after.split())
    assert found is not None
    assert substitution_type(found) == kind


def test_a_colour_is_told_by_what_it_colours() -> None:
    def kind(before: str, after: str) -> str:
        found = substitution(before.split(), after.split())
        assert found is not None
        return substitution_type(found)

    assert kind("a man with a black tie will sing", "a man with a red tie will sing") == "Clothing"
    assert kind("a man with black hair will sing now", "a man with red hair will sing now") == "Appearance"
    assert kind("a man with a black cup will sing", "a man with a red cup will sing") == "Color"


def test_what_is_no_substitution() -> None:
    assert substitution(["a", "b"], ["a", "b"]) is None
    assert substitution(["she", "goes", "home"], ["nobody", "knows", "him", "at", "all"]) is None
    found = substitution(["he", "takes", "it", "now"], ["he", "takes", "the", "gun", "now"])
    assert found is not None
    assert (found.old, found.new, found.after) == (("it",), ("the", "gun"), ("now",))


def test_the_nearest_wrong_choice_decides() -> None:
    texts = [
        "he will open the green door and go", "he will open the green window and go",
        "she will close the old green window and go", "nobody came",
    ]  # fmt: skip
    found = nearest_wrong([TaggedText(tuple(text.split())) for text in texts], 0)
    assert found is not None
    assert (found.old, found.new) == (("door",), ("window",))
    tags = [TaggedText(("take", "the", (1,), "now")), TaggedText(("take", "the", (2,), "now"))]
    changed = nearest_wrong(tags, 0)
    assert changed is not None
    assert substitution_type(changed) == "Objects"
    assert nearest_wrong(tags[:1], 0) is None


@given(st.lists(st.text(max_size=8), max_size=8), st.lists(st.text(max_size=8), max_size=8))
def test_any_words_are_sorted(before: list[str], after: list[str]) -> None:
    found = substitution(before, after)
    assert found is None or substitution_type(found) in TYPES


@pytest.mark.real_data
def test_shares_are_near_the_papers(data_dir: Path) -> None:
    """The paper sorted 100 by hand: objects 23, clothing 22, location 18, appearance 8 of 100."""
    kinds: Counter[str] = Counter()
    for item in read_native(find("pmr").native, [data_dir / "pmr" / "val-ori.jsonl"]):
        assert isinstance(item.gold, Pick)
        found = nearest_wrong(item.choices, item.gold.index)
        kinds["none" if found is None else substitution_type(found)] += 1
    share = {kind: count / kinds.total() for kind, count in kinds.items()}
    assert share["none"] < 0.02
    for kind, published in {"Objects": 0.23, "Clothing": 0.22, "Location": 0.18, "Appearance": 0.08}.items():
        assert share[kind] == pytest.approx(published, abs=0.06)
