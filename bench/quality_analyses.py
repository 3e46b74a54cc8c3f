"""What A-OKVQA's section 6 asks of several systems, asked of their runs on the drawn world.

    python bench/quality_networks.py --out results --tables aokvqa     first: the runs themselves
    python bench/quality_analyses.py --out results                     Tables 6, 7 and 8, and the text beside
    python bench/quality_analyses.py --out results --write             and into results.json, docs/results.md

All of it is what `commonsight audit` says of five runs, for each seed of which all five are there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import _results
from _knowledge_tables import AOKVQA
from _results import Results, Scores, Shown
from _rows import Place, Row
from commonsight.audit.runside.slices_labels import BINS
from quality_networks import scores_of

SYSTEMS = {
    "vilbert": "ViLBERT",
    "lxmert": "LXMERT",
    "krisp": "KRISP",
    "clipcap": "ClipCap",
    "gpv-2": "GPV-2",
}
"""Those of section 6, and what the paper calls them, but for GR-GPT, whose row asks only some questions."""
BY = "quality_analyses.py"
TABLES = {
    "By answer frequency": Shown(
        "aokvqa-frequency",
        "DA by how often the answer occurs in training, as A-OKVQA's Table 6",
        {name: name for name in BINS},
        tuple(SYSTEMS),
        by=BY,
    ),
    "By knowledge type": Shown(
        "aokvqa-knowledge",
        "DA by what a question needs, as A-OKVQA's Table 7",
        {name: name for name in ("commonsense", "knowledge base", "physical", "visual")},
        tuple(SYSTEMS),
        by=BY,
    ),
    "Pairwise difference": Shown(
        "aokvqa-pairs",
        "of what the row's gets right, what the column's gets wrong, as A-OKVQA's Table 8",
        SYSTEMS,
        tuple(SYSTEMS),
        by=BY,
    ),
}
"""By the title of the audit's own table."""
TOGETHER = Shown(
    "aokvqa-together",
    "DA of all five together",
    {
        "best": "the best",
        "majority": "vote of all",
        "best_of_others": "the second best",
        "majority_of_others": "vote without the best",
        "oracle": "oracle",
        "all_right": "all get right",
        "none_right": "none gets right",
    },
    ("all five",),
    by=BY,
)
ALL = (*TABLES.values(), TOGETHER)

Told = Mapping[str, Any]


def audited(place: Place, seed: int) -> list[Told]:
    """What the audit says of the direct answers of one seed's five runs; nothing unless all are there."""
    rows = [Row(AOKVQA, system, seed) for system in SYSTEMS]
    if any(scores_of(place, row) is None for row in rows):
        return []
    runs = [part for row in rows for part in ("--run", row.folder / "run")]
    label = f"section-6-{seed}"
    probes = ("--only", "slices,ensemble", "--json", "--overwrite", "--out", label)
    told = json.loads(place.run("audit", AOKVQA.dataset, *runs, *probes, into=label))
    return [section for section in told["sections"] if section["task"] == "da"]


def measured(sections: list[Told]) -> dict[str, dict[str, Scores]]:
    """By table and row the figures of one seed."""
    found: dict[str, dict[str, Scores]] = {}
    for section in sections:
        for table in section["tables"]:
            shown = TABLES.get(table["title"])
            if shown is not None:
                columns = _square if shown.metrics is SYSTEMS else _sliced
                found[shown.name] = {row: dict(columns(table["rows"], at)) for at, row in enumerate(SYSTEMS)}
        if section["probe"] == "ensemble":
            figures = {name: section["figures"][name]["value"] for name in TOGETHER.metrics}
            found[TOGETHER.name] = {TOGETHER.rows[0]: figures}
    return found


def _sliced(rows: list[list[Any]], system: int) -> Iterator[tuple[str, float]]:
    """A label, how many items have it, and a figure of each run."""
    for label, _, *figures in rows:
        yield label, figures[system]["value"]


def _square(rows: list[list[Any]], system: int) -> Iterator[tuple[str, float]]:
    """A run, and its share beside each; none beside itself."""
    for name, share in zip(SYSTEMS, rows[system][1:], strict=True):
        if share is not None:
            yield name, share


def main() -> None:
    """As the module says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="the folder of quality_networks.py")
    parser.add_argument("--seeds", default="0,1,2")
    parser.add_argument("--write", action="store_true", help="keep it, and put it into the docs")
    given = parser.parse_args()
    place, found = Place(given.out.resolve()), Results()
    for seed in given.seeds.split(","):
        for table, rows in measured(audited(place, int(seed))).items():
            for row, scores in rows.items():
                found.setdefault(table, {}).setdefault(row, {})[seed] = scores
    for shown in ALL:
        print("\n".join(("", *_results.lines(shown, found))))
    if given.write:
        _results.write(found, ALL)


if __name__ == "__main__":
    main()
