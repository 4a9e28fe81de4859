"""Reads gettext's ``.po`` files directly, so that a translation needs no build step."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

__all__ = ["LARGE", "SMALL", "Catalogue", "read_catalogue"]


class Catalogue(NamedTuple):
    """The texts of one language, and how it writes numbers."""

    texts: Mapping[str, tuple[str, ...]]
    """By the English one: the translation, or all forms of a plural."""
    plural_form: Callable[[int], int]
    """Which form of a plural a number takes."""
    separators: dict[int, str]
    """For `str.translate`: the comma and the point of English numbers."""
    grouped_from: int
    """The least number of digits that are written in groups."""

    def number(self, english: str) -> str:
        """A number as this language writes it.

        >>> spanish = Catalogue({}, int, str.maketrans({",": ".", ".": ","}), 5)
        >>> spanish.number("18,033.5"), spanish.number("1,100")
        ('18.033,5', '1100')
        """
        whole = english.partition(".")[0]
        if sum(map(str.isdigit, whole)) < self.grouped_from:
            english = english.replace(",", "").rjust(len(english) if english.startswith(" ") else 0)
        return english.translate(self.separators)

    def figures(self, english: str) -> str:
        """Numbers without groups, and the signs around them, as this language writes them.

        Where decimals have a comma, a semicolon separates the bounds of an interval, and other numbers with decimals.

        >>> spanish = Catalogue({}, int, str.maketrans({",": ".", ".": ","}), 5)
        >>> spanish.figures("[3, +∞]"), spanish.figures("3.5, 4"), spanish.figures("3, 4")
        ('[3; +∞]', '3,5; 4', '3, 4')
        """
        sign = self.separators[ord(".")]
        if sign != ",":
            return _DECIMALS.sub(sign, english)
        if _DECIMALS.search(english):
            return _DECIMALS.sub(sign, english.replace(", ", "; "))
        return _INTERVAL.sub("; ", english)

    def bounds(self, low: str, high: str) -> str:
        """An interval between two numbers of this language.

        >>> spanish = Catalogue({}, int, str.maketrans({",": ".", ".": ","}), 5)
        >>> spanish.bounds("17,5", "18")
        '[17,5; 18]'
        """
        return f"[{low}; {high}]" if self.separators[ord(".")] == "," else f"[{low}, {high}]"


#: The point of a number with decimals.
_DECIMALS = re.compile(r"(?<=\d)\.(?=\d)")
#: What separates the bounds of an interval.
_INTERVAL = re.compile(r", (?=[^\[\] ]+\])")
#: One line of an entry: a keyword and a string, or a further piece of the string before. Obsolete entries begin with #.
_LINE = re.compile(r'^(?:(msgid|msgid_plural|msgstr|msgstr\[\d+\]) )?"(.*)"\s*$')
#: The mark of a translation that has not been checked since the English changed.
_FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)
_ESCAPE = re.compile(r"\\(.)")


def _unescaped(found: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t"}.get(found[1], found[1])


def read_catalogue(path: Path) -> Catalogue:
    """The catalogue of a file, without texts that are not translated or not checked."""
    texts: dict[str, tuple[str, ...]] = {}
    for entry in path.read_text(encoding="utf-8").split("\n\n"):
        parts: dict[str, str] = {}
        part = ""
        for line in entry.splitlines():
            if found := _LINE.match(line):
                part = found[1] or part
                parts[part] = parts.get(part, "") + _ESCAPE.sub(_unescaped, found[2])
        forms = tuple(text for name, text in parts.items() if name.startswith("msgstr"))
        unfinished = not all(forms) or (_FUZZY.search(entry) and parts.get("msgid"))
        if "msgid" in parts and not unfinished:
            texts[parts["msgid"]] = forms
    headers = dict(line.split(": ", 1) for line in texts.pop("")[0].splitlines())
    # What gettext has for the plurals of C; the number of forms stands before it.
    plural_form = gettext.c2py(headers["Plural-Forms"].partition("plural=")[2].rstrip(";"))
    return Catalogue(texts, plural_form, *_numbers(texts.get(LARGE, (LARGE,))[0], texts.get(SMALL, (SMALL,))[0]))


#: Sample numbers for translators: they show the separators, and whether four digits have one.
LARGE, SMALL = "12,345.6", "1,234.5"


def _numbers(large: str, small: str) -> tuple[dict[int, str], int]:
    """The separators of numbers, and the least number of digits that have one.

    >>> _numbers("12.345,6", "1234,5") == (str.maketrans({",": ".", ".": ","}), 5)
    True
    """
    before, _, after = large.partition("345")
    separators = str.maketrans({",": before.removeprefix("12"), ".": after.removesuffix("6")})
    return separators, 5 if small.startswith("1234") else 4
