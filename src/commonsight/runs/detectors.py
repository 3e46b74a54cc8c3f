"""Detectors by the way a person names them: `KIND` or `KIND:PLACE`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from commonsight.build.imaging.detector import Detector, read_script
from commonsight.build.imaging.onnx_detector import OnnxDetector
from commonsight.errors import InputError, UsageError

DRAWN = "drawn"
KINDS = {
    DRAWN: "the detector of drawn scenes that is shipped",
    "onnx": "an ONNX file",
    "model": "a folder or hub name of the transformers library",
    "scripted": "a JSON list that is found in every picture",
}


def open_detector(
    given: str,
    *,
    names: Path | None = None,
    size: int | None = None,
    threads: int | None = None,
    device: str | None = None,
) -> Detector:
    """`names` and `size` are for ONNX files, `device` is for models of the transformers library."""
    kind, colon, place = given.partition(":")
    if kind not in KINDS or bool(colon and place) == (kind == DRAWN):
        ways = "; ".join(
            f"{name if name == DRAWN else f'{name}:PLACE'} ({what})" for name, what in KINDS.items()
        )
        raise UsageError(f"--detector {given}: there is no such detector. Give one of: {ways}.")
    if kind not in ("onnx", DRAWN) and (names or size):
        raise UsageError(f"--names and --size are for ONNX files, and {given} is none. Leave them out.")
    if kind == "scripted":
        return read_script(Path(place))
    if kind == "model":
        from commonsight.models.detection.pretrained_detector import PretrainedDetector
        from commonsight.models.libraries import use_threads

        use_threads(threads)
        return PretrainedDetector(place, device=device)
    told = None if names is None else read_names(names)
    if kind == DRAWN:
        return OnnxDetector(shipped(), names=told, size=size, threads=threads, name=DRAWN)
    return OnnxDetector(Path(place), names=told, size=size, threads=threads)


def shipped() -> bytes:
    """The ONNX file of the detector of drawn scenes (docs/imaging-detect.md tells how it was made)."""
    return (resources.files("commonsight.build.imaging") / "drawn_detector.onnx").read_bytes()


def read_names(path: Path) -> Mapping[int, str]:
    """Labels in the model's order, one a line."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: the names cannot be read ({reason}). Check the path.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: the text is not UTF-8. Save the file as UTF-8.") from error
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines or not all(line.strip() for line in lines):
        raise InputError(
            f"{path}: there is a line without a name. Write one label a line, in the model's order."
        )
    return {number: line.strip() for number, line in enumerate(lines)}
