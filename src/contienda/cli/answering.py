"""``contienda exercise answer``: questions at the terminal, with hints, explanations, tries and time."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from contienda.cli.exercise_files import show_stage
from contienda.core.language import BadInput, Text, number, plural, say
from contienda.exercises.asking import AskedExercise
from contienda.exercises.code import Attempt, HandedIn, make_code, read_code
from contienda.exercises.question import ExerciseQuestion, Verdict, read_answer
from contienda.exercises.stage import stage_text

__all__ = ["answer_all", "answer_at_terminal"]

_HOW = {
    "number": Text("a number"),
    "window": Text("α and β, for example 3 +inf"),
    "branches": Text("branches, for example 2/2 2/3, or - for none"),
    "choice": Text("one of {choices}"),
}
#: Choices that are listed in the prompt.
_LISTED = 12


def answer_at_terminal(found: AskedExercise, name: str) -> bool:
    """Ask every question until it is answered or skipped; return whether all were answered."""
    exercise = found.exercise
    for words in (exercise.words("title"), exercise.words("text")):
        if str(words):
            print(f"{words}\n")
    print(f"{exercise.player} · {exercise.game}\n")
    if all(question.shown is None for question in found.questions):
        print(stage_text(found.trace))
    print(say("? is a hint, . skips the question, and the end of the input ends the exercise."))
    begun = time.monotonic()
    attempts: list[Attempt] = []
    try:
        for index, question in enumerate(found.questions, start=1):
            print(f"\n{index}/{len(found.questions)}  {question.prompt}")
            show_stage(found, question)
            attempts.append(_ask(question))
    except EOFError:
        print()
    attempts += [Attempt(False, 0, 0)] * (len(found.questions) - len(attempts))
    return _hand_in(found, name, time.monotonic() - begun, attempts)


def _ask(question: ExerciseQuestion) -> Attempt:
    tries = hints = 0
    print(f"  ({_how(question)})")
    while True:
        text = input("> ").strip()
        if text == ".":
            return Attempt(False, tries, hints)
        if text == "?":
            if hints < len(question.hints):
                print(f"  {question.hints[hints]}")
                hints += 1
            else:
                print("  " + say("There are no more hints."))
            continue
        try:
            verdict = question.judge(read_answer(question, text))
        except BadInput as error:  # nothing was answered yet
            print(f"  {error}")
            continue
        tries += 1
        _tell(verdict)
        if verdict.right:
            return Attempt(True, tries, hints)


def answer_all(found: AskedExercise, answers: list[str], name: str) -> bool:
    """Judge answers written as QUESTION=ANSWER; return whether all questions were answered rightly."""
    by_id = {question.id: question for question in found.questions}
    said: dict[str, str] = {}
    for text in answers:
        which, equals, value = text.partition("=")
        if not equals or which not in by_id:
            known = ", ".join(by_id)
            raise BadInput(
                "{text!r} answers no question: write QUESTION=ANSWER, with one of {known}", text=text, known=known
            )
        said[which] = value
    read = {which: read_answer(by_id[which], value) for which, value in said.items()}
    attempts = []
    for question in found.questions:
        if question.id not in read:
            attempts.append(Attempt(False, 0, 0))
            continue
        verdict = question.judge(read[question.id])
        print(f"{question.id}  {question.prompt}")
        _tell(verdict)
        attempts.append(Attempt(verdict.right, 1, 0))
    return _hand_in(found, name, 0.0, attempts)


def _tell(verdict: Verdict) -> None:
    print("  " + (say("Right. {why}", why=verdict.text) if verdict.right else str(verdict.text)))
    if verdict.step is not None:
        print(f"  {verdict.step}")


def _how(question: ExerciseQuestion) -> str:
    keys = [choice.key for choice in question.choices]
    listed = ", ".join(keys[:_LISTED]) + (" …" if len(keys) > _LISTED else "")
    return (
        str(Text(_HOW[question.form].message, choices=listed))
        if question.form == "choice"
        else str(_HOW[question.form])
    )


def _hand_in(found: AskedExercise, name: str, seconds: float, attempts: list[Attempt]) -> bool:
    exercise = found.exercise
    title = str(exercise.words("title")) or exercise.player
    code = make_code(exercise.fingerprint, title, name, datetime.now(UTC), seconds, attempts)
    handed: HandedIn = read_code(code)
    print()
    print(
        plural(
            "{right} of 1 question answered, mark {mark} of 10",
            "{right} of {n} questions answered, mark {mark} of 10",
            len(attempts),
            right=handed.right,
            mark=number(handed.mark, ",g"),
        )
    )
    print(say("Your code: {code}", code=code))
    return handed.right == len(attempts)
