"""Every player by its name: what it does and what its spec may set. Data only: reading it compiles nothing."""

from __future__ import annotations

from typing import NamedTuple

from contienda.core.game import CHANCE, FEATURES, MAX, MIN, Game
from contienda.core.language import BadInput, Text

__all__ = ["PLAYERS", "PROGRAMS", "PlayerInfo", "SpecOption"]


class SpecOption(NamedTuple):
    """A key that a spec may set."""

    default: str | Text
    meaning: Text
    needs: str = ""
    """An attribute of the game: where it is empty, the option is refused."""


class PlayerInfo(NamedTuple):
    """A player as `contienda list players` shows it, and the function that makes it."""

    name: str
    about: Text
    made_by: str
    """``module:function``; the function takes the game and the options of the spec."""
    parameters: dict[str, SpecOption]
    weights: bool = False
    """Further keys are weights of the evaluator."""
    kinds: frozenset[int] = frozenset({MAX, MIN, CHANCE})
    """The kinds of nodes that it can play; CHANCE also where a game names an opponent that may stand in for it."""
    features: frozenset[str] = frozenset()
    """What a game must have (`contienda.core.game.FEATURES`)."""
    compiled: bool = False
    """It needs compiled rules: a plain game has none."""
    search: str = ""
    """``module:function`` that builds the search (`contienda.search`), if the player is only a search."""

    def takes(self, game: Game) -> bool:
        """Whether the player can play this game."""
        kinds = game.kinds - {CHANCE} if game.opponents else game.kinds
        return kinds <= self.kinds and self.features <= game.features and (game.compiled or not self.compiled)

    def refused_options(self, game: Game) -> list[str]:
        """Return the options that this game has no use for, so that lists leave them out."""
        return [key for key, option in self.parameters.items() if option.needs and not getattr(game, option.needs)]

    def default_evaluator(self, game: Game) -> str:
        """The evaluator to use by default; greedy counts points, in games that have them."""
        return (game.points_evaluator if self.name == "greedy" else "") or game.default_evaluator

    def check_features(self, game: Game) -> None:
        """Refuse a game that lacks a feature that the player needs."""
        for feature in sorted(self.features - game.features):
            what = FEATURES[feature].meaning
            raise BadInput(
                "{name} needs a game with {what}; {spec} is not one", name=self.name, what=what, spec=game.spec
            )


_NONE = Text("none")
_EVAL = SpecOption(
    Text("the game's own"),
    Text("evaluator: a name, FILE.py:FUNCTION, MODULE:FUNCTION, ntuple or ntuple:NETWORK"),
)
_TIES = SpecOption(
    Text("the game's order"),
    Text("order of preference among equal moves, for example down-right-up-left"),
)
_DEPTH = SpecOption(
    Text("5, unless the game says otherwise"),
    Text("search depth in levels of the tree, 1 to 100"),
)
_MS = SpecOption(
    _NONE,
    Text("milliseconds per move: iterative deepening until then"),
)
_NODES = SpecOption(
    _NONE,
    Text("nodes per move: iterative deepening until then"),
)
_OPPONENT = SpecOption(
    Text("the game's first"),
    Text("who stands in for chance; in 2048 twos-and-fours (uma, ort) or twos (uc3m), which place the tiles"),
    "opponents",
)
_CUTOFFS = SpecOption(
    "on",
    Text("off: visit what minimax visits, to compare"),
)
_SEARCH = {"depth": _DEPTH, "ms": _MS, "nodes": _NODES, "eval": _EVAL, "ties": _TIES}
_BY_SEARCH = "contienda.players.making:make_search"
_BY_ALPHABETA = "contienda.players.making:make_alphabeta"
_BY_EXPECTIMAX = "contienda.players.expectimax:"
_TABLE = Text("remember positions: on or off")
_MEMORY = SpecOption("64", Text("size of the table in megabytes"), "compiled")
_ORDER = SpecOption(
    "none",
    Text("which moves to try first: none, killers, history or static"),
)
_PVS = SpecOption(
    "off",
    Text("principal variation search: test the other moves with a null window"),
)
_PRUNE = SpecOption(
    "off",
    Text("star1 or star2: cut-offs at chance nodes, from the evaluator's bounds"),
)
_CPROB = Text("do not search positions less likely than this, for example 0.0001: an approximation")
_THREADS = SpecOption("1", Text("threads; they share the moves at the root"))
_ENDS = SpecOption(
    "rules",
    Text("the value of a finished game: rules, or heuristic = the evaluator's value, as in uja"),
)
HORIZON = SpecOption(
    "0",
    Text("the value at the depth limit: 0, or printed = −12340 as in unicen, below its dead end"),
)
_ASPIRATION = SpecOption("off", Text("aspiration: a narrow window around the previous value"))

_MS_PLAYOUTS = SpecOption(
    _NONE,
    Text("milliseconds per move: playouts until then"),
)
_POLICY = SpecOption(
    "random",
    Text("who moves in the playouts: random, or greedy by the evaluator"),
)
_BY_PLAYOUTS = "contienda.players.montecarlo:"

_ALL = [
    PlayerInfo(
        "human",
        Text("you type the moves"),
        "contienda.players.simple:make_human",
        {},
    ),
    PlayerInfo(
        "random",
        Text("a random legal move"),
        "contienda.players.simple:make_random",
        {},
    ),
    PlayerInfo(
        "greedy",
        Text("the best move at depth 1"),
        _BY_SEARCH,
        {"eval": _EVAL, "ties": _TIES},
        weights=True,
        search="contienda.search.expectiminimax:build_expectiminimax",
    ),
    PlayerInfo(
        "minimax",
        Text("the best move against a perfect opponent"),
        _BY_SEARCH,
        _SEARCH
        | {
            "opponent": _OPPONENT,
            "reuse": SpecOption(
                "off",
                Text(
                    "keep the tree between moves: on = extend it to the full depth at every turn; leaves = "
                    "extend it only when the game reaches its leaves, as in uja"
                ),
                "compiled",
            ),
            "memory": SpecOption("1024", Text("megabytes of the kept tree"), "compiled"),
            "ends": _ENDS,
        },
        weights=True,
        kinds=frozenset({MAX, MIN}),
        search="contienda.search.minimax:build_minimax",
    ),
    PlayerInfo(
        "alphabeta",
        Text("minimax without the branches that cannot change the result"),
        _BY_ALPHABETA,
        _SEARCH
        | {
            "opponent": _OPPONENT,
            "cutoffs": _CUTOFFS,
            "table": SpecOption("off", _TABLE, "compiled"),
            "memory": SpecOption("64", Text("megabytes of the table, or of the kept tree"), "compiled"),
            "order": _ORDER,
            "pvs": _PVS,
            "aspiration": _ASPIRATION,
            "threads": _THREADS,
            "reuse": SpecOption(
                "off",
                Text("leaves: keep the tree and extend it only when the game reaches its leaves, as in uja"),
                "compiled",
            ),
            "ends": _ENDS,
        },
        weights=True,
        kinds=frozenset({MAX, MIN}),
    ),
    PlayerInfo(
        "negamax",
        Text("alpha-beta with both sides maximising"),
        _BY_SEARCH,
        _SEARCH | {"opponent": _OPPONENT},
        weights=True,
        kinds=frozenset({MAX, MIN}),
        search="contienda.search.negamax:build_negamax",
    ),
    PlayerInfo(
        "mtdf",
        Text("closes in on the minimax value with null windows"),
        _BY_ALPHABETA,
        _SEARCH | {"opponent": _OPPONENT, "table": SpecOption("on", _TABLE), "memory": _MEMORY, "order": _ORDER},
        weights=True,
        kinds=frozenset({MAX, MIN}),
        compiled=True,
    ),
    PlayerInfo(
        "expectimax",
        Text("the best expected value over the outcomes of chance"),
        _BY_EXPECTIMAX + "make_expectimax",
        _SEARCH
        | {
            "depth": SpecOption(
                _DEPTH.default,
                Text("search depth in levels, 1 to 100; auto: deeper on 2048 boards with more distinct tiles"),
            ),
            "table": SpecOption("off", _TABLE, "compiled"),
            "memory": SpecOption("16", Text("megabytes of each thread's table"), "compiled"),
            "fold": SpecOption(
                "off",
                Text("mirror images share a table entry"),
                "shortcuts",
            ),
            "cprob": SpecOption("0", _CPROB),
            "prune": _PRUNE,
            "threads": _THREADS,
        },
        weights=True,
        kinds=frozenset({MAX, CHANCE}),
    ),
    PlayerInfo(
        "champion",
        Text("the strongest at 2048: expectimax with a learned network"),
        "contienda.players.g2048.champion:make_champion",
        {
            "depth": SpecOption("5", Text("search depth in levels, 1 to 100")),
            "ms": _MS,
            "nodes": _NODES,
            "network": SpecOption(
                Text("the one that comes with Contienda"),
                Text("a file written by contienda train or pack"),
            ),
            "cprob": SpecOption(
                Text("0; with ms or nodes 0.01"),
                _CPROB,
            ),
            "downgrade": SpecOption(
                "32768",
                Text("play boards with this tile or larger as boards with smaller tiles, or off"),
            ),
            "tables": SpecOption(
                "on",
                Text("endgame tables: on, off, mover (they move alone), veto (they exclude moves) or leaf"),
            ),
            "threads": _THREADS,
        },
        kinds=frozenset({MAX, CHANCE}),
        features=frozenset({"network", "points"}),
    ),
    PlayerInfo(
        "expectiminimax",
        Text("MAX, MIN and CHANCE in one tree"),
        _BY_EXPECTIMAX + "make_expectiminimax",
        _SEARCH | {"prune": _PRUNE},
        weights=True,
    ),
    PlayerInfo(
        "montecarlo",
        Text("the best average over random games"),
        _BY_PLAYOUTS + "make_montecarlo",
        {
            "rollouts": SpecOption("100", Text("playouts for each move")),
            "ms": _MS_PLAYOUTS,
            "policy": _POLICY,
            "eval": _EVAL,
        },
        weights=True,
    ),
    PlayerInfo(
        "mcts",
        Text("Monte Carlo tree search (UCT): random games that grow a tree"),
        _BY_PLAYOUTS + "make_mcts",
        {
            "sims": SpecOption("1000", Text("simulations per move")),
            "ms": _MS_PLAYOUTS,
            "c": SpecOption("1.414", Text("exploration constant, 0 or more")),
            "policy": _POLICY,
            "eval": _EVAL,
        },
        weights=True,
    ),
    PlayerInfo(
        "solver",
        Text("plays Connect 4 perfectly: the exact score of every column"),
        "contienda.players.perfect:make_perfect",
        {
            "ms": SpecOption(_NONE, Text("milliseconds per move; then it plays the best move known")),
            "nodes": SpecOption(_NONE, Text("nodes per move; then it plays the best move known")),
            "memory": _MEMORY,
            "threads": SpecOption("1", Text("threads; they share one table")),
            "slip": SpecOption(
                "0",
                Text("probability of a random move, 0 to 1"),
            ),
        },
        features=frozenset({"exact"}),
    ),
    PlayerInfo(
        "perfect",
        Text("plays 2048 perfectly on a small board: the expected final score of every move"),
        "contienda.players.g2048.exact:make_exact",
        {},
        features=frozenset({"solved"}),
    ),
    PlayerInfo(
        "astar",
        Text("uc3m's A* for 2048: looks ahead by g + h and makes the first move of the best path"),
        "contienda.players.paths.ahead:make_astar_player",
        {
            "h": SpecOption(
                "uc3m-score-v2",
                Text(
                    "the heuristic, smallest first: uc3m-score, uc3m-empty, uc3m-score-v2 = 20000 − score, "
                    "uc3m-empty-v2 = 16 − empty, unicen, or FILE.py:FUNCTION"
                ),
            ),
            "depth": SpecOption("5", Text("moves to look ahead, 1 to 100, each with a 2")),
            "spawn": SpecOption(
                "one",
                Text("the 2 after each move: one = on a random cell, all = on every cell (uc3m's future work)"),
            ),
            "ms": SpecOption(_NONE, Text("milliseconds per move")),
            "nodes": SpecOption(_NONE, Text("nodes per move")),
            "memory": SpecOption(
                "128",
                Text("MB for its nodes; when they are full, it expands the deepest node first"),
            ),
        },
        weights=True,
        features=frozenset({"paths"}),
    ),
    PlayerInfo(
        "backtracking",
        Text("unicen's look-ahead for 2048: the largest sum of evaluations over the next moves"),
        "contienda.players.paths.ahead:make_look_ahead_player",
        {
            "eval": SpecOption("unicen-a", _EVAL.meaning),
            "depth": SpecOption("4", Text("moves to look ahead, 1 to 12")),
            "horizon": HORIZON,
        },
        weights=True,
        features=frozenset({"paths"}),
    ),
]

PLAYERS: dict[str, PlayerInfo] = {info.name: info for info in _ALL}

#: Players that run a program on this machine: remote users must not name them to a server.
PROGRAMS: dict[str, PlayerInfo] = {
    "engine": PlayerInfo(
        "engine",
        Text("another program, in any language: see docs/en/engines.md"),
        "contienda.players.engine:make_engine",
        {
            "cmd": SpecOption(_NONE, Text("the command that starts it, with its arguments")),
            "ms": SpecOption(Text("1000, unless depth or nodes is given"), Text("milliseconds a move")),
            "depth": SpecOption(_NONE, Text("levels to look ahead")),
            "nodes": SpecOption(_NONE, Text("nodes a move")),
            "timeout": SpecOption(
                Text("ms and one second; without ms 60"), Text("seconds until a move without an answer loses the game")
            ),
        },
    )
}
