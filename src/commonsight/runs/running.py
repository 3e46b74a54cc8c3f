"""A run from its plan: the questions, the log, the pace; asked once, or gone on with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random

from commonsight.core.answer import Pick
from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.runs.asking import Asking, Pace, ready
from commonsight.runs.begin import tasks_named
from commonsight.runs.contexts import NONE, ContextOf, context_named
from commonsight.runs.feed import Question
from commonsight.runs.judging import judge_all
from commonsight.runs.models import OnThisMachine, client_of
from commonsight.runs.plan import Plan, ScoreBy, Server
from commonsight.runs.questions import Questioner
from commonsight.runs.sessions import keep_session
from commonsight.runs.shots import Shots, sampled
from commonsight.runs.subject import Opening, benchmark_of
from commonsight.runs.tally import Tally
from commonsight.store.dataset import is_dataset, read_info
from commonsight.store.paths import cache_folder
from commonsight.store.runs import ANSWERS, RunLog, read_answers
from commonsight.text.vectors import vectors_named
from commonsight.vlm.cache import Cache
from commonsight.vlm.client import Client
from commonsight.vlm.pictures import Pictures

STRANGERS = 500
"""Items whose pictures are shown in place of others', with `--blind other`."""

Watch = Callable[[Tally], None]


def items_of(plan: Plan) -> Iterator[Item]:
    """The items that the plan asks about."""
    return islice(plan.opening.read(), plan.limit)


def questioner(plan: Plan, *, pictures: bool = True) -> Questioner:
    """How the plan's items are asked. Whatever is missing is found out here, before anything is asked.

    Without `pictures` nothing can be asked, but all that was asked can be read again.
    """
    tasks = tasks_named(plan.tasks, benchmark_of(plan.opening))
    return Questioner(
        tasks,
        plan.prompts,
        Pictures(plan.pictures) if pictures and plan.blind != "none" else None,
        plan.variants,
        plan.blind,
        _strangers(plan, tasks) if pictures and plan.blind == "other" else (),
        _shots(plan, tasks) if pictures and plan.shots else {},
        None if plan.context is None else context_named(plan.context),
        plan.temperature,
        plan.seed,
        plan.weighed,
        None if plan.nearest_choice is None else vectors_named(plan.nearest_choice),
    )


def _strangers(plan: Plan, tasks: tuple[Task, ...]) -> tuple[Ask, ...]:
    asks = (_asked(item, tasks[0]) for item in sampled(items_of(plan), plan.seed, STRANGERS))
    return tuple(ask for ask in asks if ask is not None)


def _asked(item: Item, task: Task) -> Ask | None:
    try:
        return task.ask(item)
    except ValueError:
        return None


def _shots(plan: Plan, tasks: tuple[Task, ...]) -> dict[str, Shots]:
    if plan.shots_from is None:
        raise UsageError("--shots-from is missing: which labelled items are the examples? The train split.")
    split = "train" if _splits(plan) else None
    source = Opening((Path(plan.shots_from),), plan.benchmark, split, outlines=False)
    items = sampled(source.read(), plan.seed)  # once for all tasks
    benchmark, context = benchmark_of(plan.opening), _shots_context(plan)
    found = {}
    for task in tasks:
        shown = plan.prompts[task.name].examples_as
        shown_task = benchmark.task(shown) if shown else task
        found[task.name] = Shots(items, shown_task, plan.shots, plan.seed, context)
    return found


def _shots_context(plan: Plan) -> ContextOf | None:
    """What examples are told: contexts of their own kind, else of the questions' kind."""
    named = plan.shots_context or plan.context
    if named is None or named == NONE:
        return None
    remedy = "Examples have contexts too: add it, or name a file of theirs with --shots-context."
    return context_named(named, remedy)


def _splits(plan: Plan) -> bool:
    """Whether the examples' dataset is the very one that is asked about, so that only its train split may."""
    assert plan.shots_from is not None
    return is_dataset(Path(plan.shots_from)) and plan.shots_from in plan.paths


def client_for(server: Server, score_by: ScoreBy = "text") -> Client:
    """The client that the server's settings name."""
    here = OnThisMachine(
        server.batch, server.device, server.dtype, score_by, server.revision, server.trust_remote_code
    )
    return client_of(
        server.model,
        server.base_url,
        key_variable=server.key_env,
        keyring=None if server.keyring is None else Path(server.keyring),
        most_at_once=server.concurrency,
        seconds=server.timeout,
        here=here,
    )


async def ask_all(
    client: Client,
    folder: Path,
    plan: Plan,
    server: Server,
    asker: Questioner,
    start: Callable[[], None] = lambda: None,
    watch: Watch | None = None,
) -> Tally:
    """Ask all that has no answer yet, and then what builds on the model's own answers, if that is wanted.

    `start` is called once it is sure that the model can be asked: before, there is nothing to write down.
    """
    rng = Random(plan.seed)
    pace = pace_of(server)
    cache = Cache(cache_file()) if server.cache else None
    try:
        await ready(client, pace.backoff, rng)
        start()
        with RunLog(folder) as log:

            async def asked(questions: Iterator[Question]) -> Tally:
                asking = Asking(client, log, rng, cache=cache, pace=pace, watch=watch)
                try:
                    return await asking.run(questions)
                finally:
                    asking.tally.notes = tuple(getattr(client, "notes", ()))
                    keep_session(folder, asking.tally)

            tally = await asked(asker.questions(items_of(plan)))
            if plan.given == "own" and tally.stopped is None:
                picked = await asyncio.to_thread(_picked, folder, benchmark_of(plan.opening).tasks[0].name)
                tally = await asked(asker.follow_ups(items_of(plan), picked))
            return tally
    finally:
        await client.close()
        if cache is not None:
            cache.close()


def judging_server(server: Server, judge: str, url: str | None, key_env: str | None) -> Server:
    """How a judge is asked: as fast as the model, but never with the model's own key."""
    return Server(
        model=judge, base_url=url, concurrency=server.concurrency, key_env=key_env, keyring=server.keyring,
        timeout=server.timeout,
    )  # fmt: skip


async def have_judged(
    client: Client, folder: Path, plan: Plan, server: Server, watch: Watch | None = None
) -> Tally:
    """Have a judge read the replies of a run that nobody else could read."""
    try:
        return await judge_all(
            client, folder, questioner(plan, pictures=False).asks(items_of(plan)), pace_of(server), watch
        )
    finally:
        await client.close()


def pace_of(server: Server) -> Pace:
    """How fast the server may be asked."""
    local = server.model.startswith("hf:")
    at_once = min(server.concurrency, 2 * server.batch) if local else server.concurrency
    return Pace(at_once, server.requests_per_minute, server.tokens_per_minute)


def questions_in(plan: Plan) -> int | None:
    """How many questions the plan has, where that can be told without reading everything."""
    paths = [Path(path) for path in plan.paths]
    infos = [read_info(path) if is_dataset(path) else None for path in paths]
    first = next(items_of(plan), None)
    if first is None or not all(infos):
        return None
    splits = [part for info in infos if info for name, part in info.splits.items()
              if plan.split in (None, name)]  # fmt: skip
    items = sum(part.items for part in splits)
    ways = sum(1 for _ in questioner(plan, pictures=False).asks([first]))
    return ways * (items if plan.limit is None else min(items, plan.limit))


def answered_before(folder: Path) -> int:
    """How many answers a run has, counted quickly."""
    path = folder / ANSWERS
    return path.read_bytes().count(b"\n") if path.is_file() else 0


def _picked(folder: Path, task: str) -> dict[str, int]:
    lines = (line for line in read_answers(folder) if line.task == task)
    return {line.item: line.answer.index for line in lines if isinstance(line.answer, Pick)}


def cache_file() -> Path:
    """Where replies are kept for other runs."""
    return cache_folder() / "replies.sqlite"
