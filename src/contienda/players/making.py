"""Making the players that search out of what their specs say."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from contienda.core import CHANCE, MIN, Game, Limit, Rules
from contienda.evaluation.catalogue import UnknownWeight
from contienda.evaluation.compiled import CompiledEvaluator, compile_evaluator
from contienda.jit import njit
from contienda.language import BadInput
from contienda.players.base import Player
from contienda.players.kept import KeptTreePlayer
from contienda.players.options import Options
from contienda.players.search import Search, SearchPlayer
from contienda.rng import generator
from contienda.search.alphabeta import build_alphabeta
from contienda.search.alphabeta_plus import build_alphabeta_plus
from contienda.search.expectiminimax import build_expectiminimax
from contienda.search.minimax import build_minimax
from contienda.search.negamax import build_negamax
from contienda.search.ordering import ORDERS, new_notes
from contienda.search.transposition import new_generation, new_table
from contienda.search.windows import build_aspiration, build_mtdf

__all__ = ["built", "evaluator_of", "fitting_rules", "limit_of", "make_alphabeta", "make_search", "tie_order"]

#: Megabytes of a transposition table, unless a spec says otherwise.
_MEMORY = 64

#: Megabytes of a tree that is kept from move to move.
_KEPT_MEMORY = 1024

_PLAIN: dict[str, Callable[..., Callable[..., float]]] = {
    "greedy": build_expectiminimax,
    "minimax": build_minimax,
    "negamax": build_negamax,
}


def make_search(game: Game, options: Options) -> Player:
    """A search as the textbook has it."""
    algorithm = options.info.name
    limit = Limit(depth=1) if algorithm == "greedy" else limit_of(options, game)
    rules = fitting_rules(game, options)
    ties = tie_order(options, game)
    reuse = options.switch("reuse", False)
    memory = options.megabytes(_KEPT_MEMORY)
    points_alone = algorithm == "greedy" and game.name == "2048"
    evaluator = evaluator_of(options, game, "uc3m-score" if points_alone else game.default_evaluator)
    if reuse and (limit.depth is None or limit.ms is not None or limit.nodes is not None):
        raise BadInput("reuse=on takes a depth, not ms or nodes", "reuse=on admite depth, no ms ni nodes")
    build = partial(built, _PLAIN[algorithm], rules, evaluator.evaluate, floor=evaluator.floor)
    search = Search(rules, build, evaluator, algorithm == "negamax")
    plain = SearchPlayer(options.spec, game, search, limit, ties)
    return KeptTreePlayer(options.spec, plain, memory) if reuse else plain


def make_alphabeta(game: Game, options: Options) -> SearchPlayer:
    """Alpha-beta, and what is built upon it: a table, an order of moves, narrower windows."""
    limit = limit_of(options, game)
    rules = fitting_rules(game, options)
    ties = tie_order(options, game)
    mtdf = options.info.name == "mtdf"
    cutoffs = options.switch("cutoffs", True)
    table = options.switch("table", mtdf)
    memory = options.megabytes(_MEMORY)
    order = options.choice("order", ORDERS)
    pvs = options.switch("pvs", False)
    aspiration = options.switch("aspiration", False)
    evaluator = evaluator_of(options, game, game.default_evaluator)
    if not (table or pvs or order != "none" or aspiration or mtdf):
        plain = partial(built, build_alphabeta, rules, evaluator.evaluate, floor=evaluator.floor, cutoffs=cutoffs)
        return SearchPlayer(options.spec, game, Search(rules, plain, evaluator, cutoffs), limit, ties)
    if not cutoffs:
        raise BadInput(
            "cutoffs=off goes with plain alpha-beta: without table, order, pvs and aspiration",
            "cutoffs=off va con alfa-beta a secas: sin table, order, pvs ni aspiration",
        )
    if (mtdf or aspiration) and not table:
        raise BadInput(
            "this needs table=on: its guess comes from there", "esto necesita table=on: de ahí sale su conjetura"
        )
    around = build_mtdf if mtdf else build_aspiration if aspiration else None

    def build(**hooks: Any) -> Callable[..., float]:
        switches = {"floor": evaluator.floor, "table": table, "order": order, "pvs": pvs}
        value: Callable[..., float] = built(build_alphabeta_plus, rules, evaluator.evaluate, **switches, **hooks)
        if around is not None:
            value = built(around, value, evaluator.evaluate, **hooks)
        return value

    search = Search(
        rules,
        build,
        evaluator,
        narrow=True,
        weights=lambda: (evaluator.weights, new_notes(), new_table(memory) if table else ()),
        begin=_forget if table else Search.begin,
    )
    new_table(memory)  # one that does not fit is refused now
    return SearchPlayer(options.spec, game, search, limit, ties)


@lru_cache(maxsize=64)
def built(build: Callable[..., Any], *parts: Any, **switches: Any) -> Any:
    """A search made of these parts, the same one for all who ask: another depth or weight compiles nothing anew."""
    return build(*parts, **switches)


@njit
def _forget(weights):  # type: ignore[no-untyped-def]
    """Each move starts with an empty table: it then costs the same whatever was searched before."""
    new_generation(weights[2])


def limit_of(options: Options, game: Game) -> Limit:
    """How far the options let a search go."""
    ms, nodes, depth = options.number("ms"), options.whole_number("nodes"), options.whole_number("depth")
    if depth is None and ms is None and nodes is None:
        depth = game.default_depth or max(game.longest or 1, 1)
    return Limit(depth, nodes, ms)


def evaluator_of(options: Options, game: Game, default: str) -> CompiledEvaluator:
    """The evaluator that the options name, and all keys not taken yet as its weights."""
    name, parameters = options.info.name, ", ".join(options.info.parameters)
    try:
        return compile_evaluator(options.text("eval", default), game, options.weights())
    except UnknownWeight as error:
        raise BadInput(
            f"{error.text.en}; {name} takes {parameters}", f"{error.text.es}; {name} admite {parameters}"
        ) from None


def tie_order(options: Options, game: Game) -> list[int]:
    """The actions of a ``ties=down-right-up-left``, as numbers; none for the game's own order."""
    text = options.text("ties", "")
    if not text:
        return []
    start = game.start(generator(0))
    order = [game.action_number(start, name) for name in text.split("-")]
    if len(set(order)) != len(order):
        raise BadInput(f"ties={text} names a move twice", f"ties={text} nombra dos veces una jugada")
    return order


def fitting_rules(game: Game, options: Options) -> Rules:
    """The rules of a game as an algorithm can take them; what does not fit is refused in plain words."""
    opponent = options.text("opponent", "twos-and-fours")
    algorithm = options.info.name
    if algorithm == "negamax" and game.fixed_sides:
        raise BadInput(
            "negamax needs players who take turns, and a drawn tree is free in that: use minimax or alphabeta",
            "negamax necesita jugadores que se turnen, y un árbol dibujado no obliga a ello: usa minimax o alphabeta",
        )
    if algorithm in ("minimax", "alphabeta", "negamax", "mtdf") and CHANCE in game.kinds:
        return game.adversarial(opponent)
    if algorithm == "expectimax" and MIN in game.kinds:
        raise BadInput(
            f"expectimax knows no opponent, and {game.name} has one: use minimax, alphabeta or expectiminimax",
            f"expectimax no conoce adversario, y {game.name} lo tiene: usa minimax, alphabeta o expectiminimax",
        )
    return game.rules
