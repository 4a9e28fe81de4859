"""``contienda class``: the app for a class on this machine."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from rich.console import Console

from contienda.cli.files import folder_to_write
from contienda.core.confinement import why_not_confined
from contienda.core.files import data_folder
from contienda.core.language import BadInput, say
from contienda.web.classroom.addresses import make_certificate, own_addresses, qr_text, refuse_without_https
from contienda.web.classroom.classroom import class_settings, new_code
from contienda.web.serve import serve
from contienda.web.settings import Settings

__all__ = ["run_class"]

_SHORTEST_PASSWORD, _SHORTEST_CODE = 6, 4


def run_class(
    settings: Settings,
    code: str,
    password: str,
    *,
    data: Path | None,
    forget: bool,
    https: bool,
    browser: bool,
    any_port: bool,
) -> None:
    """Serve a class until it ends, then delete its data if requested."""
    if code and not (code.replace("-", "").isalnum() and len(code) >= _SHORTEST_CODE):
        raise BadInput("--code needs at least {shortest} letters or digits", shortest=_SHORTEST_CODE)
    if password and len(password) < _SHORTEST_PASSWORD:
        raise BadInput("--password needs at least {shortest} characters", shortest=_SHORTEST_PASSWORD)
    if forget and data is not None:
        raise BadInput("--forget keeps everything in a folder of its own; leave out --data")
    if https:
        refuse_without_https()
    secret = password or f"{new_code()}-{new_code()}"
    with ExitStack() as folders:
        if forget:
            folder = Path(folders.enter_context(tempfile.TemporaryDirectory(prefix="contienda-class-")))
        else:
            folder = data or data_folder() / "class"
            folder_to_write(folder)
        certificate = make_certificate(folder, own_addresses(settings.host)) if https else None
        served = replace(settings, data=folder, classroom=class_settings(code or new_code(), secret))
        show = partial(_show, password=None if password else secret)
        serve(served, browser=browser, any_port=any_port, console=Console(), certificate=certificate, opening=show)
    if forget:
        Console().print(say("All games and heuristics of the class have been deleted."))


def _show(settings: Settings, console: Console, *, password: str | None) -> None:
    """Print the addresses, the code and the password."""
    room = settings.classroom
    assert room is not None
    first, *others = room.addresses
    if (drawn := qr_text(first)) is not None:
        console.file.write(drawn)
    else:
        console.print(say("for a QR code: pip install 'contienda[class]'"), style="dim", markup=False)
    console.print(say("Pupils open {url} and enter the code {code}", url=first, code=room.code), style="bold")
    if others:
        console.print(say("or, by another network: {urls}", urls=", ".join(others)), soft_wrap=True)
    console.print(say("The teacher's page: {url}", url=f"{first}#/class"), soft_wrap=True)
    if password is not None:
        console.print(say("The teacher's password: {password}", password=password))
    if first.startswith("http:"):
        console.print(say("Nothing is encrypted: use a network that you trust, or --https."), style="yellow")
    if (why := None if settings.whitelist_only else why_not_confined()) is not None:
        console.print(
            say("Heuristics are disabled: {why}. --whitelist-only allows them all the same.", why=why), style="yellow"
        )
