"""Phrases to graphs, by rules over part-of-speech tags (CRIC, Figure 5).

Noun phrases become nodes. What links them becomes edges: a verb leads from the event to its object, a
preposition from the event to what follows, "of" from one noun to the next.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from commonsight.core import inflect
from commonsight.core.english_nouns import words
from commonsight.graph.phrase import EVENT, Edge, Node, Phrase
from commonsight.graph.tagger import Tagger, bundled_tagger

NOBODY = words(
    """something someone somebody anything anyone anybody nothing nobody everything everyone everybody thing
    one lot bit way kind type sort part other"""
)
"""Nouns that name no object in particular; they become no nodes."""
MEASURES = words("piece pair kind type sort lot bit number amount couple slice bunch set group variety form")
"""Of these the noun after "of" is what counts: a pair of shoes is shoes."""

_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_DETERMINERS = ("DT", "PRP$", "CD", "PDT")
_INSIDE = (*_NOUNS, *_DETERMINERS, "JJ", "JJR", "JJS", "POS")
_LINKS = ("IN", "TO", "RP")
_COMPOUND_FIRST = words("living dining washing swimming sewing parking waiting boxing running walking hiking "
                        "cutting ironing frying baking shopping sleeping vending potted baked fried stuffed "
                        "mashed grilled used")  # fmt: skip
"""Verb forms that open names of things: "dining table"."""


class _Chunk(NamedTuple):
    start: int
    end: int
    name: str


def parse(
    phrase: Sequence[str],
    *,
    event: bool | None = None,
    whole: bool = False,
    names: Collection[str] = frozenset(),
    tagger: Tagger = bundled_tagger,
) -> Phrase:
    """The phrase as a graph.

    `event` says whether the first word is a verb; None leaves that to the tagger. `whole` is for one that
    names a thing ("hot dog"): adjectives belong to the name. Elsewhere they do where `names` has it so.
    """
    if not phrase:
        return Phrase(())
    full = inflect.singular(" ".join(phrase).lower())
    if whole and not event and full in names:
        return Phrase(tuple(phrase), (Node(full, 0, len(phrase)),))
    tags = list(tagger(phrase))
    if event and not tags[0].startswith("VB"):
        tags[0] = "VB"
    elif event is False:
        _read_as_name(tags)
    chunks = _chunks(phrase, tags, whole, names)
    nodes = tuple(Node(chunk.name, chunk.start, chunk.end) for chunk in chunks)
    return Phrase(tuple(phrase), nodes, _edges(phrase, tags, chunks))


def _read_as_name(tags: list[str]) -> None:
    """A name has no verb at its ends: "building", "store", "work surface"."""
    if tags[0] in ("VB", "VBP", "VBZ") or (tags[0] in ("VBG", "VBN") and tags[1:2] != ["NN"]):
        tags[0] = "NNS" if tags[0] == "VBZ" else "NN"
    if len(tags) == 1 and tags[0] not in _NOUNS:
        tags[0] = "NN"
    elif tags[-1] in ("VB", "VBG", "JJ") and tags[-2] in ("NN", "JJ", "DT"):
        tags[-1] = "NN"


def explained(phrase: Phrase, tagger: Tagger = bundled_tagger) -> bool:
    """Whether the rules account for every word: none left over, and no node that nothing leads to.

    Pronouns, modals, clauses and a second verb without a link are beyond the rules. Such a phrase has a graph
    too, but not of all that it says.
    """
    reached = {edge.target for edge in phrase.edges}
    if not all(number in reached for number in range(1, len(phrase.nodes))):
        return False
    inside = {at for node in phrase.nodes for at in range(node.start, node.end)}
    tags = tagger(phrase.words)
    return all(
        at in inside or _has_a_place(phrase.words[at].lower(), tags, at) for at in range(len(phrase.words))
    )


def _has_a_place(word: str, tags: Sequence[str], at: int) -> bool:
    """Whether a word outside all nodes is one that the rules know what to do with."""
    tag, before = tags[at], tags[at - 1] if at else ""
    if tag in ("VB", "VBP", "VBZ", "VBD", "VBG", "VBN"):
        return before in ("", "RB", "CC", "TO", "WP", "WDT", "IN") or tag in ("VBG", "VBN")
    if tag in ("WP", "WDT"):
        return at > 0 and tags[at + 1 : at + 2] not in ((), ("MD",))
    if tag in _NOUNS or tag in _DETERMINERS:
        return at == 0 or inflect.singular(word) in NOBODY or tags[at + 1 : at + 2] in (("NN",), ("NNS",))
    return tag in (*_LINKS, "CC", "RB", "RBR", "RBS", "JJ", "JJR", "JJS")


def _chunks(phrase: Sequence[str], tags: list[str], whole: bool, names: Collection[str]) -> list[_Chunk]:
    found: list[_Chunk] = []
    at = 0
    while at < len(phrase):
        end = _chunk_end(phrase, tags, at)
        if end == at:
            at += 1
            continue
        alone = whole and end == len(phrase) and all(tag in _DETERMINERS for tag in tags[:at])
        name = _name(phrase, tags, at, end, alone, names)
        if name:
            found.append(_Chunk(at, end, name))
        at = end
    return found


def _chunk_end(phrase: Sequence[str], tags: list[str], start: int) -> int:
    """Where the noun phrase that begins here ends; `start` itself where none begins."""
    end = start
    last_noun = start
    while end < len(phrase):
        tag = tags[end]
        opens_name = tag in ("VBG", "VBN") and phrase[end] in _COMPOUND_FIRST
        opens_name = opens_name and end + 1 < len(tags) and tags[end + 1] in _NOUNS
        if tag in ("VBG", "VBN", "VB") and end > start and end + 1 < len(tags):
            opens_name = tags[end - 1] in ("DT", "PRP$", "JJ") and tags[end + 1] in _NOUNS
        both = tag == "CC" and end > start and tags[end - 1] == "JJ" and tags[end + 1 : end + 2] == ["JJ"]
        if tag not in _INSIDE and not opens_name and not both:
            break
        if tag in _DETERMINERS and end > start and tags[end - 1] in _NOUNS:
            break
        end += 1
        if tag in _NOUNS or (tag == "JJ" and tags[start] == "DT" and end == len(phrase)):
            last_noun = end
    if last_noun == start:
        return start
    measured = (
        phrase[last_noun - 1].lower() in MEASURES or inflect.singular(phrase[last_noun - 1]) in MEASURES
    )
    if measured and last_noun + 1 < len(phrase) and phrase[last_noun] == "of":
        further = _chunk_end(phrase, tags, last_noun + 1)
        return further if further > last_noun + 1 else last_noun
    return last_noun


def _name(
    phrase: Sequence[str], tags: list[str], start: int, end: int, alone: bool, names: Collection[str]
) -> str:
    said = [word.lower() for word in phrase[start:end]]
    kinds = tags[start:end]
    if "of" in said and not alone:  # a measure and what it measures
        cut = said.index("of") + 1
        said, kinds = said[cut:], kinds[cut:]
    while said and kinds[0] in _DETERMINERS and len(said) > 1:
        said, kinds = said[1:], kinds[1:]
    full = inflect.singular(" ".join(said))
    if alone or full in names:
        return "" if full in NOBODY else full
    for cut in range(1, len(said)):
        shorter = inflect.singular(" ".join(said[cut:]))
        if shorter in names and kinds[cut - 1] not in _NOUNS:
            return shorter
    first = next((i for i, tag in enumerate(kinds) if tag in (*_NOUNS, "VBG", "VBN", "VB")), len(said) - 1)
    owners = [i for i, word in enumerate(said[:-1]) if word.endswith(("'", "'s"))]
    first = max(first, owners[-1] + 1) if owners else first
    name = inflect.singular(" ".join(said[first:]))
    return "" if name in NOBODY else name


def _edges(phrase: Sequence[str], tags: list[str], chunks: list[_Chunk]) -> tuple[Edge, ...]:
    """One edge into each node but a first one that nothing leads to."""
    edges: list[Edge] = []
    at = 0
    for number, chunk in enumerate(chunks):
        between = range(at, chunk.start)
        edge = _edge(phrase, tags, between, number, edges, chunks)
        if edge is not None:
            edges.append(edge)
        at = chunk.end
    return tuple(edges)


def _edge(
    phrase: Sequence[str],
    tags: list[str],
    between: range,
    number: int,
    edges: list[Edge],
    chunks: list[_Chunk],
) -> Edge | None:
    link = next((at for at in reversed(between) if tags[at] in _LINKS), None)
    verb = next((at for at in reversed(between) if tags[at].startswith("VB")), None)
    describes = any(tags[at] in ("WP", "WDT") for at in between)
    noun_first = bool(chunks) and all(tag in _INSIDE for tag in tags[: chunks[0].end])
    source = number - 1 if number and (describes or (noun_first and number == 1)) else EVENT
    if verb is not None and (link is None or link < verb or tags[link] == "RP"):
        particle = f" {phrase[link]}" if link is not None and link > verb else ""
        return Edge(source, inflect.base(phrase[verb].lower()) + particle, number)
    if link is not None:
        word = phrase[link].lower()
        if word == "of" and link and phrase[link - 1] in ("out", "off", "because", "instead"):
            word = f"{phrase[link - 1]} of"
        return Edge(number - 1 if word == "of" and number else source, word, number)
    joined = any(tags[at] == "CC" for at in between)
    if number and edges and edges[-1].target == number - 1 and (joined or edges[-1].source == EVENT):
        return Edge(edges[-1].source, edges[-1].label, number)  # a second object: "give the dog a bone"
    return Edge(EVENT, "and", number) if joined and number else None
