"""Invented games: tables like those of an experiment, for figures and reports."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from contienda.lab.plan import Plan
from contienda.lab.results import Outcome, Results

#: The columns of a table of games that depend on the machine and its clock.
BY_MACHINE = ("seconds", "host")

ORT = (
    *(f"{a}:depth=3,eval=ort-{e}" for a in ("minimax", "alphabeta") for e in ("simple-1", "simple-2", "intermediate")),
    *(f"expectimax:depth=3,eval=ort-{e}" for e in ("simple-1", "simple-2")),
)
UMA = tuple(
    f"{a}:depth={d},eval=uma{e}"
    for a in ("minimax", "alphabeta", "expectimax")
    for e in (1, 2, 3, 4)
    for d in range(1, 6)
)


def made_up(path: Path, players: tuple[str, ...], games: int = 20) -> Results:
    """Results of a plan whose games are drawn by lot: later players better and slower."""
    return made_up_for(path, Plan("made up", "2048", players, games=games, target=2048, turns=True))


def made_up_for(path: Path, plan: Plan) -> Results:
    """The same for any plan of games of 2048."""
    results = Results(path, plan)
    results.begin("nowhere", "0")
    rng = np.random.default_rng(3)
    for entrant, player in enumerate(plan.players):
        depth = int(player.partition("depth=")[2][:1] or 1)
        cost = 5**depth * (0.2 if player.startswith("alphabeta") else 1)
        outcomes = []
        for seed in plan.seeds(plan.games):
            rank = int(np.clip(rng.normal(7 + min(depth, 6) * 0.6 + 0.1 * entrant % 2, 1), 4, 11))
            moves = 2**rank // 2
            turns = (cost / 1000 * (1 + 3 / np.arange(1, moves + 1) ** 0.5)).astype(np.float32)
            outcomes.append(
                Outcome(
                    entrant,
                    seed,
                    "over",
                    2**rank * rank,
                    2**rank,
                    rank == 11,
                    None,
                    moves,
                    int(moves * cost),
                    float(turns.sum()) / 1000,
                    "nowhere",
                    turns.tobytes(),
                )
            )
        results.add(outcomes)
    return results
