"""What published networks see with, where several see with the same."""

from __future__ import annotations

FASTER_RCNN = 2048
"""Numbers of a region."""
OBJECTS = "features:FILE_OR_FOLDER"
"""A Faster R-CNN's regions, found elsewhere; an encoder that `train-regions` trained may stand for it."""
