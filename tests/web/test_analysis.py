"""What the machine does for a browser: hints, moves, charts, paths, batches, and the socket on which they run."""

from __future__ import annotations

import asyncio
import json
from functools import cache

import pytest
from drive import contienda
from website import check_failure, complaint, open_line, open_site, searching, wait_until

from contienda.games import make_game
from contienda.match import Match, play_games
from contienda.players import make_player
from contienda.record import game_as_text, load_game, result_of
from contienda.web.work.queue import FairQueue

BOARD = "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"
ENDLESS = {"game": "2048", "position": BOARD, "player": "expectimax:depth=100"}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with open_site(tmp_path_factory.mktemp("data"), searches=4, batch_games=100, ms=120_000) as site:
        yield site


@pytest.fixture
def visitor(site):
    return site.browser()


@pytest.fixture
def line(visitor):
    with open_line(visitor) as line:
        yield line


@cache
def match_at_random(game):
    board = make_game(game)
    return Match(board, [make_player("random", board)] * (1 if game == "2048" else 2))


def upload(visitor, played_game="2048", seed=7):
    played = match_at_random(played_game).play(seed)
    return visitor.post("/api/games/file", content=game_as_text(played)).json(), played


# --- Hints ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "position", "player"),
    [
        ("2048", BOARD, "expectimax:depth=3"),
        ("connect4", "4453", "alphabeta:depth=2"),
        ("2048", BOARD, "greedy"),
        ("2048", BOARD, "random"),
    ],
)
def test_a_hint_is_that_of_the_command_line(visitor, line, game, position, player):
    told = contienda("hint", game, position, "--player", player, "--json").json
    asked = {"game": game, "position": position, "player": player}
    for found in (visitor.post("/api/hint", json=asked).json(), line.run("hint", **asked)):
        assert found["player"] == player
        assert [{k: v for k, v in m.items() if v is not None} for m in found["moves"]] == [
            {k: v for k, v in m.items() if v is not None} for m in told["moves"]
        ]
        assert (found["best"], found["pv"]) == (told["best"], told["pv"])
        clockless = {"nodes", "evaluations", "cutoffs", "hits", "depth"}
        assert {k: found["counters"][k] for k in clockless} == {k: told["counters"][k] for k in clockless}


def test_the_second_hint_takes_one_turn_and_no_other_thread(visitor, line, monkeypatch):
    """Handing a task to a thread takes as long as a short search: only the search itself goes there."""
    asked = {"game": "2048", "position": BOARD, "player": "expectimax:depth=2"}
    first = line.run("hint", **asked)
    begun = []
    begin = FairQueue._begin
    monkeypatch.setattr(FairQueue, "_begin", lambda queue, task: (begun.append(task), begin(queue, task)))
    monkeypatch.setattr("contienda.web.searches.analyst.run_in_threadpool", None)
    assert line.run("hint", **asked)["moves"] == first["moves"]
    assert len(begun) == 1


def test_hints_and_traces_end_at_the_target_until_the_game_has_reached_it(visitor, line):
    ready = "1024 1024 8 4/16 8 4 2/8 4 2 0/2 0 0 0"
    told = contienda("hint", "2048", ready, "--player", "minimax:depth=2,eval=uma1", "--target", 2048, "--json").json
    asked = {"game": "2048", "position": ready, "player": "minimax:depth=2,eval=uma1"}
    on, ended = (line.run("hint", **asked, **more) for more in ({}, {"target": 2048}))
    assert ended["counters"]["nodes"] == told["counters"]["nodes"] < on["counters"]["nodes"]
    tree = line.run("trace", **asked, target=2048)
    assert {node["move"] for node in tree["nodes"] if node.get("over")} == {"left", "right"}
    beyond = asked | {"position": "2048 2 0 0/4 0 0 0/0 0 0 0/0 0 0 0"}
    assert line.run("hint", **beyond, target=2048)["best"] == line.run("hint", **beyond)["best"]


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"player": "human"}, "must be an algorithm"),
        ({"player": "nobody"}, "no player 'nobody'"),
        ({"player": "expectimax:depth=101"}, "depth=101 exceeds the limit of 100"),
        ({"player": "expectimax:depth=1e9"}, "depth=1e9 exceeds the limit"),
        ({"player": "expectimax:depth=0"}, "depth=0"),
        ({"player": "expectimax:depth=x"}, "depth=x is not a whole number"),
        ({"player": "alphabeta:table=on,memory=100000"}, "memory=100000 exceeds the limit of 512"),
        ({"player": "expectimax:ms=1e12"}, "ms=1e12 exceeds the limit"),
        ({"player": "expectimax:ms=nan"}, "ms=nan is not a number"),
        ({"player": "expectimax:eval=nothing"}, "nothing"),
        ({"player": "greedy:" + "x" * 500}, "player is too long"),
        ({"player": ["greedy"]}, "player must be text"),
        ({"position": "x"}, "4 rows of 4 tiles"),
        ({"position": "2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2", "player": "greedy"}, "over"),
        ({"position": None}, "position must be text"),
        ({"game": "tree"}, "no game 'tree' here"),
        ({"game": "connect4", "position": "4", "player": "expectimax:depth=2"}, "expectimax"),
    ],
)
def test_hints_that_cannot_be(visitor, line, changes, names):
    asked = {"game": "2048", "position": BOARD, "player": "expectimax:depth=3"} | changes
    assert names in complaint(visitor.post("/api/hint", json=asked))
    assert names in line.failure("hint", **asked)


def test_a_hint_over_its_time_says_so(tmp_path):
    with open_site(tmp_path, ms=200) as site:
        visitor = site.browser()
        told = complaint(visitor.post("/api/hint", json=ENDLESS))
        assert told == "no answer within 0.2 s; use a smaller depth, or a time limit such as ms=1000"
        # One that deepens has an answer by then.
        deepening = ENDLESS | {"player": "expectimax:ms=5000"}
        assert visitor.post("/api/hint", json=deepening).json()["counters"]["depth"] >= 1
    wait_until(lambda: not searching())


def test_the_machine_plays_the_same_game_for_the_same_seed(visitor, line):
    texts = []
    for _ in range(2):
        game = visitor.post("/api/games", json={"seed": "11", "players": ["random"]}).json()
        for _ in range(15):
            made = line.run("move", id=game["id"], revision=game["revision"], player="random")
            game = made["game"]
        texts.append(game["position"]["text"])
    assert texts[0] == texts[1]


def test_the_machine_does_not_move_in_a_game_that_is_over(visitor, line):
    game, _ = upload(visitor)
    assert "over" in line.failure("move", id=game["id"], revision=0, player="greedy")
    assert "no game" in line.failure("move", 404, id="x", revision=0, player="greedy")


# --- The game as a curve and as steps ---------------------------------------------------------------------------------


def test_steps_of_a_long_game_part_by_part(visitor):
    game, played = upload(visitor, seed=1)
    path = f"/api/games/{game['id']}/steps"
    whole = visitor.get(f"{path}?count=1000").json()
    assert whole["length"] == played.moves == len(whole["steps"])
    assert whole["start"] == game["start"]
    assert whole["steps"][-1]["position"] == game["position"]
    parts, start = [], 0
    while start < whole["length"]:
        part = visitor.get(f"{path}?start={start}&count=40").json()
        assert part["start"] == ([whole["start"]] + [step["position"] for step in whole["steps"]])[start]
        parts += part["steps"]
        start += 40
    assert parts == whole["steps"]
    assert [step["ply"] for step in parts] == list(range(1, played.moves + 1))
    assert visitor.get(f"{path}?start={played.moves}").json()["steps"] == []
    assert "no ply" in complaint(visitor.get(f"{path}?start={played.moves + 1}"))
    for query in ("start=-1", "count=0", "count=1001", "start=x", "start=9999999999999999999999"):
        complaint(visitor.get(f"{path}?{query}"))


def test_a_chart_is_the_evaluator_along_the_game(visitor):
    game, played = upload(visitor, seed=1)
    path = f"/api/games/{game['id']}/chart"
    chart = visitor.get(f"{path}?evaluator=uc3m-empty&points=2000").json()
    steps = visitor.get(f"/api/games/{game['id']}/steps?count=1000").json()
    positions = [steps["start"], *(step["position"] for step in steps["steps"])]
    assert chart["plies"] == list(range(played.moves + 1))
    assert chart["scores"] == [position["score"] for position in positions]
    assert chart["values"] == [position["picture"]["pieces"].count(None) for position in positions]
    few = visitor.get(f"{path}?evaluator=uc3m-empty&points=5").json()
    assert len(few["plies"]) == 5
    assert (few["plies"][0], few["plies"][-1]) == (0, played.moves)
    assert few["values"] == [chart["values"][ply] for ply in few["plies"]]
    for query in ("evaluator=nothing", "points=1", "points=1e9", "evaluator=uc3m-empty,zzz=1", "evaluator="):
        answer = visitor.get(f"{path}?{query}")
        assert answer.status_code == 200 if query == "evaluator=" else complaint(answer)


def test_a_chart_of_connect_4(visitor):
    game, played = upload(visitor, "connect4")
    chart = visitor.get(f"/api/games/{game['id']}/chart").json()
    assert chart["scores"] is None
    assert len(chart["values"]) == played.moves + 1


# --- Paths ------------------------------------------------------------------------------------------------------------


def test_a_path_becomes_a_game_to_replay(visitor, line, tmp_path):
    asked = {"game": "2048", "seed": "3", "player": "backtracking", "target": 32}
    found = line.run("solution", **asked)
    told = contienda("solve", "2048", "--seed", 3, "--player", "backtracking", "--target", 32, "--json").json
    assert (found["found"], found["states"], found["steps"]) == (True, told["states"], told["steps"])
    assert found["message"] is None
    twos = line.run("solution", options={"tiles": "twos"}, **asked)
    alone = contienda(
        "solve", "2048:tiles=twos", "--seed", 3, "--player", "backtracking", "--target", 32, "--json"
    ).json
    assert (twos["states"], twos["steps"]) == (alone["states"], alone["steps"])
    assert twos["states"] != found["states"]
    assert "2048 has no tiles=threes" in line.failure("solution", options={"tiles": "threes"}, **asked)
    game = found["game"]
    assert (game["saved"], game["length"]) == (False, told["steps"])
    steps = visitor.get(f"/api/games/{game['id']}/steps").json()["steps"]
    assert [step["move"] for step in steps] == told["path"]
    assert game["position"]["max_tile"] == 32
    assert set(game["position"]["legal"]) <= {"up", "right", "down", "left"}
    (tmp_path / "path.json").write_bytes(visitor.get(f"/api/games/{game['id']}/file").content)
    assert load_game(tmp_path / "path.json").moves == told["steps"]


def test_a_path_without_end_is_told_of_and_cancelled(line):
    line.start("s", "solution", game="2048", player="breadth-first", target=131072, seed="1")
    while line.progress_of("s")["states"] == 0:
        pass
    line.cancel("s")
    assert line.end_of("s") == {"job": "s", "event": "cancelled"}
    wait_until(lambda: not searching())


def test_a_path_over_its_time_comes_as_far_as_it_came(tmp_path):
    with open_site(tmp_path, path_ms=300) as site, open_line(site.browser()) as line:
        found = line.run("solution", game="2048", player="breadth-first", target=131072, seed="1")
    assert (found["found"], found["states"] > 0) == (False, True)
    assert found["message"]["en"]
    wait_until(lambda: not searching())


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"player": "greedy"}, "no player 'greedy'"),
        ({"player": "astar:h=nothing"}, "nothing"),
        ({"player": "astar:memory=99999"}, "memory=99999 exceeds the limit"),
        ({"player": "astar:bogus=1"}, "bogus"),
        ({"game": "connect4"}, "connect4"),
        ({"game": "8-puzzle"}, "no game '8-puzzle' here"),
        ({"target": 33}, "33"),
        ({"position": "2 2"}, "2"),
        ({"seed": "x"}, "seed"),
    ],
)
def test_paths_that_cannot_be(line, changes, names):
    assert names in line.failure("solution", **({"game": "2048", "player": "backtracking", "target": 32} | changes))


# --- Batches ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "sides"), [("2048", 1), ("connect4", 2)])
def test_a_batch_is_play_games_of_the_same_seeds(line, game, sides):
    result = line.run("batch", game=game, players=["random"] * sides, games=20, seed="5", target=None)
    results = [result_of(played) for played in play_games(match_at_random(game), range(5, 25), threads=2)]
    assert (result["done"], result["total"], result["left_seconds"]) == (20, 20, 0.0)
    if sides == 1:
        tiles = [each["max_tile"] for each in results]
        assert result["mean_score"] == pytest.approx(sum(each["score"] for each in results) / 20)
        assert result["tiles"] == {str(tile): tiles.count(tile) for tile in sorted(set(tiles))}
        assert (result["won"], result["lost"], result["drawn"]) == (0, 20, 0)
    else:
        winners = [each["winner"] for each in results]
        assert (result["won"], result["lost"], result["drawn"]) == tuple(winners.count(side) for side in (1, 2, 0))
        assert (result["mean_score"], result["tiles"]) == (None, None)
    assert {int(each["seed"]) for each in result["games"]} <= set(range(5, 25))
    assert result["mean_seconds"] > 0


def test_a_batch_tells_how_it_goes_and_is_cancelled_while_the_board_stays_playable(visitor, line):
    line.start("b", "batch", game="2048", players=["expectimax:depth=5"], games=100, seed="1")
    progress = line.progress_of("b")
    assert 0 < progress["done"] < progress["total"] == 100
    assert progress["done"] == progress["won"] + progress["lost"] + progress["drawn"]
    assert progress["left_seconds"] > 0
    assert {"seed", "score", "max_tile", "moves", "seconds"} <= set(progress["games"][0])
    game = visitor.post("/api/games", json={"seed": "1"}).json()
    for _ in range(10):
        name = game["position"]["legal"][0]
        made = visitor.post(f"/api/games/{game['id']}/moves", json={"revision": game["revision"], "move": name})
        game = made.json()["game"]
        line.run("hint", game="2048", position=game["position"]["text"], player="random")
    line.cancel("b")
    assert line.end_of("b") == {"job": "b", "event": "cancelled"}, "it was still running"
    wait_until(lambda: not searching())


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"games": 101}, "101 games exceed the limit of 100"),
        ({"games": 0}, "games is too small"),
        ({"games": 10**30}, "games"),
        ({"games": 1.5}, "games must be a whole number"),
        ({"players": []}, "players"),
        ({"players": ["random", "random"]}, "2048 takes 1"),
        ({"players": ["human"]}, "must be an algorithm"),
        ({"target": 63}, "63"),
        ({"game": "tree"}, "tree"),
    ],
)
def test_batches_that_cannot_be(line, changes, names):
    assert names in line.failure("batch", **({"game": "2048", "players": ["random"], "games": 2} | changes))


# --- The socket -------------------------------------------------------------------------------------------------------


def test_cancel_ends_the_compiled_search_and_nobody_waits_meanwhile(visitor, line):
    line.start("h", "hint", **ENDLESS)
    wait_until(lambda: searching() > 0)
    # The event loop answers while the search runs.
    for _ in range(20):
        assert visitor.get("/api/games").status_code == 200
    line.run("hint", game="2048", position=BOARD, player="random")
    assert not [m for m in line.seen if m["job"] == "h"]
    line.cancel("h")
    assert line.end_of("h") == {"job": "h", "event": "cancelled"}
    wait_until(lambda: not searching())


def test_closing_the_socket_ends_its_searches(visitor):
    with open_line(visitor) as line:
        for job in ("a", "b", "c"):
            line.start(job, "hint", **ENDLESS)
        line.start("s", "solution", game="2048", player="breadth-first", target=131072, seed="1")
        wait_until(lambda: searching() >= 3)
    wait_until(lambda: not searching())


def test_a_browser_that_goes_ends_its_hint(site):
    """Over HTTP: the request goes away in the midst of it."""

    async def ask_and_go():
        body = json.dumps(ENDLESS).encode()
        messages = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive():
            if messages:
                return messages.pop()
            while not searching():
                await asyncio.sleep(0.01)
            return {"type": "http.disconnect"}

        sent = []

        async def send(message):
            sent.append(message)

        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        scope = {
            "type": "http", "method": "POST", "path": "/api/hint", "raw_path": b"/api/hint", "query_string": b"",
            "headers": headers, "http_version": "1.1", "scheme": "http", "root_path": "", "client": ("::1", 1),
            "server": ("localhost", 2048), "asgi": {"version": "3.0"},
        }  # fmt: skip
        await site.app(scope, receive, send)
        return sent

    sent = site.call(ask_and_go)
    assert sent[0]["status"] == 422
    wait_until(lambda: not searching())


def test_only_so_many_at_once(line, site):
    for job in "abcd":
        line.start(job, "hint", **ENDLESS)
    assert "the limit is 4 jobs at a time" in line.failure("hint", 429, **ENDLESS)
    # Another browser is not concerned; another socket of the same one is.
    with open_line(site.browser()) as other:
        other.run("hint", game="2048", position=BOARD, player="random")
    for job in "abcd":
        line.cancel(job)
        assert line.end_of(job)["event"] == "cancelled"
    line.run("hint", game="2048", position=BOARD, player="random")


def test_several_windows_of_one_browser_share_its_searches(site, visitor, line):
    for job in "abcd":
        line.start(job, "hint", **ENDLESS)
    # All four have arrived: that two are searching would not tell.
    wait_until(lambda: site.app.state.analyst.searches == 4)
    with open_line(visitor) as second:
        assert "4 of your searches" in second.failure("hint", 429, **ENDLESS)
    assert "4 of your searches" in complaint(visitor.post("/api/hint", json=ENDLESS), 429)


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("", "must be a JSON object"),
        ("{", "must be a JSON object"),
        ("[]", "must be a JSON object"),
        ("null", "must be a JSON object"),
        ("[" * 30_000, "must be a JSON object"),
        ('{"job": ' + "9" * 10_000 + "}", "must be a JSON object"),
        ("{}", "a job needs a unique name"),
        ('{"job": ""}', "a job needs a unique name"),
        ('{"job": "x"}', "no kind of job ''"),
        (
            '{"job": "x", "kind": "dance"}',
            "no kind of job 'dance'; choose one of hint, move, trace, exercise, solution, batch",
        ),
        ('{"job": "\\ud800", "kind": "dance"}', "no kind of job"),
        ('{"job": "x", "kind": "\\ud800"}', "no kind of job"),
        ('{"job": "x", "kind": "hint"}', "game is missing"),
        ('{"job": "x", "kind": "hint", "game": "2048", "position": "\\ud800", "player": "greedy"}', "position"),
        (
            '{"job": "x", "kind": "hint", "\\ud800": 1, "game": "2048", "position": "", "player": "greedy"}',
            "JSON object",
        ),
        ('{"job": "x", "kind": "hint", "game": "2048", "position": 7, "player": "greedy"}', "position must be text"),
        ('{"job": "x", "kind": "move", "id": "x", "revision": NaN, "player": "greedy"}', "revision"),
        ('{"job": "x", "kind": "batch", "game": "2048", "players": {}, "games": 1}', "players must be a list"),
    ],
)
def test_nonsense_is_told_and_the_line_stays_open(line, message, names):
    line.socket.send_text(message)
    failed = line.socket.receive_json()
    assert failed["event"] == "failed"
    assert names in check_failure(failed)
    line.run("hint", game="2048", position=BOARD, player="random")


def test_bytes_and_idle_cancels(line):
    line.socket.send_bytes(b"\x00\xff")
    assert "must be a JSON object" in check_failure(line.socket.receive_json())
    for nothing in ("x", 7, None, ["h"], {"a": 1}):
        line.socket.send_json({"cancel": nothing})
    line.run("hint", game="2048", position=BOARD, player="random")


def test_names_of_jobs(line):
    line.start("x" * 100, "hint", **ENDLESS)
    line.start("x" * 100, "hint", **ENDLESS)
    name = "x" * 40
    failed = line.end_of(name)
    assert "a job needs a unique name" in check_failure(failed)
    line.cancel("x" * 100)
    assert line.end_of(name) == {"job": name, "event": "cancelled"}
    line.start("x" * 100, "hint", game="2048", position=BOARD, player="random")
    assert line.result_of(name)["moves"]


# --- Reviews ----------------------------------------------------------------------------------------------------------


def test_a_review_tells_mistakes_from_what_was_best(line, visitor):
    # Late enough to be solved at once. White wins in 2, but not by column 4: black then wins by column 7.
    start = {"game": "connect4", "players": ["human", "human"], "position": "2532415147131117532445633637"}
    game = visitor.post("/api/games", json=start).json()
    for move in "47":
        made = visitor.post(f"/api/games/{game['id']}/moves", json={"revision": game["revision"], "move": move})
        game = made.json()["game"]
    judged = line.run("review", id=game["id"])
    assert [move["ply"] for move in judged] == [1, 2]
    assert judged[0]["verdict"] == "mistake"
    assert judged[0]["words"] == {"en": "loses in 1", "es": "pierde en 1"}
    assert judged[0]["move"] not in judged[0]["best"]
    assert judged[1]["verdict"] == "best"
    assert judged[1]["words"]["en"] == "wins in 1"
    assert {move["side"] for move in judged} == {1, 2}


def test_a_game_of_points_is_reviewed_by_what_each_move_lost(line, visitor):
    start = {"game": "2048:rows=2,columns=2", "seed": "1"}
    game = visitor.post("/api/games", json=start).json()
    while not game["position"]["over"] and game["length"] < 4:
        move = {"revision": game["revision"], "move": game["position"]["legal"][-1]}
        game = visitor.post(f"/api/games/{game['id']}/moves", json=move).json()["game"]
    found = line.run("review", id=game["id"])
    assert found["critic"] == "perfect"
    assert len(found["losses"]) == game["length"]
    assert all(lost >= 0 for lost in found["losses"])
    assert [one["lost"] for one in found["worst"]] == sorted((lost for lost in found["losses"] if lost), reverse=True)


def test_other_games_are_not_reviewed(line, visitor):
    game = visitor.post("/api/games", json={"game": "tictactoe", "players": ["human", "human"]}).json()
    assert "tictactoe cannot be reviewed" in line.failure("review", id=game["id"])


def test_a_hint_of_the_solver_is_in_words(line):
    found = line.run("hint", game="connect4", position="2532415147131117532445633637", player="solver")
    assert found["moves"][0]["words"] == {"en": "wins in 2", "es": "gana en 2"}
    assert found["moves"][0]["mark"] == "+2"
