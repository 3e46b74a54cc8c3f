"""Small functions, small files, packages that say what they are, and no error that vanishes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[1] / "src" / "commonsight"

FUNCTION_LINES = 80
FILE_LINES = 500


def complaints(root: Path) -> list[str]:
    """Every breach of the rules in the package whose folder is `root`."""
    found = []
    for path in sorted(root.rglob("*.py")):
        inside = path.relative_to(root)
        source = path.read_text("utf-8")
        tree = ast.parse(source, filename=str(path))
        lines = len(source.splitlines())
        if lines > FILE_LINES:
            found.append(f"{inside}: {lines} lines; at most {FILE_LINES}")
        if not (path.parent / "__init__.py").exists():
            found.append(f"{inside}: its folder has no __init__.py")
        if path.name == "__init__.py" and ast.get_docstring(tree) is None:
            found.append(f"{inside}: the package has no docstring")
        found.extend(f"{inside}:{line}: {what}" for line, what in _in_tree(tree))
        if inside.parts[0] != "cli":
            found.extend(f"{inside}:{line}: prints; only cli/ does" for line in _prints(tree))
    return found


def _in_tree(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield node.lineno, f"{node.name} has {lines} lines; at most {FUNCTION_LINES}"
        elif isinstance(node, ast.ExceptHandler):
            if node.type is None:
                yield node.lineno, "bare except; name the error"
            elif all(_does_nothing(statement) for statement in node.body):
                yield node.lineno, "silent except; handle the error"


def _does_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _prints(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            yield node.lineno


def test_the_package_keeps_the_rules() -> None:
    assert SRC.is_dir()
    found = complaints(SRC)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("x = 1\n" * 501, "a.py: 501 lines; at most 500"),
        ("def long():\n" + "    x = 1\n" * 80, "a.py:1: long has 81 lines; at most 80"),
        ("class A:\n  async def long(self):\n" + "    x = 1\n" * 80, "a.py:2: long has 81 lines; at most 80"),
        ("try:\n    f()\nexcept:\n    raise\n", "a.py:3: bare except; name the error"),
        ("try:\n    f()\nexcept OSError:\n    pass\n", "a.py:3: silent except; handle the error"),
        ("try:\n    f()\nexcept OSError:\n    ...\n", "a.py:3: silent except; handle the error"),
        ("print('hello')\n", "a.py:1: prints; only cli/ does"),
    ],
)
def test_a_breach_is_found(tmp_path: Path, source: str, complaint: str) -> None:
    (tmp_path / "__init__.py").write_text('"""A package."""\n')
    (tmp_path / "a.py").write_text(source)
    assert complaints(tmp_path) == [complaint]


def test_a_package_says_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("x = 1\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.py").write_text("")
    assert complaints(tmp_path) == [
        "__init__.py: the package has no docstring",
        "inner/a.py: its folder has no __init__.py",
    ]


def test_what_is_allowed_passes(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text('"""A package."""\n')
    (tmp_path / "cli").mkdir()
    (tmp_path / "cli" / "__init__.py").write_text('"""Prints."""\nprint("hello")\n')
    (tmp_path / "a.py").write_text(
        "def short():\n" + "    x = 1\n" * 79 + "try:\n    f()\nexcept OSError:\n    x = None\n"
    )
    assert complaints(tmp_path) == []
