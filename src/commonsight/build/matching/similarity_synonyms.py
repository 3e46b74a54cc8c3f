"""What means the same in other words, as far as a table can hold it: turns of phrase, asides, synonyms.

Vectors made by counting know which words stand in like places, which "glad" and "angry" do as well as "glad"
and "happy". So the commonest ways to say what answers about people say are written down here.
"""

from __future__ import annotations

import re
from functools import cache

from commonsight.build.matching.similarity_words import stem

ASIDES = (
    "not long ago", "(?:a )?(?:little |short )?while (?:ago|before(?: this)?)", "before long", "any longer",
    "in a (?:moment|minute|second|while)", "a (?:moment|minute|second) ago", "not long (?:before|after)",
    "no doubt", "no wonder", "not only", "without (?:a|any) doubt", "by the looks? of (?:it|things)",
    "as far as (?:one|anyone|you|we|i) can (?:tell|see)", "as (?:any)?one can (?:tell|see)",
    "it (?:seems|appears)(?: that)?", "it looks (?:like|as if|as though)",
    "i (?:think|guess|believe|would say)(?: that)?", "most likely", "of course",
    "(?:at|in) (?:the|this) (?:very )?moment", "right now", "at present", "for now", "after all", "in fact",
    "in (?:the|this) (?:picture|image|photo|photograph|scene|shot|frame)", "a (?:little|bit)", "each other",
    "one another",
)  # fmt: skip
"""What can be left out: some of it would be taken for a negation, most of it for words that matter."""

PHRASES = (
    (
        (
            r"would(?: really)? (?:like|love)|(?:is|are|am) (?:hoping|eager|dying)|(?:feels?"
            r"|feeling) like"
        ),
        "wants",
    ),
    (
        (
            r"(?:is|are|am|'s|'re) (?:about|going|planning|preparing|getting ready|set) to|(?:intends?"
            r"|plans?|means?) to"
        ),
        "will",
    ),
    (
        (
            r"(?:have|has|having|had) (?:an? |the )?(?:little |long |short )?(?:chat|talk|conversation"
            r"|discussion|word)"
        ),
        "talking",
    ),
    (r"in (?:an? |the )?(?:conversation|discussion)", "talking"),
    (
        (
            r"(?:have|has|having|had) (?:an? |the )?(?:fight|argument|row|quarrel)|(?:angry|furious"
            r"|harsh) words"
        ),
        "arguing",
    ),
    (
        (
            r"(?:have|has|having|had)(?: an?| the| some| their| his| her)? (breakfast|lunch|dinner"
            r"|supper|meal|food)"
        ),
        r"eating \1",
    ),
    (
        r"(?:have|has|having|had)(?: an?| the| some| their| his| her)? (drink|coffee|tea|beer|wine)",
        r"drinking \1",
    ),
    (r"(?:have|has|having) (?:an? )?(?:good|great|lovely|nice) time|(?:have|has|having) fun", "enjoying"),
    (r"works? as|working as|employed as|by profession|for a living", "be"),
    (r"look(s|ed|ing)? for", "searching"),
    (r"(?:look|looks|looked|looking) after|(?:take|takes|took|taking) care of", "caring"),
    (r"(?:is|are|fall|falls|falling|fell)? ?in love with", "loves"),
    (r"husband and wife|a married couple", "married"),
    (
        (
            r"(?:go|goes|going|went|walk|walks|walking|drive|drives|driving|run|runs|running|get|gets"
            r"|getting|head|heads|heading|storm|storms|storming) (?:away|out|off)|(?:take|takes"
            r"|taking) off"
        ),
        "leaving",
    ),
    (
        r"(?:come|comes|coming|came|walk|walks|walking|walked|go|goes|going|went) (?:in|into|inside)",
        "entering",
    ),
    (r"(?:sit|sits|sitting) (?:down)|(?:take|takes|taking) a seat|(?:is|are) seated", "sitting"),
    (r"(?:stand|stands|standing|get|gets|getting) up", "standing"),
    (r"(?:pay|pays|paying) attention to|(?:keep|keeps|keeping) an eye on", "watching"),
    (
        r"(?:get|gets|getting|got) ((?:\w+ ){1,3})(?:done|finished|completed)|(?:is|are) done with",
        r"finishing \1",
    ),
    (r"(?:carry|carries|carrying|go|goes|going|keep|keeps|keeping) on", "continuing"),
    (r"(?:give|gives|giving|gave) up", "quitting"),
    (r"(?:calm|calms|calming|cheer|cheers|cheering) ((?:\w+ )?)(?:down|up)", r"comforting \1"),
    (r"(?:make|makes|making|made) fun of", "mocking"),
    (r"in a (?:good|great) mood|in good spirits", "happy"),
    (r"in a (?:bad|foul) mood", "upset"),
    (r"(?:fed|worn) (?:up|out)", "tired"),
    (r"no longer|(?:fails?|refuses?|unable|declines?) to|(?:is|are) unable", "not"),
    (r"(?:is|are) not able", "cannot"),
    (r"(?:pick|picks|picking|picked) up", "lifting"),
    (r"(?:find|finds|finding|found) out", "learning"),
    (r"(?:wait|waits|waiting) (?:on|for)", "awaiting"),
    (r"(?:a lot|lots|plenty|loads) of", "many"),
    (r"(?:try|tries|trying|tried|attempt|attempts|attempting) to", "trying"),
)
"""Turns of phrase, as a pattern of whole words, and the plain word for each."""

SYNONYMS = (
    # what people feel
    "happy glad cheerful pleased content delighted joyful merry thrilled overjoyed jolly elated",
    "sad unhappy sorrowful gloomy miserable heartbroken depressed grieving down sorrow blue grief",
    "upset distressed troubled hurt",
    "angry mad furious annoyed irritated cross enraged anger outraged livid frustrated irate",
    "afraid scared frightened fearful terrified fear fright horrified",
    "nervous anxious worried uneasy tense concerned worry stressed apprehensive",
    "surprised shocked astonished amazed stunned startled surprise shock astonishing",
    "tired exhausted sleepy weary fatigued drained worn", "bored uninterested boredom",
    "excited thrilled enthusiastic eager", "calm relaxed peaceful serene", "relax rest unwind chill",
    "proud pride", "ashamed embarrassed shame embarrassment guilty", "lonely lonesome alone",
    "jealous envious envy", "confused puzzled bewildered perplexed unsure uncertain",
    "curious interested intrigued wonder", "disgusted repulsed revolted", "hopeful optimistic",
    "sick ill unwell sickness illness", "hungry starving famished", "drunk intoxicated tipsy",
    "injured hurt wounded", "love adore cherish", "like enjoy", "hate despise detest loathe",
    "admire respect", "attracted fancy", "miss long", "funny amusing hilarious humorous",
    "nice kind friendly gentle", "rude mean cruel unkind", "crazy insane mad",
    "serious earnest grave solemn", "shy timid bashful",
    # what they think, want and say
    "want wish desire hope need", "try attempt", "think believe suppose suspect",
    "know recognize recognise", "understand realize realise comprehend grasp", "learn study",
    "decide choose pick", "remember recall", "talk speak chat converse conversation discuss discussion",
    "say tell", "ask request inquire", "answer reply respond", "argue quarrel argument dispute",
    "fight brawl", "shout yell scream", "whisper murmur", "explain describe", "lie deceive mislead",
    "promise swear", "thank grateful thankful gratitude", "apologize apologise sorry apology",
    "agree accept approve", "refuse reject decline", "invite ask", "warn caution", "threaten menace threat",
    "order command instruct", "order request", "greet hello welcome", "joke kid tease",
    "laugh giggle chuckle", "cry weep sob tear", "smile grin beam", "comfort console soothe calm",
    "help assist aid", "thoughtful pensive brood ponder think", "mourn grieve",
    "celebrate celebration party", "listen hear", "mock ridicule tease",
    # what they do
    "see look watch stare gaze observe glance", "search seek hunt", "find discover", "show present display",
    "hide conceal", "leave depart go exit", "arrive come", "enter come", "stay remain", "wait await",
    "follow chase pursue", "escape flee", "walk stroll", "run rush hurry sprint", "start begin",
    "finish complete end done", "stop quit cease halt", "continue proceed", "make prepare create",
    "cook prepare bake", "build construct", "fix repair mend", "break smash shatter damage",
    "clean wash tidy", "cut slice chop", "hit punch strike beat slap", "attack assault",
    "kill murder shoot", "die dead death", "grab seize snatch", "hold carry grip clutch",
    "take get receive", "bring fetch deliver", "give hand pass offer", "buy purchase", "throw toss hurl",
    "put place set lay", "lift raise", "push shove", "pull drag tug", "close shut", "fall drop",
    "spill pour", "hug embrace cuddle", "kiss smooch", "pet stroke", "touch feel", "eat dine",
    "meal food dish", "dinner supper", "drink sip beverage", "sleep nap asleep doze", "sit seated",
    "work job", "play perform", "write note", "call phone telephone", "drive ride", "travel trip journey",
    "dance waltz", "protect guard defend", "win victory", "meet encounter", "marry wed wedding married",
    "work labor labour", "rob steal burgle",
    # who and what they are
    "person someone somebody people human", "man guy gentleman male fellow", "woman lady female",
    "child kid youngster", "baby infant toddler", "boy lad", "girl lass",
    "friend buddy pal friends companion", "boss manager supervisor employer", "worker employee staff",
    "coworker colleague", "doctor physician surgeon medic",
    "police policeman policewoman cop officer detective", "teacher professor instructor tutor",
    "student pupil schoolboy schoolgirl", "waiter waitress server", "lawyer attorney",
    "soldier military army troop", "singer vocalist", "thief robber burglar", "guest visitor",
    "customer client shopper", "mother mom mum", "father dad", "boyfriend lover", "girlfriend lover",
    "couple pair", "stranger unknown", "enemy rival foe", "wealthy rich", "poor broke",
    "smart clever intelligent bright", "stupid dumb foolish silly",
    "beautiful pretty attractive gorgeous lovely handsome", "ugly unattractive", "old elderly aged",
    "young youthful", "big large huge enormous giant great", "small little tiny",
    "fast quick quickly fast rapid", "difficult hard tough", "easy simple", "wrong incorrect mistaken",
    "right correct", "dangerous risky unsafe danger", "safe secure", "strange odd weird unusual",
    "important significant", "fancy elegant formal", "expensive costly", "quiet silent", "loud noisy",
    "dark night", "night evening late", "morning dawn early", "car automobile vehicle", "bicycle bike",
    "plane airplane aircraft", "ship boat", "picture photo photograph image", "phone telephone cellphone",
    "house home", "store shop market", "street road", "office workplace", "bar pub tavern saloon",
    "restaurant diner cafe", "hospital clinic", "school classroom class", "forest wood", "ocean sea",
    "gun pistol rifle weapon", "present gift", "money cash", "clothes clothing outfit dress", "couch sofa",
    "mobile cell", "movie film", "letter mail", "trouble problem issue", "meeting conference",
    "news information", "bag purse backpack", "fun enjoyment", "will shall", "rain rainy",
    "cold freezing chilly", "hot warm", "ready prepared",
)  # fmt: skip
"""Words of a line mean nearly the same; a word may be in several lines, and then means either."""

LIGHT = frozenset(
    (
        "a", "an", "the", "be", "is", "are", "was", "were", "been", "being", "am", "do", "does", "did",
        "to", "of", "and", "that", "this", "these", "those", "it", "its", "there", "here", "because",
        "since", "as", "so", "then", "than", "which", "who", "what", "would", "will", "could", "should",
        "may", "might", "can", "must", "shall", "have", "has", "had", "very", "really", "quite", "too",
        "just", "also", "even", "probably", "likely", "perhaps", "maybe", "possibly", "apparently",
        "clearly", "obviously", "certainly", "definitely", "currently", "now", "already", "still", "some",
        "any", "by", "with", "from", "if", "seem", "seems", "appear", "appears", "kind", "sort",
        "something", "thing", "things", "they", "he", "she", "him", "her", "his", "their", "them",
        "himself", "herself", "themselves", "person", "someone", "somebody", "trying", "yes", "well",
    )
)  # fmt: skip
"""Words that say little; they weigh no more than a share of the others."""

_ELIDED = (
    ("can't", "can not"), ("won't", "will not"), ("n't", " not"), ("'re", " are"), ("'ve", " have"),
    ("'ll", " will"),
)  # fmt: skip


@cache
def _aside() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(ASIDES)})\b")


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(rf"\b(?:{pattern})\b"), plain) for pattern, plain in PHRASES)


def plainly(text: str) -> str:
    """A text in lower case without asides, its turns of phrase as plain words."""
    text = " ".join(text.lower().replace("’", "'").replace(" ' ", "'").split())
    for elided, whole in _ELIDED:
        text = text.replace(elided, whole)
    text = _aside().sub(" ", text)
    for pattern, plain in _phrases():
        text = pattern.sub(plain, text)
    return text


@cache
def senses(word: str) -> frozenset[str]:
    """What a word can mean: the lines of the table that have its stem, else the stem itself."""
    return _lines().get(stem(word)) or frozenset((stem(word),))


@cache
def _lines() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for number, line in enumerate(SYNONYMS):
        for word in line.split():
            found.setdefault(stem(word), set()).add(f"#{number}")
    return {root: frozenset(lines) for root, lines in found.items()}
