"""Items as rows of a Parquet file: one schema for every benchmark, lossless both ways.

Nested values that differ from benchmark to benchmark (groups, provenance, program, extra) are JSON strings,
so that any tool which reads Parquet opens any of our datasets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import pyarrow as pa

from commonsight.core.answer import FreeText, Given, Grounded, Pick, Verdict
from commonsight.core.item import Item
from commonsight.core.program import Program
from commonsight.core.scene import Box, Region, Relation, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import InputError

TEXT = pa.struct(
    [
        ("text", pa.string()),  # readable: regions in brackets, such as [person1]
        ("words", pa.list_(pa.string())),  # null stands for a reference; null as a whole for plain text
        ("tags", pa.list_(pa.list_(pa.int32()))),  # the references, in order
    ]
)
REGION = pa.struct(
    [
        ("label", pa.string()),
        ("box", pa.list_(pa.float64())),
        ("score", pa.float64()),
        ("polygons", pa.list_(pa.list_(pa.list_(pa.float64())))),
        ("attributes", pa.list_(pa.string())),
        ("id", pa.int64()),
    ]
)
RELATION = pa.struct([("subject", pa.int32()), ("predicate", pa.string()), ("object", pa.int32())])
SCENE = pa.struct(
    [
        ("image", pa.string()),
        ("stored", pa.string()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("regions", pa.list_(REGION)),
        ("relations", pa.list_(RELATION)),
        ("extra", pa.string()),
    ]
)
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("split", pa.string()),
        ("scenes", pa.list_(SCENE)),
        ("texts", pa.list_(pa.struct([("role", pa.string()), ("text", TEXT)]))),
        ("choices", pa.list_(TEXT)),
        ("gold_kind", pa.string()),  # pick, verdict, text or grounded: which of the next columns count
        ("gold_choice", pa.int32()),
        ("gold_verdict", pa.bool_()),
        ("gold_text", pa.string()),
        ("gold_object", pa.int64()),
        ("rationales", pa.list_(TEXT)),
        ("gold_rationale", pa.int32()),
        ("direct_answers", pa.list_(pa.string())),
        ("target", pa.list_(pa.int64())),
        ("program", pa.string()),
        ("groups", pa.string()),
        ("provenance", pa.string()),
        ("extra", pa.string()),
    ]
)

_encode = msgspec.json.Encoder(order="deterministic").encode
_program = msgspec.json.Decoder(Program)


def to_batch(items: Iterable[Item]) -> pa.RecordBatch:
    """Items as a batch of rows. A scene that several of them hold is made into a row once."""
    items = list(items)
    rows = [_flat_row(item) for item in items]
    columns = [
        _scenes_column(items) if field.name == "scenes"
        else pa.array([row[field.name] for row in rows], field.type)
        for field in SCHEMA
    ]  # fmt: skip
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def _scenes_column(items: Sequence[Item]) -> pa.Array:
    distinct: dict[int, int] = {}
    shown: list[Scene] = []
    places: list[int] = []
    ends = [0]
    for item in items:
        for scene in item.scenes:
            place = distinct.setdefault(id(scene), len(shown))
            if place == len(shown):
                shown.append(scene)
            places.append(place)
        ends.append(len(places))
    rows = pa.array([_scene_row(scene) for scene in shown], SCENE)
    if len(shown) < len(places):
        rows = rows.take(pa.array(places, pa.int32()))
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), rows, SCHEMA.field("scenes").type)


def to_row(item: Item) -> dict[str, Any]:
    """One item as a row."""
    return {**_flat_row(item), "scenes": [_scene_row(scene) for scene in item.scenes]}


def _flat_row(item: Item) -> dict[str, Any]:
    """All of the row but its scenes."""
    labels = item.labels
    return {
        "id": item.id,
        "split": item.split,
        "texts": [{"role": role, "text": _text_row(text, labels)} for role, text in item.texts.items()],
        "choices": [_text_row(text, labels) for text in item.choices],
        **_gold_row(item.gold),
        "rationales": [_text_row(text, labels) for text in item.rationales],
        "gold_rationale": item.rationale_gold,
        "direct_answers": list(item.direct_answers),
        "target": item.target,
        "program": None if item.program is None else _encode(item.program).decode(),
        "groups": _json(item.groups),
        "provenance": _json(item.provenance),
        "extra": _json(item.extra),
    }


def from_row(row: dict[str, Any]) -> Item:
    """The item that `to_row` was given."""
    return Item(
        id=row["id"],
        split=row["split"],
        scenes=tuple([_scene(scene) for scene in row["scenes"]]),
        texts={entry["role"]: _text(entry["text"]) for entry in row["texts"]},
        choices=tuple([_text(text) for text in row["choices"]]),
        gold=_gold(row),
        rationales=tuple([_text(text) for text in row["rationales"]]),
        rationale_gold=row["gold_rationale"],
        direct_answers=tuple(row["direct_answers"]),
        target=None if row["target"] is None else tuple(row["target"]),
        program=None if row["program"] is None else _program.decode(row["program"]),
        groups=_value(row["groups"]),
        provenance=_value(row["provenance"]),
        extra=_value(row["extra"]),
    )


def _json(value: dict[str, Any]) -> str | None:
    return _encode(value).decode() if value else None


def _value(text: str | None) -> dict[str, Any]:
    return msgspec.json.decode(text) if text else {}


def _text_row(text: TaggedText, labels: tuple[str, ...]) -> dict[str, Any]:
    tokens = text.tokens
    if len(tokens) == 1 and type(tokens[0]) is str:
        return {"text": tokens[0], "words": None, "tags": None}
    return {
        "text": text.bracketed(labels),
        "words": [token if type(token) is str else None for token in tokens],
        "tags": [list(token) for token in tokens if type(token) is tuple],
    }


def _text(row: dict[str, Any]) -> TaggedText:
    if row["words"] is None:
        return TaggedText.plain(row["text"])
    tags = iter(row["tags"])
    return TaggedText(tuple([tuple(next(tags)) if word is None else word for word in row["words"]]))


def _gold_row(gold: Given | None) -> dict[str, Any]:
    return {
        "gold_kind": None if gold is None else gold.__struct_config__.tag,
        "gold_choice": gold.index if isinstance(gold, Pick) else None,
        "gold_verdict": gold.value if isinstance(gold, Verdict) else None,
        "gold_text": gold.text if isinstance(gold, FreeText | Grounded) else None,
        "gold_object": gold.object_id if isinstance(gold, Grounded) else None,
    }


def _gold(row: dict[str, Any]) -> Given | None:
    match row["gold_kind"]:
        case None:
            return None
        case "pick":
            return Pick(row["gold_choice"])
        case "verdict":
            return Verdict(row["gold_verdict"])
        case "text":
            return FreeText(row["gold_text"])
        case "grounded":
            return Grounded(row["gold_text"], row["gold_object"])
        case other:
            raise InputError(f"The gold kind '{other}' is not one that this version knows. Update it.")


def _scene_row(scene: Scene) -> dict[str, Any]:
    return {
        "image": scene.image,
        "stored": scene.stored,
        "width": scene.width,
        "height": scene.height,
        "regions": [_region_row(region) for region in scene.regions],
        "relations": [
            {"subject": r.subject, "predicate": r.predicate, "object": r.object} for r in scene.relations
        ],
        "extra": _json(scene.extra),
    }


def _region_row(region: Region) -> dict[str, Any]:
    box = region.box
    return {
        "label": region.label,
        "box": None if box is None else [box.left, box.top, box.right, box.bottom],
        "score": region.score,
        "polygons": region.polygons,
        "attributes": region.attributes,
        "id": region.id,
    }


def _scene(row: dict[str, Any]) -> Scene:
    return Scene(
        row["image"],
        tuple([_region(region) for region in row["regions"]]),
        tuple([Relation(**relation) for relation in row["relations"]]),
        row["width"],
        row["height"],
        row["stored"],
        _value(row["extra"]),
    )


def _region(row: dict[str, Any]) -> Region:
    polygons = row["polygons"]
    return Region(
        row["label"],
        None if row["box"] is None else Box(*row["box"]),
        None if polygons is None else tuple([tuple([(x, y) for x, y in shape]) for shape in polygons]),
        row["score"],
        tuple(row["attributes"]),
        row["id"],
    )
