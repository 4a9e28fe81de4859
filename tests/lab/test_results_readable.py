"""Results stay readable: a plan is data, and the text of every heuristic that played is kept with its games."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from drive import Ran, contienda, process

from contienda.core.language import BadInput, Text
from contienda.lab.plan import Plan
from contienda.lab.results import Failure, Outcome, Results
from contienda.lab.run import run
from contienda.lab.sources import places_of, read_source, source_from_row
from contienda.lab.table import table_of, turns_of
from contienda.lab.where import Where

MINE = """\
from contienda.evaluation.board import empty

def room(board, weights):
    return 10.0 * empty(board)
"""
OTHER = MINE.replace("10.0 *", "-10.0 *")
HELPED = """\
from helpers import FACTOR
from contienda.evaluation.board import empty

def room(board, weights):
    return FACTOR * empty(board)
"""
PLAN = """\
name = "mine"
game = "2048"
games = 4
players = ["random", "greedy:eval=./mine.py:room"]
"""


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE, encoding="utf-8")
    Path("plan.toml").write_text(PLAN, encoding="utf-8")


def table(path: str = "plan.sqlite"):
    """The games, but for what depends on the clock; nothing of the file stays open."""
    with closing(Results(Path(path))) as results:
        return table_of(results).drop("seconds", "host")


def lose_games(path: str = "plan.sqlite") -> None:
    """Forget half of the games, so that there is something to resume."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("DELETE FROM results WHERE CAST(seed AS INTEGER) > 2")


def in_process(*arguments: object) -> Ran:
    return process("lab", *arguments, LANGUAGE="en")


# --- A heuristic that is gone ----------------------------------------------------------------------------------------


def test_results_are_read_and_resumed_when_the_heuristic_has_moved(tmp_path):
    assert contienda("lab", "run", "plan.toml", "--threads", 1).code == 0
    whole = table()
    lose_games()
    away = tmp_path / "elsewhere"
    away.mkdir()
    shutil.move("mine.py", away / "mine.py")
    status = contienda("lab", "status", "plan.sqlite")
    assert status.code == 0
    assert "greedy:eval=./mine.py:room" in status.out
    listed = contienda("lab", "list")
    assert "plan.sqlite" in listed.out
    assert "4/8" in listed.out
    assert contienda("lab", "report", "plan.sqlite").code == 0
    assert "return 10.0 * empty(board)" in Path("plan.html").read_text(encoding="utf-8")
    assert contienda("lab", "export", "plan.sqlite", "-o", "games.csv").code == 0
    assert len(Path("games.csv").read_text(encoding="utf-8").splitlines()) == 5
    resumed = in_process("resume", "plan.sqlite", "--threads", 1)  # nothing of the heuristic is left in this one
    assert resumed.code == 0, resumed.err
    assert "./mine.py no longer exists: using the copy in plan.sqlite" in resumed.err
    assert table().equals(whole)


@pytest.mark.slow
def test_results_are_played_on_elsewhere_with_the_modules_that_the_heuristic_imports(tmp_path):
    """Another machine: another folder, in which there is nothing but the file of results."""
    Path("mine.py").write_text(HELPED, encoding="utf-8")
    Path("helpers.py").write_text("FACTOR = 7.0\n", encoding="utf-8")
    assert in_process("run", "plan.toml", "--threads", 1).code == 0  # not here: the helpers would stay imported
    whole = table()
    lose_games()
    there = tmp_path / "there"
    there.mkdir()
    shutil.move("plan.sqlite", there)
    Path("helpers.py").unlink()
    Path("mine.py").unlink()
    arguments = [sys.executable, "-m", "contienda", "lab", "resume", "plan.sqlite", "--processes", "1"]
    done = subprocess.run(arguments, cwd=there, capture_output=True, encoding="utf-8", check=False, timeout=200)
    assert done.returncode == 0, done.stderr
    assert table("there/plan.sqlite").equals(whole)
    names = [name for name, _ in Results(there / "plan.sqlite").sources()[0].files]
    assert names == ["mine.py", "helpers.py"]


# --- A heuristic that was edited -------------------------------------------------------------------------------------


def test_an_edited_heuristic_is_another_player():
    assert contienda("lab", "run", "plan.toml", "--threads", 1).code == 0
    lose_games()
    before = table()
    Path("mine.py").write_text(OTHER, encoding="utf-8")
    refused = contienda("lab", "resume", "plan.sqlite").complaint
    assert refused.startswith("./mine.py has changed since the first games were played: restore the old text, or")
    assert contienda("lab", "run", "plan.toml").complaint == refused
    assert "ha cambiado" in contienda("--lang", "es", "lab", "resume", "plan.sqlite").complaint
    assert table().equals(before)
    assert contienda("lab", "run", "plan.toml", "--out", "other.sqlite", "--threads", 1).code == 0
    one, other = (table(path)["source"].drop_nulls().unique().to_list() for path in ("plan.sqlite", "other.sqlite"))
    assert len(one) == len(other) == 1
    assert one != other  # the same name, and told apart
    os.remove("mine.py")  # what to do: it goes on with the text that is kept
    assert contienda("lab", "resume", "plan.sqlite", "--threads", 1).code == 0


def test_an_edited_module_of_a_heuristic_is_another_player_too(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(tmp_path))
    Path("mine.py").write_text(HELPED, encoding="utf-8")
    Path("helpers.py").write_text("FACTOR = 7.0\n", encoding="utf-8")
    results = Results(Path("r.sqlite"), Plan("m", "2048", ("greedy:eval=./mine.py:room",), games=1))
    Path("helpers.py").write_text("FACTOR = 8.0\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"^helpers\.py \(\./mine\.py\) has changed since the first games"):
        run(results, Where("threads", 1))


def test_what_plays_is_what_is_kept_even_if_it_is_edited_meanwhile():
    """The batch carries the text: a worker that loads the file later plays by what the run began with."""
    from contienda.lab.where import Batch, code_version, play_batch

    spec = "greedy:eval=./mine.py:room"
    kept = read_source("./mine.py")
    assert kept is not None
    batch = Batch(0, "2048", None, spec, None, False, (1, 2), False, False, code_version())
    scores = [each.score for each in play_batch(batch._replace(sources=(kept,)))]
    Path("mine.py").write_text(OTHER, encoding="utf-8")
    other = read_source("./mine.py")
    assert other is not None
    assert other.hash != kept.hash
    assert [each.score for each in play_batch(batch._replace(sources=(kept,)))] == scores
    assert [each.score for each in play_batch(batch._replace(sources=(other,)))] != scores


def test_an_edited_network_is_another_player():
    Path("my.net").write_bytes(b"one network")
    results = Results(Path("r.sqlite"), Plan("n", "2048", ("expectimax:eval=ntuple:my.net",), games=1))
    assert [(source.place, source.files) for source in results.sources()] == [("my.net", ())]
    Path("my.net").write_bytes(b"another network")
    with pytest.raises(BadInput, match=r"^my\.net has changed since"):
        run(results, Where("threads", 1))


# --- Lists leave nothing out -----------------------------------------------------------------------------------------


def damaged_files() -> dict[str, str]:
    """Files that cannot be read, and what is said of each."""
    Results(Path("sound.sqlite"), Plan("sound", "2048", ("random",), games=2)).close()
    whole = Path("sound.sqlite").read_bytes()
    Path("cut.sqlite").write_bytes(whole[: len(whole) // 3])
    Path("noise.sqlite").write_bytes(bytes(range(256)) * 40)
    Path("empty.sqlite").touch()
    with sqlite3.connect("cookies.sqlite") as other:
        other.execute("CREATE TABLE moz_cookies (id INTEGER)")
    other.close()
    shutil.copy("sound.sqlite", "future.sqlite")
    with sqlite3.connect("future.sqlite") as future:
        future.execute("PRAGMA user_version = 99")
    future.close()
    shutil.copy("sound.sqlite", "odd.sqlite")
    with sqlite3.connect("odd.sqlite") as odd:
        odd.execute("""UPDATE plan SET data = '{"name": 3, "game": [], "players": 5}'""")
    odd.close()
    Path("folder.sqlite").mkdir()
    return {
        "cut.sqlite": "malformed",
        "noise.sqlite": "not a database",
        "empty.sqlite": "holds no results of Contienda",
        "cookies.sqlite": "holds no results of Contienda",
        "future.sqlite": "it is of version 99",
        "odd.sqlite": "its plan is damaged: name is not valid",
        "folder.sqlite": "there are no results in",
    }


def test_a_list_names_every_file_and_says_why_it_cannot_be_read():
    reasons = damaged_files()
    before = Path("cookies.sqlite").read_bytes()
    listed = contienda("lab", "list")
    assert listed.code == 0
    assert "sound.sqlite" in listed.out
    for file, reason in reasons.items():
        line = next(line for line in listed.out.splitlines() if line.startswith("cannot read: ") and file in line)
        assert reason in line
    assert Path("cookies.sqlite").read_bytes() == before  # to look at another program's file does not change it
    for file, reason in reasons.items():
        for command in ("status", "resume", "report"):
            assert reason in contienda("lab", command, file).complaint


def test_a_folder_that_is_not_there_is_no_empty_list():
    assert contienda("lab", "list", "gone").complaint == "the folder gone does not exist"
    Path("empty").mkdir()
    assert "there are no results in" in contienda("lab", "list", "empty").out


def test_games_that_cannot_be_are_told():
    Results(Path("r.sqlite"), Plan("m", "2048", ("random",), games=2)).close()
    for values in ("(7, '1', 'over', 1", "(0, 'x', 'over', 1", "(0, '1', 'over', 'many'"):
        with sqlite3.connect("r.sqlite") as file:
            file.execute("DELETE FROM results")
            file.execute(f"INSERT INTO results VALUES {values}, 2, 0, NULL, 1, 1, 0.5, 'here', NULL, 1)")
        file.close()
        assert "r.sqlite cannot be used: it is damaged (results." in contienda("lab", "status", "r.sqlite").complaint


def test_damaged_files_are_read_or_refused():
    """Flipped bits, noise and cuts anywhere: whatever a file says, it is read or refused, and nothing else."""
    with closing(Results(Path("r.sqlite"), Plan("m", "2048", ("random", "greedy"), games=9))) as results:
        results.begin("here", "code")
        games = [
            Outcome(e, s, "over", 10 * s, 64, False, None, 5, 6, 0.1, "h", bytes(20)) for e in (0, 1) for s in (1, 2)
        ]
        results.add(games, [Failure(0, 3, Text("a", es="b"))])
    sound, lots = Path("r.sqlite").read_bytes(), random.Random(1)
    refused = 0
    for _ in range(400):
        content = bytearray(sound)
        for _ in range(lots.choice([1, 2, 20])):
            place, length = lots.randrange(len(content)), lots.choice([1, 1, 30])
            content[place : place + length] = lots.randbytes(length)
        Path("x.sqlite").write_bytes(content[: lots.choice([len(content), len(content), lots.randrange(len(content))])])
        try:
            with closing(Results(Path("x.sqlite"))) as results:
                results.counts(), results.runs(), results.rows(), results.sources(), results.failures()
                table_of(results), turns_of(results)
        except BadInput:
            refused += 1
        for beside in Path().glob("x.sqlite-*"):
            beside.unlink()
    assert 40 < refused < 400


# --- Old files, and foreign ones -------------------------------------------------------------------------------------


def test_a_file_of_an_earlier_version_is_read_and_resumed():
    assert contienda("lab", "run", "plan.toml", "--threads", 1).code == 0
    whole = table()
    lose_games()
    with sqlite3.connect("plan.sqlite") as old:
        old.execute("DROP TABLE sources")
        old.execute("DROP TABLE failures")
    old.close()
    shutil.copy("plan.sqlite", "gone.sqlite")
    assert contienda("lab", "status", "plan.sqlite").code == 0
    resumed = contienda("lab", "resume", "plan.sqlite", "--threads", 1)
    assert resumed.code == 0
    assert "does not record which version of ./mine.py played its first games" in " ".join(resumed.err.split())
    assert table().equals(whole)
    os.remove("mine.py")
    assert contienda("lab", "status", "gone.sqlite").code == 0
    assert "there is no file ./mine.py" in in_process("resume", "gone.sqlite").err


def test_a_source_that_would_be_written_elsewhere_is_refused():
    for name in ("../../mine.py", "/etc/mine.py", "mine.txt", "a/../b.py", "", "C:\\mine.py"):
        with pytest.raises(BadInput, match="is damaged"):
            source_from_row("./mine.py", "0" * 64, f'[["{name}", "x = 1"]]'.replace("\\", "\\\\"))
    kept = read_source("./mine.py")
    assert kept is not None
    with pytest.raises(BadInput, match="is damaged"):
        source_from_row("./mine.py", kept.hash, '[["mine.py", "import os"]]')


def test_reading_a_file_makes_no_player(monkeypatch):
    results = Results(Path("r.sqlite"), Plan("m", "2048", ("nobody:eval=./mine.py:room",), games=1))
    results.close()
    monkeypatch.setattr("contienda.players.make_player", None)
    read = Results(Path("r.sqlite"))
    assert read.plan.players == ("nobody:eval=./mine.py:room",)
    assert table_of(read).is_empty()


def test_places_that_a_spec_names():
    assert places_of("expectimax:depth=3,eval=./mine.py:room,empty=3") == ["./mine.py"]
    assert places_of("astar:h=package.module:far") == ["package.module"]
    assert places_of("champion:network=my.net") == ["my.net"]
    assert places_of("expectimax:eval=ntuple:my.net") == ["my.net"]
    assert places_of("expectimax:eval=ntuple") == []
    assert places_of("random") == []
