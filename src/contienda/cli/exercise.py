"""``contienda exercise``: exercises about searches: make them, answer them, read the codes that students hand in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from contienda.cli.arguments import SEED, AskOption, JsonOption, PlayerOption, ScoreOption, print_json
from contienda.cli.files import file_to_write
from contienda.cli.typer_texts import Command, Group
from contienda.core.language import BadInput, language, say

__all__ = ["exercises", "page_of_search"]

exercises = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help=say("Make exercises about searches, answer them, and check what is handed in."),
)

ExerciseArgument = Annotated[
    str,
    typer.Argument(metavar="EXERCISE", help=say("FILE.json, a link to an exercise, or one of contienda exercise list")),
]
SolvedOption = Annotated[bool, typer.Option("--solved", help=say("with the answers and the reasons"))]
FileOption = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help=say("the file to write"))]
OutputOption = Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help=say("the file to write"))]


@exercises.command(cls=Command, help=say("Make an exercise, from a position or at random."))
def new(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help=say("a game from `contienda list games`, or puzzle8"))
    ] = None,
    position: Annotated[
        str | None, typer.Argument(metavar="POSITION", help=say("for example 'max[min[3 12 8] min[2 4 6]]'"))
    ] = None,
    player: PlayerOption = None,
    ask: AskOption = None,
    random: Annotated[
        str | None,
        typer.Option("--random", metavar="KIND", help=say("minimax, alphabeta, expectiminimax, astar or mcts")),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", callback=SEED, help=say("the same seed gives the same exercise"))
    ] = 0,
    difficulty: Annotated[
        str, typer.Option("--difficulty", metavar="HOW", help=say("easy, medium or hard"))
    ] = "medium",
    score: ScoreOption = 0,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help=say("a title"))] = "",
    text: Annotated[str, typer.Option("--text", metavar="TEXT", help=say("what to tell the student first"))] = "",
    output: OutputOption = None,
) -> None:
    from contienda.cli.exercise_files import ExerciseOrder, make_exercise, tell_exercise

    if output is not None:
        if output.suffix.lower() != ".json":
            raise BadInput("-o {output} must end in .json; for a page use contienda exercise page", output=output)
        file_to_write(output)
    order = ExerciseOrder(game, position, player, _split(ask or []), random, seed, difficulty, score, title, text)
    exercise = make_exercise(order, language() if title or text else "")
    if output is None:
        print_json(exercise.as_data())
    else:
        exercise.save(output)
        tell_exercise(exercise, output)


@exercises.command(
    cls=Command, help=say("Show an exercise: its tree and its questions, and with --solved the answers.")
)
def show(
    exercise: ExerciseArgument,
    solved: SolvedOption = False,
) -> None:
    from contienda.cli.exercise_files import find_exercise, show_exercise

    show_exercise(find_exercise(exercise), solved=solved)


@exercises.command(
    cls=Command, help=say("Write an exercise as a worksheet to print: FILE.html, FILE.pdf, or FILE.tex for LaTeX.")
)
def sheet(
    exercise: ExerciseArgument,
    output: FileOption,
    solved: SolvedOption = False,
) -> None:
    from contienda.cli.exercise_files import find_exercise, write_sheet

    if output.suffix.lower() not in (".html", ".pdf", ".tex"):
        raise BadInput("-o {output} must end in .html, .pdf or .tex", output=output)
    file_to_write(output)
    write_sheet(find_exercise(exercise), output, solved=solved)


@exercises.command("list", cls=Command, help=say("List the exercises of the course."))
def list_(as_json: JsonOption = False) -> None:
    from contienda.exercises.course import course

    if as_json:
        print_json([{"name": name} | exercise.as_data() for name, exercise in course().items()])
        return
    for name, exercise in course().items():
        print(f"{name:<18} {exercise.words('title')}")


@exercises.command(cls=Command, help=say("Write an exercise as one HTML page for a course site; it loads nothing."))
def page(
    exercise: ExerciseArgument,
    output: FileOption,
) -> None:
    from contienda.cli.exercise_files import find_exercise, write_page

    if output.suffix.lower() != ".html":
        raise BadInput("-o {output} must end in .html", output=output)
    file_to_write(output)
    write_page(find_exercise(exercise), output)


@exercises.command(
    cls=Command,
    help=say("Answer an exercise: here, question by question, or by --answer. A wrong answer is explained."),
)
def answer(
    exercise: ExerciseArgument,
    answers: Annotated[
        list[str] | None,
        typer.Option("--answer", metavar="QUESTION=ANSWER", help=say("for example values:2=3; one try for each")),
    ] = None,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help=say("your name, for the code"))] = "",
) -> None:
    from contienda.cli.answering import answer_all, answer_at_terminal
    from contienda.cli.exercise_files import find_exercise

    found = find_exercise(exercise)
    done = answer_at_terminal(found, name) if answers is None else answer_all(found, answers, name)
    if not done:
        raise typer.Exit(1)


@exercises.command(
    cls=Command, help=say("Check codes that students handed in. It says what a code claims, not who wrote it.")
)
def check(
    codes: Annotated[
        list[str],
        typer.Argument(metavar="CODE…", help=say("codes, or files with a code in each line; - reads the input")),
    ],
    of: Annotated[
        list[str] | None,
        typer.Option("--of", metavar="EXERCISE", help=say("accept codes of these exercises only")),
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help=say("print marks as CSV"))] = False,
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.exercise_codes import checked, codes_in, show_codes, show_csv
    from contienda.cli.exercise_files import load_exercise

    found = checked(codes_in(codes), None if of is None else [load_exercise(each) for each in of])
    if as_json:
        print_json([each.as_data() for each in found])
    elif csv:
        show_csv(found)
    else:
        show_codes(found, Console())
    if any(each.wrong for each in found):
        raise typer.Exit(1)


def page_of_search(
    game: str,
    position: str | None,
    player: str | None,
    ask: list[str],
    score: int,
    seed: int,
    title: str,
    output: Path | None,
) -> None:
    """Write the page of ``contienda trace --exercise``."""
    from contienda.cli.exercise_files import ExerciseOrder, make_exercise, write_page
    from contienda.exercises.asking import asked

    if output is None or output.suffix.lower() != ".html":
        raise BadInput("an exercise is a page: add -o tree.html")
    file_to_write(output)
    order = ExerciseOrder(game, position, player, _split(ask), None, seed, "", score, title, "")
    write_page(asked(make_exercise(order, language() if title else "")), output)


def _split(asks: list[str]) -> list[str]:
    """Several may be written as one: ``values,cuts``."""
    return [part for each in asks for part in (each.split(",") if "=" not in each else [each])]
