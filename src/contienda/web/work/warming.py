"""Compiles in advance what users ask for first: the games, the usual players, then the usual traces.

Another process compiles (`contienda.web.work.compiler`), and the server loads the code before anyone waits for it. The
traces wait until nobody has searched for a while.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

from contienda.compiled.stopping import Stop
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.problems import PROBLEMS
from contienda.web.games.table import games_to_play
from contienda.web.searches.players import Players
from contienda.web.work.compiler import Compiler
from contienda.web.work.processes import GaveWay, Workshop
from contienda.web.work.rehearsals import (
    BoardRehearsal,
    HintRehearsal,
    PathTraceRehearsal,
    Recording,
    Rehearsal,
    TraceRehearsal,
)

__all__ = ["Task", "Warming", "usual_players", "usual_traces"]

_log = logging.getLogger(__name__)

#: Seconds between two checks whether the server is searching, and of quiet before the next trace.
_GLANCE, _CALM = 0.2, 3.0


class Task(NamedTuple):
    """Something to compile in advance: its name in the log, the rehearsal, and a function that loads the code.

    The code is loaded here, or ``elsewhere``: in the process that needs it.
    """

    what: str
    rehearsal: Rehearsal
    load: Callable[[], object]
    elsewhere: bool = False


def usual_players(players: Players, specs: Iterable[str] = ()) -> Iterator[Task]:
    """Yield the boards of all games, of those stored here, and the default players."""
    for spec in dict.fromkeys((*games_to_play(), *specs)):
        board = BoardRehearsal(spec)
        yield Task(f"the board of {spec}", board, board.run)
    for name in games_to_play():
        game = make_game(name)
        player = game.default_player

        def load(game=game, player=player) -> None:  # type: ignore[no-untyped-def]
            players.get_ready("", game, player)

        yield Task(f"{player} for {game.spec}", HintRehearsal(game.spec, player), load)


def usual_traces(workshop: Workshop) -> Iterator[Task]:
    """Yield the explorer's traces, its examples first. They are recorded in the workshop."""
    games = {name: make_game(name) for name in games_to_play()}
    traces = [(name, spec) for name, game in games.items() for each in game.trace_examples for _, spec in each.searches]
    traces += [(name, game.default_player) for name, game in games.items()]
    solved = [(name, *asked) for name, p in PROBLEMS.items() for each in p.trace_examples for asked in each.searches]
    rehearsals: list[tuple[str, str, Recording]] = [
        *((name, spec, TraceRehearsal(name, spec)) for name, spec in dict.fromkeys(traces)),
        *((name, spec, PathTraceRehearsal(name, position, spec)) for name, position, spec in solved),
    ]
    for name, spec, trace in rehearsals:
        load = partial(workshop.do_aside, _rehearse, trace)
        yield Task(f"the trace of {spec} for {name}", trace, load, elsewhere=True)


def _rehearse(rehearsal: Recording, *, stop: Stop) -> None:
    rehearsal.record(stop)


class Warming:
    """Runs some tasks at once, and the others one by one, whenever the server is idle."""

    def __init__(
        self,
        compiler: Compiler,
        at_once: Iterator[Task],
        in_peace: Iterator[Task],
        busy: Callable[[], bool],
        calm: float = _CALM,
    ) -> None:
        self._compiler = compiler
        self._at_once, self._in_peace = at_once, in_peace
        self._busy, self._calm = busy, calm
        self._running: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start in the background."""
        self._running = asyncio.ensure_future(self.run())

    def stop(self) -> None:
        """Start nothing more."""
        if self._running is not None:
            self._running.cancel()

    async def run(self) -> None:
        """Run all tasks."""
        failed = [told for task in self._at_once if (told := await self._have_ready(task))]
        _tell(failed)
        again: list[Task] = []  # those that gave way to somebody's trace
        for task in chain(self._in_peace, again):
            quiet = 0.0
            while quiet < self._calm:
                await asyncio.sleep(_GLANCE)
                quiet = 0.0 if self._busy() else quiet + _GLANCE
            try:
                _tell([told for told in [await self._have_ready(task)] if told])
            except GaveWay:
                again.append(task)

    async def _have_ready(self, task: Task) -> str | None:
        """Run a task; return what went wrong."""
        try:
            if task.elsewhere:
                await self._compiler.rehearse("", task.rehearsal)
                await asyncio.to_thread(task.load)
            else:
                await self._compiler.sparing("", task.rehearsal, lambda guard: asyncio.to_thread(guard(task.load)))
        except BadInput as error:  # a user who asks for it gets the same error
            return f"{task.what} ({error})"
        return None


def _tell(failed: list[str]) -> None:
    if failed:
        _log.warning("not prepared in advance: %s", ", ".join(failed))
