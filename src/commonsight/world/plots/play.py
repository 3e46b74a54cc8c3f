# ruff: noqa: E501 - tables: one row, one line
"""Episodes of play, sport, music and idle hours."""

from __future__ import annotations

from commonsight.world.plots.script import Episode, Need, Role

_OUT = ("park", "beach", "street")

EPISODES = (
    # ball games and toys
    Episode(
        "throwing a ball", _OUT,
        (Role("thrower", "child|adult", "playing", "happy", "casual|sports kit", holds="sports ball|frisbee", looks="catcher"),
         Role("catcher", "child|adult|old", "standing|running", "happy", "casual|sports kit", looks="thrower")),
        proves=("doing, thrower, playing with, @thrower", "next, thrower, throw, @thrower", "next, catcher, catch, @thrower",
                "related, thrower, catcher, friends"),
    ),
    Episode(
        "longing for the ball", ("park", "beach"),
        (Role("child", "child", "standing|walking", "happy", looks="ball"),
         Role("other", "adult|old", "sitting", "neutral", seat="bench|beach towel", looks="child")),
        (Need("ball", "sports ball|frisbee", "floor"),),
        ("wants, child, to play with, ball",),
    ),
    Episode(
        "football", ("park", "beach", "street"),
        (Role("kicker", "child|adult", "running", "happy|neutral", "sports kit", looks="ball"),
         Role("other", "child|adult", "running|standing", "happy", "sports kit", looks="kicker")),
        (Need("ball", "sports ball", "near", "kicker"),),
        ("doing, kicker, running after, ball", "next, kicker, kick, ball"),
    ),
    Episode(
        "a kite", ("park", "beach"),
        (Role("flyer", "child|adult", "playing|running", "happy", holds="kite", looks="@flyer"),
         Role("other", "adult|old|child", "standing|pointing", "happy", points="@flyer", looks="@flyer")),
        proves=("doing, flyer, flying, @flyer",), light="day",
    ),
    Episode(
        "toys", ("living room", "bedroom", "park"),
        (Role("child", "child", "playing", "happy", holds="teddy bear|balloon|skateboard"),
         Role("other", "adult|old|child", face="neutral|happy", looks="child")),
        proves=("doing, child, playing with, @child",),
    ),
    Episode(
        "tennis", ("park",),
        (Role("one", "adult|child", "playing|running", "neutral|happy", "sports kit", holds="tennis racket", looks="other"),
         Role("other", "adult|child", "playing", "neutral|happy", "sports kit", holds="tennis racket", looks="one")),
        proves=("doing, one, playing tennis with, @one", "wants, one, to win, -", "related, other, one, friends"),
    ),
    Episode(
        "jogging", ("park", "street", "beach"),
        (Role("runner", "adult", "running", "tired|neutral|happy", "sports kit"),
         Role("other", "adult|old|child", "walking|standing", "neutral", looks="runner")),
        proves=("doing, runner, jogging, -", "occupation, runner, athlete"),
    ),
    Episode(
        "a ride", ("park", "street"),
        (Role("rider", "adult|child", "sitting", "happy|neutral", seat="bicycle|horse"),
         Role("other", "adult|child|old", face="happy|neutral", looks="rider")),
        proves=("doing, rider, riding, %rider",),
    ),
    Episode(
        "a motorcycle", ("street",),
        (Role("rider", "adult", "sitting", "happy|neutral", seat="motorcycle"),
         Role("other", "adult|child|old", face="happy|neutral|surprised", looks="rider")),
        proves=("doing, rider, riding, %rider",),
    ),
    Episode(
        "a fall", ("park", "street"),
        (Role("rider", "child|adult", "crouching", "sad"),
         Role("helper", "adult|old", "walking|running", "neutral|afraid", looks="rider")),
        (Need("bicycle", "bicycle:fallen", "near", "rider"),),
        ("happened, fell off, bicycle, rider", "next, helper, help up, rider"),
    ),
    # at the beach
    Episode(
        "a sand castle", ("beach",),
        (Role("builder", "child", "crouching", "happy|neutral", "swimwear", "straw hat|", looks="castle"),
         Role("other", "adult|old", "standing", "happy|neutral", "swimwear", "straw hat|", looks="builder")),
        (Need("castle", "sand castle", "near", "builder"),),
        ("doing, builder, building, castle",), light="day",
    ),
    Episode(
        "a broken sand castle", ("beach",),
        (Role("victim", "child", "standing|crouching", "sad", "swimwear", looks="castle"),
         Role("other", "child|adult", "standing", "happy", "swimwear", looks="victim", near="castle")),
        (Need("castle", "sand castle:broken", "near", "victim"),),
        ("happened, broke, castle, other", "feels, victim, disappointed"), light="day",
    ),
    Episode(
        "sunbathing", ("beach",),
        (Role("one", "adult|old", "lying", "happy", "swimwear", seat="beach towel"),
         Role("surfer", "adult", "walking|standing", "happy|neutral", "swimwear", holds="surfboard")),
        proves=("doing, one, sunbathing on, %one", "feels, one, relaxed", "next, surfer, go surfing with, @surfer"),
        light="day",
    ),
    Episode(
        "water for the castle", ("beach",),
        (Role("carrier", "child", "walking", "happy", "swimwear", "straw hat|", holds="bucket:full"),
         Role("builder", "adult|child", "crouching", "happy", "swimwear", looks="castle")),
        (Need("castle", "sand castle", "near", "builder"),),
        ("doing, carrier, carrying, @carrier", "feels, builder, proud"), light="day",
    ),
    # music and art
    Episode(
        "a concert", ("stage",),
        (Role("singer", "adult|child", "playing", "happy|afraid|neutral", holds="microphone"),
         Role("player", "adult|old", "playing", "happy|neutral", holds="guitar"),
         Role("listener", "adult|child|old", face="happy", looks="singer|player")),
        (Need("light", "stage light:lit", "there"),),
        ("occupation, singer, singer", "occupation, player, musician", "related, player, singer, band mates",
         "feels, listener, enthusiastic"),
    ),
    Episode(
        "a recital", ("stage",),
        (Role("player", "adult|old|child", "playing", "neutral|happy", "suit|dress", looks="instrument", near="instrument"),
         Role("singer", "adult|child", "playing", "happy|neutral|afraid", holds="microphone")),
        (Need("instrument", "piano|drum", "there"), Need("light", "stage light:lit", "there")),
        ("doing, player, playing music on, instrument", "doing, singer, singing into, @singer"),
    ),
    Episode(
        "music for friends", ("park", "living room", "street"),
        (Role("player", "adult|old|child", "playing", "happy", holds="guitar"),
         Role("listener", "adult|child|old", face="happy", looks="player")),
        proves=("doing, player, playing music on, @player", "doing, listener, listening to, player",
                "feels, listener, enthusiastic"),
    ),
    Episode(
        "at the easel", ("park", "living room", "beach"),
        (Role("artist", "adult|old", face="neutral|happy", holds="pencil", looks="easel"),
         Role("other", "child|adult", face="happy|neutral", looks="easel")),
        (Need("easel", "easel", "near", "artist"),),
        ("doing, artist, painting at, easel", "occupation, artist, artist", "doing, other, admiring, easel"),
    ),
    Episode(
        "admiring a painting", ("living room", "restaurant", "bedroom"),
        (Role("one", "adult|old", "pointing", "happy", points="painting", looks="painting"),
         Role("other", "adult|child|old", face="neutral|happy", looks="painting")),
        (Need("painting", "painting", "there"),),
        ("doing, one, showing, painting", "doing, other, admiring, painting"),
    ),
    # idle hours
    Episode(
        "reading on a bench", ("park", "train station", "bus"),
        (Role("reader", "adult|old", "reading", "neutral|happy", holds="book:open|newspaper:open", seat="bench"),),
        proves=("doing, reader, reading, @reader", "next, reader, turn a page of, @reader"),
    ),
    Episode(
        "an afternoon on the couch", ("living room",),
        (Role("one", "adult|old", "lying", "happy|neutral", seat="couch"),
         Role("child", "child", "crouching", "happy", looks="pet")),
        (Need("pet", "cat|dog", "near", "child"),),
        ("doing, one, resting on, %one", "doing, child, petting, pet"),
    ),
    Episode(
        "talking", ("park", "street", "living room", "restaurant", "train station", "office", "beach"),
        (Role("one", "adult|old", "standing|walking", "happy", looks="other"),
         Role("other", "adult|old", "standing", "happy", looks="one", holds="cup:full|handbag|")),
        proves=("doing, one, talking to, other",),
    ),
    Episode(
        "an old couple", ("park", "train station"),
        (Role("one", "old", "sitting", "happy|neutral", seat="bench", looks="other"),
         Role("other", "old", "sitting", "happy|neutral", seat="%one", looks="one")),
        proves=("related, one, other, couple", "doing, one, talking to, other"),
    ),
    Episode(
        "photographs", ("park", "beach", "street", "stage", "restaurant"),
        (Role("shooter", "adult|old|child", "standing|crouching", "neutral|happy", holds="camera", looks="model"),
         Role("model", "adult|child|old", face="happy", looks="shooter"),),
        proves=("doing, shooter, aiming a camera at, model", "wants, shooter, to keep a memory of, model",
                "next, shooter, take a photo of, model"),
    ),
)  # fmt: skip
