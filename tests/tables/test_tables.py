"""Endgame tables beside a recursion that anybody can check; making that is killed; damage; players that use them."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from functools import cache

import numpy as np
import pytest
from drive import contienda
from website import complaint, open_site

from contienda.compiled.rng import generator
from contienda.core.analysis import MoveValue
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.games.g2048.board import board_from_ranks, potential
from contienda.players import make_player
from contienda.players.g2048.chances import points_of, with_chances
from contienda.tables import making
from contienda.tables.drill import grade, new_endgame
from contienda.tables.making import TableLimits, make_table
from contienda.tables.pattern import parse_patterns, patterns_named, shipped_patterns
from contienda.tables.shelf import open_shelf, table_chances
from contienda.tables.table_file import CERTAIN, open_table, table_path

GAME = make_game("2048")
LIMITS = TableLimits(500, 500, 2)
#: Ten locked cells in no symmetric order, six free ones.
TINY = "goal: 16\nspare: 12\n####\n###.\n##..\n#..."
#: The same, but the goal counts only beside the locked tiles.
BESIDE = TINY.replace("##..", "##*.")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Tables of these tests lie in a folder of their own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "contienda" / "tables"


def made(text, name="tiny"):
    """The table of a picture."""
    (pattern,) = parse_patterns(text, name)
    assert make_table(pattern, LIMITS)
    return open_table(table_path(pattern))


# --- The plainest form: rows of faces, no layers, no keys -------------------------------------------------------------


def slid(line):
    """Slide a row to the left; a locked cell is None."""
    tiles, out, merged = [tile for tile in line if tile != 0], [], False
    for tile in tiles:
        if out and out[-1] == tile and isinstance(tile, int) and not merged:
            out[-1], merged = 2 * tile, True
        else:
            out.append(tile)
            merged = False
    return out + [0] * (len(line) - len(out))


def moved(board, action):
    """The board after up, right, down or left; locked cells are strings, each with a name of its own."""
    rows = [list(row) for row in board]
    if action in (0, 2):
        rows = [list(row) for row in zip(*rows, strict=True)]
    rows = [slid(row[::-1])[::-1] if action in (1, 2) else slid(row) for row in rows]
    if action in (0, 2):
        rows = [list(row) for row in zip(*rows, strict=True)]
    return tuple(tuple(row) for row in rows)


def naive(pattern):
    """``chance(board after a move)`` for a pattern, as the definition has it."""
    stars = [cell for cell in pattern.free if pattern.picture[cell] == "*"] or pattern.free

    def locks(board):
        return [tile if isinstance(tile, str) else None for row in board for tile in row]

    @cache
    def chance(board):
        cells = [tile for row in board for tile in row]
        empty = [cell for cell in range(16) if cells[cell] == 0]
        total = 0.0
        for cell in empty:
            for face, probability in ((2, 0.9), (4, 0.1)):
                filled = [*cells[:cell], face, *cells[cell + 1 :]]
                total += probability * best(tuple(tuple(filled[i : i + 4]) for i in range(0, 16, 4)))
        return total / len(empty) if empty else 0.0

    @cache
    def best(board):
        found = 0.0
        tiles = sum(tile for row in board for tile in row if isinstance(tile, int))
        for action in range(4):
            after = moved(board, action)
            if after == board or locks(after) != locks(board):
                continue
            where = [cell for cell in range(16) if after[cell // 4][cell % 4] == pattern.goal]
            if where:
                found = max(found, 1.0 if set(where) & set(stars) else 0.0)
            elif tiles <= pattern.most:
                found = max(found, chance(after))
        return found

    return chance


def naive_board(pattern, key):
    cells: list[object] = [f"#{cell}" for cell in range(16)]
    for i, cell in enumerate(pattern.free):
        rank = key >> 4 * i & 15
        cells[cell] = 1 << rank if rank else 0
    return tuple(tuple(cells[i : i + 4]) for i in range(0, 16, 4))


@pytest.mark.parametrize("text", [TINY, BESIDE], ids=["anywhere", "beside the locked tiles"])
def test_a_small_pattern_has_the_chances_of_a_plain_recursion(text):
    table = made(text)
    chance = naive(table.pattern)
    assert len(table.keys) > 100
    for key, known in zip(table.keys.tolist(), table.chances.tolist(), strict=True):
        assert known / CERTAIN == pytest.approx(chance(naive_board(table.pattern, key)), abs=1 / CERTAIN)


def test_the_empty_rest_leads_to_every_board():
    """What the recursion meets from the empty rest is what the table has, boards without a chance excepted."""
    table = made(TINY)
    chance = naive(table.pattern)
    assert table.chances[0] / CERTAIN == pytest.approx(chance(naive_board(table.pattern, 0)), abs=1 / CERTAIN)


# --- Patterns ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("goal: 64\n####\n####", "four rows of four"),
        ("goal: 64\n####\n##x.\n....\n....", "four rows of four"),
        ("####\n####\n....\n....", "goal"),
        ("goal: 63\n####\n####\n....\n....", "tiles from 8"),
        ("goal: 64\n####\n....\n....\n....", "12 free cells"),
        ("goal: 64\nspare: 7\n####\n####\n....\n....", "even number"),
        ("aim: 64\n####\n####\n....\n....", "not 'aim'"),
    ],
)
def test_a_pattern_that_cannot_be_is_refused(text, complaint):
    with pytest.raises(BadInput, match=complaint):
        parse_patterns(text, "mine")


def test_patterns_have_names(tmp_path):
    assert {"442-512", "43-64"} <= {pattern.name for pattern in shipped_patterns()}
    (tmp_path / "mine.txt").write_text(TINY)
    names = [pattern.name for pattern in patterns_named(["442-64", str(tmp_path / "mine.txt")])]
    assert names == ["442-64", "mine-16"]
    with pytest.raises(BadInput, match="no pattern 'nothing'"):
        patterns_named(["nothing"])


# --- Making -----------------------------------------------------------------------------------------------------------


def test_killed_at_any_point_it_resumes_and_makes_the_same_table(folder, monkeypatch):
    whole = made(TINY)
    path = table_path(whole.pattern)
    expected = [array.tolist() for array in whole[1:]]
    path.unlink()
    written = making.write_atomically
    for survives in (3, 5, 9, 12, 30):  # files written before the end: in each half, and in between
        left = [survives]

        def write(file, content, left=left):
            if left[0] == 0:
                raise KeyboardInterrupt
            left[0] -= 1
            written(file, content)

        monkeypatch.setattr(making, "write_atomically", write)
        try:
            make_table(whole.pattern, LIMITS)
        except KeyboardInterrupt:
            assert (folder / "tiny-16.making").is_dir()
    monkeypatch.setattr(making, "write_atomically", written)
    assert make_table(whole.pattern, LIMITS)
    assert [array.tolist() for array in open_table(path)[1:]] == expected
    assert not (folder / "tiny-16.making").exists()


@pytest.mark.slow
def test_kill_9_in_the_middle_of_making(folder, tmp_path):
    program = [sys.executable, "-m", "contienda", "tables", "make", "--patterns", "44-256"]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    for wanted in ("*.boards", "*.chances"):
        process = subprocess.Popen(program, env=environment, stdout=subprocess.DEVNULL)
        while len(list((folder / "44-256.making").glob(wanted))) < 20:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(program, env=environment, check=True)
    (pattern,) = patterns_named(["44-256"])
    resumed = [np.array(array) for array in open_table(table_path(pattern))[1:]]
    table_path(pattern).unlink()
    assert make_table(pattern, LIMITS)
    for array, before in zip(open_table(table_path(pattern))[1:], resumed, strict=True):
        assert np.array_equal(array, before)


def test_too_large_a_table_is_refused(folder):
    (pattern,) = patterns_named(["44-64"])
    with pytest.raises(BadInput, match="44-64 takes more than 1 MB: raise --disk"):
        make_table(pattern, TableLimits(500, 1, 1))
    assert not list(folder.iterdir())


def test_a_flipped_bit_is_refused_in_one_line(folder):
    path = table_path(made(TINY).pattern)
    content = bytearray(path.read_bytes())
    for place in (30, 1500, len(content) // 2, len(content) - 3):
        damaged = bytearray(content)
        damaged[place] ^= 4
        path.write_bytes(damaged)
        for command in (["tables", "check"], ["hint", "2048", "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0", "--player", "random"]):
            run = contienda(*command)
            assert run.code == 2
            assert len((run.out + run.err).splitlines()) == 1
            assert "tiny-16.table" in run.out + run.err
    path.write_bytes(content[:-100])
    with pytest.raises(BadInput, match="cut short"):
        open_table(path)


def test_the_commands(tmp_path):
    (tmp_path / "mine.txt").write_text(TINY)
    assert "mine-16: " in contienda("tables", "make", "--patterns", str(tmp_path / "mine.txt")).out
    assert "already there" in contienda("tables", "make", "--patterns", str(tmp_path / "mine.txt")).out
    listed = json.loads(contienda("tables", "list", "--json").out)
    assert listed[0]["name"] == "mine-16"
    assert listed[0]["made"]["boards"] > 300
    assert "mine-16: whole" in contienda("tables", "check").out
    assert "mine-16: deleted" in contienda("tables", "remove", "mine-16").out
    assert contienda("tables", "remove", "mine-16").code == 2


# --- Use --------------------------------------------------------------------------------------------------------------


def turned(ranks, times):
    """The board turned by quarters, and mirrored for 4 and more."""
    grid = np.array(ranks).reshape(4, 4)
    grid = grid[:, ::-1] if times >= 4 else grid
    return np.rot90(grid, times % 4).flatten().tolist()


def test_a_board_is_found_however_it_is_turned():
    made(TINY)
    shelf = open_shelf()
    board = [13, 12, 11, 10, 9, 8, 7, 0, 6, 5, 1, 2, 4, 1, 3, 0]
    best = set()
    for times in range(8):
        state = board_from_ranks(turned(board, times))
        chances = np.zeros(4)
        fit = table_chances(state, shelf.record, chances, False)
        assert fit.table == 0
        assert 1 << fit.made == 16384
        best.add(fit.best)
        for action in range(4):  # a move that is no move has no chance
            assert action in GAME.legal_actions(state) or chances[action] == 0
    assert len(best) == 1
    assert 0 < best.pop() < 1


def test_no_table_answers_where_large_tiles_are_alike_or_out_of_place():
    made(TINY)
    shelf, chances = open_shelf(), np.zeros(4)
    fits = [13, 12, 11, 10, 9, 8, 7, 0, 6, 5, 1, 2, 4, 1, 3, 0]
    for cell, rank in ((1, 13), (15, 4), (12, 3)):
        board = [*fits[:cell], rank, *fits[cell + 1 :]]
        assert table_chances(board_from_ranks(board), shelf.record, chances, True).table == -1


def test_hints_tell_the_chances_of_every_player():
    made(TINY)
    state = board_from_ranks([13, 12, 11, 10, 9, 8, 7, 0, 6, 5, 1, 2, 4, 1, 3, 0])
    analysis = make_player("random", GAME).analyse(state)
    told = [str(move.meaning.words) for move in analysis.moves if move.meaning]
    assert any(text.endswith("% to make the 16384") for text in told)
    assert with_chances(make_game("tictactoe"), None, analysis.moves, "ntuple") == analysis.moves


def test_the_network_s_value_tells_the_chance_of_the_next_large_tile():
    """Without tables too; a position without its points is the same; nothing is said where nothing was measured."""

    def remarks(ranks, value, points=None, evaluator="ntuple"):
        state = board_from_ranks(ranks)
        state = board_from_ranks(ranks, int(potential(state)) if points is None else points)
        moves = with_chances(GAME, state, [MoveValue("up", value)], evaluator)
        return str(moves[0].remark), moves[0].meaning

    rich = [13, 12, 11, 10] + [0] * 12
    assert remarks(rich, points_of(16384) * math.exp(0.43 / 6.91)) == ("about 50 % to make the 16384", None)
    assert remarks(rich, 350_000.0) == ("about 95 % to make the 16384", None)
    lacking = 0.98 * potential(board_from_ranks(rich))
    assert remarks(rich, 350_000.0 - lacking, points=0) == remarks(rich, 350_000.0)
    assert remarks([1, 1] + [0] * 14, 280_000.0)[0] == "about 99 % to make the 2048"
    assert remarks([15] + [0] * 15, 600_000.0)[0] == remarks(rich, 350_000.0, evaluator="mine.py:f")[0] == "None"


def test_the_champion_moves_by_a_table():
    made(TINY)
    network = "champion:depth=1,tables={}"
    state = board_from_ranks([13, 12, 11, 10, 9, 8, 7, 0, 6, 5, 3, 2, 4, 1, 3, 0])
    shelf, chances = open_shelf(), np.zeros(4)
    fit = table_chances(state, shelf.record, chances, False)
    best = GAME.action_name(state, int(np.nanargmax(chances)))
    assert fit.best == 1
    assert make_player(network.format("mover"), GAME).analyse(state).best == best
    plain = {move.move: move.value for move in make_player(network.format("off"), GAME).analyse(state).moves}
    for tables in ("veto", "on"):
        analysis = make_player(network.format(tables), GAME).analyse(state)
        assert {move.move: move.value for move in analysis.moves} == plain
        assert analysis.best == best
    with pytest.raises(BadInput, match="tables=maybe"):
        make_player("champion:tables=maybe", GAME)


def test_a_drill_grades_moves():
    made(TINY)
    shelf = open_shelf()
    endgame = new_endgame(shelf, generator(5))
    chances = np.zeros(4)
    best = table_chances(endgame.state, shelf.record, chances, False).best
    for action in GAME.legal_actions(endgame.state):
        graded = grade(endgame.state, action, shelf)
        if np.isnan(chances[action]):
            assert graded is None
        else:
            assert (graded.verdict == "best") == (chances[action] == best)
    run = contienda("tables", "drill", "--seed", "5", stdin="sideways\nleft\nup\nright\ndown\n")
    assert run.code == 0
    assert "of the chance" in run.out


def test_a_drill_without_tables_is_refused():
    run = contienda("tables", "drill")
    assert run.code == 2
    assert "contienda tables make" in run.err


def test_a_drill_in_the_app(tmp_path):
    with open_site(tmp_path / "data") as site:
        browser = site.browser()
        assert browser.get("/api/drill").json() == {"game": "2048", "tables": []}
        assert "contienda tables make" in complaint(browser.post("/api/drill", json={}))
        made(TINY)
        assert browser.get("/api/drill").json()["tables"] == [{"name": "tiny-16", "goal": 16}]
        assert "no table" in complaint(browser.post("/api/drill", json={"table": "large-16"}))
        position = browser.post("/api/drill", json={"table": "tiny-16"}).json()["position"]
        moves = []
        while not moves or not moves[-1]["ended"]:
            chances = np.zeros(4)
            before = GAME.parse(position["text"])
            fit = table_chances(before, open_shelf().record, chances, False)
            legal = GAME.legal_actions(before)
            move = GAME.action_name(before, max(legal, key=np.nan_to_num(chances).__getitem__))
            moves.append(browser.post("/api/drill/move", json={"position": position["text"], "move": move}).json())
            if fit.table >= 0:
                assert (moves[-1]["verdict"], moves[-1]["best"]) == ("best", pytest.approx(fit.best))
                position = moves[-1]["step"]["position"]
        assert moves[-1]["ended"] in ("made", "moved", "unknown", "stuck")
        stuck = {"position": "2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2", "move": "left"}
        assert "not possible" in complaint(browser.post("/api/drill/move", json=stuck))
        assert "sideways" in complaint(browser.post("/api/drill/move", json={**stuck, "move": "sideways"}))
