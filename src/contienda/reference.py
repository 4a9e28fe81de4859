"""The searches written as plainly as possible: recursion over lists, without counters or speed.

Each function is the definition of its algorithm in ordinary Python, over any `Rules` or `ProblemRules`, compiled or
not. Read these first; then the same algorithm in `contienda.search`, which counts, stops, records itself and runs
50 to 400 times faster. The tests compare every search there with its definition here.

``evaluate(state)`` says what a state looks worth to MAX where the depth ends before the game does. ``floor`` is what a
state counts in which MAX has no move; without it such a state is evaluated.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from contienda.core.game import CHANCE, MAX, Rules, State, members

if TYPE_CHECKING:
    from contienda.core.problem import ProblemRules

__all__ = [
    "Visited",
    "alphabeta",
    "any_child",
    "astar",
    "astar_to_depth",
    "breadth_first",
    "children",
    "distances",
    "end_value",
    "expectimax",
    "expectiminimax",
    "look_ahead",
    "mcts",
    "minimax",
    "move_values",
    "negamax",
]

Evaluate = Callable[[State], float]
INF = math.inf


# --- Games -----------------------------------------------------------------------------------------------------------


def children(rules: Rules, state: State) -> list[tuple[int, State]]:
    """Every legal action of a state, or outcome of chance, with the state after it.

    >>> from contienda.games.tree import Node, Tree
    >>> children(Tree("max[min[3 12 8] min[2 4 6] 5]").rules, Node(0))
    [(0, Node(index=1)), (1, Node(index=2)), (2, Node(index=3))]
    """
    after = [(action, rules.successor(state, action)) for action in members(int(rules.candidates(state)))]
    return [(action, child) for action, (legal, child) in after if legal]


def move_values(search: Callable[..., float], rules: Rules, state: State, depth: int, *how: Any) -> dict[int, float]:
    """What every legal action of a state is worth, by one of the searches below.

    >>> from contienda.games.tree import Node, Tree
    >>> move_values(minimax, Tree("max[min[3 12 8] min[2 4 6] 5]").rules, Node(0), 2, lambda state: 0.0)
    {0: 3.0, 1: 2.0, 2: 5.0}
    """
    return {action: search(rules, child, depth - 1, *how) for action, child in children(rules, state)}


def end_value(rules: Rules, state: State, evaluate: Evaluate) -> float:
    """What an ended game is worth to MAX: its utility, or what the evaluator says of it if the rules leave it to that.

    >>> from contienda.games.tree import Node, Tree
    >>> end_value(Tree("max[7 2]").rules, Node(1), lambda state: 0.0)
    7.0
    """
    return evaluate(state) if rules.ends_by_evaluator else rules.utility(state)


def minimax(rules: Rules, state: State, depth: int, evaluate: Evaluate, floor: float = -INF) -> float:
    """What a state is worth to MAX if both sides play perfectly.

    Shannon, "Programming a computer for playing chess", 1950; Russell and Norvig, AIMA, fig. 6.3.

    >>> from contienda.games.tree import Node, Tree
    >>> minimax(Tree("max[min[3 12 8] min[2 4 6] min[14 5 2]]").rules, Node(0), 2, lambda state: 0.0)
    3.0
    """
    if rules.over(state):
        return end_value(rules, state, evaluate)
    if depth == 0:
        return evaluate(state)
    values = [minimax(rules, child, depth - 1, evaluate, floor) for _, child in children(rules, state)]
    if rules.turn(state) == MAX:
        return max([floor, *values]) if values or floor > -INF else evaluate(state)
    return min(values)


def alphabeta(
    rules: Rules,
    state: State,
    depth: int,
    evaluate: Evaluate,
    floor: float = -INF,
    alpha: float = -INF,
    beta: float = INF,
) -> float:
    """The minimax value, if it lies between alpha and beta; otherwise a bound on the same side of the window.

    Knuth and Moore, "An analysis of alpha-beta pruning", 1975; Russell and Norvig, AIMA, fig. 6.7.

    >>> from contienda.games.tree import Node, Tree
    >>> alphabeta(Tree("max[min[3 12 8] min[2 4 6] min[14 5 2]]").rules, Node(0), 2, lambda state: 0.0)
    3.0
    """
    if rules.over(state):
        return end_value(rules, state, evaluate)
    if depth == 0:
        return evaluate(state)
    if rules.turn(state) == MAX:
        moves = children(rules, state)
        best = floor if moves or floor > -INF else evaluate(state)
        for _, child in moves:
            best = max(best, alphabeta(rules, child, depth - 1, evaluate, floor, alpha, beta))
            alpha = max(alpha, best)
            if alpha >= beta:
                break  # MIN will not let it come to this
        return best
    best = INF
    for _, child in children(rules, state):
        best = min(best, alphabeta(rules, child, depth - 1, evaluate, floor, alpha, beta))
        beta = min(beta, best)
        if alpha >= beta:
            break  # MAX has something as good elsewhere
    return best


def negamax(
    rules: Rules, state: State, depth: int, evaluate: Evaluate, floor: float = -INF, sign: int | None = None
) -> float:
    """What a state is worth to the player to move, in games in which MAX and MIN take turns.

    ``sign`` is 1 if that is MAX, -1 if it is MIN; at the root the rules say it.
    Knuth and Moore, "An analysis of alpha-beta pruning", 1975.

    >>> from contienda.games.tree import Node, Tree
    >>> rules = Tree("max[min[3 12 8] min[2 4 6] min[14 5 2]]").rules
    >>> negamax(rules, Node(0), 2, lambda state: 0.0), negamax(rules, Node(1), 1, lambda state: 0.0)
    (3.0, -3.0)
    """
    if sign is None:
        sign = 1 if rules.turn(state) == MAX else -1
    if rules.over(state):
        return sign * end_value(rules, state, evaluate)
    if depth == 0:
        return sign * evaluate(state)
    values = [-negamax(rules, child, depth - 1, evaluate, floor, -sign) for _, child in children(rules, state)]
    if sign == 1:
        return max([floor, *values]) if values or floor > -INF else evaluate(state)
    return max(values)


def expectimax(rules: Rules, state: State, depth: int, evaluate: Evaluate, floor: float = -INF) -> float:
    """What a state is worth to MAX on average, if chance answers each move.

    Michie, "Game-playing and game-learning automata", 1966; Russell and Norvig, AIMA, section 6.5.

    >>> from contienda.games.tree import Node, Tree
    >>> expectimax(Tree("max[chance[1/2:10 1/2:0] chance[1/4:8 3/4:6]]").rules, Node(0), 2, lambda state: 0.0)
    6.5
    """
    if rules.over(state):
        return end_value(rules, state, evaluate)
    if depth == 0:
        return evaluate(state)
    values = {action: expectimax(rules, child, depth - 1, evaluate, floor) for action, child in children(rules, state)}
    if rules.turn(state) == CHANCE:
        return sum(rules.probability(state, action) * value for action, value in values.items())
    return max([floor, *values.values()]) if values or floor > -INF else evaluate(state)


def expectiminimax(rules: Rules, state: State, depth: int, evaluate: Evaluate, floor: float = -INF) -> float:
    """What a state is worth to MAX against a perfect opponent and chance.

    Michie, "Game-playing and game-learning automata", 1966; Russell and Norvig, AIMA, section 6.5.

    >>> from contienda.games.tree import Node, Tree
    >>> rules = Tree("max[chance[1/2:min[2 4] 1/2:min[7 4]] chance[1/2:min[6 0] 1/2:min[5 -2]]]").rules
    >>> expectiminimax(rules, Node(0), 3, lambda state: 0.0)
    3.0
    """
    if rules.over(state):
        return end_value(rules, state, evaluate)
    if depth == 0:
        return evaluate(state)
    values = {a: expectiminimax(rules, child, depth - 1, evaluate, floor) for a, child in children(rules, state)}
    if rules.turn(state) == CHANCE:
        return sum(rules.probability(state, action) * value for action, value in values.items())
    if rules.turn(state) == MAX:
        return max([floor, *values.values()]) if values or floor > -INF else evaluate(state)
    return min(values.values())


class Visited(NamedTuple):
    """What simulations found of a state: how many passed through it, and the mean of their results for MAX."""

    visits: int = 0
    mean: float = math.nan


def any_child(rules: Rules, state: State, luck: Random) -> State:
    """Return a random child: an outcome by its probability, or a uniformly random move."""
    moves = children(rules, state)
    shares = [rules.probability(state, action) if rules.turn(state) == CHANCE else 1.0 for action, _ in moves]
    return luck.choices([child for _, child in moves], shares)[0]


def mcts(
    rules: Rules, state: State, simulations: int, luck: Random, exploration: float = math.sqrt(2)
) -> dict[int, Visited]:
    """Return what the simulations found out about every action; the move is the most visited one.

    Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006; Browne et al., "A survey of Monte Carlo tree
    search methods", 2012. The exploration suits results from -1 to 1.

    >>> from contienda.games.tree import Node, Tree
    >>> found = mcts(Tree("max[min[1 -1] min[0 1]]").rules, Node(0), 400, Random(1))
    >>> max(found, key=lambda action: found[action].visits)
    1
    """
    seen: dict[State, Visited] = {}

    def best_child(here: State) -> State:
        """A child not seen yet, else the one with the largest upper confidence bound."""
        below = [child for _, child in children(rules, here)]
        new = [child for child in below if child not in seen]
        sign = 1 if rules.turn(here) == MAX else -1

        def bound(child: State) -> float:
            width = math.sqrt(math.log(seen[here].visits) / seen[child].visits)
            return sign * seen[child].mean + exploration * width

        return luck.choice(new) if new else max(below, key=bound)

    def ended(here: State) -> bool:
        return rules.over(here) or not children(rules, here)

    for _ in range(simulations):
        path = [state]
        while path[-1] in seen and not ended(path[-1]):  # selection, and at its end expansion
            here = path[-1]
            path.append(any_child(rules, here, luck) if rules.turn(here) == CHANCE else best_child(here))
        end = path[-1]
        while not ended(end):  # simulation
            end = any_child(rules, end, luck)
        for node in path:  # backpropagation
            visits, mean = seen.get(node, Visited(0, 0.0))
            seen[node] = Visited(visits + 1, mean + (rules.utility(end) - mean) / (visits + 1))
    return {action: seen.get(child, Visited()) for action, child in children(rules, state)}


# --- Paths -----------------------------------------------------------------------------------------------------------


def steps(rules: ProblemRules, state: State) -> list[tuple[int, State]]:
    """Every possible action of a state with the state after it."""
    after = [(action, rules.result(state, action)) for action in members(int(rules.actions(state)))]
    return [(action, child) for action, (possible, child) in after if possible]


def breadth_first(rules: ProblemRules, initial: State, aim: int = 0) -> list[int] | None:
    """A path of the fewest actions to a goal; None if there is none. Moore, 1959; AIMA, fig. 3.9.

    >>> from contienda.problems import make_problem
    >>> puzzle = make_problem("puzzle8", "1 2 3/4 5 6/0 7 8")
    >>> len(breadth_first(puzzle.rules, puzzle.initial, puzzle.aim))
    2
    """
    paths: dict[State, list[int]] = {initial: []}
    waiting = deque([initial])
    while waiting:
        state = waiting.popleft()
        if rules.goal(state, aim):
            return paths[state]
        for action, child in steps(rules, state):
            if child not in paths:
                paths[child] = [*paths[state], action]
                waiting.append(child)
    return None


def astar(rules: ProblemRules, initial: State, h: Callable[[State], float], aim: int = 0) -> list[int] | None:
    """A cheapest path to a goal if ``h`` is admissible; None if there is none. Hart, Nilsson and Raphael, 1968.

    >>> from contienda.problems import make_problem
    >>> puzzle = make_problem("puzzle8", "1 2 3/4 5 6/0 7 8")
    >>> len(astar(puzzle.rules, puzzle.initial, lambda state: 0.0, puzzle.aim))
    2
    """
    cheapest: dict[State, float] = {initial: 0.0}
    waiting: list[tuple[float, int, State, list[int]]] = [(h(initial), 0, initial, [])]
    made = 0
    while waiting:
        _, _, state, path = heappop(waiting)
        if rules.goal(state, aim):
            return path
        for action, child in steps(rules, state):
            g = cheapest[state] + rules.cost(state, action)
            if g < cheapest.get(child, INF):
                cheapest[child] = g
                made += 1
                heappush(waiting, (g + h(child), made, child, [*path, action]))
    return None


def distances(neighbours: Callable[[Any], Iterable[Any]], start: Any) -> dict[Any, int]:
    """How many steps every state that can be reached is away from the start.

    >>> distances(lambda n: (n + 2, n * 3) if n < 9 else (), 1)
    {1: 0, 3: 1, 5: 2, 9: 2, 7: 3, 15: 3, 21: 4}
    """
    away = {start: 0}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        for other in neighbours(state):
            if other not in away:
                away[other] = away[state] + 1
                waiting.append(other)
    return away


def astar_to_depth(
    rules: ProblemRules, order: Sequence[int], h: Callable[[State], float], initial: State, depth: int
) -> int:
    """uc3m's A*: the first action of the path to the first node of this depth that is taken out; -1 for none.

    A state that was made before is not made again: all ways to it are equally long.
    """
    waiting = [(h(initial), 0, 0, initial, -1)]
    known = {initial}
    while waiting:
        _, _, length, state, first = heappop(waiting)
        if length == depth:
            return first
        for action in order:
            possible, child = rules.result(state, action)
            if possible and child not in known:
                known.add(child)
                f = length + 1 + h(child)
                heappush(waiting, (f, len(known), length + 1, child, action if first < 0 else first))
    return -1


def look_ahead(
    rules: ProblemRules, order: Sequence[int], last_resort: int, evaluate: Evaluate, state: State, depth: int
) -> float:
    """unicen's look ahead: what the best of the preferred actions is worth, each step valued on the way."""
    if depth == 0:
        return 0.0
    values = []
    for action in order:
        possible, child = rules.result(state, action)
        if action != last_resort and possible and any(rules.result(child, reply)[0] for reply in order):
            values.append(evaluate(child) + look_ahead(rules, order, last_resort, evaluate, child, depth - 1))
    return max(values, default=-10000.0)
