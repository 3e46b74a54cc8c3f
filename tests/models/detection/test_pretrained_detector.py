"""Detectors of the transformers library, made small here: boxes and masks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from commonsight.errors import InputError
from commonsight.models.detection.pretrained_detector import PretrainedDetector, around

PICTURES = [np.random.default_rng(0).integers(0, 255, (40, 60, 3), np.uint8), np.zeros((50, 30, 3), np.uint8)]
LABELS = {0: "person", 1: "N/A", 2: "Sofa"}


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("yolos")
    torch.manual_seed(0)
    config = transformers.YolosConfig(
        hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, image_size=[32, 32],
        patch_size=16, num_detection_tokens=12, id2label=LABELS,
        label2id={name: number for number, name in LABELS.items()},
    )  # fmt: skip
    transformers.YolosForObjectDetection(config).save_pretrained(folder)
    transformers.YolosImageProcessorPil(size={"height": 32, "width": 32}, do_pad=False).save_pretrained(
        folder
    )
    return folder


def test_boxes_are_within_pictures_and_labels_are_cocos(boxes: Path) -> None:
    detector = PretrainedDetector(str(boxes))
    found = detector.detect(PICTURES, 0.0)
    assert len(found) == 2
    assert {one.label for one in found[0]} <= {"person", "couch"}
    assert found[0]
    for picture, seen in zip(PICTURES, found, strict=True):
        assert [one.score for one in seen] == sorted((one.score for one in seen), reverse=True)
        for one in seen:
            assert 0 <= one.box[0] < one.box[2] <= picture.shape[1]
            assert 0 <= one.box[1] < one.box[3] <= picture.shape[0]
            assert one.polygons is None
    assert detector.detect(PICTURES, 0.999) == [[], []]
    assert detector.name.startswith(boxes.name)


def mask2former() -> Any:
    swin = transformers.SwinConfig(
        image_size=64, patch_size=4, embed_dim=8, depths=[1, 1, 1, 1], num_heads=[1, 1, 1, 1],
        window_size=2,
        out_features=["stage1", "stage2", "stage3", "stage4"],
    )  # fmt: skip
    return transformers.Mask2FormerConfig(
        backbone_config=swin, feature_size=32, mask_feature_size=32, hidden_dim=32,
        encoder_feedforward_dim=16,
        encoder_layers=1, decoder_layers=2, dim_feedforward=16, num_attention_heads=2, num_queries=5,
        id2label=LABELS, label2id={name: n for n, name in LABELS.items()},
    )  # fmt: skip


def test_masks_become_boxes_and_polygons(tmp_path: Path) -> None:
    torch.manual_seed(0)
    transformers.Mask2FormerForUniversalSegmentation(mask2former()).save_pretrained(tmp_path)
    transformers.Mask2FormerImageProcessorPil(size={"height": 64, "width": 64}).save_pretrained(tmp_path)
    found = PretrainedDetector(str(tmp_path)).detect(PICTURES[:1], 0.0)
    assert found[0]
    for one in found[0]:
        assert one.polygons
        corners = np.concatenate([np.array(polygon) for polygon in one.polygons])
        assert (corners >= 0).all()
        assert (corners <= (60, 40)).all()
        assert one.box[0] - 0.6 <= corners[:, 0].min()
        assert corners[:, 0].max() <= one.box[2] + 0.6


def test_a_model_that_finds_nothing_is_refused(tmp_path: Path) -> None:
    transformers.ResNetConfig(architectures=["ResNetForImageClassification"]).save_pretrained(tmp_path)
    transformers.YolosImageProcessorPil().save_pretrained(tmp_path)
    with pytest.raises(InputError, match="a ResNetForImageClassification finds no objects"):
        PretrainedDetector(str(tmp_path))
    with pytest.raises(InputError, match="there is no such folder"):
        PretrainedDetector(str(tmp_path / "not" / "there"))


def test_the_box_around_a_mask() -> None:
    mask = np.zeros((9, 9), np.bool_)
    assert around(mask) is None
    mask[2:4, 5] = True
    assert around(mask) == (5.0, 2.0, 6.0, 4.0)
