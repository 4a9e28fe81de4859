"""The games of an experiment as one table: what statistics, figures and exports are made from."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from contienda.games import make_game
from contienda.lab.plan import Plan
from contienda.lab.results import COLUMNS, Results
from contienda.specs import parse_spec

__all__ = ["table_of", "turns_of"]

_GAME = {
    "entrant": pl.Int32, "seed": pl.String, "ended": pl.String, "score": pl.Int64, "max_tile": pl.Int64,
    "won": pl.Int64, "winner": pl.Int64, "moves": pl.Int64, "nodes": pl.Int64, "seconds": pl.Float64,
    "host": pl.String,
}  # fmt: skip


def table_of(results: Results) -> pl.DataFrame:
    """A row for each game, in the order of the plan: the same table whoever played it, and in whatever order.

    Beside the columns of a game: ``name`` (who is measured), ``player``, ``opponent``, and from the player's spec
    ``algorithm``, ``eval``, ``depth``.
    """
    plan = results.plan
    games = pl.DataFrame(results.raw_rows(), schema={name: _GAME[name] for name in COLUMNS}, orient="row")
    games = games.with_columns(pl.col("seed").cast(pl.UInt64), pl.col("won").cast(pl.Boolean))
    entrants = pl.DataFrame(
        [_entrant(number, plan) for number in range(len(plan.entrants))],
        schema_overrides={"entrant": pl.Int32, "opponent": pl.String, "eval": pl.String, "depth": pl.Int64},
    )
    # Seeds count on from the plan's own, past the largest to 0.
    place = (pl.col("seed") - pl.lit(plan.seed, pl.UInt64)).alias("place")
    return games.join(entrants, on="entrant", how="left").sort("entrant", place).select(*entrants.columns, *COLUMNS[1:])


def _entrant(number: int, plan: Plan) -> dict[str, Any]:
    entrant = plan.entrants[number]
    spec = parse_spec(entrant.player)
    usual = None if plan.paths else make_game(plan.game).default_evaluator
    depth = spec.options.get("depth", "")
    return {
        "entrant": number,
        "name": str(entrant),
        "player": entrant.player,
        "opponent": entrant.opponent,
        "algorithm": spec.name,
        "eval": spec.options.get("eval") or spec.options.get("h") or usual,
        "depth": int(depth) if depth.isdigit() else None,
    }


def turns_of(results: Results) -> pl.DataFrame:
    """For each player and move number, the mean milliseconds of that move, where the plan asked for ``turns``."""
    tables = []
    for number, entrant in enumerate(results.plan.entrants):
        games = [np.frombuffer(turns, np.float32) for turns in results.turns(number)]
        if games:
            longest = max(map(len, games))
            sums, counts = np.zeros(longest), np.zeros(longest)
            for game in games:
                sums[: len(game)] += game
                counts[: len(game)] += 1
            algorithm = parse_spec(entrant.player).name
            tables.append(
                {"algorithm": algorithm, "name": str(entrant), "move": np.arange(1, longest + 1), "ms": sums / counts}
            )
    schema = {"algorithm": pl.String, "name": pl.String, "move": pl.Int64, "ms": pl.Float64}
    return pl.concat([pl.DataFrame(schema=schema), *(pl.DataFrame(each, schema=schema) for each in tables)])
