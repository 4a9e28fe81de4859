"""Random first moves, so that deterministic players play a different game on every seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contienda.compiled.rng import below, generator
from contienda.compiled.stopping import Stop
from contienda.core.game import CHANCE, MIN, Game, State
from contienda.core.language import BadInput
from contienda.match import Match, Played
from contienda.players.base import Player

__all__ = ["PairedMatch", "default_opening", "opened"]


class PairedMatch(Match):
    """A match whose games begin with random moves: each opening is played twice, from both sides."""

    def __init__(self, game: Game, players: Sequence[Player], target: int | None, moves: int, seed: int) -> None:
        """``seed`` is that of the first game, which the first player begins."""
        super().__init__(game, players, target)
        self._moves, self._seed = moves, seed
        self._turned = Match(game, players[::-1], target)

    def compile(self) -> None:
        super().compile()
        self._turned.compile()

    def play(
        self,
        seed: int,
        *,
        start: State | None = None,
        stop: Stop | None = None,
        watch: Callable[[Played], None] | None = None,
    ) -> Played:
        """Like `Match.play`; in every other game the second player begins: `Played.players` says who did."""
        number = (seed - self._seed) % 2**64
        begin = opened(self.game, self._moves, (self._seed + number // 2) % 2**64) if start is None else start
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
