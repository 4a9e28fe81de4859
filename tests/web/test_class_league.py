"""The live league of a class: the teacher begins it, pupils hand in, everybody watches, nobody else."""

from __future__ import annotations

import asyncio
import json
from contextlib import contextmanager

import pytest
from website import complaint, open_site, wait_until

from contienda.core.language import BadInput
from contienda.league import Hosts
from contienda.league import live as module
from contienda.players import make_player
from contienda.web.classroom import league as class_league
from contienda.web.classroom.classroom import class_settings
from contienda.web.searches.heuristics import Heuristics

CODE, PASSWORD = "AB2C3D", "open sesame"
SOURCE = "def mine(board, weights):\n    return 1.0\n"


class _Here(Hosts):
    """Players in this process, random ones: `tests/league` shows the processes."""

    @contextmanager
    def player(self, competitor, stop):
        yield make_player("random", self._game)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "Hosts", _Here)
        patch.setattr("contienda.web.errors._PENANCE", 0.0)
        patch.setattr(class_league, "_BETWEEN", 0.0)
        patch.setattr(class_league, "_PACE", 0.05)
        patch.setattr(class_league, "NEWS_SECONDS", 2.0)
        settings = class_settings(CODE, PASSWORD)
        with open_site(tmp_path_factory.mktemp("league"), host="0.0.0.0", classroom=settings) as site:
            yield site


@pytest.fixture(scope="module")
def teacher(site):
    teacher = site.browser()
    assert teacher.post("/api/class/teach", json={"password": PASSWORD}).json()["teacher"] is True
    return teacher


@pytest.fixture
def league(site, teacher):
    asked = {"game": "tictactoe", "depth": 2, "games": 2, "staff": ["greedy"]}
    assert teacher.put("/api/class/league", json=asked).status_code == 204
    yield teacher
    assert teacher.delete("/api/class/league").status_code == 204


def _pupil(site, name, heuristic="mine", game="tictactoe"):
    pupil = site.browser()
    pupil.post("/api/class/join", json={"code": CODE, "name": name})
    folder = site.app.state.folder / "heuristics" / _id_of(site, name)
    folder.mkdir(parents=True, exist_ok=True)  # `test_safety` shows how one gets there
    (folder / f"{heuristic}.safe.py").write_text(f"# game: {game}; function: mine\n{SOURCE}")
    return pupil


def _id_of(site, name):
    return next(browser for browser, member in site.app.state.classroom.members.items() if member.name == name)


def _table(browser):
    return {row["name"]: row for row in browser.get("/api/class/league").json()["table"]}


def test_pupils_hand_in_and_the_ladder_moves(site, league):
    ana, bob = _pupil(site, "Ana"), _pupil(site, "Bob")
    assert ana.get("/api/class").json()["league"] == "tictactoe"
    for pupil in (ana, bob):
        assert pupil.post("/api/class/league/submission", json={"heuristic": "mine"}).status_code == 204
    wait_until(lambda: ana.get("/api/class/league").json()["left"] == 0 and len(_table(ana)) == 3, 30)
    wait_until(lambda: all(row["games"] for row in _table(ana).values()), 30)
    news = bob.get("/api/class/league").json()
    assert (news["game"], news["depth"]) == ("tictactoe", 2)
    assert {name: row["staff"] for name, row in _table(bob).items()} == {"Ana": False, "Bob": False, "greedy": True}
    last = news["recent"][0]
    copied = bob.post(f"/api/class/league/games/{last['number']}")
    assert copied.status_code == 201
    game = bob.get(f"/api/games/{copied.json()['id']}").json()
    assert (game["players"], game["length"]) == (last["players"], last["moves"])
    assert "no longer kept" in complaint(bob.post("/api/class/league/games/9999999"))
    assert ana.delete("/api/class/league/submission").status_code == 204
    wait_until(lambda: "Ana" not in _table(bob), 10)
    league.post("/api/class/teacher", json={"remove": "Bob"})
    wait_until(lambda: "Bob" not in _table(league), 10)


def test_what_does_not_fit_is_refused(site, league, monkeypatch):
    eva = _pupil(site, "Eva", heuristic="other", game="2048")
    refusals = [
        (eva.post("/api/class/league/submission", json={"heuristic": "other"}), 422, "is for 2048; the league plays"),
        (eva.post("/api/class/league/submission", json={"heuristic": "none"}), 404, "no heuristic"),
        (league.post("/api/class/league/submission", json={"heuristic": "mine"}), 403, "as a pupil"),
        (eva.put("/api/class/league", json={"game": "tictactoe"}), 403, "only the teacher"),
        (eva.delete("/api/class/league"), 403, "only the teacher"),
        (site.browser().get("/api/class/league"), 403, "join the class first"),
        (league.put("/api/class/league", json={"game": "chess"}), 422, "no game"),
        (league.put("/api/class/league", json={"game": "tictactoe", "staff": ["champion"]}), 422, "champion"),
        (league.put("/api/class/league", json={"game": "tictactoe", "staff": ["x.py:f"]}), 422, "no player"),
        (league.put("/api/class/league", json={"game": "tictactoe", "depth": 99}), 422, "too large"),
    ]
    for answer, status, told in refusals:
        assert told in complaint(answer, status)
    (site.app.state.folder / "heuristics" / _id_of(site, "Eva") / "mine.safe.py").write_text(
        f"# game: tictactoe; function: mine\n{SOURCE}"
    )
    league.post("/api/class/teacher", json={"frozen": True})
    paused = eva.post("/api/class/league/submission", json={"heuristic": "mine"})
    assert "paused" in complaint(paused, 403)
    league.post("/api/class/teacher", json={"frozen": False})
    monkeypatch.setattr(class_league, "_BETWEEN", 60.0)
    assert eva.post("/api/class/league/submission", json={"heuristic": "mine"}).status_code == 204
    again = eva.post("/api/class/league/submission", json={"heuristic": "mine"})
    assert "a moment ago" in complaint(again, 429)


class _Killed:
    """A table whose process dies while it is asked for news, once."""

    def __init__(self, order):
        self.submitted = []

    def check(self): ...

    def close(self): ...

    def pause(self, paused): ...

    def submit(self, *handed):
        self.submitted.append(handed)

    def news(self, after):
        if len(self.submitted) == 2:
            self.submitted.clear()
            raise BadInput("the worker process was killed")
        return after + 1, json.dumps({"table": [owner for owner, *_ in self.submitted]})


async def _played_by_a_process_that_is_killed():
    league = class_league.ClassLeague(apart=False, told=lambda: None)
    await league.open(class_league.ClassLeagueOrder("tictactoe", 2, 2, (), 1))
    for owner in ("ana", "bob", "eva"):
        await league.submit(owner, owner.title(), SOURCE, "mine")
        await asyncio.sleep(0.2)
    news = json.loads(await league.news(-1))
    await league.close()
    return news


def test_what_was_handed_in_survives_the_process_that_plays(monkeypatch):
    monkeypatch.setattr("contienda.web.classroom.league_table.LeagueTable", _Killed)
    monkeypatch.setattr(class_league, "_PACE", 0.01)
    assert asyncio.run(_played_by_a_process_that_is_killed())["table"] == ["ana", "bob", "eva"]


def test_without_a_league_the_api_says_so(site, teacher):
    assert "there is no league now" in complaint(teacher.get("/api/class/league"), 404)
    assert teacher.get("/api/class").json()["league"] is None


def test_only_the_safe_subset_is_handed_in(tmp_path):
    heuristics = Heuristics(tmp_path, None, None, None, all_of_python=True)  # type: ignore[arg-type]
    (tmp_path / "ana").mkdir()
    (tmp_path / "ana" / "mine.py").write_text(f"# game: 2048\n{SOURCE}")
    with pytest.raises(Exception, match="safe subset"):
        heuristics.submission("ana", "mine")
