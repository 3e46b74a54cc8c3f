"""How A-OKVQA was collected: questions that need the picture, knowledge of the world, and a thought.

Schwenk et al., 2022, section 3 and appendix A. Someone sees four similar pictures and writes a question with
four choices about at least two of them, looking at the five most similar earlier questions. Three others
screen each question; three more confirm its answer and explain it; nine more answer it in their own words.
The paper does not say whether answers or explanations came first: here explanations do, since a question
whose answer is not confirmed is removed and needs no further answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from commonsight.benchmarks.protocols import aokvqa_words as words
from commonsight.benchmarks.protocols.aokvqa_flow import (
    answered,
    explained,
    item_of,
    screened,
    solved,
    standing,
    subjects,
    tidy,
    written,
)
from commonsight.benchmarks.protocols.common import GOLD, YES_NO, defaults, different
from commonsight.benchmarks.protocols.prose import filled
from commonsight.build.imaging.sets.clusters import SIZE
from commonsight.collect.protocol import (
    Answers,
    Field,
    Making,
    Option,
    Pay,
    Payload,
    Protocol,
    Setting,
    Show,
    Stage,
)
from commonsight.errors import Complaint, UsageError

SETTINGS: Mapping[str, Setting] = {
    "pictures": Setting(SIZE, "Similar pictures of one piece of work at most (appendix A.2)."),
    "more_objects_than": Setting(
        3, "A picture must show more objects than this, where it is known what it shows (section 3)."),
    "least_questions": Setting(2, "Of these pictures, those to write about at least (appendix A.2)."),
    "least_words": Setting(
        4, "Words of a question at least. The paper gives no number; the shortest of the released val file "
        "have four."),
    "wrong": Setting(3, "Wrong choices beside the right one (section 5.1: four options)."),
    "most_answer_words": Setting(
        3, "Words of a choice and of a direct answer at most. The paper gives no number; the longest of the "
        "released val file have three."),
    "similar": Setting(
        5, "Earlier questions most like a new one that its writer must look at (section 3, appendix A.2)."),
    "similar_by_split": Setting(
        True, "Whether these are of the same split only: they were begun anew for val and test "
        "(appendix A.2)."),
    "program": Setting(
        False, "Whether a program answers each question first, and those that it gets right are removed. In "
        "the paper Pythia did, trained on VQAv2 (section 3); here a program signs in, takes the exam "
        "“program” and works in the stage “solve”."),
    "screeners": Setting(3, "Others who screen a question; the majority decides (section 3)."),
    "rationales": Setting(3, "Explanations of each answer, by as many people (section 3)."),
    "most_sentences": Setting(2, "Sentences of an explanation at most (section 3: one to two)."),
    "most_unconfirmed": Setting(
        0, "Of those who explain, how many may hold another answer right: questions with a disagreement were "
        "removed (appendix A.2)."),
    "ask_knowledge": Setting(
        False, "Whether those who explain an answer also say which of four kinds of knowledge it takes. The "
        "paper asked that about 1,000 questions of its test set (section 4)."),
    "direct_answers": Setting(
        9, "Further answers in people's own words, by a separate pool of workers: those who have not seen "
        "the question or its choices before (section 3)."),
    "difficult_from": Setting(
        9, "Different ones among all direct answers from which on a question is marked as difficult to "
        "answer directly. The paper does not tell; in the released val file all 70 that are marked have nine "
        "or ten different ones of ten, and no other has."),
    "question_pay": Setting(2000, "For each question with its choices: $0.20 (the paper gives no number)."),
    "screen_pay": Setting(300, "For screening a question: $0.03 (the paper gives no number)."),
    "rationale_pay": Setting(1000, "For an explanation: $0.10 (the paper gives no number)."),
    "answer_pay": Setting(200, "For a direct answer: $0.02 (the paper gives no number)."),
    "least_kept": Setting(
        0.2, "Share of one's questions that must be kept to go on writing. The paper names no rule; of all "
        "its questions 40 % were kept (section 3)."),
    "kept_judged": Setting(20, "Questions that must have been judged before that share counts. Ours."),
    "exam_pass_mark": Setting(0.85, "Share of an exam's graded part that must be right (section 3 has exams, "
        "and no number)."),
    "exam_tries": Setting(2, "How often an exam may be tried (no number in the paper)."),
    **GOLD,
}  # fmt: skip
_SENTENCE_END = re.compile(r"[.!?]+(?=\s+\S)")


# --- the forms ---------------------------------------------------------------------------------------------


def sound_questions(_: Payload, answers: Answers) -> Iterator[Complaint]:
    """The check that no picture is asked about twice, and that all choices differ."""
    asked: set[str] = set()
    for place, entry in enumerate(answers.get("questions") or ()):
        if entry["picture"] in asked:
            told = "You asked about this picture already. Choose another one, or leave this question out."
            yield Complaint(f"questions.{place}.picture", told)
        asked.add(entry["picture"])
        choices = [tidy(text) for text in (entry["answer"], *entry["wrong"])]
        if different(choices) < len(choices):
            told = "Two choices are the same. All of them must differ."
            yield Complaint(f"questions.{place}.wrong", told)


def brief(most: int) -> Callable[[Payload, Answers], Iterator[Complaint]]:
    """The check that an explanation has so many sentences at most."""

    def check(_: Payload, answers: Answers) -> Iterator[Complaint]:
        found = 1 + len(_SENTENCE_END.findall(str(answers.get("rationale") or "")))
        if found > most:
            told = f"Write at most {most} sentence{'' if most == 1 else 's'}; there are {found}."
            yield Complaint("rationale", told)

    return check


def _write(settings: Mapping[str, Any]) -> Stage:
    short = settings["most_answer_words"]
    questions = Field(
        "questions", "group", "Your questions", least=settings["least_questions"], most=settings["pictures"],
        parts=(
            Field("picture", "choice", "About which picture?", options_from="pictures"),
            Field("question", "text", "Question", "It takes the picture, some knowledge, and a thought.",
                  least_words=settings["least_words"], similar=settings["similar"],
                  similar_by="_split" if settings["similar_by_split"] else "", warn=True),
            Field("answer", "text", "Right answer", most_words=short, warn=True),
            Field("wrong", "texts", "Wrong answers", "Wrong here, but not absurd.", most_words=short,
                  least=settings["wrong"], most=settings["wrong"], warn=True),
            Field("compared", "choice", "The earlier questions that are most like yours",
                  options=(Option("different", "I have looked at them; mine asks something else"),)),
        ),
    )  # fmt: skip
    return Stage(
        "write", "Write questions", "Write questions that take the picture, knowledge and a thought.",
        (Show("pictures", "pictures", "The pictures"),), (questions,),
        Pay(settings["question_pay"], each="questions"), written,
        guide=filled(words.WRITING, settings), examples=words.WRITING_EXAMPLES,
        minutes=60, exam="questions", checks=(sound_questions,),
        making=Making(
            asked=("questions.question",), right=("questions.answer",), wrong=("questions.wrong",)
        ),
    )  # fmt: skip


PICTURE, QUESTION = Show("picture", "scene", "The picture"), Show("question", "text", "The question")
CHOICES, ANSWER = Show("choices", "texts", "The choices"), Show("answer", "text", "Held to be right")


KNOWLEDGE = Field(
    "knowledge", "choice", "What does one have to know?", only_if=("confirmed", "yes"),
    options=tuple(Option(value, label) for value, label in words.KNOWLEDGE.items()),
)  # fmt: skip


def _solve(settings: Mapping[str, Any]) -> Stage:
    return Stage(
        "solve", "Answer as a program", "A program picks one of the choices.",
        (PICTURE, QUESTION, CHOICES),
        (Field("pick", "choice", "The answer", options_from="choices"),),
        Pay(0), solved, guide=filled(words.SOLVING, settings), minutes=10, exam="program",
    )  # fmt: skip


def _screen(settings: Mapping[str, Any]) -> Stage:
    return Stage(
        "screen", "Screen a question", "Say whether a question is one that we want.",
        (PICTURE, QUESTION, CHOICES, ANSWER),
        (
            Field("meets", "choice", "Is it a question as we want it?", options=YES_NO),
            Field("flaws", "choices", "Why is it not?", options=words.FLAW_OPTIONS, least=1,
                  only_if=("meets", "no")),
        ),
        Pay(settings["screen_pay"]), screened,
        guide=filled(words.SCREENING, settings), examples=words.SCREENING_EXAMPLES,
        overlap=settings["screeners"], minutes=10, exam="questions", votes=("meets",),
    )  # fmt: skip


def _explain(settings: Mapping[str, Any]) -> Stage:
    return Stage(
        "explain", "Explain an answer", "Confirm an answer, and say in a sentence or two why it is right.",
        (PICTURE, QUESTION, CHOICES, ANSWER),
        (
            Field("confirmed", "choice", "Is it right?", options=YES_NO),
            Field("own_answer", "text", "What is right instead?", only_if=("confirmed", "no")),
            Field("rationale", "text", "Why is it right?", "What one sees, and what one must know.",
                  least_words=2, only_if=("confirmed", "yes"), warn=True),
            *((KNOWLEDGE,) if settings["ask_knowledge"] else ()),
        ),
        Pay(settings["rationale_pay"]), explained,
        guide=filled(words.EXPLAINING, settings), examples=words.EXPLAINING_EXAMPLES,
        overlap=settings["rationales"], minutes=15, exam="rationales", votes=("confirmed",),
        checks=(brief(settings["most_sentences"]),),
    )  # fmt: skip


def _answer(settings: Mapping[str, Any]) -> Stage:
    return Stage(
        "answer", "Answer a question", "Answer a question about a picture in a word or two.",
        (PICTURE, QUESTION),
        (Field("answer", "text", "Your answer", most_words=settings["most_answer_words"]),),
        Pay(settings["answer_pay"]), answered,
        guide=filled(words.ANSWERING, settings), examples=words.ANSWERING_EXAMPLES,
        overlap=settings["direct_answers"], minutes=10,
        agrees=lambda gold, said: tidy(str(gold["answer"])) == tidy(str(said["answer"])),
    )  # fmt: skip


def build(settings: Mapping[str, Any]) -> Protocol:
    """The protocol with these settings in its forms, checks, pay and exams."""
    _refuse(settings)
    return Protocol(
        name="aokvqa",
        title="A-OKVQA",
        source="Schwenk et al., A-OKVQA: A Benchmark for Visual Question Answering using World Knowledge "
        "(2022), section 3 and appendix A",
        currency="USD",
        stages=(
            _write(settings), _solve(settings), _screen(settings), _explain(settings), _answer(settings),
        ),
        start="write",
        subjects=subjects,
        standing=standing,
        item_of=item_of,
        exams=words.exams(settings),
        settings=SETTINGS,
        rebuilt=build,
    )  # fmt: skip


def _refuse(settings: Mapping[str, Any]) -> None:
    if not 1 <= settings["least_questions"] <= settings["pictures"]:
        raise UsageError("least_questions must be at least 1, and not more than there are pictures.")
    for name in ("wrong", "screeners", "rationales", "direct_answers", "most_sentences"):
        if settings[name] < 1:
            raise UsageError(f"{name} is {settings[name]}. Set it to 1 or more.")
    if not 0 <= settings["most_unconfirmed"] < settings["rationales"]:
        raise UsageError("most_unconfirmed must be fewer than rationales, or nothing is left to keep.")


AOKVQA = build(defaults(SETTINGS))
