"""Matches: the same seed always gives the same game, games end when they should, and strong players win."""

from __future__ import annotations

import threading
from functools import cache
from statistics import mean

import pytest

from contienda.compiled.rng import generator, next_bits
from contienda.compiled.stopping import GRACE, Stop, in_time
from contienda.core.game import CHANCE, MAX
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.games.g2048.board import largest_rank, score
from contienda.match import Match, play_games
from contienda.players import make_player

GAME = make_game("2048")
CONNECT4 = make_game("connect4")
SPECS = ["random", "greedy", "expectimax:depth=3"]


@cache
def player(spec, game=GAME):
    return make_player(spec, game)


@cache
def match(*specs, game=GAME, target=None) -> Match:
    """Compiled once for all tests."""
    return Match(game, [player(spec, game) for spec in specs], target)


def replayed(played):
    """The state that the log leads to, by the game's own rules, one action at a time."""
    state = played.start
    for action in played.actions:
        state = played.game.apply(state, action)
    return state


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("random", "random"),
        ("minimax:depth=2", "minimax:depth=3"),
        ("minimax:depth=2,reuse=on", "minimax:depth=3,reuse=on,memory=2"),
        ("minimax:depth=2,reuse=leaves", "minimax:depth=3,reuse=leaves,memory=2"),
        ("montecarlo:rollouts=2", "montecarlo:rollouts=3"),
        ("mcts:sims=2", "mcts:sims=3,c=1"),
        ("mcts:policy=greedy,sims=2", "mcts:policy=greedy,sims=3"),
    ],
)
def test_players_who_differ_in_numbers_share_their_code(one, other):
    """Else every depth and every number of playouts would cost the seconds of the compiler."""
    game, lucky = make_game("tictactoe"), make_player("random", make_game("tictactoe"))
    players = [make_player(spec, game) for spec in (one, other)]
    assert players[0].choose is players[1].choose
    assert len({Match(game, [player, lucky])._play_on for player in players}) == 1


# --- The same seed, the same game ------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS)
def test_a_seed_is_a_game(spec):
    one, again, other = match(spec).play(3), match(spec).play(3), match(spec).play(4)
    assert one.actions == again.actions
    assert one.state == again.state
    assert one.nodes == again.nodes
    assert one.actions != other.actions
    assert replayed(one) == one.state
    assert one.ended == "over"
    assert one.start == GAME.start(generator(3))
    assert one.moves == len(one.move_seconds) == len(one.actions) // 2
    assert one.players == [spec]
    assert one.seconds == sum(one.move_seconds) > 0


@pytest.mark.parametrize(("group", "call"), [(1, 1.0), (3, 1.0), (4096, 0.0), (4096, 1.0)])
@pytest.mark.parametrize("spec", ["random", "expectimax:depth=3"])
def test_how_many_moves_are_made_at_once_changes_nothing(spec, group, call, monkeypatch):
    """``call``: the seconds that a group may take, so 0 is one by one and 1 is the largest groups."""
    usual = match(spec).play(11)
    monkeypatch.setattr("contienda.match._GROUP", group)
    monkeypatch.setattr("contienda.match._CALL", call)
    grouped = match(spec).play(11)
    assert grouped.actions == usual.actions
    assert grouped.state == usual.state
    assert (grouped.nodes, grouped.moves, grouped.ended) == (usual.nodes, usual.moves, usual.ended)


@pytest.mark.parametrize("specs", [("expectimax:depth=3",), ("random", "alphabeta:depth=3")])
def test_a_game_begun_in_the_interpreter_is_the_compiled_one(specs, monkeypatch):
    """The first moves of a match, or all of them, are made without the loop that takes seconds to compile."""
    game = GAME if len(specs) == 1 else CONNECT4
    players, usual = [player(spec, game) for spec in specs], match(*specs, game=game)
    usual.compile()
    expected = usual.play(11)
    assert Match(game, players)._loop() is usual._play_on  # the code is at hand
    monkeypatch.setattr(Match, "_loaded", lambda match: False)
    for at_once in (10_000, 6, 0):
        monkeypatch.setattr("contienda.match.AT_ONCE", at_once)
        begun = Match(game, players)
        played = begun.play(11)
        assert begun._ready == (at_once < expected.moves)
        assert (played.actions, played.state, played.nodes) == (expected.actions, expected.state, expected.nodes)
        assert (played.moves, played.ended) == (expected.moves, expected.ended)


def test_no_move_takes_the_time_of_the_compiler(monkeypatch):
    compiled = []
    for each in (one := make_player("random", CONNECT4)), (other := make_player("random", CONNECT4)):
        monkeypatch.setattr(each, "compile", lambda each=each: compiled.append(each))
        monkeypatch.setattr(each, "choose_once", lambda *asked, each=each: (compiled.index(each), 0)[1])
    monkeypatch.setattr(Match, "_loaded", lambda match: False)
    assert Match(CONNECT4, [one, other]).play(1, stop=(stop := Stop()), watch=lambda played: stop.stop()).moves == 1
    assert compiled == [one, other]


def test_watching_a_game_does_not_change_it():
    """Whoever watches is told after every move, with the tile that luck put."""
    seen = []
    watched = match("greedy").play(5, watch=lambda played: seen.append((played.moves, played.state)))
    assert watched.actions == match("greedy").play(5).actions
    assert [moves for moves, _ in seen] == list(range(1, watched.moves + 1))
    assert seen[-1][1] == watched.state
    assert all(state.turn == MAX for _, state in seen)


def test_threads_do_not_change_the_games():
    seeds = range(20, 60)
    alone = {played.seed: played.actions for played in play_games(match("greedy"), seeds)}
    together = {played.seed: played.actions for played in play_games(match("greedy"), seeds, threads=4)}
    assert alone == together
    assert set(alone) == set(seeds)
    assert alone[33] == match("greedy").play(33).actions


def test_a_game_from_a_given_start():
    start = GAME.parse_scored("64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2", 380)
    played = match("greedy").play(1, start=start)
    assert played.start == start
    assert replayed(played) == played.state
    assert score(played.state) > 380
    # From a board on which luck has yet to place a tile, it does so first.
    after = GAME.apply(start, 1)
    assert after.turn == CHANCE
    continued = match("greedy").play(1, start=after)
    assert continued.actions[0] in GAME.legal_actions(after)
    assert replayed(continued) == continued.state
    lost = GAME.parse("2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2")
    assert (match("greedy").play(1, start=lost).ended, match("greedy").play(1, start=lost).actions) == ("over", [])


# --- Luck ------------------------------------------------------------------------------------------------------------


def test_players_do_not_touch_the_luck_of_the_tiles():
    """The n-th tile of a seed is drawn with the same dice whoever plays: whether it is a 2 or a 4 is settled."""
    games = [match(spec).play(7) for spec in SPECS]
    kinds = [[action & 1 for action in played.actions[1::2]] for played in games]
    shortest = min(map(len, kinds))
    assert shortest > 50
    assert len({played.start for played in games}) == 1
    assert kinds[0][:shortest] == kinds[1][:shortest] == kinds[2][:shortest]
    assert 0 < sum(kinds[0]) < shortest


def test_players_draw_their_lots_apart():
    """Luck and the players' lots never give the same number, for seeds near each other either."""
    drawn = []
    for seed in range(0, 10, 2):
        seats = [player("random").seat(seed), player("random").seat(seed + 1)]
        for rng in (generator(seed), generator(seed + 1), *(lots for _, lots in seats)):
            drawn += [int(next_bits(rng)) for _ in range(1000)]
    assert len(set(drawn)) == len(drawn)


def test_two_random_players_do_not_play_alike():
    played = match("random", "random", game=CONNECT4).play(1)
    assert played.actions[0::2][:8] != played.actions[1::2][:8]


# --- Where a game ends -----------------------------------------------------------------------------------------------


def test_a_target_ends_the_game():
    played = match("greedy", target=64).play(2)
    assert played.ended == "target"
    assert largest_rank(played.state) == 6
    assert replayed(played) == played.state
    # The same game, cut short with the move that made the tile.
    free = match("greedy").play(2)
    assert free.actions[: len(played.actions)] == played.actions
    assert len(free.actions) > len(played.actions)
    before = played.start
    for action in played.actions[:-1]:
        before = GAME.apply(before, action)
    assert largest_rank(before) == 5
    beyond = [match("greedy", target=131072).play(seed) for seed in range(3)]
    assert [game.ended for game in beyond] == ["over"] * 3


@pytest.mark.parametrize("target", [3000, 4, 262144, 0, -8])
def test_targets_that_are_none_are_refused(target):
    with pytest.raises(BadInput, match="is not a tile"):
        Match(GAME, [player("greedy")], target)
    with pytest.raises(BadInput, match="connect4 has no target"):
        Match(CONNECT4, [player("random", CONNECT4)] * 2, target)


def test_a_game_is_stopped_in_the_middle():
    stop = Stop()

    def watch(played):
        if played.moves == 10:
            stop.stop()

    played = match("greedy").play(6, stop=stop, watch=watch)
    assert (played.ended, played.moves) == ("stopped", 10)
    assert played.actions == match("greedy").play(6).actions[: len(played.actions)]
    assert replayed(played) == played.state
    assert match("greedy").play(6, stop=stop).moves == 0


def test_games_are_stopped_from_another_thread():
    """Games that would take for ever: the one in play is given as it stands, no other is begun."""
    stop = Stop()
    endless = match("expectimax:depth=15")
    endless.compile()
    threading.Timer(0.3, stop.stop).start()
    played = in_time(lambda: list(play_games(endless, range(100), threads=2, stop=stop)), Stop(), 0.3 + GRACE)
    assert [(game.ended, game.moves) for game in played] == [("stopped", 0)] * 2


def test_who_leaves_early_stops_the_rest():
    stop = Stop()
    games = play_games(match("greedy"), range(10_000), threads=2, stop=stop)
    assert next(games).ended == "over"
    games.close()
    assert stop.stopped


def test_a_person_plays_against_the_interpreter():
    """A player that is not compiled: the same loop, interpreted."""
    human = make_player("human", GAME)
    human.ask = lambda game, state: game.legal_actions(state)[0]
    played = Match(GAME, [human]).play(9)
    assert played.ended == "over"
    assert replayed(played) == played.state
    state = played.start
    for i, action in enumerate(played.actions):
        assert i % 2 == 1 or action == GAME.legal_actions(state)[0]
        state = GAME.apply(state, action)
    # Tiles fall as they do for the others.
    assert [a & 1 for a in played.actions[1::2]][:40] == [a & 1 for a in match("random").play(9).actions[1::2]][:40]


def test_a_game_needs_its_number_of_players():
    with pytest.raises(BadInput, match="2048 takes 1 player, not 2"):
        Match(GAME, [player("random")] * 2)
    with pytest.raises(BadInput, match="connect4 takes 2 players, not 1"):
        Match(CONNECT4, [player("random", CONNECT4)])


# --- Strength --------------------------------------------------------------------------------------------------------


def test_who_looks_further_scores_more():
    """Thirty games each, mean points; measured once: about 1,000, 3,100 and 30,000."""
    by_luck, greedy, search = (mean(score(match(spec).play(seed).state) for seed in range(30)) for spec in SPECS)
    assert 2 * by_luck < greedy
    assert 3 * greedy < search


@pytest.mark.parametrize("seat", [0, 1])
def test_a_search_beats_luck_at_connect4(seat):
    specs = ["random", "random"]
    specs[seat] = "alphabeta:depth=3"
    games = [match(*specs, game=CONNECT4).play(seed) for seed in range(20)]
    won = [CONNECT4.outcome(played.state)["winner"] == seat + 1 for played in games]
    assert sum(won) >= 18
    for played in games:
        assert played.ended == "over"
        assert replayed(played) == played.state
        assert played.moves == len(played.actions) <= 42
    assert games[0].actions == match(*specs, game=CONNECT4).play(0).actions
    assert len({tuple(played.actions) for played in games}) > 10


def test_perfect_players_draw_at_tictactoe():
    game = make_game("tictactoe")
    played = match("alphabeta", "alphabeta", game=game).play(0)
    assert game.outcome(played.state) == {"winner": 0}
    assert played.moves == 9
