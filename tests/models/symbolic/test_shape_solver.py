"""The solver of sentences about shapes: what labels teach it, and what it does with what it cannot read."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from drawn_shapes import save

from commonsight.benchmarks.nlvr import NLVR, NlvrRecord, ask, to_item
from commonsight.core.answer import Pick, Verdict
from commonsight.core.benchmark import Ask, Source
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText
from commonsight.errors import InputError, UsageError
from commonsight.graph.shapes.chart import Reading
from commonsight.graph.shapes.values import Shape, Tableau, regions_of, tableau
from commonsight.models.symbolic import ranker, shapes
from commonsight.models.symbolic.kinds import KINDS, kind_for, kind_named
from commonsight.models.symbolic.solver import Fitting, Solved, Where

SAID = ("with a {} base", "which has a {} base", "with a {} block at the base", "that contains a {} block")
SCENES = Where(shapes.SCENES, Path())


def blocks(*colours: str) -> list[Shape]:
    return [Shape("square", colour, 20, 40, 80 - 21 * level) for level, colour in enumerate(colours)]


def asked(sentence: str, shown: Tableau, label: bool | None, *, stored: str | None = None) -> Ask:
    scene = Scene("a.png", regions_of(shown), width=400, height=100, stored=stored)
    gold = None if label is None else Verdict(label)
    return Ask("1-0", "verify", (scene,), {"sentence": TaggedText.plain(sentence)}, "verdict", (), gold)


def towers(count: int) -> Tableau:
    """So many towers with a blue base, of three."""
    return tableau([blocks("blue") if number < count else blocks("black") for number in range(3)])


def lessons(*, exact: bool) -> list[Ask]:
    """People who mean exactly one by "one tower", or at least one."""
    return [
        asked(f"there is one tower {how.format(colour)}", towers(count), _true(colour, count, exact=exact))
        for how in SAID
        for colour in ("blue", "black")
        for count in range(4)
    ]


def _true(colour: str, count: int, *, exact: bool) -> bool:
    meant = count if colour == "blue" else 3 - count
    return meant == 1 if exact else meant >= 1


def solver_of(asks: list[Ask], folder: Path) -> shapes.ShapeSolver:
    fitted = shapes.fit(asks, Fitting(SCENES, Path()))
    for name, content in fitted.files.items():
        (folder / name).write_bytes(content)
    return shapes.load(folder, SCENES)


@pytest.mark.parametrize("exact", [True, False])
def test_labels_alone_teach_what_a_number_means(tmp_path: Path, exact: bool) -> None:
    solver = solver_of(lessons(exact=exact), tmp_path)
    two = tableau([blocks("blue", "yellow"), blocks("yellow"), blocks("yellow", "yellow")])
    found = solver.solve(asked("there is one tower with a yellow base", two, None))
    assert found.answer == Verdict(not exact)
    assert found.program.startswith("(count-boxes == 1" if exact else "(count-boxes >= 1")
    assert found.trace[-1] == f"{found.program} = {str(not exact).lower()}"
    assert not found.fell_back


def test_the_same_lessons_give_the_same_bytes() -> None:
    one, other = (shapes.fit(lessons(exact=True), Fitting(SCENES, Path())) for _ in range(2))
    assert one == other
    assert one.measured == {"sentences": 8.0, "unread": 0.0, "majority": 0.75}


def test_what_cannot_be_read_gets_the_commonest_label_and_says_so(tmp_path: Path) -> None:
    solver = solver_of(lessons(exact=False), tmp_path)
    found = solver.solve(asked("colourless green ideas", towers(1), None))
    assert found == Solved(Verdict(True), "", found.trace, fell_back=True)
    assert "cannot be read" in found.trace[0]


def test_pixels_and_scenes_give_the_same_answers(tmp_path: Path) -> None:
    solver = solver_of(lessons(exact=True), tmp_path)
    save(towers(1), tmp_path / "images" / "a.png")
    seeing = shapes.load(tmp_path, Where(shapes.PIXELS, tmp_path))
    put = asked("there is one tower with a blue base", towers(1), None, stored="images/a.png")
    assert seeing.solve(put) == solver.solve(put)
    with pytest.raises(UsageError, match=r"keeps no picture a\.png"):
        seeing.solve(asked("there is one tower with a blue base", towers(1), None))


def test_questions_of_other_kinds_do_not_fit() -> None:
    put = asked("there is a box", towers(1), True)
    assert kind_for([put]) is KINDS[0]
    assert kind_for([]) is None
    for other in (
        msgspec.structs.replace(put, expects="pick"),
        msgspec.structs.replace(put, scenes=put.scenes * 2),
        msgspec.structs.replace(put, texts={}),
        msgspec.structs.replace(put, scenes=(Scene("b.png", width=640, height=480),)),
    ):
        assert kind_for([put, other]) is None
    with pytest.raises(InputError, match="There is no symbolic solver 'magic'"):
        kind_named("magic")


def test_no_label_is_told() -> None:
    with pytest.raises(InputError, match="Item 1-0 is neither true nor false"):
        shapes.fit([asked("there is a box", towers(1), None)], Fitting(SCENES, Path()))
    put = msgspec.structs.replace(asked("there is a box", towers(1), True), gold=Pick(0))
    with pytest.raises(InputError, match="neither true nor false"):
        shapes.fit([put], Fitting(SCENES, Path()))


def test_too_many_folds_are_refused() -> None:
    with pytest.raises(UsageError, match="--folds 9: 8 sentences are too few"):
        shapes.fit(lessons(exact=True), Fitting(SCENES, Path(), folds=9))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{", "this cannot be read"),
        (b'{"weights": {"a": "x"}, "commonest": true}', "this cannot be read"),
        (b'{"weights": {}}', "missing required field `commonest`"),
        (b'{"weights": {}, "commonest": true, "format": 9}', "its format is 9"),
    ],
)
def test_broken_weights_are_told(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / shapes.WEIGHTS).write_bytes(content)
    with pytest.raises(InputError, match=why) as caught:
        shapes.load(tmp_path, SCENES)
    assert "Train the solver again." in str(caught.value)


def test_missing_weights_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"weights\.json: this cannot be read"):
        shapes.load(tmp_path, SCENES)


def test_weights_follow_the_evidence_and_the_rest_keeps_its_prior() -> None:
    right, wrong = Reading(("count",), ("good",), 0.0), Reading(("count",), ("bad",), 0.0)
    lesson = ranker.Lesson((right, wrong), ranker.explained(np.array([[True, True], [False, True]])))
    weights = ranker.fit([lesson], lambda _: 0.25)
    assert weights["good"] > 0.25 > weights["bad"]
    assert ranker.fit([], lambda _: 0.0) == {}
    even = ranker.Lesson((right, wrong), ranker.explained(np.array([[True], [True]])))
    assert ranker.fit([even], lambda _: 0.25) == {"good": 0.25, "bad": 0.25}


@pytest.mark.real_data
def test_half_of_the_real_sentences_teach_how_to_read_the_other_half(data_dir: Path, tmp_path: Path) -> None:
    asks: dict[str, list[Ask]] = {}
    for line in (data_dir / "nlvr" / "dev.json").read_bytes().splitlines():
        if json.loads(line)["identifier"].endswith(("-0", "-1", "-2")):
            item = to_item(msgspec.json.decode(line, type=NlvrRecord), {}, Source("dev.json", "dev"))
            asks.setdefault(item.groups["sentence"], []).append(ask(item))
    groups = [asks[name] for name in sorted(asks)][:120]
    solver = solver_of([one for group in groups[::2] for one in group], tmp_path)
    tried = [one for group in groups[1::2] for one in group]
    right = sum(solver.solve(one).answer == one.gold for one in tried)
    commonest = max(sum(one.gold == Verdict(value) for one in tried) for value in (True, False))
    assert right > commonest + 0.2 * len(tried)


@pytest.mark.real_data
def test_real_sentences_are_as_true_in_other_colours(data_dir: Path, tmp_path: Path) -> None:
    """What is recoloured to be learned from keeps its label: who reads and executes it says the same."""
    lines = (data_dir / "nlvr" / "dev.json").read_bytes().splitlines()[:150]
    records = [msgspec.json.decode(line, type=NlvrRecord) for line in lines]
    items = [to_item(record, {}, Source("dev.json", "dev")) for record in records]
    solver = solver_of([ask(item) for item in items], tmp_path)
    pairs = [(item, variant.item(item)) for item in items for variant in NLVR.variants[::2]]
    assert sum(one.texts != other.texts for one, other in pairs) > len(pairs) / 3
    same = sum(solver.solve(ask(one)).answer == solver.solve(ask(other)).answer for one, other in pairs)
    assert same / len(pairs) > 0.98
