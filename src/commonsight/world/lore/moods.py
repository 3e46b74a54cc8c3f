# ruff: noqa: E501 - tables: one row, one line
"""How people feel (`feels`): the face, sharpened by what it is about; the first row that fits counts."""

from __future__ import annotations

from commonsight.world.logic import Rule
from commonsight.world.lore.table import Row, ladder

MOODS = (
    # happy faces
    Row("p, excited", "expression p happy; hat p party hat"),
    Row("p, in love", "expression p happy; hands p t q; is t flower; age p adult; age q adult"),
    Row("p, grateful", "expression p happy; hands q t p"),
    Row("p, proud", "expression p happy; looks_at p t; is t easel|sand castle", ("state t broken",)),
    Row("p, relaxed", "expression p happy; lies_on p t; is t beach towel|couch"),
    Row("p, entertained", "expression p happy; looks_at p t; is t tv"),
    Row("p, enthusiastic", "expression p happy; looks_at p q; pose q playing; holds q t; is t guitar|microphone"),
    Row("p, happy", "expression p happy"),
    # sad and tired faces
    Row("p, ill", "expression p sad|tired; lies_on p t; is t bed; is u medicine"),
    Row("p, ill", "expression p sad|tired; lies_on p t; is t bed; outfit q doctor coat"),
    Row("p, disappointed", "expression p sad; looks_at p t; is t sand castle; state t broken"),
    Row("p, disappointed", "expression p sad; looks_at p t; is t bus"),
    Row("p, guilty", "expression p sad|afraid; looks_at p t; state t broken; is t FRAGILE"),
    Row("p, lonely", "expression p sad; sits_on p t; is t bench", ("holds p u",)),
    Row("p, sad", "expression p sad"),
    Row("p, exhausted", "expression p tired; outfit p sports kit|work vest"),
    Row("p, sleepy", "expression p tired; outfit p pyjamas"),
    Row("p, tired", "expression p tired"),
    # angry, surprised and frightened faces
    Row("p, impatient", "expression p angry; looks_at p t; is t clock|traffic light"),
    Row("p, annoyed", "expression p angry; looks_at p t; is t PET|cup"),
    Row("p, angry", "expression p angry"),
    Row("p, confused", "expression p surprised; holds p t; is t map"),
    Row("p, surprised", "expression p surprised"),
    Row("p, nervous", "expression p afraid; holds p t; is t microphone"),
    Row("p, nervous", "expression p afraid; looks_at p q; outfit q doctor coat"),
    Row("p, worried", "expression p afraid; looks_at p q; lies_on q t"),
    Row("p, scared", "expression p afraid"),
    # no face in particular: the hands tell
    Row("p, bored", "expression p neutral; looks_at p t; is t clock"),
    Row("p, lost", "expression p neutral; holds p t; is t map; state t open"),
    Row("p, focused", "expression p neutral; holds p t; is t pencil|hammer|stethoscope|knife|camera"),
    Row("p, calm", "expression p neutral; pose p reading; holds p t; is t TEXT"),
)  # fmt: skip

RULES: tuple[Rule, ...] = ladder("feels", MOODS)
