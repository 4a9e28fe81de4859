"""``contienda web`` as a process, and hostile clients: nobody else is kept out, and the log stays short."""

from __future__ import annotations

import inspect
import json
import re
import resource
import socket
import subprocess
import time
from contextlib import ExitStack, contextmanager

import httpx2
import pytest
from drive import unwarmed
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect


@contextmanager
def serving(tmp_path, limits="", open_files=None):
    """A server with few open files; when it is through, its log."""

    def lower():
        if open_files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (open_files // 2, open_files))

    log = (tmp_path / "log").open("w+")
    arguments = ["--port", 0, "--data", tmp_path / "data", *(["--limits", limits] if limits else [])]
    server = subprocess.Popen(
        unwarmed(*arguments), stdout=subprocess.PIPE, stderr=log, encoding="utf-8", preexec_fn=lower
    )
    try:
        url = next(filter(None, (re.search(r"http://\S+", line) for line in server.stdout)))[0]
        yield url
        assert server.poll() is None, "it lives"
    finally:
        server.kill()
        server.communicate()
        log.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One for all: whatever was done to it before, it serves the next; its address and its log."""
    folder = tmp_path_factory.mktemp("server")
    with serving(folder, "sockets=4,address_sockets=20", open_files=500) as url:
        yield url, folder / "log"
    assert "Traceback" not in (folder / "log").read_text()


def address(url):
    host, port = re.fullmatch(r"http://(.*):(\d+)/", url).groups()
    return host, int(port)


def open_line(url):
    """A WebSocket, as soon as the server opens one more."""
    while True:
        try:
            return connect(url.replace("http", "ws") + "api/live", legacy=True)
        except InvalidStatus as refused:
            if refused.response.status_code != 429:
                raise
            time.sleep(0.1)


def plays(url):
    """Somebody new comes, plays and gets a hint."""
    with httpx2.Client(base_url=url, timeout=30) as client:
        client.get("/")
        game = client.post("/api/games", json={"seed": "1"}).json()
        made = client.post(f"/api/games/{game['id']}/moves", json={"revision": 0, "move": game["position"]["legal"][0]})
        assert made.status_code == 200
        asked = {"game": "2048", "position": game["position"]["text"], "player": "random"}
        assert client.post("/api/hint", json=asked).status_code == 200
        return client.cookies["contienda"]


def closed(connection, seconds=30):
    """Whether the server ends a connection."""
    connection.settimeout(seconds)
    try:
        while connection.recv(65536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def test_connections_that_say_nothing_keep_nobody_out(server):
    """More than the system allows the server: its limit was raised, idle ones make room, and the log says little."""
    url, log = server
    with ExitStack() as stack:
        silent = [stack.enter_context(socket.create_connection(address(url))) for _ in range(700)]
        plays(url)
        silent += [stack.enter_context(socket.create_connection(address(url))) for _ in range(100)]
        plays(url)
        assert closed(silent[0]), "the first to come is the first to go"
    assert len(log.read_text()) < 5000


def test_sockets_on_which_nothing_is_asked_keep_nobody_out(server):
    url, _ = server
    with ExitStack() as stack:
        cookie = plays(url)
        live = url.replace("http", "ws") + "api/live"
        named = {"additional_headers": {"Cookie": f"contienda={cookie}"}}
        for _ in range(10):
            stack.enter_context(connect(live, **named))
        for _ in range(40):
            stack.enter_context(connect(live))
        with connect(live, **named) as line:
            line.send(json.dumps({"job": "x", "kind": "hint", "game": "tictactoe", "position": "", "player": "random"}))
            assert json.loads(line.recv(timeout=30))["job"] == "x"


def test_requests_that_come_a_byte_at_a_time_are_cut_off(server):
    url, _ = server
    host, port = address(url)
    with socket.create_connection((host, port)) as head, socket.create_connection((host, port)) as whole:
        whole.settimeout(30)

        def answered():
            """The answer to a whole request: there are no games."""
            whole.sendall(f"GET /api/games HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            read = b""
            while not read.endswith(b"[]"):
                read += (piece := whole.recv(65536))
                assert piece
            return b"200 OK" in read

        head.sendall(f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\n".encode())
        assert answered()
        plays(url)
        assert closed(head)
        assert answered(), "one that is used stays"


def test_what_clients_send_leaves_no_traceback(server):
    url, log = server
    host, port = address(url)
    good = f"Host: {host}:{port}\r\n"
    for sent in (
        b"\x00" * 1000,
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET " + b"/a" * 40_000 + b" HTTP/1.1\r\n",
        f"POST /api/games HTTP/1.1\r\n{good}Content-Length: 500\r\n\r\n{{".encode(),
        f"POST /api/games/file HTTP/1.1\r\n{good}Content-Length: 500\r\n\r\n{{".encode(),
        f"POST /api/games HTTP/1.1\r\n{good}Transfer-Encoding: chunked\r\n\r\nzz\r\n".encode(),
        f"GET /api/live HTTP/1.1\r\n{good}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n".encode(),
        f"GET /api/live HTTP/1.1\r\n{good}Connection: Upgrade\r\nUpgrade: other\r\n\r\n".encode(),
    ):
        for _ in range(5):
            with socket.create_connection((host, port)) as client:
                client.sendall(sent)
    for _ in range(5):  # gone in the midst of a search, and of what it says
        line = open_line(url)
        line.send(
            json.dumps({"job": "b", "kind": "batch", "game": "tictactoe", "players": ["random"] * 2, "games": 99})
        )
        line.send("{")
        line.socket.close()
    plays(url)
    plays(url)
    assert "Traceback" not in log.read_text()
    assert log.read_text().count("\n") < 20


def test_nobody_says_for_themselves_where_they_ask_from(tmp_path):
    """X-Forwarded-For is not believed: else each request would come from an address of its own."""
    with (
        serving(tmp_path, "requests=1,address_requests=1,all_requests=100") as url,
        httpx2.Client(base_url=url) as client,
    ):
        answers = []
        for i in range(40):
            client.cookies.clear()
            answers.append(client.get("/api/catalogue", headers={"X-Forwarded-For": f"10.0.0.{i}"}).status_code)
            if 429 in answers:
                break
    assert answers[-1] == 429


def test_whoever_asks_too_often_is_told_and_cut_off_and_others_are_not(tmp_path):
    with serving(tmp_path, "requests=1,address_opened=1") as url:
        host, port = address(url)
        cookie = plays(url)
        head = f"Host: {host}:{port}\r\nCookie: contienda={cookie}\r\n"
        refused = b""
        for _ in range(60):
            with socket.create_connection((host, port)) as connection:
                connection.settimeout(30)
                connection.sendall(f"GET /api/games HTTP/1.1\r\n{head}\r\n".encode())
                answer = connection.recv(65536)
                if b" 429 " in answer:
                    refused = answer + (b"" if closed(connection) else b"open")
                    break
        assert refused.endswith(b"}}"), "it was closed"
        assert set(json.loads(refused.partition(b"\r\n\r\n")[2])["error"]) == {"en", "es"}
        live = url.replace("http", "ws") + "api/live"
        named = {"additional_headers": {"Cookie": f"contienda={cookie}"}}
        with connect(live, **named), connect(live, **named), connect(live, **named):  # its own two, and its address's
            with pytest.raises(InvalidStatus, match="429"):
                connect(live, **named)
            plays(url)


def test_a_body_that_is_too_large_is_not_read(server):
    url, _ = server
    host, port = address(url)
    with socket.create_connection((host, port)) as connection:
        connection.settimeout(30)
        head = f"POST /api/games/file HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 8000000\r\n\r\n"
        connection.sendall(head.encode() + bytes(1000))
        assert b" 413 " in connection.recv(65536)
        assert closed(connection, 10)
    with httpx2.Client(base_url=url, timeout=30) as client:
        told = client.post("/api/games/file", content=bytes(8_000_000)).json()["error"]["en"]
        assert told == "the request is too large", "whoever sends it to its end is told"
    plays(url)


#: What `contienda.web.access.connections` uses of uvicorn beyond its documented interface: so its version is bounded.
USED_OF_UVICORN = {"connection_made", "connection_lost", "data_received", "handle_websocket_upgrade",
                   "on_response_complete", "pause_writing", "resume_writing"}  # fmt: skip


def test_an_answer_that_needs_no_body_keeps_the_connection(server):
    url, _ = server
    with httpx2.Client(base_url=url, limits=httpx2.Limits(max_connections=1)) as client:
        assert client.post("/api/nothing", json={"some": "body" * 100}).status_code == 404
        assert client.post("/api/games", json={}).status_code == 201, "on the same connection"


def test_uvicorn_is_as_connections_take_it():
    """With another version whose insides differ this fails first, and says why the others do."""
    assert set(vars(H11Protocol)) >= USED_OF_UVICORN
    source = inspect.getsource(H11Protocol)
    for part in ("self.cycle = RequestResponseCycle(", "on_response=self.on_response_complete", "self.client = "):
        assert part in source
    assert {"response_complete", "more_body"} <= set(
        re.findall(r"self\.(\w+) = ", inspect.getsource(RequestResponseCycle))
    )


def test_a_disk_that_is_full_lets_one_read_and_says_what_was_not_kept(tmp_path):
    """Files can grow no further: as on a full disk, but for the error's number."""
    data = tmp_path / "data"
    with serving(tmp_path) as url:
        cookie = {"Cookie": f"contienda={plays(url)}"}
    largest = max(each.stat().st_size for each in data.rglob("*") if each.is_file() and each.name != "reserve")

    def lower():
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 100_000, largest + 100_000))

    log = (tmp_path / "log").open("w+")
    server = subprocess.Popen(
        unwarmed("--port", 0, "--data", data),
        stdout=subprocess.PIPE, stderr=log, encoding="utf-8", preexec_fn=lower,
    )  # fmt: skip
    try:
        url = next(filter(None, (re.search(r"http://\S+", line) for line in server.stdout)))[0]
        with httpx2.Client(base_url=url, timeout=30, headers=cookie) as client:
            game = client.get("/api/games").json()[0]
            for _ in range(4000):
                answer = client.post("/api/games", json={"copy": game["id"]})
                if answer.status_code not in (201, 429):
                    break
            assert answer.status_code == 507
            assert str(data) not in answer.text
            assert "not saved" in answer.json()["error"]["en"]
            assert client.get(f"/api/games/{game['id']}").status_code == 200
            assert client.get(f"/api/games/{game['id']}/chart").status_code == 200
    finally:
        server.kill()
        server.communicate()
        log.close()
    assert "Traceback" not in (tmp_path / "log").read_text()
