"""Forms of English words: a table by hand, laws over all known verbs, and a second opinion."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core import english_nouns, inflect
from commonsight.core.english_verbs import VERBS

PLURALS = """
dog dogs|cat cats|box boxes|bus buses|dish dishes|watch watches|bench benches|glass glasses|dress dresses
city cities|baby babies|toy toys|key keys|boy boys|tray trays|cookie cookies|tie ties|pie pies|movie movies
man men|woman women|child children|person people|foot feet|tooth teeth|mouse mice|goose geese
fireman firemen|policewoman policewomen|grandchild grandchildren|human humans
knife knives|leaf leaves|shelf shelves|bookshelf bookshelves|scarf scarves|loaf loaves|wolf wolves|roof roofs
potato potatoes|tomato tomatoes|piano pianos|photo photos|zoo zoos|kangaroo kangaroos|video videos
sheep sheep|deer deer|fish fish|aircraft aircraft|lens lenses|octopus octopuses|cactus cacti|quiz quizzes
horse horses|house houses|nose noses|vase vases|bridge bridges|orange oranges|umbrella umbrellas|bush bushes
dining table dining tables|traffic light traffic lights|wine glass wine glasses|hot dog hot dogs
bottle of water bottles of water|pair of glasses pairs of glasses|loaf of bread loaves of bread
piece of furniture pieces of furniture|police officer police officers|stomach stomachs|axe axes|tax taxes
"""

VERB_FORMS = """
lift lifts lifting lifted|eat eats eating eaten|cut cuts cutting cut|sit sits sitting sat
run runs running run|swim swims swimming swum|write writes writing written|ride rides riding ridden
carry carries carrying carried|play plays playing played|wash washes washing washed
fix fixes fixing fixed|tie ties tying tied|lie lies lying lain|die dies dying died|be is being been
have has having had|do does doing done|go goes going gone|see sees seeing seen|dye dyes dyeing dyed
stop stops stopping stopped|travel travels travelling|open opens opening opened
begin begins beginning begun|admit admits admitting admitted|visit visits visiting visited
show shows showing shown|mix mixes mixing mixed|panic panics panicking panicked
quiz quizzes quizzing quizzed|hold holds holding held|wear wears wearing worn|drink drinks drinking drunk
throw throws throwing thrown|rewrite rewrites rewriting rewritten
oversleep oversleeps oversleeping overslept|relay relays relaying relayed
"""

ARTICLES = """
apple an|umbrella an|uniform a|university a|hour an|honest man an|user a|european country a|one-way street a
utensil a|unit a|uncle an|x-ray an|t-shirt a|elephant an|old chair an
dining table a|bottle of water a|unhappy dog an
"""


def _rows(table: str) -> list[str]:
    return [row for line in table.strip().splitlines() for row in line.split("|")]


def _halves(row: str) -> tuple[str, str]:
    words = row.split()
    return " ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])


@pytest.mark.parametrize(("one", "many"), [_halves(row) for row in _rows(PLURALS)])
def test_one_and_many(one: str, many: str) -> None:
    assert inflect.plural(one) == many
    assert inflect.plural(many) == many
    assert inflect.singular(many) == one or (many == "glasses" and inflect.singular(many) == many)
    assert inflect.singular(one) == one
    if one != many:
        assert inflect.is_plural(many)
        assert not inflect.is_plural(one)


@pytest.mark.parametrize("row", _rows(VERB_FORMS))
def test_forms_of_verbs(row: str) -> None:
    verb, third, gerund, *participle = row.split()
    assert inflect.third_person(verb) == third
    assert inflect.gerund(verb) == gerund
    assert inflect.base(third) == inflect.base(gerund) == inflect.base(verb) == verb
    for done in participle:
        assert inflect.participle(verb) == done
        assert inflect.base(done) == verb


@pytest.mark.parametrize(("noun", "article"), [row.rsplit(" ", 1) for row in _rows(ARTICLES)])
def test_articles_go_by_sound(noun: str, article: str) -> None:
    assert inflect.article(noun) == article
    assert inflect.with_article(noun) == f"{article} {noun}"


@pytest.mark.parametrize(
    "noun", ["milk", "water", "furniture", "scissors", "jeans", "dogs", "police", "", "sand"]
)
def test_what_takes_no_article(noun: str) -> None:
    assert inflect.article(noun) == ""
    assert inflect.with_article(noun) == noun


def test_what_is_counted() -> None:
    assert inflect.is_mass("milk")
    assert inflect.is_mass("orange juice")
    assert not inflect.is_mass("glass of milk")
    assert inflect.countable("cup")
    assert inflect.countable("coffee")
    assert not inflect.countable("milk")
    assert not inflect.countable("scissors")
    assert inflect.plural("milk") == "milk"


def test_phrases_change_their_verb() -> None:
    assert inflect.gerund("lift food") == "lifting food"
    assert inflect.third_person("pick up food") == "picks up food"
    assert inflect.participle("eat raw") == "eaten raw"
    assert inflect.base("moving food from plate to mouth") == "move food from plate to mouth"
    assert inflect.past("go home") == "went home"
    assert inflect.gerund("not go home") == "not going home"
    assert inflect.is_verb("eaten")
    assert not inflect.is_verb("table")


@given(st.sampled_from(sorted(VERBS)))
def test_every_known_verb_comes_back(verb: str) -> None:
    for form in (inflect.gerund, inflect.third_person, inflect.participle, inflect.past, inflect.base):
        assert inflect.base(form(verb)) == verb


def test_all_known_verbs_come_back_too() -> None:
    forms = (inflect.gerund, inflect.third_person, inflect.participle, inflect.past)
    assert [verb for verb in VERBS for form in forms if inflect.base(form(verb)) != verb] == []


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz' -", min_size=1, max_size=20))
def test_any_word_has_forms(word: str) -> None:
    assert inflect.plural(inflect.plural(word)) is not None
    for form in (inflect.singular, inflect.gerund, inflect.third_person, inflect.participle, inflect.base):
        assert isinstance(form(word), str)
    inflect.article(word)


def test_tables_do_not_contradict_each_other() -> None:
    assert not english_nouns.PLURAL_ONLY & english_nouns.SINGULAR_S
    assert english_nouns.COUNTED_TOO <= english_nouns.MASS
    assert not english_nouns.SAME & set(english_nouns.IRREGULAR)


def test_a_second_opinion_on_verbs() -> None:
    lemminflect = pytest.importorskip("lemminflect")
    pairs = ((inflect.gerund, "VBG"), (inflect.third_person, "VBZ"), (inflect.participle, "VBN"))
    for form, tag in pairs:
        theirs = {verb: lemminflect.getInflection(verb, tag) for verb in VERBS}
        differ = [verb for verb, forms in theirs.items() if forms and form(verb) not in forms]
        assert len(differ) < 0.015 * len(VERBS), differ
