"""What became of some games: for every one its result, for all of them a summary."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import Any

from rich.console import Console
from rich.table import Table

from contienda.core import Game
from contienda.language import say
from contienda.match import Played
from contienda.players.base import Player
from contienda.record import result_of

__all__ = ["make_report", "running_mean", "show_report"]


def running_mean(finished: list[Played]) -> str:
    """How the games go so far, in a few words."""
    results = [result_of(played) for played in finished]
    if "score" in results[0]:
        return say("mean score {:,.0f}", "puntuación media {:,.0f}").format(
            statistics.fmean(r["score"] for r in results)
        )
    return say("won by the first {}", "gana el primero {}").format(sum(r["winner"] == 1 for r in results))


def make_report(game: Game, players: list[Player], finished: list[Played], wall: float) -> dict[str, Any]:
    """Every game and their summary: what ``--json`` prints."""
    rows = [
        {"seed": played.seed} | result_of(played) | {"seconds": played.seconds, "nodes": played.nodes}
        for played in finished
    ]
    report: dict[str, Any] = {"game": game.spec, "player": players[0].spec}
    if len(players) > 1:
        report["opponent"] = players[1].spec
    return report | {"games": rows, "summary": _summary(rows, wall)}


def _summary(rows: list[dict[str, Any]], wall: float) -> dict[str, Any]:
    moves = sum(row["moves"] for row in rows)
    summary: dict[str, Any] = {"games": len(rows)}
    if rows and "score" in rows[0]:
        scores = [row["score"] for row in rows]
        tiles = Counter(row["max_tile"] for row in rows)
        summary |= {
            "mean_score": statistics.fmean(scores),
            "sd_score": statistics.stdev(scores) if len(scores) > 1 else 0.0,
            "best_score": max(scores),
            "wins": sum(row["won"] for row in rows),
            "max_tiles": {str(tile): tiles[tile] for tile in sorted(tiles, reverse=True)},
        }
    elif rows:
        winners = Counter(row["winner"] for row in rows)
        summary |= {"first_wins": winners[1], "second_wins": winners[2], "draws": winners[0]}
    return summary | {
        "mean_moves": moves / len(rows) if rows else 0.0,
        "nodes": sum(row["nodes"] for row in rows),
        "seconds": sum(row["seconds"] for row in rows),
        "wall_seconds": wall,
    }


def show_report(report: dict[str, Any], console: Console) -> None:
    """A line for each of the last games, and the summary."""
    rows, summary = report["games"], report["summary"]
    table = Table(box=None, padding=(0, 2, 0, 0))
    names = {
        "seed": say("seed", "semilla"),
        "score": say("score", "puntos"),
        "max_tile": say("largest", "mayor"),
        "winner": say("winner", "ganador"),
        "moves": say("moves", "jugadas"),
        "won": say("won", "ganada"),
        "seconds": say("seconds", "segundos"),
        "nodes": say("nodes", "nodos"),
    }
    keys = [key for key in names if rows and key in rows[0]]
    for key in keys:
        table.add_column(names[key], justify="right")
    for row in rows[-10:]:
        table.add_row(*(_cell(row[key]) for key in keys))
    console.print(table)
    if len(rows) > 10:
        console.print(
            say(f"(the last 10 of {len(rows)} games)", f"(las 10 últimas de {len(rows)} partidas)"), style="dim"
        )
    console.print(_in_words(summary), highlight=False)


def _in_words(summary: dict[str, Any]) -> str:
    """The summary as one line."""
    games = say("{games} games: ", "{games} partidas: ")
    if "mean_score" in summary:
        tiles = "  ".join(f"{tile}×{count}" for tile, count in summary["max_tiles"].items())
        line = say(
            "mean score {mean_score:,.0f} (sd {sd_score:,.0f}), {wins} won; ",
            "puntuación media {mean_score:,.0f} (dt {sd_score:,.0f}), {wins} ganadas; ",
        )
        return (games + line).format(**summary) + tiles
    line = say(
        "first {first_wins}, second {second_wins}, drawn {draws}",
        "primero {first_wins}, segundo {second_wins}, tablas {draws}",
    )
    return (games + line).format(**summary)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return say("yes", "sí") if value else say("no", "no")
    return f"{value:.3f}" if isinstance(value, float) else str(value)
