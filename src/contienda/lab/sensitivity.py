"""Measures how much each weight of an evaluator matters, by changing one at a time.

A sweep is a plan like any other: it runs, resumes and is reported like one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from contienda.core.language import BadInput
from contienda.core.specs import Spec, parse_spec
from contienda.games import DEFAULT_GAME, make_game
from contienda.lab.frames import pl
from contienda.lab.plan import Plan
from contienda.lab.statistics import means_of
from contienda.players import make_player

__all__ = ["FACTORS", "sweep_plan", "sweep_table", "weights_of"]

#: Times the weight's own value; 0 leaves its term out.
FACTORS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)


def weights_of(player: str, game: str = DEFAULT_GAME) -> dict[str, float]:
    """Return the weights of a player's evaluator by name. The game must have one player: its score is the measure."""
    played = make_game(game)
    if played.sides != 1:
        raise BadInput("{game} has two players: weights are measured by the score of a one-player game", game=game)
    made = make_player(player, played)
    evaluator = getattr(made, "evaluator", None)
    if evaluator is None or not evaluator.weights_by_name:
        raise BadInput("{player} has no weights to change", player=player)
    return dict(evaluator.weights_by_name)


def with_weights(player: str, weights: dict[str, float]) -> str:
    """Return the same player with these weights.

    >>> with_weights("greedy:eval=combined", {"empty": 128.0})
    'greedy:eval=combined,empty=128'
    """
    spec = parse_spec(player)
    return str(Spec(spec.name, spec.options | {name: f"{value:.6g}" for name, value in weights.items()}))


def sweep_plan(
    player: str,
    game: str = DEFAULT_GAME,
    *,
    games: int,
    names: Sequence[str] = (),
    factors: Sequence[float] = FACTORS,
    seed: int = 1,
    target: int | None = None,
) -> Plan:
    """Return the plan: the player itself, and with each weight (or each of these) times every factor."""
    weights = weights_of(player, game)
    for name in names:
        if name not in weights:
            known = ", ".join(weights)
            raise BadInput("{player} has no weight {name!r}: it has {known}", player=player, name=name, known=known)
    changed = [
        with_weights(player, {name: weights[name] * factor})
        for name in names or weights
        for factor in factors
        if factor != 1
    ]
    players = tuple(dict.fromkeys([player, *changed]))
    return Plan(f"sweep of {player}", game, players, games=games, seed=seed, target=target)


def sweep_table(table: pl.DataFrame, game: str = DEFAULT_GAME) -> pl.DataFrame:
    """Return the quality and its interval for each weight and factor, from the games of a sweep.

    The first player of the plan is the original; it appears in every weight's row, at factor 1.
    """
    means = means_of(table)
    players = table.group_by("entrant", maintain_order=True).agg(pl.col("player").first())["player"].to_list()
    base = players[0]
    own, base_options = weights_of(base, game), parse_spec(base).options
    rows: list[dict[str, Any]] = []
    for place, player in enumerate(players):
        changed = {
            name: float(value)
            for name, value in parse_spec(player).options.items()
            if name in own and base_options.get(name) != value
        }
        for name in changed or own:
            factor = changed[name] / own[name] if changed and own[name] else 1.0
            figures = means.row(place, named=True)
            row = {"weight": name, "factor": float(f"{factor:.4g}"), "value": changed.get(name, own[name])}
            rows.append(row | {key: figures[key] for key in ("quality", "quality_low", "quality_high")})
    rows.sort(key=lambda row: (list(own).index(row["weight"]), row["factor"]))
    return pl.DataFrame(rows)
