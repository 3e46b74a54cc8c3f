"""Native files of made-up records, of realistic size and shape, the same for the same seed.

Texts are drawn from a pool that is encoded once, so that writing a million records takes seconds; what a
reader has to do for each line is the same as if every text were new.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SEED = 20190601
POOL = 4096
IMAGES_SHARE = 3
"""VCR asks about three questions an image."""
PAIRS, SENTENCES = 4, 2
"""NLVR2 shows a sentence with up to four pairs of an image set; here each set has two sentences."""

WORDS = (
    "they", "are", "she", "is", "he", "looking", "at", "the", "of", "table", "and", "going", "to",
    "because", "about", "in", "with", "a", "not", "room", "very", "smiling", "door", "holding", "glass",
    "would", "people", "angry", "wants", "leave", "standing", "someone", "party", "drink", "another",
    "before", "talking", "his", "her", "expression", "face", "nervous", "conversation", "waiting", "dinner",
    "worried", "surprised", "behind",
)  # fmt: skip
OBJECTS = (
    "person", "person", "person", "person", "chair", "bottle", "tie", "wineglass", "diningtable", "cup",
)  # fmt: skip
LIKELIHOODS = ("unlikely", "possible", "likely")


class Text(NamedTuple):
    """One text in token notation, as JSON, and as the annotator typed it, as JSON."""

    tokens: str
    typed: str


def write_vcr(path: Path, records: int, seed: int = SEED) -> None:
    """`records` lines as in VCR's val.jsonl, about 1.7 KB each, with every native field."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(_vcr_lines(records, random.Random(seed)))


def _vcr_lines(records: int, rng: random.Random) -> Iterator[str]:
    pool = [_text(rng) for _ in range(POOL)]
    for number in range(records):
        image = number // IMAGES_SHARE
        movie = f"3{image % 1000:03d}_SOME_MOVIE"
        frame = f"lsmdc_{movie}/{movie}_00.{image % 60:02d}.33.594-00.{image % 60:02d}.54.485@{image}"
        objects = rng.choices(OBJECTS, k=rng.randint(3, 11))
        question, *choices = rng.choices(pool, k=9)
        answers, rationales = choices[:4], choices[4:]
        label, why = vcr_labels(number)
        yield (
            f'{{"movie": "{movie}", "objects": {json.dumps(objects)}, "interesting_scores": [0, 1, -1], '
            f'"answer_likelihood": "{rng.choice(LIKELIHOODS)}", '
            f'"img_fn": "{frame}.jpg", "metadata_fn": "{frame}.json", '
            f'"answer_orig": {answers[label].typed}, "question_orig": {question.typed}, '
            f'"rationale_orig": {rationales[why].typed}, "question": {question.tokens}, '
            f'"answer_match_iter": [1, 2, 3, 0], "answer_sources": {_sources(rng)}, '
            f'"answer_choices": [{", ".join(text.tokens for text in answers)}], "answer_label": {label}, '
            f'"rationale_choices": [{", ".join(text.tokens for text in rationales)}], '
            f'"rationale_sources": {_sources(rng)}, "rationale_match_iter": [1, 2, 0, 3], '
            f'"rationale_label": {why}, "img_id": "val-{image}", "question_number": {number % IMAGES_SHARE}, '
            f'"annot_id": "{vcr_id(number)}", "match_fold": "val-0", "match_index": {number}}}\n'
        )


def vcr_id(number: int) -> str:
    """The id of the record at this position."""
    return f"val-{number}"


def vcr_labels(number: int) -> tuple[int, int]:
    """The right answer and the right rationale of the record at this position."""
    return number % 4, number // 4 % 4


def write_nlvr2(path: Path, records: int) -> None:
    """`records` lines as in NLVR2's dev.json, about 0.6 KB each."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(records):
            url = f"https://images.example.org/uploads/photographs/of/things/{number:09d}"
            file.write(
                f'{{"sentence": "The left image shows at least {number % 9} dogs standing on the grass, and '
                f'the right image shows none.", "left_url": "{url}-left.jpg", '
                f'"identifier": "{nlvr2_id(number)}", "right_url": "{url}-right.jpg", '
                f'"label": "{nlvr2_label(number)}", "writer": "{number % 140}", "synset": "retriever", '
                f'"query": "a group of retrievers on the grass{number % 100}", '
                f'"validation": {{"{number % 97}": "{nlvr2_label(number)}"}}, "extra_validations": '
                f'{{"{100 + number % 50}": "True", "{200 + number % 50}": "False"}}}}\n'
            )


def nlvr2_id(number: int) -> str:
    """The identifier at this position: split-set-pair-sentence."""
    image_set, rest = divmod(number, PAIRS * SENTENCES)
    sentence, pair = divmod(rest, PAIRS)
    return f"dev-{image_set}-{pair}-{sentence}"


def nlvr2_label(number: int) -> bool:
    """Each sentence is true of two of its four pairs."""
    return number % PAIRS in (number // PAIRS % PAIRS, (number // PAIRS + 1) % PAIRS)


def _text(rng: random.Random) -> Text:
    tokens: list[str | list[int]] = [rng.choice(WORDS) for _ in range(rng.randint(5, 15))]
    for place in rng.sample(range(len(tokens)), k=rng.randint(0, 2)):
        tokens[place] = [rng.randrange(3)]  # every record has at least three objects
    typed = " ".join(token if isinstance(token, str) else str(token[0] + 1) for token in tokens)
    return Text(json.dumps([*tokens, "."]), json.dumps(f"{typed}."))


def _sources(rng: random.Random) -> str:
    return f"[{', '.join(str(rng.randrange(200_000)) for _ in range(4))}]"
