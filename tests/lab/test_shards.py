"""Experiments in parts: every game in one shard, and together what one machine plays."""

from __future__ import annotations

import shutil
from contextlib import closing

import polars as pl
import pytest
from drive import contienda
from lab_games import BY_MACHINE

from contienda.lab.plan import Plan
from contienda.lab.plan_file import load_plan
from contienda.lab.results import Results
from contienda.lab.run import run
from contienda.lab.shards import Shard
from contienda.lab.table import table_of
from contienda.lab.where import Where

PLAN = """
name = "small"
game = "tictactoe"
games = 7
sides = "both"
opening = 1
players = ["random", "alphabeta:depth=1"]
opponents = ["random"]
"""


def bare(path) -> pl.DataFrame:
    with closing(Results(path)) as results:
        return table_of(results).drop(BY_MACHINE)


def play(plan, shard=None, out=None):
    """What the command does, without the tables that it shows."""
    name = ".sqlite" if shard is None else f".{shard.number}-of-{shard.parts}.sqlite"
    with closing(Results(out or plan.with_suffix(name), load_plan(plan), shard)) as results:
        assert run(results, Where("threads", 1)).complete


def resume(path):
    with closing(Results(path)) as results:
        assert run(results, Where("threads", 1)).complete


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(PLAN)
    return path


def test_shards_joined_are_what_one_machine_plays(plan, tmp_path):
    play(plan)
    assert contienda("lab", "run", plan, "--shard", "1/3", "--threads", 1).code == 0
    for number in (2, 3):
        play(plan, Shard(number, 3))
    parts = sorted(tmp_path.glob("small.*-of-3.sqlite"))
    assert len(parts) == 3
    assert all(bare(part).height in (4, 5) for part in parts)
    done = contienda("lab", "merge", *parts[::-1], "-o", tmp_path / "all.sqlite")
    assert (done.code, done.err) == (0, "")
    assert bare(tmp_path / "all.sqlite").equals(bare(tmp_path / "small.sqlite"))
    assert not list(tmp_path.glob(".merge-*"))
    resume(tmp_path / "all.sqlite")


def test_every_game_is_in_one_shard():
    plan = Plan("x", "tictactoe", ("random", "greedy", "minimax"), ("random",), games=11, seed=2**64 - 3)
    units = list(plan.units(plan.seeds(11)))
    for count in (1, 2, 3, 4, 50):
        shards = [Shard(number, count) for number in range(1, count + 1)]
        owners = [[shard.has(plan, unit) for shard in shards] for unit in units]
        assert all(sum(owner) == 1 for owner in owners)
        for number, shard in enumerate(shards):
            for entrant in range(3):
                own = sum(owner[number] for owner, unit in zip(owners, units, strict=True) if unit.entrant == entrant)
                assert own == shard.games(entrant, 11)


def test_a_shard_that_was_stopped_goes_on_with_its_own_games_only(plan, tmp_path):
    path = tmp_path / "part.sqlite"
    with closing(Results(path, load_plan(plan), Shard(2, 3))) as results:
        progress = run(results, Where("threads", 1), stopped=lambda: sum(results.counts().values()) > 0)
        assert not progress.complete
        assert 0 < progress.left < 5
    resume(path)
    assert bare(path).height in (4, 5)


def test_missing_shards_are_told_and_resume_plays_them(plan, tmp_path):
    for number in (1, 3):
        play(plan, Shard(number, 3))
    done = contienda("lab", "merge", *sorted(tmp_path.glob("*-of-3.sqlite")), "-o", tmp_path / "all.sqlite")
    assert done.code == 2
    assert "games are missing (shard 2): contienda lab resume" in done.err
    resume(tmp_path / "all.sqlite")
    play(plan)
    assert bare(tmp_path / "all.sqlite").equals(bare(tmp_path / "small.sqlite"))


def test_what_cannot_be_merged_is_told_in_one_line_and_nothing_is_lost(plan, tmp_path):
    play(plan, Shard(1, 2))
    part, out = tmp_path / "small.1-of-2.sqlite", tmp_path / "all.sqlite"
    other = tmp_path / "other.toml"
    other.write_text(PLAN.replace("games = 7", "games = 8"))
    play(other, Shard(2, 2))
    shutil.copy(part, tmp_path / "again.sqlite")
    play(plan, Shard(1, 4))
    for files, complaint in (
        ([part, tmp_path / "other.2-of-2.sqlite"], "hold different plans"),
        ([part, tmp_path / "again.sqlite"], "shard 1/2 is there twice"),
        ([part, tmp_path / "small.1-of-4.sqlite"], "they split the plan differently"),
        ([part, plan], "cannot be used"),
        ([part, tmp_path / "none.sqlite"], "there are no results"),
    ):
        assert complaint in contienda("lab", "merge", *files, "-o", out).complaint
        assert not out.exists()
    assert "already exists" in contienda("lab", "merge", part, "-o", tmp_path / "again.sqlite").complaint
    assert "holds shard 1/2 of this plan" in contienda("lab", "run", plan, "--out", part).complaint
    assert "holds shard 1/2" in contienda("lab", "run", plan, "--shard", "2/2", "--out", part).complaint
    for wrong in ("0/3", "4/3", "x", "1/0", "1/2/3", "-1/2"):
        assert "write 3/50" in contienda("lab", "run", plan, f"--shard={wrong}").complaint
    other.write_text(PLAN.replace("games = 7", "interval = 0.1"))
    assert "cannot be split" in contienda("lab", "run", other, "--shard", "1/2").complaint
    assert bare(part).height == 7


def test_a_game_told_differently_is_refused(plan, tmp_path):
    """Two files without shards may share games, if they agree on them."""
    play(plan)
    one, other = tmp_path / "small.sqlite", tmp_path / "b.sqlite"
    shutil.copy(one, other)
    assert contienda("lab", "merge", one, other, "-o", tmp_path / "both.sqlite").code == 0
    with closing(Results(other)) as results:
        results._db.execute("UPDATE results SET moves = moves + 1 WHERE seed = '3'")
    told = contienda("lab", "merge", one, other, "-o", tmp_path / "c.sqlite").complaint
    assert "tell different games" in told
    assert "seed 3" in told
