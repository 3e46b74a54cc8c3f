"""`commonsight benchmarks`."""

from __future__ import annotations

from typing import Any

import pytest

from commonsight.benchmarks import ALL


@pytest.mark.parametrize("width", [80, 120])
def test_all_are_listed_with_citations_and_fit(run: Any, width: int) -> None:
    told = run("benchmarks", width=width)
    assert told.code == 0
    assert max(len(line) for line in told.out.splitlines()) <= width
    words = " ".join(told.out.split())
    for benchmark in ALL:
        assert f"{benchmark.name}  {benchmark.title}" in told.out
        assert benchmark.summary in words
        assert benchmark.citation.title in words
        assert benchmark.licence in words
        for task in benchmark.tasks:
            assert task.title in words


def test_one_alone(run: Any) -> None:
    told = run("benchmarks", "nlvr")
    assert told.out.startswith("nlvr  NLVR (synthetic)")
    assert "photographs" not in told.out
    assert "PMR" not in told.out
    told = run("benchmarks", "nope")
    assert (told.code, told.out) == (2, "")
    assert "Choose one of: vcr, pmr" in told.err


def test_json(run: Any) -> None:
    listed = run("benchmarks", "--json").json["benchmarks"]
    assert [entry["name"] for entry in listed] == [benchmark.name for benchmark in ALL]
    for entry, benchmark in zip(listed, ALL, strict=True):
        assert entry["metrics"] == list(benchmark.metrics)
        assert entry["tasks"] == {task.name: task.title for task in benchmark.tasks}
        assert set(entry["slice_files"]) == set(benchmark.scoring.slice_sources)
        assert entry["citation"] == str(benchmark.citation)
