"""The theorems: whatever is switched on, a search finds the values of its definition, on every game.

The switches are those of the catalogue: a new one without a theorem fails here. So that all their combinations cost
little, the searches are left to the interpreter. It runs the lines that are otherwise compiled; that both give the same
is tested elsewhere, and deeper searches are slow tests of each family.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import cycle, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.trees import grown, written

from contienda.core.game import CHANCE, MAX
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.players import make_player
from contienda.players.catalogue import PLAYERS
from contienda.players.search import SearchPlayer, build_choose
from contienda.reference import expectiminimax
from contienda.search import interpreted
from contienda.search.parallel import build_parallel_root
from contienda.search.root import build_root

#: The players whose values are those of the definition below.
FAMILY = ("greedy", "minimax", "alphabeta", "negamax", "mtdf", "expectimax", "expectiminimax")
#: The others, and where their own theorems stand.
ELSEWHERE = {
    "human": "cli/test_commands.py",
    "random": "match/test_match.py",
    "champion": "players/test_champion.py",
    "montecarlo": "search/test_montecarlo.py",
    "mcts": "search/test_montecarlo.py",
    "solver": "perfect/test_connect4.py",
    "perfect": "perfect/test_exact_2048.py",
    "astar": "search/test_paths.py",
    "backtracking": "search/test_paths.py",
}
#: What a spec may set besides switches, with a setting that must not change a value: limits that are never reached,
#: a table of the least size, a probability below that of any outcome.
HARMLESS = {"ms": "600000", "nodes": "1000000000", "memory": "1", "cprob": "1e-30", "threads": "2"}
#: Each game sets these.
BY_GAME = ("depth", "eval", "ties")

#: For each game: its depth and evaluator, and positions in its early, middle and late game. Their trees have some
#: hundreds of nodes. uc3m-empty has known bounds, mirror images look alike to it, and many moves seem equal.
GAMES = {
    "2048": (
        "depth=3,eval=uc3m-empty",
        ["0 2 0 8/0 2 16 4/4 16 32 128/8 32 512 1024", "2 4 8 16/4 8 16 32/8 16 32 64/16 32 64 0",
         "2 2 8 16/32 64 128 256/512 2 4 8/16 32 64 128"],
        "left-down-right-up",
    ),
    "connect4:rows=4,columns=4,connect=3": ("depth=4,eval=uja", ["", "2", "2311", "231142"], "4-3-2-1"),
    "tictactoe": ("depth=4,eval=none", ["XO./.../...", "XOX/.O./...", "XO./.X./..O"], "9-8-7-6-5-4-3-2-1"),
    # With a move to h8, whose action is the sign bit of a set, and with a pass at the root.
    "othello": (
        "depth=3,eval=othello",
        ["f5", "XOOOOOO./XOOOOOO./XOOXOOO./XOOOXOO./XOOOOXO./XOOOOOX./XOOOOOO./XOOOOOO. X",
         "OOOOOOOO/OXXXXXXO/OXXXXXXO/OXXOXXXO/OXXXOXXO/OXXXXXXO/OXXXXXX./OOOOOOO. X"],
        "-".join(c + r for r in "87654321" for c in "hgfedcba").replace("d4", "pass"),
    ),
    "einstein": (
        "depth=3,eval=race",
        ["r1 r2 r3 . ./r4 r5 . . ./r6 . . . b6/. . . b5 b4/. . b3 b2 b1 r 3",
         ". . . . ./. r2 . . ./. . b1 . ./. . . r5 b6/. . . . . r 4"],
        "-".join(f"{stone}{step}" for stone in range(6, 0, -1) for step in ("diag", "down", "right")),
    ),
}  # fmt: skip


# --- The definition --------------------------------------------------------------------------------------------------


def worth(rules, evaluator, state, depth):
    """What a state is worth to MAX, by the definition."""
    weights = evaluator.weights
    return expectiminimax(rules, state, depth, lambda state: evaluator.evaluate(state, weights), evaluator.floor)


def check(player, position, known):
    """Every move has the value of the definition; of the best ones the first in the order of preference is chosen."""
    searching = getattr(player, "_plain", player)  # a tree that is kept is that of a plain search
    game, rules = player.game, getattr(searching, "search", player.game).rules
    state = game.parse(position)
    depth = getattr(player, "deepest", None) or player.analyse(state).counters.depth
    key = (rules, position, depth)
    if key not in known:
        seen = rules.seen_by_mover(state)
        known[key] = {
            game.action_name(state, action): worth(rules, player.evaluator, rules.successor(seen, action)[1], depth - 1)
            for action in game.legal_actions(state)
        }
    wanted, found = known[key], player.analyse(state)
    assert {move.move: move.value for move in found.moves} == pytest.approx(wanted, rel=1e-12), player.spec
    assert all(move.exact for move in found.moves), player.spec
    worst_first = rules.turn(rules.seen_by_mover(state)) != MAX
    best = (min if worst_first else max)(wanted.values())
    order = re.findall(r"ties=([^,]+)", player.spec)
    preferred = order[0].split("-") if order else list(wanted)
    equals = [move for move in preferred if wanted.get(move) == pytest.approx(best, rel=1e-12)]
    if len(set(wanted.values())) == len({round(value, 9) for value in wanted.values()}):  # no equals but for rounding
        assert found.best == equals[0], player.spec
    assert found.best in equals, player.spec


# --- The switches ----------------------------------------------------------------------------------------------------


@cache
def choices(name, key):
    """The words that a key takes, as the player tells who writes another; none if it takes no word."""
    game = next(game for game in map(make_game, ("2048", "connect4")) if PLAYERS[name].takes(game))
    with pytest.raises(BadInput) as refused:
        make_player(f"{name}:{key}=?", game)
    told = str(refused.value)
    if told.endswith("write on or off"):
        return ("off", "on")
    listed = re.search(r"there are ([\w-]+(?:, [\w-]+)*)$", told)
    return tuple(listed[1].split(", ")) if listed else ()


def switches(name):
    """The keys of a player that take one of some words."""
    keys = (key for key in PLAYERS[name].parameters if key not in BY_GAME and key not in HARMLESS)
    return {key: choices(name, key) for key in keys}


def players_of(name, game, own, ties, whole=False):
    """A player for every combination of the switches: (player, what it sets).

    First without any harmless setting, then with one, each in its turn, or with each if ``whole``.
    """
    keys = switches(name)
    if CHANCE not in game.kinds:
        keys.pop("opponent", None)  # who would take the place of luck
    harmless = (HARMLESS | {"ties": ties}).items()
    extras = [{key: word} for key, word in harmless if key != "memory" and key in PLAYERS[name].parameters]
    for words in product(*keys.values()):
        setting = dict(zip(keys, words, strict=True))
        if "on" in (setting.get("table"), setting.get("reuse")):
            setting["memory"] = HARMLESS["memory"]  # it is about the table
        player = made(name, game, own, setting)
        if player is None:
            continue
        yield player, setting
        for extra in list(extras):
            player = made(name, game, own, setting | extra)
            if player is not None:
                yield player, setting | extra
                extras.remove(extra)
                extras.append(extra)  # it has had its turn
                if not whole:
                    break


def test_every_player_has_its_theorems():
    assert {*FAMILY, *ELSEWHERE} == PLAYERS.keys()
    assert all((Path(__file__).parents[1] / file).exists() for file in ELSEWHERE.values())


@pytest.mark.parametrize("name", FAMILY)
def test_every_key_is_a_switch_or_known_to_do_no_harm(name):
    assert all(len(words) > 1 for words in switches(name).values()), switches(name)


def made(name, game, own, setting):
    """The player of a setting, its search left to the interpreter; None if the setting is refused."""
    options = ",".join(filter(None, [own, *(f"{key}={word}" for key, word in setting.items())]))
    try:
        player = make_player(f"{name}:{options}" if options else name, game)
    except BadInput:
        return None
    if isinstance(player, SearchPlayer):  # a tree that is kept stands in compiled code alone
        search = player.search
        value = search.build(jit=interpreted)
        many = search.threads > 1
        player._root = (
            build_parallel_root(search.rules, value, search.threads)
            if many
            else build_root(search.rules, value, jit=interpreted)
        )
        player.choose_once = build_choose(player._root, player.deepening, jit=interpreted)
    return player


# --- On every game ---------------------------------------------------------------------------------------------------

#: MTD(f) has its guess from the table.
REFUSED = {"mtdf": {("table", "off")}}


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", FAMILY)
def test_no_switch_changes_a_value(name, whole):
    taken = set()
    for spec, (own, positions, ties) in GAMES.items():
        game, known = make_game(spec), {}
        if not PLAYERS[name].takes(game):
            continue
        own = own.partition(",")[2] if name == "greedy" else own
        turns = cycle(positions)
        for player, setting in players_of(name, game, own, ties, whole):
            taken |= setting.items()
            harmless = any(key in setting for key in (*HARMLESS, "ties") if key != "memory")
            for position in positions if whole and not harmless else [next(turns)]:
                check(player, position, known)
    wanted = {(key, word) for key, words in switches(name).items() for word in words}
    assert wanted - taken == REFUSED.get(name, set()), "a word that was tried on no game"
    assert {key for key in PLAYERS[name].parameters if key not in BY_GAME} <= {key for key, _ in taken}


#: Nobody chooses at a root of luck; a tree that is kept is compiled anew for every tree.
@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("greedy", ["max", "min", "chance"]),
        ("minimax", ["max", "min"]),
        ("alphabeta", ["max", "min"]),
        ("mtdf", ["max", "min"]),
        ("expectimax", ["max", "chance"]),
        ("expectiminimax", ["max", "min", "chance"]),
    ],
)
@settings(max_examples=8)
@given(data=st.data())
def test_no_switch_changes_a_value_on_random_trees(name, kinds, data):
    drawn = data.draw(grown(kinds).filter(lambda tree: not isinstance(tree, float) and tree[0] != "chance"))
    game, known = make_game("tree", written(drawn)), {}
    branches = "-".join(str(branch) for branch in range(len(drawn[1]), 0, -1))
    for player, setting in players_of(name, game, "", branches):
        if setting.get("reuse", "off") == "off":
            check(player, "", known)
    assert known
