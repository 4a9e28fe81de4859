"""Names in traces: kinds of nodes, the status of a state, moves."""

from __future__ import annotations

from contienda.core.game import CHANCE, Game, State
from contienda.core.language import Text, joined

__all__ = ["KIND_NAMES", "STATUS_NAMES", "move_name", "move_on_board"]

KIND_NAMES = {
    "max": Text("MAX"),
    "min": Text("MIN"),
    "chance": Text("chance"),
    "leaf": Text("leaf"),
    "cut": Text("cut"),
    "state": Text("state"),
}

#: The status of a node in a path search: waiting, expanded, thrown away, left again, or the goal.
STATUS_NAMES = {
    "open": Text("open"),
    "closed": Text("closed"),
    "pruned": Text("pruned"),
    "undone": Text("undone"),
    "goal": Text("goal"),
}

#: Moves that are words; tiles, columns and cells are written alike in every language.
_MOVE_NAMES = {
    "up": Text("up"),
    "right": Text("right"),
    "down": Text("down"),
    "left": Text("left"),
}


def move_name(moves: str) -> Text | str:
    """Return a move, or several separated by spaces, in each language."""
    if " " not in moves:
        return _MOVE_NAMES.get(moves, moves)
    return joined([_MOVE_NAMES.get(move, move) for move in moves.split(" ")], " ")


def move_on_board(game: Game, state: State, action: int, move: str) -> Text | str:
    """Return a move for a sentence, named by its gesture: "column 4", "cell 5", "left"."""
    if game.rules.turn(state) == CHANCE:  # luck's outcome, even if an adversary chooses it
        return move_name(move)
    gesture = game.gesture(state, action)
    if gesture.kind == "column":
        return Text("column {n}", n=move)
    if gesture.kind == "cell":
        return Text("cell {n}", n=move)
    return gesture.label if gesture.kind == "button" and gesture.label else move_name(move)
