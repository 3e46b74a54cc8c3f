"""How NLVR2 was collected: sentences true of two pairs of similar photographs and false of two others.

Suhr et al., 2019, sections 3.1 to 3.6 and appendix B. People take unfit pictures out of a set, then
duplicates, and mark dull ones; eight stay, in four pairs. Two people write a sentence each. Every pair with
the sentence is an example, which someone else labels; those for development and testing are labelled by four
more. Rounds of writing end with a look at a sample of each writer's sentences, which decides on bonuses and
on who may write about all sets. Unlike in the paper (footnote 8), nobody checks a sentence of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from commonsight.benchmarks.protocols import nlvr2_words as words
from commonsight.benchmarks.protocols.common import GOLD, YES_NO, defaults
from commonsight.benchmarks.protocols.nlvr2_exams import LABELS, exams
from commonsight.benchmarks.protocols.nlvr2_flow import (
    constructed,
    item_of,
    judged,
    pruned,
    standing,
    subjects,
    to_judge,
    validated,
    voted,
    written,
)
from commonsight.benchmarks.protocols.prose import filled
from commonsight.build.imaging.sets.rules import Fitness, Search, Writing
from commonsight.collect.protocol import (
    Answers,
    Field,
    Option,
    Pay,
    Payload,
    Protocol,
    Sampling,
    Setting,
    Show,
    Stage,
)
from commonsight.errors import Complaint, UsageError
from commonsight.store.paths import is_split_name

BEGINNINGS = ("prune", "construct", "write")

SETTINGS: Mapping[str, Setting] = {
    "begin": Setting(
        "prune", "The stage that imported sets begin in: prune, construct or write. In the paper people did "
        "all three in turn (section 3.1)."),
    "most_pictures": Setting(Search().related, "Pictures of an imported set at most (section 3.1)."),
    "shortest_side": Setting(
        Fitness().shortest, "Pixels that both sides of a picture must have, or it is left out (appendix B)."),
    "set_size": Setting(
        Fitness().size, "Pictures of a set, paired by chance; with fewer, a set is dropped (section 3.1)."),
    "least_interesting": Setting(
        Fitness().interesting, "Interesting pictures that a set must have, or it is dropped (section 3.1)."),
    "sentences": Setting(
        Writing().tasks, "Sentences about each set (section 3.6), by as many people: in the released dev "
        "file no two sentences about a set are by the same one."),
    "selected": Setting(2, "Pairs that a sentence must be true of, being false of the others (section 3.2)."),
    "least_words": Setting(
        4, "Words of a sentence at least. The paper gives no number; the shortest of the released dev file "
        "have four."),
    "wait_days": Setting(3.0, "Days after which a set that nobody wrote about is taken out (section 3.6)."),
    "held_out": Setting(0.2, "Share of sets that is kept for development and testing (section 3.4)."),
    "held_out_splits": Setting(
        ("dev", "test1", "test2"), "The splits among which these are shared out evenly (section 3.4: one for "
        "development and two for testing, of equal size)."),
    "keep_splits": Setting(
        False, "Whether sets stay in the split that they were imported with, instead of being drawn."),
    "extra_votes": Setting(4, "Further judgements of an example for development or testing (section 3.4)."),
    "most_against": Setting(
        1, "Of these, judgements against its label that an example may have: with two or more it is removed "
        "(section 3.4)."),
    "round_sample": Setting(20, "Sentences of each writer that are read when a round ends (appendix B)."),
    "high_share": Setting(
        0.75, "Share of these that must follow the rules for the full bonus and for all sets (appendix B)."),
    "low_share": Setting(0.5, "Share from which on there is a slightly lower bonus (appendix B)."),
    "high_bonus": Setting(600, "For each sentence of the round: $0.06 (appendix B gives no number)."),
    "low_bonus": Setting(400, "The slightly lower bonus: $0.04 (appendix B gives no number)."),
    "first_pool": Setting(
        0.5, "Share of sets that is open to writers who have not yet followed the rules for a round. "
        "Appendix B calls this pool limited and gives no number; 1 opens all sets to all."),
    "prune_pay": Setting(474, "For a set: Table 9's $1,310.76 over 27,678 sets (section 3.6)."),
    "construct_pay": Setting(922, "For a set: Table 9's $1,798.84 over 19,500 sets (section 3.6)."),
    "write_pay": Setting(
        2500, "For a sentence, without bonus: with it, Table 9's $9,570.46 are $0.30 for each of 31,418 "
        "sentences (section 3.6)."),
    "validate_pay": Setting(
        304, "For a judgement: Table 9's $6,452.93 over some 212,000 of them (four examples a sentence, and "
        "four extra judgements of a fifth of what passed; sections 3.4 and 3.6)."),
    "judge_pay": Setting(0, "For reading a sentence of a sample, which the authors did (appendix B)."),
    "exam_pass_mark": Setting(0.85, "Share of an exam's graded part that must be right (B: no number)."),
    "exam_tries": Setting(2, "How often an exam may be tried (appendix B gives no number)."),
    **GOLD,
}  # fmt: skip

FIT = (
    Option("yes", "Yes"),
    Option("duplicate", "No: a picture is there twice"),
    Option("unfit", "No: a picture is no photograph, or does not show the thing"),
    Option("other", "No, for another reason"),
)
"""Whether a set should have come as far as to its writers (section 3.6)."""
_LETTERED = re.compile(r"\bpairs?\s+[A-D]\b|\b(?:un)?(?:selected|chosen)\s+pairs?\b", re.IGNORECASE)


def for_strangers(_: Payload, answers: Answers) -> Iterator[Complaint]:
    """The check that a sentence does not speak of what those who check it cannot see."""
    found = _LETTERED.search(str(answers.get("sentence") or ""))
    if found:
        told = f"Whoever checks the sentence sees one pair alone: leave out “{found.group()}”."
        yield Complaint("sentence", told)


def same_choices(field: str) -> Callable[[Answers, Answers], bool]:
    """Whether two workers took the same pictures, be it none."""
    return lambda gold, said: set(gold.get(field) or ()) == set(said.get(field) or ())


def _prune(settings: Mapping[str, Any]) -> Stage:
    return Stage(
        "prune", "Take out unfit pictures", "Take out the pictures that cannot be used.",
        (Show("synset", "text", "Searched for"), Show("pictures", "pictures", "The pictures")),
        (
            Field("remove", "choices", "Which pictures must go?", "None, if all are fit.",
                  required=False, options_from="pictures", least=0),
        ),
        Pay(settings["prune_pay"]), pruned,
        guide=filled(words.PRUNING, settings), examples=words.PRUNING_EXAMPLES, minutes=15,
        agrees=same_choices("remove"),
    )  # fmt: skip


def _construct(settings: Mapping[str, Any]) -> Stage:
    return Stage(
        "construct", "Make a set", "Take out duplicates, and mark pictures that are not interesting.",
        (Show("synset", "text", "Searched for"), Show("pictures", "pictures", "The pictures")),
        (
            Field("duplicates", "choices", "Which are duplicates of another?", "Leave one of those alike.",
                  required=False, options_from="pictures", least=0),
            Field("dull", "choices", "Which are not interesting?", "None, if all are.",
                  required=False, options_from="pictures", least=0),
        ),
        Pay(settings["construct_pay"]), constructed,
        guide=filled(words.CONSTRUCTING, settings), examples=words.CONSTRUCTING_EXAMPLES,
        minutes=20, exam="writing", agrees=same_choices("duplicates"),
    )  # fmt: skip


def _write(settings: Mapping[str, Any]) -> Stage:
    number = settings["selected"]
    return Stage(
        "write", "Write a sentence", "Choose some of the pairs, and write what is true of these alone.",
        (Show("pairs", "pairs", "The pairs"),),
        (
            Field("fit", "choice", "Can these pictures be used?", options=FIT),
            Field("selected", "choices", "The pairs that you choose", options_from="pairs",
                  least=number, most=number, only_if=("fit", "yes")),
            Field("sentence", "text", "Your sentence", "True of the pairs you chose, false of the others.",
                  least_words=settings["least_words"], only_if=("fit", "yes"), similar=3, warn=True),
        ),
        Pay(settings["write_pay"], each="sentence",
            bonus=max(0, settings["high_bonus"], settings["low_bonus"])),
        written,
        guide=filled(words.WRITING, settings), examples=words.WRITING_EXAMPLES,
        overlap=settings["sentences"], minutes=45, exam="writing", checks=(for_strangers,),
        days=settings["wait_days"],
    )  # fmt: skip


def _check(settings: Mapping[str, Any], extra: bool) -> Stage:
    return Stage(
        "extra" if extra else "validate",
        "Check again" if extra else "Check a sentence",
        "Say whether a sentence is true of a pair of pictures.",
        (Show("pair", "pairs", "The pair"), Show("sentence", "text", "The sentence")),
        (Field("label", "choice", "Is it true of this pair?", options=LABELS),),
        Pay(settings["validate_pay"]),
        voted if extra else validated,
        guide=filled(words.VALIDATING, settings), examples=words.VALIDATING_EXAMPLES,
        overlap=settings["extra_votes"] if extra else 1, minutes=10, exam="checking", votes=("label",),
    )  # fmt: skip


def _judge(settings: Mapping[str, Any]) -> Stage:
    return Stage(
        "judge", "Does it follow the rules?", "Say whether a sentence follows the rules for writing.",
        (
            Show("pairs", "pairs", "The pairs"),
            Show("selected", "text", "Chosen"),
            Show("sentence", "text", "The sentence"),
        ),
        (
            Field("follows", "choice", "Does it follow the rules?", options=YES_NO),
            Field("violations", "choices", "Which does it break?", options=words.VIOLATIONS, least=1,
                  only_if=("follows", "no")),
            Field("feedback", "text", "What do you write to the writer?", required=False),
        ),
        Pay(settings["judge_pay"]), judged,
        guide=filled(words.JUDGING, settings), examples=words.JUDGING_EXAMPLES,
        minutes=15, role="reviewer", votes=("follows",),
    )  # fmt: skip


def build(settings: Mapping[str, Any]) -> Protocol:
    """The protocol with these settings in its forms, pay and exams."""
    _refuse(settings)
    return Protocol(
        name="nlvr2",
        title="NLVR2",
        source="Suhr et al., A Corpus for Reasoning About Natural Language Grounded in Photographs (2019), "
        "section 3 and appendix B",
        currency="USD",
        stages=(
            _prune(settings), _construct(settings), _write(settings), _check(settings, extra=False),
            _check(settings, extra=True), _judge(settings),
        ),
        start=settings["begin"],
        subjects=subjects,
        standing=standing,
        item_of=item_of,
        exams=exams(settings),
        settings=SETTINGS,
        sampling=Sampling("write", settings["round_sample"], to_judge),
        rebuilt=build,
    )  # fmt: skip


def _refuse(settings: Mapping[str, Any]) -> None:
    if settings["begin"] not in BEGINNINGS:
        raise UsageError(f"begin is '{settings['begin']}'. Choose one of: {', '.join(BEGINNINGS)}.")
    if settings["set_size"] < 4 or settings["set_size"] % 2:
        raise UsageError(f"set_size is {settings['set_size']}. Pairs need an even number, four or more.")
    if not 0 < settings["selected"] < settings["set_size"] // 2:
        raise UsageError("selected must leave pairs of which a sentence is false: at least 1, and not all.")
    if not all(is_split_name(name) for name in settings["held_out_splits"]):
        raise UsageError("held_out_splits must be names of splits: letters, digits, _ and -.")
    if min(settings["sentences"], settings["extra_votes"]) < 1:
        raise UsageError("sentences and extra_votes must each be 1 or more.")


NLVR2 = build(defaults(SETTINGS))
