"""For lmms-eval: one YAML a task, one for the group, `utils.py` that they call, the samples as JSONL."""

from __future__ import annotations

import json
from pathlib import Path

from commonsight.runs.exports.folder import Records
from commonsight.runs.exports.info import ExportedTask, ExportInfo
from commonsight.runs.exports.samples import Sample
from commonsight.runs.exports.templates import filled


class LmmsEvalWriter:
    """Writes the samples, and then what lmms-eval's `--include_path` finds."""

    def __init__(self, folder: Path, benchmark: str) -> None:
        self._folder = folder
        self._records = Records(folder, benchmark)

    def add(self, sample: Sample) -> None:
        """Write one sample."""
        self._records.add(sample)

    def close(self) -> None:
        """Close the samples' files."""
        self._records.close()

    def finish(self, info: ExportInfo) -> None:
        """Write the YAML files and `utils.py`."""
        utils = filled("lmms_eval_utils.txt", info.title, info.commonsight)
        (self._folder / "utils.py").write_text(utils, encoding="utf-8")
        for task in info.tasks:
            path = self._folder / f"{task.called}.yaml"
            path.write_text(_task_yaml(task, info), encoding="utf-8")
        group = f"commonsight_{info.benchmark}"
        lines = [f"group: {group}", "task:", *(f"  - {task.called}" for task in info.tasks)]
        (self._folder / f"{group}.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _task_yaml(task: ExportedTask, info: ExportInfo) -> str:
    """By hand, as `!function` is no plain YAML; strings are quoted as JSON quotes them, which YAML reads."""
    metrics = [
        f"  - metric: {json.dumps(name)}\n    aggregation: !function utils.aggregate\n"
        f"    higher_is_better: {'false' if name == 'unread' else 'true'}"
        for name in task.metrics
    ]
    return "\n".join(
        [
            f"# {info.title}, {task.title}; prompt {task.prompt}. By Commonsight {info.commonsight}.",
            f"task: {task.called}",
            "dataset_path: json",
            "dataset_kwargs:",
            "  data_files:",
            f"    test: {json.dumps(f'{task.called}.jsonl')}",
            "test_split: test",
            "output_type: generate_until",
            "doc_to_visual: !function utils.doc_to_visual",
            "doc_to_text: !function utils.doc_to_text",
            "doc_to_target: target",
            "process_results: !function utils.process_results",
            "generation_kwargs:",
            f"  max_new_tokens: {task.most_tokens}",
            "  temperature: 0",
            "  do_sample: false",
            "  until: []",
            "metric_list:",
            *metrics,
            "metadata:",
            f"  version: {json.dumps(task.prompt)}",
            "",
        ]
    )
