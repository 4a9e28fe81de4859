"""``contienda train``: a network learns 2048 or Connect 4 by playing, for minutes or for days."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from contienda.cli.files import file_to_read, file_to_write
from contienda.cli.play import cores
from contienda.core.game import Game
from contienda.core.language import BadInput, plural, say
from contienda.evaluation.cell_network import network_size, parse_cell_network
from contienda.evaluation.g2048.network_file import is_packed, read_head
from contienda.evaluation.g2048.ntuple import parse_network
from contienda.evaluation.g2048.stages import parse_stages
from contienda.games import games_with, make_game
from contienda.learning.curve import TILES, point_of
from contienda.learning.duel import DuelPlan, DuelTraining
from contienda.learning.plan import TrainingPlan
from contienda.learning.recorded import Recorded, RecordedGame
from contienda.learning.saved import saved_plan
from contienda.learning.step import METHODS
from contienda.learning.training import Training
from contienda.record import load_games

__all__ = ["TrainOrder", "run_train"]

#: A century: more is a typing error.
_MOST_HOURS = 876_000
#: Seconds between two lines of progress if the output is not a terminal.
_LINE_EVERY = 60.0


@dataclass
class TrainOrder:
    """The user's options; None for those not given."""

    game: str
    out: Path
    resume: Path | None
    games: int | None
    hours: float | None
    threads: int | None
    network: str | None
    method: str | None
    alpha: float | None
    trace: float | None
    optimism: float | None
    stages: str | None
    carousel: bool | None
    restart: bool | None
    anneal: bool | None
    seed: int | None
    source: Path | None = None
    """Saved games to learn from, instead of the network's own."""

    def plan(self) -> TrainingPlan:
        """Return the plan of a new run."""
        method = self.method or "tc"
        network = parse_network(self.network or "4x6")
        return self.changes(TrainingPlan(network, method, METHODS[method].alpha if method in METHODS else 1.0))

    def changes(self, plan: TrainingPlan) -> TrainingPlan:
        """Return a plan with the given options applied."""
        network = parse_network(self.network) if self.network else plan.network
        stages = parse_stages(self.stages) if self.stages else plan.network.stages
        said = {
            "method": self.method,
            "alpha": self.alpha,
            "trace": self.trace,
            "optimism": self.optimism,
            "carousel": self.carousel,
            "restart": self.restart,
            "anneal": self.anneal,
            "seed": self.seed,
        }
        given = {name: value for name, value in said.items() if value is not None}
        return replace(plan, network=replace(network, stages=stages), **given)  # type: ignore[arg-type]


def run_train(order: TrainOrder, console: Console) -> None:
    """Train and save a network, showing the progress and the time left."""
    _check(order)
    game = make_game(order.game)
    if game.cells is not None:
        _run_duel(order, game, console)
        return
    threads = order.threads or cores()
    plan = order.plan() if order.resume is None else order.changes(saved_plan(order.resume))
    console.print(
        say(
            "network {network}: {size:,} weights, {megabytes:,} MB of memory; {method}, alpha {alpha:g}, "
            "lambda {trace:g}; {threads}",
            network=plan.network,
            size=plan.network.size,
            megabytes=plan.megabytes,
            method=plan.method,
            alpha=plan.alpha,
            trace=plan.trace,
            threads=plural("{n} thread", "{n} threads", threads),
        ),
        highlight=False,
        soft_wrap=True,
    )
    if order.resume is not None and is_packed(read_head(order.resume)[1]):
        console.print(
            say(
                "{resume} is packed: training resumes from its rounded weights, with the method's rates and sums reset",
                resume=order.resume,
            ),
            highlight=False,
            soft_wrap=True,
        )
    recorded = None if order.source is None else _recorded(order.source, game, console)
    training = (
        Training(plan, threads, recorded)
        if order.resume is None
        else Training.resume(order.resume, plan, threads, recorded)
    )
    seconds = None if order.hours is None else order.hours * 3600
    with _display(console, f"{plan.network} {plan.method}", order.games if seconds is None else seconds) as show:

        def watch(training: Training) -> None:
            show(training.games if seconds is None else training.seconds, _state(training))

        try:
            training.run(order.out, games=order.games, seconds=seconds, watch=watch)
        finally:
            console.print(f"{_state(training)} -> {order.out}", highlight=False, soft_wrap=True, markup=False)


def _recorded(folder: Path, game: Game, console: Console) -> Recorded:
    games = load_games(folder)
    for played in games:
        if played.game.spec != game.spec:
            raise BadInput(
                "{folder} has games of {game}: this network learns only from games of {learned}",
                folder=folder,
                game=played.game.spec,
                learned=game.spec,
            )
    recorded = Recorded.of(RecordedGame(played.start, played.actions, played.ended == "over") for played in games)
    told = plural(
        "it learns from {n} saved game, {moves:,} moves", "it learns from {n:,} saved games, {moves:,} moves",
        recorded.games, moves=len(recorded.cells),
    )  # fmt: skip
    console.print(told, highlight=False)
    return recorded


def _run_duel(order: TrainOrder, game: Game, console: Console) -> None:
    """Train a network for a two-player game by self-play."""
    for_one = {
        "--optimism": order.optimism,
        "--stages": order.stages,
        "--carousel": order.carousel,
        "--restart": order.restart,
        "--anneal": order.anneal,
        "--from": order.source,
    }
    for option, said in for_one.items():
        if said is not None:
            raise BadInput("{option} is for one-player games; {game} has two", option=option, game=game.spec)
    threads = order.threads or cores()
    if order.resume is None:
        asked = {"method": order.method, "alpha": order.alpha, "trace": order.trace, "seed": order.seed}
        network = parse_cell_network(order.network or "70x7", game, order.seed or 0)
        plan = DuelPlan(network, **{name: value for name, value in asked.items() if value is not None})  # type: ignore[arg-type]
        training = DuelTraining(game, plan, threads)
    else:
        training = DuelTraining.resume(order.resume, game, threads)
        plan = training.plan
    console.print(
        say(
            "network {network} for {game}: {size:,} weights; {method}, alpha {alpha:g}, lambda {trace:g}; {threads}",
            network=plan.network,
            game=game.spec,
            size=network_size(plan.network, game),
            method=plan.method,
            alpha=plan.alpha,
            trace=plan.trace,
            threads=plural("{n} thread", "{n} threads", threads),
        ),
        highlight=False,
        soft_wrap=True,
    )
    seconds = None if order.hours is None else order.hours * 3600
    with _display(console, f"{plan.network} {plan.method}", order.games if seconds is None else seconds) as show:

        def watch(training: DuelTraining) -> None:
            show(training.games if seconds is None else training.seconds, _duel_state(training))

        try:
            training.run(order.out, games=order.games, seconds=seconds, watch=watch)
        finally:
            console.print(f"{_duel_state(training)} -> {order.out}", highlight=False, soft_wrap=True, markup=False)


def _duel_state(training: DuelTraining) -> str:
    """Return the progress as a line: games, results against a careful opponent, speed."""
    point = training.curve[-1] if training.curve else None
    speed = training.games / max(training.seconds, 1e-9)
    if point is None:
        return say("{games:,} games, {speed:,.0f} games/s", games=training.games, speed=speed)
    return say(
        "{games:,} games; {score:.0%} of the points against a two-ply search (won {won:.0%}, drawn "
        "{drawn:.0%}); {speed:,.0f} games/s",
        games=training.games,
        score=point.score,
        won=point.won,
        drawn=point.drawn,
        speed=speed,
    )


@contextmanager
def _display(console: Console, what: str, total: float | None) -> Iterator[Callable[[float, str], None]]:
    """Yield a function that shows the progress: a bar and a line of text; without a terminal, a line a minute."""
    last = time.monotonic()

    def line_by_line(done: float, state: str) -> None:
        nonlocal last
        if time.monotonic() - last > _LINE_EVERY:
            last = time.monotonic()
            console.print(state, highlight=False, soft_wrap=True, markup=False)

    if not console.is_terminal:
        yield line_by_line
        return
    progress = Progress(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    task = progress.add_task(escape(what), total=total)
    below = Text()

    def live(done: float, state: str) -> None:
        progress.update(task, completed=done)
        below.plain = state

    with Live(Group(progress, below), console=console, transient=True):
        yield live


def _state(training: Training) -> str:
    """Return the progress as a line: games, their recent mean score, the largest tiles, speed."""
    now = point_of(
        [seat.tally for seat in training.seats], training.games, training.moves, training.seconds, empty=False
    )
    point = training.curve[-1] if training.curve else now
    tiles = " ".join(f"{tile}:{rate:.0%}" for tile, rate in zip(TILES, point.tiles, strict=True) if rate > 0)
    speed = training.moves / max(training.seconds, 1e-9) / 1e6
    return say(
        "{games:,} games, mean {mean:,.0f}, best {best:,}, {tiles}, alpha {alpha:g}, {speed:,.2f} M moves/s",
        games=training.games,
        mean=point.mean,
        best=point.best,
        tiles=tiles or say("no {tile}", tile=min(TILES)),
        alpha=training.alpha,
        speed=speed,
    )


def _check(order: TrainOrder) -> None:
    if "network" not in make_game(order.game).features:
        known = ", ".join(games_with("network"))
        raise BadInput("{game} cannot be learned: these can: {known}", game=order.game, known=known)
    if order.games is None and order.hours is None:
        raise BadInput("set the length of the training with --games N or --hours H")
    if order.hours is not None and not 0 < order.hours <= _MOST_HOURS:
        raise BadInput(
            "--hours {hours:g} must be more than 0 and at most {most_hours}", hours=order.hours, most_hours=_MOST_HOURS
        )
    if order.resume is not None:
        file_to_read(order.resume)
    file_to_write(order.out)
    file_to_write(order.out.with_name(order.out.name + ".csv"))
