"""What all tests share: how hypothesis looks for counterexamples, signals, and a language that the tests decide on."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from contienda import language

# Compilation happens in the first example of a test: a deadline would measure the compiler. Outside of a hunt for new
# counterexamples (CONTIENDA_HYPOTHESIS=explore) the examples are the same every time, so that main stays green.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
settings.register_profile("repeatable", derandomize=True, **_COMMON)
settings.register_profile("explore", max_examples=1000, **_COMMON)
settings.load_profile(os.environ.get("CONTIENDA_HYPOTHESIS", "repeatable"))


@pytest.fixture(scope="session", autouse=True)
def _hear_ctrl_c() -> Iterator[None]:
    """Ctrl-C reaches the tests that send it, and the processes that they start.

    A shell starts a script's background jobs with SIGINT ignored. Children inherit that, and wait for ever.
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
