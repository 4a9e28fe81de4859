"""``contienda cache``: shows and deletes the compiled code on disk, and what was unpacked there."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from contienda.cli.arguments import JsonOption, print_json
from contienda.cli.typer_texts import Command, Group
from contienda.compiled.kept_files import LIMIT, delete_code, kept_folder, look_through
from contienda.core.language import BadInput, number, say

__all__ = ["cache"]

cache = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help=say("Manage the compiled code kept on disk."),
)

_MEGABYTE = 1e6


def _folder() -> Path:
    folder = kept_folder()
    if folder is None:
        raise BadInput("compiled code cannot be kept: set XDG_CACHE_HOME to a folder that only you can write to")
    return folder


@cache.command(cls=Command, help=say("Show its folder, its size and its contents."))
def info(as_json: JsonOption = False) -> None:
    data = _describe(_folder())
    if as_json:
        return print_json(data)
    console = Console()
    console.print(data["folder"], highlight=False, soft_wrap=True)
    table = Table("", say("files"), "MB", say("s to compile"))
    for column in table.columns[1:]:
        column.justify = "right"
    for name, function in data["functions"].items():
        figures = function["bytes"] / _MEGABYTE, function["seconds"]
        table.add_row(name, str(function["files"]), *(number(figure, ",.1f") for figure in figures))
    console.print(table)
    files, size, limit = data["files"], data["bytes"] / _MEGABYTE, data["limit"] / _MEGABYTE
    console.print(
        say(
            "{files} files, {size:,.1f} MB of {limit:,.0f}, {damaged} damaged",
            files=files,
            size=size,
            limit=limit,
            damaged=data["damaged"],
        ),
        highlight=False,
    )
    unpacked = data["unpacked"]
    console.print(
        say(
            "unpacked networks and books: {files} files, {size:,.1f} MB of {limit:,.0f}, {damaged} damaged",
            files=unpacked["files"],
            size=unpacked["bytes"] / _MEGABYTE,
            limit=unpacked["limit"] / _MEGABYTE,
            damaged=unpacked["damaged"],
        ),
        highlight=False,
    )
    console.print(", ".join(f"{name} {number}" for name, number in data["versions"].items()), highlight=False)
    return None


def _describe(folder: Path) -> dict[str, Any]:
    from contienda.compiled import unpacked

    whole = unpacked.verify_unpacked(folder.parent / "unpacked")
    found = look_through(folder)
    functions: dict[str, dict[str, Any]] = {}
    for file in found:
        one = functions.setdefault(file.about.get("function", "?"), {"files": 0, "bytes": 0, "seconds": 0.0})
        one["files"] += 1
        one["bytes"] += file.size
        one["seconds"] = round(one["seconds"] + file.about.get("seconds", 0.0), 3)
    return {
        "folder": str(folder),
        "files": len(found),
        "bytes": sum(file.size for file in found),
        "limit": LIMIT,
        "damaged": sum(file.damaged for file in found),
        "unpacked": {
            "files": whole.files,
            "bytes": whole.size,
            "damaged": whole.damaged,
            "limit": unpacked.LIMIT,
        },
        "versions": {"python": python_version()} | {name: version(name) for name in ("llvmlite", "numba", "numpy")},
        "functions": dict(sorted(functions.items(), key=lambda item: -item[1]["bytes"])),
    }


@cache.command("clear", cls=Command, help=say("Delete all of it."))
def clear_() -> None:
    from contienda.compiled.unpacked import clear_unpacked

    folder = _folder()
    code, more = delete_code(folder), clear_unpacked(folder.parent / "unpacked")
    print(
        say(
            "{files} files deleted, {size:,.1f} MB; Contienda compiles again what it needs",
            files=code.files + more.files,
            size=(code.size + more.size) / _MEGABYTE,
        )
    )
