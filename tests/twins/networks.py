"""N-tuple networks and their learning once more, as plain as can be: a board is a list of 16 ranks."""

from __future__ import annotations

import numpy as np

from contienda.evaluation.g2048.ntuple import Network


def symmetries(ranks: list[int]) -> list[list[int]]:
    """The eight boards that are one by turning and mirroring."""
    grid = np.array(ranks).reshape(4, 4)
    turned = [np.rot90(grid, k) for k in range(4)]
    return [board.ravel().tolist() for one in turned for board in (one, np.fliplr(one))]


def lookup_places(network: Network, ranks: list[int]) -> list[int]:
    """Where the weights stand that the value of a board is the sum of."""
    places = []
    offset = 0
    for cells in network.tuples:
        places += [
            offset + sum(board[int(cell, 16)] * 16**i for i, cell in enumerate(reversed(cells)))
            for board in symmetries(ranks)
        ]
        offset += 16 ** len(cells)
    return places


def naive_stage(begins: tuple[int, ...], ranks: list[int]) -> int:
    """The last stage that has begun."""
    total = sum(2**rank for rank in set(ranks) if rank)
    return max(stage for stage, begin in enumerate(begins) if total >= begin)


def naive_learn(network: Network, method: str, log, alpha: float, trace: float, table, sums) -> None:
    """TD(λ) or TC(λ) from a game's log, backwards."""
    target = 0.0
    for t in range(int(log.moves) - 1, -1, -1):
        cells = int(log.cells[t])
        places = lookup_places(network, [cells >> 4 * i & 15 for i in range(16)])
        value = sum(table[i] for i in places)
        amount = alpha * (target - value) / len(places)
        for i in places:
            rate = 1.0 if method == "td" or sums[i, 1] == 0 else abs(sums[i, 0]) / sums[i, 1]
            table[i] += rate * amount
            value += rate * amount
            if method == "tc":
                sums[i] += amount, abs(amount)
        target = int(log.reward[t]) + (1 - trace) * value + trace * target
