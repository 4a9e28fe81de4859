"""Grades players: how often they make the best move, and what their other moves cost.

All players get the same positions, and a judge values each move. Games with exact values have their own grading,
registered by feature (`_EXACT`). In every other game a player is the judge: one that searches to the end of the game is
exact too, and any other is only as reliable as it is strong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, cast

from contienda.compiled.rng import below, generator
from contienda.compiled.stopping import Stop
from contienda.core.game import CHANCE, Game, State
from contienda.core.language import BadInput, Text
from contienda.lab.figures.grades import judged
from contienda.lab.frames import pl
from contienda.lab.statistics import mean_interval, share_interval
from contienda.players import make_player
from contienda.players.base import Player

__all__ = [
    "Column",
    "Grading",
    "Sampled",
    "exact_grading",
    "grade_by_values",
    "grading_of",
    "made_players",
    "regrets_by",
    "sample",
]

#: By feature (`Game.features`), the module whose ``GRADING`` judges by exact values.
_EXACT = {"exact": "contienda.lab.grading_connect4", "solved": "contienda.lab.grading_2048"}

#: Moves whose values differ by less are equal: floating-point sums are no more precise.
_EQUAL = 1e-6
#: Random games for each position of the sample: a game may have no position with a choice.
_GAMES = 20


class Column(NamedTuple):
    """A column of the summary, for people."""

    key: str
    title: Text
    format: str = ""
    """The format of a number with an interval, ``key_low`` to ``key_high``; empty for the bare value."""


class Grading(NamedTuple):
    """How the players of a game are graded."""

    sample: Callable[[Any, int, int], list[Any]]
    """``sample(game, positions, seed)``: the positions to ask about."""
    grade: Callable[..., pl.DataFrame]
    """``grade(game, players, positions, stop=, progress=)``: a row for each answer."""
    summary: Callable[[pl.DataFrame], pl.DataFrame]
    columns: tuple[Column, ...]
    """The columns that the summary shows for each player."""
    figure: Callable[[pl.DataFrame], Any]
    best: str = "perfect"
    """The column of the answers that says whether the move is as good as any."""


class Sampled(NamedTuple):
    """A position to ask about."""

    part: int
    """The part of the game from which it comes: the number of moves played, or the largest tile."""
    state: State


def exact_grading(game: Game) -> Grading | None:
    """Return how to grade the players of a game by its exact values; None if they are not known."""
    feature = next((feature for feature in _EXACT if feature in game.features), None)
    return None if feature is None else cast(Grading, import_module(_EXACT[feature]).GRADING)


def made_players(players: Sequence[str | Player], game: Game) -> list[Player]:
    """Return the players, those made that are given by their specs."""
    return [make_player(player, game) if isinstance(player, str) else player for player in players]


def grading_of(game: Game, judge: str | None = None) -> Grading:
    """Return how to grade the players of a game: by exact values if they are known, else by the player ``judge``."""
    exact = exact_grading(game)
    if exact is not None and judge is None:
        return exact
    if game.drawn:
        raise BadInput("{spec} has no games to sample positions from", spec=game.spec)
    judging = make_player(game.default_player if judge is None else judge, game)

    def values(state: State, number: int, stop: Stop) -> dict[int, float]:
        moves = judging.analyse(state, stop, seed=number).moves
        return {game.action_number(state, move.move): move.value for move in moves}

    def grade(game: Game, players: Sequence[str], positions: Sequence[Sampled], **more: Any) -> pl.DataFrame:
        return grade_by_values(game, players, positions, values, "ply", **more)

    columns = (
        Column("positions", Text("positions")),
        Column("perfect", Text("best moves"), ",.1%"),
        Column("regret", Text("value lost per move"), ",.3g"),
    )
    return Grading(sample, grade, regrets_by, columns, judged)


def sample(game: Game, positions: int, seed: int = 1) -> list[Sampled]:
    """Return positions with more than one legal move, one from each of as many random games."""
    found: list[Sampled] = []
    for number in range(_GAMES * positions):
        if len(found) == positions:
            break
        rng = generator(seed, stream=number)
        state = game.start(rng)
        met: list[Sampled] = []
        ply = 0
        while actions := game.legal_actions(state):
            lucky = game.rules.turn(state) == CHANCE
            if not lucky and len(actions) > 1:
                met.append(Sampled(ply, state))
            ply += not lucky
            state = game.apply(state, game.rules.draw(state, rng) if lucky else actions[below(rng, len(actions))])
        if met:
            found.append(met[below(rng, len(met))])
    if not found:
        raise BadInput("{spec} has no position with more than one move", spec=game.spec)
    return found


def grade_by_values(
    game: Game,
    players: Sequence[str | Player],
    positions: Sequence[Sampled],
    values: Callable[[State, int, Stop], Mapping[int, float]],
    part: str,
    *,
    stop: Stop | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> pl.DataFrame:
    """Return a row for each player and position: whether the move is the best, and its regret.

    ``values(state, number, stop)`` gives every move's value. The regret of a move is how much less it is worth than the
    best one. ``part`` names the column of `Sampled.part`.
    """
    stop = stop or Stop()
    asked = made_players(players, game)
    rows: list[dict[str, Any]] = []
    for number, (place, state) in enumerate(positions):
        worth = values(state, number, stop)
        for player in asked:
            if stop.stopped:
                return pl.DataFrame(rows)
            move = player.analyse(state, stop, seed=number).best
            regret = max(worth.values()) - worth[game.action_number(state, move)]
            rows.append(
                {
                    "player": player.spec,
                    part: place,
                    "position": game.format(state),
                    "move": move,
                    "perfect": regret < _EQUAL,
                    "regret": regret if regret >= _EQUAL else 0.0,
                }
            )
        progress(number + 1)
    return pl.DataFrame(rows)


def regrets_by(table: pl.DataFrame, part: str | None = None) -> pl.DataFrame:
    """Return the share of best moves and the mean regret of each player; by part, 0 stands for the whole game."""
    if table.is_empty():
        raise BadInput("no position was graded")
    rows = []
    for player in table["player"].unique(maintain_order=True):
        own = table.filter(pl.col("player") == player)
        for place in (*(() if part is None else sorted(own[part].unique())), 0):
            rated = own.filter(pl.col(part) == place) if part is not None and place else own
            perfect = share_interval(int(rated["perfect"].sum()), rated.height)
            regret = mean_interval(rated["regret"].to_numpy())
            rows.append(
                {
                    "player": player,
                    **({} if part is None else {part: place}),
                    "positions": rated.height,
                    "perfect": perfect.value,
                    "perfect_low": perfect.low,
                    "perfect_high": perfect.high,
                    "regret": regret.value,
                    "regret_low": regret.low,
                    "regret_high": regret.high,
                }
            )
    return pl.DataFrame(rows)
