"""Items as rows of a Parquet file: one schema for every benchmark, lossless both ways.

Nested values that differ from benchmark to benchmark (groups, provenance, program, extra) are JSON strings,
so that any tool which reads Parquet opens any of our datasets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

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

GOLD = ("gold_kind", "gold_choice", "gold_verdict", "gold_text", "gold_object")

as_json = msgspec.json.Encoder(order="deterministic").encode
"""How nested values are written: the same bytes for the same value."""
_program = msgspec.json.Decoder(Program)


FLAT = pa.schema([field for field in SCHEMA if field.name != "scenes"])
"""All columns but the scenes, which many rows may share."""


TAGGED = ("texts", "choices", "rationales")
"""The columns of texts that may point to regions."""


class Page(NamedTuple):
    """Rows, and the scenes that they show, each of them once."""

    flat: pa.RecordBatch
    scenes: Sequence[Scene]
    places: Sequence[int]
    """The scenes of the first row, by position, then those of the second, and so on."""
    ends: Sequence[int]
    """How many of the places belong to the rows before each row, and last to all."""

    def chosen(self, rows: NDArray[np.bool_]) -> Page:
        """Only these rows, and only the scenes that they show."""
        counts = np.diff(self.ends)
        places = np.asarray(self.places, dtype=np.intp)[np.repeat(rows, counts)]
        shown, places = np.unique(places, return_inverse=True)
        scenes = [self.scenes[place] for place in shown.tolist()]
        ends = accumulate(counts[rows].tolist(), initial=0)
        return Page(self.flat.filter(pa.array(rows)), scenes, places.tolist(), [*ends])

    def by_split(self) -> Iterator[tuple[str, Page]]:
        """The rows of every split. Scenes are still beside them, so that no row's own need be copied."""
        splits = self.flat.column("split").dictionary_encode()
        codes = splits.indices.to_numpy()
        for code, split in enumerate(splits.dictionary.to_pylist()):
            yield split, self if len(splits.dictionary) == 1 else self.chosen(codes == code)

    def batch(self) -> pa.RecordBatch:
        """The whole rows. A scene that several of them show is made into columns once."""
        shown = _scenes_array(self.scenes).take(pa.array(self.places, pa.int32()))
        scenes = pa.ListArray.from_arrays(pa.array(self.ends, pa.int32()), shown, SCHEMA.field("scenes").type)
        columns = [scenes if name == "scenes" else self.flat.column(name) for name in SCHEMA.names]
        return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def to_batch(items: Iterable[Item]) -> pa.RecordBatch:
    """Items as a batch of rows."""
    return to_page(list(items)).batch()


def to_page(items: Sequence[Item]) -> Page:
    """Items as rows beside their scenes."""
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
    return Page(flat_batch(items), shown, places, ends)


def flat_batch(items: Sequence[Item]) -> pa.RecordBatch:
    """Items as rows without their scenes."""
    golds = zip(*[_gold_row(item.gold) for item in items], strict=True) if items else [()] * len(GOLD)
    columns: dict[str, Sequence[Any]] = {
        "id": [item.id for item in items],
        "split": [item.split for item in items],
        "gold_rationale": [item.rationale_gold for item in items],
        "direct_answers": [item.direct_answers for item in items],
        "target": [item.target for item in items],
        "program": [None if item.program is None else as_json(item.program) for item in items],
        "groups": [_json(item.groups) for item in items],
        "provenance": [_json(item.provenance) for item in items],
        "extra": [_json(item.extra) for item in items],
        **dict(zip(GOLD, golds, strict=True)),
    }
    texts, choices, rationales = _Texts(), _Texts(), _Texts()
    for item in items:
        texts.add(item.texts.values(), item)
        choices.add(item.choices, item)
        rationales.add(item.rationales, item)
    roles = pa.array([role for item in items for role in item.texts], pa.string())
    return _flat({
        **{name: pa.array(values, FLAT.field(name).type) for name, values in columns.items()},
        "texts": _lists("texts", texts.ends, _with_roles(roles, texts.array())),
        "choices": _lists("choices", choices.ends, choices.array()),
        "rationales": _lists("rationales", rationales.ends, rationales.array()),
    })  # fmt: skip


def plain_batch(columns: Mapping[str, Sequence[Any]], role: str, texts: Sequence[str]) -> pa.RecordBatch:
    """Rows that are columns already, each with one text that points to no region.

    Columns that are not given are empty. Nested values are given as `as_json` writes them.
    """
    count = len(texts)
    plain = pa.StructArray.from_arrays(
        [pa.array(texts, pa.string()), *(pa.nulls(count, field.type) for field in list(TEXT)[1:])],
        fields=list(TEXT),
    )
    said = _with_roles(pa.repeat(role, count), plain)
    arrays = {"texts": _lists("texts", range(count + 1), said)}
    for field in FLAT:
        if field.name in columns:
            arrays[field.name] = pa.array(columns[field.name], field.type)
        elif field.name not in arrays and pa.types.is_list(field.type):
            arrays[field.name] = _lists(field.name, [0] * (count + 1), pa.nulls(0, field.type.value_type))
    empty = {field.name: pa.nulls(count, field.type) for field in FLAT if field.name not in arrays}
    return _flat({**arrays, **empty})


def _flat(arrays: Mapping[str, pa.Array]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([arrays[name] for name in FLAT.names], schema=FLAT)


def _lists(column: str, ends: Iterable[int], values: pa.Array) -> pa.Array:
    """A column of lists, which end so."""
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), values, FLAT.field(column).type)


def _with_roles(roles: pa.Array, texts: pa.Array) -> pa.Array:
    return pa.StructArray.from_arrays([roles, texts], fields=list(FLAT.field("texts").type.value_type))


class _Texts:
    """A column of lists of texts, in the parts of `TEXT`."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._words: list[list[str | None] | None] = []
        self._tags: list[list[list[int]] | None] = []
        self.ends = [0]

    def add(self, texts: Iterable[TaggedText], item: Item) -> None:
        """One list; the item is the one that they point into."""
        labels: tuple[str, ...] | None = None
        for text in texts:
            tokens = text.tokens
            if text.is_plain:  # as most are
                self._text.append(str(tokens[0]))
                self._words.append(None)
                self._tags.append(None)
                continue
            labels = item.labels if labels is None else labels
            self._text.append(text.bracketed(labels))
            self._words.append([token if type(token) is str else None for token in tokens])
            self._tags.append([list(token) for token in tokens if type(token) is tuple])
        self.ends.append(len(self._text))

    def array(self) -> pa.Array:
        """All texts, whatever list they are in."""
        return _struct_array(TEXT, {"text": self._text, "words": self._words, "tags": self._tags})


def _listed(lists: Iterable[Sized], values: pa.Array, kind: pa.DataType) -> pa.Array:
    """Values cut into lists that are as long as these."""
    ends = pa.array(accumulate(map(len, lists), initial=0), pa.int32())
    return pa.ListArray.from_arrays(ends, values, kind)


def _scenes_array(scenes: Sequence[Scene]) -> pa.Array:
    regions = [region for scene in scenes for region in scene.regions]
    relations = [relation for scene in scenes for relation in scene.relations]
    columns = {
        "image": [scene.image for scene in scenes],
        "stored": [scene.stored for scene in scenes],
        "width": [scene.width for scene in scenes],
        "height": [scene.height for scene in scenes],
        "extra": [_json(scene.extra) for scene in scenes],
    }
    arrays = {name: pa.array(values, SCENE.field(name).type) for name, values in columns.items()}
    shown = _struct_array(REGION, {
        "label": [region.label for region in regions],
        "box": [None if (box := region.box) is None else (box.left, box.top, box.right, box.bottom)
                for region in regions],
        "score": [region.score for region in regions],
        "polygons": [region.polygons for region in regions],
        "attributes": [region.attributes for region in regions],
        "id": [region.id for region in regions],
    })  # fmt: skip
    arrays["regions"] = _listed((scene.regions for scene in scenes), shown, SCENE.field("regions").type)
    told = _struct_array(RELATION, {
        "subject": [relation.subject for relation in relations],
        "predicate": [relation.predicate for relation in relations],
        "object": [relation.object for relation in relations],
    })  # fmt: skip
    arrays["relations"] = _listed((scene.relations for scene in scenes), told, SCENE.field("relations").type)
    return pa.StructArray.from_arrays([arrays[field.name] for field in SCENE], fields=list(SCENE))


def _struct_array(kind: pa.StructType, columns: Mapping[str, Sequence[Any]]) -> pa.Array:
    parts = [pa.array(columns[field.name], field.type) for field in kind]
    return pa.StructArray.from_arrays(parts, fields=list(kind))


def to_row(item: Item) -> dict[str, Any]:
    """One item as a row."""
    row: dict[str, Any] = to_batch([item]).to_pylist()[0]
    return row


def from_page(page: Page) -> Iterator[Item]:
    """The items of a page; those that show the same scene share it."""
    columns = [page.flat.column(name).to_pylist() for name in FLAT.names]
    shown = [page.scenes[place] for place in page.places]
    for start, end, *values in zip(page.ends[:-1], page.ends[1:], *columns, strict=True):
        yield _item(dict(zip(FLAT.names, values, strict=True)), tuple(shown[start:end]))


def from_row(row: dict[str, Any]) -> Item:
    """The item that `to_row` was given."""
    return _item(row, tuple([_scene(scene) for scene in row["scenes"]]))


def _item(row: dict[str, Any], scenes: tuple[Scene, ...]) -> Item:
    return Item(
        id=row["id"],
        split=row["split"],
        scenes=scenes,
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


def _json(value: dict[str, Any]) -> bytes | None:
    return as_json(value) if value else None


def _value(text: str | None) -> dict[str, Any]:
    return msgspec.json.decode(text) if text else {}


def _text(row: dict[str, Any]) -> TaggedText:
    if row["words"] is None:
        return TaggedText.plain(row["text"])
    tags = iter(row["tags"])
    return TaggedText(tuple([tuple(next(tags)) if word is None else word for word in row["words"]]))


def _gold_row(gold: Given | None) -> tuple[str | None, int | None, bool | None, str | None, int | None]:
    """The columns of `GOLD`."""
    match gold:
        case None:
            return None, None, None, None, None
        case Pick(index):
            return "pick", index, None, None, None
        case Verdict(value):
            return "verdict", None, value, None, None
        case FreeText(text):
            return "text", None, None, text, None
        case Grounded(text, object_id):
            return "grounded", None, None, text, object_id


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
    polygons = row.get("polygons")  # absent where outlines were not read
    return Region(
        row["label"],
        None if row["box"] is None else Box(*row["box"]),
        None if polygons is None else tuple([tuple([(x, y) for x, y in shape]) for shape in polygons]),
        row["score"],
        tuple(row["attributes"]),
        row["id"],
    )
