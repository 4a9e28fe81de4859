"""Checks of what a game declares beyond its rules: features, evaluators, targets, cells, shortcuts and the like."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NoReturn

import numpy as np

from contienda.core.game import (
    CHANCE,
    MAX,
    MAX_ACTIONS,
    Cells,
    Game,
    Level,
    Parameter,
    Rules,
    SearchShortcuts,
    State,
    feature_fault,
)
from contienda.core.language import BadInput, Text
from contienda.games.checks import ConformanceError, fail

__all__ = ["IN_EVERY_STATE", "ONCE", "check_listed"]


def _wrong(what: str, fault: Text) -> NoReturn:
    raise ConformanceError(what, Text("{what}: {fault}", what=what, fault=fault))


# --- Once, at the start of a game -------------------------------------------------------------------------------------


def _check_features(game: Game, state: State) -> None:
    fault = feature_fault(game, state)
    if fault is not None:
        _wrong("features", fault)


def _check_numbers_declared(game: Game, state: State) -> None:
    if game.action_count not in range(1, MAX_ACTIONS + 1):
        fault = Text("action_count is {count!r}, not from 1 to {most}", count=game.action_count, most=MAX_ACTIONS)
        _wrong("parameters", fault)


def _check_own_evaluators(game: Game, state: State) -> None:
    names = [evaluator.name for evaluator in game.evaluators]
    if len(set(names)) < len(names):
        _wrong("evaluators", Text("two evaluators have the same name: {names}", names=", ".join(names)))
    if game.points_evaluator and game.points_evaluator not in names:
        fault = Text("points_evaluator is {name!r}, which the game does not have", name=game.points_evaluator)
        _wrong("evaluators", fault)


def _check_opponents(game: Game, state: State) -> None:
    for opponent in game.opponents:
        if not isinstance(game.adversarial(opponent), Rules):
            _wrong("opponents", Text("adversarial({opponent!r}) does not return Rules", opponent=opponent))


def _check_targets(game: Game, state: State) -> None:
    targets = game.targets if game.default_target is None else (*game.targets, game.default_target)
    for target in targets:
        if target not in game.targets:
            _wrong("targets", Text("default_target {target} is not one of the targets", target=target))
        try:
            aimed = game.until(target)
        except BadInput as error:
            _wrong("targets", Text("until refuses the target {target}: {error}", target=target, error=error))
        if not isinstance(aimed, Game) or aimed.target != target:
            _wrong("targets", Text("until({target}) returns no game with that target", target=target))
        if game.reached(state, target) not in (True, False):
            _wrong("targets", Text("reached must return True or False"))


def check_listed(game: Game) -> None:
    """Check what lists of games show; `make_game` does so too, for a fault would spoil the list of all games."""
    for key, parameter in game.parameters.items():
        if not (isinstance(parameter, Parameter) and isinstance(parameter.meaning, Text)):
            _wrong("parameters", Text("{key} is not a Parameter of a number and a Text", key=key))
        if not hasattr(game, key):
            _wrong("parameters", Text("the game does not store its parameter {key} as an attribute", key=key))
    for level in (*game.levels, *game.configurations):
        if not (isinstance(level, Level) and isinstance(level.name, Text) and isinstance(level.player, str)):
            _wrong("levels", Text("{level!r:.60} is not a Level of a Text and a player", level=level))


def _check_example(game: Game, state: State) -> None:
    if game.takes_text or not game.example or game.spec != game.name:
        return  # it is of the game without parameters
    try:
        game.parse(game.example)
    except BadInput as error:
        _wrong("example", Text("parse refuses the example {text!r}: {error}", text=game.example, error=error))


ONCE: dict[str, Callable[[Game, State], None]] = {
    "features": _check_features,
    "parameters": _check_numbers_declared,
    "evaluators": _check_own_evaluators,
    "opponents": _check_opponents,
    "targets": _check_targets,
    "listed": lambda game, state: check_listed(game),
    "example": _check_example,
}


# --- In every state ---------------------------------------------------------------------------------------------------


def _check_terms(game: Game, state: State) -> None:
    for evaluator in game.evaluators:
        for name, function in evaluator.functions(game).items():
            value = float(function(state))
            low, high = evaluator.terms[name].range or (-sys.float_info.max, sys.float_info.max)
            if not low <= value <= high:
                fault = Text(
                    "the term {name} of {evaluator} is {value}; it must be from {low:g} to {high:g}",
                    name=name,
                    evaluator=evaluator.name,
                    value=value,
                    low=low,
                    high=high,
                )
                fail("evaluators", state, fault)


def _check_outcome(game: Game, state: State) -> None:
    outcome = game.outcome(state)
    if "points" in game.features:
        if type(outcome.get("score")) is not int:
            fail("outcome", state, Text("a game of points needs an integer score: {outcome}", outcome=outcome))
    elif "score" not in outcome and outcome.get("winner") not in (0, 1, 2):
        fail("outcome", state, Text("outcome must have a score, or winner 0, 1 or 2: {outcome}", outcome=outcome))


def _check_cells(game: Game, state: State) -> None:
    cells = game.cells
    if cells is None:
        return
    if not isinstance(cells, Cells):
        fail("cells", state, Text("{cells!r:.60} is not Cells", cells=cells))
    if game.rules.turn(state) != MAX:
        return
    board = np.full(cells.rows * cells.columns, -1, np.int64)
    cells.fill(state, board)
    if not ((board >= 0) & (board < cells.kinds)).all():
        fault = Text("fill must write 0 to {most} into every cell: {board}", most=cells.kinds - 1, board=board.tolist())
        fail("cells", state, fault)
    phase = cells.phase(state)
    if phase not in range(cells.phases):
        fail("cells", state, Text("phase is {phase}, not from 0 to {most}", phase=phase, most=cells.phases - 1))


def _check_shortcuts(game: Game, state: State) -> None:
    shortcuts = game.shortcuts
    if shortcuts is None:
        return
    if not isinstance(shortcuts, SearchShortcuts):
        fail("shortcuts", state, Text("{shortcuts!r:.60} is not SearchShortcuts", shortcuts=shortcuts))
    folded, bare = shortcuts.fold(state), shortcuts.without_points(state)
    if shortcuts.fold(folded) != folded:
        fail("shortcuts", state, Text("fold applied twice changes {folded!r}", folded=folded))
    if len(game.legal_actions(folded)) != len(game.legal_actions(state)):
        fail("shortcuts", state, Text("fold changes the number of moves: {folded!r}", folded=folded))
    if game.legal_actions(bare) != game.legal_actions(state):
        fail("shortcuts", state, Text("without_points changes the moves: {bare!r}", bare=bare))
    if game.rules.turn(state) != CHANCE and min(shortcuts.auto_depth(state, cut) for cut in (False, True)) < 1:
        fail("shortcuts", state, Text("auto_depth must be at least 1"))


def _check_stored(game: Game, state: State) -> None:
    """A plain game stores the text of a position: `contienda.games.checks.shown` checks that."""
    if game.compiled:
        again = game.from_numbers(game.as_numbers(state), state)
        if again != state:
            fail("numbers", state, Text("from_numbers reads what as_numbers wrote as {again!r}", again=again))


IN_EVERY_STATE: dict[str, Callable[[Game, State], None]] = {
    "evaluators": _check_terms,
    "outcome": _check_outcome,
    "cells": _check_cells,
    "shortcuts": _check_shortcuts,
    "numbers": _check_stored,
}
