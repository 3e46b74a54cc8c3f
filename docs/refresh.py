"""Runs every command in the guide's `console` blocks and writes what it printed beneath it.

    python docs/refresh.py            rewrite the blocks in README.md and docs/*.md
    python docs/refresh.py --check    say which are stale, exit code 1 if any is

So no output in the guide is typed by hand, and a test (tests/test_docs.py) finds a stale one. Commands run in
a scratch folder in which `tests/` is the checkout's, so that paths in the guide are those of the checkout.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WIDTH = "100"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages() -> Iterator[Path]:
    """Every page that may hold console blocks."""
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").rglob("*.md"))


def refreshed(page: str, folder: Path) -> str:
    """The page with every console block run anew; the blocks of one page share a folder."""
    return BLOCK.sub(lambda block: f"```console\n{_rerun(block.group(1), folder)}```", page)


def _rerun(block: str, folder: Path) -> str:
    written = []
    for command in _commands(block):
        shown = "\n".join(line.rstrip() for line in _run(command.replace("\\\n", " "), folder).splitlines())
        written.append(f"$ {command}\n{shown}\n" if shown else f"$ {command}\n")
    return "".join(written)


def _commands(block: str) -> Iterator[str]:
    lines = iter(block.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command += "\n" + next(lines)
            yield command


def _run(command: str, folder: Path) -> str:
    tests = folder / "tests"
    if not tests.exists():
        tests.symlink_to(ROOT / "tests")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = {"PATH": path, "COLUMNS": WIDTH, "LANG": "C.UTF-8", "HOME": str(folder), "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    return done.stdout


def stale(page: Path) -> bool:
    """Whether a page's blocks print something else by now."""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        return refreshed(text, Path(folder)) != text


def main() -> int:
    """Rewrite the pages, or only check them."""
    check = "--check" in sys.argv[1:]
    old = [page for page in pages() if BLOCK.search(page.read_text(encoding="utf-8")) and stale(page)]
    for page in old:
        print(f"{'stale' if check else 'rewritten'}: {page.relative_to(ROOT)}")
        if not check:
            with tempfile.TemporaryDirectory() as folder:
                text = refreshed(page.read_text(encoding="utf-8"), Path(folder))
            page.write_text(text, encoding="utf-8")
    return 1 if check and old else 0


if __name__ == "__main__":
    sys.exit(main())
