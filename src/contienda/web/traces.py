"""Traces as JSON, for a process that does nothing else: its arguments are data, and so is its answer."""

from __future__ import annotations

from contienda.games import make_game
from contienda.players import make_player
from contienda.problems import make_problem
from contienda.solvers import make_solver
from contienda.stopping import Stop
from contienda.web.errors import as_json
from contienda.web.games import game_to_play
from contienda.web.shapes import TraceRequest

__all__ = ["trace_path", "trace_search"]


def trace_search(asked: TraceRequest, spec: str, events: int, *, stop: Stop) -> str:
    """The search of a player, which ``spec`` names in full, on a position or on a drawn tree."""
    game = make_game("tree", asked.position) if asked.game == "tree" else game_to_play(asked.game)
    state = game.parse_scored(asked.position, asked.score)
    return as_json(make_player(spec, game).trace(state, events=events, stop=stop).as_data())


def trace_path(asked: TraceRequest, spec: str, events: int, *, stop: Stop) -> str:
    """The search of a solver for a path."""
    problem = make_problem(asked.game, asked.position)
    return as_json(make_solver(spec, problem).trace(events=events, stop=stop).as_data())
