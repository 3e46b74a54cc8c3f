# ruff: noqa: E501 - tables: one list, a few long lines
"""Words that fill the slots of premises. The paper names no list; these are our own."""

from __future__ import annotations

_LISTS: dict[str, str] = {
    "pairs": """friends|best friends|old friends|close friends|siblings|brothers and sisters|cousins|twins|neighbours|roommates
        classmates|schoolmates|colleagues|coworkers|business partners|teammates|band mates|rivals|competitors|opponents|enemies
        sworn enemies|strangers|acquaintances|allies|partners in crime|accomplices|lovers|a couple|newlyweds|husband and wife
        exes|relatives|in-laws|pen pals|comrades|companions|fellow travellers|mother and child|father and child
        teacher and student|doctor and patient|boss and employee|master and servant""",
    "partners": """friend|best friend|sibling|brother|sister|cousin|twin|mother|father|parent|child|son|daughter|grandfather
        grandmother|grandchild|uncle|aunt|nephew|niece|husband|wife|spouse|fiancé|lover|ex|neighbour|roommate|classmate
        colleague|coworker|business partner|teammate|rival|enemy|opponent|boss|manager|employee|assistant|secretary|teacher
        student|tutor|coach|mentor|doctor|patient|lawyer|client|customer|landlord|tenant|servant|bodyguard|driver|accomplice
        stepmother|stepfather|godfather|guardian|date|partner""",
    "bonds": """close|good|bad|warm|cold|tense|strained|distant|friendly|hostile|loving|intimate|harmonious|stable|solid|shaky|fragile
        complicated|difficult|stormy|sweet|bitter|awkward|formal|professional|respectful|trusting|suspicious|competitive
        peaceful|equal|unequal|happy|unhappy|toxic|healthy|strong|weak|superficial|deep|lasting|broken|secret|faithful|poor
        terrible|great|intense|romantic|cooperative|rocky""",
    "traits": """friendly|unfriendly|kind|unkind|cruel|generous|stingy|selfish|unselfish|greedy|honest|dishonest|sincere|sly|cunning
        loyal|disloyal|faithful|trustworthy|brave|cowardly|timid|shy|bold|daring|reckless|careful|careless|cautious|patient
        impatient|calm|hot-tempered|irritable|grumpy|gentle|rough|polite|impolite|rude|respectful|arrogant|modest|humble|proud
        vain|confident|insecure|optimistic|pessimistic|outgoing|introverted|extroverted|talkative|quiet
        reserved|sociable|lazy|hard-working|diligent|industrious|ambitious|persistent|stubborn|flexible|determined|decisive
        indecisive|responsible|irresponsible|reliable|unreliable|punctual|tidy|messy|organised|disorganised|creative
        imaginative|inventive|curious|clever|smart|intelligent|brainy|wise|foolish|silly|stupid|naive|humorous|funny|witty
        serious|strict|tolerant|intolerant|considerate|inconsiderate|thoughtful|thoughtless|caring|helpful|indifferent
        cold-hearted|warm-hearted|compassionate|sympathetic|sensitive|insensitive|suspicious|trusting
        gullible|forgiving|vengeful|aggressive|violent|bossy|obedient|rebellious|independent|dependent
        adventurous|conservative|open-minded|narrow-minded|impulsive|rational|emotional|romantic|practical|realistic
        idealistic|studious|charming|mean|malicious|wicked|evil|naughty|mischievous|childish|mature|easy-going|fussy|picky
        gossipy|secretive|frank|straightforward|blunt|energetic|hospitable|ungrateful|cynical|righteous
        tough|weak-willed|strong-willed|self-centred|scheming|treacherous|bad-tempered|good-natured|versatile|casual""",
    "tempers": """bad|good|short|quick|hot|fiery|calm|even|mild|gentle|nasty|terrible|violent|explosive|sweet|sunny|quarrelsome
        irritable|stubborn|changeable|unpredictable|fierce|peaceful|compassionate""",
    "impressions": """warm|cold|friendly|frightening|threatening|trustworthy|reliable|dangerous|gentle|strict|serious|mysterious
        studious|noble|cunning|dishonest|pleasant|unpleasant|strange|distant|motherly|fatherly|calm|restless|wise|childish
        confident|timid|sad|gloomy|sunny|safe|uneasy|creepy|arrogant|modest""",
    "jobs": """doctor|nurse|surgeon|dentist|vet|paramedic|pharmacist|psychologist|teacher|professor|lecturer|tutor|scientist
        researcher|engineer|architect|builder|carpenter|plumber|electrician|mechanic|painter|sculptor|artist|musician|singer
        pianist|guitarist|drummer|conductor|composer|dancer|actor|actress|director|film producer|photographer|model|writer|poet
        journalist|reporter|editor|librarian|lawyer|judge|prosecutor|police officer|detective|soldier|officer|general|guard
        bodyguard|spy|secret agent|firefighter|pilot|flight attendant|sailor|captain|fisherman|farmer|gardener|cowboy|hunter
        driver|taxi driver|bus driver|racing driver|courier|postman|cook|chef|baker|butcher|waiter|waitress|bartender|cashier
        shop assistant|salesman|saleswoman|merchant|banker|accountant|broker|businessman|businesswoman|manager|secretary
        clerk|receptionist|butler|servant|maid|cleaner|nanny|babysitter|hairdresser|barber|tailor|fashion designer|designer
        priest|monk|nun|politician|mayor|ambassador|coach|athlete
        boxer|basketball player|football player|magician|clown
        guide|interpreter|veterinarian|astronaut""",
    "roles": """student|pupil|boss|president|king|queen|prince|princess|knight|thief|robber|burglar|pickpocket|con artist|smuggler|pirate|gangster
        killer|murderer|hostage|prisoner|refugee|millionaire|beggar|tourist|guest|host|patient|customer|tenant|orphan|widow|heir
        vegetarian|workaholic|gambler|volunteer|newcomer|foreigner""",
    "workplaces": """hospital|clinic|school|kindergarten|university|laboratory|library|museum|theatre|cinema|restaurant|café|bar|bakery
        hotel|bank|post office|police station|fire station|court|prison|church|factory|warehouse|workshop|garage|petrol station
        supermarket|department store|shop|flower shop|bookshop|hair salon|gym|stadium|zoo|circus|nightclub|casino|farm|vineyard
        airport|railway station|port|mine|studio|newsroom|call centre|kitchen|morgue|nursing home|travel agency""",
    "employers": """bank|newspaper|publisher|television station|radio station|film company|record company|law firm|hospital|university
        city council|government office|secret service|charity|construction company|car maker|airline|shipping company|hotel chain
        bookshop|restaurant|supermarket|insurance company|advertising agency|software company|security company|fashion house
        travel agency|cleaning company|delivery service|toy factory|drug company|football club|detective agency""",
    "fields": """medicine|law|education|banking|journalism|publishing|engineering|construction|farming|fishing|catering|tourism|fashion
        advertising|politics|policing|security|science|software|music|film|theatre|sports|trade|transport|aviation|shipping|insurance
        real estate|childcare|social work|gardening|espionage|finance""",
    "incidents": """traffic accident|car crash|plane crash|shipwreck|fire|flood|earthquake|storm|hurricane|explosion|gas leak|power cut
        robbery|burglary|theft|murder|kidnapping|shooting|fight|quarrel|riot|war|battle|protest|strike|wedding|funeral|birthday
        birthday party|family reunion|party|concert|competition|match|election|exam|trial|divorce|break-up|misunderstanding|surprise
        ambush|escape|chase|false alarm|scandal|betrayal|bankruptcy|lottery win|promotion|power failure|terrible mistake
        ceremony|ball|meeting|deal""",
    "losses": """job|wallet|purse|keys|phone|passport|luggage|money|way|memory|glasses|wedding ring|house|fortune|dog|cat|mother|father
        parents|grandfather|grandmother|brother|sister|son|daughter|child|husband|wife|spouse|friend|best friend|colleague|partner
        mentor|teacher|boss|nephew|niece|uncle|aunt|cousin|grandchild|assistant|neighbour|lover|bet|game|match|appetite|trust""",
    "gains": """job|boss|colleague|assistant|secretary|neighbour|roommate|classmate|teacher|coach|friend|partner|lover|spouse|husband|wife
        brother|sister|stepmother|stepfather|son|daughter|baby|grandchild|nephew|niece|dog|cat|horse|car|bicycle|motorbike|house|flat
        phone|computer|camera|dress|suit|hat|watch|haircut|toy|book|guitar|contract|client|customer|mission""",
    "moods": """happy|glad|joyful|delighted|pleased|cheerful|excited|thrilled|ecstatic|content|satisfied|relieved|relaxed|calm|peaceful
        hopeful|confident|proud|grateful|thankful|touched|moved|amused|curious|interested|surprised|astonished|amazed|shocked
        stunned|confused|puzzled|confounded|baffled|bewildered|doubtful|worried|anxious|nervous|uneasy|tense|stressed|afraid
        frightened|scared|terrified|horrified|panicky|helpless|hopeless|desperate|sad|unhappy|miserable|gloomy|depressed|bleak
        downhearted|heartbroken|disappointed|discouraged|frustrated|upset|hurt|offended|insulted|humiliated|ashamed|embarrassed
        guilty|regretful|sorry|lonely|homesick|bored|tired|exhausted|sleepy|weary|annoyed|irritated|irked|angry|furious|outraged
        enraged|mad|resentful|bitter|jealous|envious|disgusted|contemptuous|indifferent|impatient|restless|eager|keen|zealous
        uncomfortable|comfortable|awkward|sick|dizzy|hungry|thirsty|hot|cold|drunk|sentimental|nostalgic
        enthusiastic|passionate|playful|energetic""",
    "urges": """happy|glad|delighted|pleased|excited|thrilled|eager|keen|proud|relieved|surprised|curious|nervous|afraid|scared|ashamed
        embarrassed|sad|sorry|impatient|reluctant|anxious|content|ready""",
    "experiences": """delightful|wonderful|exciting|thrilling|pleasant|amusing|moving|touching|comforting|relaxing|rewarding|surprising
        astonishing|shocking|confusing|puzzling|worrying|frightening|terrifying|horrifying|upsetting|depressing|disappointing
        heartbreaking|sad|somber|painful|humiliating|embarrassing|annoying|irritating|infuriating|disgusting|boring|tiring
        exhausting|satisfying|important|enjoyable|beautiful""",
    "times": """happy|good|great|wonderful|pleasant|lovely|relaxed|cheerful|merry|exciting|funny|memorable|peaceful|romantic|bad|hard
        terrible|horrible|miserable|sad|boring|dull|difficult|awkward|tense|unpleasant|stressful|painful|rough""",
    "looks": """happy|glad|cheerful|excited|proud|curious|surprised|astonished|shocked|puzzled|worried|anxious|nervous|frightened
        terrified|sad|gloomy|tearful|disappointed|tired|bored|annoyed|angry|furious|serious|solemn|stern|hopeful|relieved|confused
        blank|suspicious|guilty|ashamed|determined""",
    "tones": """good|bad|great|terrible|happy|cheerful|merry|festive|relaxed|peaceful|calm|romantic|playful|generous|forgiving|hopeful
        thoughtful|melancholy|sad|gloomy|sombre|dark|black|foul|grumpy|irritable|angry|nervous|anxious|restless|rebellious|bitter
        sentimental|nostalgic|ecstatic|delighted|glad|ashamed|proud|fighting|strange""",
    "feelings": """joy|happiness|delight|pride|hope|gratitude|love|admiration|excitement|curiosity|enthusiasm|confidence|courage|relief
        peace|surprise|fear|terror|horror|dread|anxiety|worry|doubt|suspicion|sadness|sorrow|grief|despair|regret|remorse|guilt
        shame|embarrassment|loneliness|disappointment|frustration|anger|rage|fury|hatred|jealousy|envy|disgust|contempt|bitterness
        longing|passion|pity|compassion|awe""",
    "weathers": """sunny|cloudy|rainy|raining|snowy|snowing|windy|stormy|foggy|misty|hot|warm|mild|cool|chilly|cold|freezing|humid|dry
        hot and humid|cold and windy|chilly and damp|sunny and warm|pouring with rain|thundering|hailing|icy|dusty|dark outside
        midnight|early morning|late at night""",
    "atmospheres": """cheerful|happy|joyful|merry|festive|lively|warm|cosy|homey|friendly|welcoming|relaxed|peaceful|calm|quiet|harmonious
        romantic|charming|dreamy|magical|picturesque|inspiring|solemn|serious|formal|tense|nervous|awkward|strained|hostile
        threatening|dangerous|frightening|horrifying|terrifying|nightmarish|creepy|eerie|mysterious|gloomy|bleak|dark|sad|tragic
        desolate|lonely|depressing|melancholy|boring|dull|chaotic|noisy|crowded|funny|comic|exciting|thrilling|heartwarming
        touching|heartbreaking|violent|adventurous""",
    "airs": """tension|joy|excitement|romance|love|magic|hope|peace|harmony|warmth|celebration|mystery|suspense|danger|fear|panic|terror
        menace|hostility|hatred|anger|suspicion|sadness|grief|despair|gloom|melancholy|boredom|awkwardness|unease|chaos|expectation
        something cheerful|something bleak|something charming|something homey|something sinister""",
}  # fmt: skip

WORDS: dict[str, tuple[str, ...]] = {
    name: tuple(word.strip() for line in text.split("\n") for word in line.split("|") if word.strip())
    for name, text in _LISTS.items()
}
WORDS["identities"] = (*WORDS["jobs"], *WORDS["roles"])
