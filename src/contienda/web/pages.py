"""The app's own files, served from memory: a page asks for about a hundred small modules at once.

Starlette's `StaticFiles` uses a thread and a disk access for each. After editing a file, restart the server.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from contienda.trace.bundle import MADE, made_module, texts_module

__all__ = ["Pages"]


#: Set here: the system's type for ``.js`` may be wrong, and then no browser runs it.
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}


class _File(NamedTuple):
    content: bytes
    headers: dict[str, str]


class Pages:
    """Serves the files in a folder; all other requests go on to the app."""

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        self.app = app
        names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.suffix in _KINDS)
        self._files = {f"/{name}": _file(name, (folder / name).read_bytes()) for name in names}
        scripts = [name.removeprefix("js/") for name in names if name.startswith("js/")]
        for module in MADE:
            self._files[f"/js/{module}"] = _file(module, made_module(module, scripts).encode())
        self._files["/js/texts.js"] = _file("texts.js", texts_module(folder).encode())
        modules = [name.removeprefix("/") for name in self._files if name.endswith(".js")]
        drawn = [name for name in names if _DRAWING_STYLE.fullmatch(name)]
        page = _with_links((folder / "index.html").read_bytes(), modules, drawn)
        self._files["/"] = self._files["/index.html"] = _file("index.html", page)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        file = self._files.get(scope["path"]) if scope["type"] == "http" else None
        if file is None or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        known = Headers(scope=scope).get("if-none-match") == file.headers["etag"]
        body = b"" if known or scope["method"] == "HEAD" else file.content
        await Response(body, 304 if known else 200, file.headers)(scope, receive, send)


#: A drawing's style sheet has the drawing's name.
_DRAWING_STYLE = re.compile(r"css/board-\w+\.css")


def _file(name: str, content: bytes) -> _File:
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    return _File(content, {"content-type": _KINDS[Path(name).suffix], "etag": etag})


def _with_links(page: bytes, modules: list[str], styles: list[str]) -> bytes:
    """Add a preload link for every module: otherwise a browser finds them one import at a time."""
    sheets = "".join(f'<link rel="stylesheet" href="{style}" />\n' for style in styles)
    page = page.replace(b"<!-- css/board-*.css -->", sheets.encode(), 1)
    links = "".join(f'<link rel="modulepreload" href="{module}" />\n' for module in modules)
    return page.replace(b"</head>", links.encode() + b"</head>", 1)
