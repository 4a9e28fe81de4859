"""Requests as data, and how to rehearse each: run it once, briefly, so that everything it calls gets compiled.

A rehearsal makes the same objects as the real request and calls the same methods. `contienda.web.work.compiler` runs
it in another process, which leaves the machine code in the cache.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from contienda.compiled.jit import njit
from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.core.game import MIN, Game
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import games_with, make_game
from contienda.perfect.oracle import Oracle, shared_bounds
from contienda.perfect.positions import size_of
from contienda.perfect.review import review_by_score
from contienda.players import make_player
from contienda.players.base import Player
from contienda.players.paths import make_path_search
from contienda.players.review import critic_of, review_points
from contienda.problems import make_problem
from contienda.record import path_as_game
from contienda.tables.drill import new_endgame, play_move
from contienda.tables.shelf import open_shelf
from contienda.trace.making import make_trace
from contienda.web.games.files import game_from_file
from contienda.web.games.opened import opened
from contienda.web.games.reader import Row
from contienda.web.games.table import Table
from contienda.web.games.views import judged_view

__all__ = [
    "BoardRehearsal",
    "ChartRehearsal",
    "DrillRehearsal",
    "EvaluatorRehearsal",
    "FileRehearsal",
    "HintRehearsal",
    "LearningRehearsal",
    "Nothing",
    "PathRehearsal",
    "PathTraceRehearsal",
    "Recording",
    "Rehearsal",
    "ReviewRehearsal",
    "TraceRehearsal",
]

#: Seconds of a trial search: enough to reach all that it calls, on a busy machine too. Some functions are called only
#: once a search is stopped.
_BRIEF = 0.5
#: Moves of the reviewed game, and megabytes of its table: any numbers would do.
_REVIEWED, _REVIEW_MEMORY = 3, 1


class Rehearsal(ABC):
    """A request that may need compiling. Equal ones need the same code."""

    @abstractmethod
    def run(self) -> None:
        """Call everything that the real request calls. An error in it raises `BadInput`."""


class Recording(Rehearsal):
    """A trace, which may be stopped early."""

    def run(self) -> None:
        self.record(Stop())

    @abstractmethod
    def record(self, stop: Stop) -> None:
        """Like `run`."""


def _briefly(work: Callable[[Stop], object], stop: Stop | None = None) -> None:
    """Run a search for a moment. Errors are left to the real one, which searches another position.

    A search that has to be compiled first is stopped as soon as it starts; it runs when it is rehearsed again.
    """
    stop = stop or Stop()
    timer = threading.Timer(_BRIEF, stop.stop)
    timer.daemon = True
    timer.start()
    with suppress(Exception):
        work(stop)
    timer.cancel()


def _sides(game: Game) -> int:
    return 2 if MIN in game.kinds else 1


def _make(player: str, game: Game) -> Player:
    made = make_player(player, game)
    made.compile()
    return made


@njit  # type: ignore[untyped-decorator]
def _zero() -> int:
    return 0


@dataclass(frozen=True)
class Nothing(Rehearsal):
    """One small function, to see whether its code can be cached."""

    def run(self) -> None:
        _zero()


@dataclass(frozen=True)
class BoardRehearsal(Rehearsal):
    """The rules of a game: set up a board, show it, make each move."""

    game: str

    def run(self) -> None:
        game, luck = make_game(self.game), generator(0)
        start = game.start(luck)
        players = ["human"] * _sides(game)
        table = Table(Row("", game.spec, 0, None, players, game.as_numbers(start), int(luck.state)), None, game)
        table.view()
        game.parse_scored(game.format(start), 0)
        for action in game.legal_actions(start):
            table.step(1, start, table.move(action, "human", 0.0, 0))


@dataclass(frozen=True)
class FileRehearsal(Rehearsal):
    """A saved game: read and check it."""

    text: str
    name: str
    opened: tuple[str, ...]
    """The games that the local user has opened in the server."""

    def run(self) -> None:
        opened.games = list(self.opened)
        BoardRehearsal(game_from_file(self.text, self.name).game.spec).run()


@dataclass(frozen=True)
class HintRehearsal(Rehearsal):
    """A player analyses a position."""

    game: str
    player: str

    def run(self) -> None:
        game = make_game(self.game)
        player = _make(self.player, game)
        _briefly(lambda stop: player.analyse(game.start(generator(0)), stop))


@dataclass(frozen=True)
class TraceRehearsal(Recording):
    """The recorded search of a player; ``position`` is the text of a drawn tree."""

    game: str
    player: str
    position: str = ""

    def record(self, stop: Stop) -> None:
        game = make_game(self.game, self.position)
        player = _make(self.player, game)
        _briefly(lambda stop: make_trace(player, game.start(generator(0)), stop=stop).as_data(), stop)


@dataclass(frozen=True)
class PathRehearsal(Rehearsal):
    """The search for a path."""

    problem: str
    position: str | None
    target: int | None
    solver: str

    def run(self) -> None:
        solver = make_path_search(self.solver, make_problem(self.problem, self.position, target=self.target, seed=0))
        _briefly(lambda stop: path_as_game(solver.solve(stop)))


@dataclass(frozen=True)
class PathTraceRehearsal(Recording):
    """The recorded search for a path."""

    problem: str
    position: str
    solver: str

    def record(self, stop: Stop) -> None:
        solver = make_path_search(self.solver, make_problem(self.problem, self.position))
        _briefly(lambda stop: make_trace(solver, stop=stop).as_data(), stop)


@dataclass(frozen=True)
class ReviewRehearsal(Rehearsal):
    """The review of a game."""

    game: str

    def run(self) -> None:
        game = make_game(self.game)
        start = game.start(generator(0))
        if "exact" not in game.features:
            critic = critic_of(game)
            _briefly(lambda stop: review_points(game, start, game.legal_actions(start)[:1], critic, stop=stop))
            return
        oracle = Oracle(game, shared_bounds(size_of(game), _REVIEW_MEMORY))
        moves = game.legal_actions(start)[:_REVIEWED]
        for move in review_by_score(game, start, moves, oracle, ms=1000 * _BRIEF):
            judged_view(game, start, move)


@dataclass(frozen=True)
class ChartRehearsal(Rehearsal):
    """An evaluator's value along a game; the names of the weights are part of its code."""

    game: str
    evaluator: str
    weights: tuple[tuple[str, str], ...]

    def run(self) -> None:
        game = make_game(self.game)
        made = compile_evaluator(self.evaluator, game, dict(self.weights))
        made.evaluate(game.start(generator(0)), made.weights)


@dataclass(frozen=True)
class EvaluatorRehearsal(Rehearsal):
    """A user's heuristic, ``FILE.py:FUNCTION``: compiled, and tried on a few boards."""

    game: str
    evaluator: str

    def run(self) -> None:
        compile_evaluator(self.evaluator, make_game(self.game), {})


@dataclass(frozen=True)
class DrillRehearsal(Rehearsal):
    """An endgame from the tables of this machine, and a move in it."""

    def run(self) -> None:
        shelf, luck = open_shelf(), generator(0)
        game, state = make_game(games_with("tables")[0]), new_endgame(shelf, luck).state
        play_move(state, game.legal_actions(state)[0], shelf, luck)
        BoardRehearsal(game.spec).run()


@dataclass(frozen=True)
class LearningRehearsal(Rehearsal):
    """A network in training, and the sample game that it plays."""

    game: str
    plan: Any

    def run(self) -> None:
        from contienda.web.training.kinds import kind_of_game

        kind = kind_of_game(self.game)
        training = kind.begin(self.plan)
        training.compile()
        kind.sample(training).go_on()
