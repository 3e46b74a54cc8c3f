# ruff: noqa: E501 - tables: one row, one line
"""Episodes in town and on the way: buses, trains, rain, traffic, shops."""

from __future__ import annotations

from commonsight.world.plots.script import Episode, Need, Role

EPISODES = (
    # buses and trains
    Episode(
        "running for the bus", ("street",),
        (Role("runner", "adult|child", "running", "afraid|neutral|surprised", holds="handbag|backpack|", looks="bus"),
         Role("other", "adult|old|child", "standing|walking", "neutral", looks="runner")),
        (Need("bus", "bus", "back"),),
        ("wants, runner, to catch, bus", "next, runner, get on, bus"), weather="clear|rain",
    ),
    Episode(
        "the bus is gone", ("street",),
        (Role("late", "adult|child|old", "standing", "sad", holds="handbag|backpack|", looks="bus"),
         Role("other", "adult|old|child", "walking", "neutral", looks="late")),
        (Need("bus", "bus", "back"),),
        ("happened, missed, bus, late", "feels, late, disappointed", "next, late, wait for the next one, -"),
    ),
    Episode(
        "boarding", ("street",),
        (Role("one", "adult|child", "standing|walking", "neutral|happy", holds="ticket|suitcase|backpack", looks="bus"),
         Role("other", "adult|old", face="neutral", looks="one")),
        (Need("bus", "bus", "back"),),
        ("next, one, get on, bus",),
    ),
    Episode(
        "waiting for the train", ("train station",),
        (Role("one", "adult|old", "standing", "neutral|angry|tired", holds="ticket|suitcase|backpack", looks="clock"),
         Role("other", "adult|old|child", "sitting", "neutral|sad", seat="bench")),
        (Need("clock", "clock", "there"),),
        ("doing, one, waiting, -", "at, train station"),
    ),
    Episode(
        "late for the train", ("train station",),
        (Role("one", "adult|child", "running", "afraid|surprised", holds="suitcase|backpack", looks="clock"),
         Role("other", "adult|old", face="neutral", looks="one")),
        (Need("clock", "clock", "there"),),
        ("wants, one, to be on time, -",),
    ),
    Episode(
        "a journey", ("train station", "street"),
        (Role("one", "adult|old", "walking", "happy|neutral|tired", holds="suitcase"),
         Role("other", "adult|child", "walking", "happy|neutral", holds="backpack|handbag|", looks="one")),
        proves=("doing, one, travelling with, @one",),
    ),
    Episode(
        "on the bus", ("bus",),
        (Role("one", "adult|old|child", "sleeping", "tired", seat="bench"),
         Role("other", "adult|child", "reading", "neutral|happy", holds="cell phone:lit|book:open|newspaper:open", seat="bench")),
        proves=("doing, one, sleeping, -",),
    ),
    Episode(
        "a lonely ride", ("bus", "park", "train station"),
        (Role("one", "adult|child|old", "sitting", "sad", seat="bench"),
         Role("other", "adult|old", "reading|sitting", "neutral", holds="newspaper:open|book:open", seat="bench")),
        proves=("feels, one, lonely",),
    ),
    Episode(
        "a free seat", ("bus", "park", "train station", "living room", "restaurant"),
        (Role("one", "adult|old", "walking", "tired|neutral", holds="handbag|backpack|", looks="seat"),
         Role("other", "adult|child", "standing", "neutral", looks="one")),
        (Need("seat", "bench|chair|couch", "there"),),
        ("next, one, sit down on, seat",),
    ),
    Episode(
        "a ticket", ("train station", "bus"),
        (Role("one", "adult|old", "handing over", "neutral|happy", holds="ticket", partner="other", looks="other"),
         Role("other", "adult|child", "standing", "neutral|happy", looks="@one")),
        proves=("doing, one, handing over, @one", "next, other, take, @one"),
    ),
    # rain
    Episode(
        "rain", ("street", "park"),
        (Role("dry", "adult|old", "walking|standing", "neutral|happy", holds="umbrella:open"),
         Role("wet", "adult|child", "running", "sad|afraid|surprised|happy", "casual|suit|dress")),
        proves=("wants, dry, to stay dry, -", "wants, wet, to get out of the rain, -", "happened, got wet, -, wet",
                "next, wet, take shelter, -"),
        weather="rain",
    ),
    Episode(
        "rain begins", ("street", "park", "beach"),
        (Role("one", "adult|old", "standing|walking", "surprised|neutral", holds="umbrella"),
         Role("other", "adult|child", "walking|standing", "sad|surprised", looks="one")),
        proves=("next, one, open, @one",), weather="rain",
    ),
    Episode(
        "after the rain", ("street", "park"),
        (Role("one", "adult|old", "walking", "neutral|happy", holds="umbrella"),
         Role("child", "child", "playing|standing", "happy", looks="puddle")),
        (Need("puddle", "puddle", "near", "child"),),
        ("happened, rained, puddle, -", "would, one, it began to rain, open, @one"),
    ),
    # on the street
    Episode(
        "lost", ("street", "park", "train station"),
        (Role("lost", "adult|old", "standing", "surprised|neutral", holds="map:open", looks="guide"),
         Role("guide", "adult|old|child", "pointing", "neutral|happy", points="far", looks="lost")),
        (Need("far", "bicycle|tree|dog|suitcase", "back"),),
        ("wants, lost, to know the way, -", "next, lost, ask the way, guide", "related, lost, guide, strangers"),
    ),
    Episode(
        "alone with the map", ("street", "beach", "park"),
        (Role("lost", "adult|old", "reading|standing", "surprised|neutral|sad", holds="map:open"),
         Role("other", "child|adult", "standing", "tired|neutral", looks="lost", holds="backpack|camera|")),
        proves=("doing, lost, finding the way with, @lost",),
    ),
    Episode(
        "at the lights", ("street",),
        (Role("one", "adult|child|old", "standing", "neutral|angry", looks="light"),
         Role("other", "adult|child", "standing|walking", "neutral|happy", looks="one")),
        (Need("light", "traffic light/red|traffic light/green", "there"),),
    ),
    Episode(
        "a car is stopped", ("street",),
        (Role("officer", "adult", "pointing", "angry|neutral", "police uniform", "police cap", points="car", looks="car"),
         Role("other", "adult|old|child", "standing", "neutral|surprised", looks="officer")),
        (Need("car", "car", "there"),),
        ("occupation, officer, police officer", "doing, officer, stopping, car", "next, officer, talk to the driver of, car"),
    ),
    Episode(
        "a breakdown", ("street",),
        (Role("driver", "adult|old", "standing", "sad|angry|afraid", holds="cell phone:lit", looks="car"),
         Role("other", "adult|child", "standing", "neutral|tired|sad", looks="car")),
        (Need("car", "car:broken", "there"),),
        ("happened, broke down, car, -", "doing, driver, phoning with, @driver", "next, driver, call for help, -"),
    ),
    Episode(
        "a repair", ("street",),
        (Role("mechanic", "adult", "crouching", "neutral", "work vest", "cap|", holds="hammer", looks="car", near="car"),
         Role("owner", "adult|old", "standing", "sad|neutral", looks="mechanic")),
        (Need("car", "car:broken", "there"),),
        ("occupation, mechanic, mechanic", "doing, mechanic, repairing, car", "wants, mechanic, to mend, car"),
    ),
    Episode(
        "walking the dog", ("park", "street", "beach"),
        (Role("owner", "adult|old|child", "walking", "happy|neutral"),
         Role("other", "adult|old|child", "standing|walking", "happy|neutral", looks="owner")),
        (Need("dog", "dog", "near", "owner"),),
        ("doing, owner, walking, dog",),
    ),
    Episode(
        "look there", ("park", "street", "beach"),
        (Role("pointer", "child|adult", "pointing", "happy|surprised", points="sight", looks="sight"),
         Role("other", "adult|old|child", "standing|crouching", "happy|neutral|surprised", looks="sight")),
        (Need("sight", "bird|horse|dog|boat", "back"),),
        ("doing, pointer, showing, sight",),
    ),
    # shops
    Episode(
        "paying", ("shop",),
        (Role("customer", "adult|old", "handing over", "neutral|happy", holds="money", partner="seller", looks="seller",
              near="seller"),
         Role("seller", "adult", face="happy|neutral", outfit="apron", looks="customer", deep=True)),
        proves=("doing, customer, paying, seller", "related, seller, customer, seller and customer",
                "occupation, seller, shop assistant", "next, seller, give change to, customer"),
    ),
    Episode(
        "at the till", ("shop",),
        (Role("customer", "adult|old|child", "standing", "neutral|happy", looks="register",
              holds="apple|orange|bottle:full|book|flower|teddy bear|handbag|umbrella"),
         Role("seller", "adult", face="happy|neutral", outfit="apron", looks="customer", deep=True)),
        (Need("register", "cash register", "there"),),
        ("wants, customer, to buy, @customer", "next, customer, pay for, @customer", "happened, chose, @customer, customer"),
    ),
    Episode(
        "a full cart", ("shop",),
        (Role("shopper", "adult|old", "walking", "neutral|happy|tired"),
         Role("child", "child", "pointing", "happy|neutral|sad", points="treat", looks="treat")),
        (Need("cart", "shopping cart:full", "near", "shopper"), Need("treat", "teddy bear|donut|cake")),
        ("doing, shopper, shopping with, cart", "wants, child, to have, treat", "happened, bought the shopping in, cart, shopper"),
    ),
    Episode(
        "please", ("street", "beach", "park"),
        (Role("child", "child", "pointing", "happy|sad", points="@other", looks="@other"),
         Role("other", "adult|child", face="neutral|happy", holds="balloon|kite|donut|teddy bear", looks="child")),
        proves=("wants, child, to have, @other",),
    ),
)  # fmt: skip
