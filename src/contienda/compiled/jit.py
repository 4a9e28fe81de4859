"""The one door to Numba: decorators that compile functions, and machine instructions for compiled code."""

from __future__ import annotations

import ctypes
import logging
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np

from contienda.compiled.numba_internals import CPUDispatcher, cgutils, numba, populate_array, why_not_kept

# The line above imports Numba, in its own way.
from llvmlite import ir  # isort: skip
from numba import types  # isort: skip
from numba.extending import intrinsic, overload, register_jitable  # isort: skip

__all__ = [
    "CLOCK",
    "NotKept",
    "array_at",
    "bit",
    "bits_of",
    "float_of",
    "jitable",
    "keep",
    "lowest",
    "nanoseconds",
    "njit",
    "numba",
    "only_kept",
    "popcount",
    "prefetch",
    "scratch",
    "stretched",
    "without_lowest",
]

if why_not_kept is None:
    from contienda.compiled.kept_code import NotKept, keep, only_kept
    from contienda.compiled.numba_internals import Lean
else:
    logging.getLogger(__name__).info(str(why_not_kept))
    only_kept = nullcontext  # type: ignore[assignment]

    class NotKept(Exception):  # type: ignore[no-redef]
        """Never raised: every process compiles for itself."""

    def keep(function: Any, *, also_for_others: bool = False) -> None:
        """Leave the function as it is: see `contienda.compiled.numba_internals`."""

    Lean = CPUDispatcher  # type: ignore[misc, assignment]


#: Where all functions that Python calls are small: rules, terms of evaluators, random numbers.
SMALL = ("contienda.games.", "contienda.compiled.", "contienda.search.hooks")
#: Calls by Python, some 50 µs each, after which such a function is compiled after all: that takes 0.1 to 1 s.
OFTEN = 2000


def _as_called(intrinsic: Any) -> Callable[..., Any]:
    """Type an intrinsic with the signature that its callers see: without the typing context."""
    return intrinsic


class _Expanded(CPUDispatcher):
    """A function that is never compiled by itself."""

    def __call__(self, *arguments):
        return self.py_func(*arguments)


class _Small(CPUDispatcher):
    """A function that runs in the interpreter for its first calls by Python, unless its code is there or kept."""

    _at_hand: Callable[..., Any] | None = None
    _calls = 0

    def _compile_for_args(self, *arguments: Any, **named: Any) -> Any:
        """Return what the dispatcher calls in place of code that it lacks."""
        compile_it = super()._compile_for_args  # type: ignore[misc]
        self._calls += 1
        if self._calls > OFTEN:
            return compile_it(*arguments, **named)
        if self._at_hand is None:
            try:
                with only_kept():
                    return compile_it(*arguments, **named)
            except NotKept:
                from contienda.compiled.in_python import NotInPython, at_hand

                try:
                    self._at_hand = at_hand(self)
                except NotInPython:
                    self._calls = OFTEN
                    return compile_it(*arguments, **named)
        return self._at_hand


class _SmallLean(_Small, Lean): ...


def njit(function=None, /, *, cache=False, inline=False, expand=False, small=None):
    """Compile a function so that it releases the GIL while it runs.

    The code is kept on disk; with ``cache=True`` the function is also kept by itself when it is compiled for a caller
    (`kept_code.keep`). With ``inline`` it becomes part of every function that calls it, whatever its size, and shares
    common subexpressions with it. With ``expand`` it is copied like a macro into every compiled function that calls it,
    before that function is compiled: it is never compiled by itself, and may call its caller. When Python calls it, it
    runs in the interpreter. So does a ``small`` function whose code is not kept, because that takes less than to
    compile it; those of the modules in `SMALL` are.
    """
    how = {"inline": "always"} if expand else {}

    def decorate(function):
        compiled = numba.njit(nogil=True, forceinline=inline, no_cfunc_wrapper=True, **how)(function)  # type: ignore[call-overload]
        if expand:
            compiled.__class__ = _Expanded
        else:
            if (function.__module__ or "").startswith(SMALL) if small is None else small:
                compiled.__class__ = _Small if cache else _SmallLean
            elif not cache:
                compiled.__class__ = Lean
            keep(compiled, also_for_others=cache)
        return compiled

    return decorate if function is None else decorate(function)


def jitable(function):
    """Run as plain Python when Python calls it, compiled when compiled code does: for code rarely worth compiling."""
    function.py_func = function  # like a compiled function
    return register_jitable(function)


@_as_called
@intrinsic
def _ctpop(typing_context, bits):
    def emit(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), emit


@_as_called
@intrinsic
def _cttz(typing_context, bits):
    def emit(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), emit


@njit(cache=True)
def popcount(bits):
    """Return how many bits of an integer are 1: ``popcount(0b1011) -> 3``."""
    return _ctpop(bits)


@njit(cache=True)
def lowest(bits):
    """Return the position of the lowest 1 of an integer: ``lowest(0b1000) -> 3``."""
    return _cttz(bits)


@njit(cache=True)
def without_lowest(bits):
    """Return an integer without its lowest 1: ``without_lowest(0b1010) -> 0b1000``.

    It computes with unsigned integers: for the set of only action 63, ``bits - 1`` overflows, which compiled signed
    arithmetic assumes never happens, and which Python's integers do not do.
    """
    some = np.uint64(bits)
    return np.int64(some & (some - np.uint64(1)))


@njit(cache=True)
def bit(place):
    """Return the set of one action: ``bit(3) -> 0b1000``; ``bit(63)`` is negative, even in Python."""
    return 1 << place


@_as_called
@intrinsic
def bits_of(typing_context, number):
    """Return the 64 bits of a float as an integer."""

    def emit(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), emit


@_as_called
@intrinsic
def float_of(typing_context, bits):
    """Return the float whose 64 bits are those of an integer."""

    def emit(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), emit


#: Whether compiled code has a clock: not on Windows.
CLOCK = hasattr(time, "CLOCK_MONOTONIC")


@_as_called
@intrinsic
def _clock(typing_context):
    """Return `time.monotonic_ns` from the C library; 0 if it has no such clock."""
    word, number = ir.IntType(64), ir.IntType(32)

    def emit(context, builder, signature, arguments):
        if not CLOCK:
            return word(0)
        moment = builder.alloca(ir.ArrayType(word, 2))
        kind = ir.FunctionType(number, [number, moment.type])
        ask = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(ask, [number(time.CLOCK_MONOTONIC), moment])
        seconds, rest = (builder.load(builder.gep(moment, [number(0), number(i)])) for i in range(2))
        return builder.add(builder.mul(seconds, word(10**9)), rest)

    return types.int64(), emit


@njit(cache=True)
def nanoseconds():
    """Return `time.monotonic_ns` in compiled code; takes about 25 ns."""
    return _clock()


@_as_called
@intrinsic(prefer_literal=True)
def scratch(typing_context, length):
    """Return an array of ``length`` unsigned integers on the stack, which costs nothing. ``length`` must be a constant.

    The array ends with the function, and must not be returned.
    """
    kind = types.Array(types.uint64, 1, "C")

    def emit(context, builder, signature, arguments):
        room = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(64), length.literal_value))
        array = context.make_array(kind)(context, builder)
        size, word = context.get_constant(types.intp, length.literal_value), context.get_constant(types.intp, 8)
        data = builder.bitcast(room, array.data.type)
        populate_array(array, data=data, shape=[size], strides=[word], itemsize=word, meminfo=None)
        return array._getvalue()

    return kind(length), emit


@_as_called
@intrinsic
def prefetch(typing_context, array, index):
    """Request the cache line of ``array[index]`` without waiting, so that it is there when it is needed.

    An array of more dimensions is indexed as if it had one.
    """

    def emit(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        _send_for(builder, builder.gep(array.data, [arguments[1]]))
        return context.get_dummy_value()

    return types.void(array, index), emit


def stretched(first, length):
    """Return the array of ``length`` rows that begins with ``first``, the first rows of a longer array in memory.

    For Python and for compiled code, where it costs nothing: the result is not reference-counted. The caller guarantees
    that the memory holds the rows, as `contienda.compiled.rows` does.
    """
    return np.lib.stride_tricks.as_strided(first, (length, *first.shape[1:]))


@overload(stretched)
def _compile_stretched(first, length):
    def compiled(first, length):
        return _stretch(first, length)

    return compiled


@_as_called
@intrinsic
def _stretch(typing_context, first, length):
    kind = types.Array(first.dtype, first.ndim, "C")

    def emit(context, builder, signature, arguments):
        short = context.make_array(signature.args[0])(context, builder, arguments[0])
        long = context.make_array(kind)(context, builder)
        shape = cgutils.unpack_tuple(builder, short.shape)
        shape[0] = arguments[1]
        strides = cgutils.unpack_tuple(builder, short.strides)
        populate_array(long, short.data, shape, strides, short.itemsize, meminfo=None)
        return long._getvalue()

    return kind(first, types.intp), emit


def array_at(address, length, kind):
    """Return the array of ``length`` numbers of a kind, such as np.uint16, that begins at an address in memory.

    For memory-mapped files of which compiled code uses a number that it does not know beforehand. The caller keeps
    the memory alive.
    """
    array = np.frombuffer((ctypes.c_char * (length * np.dtype(kind).itemsize)).from_address(address), kind)
    array.flags.writeable = False
    return array


@overload(array_at)
def _compile_array_at(address, length, kind):
    def compiled(address, length, kind):
        return _array_at(address, length, kind)

    return compiled


@_as_called
@intrinsic
def _array_at(typing_context, address, length, kind):
    array_type = types.Array(kind.dtype, 1, "C")

    def emit(context, builder, signature, arguments):
        array = context.make_array(array_type)(context, builder)
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        data = builder.inttoptr(arguments[0], array.data.type)
        populate_array(array, data, [arguments[1]], [size], size, meminfo=None)
        return array._getvalue()

    return array_type(types.int64, types.int64, kind), emit


def _send_for(builder, address):
    """Emit the machine's prefetch instruction."""
    flag, byte = ir.IntType(32), ir.IntType(8).as_pointer()
    kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
    function = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
    builder.call(function, [builder.bitcast(address, byte), flag(0), flag(3), flag(1)])  # read, keep, data
