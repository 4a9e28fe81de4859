"""``contienda trace``: the search of a position as a tree, on the terminal or in a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from contienda.cli.arguments import read_position
from contienda.cli.files import file_to_write
from contienda.compiled.stopping import Stop, in_time
from contienda.core.language import BadInput, say
from contienda.core.specs import parse_spec
from contienda.games import game_types, make_game
from contienda.players import PLAYERS, make_player
from contienda.players.paths import PATH_SEARCHES, default_path_search, make_path_search
from contienda.problems import PROBLEMS, make_problem
from contienda.trace.making import make_trace
from contienda.trace.model import FORMATS, Trace

__all__ = ["TraceOrder", "find_trace", "show_trace"]


@dataclass
class TraceOrder:
    """The user's options."""

    game: str
    position: str | None
    player: str | None
    score: int
    target: int | None
    seed: int
    events: int | None
    output: Path | None


def find_trace(order: TraceOrder) -> Trace:
    """Return the trace of a player on a game, or of a solver on a problem that is not a game."""
    if order.output is not None:
        if order.output.suffix.removeprefix(".").lower() not in FORMATS:
            known = ", ".join(FORMATS)
            raise BadInput("-o {output} must end in one of {known}", output=order.output, known=known)
        file_to_write(order.output)
    stop = Stop()
    if _is_problem(order):
        problem = make_problem(order.game, order.position, target=order.target, seed=order.seed)
        solver = make_path_search(order.player or default_path_search(problem), problem)
        return in_time(lambda: make_trace(solver, events=order.events, stop=stop), stop)
    game = make_game(order.game, order.position)
    game = game if order.target is None else game.until(order.target)
    state = read_position(game, order.position, order.score)
    player = make_player(order.player or game.default_player, game)
    return in_time(lambda: make_trace(player, state, events=order.events, seed=order.seed, stop=stop), stop)


def _is_problem(order: TraceOrder) -> bool:
    """Whether to trace a path search: the problem is not a game, or the player is only a solver."""
    name = parse_spec(order.game).name
    if name not in PROBLEMS:
        return False
    if name not in game_types() or order.player is None:
        return name not in game_types()
    return parse_spec(order.player).name in PATH_SEARCHES.keys() - PLAYERS.keys()


def show_trace(trace: Trace, order: TraceOrder) -> None:
    """Write the file, or print the text."""
    if order.output is None:
        print(trace.text(), end="")
        return
    trace.save(order.output)
    print(say("{output}: {title}", output=order.output, title=trace.title))
    if trace.message is not None:
        print(trace.message)
