"""What comes of work by PMR's protocol: premises are offered, actions examined, a tenth of it checked."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from commonsight.benchmarks.pmr import ANSWER_TYPES, NO_PAL
from commonsight.benchmarks.protocols.common import by_chance, failed_gold, too_few_good
from commonsight.benchmarks.protocols.marks import marked, unmarked
from commonsight.benchmarks.protocols.pmr_words import REFERENCES
from commonsight.benchmarks.protocols.scenes import (
    fits,
    key_of,
    number_of,
    provenance_of,
    scene_of,
    scene_payload,
)
from commonsight.build.imaging.interest.rules import Rule
from commonsight.build.premises.offers import offers, tokens
from commonsight.build.premises.pictures import Picture
from commonsight.build.premises.recover import category_of
from commonsight.collect.protocol import (
    Done,
    History,
    NewTask,
    Outcome,
    Payload,
    Record,
    Reward,
    Said,
    Shown,
    Standing,
    Verdict,
    labels_of,
    worker_name,
)
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText

ACTIONS = ("action_true", "action_false", "distractor1", "distractor2")
"""Fields and entries, in the order of the benchmark's answer types."""
FAULTS = {
    "premise": "The premise repeats the picture, or speaks against it",
    "true": "Action-True does not follow from the premise, or does not fit the picture",
    "false": "Action-False does not go against the premise, or does not fit the picture",
    "words": "The words in brackets are missing, or not about what can be seen",
    "language": "It cannot be understood, or is not about what happens next",
}
SPLITS = ("train", "val", "test")
_NEXT = re.compile(r"\b(?:next|will|after this|going to|about to)\b", re.IGNORECASE)


# --- premises are offered ----------------------------------------------------------------------------------


def subjects(
    item: Item, settings: Mapping[str, Any], keep: Callable[[str], Shown]
) -> Iterator[NewTask]:
    """Tasks for a picture that is not crowded or dark, each with premises of its own."""
    rule = Rule(
        least_people=1,
        most_people=settings["most_people"],
        most_objects=settings["most_tags"],
        least_brightness=settings["least_brightness"],
    )
    for scene in item.scenes:
        if fits(scene, rule):
            base = scene_payload(item, scene, keep)
            base["_source"]["split"] = split_of(base["_source"], settings)
            for turn in range(settings["writers"]):
                payload = {**base, **_offered(item, scene, settings, turn)}
                yield NewTask("write", f"{key_of(base)}/{turn + 1}", payload)


def _offered(item: Item, scene: Scene, settings: Mapping[str, Any], turn: int) -> dict[str, Any]:
    """Premises, one of each category as long as there are, and reference actions."""
    made = offers(Picture(scene.image, scene.labels), settings["offers_seed"] + turn)
    made = made[: settings["premises_offered"]]
    rng = random.Random(f"{settings['offers_seed']}:{scene.image}:{turn}:references")
    return {
        "premises": [offer.text for offer in made],
        "_categories": [offer.category for offer in made],
        "references": references(item, scene, settings["references"], rng),
    }


def references(item: Item, scene: Scene, count: int, rng: random.Random) -> list[str]:
    """What others wrote about what comes next: what the item brings, filled up from our own table."""
    brought = [str(text) for text in item.extra.get("reference_actions") or ()]
    question = item.texts.get("question")
    if question is not None and isinstance(item.gold, Pick) and _NEXT.search(question.bracketed(item.labels)):
        brought.append(item.choices[item.gold.index].bracketed(item.labels))
    people = [place for place, label in enumerate(scene.labels) if label == "person"]
    fitting = [text for text in REFERENCES if len(people) > 1 or "{q}" not in text]
    for text in rng.sample(fitting, min(len(fitting), max(0, count - len(brought)))):
        named = dict(zip("pq", rng.sample(people, min(2, len(people))), strict=False))
        brought.append(tokens(text, named).bracketed(scene.labels))
    return brought[:count]


def split_of(source: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """The split of a movie, by chance in the shares that are set; without shares, what the source says."""
    shares = settings["split_shares"]
    if not shares:
        return str(source["split"])
    drawn = number_of(f"{settings['offers_seed']}:{source['groups']['movie']}") / 2**48 * sum(shares)
    for name, share in zip(SPLITS, shares, strict=False):
        drawn -= share
        if drawn < 0:
            return name
    return SPLITS[0]


# --- phase 1 to phase 3 ------------------------------------------------------------------------------------


def written(done: Done) -> Outcome:
    """What a writer made goes to an examiner."""
    said = done.said[-1]
    answers = said.answers
    chosen = int(answers["premise"])
    premise = answers.get("premise_text") or done.payload["premises"][chosen]
    changed = done.settings["premise_words_may_change"]
    category = category_of(premise) if changed else done.payload["_categories"][chosen]
    payload = {
        "picture": done.payload["picture"],
        "premise": premise,
        "action_true": answers["action_true"],
        "action_false": answers["action_false"],
        "_source": done.payload["_source"],
        "_category": category,
        "_writer": said.worker,
        "_written": said.assignment,
        "_key": done.key,
        "_turn": 1,
    }
    return Outcome(tasks=(NewTask("examine", f"{done.key}/1", payload, about=(said.assignment,)),))


def examined(done: Done) -> Outcome:
    """Accepted or dropped, with its pay; a tenth of either is looked at before it counts."""
    said = done.said[-1]
    accepted = said.answers["decision"] == "accept"
    looked_at = by_chance(f"{done.seed}:check", done.settings["check_share"])
    payload = {**done.payload, **_decided(said), "_examiner": said.worker, "_examined": said.assignment}
    checks = (NewTask("check", done.key, payload, about=(said.assignment,)),) if looked_at else ()
    if accepted:
        records = () if looked_at else (_record(payload, done.seed),)
        return Outcome(checks, records, (_kept(payload),), _rewards(payload, done.settings))
    if looked_at:
        return Outcome(checks)
    dropped = _dropped(payload)
    return Outcome(verdicts=(dropped,), dropped=dropped.reason)


def _decided(said: Said) -> dict[str, Any]:
    """What an examiner said, as the one who checks it sees it."""
    answers = said.answers
    if answers["decision"] == "accept":
        distractors = {name: answers[name] for name in ACTIONS[2:]}
        named = dict(zip(("Distractor 1", "Distractor 2"), distractors.values(), strict=True))
        return {"decision": [{"Decision": "accepted", **named}], "_accepted": True, **distractors}
    note = answers.get("note", "")
    told = f"{FAULTS[answers['fault']]}. {note}".strip()
    return {
        "decision": [{"Decision": "dropped", "Why": told}],
        "_accepted": False, "_fault": answers["fault"], "_told": told,
    }  # fmt: skip


def _kept(payload: Payload) -> Verdict:
    return Verdict(payload["_written"], True, "accepted in phase 2", "An examiner accepted it.")


def _dropped(payload: Payload) -> Verdict:
    return Verdict(payload["_written"], False, f"dropped in phase 2: {payload['_fault']}", payload["_told"])


def _rewards(payload: Payload, settings: Mapping[str, Any]) -> tuple[Reward, ...]:
    """What accepted work earns beyond what any work earns: the writer, and the examiner for distractors."""
    more = (
        (payload["_written"], settings["write_pay_accepted"] - settings["write_pay_dropped"], "accepted"),
        (payload["_examined"], settings["examine_pay_accepted"] - settings["examine_pay_dropped"],
         "accepted, with two distractors"),
    )  # fmt: skip
    return tuple(Reward(assignment, amount, why) for assignment, amount, why in more if amount)


def looked_over(done: Done) -> Outcome:
    """The examiner is told; what does not meet the standard is out, or examined again if it was dropped."""
    said, payload = done.said[-1].answers, done.payload
    good, accepted = said["meets"] == "yes", payload["_accepted"]
    examiner = Verdict(payload["_examined"], good, "phase 3", said.get("feedback", ""))
    if good and accepted:
        return Outcome(records=(_record(payload, done.seed),), verdicts=(examiner,))
    if good:
        dropped = _dropped(payload)
        return Outcome(verdicts=(examiner, dropped), dropped=dropped.reason)
    if accepted:
        return Outcome(verdicts=(examiner,), dropped="rejected in phase 3")
    return Outcome(tasks=(_again(payload),), verdicts=(examiner,))


def _again(payload: Payload) -> NewTask:
    """Good work that was dropped, for another examiner."""
    turn = payload["_turn"] + 1
    kept = ("picture", "premise", *ACTIONS[:2], "_source", "_category", "_writer", "_written", "_key")
    examiners = [*payload.get("_examiners", ()), payload["_examiner"]]
    again = {**{name: payload[name] for name in kept}, "_turn": turn, "_examiners": examiners}
    return NewTask(
        "examine", f"{payload['_key']}/{turn}", again,
        not_for=tuple(examiners), about=(payload["_written"],),
    )  # fmt: skip


def standing(history: History, settings: Mapping[str, Any]) -> Standing:
    """Examiners earn the share of their work that was found right; who writes too badly may be sent home."""
    out = failed_gold(history, settings) or too_few_good(
        history.by_stage.get("write", ()), settings["least_accepted"], settings["accepted_judged"], "pieces"
    )
    if out:
        return Standing(qualified=False, reason=out)
    checked = history.round_by_stage.get("examine") or history.by_stage.get("examine") or ()
    return Standing(rates={"examine": sum(checked) / len(checked)} if checked else {})


# --- what it becomes ---------------------------------------------------------------------------------------


def _record(payload: Payload, seed: int) -> Record:
    order = list(range(len(ACTIONS)))
    random.Random(f"{seed}:order").shuffle(order)
    data = {
        "picture": payload["picture"],
        "source": payload["_source"],
        "premise": payload["premise"],
        "category": payload["_category"],
        "actions": [payload[name] for name in ACTIONS],
        "order": order,
        "writer": worker_name(payload["_writer"]),
        "examiner": worker_name(payload["_examiner"]),
    }
    return Record(payload["_key"], data, by=(payload["_written"], payload["_examined"]))


def item_of(record: Record) -> Iterator[Item]:
    """A record as a complete item of the half that people wrote."""
    data = record.data
    labels = labels_of(data, "picture")
    texts = [TaggedText.parse(unmarked(text), labels) for text in data["actions"]]
    yield Item(
        str(number_of(record.key)),
        data["source"]["split"],
        (scene_of(data),),
        {"premise": TaggedText.parse(data["premise"], labels)},
        tuple(texts[place] for place in data["order"]),
        Pick(data["order"].index(0)),
        groups={**data["source"]["groups"], "category": data["category"], "half": "ori"},
        provenance={
            **provenance_of(record.key, data),
            "examiner": data["examiner"],
            "image_words": [marked(data["actions"][place]) for place in data["order"]],
        },
        extra={
            "answer_types": [ANSWER_TYPES[place] for place in data["order"]],
            "metadata_fn": data["source"]["metadata_fn"],
            "pal_id": NO_PAL,
        },
    )
