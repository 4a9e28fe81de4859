"""A compiled function, and everything that it calls, as plain Python: the same lines with nothing to compile.

Numba takes seconds for what the interpreter often answers in hundredths: a rule that Python calls, a small search, a
heuristic just written. `in_python` copies a function so that the compiled functions it calls are plain ones too.
Integers are NumPy's of 64 bits there, its constants too (`as_words`): they overflow as compiled ones do.
"""

from __future__ import annotations

import builtins
import dis
import time
from collections.abc import Callable
from itertools import pairwise
from types import CellType, CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from contienda.compiled import jit, noting
from contienda.compiled.numba_internals import CPUDispatcher, Intrinsic

__all__ = ["Fields", "NotInPython", "as_ints", "as_words", "at_hand", "in_python", "like_compiled"]

#: 64 bits, as an unsigned number.
_WORD = (1 << 64) - 1


def _lowest(bits: int) -> int:
    word = int(bits) & _WORD
    return (word & -word).bit_length() - 1 if word else 64


def _nothing(*arguments: Any) -> None:
    """In the place of a function that only asks memory for what comes next (``only_prefetches``)."""


class _Widened:
    """An array of small integers whose elements are read with 64 bits: compiled code computes with no fewer."""

    __slots__ = ("_array",)

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    def __getitem__(self, index: Any) -> Any:
        return _wide(self._array[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        self._array[index] = value

    def __len__(self) -> int:
        return len(self._array)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._array, name)


def _wide(thing: Any) -> Any:
    """Return small integers of NumPy with 64 bits, those of an array as they are read; anything else as it is."""
    if isinstance(thing, np.integer) and thing.itemsize < 8:
        return np.int64(thing)
    if isinstance(thing, np.ndarray) and thing.dtype.kind in "iu" and thing.itemsize < 8:
        return _Widened(thing)
    return thing


#: What the machine's own instructions are in Python.
_INSTRUCTIONS: dict[Any, Callable[..., Any]] = {
    jit._ctpop: lambda bits: (int(bits) & _WORD).bit_count(),
    jit._cttz: _lowest,
    jit._clock: time.monotonic_ns,
    jit.scratch: lambda length: np.zeros(length, np.uint64),
    jit.prefetch: _nothing,
    jit.bits_of: lambda number: np.float64(number).view(np.int64),
    jit.float_of: lambda bits: np.int64(bits).view(np.float64),
    noting.noting: noting.note_state,
    jit.stretched: lambda first, length: _wide(jit.stretched(getattr(first, "_array", first), length)),  # type: ignore[no-untyped-call]
}


def _float(number: Any) -> Any:
    """Return a number as it is if it is no integer: what Numba makes of ``float``."""
    return number if isinstance(number, np.floating) else np.float64(number)


#: Python's own functions, as compiled code has them.
_BUILTINS: dict[str, Callable[..., Any]] = {"float": _float, "int": np.int64}

#: What of NumPy gives the same in the interpreter as compiled, to the last bit: not tanh, nor a sum of an array.
_EXACT = {
    *("abs", "bitwise_count", "ceil", "copysign", "empty", "floor", "inf", "isfinite", "isinf", "isnan", "maximum"),
    *("minimum", "nan", "nextafter", "sqrt", "trunc", "zeros", "bool_", "float32", "float64", "int8", "int16"),
    *("int32", "int64", "uint8", "uint16", "uint32", "uint64"),
}


class NotInPython(Exception):
    """A function that might give another number in the interpreter, in its last bit."""


#: The functions made so far.
_made: WeakKeyDictionary[Any, Callable[..., Any]] = WeakKeyDictionary()


def in_python(function: Any) -> Any:
    """Return a function that does in the interpreter what this one does compiled; of anything else, `as_words`.

    `NotInPython` if it might give another number.
    """
    if isinstance(function, Intrinsic) or function is jit.stretched:
        if function not in _INSTRUCTIONS:
            raise NotInPython
        return _INSTRUCTIONS[function]
    if getattr(function, "only_prefetches", False):
        return _nothing
    if isinstance(function, CPUDispatcher):
        plain: Any = function.py_func
    elif isinstance(function, FunctionType) and getattr(function, "py_func", None) is function:
        plain = function
    else:
        return as_words(_wide(function))
    if function not in _made:
        try:
            _made[function] = _copied(function, plain)
        except BaseException:
            _made.clear()  # some may call one that is not complete
            raise
    return _made[function]


def _copied(function: Any, plain: FunctionType) -> Callable[..., Any]:
    cells = tuple(CellType() for _ in plain.__closure__ or ())
    variables = {"__builtins__": plain.__globals__.get("__builtins__", builtins), "__name__": plain.__module__}
    copy = FunctionType(_with_words(plain.__code__), variables, plain.__name__, plain.__defaults__, cells)
    copy.__kwdefaults__ = plain.__kwdefaults__
    _made[function] = copy  # before what it calls, which may call it
    for cell, held in zip(cells, plain.__closure__ or (), strict=True):
        cell.cell_contents = in_python(held.cell_contents)
    names = _names(plain.__code__)
    variables |= {name: _BUILTINS[name] for name in names & _BUILTINS.keys()}
    for name in names & plain.__globals__.keys():
        held = plain.__globals__[name]
        if held is np and not _attributes_of(name, plain.__code__) <= _EXACT:
            raise NotInPython
        variables[name] = _within(held, names) if isinstance(held, ModuleType) else in_python(held)
    return copy


def _with_words(code: CodeType) -> CodeType:
    """Return the same code with constants as `as_words` makes them."""
    constants = (_with_words(each) if isinstance(each, CodeType) else as_words(each) for each in code.co_consts)
    return code.replace(co_consts=tuple(constants))


def _names(code: CodeType) -> set[str]:
    """Return the names that code uses, and the functions within it."""
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _attributes_of(name: str, code: CodeType) -> set[str]:
    """Return what code takes from the module of this name; all of it, "*", if the module itself is passed on."""
    found: set[str] = set()
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("EXTENDED_ARG", "PRECALL", "CACHE")]
    for step, following in pairwise(steps):
        if step.argval == name and step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            found.add(following.argval if following.opname in ("LOAD_ATTR", "LOAD_METHOD") else "*")
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return found.union(*(_attributes_of(name, each) for each in inner))


def _within(module: ModuleType, names: set[str]) -> Any:
    """Return a module whose compiled functions of these names are in Python."""
    found = {name: getattr(module, name) for name in names if hasattr(module, name)}
    copied = {name: in_python(held) for name, held in found.items()}
    return SimpleNamespace(**copied) if any(copied[name] is not found[name] for name in found) else module


def as_words(thing: Any) -> Any:
    """Return the same with NumPy's numbers of 64 bits for Python's, in tuples too.

    >>> as_words((3, 2.5))
    (np.int64(3), np.float64(2.5))
    """
    if type(thing) is int:
        return np.int64(thing) if -(1 << 63) <= thing < 1 << 63 else np.uint64(thing)
    if type(thing) is float:
        return np.float64(thing)
    if isinstance(thing, tuple):
        words = map(as_words, thing)
        return type(thing)(*words) if hasattr(thing, "_fields") else tuple(words)
    return thing


def as_ints(thing: Any) -> Any:
    """Return the same with Python's numbers for NumPy's, as a compiled function returns it.

    >>> as_ints((np.int64(3), np.float64(2.5), np.bool_(True)))
    (3, 2.5, True)
    """
    if isinstance(thing, np.integer | np.floating | np.bool_):
        return thing.item()
    if isinstance(thing, tuple):
        numbers = map(as_ints, thing)
        return type(thing)(*numbers) if hasattr(thing, "_fields") else tuple(numbers)
    return thing


class Fields:
    """A record whose fields are attributes, whatever their names: NumPy's own takes ``sum`` for a method."""

    __slots__ = ("_record",)

    def __init__(self, record: np.record) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        return _wide(self._record[name])

    def __setattr__(self, name: str, value: Any) -> None:
        self._record[name] = value

    __getitem__, __setitem__ = __getattr__, __setattr__


def like_compiled() -> np.errstate:
    """Return the context in which NumPy's numbers overflow, and divide by zero, as those of compiled code do."""
    return np.errstate(over="ignore", invalid="ignore", under="ignore", divide="raise")


def at_hand(function: Any) -> Callable[..., Any]:
    """Return `in_python` of a function with what Python passes and expects: its own integers."""
    plain = in_python(function)

    def call(*arguments: Any) -> Any:
        with like_compiled():
            return as_ints(plain(*(Fields(a) if isinstance(a, np.record) else as_words(a) for a in arguments)))

    return call
