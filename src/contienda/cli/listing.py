"""``contienda list``: what there is, from the registries alone; nothing is compiled, or even imported, for it."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from contienda.evaluation.catalogue import CATALOGUE
from contienda.games import GAMES
from contienda.language import BadInput, say
from contienda.players import PLAYERS
from contienda.solvers import SOLVERS

__all__ = ["KINDS", "as_data", "show"]

KINDS = ("games", "players", "solvers", "evaluators")


def as_data(kind: str) -> list[dict[str, Any]]:
    """The list as plain data, the same that ``--json`` prints."""
    if kind == "games":
        return [
            {
                "name": info.name,
                "about": str(info.about),
                "parameters": {
                    key: {"default": p.default, "meaning": str(p.meaning)} for key, p in info.parameters.items()
                },
            }
            for info in GAMES.values()
        ]
    if kind in ("players", "solvers"):
        return [
            {
                "name": info.name,
                "about": str(info.about),
                "parameters": {
                    key: {"default": str(p.default), "meaning": str(p.meaning)} for key, p in info.parameters.items()
                },
            }
            for info in (PLAYERS if kind == "players" else SOLVERS).values()
        ]
    if kind == "evaluators":
        return [
            {
                "name": e.name,
                "game": e.game,
                "formula": e.formula,
                "meaning": str(e.meaning),
                "origin": str(e.origin),
                "weights": e.weights,
            }
            for e in CATALOGUE.values()
        ]
    known = ", ".join(KINDS)
    raise BadInput(f"there is no list of {kind!r}: there are {known}", f"no hay lista de {kind!r}: hay {known}")


def show(kind: str, console: Console) -> None:
    """The list as a table."""
    rows = as_data(kind)
    if kind == "evaluators":
        for row in rows:
            weights = ", ".join(f"{name}={value:g}" for name, value in row["weights"].items())
            console.print(f"[bold]{row['name']}[/]  [dim]{row['game']}[/]")
            console.print(f"  {escape(row['formula'])}", highlight=False)
            console.print(f"  {row['meaning']} [dim]{say('Origin', 'Origen')}: {row['origin']}.[/]", highlight=False)
            if weights:
                console.print(f"  {say('weights', 'pesos')}: {weights}", highlight=False)
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(say("name", "nombre"), style="bold", no_wrap=True)
    table.add_column(say("what it is, and its parameters", "qué es, y sus parámetros"))
    for row in rows:
        lines = [escape(row["about"])]
        lines += [
            f"  {key} = {p['default']}  [dim]{escape(str(p['meaning']))}[/]" for key, p in row["parameters"].items()
        ]
        table.add_row(row["name"], "\n".join(lines))
    console.print(table, highlight=False)
