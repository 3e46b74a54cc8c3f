"""Importing does nothing: it is quick, and it loads no heavy library."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

import commonsight

_IMPORTED = re.compile(r"^import time: +\d+ \| +\d+ \| +(\w+)", re.MULTILINE)

_TIMED = "import time; start = time.perf_counter(); import commonsight; print(time.perf_counter() - start)"


def _python(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb"}
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=60, env=environment
    )
    assert done.returncode == 0, done.stderr[-1000:]
    return done


def _loaded(*arguments: str) -> set[str]:
    """The top-level packages that a new interpreter loads to run this."""
    loaded = set(_IMPORTED.findall(_python("-X", "importtime", *arguments).stderr))
    assert "commonsight" in loaded  # else the interpreter's report was not understood
    return loaded


def test_importing_commonsight_loads_nothing_heavy() -> None:
    heavy = {"torch", "numpy", "pyarrow", "rich", "typer", "scipy", "PIL", "datasets"}
    assert _loaded("-c", "import commonsight") & heavy == set()


def test_importing_commonsight_takes_under_half_a_second() -> None:
    assert min(float(_python("-c", _TIMED).stdout) for _ in range(3)) < 0.5


@pytest.mark.parametrize(
    "arguments",
    [("-c", "import commonsight.cli.main"), ("-m", "commonsight", "--version")],
    ids=["import", "version"],
)
def test_the_command_line_starts_without_the_heavy_libraries(arguments: tuple[str, ...]) -> None:
    assert _loaded(*arguments) & {"torch", "scipy", "datasets"} == set()


def test_python_m_commonsight_is_the_command() -> None:
    assert commonsight.__version__ in _python("-m", "commonsight", "--version").stdout
