"""One process at a time: a lock goes with its holder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from commonsight.errors import UsageError
from commonsight.store.locks import held

HOLDER = """
import sys, time
from pathlib import Path
from commonsight.store.locks import held
with held(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_folder_is_held_by_one_and_let_go_of(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    for _ in range(2):
        with held(folder), pytest.raises(UsageError, match=r"new is in use by another process\. Wait"):
            held(folder).__enter__()


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match="in use"):
            held(tmp_path).__enter__()
        process.send_signal(signal.SIGKILL)
        process.wait()
    with held(tmp_path):
        assert (tmp_path / ".lock").is_file()
