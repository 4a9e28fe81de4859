"""Checks of what people see and type: names, texts, pictures, gestures, motions."""

from __future__ import annotations

from contienda.core.game import LONGEST_NAME, LONGEST_TEXT, Game, State
from contienda.core.language import BadInput, Text
from contienda.core.picture import Gesture, Picture, picture_fault
from contienda.games.checks import fail
from contienda.games.checks.rules import check_kind

__all__ = ["check_gestures", "check_motions", "check_names", "check_picture", "check_text"]


def check_names(game: Game, state: State, actions: list[int]) -> None:
    names = [game.action_name(state, action) for action in actions]
    for name in names:
        if not isinstance(name, str) or name.split() != [name]:
            fail("names", state, Text("{name!r} is not one word: saved games separate moves by spaces", name=name))
        if len(name) > LONGEST_NAME:
            fail("names", state, Text("{name!r:.40}… has more than {most} letters", name=name, most=LONGEST_NAME))
    if len(set(names)) < len(names):
        fail("names", state, Text("two legal actions have the same name: {names}", names=names))
    for action, name in zip(actions, names, strict=True):
        if (number := game.action_number(state, name)) != action:
            fail(
                "names",
                state,
                Text(
                    "action {action} is named {name!r}, which is read as {number}",
                    action=action,
                    name=name,
                    number=number,
                ),
            )


def check_text(game: Game, state: State, turn: int, actions: list[int]) -> None:
    """A text may omit something, such as 2048's score, but what it contains must survive `parse`."""
    text = game.format(state)
    if len(text) > LONGEST_TEXT:
        fail("text", state, Text("{name!r:.40}… has more than {most} letters", name=text, most=LONGEST_TEXT))
    try:
        again = game.parse(text)
    except BadInput as error:
        fail("text", state, Text("parse refuses what format wrote, {text!r:.60}: {error}", text=text, error=error))
    check_kind(game, again)
    if game.format(again) != text or game.rules.turn(again) != turn or game.legal_actions(again) != actions:
        fail("text", state, Text("parse reads {text!r} as another state, {again!r}", text=text, again=again))


def check_picture(game: Game, state: State) -> None:
    picture = game.picture(state)
    fault = None if picture is None else picture_fault(picture)
    if fault is not None:
        fail("picture", state, fault)


def check_gestures(game: Game, state: State, actions: list[int]) -> None:
    """Every legal move can be made on the picture, and no two by the same gesture."""
    picture = game.picture(state) or Picture(0, 0, ())
    cells = range(picture.rows * picture.columns)
    known: dict[Gesture, str] = {}
    for action in actions:
        name, gesture = game.action_name(state, action), game.gesture(state, action)
        if not isinstance(gesture, Gesture):
            fail(
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
            fail(
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
        if gesture in known and gesture.kind != "button":  # two equal buttons have the same name: told already
            fail(
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


def check_motions(game: Game, state: State, action: int) -> State:
    """Return the state after an action. A motion must begin and end at a piece."""
    after = game.rules.successor(state, action)[1]
    old, new = game.picture(state), game.picture(after)
    for motion in game.motions(state, action, after):
        stood = old is not None and (motion.start == -1 or _piece_at(old, motion.start))
        stands = new is not None and (motion.end == -1 or _piece_at(new, motion.end))
        if not (stood and stands) or motion.start == motion.end == -1:
            fail(
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
