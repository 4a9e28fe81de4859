"""Tests by random games whether a game keeps the contract of `contienda.core.game.Game`.

``contienda check FILE.py:CLASS`` prints each fault of a game in one line. In a test:

    from contienda.games.check import check_game

    def test_my_game_conforms():
        check_game(MyGame())

It cannot know whether the rules are the right ones: compare the game with a naive version of it, and count its move
sequences (perft).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import numpy as np

from contienda.compiled.jit import lowest, njit, numba
from contienda.compiled.rng import below, generator
from contienda.core.extensions import blame
from contienda.core.game import CHANCE, MAX, MAX_ACTIONS, MIN, Game, Rules, State
from contienda.core.language import BadInput, Text, joined
from contienda.core.picture import Gesture, Picture

__all__ = ["ConformanceError", "check_game", "faults_of"]

T = TypeVar("T")

#: Rounding may make the probabilities of a chance state miss 1 by this much.
TOLERANCE = 1e-9

_INT64 = range(-(1 << 63), 1 << 63)


class ConformanceError(AssertionError):
    """A game breaks the contract: which property, in which state, and how."""

    def __init__(self, what: str, text: Text) -> None:
        super().__init__(text.into("en"))
        self.what = what
        self.text = text


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
    - *evaluators*: every term is a finite number, within the range that it declares;
    - *compiled*: called one from another in compiled code, the rules say what they say when Python calls them;
    - *error*: no method raises.
    """
    checker = _Checker(game)
    for number in range(games):
        checker.play(generator(seed, number + 1), generator(seed, number + 1), number, patience)
        if checker.stuck:
            break
    return list(checker.faults.values())


class _Checker:
    """Plays random games, and notes what it finds."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.faults: dict[str, ConformanceError] = {}
        self.stuck = False
        """A fault after which no game goes on."""
        self._candidates: dict[int, set[int]] = {MAX: set(), MIN: set(), CHANCE: set()}
        self._probe = _build_probe(game.rules)

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
        state = self.note(_check_start, rng, again)
        most = patience if self.game.longest is None else self.game.longest
        for _ in range(most + 1):
            self.stuck = False
            actions = None if state is None else self.note(_check_state, state, self._candidates)
            if not actions:
                return
            self.look(state, actions, rng)
            action = actions[below(rng, len(actions))]
            if self._probe is not None and "compiled" not in self.faults:
                self.note(_check_compiled, state, action, self._probe)
            state = self.note(_check_motions, state, action)
        if state is not None:
            self.note(_fail_endless, state, number, most)

    def look(self, state: State, actions: list[int], rng: np.record) -> None:
        """What can be checked one by one, each until a fault of its kind is found."""
        turn = self.game.rules.turn(state)
        checks: list[tuple[str, Callable[..., None], tuple[Any, ...]]] = [
            ("names", _check_names, (actions,)),
            ("sides", _check_sides, (actions,)),
            ("picture", _check_picture, ()),
            ("evaluators", _check_evaluators, ()),
        ]
        if turn == CHANCE:
            checks.append(("chance", _check_chance, (actions, rng)))
        else:
            checks += [("text", _check_text, (turn, actions)), ("gesture", _check_gestures, (actions,))]
        for what, check, about in checks:
            if what not in self.faults:
                self.note(check, state, *about)


def _fail(what: str, state: State, fault: Text) -> NoReturn:
    raise ConformanceError(what, Text("{what}: {fault}, at {state!r}", what=what, fault=fault, state=state))


def _fail_endless(game: Game, state: State, number: int, most: int) -> NoReturn:
    _fail("end", state, Text("game {number} is not over after {most} actions", number=number, most=most))


def _check_start(game: Game, rng: np.record, again: np.record) -> State:
    state = game.start(rng)
    if game.start(again) != state:
        _fail("state", state, Text("the same seed does not always give the same start"))
    return state


def _check_state(game: Game, state: State, seen: dict[int, set[int]]) -> list[int]:
    """What every state must be; the legal actions from here."""
    _check_kind(game, state)
    if game.rules.over(state):
        _check_end(game, state)
        return []
    turn = _check_turn(game, state)
    actions = _check_moves(game, state, turn, seen[turn])
    if not actions:
        _check_utility(game, state)
    return actions


def _check_kind(game: Game, state: State) -> None:
    if game.compiled:
        _check_integers(state)
    elif hash(state) != hash(state):
        _fail("state", state, Text("its hash is not always the same"))


def _check_integers(state: State) -> None:
    if not hasattr(state, "_fields"):
        _fail("state", state, Text("a state is a NamedTuple"))
    for name, value in zip(state._fields, state, strict=True):
        if type(value) is not int or value not in _INT64:
            _fail(
                "state",
                state,
                Text("{name} is {value!r}, not a signed 64-bit integer", name=name, value=value),
            )


def _check_turn(game: Game, state: State) -> int:
    turn = game.rules.turn(state)
    if turn not in game.kinds:
        _fail(
            "turn",
            state,
            Text("turn {turn!r} is not one of the game's kinds {kinds}", turn=turn, kinds=sorted(game.kinds)),
        )
    return turn


def _check_moves(game: Game, state: State, turn: int, seen: set[int]) -> list[int]:
    candidates = game.rules.candidates(state)
    if type(candidates) is not int or candidates not in _INT64:
        _fail(
            "moves",
            state,
            Text("candidates returns {candidates!r}, which is not an integer of 64 bits", candidates=candidates),
        )
    actions = game.legal_actions(state)
    if not actions and turn != MAX:
        _fail("moves", state, Text("no action is legal, but the game is not over"))
    if turn != CHANCE:  # of chance, the sum of the probabilities tells
        for action in sorted(seen):
            if not candidates >> action & 1 and game.rules.successor(state, action)[0]:
                _fail("moves", state, Text("action {action} is legal but not a candidate", action=action))
    seen.update(action for action in range(MAX_ACTIONS) if candidates >> action & 1)
    for action in actions:
        after = game.rules.successor(state, action)[1]
        _check_kind(game, after)
        if type(after) is not type(state):
            _fail(
                "state",
                state,
                Text("action {action} gives another type of state, {after!r}", action=action, after=after),
            )
        if game.rules.successor(state, action)[1] != after:
            _fail("state", state, Text("action {action} does not always give the same state", action=action))
    return actions


def _check_chance(game: Game, state: State, actions: list[int], rng: np.record) -> None:
    probabilities = [game.rules.probability(state, action) for action in actions]
    if min(probabilities) < 0 or abs(math.fsum(probabilities) - 1) > TOLERANCE:
        _fail(
            "chance", state, Text("probabilities {probabilities} are not a distribution", probabilities=probabilities)
        )
    drawn = game.rules.draw(state, rng)
    if drawn not in actions:
        _fail("chance", state, Text("draw returns {drawn!r}, which is not possible", drawn=drawn))


def _check_end(game: Game, state: State) -> None:
    if game.rules.turn(state) not in (MAX, MIN, CHANCE):
        _fail("turn", state, Text("turn is neither MAX, MIN nor CHANCE"))
    _check_utility(game, state)
    turned = game.rules.seen_by_mover(state)
    sign = -1 if turned != state else 1
    if not game.rules.over(turned) or game.rules.utility(turned) != sign * game.rules.utility(state):
        _fail("sides", state, Text("seen_by_mover changes the end of the game: {turned!r}", turned=turned))


def _check_utility(game: Game, state: State) -> None:
    utility = game.rules.utility(state)
    if not isinstance(utility, int | float) or not math.isfinite(utility):
        _fail("end", state, Text("the utility of an ended game is {utility!r}", utility=utility))


def _check_names(game: Game, state: State, actions: list[int]) -> None:
    names = [game.action_name(state, action) for action in actions]
    for name in names:
        if not isinstance(name, str) or name.split() != [name]:
            _fail("names", state, Text("{name!r} is not one word: saved games separate moves by spaces", name=name))
    if len(set(names)) < len(names):
        _fail("names", state, Text("two legal actions have the same name: {names}", names=names))
    for action, name in zip(actions, names, strict=True):
        if (number := game.action_number(state, name)) != action:
            _fail(
                "names",
                state,
                Text(
                    "action {action} is named {name!r}, which is read as {number}",
                    action=action,
                    name=name,
                    number=number,
                ),
            )


def _check_text(game: Game, state: State, turn: int, actions: list[int]) -> None:
    """A text may leave something out (2048's has no score), but what it tells must come back."""
    text = game.format(state)
    try:
        again = game.parse(text)
    except BadInput as error:
        _fail("text", state, Text("parse refuses what format wrote, {text!r}: {error}", text=text, error=error))
    _check_kind(game, again)
    if game.format(again) != text or game.rules.turn(again) != turn or game.legal_actions(again) != actions:
        _fail("text", state, Text("parse reads {text!r} as another state, {again!r}", text=text, again=again))


def _check_sides(game: Game, state: State, actions: list[int]) -> None:
    turned = game.rules.seen_by_mover(state)
    if game.fixed_sides:
        if turned != state:
            _fail("sides", state, Text("the game has fixed sides, but seen_by_mover returns {turned!r}", turned=turned))
        return
    turn = game.rules.turn(state)
    expected = CHANCE if turn == CHANCE else MAX
    if game.rules.turn(turned) != expected:
        _fail("sides", state, Text("seen_by_mover must make MAX the player to move: {turned!r}", turned=turned))
    if turn == MAX and turned != state:
        _fail("sides", state, Text("MAX is already to move, but seen_by_mover returns {turned!r}", turned=turned))
    if game.rules.seen_by_mover(turned) != turned:
        _fail("sides", state, Text("seen_by_mover applied twice changes {turned!r}", turned=turned))
    if game.rules.over(turned) or game.legal_actions(turned) != actions:
        _fail("sides", state, Text("seen_by_mover changes the legal actions: {turned!r}", turned=turned))


def _check_evaluators(game: Game, state: State) -> None:
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
                _fail("evaluators", state, fault)


def _check_picture(game: Game, state: State) -> None:
    picture = game.picture(state)
    if picture is None:
        return
    if not isinstance(picture, Picture):
        _fail("picture", state, Text("{picture!r:.60} is not a Picture", picture=picture))
    cells = picture.rows * picture.columns
    if len(picture.pieces) != cells:
        _fail(
            "picture",
            state,
            Text(
                "{rows} × {columns} cells and {count} pieces",
                rows=picture.rows,
                columns=picture.columns,
                count=len(picture.pieces),
            ),
        )
    for labels, count in ((picture.row_labels, picture.rows), (picture.column_labels, picture.columns)):
        if labels and len(labels) != count:
            _fail("picture", state, Text("{count} labels for {count2}", count=len(labels), count2=count))
    for cell in (*picture.line, *picture.marked):
        if not 0 <= cell < cells:
            _fail("picture", state, Text("cell {cell} is not on the board of {cells} cells", cell=cell, cells=cells))


def _check_gestures(game: Game, state: State, actions: list[int]) -> None:
    """Every legal move can be made on the picture, and no two by the same gesture."""
    picture = game.picture(state) or Picture(0, 0, ())
    cells = range(picture.rows * picture.columns)
    known: dict[Gesture, str] = {}
    for action in actions:
        name, gesture = game.action_name(state, action), game.gesture(state, action)
        if not isinstance(gesture, Gesture):
            _fail(
                "gesture",
                state,
                Text("the gesture of {name} is {gesture!r:.60}, not a Gesture", name=name, gesture=gesture),
            )
        on_board = {
            "direction": gesture.direction != "",
            "column": gesture.at in range(picture.columns),
            "cell": gesture.at in cells,
            "drag": gesture.at in cells and gesture.start in cells,
            "button": gesture.label is not None,
        }
        if not on_board.get(gesture.kind, False):
            _fail(
                "gesture",
                state,
                Text(
                    "the gesture of {name} does not fit a board of {rows} × {columns} cells: {gesture!r}",
                    name=name,
                    gesture=gesture,
                    rows=picture.rows,
                    columns=picture.columns,
                ),
            )
        if gesture in known:
            _fail(
                "gesture",
                state,
                Text(
                    "{known} and {name} have the same gesture, {gesture!r}",
                    known=known[gesture],
                    name=name,
                    gesture=gesture,
                ),
            )
        known[gesture] = name


def _check_motions(game: Game, state: State, action: int) -> State:
    """The state after an action; its pieces move from where one stood to where one stands."""
    after = game.rules.successor(state, action)[1]
    old, new = game.picture(state), game.picture(after)
    for motion in game.motions(state, action, after):
        stood = old is not None and (motion.start == -1 or _piece_at(old, motion.start))
        stands = new is not None and (motion.end == -1 or _piece_at(new, motion.end))
        if not (stood and stands) or motion.start == motion.end == -1:
            _fail(
                "motions",
                state,
                Text(
                    "{action_name}: no piece moves as {motion!r} says",
                    action_name=game.action_name(state, action),
                    motion=motion,
                ),
            )
    return after


def _piece_at(picture: Picture, cell: int) -> bool:
    return 0 <= cell < len(picture.pieces) and picture.pieces[cell] is not None


def _build_probe(rules: Rules) -> Any:
    """All rules called one from another in compiled code, where the types of a state are what a rule made them.

    In Python every integer is alike, and is handed to compiled code as a signed one: a rule that makes an unsigned one
    (``>>`` then shifts in zeros) works when Python calls it and fails inside a search, or the other way round.
    """
    if not all(hasattr(rule, "py_func") for rule in rules if callable(rule)):
        return None  # plain Python: there is nothing to compare
    turn, candidates, successor, _, over, utility, seen_by_mover, *_ = rules

    @njit(small=False)  # compiled at its first call: that is what it is for
    def probe(state, action):
        after = successor(state, action)[1]
        moves = candidates(after)
        reply = successor(after, lowest(moves) if moves != 0 else 0)
        turned = seen_by_mover(after)
        return after, turn(after), moves, reply, turned, candidates(turned), over(after), utility(after)

    return probe


def _check_compiled(game: Game, state: State, action: int, probe: Callable[..., Any]) -> None:
    turn, candidates, successor, _, over, utility, seen_by_mover, *_ = game.rules
    after = successor(state, action)[1]
    moves = candidates(after)
    reply = successor(after, lowest(moves) if moves != 0 else 0)
    turned = seen_by_mover(after)
    outside = (after, turn(after), moves, reply, turned, candidates(turned), over(after), utility(after))
    try:
        inside = probe(state, action)
    except numba.core.errors.NumbaError as error:
        reason = str(error).strip().splitlines()[0]
        _fail("compiled", state, Text("the rules do not compile when one calls another: {reason}", reason=reason))
    # What a game that goes on would be worth is nobody's question: a utility counts at the end.
    told = len(outside) if over(after) else len(outside) - 1
    if inside[:told] != outside[:told]:
        _fail(
            "compiled",
            state,
            Text(
                "after action {action} the rules return {outside} in Python and {inside} in compiled code",
                action=action,
                outside=outside[:told],
                inside=inside[:told],
            ),
        )
