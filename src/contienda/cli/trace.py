"""``contienda trace``: the search of a position as a tree, on the terminal or in a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from contienda.cli.places import file_to_write
from contienda.games import GAMES, make_game
from contienda.language import BadInput, say
from contienda.players import PLAYERS, make_player
from contienda.players.defaults import default_player
from contienda.problems import PROBLEMS, make_problem
from contienda.solvers import SOLVERS, default_solver, make_solver
from contienda.specs import parse_spec
from contienda.stopping import Stop, in_time
from contienda.trace.model import FORMATS, Trace

__all__ = ["TraceOrder", "find_trace", "show_trace"]


@dataclass
class TraceOrder:
    """What the user asked for."""

    game: str
    position: str
    player: str | None
    score: int
    seed: int
    events: int | None
    output: Path | None


def find_trace(order: TraceOrder) -> Trace:
    """The trace of a player on a game, or of a solver on a problem that is no game."""
    if order.output is not None:
        if order.output.suffix.removeprefix(".").lower() not in FORMATS:
            known = ", ".join(FORMATS)
            raise BadInput(f"-o {order.output}: it may end in {known}", f"-o {order.output}: puede acabar en {known}")
        file_to_write(order.output)
    stop = Stop()
    if _is_problem(order):
        problem = make_problem(order.game, order.position, seed=order.seed)
        solver = make_solver(order.player or default_solver(problem), problem)
        return in_time(lambda: solver.trace(events=order.events, stop=stop), stop)
    game = make_game(order.game, order.position)
    state = game.parse_scored(order.position, order.score)
    player = make_player(order.player or default_player(game), game)
    return in_time(lambda: player.trace(state, events=order.events, seed=order.seed, stop=stop), stop)


def _is_problem(order: TraceOrder) -> bool:
    """What is no game, and whoever plays none: 2048 is both, and a path through it is for the solvers alone."""
    name = parse_spec(order.game).name
    if name not in GAMES or order.player is None:
        return name in PROBLEMS and name not in GAMES
    return name in PROBLEMS and parse_spec(order.player).name in SOLVERS.keys() - PLAYERS.keys()


def show_trace(trace: Trace, order: TraceOrder) -> None:
    """Write the file, or print the text."""
    if order.output is None:
        print(trace.text(), end="")
        return
    trace.save(order.output)
    print(say(f"{order.output}: {trace.title.en}", f"{order.output}: {trace.title.es}"))
    if trace.message is not None:
        print(trace.message)
