"""Pictures as features: what is cut out, what is kept of it, and what is said of pictures that are not."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from PIL import Image
from safetensors.numpy import load_file, save_file

from commonsight.core.benchmark import Ask
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import InputError, InvalidRecords
from commonsight.models.features.canvases import alone, kept_canvases
from commonsight.models.features.examples import Example, example_of
from commonsight.models.features.objects import (
    EVERYTHING,
    OBJECTS,
    ObjectFeatures,
    Pictured,
    PictureMaps,
    with_maps,
    with_objects,
)
from commonsight.models.features.pictures import (
    CROPS_AT_ONCE,
    Crops,
    Pixels,
    corners,
    kept_objects,
    opened,
    pictures_of,
    resized,
)
from commonsight.models.features.reading import seen
from commonsight.models.features.vocabulary import vocabularies

RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def _picture(folder: Path, name: str, size: tuple[int, int] = (40, 20)) -> str:
    """The left half red, the right half blue, and a green square of 4 in the lower right corner."""
    image = Image.new("RGB", size, RED)
    image.paste(BLUE, (size[0] // 2, 0, *size))
    image.paste(GREEN, (size[0] - 4, size[1] - 4, *size))
    image.save(folder / name)
    return name


def _scene(stored: str | None, *boxes: tuple[float, ...] | None, size: tuple[int, int] = (40, 20)) -> Scene:
    regions = tuple(Region("thing", None if box is None else Box(*box)) for box in boxes)
    return Scene("s", regions, width=size[0], height=size[1], stored=stored)


def _example(scene: Scene, *mentioned: int, item: str = "1") -> Example:
    text = TaggedText(("what", "of", tuple(mentioned))) if mentioned else TaggedText.plain("what")
    return example_of(
        Ask(item, "t", (scene,), {"question": text}, "pick", (TaggedText.plain("a"), TaggedText.plain("b")))
    )


def _colour(crop: NDArray[Any]) -> tuple[int, ...]:
    """In the middle of a crop, (3, height, width): at its edge there is something of what is beside it."""
    return tuple(int(value) for value in crop[:, crop.shape[1] // 2, crop.shape[2] // 2])


LEFT, RIGHT, CORNER = (0, 0, 20, 20), (20, 0, 40, 10), (36, 16, 40, 20)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "dataset").mkdir()
    return tmp_path / "dataset"


def test_objects_are_cut_out_by_their_boxes(folder: Path, tmp_path: Path) -> None:
    scene = _scene(_picture(folder, "a.png"), LEFT, RIGHT, None, CORNER)
    kept = kept_objects(tmp_path / "kept", folder, pictures_of([scene]), Crops(8))
    assert (kept.shape, kept.dtype, kept.name, len(kept)) == ((3, 8, 8), np.uint8, "crops-1-8", 1)
    found = kept.of(_example(scene, 3, 1, 2))
    assert found.shape == (4, 3, 8, 8)
    assert _colour(found[1]) == BLUE
    assert _colour(found[2]) == (0, 0, 0)  # without a box
    assert _colour(found[3]) == GREEN
    whole = np.asarray(Image.open(folder / "a.png").resize((8, 8), Image.Resampling.BILINEAR))
    assert np.abs(found[0].astype(int) - whole.transpose(2, 0, 1)).max() <= 8
    assert _colour(kept.of(_example(scene, 0))[1]) == RED


def test_boxes_are_measured_in_the_scenes_size_whatever_the_files_is(folder: Path, tmp_path: Path) -> None:
    scene = _scene(_picture(folder, "a.png"), (0, 0, 200, 200), (200, 0, 400, 100), size=(400, 200))
    found = kept_objects(tmp_path / "kept", folder, pictures_of([scene]), Crops(4)).of(_example(scene, 0, 1))
    assert [_colour(crop) for crop in found[1:]] == [RED, BLUE]


def test_scenes_may_tell_of_different_objects_in_one_picture(folder: Path, tmp_path: Path) -> None:
    stored = _picture(folder, "a.png")
    one, other = _scene(stored, LEFT, CORNER), _scene(stored, RIGHT, LEFT)
    pictures = pictures_of([one, other, _scene(None, LEFT)])
    assert pictures == [
        Pictured(stored, (EVERYTHING, (0, 0, 0.5, 1), pytest.approx((0.9, 0.8, 1, 1)), (0.5, 0, 1, 0.5)))
    ]
    kept = kept_objects(tmp_path / "kept", folder, pictures, Crops(4))
    assert [_colour(crop) for crop in kept.of(_example(one, 0, 1))[1:]] == [RED, GREEN]
    assert [_colour(crop) for crop in kept.of(_example(other, 0, 1))[1:]] == [BLUE, RED]


@pytest.mark.parametrize(
    ("box", "wanted"),
    [
        ((0.0, 0.0, 1.0, 1.0), (0, 0, 40, 20)),
        ((-0.5, 0.25, 2.0, 0.75), (0, 5, 40, 15)),
        ((0.75, 1.0, 0.25, 0.0), (10, 0, 30, 20)),  # inverted
        ((0.5, 0.5, 0.5, 0.5), (19.5, 9.5, 20.5, 10.5)),  # a point
        ((0.0, 0.0, 0.0, 1.0), (0, 0, 1, 20)),  # a line at the edge
        ((1.0, 2.0, 3.0, 4.0), (39, 19, 40, 20)),  # outside
    ],
)
def test_boxes_that_are_hardly_any(box: Any, wanted: tuple[float, ...]) -> None:
    found = corners(box, (40, 20))
    assert found == pytest.approx(wanted)
    image = Image.new("RGB", (40, 20), RED)
    assert _colour(resized(image, box, (6, 3))) == RED
    assert resized(image, box, (6, 3)).shape == (3, 3, 6)


def test_a_box_of_a_picture_of_one_pixel() -> None:
    assert corners((0.2, 0.2, 0.3, 0.3), (1, 1)) == (0, 0, 1, 1)


def test_a_box_that_is_no_numbers_is_none(folder: Path, tmp_path: Path) -> None:
    scene = _scene(_picture(folder, "a.png"), (float("nan"), 0, 1, 1), LEFT)
    found = kept_objects(tmp_path / "kept", folder, pictures_of([scene]), Crops(4)).of(_example(scene, 0, 1))
    assert [_colour(crop) for crop in found[1:]] == [(0, 0, 0), RED]


def test_a_picture_without_a_size_is_told() -> None:
    with pytest.raises(InputError, match="the picture's size is not known"):
        pictures_of([Scene("s", stored="a.png")])


def test_pixels_are_not_turned(folder: Path) -> None:
    """A camera's note that the picture is to be turned: boxes are measured without it."""
    image = Image.new("RGB", (40, 20), RED)
    exif = Image.Exif()
    exif[0x0112] = 6
    image.save(folder / "a.jpg", exif=exif)
    assert opened(folder, "a.jpg").size == (40, 20)


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "CMYK", "1", "I;16"])
def test_pictures_of_any_kind_of_colour(folder: Path, mode: str) -> None:
    Image.new(mode, (6, 4)).save(folder / ("a.jpg" if mode == "CMYK" else "a.png"))
    assert opened(folder, "a.jpg" if mode == "CMYK" else "a.png").mode == "RGB"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, r"a\.png: the picture is missing\. Restore it"),
        (b"", r"a\.png: this is no picture that can be read"),
        (b"not a picture", r"a\.png: this is no picture that can be read .*Restore it"),
        ("half", r"a\.png: this is no picture that can be read"),
    ],
)
@pytest.mark.parametrize("threads", [1, 3])
def test_broken_pictures_are_told(
    folder: Path, tmp_path: Path, content: bytes | str | None, said: str, threads: int
) -> None:
    scene = _scene(_picture(folder, "a.png", (200, 100)))
    if content is None:
        (folder / "a.png").unlink()
    else:
        octets = (folder / "a.png").read_bytes()
        (folder / "a.png").write_bytes(octets[:150] if isinstance(content, str) else content)
    with pytest.raises(InputError, match=said):
        kept_objects(tmp_path / "kept", folder, pictures_of([scene]), Crops(4), threads=threads)
    assert not (tmp_path / "kept").exists()


def test_a_picture_outside_the_dataset_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="is not a path below"):
        opened(folder, "../a.png")


# --- encoders of crops and of pictures ---------------------------------------------------------------------


class Means:
    """An object's mean colour, and how many crops were looked at together."""

    name, dim, size = "means", 4, 6

    def __init__(self) -> None:
        self.asked: list[int] = []

    def encode(self, crops: Pixels) -> NDArray[Any]:
        self.asked.append(len(crops))
        means = crops.reshape(len(crops), 3, -1).mean(axis=2)
        return np.concatenate((means, np.full((len(crops), 1), len(crops))), axis=1)


class Thumbs:
    """Pictures at a tenth of their size."""

    name, canvas, shape = "thumbs", (40, 20), (3, 2, 4)

    def encode(self, pictures: Pixels) -> NDArray[Any]:
        assert pictures.shape[1:] == (3, 20, 40)
        return pictures[:, :, ::10, ::10].astype(np.float32) / 255


def _many(folder: Path, count: int) -> list[Scene]:
    boxes = (LEFT, RIGHT)
    return [_scene(_picture(folder, f"{number}.png"), *boxes[: number % 3]) for number in range(count)]


@pytest.mark.parametrize("threads", [1, 3])
def test_an_encoder_looks_at_every_crop(folder: Path, tmp_path: Path, threads: int) -> None:
    scenes = _many(folder, 21)
    steps: list[tuple[int, int]] = []
    encoder = Means()
    kept = kept_objects(
        tmp_path / "kept", folder, pictures_of(scenes), encoder,
        threads=threads, progress=lambda *step: steps.append(step),
    )  # fmt: skip
    assert (kept.shape, kept.dtype, kept.name) == ((4,), np.float16, "means")
    red, blue = kept.of(_example(scenes[20], 0, 1))[1:, :3]
    assert red[0] > 240 > 20 > red[1]
    assert blue[2] > 220 > 20 > blue[0]
    assert steps == [(8, 21), (16, 21), (21, 21)]
    assert max(encoder.asked) <= CROPS_AT_ONCE
    assert sum(encoder.asked) == 21 + 7 + 14


def test_a_stopped_encoding_goes_on(folder: Path, tmp_path: Path) -> None:
    pictures = pictures_of(_many(folder, 21))
    kept_objects(tmp_path / "whole", folder, pictures, Means())
    (folder / "13.png").rename(folder / "away.png")
    with pytest.raises(InputError, match=r"13\.png: the picture is missing"):
        kept_objects(tmp_path / "kept", folder, pictures, Means())
    (folder / "away.png").rename(folder / "13.png")
    (folder / "2.png").unlink()  # what was read already is not read again
    kept_objects(tmp_path / "kept", folder, pictures, Means())
    assert (tmp_path / "kept").read_bytes() == (tmp_path / "whole").read_bytes()


def test_maps_of_whole_pictures(folder: Path, tmp_path: Path) -> None:
    scenes = _many(folder, 9)
    scenes.append(_scene(_picture(folder, "tall.png", (20, 80)), size=(20, 80)))
    kept = kept_canvases(tmp_path / "kept", folder, alone(pictures_of(scenes)), Thumbs())
    assert (kept.shape, kept.dtype, len(kept)) == ((3, 2, 4), np.float16, 10)
    for scene in (scenes[4], scenes[9]):
        found = kept.of(_example(scene))
        assert found[:, 0, 0].tolist() == [1, 0, 0]
        assert found[:, 0, 3].tolist() == [0, 0, 1]


def test_they_are_put_into_batches(folder: Path, tmp_path: Path) -> None:
    scenes = _many(folder, 3)
    pictures = pictures_of(scenes)
    objects = kept_objects(tmp_path / "objects", folder, pictures, Crops(4))
    maps = kept_canvases(tmp_path / "maps", folder, alone(pictures), Thumbs())
    asked = [_example(scenes[2], 0, 1), _example(scenes[0]), _example(scenes[2], 1)]
    view = seen(asked, vocabularies(asked).labels)
    with_both = with_maps(with_objects(view, asked, objects), asked, maps)
    assert with_both.features is not None
    assert with_both.maps is not None
    assert with_both.picture_of is not None
    assert with_both.features.shape == (3, 3, 3, 4, 4)
    assert with_both.features.dtype == torch.uint8
    assert not with_both.features[~view.mask].any()
    assert _colour(with_both.features[2, 1].numpy()) == BLUE
    assert with_both.maps.shape == (2, 3, 2, 4)  # two pictures, however many questions
    assert with_both.picture_of.tolist() == [0, 1, 0]
    np.testing.assert_array_equal(with_both.maps[1], maps.of(asked[1]))


def test_another_process_opens_them_anew(folder: Path, tmp_path: Path) -> None:
    scenes = _many(folder, 3)
    objects = kept_objects(tmp_path / "o", folder, pictures_of(scenes), Crops(4))
    maps = kept_canvases(tmp_path / "m", folder, alone(pictures_of(scenes)), Thumbs())
    for kept in (objects, maps):
        again = pickle.loads(pickle.dumps(kept))
        np.testing.assert_array_equal(again.of(_example(scenes[1])), kept.of(_example(scenes[1])))


def test_what_is_not_there_is_told(folder: Path, tmp_path: Path) -> None:
    scene = _scene(_picture(folder, "a.png"), LEFT)
    kept = kept_objects(tmp_path / "kept", folder, pictures_of([scene]), Crops(4))
    with pytest.raises(InputError, match="Item 7 has no picture in the dataset"):
        kept.of(_example(_scene(None), item="7"))
    with pytest.raises(InputError, match=r"nothing of b\.png, the picture of item 1.*Remove the file"):
        kept.of(_example(_scene("b.png")))
    with pytest.raises(InputError, match=r"nothing of object 1 \(thing\) of item 1, a\.png"):
        kept.of(_example(_scene("a.png", RIGHT), 0))


def test_features_of_another_encoder_are_told(folder: Path, tmp_path: Path) -> None:
    pictures = pictures_of(_many(folder, 2))
    kept_objects(tmp_path / "kept", folder, pictures, Crops(4))
    with pytest.raises(InvalidRecords, match="this was made by crops-1-4, not by means"):
        kept_objects(tmp_path / "kept", folder, pictures, Means())


def test_no_pictures(folder: Path, tmp_path: Path) -> None:
    assert len(kept_objects(tmp_path / "o", folder, [], Crops(4))) == 0
    assert len(kept_canvases(tmp_path / "m", folder, [], Thumbs())) == 0


def test_altered_files_are_told(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "o"
    kept_objects(path, folder, pictures_of(_many(folder, 3)), Crops(4))
    arrays = load_file(path)
    save_file({**arrays, "boxes": arrays["boxes"][1:]}, path, {"kind": OBJECTS})
    with pytest.raises(InvalidRecords, match=r"6 objects have boxes \[5, 4\]"):
        ObjectFeatures.open(path)
    save_file(arrays, path, {"kind": "picture maps"})
    with pytest.raises(InvalidRecords, match="6 maps are of 3 pictures"):
        PictureMaps.open(path)
    with pytest.raises(InvalidRecords, match="this holds picture maps, not object features"):
        ObjectFeatures.open(path)
