"""The API's part for training."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from contienda.web.shapes import FAILURES, Client
from contienda.web.training.shapes import TrainingList, TrainingRequest, TrainingView
from contienda.web.training.trainings import Trainings
from contienda.web.work.decorators import in_turn
from contienda.web.work.queue import FairQueue

__all__ = ["make_training_router"]

Since = Annotated[int, Query(ge=0, le=10**7)]
GamesAsked = Annotated[int, Query(ge=100, le=10_000_000)]


def make_training_router(trainings: Trainings, desk: FairQueue, stops: FairQueue) -> APIRouter:
    """Return the routes for training."""
    router = APIRouter(prefix="/api/training", responses=FAILURES)

    @router.get("")
    @in_turn(desk)
    def list_networks(client: Client) -> TrainingList:
        """The networks of this browser, and those that it may train."""
        return trainings.all(client)

    @router.get("/{name}")
    @in_turn(desk)
    def get_training(client: Client, name: str, since: Since = 0) -> TrainingView:
        """The progress of one; its curve from a point on."""
        return trainings.view(client, name, since)

    @router.put("/{name}", status_code=201)
    @in_turn(desk)
    def start_training(client: Client, name: str, asked: TrainingRequest) -> TrainingView:
        """Start training a new one."""
        return trainings.start(client, name, asked)

    @router.post("/{name}/resume")
    @in_turn(desk)
    def resume_training(client: Client, name: str, games: GamesAsked = 20_000) -> TrainingView:
        """Continue one that was stopped, or that a killed server left unfinished."""
        return trainings.resume(client, name, games)

    @router.post("/{name}/stop")
    @in_turn(stops)
    def stop_training(client: Client, name: str) -> TrainingView:
        """Stop, and keep what it has learnt."""
        return trainings.stop(client, name)

    @router.delete("/{name}", status_code=204)
    @in_turn(desk)
    def delete_network(client: Client, name: str) -> Response:
        """Forget one."""
        trainings.delete(client, name)
        return Response(status_code=204)

    return router
