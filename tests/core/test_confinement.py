"""A confined process: it computes, reads and answers, and does nothing else."""

from __future__ import annotations

import json
import sys

import forked
import pytest

from contienda.core import confinement
from contienda.core.language import BadInput

TRIED = """
import ctypes, json, os, resource, signal, socket, sys, threading
from pathlib import Path
from contienda.core.confinement import confine
from contienda.core.reading import can_limit_reading

threads, waiting = [], threading.Event()
early = threading.Thread(target=lambda: (waiting.wait(), threads.append(tried(lambda: socket.socket()))))

def tried(attempt):
    try:
        return bool(attempt()) or True
    except (OSError, MemoryError, ValueError) as error:
        return type(error).__name__

early.start()
confine(reading=[Path(sys.argv[1]).parent])
place = sys.argv[1]
library = ctypes.CDLL(None, use_errno=True)
found = {
    "write": tried(lambda: open(place + "x", "w")),
    "append": tried(lambda: open(place, "a")),
    "truncate": tried(lambda: os.truncate(place, 0)),
    "delete": tried(lambda: os.unlink(place)),
    "rename": tried(lambda: os.rename(place, place + "x")),
    "link": tried(lambda: os.symlink(place, place + "x")),
    "folder": tried(lambda: os.mkdir(place + "x")),
    "mode": tried(lambda: os.chmod(place, 0o777)),
    "connect": tried(lambda: socket.socket()),
    "pair": tried(lambda: socket.socketpair()),
    "fork": tried(os.fork),
    "program": tried(lambda: os.execv("/bin/true", ["true"])),
    "signal": tried(lambda: os.kill(os.getppid(), 0)),
    "memory": tried(lambda: bytearray(3 << 30)),
    "limits": tried(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))),
    "trace": library.ptrace(16, os.getppid(), 0, 0) == -1,
    "memfd": tried(lambda: os.memfd_create("x")),
}
if can_limit_reading():
    outside = sys.argv[2]
    found |= {
        "another file": tried(lambda: open(outside).read()),
        "another folder": tried(lambda: os.listdir(os.path.dirname(outside))),
        "the user's": tried(lambda: os.listdir(os.path.expanduser("~"))),
        "a password": tried(lambda: open("/etc/passwd").read()),
        "another process": tried(lambda: open(f"/proc/{os.getppid()}/environ", "rb").read()),
    }
waiting.set()
early.join()
late = threading.Thread(target=lambda: threads.append(tried(lambda: os.mkdir(place + "x"))))
late.start()
late.join()
found |= {"before": threads[0], "after": threads[1], "read": open(place).read(), "computed": sum(range(10))}
print(json.dumps(found))
"""


def test_a_confined_process_only_computes_reads_and_answers(tmp_path):
    place, outside = tmp_path / "own" / "file", tmp_path / "others" / "file"
    for path in (place, outside):
        path.parent.mkdir()
        path.write_text("there", encoding="utf-8")
    done = forked.run(
        [sys.executable, "-c", TRIED, place, outside], capture_output=True, encoding="utf-8", timeout=60, check=True
    )
    found = json.loads(done.stdout)
    assert (found.pop("read"), found.pop("computed"), found.pop("trace")) == ("there", 45, True)
    assert found.pop("memory") == "MemoryError"
    assert found.pop("limits") in ("PermissionError", "ValueError")
    assert set(found.values()) == {"PermissionError"}, found
    assert [path.name for path in place.parent.iterdir()] == ["file"]
    assert place.stat().st_size == 5


@pytest.mark.parametrize(("system", "machine"), [("darwin", "arm64"), ("win32", "AMD64"), ("linux", "riscv64")])
def test_a_system_that_cannot_confine_says_so(monkeypatch, system, machine):
    monkeypatch.setattr(confinement.sys, "platform", system)
    monkeypatch.setattr(confinement.platform, "machine", lambda: machine)
    monkeypatch.setattr(confinement, "_limit", lambda: None)
    told = confinement.why_not_confined()
    assert told is not None
    with pytest.raises(BadInput, match=str(told)[:20]):
        confinement.confine()
    confinement.confine(whitelist_only=True)
