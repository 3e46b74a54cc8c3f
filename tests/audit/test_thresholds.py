"""Rules that an audit must not break."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.audit.probe import Setting, Subject
from commonsight.audit.thresholds import breaches, refuse_unknown, threshold
from commonsight.audit.values import Audit, Finding, Section
from commonsight.errors import UsageError
from commonsight.score.intervals import figure


class Scripted:
    name = "blind"
    title = "Blind"
    codes = ("choices-only", "question-only")

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        raise AssertionError(f"not measured here: {subject}, {setting}")


def an_audit(level: str = "warning") -> Audit:
    finding = Finding("choices-only", level, "Choices alone give 40 %.", task="q2a")  # type: ignore[arg-type]
    high, low = {"choices": figure([1, 0, 1, 0, 0])}, {"choices": figure([0, 0, 0, 1])}
    one = Section("blind", "Blind", task="q2a", findings=(finding,), figures=high)
    two = Section("blind", "Blind", task="qa2r", figures=low, numbers={"alpha": 0.9})
    return Audit("m", "b", "t", 5, {}, (one, two))


def broken(*rules: str, audit: Audit | None = None) -> list[str]:
    return list(breaches(audit or an_audit(), [threshold(rule) for rule in rules]))


def test_any_warning() -> None:
    assert broken("warning") == ["choices-only: Choices alone give 40 %."]
    assert broken("warning", audit=an_audit("note")) == []


def test_a_warning_by_its_code() -> None:
    assert broken("choices-only") == ["choices-only: Choices alone give 40 %."]
    assert broken("question-only") == []


def test_a_measure_with_a_limit_for_all_tasks_or_one() -> None:
    assert broken("blind.choices>0.3") == ["blind.q2a.choices is 0.400, above 0.3"]
    assert broken("blind.qa2r.choices>0.3") == []
    assert broken("blind.choices < 0.3") == ["blind.qa2r.choices is 0.250, below 0.3"]
    assert broken("blind.alpha<0.95") == ["blind.qa2r.alpha is 0.900, below 0.95"]


@pytest.mark.parametrize("text", ["", "blind.choices", "blind.choices>x", ">0.3", "A B", "blind..x>1"])
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="this is no rule"):
        threshold(text)


def test_a_rule_that_guards_nothing_is_refused() -> None:
    refuse_unknown([threshold("warning"), threshold("question-only"), threshold("blind.x>1")], [Scripted()])
    with pytest.raises(UsageError, match="no probe finds this"):
        refuse_unknown([threshold("no-such")], [Scripted()])
    with pytest.raises(UsageError, match="no probe is called words"):
        refuse_unknown([threshold("words.x>1")], [Scripted()])
    with pytest.raises(UsageError, match=r"no such measure. It has: blind.alpha, blind.choices"):
        broken("blind.nothing>0.3")


@given(st.text(max_size=40))
def test_any_text_is_a_rule_or_a_clear_error(text: str) -> None:
    try:
        rule = threshold(text)
    except UsageError:
        return
    assert rule.code or rule.name
