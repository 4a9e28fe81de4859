"""The content of a compiled function as one hash: the name under which its machine code is kept.

Everything that Numba builds into machine code counts: a function's instructions and constants, what its closure and its
globals hold, and the same of every function reached from there, through modules too (``helpers.f``, ``helpers.SCALE``).
Numba, NumPy, llvmlite and Python's own library count by their versions. Anything else that a function holds cannot be
hashed: its code is then not kept, and `Content.unknown` says why.

Numba freezes globals when it compiles. Code compiled earlier in this process may therefore hold older values than the
globals have now; that is detected, and such code is not kept either.
"""

from __future__ import annotations

import dis
import enum
import inspect
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from itertools import count
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from contienda.compiled.numba_internals import (
    Dispatcher,
    Intrinsic,
    NumbasCache,
    Signature,
    cache_of,
    foreign_extension,
    options_of,
    types,
)
from contienda.core.language import Text

__all__ = ["Content", "versions"]

#: Larger arrays are not hashed: none of our searches holds one.
_LARGEST_ARRAY = 1 << 24

#: Packages identified by their version, which is part of every name; Python's own library by Python's version.
_BY_VERSION = frozenset(("llvmlite", "numba", "numpy")) | sys.stdlib_module_names

#: Plain functions of this module have another form in compiled code (``@overload``), defined in the same module.
_OVERLOADS = "contienda.compiled.jit"

#: Machine code contains the file and line of each ``raise``, so the same text elsewhere compiles to different code.
_RAISES = frozenset(dis.opmap[name] for name in ("RAISE_VARARGS", "RERAISE"))
#: Instructions that read a variable, which may hold a module, and those that read an attribute of it.
_READS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF")
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")

_NUMBERS = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range)
#: Numba's types that are fully described by their key.
_PLAIN_TYPES = (types.Number, types.Boolean, types.NoneType, types.Record, types.UnicodeType)

#: A unique number for every function seen, and the function's content when it was first seen.
_serials: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
_next_serial = count()
_first_look: WeakKeyDictionary[Any, tuple[Any, ...]] = WeakKeyDictionary()


@cache
def versions() -> dict[str, str]:
    """Return what determines machine code besides functions: the versions of Python and the compiling packages."""
    return {"python": sys.version.split()[0]} | {name: version(name) for name in ("llvmlite", "numba", "numpy")}


class Content:
    """The hash of a function that Numba compiles, for given argument types."""

    def __init__(self, function: Any, signature: object, settings: str) -> None:
        self.unknown: Text | None = None
        """Why the content cannot be hashed, or None."""
        self.cached_by_numba: list[Any] = []
        """Functions with Numba's own cache, which could supply stale code."""
        self._hash = blake2b(digest_size=20)
        self._found: dict[Any, int] = {}
        self._waiting: deque[Any] = deque()
        _feed(self._hash, sys.version, repr(sorted(versions().items())), settings)
        extended = foreign_extension()
        if extended is not None:
            self._is_unknown(Text("{extended} extends Numba, which may change all code", extended=extended))
        self._number(function)
        arguments = _Part(self, "")
        arguments.add(signature)
        _feed(self._hash, arguments.digest(), repr(arguments.functions))
        while self._waiting:
            self._look_into(self._waiting.popleft())

    @property
    def name(self) -> str:
        return self._hash.hexdigest()

    def _is_unknown(self, text: Text) -> None:
        self.unknown = self.unknown or text

    def _number(self, function: Any) -> int:
        """Return the index of a function among those found. Each is hashed once: they may call each other."""
        if function not in self._found:
            self._found[function] = len(self._found)
            self._waiting.append(function)
        return self._found[function]

    def _look_into(self, function: Any) -> None:
        if isinstance(function, Intrinsic):
            # It emits machine code itself. For ours the whole source counts; others cannot be hashed.
            name = str(function._name)
            source = _source_of(function.__module__) if _ours(function.__module__) else None
            if source is None:
                self._is_unknown(Text("{name} is an intrinsic", name=name))
            _feed(self._hash, "intrinsic", name, source or b"")
            return
        plain = getattr(function, "py_func", function)
        name = f"{plain.__module__}.{plain.__qualname__}"
        part = _Part(self, name)
        if isinstance(function, Dispatcher):
            options = options_of(function)
            part.feed(options or "")
            if options is None:
                self._is_unknown(Text("{name} is compiled with special options", name=name))
            if function not in _first_look and function.overloads:
                self._is_unknown(Text("{name} was compiled before", name=name))
            if isinstance(cache_of(function), NumbasCache):
                self.cached_by_numba.append(function)
        part.add_function(plain)
        digest = part.digest()
        first = _first_look.setdefault(function, (digest, part.serials))
        if first != (digest, part.serials):
            self._is_unknown(Text("{name}, or a global of it, has changed since it was compiled", name=name))
        _feed(self._hash, digest, repr(part.functions))


def _feed(into: Any, *parts: str | bytes) -> None:
    """Add parts with their lengths, so that different lists of parts never give the same bytes."""
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        into.update(b"%d:" % len(raw))
        into.update(raw)


class _Part:
    """The hash of one function's own content, and the functions that it reaches."""

    def __init__(self, whole: Content, name: str) -> None:
        self._whole = whole
        self._name = name
        self._hash = blake2b(digest_size=20)
        self.functions: list[int] = []
        """Their indices among all functions found."""
        self.serials: list[int] = []

    def feed(self, *parts: str | bytes) -> None:
        _feed(self._hash, *parts)

    def digest(self) -> bytes:
        return self._hash.digest()

    def add_function(self, function: FunctionType) -> None:
        self.feed(function.__qualname__, function.__module__ or "")
        self.add(function.__defaults__)
        self.add(tuple(sorted((function.__kwdefaults__ or {}).items())))
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        free = {name: _held(cell) for name, cell in cells}
        self._add_code(function.__code__, function.__globals__, free)

    def _add_code(self, code: CodeType, variables: Mapping[str, Any], free: Mapping[str, Any]) -> None:
        counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        names = (code.co_name, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        self.feed(code.co_code, code.co_exceptiontable, repr((counts, names)))
        if not _RAISES.isdisjoint(code.co_code[::2]):
            self.feed(code.co_filename, repr(code.co_firstlineno), code.co_linetable)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self._add_code(constant, variables, free)
            else:
                self.add(constant)
        reads_modules = False
        for name, holds in self._variables(code, variables, free):
            self.feed(name)
            if isinstance(holds, ModuleType) and not _by_version(holds.__name__):
                reads_modules = True
            else:
                self.add(holds, name)
        if reads_modules:
            self._add_attributes(code, variables, free)

    def _variables(
        self, code: CodeType, variables: Mapping[str, Any], free: Mapping[str, Any]
    ) -> Iterator[tuple[str, Any]]:
        """Yield what the code reads from outside. A global that only shares its name with an attribute counts too."""
        for name in code.co_freevars:
            if name in free:
                yield name, free[name]
        for name in code.co_names:
            if name in variables:
                yield name, variables[name]

    def _add_attributes(self, code: CodeType, variables: Mapping[str, Any], free: Mapping[str, Any]) -> None:
        """Add what the code reads from modules: ``helpers.tables.SCALE`` is followed to the number."""
        holds: Any = None
        path = ""
        for instruction in dis.get_instructions(code):
            if instruction.opname == "EXTENDED_ARG":
                continue
            if path and instruction.opname in _ATTRIBUTES:
                path = f"{path}.{instruction.argval}"
                holds = getattr(holds, instruction.argval, None)
            elif path:
                self._cannot_tell(path, holds)  # a module in a variable, or passed on: anything may be read from it
                path = ""
            if not path and instruction.opname in _READS:
                holds = (free if "DEREF" in instruction.opname else variables).get(instruction.argval)
                path = instruction.argval if isinstance(holds, ModuleType) else ""
            if path and (not isinstance(holds, ModuleType) or _by_version(holds.__name__)):
                self.feed(path)
                self.add(holds, path)
                path = ""

    def add(self, thing: Any, name: str = "") -> None:
        """Add anything that a function may hold."""
        kind = type(thing)
        if kind in _NUMBERS:
            self.feed(kind.__name__, repr(thing))
        elif isinstance(thing, Dispatcher | Intrinsic) or (
            kind is FunctionType and getattr(thing, "py_func", None) is thing
        ):
            if thing not in _serials:
                _serials[thing] = next(_next_serial)
            self.serials.append(_serials[thing])
            self.functions.append(self._whole._number(thing))
            self.feed("function")
        elif isinstance(thing, types.Type):
            self._add_type(thing, name)
        elif isinstance(thing, np.dtype):
            self.feed("dtype", repr(thing), repr(thing.fields and sorted(thing.fields.items())), repr(thing.alignment))
        elif (
            isinstance(thing, np.ndarray | np.generic) and not thing.dtype.hasobject and thing.nbytes <= _LARGEST_ARRAY
        ):
            self.add(thing.dtype)
            self.feed(repr((thing.shape, thing.strides)), thing.tobytes())
        elif isinstance(thing, tuple | list):
            self.feed(kind.__name__, repr(len(thing)))
            if kind not in (tuple, list):
                self.add(kind, name)
            for item in thing:
                self.add(item, name)
        elif kind is frozenset and all(type(item) in _NUMBERS for item in thing):
            self.feed("frozenset", repr(sorted(map(repr, thing))))
        elif isinstance(thing, Signature):
            self.add((thing.args, thing.return_type))
        elif isinstance(thing, enum.Enum):
            self.feed("member", thing.name)
            self.add(kind, name)
        elif isinstance(thing, type):
            self._add_class(thing, name)
        elif kind is ModuleType and _by_version(thing.__name__):
            self.feed("module", thing.__name__)
        elif kind is np.ufunc and getattr(np, thing.__name__, None) is thing:
            self.feed("ufunc", thing.__name__)  # type: ignore[union-attr]
        elif kind is FunctionType and thing.__module__ == _OVERLOADS and _source_of(_OVERLOADS):
            self.feed("overloaded", thing.__qualname__, _source_of(_OVERLOADS) or b"")
        elif _by_version(getattr(thing, "__module__", None)) and _is_at_its_name(thing):
            self.feed("known", thing.__module__, thing.__qualname__)
        else:
            self._cannot_tell(name, thing)

    def _add_class(self, thing: type, name: str) -> None:
        """Add a class by its name, under which it will be found again, and by what compiled code takes from it."""
        if not _is_at_its_name(thing):
            return self._cannot_tell(name, thing)
        self.feed("class", thing.__module__, thing.__qualname__)
        if _by_version(thing.__module__) or issubclass(thing, BaseException):
            return None
        if issubclass(thing, tuple) and hasattr(thing, "_fields"):
            self.add(thing._fields)
            return self.add(tuple(getattr(thing, "_field_defaults", {}).items()), name)
        if issubclass(thing, enum.Enum):
            return self.add(tuple((member.name, member.value) for member in thing), name)
        return self._cannot_tell(name, thing)

    def _add_type(self, thing: Any, name: str) -> None:
        """Add one of Numba's types, down to the classes of named tuples, which Numba's text identifies only by name."""
        self.feed(type(thing).__name__)
        if isinstance(thing, types.BaseTuple):
            self.add(getattr(thing, "instance_class", tuple), name)
            self.add(tuple(thing.types), name)  # type: ignore[attr-defined]
        elif isinstance(thing, types.Array):
            self.add(thing.dtype, name)
            self.feed(repr((thing.ndim, thing.layout, thing.mutable, thing.aligned, getattr(thing, "shape", None))))
        elif isinstance(thing, types.Literal):
            self.add(thing.literal_value, name)
        elif isinstance(thing, types.Omitted):
            self.add(thing.value, name)
        elif isinstance(thing, types.Optional):
            self.add(thing.type, name)
        elif isinstance(thing, _PLAIN_TYPES):
            self.feed(repr(thing.key))
        else:
            self._cannot_tell(name or "an argument", thing)

    def _cannot_tell(self, name: str, thing: Any) -> None:
        where = f"{self._name}: {name}" if name else self._name or "an argument"
        kind = type(thing).__name__
        self._whole._is_unknown(
            Text("{where} holds a {kind}, whose content cannot be compared", where=where, kind=kind)
        )


def _held(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # a variable that has no value yet
        return None


def _by_version(module: str | None) -> bool:
    return module is not None and module.partition(".")[0] in _BY_VERSION


def _ours(module: str | None) -> bool:
    return module is not None and module.partition(".")[0] == __name__.partition(".")[0]


def _is_at_its_name(thing: Any) -> bool:
    """Whether the module holds this very object under its name, where unpickling will look it up."""
    found: Any = sys.modules.get(thing.__module__)
    for step in str(getattr(thing, "__qualname__", "")).split("."):
        found = getattr(found, step, None)
    return found is thing


@cache
def _source_of(module: str) -> bytes | None:
    try:
        return Path(inspect.getfile(sys.modules[module])).read_bytes()
    except (OSError, TypeError, KeyError):
        return None
