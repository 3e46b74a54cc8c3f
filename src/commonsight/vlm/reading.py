"""From a reply to an answer, by what the question expects. The parser is the one of `score.parse`."""

from __future__ import annotations

from msgspec import structs

from commonsight.core.answer import Answer, Refused
from commonsight.core.benchmark import Ask
from commonsight.core.prompt import Prompt
from commonsight.score.parse import parse_free_text, parse_grounded, parse_pick, parse_verdict
from commonsight.vlm.client import Reply


def answer_of(reply: Reply, ask: Ask) -> Answer:
    """What the reply answers, or the honest failure; what a provider withheld is a refusal."""
    if reply.finish == "filtered":
        return Refused(reply.text)
    cut = reply.finish == "length"
    match ask.expects:
        case "pick":
            labels = ask.scenes[0].labels if ask.scenes else ()
            return parse_pick(reply.text, [choice.bracketed(labels) for choice in ask.choices], truncated=cut)
        case "verdict":
            return parse_verdict(reply.text, truncated=cut)
        case "grounded":
            return parse_grounded(reply.text, object_ids(ask), truncated=cut)
        case "text":
            return parse_free_text(reply.text, truncated=cut)


def ended(reply: Reply, prompt: Prompt) -> Reply:
    """The reply up to where the prompt ends it, whether or not the server did; a text that a model was to go
    on with ends with its last token too."""
    places = [place for stop in prompt.stop if (place := reply.text.find(stop)) >= 0]
    whole = bool(places) or prompt.form == "text"
    finish = "stop" if whole and reply.finish == "length" else reply.finish
    return structs.replace(reply, text=reply.text[: min(places, default=None)], finish=finish)


def object_ids(ask: Ask) -> dict[int, int]:
    """The id of the object of each number that a model is shown."""
    regions = ask.scenes[0].regions if ask.scenes else ()
    return {place + 1: place if region.id is None else region.id for place, region in enumerate(regions)}
