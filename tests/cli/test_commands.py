"""Every command, as a shell sees it: its output, in both languages and as JSON, and its exit code."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from drive import contienda, process

import contienda as package
from contienda.evaluation.catalogue import unit_of
from contienda.games import make_game
from contienda.record import load_game, result_of

BOARD = "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0"
TREE = "max[min[3 12 8] min[2 4 6] min[14 5 2]]"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    """Files go to a folder of the test, and tables are as wide as they like."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")


def shape(data):
    """A JSON value with a type in the place of each thing; a list must be of one kind."""
    if isinstance(data, dict):
        return {key: shape(value) for key, value in data.items()}
    if isinstance(data, list):
        shapes = [shape(item) for item in data]
        assert all(item == shapes[0] for item in shapes)
        return shapes[:1]
    return type(data)


# --- play ------------------------------------------------------------------------------------------------------------

GAME_OF_2048 = {
    "seed": int, "score": int, "max_tile": int, "moves": int, "won": bool, "seconds": float, "nodes": int,
}  # fmt: skip
SUMMARY_OF_ALL = {"games": int, "mean_moves": float, "nodes": int, "seconds": float, "wall_seconds": float}
SUMMARY_OF_ALL |= {"mean_seconds": float, "mean_ms": float}
SUMMARY_OF_2048 = {"mean_score": float, "sd_score": float, "best_score": int, "wins": int}


def untimed(report: dict) -> dict:
    """A report without what the clock says."""
    games = [{key: value for key, value in game.items() if key != "seconds"} for game in report["games"]]
    summary = {key: value for key, value in report["summary"].items() if not key.endswith(("seconds", "_ms"))}
    return report | {"games": games, "summary": summary}


def test_play_2048(tmp_path):
    """Four games on one thread and on two are the same to the last bit, files included."""
    order = ["play", "2048", "--player", "greedy:eval=combined", "--seed", 7, "--games", 4, "--json"]
    one = contienda(*order, "--threads", 1, "--save", "one", "--stats", "one.txt")
    two = contienda(*order, "--threads", 2, "--save", tmp_path / "two")
    assert (one.err, two.err) == ("created the folder one\n", f"created the folder {tmp_path / 'two'}\n")
    report = one.json
    assert untimed(report) == untimed(two.json)

    tiles = report["summary"].pop("max_tiles")
    assert shape(report) == {
        "game": str, "player": str, "games": [GAME_OF_2048], "summary": SUMMARY_OF_ALL | SUMMARY_OF_2048,
    }  # fmt: skip
    assert (report["game"], report["player"]) == ("2048", "greedy:eval=combined")
    games, summary = report["games"], report["summary"]
    assert [game["seed"] for game in games] == [7, 8, 9, 10]
    assert len({game["score"] for game in games}) > 1
    assert summary["games"] == 4
    assert summary["mean_score"] == sum(game["score"] for game in games) / 4
    assert summary["best_score"] == max(game["score"] for game in games)
    assert summary["wins"] == sum(game["won"] for game in games)
    assert summary["nodes"] == sum(game["nodes"] for game in games)
    assert summary["mean_moves"] == sum(game["moves"] for game in games) / 4
    assert sum(tiles.values()) == 4
    assert tiles == {str(tile): [game["max_tile"] for game in games].count(tile) for tile in map(int, tiles)}

    for game in games:
        first, second = (load_game(tmp_path / folder / f"2048-{game['seed']}.json") for folder in ("one", "two"))
        assert first.actions == second.actions
        assert result_of(first).items() <= game.items()
    assert len(list((tmp_path / "one").iterdir())) == 4

    stats = (tmp_path / "one.txt").read_text(encoding="utf-8")
    assert re.findall(r"^moves (\d+)", stats, re.M) == [str(game["moves"]) for game in games]
    assert len(re.findall(r"^turn \d+ \d+\.\d+$", stats, re.M)) == sum(game["moves"] for game in games)


def test_play_up_to_a_target():
    report = contienda("play", "2048", "--player", "random", "--seed", 1, "--target", 16, "--games", 3, "--json").json
    assert all((game["max_tile"], game["won"]) == (16, True) for game in report["games"])
    assert report["summary"]["max_tiles"] == {"16": 3}
    assert report["summary"]["wins"] == 3


def test_play_without_a_seed_draws_one():
    seeds = {
        contienda("play", "2048", "--player", "random", "--target", "8", "--json").json["games"][0]["seed"]
        for _ in range(2)
    }
    assert len(seeds) == 2


def test_the_same_game_again_shows_nothing(tmp_path):
    """Players without luck begin with random moves by default, each opening from both sides; repeats are told."""
    (tmp_path / "first.py").write_text("def choose(game, state):\n    return game.legal_actions(state)[0]\n")
    (tmp_path / "last.py").write_text("def choose(game, state):\n    return game.legal_actions(state)[-1]\n")
    players = ["--player", f"{tmp_path}/first.py:choose", "--opponent", f"{tmp_path}/last.py:choose"]
    order = ["play", "tictactoe", *players, "--seed", 1, "--games", 4, "--json"]
    summary = contienda(*order, "--opening", 0).json["summary"]
    assert (summary["opening"], summary["repeated"]) == (0, 3)
    assert sum(summary[key] for key in ("first_wins", "second_wins", "draws")) == 1  # counted once
    summary = contienda(*order).json["summary"]
    assert (summary["opening"] > 0, summary["repeated"]) == (True, 0)


@pytest.mark.parametrize("game", ["connect4:rows=4,columns=5,connect=3", "tictactoe"])
def test_play_for_two(game, tmp_path):
    order = ["play", game, "--player", "random", "--opponent", "random", "--seed", 3, "--games", 6, "--json"]
    report = contienda(*order, "--save", "kept", "--threads", 2).json
    assert shape(report) == {
        "game": str,
        "player": str,
        "opponent": str,
        "games": [{"seed": int, "winner": int, "moves": int, "seconds": float, "nodes": int}],
        "summary": SUMMARY_OF_ALL
        | {"first_wins": int, "second_wins": int, "draws": int, "opening": int, "repeated": int},
    }
    assert report["game"] == game
    winners = [row["winner"] for row in report["games"]]
    counts = [report["summary"][key] for key in ("draws", "first_wins", "second_wins")]
    assert counts == [winners.count(who) for who in (0, 1, 2)]
    assert sum(counts) == 6
    assert len(set(winners)) > 1
    kept = [load_game(path) for path in (tmp_path / "kept").iterdir()]
    assert sorted(result_of(played)["winner"] for played in kept) == sorted(winners)


def test_saved_games_have_the_name_that_the_user_gave(tmp_path):
    ask = ("play", "2048", "--player", "random", "--target", 16, "--seed", 5)
    assert contienda(*ask, "--save", tmp_path / "my game.json").code == 0
    assert load_game(tmp_path / "my game.json").seed == 5
    assert contienda(*ask, "--games", 2, "--save", tmp_path / "two.json").code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"my game.json", "two-5.json", "two-6.json"}


def test_play_in_words():
    english = contienda("play", "2048", "--player", "random", "--seed", 5, "--games", 12, "--target", 16)
    spanish = contienda("play", "2048", "--player", "random", "--seed", 5, "--games", 12, "--target", 16, "--lang=es")
    assert english.code == spanish.code == 0
    assert english.err == spanish.err == ""
    first, *_ = english.out.splitlines()
    assert first.startswith("1 of 12  seed ")  # whichever ended first
    assert "  game won  score " in first
    assert "  largest 16  " in first
    assert sum(" of 12  seed " in each for each in english.out.splitlines()) == 12
    assert "12 games: mean score " in english.out
    assert "12 won; 16×12" in english.out
    assert re.search(r"^[\d.]+ (µs|ms|s) per game, [\d.]+ (µs|ms|s) per move$", english.out.rstrip().splitlines()[-1])
    assert re.search(r"^[\d,]+ (µs|ms|s) por partida, [\d,]+ (µs|ms|s) por jugada$", spanish.out, re.M)
    assert "1 de 12  semilla " in spanish.out
    assert "  partida ganada  " in spanish.out
    assert "12 partidas: puntuación media " in spanish.out


def test_play_watched_in_spanish():
    """The board is drawn by another thread than the one that was told the language."""
    watched = contienda("play", "2048", "--player", "random", "--target", 8, "--watch", "--speed", 1e6, "--lang", "es")
    assert watched.code == 0
    assert re.search(r"^puntos \d+   mayor 8$", watched.out, re.M)


def test_play_watched_and_json():
    watched = contienda("play", "2048", "--player", "random", "--target", 8, "--watch", "--speed", 1e6, "--json")
    assert watched.json["games"][0]["max_tile"] == 8
    assert "largest 8" in watched.err


# --- A person plays --------------------------------------------------------------------------------------------------


def test_a_person_types_moves_and_nonsense():
    typed = "9\n\nleft\n[/]\n4\n5\n4\n5\n4\n5\n4\n"
    played = contienda("play", "connect4", "--player", "human", "--opponent", "human", "--json", stdin=typed)
    assert played.json["games"][0] | {"winner": 1, "moves": 7} == played.json["games"][0]
    assert played.err.count("your move (1 2 3 4 5 6 7): ") == 11
    for nonsense in ("9", "", "left", "[/]"):
        assert f"no column {nonsense!r}: columns are 1 to 7" in played.err


def test_a_full_column_is_explained():
    played = contienda(
        "play", "connect4:rows=1,columns=3,connect=3", "--player", "human", "--opponent", "human", stdin="1\n1\n2\n3\n"
    )
    assert "1 is not possible here" in played.out
    assert "drawn 1" in played.out


def test_the_end_of_the_input_ends_the_game_and_keeps_it(tmp_path):
    order = ["play", "connect4", "--player", "human", "--opponent", "random", "--seed", 1, "--save", "kept", "--json"]
    left = contienda(*order, stdin="4\n4\n")
    assert (left.code, left.out) == (130, "")
    assert "Traceback" not in left.err
    assert left.err.rstrip().endswith("stopped: 0 of 1 games finished")
    played = load_game(tmp_path / "kept" / "connect4-1.json")
    assert (played.ended, played.moves) == ("stopped", 4)
    assert played.actions[::2] == [3, 3]


def test_a_person_plays_2048_until_it_is_lost():
    typed = "left\nup\nright\ndown\n" * 400
    played = contienda("play", "2048", "--player", "human", "--seed", 1, "--json", stdin=typed)
    (game,) = played.json["games"]
    assert game["won"] is False
    assert game["moves"] > 50
    assert "is not possible here" in played.err


def test_a_person_meets_a_search():
    """Whoever holds 1 and 2 wants 3: the search must take it."""
    played = contienda("play", "tictactoe", "--player", "human", "--opponent", "alphabeta", "--json", stdin="1\n2\n")
    assert played.code == 130
    assert "your move" in played.err
    board = played.err[: played.err.rindex("your move")]
    assert re.search(r"X\W+X\W+O", board)


# --- hint ------------------------------------------------------------------------------------------------------------

COUNTERS = {
    "nodes": int, "evaluations": int, "cutoffs": int, "hits": int, "depth": int, "seconds": float,
    "compile_seconds": float,
}  # fmt: skip
MOVE = {"move": str, "value": float} | dict.fromkeys(("bound", "at_least", "words", "mark", "remark"), type(None))
HINT = {
    "game": str, "position": str, "player": str, "moves": [MOVE], "best": str, "pv": [str],
    "counters": COUNTERS, "unit": {"en": str, "es": str},
}  # fmt: skip


def values(data: dict) -> dict[str, float]:
    return {move["move"]: move["value"] for move in data["moves"]}


def test_hint_2048():
    hinted = contienda("hint", "2048", BOARD, "--player", "greedy:eval=uc3m-score", "--score", 8, "--json")
    data = hinted.json
    assert hinted.err == ""
    assert shape(data) == HINT
    assert (data["game"], data["position"], data["player"]) == ("2048", BOARD, "greedy:eval=uc3m-score")
    assert [*values(data).items()] == [("right", 12.0), ("left", 12.0), ("down", 8.0)]  # fmt: skip
    assert (data["best"], data["pv"]) == ("right", ["right"])
    counters = data["counters"]
    assert [counters[key] for key in ("nodes", "evaluations", "cutoffs", "depth")] == [4, 3, 0, 1]


def test_hint_without_score_is_score_0():
    data = contienda("hint", "2048", BOARD, "--player", "greedy:eval=uc3m-score", "--json").json
    assert values(data) == {"right": 4.0, "left": 4.0, "down": 0.0}


def test_hint_by_the_default_player():
    data = contienda("hint", "2048", BOARD, "--json").json
    assert data["player"] == "expectimax:depth=5"
    assert data["counters"]["depth"] == 5
    assert shape(data) == HINT


def test_hint_connect4():
    data = contienda("hint", "connect4", "112233", "--player", "alphabeta:depth=2", "--json").json
    assert shape(data) == HINT
    assert (data["game"], data["position"], data["best"], data["pv"]) == ("connect4", "112233", "4", ["4"])
    assert sorted(values(data)) == ["1", "2", "3", "4", "5", "6", "7"]
    assert data["moves"][0]["move"] == "4"
    ranked = [move["value"] for move in data["moves"]]
    assert ranked == sorted(ranked, reverse=True)
    assert ranked[0] > 1e8 > ranked[1]


def test_hint_tictactoe():
    data = contienda("hint", "tictactoe", "XX./OO./...", "--player", "minimax", "--json").json
    assert shape(data) == HINT
    assert (data["best"], data["pv"], values(data)["3"]) == ("3", ["3"], 1.0)
    assert sorted(values(data)) == ["3", "6", "7", "8", "9"]
    assert values(data)["7"] == -1.0


@pytest.mark.parametrize(("player", "nodes", "cutoffs"), [("minimax", 13, 0), ("alphabeta", 11, 1)])
def test_hint_tree(player, nodes, cutoffs):
    """The tree of the textbook; alpha-beta cuts its second branch after the 2."""
    data = contienda("hint", "tree", TREE, "--player", player, "--json").json
    assert shape(data) == HINT
    assert [*values(data).items()] == [("1", 3.0), ("2", 2.0), ("3", 2.0)]
    assert (data["best"], data["pv"]) == ("1", ["1", "1"])
    assert (data["counters"]["nodes"], data["counters"]["cutoffs"]) == (nodes, cutoffs)
    assert data["counters"]["evaluations"] == nodes - 4


def test_hint_tree_with_chance():
    tree = "max[chance[0.5:min[2 7] 0.5:min[4 6]] chance[0.5:min[0 5] 0.5:min[-2 8]]]"
    data = contienda("hint", "tree", tree, "--player", "expectiminimax", "--json").json
    assert values(data) == {"1": 3.0, "2": -1.0}


def test_hint_by_lot():
    data = contienda("hint", "tictactoe", "X../.O./...", "--player", "random", "--json").json
    assert shape(data) == HINT | {"unit": type(None)}
    assert set(values(data).values()) == {0.0}
    assert data["moves"][0]["move"] == data["best"]


def test_hint_infinities_are_null():
    """JSON has no word for them."""
    with open("mine.py", "w", encoding="utf-8") as file:
        file.write("import math\ndef f(board, weights):\n    return -math.inf\n")
    data = contienda("hint", "2048", BOARD, "--player", "greedy:eval=mine.py:f", "--json").json
    assert set(values(data).values()) == {None}


def test_hint_in_words():
    order = ["hint", "2048", BOARD, "--player", "greedy:eval=uc3m-score", "--score", 8]
    english, spanish = contienda(*order), contienda("--lang", "es", *order)
    assert english.code == spanish.code == 0
    assert re.search(r"^right +12 +◀", english.out, re.M)
    assert "score 8   largest 2" in english.out
    assert "line: right" in english.out
    assert "4 nodes, 3 evaluations, 0 cut-offs, depth 1" in english.out
    assert "puntos 8   mayor 2" in spanish.out
    assert "línea: right" in spanish.out
    assert "4 nodos, 3 evaluaciones, 0 podas, profundidad 1" in spanish.out


# --- evaluate --------------------------------------------------------------------------------------------------------

EARLY = ("4 2 2 0/4 0 0 0/0 0 0 0/0 0 0 0", 8)
MIDDLE = ("64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2", 380)
LATE = ("1024 32 4 2/16 4 0 0/8 0 0 0/2 0 4 0", 9228)


def evaluated(board, evaluator):
    data = contienda("evaluate", "2048", board[0], "--score", board[1], "--eval", evaluator, "--json").json
    assert list(data) == ["game", "position", "evaluator", "view", "value", "terms", "weights", "contributions"]
    assert (data["game"], data["position"]) == ("2048", board[0])
    products = {term: data["weights"][term] * data["terms"][term] for term in data["terms"]}
    assert data["contributions"] == pytest.approx(products)
    assert data["value"] == pytest.approx(sum(products.values()))
    return data


@pytest.mark.parametrize(
    ("board", "evaluator", "value", "terms"),
    [
        (EARLY, "uma1", 104.6199651668247, {"sim": 2.3333333, "mono": 74, "score": 8}),
        (EARLY, "uma2", 96.6199651668247, {}),
        (EARLY, "uma3", 30.6199651668247, {}),
        (EARLY, "uma4", 106, {}),
        (MIDDLE, "uma1", 998.9547033550967, {"sim": 90.5666667, "mono": 662, "score": 380}),
        (LATE, "uma1", 15481.976650001723, {"sim": 1369.9333333, "mono": 7560, "score": 9228}),
    ],
)
def test_evaluate_the_worked_examples(board, evaluator, value, terms):
    data = evaluated(board, evaluator)
    assert data["evaluator"] == evaluator
    assert data["value"] == pytest.approx(value, rel=1e-15)
    for term, number in terms.items():
        assert data["terms"][term] == pytest.approx(number, abs=5e-8)


def test_evaluate_with_other_weights():
    usual, other = evaluated(EARLY, "ort-simple-1"), evaluated(EARLY, "ort-simple-1,empty=3.0")
    assert usual["weights"] == {"score": 1.0, "empty": 2.7, "mono": 1.0, "smooth": 0.1}
    assert other["weights"] == usual["weights"] | {"empty": 3.0}
    # Rows 4 2 2 0 and 4 0 0 0 fall by 2 + 0 + 2 and 4; log2 differs by 1 between the 4 and the 2.
    assert usual["terms"] == other["terms"] == {"score": 8.0, "empty": 12.0, "mono": 8.0, "smooth": -1.0}
    assert usual["value"] == pytest.approx(8 + 2.7 * 12 + 8 - 0.1)
    assert other["value"] == pytest.approx(8 + 3.0 * 12 + 8 - 0.1)


def test_evaluate_connect4():
    """The worked example of uja: its MAX made the first move here and is to move."""
    data = contienda("evaluate", "connect4", "1111112224", "--eval", "uja", "--json").json
    assert (data["value"], data["terms"]) == (-20.0, {"windows": -20.0})
    other_side = contienda("evaluate", "connect4", "11111122243", "--json").json
    assert other_side["evaluator"] == "uja", "the game's own is the default"


def test_evaluate_says_whose_view_it_takes():
    """uja's −20 is MAX's, whoever moves; a stone later the other player is to move, and sees the opposite."""
    shown = contienda("evaluate", "connect4", "1111112224", "--eval", "uja").out
    assert re.search(r"^uja +-20 *$", shown, re.M)
    assert "for the player to move (--view mover|max|min)" in shown
    assert "para quien mueve" in contienda("--lang", "es", "evaluate", "connect4", "1111112224").out

    def seen(position, view):
        return contienda("evaluate", "connect4", position, "--view", view, "--json").json["value"]

    assert [seen("1111112224", view) for view in ("mover", "max", "min")] == [-20, -20, 20]
    mover, first, second = (seen("11111122243", view) for view in ("mover", "max", "min"))
    assert mover == second == -first != 0
    assert contienda("evaluate", "2048", EARLY[0], "--json").json["view"] is None
    complaint = contienda("evaluate", "connect4", "12", "--view", "me").complaint
    assert complaint == "--view me: there are mover, max, min"
    assert "no second player" in contienda("evaluate", "2048", EARLY[0], "--view", "min").complaint


def test_evaluate_in_words():
    order = ["evaluate", "2048", EARLY[0], "--score", 8, "--eval", "uma1"]
    english, spanish = contienda(*order), contienda("--lang", "es", *order)
    assert english.out.splitlines()[0].split() == ["term", "number", "weight", "product"]
    assert re.search(r"^sim +2\.333333333 +-1 +-2\.333333333", english.out, re.M)
    assert re.search(r"^uma1 +104\.6199651668247", english.out, re.M)
    assert spanish.out.splitlines()[0].split() == ["término", "número", "peso", "producto"]


# --- replay and check ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game_file(tmp_path_factory):
    """A short game up to the tile 16."""
    folder = tmp_path_factory.mktemp("games")
    contienda("play", "2048", "--player", "random", "--seed", 1, "--target", 16, "--save", folder, "--json")
    (file,) = folder.iterdir()
    return file


def test_check(game_file):
    result = result_of(load_game(game_file))
    told = ", ".join(f"{key} {value}" for key, value in result.items())
    assert contienda("check", game_file) == (0, f"{game_file}: a valid game of 2048: {told}\n", "")
    assert contienda("check", game_file, "--lang", "es").out == f"{game_file}: partida válida de 2048: {told}\n"


def test_replay_to_the_end(game_file):
    played = load_game(game_file)
    shown = contienda("replay", game_file, "--end")
    assert (shown.code, shown.err) == (0, "")
    assert f"score {result_of(played)['score']}   largest 16" in shown.out, "the last move is seen"
    assert shown.out.count("largest") == 1
    assert shown.out.splitlines()[-1].startswith("2048  random  score ")


def test_replay_step_by_step(game_file):
    moves = load_game(game_file).moves
    shown = contienda("replay", game_file, "--step", stdin="\n" * moves)
    assert shown.code == 0
    assert re.findall(r"(\d+)/(\d+) Enter: next", shown.out) == [(str(i), str(moves)) for i in range(moves)]
    assert shown.out.count("largest") == moves + 1
    assert "largest 16" in shown.out
    left = contienda("replay", game_file, "--step", "--lang", "es", stdin="\n\n")
    assert left.code == 0, "the end of the input is no error"
    assert left.out.count("Intro: siguiente") == 3
    assert "mayor 16" not in left.out


def test_replay_at_a_speed(game_file):
    shown = contienda("replay", game_file, "--speed", 1e6)
    assert shown.code == 0
    assert "largest 16\n" in shown.out


# --- list ------------------------------------------------------------------------------------------------------------


def test_list_as_json():
    data = contienda("list", "--json").json
    assert {"games", "players", "evaluators"} <= set(data)
    for kind, entries in data.items():
        assert contienda("list", kind, "--json").json == {kind: entries}

    games = {entry["name"]: entry for entry in data["games"]}
    assert {"2048", "connect4", "tictactoe", "tree"} <= set(games)
    for entry in data["games"] + data["players"]:
        assert list(entry) == ["name", "about", "parameters"]
        assert entry["about"]
        for parameter in entry["parameters"].values():
            assert list(parameter) == ["default", "meaning"]
            assert parameter["meaning"]
    assert {key: value["default"] for key, value in games["connect4"]["parameters"].items()} == {
        "rows": 6, "columns": 7, "connect": 4,
    }  # fmt: skip

    players = {entry["name"]: entry for entry in data["players"]}
    assert {"human", "random", "greedy", "minimax", "alphabeta", "expectimax", "expectiminimax"} <= set(players)
    assert {"depth", "ms", "nodes", "eval", "opponent", "cutoffs"} <= set(players["alphabeta"]["parameters"])

    evaluators = {entry["name"]: entry for entry in data["evaluators"]}
    assert {
        "uc3m-score", "uc3m-empty", "uc3m-score-v2", "uc3m-empty-v2", "unicen-a", "uja", "uma1", "uma2", "uma3", "uma4",
        "ort-simple-1", "ort-simple-2", "ort-intermediate", "nneonneo", "combined", "snake",
    } <= set(evaluators)  # fmt: skip
    for entry in data["evaluators"]:
        assert list(entry) == ["name", "game", "formula", "meaning", "origin", "weights"]
        assert all(entry[key] for key in ("game", "formula", "meaning", "origin"))
    assert "Σ sobre filas y columnas" in unit_of("nneonneo", make_game("2048")).into("es")
    assert evaluators["ort-simple-1"]["weights"] == {"score": 1.0, "empty": 2.7, "mono": 1.0, "smooth": 0.1}


def test_list_in_words():
    for kind in ("games", "players", "evaluators"):
        names = [entry["name"] for entry in contienda("list", kind, "--json").json[kind]]
        english, spanish = contienda("list", kind), contienda("list", kind, "--lang=es")
        assert english.code == spanish.code == 0
        for name in names:
            assert re.search(rf"^{re.escape(name)}\b", english.out, re.M)
            assert re.search(rf"^{re.escape(name)}\b", spanish.out, re.M)
        assert english.out != spanish.out
    everything = contienda("list").out
    assert all(f"\n{name} " in everything for name in ("connect4", "expectimax", "uma1"))


# --- The whole -------------------------------------------------------------------------------------------------------


def test_version():
    assert contienda("--version") == (0, f"contienda {package.__version__}\n", "")


def test_as_a_module():
    assert process("--version") == (0, f"contienda {package.__version__}\n", "")


def test_no_arguments_open_the_app(monkeypatch):
    served = []
    monkeypatch.setattr("contienda.web.serve.serve", lambda settings, **how: served.append((settings, how)))
    assert contienda().code == 0
    ((settings, how),) = served
    assert (settings.host, settings.port, settings.loopback) == ("127.0.0.1", 2048, True)
    assert how["browser"] is True
    assert how["any_port"] is True


COMMANDS = ["", "play", "hint", "evaluate", "replay", "check", "list", "uc3m", "web"]


def helps(*before: str) -> str:
    """The help of every command, from one process: help is written when the commands are imported."""
    script = """
import sys
from contienda.cli import main
for command in sys.argv[1].split(","):
    try:
        main([*sys.argv[2:], *([command] if command else []), "--help"])
    except SystemExit as exit:
        assert not exit.code
"""
    done = subprocess.run(
        [sys.executable, "-c", script, ",".join(COMMANDS), *before],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_help_in_both_languages():
    english, spanish = helps(), helps("--lang", "es")
    titles = re.compile(r"^╭─ (\S+) ─", re.M)
    assert set(titles.findall(english)) == {"Options", "Commands", "Arguments"}
    assert set(titles.findall(spanish)) == {"Opciones", "Órdenes", "Argumentos"}
    assert len(titles.findall(english)) == len(titles.findall(spanish))
    for word in ("Usage:", "Show this message", "[default:", "[required]"):
        assert word in english
        assert word not in spanish
    for word in ("Uso:", "Muestra esta ayuda.", "[por defecto:", "[obligatorio]"):
        assert word in spanish
    # No line that says something in several words is the same in both.
    same = set(english.splitlines()) & set(spanish.splitlines())
    assert [line for line in same if len(re.findall(r"\b[a-z]{3,}\b", line)) > 2] == []


def test_the_locale_chooses_the_language(monkeypatch):
    spanish = "no hay lista 'cars'; elige una de games, players"
    assert process("list", "cars", LANG="es_ES.UTF-8").complaint.startswith(spanish)
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    assert contienda("list", "cars").complaint.startswith(spanish)
    assert "choose one of" in contienda("list", "cars", "--lang=en").complaint
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert "choose one of" in contienda("list", "cars").complaint
    monkeypatch.setenv("LANGUAGE", "es:en")
    assert contienda("list", "cars").complaint.startswith(spanish)


def test_the_language_may_stand_anywhere():
    for words in (["--lang", "es", "list", "cars"], ["list", "--lang=es", "cars"], ["list", "cars", "--lang", "es"]):
        assert contienda(*words).complaint.startswith("no hay lista 'cars'")
    assert contienda("list", "cars").complaint.startswith("no list"), "and is forgotten afterwards"


def test_what_only_tells_loads_nothing_heavy():
    """Start-up is felt at every command."""
    script = """
import sys
from contienda.cli import main
told = "--help", "play --help", "--version", "list players", "list solvers", "cache info"
for words in [each.split() for each in told]:
    try:
        main(words)
    except SystemExit as exit:
        assert not exit.code
    print(words, {"numba", "llvmlite", "scipy", "fastapi", "uvicorn"} & set(sys.modules) or "light", file=sys.stderr)
"""
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=False).stderr
    assert [line.split()[-1] for line in told.splitlines()] == ["light"] * 6, told


def test_json_is_plain_utf_8_on_one_line():
    told = process("list", "games", "--json", "--lang", "es", PYTHONIOENCODING="utf-8")
    assert told.out.count("\n") == 1
    assert "línea" in told.out
    assert json.loads(told.out)


def test_a_terminal_that_knows_only_ascii():
    told = process("list", "games", "--lang", "es", PYTHONIOENCODING="ascii")
    assert (told.code, told.err) == (0, "")
    assert "tres en l?nea" in told.out
    data = process("list", "games", "--lang", "es", "--json", PYTHONIOENCODING="ascii").json
    assert any("tres en línea" in game["about"] for game in data["games"]), "in JSON nothing is lost"


def test_a_reader_that_has_gone_is_no_error():
    """As with `contienda list | head -1`."""
    listing = subprocess.Popen(
        [sys.executable, "-m", "contienda", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    listing.stdout.close()
    error = listing.stderr.read().decode()
    listing.stderr.close()
    assert listing.wait(60) == 1
    assert error == ""


def test_without_a_position_a_command_takes_the_start_of_a_game():
    for command in (["hint"], ["trace", "--player", "minimax:depth=1"], ["evaluate", "--eval", "none"]):
        ran = contienda(command[0], "tictactoe", *command[1:])
        assert ran.code == 0, ran.err
    assert json.loads(contienda("hint", "tictactoe", "--json").out)["position"] == ".../.../..."
    assert "needs the tree's text" in contienda("hint", "tree").complaint
