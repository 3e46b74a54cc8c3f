"""VCR: scores by hand, staged logic, what a record may not be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from commonsight.benchmarks.vcr import ANSWER_COLUMNS, RATIONALE_COLUMNS, VCR
from commonsight.core.answer import Answer, FreeText, Pick, Refused, Truncated, Unparsed
from commonsight.errors import PredictionError, Problem
from commonsight.score.scoring import LoggedAnswer
from commonsight.store.native import read_native


@pytest.fixture
def gold(fixtures_dir: Path) -> list[Path]:
    return [fixtures_dir / "vcr" / "val.jsonl"]


def test_scores_by_hand(score: Any, counts: Any, gold: list[Path], fixtures_dir: Path) -> None:
    # item            0  1  2  3  4  5  6  7
    # gold answer     0  1  2  3  0  1  2  0
    # predicted       0  1  2  0  0  1  2  1   right: all but 3 and 7
    # gold rationale  0  2  1  1  0  0  1  1
    # predicted       0  3  1  2  0  1  1  2   right: 0, 2, 4, 6, and these have the right answer too
    card = score(VCR, gold, fixtures_dir / "vcr" / "predictions.csv")
    assert card.n == 8
    assert counts(card.metrics) == {"q2a": (6, 8), "qa2r": (4, 8), "q2ar": (4, 8)}
    assert card.metrics["q2a"].clusters == 3  # three images
    assert (card.clustered_by, card.failures, card.steps) == ("image", {}, ())


def test_scores_of_the_other_run_by_hand(
    score: Any, counts: Any, gold: list[Path], fixtures_dir: Path
) -> None:
    # answers    0 2 3 3 1 2 2 1   right: 0, 3, 6
    # rationales 0 3 1 1 0 1 1 1   right: 0, 2, 3, 4, 6, 7
    card = score(VCR, gold, fixtures_dir / "vcr" / "predictions_b.csv")
    assert counts(card.metrics) == {"q2a": (3, 8), "qa2r": (6, 8), "q2ar": (3, 8)}


def test_question_types_by_hand(score: Any, counts: Any, gold: list[Path], fixtures_dir: Path) -> None:
    card = score(VCR, gold, fixtures_dir / "vcr" / "predictions.csv")
    types = {label: counts(figures) for label, figures in card.slices["question_type"].items()}
    whole = {"q2a": (1, 1), "qa2r": (1, 1), "q2ar": (1, 1)}
    none = {"q2a": (0, 1), "qa2r": (0, 1), "q2ar": (0, 1)}
    assert types == {
        "Explanation": whole,  # 0: Why is … holding out the …?
        "Temporal": {"q2a": (2, 2), "qa2r": (0, 2), "q2ar": (0, 2)},  # 1: … next?  5: What happened before …?
        "Scene": whole,  # 2: Where are …?
        "Mental": none,  # 3: How is … feeling?
        "Role": whole,  # 4: Are … married?
        "Hypothetical": whole,  # 6: What would … do if …?
        "Activity": none,  # 7: Is … looking at …?
    }


def csv(rows: dict[str, tuple[list[float], list[list[float]]]]) -> str:
    lines = [",".join(("annot_id", *ANSWER_COLUMNS, *RATIONALE_COLUMNS))]
    for name, (answers, rationales) in rows.items():
        lines.append(",".join([name, *map(str, answers), *(str(x) for row in rationales for x in row)]))
    return "\n".join(lines) + "\n"


def one_hot(index: int) -> list[float]:
    return [float(position == index) for position in range(4)]


@pytest.mark.parametrize(
    ("answer", "rationale_on_gold", "rationale_elsewhere", "q2a", "qa2r", "q2ar"),
    [
        (0, 0, 3, 1, 1, 1),  # only the rationale on the gold answer counts
        (0, 3, 0, 1, 0, 0),  # right on every other condition helps nothing
        (1, 0, 3, 0, 1, 0),  # a wrong answer does not spoil QA→R, where the gold answer is given
        (1, 3, 0, 0, 0, 0),
    ],
)
def test_the_rationale_is_scored_on_the_gold_answer(
    score: Any,
    counts: Any,
    tmp_path: Path,
    gold: list[Path],
    answer: int,
    rationale_on_gold: int,
    rationale_elsewhere: int,
    q2a: int,
    qa2r: int,
    q2ar: int,
) -> None:
    record = gold[0].read_text().splitlines()[0]  # both labels are 0
    (tmp_path / "val.jsonl").write_text(record)
    rationales = [one_hot(rationale_on_gold), *[one_hot(rationale_elsewhere)] * 3]
    (tmp_path / "p.csv").write_text(csv({"val-0": (one_hot(answer), rationales)}))
    card = score(VCR, [tmp_path / "val.jsonl"], tmp_path / "p.csv")
    assert counts(card.metrics) == {"q2a": (q2a, 1), "qa2r": (qa2r, 1), "q2ar": (q2ar, 1)}


def answers_of(task: str, said: dict[int, Answer]) -> list[LoggedAnswer]:
    return [LoggedAnswer(f"val-{number}", task, answer) for number, answer in said.items()]


GOLD_ANSWERS = dict(enumerate([0, 1, 2, 3, 0, 1, 2, 0]))
GOLD_RATIONALES = dict(enumerate([0, 2, 1, 1, 0, 0, 1, 1]))


def test_a_run_s_failures_score_nothing_and_are_counted_apart(
    score: Any, counts: Any, gold: list[Path]
) -> None:
    said: dict[int, Answer] = {number: Pick(label) for number, label in GOLD_ANSWERS.items()}
    said |= {0: Unparsed("a or b"), 1: Truncated("It is"), 2: Refused("I will not"), 3: Refused("No.")}
    why: dict[int, Answer] = {number: Pick(label) for number, label in GOLD_RATIONALES.items()}
    why |= {7: Unparsed("?"), 6: FreeText("an answer of the wrong kind")}
    card = score(VCR, gold, answers_of("q2a", said) + answers_of("qa2r", why))
    assert counts(card.metrics) == {"q2a": (4, 8), "qa2r": (6, 8), "q2ar": (2, 8)}
    assert card.failures == {"unparsed": 2, "truncated": 1, "refused": 2}


def test_a_run_of_one_step_has_that_step_s_figure_alone(score: Any, counts: Any, gold: list[Path]) -> None:
    first = answers_of("q2a", {number: Pick(label) for number, label in GOLD_ANSWERS.items()})
    second = answers_of("qa2r", {number: Pick(label) for number, label in GOLD_RATIONALES.items()})
    assert counts(score(VCR, gold, first).metrics) == {"q2a": (8, 8)}
    assert counts(score(VCR, gold, second).metrics) == {"qa2r": (8, 8)}


@pytest.mark.parametrize("tasks", [("q2a",), ("qa2r",), ("q2a", "qa2r")])
def test_a_run_in_which_every_answer_failed_scores_nought(
    score: Any, counts: Any, gold: list[Path], tasks: tuple[str, ...]
) -> None:
    said = [
        answer for task in tasks for answer in answers_of(task, dict.fromkeys(GOLD_ANSWERS, Unparsed("hm")))
    ]
    card = score(VCR, gold, said)
    metrics = (*tasks, "q2ar") if len(tasks) == 2 else tasks
    assert counts(card.metrics) == dict.fromkeys(metrics, (0, 8))
    assert card.failures == {"unparsed": 8 * len(tasks)}


def test_a_pick_of_no_choice_is_wrong_and_no_crash(score: Any, counts: Any, gold: list[Path]) -> None:
    said: dict[int, Answer] = dict.fromkeys(GOLD_ANSWERS, Pick(100_000))
    assert counts(score(VCR, gold, answers_of("q2a", said)).metrics) == {"q2a": (0, 8)}


def test_ids_that_are_missing_unknown_or_doubled_are_named(
    score: Any, counts: Any, tmp_path: Path, gold: list[Path], fixtures_dir: Path
) -> None:
    header, *rows = (fixtures_dir / "vcr" / "predictions.csv").read_text().splitlines()
    path = tmp_path / "p.csv"

    def given(*lines: str) -> Path:
        path.write_text("\n".join([header, *lines]) + "\n")
        return path

    with pytest.raises(PredictionError) as missing:
        score(VCR, gold, given(*rows[2:]))
    assert str(missing.value) == (
        f"{path}: no prediction for ids val-0, val-1. "
        "Predict every item, or add --allow-missing to score missing ones 0."
    )
    with pytest.raises(PredictionError, match=r"the gold has no id val-99\. Check that"):
        score(VCR, gold, given(*rows, rows[0].replace("val-0", "val-99")))
    with pytest.raises(PredictionError, match=r"more than one prediction for ids val-0, val-3\. Keep one"):
        score(VCR, gold, given(*rows, rows[0], rows[3]))
    card = score(VCR, gold, given(*rows[2:]), allow_missing=True)
    assert counts(card.metrics) == {"q2a": (4, 8), "qa2r": (3, 8), "q2ar": (3, 8)}
    assert card.failures == {"missing": 2}


def test_many_missing_ids_are_counted_after_the_first_few(
    score: Any, tmp_path: Path, gold: list[Path], fixtures_dir: Path
) -> None:
    lines = (fixtures_dir / "vcr" / "predictions.csv").read_text().splitlines()
    (tmp_path / "p.csv").write_text("\n".join(lines[:2]))
    with pytest.raises(PredictionError, match="ids val-1, val-2, val-3, val-4, val-5 and 2 more"):
        score(VCR, gold, tmp_path / "p.csv")


def problems_with(gold: list[Path], tmp_path: Path, changes: dict[str, Any]) -> list[str]:
    record = json.loads(gold[0].read_text().splitlines()[0])
    changed = {name: value for name, value in {**record, **changes}.items() if value is not ...}
    (tmp_path / "val.jsonl").write_text(json.dumps(changed))
    problems: list[Problem] = []
    items = list(read_native(VCR.native, [tmp_path / "val.jsonl"], on_problem=problems.append))
    assert bool(items) != bool(problems)
    return [f"{problem.line}: {problem.field}: {problem.message}. {problem.remedy}" for problem in problems]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"answer_choices": [["a"]] * 3},
            "1: answer_choices: 3 choices, not 4. VCR has exactly 4 of each.",
        ),
        (
            {"rationale_choices": [["a"]] * 5},
            "1: rationale_choices: 5 choices, not 4. VCR has exactly 4 of each.",
        ),
        (
            {"question": ...},
            "1: question: the record has neither a question nor a premise. Add the question.",
        ),
        ({"annot_id": 3}, "1: annot_id: expected `str`, got `int`. Correct the field's type or value."),
        (
            {"question": ["Why", [0, "x"]]},
            "1: question[1][1]: expected `int`, got `str`. Correct the field's type or value.",
        ),
        (
            {"answer_label": ..., "rationale_label": 4},
            "1: rationale_label: the label 4 is not one of the 4 choices. Labels count from 0 to 3.",
        ),
    ],
)
def test_a_record_that_cannot_be_is_a_problem(
    gold: list[Path], tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    assert problems_with(gold, tmp_path, changes) == [problem]


@pytest.mark.parametrize(
    "changes",
    [
        {"answer_label": ..., "rationale_label": ...},  # test records carry no labels
        {"rationale_choices": ..., "rationale_label": ...},
        {"question": ..., "premise": ["Why", [0], "?"]},
        {"question_orig": ["Why", "?"]},  # some sets keep the tokens
    ],
)
def test_forms_that_the_released_files_have_are_read(
    gold: list[Path], tmp_path: Path, changes: dict[str, Any]
) -> None:
    assert problems_with(gold, tmp_path, changes) == []


def test_the_second_step_cannot_be_asked_without_the_answer(gold: list[Path]) -> None:
    item = next(read_native(VCR.native, gold))
    with pytest.raises(ValueError, match="item val-0 has no gold answer to give"):
        VCR.task("qa2r").ask(structs.replace(item, gold=None))


label = st.integers(0, 3)
rows_of = st.lists(
    st.tuples(label, label, st.lists(st.floats(-9, 9), min_size=20, max_size=20)), min_size=1, max_size=9
)


@given(rows_of, st.randoms(use_true_random=False))
def test_a_plain_loop_gives_the_same_figures(
    score: Any,
    counts: Any,
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[int, int, list[float]]],
    order: Any,
) -> None:
    folder = tmp_path_factory.getbasetemp()
    q2a = qa2r = q2ar = 0
    records, lines = [], []
    for number, (answer, rationale, numbers) in enumerate(rows):
        said = max(range(4), key=lambda i: numbers[i])  # the first of equals, as argmax
        on_gold = numbers[4 + 4 * answer : 8 + 4 * answer]
        why = max(range(4), key=lambda i: on_gold[i])
        q2a += said == answer
        qa2r += why == rationale
        q2ar += said == answer and why == rationale
        records.append(
            {
                "annot_id": f"val-{number}",
                "img_fn": f"{number % 3}.jpg",
                "objects": [],
                "question": ["Why", "?"],
                "answer_choices": [["a"]] * 4,
                "answer_label": answer,
                "rationale_choices": [["a"]] * 4,
                "rationale_label": rationale,
            }
        )
        lines.append(",".join([f"val-{number}", *map(repr, numbers)]))
    order.shuffle(lines)
    (folder / "val.jsonl").write_text("\n".join(map(json.dumps, records)))
    header = ",".join(("annot_id", *ANSWER_COLUMNS, *RATIONALE_COLUMNS))
    (folder / "vcr.csv").write_text("\n".join([header, *lines]))
    card = score(VCR, [folder / "val.jsonl"], folder / "vcr.csv")
    n = len(rows)
    assert counts(card.metrics) == {"q2a": (q2a, n), "qa2r": (qa2r, n), "q2ar": (q2ar, n)}
    assert not np.isnan([figure.value for figure in card.metrics.values()]).any()
