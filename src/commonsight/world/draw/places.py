"""Where scenes take place: fourteen backgrounds, each in four palettes, no two with the same details."""

from __future__ import annotations

import random
from collections.abc import Callable

from commonsight.world.draw import places_inside as inside
from commonsight.world.draw import places_outside as outside
from commonsight.world.draw.pen import BACKGROUND, Pen
from commonsight.world.draw.places_scenery import Palette, Scenery

PLACES_DRAWN: dict[str, Callable[[Scenery], None]] = {
    "kitchen": inside.kitchen,
    "restaurant": inside.restaurant,
    "office": inside.office,
    "classroom": inside.classroom,
    "street": outside.street,
    "park": outside.park,
    "hospital room": inside.hospital_room,
    "beach": outside.beach,
    "shop": inside.shop,
    "living room": inside.living_room,
    "bus": inside.bus,
    "stage": inside.stage,
    "bedroom": inside.bedroom,
    "train station": outside.train_station,
}

PALETTES: dict[str, tuple[Palette, ...]] = {
    place: tuple(Palette(*colours.split()) for colours in schemes)
    for place, schemes in {
        "kitchen": (
            "#f3e6c4 #d9c9ac #7fae9b #8a6a4c", "#dfe9e2 #cfd3cf #d98a6a #7d8a86",
            "#f2dcd0 #d8bfa6 #6f93b5 #9a7458", "#e6e2ef #c9bfb4 #c9a24e #6f6878",
        ),
        "restaurant": (
            "#e8cfa8 #a97c54 #b4473a #7a4e32", "#cfd8c4 #8f6f52 #5f8a6a #5d4636",
            "#e5c5b8 #9a6a4c #7d4a5e #6b4034", "#c9d3dc #b08d68 #c98a3a #4f5d6b",
        ),
        "office": (
            "#e8e6df #a9b2b8 #8fa3b0 #6d7880", "#ece2d2 #b5a48e #a8906f #75685a",
            "#dde7e4 #94a8a4 #7fa39a #5d7470", "#e9dfe4 #b0a3ad #9a8fae #6e6578",
        ),
        "classroom": (
            "#f5ecd0 #c99d6b #bcd3b0 #8a6844", "#e3eef2 #c2a27c #a9c4d6 #6f8596",
            "#f6e0cf #b98b5e #e3b88a #96694a", "#ebe6f2 #c4aa8a #c3b3d6 #7d6f92",
        ),
        "street": (
            "#d8c4a8 #7d7f85 #c8574a #7a4a3c", "#b9c4cc #6f747c #4f8a7a #56606b",
            "#e8a888 #968a80 #d99a3a #94503c", "#b8cf9c #66706a #5f7fb0 #5f5a50",
        ),
        "park": (
            "#6f9a5c #9cc578 #e3cfa4 #7a5a3c", "#8fa64e #bfcd72 #d9c3a0 #7d6244",
            "#5f8f74 #86bb84 #e6d8bc #6b5a48", "#b8813c #cfae5e #e0c79e #80583a",
        ),
        "hospital room": (
            "#eaf3f1 #cfdcd8 #7fb8b0 #9fb5b2", "#eef1f6 #d2d8e0 #8faad0 #a5b0c0",
            "#f3f1e6 #dad6c4 #a8bf8a #b5b09a", "#f5ecef #dccfd4 #cf9fb0 #b8a5ac",
        ),
        "beach": (
            "#4fb0c7 #ecd6a0 #e58a70 #a8764c", "#6f9fd0 #e6cfae #d97a9a #96745a",
            "#5fbfae #f2e0b4 #e8a84c #a58a5c", "#7f8fc0 #dcc6a0 #c86a5a #7d6a5a",
        ),
        "shop": (
            "#f2e3c6 #d5c6ae #d9694a #b48a5c", "#dfeae6 #c6cfcb #4f9a8a #8f9a96",
            "#f0dbe0 #d3bfc2 #b5608a #a8808c", "#e2e6f2 #c3c8d4 #4f78b8 #8a90a8",
        ),
        "living room": (
            "#e8d3b0 #b58a5e #b4574a #f3ead8", "#c5d6cc #a88460 #5f8f7a #eef0e4",
            "#d9c3d0 #9a7354 #8a5a80 #f2e6ea", "#b9cbdc #b8946c #d99a4a #eef0f2",
        ),
        "bus": (
            "#dfe3e2 #8d9296 #3f78a8 #6d7478", "#ebe2cf #968c80 #b4574a #7a7066",
            "#dae6dc #86928a #4f8f62 #66756b", "#e4dfea #8f8a98 #7d62a0 #6e687a",
        ),
        "stage": (
            "#3d3450 #b9855a #b8363a #d9a84a", "#2e3f58 #a97a54 #7d3f8a #d9a84a",
            "#4a3038 #c49468 #2f6f9a #e0b45a", "#2f4a46 #ad8058 #c8722f #e0b45a",
        ),
        "bedroom": (
            "#cfdcee #c6a27a #7f93c4 #a8825c", "#f3d9d6 #b9926c #d98a94 #9a7458",
            "#dcead0 #c2a078 #7fae74 #a58a62", "#efe2bc #ab825c #d9a03c #8f6c4a",
        ),
        "train station": (
            "#cdb8a0 #b9b3a8 #3f6f9a #4f5a5c", "#b9bfc4 #a5a8aa #b4473a #474c58",
            "#c9c3a4 #b8ae98 #4f8a5c #5a5444", "#c4aeb0 #aca4a6 #d98a2f #5c4a52",
        ),
    }.items()
}  # fmt: skip
"""Wall, floor, accent and trim, four times for each place."""


def draw_place(pen: Pen, place: str, palette: int, light: str, weather: str, seed: int) -> None:
    """Paint the background over the whole picture.

    Light and weather show outside the windows and in the sky; the tint of the whole picture is not ours.
    """
    pen.entity = BACKGROUND
    schemes = PALETTES[place]
    PLACES_DRAWN[place](Scenery(pen, schemes[palette % len(schemes)], light, weather,
        random.Random(f"{place} {seed}")))  # fmt: skip
