"""Every module's equation against plain loops over calls and objects (CRIC, Table 4 and Figure 9)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
import torch
from torch import Tensor, nn

from commonsight.models.libraries import seeded
from commonsight.models.networks.nmn_cs.modules import (
    LARGEST,
    And,
    Find,
    FindKG,
    Recognition,
    Relate,
    Text,
    Verify,
    attended,
    functions,
)

CALLS, OBJECTS, SEEN, WORDS, HIDDEN, ANSWERS = 3, 4, 5, 6, 7, 8


@pytest.fixture(autouse=True)
def _without_gradients() -> Iterator[None]:
    with torch.no_grad():
        yield


def fc(layer: nn.Module, vector: list[float]) -> list[float]:
    assert isinstance(layer, nn.Linear)
    weight, bias = layer.weight.tolist(), layer.bias.tolist()
    return [
        sum(w * x for w, x in zip(row, vector, strict=True)) + b for row, b in zip(weight, bias, strict=True)
    ]


def times(*vectors: list[float]) -> list[float]:
    return [math.prod(numbers) for numbers in zip(*vectors, strict=True)]


def sigmoid(number: float) -> float:
    return 1 / (1 + math.exp(-number))


def weighted(weights: list[float], vectors: list[list[float]]) -> list[float]:
    return [sum(a * v[place] for a, v in zip(weights, vectors, strict=True)) for place in range(SEEN)]


@pytest.fixture
def drawn() -> tuple[Tensor, Tensor, Tensor, Text]:
    with seeded(3):
        objects, first, second = torch.randn(CALLS, OBJECTS, SEEN), *torch.rand(2, CALLS, OBJECTS)
        text = Text(
            torch.randn(CALLS, WORDS), torch.randn(CALLS, 3, 5, WORDS), torch.tensor([[5, 1, 3]] * CALLS)
        )
    return objects, first, second, text


def test_find(drawn: tuple[Tensor, Tensor, Tensor, Text]) -> None:
    objects, a, _, text = drawn
    module = Find(SEEN, WORDS, HIDDEN)
    found = attended(module(objects, [a], module.hear(text)), torch.ones(CALLS, OBJECTS, dtype=torch.bool))
    for call in range(CALLS):
        t = fc(module.read, text.whole[call].tolist())
        for place in range(OBJECTS):
            seen = [float(a[call, place]) * one for one in objects[call, place].tolist()]
            assert float(found[call, place]) == pytest.approx(
                sigmoid(fc(module.tell, times(fc(module.see, seen), t))[0]), abs=1e-5
            )


def test_relate(drawn: tuple[Tensor, Tensor, Tensor, Text]) -> None:
    objects, a, _, text = drawn
    module = Relate(SEEN, WORDS, HIDDEN)
    scores = module(objects, [a], module.hear(text))
    for call in range(CALLS):
        start = fc(module.start, weighted(a[call].tolist(), objects[call].tolist()))
        t = fc(module.read, text.whole[call].tolist())
        for place in range(OBJECTS):
            v = fc(module.see, objects[call, place].tolist())
            assert float(scores[call, place]) == pytest.approx(
                fc(module.tell, times(v, start, t))[0], abs=1e-5
            )


def test_and(drawn: tuple[Tensor, Tensor, Tensor, Text]) -> None:
    objects, a, b, _ = drawn
    module = And(HIDDEN)
    scores = module(objects, [a, b])
    for call in range(CALLS):
        for place in range(OBJECTS):
            one = fc(module.first, [float(a[call, place])])
            other = fc(module.second, [float(b[call, place])])
            assert float(scores[call, place]) == pytest.approx(
                fc(module.tell, times(one, other))[0], abs=1e-5
            )


def test_recognition(drawn: tuple[Tensor, Tensor, Tensor, Text]) -> None:
    objects, a, _, text = drawn
    module = Recognition(SEEN, WORDS, HIDDEN, ANSWERS)
    scores = module(objects, [a], module.hear(text))
    for call in range(CALLS):
        seen = fc(module.see, weighted(a[call].tolist(), objects[call].tolist()))
        t = fc(module.read, text.whole[call].tolist())
        assert scores[call].tolist() == pytest.approx(fc(module.tell, times(seen, t)), abs=1e-5)


def test_verify_reads_attention_from_the_largest_down(drawn: tuple[Tensor, Tensor, Tensor, Text]) -> None:
    objects, a, _, _ = drawn
    module = Verify(ANSWERS)
    scores = module(objects, [a])
    for call in range(CALLS):
        largest = [*sorted(a[call].tolist(), reverse=True), *[0.0] * (LARGEST - OBJECTS)]
        assert scores[call].tolist() == pytest.approx(fc(module.tell, largest), abs=1e-5)
    more = torch.rand(2, LARGEST + 5)
    torch.testing.assert_close(module(objects, [more]), module(objects, [more.flip(1)]))


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("sees", [False, True])
def test_find_kg_matches_head_relation_and_tail(
    drawn: tuple[Tensor, Tensor, Tensor, Text], reverse: bool, sees: bool
) -> None:
    objects, a, b, text = drawn
    module = FindKG(SEEN, WORDS, HIDDEN, reverse=reverse, dropout=0.0).eval()
    scores = module(objects, [a, b] if sees else [a], module.hear(text))
    assert text.parts is not None
    for call in range(CALLS):
        read = [
            gru(text.parts[call, part, :length][None], torch.tensor([length]))[0]
            for gru, part, length in ((module.read_head, 0, 5), (module.read_tail, 2, 3))
        ]
        relation = text.parts[call, 1].sum(dim=0)
        x = torch.zeros(SEEN)
        if sees:
            x = torch.tensor(weighted(b[call].tolist(), objects[call].tolist()))
        for place in range(OBJECTS):
            v = a[call, place] * objects[call, place]
            by_head, by_tail = (x, v) if reverse else (v, x)
            head = module.head((module.head_words(read[0]) + module.head_seen(by_head)).relu())
            tail = module.tail((module.tail_words(read[1]) + module.tail_seen(by_tail)).relu())
            head = head + module.relation(relation)
            expected = module.match(torch.cat((head, tail)))
            torch.testing.assert_close(scores[call, place], expected[0], rtol=1e-5, atol=1e-5)


def test_there_is_a_module_for_each_function_but_initial() -> None:
    made = functions(seen=SEEN, words=WORDS, hidden=HIDDEN, answers=ANSWERS, dropout=0.0)
    assert set(made) == {
        "Find", "Relate", "Relate_Reverse", "Recognition", "And", "Verify", "Find_KG", "Find_KG_Reverse",
        "Find_Hypernym",
    }  # fmt: skip
    assert type(made["Find_Hypernym"]) is Find
    assert made["Relate"] is not made["Relate_Reverse"]


def test_padding_is_attended_to_by_nobody() -> None:
    there = torch.tensor([[True, False]])
    assert attended(torch.tensor([[0.0, 9.0]]), there).tolist() == [[0.5, 0.0]]
