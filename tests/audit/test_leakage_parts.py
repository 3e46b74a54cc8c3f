"""What the probe of leakage is made of: near texts, hashes of pictures, entries."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs
from PIL import Image, ImageEnhance

from commonsight.audit import fakes
from commonsight.audit.leakage import near as leakage_near
from commonsight.audit.leakage.align import overlay
from commonsight.audit.leakage.entries import entry_of, split_order
from commonsight.audit.leakage.groups import crossings, group_kinds, ids_twice
from commonsight.audit.leakage.near import agreeing_pairs, near_texts
from commonsight.audit.leakage.pictures import Pictures, Same, read_pictures, same_pictures
from commonsight.audit.leakage.study import one_name
from commonsight.build.imaging.hashes import Window, apart, cell_weights, look_at
from commonsight.core.answer import Verdict
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText


def pairs_of(texts: list[str], threshold: float = 0.75) -> dict[tuple[int, int], float]:
    near = near_texts([tuple(text.split()) for text in texts], threshold, seed=0)
    return dict(zip(zip(near.ones.tolist(), near.others.tolist(), strict=True), near.likeness, strict=True))


def test_near_texts_by_hand() -> None:
    found = pairs_of(["a b c d", "a b c d", "a b c e", "d c b a", "", "a a b b", "a b", "x y z"])
    assert set(found) == {(0, 1), (0, 3), (1, 3)}
    assert pairs_of(["a b c d", "a b c e"], 0.6) == {(0, 1): 0.6}
    assert pairs_of(["a a b b", "a b"], 0.5) == {(0, 1): 0.5}  # repeats count
    assert pairs_of(["a"]) == {}
    assert pairs_of([]) == {}


def test_one_changed_word_is_found_and_nothing_else() -> None:
    """Planted: 300 of 3,000 texts of 7 to 30 words come again with one word changed."""
    rng = random.Random(4)
    words, odds = [f"w{i}" for i in range(4000)], [1 / (i + 1) for i in range(4000)]
    texts = [" ".join(rng.choices(words, odds, k=rng.randint(7, 30))) for _ in range(3000)]
    chosen = rng.sample(range(3000), 300)
    for place in chosen:
        changed = texts[place].split()
        changed[rng.randrange(len(changed))] = "new"
        texts.append(" ".join(changed))
    found = set(pairs_of(texts))
    planted = {(place, 3000 + at) for at, place in enumerate(chosen)}
    bags = [leakage_near._bag(tuple(text.split())) for text in texts]
    assert len(found & planted) / len(planted) >= 0.99
    assert all(leakage_near._jaccard(bags[a], bags[b]) >= 0.75 for a, b in found)
    assert len(found & planted) / len(found) >= 0.99


def test_keys_that_agree() -> None:
    ones, others = agreeing_pairs(np.array([5, 3, 5, 3, 3, 9], np.uint64))
    assert set(zip(ones.tolist(), others.tolist(), strict=True)) == {(0, 2), (1, 3), (1, 4), (3, 4)}
    crowd, _ = agreeing_pairs(np.zeros(1000, np.uint64))
    assert len(crowd) < 1000 * leakage_near.NEXT + 1
    assert not len(agreeing_pairs(np.arange(3, dtype=np.uint64))[0])


def test_an_entry_is_what_an_item_says() -> None:
    item = Item(
        "a", "val", (Scene("x.jpg"),), {"question": TaggedText.plain("Who is it?")},
        (TaggedText.plain("B."), TaggedText.plain("A")), None, direct_answers=("b", "B", "c"),
        groups={"movie": "m"}, extra={"left_url": "http://a/b", "link": "http://c", "writer": "7"},
    )  # fmt: skip
    entry = entry_of(item)
    assert entry.question == ("who", "is", "it")
    assert entry.choices == (("a",), ("b",))
    assert (entry.answer, entry.answers) == (("b",), {("b",), ("c",)})
    assert entry.groups == {"movie": ("m",), "picture": ("x.jpg",), "url": ("http://a/b",), "writer": ("7",)}
    verdict = entry_of(structs.replace(item, gold=Verdict(True), choices=(), direct_answers=()))
    assert (verdict.answer, verdict.verdict, verdict.told) == (None, True, ("who", "is", "it"))


def test_train_comes_first() -> None:
    items = fakes.clean_items(40, seed=1, splits=("val", "train", "test"))
    assert split_order(map(entry_of, items)) == ("train", "val", "test")


def test_groups_across_splits_by_hand() -> None:
    def item(name: str, split: str, movie: str, genre: str) -> Item:
        return Item(name, split, groups={"movie": movie, "genre": genre, "mood": "calm"})

    entries = [entry_of(item(*row)) for row in (
        ("1", "train", "a", "x"), ("2", "train", "b", "y"), ("3", "val", "b", "x"), ("4", "val", "c", "x"),
        ("4", "train", "d", "x"),
    )]  # fmt: skip
    assert group_kinds(entries, ("movie",), ("genre",)) == {"movie": True, "genre": False, "mood": False}
    (found,) = crossings(entries, "movie", [("train", "val")])
    assert (found.names, found.of, found.places) == (1, 2, (2,))
    assert ids_twice(entries) == {"4": ("val", "train")}


def test_copies_of_copies_have_one_name() -> None:
    names = one_name([Same("b", "c", True, 1.0), Same("a", "b", False, 0.97), Same("x", "y", True, 1.0)])
    assert names == {"a": "a", "b": "a", "c": "a", "x": "x", "y": "x"}


def test_cells_are_means() -> None:
    assert np.allclose(cell_weights(0.0, 1.0, 2, 4), [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]])
    assert np.allclose(cell_weights(0.25, 0.5, 1, 4), [[0, 0.5, 0.5, 0]])


def test_bits_apart() -> None:
    assert apart(np.array([0, 7, 2**63], np.uint64), np.array([0, 0, 1], np.uint64)).tolist() == [0, 3, 2]


def scene_picture(seed: int, size: tuple[int, int] = (320, 200)) -> Image.Image:
    """Something with shapes of many sizes, different for every seed."""
    rng = np.random.default_rng(seed)
    coarse = Image.fromarray(rng.integers(0, 255, (6, 9, 3), np.uint8)).resize(size, Image.Resampling.BICUBIC)
    fine = Image.fromarray(rng.integers(0, 255, (25, 40, 3), np.uint8)).resize(size, Image.Resampling.BICUBIC)
    return Image.blend(coarse, fine, 0.35)


def variants(image: Image.Image) -> Iterator[tuple[str, Image.Image]]:
    width, height = image.size
    yield "smaller", image.resize((width // 2, height // 2))
    yield "flatter", image.resize((width, height * 3 // 4))
    yield "brighter", ImageEnhance.Brightness(image).enhance(1.25)
    yield "darker", ImageEnhance.Brightness(image).enhance(0.6)
    yield "greyer", image.convert("L")
    yield "cropped", image.crop((width // 25, height // 14, width * 19 // 20, height * 29 // 30))
    yield "centre", image.crop((width // 10, height // 10, width * 9 // 10, height * 9 // 10))


def saved(folder: Path, name: str, image: Image.Image) -> tuple[str, Path]:
    image.save(folder / name)
    return name, folder / name


def seed_of(name: str) -> str:
    return Path(name).stem.partition("-")[0]


def test_transformed_pictures_are_found_and_others_are_not(tmp_path: Path) -> None:
    paths = dict(saved(tmp_path, f"{seed}.png", scene_picture(seed)) for seed in range(12))
    for seed in range(0, 12, 3):
        for how, image in variants(scene_picture(seed)):
            paths |= [saved(tmp_path, f"{seed}-{how}.png", image)]
    found = same_pictures(read_pictures(paths, workers=1))
    assert all(seed_of(same.one) == seed_of(same.other) for same in found)
    names = one_name(found)
    assert {name for name in paths if "-" in name} <= names.keys()
    for name in names:
        assert names[name] == names[f"{seed_of(name)}.png"]


def test_copies_are_exact_and_plain_pictures_say_nothing(tmp_path: Path) -> None:
    paths = dict([
        saved(tmp_path, "a.png", scene_picture(1)), saved(tmp_path, "b.png", scene_picture(1)),
        saved(tmp_path, "white.png", Image.new("RGB", (40, 40), "white")),
        saved(tmp_path, "grey.png", Image.new("RGB", (40, 50), "grey")),
        saved(tmp_path, "clear.png", Image.new("RGBA", (40, 50), (0, 0, 0, 0))),
    ])  # fmt: skip
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    paths |= {"broken.jpg": tmp_path / "broken.jpg", "gone.jpg": tmp_path / "gone.jpg"}
    pictures = read_pictures(paths, workers=1)
    assert (pictures.missing, pictures.broken) == (["gone.jpg"], ["broken.jpg"])
    assert same_pictures(pictures) == [Same("a.png", "b.png", True, 1.0)]
    assert same_pictures(Pictures([], [], [], [])) == []


def test_a_part_laid_upon_its_source_agrees(tmp_path: Path) -> None:
    image = scene_picture(5)
    looks = [
        look_at(saved(tmp_path, name, shown)[1])
        for name, shown in (
            ("a.png", image), ("b.png", image.crop((20, 10, 300, 180))), ("c.png", scene_picture(6)),
        )
    ]  # fmt: skip
    whole, part, other = [look.thumb for look in looks if look is not None]
    near = Window(0.05, 0.05, 0.85)
    assert overlay(part, whole, near).likeness > 0.97
    assert overlay(part, whole, near).worst < 1
    assert overlay(other, whole, near).likeness < 0.8
    changed = part.copy()
    changed[4:10, 20:24] = 255 - changed[4:10, 20:24]  # something else stands there
    assert overlay(changed, whole, near).worst > 1.2


@pytest.mark.real_data
def test_photographs_are_told_apart(data_dir: Path, tmp_path: Path) -> None:
    photos = sorted((data_dir / "photos").glob("*.jpg"))
    photos += sorted((data_dir / "nlvr2" / "photos").glob("*.png"))
    paths = {path.name: path for path in photos}
    assert same_pictures(read_pictures(paths, workers=1)) == []
    made = 0
    for path in photos[:6]:
        with Image.open(path) as image:
            for how, shown in variants(image.convert("RGB")):
                paths |= [saved(tmp_path, f"{path.stem}+{how}.png", shown)]
                made += 1
    found = same_pictures(read_pictures(paths, workers=1))
    assert all(one.stem.split("+")[0] == other.stem.split("+")[0] for one, other in
               ((Path(same.one), Path(same.other)) for same in found))  # fmt: skip
    assert len({name for same in found for name in (same.one, same.other) if "+" in name}) == made
