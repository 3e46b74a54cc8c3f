"""What CRIC's generator starts from: scene graphs in Visual Genome's layout, knowledge in ConceptNet's."""

from __future__ import annotations

from pathlib import Path

from msgspec import json

from commonsight.world.cast import movie
from commonsight.world.cric import concept, conceptnet_lines, knowledge_csv, plain_lines, scene_graphs
from commonsight.world.draw.compose import render
from commonsight.world.graph import WORN_FROM
from commonsight.world.knowledge import read_knowledge
from commonsight.world.model import Stage
from commonsight.world.plan import plan_scene, scene_rng


def stages(count: int) -> list[Stage]:
    film = movie(2)
    return [plan_scene(film, number, scene_rng(1, film, number)) for number in range(count)]


def test_scene_graphs_are_in_order_and_whole() -> None:
    made = stages(5)
    graphs = scene_graphs(made)
    assert [graph["image_id"] for graph in graphs] == [stage.id for stage in made]
    for stage, graph in zip(made, graphs, strict=True):
        entities = [thing for thing in graph["objects"] if thing["object_id"] < WORN_FROM]
        assert len(entities) == len(stage.actors) + len(stage.props)
        ids = {thing["object_id"] for thing in graph["objects"]}
        for edge in graph["relationships"]:
            assert edge["predicate"]
            assert {edge["subject_id"], edge["object_id"]} <= ids


def test_with_pictures_only_what_is_seen_is_listed() -> None:
    made = stages(3)
    pictures = [render(stage) for stage in made]
    for picture, graph in zip(pictures, scene_graphs(made, pictures), strict=True):
        entities = {thing["object_id"] for thing in graph["objects"] if thing["object_id"] < WORN_FROM}
        assert entities == set(picture.visible)


def test_scene_graphs_go_into_json() -> None:
    assert json.decode(json.encode(scene_graphs(stages(2))))


def test_concepts_are_written_as_conceptnet_writes_them() -> None:
    assert concept("Hot dog") == "/c/en/hot_dog"
    assert concept("a sausage in a bun!") == "/c/en/a_sausage_in_a_bun"


def test_assertions_have_five_columns_and_keep_our_relation() -> None:
    (line,) = conceptnet_lines([("MadeFrom", "hot dog", "sausage"), ("MadeFrom", "hot dog", "sausage")])
    uri, relation, start, end, metadata = line.split("\t")
    assert uri == "/a/[/r/MadeOf/,/c/en/hot_dog/,/c/en/sausage/]"
    assert (relation, start, end) == ("/r/MadeOf", "/c/en/hot_dog", "/c/en/sausage")
    told = json.decode(metadata)
    assert told["weight"] == 1.0
    assert told["dataset"] == "/d/commonsight"
    assert told["commonsight"] == {"relation": "MadeFrom"}
    assert (told["surfaceStart"], told["surfaceEnd"]) == ("hot dog", "sausage")


def test_both_files_hold_every_triple(tmp_path: Path) -> None:
    files = knowledge_csv(tmp_path)
    triples = {tuple(triple) for triple in read_knowledge()}
    plain = [tuple(line.split("\t")) for line in files.triples.read_text("utf-8").splitlines()]
    assert set(plain) == triples
    assert len(plain) == len(triples)
    again = set()
    for line in files.assertions.read_text("utf-8").splitlines():
        told = json.decode(line.split("\t")[4])
        again.add((told["commonsight"]["relation"], told["surfaceStart"], told["surfaceEnd"]))
    assert again == triples


def test_other_triples_may_be_given(tmp_path: Path) -> None:
    files = knowledge_csv(tmp_path, [("IsA", "dog", "animal")])
    assert files.triples.read_text("utf-8") == "IsA\tdog\tanimal\n"
    assert plain_lines([("IsA", "dog", "animal")]) == ["IsA\tdog\tanimal"]
