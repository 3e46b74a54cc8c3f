"""The logistic regression on counts, and the threshold at a precision."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.imaging.interest import by_counts, curves
from commonsight.build.imaging.interest.lessons import Rated, by_ratings, by_rule, groups
from commonsight.build.imaging.interest.rules import RULES
from commonsight.build.imaging.sightings import Sighting
from commonsight.errors import InputError, InvalidRecords

CHANCES = st.lists(st.tuples(st.integers(0, 9).map(lambda n: n / 9), st.booleans()), min_size=1).filter(
    lambda rows: any(right for _, right in rows)
)


def rated(count: int, seed: int = 0) -> Rated:
    """People make a picture interesting, other objects a little, and chance does the rest."""
    rng = np.random.default_rng(seed)
    people, others = rng.integers(0, 7, count), rng.integers(0, 9, count)
    odds = 1.2 * people + 0.2 * others - 4.5
    seen = [
        Sighting(f"{n}.jpg", None, {"person": int(p), "cup": int(o)})
        for n, (p, o) in enumerate(zip(people, others, strict=True))
    ]
    return Rated(seen, (rng.random(count) < 1 / (1 + np.exp(-odds))).tolist())


def test_it_finds_what_makes_pictures_interesting() -> None:
    fitted = by_counts.fit(rated(2000))
    assert fitted.model.people == pytest.approx(1.2, abs=0.15)
    assert fitted.model.others == pytest.approx(0.2, abs=0.06)
    assert fitted.learned.chosen.reached
    assert 0.7 <= fitted.learned.chosen.precision < 0.75
    # What it was not fitted to is chosen about as precisely.
    other = rated(2000, seed=1)
    chosen = by_counts.judgements(other.seen, fitted.model)
    right = [yes for judged, yes in zip(chosen, other.interesting, strict=True) if judged.enough]
    assert np.mean(right) == pytest.approx(0.7, abs=0.06)


def test_a_higher_precision_chooses_fewer() -> None:
    lessons = rated(800)
    low, high = (by_counts.fit(lessons, precision=wanted).learned.chosen for wanted in (0.6, 0.9))
    assert high.precision >= 0.9 > low.precision
    assert high.pictures < low.pictures
    assert high.threshold > low.threshold


def test_a_precision_that_is_nowhere_reached_is_told() -> None:
    lessons = rated(60)
    shuffled = Rated(lessons.seen, [place % 3 == 0 for place in range(60)])
    chosen = by_counts.fit(shuffled, precision=0.999).learned.chosen
    assert not chosen.reached or chosen.precision >= 0.999


def test_three_pictures_are_enough_to_say_something() -> None:
    lessons = rated(40)
    place = lessons.interesting.index(True)
    few = Rated([lessons.seen[place], *lessons.seen[:2]], [True, False, False])
    assert by_counts.fit(few).learned.rated == 3


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    fitted = by_counts.fit(rated(200))
    by_counts.save(tmp_path / "m.json", fitted.model)
    assert by_counts.load(tmp_path / "m.json") == fitted.model
    again = by_counts.fit(rated(200))
    assert again.model == fitted.model
    (tmp_path / "m.json").write_text('{"people": 1}')
    with pytest.raises(InputError, match="learn-interest"):
        by_counts.load(tmp_path / "m.json")


@given(CHANCES, st.sampled_from((0.3, 0.5, 0.7, 1.0)))
def test_the_threshold_is_the_lowest_that_is_precise_enough(
    rows: list[tuple[float, bool]], wanted: float
) -> None:
    chances, right = [chance for chance, _ in rows], [yes for _, yes in rows]
    chosen = curves.threshold_for(chances, right, wanted)

    def precision(threshold: float) -> float:
        return float(np.mean([yes for chance, yes in rows if chance >= threshold]))

    assert chosen.precision == pytest.approx(precision(chosen.threshold))
    lower = [chance for chance in chances if chance < chosen.threshold]
    if chosen.reached:
        assert chosen.precision >= wanted
        assert all(precision(chance) < wanted for chance in lower)
    else:
        assert all(precision(chance) < wanted for chance in chances)


@given(CHANCES)
def test_the_curve_is_scikit_learns(rows: list[tuple[float, bool]]) -> None:
    from sklearn.metrics import average_precision_score

    chances, right = [chance for chance, _ in rows], [yes for _, yes in rows]
    made = curves.curve(chances, right)
    assert curves.average(made) == pytest.approx(average_precision_score(right, chances))
    assert made.recall[-1] == pytest.approx(1.0)


def test_the_plot_is_written_twice(tmp_path: Path) -> None:
    fitted = by_counts.fit(rated(100))
    svg, png = curves.plot(tmp_path / "curve", fitted.learned.curve, fitted.learned.chosen, 0.7, 0.4)
    assert svg.read_bytes().startswith(b"<?xml")
    assert png.read_bytes().startswith(b"\x89PNG")


def test_ratings_and_rules_make_lessons(tmp_path: Path) -> None:
    seen = rated(4).seen
    (tmp_path / "r.csv").write_text("image,rating\n0.jpg,1\n2.jpg,0\n99.jpg,1\n")
    lessons = by_ratings(seen, tmp_path / "r.csv")
    assert [one.name for one in lessons.seen] == ["0.jpg", "2.jpg"]
    assert lessons.interesting == [True, False]
    (tmp_path / "r.csv").write_text("image,rating\n99.jpg,1\n")
    with pytest.raises(InvalidRecords, match="no picture that was rated"):
        by_ratings(seen, tmp_path / "r.csv")
    many = rated(60)
    ruled = by_rule(many.seen, RULES["aokvqa"].rule, tmp_path)
    assert ruled.interesting == [one.objects > 3 for one in many.seen]


def test_groups_are_of_a_size() -> None:
    assert [len(group) for group in groups(rated(7).seen, 3)] == [3, 3, 1]
