"""A plain Python function as a model: `python:package.module:function`.

It says by the names of its parameters what it wants: `question` (all texts, joined), `images` (PIL),
`pictures` (encoded, with their media types), `candidates`, or the whole `request`. It gives a text or a
`Reply`, at once or as a coroutine.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import io
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from commonsight.errors import AnswererUnusable, CommonsightError, RequestRefused
from commonsight.vlm.client import Reply, Request

if TYPE_CHECKING:
    from PIL.Image import Image


def _question(request: Request) -> str:
    return "\n".join(part for turn in request.turns for part in turn.parts if isinstance(part, str))


def _images(request: Request) -> list[Image]:
    from PIL import Image

    opened = [Image.open(io.BytesIO(picture.data)) for picture in request.pictures]
    for image in opened:
        image.load()
    return list(opened)


_OFFERED: dict[str, Callable[[Request], Any]] = {
    "question": _question,
    "images": _images,
    "pictures": lambda request: request.pictures,
    "candidates": lambda request: request.candidates,
    "request": lambda request: request,
}


class FunctionClient:
    """Asks a function. One that is no coroutine runs in a thread, so that it holds nobody up."""

    def __init__(self, function: Callable[..., Any], *, name: str, most_at_once: int = 8) -> None:
        self.name = name
        self._function = function
        self._wanted = _wanted(function, name)
        self._threads = ThreadPoolExecutor(most_at_once, "function")

    async def ask(self, request: Request) -> Reply:
        """What the function says; whatever it raises fails this question only."""
        began = time.perf_counter()
        try:
            said = await self._said(request)
        except CommonsightError:
            raise
        except Exception as error:
            raise RequestRefused(f"{self.name} raised {type(error).__name__}: {error}") from error
        if isinstance(said, str):
            said = Reply(said)
        if not isinstance(said, Reply):
            raise AnswererUnusable(f"{self.name} gave {type(said).__name__}; let it give a str or a Reply.")
        seconds = time.perf_counter() - began if said.seconds is None else said.seconds
        return structs.replace(said, seconds=seconds)

    async def close(self) -> None:
        """Let the threads go; a call that is under way is not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _said(self, request: Request) -> Any:
        given = {name: _OFFERED[name](request) for name in self._wanted}
        if inspect.iscoroutinefunction(self._function):
            return await self._function(**given)
        loop = asyncio.get_running_loop()
        said = await loop.run_in_executor(self._threads, lambda: self._function(**given))
        return await said if inspect.isawaitable(said) else said


def _wanted(function: Callable[..., Any], name: str) -> tuple[str, ...]:
    parameters = inspect.signature(function).parameters.values()
    unknown = [
        one.name
        for one in parameters
        if one.name not in _OFFERED
        and one.default is inspect.Parameter.empty
        and one.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    ]
    if unknown:
        raise AnswererUnusable(
            f"{name} wants {', '.join(unknown)}, which nobody gives it. "
            f"Name its parameters from: {', '.join(_OFFERED)}."
        )
    wanted = tuple(one.name for one in parameters if one.name in _OFFERED)
    if not wanted:
        raise AnswererUnusable(f"{name} wants no question. Name its parameters from: {', '.join(_OFFERED)}.")
    return wanted


def load_function(spec: str, *, most_at_once: int = 8, folder: Path | None = None) -> FunctionClient:
    """The function that `package.module:function` names, installed or in the (current) folder."""
    module_name, _, function_name = spec.removeprefix("python:").partition(":")
    if not module_name or not function_name:
        raise AnswererUnusable(f"{spec} names no function. Write it as python:package.module:function.")
    module = _module(module_name, str(folder or Path.cwd()))
    function = getattr(module, function_name, None)
    if not callable(function):
        there = [name for name, value in vars(module).items() if inspect.isfunction(value) and name[0] != "_"]
        raise AnswererUnusable(
            f"{module_name} has no function {function_name}. It has: {', '.join(there) or 'none'}."
        )
    return FunctionClient(function, name=f"python:{module_name}:{function_name}", most_at_once=most_at_once)


def _module(name: str, folder: str) -> Any:
    sys.path.insert(0, folder)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        why = f"no module named {error.name}"
        raise AnswererUnusable(f"{name} cannot be imported: {why}. Is it installed, or here?") from error
    except Exception as error:
        raise AnswererUnusable(f"{name} cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(folder)
