"""uma: minimax, alpha-beta and expectimax on 2048, with four evaluators."""

from __future__ import annotations

from contienda.core.language import Text
from contienda.lab.documents.description import (
    QUICK_DEPTH,
    SAMPLED_GAMES,
    SAMPLED_MOVES,
    Document,
    DocumentExperiment,
    Published,
    PublishedValue,
    experiment,
    rows_of,
)

__all__ = ["UMA"]


#: The depth from which stand-ins play the games. Its 400 games of minimax at depth 7 would take hours.
_STAND_IN_FROM = 5
#: The games of each player in a quick reproduction, instead of 100: uma's grid is the largest.
_QUICK_GAMES = 20


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
    for row in rows_of("uma_win_rates.csv"):
        algorithm, evaluator, depth = row["algorithm"], row["evaluator"], row["depth"]
        if quick and depth > QUICK_DEPTH:
            continue
        figures = {
            "wins": PublishedValue(row["wins_percent"] / 100),
            "seconds": PublishedValue(row["mean_game_seconds"]),
        }
        player, label = f"{algorithm}:depth={depth},eval={evaluator}", f"{algorithm} {evaluator} {depth}"
        stand_in = _stand_in(algorithm, evaluator, depth)
        published.append(Published(player, label, row["games"], figures, stand_in))
    return [experiment("uma", Text("Tables 2, 3 and 4"), quick, _QUICK_GAMES if quick else 100, published)]


UMA = Document(
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
            moves=SAMPLED_MOVES,
            games=SAMPLED_GAMES,
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
)
