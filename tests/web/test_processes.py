"""Work in other processes: answers, complaints and stops cross over, and no process outlives its work or the server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from website import wait_until

from contienda.compiled.stopping import Stop
from contienda.core.language import BadInput
from contienda.trace.size import refuse_too_large
from contienda.web.work.processes import GaveWay, Workshop


def double(number, *, stop):
    return 2 * number


def process_of(*, stop):
    return os.getpid()


loaded = []


def load(what, *, stop):
    loaded.append(what)


def loaded_there(*, stop):
    return loaded


def complain(*, stop):
    raise refuse_too_large(1000, 10, "depth=3")


def break_down(*, stop):
    raise ZeroDivisionError("by nothing")


def wait_for_stop(begun, *, stop):
    Path(begun).touch()
    while not stop.stopped:
        time.sleep(0.01)
    return "stopped"


def die(*, stop):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def workshop():
    workshop = Workshop(apart=True)
    workshop.open(load, "what takes long to load")
    yield workshop
    workshop.close()


def test_work_is_done_elsewhere_and_by_the_same_process_again(workshop):
    assert workshop.do(double, 21, stop=Stop()) == 42
    first, second = (workshop.do(process_of, stop=Stop()) for _ in range(2))
    assert first == second != os.getpid()


def test_one_process_starts_in_advance_and_loads_what_its_first_work_needs():
    workshop = Workshop(apart=True)
    workshop.open(load, "what takes long to load")
    try:
        wait_until(lambda: workshop.do(loaded_there, stop=Stop()) == ["what takes long to load"])
    finally:
        workshop.close()
    assert loaded == [], "not here"


def test_complaints_cross_over_with_what_they_carry(workshop):
    with pytest.raises(BadInput, match="depth=3 fits") as told:
        workshop.do(complain, stop=Stop())
    assert told.value.fits == "depth=3"
    assert "depth=3" in told.value.text.into("es")
    with pytest.raises(RuntimeError, match="ZeroDivisionError: by nothing"):
        workshop.do(break_down, stop=Stop())


def test_a_stop_crosses_over(workshop, tmp_path):
    stop, begun = Stop(), tmp_path / "begun"
    threading.Thread(target=lambda: (wait_until(begun.exists), stop.stop())).start()
    assert workshop.do(wait_for_stop, str(begun), stop=stop) == "stopped"
    assert workshop.do(double, 1, stop=Stop()) == 2  # the next piece of work is not stopped


def test_work_that_nobody_waits_for_gives_way(workshop, tmp_path):
    """It is stopped when somebody's work comes, and does not begin while some is waiting; the process stays."""
    process, given_way = workshop.do(process_of, stop=Stop()), []

    def do_aside():
        try:
            workshop.do_aside(wait_for_stop, str(tmp_path / "begun"))
        except GaveWay:
            given_way.append(time.monotonic())

    aside = threading.Thread(target=do_aside)
    aside.start()
    wait_until((tmp_path / "begun").exists)
    assert workshop.do(process_of, stop=Stop()) == process
    aside.join()
    assert len(given_way) == 1

    stop = Stop()
    asked_for = threading.Thread(
        target=workshop.do, args=(wait_for_stop, str(tmp_path / "asked")), kwargs={"stop": stop}
    )
    asked_for.start()
    wait_until((tmp_path / "asked").exists)
    with pytest.raises(GaveWay):
        workshop.do_aside(double, 21)
    stop.stop()
    asked_for.join()
    workshop.do_aside(double, 21)


def test_a_process_that_is_killed_is_followed_by_another(workshop):
    with pytest.raises(BadInput, match="try again"):
        workshop.do(die, stop=Stop())
    assert workshop.do(double, 4, stop=Stop()) == 8


#: A server that is killed: says who works for it, and waits.
_SERVER = """
import sys
from contienda.compiled.stopping import Stop
from contienda.web.work.processes import Workshop
sys.path[:0] = {path!r}
from tests.web.test_processes import process_of
if __name__ == "__main__":
    workshop = Workshop(apart=True)
    print(workshop.do(process_of, stop=Stop()), flush=True)
    sys.stdin.read()
"""


def test_no_process_outlives_a_server_that_is_killed(tmp_path):
    file = tmp_path / "server.py"
    file.write_text(_SERVER.format(path=sys.path))
    server = subprocess.Popen([sys.executable, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    worker = int(server.stdout.readline())
    server.kill()
    server.communicate()
    wait_until(lambda: not Path(f"/proc/{worker}").exists() or "(zombie)" in Path(f"/proc/{worker}/status").read_text())
