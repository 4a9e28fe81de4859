"""The lab's part of the API: each route is a library call and its answer."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from contienda.core.language import BadInput
from contienda.web.errors import NotFound
from contienda.web.lab.documents import LabDocuments
from contienda.web.lab.experiments import Lab
from contienda.web.lab.figures import LabFigures
from contienda.web.lab.shapes import (
    ComparisonView,
    DocumentSummary,
    DocumentView,
    Language,
    PlanRequest,
    PlanView,
    RunSummary,
    RunView,
    Theme,
)
from contienda.web.lab.views import LabViews
from contienda.web.shapes import FAILURES, Client
from contienda.web.work.decorators import in_turn
from contienda.web.work.queue import FairQueue

__all__ = ["make_lab_router"]

_MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "html": "text/html; charset=utf-8",
    "toml": "application/toml",
    "sqlite": "application/vnd.sqlite3",
}


def make_lab_router(
    lab: Lab, views: LabViews, figures: LabFigures, documents: LabDocuments, stops: FairQueue
) -> APIRouter:
    """The lab's routes, for these services."""
    router = APIRouter(prefix="/api/lab", responses=FAILURES)

    @router.post("/plan")
    @in_turn(lab.desk)
    def check_plan(client: Client, asked: PlanRequest) -> PlanView:
        """Read a plan; an error names its line."""
        return views.plan(lab.plan(client, asked.plan))

    @router.get("/heuristics/{name}")
    @in_turn(lab.desk)
    def get_plan_for(client: Client, name: str) -> PlanRequest:
        """The plan that compares a heuristic of this browser with the evaluators of its game; `POST` it to start."""
        return PlanRequest(plan=lab.plan_for(client, name))

    _add_runs(router, lab, views, stops)
    _add_exports(router, lab, views, figures)
    _add_documents(router, lab, documents, figures, stops)
    return router


def _add_runs(router: APIRouter, lab: Lab, views: LabViews, stops: FairQueue) -> None:
    def view(client: str, run_id: str) -> RunView:
        with lab.results(client, run_id) as results:
            return views.run(run_id, results, lab.job(client, run_id))

    @router.get("/runs")
    @in_turn(lab.desk)
    def list_runs(client: Client) -> list[RunSummary]:
        """This browser's experiments, the latest first; one that cannot be read says why."""
        found = []
        for run_id in lab.ids(client):
            try:
                with lab.results(client, run_id) as results:
                    found.append(views.summary(run_id, results, lab.job(client, run_id)))
            except NotFound:  # deleted meanwhile
                continue
            except BadInput as error:
                found.append(views.unreadable(run_id, lab.path(client, run_id), error))
        return sorted(found, key=lambda summary: summary.updated, reverse=True)

    @router.post("/runs", status_code=201)
    @in_turn(lab.desk)
    def create_run(client: Client, asked: PlanRequest) -> RunView:
        """Start an experiment. It goes on when the browser leaves."""
        run_id = lab.create(client, asked.plan)
        lab.resume(client, run_id)
        return view(client, run_id)

    @router.get("/runs/{run_id}")
    @in_turn(lab.desk)
    def get_run(client: Client, run_id: str) -> RunView:
        """An experiment as it stands: who has played how many games, means so far, time left."""
        return view(client, run_id)

    @router.post("/runs/{run_id}/start")
    @in_turn(lab.desk)
    def start_run(client: Client, run_id: str) -> RunView:
        "Play the games that are still missing."
        lab.resume(client, run_id)
        return view(client, run_id)

    @router.post("/runs/{run_id}/stop")
    @in_turn(stops)
    def stop_run(client: Client, run_id: str) -> RunView:
        """Stop; what is finished is kept."""
        lab.path(client, run_id)
        lab.stop(client, run_id)
        return view(client, run_id)

    @router.delete("/runs/{run_id}", status_code=204)
    @in_turn(stops)
    def delete_run(client: Client, run_id: str) -> Response:
        """Stop it and forget it."""
        lab.delete(client, run_id)
        return Response(status_code=204)


def _add_exports(router: APIRouter, lab: Lab, views: LabViews, figures: LabFigures) -> None:
    """Add the routes for results: comparisons, figures, files. Each request waits for its turn at the desk."""

    @router.get("/runs/{run_id}/comparison")
    async def compare(
        client: Client, run_id: str, base: Annotated[int | None, Query(ge=0, le=10**6)] = None
    ) -> ComparisonView:
        """All players with intervals, one of them (else the best) minus each of the others, and recommendations."""

        def work() -> ComparisonView:
            with lab.results(client, run_id) as results:
                return views.comparison(results, base)

        return await lab.run_in_turn(client, work)

    @router.get("/runs/{run_id}/figures/{name}", response_class=Response)
    async def draw_figure(
        client: Client, run_id: str, name: str, language: Language = "en", theme: Theme = "light"
    ) -> Response:
        """A figure, as SVG."""

        def work() -> str:
            with lab.results(client, run_id) as results:
                return figures.picture(results, name, language, theme)

        return Response(await lab.run_in_turn(client, work), media_type="image/svg+xml")

    @router.get("/runs/{run_id}/export/{kind}", response_class=Response)
    async def export_run(
        client: Client,
        run_id: str,
        kind: Literal["csv", "parquet", "html", "toml", "sqlite"],
        language: Language = "en",
    ) -> Response:
        """The games as CSV or Parquet, the report as HTML, the plan as TOML, or the file of `contienda lab`."""

        def work() -> tuple[bytes, str]:
            with lab.results(client, run_id) as results:
                return figures.file(results, kind, language), results.plan.name

        content, name = await lab.run_in_turn(client, work)
        return _attachment(content, name, kind)


def _add_documents(router: APIRouter, lab: Lab, documents: LabDocuments, figures: LabFigures, stops: FairQueue) -> None:
    @router.get("/documents")
    @in_turn(lab.desk)
    def list_documents(client: Client, quick: bool = True) -> list[DocumentSummary]:
        """The documents whose experiments can be played again, and how far each has come."""
        return documents.summaries(client, quick)

    @router.get("/documents/{name}")
    async def get_document(client: Client, name: str, quick: bool = True) -> DocumentView:
        """A document's tables: every published figure beside ours."""
        return await lab.run_in_turn(client, lambda: documents.view(client, name, quick))

    @router.post("/documents/{name}/start")
    @in_turn(lab.desk)
    def start_document(client: Client, name: str, quick: bool = True) -> DocumentView:
        """Play its experiments, or their missing games."""
        documents.start(client, name, quick)
        return documents.view(client, name, quick)

    @router.post("/documents/{name}/stop")
    @in_turn(stops)
    def stop_document(client: Client, name: str, quick: bool = True) -> DocumentView:
        """Stop; what is finished is kept."""
        documents.stop(client, name, quick)
        return documents.view(client, name, quick)

    @router.delete("/documents/{name}", status_code=204)
    @in_turn(stops)
    def delete_document(client: Client, name: str, quick: bool = True) -> Response:
        """Delete its results."""
        documents.delete(client, name, quick)
        return Response(status_code=204)

    @router.get("/documents/{name}/figures/{experiment}/{figure}", response_class=Response)
    async def get_document_figure(
        client: Client,
        name: str,
        experiment: str,
        figure: str,
        quick: bool = True,
        language: Language = "en",
        theme: Theme = "light",
    ) -> Response:
        """A figure of an experiment that was played, as SVG."""

        def draw() -> str:
            with documents.opened(client, name, experiment, quick) as opened:
                return figures.document_picture(opened, figure, language, theme)

        return Response(await lab.run_in_turn(client, draw), media_type="image/svg+xml")

    @router.get("/documents/{name}/report", response_class=Response)
    async def export_document(client: Client, name: str, quick: bool = True, language: Language = "en") -> Response:
        """The tables and figures as one HTML page."""
        content = await lab.run_in_turn(client, lambda: figures.document(documents, client, name, quick, language))
        return _attachment(content, name, "html")


def _attachment(content: bytes, name: str, kind: str) -> Response:
    """Return a download; its name is the plan's, with characters unfit for a file name replaced."""
    safe = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "experiment"
    headers = {"Content-Disposition": f'attachment; filename="{safe}.{kind}"'}
    return Response(content, media_type=_MEDIA[kind], headers=headers)
