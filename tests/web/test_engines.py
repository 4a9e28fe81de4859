"""Other programs in the app: only those that the command line opened, and only where nobody else reaches the server."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from website import complaint, open_line, open_site, wait_until

from contienda.core.language import BadInput

TOY = Path(__file__).parents[1] / "toys" / "engine.py"


def spec(folder, mode: str) -> str:
    return f"engine:cmd={sys.executable} -I -S {TOY} {folder / 'pids'} {mode},timeout=20"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("engines")
    engines = (spec(folder, "plays"), spec(folder, "dies"))
    with open_site(tmp_path_factory.mktemp("data"), players=engines) as site:
        yield site


def ask(site, player: str):
    return site.browser().post("/api/hint", json={"game": "tictactoe", "position": "X.O/.X./...", "player": player})


def test_an_opened_engine_is_in_the_catalogue_and_answers(site):
    visitor = site.browser()
    listed = {each["name"]: each for each in visitor.get("/api/catalogue").json()["players"]}
    assert "plays" in listed["engine-1"]["about"]["en"]
    assert "cmd" not in str(listed["engine-1"]["parameters"])
    assert "engine" not in listed
    answer = ask(site, "engine-1:ms=200")
    assert answer.status_code == 200, answer.text
    assert answer.json()["best"] == "2"
    with open_line(visitor) as line:
        batch = line.run("batch", game="tictactoe", players=["engine-1", "random"], games=2, seed="1")
    assert batch["done"] == 2


def test_one_that_dies_is_told_in_one_line(site):
    assert "it ended with code 7" in complaint(ask(site, "engine-2"))


def test_one_that_dies_in_a_game_loses_it_by_rule(site):
    """The game says so wherever it is shown: on the board, in the list, in its replay, in its file and from there."""
    visitor = site.browser()
    game = visitor.post("/api/games", json={"game": "tictactoe", "players": ["human", "engine-2"]}).json()
    made = visitor.post(f"/api/games/{game['id']}/moves", json={"revision": 0, "move": "5"}).json()["game"]
    with open_line(visitor) as line:
        helped = line.failure("move", id=game["id"], revision=made["revision"], player="engine-2:ms=9")
        assert "it ended with code 7" in helped  # another than the player of the game: nothing happens to it
        answer = line.run("move", id=game["id"], revision=made["revision"], player="engine-2")
    lost, place = answer["game"], f"/api/games/{game['id']}"
    assert (answer["step"], lost["position"]["over"], lost["position"]["legal"]) == (None, True, [])
    assert (lost["position"]["winner"], lost["position"]["forfeit"]["side"]) == (1, 2)
    assert lost["position"]["forfeit"]["reason"]["es"] == "ha terminado con el código 7"
    refused = complaint(visitor.post(f"{place}/moves", json={"revision": lost["revision"], "move": "1"}))
    assert "it is the turn of engine-2" in refused
    assert visitor.get(f"{place}/steps").json()["steps"][-1]["position"]["forfeit"] == lost["position"]["forfeit"]
    assert visitor.get("/api/games").json()[0]["winner"] == 1
    text = visitor.get(f"{place}/file").text
    kept = json.loads(text)
    assert (kept["ended"], kept["fault"]["player"], kept["result"]["winner"]) == ("forfeit", 2, 1)
    again = visitor.post("/api/games/file", content=text).json()
    assert again["position"]["forfeit"] == lost["position"]["forfeit"]
    copied = visitor.post("/api/games", json={"copy": game["id"], "ply": 1}).json()
    assert copied["position"]["forfeit"] == lost["position"]["forfeit"]
    back = visitor.post(f"{place}/cursor", json={"revision": lost["revision"], "to": 0}).json()
    assert (back["position"]["forfeit"], back["position"]["over"]) == (None, False)
    there = visitor.post(f"{place}/cursor", json={"revision": back["revision"], "to": 1}).json()
    assert there["position"]["over"]
    other = visitor.patch(place, json={"revision": there["revision"], "players": ["human", "engine-1"]}).json()
    assert (other["position"]["forfeit"], other["position"]["over"]) == (None, False)


def test_engines_play_in_the_lab_under_their_names(site):
    """A game lost by rule counts as lost, and the page says why."""
    visitor = site.browser()
    plan = (
        'name = "e"\ngame = "tictactoe"\ngames = 2\nplayers = ["engine-1", "engine-2:ms=300"]\nopponents = ["random"]\n'
    )
    begun = visitor.post("/api/lab/runs", json={"plan": plan})
    assert begun.status_code == 201, begun.text
    place = f"/api/lab/runs/{begun.json()['id']}"
    wait_until(lambda: visitor.get(place).json()["status"] != "running")
    run = visitor.get(place).json()
    assert [each["name"] for each in run["players"]] == ["engine-1 – random", "engine-2:ms=300 – random"]
    assert "cmd=" not in str(run)
    assert (run["status"], run["players"][1]["wins"]["value"]) == ("done", 0)
    assert run["error"]["en"] == "ended by forfeit: 2 games, first seed 1: it ended with code 7"
    assert "cmd=" not in visitor.get(f"{place}/comparison").text


@pytest.mark.parametrize("player", ["engine:cmd=true", "engine", "engine-1:cmd=true", "engine-9"])
def test_no_request_names_a_program(site, player):
    told = complaint(ask(site, player))
    assert "no player" in told or "no parameter 'cmd'" in told
    plan = f'game = "tictactoe"\ngames = 1\nplayers = ["{player}"]\nopponents = ["random"]\n'
    assert site.browser().post("/api/lab/runs", json={"plan": plan}).status_code == 422
    assert site.browser().post("/api/open", json={"player": player}).status_code == 422


def test_a_server_that_others_reach_opens_none(tmp_path):
    with (
        pytest.raises(BadInput, match="not open to the network"),
        open_site(tmp_path, "0.0.0.0", players=("engine:cmd=true",)),
    ):
        pass
