"""Real A-OKVQA for language models that see no picture (Table 4, without what only pictures tell).

Its training questions are not at hand: a fifth of the validation questions is asked, and solved examples are
drawn from the others.
"""

from __future__ import annotations

import json

from _knowledge_tables import prompted
from _results import Shown, real_folder
from _rows import Place, Table
from _text_rows import folds

DATASET, SPLIT = "aokvqa-fifth", "val"


def fifth(place: Place) -> None:
    """A dataset whose `val` is the first of five folds; questions of one picture stay together."""
    records = json.loads((real_folder() / "aokvqa" / "aokvqa_v1p0_val.json").read_text("utf-8"))
    held = set(folds(records, 0)[0])
    parts = {
        "train": [one | {"split": "train"} for at, one in enumerate(records) if at not in held],
        SPLIT: [records[at] for at in sorted(held)],
    }
    native = place.out / f"{DATASET}-native"
    native.mkdir(exist_ok=True)
    files = [native / f"aokvqa_v1p0_{split}.json" for split in parts]
    for path, part in zip(files, parts.values(), strict=True):
        path.write_text(json.dumps(part), encoding="utf-8")
    place.prepare(DATASET, "convert", "aokvqa", *files)


ASKED = prompted(DATASET)
TOLD = Table(
    Shown(
        "aokvqa-told",
        "real A-OKVQA without pictures, a fifth of val",
        {"mc": "MC", "da": "DA"},
        ("prompted", "prompted-rationale", "prompted-masked"),
    ),
    DATASET,
    fifth,
    (),
    split=SPLIT,
    asked={
        "prompted": ASKED,
        "prompted-rationale": (*ASKED, "--context", "rationale"),
        "prompted-masked": (*ASKED, "--context", "masked-rationale"),
    },
)
