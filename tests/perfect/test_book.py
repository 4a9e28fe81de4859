"""The opening book: its scores are those of searches, ours and others'; making one survives a kill."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from contienda.compiled.stopping import Stop
from contienda.core.game import MAX
from contienda.core.language import BadInput
from contienda.games.connect4 import Connect4, Stones
from contienda.match import Match
from contienda.perfect.book import Book, book_file, book_of, empty_plies, load_plies, merged, save_plies
from contienda.perfect.bounds import Score, new_bounds
from contienda.perfect.generate import make_book
from contienda.perfect.lines import build_lines
from contienda.perfect.oracle import Oracle, shared_bounds
from contienda.perfect.positions import UNKNOWN, Size, build_plies, keys_by_ply, look_in
from contienda.perfect.solve import build_exact_search, new_work
from contienda.players import make_player

USUAL = Connect4()
USUAL_SIZE = Size(6, 7, 4)
SMALL = Connect4(rows=4, columns=5)
SIZE = Size(4, 5, 4)

stones, usual_stones = build_plies(SIZE).stones, build_plies(USUAL_SIZE).stones


def state_of(own: int, everybody: int) -> Stones:
    return Stones(own, own ^ everybody, MAX)


# --- The book that comes with the package ----------------------------------------------------------------------------


def test_the_first_player_wins_in_the_centre() -> None:
    exact = Oracle(USUAL, new_bounds(1))
    scores = [exact.columns(USUAL.parse(""))[column] for column in range(7)]
    assert scores == [Score(score, score) for score in (-2, -1, 0, 1, 0, -1, -2)]  # Tromp, Allis and others
    assert exact.work.nodes == 0  # nothing was searched


def test_every_position_of_the_first_eleven_plies_is_there() -> None:
    book = book_of(USUAL_SIZE)
    assert np.array_equal(book.keys, np.sort(np.concatenate(list(keys_by_ply(USUAL_SIZE, 11)))))
    assert np.all(np.abs(book.scores) <= 18)


@pytest.mark.parametrize("count", [12, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_sample_solved_again(count: int) -> None:
    keys, scores = load_plies(book_file(USUAL_SIZE), USUAL_SIZE)[-1]
    settle, table, work = build_exact_search(*USUAL_SIZE).settle, new_bounds(256), new_work()
    for i in np.random.default_rng(count).choice(len(keys), count, replace=False):
        assert settle(*usual_stones(keys[i]), -99, 99, table, work)
        assert work.low == scores[i]


def test_the_best_column_is_worth_what_the_book_says() -> None:
    exact, (keys, scores) = Oracle(USUAL, new_bounds(64)), load_plies(book_file(USUAL_SIZE), USUAL_SIZE)[-1]
    for i in (1, 400_000, 2_000_000):
        best = max(exact.columns(state_of(*usual_stones(keys[i]))).values())
        assert best.least == best.most == scores[i]


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
    plies = empty_plies(USUAL_SIZE, 12)
    bits = [usual_stones(key) for key in plies[12].keys]
    own, everybody = np.array(bits).T
    plies[12].scores[:] = 22 - 7  # wins at once: such positions they leave out
    for columns in (range(7), range(6, -1, -1)):  # they have one mirror image, not always ours
        ours = bitbullys_codes(own, everybody, columns)
        at = np.minimum(np.searchsorted(codes, ours), len(codes) - 1)
        plies[12].scores[:] = np.where(codes[at] == ours, known[at], plies[12].scores)
    for ply, after in reversed(list(pairwise(plies))):
        build_plies(USUAL_SIZE).before(*ply, *after)
    keys, expected = merged(plies)
    book = book_of(USUAL_SIZE)
    assert np.array_equal(expected[np.searchsorted(keys, book.keys)], book.scores)


# --- Making one -------------------------------------------------------------------------------------------------------


def oracle(game: Connect4) -> Oracle:
    return Oracle(game, shared_bounds(Size(game.rows, game.columns, game.connect), 64))


def test_how_many_positions_there_are() -> None:
    # Tromp's numbers of positions, 1 7 49 238 1120 4263 16422 …, count both mirror images, and games that are over.
    assert [len(keys) for keys in keys_by_ply(USUAL_SIZE, 5)] == [1, 4, 25, 121, 568, 2144]


@pytest.mark.parametrize("size", [SIZE, Size(3, 4, 3), Size(6, 4, 4)])
def test_the_positions_are_those_that_play_comes_to(size: Size) -> None:
    """The rules, step by step, and a set of what they come to: of a position and its mirror image one, by its key."""
    game = Connect4(**size._asdict())
    lines = build_lines(*size)
    states, read = {game.parse("")}, build_plies(size).stones
    for keys in keys_by_ply(size, 6):
        positions = {(s.max, s.min) if s.turn == MAX else (s.min, s.max) for s in states}
        by_key = {lines.key(own, own | other): (own, own | other) for own, other in positions}
        assert keys.tolist() == sorted({min(key, lines.mirrored(key)) for key in by_key})
        assert all(read(key) == bits for key, bits in by_key.items())
        after = [game.rules.successor(state, column) for state in states for column in range(size.columns)]
        states = {child for legal, child in after if legal and not game.rules.over(child)}


@pytest.fixture(scope="module")
def small_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("books") / "small.book"
    assert make_book(file, SIZE, 5, threads=2, megabytes=16, progress=lambda solved, all: None, stop=Stop())
    return file


def test_a_book_says_what_a_search_finds(small_book: Path) -> None:
    plies = load_plies(small_book, SIZE)
    exact = oracle(SMALL)
    assert len(plies) == 6
    for keys, scores in plies:
        for key, score in zip(keys, scores, strict=True):
            assert exact.score(state_of(*stones(key))) == Score(score, score)
    book = merged(plies)
    assert look_in(*book, plies[2].keys[3]) == plies[2].scores[3]
    assert look_in(*book, -1) == UNKNOWN


def test_a_book_bounds_the_ply_after_it(small_book: Path) -> None:
    plies = load_plies(small_book, SIZE)
    least = np.full(len(plies[5].keys), UNKNOWN, np.int8)
    build_plies(SIZE).least(*plies[4], plies[5].keys, least)
    assert np.all(least <= plies[5].scores)
    assert np.any(least == plies[5].scores)  # where the move was the best


def test_a_book_goes_on_where_it_stopped(small_book: Path, tmp_path: Path) -> None:
    whole = load_plies(small_book, SIZE)
    part = [Book(keys, np.full(len(keys), UNKNOWN, np.int8)) for keys, _ in whole]
    part[5].scores[1::2] = whole[5].scores[1::2]
    false = 0 if whole[5].scores[1] else 1
    part[5].scores[1] = false  # what stands there is believed, and so it is seen that it was not solved again
    file = tmp_path / "part.book"
    save_plies(file, SIZE, part)
    assert make_book(file, SIZE, 5, threads=1, megabytes=16, progress=lambda solved, all: None, stop=Stop())
    again = load_plies(file, SIZE)[5].scores
    assert again[1] == false
    again[1] = whole[5].scores[1]
    assert np.array_equal(again, whole[5].scores)


def test_a_book_of_other_plies_is_not_overwritten(small_book: Path) -> None:
    before = small_book.read_bytes()
    with pytest.raises(BadInput, match="is a book of 5 plies: continue with --plies 5, or choose another file"):
        make_book(small_book, SIZE, 4, threads=1, megabytes=1, progress=lambda solved, all: None, stop=Stop())
    assert small_book.read_bytes() == before


def test_a_killed_book_keeps_what_it_had(tmp_path: Path) -> None:
    file = tmp_path / "killed.book"
    command = [sys.executable, "-m", "contienda", "book", "--out", str(file), "--plies", "8", "--threads", "1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not file.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert len(load_plies(file, USUAL_SIZE)) == 9


@pytest.mark.parametrize("spoil", ["cut", "other size", "no book"])
def test_bad_books(small_book: Path, tmp_path: Path, spoil: str) -> None:
    data = small_book.read_bytes()
    file = tmp_path / "bad.book"
    file.write_bytes({"cut": data[:-5], "other size": data.replace(b" 4 5 4 ", b" 4 6 4 "), "no book": b"hello"}[spoil])
    with pytest.raises(BadInput) as error:
        load_plies(file, SIZE)
    assert "\n" not in str(error.value)


def test_a_book_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInput):
        make_book(
            tmp_path / "file" / "x.book", SIZE, 2, threads=1, megabytes=1, progress=lambda a, b: None, stop=Stop()
        )
