"""A picture's file without what cameras and programs note in it: place, time, device, author, small previews.

The coded pixels are carried over byte by byte, so nothing is decoded and nothing is lost. What decides how
they look (colour profiles, transparency, the frames of a file that moves) stays; all else that is not needed
goes, known or not, and so does whatever is written behind the picture's end. The note on how to turn a
picture goes with the others: whoever calls this has turned it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping

_RESTARTS = range(0xD0, 0xD8)
_START, _END, _SCAN = 0xD8, 0xD9, 0xDA
_JFIF, _PROFILE, _ADOBE = (0xE0, b"JFIF\0"), (0xE2, b"ICC_PROFILE\0"), (0xEE, b"Adobe")
_NOTES = {*range(0xE0, 0xF0), 0xFE}
"""JPEG's segments for programs, and its comments."""

_PNG_HEAD = 8
_PNG_KEPT = frozenset(
    b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs acTL fcTL fdAT".split()
)
_WEBP_KEPT = frozenset((b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF", b"ICCP"))
_WEBP_NOTES = 0b1100
"""Flags of a WebP that say that EXIF and XMP follow."""
_GIF_MOVES = (b"NETSCAPE2.0", b"ANIMEXTS1.0")
_GIF_EXTENSION, _GIF_FRAME, _GIF_END = 0x21, 0x2C, 0x3B
_GIF_COMMENT, _GIF_APPLICATION = 0xFE, 0xFF


def without_notes(content: bytes, kind: str) -> bytes | None:
    """The same picture with nothing noted in it; None where the file is not put together as its kind is."""
    how = _HOW.get(kind)
    if how is None:
        return content
    try:
        return b"".join(how(content))
    except (IndexError, ValueError, struct.error):
        return None


def _jpeg(content: bytes) -> Iterator[bytes]:
    at = 0
    while True:
        if content[at] != 0xFF:
            raise ValueError("no marker where one must be")
        marker = content[at + 1]
        if marker == 0xFF:  # a byte that fills up
            at += 1
        elif marker == _END:
            yield content[at : at + 2]
            return
        elif marker == _START or marker in _RESTARTS:
            yield content[at : at + 2]
            at += 2
        else:
            end = at + 2 + int(struct.unpack_from(">H", content, at + 2)[0])
            end = _scan_end(content, end) if marker == _SCAN else end
            if marker not in _NOTES or _is_needed(marker, content[at + 4 : end]):
                yield _whole(content, at, end)
            at = end


def _is_needed(marker: int, body: bytes) -> bool:
    return any(marker == needed and body.startswith(name) for needed, name in (_JFIF, _PROFILE, _ADOBE))


def _scan_end(content: bytes, at: int) -> int:
    """Where coded pixels end: at the next marker that is neither a restart nor a plain 0xFF among them."""
    while True:
        at = content.index(b"\xff", at)
        if content[at + 1] != 0 and content[at + 1] not in _RESTARTS:
            return at
        at += 2


def _png(content: bytes) -> Iterator[bytes]:
    yield content[:_PNG_HEAD]
    at, name = _PNG_HEAD, b""
    while name != b"IEND":
        length, name = struct.unpack_from(">I4s", content, at)
        end = at + 12 + length
        if name in _PNG_KEPT:
            yield _whole(content, at, end)
        at = end


def _webp(content: bytes) -> Iterator[bytes]:
    kept = b"".join(_webp_chunks(content))
    yield content[:4] + struct.pack("<I", 4 + len(kept)) + content[8:12] + kept


def _webp_chunks(content: bytes) -> Iterator[bytes]:
    at, stop = 12, 8 + struct.unpack_from("<I", content, 4)[0]
    while at < stop:
        name, length = struct.unpack_from("<4sI", content, at)
        end = at + 8 + length
        chunk = _whole(content, at, end) + bytes(length % 2)
        if name == b"VP8X":
            chunk = chunk[:8] + bytes((chunk[8] & ~_WEBP_NOTES,)) + chunk[9:]
        if name in _WEBP_KEPT:
            yield chunk
        at = end + length % 2


def _gif(content: bytes) -> Iterator[bytes]:
    at = 13 + _colours(content[10])
    yield _whole(content, 0, at)
    while content[at] != _GIF_END:
        begin, is_kept = at, True
        if content[at] == _GIF_EXTENSION:
            is_kept = content[at + 1] != _GIF_COMMENT and (
                content[at + 1] != _GIF_APPLICATION or content[at + 3 : at + 14] in _GIF_MOVES
            )
            at += 2
        elif content[at] == _GIF_FRAME:
            at += 11 + _colours(content[at + 9])
        else:
            raise ValueError("neither an extension nor a frame")
        while content[at]:
            at += 1 + content[at]
        at += 1
        if is_kept:
            yield content[begin:at]
    yield content[at : at + 1]


def _colours(flags: int) -> int:
    """How many bytes a table of colours has, if these flags say that there is one."""
    return 3 * 2 ** ((flags & 0b111) + 1) if flags & 0x80 else 0


def _whole(content: bytes, begin: int, end: int) -> bytes:
    if end > len(content):
        raise ValueError("cut off")
    return content[begin:end]


_HOW: Mapping[str, Callable[[bytes], Iterator[bytes]]] = {
    "JPEG": _jpeg, "PNG": _png, "WEBP": _webp, "GIF": _gif,
}  # fmt: skip
