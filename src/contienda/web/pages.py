"""The app's own files, held in memory: a hundred small modules that a page asks for at once.

Starlette's `StaticFiles` takes a thread and a look at the disk for each. Whoever edits one starts the server again.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["Pages"]


#: Told by name: what a machine thinks of ``.js`` may be wrong, and then no browser runs it.
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class _File(NamedTuple):
    content: bytes
    headers: dict[str, str]


class Pages:
    """Answers for the files below a folder; all else goes on to the app behind."""

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        self.app = app
        names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.suffix in _KINDS)
        self._files = {f"/{name}": _file(name, (folder / name).read_bytes()) for name in names}
        page = _with_preloads((folder / "index.html").read_bytes(), [name for name in names if name.endswith(".js")])
        self._files["/"] = self._files["/index.html"] = _file("index.html", page)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        file = self._files.get(scope["path"]) if scope["type"] == "http" else None
        if file is None or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        known = Headers(scope=scope).get("if-none-match") == file.headers["etag"]
        body = b"" if known or scope["method"] == "HEAD" else file.content
        await Response(body, 304 if known else 200, file.headers)(scope, receive, send)


def _file(name: str, content: bytes) -> _File:
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    return _File(content, {"content-type": _KINDS[Path(name).suffix], "etag": etag})


def _with_preloads(page: bytes, modules: list[str]) -> bytes:
    """A page that names every module: else a browser finds one in the other, and asks for them row after row."""
    links = "".join(f'<link rel="modulepreload" href="{module}" />\n' for module in modules)
    return page.replace(b"</head>", links.encode() + b"</head>", 1)
