"""Imports go one way (docs/decisions/0001-layers-hold-by-test.md), and this is what holds them to it.

`violations` reads source files without importing them, so it sees imports inside functions, under
`TYPE_CHECKING` and by `import_module("…")` as well. It is itself tested on small trees that break each rule.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

SRC = Path(__file__).resolve().parents[1] / "src" / "commonsight"

LAYERS = (
    ("cli",),
    ("web",),
    ("runs",),
    ("benchmarks",),
    ("collect", "audit", "models", "vlm", "world"),
    ("build", "score"),
    ("graph", "text"),
    ("store",),
    ("core",),
    ("errors",),
)
"""Top to bottom. A part imports itself and lower layers only, never a sibling in its own layer."""

LEVEL = {part: level for level, parts in enumerate(reversed(LAYERS)) for part in parts}

APART = {("benchmarks", "models"), ("benchmarks", "vlm")}
"""Lower, and still not to be imported: benchmarks and answerers meet in runs/."""

NAMELESS = ("models", "vlm", "score", "web")
"""Parts that must work for every benchmark, and so never name one."""

ROOTS = ("__init__", "__main__")
"""Modules that stand above all layers."""

BENCHMARK_NAME = re.compile(r"(?<![a-z0-9])(vcr|pmr|cric|nlvr2?|a-?okvqa)(?![a-z0-9])")
CAMEL_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Import(NamedTuple):
    line: int
    target: str
    """Dotted, with the imported name at its end; starts with "." where relative."""


def imports_of(tree: ast.AST) -> Iterator[Import]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield from (Import(node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and _callee(node) in ("import_module", "__import__"):
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield Import(node.lineno, name.value)


def _callee(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def names_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every identifier and every string that is not a docstring, with its line."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and id(node) not in docstrings:
                yield line, node.value
            continue
        for field in ("id", "attr", "arg", "name", "asname", "module"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                yield line, value


def wrong_import(part: str, target: str) -> str | None:
    """Why a module in `part` must not import `target`, or None where it may."""
    if target.startswith("."):
        return f"relative import {target}; write it from commonsight on"
    first, _, rest = target.partition(".")
    if first == "torch" and part != "models":
        return "imports torch; torch lives only in models/"
    if first != "commonsight" or part in ROOTS or rest == "__version__":
        return None
    other = rest.partition(".")[0]
    if other not in LEVEL:
        return f"imports {target}; name the part of commonsight that it needs"
    if part == other:
        return None
    if (part, other) in APART:
        return f"{part} imports {other}; the two meet in runs/"
    if LEVEL[part] <= LEVEL[other]:
        return f"{part} imports {other}, which is not below it"
    return None


def violations(root: Path) -> list[str]:
    """Every breach of the rules in the package whose folder is `root`."""
    found = []
    for path in sorted(root.rglob("*.py")):
        inside = path.relative_to(root)
        part = inside.with_suffix("").parts[0]
        if part not in LEVEL and part not in ROOTS:
            found.append(f"{inside}: {part} stands in no layer; add it to LAYERS and to the design")
            continue
        tree = ast.parse(path.read_text("utf-8"), filename=str(path))
        for line, target in imports_of(tree):
            why = wrong_import(part, target)
            if why is not None:
                found.append(f"{inside}:{line}: {why}")
        if part in NAMELESS:
            found.extend(f"{inside}:{line}: names a benchmark: {name!r}" for line, name in named_in(tree))
            if _names_a_benchmark(inside.stem):
                found.append(f"{inside}: names a benchmark")
    return found


def named_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    return ((line, name) for line, name in names_in(tree) if _names_a_benchmark(name))


def _names_a_benchmark(text: str) -> bool:
    return BENCHMARK_NAME.search(CAMEL_HUMP.sub("_", text).lower()) is not None


def test_the_package_keeps_its_layers() -> None:
    assert SRC.is_dir()
    found = violations(SRC)
    assert not found, "\n".join(found)


def _tree(folder: Path, files: dict[str, str]) -> Path:
    for name, source in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, "utf-8")
    return folder


@pytest.mark.parametrize(
    ("file", "source", "why"),
    [
        ("store/a.py", "from commonsight.score import wilson", "store imports score, which is not below"),
        ("core/a.py", "import commonsight.store", "core imports store, which is not below"),
        ("errors.py", "from commonsight import core", "errors imports core, which is not below"),
        ("audit/a.py", "from commonsight.models import r2c", "audit imports models, which is not below"),
        ("graph/a.py", "from commonsight.text import tokens", "graph imports text, which is not below"),
        ("build/matching/a.py", "import commonsight.score", "build imports score, which is not below"),
        ("web/a.py", "from commonsight import cli", "web imports cli, which is not below"),
        ("vlm/a.py", "from commonsight.benchmarks import ALL", "vlm imports benchmarks, which is not below"),
        ("benchmarks/a.py", "from commonsight import models", "benchmarks imports models; the two meet in"),
        ("benchmarks/a.py", "import commonsight.vlm.client", "benchmarks imports vlm; the two meet in"),
        ("text/a.py", "def f():\n    import commonsight.cli", "text imports cli, which is not below"),
        (
            "store/a.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from commonsight.runs import Run",
            "store imports runs, which is not below",
        ),
        (
            "core/a.py",
            "import importlib\nimportlib.import_module('commonsight.runs')",
            "core imports runs, which is not below",
        ),
        ("score/a.py", "import torch.nn as nn", "imports torch; torch lives only in models/"),
        ("runs/a.py", "from torch import Tensor", "imports torch; torch lives only in models/"),
        ("__init__.py", "import torch", "imports torch; torch lives only in models/"),
        ("core/a.py", "from . import item", "relative import ..item"),
        ("core/a.py", "from .item import Item", "relative import .item.Item"),
        ("cli/a.py", "import commonsight", "name the part of commonsight that it needs"),
        ("store/a.py", "from commonsight import Item", "name the part of commonsight that it needs"),
        ("helpers/a.py", "", "helpers stands in no layer"),
        ("score/a.py", "if name == 'vcr': pass", "names a benchmark: 'vcr'"),
        ("score/a.py", "def f(x):\n    return f'{x} on NLVR2'", "names a benchmark: ' on NLVR2'"),
        ("vlm/a.py", "TITLE = 'the A-OKVQA prompt'", "names a benchmark"),
        ("models/a.py", "def load_pmr(): pass", "names a benchmark: 'load_pmr'"),
        ("models/a.py", "class CricHead: pass", "names a benchmark: 'CricHead'"),
        ("models/a.py", "def f(aokvqa): pass", "names a benchmark: 'aokvqa'"),
        ("web/a.py", "from commonsight.benchmarks.nlvr2 import NLVR2", "names a benchmark"),
        ("web/vcr.py", "", "web/vcr.py: names a benchmark"),
    ],
)
def test_a_breach_is_found(tmp_path: Path, file: str, source: str, why: str) -> None:
    found = violations(_tree(tmp_path, {file: source}))
    assert found
    assert found[0].startswith(file)
    assert why in found[0]


def test_what_is_allowed_passes(tmp_path: Path) -> None:
    files = {
        "__init__.py": "__version__ = '1'",
        "__main__.py": "from commonsight.cli.main import main",
        "cli/main.py": "from commonsight import __version__, runs\nfrom commonsight.cli import show",
        "cli/explore.py": "from commonsight.web import serving",
        "web/pages.py": "from commonsight.benchmarks import ALL",
        "benchmarks/vcr.py": "from commonsight.score import accuracy\nNAME = 'vcr'",
        "models/r2c.py": '"""The model of the VCR paper."""\nimport torch\n\nSIZE = 512\n"""As for VCR."""',
        "score/picks.py": "import numpy\nWORDS = ('critic', 'vcrx', 'microcric', 'nlvr22')",
        "build/split.py": "from commonsight.graph import scene\nfrom commonsight.build.matching import pairs",
        "store/native.py": "from commonsight.errors import InputError",
    }
    assert violations(_tree(tmp_path, files)) == []


def test_the_line_of_a_breach_is_named(tmp_path: Path) -> None:
    files = {"core/a.py": "import re\n\nfrom commonsight.store import native"}
    assert violations(_tree(tmp_path, files)) == ["core/a.py:3: core imports store, which is not below it"]
