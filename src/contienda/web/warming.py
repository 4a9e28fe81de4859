"""What is asked for first is compiled beforehand: the games, the usual players, then the usual traces.

Another process compiles (`contienda.web.compiler`), and the server loads what it left, before somebody waits for it.
The traces wait until nobody has searched for a while: the cores are for those who do.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from contienda.games import make_game
from contienda.language import BadInput
from contienda.players.defaults import default_player
from contienda.rng import generator
from contienda.web.compiler import Compiler
from contienda.web.games import GAMES_TO_PLAY
from contienda.web.players import Players
from contienda.web.rehearsals import Board, Hint, PathTrace, Rehearsal, Trace

__all__ = ["Task", "Warming", "usual_players", "usual_traces"]

_log = logging.getLogger(__name__)

#: Seconds between two looks at whether somebody is searching, and for how many nobody must have been.
_GLANCE, _CALM = 0.2, 3.0

#: The searches that the explorer of trees offers first. A depth or a number of simulations is not compiled in.
_TRACED = (
    ("2048", "alphabeta:depth=1"),
    ("2048", "expectimax:depth=1"),
    ("2048", "minimax:depth=1"),
    ("connect4", "alphabeta:depth=1"),
    ("connect4", "minimax:depth=1"),
    ("tictactoe", "mcts:sims=9"),
)


class Task(NamedTuple):
    """Something to have ready: what the other process does, and what then loads it in this one."""

    rehearsal: Rehearsal
    load: Callable[[], object]


def usual_players(players: Players, specs: Iterable[str] = ()) -> Iterator[Task]:
    """The games that can be played, those that somebody plays here, and who plays unless another is named."""
    for spec in dict.fromkeys((*GAMES_TO_PLAY, *specs)):
        board = Board(spec)
        yield Task(board, board.run)
    for name in GAMES_TO_PLAY:
        game = make_game(name)
        player = default_player(game)

        def load(game=game, player=player) -> None:  # type: ignore[no-untyped-def]
            players.get("", game, player).compile()

        yield Task(Hint(game.spec, player), load)


def usual_traces(players: Players) -> Iterator[Task]:
    """What the explorer shows, in the order in which it is likely to be wanted."""
    drawn = make_game("tree", "alphabeta")
    # It compiles nothing of its own, but the log is loaded.
    yield Task(Trace("tree", "alphabeta", "alphabeta"), lambda: players.get("", drawn, "alphabeta").trace(""))
    for name, spec in _TRACED:
        game = make_game(name)

        def load(game=game, spec=spec) -> None:  # type: ignore[no-untyped-def]
            players.get("", game, spec).trace(game.start(generator(0)))

        yield Task(Trace(game.spec, spec), load)
    puzzle = PathTrace("puzzle8", "1 2 3/4 5 6/7 0 8", "astar")
    yield Task(puzzle, puzzle.run)


class Warming:
    """Does some things at once, and others one by one, each when nobody is busy."""

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
        """Begin, in the background."""
        self._running = asyncio.ensure_future(self.run())

    def stop(self) -> None:
        """Begin nothing more."""
        if self._running is not None:
            self._running.cancel()

    async def run(self) -> None:
        """All of it."""
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
        except BadInput as error:  # whoever asks for it is told the same
            _log.warning("%s was not made ready: %s", task.rehearsal, error)
