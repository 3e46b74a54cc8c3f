"""The model that a person names on the command line, as a client."""

from __future__ import annotations

from pathlib import Path

from commonsight.errors import UsageError
from commonsight.vlm.client import Client

KINDS = "openai:NAME with --base-url, or python:package.module:function"


def client_of(
    model: str,
    base_url: str | None,
    *,
    key_variable: str | None = None,
    keyring: Path | None = None,
    most_at_once: int = 64,
    seconds: float | None = None,
) -> Client:
    """A client for `openai:NAME` at an address, or for a plain Python function."""
    kind, _, name = model.partition(":")
    if not name:
        raise UsageError(f"--model {model}: this names no model. Write {KINDS}.")
    if kind == "python":
        from commonsight.vlm.function import load_function

        return load_function(model, most_at_once=most_at_once)
    if kind != "openai":
        raise UsageError(f"--model {model}: there is no kind of model called {kind}. Write {KINDS}.")
    if base_url is None:
        raise UsageError("--base-url is missing: where does the model answer? http://localhost:8000/v1, say.")
    from commonsight.vlm.keys import find_key
    from commonsight.vlm.openai import OpenAIClient, Timeouts

    key = find_key(base_url, variable=key_variable, keyring=keyring)
    timeouts = Timeouts() if seconds is None else Timeouts(total=seconds)
    return OpenAIClient(name, base_url, key, most_at_once=most_at_once, timeouts=timeouts)
