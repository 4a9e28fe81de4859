"""The documents' experiments on the lab's page: what was published, beside it what this browser has played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contienda.lab.documents import DOCUMENTS, Experiment, Published
from contienda.lab.results import Results
from contienda.lab.table import table_of
from contienda.language import BadInput, Text
from contienda.web.errors import NotFound
from contienda.web.lab import Job, Lab, remove_results, without_place
from contienda.web.lab_shapes import Cell, DocumentSummary, DocumentView, ExperimentView, Line
from contienda.web.lab_views import span, words
from contienda.web.shapes import Words

if TYPE_CHECKING:  # it draws too, with Altair, which takes its time: not before a document is wanted
    from contienda.lab.reproduce import Comparison
    from contienda.lab.reproduce import Line as ComparedLine

__all__ = ["LabDocuments"]


@lru_cache
def _experiments(name: str, quick: bool) -> list[Experiment]:
    if name not in DOCUMENTS:
        raise NotFound("there is no such document", "no hay tal documento")
    return DOCUMENTS[name].experiments(quick)


class LabDocuments:
    """The documents, for all browsers; each has played its own games."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab

    def _folder(self, client: str) -> Path:
        return self._lab.folder(client) / "documents"

    def start(self, client: str, name: str, quick: bool) -> None:
        """Play a document's experiments, or what is missing of them: `contienda lab reproduce`."""
        folder = self._folder(client)
        for experiment in _experiments(name, quick):
            path = _path(folder, experiment)
            if path.exists() and not _fits(path, experiment):  # what another version of the plan played
                remove_results(path)

        def work(**how: Any) -> None:
            from contienda.lab.reproduce import reproduce

            for experiments in reproduce([name], folder, quick=quick, **how).values():
                for _, results in experiments:
                    results.close()

        self._lab.start(client, _key(name, quick), work)

    def stop(self, client: str, name: str, quick: bool) -> None:
        """Stop; what is finished is kept."""
        self._lab.stop(client, _key(name, quick))

    def delete(self, client: str, name: str, quick: bool) -> None:
        """Forget what was played."""
        self.stop(client, name, quick)
        for experiment in _experiments(name, quick):
            remove_results(_path(self._folder(client), experiment))

    @contextmanager
    def found(self, client: str, name: str, quick: bool) -> Iterator[list[tuple[Experiment, Results | None]]]:
        """A document's experiments, with the results of those that have been begun."""
        opened: list[tuple[Experiment, Results | None]] = []
        try:
            for experiment in _experiments(name, quick):
                path, results = _path(self._folder(client), experiment), None
                if path.is_file():
                    with suppress(BadInput):  # `_unread` says so
                        results = Results(path, experiment.plan)
                opened.append((experiment, results))
            yield opened
        finally:
            for _, results in opened:
                if results is not None:
                    results.close()

    def _unread(self, client: str, name: str, quick: bool) -> Text | None:
        """Why what was played of a document cannot be shown: it is damaged, or another version's."""
        for experiment in _experiments(name, quick):
            path = _path(self._folder(client), experiment)
            try:
                if path.is_file():
                    Results(path, experiment.plan).close()
            except BadInput as error:
                reason = without_place(error, path).text
                return Text(
                    f"{experiment.plan.name} cannot be read, and is played anew if you start it: {reason.en}",
                    f"{experiment.plan.name} no se puede leer, y se juega de nuevo si lo inicias: {reason.es}",
                )
        return None

    def summaries(self, client: str, quick: bool) -> list[DocumentSummary]:
        """All documents, and how far each has come."""
        return [self._summary(client, name, quick) for name in DOCUMENTS]

    def _summary(self, client: str, name: str, quick: bool) -> DocumentSummary:
        job = self._lab.job(client, _key(name, quick))
        running = job is not None and job.running  # before its games are counted: it may end meanwhile
        with self.found(client, name, quick) as found:
            total = sum((experiment.plan.games or 0) * len(experiment.plan.entrants) for experiment, _ in found)
            done = sum(sum(results.counts().values()) for _, results in found if results is not None)
        unread = None if running else self._unread(client, name, quick)
        status = "running" if running else "done" if done == total else _at_rest(done, job)
        if unread is not None:
            status = "failed"
        return DocumentSummary(
            name=name,
            title=words(DOCUMENTS[name].title),
            status=status,  # type: ignore[arg-type]
            done=done,
            total=total,
        )

    def view(self, client: str, name: str, quick: bool) -> DocumentView:
        """A document's tables: what was published, and what was played of it so far."""
        summary = self._summary(client, name, quick)  # a document that does not exist is refused here
        job = self._lab.job(client, _key(name, quick))
        pace = job.pace if job is not None and summary.status == "running" else None
        with self.found(client, name, quick) as found:
            experiments = [_experiment_view(*each) for each in found]
        return DocumentView(
            **summary.model_dump(),
            quick=quick,
            notes=[words(note) for note in DOCUMENTS[name].notes],
            experiments=experiments,
            # Of the experiment that is being played; those that follow it are about as large.
            seconds_left=None if pace is None or not pace.rate else (summary.total - summary.done) / pace.rate,
            error=self._error(client, name, quick, job),
        )

    def _error(self, client: str, name: str, quick: bool, job: Job | None) -> Words | None:
        if job is not None and job.running:
            return None
        error = job.error.text if job is not None and job.error is not None else self._unread(client, name, quick)
        return None if error is None else words(error)


def _key(name: str, quick: bool) -> str:
    return f"document {name}{' quick' if quick else ''}"


def _path(folder: Path, experiment: Experiment) -> Path:
    return folder / f"{experiment.plan.name}.sqlite"  # as `reproduce` names it


def _fits(path: Path, experiment: Experiment) -> bool:
    try:
        Results(path, experiment.plan).close()
    except BadInput:
        return False
    return True


def _at_rest(done: int, job: Job | None) -> str:
    if job is not None and job.error is not None:
        return "failed"
    return "stopped" if done else "new"


def _experiment_view(experiment: Experiment, results: Results | None) -> ExperimentView:
    from contienda.lab.reproduce import compare_with_published, verdict

    compared = [] if results is None else compare_with_published(experiment, table_of(results))
    by_player: dict[str, list[ComparedLine]] = {}
    for line in compared:
        by_player.setdefault(line.name.partition(" – ")[0], []).append(line)
    lines = []
    for published in experiment.published:
        own = by_player.get(published.player, [])
        lines += [_line(published, line) for line in own] or [_published_line(published)]
    return ExperimentView(
        name=experiment.plan.name,
        game=experiment.plan.game,
        lines=lines,
        verdict=words(verdict(compared)) if compared else None,
    )


def _line(published: Published, line: ComparedLine) -> Line:
    return Line(
        label=line.label,
        player=line.name,
        published_games=published.games,
        games=line.games,
        cells=[_cell(comparison) for comparison in line.comparisons],
        faster=line.faster,
        impossible=line.impossible,
    )


def _cell(c: Comparison) -> Cell:
    timed = c.metric == "seconds"  # differs with the machine
    return Cell(
        metric=c.metric,
        published=c.published.mean,
        deviation=c.published.sd,
        ours=span(c.ours),
        inside=None if timed else c.inside,
        p=None if timed else c.p,
    )


def _published_line(published: Published) -> Line:
    from contienda.lab.reproduce import impossible_score

    cells = [
        Cell(metric=metric, published=figure.mean, deviation=figure.sd, ours=None, inside=None, p=None)
        for metric, figure in published.figures.items()
    ]
    return Line(
        label=published.label,
        player=published.player,
        published_games=published.games,
        games=0,
        cells=cells,
        faster=None,
        impossible=impossible_score(published.figures),
    )
