"""Exercises from arguments, files, links and the course; and how they are shown on the terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from contienda.cli.files import file_to_read
from contienda.compiled.stopping import Stop, in_time
from contienda.core.language import BadInput, chosen_language, plural, say, use_language
from contienda.core.specs import parse_spec
from contienda.exercises.asking import AskedExercise, asked
from contienda.exercises.course import course_exercise
from contienda.exercises.exercise import Exercise, exercise_from_link, parse_ask
from contienda.exercises.question import ExerciseQuestion, answer_text
from contienda.exercises.random_trees import random_exercise
from contienda.exercises.stage import stage_text
from contienda.games import make_game
from contienda.players.paths import default_path_search
from contienda.problems import PROBLEMS, make_problem

__all__ = [
    "ExerciseOrder",
    "find_exercise",
    "load_exercise",
    "make_exercise",
    "show_exercise",
    "show_stage",
    "tell_exercise",
    "write_page",
    "write_sheet",
]


@dataclass
class ExerciseOrder:
    """The user's options."""

    game: str | None
    position: str | None
    player: str | None
    ask: list[str]
    random: str | None
    seed: int
    difficulty: str
    score: int
    title: str
    text: str


def make_exercise(order: ExerciseOrder, language: str) -> Exercise:
    """Return a new exercise, after checking that its questions can be asked."""
    asks = tuple(parse_ask(ask) for ask in dict.fromkeys(order.ask))
    if order.random is not None:
        if order.game is not None:
            raise BadInput("--random draws the position: leave out {game}", game=order.game)
        exercise = random_exercise(order.random, order.seed, order.difficulty, asks)
    elif order.game is None:
        raise BadInput("name a GAME and a POSITION, or draw them with --random minimax")
    else:
        player = order.player or _usual_player(order.game, order.position)
        exercise = Exercise(order.game, order.position or "", player, asks, score=order.score, seed=order.seed)
    return _asked(replace(exercise, title=order.title, text=order.text, language=language)).exercise


def _usual_player(game: str, position: str | None) -> str:
    name = parse_spec(game).name
    if name in PROBLEMS:
        return default_path_search(make_problem(game, position))
    return make_game(game, position).default_player


def tell_exercise(exercise: Exercise, path: Path) -> None:
    """Say what was written, and the link that opens it in the app."""
    print(say("{path}: answer it with contienda exercise answer {path}", path=path))
    print(say("in the app: {link}", link=exercise.link))


def load_exercise(place: str) -> Exercise:
    """Return the exercise that an argument names: a file, a link, or one of the course."""
    if "#/exercise?" in place:
        return exercise_from_link(place)
    path = Path(place)
    if not path.suffix and not path.exists():
        return course_exercise(place)
    file_to_read(path)
    return Exercise.load(path)


def find_exercise(place: str) -> AskedExercise:
    """Return the exercise that an argument names, with its questions; its language is used unless one was chosen."""
    exercise = load_exercise(place)
    if exercise.language and chosen_language() is None:
        use_language(exercise.language)
    return _asked(exercise)


def _asked(exercise: Exercise) -> AskedExercise:
    stop = Stop()
    return in_time(lambda: asked(exercise, stop), stop)


def show_exercise(found: AskedExercise, *, solved: bool) -> None:
    """Print the tree and the questions; with the answers if ``solved``."""
    exercise = found.exercise
    for words in (exercise.words("title"), exercise.words("text")):
        if str(words):
            print(f"{words}\n")
    print(f"{exercise.player} · {exercise.game} · {found.trace.position}\n")
    if all(question.shown is None for question in found.questions):
        print(stage_text(found.trace))
    for number, question in enumerate(found.questions, start=1):
        print(f"{number}. {question.prompt}  ({question.id})")
        show_stage(found, question)
        if solved:
            print(f"   = {answer_text(question.answer)}  {question.why}")


def write_page(found: AskedExercise, path: Path) -> None:
    """Write the exercise as a page."""
    from contienda.core.files import write_atomically
    from contienda.exercises.page import exercise_page

    write_atomically(path, exercise_page(found))
    print(plural("{path}: 1 question", "{path}: {n} questions", len(found.questions), path=path))


def write_sheet(found: AskedExercise, path: Path, *, solved: bool) -> None:
    """Write the exercise as a worksheet."""
    from contienda.core.files import write_atomically
    from contienda.exercises.printing import worksheet_pdf
    from contienda.exercises.sheet import worksheet, worksheet_latex

    writers: dict[str, Callable[..., str | bytes]] = {".pdf": worksheet_pdf, ".tex": worksheet_latex}
    write_atomically(path, writers.get(path.suffix.lower(), worksheet)(found, solved=solved))
    print(plural("{path}: 1 question", "{path}: {n} questions", len(found.questions), path=path))


def show_stage(found: AskedExercise, question: ExerciseQuestion) -> None:
    """Print the tree at the moment that a question is about, if it is about one."""
    if question.shown is not None:
        print("\n" + stage_text(found.trace, question))
