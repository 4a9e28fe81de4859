"""`asked`: an exercise with its search and its questions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.core.game import Game
from contienda.core.language import BadInput
from contienda.core.picture import Picture
from contienda.core.specs import parse_spec
from contienda.exercises.exercise import Ask, Exercise
from contienda.exercises.of_path import path_questions
from contienda.exercises.of_simulations import simulation_questions
from contienda.exercises.of_tree import tree_questions
from contienda.exercises.question import ExerciseQuestion
from contienda.games import game_types, make_game
from contienda.players import make_player
from contienda.players.paths import make_path_search
from contienda.players.search import SearchPlayer
from contienda.problems import PROBLEMS, make_problem
from contienda.trace.making import make_trace
from contienda.trace.model import Trace
from contienda.trace.searches import trace_search
from contienda.trace.tree import TreeNode

__all__ = ["MOST_NODES", "AskedExercise", "asked", "exercise_picture"]

#: Nodes and steps: a tree to solve by hand is smaller.
MOST_NODES = 1000
_MOST_STEPS = 4 * MOST_NODES
#: The questions about a search of each family, if the exercise names none.
_USUAL = {
    "tree": (Ask("values", ""), Ask("value", "")),
    "mcts": (Ask("value", ""), Ask("best", "")),
    "path": (Ask("values", ""),),
}


@dataclass
class AskedExercise:
    """An exercise with the trace of its search, and its questions in order."""

    exercise: Exercise
    trace: Trace
    questions: list[ExerciseQuestion]


def asked(exercise: Exercise, stop: Stop | None = None) -> AskedExercise:
    """Run the search of an exercise and return its questions, the usual ones if it has none; impossible ones are
    refused."""
    trace = exercise_trace(exercise, stop or Stop())
    if trace.truncated or len(trace.nodes) > MOST_NODES:
        raise BadInput("this search is too long to follow by hand: at most {most:,} nodes", most=MOST_NODES)
    if not exercise.ask:
        exercise = replace(exercise, ask=_USUAL[trace.family])
    questions = {question.id: question for question in _questions(trace, exercise)}
    return AskedExercise(exercise, trace, list(questions.values()))


def _questions(trace: Trace, exercise: Exercise) -> list[ExerciseQuestion]:
    asks = list(exercise.ask)
    if trace.family == "tree":
        if any(isinstance(node, TreeNode) and (node.hit or node.again) for node in trace.nodes):
            raise BadInput(
                "{player} visits a position twice: for an exercise leave out table, pvs and aspiration",
                player=exercise.player,
            )
        return list(tree_questions(trace, asks))
    return list((simulation_questions if trace.family == "mcts" else path_questions)(trace, asks))


def exercise_picture(exercise: Exercise) -> Picture | None:
    """Return how the position of an exercise looks; None for a drawn tree and a path problem, whose nodes show it."""
    if _is_path_problem(exercise):
        return None
    game, state = _game_of(exercise)
    seen = game.picture(state)
    return seen if seen is not None and seen.pieces else None


def _is_path_problem(exercise: Exercise) -> bool:
    """Whether nobody plays it: 2048 is both, and then a game."""
    name = parse_spec(exercise.game).name
    return name in PROBLEMS and name not in game_types()


def _game_of(exercise: Exercise) -> tuple[Game, Any]:
    """Return the game and the position."""
    game = make_game(exercise.game, exercise.position)
    if exercise.position:
        return game, game.parse_scored(exercise.position, exercise.score)
    return game, game.start(generator(exercise.seed))


def exercise_trace(exercise: Exercise, stop: Stop) -> Trace:
    """Return the search of an exercise; if it looks ahead, with its whole tree."""
    if _is_path_problem(exercise):
        solver = make_path_search(
            exercise.player, make_problem(exercise.game, exercise.position or None, seed=exercise.seed)
        )
        return make_trace(solver, events=_MOST_STEPS, stop=stop)
    game, state = _game_of(exercise)
    player = make_player(exercise.player, game)
    if isinstance(player, SearchPlayer):
        return trace_search(player, state, _MOST_STEPS, stop, most_whole=MOST_NODES)
    return make_trace(player, state, events=_MOST_STEPS, seed=exercise.seed, stop=stop)
