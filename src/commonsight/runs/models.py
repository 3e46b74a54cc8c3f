"""The model that a person names on the command line, as a client."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from commonsight.errors import UsageError
from commonsight.vlm.client import Client

if TYPE_CHECKING:
    from commonsight.runs.local import ScoreBy

KINDS = "openai:NAME with --base-url, hf:FOLDER_OR_NAME, or python:package.module:function"


@dataclass(frozen=True)
class OnThisMachine:
    """How a model that runs here is loaded and asked; of no use for any other."""

    batch: int = 8
    """So many questions are put to it together."""
    device: str = "auto"
    dtype: str = "auto"
    score_by: ScoreBy = "text"
    revision: str | None = None
    trust_remote_code: bool = False


HERE = OnThisMachine()


def client_of(
    model: str,
    base_url: str | None,
    *,
    key_variable: str | None = None,
    keyring: Path | None = None,
    most_at_once: int = 64,
    seconds: float | None = None,
    here: OnThisMachine = HERE,
) -> Client:
    """A client for `openai:NAME` at an address, for `hf:` a local model, or for a plain Python function."""
    kind, _, name = model.partition(":")
    if not name:
        raise UsageError(f"--model {model}: this names no model. Write {KINDS}.")
    if kind == "hf":
        return _local(name, here)
    if here != HERE:
        raise UsageError(
            f"--model {model}: --batch, --device, --dtype, --score-by, --revision and --trust-remote-code "
            "are for models that run here (hf:FOLDER_OR_NAME). Leave them out."
        )
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


def _local(name: str, here: OnThisMachine) -> Client:
    from commonsight.runs.local import local_client

    return local_client(
        name,
        revision=here.revision,
        trust_remote_code=here.trust_remote_code,
        batch=here.batch,
        device=here.device,
        dtype=here.dtype,
        score_by=here.score_by,
    )
