"""Pictures are opened in one place: colours, or a clear refusal."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageOps

from commonsight.errors import InvalidRecords
from commonsight.store.pictures import HEAD, open_picture, picture_size, read_picture, sniffed

NOISE = np.random.default_rng(7).integers(0, 256, (24, 40, 3), dtype=np.uint8)
KINDS = ("JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF", "PPM", "JPEG2000")


def saved(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def noise(mode: str = "RGB") -> Image.Image:
    return Image.fromarray(NOISE).convert(mode)


def shown(content: bytes, **options: bool) -> np.ndarray:
    return np.asarray(open_picture(content, **options))


@pytest.mark.parametrize("kind", KINDS)
def test_an_ordinary_picture_is_what_pillow_makes_of_it(tmp_path: Path, kind: str) -> None:
    content = saved(noise(), kind)
    with Image.open(io.BytesIO(content)) as plain:
        expected = np.asarray(plain.convert("RGB"))
    (tmp_path / "called.txt").write_bytes(content)  # its name says nothing
    opened = read_picture(tmp_path / "called.txt")
    assert (np.asarray(opened.image) == expected).all()
    assert opened[1:] == (kind, (40, 24), 1)
    assert sniffed(content[:HEAD]) == kind
    assert picture_size(content) == (40, 24)


@pytest.mark.parametrize(
    ("mode", "kind"),
    [(mode, "PNG") for mode in ("1", "L", "P", "RGBA")] + [("P", "GIF"), ("CMYK", "JPEG"), ("CMYK", "TIFF")],
)
def test_every_mode_becomes_colours(mode: str, kind: str) -> None:
    content = saved(noise(mode), kind)
    with Image.open(io.BytesIO(content)) as plain:
        assert plain.mode == mode
        expected = np.asarray(plain.convert("RGB"))
    assert (shown(content) == expected).all()


@pytest.mark.parametrize("turn", range(1, 9))
def test_the_cameras_note_is_followed_unless_told_otherwise(turn: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = turn
    content = saved(noise(), "PNG", exif=exif)
    with Image.open(io.BytesIO(content)) as plain:
        upright = np.asarray(ImageOps.exif_transpose(plain))
    assert (shown(content) == upright).all()
    assert (shown(content, turned=False) == NOISE).all()
    assert read_picture(content).turn == turn
    assert read_picture(content).size == (40, 24)


@pytest.mark.parametrize("note", [0, 9, 77])
def test_a_note_without_sense_is_none(note: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = note
    assert (shown(saved(noise(), "PNG", exif=exif)) == NOISE).all()


def test_sixteen_bits_become_eight_by_their_share() -> None:
    deep = (np.arange(256, dtype=np.uint16) * 257).reshape(16, 16)
    for kind in ("PNG", "TIFF"):
        found = shown(saved(Image.fromarray(deep), kind))
        assert (found[..., 0] == np.arange(256).reshape(16, 16)).all()
        assert (found[..., 0] == found[..., 2]).all()


def test_measurements_are_no_picture() -> None:
    for array in (np.ones((4, 4), np.float32), np.full((4, 4), 1 << 20, np.int32)):
        with pytest.raises(InvalidRecords, match="it holds measurements"):
            open_picture(saved(Image.fromarray(array), "TIFF"))


def test_what_is_transparent_lies_on_white() -> None:
    half = noise("RGBA")
    half.putalpha(Image.fromarray(np.repeat([[0, 128, 255, 255]], 24, 0).repeat(10, 1).astype(np.uint8)))
    found = shown(saved(half))
    assert (found[:, :10] == 255).all()
    assert (found[:, 20:] == NOISE[:, 20:]).all()
    middle = (NOISE[:, 10:20].astype(int) * 128 + 255 * 127) / 255
    assert np.abs(found[:, 10:20] - middle).max() <= 1


def test_a_transparent_palette_lies_on_white() -> None:
    flat = Image.new("P", (4, 4), 1)
    flat.putpalette([10, 20, 30, 200, 0, 0])
    flat.putpixel((0, 0), 0)
    found = shown(saved(flat, "PNG", transparency=0))
    assert found[0, 0].tolist() == [255, 255, 255]
    assert found[1, 1].tolist() == [200, 0, 0]


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_of_what_moves_the_first_frame_is_taken(kind: str) -> None:
    red, blue = (Image.new("RGB", (8, 8), colour) for colour in ("red", "blue"))
    content = saved(red, kind, save_all=True, append_images=[blue])
    assert np.abs(shown(content).astype(int) - [255, 0, 0]).max() < 4


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_cut_off_is_refused(tmp_path: Path, kind: str) -> None:
    content = saved(Image.effect_noise((96, 96), 80).convert("RGB"), kind)
    path = tmp_path / "half.jpg"
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(InvalidRecords) as raised:
        open_picture(path)
    assert str(raised.value).startswith(f"{path}: this is no picture that can be read (")
    assert len(raised.value.problems) == 1


def bomb(width: int, height: int) -> bytes:
    """A PNG of a hundred bytes that says it is huge."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize("size", [(20_000, 9_000), (20_000, 20_000), (200_000, 200_000)])
def test_a_picture_that_would_fill_the_memory_is_refused(size: tuple[int, int]) -> None:
    for opening in (open_picture, picture_size):
        with pytest.raises(InvalidRecords, match=r"picture is too large .*: more than 178,956,970 pixels"):
            opening(bomb(*size))


def test_the_limit_can_be_set() -> None:
    content = saved(noise())
    with pytest.raises(InvalidRecords, match=r"\(40 x 24\): more than 959 pixels\. Make it smaller"):
        open_picture(content, most_pixels=959)
    assert open_picture(content, most_pixels=960).size == (40, 24)
    with pytest.raises(InvalidRecords, match="no picture that can be read"):  # allowed now, and broken
        open_picture(bomb(20_000, 9_000), most_pixels=200_000_000)


@pytest.mark.parametrize("content", [b"", b"not a picture", b"%!PS-Adobe-3.0 EPSF-3.0\n"])
def test_what_is_no_picture_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidRecords, match=r"note 7: this is no picture that can be read .* Restore it"):
        open_picture(content, name="note 7")
    assert sniffed(content) is None


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecords, match=r"none\.png: the file cannot be read \(no such file"):
        open_picture(tmp_path / "none.png")


def test_a_jpeg_may_come_smaller_but_never_too_small() -> None:
    content = saved(Image.effect_noise((800, 600), 50).convert("RGB"), "JPEG")
    opened = read_picture(content, near=(100, 100))
    assert opened.size == (800, 600)
    assert opened.image.size == (200, 150)
    assert open_picture(content, near=(900, 900)).size == (800, 600)


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning", "ignore::UserWarning")
@given(st.sampled_from(KINDS), st.data())
def test_a_damaged_picture_is_opened_or_refused_and_nothing_else(kind: str, data: st.DataObject) -> None:
    content = bytearray(saved(noise(), kind))
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        image = open_picture(bytes(content[: data.draw(st.integers(0, len(content)))]), most_pixels=1 << 20)
    except InvalidRecords:
        return
    assert image.mode == "RGB"


@given(st.binary(max_size=64))
def test_any_bytes_are_refused_or_opened(content: bytes) -> None:
    try:
        assert open_picture(content, most_pixels=1 << 20).mode == "RGB"
    except InvalidRecords:
        return
