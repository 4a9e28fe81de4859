"""Any game's players are graded: by a judge, if the exact values are not known."""

from __future__ import annotations

from pathlib import Path

from drive import contienda

from contienda.games import make_game
from contienda.lab.figures import svg_of
from contienda.lab.grading import grading_of, regrets_by, sample

TOYS = Path(__file__).parents[1] / "toys"


def test_players_of_a_game_without_exact_values_are_graded_by_a_judge():
    game = make_game("tictactoe")
    grading = grading_of(game)  # its default player searches to the end
    answers = grading.grade(game, ["alphabeta", "random"], grading.sample(game, 30, 1))
    found = {row["player"]: row for row in grading.summary(answers).iter_rows(named=True)}
    assert (found["alphabeta"]["perfect"], found["alphabeta"]["regret"]) == (1, 0)
    assert found["random"]["perfect"] < 1
    assert found["random"]["regret"] > 0
    assert svg_of(grading.figure(grading.summary(answers))).startswith("<svg")


def test_the_sample_is_fixed_and_every_position_has_a_choice():
    game = make_game("einstein")
    positions = sample(game, 12, seed=3)
    assert positions == sample(game, 12, seed=3)
    assert positions != sample(game, 12, seed=4)
    assert len(positions) == 12
    assert all(len(game.legal_actions(state)) > 1 for _, state in positions)


def test_a_game_from_a_file_is_graded_from_the_command_line(tmp_path):
    out = tmp_path / "answers.csv"
    game = f"{TOYS / 'nim.py'}:Nim"
    ran = contienda(
        "lab", "grade", "alphabeta:depth=9", "random", "--game", game, "--judge", "alphabeta:depth=9", "-o", str(out)
    )
    assert ran.code == 0, ran.err
    assert "100.0%" in ran.out
    assert out.read_text().startswith("player,ply,position,move,perfect,regret\n")
    assert out.with_suffix(".svg").exists()


def test_no_answer_no_summary():
    import polars as pl
    import pytest

    from contienda.core.language import BadInput

    with pytest.raises(BadInput, match="no position was graded"):
        regrets_by(pl.DataFrame())
