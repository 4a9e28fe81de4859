"""Games and players of one's own in the app: opened where only this machine's user can reach the server."""

from __future__ import annotations

import json
import os
import shutil
import socket
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest
from browser.server import Server
from drive import contienda
from website import complaint, open_line, open_site, wait_until

from contienda.lab.plan_file import plan_from_toml
from contienda.lab.results import Results
from contienda.web.settings import Settings

TOYS = Path(__file__).parents[1] / "toys"
GAMES = {
    "nim.py:Nim": "alphabeta:depth=3",
    "three.py:Three": "mcts:sims=20",
    "pig.py:Pig": "expectimax:depth=3",
    "race.py:Race": "expectiminimax:depth=3",
}


@pytest.fixture(scope="module")
def site(toy_site):
    return toy_site[1]


@pytest.fixture(scope="module")
def folder(toy_site):
    return toy_site[0]


@pytest.fixture(scope="module")
def toy_site(tmp_path_factory):
    """A folder with the toys, and a server in which they are opened."""
    folder = tmp_path_factory.mktemp("toys")
    for file in TOYS.glob("*.py"):
        shutil.copy(file, folder)
    places = tuple(f"{folder}/{place}" for place in GAMES)
    with open_site(tmp_path_factory.mktemp("data"), opened=places) as site:
        yield folder, site


def create(visitor, **asked):
    answer = visitor.post("/api/games", json=asked)
    assert answer.status_code == 201, answer.text
    return answer.json()


def move(visitor, game, name):
    answer = visitor.post(f"/api/games/{game['id']}/moves", json={"revision": game["revision"], "move": name})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_link_may_name_an_opened_game_as_the_command_line_does(site, folder):
    """`contienda exercise new ./nim.py:Nim` writes such a link."""
    place = os.path.relpath(folder / "nim.py") + ":Nim"
    visitor = site.browser()
    assert create(visitor, game=f"{place}:heaps=2")["game"] == f"{folder}/nim.py:Nim:heaps=2"
    asked = {"game": place, "position": "(1, 2)", "player": "minimax:depth=2"}
    assert visitor.post("/api/hint", json=asked).json()["best"]
    missing = visitor.post("/api/hint", json=asked | {"game": "~nobody/nim.py:Nim"})
    assert "no game '~nobody/nim.py:Nim' here" in complaint(missing)


def test_the_app_knows_which_options_a_game_refuses(site, folder):
    catalogue = site.browser().get("/api/catalogue").json()
    depths = {name: game["usual_depth"] for name, game in catalogue["games"].items()}
    assert (depths["connect4"], depths["tictactoe"], depths[f"{folder}/nim.py:Nim"]) == (5, 9, 4)
    listed = catalogue["players"]
    refused = next(each for each in listed if each["name"] == "alphabeta")["refused"]
    assert {"opponent", "table", "reuse"} <= set(refused[f"{folder}/nim.py:Nim"])
    assert refused["tictactoe"] == ["opponent"]
    assert "2048" not in refused


@pytest.mark.parametrize("place", GAMES)
def test_an_opened_game_is_in_the_catalogue_and_is_played(site, folder, place):
    visitor, spec = site.browser(), f"{folder}/{place}"
    listed = visitor.get("/api/catalogue").json()
    about = listed["games"][spec]
    assert about["title"]["en"] == place.partition(":")[2]
    assert spec in next(each for each in listed["players"] if each["name"] == "expectiminimax")["games"]

    game = create(visitor, game=spec, seed="5")
    begun = game["position"]["text"]
    for _ in range(200):
        if game["position"]["over"]:
            break
        game = move(visitor, game, game["position"]["legal"][0])["game"]
    assert game["position"]["over"]
    assert visitor.get(f"/api/games/{game['id']}").json()["position"] == game["position"]
    steps = visitor.get(f"/api/games/{game['id']}/steps").json()
    assert steps["start"]["text"] == begun
    assert len(steps["steps"]) == game["length"]

    # It is kept in a file, and comes back from it.
    text = visitor.get(f"/api/games/{game['id']}/file").text
    assert json.loads(text)["game"] == spec
    again = visitor.post("/api/games/file", content=text, headers={"content-type": "application/json"})
    assert again.status_code == 201, again.text
    assert again.json()["position"] == game["position"]
    assert game["id"] in [each["id"] for each in visitor.get("/api/games").json()]


@pytest.mark.parametrize("place", GAMES)
def test_hints_traces_and_batches(site, folder, place):
    visitor, spec, player = site.browser(), f"{folder}/{place}", GAMES[place]
    position = create(visitor, game=spec, seed="5")["position"]
    asked = {"game": spec, "position": position["text"], "player": player}
    hint = visitor.post("/api/hint", json=asked)
    assert hint.status_code == 200, hint.text
    assert {each["move"] for each in hint.json()["moves"]} == set(position["legal"])
    with open_line(visitor) as line:
        trace = line.run("trace", **asked)
        trace = json.loads(trace) if isinstance(trace, str) else trace
        assert len(trace["nodes"]) > 3
        sides = 1 if "pig" in place else 2
        batch = line.run("batch", game=spec, players=["random"] * sides, games=3, seed="1")
        assert batch["done"] == 3


def test_a_game_with_a_board_has_its_picture_and_its_clicks(site, folder):
    position = create(site.browser(), game=f"{folder}/three.py:Three")["position"]
    assert (position["picture"]["rows"], position["picture"]["columns"]) == (3, 3)
    assert [gesture["at"] for gesture in position["gestures"]] == list(range(9))
    buttons = create(site.browser(), game=f"{folder}/nim.py:Nim:heaps=2")["position"]["gestures"]
    assert [button["label"]["en"] for button in buttons] == ["1-1", "2-1", "2-2", "2-3"]


def test_the_laboratory_of_the_app_plays_it(site, folder):
    visitor = site.browser()
    plan = f'name = "toys"\ngame = "{folder}/nim.py:Nim"\nplayers = ["greedy"]\nopponents = ["random"]\ngames = 3\n'
    run = visitor.post("/api/lab/runs", json={"plan": plan})
    assert run.status_code == 201, run.text
    run_id = run.json()["id"]
    wait_until(lambda: visitor.get(f"/api/lab/runs/{run_id}").json()["status"] == "done")


def test_moves_with_long_names_and_positions_with_long_texts(site, folder, tmp_path):
    text = (
        (folder / "nim.py").read_text(encoding="utf-8")
        + """
    def name(self, heaps, move):
        return "take " + "very " * 13 + "carefully from heap {} {}".format(*move)

    def write(self, heaps):
        return repr(heaps) + " " * 5000

    def read(self, text):
        return tuple(map(int, text.split(")")[0].strip("( ").split(",")))
"""
    )
    (tmp_path / "long.py").write_text(text, encoding="utf-8")
    visitor, place = site.browser(), f"{tmp_path}/long.py:Nim"
    assert visitor.post("/api/open", json={"game": place}).status_code == 201
    game = create(visitor, game=place)
    name = game["position"]["legal"][0]
    assert len(name) > 90
    asked = {"game": place, "position": game["position"]["text"], "player": "minimax:depth=2", "why": name}
    assert visitor.post("/api/hint", json=asked).status_code == 200
    move(visitor, game, name)


def test_open_a_game_file_and_a_player(site, folder, tmp_path):
    visitor = site.browser()
    shutil.copy(folder / "nim.py", tmp_path / "own.py")
    shutil.copy(folder / "players.py", tmp_path / "mine.py")
    place = f"{tmp_path}/own.py:Nim"
    assert "here; choose one of" in complaint(visitor.post("/api/games", json={"game": place}))
    assert visitor.get("/api/catalogue").json()["open"] is True
    answer = visitor.post("/api/open", json={"game": place, "player": f"{tmp_path}/mine.py:last"})
    assert answer.status_code == 201, answer.text
    name, player = answer.json()["game"], answer.json()["player"]
    listed = visitor.get("/api/catalogue").json()
    assert name in listed["games"]
    assert player in [each["name"] for each in listed["players"]]
    game = create(visitor, game=name, players=["human", player])
    hint = visitor.post("/api/hint", json={"game": name, "position": game["position"]["text"], "player": player})
    assert hint.json()["best"] == game["position"]["legal"][-1]
    # An edit counts at once, and what is wrong with it is told with its line.
    text = (tmp_path / "own.py").read_text(encoding="utf-8")
    (tmp_path / "own.py").write_text(text.replace("heap, take = move", "heap, take = move + 0"), encoding="utf-8")
    said = complaint(visitor.post(f"/api/games/{game['id']}/moves", json={"revision": game["revision"], "move": "1-1"}))
    assert "own.py:19: `heap, take = move + 0` fails: TypeError" in said
    # A file that is gone hides no other game.
    other = create(visitor, game="tictactoe")
    (tmp_path / "own.py").unlink()
    assert [each["id"] for each in visitor.get("/api/games").json()] == [other["id"]]
    assert name not in visitor.get("/api/catalogue").json()["games"]


#: A game of Othello whose next player can only pass.
NO_MOVE = "c4c3c2f4f6d6d7g7f3b2a2a1e6b4b3c1d1c5b1f5a3b5g4f2c6h4a6d3g2e2e3e7h8g6f1a5f7a4g5h5b6g3h2h3h6c8c7f8e8h7d2g8"


@pytest.mark.parametrize(
    ("game", "position", "moves"),
    [("tictactoe", None, 5), ("einstein", None, 8), ("othello", NO_MOVE, 5), ("{folder}/twice.py:Twice", None, 7)],
)
@pytest.mark.parametrize("person", [1, 2])
def test_undo_leads_to_a_persons_turn(site, folder, game, position, moves, person):
    """Also after a die, after a pass, and where a side moves twice."""
    visitor, game = site.browser(), game.format(folder=folder)
    if is_own := ".py:" in game:
        assert visitor.post("/api/open", json={"game": game}).status_code == 201
    players = ["human", "random"] if person == 1 else ["random", "human"]
    now = create(visitor, game=game, position=position, players=players, seed="3")
    turns = [now["position"]["turn"]]
    with open_line(visitor) as line:
        while now["cursor"] < moves and not now["position"]["over"]:
            mine = turns[-1] == person
            asked = {"id": now["id"], "revision": now["revision"], "player": "random"}
            made = move(visitor, now, now["position"]["legal"][0]) if mine else line.run("move", **asked)
            now = made["game"]
            turns.append(now["position"]["turn"])
            assert (now["undo"], now["redo"]) == (last_of(person, turns, now["cursor"]), None)
    assert not is_own or turns[:5] == [1, 1, 2, 2, 1]
    while now["undo"] is not None:
        now = go_to(visitor, now, now["undo"])
        assert now["position"]["turn"] == person
        assert now["undo"] == last_of(person, turns, now["cursor"])
    assert person not in turns[: now["cursor"]]
    while now["redo"] is not None:
        after = now["cursor"]
        now = go_to(visitor, now, now["redo"])
        assert person not in turns[after + 1 : now["cursor"]]
        assert now["position"]["turn"] == person or now["cursor"] == now["length"]
    assert now["cursor"] == len(turns) - 1


def last_of(person, turns, cursor):
    return max((ply for ply in range(cursor) if turns[ply] == person), default=None)


def go_to(visitor, game, ply):
    answer = visitor.post(f"/api/games/{game['id']}/cursor", json={"revision": game["revision"], "to": ply})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("players", [["human", "human"], ["random", "random"]])
def test_undo_goes_back_by_one_move_where_people_or_machines_play_alone(site, players):
    visitor = site.browser()
    game = create(visitor, game="tictactoe", players=players)
    assert (game["undo"], game["redo"]) == (None, None)
    with open_line(visitor) as line:
        for _ in range(3):
            game = line.run("move", id=game["id"], revision=game["revision"], player="random")["game"]
    assert (game["undo"], game["redo"]) == (2, None)
    game = go_to(visitor, game, 1)
    assert (game["undo"], game["redo"]) == (0, 2)


def test_a_game_whose_first_position_fails_is_not_opened(site, folder):
    (folder / "unready.py").write_text((TOYS / "nim.py").read_text().replace("range(1, left + 1)]", "nowhere]"))
    visitor, place = site.browser(), f"{folder}/unready.py:Nim"
    assert "fails: NameError: name 'nowhere' is not defined" in complaint(
        visitor.post("/api/open", json={"game": place})
    )
    assert place not in visitor.get("/api/catalogue").json()["games"]
    shutil.copy(TOYS / "nim.py", folder / "unready.py")  # mended
    assert visitor.post("/api/open", json={"game": place}).json()["game"] == place


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"game": "nim.py"}, "write FILE.py:NAME"),
        ({"game": "/nowhere/nim.py:Nim"}, "there is no file /nowhere/nim.py"),
        ({"game": "a\0b.py:Nim"}, "there is no file"),
        ({"player": "json.encoder:JSONEncoder"}, "has no player"),
        ({"game": "json.decoder:JSONDecoder"}, "json.decoder has no game class 'JSONDecoder'"),
    ],
)
def test_what_cannot_be_opened_is_refused(site, asked, said):
    assert said in complaint(site.browser().post("/api/open", json=asked))


def test_a_compiled_game_that_fails_in_its_own_methods_is_told_with_its_line(site, folder):
    """Rules that compile, and a method that raises: a sentence on every route, no 500."""
    source = (folder / "race.py").read_text()
    head, _, rest = source.partition("    def format(self, state):\n")
    (folder / "broken.py").write_text(
        f"{head}    def format(self, state):\n        return [][state.turn]\n\n    def was(self, state):\n{rest}"
    )
    visitor = site.browser()
    answer = visitor.post("/api/open", json={"game": f"{folder}/broken.py:Race"})
    answer = visitor.post("/api/games", json={"game": f"{folder}/broken.py:Race"}) if answer.is_success else answer
    assert answer.status_code == 422
    assert "`return [][state.turn]` fails: IndexError" in answer.json()["error"]["en"]
    assert "othello" in visitor.get("/api/catalogue").json()["games"]  # the app goes on


def test_a_server_that_others_reach_opens_nothing_and_runs_no_file(tmp_path, monkeypatch):
    """Neither by opening it, nor by a game, a player, a trace, a batch, a plan or a saved game that names it."""
    trap = tmp_path / "trap.py"
    sprung = tmp_path / "sprung"
    text = (TOYS / "nim.py").read_text(encoding="utf-8")
    trap.write_text(f"open({str(sprung)!r}, 'w').close()\n{text}", encoding="utf-8")
    place = f"{trap}:Nim"
    saved = {
        "format": "contienda game", "version": 1, "game": place, "players": ["human", "human"], "seed": 1,
        "target": None, "saved": "", "start": "(1, 3, 5)", "score": 0, "ended": "stopped",
        "result": {"winner": 0, "moves": 0}, "ms": [], "moves": [],
    }  # fmt: skip
    with open_site(tmp_path / "data", host="0.0.0.0") as site:
        visitor = site.browser()
        assert visitor.get("/api/catalogue").json()["open"] is False
        assert "not open to the network" in complaint(visitor.post("/api/open", json={"game": place}), 403)
        complaint(visitor.post("/api/games", json={"game": place}))
        complaint(visitor.post("/api/games", json={"game": "tictactoe", "players": ["human", place]}))
        complaint(visitor.post("/api/position", json={"game": place, "position": "(1, 3, 5)"}))
        complaint(visitor.post("/api/hint", json={"game": place, "position": "(1, 3, 5)", "player": "random"}))
        complaint(visitor.post("/api/hint", json={"game": "tictactoe", "position": ".../.../...", "player": place}))
        complaint(visitor.post("/api/games/file", json=saved))
        complaint(
            visitor.post(
                "/api/lab/plan", json={"plan": f'name = "x"\ngame = "{place}"\nplayers = ["random"]\ngames = 1'}
            )
        )
        with open_line(visitor) as line:
            line.failure("trace", game=place, position="(1, 3, 5)", player="minimax")
            line.failure("batch", game=place, players=["random", "random"], games=1)
    assert not sprung.exists()


@pytest.mark.parametrize(
    ("game", "player"), [("tictactoe", "engine:cmd=/bin/true"), (f"{TOYS}/nim.py:Nim", "random")], ids=str
)
def test_a_server_that_others_reach_resumes_no_experiment_with_files_or_programs(tmp_path, game, player):
    """Planned on a server for this machine alone, which allows them."""
    with open_site(tmp_path, host="0.0.0.0") as site:
        visitor = site.browser()
        run = visitor.post(
            "/api/lab/runs", json={"plan": 'name = "x"\ngame = "2048"\nplayers = ["random"]\ngames = 1'}
        ).json()
        (file,) = tmp_path.glob(f"lab/*/{run['id']}.sqlite")
        wait_until(lambda: visitor.get(f"/api/lab/runs/{run['id']}").json()["status"] != "running")
        file.unlink()
        Results(
            file,
            plan_from_toml(
                f'name = "x"\ngame = "{game}"\nplayers = ["{player}"]\nopponents = ["random"]\ngames = 1', "x"
            ),
        ).close()
        refused = visitor.post(f"/api/lab/runs/{run['id']}/start")
        assert "not open to the network" in complaint(refused, 403)


def test_a_real_server_compiles_an_own_game_in_another_process(tmp_path):
    """What users start: rules and searches of an own game are compiled apart, in the lane of users' own code."""
    places = [f"{TOYS}/race.py:Race", f"{TOYS}/nim.py:Nim"]
    options = [option for place in places for option in ("--game", place)]
    server = Server(tmp_path, *options, "--player", f"{TOYS}/players.py:last")
    try:
        with httpx2.Client(base_url=server.url, timeout=120) as visitor:
            visitor.get("/")
            for place in places:
                game = create(visitor, game=place, seed="3")
                position = game["position"]["text"]
                for player in ("mcts:sims=9", f"{TOYS}/players.py:last"):
                    asked = {"game": place, "position": position, "player": player}
                    hint = visitor.post("/api/hint", json=asked)
                    assert hint.status_code == 200, hint.text
                    assert hint.json()["best"] in game["position"]["legal"]
                move(visitor, game, game["position"]["legal"][0])
    finally:
        server.kill()


def test_a_server_for_the_network_refuses_to_open_a_game_in_one_line_though_its_port_is_taken(tmp_path):
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):  # somebody else has it: as good
            other.bind(("0.0.0.0", Settings.port))
            other.listen()
        place = f"{TOYS}/nim.py:Nim"
        told = contienda("web", "--no-browser", "--host", "0.0.0.0", "--data", tmp_path, "--game", place)
    assert "only when the server is not open to the network" in told.complaint
