"""Reviews a game with points, such as 2048: what each move lost, according to a strong player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from contienda.compiled.stopping import Stop
from contienda.core.analysis import InWords
from contienda.core.game import CHANCE, MIN, Game, State
from contienda.core.language import BadInput
from contienda.players import make_player
from contienda.players.base import Player

__all__ = ["Lost", "critic_of", "review_points", "reviewed", "worst"]


class Lost(NamedTuple):
    """A move and how much it lost."""

    ply: int
    """The moves of the player, counted from 1."""
    state: State
    """The board before the move."""
    move: str
    value: float
    """The final score that the critic expects after the move."""
    best: str
    best_value: float
    meaning: InWords | None
    best_meaning: InWords | None
    """The verdicts of an endgame table on the two moves, if one knows them."""

    @property
    def loss(self) -> float:
        """The points that the move lost."""
        return self.best_value - self.value


def reviewed(game: Game) -> bool:
    """Return whether a game can be reviewed: one player scores points, and luck answers."""
    return "points" in game.features and MIN not in game.kinds


def critic_of(game: Game) -> Player:
    """Return the strongest player that values moves: exact if the board is solved, else the champion."""
    if not reviewed(game):
        raise BadInput("only games with points can be reviewed by what a move loses, not {name}", name=game.name)
    for feature, spec in (("solved", "perfect"), ("network", "champion:depth=3")):
        if feature in game.features:
            try:
                return make_player(spec, game)
            except BadInput:  # a board that has not been solved yet
                continue
    return make_player("expectimax:depth=5", game)


def review_points(
    game: Game,
    start: State,
    actions: Sequence[int],
    critic: Player,
    *,
    stop: Stop | None = None,
    progress: Callable[[int], None] = lambda judged: None,
) -> list[Lost]:
    """Value every move of a game; ``progress`` is called with the number of moves valued.

    A review that is stopped has valued the first moves.
    """
    stop = stop or Stop()
    found: list[Lost] = []
    state = start
    for action in actions:
        if stop.stopped:
            break
        if game.rules.turn(state) != CHANCE:
            moves = {move.move: move for move in critic.analyse(state, stop).moves}
            made = moves[game.action_name(state, action)]
            best = max(moves.values(), key=lambda move: move.value)
            best = made if made.value == best.value else best
            values = made.move, made.value, best.move, best.value, made.meaning, best.meaning
            found.append(Lost(len(found) + 1, state, *values))
            progress(len(found))
        state = game.apply(state, action)
    return found


def worst(lost: Sequence[Lost], number: int = 10) -> list[Lost]:
    """Return the moves that lost most, the worst first, without those that lost nothing."""
    return sorted((one for one in lost if one.loss > 0), key=lambda one: -one.loss)[:number]
