"""Every error as one line in every language: ``{"error": {"en": …, "es": …}}``."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from contienda.core.language import BadInput, Text

__all__ = [
    "TOO_LARGE",
    "TOO_OFTEN",
    "Conflict",
    "DiskTrouble",
    "Forbidden",
    "NoRoom",
    "NotFound",
    "TooMany",
    "add_handlers",
    "as_failure",
    "as_json",
    "explain",
    "status_of",
    "without_folder",
    "without_place",
]


#: Seconds before a refusal is sent: a script that retries at once would keep the server busy.
_PENANCE = 0.5


class NotFound(BadInput):
    """It does not exist, or does not belong to this browser."""

    status = 404


class Forbidden(BadInput):
    """Not allowed on this server."""

    status = 403


class TooMany(BadInput):
    """Too many requests or too much work; may be retried later."""

    status = 429


class NoRoom(BadInput):
    """The disk, or the server's share of it, is full."""

    status = 507


class DiskTrouble(BadInput):
    """The database of games cannot be written, or cannot be read; ``method`` is the HTTP method of the request."""

    status = 507

    def __init__(self, error: sqlite3.DatabaseError, method: str = "POST") -> None:
        what = _NOT_DONE.get(method, _NOT_DONE["POST"])
        super().__init__(
            "{what}: {error}; free some disk space, for example by deleting games, and try again",
            what=what,
            error=error,
        )


#: By HTTP method: what a failed request did not do, and what is unchanged.
_NOT_DONE = {
    "GET": Text("cannot read this now"),
    "POST": Text("this was not saved; nothing has changed"),
    "DELETE": Text("this was not deleted"),
}


class Conflict(BadInput):
    """The game was changed elsewhere in the meantime; the answer carries its current state."""

    status = 409

    def __init__(self, game: Any) -> None:
        super().__init__("the game was changed in another window; this is its current state")
        self.game = game


def status_of(error: BadInput) -> int:
    """Return the HTTP status for a user's error."""
    return getattr(error, "status", 422)


def without_folder(text: Text, folder: Path) -> Text:
    """Return a text with the folder removed from file names: users need not know where the server keeps its files.

    >>> str(without_folder(Text("cannot write {path}: full", path="/srv/data/lab/x.sqlite"), Path("/srv/data")))
    'cannot write x.sqlite: full'
    """
    either = "|".join(re.escape(str(each)) for each in {folder, folder.absolute()})
    place = re.compile(rf"(?:{either})[\\/](?:[^\s:]*[\\/])?")
    return text.with_quotes(lambda quoted: place.sub("", quoted))


def without_place(error: BadInput, path: Path) -> BadInput:
    """Return an error about a file without the file's path, for users who need not know where the server keeps it."""
    if not error.text.quotes(str(path)):
        return error
    return BadInput(error.text.with_quotes(lambda quoted: Text("its file") if quoted == str(path) else quoted))


def as_failure(error: BadInput, folder: Path) -> dict[str, Any]:
    """Return the body that reports an error, without the path of the server's own folder."""
    body: dict[str, Any] = {"error": without_folder(error.text, folder).in_all_languages()}
    if isinstance(error, Conflict):
        body["game"] = error.game.model_dump()
    if error.line is not None:
        body["line"] = error.line
    if (fits := getattr(error, "fits", None)) is not None:
        body["fits"] = fits
    return body


def as_json(body: Any) -> str:
    """Return JSON in ASCII: messages quote user input, which may hold a lone surrogate that UTF-8 cannot encode."""
    return json.dumps(body, allow_nan=False)


def add_handlers(app: FastAPI) -> None:
    """Make the app answer every error in the same shape."""

    @app.exception_handler(BadInput)
    async def bad_input(request: Request, error: BadInput) -> Response:
        if status_of(error) == TooMany.status:
            await asyncio.sleep(_PENANCE)
        return _answer(as_failure(error, request.app.state.folder), status_of(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return _answer({"error": explain(error.errors()).in_all_languages()}, 422)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        text = _STATUS.get(error.status_code, Text("{detail}", detail=str(error.detail)))
        return _answer({"error": text.in_all_languages()}, error.status_code, error.headers)

    @app.exception_handler(ClientDisconnect)
    async def gone(request: Request, error: ClientDisconnect) -> Response:
        return Response(status_code=400)  # the client is gone

    @app.exception_handler(OSError)
    async def disk(request: Request, error: OSError) -> Response:
        reason = error.strerror or type(error).__name__  # not str(error), which names a file of this machine
        return await bad_input(
            request,
            NoRoom("this was not saved: {reason}; free some space on the server's disk and try again", reason=reason),
        )

    @app.exception_handler(sqlite3.DatabaseError)
    async def database(request: Request, error: sqlite3.DatabaseError) -> Response:
        return await bad_input(request, DiskTrouble(error, request.method))


def _answer(body: dict[str, Any], status: int, headers: Mapping[str, str] | None = None) -> Response:
    return Response(as_json(body), status, headers, "application/json")


TOO_OFTEN = Text("too many requests; wait a moment and try again")
TOO_LARGE = Text("the request is too large")
_STATUS = {
    400: Text("the request is not valid JSON"),
    404: Text("not found"),
    405: Text("this method is not allowed here"),
    413: TOO_LARGE,
    429: TOO_OFTEN,
}

#: What a value should be, by pydantic's type of error.
_SHOULD = {
    "missing": Text("is missing"),
    "json_invalid": Text("is not JSON"),
    "extra_forbidden": Text("is not a known field"),
    "string_pattern_mismatch": Text("has the wrong format"),
    "string_too_long": Text("is too long"),
    "too_long": Text("has too many items"),
    "greater_than_equal": Text("is too small"),
    "less_than_equal": Text("is too large"),
}
_TYPES = {
    "string": Text("must be text"),
    "int": Text("must be a whole number"),
    "float": Text("must be a number"),
    "bool": Text("must be true or false"),
    "list": Text("must be a list"),
    "model": Text("must be a JSON object"),
    "dict": Text("must be a JSON object"),
}


def explain(errors: Sequence[Any]) -> Text:
    """Return a sentence about the first thing that is wrong with a request."""
    first = errors[0]
    kind = first["type"]
    place = [str(part) for part in first["loc"] if part not in ("body", "query", "path")]
    what = "" if kind == "json_invalid" else ".".join(place[:3])[:60]
    if not what:
        should = _SHOULD.get(kind, _TYPES["model"])
        return Text("the request {should}", should=should)
    should = _SHOULD.get(kind) or _TYPES.get(kind.split("_")[0]) or Text("is not valid")
    return Text("{what} {should}", what=what, should=should)
