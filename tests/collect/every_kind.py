"""A protocol that shows and asks everything that can be shown and asked, for tests of pages."""

from __future__ import annotations

from typing import Any

from people import picture, tasks

from commonsight.collect.desk import Desk
from commonsight.collect.pictures import keep
from commonsight.collect.protocol import (
    Done,
    Exam,
    Example,
    ExamQuestion,
    Field,
    NewTask,
    Option,
    Outcome,
    Pay,
    Protocol,
    Record,
    Show,
    Stage,
    Standing,
)

LABELS = ("person", "dog", "person", "teddy bear")
YES_NO = (Option("yes", "Yes", "y"), Option("no", "No", "n"))
MARKS = tuple(Option(value, value.title()) for value in ("poor", "fair", "good"))
SHOWS = (
    Show("scene", "scene", "The scene"), Show("many", "pictures", "Several pictures"),
    Show("pairs", "pairs", "Pairs of pictures"), Show("text", "text", "A text"),
    Show("texts", "texts", "Some texts"), Show("said", "answers", "What others said"),
    Show("steps", "steps", "Steps"), Show("missing", "text", "Not always there"),
)  # fmt: skip
FORM = (
    Field("group", "group", "Your questions", least=1, most=3, parts=(
        Field("question", "tagged", "Question", "Point with numbers.", about="scene", least_words=3,
              by_number=True, similar=3, warn=True),
        Field("sure", "rating", "How sure are you?", options=MARKS),
    )),
    Field("premise", "choice", "Which premise?", options_from="texts"),
    Field("premise_text", "tagged", "The premise as it fits", about="scene", starts_from="premise",
          required=False),
    Field("action", "tagged", "What happens", about="scene", required=False, most_words=12,
          marks="words about the picture"),
    Field("which", "choices", "Which pairs?", options_from="pairs", least=1, most=2),
    Field("boxes", "boxes", "Which boxes?", about="scene", required=False),
    Field("wrong", "texts", "Wrong answers", least=1, most=3, most_words=3),
    Field("good", "choice", "Is it good?", options=YES_NO),
    Field("why", "text", "Why not?", only_if=("good", "no"), least_words=2),
)  # fmt: skip
ANSWERS: dict[str, Any] = {
    "group": [{"question": "Why is [person1] here?", "sure": "good"}],
    "premise": "0",
    "which": ["1"],
    "wrong": ["a cat"],
    "good": "yes",
}


def _done(done: Done) -> Outcome:
    return Outcome(records=(Record(done.key, dict(done.said[0].answers)),))


WORK = Stage(
    "work", "Everything at once", "Say something to everything.", SHOWS, FORM, Pay(1000, each="group"), _done,
    guide=("Look at all of it.", "Then write."), minutes=10,
    examples=(Example("Why is [person1] here?", True, "It asks."), Example("No.", False, "It does not.")),
)  # fmt: skip
BEHIND = Stage(
    "behind", "Behind an exam", "Say yes.", (Show("scene", "scene"),),
    (Field("good", "choice", "Is it good?", options=YES_NO),), Pay(100), _done, exam="entry",
)  # fmt: skip
ENTRY = Exam(
    "entry", "The entry exam", ("Answer, then write.",), pass_mark=1.0, tries=2, samples_of="work", samples=1,
    graded=(ExamQuestion(Field("sky", "choice", "Is the sky blue?", options=YES_NO), "yes", "Look up."),),
    written=(Field("question", "tagged", "Question", about="scene", least_words=3),),
)  # fmt: skip
EVERY_KIND = Protocol(
    "every", "Every kind", "nobody", "USD", (WORK, BEHIND), "work", lambda *_: (), lambda *_: Standing(),
    lambda _: (), exams=(ENTRY,),
)  # fmt: skip


def payload(desk: Desk) -> dict[str, Any]:
    """Something for every show, with real pictures of different shapes."""
    sizes = ((120, 80), (80, 120), (100, 100), (200, 60))
    kept = [keep(desk, picture(40 * place, size)) for place, size in enumerate(sizes)]
    plain = [
        {"picture": each.hash, "width": each.width, "height": each.height, "alt": f"Colour {place}"}
        for place, each in enumerate(kept)
    ]
    regions = [
        {"label": label, "box": [20 * n, 10 * n, 20 * n + 30, 10 * n + 30], "polygons": None}
        for n, label in enumerate(LABELS)
    ]
    regions[1]["polygons"] = [[[22, 12], [45, 12], [45, 36]]]
    return {
        "scene": plain[0] | {"regions": regions},
        "many": plain,
        "pairs": [[plain[0], plain[1]], [plain[2], plain[3]], [plain[1], plain[2]]],
        "text": "[person1] waits for [person1, person3] <b>and</b> [cat9].",
        "texts": ["[person1] is late.", "It rains on [dog2]."],
        "said": [{"question": "Why [dog2]?", "notes": ["one", "two"]}, {"question": "What?"}],
        "steps": [{"step": "0. Find(dog)", "gives": "[dog2]"}, {"step": "1. Recognise", "gives": "dog"}],
        "_hidden": "nobody sees this",
    }


def every_task(desk: Desk, campaign_id: int, key: str = "one", stage: str = "work") -> int:
    """A task of everything; its id."""
    (task_id,) = tasks(desk, campaign_id, NewTask(stage, key, payload(desk)))
    return task_id
