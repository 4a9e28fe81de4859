"""The course of exercises that comes with the package, in its order."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from contienda.core.language import BadInput
from contienda.exercises.exercise import Exercise, exercise_from_data

__all__ = ["course", "course_exercise"]


@cache
def course() -> dict[str, Exercise]:
    """Return the exercises of the course by name, in order."""
    found = sorted(files("contienda.exercises").joinpath("course").iterdir(), key=lambda file: file.name)
    return {
        file.name.partition("-")[2].removesuffix(".json"): exercise_from_data(json.loads(file.read_text("utf-8")))
        for file in found
        if file.name.endswith(".json")
    }


def course_exercise(name: str) -> Exercise:
    """Return one exercise of the course."""
    if name not in course():
        known = ", ".join(course())
        raise BadInput("no exercise {name!r} in the course: there are {known}", name=name, known=known)
    return course()[name]
