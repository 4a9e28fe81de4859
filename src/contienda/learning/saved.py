"""Reads, from the file of a network, its training plan and progress. Everything is checked here.

`contienda.evaluation.g2048.network_head` reads the layout and the blocks of weights.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.rng import generator
from contienda.core.language import BadInput
from contienda.evaluation.g2048.network_file import is_packed, read_head
from contienda.evaluation.g2048.network_head import is_count, is_number
from contienda.evaluation.g2048.ntuple import Network
from contienda.learning.carousel import new_starts
from contienda.learning.curve import TILES, Point, new_game_counts
from contienda.learning.plan import TrainingPlan

__all__ = ["SavedSeat", "TrainingProgress", "saved_plan", "saved_progress"]

#: The most threads that a run can have had; a file with more is not ours.
_MOST_SEATS = 4096


class SavedSeat(NamedTuple):
    """The state of one thread."""

    rng: np.record
    tally: np.record
    starts: np.record


class TrainingProgress(NamedTuple):
    """The progress of a training run."""

    games: int
    moves: int
    seconds: float
    curve: list[Point]
    seats: list[SavedSeat]
    """Empty if the file is packed."""
    annealed_from: tuple[int, float] | None
    """The games and seconds at which annealing began; None if it was not asked for."""


def saved_plan(path: Path) -> TrainingPlan:
    """Return the plan by which the network in a file was trained."""
    network, head = read_head(path)
    plan = head.get("plan")
    kinds: dict[str, Callable[[Any], bool]] = {
        "method": lambda value: isinstance(value, str),
        "alpha": is_number,
        "trace": is_number,
        "optimism": is_number,
        "carousel": lambda value: isinstance(value, bool),
        "restart": lambda value: isinstance(value, bool),
        "anneal": lambda value: isinstance(value, bool),
        "seed": lambda value: isinstance(value, int) and not isinstance(value, bool),
        "point": lambda value: is_count(value) and value > 0,
    }
    if plan is None or not {"method", "alpha"} <= set(plan) <= set(kinds):
        raise BadInput("{path} was not written by a training run of this version", path=path)
    for key, value in plan.items():
        if not kinds[key](value):
            raise _wrong(path, f"plan, {key}")
    return TrainingPlan.from_data(network, plan)


def saved_progress(path: Path, network: Network, head: dict[str, Any]) -> TrainingProgress:
    """Return the progress of the network in a file, from the head that `read_head` returned."""
    packed = is_packed(head)
    progress = head.get("trained" if packed else "progress")
    if progress is None:
        raise _wrong(path, "progress")
    for key, fits in (("games", is_count), ("moves", is_count), ("seconds", _is_time), ("curve", _is_curve)):
        if not fits(progress.get(key)):
            raise _wrong(path, f"progress, {key}")
    seats = [] if packed else progress.get("seats")
    if not isinstance(seats, list) or len(seats) > _MOST_SEATS:
        raise _wrong(path, "progress, seats")
    try:
        read = [_seat(network, seat) for seat in seats]
    except (KeyError, TypeError, ValueError, OverflowError):
        raise _wrong(path, "progress, seats") from None
    curve = [Point(*row) for row in progress["curve"]]
    since = progress.get("annealed_from")
    if not (
        since is None or (isinstance(since, list) and len(since) == 2 and is_count(since[0]) and _is_time(since[1]))
    ):
        raise _wrong(path, "progress, annealed_from")
    annealed_from = None if since is None else (since[0], float(since[1]))
    return TrainingProgress(
        progress["games"], progress["moves"], float(progress["seconds"]), curve, read, annealed_from
    )


def _is_time(value: Any) -> bool:
    return is_number(value) and value >= 0


def _is_curve(curve: Any) -> bool:
    kinds = (is_count, is_count, is_number, is_count, _are_shares, _is_time, _is_rate)
    # Earlier versions saved no rate.
    return isinstance(curve, list) and all(
        isinstance(row, list)
        and len(row) in (len(kinds) - 1, len(kinds))
        and all(fits(value) for fits, value in zip(kinds, row, strict=False))
        for row in curve
    )


def _is_rate(value: Any) -> bool:
    return value is None or (is_number(value) and value > 0)


def _are_shares(value: Any) -> bool:
    return isinstance(value, list) and len(value) == len(TILES) and all(map(is_number, value))


def _seat(network: Network, saved: dict[str, Any]) -> SavedSeat:
    """Read one thread's state; raises `ValueError`, or what Python raises for wrong types, if it is not valid."""
    luck = saved["rng"]
    if isinstance(luck, bool) or not 0 <= luck < 1 << 64:
        raise ValueError
    stages = len(network.stages)
    seat = SavedSeat(generator(0), new_game_counts(), new_starts(stages))
    seat.rng.state = luck
    _fill(seat.tally, saved["tally"])
    _fill(seat.starts, saved["starts"])
    counted = [seat.tally[name] for name in seat.tally.dtype.names or ()]
    if min(np.min(count) for count in (*counted, seat.starts.reached)) < 0 or not 0 <= seat.starts.next < stages:
        raise ValueError
    # A game continues with a new tile: every board must have room for one.
    boards = seat.starts.cells.view(np.uint64)
    free = [(boards >> np.uint64(4 * cell)) & np.uint64(15) == 0 for cell in range(16)]
    if not np.any(free, axis=0).all():
        raise ValueError
    return seat


def _fill(record: np.record, fields: dict[str, Any]) -> None:
    if set(fields) != set(record.dtype.names or ()):
        raise ValueError
    for name, value in fields.items():
        values = np.asarray(value)
        if values.dtype != np.int64 or values.shape != np.shape(record[name]):
            raise ValueError
        record[name] = values


def _wrong(path: Path, where: str) -> BadInput:
    return BadInput("{path} is damaged ({where}): use an earlier copy", path=path, where=where)
