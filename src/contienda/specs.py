"""``name:key=value,key=value``: how a user writes down a player or a game."""

from __future__ import annotations

import math
from typing import NamedTuple

from contienda.language import BadInput

__all__ = ["Spec", "parse_spec", "read_number"]


class Spec(NamedTuple):
    """A name and its options, as they were written."""

    name: str
    options: dict[str, str]

    def __str__(self) -> str:
        written = ",".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.name}:{written}" if written else self.name


def parse_spec(text: str) -> Spec:
    """Read a spec.

    >>> parse_spec("expectimax:depth=5,eval=./mine.py:corner")
    Spec(name='expectimax', options={'depth': '5', 'eval': './mine.py:corner'})
    """
    name, _, written = text.strip().partition(":")
    name = name.strip()
    if not name:
        raise BadInput(
            f"{text!r} names nothing: write NAME or NAME:KEY=VALUE,…",
            f"{text!r} no nombra nada: escribe NOMBRE o NOMBRE:CLAVE=VALOR,…",
        )
    options: dict[str, str] = {}
    for option in written.split(",") if written.strip() else []:
        key, equals, value = (part.strip() for part in option.partition("="))
        if not (key and equals and value):
            raise BadInput(f"{option!r} in {text!r} is not KEY=VALUE", f"{option!r} en {text!r} no es CLAVE=VALOR")
        if key in options:
            raise BadInput(f"{key} is given twice in {text!r}", f"{key} aparece dos veces en {text!r}")
        options[key] = value
    return Spec(name, options)


def read_number(key: str, value: str | float) -> float:
    """The number that an option's value writes."""
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadInput(f"{key}={value} is not a number", f"{key}={value} no es un número")
    return number
