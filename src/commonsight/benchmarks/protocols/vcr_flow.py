"""What comes of work by VCR's protocol: which pictures are asked about, what follows, and what is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from commonsight.benchmarks.protocols.common import by_chance, failed_gold
from commonsight.benchmarks.protocols.scenes import (
    fits,
    key_of,
    number_of,
    provenance_of,
    scene_of,
    scene_payload,
)
from commonsight.build.imaging.interest.rules import Rule
from commonsight.collect.protocol import (
    Answers,
    Done,
    History,
    NewTask,
    Outcome,
    Payload,
    Record,
    Shown,
    Standing,
    Verdict,
    labels_of,
    worker_name,
)
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.text import TaggedText

PARTS = ("question", "answer", "rationale")
OUTSTANDING = "outstanding"
"""The tier, and the pool, of workers whose reviewed work is nearly always good."""
SCORES = {"boring": -1, "okay": 0, "interesting": 1}
"""What the released files write for what workers thought of an image."""


def subjects(
    item: Item, settings: Mapping[str, Any], keep: Callable[[str], Shown]
) -> Iterator[NewTask]:
    """A task for each picture that has enough boxes and people, once however many items show it."""
    rule = Rule(least_people=settings["least_people"], least_objects=settings["least_tags"])
    for scene in item.scenes:
        if fits(scene, rule, settings["least_score"]):
            payload = {
                **scene_payload(item, scene, keep),
                "context": captions(item),
                "_asked": 0, "_round": 1, "_scores": [], "_writers": [],
            }  # fmt: skip
            yield NewTask("write", key_of(payload), payload)


def captions(item: Item) -> list[str]:
    """What is told of the moments around a picture: the item's caption, or `captions` of its source."""
    told = [item.texts["caption"].bracketed(item.labels)] if "caption" in item.texts else []
    return [*told, *(str(caption) for caption in item.extra.get("captions") or ())]


def written(done: Done) -> Outcome:
    """Records at once; some work goes to a reviewer, and an especially interesting picture to others."""
    scores = [*done.payload["_scores"], *(SCORES[said.answers["interesting"]] for said in done.said)]
    records: list[Record] = []
    reviews: list[NewTask] = []
    for place, said in enumerate(done.said):
        if by_chance(f"{done.seed}:review:{place}", done.settings["review_share"]):
            reviews.append(_review(done, place))
        for number, triplet in enumerate(said.answers["triplets"]):
            data = {
                **_data(done.payload, triplet),
                "scores": scores,
                "number": done.payload["_asked"] + len(records),
                "writer": worker_name(said.worker),
            }
            records.append(Record(f"{done.key}:{place}.{number}", data, by=(said.assignment,)))
    return Outcome(tasks=(*reviews, *_again(done, scores, len(records))), records=tuple(records))


def _data(payload: Payload, triplet: Answers) -> dict[str, Any]:
    return {
        "picture": payload["picture"],
        "source": payload["_source"],
        **{part: triplet[part] for part in PARTS},
        "likelihood": triplet["likelihood"],
    }


def _review(done: Done, place: int) -> NewTask:
    said = done.said[place]
    work = [{name: triplet[name] for name in (*PARTS, "likelihood")} for triplet in said.answers["triplets"]]
    payload = {"picture": done.payload["picture"], "context": done.payload["context"], "work": work}
    pool = OUTSTANDING if done.settings["outstanding_workers_review"] else ""
    return NewTask("review", f"{done.key}:{place}", payload, about=(said.assignment,), pool=pool)


def _again(done: Done, scores: list[int], asked: int) -> Iterator[NewTask]:
    """The picture for other workers, where at least half of those who wrote about it want that."""
    now = scores[len(done.payload["_scores"]) :]
    following = done.payload["_round"] + 1
    if following > done.settings["most_rounds"] or 2 * now.count(SCORES["interesting"]) < len(now):
        return
    writers = [*done.payload["_writers"], *(said.worker for said in done.said)]
    payload = {
        **done.payload,
        "_asked": done.payload["_asked"] + asked, "_round": following, "_scores": scores, "_writers": writers,
    }  # fmt: skip
    yield NewTask("write", f"{key_of(payload)}/{following}", payload, not_for=tuple(writers))


def reviewed(done: Done) -> Outcome:
    """What a reviewer thinks counts for the worker, who reads why; what was written stays."""
    said = done.said[-1].answers
    good = said["good_enough"] == "yes"
    faults = [name for name in ("questions", "answers", "rationales") if said[name] == "poor"]
    reason = f"review: poor {', '.join(faults)}" if faults else "review"
    return Outcome(verdicts=tuple(Verdict(each, good, reason, said["feedback"]) for each in done.about))


def standing(history: History, settings: Mapping[str, Any]) -> Standing:
    """Out once the latest reviews are mostly bad; outstanding while nearly all of them are good."""
    if told := failed_gold(history, settings):
        return Standing(qualified=False, reason=told)
    latest = history.verdicts[-settings["quality_window"] :] if settings["quality_window"] > 0 else ()
    if len(latest) >= max(1, settings["quality_judged"]):
        share = sum(latest) / len(latest)
        if share < settings["quality_share"]:
            told = f"Of the last {len(latest)} pieces of work that were reviewed, {sum(latest)} were good."
            return Standing(qualified=False, reason=told)
    judged = len(history.verdicts)
    many = judged >= max(1, settings["outstanding_judged"])
    if many and sum(history.verdicts) / judged >= settings["outstanding_share"]:
        return Standing(tier=OUTSTANDING, pools=(OUTSTANDING,))
    return Standing()


# --- what it becomes ---------------------------------------------------------------------------------------


def item_of(record: Record) -> Iterator[Item]:
    """A record as an item with the right choices alone, as it is before matching."""
    data = record.data
    labels = labels_of(data, "picture")
    question, answer, rationale = (TaggedText.parse(data[part], labels) for part in PARTS)
    yield Item(
        annotation_id(record),
        data["source"]["split"],
        (scene_of(data),),
        {"question": question},
        (answer,),
        Pick(0),
        (rationale,),
        0,
        groups=dict(data["source"]["groups"]),
        provenance=provenance_of(record.key, data),
        extra={
            "metadata_fn": data["source"]["metadata_fn"],
            "question_number": data["number"],
            "interesting_scores": list(data["scores"]),
            "answer_likelihood": data["likelihood"],
            **{f"{part}_orig": data[part] for part in PARTS},
        },
    )


def raw_of(record: Record) -> dict[str, Any]:
    """A record as a line of raw annotations, which Adversarial Matching starts from."""
    data, source = record.data, record.data["source"]
    return {
        "id": annotation_id(record),
        "group": source["groups"]["movie"],
        **({"split": source["split"]} if source["split"] else {}),
        "image": source["image"],
        "img_id": source["groups"]["image"],
        "metadata_fn": source["metadata_fn"],
        "objects": list(labels_of(data, "picture")),
        **{part: data[part] for part in PARTS},
        "likelihood": data["likelihood"],
        "interesting": list(data["scores"]),
        "question_number": data["number"],
        **provenance_of(record.key, data),
    }


def annotation_id(record: Record) -> str:
    """An id in VCR's manner, the split and a number: `val-35`."""
    split, number = record.data["source"]["split"], number_of(record.key)
    return f"{split}-{number}" if split else str(number)


