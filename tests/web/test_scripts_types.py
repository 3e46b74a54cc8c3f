"""Our scripts, held to their types by TypeScript's checker, and pages to having no scripts but these."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[2] / "src" / "commonsight" / "web" / "static"
SCRIPTS = sorted(path for path in STATIC.glob("*.js") if not path.name.endswith(".min.js"))
TEMPLATES = sorted((STATIC.parent / "templates").rglob("*.html"))
TSC = shutil.which("tsc")


@pytest.mark.skipif(TSC is None, reason="no TypeScript here: install Debian's package node-typescript")
def test_every_script_keeps_to_its_types() -> None:
    assert TSC is not None
    strict = ("--noEmit", "--allowJs", "--checkJs", "--strict", "--target", "es2022")
    command = [TSC, *strict, "--lib", "es2022,dom,dom.iterable", *SCRIPTS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_says_that_it_is_checked_and_what_it_is_for(path: Path) -> None:
    first, second = path.read_text("utf-8").splitlines()[:2]
    assert first == "// @ts-check"
    assert second.startswith("// ")


@pytest.mark.parametrize("path", [*SCRIPTS, *STATIC.glob("*.css")], ids=lambda path: path.name)
def test_nothing_is_fetched_from_elsewhere(path: Path) -> None:
    assert re.findall(r"(?:https?:)?//[a-z0-9-]+\.[a-z]|@import|eval\(", path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_has_a_script_or_a_style_in_it(path: Path) -> None:
    """The content policy would block them. Nor is anything called safe: a stranger may have written it."""
    never = r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|hx-on|javascript:|\|\s*safe\b"
    assert re.findall(never, path.read_text("utf-8")) == []
