"""The one door to Numba: compiling, the cache of machine code, random numbers, stop flags and memory."""
