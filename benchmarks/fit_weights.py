"""Where the weights of an evaluator come from: least squares of its terms against how games end.

    python benchmarks/fit_weights.py othello othello --player alphabeta:depth=4 --games 4000
    python benchmarks/fit_weights.py einstein einstein --player expectiminimax:depth=3 --games 4000 --opening 6

A player plays against itself from openings by lot. Every position of these games in which a player is to move gives one
equation: the weighted terms, seen by MAX, should be the utility in which the game ended. Positions of one game depend
on each other, so the error of a weight comes from drawing whole games again with replacement (bootstrap).
"""

from __future__ import annotations

import argparse

import numpy as np

from contienda.core.game import CHANCE
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import make_game
from contienda.lab.openings import opened
from contienda.match import Match
from contienda.players import make_player
from contienda.record import states_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("evaluator")
    parser.add_argument("--player", required=True)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--opening", type=int, default=8, help="moves by lot")
    order = parser.parse_args()

    game = make_game(order.game)
    evaluator = compile_evaluator(order.evaluator, game, {})
    match = Match(game, [make_player(order.player, game)] * 2)
    names = list(evaluator.weights_by_name)
    squares, products, positions = [], [], 0  # of each game: the parts of its normal equations
    for seed in range(order.games):
        played = match.play(seed, start=opened(game, order.opening, seed))
        end = game.rules.utility(played.state)
        rows = [evaluator.terms(s) for s in list(states_of(played))[:-1] if game.rules.turn(s) != CHANCE]
        terms = np.array([[row[name] for name in names] for row in rows])
        squares.append(terms.T @ terms)
        products.append(terms.T @ np.full(len(terms), end))
        positions += len(terms)
    lots = np.random.default_rng(0)
    drawn = lots.integers(order.games, size=(200, order.games))
    a, b = np.array(squares), np.array(products)
    again = np.array([np.linalg.solve(a[some].sum(0), b[some].sum(0)) for some in drawn])
    weights = np.linalg.solve(a.sum(0), b.sum(0))
    print(f"{order.games} games, {positions} positions")
    for name, weight, error in zip(names, weights, again.std(0), strict=True):
        print(f"{name:12} {weight:8.4f} ± {1.96 * error:.4f}")


if __name__ == "__main__":
    main()
