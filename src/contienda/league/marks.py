"""Marks for the players of a league, by a rubric in TOML:

[[part]]
by = "staff"        # the share of the staff that is beaten: more than half of the points against each
points = 60

[[part]]
by = "rating"       # from 0 at one rating to all points at another
points = 40
from = 1200
to = 1800
"""

from __future__ import annotations

import csv
import io
import math
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from contienda.core.language import BadInput, number, say
from contienda.league.standing import LadderRow, Standing

__all__ = ["RubricPart", "mark_of", "marks_as_csv", "read_rubric"]

_LARGEST = 100_000
_BY = ("staff", "rating")


class RubricPart(NamedTuple):
    """A part of the rubric: what its points are for."""

    by: str
    points: float
    least: float = 0.0
    """The rating that gives nothing, and the one that gives all points."""
    most: float = 0.0


def read_rubric(path: Path) -> list[RubricPart]:
    """Return the parts of a rubric; `BadInput` if it is invalid, or its points do not add up to 100."""
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
        raise BadInput("{path} has no [[part]]: a rubric has one for each of staff and rating that counts", path=path)
    found = [_read_part(path, part) for part in parts]
    total = sum(part.points for part in found)
    if not math.isclose(total, 100):
        raise BadInput("{path}: the parts add up to {total:g} %, not 100 %", path=path, total=total)
    return found


def _read_part(path: Path, part: dict[str, Any]) -> RubricPart:
    by = part.get("by")
    if by not in _BY:
        raise BadInput("{path}: by = {by!r:.40}: there are {known}", path=path, by=str(by), known=", ".join(_BY))
    numbers = [part.get(key) for key in (("points", "from", "to") if by == "rating" else ("points",))]
    if not all(isinstance(each, int | float) and math.isfinite(each) for each in numbers):
        raise BadInput(
            "{path}: the part by {by} needs numbers for points, and by rating for from and to", path=path, by=by
        )
    made = RubricPart(by, *(float(each) for each in numbers if each is not None))
    if made.points < 0 or (by == "rating" and not made.least < made.most):
        raise BadInput("{path}: points are 0 or more, and from is below to", path=path)
    return made


def mark_of(rubric: list[RubricPart], standing: Standing, row: LadderRow) -> float:
    """Return a player's mark, 0 to 100; 0 if it is disqualified."""
    if row.disqualified is not None:
        return 0.0
    return sum(part.points * _share(part, standing, row) for part in rubric)


def _share(part: RubricPart, standing: Standing, row: LadderRow) -> float:
    if part.by == "rating":
        rating = part.least if row.rating is None else row.rating
        return min(max((rating - part.least) / (part.most - part.least), 0.0), 1.0)
    staff = [other.name for other in standing.rows if other.staff and other.disqualified is None]
    if not staff:
        raise BadInput("the rubric counts staff players beaten, and there are none: --staff alphabeta:depth=4")
    met = standing.cross.get(row.name, {})
    beaten = [name for name in staff if name in met and met[name][0] > met[name][2]]
    return len(beaten) / len(staff)


def marks_as_csv(rubric: list[RubricPart], standing: Standing) -> str:
    """Return the marks of all players except the staff as a table for a spreadsheet."""
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow([say("player"), say("mark"), say("rating"), say("points"), say("reason")])
    for row in standing.rows:
        if row.staff:
            continue
        rating = "" if row.rating is None else f"{row.rating:.0f}"
        name = f"'{row.name}" if row.name[:1] in "=+-@" else row.name  # not a formula in a spreadsheet
        mark = f"{mark_of(rubric, standing, row):.1f}"
        table.writerow([name, mark, rating, number(row.points, "g"), str(row.disqualified or "")])
    return written.getvalue()
