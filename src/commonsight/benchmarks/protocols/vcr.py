"""How VCR was collected: questions, answers and rationales about a picture with numbered boxes.

Zellers et al., 2019, section 3 and appendix B. A second pair of eyes reads one piece of work in fifty; whose
work drops gets no more of it. Wrong choices are not written by anyone: `commonsight build match` finds them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from commonsight.benchmarks.protocols import vcr_flow as flow
from commonsight.benchmarks.protocols import vcr_words as words
from commonsight.benchmarks.protocols.common import GOLD, YES_NO, defaults
from commonsight.benchmarks.protocols.prose import filled, paragraphs
from commonsight.benchmarks.protocols.scenes import pointed_at
from commonsight.build.imaging.interest.rules import RULES
from commonsight.collect.protocol import (
    Answers,
    Exam,
    Field,
    Making,
    Option,
    Pay,
    Payload,
    Protocol,
    Setting,
    Show,
    Stage,
    labels_of,
)
from commonsight.errors import Complaint, UsageError

PICTURES = RULES["vcr"].rule
SETTINGS: Mapping[str, Setting] = {
    "least_triplets": Setting(1, "Questions for a picture at least (section 3; appendix B.3: one to three)."),
    "most_triplets": Setting(3, "Questions for a picture at most (section 3; appendix B.3: one to three)."),
    "question_words": Setting(4, "Words of a question at least (appendix B.3, automated quality checks)."),
    "answer_words": Setting(3, "Words of an answer at least (appendix B.3, automated quality checks)."),
    "rationale_words": Setting(5, "Words of a rationale at least (appendix B.3, automated quality checks)."),
    "tags_on_average": Setting(
        1.0, "Boxes that a question, its answer and its rationale together point to, on average over a piece "
        "of work, at least (appendix B.3, automated quality checks)."),
    "likely_above": Setting(75, "Percent above which an answer is likely (appendix B.3)."),
    "unlikely_below": Setting(25, "Percent below which an answer is unlikely (appendix B.3)."),
    "least_tags": Setting(PICTURES.least_objects, "Boxes that a picture must have (section 3; G.3)."),
    "least_people": Setting(PICTURES.least_people, "People that it must have (appendices B.2 and G.3)."),
    "least_score": Setting(0.7, "A box with a lower score of the detector does not count (appendix B.1)."),
    "writers": Setting(1, "People who write about a picture before anything else is decided (appendix B.3)."),
    "most_rounds": Setting(
        2, "How often a picture is handed out in all while its writers call it especially interesting "
        "(appendix B.2, Figure 10; the paper gives no number)."),
    "triplet_pay": Setting(2200, "For each question with answer and rationale: $0.22 (appendix B.3)."),
    "review_share": Setting(0.02, "Share of work that is read by someone else: one in fifty (appendix B.3)."),
    "review_pay": Setting(4000, "For detailed feedback on a piece of work: $0.40 (appendix B.3)."),
    "review_words": Setting(10, "Words of feedback at least (B.3: detailed, without number)."),
    "review_hours": Setting(48, "Hours within which reviewers look at new work (appendix B.3)."),
    "outstanding_workers_review": Setting(
        False, "Whether outstanding workers review by themselves; otherwise those review whom an owner made "
        "reviewers, as the authors chose them (appendix B.3)."),
    "outstanding_share": Setting(
        0.9, "Share of good reviews that makes a worker outstanding (appendix B.3 gives no number)."),
    "outstanding_judged": Setting(5, "Reviews that this takes at least (appendix B.3 gives no number)."),
    "quality_window": Setting(4, "Latest reviews by which work is said to have dropped (B.3: no number)."),
    "quality_judged": Setting(2, "Reviews before anyone is disqualified (appendix B.3 gives no number)."),
    "quality_share": Setting(
        0.5, "Share of these that must be good, or the worker gets no more work (appendix B.3: those whose "
        "quality drops are disqualified, without number)."),
    "exam_pass_mark": Setting(0.85, "Share of graded questions that must be right (B.3: no number)."),
    "exam_tries": Setting(2, "How often the exam may be tried (appendix B.3 gives no number)."),
    "exam_pictures": Setting(1, "Pictures to write about in the exam (appendix B.3: for a single image)."),
    **GOLD,
}  # fmt: skip


def points_enough(least: float) -> Callable[[Payload, Answers], Iterator[Complaint]]:
    """The check that the triplets point to so many boxes on average."""

    def check(payload: Payload, answers: Answers) -> Iterator[Complaint]:
        labels = labels_of(payload, "picture")
        triplets = [triplet for triplet in answers.get("triplets") or () if isinstance(triplet, Mapping)]
        pointed = sum(
            len(set().union(*(pointed_at(str(triplet.get(part) or ""), labels) for part in flow.PARTS)))
            for triplet in triplets
        )
        if triplets and pointed < least * len(triplets):
            yield Complaint(
                "triplets",
                f"Point to at least {least:g} numbered box for each question, on average; you point to "
                f"{pointed} in {len(triplets)}. Write a box's number where you mean it.",
            )

    return check


def _tagged(name: str, label: str, helped: str, least: int) -> Field:
    return Field(
        name, "tagged", label, helped, about="picture", least_words=least, warn=True, by_number=True
    )


def _triplets(settings: Mapping[str, Any]) -> Field:
    likely, unlikely = settings["likely_above"], settings["unlikely_below"]
    return Field(
        "triplets", "group", "Your questions",
        least=settings["least_triplets"],
        most=settings["most_triplets"],
        parts=(
            _tagged("question", "Question", "What must be understood, not just seen? Point with numbers.",
                    settings["question_words"]),
            _tagged("answer", "Answer", "What is most probably so.", settings["answer_words"]),
            Field("likelihood", "rating", "How likely is your answer?", options=(
                Option("unlikely", f"Unlikely: below {unlikely:g}%"),
                Option("possible", f"Possible: {unlikely:g} to {likely:g}%"),
                Option("likely", f"Likely: above {likely:g}%"),
            )),
            _tagged("rationale", "Reason", "What can be seen, and what follows from it.",
                    settings["rationale_words"]),
        ),
    )  # fmt: skip


INTERESTING = Field(
    "interesting", "rating", "What do you think of the picture?", options=(
        Option("boring", "Especially boring: even one good question is hard to find"),
        Option("okay", "All right"),
        Option("interesting", "Especially interesting: others should write about it, too"),
    ),
)  # fmt: skip
QUALITY = (Option("poor", "Poor"), Option("fair", "Fair"), Option("good", "Good"))


def _write(settings: Mapping[str, Any]) -> Stage:
    return Stage(
        "write", "Ask, answer, explain",
        "Ask about a picture what has to be understood, answer it, and say why.",
        (Show("picture", "scene", "The picture"), Show("context", "texts", "What happens around it")),
        (_triplets(settings), INTERESTING),
        Pay(settings["triplet_pay"], each="triplets"),
        flow.written,
        guide=filled(words.WRITING, settings),
        examples=words.WRITING_EXAMPLES,
        overlap=settings["writers"],
        minutes=45,
        exam="qualification",
        checks=(points_enough(settings["tags_on_average"]),),
        making=Making(asked=("triplets.question",), right=("triplets.answer",)),
    )  # fmt: skip


def _reviewing(settings: Mapping[str, Any]) -> Stage:
    return Stage(
        "review", "Review what someone wrote",
        "Read someone's questions, answers and reasons, and tell them what you think.",
        (Show("picture", "scene", "The picture"), Show("context", "texts", "What happens around it"),
         Show("work", "answers", "What was written")),
        (
            Field("questions", "rating", "Do the questions have to be understood, and fit this picture?",
                  options=QUALITY),
            Field("answers", "rating", "Are the answers what most people would agree on?", options=QUALITY),
            Field("rationales", "rating", "Do the reasons name what can be seen, and explain the answer?",
                  options=QUALITY),
            Field("good_enough", "choice", "Should work like this go on?",
                  options=YES_NO),
            Field("feedback", "text", "Your words to the worker", least_words=settings["review_words"]),
        ),
        Pay(settings["review_pay"]),
        flow.reviewed,
        guide=paragraphs(words.REVIEWING),
        examples=words.REVIEWING_EXAMPLES,
        minutes=30,
        role="worker" if settings["outstanding_workers_review"] else "reviewer",
        votes=("good_enough",),
    )  # fmt: skip


def _exam(settings: Mapping[str, Any]) -> Exam:
    triplets = _triplets(settings)
    return Exam(
        "qualification", "Before you write",
        filled(words.EXAM_GUIDE, settings),
        graded=words.exam_questions(settings),
        pass_mark=settings["exam_pass_mark"],
        written=triplets.parts,
        tries=settings["exam_tries"],
        samples_of="write",
        samples=settings["exam_pictures"],
    )  # fmt: skip


def build(settings: Mapping[str, Any]) -> Protocol:
    """The protocol with these settings in its forms, checks, pay and exam."""
    _refuse(settings)
    return Protocol(
        name="vcr",
        title="VCR (visual commonsense)",
        source="Zellers et al., From Recognition to Cognition (2019), section 3 and appendices B and G",
        currency="USD",
        stages=(_write(settings), _reviewing(settings)),
        start="write",
        subjects=flow.subjects,
        standing=flow.standing,
        item_of=flow.item_of,
        raw_of=flow.raw_of,
        exams=(_exam(settings),),
        settings=SETTINGS,
        rebuilt=build,
    )


def _refuse(settings: Mapping[str, Any]) -> None:
    if not 1 <= settings["least_triplets"] <= settings["most_triplets"]:
        raise UsageError("A picture takes one question at least: 1 <= least_triplets <= most_triplets.")
    if not 0 < settings["unlikely_below"] < settings["likely_above"] < 100:
        raise UsageError("unlikely_below and likely_above are percents, the first below the second.")
    if settings["writers"] < 1:
        raise UsageError("At least one person must write about a picture: set writers to 1 or more.")


VCR = build(defaults(SETTINGS))
