"""The suite itself: it mirrors the source, every test has a limit, and Ctrl-C is heard wherever it was started."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import forked
import pytest

ROOT = Path(__file__).parents[2]

#: A suite within the suite loads the plugins that it is about, and no others: they take longer than it does.
_PYTEST = [sys.executable, "-m", "pytest", "-p", "pytest_timeout", "-p", "xdist"]
_BARE = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

_HANGS = """
import signal
import threading


def hang():
    threading.Event().wait()


def test_that_hangs():
    hang()


def test_that_hears_no_alarm():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    hang()


def test_that_passes():
    pass
"""


def test_every_room_has_a_folder_of_tests():
    rooms = {path.stem for path in (ROOT / "src" / "contienda").iterdir() if path.suffix == ".py" or path.is_dir()}
    tested = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert rooms - {"__init__", "__main__", "__pycache__", "locales"} == tested - {
        "browser",
        "jupyter",
        "peers",
        "whole",
    }
    assert not list((ROOT / "tests").glob("test_*.py"))


def test_a_test_that_hangs_fails_with_stacks_and_the_others_go_on(tmp_path):
    (tmp_path / "test_hangs.py").write_text(_HANGS, encoding="utf-8")
    limits = ["timeout=1", "faulthandler_timeout=2"]
    options = [f"--override-ini={limit}" for limit in limits]
    command = [*_PYTEST, "-c", ROOT / "pyproject.toml", "--numprocesses=1", *options, tmp_path]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False, env=_BARE)
    assert "2 failed, 1 passed" in done.stdout, done
    assert "Timeout (>1.0s)" in done.stdout
    assert "crashed while running 'test_hangs.py::test_that_hears_no_alarm'" in done.stdout
    assert "in test_that_hears_no_alarm" in done.stderr  # its stack


@pytest.mark.parametrize("popen", [subprocess.Popen, forked.Popen])
def test_a_forked_process_behaves_as_a_new_one(popen, tmp_path):
    code = """if True:
        import os, signal, sys
        given = input(), os.environ["GIVEN"], os.getcwd(), sys.argv[1:], __name__, signal.getsignal(signal.SIGINT)
        print(*given, signal.default_int_handler)
        print("to the other", file=sys.stderr)
        os.kill(os.getpid(), signal.SIGINT) if sys.argv[1] == "die" else sys.exit(7)
    """
    for argument, ended in (("leave", 7), ("die", -signal.SIGINT)):
        arguments = [sys.executable, "-P", "-c", code, argument]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        where = {"cwd": tmp_path, "env": os.environ | {"GIVEN": "ñ"}}
        with popen(arguments, **pipes, **where, encoding="utf-8") as process:
            out, err = process.communicate("hello\n", timeout=60)
        assert process.returncode == ended
        handler = signal.default_int_handler
        assert out == f"hello ñ {tmp_path} ['{argument}'] __main__ {handler} {handler}\n"
        assert err.startswith("to the other\n")
        assert err.endswith("KeyboardInterrupt\n") == (ended < 0)


def test_ctrl_c_is_heard_in_the_background_of_a_script():
    """There SIGINT is ignored, as children inherit it: a test that sent it to itself waited for ever.

    The same run tells what its tests cost.
    """
    file = "tests/compiled/test_stopping.py"
    tests = ["--timeout=30", file, "-k", "ctrl_c"]
    command = ["sh", "-c", "trap '' INT; exec \"$@\"", "sh", *_PYTEST, *tests]
    told = _BARE | {"CONTIENDA_TELL_CPU": "0"}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False, cwd=ROOT, env=told)
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
    dearest = done.stdout.partition("CPU seconds: ")[2]
    assert re.search(rf"^ +\d+\.\d  {file}$", dearest, re.MULTILINE)
    assert len(re.findall(rf"^ +\d+\.\d  {file}::test_\w*ctrl_c\w*$", dearest, re.MULTILINE)) == 2
