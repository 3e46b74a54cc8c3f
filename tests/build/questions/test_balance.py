"""Balance: what is frequent is cut, what is rare stays, yes and no are even, and chance has no say."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.questions.balance import balanced, smoothed
from commonsight.build.questions.facts import Facts, Index
from commonsight.build.questions.report import balance_report, stage
from commonsight.build.questions.split import draw


def facts(kind: str, answer: str, *queries: str, number: int = 0) -> Facts:
    return Facts(kind, answer, queries, 3, 8, draw(f"{kind}{answer}{queries}{number}"))


def many(kind: str, counts: dict[tuple[str, str], int]) -> list[Facts]:
    return [
        facts(kind, answer, query, number=number)
        for (answer, query), count in counts.items()
        for number in range(count)
    ]


def left(all_facts: list[Facts], evenness: float = 0.5) -> list[Facts]:
    return [each for each, kept in zip(all_facts, balanced(Index(all_facts), evenness), strict=True) if kept]


def test_what_is_above_the_average_is_cut_to_a_power_of_it() -> None:
    assert smoothed({1: 64, 2: 4, 3: 2, 4: 2, 5: 8}, 0.5) == {1: 32, 2: 4, 3: 2, 4: 2, 5: 8}
    assert smoothed({1: 64, 2: 4, 3: 2, 4: 2, 5: 8}, 0) == {1: 16, 2: 4, 3: 2, 4: 2, 5: 8}
    assert smoothed({}, 0.5) == {}


@given(st.dictionaries(st.integers(), st.integers(1, 10**6), max_size=20), st.floats(0, 1))
def test_smoothing_never_adds_never_loses_and_keeps_the_order(
    counts: dict[int, int], evenness: float
) -> None:
    allowed = smoothed(counts, evenness)
    assert all(1 <= allowed[name] <= count for name, count in counts.items())
    ranked = sorted(counts, key=lambda name: counts[name])
    assert [allowed[name] for name in ranked] == sorted(allowed.values())
    if evenness == 1:
        assert allowed == counts


def test_answers_of_a_type_are_evened_out_and_rare_ones_all_stay() -> None:
    told = [facts("QueryAtt", "red", f"q{n}", number=n) for n in range(90)]
    told += [facts("QueryAtt", color, f"{color}{n}", number=n) for color in ("blue", "tan") for n in range(5)]
    told += [facts("QueryObjKG", "red", f"o{n}", number=n) for n in range(90)]  # its own average
    counts = Counter((each.type, each.answer) for each in left(told))
    average = 100 / 3
    assert counts["QueryAtt", "red"] == round(average * (90 / average) ** 0.5)
    assert counts["QueryAtt", "blue"] == counts["QueryAtt", "tan"] == 5
    assert counts["QueryObjKG", "red"] == 90


def test_no_piece_of_knowledge_is_used_more_often_than_allowed() -> None:
    uses = {(f"a{n % 7}", "common"): 40 for n in range(7)} | {(f"a{n % 7}", f"rare{n}"): 2 for n in range(30)}
    before = Counter(query for (_, query), count in uses.items() for _ in range(count))
    after = Counter(each.queries[0] for each in left(many("QueryObjKG", uses)))
    allowed = smoothed(dict(enumerate(before.values())), 0.5)
    assert after["common"] <= dict(zip(before, allowed.values(), strict=True))["common"] < before["common"]


def test_yes_and_no_are_as_many_and_knowledge_does_not_give_them_away() -> None:
    uses = {
        ("yes", "a"): 30,
        ("no", "a"): 10,
        ("yes", "b"): 3,
        ("no", "b"): 12,
        ("no", "c"): 9,
        ("yes", "d"): 9,
    }
    kept = left(many("VerifyKG", uses), evenness=1)
    answers = Counter(each.answer for each in kept)
    assert answers["yes"] == answers["no"] > 10
    for query in "abcd":
        own = Counter(each.answer for each in kept if each.queries == (query,))
        assert abs(own["yes"] - own["no"]) <= 1


def test_yes_alone_cannot_be_balanced() -> None:
    assert left(many("VerifyAtt", {("yes", "a"): 8})) == []


def test_the_order_in_which_questions_come_does_not_matter() -> None:
    told = many("QueryObjKG", {("cup", "a"): 50, ("fork", "b"): 9, ("bowl", "a"): 3})
    told += many("VerifyKG", {("yes", "a"): 12, ("no", "a"): 20})
    assert {each.order for each in left(told)} == {each.order for each in left(told[::-1])}


def test_no_questions_at_all() -> None:
    assert balanced(Index()).tolist() == []
    assert balance_report(Index(), balanced(Index()), 0.5).after.questions == 0


def test_the_report_tells_how_even_and_how_guessable() -> None:
    told = many(
        "QueryObjKG", {("cup", "holds"): 6, ("fork", "lifts"): 2, ("knife", "cuts"): 1, ("saw", "cuts"): 1}
    )
    found = stage(Index(told), np.ones(10, dtype=np.bool_))
    of_type = found.types["QueryObjKG"]
    assert (found.questions, found.distinct_answers, found.distinct_knowledge) == (10, 4, 3)
    assert (of_type.answers.distinct, of_type.answers.top_share, of_type.guess) == (4, 0.6, 0.6)
    assert of_type.guess_by_knowledge == 0.9
    assert of_type.answers.most == {"cup": 6, "fork": 2, "knife": 1, "saw": 1}
    assert of_type.answers.effective == pytest.approx(2.97, abs=0.01)
    assert found.functions == {3: 10}


def test_indexes_of_parts_add_up_to_that_of_the_whole() -> None:
    told = [*many("VerifyKG", {("yes", "a"): 3, ("no", "a"): 2, ("yes", "b"): 1}), facts("QueryAtt", "red")]
    whole = Index(told)
    joined = Index()
    for part in (told[:2], [], told[2:]):
        joined.update(Index(part).columns())
    assert joined.columns() == whole.columns()
    assert len(joined) == len(told)
