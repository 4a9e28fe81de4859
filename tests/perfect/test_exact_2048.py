"""2048 on small boards, solved whole, beside a recursion that anybody can check."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import cache

import numpy as np
import pytest
from drive import contienda

from contienda.compiled.rng import generator
from contienda.compiled.rows import rows
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.lab.figures import svg_of
from contienda.lab.figures.grades import regrets
from contienda.lab.grading import regrets_by
from contienda.lab.grading_2048 import grade_2048, sample_2048
from contienda.match import Match, play_games
from contienda.perfect.layers_2048 import enumerate_layers, expected_score, solve_layers
from contienda.perfect.values_2048 import load_values, save_values, values_file, values_of
from contienda.players import make_player

SMALL = "2048:rows=2,columns=3"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Exact values of these tests lie in a folder of their own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def test_the_exact_values_evaluate_a_board():
    """Searched one level deep they give each move the value that the player ``perfect`` gives it."""
    game = make_game(SMALL)
    position = "2 4 0/0 2 0"
    exact = make_player("perfect", game).analyse(game.parse(position))
    searched = make_player("expectimax:depth=1,eval=perfect", game).analyse(game.parse(position))
    assert {move.move: move.value for move in searched.moves} == pytest.approx(
        {move.move: move.value for move in exact.moves}
    )
    assert contienda("evaluate", SMALL, position, "--eval", "perfect", "--json").json["value"] == pytest.approx(
        exact.value
    )


# --- The plainest form: rows of faces, no layers, no symmetries ------------------------------------------------------


def slid(line):
    """A line slid to its beginning, and the points."""
    tiles, points, out = [tile for tile in line if tile], 0, []
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile:
            tile += tiles.pop(0)
            points += tile
        out.append(tile)
    return (*out, *[0] * (len(line) - len(out))), points


def turned(board):
    return tuple(zip(*board[::-1], strict=True))


def moves(board):
    """What each legal move makes of a board, and its points: left, and the same on the board turned round."""
    found = []
    for turns in range(4):
        lines = [slid(line) for line in board]
        after, points = tuple(line for line, _ in lines), sum(points for _, points in lines)
        if after != board:
            for _ in range(-turns % 4):
                after = turned(after)
            found.append((after, points))
        board = turned(board)
    return found


@cache
def before(board):
    return max((points + after(moved) for moved, points in moves(board)), default=0.0)


@cache
def after(board):
    cells = [(r, c) for r, row in enumerate(board) for c, tile in enumerate(row) if not tile]
    return sum(p * before(with_tile(board, cell, face)) for cell in cells for face, p in ((2, 0.9), (4, 0.1))) / len(
        cells
    )


def with_tile(board, cell, face):
    return tuple(tuple(face if (r, c) == cell else tile for c, tile in enumerate(row)) for r, row in enumerate(board))


# ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2)])
def test_the_expected_score_is_that_of_the_plain_recursion(shape):
    game = make_game("2048:rows={},columns={}".format(*shape))
    rows, columns = sorted(shape)  # a board is worth as much when it is turned, and the recursion takes seconds
    empty = ((0,) * columns,) * rows
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    starts = [
        (p * q, with_tile(with_tile(empty, one, face), other, face2))
        for one in cells for other in cells if one != other
        for face, p in ((2, 0.9), (4, 0.1)) for face2, q in ((2, 0.9), (4, 0.1))
    ]  # fmt: skip
    mean = sum(chance * before(board) for chance, board in starts) / (len(cells) * (len(cells) - 1))
    assert expected_score(game, values_of(game)) == pytest.approx(mean, rel=1e-12)


def test_every_move_of_a_game_has_the_value_of_the_plain_recursion():
    game = make_game(SMALL)
    player = make_player("perfect", game)
    rng = generator(3)
    state = game.start(rng)
    while game.legal_actions(state):
        if game.rules.turn(state) == 0:
            board = tuple(tuple(row) for row in game.grid(state))
            points = game.outcome(state)["score"]
            found = player.analyse(state)
            wanted = sorted((points + gained + after(moved) for moved, gained in moves(board)), reverse=True)
            assert [move.value for move in found.moves] == pytest.approx(wanted, rel=1e-12)
            state = game.apply(state, game.action_number(state, found.best))
        else:
            state = game.apply(state, game.rules.draw(state, rng))


def test_perfect_play_makes_what_it_promises():
    game = make_game("2048:rows=2,columns=2")
    match = Match(game, [make_player("perfect", game)])
    scores = np.array([game.outcome(played.state)["score"] for played in play_games(match, range(4000))])
    expected = expected_score(game, values_of(game))
    assert abs(scores.mean() - expected) < 4 * scores.std() / len(scores) ** 0.5


def test_two_threads_give_the_same_values_bit_for_bit():
    game = make_game(SMALL)
    one, two = (solve_layers(game, list(enumerate_layers(game, n)), n) for n in (1, 2))
    assert rows(one).tobytes() == rows(two).tobytes()


# --- The command and its file -----------------------------------------------------------------------------------------


def test_the_command_solves_keeps_and_finds_again():
    first, second = (contienda("perfect", SMALL, "--json").json for _ in range(2))
    assert first["expected_score"] == second["expected_score"] == pytest.approx(480.2582717759581, rel=1e-12)
    assert first["states"] == second["states"] == 21752
    assert not first["solved_before"]
    assert second["solved_before"]
    assert "480.26" in contienda("perfect", SMALL).out
    assert "480,26" in contienda("perfect", SMALL, "--lang", "es").out


def test_boards_that_cannot_be_solved_are_refused_with_the_reason():
    assert "terabytes" in contienda("perfect", "2048:rows=3,columns=4").complaint
    assert "terabytes" in contienda("perfect", "2048").complaint
    assert "connect4" in contienda("perfect", "connect4").complaint
    assert (
        "contienda perfect 2048:rows=3,columns=3"
        in contienda("hint", "2048:rows=3,columns=3", "2 2 0/0 0 0/0 0 0", "--player", "perfect").complaint
    )
    assert "solved" in contienda("hint", "2048", "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0", "--player", "perfect").complaint
    told = contienda("hint", SMALL, "64 0 0/0 0 0", "--player", "perfect").complaint
    assert "no game reaches" in told


@pytest.fixture
def kept():
    game = make_game(SMALL)
    file = values_file(game)
    save_values(file, game, values_of(game))
    return game, file


def test_a_file_is_read_as_it_was_written(kept):
    game, file = kept
    assert rows(load_values(file, game)).tobytes() == rows(values_of(game)).tobytes()


@pytest.mark.parametrize("place", [0, 21, 130, 200, 5000, -1])
def test_a_flipped_bit_is_refused_in_one_line(kept, place):
    _, file = kept
    content = bytearray(file.read_bytes())
    content[place] ^= 4
    file.write_bytes(content)
    assert str(file) in contienda("perfect", SMALL).complaint


@pytest.mark.parametrize("size", [0, 1, 127, 150, 200, 10_000])
def test_a_file_cut_short_is_refused(kept, size):
    game, file = kept
    file.write_bytes(file.read_bytes()[:size])
    with pytest.raises(BadInput):
        load_values(file, game)


def test_an_index_that_points_outside_is_refused_though_the_checksum_fits(kept):
    game, file = kept
    record = load_values(file, game)
    rows(record)["cells"][5] = 1 << 60
    save_values(file, game, record)
    with pytest.raises(BadInput, match="damaged"):
        load_values(file, game)


def test_the_values_of_another_board_are_refused(kept):
    _, file = kept
    with pytest.raises(BadInput, match="not the exact values"):
        load_values(file, make_game("2048:rows=3,columns=2"))


# --- Grading ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def answers():
    game = make_game(SMALL)
    return grade_2048(game, ["perfect", "random"], sample_2048(game, 10))


def test_perfect_play_loses_nothing_and_chance_loses_points(answers):
    found = {(row["player"], row["largest"]): row for row in regrets_by(answers, "largest").iter_rows(named=True)}
    assert found["perfect", 0]["perfect"] == 1
    assert found["perfect", 0]["regret"] == 0
    assert found["random", 0]["perfect_high"] < 0.8
    assert found["random", 0]["regret_low"] > 5
    assert {tile for _, tile in found} >= {0, 8, 16, 32}
    assert svg_of(regrets(regrets_by(answers, "largest"))).startswith("<svg")


def test_the_sample_is_fixed():
    game = make_game(SMALL)
    assert sample_2048(game, 2, seed=5) == sample_2048(game, 2, seed=5)
    assert sample_2048(game, 2, seed=5) != sample_2048(game, 2, seed=6)


def test_grades_on_the_command_line(tmp_path):
    out = tmp_path / "grades.csv"
    told = contienda("lab", "grade", "perfect", "--game", SMALL, "--positions", 2, "-o", out)
    assert told.code == 0, told.err
    assert "100.0%" in told.out
    assert out.read_text().startswith("player,largest,position,move,perfect,regret")
    assert out.with_suffix(".svg").exists()


# --- Larger boards ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_three_by_three_is_solved_whole():
    data = contienda("perfect", "2048:rows=3,columns=3", "--json").json
    assert data["states"] == 48_713_519  # Lees-Miller, 2017
    assert data["expected_score"] == pytest.approx(5468.486797410285, rel=1e-12)


@pytest.mark.slow
def test_a_kill_in_the_middle_leaves_nothing_half_done(folder):
    command = [sys.executable, "-m", "contienda", "perfect", "2048:rows=2,columns=4", "--json"]
    running = subprocess.Popen(command, env=os.environ | {"XDG_DATA_HOME": str(folder)})
    time.sleep(4)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert not list(folder.rglob("*.values"))
    assert contienda("perfect", "2048:rows=2,columns=4", "--json").json["states"] == 4_980_767
