"""From scenes to raw questions: the same whoever works, and able to go on after anything."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from commonsight.build.questions.facts import Index
from commonsight.build.questions.outcome import decided
from commonsight.build.questions.run import RawRun, Sources, run_questions
from commonsight.build.questions.spool import Questions, packed, unpacked
from commonsight.build.questions.work import Finished, Parcel, Recipe, numbered, unboxed
from commonsight.core.item import Item
from commonsight.core.scene import Box, Region, Scene
from commonsight.errors import InputError, UsageError
from commonsight.world.make import Plan, make_world

RECIPE = Recipe(per_scene=6)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    folder = tmp_path_factory.mktemp("run") / "world"
    make_world(folder, Plan(36, 2, ("cric",)), progress=lambda units, _: units)
    return Sources(folder, (folder / "raw" / "knowledge" / "triples.tsv",))


@pytest.fixture(autouse=True)
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonsight.build.questions.run.SCENES_A_FILE", 10)


def files(spool: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in spool.iterdir()}


def test_any_number_of_workers_writes_the_same(sources: Sources, tmp_path: Path) -> None:
    one = run_questions(sources, RECIPE, tmp_path / "one", workers=1)
    two = run_questions(sources, RECIPE, tmp_path / "two", workers=2)
    assert one.files == two.files == 4
    assert one.questions == two.questions > 150
    assert files(tmp_path / "one") == files(tmp_path / "two")
    other = run_questions(sources, structs.replace(RECIPE, seed=1), tmp_path / "three")
    assert _texts(other) != _texts(one)


def _texts(raw: RawRun) -> list[object]:
    return [item.texts for item in decided(raw, None).items()]


class _Stopped(Exception):  # noqa: N818
    pass


def test_it_goes_on_where_it_was_stopped(sources: Sources, tmp_path: Path) -> None:
    whole = run_questions(sources, RECIPE, tmp_path / "whole")

    def stop_after_two(done, _):  # type: ignore[no-untyped-def]
        yield next(done)
        yield next(done)
        raise _Stopped

    spool = tmp_path / "spool"
    with pytest.raises(_Stopped):
        run_questions(sources, RECIPE, spool, asking=stop_after_two)
    assert sum(name.startswith("questions") for name in files(spool)) == 2
    (spool / ".questions-000003.1.part").write_bytes(b"half")  # as `kill -9` leaves it
    asked: list[Finished] = []

    def noted(done, total):  # type: ignore[no-untyped-def]
        assert total == 2
        for each in done:
            asked.append(each)
            yield each

    def read_again(_):  # type: ignore[no-untyped-def]
        raise AssertionError("all scenes were read before")

    run_questions(sources, RECIPE, spool, asking=noted, reading=read_again)
    assert len(asked) == 2
    assert files(spool) == files(tmp_path / "whole")
    assert whole.files == 4


def test_stopped_while_reading_it_reads_again(sources: Sources, tmp_path: Path) -> None:
    def stop(scenes):  # type: ignore[no-untyped-def]
        for number, scene in enumerate(scenes):
            if number == 25:
                raise _Stopped
            yield scene

    with pytest.raises(_Stopped):
        run_questions(sources, RECIPE, tmp_path / "spool", reading=stop)
    assert (tmp_path / "spool" / "scenes-000001").is_file()
    run_questions(sources, RECIPE, tmp_path / "spool")
    run_questions(sources, RECIPE, tmp_path / "whole")
    assert files(tmp_path / "spool") == files(tmp_path / "whole")


def test_a_spool_of_something_else_is_refused(sources: Sources, tmp_path: Path) -> None:
    run_questions(sources, RECIPE, tmp_path / "spool")
    with pytest.raises(UsageError, match="holds another question making, begun and not finished"):
        run_questions(sources, Recipe(per_scene=7), tmp_path / "spool")
    fewer = sources._replace(knowledge=())
    with pytest.raises(UsageError, match="holds another question making"):
        run_questions(fewer, RECIPE, tmp_path / "spool")


def test_questions_of_a_picture_share_one_scene(sources: Sources, tmp_path: Path) -> None:
    raw = run_questions(sources, RECIPE, tmp_path / "spool")
    scenes: dict[str, Scene] = {}
    for item in decided(raw, None).items():
        (scene,) = item.scenes
        assert scenes.setdefault(item.groups["image"], scene) is scene
    assert len(scenes) == 36


def test_a_sample_is_some_of_the_kept_in_their_order(sources: Sources, tmp_path: Path) -> None:
    outcome = decided(run_questions(sources, RECIPE, tmp_path / "spool"), 0.5)
    ids = [item.id for item in outcome.items()]
    sample = [item.id for item in outcome.sample(10)]
    assert len(sample) == 10
    assert sample == [id_ for id_ in ids if id_ in sample]
    assert len(outcome.sample(10**6)) == len(ids)


def test_no_scenes_are_an_error_that_names_the_faults(tmp_path: Path) -> None:
    path = tmp_path / "scenes.jsonl"
    path.write_text('{"image": "a.jpg", "objects": []}\n')
    with pytest.raises(InputError, match=r"scenes.jsonl:1: image a.jpg: objects: the graph is empty") as told:
        run_questions(Sources(path), RECIPE, tmp_path / "spool")
    assert "there is no scene to ask about" in str(told.value)


def test_a_parcel_takes_its_content_along(tmp_path: Path) -> None:
    path = tmp_path / "scenes"
    path.write_bytes(packed([Scene("a.jpg")]))
    travelled = pickle.loads(pickle.dumps(Parcel(3, path)))
    path.unlink()
    assert travelled.number == 3
    assert unpacked(travelled.content(), list[Scene]) == [Scene("a.jpg")]


def test_every_object_gets_an_id_of_its_own() -> None:
    def ids(*told: int | None) -> list[int | None]:
        scene = numbered(Scene("a", tuple(Region("cup", id=id_) for id_ in told)))
        return [region.id for region in scene.regions]

    assert ids(5, 3) == [5, 3]
    assert ids(None, 0, None) == [1, 0, 2]
    assert ids(7, 7, -1, 2**70) == [7, 0, 1, 2]
    assert ids() == []


def test_objects_without_a_box_are_found() -> None:
    scene = Scene("a", (Region("cup", Box(0, 0, 1, 1), id=1), Region("fork", id=2)))
    assert unboxed(scene) == {2: "fork"}


def test_what_is_kept_on_the_disk_comes_back(sources: Sources, tmp_path: Path) -> None:
    raw = run_questions(sources, RECIPE, tmp_path / "spool")
    first: Questions = next(raw.spool.asked(raw.files))
    some = list(first.items(np.arange(first.count) % 3 == 0))
    every: list[Item] = list(first.items())
    assert some == every[::3]
    index = Index()
    index.update(first.columns())
    assert [index.names[code] for code in index.answers] == [item.gold.text for item in every]  # type: ignore[union-attr]


def test_knowledge_kept_for_the_test_is_asked_of_nowhere_else(sources: Sources, tmp_path: Path) -> None:
    recipe = structs.replace(RECIPE, per_scene=20)
    everything = _told(run_questions(sources, recipe, tmp_path / "everything"))
    kept = _told(run_questions(sources, structs.replace(recipe, new_knowledge=0.4), tmp_path / "kept"))
    trained = {query for split, queries, _ in kept if split != "test" for query in queries}
    before = {query for split, queries, _ in everything if split != "test" for query in queries}
    assert 0.5 < len(trained) / len(before) < 0.7
    as_it_was, marked = ([one for one in told if one[0] == "test"] for told in (everything, kept))
    assert [queries for _, queries, _ in as_it_was] == [queries for _, queries, _ in marked]
    assert {kind for _, _, kind in as_it_was} == {None}
    assert {kind for _, _, kind in marked} == {"new", "known"}
    for _, queries, kind in marked:
        if kind == "new":
            assert not queries <= trained  # of several at least one is new


def _told(raw: RawRun) -> list[tuple[str, frozenset[str], str | None]]:
    """Of each question its split, the knowledge it speaks of, and whether that is new."""
    found = []
    for item in decided(raw, None).items():
        assert item.program is not None
        steps = [step for step in item.program.steps if step.function.startswith("Find_KG")]
        queries = frozenset(" ".join(step.text_input or ()) for step in steps)
        found.append((item.split, queries, item.extra.get("knowledge")))
    return found
