"""Verbs, written by hand: the common ones, those with forms of their own, those that double a letter."""

from __future__ import annotations

from commonsight.core.english_nouns import words

_IRREGULAR = """
arise arose arisen|awake awoke awoken|be was been|bear bore borne|beat beat beaten|become became become
befall befell befallen|begin began begun|bend bent bent|bet bet bet|bid bid bid|bind bound bound
bite bit bitten|bleed bled bled|blow blew blown|break broke broken|breed bred bred|bring brought brought
broadcast broadcast broadcast|build built built|burst burst burst|buy bought bought|cast cast cast
catch caught caught|choose chose chosen|cling clung clung|come came come|cost cost cost|creep crept crept
cut cut cut|deal dealt dealt|dig dug dug|do did done|draw drew drawn|drink drank drunk|drive drove driven
eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found
flee fled fled|fling flung flung|fly flew flown|forbid forbade forbidden|forecast forecast forecast
foresee foresaw foreseen|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got got
give gave given|go went gone|grind ground ground|grow grew grown|hang hung hung|have had had
hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|keep kept kept
kneel knelt knelt|know knew known|lay laid laid|lead led led|leave left left|lend lent lent|let let let
lie lay lain|light lit lit|lose lost lost|make made made|mean meant meant|meet met met
mistake mistook mistaken|mow mowed mown|overcome overcame overcome|overtake overtook overtaken
pay paid paid|proofread proofread proofread|prove proved proven|put put put|quit quit quit|read read read
rebuild rebuilt rebuilt|rewrite rewrote rewritten|rid rid rid|ride rode ridden|ring rang rung
rise rose risen|run ran run|saw sawed sawn|say said said|see saw seen|seek sought sought|sell sold sold
send sent sent|set set set|sew sewed sewn|shake shook shaken|shave shaved shaved|shear sheared shorn
shed shed shed|shine shone shone|shoot shot shot|show showed shown|shrink shrank shrunk|shut shut shut
sing sang sung|sink sank sunk|sit sat sat|slay slew slain|sleep slept slept|slide slid slid
sling slung slung|slit slit slit|sow sowed sown|speak spoke spoken|speed sped sped|spend spent spent
spin spun spun|spit spat spat|split split split|spread spread spread|spring sprang sprung
stand stood stood|steal stole stolen|stick stuck stuck|sting stung stung|stink stank stunk
stride strode stridden|strike struck struck|string strung strung|strive strove striven|swear swore sworn
sweep swept swept|swell swelled swollen|swim swam swum|swing swung swung|take took taken
teach taught taught|tear tore torn|tell told told|think thought thought|throw threw thrown
thrust thrust thrust|tread trod trodden|undergo underwent undergone|understand understood understood
undertake undertook undertaken|undo undid undone|uphold upheld upheld|upset upset upset|wake woke woken
wear wore worn|weave wove woven|weep wept wept|win won won|wind wound wound|withdraw withdrew withdrawn
withhold withheld withheld|withstand withstood withstood|wring wrung wrung|write wrote written
"""

IRREGULAR: dict[str, tuple[str, str]] = {
    base: (past, participle)
    for base, past, participle in (
        row.split() for line in _IRREGULAR.strip().splitlines() for row in line.split("|")
    )
}
"""Past and past participle of verbs that do not simply take -ed."""

ALSO_PAST = {
    "burnt": "burn", "learnt": "learn", "dreamt": "dream", "spelt": "spell", "spilt": "spill",
    "leapt": "leap", "fit": "fit",
    "leant": "lean", "knit": "knit", "gotten": "get", "were": "be", "wed": "wed", "lighted": "light",
}  # fmt: skip
"""Second forms that are read but never written here."""

THIRD = {"be": "is", "have": "has", "do": "does", "go": "goes", "undergo": "undergoes", "undo": "undoes"}
"""Third persons with a form of their own."""

DOUBLING = words(
    """abet abhor acquit admit allot annul befit begin commit compel concur debug defer confer control deter
    dispel emit equip excel expel forbid forget format handicap impel incur infer kidnap occur omit outfit
    patrol permit prefer program propel rebel recur refer regret remit repel submit transfer transmit
    unplug unwrap unzip upset worship zigzag input output cancel channel dial duel equal fuel jewel label
    level marvel model panel pedal pencil quarrel shovel signal snorkel spiral total travel tunnel babysit
    eavesdrop quit quiz"""
)
"""Verbs of more than one syllable that double their last letter; those in -l as Britain writes them."""

REGULAR = frozenset(("relay", "unfit", "outfit", "forego"))
"""Verbs that look like an irregular one with a beginning, and are not."""

KEEPS_E = frozenset(("be", "singe", "age", "dye", "eye"))
"""Verbs whose e stays before -ing."""

VERBS = words(
    """abandon abbreviate absorb accelerate accept access accommodate accompany accomplish accumulate accuse
    ache achieve acquire act activate adapt add address adjust admire admit adopt adorn advance advertise
    advise affect afford age aggravate agree aid aim air alert allocate allow alter amaze amplify amuse
    analyse analyze anger announce annoy answer apologise apologize appeal appear applaud apply appreciate
    approach approve argue arouse arrange arrest arrive ascend ask assemble assert assess assign assist
    associate assume assure attach attack attain attempt attend attract attribute auction avoid babysit
    back bail bait bake balance ban bandage bang bank bar bark base bat bathe battle be beat become beg
    begin behave believe belong bend benefit bet bike bind bite blacken blame blast bleach bleed blend
    bless blind blink block bloom blow board boast boat boil bolt bomb book boost bore borrow bother
    bounce bow bowl box brag braid brake branch break breathe breed brew bribe brighten bring broadcast
    broaden broil browse bruise brush bubble buckle budget build bully bump bundle burn burp burrow burst
    bury bus butter buy buzz calculate calibrate call calm camp cancel capture care carry cart carve cash
    cast catch cause cease celebrate certify challenge change charge charm chase chat cheat check cheer
    chew chill chirp choke choose chop circulate claim clamp clap clarify classify claw clean cleanse
    clear clench click climb cling clip close clothe coach coat coil collapse collect collide color colour
    comb combine come comfort command commit communicate commute compare compel compete complain complete
    complicate compose compress comprise compute conceal concentrate concern conduct confess confirm
    confuse connect conquer consent conserve consider consist console construct consult consume contact
    contain contemplate contest continue contract contribute control converse convert convey cook cool
    cooperate cope copy correct cost cough count cover crack craft crash crave crawl create creep
    criticise criticize croak cross crouch crow crowd crumble crush cry cuddle cultivate cure curl curse
    cut cycle damage dampen dance dangle dare darken date dawdle deal debate debug decay deceive decide
    declare decompose decorate decrease deepen defeat defecate defend define defrost degrade dehydrate
    delay delight deliver demand demonstrate deny depart depend depict deploy deposit depress descend
    describe deserve design desire destroy detach detect deter determine develop devour diagnose dial die
    differ dig digest dim diminish dine dip direct disagree disappear discard discourage discover discuss
    disguise dislike dismantle dispense disperse display dispose dissect dissolve distinguish distort
    distract distribute disturb dive divide divorce do dock document domesticate dominate donate doodle
    double doubt download drag drain draw dream dress drift drill drink drip drive drool drop drown drum
    dry duck dump dunk dust dye earn ease eat echo edit educate eject elect elevate eliminate email
    embarrass embrace emerge emit emphasize employ empty enable encircle enclose encounter encourage end
    endanger endure enforce engage engrave enhance enjoy enlarge enlist enrich enroll ensure enter
    entertain equip erase erode erupt escape establish estimate evacuate evaluate evaporate evolve examine
    exceed excel exchange excite exclude excrete excuse execute exercise exert exhale exhaust exhibit
    exist expand expect expel experience experiment explain explode explore export expose express extend
    extinguish extract face fade fail faint fall fan fascinate fasten fax fear feed feel fence fertilise
    fertilize fetch fight figure file fill film filter find finish fire fish fit fix flap flash flatten
    flatter flavor flavour flee flick flicker flip flirt float flood floss flow flower flush flutter fly
    focus fold follow fool forbid force forget forgive form frame freeze freshen frighten frost fry fuel
    fumble function furnish gain gallop gamble garden gargle garnish gather gaze generate gesture get
    giggle give gleam glide glisten glitter glow glue gnaw go gobble gossip govern grab grade grasp grate
    graze grease greet grill grin grind grip groom grow growl grumble guarantee guard guess guide hail
    hammer hand handle hang happen harm harvest hatch hate haul haunt have heal hear heat help hibernate
    hide highlight hike hinder hire hiss hit hitch hoist hold honk honor honour hop hope host house hover
    howl hug hum hunt hurry hurt hydrate identify idle ignite ignore illuminate illustrate imagine imitate
    immerse impede import impress imprison improve include increase indicate infect inflate inflict
    influence inform infuse ingest inhabit inhale inherit inject injure inquire inscribe insert inspect
    inspire install instruct insulate insult insure integrate intend interact interest interfere interpret
    interrupt intimidate introduce invade invent invest investigate invite involve iron irrigate irritate
    isolate itch jog join joke judge juggle jump keep kick kidnap kill kiss knead kneel knit knock know
    label lack land lash last latch lather laugh launch lay lead leaf leak lean leap learn leave lecture
    lend lengthen let level lick lie lift light lighten like limit link list listen litter live load
    locate lock log look loosen lose lounge love lower lubricate lure magnetize magnify mail maintain make
    manage manufacture map march marinate mark marry mash massage match mate matter mean measure meditate
    meet melt memorise memorize mend mention meow merge migrate milk mind mine minimise minimize misplace
    miss mistake mix moan model modify moisten moisturize monitor moo mop motivate mount mourn move mow
    multiply mumble munch murder nag nail name nap narrate navigate need neglect negotiate neigh nest
    nibble nod note notice notify nourish nudge number nurse nurture obey object obscure observe obstruct
    obtain occupy occur offend offer ooze open operate oppose orbit order organise organize orient
    originate overcome overflow overheat owe own pack package paddle paint pamper park participate pass
    paste pat patrol pause pave pay peck pedal pee peek peel peep peer penetrate perch perform perfume
    perish permit persist perspire persuade pet photocopy photograph pick pickle picture pierce pile pilot
    pin pinch pitch place plan plant play plead please plough plow pluck plug plunge point poison poke
    polish pollinate pollute ponder pop populate pose position possess post postpone pounce pound pour
    practice practise praise pray preach predict prefer preheat prepare prescribe present preserve press
    pretend prevent print proceed process procrastinate produce program progress promise promote pronounce
    proofread propel propose protect protest prove provide provoke prowl prune pry publish pull pump punch
    puncture punish purchase purify purr pursue push put puzzle quack qualify quarrel quench question quit
    quiver quote race radiate rain raise rank ration reach react read realise realize reap reassure rebel
    rebuild recall receive recharge recite recline recognise recognize recommend record recover recycle
    reduce refer refill refine reflect refresh refrigerate refuse regain register regret regulate reheat
    reject relate relax release relieve relocate rely remain remember remind remove renew rent repair
    repeat repel replace replenish reply report represent reproduce request require rescue research
    resemble reserve reside resign resist resolve respect respond rest restore restrain restrict result
    retain retire retreat retrieve return reuse reveal reverse review revise revive reward rewind rewrite
    rid ride ring rinse rip ripen rise roar roast rob rock roll rot rotate row rub ruin rule rummage run
    rush rust saddle sail salt salute sand satisfy save saw say scan scare scatter schedule scold scoop
    scorch score scramble scrape scratch scream screw scribble scrub sculpt scurry seal search season seat
    secrete secure see seek seem seize select sell send sense separate serve service set settle sew shade
    shake shape share sharpen shatter shave shear shed shelter shelve shield shift shimmer shine ship
    shiver shock shoot shop shorten shout shove shovel show shower shred shriek shrink shrug shuffle shut
    sign signal signify simmer simulate sing sink sip sit sizzle skate skateboard sketch ski skid skim
    skip slam slap slash slay sled sleep sleepwalk slice slide slip slither slouch slow slump slurp smash
    smear smell smile smoke smooth smother snack snap snarl snatch sneak sneer sneeze sniff snoop snore
    snorkel snow snowboard snuggle soak soap soar socialise socialize soften solidify solve soothe sort
    sound sow spank spar spark sparkle speak specialise specialize speed spell spend spill spin spit
    splash splatter split spoil sponge sport spot sprain spray spread sprinkle sprint sprout spy squash
    squat squeak squeal squeeze squint squirt stab stack stagger stain stalk stamp stand staple stare
    start startle starve stash state stay steal steam steep steer step sterilize stick stimulate sting
    stink stir stitch stock stomp stop store straighten strain strangle strap stream strengthen stress
    stretch stride strike string strip stroke stroll struggle study stuff stumble stun stutter submerge
    submit substitute succeed suck sue suffer suffocate suggest suit summarize summon sunbathe supply
    support suppose surf surface surprise surround survive suspend sustain swallow swap swat sway swear
    sweat sweep sweeten swell swim swing swirl switch swoop symbolise symbolize sympathise tack tackle tag
    talk tame tan tangle tap tape taste taunt tax teach tear tease telephone tell tempt tend terrify test
    testify text thank thaw think threaten thrive throw thrust thump tick tickle tidy tie tighten tilt
    tinker tip tire toast topple torment torture toss touch tour tow trace track trade train trample
    transfer transform translate transmit transport trap travel traverse treat trek tremble trick trigger
    trim trip trot trust try tuck tug tumble tune turn tutor twinkle twirl twist twitch type uncover
    undergo understand undertake undo undress unfold unite unlace unload unlock unpack unplug untangle
    untie unwind unwrap unzip update upgrade upload upset urge urinate use usher utilise utilize vacuum
    value vanish vary vent ventilate verify vibrate view visit visualise visualize volunteer vomit vote
    waddle wade wag wail wait wake walk wander want warm warn wash waste watch water wave wax weaken wear
    weave wed weed weep weigh welcome weld wet whimper whine whip whirl whisper whistle whiten widen
    wiggle win wind wink wipe wish withdraw wither withstand wobble wonder work worry worship wound wrap
    wrestle wring write yank yawn yell yelp zip zoom"""
).union(IRREGULAR, DOUBLING)  # fmt: skip
"""Common verbs; a form in -ing or -ed is taken back to one of these where it can be."""
