"""Evaluators that users write in the browser: kept as files, and compiled into the search like any other.

Running a user's Python can do anything. So this works only if nobody but the local user can reach the server, and only
from the app's own page (`contienda.web.access.guard` checks the Origin).
"""

from __future__ import annotations

import ast
import asyncio
import hashlib
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contienda.core.files import write_atomically
from contienda.core.language import BadInput, Text
from contienda.core.syntax import parse_python
from contienda.evaluation.custom import blame_heuristic
from contienda.web.errors import Forbidden, NotFound
from contienda.web.shapes import HeuristicView
from contienda.web.work import rehearsals
from contienda.web.work.compiler import Compiler

__all__ = ["PREFIX", "BadHeuristic", "Heuristics"]

#: ``eval=mine/NAME`` names a heuristic of the browser that sent the request.
PREFIX = "mine/"

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,30}")
#: The first line of a file says which game it is for.
_HEAD = "# game: "
_MOST = 50
#: The folder of versions that experiments were played with.
_FROZEN = "lab"


class BadHeuristic(BadInput):
    """An error in a heuristic, with its line."""

    def __init__(self, error: BadInput, folder: Path) -> None:
        place = re.compile(re.escape(str(folder)) + r"[^\s:]*\.py(?::\d+:? ?|:(\w+))?")
        texts = error.text.in_all_languages()
        super().__init__(Text.rendered({name: place.sub(r"\1", text).strip() for name, text in texts.items()}))
        # The file's first line was not written by the user.
        self.line = None if error.line is None else max(error.line - 1, 1)


class Heuristics:
    """The heuristics of all browsers, each in its own folder."""

    def __init__(self, folder: Path, compiler: Compiler, allowed: bool) -> None:
        self._folder = folder.absolute()  # as messages quote it
        self._compiler = compiler
        self.allowed = allowed
        self._frozen = re.compile(
            re.escape(str(self._folder)) + rf"[\\/]\w+[\\/]{_FROZEN}[\\/]([\w-]+)-[0-9a-f]{{8}}\.py(?::\w+)?"
        )

    def _check(self, name: str | None = None) -> None:
        if not self.allowed:
            raise Forbidden("custom heuristics are disabled when the server is open to the network")
        if name is not None and not _NAME.fullmatch(name):
            raise BadInput(
                "{name!r} is not a valid name for a heuristic: use lower-case letters, digits, - and _", name=name[:40]
            )

    def _path(self, client: str, name: str) -> Path:
        return self._folder / client / f"{name}.py"

    def all(self, client: str) -> list[HeuristicView]:
        """Return this browser's heuristics."""
        self._check()
        return [self.get(client, path.stem) for path in sorted((self._folder / client).glob("*.py"))]

    def get(self, client: str, name: str) -> HeuristicView:
        """Return one of this browser's heuristics."""
        self._check(name)
        path = self._path(client, name)
        if not path.is_file():
            raise NotFound("no heuristic {name!r} here", name=name)
        head, _, source = path.read_text(encoding="utf-8").partition("\n")
        return HeuristicView(name=name, game=head.removeprefix(_HEAD), source=source, eval=PREFIX + name)

    async def put(self, client: str, name: str, game: str, source: str) -> HeuristicView:
        """Compile a heuristic; only if that succeeds, it replaces the one of the same name."""
        self._check(name)
        path = self._path(client, name)
        if not path.exists() and len(list(path.parent.glob("*.py"))) >= _MOST:
            raise BadInput("you already have {most} heuristics; delete one first", most=_MOST)
        text = f"{_HEAD}{game}\n{source}"
        trial = path.parent / f"trial-{secrets.token_hex(4)}" / path.name
        await asyncio.to_thread(write_atomically, trial, text)
        try:
            with self.blamed():
                evaluator = f"{trial}:{_last_function(trial)}"
                await self._compiler.rehearse(client, rehearsals.EvaluatorRehearsal(game, evaluator))
        finally:
            shutil.rmtree(trial.parent, ignore_errors=True)
        await asyncio.to_thread(write_atomically, path, text)
        return self.get(client, name)

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Report an error inside a heuristic with its line, and without the path of its file."""
        try:
            yield
        except Exception as error:
            told = error if isinstance(error, BadInput) else blame_heuristic(error)
            if told is None or (told is error and not told.text.quotes(str(self._folder))):
                raise
            if not told.text.quotes(str(self._folder)):  # it happened in a user's own game or player
                raise told from None
            raise BadHeuristic(told, self._folder) from None

    def evaluator(self, client: str, name: str) -> str:
        """Return the evaluator for a spec, ``FILE.py:FUNCTION``."""
        view = self.get(client, name)
        path = self._path(client, view.name)
        return f"{path}:{_last_function(path)}"

    def frozen(self, client: str, name: str) -> str:
        """Like `evaluator`, but frozen as it is now: an experiment keeps the version that it began with."""
        view = self.get(client, name)
        text = self._path(client, view.name).read_text(encoding="utf-8")
        version = hashlib.sha256(text.encode()).hexdigest()[:8]
        path = self._folder / client / _FROZEN / f"{view.name}-{version}.py"
        if not path.exists():
            write_atomically(path, text)
        return f"{path}:{_last_function(path)}"

    def shown(self, text: str) -> str:
        """Return a text in which every frozen version appears under the name that its user knows."""
        return self._frozen.sub(rf"{PREFIX}\1", text)

    def delete(self, client: str, name: str) -> None:
        """Delete a heuristic."""
        self.get(client, name)
        self._path(client, name).unlink()


def _last_function(path: Path) -> str:
    """Return the name of the last function in a file: that one is the heuristic."""
    try:
        tree = parse_python(path.read_bytes(), str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        told = getattr(error, "msg", None) or str(error)
        wrong = BadInput("{path}:{line}: syntax error: {told}", path=path, line=line, told=told)
        wrong.line = line
        raise wrong from None
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    if not names:
        raise BadInput("the code has no function; write def NAME(board, weights):")
    return names[-1]
