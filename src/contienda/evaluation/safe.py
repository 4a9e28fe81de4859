"""Loads heuristics in the safe subset of Python: files named ``NAME.safe.py`` are always read as such.

`contienda.evaluation.whitelist` checks the text and builds a tree anew. Only that is compiled, in a namespace of the
helpers and a few functions of mathematics: no builtins, no modules. The helpers check the bounds of the board.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from contienda.compiled.rng import generator
from contienda.core.extensions import remember_text
from contienda.core.game import Game
from contienda.core.language import BadInput
from contienda.evaluation.safe_words import MATH, Helper, Refused
from contienda.evaluation.whitelist import Checked, check

__all__ = ["SUFFIX", "SafeFunction", "check_for", "is_safe", "load_safe"]

#: The suffix of files that are read as the safe subset, wherever they come from.
SUFFIX = ".safe.py"

#: Functions that would convert a float to an integer are those of NumPy, which do not: out of range, such a conversion
#: has no value that compiled code may rely on.
_NAMESPACE: dict[str, Any] = {
    "abs": abs, "float": float, "max": max, "min": min, "range": range, "sum": sum,
    "_trunc": np.trunc, "_round": np.rint,
} | {
    f"_math_{name}": getattr(np if name in ("floor", "ceil", "trunc") else math, name)
    for name, arguments in MATH.items()
    if isinstance(arguments, int)
}  # fmt: skip


class SafeFunction:
    """A checked heuristic, ready to be compiled."""

    def __init__(self, function: Callable[..., Any], checked: Checked) -> None:
        self.function = function
        self.checked = checked


def is_safe(evaluator: str) -> bool:
    """Return whether ``FILE.safe.py:NAME`` is read as the safe subset.

    >>> is_safe("mine.safe.py:corner"), is_safe("mine.py:corner")
    (True, False)
    """
    return evaluator.rpartition(":")[0].endswith(SUFFIX)


def check_for(text: str, game: Game) -> Checked:
    """Return a checked heuristic for a game; `Refused` for anything outside the safe subset."""
    return check(text, game.helpers, _helpers(game))


def load_safe(evaluator: str, game: Game) -> SafeFunction:
    """Return the function that ``FILE.safe.py:NAME`` names, made from what was checked."""
    place, _, name = evaluator.rpartition(":")
    try:
        text = Path(place).expanduser().read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadInput("there is no file {place}", place=place) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "UTF-8"
        raise BadInput("cannot read {place}: {reason}", place=place, reason=reason) from None
    try:
        checked = check_for(text, game)
    except Refused as error:
        told = BadInput("{place}:{line}: {reason}", place=place, line=error.line, reason=error.reason)
        told.line = error.line
        raise told from None
    if name != checked.name:
        raise BadInput(
            "{place} has no function {name!r}: its heuristic is {last}", place=place, name=name, last=checked.name
        )
    variables = _NAMESPACE | _functions(game) | {"__builtins__": {}, "__name__": "contienda_safe"}
    file = str(Path(place).expanduser().absolute())
    remember_text(file, text)
    exec(compile(checked.tree, file, "exec", dont_inherit=True), variables)
    return SafeFunction(variables[name], checked)


def _functions(game: Game) -> dict[str, Any]:
    """Return the helpers of a game by name, and the constants beside them."""
    if not game.helpers or not game.compiled:
        raise BadInput("{game} has no helpers for heuristics in the safe subset", game=game.name)
    module = import_module(game.helpers)
    return {name: getattr(module, name) for name in module.__all__}


def _helpers(game: Game) -> dict[str, Helper | int]:
    """Return the parameters and results of a game's helpers, found on its first position."""
    start = game.start(generator(0))
    found: dict[str, Helper | int] = {}
    for name, function in _functions(game).items():
        if isinstance(function, int):
            found[name] = function
            continue
        places = getattr(function, "py_func", function).__code__.co_argcount - 1
        value: Any = 0
        with suppress(IndexError, ValueError):  # there may be no such place: then it returns a number
            value = function(start, *(1 for _ in range(places)))
        size = getattr(game, name, None)
        found[name] = Helper(
            places, len(value) if isinstance(value, tuple) else 0, size if isinstance(size, int) else None
        )
    return found
