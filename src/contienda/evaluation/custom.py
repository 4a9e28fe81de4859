"""Evaluators that users write: plain Python, compiled into the search.

A function of ``(board, weights)`` that returns a number is enough, or a named tuple of numbers, the terms, whose sum is
the value; name it ``FILE.py:FUNCTION`` or ``MODULE:FUNCTION``.
`evaluator` gives it weights that a spec can set, or a name; a package offers its evaluators under the entry-point group
``contienda.evaluators``.
"""

from __future__ import annotations

import inspect
import logging
import math
import re
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar

from contienda.compiled.jit import keep, njit, numba
from contienda.compiled.noting import noting, room_for_failure
from contienda.compiled.rng import below, generator
from contienda.compiled.stopping import Stop, in_time
from contienda.core import extensions
from contienda.core.evaluator import CompiledEvaluator, Evaluator, changed_weights, weights_record
from contienda.core.extensions import load, loadable, offered, remember_author, where_it_fails
from contienda.core.game import Game, State
from contienda.core.language import BadInput, Text
from contienda.evaluation.called import compile_what_it_calls, for_size
from contienda.evaluation.failing import position_text, told_failure, watch
from contienda.evaluation.plain import interpret
from contienda.evaluation.safe import is_safe, load_safe

__all__ = [
    "GROUP",
    "blame_heuristic",
    "evaluator",
    "installed_evaluators",
    "larger_than_a_win",
    "load_custom",
    "registered",
]

#: The entry points under which a package offers its evaluators.
GROUP = "contienda.evaluators"

_FUNCTION = Text("function")

#: A heuristic takes microseconds; one that has not returned after this many seconds never will.
_TRIAL_SECONDS = 5.0
#: Moves of the random games on which it is tried.
_TRIAL_MOVES = 20

Function = TypeVar("Function", bound=Callable[..., Any])


class _Declared(NamedTuple):
    """The record that `evaluator` keeps about a function."""

    weights: dict[str, float]
    floor: float = -math.inf
    bounds: tuple[float, float] | None = None
    symmetric: bool = False


_registered: dict[str, Callable[..., Any]] = {}


def evaluator(
    name: str | None = None,
    /,
    *,
    weights: dict[str, float] | None = None,
    floor: float = -math.inf,
    bounds: tuple[float, float] | None = None,
    symmetric: bool = False,
) -> Callable[[Function], Function]:
    """Declare an evaluator's weights, the value of a lost board, or a name for specs.

    ``bounds`` are the smallest and largest value that it can return; searches prune by them and do not check them.
    ``symmetric`` declares that a board and its mirror images have the same value.

    >>> @evaluator("room", weights={"empty": 10.0})
    ... def room(board, weights):
    ...     return weights.empty * empty(board)
    """
    if name is not None and not isinstance(name, str):
        raise TypeError("write @evaluator() with its brackets, or @evaluator('name')")
    numbers = {key: float(value) for key, value in (weights or {}).items()}

    def declare(function: Function) -> Function:
        function.contienda = _Declared(numbers, floor, bounds, symmetric)  # type: ignore[attr-defined]
        if name is not None:
            _registered[name] = function
        return function

    return declare


def registered(name: str) -> bool:
    """Return whether `evaluator` has registered a function under this name in this process."""
    return name in _registered


def load_custom(name: str, game: Game, weights: Mapping[str, str | float]) -> CompiledEvaluator:
    """Compile a user's function and call it once; `BadInput` reports in one line what is wrong with it."""
    if is_safe(name):
        safe = load_safe(name, game)
        function, declared = safe.function, _Declared(safe.checked.weights, safe.checked.floor)
    else:
        function = _find(name, game)
        declared = getattr(function, "contienda", _Declared({}))
    values = changed_weights(name, declared.weights, weights)
    if not game.compiled:
        remember_author(function)
        return interpret(name, game, function, values, floor=declared.floor, bounds=declared.bounds)
    record = weights_record(values, **room_for_failure())
    sized = game.sized_helpers() if isinstance(game, Game) else {}  # a problem has a single size
    if sized:
        function = for_size(function, sized)
    compile_what_it_calls(getattr(function, "py_func", function))
    compiled = function if hasattr(function, "py_func") else njit(function)
    keep(compiled)  # not as Numba would, which misses edits in the modules that the file imports
    global _last
    source = _Source(function)
    _last = source.file
    remember_author(function if hasattr(function, "__code__") else function.py_func)  # type: ignore[attr-defined]
    states = _first_states(game)
    fields = _compile(source, compiled, states[0], record, game.helpers)
    evaluate = _sum_of(compiled, len(fields)) if fields else _number(compiled)
    watch(name, compiled, game, record)
    _try_out(name, evaluate, record, states, game)
    return CompiledEvaluator(
        name,
        evaluate,
        record,
        lambda state: dict(
            zip(fields, map(float, compiled(state, record)), strict=True)
            if fields
            else {"value": float(evaluate(state, record))}
        ),
        values,
        declared.floor,
        declared.bounds,
        declared.symmetric,
        weighted=bool(fields),
    )


def installed_evaluators() -> list[Evaluator]:
    """Return the evaluators that installed packages offer, for lists: they fit the games that they were written for."""
    functions = loadable(GROUP, lambda name: load(name, GROUP, _is_function, _FUNCTION))
    return [_as_evaluator(name, function) for name, function in functions.items()]


def _as_evaluator(name: str, function: Callable[..., Any]) -> Evaluator:
    return Evaluator(
        name,
        weights=getattr(function, "contienda", _Declared({})).weights,
        formula=offered(GROUP)[name].value,
        meaning=Text("{about}", about=(inspect.getdoc(function) or "").partition("\n")[0]),
        build=lambda evaluator, game: load_custom(name, game, evaluator.weights),
    )


def _number(compiled: Callable[..., float]) -> Callable[..., float]:
    @njit
    def evaluate(state, weights):
        return float(noting(compiled, state, weights))

    return evaluate


def _sum_of(compiled: Callable[..., Any], count: int) -> Callable[..., float]:
    """Return the sum of the terms that a function returns."""
    total = _first
    for i in range(1, count):
        total = _and_field(total, i)

    @njit
    def evaluate(state, weights):
        return total(noting(compiled, state, weights))

    return evaluate


@njit
def _first(terms):
    return 1.0 * terms[0]


def _and_field(total: Callable[..., float], i: int) -> Callable[..., float]:
    @njit
    def one_more(terms):
        return total(terms) + terms[i]

    return one_more


# --- Finding the function --------------------------------------------------------------------------------------------


def _find(name: str, game: Game) -> Callable[..., Any]:
    function = _registered[name] if name in _registered else load(name, GROUP, _is_function, _FUNCTION)
    plain = getattr(function, "py_func", function)
    parameters = inspect.signature(plain).parameters
    if len(parameters) != 2 and (game.compiled or len(parameters) != 3):
        wanted = (
            "(board, weights)"
            if game.compiled
            else "(position, weights) / (position, mover) / (position, mover, weights)"
        )
        raise BadInput(
            "{name} must take {wanted}; it takes ({parameters})",
            name=name,
            wanted=wanted,
            parameters=", ".join(parameters),
        )
    return function


def _is_function(found: Any) -> bool:
    return inspect.isfunction(getattr(found, "py_func", found))


def _at(line: int | None, error: BadInput) -> BadInput:
    """Return an error about a line of a user's file."""
    error.line = line
    return error


# --- Trying it out ---------------------------------------------------------------------------------------------------


class _Source:
    """The place of a user's function and its source lines."""

    def __init__(self, function: Callable[..., Any]) -> None:
        plain = getattr(function, "py_func", function)
        self.file = plain.__code__.co_filename
        self.first = plain.__code__.co_firstlineno
        try:
            self.code, self.first = inspect.getsourcelines(plain)
        except OSError:  # typed into an interpreter
            self.code = []

    def tell(self, line: int | None) -> str:
        """Return a place in the file and the text of its line."""
        line = self.first if line is None else line
        place = f"{self.file}:{line}"
        inside = self.first <= line < self.first + len(self.code)
        return f"{place}: `{self.code[line - self.first].strip()}`" if inside else place

    def line_with(self, pattern: str) -> int | None:
        """Return the first line below the ``def`` that contains a text."""
        found = (self.first + i for i, line in enumerate(self.code) if i and re.search(pattern, line))
        return next(found, None)


#: The file of the evaluator that this process loaded last.
_last: str | None = None


def blame_heuristic(error: BaseException) -> BadInput | None:
    """Return the error for an exception that a user's code raised during a search; None if it came from elsewhere."""
    told = (None if isinstance(error, BadInput) else told_failure(error)) or extensions.blame(error)
    if told is None and _last is not None and isinstance(error, ArithmeticError):
        # Compiled code does not tell the line of a division by zero; the evaluators of the catalogue divide by none.
        return where_it_fails(_last, error)
    return told


def _compile(source: _Source, compiled: Any, state: State, record: Any, helpers: str) -> tuple[str, ...]:
    """Compile a user's function, without a time limit, and return the names of its terms, if it returns any.

    `BadInput` says in one line why it cannot be compiled.
    """
    types = numba.typeof(state), numba.typeof(record)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Numba's remarks on types; anything important is raised as an error
            compiled.compile(types)
    except Exception as error:  # Numba's own errors, and those that Python raises while Numba reads the code
        line, reason = _explain(source, error)
    else:
        returned = numba.types.unliteral(compiled.overloads[types].signature.return_type)
        numbers = numba.types.Integer | numba.types.Float
        if isinstance(returned, numbers):
            return ()
        named = isinstance(returned, numba.types.NamedTuple | numba.types.NamedUniTuple)
        if named and all(isinstance(numba.types.unliteral(kind), numbers) for kind in returned):
            return tuple(returned.fields)
        line = None
        reason = Text(
            "it must always return a number, or a named tuple of numbers; it returns {returned!s:.40}",
            returned=returned,
        )
    line = source.first if line is None else line
    where = source.tell(line)
    if helpers:
        told = BadInput(
            "{where} does not compile: {reason}; use numbers, if, for, while and {helpers}",
            where=where,
            reason=reason,
            helpers=helpers,
        )
    else:
        told = BadInput(
            "{where} does not compile: {reason}; use numbers, if, for and while", where=where, reason=reason
        )
    raise _at(line, told)


def _first_states(game: Game) -> list[State]:
    """Return the states around the start of a game, and those of a few random games as far as `_TRIAL_MOVES`."""
    starts = [game.start(generator(seed)) for seed in range(3)]
    states = starts + [game.apply(state, action) for state in starts for action in game.legal_actions(state)]
    for seed, state in enumerate(starts):
        luck = generator(seed)
        for _ in range(_TRIAL_MOVES):
            actions = game.legal_actions(state)
            if not actions:
                break
            state = game.apply(state, actions[below(luck, len(actions))])
            states.append(state)
    return states


def _try_out(name: str, evaluate: Any, record: Any, states: list[State], game: Game) -> None:
    """Call the evaluator on states of the first moves."""
    evaluate.compile((numba.typeof(states[0]), numba.typeof(record)))
    try:
        values = in_time(lambda: [evaluate(state, record) for state in states], Stop(), _TRIAL_SECONDS, computing=True)
    except BadInput:
        raise BadInput(
            "{name} did not return within {trial_seconds:,g} s on a starting board: does it loop forever?",
            name=name,
            trial_seconds=_TRIAL_SECONDS,
        ) from None
    except Exception as error:
        raise (blame_heuristic(error) or where_it_fails(name, error)) from None
    for state, value in zip(states, values, strict=True):
        if math.isnan(value):
            raise BadInput("{name} returns NaN on {position}", name=name, position=position_text(game, state))
    remark = larger_than_a_win(name, game, states, values)
    if remark is not None:
        _tell_once(name, str(remark))


def larger_than_a_win(name: str, game: Game, states: list[State], values: list[float]) -> Text | None:
    """Return a remark on an estimate beyond the value of a win, if there is one: a search would prefer it to winning.

    A game whose ends have no value of their own, such as 2048, has no such limit.
    """
    low, high = game.utility_bounds if isinstance(game, Game) else (0.0, 0.0)  # the goal of a problem has no value
    if not low < high:
        return None
    state, value = max(zip(states, values, strict=True), key=lambda pair: abs(pair[1]))
    most = max(abs(low), abs(high))
    if not abs(value) > most:
        return None
    return Text(
        "{name} returns {value:,.6g} on {position}: more than a win, {most:,.6g}, so a search may prefer it to winning",
        name=name,
        value=value,
        position=position_text(game, state),
        most=most,
    )


@cache
def _tell_once(name: str, remark: str) -> None:
    """Log a remark on an evaluator; people see it on stderr."""
    logging.getLogger(__name__).warning("%s", remark)


# --- Numba's words ---------------------------------------------------------------------------------------------------

#: What Numba, or Python, says of a function that does not compile, as a pattern; what a person needs to know; and the
#: pattern of the line that it is about, where Numba does not tell.
_KNOWN: list[tuple[str, Text, str]] = [
    (
        r"name '(?P<name>\w+)' is not defined",
        Text("the name {name!r} is not defined"),
        r"\b{name}\b",
    ),
    (
        r"Unknown attribute '(?P<name>\w+)' of type (?P<type>\w+)",
        Text("a {type} has no {name!r}"),
        r"\.{name}\b",
    ),
    (
        r"^'(?P<name>\w+)'$",  # a KeyError: weights is a record, and the name is not among its fields
        Text("there is no weight {name!r}: declare it with @evaluator(weights={{'{name}': 1.0}})"),
        r"\.{name}\b",
    ),
    (
        r"module '(?P<module>\w+)' has no attribute '(?P<name>\w+)'",
        Text("the module {module} has no {name!r}"),
        r"\.{name}\b",
    ),
    (
        r"The 'with \(context manager\)",
        Text("with is not supported"),
        r"^\s*(async )?with\b",
    ),
]


def _explain(source: _Source, error: Exception) -> tuple[int | None, Text]:
    """Return the user's line that caused an error, and the reason."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    place = getattr(error, "loc", None)
    line = place.line if place is not None and place.filename == source.file else None
    for pattern, reason, where in _KNOWN:
        if found := re.search(pattern, text):
            named = found.groupdict()
            if line is None:
                line = source.line_with(where.format(**named))
            return line, Text(reason.message, **named)
    told = [line.strip() for line in text.splitlines() if line.strip()]
    signature = next((line.removeprefix(">>> ") for line in told if line.startswith(">>>")), "")
    if signature:
        types = re.sub(r"Literal\[\w+\]\(([^)]*)\)", r"\1", signature)
        return line, Text("there is no {types}", types=types)
    noise = ("Failed in nopython", "During", "File", "<source")
    reasons = [line for line in told if not line.startswith(noise)] or told or [type(error).__name__]
    first = reasons[0].removesuffix(". Raised from None").removesuffix(".")
    return line, Text("{first}", first=first)
