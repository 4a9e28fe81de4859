"""Texts for people: written once, in English, where they are used, and translated by the catalogues in ``locales``.

A text that quotes something names it in braces and gets it as a field: ``BadInput("no player {name!r}", name=name)``.
A field may be a text itself. A comma in a field's format asks for a number as the reader writes it: ``{count:,}`` is
18,033 in English and 18.033 in Spanish. `Figures` are numbers already written. A language is a folder, as
``locales/es/LC_MESSAGES/contienda.po``; ``make texts`` brings its entries up to date.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from numbers import Number
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contienda.core.po import Catalogue

__all__ = [
    "LANGUAGES",
    "BadInput",
    "Figures",
    "Text",
    "bounds",
    "chosen_language",
    "joined",
    "language",
    "number",
    "plural",
    "say",
    "use_language",
]

_SOURCE = "en"
_LOCALES = Path(__file__).parent.parent / "locales"

LANGUAGES = (_SOURCE, *sorted(entry.name for entry in os.scandir(_LOCALES) if entry.is_dir()))


@cache
def _catalogue(name: str) -> Catalogue | None:
    """The catalogue of a language; English has none. It is read on first use."""
    if name == _SOURCE:
        return None
    from contienda.core.po import read_catalogue

    return read_catalogue(_LOCALES / name / "LC_MESSAGES" / "contienda.po")


def _from_environment() -> str:
    """The language of the locale, in the order in which POSIX looks: LANGUAGE, LC_ALL, LC_MESSAGES, LANG."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable, ""):
            locale = value.partition(":")[0].partition(".")[0]
            known = (name for name in (locale, locale[:2].lower()) if name in LANGUAGES)
            return next(known, _SOURCE)
    return _SOURCE


_current: ContextVar[str | None] = ContextVar("language", default=None)


def language() -> str:
    """The language in use here and now, one of `LANGUAGES`."""
    return _current.get() or _from_environment()


def chosen_language() -> str | None:
    """The language that was chosen here, by ``--lang`` for example; None where it is only that of the machine."""
    return _current.get()


def use_language(name: str) -> None:
    """Speak this language from now on, in this context (a thread, a request)."""
    if name not in LANGUAGES:
        raise BadInput("no language {name!r}: choose one of {known}", name=name, known=", ".join(LANGUAGES))
    _current.set(name)


class Text:
    """A text with its fields; ``str()`` gives it in the language in use.

    A game or an evaluator outside this package has no catalogue and gives its translations by keyword:

    >>> nim = Text("{n} sticks", n=12, es="{n} palillos")
    >>> nim.into("en"), nim.into("es")
    ('12 sticks', '12 palillos')

    In a text without fields, braces stand for themselves.
    """

    __slots__ = ("fields", "many", "message", "translations")

    def __init__(self, message: str, /, **fields: object) -> None:
        self.message = message
        self.many: str | None = None
        own = [name for name in fields if len(name) == 2 and f"{{{name}" not in message]
        self.translations = {name: str(fields.pop(name)) for name in own}
        self.fields = {name: _lasting(value) for name, value in fields.items()}

    def into(self, name: str) -> str:
        """The text in a language."""
        text = self.template(name)
        return text.format_map(_shown(self.fields, name, _catalogue(name))) if self.fields else text

    def template(self, name: str) -> str:
        """The text in a language, its fields still to be filled in."""
        if name in self.translations:
            return self.translations[name]
        catalogue, many = _catalogue(name), self.many is not None
        n = self.fields["n"] if many else 1
        forms = catalogue.texts.get(self.message) if catalogue is not None else None
        if catalogue is None or forms is None:
            return self.many if self.many is not None and n != 1 else self.message
        return forms[catalogue.plural_form(int(n)) if many else 0]

    def in_all_languages(self) -> dict[str, str]:
        """The text in each language, as the API gives it."""
        return {name: self.into(name) for name in LANGUAGES}

    @classmethod
    def rendered(cls, texts: Mapping[str, str]) -> Text:
        """A text that a file or another process already rendered in each language."""
        text = cls(texts[_SOURCE])
        text.translations = dict(texts)
        return text

    def with_quotes(self, change: Callable[[str], str | Text]) -> Text:
        """The same text with every string that it quotes changed. A rendered text no longer knows its quotes."""
        if not self.fields:
            texts = {name: str(change(text)) for name, text in self.translations.items()}
            return type(self).rendered(texts) if texts else self
        changed = type(self)(self.message)
        changed.many, changed.translations = self.many, self.translations
        for name, value in self.fields.items():
            changed.fields[name] = value.with_quotes(change) if isinstance(value, Text) else value
            if isinstance(value, str):
                changed.fields[name] = change(value)
        return changed

    def all_fields(self) -> Iterator[tuple[str, Any]]:
        """The names and values of all fields, those of nested texts included."""
        for name, value in self.fields.items():
            if isinstance(value, Text):
                yield from value.all_fields()
            else:
                yield name, value

    def quotes(self, part: str) -> bool:
        """Whether a field contains this string."""
        quoted = [value for _, value in self.all_fields()] + list(self.translations.values())
        return any(part in value for value in quoted if isinstance(value, str))

    def __str__(self) -> str:
        return self.into(language())

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({', '.join([repr(self.message), *(f'{k}={v!r}' for k, v in self.fields.items())])})"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self.message)

    def _key(self) -> tuple[object, ...]:
        return self.message, self.many, self.fields, self.translations


class Figures(Text):
    """Numbers and signs as English writes them; other languages put their own decimal sign.

    >>> Figures("[3.5, +∞]").into("en"), Figures("[3.5, +∞]").into("es")
    ('[3.5, +∞]', '[3,5; +∞]')
    """

    __slots__ = ()

    def __init__(self, english: str, /) -> None:
        super().__init__(english)

    def template(self, name: str) -> str:
        catalogue = _catalogue(name)
        return self.message if catalogue is None else catalogue.figures(self.message)

    def __bool__(self) -> bool:
        """Whether anything is written."""
        return bool(self.message)


def say(message: str, /, **fields: object) -> str:
    """A text in the language of the reader."""
    return str(Text(message, **fields))


def plural(one: str, many: str, n: int, /, **fields: object) -> Text:
    """One of two texts by a number, which is their field ``n``; a language may have more forms, or fewer.

    >>> plural("{n} state", "{n:,} states", 1).into("en"), plural("{n} state", "{n:,} states", 18033).into("en")
    ('1 state', '18,033 states')
    """
    both = one + many  # either may contain a field
    text = Text(both, n=n, **fields)
    text.message, text.many = one, many
    return text


def joined(parts: Iterable[str | Text], separator: str = ", ") -> Text:
    """Several texts in a row.

    >>> str(joined([Text("up"), "4"]))
    'up, 4'
    """
    fields = {f"part{number}": part for number, part in enumerate(parts)}
    return Text(separator.join(f"{{{name}}}" for name in fields), **fields)


def number(value: float, form: str = ",") -> str:
    """A number as the reader writes it; ``form`` is a format of Python's, with its comma."""
    return _number(value, form, _catalogue(language()))


def bounds(low: float, high: float, form: str = ",") -> str:
    """An interval as the reader writes it: [3.5, 4], or [3,5; 4] in Spanish."""
    catalogue = _catalogue(language())
    ends = _number(low, form, catalogue), _number(high, form, catalogue)
    return f"[{ends[0]}, {ends[1]}]" if catalogue is None else catalogue.bounds(*ends)


def _number(value: Any, form: str, catalogue: Catalogue | None) -> str:
    shown = format(value, form)
    return shown if catalogue is None or "," not in form else catalogue.number(shown)


class _Localised:
    """A number within a text that is not English."""

    def __init__(self, value: object, catalogue: Catalogue) -> None:
        self.value, self.catalogue = value, catalogue

    def __format__(self, form: str) -> str:
        return _number(self.value, form, self.catalogue)

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return repr(self.value)


def _shown(fields: dict[str, Any], name: str, catalogue: Catalogue | None) -> dict[str, Any]:
    """Fields as a language shows them."""
    shown = {}
    for key, value in fields.items():
        if isinstance(value, Text):
            value = value.into(name)
        elif catalogue is not None and isinstance(value, Number):
            value = _Localised(value, catalogue)
        shown[key] = value
    return shown


def _lasting(value: object) -> Any:
    """A copy of a field that does not change with the object it quotes, and can be sent to another process."""
    if isinstance(value, BadInput):
        return value.text
    if isinstance(value, str | Number | Text):
        return value
    quoted = _Quoted(value)
    quoted.code = repr(value)
    return quoted


class _Quoted(str):
    """A thing as it looked when it was quoted."""

    code: str

    def __repr__(self) -> str:
        return self.code


#: The longest message, in characters: beyond this it quotes something too long to read.
_LONGEST = 1000
#: Spaces that hold a number and its unit together: Python does not call them printable.
_SPACES = "\u00a0\u202f"


def _one_line(text: str) -> str:
    """Return a sentence that quotes a user's input, as one printable line of limited length.

    >>> _one_line("no player 'a\\nb'")
    "no player 'a\\\\nb'"
    """
    shown = "".join(c if c.isprintable() or c in _SPACES else c.encode("unicode_escape").decode() for c in text)
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST // 2]} … {shown[-_LONGEST // 2 :]}"


class _Line(Text):
    """A text of one line, whatever it quotes."""

    __slots__ = ()

    def into(self, name: str) -> str:
        return _one_line(super().into(name))


class BadInput(ValueError):
    """Wrong input: one line says what is wrong and what would be right."""

    text: Text
    line: int | None = None
    """The line of the user's file or text that is wrong."""

    def __init__(self, message: str | Text, /, **fields: object) -> None:
        text = Text(message, **fields) if isinstance(message, str) else message
        self.text = _Line(text.message)
        self.text.many, self.text.translations, self.text.fields = text.many, text.translations, text.fields

    @property
    def message(self) -> str:
        """The English message without its fields, which identifies the kind of error."""
        return self.text.message

    @property
    def fields(self) -> dict[str, Any]:
        """What the message quotes."""
        return self.text.fields

    def __str__(self) -> str:
        return str(self.text)

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.__dict__)


def _again(kind: type[BadInput], content: dict[str, Any]) -> BadInput:
    """Rebuild an error from another process, whatever arguments its class takes."""
    error = kind.__new__(kind)
    error.__dict__.update(content)
    return error
