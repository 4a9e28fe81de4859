"""Tries an evaluator on a thousand positions, compiled and interpreted, and reports differences, failures and lines
never reached.

The interpreter checks every index, so code that reads beyond an array fails there.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from contienda.compiled.in_python import NotInPython, at_hand
from contienda.compiled.rng import below, generator
from contienda.core.evaluator import CompiledEvaluator
from contienda.core.extensions import users_own
from contienda.core.game import Game, State
from contienda.core.language import Text
from contienda.evaluation.compiled import compile_evaluator
from contienda.evaluation.custom import blame_heuristic, larger_than_a_win
from contienda.evaluation.failing import failure_on, position_text

__all__ = ["EvaluatorReport", "check_evaluator", "positions_of"]

#: A call is slow if it takes this many times the median, and at least this many nanoseconds.
_SLOW_TIMES, _SLOW_NS = 20, 50_000


class EvaluatorReport(NamedTuple):
    """The findings."""

    positions: int
    faults: list[Text]
    """Faults."""
    remarks: list[Text]
    """Remarks: things that may be intended."""


def positions_of(game: Game, count: int, seed: int = 0) -> list[State]:
    """Return different states of random games, none of them ended."""
    found: dict[State, None] = {}
    for number in range(4 * count):  # a small game may have fewer positions
        luck = generator(seed, number)
        state = game.start(luck)
        while actions := game.legal_actions(state):
            found[state] = None
            if len(found) == count:
                return list(found)
            state = game.apply(state, actions[below(luck, len(actions))])
    return list(found)


def check_evaluator(
    name: str, game: Game, weights: Mapping[str, str | float], count: int = 1000, seed: int = 0
) -> EvaluatorReport:
    """Try an evaluator on random positions and their mirror images; `BadInput` if it fails on one."""
    made = compile_evaluator(name, game, weights)
    states = positions_of(game, count, seed)
    values, times = _timed(made, states)
    faults, remarks = [], []
    if game.compiled:
        try:
            again, unreached = _interpreted(made, game, states)
            faults += _differing(game, states, values, again)
            remarks += unreached
        except NotInPython:
            remarks.append(
                Text(
                    "It calls functions of NumPy that may differ in the last digit: it was not compared with "
                    "the interpreter"
                )
            )
    faults += [
        Text("It returns {value} on {position}", value=value, position=position_text(game, state))
        for state, value in zip(states, values, strict=True)
        if not math.isfinite(value)
    ][:1]
    large = larger_than_a_win(name, game, states, values)
    faults += [large] if large else []
    (faults if made.symmetric else remarks).extend(_lopsided(made, game, states, values))
    remarks += _slow(game, states, times)
    return EvaluatorReport(len(states), faults, remarks)


def _timed(made: CompiledEvaluator, states: list[State]) -> tuple[list[float], list[int]]:
    """Return the value of each state, and its time in nanoseconds: the shorter of two."""
    values: list[float] = []
    times: list[int] = []
    try:
        for _ in range(2):
            values, before = [], times
            times = []
            for state in states:
                began = time.perf_counter_ns()
                values.append(float(made.evaluate(state, made.weights)))
                times.append(time.perf_counter_ns() - began)
            times = list(map(min, times, before)) if before else times
    except Exception as error:
        raise (blame_heuristic(error) or error) from None
    return values, times


def _interpreted(made: CompiledEvaluator, game: Game, states: list[State]) -> tuple[list[float], list[Text]]:
    """Return the interpreter's value of each state, and the user's lines that no state reached."""
    evaluate: Callable[..., Any] = at_hand(made.evaluate)
    values = []
    with _lines_reached() as reached:
        for state in states:
            try:
                values.append(float(evaluate(state, made.weights)))
            except Exception as error:
                raise failure_on(made.name, error, position_text(game, state)) from None
    unreached = []
    for code, lines in reached.items():
        for line in sorted(_lines_of(code) - lines):
            where = f"{Path(code.co_filename).name}:{line}"
            source = _source_line(code.co_filename, line)
            unreached.append(Text("{where} is never reached: `{source}`", where=where, source=source))
    return values, unreached


@contextmanager
def _lines_reached() -> Iterator[dict[CodeType, set[int]]]:
    """Collect the lines of users' functions that run in this thread meanwhile."""
    reached: dict[CodeType, set[int]] = {}
    others: set[CodeType] = set()

    def watch(frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code in others:
            return None
        if code not in reached:
            if not users_own(Path(code.co_filename)) or not Path(code.co_filename).is_file():
                others.add(code)
                return None
            reached[code] = set()
        lines = reached[code]

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            lines.add(frame.f_lineno)
            return line

        return line

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        yield reached
    finally:
        sys.settrace(before)


def _lines_of(code: CodeType) -> set[int]:
    """Return the lines of a function's body that contain statements."""
    return {line for _, _, line in code.co_lines() if line is not None and line > code.co_firstlineno}


def _source_line(file: str, line: int) -> str:
    lines = Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
    return lines[line - 1].strip() if line <= len(lines) else ""


def _differing(game: Game, states: list[State], values: list[float], again: list[float]) -> list[Text]:
    """Return a fault if the interpreter's values differ from those of the compiled function."""
    apart = [
        (state, one, two)
        for state, one, two in zip(states, values, again, strict=True)
        if one != two and not (math.isnan(one) and math.isnan(two))
    ]
    if not apart:
        return []
    state, one, two = apart[0]
    told = Text(
        "on {position} the compiled and the interpreted value differ: {compiled} and "
        "{interpreted}. Does an integer overflow?",
        position=position_text(game, state),
        compiled=one,
        interpreted=two,
    )
    return [Text("{count} of {all}: {told}", count=len(apart), all=len(states), told=told)]


def _lopsided(made: CompiledEvaluator, game: Game, states: list[State], values: list[float]) -> list[Text]:
    """Return a remark if mirror images have different values."""
    apart = []
    asked = 0
    for state, value in zip(states, values, strict=True):
        for image in game.mirrors(state):
            asked += 1
            other = float(made.evaluate(image, made.weights))
            if not math.isclose(other, value, rel_tol=1e-12, abs_tol=1e-12):
                apart.append((state, value, image, other))
    if not apart:
        return []
    state, value, image, other = apart[0]
    return [
        Text(
            "{count} of {all} mirror images have another value: {position} {value:,.6g}, {image} {other:,.6g}",
            count=len(apart),
            all=asked,
            position=position_text(game, state),
            value=value,
            image=position_text(game, image),
            other=other,
        )
    ]


def _slow(game: Game, states: list[State], times: list[int]) -> list[Text]:
    """Return a remark if some positions take far longer than most."""
    usual = statistics.median(times)
    slowest, state = max(zip(times, states, strict=True), key=lambda pair: pair[0])
    if slowest < max(_SLOW_TIMES * usual, _SLOW_NS):
        return []
    return [
        Text(
            "slow on {position}: {slowest:,.3g} µs, and {usual:,.3g} µs on most",
            position=position_text(game, state),
            slowest=slowest / 1000,
            usual=usual / 1000,
        )
    ]
