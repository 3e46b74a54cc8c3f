"""What is seen of pictures, kept on the disk, and how the default encoder sees them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageEnhance

from commonsight.build.imaging.sets.encoders import Looks, Scripted
from commonsight.build.imaging.sets.gallery import LOG, VECTORS, Gallery
from commonsight.build.imaging.sets.glimpse import glimpses
from commonsight.build.imaging.sets.rules import Fitness
from commonsight.build.imaging.sets.sheet import MARK, Row, contact_sheet
from commonsight.build.imaging.sets.vectors import cosines
from commonsight.errors import UsageError


class Counting(Scripted):
    """Counts what it is shown, and gives up after so many pictures."""

    def __init__(self, most: int = 10_000) -> None:
        super().__init__({})
        self.shown, self._most = 0, most

    def encode(self, crops: NDArray[np.uint8], /) -> NDArray[np.float32]:
        self.shown += len(crops)
        if self.shown > self._most:
            raise KeyboardInterrupt
        return super().encode(crops)


def _drawn(seed: int, size: tuple[int, int] = (320, 240)) -> Image.Image:
    """A scene of some shapes, so that hashes have something to tell."""
    rng = np.random.default_rng(seed)
    image = Image.new("RGB", size, tuple(int(part) for part in rng.integers(0, 256, 3)))
    draw = ImageDraw.Draw(image)
    for _ in range(12):
        x, y = int(rng.integers(0, size[0])), int(rng.integers(0, size[1]))
        wide, tall = (int(part) for part in rng.integers(20, 120, 2))
        draw.rectangle((x, y, x + wide, y + tall), fill=tuple(int(part) for part in rng.integers(0, 256, 3)))
    return image


def _folder(folder: Path, count: int) -> list[Path]:
    paths = [folder / f"{number:03d}.png" for number in range(count)]
    for number, path in enumerate(paths):
        Image.new("RGB", (8 + number, 8), (number, 0, 0)).save(path)
    return paths


def test_everything_is_seen_once(tmp_path: Path) -> None:
    paths = _folder(tmp_path, 5)
    encoder = Counting()
    gallery = Gallery(tmp_path / "looked", encoder)
    seen = gallery.look(paths, 1)
    assert [one.width for one in seen] == [8, 9, 10, 11, 12]
    assert seen[2].sha256 == hashlib.sha256(paths[2].read_bytes()).hexdigest()
    assert [one.row for one in seen] == [0, 1, 2, 3, 4]
    vectors = gallery.vectors()
    assert vectors.shape == (5, 4)
    assert isinstance(vectors, np.memmap)
    pixels = np.zeros((1, 3, 8, 8), np.uint8)
    pixels[:, 0] = 3
    expected = Scripted({}).encode(pixels)[0]
    assert np.allclose(vectors[3], expected / np.linalg.norm(expected), atol=1e-3)
    again = Gallery(tmp_path / "looked", encoder).look(paths[::-1], 1)
    assert [one.row for one in again] == [4, 3, 2, 1, 0]
    assert encoder.shown == 5


def test_what_cannot_be_seen_says_why(tmp_path: Path) -> None:
    good = _folder(tmp_path, 1)[0]
    (tmp_path / "text.png").write_text("no picture")
    cut = tmp_path / "cut.png"
    _drawn(1).save(cut)
    cut.write_bytes(cut.read_bytes()[:300])
    paths = [tmp_path / "text.png", good, cut, tmp_path / "missing.png"]
    gallery = Gallery(tmp_path / "looked", Counting())
    text, fine, half, missing = gallery.look(paths, 1)
    assert "no picture that can be read" in (text.fault or "")
    assert half.fault
    assert "no such file" in (missing.fault or "")
    assert (fine.fault, fine.row) == (None, 0)
    assert len(gallery.vectors()) == 1


def test_a_changed_picture_is_seen_again(tmp_path: Path) -> None:
    paths = _folder(tmp_path, 2)
    encoder = Counting()
    before = Gallery(tmp_path / "looked", encoder).look(paths, 1)
    Image.new("RGB", (30, 30), "blue").save(paths[0])
    after = Gallery(tmp_path / "looked", encoder).look(paths, 1)
    assert encoder.shown == 3
    assert after[0].sha256 != before[0].sha256
    assert (after[0].width, after[0].row, after[1].row) == (30, 2, 1)


def test_a_stopped_look_goes_on_and_gives_the_same_bytes(tmp_path: Path) -> None:
    paths = _folder(tmp_path, 200)
    whole = Gallery(tmp_path / "whole", Counting())
    whole.look(paths, 1)
    with pytest.raises(KeyboardInterrupt):
        Gallery(tmp_path / "stopped", Counting(most=130)).look(paths, 1)
    with (tmp_path / "stopped" / VECTORS).open("ab") as vectors:
        vectors.write(b"\1\2\3")  # killed between the vectors and their lines
    with (tmp_path / "stopped" / LOG).open("ab") as log:
        log.write(b'{"path":"hal')
    encoder = Counting()
    gallery = Gallery(tmp_path / "stopped", encoder)
    gallery.look(paths, 1)
    assert encoder.shown == 200 - 128
    for name in (LOG, VECTORS):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_several_processes_give_the_same_bytes(tmp_path: Path) -> None:
    paths = _folder(tmp_path, 60)
    for name, workers in (("one", 1), ("two", 2)):
        Gallery(tmp_path / name, Looks()).look(paths, workers)
    for name in (LOG, VECTORS):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_another_encoder_needs_another_folder(tmp_path: Path) -> None:
    Gallery(tmp_path / "looked", Looks())
    with pytest.raises(UsageError, match="holds another look at pictures"):
        Gallery(tmp_path / "looked", Looks(edges=2.0))


def test_a_camera_that_was_turned_is_followed(tmp_path: Path) -> None:
    upright = _drawn(3, (240, 320))
    exif = Image.Exif()
    exif[0x0112] = 6
    upright.save(tmp_path / "upright.png")
    upright.transpose(Image.Transpose.ROTATE_90).save(tmp_path / "turned.jpg", exif=exif, quality=95)
    one, other = glimpses([tmp_path / "upright.png", tmp_path / "turned.jpg"], 64)
    assert not isinstance(one, str)
    assert not isinstance(other, str)
    assert np.abs(one.pixels.astype(int) - other.pixels.astype(int)).mean() < 6
    assert one.hash is not None
    assert other.hash is not None
    assert (one.hash ^ other.hash).bit_count() <= 4


@pytest.mark.parametrize("seed", range(5))
def test_hashes_stay_where_pictures_hardly_change(seed: int, tmp_path: Path) -> None:
    image = _drawn(seed)
    image.save(tmp_path / "0.png")
    image.save(tmp_path / "1.jpg", quality=30)
    image.resize((200, 150)).save(tmp_path / "2.png")
    ImageEnhance.Brightness(image).enhance(0.8).save(tmp_path / "3.png")
    _drawn(seed + 50).save(tmp_path / "4.png")
    seen = Gallery(tmp_path / "looked", Looks()).look(sorted(tmp_path.glob("?.*")), 1)
    told = [int(one.hash, 16) for one in seen]
    assert max((told[0] ^ one).bit_count() for one in told[1:4]) <= Fitness().near
    assert (told[0] ^ told[4]).bit_count() > 2 * Fitness().near


def test_a_picture_of_one_shade_has_no_hash(tmp_path: Path) -> None:
    Image.new("RGB", (50, 40), "red").save(tmp_path / "red.png")
    (seen,) = Gallery(tmp_path / "looked", Looks()).look([tmp_path / "red.png"], 1)
    assert seen.hash == ""
    assert seen.row == 0


def _encoded(*images: Image.Image) -> NDArray[np.float32]:
    small = [np.asarray(image.resize((64, 64)), np.uint8).transpose(2, 0, 1) for image in images]
    return Looks().encode(np.stack(small))


def test_looks_are_of_length_one_and_of_the_size_they_say() -> None:
    vectors = _encoded(_drawn(1), Image.new("RGB", (9, 9)), Image.new("RGB", (9, 9), "white"))
    assert vectors.shape == (3, Looks().dim)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_looks_do_not_depend_on_what_is_encoded_beside() -> None:
    together = _encoded(_drawn(1), _drawn(2))
    assert np.array_equal(together[1:], _encoded(_drawn(2)))


def test_a_place_seen_twice_is_more_alike_than_two_places() -> None:
    rooms = [_drawn(seed) for seed in (10, 20)]
    views = []
    for room in rooms:
        for number in range(2):  # the same room, with someone elsewhere in it
            view = room.copy()
            ImageDraw.Draw(view).ellipse((60 + 120 * number, 90, 100 + 120 * number, 190), fill="black")
            views.append(view)
    similarity = cosines(_encoded(*views), np.arange(4))
    assert min(similarity[0, 1], similarity[2, 3]) > 0.8
    assert similarity[:2, 2:].max() < min(similarity[0, 1], similarity[2, 3]) - 0.15


@pytest.mark.parametrize(
    ("part", "one", "other"),
    [
        ("edges", "across", "down"),
        ("places", "dark above", "dark below"),
        ("tones", "red", "blue"),
    ],
)
def test_each_part_tells_what_it_is_for(part: str, one: str, other: str) -> None:
    def made(what: str) -> Image.Image:
        image = Image.new("RGB", (64, 64), what if what in ("red", "blue") else "white")
        draw = ImageDraw.Draw(image)
        for start in range(0, 64, 16):
            if what in ("across", "down"):
                box = (0, start, 63, start + 7) if what == "across" else (start, 0, start + 7, 63)
                draw.rectangle(box, fill="black")
        if what.startswith("dark"):
            draw.rectangle((0, 0, 63, 31) if what == "dark above" else (0, 32, 63, 63), fill="black")
        return image

    weights: dict[str, Any] = {"edges": 0.0, "places": 0.0, "tones": 0.0, part: 1.0}
    pixels = np.stack([np.asarray(made(what), np.uint8).transpose(2, 0, 1) for what in (one, other, one)])
    similarity = cosines(Looks(**weights).encode(pixels), np.arange(3))
    assert similarity[0, 2] == pytest.approx(1.0)
    assert similarity[0, 1] < 0.6


def test_a_sheet_shows_each_group_in_a_row_and_marks_some(tmp_path: Path) -> None:
    for name, colour in (("red", "red"), ("blue", "blue")):
        Image.new("RGB", (300, 150), colour).save(tmp_path / f"{name}.png")
    red, blue = tmp_path / "red.png", tmp_path / "blue.png"
    sheet = contact_sheet([Row("first", [red, blue], [True, False]), Row("second", [blue], [False])])
    counts = {colour: count for count, colour in sheet.getcolors(2**20) or ()}
    assert counts[(0, 0, 255)] == 2 * 150 * 75
    assert 0 < counts[(255, 0, 0)] < 150 * 75
    mark = tuple(bytes.fromhex(MARK[1:]))
    assert counts[mark] == 150 * 75 - counts[(255, 0, 0)]
    assert contact_sheet([]).height == 1
