"""The games for two as environments of PettingZoo: its own tests, and whole games beside our rules."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from types import SimpleNamespace

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from contienda.compiled.rng import generator
from contienda.core.language import BadInput
from contienda.envs import connect4_v0, othello_v0, tictactoe_v0, two_player_env
from contienda.envs.kaggle import agent
from contienda.games import make_game

GAMES = {"connect4": connect4_v0, "othello": othello_v0, "tictactoe": tictactoe_v0}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.filterwarnings("ignore:Observation.*")  # PettingZoo would have every observation changed by every step
def test_pettingzoos_own_tests_pass(name):
    with redirect_stdout(io.StringIO()):
        api_test(GAMES[name].env(), num_cycles=60)
        seed_test(GAMES[name].env, num_cycles=20)
        render_test(GAMES[name].env, {"svg": lambda shown: shown.startswith("<svg")})


@pytest.mark.parametrize("spec", ["connect4:rows=4,columns=5", "othello", "tictactoe", "einstein"])
def test_whole_games_are_ours(spec):
    """Turns, masks, boards of both agents and the result; a game with luck draws what the match draws."""
    game, env = make_game(spec), two_player_env(spec)
    lots = np.random.default_rng(1)
    for seed in range(3):
        env.reset(seed=seed)
        luck = generator(seed)
        state = game.start(luck)
        while True:
            while game.legal_actions(state) and game.rules.turn(state) == 2:
                state = game.apply(state, game.rules.draw(state, luck))
            seen, _, ended, _, _ = env.last()
            if ended:
                break
            assert env.agent_selection == f"player_{game.rules.turn(state)}"
            assert np.flatnonzero(seen["action_mask"]).tolist() == game.legal_actions(state)
            other = env.observe("player_0" if env.agent_selection == "player_1" else "player_1")
            assert not other["action_mask"].any()
            assert np.array_equal(other["observation"], seen["observation"][..., ::-1])
            move = int(lots.choice(game.legal_actions(state)))
            env.step(move)
            state = game.apply(state, move)
        assert game.legal_actions(state) == []
        winner = game.outcome(state)["winner"]
        assert env.rewards == {"player_0": (0, 1, -1)[winner], "player_1": (0, -1, 1)[winner]}


def test_an_illegal_move_loses_and_the_raw_environment_refuses_it():
    env = tictactoe_v0.env()
    env.reset(seed=0)
    env.step(4)
    env.step(4)
    assert env.rewards == {"player_0": 0, "player_1": -1}
    raw = tictactoe_v0.raw_env()
    raw.reset(seed=0)
    for wrong in (9, -1, None, 2.0):
        with pytest.raises(BadInput, match="is not legal at"):
            raw.step(wrong)
    raw.step(4)
    assert raw.render() is None


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: two_player_env("2048"), "2048 has no second player"),
        (lambda: two_player_env("chess"), "no game 'chess'"),
        (lambda: connect4_v0.env(rows=0), "rows"),
        (lambda: connect4_v0.env(render_mode="smell"), "render_mode='smell': there are human"),
    ],
)
def test_bad_arguments_are_told_in_one_line(make, complaint):
    with pytest.raises(BadInput, match=complaint):
        make()


def test_a_player_is_an_agent_for_kaggle():
    play = agent("alphabeta:depth=2")
    board = [0] * 35 + [1, 1, 1, 0, 2, 2, 2]
    usual = {"rows": 6, "columns": 7, "inarow": 4}
    assert play({"board": board, "mark": 1}, usual) == 3
    assert play(SimpleNamespace(board=[0] * 35 + [1, 1, 1, 0, 2, 2, 0], mark=2), SimpleNamespace(**usual)) == 3
    for wrong, complaint in (
        ({"board": board[1:]}, "42 cells"),
        ({"mark": 1}, "board is missing"),
        ({"board": [1, 1, 1] + [0] * 39}, "no game reaches"),
    ):
        with pytest.raises(BadInput, match=complaint):
            play(wrong, usual)
