"""`commonsight export`: a benchmark where people already work."""

from __future__ import annotations

from pathlib import Path

from commonsight.cli.arguments import BenchmarkOption, Split, check_images
from commonsight.cli.console import out, progress, visible
from commonsight.cli.export_options import Images, Limit, NoImages, Out, Overwrite, Paths, Tasks, To
from commonsight.cli.tables import plural
from commonsight.errors import UsageError
from commonsight.runs.exports.info import ExportInfo, is_export

NAME = "export"
EXAMPLES = """Examples:

[cyan]commonsight export my-dataset --to inspect --out inspect-task[/]

[cyan]commonsight export val.jsonl --images vcr1images --to lmms-eval --out vcr-lmms --task q2a[/]

[cyan]commonsight export dev.json --images images --to vlmevalkit --out tsv --limit 100[/]"""


def command(
    paths: Paths,
    to: To,
    out_folder: Out,
    task: Tasks = None,
    split: Split = None,
    images: Images = None,
    no_images: NoImages = False,
    benchmark: BenchmarkOption = None,
    limit: Limit = None,
    overwrite: Overwrite = False,
) -> None:
    """Write a benchmark as an Inspect task, lmms-eval YAML or VLMEvalKit TSV.

    Questions are those that `commonsight run` would ask, word for word; only VLMEvalKit puts words of its own
    around choices. What comes of them is brought back with `commonsight import-run`.
    """
    from commonsight.runs.exports.peers import export
    from commonsight.runs.subject import Opening

    check_images(images)
    _refuse_other_folder(out_folder, overwrite)
    opening = Opening(tuple(paths), benchmark, split, images, outlines=False)
    info = export(
        opening, to, out_folder, tasks=task, blind=no_images, limit=limit, overwrite=overwrite,
        passing=lambda items: progress(items, "exporting", limit),
    )  # fmt: skip
    for line in _told(info, out_folder):
        out.print(visible(line), markup=False, soft_wrap=True)


def _refuse_other_folder(folder: Path, overwrite: bool) -> None:
    if overwrite and folder.exists() and any(folder.iterdir()) and not is_export(folder):
        raise UsageError(f"{folder} is not an export, so --overwrite leaves it alone. Choose another folder.")


def _told(info: ExportInfo, folder: Path) -> list[str]:
    lines = [f"{folder}: {info.title} for {info.peer}" + ("" if info.pictures else ", without pictures")]
    for task in info.tasks:
        metrics = ", ".join(task.metrics)
        lines.append(f"  {task.called}: {plural(task.samples, 'sample')}, prompt {task.prompt}, {metrics}")
    first = info.tasks[0].called
    match info.peer:
        case "inspect":
            lines.append(f"run it: inspect eval {folder}/task.py@{first} --model PROVIDER/MODEL")
        case "lmms-eval":
            lines.append(
                f"run it: python -m lmms_eval --include_path {folder} --tasks commonsight_{info.benchmark} "
                "--log_samples --output_path OUT --model MODEL"
            )
        case "vlmevalkit":
            lines.append(f"run it: LMUData={folder} python run.py --data {first} --model MODEL --mode infer")
    return lines
