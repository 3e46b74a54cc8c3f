"""`commonsight show`: all six, at a fixed width, with and without the gold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from commonsight.cli import show
from commonsight.core.answer import Pick
from commonsight.core.item import Item

OTHER_GOLD: dict[str, dict[str, Any]] = {
    "vcr": {"answer_label": 3, "rationale_label": 3, "answer_orig": "x", "answer_sources": [7, 0, 8, 9]},
    "pmr": {"answer_label": 0, "answer_types": ["Action-True", "Action-False", "Distractor1", "Distractor2"]},
    "cric": {"answer": "no", "target": [], "program": [], "wrong_part": "cup", "sub_graph": {}},
    "nlvr2": {"label": "False", "validation": {"7": "False"}, "extra_validations": {}},
    "aokvqa": {"correct_choice_idx": 3, "direct_answers": ["sand"] * 10, "rationales": ["Other."]},
    "nlvr": {"label": "false", "evals": {"r0": "false"}},
    "okvqa": {"label": {"sand": 1.0}},
}


def test_every_benchmark_fits_the_console(run: Any, case: Any) -> None:
    first = case.records()[0]
    for width in (80, 120):
        told = run("show", case.paths[0], width=width)
        assert told.code == 0, told.err
        assert {len(line) for line in told.out.splitlines()} == {width}
        assert str(first[case.id_field]) in told.out.splitlines()[0]
    assert "▀" not in told.out  # half blocks say nothing without colours


EXPECTED = {
    "vcr": (
        "Why is [person1] holding out the [cup3]?",
        "✓ A  [person1] wants",
        "rationales",
        "movie drawn_kitchen",
    ),
    "pmr": ("[person1] trusts every animal.", "✓ C  [person1] in a red coat bends down"),
    "cric": ("gold  yellow  (objects 13)", "Find_KG(BLANK, can, hold liquid) → 13"),
    "nlvr2": ("There are exactly two cups in the left image.", "gold  True", "dev-0-0-img1.png"),
    "aokvqa": ("✓ A  beans", "██████  beans  6", "– Hot brown drinks"),
    "nlvr": ("There is a box with a yellow square.", "gold  True", "400 x 100", "and 4 more"),
    "okvqa": ("What grows on this kind of tree?", "apples  3", "fruit  2"),
}


def test_what_is_shown(run: Any, case: Any) -> None:
    told = run("show", case.paths[0])
    for part in EXPECTED[case.name]:
        assert part in told.out


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_hidden_gold_cannot_be_told(run: Any, case: Any, tmp_path: Path, form: tuple[str, ...]) -> None:
    first = case.records()[0]
    path = case.write(tmp_path, [first])
    shown, hidden = run("show", path, *form), run("show", path, "--hide-gold", *form)
    assert hidden.code == 0
    case.write(tmp_path, [{**first, **OTHER_GOLD[case.name]}])
    assert run("show", path, "--hide-gold", *form).out == hidden.out
    assert run("show", path, *form).out != shown.out
    assert shown.out != hidden.out


def test_hidden_gold_leaves_the_choices(run: Any, case_of: Any) -> None:
    told = run("show", case_of("vcr").paths[0], "--hide-gold")
    assert "✓" not in told.out
    assert "A  [person1] wants" in told.out
    assert "A  [person2] is reaching" in told.out  # rationales are choices in VCR
    assert "rationale" not in run("show", case_of("aokvqa").paths[0], "--hide-gold").out


def test_rationales_without_labels_are_still_choices(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("vcr")
    first = {k: v for k, v in case.records()[0].items() if k not in case.labels}
    told = run("show", case.write(tmp_path, [first], "test.jsonl"))
    assert "D  [person1] has a dog on a leash." in told.out
    assert "✓" not in told.out


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("bracket", "[person1] wants to hand [person2]"),
        ("neutral", "Casey wants"),
        ("class", "person 1 wants"),
    ],
)
def test_names_of_regions(run: Any, case_of: Any, names: str, expected: str) -> None:
    assert expected in run("show", case_of("vcr").paths[0], "--names", names).out


def test_json_is_the_item(run: Any, case: Any) -> None:
    told = run("show", case.paths[0], "--json").json
    assert told["id"] == str(case.records()[0][case.id_field])
    assert told["gold"] is not None or told["direct_answers"]


def test_which_item(run: Any, case: Any, dataset_of: Any) -> None:
    second = str(case.records()[1][case.id_field])
    by_index = run("show", case.paths[0], "--index", 1)
    assert by_index.code == 0
    assert by_index.out == run("show", case.paths[0], "--id", second).out
    assert run("show", dataset_of(case), "--id", second, "--json").json["id"] == second


def test_an_item_that_is_not_there(run: Any, case: Any) -> None:
    number = len(case.records())
    told = run("show", case.paths[0], "--index", number)
    assert (told.code, told.out) == (2, "")
    assert f"no item number {number}. It has {number} items, counted from 0 to {number - 1}." in told.err
    told = run("show", case.paths[0], "--id", "nobody")
    assert (told.code, told.out) == (2, "")
    assert "no item with the id nobody" in told.err
    told = run("show", case.paths[0], "--id", "a", "--index", 1)
    assert (told.code, told.out) == (2, "")
    assert "Give one of them" in told.err


def test_a_file_of_no_benchmark(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text('{"a": 1}\n')
    told = run("show", path)
    assert told.code == 2
    assert "does not look like any one benchmark. Name it with --benchmark (vcr, pmr" in told.err
    told = run("show", tmp_path)
    assert told.code == 2
    assert str(tmp_path) in told.err


@pytest.mark.parametrize("name", ["vcr", "nlvr2"])
def test_pictures_are_drawn(run: Any, case_of: Any, dataset_of: Any, name: str, monkeypatch: Any) -> None:
    case = case_of(name)
    dataset = dataset_of(case, "--images", case.images)
    told = run("show", dataset, "--images", width=80)
    assert told.code == 0
    assert {len(line) for line in told.out.splitlines()} == {80}
    assert told.out.count("▀") > 500
    monkeypatch.setattr(show, "out", Console(force_terminal=True, color_system="truecolor", width=80))
    coloured = run("show", dataset)
    assert "▀" in coloured.out  # by default, where there are colours
    assert "\x1b[38;2;" in coloured.out
    assert "▀" not in run("show", dataset, "--no-images").out


def test_two_photographs_stand_side_by_side(run: Any, case_of: Any, dataset_of: Any) -> None:
    case = case_of("nlvr2")
    told = run("show", dataset_of(case, "--images", case.images), "--images", width=80)
    line = next(line for line in told.out.splitlines() if "▀" in line)
    assert len(line.strip("│ ").split("  ")) == 2


def test_a_picture_that_is_gone_is_left_out(run: Any, case_of: Any, dataset_of: Any) -> None:
    case = case_of("nlvr2")
    dataset = dataset_of(case, "--images", case.images)
    for path in (dataset / "images").rglob("*.png"):
        path.unlink()
    told = run("show", dataset, "--images")
    assert told.code == 0
    assert "▀" not in told.out


def test_a_long_choice_stays_in_its_column(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("aokvqa")
    record = {**case.records()[0], "choices": ["beans", "a very long choice " * 8, "wool", "glass"]}
    lines = run("show", case.write(tmp_path, [record]), width=60).out.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("│   B  a very"))
    assert lines[first + 1].startswith("│      ")
    assert lines[first + 1][7] != " "


def test_marks_in_data_stay_text(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("aokvqa")
    odd = {
        "question_id": "[/red] \x1b[2J",
        "question": "[bold]Why\x1b[31m?",
        "choices": ["[/]", "b", "c", "d"],
    }
    told = run("show", case.write(tmp_path, [{**case.records()[0], **odd}]))
    assert told.code == 0
    assert "[/red] \\x1b[2J" in told.out
    assert "[bold]Why\\x1b[31m?" in told.out
    assert "✓ A  [/]" in told.out
    assert "\x1b" not in told.out


def test_without_gold_keeps_what_may_be_seen() -> None:
    item = Item("a", "val", gold=Pick(0), direct_answers=("x",), extra={"writer": "1"}, groups={"image": "3"})
    assert show.without_gold(item) == Item("a", "val", groups={"image": "3"})
