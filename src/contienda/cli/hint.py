"""``contienda hint`` and ``contienda evaluate``: the value of a position, with and without search."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from contienda.cli.arguments import read_position
from contienda.cli.draw import draw_board
from contienda.compiled.stopping import Stop, in_time
from contienda.core.analysis import Counters
from contienda.core.game import MIN, Game, State
from contienda.core.language import BadInput, Figures, Text, language, say
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import make_game
from contienda.players import make_player
from contienda.players.options import split_weights

__all__ = ["Hint", "find_evaluation", "find_hint", "show_evaluation", "show_hint"]


class Hint(NamedTuple):
    """The answer for a position."""

    game: Game
    state: State
    data: dict[str, Any]
    """What ``--json`` prints."""


def find_hint(game_spec: str, position: str | None, player_spec: str | None, score: int, target: int | None) -> Hint:
    """Return every move's value, best first, and the counters."""
    game, state = _read(game_spec, position, score)
    game = game if target is None else game.until(target)
    player = make_player(game.default_player if player_spec is None else player_spec, game)
    stop = Stop()
    analysis = in_time(lambda: player.analyse(state, stop), stop)
    head = {"game": game.spec, "position": _text(game, position, state), "player": player.spec}
    return Hint(game, state, head | analysis.as_data())


def show_hint(hint: Hint, console: Console) -> None:
    """Print the hint as a table."""
    game, data = hint.game, hint.data
    if not game.drawn:
        console.print(draw_board(game, hint.state))
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(say("move"), style="bold")
    table.add_column(say("value"), justify="right")
    table.add_column()
    for move in data["moves"]:
        best = move["move"] == data["best"]
        value = "–" if move["value"] is None else f"{'≤ ' if move['bound'] else ''}{_shown(move['value'])}"
        if move["at_least"] is not None:
            value = say("{at_least} to {value}", at_least=_shown(move["at_least"]), value=_shown(move["value"]))
        words = ", ".join(move[key][language()] for key in ("words", "remark") if move[key] is not None)
        table.add_row(move["move"], value, words, "◀" if best else "", style="green" if best else "")
    console.print(table)
    console.print(f"{say('line')}: {' '.join(data['pv'])}", highlight=False)
    counters = data["counters"]
    rate = counters["nodes"] / counters["seconds"] if counters["seconds"] else 0.0
    console.print(
        say(
            "{counted}, depth {depth}, {seconds:,.4g} s ({rate:,.0f} nodes/s), compiled in {compile_seconds:,.2f} s",
            counted=Counters(**counters).words,
            depth=counters["depth"],
            seconds=counters["seconds"],
            rate=rate,
            compile_seconds=counters["compile_seconds"],
        ),
        style="dim",
        highlight=False,
    )


#: The side for which a position is valued, and the words for it.
_VIEWS = {
    "mover": Text("for the player to move"),
    "max": Text("for MAX, who moves first"),
    "min": Text("for MIN, who moves second"),
}


def find_evaluation(
    game_spec: str, position: str | None, evaluator: str | None, score: int, view: str = "mover"
) -> dict[str, Any]:
    """Return the value of a position and each of its terms, as one side sees them: what ``--json`` prints."""
    if view not in _VIEWS:
        raise BadInput("--view {view}: there are {known}", view=view, known=", ".join(_VIEWS))
    game, state = _read(game_spec, position, score)
    if MIN not in game.kinds and view == "min":
        raise BadInput("{name} has no second player: leave out --view min", name=game.name)
    name, weights = split_weights(game.default_evaluator if evaluator is None else evaluator)
    compiled = compile_evaluator(name, game, weights)
    seen = game.rules.seen_by_mover(state) if view == "mover" else state
    sign = -1 if view == "min" else 1
    value = in_time(lambda: sign * float(compiled.evaluate(seen, compiled.weights)), Stop(), seconds=60)
    return {
        "game": game.spec,
        "position": _text(game, position, state),
        "evaluator": compiled.name,
        "view": view if MIN in game.kinds else None,
        "value": _number(value),
        "terms": {term: sign * number for term, number in compiled.terms(seen).items()},
        "weights": compiled.weights_by_name,
        "contributions": {term: sign * number for term, number in compiled.contributions(seen).items()},
    }


def show_evaluation(data: dict[str, Any], console: Console) -> None:
    """Print the value as a sum of its terms."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(say("term"), style="bold")
    for header in (say("number"), say("weight"), say("product")):
        table.add_column(header, justify="right")
    for term, number in data["terms"].items():
        product = data["contributions"][term]
        weight = data["weights"].get(term, 1.0) if product != number else 1.0
        table.add_row(term, _shown(number), _shown(weight, 6), _shown(product))
    table.add_section()
    table.add_row(escape(data["evaluator"]), "", "", _shown(data["value"], 16))
    console.print(table)
    if data["view"] is not None:
        console.print(f"{_VIEWS[data['view']]} (--view {'|'.join(_VIEWS)})", style="dim", highlight=False, markup=False)


def _read(game_spec: str, position: str | None, score: int) -> tuple[Game, State]:
    game = make_game(game_spec, position)
    return game, read_position(game, position, score)


def _text(game: Game, position: str | None, state: State) -> str:
    return game.format(state) if position is None else position.strip()


def _shown(value: float, digits: int = 10) -> str:
    return str(Figures(f"{value:.{digits}g}"))


def _number(value: float) -> float | None:
    """Return None for infinities, which JSON cannot express."""
    return value if math.isfinite(value) else None
