"""Measures the times of a document's experiment again, without changing its games.

The same games are played once more, into a file of their own. When the last of them has ended, their times replace the
old ones. A game that differs from the earlier one is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from contienda.lab.documents import TIMED
from contienda.lab.documents.description import DocumentExperiment
from contienda.lab.plan import Plan
from contienda.lab.results import Results, remove_results
from contienda.lab.run import Opening, Progress, run
from contienda.lab.where import Where

__all__ = ["measure_again", "timed_plan"]


def timed_plan(experiment: DocumentExperiment, plan: Plan) -> Plan | None:
    """Return the part of one of an experiment's plans whose times are shown; None if none are.

    The times of stand-ins are not shown: the times of the players that they replace are sampled
    (`DocumentExperiment.times`).
    """
    if plan == experiment.times:
        return replace(plan, name=f"{plan.name}-again")
    own = {line.player for line in experiment.published if line.stand_in is None and not TIMED.isdisjoint(line.figures)}
    players = tuple(player for player in plan.players if player in own)
    return replace(plan, name=f"{plan.name}-again", players=players) if players else None


def measure_again(
    experiment: DocumentExperiment,
    results: Results,
    where: Where,
    *,
    watch: Callable[[Progress], None],
    stopped: Callable[[], bool],
    opening: Opening,
) -> None:
    """Replace the times of finished games; a run that was stopped replaces none, and the next one continues it."""
    plan = timed_plan(experiment, results.plan)
    if plan is None:
        return
    path = results.path.with_name(f"{plan.name}.sqlite")
    again = Results(path, plan)
    try:
        complete = run(again, where, watch=watch, stopped=stopped, opening=opening).complete
        if complete:
            results.take_times(again)
    finally:
        again.close()
    if complete:
        remove_results(path)
