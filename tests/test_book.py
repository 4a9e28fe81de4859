"""The opening book: what it says is what searches find, ours and others'; making one survives a kill."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from contienda.core import MAX
from contienda.games.connect4 import Connect4, Stones
from contienda.language import BadInput
from contienda.match import Match
from contienda.perfect.book import (
    UNKNOWN,
    Size,
    _with_earlier_plies,
    book_of,
    least_scores,
    load_scores,
    look_in,
    positions_at,
    save_scores,
)
from contienda.perfect.bounds import new_bounds
from contienda.perfect.generate import make_book
from contienda.perfect.oracle import Oracle, Score, shared_bounds
from contienda.perfect.solve import build_solver, new_work
from contienda.players import make_player
from contienda.stopping import Stop

USUAL = Connect4()
USUAL_SIZE = Size(6, 7, 4)
SMALL = Connect4(rows=4, columns=5)
SIZE = Size(4, 5, 4)


# --- The book that comes with the package ----------------------------------------------------------------------------


def test_the_first_player_wins_in_the_centre() -> None:
    exact = Oracle(USUAL, new_bounds(1))
    scores = [exact.columns(USUAL.parse(""))[column] for column in range(7)]
    assert scores == [Score(score, score) for score in (-2, -1, 0, 1, 0, -1, -2)]  # Tromp, Allis and others
    assert exact.work.nodes == 0  # nothing was searched


def test_every_position_of_the_first_nine_plies_is_there() -> None:
    book = book_of(USUAL_SIZE)
    assert len(book.keys) == sum(len(positions_at(USUAL_SIZE, ply).keys) for ply in range(10))
    assert np.all(np.abs(book.scores) <= 18)


@pytest.mark.parametrize("count", [12, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_sample_solved_again(count: int) -> None:
    book, positions = book_of(USUAL_SIZE), positions_at(USUAL_SIZE, 9)
    settle, table, work = build_solver(*USUAL_SIZE).settle, new_bounds(256), new_work()
    for i in np.random.default_rng(count).choice(len(positions.keys), count, replace=False):
        assert settle(int(positions.own[i]), int(positions.all[i]), -99, 99, table, work)
        assert work.low == look_in(*book, positions.keys[i])


def test_the_best_column_is_worth_what_the_book_says() -> None:
    exact, positions = Oracle(USUAL, new_bounds(64)), positions_at(USUAL_SIZE, 9)
    for i in (1, 40_000, 260_000):
        own, everybody = int(positions.own[i]), int(positions.all[i])
        best = max(exact.columns(Stones(own, own ^ everybody, MAX)).values())
        assert best.least == best.most == look_in(*book_of(USUAL_SIZE), positions.keys[i])


def test_perfect_play_wins_from_the_start() -> None:
    match = Match(USUAL, [make_player("solver", USUAL), make_player("solver:slip=0.2", USUAL)])
    assert all(USUAL.rules.utility(match.play(seed).state) > 0 for seed in range(5))


@pytest.mark.slow
@pytest.mark.parametrize(
    "opponent",
    [
        *("random", "mcts:sims=1000", "solver:slip=0.2", "solver"),
        *("minimax:depth=4", "alphabeta:depth=8", "alphabeta:depth=9,table=on,order=history", "greedy"),
    ],
)
def test_perfect_play_wins_every_game_from_the_start(opponent: str) -> None:
    match = Match(USUAL, [make_player("solver", USUAL), make_player(opponent, USUAL)])
    assert all(USUAL.rules.utility(match.play(seed).state) > 0 for seed in range(200))


def bitbullys_codes(own: np.ndarray, everybody: np.ndarray, columns: range) -> np.ndarray:
    """Positions as bitbully-databases writes them: column by column from below, 10 ours, 11 theirs, 0 no more."""
    codes = np.zeros(len(own), np.int64)
    for column in columns:
        for cell in range(7 * column, 7 * column + 6):
            codes = np.where(everybody >> cell & 1, 4 * codes + 3 - (own >> cell & 1), codes)
        codes *= 2
    return (2 * codes).astype(np.int32)


@pytest.mark.slow
def test_every_score_follows_from_bitbullys_of_ply_12() -> None:
    """Their data made into a book of ours: minimax back from ply 12 gives every score of the plies before."""
    from bitbully_databases import BitBullyDatabases

    theirs = np.fromfile(
        BitBullyDatabases.get_database_path("12-ply-dist"), np.dtype([("code", ">i4"), ("value", "i1")])
    )
    codes, values = theirs["code"].astype(np.int32), theirs["value"].astype(np.int64)
    last = 12 + 100 - np.abs(values)  # the ply at which somebody wins
    known = np.sign(values) * (22 - (last + 1) // 2)
    positions = positions_at(USUAL_SIZE, 12)
    scores = np.full(len(positions.keys), 22 - 7)  # wins at once: such positions they leave out
    for columns in (range(7), range(6, -1, -1)):  # they have one mirror image, not always ours
        ours = bitbullys_codes(positions.own, positions.all, columns)
        at = np.minimum(np.searchsorted(codes, ours), len(codes) - 1)
        scores = np.where(codes[at] == ours, known[at], scores)
    keys, expected = _with_earlier_plies(USUAL_SIZE, 12, scores)
    book = book_of(USUAL_SIZE)
    assert np.array_equal(expected[np.searchsorted(keys, book.keys)], book.scores)


# --- Making one -------------------------------------------------------------------------------------------------------


def oracle(game: Connect4) -> Oracle:
    return Oracle(game, shared_bounds(Size(game.rows, game.columns, game.connect), 64))


def test_how_many_positions_there_are() -> None:
    # Tromp's numbers of positions, 1 7 49 238 1120 4263 16422 …, count both mirror images, and games that are over.
    assert [len(positions_at(Size(6, 7, 4), ply).keys) for ply in range(6)] == [1, 4, 25, 121, 568, 2144]


@pytest.fixture(scope="module")
def small_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("books") / "small.book"
    assert make_book(file, SIZE, 5, threads=2, megabytes=16, progress=lambda solved, all: None, stop=Stop())
    return file


def test_a_book_says_what_a_search_finds(small_book: Path) -> None:
    plies, scores = load_scores(small_book, SIZE)
    book = _with_earlier_plies(SIZE, plies, scores)
    exact = oracle(SMALL)
    for ply in range(6):
        for own, everybody, key in zip(*positions_at(SIZE, ply), strict=True):
            found = look_in(*book, key)
            assert exact.score(Stones(int(own), int(own ^ everybody), MAX)) == Score(found, found)
    assert look_in(*book, -1) == UNKNOWN


def test_a_book_bounds_the_ply_after_it(small_book: Path) -> None:
    plies, scores = load_scores(small_book, SIZE)
    book = _with_earlier_plies(SIZE, plies, scores)
    least = least_scores(SIZE, 5, book)
    assert least is not None
    assert np.all(least <= scores)
    assert np.any(least == scores)  # where the move was the best
    assert least_scores(SIZE, 7, book) is None


def test_a_book_goes_on_where_it_stopped(small_book: Path, tmp_path: Path) -> None:
    plies, scores = load_scores(small_book, SIZE)
    part = scores.copy()
    part[::2] = UNKNOWN
    part[1] = 19  # what stands there is believed, and so it is seen that it was not solved again
    file = tmp_path / "part.book"
    save_scores(file, SIZE, plies, part)
    assert make_book(file, SIZE, plies, threads=1, megabytes=16, progress=lambda solved, all: None, stop=Stop())
    whole = load_scores(file, SIZE)[1]
    assert whole[1] == 19
    whole[1] = scores[1]
    assert np.array_equal(whole, scores)


def test_a_killed_book_keeps_what_it_had(tmp_path: Path) -> None:
    file = tmp_path / "killed.book"
    command = [sys.executable, "-m", "contienda", "book", "--out", str(file), "--plies", "8", "--threads", "1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not file.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert load_scores(file, Size(6, 7, 4))[0] == 8


@pytest.mark.parametrize("spoil", ["cut", "other size", "no book"])
def test_bad_books(small_book: Path, tmp_path: Path, spoil: str) -> None:
    data = small_book.read_bytes()
    file = tmp_path / "bad.book"
    file.write_bytes({"cut": data[:-5], "other size": data.replace(b" 4 5 4 ", b" 4 6 4 "), "no book": b"hello"}[spoil])
    with pytest.raises(BadInput) as error:
        load_scores(file, SIZE)
    assert "\n" not in str(error.value)


def test_a_book_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInput):
        make_book(
            tmp_path / "file" / "x.book", SIZE, 2, threads=1, megabytes=1, progress=lambda a, b: None, stop=Stop()
        )
