"""A real PostgreSQL server from Debian's packages, on loopback, for as long as a test run lasts."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOT_ROOT = "postgres"
"""PostgreSQL refuses to run as root; Debian's package brings this account."""


def programs() -> Path | None:
    """The folder of the newest server's programs, if there is one."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    return folders[-1] if folders and (folders[-1] / "initdb").exists() else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(more_options: str = "") -> Iterator[str]:
    """The address of a new, empty server: `postgresql://…/postgres`."""
    bin_folder = programs()
    assert bin_folder is not None
    who = {"user": NOT_ROOT, "group": NOT_ROOT} if os.geteuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="cs-pg-"))
    try:
        if who:
            shutil.chown(folder, NOT_ROOT, NOT_ROOT)
        port = _free_port()
        made = ("-U", NOT_ROOT, "-A", "trust", "-E", "UTF8", "--no-sync")
        _run(bin_folder, "initdb", "-D", folder / "data", *made, who=who, cwd=folder)
        options = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c max_connections=120 {more_options}"
        start = ("-l", folder / "log", "-w", "-t", "60", "-o", options, "start")
        _run(bin_folder, "pg_ctl", "-D", folder / "data", *start, who=who, cwd=folder)
        try:
            yield f"postgresql://{NOT_ROOT}@127.0.0.1:{port}/postgres"
        finally:
            stop = ("pg_ctl", "-D", folder / "data", "-m", "immediate", "-w", "stop")
            _run(bin_folder, *stop, who=who, cwd=folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(bin_folder: Path, name: str, *arguments: str | Path, who: dict[str, str], cwd: Path) -> None:
    done = subprocess.run(
        [bin_folder / name, *arguments],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # a pipe would stay open in the server, and be waited for
        stderr=(cwd / f"{name}.err").open("w"),
        check=False,
        **who,  # type: ignore[call-overload]
    )
    if done.returncode:
        raise RuntimeError(f"{name} failed: {(cwd / f'{name}.err').read_text()}")
