"""What the probe of choices says, in plain words."""

from __future__ import annotations

from typing import NamedTuple

ABOUT = (
    "The choices of each item, compared with one another, with the question and with the objects of the "
    "picture. Two choices are likened by the judge that Adversarial Matching goes by: the greater of both "
    "directions of entailment."
)


class Words(NamedTuple):
    """What is said where something was found, where it was not, and what to do."""

    found: str
    fine: str
    remedy: str = ""


WORDS = {
    "right-equals-wrong": Words(
        "In {share} a wrong choice reads the same as the right one: nobody can tell which is meant.",
        "No wrong choice reads the same as the right one.",
        "Replace the wrong choice, or take these items out.",
    ),
    "empty-choices": Words(
        "In {share} a choice is empty.", "No choice is empty.", "Fill it in, or take these items out.",
    ),
    "tags-not-in-image": Words(
        "In {share} a tag points to no object of the picture, or to one of another class.",
        "Every tag points to an object of its picture.",
        "Correct the tags or the lists of objects; the table shows which tag it is.",
    ),
    "duplicate-choices": Words(
        "In {share} two wrong choices read the same, so that there are fewer to choose from.",
        "No two wrong choices of an item read the same.",
        "Replace one of the two: chance is higher on these items than the number of choices says.",
    ),
    "near-duplicate-choices": Words(
        "In {share} two choices are nearly the same: the same words in other forms or order, or a slip.",
        "No two choices of an item are nearly the same.",
        "Read these items: if both choices would be accepted, replace one.",
    ),
    "two-plausible": Words(
        "In {share} a wrong choice says what the right one does, or one follows from the other, "
        "as far as words can tell.",
        "No wrong choice follows from the right one.",
        "Have a person read these items, the likeliest first, and replace wrong choices that are right too.",
    ),
    "wrong-choice-accepted": Words(
        "In {share} people who saw no choices gave a wrong choice at least as often as the right one.",
        "No wrong choice was given as often as the right one by people who saw no choices.",
        "Check the labels of these items first: they may be wrong, or two answers may be right.",
    ),
    "answer-in-question": Words(
        "In {share} the right choice, and no wrong one, stands word for word in the question.",
        "The question never holds the right choice alone.",
        "Reword these questions, or add wrong choices that the question holds as well.",
    ),
    "gender-only-right-fits": Words(
        "In {share} all choices but the right one speak of another gender than the question does.",
        "The gender of pronouns never leaves the right choice alone.",
        "Borrow wrong choices from questions of the same gender, or change their pronouns to fit.",
    ),
    "gender-mismatch": Words(
        "In {share} the question speaks of her and a choice of him, or the other way round.",
        "No choice clashes with the gender of its question's pronouns.",
    ),
    "right-choice-unsaid": Words(
        "In {share} nobody who saw no choices gave the right one in these words.",
        "The right choice was always given by someone who saw no choices.",
    ),
    "tags-as-words": Words(
        "In {share} a tag is written as words and not linked to its object.",
        "No tag is written as words.",
        "Link them: models that read tags do not see these.",
    ),
    "tags-only": Words(
        "In {share} two choices differ by their tags alone; only the picture can tell them apart.",
        "No two choices differ by their tags alone.",
    ),
}

RULES = {
    "gender": Words(
        "Where the question speaks of her or of him ({share}), leaving out choices that speak of the other "
        "gender and guessing among the rest is right in {accuracy}; chance is {chance}.",
        "The gender of pronouns gives little away: leaving out choices that clash with the question and "
        "guessing among the rest is right in {accuracy} of {share}; chance is {chance}.",
        "Borrow wrong choices from questions of the same gender, or change their pronouns to fit.",
    ),
    "form": Words(
        "Where one choice is written unlike all others ({share}: capitals, its first letter, its end, "
        "digits), that one is right in {accuracy}; chance is {chance}.",
        "A choice that is written unlike the others is right in {accuracy} of {share}; chance is {chance}.",
        "Write all choices of an item alike: the same capitals, the same full stop.",
    ),
}


def share_of(count: int, total: int) -> str:
    """`7 of 1,145 items (0.6%)`."""
    return f"{count:,} of {total:,} items ({count / max(total, 1):.1%})"
