"""What a trained network writes becomes an answer: in words, or the choice that it means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import structs

from commonsight.core.answer import FreeText, Unparsed, Verdict
from commonsight.core.benchmark import Ask
from commonsight.errors import UsageError
from commonsight.models.assembly import Assembled
from commonsight.models.catalogue_entry import Entry
from commonsight.models.engine.evaluate import Predicted
from commonsight.models.engine.team import Team
from commonsight.models.features.source import Source
from commonsight.models.language_models import refuse_longer
from commonsight.models.writing.evaluating import writings
from commonsight.models.writing.style import Decoding, Writes
from commonsight.runs.choosing import Chosen, Nearest

_VERDICTS = {"true": True, "false": False}


def how_to_write(entry: Entry, *, beam: int | None, longest: int | None) -> Writes | None:
    """How a network writes, if it does: as its paper has it, unless a person says otherwise."""
    told = {name: one for name, one in (("beam", beam), ("longest", longest)) if one is not None}
    if entry.writes is None:
        if told:
            raise UsageError(f"--{', --'.join(told)}: {entry.title} writes nothing. Leave it out.")
        return None
    return replace(
        entry.writes,
        answer=structs.replace(entry.writes.answer, **told),
        rationale=structs.replace(entry.writes.rationale, **told),
    )


def told_of_writing(writes: Writes | None, tasks: Iterable[str]) -> dict[str, Any]:
    """For a run's provenance."""
    if writes is None:
        return {}
    return {"writes": {task: msgspec.to_builtins(writes.decoding(task)) for task in tasks}}


def texts_of(
    built: Assembled, source: Source, size: int, how: Decoding, *, team: Team, wanted: list[bool]
) -> Iterator[Predicted]:
    """What the network writes for each question that is wanted, and for others that are read with them."""
    assert built.transformer is not None  # it writes with that
    refuse_longer(built.transformer, how.longest)
    return writings(
        built.network,
        source,
        size,
        how,
        tokenizer=built.transformer.tokenizer,
        team=team,
        wanted=wanted.__getitem__,
    )


def meant(ask: Ask, text: str, nearest: Nearest | None) -> Chosen:
    """The answer that a text is: itself, a verdict, or the nearest of the choices."""
    if ask.expects == "text":
        return Chosen(FreeText(text))
    if ask.expects == "verdict":
        value = _VERDICTS.get(text.lower())
        return Chosen(Unparsed(text, "it is neither True nor False") if value is None else Verdict(value))
    assert nearest is not None  # whoever learned to write choices has one
    return nearest.pick(ask, text)
