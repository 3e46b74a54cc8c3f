"""What learns to tell the right choice: a linear model over lists, trees, ridge, naive Bayes; and a door.

The linear model is a conditional logit: the chance of a choice is its share among the choices of its item,
and that of the right one is what is learned. Beside a classifier of single choices it finds as much or more,
and takes a fraction of the time (one product with the matrix for each step, and few steps).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from commonsight.audit.blind.lists import Floats, Ints, Lists, softmax

Predict = Callable[[Any], Floats]
"""Scores of rows: the higher, the likelier right."""


class FittedSolver(Protocol):
    """A solver that has learned."""

    def scores(self, asked: Sequence[str], said: Sequence[str]) -> Floats:
        """How likely each choice is to be right, on any scale that is the same for all choices of an item."""
        ...


class ChoiceSolver(Protocol):
    """The door for other solvers, such as a fine-tuned transformer."""

    @property
    def name(self) -> str:
        """What to call it in the report."""
        ...

    def fit(
        self, asked: Sequence[str], said: Sequence[str], right: Sequence[bool], *, seed: int
    ) -> FittedSolver:
        """Learn from choices, with what is asked (empty if not to be seen) and whether they are right."""
        ...


class Learner(Protocol):
    """Learns from the features of rows in lists."""

    def fit(self, features: Any, lists: Lists) -> Predict:
        """A function that scores rows of such features."""
        ...


@dataclass(frozen=True)
class Linear:
    """The conditional logit; `penalty` is that on the squared weights."""

    penalty: float = 1.0
    steps: int = 40

    def fit(self, features: Any, lists: Lists) -> Predict:
        """Weights of the features."""
        weights = listwise_weights(features, lists, self.penalty, self.steps)
        return lambda rows: np.asarray(rows @ weights.astype(rows.dtype), np.float64)


def listwise_weights(features: Any, lists: Lists, penalty: float, steps: int) -> Floats:
    """The weights under which the right rows are likeliest, shrunk by the penalty."""
    from scipy.optimize import minimize

    turned = features.T.tocsr() if hasattr(features, "tocsr") else features.T
    gold = np.flatnonzero(lists.right)
    wanted = np.asarray(features[gold].sum(axis=0, dtype=np.float64)).ravel()

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = features @ weights.astype(features.dtype)  # in the precision of the features: half the time
        chances = softmax(np.asarray(scores, np.float64), lists.starts)
        value = -np.log(np.maximum(chances[gold], 1e-300)).sum() + penalty / 2 * weights @ weights
        slope = np.asarray(turned @ chances.astype(features.dtype), np.float64) - wanted
        return float(value), slope + penalty * weights

    begun = np.zeros(features.shape[1])
    found: Floats = minimize(loss, begun, jac=True, method="L-BFGS-B", options={"maxiter": steps}).x
    return found


@dataclass(frozen=True)
class Boosted:
    """Gradient-boosted trees over single rows: for few dense features, whose interplay they see."""

    seed: int = 0
    trees: int = 60
    leaves: int = 15

    def fit(self, features: Any, lists: Lists) -> Predict:
        """Trees that tell right rows from wrong ones."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        model = HistGradientBoostingClassifier(
            max_iter=self.trees,
            max_leaf_nodes=self.leaves,
            learning_rate=0.1,
            l2_regularization=5.0,
            early_stopping=False,
            random_state=self.seed,
        ).fit(features, lists.right)
        return lambda rows: np.asarray(model.decision_function(rows), np.float64)


def ridge(features: Floats, targets: Floats, penalty: float) -> Predict:
    """Least squares with an intercept, from features to one or several targets: (rows, targets)."""
    centre, level = features.mean(axis=0), targets.mean(axis=0)
    centred = features - centre
    square = centred.T @ centred + penalty * np.eye(features.shape[1])
    weights = np.linalg.solve(square, centred.T @ (targets - level))
    return lambda rows: np.asarray((rows - centre) @ weights + level, np.float64)


Classify = Callable[[Any, Ints, int], Predict]
"""Learns classes by number from features; gives a score for each class: (rows, classes)."""


def ridge_classes(penalty: float) -> Classify:
    """Least squares to one column a class: many classes cost hardly more than few."""

    def fit(features: Any, labels: Ints, classes: int) -> Predict:
        return ridge(features, np.eye(classes)[labels], penalty)

    return fit


def bayes_classes(features: Any, labels: Ints, classes: int) -> Predict:
    """Naive Bayes over grams: many classes, sparse features. A class that was not seen is never likely."""
    from sklearn.naive_bayes import MultinomialNB

    model = MultinomialNB(alpha=0.1).fit(features, labels)

    def predict(rows: Any) -> Floats:
        scores = np.zeros((rows.shape[0], classes))
        scores[:, model.classes_] = model.predict_proba(rows)
        return scores

    return predict


def logistic_classes(features: Any, labels: Ints, classes: int) -> Predict:
    """Logistic regression, one class against the others: for a few classes."""
    from sklearn.linear_model import LogisticRegression

    models = {
        label: LogisticRegression(solver="liblinear", random_state=0).fit(features, labels == label)
        for label in np.unique(labels).tolist()
    }

    def predict(rows: Any) -> Floats:
        scores = np.full((rows.shape[0], classes), -np.inf)
        for label, model in models.items():
            scores[:, label] = model.decision_function(rows)
        return scores

    return predict


def boosted_classes(seed: int, trees: int) -> Classify:
    """Boosted trees for a few classes."""

    def fit(features: Any, labels: Ints, classes: int) -> Predict:
        from sklearn.ensemble import HistGradientBoostingClassifier

        model = HistGradientBoostingClassifier(
            max_iter=trees, max_leaf_nodes=15, l2_regularization=5.0, early_stopping=False, random_state=seed
        ).fit(features, labels)

        def predict(rows: Any) -> Floats:
            scores = np.zeros((rows.shape[0], classes))
            scores[:, model.classes_] = model.predict_proba(rows)
            return scores

        return predict

    return fit
