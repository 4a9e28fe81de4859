"""The report of some games: the result of each, and a summary."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import Any

from rich.console import Console
from rich.table import Table

from contienda.core.game import MIN
from contienda.core.language import number, plural, say
from contienda.lab.openings import PairedMatch, course_of
from contienda.lab.remarks import repeats_remark
from contienda.match import Played

__all__ = ["in_a_line", "make_report", "running_mean", "show_report"]


def running_mean(finished: list[Played], match: PairedMatch) -> str:
    """Return the results so far in a few words."""
    results = [match.result_of(played) for played in finished]
    if "score" in results[0]:
        return say("mean score {mean:,.0f}", mean=statistics.fmean(r["score"] for r in results))
    return say("{wins} won by the first player", wins=sum(r["winner"] == 1 for r in results))


def in_a_line(played: Played, count: int, games: int, match: PairedMatch) -> str:
    """Return a finished game as one line: won or lost, its score, its largest tile and its time."""
    result = match.result_of(played)
    words = [say("{count} of {games}", count=count, games=games), say("seed {seed}", seed=played.seed)]
    if "winner" in result:
        words.append([say("drawn"), say("won by the first"), say("won by the second")][result["winner"]])
    elif "won" in result:
        words.append(say("game won") if result["won"] else say("game lost"))
    if played.fault is not None:
        words.append(say("by forfeit: {reason}", reason=played.fault.reason))
    if "score" in result:
        words.append(say("score {score:,}", score=result["score"]))
    if "max_tile" in result:
        words.append(say("largest {tile:,}", tile=result["max_tile"]))
    return "  ".join([*words, _time(played.seconds)])


def _time(seconds: float) -> str:
    """Return a time to three digits, in s, ms or µs."""
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{number(seconds / unit, ',.3g')} {name}"
    return f"{number(seconds / 1e-6, ',.3g')} µs"


def make_report(match: PairedMatch, finished: list[Played], wall: float) -> dict[str, Any]:
    """Return every game and the summary: what ``--json`` prints.

    After an opening of random moves the players take turns to begin. Winners and forfeits refer to the order in which
    the user named the players, not to who began. The summary counts games that repeat others once.
    """
    first, repeats = match.players[0].spec, _repeats(match, finished)
    rows = [
        {"seed": played.seed}
        | match.result_of(played)
        | {"seconds": played.seconds, "nodes": played.nodes}
        | _fault(played, first)
        | ({"repeated": True} if place in repeats else {})
        for place, played in enumerate(finished)
    ]
    report: dict[str, Any] = {"game": match.game.spec, "player": first}
    if len(match.players) > 1:
        report["opponent"] = match.players[1].spec
    summary = _summary(rows, wall)
    if MIN in match.game.kinds and len(finished) > 1:
        summary |= {"opening": match.moves, "repeated": len(repeats)}
    return report | {"games": rows, "summary": summary}


def _repeats(match: PairedMatch, finished: list[Played]) -> set[int]:
    """Return the places of the games that repeat earlier ones, move for move."""
    met: set[str] = set()
    repeats = set()
    for place, played in enumerate(finished):
        course = course_of(match, played)
        if course is not None:
            if course in met:
                repeats.add(place)
            met.add(course)
    return repeats


def _fault(played: Played, first: str) -> dict[str, Any]:
    """Who lost by rule, and why."""
    if played.fault is None:
        return {}
    return {
        "forfeit": {
            "player": played.fault.side + 1 if played.players[0] == first else 2 - played.fault.side,
            "reason": str(played.fault.reason),
        }
    }


def _summary(rows: list[dict[str, Any]], wall: float) -> dict[str, Any]:
    moves = sum(row["moves"] for row in rows)
    summary: dict[str, Any] = {"games": len(rows)}
    if rows and "score" in rows[0]:
        scores = [row["score"] for row in rows]
        tiles = Counter(row["max_tile"] for row in rows if "max_tile" in row)
        summary |= {
            "mean_score": statistics.fmean(scores),
            "sd_score": statistics.stdev(scores) if len(scores) > 1 else 0.0,
            "best_score": max(scores),
            "wins": sum(row.get("won", False) for row in rows),
            "max_tiles": {str(tile): tiles[tile] for tile in sorted(tiles, reverse=True)},
        }
    elif rows:
        winners = Counter(row["winner"] for row in rows if "repeated" not in row)
        summary |= {"first_wins": winners[1], "second_wins": winners[2], "draws": winners[0]}
    return summary | {
        "mean_moves": moves / len(rows) if rows else 0.0,
        "nodes": sum(row["nodes"] for row in rows),
        "seconds": sum(row["seconds"] for row in rows),
        "mean_seconds": sum(row["seconds"] for row in rows) / len(rows) if rows else 0.0,
        "mean_ms": 1000 * sum(row["seconds"] for row in rows) / max(moves, 1),
        "wall_seconds": wall,
    }


def show_report(report: dict[str, Any], console: Console) -> None:
    """Print one game as a table, or the summary of several, which were printed as they ended."""
    rows, summary = report["games"], report["summary"]
    table = Table(box=None, padding=(0, 2, 0, 0))
    names = {
        "seed": say("seed"),
        "score": say("score"),
        "max_tile": say("largest"),
        "winner": say("winner"),
        "moves": say("moves"),
        "won": say("won"),
        "seconds": say("seconds"),
        "nodes": say("nodes"),
    }
    keys = [key for key in names if rows and key in rows[0]]
    for key in keys:
        table.add_column(names[key], justify="right")
    for row in rows:
        table.add_row(*(str(row[key]) if key == "seed" else _cell(row[key]) for key in keys))
    if len(rows) == 1:
        console.print(table)
        if "forfeit" in rows[0]:
            spec = report["player"] if rows[0]["forfeit"]["player"] == 1 else report["opponent"]
            told = say("{spec} loses by forfeit: {reason}", spec=spec, reason=rows[0]["forfeit"]["reason"])
            console.print(told, highlight=False, markup=False, soft_wrap=True)
    console.print(_in_words(summary), highlight=False)
    for line in _about_openings(summary):
        console.print(line, highlight=False)
    console.print(
        say(
            "{game} per game, {move} per move",
            game=_time(summary["mean_seconds"]),
            move=_time(summary["mean_ms"] / 1000),
        ),
        highlight=False,
    )


def _about_openings(summary: dict[str, Any]) -> list[str]:
    """Return how games began, and which of them are repetitions."""
    lines = []
    if summary.get("opening"):
        lines.append(say("every opening of {n} random moves, from both sides", n=summary["opening"]))
    if (told := repeats_remark(summary.get("repeated", 0))) is not None:
        lines.append(str(told))
    return lines


def _in_words(summary: dict[str, Any]) -> str:
    """Return the summary as one line."""
    games = plural("{n} game", "{n:,} games", summary["games"])
    if "mean_score" in summary:
        mean, sd = summary["mean_score"], summary["sd_score"]
        if not summary["max_tiles"]:
            return say("{games}: mean score {mean:,.1f} (sd {sd:,.1f})", games=games, mean=mean, sd=sd)
        return say(
            "{games}: mean score {mean:,.0f} (sd {sd:,.0f}), {wins:,} won; {tiles}",
            games=games,
            mean=mean,
            sd=sd,
            wins=summary["wins"],
            tiles="  ".join(f"{tile}×{count}" for tile, count in summary["max_tiles"].items()),
        )
    return say(
        "{games}: first {first:,}, second {second:,}, drawn {drawn:,}",
        games=games,
        first=summary["first_wins"],
        second=summary["second_wins"],
        drawn=summary["draws"],
    )


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    return number(value, ",.3f" if isinstance(value, float) else ",")
