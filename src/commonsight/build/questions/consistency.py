"""Whether a question in English and its program are the same question (CRIC, section 3).

The English is read back by a grammar that knows nothing of how it was made. What it may mean is compiled and
executed on the scene, and has to give the program's answer about the program's objects. English is ambiguous:
where a sentence can be read in several ways, a reader who sees the picture takes "the cup" to be the one
cup there is, so readings whose descriptions fit exactly one object come first, then those that are better
English. The program is not looked at for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field

from commonsight.build.questions.form import Clause as Said
from commonsight.build.questions.form import Having, Question, Referent, Related
from commonsight.build.questions.generate import Made
from commonsight.build.questions.reading import Lexicon, Reading, read
from commonsight.build.questions.steps import compiled
from commonsight.core.answer import Grounded
from commonsight.core.item import Item
from commonsight.core.program import Program
from commonsight.core.scene import Scene
from commonsight.graph.execute import fitting, run
from commonsight.graph.knowledge import Knowledge
from commonsight.graph.programs import ANY, inputs_of
from commonsight.graph.sets import Objects, SceneSets

MOST_READINGS = 64
"""The most readings of one question that are looked at; the likeliest by grammar."""
MOST_EXAMPLES = 20
"""The most examples of each kind that a summary keeps."""


class Outcome(NamedTuple):
    """What came of reading one question."""

    readings: int
    """In how many ways it can be read; 0 if in none."""
    same_answer: bool = False
    """Whether the best reading gives the same answer about the same objects."""
    exact: bool = False
    """Whether the best reading's program is the same, but for the order of what is joined."""
    by_grammar: bool = False
    """Whether the reading that is best by grammar alone, without the picture, gives the same answer."""
    by_any: bool = False
    """Whether any reading gives the same answer."""
    best: Question | None = None


def check_made(made: Made, lexicon: Lexicon) -> Outcome:
    """Read a question and compare it with its program."""
    return check_question(made.text, made.program, made.answer, made.target, made.scene, lexicon)


def check_question(
    text: str, program: Program, answer: str, target: Sequence[int], scene: Scene, lexicon: Lexicon
) -> Outcome:
    """The same for a question that was read from a file."""
    readings = read(text, lexicon.of(scene))[:MOST_READINGS]
    if not readings:
        return Outcome(0)
    sense = _Sense(lexicon.sets(scene), lexicon.knowledge)
    same = [sense.answers(reading.question) == (answer, tuple(target)) for reading in readings]
    best = min(range(len(readings)), key=lambda number: (sense.doubts(readings[number]), number))
    question = readings[best].question
    exact = normalised(compiled(question)) == normalised(program)
    return Outcome(len(readings), same[best], exact, same[0], any(same), question)


def normalised(program: Program) -> Any:
    """A program without the order of its steps: what its last one takes, and so on back to the first."""
    terms: list[Any] = []
    for number, step in enumerate(program.steps):
        words = step.text_input or ()
        inputs = [terms[place] for place in inputs_of(step, number)]
        if step.function == "And":
            terms.append(("And", frozenset(_joined(inputs))))
        elif step.function == "Find":
            terms.append(("Find", words[0], frozenset(words[1:]), *inputs))
        elif step.function.startswith("Find_KG"):
            terms.append(_filtered((step.function, *words, *inputs[1:]), inputs[0]))
        else:
            terms.append((step.function, *words, *inputs))
    return terms[-1] if terms else ()


def _joined(terms: list[Any]) -> list[Any]:
    """The parts of an And of Ands."""
    return [part for term in terms for part in (term[1] if term[0] == "And" else (term,))]


def _filtered(by: tuple[Any, ...], term: Any) -> Any:
    """Several filters by knowledge one after another, as a set."""
    if term[0] == "Known":
        return ("Known", term[1] | {by}, term[2])
    return ("Known", frozenset((by,)), term)


class _Sense:
    """What readings mean in a scene."""

    def __init__(self, sets: SceneSets, knowledge: Knowledge) -> None:
        self._sets, self._knowledge = sets, knowledge
        self._meant: dict[int, tuple[Objects, int, Referent]] = {}

    def answers(self, question: Question) -> tuple[str | None, tuple[int, ...]]:
        """The answer, and the ids of the objects that it is about."""
        executed = run(compiled(question).steps, self._sets, self._knowledge)
        return executed.answer, self._sets.ids(executed.target)

    def doubts(self, reading: Reading) -> int:
        """How many descriptions in a reading fit nothing, or several objects where one is meant."""
        question = reading.question
        objects, doubts = self.meant(question.subject)
        if question.says is not None:
            holds, more = self._held(question.says)
            doubts += more
            if question.asks is not None:
                objects &= holds
        if question.exists:
            return doubts
        unanswered = question.asks is not None and self.answers(question)[0] is None
        return doubts + (not _is_one(objects)) + unanswered

    def meant(self, referent: Referent) -> tuple[Objects, int]:
        """The objects that a description fits, and the doubts about descriptions within it."""
        known = self._meant.get(id(referent))
        if known is None:
            known = self._meant[id(referent)] = (*self._find(referent), referent)
        return known[0], known[1]

    def _find(self, referent: Referent) -> tuple[Objects, int]:
        sets, name = self._sets, referent.name
        found = sets.everything
        if referent.is_category:
            found = sets.of_kind.get(name, 0)
        elif name != ANY:
            found = sets.named.get(name, 0)
        for attribute in referent.attributes:
            found &= sets.having.get(attribute, 0)
        doubts = 0
        for clause in referent.clauses:
            holds, more = self._held(clause)
            found &= holds
            doubts += more
        return found, doubts

    def _held(self, says: Said) -> tuple[Objects, int]:
        """The objects that a clause holds of, and the doubts about descriptions within it."""
        if isinstance(says, Having):
            return self._sets.having.get(says.attribute, 0), 0
        if isinstance(says, Related):
            objects, doubts = self.meant(says.other)
            lead = self._sets.subjects_of if says.is_subject else self._sets.objects_of
            return lead(objects, says.predicate), doubts + (not _is_one(objects))
        if says.seen is None:
            return fitting(says.query, None, self._sets, self._knowledge), 0
        objects, doubts = self.meant(says.seen)
        holds = fitting(says.query, objects, self._sets, self._knowledge)
        return holds, doubts + (not _is_one(objects))


def _is_one(objects: Objects) -> bool:
    return objects != 0 and objects & (objects - 1) == 0


class Consistency(Struct):
    """How many questions could be read, and how many of those mean what their program does."""

    total: int = 0
    read: int = 0
    same_answer: int = 0
    exact: int = 0
    by_grammar: int = 0
    by_any: int = 0
    ambiguous: int = 0
    """Questions with more than one reading."""
    unread: list[str] = field(default_factory=list)
    """Examples that no reading was found of."""
    different: list[str] = field(default_factory=list)
    """Examples whose best reading gives another answer."""

    def add(self, text: str, outcome: Outcome) -> None:
        """Count one question."""
        self.total += 1
        self.read += outcome.readings > 0
        self.same_answer += outcome.same_answer
        self.exact += outcome.exact
        self.by_grammar += outcome.by_grammar
        self.by_any += outcome.by_any
        self.ambiguous += outcome.readings > 1
        if not outcome.readings:
            _keep(self.unread, text)
        elif not outcome.same_answer:
            _keep(self.different, text)

    def update(self, other: Consistency) -> None:
        """Take over what was counted elsewhere."""
        for name in ("total", "read", "same_answer", "exact", "by_grammar", "by_any", "ambiguous"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for text in other.unread:
            _keep(self.unread, text)
        for text in other.different:
            _keep(self.different, text)

    @property
    def share(self) -> float:
        """The share of questions that round-trip: the same answer about the same objects."""
        return self.same_answer / self.total if self.total else 0.0


def read_back(items: Iterable[Item], knowledge: Knowledge) -> Consistency:
    """Read all these questions, and say how many mean what their programs do."""
    lexicon = Lexicon(knowledge)
    found = Consistency()
    for item in items:
        assert item.program is not None
        assert isinstance(item.gold, Grounded)
        text = str(item.texts["question"].tokens[0])
        target, scene = item.target or (), item.scenes[0]
        found.add(text, check_question(text, item.program, item.gold.text, target, scene, lexicon))
    return found


def _keep(examples: list[str], text: str) -> None:
    if len(examples) < MOST_EXAMPLES:
        examples.append(text)
