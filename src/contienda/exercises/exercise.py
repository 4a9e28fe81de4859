"""`Exercise`: a position, a search, and the questions about it, as a file and as a link.

    {"format": "contienda exercise", "version": 1, "title": "Two cut-offs", "text": "", "language": "en",
     "game": "tree", "position": "max[min[3 12 8] min[2 4 6] min[14 5 2]]", "player": "alphabeta",
     "ask": ["values", "cuts", "window=2"]}

docs/en/exercises.md describes the format. Reading a file checks its shape, `contienda.exercises.asking` the rest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from contienda.core.files import write_atomically
from contienda.core.language import LANGUAGES, BadInput, Text

__all__ = ["KINDS", "Ask", "Exercise", "checksum", "exercise_from_data", "exercise_from_link", "parse_ask"]

FORMAT = "contienda exercise"
VERSION = 1

#: The kinds of questions; "=WHERE" may follow some.
KINDS = {
    "value": Text("the value of the root"),
    "values": Text("the values of inner nodes, or of one: values=2/1"),
    "cuts": Text("which branches are cut"),
    "window": Text("α and β at a node: window=2, or where the search chooses one"),
    "next": Text("the next node visited, after a number of steps: next=5"),
    "best": Text("the best move"),
}

#: Characters of each text, and bytes of a file: more is no exercise.
_LONGEST = {"title": 200, "text": 5000, "game": 200, "position": 20_000, "player": 500}
_LARGEST_FILE = 1_000_000
_MOST_ASKED = 50

_LINK = "#/exercise?"


class Ask(NamedTuple):
    """A kind of question, and its place: a node by its moves from the root, ``2/1``, or a number of steps; "" for a
    default."""

    kind: str
    where: str

    def __str__(self) -> str:
        return f"{self.kind}={self.where}" if self.where else self.kind


def parse_ask(text: str) -> Ask:
    """Return the question that a text such as ``cuts`` or ``window=2/1`` stands for.

    >>> parse_ask("window=2/1")
    Ask(kind='window', where='2/1')
    """
    kind, equals, where = text.strip().partition("=")
    if kind not in KINDS:
        known = ", ".join(KINDS)
        raise BadInput("no kind of question {kind!r}: choose one of {known}", kind=kind, known=known)
    if equals and (not where or kind in ("value", "cuts", "best")):
        raise BadInput("{text!r}: write {kind} alone, or values=NODE, window=NODE, next=STEPS", text=text, kind=kind)
    return Ask(kind, where)


@dataclass(frozen=True)
class Exercise:
    """A position, a search of it, and the questions."""

    game: str
    position: str
    player: str
    ask: tuple[Ask, ...]
    title: str | Mapping[str, str] = ""
    """For people; in one language, or in each by its name."""
    text: str | Mapping[str, str] = ""
    language: str = ""
    """The language in which it is shown; "" is the reader's."""
    score: int = 0
    """Points scored earlier, if the game counts them."""
    seed: int = 0
    """The seed of a player that samples."""

    def words(self, name: str) -> Text:
        """Return the title or the text."""
        told: str | Mapping[str, str] = getattr(self, name)
        texts = dict.fromkeys(LANGUAGES, told) if isinstance(told, str) else told
        first = next(iter(texts.values()), "")
        return Text.rendered({language: texts.get(language, texts.get("en", first)) for language in LANGUAGES})

    @property
    def fingerprint(self) -> int:
        """A number that is equal only for exercises with the same questions; titles and texts may differ."""
        asked = [self.game, self.position, str(self.score), self.player, str(self.seed), *map(str, self.ask)]
        return checksum("\n".join(asked).encode())

    @property
    def link(self) -> str:
        """The address of the exercise within the app."""
        fields = [(key, value) for key, value in self._fields().items() if key not in ("ask", "title", "text")]
        for name in ("title", "text"):
            told = getattr(self, name)
            if isinstance(told, str):
                fields += [(name, told)] if told else []
            else:
                fields += [(f"{name}.{language}", words) for language, words in told.items()]
        return _LINK + urlencode(fields + [("ask", str(ask)) for ask in self.ask])

    def _fields(self) -> dict[str, Any]:
        """Return the content of the file, without defaults."""
        data: dict[str, Any] = {"title": self.title, "text": self.text, "language": self.language, "game": self.game}
        data |= {"position": self.position, "score": self.score, "player": self.player, "seed": self.seed}
        kept = {key: value for key, value in data.items() if value or key in ("game", "position", "player")}
        return kept | {"ask": [str(ask) for ask in self.ask]}

    def as_data(self) -> dict[str, Any]:
        """Return the exercise for JSON."""
        return {"format": FORMAT, "version": VERSION} | self._fields()

    def save(self, path: Path) -> None:
        """Write the file."""
        write_atomically(path, json.dumps(self.as_data(), ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def load(cls, path: Path) -> Exercise:
        """Return the exercise in a file."""
        try:
            if path.stat().st_size > _LARGEST_FILE:
                raise BadInput("{path} is too large to be an exercise", path=path)
            written = path.read_text(encoding="utf-8")
        except OSError as error:
            raise BadInput("cannot read {path}: {strerror}", path=path, strerror=error.strerror) from None
        except UnicodeDecodeError:
            raise BadInput("{path} is not an exercise: it is not text", path=path) from None
        try:
            return exercise_from_data(json.loads(written))
        except (ValueError, RecursionError) as error:
            why = error.text if isinstance(error, BadInput) else Text("it is not JSON")
            raise BadInput("{path} is not an exercise: {why}", path=path, why=why) from None


def exercise_from_data(data: Any) -> Exercise:
    """Return the exercise that JSON describes, every part checked for its shape."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadInput('it lacks "format": "{format}"', format=FORMAT)
    if data.get("version") != VERSION:
        raise BadInput("its version is {found}; this program reads {known}", found=data.get("version"), known=VERSION)
    known = {"format", "version", *_LONGEST, "language", "score", "seed", "ask"}
    if unknown := sorted(map(str, data.keys() - known)):
        raise BadInput("unknown key {key!r}", key=unknown[0])
    for name, longest in _LONGEST.items():
        _check_words(name, data.get(name, ""), longest, translated=name in ("title", "text"))
    for name in ("game", "player"):
        if not data.get(name):
            raise BadInput("{name!r} is missing", name=name)
    if data.get("language", "") not in ("", *LANGUAGES):
        languages = ", ".join(LANGUAGES)
        raise BadInput("its language must be one of {languages}", languages=languages)
    for name in ("score", "seed"):
        number = data.get(name, 0)
        if type(number) is not int or not 0 <= number < 2**63:
            raise BadInput("{name!r} must be a whole number from 0", name=name)
    asked = data.get("ask")
    if not isinstance(asked, list) or not 0 < len(asked) <= _MOST_ASKED or not all(type(a) is str for a in asked):
        raise BadInput('"ask" must be a list of 1 to {most} texts, such as ["values", "cuts"]', most=_MOST_ASKED)
    fields = {name: data[name] for name in (*_LONGEST, "language", "score", "seed") if name in data}
    return Exercise(**{"position": ""} | fields, ask=tuple(map(parse_ask, dict.fromkeys(asked))))


def _check_words(name: str, told: Any, longest: int, *, translated: bool) -> None:
    texts = list(told.values()) if isinstance(told, dict) and translated else [told]
    if not all(isinstance(text, str) for text in texts):
        raise BadInput("{name!r} must be a text", name=name)
    if any(len(text) > longest for text in texts):
        raise BadInput("{name!r} has more than {longest:,} characters", name=name, longest=longest)
    if isinstance(told, dict) and (unknown := sorted(set(map(str, told)) - set(LANGUAGES))):
        raise BadInput("{name!r}: unknown language {language!r}", name=name, language=unknown[0])


def exercise_from_link(link: str) -> Exercise:
    """Return the exercise of an address in the app, as `Exercise.link` writes it."""
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "ask": []}
    for key, value in parse_qsl(link.partition(_LINK)[2], keep_blank_values=True):
        name, _, language = key.partition(".")
        if key == "ask":
            data["ask"].append(value)
        elif language and name in ("title", "text"):
            data.setdefault(name, {})[language] = value
        else:
            data[key] = int(value) if key in ("score", "seed") and value.isdigit() and len(value) < 20 else value
    try:
        return exercise_from_data(data)
    except BadInput as error:
        raise BadInput("the link is not an exercise: {why}", why=error.text) from None


def checksum(content: bytes) -> int:
    """Return the 32 bits of FNV-1a, which takes one line in any language: it protects against typing errors, not
    against fraud."""
    found = 0x811C9DC5
    for byte in content:
        found = (found ^ byte) * 0x01000193 & 0xFFFFFFFF
    return found
