"""The code that a student hands in: the student, the exercise, the tries and the time taken.

It goes through any learning platform as text. Its checksum finds typing errors. It does not prove who answered or how:
anybody who reads this file can write a code. docs/en/teaching.md says so to teachers.

    bytes   content
    1       version
    4       fingerprint of the exercise
    4       when it was finished, in minutes since 1970
    3       seconds
    1       number of questions
    1 each  right (1 bit), hints (3 bits), tries (4 bits)
    1 + n   title, in UTF-8
    1 + n   name, in UTF-8
    4       checksum (`contienda.exercises.exercise.checksum`)

All of it in base 32, in groups of five characters.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from contienda.core.language import BadInput
from contienda.exercises.exercise import checksum

__all__ = ["Attempt", "HandedIn", "make_code", "read_code"]

_VERSION = 1
_HEAD = 13  # bytes before the questions
_LONGEST_TEXT = 80  # bytes of a title, or of a name

#: The last minute that a date can have, of the year 9999.
_LAST = int(datetime(9999, 12, 31, tzinfo=UTC).timestamp()) // 60

#: The cost of each wrong try and each hint, out of one point for a question.
_COST = 0.25
_FULL_MARK = 10.0


class Attempt(NamedTuple):
    """The outcome of one question."""

    right: bool
    tries: int
    """Answers given, the right one included."""
    hints: int

    @property
    def points(self) -> float:
        """1 for a right answer, less a quarter for each wrong try and each hint, at least 0."""
        return max(0.0, 1 - _COST * (self.tries - 1 + self.hints)) if self.right else 0.0


@dataclass(frozen=True)
class HandedIn:
    """The content of a code."""

    fingerprint: int
    title: str
    name: str
    finished: datetime
    """To the minute, by the clock of the student's machine."""
    seconds: int
    attempts: tuple[Attempt, ...]

    @property
    def right(self) -> int:
        """Questions answered correctly in the end."""
        return sum(attempt.right for attempt in self.attempts)

    @property
    def mark(self) -> float:
        """From 0 to 10: the share of all points."""
        points = sum(attempt.points for attempt in self.attempts)
        return round(_FULL_MARK * points / max(len(self.attempts), 1), 2)


def make_code(
    fingerprint: int, title: str, name: str, finished: datetime, seconds: float, attempts: Sequence[Attempt]
) -> str:
    """Return the code of a finished exercise.

    >>> done = [Attempt(True, 1, 0), Attempt(True, 3, 1)]
    >>> code = make_code(7, "Cuts", "Ana", datetime(2026, 11, 18, tzinfo=UTC), 61.5, done)
    >>> read_code(code).name, read_code(code).attempts[1], read_code(code).mark
    ('Ana', Attempt(right=True, tries=3, hints=1), 6.25)
    """
    minutes = int(finished.timestamp()) // 60
    content = bytes([_VERSION]) + fingerprint.to_bytes(4, "big") + minutes.to_bytes(4, "big")
    content += min(int(seconds), 2**24 - 1).to_bytes(3, "big") + bytes([len(attempts)])
    content += bytes(a.right << 7 | min(a.hints, 7) << 4 | min(a.tries, 15) for a in attempts)
    for text in (title, name):
        written = text.encode()[:_LONGEST_TEXT].decode(errors="ignore").encode()
        content += bytes([len(written)]) + written
    content += checksum(content).to_bytes(4, "big")
    letters = base64.b32encode(content).decode().rstrip("=")
    return "-".join(letters[i : i + 5] for i in range(0, len(letters), 5))


def read_code(text: str) -> HandedIn:
    """Return the content of a code; an incomplete one is refused."""
    letters = re.sub(r"[\s\-–—]", "", text).upper().replace("0", "O").replace("1", "I").replace("8", "B")
    try:
        content = base64.b32decode(letters + "=" * (-len(letters) % 8))
    except ValueError:
        content = b""
    shown = text if len(text) < 24 else f"{text[:20]}…"
    if len(content) < _HEAD + 6 or checksum(content[:-4]) != int.from_bytes(content[-4:], "big"):
        raise BadInput("the code {code!r} is damaged: copy it whole, from the first group to the last", code=shown)
    if content[0] != _VERSION:
        raise BadInput("the code {code!r} comes from another version of Contienda", code=shown)
    count = content[_HEAD - 1]
    attempts = tuple(Attempt(bool(b >> 7), b & 15, b >> 4 & 7) for b in content[_HEAD : _HEAD + count])
    rest, texts = content[_HEAD + count : -4], []
    while rest:
        texts.append(rest[1 : 1 + rest[0]].decode(errors="replace"))
        rest = rest[1 + rest[0] :]
    minutes = int.from_bytes(content[5:9], "big")
    if len(texts) != 2 or minutes > _LAST or any(attempt.right and not attempt.tries for attempt in attempts):
        raise BadInput("the code {code!r} is damaged: copy it whole, from the first group to the last", code=shown)
    title, name = map(_shown, texts)
    finished = datetime.fromtimestamp(60 * minutes, UTC)
    seconds = int.from_bytes(content[9:12], "big")
    return HandedIn(int.from_bytes(content[1:5], "big"), title, name, finished, seconds, attempts)


def _shown(text: str) -> str:
    """Return a text in one line, without the characters that a terminal obeys."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()
