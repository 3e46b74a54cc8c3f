"""For Inspect: a folder with `task.py`, one `@task` a task of the benchmark, and the samples as JSONL."""

from __future__ import annotations

from pathlib import Path

from commonsight.runs.exports.folder import Records
from commonsight.runs.exports.info import ExportedTask, ExportInfo
from commonsight.runs.exports.samples import Sample
from commonsight.runs.exports.templates import filled


class InspectWriter:
    """Writes the samples, and then the module that makes tasks of them."""

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
        """Write `task.py`."""
        head = filled("inspect_task.txt", info.title, info.commonsight)
        module = head + "".join(map(_function, info.tasks))
        (self._folder / "task.py").write_text(module, encoding="utf-8")


def _function(task: ExportedTask) -> str:
    return (
        f"\n\n@task\ndef {task.called}() -> Task:\n"
        f'    """{task.title}; prompt {task.prompt}."""\n'
        f'    return exported("{task.called}", most_tokens={task.most_tokens})\n'
    )
