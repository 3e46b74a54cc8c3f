"""Perceptual hashes: the same for what looks the same, and everywhere the same."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageEnhance

from commonsight.build.imaging.hashes import SIDE, apart, dhash, hashes_of, is_plain, look_at, phash, shades


def saved(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def drawing(seed: int, size: tuple[int, int] = (320, 240)) -> Image.Image:
    """A smooth picture with large shapes, as photographs have."""
    coarse = np.random.default_rng(seed).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    return Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC)


def bits(one: int, other: int) -> int:
    return (one ^ other).bit_count()


def test_by_hand() -> None:
    ramp = np.repeat(np.arange(SIDE, dtype=np.float32)[None], SIDE, 0)
    assert dhash(ramp) == (1 << 64) - 1
    assert dhash(ramp[:, ::-1]) == 0
    falling = phash(np.ascontiguousarray(ramp[:, ::-1]))
    assert falling >> 62 == 1  # no brightness; the first cosine across is positive where the left is brighter
    assert is_plain(np.full((SIDE, SIDE), 77, np.float32))
    assert not is_plain(ramp)


def test_one_place_makes_them_all(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    drawing(1).save(path)
    look = look_at(path)
    assert look is not None
    grey = shades(path)
    assert phash(grey) == int.from_bytes(look.hashes[:1].tobytes())
    assert (hashes_of(grey) == look.hashes).all()
    assert bits(phash(grey), phash(shades(path.read_bytes()))) == 0


@pytest.mark.parametrize("make", [phash, dhash])
def test_what_looks_the_same_is_near_and_what_does_not_is_far(make: object) -> None:
    assert callable(make)
    for seed in range(8):
        image = drawing(seed)
        own = make(shades(saved(image)))
        variants = [
            saved(image, "JPEG", quality=40),
            saved(image.resize((160, 120))),
            saved(image.convert("L")),
            saved(ImageEnhance.Brightness(image).enhance(0.8)),
        ]
        assert max(bits(own, make(shades(variant))) for variant in variants) <= 8
        others = [make(shades(saved(drawing(other)))) for other in range(8) if other != seed]
        assert min(bits(own, other) for other in others) >= 14


def test_a_picture_turned_by_a_note_has_the_hash_of_what_is_seen() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    lying = drawing(3).transpose(Image.Transpose.ROTATE_90)
    assert bits(phash(shades(saved(lying, exif=exif))), phash(shades(saved(drawing(3))))) <= 1


def test_bits_apart_are_counted() -> None:
    one, other = np.array([0b1011, 0], np.uint64), np.array([0b0001, (1 << 64) - 1], np.uint64)
    assert apart(one, other).tolist() == [2, 64]
