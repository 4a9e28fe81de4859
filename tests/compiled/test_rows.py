"""Records that end in rows: the whole array, however long, in Python and in compiled code."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest

from contienda.compiled.jit import njit
from contienda.compiled.rows import new_record, rows
from contienda.evaluation.g2048.ntuple import Network, build_value, new_weights, parse_network


@njit
def _fill(record):
    values = rows(record)
    for i in range(len(values)):
        values[i] = i
    return len(values)


@pytest.mark.parametrize("length", [0, 1, 1000])
def test_python_and_compiled_code_see_the_same_rows(length):
    record = new_record({"mark": np.float64}, np.int64, length)
    record.mark = 2.5
    assert _fill(record) == length
    gc.collect()
    assert rows(record).tolist() == list(range(length))
    assert record.mark == 2.5
    assert record.first.ctypes.data % 64 == 0


def test_one_compiled_function_serves_every_length():
    before = len(_fill.signatures)
    _fill(new_record({"mark": np.float64}, np.int64, 3))
    _fill(new_record({"mark": np.float64}, np.int64, 4))
    assert len(_fill.signatures) - before <= 1


def test_rows_of_rows():
    record = new_record({}, (np.float32, (2,)), 5)
    assert rows(record).shape == (5, 2)


def test_rows_live_as_long_as_anybody_looks_at_them():
    values = rows(new_record({}, np.int64, 1 << 20))
    gc.collect()
    values[-1] = 7
    assert values.sum() == 7


def test_networks_beyond_two_gigabytes_can_be_made_and_read():
    """8x6 with six stages, as long training wants it: 3.2 GB, of which nothing is taken until it is written to."""
    layout = Network(parse_network("8x6").tuples, (0, 8192, 16384, 24576, 28672, 30720))
    assert layout.size == 805_306_368
    weights = new_weights(layout)
    weights.open = 6
    table = rows(weights)
    assert table.nbytes > 1 << 31
    table[5 * layout.stage_size :: layout.stage_size] = 1.0  # the first weight of the last stage: the empty first tuple
    late = 0xFEDC_B000_0000_0000  # 32768 + 16384 + 8192 + 4096 + 2048: the last stage
    signed = late - (1 << 64)
    assert build_value(layout)(signed, weights) > 0


CHECKED = """
import numpy as np
from contienda.compiled.jit import njit
from contienda.compiled.rows import new_record, rows

@njit
def read(record, i):
    return rows(record)[i]

record = new_record({}, np.int64, 5)
assert read(record, 4) == 0
try:
    read(record, 5)
except IndexError:
    print("seen")
"""


def test_a_bounds_check_sees_an_index_beyond_the_last_row(tmp_path):
    checked = os.environ | {"NUMBA_BOUNDSCHECK": "1", "XDG_CACHE_HOME": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", CHECKED], capture_output=True, text=True, env=checked, check=False)
    assert ran.stdout == "seen\n", ran.stderr
