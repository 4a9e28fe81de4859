"""States, moves and analyses as the screens need them."""

from __future__ import annotations

import math

from contienda.core.analysis import Analysis
from contienda.core.game import MAX, MIN, Game, State
from contienda.core.language import Text
from contienda.core.picture import Gesture, Picture, Piece
from contienda.perfect.positions import size_of
from contienda.perfect.review import Judged
from contienda.perfect.words import in_words
from contienda.web.games.shapes import Luck, StepView
from contienda.web.searches.shapes import AnalysisView, JudgedMove
from contienda.web.shapes import GestureView, MotionView, PictureView, PieceView, Position, Words

__all__ = ["analysis_view", "picture_view", "position_view", "step_view"]


def position_view(game: Game, state: State, target: int | None = None) -> Position:
    """Return a state with everything that a screen shows of it."""
    actions = game.legal_actions(state)
    outcome = game.outcome(state)
    goal = target or game.default_target
    return Position(
        text=game.format(state),
        picture=picture_view(game.picture(state)),
        turn=2 if game.rules.turn(state) == MIN else 1,
        legal=[game.action_name(state, action) for action in actions],
        gestures=[_gesture_view(game.gesture(state, action)) for action in actions],
        over=not actions,
        score=outcome.get("score"),
        max_tile=outcome.get("max_tile"),
        won=goal is not None and game.reached(state, goal),
        winner=outcome["winner"] if not actions and "winner" in outcome else None,
    )


def picture_view(picture: Picture | None) -> PictureView | None:
    """Return a board in its JSON form."""
    if picture is None:
        return None
    return PictureView(
        rows=picture.rows,
        columns=picture.columns,
        pieces=[None if piece is None else _piece_view(piece) for piece in picture.pieces],
        ground=picture.ground,
        row_labels=list(picture.row_labels),
        column_labels=list(picture.column_labels),
        line=list(picture.line),
        marked=list(picture.marked),
        caption=_words(picture.caption),
    )


def _piece_view(piece: Piece) -> PieceView:
    return PieceView(**piece._asdict() | {"name": _words(piece.name)})


def _gesture_view(gesture: Gesture) -> GestureView:
    return GestureView(**gesture._asdict() | {"label": _words(gesture.label)})


def _words(text: Text | None) -> Words | None:
    return None if text is None else text.in_all_languages()


def step_view(
    game: Game,
    ply: int,
    before: State,
    actions: list[int],
    after: State,
    *,
    by: str,
    ms: float,
    nodes: int,
    target: int | None,
) -> StepView:
    """Return a move from one state to the next, with the motions that a screen animates."""
    told: list[tuple[str, list[MotionView]]] = []
    state = before
    for action in actions:
        reached = game.apply(state, action)
        motions = [MotionView(**motion._asdict()) for motion in game.motions(state, action, reached)]
        told.append((game.action_name(state, action), motions))
        state = reached
    (move, motions), *luck = told
    score, earlier = game.outcome(after).get("score"), game.outcome(before).get("score")
    return StepView(
        ply=ply,
        move=move,
        by=by,
        side=1 if game.rules.turn(before) == MAX else 2,
        motions=motions,
        luck=[Luck(name=name, motions=motions) for name, motions in luck],
        gained=None if score is None or earlier is None else score - earlier,
        ms=ms,
        nodes=nodes,
        position=position_view(game, after, target),
    )


def analysis_view(game: Game, state: State, player: str, analysis: Analysis) -> AnalysisView:
    """Return what a search found, in its JSON form."""
    found = analysis.as_data()
    for told, move in zip(found["moves"], analysis.moves, strict=True):
        told["ends_in"] = game.ends_in(state, move.value) if math.isfinite(move.value) else None
    return AnalysisView(player=player, **found)


def judged_view(game: Game, start: State, judged: Judged) -> JudgedMove:
    """Return a reviewed move, with its verdict in words."""
    before = (start.max | start.min).bit_count() + judged.ply - 1
    size = size_of(game)
    cells = size.rows * size.columns
    return JudgedMove(
        ply=judged.ply,
        side=1 if before % 2 == 0 else 2,
        move=str(judged.column + 1),
        words=in_words(judged.score, before, cells).words.in_all_languages(),
        best=[str(column + 1) for column in judged.best],
        best_words=in_words(judged.best_score, before, cells).words.in_all_languages(),
        verdict=judged.verdict,
    )
