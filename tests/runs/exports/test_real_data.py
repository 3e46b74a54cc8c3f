"""The real validation set of A-OKVQA through an export: right answers are right, and hard ones left out."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from commonsight.runs.exports.info import read_items
from commonsight.runs.exports.marking import Marker
from commonsight.runs.exports.peers import export
from commonsight.runs.subject import Opening


@pytest.mark.real_data
def test_right_answers_are_read_and_scored_as_right(data_dir: Path, tmp_path: Path) -> None:
    source = data_dir / "aokvqa" / "aokvqa_v1p0_val.json"
    info = export(Opening((source,)), "lmms-eval", tmp_path / "out", blind=True)
    assert [task.samples for task in info.tasks] == [1145, 1145]
    marker = Marker(tmp_path / "out")
    picked = []
    for line in (tmp_path / "out" / "commonsight_aokvqa_mc.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        picked.append((record["item"], marker.mark(record["item"], "mc", record["target"]).values))
    # One question has the choices l, z, j and c: a "C" may be the third or the fourth, and is not guessed.
    assert marker.overall("mc", picked) == pytest.approx({"mc": 1144 / 1145, "unread": 1 / 1145})
    items = list(read_items(tmp_path / "out"))
    said = [(item, marker.mark(item.id, "da", item.direct_answers[0])) for item in items]
    for item, marked in said:
        value, right = marked.values["da"], item.direct_answers.count(item.direct_answers[0])
        hard = item.extra["difficult_direct_answer"]
        assert math.isnan(value) if hard else marked.failure or value == pytest.approx(min(1.0, right / 3))
    # One person's answer was "don't know", which is a refusal.
    assert [marked.failure for _, marked in said if marked.failure] == ["refused"]
