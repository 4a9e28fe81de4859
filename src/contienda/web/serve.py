"""``contienda web``: finds a port, opens the browser, serves until Ctrl-C."""

from __future__ import annotations

import errno
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import uvicorn
from rich.console import Console

from contienda.core.confinement import why_not_confined
from contienda.core.language import BadInput, say
from contienda.web.access.connections import Connections, raise_open_files
from contienda.web.access.listener import Listener
from contienda.web.access.logs import bound_log
from contienda.web.app import make_app
from contienda.web.classroom.addresses import own_addresses
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


def serve(
    settings: Settings,
    *,
    browser: bool,
    any_port: bool,
    console: Console,
    certificate: tuple[Path, Path] | None = None,
    opening: Callable[[Settings, Console], None] | None = None,
) -> None:
    """Serve the app. If the port is taken, try the next ones, unless the user chose the port.

    ``certificate``: its file and that of its key, for HTTPS. ``opening(settings, console)`` tells a class where it is.
    """
    with _listen(settings, _TRIES if any_port else 1) as listener:
        chosen, port = settings.port, listener.getsockname()[1]
        # Before anything is printed, so that an error is the only line.
        scheme = "https" if certificate else "http"
        settings = _with_addresses(replace(settings, port=port), scheme) if settings.classroom else settings
        app = make_app(replace(settings, port=port), apart=True, warm=True)
        listener.gate = app.state.gate
        if port != chosen and chosen:
            console.print(
                say("port {port} is in use; using {port2}", port=chosen, port2=port),
                style="yellow",
            )
        shown = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
        url = f"{scheme}://{f'[{shown}]' if ':' in shown else shown}:{port}/"
        console.print(
            say("Contienda is running at {url} (press Ctrl-C to quit)", url=url),
            soft_wrap=True,
        )
        if opening is not None:
            opening(settings, console)
        elif not settings.loopback:
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
            ssl_certfile=certificate and certificate[0], ssl_keyfile=certificate and certificate[1],
        )  # fmt: skip
        bound_log(settings.limits.log_lines)
        sys.setswitchinterval(_SWITCH)
        if browser:
            showing = threading.Timer(0.5, webbrowser.open, [f"{url}#/class" if settings.classroom else url])
            showing.daemon = True
            showing.start()
        server = _Server(config)
        if app.state.classroom is not None:
            app.state.classroom.end = server.end
        server.run([listener])


def _with_addresses(settings: Settings, scheme: str) -> Settings:
    assert settings.classroom is not None
    found = tuple(
        f"{scheme}://{f'[{each}]' if ':' in each else each}:{settings.port}/" for each in own_addresses(settings.host)
    )
    return replace(settings, classroom=replace(settings.classroom, addresses=found))


class _Server(uvicorn.Server):
    """uvicorn's server, with a longer backlog than it accepts in one round."""

    def end(self) -> None:
        """End it as Ctrl-C does."""
        self.should_exit = True

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
