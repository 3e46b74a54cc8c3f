"""What annotators of NLVR2's protocol read: instructions and examples, in our own words.

What to avoid are the six kinds of the paper's Table 8, each with an example of ours.
"""

from __future__ import annotations

from collections.abc import Mapping

from commonsight.collect.protocol import Example, Option

AVOID: Mapping[str, str] = {
    "opinion": "An opinion: what one person finds so and another does not",
    "photograph": "About the photograph itself: cropped, blurred, taken from above",
    "text": "About writing or numbers that can be read in a picture",
    "absent": "Names a thing that is in none of the pairs that were not chosen",
    "presence": "Says only that there is one thing, and nothing else",
    "apart": "Says one thing of the left picture and another of the right, and nothing else",
}
"""Table 8 (appendix B); the last two are allowed where the sentence asks for other reasoning as well."""
VIOLATIONS = tuple(Option(value, label) for value, label in AVOID.items())

PRUNING = """
These pictures were found by searching for one thing, which is named above them. Take out the pictures that
cannot be used; all others stay.

Take out a picture that does not load; that shows what nobody should have to see; that is a drawing, a
painting or a computer image instead of a photograph; that is put together from several pictures; or in which
the thing that was searched for is not to be seen.

Whether a picture is beautiful, sharp or dull does not matter here. If nothing has to go, choose nothing.
"""
PRUNING_EXAMPLES = (
    Example("Searched for: kettle. A kettle, seen from behind, on a stove.", True,
            "The thing is there, so the picture stays, however plain it is."),
    Example("Searched for: kettle. A cartoon of a singing kettle.", False, "No photograph: take it out."),
    Example("Searched for: kettle. A cup of tea on a table.", False, "There is no kettle: take it out."),
    Example("Searched for: kettle. Four small photographs of kettles in one frame.", False,
            "Put together from several pictures: take it out."),
)  # fmt: skip

CONSTRUCTING = """
From these pictures, {set_size} will be chosen for someone to write about. First take out duplicates: of
pictures that are the same, or the same but for size, colour or cut, leave one.

Then mark the pictures that are not interesting. A picture is interesting if it shows several of the thing
that was searched for; if the thing is being used, or is near others that matter to it; if somebody does
something; or if there is much to tell things apart by.

If you find a picture interesting for any other reason, do not mark it. Dull pictures are not thrown away:
they only come last.
"""
CONSTRUCTING_EXAMPLES = (
    Example("Five kettles of different sizes on a market stall.", True, "Several of them: do not mark it."),
    Example("A child lifts a kettle with both hands.", True, "Something is being done: do not mark it."),
    Example("One kettle in front of a white wall.", False, "There is little to say about it: mark it."),
)  # fmt: skip

WRITING = """
You see {set_size} similar pictures in pairs, left and right. Choose {selected} of the pairs, whichever you
like, and write one sentence that is true of each pair that you choose and false of each pair that you do not
choose.

The sentence is about a pair: two pictures together. It may compare them, count what is in both, say what
holds for one of them, for each, for the left or for the right. Others will see it with one pair at a time
and say whether it is true, so it must not speak of letters, of other pairs, or of what you chose.

Write an ordinary English sentence that has to be read closely: how many, where, which of them, more than,
all, none, except. The best sentences make one look at both pictures twice.

Leave out opinions, how the photograph was taken, and anything that is written in the pictures. Do not tell
the pairs apart by a thing that is in none of those that you did not choose. And do not just say that a thing
is there, or one thing of the left picture and another of the right one, unless the sentence asks for more
than that.

Of what you write in a round, {round_sample} sentences are read. If at least {high_share:.0%} of them follow
these rules, every sentence of that round earns a bonus, and all sets are open to you from then on; from
{low_share:.0%} on the bonus is smaller.

If a set should not have come this far, say so instead of writing: the same picture twice, no photograph, a
picture without the thing.
"""
WRITING_EXAMPLES = (
    Example("The right image has at least twice as many kettles as the left image.", True,
            "It counts and compares, and one must look at both pictures."),
    Example("In exactly one of the images, nobody touches the kettle.", True,
            "It is about the pair, and about what people do."),
    Example("All kettles but one have their lids on.", True, "Every kettle of both pictures matters."),
    Example("The kettles look old but charming.", False, f"{AVOID['opinion']}."),
    Example("The handle of the kettle is cut off at the edge of the left image.", False,
            f"{AVOID['photograph']}."),
    Example("Both kettles have the word HOT on them.", False, f"{AVOID['text']}."),
    Example("A cat sits next to a kettle.", False,
            f"{AVOID['absent']}: here, only the chosen pairs had a cat, so the cat alone gives it away."),
    Example("There is a kettle.", False,
            f"{AVOID['presence']}. “There is a kettle on every stove but one” would be fine."),
    Example("The left image shows a kettle, and the right image shows a stove.", False,
            f"{AVOID['apart']}. “… and the right image shows as many stoves” would be fine."),
    Example("The sentence fits pairs A and C because they have more kettles.", False,
            "Whoever checks it sees one pair and no letters."),
)  # fmt: skip

VALIDATING = """
You see one pair of pictures and one sentence. Say whether the sentence is true of this pair. “The left
image” and “the right image” are as you see them.

Take the sentence as it would usually be understood, and look closely: count, compare, mind words like
“only”, “each” and “at least”. If any part of it is wrong, it is false.

If no sense can be made of the sentence, say that instead. Small mistakes of spelling or grammar are no
reason to, as long as you know what is meant.
"""
VALIDATING_EXAMPLES = (
    Example("“Each image has one kettle.” Left: a kettle. Right: two kettles. → false.", True,
            "One of the two pictures does not fit, and the sentence speaks of each."),
    Example("“There are three kettle in total.” Left: a kettle. Right: two kettles. → true.", True,
            "A letter is missing, but what is meant is clear."),
    Example("“Kettles are the image more.” → false.", False, "It makes no sense: say so instead."),
)  # fmt: skip

JUDGING = """
You see the pairs as the writer saw them, which of them were chosen, and the sentence. Say whether the
sentence follows the rules for writing. Whether it is true of the right pairs, others have checked.

Six kinds of sentences break the rules; choose all that apply. The last two kinds are all right where the
sentence asks for other reasoning as well: counting, comparing, where things are, what holds for all.

What you write to the writer is sent as it is. One sentence that shows how it would be better helps most.
"""
JUDGING_EXAMPLES = (
    Example("“There is a kettle to the left of each stove.” → follows the rules.", True,
            "It says what is there, but also where, and of every stove."),
    Example("“A nice kettle is in the left image.” → an opinion, and only the presence of one thing.", True,
            "Both kinds apply; naming both helps the writer."),
)  # fmt: skip
