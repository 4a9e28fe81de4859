"""A page about each algorithm: the idea, the cost, and a search to step through.

The pages of the docs (docs/algorithms.py) and of the app are made of these. The pseudocode comes from
`contienda.trace.pseudocode`, the tree from the search that plays. Only the idea and the cost are written here.
"""

from __future__ import annotations

from typing import NamedTuple

from contienda.core.language import Text

__all__ = ["ALGORITHMS", "Algorithm", "Example"]

_TREE = "max[min[3 12 8] min[2 4 6] min[14 5 2]]"
_LUCK = "max[chance[0.5:3 0.5:5] chance[0.9:2 0.1:30]]"
_BOTH = "max[chance[0.5:min[3 12] 0.5:min[8 2]] chance[0.5:min[2 4] 0.5:min[14 5]]]"
_PUZZLE = "1 2 3/0 4 6/7 5 8"


class Example(NamedTuple):
    """A search to step through."""

    game: str
    position: str
    player: str


class Algorithm(NamedTuple):
    """The content of a page."""

    name: str
    title: Text
    module: str
    example: Example
    idea: Text
    cost: Text
    documents: tuple[str, ...] = ()
    """The source documents that use it."""


ALGORITHMS = (
    Algorithm(
        "minimax",
        Text("Minimax"),
        "contienda.search.minimax",
        Example("tree", _TREE, "minimax"),
        idea=Text(
            "MAX moves and wants the largest value; MIN replies and wants the smallest. The value of a node is "
            "the best result that the player to move can reach against perfect play: the largest of its "
            "children's values for MAX, the smallest for MIN."
        ),
        cost=Text("With b moves at each node it visits b^depth leaves, in memory proportional to the depth."),
        documents=(
            "uc3m",
            "uja",
            "uma",
            "ort",
        ),
    ),
    Algorithm(
        "alphabeta",
        Text("Alpha-beta"),
        "contienda.search.alphabeta",
        Example("tree", _TREE, "alphabeta"),
        idea=Text(
            "Minimax with a window: α is the value that MAX is already sure of, β the value that MIN is sure of. "
            "As soon as a node's value is known to lie outside, its remaining children cannot change the result "
            "and are pruned. The value and the move are those of minimax."
        ),
        cost=Text("From about b^(depth/2) leaves, if the best moves come first, to b^depth, if they come last."),
        documents=(
            "uja",
            "uma",
            "ort",
        ),
    ),
    Algorithm(
        "negamax",
        Text("Negamax"),
        "contienda.search.negamax",
        Example("tictactoe", "XOX/OXO/...", "negamax"),
        idea=Text(
            "In a two-player zero-sum game, one player's gain is the other's loss. If every value is seen from "
            "the player to move, both players maximise, and one rule is enough: negate the child's value."
        ),
        cost=Text("The same nodes as alpha-beta, in half the lines."),
    ),
    Algorithm(
        "mtdf",
        Text("MTD(f) and aspiration"),
        "contienda.search.windows",
        Example("tree", _TREE, "mtdf"),
        idea=Text(
            "Guess the value, and let alpha-beta find out with a null window whether it is larger or smaller. "
            "Each answer is a bound; the value is where the two bounds meet. A transposition table keeps what the "
            "earlier searches found."
        ),
        cost=Text(
            "With a good guess and a table, fewer nodes than one search with a full window; with a bad guess, more."
        ),
    ),
    Algorithm(
        "expectimax",
        Text("Expectimax"),
        "contienda.search.expectimax",
        Example("tree", _LUCK, "expectimax"),
        idea=Text(
            "In 2048 nobody plays against you: chance places the tiles. A chance node is worth the mean of its "
            "outcomes, each weighted by its probability; MAX takes the largest mean."
        ),
        cost=Text(
            "Every node down to the depth: (moves × outcomes)^(depth/2). A mean needs all its terms, so plain "
            "alpha-beta cannot prune; with bounds on the values, Star1 and Star2 can."
        ),
        documents=(
            "uma",
            "ort",
        ),
    ),
    Algorithm(
        "expectiminimax",
        Text("Expectiminimax"),
        "contienda.search.expectiminimax",
        Example("tree", _BOTH, "expectiminimax"),
        idea=Text(
            "An opponent and dice in one tree: MAX takes the largest value, MIN the smallest, and chance the mean."
        ),
        cost=Text("Every node down to the depth."),
    ),
    Algorithm(
        "montecarlo",
        Text("Monte Carlo"),
        "contienda.search.montecarlo",
        Example("tictactoe", "XOX/.O./...", "montecarlo:rollouts=4"),
        idea=Text(
            "After each move, play many random games to the end; choose the move with the best mean result. It "
            "needs only the rules, no evaluator."
        ),
        cost=Text(
            "Moves × games × length of a game. The error of a mean shrinks with the square root of the number of games."
        ),
    ),
    Algorithm(
        "mcts",
        Text("Monte Carlo tree search"),
        "contienda.search.mcts",
        Example("tictactoe", "XOX/.O./...", "mcts:sims=20"),
        idea=Text(
            "Random games again, but not spread evenly: a tree keeps the results, and an upper confidence bound "
            "sends the next game where results were good or where few games have been played."
        ),
        cost=Text(
            "Each simulation costs a random game and one node of memory; the most visited move tends to the best one."
        ),
    ),
    Algorithm(
        "astar",
        Text("A*"),
        "contienda.search.path.astar",
        Example("puzzle8", _PUZZLE, "astar"),
        idea=Text(
            "Expand the open node with the smallest f = g + h: the cost so far plus an estimate of the rest. If h "
            "never overestimates, the first goal to be expanded is one of the cheapest."
        ),
        cost=Text("Every generated node stays in memory; the better h, the fewer there are."),
        documents=(
            "uc3m",
            "unicen",
        ),
    ),
    Algorithm(
        "ida-star",
        Text("IDA*"),
        "contienda.search.path.ida_star",
        Example("puzzle8", _PUZZLE, "ida-star"),
        idea=Text(
            "Depth-first search that turns back where f exceeds a limit, repeated with the next limit until a "
            "goal is found."
        ),
        cost=Text("The memory of one path; states are generated again for every limit."),
    ),
    Algorithm(
        "backtracking",
        Text("Backtracking"),
        "contienda.search.path.backtracking",
        Example("puzzle8", "1 2 3/4 5 6/7 0 8", "backtracking"),
        idea=Text("Follow a path as far as it goes; at a dead end, undo the last step and try another."),
        cost=Text(
            "The memory of one path; in time, up to all states. It finds a goal, not necessarily the nearest one."
        ),
        documents=("unicen",),
    ),
    Algorithm(
        "branch-and-bound",
        Text("Branch and bound"),
        "contienda.search.path.branch_and_bound",
        Example("puzzle8", _PUZZLE, "branch-and-bound"),
        idea=Text(
            "A node stays live while its bound says that there may be a solution below it; the most promising "
            "node is expanded first. Everything depends on the bound: if it is too low, goals are missed."
        ),
        cost=Text("Every live node stays in memory."),
        documents=("unicen",),
    ),
    Algorithm(
        "breadth-first",
        Text("Breadth-first search"),
        "contienda.search.path.breadth_first",
        Example("puzzle8", _PUZZLE, "breadth-first"),
        idea=Text(
            "All states one step away, then all that are two steps away: the first path found has the fewest steps."
        ),
        cost=Text("b^steps nodes, all in memory."),
    ),
    Algorithm(
        "hill-climbing",
        Text("Hill climbing"),
        "contienda.search.path.hill_climbing",
        Example("puzzle8", _PUZZLE, "hill-climbing"),
        idea=Text(
            "Take the best step as long as it improves the value. It is fast, but nearly always ends on a peak "
            "that is not the goal."
        ),
        cost=Text("One path, all actions tried at each step."),
        documents=("uc3m",),
    ),
)
