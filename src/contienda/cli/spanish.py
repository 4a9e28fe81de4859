"""Typer's own words in Spanish: it has no catalogue of its own."""

from __future__ import annotations

import re
from typing import Any

import typer.core

from contienda.language import language, say

__all__ = ["Command", "Group", "in_our_language"]

#: The words of the usage line.
_USAGE = [("Usage:", "Uso:"), ("[OPTIONS]", "[OPCIONES]"), ("COMMAND [ARGS]...", "ORDEN [ARGUMENTOS]...")]

_HELP = {
    "help": ("Show this message and exit.", "Muestra esta ayuda."),
    "install_completion": ("Complete commands in this shell from now on.", "Completa órdenes en este intérprete."),
    "show_completion": ("Show the script that completes commands.", "Muestra el guion que completa órdenes."),
}

#: Typer's complaints, as patterns, and what to say instead.
_COMPLAINTS = [
    (r"No such command (.+)\. Did you mean (.+)\?", r"no existe la orden \1 (¿\2?)"),
    (r"No such command (.+)\.", r"no existe la orden \1"),
    (r"No such option: (\S+) \(Possible options: (.+)\)", r"no existe la opción \1 (¿\2?)"),
    (r"No such option: (\S+) Did you mean (.+)\?", r"no existe la opción \1 (¿\2?)"),
    (r"No such option: (.+)", r"no existe la opción \1"),
    (r"Missing argument (.+)\.", r"falta el argumento \1"),
    (r"Missing option (.+)\.", r"falta la opción \1"),
    (r"Missing command\.", r"falta la orden"),
    (r"Got unexpected extra arguments? ?\(?s?\)? ?\((.+)\)", r"sobra \1"),
    (r"Got unexpected extra argument\(s\) \((.+)\)", r"sobra \1"),
    (r"Option (.+) requires an argument\.", r"la opción \1 necesita un valor"),
    (r"Option (.+) does not take a value\.", r"la opción \1 no lleva valor"),
    (r"Invalid value for (.+): Input should be a valid integer.*", r"\1 debe ser un número entero"),
    (r"Invalid value for (.+): Input should be a valid number.*", r"\1 debe ser un número"),
    (r"Invalid value for (.+): (.+)", r"valor no válido para \1: \2"),
]


def in_our_language(complaint: str) -> str:
    """What Typer has to say of a call, in the language in use.

    >>> in_our_language("Missing argument 'GAME'.")
    "Missing argument 'GAME'."
    """
    if language() == "es":
        for pattern, spanish in _COMPLAINTS:
            found = re.fullmatch(pattern, complaint)
            if found:
                return found.expand(spanish)
    return complaint


def _translate_panels() -> None:
    """The titles of the help's panels. Not at the top: it loads much that only help needs."""
    from typer import rich_utils

    rich_utils.ARGUMENTS_PANEL_TITLE = say("Arguments", "Argumentos")
    rich_utils.OPTIONS_PANEL_TITLE = say("Options", "Opciones")
    rich_utils.COMMANDS_PANEL_TITLE = say("Commands", "Órdenes")
    rich_utils.DEFAULT_STRING = say("[default: {}]", "[por defecto: {}]")
    rich_utils.REQUIRED_LONG_STRING = say("[required]", "[obligatorio]")


class _Translated:
    """A command whose help speaks the language in use."""

    def format_help(self, context: Any, formatter: Any) -> None:
        _translate_panels()
        super().format_help(context, formatter)  # type: ignore[misc]

    def get_usage(self, context: Any) -> str:
        usage: str = super().get_usage(context)  # type: ignore[misc]
        for english, spanish in _USAGE:
            usage = usage.replace(english, say(english, spanish), 1)
        return usage

    def get_params(self, context: Any) -> list[Any]:
        parameters: list[Any] = super().get_params(context)  # type: ignore[misc]
        for parameter in parameters:
            if parameter.name in _HELP:
                parameter.help = say(*_HELP[parameter.name])
        return parameters


class Command(_Translated, typer.core.TyperCommand):
    """A command."""


class Group(_Translated, typer.core.TyperGroup):
    """The commands together."""
