"""Local models as clients: a tiny vision-language model that is made here answers whole runs."""

from __future__ import annotations

import asyncio
import io
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
import torch
from PIL import Image

from commonsight.benchmarks import find
from commonsight.core.answer import Pick, Verdict
from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.errors import AnswererUnusable, RequestRefused, UsageError
from commonsight.models.local_vlm.loading import find as find_model
from commonsight.models.local_vlm.model import LocalVlm
from commonsight.models.local_vlm.values import Weighed
from commonsight.models.untrained_vlm import Sizes, untrained_lm, untrained_vlm
from commonsight.runs.asking import Asking, Pace, ready
from commonsight.runs.local import LocalClient, local_client, picked
from commonsight.runs.models import OnThisMachine, client_of
from commonsight.runs.prompts import prompt_for
from commonsight.runs.questions import Questioner
from commonsight.runs.tally import Tally
from commonsight.runs.variants import Variants
from commonsight.store.native import read_native
from commonsight.store.runs import AnswerLine, RunInfo, RunLog, create_run, read_answers, read_failures
from commonsight.vlm.cache import Cache
from commonsight.vlm.client import Picture, Request, Turn
from commonsight.vlm.pictures import Pictures
from commonsight.vlm.retry import Backoff

TEXTS = ["Answer with the letter of the right choice only. A. B. C. D. True False person picture"] * 4
ROOMY = Sizes(tokens=4096)
"""Whole questions have many tokens where nearly every letter is one."""
LETTERS = ("A", "B", "C", "D")
DOING = ("running", "sitting on a wooden chair", "reading", "sleeping")
Answer = TypeVar("Answer")


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    """Several threads for a tiny model wait for each other more than they compute."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return untrained_vlm(tmp_path_factory.mktemp("models") / "tiny", TEXTS, ROOMY)


@pytest.fixture
def client(folder: Path) -> LocalClient:
    return local_client(str(folder), device="cpu")


def picture(colour: str) -> Picture:
    stream = io.BytesIO()
    Image.new("RGB", (40, 30), colour).save(stream, "PNG")
    return Picture(stream.getvalue(), "image/png", f"{colour}.png")


RED, BLUE = picture("red"), picture("blue")


def request(*parts: str | Picture, **options: Any) -> Request:
    return Request((Turn("user", parts),), **{"most_tokens": 6, **options})


def within(client: LocalClient, work: Callable[[], Awaitable[Answer]]) -> Answer:
    async def whole() -> Answer:
        try:
            return await work()
        finally:
            await client.close()

    return asyncio.run(whole())


def ask_all(client: LocalClient, requests: list[Request]) -> list[Any]:
    async def work() -> list[Any]:
        return await asyncio.gather(*map(client.ask, requests), return_exceptions=True)

    return within(client, work)


def test_a_text_to_go_on_with_is_read_as_it_is(folder: Path) -> None:
    """Without the model's template around it, pictures in their places, and beside conversations."""
    text = "Question: Who? Answer: A\n\nQuestion: What? Answer:"
    asked = [request(text, continued=True), request(text), request(RED, text, continued=True)]
    raw, talked, seen = ask_all(local_client(str(folder), device="cpu", batch=3), asked)
    alone = ask_all(local_client(str(folder), device="cpu", batch=1), asked)
    model = LocalVlm.load(find_model(str(folder)), device="cpu", dtype="auto")
    tokens = len(model._tokenizer(text)["input_ids"])
    assert raw.input_tokens == tokens < talked.input_tokens
    assert seen.input_tokens > tokens
    assert [reply.text for reply in alone] == [raw.text, talked.text, seen.text]


def test_one_two_and_no_pictures_are_answered_alike_together_and_alone(folder: Path) -> None:
    asked = [
        request(RED, "What is it?", candidates=LETTERS),
        request(RED, BLUE, "Are they the same?", candidates=("True", "False")),
        request("No picture."),
        request(BLUE, "What is it?", candidates=LETTERS),
        request(BLUE, "Draw.", temperature=1.0, seed=3, most_tokens=3),
        request(RED, "Weighed", candidates=LETTERS, continuations=DOING),
    ]
    together = local_client(str(folder), device="cpu", batch=6)
    alone = local_client(str(folder), device="cpu", batch=1)
    replies, again = ask_all(together, asked), ask_all(alone, asked)
    assert (together.most_together, alone.most_together) == (6, 1)
    for one, other in zip(replies, again, strict=True):
        assert (one.text, one.finish, one.output_tokens) == (other.text, other.finish, other.output_tokens)
        assert one.input_tokens == other.input_tokens > 0
        assert one.seconds > 0
        assert (one.chances is None) == (other.chances is None)
        assert one.chances is None or one.chances == pytest.approx(other.chances, abs=1e-4)
    assert [reply.finish for reply in replies[:5]] == ["length"] * 5
    assert (replies[5].finish, replies[5].output_tokens) == ("stop", 0)
    assert replies[0].chances != pytest.approx(replies[3].chances, abs=1e-4)  # another picture


def test_choices_are_picked_by_the_mean_or_the_sum_of_their_tokens() -> None:
    weighed = Weighed((-9.0, -4.0, -6.0), (9, 2, 4), 50)
    by_mean, by_sum = (picked(weighed, LETTERS[:3], way) for way in ("choices", "choices-sum"))
    assert (by_mean.text, by_sum.text) == ("A", "B")
    assert by_mean.chances is not None
    assert by_mean.chances[0] / by_mean.chances[2] == pytest.approx(2.718281828**0.5)
    assert by_sum.chances is not None
    assert by_sum.chances[1] / by_sum.chances[2] == pytest.approx(2.718281828**2)
    assert sum(by_sum.chances) == pytest.approx(1)


def test_the_reply_to_weighed_choices_is_the_candidate_of_the_best(folder: Path) -> None:
    asked = request(RED, "Which?", candidates=LETTERS, continuations=DOING)
    answers = {}
    for way in ("choices", "choices-sum"):
        (answers[way],) = ask_all(local_client(str(folder), device="cpu", score_by=way), [asked])  # type: ignore[arg-type]
        chances = answers[way].chances
        assert answers[way].text == LETTERS[chances.index(max(chances))]
    assert answers["choices"].chances != answers["choices-sum"].chances


def test_the_loop_goes_on_while_the_model_works(client: LocalClient) -> None:
    async def work() -> int:
        await client.check()
        asking = asyncio.create_task(client.ask(request(RED, "Long", most_tokens=300)))
        ticks = 0
        while not asking.done():
            await asyncio.sleep(0.002)
            ticks += 1
        return ticks

    assert within(client, work) > 20


def test_who_is_cancelled_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = local_client(str(folder), device="cpu", batch=1)
    began, lengths = threading.Event(), []
    write = LocalVlm.write

    def watched(model: LocalVlm, *given: Any) -> Any:
        began.set()
        outcomes = write(model, *given)
        lengths.append(outcomes[0].output_tokens)  # type: ignore[union-attr]
        return outcomes

    monkeypatch.setattr(LocalVlm, "write", watched)

    async def work() -> str:
        await client.check()
        running = asyncio.create_task(client.ask(request(RED, "Long", most_tokens=3000)))
        await asyncio.to_thread(began.wait, 10)
        waiting = asyncio.create_task(client.ask(request(BLUE, "Never asked")))
        while not client._waiting:
            await asyncio.sleep(0.001)
        for task in (waiting, running):
            task.cancel()
        await asyncio.gather(waiting, running, return_exceptions=True)
        assert client._waiting == []
        return (await client.ask(request(RED, "Next"))).text

    assert within(client, work)
    assert len(lengths) == 2  # the one that waited never reached the model
    assert lengths[0] < 2000
    assert client._serving is None


def test_closing_ends_what_is_under_way(folder: Path) -> None:
    client = local_client(str(folder), device="cpu")

    async def work() -> float:
        await client.check()
        asking = asyncio.create_task(client.ask(request(RED, "Write", most_tokens=3500)))
        while not (client._busy or asking.done()):  # no pause: a quick machine would be done within it
            await asyncio.sleep(0)
        assert not asking.done()
        began = time.monotonic()
        await client.close()
        took = time.monotonic() - began
        with pytest.raises(asyncio.CancelledError):
            await asking
        return took

    assert within(client, work) < 5
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("local-model")]


def test_a_picture_that_cannot_be_read_fails_alone(client: LocalClient) -> None:
    broken = Picture(b"no picture", "image/png", "dog.png")
    refused, reply = ask_all(client, [request(broken, "What?"), request(RED, "What?")])
    assert isinstance(refused, RequestRefused)
    assert "dog.png cannot be read" in str(refused)
    assert reply.output_tokens == 6


def test_a_question_that_is_too_long_fails_alone(client: LocalClient) -> None:
    asked = [
        request(RED, "word " * 5000),
        request(RED, "What?"),
        request(RED, "word " * 5000, candidates=LETTERS, continuations=DOING),
    ]
    long, reply, weighed = ask_all(client, asked)
    for refused in (long, weighed):
        assert isinstance(refused, RequestRefused)
        assert "the model reads at most 4096" in str(refused)
    assert reply.output_tokens == 6


def test_a_language_model_answers_blind_questions_only(tmp_path: Path) -> None:
    made = untrained_lm(tmp_path / "reader", TEXTS, ROOMY)
    client = local_client(str(made), device="cpu", batch=1)
    reply, unusable = ask_all(client, [request("Text."), request(RED, "?")])
    assert reply.output_tokens == 6
    assert isinstance(unusable, AnswererUnusable)
    assert "--blind none" in str(unusable)


def test_what_the_run_should_know_of_the_prompt_is_noted(tmp_path: Path) -> None:
    made = untrained_vlm(tmp_path / "bare", TEXTS, template=None)
    client = local_client(str(made), device="cpu")

    async def work() -> None:
        assert client.notes == ()
        await ready(client, Backoff(), Random(0))
        assert [note[:31] for note in client.notes] == ["The model has no chat template,"]

    within(client, work)


def test_models_are_named_by_kind(folder: Path, tmp_path: Path) -> None:
    here = OnThisMachine(batch=3, device="cpu", dtype="float32", score_by="choices")
    client = client_of(f"hf:{folder}", None, here=here)
    assert isinstance(client, LocalClient)
    assert client.name.startswith("hf:tiny@")
    assert str(folder.parent) not in client.name
    assert client.cached_as == f"{client.name}:float32:choices"
    asyncio.run(client.close())
    (tmp_path / "empty").mkdir()
    with pytest.raises(AnswererUnusable, match="there is no model in this folder"):
        client_of(f"hf:{tmp_path / 'empty'}", None)
    with pytest.raises(UsageError, match="--batch 0: a batch has at least one question"):
        client_of(f"hf:{folder}", None, here=OnThisMachine(batch=0))
    with pytest.raises(UsageError, match=r"are for models that run here \(hf:FOLDER_OR_NAME\)"):
        client_of("openai:some", "http://localhost:1/v1", here=here)
    with pytest.raises(UsageError, match="openai:NAME with --base-url, hf:FOLDER_OR_NAME, or python:"):
        client_of("hf:", None)


def run(
    place: Path, client: LocalClient, questioner: Questioner, items: list[Item], cache: Cache | None = None
) -> tuple[Tally, list[AnswerLine]]:
    async def work() -> Tally:
        await ready(client, Backoff(), Random(0))
        with RunLog(place) as log:
            asking = Asking(client, log, Random(1), pace=Pace(most_at_once=8), cache=cache)
            return await asking.run(questioner.questions(items))

    if not (place / "run.json").exists():
        create_run(place, RunInfo("tests", client.name, "val", ("all",), "0"))
    tally = within(client, work)
    return tally, sorted(read_answers(place), key=lambda line: (line.item, line.task))


def questioner_of(
    benchmark: Benchmark[Any], images: Path, names: tuple[str, ...], **options: Any
) -> Questioner:
    tasks = tuple(benchmark.task(name) for name in names)
    weighed = options.get("weighed", False)
    prompts = {task.name: prompt_for(task, {}, weighed=weighed) for task in tasks}
    return Questioner(tasks, prompts, Pictures(images, longest_side=64), **options)


def vcr_items(fixtures: Path) -> list[Item]:
    images = fixtures / "vcr" / "images"
    return list(read_native(find("vcr").native, [fixtures / "vcr" / "val.jsonl"], images=images))


def test_a_whole_run_is_logged_resumed_and_served_from_the_cache(
    folder: Path, tmp_path: Path, fixtures_dir: Path
) -> None:
    images = fixtures_dir / "nlvr2" / "images"
    items = list(read_native(find("nlvr2").native, [fixtures_dir / "nlvr2" / "dev.json"]))
    questioner = questioner_of(find("nlvr2"), images, ("verify",))
    cache = Cache(tmp_path / "cache.db")
    client = local_client(str(folder), device="cpu", batch=4)
    tally, lines = run(tmp_path / "run", client, questioner, items, cache)
    assert (tally.answered, tally.failed) == (len(items), 0)
    assert read_failures(tmp_path / "run") == {}
    assert client.most_together > 1
    assert all(len(line.extra["chances"]) == 2 and line.extra["input_tokens"] > 18 for line in lines)
    resumed, _ = run(tmp_path / "run", local_client(str(folder), device="cpu"), questioner, items)
    assert (resumed.already, resumed.requests) == (len(items), 0)
    fresh = local_client(str(folder), device="cpu")
    cached, again = run(tmp_path / "again", fresh, questioner, items, cache)
    assert (cached.cached, cached.requests) == (len(items), 0)
    assert [line.reply for line in again] == [line.reply for line in lines]
    cache.close()


def test_a_run_by_weighed_choices_always_has_an_answer(
    folder: Path, tmp_path: Path, fixtures_dir: Path
) -> None:
    items = vcr_items(fixtures_dir)
    images = fixtures_dir / "vcr" / "images"
    questioner = questioner_of(
        find("vcr"), images, ("q2a",), variants=Variants(circular=True), weighed=True
    )
    assert questioner.prompts["q2a"].name.endswith("+weighed")
    tally, lines = run(tmp_path / "run", local_client(str(folder), device="cpu"), questioner, items)
    assert (tally.answered, tally.failed) == (4 * len(items), 0)
    for line in lines:
        chances = line.extra["probabilities"]
        assert isinstance(line.answer, Pick)
        assert line.answer.index == chances.index(max(chances))
    verdicts = questioner_of(find("nlvr2"), fixtures_dir / "nlvr2" / "images", ("verify",), weighed=True)
    pairs = list(read_native(find("nlvr2").native, [fixtures_dir / "nlvr2" / "dev.json"]))
    _, lines = run(tmp_path / "pairs", local_client(str(folder), device="cpu"), verdicts, pairs)
    assert len(lines) == len(pairs)
    assert all(isinstance(line.answer, Verdict) for line in lines)
