"""What each published system is pre-trained on, and how; and any other choice of objectives."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from torch import nn

from commonsight.errors import UsageError
from commonsight.models.engine.recipe import Recipe
from commonsight.models.layers.bert import begun
from commonsight.models.pretraining.alignment import WordRegions
from commonsight.models.pretraining.image_text import ImageText
from commonsight.models.pretraining.masked_regions import RegionClasses, RegionFeatures
from commonsight.models.pretraining.masked_words import MaskedWords
from commonsight.models.pretraining.masking import Marks
from commonsight.models.pretraining.objective import Pretraining
from commonsight.models.pretraining.scene_graph import SceneGraph
from commonsight.models.states import CrossModal

_SPREAD = 0.02
"""BERT's own."""

Maker = Callable[[CrossModal, Any, int], nn.Module]
"""From a network, its tokenizer and how many classes objects have."""

MAKERS: dict[str, Maker] = {
    "masked-words": lambda network, tokens, _: MaskedWords(network.text_dim, Marks.of(tokens)),
    "region-features": lambda network, *_: RegionFeatures(network.region_dim, network.regions.dim),
    "region-classes": lambda network, _, classes: RegionClasses(
        network.region_dim, network.regions.dim, classes
    ),
    "matching": lambda network, *_: ImageText(network.pooled_dim),
    "alignment": lambda network, tokens, _: _alignment(network, tokens),
    "objects": lambda network, tokens, _: SceneGraph("object", network.text_dim, tokens),
    "attributes": lambda network, tokens, _: SceneGraph("attribute", network.text_dim, tokens),
    "relations": lambda network, tokens, _: SceneGraph("relation", network.text_dim, tokens),
}
"""Every objective there is, by name."""
OBJECTIVES = tuple(MAKERS)


@dataclass(frozen=True)
class System:
    """How one network is pre-trained."""

    network: str
    """Its name in the catalogue."""
    objectives: tuple[str, ...]
    paper: Recipe
    one_a_step: bool = False
    """Whether each step draws one of the objectives."""


SMALL = Recipe(
    epochs=30, batch=32, optimiser="adamw", rate=5e-4, decay=0.01, warm_up=0.1, plateau=None, patience=8
)
"""For small networks that learn from nothing, a few thousand texts and a CPU."""

VL_BERT = System(
    "vl-bert",
    ("masked-words", "region-classes"),
    Recipe(
        epochs=10,
        batch=128,
        accumulate=4,
        optimiser="adamw",
        rate=256 * 1e-7,
        decay=1e-4,
        clip=10.0,
        warm_up_steps=16_000,
        plateau=None,
    ),
)
"""Su et al., section 3.3; matching is left out, for the authors found that it hurts. Numbers of the released
settings, with 32 captions, and 32 texts without a picture, on each of 4 devices; here all have a picture."""

UNITER = System(
    "uniter",
    ("masked-words", "region-features", "region-classes", "matching", "alignment"),
    Recipe(
        epochs=1000,
        steps=45_000,
        batch=768,
        accumulate=16,
        optimiser="adamw",
        rate=3e-5,
        decay=0.01,
        clip=None,
        warm_up_steps=4500,
        plateau=None,
    ),
    one_a_step=True,
)
"""Chen et al., section 3.2; a step hides either words or regions, never both. Numbers are those of the
released settings for pre-training on a benchmark's own texts, VCR's. They count a batch in places of the
sequence, 98,304 of them: 768 texts of 128 each."""

ERNIE_VIL = System(
    "ernie-vil",
    ("masked-words", "region-classes", "matching", "objects", "attributes", "relations"),
    Recipe(
        epochs=1000,
        steps=700_000,
        batch=512,
        accumulate=16,
        optimiser="adamw",
        rate=1e-4,
        decay=0.01,
        warm_up=0.01,
        plateau=None,
    ),
)
"""Yu et al., section 3.2. Steps and batch are the paper's; rate, decay and how the rate falls are a common
choice for such a batch. Each objective has a head of its own, where the authors' have one for all words."""

SYSTEMS: tuple[System, ...] = (VL_BERT, UNITER, ERNIE_VIL)


def system_of(name: str, title: str) -> System:
    """How the network of this name is pre-trained."""
    for system in SYSTEMS:
        if system.network == name:
            return system
    known = ", ".join(system.network for system in SYSTEMS)
    raise UsageError(f"{title} is not pre-trained on texts with pictures. Choose one of {known}.")


def read_objectives(text: str) -> tuple[str, ...]:
    """Names with commas between, as a person writes them; always in the one order, none of them twice."""
    named = {part.strip() for part in text.split(",")} - {""}
    for name in sorted(named - set(OBJECTIVES)):
        close = difflib.get_close_matches(name.lower(), OBJECTIVES, n=2, cutoff=0.5)
        told = f"Did you mean {' or '.join(close)}?" if close else f"Choose among {', '.join(OBJECTIVES)}."
        raise UsageError(f"--objectives: there is no objective {name!r}. {told}")
    if not named:
        raise UsageError(f"--objectives names none. Choose among {', '.join(OBJECTIVES)}.")
    return tuple(name for name in OBJECTIVES if name in named)


def pretraining(
    network: CrossModal, tokenizer: Any, classes: int, names: Sequence[str], *, one_a_step: bool = False
) -> Pretraining:
    """The network with these objectives, whose heads begin at random."""
    if not isinstance(network, nn.Module):
        raise TypeError(f"a {type(network).__name__} is no module, and cannot be trained")
    objectives = [MAKERS[name](network, tokenizer, classes) for name in names]
    for objective in objectives:
        begun(objective, _SPREAD)
    return Pretraining(network, objectives, one_a_step=one_a_step)


def vl_bert_pretraining(network: CrossModal, tokenizer: Any, classes: int) -> Pretraining:
    """As VL-BERT's authors do."""
    return _published(VL_BERT, network, tokenizer, classes)


def uniter_pretraining(network: CrossModal, tokenizer: Any, classes: int) -> Pretraining:
    """As UNITER's authors do."""
    return _published(UNITER, network, tokenizer, classes)


def ernie_vil_pretraining(network: CrossModal, tokenizer: Any, classes: int) -> Pretraining:
    """As ERNIE-ViL's authors do."""
    return _published(ERNIE_VIL, network, tokenizer, classes)


def _published(system: System, network: CrossModal, tokenizer: Any, classes: int) -> Pretraining:
    return pretraining(network, tokenizer, classes, system.objectives, one_a_step=system.one_a_step)


def _alignment(network: CrossModal, tokenizer: Any) -> WordRegions:
    if network.text_dim != network.region_dim:
        raise UsageError(
            f"--objectives: alignment compares words and objects, and here words have {network.text_dim} "
            f"numbers and objects {network.region_dim}. Leave it out, or choose a network of one stream."
        )
    return WordRegions(Marks.of(tokenizer))
