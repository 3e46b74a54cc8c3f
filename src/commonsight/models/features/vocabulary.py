"""Names by number: words and object labels, as the training split has them.

0 is kept for padding (no word, no object), 1 for what training never saw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, structs

from commonsight.graph.concepts import ConceptGraph
from commonsight.models.features.examples import WHOLE, Example, Times, different_facts
from commonsight.models.features.signs import Counting
from commonsight.score.direct_answer import ENOUGH

PADDING = 0
UNKNOWN = 1
_FIRST = 2


class Vocabulary(Struct, frozen=True):
    """Names in order; the first of them has number 2."""

    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names) + _FIRST

    def numbers(self) -> dict[str, int]:
        """Each name's number; what is not there is `UNKNOWN`."""
        return {name: number for number, name in enumerate(self.names, start=_FIRST)}


class Vocabularies(Struct, frozen=True):
    """What a trained network knows by number: kept beside its weights."""

    words: Vocabulary
    labels: Vocabulary
    answers: tuple[str, ...] = ()
    """What a network that names its answer can say, in the order of its scores."""
    signs: Vocabulary = Vocabulary(())
    """What a network that reads signs has weights for."""
    arguments: tuple[str, ...] = ()
    """Words of programs, for a network that learns from them."""
    graph: ConceptGraph = ConceptGraph()
    """What is known about words and answers, for a network that is built on it."""
    counts: tuple[int, ...] = ()
    """Of each answer how often it is right in training, where answers were given or follow a rule; otherwise
    they are in the order of just that."""


def vocabularies(
    examples: Iterable[Example],
    *,
    at_least: int = 1,
    counting: Counting | None = None,
    programs: bool = False,
) -> Vocabularies:
    """Words that occur at least so often, frequent ones first, and the labels of all objects; signs and words
    of programs where they are wanted. What a fact says counts once, however many questions it is about."""
    words: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    signs: Counter[str] = Counter()
    arguments: Counter[str] = Counter()
    kept = list(examples)
    for fact in different_facts(kept):
        words.update(fact.words)
    for example in kept:
        for text in (example.query, *example.responses):
            words.update(text.words)
        labels.update(seen.label for seen in example.objects)
        answers.update(() if example.answer is None else (example.answer,))
        if counting is not None:
            signs.update(counting.signs(example.query.words, example.counted, example.in_panels))
        arguments.update(program_words(example) if programs else ())
    labels[WHOLE] += 1  # also where no picture is there
    return Vocabularies(
        _ordered(words, at_least),
        _ordered(labels, 1),
        _ordered(answers, 1).names,
        Vocabulary(()) if counting is None else _ordered(signs, counting.at_least),
        _ordered(arguments, 1).names,
    )


def program_words(example: Example) -> Iterator[str]:
    """Word by word what the functions of its program take."""
    for step in () if example.program is None else example.program.steps:
        for text in step.text_input or ():
            yield from text.split()


def numbered(
    examples: Iterable[Example], answers: Sequence[str], *, several: bool = False
) -> list[Example]:
    """Examples with the places of their named answers, and of choices in their stead; one that training never
    had is never right. With `several` a single right answer counts as one that everybody gave."""
    places = {answer: place for place, answer in enumerate(answers)}
    return [_numbered(example, places, several) for example in examples]


def _numbered(example: Example, places: Mapping[str, int], several: bool) -> Example:
    if example.choices:
        return structs.replace(example, places=tuple(places.get(text, -1) for text in example.choices))
    if example.answer is None:
        return example
    said = example.said or ((example.answer,) * ENOUGH if several else ())
    people = Counter(places[text] for text in said if text in places)
    times = tuple(Times(place, count) for place, count in sorted(people.items()))
    return structs.replace(example, gold=places.get(example.answer), times=times)


def _ordered(counts: Counter[str], at_least: int) -> Vocabulary:
    kept = (name for name, count in counts.items() if count >= at_least)
    return Vocabulary(tuple(sorted(kept, key=lambda name: (-counts[name], name))))


def known_share(texts: Iterable[Sequence[str]], known: Vocabulary) -> float:
    """How many of the words are known: a network that knows none of them can learn nothing from them."""
    names = set(known.names)
    said = [word for text in texts for word in text]
    return sum(word in names for word in said) / max(1, len(said))
