"""Makes the players for games with luck: expectimax and expectiminimax, plain as in the textbook or with options."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from contienda.compiled.jit import njit
from contienda.core.analysis import Limit
from contienda.core.evaluator import CompiledEvaluator
from contienda.core.game import CHANCE, MAX, Game, Rules, SearchShortcuts, State
from contienda.core.language import BadInput
from contienda.players.making import (
    built,
    evaluator_of,
    fitting_rules,
    forget,
    limit_of,
    on_threads,
    refuse_plain,
    threads_of,
    tie_order,
    with_best_move,
)
from contienda.players.options import Options
from contienda.players.search import Search, SearchPlayer
from contienda.search.expectimax import build_expectimax
from contienda.search.expectimax_plus import build_expectimax_plus
from contienda.search.expectiminimax import build_expectiminimax
from contienda.search.star import build_star, new_probes
from contienda.search.steps import Memory
from contienda.search.transposition import new_table

__all__ = ["make_expectimax", "make_expectiminimax", "probability_of", "remembering"]

#: Megabytes of a table, unless a spec says otherwise. Measured on late boards of 2048: as fast as 64, and the first
#: move does not wait until the system has cleared them.
MEMORY = 16


def make_expectiminimax(game: Game, options: Options) -> SearchPlayer:
    """Return expectiminimax, plain or pruned."""
    limit, ties = limit_of(options, game), tie_order(options, game)
    prune = options.choice("prune", ("off", "star1", "star2"))
    evaluator = evaluator_of(options, game, game.default_evaluator)
    if prune != "off":
        return SearchPlayer(options.spec, game, _star(game, evaluator, prune), limit, ties)
    searched = with_best_move(game.rules, game, evaluator)
    build = partial(built, build_expectiminimax, searched, evaluator.evaluate, floor=evaluator.floor)
    return SearchPlayer(options.spec, game, Search(game.rules, build, evaluator), limit, ties)


def make_expectimax(game: Game, options: Options) -> SearchPlayer:
    """Return expectimax; without options it is the textbook's."""
    rules = fitting_rules(game, options)
    auto = options.is_word("depth", "auto")
    limit, ties = limit_of(options, game), tie_order(options, game)
    table, fold = options.switch("table", False), options.switch("fold", False)
    memory = options.whole_number("memory")
    cprob = probability_of(options, 0.0)
    prune = options.choice("prune", ("off", "star1", "star2"))
    threads = threads_of(options, limit.nodes)
    if table or fold:
        refuse_plain(game, "table=on" if table else "fold=on")
    evaluator = evaluator_of(options, game, game.default_evaluator)
    if (fold or memory is not None) and not table:
        raise BadInput("fold and memory need table=on")
    if prune != "off" and (table or cprob or threads > 1):
        raise BadInput("prune does not work with table, cprob or threads")
    if prune != "off":
        search = _star(game, evaluator, prune)
    elif table or cprob:
        megabytes = 0 if not table else MEMORY if memory is None else memory
        if table:
            # A table that does not fit is refused now; with a cut-off, each thread has its own.
            new_table(megabytes * (threads if cprob else 1))
        # With a cut-off, the content of the table depends on the order of the moves.
        in_order = cprob > 0 and table and len(ties) == game.action_count
        searched = built(_renumbered, rules, tuple(ties)) if in_order else rules
        search = remembering(game, searched, evaluator, megabytes, cprob, _same(game, evaluator, fold))
    else:
        searched = with_best_move(rules, game, evaluator)
        build = partial(built, build_expectimax, searched, evaluator.evaluate, floor=evaluator.floor)
        search = Search(rules, build, evaluator)
    if auto:
        limit = replace(limit, depth=Limit.DEEPEST)
        search = replace(search, depth=_auto_depth(_shortcuts(game, "depth=auto"), cprob > 0))
    if threads > 1:
        search = on_threads(search, threads)
    return SearchPlayer(options.spec, game, search, limit, ties)


def _renumbered(rules: Rules, order: tuple[int, ...]) -> Rules:
    """Return the same rules with MAX's actions numbered in this order, in which a search tries them."""
    turn, candidates, successor = rules.turn, rules.candidates, rules.successor

    @njit
    def renumbered_candidates(state):  # type: ignore[no-untyped-def]
        actions = candidates(state)
        if turn(state) != MAX:
            return actions
        numbers = 0
        for number, action in enumerate(order):
            numbers |= ((actions >> action) & 1) << number
        return numbers

    @njit
    def renumbered(state, number):  # type: ignore[no-untyped-def]
        return successor(state, order[number] if turn(state) == MAX else number)

    return rules._replace(candidates=renumbered_candidates, successor=renumbered)


def remembering(
    game: Game,
    searched: Rules,
    evaluator: CompiledEvaluator,
    megabytes: int,
    cprob: float = 0.0,
    same: Callable[..., State] | None = None,
) -> Search:
    """Return expectimax with a table of ``megabytes`` (0: no table) and a cut-off by probability (0: none)."""
    table = megabytes != 0

    def build(**hooks: Any) -> Callable[..., float]:
        if hooks and searched is not game.rules:
            raise BadInput("a trace cannot combine table, cprob and ties: leave one out")
        value: Callable[..., float] = built(
            build_expectimax_plus,
            with_best_move(searched, game, evaluator),
            evaluator.evaluate,
            floor=evaluator.floor,
            table=table,
            cprob=cprob,
            same=same,
            **hooks,
        )
        return value

    return Search(
        game.rules,
        build,
        evaluator,
        memory=lambda: Memory(table=new_table(megabytes) if table else ()),
        # With a cut-off, each call of the search clears the table itself.
        begin=forget if table and not cprob else Search.begin,
        exact=not (table and cprob),
    )


def _star(game: Game, evaluator: CompiledEvaluator, prune: str) -> Search:
    """Return *-minimax, for evaluators and games whose values have known bounds."""
    if CHANCE not in game.kinds:
        raise BadInput(
            "prune={prune} needs chance nodes, and {name} has none: use alphabeta", prune=prune, name=game.name
        )
    bounds = evaluator.bounds() if callable(evaluator.bounds) else evaluator.bounds
    low, high = bounds or (-math.inf, math.inf)
    low, high = min(low, game.utility_bounds[0]), max(high, game.utility_bounds[1])
    if math.isfinite(evaluator.floor):
        low, high = min(low, evaluator.floor), max(high, evaluator.floor)
    if not -math.inf < low <= high < math.inf:
        raise BadInput(
            "prune={prune} needs known bounds, and {name} on {game_name} has none: nneonneo and "
            "uc3m-empty have, and yours may with @evaluator(bounds=(LOW, HIGH))",
            prune=prune,
            name=evaluator.name,
            game_name=game.name,
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
        memory=lambda: Memory(probes=new_probes() if probing else ()),
    )


def _same(game: Game, evaluator: CompiledEvaluator, fold: bool) -> Callable[..., State] | None:
    """Return the function that maps a state to its table key: without what the evaluator ignores, folded or not."""
    if not fold:
        return game.shortcuts.without_points if game.shortcuts and not evaluator.counts_points else None
    shortcuts = _shortcuts(game, "fold=on")
    if not evaluator.symmetric:
        raise BadInput(
            "fold=on needs a symmetric evaluator, and {name} is not symmetric",
            name=evaluator.name,
        )
    if evaluator.counts_points:
        return shortcuts.fold
    both: Callable[..., State] = built(_one_after_the_other, shortcuts.without_points, shortcuts.fold)
    return both


def _one_after_the_other(first: Callable[..., State], second: Callable[..., State]) -> Callable[..., State]:
    @njit
    def both(state):  # type: ignore[no-untyped-def]
        return second(first(state))

    return both  # type: ignore[no-any-return]


def _shortcuts(game: Game, what: str) -> SearchShortcuts:
    if game.shortcuts is None:
        raise BadInput("{what} needs a game that knows its symmetries, and {name} does not", what=what, name=game.name)
    return game.shortcuts


def _auto_depth(shortcuts: SearchShortcuts, cut: bool) -> Callable[..., int]:
    auto_depth = shortcuts.auto_depth

    @njit
    def depth(state):  # type: ignore[no-untyped-def]
        return auto_depth(state, cut)

    return depth  # type: ignore[no-any-return]


def probability_of(options: Options, default: float) -> float:
    """Return the probability below which the search stops."""
    given = options.number("cprob")
    cprob = default if given is None else given
    if not 0 <= cprob < 1:
        raise BadInput("cprob={cprob:g} is not a probability from 0 to below 1", cprob=cprob)
    return cprob
