"""`commonsight score-texts`: generated rationales against the three that people wrote."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Case, Run

CaseOf = Callable[[str], Case]


def written(path: Path, texts: dict[str, str]) -> Path:
    lines = (json.dumps({"item": item, "context": text}) for item, text in texts.items())
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def texts(case_of: CaseOf) -> dict[str, str]:
    return {record["question_id"]: record["rationales"][1] for record in case_of("aokvqa").records()}


def test_peoples_own_rationales_are_as_good_as_can_be(
    run: Run, case_of: CaseOf, tmp_path: Path, texts: dict[str, str]
) -> None:
    told = run("score-texts", written(tmp_path / "t.jsonl", texts), *case_of("aokvqa").paths, "--json")
    assert told.code == 0, told.err
    assert told.json["benchmark"] == "aokvqa"
    assert told.json["n"] == 5
    assert told.json["metrics"]["sacrebleu"]["value"] == pytest.approx(1)
    assert told.json["metrics"]["meteor"]["value"] > 0.9
    assert told.json["steps"][0].startswith("SacreBLEU: nrefs:3|case:mixed|eff:no|tok:13a|smooth:exp|")
    assert told.json["steps"][1].startswith("METEOR: words, stems, ")
    assert told.json["clustered_by"] == "image"


def test_it_is_told_in_a_table(run: Run, case_of: CaseOf, tmp_path: Path, texts: dict[str, str]) -> None:
    texts["q0"] = "wool"
    told = run("score-texts", written(tmp_path / "t.jsonl", texts), *case_of("aokvqa").paths)
    assert told.code == 0, told.err
    assert "sacrebleu" in told.out
    assert "SacreBLEU: nrefs:3" in told.out


def test_missing_and_unknown_items_are_named(
    run: Run, case_of: CaseOf, tmp_path: Path, texts: dict[str, str]
) -> None:
    paths, gone = case_of("aokvqa").paths, texts.pop("q2")
    some = written(tmp_path / "some.jsonl", texts)
    told = run("score-texts", some, *paths)
    assert told.code == 2
    assert "no text for" in told.err
    assert "q2" in told.err
    assert run("score-texts", some, *paths, "--allow-missing", "--json").json["failures"] == {"missing": 1}
    other = written(tmp_path / "other.jsonl", {**texts, "q2": gone, "elsewhere": "x"})
    told = run("score-texts", other, *paths)
    assert told.code == 2
    assert "elsewhere" in told.err


def test_what_is_not_installed_is_named_with_its_extra(
    run: Run, case_of: CaseOf, tmp_path: Path, texts: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics.bleu", None)
    told = run("score-texts", written(tmp_path / "t.jsonl", texts), *case_of("aokvqa").paths)
    assert told.code == 1
    assert "sacrebleu is not installed. Install it with: pip install 'commonsight[nlp]'" in told.err


@pytest.mark.parametrize("bad", ["gone.jsonl", "t.jsonl"])
def test_bad_files_are_refused(run: Run, case_of: CaseOf, tmp_path: Path, bad: str) -> None:
    (tmp_path / "t.jsonl").write_text('{"item": "q0"}\n')
    told = run("score-texts", tmp_path / bad, *case_of("aokvqa").paths)
    assert told.code == 2
    assert bad in told.err


def test_where_wordnet_is_not_it_says_so(
    run: Run, case_of: CaseOf, tmp_path: Path, texts: dict[str, str]
) -> None:
    file = written(tmp_path / "t.jsonl", texts)
    told = run("score-texts", file, *case_of("aokvqa").paths, "--wordnet", tmp_path)
    assert told.code == 2
    assert "there is no index.noun" in told.err
