"""Shots: VCR's rule, and how it compares with a detector that looks at every frame."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from _videos import make_video
from commonsight.build.imaging import shots
from commonsight.build.imaging.shots import Cut, Cutter, Rule, difference, hsv
from commonsight.build.imaging.video import Frame, open_video

SCENES = [("red", 3.0), ("green", 2.5), ("blue", 3.5)]


def cut(path: Path, rule: Rule) -> list[Cut]:
    cutter = Cutter(rule)
    with open_video(path, every=rule.every) as video:
        found = [over for frame in video.frames() if (over := cutter.add(frame)) is not None]
        last = cutter.finished(video.end)
    return found if last is None else [*found, last]


def test_the_published_numbers() -> None:
    assert Rule() == (1.0, 30.0, 0.0, 256)


def test_hsv_counts_as_the_detector_does() -> None:
    colours = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [128, 64, 64]]])
    found = hsv(colours.astype(np.uint8))[0].tolist()
    assert found == [[0, 255, 255], [59, 255, 255], [119, 255, 255], [0, 0, 255], [0, 0, 0], [0, 127, 128]]


def test_the_difference_is_the_mean_over_pixels_and_channels() -> None:
    one = np.zeros((2, 2, 3), np.int16)
    other = one.copy()
    other[0, 0] = (30, 60, 90)
    assert difference(one, other) == pytest.approx(15.0)


@pytest.mark.parametrize("every", [0.0, 1.0])
def test_every_view_is_a_shot_and_its_middle_is_kept(tmp_path: Path, every: float) -> None:
    found = cut(make_video(tmp_path / "a.mp4", SCENES), Rule(every))
    near = 0.01 if every == 0 else 1.0
    assert [one.start for one in found] == pytest.approx([0.0, 3.0, 5.5], abs=near)
    assert [one.end for one in found] == pytest.approx([3.0, 5.5, 9.0], abs=near)
    assert [round(one.middle.time - (one.start + one.end) / 2) for one in found] == [0, 0, 0]
    dominant = [int(one.middle.small(8).mean(axis=(0, 1)).argmax()) for one in found]
    assert dominant == [0, 1, 2]  # red, green, blue
    assert found[0].difference is None
    assert all(one.difference is not None and one.difference > 30 for one in found[1:])


def test_the_threshold_and_the_shortest_shot_are_heeded(tmp_path: Path) -> None:
    path = make_video(tmp_path / "a.mp4", SCENES)
    far = cut(path, Rule(0.0))[1].difference
    assert far is not None
    assert len(cut(path, Rule(0.0, far))) >= 2  # a difference of just that much is a boundary
    assert len(cut(path, Rule(0.0, 254.0))) == 1
    assert [round(one.start, 2) for one in cut(path, Rule(0.0, shortest=3.2))] == [0.0, 5.5]


def test_a_long_shot_is_held_in_little_memory_and_its_middle_is_near(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_video(tmp_path / "a.mp4", [("red", 30.0)], size=(32, 24))
    exact = cut(path, Rule(0.0))[0]
    assert exact.middle.time == pytest.approx(15.0, abs=0.1)
    monkeypatch.setattr(shots, "HELD", 0)
    held: list[int] = []
    add = shots._Shot.add

    def watched(self: shots._Shot, frame: Frame) -> None:
        add(self, frame)
        held.append(len(self._held))

    monkeypatch.setattr(shots._Shot, "add", watched)
    near = cut(path, Rule(0.0))[0]
    assert max(held) <= shots.LEAST_HELD + 1
    assert near.samples == 360
    assert abs(near.middle.time - 15.0) < 30.0 / shots.LEAST_HELD


# --- against a content detector that looks at every frame --------------------------------------------------


def _golden(data_dir: Path, name: str) -> list[int]:
    path = data_dir / "video" / "goldens" / f"{name}.ContentDetector.t30.json"
    cuts: list[int] = json.loads(path.read_text())["cuts"]
    return cuts


@pytest.mark.real_data
@pytest.mark.parametrize(("name", "rate"), [("testvideo.mp4", 30000 / 1001), ("fades.mp4", 25)])
def test_all_frames_give_the_detectors_cuts_to_the_frame(data_dir: Path, name: str, rate: float) -> None:
    found = cut(data_dir / "video" / name, Rule(0.0, 30.0, shortest=0.5))
    assert [round(one.start * rate) for one in found[1:]] == _golden(data_dir, name)


@pytest.mark.real_data
def test_one_frame_a_second_finds_those_cuts_within_a_second_and_others(data_dir: Path) -> None:
    found = [one.start for one in cut(data_dir / "video" / "testvideo.mp4", Rule())]
    for frame in _golden(data_dir, "testvideo.mp4"):
        assert min(abs(start - frame * 1001 / 30000) for start in found) <= 1.0
    assert len(found) == 9  # a moving camera shows another view after a second
    fades = cut(data_dir / "video" / "fades.mp4", Rule())
    assert len(fades) == 6  # what no two frames that follow one another show, a second does
