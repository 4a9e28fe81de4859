"""uja: its Connect 4 agent, which keeps its tree from turn to turn."""

from __future__ import annotations

from contienda.core.language import Text
from contienda.lab.documents.description import (
    QUICK_DEPTH,
    UNPUBLISHED,
    Document,
    DocumentExperiment,
    Published,
    PublishedValue,
    experiment,
    mean_of,
    rows_of,
)
from contienda.lab.frames import pl

__all__ = ["UJA"]


#: Instead of a person: players of increasing strength, all of which play differently on every seed.
_GRADED = ("random", "montecarlo:rollouts=5", "mcts:sims=100", "mcts:sims=1000")


def _uja(quick: bool) -> list[DocumentExperiment]:
    games = pl.DataFrame(list(rows_of("uja_connect4_moves.csv")))
    agent, stronger = [], []
    for own in games.partition_by("levels", maintain_order=True):
        levels = own["levels"][0]
        if quick and levels > QUICK_DEPTH:
            continue
        won = float((own["winner"] == "machine").to_numpy().mean())
        figures = {"wins": PublishedValue(won), "moves": mean_of(own["moves"])}
        anew = f"alphabeta:depth={levels},eval=uja"
        agent.append(Published(f"{anew},reuse=leaves,ends=heuristic", f"{levels}", len(own), figures))
        stronger.append(Published(anew, f"{levels}", len(own), figures))
    more = {"game": "connect4", "target": None, "sides": "second"}
    return [
        experiment("uja", Text("Its agent, by level and opponent"), quick, 3, agent, opponents=_GRADED, **more),
        experiment(
            "uja-full-depth", Text("The full depth at every turn"), quick, 3, stronger, opponents=_GRADED, **more
        ),
        experiment(
            "uja-costs", Text("The cost of each method"), quick, 10, _uja_ways(quick), opponents=("random",), **more
        ),
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
        for levels in range(4, (QUICK_DEPTH if quick else 9) + 1)
        for way, (options, most) in _UJA_WAYS.items()
        if levels <= most
    ]


UJA = Document(
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
)
