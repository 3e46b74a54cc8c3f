"""CRIC: an answer counts together with the object it points to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.benchmarks.cric import CRIC, function_name
from commonsight.core.answer import FreeText, Grounded, Refused, Truncated, Unparsed
from commonsight.core.item import Item
from commonsight.core.program import FUNCTIONS
from commonsight.errors import PredictionError, Problem
from commonsight.score.scoring import LoggedAnswer
from commonsight.store.native import read_native


@pytest.fixture
def gold(fixtures_dir: Path) -> list[Path]:
    return [fixtures_dir / "cric" / "val_questions.json"]


def three(answer: int, grounding: int, final: int, n: int) -> dict[str, tuple[int, int]]:
    return {"answer": (answer, n), "grounding": (grounding, n), "final": (final, n)}


def test_scores_by_hand(score: Any, counts: Any, gold: list[Path], fixtures_dir: Path) -> None:
    # id  gold             predicted     answer  grounding
    # c0  yellow {13}      yellow 13     right   right
    # c1  yes {14}         yes 11        right   wrong
    # c2  no {}            no none       right   right
    # c3  dog {22}         cat 22        wrong   right
    # c4  man {21, 23}     man 23        right   right
    # c5  yes {34}         yes 34        right   right
    card = score(CRIC, gold, fixtures_dir / "cric" / "predictions.jsonl")
    assert (card.n, card.metrics["final"].clusters) == (6, 3)
    assert counts(card.metrics) == three(5, 5, 4, n=6)
    assert {
        name: {label: counts(figures) for label, figures in labels.items()}
        for name, labels in card.slices.items()
    } == {
        "answer_kind": {"verify": three(3, 2, 2, n=3), "recognize": three(2, 3, 2, n=3)},  # c1 c2 c5 | rest
        "question_type": {
            "QueryAtt": three(1, 1, 1, n=1),  # c0
            "VerifyKG": three(2, 1, 1, n=2),  # c1 c5
            "VerifyAtt": three(1, 1, 1, n=1),  # c2
            "QueryObjKG": three(0, 1, 0, n=1),  # c3
            "QueryObjSG": three(1, 1, 1, n=1),  # c4
        },
        "functions": {
            "3": three(1, 2, 1, n=2),  # c0 c3
            "4": three(1, 0, 0, n=1),  # c1
            "5": three(2, 2, 2, n=2),  # c2 c4
            "6": three(1, 1, 1, n=1),  # c5
        },
        "question_length": {
            "8-10": three(3, 4, 3, n=4),  # c0 c2 c3 c4: 9, 10, 9 and 10 words
            "11-13": three(1, 0, 0, n=1),  # c1: 11
            "17+": three(1, 1, 1, n=1),  # c5: 17
        },
        "graph_size": {"1-2": three(5, 5, 4, n=6)},
    }


@pytest.mark.parametrize(
    ("graph", "label"),
    [
        (None, ()),
        ({}, ("0",)),
        ({"relations": [1, 2], "attributes": [3], "knowledge_items": [4, 5], "note": [6] * 9}, ("5-6",)),
        ({"knowledge_items": list(range(15))}, ("15+",)),
    ],
)
def test_questions_are_sorted_by_what_they_rest_on(
    graph: dict[str, Any] | None, label: tuple[str, ...]
) -> None:
    item = Item("c", "val", (), {}, extra={} if graph is None else {"sub_graph": graph})
    assert CRIC.scoring.slices["graph_size"](item) == label


@pytest.mark.parametrize(
    ("told", "label"), [({}, ()), ({"knowledge": "new"}, ("new",)), ({"knowledge": "known"}, ("known",)),
                        ({"knowledge": ["new"]}, ()), ({"knowledge": "old"}, ())],
)  # fmt: skip
def test_questions_whose_knowledge_training_has_not_met_are_told_apart(
    told: dict[str, Any], label: tuple[str, ...]
) -> None:
    assert CRIC.scoring.slices["knowledge"](Item("c", "val", (), {}, extra=told)) == label


def test_scores_of_the_other_run_by_hand(
    score: Any, counts: Any, gold: list[Path], fixtures_dir: Path
) -> None:
    # red 13 | no none | no none | dog 22 | man 22 | no none: answers c2 c3 c4, objects c0 c2 c3
    card = score(CRIC, gold, fixtures_dir / "cric" / "predictions_b.jsonl")
    assert counts(card.metrics) == three(3, 3, 2, n=6)


@pytest.mark.parametrize(
    ("said", "target", "pointed", "grounding"),
    [
        ("no", [], None, 1),
        ("no", [], 5, 0),  # a no must point to no object
        ("yes", [5], None, 0),  # and a yes to one
        ("yes", [5], 5, 1),
        ("yes", [4, 5, 6], 5, 1),  # any of the targets will do
        ("yes", [4, 6], 5, 0),
        ("yes", [0], 0, 1),
    ],
)
def test_where_an_answer_must_point(
    score: Any,
    counts: Any,
    tmp_path: Path,
    said: str,
    target: list[int],
    pointed: int | None,
    grounding: int,
) -> None:
    record = {"question_id": "q", "image_id": 1, "question": "?", "answer": said, "target": target}
    (tmp_path / "val.json").write_text(json.dumps([record]))
    (tmp_path / "p.jsonl").write_text(json.dumps({"question_id": "q", "answer": said, "object_id": pointed}))
    card = score(CRIC, [tmp_path / "val.json"], tmp_path / "p.jsonl")
    assert counts(card.metrics) == three(1, grounding, grounding, n=1)


def test_a_run_s_failures_score_nothing_and_are_counted_apart(
    score: Any, counts: Any, gold: list[Path]
) -> None:
    said: dict[str, Any] = {
        "c0": Grounded("yellow", 13),
        "c1": Unparsed("?"),
        "c2": Truncated("n"),  # the gold is "no" and no object: a failure must not count as pointing to none
        "c3": Refused("no"),
        "c4": FreeText("man"),  # of the wrong kind
        "c5": Grounded("yes", 34),
    }
    card = score(CRIC, gold, [LoggedAnswer(item, "answer", answer) for item, answer in said.items()])
    assert counts(card.metrics) == three(2, 2, 2, n=6)
    assert card.failures == {"unparsed": 1, "truncated": 1, "refused": 1}


def test_missing_predictions_score_nothing_even_where_nothing_is_right(
    score: Any, counts: Any, tmp_path: Path, gold: list[Path], fixtures_dir: Path
) -> None:
    lines = (fixtures_dir / "cric" / "predictions.jsonl").read_text().splitlines()
    (tmp_path / "p.jsonl").write_text("\n".join(lines[3:] + lines[:2]))  # without c2, whose gold is no object
    with pytest.raises(PredictionError, match="no prediction for id c2"):
        score(CRIC, gold, tmp_path / "p.jsonl")
    card = score(CRIC, gold, tmp_path / "p.jsonl", allow_missing=True)
    assert counts(card.metrics) == three(4, 4, 3, n=6)
    assert card.failures == {"missing": 1}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"answer": "no"},
            "target: the answer is no, yet there is a target. A no points to no object.",
        ),
        (
            {"program": [{"function": "Guess"}]},
            f"program.function: 'Guess' is no function of CRIC. The ten are: {', '.join(FUNCTIONS)}.",
        ),
        (
            {"program": [{}]},
            f"program.function: None is no function of CRIC. The ten are: {', '.join(FUNCTIONS)}.",
        ),
        (
            {"program": [{"function": "Find", "text_input": "red"}]},
            (
                "program: text_input, output and dependencies must be lists. "
                "Write a list, empty if there is nothing."
            ),
        ),
        (
            {"program": [{"function": "Find", "dependencies": ["0"]}]},
            "program.dependencies: these are not step numbers. Count steps from 0.",
        ),
        (
            {"program": [{"function": "Find", "dependencies": [True]}]},
            "program.dependencies: these are not step numbers. Count steps from 0.",
        ),
        (
            {"sub_graph": {"relations": {}}},
            "sub_graph.relations: this is not a list. Write a list, empty if there are none.",
        ),
        ({"target": [-1]}, "target[0]: expected `int` >= 0. Correct the field's type or value."),
        (
            {"target": [2**63]},
            "target[0]: expected `int` <= 9223372036854775807. Correct the field's type or value.",
        ),
        ({"image_id": "1"}, "image_id: expected `int`, got `str`. Correct the field's type or value."),
    ],
)
def test_a_record_that_cannot_be_is_a_problem(
    gold: list[Path], tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    record = {**json.loads(gold[0].read_text())[0], **changes}
    (tmp_path / "val.json").write_text(json.dumps([record]))
    problems: list[Problem] = []
    items = list(read_native(CRIC.native, [tmp_path / "val.json"], on_problem=problems.append))
    assert items == []
    assert [f"{each.field}: {each.message}. {each.remedy}" for each in problems] == [problem]


@pytest.mark.parametrize(
    "step",
    [
        {"function": "Find KG", "text_input": ["BLANK"], "output": [1, "x"]},
        {"function": "find_hypyernym"},  # as the released files spell it
        {"function": "Find", "text_input": None, "output": None, "dependencies": None},
        {"function": "Find", "text_input": [["nested", 1]], "output": [1.5, True, None]},
        {"function": "Find", "output": [True]},
        {"function": "Find", "note": {"kept": 1}, "dependencies": []},
    ],
)
def test_a_step_is_written_back_as_it_was(tmp_path: Path, step: dict[str, Any]) -> None:
    record = {"question_id": "q", "image_id": 1, "question": "?", "program": [step]}
    (tmp_path / "val.json").write_text(json.dumps([record]))
    (item,) = read_native(CRIC.native, [tmp_path / "val.json"])
    assert json.dumps(CRIC.native.from_item(item)["program"][0], sort_keys=True) == json.dumps(
        step, sort_keys=True
    )


@pytest.mark.parametrize(
    ("written", "name"),
    [("Find KG", "Find_KG"), ("find_kg_reverse", "Find_KG_Reverse"), ("AND", "And"), ("Guess", None)],
)
def test_functions_are_known_however_they_are_spelled(written: str, name: str | None) -> None:
    assert function_name(written) == name


rows_of = st.lists(
    st.tuples(
        st.sampled_from(["yes", "no", "dog"]),
        st.lists(st.integers(0, 3), max_size=3),
        st.sampled_from(["yes", "no", "dog", ""]),
        st.none() | st.integers(0, 3),
    ),
    min_size=1,
    max_size=12,
)


@given(rows_of)
def test_a_plain_loop_gives_the_same_figures(
    score: Any, counts: Any, tmp_path_factory: pytest.TempPathFactory, rows: list[Any]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    records, lines = [], []
    wanted = {kind: [0, 0, 0, 0] for kind in ("all", "verify", "recognize")}
    for number, (answer, target, said, pointed) in enumerate(rows):
        if answer == "no":
            target = []
        records.append(
            {
                "question_id": f"q{number}",
                "image_id": number // 2,
                "question": "?",
                "answer": answer,
                "target": target,
            }
        )
        lines.append(json.dumps({"question_id": f"q{number}", "answer": said, "object_id": pointed}))
        right = said == answer
        hit = pointed in target if target else pointed is None
        for kind in ("all", "verify" if answer in ("yes", "no") else "recognize"):
            for position, value in enumerate((right, hit, right and hit, True)):
                wanted[kind][position] += value
    (folder / "val_questions.json").write_text(json.dumps(records))
    (folder / "cric.jsonl").write_text("\n".join(reversed(lines)))
    card = score(CRIC, [folder / "val_questions.json"], folder / "cric.jsonl")
    assert counts(card.metrics) == three(*wanted["all"])
    for kind, figures in card.slices["answer_kind"].items():
        assert counts(figures) == three(*wanted[kind])
