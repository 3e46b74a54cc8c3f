"""`commonsight audit` on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commonsight.audit import fakes
from commonsight.audit.values import Audit
from commonsight.core.item import Item
from commonsight.runs.audits import audit_of
from commonsight.runs.subject import Opening
from commonsight.store.dataset import check_dataset, read_dataset, read_info, write_dataset
from commonsight.store.info import DatasetInfo, Made

QUICK = "shortcuts,words,choices,leakage,sizes"
Run = Callable[..., Any]


def written(folder: Path, items: list[Item]) -> Path:
    info = DatasetInfo("mine", "any-text", "1", Made("test", "0"), {}, title="Any text")
    write_dataset(folder, items, info)
    return folder


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset whose right choices are longer than they should be."""
    items = fakes.planted(fakes.clean_items(400, seed=1), fakes.longer_answer, 0.8, seed=1)
    return written(tmp_path_factory.mktemp("audit") / "planted", items)


def test_a_report_is_written_and_the_terminal_tells_the_short_version(
    run: Run, planted: Path, tmp_path: Path
) -> None:
    told = run("audit", planted, "--only", QUICK, "--out", tmp_path / "report", "--workers", 1)
    assert told.code == 0
    assert "length-shortcut" in told.out
    assert "→" in told.out
    assert {"index.html", "report.md", "report.json", "items.jsonl"} <= {
        path.name for path in (tmp_path / "report").iterdir()
    }
    report = json.loads((tmp_path / "report" / "report.json").read_text("utf-8"))
    codes = {f["code"]: f["level"] for section in report["sections"] for f in section["findings"]}
    assert codes["length-shortcut"] == "warning"
    assert report["made"]["seed"] == 0


def test_json_is_one_object_and_the_same_for_any_number_of_workers(run: Run, planted: Path) -> None:
    one = run("audit", planted, "--only", QUICK, "--json", "--workers", 1)
    two = run("audit", planted, "--only", QUICK, "--json", "--workers", 2)
    assert one.json == two.json
    assert one.json["n"] == 400


def test_rules_that_are_broken_end_with_code_1(run: Run, planted: Path) -> None:
    told = run("audit", planted, "--only", "shortcuts", "--fail-on", "warning", "--workers", 1)
    assert told.code == 1
    assert "fails: length-shortcut" in told.err
    held = run("audit", planted, "--only", "shortcuts", "--fail-on", "shortcuts.alone>0.99", "--workers", 1)
    assert held.code == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--only", "nothing"), "no probe is called nothing. There are: agreement"),
        (("--only", "words", "--skip", "words"), "leave no probe"),
        (("--fail-on", "no-such-code"), "no probe finds this"),
        (("--fail-on", "blind.choices"), "this is no rule"),
        (("--images", "nowhere"), "there is no such folder"),
        (("--edited-run", "x"), "exactly one --run"),
        (("--run", "x"), "this dataset is of none"),
        (("--only", "sizes", "--filter", "f", "--keep", "7"), "The share to keep is 7"),
    ],
)
def test_bad_options_are_told(
    run: Run,
    planted: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    told = run("audit", planted, *options, width=400)
    assert told.code == 2
    assert says in told.err
    assert not list(tmp_path.iterdir())


def test_what_is_there_is_not_lost(run: Run, planted: Path, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("Dear", encoding="utf-8")
    told = run("audit", planted, "--only", "sizes", "--out", tmp_path / "letters")
    assert (told.code, "exists already" in told.err) == (2, True)
    told = run("audit", planted, "--only", "sizes", "--out", tmp_path / "letters", "--overwrite", width=300)
    assert (told.code, "is not a report" in told.err) == (2, True)
    assert (tmp_path / "letters" / "dear.txt").read_text("utf-8") == "Dear"


def test_a_hardened_subset_is_a_sound_dataset_with_its_provenance(
    run: Run, planted: Path, tmp_path: Path
) -> None:
    told = run("audit", planted, "--only", "sizes", "--filter", tmp_path / "hard", "--keep", 0.6)
    assert told.code == 0
    assert not check_dataset(tmp_path / "hard")
    info = read_info(tmp_path / "hard")
    assert info is not None
    assert 240 <= info.items < 400
    assert info.made.by == "audit --filter"
    assert info.made.options["keep"] == 0.6
    kept = {item.id: item for item in read_dataset(tmp_path / "hard")}
    assert all("predictability" in item.provenance["audit"] for item in kept.values())
    assert set(kept) < {item.id for item in read_dataset(planted)}


def test_reworded_choices_are_the_same_items(run: Run, planted: Path, tmp_path: Path) -> None:
    told = run("audit", planted, "--only", "sizes", "--edit", tmp_path / "edited")
    assert told.code == 0
    assert not check_dataset(tmp_path / "edited")
    before = {item.id: item for item in read_dataset(planted)}
    after = {item.id: item for item in read_dataset(tmp_path / "edited")}
    assert before.keys() == after.keys()
    assert all(after[name].gold == item.gold for name, item in before.items())
    assert any(after[name].choices != item.choices for name, item in before.items())


def test_an_audit_reads_no_outlines_and_what_it_writes_keeps_them(
    run: Run, drawn_world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audited: list[Item] = []

    def seen(opening: Opening, *given: object, **more: object) -> Audit:
        audited.extend(opening.read())
        return audit_of(opening, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("commonsight.runs.audits.audit_of", seen)
    words = ("--only", "sizes", "--workers", 1, "--edit", tmp_path / "edited")
    assert run("audit", drawn_world / "vcr", *words).code == 0
    before, after = list(read_dataset(drawn_world / "vcr")), list(read_dataset(tmp_path / "edited"))
    assert not any(map(_outlined, audited))
    assert [_outlined(item) for item in after] == [True] * len(before)


def _outlined(item: Item) -> bool:
    return any(region.polygons for region in item.scenes[0].regions)


def test_native_files_and_runs_of_a_benchmark(run: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "nlvr2"
    told = run(
        "audit", folder / "dev.json", "--run", folder / "predictions.csv",
        "--run", folder / "predictions_b.csv", "--only", "ensemble,agreement", "--json", "--workers", 1,
    )  # fmt: skip
    assert told.code == 0
    assert {section["probe"] for section in told.json["sections"]} == {"ensemble", "agreement"}


def test_files_that_sort_items_are_for_runs(run: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    folder = fixtures_dir / "aokvqa"
    records = json.loads((folder / "aokvqa_v1p0_val.json").read_text())
    many = [one | {"question_id": f"{one['question_id']}-{at}"} for at in range(20) for one in records]
    (tmp_path / "aokvqa_v1p0_val.json").write_text(json.dumps(many))
    said = {one["question_id"]: {"multiple_choice": one["choices"][0]} for one in many}
    (tmp_path / "first.json").write_text(json.dumps(said))
    kinds = [f"{one['question_id']},{'Visual' if at % 2 else 'Physical'}" for at, one in enumerate(many)]
    (tmp_path / "kinds.csv").write_text("\n".join(kinds))
    words = ("audit", tmp_path / "aokvqa_v1p0_val.json", "--only", "slices", "--workers", 1, "--json")
    sorting = ("--slices", f"knowledge={tmp_path / 'kinds.csv'}",
               "--slices", f"training={folder / 'aokvqa_v1p0_train.json'}")  # fmt: skip
    told = run(*words, "--run", tmp_path / "first.json", *sorting)
    assert told.code == 0, told.err
    titles = {table["title"] for section in told.json["sections"] for table in section["tables"]}
    assert {"By knowledge", "By training"} <= titles
    told = run(*words, *sorting)
    assert (told.code, "only scores of runs are sorted" in told.err) == (2, True)
    told = run(*words, "--run", tmp_path / "first.json", "--slices", "colour=x.csv")
    assert told.code == 2


def test_a_run_that_falls_by_other_words_is_told(run: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "pmr"
    predictions = folder / "predictions.jsonl"
    told = run(
        "audit", folder / "val-ori.jsonl", folder / "val-adv.jsonl", "--run", predictions,
        "--edited-run", folder / "predictions_b.jsonl", "--only", "sizes", "--json", "--workers", 1,
    )  # fmt: skip
    assert told.code == 0
    assert told.json["sections"][-1]["title"].startswith("Counter-test")


def test_a_file_that_is_no_benchmark_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("{}\n", encoding="utf-8")
    told = run("audit", tmp_path / "x.jsonl")
    assert (told.code, "does not look like any one benchmark" in told.err) == (2, True)
