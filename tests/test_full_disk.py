"""A full disk: what was kept stays, texts say what was not, and one can delete."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from collections import deque
from contextlib import closing, suppress
from pathlib import Path

import pytest
from drive import contienda, process

from contienda.lab.plan import Plan
from contienda.lab.results import Results
from contienda.web.lab import remove_results
from contienda.web.store import Ply, Row, Store

PLAN = 'game = "2048"\ngames = 2000\ntarget = 64\nplayers = ["random"]\n'


def consume(games) -> None:
    deque(games, maxlen=0)


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 24 MB, where this machine lets us have one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def fill(folder: Path, name: str = "filler") -> None:
    """Leave not a byte."""
    with open(folder / name, "wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass


def a_game(store: Store, plies: int) -> Row:
    moves = [Ply([1, 2], "random", 0.5, 1, (1, 2, 3, 4), 7)] * plies
    return store.add(Row("me", "2048", 1, None, ["random"], (1, 2, 3, 4), 5), moves)


def test_games_can_be_deleted_when_the_disk_is_full(small_disk):
    store = Store(small_disk)
    games = [a_game(store, 3000) for _ in range(5)]
    fill(small_disk)
    with pytest.raises(sqlite3.OperationalError, match="full"):
        consume(a_game(store, 200) for _ in range(1000))
    fill(small_disk, "more")
    for game in games[:3]:
        store.delete("me", game.id)
        assert store.plies(game.id) == []
    kept = {game.id for game in store.games("me", saved=False)}
    assert not kept & {game.id for game in games[:3]}
    assert len(store.plies(games[3].id)) == 3000
    changed = store.append(store.game("me", games[3].id), Ply([1], "human", 1.0, 0, (1, 2, 3, 4), 7))
    assert changed is not None, "there is room for a move again"
    store.close()
    with closing(Store(small_disk)) as again:
        assert {game.id for game in again.games("me", saved=False)} == kept


LIMITED = """
import resource, sys
from pathlib import Path
from contienda.web.store import Ply, Row, Store
store = Store(Path(sys.argv[1]))
moves = [Ply([1, 2], "random", 0.5, 1, (1, 2, 3, 4), 7)]
games = [store.add(Row("me", "2048", 1, None, ["random"], (1, 2, 3, 4), 5), moves * 2000) for _ in range(3)]
log = store._path.with_name("games.sqlite-wal").stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (max(log, store._path.stat().st_size),) * 2)
try:
    for _ in range(1000):
        store.add(Row("me", "2048", 1, None, ["random"], (1, 2, 3, 4), 5), moves * 50)
    print("no end")
except Exception as error:
    print(type(error).__name__)
store.delete("me", games[0].id)
print(games[0].id in {game.id for game in store.games("me", saved=False)}, len(store.plies(games[0].id)))
"""


def test_games_can_be_deleted_when_files_cannot_grow(tmp_path):
    """The same without a disk of one's own: the system lets no file grow."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, tmp_path], capture_output=True, encoding="utf-8", check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["OperationalError", "False", "0"]


def test_a_delete_that_was_interrupted_is_finished_the_next_time(tmp_path):
    with closing(Store(tmp_path)) as store:
        game = a_game(store, 1200)
        store._db.execute("UPDATE games SET client = '' WHERE id = ?", (game.id,))
    with closing(Store(tmp_path)) as store:
        assert store._db.execute("SELECT COUNT(*) FROM games").fetchone()[0] == 0
        assert store._db.execute("SELECT COUNT(*) FROM plies").fetchone()[0] == 0


def test_results_can_be_read_and_deleted_when_the_disk_is_full(small_disk):
    (small_disk / "plan.toml").write_text(PLAN, encoding="utf-8")
    plan = Plan("plan", "2048", ("random",), games=2000, target=64)
    Results(small_disk / "plan.sqlite", plan).close()
    fill(small_disk)
    refused = process("lab", "resume", small_disk / "plan.sqlite").complaint
    assert "what was finished before is kept, and resume goes on from there" in refused
    assert process("lab", "status", small_disk / "plan.sqlite").code == 0
    assert "plan.sqlite" in process("lab", "list", small_disk).out
    remove_results(small_disk / "plan.sqlite")
    assert not list(small_disk.glob("plan.sqlite*"))


def test_a_run_that_fills_the_disk_keeps_its_games(small_disk):
    (small_disk / "plan.toml").write_text(PLAN.replace("2000", "100000"), encoding="utf-8")
    fill(small_disk)
    with open(small_disk / "filler", "ab") as file:
        os.truncate(file.fileno(), file.tell() - 400_000)
    stopped = process("lab", "run", small_disk / "plan.toml", "--threads", 1)
    assert stopped.code == 2, stopped
    assert "what was finished before is kept, and resume goes on from there" in stopped.err
    assert "Traceback" not in stopped.err
    (small_disk / "filler").unlink()
    with closing(Results(small_disk / "plan.sqlite")) as results:
        assert 0 < results.counts()[0] < 100_000


def test_saved_games_that_find_no_room_are_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    real, saved = os.fsync, []

    def full(file):
        saved.append(file)
        if len(saved) > 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(file)

    monkeypatch.setattr(os, "fsync", full)
    order = ["play", "2048", "--player", "random", "--seed", 1, "--target", 8, "--games", 5, "--threads", 1]
    refused = contienda(*order, "--save", ".").complaint
    assert refused.startswith("cannot write 2048-3.json: No space left on device; this game is lost, and 2 finished")
    assert sorted(path.name for path in tmp_path.glob("*.json")) == ["2048-1.json", "2048-2.json"]


def test_a_report_is_shown_before_its_statistics_find_no_room(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    order = ["play", "2048", "--player", "random", "--seed", 1, "--target", 8, "--stats", "stats.txt"]
    told = contienda(*order)
    assert told.code == 2
    assert "1 games: mean score" in told.out
    assert told.err == "contienda: cannot write stats.txt: No space left on device\n"
