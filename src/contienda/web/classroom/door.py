"""Lets nobody in who has not joined the class, and nothing happen while it is frozen.

Plain ASGI, inside of `contienda.web.access.guard.Guard`, which has found out who asks. The page is for everybody:
it asks for the code.
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
#: What a pupil does who asks for this, by the beginning of the path: a key of the teacher's page.
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
                await room.thawed()  # what was asked meanwhile is read then
            return message

        await self.app(scope, held if scope["type"] == "websocket" else receive, send)


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, text: Text, more: dict[str, Any]) -> None:
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008, "reason": text.into("en")})
        return
    await JSONResponse({"error": text.in_all_languages()} | more, status_code=status)(scope, receive, send)
