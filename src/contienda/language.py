"""Spanish and English: every text that a person reads is written in both, side by side, where it is used."""

from __future__ import annotations

import os
from contextvars import ContextVar
from typing import NamedTuple

__all__ = ["LANGUAGES", "BadInput", "Text", "language", "say", "use_language"]

LANGUAGES = ("en", "es")


def _from_environment() -> str:
    """The language of the locale, in the order in which POSIX looks: LANGUAGE, LC_ALL, LC_MESSAGES, LANG."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return "es" if value.lower().startswith("es") else "en"
    return "en"


_current: ContextVar[str | None] = ContextVar("language", default=None)


def language() -> str:
    """The language in use here and now: "es" or "en"."""
    return _current.get() or _from_environment()


def use_language(name: str) -> None:
    """Speak this language from now on, in this context (a thread, a request)."""
    if name not in LANGUAGES:
        raise BadInput(
            f"there is no language {name!r}; there are {', '.join(LANGUAGES)}",
            f"no hay idioma {name!r}; hay {', '.join(LANGUAGES)}",
        )
    _current.set(name)


class Text(NamedTuple):
    """A text in both languages; ``str()`` gives the one in use."""

    en: str
    es: str

    def __str__(self) -> str:
        return self.es if language() == "es" else self.en


def say(en: str, es: str) -> str:
    """The one of the two texts that the reader understands."""
    return str(Text(en, es))


#: Characters of a message; a longer one quotes something that nobody would read to its end.
_LONGEST = 1000
#: Spaces that hold a number and its unit together: Python does not call them printable.
_SPACES = "\u00a0\u202f"


def _one_line(text: str) -> str:
    """A sentence that quotes what a user gave, whatever that was: no line breaks, no control characters, no end.

    >>> _one_line("no player 'a\\nb'")
    "no player 'a\\\\nb'"
    """
    shown = "".join(c if c.isprintable() or c in _SPACES else c.encode("unicode_escape").decode() for c in text)
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST // 2]} … {shown[-_LONGEST // 2 :]}"


class BadInput(ValueError):
    """Something a user gave cannot be right: one line that says what is wrong and what would be right."""

    def __init__(self, en: str, es: str) -> None:
        super().__init__(en, es)
        self.text = Text(_one_line(en), _one_line(es))

    def __str__(self) -> str:
        return str(self.text)
