"""The lab in the app: plan, start, watch, stop, resume, compare, draw, export; the documents; each browser its own."""

from __future__ import annotations

import io
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import httpx2
import polars as pl
import pytest
from drive import contienda
from lab_games import BY_MACHINE
from website import complaint, open_site, wait_until

from contienda.lab import shipped
from contienda.lab.documents import DOCUMENTS
from contienda.lab.plan_file import plan_from_toml
from contienda.lab.results import Outcome, Results
from contienda.lab.run import run
from contienda.lab.table import table_of
from contienda.lab.where import Where
from tests.web.test_process import Server

PLAN = """\
name = "tiny"
game = "2048"
games = 6
target = 64
players = ["random", "greedy"]
"""
#: So many games that a test can stop it in the midst of them, and few enough to wait for the others.
MANY = PLAN.replace("games = 6", "games = 1500")
#: So many games that no test sees the end of it.
LONG = PLAN.replace("games = 6", "games = 20000")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def site(data):
    with open_site(data, lab_players=4, lab_games=50_000, lab_runs=6) as site:
        yield site


@pytest.fixture
def visitor(site):
    return site.browser()


def start(visitor, plan=PLAN):
    answer = visitor.post("/api/lab/runs", json={"plan": plan})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def look(visitor, run_id):
    answer = visitor.get(f"/api/lab/runs/{run_id}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def finished(visitor, plan=PLAN):
    run_id = start(visitor, plan)
    wait_until(lambda: look(visitor, run_id)["status"] != "running")
    assert look(visitor, run_id)["status"] == "done"
    return run_id


def some_games(visitor, run_id):
    """Wait until some games are finished, and not all."""
    wait_until(lambda: look(visitor, run_id)["done"] > 0)


def undisturbed(path: Path, plan: str) -> pl.DataFrame:
    """The table of a plan as the command line plays it, but for the clock's figures."""
    results = Results(path, plan_from_toml(plan, "plan"))
    assert run(results, Where("threads", 2)).complete
    return table_of(results).drop(BY_MACHINE)


# --- Plans -----------------------------------------------------------------------------------------------------------


def test_a_plan_is_read_and_written_again(visitor):
    plan = visitor.post("/api/lab/plan", json={"plan": PLAN}).json()
    assert plan["players"] == ["random", "greedy"]
    assert (plan["games"], plan["seed"], plan["target"], plan["entrants"]) == (6, "1", 64, 2)
    again = visitor.post("/api/lab/plan", json={"plan": plan["toml"]}).json()
    assert again == plan


@pytest.mark.parametrize(
    ("plan", "line", "names"),
    [
        (PLAN.replace("greedy", "gredy"), 5, "no player 'gredy'"),
        (PLAN.replace("games = 6", "games = 0"), 3, "games = 0 must be at least 1"),
        (PLAN + "\n[[grid]]\nplayer = 'minimax'\ndepth = [1, 900]", 9, "depth=900 exceeds the limit of 100"),
        (PLAN.replace('"greedy"', '"greedy:eval=/etc/passwd.py:f"'), 5, "file names are not allowed here"),
        (PLAN.replace('"greedy"', '"greedy:eval=mine/nothing"'), 5, "no heuristic 'nothing' here"),
        (PLAN + "x = ", None, "it is not TOML"),
        (PLAN + "= 3", 6, "it is not TOML"),
        (
            PLAN.replace("games = 6", "games = 30000"),
            3,
            "exceeds the limit of 25000 for 2 players (50000 games in total)",
        ),
        (PLAN + "\n[[grid]]\nplayer='minimax'\ndepth=[1,2,3]", 5, "5 players exceed the limit of 4"),
        (PLAN + "\n[[grid]]\nplayer='minimax'\n" + f"depth={[*range(200)]}\nms={[*range(200)]}", 7, "10,000 players"),
        (PLAN.replace('"2048"', '"tree"'), 2, "no game 'tree' here"),
        ("a = " + "[" * 9000, None, "it is not TOML"),
    ],
)
def test_a_wrong_plan_is_told_with_its_line(visitor, plan, line, names):
    for path in ("/api/lab/plan", "/api/lab/runs"):
        answer = visitor.post(path, json={"plan": plan})
        assert names in complaint(answer)
        assert answer.json().get("line") == line
    assert visitor.get("/api/lab/runs").json() == []


# --- Runs ------------------------------------------------------------------------------------------------------------


def test_a_run_plays_what_the_command_line_plays(visitor, data, tmp_path):
    run_id = finished(visitor)
    seen = look(visitor, run_id)
    assert (seen["done"], seen["total"], seen["scored"], seen["error"]) == (12, 12, True, None)
    expected = undisturbed(tmp_path / "own.sqlite", PLAN)
    for number, player in enumerate(seen["players"]):
        scores = expected.filter(pl.col("entrant") == number)["score"]
        assert player["mean"]["value"] == pytest.approx(scores.mean())
        assert player["mean"]["low"] < player["mean"]["value"] < player["mean"]["high"]
        assert (player["games"][-1], player["means"][-1]) == (6, player["mean"]["value"])
    assert [each["id"] for each in visitor.get("/api/lab/runs").json()] == [run_id]
    # To be opened by `contienda lab` too.
    (file,) = (data / "lab").glob(f"*/{run_id}.sqlite")
    assert "tiny: 2048" in contienda("lab", "status", file).out
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(visitor.get(f"/api/lab/runs/{run_id}/export/sqlite").content)
    assert table_of(Results(copy)).drop(BY_MACHINE).equals(expected)


def test_a_run_is_stopped_and_resumed(visitor, tmp_path):
    run_id = start(visitor, MANY)
    some_games(visitor, run_id)
    running = look(visitor, run_id)
    assert (running["status"], running["total"]) == ("running", 3000)
    stopped = visitor.post(f"/api/lab/runs/{run_id}/stop").json()
    assert (stopped["status"], stopped["rate"], stopped["late"]) == ("stopped", None, False)
    assert 0 < stopped["done"] < 3000
    assert look(visitor, run_id)["done"] == stopped["done"]
    assert visitor.post(f"/api/lab/runs/{run_id}/start").json()["status"] == "running"
    visitor.post(f"/api/lab/runs/{run_id}/start")  # once more changes nothing
    wait_until(lambda: look(visitor, run_id)["status"] != "running")
    table = pl.read_csv(io.BytesIO(visitor.get(f"/api/lab/runs/{run_id}/export/csv").content))
    expected = undisturbed(tmp_path / "own.sqlite", MANY)
    assert table.drop(BY_MACHINE).equals(expected.cast(dict(table.drop(BY_MACHINE).schema)), null_equal=True)


def test_a_run_goes_on_without_its_browser_and_is_nobody_elses(site, visitor):
    run_id = start(visitor, LONG)
    other = site.browser()
    assert other.get("/api/lab/runs").json() == []
    for method, path in (
        ("GET", ""), ("DELETE", ""), ("POST", "/start"), ("POST", "/stop"), ("GET", "/comparison"),
        ("GET", "/figures/overview"), ("GET", "/export/csv"),
    ):  # fmt: skip
        assert "no such experiment" in complaint(other.request(method, f"/api/lab/runs/{run_id}{path}"), 404)
    before = look(visitor, run_id)["done"]
    wait_until(lambda: look(visitor, run_id)["done"] > before)
    assert visitor.delete(f"/api/lab/runs/{run_id}").status_code == 204
    assert visitor.get("/api/lab/runs").json() == []
    complaint(visitor.get(f"/api/lab/runs/{run_id}"), 404)


@pytest.mark.slow
def test_so_many_runs_and_no_more(visitor):
    running = [start(visitor, LONG) for _ in range(3)]
    refused = visitor.post("/api/lab/runs", json={"plan": LONG})
    assert "3 of your experiments are running" in complaint(refused, 429)
    for run_id in running:
        visitor.post(f"/api/lab/runs/{run_id}/stop")
    kept = visitor.get("/api/lab/runs").json()
    assert {each["status"] for each in kept} == {"stopped"}
    while len(kept) < 6:
        finished(visitor)
        kept = visitor.get("/api/lab/runs").json()
    assert "you already have 6 experiments; delete one first" in complaint(
        visitor.post("/api/lab/runs", json={"plan": PLAN}), 429
    )


def test_hints_stay_quick_while_experiments_run(visitor):
    run_id = start(visitor, LONG)
    some_games(visitor, run_id)
    hint = {"game": "2048", "position": "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0", "player": "expectimax:depth=2"}
    assert visitor.post("/api/hint", json=hint).status_code == 200
    assert look(visitor, run_id)["status"] == "running"
    visitor.delete(f"/api/lab/runs/{run_id}")


def test_time_is_over(tmp_path, monkeypatch):
    with open_site(tmp_path) as site:
        visitor = site.browser()
        monkeypatch.setattr("contienda.web.lab.experiments._MINUTE", 0.002)
        run_id = start(visitor, LONG)
        wait_until(lambda: look(visitor, run_id)["status"] == "stopped")
        monkeypatch.undo()
        assert look(visitor, run_id)["late"]
        assert visitor.post(f"/api/lab/runs/{run_id}/start").json()["status"] == "running"


def test_an_interval_instead_of_games(visitor):
    run_id = finished(visitor, PLAN.replace("games = 6", "interval = 0.5\nmost = 100"))
    seen = look(visitor, run_id)
    assert (seen["done"], seen["total"]) == (100, None)
    for player in seen["players"]:
        assert player["mean"]["high"] - player["mean"]["value"] <= 0.5 * player["mean"]["value"]


@pytest.mark.slow
def test_a_game_for_two(visitor):
    plan = 'game = "connect4"\ngames = 4\nplayers = ["alphabeta:depth=2"]\nopponents = ["random"]\nsides = "both"'
    run_id = finished(visitor, plan)
    seen = look(visitor, run_id)
    assert not seen["scored"]
    assert [player["name"] for player in seen["players"]] == ["alphabeta:depth=2 – random"]
    assert 0 <= seen["players"][0]["mean"]["value"] <= 1


@pytest.mark.slow
def test_a_heuristic_of_ones_own_stays_as_it_was(visitor):
    def write(value):
        source = f"from contienda.games.g2048.helpers import empty\n\ndef mine(board, weights):\n    return {value}\n"
        assert visitor.put("/api/heuristics/mine", json={"game": "2048", "source": source}).status_code == 200

    write("10.0 * empty(board)")
    plan = PLAN.replace('"greedy"', '"greedy:eval=mine/mine"')
    run_id = finished(visitor, plan)
    seen = look(visitor, run_id)
    assert seen["players"][1]["name"] == "greedy:eval=mine/mine"
    assert '"greedy:eval=mine/mine"' in seen["plan"]["toml"]
    exported = visitor.get(f"/api/lab/runs/{run_id}/export/csv").text
    assert "greedy:eval=mine/mine" in exported
    assert ".py" not in exported + visitor.get(f"/api/lab/runs/{run_id}/export/html").text
    # A new version is another player: it does not play with the old one's compiled code.
    write("-10.0 * empty(board)")
    other = look(visitor, finished(visitor, plan))
    assert other["players"][0]["mean"] == seen["players"][0]["mean"]
    assert other["players"][1]["mean"] != seen["players"][1]["mean"]


def test_a_heuristic_is_compared_with_the_evaluators_of_its_game(visitor):
    for name, game in (("mine", "connect4"), ("alone", "tictactoe")):
        asked = {"game": game, "source": "def mine(board, weights):\n    return 1.0\n"}
        assert visitor.put(f"/api/heuristics/{name}", json=asked).status_code == 200
    asked = visitor.get("/api/lab/heuristics/mine").json()
    plan = visitor.post("/api/lab/plan", json=asked).json()
    assert plan["players"] == ["alphabeta:depth=3,eval=mine/mine"]
    assert plan["opponents"] == ["alphabeta:depth=3,eval=uja"]
    assert (plan["games"], plan["sides"], plan["opening"]) == (100, "both", 2)
    assert "no evaluators of its own" in complaint(visitor.get("/api/lab/heuristics/alone"))
    assert "no heuristic 'gone'" in complaint(visitor.get("/api/lab/heuristics/gone"), 404)


def test_an_experiment_outlives_the_heuristic_that_it_was_begun_with(visitor, data):
    source = (
        "from contienda.games.g2048.helpers import empty\n\ndef lost(board, weights):\n    return 5.0 * empty(board)\n"
    )
    assert visitor.put("/api/heuristics/lost", json={"game": "2048", "source": source}).status_code == 200
    run_id = finished(visitor, PLAN.replace('"greedy"', '"greedy:eval=mine/lost"'))
    seen = look(visitor, run_id)
    (file,) = data.rglob(f"{run_id}.sqlite")
    with closing(sqlite3.connect(file, isolation_level=None)) as results:
        results.execute("DELETE FROM results WHERE entrant = 1")
    for path in data.rglob("lost*.py"):
        path.unlink()
    assert "5.0 * empty(board)" in visitor.get(f"/api/lab/runs/{run_id}/export/html").text
    visitor.post(f"/api/lab/runs/{run_id}/start")
    wait_until(lambda: look(visitor, run_id)["status"] != "running")
    again = look(visitor, run_id)
    assert (again["status"], again["error"]) == ("done", None)
    assert again["players"][1]["mean"] == seen["players"][1]["mean"]


def test_an_experiment_that_cannot_be_read_is_listed_with_the_reason(visitor, data):
    run_id, sound = finished(visitor), finished(visitor)
    (file,) = data.rglob(f"{run_id}.sqlite")
    file.write_bytes(b"no database at all" * 400)
    listed = {run["id"]: run for run in visitor.get("/api/lab/runs").json()}
    assert listed[sound]["status"] == "done"
    broken = listed[run_id]
    assert broken["status"] == "unreadable"
    assert broken["error"] == {
        "en": "its file cannot be used: file is not a database",
        "es": "su archivo no se puede usar: file is not a database",
    }
    assert str(data) not in complaint(visitor.get(f"/api/lab/runs/{run_id}"), 422)
    assert visitor.delete(f"/api/lab/runs/{run_id}").status_code == 204
    assert run_id not in {run["id"] for run in visitor.get("/api/lab/runs").json()}


# --- What the games say ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reader(site):
    reader = site.browser()
    return reader, finished(reader, PLAN.replace("games = 6", "games = 20\nturns = true"))


def test_the_comparison_is_that_of_the_report(reader):
    visitor, run_id = reader
    found = visitor.get(f"/api/lab/runs/{run_id}/comparison").json()
    best, other = found["players"]
    assert (found["games"], found["base"], found["scored"]) == (40, best["entrant"], True)
    assert best["score"]["value"] > other["score"]["value"]
    assert best["score"]["low"] < best["score"]["value"] < best["score"]["high"]
    (difference,) = found["differences"]
    assert difference["difference"]["value"] == pytest.approx(best["score"]["value"] - other["score"]["value"])
    assert difference["effect"] > 0
    assert 0 <= difference["p"] <= 1
    assert {each["scenario"]["en"] for each in found["recommendations"]} >= {"best play, at any cost"}
    assert any(player["frontier"] for player in found["players"])
    turned = visitor.get(f"/api/lab/runs/{run_id}/comparison", params={"base": other["entrant"]}).json()
    assert turned["differences"][0]["difference"]["value"] == pytest.approx(-difference["difference"]["value"])


def test_every_figure_is_drawn(reader):
    visitor, run_id = reader
    names = visitor.get(f"/api/lab/runs/{run_id}/comparison").json()["figures"]
    assert {"overview", "quality-and-speed", "largest-tiles", "time-per-move"} <= set(names)
    for name in names:
        drawn = visitor.get(f"/api/lab/runs/{run_id}/figures/{name}", params={"language": "es", "theme": "dark"})
        assert drawn.headers["content-type"] == "image/svg+xml"
        assert drawn.text.startswith("<svg")
    spanish = visitor.get(f"/api/lab/runs/{run_id}/figures/overview", params={"language": "es"}).text
    english = visitor.get(f"/api/lab/runs/{run_id}/figures/overview").text
    assert "Todos" in spanish
    assert "All players" in english
    complaint(visitor.get(f"/api/lab/runs/{run_id}/figures/nothing"), 404)


def test_exports(reader, tmp_path, monkeypatch):
    visitor, run_id = reader

    def export(kind, language="en"):
        answer = visitor.get(f"/api/lab/runs/{run_id}/export/{kind}", params={"language": language})
        assert answer.headers["content-disposition"] == f'attachment; filename="tiny.{kind}"'
        return answer.content

    table = pl.read_parquet(io.BytesIO(export("parquet")))
    assert len(table) == 40
    assert pl.read_csv(io.BytesIO(export("csv"))).height == 40
    report = export("html", "es").decode()
    assert "<h2>Jugadores</h2>" in report
    assert report.count("<figure>") > 3
    assert "<script" not in report
    monkeypatch.setattr("contienda.web.lab.drawing.Drawing.svg", None)  # a report takes seconds: it is made once
    assert export("html", "es").decode() == report
    plan = plan_from_toml(export("toml").decode(), "x")
    assert (plan.name, plan.games, plan.turns) == ("tiny", 20, True)
    complaint(visitor.get(f"/api/lab/runs/{run_id}/export/doc"))


# --- Documents -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["uc3m", "unicen", "uja", "uma"])
def test_every_document_opens_with_our_games_beside_the_published_ones(visitor, name):
    document = visitor.get(f"/api/lab/documents/{name}").json()
    assert document["origin"]["machine"]
    assert document["origin"]["done"] == document["origin"]["total"]
    for experiment in document["experiments"]:
        assert all(line["games"] > 0 for line in experiment["lines"])
        assert all(line["cells"][0]["ours"] is not None for line in experiment["lines"])


def test_ort_opens_with_our_figures_beside_the_published_ones(visitor):
    ort = visitor.get("/api/lab/documents/ort").json()
    assert ort["origin"]["machine"]
    for experiment in ort["experiments"]:
        assert [line["games"] for line in experiment["lines"]] == [20] * 8
        assert all(cell["ours"] is not None for line in experiment["lines"] for cell in line["cells"])
        third = experiment["improvements"][2]
        assert third["title"]["en"] == "Figure 3: the intermediate heuristic"
        tile = next(gain for gain in third["gains"] if gain["metric"] == "max_tile")
        assert (tile["published"], round(100 * tile["published_share"], 1)) == (512, 66.7)
        assert tile["ours"] > 0


def test_documents_show_what_was_published_before_anything_is_played(visitor, monkeypatch):
    monkeypatch.setattr(shipped, "_unpacked", lambda name: None)
    listed = visitor.get("/api/lab/documents").json()
    assert [each["name"] for each in listed] == ["uc3m", "unicen", "uja", "uma", "ort"]
    assert {each["status"] for each in listed} == {"new"}
    ort = visitor.get("/api/lab/documents/ort").json()
    assert [experiment["name"] for experiment in ort["experiments"]] == ["ort-quick", "ort-4-quick"]
    line = ort["experiments"][0]["lines"][0]
    assert line["label"] == "E1 Minimax_NoAB_simple_c1_d3"
    assert line["impossible"]
    score = next(cell for cell in line["cells"] if cell["metric"] == "score")
    assert (score["published"], score["deviation"], score["ours"]) == (1124, 487, None)
    assert any("cannot be right" in note["en"] for note in ort["notes"])
    complaint(visitor.get("/api/lab/documents/mit"), 404)


def test_a_document_opens_with_what_came_with_the_package_until_it_is_played_again(visitor, tmp_path, monkeypatch):
    (uma,) = DOCUMENTS["uma"].experiments(False)
    results = Results(tmp_path / "uma.sqlite", uma.plan)
    results.begin("there", "c0de")
    results.add([Outcome(0, seed, "target", 20000, 2048, True, None, 900, 900, 0.001, "x") for seed in (1, 2, 3)])
    packed = results.compact()
    monkeypatch.setattr(shipped, "_unpacked", lambda name: packed if name == "uma" else None)
    for quick in ("true", "false"):
        seen = visitor.get("/api/lab/documents/uma", params={"quick": quick}).json()
        assert (seen["status"], seen["done"], seen["origin"]["code"]) == ("new", 0, "c0de")
        assert (seen["origin"]["done"], seen["origin"]["total"]) == (3, 7200 + 360)  # it says that it is a part
        (table,) = seen["experiments"]
        first, second = table["lines"][:2]
        assert len(table["lines"]) == 84
        assert (first["label"], first["games"]) == ("alphabeta uma1 1", 3)
        assert first["cells"][0]["ours"]["value"] == 1.0
        assert second["cells"][0]["ours"] is None
    page = visitor.get("/api/lab/documents/uma/report", params={"language": "en"}).text
    assert "alphabeta uma1 1" in page
    monkeypatch.setattr("contienda.lab.reproduction_page.reproduction_html", None)  # made once, whoever asks
    assert visitor.get("/api/lab/documents/uma/report", params={"language": "en"}).text == page


def test_a_document_s_tables_of_games_taken_together(visitor):
    uc3m, _ = visitor.get("/api/lab/documents/uc3m", params={"quick": False}).json()["experiments"]
    titles = [pooled["title"]["es"].partition(":")[0] for pooled in uc3m["pooled"]]
    assert titles == ["Figura 11", "Tabla 21 y figura 12", "Tabla 22", "Tabla 24 y figura 14", "Tabla 25 y figura 18"]
    (won,) = uc3m["pooled"][2]["lines"]
    assert (won["published_games"], won["games"]) == (20, 16)  # of the run that comes with the package
    assert {cell["metric"]: cell["published"] for cell in won["cells"]}["score"] == 20814.9
    assert uc3m["figures"][0] == {"name": "largest-tiles", "numbers": "11"}  # the document's own come first
    complaint(visitor.get("/api/lab/documents/uc3m/figures/uc3m/no-such-figure"), 404)


def test_a_document_is_played_stopped_resumed_and_forgotten(visitor, data):
    assert visitor.post("/api/lab/documents/uja/start").json()["status"] == "running"

    def uja():
        return visitor.get("/api/lab/documents/uja").json()

    wait_until(lambda: uja()["done"] > 0, 120)
    seen = visitor.post("/api/lab/documents/uja/stop").json()
    assert seen["status"] == "stopped"
    experiment, *_ = seen["experiments"]
    counted = sum(line["games"] for each in seen["experiments"] for line in each["lines"])
    assert counted == seen["done"] < seen["total"] == 148
    played = [line for line in experiment["lines"] if line["games"]]
    assert played[0]["label"].startswith("4 – ")
    assert {cell["metric"] for cell in played[0]["cells"] if cell["ours"]} == {"wins", "moves"}
    assert "published figures lie within our intervals" in experiment["verdict"]["en"]
    # The file of `contienda lab reproduce uja --quick`.
    (file,) = (data / "lab").glob("*/documents/uja-quick.sqlite")
    assert Results(file).plan == DOCUMENTS["uja"].experiments(True)[0].plan
    assert "overview" in [figure["name"] for figure in experiment["figures"]]
    figure = visitor.get("/api/lab/documents/uja/figures/uja-quick/overview", params={"language": "es"})
    assert (figure.headers["content-type"], figure.text[:4]) == ("image/svg+xml", "<svg")
    page = visitor.get("/api/lab/documents/uja/report", params={"language": "es"}).text
    assert "Los documentos reproducidos" in page
    assert visitor.post("/api/lab/documents/uja/start").json()["status"] == "running"
    assert visitor.delete("/api/lab/documents/uja").status_code == 204
    assert (uja()["status"], uja()["done"]) == ("new", 0)


# --- The server's death ----------------------------------------------------------------------------------------------


@pytest.fixture
def serve(tmp_path):
    running = []

    def start():
        running.append(Server("--data", tmp_path / "data", "--port", 0))
        return running[-1], running[-1].address()[0]

    yield start
    for server in running:
        server.process.kill()
        server.process.communicate()


def test_killed_in_the_midst_of_a_run_it_resumes_to_the_undisturbed_table(serve, tmp_path):
    server, url = serve()
    with httpx2.Client(base_url=url, timeout=60) as client:
        first = client.post("/api/lab/runs", json={"plan": MANY})
        run_id, cookie = first.json()["id"], {"cookie": f"contienda={first.cookies['contienda']}"}
        (file,) = tmp_path.rglob(f"{run_id}.sqlite")  # a busy server might tell of it too late
        with closing(Results(file)) as results:
            wait_until(lambda: sum(results.counts().values()) > 3)
        server.end(signal.SIGKILL)
    _, url = serve()
    with httpx2.Client(base_url=url, timeout=60, headers=cookie) as client:
        seen = look(client, run_id)
        assert seen["status"] == "stopped"
        assert 3 < seen["done"] < 3000
        client.post(f"/api/lab/runs/{run_id}/start")
        wait_until(lambda: look(client, run_id)["status"] == "done", 120)
        table = pl.read_parquet(io.BytesIO(client.get(f"/api/lab/runs/{run_id}/export/parquet").content))
    assert table.drop(BY_MACHINE).equals(undisturbed(tmp_path / "own.sqlite", MANY))


@pytest.mark.slow
def test_ctrl_c_stops_a_run_and_keeps_what_is_finished(serve):
    server, url = serve()
    with httpx2.Client(base_url=url, timeout=60) as client:
        first = client.post("/api/lab/runs", json={"plan": LONG})
        run_id, cookie = first.json()["id"], {"cookie": f"contienda={first.cookies['contienda']}"}
        wait_until(lambda: client.get(f"/api/lab/runs/{run_id}", headers=cookie).json()["done"] > 0)
        client.get(f"/api/lab/runs/{run_id}/figures/overview", headers=cookie)
        code, _, err = server.end(signal.SIGINT)
    assert code in (0, 130)
    assert "Traceback" not in err
    _, url = serve()
    with httpx2.Client(base_url=url, timeout=60, headers=cookie) as client:
        assert look(client, run_id)["done"] > 0
