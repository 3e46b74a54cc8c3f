"""A-OKVQA's rows of prompted language models (Table 3, row h, and Table 4), each by one command."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from faulty_server import Asked, FaultyServer, serving

from commonsight.core.answer import FreeText, Pick, Unparsed
from commonsight.core.item import Item
from commonsight.runs.subject import Opening
from commonsight.store.runs import read_answers

from .conftest import Run

VECTORS = """beans 1 0 0
coffee 0.9 0.1 0
dog 0 1 0
guard 0 0.9 0.1
rain 0 0 1
drizzle 0 0.1 0.9
wet 0 0 0.8
sun 0 0.5 0
"""
CHOICES = ["beans", "guard", "rain", "sun"]
COMMON = ("--blind", "none", "--shots", 3, "--shots-from", "train.json", "--nearest-choice", "vectors.txt")


def record(number: int, split: str) -> dict[str, Any]:
    right = number % 3
    return {
        "split": split, "image_id": number, "question_id": f"{split}{number}", "choices": CHOICES,
        "question": f"What about {number}?", "correct_choice_idx": right,
        "direct_answers": [("coffee", "guard", "drizzle")[right]] * 10, "difficult_direct_answer": False,
        "rationales": [f"Reason {number} is {CHOICES[right]}", "It is so.", "Look."],
    }  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMMONSIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delitem(sys.modules, "prompted_models", raising=False)
    (tmp_path / "vectors.txt").write_text(VECTORS)
    for split, numbers in (("train", range(100, 110)), ("val", range(6))):
        (tmp_path / f"{split}.json").write_text(json.dumps([record(number, split) for number in numbers]))
        lines = (json.dumps({"item": f"{split}{n}", "context": f"A picture of {n}."}) for n in numbers)
        (tmp_path / f"{split}-captions.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


def says(asked: Asked) -> str:
    """Words near the right choice, and a further question; to number 1 nothing that has a vector."""
    number = int(asked.text.rpartition("What about ")[2].partition("?")[0])
    if number == 1:
        return " zebra"
    return f" {('coffee', 'guard', 'drizzle')[number % 3]}\n\nQuestion: And what"


def prompts(server: FaultyServer) -> list[str]:
    return [asked.body["prompt"] for asked in server.seen]


def test_examples_of_both_tasks_are_read_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Opening] = []

    def counted(opening: Opening) -> Iterator[Item]:
        read.append(opening)
        return reading(opening)

    reading = Opening.read
    monkeypatch.setattr(Opening, "read", counted)
    with serving(FaultyServer(says=says, texts=True)) as server:
        model = ("--model", "openai:tiny", "--base-url", server.base_url)
        told = run("run", "val.json", *COMMON, "--prompt", "paper", *model, "--out", "r")
    assert told.code == 0, told.err
    assert [opening.paths[0].name for opening in read].count("train.json") == 1
    assert not any(opening.outlines for opening in read)


def test_questions_alone_are_one_text_for_both_tasks(run: Run, tmp_path: Path) -> None:
    with serving(FaultyServer(says=says, texts=True)) as server:
        model = ("--model", "openai:tiny", "--base-url", server.base_url, "--concurrency", 1)
        told = run("run", "val.json", *COMMON, "--prompt", "paper", *model, "--out", "r", "--json")
    assert told.code == 0, told.err
    assert set(server.paths) == {"/v1/models", "/v1/completions"}
    assert len(set(prompts(server))) == 6  # the very same text for both, which a cache asks once
    for asked in server.seen:
        assert asked.body["max_tokens"] == 10
        assert asked.body["stop"] == ["\n"]
        assert asked.body["temperature"] == 0
    first = next(text for text in prompts(server) if "What about 0?" in text)
    *shots, question = first.split("\n\n")
    assert question == "Question: What about 0?\nAnswer:"
    assert len(shots) == 3
    for shot in shots:
        asked_for, _, answer = shot.removeprefix("Question: What about ").partition("?\nAnswer: ")
        assert answer == CHOICES[int(asked_for) % 3]
    assert told.json["prompts"] == {"mc": "aokvqa.paper.mc@1", "da": "aokvqa.paper.da@1"}
    assert told.json["metrics"]["mc"]["k"] == 5
    assert told.json["metrics"]["da"]["k"] == 5  # what people say: coffee, guard, drizzle
    assert told.json["steps"] == [
        "nearest choice by cosine of mean word vectors (vectors): 4 answers mapped"
    ]
    assert told.json["positions"] == {}  # the choices were not shown
    lines = {(line.item, line.task): line for line in read_answers(tmp_path / "r")}
    assert lines["val0", "mc"].answer == Pick(0)
    assert lines["val0", "mc"].extra["nearest"] == "vectors"
    assert lines["val0", "da"].answer == FreeText("coffee")
    assert "nearest" not in lines["val4", "mc"].extra  # said as the choice is written
    assert isinstance(lines["val1", "mc"].answer, Unparsed)  # no vector, no choice
    assert "nearest" not in lines["val1", "mc"].extra
    before = (tmp_path / "r" / "answers.jsonl").read_bytes()
    assert run("run", "--rescore", "r", "--json").json["metrics"] == told.json["metrics"]
    assert "step before scoring: nearest choice" in run("run", "--rescore", "r").out
    assert (tmp_path / "r" / "answers.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "first_line", "last_line"),
    [
        (
            ("--context", "val-captions.jsonl", "--shots-context", "train-captions.jsonl"),
            "Context: A picture of 10", "Context: A picture of 0.",
        ),
        (("--context", "rationale"), "Context: Reason 10", "Context: Reason 0 is beans"),
        (("--context", "masked-rationale"), "Context: Reason 10", "Context: Reason 0 is [answer]"),
        (("--context", "rationale", "--shots-context", "none"), "Question: ", "Context: Reason 0 is beans"),
    ],
    ids=["captions", "rationale", "masked", "examples without"],
)  # fmt: skip
def test_contexts_stand_before_the_question_and_the_examples(
    run: Run, options: tuple[str, ...], first_line: str, last_line: str
) -> None:
    with serving(FaultyServer(says=says, texts=True)) as server:
        model = ("--model", "openai:tiny", "--base-url", server.base_url)
        told = run("run", "val.json", *COMMON, *options, "--prompt", "paper", *model, "--out", "r")
    assert told.code == 0, told.err
    text = next(text for text in prompts(server) if text.endswith("What about 0?\nAnswer:"))
    *shots, question = text.split("\n\n")
    assert question == f"{last_line}\nQuestion: What about 0?\nAnswer:"
    assert all(shot.startswith(first_line) for shot in shots)


def test_chat_models_are_asked_in_turns(run: Run) -> None:
    with serving(FaultyServer(says=lambda _: "drizzle")) as server:
        model = ("--model", "openai:tiny", "--base-url", server.base_url)
        told = run("run", "val.json", *COMMON, "--prompt", "paper-turns", *model, "--out", "r", "--json")
    assert told.code == 0, told.err
    roles = [message["role"] for message in server.seen[0].body["messages"]]
    assert roles == ["user", "assistant"] * 3 + ["user"]
    assert told.json["metrics"]["mc"]["k"] == 2  # rain is right twice


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--prompt", "paper"), "which word vectors shall find the nearest one?"),
        (("--nearest-choice", "vectors.txt"), "no prompt asks for an answer in words"),
        (("--prompt", "paper", "--nearest-choice", "no.txt"), "no.txt: there is no such file"),
        (("--prompt", "paper", "--nearest-choice", "vectors.txt", "--circular"), "shows no choices"),
        (("--prompt", "paper", "--nearest-choice", "vectors.txt", "--reasoning", "before"), "no reasons"),
        (("--prompt", "papers"), "aokvqa has: paper, paper-turns"),
        (("--shots-context", "rationale"), "--shots-context is for --shots and --context together"),
        (("--context", "rational"), "write rationale or masked-rationale or rationales"),
        (
            ("--context", "val-captions.jsonl", "--shots", 2, "--shots-from", "train.json"),
            "no context for item train",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_before_anything_is_asked(
    run: Run, tmp_path: Path, options: tuple[object, ...], says: str
) -> None:
    (tmp_path / "prompted_models.py").write_text("def dog(question):\n    return 'dog'\n")
    model = ("--model", "python:prompted_models:dog", "--blind", "none", "--out", "r")
    told = run("run", "val.json", *model, *options)
    assert told.code == 2
    assert says in " ".join(told.err.split())
    assert not (tmp_path / "r").exists()


def test_contexts_that_changed_since_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "prompted_models.py").write_text("def dog(question):\n    return 'dog'\n")
    model = ("--model", "python:prompted_models:dog", "--blind", "none", "--out", "r")
    assert run("run", "val.json", *model, "--context", "val-captions.jsonl", "--limit", 1).code == 0
    with (tmp_path / "val-captions.jsonl").open("a") as stream:
        stream.write('{"item": "x", "context": "y"}\n')
    told = run("run", "--resume", "r")
    assert told.code == 2
    assert "val-captions.jsonl has changed" in " ".join(told.err.split())
