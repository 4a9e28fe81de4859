"""States, moves and analyses as the screens need them."""

from __future__ import annotations

import math
from typing import Any

from contienda.core import MAX, MIN, Analysis, Game, State
from contienda.games.board_2048 import slides
from contienda.games.connect4 import Connect4, Stones
from contienda.games.g2048 import G2048
from contienda.perfect.review import Judged
from contienda.perfect.words import in_words
from contienda.record import WINNING_TILE
from contienda.web.shapes import (
    AnalysisView,
    CountersView,
    JudgedMove,
    MoveView,
    Position,
    SlideView,
    Spawn,
    Step,
    Words,
)

__all__ = ["analysis_view", "position_view", "step_view"]


def position_view(game: Game, state: State, target: int | None = None) -> Position:
    """A state with all that is to be seen of it."""
    legal = [game.action_name(state, action) for action in game.legal_actions(state)]
    outcome = game.outcome(state)
    over = not legal
    score, max_tile = outcome.get("score"), outcome.get("max_tile")
    return Position(
        text=game.format(state),
        board=game.grid(state),
        turn=2 if game.rules.turn(state) == MIN else 1,
        legal=legal,
        over=over,
        score=score,
        max_tile=max_tile,
        won=max_tile is not None and max_tile >= (target or WINNING_TILE),
        winner=outcome["winner"] if over and "winner" in outcome else None,
        line=game.winning_line(state),
    )


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
) -> Step:
    """A move from one state to the next, with what a screen animates."""
    position = position_view(game, after, target)
    action = actions[0]
    moved: dict[str, Any] = {}
    if isinstance(game, G2048):
        ways = slides(before, action)
        moved["slides"] = [SlideView(start=w.start, end=w.end, face=1 << w.rank, merged=w.merged) for w in ways]
        moved["gained"] = game.outcome(after)["score"] - game.outcome(before)["score"]
        if len(actions) > 1:
            moved["spawn"] = Spawn(cell=actions[1] >> 2, face=4 if actions[1] & 1 else 2)
    else:
        moved["cell"] = _new_cell(game.grid(before), position.board)
    return Step(
        ply=ply,
        move=game.action_name(before, action),
        by=by,
        side=1 if game.rules.turn(before) == MAX else 2,
        ms=ms,
        nodes=nodes,
        position=position,
        **moved,
    )


def _new_cell(before: list[list[int]], after: list[list[int]]) -> int | None:
    """The cell that was empty and is not any more."""
    cells = zip((c for row in before for c in row), (c for row in after for c in row), strict=True)
    return next((i for i, (old, new) in enumerate(cells) if old != new), None)


def analysis_view(player: str, analysis: Analysis) -> AnalysisView:
    """What a search found; JSON knows no infinity."""
    counters = analysis.counters
    return AnalysisView(
        player=player,
        moves=[
            MoveView(
                move=m.move,
                value=m.value if math.isfinite(m.value) else None,
                bound=None if m.exact else "upper",
                at_least=m.at_least,
                words=None if m.meaning is None else Words(**m.meaning.words._asdict()),
                mark=None if m.meaning is None else m.meaning.mark,
            )
            for m in analysis.moves
        ],
        best=analysis.best,
        pv=analysis.pv,
        counters=CountersView(
            nodes=counters.nodes,
            evaluations=counters.evaluations,
            cutoffs=counters.cutoffs,
            hits=counters.hits,
            depth=counters.depth,
            seconds=counters.seconds,
            compile_seconds=counters.compile_seconds,
        ),
    )


def judged_view(game: Connect4, start: Stones, judged: Judged) -> JudgedMove:
    """A move under review, in words."""
    before = (start.max | start.min).bit_count() + judged.ply - 1
    cells = game.rows * game.columns
    return JudgedMove(
        ply=judged.ply,
        side=1 if before % 2 == 0 else 2,
        move=str(judged.column + 1),
        words=Words(**in_words(judged.score, before, cells).words._asdict()),
        best=[str(column + 1) for column in judged.best],
        best_words=Words(**in_words(judged.best_score, before, cells).words._asdict()),
        verdict=judged.verdict,
    )
