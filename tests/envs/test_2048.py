"""2048 as environments of Gymnasium: their checks, the games of `contienda play`, one board and many alike."""

from __future__ import annotations

import subprocess
import sys
import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import contienda.envs
from contienda.compiled.rng import generator
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.games.g2048.board import Board, board_from_ranks
from contienda.match import Match
from contienda.players import make_player

G2048 = make_game("2048")
ID = contienda.envs.ENV_2048
LEFT = 3
#: A seed whose first board has an illegal move.
CORNERED = next(s for s in range(99) if len(G2048.legal_actions(G2048.start(generator(s)))) < 4)


def board_text(seen: np.ndarray) -> str:
    return "/".join(" ".join(str(1 << rank if rank else 0) for rank in row) for row in seen.tolist())


@pytest.mark.parametrize("arguments", [{}, {"size": (3, 2), "target": 16, "reward": "target"}])
def test_gymnasiums_checks_pass(arguments):
    with warnings.catch_warnings():  # svg is a way to render that Gymnasium does not know
        warnings.simplefilter("error")
        check_env(gym.make(ID, **arguments).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "svg"])
def test_each_way_to_render_shows_the_board(mode):
    env = gym.make(ID, render_mode=mode)
    env.reset(seed=7)
    shown = env.render()
    if mode == "rgb_array":
        assert shown.dtype == np.uint8
        assert shown.shape == (4 * 64, 4 * 64, 3)
        assert len(np.unique(shown.reshape(-1, 3), axis=0)) >= 3  # the ground, a tile, its number
    else:
        assert ">2<" in shown if mode == "svg" else "2" in shown.split()


@pytest.mark.parametrize("size", [4, 2])
def test_a_seed_gives_the_game_that_contienda_plays(size):
    game = make_game(f"2048:rows={size},columns={size}")
    played = Match(game, [make_player("greedy", game)]).play(7)
    env = gym.make(ID, size=size, illegal="refuse")
    seen, info = env.reset(seed=7)
    assert (board_text(seen), info["seed"]) == (game.format(played.start), 7)
    total, ended = 0.0, False
    for move in played.actions[::2]:
        seen, reward, ended, _, info = env.step(move)
        total += reward
    assert ended
    assert board_text(seen) == game.format(played.state)
    assert total == info["score"] == game.outcome(played.state)["score"]
    assert info["max_tile"] == game.outcome(played.state)["max_tile"]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize(
    "options",
    [{"reward": "log"}, {"size": 2, "max_episode_steps": 9}, {"size": (2, 3), "target": 32, "reward": "target"}],
)
def test_many_boards_are_as_many_single_ones(mode, options):
    """Observations, rewards, ends and all of info, as Gymnasium's own vector of single boards gives them."""
    ours = gym.make_vec(ID, num_envs=5, autoreset_mode=mode, **options)
    vector = {"autoreset_mode": gym.vector.AutoresetMode(mode)}
    theirs = gym.make_vec(ID, num_envs=5, vectorization_mode="sync", vector_kwargs=vector, **options)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    same(ours.reset(seed=11), theirs.reset(seed=11))
    lots = np.random.default_rng(3)
    ended = 0
    for number in range(300):
        actions = lots.integers(0, 4, 5)
        found = ours.step(actions)
        same(found, theirs.step(actions))
        ended += int(found[2].sum() + found[3].sum())
        if number == 200:
            same(ours.reset(), theirs.reset())
    assert ended > 3


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_boards_on_several_threads_are_those_on_one(mode):
    one, many = (gym.make_vec(ID, num_envs=7, size=2, autoreset_mode=mode).unwrapped for _ in range(2))
    many._parts = [(0, 2), (2, 3), (3, 7)]
    same(many.reset(seed=4), one.reset(seed=4))
    lots = np.random.default_rng(6)
    for _ in range(40):
        actions = lots.integers(0, 4, 7)
        found = one.step(actions)
        same(many.step(actions), found)
        if mode == "Disabled" and found[2].any():
            for boards in (one, many):
                boards.reset(options={"reset_mask": found[2]})


def same(ours, theirs):
    """Two answers of vector environments are equal, dtypes and all."""
    if isinstance(ours, dict):
        assert ours.keys() == theirs.keys()
        for key in ours:
            same(ours[key], theirs[key])
    elif isinstance(ours, tuple):
        for one, other in zip(ours, theirs, strict=True):
            same(one, other)
    elif ours is None or theirs is None:
        assert ours is theirs
    elif ours.dtype == object:
        same(tuple(ours), tuple(theirs))
    else:
        assert ours.dtype == theirs.dtype
        assert np.array_equal(ours, theirs)


def test_without_autoreset_a_board_waits_for_its_reset():
    boards = gym.make_vec(ID, num_envs=3, size=2, autoreset_mode="Disabled")
    boards.reset(seed=1)
    lots, ended = np.random.default_rng(0), np.zeros(3, bool)
    while not ended.any():
        ended = boards.step(lots.integers(0, 4, 3))[2]
    number = int(np.flatnonzero(ended)[0])
    with pytest.raises(BadInput, match=f"board {number} has ended"):
        boards.step(np.zeros(3, int))
    seen, _ = boards.reset(seed=50, options={"reset_mask": ended})
    game = make_game("2048:rows=2,columns=2")
    assert board_text(seen[number]) == game.format(game.start(generator(50 + number)))
    boards.step(np.zeros(3, int))


def test_the_mask_is_of_the_board_after_its_tile_was_placed():
    env = gym.make(ID, size=2)
    for seed in range(20):
        seen, info = env.reset(seed=seed)
        ended = False
        while not ended:
            game = env.unwrapped.game
            assert np.flatnonzero(info["action_mask"]).tolist() == game.legal_actions(game.parse(board_text(seen)))
            seen, _, ended, _, info = env.step(int(np.argmax(info["action_mask"])))
        assert not info["action_mask"].any()


def test_tiles_beyond_32768_are_right_on_many_boards_too():
    """The same moves on a board of very large tiles, by the game's rules."""
    game = make_game("2048")
    ranks = [15, 15, 16, 0, 3, 2, 1, 0, *[0] * 8]
    state = board_from_ranks(ranks)
    boards = gym.make_vec(ID, num_envs=4)
    boards.reset(seed=0)
    inner = boards.unwrapped
    for i in range(4):
        own = inner._boards[i]
        own["cells"], own["high"], own["bonus"], own["rank"], own["score"] = state.cells, state.high, 0, 16, 0
        own["bonus"] = -game.outcome(state)["score"]
    lots = np.random.default_rng(5)
    states = [Board(state.cells, state.high, -game.outcome(state)["score"])] * 4
    lucks = [generator(0) for _ in range(4)]
    for i in range(4):
        lucks[i].state = inner._boards["luck"][i]["state"]
    for number in range(40):
        actions = lots.integers(0, 4, 4) if number else np.full(4, LEFT)
        seen, *_, info = boards.step(actions)
        for i, action in enumerate(actions.tolist()):
            if action in game.legal_actions(states[i]):
                after = game.apply(states[i], action)
                states[i] = game.apply(after, game.rules.draw(after, lucks[i]))
            assert board_text(seen[i]) == game.format(states[i])
            assert np.flatnonzero(info["action_mask"][i]).tolist() == game.legal_actions(states[i])
            assert info["score"][i] == game.outcome(states[i])["score"]
    assert (info["max_tile"] >= 1 << 17).any()


def test_an_illegal_move_is_a_noop_or_refused():
    for make, one in ((gym.make, lambda action: action), (gym.make_vec, lambda action: np.array([action]))):
        env = make(ID)
        seen, info = env.reset(seed=CORNERED)
        illegal = int(np.argmin(np.ravel(info["action_mask"])))
        assert np.ravel(info["action_mask"])[illegal] == 0
        after, reward, *_ = env.step(one(illegal))
        assert np.array_equal(after, seen)
        assert reward == 0
        strict = make(ID, illegal="refuse")
        strict.reset(seed=CORNERED)
        with pytest.raises(BadInput, match="is not legal"):
            strict.step(one(illegal))
        assert np.array_equal(strict.step(one(int(np.argmax(info["action_mask"]))))[1] >= 0, one(True))  # plays on


WRONG = [
    ({"size": 9}, "a 2048 board has 2 to 4"),
    ({"size": "big"}, "size='big'"),
    ({"target": 100}, "target 100 is not a tile"),
    ({"reward": "fame"}, "reward='fame': there are points, log, target"),
    ({"reward": "target"}, "needs a target"),
    ({"illegal": "maybe"}, "illegal='maybe': there are noop, refuse"),
]


@pytest.mark.parametrize(("arguments", "complaint"), WRONG)
def test_bad_arguments_are_told_in_one_line(arguments, complaint):
    for make in (gym.make, gym.make_vec):
        with pytest.raises(BadInput, match=complaint):
            make(ID, **arguments)


@pytest.mark.parametrize("name", ["contienda/2049-v0", "contienda/2048-v9"])
def test_an_unknown_environment_is_told_in_one_line(name):
    for make in (gym.make, gym.make_vec):
        with pytest.raises(gym.error.Error, match="2048") as wrong:
            make(name)
        assert "\n" not in str(wrong.value)


def test_bad_actions_are_told_in_one_line():
    env, boards = gym.make(ID).unwrapped, gym.make_vec(ID, num_envs=2)
    with pytest.raises(BadInput, match="call reset"):
        env.step(0)
    with pytest.raises(BadInput, match="call reset"):
        boards.step(np.zeros(2, int))
    env.reset(seed=1)
    boards.reset(seed=1)
    with pytest.raises(BadInput, match="action 4"):
        env.step(4)
    for wrong, complaint in (
        (np.array([0, 4]), "board 1: action 4"),
        (np.zeros(3, int), "an array of 2 whole numbers"),
        (np.zeros(2), "an array of 2 whole numbers"),
    ):
        with pytest.raises(BadInput, match=complaint):
            boards.step(wrong)
    with pytest.raises(BadInput, match="3 seeds for 2 boards"):
        boards.reset(seed=[1, 2, 3])
    for bad in ({"num_envs": 0}, {"autoreset_mode": "Never"}, {"max_episode_steps": 0}):
        with pytest.raises(BadInput, match=next(iter(bad))):
            gym.make_vec(ID, **{"num_envs": 2} | bad)


def test_without_the_extra_one_line_names_it():
    code = """
import sys
sys.modules["gymnasium"] = sys.modules["pettingzoo"] = None
import contienda.envs.kaggle  # needs neither
try: from contienda.envs import connect4_v0
except ImportError as error: print(error)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.strip().count("\n") == 0
    assert "pip install 'contienda[env]'" in told
