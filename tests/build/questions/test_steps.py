"""From the meaning of a question to its steps: the examples of CRIC's figures."""

from __future__ import annotations

import pytest

from commonsight.build.questions.form import Having, Known, Question, Referent, Related
from commonsight.build.questions.steps import compiled, length
from commonsight.build.questions.steps import functions as steps_needed
from commonsight.graph.knowledge import Query
from commonsight.graph.programs import check, written

CUTS = Known(Query("BLANK", "UsedFor", "cutting food"))
ON_PLATE = Related("on", Referent("plate"))
LIFTS = Known(Query("BLANK", "CapableOf", "lift VISION"), Referent(clauses=(ON_PLATE,)))
CHOPS = Known(Query("eating", "HasPrerequisite", "BLANK"))


@pytest.mark.parametrize(
    ("question", "steps", "functions"),
    [
        (
            Question("QueryObjKG", Referent(), CUTS, "object"),
            '[1] Find_KG([0], "BLANK", "UsedFor", "cutting food"); [2] Recognition([1], "object")',
            2,
        ),
        (
            Question("QueryObjKG", Referent("cutlery", True), LIFTS, "cutlery"),
            (
                '[1] Find_Hypernym([0], "cutlery"); [2] Find([0], "plate"); [3] Relate_Reverse([2], "on"); '
                '[4] Find_KG([1], [3], "BLANK", "CapableOf", "lift VISION"); [5] Recognition([4], "cutlery")'
            ),
            5,
        ),
        (
            Question("QueryObjKG", Referent("tool", True, ("metal",)), CHOPS, "tool"),
            (
                '[1] Find_Hypernym([0], "tool"); [2] Find([1], "object", "metal"); '
                '[3] Find_KG_Reverse([2], "eating", "HasPrerequisite", "BLANK"); [4] Recognition([3], "tool")'
            ),
            4,
        ),
        (
            Question("QueryAtt", Referent("tool", True, clauses=(CUTS,)), asks="material"),
            (
                '[1] Find_Hypernym([0], "tool"); [2] Find_KG([1], "BLANK", "UsedFor", "cutting food"); '
                '[3] Recognition([2], "material")'
            ),
            3,
        ),
        (
            Question(
                "VerifyAtt",
                Referent("cup", clauses=(ON_PLATE, Related("holding", Referent("man"), False))),
                Having("red"),
            ),
            (
                '[1] Find([0], "plate"); [2] Relate_Reverse([1], "on"); [3] Find([0], "man"); '
                '[4] Relate([3], "holding"); [5] And([2], [4]); [6] Find([5], "cup", "red"); [7] Verify([6])'
            ),
            7,
        ),
    ],
)
def test_steps(question: Question, steps: str, functions: int) -> None:
    program = compiled(question)
    check(program)
    assert written(program) == f"[0] Initial(); {steps}"
    assert length(program) == functions == steps_needed(question)
