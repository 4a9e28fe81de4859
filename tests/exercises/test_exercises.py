"""Exercises: the answers are the search's own, and the feedback on a wrong answer says where it diverges from the
search.

The texts in ``golden/exercises`` are written anew, to be read before they are kept, with ``CONTIENDA_GOLDEN=write``.
"""

from __future__ import annotations

import json
import math
import os
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest
from drive import contienda
from hypothesis import given, settings
from hypothesis import strategies as st

from contienda.core.language import BadInput
from contienda.exercises import AskedExercise, Exercise, asked, parse_ask
from contienda.exercises.code import Attempt, make_code
from contienda.exercises.course import course
from contienda.exercises.exercise import exercise_from_data, exercise_from_link
from contienda.exercises.page import page_data
from contienda.exercises.question import answer_text, read_answer
from contienda.exercises.random_trees import DIFFICULTIES, random_exercise
from contienda.exercises.sheet import worksheet, worksheet_latex
from contienda.exercises.stage import stage_text
from contienda.games.tree import EXAMPLES

TOYS = Path(__file__).parents[1] / "toys"
GOLDEN = Path(__file__).parents[1] / "golden" / "exercises"
DRAWN = EXAMPLES["alphabeta"]


@cache
def made(position: str, player: str, *asks: str, game: str = "tree") -> AskedExercise:
    return asked(Exercise(game, position, player, tuple(map(parse_ask, asks))))


def told(found: AskedExercise, language: str) -> str:
    """All that the exercise can say."""

    def shown(answer) -> str:
        said = answer_text(answer)
        return said if isinstance(said, str) else said.into(language)

    lines = [f"{found.exercise.player} · {found.trace.position}", ""]
    for question in found.questions:
        lines += [f"{question.id}  {question.prompt.into(language)}", f"  = {shown(question.answer)}"]
        lines += [f"  ! {question.why.into(language)}", f"  @ {question.moment} {question.step.into(language)}"]
        lines += [f"  ? {hint.into(language)}" for hint in question.hints]
        lines += [f"  {shown(case.answer)} → {case.text.into(language)}" for case in question.cases]
        lines += [f"  {key} @ {moment} → {text.into(language)}" for key, (moment, text) in question.settled.items()]
        lines += [f"  … → {question.otherwise.into(language)}", ""]
    return "\n".join(lines)


def question_of(found: AskedExercise, id: str):
    return next(question for question in found.questions if question.id == id)


# --- What is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(
    ("name", "player", "asks"),
    [
        ("minimax", "minimax", ("values", "value", "best")),
        ("alphabeta", "alphabeta", ("values", "value", "cuts", "window", "next", "best")),
        ("expectiminimax", "expectiminimax", ("values", "value", "best")),
    ],
)
def test_what_is_said_about_the_trees_of_the_practical(name, player, asks, language):
    text = told(made(EXAMPLES[name], player, *asks), language)
    path = GOLDEN / f"{name}.{language}.txt"
    if os.environ.get("CONTIENDA_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_a_wrong_value_is_told_what_the_other_side_would_do_and_at_which_step():
    question = question_of(made(DRAWN, "alphabeta", "values"), "values:1")
    verdict = question.judge(8.0)
    assert not verdict.right
    assert verdict.text.into("en") == "You said 8; MIN would answer with 3 here, because branch 1 gives less than 8."
    assert verdict.step is not None
    assert verdict.step.into("en").startswith("Step 8 of the search: Back from branch 1 with 3")
    assert question.judge(7.0).text.into("en") == (
        "You said 7; MIN chooses among 3, 12, 8 here and takes the smallest, 3."
    )
    assert question.judge(3.0).right


def test_of_the_branches_the_first_wrong_one_in_the_order_of_the_search_is_told():
    question = question_of(made(DRAWN, "alphabeta", "cuts"), "cuts")
    assert question.judge(frozenset({"2/2", "2/3"})).right
    missed = question.judge(frozenset({"2/2", "3/3"}))
    assert missed.moment == 12
    assert missed.text.into("en").startswith(
        "You left out node 2/3; step 12 of the search skips it – α cut: with 1 MIN"
    )
    marked = question.judge(frozenset({"2", "3/3"}))
    assert marked.text.into("en").startswith("You marked node 2; step 9 of the search visits it")


def test_a_mark_below_a_branch_that_is_cut_is_as_right_as_the_branch():
    question = question_of(made("max[5 min[3 max[min[1 2] 4]]]", "alphabeta", "cuts"), "cuts")
    assert question.judge(frozenset({"2/2"})).right
    assert question.judge(frozenset({"2/2/1/1", "2/2/2"})).right


def test_the_value_of_a_cut_branch_is_what_the_search_returns_and_its_whole_value_is_explained():
    question = question_of(made("max[5 min[4 1]]", "alphabeta", "values"), "values:2")
    assert question.answer == 4
    assert question.judge(1.0).text.into("en").startswith("You said 1, which is the value of the whole branch.")


def test_numbers_are_read_as_people_write_them():
    number = question_of(made(DRAWN, "alphabeta", "value"), "value")
    window = question_of(made(DRAWN, "alphabeta", "window=2"), "window:2")
    assert [read_answer(number, text) for text in ("3", "3,5", "−2", "1/4")] == [3, 3.5, -2, 0.25]
    assert read_answer(window, "[3, +∞]") == read_answer(window, "3 inf") == (3, math.inf)
    for text in ("[3,5; −2,25]", "3,5 -2.25", "[3.5, −2.25]", "3,5, −2,25"):
        assert read_answer(window, text) == (3.5, -2.25)
    assert window.judge(read_answer(window, "3 +inf")).right
    assert window.judge((3.5, math.inf)).text.into("es").startswith("Has dicho [3,5; +∞]; es [3; +∞].")
    for question, text in ((number, "three"), (number, ""), (number, "1/0"), (number, "nan"), (window, "3")):
        with pytest.raises(BadInput):
            read_answer(question, text)


def test_a_position_of_a_game_is_asked_about_as_a_whole_tree():
    """What alpha-beta skips stands there with its values: the picture does not tell what is cut."""
    position = "XOX.O...."
    found = made(position, "alphabeta:depth=2", "cuts", "values", game=f"{TOYS}/three.py:Three")
    whole = made(position, "minimax:depth=2", "values", game=f"{TOYS}/three.py:Three")
    cuts = question_of(found, "cuts")
    assert cuts.answer
    shown, all_shown = stage_text(found.trace), stage_text(whole.trace)
    assert sorted(shown.splitlines()) == sorted(all_shown.splitlines())
    assert all("▲" not in line and "✗" not in line for line in shown.splitlines())


# --- Files and links -------------------------------------------------------------------------------------------------

_texts = st.text(st.characters(blacklist_categories=["Cs"]), max_size=20)


@settings(deadline=None, max_examples=30)
@given(_texts, _texts, st.sampled_from(["", "en", "es"]), st.integers(0, 2**40))
def test_files_and_links_keep_an_exercise(title, text, language, score):
    asks = (parse_ask("values"), parse_ask("window=2/1"))
    exercise = Exercise("tree", DRAWN, "alphabeta", asks, title, {"en": text, "es": title}, language, score)
    assert exercise_from_data(json.loads(json.dumps(exercise.as_data()))) == exercise
    assert exercise_from_link("http://here/" + exercise.link).fingerprint == exercise.fingerprint


@pytest.mark.parametrize(
    "change",
    [
        {"format": "contienda game"}, {"version": 2}, {"ask": []}, {"ask": ["everything"]}, {"ask": "values"},
        {"ask": ["cuts=2"]}, {"game": ""}, {"game": 7}, {"player": None}, {"score": -1}, {"score": True},
        {"language": "xx"}, {"title": {"xx": "?"}}, {"title": ["a"]}, {"more": 1}, {"text": "a" * 6000},
    ],
)  # fmt: skip
def test_a_file_that_is_no_exercise_is_refused_in_one_sentence(change, tmp_path):
    path = tmp_path / "e.json"
    path.write_text(json.dumps(made(DRAWN, "alphabeta", "values").exercise.as_data() | change))
    assert contienda("exercise", "show", path).complaint.startswith(f"{path} is not an exercise: ")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["tree", DRAWN, "--player", "minimax", "--ask", "cuts"], "cuts: minimax cuts nothing; ask about alphabeta"),
        (["tree", DRAWN, "--player", "minimax", "--ask", "window"], "window: minimax has no window"),
        (["tree", DRAWN, "--player", "alphabeta", "--ask", "window=9"], "window=9: no node '9'; there are 1, 1/1"),
        (["tree", DRAWN, "--player", "alphabeta", "--ask", "window=2/3"], "window=2/3: the search skips this node"),
        (["tree", DRAWN, "--player", "alphabeta", "--ask", "next=99"], "next=99: a number of steps from 0 to 20"),
        (["tree", DRAWN, "--player", "alphabeta", "--ask", "wins"], "no kind of question 'wins': choose one of"),
        (["tree", "max[3 4]", "--ask", "values"], "values: the tree has no inner nodes"),
        (["--random", "chess"], "no random exercise 'chess'"),
        (["--random", "minimax", "--difficulty", "cruel"], "no difficulty 'cruel'"),
        ([], "name a GAME and a POSITION"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_sentence(arguments, complaint):
    assert contienda("exercise", "new", *arguments).complaint.startswith(complaint)


# --- At random -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["minimax", "alphabeta", "expectiminimax"])
def test_a_seed_is_an_exercise_and_another_seed_another(kind):
    drawn = [random_exercise(kind, seed, level).position for level in DIFFICULTIES for seed in (7, 7, 8)]
    assert all(drawn[i] == drawn[i + 1] != drawn[i + 2] for i in (0, 3, 6))
    sizes = [drawn[i].count(" ") for i in (0, 3, 6)]
    assert sizes == sorted(sizes)


# --- On the command line ---------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "cuts.json"
    asks = ("--ask", "values,value", "--ask", "cuts", "--ask", "window=2")
    made = contienda("exercise", "new", "tree", DRAWN, "--player", "alphabeta", *asks, "--title", "Podas", "-o", path)
    assert made.code == 0
    assert "#/exercise?" in made.out
    return path


def test_an_exercise_is_answered_at_the_terminal_and_its_code_checked(file, tmp_path):
    said = "8\n?\n3\n2\nno\n2\n3\n2/2\n2/2 2/3\n3 inf\n"
    done = contienda("exercise", "answer", file, "--name", "Ana", stdin=said)
    assert done.code == 0
    assert "You said 8; MIN would answer with 3 here" in done.out
    assert "At node 1, MIN moves and wants the smallest value." in done.out
    assert "'no' is not a number" in done.out
    assert "6 of 6 questions answered, mark 8.75 of 10" in done.out
    code = done.out.rsplit(": ", 1)[1].strip()
    (found,) = contienda("exercise", "check", code, "--json").json
    assert (found["name"], found["exercise"], found["right"], found["tries"], found["hints"]) == (
        "Ana",
        "Podas",
        6,
        8,
        1,
    )
    other = contienda("exercise", "new", "tree", "max[1 2]", "--ask", "value", "-o", tmp_path / "other.json")
    assert other.code == 0
    refused = contienda("exercise", "check", code, "--of", tmp_path / "other.json")
    assert (refused.code, "of another exercise" in refused.out) == (1, True)
    # A forged code is none with fewer questions, and cannot stop the teacher's list or write on the terminal.
    easy = forged(found["fingerprint"], [Attempt(True, 1, 0)])
    listed = contienda("exercise", "check", code, easy, "--of", file, "--json")
    assert [each["problem"] for each in json.loads(listed.out)] == ["", "of another exercise"]
    later = datetime(9999, 12, 31, tzinfo=UTC) + timedelta(hours=1)
    never, free = forged("7", [Attempt(True, 1, 0)], when=later), forged("7", [Attempt(True, 0, 0)])
    listed = contienda("exercise", "check", never, free, forged("7", [], name="\x1b[2J\n=1"), "--json")
    assert [each["mark"] for each in json.loads(listed.out)] == ["", "", 0.0]
    assert all("is damaged" in each["problem"] for each in json.loads(listed.out)[:2])
    assert json.loads(listed.out)[2]["name"] == "[2J =1"


def forged(fingerprint, attempts, *, name="Eve", when=datetime(2026, 11, 19, tzinfo=UTC)):
    return make_code(int(fingerprint, 16), "T", name, when, 5.0, attempts)


def test_answers_come_as_options_too_and_the_marks_as_csv(file, tmp_path):
    answers = [f"values:{node}={value}" for node, value in ((1, 3), (2, 2), (3, 2))]
    asked_for = [part for answer in answers for part in ("--answer", answer)]
    done = contienda("--lang", "es", "exercise", "answer", file, *asked_for, "--answer", "cuts=-", "--name", "=Eva")
    assert done.code == 1
    assert "Te falta el nodo 2/2; el paso 12 de la búsqueda se lo salta –" in done.out
    codes = tmp_path / "codes.txt"
    code = done.out.rsplit(": ", 1)[1].strip()
    codes.write_text(f"{code}\n\n{code.lower().replace('-', ' ')}\n{code[:-2]}\n")
    checked = contienda("exercise", "check", codes, "--csv")
    assert checked.code == 1
    head, first, second, third = checked.out.splitlines()
    assert head == "name,exercise,fingerprint,finished,seconds,questions,right,tries,hints,mark,problem,code"
    assert first.startswith("'=Eva,Podas,")  # not a formula
    assert ",6,3,4,0,5.0," in first
    assert "the same as code 1" in second
    assert "is damaged: copy it whole" in third


@pytest.mark.parametrize(
    ("game", "position", "player", "ids"),
    [
        ("tictactoe", "XOX/.O./...", "mcts:sims=5", ["value", "best"]),
        ("tree", "max[min[3 4] 2]", "minimax", ["values:1", "value"]),
        ("puzzle8", "1 2 3/4 5 6/7 0 8", "astar", ["values:1", "values:2", "values:3"]),
    ],
)
def test_a_search_of_each_family_has_its_usual_questions(game, position, player, ids):
    found = made(position, player, game=game)
    assert [question.id for question in found.questions] == ids
    assert found.exercise.ask


def test_the_8_puzzle_without_a_position_is_drawn_by_the_seed():
    starts = [asked(Exercise("puzzle8", "", "astar", (), seed=seed)).trace.position for seed in (3, 4)]
    assert len(set(starts)) == 2


def test_an_exercise_is_shown_without_its_answers_and_solved(file):
    plain = contienda("exercise", "show", file)
    assert plain.code == 0
    assert "│  ├─ 2 leaf, 4" in plain.out
    assert not any(word in plain.out for word in ("α cut", "window [", " = "))
    solved = contienda("exercise", "show", file, "--solved")
    assert "= 2/2 2/3  α cut: with 1 MIN makes this 2 at most" in solved.out


# --- Simulations and paths -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_is_said_about_simulations(language):
    text = told(made(DRAWN, "mcts:sims=9", "next=4", "next", "value", "best"), language)
    path = GOLDEN / f"mcts.{language}.txt"
    if os.environ.get("CONTIENDA_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_is_said_about_a_star(language):
    text = told(made("1 2 3/4 0 6/7 5 8", "astar:h=manhattan", "values", "next", game="puzzle8"), language)
    path = GOLDEN / f"astar.{language}.txt"
    if os.environ.get("CONTIENDA_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_a_search_under_way_is_shown_as_it_stands_without_what_is_asked():
    found = made("1 2 3/4 0 6/7 5 8", "astar:h=manhattan", "values", "next", game="puzzle8")
    first, last = found.questions[0], found.questions[-1]
    assert stage_text(found.trace, first).splitlines() == [
        "0: 1 2 3/4 0 6/7 5 8, 0 + 2 = 2",
        "└─ up 1: 1 0 3/4 2 6/7 5 8, ?",
    ]
    assert stage_text(found.trace, last).count("\n") == 5
    assert not last.judge("1").right
    assert last.judge("3").right


# --- Sheets and pages ------------------------------------------------------------------------------------------------


def test_a_worksheet_is_blank_or_solved_as_a_page_and_as_latex():
    found = made(DRAWN, "alphabeta", "values", "cuts")
    blank, solved = worksheet(found, solved=False), worksheet(found, solved=True)
    assert blank.count('class="label') == solved.count('class="label') == 13
    assert "α cut" not in blank
    assert "crossed" not in blank.split("</style>")[1]
    assert blank.count('<div class="line">') == 5  # a value has one line, cuts two
    assert "α cut: with 1 MIN makes this 2 at most" in solved
    assert 'class="leaf crossed"' in solved
    latex = worksheet_latex(found, solved=False)
    assert latex.count(r"\node[") == 13
    assert latex.count(r"\draw (") == 12
    assert r"\draw [skipped]" not in latex
    assert worksheet_latex(found, solved=True).count(r"\draw [skipped]") == 2


def test_a_worksheet_of_a_position_shows_its_board():
    found = made("X.O/.X./..O", "minimax:depth=1", "value", game="tictactoe")
    assert worksheet(found, solved=False).split("<ol>")[0].count("<svg") == 2  # the board and the tree
    assert r"X & . & O\\\hline" in worksheet_latex(found, solved=False)
    assert (
        "<svg" in worksheet(made("1 2 3/5 0 6/4 7 8", "astar", "next", game="puzzle8"), solved=False).split("<ol>")[1]
    )


def test_wide_labels_stand_above_the_nodes_where_they_would_touch_on_the_branches():
    wide = "max[chance[0.11111:3 0.11111:4 0.11111:5 0.66667:6] 2]"
    found = made(wide, "expectimax", "value")
    latex = worksheet_latex(found, solved=False)
    assert latex.count("above=1pt") == 4
    assert latex.count("pos=0.6") == 2


def test_a_pdf_is_made_by_what_is_installed(file, tmp_path, monkeypatch):
    sheet = ("exercise", "sheet", file, "-o", tmp_path / "a.pdf")
    assert contienda(*sheet).code == 0  # by the browser of the tests
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF-")
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    assert contienda(*sheet).complaint.startswith("a PDF needs Chromium, Chrome, Edge or LaTeX")
    latex = programs / "pdflatex"
    latex.write_text('#!/bin/sh\nread first < "$4"; echo "%PDF- of $first" > sheet.pdf\n')
    latex.chmod(0o755)
    assert contienda(*sheet).code == 0
    assert (tmp_path / "a.pdf").read_text() == "%PDF- of documentclass[a4paper,11pt]{article}\n"
    latex.write_text("#!/bin/sh\nexit 1\n")
    assert contienda(*sheet).complaint.startswith("pdflatex made no PDF")
    assert (tmp_path / "a.pdf").read_text().startswith("%PDF-"), "what was there stays"


def test_files_are_written_by_their_endings(file, tmp_path):
    for command, name in (("sheet", "a.html"), ("sheet", "a.tex"), ("page", "b.html")):
        assert contienda("exercise", command, file, "-o", tmp_path / name).out.endswith(": 6 questions\n")
    assert contienda("exercise", "sheet", file, "-o", tmp_path / "a.doc").complaint.endswith(
        "must end in .html, .pdf or .tex"
    )
    page = tmp_path / "c.html"
    traced = ("trace", "tree", DRAWN, "--player", "alphabeta", "--exercise", "--ask", "cuts", "--title", "</script>")
    assert contienda(*traced, "-o", page).code == 0
    text = page.read_text(encoding="utf-8")
    assert "<exercise-page>" in text
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "<title>&lt;/script&gt;</title>" in text
    assert contienda(*traced).complaint == "an exercise is a page: add -o tree.html"
    assert contienda("trace", "tree", DRAWN, "--title", "A").complaint.startswith("--ask and --title belong")


# --- The course ------------------------------------------------------------------------------------------------------


def test_the_course_has_twenty_exercises_in_both_languages():
    assert len(course()) == 20
    for exercise in course().values():
        titles = exercise.words("title").in_all_languages(), exercise.words("text").in_all_languages()
        assert all(words["en"] and words["es"] and words["en"] != words["es"] for words in titles[1:])
        assert titles[0]["es"]
    assert contienda("exercise", "list").out.count("\n") == 20
    assert contienda("exercise", "show", "minimax-0").complaint.startswith("no exercise 'minimax-0' in the course")


def _answered(name: str) -> None:
    """Every question of an exercise has an answer that is right, hints, and a step of the search."""
    found = asked(course()[name])
    assert found.questions
    for question in found.questions:
        assert question.judge(question.answer).right
        assert not any(question.judge(case.answer).right for case in question.cases)
        assert question.hints
        assert 1 <= question.moment <= len(found.trace.steps)
    page_data(found)


@pytest.mark.parametrize("name", [name for name, each in course().items() if each.game in ("tree", "puzzle8")])
def test_the_exercises_of_drawn_trees_can_be_answered(name):
    _answered(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, each in course().items() if each.game not in ("tree", "puzzle8")])
def test_the_exercises_of_real_positions_can_be_answered(name):
    _answered(name)
