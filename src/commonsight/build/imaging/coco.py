"""COCO's 80 labels (Lin et al., 2014), in the order in which detectors number them."""

from __future__ import annotations

NAMES = (
    "person", "bicycle", "car", "motorcycle", "airplane", "bus", "train", "truck", "boat", "traffic light",
    "fire hydrant", "stop sign", "parking meter", "bench", "bird", "cat", "dog", "horse", "sheep", "cow",
    "elephant", "bear", "zebra", "giraffe", "backpack", "umbrella", "handbag", "tie", "suitcase", "frisbee",
    "skis", "snowboard", "sports ball", "kite", "baseball bat", "baseball glove", "skateboard", "surfboard",
    "tennis racket", "bottle", "wine glass", "cup", "fork", "knife", "spoon", "bowl", "banana", "apple",
    "sandwich", "orange", "broccoli", "carrot", "hot dog", "pizza", "donut", "cake", "chair", "couch",
    "potted plant", "bed", "dining table", "toilet", "tv", "laptop", "mouse", "remote", "keyboard",
    "cell phone", "microwave", "oven", "toaster", "sink", "refrigerator", "book", "clock", "vase", "scissors",
    "teddy bear", "hair drier", "toothbrush",
)  # fmt: skip

_UNUSED = frozenset((12, 26, 29, 30, 45, 66, 68, 69, 71, 83))
"""Of the 90 numbers that COCO's files give, those that no object has."""

BY_ID = dict(zip((number for number in range(1, 91) if number not in _UNUSED), NAMES, strict=True))
"""As COCO's files and exported torch models number them: from 1, with gaps; 0 is for no object."""

SAME = {
    "aeroplane": "airplane", "bike": "bicycle", "cellular telephone": "cell phone",
    "hair dryer": "hair drier", "hairdryer": "hair drier", "motorbike": "motorcycle",
    "phone": "cell phone", "sofa": "couch", "television": "tv", "tvmonitor": "tv",
}  # fmt: skip
"""What others call the same labels, Pascal VOC's and YOLO's older lists among them."""

_JOINED = {name.replace(" ", ""): name for name in NAMES}
"""As VCR's files and others write them: in one word, or with other marks between."""


def coco_name(label: str) -> str:
    """COCO's own word for a label where it has one; else the label as it is."""
    plain = " ".join(label.split())
    lower = plain.lower()
    joined = lower.replace(" ", "").replace("_", "").replace("-", "")
    return _JOINED.get(joined) or SAME.get(lower, plain)
