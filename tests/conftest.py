"""Shared by all tests: the settings of hypothesis, signals, and a fixed language."""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import forkserver
from pathlib import Path

import forked
import pytest
from hypothesis import HealthCheck, settings

from contienda.core import language
from contienda.players import at_once

if sys.platform != "win32":
    import resource

# Compilation happens in the first example of a test: a deadline would measure the compiler. Outside of a hunt for new
# counterexamples (CONTIENDA_HYPOTHESIS=explore) the examples are the same every time, so that main stays green.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
settings.register_profile("repeatable", derandomize=True, max_examples=50, **_COMMON)
settings.register_profile("explore", max_examples=1000, **_COMMON)
settings.load_profile(os.environ.get("CONTIENDA_HYPOTHESIS", "repeatable"))


# The compiler makes millions of objects and few cycles. Looking for those, as often as Python does and through all
# modules, took about a twelfth of the CPU time of tests that compile a lot (18.97 s against 17.39, means of two runs).
gc.set_threshold(100_000, 20, 100)


# Tests search one position after another: the compiler pays sooner. What is compiled is what has its bounds checked.
at_once.SECONDS = 0.0 if "NUMBA_BOUNDSCHECK" in os.environ else 1.0


#: What a file of tests mentions that a system does not have. Such a file is left out there: most of its tests would
#: need another way to kill, limit or watch a process.
_LACKING = {
    "win32": re.compile(r"/proc/|\b(SIGKILL|SIGINT|SIGALRM|fcntl|resource|termios|mkfifo|os\.fork|chmod|symlink_to)\b"),
    "darwin": re.compile(r"/proc/"),
}


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out the files of tests that need what this system lacks."""
    lacking = _LACKING.get(sys.platform)
    if lacking is None or not re.fullmatch(r"test_\w+\.py", collection_path.name):
        return None
    return True if lacking.search(collection_path.read_text(encoding="utf-8")) else None


def pytest_collection_finish() -> None:
    """What is imported stays: the collector need not look at it again."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """End what starts other processes, so that its time counts."""
    forked.close()
    forkserver._forkserver._stop()  # type: ignore[attr-defined]


# --- What it costs ----------------------------------------------------------------------------------------------------

#: How many tests, and how many files, the end of a run names as the dearest.
_DEAREST = 15
#: Runs that cost fewer seconds say nothing of it.
_WORTH_TELLING = float(os.environ.get("CONTIENDA_TELL_CPU", "60"))
_BEGAN = pytest.StashKey[float]()


def _cpu_seconds() -> float:
    """What this process and those that it has waited for have cost: a busy machine makes that no more, or hardly.

    So have those that `contienda.core.processes` started, which another process waits for.
    """
    seconds = time.process_time()
    if sys.platform == "win32":
        return seconds
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds += children.ru_utime + children.ru_stime
    with suppress(OSError):
        told = Path(f"/proc/{forkserver._forkserver._forkserver_pid}/stat").read_text()  # type: ignore[attr-defined]
        seconds += sum(map(int, told.rpartition(")")[2].split()[11:15])) / os.sysconf("SC_CLK_TCK")
    return seconds


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    item.stash[_BEGAN] = _cpu_seconds()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """The report goes from the worker to whoever writes the summary; the last of a test's three carries its cost."""
    report = yield
    if call.when == "teardown":
        report.user_properties = [*report.user_properties, ("cpu", _cpu_seconds() - item.stash[_BEGAN])]
    return report


def pytest_terminal_summary(terminalreporter) -> None:
    """Name the tests and the files that cost most CPU time: `make test` has a budget, and this is where it goes."""
    tests: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            seconds = dict(getattr(report, "user_properties", ())).get("cpu", 0)
            if seconds:
                tests[report.nodeid] += seconds
                files[report.nodeid.partition("::")[0]] += seconds
    if sum(tests.values()) < _WORTH_TELLING:
        return
    terminalreporter.section(f"CPU seconds: {sum(tests.values()):.0f} in {len(tests)} tests, the dearest of them")
    for costs in (files, tests):
        for name, seconds in costs.most_common(_DEAREST):
            terminalreporter.line(f"{seconds:6.1f}  {name}")


@pytest.fixture(autouse=True)
def _hear_ctrl_c() -> Iterator[None]:
    """Ctrl-C reaches the tests that send it, and the processes that they start.

    A shell starts a script's background jobs with SIGINT ignored. Children inherit that, and wait for ever. And a
    command that an earlier test ran in this process may have left a handler of its own.
    """
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


@pytest.fixture(autouse=True)
def _speak_english(monkeypatch):
    """Texts in English unless a test says otherwise: not as the test before, nor as the locale of whoever runs them."""
    language._current.set(None)
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
