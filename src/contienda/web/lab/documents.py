"""The documents' experiments on the lab's page: the published figures beside those that this browser has played."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from contienda.compiled.stopping import Stop
from contienda.core.language import BadInput, Text, use_language
from contienda.lab.documents import DOCUMENTS, TIMED
from contienda.lab.documents.description import DocumentExperiment, Published, PublishedValue, Sample
from contienda.lab.frames import pl
from contienda.lab.plan import Plan
from contienda.lab.results import Results, remove_results
from contienda.lab.shipped import origin_of, shipped
from contienda.lab.table import table_of
from contienda.web.errors import NotFound, without_place
from contienda.web.lab.experiments import Job, Lab
from contienda.web.lab.shapes import (
    Cell,
    DocumentSummary,
    DocumentView,
    ExperimentView,
    FigureView,
    GainView,
    ImprovementView,
    LineView,
    OriginView,
    PooledView,
)
from contienda.web.lab.views import span
from contienda.web.shapes import Words
from contienda.web.work.processes import Workshop

if TYPE_CHECKING:  # it imports Altair, which is slow: not before a document is wanted
    from contienda.lab.published_figures import ComparedLine, Comparison

__all__ = ["LabDocuments", "OpenedExperiment"]


@lru_cache
def _experiments(name: str, quick: bool) -> list[DocumentExperiment]:
    if name not in DOCUMENTS:
        raise NotFound("no such document")
    return DOCUMENTS[name].experiments(quick)


class OpenedExperiment(NamedTuple):
    """An experiment of a document, and its results so far."""

    experiment: DocumentExperiment
    results: Results | None
    times: Results | None = None
    """The results of sampled moves, if another plan played the games."""
    came: bool = False
    """Whether the results came with the package."""

    def charts(self) -> dict[str, Any]:
        """Return every figure that these games have data for, with the players that the document names."""
        from contienda.lab.figures import figures_of
        from contienda.lab.reproduce import reproduced

        if self.results is None:
            return {}
        played = reproduced(self.experiment, self.results, self.times)
        return figures_of(played.as_published(), played.turns)


@contextmanager
def _found_in(folder: Path, name: str, quick: bool) -> Iterator[list[OpenedExperiment]]:
    """Yield a document's experiments with their results in this folder.

    Until a game has been played there, the results that came with the package are used, if there are any.
    """
    opened = [_opened(experiment, partial(_own, folder)) for experiment in _experiments(name, quick)]
    if not any(each.results is not None and each.results.counts() for each in opened):
        came = [_opened(experiment, shipped)._replace(came=True) for experiment in _experiments(name, False)]
        if any(each.results is not None for each in came):
            _close(opened)
            opened = came
    try:
        yield opened
    finally:
        _close(opened)


def _own(folder: Path, plan: Plan) -> Results | None:
    path = _path(folder, plan)
    if path.is_file():
        with suppress(BadInput):  # `LabDocuments._unread` reports it
            return Results(path, plan)
    return None


def _write_page(folder: Path, name: str, quick: bool, language: str, *, stop: Stop) -> bytes:
    """Write the page, in a process of its own: statistics and charts would hold the server's GIL for seconds."""
    import vl_convert

    from contienda.lab.reproduce import reproduced
    from contienda.lab.reproduction_page import reproduction_html

    def draw(chart: Any) -> str:
        svg: str = vl_convert.vegalite_to_svg(chart.to_dict())
        return svg

    use_language(language)
    with _found_in(folder, name, quick) as found:
        begun = [reproduced(e.experiment, e.results, e.times) for e in found if e.results is not None]
        return reproduction_html({name: begun}, draw).encode()


class LabDocuments:
    """The documents, for all browsers. Each browser plays its own games."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._drawn: dict[Path, tuple[int, list[str]]] = {}
        """By file: the number of games when its figures were last listed, and their names."""

    def _folder(self, client: str) -> Path:
        return self._lab.folder(client) / "documents"

    def start(self, client: str, name: str, quick: bool) -> None:
        """Play a document's experiments, or the games still missing, like `contienda lab reproduce`."""
        folder = self._folder(client)
        for plan in _plans(name, quick):
            path = _path(folder, plan)
            if path.exists() and not _fits(path, plan):  # results of another version of the plan
                remove_results(path)

        def work(**how: Any) -> None:
            from contienda.lab.reproduce import reproduce

            reproduce([name], folder, quick=quick, **how)

        self._lab.start(client, _key(name, quick), work)

    def stop(self, client: str, name: str, quick: bool) -> None:
        """Stop a document's experiments; finished games are kept."""
        self._lab.stop(client, _key(name, quick))

    def delete(self, client: str, name: str, quick: bool) -> None:
        """Stop a document's experiments and delete their results."""
        self.stop(client, name, quick)
        for plan in _plans(name, quick):
            remove_results(_path(self._folder(client), plan))

    @contextmanager
    def found(self, client: str, name: str, quick: bool) -> Iterator[list[OpenedExperiment]]:
        """Yield a document's experiments, with the results of those that this browser has begun; see `_found_in`."""
        with _found_in(self._folder(client), name, quick) as found:
            yield found

    def page(self, client: str, name: str, quick: bool, language: str, workshop: Workshop) -> bytes:
        """Return a document's tables and figures as one self-contained page, written in another process."""
        page: bytes = workshop.do(_write_page, self._folder(client), name, quick, language, stop=Stop())
        return page

    def _done(self, client: str, name: str, quick: bool) -> int:
        """Return how many games of a document this browser has played."""
        own = [results for plan in _plans(name, quick) if (results := _own(self._folder(client), plan)) is not None]
        done = sum(sum(results.counts().values()) for results in own)
        for results in own:
            results.close()
        return done

    def _unread(self, client: str, name: str, quick: bool) -> Text | None:
        """Return why a document's results cannot be shown: they are damaged, or another version's. None if they can."""
        for plan in _plans(name, quick):
            path = _path(self._folder(client), plan)
            try:
                if path.is_file():
                    Results(path, plan).close()
            except BadInput as error:
                reason = without_place(error, path).text
                return Text(
                    "cannot read {name}: {reason}; starting it plays it again",
                    name=plan.name,
                    reason=reason,
                )
        return None

    def summaries(self, client: str, quick: bool) -> list[DocumentSummary]:
        """Return all documents, and the progress of each."""
        return [self._summary(client, name, quick) for name in DOCUMENTS]

    def _summary(self, client: str, name: str, quick: bool) -> DocumentSummary:
        job = self._lab.job(client, _key(name, quick))
        running = job is not None and job.running  # before its games are counted: it may end in between
        total = sum((plan.games or 0) * len(plan.entrants) for plan in _plans(name, quick))
        done = self._done(client, name, quick)
        unread = None if running else self._unread(client, name, quick)
        status = "running" if running else "done" if done == total else _at_rest(done, job)
        if unread is not None:
            status = "failed"
        return DocumentSummary(
            name=name,
            title=DOCUMENTS[name].title.in_all_languages(),
            status=status,  # type: ignore[arg-type]
            done=done,
            total=total,
        )

    def view(self, client: str, name: str, quick: bool) -> DocumentView:
        """Return a document's tables: the published figures, and the results so far."""
        summary = self._summary(client, name, quick)  # raises NotFound if there is no such document
        job = self._lab.job(client, _key(name, quick))
        pace = job.pace if job is not None and summary.status == "running" else None
        with self.found(client, name, quick) as found:
            # Charts are slow to make: not while games are still being played.
            drawn = summary.status != "running"
            experiments = [_experiment_view(each, self._figures(name, each) if drawn else []) for each in found]
            origin = _origin([each for each in found if each.came])
        return DocumentView(
            **summary.model_dump(),
            quick=quick,
            notes=[note.in_all_languages() for note in DOCUMENTS[name].notes],
            experiments=experiments,
            origin=origin,
            # By the pace of the current experiment; those that follow are about as large.
            seconds_left=None if pace is None or not pace.rate else (summary.total - summary.done) / pace.rate,
            error=self._error(client, name, quick, job),
        )

    def _figures(self, name: str, opened: OpenedExperiment) -> list[FigureView]:
        """Return the figures that these games have data for, the document's own first."""
        if opened.results is None:
            return []
        games = sum(opened.results.counts().values())
        kept = self._drawn.get(opened.results.path)
        if kept is None or kept[0] != games:
            kept = self._drawn[opened.results.path] = games, list(opened.charts())
        document = DOCUMENTS[name]
        return [FigureView(name=one, numbers=document.figures.get(one)) for one in document.in_order(kept[1])]

    @contextmanager
    def opened(self, client: str, name: str, experiment: str, quick: bool) -> Iterator[OpenedExperiment]:
        """Yield one of a document's experiments, if it has results."""
        with self.found(client, name, quick) as found:
            for each in found:
                if each.experiment.plan.name == experiment and each.results is not None:
                    yield each
                    return
        raise NotFound("there is no such experiment")

    def _error(self, client: str, name: str, quick: bool, job: Job | None) -> Words | None:
        if job is not None and job.running:
            return None
        error = job.error.text if job is not None and job.error is not None else self._unread(client, name, quick)
        return None if error is None else error.in_all_languages()


def _origin(came: list[OpenedExperiment]) -> OriginView | None:
    """Return who played the results that came with the package, and how complete they are."""
    played = [results for each in came for results in (each.results, each.times) if results is not None]
    origin = origin_of(*played)
    if origin is None:
        return None
    done = sum(sum(results.counts().values()) for results in played)
    total = sum((plan.games or 0) * len(plan.entrants) for each in came for plan in each.experiment.plans)
    return OriginView(**origin._asdict(), done=done, total=total)


def _key(name: str, quick: bool) -> str:
    return f"document {name}{' quick' if quick else ''}"


def _plans(name: str, quick: bool) -> list[Plan]:
    return [plan for experiment in _experiments(name, quick) for plan in experiment.plans]


def _opened(experiment: DocumentExperiment, open_results: Callable[[Plan], Results | None]) -> OpenedExperiment:
    times = None if experiment.times is None else open_results(experiment.times)
    return OpenedExperiment(experiment, open_results(experiment.plan), times)


def _close(opened: list[OpenedExperiment]) -> None:
    for each in opened:
        for results in (each.results, each.times):
            if results is not None:
                results.close()


def _path(folder: Path, plan: Plan) -> Path:
    return folder / f"{plan.name}.sqlite"  # the name that `reproduce` uses


def _fits(path: Path, plan: Plan) -> bool:
    try:
        Results(path, plan).close()
    except BadInput:
        return False
    return True


def _at_rest(done: int, job: Job | None) -> str:
    if job is not None and job.error is not None:
        return "failed"
    return "stopped" if done else "new"


def _experiment_view(opened: OpenedExperiment, figures: list[FigureView]) -> ExperimentView:
    from contienda.lab.published_figures import changes_of, compare_with_published, verdict

    experiment = opened.experiment
    table = None if opened.results is None else table_of(opened.results)
    times = None if opened.times is None else table_of(opened.times)
    compared = [] if table is None else compare_with_published(experiment, table, times)
    by_player: dict[str, list[ComparedLine]] = {}
    for line in compared:
        by_player.setdefault(line.name.partition(" – ")[0], []).append(line)
    lines = []
    for published in experiment.published:
        own = by_player.get(published.player, [])
        lines += [_line(published, line) for line in own] or [_published_line(published)]
    return ExperimentView(
        name=experiment.plan.name,
        title=None if experiment.title is None else experiment.title.in_all_languages(),
        game=experiment.plan.game,
        lines=lines,
        verdict=verdict(compared).in_all_languages() if compared else None,
        pooled=_pooled_views(experiment, table),
        improvements=[
            ImprovementView(title=each.title.in_all_languages(), gains=[GainView(**gain._asdict()) for gain in gains])
            for each in experiment.improvements
            if (gains := changes_of(each, compared))
        ],
        figures=figures,
    )


def _pooled_views(experiment: DocumentExperiment, table: pl.DataFrame | None) -> list[PooledView]:
    from contienda.lab.published_figures import compare_pooled

    ours = {} if table is None else {id(pooled): own for pooled, own in compare_pooled(experiment, table)}
    views = []
    for pooled in experiment.pooled:
        by_label = {line.label: line for line in ours.get(id(pooled), [])}
        lines = [
            _line(sample, by_label[sample.label]) if sample.label in by_label else _published_line(sample)
            for sample in pooled.samples
        ]
        views.append(PooledView(title=pooled.title.in_all_languages(), lines=lines))
    return views


def _line(published: Published | Sample, line: ComparedLine) -> LineView:
    return LineView(
        label=line.label,
        player=line.name,
        published_games=published.games,
        games=line.games,
        cells=[_cell(comparison) for comparison in line.comparisons],
        faster=line.faster,
        impossible=line.impossible,
    )


def _cell(c: Comparison) -> Cell:
    timed = c.metric in TIMED or math.isnan(c.published.mean)
    return Cell(
        metric=c.metric,
        published=_known(c.published),
        deviation=c.published.sd,
        ours=None if c.ours is None else span(c.ours),
        inside=None if timed or c.ours is None else c.inside,
        p=None if timed else c.p,
    )


def _known(figure: PublishedValue) -> float | None:
    """Return a published mean, or None if there is none."""
    return None if math.isnan(figure.mean) else figure.mean


def _published_line(published: Published | Sample) -> LineView:
    from contienda.lab.published_figures import impossible_score

    cells = [
        Cell(metric=metric, published=_known(figure), deviation=figure.sd, ours=None, inside=None, p=None)
        for metric, figure in published.figures.items()
    ]
    return LineView(
        label=published.label,
        player=published.player if isinstance(published, Published) else "",
        published_games=published.games,
        games=0,
        cells=cells,
        faster=None,
        impossible=impossible_score(published.figures),
    )
