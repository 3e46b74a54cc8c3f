"""The real libraries load what we export, run it, and their results come back with the same scores."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from commonsight.benchmarks import find
from commonsight.core.item import Item
from commonsight.runs.answers import predictions_of
from commonsight.runs.exports.back import bring_back
from commonsight.runs.exports.info import read_export, read_items
from commonsight.runs.exports.marking import Marker
from commonsight.runs.subject import Opening
from commonsight.score.scoring import gather_gold, measure, scorecard

NAMES = ("vcr", "pmr", "cric", "nlvr2", "aokvqa")
REPLIES = ("A", "It is (B).", "True", "False", "Answer: yes\nObject: none", "beans", "hm …", "C")
Exported = Callable[..., Path]
OpeningOf = Callable[[str], Opening]


def replies(count: int) -> Iterator[str]:
    return (REPLIES[place % len(REPLIES)] for place in range(count))


def scores(name: str, run: Path, items: list[Item]) -> dict[str, float]:
    """What the run earns by our own scoring."""
    benchmark = find(name)
    gold = gather_gold(benchmark.scoring, items)
    outcome = measure(benchmark.scoring, gold, predictions_of(benchmark, run))
    found = {metric: figure.value for metric, figure in scorecard(name, outcome).metrics.items()}
    found.pop("both_premises", None)  # it holds two items against each other, which no peer does
    return found


@pytest.mark.filterwarnings("default")  # what a peer warns of is not ours to mend
@pytest.mark.parametrize("name", NAMES)
def test_inspect(
    name: str, exported: Exported, opening_of: OpeningOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inspect_ai = pytest.importorskip(
        "inspect_ai",
        reason="inspect-ai is not installed: it wants an older fsspec than the one that is pinned; "
        "run: make test-peers",
    )
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    folder, opening = exported(name, "inspect"), opening_of(name)
    usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it counts with a download

    def outputs(count: int) -> list[Any]:
        said = [ModelOutput.from_content("mockllm/model", reply) for reply in replies(count)]
        return [output.model_copy(update={"usage": usage}) for output in said]

    for task in read_export(folder).tasks:
        for kind in ("eval", "json"):
            model = get_model("mockllm/model", custom_outputs=outputs(task.samples), memoize=False)
            logs = inspect_ai.eval(
                f"{folder}/task.py@{task.called}", model=model, log_dir=str(tmp_path / "logs"),
                log_format=kind, max_samples=1,
            )  # fmt: skip
            assert logs[0].status == "success", logs[0].error
            found = {
                metric: value.value
                for score in logs[0].results.scores
                for metric, value in score.metrics.items()
            }
            run = tmp_path / f"run-{task.name}-{kind}"
            bring_back(opening, "inspect", [Path(logs[0].location)], run)
            ours = scores(name, run, list(opening.read()))
            assert {metric: found[metric] for metric in ours} == pytest.approx(ours, nan_ok=True)
            shown = logs[0].samples[0].input[-1].content
            assert [part.type for part in shown] == ["image"] * (len(shown) - 1) + ["text"]


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", NAMES)
def test_lmms_eval(name: str, exported: Exported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(
        "lmms_eval",
        reason="lmms-eval is not installed: it brings torchvision, timm and some fifty others; "
        "install it in an environment of its own and run this test there",
    )
    from lmms_eval.tasks import TaskManager, get_task_dict

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("LMMS_EVAL_DATASETS_CACHE", str(tmp_path / "cache"))
    folder = exported(name, "lmms-eval")
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    info, marker = read_export(folder), Marker(folder)
    assert {task.called for task in info.tasks} <= set(manager.all_tasks)
    (group,) = get_task_dict([f"commonsight_{name}"], manager).values()
    items = {item.id: item for item in read_items(folder)}
    for task in info.tasks:
        loaded = group[task.called]
        docs = loaded.test_docs()
        assert len(docs) == task.samples
        assert len(loaded.doc_to_visual(docs[0])) == len(items[docs[0]["item"]].scenes)
        assert loaded.doc_to_text(docs[0]) == docs[0]["text"]
        said = list(replies(len(docs)))
        parts = [loaded.process_results(doc, [reply]) for doc, reply in zip(docs, said, strict=True)]
        rows = [
            (doc["item"], marker.mark(doc["item"], task.name, reply).values)
            for doc, reply in zip(docs, said, strict=True)
        ]
        for metric, value in marker.overall(task.name, rows).items():
            found = loaded.aggregation()[metric]([part[metric] for part in parts])
            assert found == pytest.approx(value) or (math.isnan(found) and math.isnan(value))


def test_lmms_evals_samples_come_back(exported: Exported, opening_of: OpeningOf, tmp_path: Path) -> None:
    """Lines as lmms-eval 0.7.3 writes them: the reply, and our own parts of each metric."""
    folder, opening = exported("nlvr2", "lmms-eval"), opening_of("nlvr2")
    marker, items = Marker(folder), list(opening.read())
    path = tmp_path / "20260101_000000_samples_commonsight_nlvr2_verify.jsonl"
    lines = [
        {"doc_id": 0, "target": "True", "filtered_resps": reply, **marker.results(item.id, "verify", reply)}
        for item, reply in zip(items, replies(len(items)), strict=True)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    bring_back(opening, "lmms-eval", [path], tmp_path / "run", model="dummy")
    ours = scores("nlvr2", tmp_path / "run", items)
    assert ours == pytest.approx({m: marker.aggregated([line[m] for line in lines]) for m in ours})
