"""The hash of the code in results: different for code that plays differently, the same for changes that affect no
game."""

from __future__ import annotations

import gc
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import contienda
from contienda.core.syntax import parse_python
from contienda.lab.plan import Plan
from contienda.lab.played_by import code_version, hash_of
from contienda.lab.results import Results
from contienda.lab.where import code_version as version_of_batches

PACKAGE = Path(contienda.__file__).parent


#: Files of the package that decide how a game comes out.
DECIDE = (
    "core/evaluator.py",
    "evaluation/compiled.py",
    "games/g2048/terms.py",
    "games/connect4.py",
    "compiled/jit.py",
    "lab/openings.py",
    "match.py",
    "perfect/books/6x7x4.book",
    "perfect/solve.py",
    "players/search.py",
    "problems/puzzle8.py",
    "compiled/rng.py",
    "search/alphabeta.py",
)
#: And files that do not.
ASIDE = (
    "cli/play.py",
    "compiled/kept_code.py",
    "lab/report.py",
    "locales/es/LC_MESSAGES/contienda.po",
    "core/language.py",
    "trace/svg.py",
    "web/app.py",
)


@pytest.fixture
def package(tmp_path):
    """A copy of some of the package: the hash of all of it takes long."""
    for name in (*DECIDE, *ASIDE):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PACKAGE / name, tmp_path / name)
    return tmp_path


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_the_code_here_has_one_hash():
    assert code_version() == version_of_batches() == hash_of(PACKAGE)


def test_words_and_layout_change_nothing(package):
    before = hash_of(package)
    edit(
        package / "compiled" / "rng.py",
        '"""Spread every bit of an unsigned number over all 64."""',
        '"""Otherwise said."""',
    )
    edit(package / "compiled" / "rng.py", '"""Randomness with', '"""Chance with')
    edit(
        package / "compiled" / "rng.py",
        "z = (z ^ (z >> _30)) * _MIX_1\n",
        "z = (\n        z ^ (z >> _30)\n    ) * _MIX_1  # said\n",
    )
    edit(package / "core" / "evaluator.py", '"""It depends on the points made so far."""\n', "\n\n")
    for aside in ASIDE:
        with (package / aside).open("a") as file:
            file.write("\nADDED = 1\n")
    assert hash_of(package) == before


def test_what_decides_a_game_changes_it(package):
    hashes = [hash_of(package)]
    for name in DECIDE:
        with (package / name).open("ab") as file:
            file.write(b"\nADDED = 1\n")
        hashes.append(hash_of(package))
    edit(package / "compiled" / "rng.py", "0xBF58476D1CE4E5B9", "0xBF58476D1CE4E5BB")
    hashes.append(hash_of(package))
    assert len(set(hashes)) == len(DECIDE) + 2


def test_results_of_other_code_stay_readable(tmp_path):
    results = Results(tmp_path / "old.sqlite", Plan("old", "2048", ("random",), games=1))
    results.begin("here", "33249d1319f083a4")  # a hash as earlier versions made it
    results.close()
    assert Results(tmp_path / "old.sqlite").runs()[0]["code"] == "33249d1319f083a4"


def test_many_threads_may_read_sources_at_once():
    """Until Python 3.12 two parsers at once disturb each other, if threads change while memory is collected."""
    source = "x = " + "[" * 40 + "]" * 40 + "\n" + "y = f((1 + 2) * 3, [a.b.c for a in z])\n" * 300

    def let_others_go_on(*_):
        time.sleep(0)

    usual = gc.get_threshold()
    gc.callbacks.append(let_others_go_on)
    gc.set_threshold(50)
    try:
        with ThreadPoolExecutor(8) as threads:
            trees = list(threads.map(parse_python, [source] * 48))
    finally:
        gc.set_threshold(*usual)
        gc.callbacks.remove(let_others_go_on)
    assert {len(tree.body) for tree in trees} == {301}
