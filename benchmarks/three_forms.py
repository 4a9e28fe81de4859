"""One algorithm in three forms: the definition, the search left to the interpreter, and the search compiled.

    python benchmarks/three_forms.py

The definitions are those of `contienda.reference`; all three run over the same compiled rules. Values must agree;
seconds of processor time are medians of rounds in which the three take turns.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from contienda import reference
from contienda.compiled.jit import njit
from contienda.core.analysis import new_tally
from contienda.core.game import Game, Rules
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import make_game
from contienda.search import interpreted
from contienda.search.alphabeta import build_alphabeta
from contienda.search.expectimax import build_expectimax
from contienda.search.expectiminimax import build_expectiminimax
from contienda.search.minimax import build_minimax
from contienda.search.negamax import build_negamax
from contienda.search.steps import Run

ROUNDS = 5


class Case(NamedTuple):
    """An algorithm on a position."""

    name: str
    game: Game
    rules: Rules
    position: str
    depth: int
    define: Callable[..., float]
    build: Callable[..., Callable[..., float]]


def main() -> None:
    """Measure every case and print the table."""
    connect4, g2048 = make_game("connect4"), make_game("2048")
    board = "0 2 0 8/0 2 16 4/4 16 32 128/8 32 512 1024"
    cases = [
        Case("minimax, Connect 4", connect4, connect4.rules, "4453", 4, reference.minimax, build_minimax),
        Case("alpha-beta, Connect 4", connect4, connect4.rules, "4453", 5, reference.alphabeta, build_alphabeta),
        Case("negamax, Connect 4", connect4, connect4.rules, "4453", 4, reference.negamax, build_negamax),
        Case("expectimax, 2048", g2048, g2048.rules, board, 5, reference.expectimax, build_expectimax),
        Case("expectiminimax, 2048", g2048, g2048.rules, board, 5, reference.expectiminimax, build_expectiminimax),
    ]
    table = Table(title="Seconds, and how many times slower than compiled")
    for header in ("", "depth", "definition", "×", "interpreted", "×", "compiled"):
        table.add_column(header, justify="right")
    for case in cases:
        definition, plain, compiled = _measure(case)
        row = [f"{definition:.3f}", f"{definition / compiled:,.0f}", f"{plain:.3f}", f"{plain / compiled:,.0f}"]
        table.add_row(case.name, str(case.depth), *row, f"{compiled:.6f}")
    Console().print(table)


def _measure(case: Case) -> tuple[float, float, float]:
    """The seconds of the definition, the interpreted and the compiled search."""
    evaluator = compile_evaluator(case.game.default_evaluator, case.game, {})
    evaluate, weights, floor = evaluator.evaluate, evaluator.weights, evaluator.floor
    state = case.rules.seen_by_mover(case.game.parse(case.position))
    searches = [case.build(case.rules, evaluate, floor=floor, jit=jit) for jit in (interpreted, njit)]

    def run(search: Callable[..., float]) -> float:
        return search(state, case.depth, -math.inf, math.inf, Run(weights, new_tally()))

    def define() -> float:
        return case.define(case.rules, state, case.depth, lambda state: evaluate(state, weights), floor)

    forms = [define, lambda: run(searches[0]), lambda: run(searches[1])]
    values = [form() for form in forms]
    if not all(math.isclose(value, values[0], rel_tol=1e-12) for value in values):
        raise AssertionError(f"{case.name}: {values}")
    seconds: list[list[float]] = [[], [], []]
    for _ in range(ROUNDS):
        for form, times in zip(forms, seconds, strict=True):
            times.append(_seconds(form))
    definition, plain, compiled = map(statistics.median, seconds)
    return definition, plain, compiled


def _seconds(form: Callable[[], float]) -> float:
    """Processor time of one call: of so many that they take 20 ms."""
    calls, begin = 0, time.process_time()
    while calls == 0 or time.process_time() - begin < 0.02:
        form()
        calls += 1
    return (time.process_time() - begin) / calls


if __name__ == "__main__":
    main()
