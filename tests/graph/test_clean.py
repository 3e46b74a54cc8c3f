"""Cleaning: one wording, no rare words, every object once; and a report that adds up."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core.scene import Box, Region, Relation, Scene
from commonsight.errors import InvalidRecords, Problem
from commonsight.graph import clean as rules
from commonsight.graph.aliases import Aliases, bundled_predicates, read_aliases, tidy
from commonsight.graph.boxes import FEW, overlap, overlapping, same_object
from commonsight.graph.clean import Cleaner, Dropped, fitted_cleaner
from commonsight.graph.clean_report import CleaningReport, clean_all
from commonsight.graph.vocabulary import (
    Counts,
    Limits,
    Vocabulary,
    Wording,
    counted,
    frequent,
    most_frequent,
    read_vocabulary,
    read_wording,
)

NAMES = st.sampled_from(["Cup", "cups", "cup ", "table", "rare thing", "man", ""])
WORDS = st.sampled_from(["red", "RED", "grey", "gray", "odd", " "])
PREDICATES = st.sampled_from(["on", "ON", "wears", "wearing", "odd to", ""])


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    """Few places, so that many overlap."""
    left, top = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    return Box(left, top, left + draw(st.integers(8, 12)), top + draw(st.integers(8, 12)))


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    regions = draw(
        st.lists(
            st.builds(
                Region,
                NAMES,
                box=st.none() | boxes(),
                attributes=st.lists(WORDS, max_size=3).map(tuple),
                id=st.integers(0, 9),
            ),
            max_size=8,
        )
    )
    ends = st.integers(0, len(regions) - 1)
    relations = draw(st.lists(st.builds(Relation, ends, PREDICATES, ends), max_size=8)) if regions else []
    return Scene(draw(st.sampled_from(["a", "b"])), tuple(regions), tuple(relations))


WORDING = Wording(Aliases([("cup", "cups")]), Aliases([("gray", "grey")]))
CLEANER = Cleaner(
    WORDING,
    Vocabulary(frozenset({"cup", "table", "man"}), frozenset({"red", "gray"}), frozenset({"on", "wearing"})),
)


@given(scene=scenes())
def test_what_is_left_keeps_every_rule(scene: Scene) -> None:
    result = CLEANER.clean(scene).scene
    assert {region.label for region in result.regions} <= {"cup", "table", "man"}
    assert all(len(set(region.attributes)) == len(region.attributes) for region in result.regions)
    assert {word for region in result.regions for word in region.attributes} <= {"red", "gray"}
    assert {relation.predicate for relation in result.relations} <= {"on", "wearing"}
    assert len(set(result.relations)) == len(result.relations)
    assert all(r.subject != r.object for r in result.relations)
    assert all(max(r.subject, r.object) < len(result.regions) for r in result.relations)
    placed = [region for region in result.regions if region.box is not None]
    for number, one in enumerate(placed):
        for other in placed[:number]:
            assert one.label != other.label or overlap(one.box, other.box) <= 0.7  # type: ignore[arg-type]


@given(scene=scenes())
def test_cleaning_again_changes_nothing(scene: Scene) -> None:
    once = CLEANER.clean(scene).scene
    again = CLEANER.clean(once)
    assert again.scene == once
    assert set(again.dropped) <= {Dropped(rules.NOTHING_LEFT, scene.image)}


@given(parts=st.lists(st.lists(scenes(), max_size=3), max_size=3))
def test_reports_add_up(parts: list[list[Scene]]) -> None:
    whole, joined = CleaningReport(), CleaningReport()
    kept = list(clean_all((scene for part in parts for scene in part), CLEANER, whole))
    for part in parts:
        report = CleaningReport()
        list(clean_all(part, CLEANER, report))
        joined.update(report)
    assert msgspec.json.encode(whole) == msgspec.json.encode(joined)
    gone, before, after = whole.dropped, whole.before, whole.after
    assert after.pictures == len(kept)
    assert (
        before.objects - after.objects == gone[rules.NAMELESS] + gone[rules.RARE_OBJECT] + gone[rules.MERGED]
    )
    attributes = (rules.RARE_ATTRIBUTE, rules.LOST_ATTRIBUTE, rules.ATTRIBUTE_TWICE)
    assert before.attributes - after.attributes == sum(gone[reason] for reason in attributes)
    relations = (rules.RARE_RELATION, rules.LOST_END, rules.TO_ITSELF, rules.TOLD_TWICE)
    assert before.relations - after.relations == sum(gone[reason] for reason in relations)
    assert sum(gone.values()) - whole.skipped == sum(
        getattr(before, name) - getattr(after, name) for name in ("objects", "attributes", "relations")
    )


def test_boxes_of_one_object_become_one() -> None:
    scene = Scene(
        "a",
        (
            Region("man", Box(0, 0, 100, 100), attributes=("tall",), id=5),
            Region("hat", Box(0, 0, 100, 100), id=6),
            Region("man", Box(0, 0, 100, 90), attributes=("old", "tall"), id=7),
            Region("man", Box(0, 0, 100, 70), id=8),
        ),
        (
            Relation(0, "next to", 2),
            Relation(2, "wearing", 1),
            Relation(0, "wearing", 1),
            Relation(3, "near", 1),
        ),
    )
    result = Cleaner(same_over=0.75).clean(scene)
    assert result.scene.regions == (
        Region("man", Box(0, 0, 100, 100), attributes=("tall", "old"), id=5),
        Region("hat", Box(0, 0, 100, 100), id=6),
    )
    assert result.scene.relations == (Relation(0, "wearing", 1), Relation(0, "near", 1))
    assert result.dropped == {
        (rules.MERGED, "man"): 2, (rules.ATTRIBUTE_TWICE, "tall man"): 1,
        (rules.TO_ITSELF, "man next to man"): 1, (rules.TOLD_TWICE, "man wearing hat"): 1,
    }  # fmt: skip


def test_exactly_the_threshold_is_not_over_it() -> None:
    regions = (Region("man", Box(0, 0, 10, 10)), Region("man", Box(0, 0, 10, 7)))
    assert len(Cleaner().clean(Scene("a", regions)).scene.regions) == 2
    assert len(Cleaner(same_over=0.69).clean(Scene("a", regions)).scene.regions) == 1


def test_objects_without_boxes_are_never_merged() -> None:
    scene = Scene("a", (Region("man"), Region("man")))
    assert Cleaner().clean(scene).scene == scene


@given(first=boxes(), second=boxes(), many=st.lists(boxes(), max_size=12), over=st.floats(0.1, 0.9))
def test_loops_and_arrays_find_the_same(first: Box, second: Box, many: list[Box], over: float) -> None:
    assert overlap(first, second) == overlap(second, first)
    assert overlap(first, first) == 1
    far = [Box(1000 + 20 * n, 0, 1010 + 20 * n, 10) for n in range(FEW + 1)]
    assert list(overlapping([*many, *far], over)) == list(overlapping(many, over))


@given(many=st.lists(boxes(), max_size=10), data=st.data())
def test_chains_do_not_depend_on_the_order(many: list[Box], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(many))))
    plain = same_object(many, 0.7)
    mixed = same_object([many[place] for place in order], 0.7)

    def together(firsts: list[int], names: list[int]) -> set[frozenset[int]]:
        groups: dict[int, set[int]] = {}
        for place, first in enumerate(firsts):
            groups.setdefault(first, set()).add(names[place])
        return {frozenset(group) for group in groups.values()}

    assert together(plain, list(range(len(many)))) == together(mixed, order)
    assert all(first <= place for place, first in enumerate(plain))


def test_relations_of_dropped_objects_go_with_them() -> None:
    scene = Scene("a", (Region("gizmo", attributes=("red",)), Region("cup")), (Relation(0, "on", 1),))
    result = Cleaner(vocabulary=Vocabulary(objects=frozenset({"cup"}))).clean(scene)
    assert result.scene.regions == (Region("cup"),)
    assert result.scene.relations == ()
    assert result.dropped == {
        (rules.RARE_OBJECT, "gizmo"): 1, (rules.LOST_ATTRIBUTE, "red gizmo"): 1,
        (rules.LOST_END, "gizmo on cup"): 1,
    }  # fmt: skip


def test_a_picture_with_nothing_left_is_told() -> None:
    report = CleaningReport()
    nothing = Cleaner(vocabulary=Vocabulary(objects=frozenset()))
    assert list(clean_all([Scene("a", (Region("cup"),))], nothing, report)) == []
    assert report.skipped == 1
    assert str(report).splitlines() == [
        "pictures: 1 before, 0 after",
        "objects: 1 before, 0 after",
        "attributes: 0 before, 0 after",
        "relations: 0 before, 0 after",
        "1 x object too rare or not in the vocabulary, such as 'cup'",
        "1 x picture with no object left, such as 'a'",
    ]


# words


@given(text=st.text(" \tAaBbÉ\n", max_size=12))
def test_tidy_words_stay_so(text: str) -> None:
    assert tidy(tidy(text)) == tidy(text)
    assert tidy(text) == Aliases().of(text)


@given(groups=st.lists(st.lists(st.sampled_from("abcdef"), max_size=4), max_size=8))
def test_aliases_never_go_in_circles(groups: list[list[str]]) -> None:
    aliases = Aliases(groups)
    for word in "abcdefg":
        assert aliases.of(aliases.of(word)) == aliases.of(word)
    assert aliases.of("g") == "g"


def test_what_was_read_first_holds(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("under,below\nnear, Next  to\nglass,glasses\n")
    (tmp_path / "b.txt").write_text("below,under,beneath\nnext to,beside\nglasses,spectacles\n")
    aliases = read_aliases([tmp_path / "a.txt", tmp_path / "b.txt"])
    said = {word: aliases.of(word) for word in ("below", "beneath", "beside", "NEXT TO", "spectacles", "cup")}
    assert said == {
        "below": "under", "beneath": "under", "beside": "near", "NEXT TO": "near", "spectacles": "glass",
        "cup": "cup",
    }  # fmt: skip


def test_bad_lines_of_aliases_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"cup,cups\n,,\n\xff,b\n\nman,men\n")
    problems: list[Problem] = []
    aliases = read_aliases([path, tmp_path / "none.txt"], problems.append)
    assert [aliases.of(word) for word in ("cups", "men")] == ["cup", "man"]
    assert [(problem.path.name, problem.line) for problem in problems] == [
        ("a.txt", 2), ("a.txt", 3), ("none.txt", None),
    ]  # fmt: skip
    with pytest.raises(InvalidRecords, match=r"a\.txt:2: the line holds no word"):
        read_aliases([path])


def test_our_own_relations_are_in_one_wording() -> None:
    words = [word for group in bundled_predicates() for word in group]
    assert [word for word, times in Counter(words).items() if times > 1] == []
    assert all(tidy(word) == word for word in words)
    wording = read_wording()
    assert wording.relations.of("in the front of") == "in front of"
    assert wording.relations.of("Wear") == "wearing"


def test_a_vocabulary_file_names_words_and_other_spellings(tmp_path: Path) -> None:
    path = tmp_path / "objects.txt"
    path.write_text("television,tv\ncup\n")
    aliases = Aliases([("mug", "cup")])
    assert read_vocabulary(path, aliases) == {"television", "mug"}
    assert aliases.of("TV") == "television"


@given(many=st.lists(scenes(), max_size=4))
def test_counts_of_parts_are_those_of_the_whole(many: list[Scene]) -> None:
    whole, parts = counted(many, WORDING), Counts()
    for scene in many:
        parts.update(counted([scene], WORDING))
    assert whole == parts
    assert whole.objects.total() == sum(len(scene.regions) for scene in many)


def test_the_most_frequent_words_stay() -> None:
    counts = Counter({"cup": 3, "man": 2, "hat": 2, "": 9, "rope": 1})
    assert most_frequent(counts, 3) == {"cup", "hat"}
    assert most_frequent(counts, None, 2) == {"cup", "hat", "man"}
    assert most_frequent(counts, 0) == frozenset()
    assert (Limits().objects, Limits().attributes, Limits().relations) == (1291, 267, 210)
    vocabulary = frequent(Counts(counts, counts, counts), Limits(2, 3, None))
    assert vocabulary == Vocabulary(frozenset({"cup"}), frozenset({"cup", "hat"}), frozenset(counts) - {""})


def test_a_cleaner_is_fitted_to_its_source() -> None:
    opened = []

    def source() -> list[Scene]:
        opened.append(1)
        return [Scene("a", (Region("Cup"), Region("cup"), Region("hat")))]

    cleaner = fitted_cleaner(source, limits=Limits(objects=1))
    assert [scene.labels for scene in clean_all(source(), cleaner)] == [("cup", "cup")]
    assert len(opened) == 2
