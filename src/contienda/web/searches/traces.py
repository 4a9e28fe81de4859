"""Traces as JSON, for worker processes: arguments and results are plain data."""

from __future__ import annotations

from dataclasses import replace

from contienda.compiled.stopping import Stop
from contienda.core.language import use_language
from contienda.exercises.asking import asked as ask_about
from contienda.exercises.exercise import Exercise
from contienda.exercises.page import exercise_page, page_data
from contienda.exercises.random_trees import random_exercise
from contienda.exercises.sheet import worksheet
from contienda.games import make_game, takes_text
from contienda.players import make_player
from contienda.players.paths import make_path_search
from contienda.problems import make_problem
from contienda.trace.making import make_trace
from contienda.web.errors import as_json
from contienda.web.games.table import aimed
from contienda.web.searches.shapes import TraceRequest

__all__ = ["DRAWN", "exercise_request", "trace_path", "trace_request"]

#: Arguments of `trace_search` for the smallest trace: making it loads most of what other traces need.
DRAWN = (TraceRequest(game="tree", position="max[1 2]", player="alphabeta"), "alphabeta", 100)


def trace_request(asked: TraceRequest, spec: str, events: int, *, stop: Stop) -> str:
    """Trace the search of the player ``spec`` on a position or a drawn tree.

    The caller has checked both names: this may run a user's own file.
    """
    game = make_game(asked.game, asked.position if takes_text(asked.game) else None)
    state = game.parse_scored(asked.position, asked.score)
    game = aimed(game, state, asked.target)
    return as_json(make_trace(make_player(spec, game), state, events=events, stop=stop).as_data())


def trace_path(asked: TraceRequest, spec: str, events: int, *, stop: Stop) -> str:
    """Trace a solver's search for a path."""
    problem = make_problem(asked.game, asked.position)
    return as_json(make_trace(make_path_search(spec, problem), events=events, stop=stop).as_data())


def exercise_request(
    exercise: Exercise | None, drawn: tuple[str, int, str] | None, spec: str, form: str, language: str, *, stop: Stop
) -> str:
    """Return an exercise in a form: its data, its page, or its worksheet. The caller has checked its names."""
    if exercise is None:
        assert drawn is not None
        exercise = random_exercise(*drawn)
    found = ask_about(exercise if not spec else replace(exercise, player=spec), stop)
    found.exercise = exercise
    if form == "data":
        return as_json(page_data(found))
    if language:
        use_language(language)
    return as_json({"html": exercise_page(found) if form == "page" else worksheet(found, solved=form == "solved")})
