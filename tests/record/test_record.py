"""Saved games: a written game reads back state by state, and a modified file is refused or still a game."""

from __future__ import annotations

import errno
import json
import os
import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import forked
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import g2048 as twin

from contienda.compiled.rng import generator
from contienda.core.files import write_atomically
from contienda.core.game import CHANCE
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.games.g2048.board import ACTIONS
from contienda.match import Match, Played
from contienda.players import make_player
from contienda.record import load_game, result_of, save_game, states_of, statistics


@lru_cache
def match(spec: str, target: int | None = None) -> Match:
    """Games between players who only draw lots: any legal game may come of it."""
    game = make_game(spec)
    sides = 1 if spec == "2048" else 2
    return Match(game, [make_player("random", game) for _ in range(sides)], target)


tree = lru_cache(lambda text: make_game("tree", text))


def cut(played: Played, actions: int) -> Played:
    """The same game, left after so many actions."""
    rules = played.game.rules
    moves = sum(rules.turn(state) != CHANCE for state, _ in zip(states_of(played), range(actions), strict=False))
    state = list(states_of(played))[actions]
    return replace(
        played,
        state=state,
        actions=played.actions[:actions],
        move_seconds=played.move_seconds[:moves],
        ended="stopped",
    )


def check_round_trip(played: Played, folder: Path) -> Played:
    path = folder / "game.json"
    save_game(played, path)
    loaded = load_game(path)
    assert list(states_of(loaded)) == list(states_of(played))
    for name in ("players", "seed", "target", "start", "state", "actions", "ended", "moves"):
        assert getattr(loaded, name) == getattr(played, name), name
    assert loaded.game.spec == played.game.spec
    assert result_of(loaded) == result_of(played)
    assert loaded.move_seconds == pytest.approx(played.move_seconds, abs=1e-7)  # written in ms to four places
    return loaded


# --- There and back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["2048", "connect4", "tictactoe"])
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_games_read_back_state_by_state(spec, seed, tmp_path):
    played = match(spec).play(seed)
    assert played.ended == "over"
    check_round_trip(played, tmp_path)


@pytest.mark.parametrize("seed", range(3))
def test_a_target_ends_a_game_before_the_next_tile(seed, tmp_path):
    played = match("2048", 32).play(seed)
    assert played.ended == "target"
    loaded = check_round_trip(played, tmp_path)
    assert loaded.game.rules.turn(loaded.state) == CHANCE
    assert result_of(loaded) | {"max_tile": 32, "won": True} == result_of(loaded)


@pytest.mark.parametrize("spec", ["2048", "connect4", "tictactoe"])
def test_a_game_is_saved_from_any_moment(spec, tmp_path):
    """Before the first move, in the middle, and in 2048 also between a move and its tile."""
    played = match(spec).play(5)
    for actions in (0, 1, 2, 3, len(played.actions) - 1):
        check_round_trip(cut(played, actions), tmp_path)


def test_a_game_from_a_given_position_keeps_its_score(tmp_path):
    start = make_game("2048").parse_scored("64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2", 380)
    loaded = check_round_trip(match("2048").play(3, start=start), tmp_path)
    assert loaded.game.outcome(loaded.start)["score"] == 380


def test_tiles_beyond_32768_read_back(tmp_path):
    start = make_game("2048").parse("65536 65536 2 0/32768 16384 0 0/0 0 0 0/0 0 0 0")
    assert match("2048").play(3, start=start).game.format(start).startswith("65536")
    check_round_trip(match("2048").play(3, start=start), tmp_path)


@pytest.mark.parametrize(("actions", "moves"), [([0, 1], 1), ([1, 0, 0], 1), ([1, 1], 1), ([2], 0)])
def test_luck_may_have_the_first_word_and_even_the_only_one(actions, moves, tmp_path):
    game = tree("chance[0.5:max[1 2] 0.25:min[chance[1:3] 4] 0.25:5]")
    state = start = game.parse("")
    for action in actions:
        state = game.apply(state, action)
    seconds = [0.5] * moves
    played = Played(game, ["random"] * 2, 0, None, start, state, actions, move_seconds=seconds, ended="over")
    assert check_round_trip(played, tmp_path).moves == moves


def test_the_file_is_what_the_documents_say(tmp_path):
    played = match("2048", 32).play(1)
    save_game(played, tmp_path / "game.json")
    text = (tmp_path / "game.json").read_text(encoding="utf-8")
    data = json.loads(text)
    assert list(data) == [
        "format", "version", "game", "players", "seed", "target", "saved", "start", "score", "ended", "result", "ms",
        "moves",
    ]  # fmt: skip
    assert (data["format"], data["version"], data["game"]) == ("contienda game", 1, "2048")
    assert (data["players"], data["seed"], data["target"], data["ended"]) == (["random"], 1, 32, "target")
    assert len(data["moves"]) == len(data["ms"]) == data["result"]["moves"] == played.moves
    assert set(data["result"]) == {"score", "max_tile", "moves", "won"}
    assert text.count("\n  ") == played.moves, "a line for each move"


def test_a_byte_order_mark_of_some_editors_is_no_matter(tmp_path):
    save_game(match("tictactoe").play(1), tmp_path / "game.json")
    text = (tmp_path / "game.json").read_bytes()
    (tmp_path / "game.json").write_bytes(b"\xef\xbb\xbf" + text)
    assert load_game(tmp_path / "game.json").moves


# --- Tampering -------------------------------------------------------------------------------------------------------


FOLDER: Path


@lru_cache
def saved(spec: str, target: int | None = None, seed: int = 7) -> str:
    """The text of a saved game."""
    path = FOLDER / "sound.json"
    save_game(match(spec, target).play(seed), path)
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module", autouse=True)
def _folder(tmp_path_factory):
    global FOLDER
    FOLDER = tmp_path_factory.mktemp("tampered")


def load_text(text: str) -> Played | None:
    """The game that a text tells, or None if it is refused; anything but `BadInput` fails the test."""
    path = FOLDER / "altered.json"
    path.write_text(text, encoding="utf-8")
    try:
        return load_game(path)
    except BadInput as error:
        for said in error.text.in_all_languages().values():
            assert str(path) in said
            assert "\n" not in said
        return None


def check_truth(played: Played, data: dict) -> None:
    """A file that was accepted tells a game that the naive rules of 2048 allow, and its true result."""
    grid = [[int(tile) for tile in row.split()] for row in data["start"].split("/")]
    points = data["score"]
    for move in data["moves"]:
        name, *luck = move.split()
        after, made = twin.slide(grid, ACTIONS.index(name))
        assert after != grid
        grid, points = after, points + made
        for tile in luck:
            face, _, place = tile.partition("@r")
            row, column = (int(number) - 1 for number in place.split("c"))
            assert face in ("2", "4")
            assert grid[row][column] == 0
            grid = twin.put(grid, row, column, int(face))
    largest = max(map(max, grid))
    won = largest >= (data["target"] or 2048)
    assert data["result"] == {"score": points, "max_tile": largest, "moves": len(data["moves"]), "won": won}
    assert (data["ended"] == "over") == (twin.lost(grid) and data["ended"] != "target")
    assert (data["ended"] == "target") == (data["target"] is not None and largest >= data["target"])
    assert played.game.format(played.state) == twin.text(grid)


moves_of_2048 = st.builds(
    lambda move, tile, row, column: f"{move} {tile}@r{row}c{column}",
    st.sampled_from(ACTIONS), st.sampled_from([2, 4]), st.integers(1, 4), st.integers(1, 4),
)  # fmt: skip


@settings(max_examples=80)
@given(st.data(), st.sampled_from([None, 32]))
def test_an_altered_move_is_refused_or_legal(data, target):
    game = json.loads(saved("2048", target))
    number = data.draw(st.integers(0, len(game["moves"]) - 1))
    game["moves"][number] = data.draw(moves_of_2048 | st.sampled_from(["", "left", "up up", "2@r1c1", "4", "LEFT"]))
    played = load_text(json.dumps(game))
    if played is not None:
        check_truth(played, game)


@settings(max_examples=80)
@given(st.data())
def test_an_altered_number_is_refused_or_no_matter(data):
    game = json.loads(saved("2048", 32))
    sound = load_text(saved("2048", 32))
    number = data.draw(
        st.integers(-3, 200) | st.integers() | st.floats() | st.booleans() | st.none() | st.sampled_from([10**400, "1"])
    )
    place = data.draw(st.sampled_from(["seed", "target", "score", "version", "ms", "result"]))
    if place == "ms":
        game["ms"][data.draw(st.integers(0, len(game["ms"]) - 1))] = number
    elif place == "result":
        game["result"][data.draw(st.sampled_from(sorted(game["result"])))] = number
    else:
        game[place] = number
    played = load_text(json.dumps(game))
    if played is not None:
        assert list(states_of(played)) == list(states_of(sound))
        assert result_of(played) == result_of(sound)
        assert all(seconds >= 0 for seconds in played.move_seconds)


@settings(max_examples=80)
@given(st.data())
def test_an_altered_character_is_refused_or_a_game(data):
    text = saved("2048", 32)
    place = data.draw(st.integers(0, len(text) - 1))
    altered = text[:place] + data.draw(st.characters(codec="utf-8")) + text[place + data.draw(st.integers(0, 1)) :]
    played = load_text(altered)
    if played is not None:
        check_truth(played, json.loads(altered))


@settings(max_examples=60)
@given(st.data(), st.sampled_from(["connect4", "tictactoe"]))
def test_an_altered_move_of_a_game_for_two_is_refused_or_legal(data, spec):
    game = json.loads(saved(spec))
    number = data.draw(st.integers(0, len(game["moves"]) - 1))
    game["moves"][number] = str(data.draw(st.integers(0, 10)))
    played = load_text(json.dumps(game))
    if played is not None:
        *before, last = states_of(played)
        assert all(played.game.legal_actions(state) for state in before)
        assert played.game.legal_actions(last) == []
        assert game["result"] == result_of(played)


@pytest.mark.parametrize("length", [0, 1, 100, -3, -1])
def test_a_truncated_file_is_refused(length):
    text = saved("2048", 32).rstrip()
    assert load_text(text) is not None
    assert load_text(text[:length]) is None


def altered(spec: str = "2048", /, **changes: object) -> str:
    data = json.loads(saved(spec, 32 if spec == "2048" else None)) | changes
    return json.dumps({key: value for key, value in data.items() if value is not ...})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            lambda: altered(moves=["aside 2@r1c1"]),
            "move 1: no move 'aside' here: there are up, right, down, left",
        ),
        (lambda: altered(moves=[*json.loads(saved("2048", 32))["moves"], "up"]), "the game had ended before it"),
        (lambda: altered(ended="over"), "its moves lead to 'ended': 'target', but it says 'over'"),
        (lambda: altered(result={}), "its moves lead to {'score': "),
        (lambda: altered(version=2), "has format version 2; this Contienda reads version 1"),
        (lambda: altered(version="1"), 'has format version "1"; this Contienda reads version 1'),
        (lambda: altered(version=...), "has format version null; this Contienda reads version 1"),
        (lambda: altered(format="chess"), "is not a saved game of Contienda"),
        (lambda: altered(players=[]), "it must name 1 of 'players'"),
        (lambda: altered("tictactoe", players=["random"]), "it must name 2 of 'players'"),
        (lambda: altered(target=1000), "target 1000 is not a tile: choose 8, 16 … 131072, or none"),
        (lambda: altered("connect4", target=2048), "connect4 has no target to reach"),
        (lambda: altered(game="go"), "no game 'go': there are 2048, connect4, einstein, othello, tictactoe, tree"),
        (lambda: altered(start="3 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0"), "'3' is not a tile"),
        (lambda: altered(moves=...), "'moves' is missing or not valid"),
        (lambda: altered(ms=[]), " moves and 0 times"),
        (lambda: altered(score=10**30), "1000000000000000000000000000000 points are not possible"),
        (lambda: "[]", "is not a saved game of Contienda"),
        (lambda: "", "is not a whole saved game: line 1, column 1"),
        (lambda: "9" * 10_000, "is not a saved game: it is not valid text"),
        (lambda: "[" * 100_000, "is not a saved game: it is not valid text"),
    ],
)
def test_what_is_wrong_is_said(text, reason):
    path = FOLDER / "wrong.json"
    path.write_text(text(), encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        load_game(path)
    assert refused.value.text.into("en").startswith(str(path))
    assert reason in refused.value.text.into("en")
    assert reason not in refused.value.text.into("es")
    assert refused.value.text.into("es").startswith(str(path))


def test_a_move_after_the_win_is_found(tmp_path):
    save_game(match("connect4").play(1), tmp_path / "game.json")
    data = json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))
    winning = ["1", "2", "1", "2", "1", "2", "1"]
    data |= {"moves": winning, "ms": [1] * 7, "result": {"winner": 1, "moves": 7}, "ended": "over"}
    (tmp_path / "game.json").write_text(json.dumps(data), encoding="utf-8")
    assert load_game(tmp_path / "game.json").moves == 7
    data |= {"moves": [*winning, "3"], "ms": [1] * 8, "result": {"winner": 1, "moves": 8}}
    (tmp_path / "game.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(BadInput, match="move 8: the game had ended before it"):
        load_game(tmp_path / "game.json")


# --- Statistics ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spec", "target"), [("2048", None), ("2048", 32), ("tictactoe", None)])
def test_the_statistics_of_uc3m_add_up(spec, target):
    played = match(spec, target).play(2)
    lines = [line.split() for line in statistics(played).splitlines()]
    turns = [line for line in lines if line[0] == "turn"]
    totals = dict(lines[len(turns) :])
    assert [int(number) for _, number, _ in turns] == list(range(1, played.moves + 1))
    times = [float(ms) for _, _, ms in turns]
    assert times == pytest.approx([seconds * 1000 for seconds in played.move_seconds], abs=1e-4)
    assert list(totals) == ["total_ms", "moves", "mean_ms", "score", "won?"]
    assert float(totals["total_ms"]) == pytest.approx(sum(times), abs=1e-4 * len(times))
    assert int(totals["moves"]) == played.moves == len(times)
    assert float(totals["mean_ms"]) == pytest.approx(sum(times) / len(times), abs=1e-4)
    result = result_of(played)
    assert int(totals["score"]) == result.get("score", 0)
    assert totals["won?"] == ("yes" if result.get("won", result.get("winner") == 1) else "no")


def test_the_statistics_of_no_moves():
    played = cut(match("2048").play(2), 0)
    assert statistics(played).splitlines() == ["total_ms 0.0000", "moves 0", "mean_ms 0.0000", "score 0", "won? no"]


# --- Writing: the whole file or none ---------------------------------------------------------------------------------


@pytest.mark.parametrize("broken", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file_alone(broken, error, tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_atomically(path, "old")

    def fail(*_):
        raise error

    monkeypatch.setattr(*((os, "fsync") if broken == "fsync" else (Path, "replace")), fail)
    with pytest.raises(BadInput if isinstance(error, OSError) else KeyboardInterrupt) as refused:
        write_atomically(path, "new")
    if isinstance(error, OSError):
        assert str(refused.value) == f"cannot write {path}: No space left on device"
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("where", ["os.fsync", "pathlib.Path.replace"])
def test_a_crash_leaves_the_old_file_alone(where, tmp_path):
    path = tmp_path / "file.json"
    write_atomically(path, "old")
    module, _, name = where.rpartition(".")
    code = f"""
import os, pathlib
from contienda.core.files import write_atomically
{module}.{name} = lambda *_: os._exit(9)
write_atomically(pathlib.Path({str(path)!r}), "new" * 1000)
"""
    assert forked.run([sys.executable, "-c", code], check=False).returncode == 9
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.glob("*.json")) == [path], "what is left over is not taken for a game"


def test_a_link_stays_a_link_and_its_file_is_written(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "file")
    write_atomically(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "file").read_text(encoding="utf-8") == "text"


def test_a_device_is_neither_written_to_nor_replaced(tmp_path):
    """Replacing /dev/null by a file would be the end of many a program."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(BadInput, match="it is not a file"):
        write_atomically(pipe, "text")
    assert pipe.is_fifo()


def test_a_new_file_is_as_open_as_any_other(tmp_path):
    (tmp_path / "other").touch()
    write_atomically(tmp_path / "deep" / "down" / "file", "text")
    assert (tmp_path / "deep" / "down" / "file").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_start_positions_are_the_seeds(tmp_path):
    """A saved game can be played again from its seed alone."""
    played = match("2048").play(11)
    save_game(played, tmp_path / "game.json")
    loaded = load_game(tmp_path / "game.json")
    assert loaded.start == loaded.game.start(generator(loaded.seed))
    assert match("2048").play(loaded.seed).actions == loaded.actions
