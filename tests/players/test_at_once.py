"""Small searches, answered by the interpreter before anything is compiled: the same answers."""

from __future__ import annotations

from collections import defaultdict
from functools import partial

import pytest

from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.games import make_game
from contienda.players import at_once, make_player
from contienda.players.at_once import answer_at_once, record_at_once
from contienda.players.base import Player
from contienda.search.hooks import events, new_log

BOARD = "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 256"
TREE = "max[chance[0.5:min[2 7] 0.5:min[4 6]] chance[0.5:min[0 5] 0.5:min[-2 1]]]"

CASES = [
    ("tree", TREE, "expectiminimax"),
    ("tictactoe", "X.O/.X./...", "minimax:depth=2"),
    ("tictactoe", "X.O/.X./...", "alphabeta:depth=3"),
    ("tictactoe", "X.O/.X./...", "negamax:nodes=40"),
    ("tictactoe", "X.O/.X./...", "mtdf:depth=3"),
    ("2048:rows=2,columns=2", "2 4/0 2", "expectimax:depth=3"),
]
#: All else that the catalogue has, in games that take longer to compile.
MORE = [
    ("2048", BOARD, "expectimax:depth=3"),
    ("2048", BOARD, "expectimax:depth=3,table=on,cprob=0.01"),
    ("2048", BOARD, "expectimax:depth=3,prune=star2"),
    ("2048", BOARD, "champion:depth=3"),
    ("2048", BOARD, "minimax:depth=2"),
    ("connect4", "4453", "alphabeta:depth=3,table=on,order=killers,pvs=on"),
    ("connect4", "4453", "alphabeta:depth=3,eval=ntuple"),
    ("connect4", "4453", "greedy"),
    ("othello", None, "alphabeta:depth=3"),
    ("einstein", None, "expectiminimax:depth=2"),
]


@pytest.fixture(autouse=True)
def _nothing_spent(monkeypatch):
    monkeypatch.setattr(at_once, "_spent", defaultdict(float))


def both(game_name, text, spec):
    """What the interpreter says, and what compiled code does; without the clock."""
    game = make_game(game_name, text)
    state = game.start(generator(0)) if text is None or game_name == "tree" else game.parse(text)
    player = make_player(spec, game)
    answers = [answer_at_once(player, state, Stop()), Player.analyse(player, state)]
    told = [None if answer is None else answer.as_data() for answer in answers]
    for data in told:
        for clock in ("seconds", "compile_seconds"):
            if data is not None:
                data["counters"].pop(clock)
    return told


@pytest.mark.parametrize(("game", "text", "spec"), CASES)
def test_both_tiers_give_the_same_answer(game, text, spec):
    interpreted, compiled = both(game, text, spec)
    assert interpreted == compiled


@pytest.mark.slow
@pytest.mark.parametrize(("game", "text", "spec"), MORE)
def test_both_tiers_give_the_same_answer_in_every_game(game, text, spec):
    interpreted, compiled = both(game, text, spec)
    # tanh of the interpreter might differ in its last bit: it is left to the compiler.
    assert interpreted == (None if "ntuple" in spec else compiled)


def recordings(game_name, text, spec):
    """The recording of the interpreter, and that of compiled code."""
    game = make_game(game_name)
    state = game.start(generator(0)) if text is None else game.parse(text)
    player, told = make_player(spec, game), []
    depth = player.analyse(state).counters.depth
    for record in (partial(record_at_once, player), player.record):
        log = new_log()
        best, values, tally = record(state, depth, log, 10**6, Stop())
        counters = [int(tally[name]) for name in ("nodes", "evaluations", "cutoffs", "hits", "depth")]
        told.append((best, values.tobytes(), counters, events(log)))
        at_once.SECONDS = -1.0  # now for the compiler
    return told


@pytest.mark.parametrize(
    ("game", "text", "spec"),
    [
        ("tictactoe", "X.O/.X./...", "alphabeta:depth=3"),
        pytest.param("2048:rows=2,columns=2", "2 4/0 2", "expectimax:depth=3", marks=pytest.mark.slow),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in MORE if "ntuple" not in each[2]),
    ],
)
def test_both_tiers_record_the_same(game, text, spec, monkeypatch):
    monkeypatch.setattr(at_once, "SECONDS", 10.0)
    interpreted, compiled = recordings(game, text, spec)
    assert interpreted == compiled
    assert len(interpreted[-1]) > 2


def test_a_search_that_is_too_much_for_the_interpreter_is_left_to_the_compiler():
    game = make_game("tictactoe")
    state = game.start(generator(0))
    assert answer_at_once(make_player("minimax", game), state, Stop()) is None
    assert answer_at_once(make_player("minimax:depth=2", game), state, Stop()) is not None
    assert answer_at_once(make_player("minimax:ms=20", game), state, Stop()) is None


def test_an_interpreter_that_takes_longer_than_estimated_is_stopped(monkeypatch):
    monkeypatch.setattr(at_once, "_PATIENCE", 0.0)
    game = make_game("tictactoe")
    assert answer_at_once(make_player("minimax:depth=3", game), game.start(generator(0)), Stop()) is None


def test_a_player_that_is_asked_again_and_again_is_compiled(monkeypatch):
    game = make_game("tictactoe")
    state, player = game.start(generator(0)), make_player("minimax:depth=2", game)
    monkeypatch.setattr(at_once, "SECONDS", 0.05)
    answers = [answer_at_once(make_player("minimax:depth=2", game), state, Stop()) for _ in range(1000)]
    first = answers[0]
    assert first is not None
    assert first.moves == player.analyse(state).moves
    assert answers[-1] is None, "and not the same few hundredths a thousand times"
    assert answer_at_once(make_player("minimax:depth=1", game), state, Stop()) is not None, "another player is not"
