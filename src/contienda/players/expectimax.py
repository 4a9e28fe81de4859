"""Making the players for games of luck: expectimax and expectiminimax, as the textbook has them or with helpers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from contienda.core import CHANCE, MAX, Aids, Game, Limit, Rules, State
from contienda.evaluation.compiled import CompiledEvaluator
from contienda.games.board_2048 import ACTIONS
from contienda.jit import njit
from contienda.language import BadInput
from contienda.players.making import built, evaluator_of, fitting_rules, limit_of, tie_order
from contienda.players.options import Options
from contienda.players.search import Search, SearchPlayer
from contienda.search.expectimax import build_expectimax
from contienda.search.expectimax_plus import build_expectimax_plus
from contienda.search.expectiminimax import build_expectiminimax
from contienda.search.star import build_star, new_probes
from contienda.search.transposition import new_generation, new_table

__all__ = ["make_expectimax", "make_expectiminimax", "on_threads", "probability_of", "remembering", "threads_of"]

#: Megabytes of a table, unless a spec says otherwise. Measured on late boards of 2048: as fast as 64, and the first
#: move does not wait until the system has cleared them.
MEMORY = 16

#: More threads than any game here has moves at its root.
MOST_THREADS = 64


def make_expectiminimax(game: Game, options: Options) -> SearchPlayer:
    """Expectiminimax, plain or pruned."""
    limit, ties = limit_of(options, game), tie_order(options, game)
    prune = options.choice("prune", ("off", "star1", "star2"))
    evaluator = evaluator_of(options, game, game.default_evaluator)
    if prune != "off":
        return SearchPlayer(options.spec, game, _star(game, evaluator, prune), limit, ties)
    build = partial(built, build_expectiminimax, game.rules, evaluator.evaluate, floor=evaluator.floor)
    return SearchPlayer(options.spec, game, Search(game.rules, build, evaluator), limit, ties)


def make_expectimax(game: Game, options: Options) -> SearchPlayer:
    """Expectimax; without any switch it is the textbook's."""
    rules = fitting_rules(game, options)
    auto = options.says("depth", "auto")
    limit, ties = limit_of(options, game), tie_order(options, game)
    table, fold = options.switch("table", False), options.switch("fold", False)
    memory = options.whole_number("memory")
    cprob = probability_of(options, 0.0)
    prune = options.choice("prune", ("off", "star1", "star2"))
    threads = threads_of(options, limit)
    evaluator = evaluator_of(options, game, game.default_evaluator)
    if (fold or memory is not None) and not table:
        raise BadInput(
            "fold and memory are about the table: add table=on", "fold y memory son de la tabla: pon table=on"
        )
    if prune != "off" and (table or cprob or threads > 1):
        raise BadInput(
            "prune goes with plain expectimax: without table, cprob and threads",
            "prune va con expectimax a secas: sin table, cprob ni threads",
        )
    if prune != "off":
        search = _star(game, evaluator, prune)
    elif table or cprob:
        megabytes = 0 if not table else MEMORY if memory is None else memory
        if table:
            new_table(megabytes * threads)  # one that does not fit is refused now
        # What a cut-off leaves in the table depends on which move comes first; 2048 has all four before every move.
        in_order = cprob > 0 and table and game.name == "2048" and len(ties) == len(ACTIONS)
        searched = built(_renumbered, rules, tuple(ties)) if in_order else rules
        search = remembering(game, searched, evaluator, megabytes, cprob, _same(game, evaluator, fold))
    else:
        build = partial(built, build_expectimax, rules, evaluator.evaluate, floor=evaluator.floor)
        search = Search(rules, build, evaluator)
    if auto:
        limit = replace(limit, depth=Limit.DEEPEST)
        search = replace(search, depth=_auto_depth(_aids(game, "depth=auto"), cprob > 0))
    if threads > 1:
        search = on_threads(search, threads)
    return SearchPlayer(options.spec, game, search, limit, ties)


def _renumbered(rules: Rules, order: tuple[int, ...]) -> Rules:
    """The same rules with MAX's actions numbered in this order: so a search tries them."""
    turn, successor = rules.turn, rules.successor
    plan = sum(action << 6 * number for number, action in enumerate(order))

    @njit
    def renumbered(state, number):  # type: ignore[no-untyped-def]
        return successor(state, (plan >> 6 * number) & 63 if turn(state) == MAX else number)

    return rules._replace(successor=renumbered)


def remembering(
    game: Game,
    searched: Rules,
    evaluator: CompiledEvaluator,
    megabytes: int,
    cprob: float = 0.0,
    same: Callable[..., State] | None = None,
) -> Search:
    """Expectimax with a table of so many megabytes, if any, and a cut-off by probability, if any."""
    table = megabytes != 0

    def build(**hooks: Any) -> Callable[..., float]:
        if hooks and searched is not game.rules:
            raise BadInput(
                "with table, cprob and ties the moves have other numbers inside: leave one out for a trace",
                "con table, cprob y ties las jugadas llevan otros números dentro: quita una para la traza",
            )
        value: Callable[..., float] = built(
            build_expectimax_plus,
            searched,
            evaluator.evaluate,
            floor=evaluator.floor,
            table=table,
            cprob=cprob,
            same=same,
            best_move=None if hooks else evaluator.best_move,  # it shows no leaves
            **hooks,
        )
        return value

    return Search(
        game.rules,
        build,
        evaluator,
        weights=lambda: (evaluator.weights, new_table(megabytes) if table else ()),
        # With a cut-off each call of the search forgets by itself.
        begin=_forget if table and not cprob else Search.begin,
    )


@njit
def _forget(weights):  # type: ignore[no-untyped-def]
    """Each move starts with an empty table: it then costs the same whatever was searched before."""
    new_generation(weights[1])


def _star(game: Game, evaluator: CompiledEvaluator, prune: str) -> Search:
    """*-minimax, for evaluators and games whose values have known bounds."""
    if CHANCE not in game.kinds:
        raise BadInput(
            f"prune={prune} is about chance nodes, and {game.name} has none here: use alphabeta",
            f"prune={prune} es para nodos de azar, y {game.name} aquí no los tiene: usa alphabeta",
        )
    low, high = evaluator.bounds or (-math.inf, math.inf)
    low, high = min(low, game.utility_bounds[0]), max(high, game.utility_bounds[1])
    if math.isfinite(evaluator.floor):
        low, high = min(low, evaluator.floor), max(high, evaluator.floor)
    if not -math.inf < low <= high < math.inf:
        raise BadInput(
            f"prune={prune} needs known bounds, and {evaluator.name} on {game.name} has none: nneonneo and uc3m-empty "
            "have, and yours may with @evaluator(bounds=(LOW, HIGH))",
            f"prune={prune} necesita cotas conocidas, y {evaluator.name} en {game.name} no las tiene: nneonneo y "
            "uc3m-empty sí, y el tuyo puede con @evaluator(bounds=(MÍNIMO, MÁXIMO))",
        )
    probing = prune == "star2"
    build = partial(
        built, build_star, game.rules, evaluator.evaluate, low=low, high=high, probing=probing, floor=evaluator.floor
    )
    return Search(
        game.rules,
        build,
        evaluator,
        narrow=True,
        weights=lambda: (evaluator.weights, new_probes() if probing else ()),
    )


def _same(game: Game, evaluator: CompiledEvaluator, fold: bool) -> Callable[..., State] | None:
    """How the table knows a state: by what the evaluator sees of it, and folded or not."""
    if not fold:
        return game.aids.without_points if game.aids and not evaluator.counts_points else None
    aids = _aids(game, "fold=on")
    if not evaluator.symmetric:
        raise BadInput(
            f"fold=on needs an evaluator to which mirror images look alike, and to {evaluator.name} they do not",
            f"fold=on necesita un evaluador que vea igual un tablero y sus reflejos, y {evaluator.name} no los ve así",
        )
    if evaluator.counts_points:
        return aids.fold
    both: Callable[..., State] = built(_one_after_the_other, aids.without_points, aids.fold)
    return both


def _one_after_the_other(first: Callable[..., State], second: Callable[..., State]) -> Callable[..., State]:
    @njit
    def both(state):  # type: ignore[no-untyped-def]
        return second(first(state))

    return both  # type: ignore[no-any-return]


def _aids(game: Game, what: str) -> Aids:
    if game.aids is None:
        raise BadInput(f"{what} is for 2048, not for {game.name}", f"{what} es para 2048, no para {game.name}")
    return game.aids


def _auto_depth(aids: Aids, cut: bool) -> Callable[..., int]:
    auto_depth = aids.auto_depth

    @njit
    def depth(state):  # type: ignore[no-untyped-def]
        return auto_depth(state, cut)

    return depth  # type: ignore[no-any-return]


def on_threads(search: Search, threads: int) -> Search:
    """The same search with weights, and so a table, for each thread."""
    own_weights, begin = search.weights or (lambda: search.evaluator.weights), search.begin

    def begin_all(weights: list[Any]) -> None:
        for own in weights:
            begin(own)

    return replace(search, weights=lambda: [own_weights() for _ in range(threads)], begin=begin_all, threads=threads)


def probability_of(options: Options, default: float) -> float:
    """Below which probability the options let a search look no further."""
    given = options.number("cprob")
    cprob = default if given is None else given
    if not 0 <= cprob < 1:
        raise BadInput(
            f"cprob={cprob:g} is not a probability from 0 to below 1",
            f"cprob={cprob:g} no es una probabilidad de 0 a menos de 1",
        )
    return cprob


def threads_of(options: Options, limit: Limit) -> int:
    """How many threads the options ask for."""
    threads = options.whole_number("threads")
    if threads is None:
        return 1
    if not 1 <= threads <= MOST_THREADS:
        raise BadInput(
            f"threads={threads} is out of range: from 1 to {MOST_THREADS}",
            f"threads={threads} está fuera de rango: de 1 a {MOST_THREADS}",
        )
    if threads > 1 and limit.nodes is not None:
        raise BadInput(
            "nodes are counted on one thread: with threads use depth or ms",
            "nodes se cuenta en un solo hilo: con threads usa depth o ms",
        )
    return threads
