# ruff: noqa: E501 - tables: one row, one line
"""Who people are (`occupation`) and what they are to each other (`related`); the first row that fits counts."""

from __future__ import annotations

from commonsight.world.logic import Rule
from commonsight.world.lore.table import Row, ladder

OCCUPATIONS = (
    Row("p, doctor", "outfit p doctor coat"),
    Row("p, police officer", "outfit p police uniform"),
    Row("p, cook", "outfit p chef jacket"),
    Row("p, waiter", "outfit p apron; holds p t; is t SERVED; is u dining table"),
    Row("p, shop assistant", "outfit p apron; is t cash register"),
    Row("p, teacher", "points_at p t; is t blackboard; age p adult|old"),
    Row("p, teacher", "holds p u; is u pencil; looks_at p t; is t blackboard; age p adult|old"),
    Row("p, pupil", "age p child; looks_at p q; points_at q t; is t blackboard"),
    Row("p, pupil", "age p child; is t blackboard; is u desk"),
    Row("p, mechanic", "outfit p work vest; looks_at p t; is t car; state t broken"),
    Row("p, builder", "outfit p work vest; hat p hard hat"),
    Row("p, cleaner", "outfit p work vest; holds p t; is t broom"),
    Row("p, singer", "pose p playing; holds p t; is t microphone; is u stage light"),
    Row("p, musician", "pose p playing; holds p t; is t guitar; is u stage light"),
    Row("p, musician", "pose p playing; looks_at p t; is t piano|drum; is u stage light"),
    Row("p, artist", "holds p u; is u pencil; looks_at p t; is t easel; age p adult|old"),
    Row("p, athlete", "outfit p sports kit; pose p running; age p adult", ("holds p u",)),
    Row("p, office worker", "outfit p suit; looks_at p t; is t laptop"),
    Row("p, office worker", "outfit p suit; is t laptop; is u desk; age p adult", ("is v blackboard",)),
)  # fmt: skip

RELATIONS = (
    Row("p, q, doctor and patient", "outfit p doctor coat; looks_at p q; lies_on q t"),
    Row("p, q, doctor and patient", "outfit p doctor coat; looks_at p q; sits_on q t; is t wheelchair|bed"),
    Row("p, q, teacher and pupil", "points_at p t; is t blackboard; age p adult|old; looks_at q p; age q child"),
    Row("p, q, teacher and pupil", "is t blackboard; is u desk; age p adult|old; looks_at p q; age q child"),
    Row("p, q, waiter and guest", "outfit p apron; hands p t q; is t SERVED; sits_on q u"),
    Row("p, q, seller and customer", "outfit p apron; is u cash register; hands q t p; is t money"),
    Row("p, q, seller and customer", "outfit p apron; is u cash register; looks_at p q; holds q t; is t GOODS"),
    Row("p, q, strangers", "holds p t; is t map; state t open; looks_at p q"),
    Row("p, q, classmates", "age p child; age q child; is t blackboard; is u desk"),
    Row("p, q, band mates", "pose p playing; pose q playing; holds p t; is t guitar|microphone; is u stage light"),
    Row("p, q, colleagues", "outfit p suit; outfit q suit; looks_at p q; is t desk"),
    Row("p, q, grandparent and grandchild", "age p old; age q child; hugs p q"),
    Row("p, q, grandparent and grandchild", "age p old; age q child; hands p t q; is t PRESENT|book"),
    Row("p, q, parent and child", "age p adult; age q child; hugs p q"),
    Row("p, q, parent and child", "age p adult; age q child; hands p t q; is t PRESENT|book"),
    Row("p, q, parent and child", "age p adult; age q child; looks_at p q; pose p crouching", ("outfit p WORKWEAR",)),
    Row("p, q, parent and child", "age p adult; age q child; points_at p q; expression p angry", ("outfit p WORKWEAR",)),
    Row("p, q, parent and child", "age p adult; age q child; looks_at p q; lies_on q t; is t bed"),
    Row("p, q, parent and child", "age p adult; age q child; looks_at p q; is t couch", ("outfit p work vest",)),
    Row("p, q, parent and child", "age p adult; age q child; looks_at p q; outfit p swimwear; outfit q swimwear"),
    Row("p, q, grandparent and grandchild", "age p old; age q child; looks_at p q; is t couch"),
    Row("p, q, couple", "age p adult; age q adult; hands p t q; is t flower"),
    Row("p, q, couple", "age p adult; age q adult; sits_on p t; sits_on q t; is t couch"),
    Row("p, q, couple", "age p adult; age q adult; hugs p q; expression p happy; expression q happy"),
    Row("p, q, couple", "age p old; age q old; sits_on p t; sits_on q t; is t bench|couch"),
    Row("p, q, friends", "pose p playing; looks_at p q; looks_at q p; holds p t; is t BALL|tennis racket"),
    Row("p, q, friends", "expression p happy; expression q happy; looks_at p q; looks_at q p; pose p TALKING"),
)  # fmt: skip

RULES: tuple[Rule, ...] = ladder("occupation", OCCUPATIONS) + ladder("related", RELATIONS, ("?p", "?q"))
