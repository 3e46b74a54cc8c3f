"""The one answer parser: what it reads, what it refuses to read, and that it holds for any text."""

from __future__ import annotations

import json
import string
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from commonsight.core.answer import FreeText, Pick, Refused, Truncated, Unparsed, Verdict
from commonsight.score.parse import parse_free_text, parse_pick, parse_verdict

CHOICES = ["dog", "sitting", "cat", "mobile phone"]
WATER = ["frozen", "fresh", "dirty", "boiling"]
PROMPT = """Question: What water is it?
Answer Options: frozen, fresh, dirty, boiling
First, explain your thought process and then answer the question.
Thought Process: [brief description of your thought process]
Answer (Choose one from this list - frozen, fresh, dirty, boiling): """

LETTERS = [
    "B", "b", "(b)", "(B)", "[B]", "B.", "B)", "B:", " B \n", "**B**", "**(B)**", "__B__", "`B`", "'B'",
    "“B”", "Ｂ", "B) sitting", "B. Sitting.", "b) sitting", "(B) sitting down", "B: sitting", "B - sitting",
    "**B. sitting**", "Option B", "option b", "Choice B.", "Option (B)", "Option B: sitting", "Answer B",
    "2. sitting", "2) Sitting", "B, because the dog is not there.", "B. sitting. The dog is a toy.",
    "B. Option A is wrong.", "I think B", "I would say B.", "B is correct.",
    "B is the best answer, I believe.", "<s>B</s>", "B<|im_end|>",
]  # fmt: skip
NUMBERS = ["option 2", "Option 2: sitting", "choice 2", "the 2nd option", "The second option.", "2nd choice"]
TEXTS = [
    "sitting", "Sitting", " SITTING. ", "\u200bsitting", "the sitting", '"sitting"', "100% sitting",
    "It is sitting.", "The man is sitting, as men do.", "I am not sure, but probably sitting.",
    "sitting\n\nHe is sitting on a bench.",
]  # fmt: skip
FINALS = [
    "Answer: B", "answer:B", "Answer:\n\nB", "**Answer:** B", "**Answer: B**", "Final answer: (B)",
    "Answer = B", "The answer is B.", "The answer is: B", "the correct answer is (B) sitting.",
    "The best option is B", "The correct choice would be option B.", "The answer is B because A is wrong.",
    "I'd go with B.", "I choose B", "The answer to the question is sitting.",
    "The answer is B. Option A is wrong.", "Answer: probably B", r"\boxed{B}", r"So $\boxed{\text{B}}$.",
    r"The answer is \boxed{B}", "<answer>B</answer>", "<answer>\nB",
    "<think>A dog? No.</think><answer>sitting</answer>", "<think>The answer is A. Or C?</think>\n\nB",
    '{"answer": "B"}', "{'answer': 'B'}", '```json\n{"answer": "B", "why": "the dog"}\n```',
    '{"choice": "sitting"}', '{"reasoning": "A dog and a cat.", "final_answer": "B) sitting"}',
    '{"answer": "\\u0042"}', "Thought Process: a dog and a cat. Answer: sitting",
    "A dog, a cat.\nAnswer: sitting\nThe dog is far.", "A. dog\nB. sitting\nC. cat\nAnswer: B",
    "Answer: B\n\nThe answer is sitting.", "The answer is clear. Answer: B",
    "[INST] Answer: A [/INST] Answer: B", "USER: A or C? ASSISTANT: B", "I'm sorry, but the answer is B.",
]  # fmt: skip


@pytest.mark.parametrize("reply", [*LETTERS, *NUMBERS, *TEXTS, *FINALS])
def test_every_shape_of_b_is_read(reply: str) -> None:
    assert parse_pick(reply, CHOICES) == Pick(1)


@pytest.mark.parametrize(
    ("reply", "choices", "index"),
    [
        ("a dog", ["cow", "dog"], 1),
        ("A dog", ["cow", "dog"], 1),  # the article, not the letter
        ("Answer: A dog", ["cow", "dog"], 1),
        ("I see a dog", ["cow", "dog"], 1),
        ("A", CHOICES, 0),
        ("a", CHOICES, 0),
        ("A is correct", CHOICES, 0),
        ("the mobile phone", ["phone", "mobile phone"], 1),
        ("It is a mobile phone.", ["mobile phone", "phone"], 0),
        ("a phone", ["mobile phone", "phone"], 1),
        ("It is ice cream.", ["ice", "ice cream"], 1),
        ("It's dr pepper", ["coke", "dr. pepper"], 1),
        ("Answer: Dr. Pepper", ["coke", "dr. pepper"], 1),
        ("St. Patrick's Day, because of the hats", ["easter", "st. patrick’s day"], 1),
        ("taking a selfie", ["washing hands", "taking selfie"], 1),
        ("don't walk", ["walk", "don't walk"], 1),
        ("no", ["yes", "no"], 1),
        ("it is probably no", ["no", "probably no"], 1),
        ("-5", ["5", "-5"], 1),
        ("C++", ["C", "C++"], 1),
        ("20", ["10", "20"], 1),
        ("It says 7:00.", ["7", "7:00"], 1),
        ("cafe\u0301", ["bar", "caf\u00e9"], 1),
        ("中国", ["日本", "中国"], 1),
        ("?", ["!", "?"], 1),
        ('The last letter is "J".', ["l", "z", "j", "c"], 2),
        ("road", ["air", "road", "road"], 1),  # two that read the same: the first stands for both,
        ("C. road", ["air", "road", "road"], 2),  # unless a letter tells which
        ("Answer: the person is smiling. He is glad.", ["no", "The person is smiling. He is glad."], 1),
    ],
)
def test_texts_are_told_apart_from_letters_and_from_each_other(
    reply: str, choices: list[str], index: int
) -> None:
    assert parse_pick(reply, choices) == Pick(index)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "the reply is empty"),
        (" \u200b\n", "the reply is empty"),
        ("[INST] dog or cat? [/INST] ", "nothing but an echoed prompt or reasoning"),
        ("<think>It is a dog, the answer is A", "nothing but an echoed prompt or reasoning"),
        ("20", "no answer found"),
        ("2", "no answer found"),
        ("2)", "no answer found"),
        ("2) horse", "no answer found"),
        ("1st", "no answer found"),
        ("A man", "no answer found"),
        ("phone", "no answer found"),
        ("dogs", "no answer found"),
        ("the dog's bowl", "no answer found"),
        ("E", "no answer found"),
        ("It is rich in vitamin C today", "no answer found"),
        ("Answer: ", "the final answer is empty"),
        ("I see a dog.\nAnswer:", "the final answer is empty"),
        ("It is a dog.\nAnswer: horse", "the final answer cannot be read"),
        ('{"choice": 1}', "the final answer cannot be read"),
        ("Answer: 2", "the final answer cannot be read"),
        ("A or B", "more than one letter"),
        ("A and C", "more than one letter"),
        ("A\nB\nC\nD", "more than one letter"),
        ("(A) or B", "its label and its text name different choices"),
        ("dog, cat", "more than one choice is named"),
        ("[dog, sitting, cat, mobile phone]", "more than one choice is named"),
        ("Answer: A or B", "more than one choice is named"),
        ('{"answer": ["A", "B"]}', "more than one choice is named"),
        ("option 1 or option 2", "more than one choice is named"),
        ("Answer: A\nAnswer: B", "two final answers differ"),
        (r"\boxed{A} <answer>B</answer>", "two final answers differ"),
        ("The answer is dog. Wait, no. The answer is cat.", "two final answers differ"),
        ("A. cat", "its label and its text name different choices"),
        ("Answer: A. cat", "its label and its text name different choices"),
        ("1) sitting", "its label and its text name different choices"),
        ("A, B", "its label and its text name different choices"),
        ("A. dog\nB. sitting\nC. cat", "its label and its text name different choices"),
        ("A. dog. Or maybe B.", "its label and its text name different choices"),
        ("not A", "a choice is named and ruled out"),
        ("it is not a dog", "a choice is named and ruled out"),
        ("It isn't a dog.", "a choice is named and ruled out"),
        ("There is no dog", "a choice is named and ruled out"),
        ("The answer is not A.", "a choice is named and ruled out"),
        ("A is incorrect", "a choice is named and ruled out"),
        ("neither a dog nor a cat", "a choice is named and ruled out"),
        ("It is a dog, not a cat.", "a choice is named and ruled out"),
        ("A. It is not a dog.", "a choice is named and ruled out"),
        ("2) not a dog", "a choice is named and ruled out"),
    ],
)
def test_what_is_missing_or_contradicts_itself_is_unparsed_and_says_why(reply: str, why: str) -> None:
    assert parse_pick(reply, CHOICES) == Unparsed(reply, why)


@pytest.mark.parametrize(
    ("reply", "choices"),
    [
        ("C", ["l", "z", "j", "c"]),  # the third letter, or the fourth text?
        ("option 2", ["2", "3"]),
        ("C", ["C+", "C-"]),  # beyond the letters, and told apart by punctuation alone
        ("20", ["one", "ten"]),
        ("dog", []),
    ],
)
def test_what_could_be_two_things_is_unparsed(reply: str, choices: list[str]) -> None:
    assert isinstance(parse_pick(reply, choices), Unparsed)


@pytest.mark.parametrize(
    "said", ["fresh", "Fresh.", " \u200bfresh", "Thought Process: not dirty.\nAnswer: fresh"]
)
@pytest.mark.parametrize("frame", [f"{PROMPT}{{}}", f"[INST]  \n{PROMPT} [/INST] {{}} ", "{}"])
def test_an_echoed_prompt_does_not_confuse_it(frame: str, said: str) -> None:
    assert parse_pick(frame.format(said), WATER) == Pick(1)


def test_an_echoed_list_of_options_is_no_answer() -> None:
    assert isinstance(parse_pick(PROMPT, WATER), Unparsed)
    assert isinstance(parse_pick(f"{PROMPT}10", WATER), Unparsed)


REFUSALS = [
    "I'm sorry, I can't see the dog.", "I’m sorry, but I cannot help with that.", "I cannot determine that.",
    "As an AI language model, I do not have eyes.", "It is not possible to tell from the image.",
    "i don ' t know", "Unable to determine.", "no idea",
    "The dog is far, so it is difficult to say.\nAnswer: ",
]  # fmt: skip


@pytest.mark.parametrize("reply", REFUSALS)
def test_a_refusal_is_no_answer_of_any_kind(reply: str) -> None:
    assert parse_pick(reply, CHOICES) == Refused(reply)
    assert parse_verdict(reply) == Refused(reply)
    assert parse_free_text(reply) == Refused(reply)


def test_a_refusal_may_be_a_choice() -> None:
    assert parse_pick("I don't know", ["yes", "i don't know"]) == Pick(1)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("The answer is B. The man", Pick(1)),
        ("Answer: sitting", Pick(1)),
        ("Answer: B\nThe man sits on a", Pick(1)),
        ("<answer>B</answer> since the", Pick(1)),
        ("B", None),
        ("dog", None),
        ("It is a dog and", None),
        ("<think>It is a dog", None),
        ("Answer: mobile", None),
        ("Answer:", None),
        ("I'm sorry, I cannot", None),
    ],
)
def test_a_reply_that_was_cut_off_counts_by_its_final_answer_alone(reply: str, answer: Pick | None) -> None:
    choices = [*CHOICES[:3], "mobile phone", "mobile"]
    assert parse_pick(reply, choices, truncated=True) == (answer or Truncated(reply))


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("True", True), ("true.", True), ("**True**", True), ("Yes", True), ("Correct.", True), ("Right!",
        True), ("Yes, there is no dog on the right.", True), ("The statement is correct.", True),
        ("Answer: yes", True), ('{"answer": true}', True), (r"\boxed{True}", True),
        ("It is true that there are no dogs.", True), ("<think>false?</think> true", True), ("Not false",
        True), ("I would say yes.", True), ("False", False), ("no", False), ("No, both are dogs.", False),
        ("Incorrect", False), ("Wrong.", False), ("Not true.", False), ("The statement isn't true.", False),
        ("That is not correct.", False), ("No. The statement is false.", False), ("The answer is False",
        False), ("this is incorrect", False), ('{"answer": "false"}', False),
        ("[INST] true or false? [/INST] False", False),
    ],
)  # fmt: skip
def test_verdicts(reply: str, value: bool) -> None:
    assert parse_verdict(reply) == Verdict(value)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "the reply is empty"),
        ("true or false", "both verdicts are named"),
        ("True/False", "both verdicts are named"),
        ("yes and no", "both verdicts are named"),
        ("Yes, the statement is false.", "both verdicts are named"),
        ("Answer: True\nAnswer: False", "two final answers differ"),
        ("It is not the case that this is true.", "a verdict is named and ruled out"),
        ("There is no dog", "no answer found"),
        ("The dog is on the right", "no answer found"),
        ("the correct picture", "no answer found"),
        ("1", "no answer found"),
        ("Answer: dog", "the final answer cannot be read"),
    ],
)
def test_no_verdict_is_made_up(reply: str, why: str) -> None:
    assert parse_verdict(reply) == Unparsed(reply, why)


def test_a_verdict_that_was_cut_off() -> None:
    assert parse_verdict("Answer: true", truncated=True) == Verdict(value=True)
    assert parse_verdict("Yes, the", truncated=True) == Truncated("Yes, the")


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("20", "20"),
        (" A dog. ", "A dog"),
        ('"dog"', "dog"),
        ("[INST]  \nQuestion: What?\nAnswer (1-2 words):  [/INST] North berg ", "North berg"),
        ("Question: What?\nAnswer (1-2 words): dog", "dog"),
        ("The answer is a dog because it barks.", "a dog"),
        ("Thought Process: a cat?\nAnswer: Dr. Pepper", "Dr. Pepper"),
        ('{"answer": "two words"}', "two words"),
        ("<think>hm</think>\nthirty", "thirty"),
        ("they don ' t know what they are", "they don't know what they are"),
    ],
)
def test_free_text_is_what_was_said(reply: str, text: str) -> None:
    assert parse_free_text(reply) == FreeText(text)


def test_free_text_that_is_missing_doubled_or_cut_off() -> None:
    assert parse_free_text("") == Unparsed("", "the reply is empty")
    assert parse_free_text("Answer: dog\nAnswer: cat") == Unparsed(
        "Answer: dog\nAnswer: cat", "two final answers differ"
    )
    assert parse_free_text("Answer: do", truncated=True) == Truncated("Answer: do")
    assert parse_free_text("a do", truncated=True) == Truncated("a do")
    assert parse_free_text("<answer>dog</answer> It", truncated=True) == FreeText("dog")


# Properties

NASTY = st.sampled_from(
    ["answer (", "Answer: ", "<answer>", "</answer>", "<think>", "</think>", "[/INST]", '"answer": ',
     "\\boxed{", "(A) ", "B. ", "dog ", "not ", "**", "'", '"', "\\", "{", "}", "\n", "option 2 ", "true ",
     "\u0301", "\ud800", "\u200b"]
)  # fmt: skip
REPLIES = st.one_of(
    st.text(), st.lists(NASTY | st.text(max_size=5), max_size=12).map("".join), st.text(string.printable)
)
WORDS = st.text("bcdefghjk", min_size=2, max_size=5)
PLAIN_CHOICES = st.lists(WORDS, min_size=2, max_size=6, unique=True)


@given(REPLIES, st.lists(st.text(max_size=8), max_size=5), st.booleans())
def test_any_text_is_read_the_same_way_twice(reply: str, choices: list[str], truncated: bool) -> None:
    picked = parse_pick(reply, choices, truncated=truncated)
    assert picked == parse_pick(reply, choices, truncated=truncated)
    if isinstance(picked, Pick):
        assert 0 <= picked.index < len(choices)
    else:
        assert picked.reply == reply
    assert parse_verdict(reply, truncated=truncated) == parse_verdict(reply, truncated=truncated)
    free = parse_free_text(reply, truncated=truncated)
    assert free == parse_free_text(reply, truncated=truncated)
    assert not isinstance(free, FreeText) or free.text


@given(PLAIN_CHOICES, st.data())
def test_a_letter_picks_its_choice(choices: list[str], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(choices) - 1))
    letter = data.draw(st.sampled_from([string.ascii_uppercase[index], string.ascii_lowercase[index]]))
    frame = data.draw(
        st.sampled_from(["{}", "({})", "{}.", "**{}**", "Answer: {}", r"\boxed{{{}}}", "Option {}"])
    )
    assert parse_pick(frame.format(letter), choices) == Pick(index)


@given(PLAIN_CHOICES, st.data())
def test_permuting_the_choices_permutes_the_pick(choices: list[str], data: st.DataObject) -> None:
    said = data.draw(st.sampled_from(choices))
    frame = data.draw(
        st.sampled_from(["{}", "The {}.", "Answer: {}", "It is a {}, I think.", '{{"answer": "{}"}}'])
    )
    permuted = data.draw(st.permutations(choices))
    assert parse_pick(frame.format(said), choices) == Pick(choices.index(said))
    assert parse_pick(frame.format(said), permuted) == Pick(permuted.index(said))


@given(st.sampled_from(["dog or cat", "(A) or (C)", "it is not a dog", "a dog, a cat"]), st.lists(WORDS))
def test_noise_does_not_turn_a_contradiction_into_a_pick(reply: str, noise: list[str]) -> None:
    padding = " ".join(noise)
    for padded in (f"{padding}. {reply}", f"{reply}. {padding}", f"{padding}\n{reply}\n{padding}"):
        assert isinstance(parse_pick(padded, CHOICES), Unparsed)


@given(PLAIN_CHOICES, st.data())
def test_a_negated_choice_is_never_picked(choices: list[str], data: st.DataObject) -> None:
    said = data.draw(st.sampled_from(choices))
    frame = data.draw(
        st.sampled_from(["not {}", "It is not the {}.", "The answer is not {}", "Answer: isn't {}"])
    )
    assert isinstance(parse_pick(frame.format(said), choices), Unparsed)


@given(REPLIES, REPLIES)
def test_what_stands_before_the_end_of_the_instructions_does_not_count(echo: str, reply: str) -> None:
    assume("[/INST]" not in reply)
    with_echo, alone = parse_pick(f"{echo}[/INST]{reply}", CHOICES), parse_pick(f"[/INST]{reply}", CHOICES)
    assert type(with_echo) is type(alone)
    assert not isinstance(alone, Pick) or with_echo == alone


# Time

JUNK = [
    "a", " ", "\n", "x ", "answer (", "Answer: ", "answer (\n", "\\boxed{", "<answer>", '"answer":"',
    '"answer":[', "{", "\u0301\u0323", "1", "1,", "a'", "<think>", "as an ai ", "mobile ", "**", "** ",
    "<|", "not true ", "'", "\\", "A ",
]  # fmt: skip


def _events(act: Callable[[], Any]) -> int:
    """How many calls, of Python and of C functions, it takes: a count that no busy machine changes."""
    count = 0

    def see(_frame: Any, _event: str, _arg: Any) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("piece", JUNK)
@pytest.mark.parametrize("parse", [lambda reply: parse_pick(reply, CHOICES), parse_verdict, parse_free_text])
def test_twice_the_junk_is_at_most_twice_the_work(parse: Callable[[str], Any], piece: str) -> None:
    once = _events(lambda: parse(piece * 1000))
    twice = _events(lambda: parse(piece * 2000))
    assert twice <= 2 * once + 50


@pytest.mark.parametrize(
    "piece", ["\u0301\u0323", " ", "1,", "answer (", '"answer":"', "<answer>", "\\boxed{"]
)
def test_a_megabyte_of_junk_is_read_to_its_end(piece: str) -> None:
    """Patterns that tried again from every place would take hours here, so finishing is the test."""
    reply = piece * (1_000_000 // len(piece))
    assert isinstance(parse_pick(reply, CHOICES), Unparsed)


# Real replies

REAL = {
    "blip-vqa-base_da_validation_viper_False_rationale_False": {"FreeText": 721, "Refused": 53},
    "da_validation_viper_False_rationale_False": {"FreeText": 774},
    "blip-vqa-base_mc_validation_viper_False_rationale_False": {"Pick": 254, "Unparsed": 444, "Refused": 76},
    "instructblip-vicuna-7b_mc_validation_viper_False_rationale_True": {"Pick": 563, "Unparsed": 211},
    "mc_validation_viper_False_rationale_False": {"Pick": 768, "Unparsed": 6},
    "mc_validation_viper_False_rationale_True": {"Pick": 746, "Unparsed": 22, "Refused": 6},
}
"""Replies of three models to A-OKVQA's validation questions. When these counts were written down, every pick
that is not simply an option's text was read and found right by the parser's rules; so was every failure."""


def _real(data_dir: Path, name: str) -> list[tuple[Any, str, list[str]]]:
    path = data_dir / "aokvqa" / "predictions" / f"aokvqa_task_{name}.json"
    answers = []
    for record in json.loads(path.read_text("utf-8")):
        reply = record.get("llava_zero_shot_full_response", record.get("model_response"))
        direct = "da_validation" in name
        answer = parse_free_text(reply) if direct else parse_pick(reply, record["choices"])
        answers.append((answer, reply, record["choices"]))
    return answers


@pytest.mark.real_data
@pytest.mark.parametrize("name", REAL)
def test_real_replies(data_dir: Path, name: str) -> None:
    answers = _real(data_dir, name)
    assert Counter(type(answer).__name__ for answer, _, _ in answers) == REAL[name]


@pytest.mark.real_data
def test_a_real_final_answer_is_the_one_that_is_picked(data_dir: Path) -> None:
    """Told another way: what stands last in the reply, compared letter for letter."""
    compared = 0
    for answer, reply, choices in _real(data_dir, "mc_validation_viper_False_rationale_True"):
        last = reply.rpartition("[/INST]")[2].rpartition("Answer:")[2].strip().lower()
        if last in choices:
            compared += 1
            assert answer == Pick(choices.index(last))
        else:
            assert not isinstance(answer, Pick) or last.endswith(" is 101.")
    assert compared == 745
