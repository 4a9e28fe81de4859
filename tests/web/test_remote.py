"""An object in a process of its own: it answers, complains and ends as it would here, and survives its process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from website import wait_until

from contienda.core.language import BadInput
from contienda.web.access.identity import Browser
from contienda.web.errors import TooMany, status_of
from contienda.web.work.remote import Remote


class Thing:
    """What is asked here."""

    def __init__(self):
        self._opened = threading.Event()

    def process(self):
        return os.getpid()

    def turn(self, browser):
        return browser.turn, browser.address

    def wait(self):
        return self._opened.wait(60)

    def open(self):
        self._opened.set()

    def refuse(self):
        raise TooMany("one at a time", es="una cada vez")

    def die(self):
        os.kill(os.getpid(), signal.SIGKILL)

    def close(self):
        Path(os.environ.get("CLOSED", os.devnull)).touch()


@pytest.fixture(scope="module")
def thing():
    thing = Remote(Thing)
    yield thing
    thing.close()


def test_it_is_asked_elsewhere(thing):
    assert thing.process() == thing.process() != os.getpid()
    assert thing.turn(Browser("a", "here")) == ("a", "here")
    assert thing.turn(Browser("a", "here", known=False)) == ("new from here", "here")


def test_a_question_that_takes_long_delays_no_other(thing):
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(thing.wait)
        thing.open()
        assert waiting.result(60)


def test_complaints_come_back_with_their_status(thing):
    with pytest.raises(BadInput, match="one at a time") as told:
        thing.refuse()
    assert status_of(told.value) == 429


def test_after_its_death_there_is_another(thing):
    before = thing.process()
    with pytest.raises(BadInput, match="what it had saved is still there"):
        thing.die()
    assert thing.process() != before


KILLED = """
import os, signal
from tests.web.test_remote import Thing
from contienda.web.work.remote import Remote
if __name__ == "__main__":
    print(Remote(Thing).process(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_it_is_closed_when_the_server_is_killed(tmp_path):
    script = tmp_path / "killed.py"
    script.write_text(KILLED, encoding="utf-8")
    paths = os.pathsep.join(sys.path)
    environment = os.environ | {"CLOSED": str(tmp_path / "closed"), "PYTHONPATH": paths}
    killed = subprocess.run(
        [sys.executable, script], capture_output=True, encoding="utf-8", env=environment, timeout=120, check=False
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    wait_until((tmp_path / "closed").exists, 60)
    wait_until(lambda: not Path(f"/proc/{killed.stdout.strip()}").exists(), 60)
