"""Pictures by content hash: each once, and a broken one a clear error."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from commonsight.errors import InvalidRecords
from commonsight.store.images import ImageStore


def picture(kind: str = "PNG", colour: str = "red", size: tuple[int, int] = (6, 4)) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", size, colour).save(stream, kind)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("kind", "ending"), [("PNG", "png"), ("JPEG", "jpg"), ("GIF", "gif"), ("WEBP", "webp"), ("BMP", "bmp")]
)
def test_a_picture_lies_under_its_hash(tmp_path: Path, kind: str, ending: str) -> None:
    content = picture(kind)
    (tmp_path / "a.dat").write_bytes(content)  # what it is, is told by its content, not by its name
    stored = ImageStore(tmp_path / "set").add(tmp_path / "a.dat")
    digest = hashlib.sha256(content).hexdigest()
    assert stored == (f"images/{digest[:2]}/{digest}.{ending}", 6, 4)
    assert (tmp_path / "set" / stored.stored).read_bytes() == content


def test_the_same_picture_under_two_names_is_stored_once(tmp_path: Path) -> None:
    for name, colour in (("a.png", "red"), ("b.png", "red"), ("c.png", "blue")):
        (tmp_path / name).write_bytes(picture(colour=colour))
    store = ImageStore(tmp_path / "set")
    a, b, c, again = (store.add(tmp_path / name) for name in ("a.png", "b.png", "c.png", "a.png"))
    assert a == b == again
    assert a != c
    assert len(store) == 2
    assert len([path for path in (tmp_path / "set").rglob("*") if path.is_file()]) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "this is not a whole image"),
        (b"not a picture", "this is not a whole image"),
        (picture()[:-20], "this is not a whole image"),
        (picture()[:40], "this is not a whole image"),
        (picture("TIFF"), "TIFF images are not supported"),
    ],
)
def test_a_broken_picture_is_a_clear_error(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(content)
    with pytest.raises(InvalidRecords) as raised:
        ImageStore(tmp_path / "set").add(path)
    assert str(raised.value).startswith(f"{path}: {message}")
    assert not (tmp_path / "set").exists()


def test_a_missing_picture_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecords, match=r"the image cannot be read \(no such file or directory\)"):
        ImageStore(tmp_path).add(tmp_path / "none.png")


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@given(st.sampled_from(["PNG", "JPEG", "GIF", "WEBP", "BMP"]), st.data())
def test_a_damaged_picture_is_taken_or_refused_and_never_anything_else(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    content = bytearray(picture(kind))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    folder = tmp_path_factory.getbasetemp()
    (folder / "damaged").write_bytes(content)
    try:
        stored = ImageStore(folder / "damaged-set").add(folder / "damaged")
    except InvalidRecords:
        return
    assert stored.width > 0


def test_half_a_jpeg_is_not_an_image(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jpg"
    Image.effect_noise((64, 64), 60).convert("RGB").save(whole)
    half = tmp_path / "half.jpg"
    half.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    store = ImageStore(tmp_path)
    assert (store.add(whole).width, store.add(whole).height) == (64, 64)
    with pytest.raises(InvalidRecords, match="not a whole image"):
        store.add(half)
