# ruff: noqa: E501 - tables: one row, one line
"""Episodes at home: family, presents, mishaps, meals, illness, sleep."""

from __future__ import annotations

from commonsight.world.plots.script import Episode, Need, Role

_HOME = ("living room", "bedroom", "kitchen")

EPISODES = (
    # presents and celebrations
    Episode(
        "a present", ("living room", "kitchen", "park", "restaurant"),
        (Role("giver", pose="handing over", face="happy|neutral", holds="gift box|teddy bear|balloon",
              partner="taker", looks="taker"),
         Role("taker", "child|adult|old", face="happy|surprised", looks="@giver")),
        proves=("doing, giver, giving a present to, taker", "wants, giver, to make happy, taker"),
    ),
    Episode(
        "flowers", ("living room", "restaurant", "park", "street", "train station"),
        (Role("giver", "adult", "handing over", "happy", holds="flower", partner="taker", looks="taker"),
         Role("taker", "adult", face="happy", looks="giver")),
        proves=("feels, giver, in love", "related, giver, taker, couple", "next, taker, smell, @giver"),
    ),
    Episode(
        "a birthday", ("living room", "kitchen", "restaurant"),
        (Role("star", "child|adult", face="happy", hat="party hat", looks="cake"),
         Role("guest", face="happy", hat="party hat|", looks="star")),
        (Need("cake", "cake:lit"), Need("balloon", "balloon", "ceiling")),
        ("happened, had a birthday, -, star", "next, star, blow out the candles of, cake", "feels, star, excited"),
    ),
    Episode(
        "an unwrapped present", ("living room", "bedroom"),
        (Role("owner", "child|adult", "crouching|standing", "surprised|happy", looks="box"),
         Role("guest", face="happy", looks="owner")),
        (Need("box", "gift box:open", "near", "owner"),),
        ("happened, unwrapped, box, owner",),
    ),
    Episode(
        "a book for the grandchild", ("living room", "park", "bedroom"),
        (Role("old", "old", "handing over", "happy", holds="book", partner="child", looks="child"),
         Role("child", "child", face="happy", looks="@old")),
        proves=("related, old, child, grandparent and grandchild", "next, child, read, @old"),
    ),
    # mishaps
    Episode(
        "a broken thing", _HOME,
        (Role("culprit", "child", face="afraid|sad", looks="thing"),
         Role("parent", "adult", face="angry", looks="culprit")),
        (Need("thing", "vase:broken|plate:broken|potted plant:broken|wine glass:broken", "near", "culprit"),),
        ("happened, broke, thing, culprit", "feels, culprit, guilty", "next, culprit, apologise to, parent"),
    ),
    Episode(
        "told off", (*_HOME, "park"),
        (Role("parent", "adult", "pointing", "angry", points="child", looks="child"),
         Role("child", "child", face="sad|afraid", looks="parent")),
        proves=("doing, parent, telling off, child", "related, parent, child, parent and child",
                "wants, child, to apologise to, parent"),
    ),
    Episode(
        "sweeping up", (*_HOME, "restaurant"),
        (Role("sweeper", face="neutral|angry", holds="broom", looks="thing"),
         Role("other", "child|adult", face="afraid|sad", looks="thing")),
        (Need("thing", "vase:broken|plate:broken|bottle:broken|wine glass:broken", "near", "sweeper"),),
        ("doing, sweeper, sweeping with, @sweeper", "next, sweeper, clean up, thing", "happened, broke, thing, other"),
    ),
    Episode(
        "picking up the pieces", (*_HOME, "restaurant"),
        (Role("one", "adult", "crouching", "sad|neutral", looks="thing"), Role("other", face="surprised", looks="one")),
        (Need("thing", "plate:broken|wine glass:broken|bottle:broken|cell phone:broken", "near", "one"),),
        ("doing, one, picking up the pieces of, thing", "next, one, clean up, thing"),
    ),
    Episode(
        "a ball through the window", ("bedroom", "classroom"),
        (Role("child", "child", face="afraid", looks="parent", holds="sports ball"),
         Role("parent", "adult", face="angry", looks="child")),
        (Need("window", "window:broken", "there"),),
        ("happened, broke, window, -", "next, child, apologise to, parent"),
    ),
    Episode(
        "a spilled cup", ("kitchen", "restaurant", "office"),
        (Role("one", face="angry", looks="cup"), Role("other", "child|adult", face="surprised|sad", looks="one")),
        (Need("cup", "cup:fallen"),),
        ("happened, spilled, cup, -", "feels, one, annoyed"),
    ),
    Episode(
        "a fallen chair", ("kitchen", "restaurant", "living room"),
        (Role("one", face="surprised", looks="chair"), Role("sweeper", pose="walking", face="neutral", looks="one")),
        (Need("chair", "chair:fallen", "near", "one"),),
        ("happened, fell over, chair, -",),
    ),
    Episode(
        "an open refrigerator", ("kitchen",),
        (Role("one", "adult", face="surprised|angry", looks="refrigerator"), Role("child", "child", "eating", "happy",
              holds="cake|sandwich|apple|donut", looks="one")),
        (Need("refrigerator", "refrigerator:open", "there"),),
        ("happened, was left open, refrigerator, -", "doing, child, eating, @child"),
    ),
    Episode(
        "the dog has the food", ("kitchen", "living room", "park"),
        (Role("owner", "child|adult", "running", "angry|surprised", looks="dog"),
         Role("other", "adult|old|child", face="happy|neutral", looks="owner")),
        (Need("dog", "dog", "floor"), Need("food", "sandwich|hot dog|donut|pizza", "near", "dog")),
        ("happened, stole, food, dog", "wants, owner, to get back, food", "doing, owner, running after, dog"),
    ),
    Episode(
        "petting the dog", ("living room", "park", "street", "bedroom"),
        (Role("one", "child|adult", "crouching", "happy", looks="pet"), Role("other", face="neutral|happy", looks="one")),
        (Need("pet", "dog|cat|dog:asleep|cat:asleep", "near", "one"),),
        ("doing, one, petting, pet", "feels, one, happy"),
    ),
    # sorrow and news
    Episode(
        "comfort", ("living room", "park", "street", "bedroom", "classroom"),
        (Role("parent", "adult", "crouching", "neutral|sad", looks="child"),
         Role("child", "child", face="sad", holds="teddy bear|", looks="parent")),
        proves=("doing, parent, comforting, child", "wants, parent, to comfort, child"),
    ),
    Episode(
        "a hug", ("living room", "park", "bedroom", "train station"),
        (Role("grown", "adult|old", "hugging", "neutral|happy", partner="child", looks="child"),
         Role("child", "child", "hugging", "sad", partner="grown")),
        proves=("doing, grown, hugging, child", "wants, grown, to comfort, child"),
    ),
    Episode(
        "someone arrives", ("train station", "living room", "street"),
        (Role("guest", "adult", "hugging", "happy", partner="host"), Role("host", "adult|child|old", "hugging", "happy",
              partner="guest")),
        (Need("bag", "suitcase", "near", "guest"),),
        ("happened, arrived, bag, guest", "doing, guest, hugging, host"),
    ),
    Episode(
        "a letter", ("living room", "kitchen", "park"),
        (Role("reader", pose="reading", face="sad|happy", holds="letter:open"),
         Role("other", "adult|child|old", face="neutral", looks="reader")),
        proves=("doing, reader, reading, @reader",),
    ),
    Episode(
        "a quarrel", ("living room", "kitchen", "office", "street", "park"),
        (Role("one", "adult", face="angry", looks="other"), Role("other", face="angry", looks="one")),
        proves=("doing, one, arguing with, other", "happened, began to quarrel, one, other", "feels, one, angry"),
    ),
    # leaving and moving
    Episode(
        "packing", ("bedroom", "living room"),
        (Role("packer", "adult", "crouching", "neutral|happy|sad", looks="case"),
         Role("other", "child|adult|old", face="sad|neutral", looks="packer")),
        (Need("case", "suitcase:open", "near", "packer"),),
        ("doing, packer, packing, case", "next, packer, close, case"),
    ),
    Episode(
        "going away", ("living room", "bedroom", "office"),
        (Role("leaver", "adult", face="neutral|sad|angry", holds="suitcase|backpack|handbag", looks="door"),
         Role("other", "child|adult", face="sad|neutral", looks="leaver")),
        (Need("door", "door", "there"),),
        ("wants, leaver, to leave, -", "next, leaver, leave, -"),
    ),
    Episode(
        "hanging a painting", ("living room", "bedroom"),
        (Role("one", "adult", face="neutral", outfit="casual|work vest", holds="hammer", looks="painting"),
         Role("helper", "adult|child", face="neutral|happy", looks="ladder")),
        (Need("painting", "painting", "there"), Need("ladder", "ladder", "back")),
        ("doing, one, hanging up, painting", "happened, fetched, ladder, one", "next, helper, climb, ladder"),
    ),
    # meals
    Episode(
        "cooking", ("kitchen",),
        (Role("cook", "adult|old", face="neutral|happy", outfit="apron|casual|chef jacket", holds="spoon|pot:full",
              looks="oven", near="oven"),
         Role("other", "child|adult|old", "standing|walking", "neutral|happy", looks="cook")),
        (Need("oven", "oven:lit", "there"),),
        ("doing, cook, cooking with, @cook",),
    ),
    Episode(
        "cutting food", ("kitchen",),
        (Role("cook", "adult|old", face="neutral", outfit="apron|casual", holds="knife", looks="food"),
         Role("other", "child|adult", "sitting", "neutral|happy", seat="chair", looks="cook")),
        (Need("food", "carrot|apple|cake|orange|pizza|banana"),),
        ("doing, cook, cutting, food", "feels, cook, focused"),
    ),
    Episode(
        "a meal", ("kitchen", "restaurant"),
        (Role("one", "child|adult|old", "eating", "neutral|happy", holds="pizza|sandwich|bowl:full|hot dog|carrot|orange",
              seat="chair"),
         Role("other", "adult|old", "sitting", "neutral|happy", seat="chair", looks="food")),
        (Need("food", "sandwich|pizza|hot dog|cake", near="other"),),
        ("doing, one, eating, @one", "wants, other, to eat, food", "next, other, eat, food"),
    ),
    # evenings, nights, mornings
    Episode(
        "watching television", ("living room",),
        (Role("one", "adult|old|child", "sitting", "happy|neutral", seat="couch", looks="tv", holds="remote|"),
         Role("other", "adult|child", "sitting", "happy|tired", seat="couch", looks="tv")),
        (Need("tv", "tv:lit", "there"),),
        ("doing, one, watching, tv", "doing, other, watching, tv"),
    ),
    Episode(
        "bedtime", ("bedroom",),
        (Role("child", "child|adult", "standing|walking", "tired", "pyjamas", holds="teddy bear|book|", looks="bed"),
         Role("other", "adult|old", face="neutral|happy", looks="child")),
        (Need("bed", "bed", "there"),),
        ("wants, child, to sleep, -", "next, child, go to sleep, -", "feels, child, sleepy"), light="night|dusk",
    ),
    Episode(
        "the morning cup", ("bedroom",),
        (Role("one", "adult|old", "standing", "neutral|happy|tired", "pyjamas", holds="cup:full"),
         Role("other", "adult|child", "standing", "neutral|happy|tired", "pyjamas|casual", looks="one")),
        proves=("happened, woke up, -, one", "time, morning"), light="day",
    ),
    Episode(
        "waking someone", ("bedroom", "living room"),
        (Role("sleeper", "child|adult", "sleeping", "neutral|tired", "pyjamas|casual", seat="bed|couch"),
         Role("other", "adult|old", face="neutral|angry", looks="sleeper", near="sleeper")),
        proves=("doing, sleeper, sleeping, -", "next, other, wake, sleeper"), light="day",
    ),
    Episode(
        "a quiet night", ("bedroom", "living room"),
        (Role("sleeper", "child|adult|old", "sleeping", "neutral|tired", "pyjamas|casual", seat="bed|couch"),
         Role("other", "adult|old", face="neutral|happy", looks="sleeper", near="sleeper")),
        proves=("doing, sleeper, sleeping, -", "next, other, let sleep, sleeper"), light="night|dusk",
    ),
    # illness
    Episode(
        "medicine in bed", ("bedroom",),
        (Role("patient", "child|adult|old", "lying", "sad|tired", "pyjamas|casual", seat="bed", looks="helper"),
         Role("helper", "adult", "handing over", "neutral", holds="medicine:full", partner="patient", looks="patient",
              near="patient")),
        proves=("feels, patient, ill", "doing, helper, giving medicine to, patient", "next, patient, swallow, @helper"),
    ),
    Episode(
        "a worried night", ("bedroom", "hospital room"),
        (Role("patient", "child", "lying", "sad|tired", "pyjamas", seat="bed"),
         Role("parent", "adult", face="afraid", looks="patient")),
        (Need("medicine", "medicine:full|medicine:empty"),),
        ("feels, patient, ill", "feels, parent, worried", "wants, patient, to get well, -"), light="night|dusk",
    ),
)  # fmt: skip
