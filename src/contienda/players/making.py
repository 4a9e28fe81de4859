"""Makes the players that search from their specs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from importlib import import_module
from typing import Any

from contienda.compiled.jit import njit
from contienda.compiled.rng import generator
from contienda.core.analysis import Limit
from contienda.core.evaluator import CompiledEvaluator, UnknownWeight
from contienda.core.game import CHANCE, MIN, Game, Rules
from contienda.core.language import BadInput
from contienda.evaluation.compiled import compile_evaluator
from contienda.players.base import Player
from contienda.players.kept_trees import KeptTreePlayer, LeafyTreePlayer
from contienda.players.options import Options
from contienda.players.search import Search, SearchPlayer
from contienda.search.alphabeta import build_alphabeta
from contienda.search.alphabeta_plus import build_alphabeta_plus
from contienda.search.ordering import ORDERS, new_notes
from contienda.search.steps import Memory
from contienda.search.transposition import new_generation, new_table
from contienda.search.windows import build_aspiration, build_mtdf

__all__ = [
    "built",
    "evaluator_of",
    "fitting_rules",
    "forget",
    "limit_of",
    "make_alphabeta",
    "make_search",
    "on_threads",
    "refuse_plain",
    "threads_of",
    "tie_order",
    "with_best_move",
]

#: More threads than any game here has moves at its root.
MOST_THREADS = 64

#: Megabytes of a transposition table, unless a spec says otherwise.
_MEMORY = 64

#: Megabytes of a tree that is kept from move to move.
_KEPT_MEMORY = 1024


def make_search(game: Game, options: Options) -> Player:
    """Return a textbook search."""
    algorithm = options.info.name
    limit = Limit(depth=1) if algorithm == "greedy" else limit_of(options, game)
    rules = fitting_rules(game, options)
    ties = tie_order(options, game)
    rules = _ends(options, rules)
    reuse = _reuse(options, game, limit, ("off", "on", "leaves"))
    memory = options.megabytes(_KEPT_MEMORY)
    evaluator = evaluator_of(options, game, options.info.default_evaluator(game))
    module, _, function = options.info.search.partition(":")
    searched = with_best_move(rules, game, evaluator)
    build = partial(
        built, getattr(import_module(module), function), searched, evaluator.evaluate, floor=evaluator.floor
    )
    search = Search(rules, build, evaluator, algorithm == "negamax")
    plain = SearchPlayer(options.spec, game, search, limit, ties)
    if reuse == "off":
        return plain
    return (KeptTreePlayer if reuse == "on" else LeafyTreePlayer)(options.spec, plain, memory)


def _ends(options: Options, rules: Rules) -> Rules:
    """Return the rules, with finished games valued by the evaluator if the options say so, as in uja's agent."""
    by_evaluator = options.choice("ends", ("rules", "heuristic")) == "heuristic"
    return rules._replace(ends_by_evaluator=True) if by_evaluator else rules


def _reuse(options: Options, game: Game, limit: Limit, choices: tuple[str, ...]) -> str:
    """Return the option ``reuse``: how the tree is kept from move to move."""
    reuse = options.choice("reuse", choices)
    if reuse != "off":
        refuse_plain(game, f"reuse={reuse}")
        if limit.depth is None or limit.ms is not None or limit.nodes is not None:
            raise BadInput("reuse={reuse} takes a depth, not ms or nodes", reuse=reuse)
    return reuse


def make_alphabeta(game: Game, options: Options) -> Player:
    """Return alpha-beta with its options: a table, move ordering, narrow windows."""
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
    rules = _ends(options, rules)
    reuse = _reuse(options, game, limit, ("off", "leaves"))
    threads = threads_of(options, limit.nodes)
    if threads > 1 and reuse != "off":
        raise BadInput("reuse=leaves runs on one thread: leave out threads")
    if table:
        refuse_plain(game, "mtdf" if mtdf else "table=on")
    evaluator = evaluator_of(options, game, game.default_evaluator)
    if not (table or pvs or order != "none" or aspiration or mtdf):
        plain = partial(built, build_alphabeta, rules, evaluator.evaluate, floor=evaluator.floor, cutoffs=cutoffs)
        search = Search(rules, plain, evaluator, cutoffs)
        player = SearchPlayer(options.spec, game, on_threads(search, threads) if threads > 1 else search, limit, ties)
        return player if reuse == "off" else LeafyTreePlayer(options.spec, player, memory)
    if reuse != "off":
        raise BadInput("reuse=leaves does not work with table, order, pvs or aspiration")
    if not cutoffs:
        raise BadInput("cutoffs=off does not work with table, order, pvs or aspiration")
    if (mtdf or aspiration) and not table:
        raise BadInput("this needs table=on")
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
        memory=lambda: Memory(table=new_table(memory) if table else (), notes=new_notes()),
        begin=forget if table else Search.begin,
    )
    new_table(memory)  # one that does not fit is refused now
    return SearchPlayer(options.spec, game, on_threads(search, threads) if threads > 1 else search, limit, ties)


@lru_cache(maxsize=64)
def built(build: Callable[..., Any], *parts: Any, **switches: Any) -> Any:
    """Build a search from these parts, or return the one built before: a new depth or weight compiles nothing."""
    return build(*parts, **switches)


@njit
def forget(memory):  # type: ignore[no-untyped-def]
    """Empty the table before a move, so that its cost does not depend on earlier moves."""
    new_generation(memory.table)


def limit_of(options: Options, game: Game) -> Limit:
    """Return the limit that the options set."""
    ms, nodes, depth = options.number("ms"), options.whole_number("nodes"), options.whole_number("depth")
    if depth is None and ms is None and nodes is None:
        depth = game.usual_depth
    return Limit(depth, nodes, ms)


def evaluator_of(options: Options, game: Game, default: str) -> CompiledEvaluator:
    """Return the evaluator that the options name; all remaining keys are its weights."""
    name, parameters = options.info.name, ", ".join(options.info.parameters)
    try:
        return compile_evaluator(options.text("eval", default), game, options.weights())
    except UnknownWeight as error:
        raise BadInput("{error}; {name} takes {parameters}", error=error, name=name, parameters=parameters) from None


def refuse_plain(game: Game, what: str) -> None:
    """Refuse a game in plain Python: this option needs compiled rules."""
    if not game.compiled:
        raise BadInput(
            "{what} needs compiled rules, and {name} is plain Python: choose a search without it, or "
            "write the game by the compiled contract (docs/en/write-a-game.md)",
            what=what,
            name=game.name,
        )


def tie_order(options: Options, game: Game) -> list[int]:
    """Return the actions of ``ties=down-right-up-left`` as numbers; none for the game's own order."""
    text = options.text("ties", "")
    if not text:
        return []
    start = game.start(generator(0))
    order = [game.action_number(start, name) for name in text.split("-")]
    if len(set(order)) != len(order):
        raise BadInput("ties={text} names a move twice", text=text)
    return order


def fitting_rules(game: Game, options: Options) -> Rules:
    """Return the rules of a game in the form that an algorithm needs; `BadInput` if the algorithm cannot play it."""
    opponent = options.text("opponent", game.opponents[0] if game.opponents else "")
    if opponent and not game.opponents:
        raise BadInput("opponent={opponent}: in {name} nothing stands in for chance", opponent=opponent, name=game.name)
    algorithm = options.info.name
    if algorithm == "negamax" and game.fixed_sides:
        raise BadInput(
            "negamax needs players who take turns, which a drawn tree does not guarantee: use minimax or alphabeta"
        )
    if CHANCE in game.kinds and CHANCE not in options.info.kinds:
        return game.adversarial(opponent)
    if algorithm == "expectimax" and MIN in game.kinds:
        raise BadInput(
            "expectimax is for one player, and {name} has two: use minimax, alphabeta or expectiminimax", name=game.name
        )
    return game.rules


def with_best_move(rules: Rules, game: Game, evaluator: CompiledEvaluator) -> Rules:
    """Return the rules with the evaluator's or the game's function that values all moves of a board at once, if any."""
    build = None if game.shortcuts is None else game.shortcuts.build_best_move
    best_move = evaluator.best_move or (build and build(evaluator.evaluate))
    return rules if best_move is None else rules._replace(best_move=best_move)


def on_threads(search: Search, threads: int) -> Search:
    """Return the search with a memory for each thread. Threads share the table, unless values depend on its content."""
    memory, begin = search.memory, search.begin

    def memories() -> list[Memory]:
        first, *others = (memory() for _ in range(threads))
        return [first, *(own._replace(table=first.table) if search.exact else own for own in others)]

    def begin_all(memories: list[Memory]) -> None:
        for own in memories[:1] if search.exact else memories:
            begin(own)

    return replace(search, memory=memories, begin=begin_all, threads=threads)


def threads_of(options: Options, nodes: int | None) -> int:
    """Return the number of threads that the options set."""
    threads = options.whole_number("threads")
    if threads is None:
        return 1
    if not 1 <= threads <= MOST_THREADS:
        raise BadInput(
            "threads={threads} is out of range: from 1 to {most_threads}", threads=threads, most_threads=MOST_THREADS
        )
    if threads > 1 and nodes is not None:
        raise BadInput("nodes are counted on one thread: with threads use depth or ms")
    return threads
