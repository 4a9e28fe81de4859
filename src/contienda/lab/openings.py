"""Random first moves, so that deterministic players play a different game on every seed; games that repeat others."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

from contienda.compiled.rng import below, generator
from contienda.compiled.stopping import Stop
from contienda.core.game import CHANCE, MIN, Game, State
from contienda.core.language import BadInput
from contienda.match import Match, Played
from contienda.players.base import Player
from contienda.record import result_of

__all__ = ["PairedMatch", "course_of", "default_opening", "opened"]


class PairedMatch(Match):
    """A match whose games begin with random moves: each opening is played twice, from both sides.

    Without such moves, or in a game for one, it is a plain match.
    """

    moves: int
    """Random moves at the start of each game."""

    def __init__(
        self, game: Game, players: Sequence[Player], target: int | None = None, moves: int | None = None, seed: int = 0
    ) -> None:
        """``seed`` is that of the first game, which the first player begins.

        ``moves=None``: as many as suit the game, unless luck makes every game different.
        """
        super().__init__(game, players, target)
        if moves and MIN not in game.kinds:
            raise BadInput("opening is for games for two, not {name}", name=game.name)
        self.moves = (0 if self.lucky else default_opening(game)) if moves is None else moves
        self._seed = seed
        self._turned = Match(game, players[::-1], target) if self.moves else None

    def beginning_at(self, seed: int) -> PairedMatch:
        """Return the same match with another seed of the first game."""
        other = copy(self)
        other._seed = seed
        return other

    def compile(self) -> None:
        super().compile()
        if self._turned is not None:
            self._turned.compile()

    def result_of(self, played: Played) -> dict[str, Any]:
        """Return a game's result; its winner is 1 for the match's first player, even if the other began."""
        result = result_of(played)
        if played.players[0] != self.players[0].spec and result.get("winner"):
            result["winner"] = 3 - result["winner"]
        return result

    def play(
        self,
        seed: int,
        *,
        start: State | None = None,
        stop: Stop | None = None,
        watch: Callable[[Played], None] | None = None,
    ) -> Played:
        """Like `Match.play`; in every other game the second player begins: `Played.players` says who did."""
        if self._turned is None:
            return super().play(seed, start=start, stop=stop, watch=watch)
        number = (seed - self._seed) % 2**64
        begin = opened(self.game, self.moves, (self._seed + number // 2) % 2**64) if start is None else start
        if number % 2:
            return self._turned.play(seed, start=begin, stop=stop, watch=watch)
        return super().play(seed, start=begin, stop=stop, watch=watch)


#: A stream of its own, so that openings do not change the luck of the games.
_STREAM = 2
#: Random games to try before concluding that none lasts that long.
_TRIES = 1000
#: Random moves at the start of each game by default; fewer if its games are short.
_DEFAULTS = (4, 2, 1)


def default_opening(game: Game) -> int:
    """Return the number of random opening moves that a game has room for; 0 in games for one, or with chance."""
    if CHANCE in game.kinds or MIN not in game.kinds or game.drawn:
        return 0
    for moves in _DEFAULTS:
        try:
            opened(game, moves, number=0)
        except BadInput:
            continue
        if game.longest is None or 4 * moves <= game.longest:
            return moves
    return 0


def course_of(match: Match, played: Played) -> str | None:
    """Return a hash of the players, start and moves of a game for two; None if luck decides any of its moves.

    Two games without luck that have the same course are one game, played twice: they count once.
    """
    game = match.game
    if MIN not in game.kinds or CHANCE in game.kinds or match.lucky:
        return None
    told = [played.players, [str(number) for number in game.as_numbers(played.start)], played.actions]
    return hashlib.blake2b(json.dumps(told).encode(), digest_size=12).hexdigest()


def opened(game: Game, moves: int, number: int) -> State:
    """Return a position after this many random moves in which the game is not over; the seed determines it."""
    lots = generator(number, stream=_STREAM)
    for _ in range(_TRIES):
        state: State = game.start(lots)
        for _ in range(moves):
            legal = game.legal_actions(state)
            state = game.rules.successor(state, legal[below(lots, len(legal))])[1]
            if game.rules.over(state):
                break
        else:
            return state
    raise BadInput("opening = {moves}: games of {name} are shorter than that", moves=moves, name=game.name)
