"""What one browser may take of the server, one address, and all: names, requests, sockets, memory, disk, the log."""

from __future__ import annotations

import errno
import logging
import math
import re
import sqlite3
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from website import URL, complaint, open_line, open_site, wait_until

from contienda.core.specs import parse_spec
from contienda.web.access.gate import Gate
from contienda.web.access.identity import Browser, Identities, address_of
from contienda.web.access.logs import LogFilter
from contienda.web.access.rates import Rates
from contienda.web.errors import TooMany
from contienda.web.lab.experiments import Lab
from contienda.web.searches.players import megabytes_of
from contienda.web.settings import Limits, Settings
from contienda.web.training.shapes import TrainingRequest
from contienda.web.training.trainings import Trainings
from contienda.web.work.compiler import Compiler
from contienda.web.work.queue import MemoryLimit

BOARD = "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"


def with_cookie(site, value):
    """Somebody who shows this cookie, on the site's event loop."""
    browser = TestClient(site.app, base_url=URL, headers={"cookie": f"contienda={value}"})
    browser.portal = site.browser().portal
    return browser


# --- Names ------------------------------------------------------------------------------------------------------------


def test_a_browser_is_known_again_by_another_server_on_the_same_folder(tmp_path):
    with open_site(tmp_path) as site:
        browser = site.browser()
        game = browser.post("/api/games", json={"seed": "1"}).json()
        cookie = browser.cookies["contienda"]
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    with open_site(tmp_path) as site:
        assert with_cookie(site, cookie).get(f"/api/games/{game['id']}").json() == game
        name, _, signature = cookie.partition(".")
        for forged in (f"{name}.{signature[::-1]}", name, f"{'0' * 24}.{signature}"):
            assert with_cookie(site, forged).get("/api/games").json() == []
    (tmp_path / "key").write_bytes(b"half")  # a server was killed while it made the key: another is made
    with open_site(tmp_path) as site:
        assert with_cookie(site, cookie).get("/api/games").json() == []
    assert len((tmp_path / "key").read_bytes()) == 32


def test_games_from_before_names_were_signed_are_kept(tmp_path):
    old, invented = "0123456789abcdef" * 2, "f" * 32
    with open_site(tmp_path) as site:
        game = site.browser().post("/api/games", json={"seed": "1"}).json()
    with sqlite3.connect(tmp_path / "games.sqlite") as file:
        file.execute("UPDATE games SET client = ?", (old,))
    with open_site(tmp_path) as site:
        answer = with_cookie(site, old).get(f"/api/games/{game['id']}")
        assert answer.json() == game
        signed = answer.cookies["contienda"]
        assert signed.startswith(f"{old}.")
        assert with_cookie(site, signed).get(f"/api/games/{game['id']}").json() == game
        answer = with_cookie(site, invented).get("/api/games")
        assert not answer.cookies["contienda"].startswith(invented)


def test_a_name_costs_nothing(tmp_path):
    with open_site(tmp_path) as site:
        before = sorted(tmp_path.rglob("*"))
        for _ in range(20):
            browser = site.browser()
            for path in ("/api/games", "/api/training", "/api/lab/runs", "/api/heuristics", "/api/catalogue"):
                assert browser.get(path).status_code == 200
        assert sorted(tmp_path.rglob("*")) == before
        with sqlite3.connect(tmp_path / "games.sqlite") as file:
            assert file.execute("SELECT COUNT(*) FROM games").fetchone() == (0,)


def test_two_servers_that_start_at_once_have_one_key(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        cookies = set(pool.map(lambda _: Identities(tmp_path).cookie("a" * 24), range(8)))
    assert len(cookies) == 1


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_whom_a_limit_for_addresses_counts(host, counted):
    assert address_of((host, 1)) == counted


# --- Requests ---------------------------------------------------------------------------------------------------------


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def allowed(rates, browser, tries):
    return sum(rates.allow(browser) for _ in range(tries))


def test_so_many_requests_and_then_as_fast_as_the_bucket_fills():
    clock = Clock()
    rates = Rates(Limits(requests=10), clock)
    greedy = Browser("greedy", "here")
    assert allowed(rates, greedy, 1000) == 20 + 50, "what everybody gets, and five seconds' worth"
    clock.now += 1
    assert allowed(rates, greedy, 1000) == 3 + 10


def test_whoever_asks_for_little_gets_it_whatever_the_others_behind_the_address_do():
    clock = Clock()
    rates = Rates(Limits(requests=100, address_requests=50, all_requests=60), clock)
    crowd = [Browser(f"crowd {i}", "school") for i in range(50)]
    for browser in crowd:
        allowed(rates, browser, 100)
    assert sum(allowed(rates, browser, 1) for browser in crowd) == 0
    pupil, elsewhere = Browser("pupil", "school"), Browser("elsewhere", "home")
    for _ in range(60):  # a move and a hint each second
        clock.now += 1
        assert allowed(rates, pupil, 2) == 2
        assert allowed(rates, elsewhere, 2) == 2
        for browser in crowd:
            allowed(rates, browser, 100)


def test_newcomers_of_one_address_share_what_one_browser_has():
    rates = Rates(Limits(requests=10), Clock())
    newcomers = [Browser(f"new {i}", "there", known=False) for i in range(200)]
    assert sum(rates.allow(each) for each in newcomers) == 70
    assert rates.allow(Browser("known", "there"))
    assert all(rates.allow(each, "page") for each in newcomers), "the page, and with it their names"


def test_sockets_are_opened_only_so_often():
    """Opening one costs as much as ten calls: each browser has two, and its address so many in a minute."""
    clock = Clock()
    rates = Rates(Limits(address_opened=30), clock)
    greedy, pupil = Browser("greedy", "school"), Browser("pupil", "school")
    assert sum(rates.allow(greedy, "socket") for _ in range(100)) == 2 + 30
    assert rates.allow(pupil, "socket"), "whatever the others behind its address do"
    assert rates.allow(greedy), "calls are counted apart"
    clock.now += 2
    assert sum(rates.allow(greedy, "socket") for _ in range(100)) == 1


def test_the_gate_knows_who_would_be_refused_and_counts_nothing(tmp_path):
    clock = Clock()
    identities, rates = Identities(tmp_path), Rates(Limits(requests=10), clock)
    gate = Gate(identities, rates)
    name = identities.new()
    greedy = f"Cookie: a=b; contienda={identities.cookie(name)}\r\n"

    def refused(line, headers=""):
        return gate.refuses(f"{line} HTTP/1.1\r\nHost: x\r\n{headers}\r\n".encode(), "here")

    assert not any(refused("GET /api/games", greedy) for _ in range(1000)), "nothing was counted"
    allowed(rates, Browser(name, "here"), 1000)
    assert refused("GET /api/games", greedy)
    assert refused("POST /api/games?x=1", greedy.replace("Cookie:", "cookie:"))
    assert not refused("GET /js/app.js", greedy), "the page"
    assert not refused("GET /api/games"), "a newcomer"
    assert not refused("GET /api/games", "Cookie: contienda=0\r\n"), "a name that nobody was given"
    assert not refused("GET /api/live", f"Upgrade: websocket\r\n{greedy}"), "sockets are counted apart"
    assert not gate.refuses(f"GET /api/games HTTP/1.1\r\n{greedy}".encode(), "here"), "the head has not come yet"
    assert not gate.refuses(b"\xff nonsense\r\n\r\n", "here")


def test_too_many_requests_are_refused_in_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr("contienda.web.access.guard._PENANCE", 0.0)
    with open_site(tmp_path, requests=1, address_requests=1, all_requests=1) as site:
        browser = site.browser()
        answers = [browser.get("/api/games") for _ in range(60)]
        refused = [answer for answer in answers if answer.status_code != 200]
        assert "too many requests" in complaint(refused[0], 429)
        assert site.browser().get("/api/games").status_code == 200, "somebody else"


# --- Memory -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "megabytes"),
    [
        ("random", 0),
        ("expectimax:depth=3", 0),
        ("alphabeta:table=on,memory=512", 512),
        ("alphabeta:table=off,memory=512", 0),
        ("expectimax:table=on,threads=2", 32),
        ("minimax:reuse=on,memory=300", 300),
        ("mcts:ms=1000,sims=100", 0.0046),
        ("mcts:ms=1000", 229),
        ("mcts:sims=1e400", 0),
    ],
)
def test_what_a_player_takes(spec, megabytes):
    assert megabytes_of(parse_spec(spec)) == pytest.approx(megabytes, rel=0.01)


def test_searches_that_do_not_fit_wait_and_those_that_never_will_are_refused(tmp_path):
    with open_site(tmp_path, all_memory=100) as site:
        browser = site.browser()
        large = {"game": "connect4", "position": "4", "player": "alphabeta:depth=2,table=on,memory=60"}
        too_large = large | {"player": "alphabeta:depth=2,table=on,memory=101"}
        with open_line(browser) as line:
            told = line.failure("hint", 429, **too_large)
            assert told == "this needs 101 MB, but all searches share 100 MB; use less memory"
            for job in "abcdef":
                line.start(job, "hint", **large)
            found = {line.socket.receive_json()["event"] for _ in "abcdef"}
        assert found == {"done"}


# --- Sockets ----------------------------------------------------------------------------------------------------------


def test_idle_sockets_make_room_for_others(tmp_path):
    with open_site(tmp_path, sockets=3, address_sockets=5) as site:
        greedy = site.browser()
        with ThreadPoolExecutor(1):
            opened = [greedy.websocket_connect("ws://localhost:2048/api/live") for _ in range(4)]
            sockets = [each.__enter__() for each in opened]
            with pytest.raises(WebSocketDisconnect):
                sockets[0].receive_json()
            sockets[3].send_json({})
            assert sockets[3].receive_json()["event"] == "failed", "the last one is heard"
            for _ in range(4):  # others behind the same address
                with open_line(site.browser()) as line:
                    assert line.run("hint", game="2048", position=BOARD, player="random")["best"]
            for each in opened:
                each.__exit__(None, None, None)


def test_a_socket_on_which_something_runs_stays(tmp_path):
    with open_site(tmp_path, sockets=1) as site:
        browser = site.browser()
        with open_line(browser) as line:
            line.start("long", "hint", game="2048", position=BOARD, player="expectimax:depth=100")
            line.start("short", "nothing")
            line.end_of("short")
            with pytest.raises(WebSocketDisconnect), open_line(browser) as other:
                other.run("hint", game="2048", position=BOARD, player="random")
            line.cancel("long")
            assert line.end_of("long")["event"] == "cancelled"
        with open_line(browser) as line:
            assert line.run("hint", game="2048", position=BOARD, player="random")["best"]


# --- Disk -------------------------------------------------------------------------------------------------------------


def long_game(browser, moves=60):
    game = browser.post("/api/games", json={"seed": "1"}).json()
    for _ in range(moves):
        asked = {"revision": game["revision"], "move": game["position"]["legal"][0]}
        game = browser.post(f"/api/games/{game['id']}/moves", json=asked).json()["game"]
    return game


def test_so_many_games_with_a_name(tmp_path):
    with open_site(tmp_path, named=2) as site:
        browser = site.browser()
        game = browser.post("/api/games", json={}).json()
        path = f"/api/games/{game['id']}/save"
        saved = [browser.post(path, json={"name": f"{i}"}).json() for i in range(2)]
        assert "you already have 2 saved games; delete one first" in complaint(browser.post(path, json={}), 429)
        assert browser.delete(f"/api/games/{saved[0]['id']}").status_code == 204
        assert browser.post(path, json={}).status_code == 201


def test_of_games_without_a_name_the_oldest_make_room(tmp_path, monkeypatch):
    monkeypatch.setattr("contienda.web.games.store.PLY_BYTES", 1 << 14)  # so that 60 moves are about a megabyte
    with open_site(tmp_path, disk=3) as site:
        browser, other = site.browser(), site.browser()
        kept = long_game(other)
        game = long_game(browser)
        copies = [game["id"]]
        for _ in range(5):
            copies.append(browser.post("/api/games", json={"copy": copies[-1]}).json()["id"])
        left = {each["id"] for each in browser.get("/api/games").json()}
        assert left == set(copies[-3:])
        assert other.get(f"/api/games/{kept['id']}").json() == kept, "nobody else's"
        last = f"/api/games/{copies[-1]}/save"
        answers = [browser.post(last, json={}) for _ in range(4)]
        assert "would take more than 3 MB: the game was not saved" in complaint(answers[-1], 429)


def test_when_all_games_are_too_many_the_oldest_without_a_name_go_first(tmp_path):
    with open_site(tmp_path, all_disk=1, writes=1000, address_writes=1000) as site:
        browser = site.browser()
        oldest = browser.post("/api/games", json={}).json()["id"]
        named = browser.post(f"/api/games/{oldest}/save", json={"name": "mine"}).json()["id"]
        played = long_game(browser, 100)["id"]
        for _ in range(120):
            played = browser.post("/api/games", json={"copy": played}).json()["id"]
        assert (tmp_path / "games.sqlite").stat().st_size < 3 << 20
        assert browser.get(f"/api/games/{oldest}").status_code == 404
        assert browser.get(f"/api/games/{named}").status_code == 200
        while (answer := browser.post(f"/api/games/{played}/save", json={})).status_code == 201:
            pass
        assert "the server has no room for more games: the game was not saved" in complaint(answer, 507)


def test_copies_only_so_fast(tmp_path, monkeypatch):
    monkeypatch.setattr("contienda.web.games.games.PLY_BYTES", 1 << 14)
    with open_site(tmp_path, writes=3) as site:
        browser = site.browser()
        path = f"/api/games/{long_game(browser)['id']}/save"
        answers = [browser.post(path, json={}) for _ in range(5)]
        assert [answer.status_code for answer in answers[:3]] == [201, 201, 201]
        assert "too much was written in the last minute: the game was not saved" in complaint(answers[-1], 429)
        monkeypatch.setattr("contienda.web.games.reader.Reader.plies", None)
        assert browser.post(path, json={}).status_code == 429, "and no move of it was read"


def test_experiments_have_only_so_much_room(tmp_path):
    plan = 'game = "tictactoe"\nplayers = ["random"]\nopponents = ["random"]\ngames = 2\n'
    with open_site(tmp_path, lab_disk=1) as site:
        browser = site.browser()
        made = browser.post("/api/lab/runs", json={"plan": plan})
        assert made.status_code == 201, made.text
        (file,) = tmp_path.glob("lab/*/*.sqlite")
        file.with_name("0123456789abcdef.sqlite").write_bytes(bytes(2 << 20))
        told = complaint(browser.post("/api/lab/runs", json={"plan": plan}), 429)
        assert "take more than 1 MB; delete one first" in told


def test_invented_names_do_not_keep_those_who_came_before_from_experiments(tmp_path):
    """Not even at their own address; whoever runs several gives one up first."""
    finish = threading.Event()
    limits = Limits(address_lab_running=4, all_lab_running=6)
    came = {"pupil": 1.0, "second": 2.0}
    lab = Lab(
        tmp_path, None, SimpleNamespace(blamed=nullcontext), limits, MemoryLimit(1), None, None,
        lambda name: came.get(name, math.inf),
    )  # fmt: skip

    def start(name, key="run"):
        lab.start(Browser(name, "school"), key, lambda stopped, **how: finish.wait(30))

    def running():
        return [owner for owner, _ in lab._running()]

    try:
        for number in range(3):
            start("greedy", f"run {number}")
        start("fourth")
        start("new")
        assert running() == ["greedy", "greedy", "fourth", "new"]
        told = lab.job("greedy", "run 2").error
        assert "others were waiting" in str(told)
        start("pupil")
        assert running() == ["greedy", "fourth", "new", "pupil"]
        start("second")
        assert running() == ["greedy", "fourth", "pupil", "second"], "the last of those who never played"
        with pytest.raises(TooMany, match="4 experiments from your address"):
            start("another new one")
        with pytest.raises(TooMany, match="4 experiments from your address"):
            start("second", "another run")
    finally:
        finish.set()


def test_one_address_leaves_room_for_the_experiments_of_others(tmp_path):
    """However many names it invents."""
    finish = threading.Event()
    heuristics = SimpleNamespace(blamed=nullcontext)
    limits = Limits(address_lab_running=4, all_lab_running=6)
    lab = Lab(tmp_path, None, heuristics, limits, MemoryLimit(1), None, None)

    def start(name, address):
        lab.start(Browser(name, address), "run", lambda **how: finish.wait(30))

    try:
        for number in range(4):
            start(f"name {number}", "greedy")
        with pytest.raises(TooMany, match="4 experiments from your address are running"):
            start("another name", "greedy")
        start("pupil", "school")
        start("teacher", "school")
        with pytest.raises(TooMany, match="as many experiments as it can"):
            start("other", "home")
    finally:
        finish.set()


def test_one_address_leaves_room_for_the_trainings_of_others(tmp_path, monkeypatch):
    """However many names it invents."""
    monkeypatch.setattr("contienda.web.training.trainings.TrainingRun", Training)
    limits = Limits(address_trainings=2, all_trainings=3)
    trainings = Trainings(Settings(data=tmp_path, limits=limits), Compiler(apart=False))

    def train(name, address):
        trainings.start(Browser(name, address), "net", TrainingRequest(network="2x4", games=100))

    train("a", "greedy")
    train("b", "greedy")
    with pytest.raises(TooMany, match="2 networks from your address are training"):
        train("c", "greedy")
    train("pupil", "school")
    with pytest.raises(TooMany, match="as many networks as it can"):
        train("other", "home")


def test_invented_names_do_not_keep_those_who_came_before_from_training(tmp_path, monkeypatch):
    monkeypatch.setattr("contienda.web.training.trainings.TrainingRun", Training)
    limits = Limits(address_trainings=2, all_trainings=3)
    came = {"pupil": 1.0, "second": 2.0}
    trainings = Trainings(
        Settings(data=tmp_path, limits=limits), Compiler(apart=False), lambda name: came.get(name, math.inf)
    )

    def train(name):
        trainings.start(Browser(name, "school"), "net", TrainingRequest(network="2x4", games=100))

    for name in ("a", "b", "second", "pupil"):
        train(name)
    assert [name for name, run in trainings._runs.items() if not run.given_up] == ["second", "pupil"]
    with pytest.raises(TooMany, match="2 networks from your address are training"):
        train("c")


class Training:
    """A training that never ends."""

    alive, given_up = True, False

    def give_up(self):
        self.given_up = True

    def __init__(self, kind, training, path, games, sparing):
        self.kind, self.training = kind, training

    def start(self): ...

    def view(self, since): ...


# --- Charts -----------------------------------------------------------------------------------------------------------


def test_a_chart_reads_what_it_draws_and_not_where_moves_are_written(tmp_path):
    with open_site(tmp_path) as site:
        browser = site.browser()
        game = long_game(browser)
        path = f"/api/games/{game['id']}"
        store = next(each for each in _stores() if each._path == tmp_path / "games.sqlite")
        read = []
        store.reader._db.set_trace_callback(read.append)
        with store.lock:  # somebody writes
            chart = browser.get(f"{path}/chart", params={"points": 5}).json()
        assert chart["plies"] == [0, 15, 30, 45, 60]
        assert chart["scores"][-1] == game["position"]["score"]
        assert not [text for text in read if "SELECT * FROM plies" in text]
        read.clear()
        assert browser.get(f"{path}/chart", params={"points": 5}).json() == chart
        assert not [text for text in read if "FROM plies" in text], "it is remembered"
        browser.post(f"{path}/cursor", json={"revision": game["revision"], "to": 30})
        asked = {"revision": game["revision"] + 1, "move": browser.get(path).json()["position"]["legal"][0]}
        browser.post(f"{path}/moves", json=asked)
        assert browser.get(f"{path}/chart").json()["plies"] == list(range(32)), "until the game changes"


def _stores():
    import gc

    from contienda.web.games.store import Store

    return [each for each in gc.get_objects() if type(each) is Store]  # isinstance asks dead proxies too


# --- The log ----------------------------------------------------------------------------------------------------------


def record(text, error=None):
    info = (type(error), error, None) if error else None
    return logging.LogRecord("asyncio", logging.ERROR, "", 0, text, (), info)


def test_the_log_has_only_so_many_lines_and_the_same_once():
    clock = Clock()
    bound = LogFilter(5, clock)
    assert [bound.filter(record("again")) for _ in range(100)] == [True] + [False] * 99
    assert sum(bound.filter(record(f"line {i}")) for i in range(100)) == 4
    clock.now += 60
    again = record("new")
    assert bound.filter(again)
    assert again.getMessage() == "new (+96)", "what was left out is counted: of the others, line 0 told"


def test_no_more_open_files_is_told_in_one_line():
    full = record("socket.accept() out of system resource", OSError(errno.EMFILE, "Too many open files"))
    assert LogFilter(5).filter(full)
    assert full.exc_info is None
    assert "limit of open files" in full.getMessage()


def test_work_goes_on_after_the_sockets_are_gone(tmp_path):
    """A socket that is lost in the midst of a search leaves nothing that runs."""
    with open_site(tmp_path) as site:
        browser = site.browser()
        for _ in range(3):
            with open_line(browser) as line:
                line.start("h", "hint", game="2048", position=BOARD, player="expectimax:depth=100")
        from website import searching

        wait_until(lambda: not searching())


@pytest.mark.parametrize("page", ["en/app.md", "es/app.md"])
def test_the_page_has_every_limit_with_its_default(page):
    told = {}
    for row in (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8").splitlines():
        if found := re.match(r"\| ((?:`\w+`(?:, )?)+) \| ([\d, ]+) \|", row):
            told |= dict(zip(re.findall(r"`(\w+)`", found[1]), map(int, found[2].split(", ")), strict=True))
    assert told == asdict(Limits())


# --- What is told -----------------------------------------------------------------------------------------------------


def test_no_message_says_where_the_server_keeps_its_files(tmp_path, monkeypatch):
    """Not where a file cannot be written, and not where a folder cannot be made."""
    with open_site(tmp_path) as site:
        browser = site.browser()
        (tmp_path / "lab").write_text("in the way")
        (tmp_path / "networks").write_text("in the way")
        plan = 'game = "2048"\nplayers = ["random"]\ngames = 1\n'
        for answer in (
            browser.post("/api/lab/runs", json={"plan": plan}),
            browser.put("/api/training/x", json={"network": "2x4"}),
        ):
            assert answer.status_code >= 400
            told = complaint(answer, answer.status_code)
            assert str(tmp_path) not in answer.text
            assert "cannot write" in told

        def full(*_):
            raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path / "x"))

        monkeypatch.setattr("contienda.web.training.trainings.Trainings.all", full)
        answer = browser.get("/api/training")
        assert "No space left on device" in complaint(answer, 507)
        assert str(tmp_path) not in answer.text
