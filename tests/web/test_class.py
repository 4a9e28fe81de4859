"""A class: who may join, what the teacher can do, and what nobody else can."""

from __future__ import annotations

import sys
import threading

import pytest
from drive import contienda
from starlette.testclient import WebSocketDenialResponse
from website import complaint, open_line, open_site, wait_until

from contienda.web.classroom.addresses import make_certificate, own_addresses, qr_svg, qr_text
from contienda.web.classroom.classroom import class_settings

CODE, PASSWORD = "AB2 C3D", "open sesame"
BOARD = "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    settings = class_settings(CODE, PASSWORD, ("http://192.0.2.7:2048/",))
    with open_site(tmp_path_factory.mktemp("class"), host="0.0.0.0", classroom=settings) as site:
        yield site


@pytest.fixture
def room(site, monkeypatch):
    monkeypatch.setattr("contienda.web.errors._PENANCE", 0.0)
    room = site.app.state.classroom
    yield room
    room.frozen = room.ended = False
    room.members.clear()
    room._teachers.clear()
    for buckets in (room._browsers, room._addresses, room._passwords, room._all_passwords):
        buckets._levels.clear()


def join(browser, name, code="ab2-c3d"):
    return browser.post("/api/class/join", json={"code": code, "name": name})


def a_teacher(site):
    teacher = site.browser()
    assert teacher.post("/api/class/teach", json={"password": PASSWORD}).json()["teacher"] is True
    return teacher


def test_nobody_gets_in_without_the_code(site, room):
    pupil = site.browser()
    assert pupil.get("/").status_code == 200  # the page asks for it
    assert pupil.get("/api/class").json()["joined"] is False
    for answer in (
        pupil.get("/api/catalogue"), pupil.post("/api/games", json={}), pupil.get("/api/heuristics"),
        pupil.post("/api/hint", json={"game": "2048", "position": BOARD, "player": "greedy"}),
    ):  # fmt: skip
        assert "join the class first" in complaint(answer, 403)
        assert answer.json()["join"] is True
    with pytest.raises(WebSocketDenialResponse), open_line(pupil):
        pass
    assert "not the code" in complaint(join(pupil, "Ana", "AAAAAA"), 403)
    assert complaint(join(pupil, " "), 422) == "write your name"
    assert "cannot be shown" in complaint(join(pupil, "Eli\u202e"), 422)
    assert join(pupil, "Ana").json()["name"] == "Ana"
    assert pupil.post("/api/games", json={}).status_code == 201
    assert "somebody is here as Ana" in complaint(join(site.browser(), "Ana"))


def test_guessing_the_code_or_the_password_is_slow(site, room):
    guesser = site.browser()
    answers = [join(guesser, "Eve", f"AAAA{i:02}").status_code for i in range(8)]
    assert answers[:5] == [403] * 5
    assert set(answers[5:]) == {429}
    tries = [site.browser().post("/api/class/teach", json={"password": f"guess{i}"}).status_code for i in range(8)]
    assert tries[:5] == [403] * 5
    assert set(tries[5:]) == {429}, "of an address, whoever asks: a new name does not help"


def test_the_password_is_nowhere(site):
    settings = site.app.state.classroom.settings
    assert PASSWORD.encode() not in settings.password_hash + settings.salt
    assert PASSWORD not in repr(settings)


def test_pupils_cannot_do_what_the_teacher_does(site, room):
    pupil = site.browser()
    join(pupil, "Ana")
    for answer in (
        pupil.get("/api/class/teacher"), pupil.post("/api/class/teacher", json={"end": True}),
        pupil.post("/api/class/teacher", json={"frozen": True}),
        pupil.post("/api/class/teacher", json={"send": "#/tree"}),
    ):  # fmt: skip
        assert "only the teacher" in complaint(answer, 403)
    assert not room.frozen
    assert not room.ended


def test_the_teacher_sees_who_is_there_and_sends_them_a_page(site, room):
    teacher, pupil = a_teacher(site), site.browser()
    join(pupil, "Ana")
    pupil.post("/api/games", json={})
    seen = teacher.get("/api/class/teacher").json()
    assert [(each["name"], each["doing"]) for each in seen["pupils"]] == [("Ana", "play")]
    assert (seen["code"], seen["addresses"]) == ("AB2C3D", ["http://192.0.2.7:2048/"])
    version = pupil.get("/api/class").json()["version"]
    news = []
    waiting = threading.Thread(target=lambda: news.append(pupil.get(f"/api/class?after={version}").json()))
    waiting.start()
    link = "http://192.0.2.7:2048/#/at?game=connect4&position=4453"
    assert teacher.post("/api/class/teacher", json={"send": link}).status_code == 204
    waiting.join(10)
    assert (news[0]["sent"], news[0]["sent_number"]) == ("#/at?game=connect4&position=4453", 1)
    for wrong, told in (
        ("http://evil.example/", "not an address of the app"),
        ("javascript:alert(1)", "not an address of the app"),
        ("#/play/0123", "pupils cannot open this page of yours"),
        ("#/class", "pupils cannot open this page of yours"),
    ):
        assert told in complaint(teacher.post("/api/class/teacher", json={"send": wrong}))
    teacher.post("/api/class/teacher", json={"remove": "Ana"})
    assert "join the class first" in complaint(pupil.post("/api/games", json={}), 403)


def test_a_frozen_class_does_nothing_and_goes_on_where_it_was(site, room):
    teacher, pupil = a_teacher(site), site.browser()
    join(pupil, "Ana")
    game = pupil.post("/api/games", json={}).json()
    with open_line(pupil) as line:
        teacher.post("/api/class/teacher", json={"frozen": True})
        move = {"revision": 0, "move": game["position"]["legal"][0]}
        answer = pupil.post(f"/api/games/{game['id']}/moves", json=move)
        assert "paused" in complaint(answer, 423)
        assert pupil.get(f"/api/games/{game['id']}").status_code == 200
        line.start("held", "hint", game="2048", position=BOARD, player="greedy")
        assert teacher.post("/api/games", json={}).status_code == 201
        assert site.app.state.analyst.searches == 0
        teacher.post("/api/class/teacher", json={"frozen": False})
        assert line.result_of("held")["best"]
    assert pupil.post(f"/api/games/{game['id']}/moves", json=move).status_code == 200


def test_the_class_ends_for_all(site, room):
    ended = threading.Event()
    room.end = ended.set
    teacher, pupil = a_teacher(site), site.browser()
    join(pupil, "Ana")
    teacher.post("/api/class/teacher", json={"end": True})
    assert "the class has ended" in complaint(pupil.get("/api/games"), 403)
    assert pupil.get("/api/class").json()["ended"] is True
    wait_until(ended.is_set, 10)


def test_a_class_behind_a_proxy_has_the_rights_of_remote_users(tmp_path):
    """It comes from the loopback address: that makes nobody the user of this machine."""
    with open_site(tmp_path, classroom=class_settings(CODE, PASSWORD)) as site:
        pupil = site.browser()
        join(pupil, "Ana")
        assert pupil.get("/api/catalogue").json()["safe_heuristics"] is True
        asked = {"game": "2048", "source": "import os\ndef f(board, weights):\n    return 1\n"}
        assert "import is not allowed" in complaint(pupil.put("/api/heuristics/f", json=asked))
        assert "network" in complaint(pupil.post("/api/open", json={"game": "nim.py:Nim"}), 403)


def test_a_server_without_a_class_says_so(tmp_path):
    with open_site(tmp_path) as site:
        browser = site.browser()
        assert browser.get("/api/class").json()["open"] is False
        assert browser.post("/api/class/join", json={"code": "x", "name": "y"}).status_code in (404, 405)


def test_https_without_its_extra_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    told = contienda("class", "--https", "--no-browser", "--data", tmp_path / "class").complaint
    assert "pip install 'contienda[class]'" in told
    assert not list(tmp_path.iterdir())


def test_addresses_codes_and_certificates(tmp_path):
    assert own_addresses("10.0.0.5") == ["10.0.0.5"]
    assert own_addresses("0.0.0.0")
    drawn = qr_svg("http://192.0.2.7:2048/")
    assert drawn is not None
    assert drawn.startswith(b"<?xml")
    assert (qr_text("http://192.0.2.7:2048/") or "").count("\n") > 10
    certificate, key = make_certificate(tmp_path, ["192.0.2.7"])
    assert b"BEGIN CERTIFICATE" in certificate.read_bytes()
    assert key.stat().st_mode & 0o077 == 0
