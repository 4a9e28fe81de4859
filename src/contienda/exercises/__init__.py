"""Exercises: questions about a search, which compare the answers and explain where they diverge from it.

    >>> from contienda.exercises import Exercise, asked, parse_ask
    >>> exercise = Exercise("tree", "max[min[3 12 8] min[2 4 6] min[14 5 2]]", "alphabeta", (parse_ask("values"),))
    >>> first = asked(exercise).questions[0]
    >>> first.prompt.into("en"), first.answer
    ('What is node 1 worth (MIN)?', 3.0)
    >>> first.judge(8.0).text.into("en")
    'You said 8; MIN would answer with 3 here, because branch 1 gives less than 8.'

| file | subject |
|---|---|
| exercise | a position, a search and the questions asked, as a file and as a link |
| question | a question, its answer, and the feedback on each answer |
| asking | runs the search and makes the questions |
| of_tree, of_simulations, of_path | the questions about each family of searches |
"""

from contienda.exercises.asking import AskedExercise, asked
from contienda.exercises.exercise import Ask, Exercise, parse_ask

__all__ = ["Ask", "AskedExercise", "Exercise", "asked", "parse_ask"]
