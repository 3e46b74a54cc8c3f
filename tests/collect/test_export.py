"""Exports hold every record and no name, are the same bytes for the same records, and whole or not there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import people
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laid_down import lay_record, lay_task
from sqlalchemy import update
from sqlalchemy.orm import Session
from toy_protocol import TOY

from commonsight.build.matching.raw import read_raw
from commonsight.collect.desk import Desk
from commonsight.collect.errata import report, settle
from commonsight.collect.export import export_all, export_dataset, export_pictures, export_raw, records
from commonsight.collect.ledger import enter_in
from commonsight.collect.pictures import keep
from commonsight.collect.protocol import Record, worker_name
from commonsight.collect.pseudonyms import Pseudonyms
from commonsight.collect.tables import Assignment, Verdict
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError
from commonsight.store.dataset import check_dataset, read_dataset, read_info

KEYS = ("b", "B", "ä", "a/2", "a/10", "Z", "_")
IN_ORDER = ["B", "Z", "_", "a/10", "a/2", "b", "ä"]


def _items(record: Record) -> Iterable[Item]:
    """Two for each record that has a second question."""
    data = record.data
    scene = Scene("room.png", stored=data["picture"])
    drawn = {"drawn": True} if "drawn" in data else {}
    provenance = {"record": record.key, "writer": data["writer"], **drawn}
    for number, question in enumerate(data["questions"]):
        texts = {"question": TaggedText.plain(question)}
        yield Item(f"{record.key}-{number}", data.get("split", ""), (scene,), texts, provenance=provenance)


def _raw(record: Record) -> Mapping[str, Any]:
    texts = {"question": record.data["questions"][0], "answer": f"it is {record.key}"}
    return {"id": record.key, "group": "g", "objects": [], **texts}


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """With a protocol whose records have pictures, writers and a raw form."""
    return replace(desk, protocols={"toy": replace(TOY, item_of=_items, raw_of=_raw)})


def _fill(desk: Desk, keys: Iterable[str] = KEYS, **more: Any) -> tuple[int, list[int]]:
    """A campaign with a record for each key, by Zoe and Ann in turn; Zoe joined first."""
    campaign = people.campaign(desk)
    writers = [people.worker(desk, campaign, name) for name in ("zoe", "ann")]
    shown = [keep(desk, people.picture(shade)).hash for shade in (10, 200)]
    for number, key in enumerate(keys):
        writer = writers[number % 2]
        task, by = lay_task(desk, campaign, "write", key, {writer: {"question": "is it so"}}, state="done")
        questions = [f"Is {key} so?", "And why?"] if number == 0 else [f"Is {key} so?"]
        data = {"questions": questions, "picture": shown[number % 2], "writer": worker_name(writer)} | more
        lay_record(desk, campaign, task, key, data, by)
    return campaign, writers


def test_a_dataset_with_pictures_and_pseudonyms(desk: Desk, tmp_path: Path) -> None:
    campaign, (zoe, _) = _fill(desk)

    def earn(session: Session) -> None:
        enter_in(session, desk, campaign, zoe, 12_345, "work", stage="write")

    desk.database.write(earn)
    info = export_dataset(desk, campaign, tmp_path / "made", split="val", datasheet={"funding": "Ourselves."})
    assert check_dataset(tmp_path / "made") == []
    assert (info.items, info.images, info.benchmark, info.name) == (8, 2, "toy", "made")
    assert list(info.splits) == ["val"]
    items = list(read_dataset(tmp_path / "made"))
    assert [item.id for item in items] == [f"{key}-0" for key in IN_ORDER[:5]] + ["b-0", "b-1", "ä-0"]
    by_key = {item.provenance["record"]: item.provenance for item in items}
    assert by_key["b"] == {
        "record": "b", "writer": "w1", "campaign": "first", "version": 1, "workers": ["w1"],
    }  # fmt: skip
    assert by_key["B"]["writer"] == "w2"
    sheet = (tmp_path / "made" / "README.md").read_text()
    for told in ("2 people handed in 7 answers and earned $1.2345", "Ourselves.", "2023-11-14", "3 of them"):
        assert told in sheet
    assert "toy" in (tmp_path / "made" / "croissant.json").read_text()
    for path in (tmp_path / "made").rglob("*"):
        if path.is_file():
            assert b"zoe" not in path.read_bytes()


def test_the_same_records_are_the_same_bytes(desk: Desk, tmp_path: Path) -> None:
    campaign, _ = _fill(desk)
    for name in ("one", "two"):
        export_dataset(desk, campaign, tmp_path / name, name="same")
        export_raw(desk, campaign, tmp_path / f"{name}.jsonl")
    files = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file()]
    assert len(files) == 6
    for path in files:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes()
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_what_is_drawn_says_so(desk: Desk, tmp_path: Path) -> None:
    campaign, _ = _fill(desk, drawn=True, split="test")
    info = export_dataset(desk, campaign, tmp_path / "made")
    assert info.drawn
    assert list(info.splits) == ["test"]
    found = read_info(tmp_path / "made")
    assert found is not None
    assert found.drawn


def test_errata_reach_the_next_export(desk: Desk, tmp_path: Path) -> None:
    campaign, _ = _fill(desk, ("a", "b", "c"))
    rita = people.worker(desk, campaign, "rita", role="reviewer")
    data = {record.key: record.data for record in records(desk, campaign)}
    fixed, removed = (report(desk, campaign, key, rita, "wrong") for key in ("a", "b"))
    settle(desk, fixed, rita, "fixed", "", {**data["a"], "questions": ["Is it better?"]})
    settle(desk, removed, rita, "removed")
    export_dataset(desk, campaign, tmp_path / "made")
    items = list(read_dataset(tmp_path / "made"))
    assert [item.id for item in items] == ["a-0", "c-0"]
    assert [item.provenance["version"] for item in items] == [2, 1]
    assert items[0].texts["question"] == TaggedText.plain("Is it better?")


def test_the_raw_form_is_what_match_reads(desk: Desk, tmp_path: Path) -> None:
    campaign, _ = _fill(desk)
    assert export_raw(desk, campaign, tmp_path / "raw.jsonl") == len(KEYS)
    assert [annotation.id for annotation in read_raw(tmp_path / "raw.jsonl")] == IN_ORDER
    without = replace(desk, protocols={"toy": replace(TOY, raw_of=None)})
    with pytest.raises(UsageError, match="no raw form"):
        export_raw(without, campaign, tmp_path / "other.jsonl")


def test_pictures_by_the_names_that_raw_annotations_have(desk: Desk, tmp_path: Path) -> None:
    campaign, _ = _fill(desk, ("a",))
    assert export_pictures(desk, campaign, tmp_path / "pictures-out") == 1
    assert (tmp_path / "pictures-out" / "room.png").read_bytes() == people.picture(10)
    with pytest.raises(UsageError, match="exists already"):
        export_pictures(desk, campaign, tmp_path / "pictures-out")


def test_two_pictures_of_one_name_are_not_mixed_up(desk: Desk, tmp_path: Path) -> None:
    campaign, _ = _fill(desk, ("a", "b"))
    with pytest.raises(UsageError, match="Two pictures are called"):
        export_pictures(desk, campaign, tmp_path / "pictures-out")
    assert not (tmp_path / "pictures-out").exists()


def test_every_assignment_for_a_study(desk: Desk, tmp_path: Path) -> None:
    campaign = people.campaign(desk)
    ann, bob, cid = (people.worker(desk, campaign, name) for name in ("ann", "bob", "cid"))
    yes, no = {"good": "yes"}, {"good": "no"}
    _, (first, second, held) = lay_task(desk, campaign, "vote", "one", {bob: yes, ann: no}, held_by=cid)
    lay_task(desk, campaign, "vote", "known", {ann: yes}, gold=yes)
    lay_task(desk, people.campaign(desk, "other"), "vote", "one", {ann: yes})

    def judge(session: Session) -> None:
        session.execute(update(Assignment).where(Assignment.id == held).values(draft={"good": "secret"}))
        session.add(
            Verdict(
                assignment_id=second, campaign_id=campaign, user_id=ann, good=False, by_gold=False,
                reason="votes", feedback="Look again.", made_at=1,
            )
        )  # fmt: skip

    desk.database.write(judge)
    assert export_all(desk, campaign, tmp_path / "all.jsonl") == 4
    lines = [msgspec.json.decode(line) for line in (tmp_path / "all.jsonl").read_bytes().splitlines()]
    assert [line["worker"] for line in lines] == ["w2", "w1", "w3", "w1"]
    assert [line["answers"] for line in lines] == [yes, no, None, yes]
    assert [line["gold"] for line in lines] == [False, False, False, True]
    assert lines[1]["verdicts"] == [
        {"good": False, "by_gold": False, "reason": "votes", "feedback": "Look again."}
    ]
    assert (lines[0]["assignment"], lines[0]["key"], lines[0]["state"]) == (first, "one", "given")
    text = (tmp_path / "all.jsonl").read_text()
    assert not any(told in text for told in ("ann", "bob", "cid", "secret"))


def test_nothing_is_written_where_there_is_nothing(desk: Desk, tmp_path: Path) -> None:
    campaign = people.campaign(desk)
    for export in (export_dataset, export_raw):
        with pytest.raises(UsageError, match="no finished record yet"):
            export(desk, campaign, tmp_path / "made")
    assert export_all(desk, campaign, tmp_path / "all.jsonl") == 0
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(("made", ".made"))] == []


def test_a_fault_leaves_nothing_half_written(desk: Desk, tmp_path: Path) -> None:
    campaign, _ = _fill(desk)

    def faulty(record: Record) -> Mapping[str, Any]:
        if record.key == "a/2":
            raise ZeroDivisionError
        return _raw(record)

    broken = replace(desk, protocols={"toy": replace(TOY, item_of=_items, raw_of=faulty)})
    with pytest.raises(ZeroDivisionError):
        export_raw(broken, campaign, tmp_path / "raw.jsonl")
    before = {path.name for path in tmp_path.iterdir()}
    assert not any("raw" in name for name in before)
    export_dataset(desk, campaign, tmp_path / "made")
    with pytest.raises(UsageError, match="exists already"):
        export_dataset(desk, campaign, tmp_path / "made")
    export_dataset(desk, campaign, tmp_path / "made", overwrite=True)
    assert check_dataset(tmp_path / "made") == []


def test_more_records_than_are_fetched_at_once(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commonsight.collect.export.ROWS", 3)
    campaign, _ = _fill(desk, [f"{number:02}" for number in range(10)])
    assert [record.key for record in records(desk, campaign)] == [f"{number:02}" for number in range(10)]
    assert export_all(desk, campaign, tmp_path / "all.jsonl") == 10


JSON = st.recursive(
    st.none() | st.booleans() | st.text(max_size=12) | st.sampled_from(["worker:7", "worker:8", "worker:9"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=10,
)


@given(JSON)
def test_only_workers_are_hidden_and_all_of_them(value: Any) -> None:
    hidden = Pseudonyms({7: "w1", 8: "w2"}).hide(value)
    before, after = msgspec.json.encode(value), msgspec.json.encode(hidden)
    assert after == before.replace(b'"worker:7"', b'"w1"').replace(b'"worker:8"', b'"w2"')
