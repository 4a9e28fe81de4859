"""Who may ask, and for what: other sites, other names of this machine, other people's files, other people's Python."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse
from website import complaint, open_line, open_site, searching, wait_until

BOARD = "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def site(folder):
    with open_site(folder, upload_bytes=200_000) as site:
        yield site


@pytest.fixture(scope="module")
def classroom(tmp_path_factory):
    with open_site(tmp_path_factory.mktemp("class"), host="0.0.0.0") as site:
        yield site


@pytest.fixture
def visitor(site):
    return site.browser()


# --- Hosts and origins ------------------------------------------------------------------------------------------------

OWN = ["localhost:2048", "localhost", "LOCALHOST:2048", "127.0.0.1:2048", "127.8.9.1", "[::1]:2048", "[::1]"]
FOREIGN = [
    "evil.example", "evil.example:2048", "localhost.evil.example", "127.0.0.1.evil.example:2048", "192.168.1.7:2048",
    "[2001:db8::1]:2048", "", "localhost@evil.example", "::1", "0x7f.1", "[::1", "localhost:2048:2048",
]  # fmt: skip


def opens_socket(browser, **headers):
    try:
        with browser.websocket_connect("ws://localhost:2048/api/live", headers=headers):
            return True
    except WebSocketDenialResponse as refused:
        return refused.status_code != 403


@pytest.mark.parametrize("host", OWN)
def test_this_machine_by_its_own_names(visitor, host):
    for headers in ({"host": host}, {"host": host, "origin": f"http://{host.lower()}"}):
        assert visitor.get("/api/games", headers=headers).status_code == 200
        assert opens_socket(visitor, **headers)


@pytest.mark.parametrize("host", FOREIGN)
def test_a_name_that_somebody_points_at_this_machine(visitor, host):
    """DNS rebinding: page and server then have one name, which is not ours."""
    for headers in ({"host": host}, {"host": host, "origin": f"http://{host}"}):
        answer = visitor.get("/api/games", headers=headers)
        assert "only answers requests from its own pages" in complaint(answer, 403)
        assert not opens_socket(visitor, **headers)


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "", "http://localhost", "http://localhost:3000", "http://127.0.0.1:2048",
     "http://localhost:2048.evil.example", "http://evil.example/localhost:2048", "file://", "localhost:2048",
     "chrome-extension://localhost:2048", "http://x@localhost:2048"],
)  # fmt: skip
def test_a_page_of_another_site(visitor, origin):
    for method, path in [("GET", "/api/games"), ("POST", "/api/games"), ("DELETE", "/api/games/x"), ("GET", "/")]:
        answer = visitor.request(method, path, headers={"origin": origin})
        assert "only answers requests from its own pages" in complaint(answer, 403)
        assert "access-control-allow-origin" not in answer.headers
        assert "set-cookie" not in answer.headers
    assert not opens_socket(visitor, origin=origin)


@pytest.mark.parametrize("place", ["cross-site", "same-site"])
def test_what_another_site_embeds_or_links(visitor, place):
    headers = {"sec-fetch-site": place}
    assert visitor.get("/api/games", headers=headers | {"sec-fetch-mode": "no-cors"}).status_code == 403
    frame = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
    assert visitor.get("/", headers=headers | frame).status_code == 403
    link = headers | {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert visitor.post("/api/games", headers=link, json={}).status_code == 403
    # A shared position is a link that somebody follows, and stays who they are: the cookie comes along.
    answer = visitor.get("/", headers=link)
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    for own in ("same-origin", "none"):
        assert visitor.get("/api/games", headers={"sec-fetch-site": own}).status_code == 200


def test_a_class_comes_by_any_address_of_the_machine_and_by_no_foreign_name(classroom):
    pupil = classroom.browser()
    for host in ("192.168.1.7:2048", "[2001:db8::1]:2048", "localhost:2048", "10.0.0.1"):
        assert pupil.get("/api/games", headers={"host": host, "origin": f"http://{host}"}).status_code == 200
    for host in ("evil.example", "", "10.0.0.1.evil.example"):
        assert pupil.get("/api/games", headers={"host": host}).status_code == 403
    assert pupil.get("/api/games", headers={"host": "10.0.0.1", "origin": "http://10.0.0.2"}).status_code == 403


# --- Every answer -----------------------------------------------------------------------------------------------------


def test_every_answer_has_its_policy(visitor):
    answers = [
        visitor.get("/"), visitor.get("/nothing"), visitor.get("/api/catalogue"), visitor.get("/api/openapi.json"),
        visitor.get("/api/games/x"), visitor.post("/api/games", json=[]), visitor.get("/", headers={"host": "x"}),
        visitor.post("/api/games/file", content=b"x" * 200_001), visitor.put("/api/games"),
    ]  # fmt: skip
    assert [answer.status_code for answer in answers] == [200, 404, 200, 200, 404, 422, 403, 413, 405]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-cache"
        if answer.status_code >= 400:
            complaint(answer, answer.status_code)


def test_nothing_on_the_page_is_inline_or_from_elsewhere(visitor):
    page = visitor.get("/").text
    assert "http://" not in page
    assert "https://" not in page
    assert "<script>" not in page
    assert " style=" not in page
    for path in ("/docs", "/redoc", "/openapi.json"):
        assert visitor.get(path).status_code == 404


def test_the_cookie(site):
    fresh = TestClient(site.app, base_url="http://localhost:2048")
    fresh.portal = site.browser().portal
    cookie = fresh.get("/").headers["set-cookie"]
    value = cookie.partition("=")[2].partition(";")[0]
    name, _, signature = value.partition(".")
    assert (len(name), len(signature)) == (24, 32)
    assert cookie.split("; ")[1:] == ["Path=/", "Max-Age=31536000", "HttpOnly", "SameSite=Lax"]
    encrypted = TestClient(site.app, base_url="https://localhost:2048")
    encrypted.portal = fresh.portal
    assert encrypted.get("/").headers["set-cookie"].endswith("; Secure")
    assert "set-cookie" not in fresh.get("/").headers
    others = [f"{'0' * 24}.{signature}", f"{name}.{'0' * 32}", f"{name}.", name, value.upper(), value + "0"]
    for forged in ("x", "../../etc/passwd", "A" * 32, "0" * 31, "0" * 32, "0" * 33, "", *others):
        answer = fresh.get("/api/games", headers={"cookie": f"contienda={forged}"})
        assert answer.status_code == 200
        assert "set-cookie" in answer.headers, "a name that we did not give is not taken"


# --- Bodies and paths -------------------------------------------------------------------------------------------------


def test_bodies_that_are_too_large(visitor):
    assert complaint(visitor.post("/api/games/file", content=b"x" * 200_001), 413) == "the request is too large"
    for path in ("/api/games/file", "/api/games", "/api/hint"):
        pieces = (b"x" * 50_000 for _ in range(5))  # none of which tells the length
        answer = visitor.post(path, content=pieces, headers={"content-type": "application/json"})
        assert complaint(answer, 413) == "the request is too large"
    for length in ("-1", "x", "9" * 20, "1e9"):
        answer = visitor.post("/api/games", content=b"{}", headers={"content-length": length})
        assert complaint(answer, 413) == "the request is too large"


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (b"", "the request is missing"),
        (b"{", "is not JSON"),
        (b"[]", "must be a JSON object"),
        (b"null", "must be a JSON object"),
        (b"7", "must be a JSON object"),
        (b"\xff", "is not valid JSON"),
        (b"[" * 100_000, "is not valid JSON"),
        (b'{"score": ' + b"9" * 5000 + b"}", "is not valid JSON"),
        (b'{"score": NaN}', "score"),
        (b'{"score": Infinity}', "score"),
        (b'{"game": "\\ud800"}', "game"),
        (b'{"\\ud800": 1}', "JSON object"),
        (b'{"game": "\\u0000"}', "no game"),
        (b'{"copy": "\\u0000", "ply": 1}', "no game"),
        (b'{"position": "\\u0000"}', "rows"),
    ],
)
def test_bodies_that_are_no_request(visitor, body, names):
    answer = visitor.post("/api/games", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 404, 422)
    assert names in complaint(answer, answer.status_code)


@pytest.mark.parametrize(
    "path",
    [
        "/../app.py", "/..%2fapp.py", "/%2e%2e/app.py", "/..%5capp.py", "/static/..%2f..%2fapp.py", "//etc/passwd",
        "/%2fetc%2fpasswd", "/etc/passwd", "/%00", "/index.html%00.js", "/" + "a" * 4000, "/%ff%fe", "/con",
        "/api/games/..%2f..%2fgames.sqlite", "/api/games/%00", "/api/games/" + "a" * 3000, "/api/games/../../app.py",
        "/api/heuristics/..%2fx", "/api/nothing", "/games.sqlite",
    ],
)  # fmt: skip
def test_paths_lead_nowhere(visitor, path):
    answer = visitor.get(path)
    assert answer.status_code in (404, 422)
    complaint(answer, answer.status_code)


# --- Files of this machine --------------------------------------------------------------------------------------------

FILES = ["/etc/passwd:f", "./mine.py:f", "mine.py:f", "os:getcwd", "..\\mine.py:f", "mine/../../x", "mine/x.py:f"]


@pytest.mark.parametrize("file", FILES)
def test_no_spec_names_a_file_or_a_module(visitor, file):
    told = ("file names are not allowed here", "is not a valid name for a heuristic")
    player = f"greedy:eval={file}"

    def refused(text):
        assert any(words in text for words in told), text

    game = visitor.post("/api/games", json={}).json()
    refused(complaint(visitor.post("/api/games", json={"players": [player]})))
    refused(complaint(visitor.post("/api/games", json={"copy": game["id"], "players": [player]})))
    refused(complaint(visitor.patch(f"/api/games/{game['id']}", json={"revision": 0, "players": [player]})))
    refused(complaint(visitor.post("/api/hint", json={"game": "2048", "position": BOARD, "player": player})))
    refused(complaint(visitor.get(f"/api/games/{game['id']}/chart", params={"evaluator": file})))
    with open_line(visitor) as line:
        refused(line.failure("hint", game="2048", position=BOARD, player=player))
        refused(line.failure("move", id=game["id"], revision=0, player=player))
        refused(line.failure("batch", game="2048", players=[player], games=2))
        refused(line.failure("solution", game="2048", player=f"astar:h={file}", target=64))
        refused(line.failure("solution", game="2048", player=f"backtracking:eval={file}", target=64))


# --- Heuristics -------------------------------------------------------------------------------------------------------

GOOD = """from contienda.games.g2048.helpers import empty

def room(board, weights):
    return 10.0 * empty(board)
"""


def put(visitor, name, source, game="2048"):
    return visitor.put(f"/api/heuristics/{name}", json={"game": game, "source": source})


def test_a_heuristic_is_compiled_kept_and_played(site, visitor, folder):
    kept = {"name": "room", "game": "2048", "source": GOOD, "eval": "mine/room"}
    assert put(visitor, "room", GOOD).json() == kept
    assert visitor.get("/api/heuristics").json() == [kept]
    assert visitor.get("/api/heuristics/room").json() == kept
    asked = {"game": "2048", "position": BOARD, "player": "greedy:eval=mine/room"}
    found = visitor.post("/api/hint", json=asked).json()
    assert [move["value"] for move in found["moves"]] == sorted((m["value"] for m in found["moves"]), reverse=True)
    assert found["moves"][0]["value"] == 10 * 9
    # A new version counts at once, and one that does not compile leaves the old one in its place.
    put(visitor, "room", GOOD.replace("10.0", "20.0"))
    assert visitor.post("/api/hint", json=asked).json()["moves"][0]["value"] == 20 * 9
    complaint(put(visitor, "room", "def room(board, weights): return nothing"))
    assert visitor.post("/api/hint", json=asked).json()["moves"][0]["value"] == 20 * 9
    # It is this browser's own.
    other = site.browser()
    assert other.get("/api/heuristics").json() == []
    assert "no heuristic 'room'" in complaint(other.post("/api/hint", json=asked), 404)
    assert visitor.delete("/api/heuristics/room").status_code == 204
    assert complaint(visitor.get("/api/heuristics/room"), 404)
    assert not list(folder.glob("heuristics/**/*.py")), "nothing else is left behind"


@pytest.mark.parametrize(
    ("source", "line", "names"),
    [
        ("def f(board, weights):\n    return (1\n", 2, "'(' was never closed"),
        ("def f(board, weights):\n  x = 1\n return x\n", 3, "unindent"),
        ("def f(board, weights):\n    x = 1\n    return nothing + x\n", 3, "'nothing' is not defined"),
        ("def f(board, weights):\n    return weights.zeal\n", 2, "no weight 'zeal'"),
        ("def f(board, weights):\n    x = 'a' + 1\n    return 1.0\n", 2, "does not compile"),
        ("def f(board, weights):\n    return 'good'\n", 1, "must always return a number"),
        ("\n\nprint(nothing)\ndef f(board, weights):\n    return 1.0\n", 3, "NameError"),
        ("import os\nos.nothing()\ndef f(board, weights):\n    return 1.0\n", 2, "AttributeError"),
        ("def f(board):\n    return 1.0\n", None, "f must take (board, weights)"),
        ("x = 1\n", None, "the code has no function"),
        ("", None, "the code has no function"),
        ("\0", 1, "null bytes"),
        ("(" * 5000, 1, ""),
        ("def f(board, weights):\n    return 0.0 / 0.0\n", None, ""),
    ],
)
def test_what_is_wrong_with_a_heuristic_is_told_at_its_line(visitor, folder, source, line, names):
    answer = put(visitor, "wrong", source)
    text = complaint(answer)
    assert names in text
    assert answer.json().get("line") == line
    assert str(folder) not in answer.text
    assert visitor.get("/api/heuristics").json() == []


def test_a_heuristic_is_checked_and_not_kept(visitor, classroom, folder):
    def check(body, name="draft", asking=visitor):
        source = f"from contienda.games.g2048.helpers import empty\n\ndef f(board, weights):\n{body}"
        return asking.post(f"/api/heuristics/{name}/check", json={"game": "2048", "source": source})

    answer = check("    if empty(board) > 16:\n        return 5.0\n    return 1.0 * empty(board)\n")
    found = answer.json()
    assert (answer.status_code, found["positions"], found["faults"]) == (200, 1000, [])
    assert [remark["es"] for remark in found["remarks"]] == ["draft.py:5 no se alcanza nunca: `return 5.0`"]
    answer = check("    return 1.0 / (empty(board) - 7)\n")
    assert "`return 1.0 / (empty(board) - 7)` fails on" in complaint(answer)
    assert answer.json()["line"] == 4
    assert str(folder) not in answer.text
    assert "not a valid name" in complaint(check("    return 1.0\n", name="No"))
    assert visitor.get("/api/heuristics").json() == []
    assert not list(folder.glob("heuristics/*/trial-*"))
    assert "does not check heuristics" in complaint(check("    return 1.0\n", asking=classroom.browser()), 403)


def test_a_heuristic_that_fails_in_the_midst_of_a_search(visitor, folder):
    """On the first boards it works."""
    source = (
        "from contienda.games.g2048.helpers import empty\n\ndef f(board, weights):\n"
        "    if empty(board) < 9:\n        raise ValueError('too full')\n    return 1.0\n"
    )
    assert put(visitor, "fails", source).status_code == 200
    full = "2 4 8 16/2 4 8 16/2 4 8 16/0 0 0 2"
    asked = {"game": "2048", "position": full, "player": "greedy:eval=mine/fails"}
    answer = visitor.post("/api/hint", json=asked)
    assert "too full" in complaint(answer)
    assert str(folder) not in answer.text
    with open_line(visitor) as line:
        failed = line.failure("hint", **asked)
    assert "too full" in failed
    assert str(folder) not in failed
    visitor.delete("/api/heuristics/fails")


def test_a_heuristic_that_loops(visitor, monkeypatch):
    """No flag reaches into it: it is left behind, and nobody else waits for it."""
    monkeypatch.setattr("contienda.evaluation.custom._TRIAL_SECONDS", 0.2)
    monkeypatch.setattr("contienda.compiled.stopping.GRACE", 0.2)
    # Long enough for this test, and not for ever: nothing could end it.
    loop = "    n = 0\n    while n < 250_000_000:\n        n += 1 + (n & board.cells >> 60)\n    return float(n)\n"
    text = complaint(put(visitor, "loops", f"def f(board, weights):\n{loop}"))
    assert "does it loop forever?" in text
    assert visitor.get("/api/heuristics").json() == []
    assert searching()
    wait_until(lambda: not searching())  # other tests count what runs


@pytest.mark.parametrize("name", ["A", "1", "x" * 32, "a.b", "a b", "ñ", "-", "a%00", ".."])
def test_names_of_heuristics(visitor, name):
    for answer in (put(visitor, name, GOOD), visitor.get(f"/api/heuristics/{name}")):
        assert answer.status_code in (404, 405, 422)
        complaint(answer, answer.status_code)


#: Nothing of it is imported: the helpers are there.
SAFE = "def room(board, weights):\n    return 10.0 * empty(board)\n"


def test_where_others_can_reach_the_server_a_heuristic_must_be_safe(classroom, monkeypatch):
    """It is played, and the server's process neither parses nor compiles it: confined ones do, which tests have not."""
    pupil, other = classroom.browser(), classroom.browser()
    catalogue = pupil.get("/api/catalogue").json()
    assert (catalogue["heuristics"], catalogue["safe_heuristics"]) == (True, True)
    for source, line, told in (
        ("import os\n\ndef room(board, weights):\n    return 1\n", 1, "import is not allowed"),
        ("def room(board, weights):\n    return open('x')\n", 2, "the name open has no value here"),
        ("def room(board, weights):\n    return ().__class__\n", 2, "only math.NAME and weights.NAME"),
        ("def room(board, weights):\n    while 1:\n        pass\n", 2, "while is not allowed"),
    ):
        answer = put(pupil, "room", source)
        assert told in complaint(answer)
        assert answer.json()["line"] == line
    assert pupil.get("/api/heuristics").json() == []
    monkeypatch.setattr("contienda.web.searches.heuristics._last_function", None)  # it would parse
    kept = {"name": "room", "game": "2048", "source": SAFE, "eval": "mine/room"}
    assert put(pupil, "room", SAFE).json() == kept
    assert pupil.get("/api/heuristics").json() == [kept]
    asked = {"game": "2048", "position": BOARD, "player": "greedy:eval=mine/room"}
    assert pupil.post("/api/hint", json=asked).json()["moves"][0]["value"] == 10 * 9
    with open_line(pupil) as line:
        assert line.run("batch", game="2048", players=["greedy:eval=mine/room"], games=2, target=8)["done"] == 2
        assert line.run("trace", **asked)["moves"]
        assert "path searches take no heuristic" in line.failure(
            "solution", game="2048", player="astar:h=mine/room", target=64
        )
    plan = 'game = "2048"\nplayers = ["greedy:eval=mine/room"]\ngames = 2\nname = "x"\n'
    assert "only this machine can reach" in complaint(pupil.post("/api/lab/plan", json={"plan": plan}))
    assert "no heuristic 'room'" in complaint(other.post("/api/hint", json=asked), 404)
    assert pupil.delete("/api/heuristics/room").status_code == 204


def test_a_heuristic_that_was_kept_by_other_means_is_checked_again(classroom, tmp_path_factory):
    """Whatever is in a file named so, it is read as the safe subset."""
    pupil = classroom.browser()
    assert put(pupil, "later", SAFE).status_code == 200
    folder = classroom.app.state.folder
    (path,) = folder.glob("heuristics/*/later.safe.py")
    path.write_text("# game: 2048; function: room\nimport os\n" + SAFE, encoding="utf-8")
    asked = {"game": "2048", "position": BOARD, "player": "greedy:eval=mine/later"}
    answer = pupil.post("/api/hint", json=asked)
    assert "import is not allowed" in complaint(answer)
    assert str(folder) not in answer.text


def test_a_system_that_cannot_confine_refuses_heuristics_unless_it_is_told_otherwise(tmp_path, monkeypatch):
    monkeypatch.setattr("contienda.core.confinement.sys.platform", "darwin")
    with open_site(tmp_path / "one", host="0.0.0.0") as site:
        pupil = site.browser()
        told = complaint(put(pupil, "room", SAFE), 403)
        assert "cannot confine them: only Linux can confine" in told
        assert pupil.get("/api/catalogue").json()["heuristics"] is False
    with open_site(tmp_path / "two", host="0.0.0.0", whitelist_only=True) as site:
        assert put(site.browser(), "room", SAFE).status_code == 200


def test_a_foreign_page_compiles_nothing(visitor, folder):
    body = {"game": "2048", "source": "open('/tmp/harm', 'w')"}
    answer = visitor.put("/api/heuristics/room", json=body, headers={"origin": "http://evil.example"})
    assert answer.status_code == 403
    assert not list(folder.glob("heuristics/**/*.py"))
