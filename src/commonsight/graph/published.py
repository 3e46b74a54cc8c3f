"""Programs as CRIC publishes them, in our words: its relations are phrases, and functions are spelled in
several ways.

Questions of our own already have these words, and stay as they are.
"""

from __future__ import annotations

from msgspec import structs

from commonsight.core.program import FUNCTIONS, Program, Step

PHRASES = {
    "is a type of": "IsA",
    "is used for": "UsedFor",
    "can": "CapableOf",
    "at": "AtLocation",
    "is": "HasProperty",
    "has": "HasA",
    "requires": "HasPrerequisite",
    "can be": "ReceivesAction",
    "has subevent": "HasSubevent",
    "is made from": "MadeFrom",
}
"""How items of knowledge say their relations (CRIC, Figure 4 (a)). IsA-Taxonomy has the phrase of IsA, which
is the everyday one and the one that questions are asked by."""

_KNOWN = {name.lower().replace("_", " "): name for name in FUNCTIONS} | {"find hypyernym": "Find_Hypernym"}


def function_name(name: str) -> str | None:
    """The function's name as `core.program` spells it: files write `Find KG`, `Find_KG` or `find_kg`."""
    return _KNOWN.get(name.lower().replace("_", " ").strip())


def in_our_words(program: Program) -> Program:
    """The same program with functions and relations as the executor calls them; what is unknown stays."""
    return Program(tuple(map(_in_our_words, program.steps)))


def _in_our_words(step: Step) -> Step:
    name, texts = function_name(step.function) or step.function, step.text_input
    if name.startswith("Find_KG") and texts is not None and len(texts) == 3:
        head, relation, tail = texts
        texts = head, PHRASES.get(relation.strip().lower(), relation), tail
    if name == step.function and texts == step.text_input:
        return step
    return structs.replace(step, function=name, text_input=texts)
