"""Plays the documents' experiments again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from contienda.core.language import BadInput
from contienda.core.specs import parse_spec
from contienda.lab.again import measure_again
from contienda.lab.documents import DOCUMENTS
from contienda.lab.documents.description import DocumentExperiment
from contienda.lab.frames import pl
from contienda.lab.published_figures import ComparedLine, compare_with_published, of_player, per_move
from contienda.lab.results import Results
from contienda.lab.run import Opening, Progress, run
from contienda.lab.table import TurnTimes, table_of, turns_of
from contienda.lab.where import Where, open_pool

__all__ = ["Reproduced", "document_names", "reproduce", "reproduced"]


class Reproduced(NamedTuple):
    """An experiment played here: the tables of its games, and of its sampled times if it has any."""

    experiment: DocumentExperiment
    games: pl.DataFrame
    turns: TurnTimes
    """The mean time of each turn, where it was kept."""
    times: pl.DataFrame | None = None

    def as_published(self) -> pl.DataFrame:
        """Return the games under the names of the document's players, no matter who played them, with their times.

        Sampled times and nodes are the mean of a move times the moves of the game.
        """
        games = []
        for place, published in enumerate(self.experiment.published):
            own = self.games.filter(pl.col("player") == published.played_by)
            if published.stand_in is None or own.is_empty():
                games.append(own)
                continue
            sampled = of_player(self.times, published.player)
            player = parse_spec(published.player)
            games.append(
                own.with_columns(
                    entrant=pl.lit(len(self.experiment.plan.entrants) + place, pl.Int32),
                    name=pl.lit(published.player),
                    player=pl.lit(published.player),
                    algorithm=pl.lit(player.name),
                    seconds=pl.lit(per_move(sampled, "seconds"), pl.Float64) * pl.col("moves"),
                    nodes=(pl.lit(per_move(sampled, "nodes"), pl.Float64) * pl.col("moves")).round().cast(pl.Int64),
                )
            )
        return pl.concat(games) if games else self.games

    @property
    def heading(self) -> str:
        """The experiment's name, and the part of the document that it covers."""
        name, title = self.experiment.plan.name, self.experiment.title
        return name if title is None else f"{name}: {title}"

    def lines(self) -> list[ComparedLine]:
        """Every published player that has played, beside the published figures."""
        return compare_with_published(self.experiment, self.games, self.times)


def reproduce(
    names: list[str],
    folder: Path,
    where: Where,
    *,
    quick: bool = False,
    again: bool = False,
    watch: Callable[[Progress], None] = lambda progress: None,
    stopped: Callable[[], bool] = lambda: False,
    opening: Opening = open_pool,
) -> dict[str, list[Reproduced]]:
    """Play the missing games of these documents' experiments, each plan into its own file in the folder.

    With ``again``, the times of all games are measured again (`contienda.lab.again`).
    """
    found: dict[str, list[Reproduced]] = {}
    for name in names:
        for experiment in DOCUMENTS[name].experiments(quick):
            played = [Results(folder / f"{plan.name}.sqlite", plan) for plan in experiment.plans]
            for results in played:
                if not stopped():
                    run(results, where, watch=watch, stopped=stopped, opening=opening)
                if again and not stopped():
                    measure_again(experiment, results, where, watch=watch, stopped=stopped, opening=opening)
            found.setdefault(name, []).append(reproduced(experiment, *played))
            for results in played:
                results.close()
    return found


def reproduced(experiment: DocumentExperiment, results: Results, times: Results | None = None) -> Reproduced:
    """Return the games played so far of an experiment, and of its sampled times."""
    sampled = None if times is None else table_of(times)
    return Reproduced(experiment, table_of(results), turns_of(results), sampled)


def document_names(name: str) -> list[str]:
    """Return the documents of a name: one, or all."""
    if name != "all" and name not in DOCUMENTS:
        known = ", ".join([*DOCUMENTS, "all"])
        raise BadInput("no document {name!r}: there are {known}", name=name, known=known)
    return list(DOCUMENTS) if name == "all" else [name]
