"""Signs: n-grams with a number, crossed with counts of objects."""

from __future__ import annotations

import pytest
from msgspec import structs

from commonsight.core.answer import Verdict
from commonsight.core.benchmark import Ask
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.models.features.examples import example_of
from commonsight.models.features.reading import WordReading
from commonsight.models.features.signs import Counting, kinds, number_of
from commonsight.models.features.vocabulary import vocabularies

DOGS = Counting(shortest=2, longest=2)
COUNTING = Counting()


def grams(counting: Counting, text: str) -> list[tuple[str, int]]:
    return [(" ".join(gram.words), gram.number) for gram in counting.grams(text.split())]


def asked(sentence: str, *scenes: Scene, true: bool = True) -> Ask:
    return Ask("1", "verify", scenes, {"sentence": TaggedText.plain(sentence)}, "verdict", (), Verdict(true))


def scene(*labels: str) -> Scene:
    return Scene("a.jpg", tuple(map(Region, labels)))


@pytest.mark.parametrize(
    ("word", "number"),
    [("two", 2), ("Zero", 0), ("twenty", 20), ("7", 7), ("2019", 2019), ("20190", None), ("dogs", None),
     ("²", None), ("٣", None), ("-1", None), ("", None), ("tone", None)],
)  # fmt: skip
def test_numbers_are_words_or_digits(word: str, number: int | None) -> None:
    assert number_of(word) == number


def test_grams_are_those_with_a_number_in_them() -> None:
    found = grams(Counting(shortest=2, longest=3), "there are two dogs here")
    assert found == [
        ("are two", 2),
        ("two dogs", 2),
        ("there are two", 2),
        ("are two dogs", 2),
        ("two dogs here", 2),
    ]


def test_grams_have_two_to_six_words() -> None:
    words = "a b c d e f g two h i j k l m n"
    sizes = [len(gram.split()) for gram, _ in grams(COUNTING, words)]
    assert sizes == [2] * 2 + [3] * 3 + [4] * 4 + [5] * 5 + [6] * 6
    assert grams(COUNTING, "two dogs") == [("two dogs", 2)]  # no longer than the sentence
    assert grams(COUNTING, "two") == []
    assert grams(COUNTING, "many dogs bark") == []


def test_a_gram_with_two_numbers_stands_there_for_each() -> None:
    three = Counting(shortest=3, longest=3)
    assert grams(three, "two or three") == [("two or three", 2), ("two or three", 3)]


def test_no_words_are_no_grams() -> None:
    with pytest.raises(ValueError, match="n-grams of 3 to 2 words are none"):
        Counting(shortest=3, longest=2)


def test_signs_of_one_picture() -> None:
    found = DOGS.signs(("two", "dogs"), DOGS.counted([scene("dog", "dog", "dog", "cup")]))
    assert found == [
        "two dogs | cup | 1 | 1",
        "two dogs | cup | 1 | less than 2",
        "two dogs | dog | 1 | 3",
        "two dogs | dog | 1 | greater than 2",
    ]


def test_signs_of_each_of_two_pictures_and_of_both_together() -> None:
    found = DOGS.signs(("two", "dogs"), DOGS.counted([scene("dog"), scene("dog")]))
    assert found == [
        "two dogs | dog | 1 | 1",
        "two dogs | dog | 1 | less than 2",
        "two dogs | dog | 2 | 1",
        "two dogs | dog | 2 | less than 2",
        "two dogs | dog | all | 2",
        "two dogs | dog | all | equal to 2",
    ]


def test_what_one_picture_lacks_is_counted_as_none() -> None:
    found = DOGS.signs(("one", "dog"), DOGS.counted([scene("dog"), scene()]))
    assert "one dog | dog | 2 | 0" in found
    assert "one dog | dog | 2 | less than 1" in found
    assert "one dog | dog | all | equal to 1" in found


def boxed(*lefts: tuple[str, float], width: int | None = 400) -> Scene:
    """Objects 20 wide, with their left edges."""
    regions = (Region(label, Box(left, 0, left + 20, 20)) for label, left in lefts)
    return Scene("a.png", tuple(regions), width=width, height=100)


def test_a_single_picture_is_counted_in_three_parts_too() -> None:
    drawing = boxed(("dog", 0), ("dog", 80), ("dog", 150), ("cup", 230), ("cup", 380))
    counts = DOGS.counted([drawing]), DOGS.in_panels([drawing])
    assert counts[1] == ((("dog", 2),), (("cup", 1), ("dog", 1)), (("cup", 1),))
    found = DOGS.signs(("two", "dogs"), *counts)
    assert [sign for sign in found if "| dog |" in sign] == [
        "two dogs | dog | 1 | 3",
        "two dogs | dog | 1 | greater than 2",
        "two dogs | dog | 1 of 3 | 2",
        "two dogs | dog | 1 of 3 | equal to 2",
        "two dogs | dog | 2 of 3 | 1",
        "two dogs | dog | 2 of 3 | less than 2",
        "two dogs | dog | 3 of 3 | 0",
        "two dogs | dog | 3 of 3 | less than 2",
    ]
    example = example_of(asked("two dogs", drawing), named=True, counting=DOGS)
    assert (example.counted, example.in_panels) == counts


def test_parts_are_not_counted_where_they_are_not_known() -> None:
    one = boxed(("dog", 10))
    assert not DOGS.in_panels([one, one])
    assert not DOGS.in_panels([boxed(("dog", 10), width=None)])
    assert not DOGS.in_panels([structs.replace(one, regions=(*one.regions, Region("dog")))])
    assert not Counting(panels=1).in_panels([one])
    assert DOGS.in_panels([boxed(("dog", 390))])[2] == (("dog", 1),)  # its middle is on the edge
    with pytest.raises(ValueError, match="a picture has one part at least, not 0"):
        Counting(panels=0)


def test_a_sign_is_there_once() -> None:
    words = ("one", "dog", "and", "one", "dog")
    found = DOGS.signs(words, DOGS.counted([scene("dog")]))
    assert len(found) == len(set(found)) == 4  # "one dog" and "and one", each with a count and compared


@pytest.mark.parametrize(("threshold", "count"), [(0.5, 3), (0.6, 2), (0.0, 4)])
def test_objects_that_a_detector_is_not_sure_of_are_not_counted(threshold: float, count: int) -> None:
    scores = (None, 0.9, 0.5, 0.4)
    seen = Scene("a.jpg", tuple(Region("dog", score=score) for score in scores))
    assert Counting(threshold=threshold).counted([seen]) == ((("dog", count),),)


def test_drawn_shapes_are_counted_by_what_they_are_like() -> None:
    assert kinds(Region("square", attributes=("Yellow",))) == ["square", "yellow", "yellow square"]
    assert kinds(Region("Dog")) == ["dog"]
    shapes = (
        Region("square", attributes=("Yellow",)),
        Region("circle", attributes=("Yellow",)),
        Region("square", attributes=("Black",)),
    )
    counts = dict(COUNTING.counted([Scene("a.png", shapes)])[0])
    assert counts == {"square": 2, "circle": 1, "yellow": 2, "black": 1, "yellow square": 1,
                      "yellow circle": 1, "black square": 1}  # fmt: skip


def test_only_those_who_count_are_given_counts() -> None:
    ask = asked("two dogs", scene("dog"))
    assert example_of(ask, named=True).counted == ()
    assert example_of(ask, named=True, counting=DOGS).counted == ((("dog", 1),),)


def test_signs_are_kept_where_training_has_them_often_enough() -> None:
    several = [
        example_of(asked(sentence, scene("dog")), named=True, counting=DOGS)
        for sentence in ("two dogs", "two dogs", "one dog")
    ]
    often, every = (vocabularies(several, counting=Counting(2, 2, at_least=least)).signs for least in (2, 1))
    assert often.names == ("two dogs | dog | 1 | 1", "two dogs | dog | 1 | less than 2")
    assert set(every.names) - set(often.names) == {"one dog | dog | 1 | 1", "one dog | dog | 1 | equal to 1"}
    assert vocabularies(several).signs.names == ()


def test_a_batch_has_the_signs_of_each_question_one_after_another() -> None:
    first, other = (
        example_of(asked(sentence, scene("dog")), named=True, counting=DOGS)
        for sentence in ("two dogs", "three cats")
    )
    known = vocabularies([first, first], counting=DOGS)
    batch = WordReading(known, counting=DOGS).batch([first, other, first])
    assert batch.signs is not None
    assert batch.signs.starts.tolist() == [0, 2, 2]  # what training does not have is no sign
    assert batch.signs.ids.tolist() == [2, 3, 2, 3]
    assert batch.to("cpu").signs is not None
    assert WordReading(known).batch([first]).signs is None
