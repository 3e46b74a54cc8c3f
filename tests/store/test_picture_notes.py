"""What cameras note in a file goes; how the picture looks, down to the last pixel, stays."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

from commonsight.store.picture_notes import without_notes

GPS, ARTIST, DEVICE = 0x8825, 0x013B, 0x0110
SECRETS = (b"Canary Islands", b"Ada Lovelace", b"Pixel 12", b"48.8583")
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def _image(seed: int = 0) -> Image.Image:
    row = bytes((seed + x * y) % 256 for y in range(24) for x in range(32) for _ in range(3))
    return Image.frombytes("RGB", (32, 24), row)


def _exif() -> Image.Exif:
    exif = Image.Exif()
    exif[ARTIST], exif[DEVICE] = "Ada Lovelace", "Pixel 12"
    exif.get_ifd(GPS)[29] = "Canary Islands"
    return exif


def _saved(kind: str, **more: Any) -> bytes:
    stream = io.BytesIO()
    _image().save(stream, kind, **more)
    return stream.getvalue()


def _noted(kind: str) -> bytes:
    """A picture of this kind with everything noted in it that the kind has room for."""
    xmp = b"<x:xmpmeta>48.8583</x:xmpmeta>"
    if kind == "PNG":
        info = PngInfo()
        info.add_text("Author", "Ada Lovelace")
        info.add_itxt("Place", "Canary Islands", zip=False)
        return _saved(kind, pnginfo=info, exif=_exif(), icc_profile=PROFILE) + b"Pixel 12"
    if kind == "GIF":
        return _saved(kind, comment=b"Ada Lovelace", save_all=True, append_images=[_image(9)], loop=0)
    more: dict[str, Any] = {"comment": b"48.8583"} if kind == "JPEG" else {}
    return _saved(kind, exif=_exif(), xmp=xmp, icc_profile=PROFILE, **more) + b"Canary Islands"


def _frames(content: bytes) -> list[bytes]:
    with Image.open(io.BytesIO(content)) as image:
        found = []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            found.append(image.convert("RGB").tobytes())
        return found


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_notes_go_and_pixels_and_profiles_stay(kind: str) -> None:
    content = _noted(kind)
    assert any(secret in content for secret in SECRETS)
    bare = without_notes(content, kind)
    assert bare is not None
    assert not any(secret in bare for secret in SECRETS)
    assert _frames(bare) == _frames(content)
    with Image.open(io.BytesIO(bare)) as image:
        assert not image.getexif()
        assert image.info.get("icc_profile") == (None if kind == "GIF" else PROFILE)
        assert "comment" not in image.info
        assert kind != "GIF" or image.info["loop"] == 0
    assert without_notes(bare, kind) == bare


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF", "BMP"])
def test_a_picture_without_notes_stays_as_it_is(kind: str) -> None:
    content = _saved(kind)
    assert without_notes(content, kind) == content


def test_scans_and_restarts_of_a_jpeg_are_carried_over() -> None:
    for more in ({"progressive": True}, {"restart_marker_rows": 1}, {"quality": 100, "subsampling": 0}):
        content = _saved("JPEG", exif=_exif(), **more)
        bare = without_notes(content, "JPEG")
        assert bare is not None
        assert len(bare) < len(content)
        assert _frames(bare) == _frames(content)


def test_a_second_picture_behind_the_first_goes() -> None:
    stream = io.BytesIO()
    _image().save(stream, "MPO", save_all=True, append_images=[_image(9)], exif=_exif())
    bare = without_notes(stream.getvalue(), "JPEG")
    assert bare is not None
    assert _frames(bare) == _frames(stream.getvalue())[:1]
    assert bare.count(b"\xff\xd8\xff") == 1


def test_four_inks_stay_readable() -> None:
    stream = io.BytesIO()
    _image().convert("CMYK").save(stream, "JPEG", exif=_exif())
    bare = without_notes(stream.getvalue(), "JPEG")
    assert bare is not None
    assert _frames(bare) == _frames(stream.getvalue())  # which the note of the program that made it decides


def test_a_chunk_that_nobody_knows_goes() -> None:
    chunk = b"prVtCanary Islands"
    own = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    content = _saved("PNG")
    assert without_notes(content[:33] + own + content[33:], "PNG") == content


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
@given(data=st.data())
def test_damage_is_told_and_never_more(kind: str, data: st.DataObject) -> None:
    content = _noted(kind)
    at = data.draw(st.integers(0, len(content)))
    put = data.draw(st.binary(max_size=20))
    damaged = data.draw(st.sampled_from([content[:at], content[:at] + put + content[at + len(put) :]]))
    bare = without_notes(damaged, kind)
    assert bare is None or len(bare) <= len(damaged) + 1
