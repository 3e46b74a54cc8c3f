"""What comes of work by CRIC's protocol: questions are judged, mended and judged again, or dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import convert, json, structs, to_builtins

from commonsight.benchmarks.protocols.common import (
    by_chance,
    failed_gold,
    majority,
    short_key,
    too_few_good,
)
from commonsight.benchmarks.protocols.scenes import shown
from commonsight.collect.protocol import (
    Answers,
    Done,
    History,
    NewTask,
    Outcome,
    Record,
    Shown,
    Standing,
    Verdict,
    worker_name,
)
from commonsight.core.answer import Grounded
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.graph.programs import call_text

MARKS = {"grammatical": "grammatical", "unambiguous": "unambiguous", "right": "right in its answer"}
"""What the page of `build questions` asks as well, and how it is told."""
NOTHING = "no object"
RESTS_ON = ("sub_graph", "wrong_part")
"""Native fields that say what an answer rests on."""


# --- first tasks -------------------------------------------------------------------------------------------


def subjects(
    item: Item, settings: Mapping[str, Any], keep: Callable[[str], Shown]
) -> Iterator[NewTask]:
    """A generated question with its answer and its object, if it is among the share that is looked at."""
    if not _can_be_judged(item) or not by_chance(f"review {item.id}", settings["share"]):
        return
    picture = to_builtins(shown(item.scenes[0], keep))
    key = short_key(item.id)
    yield _to_review(key, item, picture, {"key": key, "round": 1, "corrected": [], "by": []}, settings)


def _can_be_judged(item: Item) -> bool:
    """Whether people can see what is asked, what is answered, and what the answer is about."""
    if not isinstance(item.gold, Grounded) or "question" not in item.texts or len(item.scenes) != 1:
        return False
    seen = {region.id for region in item.scenes[0].regions}
    return item.target is not None and bool(seen) and seen.issuperset(item.target)


def _to_review(
    key: str, item: Item, picture: Mapping[str, Any], kept: Mapping[str, Any], settings: Mapping[str, Any],
    about: tuple[int, ...] = (),
) -> NewTask:  # fmt: skip
    kept_item = json.decode(json.encode(item))  # lists, as the database gives them back
    payload = {**told(item), "picture": picture, "_item": kept_item, "_kept": dict(kept)}
    return NewTask("review", key, payload, overlap=settings["votes"], about=about)


def told(item: Item) -> dict[str, Any]:
    """What people see of a question: its words, its answer, its object, its steps, and what it rests on."""
    assert isinstance(item.gold, Grounded)
    named = _Names(item)
    graph = item.extra.get("sub_graph") or {}
    facts = [
        *(", ".join(map(str, fact)) for fact in graph.get("knowledge_items", ())),
        *(named.fact(fact) for name in ("relations", "attributes") for fact in graph.get(name, ())),
    ]
    steps = item.program.steps if item.program is not None else ()
    return {
        "question": item.texts["question"].bracketed(item.labels),
        "answer": item.gold.text,
        "points": named.objects(item.target or ()),
        "facts": facts,
        "steps": [
            {"step": f"{number}. {call_text(step, number)}", "gives": named.output(step.output or ())}
            for number, step in enumerate(steps)
        ],
    }


class _Names:
    """Objects by the tags of their boxes, so that a page can point to them."""

    def __init__(self, item: Item) -> None:
        regions = item.scenes[0].regions if item.scenes else ()
        self._tags = {
            region.id: f"[{region.label}{number}]"
            for number, region in enumerate(regions, 1)
            if region.id is not None
        }

    def object(self, object_id: Any) -> str:
        if not isinstance(object_id, int):
            return str(object_id)
        return self._tags.get(object_id, f"object {object_id}")

    def objects(self, ids: Sequence[Any]) -> str:
        return ", ".join(map(self.object, ids)) or NOTHING

    def fact(self, fact: Any) -> str:
        return " ".join(map(self.object, fact)) if isinstance(fact, list | tuple) else str(fact)

    def output(self, output: Sequence[int | str]) -> str:
        if len(output) == len(self._tags) > 1:
            return "all objects"
        return self.objects(output)


# --- what comes of it --------------------------------------------------------------------------------------


def reviewed(done: Done) -> Outcome:
    """A question stays if the majority finds no fault with it; otherwise it is mended, or dropped."""
    decided = {mark: majority(done, mark) for mark in MARKS}
    if None in decided.values():
        tied = ", ".join(name for mark, name in MARKS.items() if decided[mark] is None)
        return Outcome(disputed=f"As many say that it is {tied} as say that it is not.")
    faults = [mark for mark in MARKS if decided[mark] == "no"]
    kept = done.payload["_kept"]
    if not faults:
        verdicts = tuple(Verdict(each, True, "review", "Others accept it.") for each in done.about)
        return Outcome(records=(_record(done),), verdicts=verdicts)
    found = f"Not {', not '.join(MARKS[mark] for mark in faults)}."
    verdicts = tuple(Verdict(each, False, "review", f"Others still find: {found}") for each in done.about)
    if kept["round"] > done.settings["corrections"]:
        return Outcome(dropped=found, verdicts=verdicts)
    payload = {**done.payload, "said": [_said(said.answers) for said in done.said]}
    not_for = tuple(kept["correctors"]) if "correctors" in kept else ()
    mend = NewTask("correct", f"{kept['key']}/{kept['round']}", payload, not_for=not_for)
    return Outcome(tasks=(mend,), verdicts=verdicts)


def _said(answers: Answers) -> dict[str, str]:
    note = {"note": answers["note"]} if answers.get("note") else {}
    return {mark: answers[mark] for mark in MARKS} | note


def _record(done: Done) -> Record:
    kept = done.payload["_kept"]
    votes = {
        mark: [sum(said.answers[mark] == "yes" for said in done.said), len(done.said)] for mark in MARKS
    }
    data = {
        "item": done.payload["_item"],
        "picture": done.payload["picture"],
        "votes": votes,
        "corrected": kept["corrected"],
        **({"corrector": worker_name(kept["correctors"][-1])} if kept.get("correctors") else {}),
    }
    return Record(kept["key"], data, (*kept["by"], *(said.assignment for said in done.said)))


def corrected(done: Done) -> Outcome:
    """What was mended is judged anew by others."""
    said = done.said[-1]
    if said.answers["action"] == "drop":
        return Outcome(dropped="Held to be beyond mending.")
    item = convert(done.payload["_item"], Item)
    mended, changes = mend(item, said.answers)
    if not changes:
        return Outcome(dropped="Nothing was mended.")
    kept = done.payload["_kept"]
    following = {
        **kept,
        "round": kept["round"] + 1,
        "corrected": [*kept["corrected"], *(change for change in changes if change not in kept["corrected"])],
        "by": [*kept["by"], said.assignment],
        "correctors": [*kept.get("correctors", ()), said.worker],
    }
    key = f"{kept['key']}/{following['round']}"
    again = _to_review(key, mended, done.payload["picture"], following, done.settings, (said.assignment,))
    return Outcome(tasks=(again,))


def mend(item: Item, answers: Answers) -> tuple[Item, list[str]]:
    """The item with what was corrected, and what that was.

    A program and the facts that speak for another answer would belie the new one, so they go with the old.
    """
    assert isinstance(item.gold, Grounded)
    before, target = item.gold.text, _target(item, answers)
    question, answer = " ".join(answers["question"].split()), answers["answer"].strip().lower()
    changes = [
        *(["question"] if question != item.texts["question"].bracketed(item.labels) else []),
        *(["answer"] if answer != before.lower() else []),
        *(["target"] if target != (item.target or ()) else []),
    ]
    if "question" in changes:
        item = structs.replace(item, texts={**item.texts, "question": TaggedText.plain(question)})
    if "answer" in changes or "target" in changes:
        said = answer if "answer" in changes else before
        item = structs.replace(
            item,
            gold=Grounded(said, target[0] if target else None),
            target=target,
            program=None,
            extra={name: value for name, value in item.extra.items() if name not in RESTS_ON},
        )
    return item, changes


def _target(item: Item, answers: Answers) -> tuple[int, ...]:
    """The ids of the objects that the answer is about."""
    if answers["pointing"] == "none":
        return ()
    if answers["pointing"] == "same":
        return item.target or ()
    regions = item.scenes[0].regions
    chosen = ((place, regions[place].id) for place in answers["target"])
    return tuple(place if known is None else known for place, known in chosen)


def standing(history: History, settings: Mapping[str, Any]) -> Standing:
    """Out by gold questions, or once too little of what one mended is accepted."""
    reason = failed_gold(history, settings) or too_few_good(
        history.by_stage.get("correct", ()), settings["least_accepted"], settings["accepted_judged"],
        "corrections",
    )  # fmt: skip
    return Standing(qualified=False, reason=reason) if reason else Standing()


# --- what it becomes ---------------------------------------------------------------------------------------


def item_of(record: Record) -> Iterator[Item]:
    """The item that was imported, with what was corrected and what people said of it."""
    data = record.data
    item = convert(data["item"], Item)
    scene = structs.replace(
        item.scenes[0],
        stored=data["picture"]["picture"], width=data["picture"]["width"], height=data["picture"]["height"],
    )  # fmt: skip
    review = {
        "record": record.key, "votes": dict(data["votes"]), "corrected": list(data["corrected"]),
        **({"corrector": data["corrector"]} if "corrector" in data else {}),
    }  # fmt: skip
    yield structs.replace(item, scenes=(scene,), provenance={**item.provenance, "review": review})
