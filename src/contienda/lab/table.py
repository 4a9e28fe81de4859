"""The games of an experiment as one table, the basis of statistics, figures and exports."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from contienda.core.extensions import is_place
from contienda.core.language import BadInput
from contienda.core.specs import parse_spec
from contienda.games import make_game
from contienda.lab.frames import pl
from contienda.lab.plan import Entrant, Plan
from contienda.lab.results import COLUMNS, Results
from contienda.lab.sources import places_of

__all__ = ["TurnTimes", "counted", "table_of", "turns_of"]

_GAME = {
    "entrant": pl.Int32, "seed": pl.String, "ended": pl.String, "score": pl.Int64, "max_tile": pl.Int64,
    "won": pl.Int64, "winner": pl.Int64, "moves": pl.Int64, "nodes": pl.Int64, "seconds": pl.Float64,
    "host": pl.String,
}  # fmt: skip


def table_of(results: Results) -> pl.DataFrame:
    """Return a row for each game, in the order of the plan: the same table on any machine and in any order of play.

    Beside the columns of a game: ``name`` (who is measured), ``player``, ``opponent``, and from the player's spec
    ``algorithm``, ``eval``, ``depth``; and ``source``, where a user wrote what the player or its opponent is made of:
    the hash of that text. The same name with another hash is another player. ``repeated``: the game is an earlier one
    of the same players, move for move (`counted` leaves it out).
    """
    plan = results.plan
    try:
        games = pl.DataFrame(results.raw_rows(), schema={name: _GAME[name] for name in COLUMNS}, orient="row")
        games = games.with_columns(pl.col("seed").cast(pl.UInt64), pl.col("won").cast(pl.Boolean))
    except (pl.exceptions.PolarsError, TypeError, ValueError, OverflowError):
        raise results.damaged() from None
    if not games["entrant"].is_between(0, len(plan.entrants) - 1).all():
        raise results.damaged()
    hashes = {source.place: source.hash[:8] for source in results.sources()}
    usual = _usual_evaluator(plan)
    entrants = pl.DataFrame(
        [_entrant(number, entrant, usual, hashes) for number, entrant in enumerate(plan.entrants)],
        schema_overrides={
            "entrant": pl.Int32, "opponent": pl.String, "eval": pl.String, "depth": pl.Int64, "source": pl.String,
        },
    )  # fmt: skip
    # Seeds count on from the plan's own, past the largest to 0.
    place = (pl.col("seed") - pl.lit(plan.seed, pl.UInt64)).alias("place")
    whole = games.join(entrants, on="entrant", how="left").sort("entrant", place)
    repeats = results.repeated()
    whole = whole.with_columns(
        pl.Series("repeated", [game in repeats for game in whole.select("entrant", "seed").iter_rows()], pl.Boolean)
    )
    return whole.select(*entrants.columns, *COLUMNS[1:], "repeated")


def counted(table: pl.DataFrame) -> pl.DataFrame:
    """Return the games without those that repeat others: these prove nothing new."""
    return table.filter(~pl.col("repeated")) if "repeated" in table.columns else table


def _usual_evaluator(plan: Plan) -> str | None:
    """Return the default evaluator of a game; None for a game that is not available here."""
    if plan.paths or is_place(parse_spec(plan.game).name):  # reading a table never runs a user's file
        return None
    try:
        return make_game(plan.game).default_evaluator
    except BadInput:
        return None


def _entrant(number: int, entrant: Entrant, usual: str | None, hashes: dict[str, str]) -> dict[str, Any]:
    spec = parse_spec(entrant.player)
    places = [place for each in entrant if each is not None for place in places_of(each)]
    depth = spec.options.get("depth", "")
    return {
        "entrant": number,
        "name": str(entrant),
        "player": entrant.player,
        "opponent": entrant.opponent,
        "algorithm": spec.name,
        "eval": spec.options.get("eval") or spec.options.get("h") or usual,
        "depth": int(depth) if depth.isdigit() and len(depth) < 19 else None,
        "source": " ".join(hashes[place] for place in places if place in hashes) or None,
    }


class TurnTimes(NamedTuple):
    """The milliseconds of moves, where the plan asked for ``turns``."""

    means: pl.DataFrame
    """For each player and move number, the mean over the games that got so far: algorithm, name, move, ms."""
    won: pl.DataFrame
    """Every move of one won game of each player that won any, the first of its seeds, with eval and depth."""


def turns_of(results: Results) -> TurnTimes:
    """Return the times of the moves."""
    means, won = [], []
    firsts = table_of(results).filter(pl.col("won")).group_by("entrant", maintain_order=True).first()
    first_won = {row["entrant"]: row for row in firsts.iter_rows(named=True)}
    for number, entrant in enumerate(results.plan.entrants):
        games = {seed: np.frombuffer(turns, np.float32) for seed, turns in results.turns(number).items()}
        if not games:
            continue
        longest = max(map(len, games.values()))
        sums, counts = np.zeros(longest), np.zeros(longest)
        for game in games.values():
            sums[: len(game)] += game
            counts[: len(game)] += 1
        who = {"algorithm": parse_spec(entrant.player).name, "name": str(entrant)}
        means.append(who | {"move": np.arange(1, longest + 1), "ms": sums / counts})
        row = first_won.get(number)
        own = None if row is None else games.get(row["seed"])
        if row is not None and own is not None:
            moves = {"move": np.arange(1, len(own) + 1), "ms": own.astype(float)}
            won.append(who | {"eval": row["eval"], "depth": row["depth"]} | moves)
    return TurnTimes(_stacked(means, _MOVES), _stacked(won, _MOVES | {"eval": pl.String, "depth": pl.Int64}))


_MOVES: dict[str, Any] = {"algorithm": pl.String, "name": pl.String, "move": pl.Int64, "ms": pl.Float64}


def _stacked(tables: list[dict[str, Any]], schema: dict[str, Any]) -> pl.DataFrame:
    return pl.concat([pl.DataFrame(schema=schema), *(pl.DataFrame(each, schema=schema) for each in tables)])
