"""Every topic that questions are asked about, with the share of each kind of knowledge."""

from __future__ import annotations

from commonsight.world.aokvqa import looks, tables
from commonsight.world.aokvqa.concluded import WHY, concluded
from commonsight.world.aokvqa.known import BEHAVIOUR, known_of
from commonsight.world.aokvqa.looks import by_look, by_name, by_scene
from commonsight.world.aokvqa.topic import KnowledgeType, Topic

SHARES: dict[KnowledgeType, float] = {
    "visual": 0.44, "commonsense": 0.36, "knowledge base": 0.18, "physical": 0.03,
}  # fmt: skip
"""Shares of a random subset of the benchmark (the paper's Figure 2b)."""

PULL: dict[KnowledgeType, float] = {
    "visual": 0.43, "commonsense": 0.33, "knowledge base": 0.28, "physical": 0.035,
}  # fmt: skip
"""How often each kind is tried so that those shares come out: some tries come to nothing."""

_CLOTHES = ("outfit", "hat", "holds", "next_to", "sits_on")

_NAMED_KIND = ("name", "clue")
"""Topics that ask of one category only may name it."""

TOPICS: dict[str, Topic] = {
    topic.name: topic
    for topic in (
        looks.MATERIAL, looks.DRIVERS, looks.SEASON, looks.WORN, looks.PAINTED, looks.UNDER,
        by_look("dressed for", "outfit", tables.DRESSED_FOR, tables.MORE_EVENTS, scatter=0.45),
        by_look("hat against", "hat", tables.HATS_FOR, tables.MORE_DANGERS),
        by_look("hat at", "hat", tables.HATS_AT, tables.MORE_HAT_PLACES, scatter=0.45),
        by_scene("time of day", "light", tables.TIMES, tables.MORE_TIMES, rare=0.4),
        by_scene("meal", "light", tables.MEALS, tables.MORE_MEALS, rare=0.4),
        by_scene("weather", "weather", tables.WEATHERS, tables.MORE_WEATHERS, rare=0.3),
        by_name("shape", "visual", tables.SHAPES, tables.MORE_SHAPES, tables.SHAPES_ALIKE),
        concluded("occupation", "occupation", "visual", _CLOTHES, scatter=0.4, rare=2.0),
        concluded("place", "at", "visual", (), scatter=0.35, rare=0.7),
        concluded("when", "time", "visual", (), scatter=0.35, rare=0.2),
        concluded("doing", "doing", "commonsense", ("pose", "holds", "sits_on"), scatter=0.45, rare=1.2),
        concluded("feels", "feels", "commonsense", ("expression", "pose", "holds"), scatter=0.45),
        concluded("wants", "wants", "commonsense", ("holds", "pose"), scatter=0.75),
        concluded("next", "next", "commonsense", ("holds", "pose"), scatter=0.7, rare=1.5),
        concluded("related", "related", "commonsense", ("age",), scatter=0.5),
        concluded("happened", "happened", "commonsense", ("state", "clue", "name"), scatter=0.5),
        WHY,
        known_of("used for", "UsedFor", scatter=0.6),
        known_of("made from", "MadeFrom", scatter=0.45),
        known_of("kind", "IsA", scatter=0.35),
        known_of("taxonomy", "IsA-Taxonomy", scatter=0.5),
        known_of("found at", "AtLocation", scatter=0.55),
        known_of("capable of", "CapableOf", scatter=0.6),
        known_of("has", "HasA", scatter=0.5),
        known_of("receives", "ReceivesAction", scatter=0.5),
        known_of("is like", "HasProperty", scatter=0.6),
        by_name("sound", "knowledge base", tables.SOUNDS, tables.MORE_SOUNDS, hides=_NAMED_KIND),
        by_name("young", "knowledge base", tables.YOUNG, tables.MORE_YOUNG, hides=_NAMED_KIND),
        by_name("feeds on", "knowledge base", tables.FEEDS_ON, tables.MORE_FEED, hides=_NAMED_KIND),
        by_name("grows on", "knowledge base", tables.GROWS_ON, tables.MORE_GROWTH, hides=_NAMED_KIND),
        by_name("runs on", "knowledge base", tables.RUNS_ON, tables.MORE_POWER, tables.POWERS_ALIKE),
        by_name("sounds by", "knowledge base", tables.INSTRUMENTS, tables.MORE_SOUND_PARTS),
        BEHAVIOUR,
    )
}  # fmt: skip
