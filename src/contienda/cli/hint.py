"""``contienda hint`` and ``contienda evaluate``: what a position is worth, with and without search."""

from __future__ import annotations

import math
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from contienda.cli.draw import draw_board
from contienda.core import Game, State
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import make_game
from contienda.language import say
from contienda.players import make_player
from contienda.players.defaults import default_player
from contienda.players.options import split_weights
from contienda.stopping import Stop, in_time

__all__ = ["find_evaluation", "find_hint", "show_evaluation", "show_hint"]


def find_hint(game_spec: str, position: str, player_spec: str | None, score: int) -> dict[str, Any]:
    """Every move's value, best first, and the counters: what ``--json`` prints."""
    game, state = _read(game_spec, position, score)
    player = make_player(default_player(game) if player_spec is None else player_spec, game)
    stop = Stop()
    analysis = in_time(lambda: player.analyse(state, stop), stop)
    counters = analysis.counters
    return {
        "game": game.spec,
        "position": position.strip(),
        "player": player.spec,
        "moves": [
            {"move": m.move, "value": _number(m.value)}
            | ({} if m.exact else {"bound": "upper"})
            | ({} if m.at_least is None else {"at_least": _number(m.at_least)})
            | ({} if m.meaning is None else {"words": str(m.meaning.words)})
            for m in analysis.moves
        ],
        "best": analysis.best,
        "pv": analysis.pv,
        "counters": {
            "nodes": counters.nodes,
            "evaluations": counters.evaluations,
            "cutoffs": counters.cutoffs,
            "hits": counters.hits,
            "depth": counters.depth,
            "seconds": counters.seconds,
            "compile_seconds": counters.compile_seconds,
        },
    }


def show_hint(data: dict[str, Any], score: int, console: Console) -> None:
    """The hint as a table."""
    game, state = _read(data["game"], data["position"], score)
    if game.name != "tree":
        console.print(draw_board(game, state))
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(say("move", "jugada"), style="bold")
    table.add_column(say("value", "valor"), justify="right")
    table.add_column()
    for move in data["moves"]:
        best = move["move"] == data["best"]
        value = "–" if move["value"] is None else f"{'≤ ' if 'bound' in move else ''}{move['value']:.10g}"
        if move.get("at_least") is not None:
            value = say(
                f"{move['at_least']:.10g} to {move['value']:.10g}", f"de {move['at_least']:.10g} a {move['value']:.10g}"
            )
        table.add_row(move["move"], value, move.get("words", ""), "◀" if best else "", style="green" if best else "")
    console.print(table)
    console.print(f"{say('line', 'línea')}: {' '.join(data['pv'])}", highlight=False)
    counters = data["counters"]
    rate = counters["nodes"] / counters["seconds"] if counters["seconds"] else 0.0
    console.print(
        say(
            f"{counters['nodes']:,} nodes, {counters['evaluations']:,} evaluations, {counters['cutoffs']:,} cut-offs, "
            f"depth {counters['depth']}, {counters['seconds']:.4g} s ({rate:,.0f} nodes/s), "
            f"compiled in {counters['compile_seconds']:.2f} s",
            f"{counters['nodes']:,} nodos, {counters['evaluations']:,} evaluaciones, {counters['cutoffs']:,} podas, "
            f"profundidad {counters['depth']}, {counters['seconds']:.4g} s ({rate:,.0f} nodos/s), "
            f"compilado en {counters['compile_seconds']:.2f} s",
        ),
        style="dim",
        highlight=False,
    )


def find_evaluation(game_spec: str, position: str, evaluator: str | None, score: int) -> dict[str, Any]:
    """The value of a position and each of its terms: what ``--json`` prints."""
    game, state = _read(game_spec, position, score)
    name, weights = split_weights(game.default_evaluator if evaluator is None else evaluator)
    compiled = compile_evaluator(name, game, weights)
    mover = game.rules.seen_by_mover(state)
    value = in_time(lambda: float(compiled.evaluate(mover, compiled.weights)), Stop(), seconds=60)
    return {
        "game": game.spec,
        "position": position.strip(),
        "evaluator": compiled.name,
        "value": _number(value),
        "terms": compiled.terms(mover),
        "weights": compiled.weights_by_name,
    }


def show_evaluation(data: dict[str, Any], console: Console) -> None:
    """The value as a sum."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(say("term", "término"), style="bold")
    for header in (say("number", "número"), say("weight", "peso"), say("product", "producto")):
        table.add_column(header, justify="right")
    for term, number in data["terms"].items():
        weight = data["weights"].get(term, 1.0)
        table.add_row(term, f"{number:.10g}", f"{weight:g}", f"{weight * number:.10g}")
    table.add_section()
    table.add_row(escape(data["evaluator"]), "", "", f"{data['value']:.16g}")
    console.print(table)


def _read(game_spec: str, position: str, score: int) -> tuple[Game, State]:
    game = make_game(game_spec, position)
    return game, game.parse_scored(position, score)


def _number(value: float) -> float | None:
    """JSON knows no infinity."""
    return value if math.isfinite(value) else None
