"""The check of a user's heuristic, for a worker process: arguments and results are plain data."""

from __future__ import annotations

from contienda.compiled.stopping import Stop
from contienda.evaluation.checking import check_evaluator
from contienda.games import make_game

__all__ = ["check_heuristic_file"]

_Words = dict[str, str]


def check_heuristic_file(evaluator: str, game_spec: str, *, stop: Stop) -> tuple[int, list[_Words], list[_Words]]:
    """Return how many positions ``FILE.py:FUNCTION`` was tried on, its faults, and remarks on what may be meant so.

    A check cannot be stopped half-way: its process is ended.
    """
    report = check_evaluator(evaluator, make_game(game_spec), {})
    faults, remarks = ([text.in_all_languages() for text in texts] for texts in (report.faults, report.remarks))
    return report.positions, faults, remarks
