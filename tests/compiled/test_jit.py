"""`contienda.compiled.jit.njit`: functions inlined into their callers, or compiled separately."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from numba.core import event

from contienda.compiled.jit import njit


def build(bonus):
    """A sum of 1 … n with a bonus for each, by a recursion that goes through a helper."""

    @njit(expand=True)
    def rest(n):
        return total(n - 1) + bonus

    @njit
    def total(n):
        if n == 0:
            return 0
        return n + rest(n)

    return rest, total


def test_an_expanded_function_may_call_its_caller_and_is_never_compiled_itself():
    rest, total = build(10)
    assert total(4) == 10 + 40
    assert len(total.signatures) == 1
    assert rest.signatures == []


def test_python_runs_an_expanded_function_in_the_interpreter():
    rest, total = build(10)
    assert rest(1) == 10
    assert rest.signatures == []
    assert len(total.signatures) == 1


def test_each_copy_holds_what_its_own_helper_holds():
    """Two searches that differ in a helper alone are two pieces of code, in memory and on disk."""
    assert [build(bonus)[1](2) for bonus in (1, 2, 1)] == [5, 7, 5]


def build_parity(odd_first=False):
    """Two functions that call each other, and one that calls both."""

    @njit
    def even(n):
        return True if n == 0 else odd(n - 1)

    @njit
    def odd(n):
        return False if n == 0 else even(n - 1)

    @njit
    def both(n):
        return (odd(n), even(n)) if odd_first else (even(n), odd(n))

    return even, odd, both


def test_python_may_call_what_was_compiled_for_another():
    """Such code is made without the part that only Python needs."""
    even, odd, both = build_parity()
    for _ in range(2):
        assert both(7) == (False, True)
        assert [even(7), odd(7), odd(6)] == [False, True, False]
    assert even(7.0) is False  # another type of argument, alone
    assert odd(7.0) is True  # and for the sake of the other
    assert [len(function.signatures) for function in (even, odd, both)] == [2, 2, 1]


def test_threads_may_call_at_once_what_was_compiled_for_another():
    even, odd, both = build_parity(odd_first=True)
    with ThreadPoolExecutor(8) as threads:
        called = [threads.submit(function, 7) for function in (both, even, odd) * 4]
    assert [call.result() for call in called] == [(True, False), False, True] * 4


def test_functions_that_call_each_other_answer_in_the_next_process_too(tmp_path):
    """Code of theirs that is read back would call address 0: it is compiled anew."""
    script = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    script += "from test_jit import build_parity; print(*build_parity()[2](7))"
    for _ in range(2):
        environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
        told = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
        assert told.stdout == "False True\n", told


def test_ctrl_c_is_heard_while_the_compiler_works_and_disturbs_it_not():
    """LLVM's objects, freed in the middle of the work by an exception, have ended the process."""
    working, go_on = threading.Event(), threading.Event()

    @njit
    def twice(n):
        return 2 * n

    class Slow(event.Listener):
        """Holds up the compilation of `twice`. Another thread may be compiling what an earlier test asked for."""

        def on_start(self, event):
            if event.data["dispatcher"].py_func is twice.py_func:
                working.set()
                go_on.wait(60)

        def on_end(self, event):
            pass

    def press() -> None:
        if working.wait(60):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    with event.install_listener("numba:compile", Slow()):
        threading.Thread(target=press).start()
        try:
            with pytest.raises(KeyboardInterrupt):
                twice(21)
            assert not go_on.is_set(), "the answer to Ctrl-C did not wait"
        finally:
            go_on.set()
        assert twice(21) == 42
