"""torch and transformers, imported when first needed; a message names the extra where they are missing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple

from commonsight.errors import MissingExtra

EXTRA = "models"


class Libraries(NamedTuple):
    """What models are made with."""

    torch: Any
    transformers: Any


def libraries() -> Libraries:
    """Both, quiet: what they log about weights and lengths is either meant or made an error here."""
    # Tokenizers' own threads do not outlive a fork, and cost more than they gain beside a model.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    found = Libraries(_imported("torch"), _imported("transformers"))
    found.transformers.logging.set_verbosity_error()
    found.transformers.logging.disable_progress_bar()
    return found


def _imported(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtra(error.name or name, EXTRA) from error


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """torch's chance begins anew from a seed, and afterwards is as it was. Every step of a training asks for
    this, so transformers is left alone."""
    torch = _imported("torch")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


@contextmanager
def threads(count: int) -> Iterator[None]:
    """torch computes with so many threads while the block lasts.

    The last bit of a sum depends on how many threads share it. With one in every worker the result is the
    same for any number of workers; a process that was forked may not start torch's threads anyway.
    """
    torch = libraries().torch
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def use_threads(count: int | None) -> None:
    """Compute with so many threads from now on; without a number, as torch likes.

    Where torch is missing this says so, which importing what needs it would not.
    """
    torch = libraries().torch
    if count is not None:
        torch.set_num_threads(count)
