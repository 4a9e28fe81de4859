"""Marks for the players of a league, by a rubric in TOML:

[[part]]
by = "staff"        # the share of the staff that is beaten: more than half of the points against each
points = 60

[[part]]
by = "rating"       # from 0 at one rating to all points at another
points = 20
from = 1200
to = 1800

[[part]]
by = "oracle"       # from 0 at one percentage of best moves to all points at another
points = 20
from = 50
to = 90

[anchors]           # ratings that are known: the others are measured from them
"alphabeta:depth=2" = 1500
"""

from __future__ import annotations

import csv
import io
import math
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from contienda.core.game import Game
from contienda.core.language import BadInput, Text, number, say
from contienda.league.competitors import Competitor
from contienda.league.oracle import OracleGrade, oracle_of
from contienda.league.standing import LadderRow, Standing

__all__ = ["Marked", "Rubric", "RubricPart", "check_rubric", "marks_as_csv", "read_rubric"]

_LARGEST = 100_000
_BY = ("staff", "rating", "oracle")


class RubricPart(NamedTuple):
    """What some of the points are for."""

    by: str
    points: float
    least: float = 0.0
    """The rating, or percentage of best moves, that gives nothing; and the one that gives all points."""
    most: float = 0.0


class Rubric(NamedTuple):
    """How a league is marked."""

    parts: list[RubricPart]
    anchors: dict[str, float]
    """See `contienda.league.LeaguePlan.anchors`."""

    @property
    def by_oracle(self) -> bool:
        """Whether exact values count."""
        return any(part.by == "oracle" for part in self.parts)


# --- Reading ---------------------------------------------------------------------------------------------------------


def read_rubric(path: Path) -> Rubric:
    """Return a rubric; `BadInput` if it is invalid, or its points do not add up to 100."""
    try:
        if path.stat().st_size > _LARGEST:
            raise BadInput("{path} is too large for a rubric", path=path)
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput("cannot read {path}: {strerror}", path=path, strerror=error.strerror) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput("{path} is not TOML: {error}", path=path, error=str(error)) from None
    parts = data.get("part")
    if not isinstance(parts, list) or not parts or not all(isinstance(part, dict) for part in parts):
        raise BadInput(
            "{path} has no [[part]]: a rubric has one for each of {known} that counts", path=path, known=", ".join(_BY)
        )
    found = [_read_part(path, part) for part in parts]
    total = sum(part.points for part in found)
    if not math.isclose(total, 100):
        raise BadInput("{path}: the parts add up to {total:g} %, not 100 %", path=path, total=total)
    anchors = data.get("anchors", {})
    if not isinstance(anchors, dict) or not all(_is_number(rating) for rating in anchors.values()):
        raise BadInput('{path}: [anchors] has lines such as "alphabeta:depth=2" = 1500', path=path)
    return Rubric(found, {name: float(rating) for name, rating in anchors.items()})


def _read_part(path: Path, part: dict[str, Any]) -> RubricPart:
    by = part.get("by")
    if by not in _BY:
        raise BadInput("{path}: by = {by!r:.40}: there are {known}", path=path, by=str(by), known=", ".join(_BY))
    keys = ("points",) if by == "staff" else ("points", "from", "to")
    if not all(_is_number(part.get(key)) for key in keys):
        raise BadInput("{path}: the part by {by} needs numbers: {keys}", path=path, by=by, keys=", ".join(keys))
    made = RubricPart(by, *(float(part[key]) for key in keys))
    if made.points < 0 or (by != "staff" and not made.least < made.most):
        raise BadInput("{path}: points are 0 or more, and from is below to", path=path)
    return made


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9  # neither nan nor inf


def check_rubric(rubric: Rubric, game: Game, players: Sequence[Competitor], *, alone: bool = False) -> None:
    """Raise `BadInput` if the rubric counts what this league, or a submission ``alone``, does not have."""
    if not any(player.staff for player in players):
        if any(part.by == "staff" for part in rubric.parts):
            raise _no_staff()
        if alone and any(part.by == "rating" for part in rubric.parts):
            raise BadInput("the rubric counts a rating, which one submission alone has not: --staff alphabeta:depth=4")
    if rubric.by_oracle:
        oracle_of(game)
    names = [player.name for player in players]
    for name in rubric.anchors:
        if name not in names:
            raise BadInput(
                "the rubric anchors {name}, who does not play: there are {known}", name=name, known=", ".join(names)
            )


def _no_staff() -> BadInput:
    return BadInput("the rubric counts staff players beaten, and there are none: --staff alphabeta:depth=4")


# --- Marking ---------------------------------------------------------------------------------------------------------


class Marked(NamedTuple):
    """A league with its marks."""

    rubric: Rubric
    standing: Standing
    grades: Mapping[str, OracleGrade]
    """By exact values, if the rubric counts them."""

    def mark(self, row: LadderRow) -> float:
        """Return a player's mark, 0 to 100; 0 if it is disqualified."""
        return sum(self.points(part, row) for part in self.rubric.parts)

    def why_no_marks(self) -> Text | None:
        """Return why nobody can be marked: the rubric counts staff players beaten, and none of them could play."""
        staff = [row for row in self.standing.rows if row.staff]
        if not any(part.by == "staff" for part in self.rubric.parts) or any(row.disqualified is None for row in staff):
            return None
        if not staff:
            return _no_staff().text
        return Text(
            "the rubric counts staff players beaten, and all of them are disqualified: {first}: {reason}",
            first=staff[0].name,
            reason=staff[0].disqualified,
        )

    def points(self, part: RubricPart, row: LadderRow) -> float:
        """Return what a player gets for a part of the rubric."""
        return 0.0 if row.disqualified is not None else part.points * self._share(part, row)

    def _share(self, part: RubricPart, row: LadderRow) -> float:
        if part.by == "staff":
            beaten, others = self.beaten(row)
            return len(beaten) / (len(beaten) + len(others))
        if part.by == "rating":
            reached = part.least if row.rating is None else row.rating
        else:
            reached = self.grades[row.name].percent if row.name in self.grades else part.least
        return min(max((reached - part.least) / (part.most - part.least), 0.0), 1.0)

    def beaten(self, row: LadderRow) -> tuple[list[str], list[str]]:
        """Return the staff players that a player has beaten, and the others."""
        if (told := self.why_no_marks()) is not None:
            raise BadInput(told)
        staff = [other.name for other in self.standing.rows if other.staff and other.disqualified is None]
        met = self.standing.cross.get(row.name, {})
        beaten = [name for name in staff if name in met and met[name].won > met[name].lost]
        return beaten, [name for name in staff if name not in beaten]


def marks_as_csv(marked: Marked) -> str:
    """Return the marks of all players except the staff as a table for a spreadsheet."""
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    graded = [say("best moves")] if marked.rubric.by_oracle else []
    table.writerow([say("player"), say("mark"), say("rating"), say("points"), *graded, say("reason")])
    for row in marked.standing.rows:
        if row.staff:
            continue
        rating = "" if row.rating is None else f"{row.rating:.0f}"
        name = f"'{row.name}" if row.name[:1] in "=+-@" else row.name  # not a formula in a spreadsheet
        grade = marked.grades.get(row.name)
        percent = [] if not graded else [""] if grade is None else [f"{grade.percent:.1f} %"]
        reason = row.disqualified or (grade and grade.reason) or ""
        table.writerow([name, f"{marked.mark(row):.1f}", rating, number(row.points, "g"), *percent, str(reason)])
    return written.getvalue()
