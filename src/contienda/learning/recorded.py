"""Learns from recorded games of any player: the future work of uc3m's document.

The network learns from each game as from its own (`contienda.learning.returns`): the values of boards in good
games. Games are drawn at random, again and again. Now and then the network plays a game itself, without learning from
it: the learning curve tells how well the network plays, not how well the recorded players did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.rng import below
from contienda.core.game import MAX
from contienda.core.language import BadInput
from contienda.evaluation.g2048.ntuple import Network
from contienda.games.g2048.board import Board, largest_rank, score
from contienda.games.g2048.rules import successor
from contienda.learning.carousel import build_no_carousel
from contienda.learning.curve import count
from contienda.learning.returns import build_learn
from contienda.learning.selfplay import build_play, first_board, new_game_log
from contienda.learning.step import METHODS

__all__ = ["Recorded", "RecordedGame", "build_learn_some"]

#: The network plays one game of its own per this many that it learns from, on average.
_OWN_GAME = 10


class RecordedGame(NamedTuple):
    """A recorded game."""

    start: Board
    actions: list[int]
    """Moves and chance events."""
    over: bool
    """Whether it was played to its end; otherwise the value of its last board is unknown."""


class Recorded(NamedTuple):
    """All moves of many games, one game after another."""

    begins: np.ndarray[Any, Any]
    """Where each game's moves begin, and finally where the last game ends."""
    cells: np.ndarray[Any, Any]
    """The board right after each move."""
    reward: np.ndarray[Any, Any]
    unfinished: np.ndarray[Any, Any]

    @classmethod
    def of(cls, games: Iterable[RecordedGame]) -> Recorded:
        """Read the games into memory; `BadInput` if there is no move to learn from."""
        log = new_game_log()
        begins, cells, rewards, unfinished = [0], [], [], []
        for game in games:
            _replay(game.start, np.array(game.actions, np.int64), log)
            moves = int(log.moves)
            if moves:
                begins.append(begins[-1] + moves)
                cells.append(log.cells[:moves].copy())
                rewards.append(log.reward[:moves].copy())
                unfinished.append(not game.over)
        if not cells:
            raise BadInput("there is no move to learn from in these games")
        return cls(np.array(begins), np.concatenate(cells), np.concatenate(rewards), np.array(unfinished))

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.unfinished)


@njit(cache=True)  # type: ignore[no-untyped-call]
def _replay(board, actions, log):  # type: ignore[no-untyped-def]
    """Write a game into a log, like `build_play`."""
    log.moves = 0
    for action in actions:
        after = successor(board, action)[1]
        if board.turn == MAX:
            log.cells[log.moves] = after.cells
            log.reward[log.moves] = score(after) - score(board)
            log.moves += 1
        board = after


@cache
def build_learn_some(network: Network, method: str) -> Callable[..., int]:
    """Return ``learn_some(games, rates, weights, memory, own, recorded)``, which learns from randomly drawn games."""
    play, learn = build_play(network), build_learn(network, METHODS[method])
    _, remember = build_no_carousel(network)

    @njit
    def learn_some(games, rates, weights, memory, own, recorded):  # type: ignore[no-untyped-def]
        alpha, trace = rates
        rng, tally, starts, log = own
        begins, cells, reward, unfinished = recorded
        moves = 0
        for _ in range(games):
            game = below(rng, len(unfinished))
            begin = begins[game]
            log.moves = begins[game + 1] - begin
            for t in range(log.moves):
                log.cells[t] = cells[begin + t]
                log.reward[t] = reward[begin + t]
            log.unfinished = unfinished[game]
            learn(log, alpha, trace, weights, memory)
            remember(log, starts)
            moves += log.moves
            if below(rng, _OWN_GAME) == 0:
                board = play(first_board(rng), weights, rng, log)
                count(tally, score(board), largest_rank(board))
        return moves

    return learn_some  # type: ignore[no-any-return]
