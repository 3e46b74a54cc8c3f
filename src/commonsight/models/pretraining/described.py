"""Texts that are true of their picture: what is asked, together with the right choice."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TypeVar

import torch
from torch import Tensor

from commonsight.models.features.batch import Batch, Pieces, Seen
from commonsight.models.states import shown

_T = TypeVar("_T", Pieces, Seen)


def described(batch: Batch) -> Batch:
    """The questions whose right choice is known, with that choice alone."""
    pieces, seen = shown(batch)
    rows = (batch.gold >= 0).nonzero().squeeze(1)
    gold = batch.gold[rows]
    true = {field.name: getattr(pieces, field.name)[rows, gold][:, None] for field in fields(pieces)}
    return replace(
        batch,
        choices=batch.choices.new_ones(len(rows), 1),
        gold=torch.zeros_like(gold),
        pieces=replace(pieces, **true),
        seen=_rows(seen, rows),
        query=None,
        responses=None,
    )


def told_of_others(batch: Batch, mates: Tensor) -> Batch:
    """Each picture with the text of another question, (batch): its number.

    What the text points to is looked for at the same place of this picture, and where that has no object it
    is the whole picture.
    """
    pieces, seen = shown(batch)
    moved = _rows(pieces, mates)
    known = seen.mask.gather(1, moved.objects.flatten(1))
    objects = moved.objects * known.reshape(moved.objects.shape)
    return replace(batch, pieces=replace(moved, objects=objects))


def _rows(part: _T, rows: Tensor) -> _T:
    found = {field.name: getattr(part, field.name) for field in fields(part)}
    shared = {"maps"}  # by picture, not by question
    kept = {name: each[rows] for name, each in found.items() if each is not None and name not in shared}
    return replace(part, **kept)
