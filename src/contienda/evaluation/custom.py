"""Evaluators that users write: plain Python, compiled into the search.

A function of ``(board, weights)`` that returns a number is enough; name it ``FILE.py:FUNCTION`` or ``MODULE:FUNCTION``.
`evaluator` gives it weights that a spec can set, or a name of its own; a package offers its evaluators under the
entry-point group ``contienda.evaluators``.
"""

from __future__ import annotations

import importlib
import inspect
import math
import re
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from contienda.core import Game, State
from contienda.evaluation.catalogue import changed_weights
from contienda.evaluation.compiled import CompiledEvaluator, weights_record
from contienda.jit import keep, njit, numba
from contienda.language import BadInput, Text
from contienda.rng import generator
from contienda.stopping import Stop, in_time

__all__ = ["blame", "evaluator", "installed", "load_custom", "registered"]

#: A heuristic takes microseconds; one that has not come back in this many seconds never will.
_TRIAL_SECONDS = 5.0

Function = TypeVar("Function", bound=Callable[..., Any])


class _Declared(NamedTuple):
    """What `evaluator` notes on a function."""

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

    ``bounds`` are the least and the most that it ever says: a search may cut off by them, and trusts them. With
    ``symmetric`` it values a board and its mirror images alike.

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
    """Whether `evaluator` has given a function this name, in this process."""
    return name in _registered


def installed(name: str) -> EntryPoint | None:
    """The evaluator that an installed package offers under this name."""
    return next(iter(entry_points(group="contienda.evaluators", name=name)), None)


def load_custom(name: str, game: Game, weights: Mapping[str, str | float]) -> CompiledEvaluator:
    """Compile the function that a user named, and try it once: what is wrong with it is said here, in one line."""
    function = _find(name)
    declared: _Declared = getattr(function, "contienda", _Declared({}))
    values = changed_weights(name, declared.weights, weights)
    record = weights_record(values)
    compiled = function if hasattr(function, "py_func") else njit(function)
    keep(compiled)  # not as Numba would, which misses edits in the modules that the file imports

    @njit
    def evaluate(state, weights):
        return float(compiled(state, weights))

    source = _Source(function)
    _sources.append(source)
    states = [game.start(generator(seed)) for seed in range(3)]
    states += [game.apply(state, action) for state in states for action in game.legal_actions(state)]
    _compile(source, compiled, states[0], record)
    _try_out(name, evaluate, record, states)
    return CompiledEvaluator(
        name,
        evaluate,
        record,
        lambda state: {"value": float(evaluate(state, record))},
        values,
        declared.floor,
        declared.bounds,
        declared.symmetric,
    )


# --- Finding the function --------------------------------------------------------------------------------------------


def _find(name: str) -> Callable[..., Any]:
    entry = installed(name)
    place, _, function_name = (name if entry is None else entry.value).rpartition(":")
    function: Any
    if name in _registered:
        function = _registered[name]
    else:
        module = _load_file(place) if place.endswith(".py") else _load_module(place, function_name)
        function = getattr(module, function_name, None)
    plain = getattr(function, "py_func", function)
    if not inspect.isfunction(plain):
        known = ", ".join(
            n for n, f in vars(module).items() if inspect.isfunction(f) and f.__module__ == module.__name__
        )
        raise BadInput(
            f"{place} has no function {function_name!r}: it has {known or 'none'}",
            f"{place} no tiene la función {function_name!r}: tiene {known or 'ninguna'}",
        )
    parameters = inspect.signature(plain).parameters
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
    module = ModuleType(f"contienda_user_{path.stem}")
    module.__file__ = str(path.absolute())
    sys.modules[module.__name__] = module  # inspect, and so Numba, looks functions up there
    try:
        with _imports_anew(path.absolute().parent):
            exec(compile(path.read_bytes(), module.__file__, "exec", dont_inherit=True), vars(module))
    except SyntaxError as error:
        raise BadInput(
            f"{place}:{error.lineno}: {error.msg}: {(error.text or '').strip()}",
            f"{place}:{error.lineno}: error de sintaxis: {(error.text or '').strip()}",
        ) from None
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        line = next((f":{f.lineno}" for f in reversed(frames) if Path(f.filename).name == path.name), "")
        reason = f"{place}{line}: {type(error).__name__}: {error}"
        raise BadInput(reason, reason) from None
    return module


#: Modules of users that their files have imported.
_imported: set[str] = set()
_importing = threading.RLock()


@contextmanager
def _imports_anew(folder: Path) -> Iterator[None]:
    """Let a user's file import the modules of its folder as they are now, whatever was imported before.

    Not through Python's cache of compiled files, which takes two edits within a second for one.
    """
    with _importing:
        for name in _imported:
            sys.modules.pop(name, None)
        _imported.clear()
        before, writes_none = set(sys.modules), sys.dont_write_bytecode
        sys.dont_write_bytecode = True
        importlib.invalidate_caches()
        try:
            yield
        finally:
            sys.dont_write_bytecode = writes_none
            _imported.update(name for name in set(sys.modules) - before if _lies_in(folder, name))


def _lies_in(folder: Path, name: str) -> bool:
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None or name.partition(".")[0] == "contienda" or "site-packages" in Path(file).parts:
        return False
    return Path(file).is_relative_to(folder)


def _load_module(place: str, function_name: str) -> ModuleType:
    try:
        return importlib.import_module(place)
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        en, es = f"cannot import {place!r}: {reason}", f"no se puede importar {place!r}: {reason}"
        if Path(f"{place}.py").is_file():
            meant = f"./{place}.py:{function_name}"
            en, es = f"{en}; for the file here write {meant}", f"{es}; para el archivo de aquí escribe {meant}"
        raise BadInput(en, es) from None


# --- Trying it out ---------------------------------------------------------------------------------------------------


class _Source:
    """Where a user's function stands, and its lines."""

    def __init__(self, function: Callable[..., Any]) -> None:
        plain = getattr(function, "py_func", function)
        self.file = plain.__code__.co_filename
        self.first = plain.__code__.co_firstlineno
        try:
            self.code, self.first = inspect.getsourcelines(plain)
        except OSError:  # typed into an interpreter
            self.code = []

    def tell(self, line: int | None) -> str:
        """A place in the file, and what stands there."""
        line = self.first if line is None else line
        place = f"{self.file}:{line}"
        inside = self.first <= line < self.first + len(self.code)
        return f"{place}: `{self.code[line - self.first].strip()}`" if inside else place

    def line_with(self, pattern: str) -> int | None:
        """The first line below the ``def`` that has something."""
        found = (self.first + i for i, line in enumerate(self.code) if i and re.search(pattern, line))
        return next(found, None)


#: The evaluators of users that this process has loaded.
_sources: list[_Source] = []


def blame(error: BaseException) -> BadInput | None:
    """What a user's evaluator did wrong in the midst of a search, if it was one that raised this."""
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        # The last to be loaded of a file that was edited and loaded again.
        source = next((source for source in reversed(_sources) if source.file == frame.filename), None)
        if source is not None:
            return _failed(source.tell(frame.lineno), error)
    raised = frames[-1] if frames else None
    if raised is not None and any(Path(raised.filename).parent == Path(source.file).parent for source in _sources):
        return _failed(f"{raised.filename}:{raised.lineno}: `{raised.line}`", error)  # in a module beside it
    # Compiled code does not tell the line of a division by zero; the evaluators of the catalogue divide by none.
    return _failed(_sources[-1].file, error) if _sources and isinstance(error, ArithmeticError) else None


def _failed(where: str, error: BaseException) -> BadInput:
    reason = f"{type(error).__name__}: {error}"
    return BadInput(f"{where} fails: {reason}", f"{where} falla: {reason}")


def _compile(source: _Source, compiled: Any, state: State, record: Any) -> None:
    """Compile a user's function, in whatever time that takes, or say in one line why it cannot be."""
    types = numba.typeof(state), numba.typeof(record)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Numba's remarks on types; what matters comes as an error
            compiled.compile(types)
    except Exception as error:  # Numba's own, and what Python raises while Numba looks at the code
        line, reason = _explain(source, error)
    else:
        returned = numba.types.unliteral(compiled.overloads[types].signature.return_type)
        if isinstance(returned, numba.types.Integer | numba.types.Float):
            return
        line = None
        reason = Text(
            f"it must return a number in every case, and returns {returned!s:.40}",
            f"debe devolver un número en todos los casos, y devuelve {returned!s:.40}",
        )
    what = source.tell(line)
    raise BadInput(
        f"{what} does not compile: {reason.en}; use numbers, if, for, while and contienda.evaluation.board",
        f"{what} no se puede compilar: {reason.es}; usa números, if, for, while y contienda.evaluation.board",
    )


def _try_out(name: str, evaluate: Any, record: Any, states: list[State]) -> None:
    """Call the evaluator on the states around the start of a game."""
    evaluate.compile((numba.typeof(states[0]), numba.typeof(record)))
    try:
        values = in_time(lambda: [evaluate(state, record) for state in states], Stop(), _TRIAL_SECONDS)
    except BadInput:
        raise BadInput(
            f"{name} has not come back within {_TRIAL_SECONDS:g} s on a starting board: does it loop for ever?",
            f"{name} no ha vuelto en {_TRIAL_SECONDS:g} s con un tablero inicial: ¿es un bucle sin fin?",
        ) from None
    except Exception as error:
        raise (blame(error) or _failed(name, error)) from None
    if any(math.isnan(value) for value in values):
        raise BadInput(f"{name} gives NaN on a starting board", f"{name} da NaN con un tablero inicial")


# --- Numba's words ---------------------------------------------------------------------------------------------------

#: What Numba, or Python, says of a function that does not compile, as a pattern; what a person needs to know; and the
#: pattern of the line that it is about, where Numba does not tell.
_KNOWN: list[tuple[str, Text, str]] = [
    (
        r"name '(?P<name>\w+)' is not defined",
        Text("the name {name!r} is not defined", "el nombre {name!r} no está definido"),
        r"\b{name}\b",
    ),
    (
        r"Unknown attribute '(?P<name>\w+)' of type (?P<type>\w+)",
        Text("a {type} has no {name!r}", "un {type} no tiene {name!r}"),
        r"\.{name}\b",
    ),
    (
        r"^'(?P<name>\w+)'$",  # a KeyError: weights is a record, and the name is not among its fields
        Text(
            "there is no weight {name!r}: declare it with @evaluator(weights={{'{name}': 1.0}})",
            "no hay peso {name!r}: decláralo con @evaluator(weights={{'{name}': 1.0}})",
        ),
        r"\.{name}\b",
    ),
    (
        r"module '(?P<module>\w+)' has no attribute '(?P<name>\w+)'",
        Text("the module {module} has no {name!r}", "el módulo {module} no tiene {name!r}"),
        r"\.{name}\b",
    ),
    (
        r"Untyped global name '(?P<name>\w+)':.* <class 'function'>",
        Text(
            "{name} is a plain function: write @njit before it (from numba import njit)",
            "{name} es una función corriente: escribe @njit delante (from numba import njit)",
        ),
        r"\b{name}\b",
    ),
    (
        r"The 'with \(context manager\)",
        Text("with is not supported", "with no se puede usar"),
        r"^\s*(async )?with\b",
    ),
]


def _explain(source: _Source, error: Exception) -> tuple[int | None, Text]:
    """The user's line that an error is about, and the reason."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    place = getattr(error, "loc", None)
    line = place.line if place is not None and place.filename == source.file else None
    for pattern, reason, where in _KNOWN:
        if found := re.search(pattern, text):
            named = found.groupdict()
            if line is None:
                line = source.line_with(where.format(**named))
            return line, Text(reason.en.format(**named), reason.es.format(**named))
    told = [line.strip() for line in text.splitlines() if line.strip()]
    signature = next((line.removeprefix(">>> ") for line in told if line.startswith(">>>")), "")
    if signature:
        types = re.sub(r"Literal\[\w+\]\(([^)]*)\)", r"\1", signature)
        return line, Text(f"there is no {types}", f"no existe {types}")
    noise = ("Failed in nopython", "During", "File", "<source")
    reasons = [line for line in told if not line.startswith(noise)] or told or [type(error).__name__]
    first = reasons[0].removesuffix(". Raised from None").removesuffix(".")
    return line, Text(first, first)
