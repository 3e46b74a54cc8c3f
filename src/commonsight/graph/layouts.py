"""Sentences to layouts of modules, by way of trees as a parser of constituents would give them.

After Cirik et al. (2018), as NLVR2's authors made layouts for sentences that come without a program: a noun
phrase is found; a preposition or a verb in front of one moves attention from there; what is joined by "and"
or "or" is joined; and the whole is judged to exist, counted, compared or described. Trees are made by rules
over part-of-speech tags, and branch to the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from commonsight.core.english_nouns import words
from commonsight.core.layout import LONGEST, PLAIN, Layout, fault
from commonsight.graph.tagger import Tagger, bundled_tagger

Label = Literal["S", "NP", "PP", "CC"]

_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_ONE_NOUN = tuple((noun,) for noun in _NOUNS)
_INSIDE = (*_NOUNS, "DT", "PRP$", "CD", "PDT", "JJ", "JJR", "JJS", "POS", "PRP", "WP")
_HEADS = (*_NOUNS, "CD", "JJ", "JJR", "JJS", "PRP")
"""What a noun phrase must have one of: a noun, or what stands for it as in "two of them are black"."""
_LINKS = ("IN", "TO", "RP", "VB", "VBZ", "VBP", "VBD", "VBG", "VBN", "POS")
_EMPTY = words("there is are was were be been it this that these those which where who has have had do does")
"""Words that link nothing by themselves, unless nothing else stands between two phrases."""
_PICTURES = words("image images picture pictures photo photos scene scenes photograph photographs")
_WHOLE = words("the a an this each both all one of two")
_PROPERTIES = words("color colors colour colours number size sizes shape shapes amount kind kinds type types")
_NUMBERED = words("exactly least most only many number odd even")


class Tree(NamedTuple):
    """A constituent: its own words, and what is below it."""

    label: Label
    words: tuple[str, ...]
    children: tuple[Tree, ...] = ()

    def __str__(self) -> str:
        inside = " ".join(map(str, (*self.words, *self.children)))
        return f"({self.label} {inside})" if inside else f"({self.label})"


class Made(NamedTuple):
    """A layout, and what had to be given up for it."""

    layout: Layout
    given_up: Literal["", "end", "all"] = ""
    """The sentence's last phrases, where it is too long; all of it, where there is nothing to find."""


class _Chunk(NamedTuple):
    """A noun phrase, and what stands between it and the one before."""

    before: tuple[str, ...]
    words: tuple[str, ...]
    joined: Literal["", "and", "or"]
    """How, if the words before only join it to the phrase before."""


def layout_of(said: Sequence[str], *, longest: int = LONGEST, tagger: Tagger = bundled_tagger) -> Made:
    """A well-formed layout for any words; a plain one where nothing better is to be had."""
    lowered = tuple(word.lower() for word in said)
    chunks = _chunks(lowered, tuple(tagger(lowered)))
    for count in range(min(len(chunks), longest), 0, -1):  # each phrase takes a module at least
        layout = _from_tree(_branching(chunks[:count]), lowered)
        if fault(layout, longest) is None:
            return Made(layout, "" if count == len(chunks) else "end")
    return Made(PLAIN, "all")


def tree_of(said: Sequence[str], *, tagger: Tagger = bundled_tagger) -> Tree:
    """The sentence as constituents; one without a noun phrase has nothing below it."""
    lowered = tuple(word.lower() for word in said)
    return _branching(_chunks(lowered, tuple(tagger(lowered))))


# From words to a tree


def _chunks(said: tuple[str, ...], tags: Sequence[str]) -> list[_Chunk]:
    found: list[_Chunk] = []
    at = last = 0
    while at < len(said):
        end = _chunk_end(said, tags, at)
        if end == at:
            at += 1
            continue
        if not _is_measure(said[at:end]):
            found.append(_chunk(said, tags, last, at, end, first=not found))
        at = last = end
    return found


def _is_measure(said: tuple[str, ...]) -> bool:
    """Whether a phrase only says by what others are compared: "the same color"."""
    return said[-1] in _PROPERTIES and bool({"same", "equal", "different"} & set(said))


def _chunk_end(said: Sequence[str], tags: Sequence[str], start: int) -> int:
    """Where the noun phrase that begins here ends; `start` itself where none begins."""
    end = start
    while end < len(said) and said[end] not in _EMPTY and any(map(str.isalnum, said[end])):
        opens = start < end and tags[end] in ("VBG", "VBN") and tags[end + 1 : end + 2] in _ONE_NOUN
        if tags[end] not in _INSIDE and not opens:
            break
        if end > start and tags[end] in ("DT", "PRP$", "PRP", "WP") and tags[end - 1] in _NOUNS:
            break
        end += 1
    heads = any(tag in _HEADS for tag in tags[start:end])
    return end if heads else start


def _chunk(
    said: tuple[str, ...], tags: Sequence[str], last: int, start: int, end: int, *, first: bool
) -> _Chunk:
    between = range(last, start)
    links = any(_links(said, tags, at) for at in between)
    joins = [said[at] for at in between if said[at] in ("and", "or") or said[at] == ","]
    joined: Literal["", "and", "or"] = ""
    if not first and joins and not links:
        joined = "or" if "or" in joins else "and"
    return _Chunk(said[last:start], said[start:end], joined)


def _links(said: tuple[str, ...], tags: Sequence[str], at: int) -> bool:
    if said[at] == "at" and said[at + 1 : at + 2] in (("least",), ("most",)):
        return False  # it says how many, and leads nowhere
    return tags[at] in _LINKS and said[at] not in _EMPTY


def _branching(chunks: Sequence[_Chunk]) -> Tree:
    """Each phrase is below the one before it, and what is joined stands beside it."""
    below: Tree | None = None
    for place in range(len(chunks) - 1, -1, -1):
        below = _above(chunks[place], None if below is None else chunks[place + 1], below)
    return Tree("S", chunks[0].before if chunks else (), () if below is None else (below,))


def _above(chunk: _Chunk, after: _Chunk | None, below: Tree | None) -> Tree:
    """A phrase with all that follows it, of which `below` is the tree."""
    own = Tree("NP", chunk.words)
    if after is None or below is None:
        return own
    if after.joined:
        return Tree("CC", (after.joined,), (own, below))
    return Tree("NP", chunk.words, (Tree("PP", after.before, (below,)),))


# From a tree to a layout


def _from_tree(tree: Tree, said: tuple[str, ...]) -> Layout:
    if not tree.children:
        return ()
    top = tree.children[0]
    compared = _compared(top, said)
    if compared is not None:
        return compared
    same = ("find_same",) if "same" in said else ()
    return (*_map(top), *same, _root(said))


def _map(tree: Tree) -> Layout:
    """What gives the map of what a phrase tells of."""
    if tree.label == "CC":
        first, second = tree.children
        return (*_map(first), *_map(second), tree.words[0])
    if tree.label == "PP":
        return (*_map(tree.children[0]), "transform")
    if not tree.children:
        return (_found(tree),)
    below = _map(tree.children[0])
    return below if _found(tree) == "scene" else (*below, "filter")


def _found(tree: Tree) -> str:
    head = tree.words[-1]
    return "scene" if head in _PICTURES and _WHOLE.issuperset(tree.words[:-1]) else "find"


def _compared(top: Tree, said: tuple[str, ...]) -> Layout | None:
    """Two phrases of which there is more, fewer or as many, or that are alike, if there are two."""
    told = set(said)
    counted = bool(told & {"number", "amount", "many", "much"})
    if "than" in told:
        return _both(_below(top), "less_num" if told & {"fewer", "less", "smaller"} else "more_num")
    if "as" in told and counted:
        return _both(_below(top), "equal_num")
    if told & {"same", "equal", "different"}:
        return _both(_joined(top), "equal_num" if counted else "same_property")
    return None


def _both(parts: tuple[Tree, ...], module: str) -> Layout | None:
    return (*_map(parts[0]), *_map(parts[1]), module) if parts else None


def _below(top: Tree) -> tuple[Tree, ...]:
    """The first phrase by itself, and what stands beside or below it."""
    if top.label == "CC":
        return top.children
    return (Tree("NP", top.words), top.children[0].children[0]) if top.children else ()


def _joined(tree: Tree) -> tuple[Tree, ...]:
    """The first two phrases that are joined, wherever they are."""
    if tree.label == "CC" or not tree.children:
        return tree.children
    return _joined(tree.children[0])


def _root(said: tuple[str, ...]) -> str:
    if said[0] in ("what", "which", "who", "whose", "where", "why"):
        return "describe"
    tells_number = any(word in _NUMBERED or word in _CARDINALS or word.isdigit() for word in said)
    return "count" if tells_number else "exist"


_CARDINALS = words("two three four five six seven eight nine ten")
