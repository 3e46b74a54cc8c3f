"""How questions and reasons are put, topic by topic, from short to long.

{x} points at the subject, {r} is a remark or riddle, {a} the answer, {c} that with its article, {n} what
the subject plainly is.
"""

from __future__ import annotations

from typing import NamedTuple


class Wording(NamedTuple):
    """The ways to ask about one topic, and what a reason says beyond what is seen."""

    asks: tuple[str, ...]
    knows: tuple[str, ...]
    """What everyone knows; a clause that stands alone."""
    so: tuple[str, ...]
    """What follows."""


WORDINGS: dict[str, Wording] = {
    "material": Wording(
        ("What is {x} made of?", "What material is {x} made of?", "{x} seems to be made of which material?",
         "What would you feel if you touched {x}?", "Which material was most likely used to make {x}?"),
        ("{a} has a look of its own", "{a} shines and shades like this", "one can tell {a} by its surface"),
        ("it is made of {a}", "it must be {a}"),
    ),
    "dressed for": Wording(
        ("What is {x} dressed for?", "What do clothes like those of {x} suggest?",
         "For which activity would one dress like {x}?",
         "What is {x} most likely dressed to do or attend today?"),
        ("clothes like these are worn for {a}", "people dress like that for {a}"),
        ("the clothes are for {a}", "it has to do with {a}"),
    ),
    "hat against": Wording(
        ("What does the hat of {x} guard against?", "What is the headwear of {x} good protection from?",
         "The thing that {x} has on their head protects from what?"),
        ("such a hat helps against {a}", "this kind of hat is worn because of {a}"),
        ("it protects from {a}", "{a} cannot do any harm"),
    ),
    "hat at": Wording(
        ("Where would one wear the hat of {x}?", "The hat of {x} would be most at home where?",
         "At what kind of place are hats like the one on {x} most common?"),
        ("such hats are worn at a {a}", "one sees these hats at a {a}"),
        ("it fits a {a}", "a {a} is where it belongs"),
    ),
    "time of day": Wording(
        ("What time of day is it?", "What part of the day is it here?",
         "At what time of day does this scene take place?",
         "Judging by the light, what time of day is shown here?"),
        ("the light is like that in the {a}", "the sky looks so in the {a}"),
        ("it must be {a}", "it is {a}"),
    ),
    "meal": Wording(
        ("Which meal is closest in time?", "What meal would these people have around now?",
         "If everyone here got hungry, which meal would it be time for?"),
        ("people have {a} at this time of day", "{a} is eaten when the light is like this"),
        ("it is time for {a}", "the meal would be {a}"),
    ),
    "weather": Wording(
        ("What is the weather like?", "What kind of weather is it in this place?",
         "How would someone on the phone describe the weather here?"),
        ("this is what {a} weather looks like", "the sky shows {a} weather"),
        ("the weather is {a}", "it is {a}"),
    ),
    "drivers": Wording(
        ("What should drivers do now?", "What do drivers have to do at this moment?",
         "What is expected of someone driving up to this crossing right now?"),
        ("this colour tells drivers to {a}", "everyone learns that this color means {a}"),
        ("drivers must {a}", "cars have to {a}"),
    ),
    "season": Wording(
        ("What season is it most likely?", "In what season does this take place?",
         "At which time of the year does one see people and things like this?"),
        ("one sees this in {a}", "this is typical of {a}"),
        ("it is {a}", "it must be {a}"),
    ),
    "shape": Wording(
        ("What shape is {x}?", "What shape does {x} have?", "Which geometric shape comes closest to {x}?",
         "In a geometry lesson {x} could stand for which shape?"),
        ("a {n} has the shape of a {a}", "every {n} is close to a {a}"),
        ("the shape is a {a}", "it looks like a {a}"),
    ),
    "worn by": Wording(
        ("The person who {r} wears what color?", "What color is on the person who {r}?",
         "What color does the person who {r} have on?", "Which color is the top of the person who {r}?"),
        ("that tells who {r}", "such a person {r}"),
        ("the color is {a}", "it is the one in {a}"),
    ),
    "painted": Wording(
        ("What color is {r}?", "Which color does {r} have?", "In this picture {r} is what color?"),
        ("a {n} is {r}", "the {n} is meant"),
        ("the answer is {a}", "the color is {a}"),
    ),
    "under": Wording(
        ("What is {r} on?", "What is right under {r}?", "In this picture {r} is on top of what?",
         "On what piece of the room was {r} placed?"),
        ("a {n} is {r}", "the {n} is meant"),
        ("it is on the {a}", "the {a} is under it"),
    ),
    "occupation": Wording(
        ("What is the job of {x}?", "What does {x} do for work?", "What is {x} most likely by profession?",
         "What line of work does {x} seem to be in?", "If {x} is at work, what is this person's job?"),
        ("that is what a {a} wears or does", "one knows a {a} by this"),
        ("this is a {a}", "the job is {a}"),
    ),
    "place": Wording(
        ("Where are they?", "Where was this scene set?", "What kind of place is this?",
         "What would you call the place where this happens?",
         "In which sort of place do these people find themselves?"),
        ("one finds these things in a {a}", "a {a} has things like that"),
        ("this is a {a}", "the place is a {a}"),
    ),
    "when": Wording(
        ("When does this happen?", "When is this most likely going on?",
         "At what time is a scene like this to be seen?"),
        ("this is what one sees at that time", "that goes with {a}"),
        ("it is {a}", "the time is {a}"),
    ),
    "doing": Wording(
        ("What is {x} doing?", "What is {x} busy with?", "What activity is {x} taking part in?",
         "How is {x} most likely spending this moment?", "What would {x} say if asked what they are doing?"),
        ("that is how {a} looks", "one does that when {a}"),
        ("the person is {a}", "it is {a}"),
    ),
    "feels": Wording(
        ("How does {x} feel?", "What emotion does {x} show?", "What is the mood of {x} right now?",
         "How would {x} most likely describe how they feel?"),
        ("people look like that when they are {a}", "anyone would be {a} there"),
        ("the person is {a}", "the feeling is {a}"),
    ),
    "wants": Wording(
        ("What does {x} want?", "What is {x} hoping for?", "What is it that {x} wants most now?",
         "What is on the mind of {x}, a wish for what?"),
        ("people do this when that is what they want", "this is how one gets there"),
        ("the wish is: {a}", "the person wants this: {a}"),
    ),
    "next": Wording(
        ("What will {x} do next?", "What is {x} about to do?", "What is {x} most likely to do next?",
         "In a moment from now, what will {x} be doing?"),
        ("people do that next", "this usually comes before it", "everyone does so then"),
        ("the next thing is: {a}", "the person will {a}"),
    ),
    "related": Wording(
        ("What are {x} to each other?", "How do {x} know each other?",
         "What is the relationship between {x}?",
         "How are {x} most likely related to each other?"),
        ("this is how {a} behave", "{a} are like that with each other"),
        ("they are {a}", "these two must be {a}"),
    ),
    "happened": Wording(
        ("What happened to {x}?", "What just happened to {x}?", "What became of {x} before this moment?",
         "What must have been going on with {x} shortly before?"),
        ("that is how it looks afterwards", "it does not look so otherwise"),
        ("before that: {a}", "this must have happened: {a}"),
    ),
    "used for": Wording(
        ("What is {x} used for?", "What do people use {x} for?", "For what purpose was {x} made?",
         "What could someone do with the help of {x}?"),
        ("a {n} is used for {a}", "people use a {n} for {a}"),
        ("its use is {a}", "it is for {a}"),
    ),
    "made from": Wording(
        ("What is {x} made from?", "What goes into making {x}?", "From what is {x} usually made?",
         "Which of these would you need in order to make {x}?"),
        ("a {n} is made from {a}", "one needs {a} to make a {n}"),
        ("it comes from {a}", "{a} went into it"),
    ),
    "kind": Wording(
        ("What kind of thing is {x}?", "What category does {x} belong to?",
         "Under what heading would a shop list {x}?"),
        ("a {n} is a kind of {a}", "every {n} is {a}"),
        ("it belongs to {a}", "it counts as {a}"),
    ),
    "taxonomy": Wording(
        ("What is {x} a type of?", "Which group does {x} belong to?",
         "How would an encyclopedia classify {x}?"),
        ("a {n} is {c}", "books call the {n} {c}"),
        ("it is {c}", "one calls it {c}"),
    ),
    "found at": Wording(
        ("Where does one usually find {x}?", "Where does {x} normally belong?",
         "In what place would you expect to see something like {x}?"),
        ("a {n} is usually found at a {a}", "one keeps a {n} there: {a}"),
        ("its place is: {a}", "one would look there: {a}"),
    ),
    "capable of": Wording(
        ("What is {x} good at?", "What is {x} able to do?", "Which of these is {x} known to be capable of?"),
        ("a {n} is good at {a}", "every {n} is known for {a}"),
        ("it is capable of {a}", "it does this: {a}"),
    ),
    "has": Wording(
        ("What does {x} have?", "What belongs to {x} as a part?", "What would you find in or on {x}?"),
        ("a {n} has {c}", "{c} belongs to a {n}"),
        ("it has {c}", "the part is {c}"),
    ),
    "receives": Wording(
        ("What can be done with {x}?", "What do people commonly do with {x}?",
         "What might soon be done to {x}?"),
        ("a {n} can be {a}", "a {n} is often {a}"),
        ("it can be {a}", "it is for being {a}"),
    ),
    "is like": Wording(
        ("What is {x} known to be?", "Which word fits {x} best?", "What quality is {x} well known for?"),
        ("a {n} is {a}", "everyone knows that a {n} is {a}"),
        ("it is {a}", "the word is {a}"),
    ),
    "sound": Wording(
        ("What sound does {x} make?", "What would you hear from {x}?", "What noise is {x} known for making?"),
        ("a {n} makes this sound: {a}", "every {n} can {a}"),
        ("one would hear it {a}", "the sound is a {a}"),
    ),
    "young": Wording(
        ("What is the young of {x} called?", "What does one call a baby of {x}?",
         "Which word is used for the little ones of {x}?"),
        ("a young {n} is a {a}", "the baby of a {n} is called {a}"),
        ("the word is {a}", "it is a {a}"),
    ),
    "feeds on": Wording(
        ("What does {x} like to eat?", "What should {x} be fed with?", "Which food would you buy for {x}?"),
        ("a {n} eats {a}", "{a} is what one feeds to a {n}"),
        ("it eats {a}", "{a} would be right"),
    ),
    "grows on": Wording(
        ("Where does {x} grow?", "Where was {x} growing once?",
         "Where did {x} grow before it was harvested?"),
        ("a {n} grows here: {a}", "one harvests a {n} from this: {a}"),
        ("it grew on or in this: {a}", "the answer is {a}"),
    ),
    "runs on": Wording(
        ("What does {x} run on?", "What powers {x}?", "What does {x} need in order to work?",
         "What would have to be there to get {x} going?"),
        ("a {n} runs on {a}", "no {n} works without {a}"),
        ("it needs {a}", "{a} keeps it going"),
    ),
    "sounds by": Wording(
        ("How is sound made with {x}?", "What does one use to make {x} heard?",
         "What part or thing makes {x} sound?"),
        ("a {n} sounds by {a}", "it takes {a} to play a {n}"),
        ("the sound comes from {a}", "it works by {a}"),
    ),
    "behaviour": Wording(
        ("What here {r}?", "Which thing here {r}?", "Which of these in the picture {r}?",
         "Of everything to be seen here, what {r}?"),
        ("a {a} {w}", "it {w}"),
        ("it is the {a}", "the {a} would"),
    ),
}  # fmt: skip

WHY_KNOWS = (
    "people do that then",
    "that is the usual reason",
    "anyone would do the same",
    "this goes together",
)
WHY_SO = ("the reason is: {a}", "this is behind it: {a}")
WHY_ASKS: dict[str, tuple[str, ...]] = {
    "holds": ("Why did {x} bring this along?", "Why is {x} holding that thing?",
              "For what reason does {x} have something in the hand?"),
    "pose": ("Why is {x} moving like that?", "Why did {x} take on this pose?",
             "What is the reason for the way {x} moves or rests?"),
    "points_at": ("Why is {x} pointing?", "What makes {x} point at something?",
        "For what reason is {x} pointing there?"),
    "looks_at": ("Why is {x} looking there?", "What makes {x} look over there?",
        "What has caught the eye of {x} and why?"),
    "expression": ("Why does {x} look like that?", "What explains the face of {x}?",
                   "What is the reason for the face that {x} is making?"),
    "hands": ("Why is {x} handing something over?", "Why is {x} giving this to someone?",
              "For what reason does {x} give something away here?"),
    "hugs": ("Why is {x} hugging someone?", "What is the hug of {x} about?",
        "What made {x} put their arms around someone?"),
    "lies_on": ("Why is {x} lying down?", "What keeps {x} lying there?",
        "For what reason is {x} lying down at this time?"),
    "outfit": ("Why is {x} dressed like that?", "What explains the clothes of {x}?",
        "Why would {x} wear these clothes here?"),
    "hat": ("Why does {x} wear that hat?", "What explains the hat of {x}?",
        "For what reason does {x} have that on their head?"),
}  # fmt: skip
