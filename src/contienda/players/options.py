"""The options of a player's spec, read one by one and strictly."""

from __future__ import annotations

from contienda.language import BadInput
from contienda.players.catalogue import PlayerInfo
from contienda.specs import Spec, parse_spec, read_number

__all__ = ["Options", "split_weights"]


class Options:
    """What a spec sets; whoever makes the player takes each key, and what is left over is a mistake, or a weight."""

    def __init__(self, spec: Spec, info: PlayerInfo) -> None:
        self.spec = spec
        self.info = info
        self._left = dict(spec.options)
        if not info.weights:
            for key in self._left:
                if key not in info.parameters:
                    raise _unknown(info, key)

    def text(self, key: str, default: str) -> str:
        """A word."""
        return self._left.pop(key, default) if key in self.info.parameters else default

    def number(self, key: str) -> float | None:
        """A number, if it is given."""
        value = self.text(key, "")
        return read_number(key, value) if value else None

    def whole_number(self, key: str) -> int | None:
        """A whole number, if it is given."""
        value = self.text(key, "")
        if not value:
            return None
        if not (value.isascii() and value.removeprefix("-").isdigit() and len(value) < 19):
            raise BadInput(f"{key}={value} is not a whole number", f"{key}={value} no es un número entero")
        return int(value)

    def megabytes(self, default: int) -> int:
        """Memory, as ``memory=64``."""
        memory = self.whole_number("memory")
        if memory is not None and memory < 1:
            raise BadInput(f"memory={memory}: megabytes, 1 or more", f"memory={memory}: megabytes, 1 o más")
        return default if memory is None else memory

    def says(self, key: str, word: str) -> bool:
        """Whether a key that otherwise takes a number is set to this word."""
        if self._left.get(key) != word:
            return False
        return self.text(key, "") == word

    def switch(self, key: str, default: bool) -> bool:
        """On or off."""
        value = self.text(key, "on" if default else "off")
        if value not in ("on", "off"):
            raise BadInput(f"{key}={value}: write on or off", f"{key}={value}: escribe on u off")
        return value == "on"

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        """One of some words, the first of them by default."""
        value = self.text(key, choices[0])
        if value not in choices:
            known = ", ".join(choices)
            raise BadInput(f"{key}={value}: there are {known}", f"{key}={value}: hay {known}")
        return value

    def weights(self) -> dict[str, str]:
        """What is left over: the weights of the evaluator, as they were written."""
        return dict(self._left)


def split_weights(text: str) -> tuple[str, dict[str, str]]:
    """An evaluator with its weights, as ``eval=`` takes them.

    >>> split_weights("ort-simple-1,empty=3.0")
    ('ort-simple-1', {'empty': '3.0'})
    """
    name, _, weights = text.partition(",")
    return name, parse_spec(f"weights:{weights}").options if weights else {}


def _unknown(info: PlayerInfo, key: str) -> BadInput:
    known = ", ".join(info.parameters)
    return BadInput(
        f"{info.name} has no parameter {key!r}: it has {known or 'none'}",
        f"{info.name} no tiene el parámetro {key!r}: tiene {known or 'ninguno'}",
    )
