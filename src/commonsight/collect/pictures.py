"""The pictures that workers are shown: files by their content, each one that its content says it is.

Whatever a file is called, it is kept under the hash of its bytes, so that no name from outside ever becomes
a path. What cannot be decoded to its last pixel, or is too large, or is nothing that a browser shows, is
refused. What a camera noted in it (the place above all) is no one's business who is shown it, and goes.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
from pathlib import Path
from threading import Lock

from commonsight.collect.database import insert_new
from commonsight.collect.desk import Desk
from commonsight.collect.tables import Picture
from commonsight.errors import InvalidRecords, Problem, WorkRefused
from commonsight.store.atomic import new_file
from commonsight.store.images import ENDINGS
from commonsight.store.jsonfiles import unreadable_problem
from commonsight.store.picture_notes import without_notes
from commonsight.store.pictures import HEAD, UPRIGHT, Opened, open_picture, read_picture, sniffed

MOST_BYTES = 32 * 1024 * 1024
MOST_PIXELS = 50_000_000
"""What a browser on a telephone can still show."""
QUALITY = 95
"""Of a JPEG that had to be turned, or made anew."""

_HASH = re.compile(rf"[0-9a-f]{{64}}\.(?:{'|'.join(ENDINGS.values())})")
_WRITING = Lock()
"""Two threads that keep the same picture would write to the same file beside it."""


def keep(desk: Desk, path: Path | bytes) -> Picture:
    """The picture, checked by its content, in its place and in the table."""
    picture = put(desk, path)
    row = {"hash": picture.hash, "width": picture.width, "height": picture.height}
    desk.database.write(lambda session: insert_new(session, Picture, [row]))
    return picture


def put(
    desk: Desk, path: Path | bytes, name: str | None = None, *, keep_notes: bool = False
) -> Picture:
    """The picture in its place; whoever calls this writes its row, or nobody will be shown it."""
    content = path if isinstance(path, bytes) else _content(path)
    place = Path(name or "the picture") if isinstance(path, bytes) else path
    if len(content) > MOST_BYTES:
        raise _refused(place, f"the picture has more than {MOST_BYTES // 2**20} MB", "Make it smaller.")
    digest = hashlib.sha256(content).hexdigest()
    known = _known(desk, digest, sniffed(content[:HEAD]))
    if known is not None:  # it was looked at when it came for the first time
        return known
    # In grey and as small as may be: every byte is looked at, and hardly a pixel made.
    opened = read_picture(
        content, turned=False, grey=True, near=1, most_pixels=MOST_PIXELS, name=str(place)
    )
    if opened.kind not in ENDINGS:
        raise _refused(place, f"browsers do not show {opened.kind}", f"Save it as {', '.join(ENDINGS)}.")
    bare = _bare(content, opened, keep_notes=keep_notes)
    if bare != content:
        return put(desk, bare, str(place), keep_notes=keep_notes)
    named = f"{digest}.{ENDINGS[opened.kind]}"
    _write(_place(desk, named), content)
    return Picture(hash=named, width=opened.size[0], height=opened.size[1])


def is_hash(name: str) -> bool:
    """Whether a picture may be kept under this name."""
    return _HASH.fullmatch(name) is not None


def picture_named(desk: Desk, hash: str) -> Picture:  # noqa: A002 - what the table calls it
    """A picture that is in the table."""
    if is_hash(hash):
        with desk.database.read() as session:
            found = session.get(Picture, hash)
        if found is not None:
            return found
    raise WorkRefused("no-picture", "There is no such picture here.")


def picture_path(desk: Desk, hash: str) -> Path:  # noqa: A002 - what the table calls it
    """The file of a picture that is in the table; any other name leads nowhere."""
    return _place(desk, picture_named(desk, hash).hash)


def _known(desk: Desk, digest: str, kind: str | None) -> Picture | None:
    """The picture of this content, if it is here already."""
    if kind not in ENDINGS:
        return None
    named = f"{digest}.{ENDINGS[kind]}"
    with desk.database.read() as session:
        found = session.get(Picture, named)
    return found if found is not None and _place(desk, named).is_file() else None


def _bare(content: bytes, opened: Opened, *, keep_notes: bool) -> bytes:
    """Upright and without notes; made anew only where it must be turned, or cannot be taken apart."""
    if opened.turn != UPRIGHT:
        return _upright(content, opened.kind)
    if keep_notes:
        return content
    bare = without_notes(content, opened.kind)
    return _upright(content, opened.kind) if bare is None else bare


def _upright(content: bytes, kind: str) -> bytes:
    """Turned as the camera noted, without the note: some programs follow it, and boxes fit only one way."""
    stream = io.BytesIO()
    image = open_picture(content, most_pixels=MOST_PIXELS)
    profile = image.info.get("icc_profile") or b""
    image.info = {}  # or else a comment would be written again
    kept = profile if profile[16:20] == b"RGB " else None
    if kind in ("JPEG", "WEBP"):
        image.save(stream, "JPEG", quality=QUALITY, icc_profile=kept)
    else:
        image.save(stream, "PNG", icc_profile=kept)
    return stream.getvalue()


def _place(desk: Desk, named: str) -> Path:
    return desk.pictures / named[:2] / named


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(MOST_BYTES + 1)  # no more, however long the file is
    except OSError as error:
        raise InvalidRecords([unreadable_problem(path, error)]) from error


def _write(place: Path, content: bytes) -> None:
    with _WRITING:
        if place.is_file():
            return
        with new_file(place) as beside, beside.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())


def _refused(place: Path, message: str, remedy: str) -> InvalidRecords:
    return InvalidRecords([Problem(place, message, remedy)])
