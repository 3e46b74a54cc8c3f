"""Pictures are opened here and nowhere else, whatever a file holds: colours come out, or a clear refusal.

What a file is, its content says, never its name. Of a file that moves, the first frame is the picture. What
is transparent lies on white, as pages show it; 16 bits a pixel become 8 by their share of the whole range;
CMYK, palettes and greys become RGB. What is cut off, damaged, or larger than the limit is refused, and what
is too large before any of its pixels is decoded: a few kilobytes can say that they are gigabytes.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from commonsight.errors import InvalidRecords, Problem
from commonsight.store.jsonfiles import unreadable_problem

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 178_956_970
"""A picture with more pixels is refused: half a gigabyte in colours, and Pillow's own limit."""
FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF", "PPM", "JPEG2000")
"""What is opened. Pillow knows more, among them such that start other programs."""
DAMAGE = (
    OSError, SyntaxError, ValueError, EOFError, LookupError, TypeError, AttributeError, ArithmeticError,
    MemoryError, struct.error,
)  # fmt: skip
"""What Pillow's readers raise on bytes that are not what they expect."""
HEAD = 16
"""So many bytes of a file say what it is."""

_TURN = 0x0112
UPRIGHT = 1
"""A camera's note that a picture need not be turned."""
_SHORT, _BYTE = 65535, 255
_WHITE = (255, 255, 255)


class Opened(NamedTuple):
    """A picture, and what its file says of it."""

    image: Image
    """In colours (RGB) or greys (L)."""
    kind: str
    """`JPEG`, `PNG` …"""
    size: tuple[int, int]
    """Width and height as the file has them; `image` may have been turned, or decoded smaller."""
    turn: int
    """The camera's note on how to turn it, from 1 (not at all) to 8, as EXIF counts."""


def open_picture(
    source: Path | bytes,
    *,
    turned: bool = True,
    grey: bool = False,
    near: tuple[int, int] | int | None = None,
    most_pixels: int = MOST_PIXELS,
    name: str | None = None,
) -> Image:
    """A picture in colours (RGB) or in greys (L), or `InvalidRecords` with the one problem that it has.

    `turned` follows the camera's note on how to turn it; what is measured by a dataset's boxes must not be,
    for these are measured without it. With `near`, a JPEG may come smaller than it is, though no smaller than
    that width and height, or than that longest side: this is several times as fast. `name` is what a picture
    without a file is called in messages.
    """
    return read_picture(
        source, turned=turned, grey=grey, near=near, most_pixels=most_pixels, name=name
    ).image


def read_picture(
    source: Path | bytes,
    *,
    turned: bool = True,
    grey: bool = False,
    near: tuple[int, int] | int | None = None,
    most_pixels: int = MOST_PIXELS,
    name: str | None = None,
) -> Opened:
    """Like `open_picture`, with what the file says of the picture."""
    with _opened(source, most_pixels, name) as image:
        kind, size = "JPEG" if image.format == "MPO" else str(image.format), image.size
        if near is not None:
            image.draft("L" if grey else "RGB", near if isinstance(near, tuple) else _box(size, near))
        image.load()  # before its note is read: some formats have it behind the pixels
        turn = _turn(image)
        shown = _converted(image, "L" if grey else "RGB")
        return Opened(_upright(shown, turn) if turned else shown, kind, size, turn)


def picture_size(source: Path | bytes, *, most_pixels: int = MOST_PIXELS) -> tuple[int, int]:
    """Width and height as the file has them, by its first bytes: what follows may still be damaged."""
    with _opened(source, most_pixels, None) as image:
        return image.size


def picture_turn(source: Path | bytes, *, most_pixels: int = MOST_PIXELS) -> int:
    """The camera's note on how to turn it, which a JPEG has in front: its pixels are not decoded."""
    with _opened(source, most_pixels, None) as image:
        if image.format not in ("JPEG", "MPO"):
            image.load()
        return _turn(image)


def sniffed(head: bytes) -> str | None:
    """What a file is by its first bytes (`HEAD` of them), of those formats that are opened."""
    if head.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "WEBP"
    if head.startswith((b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")):
        return "TIFF"
    if head.startswith((b"\xff\x4f\xff\x51", b"\0\0\0\x0cjP  \r\n\x87\n")):
        return "JPEG2000"
    if head.startswith(b"BM") and head[6:10] == bytes(4):  # four bytes that every writer leaves at 0
        return "BMP"
    if head[:1] == b"P" and head[1:2] in b"123456" and head[2:3].isspace():
        return "PPM"
    return None


@contextmanager
def _opened(source: Path | bytes, most_pixels: int, name: str | None) -> Iterator[Image]:
    """The file, opened and not yet decoded; whatever goes wrong in the block is a problem of this picture."""
    from PIL import Image as Pillow
    from PIL import UnidentifiedImageError

    place = source if isinstance(source, Path) else Path(name or "the picture")
    if Pillow.MAX_IMAGE_PIXELS is not None:  # Pillow's limit must not be below ours, for it would warn
        Pillow.MAX_IMAGE_PIXELS = max(Pillow.MAX_IMAGE_PIXELS, most_pixels)
    try:
        stream = source if isinstance(source, Path) else io.BytesIO(source)
        with Pillow.open(stream, formats=FORMATS) as image:
            if image.width * image.height > most_pixels:
                raise Pillow.DecompressionBombError(f"{image.width} x {image.height}")
            yield image
    except (Pillow.DecompressionBombError, Pillow.DecompressionBombWarning) as error:
        message = f"the picture is too large ({error}): more than {most_pixels:,} pixels"
        raise _refused(place, message, "Make it smaller, or allow more pixels.") from error
    except UnidentifiedImageError as error:
        raise _unreadable(place, f"it is none of {', '.join(FORMATS)}") from error
    except DAMAGE as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise InvalidRecords([unreadable_problem(place, error)]) from error
        raise _unreadable(place, str(error) or type(error).__name__) from error


def _unreadable(place: Path, reason: str) -> InvalidRecords:
    return _refused(place, f"this is no picture that can be read ({reason})", "Restore it.")


def _refused(place: Path, message: str, remedy: str) -> InvalidRecords:
    return InvalidRecords([Problem(place, message, remedy)])


def _box(size: tuple[int, int], longest: int) -> tuple[int, int]:
    """A size of the same shape with this longest side."""
    share = min(1.0, longest / max(size))
    return max(1, round(size[0] * share)), max(1, round(size[1] * share))


def _turn(image: Image) -> int:
    """A note that makes no sense says nothing."""
    try:
        turn = image.getexif().get(_TURN, UPRIGHT)
    except DAMAGE:
        return UPRIGHT
    return turn if isinstance(turn, int) and 1 <= turn <= 8 else UPRIGHT


def _upright(image: Image, turn: int) -> Image:
    from PIL.Image import Transpose

    how = {
        2: Transpose.FLIP_LEFT_RIGHT, 3: Transpose.ROTATE_180, 4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE, 6: Transpose.ROTATE_270, 7: Transpose.TRANSVERSE, 8: Transpose.ROTATE_90,
    }  # fmt: skip
    return image if turn == UPRIGHT else image.transpose(how[turn])


def _converted(image: Image, mode: str) -> Image:
    """The picture in this mode; an ordinary one is just what Pillow makes of it."""
    if image.mode == "I" or image.mode.startswith("I;16"):
        return _eight_bits(image).convert(mode)
    if image.mode == "F":
        raise ValueError("it holds measurements (32-bit numbers), not shades")
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        return _on_white(image).convert(mode)
    return image.convert(mode)


def _eight_bits(image: Image) -> Image:
    """Greys of up to 16 bits by their share of the range: Pillow would make all above 255 white."""
    import numpy as np
    from PIL import Image as Pillow

    shades = np.asarray(image).astype(np.int64)
    if shades.size and (shades.min() < 0 or shades.max() > _SHORT):
        raise ValueError("it holds measurements (32-bit numbers), not shades")
    return Pillow.fromarray(((shades * _BYTE + _SHORT // 2) // _SHORT).astype(np.uint8))


def _on_white(image: Image) -> Image:
    from PIL import Image as Pillow

    seen = image.convert("RGBA")
    alpha = seen.getchannel("A")
    if alpha.getextrema() == (_BYTE, _BYTE):
        return image.convert("RGB")
    page = Pillow.new("RGB", seen.size, _WHITE)
    page.paste(seen, mask=alpha)
    return page
