"""Reads the options of a player's spec; unknown keys are errors."""

from __future__ import annotations

from contienda.core.language import BadInput, Text
from contienda.core.specs import Spec, parse_spec, read_number
from contienda.players.catalogue import PlayerInfo

__all__ = ["Options", "split_weights"]


class Options:
    """The options of a spec. The function that makes a player takes each key; remaining ones are weights, or errors."""

    def __init__(self, spec: Spec, info: PlayerInfo) -> None:
        self.spec = spec
        self.info = info
        self._left = dict(spec.options)
        if not info.weights:
            for key in self._left:
                if key not in info.parameters:
                    raise _unknown(info, key)

    def text(self, key: str, default: str) -> str:
        """Return the text of a key."""
        return self._left.pop(key, default) if key in self.info.parameters else default

    def number(self, key: str) -> float | None:
        """Return a number, if it is given."""
        value = self.text(key, "")
        return read_number(key, value) if value else None

    def whole_number(self, key: str) -> int | None:
        """Return a whole number, if it is given."""
        value = self.text(key, "")
        if not value:
            return None
        if not (value.isascii() and value.removeprefix("-").isdigit() and len(value) < 19):
            raise BadInput("{key}={value} is not a whole number", key=key, value=value)
        return int(value)

    def megabytes(self, default: int) -> int:
        """Return a size in megabytes, such as ``memory=64``."""
        memory = self.whole_number("memory")
        if memory is not None and memory < 1:
            raise BadInput("memory={memory}: megabytes, 1 or more", memory=memory)
        return default if memory is None else memory

    def is_word(self, key: str, word: str) -> bool:
        """Take a key if it is set to this word, where a number is expected otherwise; return whether it is."""
        if self._left.get(key) != word:
            return False
        return self.text(key, "") == word

    def switch(self, key: str, default: bool) -> bool:
        """On or off."""
        value = self.text(key, "on" if default else "off")
        if value not in ("on", "off"):
            raise BadInput("{key}={value}: write on or off", key=key, value=value)
        return value == "on"

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        """Return one of some words, by default the first."""
        value = self.text(key, choices[0])
        if value not in choices:
            known = ", ".join(choices)
            raise BadInput("{key}={value}: there are {known}", key=key, value=value, known=known)
        return value

    def refuse_rest(self) -> None:
        """Refuse keys that the player did not take."""
        for key in self._left:
            raise _unknown(self.info, key)

    def weights(self) -> dict[str, str]:
        """Return the remaining keys, the evaluator's weights, as text."""
        return dict(self._left)


def split_weights(text: str) -> tuple[str, dict[str, str]]:
    """Return an evaluator's name and weights from the text of ``eval=``.

    >>> split_weights("ort-simple-1,empty=3.0")
    ('ort-simple-1', {'empty': '3.0'})
    """
    name, _, weights = text.partition(",")
    return name, parse_spec(f"weights:{weights}").options if weights else {}


def _unknown(info: PlayerInfo, key: str) -> BadInput:
    known = ", ".join(info.parameters)
    return BadInput(
        "{name} has no parameter {key!r}: it has {known}", name=info.name, key=key, known=known or Text("none")
    )
