"""The published files, and the world's: every picture read, none with a problem, cleaned as counted."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from commonsight.core.scene import Scene
from commonsight.graph import clean as rules
from commonsight.graph.clean import fitted_cleaner
from commonsight.graph.clean_report import CleaningReport, Totals, clean_all
from commonsight.graph.readers import detect_layout, open_scenes
from commonsight.graph.vocabulary import Wording, counted, read_wording
from commonsight.world.cast import movie
from commonsight.world.cric import scene_graphs
from commonsight.world.plan import plan_scene

FILES = {
    "vg10.json": ("visual-genome", Totals(10, 376, 384, 423)),
    "gqa_debug_scene_graphs.json": ("gqa", Totals(4, 59, 54, 178)),
    "vrd_train.jsonl": ("vrd", Totals(3780, 26287, 0, 29857)),
    "vrd_test.jsonl": ("vrd", Totals(955, 6693, 0, 7474)),
    "factual_region_graphs.csv": ("factual", Totals(35540, 85681, 25134, 45563)),
}


@pytest.mark.real_data
@pytest.mark.parametrize("name", FILES)
def test_a_published_file_is_read_whole(data_dir: Path, name: str) -> None:
    path = data_dir / "graphs" / name
    layout, expected = FILES[name]
    assert detect_layout(path) == layout
    totals = Totals()
    for scene in open_scenes(path):  # the first problem would raise
        totals.add(scene)
    assert totals == expected


@pytest.mark.real_data
def test_vrd_is_cleaned(data_dir: Path) -> None:
    def source() -> list[Scene]:
        names = ("vrd_train.jsonl", "vrd_test.jsonl")
        return [scene for name in names for scene in open_scenes(data_dir / "graphs" / name)]

    report = CleaningReport()
    kept = list(clean_all(source(), fitted_cleaner(source), report))
    assert report.before == Totals(4735, 32980, 0, 37331)
    assert report.after == Totals(4735, 32551, 0, 36758)
    assert report.dropped == {rules.MERGED: 429, rules.TO_ITSELF: 232, rules.TOLD_TWICE: 341}
    assert len(counted(kept, Wording()).objects) == 100


@pytest.mark.real_data
def test_published_aliases_bring_names_together(data_dir: Path) -> None:
    graphs = data_dir / "graphs"
    wording = read_wording(
        [graphs / "object_alias.txt"], [graphs / "attributes_vocab.txt"], [graphs / "predicate_alias.txt"]
    )
    assert wording.objects.of("Savers") == "saver"
    assert wording.attributes.of("grey") == "gray"
    assert wording.relations.of("next to") == "near"
    assert wording.relations.of("are hanging") == "hanging"
    assert len(wording.objects) > 3800
    assert len(wording.relations) > 4900


def test_the_worlds_graphs_are_read_and_lose_nothing_by_cleaning_words(tmp_path: Path) -> None:
    stages = [
        plan_scene(movie(seed), index, Random(seed * 10 + index)) for seed in range(3) for index in range(4)
    ]
    graphs = scene_graphs(stages)
    path = tmp_path / "scene_graphs.json"
    path.write_text(json.dumps(graphs))
    found = list(open_scenes(path))
    assert [scene.image for scene in found] == [str(graph["image_id"]) for graph in graphs]
    for scene, graph in zip(found, graphs, strict=True):
        assert [region.id for region in scene.regions] == [thing["object_id"] for thing in graph["objects"]]
        assert len(scene.relations) == len(graph["relationships"])
    report = CleaningReport()
    list(clean_all(found, fitted_cleaner(lambda: open_scenes(path)), report))
    assert set(report.dropped) <= {rules.MERGED, rules.TOLD_TWICE, rules.TO_ITSELF, rules.ATTRIBUTE_TWICE}
