"""A-OKVQA: multiple choice, direct answers at min(1, matches / 3), slices by frequency and knowledge."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.benchmarks.aokvqa import AOKVQA
from commonsight.build.vocabulary import read_vocabulary
from commonsight.core.answer import FreeText, Pick, Refused, Truncated, Unparsed
from commonsight.errors import InputError, PredictionError, Problem
from commonsight.score.bins import FREQUENCY_BINS, bin_of
from commonsight.score.direct_answer import direct_answer
from commonsight.score.gold import Ragged
from commonsight.score.scoring import LoggedAnswer
from commonsight.store.native import read_native


@pytest.fixture
def gold(fixtures_dir: Path) -> list[Path]:
    return [fixtures_dir / "aokvqa" / "aokvqa_v1p0_val.json"]


def test_scores_by_hand(score: Any, counts: Any, gold: list[Path], fixtures_dir: Path) -> None:
    # q0 beans  right;  direct: beans, 6 people: 1
    # q1 guard  right;  direct: protect, 2 people: 2/3
    # q2 rain   right;  direct: rain, 8 people: 1
    # q3 lunch  wrong;  direct: left out as difficult
    # q4 winter wrong;  direct: summer, 2 people: 2/3
    card = score(AOKVQA, gold, fixtures_dir / "aokvqa" / "predictions.json")
    assert card.n == 5
    assert counts(card.metrics) == {"mc": (3, 5), "da": (pytest.approx(10 / 3), 4)}
    assert card.failures == {}


def test_scores_of_the_other_run_by_hand(
    score: Any, counts: Any, gold: list[Path], fixtures_dir: Path
) -> None:
    # beans alone is right; "guard" everywhere is what five people said of q1, and nobody elsewhere
    card = score(AOKVQA, gold, fixtures_dir / "aokvqa" / "predictions_b.json")
    assert counts(card.metrics) == {"mc": (1, 5), "da": (1, 4)}


def test_slices_from_files_by_hand(score: Any, counts: Any, gold: list[Path], fixtures_dir: Path) -> None:
    folder = fixtures_dir / "aokvqa"
    files = {"training": folder / "aokvqa_v1p0_train.json", "knowledge": folder / "knowledge.csv"}
    card = score(AOKVQA, gold, folder / "predictions.json", slices=files)
    found = {
        name: {label: counts(figures) for label, figures in labels.items()}
        for name, labels in card.slices.items()
    }
    # Most common answers, and how often training has them: beans 6, guard 5, rain 8, snack 3, and july 4
    # (before spring, which four people said as well).
    assert found["training"] == {
        "1-5": {"mc": (1, 3), "da": (pytest.approx(4 / 3), 2)},  # q1 q3 q4; q3 is not in da
        "6-10": {"mc": (2, 2), "da": (2, 2)},  # q0 q2
    }
    assert found["knowledge"] == {
        "Knowledge Base": {"mc": (1, 1), "da": (1, 1)},  # q0
        "Commonsense": {"mc": (2, 2), "da": (pytest.approx(5 / 3), 2)},  # q1 q2
        "Visual": {"mc": (0, 2), "da": (pytest.approx(2 / 3), 1)},  # q3 q4
    }


@pytest.mark.parametrize(
    ("count", "label"),
    [
        (0, "0"), (1, "1-5"), (5, "1-5"), (6, "6-10"), (10, "6-10"), (11, "11-20"), (20, "11-20"),
        (21, "21-50"), (51, "51-100"), (101, "101-200"), (200, "101-200"), (201, "201+"), (10**6, "201+"),
    ],
)  # fmt: skip
def test_frequency_bins_are_those_of_the_paper(count: int, label: str) -> None:
    assert bin_of(count, FREQUENCY_BINS) == label


def column(*rows: list[str]) -> Ragged:
    flat = [answer for row in rows for answer in row]
    return Ragged(pa.array(flat, pa.string()), np.array([len(row) for row in rows], dtype=np.int64))


@pytest.mark.parametrize(
    ("matches", "value"), [(0, 0.0), (1, 1 / 3), (2, 2 / 3), (3, 1.0), (4, 1.0), (10, 1.0)]
)
def test_three_people_who_agree_make_an_answer_right(matches: int, value: float) -> None:
    wanted = column(["a"] * matches + ["b"] * (10 - matches))
    assert direct_answer(wanted, pa.array(["a"]), np.array([False])).tolist() == [value]


@pytest.mark.parametrize(("enough", "value"), [(1, 1.0), (2, 1.0), (3, 2 / 3), (4, 0.5), (10, 0.2)])
def test_how_many_are_enough_is_an_argument(enough: int, value: float) -> None:
    wanted = column(["a", "a", "b"])
    assert direct_answer(wanted, pa.array(["a"]), np.array([False]), enough=enough).tolist() == [value]


def test_difficult_items_are_left_out_and_unread_answers_are_not() -> None:
    wanted = column(["a"] * 10, ["a"] * 10, [])
    given = pa.array(["a", None, "a"], pa.string())
    values = direct_answer(wanted, given, np.array([True, False, False]))
    assert np.isnan(values[0])
    assert values[1:].tolist() == [0.0, 0.0]


def said(task: str, answers: dict[str, Any]) -> list[LoggedAnswer]:
    return [LoggedAnswer(item, task, answer) for item, answer in answers.items()]


def test_a_run_s_failures_score_nothing_and_are_counted_apart(
    score: Any, counts: Any, gold: list[Path]
) -> None:
    choices = {"q0": Pick(0), "q1": Unparsed("?"), "q2": Pick(9), "q3": Pick(3), "q4": Refused("no")}
    direct = {
        "q0": FreeText("beans"),
        "q1": Truncated("gu"),
        "q2": FreeText("it rains"),  # two people
        "q3": Refused("no"),  # difficult: counted as refused, and not in da
        "q4": Pick(0),  # of the wrong kind
    }
    card = score(AOKVQA, gold, said("mc", choices) + said("da", direct))
    assert counts(card.metrics) == {"mc": (2, 5), "da": (pytest.approx(5 / 3), 4)}
    assert card.failures == {"unparsed": 1, "refused": 2, "truncated": 1}


@pytest.mark.parametrize(("task", "n"), [("mc", 5), ("da", 4)])
def test_a_run_in_which_every_answer_failed_scores_nought(
    score: Any, counts: Any, gold: list[Path], task: str, n: int
) -> None:
    answers = dict.fromkeys(["q0", "q1", "q2", "q3", "q4"], Unparsed("hm"))
    card = score(AOKVQA, gold, said(task, answers))
    assert counts(card.metrics) == {task: (0, n)}
    assert card.failures == {"unparsed": 5}


def test_either_part_may_be_predicted_alone(
    score: Any, counts: Any, tmp_path: Path, gold: list[Path], fixtures_dir: Path
) -> None:
    rows = json.loads((fixtures_dir / "aokvqa" / "predictions.json").read_text())
    for part, wanted in (
        ("multiple_choice", {"mc": (3, 5)}),
        ("direct_answer", {"da": (pytest.approx(10 / 3), 4)}),
    ):
        (tmp_path / "p.json").write_text(json.dumps({key: {part: row[part]} for key, row in rows.items()}))
        assert counts(score(AOKVQA, gold, tmp_path / "p.json").metrics) == wanted


def test_a_choice_that_is_none_is_wrong_and_counted(
    score: Any, counts: Any, tmp_path: Path, gold: list[Path], fixtures_dir: Path
) -> None:
    rows = json.loads((fixtures_dir / "aokvqa" / "predictions.json").read_text())
    rows["q0"]["multiple_choice"] = "Beans"
    (tmp_path / "p.json").write_text(json.dumps(rows))
    card = score(AOKVQA, gold, tmp_path / "p.json")
    assert counts(card.metrics)["mc"] == (2, 5)
    assert (card.failures, card.steps) == ({"not_a_choice": 1}, ())


def test_a_choice_listed_twice_is_right_at_either_place(score: Any, counts: Any, tmp_path: Path) -> None:
    record = {
        "split": "val",
        "image_id": 1,
        "question_id": "q",
        "question": "?",
        "choices": ["a", "b", "a", "c"],
        "correct_choice_idx": 0,
        "direct_answers": ["a"],
    }
    (tmp_path / "val.json").write_text(json.dumps([record]))
    for index, right in enumerate((1, 0, 1, 0)):
        card = score(AOKVQA, [tmp_path / "val.json"], said("mc", {"q": Pick(index)}))
        assert counts(card.metrics) == {"mc": (right, 1)}


def test_missing_predictions_are_named_or_score_nothing(
    score: Any, counts: Any, tmp_path: Path, gold: list[Path], fixtures_dir: Path
) -> None:
    rows = json.loads((fixtures_dir / "aokvqa" / "predictions.json").read_text())
    del rows["q0"], rows["q3"]
    (tmp_path / "p.json").write_text(json.dumps(rows))
    with pytest.raises(PredictionError, match="no prediction for ids q0, q3"):
        score(AOKVQA, gold, tmp_path / "p.json")
    card = score(AOKVQA, gold, tmp_path / "p.json", allow_missing=True)
    # q3 is difficult: missing or not, it is no part of da
    assert counts(card.metrics) == {"mc": (2, 5), "da": (pytest.approx(7 / 3), 4)}
    assert card.failures == {"missing": 2}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"correct_choice_idx": 4},
            "correct_choice_idx: the label 4 is not one of the 4 choices. Labels count from 0 to 3.",
        ),
        ({"choices": "abc"}, "choices: expected `array`, got `str`. Correct the field's type or value."),
        ({"image_id": 1.5}, "image_id: expected `int`, got `float`. Correct the field's type or value."),
        ({"question_id": ""}, "question_id: the id is empty. Give every record an id of its own."),
    ],
)
def test_a_record_that_cannot_be_is_a_problem(
    gold: list[Path], tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    record = {**json.loads(gold[0].read_text())[0], **changes}
    (tmp_path / "val.json").write_text(json.dumps([record]))
    problems: list[Problem] = []
    items = list(read_native(AOKVQA.native, [tmp_path / "val.json"], on_problem=problems.append))
    assert items == []
    assert [f"{each.field}: {each.message}. {each.remedy}" for each in problems] == [problem]


@pytest.mark.parametrize("name", ["direct_answers", "rationales"])
def test_an_empty_list_and_no_list_are_both_written_back(gold: list[Path], tmp_path: Path, name: str) -> None:
    record = json.loads(gold[0].read_text())[0]
    for changed in (
        {**record, name: []},
        {key: value for key, value in record.items() if key != name},
    ):
        (tmp_path / "val.json").write_text(json.dumps([changed]))
        (item,) = read_native(AOKVQA.native, [tmp_path / "val.json"])
        assert AOKVQA.native.from_item(item) == changed


def test_a_vocabulary_keeps_every_line_in_its_place(tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.csv"
    path.write_text("\nblue\nice\u2028cream\n\nsea", encoding="utf-8")
    assert read_vocabulary(path) == ("", "blue", "ice\u2028cream", "", "sea")


@pytest.mark.parametrize("load", [read_vocabulary, AOKVQA.scoring.slice_sources["knowledge"].load])
def test_lists_that_cannot_be_read_are_clear_errors(tmp_path: Path, load: Any) -> None:
    (tmp_path / "latin.csv").write_bytes("q0,caf\xe9".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.csv: the text is not UTF-8"):
        load(tmp_path / "latin.csv")
    with pytest.raises(InputError, match=r"none\.csv: the file cannot be read"):
        load(tmp_path / "none.csv")


words = st.sampled_from(["red", "blue", "green", "tea"])
rows_of = st.lists(
    st.tuples(
        st.lists(words, min_size=4, max_size=4),
        st.integers(0, 3),
        st.lists(words, min_size=1, max_size=10),
        st.booleans(),
        words,
        words,
    ),
    min_size=1,
    max_size=9,
)


@given(rows_of)
def test_a_plain_loop_gives_the_same_figures(
    score: Any, counts: Any, tmp_path_factory: pytest.TempPathFactory, rows: list[Any]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    records, predictions = [], {}
    mc, strays, da, counted = 0, 0, 0.0, 0
    for number, (choices, label, people, difficult, choice, direct) in enumerate(rows):
        records.append(
            {
                "split": "val",
                "image_id": number // 2,
                "question_id": f"q{number}",
                "question": "?",
                "choices": choices,
                "correct_choice_idx": label,
                "direct_answers": people,
                "difficult_direct_answer": difficult,
            }
        )
        predictions[f"q{number}"] = {"multiple_choice": choice, "direct_answer": direct}
        mc += choices[label] == choice
        strays += choice not in choices
        if not difficult:
            counted += 1
            da += min(1.0, Counter(people)[direct] / 3)
    (folder / "val.json").write_text(json.dumps(records))
    (folder / "aokvqa.json").write_text(json.dumps(dict(reversed(predictions.items()))))
    card = score(AOKVQA, [folder / "val.json"], folder / "aokvqa.json")
    assert counts(card.metrics) == {"mc": (mc, len(rows)), "da": (pytest.approx(da), counted)}
    assert card.failures == ({"not_a_choice": strays} if strays else {})


def test_what_people_said_is_there_to_learn_from_and_only_for_direct_answers(fixtures_dir: Path) -> None:
    items = read_native(AOKVQA.native, [fixtures_dir / "aokvqa" / "aokvqa_v1p0_val.json"])
    for item in items:
        assert AOKVQA.task("da").ask(item).answers == item.direct_answers
        assert AOKVQA.task("mc").ask(item).answers == ()


def test_every_row_of_the_papers_tables_is_there() -> None:
    rows = AOKVQA.published
    assert Counter(row.source for row in rows) == {"Table 3": 16, "Table 4": 4, "Table 5": 9}
    assert len({row.name for row in rows}) == len(rows)
    assert all(row.split == "val" and list(row.metrics) == ["mc", "da"] for row in rows)
    best = max(rows, key=lambda row: row.metrics["mc"])
    assert (best.name, best.metrics) == ("GPV-2, rationale", {"mc": 0.734, "da": 0.589})
    weighted = next(row for row in rows if row.name == "Random (weighted)")
    assert weighted.metrics == {"mc": 0.2949, "da": 0.0015}
