"""What comes of work by A-OKVQA's protocol: questions are screened, explained, and answered by nine more."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import structs

from commonsight.benchmarks import aokvqa
from commonsight.benchmarks.protocols.aokvqa_words import FLAWS
from commonsight.benchmarks.protocols.common import (
    failed_gold,
    image_number,
    majority,
    one_line,
    photograph,
    picture,
    short_key,
    too_few_good,
)
from commonsight.benchmarks.protocols.scenes import drawn_of
from commonsight.collect.protocol import (
    Answers,
    Done,
    History,
    NewTask,
    Outcome,
    Record,
    Said,
    Shown,
    Standing,
    Verdict,
    worker_name,
)
from commonsight.core.answer import Pick
from commonsight.core.benchmark import Source
from commonsight.core.item import Item
from commonsight.core.scene import Scene

LOST = "The answer was not confirmed."


# --- first tasks -------------------------------------------------------------------------------------------


def subjects(
    item: Item, settings: Mapping[str, Any], keep: Callable[[str], Shown]
) -> Iterator[NewTask]:
    """Similar pictures, for someone to write about; or a question with its choices, to be screened."""
    if "question" in item.texts:
        if item.scenes and isinstance(item.gold, Pick) and 0 <= item.gold.index < len(item.choices):
            yield _to_screen_again(item, item.gold.index, settings, keep)
        return
    scenes = [scene for scene in item.scenes if _is_rich(scene, settings)][: settings["pictures"]]
    if len(scenes) < settings["least_questions"]:
        return
    pictures = [
        {**picture(scene, keep), "alt": f"Picture {place}"} for place, scene in enumerate(scenes, 1)
    ]
    origin = {"images": [scene.image for scene in scenes], "split": item.split, **drawn_of(item)}
    key = short_key(item.groups.get("set", item.id))
    yield NewTask("write", key, {"pictures": pictures, "_origin": origin, "_split": item.split})


def _is_rich(scene: Scene, settings: Mapping[str, Any]) -> bool:
    """Whether a picture shows more than three objects, where anyone has said what it shows (section 3)."""
    return not scene.regions or len(scene.regions) > settings["more_objects_than"]


def _to_screen_again(
    item: Item, right: int, settings: Mapping[str, Any], keep: Callable[[str], Shown]
) -> NewTask:
    """A question of a dataset, which goes the whole way from its screening on."""
    kept = {
        "id": item.id, "image": item.scenes[0].image, "split": item.split, "right": right,
        "seen": [], "by": [], **drawn_of(item),
    }  # fmt: skip
    choices = [choice.bracketed(item.labels) for choice in item.choices]
    shown = {**picture(item.scenes[0], keep), "alt": "The picture"}
    question = item.texts["question"].bracketed(item.labels)
    return _first_look(short_key(item.id), shown, question, choices, kept, settings)


def _first_look(
    key: str, shown: Mapping[str, Any], question: str, choices: list[str], kept: Mapping[str, Any],
    settings: Mapping[str, Any], about: tuple[int, ...] = (),
) -> NewTask:  # fmt: skip
    """A question on its way to three others; by a program first, where there is one."""
    payload = {"picture": shown, "question": question, "choices": choices, "_kept": dict(kept)}
    if settings["program"]:
        return NewTask("solve", key, payload, about=about)
    return _to_screen(key, payload, settings, about)


def _to_screen(
    key: str, payload: Mapping[str, Any], settings: Mapping[str, Any], about: tuple[int, ...]
) -> NewTask:
    answer = payload["choices"][payload["_kept"]["right"]]
    return NewTask(
        "screen", key, {**payload, "answer": answer}, overlap=settings["screeners"], about=about
    )


# --- questions ---------------------------------------------------------------------------------------------


def written(done: Done) -> Outcome:
    """Each question goes to others, its choices in an order drawn by chance."""
    tasks: list[NewTask] = []
    for number, said in enumerate(done.said):
        for entry in said.answers["questions"]:
            place = int(entry["picture"])
            key = f"{done.key}-{place}" if not number else f"{done.key}-{place}-{number}"
            tasks.append(_question(done, key, place, said, entry))
    return Outcome(tasks=tuple(tasks))


def _question(done: Done, key: str, place: int, said: Said, entry: Answers) -> NewTask:
    choices = [tidy(text) for text in (entry["answer"], *entry["wrong"])]
    right = choices[0]
    random.Random(f"{done.seed}:{key}").shuffle(choices)
    origin = done.payload["_origin"]
    kept = {
        "id": key, "image": origin["images"][place], "split": origin["split"],
        "right": choices.index(right), "writer": said.worker, "seen": [said.worker],
        "by": [said.assignment], **({"drawn": True} if origin.get("drawn") else {}),
    }  # fmt: skip
    shown = {**done.payload["pictures"][place], "alt": "The picture"}
    question = one_line(entry["question"])
    return _first_look(key, shown, question, choices, kept, done.settings, (said.assignment,))


def tidy(answer: str) -> str:
    """An answer as the released files write them: small letters, single spaces, no full stop."""
    words = one_line(answer.lower())
    return words.rstrip(".!") or words


def solved(done: Done) -> Outcome:
    """What a program answers right without much knowledge is trivial (section 3)."""
    if int(done.said[-1].answers["pick"]) == done.payload["_kept"]["right"]:
        told = "A program that knows little found the answer."
        return Outcome(dropped=told, verdicts=_verdicts(done, False, "trivial", told))
    return Outcome(tasks=(_to_screen(done.key, done.payload, done.settings, done.about),))


def screened(done: Done) -> Outcome:
    """A question stays if the majority finds that it is as it should be; the writer reads why it is not."""
    decided = majority(done, "meets")
    if decided is None:
        return Outcome(disputed="As many screeners for it as against it.")
    if decided == "no":
        flaws = _flaws(done)
        told = "; ".join(FLAWS[flaw] for flaw in flaws)
        verdicts = _verdicts(done, False, f"screening: {', '.join(flaws)}", f"{told}.")
        return Outcome(dropped=f"Screened out: {', '.join(flaws)}.", verdicts=verdicts)
    votes = [said.answers["meets"] for said in done.said]
    payload = {**done.payload, "_kept": {**_seen_by(done), "screening": votes}}
    explain = NewTask(
        "explain", done.key, payload, overlap=done.settings["rationales"], about=done.about
    )
    return Outcome(tasks=(explain,), verdicts=_verdicts(done, True, "screening", "Others liked it."))


def _flaws(done: Done) -> list[str]:
    """What screeners found, most often first."""
    named = Counter(flaw for said in done.said for flaw in said.answers.get("flaws") or ())
    return sorted(named, key=lambda flaw: (-named[flaw], list(FLAWS).index(flaw)))


def _verdicts(done: Done, good: bool, reason: str, told: str) -> tuple[Verdict, ...]:
    return tuple(Verdict(each, good, reason, told) for each in done.about)


def _seen_by(done: Done) -> dict[str, Any]:
    """What is kept of a question, with those who have seen its answer by now."""
    kept = done.payload["_kept"]
    return {
        **kept,
        "seen": [*kept["seen"], *(said.worker for said in done.said)],
        "by": [*kept["by"], *(said.assignment for said in done.said)],
    }


def explained(done: Done) -> Outcome:
    """Who explains the answer confirms it first; a question with a disagreement is removed (appendix A.2)."""
    against = [said for said in done.said if said.answers["confirmed"] == "no"]
    if len(against) > done.settings["most_unconfirmed"]:
        others = ", ".join(sorted({tidy(said.answers["own_answer"]) for said in against}))
        told = f"{LOST} Others answered: {others}."
        return Outcome(dropped=LOST, verdicts=_verdicts(done, False, "answer not confirmed", told))
    agreeing = [said.answers for said in done.said if said.answers["confirmed"] == "yes"]
    kept = {
        **_seen_by(done), "choices": done.payload["choices"],
        "rationales": [one_line(answers["rationale"]) for answers in agreeing], **_knowledge(agreeing),
    }  # fmt: skip
    payload = {"picture": done.payload["picture"], "question": done.payload["question"], "_kept": kept}
    answer = NewTask(
        "answer", done.key, payload, overlap=done.settings["direct_answers"],
        not_for=tuple(kept["seen"]), about=done.about,
    )  # fmt: skip
    return Outcome(tasks=(answer,))


def _knowledge(answers: Sequence[Answers]) -> dict[str, str]:
    """The kind of knowledge that most people say it takes, where they were asked (section 4)."""
    named = Counter(each["knowledge"] for each in answers if each.get("knowledge"))
    return {"knowledge": named.most_common(1)[0][0]} if named else {}


def answered(done: Done) -> Outcome:
    """The writer's answer and nine more make the record."""
    kept = done.payload["_kept"]
    direct = [kept["choices"][kept["right"]], *(tidy(said.answers["answer"]) for said in done.said)]
    random.Random(done.seed).shuffle(direct)
    data = {
        "question_id": kept["id"],
        "split": kept["split"],
        "image": kept["image"],
        "picture": done.payload["picture"],
        "question": done.payload["question"],
        "choices": kept["choices"],
        "right": kept["right"],
        "direct_answers": direct,
        "difficult": len(set(direct)) >= done.settings["difficult_from"],
        "rationales": kept["rationales"],
        "screening": kept["screening"],
        **({"writer": worker_name(kept["writer"])} if "writer" in kept else {}),
        **{name: kept[name] for name in ("knowledge", "drawn") if name in kept},
    }
    by = (*kept["by"], *(said.assignment for said in done.said))
    return Outcome(records=(Record(done.key, data, by),))


def standing(history: History, settings: Mapping[str, Any]) -> Standing:
    """Out by gold questions, or once too few of one's questions are kept."""
    reason = failed_gold(history, settings) or too_few_good(
        history.by_stage.get("write", ()), settings["least_kept"], settings["kept_judged"], "questions"
    )
    return Standing(qualified=False, reason=reason) if reason else Standing()


# --- what it becomes ---------------------------------------------------------------------------------------


def item_of(record: Record) -> Iterator[Item]:
    """A record as the item that A-OKVQA's reader makes of its native form, with its picture."""
    data = record.data
    native = aokvqa.AokvqaRecord(
        split=data["split"],
        image_id=image_number(data["image"], data["picture"]["picture"]),
        question_id=data["question_id"],
        question=data["question"],
        choices=tuple(data["choices"]),
        correct_choice_idx=data["right"],
        direct_answers=tuple(data["direct_answers"]),
        difficult_direct_answer=data["difficult"],
        rationales=tuple(data["rationales"]),
    )
    beyond = {"knowledge_type": data["knowledge"]} if "knowledge" in data else {}
    item = aokvqa.to_item(native, beyond, Source("collected", data["split"]))
    provenance = {
        "record": record.key, "image": data["image"], "screening": list(data["screening"]),
        **{name: data[name] for name in ("writer", "drawn") if name in data},
    }  # fmt: skip
    scene = photograph(item.scenes[0].image, data["picture"])
    yield structs.replace(item, scenes=(scene,), provenance=provenance)
