"""Estimates the times of a player with a stand-in, from a sample of moves that the player itself searches.

Where plain minimax would take hours, a search that makes the same moves plays its games (`Published.stand_in`). The
player's time is estimated from moves spread evenly over the game, from the first to the last: their mean times the
number of moves. Each sampled move is also compared with the game's.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from contienda.compiled.stopping import Stop
from contienda.core.game import CHANCE, State
from contienda.match import Match, Played, PlayerFault
from contienda.players.base import Player

__all__ = ["sampled"]


def sampled(stand_in: Match, player: Player, seed: int, moves: int, stop: Stop) -> Played:
    """Return a stand-in's game, with the player's own nodes and seconds, estimated from a sample of moves.

    >>> from contienda import make_game, make_player
    >>> game = make_game("2048:rows=2,columns=2")
    >>> match = Match(game, [make_player("alphabeta:depth=2,table=on,eval=uma1", game)])
    >>> sampled(match, make_player("minimax:depth=2,eval=uma1", game), 1, 3, Stop()).ended
    'over'
    """
    played = stand_in.play(seed, stop=stop)
    if played.ended == "stopped":
        return played
    wanted = set(np.linspace(0, played.moves - 1, min(moves, played.moves)).round().astype(int).tolist())
    seat = player.seat(0)
    game, state, move = played.game, played.start, -1
    seconds: list[float] = []
    nodes: list[int] = []
    for action in played.actions:
        if game.rules.turn(state) != CHANCE:
            move += 1
            if move in wanted:
                if not seconds:
                    _search(player, state, seat, stop)  # not timed: it may compile, which takes as long as many moves
                chosen, taken = _search(player, state, seat, stop)
                seconds.append(taken)
                if stop.stopped:
                    played.ended = "stopped"
                    return played
                if chosen != action:
                    raise PlayerFault(
                        player,
                        "its move at {where} is not that of {stand_in}",
                        where=game.format(state),
                        stand_in=played.players[0],
                    )
                nodes.append(int(player.tally(seat).nodes))
        state = game.rules.successor(state, action)[1]
    played.players = [player.spec]
    played.move_seconds = [float(np.mean(seconds))] * played.moves
    played.nodes = round(float(np.mean(nodes)) * played.moves)
    return played


def _search(player: Player, state: State, seat: Any, stop: Stop) -> tuple[int, float]:
    """Return the player's move and the seconds that it took."""
    with stop.guard(player.tally(seat), player.budget, player.ms):
        begun = time.perf_counter()
        chosen = player.choose(state, seat)
        return int(chosen), time.perf_counter() - begun
