"""``contienda solve``: a path to a tile of 2048, or through the 8-puzzle."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from contienda.cli.draw import draw_board
from contienda.cli.places import file_to_write
from contienda.language import say
from contienda.problems import make_problem
from contienda.problems.g2048 import Problem2048, board_of
from contienda.record import save_game
from contienda.solvers import default_solver, make_solver
from contienda.solvers.base import Solution
from contienda.stopping import GRACE, Stop, in_time

__all__ = ["SolveOrder", "keep_solution", "run_solve", "show_solution"]


@dataclass
class SolveOrder:
    """What the user asked for."""

    game: str
    position: str | None
    player: str | None
    target: int | None
    seed: int | None
    save: Path | None


def run_solve(order: SolveOrder) -> Solution:
    """Search. Ctrl-C ends the search, and what it had found by then is given."""
    seed = secrets.randbits(32) if order.seed is None else order.seed
    problem = make_problem(order.game, order.position, target=order.target, seed=seed)
    solver = make_solver(default_solver(problem) if order.player is None else order.player, problem)
    if order.save is not None:
        if not isinstance(problem, Problem2048):
            problem.played("", [], 0, 0.0)  # says that it is no game
        file_to_write(order.save)
    stop = Stop()
    found: list[Solution] = []
    ready = threading.Event()

    def search() -> None:
        found.append(solver.solve(stop))
        ready.set()

    try:
        in_time(search, stop)
    except KeyboardInterrupt:
        stop.stop()
        if not ready.wait(GRACE):
            raise
    return found[0]


def keep_solution(order: SolveOrder, solution: Solution) -> None:
    """Write the file of ``--save``, if there is to be one."""
    if order.save is not None:
        save_game(solution.played(), order.save)


def show_solution(solution: Solution, console: Console) -> None:
    """The last board, and what it took to get there."""
    problem = solution.problem
    if isinstance(problem, Problem2048):
        console.print(draw_board(problem.game, board_of(solution.state)))
    else:
        console.print(problem.format(solution.state).replace("/", "\n"), highlight=False)
        console.print(" ".join(solution.moves), highlight=False)
    rate = solution.states / solution.seconds if solution.seconds else 0.0
    seed = "" if problem.seed is None else say(f"seed {problem.seed}: ", f"semilla {problem.seed}: ")
    console.print(
        seed
        + say(
            f"{'found' if solution.found else 'not found'}; {solution.states:,} states, {solution.steps:,} steps, "
            f"{solution.seconds:.4g} s ({rate:,.0f} states/s)",
            f"{'encontrado' if solution.found else 'no encontrado'}; {solution.states:,} estados, "
            f"{solution.steps:,} pasos, {solution.seconds:.4g} s ({rate:,.0f} estados/s)",
        ),
        highlight=False,
    )
