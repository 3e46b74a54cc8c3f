"""Knowledge from files to items: the world's, what is shipped, and ConceptNet's."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from msgspec import json

from commonsight.errors import InvalidRecords, Problem
from commonsight.graph.cycles import cycles
from commonsight.graph.knowledge import CATEGORY, RELATIONS
from commonsight.graph.load import KnowledgeLoaded, load_knowledge

WORLD = Path(str(files("commonsight.world") / "knowledge.tsv"))
HAND_CHECKED = """
UsedFor|chair|sitting on|chair|
IsA|chair|piece of furniture|chair|piece of furniture
UsedFor|lamp|lighting a room at night|lamp|room,night
UsedFor|refrigerator|keeping food cold|refrigerator|food
HasA|clock|two hands|clock|hand
UsedFor|cash register|keeping customers' money|cash register|money
UsedFor|wheelchair|moving people who cannot walk|wheelchair|person
UsedFor|easel|holding a picture while it is painted|easel|picture
CapableOf|balloon|fly away|balloon|
MadeFrom|puddle|rain water|puddle|rain water
HasPrerequisite|car|driver|car|driver
UsedFor|traffic light|telling drivers when to stop|traffic light|driver
UsedFor|fire hydrant|giving water to firefighters|fire hydrant|water,firefighter
CapableOf|cat|catch mice|cat|mouse
CapableOf|dog|steal food|dog|food
CapableOf|horse|carry a rider|horse|rider
HasA|piano|black and white keys|piano|key
MadeFrom|pizza|dough and cheese|pizza|dough,cheese
MadeFrom|hot dog|sausage in a bun|hot dog|sausage,bun
ReceivesAction|pizza|baked in an oven|pizza|oven
ReceivesAction|carrot|eaten by horses|carrot|horse
HasA|cake|candles at a birthday|cake|candle,birthday
UsedFor|suitcase|packing clothes for a journey|suitcase|clothes,journey
AtLocation|remote|living room|remote|living room
HasA|broom|long handle|broom|handle
IsA|doctor|person who treats the sick|doctor|person,sick
IsA|cleaner|person who keeps rooms clean|cleaner|person,room
HasA|cook|tall white hat|cook|hat
HasPrerequisite|skateboard|balance|skateboard|balance
HasSubevent|breaking a vase|sweeping up the pieces|vase|piece
HasPrerequisite|playing tennis|two rackets and a ball|tennis|racket,ball
HasSubevent|moving house|hanging up paintings|house|painting
HasSubevent|shopping|paying at the till||till
UsedFor|chef hat|keeping hair out of the food|chef hat|hair,food
UsedFor|painting|decorating walls|painting|wall
"""


@cache
def _world() -> KnowledgeLoaded:
    return load_knowledge([WORLD], additions=[])


def test_the_whole_world_is_parsed() -> None:
    loaded = _world()
    assert (loaded.report.read, loaded.report.kept, loaded.report.merged) == (443, 443, 0)
    assert loaded.report.dropped == {}
    assert (loaded.report.phrases, loaded.report.explained) == (458, 447)  # eleven hold a clause or a pronoun
    things = [
        item for item in loaded.knowledge.items if item.relation not in ("HasPrerequisite", "HasSubevent")
    ]
    assert [item.head.text for item in things if len(item.head.nodes) != 1] == []


@pytest.mark.parametrize("row", HAND_CHECKED.strip().splitlines())
def test_nodes_of_the_world(row: str) -> None:
    relation, head, tail, head_nodes, tail_nodes = row.split("|")
    found = {(item.relation, item.head.text, item.tail.text): item for item in _world().knowledge.items}
    item = found[relation, head, tail]
    assert ",".join(node.name for node in item.head.nodes) == head_nodes
    assert ",".join(node.name for node in item.tail.nodes) == tail_nodes


def test_decomposing_makes_the_world_denser() -> None:
    degrees = _world().report.degrees
    assert degrees.after.mean > degrees.before.mean > 1
    assert sum(degrees.before.histogram.values()) == sum(degrees.after.histogram.values()) == 886


def test_what_is_shipped_is_kept_whole() -> None:
    loaded = load_knowledge([])
    assert loaded.report.dropped == {}
    assert loaded.report.cycles == []
    assert set(loaded.report.by_relation) == set(RELATIONS)
    names = [item for item in loaded.knowledge.items if item.relation in ("IsA", "IsA-Taxonomy")]
    assert [item for item in names if len(item.head.nodes) != 1 or len(item.tail.nodes) != 1] == []


def test_shipped_categories() -> None:
    knowledge = load_knowledge([]).knowledge
    assert knowledge.kinds("apple") == {"apple", "fruit", "food"}
    assert "animal" in knowledge.kinds("giraffe")
    assert "feline" not in knowledge.kinds("cat")
    holders = {item.head.text for item in knowledge.items if item.tail.text == "holding liquid"}
    assert {"cup", "glass", "bottle", "mug", "bowl", "bucket"} <= holders


def test_other_additions_take_the_place_of_ours(tmp_path: Path) -> None:
    table = tmp_path / "mine.tsv"
    table.write_text("relation\thead\ttail\nIsA\tfork\ttool for eating\n", "utf-8")
    triples = tmp_path / "triples.txt"
    triples.write_text("IsA\tspoon\ttool for eating\nIsA\tspoon\tcutlery\n", "utf-8")
    items = load_knowledge([triples], additions=[table]).knowledge.items
    assert [(item.relation, item.head.text) for item in items] == [
        ("IsA", "fork"), ("IsA", "spoon"), ("IsA-Taxonomy", "spoon"),
    ]  # fmt: skip


def test_categories_in_a_circle_are_told_and_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "circle.tsv"
    rows = ["relation\thead\ttail", "IsA\ta\tb", "IsA\tb\tc", "IsA\tc\ta", "IsA\td\ta", "IsA\tdog\tanimal"]
    path.write_text("\n".join(row.replace("\ta", "\tanvil").replace("\tb", "\tbench").replace("\tc", "\tcart")
                              .replace("anvilnimal", "animal") for row in rows) + "\n", "utf-8")  # fmt: skip
    problems: list[Problem] = []
    loaded = load_knowledge([path], additions=[], on_problem=problems.append)
    assert loaded.report.cycles == [("anvil", "bench", "cart")]
    assert "anvil, bench, cart" in str(problems[0])
    assert loaded.knowledge.kinds("bench") == {"anvil", "bench", "cart"}
    with pytest.raises(InvalidRecords, match="circle"):
        load_knowledge([path], additions=[])


def test_circles() -> None:
    assert cycles({"a": ["b"], "b": ["c"], "c": ["d"]}) == []
    assert cycles({"a": ["a"]}) == [("a",)]
    assert cycles({"a": ["b", "x"], "b": ["a"], "x": ["y"], "y": ["z"], "z": ["x", "a"]}) == [
        ("a", "b", "x", "y", "z")
    ]
    assert cycles({"a": ["b"], "b": ["a", "x"], "x": ["y"], "y": ["x"]}) == [("a", "b"), ("x", "y")]
    assert cycles({str(n): [str(n + 1)] for n in range(5000)} | {"5000": ["0"]})[0][0] == "0"


def test_a_report_goes_into_json() -> None:
    assert json.decode(json.encode(_world().report))["kept"] == 443


@pytest.mark.real_data
def test_cn100k_with_the_objects_of_scenes(data_dir: Path) -> None:
    concepts = [
        line.split(",")[0] for line in (data_dir / "graphs" / "objects_vocab.txt").read_text().splitlines()
    ]
    loaded = load_knowledge(
        [data_dir / "knowledge" / "valid.txt", data_dir / "knowledge" / "test.txt"], concepts
    )
    report = loaded.report
    dropped = sum(drop.count for drop in report.dropped.values())
    assert report.read == report.kept + report.merged + dropped
    assert report.kept > 2000
    assert set(report.by_relation) == set(RELATIONS)
    assert report.explained > 0.95 * report.phrases
    assert report.degrees.after.mean > report.degrees.before.mean
    assert set(concepts) & {item.head.text for item in loaded.knowledge.items if item.relation == CATEGORY}
