"""Experiments as the lab's page shows them: their progress and their results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from contienda.core.language import BadInput, plural
from contienda.lab.frames import pl
from contienda.lab.plan import Plan
from contienda.lab.plan_file import plan_as_toml
from contienda.lab.remarks import remarks_on
from contienda.lab.results import Results
from contienda.lab.statistics import Interval, Summary, compare_all, frontier, recommend, share_interval, summarise
from contienda.lab.table import TurnTimes, counted, table_of, turns_of
from contienda.web.lab.experiments import Job
from contienda.web.lab.shapes import (
    ComparisonView,
    DifferenceView,
    EntrantView,
    PlanView,
    PlayerFigures,
    Recommendation,
    RunSummary,
    RunView,
    Span,
    Status,
)
from contienda.web.shapes import Words

__all__ = ["LabViews", "span"]

#: Points of a curve: no screen shows more.
_POINTS = 40
#: 97.5 % of a normal distribution lie below this many standard deviations.
_Z = 1.959964


def span(interval: Interval | None) -> Span | None:
    """Return an interval in its JSON form, or None if there is none."""
    return None if interval is None else Span(value=interval.value, low=interval.low, high=interval.high)


class LabViews:
    """Experiments, with users' heuristics under the names that the users know."""

    def __init__(self, shown: Callable[[str], str]) -> None:
        self.shown = shown

    # Plans.

    def plan(self, plan: Plan) -> PlanView:
        """Return a plan as the page shows it."""
        return PlanView(
            name=plan.name,
            game=plan.game,
            players=[self.shown(spec) for spec in plan.players],
            opponents=[self.shown(spec) for spec in plan.opponents],
            games=plan.games,
            interval=plan.interval,
            most=plan.most,
            seed=str(plan.seed),
            target=plan.target,
            sides=plan.sides,  # type: ignore[arg-type]
            opening=plan.opening,
            turns=plan.turns,
            paths=plan.paths,
            entrants=len(plan.entrants),
            toml=self.toml(plan),
        )

    def toml(self, plan: Plan) -> str:
        """Return a plan as TOML."""
        return self.shown(plan_as_toml(plan))

    # Runs.

    def summary(self, run_id: str, results: Results, job: Job | None) -> RunSummary:
        """Return a run's entry in a list."""
        plan = results.plan
        running = job is not None and job.running  # before its games are counted: it may end in between
        each = plan.games or (job.pace.total if running and job is not None and job.pace is not None else None)
        runs = results.runs()
        begun = runs[-1]["begun"] if runs else results.path.stat().st_mtime
        return RunSummary(
            id=run_id,
            name=plan.name,
            game=plan.game,
            entrants=len(plan.entrants),
            done=sum(results.counts().values()),
            total=None if each is None else each * len(plan.entrants),
            status="running" if running else _at_rest(any(run["ended"] for run in runs), job),
            updated=_moment(begun),
            error=self._error(results, job),
        )

    def unreadable(self, run_id: str, path: Path, error: BadInput) -> RunSummary:
        """Return the list entry of a run that cannot be read, with the reason."""
        return RunSummary(
            id=run_id,
            name=run_id,
            game="",
            entrants=0,
            done=0,
            total=None,
            status="unreadable",
            updated=_moment(path.stat().st_mtime),
            error=error.text.in_all_languages(),
        )

    def _error(self, results: Results, job: Job | None) -> Words | None:
        """Return what went wrong with the whole run or with some of its games; None if nothing did."""
        if job is not None and job.error is not None:
            return job.error.text.in_all_languages()
        failures = results.failures()
        if not failures:
            return self._forfeits(results)
        told = plural(
            "{n} game could not be played. {reason}",
            "{n:,} games could not be played. {reason}",
            len(failures),
            reason=failures[0].reason.with_quotes(self.shown),
        )
        return told.in_all_languages()

    def _forfeits(self, results: Results) -> Words | None:
        """Return how many games were lost by rule, and why the first was; None if none were."""
        lost = results.forfeits()
        if not lost:
            return None
        told = plural(
            "ended by forfeit: {n} game, first seed {seed}: {reason}",
            "ended by forfeit: {n:,} games, first seed {seed}: {reason}",
            len(lost),
            seed=str(lost[0].seed),
            reason=lost[0].reason,
        )
        return told.in_all_languages()

    def run(self, run_id: str, results: Results, job: Job | None) -> RunView:
        """Return a run's progress: figures quick enough to be asked for every second."""
        summary = self.summary(run_id, results, job)
        pace = job.pace if job is not None and summary.status == "running" else None
        table = self.table(results)
        own = {part["entrant"][0]: part for part in counted(table).partition_by("entrant")}
        return RunView(
            **summary.model_dump() | {"done": len(table)},
            plan=self.plan(results.plan),
            scored=_scored(results.plan),
            players=[
                _entrant(self.shown(str(entrant)), own.get(number))
                for number, entrant in enumerate(results.plan.entrants)
            ],
            rate=None if pace is None else pace.rate,
            seconds_left=None if pace is None else pace.seconds_left,
            late=job is not None and job.late,
        )

    def table(self, results: Results) -> pl.DataFrame:
        """Return the games of a run."""
        return self._renamed(table_of(results))

    def charts(self, results: Results) -> dict[str, Any]:
        """Return every figure that these games have data for."""
        from contienda.lab.figures import figures_of  # it imports Altair, which is slow: not before a chart is wanted

        turns = turns_of(results)
        return figures_of(self.table(results), TurnTimes(self._renamed(turns.means), self._renamed(turns.won)))

    def _renamed(self, table: pl.DataFrame) -> pl.DataFrame:
        """Return the table with users' heuristics under their names."""
        texts = [name for name in ("name", "player", "opponent", "eval") if name in table.columns]
        shown = {spec: self.shown(spec) for name in texts for spec in table[name].unique() if spec is not None}
        changed = {spec: name for spec, name in shown.items() if spec != name}
        return table.with_columns(pl.col(texts).replace(changed)) if changed else table

    # Results.

    def comparison(self, results: Results, base: int | None) -> ComparisonView:
        """Return all players' figures, best first, and how ``base``, or the best, differs from each other one."""
        table = self.table(results)
        summaries = sorted(summarise(table), key=lambda s: -s.quality)
        line = {summary.entrant for summary in frontier(summaries)}
        if base not in {summary.entrant for summary in summaries}:
            base = summaries[0].entrant if summaries else None
        return ComparisonView(
            games=len(table),
            remarks=[remark.in_all_languages() for remark in remarks_on(results)],
            scored=_scored(results.plan),
            players=[_figures(summary, summary.entrant in line) for summary in summaries],
            base=base,
            differences=[] if base is None else _differences(table, base, summaries),
            recommendations=[
                Recommendation(
                    scenario=found.scenario.in_all_languages(),
                    entrant=found.summary.entrant,
                    name=found.summary.name,
                    note=None if found.note is None else found.note.in_all_languages(),
                )
                for found in recommend(summaries, table)
            ],
            figures=list(charts := self.charts(results)),
            figure_titles=_titles(charts),
        )


def _titles(charts: Iterable[str]) -> dict[str, dict[str, str]]:
    from contienda.lab.figures import all_figures

    return {name: all_figures()[name].title.in_all_languages() for name in charts}


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _at_rest(ended: bool, job: Job | None) -> Status:
    if ended:
        return "done"
    return "stopped" if job is None or job.error is None else "failed"


def _scored(plan: Plan) -> bool:
    """Whether the score counts: in a game for one player it does; in a game for two, winning does."""
    return not plan.opponents


def _entrant(name: str, own: pl.DataFrame | None) -> EntrantView:
    if own is None:
        return EntrantView(name=name, done=0, mean=None, wins=None, ms_per_move=None, games=[], means=[])
    scored = own["score"][0] is not None
    values = own["score" if scored else "won"].to_numpy().astype(float)
    wins = span(share_interval(int(own["won"].sum()), len(own)))
    marks = np.unique(np.linspace(1, len(values), min(_POINTS, len(values))).astype(int))
    moves, seconds = own["moves"].to_numpy(), own["seconds"].to_numpy()
    return EntrantView(
        name=name,
        done=len(own),
        mean=_quick_interval(values) if scored else wins,
        wins=wins,
        ms_per_move=1000 * float(seconds.sum()) / max(int(moves.sum()), 1),
        games=[int(mark) for mark in marks],
        means=[float(mean) for mean in (np.cumsum(values) / np.arange(1, len(values) + 1))[marks - 1]],
    )


def _quick_interval(values: np.ndarray[Any, Any]) -> Span:
    """Return the mean and its interval by the normal approximation: a bootstrap every second would be wasteful."""
    mean = float(values.mean())
    margin = _Z * float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return Span(value=mean, low=mean - margin, high=mean + margin)


def _figures(summary: Summary, on_frontier: bool) -> PlayerFigures:
    wins, moves = span(summary.wins), span(summary.moves)
    assert wins is not None
    assert moves is not None
    return PlayerFigures(
        entrant=summary.entrant,
        name=summary.name,
        games=summary.games,
        score=span(summary.score),
        median=summary.score_median,
        deviation=summary.score_sd,
        max_tile=span(summary.max_tile),
        wins=wins,
        draws=summary.draws,
        moves=moves,
        nodes_per_move=summary.nodes_per_move,
        ms_per_move=summary.ms_per_move,
        frontier=on_frontier,
    )


def _differences(table: pl.DataFrame, base: int, summaries: list[Summary]) -> list[DifferenceView]:
    names = {summary.entrant: summary.name for summary in summaries if summary.entrant != base}
    found = []
    for difference in compare_all(table, base, list(names)):
        shown = span(difference.difference)
        assert shown is not None
        found.append(
            DifferenceView(
                entrant=difference.second,
                name=names[difference.second],
                games=difference.games,
                difference=shown,
                effect=difference.effect if math.isfinite(difference.effect) else None,
                p=difference.p,
            )
        )
    return found
