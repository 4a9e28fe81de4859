"""An exercise for the app, and as one HTML page that loads nothing."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from contienda.exercises.asking import AskedExercise
from contienda.trace.html import tree_page
from contienda.trace.json import trace_data

__all__ = ["exercise_page", "page_data"]


def page_data(found: AskedExercise) -> dict[str, Any]:
    """Return an exercise with its search and its questions, for a page that asks and explains by itself."""
    exercise = found.exercise
    return {
        "exercise": exercise.as_data(),
        "link": exercise.link,
        "fingerprint": exercise.fingerprint,
        "language": exercise.language,
        "title": exercise.words("title").in_all_languages(),
        "text": exercise.words("text").in_all_languages(),
        "questions": [question.as_data() for question in found.questions],
        "trace": trace_data(found.trace),
    }


def exercise_page(found: AskedExercise) -> str:
    """Return the page. Its source contains the answers, as any page that checks them by itself."""
    title = str(found.exercise.words("title")) or found.trace.player
    written = json.dumps(page_data(found), ensure_ascii=False, separators=(",", ":"))
    return tree_page(escape(title), "exercise-page", written, "exercise")
