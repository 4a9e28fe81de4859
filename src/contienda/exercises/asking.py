"""`asked`: an exercise with its search and its questions."""

from __future__ import annotations

from dataclasses import dataclass

from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.core.language import BadInput
from contienda.core.specs import parse_spec
from contienda.exercises.exercise import Exercise
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

__all__ = ["MOST_NODES", "AskedExercise", "asked"]

#: Nodes and steps: a tree to solve by hand is smaller.
MOST_NODES = 1000
_MOST_STEPS = 4 * MOST_NODES


@dataclass
class AskedExercise:
    """An exercise with the trace of its search, and its questions in order."""

    exercise: Exercise
    trace: Trace
    questions: list[ExerciseQuestion]


def asked(exercise: Exercise, stop: Stop | None = None) -> AskedExercise:
    """Run the search of an exercise and return its questions; impossible questions are refused."""
    trace = exercise_trace(exercise, stop or Stop())
    if trace.truncated or len(trace.nodes) > MOST_NODES:
        raise BadInput("this search is too long to follow by hand: at most {most:,} nodes", most=MOST_NODES)
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


def exercise_trace(exercise: Exercise, stop: Stop) -> Trace:
    """Return the search of an exercise; if it looks ahead, with its whole tree."""
    name = parse_spec(exercise.game).name
    if name in PROBLEMS and name not in game_types():
        solver = make_path_search(exercise.player, make_problem(exercise.game, exercise.position, seed=exercise.seed))
        return make_trace(solver, events=_MOST_STEPS, stop=stop)
    game = make_game(exercise.game, exercise.position)
    state = (
        game.parse_scored(exercise.position, exercise.score)
        if exercise.position
        else game.start(generator(exercise.seed))
    )
    player = make_player(exercise.player, game)
    if isinstance(player, SearchPlayer):
        return trace_search(player, state, _MOST_STEPS, stop, most_whole=MOST_NODES)
    return make_trace(player, state, events=_MOST_STEPS, seed=exercise.seed, stop=stop)
