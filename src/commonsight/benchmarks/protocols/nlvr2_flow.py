"""What comes of work by NLVR2's protocol: sets, pairs, sentences, examples, and how writers stand."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import structs

from commonsight.benchmarks import nlvr2
from commonsight.benchmarks.protocols.common import (
    chosen_by_most,
    failed_gold,
    one_line,
    photograph,
    picture,
    short_key,
)
from commonsight.benchmarks.protocols.nlvr2_words import AVOID
from commonsight.benchmarks.protocols.scenes import drawn_of, number_of
from commonsight.collect.protocol import (
    Done,
    History,
    NewTask,
    Outcome,
    Payload,
    Record,
    Said,
    Shown,
    Standing,
    Verdict,
    worker_name,
)
from commonsight.core.answer import Verdict as Label
from commonsight.core.benchmark import Source
from commonsight.core.item import Item
from commonsight.store.native import FieldError

TRAIN = "train"
TRUSTED = "trusted"
"""The tier, and the pool, of writers who followed the rules for a whole round."""
SIDES = ("Left image", "Right image")
TOLD = ("synset", "query")
"""What a native record says of a set: what was searched for, and how."""


# --- first tasks -------------------------------------------------------------------------------------------


def subjects(
    item: Item, settings: Mapping[str, Any], keep: Callable[[str], Shown]
) -> Iterator[NewTask]:
    """A set of pictures begins where the settings say; an example that has a sentence, at its check."""
    if "sentence" in item.texts and len(item.scenes) == 2:
        if isinstance(item.gold, Label):
            yield _to_check_again(item, keep)
        return
    pictures, names = _fit_pictures(item, settings, keep)
    if len(pictures) < settings["set_size"]:
        return
    origin = {**_origin(item), "names": names}
    searched_for = origin.get("synset") or origin.get("query") or "what most of these pictures show"
    payload = {"synset": searched_for, "pictures": pictures, "_set": origin}
    if settings["begin"] == "write":
        whole = len(pictures) == len(item.scenes)
        pairs = _given_pairs(item.extra.get("pairs"), settings["set_size"]) if whole else None
        rng = random.Random(origin["name"])
        yield _to_write(short_key(origin["name"]), payload, pictures, rng, settings, pairs)
    else:
        yield NewTask(settings["begin"], short_key(origin["name"]), payload)


def _origin(item: Item) -> dict[str, Any]:
    """What is known of a set, for the records that come of it."""
    told = {name: str(item.extra[name]) for name in TOLD if item.extra.get(name)}
    if "query" in told and item.extra.get("result") is not None:
        told["query"] += str(item.extra["result"])  # as in the released files
    return {"name": item.groups.get("set", item.id), "split": item.split, **told, **drawn_of(item)}


def _fit_pictures(
    item: Item, settings: Mapping[str, Any], keep: Callable[[str], Shown]
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The pictures that are large enough, each once, and what each is called: by its address, if any."""
    names: dict[str, str] = {}
    pictures: list[dict[str, Any]] = []
    for scene in item.scenes[: settings["most_pictures"]]:
        shown = picture(scene, keep)
        if shown["picture"] in names or min(shown["width"], shown["height"]) < settings["shortest_side"]:
            continue
        names[shown["picture"]] = str(scene.extra.get("url") or scene.image)
        pictures.append({**shown, "alt": f"Picture {len(pictures) + 1} of the set"})
    return pictures, names


def _given_pairs(pairs: Any, size: int) -> Sequence[Sequence[int]] | None:
    """The pairs that `build sets` made, if they are pairs of all pictures of a set."""
    places = [place for pair in pairs or () for place in pair]
    return pairs if size and len(places) == size and sorted(places) == list(range(size)) else None


def _to_check_again(item: Item, keep: Callable[[str], Shown]) -> NewTask:
    """An example of a dataset, whose label is to be checked."""
    assert isinstance(item.gold, Label)
    sides = [picture(scene, keep) for scene in item.scenes]
    called = [
        str(item.extra.get(url) or scene.image)
        for scene, url in zip(item.scenes, ("left_url", "right_url"), strict=True)
    ]
    names = {shown["picture"]: name for shown, name in zip(sides, called, strict=True)}
    payload = {
        "pair": [_side_by_side(*sides)],
        "sentence": item.texts["sentence"].bracketed(()),
        "_label": item.gold.value,
        "_identifier": _identifier(item),
        "_set": {**_origin(item), "names": names},
        "_split": _plain_split(item.split),
    }
    return NewTask("validate", short_key(item.id), payload)


def _identifier(item: Item) -> str:
    """The item's own name, or one that reads as NLVR2's do."""
    try:
        nlvr2.Identifier.parse(item.id)
    except FieldError:
        image_set = set_number(item.groups.get("set", item.id))
        return f"{_plain_split(item.split)}-{image_set}-{number_of(item.id)}-0"
    return item.id


# --- sets (section 3.1) ------------------------------------------------------------------------------------


def pruned(done: Done) -> Outcome:
    """The set without what was taken out, if enough of it is left."""
    gone = chosen_by_most(done, "remove")
    left = [shown for place, shown in enumerate(done.payload["pictures"]) if place not in gone]
    if len(left) < done.settings["set_size"]:
        return Outcome(dropped=_only(len(left), "left"))
    return Outcome(tasks=(NewTask("construct", done.key, {**done.payload, "pictures": left}),))


def constructed(done: Done) -> Outcome:
    """Interesting pictures first, then the most similar; the first of them become pairs."""
    doubled, dull = chosen_by_most(done, "duplicates"), chosen_by_most(done, "dull")
    pictures = done.payload["pictures"]
    left = [place for place in range(len(pictures)) if place not in doubled]
    interesting = sum(place not in dull for place in left)
    if len(left) < done.settings["set_size"]:
        return Outcome(dropped=_only(len(left), "left"))
    if interesting < done.settings["least_interesting"]:
        return Outcome(dropped=_only(interesting, "interesting"))
    ordered = [pictures[place] for place in sorted(left, key=lambda place: (place in dull, place))]
    rng = random.Random(done.seed)
    return Outcome(tasks=(_to_write(done.key, done.payload, ordered, rng, done.settings),))


def _only(number: int, what: str) -> str:
    return f"Only {number} picture{' is' if number == 1 else 's are'} {what}."


def _to_write(
    key: str, payload: Payload, pictures: Sequence[Mapping[str, Any]], rng: random.Random,
    settings: Mapping[str, Any], pairs: Sequence[Sequence[int]] | None = None,
) -> NewTask:  # fmt: skip
    """The first pictures in pairs, by chance; in which split their examples will be, and who may write."""
    size = settings["set_size"]
    order = rng.sample(range(size), size)
    pairs = pairs or list(zip(order[::2], order[1::2], strict=False))
    split = _split_of(payload["_set"], rng, settings)
    for_all = rng.random() < settings["first_pool"]
    return NewTask(
        "write",
        key,
        {
            "pairs": [_side_by_side(pictures[left], pictures[right]) for left, right in pairs],
            "_set": payload["_set"],
            "_split": split,
        },
        overlap=settings["sentences"],
        pool="" if for_all else TRUSTED,
    )


def _side_by_side(left: Mapping[str, Any], right: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{**shown, "alt": side} for shown, side in zip((left, right), SIDES, strict=True)]


def _split_of(origin: Mapping[str, Any], rng: random.Random, settings: Mapping[str, Any]) -> str:
    """By set, so that no picture is in two splits (section 3.4)."""
    held_out, splits = rng.random() < settings["held_out"], settings["held_out_splits"]
    drawn = rng.choice(splits) if held_out and splits else TRAIN
    return _plain_split(str(origin["split"] if settings["keep_splits"] and origin["split"] else drawn))


def _plain_split(split: str) -> str:
    """A split's name for identifiers, whose parts stand between hyphens."""
    return split.replace("-", "_") or TRAIN


# --- sentences (sections 3.2 and 3.3) ----------------------------------------------------------------------


def written(done: Done) -> Outcome:
    """Each pair with each sentence is an example, which someone else labels."""
    tasks: list[NewTask] = []
    for number, said in enumerate(done.said):
        if said.answers["fit"] == "yes":
            tasks.extend(_to_validate(done, number, said))
    if not tasks:
        why = sorted({str(said.answers["fit"]) for said in done.said})
        return Outcome(dropped=f"Reported by who was to write: {', '.join(why)}.")
    return Outcome(tasks=tuple(tasks))


def _to_validate(done: Done, number: int, said: Said) -> Iterator[NewTask]:
    origin, split = done.payload["_set"], done.payload["_split"]
    for place, pair in enumerate(done.payload["pairs"]):
        payload = {
            "pair": [pair],
            "sentence": one_line(said.answers["sentence"]),
            "_label": str(place) in said.answers["selected"],
            "_identifier": f"{split}-{set_number(origin['name'])}-{place}-{number}",
            "_set": origin,
            "_split": split,
            "_writer": said.worker,
        }
        yield NewTask("validate", f"{done.key}/{place}/{number}", payload, about=(said.assignment,))


def set_number(name: str) -> str:
    """A set in an identifier, whose parts stand between hyphens: its own number, or one made of its name."""
    return name if name.isascii() and name.isdigit() else str(number_of(name))


def validated(done: Done) -> Outcome:
    """An example stays if its label is confirmed; for development and testing four more are asked."""
    said, label = done.said[-1], done.payload["_label"]
    if said.answers["label"] == "nonsense":
        return Outcome(dropped="Reported as making no sense.")
    if (said.answers["label"] == "true") is not label:
        return Outcome(dropped=f"Labelled {str(not label).lower()}; who wrote it meant {str(label).lower()}.")
    payload = {**done.payload, "_validation": {worker_name(said.worker): str(label)}}
    if done.payload["_split"] == TRAIN:
        return Outcome(records=(_record(payload, (*done.about, said.assignment)),))
    again = NewTask(
        "extra", done.key, {**payload, "_by": [*done.about, said.assignment]},
        overlap=done.settings["extra_votes"], not_for=(said.worker,), about=done.about,
    )  # fmt: skip
    return Outcome(tasks=(again,))


def voted(done: Done) -> Outcome:
    """An example stays unless two or more of the further judgements go against its label (section 3.4)."""
    label = "true" if done.payload["_label"] else "false"
    against = sum(said.answers["label"] != label for said in done.said)
    if against > done.settings["most_against"]:
        return Outcome(dropped=f"{against} of {len(done.said)} further judgements are against its label.")
    votes = {
        worker_name(said.worker): said.answers["label"].capitalize()
        for said in done.said
        if said.answers["label"] != "nonsense"
    }
    by = (*done.payload["_by"], *(said.assignment for said in done.said))
    return Outcome(records=(_record({**done.payload, "_extra_validations": votes}, by),))


def _record(payload: Payload, by: tuple[int, ...]) -> Record:
    origin = payload["_set"]
    left, right = payload["pair"][0]
    data = {
        "identifier": payload["_identifier"],
        "split": payload["_split"],
        "sentence": payload["sentence"],
        "label": str(payload["_label"]),
        "pair": [left, right],
        "urls": [origin["names"].get(side["picture"], side["picture"]) for side in (left, right)],
        "set": origin["name"],
        "validation": payload["_validation"],
        **{name: origin[name] for name in (*TOLD, "drawn") if name in origin},
        **({"writer": worker_name(payload["_writer"])} if payload.get("_writer") is not None else {}),
    }
    if "_extra_validations" in payload:
        data["extra_validations"] = payload["_extra_validations"]
    return Record(payload["_identifier"], data, by)


# --- rounds (section 3.5 and appendix B) -------------------------------------------------------------------


def to_judge(done: Done) -> NewTask | None:
    """One sentence of a sample: does it follow the rules? Who reported the set has written none."""
    (said,) = done.said
    if said.answers["fit"] != "yes":
        return None
    payload = {
        "pairs": done.payload["pairs"],
        "selected": " and ".join(chr(ord("A") + int(place)) for place in said.answers["selected"]),
        "sentence": said.answers["sentence"],
    }
    return NewTask("judge", f"{done.key}/{said.assignment}", payload, about=(said.assignment,))


def judged(done: Done) -> Outcome:
    """What is thought of a sentence counts for its writer, who reads why."""
    said = done.said[-1].answers
    good = said["follows"] == "yes"
    faults = [AVOID[kind] for kind in said.get("violations") or ()]
    feedback = ". ".join([*faults, *filter(None, [said.get("feedback")])])
    reason = "rules" if good else f"rules: {', '.join(said.get('violations') or ())}"
    return Outcome(verdicts=tuple(Verdict(each, good, reason, feedback) for each in done.about))


def standing(history: History, settings: Mapping[str, Any]) -> Standing:
    """Bonuses by the share of the round's sample that follows the rules; all sets for who did well once."""
    if reason := failed_gold(history, settings):
        return Standing(qualified=False, reason=reason)
    sample = history.round_by_stage.get("write", ())
    share = sum(sample) / len(sample) if sample and history.closing else 0.0
    high = bool(share) and share >= settings["high_share"]
    low = bool(share) and share >= settings["low_share"]
    trusted = high or history.tier == TRUSTED
    return Standing(
        tier=TRUSTED if trusted else "",
        pools=(TRUSTED,) if trusted else (),
        bonus_each=settings["high_bonus"] if high else settings["low_bonus"] if low else 0,
        bonus_for=("write",),
    )


# --- what it becomes ---------------------------------------------------------------------------------------


def item_of(record: Record) -> Iterator[Item]:
    """A record as the item that NLVR2's reader makes of its native form, with its pictures."""
    data = record.data
    kept = ("writer", "synset", "query", "validation", "extra_validations")
    native = nlvr2.Nlvr2Record(
        sentence=data["sentence"],
        identifier=data["identifier"],
        left_url=data["urls"][0],
        right_url=data["urls"][1],
        label=data["label"],
        **{name: data[name] for name in kept if name in data},
    )
    item = nlvr2.to_item(native, {}, Source("collected", data["split"]))
    scenes = [photograph(scene.image, shown) for scene, shown in zip(item.scenes, data["pair"], strict=True)]
    provenance = {"record": record.key, "set": data["set"], **({"drawn": True} if data.get("drawn") else {})}
    yield structs.replace(item, scenes=tuple(scenes), provenance=provenance)
