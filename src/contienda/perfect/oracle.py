"""The score of every column: from the book if it has it, otherwise by search.

A score that could not be settled in time is a `Score` with two different bounds.
"""

from __future__ import annotations

import time
from functools import lru_cache

import numpy as np

from contienda.compiled.stopping import Stop
from contienda.core.analysis import FOREVER
from contienda.core.game import MAX, Game
from contienda.games.connect4 import Stones
from contienda.perfect.book import Book, book_of
from contienda.perfect.bounds import Score, new_bounds
from contienda.perfect.lines import build_lines
from contienda.perfect.positions import UNKNOWN, Size, look_in, size_of
from contienda.perfect.solve import build_exact_search, new_work
from contienda.perfect.team import Team

__all__ = ["Oracle", "moves_left", "shared_bounds"]

#: Nodes for each column in the first round, and the factor for those still open in each further round. So the easy
#: columns are settled at once, and scarce time is spread over the others.
_FIRST_ROUND = 20_000
_MORE = 4


class Oracle:
    """Scores of positions on one board, with one table for all searches.

    >>> from contienda.games.connect4 import Connect4
    >>> game = Connect4()
    >>> Oracle(game, shared_bounds(Size(6, 7, 4), 16)).score(game.parse("2532415147131117532445633637"))
    Score(least=6, most=6)
    """

    def __init__(self, game: Game, table: np.record, threads: int = 1) -> None:
        self.size = size_of(game)
        self.book: Book = book_of(self.size)
        self.work = new_work()
        self._rules = game.rules
        self._lines = build_lines(*self.size)
        self._solver = build_exact_search(*self.size)
        self._settle = self._solver.settle if threads == 1 else Team(self._solver, threads).settle
        self._table = table
        self._from_the_middle = sorted(range(self.size.columns), key=lambda c: (abs(2 * c - self.size.columns + 1), c))

    def compile(self) -> None:
        """Compile the search, unless it is compiled already."""
        self._solver.settle(0, 0, 0, 0, self._table, new_work(0))

    def score(self, state: Stones, stop: Stop | None = None, ms: float | None = None) -> Score:
        """Return the score of a position in which the game is not over, for the side to move."""
        return self._improve({0: state}, {0: self._at_first_sight(state)}, stop or Stop(), ms)[0]

    def in_book(self, state: Stones) -> bool:
        """Return whether the score of every column is known without search."""
        after = (self._rules.successor(state, column) for column in self._from_the_middle)
        return all(self._rules.over(child) or self._at_first_sight(child).settled for legal, child in after if legal)

    def columns(
        self, state: Stones, stop: Stop | None = None, ms: float | None = None, budget: int = FOREVER
    ) -> dict[int, Score]:
        """Return the score of every open column, for the side to move, those in the middle first."""
        known: dict[int, Score] = {}
        after: dict[int, Stones] = {}
        for column in self._from_the_middle:
            legal, child = self._rules.successor(state, column)
            if legal and self._rules.over(child):
                connected = self._lines.connected(child.max if state.turn == MAX else child.min)
                known[column] = self._at_first_sight(state) if connected else Score(0, 0)
            elif legal:
                after[column] = child
        order = [column for column in self._from_the_middle if column in known or column in after]
        # No column is worth more than the position itself, if the book has it.
        least = -self._at_first_sight(state).most
        first_sight = {column: self._at_first_sight(child).at_least(least) for column, child in after.items()}
        replies = self._improve(after, first_sight, stop or Stop(), ms, budget)
        known |= {column: -score for column, score in replies.items()}
        return {column: known[column] for column in order}

    def _improve(
        self,
        states: dict[int, Stones],
        scores: dict[int, Score],
        stop: Stop,
        ms: float | None,
        budget: int = FOREVER,
    ) -> dict[int, Score]:
        """Search the positions in turn, longer each round, until all are settled or time or nodes run out."""
        self.work.nodes = self.work.cutoffs = self.work.hits = 0
        if any(not score.settled for score in scores.values()):
            self.compile()
        deadline = None if ms is None else time.monotonic() + ms / 1000
        nodes = _FIRST_ROUND
        while any(not score.settled for score in scores.values()):
            for name, score in scores.items():
                left = None if deadline is None else 1000 * (deadline - time.monotonic())
                if stop.stopped or (left is not None and left <= 0) or self.work.nodes >= budget:
                    return scores
                if not score.settled:
                    own, everybody = _bits(states[name])
                    with stop.guard(self.work, min(int(self.work.nodes) + nodes, budget), left):
                        self._settle(own, everybody, *score, self._table, self.work)
                    scores[name] = Score(int(self.work.low), int(self.work.high))
            nodes = min(nodes * _MORE, FOREVER)
        return scores

    def _at_first_sight(self, state: Stones) -> Score:
        """Return the book's score, or the bounds that follow from the number of stones."""
        own, everybody = _bits(state)
        key = self._lines.key(own, everybody)
        found = look_in(*self.book, min(key, self._lines.mirrored(key)))
        return Score(found, found) if found != UNKNOWN else self._solver.limits(own, everybody)


@lru_cache(maxsize=4)
def shared_bounds(size: Size, megabytes: int) -> np.record:
    """Return the table shared by all analyses of a board, so that each profits from the others."""
    return new_bounds(megabytes)


def moves_left(score: int, stones: int, cells: int) -> int:
    """Return how many moves the winner still has to make, including the winning one.

    >>> moves_left(score=18, stones=6, cells=42)  # the fourth stone of the player who began
    1
    """
    to_move_wins = score > 0
    has = stones // 2 if to_move_wins else (stones + 1) // 2
    began = (stones % 2 == 0) == to_move_wins
    last = (cells + 1) // 2 if began else cells // 2
    return last + 1 - abs(score) - has


def _bits(state: Stones) -> tuple[int, int]:
    """Return the stones of the side to move, and those of both sides."""
    return (state.max if state.turn == MAX else state.min), state.max | state.min
