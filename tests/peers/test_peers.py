"""Rules and values beside those of other packages, each by its own documented calls: ``make peers``.

They are no dependencies of ours: all are permissively licensed (OpenSpiel Apache-2.0; PettingZoo, gymnasium-2048 and
bitbully-databases MIT) and none is needed for anything but these tests. Where they are not installed the tests fail.
"""

from __future__ import annotations

import random

import numpy as np
import pyspiel
import pytest
from bitbully_databases import BitBullyDatabases
from gymnasium_2048.envs import TwentyFortyEightEnv
from open_spiel.python.algorithms import minimax
from pettingzoo import make as make_environment

from contienda.compiled.rng import generator
from contienda.core.game import CHANCE
from contienda.core.language import BadInput
from contienda.envs import connect4_v0
from contienda.games import make_game
from contienda.games.g2048.board import score
from contienda.players import make_player

G2048 = make_game("2048")
CONNECT4 = make_game("connect4")


# --- 2048 -------------------------------------------------------------------------------------------------------------


def their_grid(state):
    """OpenSpiel's board as ours is given: rows of faces."""
    return [[int(face) for face in row.split()] for row in str(state).strip().splitlines()]


@pytest.mark.parametrize("seed", range(20))
def test_2048_is_openspiels(seed):
    """Boards, legal moves, points, every outcome of luck with its probability, and the end of whole games."""
    lots = random.Random(seed)
    theirs = pyspiel.load_game("2048(max_tile=131072)").new_initial_state()
    for _ in range(2):  # the first two tiles
        outcomes, chances = zip(*theirs.chance_outcomes(), strict=True)
        theirs.apply_action(lots.choices(outcomes, chances)[0])
    ours = G2048.parse("/".join(" ".join(map(str, row)) for row in their_grid(theirs)))
    moves = 0
    while not theirs.is_terminal():
        assert G2048.grid(ours) == their_grid(theirs)
        if theirs.is_chance_node():
            assert G2048.rules.turn(ours) == CHANCE
            after = {str(G2048.grid(G2048.apply(ours, a))): a for a in G2048.legal_actions(ours)}
            expected = {str(their_grid(theirs.child(a))): chance for a, chance in theirs.chance_outcomes()}
            found = {grid: G2048.rules.probability(ours, action) for grid, action in after.items()}
            assert found == pytest.approx(expected)
            outcomes, chances = zip(*theirs.chance_outcomes(), strict=True)
            theirs.apply_action(lots.choices(outcomes, chances)[0])
            ours = G2048.apply(ours, after[str(their_grid(theirs))])
        else:
            # OpenSpiel 2.0.2 does not list a move that only merges (0 0 4 4 to the right), and plays it all the same.
            changing = [action for action in range(4) if their_grid(theirs.child(action)) != their_grid(theirs)]
            assert G2048.legal_actions(ours) == changing
            assert set(theirs.legal_actions()) <= set(changing)
            action = lots.choice(changing)
            before = score(ours)
            theirs.apply_action(action)
            ours = G2048.apply(ours, action)
            assert score(ours) - before == theirs.rewards()[0]
            moves += 1
    assert G2048.grid(ours) == their_grid(theirs)
    assert G2048.legal_actions(ours) == []
    assert moves > 30


@pytest.mark.parametrize("largest", [3, 6, 10])
def test_2048_moves_are_gymnasiums(largest):
    """All four moves, and the end, of boards at random with many merges, few, or none; and with the largest tiles."""
    lots = np.random.default_rng(largest)
    tried = 0
    while tried < 1000:
        board = lots.integers(0, largest + 1, (4, 4)).astype(np.uint8)
        if tried % 4 == 0:
            board[0, :3] = lots.choice([14, 15, 16], 3, replace=False)
            board[0, 3] = board[0, 2]
        text = "/".join(" ".join(str(1 << rank if rank else 0) for rank in row) for row in board.tolist())
        try:
            ours = G2048.parse(text)
        except BadInput:  # no game reaches it
            continue
        for action in range(4):
            after, points, legal = TwentyFortyEightEnv.apply_action(board, action)
            assert (action in G2048.legal_actions(ours)) == legal
            if legal:
                moved = G2048.apply(ours, action)
                assert G2048.grid(moved) == np.where(after > 0, 1 << after.astype(int), 0).tolist()
                assert score(moved) - score(ours) == points
        assert (G2048.legal_actions(ours) == []) == TwentyFortyEightEnv.is_terminated(board)
        tried += 1


# --- Connect 4 --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "columns", "connect"), [(6, 7, 4), (5, 6, 4), (4, 4, 3), (7, 8, 5)])
def test_connect_4_is_openspiels(rows, columns, connect):
    """Boards, legal moves, the end and the winner of whole games, on boards of several sizes."""
    ours_game = make_game(f"connect4:rows={rows},columns={columns},connect={connect}")
    theirs_game = pyspiel.load_game(f"connect_four(rows={rows},columns={columns},x_in_row={connect})")
    for seed in range(50):
        lots = random.Random(seed)
        ours, theirs = ours_game.start(generator(0)), theirs_game.new_initial_state()
        while not theirs.is_terminal():
            assert ours_game.legal_actions(ours) == theirs.legal_actions()
            action = lots.choice(theirs.legal_actions())
            theirs.apply_action(action)
            ours = ours_game.apply(ours, action)
            shown = ["".join(".xo"[stone] for stone in row) for row in ours_game.grid(ours)]
            assert shown == str(theirs).split()[:rows]
        assert ours_game.legal_actions(ours) == []
        assert np.sign(ours_game.rules.utility(ours)) == theirs.returns()[0]


def test_connect_4_is_pettingzoos():
    environment = make_environment("aec", "classic/connect_four-v3")
    for seed in range(50):
        lots = random.Random(seed)
        environment.reset(seed=seed)
        ours = CONNECT4.start(generator(0))
        while True:
            seen, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                break
            assert CONNECT4.legal_actions(ours) == np.flatnonzero(seen["action_mask"]).tolist()
            mine, others = (seen["observation"][:, :, side] for side in (0, 1))
            first = environment.agent_selection == "player_0"
            assert CONNECT4.grid(ours) == (mine + 2 * others if first else others + 2 * mine).tolist()
            action = lots.choice(CONNECT4.legal_actions(ours))
            environment.step(action)
            ours = CONNECT4.apply(ours, action)
        assert CONNECT4.rules.over(ours)
        assert np.sign(CONNECT4.rules.utility(ours)) == environment.rewards["player_0"]


@pytest.mark.parametrize("algorithm", ["alphabeta", "negamax", "mtdf:memory=1"])
def test_values_are_openspiels(algorithm):
    """Every move's value, to the end of the game, on a board small enough for a search in Python."""
    game = make_game("connect4:rows=4,columns=4,connect=3")
    theirs_game = pyspiel.load_game("connect_four(rows=4,columns=4,x_in_row=3)")
    name, _, options = algorithm.partition(":")
    player = make_player(f"{name}:depth=16,eval=none" + (f",{options}" if options else ""), game)
    tried = 0
    for seed in range(40):
        lots = random.Random(seed)
        theirs, line = theirs_game.new_initial_state(), ""
        while not theirs.is_terminal() and len(line) < 4 + seed % 5:
            action = lots.choice(theirs.legal_actions())
            theirs.apply_action(action)
            line += str(action + 1)
        if theirs.is_terminal():
            continue
        mover = theirs.current_player()
        for move in player.analyse(game.parse(line)).moves:
            after = theirs.child(int(move.move) - 1)
            worth = (
                after.returns()[mover]
                if after.is_terminal()
                else minimax.alpha_beta_search(theirs_game, after, maximizing_player_id=mover)[0]
            )
            assert np.sign(move.value) == worth, (line, move)
        tried += 1
    assert tried > 20


@pytest.mark.parametrize(("database", "stones", "positions"), [("8-ply", 8, 300), ("12-ply-dist", 12, 100)])
def test_values_are_bitbullys(database, stones, positions):
    """Who wins, and with how many stones: of random positions of 8 stones, from our book, and of 12, by our solver."""
    book, solver, lots = BitBullyDatabases(database), make_player("solver", CONNECT4), random.Random(1)
    tried = 0
    while tried < positions:
        state = CONNECT4.start(generator(0))
        for _ in range(stones):
            legal = CONNECT4.legal_actions(state)
            if legal:
                state = CONNECT4.apply(state, lots.choice(legal))
        analysis = solver.analyse(state) if CONNECT4.legal_actions(state) else None
        if analysis is None or any(
            CONNECT4.rules.over(CONNECT4.apply(state, action)) for action in CONNECT4.legal_actions(state)
        ):
            continue  # over, or won at once: such positions they leave out
        theirs = book.get_book_value(CONNECT4.grid(state))
        value = analysis.moves[0].value
        if database == "8-ply":
            assert np.sign(value) == theirs
        elif theirs is None:
            continue  # the other side wins at once: they leave these out too
        else:
            last = stones + 100 - abs(theirs)  # the stone that wins
            assert value == np.sign(theirs) * (22 - (last + 1) // 2)
        tried += 1


@pytest.mark.parametrize("seed", range(20))
def test_our_environment_of_connect_4_is_pettingzoos(seed):
    """Whoever moves, what both see, the masks and the rewards of whole games at random."""
    ours, theirs = connect4_v0.env(), make_environment("aec", "classic/connect_four-v3")
    lots = random.Random(seed)
    for env in (ours, theirs):
        env.reset(seed=seed)
    while theirs.agents and not any(theirs.terminations.values()):
        assert ours.agent_selection == theirs.agent_selection
        seen, expected = ours.observe(ours.agent_selection), theirs.observe(theirs.agent_selection)
        assert np.array_equal(seen["observation"], expected["observation"])
        assert np.array_equal(seen["action_mask"], expected["action_mask"])
        move = lots.choice(np.flatnonzero(expected["action_mask"]).tolist())
        ours.step(move)
        theirs.step(move)
    assert ours.rewards == theirs.rewards
    assert ours.terminations == theirs.terminations
