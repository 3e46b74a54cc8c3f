"""How PMR was collected: a premise, an action that follows and one that does not, and a distractor of each.

Dong et al., 2022, section 3 and appendices D and E. Writers choose one of six premises and write two actions;
examiners accept or drop these and write the distractors; a tenth of that is looked at again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonsight.benchmarks.protocols import pmr_checks as checks
from commonsight.benchmarks.protocols import pmr_flow as flow
from commonsight.benchmarks.protocols import pmr_words as words
from commonsight.benchmarks.protocols.common import GOLD, YES_NO, defaults
from commonsight.benchmarks.protocols.prose import filled, paragraphs
from commonsight.build.imaging.interest.rules import RULES
from commonsight.build.premises.templates import CATEGORIES
from commonsight.collect.protocol import (
    Exam,
    Field,
    Making,
    Option,
    Pay,
    Protocol,
    Setting,
    Show,
    Stage,
)
from commonsight.errors import UsageError

PICTURES = RULES["pmr"].rule
SETTINGS: Mapping[str, Setting] = {
    "premises_offered": Setting(len(CATEGORIES), "Premises to choose from, of different categories (3.3)."),
    "references": Setting(6, "Reference actions that are shown to writers (sections 3.2 and 3.3)."),
    "writers": Setting(1, "Writers for a picture, each with their own premises (Table 1: 1.27 on average)."),
    "offers_seed": Setting(0, "Seed of the premises, the reference actions and the split."),
    "most_people": Setting(PICTURES.most_people, "People that a picture may have (section 3.1)."),
    "most_tags": Setting(PICTURES.most_objects, "Boxes that a picture may have (section 3.1)."),
    "least_brightness": Setting(
        PICTURES.least_brightness, "How bright a picture must be, from 0 to 1, where that was measured "
        "(section 3.1 leaves out dark ones, without number)."),
    "premise_words_may_change": Setting(
        False, "Whether more than a premise's tags may be changed (section 3.3 speaks of tags; its category "
        "is then told by BLEU, as under Post-Processing)."),
    "least_bleu": Setting(
        0.2, "How near by BLEU a changed premise must be to a template, so that it still is of a category "
        "(section 3.3 gives no number; of PMR's premises 19 in 20 reach this, of its actions 1 in 10)."),
    "action_words": Setting(4, "Words of an action at least (the paper names none; they average 14)."),
    "only_marked_words_change": Setting(
        False, "Whether a distractor may differ from its action in the bracketed words alone (section 3.3: "
        "the brackets are there to make replacing easier)."),
    "write_pay_accepted": Setting(1500, "For a premise with two actions that is accepted: $0.15 (E)."),
    "write_pay_dropped": Setting(150, "For one that is not: 1.5 cents (appendix E)."),
    "examine_pay_accepted": Setting(750, "For accepting and writing two distractors: 7.5 cents (E)."),
    "examine_pay_dropped": Setting(150, "For dropping: 1.5 cents (appendix E)."),
    "check_share": Setting(0.1, "Share of the examiners' work that is looked at again (3.3, phase 3)."),
    "least_accepted": Setting(
        0.0, "Share of accepted work below which a writer gets no more (the paper sends nobody home)."),
    "accepted_judged": Setting(10, "Pieces of a writer's work that must have been examined before that."),
    "qualification_pairs": Setting(10, "Pictures to write about in the qualification test (section 3.2)."),
    "qualification_tries": Setting(1, "How often the test may be taken (section 3.2 gives no number)."),
    "advanced_pass_mark": Setting(0.8, "Share of the examiners' questions that must be right. Ours."),
    "examiners_write_too": Setting(
        False, "Whether those who examine also write (section 3.2: advanced workers examine, the others "
        "write)."),
    "education": Setting(
        "a bachelor's degree or a higher one", "Whom the test asks to apply (3.2); empty for anyone."),
    "split_shares": Setting(
        (8, 1, 1), "Shares of train, val and test, movie by movie (section 3.3; Table 1); an empty list "
        "keeps the splits of what is imported."),
    **GOLD,
}  # fmt: skip


def _action(name: str, label: str, helped: str, settings: Mapping[str, Any]) -> Field:
    return Field(
        name, "tagged", label, helped, about="picture", least_words=settings["action_words"], warn=True,
        marks="words about the picture",
    )  # fmt: skip


def _writing_form(settings: Mapping[str, Any]) -> tuple[Field, ...]:
    return (
        Field("premise", "choice", "Which premise goes best with the picture?", options_from="premises"),
        Field("premise_text", "tagged", "The premise, with the right people in it",
              "Change its tags where it names the wrong people.", about="picture", starts_from="premise",
              required=False),
        _action("action_true", "Action-True",
                "What happens next if the premise holds. {Words about the picture} in brackets.", settings),
        _action("action_false", "Action-False",
                "What fits the picture as well, but not the premise. {Words about the picture} in brackets.",
                settings),
    )  # fmt: skip


def _writing_checks(settings: Mapping[str, Any]) -> tuple[checks.Check, ...]:
    least_bleu = settings["least_bleu"] if settings["premise_words_may_change"] else None
    return (
        checks.premise_is_kept(least_bleu),
        checks.brackets_are_closed(*flow.ACTIONS[:2], needed=True),
        checks.actions_differ,
    )


def _pay(settings: Mapping[str, Any], stage: str) -> Pay:
    """What any work earns, and what accepted work earns beyond it."""
    at_once, accepted = settings[f"{stage}_pay_dropped"], settings[f"{stage}_pay_accepted"]
    return Pay(at_once, reward=max(0, accepted - at_once))


def _cents(amount: int) -> str:
    return f"${amount / 10_000:.3f}".rstrip("0").rstrip(".")


def _write(settings: Mapping[str, Any]) -> Stage:
    change = settings["premise_words_may_change"]
    told = {
        **settings,
        "what_may_change": "you may change words, too, as long as it stays a premise of one of these kinds"
        if change else "its words stay as they are",
        "accepted": _cents(settings["write_pay_accepted"]),
        "rejected": _cents(settings["write_pay_dropped"]),
    }  # fmt: skip
    return Stage(
        "write", "Phase 1: premise and actions",
        "Choose a premise, and write what will happen if it holds and what will not.",
        (Show("picture", "scene", "The picture"), Show("references", "texts", "How others write")),
        _writing_form(settings),
        _pay(settings, "write"),
        flow.written,
        guide=filled(words.WRITING, told),
        examples=words.WRITING_EXAMPLES,
        minutes=30,
        exam="qualification",
        checks=_writing_checks(settings),
        making=Making(asked=("premise_text",), right=("action_true",), wrong=("action_false",)),
        closed_to="" if settings["examiners_write_too"] else "advanced",
    )  # fmt: skip


def _examine(settings: Mapping[str, Any]) -> Stage:
    kept, out = ("decision", "accept"), ("decision", "drop")
    told = {
        **settings,
        "accepted": _cents(settings["examine_pay_accepted"]),
        "dropped": _cents(settings["examine_pay_dropped"]),
    }
    distractors = tuple(
        Field(name, "tagged", label, "Other {words about the picture}, so that it no longer fits.",
              about="picture", least_words=settings["action_words"], only_if=kept, starts_from=start,
              warn=True, marks="words about the picture")
        for name, label, start in (("distractor1", "Distractor 1, from Action-True", "action_true"),
                                   ("distractor2", "Distractor 2, from Action-False", "action_false"))
    )  # fmt: skip
    return Stage(
        "examine", "Phase 2: accept or drop, and write distractors",
        "Decide whether a premise with its actions is good, and write what does not fit the picture.",
        (Show("picture", "scene", "The picture"), Show("premise", "text", "Premise"),
         Show("action_true", "text", "Action-True"), Show("action_false", "text", "Action-False")),
        (
            Field("decision", "choice", "Do you accept it?",
                  options=(Option("accept", "Accept", "a"), Option("drop", "Drop", "d"))),
            Field("fault", "choice", "What is wrong?", only_if=out,
                  options=tuple(Option(value, label) for value, label in flow.FAULTS.items())),
            Field("note", "text", "Your words to the writer", required=False, only_if=out),
            *distractors,
        ),
        _pay(settings, "examine"),
        flow.examined,
        guide=filled(words.EXAMINING, told),
        examples=words.EXAMINING_EXAMPLES,
        minutes=20,
        exam="advanced",
        votes=("decision",),
        checks=(
            checks.brackets_are_closed(*flow.ACTIONS[2:], needed=settings["only_marked_words_change"]),
            checks.distractors_differ(settings["only_marked_words_change"]),
        ),
        making=Making(asked=("premise",), right=("action_true",),
                      wrong=("action_false", "distractor1", "distractor2")),
    )  # fmt: skip


def _check() -> Stage:
    return Stage(
        "check", "Phase 3: quality control",
        "Look at what an examiner decided, and say whether it meets the standard.",
        (Show("picture", "scene", "The picture"), Show("premise", "text", "Premise"),
         Show("action_true", "text", "Action-True"), Show("action_false", "text", "Action-False"),
         Show("decision", "answers", "What the examiner decided")),
        (
            Field("meets", "choice", "Does it meet the standard?", options=YES_NO),
            Field("feedback", "text", "Your words to the examiner", required=False),
        ),
        Pay(0),
        flow.looked_over,
        guide=paragraphs(words.CHECKING),
        minutes=20,
        role="reviewer",
        votes=("meets",),
        checks=(checks.feedback_with_no,),
    )  # fmt: skip


def _exams(settings: Mapping[str, Any]) -> tuple[Exam, Exam]:
    wanted = (words.EDUCATION.format_map(settings),) if settings["education"] else ()
    qualification = Exam(
        "qualification", "The qualification test",
        (*wanted, *filled(words.QUALIFYING, settings)),
        written=_writing_form(settings),
        tries=settings["qualification_tries"],
        samples_of="write",
        samples=settings["qualification_pairs"],
        distinction="advanced",
    )  # fmt: skip
    and_then = "" if settings["examiners_write_too"] else " Who examines does not write any more."
    distractor = f"{words.SCENE}Action-%s: [person1] {{in an apron}} will %s. Write its distractor."
    advanced = Exam(
        "advanced", "For examiners",
        filled(words.ADVANCED, {**settings, "and_then": and_then}),
        graded=words.ADVANCED_QUESTIONS,
        pass_mark=settings["advanced_pass_mark"],
        written=(
            Field("distractor1", "text", distractor % ("True", "give [person2] a roll for free"),
                  least_words=settings["action_words"]),
            Field("distractor2", "text", distractor % ("False", "ask [person2] to pay double"),
                  least_words=settings["action_words"]),
        ),
    )  # fmt: skip
    return qualification, advanced


def build(settings: Mapping[str, Any]) -> Protocol:
    """The protocol with these settings in its forms, checks, pay and exams."""
    _refuse(settings)
    return Protocol(
        name="pmr",
        title="PMR (premise-based multimodal reasoning)",
        source="Dong et al., Premise-based Multimodal Reasoning (2022), section 3 and appendices D and E",
        currency="USD",
        stages=(_write(settings), _examine(settings), _check()),
        start="write",
        subjects=flow.subjects,
        standing=flow.standing,
        item_of=flow.item_of,
        exams=_exams(settings),
        settings=SETTINGS,
        rebuilt=build,
    )


def _refuse(settings: Mapping[str, Any]) -> None:
    if not 1 <= settings["premises_offered"] <= len(CATEGORIES):
        raise UsageError(f"premises_offered is from 1 to {len(CATEGORIES)}: one of each category.")
    shares = settings["split_shares"]
    numbers = all(type(share) in (int, float) and share >= 0 for share in shares)
    if shares and not (numbers and len(shares) == len(flow.SPLITS) and sum(shares) > 0):
        raise UsageError("split_shares are three numbers, for train, val and test, or an empty list.")


PMR = build(defaults(SETTINGS))
