"""Solvers, features and baselines on examples small enough to follow by hand."""

from __future__ import annotations

import numpy as np
from msgspec import structs
from scipy.sparse import csr_matrix

from commonsight.audit import fakes
from commonsight.audit.blind.baselines import label_baselines, pick_baselines
from commonsight.audit.blind.features import TextFeatures, grams, word_pairs
from commonsight.audit.blind.labels import Labels
from commonsight.audit.blind.lists import Folds, Listing, Lists
from commonsight.audit.blind.results import one_thread
from commonsight.audit.blind.sights import (
    averaged,
    chosen_solvers,
    clearness,
    found,
    frequent_answers,
    neighbours,
)
from commonsight.audit.blind.solvers import Boosted, Linear, bayes_classes, logistic_classes, ridge
from commonsight.audit.cases import Case, Cases
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.text.encoders import HashedEncoder


def listing_of(rows: list[tuple[list[str], int]]) -> Listing:
    items = [
        Item(f"i{number}", "val", (), {"question": TaggedText.plain("what ?")},
             tuple(map(TaggedText.plain, choices)), Pick(gold))
        for number, (choices, gold) in enumerate(rows)
    ]  # fmt: skip
    return Listing(fakes.subject_of(items).cases["choose"])


def test_the_linear_solver_finds_the_feature_that_tells() -> None:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(400, 5))
    right = np.zeros((100, 4), bool)
    right[np.arange(100), features[:, 2].reshape(100, 4).argmax(axis=1)] = True
    lists = Lists(np.arange(0, 400, 4), right.ravel())
    for given in (features, csr_matrix(features), features.astype(np.float32)):
        scores = Linear().fit(given, lists)(given)
        assert (scores.reshape(100, 4).argmax(axis=1) == right.argmax(axis=1)).mean() > 0.9


def test_the_linear_solver_reaches_the_known_optimum() -> None:
    # One feature that is 1 on the right row of three lists in four, else on the wrong one: with the penalty
    # gone, the chance of the marked row is 3/4, so its weight is log 3.
    features = np.array([[1.0], [0.0]] * 4)
    right = np.array([True, False] * 3 + [False, True])
    scores = Linear(penalty=1e-9).fit(features, Lists(np.arange(0, 8, 2), right))(np.array([[1.0]]))
    np.testing.assert_allclose(scores, [np.log(3)], rtol=1e-3)


def test_trees_see_what_is_not_linear() -> None:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(1000, 2))
    right = features[:, 0] * features[:, 1] > 0
    with one_thread():
        scores = Boosted(trees=20).fit(features, Lists(np.arange(1000), right))(features)
    assert ((scores > 0) == right).mean() > 0.95


def test_ridge_is_least_squares_when_nothing_is_shrunk() -> None:
    features = np.array([[0.0], [1.0], [2.0]])
    predict = ridge(features, np.array([[1.0, 0.0], [3.0, 0.0], [5.0, 0.0]]), 1e-9)
    np.testing.assert_allclose(predict(np.array([[10.0]])), [[21.0, 0.0]], atol=1e-6)


def test_classes_that_were_not_seen_are_never_likely() -> None:
    features = csr_matrix(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    labels = np.array([0, 2, 0])
    assert bayes_classes(features, labels, 4)(features).argmax(axis=1).tolist() == [0, 2, 0]
    assert bayes_classes(features, labels, 4)(features)[:, [1, 3]].max() == 0
    assert logistic_classes(features, labels, 4)(features).argmax(axis=1).tolist() == [0, 2, 0]


def test_the_solver_of_a_fold_is_chosen_by_the_others() -> None:
    folds = Folds(np.array([0, 1, 2]), 3, "")
    assert neighbours(3) == [(0, 1), (1, 2), (2, 0)]
    first, second, third = np.eye(3)
    # What each solver finds while two neighbours are held out. Fold 0 goes by what was found of fold 1 in the
    # first pair and of fold 2 in the third, never by what was found of fold 0 itself.
    earned = {"a": [first, third, first], "b": [second, second, third]}
    assert chosen_solvers(earned, folds) == ("b", "a", "a")  # the last is a tie
    assert neighbours(2) == []
    assert chosen_solvers({"a": [], "b": []}, Folds(np.array([0, 1]), 2, "")) == ("a", "a")


def test_ties_are_broken_by_luck_and_margins_are_chances() -> None:
    listing = listing_of([(["a", "b"], 0)] * 400)
    hits = found(np.zeros(800), listing, seed=1)
    assert 0.4 < hits.mean() < 0.6
    sure = np.where(listing.right, 100.0, 0.0)
    assert found(sure, listing, seed=1).min() == 1
    np.testing.assert_allclose(clearness(sure, listing), 1.0)
    np.testing.assert_allclose(averaged([sure, np.zeros(800)], listing)[:2], [0.5, -0.5])


def test_baselines_by_hand() -> None:
    listing = listing_of([
        (["dog", "cat"], 0),
        (["cup", "dog"], 1),
        (["dog", "cup", "cat"], 0),
        (["cup", "car"], 1),
    ])  # fmt: skip
    folds = Folds(np.array([0, 0, 1, 1]), 2, "")
    rows = pick_baselines(listing, folds, seed=0)
    np.testing.assert_allclose(rows["chance"], [1 / 2, 1 / 2, 1 / 3, 1 / 2])
    # Fold 0 knows that dog and car were right once each; fold 1 that dog was twice.
    np.testing.assert_allclose(rows["most_common"], [1, 1, 1, 1 / 2])
    np.testing.assert_allclose(rows["weighted_random"], [1, 1, 1, 1 / 2])


def test_a_borrowed_sentence_is_nobodys_most_common_answer() -> None:
    said = "she is waiting for a cab"
    listing = listing_of([([said, "cat"], 0), (["cat", said], 0)])
    rows = pick_baselines(listing, Folds(np.array([0, 1]), 2, ""), seed=0)
    assert rows["most_common"].tolist() == [0.0, 0.5]  # "cat" was right once; the sentence does not count


def _case(number: int, answer: str, accepted: tuple[str, ...] = ()) -> Case:
    text = TaggedText.plain("what ?")
    return Case(f"c{number}", "val", text, (), None, answer, (), (), str(number), str(number), (), accepted)


def test_labels_are_worth_what_people_gave() -> None:
    people = ("dog",) * 2 + ("Cat",) * 8
    labels = Labels(Cases("t", "T", "label", [_case(0, "cat", people), _case(1, "dog"), _case(2, "dog")]))
    assert labels.names == ("dog", "cat")
    np.testing.assert_allclose(labels.worth, [[2 / 3, 1.0], [1.0, 0.0], [1.0, 0.0]])
    rows = label_baselines(labels, Folds(np.array([0, 1, 1]), 2, ""))
    np.testing.assert_allclose(rows["majority"], [2 / 3, 0.0, 0.0])
    np.testing.assert_allclose(rows["chance"], [0.5] * 3)


def test_frequent_answers_are_numbered_and_others_are_not() -> None:
    listing = listing_of([(["Dog", "cat"], 0)] * 3 + [(["dog", "cat"], 1)] * 2)
    assert frequent_answers(listing).tolist() == [0, 0, 0, -1, -1]


def test_pairs_join_a_word_that_is_asked_with_a_word_that_is_said() -> None:
    found = word_pairs(["why run", "who"], ["far", "a b", "a"], np.array([0, 0, 1]))
    assert found.sum(axis=1).ravel().tolist()[0] == [2.0, 4.0, 1.0]
    assert word_pairs(["", ""], ["a", ""], np.array([0, 1])).nnz == 0


def test_grams_take_letters_where_texts_are_short() -> None:
    assert grams(["dog house", "doghouse"]).multiply(1).nnz > 10
    assert grams(["one two three four five", "six seven eight nine ten"]).shape[1] == 0


def test_features_of_lists_of_several_sizes_are_finite() -> None:
    items = [
        structs.replace(item, choices=item.choices[: 1 + at % 4], gold=Pick(0))
        for at, item in enumerate(fakes.clean_items(40, 2))
    ]
    listing = Listing(fakes.subject_of(items).cases["choose"])
    texts = TextFeatures(listing, HashedEncoder(16), 0)
    for each in (texts.alone, texts.together, texts.fitting, texts.together_reduced, texts.fitting_reduced):
        assert each.shape[0] == len(listing.item)
        assert np.isfinite(each).all()
        assert each.dtype == np.float32
