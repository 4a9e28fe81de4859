"""Othello: bitboards against lists of lists, published counts, notation, and what the evaluators see."""

from __future__ import annotations

import random

import pytest
from drive import contienda
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.othello import NaiveOthello

from contienda.core.game import MAX, MIN
from contienda.core.language import BadInput
from contienda.evaluation.catalogue import evaluators_of
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import othello
from contienda.games.check import check_game
from contienda.games.othello import PASS, Discs, Othello
from contienda.match import Match, play_games
from contienda.players import make_player

GAME = Othello()
START = GAME.start(None)
START_TEXT = "......../......../......../...OX.../...XO.../......../......../........ X"
TERMS = ("corners", "x_squares", "mobility", "frontier")
#: Black to move has no move, and white has.
FORCED = "OOOOOOOO/OXXXXXXO/OXXXXXXO/OXXOXXXO/OXXXOXXO/OXXXXXXO/OXXXXXX./OOOOOOO. X"


def played(moves: int, seed: int) -> tuple[NaiveOthello, Discs]:
    """The same random game in both, this many moves long or to its end."""
    twin, state, lots = NaiveOthello(), START, random.Random(seed)
    for _ in range(moves):
        names = twin.names()
        if not names:
            break
        name = lots.choice(names)
        twin.play(name)
        state = GAME.apply(state, GAME.action_number(state, name))
    return twin, state


# --- The rules -------------------------------------------------------------------------------------------------------


def test_it_conforms():
    check_game(GAME, 30)


@pytest.mark.parametrize("seed", range(30))
def test_random_games_agree_with_the_naive_twin(seed):
    twin, state, lots = NaiveOthello(), START, random.Random(seed)
    while names := twin.names():
        assert GAME.grid(state) == twin.board
        assert [GAME.action_name(state, action) for action in GAME.legal_actions(state)] == names
        assert GAME.rules.turn(state) == (MAX if twin.mover == 1 else MIN)
        assert not GAME.rules.over(state)
        name = lots.choice(names)
        twin.play(name)
        state = GAME.apply(state, GAME.action_number(state, name))
    assert GAME.grid(state) == twin.board
    assert GAME.rules.over(state)
    assert GAME.legal_actions(state) == []
    assert GAME.rules.utility(state) == twin.difference()
    winner = (twin.difference() > 0) + 2 * (twin.difference() < 0)
    assert GAME.outcome(state) == {"winner": winner}


def test_corner_h8_is_a_move_like_any_other():
    """Its bit is the sign of the integers that hold the board."""
    state = GAME.parse("OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOXOO/OOOOOOOO/OOOOOOO. X")
    assert GAME.legal_actions(state) == [63]
    after = GAME.apply(state, 63)
    assert GAME.format(after).split("/")[-2:] == ["OOOOOOXO", "OOOOOOOX O"]
    assert after.max < 0
    assert GAME.legal_actions(after) == []


def test_a_pass_is_the_only_move_where_there_is_no_other():
    state = GAME.parse(FORCED)
    assert GAME.legal_actions(state) == [PASS]
    assert GAME.action_name(state, PASS) == "pass"
    after = GAME.apply(state, PASS)
    assert after == state._replace(turn=MIN)
    assert [GAME.action_name(after, action) for action in GAME.legal_actions(after)] == ["h7", "h8"]
    assert not GAME.rules.successor(START, PASS)[0]


def test_empty_cells_go_to_the_winner():
    shortest = GAME.parse("e6f4e3f6g5d6e7f5c5")  # nine moves: no game is shorter
    assert GAME.rules.over(shortest)
    assert othello.discs(shortest) == 13
    assert GAME.rules.utility(shortest) == 64
    half = "/".join(["XXXXXXXX"] * 4 + ["OOOOOOOO"] * 4)
    assert GAME.rules.utility(GAME.parse(f"{half} X")) == 0


# --- Notation --------------------------------------------------------------------------------------------------------


def test_moves_and_boards_are_read():
    assert GAME.parse("") == START == GAME.parse(START_TEXT)
    assert GAME.format(START) == START_TEXT
    assert GAME.parse(START_TEXT.replace("/", "").replace(".", "-")) == START
    assert GAME.parse(START_TEXT.lower().replace(" ", "")) == START
    assert GAME.parse(START_TEXT.replace("O", "W").replace("X", "B")) == START
    after = GAME.parse("f5 D6c3")
    assert GAME.format(after) == "......../......../..X...../...XX.../...OXX../...O..../......../........ O"
    assert after.turn == MIN


@settings(max_examples=25)
@given(st.integers(0, 60), st.integers(0, 2**32))
def test_a_position_comes_back_from_its_text(moves, seed):
    _, state = played(moves, seed)
    assert GAME.parse(GAME.format(state)) == state


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_a_transcript_may_leave_passes_out(seed):
    state, lots, names = START, random.Random(seed), []
    while legal := GAME.legal_actions(state):
        action = lots.choice(legal)
        names.append(GAME.action_name(state, action))
        state = GAME.apply(state, action)
    if names[-1] != "pass":
        assert GAME.parse("".join(names)) == state
        assert GAME.parse("".join(name for name in names if name != "pass")) == state


def test_a_board_turned_round_keeps_its_text():
    _, state = played(7, 1)
    assert state.turn == MIN
    turned = GAME.rules.seen_by_mover(state)
    assert (turned.max, turned.min, turned.turn, turned.black) == (state.min, state.max, MAX, MIN)
    assert GAME.format(turned) == GAME.format(state)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f5f5", "move 2, f5, is not possible there"),
        ("f5d6c", "move 3 is 'c', and moves are a1 to h8, as in f5d6c3"),
        ("f5pass", "move 2, pass, is not possible there"),
        ("f5d4", "d4 is occupied from the start"),
        ("e6f4e3f6g5d6e7f5c5a1", "move 10, a1, is not possible there"),
        (START_TEXT[:-2], "is not a position: write the moves, f5d6c3, or 8 rows of 8 cells with / between them"),
        (START_TEXT.replace("OX", "QX"), "is not a position"),
        ("/" + START_TEXT, "is not a position"),
        ("." * 64 + "X", "no game reaches this board: d4, e4, d5 and e5 are occupied from the start"),
    ],
)
def test_what_cannot_be_read_is_explained(text, message):
    with pytest.raises(BadInput) as error:
        GAME.parse(text)
    assert message in error.value.text.into("en")
    assert error.value.text.into("es") != error.value.text.into("en")


def test_moves_have_names():
    assert GAME.action_number(START, "f5") == GAME.action_number(START, "F5") == 37
    assert GAME.action_number(START, "h8") == 63
    assert GAME.action_number(START, "pass") == PASS
    for name in ("", "a", "a0", "a9", "i1", "f55", "27"):
        with pytest.raises(BadInput, match="moves are a1"):
            GAME.action_number(START, name)
    with pytest.raises(BadInput, match="d4 is occupied from the start"):
        GAME.action_number(START, "d4")
    with pytest.raises(BadInput, match="pass is not possible here"):
        GAME.apply(START, PASS)


# --- What evaluators see ---------------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(st.integers(0, 60), st.integers(0, 2**32))
def test_terms_agree_with_the_naive_twin(moves, seed):
    twin, state = played(moves, seed)
    for term in TERMS:
        count = getattr(twin, term)
        assert getattr(othello, term)(state) == count(1) - count(2), term
    assert othello.stability(state) == len(twin.stable(1)) - len(twin.stable(2))
    assert othello.discs(state) == twin.count(1) - twin.count(2)


@settings(max_examples=25)
@given(st.integers(20, 60), st.integers(0, 2**32), st.integers(0, 2**32))
def test_stable_discs_are_never_turned_over(moves, seed, more):
    _, state = played(moves, seed)
    stable = [othello.stable_discs(state.max, state.min), othello.stable_discs(state.min, state.max)]
    lots = random.Random(more)
    while names := GAME.legal_actions(state):
        state = GAME.apply(state, lots.choice(names))
        assert stable[0] & ~state.max == 0
        assert stable[1] & ~state.min == 0


@settings(max_examples=25)
@given(st.integers(0, 60), st.integers(0, 2**32))
def test_every_evaluator_sees_both_sides_alike(moves, seed):
    _, state = played(moves, seed)
    turned = Discs(state.min, state.max, MAX, MIN)
    for evaluator in evaluators_of(GAME):
        compiled = compile_evaluator(evaluator.name, GAME, {})
        assert compiled.evaluate(turned, compiled.weights) == pytest.approx(
            -compiled.evaluate(state, compiled.weights)
        ), evaluator.name


@pytest.mark.slow
def test_the_combined_evaluator_beats_each_of_its_parts():
    """Over 40 games each, from 20 openings by lot, each from either side: the discs change hands, not the players."""
    combined = make_player("alphabeta:depth=2", GAME)
    parts = {"corners": ("corners", "x_squares"), "mobility": ("mobility", "frontier"), "stability": ("stable",)}
    terms = {term for part in parts.values() for term in part}
    assert {*combined.evaluator.weights.dtype.names} == terms
    # A part is the combined one where the others weigh nothing: the same compiled code plays for both.
    options = {part: ",".join(f"{term}=0" for term in terms.difference(own)) for part, own in parts.items()}
    for part, option in (options | {"discs": "eval=discs"}).items():
        match = Match(GAME, [combined, make_player(f"alphabeta:depth=2,{option}", GAME)])
        won = 0
        for seed in range(20):
            _, opening = played(6, seed)
            for start in (opening, Discs(opening.min, opening.max, MIN - opening.turn, MIN - opening.black)):
                difference = GAME.rules.utility(match.play(seed, start=start).state)
                won += (difference > 0) - (difference < 0)
        assert won > 0, part


# --- The command line ------------------------------------------------------------------------------------------------


def test_play_hint_trace_and_evaluate(tmp_path):
    report = contienda(
        "play",
        "othello",
        "--player",
        "alphabeta:depth=2",
        "--opponent",
        "random",
        "--seed",
        3,
        "--save",
        tmp_path,
        "--json",
    ).json
    assert report["games"][0]["winner"] == 1
    saved = tmp_path / "othello-3.json"
    assert contienda("check", saved).out.startswith(f"{saved}: a valid game of othello")
    hint = contienda("hint", "othello", FORCED, "--player", "alphabeta:depth=3", "--json").json
    assert [move["move"] for move in hint["moves"]] == ["pass"]
    assert hint["pv"][0] == "pass"
    told = contienda("trace", "othello", "f5", "--player", "alphabeta:depth=2")
    assert (told.code, "d6" in told.out) == (0, True)
    terms = contienda("evaluate", "othello", "f5", "--json").json["terms"]
    assert set(terms) == {"corners", "x_squares", "mobility", "frontier", "stable"}


@pytest.mark.parametrize(
    "players",
    [("minimax:depth=2", "negamax:depth=2"), pytest.param(("mtdf:depth=2", "mcts:sims=20"), marks=pytest.mark.slow)],
)
def test_all_kinds_of_players_play_it(players):
    sides = [make_player(player, GAME) for player in players]
    for game in play_games(Match(GAME, sides), range(2)):
        assert game.ended == "over"
