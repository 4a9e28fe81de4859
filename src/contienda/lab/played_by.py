"""Which code played: a hash of everything that decides a game, for comparing and resuming results.

It covers the rules, openings, searches, evaluators, players, their networks and books, and the compiler. Comments,
docstrings and formatting do not count, nor does code that only displays or stores.
"""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

import contienda
from contienda.core.syntax import parse_python

__all__ = ["code_version"]

#: Folders and files of the package that decide no game.
_ASIDE = frozenset(
    (
        "__main__.py",
        "cli",
        "compiled/code_content.py",
        "compiled/kept_code.py",
        "compiled/kept_files.py",
        "compiled/numba_internals.py",
        "core/drawn.py",
        "core/files.py",
        "core/language.py",
        "envs",
        "games/check.py",
        "lab",
        "league",
        "learning",
        "locales",
        "trace",
        "web",
    )
)
#: The lab's own part in a result: the openings, and the record of a game.
_OF_THE_LAB = ("lab/openings.py", "lab/where.py")


@cache
def code_version() -> str:
    """Return the hash of the code that plays here: results of other code may differ."""
    return hash_of(Path(contienda.__file__).parent)


def hash_of(package: Path) -> str:
    """Return the hash of the code in a folder with the package."""
    digest = hashlib.sha256(version("numba").encode())
    for file in sorted(package.rglob("*")):
        name = file.relative_to(package)
        aside = not _ASIDE.isdisjoint((name.parts[0], name.as_posix())) and name.as_posix() not in _OF_THE_LAB
        if aside or "__pycache__" in name.parts or not file.is_file():
            continue
        content = file.read_bytes()
        if file.suffix == ".py":
            content = _meaning(content)
        digest.update(f"{name.as_posix()}:{len(content)}:".encode() + content)
    return digest.hexdigest()[:16]


def _meaning(source: bytes) -> bytes:
    """Return a source without formatting, comments and docstrings."""
    tree = parse_python(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [each for each in node.body if not _is_text(each)]
    return ast.dump(tree).encode()


def _is_text(statement: ast.stmt) -> bool:
    """Return whether a statement is a docstring, or the text below a field."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
