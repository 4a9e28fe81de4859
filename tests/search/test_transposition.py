"""The transposition table: what was stored is found, or nothing is; never something else."""

from __future__ import annotations

import gc
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contienda.compiled.jit import njit
from contienda.compiled.rows import rows
from contienda.core.language import BadInput
from contienda.games.g2048.board import Board
from contienda.games.tree import Node
from contienda.search import transposition
from contienda.search.transposition import (
    EXACT,
    LOWER,
    UPPER,
    key,
    new_generation,
    new_table,
    prefetch_entry,
    probe,
    store,
)

words = st.integers(-(2**63), 2**63 - 1)
NOTHING = (False, 0, 0, 0.0, -1)


class Stored(NamedTuple):
    """An entry as a test writes it."""

    depth: int
    bound: int
    value: float
    move: int


entries = st.builds(
    Stored,
    st.integers(0, 127),
    st.sampled_from([EXACT, LOWER, UPPER]),
    st.floats(allow_nan=False),
    st.integers(-1, 63),
)


@pytest.mark.parametrize("word", ["value", "check"])
def test_an_entry_of_which_another_thread_has_written_one_word_is_not_found(word):
    ours, theirs = new_table(1), new_table(1)
    state, other = key((1,)), key((1,)) ^ 1 << 60
    store(ours, state, 3, EXACT, 2.5, 1)
    store(theirs, other, 5, LOWER, -7.25, 2)
    (place,) = np.flatnonzero(rows(ours)["check"])
    rows(ours)[word][place] = rows(theirs)[word][place]
    assert probe(ours, state) == probe(ours, other) == NOTHING


@given(words, entries)
def test_what_is_stored_is_found(state, entry):
    table = new_table(1)
    assert probe(table, key((state,))) == NOTHING
    store(table, key((state,)), *entry)
    prefetch_entry(table, key((state,)))  # changes nothing that can be seen
    assert probe(table, key((state,))) == (True, *entry)
    assert probe(table, key((state ^ 1,))) == NOTHING


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 30), entries), min_size=1, max_size=200), st.integers(0, 3))
def test_the_table_is_a_dictionary_that_may_forget(stored, crowding):
    """Even when all keys fall into the same few buckets: what is found is what was stored last."""
    table, twin = new_table(1), {}
    buckets = (int(table.mask) + 1) >> crowding
    for number, entry in stored:
        k = int(key((number,))) * buckets % 2**64  # only `crowding` bits choose the bucket
        k -= 2**64 if k >> 63 else 0
        store(table, k, *entry)
        twin[k] = (True, *entry)
        assert probe(table, k) == twin[k]
    found = [k for k in twin if probe(table, k)[0]]
    assert len(found) >= min(len(twin), 4)
    assert all(probe(table, k) == twin[k] for k in found)


def same_bucket(table, count):
    """Keys that share the first bucket."""
    return [(i + 1) << 40 for i in range(count)]


def test_the_least_depth_gives_way():
    table = new_table(1)
    keys = same_bucket(table, 5)
    for k, depth in zip(keys, (5, 3, 9, 7), strict=False):
        store(table, k, depth, EXACT, float(depth), 0)
    store(table, keys[4], 4, EXACT, 4.0, 0)
    assert [probe(table, k)[0] for k in keys] == [True, False, True, True, True]
    store(table, keys[2], 1, LOWER, 1.0, 2)  # the same state: in its own place, whatever its depth was
    assert probe(table, keys[2]) == (True, 1, LOWER, 1.0, 2)
    assert [probe(table, k)[0] for k in keys] == [True, False, True, True, True]


def test_a_generation_forgets_the_one_before():
    table = new_table(1)
    keys = same_bucket(table, 8)
    for k in keys[:4]:
        store(table, k, 100, EXACT, 1.0, 0)
    new_generation(table)
    assert all(probe(table, k) == NOTHING for k in keys)
    for k in keys[4:]:
        store(table, k, 0, EXACT, 2.0, 0)  # an old entry gives way, however deep
    assert all(probe(table, k)[0] for k in keys[4:])


def test_a_generation_never_comes_back():
    """Their numbers do, after 255; what bore the same number is gone by then."""
    table = new_table(1)
    numbers = []
    for generation in range(600):
        assert probe(table, 1 << 40) == NOTHING
        store(table, 1 << 40, 1, EXACT, float(generation), 0)
        numbers.append(int(table.generation))
        new_generation(table)
        new_generation(table)  # an empty table has nothing to forget
    assert numbers == [generation % 255 + 1 for generation in range(600)]


def test_every_field_of_a_state_counts():
    board = Board(0x123, 0, -4, 0)
    others = [board._replace(cells=0x124), board._replace(high=1), board._replace(bonus=-8), board._replace(turn=2)]
    assert len({key(state) for state in [board, *others]}) == 5
    assert key(Node(3)) == key((3,)) != key(Node(4))

    @njit
    def compiled(state):
        return key(state)

    assert compiled(board) == key(board)


@given(words, words, st.integers(0, 63))
def test_a_bit_changes_about_half_of_the_key(first, second, bit):
    changed = int(key((first, second))) ^ int(key((first, second ^ (-(2**63) if bit == 63 else 1 << bit))))
    assert 8 <= (changed % 2**64).bit_count() <= 56


def test_keys_spread_over_the_buckets():
    """Boards that differ in little: no bucket is much fuller than chance would have it."""
    keys = np.array([key(Board(cells, 0, -4 * bonus, 2)) for cells in range(4096) for bonus in range(4)])
    assert len(set(keys.tolist())) == len(keys)
    assert np.bincount(keys & 1023).max() <= 45  # 16 expected, with a deviation of 4
    assert np.bincount((keys >> 40) & 1023).max() <= 45


@pytest.mark.parametrize(("megabytes", "taken"), [(1, 1), (3, 2), (64, 64)])
def test_a_table_takes_no_more_than_it_may(megabytes, taken):
    table = new_table(megabytes)
    assert rows(table).nbytes == taken << 20 == 64 * (table.mask + 1)
    assert rows(table).ctypes.data % 64 == 0  # a bucket is a cache line
    store(table, int(table.mask), 1, EXACT, 2.0, 3)  # the last bucket is there
    gc.collect()
    assert probe(table, int(table.mask)) == (True, 1, EXACT, 2.0, 3)


@pytest.mark.parametrize("megabytes", [0, -5])
def test_a_table_of_nothing_is_refused(megabytes):
    with pytest.raises(BadInput, match="at least 1 MB"):
        new_table(megabytes)


def test_a_table_that_does_not_fit_is_refused_with_its_size(monkeypatch):
    with pytest.raises(BadInput, match=r"a table of 1000000000 MB does not fit, \d+ MB are free"):
        new_table(10**9)
    monkeypatch.setattr(transposition, "free_megabytes", lambda: None)
    with pytest.raises(BadInput, match="has less free memory"):
        new_table(10**12)
