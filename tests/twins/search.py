"""Rules in plain Python that share nothing with the rules under test, for the definitions in `contienda.reference`."""

from __future__ import annotations

from typing import Any, NamedTuple

from twins import g2048 as naive

from contienda.core.game import CHANCE, MAX, MIN, Rules

#: What may follow a move of 2048, with its probability: (tile, share of its cell).
TILES = {"chance": ((2, 0.9), (4, 0.1)), "twos": ((2, 1.0),), "twos-and-fours": ((2, 0.9), (4, 0.1))}


class Board(NamedTuple):
    """A board of lists before a move, or after it, when somebody answers with a tile."""

    grid: naive.Grid
    points: int
    answered: bool = False


def rules_2048(reply: str) -> Rules:
    """2048 over lists of lists; ``reply`` says who answers a move: chance, or an opponent with these tiles."""
    tiles = TILES[reply]

    def turn(board):
        return MAX if not board.answered else CHANCE if reply == "chance" else MIN

    def candidates(board):
        return (1 << (len(tiles) * len(naive.empty_cells(board.grid)) if board.answered else 4)) - 1

    def successor(board, action):
        if not board.answered:
            after, made = naive.slide(board.grid, action)
            return after != board.grid, Board(after, board.points + made, answered=True)
        row, column = naive.empty_cells(board.grid)[action // len(tiles)]
        tile, _ = tiles[action % len(tiles)]
        return True, Board(naive.put(board.grid, row, column, tile), board.points)

    def probability(board, action):
        return tiles[action % len(tiles)][1] / len(naive.empty_cells(board.grid))

    def over(board):
        return False

    return Rules(turn, candidates, successor, probability, over, utility=None, seen_by_mover=None, draw=None)


# --- Drawn trees: a leaf is a number, a node is a list of its kind and its children ----------------------------------


def tree_text(tree: Any) -> str:
    """The tree as `contienda.games.tree` reads it."""
    if not isinstance(tree, list):
        return str(tree)
    return f"{tree[0]}[{' '.join(tree_text(child) for child in tree[1:])}]"


#: The rules of such a tree, each of whose states is the tree below it.
TREES = Rules(
    turn=lambda tree: {"max": MAX, "min": MIN, "chance": CHANCE}[tree[0]],
    candidates=lambda tree: (1 << (len(tree) - 1)) - 1,
    successor=lambda tree, action: (True, tree[1 + action]),
    probability=lambda tree, action: 1 / (len(tree) - 1),
    over=lambda tree: not isinstance(tree, list),
    utility=float,
    seen_by_mover=None,
    draw=None,
)
