"""Nouns, written down by hand: odd plurals, what is never counted, what only comes in pairs."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """A list of words, as one writes it."""
    return frozenset(text.split())


_IRREGULAR = """
man men|woman women|child children|person people|foot feet|tooth teeth|goose geese|mouse mice|louse lice
ox oxen|die dice|penny pence|leaf leaves|loaf loaves|knife knives|wife wives|life lives|half halves
calf calves|shelf shelves|wolf wolves|thief thieves|scarf scarves|elf elves|hoof hooves|self selves
sheaf sheaves|bookshelf bookshelves|housewife housewives|penknife penknives|cactus cacti|fungus fungi
nucleus nuclei|stimulus stimuli|alumnus alumni|radius radii|analysis analyses|crisis crises|basis bases
oasis oases|thesis theses|diagnosis diagnoses|phenomenon phenomena|criterion criteria|bacterium bacteria
medium media|datum data|vertebra vertebrae|larva larvae|index indices|matrix matrices|appendix appendices
quiz quizzes|bus buses|gas gases|passerby passersby|mother-in-law mothers-in-law
"""

IRREGULAR: dict[str, str] = {
    row.split()[0]: row.split()[1] for line in _IRREGULAR.strip().splitlines() for row in line.split("|")
}
"""Singular to plural. Compounds of man, woman, foot, tooth and the like follow their last part."""

ENDINGS = (
    "woman",
    "man",
    "child",
    "person",
    "foot",
    "tooth",
    "goose",
    "knife",
    "wife",
    "shelf",
    "leaf",
    "wolf",
)
"""Last parts of words written as one that change as they do alone: fireman, grandchild, cloverleaf."""

NOT_MEN = frozenset(("human", "german", "roman", "ottoman", "talisman", "caiman", "shaman"))
"""Words that end in -man and take a plain -s."""

ADDS_ES = words("potato tomato hero echo torpedo veto mango mosquito buffalo volcano tornado domino cargo")
"""Words in -o with -oes; others take -s."""

SAME = words(
    """sheep deer fish moose aircraft spacecraft hovercraft watercraft series species swine bison shrimp
    salmon trout tuna offspring cod squid elk means crossroads headquarters goldfish swordfish jellyfish
    starfish shellfish gallows barracks"""
)
"""The same for one and for many."""

PLURAL_ONLY = words(
    """scissors pants trousers jeans shorts glasses sunglasses eyeglasses goggles binoculars pliers tweezers
    tongs shears clippers tights leggings stockings pyjamas pajamas clothes overalls panties underpants
    boxers briefs headphones earphones belongings goods groceries stairs bleachers thanks outskirts
    surroundings swimming-trunks scales spectacles khakis slacks knickers sweatpants swimtrunks reins
    remains nachos fries chopsticks people police cattle clergy poultry folks blinds suspenders dentures
    handcuffs lyrics"""
)
"""Spoken of as many, or mostly so: they agree with "are" and take no "a"."""

SINGULAR_S = words(
    """bus gas glass grass dress boss cross mass class moss kiss chess mess princess waitress mattress
    compass actress address fortress business happiness virus cactus octopus walrus hippopotamus platypus
    canvas iris lens atlas christmas campus circus focus bonus census status chorus asparagus hibiscus
    lotus crocus radius stimulus nucleus fungus genius sinus tennis news physics mathematics politics
    economics gymnastics athletics measles diabetes molasses hummus lettuce tortoise cheese this his its
    always perhaps basis crisis oasis analysis thesis diagnosis axis pelvis penis bias pancreas texas
    paris bass brass cypress success process access excess stress recess harness wilderness illness
    sickness darkness weakness kindness fitness wellness witness loss toss floss albatross hypothesis
    stewardess seamstress hostess goddess eyeglass hourglass trellis clematis arthritis apparatus
    rhinoceros papyrus mucus abacus couscous citrus venus uterus virtuous caddis lewis debris chassis
    rendezvous corps yes plus minus thus us minibus trolleybus omnibus surplus ignoramus ass pass
    underpass overpass bypass"""
)
"""Singular though they end in s."""

MASS = words(
    """water milk juice wine beer tea coffee soda lemonade alcohol whiskey vodka champagne liquid oil
    gasoline petrol vinegar syrup ketchup mustard mayonnaise sauce gravy honey jam butter margarine cream
    yogurt yoghurt cheese bread toast dough flour sugar salt pepper spice rice pasta spaghetti wheat corn
    oatmeal cereal popcorn meat beef pork ham bacon chicken seafood food fruit salad soup chocolate candy
    frosting icing dessert garlic ginger lettuce spinach broccoli cabbage celery parsley basil asparagus
    tofu bran yeast protein calcium fibre fiber wood metal steel iron gold silver copper tin aluminium
    aluminum bronze brass plastic rubber paper cardboard cloth fabric cotton wool silk leather denim nylon
    polyester linen velvet lace fur felt yarn thread clay porcelain ceramic concrete cement asphalt gravel
    granite sand dirt soil mud dust ash snow ice rain hail fog frost steam smoke air oxygen gas nitrogen
    helium hydrogen carbon fire grass hay straw moss foliage vegetation shrubbery bamboo ivy seaweed blood
    sweat skin hair fat flesh urine wax glue paint ink soap shampoo detergent toothpaste bleach chalk
    plaster paste foam foil fuel coal charcoal electricity energy power heat sunlight sunshine darkness
    weather wind thunder lightning warmth furniture luggage baggage equipment machinery jewelry jewellery
    clothing underwear footwear swimwear sportswear cutlery silverware tableware glassware kitchenware
    crockery china stationery hardware software gear litter trash garbage rubbish junk mail money cash
    change currency pay wealth news information knowledge advice evidence proof data music art literature
    poetry theatre drama fiction history science math mathematics physics chemistry biology english
    grammar homework housework work employment labour labor business traffic transportation transport
    travel tourism shipping parking time fun joy love hate happiness sadness anger fear pain pleasure
    comfort luck courage patience health fitness medicine medication cancer hygiene beauty fashion freedom
    peace justice violence research progress education training practice entertainment recreation leisure
    relaxation sleep rest communication conversation attention balance support help protection safety
    security storage access privacy tennis soccer football baseball basketball volleyball golf hockey
    badminton cricket rugby chess poker bowling swimming surfing skiing skating skateboarding snowboarding
    sailing fishing hunting hiking camping jogging running cycling gymnastics yoga cooking baking shopping
    cleaning reading writing singing graffiti lettering scenery terrain land ground pavement flooring
    carpeting tiling fencing plumbing wiring lighting bedding upholstery insulation packaging wrapping
    makeup lipstick perfume deodorant dandruff breakfast lunch dinner supper brunch pollen nectar manure
    compost fertilizer poison venom bacteria mold moisture humidity pollution erosion gravity friction
    pressure speed noise silence sound nature life death caffeine nicotine tobacco sushi guacamole salsa
    hummus spam sap lava magma mucus saliva plankton sewage propane lumber timber plywood glitter confetti"""
)
"""Stuff, matter and ideas, of which there is some and not one. Many have counted senses too."""

COUNTED_TOO = words(
    """paper cloth sound change power chicken sauce salad soup dessert cheese fruit food pepper practice fear
    pain noise pleasure business thread paste art felt fire gas candy cereal salt wine beer coffee tea
    juice chocolate medicine poison time life death history tin china straw hair fur skin"""
)
"""Mass nouns that are also counted: a glass, a fire."""
