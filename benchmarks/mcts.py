"""How fast Monte Carlo is: simulations beside OpenSpiel's C++ MCTS, and moves of random play.

    python benchmarks/mcts.py [--quick]

On Connect 4 both search with random playouts, the same exploration constant and one thread, without solving (plain
UCT). Prints a table, then one line of JSON. Times are the processor's, shown and never tested: the exit code is 1 only
if the two searches see a position differently.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from itertools import count
from statistics import fmean, median

import numpy as np
from measuring import Finding, side_by_side
from rich.console import Console
from rich.table import Table

from contienda.compiled.rng import generator
from contienda.core.analysis import new_tally
from contienda.core.game import MAX_ACTIONS, Game, State
from contienda.games import make_game
from contienda.players.montecarlo import mcts_search, montecarlo_search, random_policy
from contienda.search.mcts import new_search_tree

C = math.sqrt(2)
#: Columns played: the empty board, after 8 stones, after 16; no move decides any of them within 8 plies.
POSITIONS = {"empty board": "", "8 stones": "76575467", "16 stones": "6336334466121364"}
SIMULATIONS = (1_000, 100_000)
#: How far apart the two may see the value of the best move, on average over the rounds. They are not quite the same
#: search: OpenSpiel adds no exploration term to a child where the game is over, so it comes to believe in wins later.
TOLERANCE = 0.25
OPEN_SPIEL_MEGABYTES = 1000


def main() -> int:
    """Measure, and show what came out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    rounds = 3 if parser.parse_args().quick else 9
    findings, agree = _beside_open_spiel(rounds)
    findings += [_random_play(name, rounds) for name in ("2048", "connect4")]
    Console().print(_table(findings))
    print(json.dumps([finding.as_json() for finding in findings]))
    return 0 if agree else 1


# --- Simulations ------------------------------------------------------------------------------------------------------


class Searches:
    """The two searches of one position; each call makes so many simulations, and gives how many a second."""

    def __init__(self, game: Game, columns: str, simulations: int) -> None:
        import pyspiel

        self._simulations = simulations
        self._seeds = count(1)
        self._state = game.rules.seen_by_mover(game.parse(columns))
        self._search = mcts_search(game.rules, random_policy(game.rules), True)
        self._tree, self._values = new_search_tree(simulations + 1), np.empty(MAX_ACTIONS)
        self._their_game = pyspiel.load_game("connect_four")
        self._their_state = self._their_game.new_initial_state()
        for column in columns:
            self._their_state.apply_action(int(column) - 1)
        self.values: list[float] = []
        self.their_values: list[float] = []
        """Of the move most visited, each time."""

    def ours(self) -> float:
        rng, tally = generator(next(self._seeds)), new_tally()
        begun = time.process_time()
        best, done = self._search(self._state, self._simulations, C, self._tree, self._values, (), rng, tally, ())
        seconds = time.process_time() - begun
        self.values.append(float(self._values[best]))
        return done / seconds

    def theirs(self) -> float:
        import pyspiel

        seed = next(self._seeds)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(
            self._their_game, evaluator, C, self._simulations, OPEN_SPIEL_MEGABYTES, False, seed, False
        )
        begun = time.process_time()
        root = bot.mcts_search(self._their_state)
        seconds = time.process_time() - begun
        best = max(root.children, key=lambda child: child.explore_count)
        self.their_values.append(best.total_reward / best.explore_count)
        return root.explore_count / seconds


def _beside_open_spiel(rounds: int) -> tuple[list[Finding], bool]:
    """Every position with every number of simulations, and whether the values agree where there are many."""
    if not find_spec("pyspiel"):
        note = "open_spiel is not installed: pip install 'contienda[bench]'"
        return [Finding("MCTS on Connect 4", "OpenSpiel", note=note)], True
    game = make_game("connect4")
    findings, agree = [], True
    for where, columns in POSITIONS.items():
        for simulations in SIMULATIONS:
            searches = Searches(game, columns, simulations)
            searches.ours()  # compiles
            finding = side_by_side(
                f"MCTS, Connect 4, {where}, {simulations:,} simulations",
                "OpenSpiel (C++)",
                "sims/s",
                searches.ours,
                searches.theirs,
                rounds,
            )
            assert finding.ratio is not None
            finding.judged(">= 20", finding.ratio >= 20)
            value, their_value = fmean(searches.values), fmean(searches.their_values)
            finding.note = f"value {value:+.3f}, theirs {their_value:+.3f}"
            if simulations == max(SIMULATIONS):
                agree &= abs(value - their_value) < TOLERANCE
            findings.append(finding)
    return findings, agree


# --- Random play ------------------------------------------------------------------------------------------------------


def _random_play(name: str, rounds: int) -> Finding:
    """Moves a second in the playouts of plain Monte Carlo, on one core; a tile that luck places is not one."""
    game = make_game(name)
    measure = _moves_per_second(game, game.start(generator(1)), levels_per_move=2 if name == "2048" else 1)
    measure()
    rate = median(measure() for _ in range(rounds))
    return Finding(f"random play, {name}", "", "moves/s", ours=rate).judged(">= 10 M", rate >= 10e6)


def _moves_per_second(game: Game, state: State, levels_per_move: int) -> Callable[[], float]:
    search = montecarlo_search(game.rules, random_policy(game.rules), game.name != "2048")
    values, seeds = np.empty(MAX_ACTIONS), count(1)

    def measure() -> float:
        rng, tally = generator(next(seeds)), new_tally()
        begun = time.process_time()
        search(state, 5000, values, (), rng, tally, ())
        return int(tally.nodes) / levels_per_move / (time.process_time() - begun)

    return measure


# --- Showing ----------------------------------------------------------------------------------------------------------


def _table(findings: list[Finding]) -> Table:
    table = Table(title="Monte Carlo: medians of interleaved rounds, one thread")
    for title in ("what", "beside"):
        table.add_column(title)
    for title in ("ours", "theirs", "ratio", "lowest-highest", "aim"):
        table.add_column(title, justify="right")
    table.add_column("note")
    for f in findings:
        colour = {True: "green", False: "red", None: "default"}[f.reached]
        table.add_row(
            f.what,
            f.beside,
            "" if f.ours is None else f"{f.ours:,.0f} {f.unit}",
            "" if f.theirs is None else f"{f.theirs:,.0f} {f.unit}",
            "" if f.ratio is None else f"[{colour}]{f.ratio:.1f}",
            "" if f.ratio is None else f"{f.lowest:.1f}-{f.highest:.1f}",
            f"[{colour}]{f.aim}",
            f.note,
        )
    return table


if __name__ == "__main__":
    sys.exit(main())
