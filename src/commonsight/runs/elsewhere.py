"""A network that was trained on one benchmark and is tried, as it is, on another.

What A-OKVQA calls transfer (section 5.4, Table 5, rows b and c): a ViLBERT that learned from OK-VQA or VQA v2
says how far their knowledge goes. It is possible where the other benchmark asks for what was learned, an
answer in words; choices are then found by the nearest one.
"""

from __future__ import annotations

from pathlib import Path

from commonsight.errors import UsageError
from commonsight.models.catalogue import find
from commonsight.runs.lessons import expected
from commonsight.runs.subject import Opening, benchmark_of
from commonsight.runs.training import TrainingPlan
from commonsight.store.dataset import is_dataset


def tried_elsewhere(trained: Path, plan: TrainingPlan, dataset: Path) -> str | None:
    """What to tell of it; None where it is tried on the benchmark that it was trained on."""
    if not is_dataset(dataset):
        return None  # whoever reads it says so
    opening = Opening((dataset,))
    benchmark = benchmark_of(opening)
    if benchmark.name == plan.benchmark:
        return None
    first, known = next(iter(opening.read()), None), {task.name: task for task in benchmark.tasks}
    fits = first is not None and all(
        task in known and expected(known[task], first) == "text" for task in plan.tasks
    )
    if not (fits and find(plan.network).names):
        raise UsageError(
            f"{trained} was trained on {plan.benchmark}, and this is {benchmark.name}. "
            "Give a dataset of the same benchmark, or a network that names answers in words, as both ask for."
        )
    return f"trained on {plan.benchmark}, tried as it is on {benchmark.name}"
