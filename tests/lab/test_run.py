"""The lab: plans, runs that resume, places that agree, statistics."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import threading
import time
from dataclasses import replace

import forked
import polars as pl
import pytest
from drive import command, contienda
from lab_games import BY_MACHINE, made_up

from contienda.core.language import BadInput
from contienda.lab import run as running
from contienda.lab.plan import Plan
from contienda.lab.plan_file import plan_from_toml
from contienda.lab.results import Outcome, Results
from contienda.lab.run import run
from contienda.lab.sequential import sequence_margin
from contienda.lab.table import table_of, turns_of
from contienda.lab.where import Batch, Where, code_version, play_batch

THREADS = Where("threads", 2)


def plan_of(*players: str, **changes) -> Plan:
    values = {"name": "test", "game": "2048", "games": 6, "target": 64, "players": players or ("random", "greedy")}
    return Plan(**values | changes)


def played(path, plan: Plan, where: Where = THREADS) -> pl.DataFrame:
    """The whole table of a plan, as played there, without what depends on the clock."""
    results = Results(path, plan)
    assert run(results, where).complete
    return bare(results)


def bare(results: Results) -> pl.DataFrame:
    return table_of(results).drop(BY_MACHINE)


# --- Plans -----------------------------------------------------------------------------------------------------------

WRONG = [
    ('game = "2048"\ngames = 1\nplayers = ["random"]\nopening = 2', "line 4: opening is for games for two"),
    (
        'game = "tictactoe"\ngames = 1\nplayers = ["random"]\nopponents = ["random"]\nopening = 9',
        "line 5: opening = 9: games of",
    ),
    (
        'game = "connect4"\ngames = 1\nplayers = ["random"]\nopponents = ["random"]\nopening = -1',
        "line 5: opening = -1: from 0 to 20",
    ),
    ('game = "2048"\ngames = 2\nplayers = ["random", "rondom"]', "line 3: no player 'rondom'"),
    ('games = 2\ngame = "2048"\nplyers = ["random"]', "line 3: no key 'plyers': there are name, game"),
    ('game = "2048"\ngames = 0\nplayers = ["random"]', "line 2: games = 0 must be at least 1"),
    ('games = 1\ngame = "chess"\nplayers = ["random"]', "line 2: no game 'chess'"),
    ('game = "2048"\ngames = "many"\nplayers = ["random"]', "line 2: games must be a whole number"),
    ('game = "2048"\ngames = true\nplayers = ["random"]', "line 2: games must be a whole number"),
    ('game = "2048"\ngames = 2\nplayers = [3]', "line 3: players must be a list of specs in quotes"),
    ('game = "2048"\ngames = 2\nturns = "yes"', "line 3: turns must be true or false"),
    ('game = "2048"\ngames = 2\ntarget = 65\nplayers = ["random"]', "line 3: target 65 is not a tile"),
    ('game = "2048"\ngames = 2\nplayers = ["human"]', "line 3: human cannot be measured"),
    ('game = "2048"\ngames = 2\nplayers = ["random", "random"]', "line 3: random is there twice"),
    ('game = "2048"\ngames = 2\nopponents = ["random"]\nplayers = ["random"]', "line 3: 2048 has no second player"),
    ('game = "connect4"\ngames = 2\nplayers = ["expectimax"]\nopponents = ["random"]', "line 3: expectimax does not"),
    ('game = "connect4"\ngames = 2\nplayers = ["random"]', "line 1: connect4 is for two: add opponents ="),
    (
        'game = "2048"\ngames = 2\ninterval = 0.1\nplayers = ["random"]',
        "line 3: a plan has one of games, interval and test",
    ),
    ('game = "2048"\ninterval = 5\nplayers = ["random"]', "line 2: interval = 5 is a share"),
    ('game = "2048"\ngames = 2\n[grid]\nplayer = "random"', "line 3: grid must be written with two brackets"),
    ('game = "2048"\ngames = 2\n[[grid]]\ndepth = 3', "line 3: a [[grid]] needs a player"),
    ('game = "2048"\ngames = 2', "a plan needs players"),
    ("games = 2", "game is missing"),
    ("game = 2 2", "line 1: it is not TOML"),
    ('game = "2048"\ngames = 2\npaths = true\nplayers = ["greedy"]\ntarget = 64', "line 4: no solver 'greedy'"),
]
GRID = """
game = "2048"
games = 2
players = ["alphabeta:depth=1,eval=uma1"]  # uma9 is no evaluator

[[grid]]
player = "alphabeta"
depth = [1, 2]

[[grid]]
player = ["expectimax", "{player}"]
eval = ["uma1",
        "{evaluator}"]
depth = [{depth}]
"""
IN_A_GRID = [
    ({"evaluator": "uma9"}, "line 13: no evaluator 'uma9'"),
    ({"depth": "1, 0"}, "line 14: depth=0 is out of range"),
    ({"player": "minmax"}, "line 11: no player 'minmax'"),
]


@pytest.mark.parametrize(("text", "complaint"), WRONG)
def test_wrong_plan_is_told_with_its_line(text, complaint):
    with pytest.raises(BadInput) as wrong:
        plan_from_toml(text, "x")
    assert str(wrong.value).startswith(complaint)


@pytest.mark.parametrize(("wrong", "complaint"), IN_A_GRID)
def test_wrong_value_in_a_grid_is_told_with_its_own_line(wrong, complaint):
    text = GRID.format(**{"evaluator": "uma2", "depth": "1", "player": "minimax"} | wrong)
    with pytest.raises(BadInput) as error:
        plan_from_toml(text, "x")
    assert str(error.value).startswith(complaint)


def test_grid_gives_every_combination_once():
    plan = plan_from_toml(GRID.format(evaluator="uma2", depth="1, 3", player="minimax"), "x")
    assert len(plan.players) == 1 + 2 + 2 * 2 * 2
    assert plan.players[:2] == ("alphabeta:depth=1,eval=uma1", "alphabeta:depth=1")
    assert "minimax:eval=uma2,depth=3" in plan.players


def test_plan_survives_its_file():
    plan = plan_of(seed=2**64 - 1, turns=True)
    assert Plan.from_data(plan.as_data()) == plan
    assert plan.seeds(3) == [2**64 - 1, 0, 1]


def test_sides():
    both = plan_of("random", game="connect4", opponents=("random",), target=None, sides="both", seed=5)
    assert [both.first_moves(seed) for seed in both.seeds(4)] == [True, False, True, False]
    second = plan_of("random", game="connect4", opponents=("random",), target=None, sides="second")
    assert not any(second.first_moves(seed) for seed in second.seeds(4))


# --- Running ---------------------------------------------------------------------------------------------------------


def test_run_plays_the_missing_games_and_only_those(tmp_path, monkeypatch):
    whole = played(tmp_path / "whole.sqlite", plan_of())
    results = Results(tmp_path / "part.sqlite", plan_of())
    finished: list[int] = []
    progress = run(results, Where("threads", 1), watch=lambda p: finished.append(p.new), stopped=lambda: bool(finished))
    done = sum(results.counts().values())
    assert not progress.complete
    assert 0 < done < 12
    asked: list[int] = []
    real = running._batch
    monkeypatch.setattr(running, "_batch", lambda plan, e, f, seeds: asked.extend(seeds) or real(plan, e, f, seeds))
    again = Results(tmp_path / "part.sqlite")
    assert run(again, THREADS).complete
    assert len(asked) == 12 - done
    assert bare(again).equals(whole)
    assert run(again, THREADS).new == 0


def test_two_runs_at_once_share_one_file(tmp_path):
    path, plan = tmp_path / "shared.sqlite", plan_of(games=1000)
    games: list[int] = []
    runs = [
        threading.Thread(target=lambda: games.append(run(Results(path, plan), Where("threads", 1)).new))
        for _ in range(2)
    ]
    for each in runs:
        each.start()
    for each in runs:
        each.join()
    results = Results(path)
    assert results.counts() == {0: 1000, 1: 1000}
    assert len(results.runs()) == 2
    assert sum(games) < 2 * 2000 - 500  # nobody played what the other had played long ago
    assert bare(results).equals(played(tmp_path / "alone.sqlite", plan))


def test_threads_processes_and_cluster_agree_bit_for_bit(tmp_path):
    plan = plan_of("random", target=None, games=8)
    places = [Where("threads", 2), Where("processes", 2), Where("cluster", 2)]
    tables = [played(tmp_path / f"{place.kind}.sqlite", plan, place) for place in places]
    assert len(tables[0]) == 8
    assert all(table.equals(tables[0]) for table in tables)


def test_both_sides_of_a_game_for_two(tmp_path):
    plan = plan_of("alphabeta", game="tictactoe", target=None, opponents=("random",), sides="both", games=10)
    table = played(tmp_path / "r.sqlite", plan)
    assert (table["winner"] != 2).all()  # whoever begins, the entrant is 1, and perfect play never loses
    assert (table["winner"] == 1).any()
    assert table["won"].to_list() == [winner == 1 for winner in table["winner"]]


def test_an_opening_is_another_game_for_every_seed_and_the_same_from_both_sides(tmp_path):
    plan = plan_of(
        "alphabeta:depth=1", game="connect4", target=None, opponents=("alphabeta:depth=1",), games=12, seed=7
    )
    always_the_same = played(tmp_path / "none.sqlite", plan)
    assert always_the_same["moves"].n_unique() == 1
    plan = replace(plan, sides="both", opening=4)
    table = played(tmp_path / "opened.sqlite", plan)
    assert table["moves"].n_unique() > 3
    # Two equal players: from either side of an opening the same game, won by the other entrant.
    for first, second in zip(table.rows(named=True)[::2], table.rows(named=True)[1::2], strict=True):
        assert first["moves"] == second["moves"]
        assert first["winner"] == {0: 0, 1: 2, 2: 1}[second["winner"]]


@pytest.mark.slow
def test_path_searches(tmp_path):
    plan = plan_of("backtracking", "astar", paths=True, target=128, games=3)
    table = played(tmp_path / "r.sqlite", plan)
    assert table["won"].all()
    assert table["ended"].unique().to_list() == ["found"]
    assert (table["max_tile"] == 128).all()
    assert (table["nodes"] >= table["moves"]).all()


def test_turns_are_kept_where_asked_for(tmp_path):
    results = Results(tmp_path / "r.sqlite", plan_of("random", turns=True))
    run(results, THREADS)
    turns = turns_of(results).means
    assert len(turns) == table_of(results)["moves"].max()
    assert (turns["ms"] > 0).all()


def kill_and_resume(folder, plan_text: str, kills: int) -> pl.DataFrame:
    """Run a plan in a process of its own that is killed again and again at some moment, and resumed."""
    plan, results = folder / "p.toml", folder / "p.sqlite"
    plan.write_text(plan_text)
    lots = random.Random(kills)
    arguments = ["lab", "run", plan, "--threads", "2"]
    total = plan_from_toml(plan_text, "p").games
    assert total is not None
    for kill in range(kills):
        child = forked.Popen(command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Some of the games are there, and others are being played or written.
        wanted = total * (kill + lots.random()) / (kills + 1)
        while child.poll() is None and count(results) < wanted:
            time.sleep(0.01)
        time.sleep(lots.random() * 0.05)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        arguments = ["lab", "resume", results, "--threads", "2"]
    assert count(results) < total
    done = Results(results)
    assert run(done, THREADS).complete
    return bare(done)


def count(path) -> int:
    try:
        return sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("SELECT COUNT(*) FROM results").fetchone()[0]
    except sqlite3.OperationalError:  # not there yet
        return 0


KILLED = 'game = "2048"\ngames = 3000\nseed = 7\nplayers = ["random"]'


def test_killed_run_resumes_to_the_same_table(tmp_path):
    whole = played(tmp_path / "whole.sqlite", plan_from_toml(KILLED, "p"))
    assert kill_and_resume(tmp_path, KILLED, kills=2).equals(whole)


@pytest.mark.slow
def test_run_killed_many_times_resumes_to_the_same_table(tmp_path):
    text = KILLED.replace("3000", "60000")
    whole = played(tmp_path / "whole.sqlite", plan_from_toml(text, "p"))
    assert kill_and_resume(tmp_path, text, kills=20).equals(whole)


@pytest.mark.slow
def test_killed_worker_process_is_survived(tmp_path):
    plan = plan_of("random", target=None, games=3000)
    results = Results(tmp_path / "r.sqlite", plan)
    killed: list[int] = []

    def watch(progress) -> None:
        if not killed:
            (parent,) = subprocess.run(
                ["pgrep", "-P", str(os.getpid()), "-f", "forkserver"], capture_output=True, text=True, check=True
            ).stdout.split()
            children = subprocess.run(["pgrep", "-P", parent], capture_output=True, text=True, check=True)
            killed.append(int(children.stdout.split()[0]))
            os.kill(killed[0], signal.SIGKILL)

    assert run(results, Where("processes", 2), watch=watch).complete
    assert killed
    assert bare(results).equals(played(tmp_path / "whole.sqlite", plan))


def test_workers_that_always_die_end_the_run(tmp_path):
    class Dead:
        broken = (ConnectionError,)
        workers = staticmethod(lambda: 1)

        def submit(self, batch):
            raise ConnectionError

        def __enter__(self):
            return self

        def __exit__(self, *error):
            return False

    with pytest.raises(BadInput, match="the workers died 5 times"):
        run(Results(tmp_path / "r.sqlite", plan_of()), THREADS, opening=lambda where: Dead())


def test_interval_decides_the_number_of_games(tmp_path):
    plan = plan_of("random", games=None, interval=0.05, target=None)
    table = played(tmp_path / "whole.sqlite", plan)
    games = len(table)
    assert games % 50 == 0
    scores = table["score"].to_numpy()

    def margin(n: int) -> float:
        return sequence_margin(n) * scores[:n].std(ddof=1) / scores[:n].mean()

    assert margin(games) <= 0.05 < margin(games - 50)
    # An interrupted run, which already has later games than it needs to look at, decides alike.
    results = Results(tmp_path / "part.sqlite", plan)
    run(results, THREADS, stopped=lambda: len(results.rows()) > 60)
    assert run(results, THREADS).complete
    assert bare(results).equals(table)
    few = plan_of("random", games=None, interval=0.001, most=7)
    assert len(played(tmp_path / "few.sqlite", few)) == 7


# --- Files and places that cannot be ---------------------------------------------------------------------------------


def test_results_of_another_plan_are_left_alone(tmp_path):
    played(tmp_path / "r.sqlite", plan_of("random"))
    with pytest.raises(BadInput, match="another plan"):
        Results(tmp_path / "r.sqlite", plan_of("greedy"))


def test_results_of_another_version(tmp_path):
    path = tmp_path / "r.sqlite"
    Results(path, plan_of("random")).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    assert "version 99; this Contienda knows version 1" in contienda("lab", "status", path).complaint


@pytest.mark.parametrize("content", [b"", b"no database at all, but long enough to look like a file of something"])
def test_file_that_is_no_results(tmp_path, content):
    path = tmp_path / "r.sqlite"
    path.write_bytes(content)
    assert str(path) in contienda("lab", "status", path).complaint


def test_missing_files(tmp_path):
    assert "there are no results" in contienda("lab", "resume", tmp_path / "none.sqlite").complaint
    assert "cannot read" in contienda("lab", "run", tmp_path / "none.toml").complaint


def test_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    plan = tmp_path / "p.toml"
    contienda("lab", "new", plan)
    complaint = contienda("lab", "run", plan, "--out", tmp_path / "file" / "r.sqlite").complaint
    assert complaint.startswith(f"cannot write {tmp_path / 'file'}: ")
    # Not even root may write here.
    assert "cannot write /proc/self" in contienda("lab", "run", plan, "--out", "/proc/self/r.sqlite").complaint


def test_cluster_that_does_not_answer(tmp_path, monkeypatch):
    results = Results(tmp_path / "r.sqlite", plan_of())
    with pytest.raises(BadInput, match="no cluster answers at nonsense://here"):
        run(results, Where("cluster", 1, "nonsense://here"))


def test_worker_with_other_code_is_refused():
    with pytest.raises(BadInput, match="another version of Contienda"):
        play_batch(Batch(0, "2048", None, "random", None, False, (1,), False, False, code_version()[::-1]))


def test_full_disk_keeps_what_is_finished(tmp_path):
    results = Results(tmp_path / "r.sqlite", plan_of("random"))
    results.begin("here", code_version())
    games = [Outcome(0, seed, "over", 1, 2, False, None, 1, 1, 0.1, "host") for seed in range(5000)]
    results.add(games[:1])
    pages = results._db.execute("PRAGMA page_count").fetchone()[0]
    results._db.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(BadInput, match="disk is full; the finished games are saved"):
        results.add(games[1:])
    assert len(Results(results.path).rows()) == 1


@pytest.mark.parametrize(
    ("options", "complaint"),
    [(["--threads", 0], "--threads 0 must be at least 1"), (["--threads", 1, "--processes", 1], "choose only one of")],
)
def test_wrong_options(tmp_path, options, complaint):
    plan = tmp_path / "p.toml"
    assert contienda("lab", "new", plan).code == 0
    assert complaint in contienda("lab", "run", plan, *options).complaint


# --- The command line ------------------------------------------------------------------------------------------------


def test_new_run_status_list(tmp_path):
    plan = tmp_path / "trial.toml"
    assert "contienda lab run" in contienda("lab", "new", plan).out
    assert "already" in contienda("lab", "new", plan).complaint
    plan.write_text('game = "2048"\ngames = 3\ntarget = 32\nplayers = ["random", "greedy"]')
    ran = contienda("lab", "run", plan, "--threads", 1)
    assert ran.code == 0, ran.err
    assert "greedy" in ran.out
    assert contienda("lab", "status", tmp_path / "trial.sqlite").out == ran.out
    assert "6/6" in contienda("lab", "list", tmp_path).out
    spanish = contienda("lab", "status", tmp_path / "trial.sqlite", "--lang", "es").out
    assert "el mejor jugador menos cada uno de los demás" in " ".join(spanish.split())  # it may be folded


def test_long_names_are_folded_and_not_cut(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    made_up(tmp_path / "r.sqlite", ("greedy:eval=ort-intermediate,corner=7.5,dispersion=0.25",))
    assert "…" not in contienda("lab", "status", tmp_path / "r.sqlite").out
