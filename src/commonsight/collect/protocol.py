"""What a way of collecting is: a value that declares its stages, its forms, its rules and its pay.

A protocol is data. The engine (leases, overlap, blind work, gold, pay) and the pages know nothing of any
benchmark: they work from what is declared here. A new workflow is one file under `benchmarks/protocols/`.

Work flows through stages. A **task** stands in one stage and is put to `overlap` workers, none of whom sees
what the others said. When it has all the answers it needs, the stage's `then` says what comes of it: tasks
for other stages, records that are done, pay, and verdicts about people. `then` is a pure function, so it is
tested alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from msgspec import Struct, to_builtins

from commonsight.core.item import Item
from commonsight.errors import Complaint

Money = int
"""Ten-thousandths of the currency's unit: 2200 is $0.22. Whole numbers, so that sums are exact."""

Answers = Mapping[str, Any]
"""What one worker said: the form's fields by name, as JSON has them."""
Payload = Mapping[str, Any]
"""What a task shows: JSON, with pictures by `Shown` and texts in bracket notation. Entries whose names begin
with an underscore are for `then` alone, such as the right answer: see `visible`."""

FieldKind = Literal[
    "text",  # a line or a paragraph of plain words
    "tagged",  # words with `[person4]` tags for the numbered boxes of the picture that `about` names
    "choice",  # one of `options`
    "choices",  # `least` to `most` of `options`
    "rating",  # one of `options`, in order, from little to much
    "texts",  # `least` to `most` short texts
    "boxes",  # regions of the picture that `about` names, by number
    "group",  # the `parts` together, `least` to `most` times
]
ShowKind = Literal[
    "scene",  # one picture (a `Shown`), with numbered boxes where it has regions
    "pictures",  # several pictures (a list of `Shown`), each under its letter
    "pairs",  # several pairs of pictures (a list of [left, right]), side by side, each under its letter
    "text",  # one text, tagged or plain
    "texts",  # several texts, as a list
    "answers",  # what others said at an earlier stage: a list of {name: text or texts}, without their names
    "steps",  # a program: a list of {"step": what is done, "gives": what comes of it}
]
"""How an entry of the payload is drawn, and what it is. Texts may point to the boxes of the first scene."""


class Shown(Struct, frozen=True):
    """A picture in a payload: which one, and what is known to be in it."""

    picture: str
    """The content hash under which the database keeps it."""
    width: int
    height: int
    alt: str
    """What a screen reader says in its stead."""
    regions: tuple[Any, ...] = ()
    """`core.scene.Region`, as JSON."""


@dataclass(frozen=True)
class Option:
    """One thing to choose."""

    value: str
    label: str
    key: str = ""
    """The key that chooses it; the pages number the rest."""


@dataclass(frozen=True)
class Field:
    """One thing that a worker is asked for."""

    name: str
    kind: FieldKind
    label: str
    help: str = ""
    required: bool = True
    about: str = ""
    """The payload's entry that it is about: the picture of tags, or the list that `options_from` numbers."""
    options: tuple[Option, ...] = ()
    options_from: str = ""
    """A list of the payload whose entries are the options, by position ("0", "1", …)."""
    parts: tuple[Field, ...] = ()
    least: int | None = None
    most: int | None = None
    """Of a group, of texts or of choices: how many."""
    least_words: int = 0
    most_words: int | None = None
    similar: int = 0
    """How many earlier texts of this field that are most like what is being written are shown beside it."""
    similar_by: str = ""
    """An entry of the payload: only texts of tasks that have the same there are shown. Empty for all."""
    only_if: tuple[str, str] | None = None
    """Asked only where another field of the same form or group has this value."""
    warn: bool = False
    """Whether the audit looks over the writer's shoulder (length, likeness, telling words, a blind model)."""
    by_number: bool = False
    """Of a tagged text: a bare number that is a box's becomes its tag as it is written, 4 to `[person4]`."""
    marks: str = ""
    """What the words are that the writer puts in {curly brackets}, where some are to be told apart. The page
    offers to put what is selected in brackets, and shows what stands in them in another colour; that brackets
    come in pairs is for the stage's `checks`."""
    starts_from: str = ""
    """Where the text that one begins with comes from: a text of the payload, or a choice of the same form
    with `options_from`, whose chosen entry it takes for as long as nobody has changed it."""


@dataclass(frozen=True)
class Show:
    """One thing that a worker sees: an entry of the payload, and how it is drawn."""

    name: str
    kind: ShowKind
    label: str = ""


@dataclass(frozen=True)
class Example:
    """One good or bad example in the instructions, with the reason."""

    text: str
    good: bool
    why: str


@dataclass(frozen=True)
class Pay:
    """What work earns. `each` names a field: of one that takes several (a group), the amount is for each of
    them; of any other, for an answer there, so that who had nothing to write earns nothing.
    """

    amount: Money
    each: str = ""
    only_if_kept: bool = False
    """Paid when the work is kept, not when it is handed in: once a record rests on it or a verdict finds it
    good, whichever is first. A bad verdict, or a task about it that is dropped, settles that it is not."""
    reward: Money = 0
    """The most that rewards of later work add: held against the budget until one comes, or until it is
    settled whether the work is kept."""
    bonus: Money = 0
    """The most that the bonus of a round adds for one assignment: held against the budget until the round is
    closed."""


@dataclass(frozen=True)
class Said:
    """One worker's finished answers to one task."""

    assignment: int
    worker: int
    answers: Answers
    seconds: float = 0.0


@dataclass(frozen=True)
class Done:
    """A task with all its answers, as `then` sees it."""

    key: str
    stage: str
    payload: Payload
    said: tuple[Said, ...]
    settings: Mapping[str, Any]
    """The campaign's settings over the protocol's defaults."""
    seed: int
    """For all that is drawn here: made of the campaign's seed and the task's key."""
    about: tuple[int, ...] = ()
    """Assignments that it judges."""
    adjudicated: bool = False
    """Whether a reviewer has settled a dispute; `said` is then that one answer."""


@dataclass(frozen=True)
class NewTask:
    """Work that comes of other work."""

    stage: str
    key: str
    """Unique in the stage; making a task that is there already does nothing, so that a step may run twice."""
    payload: Payload
    overlap: int | None = None
    """Other than the stage's own."""
    not_for: tuple[int, ...] = ()
    """Workers who must not do it, beyond those who did what it is about, or what that was about."""
    about: tuple[int, ...] = ()
    """Assignments that it judges: who did them never does it, and its verdicts are about them."""
    pool: str = ""
    """Workers whose tier opens this pool may do it; empty for everyone who is qualified."""


@dataclass(frozen=True)
class Verdict:
    """A judgement of one assignment, which counts for its worker's standing."""

    assignment: int
    good: bool
    reason: str = ""
    feedback: str = ""
    """What the worker reads."""


@dataclass(frozen=True)
class Reward:
    """Money that comes of later work."""

    assignment: int
    amount: Money
    reason: str


@dataclass(frozen=True)
class Record:
    """One finished piece of the benchmark."""

    key: str
    data: Mapping[str, Any]
    by: tuple[int, ...] = ()
    """Assignments that it rests on."""


@dataclass(frozen=True)
class Outcome:
    """What comes of a finished task."""

    tasks: tuple[NewTask, ...] = ()
    records: tuple[Record, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    rewards: tuple[Reward, ...] = ()
    dropped: str = ""
    """Why nothing is kept of it."""
    disputed: str = ""
    """Why a reviewer must settle it first; nothing else is then looked at."""


@dataclass(frozen=True)
class Making:
    """What becomes what in the item that is being made, for the audit that looks over the writer's shoulder.

    Names are those of fields or of the payload's entries. `questions.answer` is the part `answer` of each
    entry of the group `questions`; what is not in the group is the same for all of its entries.
    """

    asked: tuple[str, ...] = ()
    """The question, the premise: what both right and wrong choices answer."""
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stage:
    """One kind of work."""

    name: str
    title: str
    purpose: str
    """One sentence: what a worker does here."""
    shows: tuple[Show, ...]
    form: tuple[Field, ...]
    pay: Pay
    then: Callable[[Done], Outcome]
    guide: tuple[str, ...] = ()
    """The instructions, paragraph by paragraph."""
    examples: tuple[Example, ...] = ()
    overlap: int = 1
    minutes: float = 30.0
    """How long an assignment is held before a closed tab returns it."""
    role: Literal["worker", "reviewer"] = "worker"
    exam: str = ""
    """The exam that must be passed first."""
    votes: tuple[str, ...] = ()
    """Fields whose answers are votes: agreement is measured over them."""
    checks: tuple[Callable[[Payload, Answers], Iterable[Complaint]], ...] = ()
    """Rules over several fields; those of one field are in the field."""
    agrees: Callable[[Answers, Answers], bool] | None = None
    """Whether an answer (second) is as good as the gold (first); without one, the votes must be the same."""
    making: Making | None = None
    """What the fields that are written here become; without it, each is looked at on its own."""
    days: float | None = None
    """How long a task waits for workers; then it goes on with the answers that it has, or is dropped."""
    closed_to: str = ""
    """An exam whose passers do other work instead; empty where everyone who may work here does."""


@dataclass(frozen=True)
class Exam:
    """What a worker must pass first: questions with known answers, and writing that a reviewer grades."""

    name: str
    title: str
    guide: tuple[str, ...]
    graded: tuple[ExamQuestion, ...] = ()
    """Each is asked once; the share that is right must reach `pass_mark`."""
    pass_mark: float = 1.0
    written: tuple[Field, ...] = ()
    """Read by a reviewer, who passes or fails it."""
    tries: int = 1
    samples_of: str = ""
    """The stage that the written part tries out: `samples` of its tasks are drawn for each person and shown
    as the stage shows them, and `written` is asked about each."""
    samples: int = 0
    distinction: str = ""
    """An exam that those count as having passed as well whom the reviewer passes with distinction."""


@dataclass(frozen=True)
class ExamQuestion:
    """One question with a known answer."""

    field: Field
    right: str
    why: str
    """Shown afterwards."""


@dataclass(frozen=True)
class History:
    """What is known of a worker in a campaign."""

    verdicts: tuple[bool, ...]
    """Oldest first."""
    gold: tuple[bool, ...]
    round_verdicts: tuple[bool, ...] = ()
    """Since the last round was closed."""
    round_done: int = 0
    """Assignments handed in since then."""
    tier: str = ""
    by_stage: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)
    """The verdicts by the stage of the work that they judge."""
    round_by_stage: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)
    closing: bool = False
    """Whether a round is being closed just now: bonuses and tiers that a whole round decides follow then."""


@dataclass(frozen=True)
class Standing:
    """What follows from a worker's history."""

    qualified: bool = True
    reason: str = ""
    tier: str = ""
    pools: tuple[str, ...] = ()
    bonus_each: Money = 0
    """For each assignment of a round that is being closed."""
    bonus_for: tuple[str, ...] = ()
    """Stages whose assignments have this bonus; empty for all."""
    rates: Mapping[str, float] = field(default_factory=dict)
    """By stage, the share (0 to 1) of what its work earned in a round that stays earned: when the round is
    closed, the rest is set off. A stage that is not named here keeps all."""


@dataclass(frozen=True)
class Sampling:
    """Work that is looked at when a round ends: of each worker's as much as this, drawn by chance."""

    stage: str
    """Whose assignments are drawn."""
    size: int
    """How many of each worker; all where there are fewer."""
    task: Callable[[Done], NewTask | None]
    """The work of looking at one of them: from its task, with that one answer. None where there is nothing to
    look at; another is drawn then."""


@dataclass(frozen=True)
class Protocol:
    """One paper's way of collecting."""

    name: str
    title: str
    source: str
    """The paper and its sections."""
    currency: str
    stages: tuple[Stage, ...]
    start: str
    """The stage that imported subjects begin in."""
    subjects: Callable[[Item, Mapping[str, Any], Callable[[str], Shown]], Iterable[NewTask]]
    """Imported items as first tasks: the item, the settings, and what keeps a picture by its name."""
    standing: Callable[[History, Mapping[str, Any]], Standing]
    item_of: Callable[[Record], Iterable[Item]]
    """A record as items of the benchmark."""
    raw_of: Callable[[Record], Mapping[str, Any]] | None = None
    """A record in the raw form that `build match` reads, where there is one."""
    exams: tuple[Exam, ...] = ()
    settings: Mapping[str, Setting] = field(default_factory=dict)
    sampling: Sampling | None = None
    """What is looked at before a round is closed."""
    rebuilt: Callable[[Mapping[str, Any]], Protocol] | None = None
    """This protocol with other settings in its forms, checks, pay and exams; without it, settings reach
    only `subjects`, `then` and `standing`."""

    def under(self, changed: Mapping[str, Any]) -> Protocol:
        """As a campaign has it that changed these settings."""
        if self.rebuilt is None or not changed:
            return self
        defaults = {name: setting.default for name, setting in self.settings.items()}
        return self.rebuilt(defaults | dict(changed))

    def stage(self, name: str) -> Stage:
        """The stage of this name."""
        for stage in self.stages:
            if stage.name == name:
                return stage
        raise KeyError(name)


@dataclass(frozen=True)
class Setting:
    """One number or word of the paper that a campaign may change."""

    default: Any
    says: str
    """What it is, and where the paper says so."""


def labels_of(payload: Payload, about: str) -> tuple[str, ...]:
    """The labels of the regions in a payload's picture, by number: what tags are read with."""
    shown = payload.get(about)
    if isinstance(shown, Shown):
        shown = to_builtins(shown)
    regions = shown.get("regions") if isinstance(shown, Mapping) else None
    if not isinstance(regions, list | tuple):
        return ()
    found = (region.get("label") if isinstance(region, Mapping) else None for region in regions)
    return tuple(label if isinstance(label, str) else "" for label in found)


def visible(payload: Payload) -> dict[str, Any]:
    """What of a payload may leave for a worker's page or program."""
    return {name: value for name, value in payload.items() if not name.startswith("_")}


def worker_name(worker: int) -> str:
    """How a record's data name a worker, as a key or as a value. Export puts a pseudonym in its stead, so
    that nothing else about a person is ever part of a dataset.
    """
    return f"worker:{worker}"
