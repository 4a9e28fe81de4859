"""Training in the app: started, watched, stopped, continued after the server was killed, and played with; within
limits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from website import Site, complaint, open_site, wait_until

TINY = {"network": "2x4", "method": "tc", "games": 300}
BOARD = "2 4 0 0/8 16 2 0/32 4 8 2/256 64 4 2"


def ended(browser, name, since=0):
    """The training as it stands when it has ended."""
    views = []

    def over() -> bool:
        views.append(browser.get(f"/api/training/{name}?since={since}").json())
        return views[-1]["status"] not in ("compiling", "running")

    wait_until(over, 120)
    return views[-1]


@contextmanager
def training(data: Path) -> Iterator[tuple[Site, TestClient]]:
    """A server, and a browser that has trained a network there."""
    with open_site(data) as site:
        browser = site.browser()
        begun = browser.put("/api/training/tiny", json=TINY)
        assert begun.status_code == 201
        assert begun.json()["status"] in ("compiling", "running")
        again = browser.put("/api/training/other", json=TINY)
        assert complaint(again, 429) == "tiny is training; you can train one network at a time"
        assert ended(browser, "tiny")["status"] == "finished"
        yield site, browser


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def trained(data):
    """For tests that leave it as it was."""
    with training(data) as both:
        yield both


def test_it_learns_and_tells_how(trained):
    _, browser = trained
    view = browser.get("/api/training/tiny").json()
    assert (view["games"], view["target"], view["network"], view["method"]) == (300, 300, "2x4", "tc")
    assert [point["games"] for point in view["curve"]] == list(range(20, 301, 20))
    assert view["curve"][-1]["mean"] > 2 * 1100  # random play makes some 1,100
    assert view["curve"][-1]["rates"].keys() == {"2048", "4096", "8192", "16384", "32768", "65536"}
    assert view["moves"] > 300 * 100
    assert view["board"]["text"].count("/") == 3
    later = browser.get("/api/training/tiny?since=12").json()
    assert (later["start"], later["curve"]) == (12, view["curve"][12:])


def test_it_is_kept_and_others_do_not_see_it(trained):
    site, browser = trained
    listed = browser.get("/api/training").json()
    assert listed["networks"] == [
        {
            "name": "tiny",
            "game": "2048",
            "network": "2x4",
            "method": "tc",
            "games": 300,
            "running": False,
            "error": None,
        }
    ]
    assert [offer["network"] for offer in listed["offers"] if offer["game"] == "2048"] == ["2x4", "4x5"]
    stranger = site.browser()
    assert stranger.get("/api/training").json()["networks"] == []
    assert complaint(stranger.get("/api/training/tiny"), 404) == "no network 'tiny' here"
    asked = {"game": "2048", "position": BOARD, "player": "champion:network=tiny"}
    assert complaint(stranger.post("/api/hint", json=asked), 404) == "no network 'tiny' here"


def test_it_goes_on_stops_goes_on_with_a_new_server_and_is_deleted(tmp_path):
    with training(tmp_path) as (_, browser):
        went_on = browser.post("/api/training/tiny/resume?games=10000000").json()
        assert went_on["games"] >= 300
        wait_until(lambda: browser.get("/api/training/tiny").json()["games"] > 340)
        assert complaint(browser.delete("/api/training/tiny")) == "tiny is training; stop it first"
        browser.post("/api/training/tiny/stop")
        before = ended(browser, "tiny")
        assert before["status"] == "stopped"
        assert 340 < before["games"] < 10_000_000
    with open_site(tmp_path) as site:
        again = site.browser()
        again.cookies = browser.cookies
        left = again.get("/api/training/tiny").json()
        assert (left["status"], left["games"], left["curve"]) == ("stopped", before["games"], before["curve"])
        games = left["games"] + 100
        assert again.post(f"/api/training/tiny/resume?games={games}").status_code == 200
        view = ended(again, "tiny")
        assert (view["status"], view["games"]) == ("finished", games)
        assert view["curve"][: len(left["curve"])] == left["curve"]
        assert again.delete("/api/training/tiny").status_code == 204
        assert again.get("/api/training").json()["networks"] == []
        complaint(again.get("/api/training/tiny"), 404)


@pytest.mark.parametrize("spec", ["champion:depth=3,network=tiny", "expectimax:depth=3,eval=ntuple:tiny"])
def test_it_plays(trained, spec):
    _, browser = trained
    asked = {"game": "2048", "position": BOARD, "player": spec}
    hint = browser.post("/api/hint", json=asked).json()
    assert hint["best"] in ("up", "right", "down", "left")
    assert hint["counters"]["depth"] == 3


@pytest.mark.parametrize("name", ["Tiny", "-x", "a.b", "x" * 32, "..", "%2e%2e"])
def test_names_are_names_and_no_paths(trained, name):
    _, browser = trained
    answer = browser.put(f"/api/training/{name}", json=TINY)
    assert answer.status_code in (404, 405, 422)
    for spec in (f"champion:network=../{name}", f"expectimax:eval=ntuple:/etc/{name}"):
        asked = {"game": "2048", "position": BOARD, "player": spec}
        assert "is not a valid name for a network" in complaint(browser.post("/api/hint", json=asked))


def test_what_is_there_is_not_overwritten(trained):
    _, browser = trained
    assert "a network 'tiny' already exists" in complaint(browser.put("/api/training/tiny", json=TINY))


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"network": "9x9"}, 422),
        ({"network": "4x6"}, 422),
        ({"games": 5}, 422),
        ({"method": "x"}, 422),
        ({"x": 1}, 422),
    ],
)
def test_what_cannot_be_is_refused(trained, change, status):
    _, browser = trained
    complaint(browser.put("/api/training/new", json=TINY | change), status)


def test_a_class_trains_small_ones(tmp_path):
    with open_site(tmp_path, "0.0.0.0") as site:
        browser = site.browser()
        assert [offer["network"] for offer in browser.get("/api/training").json()["offers"]] == ["2x4", "40x5"]
        answer = browser.put("/api/training/large", json=TINY | {"network": "4x5"})
        assert complaint(answer) == "4x5 takes 48 MB; the limit is 4"


def test_a_network_that_cannot_be_read_is_listed_with_the_reason(trained, data):
    _, browser = trained
    (sound,) = data.rglob("tiny.net")
    for name, content in (("cut", sound.read_bytes()[:3000]), ("noise", b"no network")):
        sound.with_name(f"{name}.net").write_bytes(content)
    listed = {each["name"]: each for each in browser.get("/api/training").json()["networks"]}
    assert listed["tiny"]["error"] is None
    assert listed["cut"]["error"]["en"] == "its file is incomplete or damaged (JSON): use an earlier copy"
    assert listed["noise"]["error"]["en"] == "its file is not a network file"
    for name in ("cut", "noise"):
        assert browser.delete(f"/api/training/{name}").status_code == 204


def test_networks_have_only_so_much_of_the_disk(tmp_path):
    with open_site(tmp_path, all_networks_disk=1) as site:
        first, second = site.browser(), site.browser()
        assert first.put("/api/training/tiny", json=TINY).status_code == 201
        ended(first, "tiny")
        refused = complaint(second.put("/api/training/other", json=TINY), 429)
        assert refused == "the networks here take more than 1 MB; delete one first"
        assert first.delete("/api/training/tiny").status_code == 204
        assert second.put("/api/training/other", json=TINY).status_code == 201
        ended(second, "other")


# --- A game for two ---------------------------------------------------------------------------------------------------


def test_connect_4_is_learnt_beside_2048(tmp_path):
    """Offered because the game says that it can be learned; measured by its points against a careful player."""
    with open_site(tmp_path) as site:
        browser = site.browser()
        offers = browser.get("/api/training").json()["offers"]
        assert {offer["game"] for offer in offers} == {"2048", "connect4"}
        assert next(offer["network"] for offer in offers if offer["game"] == "connect4") == "40x5"
        asked = {"game": "connect4", "network": "40x5", "method": "tc", "games": 400}
        assert browser.put("/api/training/four", json=asked).status_code == 201
        view = ended(browser, "four")
        assert (view["status"], view["game"], view["games"]) == ("finished", "connect4", 400)
        assert [point["games"] for point in view["curve"]] == [100, 200, 300, 400]
        assert all(0 <= point["mean"] <= 100 and set(point["rates"]) == {"won", "drawn"} for point in view["curve"])
        assert view["board"]["picture"]["columns"] == 7
        (kept,) = browser.get("/api/training").json()["networks"]
        assert (kept["name"], kept["game"], kept["network"], kept["games"]) == ("four", "connect4", "40x5", 400)
        assert browser.post("/api/training/four/resume?games=500").status_code == 200
        assert ended(browser, "four")["games"] == 500
        for game, network, told in (
            ("connect4", "2x4", "no network '2x4'; choose one of 40x5"),
            ("2048", "40x5", "no network '40x5'; choose one of 2x4"),
            ("othello", "2x4", "othello cannot be learned"),
        ):
            refused = browser.put("/api/training/x", json=asked | {"game": game, "network": network})
            assert told in complaint(refused)
