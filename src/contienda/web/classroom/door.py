"""Admits only browsers that have joined the class, and pauses their requests while it is frozen.

This is plain ASGI, inside `contienda.web.access.guard.Guard`, which identifies the browser. Everybody may load the
page: it asks for the code.
"""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from contienda.core.language import Text
from contienda.web.classroom.classroom import Classroom

__all__ = ["Door"]

_JOIN = Text("join the class first: enter its code")
_FROZEN = Text("your teacher has paused the class")
_ENDED = Text("the class has ended")
#: A pupil's activity by the prefix of the path requested: a key of the teacher's page.
_DOING = {"/api/games": "play", "/api/live": "search", "/api/heuristics": "write", "/api/lab": "lab",
          "/api/training": "train"}  # fmt: skip


class Door:
    """The middleware."""

    def __init__(self, app: ASGIApp, classroom: Classroom) -> None:
        self.app = app
        self._classroom = classroom

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] not in ("http", "websocket") or not path.startswith("/api/") or path.startswith("/api/class"):
            await self.app(scope, receive, send)
            return
        room, client = self._classroom, scope["state"]["client"]
        if room.is_teacher(client):
            await self.app(scope, receive, send)
            return
        why: tuple[int, Text, dict[str, Any]] | None = None
        if room.ended:
            why = 403, _ENDED, {"ended": True}
        elif not room.may_enter(client):
            why = 403, _JOIN, {"join": True}
        elif room.frozen and scope["type"] == "http" and scope["method"] not in ("GET", "HEAD"):
            why = 423, _FROZEN, {}
        if why is not None:
            await _refuse(scope, receive, send, *why)
            return
        doing = next((each for beginning, each in _DOING.items() if path.startswith(beginning)), None)
        room.note(client, doing)

        async def held() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                room.note(client, doing)
                await room.thawed()  # requests that came meanwhile are read then
            return message

        await self.app(scope, held if scope["type"] == "websocket" else receive, send)


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, text: Text, more: dict[str, Any]) -> None:
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008, "reason": text.into("en")})
        return
    await JSONResponse({"error": text.in_all_languages()} | more, status_code=status)(scope, receive, send)
