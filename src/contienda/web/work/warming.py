"""Compiles in advance what users ask for first: the games, the usual players, then the usual traces.

Another process compiles (`contienda.web.work.compiler`), and the server loads the code before anyone waits for it. The
traces wait until nobody has searched for a while.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from contienda.compiled.rng import generator
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.trace.making import make_trace
from contienda.web.games.table import games_to_play
from contienda.web.searches.players import Players
from contienda.web.work.compiler import Compiler
from contienda.web.work.rehearsals import Board, Hint, PathTrace, Rehearsal, Trace

__all__ = ["Task", "Warming", "usual_players", "usual_traces"]

_log = logging.getLogger(__name__)

#: Seconds between two checks whether somebody is searching, and for how long nobody must have been.
_GLANCE, _CALM = 0.2, 3.0

#: The searches that the tree explorer offers first. Depths and numbers of simulations are not compiled in.
_TRACED = (
    ("2048", "alphabeta:depth=1"),
    ("2048", "expectimax:depth=1"),
    ("2048", "minimax:depth=1"),
    ("connect4", "alphabeta:depth=1"),
    ("connect4", "minimax:depth=1"),
    ("tictactoe", "mcts:sims=9"),
)


class Task(NamedTuple):
    """Something to compile in advance: its name in the log, the rehearsal, and a function that loads the code here."""

    what: str
    rehearsal: Rehearsal
    load: Callable[[], object]


def usual_players(players: Players, specs: Iterable[str] = ()) -> Iterator[Task]:
    """Yield the boards of all games, of those stored here, and the default players."""
    for spec in dict.fromkeys((*games_to_play(), *specs)):
        board = Board(spec)
        yield Task(f"the board of {spec}", board, board.run)
    for name in games_to_play():
        game = make_game(name)
        player = game.default_player

        def load(game=game, player=player) -> None:  # type: ignore[no-untyped-def]
            players.get_ready("", game, player)

        yield Task(f"{player} for {game.spec}", Hint(game.spec, player), load)


def usual_traces(players: Players) -> Iterator[Task]:
    """Yield the explorer's traces, the likeliest first."""
    drawn = make_game("tree", "alphabeta")
    # This compiles nothing, but loads the code of the log.
    trace = Trace("tree", "alphabeta", "alphabeta")
    yield Task("the trace of a drawn tree", trace, lambda: make_trace(players.get("", drawn, "alphabeta"), ""))
    for name, spec in _TRACED:
        game = make_game(name)

        def load(game=game, spec=spec) -> None:  # type: ignore[no-untyped-def]
            make_trace(players.get("", game, spec), game.start(generator(0)))

        yield Task(f"the trace of {spec} for {game.spec}", Trace(game.spec, spec), load)
    puzzle = PathTrace("puzzle8", "1 2 3/4 5 6/7 0 8", "astar")
    yield Task("the trace of astar for the 8-puzzle", puzzle, puzzle.run)


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
        for task in self._at_once:
            await self._have_ready(task)
        for task in self._in_peace:
            quiet = 0.0
            while quiet < self._calm:
                await asyncio.sleep(_GLANCE)
                quiet = 0.0 if self._busy() else quiet + _GLANCE
            await self._have_ready(task)

    async def _have_ready(self, task: Task) -> None:
        try:
            await self._compiler.sparing("", task.rehearsal, lambda guard: asyncio.to_thread(guard(task.load)))
        except BadInput as error:  # a user who asks for it gets the same error
            _log.warning("could not prepare %s: %s", task.what, error)
