"""Tests by random games whether a game keeps the contract of `contienda.core.game.Game`.

``contienda check FILE.py:CLASS`` prints each fault of a game in one line. In a test:

    from contienda.games.check import check_game

    def test_my_game_conforms():
        check_game(MyGame())

It cannot know whether the rules are the right ones: compare the game with a naive version of it, and count its move
sequences (perft).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from contienda.compiled.rng import below, generator
from contienda.core.extensions import blame
from contienda.core.game import CHANCE, MAX, MIN, Game, State
from contienda.core.language import Text, joined
from contienda.games.checks import ConformanceError
from contienda.games.checks.declared import IN_EVERY_STATE, ONCE
from contienda.games.checks.rules import (
    build_probe,
    check_begins,
    check_chance,
    check_compiled,
    check_sides,
    check_start,
    check_state,
    fail_endless,
)
from contienda.games.checks.shown import check_gestures, check_motions, check_names, check_picture, check_text

__all__ = ["ConformanceError", "check_game", "faults_of"]

T = TypeVar("T")


def check_game(game: Game, games: int = 20, seed: int = 0, patience: int = 10_000) -> None:
    """Play random games, and raise `ConformanceError` if the game breaks its contract; see `faults_of`."""
    faults = faults_of(game, games, seed, patience)
    if faults:
        raise ConformanceError(faults[0].what, joined([fault.text for fault in faults], "\n"))


def faults_of(game: Game, games: int = 20, seed: int = 0, patience: int = 10_000) -> list[ConformanceError]:
    """Return the faults that random games find: the first of each property.

    Checked in every state:

    - *state*: a tuple of Python ints of 64 bits, signed; calling a rule twice gives the same. (The positions of a
      plain game may be anything hashable.)
    - *turn*: MAX, MIN or CHANCE, and one of ``game.kinds`` until the game is over;
    - *moves*: some action is legal until the game is over (but MAX may be stuck: that is an end too), and one that was
      a candidate for the same player in another state, and is none here, is not legal here;
    - *chance*: the probabilities sum to 1, and `draw` gives outcomes that are possible;
    - *end*: the utility of an ended game is finite, and games end within ``game.longest`` actions, or ``patience``;
    - *names*: the legal actions have different names, without spaces, and `action_number` reads them back;
    - *text*: at a player's turn, `parse` reads what `format` wrote as a state with the same text, turn and moves;
    - *sides*: `seen_by_mover` puts MAX to move, does so once and for all, and keeps moves and end, the utility changing
      sign with the sides; a game with ``fixed_sides`` leaves all states as they are;
    - *picture*: as many pieces as cells; the cells of the line and of marks are on the board;
    - *gesture*: every legal move has one, on the board, and no two have the same;
    - *motions*: pieces move from where one stood to where one stands;
    - *outcome*: a winner or a score; a game of points has a score;
    - *evaluators*: every term is a finite number, within the range that it declares;
    - *cells*, *shortcuts*, *numbers*: what learning, tables and saved games ask of a state fits it;
    - *compiled*: called one from another in compiled code, the rules say what they say when Python calls them;
    - *error*: no method raises.

    Checked once: *features* have what they need; *parameters* are attributes; *opponents*, *targets*, *levels* and
    the *example* are such. `contienda.players.check` tells whether the players that a game names can play it.
    """
    checker = _Checker(game)
    for number in range(games):
        checker.play(generator(seed, number + 1), generator(seed, number + 1), number, patience)
        if checker.stuck:
            break
    checker.look_once(generator(seed, 1), generator(seed, 1))
    return list(checker.faults.values())


class _Checker:
    """Plays random games and collects their faults."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.faults: dict[str, ConformanceError] = {}
        self.stuck = False
        """A fault ended the last game."""
        self._candidates: dict[int, set[int]] = {MAX: set(), MIN: set(), CHANCE: set()}
        self._probe = build_probe(game.rules)

    def note(self, check: Callable[..., T], *about: Any) -> T | None:
        """What a check gives; None if it found a fault."""
        try:
            return check(self.game, *about)
        except ConformanceError as fault:
            self.faults.setdefault(fault.what, fault)
        except (Exception, SystemExit) as error:
            told = blame(error)
            reason = f"{type(error).__name__}: {error}"
            self.faults.setdefault(
                "error", ConformanceError("error", Text("{reason}", reason=reason) if told is None else told.text)
            )
        self.stuck = True
        return None

    def play(self, rng: np.record, again: np.record, number: int, patience: int) -> None:
        """One game."""
        state = self.note(check_start, rng, again)
        most = patience if self.game.longest is None else self.game.longest
        for step in range(most + 1):
            self.stuck = False
            actions = None if state is None else self.note(check_state, state, self._candidates)
            if step == 0 and actions is not None:
                self.note(check_begins, state, actions)
            if not actions:
                return
            self.look(state, actions, rng)
            action = actions[below(rng, len(actions))]
            if self._probe is not None and "compiled" not in self.faults:
                self.note(check_compiled, state, action, self._probe)
            state = self.note(check_motions, state, action)
        if state is not None:
            self.note(fail_endless, state, number, most)

    def look_once(self, rng: np.record, again: np.record) -> None:
        """What the game declares, whatever the state."""
        state = self.note(check_start, rng, again)
        if state is not None:
            self._look_by(ONCE, state)

    def look(self, state: State, actions: list[int], rng: np.record) -> None:
        """What can be checked one by one, each until a fault of its kind is found."""
        turn = self.game.rules.turn(state)
        self._look_by({"names": check_names, "sides": check_sides}, state, actions)
        self._look_by({"picture": check_picture} | IN_EVERY_STATE, state)
        if turn == CHANCE:
            self._look_by({"chance": check_chance}, state, actions, rng)
        else:
            self._look_by({"text": check_text}, state, turn, actions)
            self._look_by({"gesture": check_gestures}, state, actions)

    def _look_by(self, checks: dict[str, Callable[..., None]], *about: Any) -> None:
        for what, check in checks.items():
            if what not in self.faults:
                self.note(check, *about)
