"""Why not this move? What it loses against the best one, and the line that shows it, in words."""

from __future__ import annotations

from typing import NamedTuple

from contienda.core.analysis import Analysis, MoveValue
from contienda.core.game import CHANCE, MAX, Game, State
from contienda.core.language import BadInput, Text
from contienda.trace.model import number_text
from contienda.trace.names import move_on_board
from contienda.trace.tree import board_text

__all__ = ["Refuted", "after_move", "refutation"]

#: The most moves of a line that the answer names.
_LONGEST = 10


class Refuted(NamedTuple):
    """A sentence about a move, and the board that it leads to."""

    text: Text
    board: str | None = None
    """As in a trace; None: the same board as before, or a game without boards."""


def after_move(game: Game, state: State, move: str) -> State | None:
    """Return the state that a move leads to, if somebody is to choose there; None if the game ends or luck decides."""
    after = game.apply(state, _action(game, state, move))
    decides = not game.rules.over(after) and game.rules.turn(after) != CHANCE and game.legal_actions(after)
    return after if decides else None


def refutation(game: Game, state: State, move: str, found: Analysis, answer: Analysis | None) -> list[Refuted]:
    """Return sentences: the values of both moves, then the line from the move on, as ``answer`` expects it.

    ``found`` is the analysis of the state, ``answer`` that of the state after the move (`after_move`).
    """
    mover = game.rules.turn(state)
    by_name = {entry.move: entry for entry in found.moves}
    told = [Refuted(_compared(game, state, by_name[move], by_name[found.best], found.best == move))]
    for name in [move, *(answer.pv if answer is not None else [])][:_LONGEST]:
        action = _action(game, state, name)
        words = move_on_board(game, state, action, name)
        mine = game.rules.turn(state) == mover
        state = game.apply(state, action)
        text = Text("You play {move}.", move=words) if mine else Text("The opponent answers with {move}.", move=words)
        told.append(Refuted(text, None if game.drawn else board_text(game, state)))
        if game.rules.over(state):
            told.append(Refuted(_ending(game, state, mover)))
            return told
        if game.rules.turn(state) == CHANCE:
            told.append(Refuted(Text("Then luck decides: the value is the mean of what may come.")))
            return told
    return told


def _action(game: Game, state: State, move: str) -> int:
    for action in game.legal_actions(state):
        if game.action_name(state, action) == move:
            return int(action)
    raise BadInput("{move!r} is not a legal move here", move=move[:40])


def _compared(game: Game, state: State, entry: MoveValue, best: MoveValue, same: bool) -> Text:
    name, other = (move_on_board(game, state, _action(game, state, one.move), one.move) for one in (entry, best))
    value, top = (number_text(one.value) if one.meaning is None else one.meaning.words for one in (entry, best))
    if same:
        return Text("{move} is the best move: {value}.", move=name, value=value)
    if entry.value == best.value:
        return Text("{move} is as good as {best}: {value}.", move=name, best=other, value=value)
    if entry.meaning is not None or best.meaning is not None:
        return Text("{move}: {value}. {best}, the best move: {top}.", move=name, value=value, best=other, top=top)
    return Text(
        "{move} is worth {value}; {best}, the best move, {top}: it loses {loss}.",
        move=name,
        value=value,
        best=other,
        top=top,
        loss=number_text(abs(best.value - entry.value)),
    )


def _ending(game: Game, state: State, mover: int) -> Text:
    worth = float(game.rules.utility(state)) * (1 if mover == MAX else -1)
    if "points" in game.features:
        return Text("The game ends there.")
    return Text("You win.") if worth > 0 else Text("The opponent wins.") if worth < 0 else Text("A draw.")
