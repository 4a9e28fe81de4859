"""Learning from games that were played and kept, by whomever: uc3m's future work.

The network learns from each game as from one of its own (`contienda.learning.returns`): what the boards of good games
were worth. It meets the games in any order, again and again. Now and then it plays a game by itself, from which it does
not learn: the learning curve tells how well it plays, not how well those did who played before it.
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
from contienda.evaluation.ntuple import Network
from contienda.games.g2048.board import Board, largest_rank, score
from contienda.games.g2048.rules import successor
from contienda.learning.carousel import build_no_carousel
from contienda.learning.curve import count
from contienda.learning.returns import build_learn
from contienda.learning.selfplay import build_play, first_board, new_game_log
from contienda.learning.step import METHODS

__all__ = ["Kept", "Recorded", "build_learn_some"]

#: One game of its own for so many that it learns from.
_OWN_GAME = 10


class Kept(NamedTuple):
    """A game that was kept."""

    start: Board
    actions: list[int]
    """Moves and outcomes of chance."""
    over: bool
    """It was played to its end; else nobody knows what its last board was worth."""


class Recorded(NamedTuple):
    """All moves of many games, one game after the other."""

    begins: np.ndarray[Any, Any]
    """Where each game's moves begin; one more number says where the last one's end."""
    cells: np.ndarray[Any, Any]
    """The board right after each move."""
    reward: np.ndarray[Any, Any]
    unfinished: np.ndarray[Any, Any]

    @classmethod
    def of(cls, games: Iterable[Kept]) -> Recorded:
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
        """How many games there are."""
        return len(self.unfinished)


@njit(cache=True)  # type: ignore[no-untyped-call]
def _replay(board, actions, log):  # type: ignore[no-untyped-def]
    """Write a game into a log, as `build_play` does."""
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
    """``learn_some(games, rates, weights, memory, own, recorded)``: learn from so many games, drawn by lot."""
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
