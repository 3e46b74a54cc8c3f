"""The OpenAI-compatible client against a real server: what is sent and read, what every fault becomes."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import traceback
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest
from faulty_server import FAULTS, Asked, Fault, FaultyServer, completion, serving
from msgspec import structs

from commonsight.errors import AnswererBusy, AnswererUnusable, CommonsightError, InputError, RequestRefused
from commonsight.vlm.client import Picture, Reply, Request, Turn
from commonsight.vlm.keys import Key
from commonsight.vlm.openai import AsFiles, OpenAIClient, Timeouts
from commonsight.vlm.openai_faults import retry_after

T = TypeVar("T")
PICTURE = Picture(b"pixels\xff", "image/png", "a.png")
ASK = Request((Turn("user", ("What?",)),))
SEE = Request((Turn("system", ("Be brief.",)), Turn("user", (PICTURE, "What is this?"))), most_tokens=9)
SECRET = "sk-plantedplantedplanted1234"
PATIENT = Timeouts(connect=10.0, total=20.0)
QUICK = Timeouts(connect=10.0, total=1.0)
"""For servers that never end."""


def with_client(
    server: FaultyServer, work: Callable[[OpenAIClient], Awaitable[T]], model: str = "tiny", **options: Any
) -> T:
    async def run() -> T:
        client = OpenAIClient(model, server.base_url, **{"timeouts": PATIENT, **options})
        try:
            return await work(client)
        finally:
            await client.close()

    return asyncio.run(run())


def asked(server: FaultyServer, request: Request = ASK, **options: Any) -> Reply:
    return with_client(server, lambda client: client.ask(request), **options)


def told(status: int, message: str, **more: Any) -> Callable[[Asked], Fault]:
    return lambda _: Fault("status", status, {}, {"error": {"message": message, **more}})


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "httpx"])
def test_a_text_is_asked_and_its_reply_read(plain: bool) -> None:
    with serving(FaultyServer()) as server:
        reply = asked(server, plain=plain)
    assert reply == Reply("reply to What?", "stop", 7, 3, reply.seconds, None, "tiny-1")
    assert reply.seconds is not None
    assert reply.seconds > 0
    assert server.seen[0].body == {
        "model": "tiny",
        "messages": [{"role": "user", "content": "What?"}],
        "max_tokens": 256,
        "temperature": 0.0,
    }
    assert "authorization" not in server.seen[0].headers


def test_pictures_go_as_data_in_their_place() -> None:
    with serving(FaultyServer()) as server:
        asked(server, SEE)
    system, user = server.seen[0].body["messages"]
    assert system == {"role": "system", "content": "Be brief."}
    url = f"data:image/png;base64,{base64.b64encode(PICTURE.data).decode()}"
    assert user["content"] == [
        {"type": "image_url", "image_url": {"url": url}},
        {"type": "text", "text": "What is this?"},
    ]
    assert server.seen[0].body["max_tokens"] == 9


def test_a_picture_is_encoded_once() -> None:
    assert PICTURE.data_url is PICTURE.data_url


@pytest.mark.parametrize("prefix", [None, "http://files.example/x/"])
def test_pictures_may_go_as_files(tmp_path: Path, prefix: str | None) -> None:
    with serving(FaultyServer()) as server:
        asked(server, SEE, pictures=AsFiles(tmp_path / "p", prefix))
    url = server.seen[0].body["messages"][1]["content"][0]["image_url"]["url"]
    start = "http://files.example/x/" if prefix else (tmp_path / "p").resolve().as_uri() + "/"
    assert url == f"{start}{PICTURE.digest}.png"
    assert (tmp_path / "p" / f"{PICTURE.digest}.png").read_bytes() == PICTURE.data


def test_settings_are_sent_where_they_are_given() -> None:
    request = structs.replace(ASK, seed=5, stop=("\n",), candidates=("A", "B"), temperature=0.5)
    with serving(FaultyServer()) as server:
        asked(server, request)
    body = server.seen[0].body
    assert (body["seed"], body["stop"], body["temperature"]) == (5, ["\n"], 0.5)
    assert (body["logprobs"], body["top_logprobs"]) == (True, 20)


@pytest.mark.parametrize(
    ("choice", "text", "finish"),
    [
        ({"finish_reason": "length"}, "x", "length"),
        ({"finish_reason": "content_filter"}, "x", "filtered"),
        ({"finish_reason": None}, "x", "stop"),
        ({"message": {"content": None, "refusal": "I won't."}}, "I won't.", "filtered"),
        ({"message": {"content": [{"text": "a"}, {"type": "text", "text": "b"}]}}, "ab", "stop"),
        ({"message": {"content": None}, "finish_reason": "length"}, "", "length"),
    ],
)
def test_how_a_reply_ended_is_read(choice: dict[str, Any], text: str, finish: str) -> None:
    with serving(FaultyServer(says=lambda _: completion("x", **choice))) as server:
        reply = asked(server)
    assert (reply.text, reply.finish) == (text, finish)


def test_probabilities_are_read_where_they_are_offered() -> None:
    top = [{"token": "A", "logprob": -1.0}, {"token": " B", "logprob": -2.0}, {"token": "x", "logprob": -0.1}]
    logprobs = {"content": [{"token": "x", "logprob": -0.1, "top_logprobs": top}]}
    with serving(FaultyServer(says=lambda _: completion("x", logprobs=logprobs))) as server:
        reply = asked(server, structs.replace(ASK, candidates=("A", "B")))
        assert asked(server, structs.replace(ASK, candidates=("A", "C"))).chances is None
        assert asked(server).chances is None
    assert reply.chances == pytest.approx((0.7310586, 0.2689414))


def test_what_a_server_does_not_take_is_learnt_once() -> None:
    def plan(asked: Asked) -> Fault | None:
        for name in ("max_tokens", "seed", "top_logprobs", "temperature"):
            if name in asked.body:
                instead = " Use 'max_completion_tokens' instead." if name == "max_tokens" else ""
                message = f"Unsupported parameter: '{name}' is not supported with this model.{instead}"
                return Fault("status", 400, {}, {"error": {"message": message, "param": name}})
        return None

    request = structs.replace(ASK, seed=1, candidates=("A",))

    async def twenty(client: OpenAIClient) -> tuple[str, ...]:
        await client.ask(request)
        await asyncio.gather(*(client.ask(request) for _ in range(20)))
        return client.notes

    with serving(FaultyServer(plan)) as server:
        notes = with_client(server, twenty)
    assert server.requests == 6 + 20  # tokens, seed, temperature, fewer alternatives, none; then it is known
    assert server.seen[-1].body.keys() == {"model", "messages", "max_completion_tokens"}
    assert notes == tuple(f"the server does not take {name}" for name in ("temperature", "seed", "logprobs"))


NO_VISION = [
    (400, "Invalid content type. image_url is only supported by certain models."),
    (500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"),
    (400, "This model does not support image input."),
    (400, "tiny is not a multimodal model"),
    (404, "No endpoints found that do not support image input"),
]


@pytest.mark.parametrize(("status", "message"), NO_VISION)
def test_a_model_without_vision_is_unusable_for_pictures(status: int, message: str) -> None:
    with serving(FaultyServer(told(status, message))) as server, pytest.raises(
        AnswererUnusable, match=r"tiny at http://127.* takes no pictures .* Choose a model with vision"
    ):
        asked(server, SEE)


@pytest.mark.parametrize(
    ("status", "message", "error", "says"),
    [
        (401, "bad key", AnswererUnusable, r"does not accept the key \(401\)"),
        (403, "no", AnswererUnusable, r"does not accept the key \(403\)"),
        (402, "pay", AnswererUnusable, "wants payment"),
        (429, "You exceeded your current quota, please check your plan", AnswererUnusable, "wants payment"),
        (404, "The model `tiny` does not exist", AnswererUnusable, "has no model tiny"),
        (400, "model 'tiny' not found", AnswererUnusable, "has no model tiny"),
        (404, "Not Found", AnswererUnusable, "Check the base address"),
        (307, "elsewhere", AnswererUnusable, "not the address of the interface"),
        (413, "Payload Too Large", RequestRefused, "too large for the server"),
        (400, "maximum context length is 4096, max_completion_tokens is 9000", RequestRefused, "too large"),
        (400, "the request exceeds the available context size", RequestRefused, "too large for the server"),
        (400, "Could not process image: unsupported image format", RequestRefused, "cannot use the picture"),
        (400, "Image size is 30 MB, the maximum is 20 MB", RequestRefused, "cannot use the picture"),
        (400, "messages: roles must alternate", RequestRefused, "roles must alternate"),
        (500, "oops", AnswererBusy, "answered 500. It says: oops"),
        (408, "slow", AnswererBusy, "answered 408"),
        (409, "conflict", AnswererBusy, "answered 409"),
        (529, "overloaded", AnswererBusy, "answered 529"),
    ],
)
def test_what_a_status_means(status: int, message: str, error: type[Exception], says: str) -> None:
    with serving(FaultyServer(told(status, message))) as server, pytest.raises(error, match=says):
        asked(server, SEE)
    assert server.requests == 1


def test_a_filter_of_the_provider_is_a_reply_of_its_kind() -> None:
    plan = told(400, "The response was filtered due to our content management policy.", code="content_filter")
    with serving(FaultyServer(plan)) as server:
        assert asked(server).finish == "filtered"


def test_an_error_inside_a_good_status_is_an_error() -> None:
    says: dict[str, Any] = {"error": {"message": "Provider returned error", "code": 429}}
    with serving(FaultyServer(says=lambda _: says)) as server, pytest.raises(AnswererBusy) as caught:
        asked(server)
    assert caught.value.limited


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "httpx"])
@pytest.mark.parametrize("name", FAULTS)
def test_every_passing_fault_is_worth_another_try(name: str, plain: bool) -> None:
    with serving(FaultyServer(lambda asked: None if asked.attempt else FAULTS[name])) as server:

        async def twice(client: OpenAIClient) -> Reply:
            with pytest.raises(AnswererBusy) as caught:
                await client.ask(ASK)
            assert caught.value.limited == (name in ("429", "429 bare", "503"))
            assert caught.value.retry_after == (0.01 if name in ("429", "503") else None)
            return await client.ask(ASK)

        limit = QUICK if name in ("hang", "drip") else PATIENT
        assert with_client(server, twice, timeouts=limit, plain=plain).text == "reply to What?"


def test_when_to_come_back_is_a_number_or_a_date() -> None:
    noon = datetime(2030, 1, 1, 12, tzinfo=UTC)
    date = format_datetime(noon + timedelta(seconds=90), usegmt=True)
    assert retry_after({"retry-after": date}, noon.timestamp) == 90
    assert retry_after({"retry-after": "2.5"}) == 2.5
    assert retry_after({"retry-after-ms": "250", "retry-after": "1"}) == 0.25
    assert retry_after({}) is None
    for odd in ("soon", "-1", "nan", "inf", ""):
        assert retry_after({"retry-after": odd}) is None


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "httpx"])
def test_connections_are_kept(plain: bool) -> None:
    async def many(client: OpenAIClient) -> None:
        for _ in range(3):
            await asyncio.gather(*(client.ask(ASK) for _ in range(8)))

    with serving(FaultyServer(latency=0.02)) as server:
        with_client(server, many, most_at_once=4, plain=plain)
    assert server.requests == 24
    assert server.connections <= 4
    assert server.most_at_once <= 4


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "httpx"])
def test_a_cancelled_request_leaves_nothing_behind(plain: bool) -> None:
    async def cancelled(client: OpenAIClient) -> str:
        for _ in range(3):
            task = asyncio.create_task(client.ask(structs.replace(ASK, seed=1)))
            await asyncio.sleep(0.05)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        return (await client.ask(ASK)).text

    with serving(FaultyServer(lambda asked: Fault("hang") if "seed" in asked.body else None)) as server:
        assert with_client(server, cancelled, most_at_once=1, plain=plain) == "reply to What?"


def test_the_check_is_content_with_a_model_that_is_listed() -> None:
    with serving(FaultyServer()) as server:
        with_client(server, lambda client: client.check())
    assert server.requests == 0


def test_the_check_names_the_models_that_there_are() -> None:
    with serving(FaultyServer(models=("qwen-vl", "tinier", "tiny-vl"))) as server:
        with pytest.raises(AnswererUnusable, match=r"has no model tiny\. It has: tiny-vl, tinier, qwen-vl\."):
            with_client(server, lambda client: client.check())
        with_client(server, lambda client: client.check(listed=False))


def test_the_check_asks_where_there_is_no_list() -> None:
    with serving(FaultyServer(models=None)) as server:
        with_client(server, lambda client: client.check())
        assert server.requests == 1
    with (
        serving(FaultyServer(told(404, "model not found"), models=None)) as server,
        pytest.raises(AnswererUnusable, match="has no model tiny"),
    ):
        with_client(server, lambda client: client.check())


def test_the_check_finds_nobody_there() -> None:
    with serving(FaultyServer()) as server:
        address = server.base_url

    async def check() -> None:
        await OpenAIClient("tiny", address).check()

    with pytest.raises(AnswererUnusable, match=r"Nothing answers at http://127.*Is the server running\?"):
        asyncio.run(check())


@pytest.mark.parametrize("address", ["localhost:8000", "ftp://x/v1", "http://", "", "http://[::1", "http://h:x"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="is not a base address"):
        OpenAIClient("tiny", address)


def test_addresses_are_shown_without_what_is_secret() -> None:
    client = OpenAIClient("tiny", f"https://host:81/v1/?k={SECRET}")
    assert client.shown == "https://host:81/v1"
    with pytest.raises(InputError, match="holds no user or password") as caught:
        OpenAIClient("tiny", f"https://me:{SECRET}@host:81/v1")
    assert SECRET not in str(caught.value)
    assert "host" not in client.cached_as
    assert SECRET not in client.name + client.cached_as


@pytest.mark.parametrize("key", ["wrong" + SECRET, SECRET])
def test_a_key_that_a_server_echoes_is_in_no_message(key: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    masked = f"{SECRET[:7]}***********{SECRET[-4:]}"
    piece = f"it began with {SECRET[:12]} and ended with {SECRET[-9:]}"

    def plan(asked: Asked) -> Fault | None:
        sent = asked.headers["authorization"]
        if asked.attempt > 3:
            return None
        status = (400, 500, 429, 413)[asked.attempt]
        return Fault("status", status, {}, {"error": {"message": f"{sent} {masked} {piece}"}})

    told: list[str] = []

    async def several(client: OpenAIClient) -> Reply:
        for _ in range(5):
            try:
                return await client.ask(ASK)
            except CommonsightError as error:
                told.append("".join(traceback.format_exception(error)) + repr(error) + repr(vars(client)))
        await client.check()
        raise AssertionError

    server = FaultyServer(plan, lambda asked: f"my key is {asked.headers['authorization']}", key=SECRET)
    with serving(server):
        if key == SECRET:
            told.append(repr(with_client(server, several, key=Key(key))))
        else:
            with pytest.raises(AnswererUnusable) as caught:
                with_client(server, several, key=Key(key))
            told.append("".join(traceback.format_exception(caught.value)))
    assert len(told) >= 5
    everything = "\n".join(told) + caplog.text
    assert "[key]" in everything
    for at in range(len(SECRET) - 8):
        assert SECRET[at : at + 9] not in everything
    assert json.dumps(SECRET)[1:-1] not in everything


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "httpx"])
def test_a_connection_that_the_server_closed_while_idle_is_made_anew(plain: bool) -> None:
    def says(asked: Asked) -> dict[str, Any]:
        return completion("x" * 300_000 if asked.number == 1 else "x")

    server = FaultyServer(says=says)

    async def idle(client: OpenAIClient) -> list[int]:
        sizes = []
        for _ in range(3):
            sizes.append(len((await client.ask(SEE)).text))
            server.hang_up()
            await asyncio.sleep(0.1)
        return sizes

    with serving(server):
        assert with_client(server, idle, plain=plain) == [1, 300_000, 1]
    assert server.connections == 3


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "httpx"])
def test_the_query_of_a_base_address_stays_at_its_end(plain: bool) -> None:
    with serving(FaultyServer()) as server:
        server.base_url += "/?api-version=5"
        asked(server, plain=plain)
    assert server.paths == ["/v1/chat/completions?api-version=5"]


GO_ON = Request((Turn("user", ("Question: Why?\nAnswer:",)),), 10, stop=("\n",), continued=True)


def test_a_text_is_gone_on_with() -> None:
    with serving(FaultyServer(says=lambda _: " rain", texts=True)) as server:
        reply = asked(server, GO_ON)
    assert reply == Reply(" rain", "length", 7, 3, reply.seconds, None, "tiny-1")
    assert server.paths == ["/v1/completions"]
    assert server.seen[0].body == {
        "model": "tiny", "prompt": "Question: Why?\nAnswer:", "max_tokens": 10, "temperature": 0.0,
        "stop": ["\n"],
    }  # fmt: skip


def test_a_server_that_only_talks_says_so() -> None:
    with serving(FaultyServer()) as server, pytest.raises(AnswererUnusable, match="it has no /completions"):
        asked(server, GO_ON)


def test_a_text_to_go_on_with_has_no_pictures() -> None:
    seen = structs.replace(GO_ON, turns=(Turn("user", (PICTURE, "Answer:")),))
    with serving(FaultyServer(texts=True)) as server, pytest.raises(AnswererUnusable, match="--blind none"):
        asked(server, seen)
    assert server.seen == []


def test_what_is_gone_on_with_is_cached_apart() -> None:
    assert GO_ON.key("m") != structs.replace(GO_ON, continued=False).key("m")
