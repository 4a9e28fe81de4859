"""What is asked for first is compiled beforehand, while nobody waits: the usual players, then the usual traces.

Numba compiles one thing at a time, whoever asks, and what it compiles cannot be interrupted. So the traces wait until
nobody has searched for a while, and whoever comes meanwhile waits for one compilation at most. The thread has the
priority of any other: while it compiles it holds Python's lock, and stepping back would keep the others waiting.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial

from contienda.games import make_game
from contienda.players.defaults import default_player
from contienda.problems import make_problem
from contienda.rng import generator
from contienda.solvers import make_solver
from contienda.web.games import GAMES_TO_PLAY
from contienda.web.players import Players

__all__ = ["Warming", "usual_players", "usual_traces"]

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


def usual_players(players: Players) -> Iterator[Callable[[], object]]:
    """Compile those who play unless another is named."""
    for name in GAMES_TO_PLAY:
        yield partial(_play, players, name)


def usual_traces(players: Players) -> Iterator[Callable[[], object]]:
    """Compile what the explorer shows, in the order in which it is likely to be wanted."""
    tree = make_game("tree", "alphabeta")
    yield lambda: players.get("", tree, "alphabeta").trace("")  # compiles nothing of its own, but the log is loaded
    for name, spec in _TRACED:
        yield partial(_trace, players, name, spec)
    yield lambda: make_solver("astar", make_problem("puzzle8", "1 2 3/4 5 6/7 0 8")).trace()


def _play(players: Players, name: str) -> None:
    game = make_game(name)
    players.get("", game, default_player(game)).compile()


def _trace(players: Players, name: str, spec: str) -> None:
    game = make_game(name)
    players.get("", game, spec).trace(game.start(generator(0)))


class Warming:
    """A thread that does some things at once, and others one by one, each when nobody is busy."""

    def __init__(
        self,
        at_once: Iterator[Callable[[], object]],
        in_peace: Iterator[Callable[[], object]],
        busy: Callable[[], bool],
        calm: float = _CALM,
    ) -> None:
        self._at_once, self._in_peace = at_once, in_peace
        self._busy, self._calm = busy, calm
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="contienda-warm", daemon=True)

    def start(self) -> None:
        """Begin, in the background."""
        self._thread.start()

    def stop(self) -> None:
        """Begin nothing more; what is being compiled goes on to its end, and the process does not wait for it."""
        self._stopped.set()

    def join(self) -> None:
        """Wait for the thread's end."""
        self._thread.join()

    def _run(self) -> None:
        for task in self._at_once:
            if self._stopped.is_set():
                return
            task()
        for task in self._in_peace:
            quiet = 0.0
            while quiet < self._calm:
                if self._stopped.wait(_GLANCE):
                    return
                quiet = 0.0 if self._busy() else quiet + _GLANCE
            task()
