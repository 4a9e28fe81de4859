"""unicen's searches for a path to 8192, from ten seeds: states and steps beside the published ones, states per second.

    python benchmarks/paths.py [--quick] [--published unicen_states_and_steps.csv]

Prints a table, then one line of JSON. A path that does not replay is an error; figures never are.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from contienda.games import make_game
from contienda.players.paths import make_path_search
from contienda.players.paths.base import Solution
from contienda.problems import make_problem
from contienda.record import path_as_game

#: (states, steps) of ten runs each to 8192: unicen, "'2048 Solution': Algoritmos eficientes para la resolución del
#: juego 2048", table 1. Its backtracking is the one without heuristic.
PUBLISHED = {
    "backtracking": [
        (248757, 4671), (87781, 4257), (198358, 4267), (895468, 4648), (1282779, 4688),
        (84106, 4530), (256811, 4305), (182515, 4215), (98512, 4395), (197637, 4436),
    ],
    "astar": [
        (203481, 4707), (151180, 4245), (138256, 4288), (167313, 4368), (102076, 4173),
        (286570, 4292), (239592, 4396), (121805, 4195), (210567, 4389), (135690, 4480),
    ],
}  # fmt: skip

TARGET = 8192
#: spec -> the published algorithm that it is, if its runs were published.
SEARCHES = {
    "backtracking": "backtracking",
    "astar:h=unicen": "astar",
    "backtracking:eval=unicen-a,depth=4": "",
    "astar:h=unicen-formula,nodes=2000000": "",
    "branch-and-bound:bound=v1": "",
    "branch-and-bound:bound=v2": "",
}
#: unicen says that a new tile is a 2 or a 4; its steps are those of a game of 2s alone (8192 ÷ 2 = 4096 at least).
WORLDS = ("2048:tiles=twos", "2048")


def main() -> int:
    """Search, check every path, and print what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="three seeds instead of ten")
    parser.add_argument("--published", type=Path, help="a CSV of algorithm,target,run,states,steps to compare with")
    given = parser.parse_args()
    published = read_published(given.published) if given.published else PUBLISHED
    seeds = range(3 if given.quick else 10)
    rows = [row(world, spec, seeds, published) for world in WORLDS for spec in SEARCHES]
    Console(width=None if sys.stdout.isatty() else 160).print(as_table(rows))
    print(json.dumps(rows))
    return 0


def read_published(path: Path) -> dict[str, list[tuple[int, int]]]:
    """The published pairs for the target, by algorithm."""
    pairs: dict[str, list[tuple[int, int]]] = {}
    with path.open(encoding="utf-8") as file:
        for line in csv.DictReader(file):
            if int(line["target"]) == TARGET:
                pairs.setdefault(line["algorithm"], []).append((int(line["states"]), int(line["steps"])))
    return pairs


def row(world: str, spec: str, seeds: range, published: dict[str, list[tuple[int, int]]]) -> dict[str, Any]:
    """One search in one world, over all seeds."""
    solutions = [make_path_search(spec, make_problem(world, target=TARGET, seed=seed)).solve() for seed in seeds]
    for solution in solutions:
        check(solution)
    found = [solution for solution in solutions if solution.found]
    theirs = published.get(SEARCHES[spec], [])
    return {
        "world": world,
        "search": spec,
        "found": len(found),
        "of": len(solutions),
        "states": spread([solution.states for solution in found]),
        "published_states": spread([states for states, _ in theirs]),
        "steps": spread([solution.steps for solution in found]),
        "published_steps": spread([steps for _, steps in theirs]),
        "states_per_second": median(solution.states / solution.seconds for solution in solutions),
        "endings": sorted({solution.ended for solution in solutions}),
        "largest_tiles": sorted({solution.as_data()["max_tile"] for solution in solutions}),
    }


def check(solution: Solution) -> None:
    """Play the path again by the rules of the game."""
    game, played = make_game("2048"), path_as_game(solution)
    state = played.start
    for action in played.actions:
        state = game.apply(state, action)
    assert state == played.state, solution.solver
    assert solution.found == (game.outcome(state)["max_tile"] >= TARGET), solution.solver


def spread(numbers: list[int]) -> list[float]:
    """The least, the median and the most; nothing of nothing."""
    return [min(numbers), median(numbers), max(numbers)] if numbers else []


def as_table(rows: list[dict[str, Any]]) -> Table:
    table = Table(title=f"Paths to {TARGET}: least / median / most")
    for title in ("world", "search"):
        table.add_column(title, no_wrap=True)
    for title in ("found", "states", "published", "steps", "published", "M states/s", "ended", "largest"):
        table.add_column(title, justify="right")
    for r in rows:
        numbers = [_spread(r[key]) for key in ("states", "published_states", "steps", "published_steps")]
        table.add_row(
            r["world"],
            r["search"],
            f"{r['found']}/{r['of']}",
            *numbers,
            f"{r['states_per_second'] / 1e6:.1f}",
            " ".join(r["endings"]),
            " ".join(map(str, r["largest_tiles"])),
        )
    return table


def _spread(numbers: list[float]) -> str:
    return " / ".join(f"{number:,.0f}" for number in numbers) or "–"


if __name__ == "__main__":
    sys.exit(main())
