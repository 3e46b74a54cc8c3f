# ruff: noqa: E501 - tables: one row, one line
"""What just happened (`happened`), where this is (`at`) and when it is (`time`)."""

from __future__ import annotations

from commonsight.world.logic import Rule
from commonsight.world.lore.table import Row, ladder, rules

EVENTS = (
    Row("broke, t, p", "is t FRAGILE; state t broken; looks_at p t; expression p sad|afraid"),
    Row("broke, t, p", "is t sand castle; state t broken; next_to p t; expression p happy"),
    Row("broke, t, -", "is t window; state t broken"),
    Row("broke down, t, -", "is t car; state t broken"),
    Row("spilled, t, -", "is t cup; state t fallen"),
    Row("fell over, t, -", "is t chair; state t fallen"),
    Row("fell off, t, p", "is t bicycle; state t fallen; next_to p t; expression p sad; pose p crouching|sitting"),
    Row("rained, t, -", "is t puddle; weather clear; is u tree|car|traffic light|bench"),
    Row("got wet, -, p", "weather rain; pose p running", ("holds p t; is t umbrella",)),
    Row("had a birthday, -, p", "hat p party hat; looks_at p t; is t cake; state t lit"),
    Row("unwrapped, t, p", "is t gift box; state t open; looks_at p t"),
    Row("got a present, t, q", "hands p t q; is t PRESENT"),
    Row("arrived, t, p", "hugs p q; next_to p t; is t suitcase", ("state t open",)),
    Row("chose, t, p", "holds p t; is t GOODS; looks_at p u; is u cash register"),
    Row("bought the shopping in, t, p", "is t shopping cart; state t full; next_to p t; pose p walking"),
    Row("cooked, t, p", "outfit p chef jacket; holds p t; is t DISH; state t full"),
    Row("ate up, t, p", "looks_at p t; is t plate|bowl; state t empty; sits_on p u; on t v; is v dining table"),
    Row("drank up, t, p", "holds p t; is t DRINK; state t empty"),
    Row("got bad news in, t, p", "holds p t; is t letter; state t open; expression p sad"),
    Row("got good news in, t, p", "holds p t; is t letter; state t open; expression p happy"),
    Row("stole, t, u", "is u dog; next_to u t; is t SNACK; looks_at p u; expression p angry|surprised"),
    Row("woke up, -, p", "outfit p pyjamas; light day; pose p standing|sitting|walking; is t bed"),
    Row("worked late, -, p", "pose p sleeping; light night; is t laptop; state t lit; is u desk"),
    Row("missed, t, p", "expression p sad; looks_at p t; is t bus; pose p standing"),
    Row("wrote on, t, p", "points_at p t; is t blackboard; state t full; age p adult|old"),
    Row("drew on, t, p", "holds p u; is u pencil; looks_at p t; is t easel"),
    Row("fetched, v, p", "holds p u; is u hammer; looks_at p t; is t painting; is v ladder"),
    Row("switched on, t, p", "looks_at p t; is t tv; state t lit; holds p u; is u remote"),
    Row("began to quarrel, p, q", "expression p angry; expression q angry; looks_at p q; looks_at q p"),
    Row("was left open, t, -", "is t refrigerator; state t open"),
    Row("opened, t, p", "weather rain; holds p t; is t umbrella; state t open"),
    Row("met, p, q", "looks_at p q; looks_at q p; expression p happy; expression q happy; pose p standing; "
        "pose q standing|walking"),
    Row("lit, t, p", "holds p u; is u pot|spoon; looks_at p t; is t oven; state t lit"),
    Row("ran far, -, p", "outfit p sports kit; pose p running; expression p tired"),
    Row("caught a cold, -, p", "expression p sad|tired; lies_on p t; is t bed; is u medicine", ("outfit q doctor coat",)),
    Row("ordered, t, q", "outfit p apron; hands p t q; is t SERVED; sits_on q u"),
    Row("lost the way, -, p", "holds p t; is t map; state t open; expression p surprised|sad"),
    Row("bought, t, p", "hands p t q; is t gift box|flower"),
    Row("lay down on, t, p", "lies_on p t; is t beach towel|couch"),
    Row("did wrong, -, q", "points_at p q; expression p angry; age q child"),
    Row("saw something, t, p", "points_at p t; looks_at q t; is t bird|horse|dog|boat"),
)  # fmt: skip

SETTINGS = (
    Row("stage", "is t stage light"),
    Row("classroom", "is t blackboard; is u desk"),
    Row("shop", "is t cash register; is u shelf"),
    Row("hospital room", "is t bed; is u wheelchair"),
    Row("bedroom", "is t bed; is u lamp"),
    Row("kitchen", "is t oven; is u refrigerator"),
    Row("beach", "is t parasol"),
    Row("street", "is t traffic light; is u car|bus|truck"),
    Row("train station", "is t bench; is u clock; is v door"),
    Row("bus", "is t bench; is u window"),
    Row("park", "is t bench; is u tree"),
    Row("living room", "is t couch; is u tv"),
    Row("restaurant", "is t dining table; is u counter; is v chair"),
    Row("office", "is t desk; is u laptop"),
)  # fmt: skip

TIMES = (
    Row("night", "light night"),
    Row("evening", "light dusk"),
    Row("morning", "light day; outfit p pyjamas; pose p standing|sitting|walking|eating"),
    Row("school hours", "light day; is t blackboard; is u desk; age p child"),
    Row("working hours", "light day; is t laptop; is u desk; outfit p suit"),
    Row("mealtime", "light day; is t dining table; pose p eating; holds p u; is u FOOD|bowl"),
    Row("mealtime", "light day; outfit p apron; hands p t q; is t SERVED; sits_on q u"),
    Row("bathing season", "light day; is t parasol; outfit p swimwear"),
)  # fmt: skip

RULES: tuple[Rule, ...] = rules("happened", EVENTS) + ladder("at", SETTINGS, ()) + ladder("time", TIMES, ())
