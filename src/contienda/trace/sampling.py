"""Traces of the players that sample: Monte Carlo and Monte Carlo tree search."""

from __future__ import annotations

from functools import partial

from contienda.compiled.stopping import Stop
from contienda.core.analysis import Counters
from contienda.core.game import State
from contienda.players.montecarlo import MctsPlayer, SamplingPlayer, means_of_moves
from contienda.search.hooks import new_log, recorded
from contienda.search.mcts_hooks import SIMULATE, new_mcts_log
from contienda.trace.model import Trace
from contienda.trace.names import move_on_board
from contienda.trace.playouts import PlayoutsBuilder, PlayoutsNode
from contienda.trace.size import capacity_of, refuse_stopped, refuse_too_large, too_large
from contienda.trace.tree import board_text

__all__ = ["trace_sampling"]

#: The number of simulations whose playouts are shown, and of boards in each: enough to see their randomness.
_PLAYOUTS, _BOARDS = 200, 40


def trace_sampling(player: SamplingPlayer, state: State, events: int | None, seed: int, stop: Stop) -> Trace:
    """Return the trace of a player's playouts; the same seed gives the same trace."""
    capacity = capacity_of(events)
    tree = isinstance(player, MctsPlayer)
    moves = 1 if tree else len(player.game.legal_actions(state))
    log = new_mcts_log(capacity) if tree else new_log(capacity)
    # Of a playout there are at least three events in a tree, and two without: any search with more is too large
    # anyway.
    asked = player.playouts_made(state, seed, stop)
    count = asked if tree or player.ms is None else asked // moves
    made = min(count, 20 * capacity)
    best, values, tally = player.record(state, seed, made, log, stop)
    refuse_stopped(stop)
    if too_large(int(log.count), capacity):
        fits = sum(event == SIMULATE for (event,) in recorded(log, ("event",))) if tree else capacity // (2 * moves)
        total = int(log.count) * (count / made)
        raise refuse_too_large(total, capacity, f"{'sims' if tree else 'rollouts'}={max(fits, 1)}")
    game = player.game
    exploration = player.c if isinstance(player, MctsPlayer) else None
    builder = PlayoutsBuilder(game, state, exploration=exploration, signs=player.signs)
    builder.read_tree_search(log) if tree else builder.read_rounds(log)
    value = float(values[best])
    line = builder.finish(best, value)
    playouts = {}
    for number, luck in list(builder.luck.items())[:_PLAYOUTS]:
        playouts[number] = _boards(player, builder.nodes[builder.steps[number].node], luck)
    return Trace(
        "mcts",
        game.spec,
        board_text(game, state),
        player.spec,
        list(builder.nodes),
        builder.steps,
        game.action_name(state, best),
        value,
        means_of_moves(game, state, best, values),
        Counters.of(tally),
        int(log.count),
        lambda shown: board_text(game, shown),
        line,
        partial(move_on_board, game),
        has_boards=not game.drawn,
        playouts={} if game.drawn else playouts,
    )


def _boards(player: SamplingPlayer, node: PlayoutsNode, luck: int) -> list[str]:
    """Return the boards of a playout from a node: all of them, or of a long one some."""
    game, state = player.game, node.state
    states = [state]
    for action, _ in player.playout_again(node.seen, luck):
        state = game.rules.successor(state, action)[1]
        states.append(state)
    every = -(-len(states) // _BOARDS)
    return [board_text(game, shown) for shown in [*states[:-1:every], states[-1]]]
