"""Ctrl-C and kill during work: finished games are reported and saved, and no file has half a game."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import forked
import pytest
from drive import command, contienda

from contienda.cli.lab.run import interruptible
from contienda.record import load_game, result_of


@pytest.fixture
def start(tmp_path):
    """Start a command in a process of its own, in the folder of the test; it does not outlive the test."""
    running: list[subprocess.Popen[str]] = []

    def begin(*arguments: object) -> subprocess.Popen[str]:
        process = forked.Popen(
            command(*arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            cwd=tmp_path,
        )
        running.append(process)
        return process

    yield begin
    for process in running:
        process.kill()
        process.communicate()


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    patience = time.monotonic() + 100
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < patience
        time.sleep(0.01)


def busy_threads(process: subprocess.Popen[str]) -> int:
    """How many threads beside the first have used half a second of the processor."""
    busy = 0
    for thread in Path(f"/proc/{process.pid}/task").iterdir():
        with suppress(FileNotFoundError):  # it has just ended
            user_ticks = int((thread / "stat").read_text().rpartition(")")[2].split()[11])
            busy += thread.name != str(process.pid) and user_ticks > os.sysconf("SC_CLK_TCK") / 2
    return busy


def games_in(folder: Path) -> list[Path]:
    return list(folder.glob("*.json"))


def test_ctrl_c_reports_and_keeps_what_has_finished(start, tmp_path):
    folder = tmp_path / "kept"
    folder.mkdir()
    process = start(
        "play", "2048", "--player", "expectimax:depth=5", "--seed", 1, "--games", 100_000, "--save", folder, "--json"
    )  # fmt: skip
    wait_for(lambda: len(games_in(folder)) >= 3, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130

    report = json.loads(out)
    games = report["games"]
    assert err == f"stopped: {len(games)} of 100000 games finished\n"
    assert report["summary"]["games"] == len(games) >= 3
    kept = {played.seed: result_of(played) for played in map(load_game, games_in(folder))}
    assert kept == {game["seed"]: {key: game[key] for key in kept[game["seed"]]} for game in games}
    assert [game["seed"] for game in games] == sorted(kept)
    assert len(list(folder.iterdir())) == len(games), "nothing else is left behind"


@pytest.mark.parametrize(
    "words",
    [
        ["hint", "2048", "0 0 0 0/0 0 0 0/0 0 2 4/2 4 8 16", "--player", "expectimax:depth=100", "--json"],
        ["play", "connect4", "--player", "human", "--opponent", "minimax:depth=100", "--json"],
    ],
    ids=["hint", "human"],
)
def test_ctrl_c_in_a_search_without_end(words, start):
    """Compiled code sees no signal: the flag must reach it, whoever waits for it."""
    process = start(*words)
    if "human" in words:
        process.stdin.write("4\n")
        process.stdin.flush()
    time.sleep(3)  # until it searches; if a slow machine still compiles, that must end as well
    assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err


def test_ctrl_c_at_a_heuristic_that_loops(start, tmp_path):
    """No flag reaches into it and no deadline was set; the process ends all the same."""
    (tmp_path / "mine.py").write_text(
        """
from contienda.games.g2048.helpers import empty

def f(board, weights):
    n = 0
    while empty(board) < 9:
        n += 1
    return float(n)
""",
        encoding="utf-8",
    )
    process = start("play", "2048", "--player", "greedy:eval=./mine.py:f", "--games", 4, "--threads", 2)
    wait_for(lambda: busy_threads(process) >= 2, process)  # one alone may be compiling
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out.strip()) == (130, "stopped: 0 of 4 games finished")
    assert "Traceback" not in err


def test_ctrl_c_in_a_callback_of_the_compiler_is_not_lost(monkeypatch):
    """Python ignores what is raised there; LLVM calls back after each function, and Ctrl-C waits for just that."""

    @ctypes.CFUNCTYPE(None)
    def callback():
        raise KeyboardInterrupt

    def compile_for_long(_):
        callback()
        time.sleep(60)
        return 0

    monkeypatch.setattr("contienda.cli._run", compile_for_long)
    assert contienda("hint") == (130, "", "contienda: stopped\n")


def test_kill_leaves_only_whole_files(start, tmp_path):
    folder = tmp_path / "kept"
    process = start("play", "2048", "--player", "random", "--games", 1_000_000, "--save", folder, "--json")
    wait_for(lambda: len(games_in(folder)) >= 30, process)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    games = [load_game(path) for path in games_in(folder)]
    assert len(games) >= 30
    assert all(played.ended == "over" for played in games)


@pytest.mark.parametrize("ignored", [False, True], ids=["foreground", "background of a script"])
def test_ctrl_c_is_heard_only_by_who_is_meant(ignored):
    """A shell starts the background jobs of a script with SIGINT ignored, and so it stays."""
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.default_int_handler)
    try:
        with interruptible() as stopped:
            signal.raise_signal(signal.SIGINT)
            assert stopped() is not ignored
        assert signal.getsignal(signal.SIGINT) is (signal.SIG_IGN if ignored else signal.default_int_handler)
    finally:
        signal.signal(signal.SIGINT, usual)
