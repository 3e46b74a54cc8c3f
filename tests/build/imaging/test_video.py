"""Videos, frame by frame."""

from __future__ import annotations

import builtins
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from _videos import COLOURS, make_video, turn_video
from commonsight.build.imaging.video import Frame, library, open_video
from commonsight.errors import InvalidRecords, MissingExtra

SCENES = [("red", 3.0), ("green", 2.5), ("blue", 3.0)]


def seen(path: Path, every: float = 0.0) -> tuple[list[float], Any]:
    with open_video(path, threads=1, every=every) as video:
        return [frame.time for frame in video.frames()], video


def test_all_frames_come_with_their_times(tmp_path: Path) -> None:
    times, video = seen(make_video(tmp_path / "a.mp4", SCENES))
    assert times == pytest.approx(np.arange(102) / 12, abs=1e-3)
    assert (video.decoded, video.broken, video.cut, video.shape) == (102, 0, False, 1.0)
    assert video.end == pytest.approx(8.5, abs=0.01)


@pytest.mark.parametrize("codec", ["libx264", "mpeg4", "mjpeg"])
@pytest.mark.parametrize("every", [0.5, 1.0, 2.0, 100.0])
def test_one_frame_comes_for_every_so_many_seconds(tmp_path: Path, codec: str, every: float) -> None:
    times, video = seen(make_video(tmp_path / "a.mp4", SCENES, codec=codec), every)
    wanted = np.arange(0, 8.5, every)
    assert len(times) == len(wanted)
    late = np.asarray(times) - wanted
    assert late.min() >= -1e-3
    assert late.max() < 0.3  # of a few frames that none other is made from, the next one is taken
    assert video.end == pytest.approx(8.5, abs=0.01)


def test_only_what_is_needed_is_decoded(tmp_path: Path) -> None:
    whole = make_video(tmp_path / "a.mp4", SCENES, codec="mjpeg")
    assert seen(whole, 1.0)[1].decoded == 9
    short = make_video(tmp_path / "b.mp4", SCENES, gop=4)
    assert seen(short, 1.0)[1].decoded == 9
    long = make_video(tmp_path / "c.mp4", SCENES, gop=250)
    assert 9 < seen(long, 1.0)[1].decoded < 102


def test_frames_at_uneven_times_keep_them(tmp_path: Path) -> None:
    uneven = [0.0, 0.1, 0.5, 2.9, 3.0, 3.1, 5.6, 5.7, 8.4]
    path = make_video(tmp_path / "a.mkv", SCENES, times=uneven)
    assert seen(path)[0] == pytest.approx(uneven, abs=2e-3)
    assert seen(path, 1.0)[0] == pytest.approx([0.0, 2.9, 3.0, 5.6, 8.4], abs=2e-3)


def test_a_clock_that_is_set_back_goes_on(tmp_path: Path) -> None:
    part = make_video(tmp_path / "a.ts", [("red", 2.0)], codec="mpeg4")
    (tmp_path / "b.ts").write_bytes(part.read_bytes() * 2)  # transport streams may be put together like this
    times = seen(tmp_path / "b.ts")[0]
    assert len(times) == 48
    assert (np.diff(times) > 0).all()
    assert times[-1] == pytest.approx(47 / 12, abs=0.1)
    assert len(seen(tmp_path / "b.ts", 1.0)[0]) == 4


@pytest.mark.parametrize(("degrees", "bar"), [(90, "left"), (180, "top"), (270, "right")])
def test_a_turned_video_is_shown_upright(tmp_path: Path, degrees: int, bar: str) -> None:
    path = make_video(tmp_path / "a.mp4", [("red", 1.0)])
    turn_video(path, degrees)
    with open_video(path) as video:
        pixels = np.asarray(list(video.frames())[6].image()).astype(int)
    assert pixels.shape[:2] == ((64, 48) if degrees != 180 else (48, 64))
    white = pixels.min(axis=2) > 180
    side = {"left": white[:, :20], "right": white[:, -20:], "top": white[:20]}[bar]
    assert side.sum() > 0.8 * white.sum() > 50  # it is in the lower half before it is turned


def test_pixels_that_are_not_square_are_made_so(tmp_path: Path) -> None:
    path = make_video(tmp_path / "a.mp4", [("red", 1.0)], aspect=Fraction(3, 2))
    with open_video(path) as video:
        assert next(video.frames()).image(video.shape).size == (96, 48)


def test_colours_are_those_that_were_put_in(tmp_path: Path) -> None:
    with open_video(make_video(tmp_path / "a.mp4", SCENES)) as video:
        small = next(video.frames()).small(16)
    assert small.shape == (12, 16, 3)
    assert np.abs(small[:4].mean(axis=(0, 1)) - COLOURS["red"]).max() < 12


@pytest.mark.parametrize("every", [0.0, 1.0])
@pytest.mark.parametrize("share", [0.6, 0.75, 0.9])
def test_a_video_that_is_cut_off_is_read_as_far_as_it_goes(
    tmp_path: Path, share: float, every: float
) -> None:
    whole = make_video(tmp_path / "a.mp4", SCENES, codec="mpeg4", movflags="faststart").read_bytes()
    (tmp_path / "half.mp4").write_bytes(whole[: int(len(whole) * share)])
    times, video = seen(tmp_path / "half.mp4", every)
    assert 0 < len(times) < (102 if every == 0 else 9)
    assert times[-1] < video.end < 8.4
    assert video.seconds == pytest.approx(8.5, abs=0.01)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.mp4", b"", "this is no video that can be read (invalid data found when processing input)"),
        ("a.mp4", b"no video" * 100, "this is no video that can be read (invalid data"),
        ("a.m3u8", b"#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n", "this is no video that can be read"),
    ],
)
def test_what_is_no_video_is_refused(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidRecords) as raised:
        seen(tmp_path / name)
    assert str(raised.value).startswith(f"{tmp_path / name}: {message}")


def test_sound_alone_is_no_video(tmp_path: Path) -> None:
    av = library()
    path = tmp_path / "a.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=8000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        frame.sample_rate, frame.pts = 8000, 0
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    with pytest.raises(InvalidRecords, match="there is no video in this file"):
        seen(path)


def test_frames_that_are_too_large_are_refused(tmp_path: Path) -> None:
    path = make_video(tmp_path / "a.mp4", [("red", 1.0)])
    with (
        pytest.raises(InvalidRecords, match=r"too large \(64 x 48\): more than 3,000 pixels"),
        open_video(path, most_pixels=3000),
    ):
        pass


def test_without_the_library_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refusing(name: str, *rest: Any) -> Any:
        if name.startswith("av"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refusing)
    with pytest.raises(MissingExtra, match=r"PyAV is not installed.*commonsight\[media\]"):
        library()


@settings(max_examples=25)
@given(st.data())
def test_a_damaged_video_is_read_or_refused_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp()
    if not (folder / "whole.mp4").is_file():
        make_video(folder / "whole.mp4", [("red", 1.0), ("blue", 1.0)], movflags="faststart")
    content = bytearray((folder / "whole.mp4").read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    damaged = folder / "damaged.mp4"
    damaged.write_bytes(content[: data.draw(st.integers(1, len(content)))])
    try:
        with open_video(damaged, threads=1, every=data.draw(st.sampled_from([0.0, 0.5]))) as video:
            times = [frame.time for frame in video.frames() if isinstance(frame, Frame)]
    except InvalidRecords:
        return
    assert times == sorted(times)
