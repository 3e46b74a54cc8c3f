"""The one answer parser: a model's raw reply in, what it answered or an honest failure out.

It never sees the gold answer and never guesses. First the reply is stripped of what is not an answer: a
prompt echoed in front of it, reasoning between <think> tags, marks of layout. Then evidence counts in this
order, and the first kind that is there decides:

1. An explicit final answer: a box, <answer> tags, a JSON key, "Answer:", "the answer is". All that are found
   and can be read must agree. If none can be read, weaker evidence does not make up for it.
2. The whole reply is an answer: a letter, an option's text, "B) sitting", "Yes, …".
3. A refusal: "I'm sorry, but I cannot …".
4. The only choice, or the only verdict, that the reply names.

Whatever contradicts itself, at any step, is `Unparsed` and says why: two choices, a letter and a text that
disagree, a choice that is named only to be ruled out. A bare number is no option number; "option 2" is. A
reply that was cut off counts only by an explicit final answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commonsight.core.answer import FreeText, Grounded, Pick, Refused, Truncated, Unparsed, Verdict
from commonsight.score.parse.evidence import read
from commonsight.score.parse.freetext import OwnWords
from commonsight.score.parse.grounded import pointed
from commonsight.score.parse.options import Options
from commonsight.score.parse.verdict import Verdicts

__all__ = ["parse_free_text", "parse_grounded", "parse_pick", "parse_verdict"]

Failed = Unparsed | Truncated | Refused


def parse_pick(reply: str, choices: Sequence[str], *, truncated: bool = False) -> Pick | Failed:
    """The choice that the reply picks."""
    found = read(reply, Options(choices), truncated=truncated)
    return Pick(found) if isinstance(found, int) else found


def parse_verdict(reply: str, *, truncated: bool = False) -> Verdict | Failed:
    """Whether the reply says true or false."""
    found = read(reply, Verdicts(), truncated=truncated)
    return Verdict(found) if isinstance(found, bool) else found


def parse_free_text(reply: str, *, truncated: bool = False) -> FreeText | Failed:
    """The answer in the model's own words."""
    found = read(reply, OwnWords(), truncated=truncated)
    return FreeText(found) if isinstance(found, str) else found


def parse_grounded(reply: str, ids: Mapping[int, int], *, truncated: bool = False) -> Grounded | Failed:
    """The answer in words and the object that it is about; `ids` gives the id of each number shown."""
    found = pointed(reply, ids)
    said = parse_free_text(found.rest, truncated=truncated and not found.objects)
    if not isinstance(said, FreeText):
        return type(said)(reply, said.why) if isinstance(said, Unparsed) else type(said)(reply)
    if found.unknown:
        return Unparsed(reply, f"there is no object {found.unknown[0]}")
    if len(found.objects) != 1:
        return Unparsed(reply, "two objects are named" if found.objects else "no object is named")
    return Grounded(said.text, found.objects[0])
