r"""Explicit final answers: \boxed{B}, <answer>B</answer>, {"answer": "B"}, "Answer: B", "the answer is B"."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple


class Final(NamedTuple):
    """What a reply marks as its answer; `open` if nothing shows that it was said to its end."""

    text: str
    open: bool = False


_BOXED = re.compile(r"\\boxed ?\{(?:\\text ?\{)?([^{}\n]*)\}")
_KEYED = re.compile(
    r"""["'](?:final_?)?(?:answer|choice|option|prediction)["']\ ?:\ ?
        (?: (?P<string> "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' )
          | (?P<bare> \[[^\[\]]*\] | [^\s,"'\[\]{}]+ ) )""",
    re.IGNORECASE | re.VERBOSE,
)
_ANNOUNCED = re.compile(
    r"""\b(?: (?:answer(?:\ to\ (?:the|this)\ question)?|option|choice|verdict)
              (?:\ (?:is|would\ be|should\ be|must\ be)\b|\ ?[:=])
            | i(?:'d|'ll|\ would|\ will)?\ (?:choose|pick|select|go\ with)\b
        )\ ?:?""",
    re.IGNORECASE | re.VERBOSE,
)


def final_answers(said: str) -> list[Final]:
    """Every final answer that the reply marks, of every shape; whether they agree is seen later."""
    return [*_boxed(said), *_tagged(said), *_keyed(said), *_announced(said)]


def _boxed(said: str) -> Iterator[Final]:
    for match in _BOXED.finditer(said):
        yield Final(match[1])


def _tagged(said: str) -> Iterator[Final]:
    """<answer>…</answer>. The last one may lack its end, which is a usual stop sequence."""
    for stretch in re.split("<answer>", said, flags=re.IGNORECASE)[1:]:
        inside, *rest = re.split("</answer>", stretch, maxsplit=1, flags=re.IGNORECASE)
        yield Final(inside.strip(), open=not rest)


def _keyed(said: str) -> Iterator[Final]:
    for match in _KEYED.finditer(said):
        yield Final(match["bare"] or _unquoted(match["string"]))


def _unquoted(string: str) -> str:
    try:
        text = json.loads(f'"{string[1:-1]}"')
    except ValueError:
        return string[1:-1]
    return str(text)


def _announced(said: str) -> Iterator[Final]:
    """What follows "Answer:" or "the answer is" on its line, or the next line that is not empty."""
    cues = list(_ANNOUNCED.finditer(said))
    for cue, following in zip_longest(cues, cues[1:]):
        stretch = said[cue.end() : following.start() if following else None].lstrip()
        line, newline, _ = stretch.partition("\n")
        yield Final(line.strip(), open=not (newline or following))
