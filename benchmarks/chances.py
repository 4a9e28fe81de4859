"""Measures how an expected final score of 2048 goes with the chance of the next large tile.

    python benchmarks/chances.py 1500

The shipped network plays alone. At every 37th move its value is noted, and at the end of the game the largest tile: for
each tile a logistic regression gives the two numbers of `contienda.players.g2048.chances`. Then it is fitted to every
other game and tried on the rest: the largest difference between predicted and observed share in ten groups.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.optimize import minimize

from contienda.compiled.jit import njit
from contienda.compiled.rng import generator
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import make_game
from contienda.games.g2048.board import largest_rank
from contienda.games.g2048.rules import draw, successor
from contienda.players.g2048.chances import TILES, points_of

_EVERY = 37
_network = compile_evaluator("ntuple", make_game("2048"), {})
evaluate = _network.evaluate


@njit
def play(board, weights, rng, noted):
    """Play a game; return how many values were noted, and the largest rank."""
    moves = 0
    count = 0
    while True:
        best, found = -np.inf, -1
        for action in range(4):
            legal, after = successor(board, action)
            if legal:
                value = evaluate(after, weights)
                if value > best:
                    best, found = value, action
        if found < 0:
            return count, largest_rank(board)
        if moves % _EVERY == 0 and count < len(noted):
            noted[count, 0] = largest_rank(board)
            noted[count, 1] = best
            count += 1
        after = successor(board, found)[1]
        board = successor(after, draw(after, rng))[1]
        moves += 1


def main(games: int) -> None:
    game, noted, rows = make_game("2048"), np.zeros((4000, 2)), []
    for number in range(games):
        rng = generator(number)
        count, rank = play(game.start(rng), _network.weights, rng, noted)
        rows.append(np.c_[noted[:count], np.full(count, rank), np.full(count, number)])
    data = np.concatenate(rows)
    for tile in TILES:
        rank = tile.bit_length() - 1
        here = data[data[:, 0] == rank - 1 if tile > min(TILES) else data[:, 0] < rank]
        made, x = (here[:, 2] >= rank).astype(float), np.log(here[:, 1] / points_of(tile))

        def fit(chosen, made=made, x=x):
            def loss(ab):
                told = ab[0] + ab[1] * x[chosen]
                return np.mean(np.logaddexp(0, told) - made[chosen] * told)

            return minimize(loss, [0.0, 2.0]).x

        even = here[:, 3] % 2 == 0
        a, b = fit(even)
        told = 1 / (1 + np.exp(-(a + b * x[~even])))
        groups = np.array_split(np.argsort(told), 10)
        off = max(abs(told[group].mean() - made[~even][group].mean()) for group in groups)
        a, b = fit(np.ones(len(here), bool))
        print(f"{tile:6}: ({a:.2f}, {b:.2f}), of {len(set(here[:, 3]))} games; off by at most {off:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1500)
