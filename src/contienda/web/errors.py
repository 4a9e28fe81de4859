"""Whatever goes wrong, as one line in both languages: ``{"error": {"en": …, "es": …}}``."""

from __future__ import annotations

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

from contienda.language import BadInput, Text

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
]


class NotFound(BadInput):
    """There is no such thing, or not for this browser."""

    status = 404


class Forbidden(BadInput):
    """Not here."""

    status = 403


class TooMany(BadInput):
    """Later, perhaps."""

    status = 429


class NoRoom(BadInput):
    """The disk, or what the server may use of it, is full."""

    status = 507


class DiskTrouble(BadInput):
    """The games cannot be written down, or not be read; ``method`` is what was asked for, as HTTP says it."""

    status = 507

    def __init__(self, error: sqlite3.DatabaseError, method: str = "POST") -> None:
        what = _NOT_DONE.get(method, _NOT_DONE["POST"])
        super().__init__(
            f"{what.en}: {error}; make room on the disk, by deleting games too, and try again",
            f"{what.es}: {error}; haz sitio en el disco, también borrando partidas, y prueba otra vez",
        )


#: What a request that failed has left undone, and what is still there.
_NOT_DONE = {
    "GET": Text("this cannot be read now", "ahora no se puede leer"),
    "POST": Text("this was not kept, and all is as it was before", "no se ha guardado, y todo sigue como antes"),
    "DELETE": Text("this was not deleted", "no se ha borrado"),
}


class Conflict(BadInput):
    """Somebody else was quicker: how the game stands now comes with it."""

    status = 409

    def __init__(self, game: Any) -> None:
        super().__init__(
            "the game has moved on in another window: this is how it stands now",
            "la partida ha seguido en otra ventana: así está ahora",
        )
        self.game = game


def status_of(error: BadInput) -> int:
    """The HTTP status of what a user did wrong."""
    return getattr(error, "status", 422)


def without_folder(text: Text, folder: Path) -> Text:
    """A text in which files of this folder go by their names alone: where the server keeps them is nobody's business.

    >>> without_folder(Text("cannot write /srv/data/lab/x.sqlite: full", ""), Path("/srv/data")).en
    'cannot write x.sqlite: full'
    """
    either = "|".join(re.escape(str(each)) for each in {folder, folder.absolute()})
    place = re.compile(rf"(?:{either})[\\/](?:[^\s:]*[\\/])?")
    return Text(*(place.sub("", each) for each in text))


def as_failure(error: BadInput, folder: Path) -> dict[str, Any]:
    """The body that tells of it, without the place of the server's own folder."""
    body: dict[str, Any] = {"error": without_folder(error.text, folder)._asdict()}
    if isinstance(error, Conflict):
        body["game"] = error.game.model_dump()
    if (line := getattr(error, "line", None)) is not None:
        body["line"] = line
    if (fits := getattr(error, "fits", None)) is not None:
        body["fits"] = fits
    return body


def as_json(body: Any) -> str:
    """JSON in ASCII: what a user sent comes back in messages, and may be half a character, which UTF-8 cannot write."""
    return json.dumps(body, allow_nan=False)


def add_handlers(app: FastAPI) -> None:
    """Answer every error in the same shape."""

    @app.exception_handler(BadInput)
    async def bad_input(request: Request, error: BadInput) -> Response:
        return _answer(as_failure(error, request.app.state.folder), status_of(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return _answer({"error": explain(error.errors())._asdict()}, 422)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        text = _STATUS.get(error.status_code, Text(str(error.detail), str(error.detail)))
        return _answer({"error": text._asdict()}, error.status_code, error.headers)

    @app.exception_handler(ClientDisconnect)
    async def gone(request: Request, error: ClientDisconnect) -> Response:
        return Response(status_code=400)  # nobody reads it

    @app.exception_handler(OSError)
    async def disk(request: Request, error: OSError) -> Response:
        reason = error.strerror or type(error).__name__  # not the error itself, which names a file of this machine
        return await bad_input(
            request,
            NoRoom(
                f"this was not kept: {reason}; make room on the server's disk and try again",
                f"esto no se ha guardado: {reason}; haz sitio en el disco del servidor y prueba otra vez",
            ),
        )

    @app.exception_handler(sqlite3.DatabaseError)
    async def database(request: Request, error: sqlite3.DatabaseError) -> Response:
        return await bad_input(request, DiskTrouble(error, request.method))


def _answer(body: dict[str, Any], status: int, headers: Mapping[str, str] | None = None) -> Response:
    return Response(as_json(body), status, headers, "application/json")


TOO_OFTEN = Text(
    "too many requests at once: wait a little and try again",
    "demasiadas peticiones a la vez: espera un poco y prueba otra vez",
)
TOO_LARGE = Text("the request is too large", "la petición es demasiado grande")
_STATUS = {
    400: Text("the request cannot be read as JSON", "la petición no se puede leer como JSON"),
    404: Text("there is nothing here", "aquí no hay nada"),
    405: Text("this cannot be done here", "esto no se puede hacer aquí"),
    413: TOO_LARGE,
    429: TOO_OFTEN,
}

#: What a value should be, by the kind of error that pydantic tells.
_SHOULD = {
    "missing": Text("is missing", "falta"),
    "json_invalid": Text("is not JSON", "no es JSON"),
    "extra_forbidden": Text("is not known here", "no se conoce aquí"),
    "string_pattern_mismatch": Text("is not written as it should be", "no está escrito como debe"),
    "string_too_long": Text("is too long", "es demasiado largo"),
    "too_long": Text("are too many", "son demasiados"),
    "greater_than_equal": Text("is too small", "es demasiado pequeño"),
    "less_than_equal": Text("is too large", "es demasiado grande"),
}
_TYPES = {
    "string": Text("must be text", "debe ser texto"),
    "int": Text("must be a whole number", "debe ser un número entero"),
    "float": Text("must be a number", "debe ser un número"),
    "bool": Text("must be true or false", "debe ser true o false"),
    "list": Text("must be a list", "debe ser una lista"),
    "model": Text("must be a JSON object", "debe ser un objeto JSON"),
    "dict": Text("must be a JSON object", "debe ser un objeto JSON"),
}


def explain(errors: Sequence[Any]) -> Text:
    """The first thing that is wrong with a request."""
    first = errors[0]
    kind = first["type"]
    place = [str(part) for part in first["loc"] if part not in ("body", "query", "path")]
    what = "" if kind == "json_invalid" else ".".join(place[:3])[:60]
    if not what:
        should = _SHOULD.get(kind, _TYPES["model"])
        return Text(f"the request {should.en}", f"la petición {should.es}")
    should = _SHOULD.get(kind) or _TYPES.get(kind.split("_")[0]) or Text(first["msg"], "no es válido")
    return Text(f"{what} {should.en}", f"{what} {should.es}")
