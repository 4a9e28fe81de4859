"""Specs, ``name:key=value,key=value``: how a user names a player or a game."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from contienda.core.language import BadInput

__all__ = ["Spec", "parse_spec", "read_number"]


class Spec(NamedTuple):
    """A name and its options, as they were written."""

    name: str
    options: dict[str, str]

    def __str__(self) -> str:
        written = ",".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.name}:{written}" if written else self.name


#: ``FILE.py:NAME`` or ``package.module:NAME``, and the options that may follow; a Windows path has a colon of its own.
_PLACE = re.compile(r"(?P<name>(?:[A-Za-z]:[\\/])?[^:=,]*[./\\][^:=,]*:[A-Za-z_]\w*)(?::(?P<rest>.*))?$", re.DOTALL)


def parse_spec(text: str) -> Spec:
    """Read a spec.

    >>> parse_spec("expectimax:depth=5,eval=./mine.py:corner")
    Spec(name='expectimax', options={'depth': '5', 'eval': './mine.py:corner'})

    The name may be a place:

    >>> parse_spec("./nim.py:Nim:stones=15")
    Spec(name='./nim.py:Nim', options={'stones': '15'})
    """
    found = _PLACE.match(text.strip())
    name, _, written = text.strip().partition(":") if found is None else (found["name"], ":", found["rest"] or "")
    name = name.strip()
    if not name:
        raise BadInput("{text!r} names nothing: write NAME or NAME:KEY=VALUE,…", text=text)
    options: dict[str, str] = {}
    for option in written.split(",") if written.strip() else []:
        key, equals, value = (part.strip() for part in option.partition("="))
        if not (key and equals and value):
            raise BadInput("{option!r} in {text!r} is not KEY=VALUE", option=option, text=text)
        if key in options:
            raise BadInput("{key} is given twice in {text!r}", key=key, text=text)
        options[key] = value
    return Spec(name, options)


def read_number(key: str, value: str | float) -> float:
    """The number that an option's value writes."""
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadInput("{key}={value} is not a number", key=key, value=value)
    return number
