"""PMR: accuracy, halves, categories and what kind of action gets picked, by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.benchmarks.pmr import ANSWER_TYPES, PMR, both_premises, half_of
from commonsight.core.answer import Pick, Refused, Truncated, Unparsed
from commonsight.errors import PredictionError, Problem
from commonsight.score.scoring import LoggedAnswer
from commonsight.store.native import read_native


@pytest.fixture
def gold(fixtures_dir: Path) -> list[Path]:
    return [fixtures_dir / "pmr" / "val-ori.jsonl", fixtures_dir / "pmr" / "val-adv.jsonl"]


def picks(true: int, false: int, first: int, second: int, n: int) -> dict[str, tuple[int, int]]:
    shares = zip(ANSWER_TYPES, (true, false, first, second), strict=True)
    return {f"picks_{name}": (k, n) for name, k in shares}


def test_scores_by_hand(score: Any, counts: Any, gold: list[Path], fixtures_dir: Path) -> None:
    # id        32 33 34 35 | 48 49 50 51
    # gold       2  3  1  2 |  1  2  3  1
    # predicted  2  3  2  2 |  1  2  3  1   wrong: 34, where 2 is its Distractor2
    # Only the original half states types: four picks are shared out, not eight. Pals: 33 and 49, 35 and 51.
    card = score(PMR, gold, fixtures_dir / "pmr" / "predictions.jsonl")
    assert card.n == 8
    assert counts(card.metrics) == {"accuracy": (7, 8), "both_premises": (4, 4), **picks(3, 0, 0, 1, n=4)}
    assert {label: counts(figures) for label, figures in card.slices["half"].items()} == {
        "ori": {"accuracy": (3, 4), "both_premises": (2, 2), **picks(3, 0, 0, 1, n=4)},
        "adv": {"accuracy": (4, 4), "both_premises": (2, 2), **picks(0, 0, 0, 0, n=0)},
    }
    assert {label: counts(figures)["accuracy"] for label, figures in card.slices["category"].items()} == {
        "mood": (2, 2),  # 32 48
        "relationship": (2, 2),  # 33 49
        "identity": (1, 2),  # 34 50
        "environment": (2, 2),  # 35 51
    }
    assert card.metrics["accuracy"].clusters == 3


def test_scores_of_the_other_run_by_hand(
    score: Any, counts: Any, gold: list[Path], fixtures_dir: Path
) -> None:
    # predicted  2  0  1  3 |  1  3  3  2   right: 32, 34, 48, 50; 33 and 35 pick their Action-False
    card = score(PMR, gold, fixtures_dir / "pmr" / "predictions_b.jsonl")
    assert counts(card.metrics) == {"accuracy": (4, 8), "both_premises": (0, 4), **picks(2, 2, 0, 0, n=4)}
    halves = {label: counts(figures)["accuracy"] for label, figures in card.slices["half"].items()}
    assert halves == {"ori": (2, 4), "adv": (2, 4)}


def test_a_run_s_failures_score_nothing_and_are_counted_apart(
    score: Any, counts: Any, gold: list[Path]
) -> None:
    right = {32: 2, 33: 3, 34: 1, 35: 2, 48: 1, 49: 2, 50: 3, 51: 1}
    said: dict[int, Any] = {number: Pick(label) for number, label in right.items()}
    said |= {32: Unparsed("?"), 33: Truncated("I"), 48: Refused("no"), 34: Pick(9)}
    card = score(PMR, gold, [LoggedAnswer(str(number), "action", answer) for number, answer in said.items()])
    assert counts(card.metrics) == {"accuracy": (4, 8), "both_premises": (2, 4), **picks(1, 0, 0, 0, n=4)}
    assert card.failures == {"unparsed": 1, "truncated": 1, "refused": 1}


def test_missing_predictions_are_named_or_score_nothing(
    score: Any, counts: Any, tmp_path: Path, gold: list[Path], fixtures_dir: Path
) -> None:
    lines = (fixtures_dir / "pmr" / "predictions.jsonl").read_text().splitlines()
    (tmp_path / "p.jsonl").write_text("\n".join(lines[1:]))
    with pytest.raises(PredictionError, match=r"p\.jsonl: no prediction for id 32\. Predict every item"):
        score(PMR, gold, tmp_path / "p.jsonl")
    card = score(PMR, gold, tmp_path / "p.jsonl", allow_missing=True)
    assert counts(card.metrics) == {"accuracy": (6, 8), "both_premises": (4, 4), **picks(2, 0, 0, 1, n=4)}
    assert card.failures == {"missing": 1}


@pytest.mark.parametrize(
    ("name", "half"),
    [
        ("val-ori.jsonl", "ori"),
        ("test-adv.jsonl", "adv"),
        ("val_adv.jsonl", "adv"),
        ("VAL-ORI.JSONL", "ori"),
        ("val.jsonl", None),
        ("val-original.jsonl", None),
        ("advice.jsonl", None),
    ],
)
def test_the_file_s_name_tells_the_half(name: str, half: str | None) -> None:
    assert half_of(name) == half


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"answer_types": ["Action-True"]},
            "answer_types: 1 types for 4 choices. Give each choice one type.",
        ),
        ({"total_id": "32"}, "total_id: expected `int`, got `str`. Correct the field's type or value."),
        (
            {"answer_label": 4},
            "answer_label: the label 4 is not one of the 4 choices. Labels count from 0 to 3.",
        ),
        ({"premise": "text"}, "premise: expected `array`, got `str`. Correct the field's type or value."),
        ({"premise": [[7]]}, "premise: the tag [7] points to no object. Tags count objects from 0 to 2."),
    ],
)
def test_a_record_that_cannot_be_is_a_problem(
    gold: list[Path], tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    record = {**json.loads(gold[0].read_text().splitlines()[0]), **changes}
    (tmp_path / "val-ori.jsonl").write_text(json.dumps(record))
    problems: list[Problem] = []
    items = list(read_native(PMR.native, [tmp_path / "val-ori.jsonl"], on_problem=problems.append))
    assert items == []
    assert [f"{each.field}: {each.message}. {each.remedy}" for each in problems] == [problem]


rows_of = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.integers(0, 3),
        st.none() | st.permutations(ANSWER_TYPES),
        st.sampled_from([None, "mood", "identity"]),
        st.sampled_from(["ori", "adv"]),
    ),
    min_size=1,
    max_size=9,
)


@given(rows_of)
def test_a_plain_loop_gives_the_same_figures(
    score: Any, counts: Any, tmp_path_factory: pytest.TempPathFactory, rows: list[Any]
) -> None:
    folder = tmp_path_factory.mktemp("pmr")
    files: dict[str, list[str]] = {}
    lines = []
    wanted: dict[tuple[str, str], dict[str, list[int]]] = {}
    for number, (label, pick, types, category, half) in enumerate(rows):
        record: dict[str, Any] = {
            "total_id": number,
            "img_fn": f"{number % 2}.jpg",
            "objects": [],
            "premise": ["p"],
            "answer_choices": [["a"]] * 4,
            "answer_label": label,
        }
        record |= {} if types is None else {"answer_types": types}
        record |= {} if category is None else {"category": category}
        files.setdefault(f"val-{half}.jsonl", []).append(json.dumps(record))
        lines.append(json.dumps({"total_id": number, "prediction": pick}))
        for group in [("", ""), ("half", half), *([("category", category)] if category else [])]:
            sums = wanted.setdefault(
                group, {name: [0, 0] for name in ("accuracy", *(f"picks_{t}" for t in ANSWER_TYPES))}
            )
            sums["accuracy"][0] += label == pick
            sums["accuracy"][1] += 1
            for name in ANSWER_TYPES if types else ():
                sums[f"picks_{name}"][0] += types[pick] == name
                sums[f"picks_{name}"][1] += 1
    for name, records in files.items():
        (folder / name).write_text("\n".join(records))
    (folder / "p.jsonl").write_text("\n".join(reversed(lines)))
    card = score(PMR, [folder / name for name in files], folder / "p.jsonl")
    found = {("", ""): counts(card.metrics)} | {
        (name, label): counts(figures)
        for name, labels in card.slices.items()
        for label, figures in labels.items()
    }
    assert found == {group: {m: tuple(kn) for m, kn in sums.items()} for group, sums in wanted.items()}


def test_both_premises_need_the_item_and_its_pal_right() -> None:
    right = np.array([1.0, 1.0, 0.0, 1.0, 1.0])
    ids, pals = np.array([10, 11, 12, 13, 14]), np.array([11, 10, 13, 12, -1])
    found = both_premises(right, ids, pals)
    assert np.array_equal(found[:4], [1.0, 1.0, 0.0, 0.0])
    assert np.isnan(found[4])
    assert len(both_premises(np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64))) == 0


@pytest.mark.real_data
def test_the_real_pals_share_picture_and_actions_and_swap_true_and_false(data_dir: Path) -> None:
    items = {item.id: item for item in read_native(PMR.native, [data_dir / "pmr" / "val-ori.jsonl"])}
    pairs = [(item, items[str(pal)]) for item in items.values() if str(pal := item.extra["pal_id"]) in items]
    swapped = 0
    for item, pal in pairs:
        assert item.scenes[0].image == pal.scenes[0].image
        kinds = [dict(zip(one.extra["answer_types"], one.choices, strict=True)) for one in (item, pal)]
        swapped += kinds[0]["Action-True"] == kinds[1]["Action-False"]
    assert len(pairs) == 650
    assert swapped / len(pairs) > 0.9
