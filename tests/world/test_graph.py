"""Scene graphs in Visual Genome's layout."""

from __future__ import annotations

from random import Random

from commonsight.world.cast import movie
from commonsight.world.draw.compose import render
from commonsight.world.draw.geometry import HEIGHT, WIDTH
from commonsight.world.episodes import EPISODES, castable
from commonsight.world.graph import WORN_FROM, Relation, instance_names, relations, visual_genome
from commonsight.world.model import Actor, Look, Prop, Spot, Stage
from commonsight.world.plan import plan_episode, plan_scene, scene_rng

LOOK = Look(skin="#f3d3b3", hair="brown", hair_style="short", top="red", bottom="blue", hat="cap")


def _stage() -> Stage:
    actors = (
        Actor(0, "Ada", LOOK, "handing over", holds=2, looks_at=1, partner=1),
        Actor(1, "Bela", LOOK, "sitting", "happy", seat=3),
    )
    props = (
        Prop(2, "cup", "white", state="full"), Prop(3, "bicycle", "red"), Prop(4, "desk", "brown"),
        Prop(5, "cup", "red", "large", on=4), Prop(6, "bucket", "blue"),
    )  # fmt: skip
    spots = {0: Spot(0.2, 0.2), 1: Spot(0.5, 0.3), 2: Spot(0.2, 0.2), 3: Spot(0.5, 0.3), 4: Spot(0.8, 0.6)}
    return Stage("s", "m", "park", actors, props, spots | {5: Spot(0.8, 0.6), 6: Spot(0.8, 0.58)})


def test_instances_are_numbered_by_class() -> None:
    names = instance_names(_stage())
    assert names == {
        0: "person1",
        1: "person2",
        2: "cup1",
        3: "bicycle1",
        4: "desk1",
        5: "cup2",
        6: "bucket1",
    }


def test_relationships() -> None:
    found = set(relations(_stage()))
    assert {
        Relation(0, "holding", 2), Relation(0, "handing to", 1), Relation(0, "looking at", 1),
        Relation(1, "riding", 3),
        Relation(5, "on", 4), Relation(6, "under", 4), Relation(3, "left of", 4), Relation(4, "right of", 3),
    } <= found  # fmt: skip


def test_the_layout_is_visual_genomes() -> None:
    graph = visual_genome(_stage())
    assert (graph["image_id"], graph["width"], graph["height"]) == ("s", WIDTH, HEIGHT)
    cup = graph["objects"][5]
    assert set(cup) == {"object_id", "names", "x", "y", "w", "h", "attributes"}
    assert cup["names"] == ["cup"]
    assert cup["attributes"] == ["red", "large"]
    assert {"cap", "happy", "sitting", "red top"} <= set(graph["objects"][1]["attributes"])
    edge = graph["relationships"][0]
    assert set(edge) == {"relationship_id", "predicate", "subject_id", "object_id"}


def test_boxes_are_those_that_are_seen() -> None:
    made = movie(1)
    for index in range(4):
        stage = plan_scene(made, index, scene_rng(0, made, index))
        picture = render(stage)
        graph = visual_genome(stage, picture)
        entities = [each for each in graph["objects"] if each["object_id"] < WORN_FROM]
        assert [each["object_id"] for each in entities] == sorted(picture.visible)
        for each in entities:
            left, top, right, bottom = picture.visible[each["object_id"]].box
            assert (each["x"], each["y"]) == (round(left), round(top))
            assert (each["w"], each["h"]) == (round(right - left), round(bottom - top))
        named = {edge["subject_id"] for edge in graph["relationships"]}
        assert named <= set(picture.visible)


def test_people_wear_their_clothes_and_hats() -> None:
    stage = _stage()
    graph = visual_genome(stage)
    objects = {each["object_id"]: each for each in graph["objects"]}
    worn = [edge for edge in graph["relationships"] if edge["predicate"] == "wearing"]
    told = [(edge["subject_id"], objects[edge["object_id"]]["names"][0]) for edge in worn]
    assert told == [(0, "shirt"), (0, "cap"), (1, "shirt"), (1, "cap")]
    for edge in worn:
        thing, person = objects[edge["object_id"]], objects[edge["subject_id"]]
        assert edge["object_id"] >= WORN_FROM
        assert person["x"] <= thing["x"] + 1
        assert person["y"] <= thing["y"] + 1
        assert thing["y"] + thing["h"] <= person["y"] + person["h"] + 1
    shirt, cap = (objects[edge["object_id"]] for edge in worn[:2])
    assert shirt["attributes"] == ["red"]
    assert cap["y"] < shirt["y"]
    assert len({edge["relationship_id"] for edge in graph["relationships"]}) == len(graph["relationships"])


def test_planned_people_lie_sit_hug_and_point() -> None:
    made = movie(5)
    ages = [character.look.age for character in made.cast]
    told = set()
    for name, episode in EPISODES.items():
        if castable(episode, ages):
            told |= {
                edge.predicate for edge in relations(plan_episode(made, episode, name, Random(name)).stage)
            }
    assert {
        "on", "behind", "next to", "holding", "looking at", "pointing at", "sitting on", "lying on", "riding",
        "handing to", "hugging", "left of", "right of",
    } <= told  # fmt: skip
