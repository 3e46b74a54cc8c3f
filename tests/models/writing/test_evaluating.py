"""What is written is judged: answers by F1, rationales by BLEU."""

from __future__ import annotations

import pytest
from making import batch_for, drawn, given_to, letters, reading_for, tiny_network
from msgspec import structs

from commonsight.models.catalogue import find
from commonsight.models.engine.team import Team
from commonsight.models.features.source import Source
from commonsight.models.writing.decoding import decoded
from commonsight.models.writing.evaluating import f1, judged, writings
from commonsight.models.writing.style import RATIONALE, Decoding


@pytest.mark.parametrize(
    ("text", "wanted", "score"),
    [("red cup", "red cup", 1.0), ("a red cup", "red cup", 0.8), ("dog", "cup", 0.0), ("", "", 1.0),
     ("", "cup", 0.0), ("cup cup", "cup", 2 / 3)],
)  # fmt: skip
def test_f1(text: str, wanted: str, score: float) -> None:
    assert f1(text, wanted) == pytest.approx(score)


class Seeing(Source):
    """Batches come with pixels."""

    def batch(self, numbers):  # type: ignore[no-untyped-def]
        return batch_for(ENTRY, [self.examples[number] for number in numbers])


ENTRY = find("clipcap")
HOW = Decoding(beam=3, longest=5)


def source(wanted: list[tuple[str, ...]] | None = None) -> Seeing:
    examples = given_to(ENTRY, drawn(6))
    if wanted is not None:
        examples = [
            structs.replace(one, written=structs.replace(one.written, wanted=texts))
            for one, texts in zip(examples, wanted, strict=True)
        ]
    return Seeing(examples, reading_for(ENTRY))


def test_what_is_written_does_not_depend_on_how_many_are_asked_together() -> None:
    network, team = tiny_network(ENTRY), Team("cpu")
    network.train()
    several = []
    for size in (1, 18):
        said = writings(network, source(), size, HOW, tokenizer=letters(), team=team)
        several.append({one.number: one.text for one in said})
    assert several[0] == several[1]
    assert len(several[0]) == 6
    assert network.training  # it is as it was
    alone = decoded(network.eval(), batch_for(ENTRY, drawn(6)[:1]), HOW)
    assert letters().decode(alone[0].tokens, skip_special_tokens=True).strip() == several[0][0]


@pytest.mark.parametrize("task", ["da", RATIONALE])
def test_a_judge_tells_what_was_wanted_from_what_was_not(task: str) -> None:
    network, team = tiny_network(ENTRY), Team("cpu")
    plain = structs.replace(HOW, beam=1)
    said = {
        one.number: one.text or ""
        for one in writings(network, source(), 8, plain, tokenizer=letters(), team=team)
    }
    assert any(said.values())  # or nothing would be told
    right, wrong = [(f" {said[number]}",) for number in range(6)], [(" quite another",)] * 6

    def judge(wanted: list[tuple[str, ...]]) -> float:
        return judged(task, source(wanted), 8, HOW, letters())(network, team)

    assert judge(right) == pytest.approx(1.0)
    assert judge(wrong) < 0.2
