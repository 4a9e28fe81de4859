"""Evaluators that users write in the browser: kept as files, and compiled into the search like any other.

Running a user's Python can do anything. So all of Python is allowed only if nobody but the local user can reach the
server, and only from the app's own page (`contienda.web.access.guard` checks the Origin). Where others can reach it, a
heuristic must be in the safe subset (`contienda.evaluation.safe`). This process then neither parses, compiles nor runs
it: confined ones do (`contienda.web.work.sandbox`).
"""

from __future__ import annotations

import ast
import asyncio
import hashlib
import re
import secrets
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from contienda.compiled.stopping import Stop
from contienda.core.files import write_atomically
from contienda.core.language import BadInput, Text
from contienda.core.syntax import parse_python
from contienda.evaluation.custom import blame_heuristic
from contienda.evaluation.safe import SUFFIX
from contienda.web.errors import Forbidden, NotFound
from contienda.web.searches.checked import check_heuristic_file
from contienda.web.searches.shapes import HeuristicReport, HeuristicView
from contienda.web.work import rehearsals
from contienda.web.work.compiler import Compiler
from contienda.web.work.processes import Workshop
from contienda.web.work.queue import FairQueue
from contienda.web.work.sandbox import Sandbox

__all__ = ["PREFIX", "BadHeuristic", "Heuristics"]

#: ``eval=mine/NAME`` names a heuristic of the browser that sent the request.
PREFIX = "mine/"

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,30}")
#: The first line of a file says which game it is for.
_HEAD = "# game: "
#: In the safe subset it also names the heuristic's function: this process does not parse the rest.
_FUNCTION = "; function: "
_MOST = 50
#: Seconds to call a heuristic on a few boards.
_TRIAL = 10.0
#: Seconds for a check, compiling included, and how many may wait: only the local user asks for any.
_CHECK, _MOST_CHECKS = 60.0, 4
#: The folder of versions that experiments were played with.
_FROZEN = "lab"


class BadHeuristic(BadInput):
    """An error in a heuristic, with its line."""

    def __init__(self, error: BadInput, folder: Path, before: int = 1) -> None:
        """``before``: lines of the file that the user did not write."""
        super().__init__(Text.rendered(_without_file(error.text.in_all_languages(), folder)))
        self.line = None if error.line is None else max(error.line - before, 1)


class Heuristics:
    """The heuristics of all browsers, each in its own folder."""

    def __init__(
        self, folder: Path, compiler: Compiler, sandbox: Sandbox, workshop: Workshop, *, all_of_python: bool
    ) -> None:
        self._folder = folder.absolute()  # as messages quote it
        self._compiler = compiler
        self._sandbox = sandbox
        self._workshop = workshop
        self._checks = FairQueue(1, 1, _MOST_CHECKS, "check")
        self.safe = not all_of_python
        """Whether heuristics must be in the safe subset."""
        self._suffix = ".py" if all_of_python else SUFFIX
        self._frozen = re.compile(
            re.escape(str(self._folder)) + rf"[\\/]\w+[\\/]{_FROZEN}[\\/]([\w-]+)-[0-9a-f]{{8}}\.py(?::\w+)?"
        )

    @property
    def allowed(self) -> bool:
        """Whether heuristics can be written here."""
        return not self.safe or self._sandbox.refusal is None

    def _refuse_unless_fit(self, name: str | None = None) -> None:
        if not self.allowed:
            raise Forbidden(
                "heuristics are disabled: this server is open to the network and cannot confine them: {why}",
                why=self._sandbox.refusal,
            )
        if name is not None and not _NAME.fullmatch(name):
            raise BadInput(
                "{name!r} is not a valid name for a heuristic: use lower-case letters, digits, - and _", name=name[:40]
            )

    def _path(self, client: str, name: str) -> Path:
        return self._folder / client / f"{name}{self._suffix}"

    def all(self, client: str) -> list[HeuristicView]:
        """Return this browser's heuristics."""
        self._refuse_unless_fit()
        return [self.get(client, name) for name in self._names(client)]

    def _names(self, client: str) -> list[str]:
        found = (path.name.removesuffix(self._suffix) for path in (self._folder / client).glob(f"*{self._suffix}"))
        return sorted(name for name in found if "." not in name)

    def get(self, client: str, name: str) -> HeuristicView:
        """Return one of this browser's heuristics."""
        self._refuse_unless_fit(name)
        path = self._path(client, name)
        if not path.is_file():
            raise NotFound("no heuristic {name!r} here", name=name)
        head, _, source = path.read_text(encoding="utf-8").partition("\n")
        game = head.removeprefix(_HEAD).partition(_FUNCTION)[0]
        return HeuristicView(name=name, game=game, source=source, eval=PREFIX + name)

    async def put(self, client: str, name: str, game: str, source: str) -> HeuristicView:
        """Compile a heuristic; only if that succeeds, it replaces the one of the same name."""
        self._refuse_unless_fit(name)
        path = self._path(client, name)
        if not path.exists() and len(self._names(client)) >= _MOST:
            raise BadInput("you already have {most} heuristics; delete one first", most=_MOST)
        text = f"{_HEAD}{game}\n{source}"
        async with _on_trial(path, text) as trial:
            with self.blamed():
                if self.safe:
                    from contienda.web.searches.confined import try_heuristic

                    function = await self._sandbox.run(client, try_heuristic, str(trial), game, seconds=_TRIAL)
                    text = f"{_HEAD}{game}{_FUNCTION}{function}\n{source}"
                else:
                    evaluator = f"{trial}:{_last_function(trial)}"
                    await self._compiler.rehearse(client, rehearsals.EvaluatorRehearsal(game, evaluator))
        await asyncio.to_thread(write_atomically, path, text)
        return self.get(client, name)

    async def check(self, client: str, name: str, game: str, source: str) -> HeuristicReport:
        """Try a heuristic on many positions, compiled and interpreted; it is not kept."""
        self._refuse_unless_fit(name)
        if self.safe:
            raise Forbidden("this server does not check heuristics; run contienda check on your own machine")

        def look(stop: Stop) -> Any:
            try:
                return self._workshop.do(check_heuristic_file, evaluator, game, stop=stop)
            except BadInput:
                if not stop.stopped:
                    raise
                raise BadInput(
                    "the check did not end within {seconds:,g} s: does the heuristic loop forever?", seconds=_CHECK
                ) from None

        async with _on_trial(self._path(client, name), source) as trial:  # without a head: remarks quote its lines
            with self.blamed(before=0):
                evaluator = f"{trial}:{_last_function(trial)}"
                positions, faults, remarks = await self._checks.run(client, look, _CHECK)
        return HeuristicReport(
            positions=positions,
            faults=[_without_file(each, self._folder) for each in faults],
            remarks=[_without_file(each, self._folder) for each in remarks],
        )

    def close(self) -> None:
        """Start no more checks."""
        self._checks.close()

    @contextmanager
    def blamed(self, before: int = 1) -> Iterator[None]:
        """Report an error inside a heuristic with its line, and without the path of its file.

        ``before``: lines of the file that the user did not write.
        """
        try:
            yield
        except Exception as error:
            told = error if isinstance(error, BadInput) else blame_heuristic(error)
            if told is None or (told is error and told.line is None and not told.text.quotes(str(self._folder))):
                raise
            if told.line is None and not told.text.quotes(str(self._folder)):  # in a user's own game or player
                raise told from None
            raise BadHeuristic(told, self._folder, before) from None

    def evaluator(self, client: str, name: str) -> str:
        """Return the evaluator for a spec, ``FILE.py:FUNCTION``."""
        view = self.get(client, name)
        path = self._path(client, view.name)
        return f"{path}:{self._function(path)}"

    def _function(self, path: Path) -> str:
        if not self.safe:
            return _last_function(path)
        with path.open(encoding="utf-8") as file:
            return file.readline().partition(_FUNCTION)[2].strip() or "heuristic"

    def submission(self, client: str, name: str) -> tuple[HeuristicView, str]:
        """Return a heuristic in the safe subset as it is handed in, and the name of its function."""
        view = self.get(client, name)
        if not self.safe:
            raise Forbidden("a class takes heuristics in the safe subset only")
        return view, self._function(self._path(client, name))

    def frozen(self, client: str, name: str) -> str:
        """Like `evaluator`, but frozen as it is now: an experiment keeps the version that it began with."""
        view = self.get(client, name)
        if self.safe:
            raise Forbidden("experiments with heuristics of your own need a server that only this machine can reach")
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


@asynccontextmanager
async def _on_trial(path: Path, text: str) -> AsyncIterator[Path]:
    """Write a text to a file of the same name in a folder of its own, which is then removed."""
    trial = path.parent / f"trial-{secrets.token_hex(4)}" / path.name
    await asyncio.to_thread(write_atomically, trial, text)
    try:
        yield trial
    finally:
        shutil.rmtree(trial.parent, ignore_errors=True)


def _without_file(texts: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return a text in each language without the paths of users' files; a function's name stays."""
    place = re.compile(re.escape(str(folder)) + r"[^\s:]*\.py(?::\d+:? ?|:(\w+))?")
    return {name: place.sub(r"\1", text).strip() for name, text in texts.items()}


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
