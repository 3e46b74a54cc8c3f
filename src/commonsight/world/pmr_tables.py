# ruff: noqa: E501 - tables: one row, one line
"""What PMR's premises say, and what follows from them: one axis a row, two opposite sides each.

Whoever is on one side of an axis will do what that side does, and not what the other side does. Every action
thus follows from one premise and contradicts another: the action alone never tells whether it is right. What
the two sides do stands on one line, ` / ` between opposites. `{p}` is whom a premise is about, `{q}` someone else. `needs` and
`never` are conditions in the notation of `lore.table` that keep a premise from being shown or contradicted by
the picture; `m` stands for any value, `e` for anyone. Wordings run from short to long.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Category = Literal["relationship", "personality", "identity", "antecedent", "mood", "environment"]

SHARES: dict[Category, float] = {
    "relationship": 0.24, "personality": 0.24, "identity": 0.14, "antecedent": 0.16, "mood": 0.14, "environment": 0.08,
}  # fmt: skip
"""How often each category is chosen: roughly as often as in the released files."""


class Side(NamedTuple):
    """Values that lead to the same actions, as they fill a template's slot."""

    values: str
    needs: str = ""
    never: str = ""
    told: str = ""
    """The premise's own wordings, where it is a whole sentence and not a slot."""


class Axis:
    """Two opposite sides, the templates that their values fit, and what each side does, two and two."""

    def __init__(self, form: str, one: Side, other: Side, *pairs: str) -> None:
        self.form, self.sides = form, (one, other)
        self.does: tuple[tuple[str, str], ...] = tuple(_pair(text) for text in pairs)


def _pair(text: str) -> tuple[str, str]:
    one, other = text.split(" / ")
    return one, other


UNIFORMS = "apron|chef jacket|doctor coat|police uniform|work vest"

LIMITS: dict[Category, tuple[str, str]] = {
    "relationship": ("", "related p q m; related q p m; hugs p q; hugs q p; hands p t q; hands q t p"),
    "personality": ("", ""),
    "identity": ("age p adult|old", f"occupation p m; outfit p {UNIFORMS}|swimwear|pyjamas"),
    "antecedent": ("", ""),
    "mood": ("expression p neutral", "feels p m"),
    "environment": ("", ""),
}
"""What all premises of a category need, and what must not be seen or concluded."""

TEMPLATES: dict[str, str] = {
    # the slots of the paper's appendix D, around which people put their own words
    "plural": "{p} and {q} are {v}|It is well known that {p} and {q} are {v}|Nobody here knows it, but {p} and {q} are {v}",
    "noun": "{p} is {q}'s {v}|Whatever it looks like, {p} is {q}'s {v}|What nobody would guess is that {p} is {q}'s {v}",
    "bond": "{p} and {q} have {a v} relationship|The relationship between {p} and {q} is very {v}|After all that happened before, {p} and {q} have {a v} relationship now",
    "trait": "{p} is very {v}|{p} is quite {v} about most things|{p} is thought of as {a v} person|Everybody knows that {p} is {a v} person|Those who know {p} well say that {p} is very {v}",
    "job": "{p} is {a v}|{p} works as {a v}|The occupation of {p} is that of {a v}|{p} has been earning a living as {a v} for years|On most days of the week, {p} works as {a v}",
    "feeling": "{p} feels {v}|{p} is in {a v} mood today|{p} is feeling a bit {v} at the moment|Talking with {q}, {p} is getting rather {v}|What {q} has done makes {p} feel very {v}|For some days now, {p} has been more and more {v}",
    "air": "The atmosphere here is {v}|There is something {v} in the air today|The whole scene tells {a v} story|Everyone who comes here finds the place rather {v}",
}
"""`{v}` is the slot; `{a v}` the slot with its article."""

JOY, GLOOM = "expression p happy", "expression p sad|angry|afraid|tired"
"""Faces that speak against bad and against good news."""
PUBLIC = "place restaurant|shop|office|train station|stage"
INSIDE = f"{PUBLIC}|kitchen|classroom|hospital room|living room|bedroom"

PERSONALITY = (
    Axis("trait", Side("friendly|caring|helpful|warm"), Side("unfriendly|hostile|rude|mean"),
         "greet {q} kindly and offer some help / turn away from {q} and refuse to help",
         "make room for {q} and start a pleasant chat / push {q} aside and start an ugly quarrel",
         "say something nice to everyone / make fun of everyone",
         "ask {q} politely whether everything is all right / tell {q} in a harsh voice to get lost"),
    Axis("trait", Side("generous|unselfish|charitable"), Side("stingy|selfish|greedy"),
         "share everything there is with {q} / keep everything and let {q} have nothing",
         "pay for everyone without a second thought / disappear quickly when it is time to pay",
         "let {q} have the larger half of the cake / take the larger half of the cake away from {q}",
         "lend {q} some money gladly / ask {q} to pay back every single penny"),
    Axis("trait", Side("patient|calm|composed"), Side("impatient|irritable|fiery"),
         "wait quietly until the right moment has come / give up waiting after a minute and storm off",
         "explain it to {q} a third time without complaint / shout at {q} for not getting it at once",
         "take a deep breath and let the matter rest / fly into a rage about the smallest thing",
         "listen to {q} until the very end / interrupt {q} after the first few words"),
    Axis("trait", Side("honest|trustworthy|sincere"), Side("dishonest|sly|deceitful"),
         "admit the mistake to {q} and apologise / deny the mistake and put the blame on {q}",
         "hand in the lost purse / keep the lost purse",
         "tell {q} the plain truth about it / make up a clever lie to fool {q}",
         "keep the promise that was made to {q} / break the promise that was made to {q}"),
    Axis("trait", Side("shy|timid|reserved", never="pose p playing|pointing"),
         Side("outgoing|talkative|sociable", never="expression p afraid"),
         "look at the ground when somebody says hello / walk up to everybody and say hello",
         "wait for {q} to speak first / talk to {q} for an hour",
         "slip away before anyone can ask a question / tell all the people around a long funny story",
         "refuse to sing for {q} / sing a song for {q}"),
    Axis("trait", Side("brave|fearless|bold", never="expression p afraid"), Side("cowardly|timorous|fearful"),
         "protect {q} when danger comes closer / hide behind {q} when danger comes closer",
         "find out what the noise is / run away from the noise",
         "stand up to the bully and defend {q} / leave {q} alone with the bully and flee",
         "walk through the dark tunnel alone / refuse to walk through the dark tunnel"),
    Axis("trait", Side("lazy|idle|sluggish", never="pose p running; outfit p work vest"),
         Side("tireless|diligent|industrious"),
         "leave all the work to {q} and doze off / finish the work before {q} even asks",
         "put the task off until tomorrow once more / get the task done right away and look for more",
         "let the mess lie where it is and do nothing / tidy up the whole mess before taking a break"),
    Axis("trait", Side("careful|cautious|prudent"), Side("careless|reckless|thoughtless"),
         "check everything twice before taking a step / rush ahead without looking where to step",
         "warn {q} to slow down and look both ways / urge {q} to go faster and not to look back",
         "read all the instructions before touching anything / press every button without reading the instructions"),
)  # fmt: skip

RELATIONSHIP = (
    Axis("plural", Side("close friends|best friends|good old friends", never="points_at p q"),
         Side("bitter enemies|sworn enemies|fierce rivals", never=JOY),
         "tell {q} a secret and ask for advice / glare at {q} and swear to take revenge",
         "invite {q} to dinner at the weekend / refuse to sit at the same table as {q}",
         "put an arm around {q} and laugh about old times / push {q} away and bring up the old feud"),
    Axis("plural", Side("complete strangers|strangers to each other"), Side("siblings|cousins"),
         "ask for {q}'s name and shake hands / call {q} by an old nickname from their childhood",
         "take {q} for somebody else and apologise for the mistake / ask {q} what to give their grandmother for her birthday",
         "walk past {q} without so much as a nod / stop to give {q} the latest news of the family"),
    Axis("noun", Side("boss|manager|employer", needs="age p adult|old; age q adult|old"),
         Side("employee|assistant|trainee", needs="age p adult|old; age q adult|old"),
         "hand {q} a list of tasks and set a deadline / report to {q} and wait for the next task",
         "praise {q} for the good work and promise a rise / ask {q} for a rise and a few days off",
         "tell {q} not to be late for work again / apologise to {q} for being late for work again"),
    Axis("noun", Side("teacher|tutor", needs="age p adult|old; age q child"),
         Side("pupil|student", needs="age p child; age q adult|old"),
         "go through {q}'s homework and correct the mistakes / show {q} the homework and ask about the mistakes",
         "praise {q} for the good marks in the test / beg {q} for better marks in the test",
         "give {q} an extra exercise for tomorrow / groan when {q} sets an extra exercise"),
    Axis("noun", Side("parent|guardian", needs="age p adult; age q child"),
         Side("child|foster child", needs="age p child; age q adult"),
         "read {q} a bedtime story at home tonight / ask {q} for a bedtime story at home tonight",
         "remind {q} to brush those teeth before bed / promise {q} to go to bed on time",
         "agree to give {q} some more pocket money / beg {q} for a little more pocket money"),
    Axis("plural",
         Side("newly married|engaged to be married|deeply in love", needs="age p adult|old; age q adult|old"),
         Side("recently divorced|on the point of breaking up|no longer a couple", needs="age p adult|old; age q adult|old", never=JOY),
         "give {q} a tender kiss and whisper something sweet / step away from {q} and ask for the keys back",
         "hold hands with {q} and plan a holiday for two / argue with {q} about who gets the furniture",
         "ask {q} which house they should move into together / tell {q} to move out of the house by Friday"),
    Axis("bond", Side("close|warm|harmonious|solid"), Side("cold|tense|distant|strained", never=JOY),
         "hug {q} and say how good it is to meet / nod coldly at {q} and keep well away",
         "laugh out loud at every joke that {q} makes / answer {q} with one word and look elsewhere",
         "stay with {q} and chat until late in the evening / leave as soon as {q} tries to start a chat"),
    Axis("plural", Side("players on the same team|partners in one business"),
         Side("players on opposing teams|competitors in business"),
         "share the secret plan with {q} and ask for ideas / make sure that {q} cannot look at the secret plan",
         "cheer when {q} has done well / look disappointed when {q} has done well",
         "help {q} to get better at it before the final / hope that {q} makes a mistake in the final"),
)  # fmt: skip

IDENTITY = (
    Axis("job", Side("doctor|nurse|paramedic"), Side("police officer|detective|security guard"),
         "feel {q}'s pulse and ask where it hurts / ask {q} to come along to the police station",
         "treat the wound of somebody who got injured / look for traces of the burglar and take notes",
         "write down which pills {q} has to take / question {q} about the night of the crime"),
    Axis("job", Side("teacher|lecturer|schoolmaster"), Side("burglar|pickpocket|con artist"),
         "set {q} some exercises and mark them afterwards / steal the wallet out of {q}'s pocket unnoticed",
         "prepare the lesson for the first class tomorrow / plan how to break into the house tomorrow",
         "explain a difficult word to {q} with an example / sell {q} something that does not exist"),
    Axis("job", Side("cook|chef|baker"), Side("dentist|dental assistant"),
         "taste the soup and add a pinch of salt / switch on the drill and look for a bad tooth",
         "ask {q} whether the roast needs more time / tell {q} to open wide and keep still",
         "try out a new recipe for tonight's guests / make an appointment to fill the next hole"),
    Axis("job", Side("lawyer|judge|prosecutor"), Side("magician|clown|acrobat"),
         "study the files of the case before the trial / practise a new trick for the circus tonight",
         "tell {q} what the law says about it / let a coin vanish behind {q}'s ear",
         "go to court to hear a witness / go to the circus to rehearse the show"),
    Axis("job", Side("journalist|reporter|news editor"), Side("bodyguard|secret agent|spy"),
         "ask {q} for an interview for the evening paper / watch {q} closely and report by a hidden radio",
         "write an article about what has happened here / send a coded message about what has happened here",
         "find out the truth and publish it / find out the truth and keep it top secret"),
    Axis("job", Side("hairdresser|barber|hair stylist"), Side("plumber|electrician|mechanic"),
         "offer {q} a new haircut and a fresh colour / offer {q} to mend the dripping tap",
         "sharpen the scissors for the next customer / get the toolbox for the next repair",
         "ask {q} whether the fringe should be shorter / ask {q} where the main switch is"),
    Axis("job", Side("farmer|gardener|shepherd"), Side("pilot|flight attendant|sailor"),
         "water the vegetables and pull up some weeds / pack a bag for the next long trip",
         "tell {q} how well the crops are growing / tell {q} how rough the last crossing was",
         "get up before dawn to feed the animals / get up before dawn to join the crew"),
)  # fmt: skip

ANTECEDENT = (
    Axis("", Side("won the lottery", never=GLOOM,
         told="{p} has just won the lottery|{p} just heard about a big win in the lottery"),
         Side("lost the purse", never=JOY,
         told="{p} has just lost a purse|{p} just noticed that the purse with all the money is gone"),
         "invite everybody around to a big party / search every pocket again in despair",
         "jump for joy and throw both arms around {q} / ask {q} for a few coins to get home",
         "offer to buy {q} whatever {q} likes / call the bank to have all the cards blocked"),
    Axis("", Side("had a fight", never="hugs p q; hugs q p; expression p happy",
         told="{p} and {q} had a fight|{p} and {q} had a terrible fight a moment ago"),
         Side("made up", never="expression p angry|sad; expression q angry|sad",
         told="{p} and {q} have made up|{p} and {q} have just made up after a long quarrel"),
         "turn away from {q} and refuse to speak / hug {q} and promise never to argue again",
         "accuse {q} once more of having started it / shake {q}'s hand and laugh about the whole thing",
         "leave in anger and not even look at {q} / go for a meal with {q} to celebrate the peace"),
    Axis("", Side("passed the exam", never=GLOOM,
         told="{p} has passed the exam|{p} just heard about passing the most difficult exam of all"),
         Side("failed the exam", never=JOY,
         told="{p} has failed the exam|{p} just heard about failing the most difficult exam of all"),
         "phone the whole family to share the good news / keep the bad results secret from the family",
         "thank {q} for the help with all the studying / complain to {q} that the questions were unfair",
         "dance around and show everybody the results / sit down to study everything all over again"),
    Axis("", Side("does not know the other", never="hugs p q; hugs q p; related p q m; related q p m",
         told="{p} has never met {q}|{p} had no idea who {q} was supposed to be"),
         Side("met the other again", needs="age p adult|old; age q adult|old", never="related p q strangers; related q p strangers",
         told="{p} and {q} met again after years|{p} and {q} were flatmates once and met again today"),
         "ask {q} for a name and a reason to be here / call {q} by name and ask about the kids",
         "wonder who on earth {q} might be / remind {q} of the years when they shared a flat",
         "mistake {q} for somebody from work / tell {q} all the news since they last met"),
    Axis("", Side("broke the other's mug",
         told="{p} broke {q}'s favourite mug by accident|Before this, {p} dropped {q}'s favourite mug by accident"),
         Side("had a mug broken by the other", never=JOY,
         told="{q} broke {p}'s favourite mug by accident|Before this, {q} dropped {p}'s favourite mug by accident"),
         "apologise to {q} and offer to pay for the damage / demand that {q} pays for the damage",
         "beg {q} not to be too angry about it / tell {q} off for being so clumsy",
         "buy {q} a new one as soon as possible / expect {q} to buy a new one soon"),
    Axis("", Side("lost the job", needs="age p adult", never=JOY,
         told="{p} just got fired|{p} was told this morning that the job is gone"),
         Side("got promoted", needs="age p adult", never=GLOOM,
         told="{p} just got promoted|{p} was offered a much better position this morning"),
         "look through the job adverts with a heavy heart / raise a glass to the great new position",
         "ask {q} how to pay the rent next month / tell {q} about the bigger office and the higher pay",
         "cancel the holiday to save some money / book a longer holiday than ever before"),
    Axis("", Side("fire alarm", needs=INSIDE,
         told="The fire alarm just went off|The fire alarm went off and there was a smell of smoke"),
         Side("false alarm", needs=INSIDE,
         told="The fire alarm turned out to be false|The fire alarm was only a test, as everybody was told"),
         "hurry to the nearest exit and get out / stay here and carry on as if nothing had happened",
         "shout at {q} to leave everything and run / tell {q} that there is no need to run",
         "call the fire brigade without delay / forget about the fire brigade and make some tea"),
    Axis("", Side("ate too much", never="pose p eating",
         told="{p} has just had a huge meal|{p} has eaten far too much for lunch today"),
         Side("has not eaten", never="pose p eating",
         told="{p} has not eaten since yesterday|{p} left without breakfast and has had nothing to eat all day"),
         "turn down the snack that {q} offers / wolf down the snack that {q} offers",
         "complain about a full stomach and skip dinner / complain about an empty stomach and ask for dinner",
         "groan at the mere thought of another bite / dream of a large plate of pasta"),
)  # fmt: skip

MOOD = (
    Axis("feeling", Side("cheerful|delighted|joyful"), Side("gloomy|miserable|downhearted"),
         "whistle a merry tune and dance a few steps / sigh deeply and stare at nothing for a while",
         "give {q} a big hug for no reason at all / burst into tears as soon as {q} asks",
         "laugh heartily at the joke that {q} makes / not even smile at the joke that {q} makes"),
    Axis("feeling", Side("furious|outraged|enraged"), Side("peaceful|relaxed|serene"),
         "slam a fist down and yell at everyone / lean back and enjoy the quiet moment",
         "shout at {q} over a tiny mistake / forgive {q} a tiny mistake with a smile",
         "storm out without saying goodbye / stay a while and say goodbye to everyone gently"),
    Axis("feeling", Side("nervous|anxious|uneasy"), Side("confident|hopeful|optimistic"),
         "bite those nails and pace up and down / stand up straight and take the lead",
         "ask {q} again and again if it will be fine / promise {q} that it will all be fine",
         "stammer when it is time to speak / speak in a clear and steady voice"),
    Axis("feeling", Side("bored|uninterested|indifferent"), Side("curious|fascinated|eager"),
         "yawn loudly and check the time once more / ask one question after another about it all",
         "fall asleep while {q} tells the story / beg {q} to go on with the story",
         "look for an excuse to leave early / look for a reason to stay longer"),
    Axis("feeling", Side("jealous|envious|resentful"), Side("thankful|grateful|appreciative"),
         "speak badly of {q} to the others / praise {q} warmly to the others",
         "ruin the surprise that was planned for {q} / plan a lovely surprise for {q}",
         "complain that {q} always gets the best of everything / say that {q} deserves the best of everything"),
    Axis("feeling", Side("weary|sleepy|drowsy"), Side("energetic|lively|playful"),
         "go home early and fall straight into bed / stay up late and dance until midnight",
         "ask {q} to carry on alone for today / challenge {q} to a race around the block",
         "refuse to take another step without a rest / do a few jumps and start all over again"),
    Axis("feeling", Side("ashamed|embarrassed|humiliated"), Side("proud|triumphant|victorious"),
         "turn red and hope that nobody noticed / show off and make sure that everybody noticed",
         "beg {q} not to tell anyone about it / tell {q} every detail of the great success",
         "keep out of sight for the rest of the day / take a bow and wait for the applause"),
)  # fmt: skip

ENVIRONMENT = (
    Axis("", Side("storm", told="A heavy storm is on its way|The radio says that a heavy storm will be here soon"),
         Side("fine weather", never="weather rain",
         told="The weather will stay fine all day|The radio says that it will be dry and mild all day"),
         "look for shelter before the thunder starts / leave the raincoat at home and go for a hike",
         "tell {q} to call off the picnic / invite {q} to a picnic under the open sky",
         "make sure that all the windows are shut tight / let the washing dry on the line outside"),
    Axis("", Side("freezing", never="place beach; outfit e swimwear",
         told="It is freezing cold here|It is so cold here that the water turns to ice"),
         Side("sweltering", never="hat e beanie; weather rain",
         told="It is terribly hot here|It is so hot here that one can hardly breathe"),
         "shiver and ask for a warm blanket / sweat and ask for a glass of iced water",
         "suggest to {q} a mug of hot soup / suggest to {q} a swim to cool down",
         "rub both hands together to warm them up / fan some fresh air with both hands"),
    Axis("air", Side("tense|hostile|menacing", never="expression e happy"),
         Side("cheerful|festive|merry", never="expression e sad|angry|afraid"),
         "keep silent and watch the others with suspicion / sing along and join in the fun",
         "warn {q} in a low voice to be on guard / ask {q} for a dance",
         "leave as quickly as possible to avoid trouble / stay until the end of the party"),
    Axis("", Side("noisy",
         told="It is extremely noisy in this place|There is so much noise here that nobody understands a word"),
         Side("quiet", never="pose e playing; is e guitar|microphone|drum|piano",
         told="It is perfectly quiet in this place|It is so quiet here that one could hear a pin drop"),
         "cover both ears and ask for less noise / enjoy the silence and listen to the birds",
         "shout so loudly that {q} understands / whisper to {q} so as not to disturb anyone",
         "complain about the terrible noise to someone in charge / remark how wonderfully silent it is here"),
    Axis("air", Side("spooky|eerie|sinister", never="expression e happy"),
         Side("cosy|homely|peaceful", never="expression e afraid|angry"),
         "jump at every sound and want to get out / settle down comfortably and stay for hours",
         "cling to {q} and beg to go somewhere safe / tell {q} how nice it is to be here",
         "look over one shoulder again and again / take off both shoes and relax completely"),
    Axis("", Side("closing", needs=PUBLIC,
         told="They are closing in five minutes|This place is closing for the night in five minutes"),
         Side("open all night", needs=PUBLIC,
         told="This place never closes|This place is open all night long, even on holidays"),
         "gather all the bags and hurry out / take all the time in the world to look around",
         "urge {q} to hurry before the doors are locked / tell {q} that there is no need to hurry",
         "put off the rest until tomorrow / stay on until the early morning"),
)  # fmt: skip

AXES: dict[Category, tuple[Axis, ...]] = {
    "relationship": RELATIONSHIP, "personality": PERSONALITY, "identity": IDENTITY, "antecedent": ANTECEDENT,
    "mood": MOOD, "environment": ENVIRONMENT,
}  # fmt: skip

WILL = "will|will|will|will|will|will|will|is going to"
"""How what comes next is announced; longer ones for the wordy."""

# --- image words -------------------------------------------------------------------------------------------

GARMENTS = {"casual": "shirt|top", "suit": "suit", "dress": "dress", "sports kit": "sports shirt"}
"""What is of the top's colour in these outfits."""

WORDS: dict[str, str] = {
    # how a value is said of someone, right behind their tag
    "top": "in the {v}|in the {v}|wearing the {v}|in {a v}",
    "outfit": "in {v}|wearing {v}",
    "hat": "with {a v}|wearing {a v}|in {a v}",
    "hair": "with {v} hair|with the {v} hair",
    "held": "with {a v}|holding {a v}",
    "seat": "on the {v}|sitting on the {v}",
    "bed": "on the {v}|lying on the {v}",
    "neighbour": "by the {v}|beside the {v}|next to the {v}",
    "place": "{v}",
    "pose": "who is {v}",
    "gaze": "facing {v}|looking at {v}",
    "face": "{v}",
}
FRONTED: dict[str, str] = {
    # and before it, with a comma
    "held": "With {a v} in one hand|Still holding {a v}", "seat": "Sitting on the {v}|Still sitting on the {v}",
    "bed": "Lying on the {v}|Still lying on the {v}", "neighbour": "Next to the {v}|Right next to the {v}",
    "place": "{V}", "gaze": "Looking at {v}|Still looking at {v}",
}  # fmt: skip
FACES = {
    "happy": "with a smile", "sad": "with tears in the eyes", "angry": "with a frown", "surprised": "with an open mouth",
    "afraid": "with wide eyes", "tired": "with heavy eyelids",
}  # fmt: skip
POSES = ("standing", "sitting", "lying", "walking", "running", "pointing", "crouching")
RELATION = {"held": "holds", "seat": "sits_on", "bed": "lies_on", "neighbour": "next_to"}
"""Which seen relation stands behind these kinds."""
UNCOUNTED = {"money": "some money", "medicine": "some medicine", "scissors": "a pair of scissors"}

KINDS: dict[str, float] = {
    "top": 5, "outfit": 4, "hat": 14, "hair": 3, "held": 7, "seat": 24, "bed": 10, "neighbour": 5, "place": 2.5, "pose": 3,
    "gaze": 3.5, "face": 2,
}  # fmt: skip
"""How gladly people describe someone by each kind of image words."""

COMMON: dict[str, dict[str, float]] = {
    # of the values that are not equally common in the world, how common they are
    "outfit": {"suit": 8, "dress": 7, "swimwear": 2, "sports kit": 2}, "hat": {"cap": 10, "beanie": 10},
    "hair": {"grey": 0.6, "red": 1.6, "blond": 1.2}, "face": {"happy": 9, "sad": 2},
    "seat": {"chair": 20, "bench": 12, "couch": 3, "wheelchair": 2, "bed": 2}, "bed": {"bed": 8, "beach towel": 3, "couch": 4},
    "pose": {"standing": 20, "walking": 9, "sitting": 1.5, "pointing": 2},
    "place": {"beach": 3, "park": 3, "living room": 3, "street": 4, "kitchen": 2, "bedroom": 2},
    "neighbour": {"chair": 8, "dining table": 4, "desk": 4, "bed": 3, "puddle": 4, "sand castle": 3, "bird": 3},
}  # fmt: skip
"""The common is less often said of someone truly, and more often falsely: the words alone shall not tell."""

ALIKE: tuple[frozenset[str], ...] = tuple(
    frozenset(row.split("|"))
    for row in (
        "red|orange|pink|brown", "yellow|orange|white", "grey|white|black", "blue|purple|black", "purple|pink",
        "green|blue", "brown|black", "brown|red", "grey|blond|white", "blond|red",
        "standing|walking|pointing", "walking|running", "kitchen|restaurant", "office|classroom", "bedroom|hospital room",
        "living room|bedroom", "bus|train station", "street|park", "surprised|afraid", "sad|tired", "doctor coat|chef jacket",
        "apron|work vest", "cap|police cap", "chair|wheelchair", "dining table|desk|counter", "cup|bowl", "pencil|knife|spoon|fork",
        "book|letter|newspaper|map|ticket|money", "sports ball|orange|apple", "bottle|medicine", "plate|tray|frisbee",
        "backpack|suitcase|handbag", "cell phone|remote|camera", "broom|hammer", "wine glass|cup", "couch|bed",
    )
)  # fmt: skip
"""What may be taken for one another in a small drawing: neither is ever a false word for the other."""
