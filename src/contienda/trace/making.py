"""`make_trace`: the trace of a player on a position, or of a path search on its problem."""

from __future__ import annotations

from functools import singledispatch

from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.core.game import State
from contienda.core.language import BadInput
from contienda.core.specs import Spec, parse_spec
from contienda.games import game_types, make_game
from contienda.players import make_player
from contienda.players.base import Player
from contienda.players.kept_trees import KeptTreePlayer
from contienda.players.montecarlo import SamplingPlayer
from contienda.players.paths import default_path_search, make_path_search
from contienda.players.paths.ahead import AStarPlayer, LookAheadPlayer
from contienda.players.paths.base import PathSearch
from contienda.players.paths.playing import PathByPlaying
from contienda.players.paths.search import CompiledPathSearch
from contienda.players.search import SearchPlayer
from contienda.problems import PROBLEMS, make_problem
from contienda.trace.model import Trace
from contienda.trace.sampling import trace_sampling
from contienda.trace.searches import trace_search
from contienda.trace.solving import trace_look_ahead, trace_moves_ahead, trace_path_search

__all__ = ["make_trace", "trace_position"]


def trace_position(game: str, position: str | None = None, player: str | None = None, seed: int = 0) -> Trace:
    """Record the search of a player on a game, or of a path search on a problem, all as a user types them.

    The position is the start unless you give one, the player the usual one.
    """
    name = parse_spec(game).name
    if name in PROBLEMS and name not in game_types():
        problem = make_problem(game, position, seed=seed)
        return make_trace(make_path_search(player or default_path_search(problem), problem))
    played = make_game(game, position)
    state = played.start(generator(seed)) if position is None else played.parse(position)
    return make_trace(make_player(player or played.default_player, played), state, seed=seed)


def make_trace(
    searcher: Player | PathSearch,
    position: State | str = None,
    *,
    events: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
) -> Trace:
    """Record the search of a position, at most ``events`` events. A path search already has its position.

    >>> from contienda import make_game, make_player
    >>> game = make_game("tree", "alphabeta")
    >>> make_trace(make_player("alphabeta", game), "alphabeta").value
    3.0
    """
    state = searcher.read(position) if isinstance(searcher, Player) else None
    return _trace(searcher, state, events, seed, stop or Stop())


@singledispatch
def _trace(searcher: Player | PathSearch, state: State, events: int | None, seed: int, stop: Stop) -> Trace:
    name = searcher.spec
    raise BadInput("{name} does not search: there is nothing to trace", name=name)


@_trace.register
def _(player: SearchPlayer, state: State, events: int | None, seed: int, stop: Stop) -> Trace:
    return trace_search(player, state, events, stop)


@_trace.register
def _(player: KeptTreePlayer, state: State, events: int | None, seed: int, stop: Stop) -> Trace:
    asked = parse_spec(player.spec)
    plain = Spec(asked.name, {key: asked.options[key] for key in asked.options if key not in ("reuse", "memory")})
    raise BadInput(
        "reuse=on keeps a tree between moves, which one position cannot show: trace {plain}, which has the same values",
        plain=plain,
    )


_trace.register(SamplingPlayer, trace_sampling)
_trace.register(AStarPlayer, trace_moves_ahead)
_trace.register(LookAheadPlayer, trace_look_ahead)


@_trace.register
def _(searcher: CompiledPathSearch, state: State, events: int | None, seed: int, stop: Stop) -> Trace:
    return trace_path_search(searcher, events, stop)


@_trace.register
def _(searcher: PathByPlaying, state: State, events: int | None, seed: int, stop: Stop) -> Trace:
    """The search for the first move."""
    problem, player = searcher.problem, searcher.player
    return make_trace(player, player.ahead.board(problem.initial), events=events, seed=problem.seed or 0, stop=stop)
