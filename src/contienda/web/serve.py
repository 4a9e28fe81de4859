"""``contienda web``: finds a port, opens the browser, serves until Ctrl-C."""

from __future__ import annotations

import errno
import socket
import sys
import threading
import webbrowser
from dataclasses import replace

import uvicorn
from rich.console import Console

from contienda.core.confinement import why_not_confined
from contienda.core.language import BadInput, say
from contienda.web.access.connections import Connections, raise_open_files
from contienda.web.access.listener import Listener
from contienda.web.access.logs import bound_log
from contienda.web.app import make_app
from contienda.web.settings import Settings

__all__ = ["serve"]

#: How many ports after a taken one are tried.
_TRIES = 20
#: Connections that may wait to be accepted, and how many are accepted in one round of the event loop. A client that
#: finds the backlog full tries again after one second, then after three.
_BACKLOG, _AT_A_TIME = 4096, 64
#: Seconds after which a thread must release the GIL if another waits. A move goes from the event loop to a thread
#: and back: with Python's default of 5 ms, a thread that computes in Python would delay it by that at every step.
_SWITCH = 0.0005


def serve(settings: Settings, *, browser: bool, any_port: bool, console: Console) -> None:
    """Serve the app. If the port is taken, try the next ones, unless the user chose the port."""
    with _listen(settings, _TRIES if any_port else 1) as listener:
        port = listener.getsockname()[1]
        # Before anything is printed, so that an error is the only line.
        app = make_app(replace(settings, port=port), apart=True, warm=True)
        listener.gate = app.state.gate
        if port != settings.port and settings.port:
            console.print(
                say("port {port} is in use; using {port2}", port=settings.port, port2=port),
                style="yellow",
            )
        shown = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
        url = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
        console.print(
            say("Contienda is running at {url} (press Ctrl-C to quit)", url=url),
            soft_wrap=True,
        )
        if not settings.loopback:
            console.print(say("Anyone on your network can open this page."), style="yellow")
            if (why := None if settings.whitelist_only else why_not_confined()) is not None:
                console.print(
                    say("Heuristics are disabled: {why}. --whitelist-only allows them all the same.", why=why),
                    style="yellow",
                )
        connections = Connections(settings.limits, raise_open_files(), app.state.gate)
        config = uvicorn.Config(
            app, log_level="warning", ws="websockets-sansio", ws_max_size=64_000, server_header=False,
            timeout_keep_alive=75, timeout_graceful_shutdown=2, backlog=_AT_A_TIME,
            ws_per_message_deflate=False,  # the event loop would compress, and each socket would take 300 kB
            http=connections.protocol,  # type: ignore[arg-type]
            proxy_headers=False,  # otherwise any client could claim another address
        )  # fmt: skip
        bound_log(settings.limits.log_lines)
        sys.setswitchinterval(_SWITCH)
        if browser:
            opening = threading.Timer(0.5, webbrowser.open, [url])
            opening.daemon = True
            opening.start()
        _Server(config).run([listener])


class _Server(uvicorn.Server):
    """uvicorn's server, with a longer backlog than it accepts in one round."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for each in sockets or []:
            each.listen(_BACKLOG)


def _listen(settings: Settings, tries: int) -> Listener:
    """Return a socket on the first free port."""
    for port in range(settings.port, settings.port + tries):
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        listener = Listener(family, settings.limits)
        # So that a new server can start right after another was killed.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((settings.host, port))
            listener.listen(_BACKLOG)
            return listener
        except (OSError, OverflowError) as error:
            listener.close()
            if getattr(error, "errno", None) != errno.EADDRINUSE or port == settings.port + tries - 1:
                raise BadInput(
                    "cannot listen on {host}, port {port}: {error}; choose another with --host and --port",
                    host=settings.host,
                    port=port,
                    error=error,
                ) from None
    raise AssertionError("unreachable")
