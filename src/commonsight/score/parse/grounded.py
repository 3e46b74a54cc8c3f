"""An answer in words together with the object that it is about: "Answer: red", "Object: 3"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_OBJECT = re.compile(
    r"""^[ *_#>-]*object(?:[ ]?(?:number|id|no\.?))?[ ]?(?:is)?[ ]?[:=]?[ *_]*
        (?: (?P<none> none | no[ ]object | nothing | null | n/a )
          | [\[(<#]?[ ]?(?: [a-z][a-z ]{0,40}?[ ]? )?(?P<number> \d{1,6} )[ ]?[\])>]?
        )[ .*_]*(?:\([^()\n]{0,80}\))?[ .*_]*$""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)


class Pointed(NamedTuple):
    """The reply without its lines about the object, and what these lines say."""

    rest: str
    objects: tuple[int | None, ...]
    """Each object that is pointed to, None for "none": more than one is a contradiction."""
    unknown: tuple[int, ...]
    """Numbers that no object has."""


def pointed(reply: str, ids: Mapping[int, int]) -> Pointed:
    """What the reply points to; `ids` gives the id of the object of each number that was shown."""
    found: dict[int | None, None] = {}
    unknown: dict[int, None] = {}
    for match in _OBJECT.finditer(reply):
        if match["none"]:
            found[None] = None
        elif (number := int(match["number"])) in ids:
            found[ids[number]] = None
        else:
            unknown[number] = None
    return Pointed(_OBJECT.sub("", reply).strip(), tuple(found), tuple(unknown))
