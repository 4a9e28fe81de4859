"""Typer's own words in Spanish. Typer takes them from gettext, and has no catalogue of its own."""

from __future__ import annotations

import gettext

from contienda.language import language

__all__ = ["translate_typer"]

_SPANISH = {
    "Usage:": "Uso:",
    "Usage: ": "Uso: ",
    "Arguments": "Argumentos",
    "Options": "Opciones",
    "Commands": "Órdenes",
    "[default: {}]": "[por defecto: {}]",
    "[required]": "[obligatorio]",
    "Show this message and exit.": "Muestra esta ayuda.",
    "Missing argument": "Falta el argumento",
    "Missing option": "Falta la opción",
    "Missing parameter": "Falta el parámetro",
    "Missing command.": "Falta la orden.",
    "No such command {name!r}.": "No existe la orden {name!r}.",
    "No such option: {name}": "No existe la opción: {name}",
    "Option {name!r} requires an argument.": "La opción {name!r} necesita un valor.",
    "Option {name!r} does not take a value.": "La opción {name!r} no lleva valor.",
    "Got unexpected extra argument ({args})": "Sobra el argumento ({args})",
    "Invalid value: {message}": "Valor no válido: {message}",
    "Invalid value for {param_hint}: {message}": "Valor no válido para {param_hint}: {message}",
    "{value!r} is not a valid {number_type}.": "{value!r} no es un número válido ({number_type}).",
    "{value} is not in the range {range}.": "{value} no está en el intervalo {range}.",
    "Did you mean {possibility}?": "¿Querías decir {possibility}?",
    "(Possible options: {possibilities})": "(Opciones posibles: {possibilities})",
}


def translate_typer() -> None:
    """Before Typer is imported: let gettext know these words."""
    english, english_plural = gettext.gettext, gettext.ngettext

    def translate(message: str) -> str:
        return _SPANISH.get(message, message) if language() == "es" else english(message)

    def translate_plural(msgid1: str, msgid2: str, n: int) -> str:
        return _SPANISH.get(msgid1, msgid1) if language() == "es" else english_plural(msgid1, msgid2, n)

    gettext.gettext, gettext.ngettext = translate, translate_plural
