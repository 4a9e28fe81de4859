"""The experiments of the five source documents, as described there, with the published figures.

The published tables are in ``published/``, one CSV file for each document.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from io import StringIO
from typing import Any, NamedTuple

from contienda.core.language import Text
from contienda.lab.frames import pl
from contienda.lab.plan import Plan

__all__ = [
    "DOCUMENTS",
    "TIMED",
    "Document",
    "DocumentExperiment",
    "Improvement",
    "PooledTable",
    "Published",
    "PublishedValue",
    "Sample",
    "document_labels",
]

#: All documents end their games at this tile.
_TARGET = 2048
#: The metrics that depend on the machine.
TIMED = frozenset(("seconds", "ms_per_move"))
_QUICK_DEPTH = 5
#: The games of each of uma's players, instead of 100: its grid is the largest.
_QUICK_GAMES = 20
#: When a stand-in plays the games: the number of games, and of moves in each, that are also searched as the document
#: did.
_SAMPLED_GAMES, _SAMPLED_MOVES = 10, 10


class PublishedValue(NamedTuple):
    """A published mean; its standard deviation where it was given."""

    mean: float
    sd: float | None = None


#: For a figure that the document lacks, measured here beside the others.
UNPUBLISHED = PublishedValue(math.nan)


class Published(NamedTuple):
    """What a document says about one player."""

    player: str
    label: str
    games: int
    figures: dict[str, PublishedValue]
    """By metric: wins (a share), score, max_tile, moves, nodes, nodes_per_move, ms_per_move, seconds."""
    stand_in: str | None = None
    """The stand-in for a player that would take hours: a faster search that makes exactly the same moves.

    The player's times then come from a sample of the moves (`contienda.lab.sampling`).
    """

    @property
    def played_by(self) -> str:
        """The players of these games."""
        return self.stand_in or self.player


class Sample(NamedTuple):
    """What a document says about pooled games: of an algorithm, an evaluator, a depth, won or lost."""

    label: str
    games: int
    figures: dict[str, PublishedValue]
    """By metric, as in `Published`; ``share`` is the share of games that ended with ``tile``."""
    algorithm: str
    evaluator: str | None = None
    depth: int | None = None
    won: bool | None = None
    tile: int | None = None


class PooledTable(NamedTuple):
    """A published table or chart about pooled games of several players."""

    title: Text
    samples: list[Sample]


class Improvement(NamedTuple):
    """Two players that a document compares: the change from one to the other."""

    title: Text
    before: str
    """The prefix of a line's label."""
    after: str


class DocumentExperiment(NamedTuple):
    """Games to play, and the figures published about them."""

    plan: Plan
    published: list[Published]
    pooled: tuple[PooledTable, ...] = ()
    improvements: tuple[Improvement, ...] = ()
    times: Plan | None = None
    """The sampled moves of players that have a stand-in (`Published.stand_in`)."""
    title: Text | None = None
    """The part of the document that this covers, by the numbers of its tables."""

    @property
    def plans(self) -> list[Plan]:
        """All plans to play."""
        return [self.plan] if self.times is None else [self.plan, self.times]


class Document(NamedTuple):
    """A source document: its experiments, and notes on the comparison."""

    title: Text
    experiments: Callable[[bool], list[DocumentExperiment]]
    """``experiments(quick)``"""
    notes: list[Text]
    figures: dict[str, str]
    """By the name of our figure (`contienda.lab.figures`): the numbers of the document's figures that correspond to
    it."""

    def in_order(self, figures: Iterable[str]) -> list[str]:
        """Return names of figures, those of the document first, by their numbers."""
        order = list(self.figures)
        return sorted(figures, key=lambda name: order.index(name) if name in order else len(order))


def _rows(file: str) -> Iterator[dict[str, Any]]:
    text = (files("contienda.lab") / "published" / file).read_text(encoding="utf-8")
    return pl.read_csv(StringIO(text)).iter_rows(named=True)


def _experiment(
    name: str, title: Text, quick: bool, games: int, published: Iterable[Published], **more: Any
) -> DocumentExperiment:
    """Return the plan with every player that has published figures."""
    published = list(published)
    values: dict[str, Any] = {"game": "2048", "target": _TARGET, "games": games} | more
    players = tuple(dict.fromkeys(line.played_by for line in published))
    plan = Plan(name=f"{name}-quick" if quick else name, players=players, **values)
    away = {line.player: line.stand_in for line in published if line.stand_in is not None}
    if not away:
        return DocumentExperiment(plan, published, title=title)
    timed = values | {"games": _SAMPLED_GAMES, "sample": _SAMPLED_MOVES, "turns": False}
    times = Plan(name=f"{plan.name}-times", players=tuple(away), stand_ins=tuple(away.values()), **timed)
    return DocumentExperiment(plan, published, times=times, title=title)


# --- uc3m ------------------------------------------------------------------------------------------------------------

#: uc3m tries moves in this order, and breaks ties in favour of the first.
_UC3M_ORDER = "down-right-up-left"


#: Its tables of pooled games, by number; tables 23, 26 and 29 have one player each.
_UC3M_POOLED = {
    21: Text("Table 21 and figure 12: minimax by depth, both heuristics"),
    22: Text("Table 22: minimax, won games only"),
    24: Text("Table 24 and figure 14: minimax, lost games only"),
    25: Text("Table 25 and figure 18: A* by depth, both heuristics"),
}


def _uc3m(quick: bool) -> list[DocumentExperiment]:
    lines: dict[int, list[Published]] = {}
    pooled: dict[int, list[Sample]] = {}
    for row in _rows("uc3m_minimax_astar.csv"):
        algorithm, evaluator, depth = row["algorithm"], row["evaluator"], row["depth"]
        minimax = algorithm == "minimax"
        if quick and minimax and (depth is None or depth > _QUICK_DEPTH):
            continue
        figures = _uc3m_figures(row)
        if depth is None:  # the deviations in the last column of tables 21 and 25 are means of three deviations
            figures = {metric: PublishedValue(figure.mean) for metric, figure in figures.items()}
        label = " ".join(str(part) for part in (algorithm, evaluator, depth) if part is not None)
        if row["table"] in _UC3M_POOLED:
            won = None if row["which"] == "all" else row["which"] == "won"
            sample = Sample(label, row["games"], figures, algorithm, evaluator, depth, won)
            pooled.setdefault(row["table"], []).append(sample)
            continue
        player = f"minimax:depth={depth},eval={evaluator},opponent=twos,ties={_UC3M_ORDER}"
        if not minimax:
            player = f"astar:depth={depth},h={evaluator}"
        lines.setdefault(row["games"], []).append(Published(player, label, row["games"], figures))
    tables = [PooledTable(_UC3M_POOLED[number], samples) for number, samples in sorted(pooled.items())]
    if not quick:
        tables.insert(0, _uc3m_tiles())
    usual, v2 = lines[15], lines[10]
    first = _experiment("uc3m", Text("Tables 23 and 26, figures 13 and 19"), quick, 15, usual, turns=True)
    return [
        first._replace(pooled=tuple(tables)),
        _experiment("uc3m-v2", Text("Table 29: the heuristics changed for A*"), quick, 10, v2, turns=True),
    ]


def _uc3m_figures(row: dict[str, Any]) -> dict[str, PublishedValue]:
    figures = {} if row["wins_percent"] is None else {"wins": PublishedValue(row["wins_percent"] / 100)}
    names = {
        "score": ("score", 1),
        "moves": ("moves", 1),
        "seconds": ("total_ms", 1000),
        "ms_per_move": ("ms_per_move", 1),
    }
    for metric, (name, unit) in names.items():
        sd = row[f"{name}_sd"]
        figures[metric] = PublishedValue(row[f"{name}_mean"] / unit, None if sd is None else sd / unit)
    return figures


def _uc3m_tiles() -> PooledTable:
    rows = list(_rows("uc3m_largest_tiles.csv"))
    games = sum(row["games"] for row in rows)
    samples = [
        Sample(str(row["tile"]), games, {"share": PublishedValue(row["games"] / games)}, "minimax", tile=row["tile"])
        for row in rows
    ]
    return PooledTable(Text("Figure 11: minimax, games by their largest tile"), samples)


# --- unicen ----------------------------------------------------------------------------------------------------------


def _unicen(quick: bool) -> list[DocumentExperiment]:
    runs = pl.DataFrame(list(_rows("unicen_states_and_steps.csv")))
    published = [
        Published(
            own["algorithm"][0],
            own["algorithm"][0],
            len(own),
            {"nodes": _of(own["states"]), "moves": _of(own["steps"])},
        )
        for own in runs.partition_by("algorithm", maintain_order=True)
    ]
    return [
        _experiment("unicen", Text("Table 1"), quick, 10, published, paths=True, target=8192),
        _experiment(
            "unicen-twos",
            Text("Table 1 where only 2s appear"),
            quick,
            10,
            published,
            paths=True,
            target=8192,
            game="2048:tiles=twos",
        ),
        *(
            _experiment(
                f"unicen-{target}",
                Text("Every algorithm to {target}", target=str(target)),
                quick,
                10,
                _unicen_ways(),
                paths=True,
                target=target,
            )
            for target in _UNICEN_TARGETS
        ),
    ]


#: The targets whose runs it analyses.
_UNICEN_TARGETS = (2048, 4096, 8192)
#: All that it describes, and our comparisons. No figures of these runs were published.
_UNICEN_WAYS = {
    "backtracking": "backtracking",
    "astar": "A*",
    "astar:g=siblings": "A*, g = padre.g++",
    "backtracking:eval=unicen-a,depth=4": "backtracking, A",
    "backtracking:eval=unicen-a,depth=4,horizon=printed": "backtracking, A, −12340",
    "branch-and-bound:bound=v2,memory=64": "branch and bound, v2",
    "branch-and-bound": "branch and bound, sum",
}


def _unicen_ways() -> list[Published]:
    figures = {"wins": UNPUBLISHED, "nodes": UNPUBLISHED, "moves": UNPUBLISHED}
    return [Published(player, label, 0, figures) for player, label in _UNICEN_WAYS.items()]


def _of(values: pl.Series) -> PublishedValue:
    numbers = values.to_numpy().astype(float)
    return PublishedValue(float(numbers.mean()), float(numbers.std(ddof=1)))


# --- uja -------------------------------------------------------------------------------------------------------------

#: Instead of a person: players of increasing strength, all of which play differently on every seed.
_GRADED = ("random", "montecarlo:rollouts=5", "mcts:sims=100", "mcts:sims=1000")


def _uja(quick: bool) -> list[DocumentExperiment]:
    games = pl.DataFrame(list(_rows("uja_connect4_moves.csv")))
    agent, stronger = [], []
    for own in games.partition_by("levels", maintain_order=True):
        levels = own["levels"][0]
        if quick and levels > _QUICK_DEPTH:
            continue
        won = float((own["winner"] == "machine").to_numpy().mean())
        figures = {"wins": PublishedValue(won), "moves": _of(own["moves"])}
        anew = f"alphabeta:depth={levels},eval=uja"
        agent.append(Published(f"{anew},reuse=leaves,ends=heuristic", f"{levels}", len(own), figures))
        stronger.append(Published(anew, f"{levels}", len(own), figures))
    more = {"game": "connect4", "target": None, "sides": "second"}
    return [
        _experiment("uja", Text("Its agent, by level and opponent"), quick, 3, agent, opponents=_GRADED, **more),
        _experiment(
            "uja-full-depth", Text("The full depth at every turn"), quick, 3, stronger, opponents=_GRADED, **more
        ),
        _experiment("uja-costs", Text("What each costs"), quick, 10, _uja_ways(quick), opponents=("random",), **more),
    ]


#: Its search methods and ours, with their greatest depth: without cut-offs, nine levels would take minutes.
_UJA_WAYS = {
    "minimax": ("", 7),
    "minimax reuse=on": (",reuse=on", 7),
    "minimax reuse=leaves": (",reuse=leaves,ends=heuristic", 7),
    "alphabeta": ("", 9),
    "alphabeta reuse=leaves": (",reuse=leaves,ends=heuristic", 9),
}


def _uja_ways(quick: bool) -> list[Published]:
    """The cost of each search method. No figures of it were published."""
    figures = {"nodes_per_move": UNPUBLISHED, "ms_per_move": UNPUBLISHED}
    return [
        Published(f"{way.partition(' ')[0]}:depth={levels},eval=uja{options}", f"{levels} {way}", 0, figures)
        for levels in range(4, (_QUICK_DEPTH if quick else 9) + 1)
        for way, (options, most) in _UJA_WAYS.items()
        if levels <= most
    ]


# --- uma -------------------------------------------------------------------------------------------------------------


#: The depth from which stand-ins play the games. Its 400 games of minimax at depth 7 would take hours.
_STAND_IN_FROM = 5


def _stand_in(algorithm: str, evaluator: str, depth: int) -> str | None:
    """Return a search that makes the same moves, with ties broken in the same way, in less time.

    Alpha-beta finds minimax's move in any order of moves, and a table returns only what was searched to the same depth,
    in expectimax too.
    """
    if depth < _STAND_IN_FROM:
        return None
    if algorithm == "expectimax":
        return f"expectimax:depth={depth},eval={evaluator},table=on"
    return f"alphabeta:depth={depth},eval={evaluator},table=on,order=killers"


def _uma(quick: bool) -> list[DocumentExperiment]:
    published = []
    for row in _rows("uma_win_rates.csv"):
        algorithm, evaluator, depth = row["algorithm"], row["evaluator"], row["depth"]
        if quick and depth > _QUICK_DEPTH:
            continue
        figures = {
            "wins": PublishedValue(row["wins_percent"] / 100),
            "seconds": PublishedValue(row["mean_game_seconds"]),
        }
        player, label = f"{algorithm}:depth={depth},eval={evaluator}", f"{algorithm} {evaluator} {depth}"
        stand_in = _stand_in(algorithm, evaluator, depth)
        published.append(Published(player, label, row["games"], figures, stand_in))
    return [_experiment("uma", Text("Tables 2, 3 and 4"), quick, _QUICK_GAMES if quick else 100, published)]


# --- ort -------------------------------------------------------------------------------------------------------------


def _ort(quick: bool) -> list[DocumentExperiment]:
    rows = list(_rows("ort_experiments.csv"))
    return [
        _experiment(name, title, quick, 20, [_ort_line(row, depth) for row in rows])._replace(
            improvements=_ORT_IMPROVEMENTS
        )
        for name, depth, title in (
            ("ort", 3, Text("Tables 1 and B.1")),
            ("ort-4", 4, Text("Tables 1 and B.1 with another reading of its depth: four levels")),
        )
    ]


def _ort_name(row: dict[str, Any], depth: int) -> str:
    """Return an experiment's name in the document: Minimax_AB_simple_c1_d3."""
    pruning = {"yes": "_AB", "no": "_NoAB"}.get(row["alphabeta"], "")
    heuristic, _, weights = row["evaluator"].removeprefix("ort-").partition("-")
    return f"{row['algorithm'].capitalize()}{pruning}_{heuristic}_c{weights or 1}_d{depth}"


def _ort_line(row: dict[str, Any], depth: int) -> Published:
    algorithm = "alphabeta" if row["alphabeta"] == "yes" else row["algorithm"]
    figures = {
        metric: PublishedValue(row[f"{metric}_mean"], row[f"{metric}_sd"])
        for metric in ("max_tile", "score", "moves", "nodes", "seconds")
    }
    player = f"{algorithm}:depth={depth},eval={row['evaluator']}"
    label = f"{row['id']} {_ort_name(row, depth)}"
    per_move = PublishedValue(1000 * row["seconds_per_move_mean"], 1000 * row["seconds_per_move_sd"])
    figures = {"wins": PublishedValue(row["wins_percent"] / 100)} | figures | {"ms_per_move": per_move}
    return Published(player, label, row["games"], figures)


#: The comparisons of its sections 6.2 to 6.7.
_ORT_IMPROVEMENTS = (
    Improvement(Text("Figure 1: alpha-beta"), "E1", "E4"),
    Improvement(Text("Figure 2: weights 1 instead of 2"), "E5", "E4"),
    Improvement(Text("Figure 3: the intermediate heuristic"), "E4", "E6"),
    Improvement(Text("Figure 4: expectimax instead of alpha-beta"), "E4", "E7"),
    Improvement(Text("Figure 6: weights 1 instead of 2, expectimax"), "E8", "E7"),
)


def document_labels(plan: Plan) -> dict[str, str]:
    """Return the document's names for the players of its plan; nothing for any other plan."""
    experiments = [e for each in DOCUMENTS.values() for quick in (False, True) for e in each.experiments(quick)]
    own = next((experiment for experiment in experiments if experiment.plan == plan), None)
    return {} if own is None else {line.played_by: line.label for line in own.published}


DOCUMENTS: dict[str, Document] = {
    "uc3m": Document(
        Text("uc3m: minimax and A* for 2048"),
        _uc3m,
        [
            Text(
                "Ambiguous: the tile that A* draws after each move of its plan. Here it is drawn at random for each "
                "node, and the game then draws another."
            ),
            Text(
                "Its minimax is reproduced in wins and tiles, and in points but for the empty cells at depth 7; so is "
                "A* with 20000 − score. Its other A* players are not: with the plain heuristics they make a third of "
                "the points that random moves make (about 1,100), and 16 − empty wins most games here and none there. "
                "The text does not say what else they did."
            ),
            Text(
                "Its minimax games have about a tenth more moves than ours: 1,072 in a won game (table 22), with "
                "20,815 points. This ratio of moves to points fits a game in which only 2s appear, where 2048 takes "
                "1,022 moves or more; its text says 2s and 4s, and that is what we play (about 970 moves)."
            ),
            Text(
                "It says 20 of 90 games won, and its tables 21 and 23 add up to 19. Twenty is right: taken from "
                "table 23, the lost games of table 24 leave the means of table 22 to the digit if the empty cells "
                "won five games at depth 7, 33.33 % and not 26.67 %."
            ),
            Text(
                "Six deviations of its table 24 are impossible (score, depths 7 and 9: total time, moves, time per "
                "turn): with the 7 lost games alone spread by 1,234,370 ms, all 15 would be spread by 808,085 ms at "
                "least, and table 23 has 480,219 ms. The deviation of the last column of tables 21 and 25 is the mean "
                "of three deviations."
            ),
            Text("Slip: its English summary gives 2814.9 points for the won games, and table 22 has 20,814.9."),
        ],
        {
            "largest-tiles": "11",
            "score-by-depth-pooled": "12, 18",
            "score-by-depth": "13, 19",
            "score-by-depth-lost": "14",
            "time-per-move-won": "15–17",
        },
    ),
    "unicen": Document(
        Text("unicen: paths to 8192"),
        _unicen,
        [
            Text(
                "Every published path has more than 4,096 steps, which is what 8192 takes where only 2s appear; with "
                "a 4 for every nine 2s it takes about 3,724. So its program seems to have used 2s only. We play both."
            ),
            Text(
                "Ambiguous: its heuristic. A* is played with −(score + empty), which fits its table; the "
                "formula in the text, score ÷ steps + steps × empty, is h=unicen-text, and with the minus of "
                "its listing h=unicen-formula: neither reached 2048 within three seconds."
            ),
            Text(
                "Its listing counts the steps as the length of a solution that is still empty, so they are always 1; "
                "and g = padre.g++ gives the children of a node g, g + 1, g + 2 and g + 3. The first makes it work; "
                "the second (g=siblings) costs some more states."
            ),
            Text(
                "Slip: its text says that 32,423 states were generated on average by backtracking and 34,750 by A*. "
                "Its table says 353,272 and 175,653: A* needs half as many, not more."
            ),
            Text('Slip: "down" is called the last move tried, but listed third, before right. We play it as listed.'),
            Text(
                "Its look-ahead is worth −12340 at the depth limit and −10000 at a dead end, so a dead end looks "
                "better than none (horizon=printed). This hardly changes the paths."
            ),
            Text(
                "Its heuristic A is said to need fewer steps than A*, and to serve up to 2048 only. Here it needs "
                "fewer steps to 2048 and to 4096, more to 8192, and reaches all three."
            ),
            Text(
                "Branch and bound, as printed, reaches 64 from a fresh board and not 128, with either bound: no run of "
                "it was published. With bound=sum it reaches 8192."
            ),
        ],
        {},
    ),
    "uja": Document(
        Text("uja: Connect 4 against a person"),
        _uja,
        [
            Text(
                "Its games were against a person; here players of rising strength take the person's place. All 18 "
                "published numbers of moves are even and the machine won every game: it moved second, as it does "
                "here."
            ),
            Text(
                "We play its own agent: the tree is grown again only when the game reaches its leaves, and a finished "
                "game is worth what the heuristic says (reuse=leaves,ends=heuristic). uja-full-depth looks the full "
                "number of levels ahead at every turn."
            ),
            Text(
                "Slip: alpha-beta is said to change the cost and never the move. That holds right after the tree was "
                "grown. Below, its values may be bounds and replies may be missing, so that the kept tree of "
                "alpha-beta plays other games than that of minimax."
            ),
            Text(
                "uja-costs shows what each way of searching costs: nodes and milliseconds a move, over ten games "
                "against random moves. Minimax without cut-offs is searched up to seven levels."
            ),
            Text("Slip: the machine won all games in one place, and almost always in another."),
        ],
        {},
    ),
    "uma": Document(
        Text("uma: three algorithms, four evaluators"),
        _uma,
        [
            Text(
                "Alpha-beta makes minimax's moves. On the same seeds their win rates must be equal, and "
                "in the published table they are not (uma3 at depth 5: 49 % and 32 %): its games shared only the first "
                "board, as it says itself."
            ),
            Text(
                "From depth 5 on, other searches that make the same moves play the games: alpha-beta with a table and "
                "killer moves plays those of minimax and alpha-beta, expectimax with a table those of plain "
                "expectimax. The times there come from a sample: {moves} moves of each of {games} games, from the "
                "first to the last, searched as the document did. Their mean is multiplied by the number of moves of "
                "the game. Each sampled move is compared with the game's.",
                moves=_SAMPLED_MOVES,
                games=_SAMPLED_GAMES,
            ),
            Text(
                "Slips: table 1 is headed Minimax and Expectimax and compares minimax with alpha-beta; the pseudocode "
                "of MIN-VALUE updates α where it must update β; MTD(f) is called MTG(f)."
            ),
            Text(
                "It says that expectimax needs large values, because averages would shrink to 0. An average lies "
                "between the smallest and the largest of its values."
            ),
        ],
        {"wins-by-depth": "13–16", "wins-of-evaluators": "17–19", "time-by-depth": "20", "time-of-evaluators": "21"},
    ),
    "ort": Document(
        Text("ort: eight experiments at depth 3"),
        _ort,
        [
            Text(
                "Its scores cannot be right: a tile of 2^k takes merges worth (k − 2) × 2^k points at "
                "least, so games whose largest tile is 614 on average bring 4,450 points or more, and "
                "1,124 were published."
            ),
            Text(
                "Ambiguous: its depth. Three levels take about 200 nodes a move, four 2,300, and 5,200 were "
                "published: it seems to have searched three levels below each move. We play three and four."
            ),
            Text(
                "Its formula of monotonicity, as printed, rewards steep falls along a row, and so plays worse than "
                "was published. With the opposite sign (mono=-1) expectimax makes 16,280 points instead of 5,683, and "
                "its largest tile is 1,178 on average, where 1,254 was published: its program seems to have used the "
                "term as a penalty."
            ),
            Text(
                "Monotonicity is described for rows and columns, but the formula sums over rows only. We follow the "
                "formula."
            ),
            Text(
                "Its Pareto frontier is E5, E6 and E3, and every other configuration is said to be dominated by one of "
                "them. By its own table E4 is not: E5 alone is faster (86.9 s against 99.7 s), and its largest tile is "
                "627 against 768; E6 takes 190.7 s."
            ),
            Text("Alpha-beta makes minimax's moves, so E1 and E4, E2 and E5, E3 and E6 differ only by luck."),
            Text("Slip: the intermediate heuristic is said to triple the win rate, which went from 0 % to 35 %."),
        ],
        {
            "alphabeta": "1",
            "weights": "2",
            "evaluators": "3",
            "expectimax-minimax": "4",
            "overview": "5",
            "expectimax": "6",
            "efficiency": "7",
            "quality-and-speed": "8",
        },
    ),
}
