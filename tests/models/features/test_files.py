"""Feature files: the library reads the same, damage is told, and writing goes on where it was stopped."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from commonsight.errors import InputError, InvalidRecords
from commonsight.models.features.files import Opened, Rows, array, feature_path, open_file, rows
from commonsight.models.features.writing import narrowed, row_writer

TOLD = {"kind": "numbers", "name": "made up"}


def _numbers(count: int, *shape: int, dtype: str = "float16") -> NDArray[Any]:
    return (np.arange(count * int(np.prod(shape))) % 251).reshape(count, *shape).astype(dtype)


def _written(path: Path, values: NDArray[Any], small: dict[str, NDArray[Any]] | None = None) -> Path:
    what = Rows(len(values), values.shape[1:], str(values.dtype))
    with row_writer(path, small or {}, what, TOLD) as writer:
        for row in values[writer.done :]:
            writer.append(row[None])
    return path


@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32"])
@pytest.mark.parametrize("shape", [(), (3,), (3, 4, 5)])
def test_the_library_reads_what_is_written(tmp_path: Path, dtype: str, shape: tuple[int, ...]) -> None:
    values = _numbers(7, *shape, dtype=dtype)
    small = {"starts": np.arange(5), "boxes": np.ones((3, 4), np.float32)}
    path = _written(tmp_path / "a.safetensors", values, small)
    read = load_file(path)
    assert set(read) == {"starts", "boxes", "rows"}
    for name, wanted in {**small, "rows": values}.items():
        assert read[name].dtype == wanted.dtype
        np.testing.assert_array_equal(read[name], wanted)
    with safe_open(path, "numpy") as opened:
        assert opened.metadata() == TOLD
    ours = open_file(path, "numbers")
    np.testing.assert_array_equal(rows(ours), values)
    np.testing.assert_array_equal(array(ours, "boxes", np.float32, 2), small["boxes"])
    assert ours.told == TOLD


def test_what_the_library_writes_is_read(tmp_path: Path) -> None:
    values = {"rows": _numbers(4, 3), "keys": np.arange(6), "b": _numbers(5, 1, dtype="uint8")}
    save_file(values, tmp_path / "a.safetensors", {"kind": "numbers"})
    read = open_file(tmp_path / "a.safetensors", "numbers").arrays
    for name, wanted in values.items():
        np.testing.assert_array_equal(read[name], wanted)


def test_nothing_is_read_but_what_is_looked_at(tmp_path: Path) -> None:
    count, wide = 2048, 16384  # 64 MB, written as a hole: only what is looked at costs memory
    what = Rows(count, (wide,), "float16")
    with row_writer(tmp_path / "a.safetensors", {}, what, TOLD) as writer:
        os.ftruncate(writer._file, writer._start + count * wide * 2)
        writer.done = count
    before = _resident()
    values = rows(open_file(tmp_path / "a.safetensors", "numbers"))
    assert values[1000].sum() == 0
    assert _resident() - before < 8 * 1024 * 1024
    assert not values.flags.writeable


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def test_no_rows_at_all(tmp_path: Path) -> None:
    path = _written(tmp_path / "a.safetensors", _numbers(0, 3))
    assert rows(open_file(path, "numbers")).shape == (0, 3)
    assert load_file(path)["rows"].shape == (0, 3)


# --- damage ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("files") / "a.safetensors"
    return _written(path, _numbers(6, 4), {"keys": np.arange(4)}).read_bytes()


def _looked_at(opened: Opened) -> None:
    """All of it, as its users do: a mapping that is too short would end the process."""
    for values in opened.arrays.values():
        values.sum()


@given(st.data())
def test_a_truncated_file_is_told(whole: bytes, tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    path = tmp_path_factory.mktemp("cut") / "cut.safetensors"
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(InvalidRecords, match="Remove the file, so that it is made anew") as caught:
        open_file(path, "numbers")
    assert str(path) in str(caught.value)


@given(st.binary(max_size=300))
def test_a_foreign_file_is_told(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("foreign") / "foreign.safetensors"
    path.write_bytes(content)
    with pytest.raises(InvalidRecords, match="Remove the file"):
        open_file(path, "numbers")


@given(st.data())
def test_an_altered_header_is_told_or_harmless(
    whole: bytes, tmp_path_factory: pytest.TempPathFactory, data: Any
) -> None:
    end = 8 + int.from_bytes(whole[:8], "little")
    octets = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 4))):
        octets[data.draw(st.integers(0, end - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("altered") / "altered.safetensors"
    path.write_bytes(octets)
    try:
        _looked_at(open_file(path, "numbers"))
    except InvalidRecords as error:
        told = str(error)
    else:
        told = str(path)
    assert str(path) in told


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (b'"F16"', b'"F64"', "rows is F64"),
        (b'"F16"', b'"F32"', "has 96 bytes"),
        (b"[6,4]", b"[6,5]", "has 60 bytes"),
        (b"[6,4]", b"[-6,", "not that of a safetensors file"),
        (b'"kind":"numbers"', b'"kind":"letters"', "this holds letters, not numbers"),
        (b'"dtype"', b'"ctype"', "not that of a safetensors file"),
        (b"[0,32]", b"[8,40]", "should begin at 0"),
    ],
)
def test_what_is_wrong_is_said(whole: bytes, tmp_path: Path, before: bytes, after: bytes, said: str) -> None:
    assert before in whole
    (tmp_path / "a").write_bytes(whole.replace(before, after, 1))
    with pytest.raises(InvalidRecords, match=said):
        open_file(tmp_path / "a", "numbers")


def test_bytes_behind_the_end_are_told(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(whole + b"more")
    with pytest.raises(InvalidRecords, match="tells of 80 bytes of numbers, the file has 84"):
        open_file(tmp_path / "a", "numbers")


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecords, match=r"nowhere: the features cannot be read \(no such file"):
        open_file(tmp_path / "nowhere", "numbers")


def test_an_array_that_is_not_there_or_not_right(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(whole)
    opened = open_file(tmp_path / "a", "numbers")
    with pytest.raises(InvalidRecords, match="boxes is missing; it should be float32 in 2 dimensions"):
        array(opened, "boxes", np.float32, 2)
    with pytest.raises(InvalidRecords, match=r"keys is int64 of the shape \[4\]; it should be float32"):
        array(opened, "keys", np.float32, 1)


# --- writing -----------------------------------------------------------------------------------------------


class StoppedError(Exception):
    pass


def _begun(path: Path, values: NDArray[Any], stop: int, small: dict[str, NDArray[Any]] | None = None) -> None:
    def begin() -> None:
        with row_writer(path, small or {}, Rows(len(values), values.shape[1:], "float16"), TOLD) as writer:
            writer.append(values[:stop])
            raise StoppedError

    with pytest.raises(StoppedError):
        begin()


def test_nothing_has_the_final_name_before_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "a.safetensors"
    values = _numbers(9, 3)
    _begun(path, values, 4)
    assert [found.name for found in path.parent.iterdir()] == [".a.safetensors.part"]
    _written(path, values)
    assert [found.name for found in path.parent.iterdir()] == ["a.safetensors"]


def test_a_stopped_writing_goes_on(tmp_path: Path) -> None:
    values = _numbers(9, 3)
    path, straight = tmp_path / "a.safetensors", _written(tmp_path / "b.safetensors", values)
    _begun(path, values, 4)
    part = tmp_path / ".a.safetensors.part"
    part.write_bytes(part.read_bytes() + b"hal")  # half a row was written when it was killed
    with row_writer(path, {}, Rows(9, (3,), "float16"), TOLD) as writer:
        assert writer.done == 4
        writer.keep(2)
        writer.append(values[2:])
    assert path.read_bytes() == straight.read_bytes()


def test_what_was_begun_of_something_else_is_not_gone_on_with(tmp_path: Path) -> None:
    path, values = tmp_path / "a.safetensors", _numbers(9, 3)
    _begun(path, values, 4, {"keys": np.arange(3)})
    with row_writer(path, {"keys": np.arange(3) + 1}, Rows(9, (3,), "float16"), TOLD) as writer:
        assert writer.done == 0
        writer.append(values)
    np.testing.assert_array_equal(load_file(path)["rows"], values)


def test_two_who_write_the_same_do_not_meet(tmp_path: Path) -> None:
    path, values = tmp_path / "a.safetensors", _numbers(9, 3)
    what = Rows(9, (3,), "float16")
    with row_writer(path, {}, what, TOLD) as first:
        first.append(values[:5])
        with row_writer(path, {}, what, TOLD) as second:
            assert second.done == 0
            second.append(values)
        early = path.read_bytes()
        mapped = rows(open_file(path, "numbers"))
        first.append(values[5:])
    assert path.read_bytes() == early
    np.testing.assert_array_equal(mapped, values)  # whoever reads the one that was replaced reads on
    assert [found.name for found in tmp_path.iterdir()] == ["a.safetensors"]


def test_the_second_of_two_leaves_nothing_behind_when_it_fails(tmp_path: Path) -> None:
    path, values = tmp_path / "a.safetensors", _numbers(9, 3)
    with row_writer(path, {}, Rows(9, (3,), "float16"), TOLD) as first:
        _begun(path, values, 2)
        first.append(values)
    assert [found.name for found in tmp_path.iterdir()] == ["a.safetensors"]


def test_a_writing_that_is_killed_leaves_what_it_had(tmp_path: Path) -> None:
    path, values = tmp_path / "a.safetensors", _numbers(9, 3)
    child = os.fork()
    if not child:
        with row_writer(path, {}, Rows(9, (3,), "float16"), TOLD) as writer:
            writer.append(values[:6])
            os._exit(0)
    os.waitpid(child, 0)
    with row_writer(path, {}, Rows(9, (3,), "float16"), TOLD) as writer:
        assert writer.done == 6
        writer.append(values[6:])
    np.testing.assert_array_equal(load_file(path)["rows"], values)


def test_rows_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    values = _numbers(9, 3)
    with row_writer(tmp_path / "a", {}, Rows(9, (3,), "float16"), TOLD) as writer:
        with pytest.raises(ValueError, match="does not fit"):
            writer.append(_numbers(2, 4))
        writer.append(values)
        with pytest.raises(ValueError, match="does not fit"):
            writer.append(values[:1])
    with (
        pytest.raises(ValueError, match="3 rows were written of 9"),
        row_writer(tmp_path / "b", {}, Rows(9, (3,), "float16"), TOLD) as writer,
    ):
        writer.append(values[:3])


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with row_writer(tmp_path / "a", {}, Rows(2, (3,), "float16"), TOLD) as writer:
        with monkeypatch.context() as patched:

            def full(*_: object) -> int:
                raise OSError(28, "No space left on device")

            patched.setattr(os, "pwrite", full)
            with pytest.raises(InputError, match=r"cannot be written \(no space left on device\)"):
                writer.append(_numbers(2, 3))
        writer.append(_numbers(2, 3))


def test_numbers_that_16_bits_do_not_reach_are_told() -> None:
    assert narrowed(np.array([1.0, 65504.0]), "float16").dtype == np.float16
    with pytest.raises(InputError, match=r"not finite as float16 \(the largest was 70000\)"):
        narrowed(np.array([1.0, -70000.0], np.float32), "float16")


def test_features_are_known_by_what_they_are_made_from(tmp_path: Path) -> None:
    path = feature_path(tmp_path, "text", sources=["b", "a"], name="bert@1", layer=-2)
    assert path == feature_path(tmp_path, "text", sources=["a", "b"], name="bert@1", layer=-2)
    assert path.name.startswith("text-")
    others = [
        feature_path(tmp_path, "text", sources=["a"], name="bert@1", layer=-2),
        feature_path(tmp_path, "text", sources=["a", "b"], name="bert@2", layer=-2),
        feature_path(tmp_path, "text", sources=["a", "b"], name="bert@1", layer=-1),
    ]
    assert len({path, *others}) == 4
