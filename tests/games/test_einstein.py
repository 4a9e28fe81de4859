"""EinStein würfelt nicht!: its rules against a naive twin, its notation, and searches with luck and an opponent."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from drive import contienda
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.einstein import NaiveEinStein

from contienda.compiled.rng import generator
from contienda.core.game import CHANCE, MAX, MIN
from contienda.core.language import BadInput
from contienda.evaluation.catalogue import evaluators_of
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import einstein, make_game
from contienda.games.check import check_game
from contienda.games.einstein import EinStein, EinSteinState
from contienda.match import Match, play_games
from contienda.players import make_player

GAME = EinStein()
IN_ORDER = "r1 r2 r3 . ./r4 r5 . . ./r6 . . . b6/. . . b5 b4/. . b3 b2 b1"
#: Few stones, near each other: red's 2 and 5, blue's 1 and 6.
LATE = ". . . . ./. r2 . . ./. . b1 . ./. . . r5 b6/. . . . ."


def played(actions: int, seed: int) -> tuple[NaiveEinStein, EinSteinState]:
    """The same random game in both, this many moves and rolls long or to its end."""
    state, lots = GAME.start(generator(seed)), random.Random(seed)
    twin = NaiveEinStein(GAME.format(state))
    for _ in range(actions):
        names = twin.names()
        if not names:
            break
        name = lots.choice(names)
        twin.play(name)
        state = GAME.apply(state, GAME.action_number(state, name))
    return twin, state


# --- The rules -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["einstein", "einstein:shuffle=0"])
def test_it_conforms(spec):
    check_game(make_game(spec), 30)


@pytest.mark.parametrize("seed", range(40))
def test_random_games_agree_with_the_naive_twin(seed):
    state, lots = GAME.start(generator(seed)), random.Random(seed)
    twin = NaiveEinStein(GAME.format(state))
    while names := twin.names():
        assert GAME.format(state) == twin.text()
        assert sorted(GAME.action_name(state, action) for action in GAME.legal_actions(state)) == sorted(names)
        assert GAME.rules.turn(state) == (CHANCE if twin.die is None else MAX if twin.mover == "r" else MIN)
        assert not GAME.rules.over(state)
        name = lots.choice(names)
        twin.play(name)
        state = GAME.apply(state, GAME.action_number(state, name))
    assert GAME.format(state) == twin.text()
    assert GAME.rules.over(state)
    assert GAME.rules.utility(state) == (1 if twin.winner() == "r" else -1)


@pytest.mark.parametrize(
    ("board", "moves"),
    [
        (f"{IN_ORDER} r 4", ["4right", "4down", "4diag"]),
        (f"{IN_ORDER} b 1", ["1left", "1up", "1diag"]),
        (f"{LATE} r 1", ["2right", "2down", "2diag"]),  # 1 is gone, and nothing is below
        (f"{LATE} r 3", ["2right", "2down", "2diag", "5right", "5down", "5diag"]),
        (f"{LATE} r 6", ["5right", "5down", "5diag"]),
        (f"{LATE} b 4", ["1left", "1up", "1diag", "6left", "6up", "6diag"]),
        (". . . . ./. . . . ./. . . . ./. b1 . . ./. r1 . . . r 5", ["1right"]),  # along the edge
    ],
)
def test_the_die_says_who_may_move(board, moves):
    state = GAME.parse(board)
    assert [GAME.action_name(state, action) for action in GAME.legal_actions(state)] == moves


@pytest.mark.parametrize(
    ("board", "move", "after", "worth"),
    [
        (f"{LATE} r 2", "2diag", ". . . . ./. . . . ./. . r2 . ./. . . r5 b6/. . . . . b -", None),
        (f"{LATE} b 6", "6left", ". . . . ./. r2 . . ./. . b1 . ./. . . b6 ./. . . . . r -", None),
        # One's own stone is taken off, too.
        (f"{IN_ORDER} r 1", "1right", ". r1 r3 . ./r4 r5 . . ./r6 . . . b6/. . . b5 b4/. . b3 b2 b1 b -", None),
        # The corner wins; so does the last stone of the other.
        (f"{LATE} r 5", "5diag", ". . . . ./. r2 . . ./. . b1 . ./. . . . b6/. . . . r5 b -", 1),
        (f"{LATE} b 1", "1diag", ". . . . ./. b1 . . ./. . . . ./. . . r5 b6/. . . . . r -", None),
        (". b3 . . ./. . . . ./. . r1 . ./. . . . ./. . . . . b 3", "3left",
         "b3 . . . ./. . . . ./. . r1 . ./. . . . ./. . . . . r -", -1),
        (". . . . ./. r4 . . ./. b2 . . ./. . . . ./. . . . . r 4", "4down",
         ". . . . ./. . . . ./. r4 . . ./. . . . ./. . . . . b -", 1),
    ],
)  # fmt: skip
def test_a_move_takes_what_it_lands_on(board, move, after, worth):
    state = GAME.parse(board)
    found = GAME.apply(state, GAME.action_number(state, move))
    assert GAME.format(found) == after
    assert GAME.rules.over(found) == (worth is not None)
    if worth is not None:
        assert GAME.rules.utility(found) == worth
        assert GAME.parse(after) == found


def test_a_roll_is_fair():
    state = GAME.parse(f"{IN_ORDER} r -")
    assert GAME.legal_actions(state) == list(range(6))
    assert [GAME.action_name(state, action) for action in range(6)] == [f"die={n}" for n in range(1, 7)]
    assert [GAME.rules.probability(state, action) for action in range(6)] == [1 / 6] * 6
    rng = generator(1)
    rolled = Counter(GAME.rules.draw(state, rng) for _ in range(6000))
    assert all(900 < rolled[action] < 1100 for action in range(6))


def test_stones_start_by_lot_or_in_order():
    starts = {GAME.format(GAME.start(generator(seed))) for seed in range(50)}
    assert len({text[:-4] for text in starts}) == 50
    assert {text[-1] for text in starts} == set("123456")
    ordered = {make_game("einstein:shuffle=0").start(generator(seed)) for seed in range(50)}
    assert len(ordered) == 6
    assert {GAME.format(state)[:-4] for state in ordered} == {IN_ORDER}


def test_the_longest_game_is_the_bound():
    """Both sides walk one cell at a time and never meet a stone, as far as rows and columns allow."""
    steps = sum(4 - cell // 5 + 4 - cell % 5 for cell in einstein._TRIANGLE)
    nearest = sorted(4 - cell // 5 + 4 - cell % 5 for cell in range(24))[:6]
    assert GAME.longest == 2 * (2 * (steps - sum(nearest)) + 1)
    assert all(GAME.rules.over(played(GAME.longest, seed)[1]) for seed in range(300))


# --- Notation --------------------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(st.integers(0, 40), st.integers(0, 2**32))
def test_a_position_comes_back_from_its_text(actions, seed):
    _, state = played(actions, seed)
    assert GAME.parse(GAME.format(state)) == state
    assert GAME.parse(GAME.format(state).upper()) == state


def test_a_board_turned_round_keeps_its_text():
    state = GAME.parse(f"{IN_ORDER} b 4")
    turned = GAME.rules.seen_by_mover(state)
    assert (turned.max, turned.min, turned.mover, turned.red) == (state.min, state.max, MAX, MIN)
    assert GAME.format(turned) == GAME.format(state)
    assert GAME.action_name(turned, 9) == GAME.action_name(state, 9) == "4left"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a position: write 5 rows of 5 cells, and then who moves and the die"),
        (IN_ORDER, "is not a position"),
        (f"{IN_ORDER} r", "is not a position"),
        (f"{IN_ORDER} r 7", "is not a position"),
        (f"{IN_ORDER} g 3", "is not a position"),
        (f"{IN_ORDER} r 3 4", "is not a position"),
        (f"{IN_ORDER} r 3".replace("r6", "r7"), "is not a position"),
        (f"{IN_ORDER} r 3".replace("r6", "r5"), "r5 is there twice"),
        (f"{IN_ORDER} r 3".replace("/", " "), "is not a position"),
        (". . . . ./. . . . ./. . b1 . ./. . . . ./. . . . r1 r 2", "red has won and cannot be to move"),
        (". . . . ./. . . . ./. . b1 . ./. . . . ./. . . . . b -", "blue has won and cannot be to move"),
        ("b1 . . . ./. . . . ./. . . . ./. . . . ./. . . . r1 b 2", "blue has won and cannot be to move"),
        (". . . . ./. . . . ./. . . . ./. . . . ./. . . . . r 2", "red has won and cannot be to move"),
    ],
)
def test_what_cannot_be_read_is_explained(text, message):
    with pytest.raises(BadInput) as error:
        GAME.parse(text)
    assert message in error.value.text.into("en")
    assert error.value.text.into("es") != error.value.text.into("en")


def test_moves_have_names():
    red, roll = GAME.parse(f"{IN_ORDER} r 3"), GAME.parse(f"{IN_ORDER} r -")
    assert GAME.action_number(red, "3right") == GAME.action_number(red, "3-Right") == 6
    assert GAME.action_number(roll, "die=6") == 5
    for name in ("", "3", "right", "7right", "3left", "3rightx", "die=3"):
        with pytest.raises(BadInput, match="write a stone, 1 to 6, and one of right, down, diag, as in 3right"):
            GAME.action_number(red, name)
    for name in ("", "3right", "die=0", "die=7"):
        with pytest.raises(BadInput, match="there are die=1 to die=6"):
            GAME.action_number(roll, name)
    with pytest.raises(BadInput, match="4right is not possible here"):
        GAME.apply(red, 9)


# --- What evaluators see ---------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(st.integers(0, 40), st.integers(0, 2**32))
def test_terms_agree_with_the_naive_twin(actions, seed):
    twin, state = played(actions, seed)
    if twin.winner():
        return
    assert einstein.nearest(state) == (twin.nearest("b") - twin.nearest("r")) / 4
    ours, theirs = twin.turns("r"), twin.turns("b")
    assert einstein.race(state) == pytest.approx((theirs - ours) / (theirs + ours))
    assert einstein.choices(state) == pytest.approx((twin.choices("r") - twin.choices("b")) / 6)


@settings(max_examples=50)
@given(st.integers(0, 60), st.integers(0, 2**32))
def test_every_evaluator_keeps_its_bounds_and_sees_both_sides_alike(actions, seed):
    _, state = played(actions, seed)
    turned = EinSteinState(state.min, state.max, state.die, MAX, MIN)
    for evaluator in evaluators_of(GAME):
        compiled = compile_evaluator(evaluator.name, GAME, {})
        value = compiled.evaluate(state, compiled.weights)
        low, high = compiled.bounds
        assert -1 <= low <= value <= high <= 1, evaluator.name
        assert compiled.evaluate(turned, compiled.weights) == pytest.approx(-value), evaluator.name


# --- Searches --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("evaluator", ["einstein", "race"])
def test_star1_and_star2_find_the_values_of_expectiminimax(evaluator):
    """To the bit. (At this depth Star2's probes cost as much as they save.)"""
    nodes = Counter()
    for seed in range(6):
        _, state = played(4 * seed, seed)
        if GAME.rules.over(state) or GAME.rules.turn(state) == CHANCE:
            continue
        found = {}
        for prune in ("off", "star1", "star2"):
            player = make_player(f"expectiminimax:depth=3,prune={prune},eval={evaluator}", GAME)
            analysis = player.analyse(state)
            found[prune] = analysis.best, {move.move: move.value for move in analysis.moves}
            nodes[prune] += analysis.counters.nodes
        assert found["star1"] == found["star2"] == found["off"]
    assert nodes["star1"] < nodes["off"]


def test_a_search_knows_the_odds():
    """Red threatens the corner with stone 5, which moves on 3 to 6. On 1 and 2 stone 2 moves, and may capture."""
    state = GAME.parse(". . . . ./. r2 . . ./. . . b1 ./. . . r5 ./. . . . . b 1")
    found = make_player("expectiminimax:depth=3,eval=none", GAME).analyse(state)
    assert {move.move: move.value for move in found.moves} == pytest.approx({"1up": -4 / 6, "1left": -1, "1diag": -1})
    assert found.best == "1up"


def test_who_looks_ahead_wins_more():
    """In 200 games, half of them from either side: by more than four standard errors."""
    sides = [make_player("expectiminimax:depth=3", GAME), make_player("random", GAME)]
    results = [
        GAME.rules.utility(game.state) * sign
        for players, sign in ((sides, 1), (sides[::-1], -1))
        for game in play_games(Match(GAME, players), range(100))
    ]
    assert sum(results) > 100  # three games in four; it wins some 93 %


@pytest.mark.parametrize(
    "players", [("mcts:sims=50", "montecarlo:rollouts=5"), ("mcts:sims=20,policy=greedy", "greedy")]
)
def test_players_of_luck_play_it(players):
    sides = [make_player(player, GAME) for player in players]
    for game in play_games(Match(GAME, sides), range(3)):
        assert game.ended == "over"


def test_mcts_tends_to_the_odds():
    state = GAME.parse(". . . . ./. r2 . . ./. . . b1 ./. . . r5 ./. . . . . r 4")
    found = make_player("mcts:sims=2000", GAME).analyse(state)
    assert found.best == "5diag"
    assert found.value == 1


@pytest.mark.parametrize(
    ("player", "message"),
    [
        ("alphabeta", "einstein has chance nodes: use expectiminimax"),
        ("expectimax", "expectimax is for one player, and einstein has two"),
    ],
)
def test_searches_that_do_not_fit_are_refused(player, message):
    with pytest.raises(BadInput, match=message):
        make_player(player, GAME)


# --- The command line ------------------------------------------------------------------------------------------------


def test_play_hint_trace_and_evaluate(tmp_path):
    order = ["play", "einstein", "--player", "mcts:sims=20", "--opponent", "random", "--seed", 3, "--games", 2]
    report = contienda(*order, "--save", tmp_path, "--json").json
    assert {game["winner"] for game in report["games"]} <= {1, 2}
    saved = tmp_path / "einstein-3.json"
    assert " die=" in saved.read_text()
    assert contienda("check", saved).out.startswith(f"{saved}: a valid game of einstein")
    hint = contienda("hint", "einstein", f"{LATE} r 5", "--json").json
    assert (hint["best"], hint["moves"][0]["value"]) == ("5diag", 1)
    told = contienda("trace", "einstein", f"{LATE} r 3", "--player", "expectiminimax:depth=3")
    assert (told.code, "die=4" in told.out) == (0, True)
    terms = contienda("evaluate", "einstein", f"{LATE} r 3", "--json").json["terms"]
    assert set(terms) == {"nearest", "race", "choices"}
    before_the_roll = contienda("hint", "einstein", f"{LATE} r -")
    assert before_the_roll.complaint == "this is a chance node: there is no move to choose"


def test_shuffle_is_0_or_1():
    refused = contienda("play", "einstein:shuffle=2", "--player", "random")
    assert refused.complaint == "shuffle=2 must be 1 (stones placed at random) or 0 (in order)"
