# ruff: noqa: E501 - tables: one row, one line
"""What people do (`doing`), told from pose, hands and eyes; the first row that fits a person counts."""

from __future__ import annotations

from commonsight.world.logic import Rule
from commonsight.world.lore.table import Row, ladder

ACTIVITIES = (
    # asleep, or with someone
    Row("p, sleeping, -", "pose p sleeping"),
    Row("p, hugging, q", "hugs p q"),
    Row("p, serving, t", "hands p t q; outfit p apron; is t SERVED; sits_on q u"),
    Row("p, paying, q", "hands p t q; is t money"),
    Row("p, giving medicine to, q", "hands p t q; is t medicine"),
    Row("p, giving a present to, q", "hands p t q; is t PRESENT"),
    Row("p, handing over, t", "hands p t q"),
    # a pose and what is in the hands
    Row("p, eating, t", "pose p eating; holds p t; is t FOOD|bowl"),
    Row("p, drinking from, t", "pose p eating; holds p t; is t DRINK"),
    Row("p, finding the way with, t", "holds p t; is t map; state t open"),
    Row("p, reading, t", "pose p reading; holds p t; is t TEXT"),
    Row("p, working on, t", "pose p reading; holds p t; is t laptop"),
    Row("p, checking, t", "pose p reading; holds p t; is t cell phone"),
    Row("p, singing into, t", "pose p playing; holds p t; is t microphone"),
    Row("p, flying, t", "holds p t; is t kite; pose p playing|running"),
    Row("p, playing tennis with, t", "holds p t; is t tennis racket; pose p playing|running"),
    Row("p, playing music on, t", "pose p playing; holds p t; is t guitar"),
    Row("p, playing music on, t", "pose p playing; looks_at p t; is t piano|drum"),
    Row("p, playing with, t", "pose p playing; holds p t; is t TOY"),
    # down on the floor
    Row("p, repairing, t", "pose p crouching; looks_at p t; is t car|bicycle; holds p u; is u hammer"),
    Row("p, building, t", "pose p crouching; looks_at p t; is t sand castle", ("state t broken",)),
    Row("p, petting, t", "pose p crouching; looks_at p t; is t PET"),
    Row("p, comforting, q", "pose p crouching; looks_at p q; expression q sad; age q child"),
    Row("p, packing, t", "pose p crouching; looks_at p t; is t suitcase; state t open"),
    Row("p, picking up the pieces of, t", "pose p crouching; looks_at p t; is t FRAGILE; state t broken"),
    # a tool, and what it is used on
    Row("p, sweeping with, t", "holds p t; is t broom; pose p standing|walking"),
    Row("p, cooking with, t", "holds p t; is t pot|spoon; looks_at p u; is u oven|pot"),
    Row("p, cutting, t", "holds p u; is u knife; looks_at p t; is t FOOD"),
    Row("p, hanging up, t", "holds p u; is u hammer; looks_at p t; is t painting"),
    Row("p, aiming a camera at, e", "holds p u; is u camera; looks_at p e"),
    Row("p, phoning with, t", "holds p t; is t cell phone; pose p TALKING"),
    Row("p, painting at, t", "holds p u; is u pencil; looks_at p t; is t easel"),
    Row("p, writing on, t", "holds p u; is u pencil; looks_at p t; is t blackboard"),
    Row("p, examining, q", "holds p u; is u stethoscope; looks_at p q"),
    # on the way
    Row("p, travelling with, t", "holds p t; is t suitcase; pose p walking|running"),
    Row("p, shopping with, t", "is t shopping cart; state t full; next_to p t; pose p walking"),
    Row("p, walking, t", "pose p walking; next_to p t; is t dog; is u tree|traffic light|parasol", ("holds p v",)),
    Row("p, running after, t", "pose p running; looks_at p t; is t bus|PET|sports ball"),
    Row("p, fleeing from the rain, -", "pose p running; weather rain"),
    Row("p, jogging, -", "pose p running; outfit p sports kit"),
    Row("p, riding, t", "sits_on p t; is t MOUNT"),
    Row("p, setting off with, u", "looks_at p t; is t door; holds p u; is u BAG"),
    Row("p, looking for a seat, -", "pose p walking; looks_at p t; is t SEAT"),
    Row("p, going surfing with, t", "holds p t; is t surfboard"),
    Row("p, splashing in, t", "pose p playing; looks_at p t; is t puddle"),
    Row("p, carrying, t", "pose p walking; holds p t; is t gift box|bucket|tray|DISH"),
    # sitting and lying
    Row("p, watching, t", "looks_at p t; is t tv; state t lit"),
    Row("p, working on, t", "sits_on p u; looks_at p t; is t laptop; state t lit"),
    Row("p, sunbathing on, t", "lies_on p t; is t beach towel"),
    Row("p, resting on, t", "lies_on p t; is t bed|couch"),
    # pointing, looking, talking
    Row("p, explaining, t", "points_at p t; is t blackboard; age p adult|old"),
    Row("p, stopping, t", "points_at p t; is t car; outfit p police uniform"),
    Row("p, telling off, q", "points_at p q; expression p angry"),
    Row("p, showing, e", "points_at p e; looks_at q e"),
    Row("p, listening to, q", "looks_at p q; points_at q t; is t blackboard"),
    Row("p, listening to, q", "looks_at p q; pose q playing; holds q t; is t guitar|microphone"),
    Row("p, posing for, q", "looks_at p q; looks_at q p; holds q t; is t camera"),
    Row("p, arguing with, q", "expression p angry; expression q angry; looks_at p q; looks_at q p"),
    Row(
        "p, talking to, q",
        "looks_at p q; looks_at q p; pose p TALKING; pose q TALKING; expression p neutral|happy; expression q neutral|happy",
    ),
    Row("p, waiting, -", "looks_at p t; is t clock; holds p u; is u BAG|ticket"),
    Row("p, waiting, -", "looks_at p t; is t traffic light; colour t red"),
    Row("p, watching the time, -", "looks_at p t; is t clock"),
    Row("p, celebrating with, t", "hat p party hat; looks_at p t; is t cake"),
    Row("p, starting the day with, t", "outfit p pyjamas; light day; holds p t; is t cup; state t full"),
    Row("p, studying, t", "age p child; looks_at p t; is t blackboard"),
    Row("p, scolding, q", "expression p angry; looks_at p q; age p adult|old; age q child"),
    Row("p, unwrapping, t", "looks_at p t; is t gift box; state t open"),
    Row("p, getting ready for bed, -", "outfit p pyjamas; looks_at p t; is t bed; light dusk|night"),
    Row("p, waiting for, t", "looks_at p t; is t bus; pose p standing; expression p neutral|happy"),
    Row("p, buying, t", "holds p t; is t GOODS; looks_at p u; is u cash register"),
    Row("p, brooding, -", "expression p sad; sits_on p t; is t bench", ("holds p u",)),
    Row("p, admiring, t", "looks_at p t; is t painting|easel; expression p happy|neutral"),
    Row("p, getting wet, -", "weather rain; pose p standing|walking", ("holds p t; is t umbrella; state t open",)),
    Row("p, taking a walk, -", "pose p walking; is t tree|parasol", ("weather rain",)),
)  # fmt: skip

RULES: tuple[Rule, ...] = ladder("doing", ACTIVITIES)
