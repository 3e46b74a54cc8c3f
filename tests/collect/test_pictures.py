"""Pictures are kept by what they are, never by what they are called."""

from __future__ import annotations

import hashlib
import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from people import picture
from PIL import Image, ImageChops, ImageCms, ImageOps
from sqlalchemy import select

from commonsight.collect import pictures
from commonsight.collect.desk import Desk
from commonsight.collect.pictures import keep, picture_path
from commonsight.collect.tables import Picture
from commonsight.errors import InvalidRecords, WorkRefused

PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
SAME_DESK = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@pytest.mark.parametrize(
    ("kind", "ending"), [("PNG", "png"), ("JPEG", "jpg"), ("WEBP", "webp"), ("GIF", "gif")]
)
def test_a_picture_is_kept_under_its_content(desk: Desk, tmp_path: Path, kind: str, ending: str) -> None:
    content = picture(kind=kind)
    (tmp_path / "misnamed.txt").write_bytes(content)
    kept = keep(desk, tmp_path / "misnamed.txt")
    assert kept.hash == f"{hashlib.sha256(content).hexdigest()}.{ending}"
    assert (kept.width, kept.height) == (64, 48)
    assert picture_path(desk, kept.hash).read_bytes() == content
    assert picture_path(desk, kept.hash).is_relative_to(desk.pictures)


def test_a_picture_is_kept_once_however_many_keep_it(desk: Desk) -> None:
    with ThreadPoolExecutor(8) as pool:
        kept = list(pool.map(lambda _: keep(desk, picture()).hash, range(16)))
    assert len(set(kept)) == 1
    with desk.database.read() as session:
        assert session.scalars(select(Picture.hash)).all() == kept[:1]
    assert [path.name for path in desk.pictures.rglob("*") if path.is_file()] == kept[:1]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no picture that can be read"),
        (b"<svg onload='alert(1)'/>", "no picture that can be read"),
        (picture()[:-40], "no picture that can be read"),
        (picture(kind="TIFF"), "browsers do not show TIFF"),
        (picture(kind="JPEG")[:400], "no picture that can be read"),
    ],
)
def test_what_is_no_picture_is_refused(desk: Desk, content: bytes, why: str) -> None:
    with pytest.raises(InvalidRecords, match=why):
        keep(desk, content)
    assert list(desk.pictures.iterdir()) == []


def test_what_is_too_large_is_refused(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_PIXELS", 64 * 48 - 1)
    with pytest.raises(InvalidRecords, match="too large"):
        keep(desk, picture())
    monkeypatch.setattr(pictures, "MOST_BYTES", 1000)
    with pytest.raises(InvalidRecords, match="more than 0 MB"):
        keep(desk, picture() + bytes(1000))
    with Path(tmp_path / "endless").open("wb") as stream:
        stream.truncate(10**12)  # no disk holds it; only its beginning may be read
    with pytest.raises(InvalidRecords, match="endless: the picture has more"):
        keep(desk, tmp_path / "endless")


def test_a_file_that_cannot_be_read_says_so(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(InvalidRecords, match=r"none\.png: the file cannot be read"):
        keep(desk, tmp_path / "none.png")
    with pytest.raises(InvalidRecords, match="cannot be read"):
        keep(desk, tmp_path)


def test_a_file_that_is_not_in_the_table_is_not_shown(desk: Desk) -> None:
    put = pictures.put(desk, picture())
    with pytest.raises(WorkRefused, match="no such picture"):
        picture_path(desk, put.hash)


@SAME_DESK
@given(
    st.one_of(
        st.text(max_size=90),
        st.sampled_from(["../secret", "/etc/passwd", "..%2fsecret", "a" * 64 + ".png", "A" * 64 + ".png\n"]),
        st.from_regex(r"[0-9a-f]{64}\.(png|exe|png/\.\.)", fullmatch=True),
    )
)
def test_no_name_leads_anywhere_else(desk: Desk, name: str) -> None:
    with pytest.raises(WorkRefused) as raised:
        picture_path(desk, name)
    assert raised.value.code == "no-picture"


@SAME_DESK
@given(st.binary(max_size=300), st.integers(0, 400))
def test_damaged_bytes_are_refused_and_never_more(desk: Desk, put: bytes, at: int) -> None:
    content = picture(kind="JPEG")
    damaged = content[:at] + put + content[at + len(put) :]
    try:
        keep(desk, damaged)
    except InvalidRecords as refused:
        assert len(refused.problems) == 1  # noqa: PT017 - either is right


def _photograph(turn: int = 1, kind: str = "JPEG") -> bytes:
    """A photograph that tells where it was taken, left half dark, with a colour profile."""
    image = Image.new("RGB", (64, 48), "white")
    image.paste((10, 20, 30), (0, 0, 32, 48))
    exif = Image.Exif()
    exif[0x0112], exif[0x013B] = turn, "Ada Lovelace"
    exif.get_ifd(0x8825)[29] = "Canary Islands"
    stream = io.BytesIO()
    image.save(stream, kind, exif=exif, icc_profile=PROFILE, comment=b"Ada Lovelace")
    return stream.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("turn", [1, 6])
def test_what_a_camera_noted_is_not_kept(desk: Desk, kind: str, turn: int) -> None:
    content = _photograph(turn, kind)
    assert b"Canary Islands" in content
    kept = keep(desk, content)
    assert (kept.width, kept.height) == ((64, 48) if turn == 1 else (48, 64))
    bare = picture_path(desk, kept.hash).read_bytes()
    assert kept.hash.startswith(hashlib.sha256(bare).hexdigest())
    assert not any(told in bare for told in (b"Canary Islands", b"Ada Lovelace"))
    with Image.open(io.BytesIO(bare)) as seen, Image.open(io.BytesIO(content)) as taken:
        assert not seen.getexif()
        assert seen.info["icc_profile"] == PROFILE
        upright = ImageOps.exif_transpose(taken)
        if turn == 1:
            assert seen.tobytes() == upright.tobytes()
        else:
            far = ImageChops.difference(seen.convert("RGB"), upright.convert("RGB")).getextrema()
            assert max(high for _, high in far) <= 12
    assert keep(desk, content).hash == kept.hash
    assert len([path for path in desk.pictures.rglob("*") if path.is_file()]) == 1


def test_notes_are_kept_where_that_is_asked_for(desk: Desk) -> None:
    content = _photograph()
    assert pictures.put(desk, content, keep_notes=True).hash.startswith(hashlib.sha256(content).hexdigest())


def test_a_file_that_cannot_be_taken_apart_is_made_anew(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    content = _photograph()
    bare = pictures.without_notes(content, "JPEG")
    monkeypatch.setattr(pictures, "without_notes", lambda found, _: None if found == content else found)
    made = picture_path(desk, keep(desk, content).hash).read_bytes()
    assert made not in (content, bare)
    assert b"Canary Islands" not in made
