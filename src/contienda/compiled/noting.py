"""Notes the position on which a compiled function failed: an exception from compiled code tells neither.

`noting` calls a function of ``(state, weights)``. Only if that raises, it writes the state into a field of the weights'
record, and passes the exception on: where nothing fails, it costs nothing. (A ``try`` in compiled code costs a quarter
of the speed of a search.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from contienda.compiled.jit import _as_called
from contienda.compiled.numba_internals import cgutils

# The line above imports Numba, in its own way.
from llvmlite import ir  # isort: skip
from numba.extending import intrinsic  # isort: skip

__all__ = ["FAILED_ON", "failed_on", "forget_failure", "note_state", "noting", "room_for_failure"]

#: The record's field: no name in Python has a space in it. First the length of the state, 0 if nothing has failed.
FAILED_ON = "failed on"
_MOST = 15


def room_for_failure() -> dict[str, np.ndarray]:
    """Return the array that a record needs, for `contienda.core.evaluator.weights_record`."""
    return {FAILED_ON: np.zeros(1 + _MOST, np.int64)}


def failed_on(record: np.record) -> tuple[int, ...] | None:
    """Return the numbers of the state on which a function failed, if one did."""
    noted = record[FAILED_ON].tolist()
    return tuple(noted[1 : 1 + noted[0]]) if noted[0] else None


def forget_failure(record: np.record) -> None:
    """Make room for the next failure."""
    record[FAILED_ON][0] = 0


def note_state(function: Any, state: Any, weights: Any) -> Any:
    """Call a function of ``(state, weights)``, and note the state if it fails: `noting` in the interpreter."""
    try:
        return function(state, weights)
    except Exception:
        noted = weights[FAILED_ON]
        noted[1 : 1 + len(state)] = [int(number) for number in state]
        noted[0] = len(state)
        raise


@_as_called
@intrinsic
def noting(typing_context, function, state, weights):
    """Return ``function(state, weights)``; note the state in the weights' record if it raises."""
    signature = function.get_call_type(typing_context, (state, weights), {})
    count = len(state)
    offset = weights.offset(FAILED_ON)

    def emit(context, builder, outer, arguments):
        compiled = function.dispatcher.overloads[signature.args]
        context.add_linking_libs([compiled.library])
        _, numbers, record = arguments
        status, result = context.call_internal_no_propagate(builder, compiled.fndesc, signature, [numbers, record])
        with cgutils.if_unlikely(builder, status.is_error):
            word = ir.IntType(64)
            room = builder.bitcast(
                builder.gep(builder.bitcast(record, ir.IntType(8).as_pointer()), [ir.IntType(32)(offset)]),
                word.as_pointer(),
            )
            for place, number in enumerate(cgutils.unpack_tuple(builder, numbers), 1):
                builder.store(number, builder.gep(room, [ir.IntType(32)(place)]))
            builder.store(word(count), room)
            context.call_conv.return_status_propagate(builder, status)
        return result

    return signature.return_type(function, state, weights), emit
