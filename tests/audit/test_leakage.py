"""The probe of leakage: what is leaked is found, item by item, and clean splits raise nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import structs
from PIL import Image

from commonsight.audit import fakes
from commonsight.audit.leakage.probe import Leakage
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.values import Finding, Section
from commonsight.benchmarks import find
from commonsight.core.answer import Pick
from commonsight.core.benchmark import Task
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText, Token
from commonsight.store.native import read_native
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder())


def section_of(items: Sequence[Item], task: Task = fakes.CHOOSE, images: Path | None = None) -> Section:
    whole = fakes.subject_of(items, task)
    subject = Subject(
        whole.name, whole.benchmark, whole.title, whole.read, whole.tasks, whole.cluster_of, images=images
    )
    (section,) = Leakage().measure(subject, SETTING)
    return section


def findings(section: Section, code: str) -> list[Finding]:
    return [found for found in section.findings if found.code == code]


def levels(section: Section) -> set[tuple[str, str]]:
    return {(found.code, found.level) for found in section.findings}


def test_clean_splits_raise_no_warning_in_fifty_seeds() -> None:
    for seed in range(50):
        count = random.Random(seed).choice((200, 300, 400))
        section = section_of(fakes.clean_items(count, seed))
        assert {found.level for found in section.findings if found.code != "answers-seen"} == {"fine"}, seed


def test_sentences_that_recur_by_design_are_no_leak() -> None:
    for seed in range(10):
        section = section_of(fakes.clean_verdicts(200, seed), fakes.VERIFY)
        assert {found.level for found in section.findings} == {"fine"}, seed
        assert section.numbers["dev-same-question-and-answer"] == 0


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("share", [0.02, 0.1])
def test_leaked_items_are_found_and_no_others(seed: int, share: float) -> None:
    items = fakes.leaked(fakes.clean_items(300, seed), share, seed)
    planted = {item.id for item in items if item.id.startswith("again-")}
    section = section_of(items)
    (found,) = findings(section, "duplicate-items")
    assert (found.level, set(found.items), len(found.items)) == ("warning", planted, len(planted))
    assert section.figures["val-in-train-items"].k == len(planted)
    for group in findings(section, "group-across-splits"):
        assert (group.level, set(group.items)) == ("warning", planted)
    assert ("near-duplicate-questions", "fine") in levels(section)  # the same items are not told twice
    (table,) = [table for table in section.tables if table.title == "Items that are in two splits"]
    assert {row[0] for row in table.rows} == planted
    assert all(row[2] == str(row[0]).removeprefix("again-") for row in table.rows)


def reworded(item: Item, rng: random.Random) -> Item:
    """One word of the question changed; id, split, picture and groups are another's."""
    tokens: list[Token] = list(item.texts["question"].tokens)
    at = rng.choice([at for at, token in enumerate(tokens[:-1]) if isinstance(token, str)])
    tokens[at] = "changed"
    return structs.replace(
        item, id=f"near-{item.id}", split="val", texts={"question": TaggedText(tuple(tokens))},
        scenes=(structs.replace(item.scenes[0], image=f"near-{item.id}"),),
        groups={"movie": "another", "image": f"near-{item.id}"},
    )  # fmt: skip


def test_items_with_one_word_changed_are_found() -> None:
    found_all, planted_all, others = 0, 0, 0
    for seed in range(10):
        rng = random.Random(seed)
        items = fakes.clean_items(400, seed)
        near = [reworded(item, rng) for item in rng.sample(items[:200], 20)]
        near = [item for item in near if not item.id.startswith("near-val")]
        section = section_of([*items, *near])
        (told,) = findings(section, "near-duplicate-questions")
        assert told.level == "warning"
        planted = {item.id for item in near}
        planted_all += len(planted)
        found_all += len(planted & set(told.items))
        others += len(set(told.items) - planted)
    assert found_all / planted_all >= 0.97
    assert others == 0


def test_groups_that_may_be_shared_are_no_leak() -> None:
    items = [
        structs.replace(item, groups={**item.groups, "category": f"c{at % 30}", "genre": f"g{at % 40}"})
        for at, item in enumerate(fakes.clean_items(200, seed=1))
    ]
    assert ("group-across-splits", "fine") in levels(section_of(items))
    topics = [structs.replace(item, groups={"topic": f"t{at % 7}"}) for at, item in enumerate(items)]
    assert ("group-across-splits", "fine") in levels(section_of(topics))  # seven topics are a category
    scenes = [structs.replace(item, groups={"shot": f"t{at % 70}"}) for at, item in enumerate(items)]
    assert {found.level for found in findings(section_of(scenes), "group-across-splits")} == {"warning"}


def test_who_wrote_items_is_told_but_no_warning() -> None:
    items = [structs.replace(item, extra={"writer": "7"}) for item in fakes.clean_items(100, seed=1)]
    (found,) = findings(section_of(items), "group-across-splits")[:1]
    assert found.level == "note"
    assert "writer" in found.says


def test_the_same_id_in_two_splits() -> None:
    items = fakes.clean_items(100, seed=1)
    val = next(at for at, item in enumerate(items) if item.split == "val")
    items[val] = structs.replace(items[val], id=items[0].id)
    (found,) = findings(section_of(items), "same-id")
    assert (found.level, found.items) == ("warning", (items[0].id,))
    assert "1 of them to items of different splits" in found.says


def test_an_item_twice_in_a_split_is_told() -> None:
    items = fakes.clean_items(200, seed=1)
    again = [structs.replace(item, id=f"x{item.id}") for item in items[:1]]
    (few,) = findings(section_of([*items, *again]), "duplicate-items")
    assert (few.level, few.items) == ("note", (f"x{items[0].id}",))
    many = [structs.replace(item, id=f"x{item.id}") for item in items if item.split == "train"]
    assert ("duplicate-items", "warning") in levels(section_of([*items, *many]))


def test_answers_seen_by_hand() -> None:
    def item(number: int, split: str, right: str) -> Item:
        choices = (TaggedText.plain("something else"), TaggedText.plain(right))
        question = TaggedText.plain(f"question number {number}")
        return Item(str(number), split, texts={"question": question}, choices=choices, gold=Pick(1))

    learned = [("train", "A dog."), ("train", "cat")]
    asked = [("val", "dog"), ("val", "a dog"), ("val", "Cat"), ("val", "cow")]
    section = section_of([item(at, *row) for at, row in enumerate([*learned, *asked])])
    assert section.figures["val-in-train-answers"].value == 0.5
    (found,) = findings(section, "answers-seen")
    assert (found.level, found.value) == ("note", 0.5)


def test_pictures_under_other_names(tmp_path: Path) -> None:
    items = fakes.clean_items(40, seed=1)
    rng = random.Random(3)
    shown = []
    for at, item in enumerate(items):
        image = Image.frombytes("L", (12, 8), rng.randbytes(96)).resize((240, 160), Image.Resampling.BICUBIC)
        if at == 39:  # a picture of train, cropped; item 38 shows a copy of another
            with Image.open(tmp_path / "1.png") as source:
                image = source.crop((12, 8, 230, 152))
        if at == 38:
            (tmp_path / "38.png").write_bytes((tmp_path / "0.png").read_bytes())
        else:
            image.save(tmp_path / f"{at}.png")
        shown.append(structs.replace(item, scenes=(Scene(f"{at}.png"),)))
    assert {items[0].split, items[1].split, items[38].split, items[39].split} == {"train", "val"}
    absent = structs.replace(shown[5], id="x", scenes=(Scene("gone.png"),))
    section = section_of([*shown, absent], images=tmp_path)
    (found,) = findings(section, "duplicate-images")
    assert (found.level, found.items) == ("warning", (items[38].id, items[39].id))
    assert section.numbers["pictures"] == 40
    assert "1 of 41 pictures are not below" in section.skipped[0]
    clean = section_of(shown[:38], images=tmp_path)
    assert ("duplicate-images", "fine") in levels(clean)


def test_what_cannot_be_measured_is_said() -> None:
    items = fakes.clean_items(40, seed=1, splits=("val",))
    section = section_of(items)
    assert any("one split only (val)" in said for said in section.skipped)
    assert any("No folder of pictures" in said for said in section.skipped)
    assert section_of(fakes.clean_items(5, seed=1)).findings
    hidden = section_of([structs.replace(item, gold=None) for item in fakes.clean_items(80, seed=1)])
    assert not findings(hidden, "answers-seen")
    assert not findings(hidden, "near-duplicate-questions")  # not looked for, so not fine either
    assert any("40 of 40 items of val have no label" in said for said in hidden.skipped)
    blank = [structs.replace(item, texts={}, choices=(), gold=None, scenes=(), groups={}) for item in items]
    assert section_of(blank).findings
    with pytest.raises(CannotMeasure, match="no items"):
        section_of([])


@pytest.mark.real_data
def test_pictures_of_nlvr2_are_in_dev_and_test(data_dir: Path) -> None:
    """By their addresses: 45 photographs are in both, though every set is in one split only."""
    nlvr2 = find("nlvr2")
    paths = [data_dir / "nlvr2" / name for name in ("dev.json", "test1.json")]
    subject = Subject(
        "nlvr2", "nlvr2", "NLVR2", lambda: read_native(nlvr2.native, paths), nlvr2.tasks,
        nlvr2.scoring.cluster_of,
    )  # fmt: skip
    (section,) = Leakage().measure(subject, SETTING)
    (url,) = [found for found in findings(section, "group-across-splits") if "url" in found.says]
    assert (url.level, len(url.items)) == ("warning", 83)
    assert section.numbers["dev-doubled-items"] == 0
    assert {found.level for found in findings(section, "near-duplicate-questions")} == {"note"}
