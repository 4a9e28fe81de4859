"""Playing games: one compiled loop, for one player and luck or for two players, watched or not, on many threads.

The same seed gives the same game, bit for bit, whatever the number of threads: each game draws its tiles from its own
generator, and each player its lots from another.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

import numpy as np

from contienda.core import CHANCE, MAX, Game, Rules, State
from contienda.games.g2048 import Board, G2048, largest_rank, score
from contienda.jit import njit
from contienda.language import BadInput
from contienda.players.base import Player, Seat
from contienda.rng import generator
from contienda.search import interpreted
from contienda.stopping import Stop

__all__ = ["Match", "Played", "play_games"]

#: Moves in one call of the compiled loop when they are fast, and the seconds a move may take to count as fast. Such
#: moves are timed as a group: reading the clock in Python would cost more than the move.
_GROUP = 64
_FAST = 1e-4

_TOTALS = np.dtype((np.record, [("moves", np.int64), ("nodes", np.int64), ("evaluations", np.int64)]))


@dataclass
class Played:
    """A game as it was played: enough to play it again."""

    game: Game
    players: list[str]
    seed: int
    start: State
    target: int | None
    actions: list[int] = field(default_factory=list)
    """Every move and every outcome of chance, in order."""
    move_seconds: list[float] = field(default_factory=list)
    """The time of each move."""
    state: State = None
    nodes: int = 0
    ended: str = "stopped"
    """Why it ended: "over", "target", or "stopped" in the middle."""

    @property
    def moves(self) -> int:
        """How many moves the players made."""
        return len(self.move_seconds)

    @property
    def seconds(self) -> float:
        """The time that the players took."""
        return sum(self.move_seconds)


class Match:
    """A game and those who play it, compiled once; `play` plays one game for a seed."""

    def __init__(self, game: Game, players: Sequence[Player], target: int | None = None) -> None:
        sides = 2 if game.rules.turn and _has_opponent(game) else 1
        if len(players) != sides:
            raise BadInput(
                f"{game.name} is for {sides} player{'s' if sides > 1 else ''}, and {len(players)} came",
                f"{game.name} es para {sides} jugador{'es' if sides > 1 else ''}, y han venido {len(players)}",
            )
        self.game = game
        self.players = list(players)
        self.target = target
        compiled = all(player.compiled for player in players)
        self._play_on = _build_play_on(
            game.rules._replace(over=_reaches(target)) if target is not None else game.rules,
            players[0].choose,
            players[-1].choose,
            njit if compiled else interpreted,
        )
        self._ready = threading.Lock()

    def play(
        self, seed: int, stop: Stop | None = None, watch: Callable[[Played], None] | None = None, start: State | None = None
    ) -> Played:
        """One game, to its end or until it is stopped; ``watch`` is told after every move."""
        stop = stop or Stop()
        luck = generator(seed)
        begin = start if start is not None else self.game.start(luck)
        played = Played(self.game, [p.spec for p in self.players], seed, begin, self.target, state=begin)
        seats = [player.seat(seed + side) for side, player in enumerate(self.players)]
        log = np.empty(2 * _GROUP + 2, np.int64)
        totals = np.zeros(1, _TOTALS)[0]
        single = watch is not None or any(player.ms is not None for player in self.players)
        group = 1
        while not stop.stopped and played.ended == "stopped":
            moves_before = int(totals.moves)
            begun = time.perf_counter()
            played.state, logged = self._guarded(played.state, seats, luck, log, totals, group, stop)
            seconds = time.perf_counter() - begun
            moves = int(totals.moves) - moves_before
            played.actions += log[:logged].tolist()
            played.move_seconds += [seconds / moves] * moves
            played.ended = self._ending(played.state)
            if moves < group and played.ended == "stopped":
                break
            if watch is not None:
                watch(played)
            group = _GROUP if seconds < _FAST * group and not single else 1
        played.nodes = int(totals.nodes)
        return played

    def compile(self) -> None:
        """Compile the loop once, before threads share it."""
        with self._ready:
            stop = Stop()
            stop.stop()
            seats = [player.seat(0) for player in self.players]
            for player, seat in zip(self.players, seats, strict=True):
                player.tally(seat).budget = 0
            log, totals = np.empty(4, np.int64), np.zeros(1, _TOTALS)[0]
            if all(player.compiled for player in self.players):
                self._play_on(self.game.start(generator(0)), seats[0], seats[-1], generator(0), log, totals, 1)

    def _guarded(
        self, state: State, seats: list[Seat], luck: np.record, log: np.ndarray, totals: np.record, group: int, stop: Stop
    ) -> tuple[State, int]:
        """Some moves of the loop, with every player's limit watched over."""
        first, last = self.players[0], self.players[-1]
        with stop.guard(first.tally(seats[0]), first.budget, first.ms):
            if len(seats) == 1:
                return self._play_on(state, seats[0], seats[0], luck, log, totals, group)  # type: ignore[no-any-return]
            with stop.guard(last.tally(seats[1]), last.budget, last.ms):
                return self._play_on(state, seats[0], seats[1], luck, log, totals, group)  # type: ignore[no-any-return]

    def _ending(self, state: State) -> str:
        if self.target is not None and _reaches(self.target)(state):
            return "target"
        return "stopped" if self.game.legal_actions(state) else "over"


def _has_opponent(game: Game) -> bool:
    from contienda.core import MIN

    return MIN in game.kinds


def _reaches(target: int) -> Callable[..., bool]:
    """Whether a board of 2048 shows a tile of this value."""
    rank = target.bit_length() - 1

    @njit
    def reached(board):  # type: ignore[no-untyped-def]
        return largest_rank(board) >= rank

    return reached  # type: ignore[no-any-return]


def _build_play_on(rules: Rules, first, second, jit):  # type: ignore[no-untyped-def]
    """The loop of a game: some moves more."""
    turn, successor, over, draw = rules.turn, rules.successor, rules.over, rules.draw

    @jit
    def play_on(state, first_seat, second_seat, luck, log, totals, moves):  # type: ignore[no-untyped-def]
        """Play at most so many moves, with what chance makes of each; the state then, and how many actions it took."""
        logged = 0
        left = moves
        while not over(state):
            kind = turn(state)
            if kind == CHANCE:
                action = draw(state, luck)
            else:
                if left == 0:
                    break
                action = first(state, first_seat) if kind == MAX else second(state, second_seat)
                if action < 0:
                    break
                left -= 1
                tally = first_seat[0] if kind == MAX else second_seat[0]
                totals.moves += 1
                totals.nodes += tally.nodes
                totals.evaluations += tally.evaluations
            log[logged] = action
            logged += 1
            state = successor(state, action)[1]
        return state, logged

    return play_on
