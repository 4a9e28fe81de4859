"""``contienda train``: a network learns 2048 by playing, for minutes or for days."""

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

from contienda.cli.places import file_to_read, file_to_write
from contienda.cli.play import cores
from contienda.evaluation.network_file import is_packed, read_head
from contienda.evaluation.ntuple import parse_network
from contienda.evaluation.stages import parse_stages
from contienda.language import BadInput, say
from contienda.learning.curve import TILES, point_of
from contienda.learning.plan import Plan
from contienda.learning.saved import saved_plan
from contienda.learning.step import METHODS
from contienda.learning.training import Training

__all__ = ["TrainOrder", "run_train"]

#: A century: more is a slip of the finger.
_MOST_HOURS = 876_000
#: Seconds between two lines of a run that nobody watches.
_LINE_EVERY = 60.0


@dataclass
class TrainOrder:
    """What the user asked for; None where nothing was said."""

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

    def plan(self) -> Plan:
        """A new run."""
        method = self.method or "tc"
        network = parse_network(self.network or "4x6")
        return self.changes(Plan(network, method, METHODS[method].alpha if method in METHODS else 1.0))

    def changes(self, plan: Plan) -> Plan:
        """The plan with all that was said."""
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
    """Train and save, showing what, how far, how long still."""
    _check(order)
    threads = order.threads or cores()
    plan = order.plan() if order.resume is None else order.changes(saved_plan(order.resume))
    console.print(
        say(
            f"network {plan.network}: {plan.network.size:,} weights, {plan.megabytes:,} MB of memory; "
            f"{plan.method}, alpha {plan.alpha:g}, lambda {plan.trace:g}; {threads} thread{'s' if threads > 1 else ''}",
            f"red {plan.network}: {plan.network.size:,} pesos, {plan.megabytes:,} MB de memoria; "
            f"{plan.method}, alpha {plan.alpha:g}, lambda {plan.trace:g}; {threads} hilo{'s' if threads > 1 else ''}",
        ),
        highlight=False,
        soft_wrap=True,
    )
    if order.resume is not None and is_packed(read_head(order.resume)[1]):
        console.print(
            say(
                f"{order.resume} is packed: training goes on from its rounded weights, and the method's rates and sums "
                "begin anew",
                f"{order.resume} está empaquetada: el entrenamiento sigue desde sus pesos redondeados, y las tasas y "
                "sumas del método empiezan de nuevo",
            ),
            highlight=False,
            soft_wrap=True,
        )
    training = Training(plan, threads) if order.resume is None else Training.resume(order.resume, plan, threads)
    seconds = None if order.hours is None else order.hours * 3600
    with _display(console, f"{plan.network} {plan.method}", order.games if seconds is None else seconds) as show:

        def watch(training: Training) -> None:
            show(training.games if seconds is None else training.seconds, _state(training))

        try:
            training.run(order.out, games=order.games, seconds=seconds, watch=watch)
        finally:
            console.print(f"{_state(training)} -> {order.out}", highlight=False, soft_wrap=True, markup=False)


@contextmanager
def _display(console: Console, what: str, total: float | None) -> Iterator[Callable[[float, str], None]]:
    """How far and how long still, and a line below that says how it goes; where nobody watches, a line a minute."""
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
    """How it goes: games, their mean score of late, the largest tiles, speed."""
    now = point_of(
        [seat.tally for seat in training.seats], training.games, training.moves, training.seconds, empty=False
    )
    point = training.curve[-1] if training.curve else now
    tiles = " ".join(f"{tile}:{rate:.0%}" for tile, rate in zip(TILES, point.tiles, strict=True) if rate > 0)
    speed = training.moves / max(training.seconds, 1e-9) / 1e6
    return say(
        f"{training.games:,} games, mean {point.mean:,.0f}, best {point.best:,}, {tiles}, "
        f"alpha {training.alpha:g}, {speed:.2f} M moves/s",
        f"{training.games:,} partidas, media {point.mean:,.0f}, máximo {point.best:,}, {tiles}, "
        f"alpha {training.alpha:g}, {speed:.2f} M jugadas/s",
    )


def _check(order: TrainOrder) -> None:
    if order.game != "2048":
        raise BadInput(f"only 2048 is trained, not {order.game}", f"solo se entrena 2048, no {order.game}")
    if order.games is None and order.hours is None:
        raise BadInput("how long? --games N or --hours H, in all", "¿cuánto tiempo? --games N o --hours H, en total")
    if order.hours is not None and not 0 < order.hours <= _MOST_HOURS:
        raise BadInput(
            f"--hours {order.hours:g} must be more than 0 and at most {_MOST_HOURS}",
            f"--hours {order.hours:g} debe ser mayor que 0 y como mucho {_MOST_HOURS}",
        )
    if order.resume is not None:
        file_to_read(order.resume)
    file_to_write(order.out)
    file_to_write(order.out.with_name(order.out.name + ".csv"))
