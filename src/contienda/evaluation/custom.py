"""Evaluators that users write: plain Python, compiled into the search.

A function of ``(board, weights)`` that returns a number is enough; name it ``FILE.py:FUNCTION`` or ``MODULE:FUNCTION``.
`evaluator` gives it weights that a spec can set, or a name of its own; a package offers its evaluators under the
entry-point group ``contienda.evaluators``.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import math
import re
import sys
import traceback
import warnings
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from contienda.core import Game
from contienda.evaluation.catalogue import check_weights
from contienda.evaluation.compiled import CompiledEvaluator, weights_record
from contienda.jit import njit, numba
from contienda.language import BadInput, Text
from contienda.rng import generator
from contienda.stopping import Stop, in_time

__all__ = ["evaluator", "installed", "load_custom", "registered"]

#: A heuristic takes microseconds; one that has not come back in this many seconds never will.
_TRIAL_SECONDS = 5.0

Function = TypeVar("Function", bound=Callable[..., Any])


class _Declared(NamedTuple):
    """What `evaluator` notes on a function."""

    weights: dict[str, float]
    floor: float


_registered: dict[str, Callable[..., Any]] = {}


def evaluator(
    name: str | None = None, /, *, weights: dict[str, float] | None = None, floor: float = -math.inf
) -> Callable[[Function], Function]:
    """Declare an evaluator's weights, the value of a lost board, or a name for specs.

    >>> @evaluator("room", weights={"empty": 10.0})
    ... def room(board, weights):
    ...     return weights.empty * empty(board)
    """

    def declare(function: Function) -> Function:
        function.contienda = _Declared(weights or {}, floor)  # type: ignore[attr-defined]
        if name is not None:
            _registered[name] = function
        return function

    return declare


def registered(name: str) -> bool:
    """Whether `evaluator` has given a function this name, in this process."""
    return name in _registered


def installed(name: str) -> EntryPoint | None:
    """The evaluator that an installed package offers under this name."""
    return next(iter(entry_points(group="contienda.evaluators", name=name)), None)


def load_custom(name: str, game: Game, weights: dict[str, float]) -> CompiledEvaluator:
    """Compile the function that a user named, and try it once: what is wrong with it is said here, in one line."""
    function = _find(name)
    declared: _Declared = getattr(function, "contienda", _Declared({}, -math.inf))
    check_weights(name, weights, declared.weights)
    values = declared.weights | weights
    record = weights_record(values)
    compiled = function if hasattr(function, "py_func") else njit(function)

    @njit
    def evaluate(state, weights):
        return float(compiled(state, weights))

    _try_out(name, function, evaluate, record, game)
    return CompiledEvaluator(
        name, evaluate, record, lambda state: {"value": float(evaluate(state, record))}, values, declared.floor
    )


# --- Finding the function --------------------------------------------------------------------------------------------


def _find(name: str) -> Callable[..., Any]:
    if name in _registered:
        return _registered[name]
    entry = installed(name)
    if entry is not None:
        name = entry.value
    place, _, function_name = name.rpartition(":")
    module = _load_file(place) if place.endswith(".py") else _load_module(place)
    function = getattr(module, function_name, None)
    if not callable(function):
        known = ", ".join(
            n for n, f in vars(module).items() if inspect.isfunction(f) and f.__module__ == module.__name__
        )
        raise BadInput(
            f"{place} has no function {function_name!r}: it has {known or 'none'}",
            f"{place} no tiene la función {function_name!r}: tiene {known or 'ninguna'}",
        )
    parameters = inspect.signature(getattr(function, "py_func", function)).parameters
    if len(parameters) != 2:
        raise BadInput(
            f"{name} must take (board, weights), and takes ({', '.join(parameters)})",
            f"{name} debe recibir (board, weights), y recibe ({', '.join(parameters)})",
        )
    return function


def _load_file(place: str) -> ModuleType:
    path = Path(place).expanduser()
    if not path.is_file():
        raise BadInput(f"there is no file {place}", f"no existe el archivo {place}")
    name = f"contienda_user_{path.stem}"
    specification = importlib.util.spec_from_file_location(name, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module  # inspect, and so Numba, looks functions up there
    try:
        specification.loader.exec_module(module)
    except SyntaxError as error:
        raise BadInput(
            f"{place}:{error.lineno}: {error.msg}: {(error.text or '').strip()}",
            f"{place}:{error.lineno}: error de sintaxis: {(error.text or '').strip()}",
        ) from None
    except Exception as error:
        line = next(
            (f.lineno for f in reversed(traceback.extract_tb(error.__traceback__)) if f.filename == str(path)), 0
        )
        reason = f"{place}:{line}: {type(error).__name__}: {error}"
        raise BadInput(reason, reason) from None
    return module


def _load_module(place: str) -> ModuleType:
    try:
        return importlib.import_module(place)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise BadInput(f"cannot import {place!r}: {reason}", f"no se puede importar {place!r}: {reason}") from None


# --- Trying it out ---------------------------------------------------------------------------------------------------


def _try_out(name: str, function: Callable[..., Any], evaluate: Any, record: Any, game: Game) -> None:
    """Compile and call once on the states around the start of a game."""
    states = [game.start(generator(seed)) for seed in range(3)]
    states += [game.apply(state, action) for state in states for action in game.legal_actions(state)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Numba's remarks on types; what matters comes as an error
            evaluate.compile((numba.typeof(states[0]), numba.typeof(record)))  # in whatever time that takes
            values = in_time(lambda: [evaluate(state, record) for state in states], Stop(), _TRIAL_SECONDS)
    except (numba.core.errors.NumbaError, numba.core.errors.UnsupportedBytecodeError) as error:
        raise _does_not_compile(name, function, error) from None
    except BadInput:
        raise BadInput(
            f"{name} has not come back within {_TRIAL_SECONDS:g} s on a starting board: does it loop for ever?",
            f"{name} no ha vuelto en {_TRIAL_SECONDS:g} s con un tablero inicial: ¿es un bucle sin fin?",
        ) from None
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise BadInput(
            f"{name} fails on a starting board: {reason}", f"{name} falla con un tablero inicial: {reason}"
        ) from None
    if any(math.isnan(value) for value in values):
        raise BadInput(f"{name} gives NaN on a starting board", f"{name} da NaN con un tablero inicial")


def _does_not_compile(name: str, function: Callable[..., Any], error: Exception) -> BadInput:
    """A Numba error, cut down to the user's line and the reason."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    plain = getattr(function, "py_func", function)
    source = Path(inspect.getsourcefile(plain) or "")
    code, first = inspect.getsourcelines(plain)
    line = _line(text, source, code, first)
    reason = _reason(text)
    what = f"{source}:{line}: `{code[line - first].strip()}`"
    return BadInput(
        f"{what} does not compile: {reason.en}; use numbers, if, for, while and contienda.evaluation.board",
        f"{what} no se puede compilar: {reason.es}; usa números, if, for, while y contienda.evaluation.board",
    )


def _line(text: str, source: Path, code: list[str], first: int) -> int:
    """The line of the user's function that a Numba message speaks of."""
    undefined = re.search(r"name '(\w+)' is not defined", text)
    if undefined:
        return next((first + i for i, line in enumerate(code) if re.search(rf"\b{undefined.group(1)}\b", line)), first)
    places = re.findall(r'File "([^"]+)", line (\d+)', text) + re.findall(r" at (\S+) \((\d+)\)", text)
    lines = [int(n) for file, n in places if Path(file).name == source.name]
    return next((n for n in reversed(lines) if first <= n < first + len(code)), first)


def _reason(text: str) -> Text:
    """What a Numba message says, for a person."""
    told = [line.strip() for line in text.splitlines() if line.strip()]
    signature = next((line.removeprefix(">>> ") for line in told if line.startswith(">>>")), "")
    if signature.startswith("float("):
        return Text("it must return a number", "debe devolver un número")
    if signature:
        types = re.sub(r"Literal\[\w+\]\(([^)]*)\)", r"\1", signature)
        return Text(f"there is no {types}", f"no existe {types}")
    meaningful = [line for line in told if not line.startswith(("Failed in nopython", "During", "File", "<source"))]
    reason = (meaningful or told)[0].removeprefix("NameError: ").removesuffix(". Raised from None")
    return Text(reason, reason)
