"""Path searches once more, as plainly as they can be written: lists, dictionaries and recursion."""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush

GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)


def neighbours(tiles):
    """The boards of the 8-puzzle one move away."""
    hole = tiles.index(0)
    row, column = divmod(hole, 3)
    for r, c in ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)):
        if 0 <= r < 3 and 0 <= c < 3:
            swapped = list(tiles)
            swapped[hole], swapped[3 * r + c] = swapped[3 * r + c], 0
            yield tuple(swapped)


def distances():
    """How many moves every board of the 8-puzzle is away from the goal: all 181,440 that can be solved."""
    away = {GOAL: 0}
    queue = deque([GOAL])
    while queue:
        tiles = queue.popleft()
        for other in neighbours(tiles):
            if other not in away:
                away[other] = away[tiles] + 1
                queue.append(other)
    return away


def depth_limited_astar(result, order, h, initial, depth):
    """uc3m's A*: the first move of the path to the node of this depth that is taken out first; -1 if there is none."""
    waiting = [(h(initial), 0, 0, initial, -1)]
    made = 0
    while waiting:
        _, _, steps, state, first = heappop(waiting)
        if steps == depth:
            return first
        for action in order:
            legal, child = result(state, action)
            if legal:
                made += 1
                heappush(waiting, (steps + 1 + h(child), made, steps + 1, child, action if first < 0 else first))
    return -1


def worth(result, order, last_resort, evaluate, state, depth):
    """unicen's look ahead: what the best of the preferred moves is worth."""
    if depth == 0:
        return 0.0
    values = []
    for action in order:
        legal, child = result(state, action)
        if action != last_resort and legal and any(result(child, reply)[0] for reply in order):
            values.append(evaluate(child) + worth(result, order, last_resort, evaluate, child, depth - 1))
    return max(values, default=-10000.0)
