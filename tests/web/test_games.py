"""Games in the app: making them, moving, going back, keeping them; by the rules and the luck of the library."""

from __future__ import annotations

import json
from functools import cache

import pytest
from website import complaint, open_line, open_site

from contienda.games import make_game
from contienda.match import Match
from contienda.players import make_player
from contienda.record import game_as_text, load_game, save_game, states_of

NEAR_64 = "32 32 0 0/0 0 0 0/0 0 0 0/0 0 0 0"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with open_site(tmp_path_factory.mktemp("data"), games=20) as site:
        yield site


@pytest.fixture
def visitor(site):
    return site.browser()


def labels(position):
    """What stands on each cell."""
    return [piece["label"] if piece else "." for piece in position["picture"]["pieces"]]


def create(visitor, **asked):
    answer = visitor.post("/api/games", json=asked)
    assert answer.status_code == 201, answer.text
    return answer.json()


def move(visitor, game, name, **more):
    answer = visitor.post(f"/api/games/{game['id']}/moves", json={"revision": game["revision"], "move": name} | more)
    assert answer.status_code == 200, answer.text
    return answer.json()


def go_to(visitor, game, ply):
    answer = visitor.post(f"/api/games/{game['id']}/cursor", json={"revision": game["revision"], "to": ply})
    assert answer.status_code == 200, answer.text
    return answer.json()


def play_some(visitor, game, count):
    """So many moves, always the first that is legal."""
    for _ in range(count):
        game = move(visitor, game, game["position"]["legal"][0])["game"]
    return game


@cache
def match_at_random(game, target=None):
    board = make_game(game)
    return Match(board, [make_player("random", board)] * (1 if game == "2048" else 2), target)


def played_by_library(game="2048", seed=7, target=None):
    return match_at_random(game, target).play(seed)


# --- Making games -----------------------------------------------------------------------------------------------------


def test_a_new_game_is_the_one_of_the_command_line(visitor):
    game = create(visitor, game="2048", seed="7")
    start = played_by_library().start
    assert game["position"]["text"] == make_game("2048").format(start)
    assert game["start"] == game["position"]
    assert (game["seed"], game["players"], game["revision"], game["cursor"], game["length"]) == (
        "7",
        ["human"],
        0,
        0,
        0,
    )
    assert (game["saved"], game["name"], game["target"]) == (False, None, None)
    assert visitor.get(f"/api/games/{game['id']}").json() == game


@pytest.mark.parametrize("seed", ["0", "-1", "-7", str(2**63), str(2**64 - 1), str(-(2**63)), "00042", str(10**20 - 1)])
def test_any_seed(visitor, seed):
    game = create(visitor, seed=seed)
    assert game["seed"] == str(int(seed) % 2**64)
    assert game["position"]["text"] == make_game("2048").format(played_by_library(seed=int(seed)).start)


def test_without_a_seed_each_game_has_its_own(visitor):
    assert create(visitor)["seed"] != create(visitor)["seed"]


def test_a_game_from_a_position(visitor):
    game = create(visitor, position="2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0", score=40, seed="3")
    assert labels(game["position"])[:4] == ["2", "4", "8", "16"]
    assert game["position"]["score"] == 40
    assert create(visitor, position="2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0", seed="3")["position"]["score"] == 0


def test_a_target_is_won_and_does_not_end_the_game(visitor):
    game = create(visitor, position=NEAR_64, target=64)
    assert not game["position"]["won"]
    moved = move(visitor, game, "left")
    assert moved["game"]["position"]["won"]
    assert moved["step"]["gained"] == 64
    assert not moved["game"]["position"]["over"]
    move(visitor, moved["game"], moved["game"]["position"]["legal"][0])


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({"game": "chess"}, "no game 'chess' here; choose one of 2048, connect4, einstein, othello, tictactoe"),
        ({"game": "tree"}, "no game 'tree'"),
        ({"game": "connect4:rows=99"}, "rows"),
        ({"game": "2048", "position": "2 3 0 0/0 0 0 0/0 0 0 0/0 0 0 0"}, "3"),
        ({"game": "connect4", "position": "9"}, "9"),
        ({"game": "connect4", "score": 5, "position": "4"}, "keeps no score"),
        ({"game": "connect4", "target": 64}, "no target"),
        ({"game": "2048", "target": 100}, "100"),
        ({"game": "2048", "players": ["human", "human"]}, "players of 2048 is 1, not 2"),
        ({"game": "connect4", "players": ["human"]}, "players of connect4 is 2, not 1"),
        ({"game": "2048", "players": ["nobody"]}, "no player 'nobody'"),
        ({"game": "2048", "players": ["ida-star"]}, "no player 'ida-star'"),
        ({"game": "2048", "players": ["human:depth=3"]}, "human has no parameter 'depth'"),
        ({"game": "2048", "players": [""]}, "names nothing"),
        ({"seed": "7.5"}, "seed"),
        ({"seed": 7}, "seed must be text"),
        ({"seed": "9" * 21}, "seed"),
        ({"score": 10**9 + 1}, "score is too large"),
        ({"score": -1}, "score is too small"),
        ({"score": 10**400}, "score"),
        ({"score": True}, "score must be a whole number"),
        ({"target": 1}, "target is too small"),
        ({"players": "human"}, "players must be a list"),
        ({"players": ["human"] * 3}, "players has too many items"),
        ({"players": [7]}, "players.0 must be text"),
        ({"cheat": 1}, "cheat is not a known field"),
        ({"copy": "nothing"}, "no game 'nothing' here"),
    ],
)
def test_a_game_that_cannot_be(visitor, asked, names):
    assert names in complaint(visitor.post("/api/games", json=asked), 404 if "copy" in asked else 422)


# --- Moving -----------------------------------------------------------------------------------------------------------


def test_the_same_moves_meet_the_same_luck_as_on_the_command_line(visitor):
    played = played_by_library()
    game = create(visitor, seed="7")
    states = list(states_of(played))
    ply = 0
    for before, after, action in zip(states[::2], states[2::2], played.actions[::2], strict=False):
        ply += 1
        made = move(visitor, game, played.game.action_name(before, action), ms=12.5)
        step, game = made["step"], made["game"]
        assert game["position"]["text"] == played.game.format(after)
        assert game["position"]["score"] == played.game.outcome(after)["score"]
        assert step["position"] == game["position"]
        assert (step["ply"], step["by"], step["side"], step["ms"]) == (ply, "human", 1, 12.5)
        (luck,) = step["luck"]
        ((start, end),) = ((motion["start"], motion["end"]) for motion in luck["motions"])
        assert start == -1
        assert luck["name"] == f"{labels(game['position'])[end]}@r{end // 4 + 1}c{end % 4 + 1}"
    assert ply == played.moves
    assert game["position"]["over"]
    assert "the game is over" in complaint(
        visitor.post(f"/api/games/{game['id']}/moves", json={"revision": game["revision"], "move": "left"})
    )


def test_the_ways_of_the_tiles(visitor):
    game = create(visitor, position="2 2 4 0/0 0 0 0/0 0 0 0/0 0 0 8")
    step = move(visitor, game, "left")["step"]
    assert step["motions"] == [
        {"start": 0, "end": 0, "merged": True},
        {"start": 1, "end": 0, "merged": True},
        {"start": 2, "end": 1, "merged": False},
        {"start": 15, "end": 12, "merged": False},
    ]
    assert step["gained"] == 4


@pytest.mark.parametrize(
    ("moves", "status", "names"),
    [
        ({"move": "up"}, 422, "'up' is not a legal move; choose one of right, down"),
        ({"move": "2@r1c2"}, 422, "not a legal move"),
        ({"move": "sideways"}, 422, "not a legal move"),
        ({"move": "x" * 101}, 422, "move is too long"),
        ({"move": 3}, 422, "move must be text"),
        ({"move": "left", "ms": -1}, 422, "ms is too small"),
        ({"move": "left", "ms": 1e300}, 422, "ms is too large"),
        ({}, 422, "move is missing"),
        ({"move": "left", "revision": 10**30}, 409, "another window"),
        ({"move": "left", "revision": "0"}, 422, "revision must be a whole number"),
        ({"move": "left", "revision": None}, 422, "revision must be a whole number"),
    ],
)
def test_a_move_that_cannot_be(visitor, moves, status, names):
    game = create(visitor, position="2 4 8 0/0 0 0 0/0 0 0 0/0 0 0 0")
    answer = visitor.post(f"/api/games/{game['id']}/moves", json={"revision": 0} | moves)
    assert names in complaint(answer, status)
    assert visitor.get(f"/api/games/{game['id']}").json() == game, "nothing has changed"


def test_out_of_turn(visitor):
    game = create(visitor, game="connect4", players=["human", "alphabeta:depth=2"])
    game = move(visitor, game, "4")["game"]
    answer = visitor.post(f"/api/games/{game['id']}/moves", json={"revision": 1, "move": "4"})
    assert complaint(answer) == "it is the turn of alphabeta:depth=2"
    with open_line(visitor) as line:
        made = line.run("move", id=game["id"], revision=1, player="alphabeta:depth=2")
    assert (made["step"]["by"], made["step"]["side"]) == ("alphabeta:depth=2", 2)
    assert made["step"]["move"] == made["analysis"]["best"]
    assert made["step"]["nodes"] == made["analysis"]["counters"]["nodes"] > 0
    assert move(visitor, made["game"], "1")["game"]["cursor"] == 3


def test_two_windows_on_one_game(visitor):
    game = create(visitor, seed="1")
    moved = move(visitor, game, "left")["game"]
    for path, asked in [("moves", {"move": "up"}), ("cursor", {"to": 0})]:
        answer = visitor.post(f"/api/games/{game['id']}/{path}", json={"revision": 0} | asked)
        assert "another window" in complaint(answer, 409)
        assert answer.json()["game"] == moved, "how it stands now comes with it"
    answer = visitor.patch(f"/api/games/{game['id']}", json={"revision": 0, "name": "late"})
    assert answer.status_code == 409
    with open_line(visitor) as line:
        line.start("m", "move", id=game["id"], revision=0, player="random")
        failed = line.end_of("m")
    assert (failed["event"], failed["status"], failed["game"]) == ("failed", 409, moved)
    assert visitor.get(f"/api/games/{game['id']}").json() == moved


@pytest.mark.parametrize(
    ("size", "width", "moves"),
    [("connect4", 7, "1212121"), ("connect4:rows=4,columns=5,connect=3", 5, "12121"), ("tictactoe", 3, None)],
)
def test_games_of_two_by_two_persons(visitor, size, width, moves):
    game = create(visitor, game=size)
    assert game["players"] == ["human", "human"]
    assert game["position"]["picture"]["columns"] == width
    for name in moves or []:
        made = move(visitor, game, name)
        game = made["game"]
        (motion,) = made["step"]["motions"]
        assert labels(game["position"])[motion["end"]] == ".XO"[made["step"]["side"]]
    if moves:
        position = game["position"]
        assert (position["winner"], position["over"], position["legal"]) == (1, True, [])
        assert {labels(position)[cell] for cell in position["picture"]["line"]} == {"X"}
        assert game["game"] == size
    else:
        assert game["position"]["winner"] is None


# --- Going back and forth ---------------------------------------------------------------------------------------------


def test_undo_and_redo_without_end(visitor):
    game = create(visitor, seed="5")
    seen = [game["position"]]
    for _ in range(60):
        game = move(visitor, game, game["position"]["legal"][-1])["game"]
        seen.append(game["position"])
    for ply in [*range(59, -1, -1), *range(1, 61), 30, 0, 60, 17]:
        game = go_to(visitor, game, ply)
        assert (game["position"], game["cursor"], game["length"]) == (seen[ply], ply, 60)
    # The same move again meets the same tile, and what had been undone is gone.
    made = move(visitor, game, seen[17]["legal"][-1])
    assert made["game"]["position"] == seen[18]
    assert made["game"]["length"] == 18
    assert "no ply 19: this game has plies 0 to 18" in complaint(
        visitor.post(f"/api/games/{game['id']}/cursor", json={"revision": made["game"]["revision"], "to": 19})
    )


def test_another_move_meets_luck_of_its_own_that_is_the_seeds(visitor):
    """Whoever goes back and plays the same other moves, in this game or in a copy, sees the same tiles."""
    game = play_some(visitor, create(visitor, seed="5"), 10)
    copy = create(visitor, copy=game["id"], ply=4)
    game = play_some(visitor, go_to(visitor, game, 4), 5)
    copy = play_some(visitor, copy, 5)
    assert copy["position"] == game["position"]
    assert copy["id"] != game["id"]


def test_playing_on_from_any_ply_leaves_the_game_as_it_is(visitor):
    game = play_some(visitor, create(visitor, seed="5"), 10)
    copy = create(visitor, copy=game["id"], ply=3, players=["greedy"])
    assert (copy["length"], copy["cursor"], copy["players"], copy["saved"]) == (3, 3, ["greedy"], False)
    assert visitor.get(f"/api/games/{game['id']}").json() == game
    assert create(visitor, copy=game["id"])["length"] == 10
    assert "no ply 11" in complaint(visitor.post("/api/games", json={"copy": game["id"], "ply": 11}))


# --- Keeping ----------------------------------------------------------------------------------------------------------


def test_save_list_rename_delete(visitor):
    game = play_some(visitor, create(visitor, seed="5"), 6)
    answer = visitor.post(f"/api/games/{game['id']}/save", json={"name": "  mi partida  ", "ply": 4})
    assert answer.status_code == 201
    kept = answer.json()
    assert (kept["name"], kept["saved"], kept["length"], kept["cursor"]) == ("mi partida", True, 4, 4)
    dated = visitor.post(f"/api/games/{game['id']}/save", json={}).json()
    assert dated["length"] == 6
    assert dated["name"][:2] == "20"
    listed = visitor.get("/api/games?saved=true").json()
    assert [entry["id"] for entry in listed] == [dated["id"], kept["id"]], "newest first"
    assert listed[1] | {"updated": ""} == {
        "id": kept["id"], "name": "mi partida", "saved": True, "game": "2048", "players": ["human"], "moves": 4,
        "text": kept["position"]["text"], "over": False, "score": kept["position"]["score"],
        "max_tile": kept["position"]["max_tile"], "winner": None, "updated": "",
    }  # fmt: skip
    assert [entry["id"] for entry in visitor.get("/api/games?saved=false").json()] == [game["id"]]
    renamed = visitor.patch(f"/api/games/{kept['id']}", json={"revision": 0, "name": "otra"}).json()
    assert (renamed["name"], renamed["revision"], renamed["saved"]) == ("otra", 1, True)
    assert visitor.delete(f"/api/games/{kept['id']}").status_code == 204
    assert [entry["id"] for entry in visitor.get("/api/games?saved=true").json()] == [dated["id"]]
    for answer in (visitor.get(f"/api/games/{kept['id']}"), visitor.delete(f"/api/games/{kept['id']}")):
        assert "no game" in complaint(answer, 404)


def test_players_and_target_can_change(visitor):
    game = create(visitor, game="connect4")
    changed = visitor.patch(f"/api/games/{game['id']}", json={"revision": 0, "players": ["greedy", "human"]}).json()
    assert changed["players"] == ["greedy", "human"]
    for asked in ({"players": ["human"]}, {"players": ["human", "nobody"]}, {"target": 64}, {"name": "x" * 101}):
        complaint(visitor.patch(f"/api/games/{game['id']}", json={"revision": 1} | asked))
    assert visitor.get(f"/api/games/{game['id']}").json() == changed


def test_unnamed_games_make_room_and_saved_ones_stay(visitor):
    first = create(visitor)
    kept = visitor.post(f"/api/games/{first['id']}/save", json={}).json()
    for _ in range(20):
        last = create(visitor)
    assert visitor.get(f"/api/games/{first['id']}").status_code == 404
    assert len(visitor.get("/api/games").json()) == 20
    assert visitor.get(f"/api/games/{kept['id']}").status_code == 200
    assert visitor.get(f"/api/games/{last['id']}").status_code == 200


def test_another_browser_sees_nothing_of_it(site, visitor):
    game = play_some(visitor, create(visitor), 2)
    other = site.browser()
    path = f"/api/games/{game['id']}"
    answers = [
        other.get(path), other.delete(path), other.get(f"{path}/steps"), other.get(f"{path}/chart"),
        other.get(f"{path}/file"), other.patch(path, json={"revision": 2, "name": "mine"}),
        other.post(f"{path}/moves", json={"revision": 2, "move": "left"}),
        other.post(f"{path}/cursor", json={"revision": 2, "to": 0}), other.post(f"{path}/save", json={}),
        other.post("/api/games", json={"copy": game["id"]}),
    ]  # fmt: skip
    for answer in answers:
        assert "no game" in complaint(answer, 404)
    with open_line(other) as line:
        assert "no game" in line.failure("move", 404, id=game["id"], revision=2, player="random")
    assert other.get("/api/games").json() == []
    assert visitor.get(path).json() == game


# --- Files ------------------------------------------------------------------------------------------------------------


def test_download_is_a_saved_game_and_upload_takes_it_back(visitor, tmp_path):
    game = play_some(visitor, create(visitor, seed="-3", target=2048), 12)
    game = go_to(visitor, game, 5)  # what was undone is in the file too
    answer = visitor.get(f"/api/games/{game['id']}/file")
    assert answer.headers["content-disposition"] == f"attachment; filename*=UTF-8''2048-{2**64 - 3}.json"
    (tmp_path / "game.json").write_bytes(answer.content)
    played = load_game(tmp_path / "game.json")
    assert (played.moves, played.players, played.target, played.seed) == (12, ["human"], 2048, 2**64 - 3)
    times = visitor.get(f"/api/games/{game['id']}/statistics", params={"language": "es"})
    assert times.headers["content-disposition"] == f'attachment; filename="2048-{2**64 - 3}.txt"'
    lines = times.text.splitlines()
    assert [line.split()[0] for line in lines[-5:]] == ["total_ms", "jugadas", "media_ms", "puntos", "¿ganada?"]
    assert [line.split()[:2] for line in lines[:-5]] == [["turno", str(n)] for n in range(1, len(lines) - 4)]
    back = visitor.post("/api/games/file?name=vuelta", content=answer.content)
    assert back.status_code == 201
    taken = back.json()
    assert (taken["name"], taken["saved"], taken["length"], taken["target"]) == ("vuelta", True, 12, 2048)
    steps = [visitor.get(f"/api/games/{each['id']}/steps").json() for each in (game, taken)]
    assert steps[0]["steps"] == steps[1]["steps"]
    # And it goes on with the luck of the original.
    assert play_some(visitor, taken, 3)["position"] == play_some(visitor, go_to(visitor, game, 12), 3)["position"]


@pytest.mark.parametrize("name", ["2048", "connect4", "connect4:rows=4,columns=5,connect=3", "tictactoe"])
def test_a_game_of_the_command_line_is_taken_in(visitor, tmp_path, name):
    played = played_by_library(game=name)
    save_game(played, tmp_path / "game.json")
    game = visitor.post("/api/games/file", content=(tmp_path / "game.json").read_bytes()).json()
    assert (game["game"], game["length"], game["seed"]) == (played.game.spec, played.moves, "7")
    assert game["position"]["text"] == played.game.format(played.state)
    assert game["name"], "a date, where no name was given"
    assert game["position"]["over"]


def test_a_game_that_ended_at_its_target_can_be_played_on(visitor):
    """Its file ends with a move and no tile; in the app somebody is to move."""
    played = played_by_library(seed=4, target=64)
    assert played.ended == "target"
    game = visitor.post("/api/games/file", content=game_as_text(played)).json()
    assert (game["length"], game["target"], game["position"]["won"]) == (played.moves, 64, True)
    assert set(game["position"]["legal"]) <= {"up", "right", "down", "left"}
    game = visitor.patch(f"/api/games/{game['id']}", json={"revision": 0, "players": ["human"]}).json()
    game = play_some(visitor, game, 3)
    again = visitor.post("/api/games/file", content=visitor.get(f"/api/games/{game['id']}/file").content)
    assert again.json()["position"] == game["position"] | {"won": False}, "64 is a target no more"


def _changed(**changes):
    return json.dumps(json.loads(game_as_text(played_by_library())) | changes)


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("", "not a whole saved game"),
        ("{", "not a whole saved game"),
        ("[]", "not a saved game of Contienda"),
        ('{"format": "chess game"}', "not a saved game of Contienda"),
        (b"\xff\xfe\x00", "not text"),
        (b"\x89PNG\r\n\x1a\n", "not text"),
        ("[" * 100_000, "file"),
        ('{"format": ' + "9" * 10_000 + "}", "file"),
        (lambda: _changed(version=2), "version"),
        (lambda: _changed(moves=["left 2@r1c1"], ms=[0]), "moves lead to"),
        (lambda: _changed(moves=["left 2@r1c9"]), "move 1"),
        (lambda: _changed(players=["random", "random"]), "players"),
        (lambda: _changed(players=["\ud800"]), "players"),
        (lambda: _changed(seed="7"), "seed"),
        (lambda: _changed(score=10**30), "score"),
        (lambda: _changed(score=-4), "score"),
        (lambda: _changed(target=63), "63"),
        (lambda: _changed(target=10**30), "1000000"),
        (lambda: _changed(start="0 0 0 0/0 0 0 0/0 0 0 0/0 0 0 3"), "3"),
        (lambda: _changed(game="nim"), "nim"),
        (lambda: _changed(ms=[1e300]), "ms"),
        (lambda: _changed(result={}), "moves lead to"),
        (lambda: game_as_text(played_by_library())[:-300], "not a whole saved game"),
    ],
)
def test_files_that_are_no_game(visitor, content, names):
    content = content() if callable(content) else content
    assert names in complaint(visitor.post("/api/games/file?name=file", content=content))
    assert visitor.get("/api/games?saved=true").json() == []


def test_a_drawn_tree_is_no_game_to_play(visitor, tmp_path):
    tree = make_game("tree", "max[min[3 12 8] min[2 4 6]]")
    played = Match(tree, [make_player("random", tree)] * 2).play(1)
    assert "'tree" in complaint(visitor.post("/api/games/file", content=game_as_text(played)))


# --- Positions --------------------------------------------------------------------------------------------------------


def test_a_position_edited(visitor):
    answer = visitor.post(
        "/api/position", json={"game": "2048", "position": "131072 0 0 0/0 0 0 0/0 0 0 0/0 0 0 2", "score": 9}
    )
    position = answer.json()
    assert (position["max_tile"], position["score"], position["won"]) == (131072, 9, True)
    position = visitor.post("/api/position", json={"game": "connect4", "position": "4453"}).json()
    assert (position["turn"], labels(position)[5 * 7 + 3]) == (1, "X")
    over = visitor.post("/api/position", json={"game": "2048", "position": "2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2"}).json()
    assert (over["over"], over["legal"], over["winner"]) == (True, [], None)


@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("2048", ""),
        ("2048", "2 2/2 2"),
        ("2048", "5 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0"),
        ("2048", "262144 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0"),
        ("2048", "-2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0"),
        ("2048", "9" * 1990),
        ("2048", "x" * 2001),
        ("2048", "²2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0"),
        ("connect4", "8"),
        ("connect4", "1111111"),
        ("connect4", "12121212"),
        ("connect4", "hello"),
        ("tictactoe", "11"),
    ],
)
def test_positions_that_cannot_be(visitor, game, position):
    complaint(visitor.post("/api/position", json={"game": game, "position": position}))
