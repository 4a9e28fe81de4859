"""Randomness with an explicit seed: SplitMix64, whose whole state is one integer.

Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. The state travels in a record of
one field, so that compiled code advances it in place and every game on every thread has its own.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit

__all__ = ["below", "generator", "mix", "next_bits", "uniform"]

_GENERATOR = np.dtype((np.record, [("state", np.uint64)]))

# The golden ratio and the mixer "variant 13" of SplitMix64. All unsigned: numbers overflow on purpose, which compiled
# signed arithmetic assumes never happens, and optimises away.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)


def generator(seed: int, stream: int = 0) -> np.record:
    """Return a generator for any integer seed; streams of one seed are independent of each other.

    >>> next_bits(generator(7)) == next_bits(generator(7)) != next_bits(generator(8))
    True
    """
    rng: np.record = np.zeros(1, _GENERATOR)[0]
    rng.state = seed % 2**64
    if stream:
        rng.state = (next_bits(rng) ^ stream * int(_GOLDEN)) % 2**64
    return rng


@njit(cache=True)
def mix(z):
    """Spread every bit of an unsigned number over all 64."""
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@njit(cache=True)
def next_bits(rng):
    """Return 64 random bits, as a signed integer."""
    rng.state += _GOLDEN
    return np.int64(mix(rng.state))


@njit(cache=True)
def below(rng, n):
    """Return a uniform integer in 0 … n-1, for n up to 2**31 (the bias is below n / 2**32)."""
    return (((next_bits(rng) >> 32) & 0xFFFFFFFF) * n) >> 32


@njit(cache=True)
def uniform(rng):
    """Return a uniform number in [0, 1), with 53 random bits."""
    return ((next_bits(rng) >> 11) & 0x1FFFFFFFFFFFFF) * (1.0 / (1 << 53))
