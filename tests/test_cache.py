"""The cache of compiled code: hit by the next process, never stale, and no hindrance where nothing can be written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import contienda
from contienda import kept_code

PACKAGE = Path(contienda.__file__).parent

#: Values a board by terms that are called through other functions, and says where Numba keeps its code.
ASK = """
import json, os
from contienda.evaluation.terms_2048 import corners, room_largest
from contienda.games import make_game

board = make_game("2048").parse_scored("64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2", 380)
print(json.dumps({
    "room": room_largest(board),
    "corners": corners(board),
    "hits": sum(room_largest.stats.cache_hits.values()),
    "cache": os.environ.get("NUMBA_CACHE_DIR", ""),
    "package": os.path.dirname(__import__("contienda").__file__),
}))
"""

EMPTY, LARGEST = 8, 64


def run(code: str, cache: Path, *arguments: str, **environment: str) -> str:
    """The output of a fresh process. What this one has put into its environment is none of the other's business."""
    inherited = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments],  # -P: the folder in which the tests are run holds no modules
        env=inherited | {"XDG_CACHE_HOME": str(cache)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def ask(cache: Path, **environment: str) -> dict:
    return json.loads(run(ASK, cache, **environment))


def test_the_next_process_finds_the_code_and_the_same_answer(tmp_path):
    first, second = ask(tmp_path), ask(tmp_path)
    assert first["room"] == second["room"] == EMPTY * LARGEST
    assert first["corners"] == second["corners"]
    assert (first["hits"], second["hits"]) == (0, 1)
    assert first["cache"] == second["cache"]
    assert Path(first["cache"]).is_relative_to(tmp_path / "contienda")
    assert len(list((tmp_path / "contienda").iterdir())) == 1


def edit(source: Path, old: str, new: str) -> None:
    text = source.read_text(encoding="utf-8")
    assert text.count(old) == 1
    source.write_text(text.replace(old, new), encoding="utf-8")


def test_an_edited_function_is_never_answered_for_by_its_stale_caller(tmp_path):
    """`room_largest` calls `largest_rank`, in another file: Numba alone would not notice that this one was edited."""
    package = tmp_path / "path" / "contienda"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    here = {"PYTHONPATH": str(package.parent)}
    before = ask(tmp_path / "cache", **here)
    assert before["package"] == str(package)
    assert before["room"] == EMPTY * LARGEST

    edit(package / "games" / "board_2048.py", "    return largest\n", "    return largest + 1\n")
    after = ask(tmp_path / "cache", **here)
    assert (after["room"], after["corners"]) == (EMPTY * 2 * LARGEST, before["corners"])


#: Searches, plays and says how many functions had to be compiled for it.
SEARCH = """
import json, sys
import contienda.jit
from numba.core import event

compiled = event.RecordingListener()
event.register("numba:compile", compiled)

from contienda.games import make_game
from contienda.match import Match
from contienda.players import make_player

game = make_game("2048")
answers = []
for spec in sys.argv[1:]:
    player = make_player(spec, game)
    found = player.analyse(game.parse("64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2"))
    answers.append([found.best, found.counters.nodes, [move.value for move in found.moves]])
    answers.append(Match(game, [player]).play(7).actions if player.spec.startswith("greedy") else None)
print(json.dumps([len(compiled.buffer) // 2, answers]))
"""

SPECS = ("alphabeta:depth=3,table=on,memory=1", "greedy")


@pytest.fixture
def rules_only(tmp_path):
    """A cache that holds what stands at the head of modules and no search: only these are then compiled."""
    here = Path(os.environ["NUMBA_CACHE_DIR"])
    there = tmp_path / "contienda" / here.name
    shutil.copytree(here, there, ignore=shutil.ignore_patterns("searches", "*.tmp*"))
    return tmp_path


def search(cache: Path, *specs: str) -> tuple[int, list]:
    """How many functions a fresh process compiled for these players, and what they answered."""
    compiled, answers = json.loads(run(SEARCH, cache, *specs))
    return compiled, answers


def test_the_next_process_compiles_no_search_and_finds_the_same(rules_only):
    first, answers = search(rules_only, *SPECS)
    assert first > 0
    assert search(rules_only, *SPECS) == (0, answers)


def test_searches_of_several_processes_are_never_taken_for_each_other(rules_only):
    """Each is compiled in a process of its own, in which Numba would give the functions of all the same names."""
    specs = [f"alphabeta:depth=3,eval={name}" for name in ("uc3m-score", "unicen-a")]
    alone = [search(rules_only, spec)[1][0] for spec in specs]
    _, together = search(rules_only, *specs)
    assert [answer for answer in together if answer] == alone
    assert len({json.dumps(answer) for answer in alone}) == 2


def test_damaged_code_is_compiled_again(rules_only):
    _, answers = search(rules_only, "expectimax:depth=2")
    files = list(rules_only.rglob("*.code"))
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:1000])
    again, found = search(rules_only, "expectimax:depth=2")
    assert again > 0
    assert found == answers


def test_the_code_used_last_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(kept_code, "_KEPT", 250)
    for days in range(5):
        file = tmp_path / f"{days}.code"
        file.write_bytes(b"x" * 100)
        os.utime(file, (10**9 - days, 10**9 - days))
    (tmp_path / "gone.tmp").symlink_to(tmp_path / "renamed")  # as another process's file at the wrong moment
    kept_code.KeptCode(test_the_code_used_last_is_kept, tmp_path)._forget_old()
    assert sorted(path.name for path in tmp_path.glob("*.code")) == ["0.code", "1.code"]


def test_a_heuristic_that_changes_is_another(rules_only):
    """By its text, by a number it names, by a function it calls."""
    heuristic = rules_only / "mine.py"
    text = textwrap.dedent("""
        from numba import njit

        from contienda.evaluation.board import empty

        SCALE = 3

        @njit
        def part(board):
            return empty(board) * SCALE

        def mine(board, weights):
            return part(board) + 1.0
    """)
    seen = set()
    for old, new in (
        ("", ""),
        ("SCALE = 3", "SCALE = 5"),
        ("+ 1.0", "+ 2.0"),
        ("empty(board) *", "2 * empty(board) *"),
    ):
        heuristic.write_text(text.replace(old, new) if old else text)
        compiled, answers = search(rules_only, f"expectimax:depth=1,eval={heuristic}:mine")
        assert compiled > 0
        seen.add(json.dumps(answers))
    assert len(seen) == 4


def test_a_home_that_cannot_be_written_is_no_hindrance(tmp_path):
    """The folder would lie below a file, which stops even an administrator; the temporary folder serves instead."""
    (tmp_path / "file").touch()
    (tmp_path / "tmp").mkdir()
    answer = ask(tmp_path / "file" / "cache", TMPDIR=str(tmp_path / "tmp"))
    assert answer["room"] == EMPTY * LARGEST
    assert Path(answer["cache"]).is_relative_to(tmp_path / "tmp")
    assert any(Path(answer["cache"]).iterdir())


def test_old_caches_are_forgotten_and_young_ones_kept(tmp_path):
    """Every edit of the package leaves a cache behind: only the last few are kept."""
    caches = [tmp_path / "contienda" / f"{days} days old" for days in range(30)]
    for days, cache in enumerate(caches):
        cache.mkdir(parents=True)
        then = cache.stat().st_mtime - days * 24 * 3600
        os.utime(cache, (then, then))
    own = run("import contienda.jit, os; print(os.environ['NUMBA_CACHE_DIR'])", tmp_path).strip()
    kept = [cache.exists() for cache in caches]
    assert Path(own).exists()
    assert 1 <= sum(kept) < 15
    assert kept == sorted(kept, reverse=True)


def test_what_only_lists_loads_nothing_heavy(tmp_path):
    """Start-up is felt at every command: lists and help need no compiler, no statistics and no server."""
    heavy = "{'numba', 'llvmlite', 'scipy', 'fastapi', 'uvicorn'}"
    for modules in ("contienda", "contienda.players, contienda.games, contienda.evaluation.catalogue"):
        code = f"import sys, {modules}; print(sorted({heavy} & set(sys.modules)))"
        assert run(code, tmp_path).strip() == "[]"
    assert "numba" in run(f"import sys, contienda.jit; print(sorted({heavy} & set(sys.modules)))", tmp_path)
