"""What the parts of a network that learns from programs do by themselves, on a split with programs."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from commonsight.errors import InputError, UsageError
from commonsight.models.assembly import Assembled
from commonsight.models.catalogue import find
from commonsight.models.engine.team import Team, refuse_several
from commonsight.models.features.source import Source
from commonsight.models.features.vocabulary import numbered
from commonsight.models.networks.nmn_cs.network import NMNCS
from commonsight.models.networks.nmn_cs.per_module import ModuleScore, layout_scores, per_module
from commonsight.models.networks.nmn_cs.truth import NMNCSGT
from commonsight.models.programs.learning import ReadRight
from commonsight.runs.labels import labelled
from commonsight.runs.lessons import examples, lessons, set_aside_told
from commonsight.runs.predicting import Asked, restored
from commonsight.runs.training import read_training


class ModuleReport(NamedTuple):
    """What there is to tell of a network: its layouts where it predicts them, its modules where it is given
    what is true."""

    model: str
    n: int
    layouts: ReadRight | None = None
    modules: tuple[ModuleScore, ...] = ()
    aside: str | None = None
    """What is told of programs that cannot be read, and so tell nothing of modules either."""


def module_report(trained: Path, asked: Asked) -> ModuleReport:
    """How well a trained network's parts do."""
    refuse_several("modules")
    plan = read_training(trained)
    entry = find(plan.network)
    if not entry.programs:
        raise UsageError(
            f"{trained} holds {entry.title}, which has no modules. Give one that learns from programs."
        )
    given = lessons(asked.dataset, plan.tasks, asked.only, entry=entry)
    items, task, team = given.items(asked.split), given.tasks[0], Team(asked.device)
    built = restored(trained / task.name, plan, asked)
    built.network.to(team.device)
    read = examples(entry, labelled(task, items, "judge modules by"))
    aside, read = set_aside_told(read), [one for one in read if not one.set_aside]
    without = [one.item for one in read if one.program is None]
    if without or not read:
        raise InputError(
            f"{asked.dataset}: {len(without)} of {len(read)} questions of {asked.split} have no program "
            f"({', '.join(without[:3])}). Choose a split that has them."
        )
    known = numbered(read, built.blueprint.known.answers)
    source = built.source(known, given.keeping(asked.features, items, told=asked.told))
    return _told(entry.title, built, source, team)._replace(aside=aside)


def _told(title: str, built: Assembled, source: Source, team: Team) -> ModuleReport:
    match built.network:
        case NMNCSGT() as network:
            return ModuleReport(title, len(source), modules=tuple(per_module(network, source, team)))
        case NMNCS() as network:
            return ModuleReport(title, len(source), layouts=layout_scores(network, source, team))
    raise UsageError(f"{title} tells nothing of its parts. Choose nmn-cs or nmn-cs-gt.")
