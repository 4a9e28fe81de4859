"""A full disk: saved data stay, messages say what was not saved, and deleting still works."""

from __future__ import annotations

import errno
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections import deque
from contextlib import closing, suppress
from pathlib import Path

import forked
import pytest
from drive import Ran, contienda

from contienda.lab.plan import Plan
from contienda.lab.results import Results, remove_results
from contienda.web.games.reader import Ply, Row
from contienda.web.games.store import Store

PLAN = 'game = "2048"\ngames = 2000\ntarget = 64\nplayers = ["random"]\n'


def consume(games) -> None:
    deque(games, maxlen=0)


class Disk:
    """A folder that can be full for what `run` runs: no file can grow."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self._room: int | None = None

    def fill(self, spare: int = 0) -> None:
        """Leave so many bytes."""
        self._room = max(path.stat().st_size for path in self.folder.iterdir()) + spare

    def empty(self) -> None:
        """There is room again."""
        self._room = None

    def run(self, *arguments: object) -> Ran:
        usual = resource.getrlimit(resource.RLIMIT_FSIZE)
        if self._room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self._room, usual[1]))
        try:
            return contienda(*arguments)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, usual)


class MountedDisk(Disk):
    """A disk of 24 MB."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder], capture_output=True, check=True)

    def fill(self, spare: int = 0) -> None:
        fill(self.folder)
        with open(self.folder / "filler", "ab") as file:
            os.truncate(file.fileno(), file.tell() - spare)

    def empty(self) -> None:
        (self.folder / "filler").unlink()

    def unmount(self) -> None:
        subprocess.run(["umount", "-l", self.folder], check=True)


def can_mount() -> bool:
    """Whether this machine lets us have a disk of our own. Where it does not, limited files show the same."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            MountedDisk(Path(folder) / "disk").unmount()
        except (OSError, subprocess.CalledProcessError):
            return False
        return True


MOUNTS = can_mount()


@pytest.fixture(params=[Disk, MountedDisk] if MOUNTS else [Disk])
def disk(request, tmp_path):
    disk = request.param(tmp_path / "disk")
    yield disk
    if isinstance(disk, MountedDisk):
        disk.unmount()


def fill(folder: Path, name: str = "filler") -> None:
    """Leave not a byte."""
    with open(folder / name, "wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass


def a_game(store: Store, plies: int) -> Row:
    moves = [Ply([1, 2], "random", 0.5, 1, (1, 2, 3, 4), 7)] * plies
    return store.add(Row("me", "2048", 1, None, ["random"], (1, 2, 3, 4), 5), moves)


def check_deleting(small_disk):
    """On a real disk; the test below shows the same where none can be mounted."""
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


if MOUNTS:

    def test_games_can_be_deleted_when_the_disk_is_full(tmp_path):
        disk = MountedDisk(tmp_path / "disk")
        try:
            check_deleting(disk.folder)
        finally:
            disk.unmount()


LIMITED = """
import resource, sys
from pathlib import Path
from contienda.web.games.reader import Ply, Row
from contienda.web.games.store import Store
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
    done = forked.run(
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


def test_results_can_be_read_and_deleted_when_the_disk_is_full(disk):
    file = disk.folder / "plan.sqlite"
    Results(file, Plan("plan", "2048", ("random",), games=2000, target=64)).close()
    disk.fill()
    refused = disk.run("lab", "resume", file).complaint
    assert "the finished games are saved, and resume continues from there" in refused
    assert disk.run("lab", "status", file).code == 0
    assert "plan.sqlite" in disk.run("lab", "list", disk.folder).out
    remove_results(file)
    assert not list(disk.folder.glob("plan.sqlite*"))


def test_a_run_that_fills_the_disk_keeps_its_games(disk):
    plan = disk.folder / "plan.toml"
    plan.write_text(PLAN.replace("2000", "100000"), encoding="utf-8")
    disk.fill(spare=400_000)
    stopped = disk.run("lab", "run", plan, "--threads", 1)
    assert stopped.code == 2, stopped
    assert "the finished games are saved, and resume continues from there" in stopped.err
    assert "Traceback" not in stopped.err
    disk.empty()
    with closing(Results(disk.folder / "plan.sqlite")) as results:
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
    told = contienda(*order, "--save", ".")
    assert told.code == 2
    assert told.out.count("\n") == 2  # the games that were saved
    (refused,) = told.err.splitlines()
    assert refused.removeprefix("contienda: ").startswith(
        "cannot write 2048-3.json: No space left on device; this game is lost, and 2 finished"
    )
    assert sorted(path.name for path in tmp_path.glob("*.json")) == ["2048-1.json", "2048-2.json"]


def test_a_report_is_shown_before_its_statistics_find_no_room(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    order = ["play", "2048", "--player", "random", "--seed", 1, "--target", 8, "--stats", "stats.txt"]
    told = contienda(*order)
    assert told.code == 2
    assert "1 game: mean score" in told.out
    assert told.err == "contienda: cannot write stats.txt: No space left on device\n"
