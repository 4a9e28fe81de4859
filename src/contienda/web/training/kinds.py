"""How networks learn each kind of game: scored games for one, and games for two. The game's contract says which."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from contienda.compiled.rng import generator
from contienda.core.game import Game, State
from contienda.core.language import BadInput
from contienda.evaluation.cell_network import (
    CELL_NETWORKS,
    build_cell_value,
    cells_game,
    is_cell_network,
    parse_cell_network,
    read_cells,
)
from contienda.evaluation.g2048.afterstates import build_evaluate
from contienda.evaluation.g2048.network_file import read_head
from contienda.evaluation.g2048.ntuple import NETWORKS, parse_network
from contienda.games import games_with, make_game
from contienda.learning.curve import TILES, Point
from contienda.learning.duel import DuelPlan, DuelPoint, DuelTraining, duel_megabytes
from contienda.learning.plan import TrainingPlan
from contienda.learning.saved import saved_plan, saved_progress
from contienda.learning.step import METHODS
from contienda.learning.training import Training
from contienda.web.games.views import position_view
from contienda.web.shapes import Position
from contienda.web.training.shapes import CurvePoint

__all__ = ["Kind", "Learner", "NetworkSummary", "kind_of_file", "kind_of_game", "learnable"]

#: The approximate number of points of a learning curve.
_POINTS = 200
#: Moves of the sample game after each slice.
_SHOWN = 6


class Learner(Protocol):
    """A training of any kind."""

    plan: Any
    games: int
    moves: int
    seconds: float

    def compile(self) -> None: ...
    def play_on(self, games: int | None, seconds: float) -> None: ...
    def save(self, path: Path) -> None: ...


class NetworkSummary(NamedTuple):
    """What the file of a network contains."""

    network: str
    method: str
    games: int
    moves: int
    seconds: float
    curve: list[CurvePoint]


class Kind(ABC):
    """How networks learn a game."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    @abstractmethod
    def networks(self) -> tuple[str, ...]:
        """The networks that can be trained, small ones first."""

    @abstractmethod
    def plan(self, network: str, method: str, games: int) -> Any: ...

    @abstractmethod
    def megabytes(self, plan: Any) -> int: ...

    @abstractmethod
    def begin(self, plan: Any) -> Learner: ...

    @abstractmethod
    def resume(self, path: Path) -> Learner: ...

    @abstractmethod
    def saved_plan(self, path: Path) -> Any: ...

    @abstractmethod
    def summary_of(self, path: Path) -> NetworkSummary: ...

    @abstractmethod
    def curve(self, training: Any, since: int) -> list[CurvePoint]: ...

    @abstractmethod
    def worth(self, training: Any, after: State) -> float:
        """Return the value of a board right after a move, for the player who made it."""

    def sample(self, training: Any) -> SampleGame:
        """Return a game that the network plays, for users to watch."""
        return SampleGame(self, training)


class SampleGame:
    """A game that the network plays as well as it can so far, a few moves at a time."""

    def __init__(self, kind: Kind, training: Any) -> None:
        self._kind, self._training, self._game = kind, training, kind.game
        self._luck = generator(training.plan.seed, stream=0)
        self._state: State = self._game.start(self._luck)
        self.position: Position | None = None

    def go_on(self) -> None:
        """Play a few moves; if the game is over, start another."""
        game, rules = self._game, self._game.rules
        if rules.over(self._state) or not game.legal_actions(self._state):
            self._state = game.start(self._luck)
        for _ in range(_SHOWN if game.sides == 1 else 1):
            moves = [] if rules.over(self._state) else game.legal_actions(self._state)
            if not moves:
                break
            afters = [game.apply(self._state, action) for action in moves]
            self._state = max(afters, key=lambda after: self._kind.worth(self._training, after))
            if game.sides == 1:
                self._state = game.apply(self._state, rules.draw(self._state, self._luck))
        self.position = position_view(game, self._state)


class _Points(Kind):
    """A game for one with a score and chance (`contienda.learning.training`)."""

    @property
    def networks(self) -> tuple[str, ...]:
        return tuple(reversed(NETWORKS))

    def plan(self, network: str, method: str, games: int) -> TrainingPlan:
        return TrainingPlan(parse_network(network), method, METHODS[method].alpha, point=max(20, games // _POINTS))

    def megabytes(self, plan: TrainingPlan) -> int:
        return plan.megabytes

    def begin(self, plan: TrainingPlan) -> Training:
        return Training(plan, 1)

    def resume(self, path: Path) -> Training:
        return Training.resume(path, saved_plan(path), 1)

    def saved_plan(self, path: Path) -> TrainingPlan:
        return saved_plan(path)

    def summary_of(self, path: Path) -> NetworkSummary:
        network, head = read_head(path)
        progress = saved_progress(path, network, head)
        curve = [_of_points(point) for point in progress.curve]
        method = saved_plan(path).method
        return NetworkSummary(str(network), method, progress.games, progress.moves, progress.seconds, curve)

    def curve(self, training: Training, since: int) -> list[CurvePoint]:
        return [_of_points(point) for point in training.curve[since:]]

    def worth(self, training: Training, after: State) -> float:
        return float(build_evaluate(training.plan.network)(after, training.weights))


class _Duel(Kind):
    """A game for two (`contienda.learning.duel`)."""

    @property
    def networks(self) -> tuple[str, ...]:
        return CELL_NETWORKS

    def plan(self, network: str, method: str, games: int) -> DuelPlan:
        layout = parse_cell_network(network, self.game, 0)
        return DuelPlan(layout, method, METHODS[method].alpha, point=max(100, games // _POINTS))

    def megabytes(self, plan: DuelPlan) -> int:
        return duel_megabytes(plan, self.game)

    def begin(self, plan: DuelPlan) -> DuelTraining:
        return DuelTraining(self.game, plan)

    def resume(self, path: Path) -> DuelTraining:
        return DuelTraining.resume(path, self.game)

    def saved_plan(self, path: Path) -> DuelPlan:
        return DuelTraining.saved_plan(path, self.game)

    def summary_of(self, path: Path) -> NetworkSummary:
        network, head, _ = read_cells(path, self.game, blocks=False)
        plan = self.saved_plan(path)
        curve = [_of_duel(DuelPoint(*point)) for point in head["curve"]]
        return NetworkSummary(str(network), plan.method, head["games"], head["moves"], head["seconds"], curve)

    def curve(self, training: DuelTraining, since: int) -> list[CurvePoint]:
        return [_of_duel(point) for point in training.curve[since:]]

    def worth(self, training: DuelTraining, after: State) -> float:
        rules = self.game.rules
        seen = rules.seen_by_mover(after)
        if rules.over(after):
            return -float(rules.utility(seen))
        return -float(build_cell_value(training.plan.network, self.game)(seen, training.weights))


def _of_points(point: Point) -> CurvePoint:
    rates = {str(tile): rate for tile, rate in zip(TILES, point.tiles, strict=True)}
    return CurvePoint(games=point.games, mean=point.mean, best=point.best, rates=rates)


def _of_duel(point: DuelPoint) -> CurvePoint:
    rates = {"won": point.won, "drawn": point.drawn}
    return CurvePoint(games=point.games, mean=100 * point.score, best=round(100 * point.score), rates=rates)


def learnable(game: Game) -> bool:
    """Whether networks can learn a game."""
    return "network" in game.features


def kind_of_game(spec: str) -> Kind:
    """Return how networks learn a game; BadInput if they cannot."""
    game = make_game(spec)
    if not learnable(game):
        known = ", ".join(games_with("network"))
        raise BadInput("{game} cannot be learned: these can: {known}", game=spec, known=known)
    return _Points(game) if game.cells is None else _Duel(game)


def kind_of_file(path: Path) -> Kind:
    """Return how the network in a file learns. The file names its game only if the game has cells."""
    if is_cell_network(path):
        return kind_of_game(cells_game(path))
    return kind_of_game(next(name for name in games_with("network") if make_game(name).cells is None))
