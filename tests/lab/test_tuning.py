"""The effect of weights, and better ones."""

from __future__ import annotations

import pytest
from drive import contienda
from lab_games import made_up

from contienda.core.language import BadInput
from contienda.lab import tune as tuning_module
from contienda.lab.figures import svg_of
from contienda.lab.figures.curves import sensitivity
from contienda.lab.sensitivity import sweep_plan, sweep_table, weights_of, with_weights
from contienda.lab.table import table_of
from contienda.lab.tune import Tuning, gain, tune
from contienda.lab.where import Where

PLAYER = "greedy:eval=combined"
HERE = Where("threads", 1)


def test_sweep_changes_one_weight_at_a_time():
    plan = sweep_plan(PLAYER, games=2, names=["empty"], factors=(0, 1, 2))
    assert plan.players == (PLAYER, f"{PLAYER},empty=0", f"{PLAYER},empty=512")
    assert len(sweep_plan(PLAYER, games=2).players) == 1 + 3 * 5
    with pytest.raises(BadInput, match="has no weight 'room': it has score, empty, corner"):
        sweep_plan(PLAYER, games=2, names=["room"])
    with pytest.raises(BadInput, match="no weights to change"):
        sweep_plan("random", games=2)


def test_sweep_of_changed_weights_starts_from_them():
    plan = sweep_plan(f"{PLAYER},empty=100", games=2, names=["empty"], factors=(1, 2))
    assert plan.players == (f"{PLAYER},empty=100", f"{PLAYER},empty=200")


def test_sweep_table_and_figure(tmp_path):
    plan = sweep_plan(PLAYER, games=5)
    rows = sweep_table(table_of(made_up(tmp_path / "r.sqlite", plan.players, games=5)))
    assert rows["weight"].unique(maintain_order=True).to_list() == ["score", "empty", "corner"]
    assert rows["factor"].to_list() == [0, 0.25, 0.5, 1, 2, 4] * 3
    as_it_was = rows.filter(rows["factor"] == 1)["quality"]
    assert as_it_was.n_unique() == 1
    svg = svg_of(sensitivity(rows))
    assert all(weight in svg for weight in ("score", "empty", "corner"))


def test_weights_are_written_into_the_spec():
    assert weights_of(with_weights(PLAYER, {"empty": 12.5}))["empty"] == 12.5


def test_tuning_resumes_to_the_same_end(tmp_path):
    tuning = Tuning(PLAYER, games=3, budget=36, population=4)
    assert tuning.generations == 3
    whole = tune(tuning, tmp_path / "whole.jsonl", HERE)
    seen: list[int] = []
    path = tmp_path / "part.jsonl"
    stopped = tune(tuning, path, HERE, watch=lambda trials: seen.append(1), stopped=lambda: bool(seen))
    assert stopped is None
    with path.open("a") as file:
        file.write('{"generation": 1, "cand')  # a crash in the middle of a line
    assert tune(tuning, path, HERE) == whole
    assert sorted(path.read_text().splitlines()) == sorted((tmp_path / "whole.jsonl").read_text().splitlines())
    assert whole != PLAYER
    with pytest.raises(BadInput, match="holds another tuning"):
        tune(Tuning(PLAYER, games=4, budget=36, population=4), path, HERE)


def test_tuning_finds_the_top_of_a_hill(tmp_path, monkeypatch):
    """The same search on a score that is largest at empty = 300, score = 2, corner = 0.5."""

    def play(tuning, generation, players, log, pool, stopped):
        tops = {"score": 2.0, "empty": 300.0, "corner": 0.5}
        return [-sum((weights_of(player)[name] / top - 1) ** 2 for name, top in tops.items()) for player in players]

    monkeypatch.setattr(tuning_module, "_play_generation", play)
    tuned = tune(Tuning(PLAYER, games=1, budget=600, population=10), tmp_path / "t.jsonl", HERE)
    found = weights_of(tuned)
    assert found["empty"] == pytest.approx(300, rel=0.02)
    assert found["corner"] == pytest.approx(0.5, rel=0.02)


def test_gain_is_measured_on_new_seeds(tmp_path):
    tuning = Tuning(PLAYER, games=3, budget=36, population=4)
    found = gain(tuning, f"{PLAYER},score=0,empty=0,corner=-1", tmp_path / "c.sqlite", HERE, games=30)
    assert found.difference.games == 30
    assert found.difference.difference.value == pytest.approx(found.after.value - found.before.value)
    assert found.after.value < found.before.value  # away from the corner is worse


def test_command_line(tmp_path):
    swept = contienda("lab", "sweep", PLAYER, "--games", 2, "--weight", "corner", "-o", tmp_path / "s.sqlite")
    assert swept.code == 0, swept.err
    assert (tmp_path / "s.svg").exists()
    options = ["--games", 2, "--budget", 8, "--population", 4, "--check", 5]
    tuned = contienda("lab", "tune", PLAYER, *options, "-o", tmp_path / "t.jsonl", "--threads", 1)
    assert tuned.code == 0, tuned.err
    assert tuned.out.startswith("greedy:eval=combined,score=")
    assert "5 games on new seeds" in tuned.out
    wrong = contienda("lab", "tune", PLAYER, "--budget", 3, "-o", tmp_path / "u.jsonl")
    assert "one generation takes 500" in wrong.complaint


def test_weights_are_measured_in_any_game_with_one_player():
    small = "2048:rows=2,columns=2"
    assert sweep_plan("greedy:eval=combined", small, games=2).game == small
    assert Tuning("greedy:eval=combined", game=small).game == small
    with pytest.raises(BadInput, match="connect4 has two players"):
        sweep_plan("alphabeta:eval=uja", "connect4", games=2)
