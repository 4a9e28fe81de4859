"""``contienda solve``: finds a path to a tile of 2048, or solves the 8-puzzle."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from contienda.cli.draw import draw_board
from contienda.cli.files import file_to_write
from contienda.compiled.stopping import GRACE, Stop, in_time
from contienda.core.language import Text, say
from contienda.players.paths import default_path_search, make_path_search
from contienda.players.paths.base import Solution
from contienda.problems import make_problem
from contienda.record import path_as_game, save_game

__all__ = ["SolveOrder", "keep_solution", "run_solve", "show_solution"]


@dataclass
class SolveOrder:
    """The user's options."""

    game: str
    position: str | None
    player: str | None
    target: int | None
    seed: int | None
    save: Path | None


def run_solve(order: SolveOrder) -> Solution:
    """Search for a path. Ctrl-C ends the search, and returns what it has found."""
    seed = secrets.randbits(32) if order.seed is None else order.seed
    problem = make_problem(order.game, order.position, target=order.target, seed=seed)
    solver = make_path_search(default_path_search(problem) if order.player is None else order.player, problem)
    if order.save is not None:
        problem.as_game([])  # raises BadInput if it is not a game
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
    """Write the file of ``--save``, if there is one."""
    if order.save is not None:
        save_game(path_as_game(solution), order.save)


def show_solution(solution: Solution, console: Console) -> None:
    """Print the last board and the cost of the search."""
    problem = solution.problem
    if problem.game is not None:
        console.print(draw_board(problem.game, problem.as_game(solution.path)[1]))
    else:
        console.print(problem.format(solution.state).replace("/", "\n"), highlight=False)
        console.print(" ".join(solution.moves), highlight=False)
    rate = solution.states / solution.seconds if solution.seconds else 0.0
    seed = "" if problem.seed is None else say("seed {seed}: ", seed=problem.seed)
    console.print(
        seed
        + say(
            "{found}; {states:,} states, {steps:,} steps, {seconds:,.4g} s ({rate:,.0f} states/s)",
            found=Text("found") if solution.found else Text("not found"),
            states=solution.states,
            steps=solution.steps,
            seconds=solution.seconds,
            rate=rate,
        ),
        highlight=False,
    )
