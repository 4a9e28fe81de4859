"""Processes of one's own: they start quickly, with the environment of now, and end with whoever started them."""

from __future__ import annotations

import os
import sys
from multiprocessing import Pipe

import pytest

from contienda.core.processes import new_process


def told(line):
    line.send((os.getpid(), os.getppid(), os.environ.get("TOLD"), "contienda.match" in sys.modules))


@pytest.mark.skipif(sys.platform == "win32", reason="each process starts from nothing there")
def test_processes_have_one_parent_that_has_imported_what_they_need(monkeypatch):
    found = []
    for word in ("one", "other"):
        monkeypatch.setenv("TOLD", word)
        ours, theirs = Pipe()
        process = new_process(target=told, args=(theirs,))
        process.start()
        found.append(ours.recv())
        process.join(60)
        assert process.exitcode == 0
    (first, parent, one, ready), (second, same, other, still) = found
    assert parent == same
    assert len({first, second, parent, os.getpid()}) == 4
    assert (one, other, ready, still) == ("one", "other", True, True)
