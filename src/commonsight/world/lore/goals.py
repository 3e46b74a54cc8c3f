# ruff: noqa: E501 - tables: one row, one line
"""What people want (`wants`) and will do next (`next`); in each table the first row that fits a person counts."""

from __future__ import annotations

from commonsight.world.logic import Rule
from commonsight.world.lore.table import Row, ladder

WISHES = (
    Row("p, to make happy, q", "hands p t q; is t PRESENT"),
    Row("p, to buy something, -", "hands p t q; is t money"),
    Row("p, to comfort, q", "looks_at p q; expression q sad; age q child; pose p crouching|hugging"),
    Row("p, to catch, t", "pose p running; looks_at p t; is t bus"),
    Row("p, to get back, t", "pose p running; looks_at p u; is u dog; next_to u t; is t FOOD"),
    Row("p, to get out of the rain, -", "weather rain; pose p running"),
    Row("p, to stay dry, -", "weather rain; holds p t; is t umbrella"),
    Row("p, to know the way, -", "holds p t; is t map; state t open"),
    Row("p, to have, t", "points_at p t; is t TREAT; age p child"),
    Row("p, to get well, -", "expression p sad|tired; lies_on p t; is t bed; is u medicine"),
    Row("p, to sleep, -", "expression p tired; outfit p pyjamas; pose p standing|sitting|walking"),
    Row("p, to apologise to, q", "expression p sad|afraid; looks_at q p; expression q angry"),
    Row("p, to leave, -", "looks_at p t; is t door; holds p u; is u BAG"),
    Row("p, to keep a memory of, e", "holds p u; is u camera; looks_at p e"),
    Row("p, to finish the work, -", "light night; sits_on p u; looks_at p t; is t laptop; state t lit"),
    Row("p, to mend, t", "holds p u; is u hammer; looks_at p t; state t broken"),
    Row("p, to buy, t", "holds p t; is t GOODS; looks_at p u; is u cash register"),
    Row("p, to learn, -", "age p child; looks_at p q; points_at q t; is t blackboard"),
    Row("p, to learn, -", "age p child; looks_at p t; is t blackboard", ("points_at p u",)),
    Row("p, to play with, t", "age p child; looks_at p t; is t BALL; expression p happy"),
    Row("p, to please the audience, -", "pose p playing; holds p t; is t microphone|guitar; is u stage light"),
    Row("p, to win, -", "holds p t; is t tennis racket; pose p playing|running"),
    Row("p, to eat, t", "looks_at p t; is t FOOD; sits_on p u"),
    Row("p, to jump into, t", "age p child; looks_at p t; is t puddle; pose p standing"),
    Row("p, to put right, t", "looks_at p t; is t chair; state t fallen"),
    Row("p, a cloth, -", "looks_at p t; is t cup; state t fallen"),
    Row("p, to build again, t", "expression p sad; looks_at p t; is t sand castle; state t broken"),
    Row("p, to get home, -", "expression p sad; looks_at p t; is t bus"),
    Row("p, company, -", "expression p sad; sits_on p t; is t bench", ("holds p u",)),
    Row("p, to cross the street, -", "looks_at p t; is t traffic light"),
    Row("p, another drink, t", "holds p t; is t DRINK; state t empty"),
    Row("p, to be on time, -", "pose p running; looks_at p t; is t clock"),
)  # fmt: skip

NEXT = (
    # someone is handed something
    Row("p, unwrap, t", "hands q t p; is t gift box"),
    Row("p, smell, t", "hands q t p; is t flower"),
    Row("p, cuddle, t", "hands q t p; is t teddy bear"),
    Row("p, swallow, t", "hands q t p; is t medicine"),
    Row("p, give change to, q", "hands q t p; is t money"),
    Row("p, eat, t", "hands q t p; is t FOOD|plate|bowl"),
    Row("p, drink from, t", "hands q t p; is t DRINK"),
    Row("p, read, t", "hands q t p; is t TEXT"),
    Row("p, take, t", "hands q t p"),
    # at a celebration, with a gift, with a camera, at the till
    Row("p, blow out the candles of, t", "hat p party hat; looks_at p t; is t cake; state t lit"),
    Row("p, take a photo of, e", "holds p u; is u camera; looks_at p e"),
    Row("p, pay for, t", "holds p t; is t GOODS; looks_at p u; is u cash register"),
    # on the way
    Row("p, get on, t", "pose p running; looks_at p t; is t bus"),
    Row("p, wait for the next one, -", "expression p sad; looks_at p t; is t bus"),
    Row("p, get on, t", "looks_at p t; is t bus; holds p u; is u ticket|BAG"),
    Row("p, cross the street, -", "looks_at p t; is t traffic light; colour t green"),
    Row("p, leave, -", "looks_at p t; is t door; holds p u; is u BAG"),
    Row("p, ask the way, q", "holds p t; is t map; state t open; looks_at p q"),
    Row("p, take shelter, -", "weather rain; pose p running"),
    Row("p, open, t", "weather rain; holds p t; is t umbrella", ("state t open",)),
    Row("p, go surfing with, t", "holds p t; is t surfboard"),
    Row("p, talk to the driver of, t", "points_at p t; is t car; outfit p police uniform"),
    Row("p, call for help, -", "holds p u; is u cell phone; looks_at p t; is t car; state t broken"),
    # at home
    Row("p, sit down on, t", "pose p walking; looks_at p t; is t SEAT", ("sits_on q t", "lies_on q t")),
    Row("p, go to sleep, -", "expression p tired; looks_at p t; is t bed; outfit p pyjamas", ("lies_on q t",)),
    Row("p, wake, q", "looks_at p q; pose q sleeping; pose p standing|walking|pointing"),
    Row("p, close, t", "pose p crouching; looks_at p t; is t suitcase; state t open"),
    Row("p, clean up, t", "looks_at p t; state t broken|fallen; holds p u; is u broom"),
    Row("p, clean up, t", "pose p crouching; looks_at p t; is t FRAGILE; state t broken"),
    Row("p, taste the food, -", "holds p u; is u spoon; looks_at p t; is t pot|oven"),
    Row("p, switch off, t", "expression p tired; looks_at p t; is t tv; state t lit"),
    Row("p, climb, t", "looks_at p t; is t ladder"),
    Row("p, refill, t", "holds p t; is t DRINK; state t empty"),
    Row("p, eat, t", "looks_at p t; is t FOOD; sits_on p u", ("holds p v",)),
    Row("p, serve, t", "outfit p apron; pose p walking; holds p t; is t SERVED"),
    Row("p, turn a page of, t", "pose p reading; holds p t; is t book|newspaper"),
    # with others
    Row("p, help up, q", "looks_at p q; expression q sad; next_to q t; is t bicycle|skateboard; state t fallen"),
    Row("p, apologise to, q", "expression p sad|afraid; looks_at q p; expression q angry"),
    Row("p, comfort, q", "pose p standing|walking; looks_at p q; expression q sad; expression p neutral|sad"),
    Row("p, kick, t", "pose p running; looks_at p t; is t sports ball"),
    Row("p, throw, t", "pose p playing; holds p t; is t BALL; looks_at p q"),
    Row("p, catch, t", "looks_at p q; looks_at q p; holds q t; is t BALL; pose q playing", ("holds p u",)),
    Row("p, jump into, t", "age p child; looks_at p t; is t puddle; pose p standing"),
    Row("p, set upright, t", "looks_at p t; is t chair; state t fallen"),
    Row("p, wipe up, -", "looks_at p t; is t cup; state t fallen"),
    Row("p, build again, t", "expression p sad; looks_at p t; is t sand castle; state t broken"),
    Row("p, pick up, t", "age p child; looks_at p t; is t BALL; expression p happy; pose p standing|walking"),
    Row("p, ask for, t", "points_at p t; is t TREAT; age p child"),
    Row("p, write it down, -", "age p child; sits_on p u; looks_at p q; points_at q t; is t blackboard"),
    Row("p, applaud, q", "looks_at p q; pose q playing; holds q t; is t guitar|microphone"),
)  # fmt: skip

RULES: tuple[Rule, ...] = ladder("wants", WISHES) + ladder("next", NEXT)
