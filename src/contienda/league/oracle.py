"""Grades the players of a league by exact values: how many of their moves in the same positions are best ones.

The players think where they think in their games, in their own processes; only then are their moves judged, by
`contienda.lab.grading`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event, Thread
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.stopping import Stop
from contienda.core.analysis import new_tally
from contienda.core.game import Game, State
from contienda.core.language import BadInput, Text
from contienda.core.specs import Spec
from contienda.lab.frames import pl
from contienda.lab.grading import Grading, exact_grading
from contienda.league.competitors import Competitor
from contienda.league.hosts import Hosts
from contienda.players.base import Player

__all__ = ["OracleGrade", "grades_of", "oracle_of"]

#: Positions of each stage of the game: 64 in Connect 4, where a stage is a number of stones.
_POSITIONS = 2


class OracleGrade(NamedTuple):
    """What exact values say of a player."""

    best: int
    """Moves that are as good as any."""
    positions: int
    reason: Text | None = None
    """Why the player stopped answering; its other moves count as bad."""

    @property
    def percent(self) -> float:
        """The share of best moves."""
        return 100 * self.best / self.positions


def oracle_of(game: Game) -> Grading:
    """Return how exact values grade a game's players; `BadInput` if the game has none."""
    grading = exact_grading(game)
    if grading is None:
        raise BadInput(
            "the rubric's part by oracle needs exact values: {game} has none; Connect 4 and small boards of 2048 do",
            game=game.spec,
        )
    return grading


def grades_of(
    game: Game,
    players: Sequence[Competitor],
    hosts: Hosts,
    *,
    seed: int = 1,
    tables: int = 1,
    stopped: Callable[[], bool] = lambda: False,
    watch: Callable[[int, int], None] = lambda done, n: None,
) -> dict[str, OracleGrade]:
    """Return the grade of each player by its name; of none if it was stopped. ``watch(done, n)`` counts steps."""
    grading, stop = oracle_of(game), Stop()
    if not players:
        return {}
    positions = grading.sample(game, _POSITIONS, seed)
    if not positions:
        raise BadInput("{spec} has no position with more than one move", spec=game.spec)
    total, done = len(players) + len(positions), 0
    over = Event()
    watcher = Thread(target=_stop_when, args=(stopped, stop, over), name="contienda-oracle", daemon=True)
    watcher.start()
    try:
        answers: list[_Answers] = []
        with ThreadPoolExecutor(tables, thread_name_prefix="contienda-oracle") as pool:
            waiting = [pool.submit(_asked, game, player, hosts, positions, stop) for player in players]
            for future in waiting:
                wait([future])
                answers.append(future.result())
                done += 1
                watch(done, total)
        if stop.stopped:
            return {}
        table = grading.grade(
            game, answers, positions, stop=stop, progress=lambda judged: watch(len(players) + judged, total)
        )
        if stop.stopped:
            return {}
        return {player.spec: player.graded(table, grading.best, len(positions)) for player in answers}
    finally:
        over.set()
        watcher.join()


def _stop_when(stopped: Callable[[], bool], stop: Stop, over: Event) -> None:
    while not over.wait(0.1):
        if stopped():
            stop.stop()
            return


class _AtPosition(NamedTuple):
    """The seat of somebody who has answered already."""

    tally: np.record
    number: int


class _Answers(Player):
    """A player's moves, as a player that makes them again."""

    compiled = False

    def __init__(self, name: str, game: Game, moves: list[int], reason: Text | None) -> None:
        super().__init__(Spec(name, {}), game)
        self.spec = name
        self._moves, self._reason = moves, reason

    def seat(self, seed: int) -> _AtPosition:
        """Return the seat at the position of this number: a grading gives it as the seed."""
        return _AtPosition(new_tally(), seed)

    def choose(self, state: State, seat: Any) -> int:
        known = seat.number < len(self._moves)
        return self._moves[seat.number] if known else self.game.legal_actions(state)[0]

    def graded(self, table: pl.DataFrame, best: str, positions: int) -> OracleGrade:
        """Return the grade by the answers that the player gave itself."""
        own = table.filter(pl.col("player") == self.spec).head(len(self._moves))
        return OracleGrade(int(own[best].sum()), positions, self._reason)


def _asked(game: Game, player: Competitor, hosts: Hosts, positions: Sequence[Any], stop: Stop) -> _Answers:
    """Let a player choose a move in each position, until it breaks a rule."""
    moves: list[int] = []
    reason = None
    try:
        for number, (_, state) in enumerate(positions):
            with hosts.player(player, stop) as asked:  # anew: the positions are of different games
                asked.compile()
                seat = asked.seat(number)
                with stop.guard(seat.tally, asked.budget, asked.ms):
                    move = asked.choose(state, seat)
            if stop.stopped or move < 0:
                break
            moves.append(move)
    except BadInput as fault:  # a forfeit, or a program that no longer starts
        reason = fault.text
    return _Answers(player.name, game, moves, reason)
