"""Gradescope: the results of one submission in the form that it reads, and a folder that is an autograder.

The forms are those of its documentation: an autograder is a ``setup.sh`` and a ``run_autograder``, unpacked in
``/autograder/source``; it reads ``/autograder/submission`` and writes ``/autograder/results/results.json``.
"""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from contienda import __version__
from contienda.core.files import write_atomically
from contienda.core.game import Game
from contienda.core.language import BadInput, Text, language, say
from contienda.lab.sources import places_of
from contienda.league.competitors import Competitor, competitors_of
from contienda.league.marks import Marked, RubricPart
from contienda.league.standing import LadderRow

__all__ = ["refused_results", "results_of", "submission_of", "write_autograder"]

#: Where Gradescope puts everything; the variable lets the folder be tried elsewhere.
_ROOT = '"${AUTOGRADER_ROOT:-/autograder}"'

_SETUP = """\
#!/usr/bin/env bash
# Builds the image: Contienda in an environment of its own. It needs Python {python} or later.
set -e
root={root}
apt-get update
apt-get install -y python3 python3-venv
python3 -m venv "$root/venv"
"$root/venv/bin/pip" install {package}
"""

_RUN = """\
#!/usr/bin/env bash
# Marks the submission in $root/submission; Gradescope reads $root/results/results.json.
root={root}
results=$root/results/results.json
export LANGUAGE={language}
mkdir -p "$root/results"
rm -f "$results"
"$root/venv/bin/contienda" league {command} --gradescope "$results"
[ -s "$results" ] || printf '%s\\n' {failed} > "$results"
"""


# --- A submission ----------------------------------------------------------------------------------------------------


def submission_of(game: Game, places: Sequence[str], staff: Sequence[str]) -> list[Competitor]:
    """Return the one player of a submission, and the staff; `BadInput` if the submission has none or several."""
    handed_in = competitors_of(game, places)
    able = [player for player in handed_in if player.reason is None] or handed_in
    if len(able) > 1:
        raise BadInput(
            "a submission is one player, and these are {n}: {names}",
            n=len(able),
            names=", ".join(player.name for player in able),
        )
    players = competitors_of(game, places, staff)  # refuses two of one name
    return [*able, *(player for player in players if player.staff)]


def refused_results(reason: Text | str) -> str:
    """Return the results of a submission that cannot play."""
    return json.dumps({"score": 0, "output": str(reason), "tests": [], "leaderboard": []}, indent=2) + "\n"


def results_of(marked: Marked) -> str:
    """Return the results of the one player who is not of the staff."""
    row = next(row for row in marked.standing.rows if not row.staff)
    if row.disqualified is not None:
        return refused_results(Text("disqualified: {reason}", reason=row.disqualified))
    told = Text(
        "{games} games: {won} won, {drawn} drawn, {lost} lost",
        games=row.games,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
    )
    board: list[dict[str, Any]] = [{"name": say("points"), "value": row.points}]
    if row.rating is not None:
        board.insert(0, {"name": say("rating"), "value": round(row.rating)})
    results = {
        "score": round(marked.mark(row), 2),
        "output": str(told),
        "tests": [
            {
                "name": _title(part),
                "score": round(marked.points(part, row), 2),
                "max_score": part.points,
                "output": str(_told(marked, part, row)),
            }
            for part in marked.rubric.parts
        ],
        "leaderboard": board,
    }
    return json.dumps(results, indent=2) + "\n"


def _title(part: RubricPart) -> str:
    return {"staff": say("staff players beaten"), "rating": say("rating"), "oracle": say("best moves")}[part.by]


def _told(marked: Marked, part: RubricPart, row: LadderRow) -> Text:
    """Return why a part of the rubric gave what it gave."""
    if part.by == "staff":
        beaten, others = marked.beaten(row)
        return Text("beaten: {beaten}; not beaten: {others}", beaten=_listed(beaten), others=_listed(others))
    if part.by == "rating":
        return Text(
            "rating {rating:.0f}; nothing at {least:g}, all points at {most:g}",
            rating=part.least if row.rating is None else row.rating,
            least=part.least,
            most=part.most,
        )
    grade = marked.grades[row.name]
    told = Text(
        "{best} of {n} moves are best ones, {percent:,.1f} %; nothing at {least:g} %, all points at {most:g} %",
        best=grade.best,
        n=grade.positions,
        percent=grade.percent,
        least=part.least,
        most=part.most,
    )
    return told if grade.reason is None else Text("{told}. It stopped: {reason}", told=told, reason=grade.reason)


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "–"


# --- An autograder ---------------------------------------------------------------------------------------------------


def write_autograder(folder: Path, game: Game, rubric: Path, staff: Sequence[str], options: Sequence[str]) -> None:
    """Write a folder whose files, zipped, are an autograder; ``options`` are those of ``contienda league``."""
    if any(folder.iterdir()):
        raise BadInput("{folder} is not empty: an autograder needs a folder of its own", folder=folder)
    _refuse_files(game.spec)
    words = [shlex.quote(game.spec), '"$root/submission"']
    for number, place in enumerate(staff, 1):
        words += ["--staff", _staff(folder, number, place)]
    words += ["--marks", '"$root/source/rubric.toml"', *map(shlex.quote, options)]
    if staff:
        words += ["--format", "gauntlet"]
    failed = say("the autograder failed, which is not the fault of your submission: tell your teacher")
    write_atomically(folder / "rubric.toml", rubric.read_bytes())
    package = shlex.quote(f"contienda[lab]=={__version__}")
    for name, text in (
        ("setup.sh", _SETUP.format(root=_ROOT, python="3.11", package=package)),
        (
            "run_autograder",
            _RUN.format(
                root=_ROOT,
                language=language(),
                command=" ".join(words),
                failed=shlex.quote(refused_results(failed).strip()),
            ),
        ),
    ):
        write_atomically(folder / name, text)
        (folder / name).chmod(0o755)


def _staff(folder: Path, number: int, place: str) -> str:
    """Return a staff player as the autograder names it; its files are copied."""
    path = Path(place).expanduser()
    there = folder / "staff" / str(number)
    try:
        if path.is_dir():
            if folder.resolve().is_relative_to(path.resolve()):
                raise BadInput("{folder} lies inside {place}: choose another folder", folder=folder, place=place)
            shutil.copytree(path, there, ignore=shutil.ignore_patterns(".*", "__pycache__"))
            return f'"$root/source/staff/{number}"'
        if path.is_file() and path.suffix == ".py":
            there.mkdir(parents=True)
            shutil.copy(path, there)
            return f'"$root/source/staff/{number}/"{shlex.quote(path.name)}'
    except (OSError, shutil.Error) as error:
        raise BadInput("cannot copy {place}: {reason}", place=place, reason=str(error)) from None
    _refuse_files(place)
    return shlex.quote(place)


def _refuse_files(spec: str) -> None:
    """Raise `BadInput` for a spec that names files, which the autograder would not find."""
    if places_of(spec):
        raise BadInput(
            "{spec} names a file, which an autograder does not bring: --staff takes a player's file, or a folder",
            spec=spec,
        )
