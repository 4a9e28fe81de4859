"""Typer as we use it: its texts in the current language, because it has no catalogue; and only the command to run."""

from __future__ import annotations

import re
from copy import copy
from typing import Any

import typer.core
from typer.main import get_command_name

from contienda.core.language import LANGUAGES, Text, language, say

__all__ = ["Command", "Group", "in_our_language", "only_command"]

#: The words of the usage line.
_USAGE = [Text("Usage:"), Text("[OPTIONS]"), Text("COMMAND [ARGS]...")]

_HELP = {
    "help": Text("Show this message and exit."),
    "install_completion": Text("Install shell completion."),
    "show_completion": Text("Show the completion script."),
}

#: Typer's error messages, word for word: most of them are available only as text.
_COMPLAINTS = [
    Text("No such command {name}. Did you mean {meant}?"),
    Text("No such command {name}."),
    Text("No such option: {name} (Possible options: {meant})"),
    Text("No such option: {name} Did you mean {meant}?"),
    Text("No such option: {name}"),
    Text("Missing argument {name}."),
    Text("Missing option {name}."),
    Text("Missing command."),
    Text("Got unexpected extra argument ({rest})"),
    Text("Got unexpected extra arguments ({rest})"),
    Text("Got unexpected extra argument(s) ({rest})"),
    Text("Option {name} requires an argument."),
    Text("Option {name} does not take a value."),
    Text("Invalid value for {name}: Input should be a valid integer"),
    Text("Invalid value for {name}: Input should be a valid number"),
    Text("Invalid value for {name}: {why}"),
]


def in_our_language(complaint: str) -> str:
    """Return Typer's error message in the current language.

    >>> in_our_language("Missing argument 'GAME'.")
    "Missing argument 'GAME'."
    """
    if language() == LANGUAGES[0]:
        return complaint
    for known in _COMPLAINTS:
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*)", re.escape(known.message))
        if found := re.fullmatch(pattern, complaint) or re.fullmatch(f"{pattern}, .*", complaint):
            return say(known.message, **found.groupdict())
    return complaint


def _translate_panels() -> None:
    """Translate the titles of the help panels. The import is local: it loads much that only help needs."""
    from typer import rich_utils

    rich_utils.ARGUMENTS_PANEL_TITLE = say("Arguments")
    rich_utils.OPTIONS_PANEL_TITLE = say("Options")
    rich_utils.COMMANDS_PANEL_TITLE = say("Commands")
    rich_utils.DEFAULT_STRING = say("[default: {}]")
    rich_utils.REQUIRED_LONG_STRING = say("[required]")


class _Translated:
    """A command whose help is in the current language."""

    def format_help(self, context: Any, formatter: Any) -> None:
        _translate_panels()
        super().format_help(context, formatter)  # type: ignore[misc]

    def get_usage(self, context: Any) -> str:
        usage: str = super().get_usage(context)  # type: ignore[misc]
        for words in _USAGE:
            usage = usage.replace(words.message, str(words), 1)
        return usage

    def get_params(self, context: Any) -> list[Any]:
        parameters: list[Any] = super().get_params(context)  # type: ignore[misc]
        for parameter in parameters:
            if parameter.name in _HELP:
                parameter.help = str(_HELP[parameter.name])
        return parameters


class Command(_Translated, typer.core.TyperCommand):
    """A translated command."""


class Group(_Translated, typer.core.TyperGroup):
    """A translated group of commands."""


def only_command(app: typer.Typer, arguments: list[str]) -> typer.Typer:
    """Return the app with only the command that the arguments begin with, if it has it; otherwise the whole app.

    Typer builds all commands with their options before it runs one, which takes longer than most of them run.
    """
    wanted = arguments[0] if arguments else ""
    if only := _with_command(app, wanted):
        return only
    for group in app.registered_groups:
        if group.typer_instance is None:
            continue
        named = isinstance(group.name, str)
        inner = group.typer_instance if named else _with_command(group.typer_instance, wanted)
        if inner is not None and (not named or group.name == wanted):
            only, found = copy(app), copy(group)
            found.typer_instance = inner
            only.registered_commands, only.registered_groups = [], [found]
            return only
    return app


def _with_command(app: typer.Typer, name: str) -> typer.Typer | None:
    """Return the app with only this command; None if it has none of this name."""
    for command in app.registered_commands:
        if command.callback is not None and name == (command.name or get_command_name(command.callback.__name__)):
            only = copy(app)
            only.registered_commands, only.registered_groups = [command], []
            return only
    return None
