"""What each published system is pre-trained on."""

from __future__ import annotations

from typing import Any

from torch import nn

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


def vl_bert_pretraining(network: CrossModal, tokenizer: Any, classes: int) -> Pretraining:
    """Masked words and classes of masked regions (Su et al., section 3.3). Matching texts is left out: the
    authors found that it hurts."""
    words = MaskedWords(network.text_dim, Marks.of(tokenizer))
    return _together(network, [words, _classes(network, classes)])


def uniter_pretraining(network: CrossModal, tokenizer: Any, classes: int) -> Pretraining:
    """Masked words, features and classes of masked regions, matching and alignment (Chen et al., section
    3.2); each step draws one, and hides either words or regions, never both."""
    marks = Marks.of(tokenizer)
    objectives = [
        MaskedWords(network.text_dim, marks),
        RegionFeatures(network.region_dim, network.regions.dim),
        _classes(network, classes),
        ImageText(network.pooled_dim),
        WordRegions(marks),
    ]
    return _together(network, objectives, one_a_step=True)


def ernie_vil_pretraining(network: CrossModal, tokenizer: Any, classes: int) -> Pretraining:
    """Masked words, classes of masked regions, matching, and objects, attributes and relations of the scene
    graph (Yu et al., section 3.2). Each has a head of its own, where the authors' have one for all words."""
    width = network.text_dim
    objectives = [
        MaskedWords(width, Marks.of(tokenizer)),
        _classes(network, classes),
        ImageText(network.pooled_dim),
        SceneGraph("object", width, tokenizer),
        SceneGraph("attribute", width, tokenizer),
        SceneGraph("relation", width, tokenizer),
    ]
    return _together(network, objectives)


def _classes(network: CrossModal, classes: int) -> RegionClasses:
    return RegionClasses(network.region_dim, network.regions.dim, classes)


def _together(
    network: CrossModal, objectives: list[nn.Module], *, one_a_step: bool = False
) -> Pretraining:
    if not isinstance(network, nn.Module):
        raise TypeError(f"a {type(network).__name__} is no module, and cannot be trained")
    for objective in objectives:
        begun(objective, _SPREAD)
    return Pretraining(network, objectives, one_a_step=one_a_step)
