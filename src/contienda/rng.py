"""Randomness with an explicit seed: SplitMix64, whose whole state is one integer.

Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. The state travels in a record of
one field, so that compiled code advances it in place and every game on every thread has its own.
"""

from __future__ import annotations

import numpy as np

from contienda.jit import njit

__all__ = ["below", "generator", "next_bits", "uniform"]

_GENERATOR = np.dtype((np.record, [("state", np.int64)]))
# The constants of SplitMix64 (golden ratio and the mixer "variant 13"), as signed 64-bit numbers.
_GOLDEN = 0x9E3779B97F4A7C15 - (1 << 64)
_MIX_1 = 0xBF58476D1CE4E5B9 - (1 << 64)
_MIX_2 = 0x94D049BB133111EB - (1 << 64)


def generator(seed: int, stream: int = 0) -> np.record:
    """A generator for any integer seed; streams of one seed are independent of each other.

    >>> next_bits(generator(7)) == next_bits(generator(7)) != next_bits(generator(8))
    True
    """
    rng = np.zeros(1, _GENERATOR)[0]
    rng.state = _signed(seed)
    if stream:
        rng.state = next_bits(rng) ^ _signed(stream * _GOLDEN)
    return rng


def _signed(number: int) -> int:
    """Any integer, folded into the 64 bits of a signed one."""
    number &= (1 << 64) - 1
    return number - (1 << 64) if number >> 63 else number


@njit(cache=True)
def next_bits(rng):
    """64 random bits, as a signed integer."""
    rng.state += _GOLDEN
    z = rng.state
    z = (z ^ ((z >> 30) & 0x3FFFFFFFF)) * _MIX_1
    z = (z ^ ((z >> 27) & 0x1FFFFFFFFF)) * _MIX_2
    return z ^ ((z >> 31) & 0x1FFFFFFFF)


@njit(cache=True)
def below(rng, n):
    """A uniform integer in 0 … n-1, for n up to 2**31 (the bias is below n / 2**32)."""
    return (((next_bits(rng) >> 32) & 0xFFFFFFFF) * n) >> 32


@njit(cache=True)
def uniform(rng):
    """A uniform number in [0, 1), with 53 random bits."""
    return ((next_bits(rng) >> 11) & 0x1FFFFFFFFFFFFF) * (1.0 / (1 << 53))
