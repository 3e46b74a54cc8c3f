"""Drawn questions, and tiny parts that networks are made from, for all tests of networks."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import torch
from hypothesis import strategies as st
from msgspec import structs
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy

from commonsight.core.answer import Pick
from commonsight.core.benchmark import Ask
from commonsight.core.layout import LONGEST as MOST_MODULES
from commonsight.core.layout import MODULES, Layout, may_follow
from commonsight.core.program import Program, Step
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.graph.concepts import ConceptGraph, Edge
from commonsight.graph.knowledge import RELATIONS, KnowledgeItem
from commonsight.graph.phrase import Phrase
from commonsight.graph.programs import SIGNATURES
from commonsight.graph.retrieval import Fact, fact_of
from commonsight.graph.shapes.functions import FUNCTIONS, Type
from commonsight.graph.shapes.functions import WORDS as WORDS_OF
from commonsight.graph.shapes.layouts import written
from commonsight.graph.shapes.programs import Form
from commonsight.models.canvas import CanvasEncoder
from commonsight.models.canvas.frozen import KeptMaps
from commonsight.models.canvas.pixels import PixelMaps
from commonsight.models.catalogue_entry import Entry
from commonsight.models.features.batch import Batch, Words
from commonsight.models.features.concepts import Nodes, nodes_of
from commonsight.models.features.examples import NOTHING, WHOLE, Example, SeenObject, Spoken
from commonsight.models.features.reading import PieceReading, Reading, WordReading
from commonsight.models.features.vocabulary import Vocabularies, Vocabulary, vocabularies
from commonsight.models.features.wholes import WholeReading
from commonsight.models.language_models import bare
from commonsight.models.libraries import seeded
from commonsight.models.network import Scores
from commonsight.models.parts import Parts
from commonsight.models.programs.layouts import CALLS, NUMBERS, Call, allowed, program_of
from commonsight.models.regions.small import SmallRegions
from commonsight.models.text.marks import Spelling
from commonsight.models.untrained import Shape, encoder, tokenizer, vocabulary_of
from commonsight.models.untrained_vlm import Sizes, byte_tokenizer
from commonsight.models.words import LearnedVectors
from commonsight.models.writing.reading import TextReading
from commonsight.models.writing.style import Written

WORDS = tuple(first + last for first in ("ba", "do", "ki", "lu", "me") for last in "cdfgmnrt")
LABELS = ("person", "cup", "dog", "tree")
KNOWN = Vocabularies(Vocabulary(WORDS), Vocabulary((WHOLE, *LABELS)))
ANSWERS = ("yes", "no", "red", "cup", "dog")
NAMING = structs.replace(KNOWN, answers=ANSWERS)
"""What networks know that name their answers."""
_NODES = tuple(sorted({*WORDS, *ANSWERS, *LABELS}))
GRAPH = ConceptGraph(
    _NODES,
    tuple(Edge(n, n % len(RELATIONS), (7 * n + 3) % len(_NODES)) for n in range(len(_NODES))),
)
"""Facts between drawn words, labels and answers, of every relation."""
DIM = 16
PIXELS = 8
CANVAS = (3, 8, 24)
"""Of the canvases that some look at: colours, height, width."""
WHOLE_TEXT = 48
"""Numbers of a whole text's vector; of a whole picture's, too, where nothing is learned."""
LONGEST = 64
"""Sub-words that the tiny transformer reads."""
PIECES = 360
"""Those that the tiny language models write with: all bytes, and the words."""


def drawn(
    count: int,
    *,
    seed: int = 0,
    words: tuple[int, int] = (2, 7),
    choices: int = 4,
    objects: int = 3,
    facts: int = 3,
) -> list[Example]:
    """Questions of so many words (at least and at most), with so many choices, objects and facts at most."""
    rng = np.random.default_rng((seed, count, *words, choices, objects))
    names = (f"{seed}-{number}-{choices}-{objects}" for number in range(count))
    questions = [_question(name, rng, words, choices, objects) for name in names]
    return [structs.replace(one, facts=_facts(one.item, facts)) for one in questions]


def _facts(item: str, most: int) -> tuple[Fact, ...]:
    """From one on, of a few relations, the same for a question of this name in any batch."""
    rng = np.random.default_rng((zlib.crc32(item.encode()), most))
    return tuple(
        fact_of(
            KnowledgeItem(
                str(rng.choice(RELATIONS[:3])),
                Phrase(tuple(map(str, rng.choice(WORDS, rng.integers(1, 3))))),
                Phrase(tuple(map(str, rng.choice(WORDS, rng.integers(1, 5))))),
            )
        )
        for _ in range(int(rng.integers(1, most + 1)))
    )


def _question(
    item: str, rng: np.random.Generator, words: tuple[int, int], choices: int, objects: int
) -> Example:
    here = int(rng.integers(1, objects + 1)) if objects else 0
    seen = [SeenObject(WHOLE, Box(0.0, 0.0, 100.0, 80.0))]
    for _ in range(here):
        left, top = float(rng.integers(0, 60)), float(rng.integers(0, 40))
        seen.append(SeenObject(str(rng.choice(LABELS)), Box(left, top, left + 30, top + 30)))
    return Example(
        item,
        "answer",
        None,
        (100, 80),
        _text(rng, words, here),
        tuple(_text(rng, words, here) for _ in range(choices)),
        tuple(seen),
        tuple(range(here)),
        int(rng.integers(choices)),
    )


def _text(rng: np.random.Generator, words: tuple[int, int], objects: int) -> Spoken:
    length = int(rng.integers(words[0], words[1] + 1))
    pointing = rng.integers(0, objects + 1, length) * (rng.random(length) < 0.3)
    return Spoken(tuple(map(str, rng.choice(WORDS, length))), tuple(map(int, pointing)))


def given_to(entry: Entry, examples: Sequence[Example]) -> Sequence[Example]:
    """The questions as a network is given them: without choices where it names its answer, with a program
    or a layout where it learns from them, and with one that looks something up where it reads facts."""
    given = [_to_count(example) for example in examples] if entry.counts is not None else examples
    given = [_to_name(example) for example in given] if entry.names else given
    given = [_to_execute(example) for example in given] if entry.programs else given
    given = [_to_write(example) for example in given] if entry.writes is not None else given
    if entry.layouts == "constituents":
        given = [structs.replace(example, layout=drawn_layout(example.item)) for example in given]
    if entry.layouts == "grammar":
        given = [_to_judge(example) for example in given]
    return [_looking_up(example) for example in given] if entry.facts else given


def _to_write(example: Example) -> Example:
    """Its choices are texts that might be written."""
    said = tuple(" " + " ".join(text.words) for text in example.responses)
    wanted = () if example.gold is None else (said[example.gold],)
    written = Written("question: " + " ".join(example.query.words) + " answer:", said, wanted)
    return structs.replace(example, written=written)


def _to_count(example: Example) -> Example:
    """With a number in its query, and its objects counted."""
    query = Spoken(("two", *example.query.words), (0, *example.query.objects))
    counts = Counter(seen.label for seen in example.objects[1:])
    return structs.replace(example, query=query, counted=(tuple(counts.items()),))


@cache
def known_for(entry: Entry) -> Vocabularies:
    """What a network of the catalogue knows by number: signs of the first questions that are drawn."""
    known = NAMING if entry.names else KNOWN
    if entry.counts is None:
        return known
    signs = vocabularies(given_to(entry, drawn(32)), counting=structs.replace(entry.counts, at_least=1)).signs
    return structs.replace(known, signs=signs)


def _looking_up(example: Example) -> Example:
    relation = example.facts[0].relation if example.facts else RELATIONS[0]
    return structs.replace(example, program=Program((Step("Find_KG", ("BLANK", relation, "cup")),)))


def drawn_layout(item: str) -> Layout:
    """A well-formed layout of any modules, the same for a question in any batch."""
    rng = np.random.default_rng((zlib.crc32(item.encode()), 1))
    layout: list[str] = []
    stack = 0
    while True:
        allowed = np.flatnonzero(may_follow(stack, MOST_MODULES - len(layout)))
        module = MODULES[int(rng.choice(allowed))]
        layout.append(module.name)
        stack += 1 - module.takes
        if module.answers:
            return tuple(layout)


def _to_name(example: Example) -> Example:
    rng = np.random.default_rng(zlib.crc32(example.item.encode()))
    gold, target = int(rng.integers(len(ANSWERS))), int(rng.integers(len(example.objects)))
    return structs.replace(
        example,
        responses=(Spoken((NOTHING,), (0,)),),
        gold=gold,
        answer=ANSWERS[gold],
        targets=(target,) if target else (),
    )


ARGUMENTS = ("cup", "red", "on", "BLANK", "UsedFor", "VISION", "near")


def _to_execute(example: Example) -> Example:
    """A small program that is well typed, the same in any batch; each function is in one of sixteen.

    Every step gives all objects, so that something is there to be verified, and the answer to that is yes:
    what cannot be told from objects and words could not be learned by heart.
    """
    rng = np.random.default_rng((zlib.crc32(example.item.encode()), 1))
    layout = _layout(int(example.item.split("-")[1]) % 16)
    steps = program_of(layout, [_texts(CALLS[call], rng) for call in layout]).steps
    everything = tuple(range(1, len(example.objects)))
    program = Program(tuple(structs.replace(step, output=everything) for step in steps))
    if steps[-1].function == "Verify":
        return structs.replace(example, program=program, gold=ANSWERS.index("yes"), answer="yes")
    return structs.replace(example, program=program)


def _to_judge(example: Example) -> Example:
    """A program over drawings that its words stand for, the same in any batch.

    Truths alone do not tell five answers apart, so there are two. One half asks for objects of a few sorts,
    which pictures are told apart by; in the other half are any programs, each beside a sort that no other
    question asks for and that it can be known by.
    """
    number, half = divmod(int(example.item.split("-")[1]), 2)
    words = np.random.default_rng(zlib.crc32(" ".join(example.query.words).encode()))
    right = bool(np.random.default_rng(zlib.crc32(example.item.encode())).integers(2))
    sort: Form = (*(SORTS[number % 4] if half else SORTS[4 + number % (len(SORTS) - 4)]), ("objects",))
    form: Form = ("count", ">=", 1, sort)
    if not half:
        form = ("or" if right else "and", drawn_form("truth", words, 3), form)
    answer = ANSWERS[0 if right else -1]
    return structs.replace(example, layout=written(form), gold=ANSWERS.index(answer), answer=answer)


SORTS: tuple[tuple[str | int, ...], ...] = (
    *(("level", level) for level in range(10)),
    *((kind, word) for kind in ("colour", "kind", "size", "wall") for word in WORDS_OF[kind]),
)


def drawn_form(wanted: Type, rng: np.random.Generator, depth: int) -> Form:
    """Any program that gives this, of about so many functions in one another."""
    if not depth and wanted in ("objects", "boxes"):
        return (wanted,)
    names = [name for name, signature in FUNCTIONS.items() if signature.gives == wanted]
    function = str(rng.choice(names))
    parts: list[str | int | Form] = []
    for takes in FUNCTIONS[function].takes:
        if takes == "number":
            parts.append(int(rng.integers(5)))
        elif takes in WORDS_OF:
            parts.append(str(rng.choice(WORDS_OF[takes])))
        else:
            parts.append(drawn_form(takes, rng, max(depth - 1, 0)))
    return (function, *parts)


def _layout(number: int) -> list[int]:
    """Twice as many questions have twice as many calls of each kind."""
    featured = CALLS[number % len(CALLS)]
    calls = [Call("Initial", 0)]
    calls += [Call("Initial", 0), Call("Find", 1)] * (featured.takes == 2)
    calls += [featured] * (featured.takes > 0 and not featured.ends)
    calls.append(Call(("Find_Hypernym", "Relate", "Find")[number % 3], 1))
    calls.append(featured if featured.ends else Call(("Verify", "Recognition")[number % 2], 1))
    return [NUMBERS[call] for call in calls]


def drawn_calls(rng: np.random.Generator, most: int) -> list[int]:
    """Calls of a program that is well typed, at most so many."""
    layout: list[int] = []
    there = 0
    while not layout or not CALLS[layout[-1]].ends:
        may = np.flatnonzero(allowed()[there][most - len(layout)])
        layout.append(int(rng.choice(may)))
        there += 1 - CALLS[layout[-1]].takes
    return layout


def _texts(call: Call, rng: np.random.Generator) -> tuple[str, ...]:
    if call.queries:
        blank, other = "near BLANK", "cup VISION" if call.takes == 2 else "cup"
        reverse = call.function.endswith("Reverse")
        return (other, "UsedFor", blank) if reverse else (blank, "UsedFor", other)
    least, _ = SIGNATURES[call.function].words
    return tuple(map(str, rng.choice(("cup", "red", "on", "near"), least)))


def pieces() -> Any:
    """A tokenizer that knows the words, and their letters."""
    return tokenizer(vocabulary_of(WORDS, 200), LONGEST)


@cache
def letters() -> Any:
    """A tokenizer of networks that write: byte pairs of the words."""
    return byte_tokenizer([" " + word for word in WORDS] * 2, Sizes(vocabulary=PIECES, tokens=LONGEST), None)


class DrawnWholes:
    """Vectors of whole texts: the mean of vectors that are drawn for each word."""

    dim = WHOLE_TEXT

    def of(self, text: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        seeds = [zlib.crc32(word.encode()) for word in text.split()]
        drawn_vectors = [np.random.default_rng(seed).normal(size=self.dim) for seed in seeds]
        found: np.ndarray[Any, np.dtype[np.float64]] = np.mean(drawn_vectors, axis=0)
        return found


def reading_for(entry: Entry) -> Reading:
    """How a network of the catalogue reads drawn questions."""
    known = known_for(entry)
    if entry.writes is not None:
        ends = entry.writes.model == "t5"
        return TextReading(letters(), known.labels, longest=LONGEST, ends=ends)
    if entry.reads == "wholes":
        return WholeReading(known, DrawnWholes(), answers=entry.picks == "scored")
    if entry.reads == "pieces":
        answers = len(known.answers)
        return PieceReading(
            pieces(),
            known.labels,
            longest=LONGEST,
            query=entry.query,
            answers=answers,
            graph=GRAPH if entry.graph else None,
        )
    return WordReading(known, counting=entry.counts, facts=entry.facts, query=entry.query)


def batch_for(entry: Entry, examples: Sequence[Example]) -> Batch:
    """Drawn questions as a network reads them, with pixels for those that see."""
    batch = reading_for(entry).batch(given_to(entry, examples))
    return with_pictures(entry, batch, examples) if entry.sees else batch


def with_pictures(entry: Entry, batch: Batch, examples: Sequence[Example], *, seed: int = 0) -> Batch:
    """Pixels as the network looks at them, the same for a question in any batch."""
    if entry.looks == "objects":
        return with_crops(batch, examples, seed=seed)
    shape = CANVAS if entry.learns else (WHOLE_TEXT,)
    several = [_noise(example, seed, shape) for example in examples]
    return replace(batch, canvas=torch.from_numpy(np.stack(several)))


def _noise(example: Example, seed: int, shape: tuple[int, ...]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    rng = np.random.default_rng((zlib.crc32(example.item.encode()), seed))
    return rng.integers(0, 256, shape, np.uint8)


def with_crops(batch: Batch, examples: Sequence[Example], *, seed: int = 0) -> Batch:
    """Each object has pixels of its own, the same in any batch."""
    assert batch.seen is not None
    crops = torch.zeros(*batch.seen.mask.shape, 3, PIXELS, PIXELS, dtype=torch.uint8)
    for row, example in enumerate(examples):
        many = _noise(example, seed, (len(example.objects), 3, PIXELS, PIXELS))
        crops[row, : len(example.objects)] = torch.from_numpy(many)
    return replace(batch, seen=replace(batch.seen, features=crops))


def sees(entry: Entry, what: str) -> bool:
    """Whether it looks at objects, or at a canvas."""
    return entry.sees and entry.looks == what


def tiny_parts(entry: Entry, *, seed: int = 0) -> Parts:
    """What its builder may take, as small as can be."""
    with seeded(seed):
        return Parts(
            len(KNOWN.labels),
            words=LearnedVectors(len(KNOWN.words), DIM) if entry.reads == "words" else None,
            transformer=_transformer(entry, seed) if entry.reads == "pieces" else None,
            regions=SmallRegions(DIM, size=PIXELS, widths=(8, 16)) if sees(entry, "objects") else None,
            canvas=_canvas(entry),
            wholes=WHOLE_TEXT if entry.reads == "wholes" else 0,
            answers=len(ANSWERS) if entry.names else 0,
            signs=len(known_for(entry).signs),
            arguments=ARGUMENTS if entry.programs else (),
            nodes=nodes_for(entry),
        )


def _transformer(entry: Entry, seed: int) -> Any:
    if entry.writes is not None:
        marks = (letters().pad_token_id, letters().eos_token_id)
        with seeded(seed):
            return bare(entry.writes.model, Shape(2, 2 * DIM, 2, PIECES, 2 * LONGEST), marks)
    return encoder(Shape(2, 2 * DIM, 2, 200, LONGEST), seed=seed)


def nodes_for(entry: Entry) -> Nodes | None:
    """The graph of the drawn words, for a network that is built on one."""
    return nodes_of(GRAPH, ANSWERS, Spelling(pieces())) if entry.graph else None


def _canvas(entry: Entry) -> CanvasEncoder | None:
    if not sees(entry, "canvas"):
        return None
    return PixelMaps(DIM, widths=(8,)) if entry.learns else KeptMaps(WHOLE_TEXT)


def tiny_network(entry: Entry, *, seed: int = 0) -> nn.Module:
    """A network of the catalogue, built at its small size from tiny parts."""
    with seeded(seed):
        network = entry.small.build(tiny_parts(entry, seed=seed))
    assert isinstance(network, nn.Module)
    return network


def set_dropout(network: nn.Module, share: float) -> bool:
    """Wherever something may be dropped, so much of it is; whether anything may."""
    found = [
        (module, name)
        for module in network.modules()
        for name in ("drop", "dropout", "p")
        if isinstance(getattr(module, name, None), float)
    ]
    for module, name in found:
        setattr(module, name, share)
    return bool(found)


def scores_of(network: nn.Module, batch: Batch) -> Scores:
    """Without dropout and without gradients."""
    network.eval()
    with torch.no_grad():
        found: Scores = network(batch)
    return found


def loss_of(scores: Scores, batch: Batch) -> Tensor:
    """What training lowers: the cross entropy of the choices, and whatever the network adds."""
    learned = scores.parts or (scores.logits,)
    return torch.stack([cross_entropy(one, batch.gold) for one in learned]).sum() + scores.extra.mean()


def training_loss(network: nn.Module, batch: Batch, *, seed: int = 0) -> Tensor:
    """With dropout, drawn from a seed."""
    network.train()
    with seeded(seed):  # transformers have dropout of their own
        return loss_of(network(batch, generator=Generator().manual_seed(seed)), batch)


def littered(batch: Batch, *, seed: int = 0) -> Batch:
    """The same with rubbish in all padding, which nothing may look at."""
    chance = Generator().manual_seed(seed)

    def fill(values: Tensor, there: Tensor, below: int) -> Tensor:
        shown = there.reshape(*there.shape, *(1,) * (values.ndim - there.ndim))
        return torch.where(shown, values, torch.randint(0, below, values.shape, generator=chance).to(values))

    def fill_words(words: Words | None) -> Words | None:
        if words is None:
            return None
        ids = fill(words.ids, words.mask, len(KNOWN.words))
        return replace(words, ids=ids, objects=fill(words.objects, words.mask, objects))

    assert batch.seen is not None
    seen, objects = batch.seen, batch.seen.mask.shape[1]
    features = None if seen.features is None else fill(seen.features, seen.mask, 256)
    boxes, classes = fill(seen.boxes, seen.mask, 2), fill(seen.classes, seen.mask, len(KNOWN.labels))
    sub_words = batch.pieces and replace(
        batch.pieces,
        ids=fill(batch.pieces.ids, batch.pieces.mask, 200),
        objects=fill(batch.pieces.objects, batch.pieces.mask, objects),
    )
    texts = batch.texts and replace(
        batch.texts,
        asked=fill(batch.texts.asked, batch.texts.asked_mask, PIECES),
        said=fill(batch.texts.said, batch.texts.said_mask, PIECES),
    )
    facts = batch.facts
    if facts is not None:
        text = fill_words(facts.words)
        assert text is not None
        which = fill(facts.which, facts.mask, text.ids.shape[1])
        relations = fill(facts.relations, facts.mask, len(RELATIONS))
        facts = replace(facts, words=text, which=which, relations=relations)
    return replace(
        batch,
        facts=facts,
        query=fill_words(batch.query),
        responses=fill_words(batch.responses),
        pieces=sub_words,
        texts=texts,
        seen=replace(seen, features=features, boxes=boxes, classes=classes),
    )


def overfitted(entry: Entry, batch: Batch, *, steps: int = 200) -> nn.Module:
    """A tiny network that was trained on one batch until it knew it by heart, or for so many steps.

    Steps are shorter for encoders of sub-words, of which those of many layers overshoot. Dropout is off, for
    it is there to hinder just this. One that is shown layouts in training alone is trained as it would be; it
    is judged without them.
    """
    network = tiny_network(entry)
    set_dropout(network, 0.0)
    network.train(entry.layouts == "constituents")
    rate = 0.003 if entry.reads == "pieces" and not entry.writes else 0.01
    optimiser = torch.optim.Adam(network.parameters(), lr=rate)
    for _ in range(steps):
        loss = loss_of(network(batch), batch)
        if loss.item() < 0.02:  # one wrong answer of 32 alone would cost more
            break
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return network


# Questions as a benchmark asks them, for Hypothesis

_SCENE_LABELS = st.lists(st.sampled_from(("person", "cup", "fire hydrant", "Ähre")), max_size=4)
_LETTERS = st.characters(exclude_categories=["Cs"])
_ODD = ("don't", "straße", "É", "日本", "\u0301", "  ", "?!", "two words")
_WORD = st.text(_LETTERS, max_size=6) | st.sampled_from(_ODD)
_NAMES = st.sampled_from(((), ("question",), ("premise", "question")))


@st.composite
def asks(draw: st.DrawFn) -> Ask:
    """Texts of any letters, empty ones too, with tags that point to regions of the scene."""
    labels = draw(_SCENE_LABELS)
    tokens: Any = _WORD
    if labels:
        tokens = tokens | st.lists(st.integers(0, len(labels) - 1), min_size=1, max_size=3).map(tuple)
    texts = st.lists(tokens, max_size=7).map(lambda found: TaggedText(tuple(found)))
    scene = Scene("a.jpg", tuple(Region(label, draw(st.none() | _boxes())) for label in labels), (), 64, 48)
    choices = tuple(draw(st.lists(texts, min_size=1, max_size=4)))
    gold = draw(st.none() | st.integers(0, len(choices) - 1).map(Pick))
    asked = {name: draw(texts) for name in draw(_NAMES)}
    return Ask("item", "answer", (scene,), asked, "pick", choices, gold)


def _boxes() -> st.SearchStrategy[Box]:
    return st.tuples(*(st.integers(0, 30) for _ in range(4))).map(
        lambda at: Box(float(at[0]), float(at[1]), float(at[0] + at[2]), float(at[1] + at[3] // 2))
    )
