"""The experiments of the five source documents, as they were, each beside the figures that were published.

The published tables stand in ``published/``, one CSV file for each document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from io import StringIO
from typing import Any, NamedTuple

import polars as pl

from contienda.lab.plan import Plan
from contienda.language import Text

__all__ = ["DOCUMENTS", "Document", "Experiment", "Figure", "Published"]

#: All documents end their games at this tile.
_TARGET = 2048
_QUICK_DEPTH = 5
#: uma's 100 games become so many: its grid is the largest.
_QUICK_GAMES = 20


class Figure(NamedTuple):
    """A published mean; its standard deviation where it was given."""

    mean: float
    sd: float | None = None


class Published(NamedTuple):
    """What a document says of one player."""

    player: str
    label: str
    games: int
    figures: dict[str, Figure]
    """By metric: wins (a share), score, max_tile, moves, nodes, ms_per_move, seconds."""


class Experiment(NamedTuple):
    """Games to be played, and what was published of them."""

    plan: Plan
    published: list[Published]


class Document(NamedTuple):
    """A source document: its experiments, and what to know when comparing."""

    title: Text
    experiments: Callable[[bool], list[Experiment]]
    """``experiments(quick)``"""
    notes: list[Text]


def _rows(file: str) -> Iterator[dict[str, Any]]:
    text = (files("contienda.lab") / "published" / file).read_text(encoding="utf-8")
    return pl.read_csv(StringIO(text)).iter_rows(named=True)


def _experiment(name: str, quick: bool, games: int, published: Iterable[Published], **more: Any) -> Experiment:
    """The plan that plays everybody of whom something was published."""
    published = list(published)
    values: dict[str, Any] = {"game": "2048", "target": _TARGET, "games": games} | more
    players = tuple(dict.fromkeys(line.player for line in published))
    return Experiment(Plan(name=f"{name}-quick" if quick else name, players=players, **values), published)


# --- uc3m ------------------------------------------------------------------------------------------------------------

#: uc3m tries moves in this order, and keeps the first of equals.
_UC3M_ORDER = "down-right-up-left"


def _uc3m(quick: bool) -> list[Experiment]:
    lines: dict[int, list[Published]] = {}
    for row in _rows("uc3m_minimax_astar.csv"):
        depth, evaluator = row["depth"], row["evaluator"]
        minimax = row["algorithm"] == "minimax"
        if quick and minimax and depth > _QUICK_DEPTH:
            continue
        player = f"minimax:depth={depth},eval={evaluator},opponent=twos,ties={_UC3M_ORDER}"
        if not minimax:
            player = f"astar:depth={depth},h={evaluator}"
        figures = {
            "wins": Figure(row["wins_percent"] / 100),
            "score": Figure(row["score_mean"], row["score_sd"]),
            "moves": Figure(row["moves_mean"], row["moves_sd"]),
            "seconds": Figure(row["total_ms_mean"] / 1000, row["total_ms_sd"] / 1000),
        }
        label = f"{row['algorithm']} {evaluator} {depth}"
        lines.setdefault(row["games"], []).append(Published(player, label, row["games"], figures))
    return [
        _experiment("uc3m" if games == 15 else "uc3m-v2", quick, games, published, turns=True)
        for games, published in lines.items()
    ]


# --- unicen ----------------------------------------------------------------------------------------------------------


def _unicen(quick: bool) -> list[Experiment]:
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
        _experiment("unicen", quick, 10, published, paths=True, target=8192),
        _experiment("unicen-twos", quick, 10, published, paths=True, target=8192, game="2048:tiles=twos"),
    ]


def _of(values: pl.Series) -> Figure:
    numbers = values.to_numpy().astype(float)
    return Figure(float(numbers.mean()), float(numbers.std(ddof=1)))


# --- uja -------------------------------------------------------------------------------------------------------------

#: In the place of a person: players of rising strength, all of whom play differently on every seed.
_GRADED = ("random", "montecarlo:rollouts=5", "mcts:sims=100", "mcts:sims=1000")


def _uja(quick: bool) -> list[Experiment]:
    games = pl.DataFrame(list(_rows("uja_connect4_moves.csv")))
    published = []
    for own in games.partition_by("levels", maintain_order=True):
        levels = own["levels"][0]
        if quick and levels > _QUICK_DEPTH:
            continue
        won = float((own["winner"] == "machine").to_numpy().mean())
        figures = {"wins": Figure(won), "moves": _of(own["moves"])}
        published.append(Published(f"alphabeta:depth={levels},eval=uja", f"{levels}", len(own), figures))
    more = {"game": "connect4", "target": None, "opponents": _GRADED, "sides": "second"}
    return [_experiment("uja", quick, 3, published, **more)]


# --- uma -------------------------------------------------------------------------------------------------------------


#: The depth from which a table saves expectimax time: half of it at 5, nothing at 4. It is exact: the moves stay.
#: Where nodes were published (ort) it is left out, for it saves those too.
_TABLE_FROM = 5


def _uma(quick: bool) -> list[Experiment]:
    published = []
    for row in _rows("uma_win_rates.csv"):
        algorithm, evaluator, depth = row["algorithm"], row["evaluator"], row["depth"]
        if quick and depth > _QUICK_DEPTH:
            continue
        figures = {"wins": Figure(row["wins_percent"] / 100), "seconds": Figure(row["mean_game_seconds"])}
        player, label = f"{algorithm}:depth={depth},eval={evaluator}", f"{algorithm} {evaluator} {depth}"
        if algorithm == "expectimax" and depth >= _TABLE_FROM:
            player += ",table=on"
        published.append(Published(player, label, row["games"], figures))
    return [_experiment("uma", quick, _QUICK_GAMES if quick else 100, published)]


# --- ort -------------------------------------------------------------------------------------------------------------


def _ort(quick: bool) -> list[Experiment]:
    rows = list(_rows("ort_experiments.csv"))
    return [
        _experiment("ort", quick, 20, [_ort_line(row, 3) for row in rows]),
        _experiment("ort-4", quick, 20, [_ort_line(row, 4) for row in rows]),
    ]


def _ort_line(row: dict[str, Any], depth: int) -> Published:
    algorithm = "alphabeta" if row["alphabeta"] == "yes" else row["algorithm"]
    figures = {
        metric: Figure(row[f"{metric}_mean"], row[f"{metric}_sd"])
        for metric in ("max_tile", "score", "moves", "nodes", "seconds")
    }
    player = f"{algorithm}:depth={depth},eval={row['evaluator']}"
    label = f"{row['id']} {algorithm} {row['evaluator']}"
    return Published(player, label, row["games"], {"wins": Figure(row["wins_percent"] / 100)} | figures)


DOCUMENTS: dict[str, Document] = {
    "uc3m": Document(
        Text("uc3m: minimax and A* for 2048", "uc3m: minimax y A* para 2048"),
        _uc3m,
        [
            Text(
                "Ambiguous: the tile that A* draws after each move of its plan. Here it is drawn by lot for each node, "
                "and the game then draws another.",
                "Ambiguo: la ficha que A* sortea tras cada jugada de su plan. Aquí se sortea en cada nodo, y la "
                "partida sortea después otra.",
            ),
            Text(
                "Its minimax is reproduced, and so is A* with 20000 − score. Its other A* players are not: with the "
                "plain heuristics they make a third of the points that random moves make (about 1,100), and 16 − empty "
                "wins most games here and none there. The text does not say what else they did.",
                "Su minimax se reproduce, y también A* con 20000 − puntos. Sus otros A* no: con las heurísticas a "
                "secas hacen un tercio de los puntos que hace mover al azar (unos 1100), y 16 − vacías gana aquí casi "
                "todas las partidas y allí ninguna. El texto no dice qué más hacían.",
            ),
        ],
    ),
    "unicen": Document(
        Text("unicen: paths to 8192", "unicen: caminos hasta 8192"),
        _unicen,
        [
            Text(
                "Every published path has more than 4,096 steps, which is what 8192 takes where only 2s appear; with "
                "a 4 for every nine 2s it takes about 3,724. So its world seems to have held 2s only: both are played.",
                "Todos los caminos publicados pasan de 4096 pasos, que es lo que cuesta 8192 si solo aparecen doses; "
                "con un 4 por cada nueve doses cuesta unos 3724. Parece que en su mundo solo había doses: se juegan "
                "los dos.",
            ),
            Text(
                "Ambiguous: its heuristic. A* is played with −(score + empty), which fits its table; the formula in "
                "the text, −(score ÷ steps + steps × empty), is h=unicen-formula.",
                "Ambiguo: su heurística. A* juega con −(puntos + vacías), que encaja con su tabla; la fórmula del "
                "texto, −(puntos ÷ pasos + pasos × vacías), es h=unicen-formula.",
            ),
        ],
    ),
    "uja": Document(
        Text("uja: Connect 4 against a person", "uja: Conecta 4 contra una persona"),
        _uja,
        [
            Text(
                "Its games were against a person; here players of rising strength take the person's place. All 18 "
                "published numbers of moves are even and the machine won every game: it moved second, and so it does "
                "here.",
                "Sus partidas fueron contra una persona; aquí ocupan su lugar jugadores cada vez más fuertes. Los 18 "
                "números de jugadas publicados son pares y siempre ganó la máquina: movía en segundo lugar, y aquí "
                "también.",
            ),
        ],
    ),
    "uma": Document(
        Text("uma: three algorithms, four evaluators", "uma: tres algoritmos, cuatro evaluadores"),
        _uma,
        [
            Text(
                "Alpha-beta makes minimax's moves. On the same seeds their win rates must be equal, and in the "
                "published table they are not (uma3 at depth 5: 49 % and 32 %): its seeds, or the order among equal "
                "moves, were not the same for both.",
                "Alfa-beta hace las jugadas de minimax. Con las mismas semillas sus porcentajes deben coincidir, y en "
                "la tabla publicada no coinciden (uma3 a profundidad 5: 49 % y 32 %): las semillas, o el orden entre "
                "jugadas iguales, no eran los mismos.",
            ),
        ],
    ),
    "ort": Document(
        Text("ort: eight experiments at depth 3", "ort: ocho experimentos a profundidad 3"),
        _ort,
        [
            Text(
                "Its scores cannot be right: a tile of 2^k takes merges worth (k − 2) × 2^k points at least, so games "
                "whose largest tile is 614 on average bring 4,450 points or more, and 1,124 were published.",
                "Sus puntuaciones no pueden ser correctas: una ficha 2^k exige uniones por al menos (k − 2) × 2^k "
                "puntos, así que partidas cuya ficha mayor es 614 de media dan 4450 puntos o más; se publicaron 1124.",
            ),
            Text(
                "Ambiguous: its depth. Three levels take about 200 nodes a move, four 2,300, and 5,200 were published: "
                "it seems to have searched three levels below each move. Three and four are played.",
                "Ambigua: su profundidad. Tres niveles cuestan unos 200 nodos por jugada, cuatro 2300, y se publicaron "
                "5200: parece que buscó tres niveles por debajo de cada jugada. Se juegan tres y cuatro.",
            ),
            Text(
                "Its formula of monotonicity, as printed, rewards steep falls along a row, and so plays worse than was "
                "published. With the opposite sign (mono=-1) expectimax makes 16,000 points instead of 5,700, and as "
                "many moves as was published: its program seems to have taken the term for a penalty.",
                "Su fórmula de la monotonía, tal como está impresa, premia las caídas bruscas en una fila, y así juega "
                "peor de lo publicado. Con el signo contrario (mono=-1) expectimax hace 16 000 puntos, no 5700, y "
                "tantas jugadas como se publicó: parece que su programa la tomaba por una penalización.",
            ),
            Text(
                "Alpha-beta makes minimax's moves, so E1 and E4, E2 and E5, E3 and E6 differ by their luck alone.",
                "Alfa-beta hace las jugadas de minimax: E1 y E4, E2 y E5, E3 y E6 solo se diferencian por el azar.",
            ),
        ],
    ),
}
