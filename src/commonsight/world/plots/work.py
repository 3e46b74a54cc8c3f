# ruff: noqa: E501 - tables: one row, one line
"""Episodes at work: hospital, restaurant, school, office, building site."""

from __future__ import annotations

from commonsight.world.plots.script import Episode, Need, Role

EPISODES = (
    # hospital
    Episode(
        "the doctor's visit", ("hospital room",),
        (Role("doctor", "adult", face="neutral|happy", outfit="doctor coat", holds="stethoscope", looks="patient",
              near="patient"),
         Role("patient", "child|adult|old", "lying", "sad|tired|afraid", "pyjamas", seat="bed", looks="doctor")),
        proves=("occupation, doctor, doctor", "doing, doctor, examining, patient",
                "related, doctor, patient, doctor and patient", "at, hospital room"),
    ),
    Episode(
        "the doctor's medicine", ("hospital room",),
        (Role("doctor", "adult", "handing over", "neutral|happy", "doctor coat", holds="medicine:full", partner="patient",
              looks="patient", near="patient"),
         Role("patient", "child|adult|old", "lying", "sad|tired", "pyjamas", seat="bed", looks="doctor")),
        proves=("feels, patient, ill", "related, doctor, patient, doctor and patient", "next, patient, swallow, @doctor"),
    ),
    Episode(
        "in the wheelchair", ("hospital room",),
        (Role("patient", "old|adult|child", "sitting", "afraid|neutral|happy", "pyjamas|casual", seat="wheelchair", looks="doctor"),
         Role("doctor", "adult", face="neutral|happy", outfit="doctor coat", looks="patient", holds="stethoscope|")),
        proves=("related, doctor, patient, doctor and patient",),
    ),
    # restaurant
    Episode(
        "serving", ("restaurant",),
        (Role("waiter", "adult", "handing over", "happy|neutral", "apron", partner="guest", looks="guest", near="guest",
              holds="plate:full|pizza|bowl:full|wine glass:full|cup:full|tray"),
         Role("guest", "adult|old", "sitting", "happy|neutral", seat="chair", looks="waiter")),
        proves=("occupation, waiter, waiter", "related, waiter, guest, waiter and guest", "doing, waiter, serving, @waiter",
                "at, restaurant"),
    ),
    Episode(
        "the waiter comes", ("restaurant",),
        (Role("waiter", "adult", "walking", "neutral|happy", "apron", holds="tray|plate:full|pizza"),
         Role("guest", "adult|old", "sitting", "happy|neutral", seat="chair", looks="waiter"),
         Role("friend", "adult|old|child", "sitting", "happy|neutral", seat="chair", looks="guest")),
        proves=("occupation, waiter, waiter", "next, waiter, serve, @waiter"),
    ),
    Episode(
        "the cook's dish", ("restaurant", "kitchen"),
        (Role("cook", "adult", "standing|walking", "happy|neutral", "chef jacket", "chef hat|", holds="plate:full|bowl:full"),
         Role("other", "adult|old|child", face="happy|neutral|surprised", looks="@cook")),
        proves=("occupation, cook, cook", "happened, cooked, @cook, cook"),
    ),
    Episode(
        "an empty plate", ("restaurant", "kitchen"),
        (Role("guest", "adult|old|child", "sitting", "happy|neutral", seat="chair", looks="plate"),
         Role("other", "adult|old", "eating", "neutral|happy", seat="chair", holds="cup:full|wine glass:full|bottle:full")),
        (Need("plate", "plate:empty|bowl:empty", near="guest"),),
        ("happened, ate up, plate, guest", "doing, other, drinking from, @other"),
    ),
    Episode(
        "an empty glass", ("restaurant",),
        (Role("guest", "adult|old", "sitting", "neutral|happy|sad", seat="chair", holds="wine glass:empty|cup:empty|bottle:empty",
              looks="waiter"),
         Role("waiter", "adult", "walking", "neutral", "apron", holds="tray", looks="guest")),
        proves=("wants, guest, another drink, @guest", "next, guest, refill, @guest", "happened, drank up, @guest, guest"),
    ),
    # school
    Episode(
        "a lesson", ("classroom",),
        (Role("teacher", "adult|old", "pointing", "neutral|happy", points="board", looks="pupil", near="board"),
         Role("pupil", "child", "sitting", "neutral|happy|tired", seat="chair", looks="teacher")),
        (Need("board", "blackboard:full", "there"),),
        ("occupation, teacher, teacher", "occupation, pupil, pupil", "related, teacher, pupil, teacher and pupil",
         "wants, pupil, to learn, -", "next, pupil, write it down, -", "happened, wrote on, board, teacher"),
    ),
    Episode(
        "writing on the board", ("classroom",),
        (Role("teacher", "adult|old", face="neutral", holds="pencil", looks="board", near="board"),
         Role("pupil", "child", "sitting|standing", "neutral|tired", seat="chair|", looks="board")),
        (Need("board", "blackboard:full|blackboard:empty", "there"),),
        ("doing, teacher, writing on, board", "occupation, teacher, teacher", "occupation, pupil, pupil"),
    ),
    Episode(
        "classmates", ("classroom",),
        (Role("one", "child", "reading", "neutral|happy", holds="book:open", seat="chair"),
         Role("other", "child", "sitting|standing", "happy|neutral", seat="chair|", looks="one")),
        proves=("related, one, other, classmates", "doing, one, reading, @one"),
    ),
    Episode(
        "called to the board", ("classroom",),
        (Role("teacher", "adult|old", face="happy|neutral", looks="pupil"),
         Role("pupil", "child", "standing", "neutral|afraid", looks="board", near="board")),
        (Need("board", "blackboard:full", "there"),),
        ("related, teacher, pupil, teacher and pupil", "wants, pupil, to learn, -"),
    ),
    # office
    Episode(
        "office work", ("office",),
        (Role("worker", "adult|old", "sitting", "neutral|tired|happy", "suit", seat="chair", looks="laptop", near="laptop"),
         Role("other", "adult", "standing|walking", "neutral|happy", "suit", looks="worker", holds="cup:full|letter|")),
        (Need("laptop", "laptop:lit", "there"),),
        ("doing, worker, working on, laptop", "occupation, worker, office worker", "related, other, worker, colleagues"),
    ),
    Episode(
        "a late evening", ("office",),
        (Role("worker", "adult", "sitting", "neutral|tired", "suit", seat="chair", looks="laptop", near="laptop"),),
        (Need("laptop", "laptop:lit", "there"),),
        ("wants, worker, to finish the work, -", "time, night"), light="night",
    ),
    Episode(
        "asleep at the desk", ("office",),
        (Role("worker", "adult|old", "sleeping", "tired|neutral", "suit", seat="chair", near="laptop"),
         Role("other", "adult", "standing", "neutral|angry|happy", "suit|casual", looks="worker")),
        (Need("laptop", "laptop:lit", "there"),),
        ("happened, worked late, -, worker", "next, other, wake, worker"), light="night",
    ),
    Episode(
        "the clock", ("office", "classroom", "train station"),
        (Role("one", "adult|child", "sitting", "neutral|angry", seat="chair|bench", looks="clock"),
         Role("other", "adult|old", "standing|walking", "neutral", looks="one")),
        (Need("clock", "clock", "there"),),
    ),
    Episode(
        "a paper changes hands", ("office",),
        (Role("one", "adult", "handing over", "neutral|happy", "suit", holds="letter|book", partner="other", looks="other"),
         Role("other", "adult|old", face="neutral|happy", outfit="suit", looks="@one")),
        proves=("related, one, other, colleagues", "next, other, read, @one", "doing, one, handing over, @one"),
    ),
    Episode(
        "a call", ("office", "street", "living room", "train station"),
        (Role("caller", "adult|old", "standing|walking", "neutral|happy|angry", holds="cell phone:lit"),
         Role("other", "adult|child", "standing", "neutral", looks="caller")),
        proves=("doing, caller, phoning with, @caller",),
    ),
    Episode(
        "a laptop on the knees", ("living room", "park", "train station", "bus"),
        (Role("one", "adult", "reading", "neutral|tired", holds="laptop:lit", seat="couch|bench"),
         Role("other", "adult|child|old", "standing|walking", "neutral|happy", looks="one")),
        proves=("doing, one, working on, @one",),
    ),
    # hands at work
    Episode(
        "builders", ("street", "living room", "office"),
        (Role("one", "adult", "standing|pointing", "neutral", "work vest", "hard hat", points="ladder", looks="ladder"),
         Role("other", "adult", "standing", "neutral|tired", "work vest", "hard hat", looks="ladder")),
        (Need("ladder", "ladder", "back"),),
        ("occupation, one, builder", "occupation, other, builder", "next, other, climb, ladder"),
    ),
    Episode(
        "the cleaner", ("office", "train station", "shop", "classroom"),
        (Role("cleaner", "adult|old", "standing|walking", "neutral|tired", "work vest", holds="broom"),
         Role("other", "adult|child", "walking|standing", "neutral", looks="cleaner")),
        proves=("occupation, cleaner, cleaner", "doing, cleaner, sweeping with, @cleaner"),
    ),
    Episode(
        "a cup for a friend", ("office", "living room", "park"),
        (Role("one", "adult|old", "handing over", "happy|neutral", holds="cup:full|apple|sandwich|banana", partner="other",
              looks="other"),
         Role("other", "adult|old", face="happy|tired", looks="one")),
        proves=("doing, one, handing over, @one",),
    ),
)  # fmt: skip
