"""What a campaign leaves behind, to take along: a dataset, raw annotations, every answer.

Each is written to a folder of its own first and sent from there, piece by piece, so that a large campaign
needs no more memory than a small one; the folder goes when it is sent.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from fastapi import APIRouter, Request
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from commonsight.collect import export
from commonsight.collect.desk import Desk
from commonsight.web.collect.access import Id, Me, desk_of, limits_of, member
from commonsight.web.collect.api.common import api_router
from commonsight.web.collect.limits import too_many
from commonsight.web.collect.showing import campaign_page

router = APIRouter(prefix="/campaigns/{campaign_id}", include_in_schema=False)
api = api_router("/campaigns/{campaign_id}", "owner")

Kind = Literal["dataset.zip", "raw.jsonl", "answers.jsonl"]
JSON_LINES = "application/jsonl"
PACKED = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".parquet"})
"""Files that do not get smaller by packing them once more."""
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""In every archive, so that the same records give the same bytes."""


@router.get("/export")
def exports(request: Request, campaign_id: Id) -> Response:
    """What there is to take along."""
    me = member(request, campaign_id, "owner")
    return campaign_page(request, me, "collect/owner_export.html")


@router.get("/export/{kind}")
def download(request: Request, campaign_id: Id, kind: Kind) -> Response:
    """One of them, as a file."""
    return _sent(request, member(request, campaign_id, "owner"), kind)


@api.get("/export/{kind}", response_class=FileResponse, responses={200: {"description": "The file."}})
def download_by_program(request: Request, campaign_id: Id, kind: Kind) -> Response:
    """The records as a dataset or in the raw form that matching reads, or every answer, as a file."""
    return _sent(request, member(request, campaign_id, "owner"), kind)


def _sent(request: Request, me: Me, kind: Kind) -> Response:
    too_many(limits_of(request).exports.take(f"user {me.who.user_id}"))
    name = slug(me.name)
    write, media_type = _WRITERS[kind]
    folder = Path(tempfile.mkdtemp(prefix="commonsight-export-"))
    try:
        path = write(desk_of(request), me.campaign_id, folder, name)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return FileResponse(
        path,
        media_type=media_type,
        filename=f"{name}-{kind}" if kind != "dataset.zip" else f"{name}.zip",
        headers={"cache-control": "no-store"},
        background=BackgroundTask(shutil.rmtree, folder, ignore_errors=True),
    )


def slug(name: str) -> str:
    """A campaign's name as that of a file."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "campaign"


def _dataset(desk: Desk, campaign_id: int, folder: Path, name: str) -> Path:
    dataset = folder / name
    export.export_dataset(desk, campaign_id, dataset, name=name)
    archive = folder / "dataset.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(each for each in dataset.rglob("*") if each.is_file()):
            entry = zipfile.ZipInfo(str(path.relative_to(folder)), LONG_AGO)
            entry.compress_type = zipfile.ZIP_STORED if path.suffix in PACKED else zipfile.ZIP_DEFLATED
            with path.open("rb") as source, packed.open(entry, "w") as target:
                shutil.copyfileobj(source, target)
    shutil.rmtree(dataset)
    return archive


def _raw(desk: Desk, campaign_id: int, folder: Path, _: str) -> Path:
    export.export_raw(desk, campaign_id, folder / "raw.jsonl")
    return folder / "raw.jsonl"


def _answers(desk: Desk, campaign_id: int, folder: Path, _: str) -> Path:
    export.export_all(desk, campaign_id, folder / "answers.jsonl")
    return folder / "answers.jsonl"


_Writer = Callable[[Desk, int, Path, str], Path]
_WRITERS: dict[str, tuple[_Writer, str]] = {
    "dataset.zip": (_dataset, "application/zip"),
    "raw.jsonl": (_raw, JSON_LINES),
    "answers.jsonl": (_answers, JSON_LINES),
}
