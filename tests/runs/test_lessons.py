"""A dataset's questions as examples: which tasks fit, which part is meant, and what was looked at."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from commonsight.benchmarks import find as find_benchmark
from commonsight.core.layout import fault
from commonsight.errors import InputError, UsageError
from commonsight.models.catalogue import find
from commonsight.models.engine.evaluate import Predicted
from commonsight.models.features.examples import Example, SeenObject, Spoken
from commonsight.runs.attention import looked_at, save_attention
from commonsight.runs.layouts import layouts_told
from commonsight.runs.lessons import Only, choosing, examples, lessons
from commonsight.store.dataset import write_dataset
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.native import read_native


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("datasets")


def dataset(folder: Path, fixtures: Path, name: str, *files: str) -> Path:
    benchmark = find_benchmark(name)
    out = folder / name
    if not out.exists():
        items = read_native(benchmark.native, [fixtures / name / file for file in files])
        write_dataset(out, items, DatasetInfo(name, name, "1", Made("test", "0"), {}))
    return out


def test_tasks_that_ask_to_pick_are_taken(folder: Path, fixtures_dir: Path) -> None:
    aokvqa = dataset(folder, fixtures_dir, "aokvqa", "aokvqa_v1p0_val.json")
    assert [task.name for task in lessons(aokvqa).tasks] == ["mc"]
    with pytest.raises(UsageError, match=r"da of aokvqa has no choices to score\. Choose a task that has, "):
        lessons(aokvqa, ("mc", "da"))
    nlvr2 = dataset(folder, fixtures_dir, "nlvr2", "dev.json")
    assert [task.name for task in lessons(nlvr2).tasks] == ["verify"]  # True and False
    cric = dataset(folder, fixtures_dir, "cric", "val_questions.json")
    with pytest.raises(UsageError, match="of cric has no choices to score"):
        lessons(cric)


def test_tasks_whose_answers_are_named_are_for_networks_that_name(folder: Path, fixtures_dir: Path) -> None:
    naming = find("question-only")
    for name, file, tasks in (
        ("aokvqa", "aokvqa_v1p0_val.json", ["da"]),
        ("nlvr2", "dev.json", ["verify"]),
        ("cric", "val_questions.json", ["answer"]),
    ):
        assert [
            task.name for task in lessons(dataset(folder, fixtures_dir, name, file), entry=naming).tasks
        ] == tasks
    with pytest.raises(UsageError, match="mc of aokvqa has no answer to name, but choices"):
        lessons(folder / "aokvqa", ("mc",), entry=naming)


def test_a_part_is_meant_by_its_label(folder: Path, fixtures_dir: Path) -> None:
    pmr = dataset(folder, fixtures_dir, "pmr", "val-ori.jsonl", "val-adv.jsonl")
    split = next(iter(lessons(pmr).items("val"))).split
    every, some = (len(lessons(pmr, only=only).items(split)) for only in (None, "half=adv"))
    assert 0 < some < every
    told = r"--only half=new: split val has no such item\. Its labels are: adv, ori\."
    with pytest.raises(UsageError, match=told):
        lessons(pmr, only="half=new").items("val")
    aokvqa = dataset(folder, fixtures_dir, "aokvqa", "aokvqa_v1p0_val.json")
    with pytest.raises(UsageError, match=r"aokvqa knows no slice 'half'\. It has none\."):
        lessons(aokvqa, only="half=new")


@pytest.mark.parametrize("text", ["", "half", "half=", "=adv"])
def test_a_part_is_written_as_slice_and_label(text: str) -> None:
    assert str(Only.read("half=adv")) == "half=adv"
    with pytest.raises(UsageError, match=rf"--only {text}: write SLICE=LABEL"):
        Only.read(text)


def test_an_empty_dataset_or_split_is_told(tmp_path: Path) -> None:
    write_dataset(tmp_path / "none", [], DatasetInfo("vcr", "vcr", "1", Made("test", "0"), {}))
    with pytest.raises(InputError, match="there is no item in it"):
        lessons(tmp_path / "none")


def test_a_network_that_reads_alone_takes_any_number_of_pictures(folder: Path, fixtures_dir: Path) -> None:
    nlvr2 = lessons(dataset(folder, fixtures_dir, "nlvr2", "dev.json"))
    asks = [nlvr2.tasks[0].ask(item) for item in nlvr2.items("dev")]
    assert all(len(one.responses) == 2 for one in examples(find("lstm"), asks))
    with pytest.raises(UsageError, match="has 2 pictures, and R2C sees one"):
        examples(find("r2c"), asks)


def _text(words: int) -> Spoken:
    return Spoken(("a",) * words, (0,) * words)


def test_what_was_looked_at_is_kept_without_padding(tmp_path: Path) -> None:
    seen = (SeenObject("image", None), SeenObject("cup", None))
    example = Example("i/1", "t", None, (1, 1), _text(3), (_text(2), _text(4)), seen, (0,))
    full = np.random.default_rng(0).random((5, 9, 8)).astype(np.float32)  # more choices, words, places
    attention = {"query": full, "objects": full, "glimpses": full[:, :2]}
    found = looked_at(Predicted(0, example, (0.5, 0.5), attention), "mc")
    assert {name: shares.shape for name, shares in found.items()} == {
        "i/1/mc/query": (2, 4, 3),
        "i/1/mc/objects": (2, 4, 2),
        "i/1/mc/glimpses": (2, 2, 2),
    }
    assert not found["i/1/mc/query"][0, 2:].any()
    short = looked_at(Predicted(0, example, (0.5, 0.5), {"query": full[:, :3, :1]}), "mc")["i/1/mc/query"]
    assert short.shape == (2, 4, 3)  # of a text too long to be read whole, what was not read is zeros
    assert np.array_equal(short[1, :3, :1], full[1, :3, :1].astype(np.float16))
    assert not short[1, 3:].any()
    assert not short[..., 1:].any()
    assert np.array_equal(found["i/1/mc/query"][1], full[1, :4, :3].astype(np.float16))
    assert np.array_equal(found["i/1/mc/glimpses"], full[:2, :2, :2].astype(np.float16))
    save_attention(tmp_path / "x.safetensors", found)
    assert [path.name for path in tmp_path.iterdir()] == ["x.safetensors"]


def test_only_what_is_read_is_held_in_memory(drawn_world: Path) -> None:
    """Outlines are for those who read them."""
    light = lessons(drawn_world / "vcr").items("val")
    heavy = lessons(drawn_world / "vcr", outlines=True).items("val")
    assert any(region.polygons for item in heavy for region in item.scenes[0].regions)
    assert not any(region.polygons for item in light for region in item.scenes[0].regions)
    for one, other in zip(light, heavy, strict=True):
        assert [region.box for region in one.scenes[0].regions] == [
            region.box for region in other.scenes[0].regions
        ]
        assert (one.texts, one.choices, one.gold, one.groups) == (
            other.texts, other.choices, other.gold, other.groups
        )  # fmt: skip


def test_layouts_are_made_of_words_for_networks_that_are_shown_them(folder: Path, fixtures_dir: Path) -> None:
    given = lessons(dataset(folder, fixtures_dir, "nlvr2", "dev.json"), entry=find("n2nmn-cloning"))
    asks = [given.tasks[0].ask(item) for item in given.items("dev")]
    shown = examples(find("n2nmn-cloning"), asks)
    assert all(fault(example.layout) is None for example in shown)
    assert not any(example.layout for example in examples(find("n2nmn-rl"), asks))
    assert layouts_told("constituents", shown).startswith(f"{len(shown)} layouts made of words; 0 leave out")


def test_all_places_of_a_canvas_are_kept() -> None:
    said = Spoken(("a", "cup"), (0, 0))
    example = Example("7", "verify", None, (1, 1), said, (Spoken(("nothing",), (0,)),), (), ())
    shares = np.full((1, 2, 12), 1 / 12, np.float32)
    found = looked_at(Predicted(0, example, (0.5, 0.5), {"places": shares}), "verify")
    assert found["7/verify/places"].shape == (1, 2, 12)


def test_networks_that_write_pick_and_answer(folder: Path, fixtures_dir: Path) -> None:
    """One that is told choices learns to pick; another picks by what it learned to write."""
    aokvqa = dataset(folder, fixtures_dir, "aokvqa", "aokvqa_v1p0_val.json")
    clipcap, gpv2 = find("clipcap"), find("gpv-2")
    for entry, learned, others in ((clipcap, ["mc", "da"], []), (gpv2, ["da"], ["mc"])):
        given = lessons(aokvqa, entry=entry)
        assert [task.name for task in given.tasks] == learned
        assert [task.name for task in choosing(given, entry)] == others
    assert [task.name for task in choosing(lessons(aokvqa, ("da",), entry=clipcap), clipcap)] == ["mc"]
    why = lessons(aokvqa, ("rationale",), entry=gpv2)
    assert [task.name for task in why.tasks] == ["rationale"]
    assert choosing(why, gpv2) == ()
    cric = dataset(folder, fixtures_dir, "cric", "val_questions.json")
    with pytest.raises(UsageError, match="of cric wants an object to be pointed to"):
        lessons(cric, entry=gpv2)


def test_a_context_is_told_with_every_task(folder: Path, fixtures_dir: Path) -> None:
    aokvqa = dataset(folder, fixtures_dir, "aokvqa", "aokvqa_v1p0_val.json")
    for name, order in (("gpv-2", ["question", "context"]), ("question-only", ["context", "question"])):
        given = lessons(aokvqa, entry=find(name), context="rationale")
        item = given.items("val")[0]
        asks = [task.ask(item) for task in (*given.tasks, *choosing(given, find(name)))]
        assert [list(ask.texts) for ask in asks] == [order, order]
        assert asks[0].texts["context"].bracketed(()).startswith(item.rationales[0].bracketed(())[:9])
