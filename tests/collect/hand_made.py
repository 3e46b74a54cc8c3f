"""Finished tasks by hand, for tests of what a protocol makes of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from commonsight.collect.protocol import Done, NewTask, Protocol, Said


def done(
    protocol: Protocol,
    task: NewTask,
    *answers: Mapping[str, Any],
    first: int = 1,
    seed: int = 7,
    changed: Mapping[str, Any] | None = None,
) -> Done:
    """A task as it comes from the database; its assignments count from `first`, its workers from 101 on."""
    defaults = {name: setting.default for name, setting in protocol.settings.items()}
    said = tuple(Said(number, number + 100, one) for number, one in enumerate(answers, first))
    payload = json.loads(msgspec.json.encode(task.payload))
    return Done(task.key, task.stage, payload, said, defaults | dict(changed or {}), seed, task.about)
