"""``contienda list``: lists the registries; nothing is compiled."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from contienda.core.language import BadInput, say
from contienda.evaluation.catalogue import all_evaluators
from contienda.games import game_types, make_game
from contienda.players import all_players
from contienda.players.paths import PATH_SEARCHES

__all__ = ["KINDS", "as_data", "show"]

KINDS = ("games", "players", "solvers", "evaluators")


def as_data(kind: str, only: str | None = None) -> list[dict[str, Any]]:
    """Return a list as plain data, the same that ``--json`` prints; with ``only``, just the entries for this game."""
    game = None if only is None else make_game(only)
    if kind == "games":
        return [
            {
                "name": name,
                "about": str(game.about),
                "parameters": {
                    key: {"default": p.default, "meaning": str(p.meaning)} for key, p in game.parameters.items()
                },
            }
            for name, game in (game_types() if game is None else {game.name: type(game)}).items()
        ]
    if kind in ("players", "solvers"):
        return [
            {
                "name": info.name,
                "about": str(info.about),
                "parameters": {
                    key: {"default": str(p.default), "meaning": str(p.meaning)}
                    for key, p in info.parameters.items()
                    if game is None or key not in info.refused_options(game)
                },
            }
            for info in (all_players() if kind == "players" else list(PATH_SEARCHES.values()))
            if game is None or (info.takes(game) if kind == "players" else "paths" in game.features)
        ]
    if kind == "evaluators":
        from contienda.evaluation.custom import installed_evaluators  # it loads Numba

        listed = all_evaluators(None if game is None else {game.spec: game})
        return [
            {
                "name": e.name,
                "game": "any" if e is listed[0].evaluator and game is None else ", ".join(games),
                "formula": str(e.in_symbols),
                "meaning": str(e.meaning),
                "origin": str(e.origin),
                "weights": e.weights,
            }
            for e, games in (*listed, *((each, ["any"]) for each in installed_evaluators()))
        ]
    known = ", ".join(KINDS)
    raise BadInput("no list {kind!r}; choose one of {known}", kind=kind, known=known)


def show(kind: str, console: Console, only: str | None = None) -> None:
    """Print a list as a table."""
    rows = as_data(kind, only)
    if kind == "evaluators":
        for row in rows:
            weights = ", ".join(f"{name}={value:g}" for name, value in row["weights"].items())
            console.print(f"[bold]{row['name']}[/]  [dim]{row['game']}[/]")
            console.print(f"  {escape(row['formula'])}", highlight=False)
            origin = f" [dim]{say('Origin')}: {row['origin']}.[/]" if row["origin"] else ""
            console.print(f"  {escape(row['meaning'])}{origin}", highlight=False)
            if weights:
                console.print(f"  {say('weights')}: {weights}", highlight=False)
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(say("name"), style="bold", no_wrap=True)
    table.add_column(say("description and parameters"))
    for row in rows:
        lines = [escape(row["about"])]
        lines += [
            f"  {key} = {p['default']}  [dim]{escape(str(p['meaning']))}[/]" for key, p in row["parameters"].items()
        ]
        table.add_row(row["name"], "\n".join(lines))
    console.print(table, highlight=False)
