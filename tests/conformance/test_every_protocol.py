"""What every way of collecting must do, whichever it is: one suite over all of them.

Protocols are values and `then` is pure, so a campaign can be walked through without a database: a subject's
first task, valid answers to it, what comes of them, answers to that, and so on.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from form_answers import answers_to
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonsight.benchmarks import find as find_benchmark
from commonsight.benchmarks.protocols import ALL, BY_NAME, find
from commonsight.build.matching.raw import RESERVED, ImageRecord
from commonsight.collect.forms import checked
from commonsight.collect.protocol import (
    Done,
    Field,
    History,
    NewTask,
    Outcome,
    Protocol,
    Record,
    Said,
    Shown,
    Stage,
)
from commonsight.collect.settings import changed_settings
from commonsight.core.answer import Grounded
from commonsight.core.checks import faults
from commonsight.core.item import Item
from commonsight.core.program import Program, Step
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError
from commonsight.store.native import read_native

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
every_protocol = pytest.mark.parametrize("protocol", ALL, ids=[protocol.name for protocol in ALL])


class Subject(NamedTuple):
    """Items that a protocol can start from, and settings under which every stage is soon reached."""

    items: Callable[[], Iterable[Item]]
    often: Mapping[str, Any] = {}


def frames() -> Iterator[Item]:
    """Pictures with boxes."""
    native, images = find_benchmark("vcr").native, FIXTURES / "vcr/images"
    yield from read_native(native, [FIXTURES / "vcr/val.jsonl"], images=images)


def picture_sets() -> Iterator[Item]:
    """Sets of similar pictures, as `build sets` gives them."""
    for name in ("n1", "n2"):
        scenes = tuple(Scene(f"{name}/{place}.png", width=640, height=480) for place in range(8))
        yield Item(name, "train", scenes, groups={"set": name}, extra={"synset": "otter"})


def clusters() -> Iterator[Item]:
    """Similar pictures, as `build clusters` gives them; and questions that are there already."""
    for name in ("cluster-0", "cluster-1"):
        scenes = tuple(Scene(f"{name}/{place}.jpg") for place in range(4))
        yield Item(name, "train", scenes, groups={"set": name})
    native = find_benchmark("aokvqa").native
    yield from read_native(native, [FIXTURES / "aokvqa/aokvqa_v1p0_val.json"])


def generated_questions() -> Iterator[Item]:
    """Questions with programs, as `build questions` gives them."""
    cup, dog = (Region(label, Box(1, 1, 9, 9), id=number) for number, label in ((7, "cup"), (12, "dog")))
    asked = (("What can hold tea?", "cup", (7,)), ("Is there a dog that can fly?", "no", ()))
    for number, (question, answer, target) in enumerate(asked):
        steps = (Step("Initial", (), (7, 12), ()), Step("Find", ("object",), target, (0,)))
        yield Item(
            f"1-{number}", "train", (Scene("1.jpg", (cup, dog)),), {"question": TaggedText.plain(question)},
            gold=Grounded(answer, target[0] if target else None), target=target, program=Program(steps),
            groups={"image": "1", "question_type": "QueryObjKG"},
            extra={"sub_graph": {"knowledge_items": [["cup", "Can", "tea"]], "relations": [[7, "by", 12]]}},
        )  # fmt: skip


SUBJECTS = {
    "vcr": Subject(frames, {"review_share": 1.0}),
    "pmr": Subject(frames, {"check_share": 0.7}),
    "nlvr2": Subject(picture_sets, {"held_out": 1.0}),
    "aokvqa": Subject(clusters, {"program": True, "most_unconfirmed": 2}),
    "cric": Subject(generated_questions, {"votes": 1}),
}


def keep(name: str) -> Shown:
    """A picture that nobody looks at, told from others by its name."""
    return Shown(hashlib.sha256(name.encode()).hexdigest() + ".png", 640, 480, name)


def settings_of(protocol: Protocol, changed: Mapping[str, Any]) -> dict[str, Any]:
    return {name: setting.default for name, setting in protocol.settings.items()} | dict(changed)


def as_stored(value: Any) -> Any:
    """A payload or data as it comes back from the database."""
    return json.loads(msgspec.json.encode(value))


def first_tasks(protocol: Protocol, changed: Mapping[str, Any]) -> dict[str, NewTask]:
    found: dict[str, NewTask] = {}
    for item in SUBJECTS[protocol.name].items():
        for task in protocol.subjects(item, settings_of(protocol, changed), keep):
            found.setdefault(task.key, task)
    return found


# --- what is declared --------------------------------------------------------------------------------------


def test_every_protocol_has_a_name_of_its_own_and_subjects() -> None:
    assert len(BY_NAME) == len(ALL)
    assert {protocol.name for protocol in ALL} == set(SUBJECTS)
    for protocol in ALL:
        assert find(protocol.name) is protocol
        assert find_benchmark(protocol.name).name == protocol.name
    with pytest.raises(UsageError, match=r"'vqa' is no protocol\. Choose one of: vcr, pmr"):
        find("vqa")


def fields_in(form: Iterable[Field]) -> Iterator[Field]:
    for each in form:
        yield each
        yield from fields_in(each.parts)


@every_protocol
def test_its_stages_hold_together(protocol: Protocol) -> None:
    names = [stage.name for stage in protocol.stages]
    exams = {exam.name for exam in protocol.exams}
    assert protocol.start in names
    assert len(set(names)) == len(names)
    assert protocol.title
    assert protocol.source
    for stage in protocol.stages:
        assert stage.title
        assert stage.purpose.endswith(".")
        assert stage.guide, f"{stage.name} has no instructions"
        assert stage.overlap >= 1
        assert stage.minutes > 0
        assert stage.pay.amount >= 0
        assert stage.exam in exams or not stage.exam
        assert stage.closed_to in exams or not stage.closed_to
        assert not any(show.name.startswith("_") for show in stage.shows), "shown, yet for `then` alone"
        holds_together(stage.form)
        for vote in stage.votes:
            kind = next(each.kind for each in fields_in(stage.form) if each.name == vote.rpartition(".")[2])
            assert kind in ("choice", "choices", "rating", "boxes", "text")
        if stage.pay.each:
            assert stage.pay.each in {each.name for each in stage.form}


def holds_together(form: Sequence[Field]) -> None:
    by_name = {each.name: each for each in form}
    assert len(by_name) == len(form)
    for each in form:
        assert re.fullmatch(r"[a-z][a-z0-9_-]*", each.name)
        assert each.label
        assert bool(each.parts) == (each.kind == "group")
        if each.kind in ("choice", "choices", "rating"):
            assert each.options or each.options_from
            assert len({option.value for option in each.options}) == len(each.options)
        if each.kind in ("tagged", "boxes"):
            assert each.about
        if each.only_if is not None:
            other = by_name[each.only_if[0]]
            assert each.only_if[1] in {option.value for option in other.options}
        if each.least is not None and each.most is not None:
            assert 0 <= each.least <= each.most
        holds_together(each.parts)


@every_protocol
def test_whoever_writes_first_sees_good_and_bad_examples(protocol: Protocol) -> None:
    writing = [
        stage for stage in protocol.stages if any(each.warn or each.marks for each in fields_in(stage.form))
    ]
    for stage in writing:
        assert {example.good for example in stage.examples} == {True, False}, stage.name
        assert all(example.why for example in stage.examples)


@every_protocol
def test_its_exams_can_be_sat(protocol: Protocol) -> None:
    names = {exam.name for exam in protocol.exams}
    for exam in protocol.exams:
        assert exam.title
        assert exam.guide
        assert exam.graded or exam.written
        assert 0 < exam.pass_mark <= 1
        assert exam.tries >= 1
        assert exam.distinction in names or not exam.distinction
        assert bool(exam.samples_of) == bool(exam.samples)
        if exam.samples_of:
            assert exam.samples_of in {stage.name for stage in protocol.stages}
        holds_together([*(question.field for question in exam.graded), *exam.written])
        for question in exam.graded:
            assert question.right in {option.value for option in question.field.options}
            assert question.why


@every_protocol
def test_its_settings_say_what_they_are(protocol: Protocol) -> None:
    for name, setting in protocol.settings.items():
        assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
        assert setting.says.endswith("."), name
        assert len(setting.says) > 15
    defaults = {name: setting.default for name, setting in protocol.settings.items()}
    assert changed_settings(protocol, defaults) == {}
    assert protocol.under({}) is protocol


@every_protocol
@given(data=st.data())
def test_a_changed_setting_gives_a_whole_protocol_or_a_clear_refusal(
    protocol: Protocol, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(protocol.settings)))
    changed = {name: data.draw(like(protocol.settings[name].default))}
    try:
        under = protocol.under(changed)
    except UsageError:
        return
    assert [stage.name for stage in under.stages] == [stage.name for stage in protocol.stages]
    assert under.settings == protocol.settings
    for stage in under.stages:
        holds_together(stage.form)


def like(default: Any) -> st.SearchStrategy[Any]:
    if isinstance(default, bool):
        return st.booleans()
    if isinstance(default, int):
        return st.integers(-2, 100)
    if isinstance(default, float):
        return st.floats(-0.5, 2.0)
    if isinstance(default, str):
        return st.text(st.characters(categories=["L", "Nd"]), max_size=20)
    return st.lists(like(default[0]) if default else st.text(max_size=5), max_size=4)


@every_protocol
@given(data=st.data())
def test_standing_follows_from_any_history(protocol: Protocol, data: st.DataObject) -> None:
    verdicts = st.lists(st.booleans(), max_size=12).map(tuple)
    stages = st.sampled_from([stage.name for stage in protocol.stages])
    history = History(
        data.draw(verdicts), data.draw(verdicts), data.draw(verdicts), data.draw(st.integers(0, 500)),
        by_stage=data.draw(st.dictionaries(stages, verdicts)),
        round_by_stage=data.draw(st.dictionaries(stages, verdicts)),
        closing=data.draw(st.booleans()),
    )  # fmt: skip
    for changed in ({}, SUBJECTS[protocol.name].often):
        standing = protocol.standing(history, settings_of(protocol, changed))
        assert standing == protocol.standing(history, settings_of(protocol, changed))
        assert standing.qualified or standing.reason
        assert standing.bonus_each >= 0
        paying = standing.bonus_for or [stage.name for stage in protocol.stages]
        under = protocol.under(changed)
        assert all(standing.bonus_each <= under.stage(name).pay.bonus for name in paying), "not in the budget"
        assert all(0 <= rate <= 1 for rate in standing.rates.values())
        assert set(standing.rates) <= {stage.name for stage in protocol.stages}
    assert protocol.standing(History((), ()), settings_of(protocol, {})).qualified, "out before any work"


# --- what comes of work ------------------------------------------------------------------------------------


@dataclass
class Walk:
    """A campaign in memory: tasks that wait, and all that came of those that are done."""

    protocol: Protocol
    settings: Mapping[str, Any]
    open: list[NewTask]
    made: set[tuple[str, str]] = field(default_factory=set)
    assignments: list[Said] = field(default_factory=list)
    may_get: dict[int, int] = field(default_factory=dict)
    """By assignment, what rewards may still add."""
    stages: set[str] = field(default_factory=set)
    records: dict[str, Record] = field(default_factory=dict)

    def step(self, data: st.DataObject, task: NewTask) -> None:
        """One task, answered by as many workers as it wants."""
        stage = self.protocol.stage(task.stage)
        self.stages.add(stage.name)
        payload = as_stored(task.payload)
        has_all_that_is_shown(stage, payload)
        wanted = task.overlap or stage.overlap
        if stage.days is not None:  # a task whose time is over goes on with the answers that it has
            wanted = data.draw(st.integers(1, wanted))
        said = tuple(self.say(data, stage, payload) for _ in range(wanted))
        seed = data.draw(st.integers(0, 2**32))
        done = Done(task.key, stage.name, payload, said, self.settings, seed, task.about)
        outcome = applied(stage, done)
        self.take(done, outcome)
        if outcome.disputed:
            settled = replace(done, said=(self.say(data, stage, payload),), adjudicated=True)
            outcome = applied(stage, settled)
            assert not outcome.disputed, "a reviewer's word does not settle it"
            self.take(settled, outcome)
        sampling = self.protocol.sampling
        if sampling is not None and sampling.stage == stage.name:
            for one in said:
                drawn = sampling.task(replace(done, said=(one,)))
                self.take(done, Outcome(tasks=() if drawn is None else (drawn,)))

    def say(self, data: st.DataObject, stage: Stage, payload: Mapping[str, Any]) -> Said:
        given = data.draw(answers_to(stage.form, payload, stage.checks))
        number = len(self.assignments) + 1
        said = Said(number, 100 + number, as_stored(checked(stage.form, payload, given, stage.checks)))
        self.assignments.append(said)
        self.may_get[number] = stage.pay.reward
        return said

    def take(self, done: Done, outcome: Outcome) -> None:
        """What comes of it, held against what the engine can do."""
        known = {said.assignment for said in self.assignments}
        workers = {said.worker for said in self.assignments}
        for task in outcome.tasks:
            self.protocol.stage(task.stage)
            assert 0 < len(task.key) <= 200
            assert task.overlap is None or task.overlap >= 1
            assert set(task.about) <= known
            assert set(task.not_for) <= workers
            if (task.stage, task.key) not in self.made:
                self.made.add((task.stage, task.key))
                self.open.append(task)
        keys = [(task.stage, task.key) for task in outcome.tasks]
        assert len(set(keys)) == len(keys), "two new tasks have one key"
        for record in outcome.records:
            assert record.key not in self.records, "two records have one key"
            assert 0 < len(record.key) <= 200
            assert record.by
            assert set(record.by) <= known
            self.records[record.key] = Record(record.key, as_stored(record.data), record.by)
        assert {verdict.assignment for verdict in outcome.verdicts} <= known
        assert {reward.assignment for reward in outcome.rewards} <= known
        assert all(type(reward.amount) is int for reward in outcome.rewards)
        for reward in outcome.rewards:
            self.may_get[reward.assignment] -= reward.amount
            assert self.may_get[reward.assignment] >= 0, "a reward that the budget does not know of"
        for verdict in outcome.verdicts:
            self.may_get[verdict.assignment] = 0  # from here on, nothing is held back for it
        judges = {said.assignment for said in done.said}
        judged = {verdict.assignment for verdict in outcome.verdicts}
        assert not judges & judged, "someone judges their own work"
        made = (*outcome.tasks, *outcome.records, *outcome.verdicts, *outcome.rewards)
        assert not (outcome.disputed and made), "what is disputed is looked at later"


def applied(stage: Stage, done: Done) -> Outcome:
    """What `then` says, twice: it is pure, and leaves what it was given as it was."""
    before = copy.deepcopy(done)
    outcome = stage.then(done)
    assert done == before, "`then` changed what it was given"
    assert stage.then(before) == outcome, "`then` is not a function of what it is given"
    assert as_stored([task.payload for task in outcome.tasks]) == [
        msgspec.to_builtins(task.payload) for task in outcome.tasks
    ], "a payload is not what JSON gives back"
    return outcome


def has_all_that_is_shown(stage: Stage, payload: Mapping[str, Any]) -> None:
    names = {each.name for each in stage.form}
    for show in stage.shows:
        assert show.name in payload, f"{stage.name} shows {show.name}"
        looks_like(show.kind, payload[show.name])
    for each in fields_in(stage.form):
        for needed in (each.about, each.options_from):
            assert not needed or needed in payload, f"{stage.name}.{each.name} needs {needed}"
        if each.options_from:
            assert payload[each.options_from]
        assert not each.starts_from or each.starts_from in {*payload, *names}
        assert not each.similar_by or each.similar_by in payload


def looks_like(kind: str, value: Any) -> None:
    """What the pages expect of an entry that is drawn in this way."""
    if kind == "scene":
        msgspec.convert(value, Shown)
    elif kind == "pictures":
        msgspec.convert(value, list[Shown])
    elif kind == "pairs":
        assert all(len(pair) == 2 for pair in msgspec.convert(value, list[list[Shown]]))
    elif kind == "text":
        assert isinstance(value, str)
    elif kind == "texts":
        msgspec.convert(value, list[str])
    elif kind == "answers":
        msgspec.convert(value, list[dict[str, str | list[str]]])
    else:
        assert all(set(step) == {"step", "gives"} for step in value)


STEPS = 12
"""Tasks of one walk: enough to come from a subject to a record by the longest way."""


@every_protocol
def test_any_valid_answers_lead_on(protocol: Protocol) -> None:
    """From a subject to records, by whatever workers may say: nothing is lost, doubled or out of place."""
    subject = SUBJECTS[protocol.name]
    firsts = {
        often: list(first_tasks(protocol, subject.often if often else {}).values()) for often in (True, False)
    }
    assert firsts[False], "the fixtures hold nothing to begin with"
    reached: set[str] = set()
    finished: dict[str, Record] = {}

    @settings(max_examples=30, suppress_health_check=[*HealthCheck])
    @given(st.data())
    def walk(data: st.DataObject) -> None:
        often = data.draw(st.booleans())
        changed = subject.often if often else {}
        first = data.draw(st.sampled_from(firsts[often]))
        one = Walk(protocol.under(changed), settings_of(protocol, changed), [first])
        for _ in range(STEPS):
            if not one.open:
                break
            one.step(data, one.open.pop())
        reached.update(one.stages)
        finished.update(one.records)
        for record in one.records.values():
            is_whole(protocol, record)

    walk()
    assert reached == {stage.name for stage in protocol.stages}
    assert finished


def is_whole(protocol: Protocol, record: Record) -> None:
    """A record gives items without a fault, and a raw line that matching can read."""
    items = list(protocol.item_of(record))
    assert items
    for item in items:
        assert list(faults(item)) == []
        assert item.split
        assert item == next(each for each in protocol.item_of(record) if each.id == item.id)
        assert all(scene.stored for scene in item.scenes), "export cannot find the picture"
        msgspec.json.encode(item)
    if protocol.raw_of is not None:
        line = protocol.raw_of(record)
        assert not RESERVED & line.keys()
        msgspec.json.decode(msgspec.json.encode(line), type=ImageRecord)
