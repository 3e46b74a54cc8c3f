"""`commonsight build match`: raw annotations in, a benchmark out, or a clear message and nothing."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import textwrap
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from commonsight.benchmarks import find
from commonsight.build.matching.work import Unit, Workshop
from commonsight.store.dataset import check_dataset, read_dataset, read_info
from commonsight.store.native import read_native
from commonsight.world.make import Plan, make_world

QUICK = ("--scorer", "words", "--workers", 1)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("build") / "world"
    make_world(folder, Plan(40, 3, ("vcr",)), progress=lambda units, _: units)
    return folder


def _files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _line(number: int, **changed: Any) -> dict[str, Any]:
    record = {
        "id": f"a{number}",
        "group": f"g{number % 6}",
        "objects": ["person"],
        "question": "Why is [person1] here?",
        "answer": f"[person1] wants {number}.",
    }
    return record | changed


def _raw(folder: Path, records: list[dict[str, Any]]) -> Path:
    path = folder / "raw.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_a_world_is_matched_from_end_to_end(run: Any, world: Path, tmp_path: Path) -> None:
    raw, pictures = world / "raw" / "vcr.jsonl", world / "raw" / "images"
    told = run("build", "match", raw, "--images", pictures, "--out", tmp_path / "a" / "made", *QUICK)
    assert told.code == 0, told.err
    made = tmp_path / "a" / "made"
    count = len(raw.read_text().splitlines())
    assert f"{count} items (" in told.out
    assert "images, drawn" in told.out
    assert "(all exact)" in told.out
    assert check_dataset(made) == []
    info = read_info(made)
    assert info is not None
    assert (info.items, info.benchmark, info.drawn) == (count, "vcr", True)
    assert info.made.options["relevance"] == "shared words"
    assert sorted(path.name for path in (made / "native").glob("*.jsonl")) == [
        "test.jsonl", "train.jsonl", "val.jsonl",
    ]  # fmt: skip
    assert [path.name for path in made.parent.iterdir()] == ["made"]  # nothing is left beside it
    _check_choices(made, raw, pictures)


def _check_choices(made: Path, raw: Path, pictures: Path) -> None:
    written = {record["id"]: record for record in map(json.loads, raw.read_text().splitlines())}
    stored = {item.id: item for item in read_dataset(made)}
    files = sorted((made / "native").glob("*.jsonl"))
    used: Counter[tuple[str, str, int]] = Counter()
    for item in read_native(find("vcr").native, files, images=pictures):
        record = written[item.id]
        assert item.split == record["split"] == stored[item.id].split
        assert item.choices == stored[item.id].choices
        assert item.choices[item.gold.index].native() == record["answer"]  # type: ignore[union-attr]
        assert item.rationales[item.rationale_gold].native() == record["rationale"]  # type: ignore[index]
        assert all(region.box is not None for region in stored[item.id].scenes[0].regions)
        for part in ("answer", "rationale"):
            fold = item.provenance["match_fold"]
            used.update((part, fold, source) for source in item.provenance[f"{part}_sources"])
    assert len(used) == 2 * len(written)
    assert set(used.values()) == {4}  # right once, wrong three times


def test_workers_and_runs_give_the_same_bytes(run: Any, world: Path, tmp_path: Path) -> None:
    raw = world / "raw" / "vcr.jsonl"
    for name, workers in (("one/m", 1), ("two/m", 2), ("again/m", 1)):
        told = run("build", "match", raw, "--out", tmp_path / name, "--scorer", "words", "--workers", workers)
        assert told.code == 0, told.err
    assert _files(tmp_path / "one/m") == _files(tmp_path / "two/m") == _files(tmp_path / "again/m")
    told = run("build", "match", raw, "--out", tmp_path / "other/m", "--seed", 8, *QUICK)
    assert told.code == 0
    assert _files(tmp_path / "other/m") != _files(tmp_path / "one/m")


def test_the_papers_remapping_can_be_chosen_and_is_told_in_provenance(
    run: Any, world: Path, tmp_path: Path
) -> None:
    raw = world / "raw" / "vcr.jsonl"
    ways = {"ours": (), "paper": ("--remap", "paper"), "all": ("--remap", "paper", "--tags", 0)}
    for name, options in ways.items():
        told = run("build", "match", raw, "--out", tmp_path / name, *options, *QUICK)
        assert told.code == 0, told.err
    infos = [read_info(tmp_path / name) for name in ways]
    chosen = [(info.made.options["remap"], info.made.options["tags"]) for info in infos if info is not None]
    assert chosen == [("spoken", 1.0), ("paper", 1.0), ("paper", 0.0)]
    choices = [[item.choices for item in read_dataset(tmp_path / name)] for name in ways]
    assert choices[0] != choices[1] != choices[2] != choices[0]
    told = run("build", "match", "--help")
    assert "at random as in the paper" in " ".join(told.out.replace("│", " ").split())


def test_the_embedded_scorers(run: Any, world: Path, tmp_path: Path) -> None:
    raw = world / "raw" / "vcr.jsonl"
    for workers in (1, 2):
        made = tmp_path / str(workers) / "made"
        told = run("build", "match", raw, "--folds", 3, "--workers", workers, "--out", made)
        assert told.code == 0, told.err
    assert check_dataset(made) == []
    assert _files(tmp_path / "1") == _files(tmp_path / "2")


@pytest.mark.parametrize("options", [("--mode", "pmr"), ("--bucket", "none", "--same-image"), ("--folds", 3)])
def test_other_recipes(run: Any, world: Path, tmp_path: Path, options: tuple[object, ...]) -> None:
    told = run("build", "match", world / "raw" / "vcr.jsonl", "--out", tmp_path / "made", *QUICK, *options)
    assert told.code == 0, told.err
    assert check_dataset(tmp_path / "made") == []


def test_any_text_task(run: Any, tmp_path: Path) -> None:
    records = [
        {"context": f"How is  {n}?", "response": f"It's fine ,{n}", "group": f"g{n % 6}"} for n in range(60)
    ]
    raw = _raw(tmp_path, records)
    told = run("build", "match", raw, "--mode", "generic", "--folds", 4, "--out", tmp_path / "made", *QUICK)
    assert told.code == 0, told.err
    assert check_dataset(tmp_path / "made") == []
    lines = [
        json.loads(line)
        for path in sorted((tmp_path / "made" / "native").iterdir())
        for line in path.read_text().splitlines()
    ]
    assert len(lines) == 60
    for line in lines:
        assert line["choices"][line["label"]].endswith(f",{int(line['id'][5:]) - 1}")
    assert Counter(choice for line in lines for choice in line["choices"]) == Counter(
        {record["response"]: 4 for record in records}
    )


def test_a_text_dataset_is_shown_and_validated(run: Any, tmp_path: Path) -> None:
    records = [{"context": f"How is {n}?", "response": f"So {n}!", "group": f"g{n % 6}"} for n in range(60)]
    made = tmp_path / "made"
    options = ("--mode", "generic", "--folds", 2, "--out", made, *QUICK)
    assert run("build", "match", _raw(tmp_path, records), *options).code == 0
    item = next(iter(read_dataset(made)))
    told = run("show", made, "--id", item.id)
    assert told.code == 0, told.err
    assert "made  train" in told.out  # the title is the dataset's own
    number = item.texts["context"].render(str).removeprefix("How is ")[:-1]
    assert f"✓ {'ABCD'[item.gold.index]}  So {number}!" in told.out  # type: ignore[union-attr]
    assert run("validate", made).out.strip() == "no problems"
    (made / "train.parquet").write_bytes(b"")
    told = run("validate", made)
    assert told.code == 2
    assert "train.parquet: sha256: the file is not the one that was written" in told.out


def test_merged_buckets_are_told(run: Any, world: Path, tmp_path: Path) -> None:
    told = run("build", "match", world / "raw" / "vcr.jsonl", "--out", tmp_path / "made", *QUICK)
    assert told.code == 0
    assert "of small ones" in told.out
    assert "merged into" in told.err
    assert "different responses that are needed" in told.err


def test_a_dataset_is_replaced_only_if_asked(run: Any, tmp_path: Path) -> None:
    raw, made = _raw(tmp_path, [_line(n) for n in range(60)]), tmp_path / "made"
    arguments = ("build", "match", raw, "--folds", 3, "--out", made, *QUICK)
    assert run(*arguments).code == 0
    told = run(*arguments)
    assert told.code == 2
    assert "exists already. Choose another folder, or add --overwrite" in told.err
    assert run(*arguments, "--overwrite").code == 0
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("dear")
    told = run("build", "match", raw, "--out", tmp_path / "mine", "--overwrite", *QUICK)
    assert told.code == 2
    assert "is not a dataset, so --overwrite leaves it alone" in told.err


BAD: list[tuple[list[dict[str, Any]], str]] = [
    ([_line(n, answer=f"so {n % 3}") for n in range(60)], "read like only 3 different ones"),
    ([_line(n, answer="Yes.") for n in range(60)], "the 60 responses all read alike"),
    ([_line(n, answer=f"so {n % 6}") for n in range(60)], "different responses, and 4 are needed"),
    ([_line(n, split="val" if n == 6 else "train") for n in range(60)], "is in more than one split"),
    (
        [*(_line(n) for n in range(9)), _line(9, answer="[person2] left")],
        "the tag [person2] points to no object",
    ),
    (
        [*(_line(n) for n in range(9)), _line(9, answer=[[1], "left"])],
        ":10: record a9: answer: the tag [1] points",
    ),
    ([*(_line(n) for n in range(9)), _line(9, question=" ")], "question: the text is empty"),
    ([*(_line(n) for n in range(9)), _line(9, answer="")], "record a9: answer: the text is empty"),
    ([*(_line(n) for n in range(9)), _line(9, answer="?!")], "record a9: answer: "),
    ([*(_line(n) for n in range(9)), _line(9, answer=[])], "record a9: answer: the text is empty"),
    ([*(_line(n) for n in range(9)), _line(9, objects=[])], "the tag [person1] points to no object"),
    ([], "the file holds no records"),
    ([_line(n, id="one") for n in range(9)], "line 1 has this id too"),
    ([_line(n) for n in range(3)], "3 annotations are too few to match"),
    ([_line(n, id=f"train-{n}") for n in range(60)], "and its id says train"),
    ([_line(n, image="one.jpg") for n in range(60)], "annotations are of one image"),
]


@pytest.mark.parametrize(("records", "said"), BAD)
def test_bad_input_is_told_and_nothing_is_written(
    run: Any, tmp_path: Path, records: list[dict[str, Any]], said: str
) -> None:
    raw = _raw(tmp_path, records)
    told = run("build", "match", raw, "--out", tmp_path / "made", "--folds", 6, *QUICK)
    assert told.code == 2
    assert said in " ".join(told.err.split())
    assert [path.name for path in tmp_path.iterdir()] == ["raw.jsonl"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--bucket", "many"), "--bucket many: give a number, or none."),
        (("--bucket", "2"), "Buckets of 2 are too small"),
        (("--memory", "lots"), "--memory lots: give a size such as 4GB"),
        (("--memory", "0"), "memory is 0. Give at least 1."),
        (("--lambda-answer", "-1"), "lambda answer is -1"),
        (("--tags", "-1"), "tags is -1. Give a number of at least 0."),
        (("--images", "."), "names no image. Add it, or leave out --images."),
        (("--mode", "generic", "--images", "."), "--mode generic reads texts only"),
    ],
)
def test_bad_options_are_told(run: Any, tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    raw = _raw(tmp_path, [_line(n) for n in range(60)])
    told = run("build", "match", raw, "--out", tmp_path / "made", *QUICK, *options)
    assert told.code == 2
    assert said in told.err
    assert [path.name for path in tmp_path.iterdir()] == ["raw.jsonl"]


def test_a_missing_image_is_told_before_the_work(run: Any, tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    raw = _raw(tmp_path, [_line(n, image=f"{n}.jpg") for n in range(60)])
    told = run("build", "match", raw, "--images", tmp_path / "pictures", "--out", tmp_path / "made", *QUICK)
    assert told.code == 2
    assert "0.jpg: the image of annotation a0 is missing" in told.err
    assert not (tmp_path / "made").exists()


def test_choices_that_nobody_can_swap_are_told(run: Any, tmp_path: Path) -> None:
    """Where there is no cup "[cup1] is red" reads like "the cup is red", and all need both of them."""
    texts = ("[cup1] is red.", "The cup is red.", "Nobody knows it.", "It rains.")
    lines = [
        _line(n, objects=["cup"] if n == 0 else [], question="Why?", answer=text)
        for n, text in enumerate(texts)
    ]
    options = ("--folds", 1, "--bucket", "none", "--out", tmp_path / "made", *QUICK)
    told = run("build", "match", _raw(tmp_path, lines), *options)
    assert told.code == 0, told.err
    warning = " ".join(told.err.split())
    assert "warning: 3 annotations with two choices that read alike once their tags were remapped" in warning
    assert "a1 (answers), a2 (answers), a3 (answers)" in warning
    info = read_info(tmp_path / "made")
    assert info is not None
    assert info.made.options["doubled"] == 3


def test_a_fold_without_a_matching_is_told_and_nothing_is_left(run: Any, tmp_path: Path) -> None:
    """No text and no image is there too often, and still there is no way."""
    answers = ("so", "so", "thus", "then", "well", "yes", "no", "far")
    lines = [_line(n, answer=text, image=f"{n // 4}.jpg") for n, text in enumerate(answers)]
    for workers in (1, 2):
        made = tmp_path / "made"
        told = run(
            "build", "match", _raw(tmp_path, lines), "--folds", 1, "--out", made, "--scorer", "words",
            "--workers", workers,
        )  # fmt: skip
        assert told.code == 2
        assert "train-0, answers: " in told.err
        assert [path.name for path in tmp_path.iterdir()] == ["raw.jsonl"]


SLOW = """
    import sys, time
    from commonsight.build.matching.fakes import WordSimilarity
    from commonsight.cli.main import main

    class Slow(WordSimilarity):
        def weigh(self, bucket):
            time.sleep(0.2)
            return super().weigh(bucket)

    sys.modules[WordSimilarity.__module__].WordSimilarity = Slow
    main()
"""


def test_a_killed_run_goes_on_from_its_finished_buckets(
    run: Any, world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = world / "raw" / "vcr.jsonl"
    options = ("--scorer", "words", "--folds", 3, "--bucket", 12)
    assert run("build", "match", raw, *options, "--workers", 1, "--out", tmp_path / "whole" / "m").code == 0
    command = [sys.executable, "-c", textwrap.dedent(SLOW), "build", "match", str(raw), *map(str, options)]
    command += ["--workers", "2", "--out", str(tmp_path / "cut" / "m")]
    spool = tmp_path / "cut" / ".m.matching"
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while len([*spool.glob("*-*.json")]) < 2:
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.005)
        process.kill()
    assert not (tmp_path / "cut" / "m").exists()
    finished = {path.name for path in spool.glob("*-*.json")}
    done: list[str] = []
    do = Workshop.do

    def watched(shop: Workshop, unit: Unit, judges: Any) -> Any:
        done.append(unit.file)
        return do(shop, unit, judges)

    monkeypatch.setattr(Workshop, "do", watched)
    assert run("build", "match", raw, *options, "--workers", 1, "--out", tmp_path / "cut" / "m").code == 0
    assert done
    assert not finished & set(done)
    assert _files(tmp_path / "cut") == _files(tmp_path / "whole")
