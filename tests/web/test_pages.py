"""The app's own files: all of them served, none twice, and at once."""

from __future__ import annotations

import asyncio
import re
import socket
from pathlib import Path

import pytest
from website import open_site

import contienda
from contienda.games import make_game
from contienda.players import make_player
from contienda.web.serve import _listen
from contienda.web.settings import Limits, Settings

STATIC = Path(contienda.__file__).parent / "web" / "static"
FILES = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def visitor(tmp_path_factory):
    with open_site(tmp_path_factory.mktemp("data")) as site:
        yield site.browser()


@pytest.mark.parametrize("name", [name for name in FILES if name != "index.html"])
def test_a_file_comes_once_and_is_then_known(visitor, name):
    answer = visitor.get(f"/{name}")
    assert (answer.status_code, answer.content) == (200, (STATIC / name).read_bytes())
    kinds = {"css": "text/css", "js": "text/javascript", "json": "application/json", "svg": "image/svg+xml"}
    assert answer.headers["content-type"].startswith(kinds[name.rpartition(".")[2]])
    again = visitor.get(f"/{name}", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    asked = visitor.head(f"/{name}")
    assert (asked.status_code, asked.content, asked.headers["etag"]) == (200, b"", answer.headers["etag"])


def test_the_page_names_every_module(visitor):
    page = visitor.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.content == visitor.get("/index.html").content
    named = re.findall(r'rel="modulepreload" href="([^"]+)"', page.text)
    assert named == [
        *(name for name in FILES if name.endswith(".js")),
        "js/all-screens.js",
        "js/all-drawings.js",
        "js/texts.js",
    ]


def test_the_catalogue_has_all_that_a_screen_draws_a_game_from(visitor):
    catalogue = visitor.get("/api/catalogue").json()
    for name, game in catalogue["games"].items():
        preview = game["preview"]
        assert len(preview["pieces"]) == preview["rows"] * preview["columns"], name
        assert game["sides"] in (1, 2)
        assert visitor.post("/api/position", json={"game": name, "position": game["example"]}).status_code == 200, name
        assert game["example_evaluator"].startswith(("def ", "from "))
        tags = re.findall(r'customElements.define\("([^"]+)"', "".join(_sources()))
        assert game["drawing"] in ["", *tags]
    players = {player["name"]: player for player in catalogue["players"]}
    assert players["greedy"]["evaluators"]["2048"] == "uc3m-score"
    assert players["minimax"]["evaluators"]["2048"] == catalogue["games"]["2048"]["default_evaluator"]


def test_the_catalogue_offers_the_examples_that_games_bring(visitor):
    catalogue = visitor.get("/api/catalogue").json()
    first = catalogue["trace_examples"][0]
    assert first["title"] == {
        "en": "Alpha-beta: the textbook tree",
        "es": "Alfa-beta: el árbol de los libros de texto",
    }
    assert first["asked"][0]["game"] == "tree"
    assert {one["game"] for each in catalogue["trace_examples"] for one in each["asked"]} >= {"2048", "puzzle8"}
    assert [each["game"] for each in catalogue["lab_examples"]] == ["2048", "2048", "2048", "connect4"]
    for each in catalogue["lab_examples"]:
        game = make_game(each["game"])
        assert [make_player(spec, game).spec for spec in each["players"]] == each["players"]


def _sources():
    return [(STATIC / name).read_text(encoding="utf-8") for name in FILES if name.endswith(".js")]


def test_a_page_is_only_looked_at(visitor):
    assert visitor.post("/").status_code == 404


def test_answers_are_sent_at_once(tmp_path):
    """Without TCP_NODELAY an answer of two parts waits for the other side's delayed acknowledgement, 40 ms each."""
    accepted: list[int] = []

    async def connect() -> None:
        def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted.append(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with _listen(Settings("127.0.0.1", 0, tmp_path, Limits()), 1) as listener:
            async with await asyncio.start_server(greet, sock=listener):
                reader, writer = await asyncio.open_connection(*listener.getsockname())
                await reader.read()
                writer.close()

    asyncio.run(connect())
    assert accepted == [1]
