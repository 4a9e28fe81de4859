"""Games on disk: what was answered is kept, whatever happens to the disk, to the file, or between two windows."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
from website import complaint, open_line, open_site

from contienda.core.language import BadInput
from contienda.web.games.reader import Forfeited, Ply, Row
from contienda.web.games.store import Store


@pytest.fixture
def stores(monkeypatch):
    """The stores that servers open in this test."""
    opened = []

    class Noted(Store):
        def __init__(self, folder):
            super().__init__(folder)
            opened.append(self)

    monkeypatch.setattr("contienda.web.app.Store", Noted)
    return opened


def row(**changes):
    return Row(**({"client": "c", "spec": "2048", "seed": 1, "target": None, "players": ["human"], "start": (1, 0),
                   "luck": 2**64 - 1} | changes))  # fmt: skip


def ply(number, by="human"):
    return Ply([number, 2], by, 1.5, number, (number, -number), 2**64 - number)


def test_a_store_gives_back_what_it_took(tmp_path):
    store = Store(tmp_path)
    game = store.add(row(name="ñ", saved=True, target=2048), [ply(1), ply(2)])
    changed = store.append(game, ply(3))
    assert (changed.cursor, changed.length, changed.revision) == (3, 3, 1)
    assert store.append(game, ply(9)) is None, "an old revision"
    store.close()
    again = Store(tmp_path)
    assert again.game("c", game.id) == changed
    assert again.plies(game.id) == [ply(1), ply(2), ply(3)]
    assert again.plies(game.id, 2, 2) == [ply(2)]
    back = again.change(changed, cursor=1)
    assert again.ply_at(back) == ply(1)
    forked = again.append(back, ply(7))
    assert again.plies(game.id) == [ply(1), ply(7)], "what had been undone is gone"
    assert (forked.cursor, forked.length) == (2, 2)
    again.delete("c", game.id)
    assert again.plies(game.id) == [], "its moves go with it"
    again.close()


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to be one" * 100, b"SQLite format 3\0x"])
def test_a_file_that_is_no_database(tmp_path, content):
    (tmp_path / "games.sqlite").write_bytes(content)
    with pytest.raises(BadInput, match=r"cannot use .*games\.sqlite: .* choose another folder with --data"):
        Store(tmp_path)
    assert (tmp_path / "games.sqlite").read_bytes() == content, "left as it is"


def test_a_file_of_another_version(tmp_path):
    Store(tmp_path).close()
    with sqlite3.connect(tmp_path / "games.sqlite") as file:
        file.execute("PRAGMA user_version = 7")
    file.close()
    with pytest.raises(BadInput, match="it is of version 7, and this Contienda knows version 2"):
        Store(tmp_path)


def test_a_file_of_the_first_version_is_brought_up_to_date(tmp_path):
    old = Store(tmp_path)
    game = old.add(row(name="old", saved=True), [ply(1)])
    old.close()
    with sqlite3.connect(tmp_path / "games.sqlite") as file:
        file.execute("ALTER TABLE games DROP COLUMN forfeit")
        file.execute("PRAGMA user_version = 1")
    file.close()
    new = Store(tmp_path)
    assert new.game("c", game.id) == game
    lost = Forfeited(1, 0, "it died", "murió")
    assert new.change(game, forfeit=lost).forfeit == lost
    new.close()


def test_a_folder_that_is_none(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInput, match="cannot write"):
        Store(tmp_path / "file")


def test_a_server_that_starts_again_has_every_game(tmp_path):
    with open_site(tmp_path) as site:
        visitor = site.browser()
        cookies = dict(visitor.cookies)
        game = visitor.post("/api/games", json={"seed": "1", "game": "connect4"}).json()
        game = visitor.post(f"/api/games/{game['id']}/moves", json={"revision": 0, "move": "4"}).json()["game"]
    with open_site(tmp_path) as site:
        visitor = site.browser()
        visitor.cookies.clear()
        visitor.cookies.update(cookies)
        assert visitor.get(f"/api/games/{game['id']}").json() == game


def test_a_full_disk_refuses_and_loses_nothing(tmp_path, stores):
    with open_site(tmp_path) as site:
        visitor = site.browser()
        game = visitor.post("/api/games", json={"seed": "1"}).json()
        (store,) = stores
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count = {pages}")
        path = f"/api/games/{game['id']}"
        while True:  # until the page at hand is full
            name = game["position"]["legal"][0]
            answer = visitor.post(f"{path}/moves", json={"revision": game["revision"], "move": name})
            if answer.status_code != 200:
                break
            game = answer.json()["game"]
        assert "this was not saved; nothing has changed: database or disk is full" in complaint(answer, 507)
        assert visitor.get(path).json() == game
        complaint(visitor.post(f"{path}/save", json={}), 507)
        with open_line(visitor) as line:
            failed = line.failure("move", 507, id=game["id"], revision=game["revision"], player="random")
        assert "free some disk space" in failed
        assert visitor.get(path).json() == game
        store._db.execute("PRAGMA max_page_count = 1000000")
        answer = visitor.post(f"{path}/moves", json={"revision": game["revision"], "move": name})
        assert answer.json()["game"]["cursor"] == game["cursor"] + 1


@pytest.mark.parametrize(
    "trouble", [sqlite3.OperationalError("attempt to write a readonly database"), sqlite3.DatabaseError("malformed")]
)
def test_trouble_with_the_file_is_told(tmp_path, stores, monkeypatch, trouble):
    with open_site(tmp_path) as site:
        visitor = site.browser()
        game = visitor.post("/api/games", json={"seed": "1"}).json()

        def fail(*_):
            raise trouble

        with monkeypatch.context() as broken:
            broken.setattr(stores[0], "_update", fail)
            answer = visitor.post(f"/api/games/{game['id']}/moves", json={"revision": 0, "move": "left"})
            assert str(trouble) in complaint(answer, 507)
        answer = visitor.post(f"/api/games/{game['id']}/moves", json={"revision": 0, "move": "left"})
        assert answer.status_code == 200, "no transaction was left open"


def test_of_many_at_once_one_is_first(tmp_path):
    """Eight windows make every move at once: each move is made once, and the others are told how the game stands."""
    with open_site(tmp_path) as site, ThreadPoolExecutor(8) as windows:
        visitor = site.browser()
        game = visitor.post("/api/games", json={"seed": "1"}).json()
        path = f"/api/games/{game['id']}"
        for cursor in range(1, 13):
            asked = {"revision": game["revision"], "move": game["position"]["legal"][0]}
            answers = list(windows.map(lambda _, asked=asked: visitor.post(f"{path}/moves", json=asked), range(8)))
            assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
            (game,) = (answer.json()["game"] for answer in answers if answer.status_code == 200)
            assert all(answer.json()["game"] == game for answer in answers)
            assert game["cursor"] == game["length"] == cursor


def test_reading_while_another_window_goes_back_and_forth(tmp_path):
    """A game that is read in the midst of changes is as it was at one moment: its position is that of its cursor."""
    with open_site(tmp_path) as site, ThreadPoolExecutor(4) as windows:
        visitor = site.browser()
        game = visitor.post("/api/games", json={"seed": "1"}).json()
        path = f"/api/games/{game['id']}"
        known = {0: game["position"]}

        def read(_):
            seen = visitor.get(path).json()
            return seen["cursor"], seen["position"]

        readings = []
        for turn in range(24):
            readings += [windows.submit(read, None) for _ in range(4)]
            if turn % 4 == 3:
                asked = {"revision": game["revision"], "to": 0}
                game = visitor.post(f"{path}/cursor", json=asked).json()
            else:
                asked = {"revision": game["revision"], "move": game["position"]["legal"][0]}
                game = visitor.post(f"{path}/moves", json=asked).json()["game"]
                known[game["cursor"]] = game["position"]
        for reading in readings:
            cursor, position = reading.result()
            assert position == known[cursor]
