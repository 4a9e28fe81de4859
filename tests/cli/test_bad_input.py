"""Invalid input: exit code 2 and one line that says what is wrong and what would be right. Never a traceback."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest
from drive import contienda, process

BOARD = "0 0 0 0/0 0 0 0/0 0 2 4/2 4 8 16"
EMPTY_ROWS = "/0 0 0 0/0 0 0 0/0 0 0 0"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def check_refused(*arguments: object, english: str, spanish: str | None = None) -> None:
    """The command is refused in these words, and in Spanish in others."""
    assert english in contienda(*arguments).complaint
    if spanish is not None:
        assert spanish in contienda("--lang", "es", *arguments).complaint


# --- Positions -------------------------------------------------------------------------------------------------------

NO_TILE = "is not a tile: tiles are 0 (empty), 2, 4, 8 … 131072"
NINGUNA_FICHA = "no es una ficha: las fichas son 0 (vacía), 2, 4, 8 … 131072"


@pytest.mark.parametrize("command", ["hint", "evaluate"])
@pytest.mark.parametrize(
    ("board", "english", "spanish"),
    [
        (f"3 0 0 0{EMPTY_ROWS}", f"'3' {NO_TILE}", f"'3' {NINGUNA_FICHA}"),
        (f"6 0 0 0{EMPTY_ROWS}", f"'6' {NO_TILE}", f"'6' {NINGUNA_FICHA}"),
        (f"1 0 0 0{EMPTY_ROWS}", f"'1' {NO_TILE}", f"'1' {NINGUNA_FICHA}"),
        (f"0 -2 0 0{EMPTY_ROWS}", f"'-2' {NO_TILE}", f"'-2' {NINGUNA_FICHA}"),
        (f"-2 0 0 0{EMPTY_ROWS}", f"'-2' {NO_TILE}", f"'-2' {NINGUNA_FICHA}"),
        (f"2.0 0 0 0{EMPTY_ROWS}", f"'2.0' {NO_TILE}", f"'2.0' {NINGUNA_FICHA}"),
        (f"two 0 0 0{EMPTY_ROWS}", f"'two' {NO_TILE}", f"'two' {NINGUNA_FICHA}"),
        (f"٢ 0 0 0{EMPTY_ROWS}", f"'٢' {NO_TILE}", f"'٢' {NINGUNA_FICHA}"),
        (f"{2**40} 0 0 0{EMPTY_ROWS}", f"'{2**40}' {NO_TILE}", NINGUNA_FICHA),
        (f"262144 0 0 0{EMPTY_ROWS}", "is beyond the largest tile, 131072", "pasa de la ficha mayor, 131072"),
        (f"2 2 2 2 2{EMPTY_ROWS}", "a 2048 board is 4 rows of 4 tiles", "un tablero son 4 filas de 4 fichas"),
        ("2 0 0 0/0 0 0 0/0 0 0 0", "this has rows of [4, 4, 4]", "este tiene filas de [4, 4, 4]"),
        ("", "this has rows of [0]", "este tiene filas de [0]"),
        (
            f"131072 131072 0 0{EMPTY_ROWS}",
            "no game reaches this board: 2 × 131072 leave too few cells",
            "ninguna partida llega a este tablero: 2 × 131072",
        ),
    ],
)
def test_impossible_boards(command, board, english, spanish):
    check_refused(command, "2048", board, english=english, spanish=spanish)


def test_lost_and_finished_games():
    over, acabada = "the game is over in this position", "la partida ha acabado en esta posición"
    lost = "2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2"
    check_refused("hint", "2048", lost, "--player", "random", english=over, spanish=acabada)
    check_refused("hint", "tictactoe", "XXX/OO./...", "--player", "random", english=over)
    check_refused("hint", "tictactoe", "XOX/XOO/OXX", "--player", "random", english=over)
    check_refused("hint", "connect4:rows=1,columns=2,connect=2", "12", "--player", "random", english=over)
    check_refused("hint", "tree", "5", "--player", "minimax", english=over)


@pytest.mark.parametrize("command", ["hint", "evaluate"])
@pytest.mark.parametrize(
    ("columns", "english", "spanish"),
    [
        ("4444444", "move 7 does not fit: column 4 is full", "la jugada 7 no cabe: la columna 4 está llena"),
        ("11223344", "the game was won at move 7: no move can follow", "la partida se ganó en la jugada 7"),
        ("448", "move 3 is '8', and the columns are 1 to 7", "la jugada 3 es '8', y las columnas van de 1 a 7"),
        ("4 4", "move 2 is ' ', and the columns are 1 to 7", "la jugada 2 es ' '"),
    ],
)
def test_impossible_connect_4(command, columns, english, spanish):
    check_refused(command, "connect4", columns, english=english, spanish=spanish)


@pytest.mark.parametrize(
    ("game", "position", "english"),
    [
        ("tictactoe", "XXXX", "write three rows of X, O and '.', such as X.O/.X./..."),
        ("tictactoe", "XXX/.../...", "here 3 X and 0 O"),
        ("tictactoe", "XXX/OOO/...", "X and O cannot both have won"),
        ("tree", "max[3 min[2", "] is missing"),
        ("tree", "", "a tree is expected, such as max[3 min[2 4]]"),
        ("tree", "max[chance[0.5:1 0.4:2]]", "the probabilities of this node sum to 0.9, not 1"),
        ("chess", "e4", "no game 'chess': there are 2048, connect4, einstein, othello, tictactoe, tree"),
        ("connect4:rows=60", "4", "at most 64 fit"),
        ("connect4:lines=6", "4", "connect4 has no parameter 'lines': it has rows, columns, connect"),
        ("", "4", "names nothing"),
    ],
)
def test_other_positions_and_games(game, position, english):
    check_refused("hint", game, position, english=english)


@pytest.mark.parametrize("command", ["hint", "evaluate"])
@pytest.mark.parametrize(
    ("score", "english", "spanish"),
    [
        (-1, "-1 points are not possible", "-1 puntos no son posibles"),
        (10**30, "a score is from 0 to 1000000000", "la puntuación va de 0 a 1000000000"),
        ("many", "'--score'", "'--score' debe ser un número entero"),
    ],
)
def test_impossible_scores(command, score, english, spanish):
    check_refused(command, "2048", BOARD, "--score", score, english=english, spanish=spanish)


def test_a_score_where_there_is_none():
    check_refused(
        "hint", "connect4", "44", "--score", 5, english="connect4 keeps no score", spanish="no lleva puntuación"
    )


# --- Players and orders ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [["hint", "2048", BOARD], ["play", "2048"]])
@pytest.mark.parametrize(
    ("player", "english", "spanish"),
    [
        ("expectimax:depth=0", "levels go from 1 to 100", "los niveles van de 1 a 100"),
        ("expectimax:depth=1000", "levels go from 1 to 100", "los niveles van de 1 a 100"),
        ("expectimax:depth=three", "depth=three is not a whole number", "depth=three no es un número entero"),
        ("nobody", "no player 'nobody': there are human, random,", "no hay jugador 'nobody': hay human, random,"),
        ("", "names nothing: write NAME", "no nombra nada: escribe NOMBRE"),
        ("expectimax:deep=3", "'deep'", "'deep'"),
        ("expectimax:eval=best", "no evaluator 'best' for 2048: there are none, uc3m-score", "no hay evaluador 'best'"),
        ("minimax:opponent=me", "there are twos-and-fours, twos", "hay twos-and-fours, twos"),
    ],
)
def test_unknown_specs(command, player, english, spanish):
    check_refused(*command, "--player", player, english=english, spanish=spanish)


def test_players_that_do_not_fit():
    check_refused(
        "hint", "connect4", "44", "--player", "expectimax", english="use minimax, alphabeta", spanish="usa minimax"
    )
    check_refused(
        "hint", "2048", BOARD, "--player", "human", english="choose an algorithm", spanish="elige un algoritmo"
    )
    check_refused(
        "play", "2048", "--opponent", "random", english="2048 has no second player", spanish="segundo jugador"
    )
    check_refused(
        "play", "tree", "--player", "random", english="tree needs the tree's text", spanish="necesita el texto"
    )
    check_refused("evaluate", "2048", BOARD, "--eval", "uja", english="no evaluator 'uja' for 2048: there are ")
    check_refused("evaluate", "2048", BOARD, "--eval", "uma1,empty=3", english="it has score, mono, sim, room")
    check_refused("evaluate", "2048", BOARD, "--eval", "uma1,score=", english="is not KEY=VALUE")


@pytest.mark.parametrize(
    ("option", "value", "english", "spanish"),
    [
        ("--threads", 0, "--threads 0 must be at least 1", "--threads 0 debe ser al menos 1"),
        ("--games", 0, "--games 0 must be at least 1", "--games 0 debe ser al menos 1"),
        ("--games", -5, "--games -5 must be at least 1", "--games -5 debe ser al menos 1"),
        ("--games", "ten", "'--games'", "'--games' debe ser un número entero"),
        ("--seed", "x", "'--seed'", "'--seed' debe ser un número entero"),
        (
            "--target",
            1000,
            "target 1000 is not a tile: choose 8, 16 … 131072, or none",
            "el objetivo 1000 no es una ficha",
        ),
        ("--target", 4, "target 4 is not a tile", "el objetivo 4 no es una ficha"),
        ("--target", "high", "--target high must be a tile such as 2048, or none", "una ficha como 2048, o none"),
        ("--speed", 0, "--speed 0 must be at least 0.01", "--speed 0 debe ser al menos 0.01"),
        ("--speed", "nan", "--speed nan must be at least 0.01", "--speed nan debe ser al menos 0.01"),
        ("--speed", 1e-300, "must be at least 0.01", "debe ser al menos 0.01"),
        ("--colour", "red", "No such option: --colour", "no existe la opción --colour"),
    ],
)
def test_impossible_orders(option, value, english, spanish):
    check_refused("play", "2048", "--player", "random", option, value, english=english, spanish=spanish)


@pytest.mark.parametrize(
    ("words", "english", "spanish"),
    [
        (["plai"], "No such command 'plai'", "no existe la orden 'plai'"),
        (["play"], "Missing argument 'GAME'", "falta el argumento 'GAME'"),
        (["hint"], "Missing argument 'GAME'", "falta el argumento 'GAME'"),
        (["play", "2048", "now"], "unexpected extra argument", "sobra now"),
        (["list", "cars"], "choose one of games, players", "elige una de games, players"),
        (["play", "2048", "--player"], "requires an argument", "necesita un valor"),
        (["uc3m", "2"], "algorithm must be 0 or 1, not 2", "algoritmo debe ser 0 o 1, no 2"),
        (["uc3m", "0", "7"], "heuristic must be 0 or 1, not 7", "heurística debe ser 0 o 1, no 7"),
        (["uc3m", "0", "0", "1000"], "levels go from 1 to 100", "los niveles van de 1 a 100"),
        (["replay", "gone.json", "--speed", "-1"], "must be at least 0.01", "debe ser al menos 0.01"),
    ],
)
def test_impossible_calls(words, english, spanish):
    check_refused(*words, english=english, spanish=spanish)


@pytest.mark.parametrize("words", [["--lang"], ["--lang", "fr", "list"], ["list", "--lang="]])
def test_unknown_languages(words):
    assert contienda(*words).complaint.endswith(": choose one of en, es")


# --- Files to read ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game_text(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    contienda("play", "2048", "--player", "random", "--seed", 1, "--target", 16, "--save", folder, "--json")
    return (folder / "2048-1.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["check", "replay"])
def test_files_that_are_no_games(command, game_text):
    Path("torn.json").write_text(game_text[: len(game_text) // 2], encoding="utf-8")
    Path("empty.json").touch()
    Path("binary.json").write_bytes(bytes(range(256)))
    Path("other.json").write_text('{"name": "other"}', encoding="utf-8")
    Path("folder.json").mkdir()
    for file, english, spanish in [
        ("gone.json", "cannot read gone.json: No such file or directory", "no se puede leer gone.json"),
        ("folder.json", "cannot read folder.json: Is a directory", "no se puede leer folder.json"),
        ("/dev/zero", "/dev/zero is not a file", "/dev/zero no es un archivo"),
        ("torn.json", "torn.json is not a whole saved game: line ", "no es una partida guardada completa: línea "),
        ("empty.json", "empty.json is not a whole saved game: line 1", "no es una partida guardada completa"),
        ("binary.json", "binary.json is not a saved game", "binary.json no es una partida guardada"),
        ("other.json", "other.json is not a saved game of Contienda", "no es una partida guardada de Contienda"),
    ]:
        check_refused(command, file, "--lang=en", english=english)
        check_refused(command, file, english=english, spanish=spanish)


@pytest.mark.parametrize(
    ("change", "english", "spanish"),
    [
        (
            lambda data: data["moves"].__setitem__(2, "sideways 2@r1c1"),
            "move 3: no move 'sideways'",
            "jugada 3: no hay",
        ),
        (
            lambda data: data["moves"].__setitem__(0, "up 8@r1c1"),
            "move 1: no move '8@r1c1' here: there are 2@",
            "hay 2@",
        ),
        (lambda data: data["moves"].pop(), " moves and ", " jugadas y "),
        (lambda data: data["result"].update(score=10), "but it says {'score': 10,", "pero dice {'score': 10,"),
        (lambda data: data["result"].update(won=False), "its moves lead to {", "sus jugadas llevan a {"),
        (lambda data: data.update(ended="over"), "but it says 'over'", "pero dice 'over'"),
        (lambda data: data.update(version=99), "reads version 1", "lee la 1"),
        (lambda data: data.update(start="2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2"), "move 1: ", "jugada 1: "),
        (lambda data: data.update(players="me"), "'players' is missing or not valid", "'players' falta"),
        (lambda data: data.pop("ms"), "'ms' is missing or not valid", "'ms' falta"),
    ],
)
def test_games_edited_by_hand(change, english, spanish, game_text):
    data = json.loads(game_text)
    change(data)
    Path("edited.json").write_text(json.dumps(data), encoding="utf-8")
    check_refused("check", "edited.json", english=f"edited.json{'' if 'version' in english else ': '}")
    check_refused("check", "edited.json", english=english, spanish=spanish)
    check_refused("replay", "edited.json", "--end", english=english)


# --- Files to write --------------------------------------------------------------------------------------------------

PLAY = ["play", "2048", "--player", "random", "--seed", 1, "--target", 8]


def test_folders_that_cannot_be(tmp_path):
    (tmp_path / "file").touch()
    check_refused(
        *PLAY, "--save", "file/below", english="cannot write file/below", spanish="no se puede escribir file/below"
    )
    check_refused(*PLAY, "--save", "file", english="cannot write file")
    check_refused(*PLAY, "--stats", "file/stats.txt", english="cannot write file", spanish="no se puede escribir file")
    check_refused(*PLAY, "--stats", ".", english="cannot write .: Is a directory")
    assert os.listdir(tmp_path) == ["file"]


def test_a_folder_that_cannot_be_is_found_before_the_game(tmp_path, monkeypatch):
    def play(*_, **__):
        raise AssertionError("an hour of play")

    monkeypatch.setattr("contienda.cli.play.play_games", play)
    (tmp_path / "file").touch()
    check_refused(*PLAY, "--save", "file/below", english="cannot write")
    check_refused(*PLAY, "--stats", "file/below", english="cannot write")


def test_a_full_disk(tmp_path, monkeypatch):
    assert contienda(*PLAY, "--save", "kept", "--stats", "stats.txt", "--json").code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert len(before) == 2

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    full_disk = "cannot write {}: No space left on device"
    check_refused(*PLAY, "--save", "kept", "--games", 3, "--threads", 1, english=full_disk.format("kept/2048-1.json"))
    told = contienda(*PLAY, "--stats", "stats.txt")
    assert (told.code, told.err) == (2, "contienda: " + full_disk.format("stats.txt") + "\n")
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert after == before


def test_a_device():
    check_refused(*PLAY, "--stats", "/dev/full", english="cannot write /dev/full: it is not a file")
    assert Path("/dev/full").is_char_device()


# --- Heuristics ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "english", "spanish"),
    [
        (
            "def f(board, weights)\n    return 1\n",
            "mine.py:1: syntax error, expected ':'",
            "mine.py:1: error de sintaxis",
        ),
        (
            "def f(board, weights):\n    return bord\n",
            "mine.py:2: `return bord` does not compile",
            "no se puede compilar",
        ),
        (
            "def f(board, weights):\n    if board.cells != 0:\n        raise ValueError('no')\n    return 1\n",
            "mine.py:3: `raise ValueError('no')` fails on 2 0 0 0/0 0 0 0/0 0 0 0/0 0 2 0: ValueError: no",
            "falla en 2 0 0 0/0 0 0 0/0 0 0 0/0 0 2 0: ValueError: no",
        ),
        ("import gone_module\n", "mine.py:1: ModuleNotFoundError: No module named 'gone_module'", "mine.py:1: Mod"),
        ("", "mine.py has no function 'f': it has none", "mine.py no tiene la función 'f' ni nada parecido"),
    ],
)
def test_heuristics_that_do_not_work(text, english, spanish):
    Path("mine.py").write_text(text, encoding="utf-8")
    order = ["hint", "2048", BOARD, "--player", "expectimax:depth=3,eval=./mine.py:f"]
    check_refused(*order, english=english, spanish=spanish)
    check_refused("evaluate", "2048", BOARD, "--eval", "mine.py:f", english=english)


#: It values the boards of a beginning, so that it is taken for sound, and loops on all with more than seven tiles.
LOOPS = """
from contienda.games.g2048.helpers import empty

def f(board, weights):
    n = 0
    while empty(board) < 9:
        n += 1
    return float(n)
"""


@pytest.mark.parametrize(
    "words",
    [["hint", "2048", BOARD], pytest.param(["play", "2048", "--games", 3, "--json"], marks=pytest.mark.slow)],
)
def test_a_heuristic_that_loops_deep_in_the_search_does_not_outlive_its_time(words):
    """In a process of its own: what loops for ever can only be left behind, and the process must end all the same."""
    Path("mine.py").write_text(LOOPS, encoding="utf-8")
    ended = process(*words, "--player", "expectimax:ms=200,eval=./mine.py:f", timeout=100)
    assert ended.complaint == "no answer 2 s after the stop signal: does an evaluator loop forever?"


# --- What is quoted --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a\nb", "\x1b[2Jgone", "a\u2028b", "x" * 100_000])
def test_whatever_is_quoted_the_complaint_is_one_short_line_of_plain_text(name):
    for arguments in (("hint", "2048", BOARD, "--player", name), ("hint", name, BOARD)):
        complaint = contienda(*arguments).complaint
        assert complaint.isprintable()
        assert len(complaint) < 1100


def test_a_file_name_of_two_lines_is_quoted_in_one(tmp_path):
    (tmp_path / "a\nb.json").write_text("{}")
    assert "a\\nb.json is not a saved game" in contienda("replay", tmp_path / "a\nb.json").complaint
