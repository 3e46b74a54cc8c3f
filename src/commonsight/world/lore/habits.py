"""What goes with an activity: what those who do it want by it, what they do after it, and so why they do it.

These come after the more telling rows of `lore.goals`: a person of whom one of those holds has no habit here.
"""

from __future__ import annotations

from typing import NamedTuple

from commonsight.world.facts import Fact
from commonsight.world.logic import Rule
from commonsight.world.lore.activities import ACTIVITIES
from commonsight.world.lore.goals import NEXT, WISHES
from commonsight.world.lore.table import Row, after, conclusion


class Habit(NamedTuple):
    """An activity with its wish and what follows; empty where nothing is sure. Letters are the activity's."""

    activity: str
    wants: str = ""
    next: str = ""


HABITS = (
    Habit("sleeping", "to rest, -", "sleep on, -"),
    Habit("hugging", "", "let go of, q"),
    Habit("serving", "a good tip, -", "go back to the kitchen, -"),
    Habit("paying", "", "take the change, -"),
    Habit("giving medicine to", "to make healthy, q", "bring a glass of water, -"),
    Habit("handing over", "to share, t", "let go of, t"),
    Habit("eating", "to still the hunger, -", "finish, t"),
    Habit("drinking from", "to quench the thirst, -", "put down, t"),
    Habit("finding the way with", "", "fold up, t"),
    Habit("reading", "to know what is in, t", "put away, t"),
    Habit("working on", "to get the work done, -", "close, t"),
    Habit("checking", "to see the news, -", "put away, t"),
    Habit("singing into", "", "take a bow, -"),
    Habit("flying", "to keep in the air, t", "wind in the string, -"),
    Habit("playing tennis with", "", "hit the ball, -"),
    Habit("playing music on", "to make music, -", "finish the song, -"),
    Habit("playing with", "to have fun, -", "tidy away, t"),
    Habit("repairing", "", "try out, t"),
    Habit("building", "to make a fine castle, -", "decorate, t"),
    Habit("petting", "to be kind to, t", "stand up, -"),
    Habit("comforting", "", "hug, q"),
    Habit("packing", "to go on a journey, -", ""),
    Habit("picking up the pieces of", "to tidy up, -", ""),
    Habit("sweeping with", "a clean floor, -", "put away, t"),
    Habit("cooking with", "to make a meal, -", "serve the meal, -"),
    Habit("cutting", "to serve in pieces, t", "put the pieces on a plate, -"),
    Habit("hanging up", "a pretty room, -", "step back, -"),
    Habit("phoning with", "to talk to someone far away, -", "hang up, -"),
    Habit("painting at", "to make a picture, -", "step back, -"),
    Habit("writing on", "to teach, -", "turn to the class, -"),
    Habit("examining", "to find out what ails, q", "write a prescription, -"),
    Habit("travelling with", "to see another place, -", "put down, t"),
    Habit("shopping with", "to buy food, -", "go to the till, -"),
    Habit("walking", "to give some exercise to, t", "go home, -"),
    Habit("running after", "to reach, t", "catch, t"),
    Habit("jogging", "to stay fit, -", "have a rest, -"),
    Habit("riding", "to get somewhere, -", "get off, t"),
    Habit("going surfing with", "to ride the waves, -", ""),
    Habit("carrying", "to bring, t", "put down, t"),
    Habit("watching", "to be entertained, -", "change the channel, -"),
    Habit("sunbathing on", "a tan, -", "go for a swim, -"),
    Habit("resting on", "to rest, -", "get up, -"),
    Habit("explaining", "to teach, -", "ask a question, -"),
    Habit("stopping", "to check, t", ""),
    Habit("telling off", "an apology, -", "calm down, -"),
    Habit("showing", "to share the sight, -", "talk about, e"),
    Habit("listening to", "to hear, q", ""),
    Habit("arguing with", "to be right, -", "walk away, -"),
    Habit("talking to", "to have a chat, -", "say goodbye to, q"),
    Habit("waiting", "to go on, -", "look again, -"),
    Habit("scolding", "an apology, -", "calm down, -"),
    Habit("celebrating with", "to make a wish, -", ""),
    Habit("looking for a seat", "to rest, -", ""),
    Habit("splashing in", "to have fun, -", "get wet feet, -"),
    Habit("watching the time", "to be free at last, -", "look again, -"),
    Habit("starting the day with", "to wake up properly, -", "drink from, t"),
    Habit("studying", "", "answer the question, -"),
    Habit("taking a walk", "fresh air, -", "walk on, -"),
    Habit("unwrapping", "to see what is in, t", "say thank you, -"),
    Habit("waiting for", "to get on, t", ""),
    Habit("getting wet", "to be at home, -", "hurry up, -"),
    Habit("brooding", "", "sigh, -"),
    Habit("posing for", "a nice picture, -", "look at the picture, -"),
    Habit("admiring", "a closer look at, t", "step closer to, t"),
)


UNWANTED = ("getting wet",)
"""What one does not do because one wants something."""


def _doing(activity: str) -> Fact:
    """The shape of an activity, as its table has it."""
    return next(
        shape for shape in (conclusion("doing", row.then) for row in ACTIVITIES) if shape[2] == activity
    )


def _habits(kind: str, rows: tuple[Row, ...]) -> tuple[Rule, ...]:
    texts = [(habit.activity, habit.wants if kind == "wants" else habit.next) for habit in HABITS]
    return tuple(
        after(f"{kind}: {text} by {activity}", (_doing(activity),), conclusion(kind, f"p, {text}"), rows)
        for activity, text in texts
        if text
    )


def _reasons() -> tuple[Rule, ...]:
    """People do what they do for what they want by it."""
    found = []
    for habit in HABITS:
        if habit.wants and habit.activity not in UNWANTED:
            doing, wish = _doing(habit.activity), conclusion("wants", f"p, {habit.wants}")
            found.append(
                Rule(f"reason: {habit.activity} for {habit.wants}", (doing, wish), ("reason", doing, wish))
            )
    return tuple(found)


RULES: tuple[Rule, ...] = _habits("wants", WISHES) + _habits("next", NEXT) + _reasons()
