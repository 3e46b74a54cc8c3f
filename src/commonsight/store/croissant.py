"""Croissant 1.0 metadata of a dataset folder, so that dataset search and loaders understand it as it is.

Only what a Croissant reader can load truthfully is described as a field. JSON paths reach into a list of
structures, not into a second list below it, so a scene's regions and relations are named in its description
instead: a field that quietly loads as nothing would be worse than none. No date is given, because a dataset
knows no clock; `datePublished` is for whoever publishes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from glob import escape
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa

from commonsight.store.images import ENDINGS
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.rows import SCHEMA

DRAWN = "The pictures are drawn by a program; no figure on this dataset is a figure on the real benchmark."
"""Said wherever a drawn dataset describes itself."""

LICENCE_URLS = {
    "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "CC BY 4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "MIT": "https://opensource.org/license/mit",
}
"""Addresses of licences that stand alone; a licence with conditions or exceptions stays the text it is."""

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that the Croissant 1.0 specification gives, whole: readers warn about any other."""

_PARQUET = "application/x-parquet"
_ITEM_FILES = "item-files"
_IMAGE_FILES = "image-files"

_ABOUT = {
    "id": "The item's id, unique in its split.",
    "split": "The split that the item belongs to.",
    "scenes": "The pictures: one, or two where the benchmark compares them.",
    "texts": "What is given, by role: question, premise, sentence, caption.",
    "choices": "The answers to choose from.",
    "gold_kind": "Of which kind the right answer is: pick, verdict, text or grounded.",
    "gold_choice": "The right choice, counted from zero.",
    "gold_verdict": "The right verdict: true or false.",
    "gold_text": "The right answer in words.",
    "gold_object": "The id of the object that the right answer points to.",
    "rationales": "Rationales to choose from, or several that are all right.",
    "gold_rationale": "The right rationale, counted from zero.",
    "direct_answers": "Answers that people gave in their own words.",
    "target": "Ids of the objects that a grounded answer may point to.",
    "program": "The program that computes the answer, as JSON.",
    "groups": "What the item shares with others, such as movie, image or sentence, as JSON.",
    "provenance": "How the item came to be, as JSON.",
    "extra": "What the source says beyond this, as JSON.",
}


def croissant(info: DatasetInfo) -> dict[str, Any]:
    """The content of `croissant.json`. The same info gives the same value."""
    name = info.name or info.title or info.benchmark or "dataset"
    return {
        "@context": dict(_CONTEXT),
        "@type": "sc:Dataset",
        "name": name,
        **({"alternateName": info.title} if info.title else {}),
        "description": _description(info, name),
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "license": LICENCE_URLS.get(info.licence, info.licence) or "Not stated",
        "url": info.homepage or "./",  # without a page, the dataset is where this file lies
        "citeAs": info.citation or _own_citation(info, name),
        **({"version": info.version} if info.version else {}),
        "isLiveDataset": False,
        "isBasedOn": [
            {"@type": "sc:MediaObject", "name": source.name, "sha256": source.sha256}
            for source in info.made.sources
        ],
        "rai:dataPreprocessingProtocol": how_made(info.made),
        "distribution": [*_split_files(info), *_file_sets(info)],
        "recordSet": [*_record_sets(info)],
    }


def how_made(made: Made) -> str:
    """How a dataset came to be, a sentence each for the verb, the seed and the options."""
    tool = f"`commonsight {made.by}`" if made.by else "Commonsight"
    version = f" (version {made.commonsight})" if made.commonsight else ""
    sentences = [f"Made by {tool}{version}."]
    sentences.append("No seed was used." if made.seed is None else f"The seed is {made.seed}.")
    if made.options:
        options = msgspec.json.encode(made.options, order="deterministic").decode()
        sentences.append(f"Options: {options}.")
    return " ".join(sentences)


def _description(info: DatasetInfo, name: str) -> str:
    about = info.description or f"{info.items} items of {info.title or info.benchmark or name}."
    return f"{about} {DRAWN}" if info.drawn else about


def _own_citation(info: DatasetInfo, name: str) -> str:
    version = f", version {info.version}" if info.version else ""
    return f"{info.title or name}{version}. {how_made(info.made)}"


def _split_files(info: DatasetInfo) -> Iterator[dict[str, Any]]:
    for split, entry in info.splits.items():
        yield {
            "@type": "cr:FileObject",
            "@id": _identifier(entry.file),
            "name": entry.file,
            "description": f"The {entry.items} items of the split {split}.",
            "contentUrl": entry.file,
            "encodingFormat": _PARQUET,
            "sha256": entry.sha256,
        }


def _identifier(text: str) -> str:
    """An id of its own for any text; readers refuse whitespace in ids, even in its URL form."""
    return re.sub(r"[^A-Za-z0-9._-]", lambda found: f"~{ord(found[0]):x}~", text)


def _file_sets(info: DatasetInfo) -> Iterator[dict[str, Any]]:
    if info.splits:
        yield {
            "@type": "cr:FileSet",
            "@id": _ITEM_FILES,
            "name": _ITEM_FILES,
            "description": "The files of all splits, which have the same columns.",
            "encodingFormat": _PARQUET,
            "includes": [escape(entry.file) for entry in info.splits.values()],
        }
    if info.images:
        yield {
            "@type": "cr:FileSet",
            "@id": _IMAGE_FILES,
            "name": _IMAGE_FILES,
            "description": f"{info.images} pictures, each once, under the SHA-256 of its content.",
            "encodingFormat": [f"image/{kind.lower()}" for kind in ENDINGS],
            "includes": [f"images/*/*.{ending}" for ending in ENDINGS.values()],
        }


def _record_sets(info: DatasetInfo) -> Iterator[dict[str, Any]]:
    if info.splits:
        yield _splits(info)
        yield {
            "@type": "cr:RecordSet",
            "@id": "items",
            "name": "items",
            "description": "The items of all splits, one a record.",
            "key": [{"@id": "items/id"}, {"@id": "items/split"}],
            "field": [_column(column) for column in SCHEMA],
        }
    if info.images:
        yield _pictures()


def _splits(info: DatasetInfo) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": "splits",
        "name": "splits",
        "description": "The splits, and how many items each holds.",
        "dataType": "cr:Split",
        "key": {"@id": "splits/name"},
        "field": [
            _field("splits/name", dataType="sc:Text"),
            _field("splits/items", dataType="sc:Integer"),
        ],
        "data": [{"splits/name": split, "splits/items": entry.items} for split, entry in info.splits.items()],
    }


def _pictures() -> dict[str, Any]:
    def source(what: str) -> dict[str, Any]:
        return {"fileSet": {"@id": _IMAGE_FILES}, "extract": {"fileProperty": what}}

    return {
        "@type": "cr:RecordSet",
        "@id": "images",
        "name": "images",
        "description": "The pictures; `stored` is what the items' scenes call them.",
        "key": {"@id": "images/stored"},
        "field": [
            _field("images/stored", dataType="sc:Text", source=source("fullpath")),
            _field("images/content", dataType="sc:ImageObject", source=source("content")),
        ],
    }


def _field(path: str, **properties: Any) -> dict[str, Any]:
    return {"@type": "cr:Field", "@id": path, "name": path.rpartition("/")[2], **properties}


def _column(column: pa.Field) -> dict[str, Any]:
    """A column of the items' schema as a field; a list of structures gets a subfield for each part."""
    path, about = f"items/{column.name}", _ABOUT.get(column.name, "")
    kind = _kind(column.type)
    if not pa.types.is_struct(kind.scalar):
        references = {"references": {"field": {"@id": "splits/name"}}} if column.name == "split" else {}
        return _field(path, description=about, **_typed(kind), source=_source(column.name), **references)
    parts = dict(_parts(kind.scalar))
    beyond = [name for name, part in parts.items() if pa.types.is_struct(_kind(part).scalar)]
    if beyond:
        about += f" Beyond Croissant's reach, and so only in the file: {', '.join(beyond)}."
    fields = [
        _field(f"{path}/{name.rpartition('.')[2]}", **_typed(_kind(part)), source=_source(column.name, name))
        for name, part in parts.items()
        if name not in beyond
    ]
    return _field(path, description=about, **_repeated(kind), subField=fields)


def _parts(kind: pa.StructType, prefix: str = "") -> Iterator[tuple[str, pa.DataType]]:
    """The parts of a structure by their JSON path; a structure in a structure is laid flat."""
    for part in kind:
        if pa.types.is_struct(part.type):
            yield from _parts(part.type, f"{prefix}{part.name}.")
        else:
            yield f"{prefix}{part.name}", part.type


def _source(column: str, json_path: str | None = None) -> dict[str, Any]:
    source: dict[str, Any] = {"fileSet": {"@id": _ITEM_FILES}, "extract": {"column": column}}
    return source if json_path is None else {**source, "transform": {"jsonPath": json_path}}


class _Kind(NamedTuple):
    """What lies at the bottom of lists of lists, and how many lists there are above it."""

    scalar: pa.DataType
    lists: int


def _kind(kind: pa.DataType) -> _Kind:
    lists = 0
    while pa.types.is_list(kind):
        kind, lists = kind.value_type, lists + 1
    return _Kind(kind, lists)


def _typed(kind: _Kind) -> dict[str, Any]:
    return {"dataType": _data_type(kind.scalar), **_repeated(kind)}


def _repeated(kind: _Kind) -> dict[str, Any]:
    return {"repeated": True} if kind.lists else {}


def _data_type(kind: pa.DataType) -> str:
    if pa.types.is_string(kind):
        return "sc:Text"
    if pa.types.is_boolean(kind):
        return "sc:Boolean"
    if pa.types.is_integer(kind):
        return "sc:Integer"
    if pa.types.is_floating(kind):
        return "sc:Float"
    raise TypeError(f"no Croissant data type stands for the Arrow type {kind}; add it to _data_type")
