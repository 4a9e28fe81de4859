"""Stopping: flags that reach into compiled code, deadlines, and work that is abandoned if it does not react."""

from __future__ import annotations

import signal
import threading
import time
from contextvars import copy_context

import pytest

from contienda.compiled import stopping
from contienda.compiled.stopping import Stop, in_time, left_behind
from contienda.core.analysis import FOREVER, new_tally
from contienda.core.language import BadInput, language, use_language


def wait_until(condition) -> bool:
    """Whether something comes true within a time that no machine needs."""
    patience = time.monotonic() + 30
    while not condition() and time.monotonic() < patience:
        time.sleep(0.005)
    return condition()


# --- The button ------------------------------------------------------------------------------------------------------


def test_a_guard_gives_the_budget_and_the_button_takes_it():
    stop, first, second = Stop(), new_tally(), new_tally()
    assert not stop.stopped
    with stop.guard(first, 1000), stop.guard(second, FOREVER):
        assert (first.budget, second.budget) == (1000, FOREVER)
        stop.stop()
        assert stop.stopped
        assert (first.budget, second.budget) == (0, 0)


def test_a_pressed_button_stops_what_has_not_begun():
    stop, tally = Stop(), new_tally()
    stop.stop()
    with stop.guard(tally, 1000):
        assert tally.budget == 0


def test_what_has_left_the_guard_is_left_alone():
    stop, tally = Stop(), new_tally()
    with stop.guard(tally, 1000):
        pass
    tally.budget = 5
    stop.stop()
    assert tally.budget == 5


def test_two_buttons_are_two():
    one, other, tally = Stop(), Stop(), new_tally()
    with one.guard(tally, 1000):
        other.stop()
        assert tally.budget == 1000


def test_an_error_inside_ends_the_guard_too():
    stop, tally = Stop(), new_tally()
    with pytest.raises(ZeroDivisionError), stop.guard(tally, 1000, ms=1e9):
        raise ZeroDivisionError
    tally.budget = 5
    stop.stop()
    assert tally.budget == 5
    assert stop.overdue() is None


# --- Deadlines -------------------------------------------------------------------------------------------------------


def test_a_deadline_takes_the_budget_and_nothing_else():
    stop, tally = Stop(), new_tally()
    with stop.guard(tally, FOREVER, ms=10):
        assert wait_until(lambda: tally.budget == 0)
    assert not stop.stopped


def test_deadlines_fire_in_their_own_order():
    stop, sooner, later, never = Stop(), new_tally(), new_tally(), new_tally()
    with stop.guard(never, 7, ms=1e9), stop.guard(later, 7, ms=300), stop.guard(sooner, 7, ms=10):
        assert wait_until(lambda: sooner.budget == 0)
        assert wait_until(lambda: later.budget == 0)
        assert never.budget == 7


def test_a_deadline_ends_with_its_guard():
    stop, tally = Stop(), new_tally()
    with stop.guard(tally, 7, ms=50):
        pass
    with stop.guard(tally, 8):
        time.sleep(0.2)
        assert tally.budget == 8


def test_a_deadline_beyond_all_clocks_does_no_harm():
    """A wait of 10^297 s is an error to Python: it must not cost the other deadlines their keeper."""
    stop, far, near = Stop(), new_tally(), new_tally()
    with stop.guard(far, 7, ms=1e300):
        time.sleep(0.05)
        with stop.guard(near, 7, ms=10):
            assert wait_until(lambda: near.budget == 0)
        assert far.budget == 7


def test_deadlines_leave_nothing_behind():
    stop, tally = Stop(), new_tally()
    for _ in range(20):
        with stop.guard(tally, 7, ms=0.01):
            wait_until(lambda: tally.budget == 0)
    assert not stopping._alarm._waiting


def test_overdue_is_who_goes_on_after_its_time():
    stop, patient, late = Stop(), new_tally(), new_tally()
    with stop.guard(patient, 7), stop.guard(late, 7, ms=1):
        assert wait_until(lambda: stop.overdue() is not None)
        first = stop.overdue()
        with stop.guard(new_tally(), 7, ms=1):
            time.sleep(0.02)
            assert stop.overdue() == first
    assert stop.overdue() is None
    with stop.guard(late, 7, ms=1):
        assert wait_until(lambda: stop.overdue() not in (None, first))


# --- Work in time ----------------------------------------------------------------------------------------------------


@pytest.fixture
def short_grace(monkeypatch):
    monkeypatch.setattr(stopping, "GRACE", 0.2)


@pytest.fixture
def deaf():
    """Work that ignores whoever tells it to stop, until the test is over."""
    enough = threading.Event()
    yield enough.wait
    enough.set()
    assert wait_until(lambda: not left_behind())


def test_work_gives_its_result():
    stop = Stop()
    assert in_time(lambda: 42, stop) == 42
    assert in_time(lambda: None, stop, seconds=60) is None
    assert not stop.stopped


def test_work_raises_what_it_raises():
    def fail():
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        in_time(fail, Stop())


def test_work_runs_elsewhere_in_the_callers_language():
    def ask():
        use_language("es")
        return in_time(lambda: (threading.current_thread(), language()), Stop())

    where, spoken = copy_context().run(ask)
    assert where is not threading.main_thread()
    assert spoken == "es"


def test_work_that_listens_ends_at_its_time_with_what_it_has():
    stop = Stop()

    def listen():
        wait_until(lambda: stop.stopped)
        return "the best so far"

    assert in_time(listen, stop, seconds=0.05) == "the best so far"
    assert stop.stopped


@pytest.mark.usefixtures("short_grace")
def test_work_that_is_deaf_is_left_behind_at_its_time(deaf):
    stop = Stop()
    with pytest.raises(BadInput, match="loop forever"):
        in_time(deaf, stop, seconds=0.05)
    assert stop.stopped
    assert left_behind()


@pytest.mark.usefixtures("short_grace")
def test_a_search_that_ignores_its_own_deadline_is_left_behind(deaf):
    stop = Stop()

    def search():
        with stop.guard(new_tally(), FOREVER, ms=1):
            deaf()

    with pytest.raises(BadInput, match="loop forever"):
        in_time(search, stop)
    assert stop.stopped


def test_many_searches_a_little_late_are_not_one_that_loops(monkeypatch):
    monkeypatch.setattr(stopping, "GRACE", 1.0)
    stop = Stop()

    def many():
        for _ in range(25):
            with stop.guard(new_tally(), FOREVER, ms=1):
                time.sleep(0.05)  # each is late for much less than the grace, all together for longer
        return "done"

    assert in_time(many, stop) == "done"


def test_nothing_is_left_behind_by_work_that_ends():
    in_time(lambda: 1, Stop())
    assert wait_until(lambda: not left_behind())


def interrupt() -> None:
    """Ctrl-C."""
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


def test_ctrl_c_stops_the_work_and_goes_on_to_the_caller():
    stop, ended = Stop(), threading.Event()

    def work():
        interrupt()
        wait_until(lambda: stop.stopped)
        ended.set()

    with pytest.raises(KeyboardInterrupt):
        in_time(work, stop)
    assert stop.stopped
    assert ended.is_set()


@pytest.mark.usefixtures("short_grace")
def test_ctrl_c_leaves_deaf_work_behind(deaf):
    def work():
        interrupt()
        deaf()

    with pytest.raises(KeyboardInterrupt):
        in_time(work, Stop())
    assert left_behind()
