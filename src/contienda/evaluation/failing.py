"""Finds the line and the position on which a user's evaluator failed.

Compiled code reports neither. `contienda.compiled.noting` notes the position; run on it again in the interpreter, the
function fails on the same line.
"""

from __future__ import annotations

import traceback
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.in_python import Fields, NotInPython, as_words, in_python, like_compiled
from contienda.compiled.noting import failed_on, forget_failure
from contienda.compiled.rng import generator
from contienda.core.extensions import blame, where_it_fails
from contienda.core.game import Game, State
from contienda.core.language import BadInput, Text
from contienda.games.helpers import NO_CELL, NO_STONE

__all__ = ["failure_on", "position_text", "told_failure", "watch"]


class _Watched(NamedTuple):
    """An evaluator whose record notes on which state it fails."""

    name: str
    compiled: Any
    game: Game
    record: np.record


#: The evaluators that this process loaded last.
_watched: deque[_Watched] = deque(maxlen=64)


def watch(name: str, compiled: Any, game: Game, record: np.record) -> None:
    """Remember an evaluator, to explain its failures."""
    _watched.append(_Watched(name, compiled, game, record))


def told_failure(error: BaseException) -> BadInput | None:
    """Return the error with the line and the position, if an evaluator under watch has raised it."""
    for watched in reversed(_watched):
        numbers = failed_on(watched.record)
        if numbers is not None:
            forget_failure(watched.record)
            return _explained(watched, numbers, error)
    return None


def _explained(watched: _Watched, numbers: Sequence[int], error: BaseException) -> BadInput:
    state = type(watched.game.start(generator(0)))(*numbers)
    again = _run_again(watched.compiled, state, watched.record)
    return failure_on(watched.name, again or error, position_text(watched.game, state))


def _run_again(compiled: Any, state: State, record: np.record) -> Exception | None:
    try:
        plain: Callable[..., Any] = in_python(compiled)
        with like_compiled():
            plain(as_words(state), Fields(record))
    except NotInPython:
        return None
    except Exception as error:
        return error
    return None


def failure_on(name: str, error: BaseException, position: str | Text) -> BadInput:
    """Return the error of an evaluator with the user's line, if its traceback has one, and the position."""
    reason = _reason(error)
    return blame(error, position=position, reason=reason) or where_it_fails(
        name, error, position=position, reason=reason
    )


def position_text(game: Game, state: State) -> str | Text:
    """Return a position as people write it; as the rules see it if no game reaches it."""
    try:
        return game.format(state) or Text("the start position")
    except BadInput:
        return repr(state)


def _reason(error: BaseException) -> Text | None:
    """Return a description of the error, if Python's own message does not say enough."""
    if isinstance(error, FloatingPointError) and "divide by zero" in str(error):  # the message of NumPy's numbers
        return Text("ZeroDivisionError: division by zero")
    if not isinstance(error, IndexError) or str(error) not in (NO_CELL, NO_STONE):
        return None
    asked = [frame.f_locals for frame, _ in traceback.walk_tb(error.__traceback__)]
    numbers = asked[-1] if asked else {}
    if str(error) == NO_STONE:
        return Text(
            "there is no stone {stone}: they count from 1", stone=numbers.get("stone", numbers.get("roll", "?"))
        )
    if "row" not in numbers:
        return Text("there is no column {column}: they count from 0", column=numbers.get("column", "?"))
    return Text(
        "there is no cell in row {row}, column {column}: both count from 0",
        row=numbers["row"],
        column=numbers.get("column", "?"),
    )
