"""One game: its row in the store, its rules, and the state at its cursor.

Chance is drawn from the game's own generator, whose state is kept with every ply. The same seed and the same moves give
the same game as on the command line, and a move that is undone and made again brings the same tile.
"""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from contienda.compiled.rng import generator
from contienda.core.extensions import is_place
from contienda.core.game import CHANCE, MIN, Game, State
from contienda.core.language import BadInput
from contienda.core.specs import parse_spec
from contienda.games import game_types, make_game
from contienda.web.games.opened import opened
from contienda.web.games.reader import Forfeited, Ply, Row
from contienda.web.games.shapes import GameSummary, GameView, StepView
from contienda.web.games.views import position_view, step_view
from contienda.web.shapes import ForfeitView, Position

__all__ = ["Table", "aimed", "draw_on", "game_of", "game_to_play", "games_to_play"]


def games_to_play() -> list[str]:
    """Return the games that can be played here, opened ones included; not drawn trees, which have no board."""
    return [*(name for name, game in game_types().items() if not game.takes_text), *opened.games]


def game_to_play(spec: str) -> Game:
    """Return the game that a spec names, if it has a board."""
    asked = parse_spec(spec)
    asked = asked._replace(name=opened.name_of(asked.name))
    if asked.name not in games_to_play():
        known = ", ".join(games_to_play())
        raise BadInput("no game {spec!r} here; choose one of {known}", spec=spec[:40], known=known)
    return make_game(str(asked))


def game_of(row: Row) -> Game:
    """Return the rules of a stored game. A user's file is run only while it is opened."""
    return game_to_play(row.spec) if is_place(parse_spec(row.spec).name) else make_game(row.spec)


class Table:
    """A stored game in play: its row, its rules, and the state at the cursor."""

    def __init__(self, row: Row, last: Ply | None, game: Game | None = None) -> None:
        self.row = row
        self.game = game_of(row) if game is None else game
        self._like = self.game.start(generator(0))
        self.state = self.as_state(last.state if last else row.start)
        self.luck = last.luck if last else row.luck
        self.undo: int | None = None
        self.redo: int | None = None
        """Where undo and redo lead; `Games` finds it in the store."""

    def as_state(self, numbers: tuple[int, ...]) -> State:
        """Return the game's state from its stored numbers."""
        return self.game.from_numbers(numbers, self._like)

    @property
    def start(self) -> State:
        return self.as_state(self.row.start)

    @property
    def mover(self) -> str:
        """The player to move: a spec, or "human"."""
        return self.mover_at(self.state)

    def mover_at(self, state: State) -> str:
        """Return the player to move in another state of this game."""
        return self.row.players[1 if self.game.rules.turn(state) == MIN else 0]

    def view(self) -> GameView:
        """Return the game as a screen shows it."""
        row = self.row
        return GameView(
            id=row.id,
            revision=row.revision,
            name=row.name,
            saved=row.saved,
            game=row.spec,
            seed=str(row.seed),
            target=row.target,
            players=row.players,
            cursor=row.cursor,
            length=row.length,
            undo=self.undo,
            redo=self.redo,
            start=position_view(self.game, self.start, row.target),
            position=self.position(),
            updated=_iso(row.updated),
        )

    @property
    def forfeit(self) -> Forfeited | None:
        """Why the game is lost by rule at its cursor; None if it is not."""
        lost = self.row.forfeit
        return lost if lost is not None and lost.ply == self.row.cursor else None

    def position(self) -> Position:
        """Return the position at the cursor as a screen shows it."""
        shown = position_view(self.game, self.state, self.row.target)
        return shown if self.forfeit is None else _lost(shown, self.forfeit, self.game)

    def move(self, action: int, by: str, ms: float, nodes: int) -> Ply:
        """Make a move at the cursor; return it with the chance events after it."""
        luck = _generator_at(self.luck)
        drawn, state = draw_on(self.game, self.game.apply(self.state, action), luck)
        return Ply([action, *drawn], by, ms, nodes, self.game.as_numbers(state), int(luck.state))

    def step(self, number: int, before: State, ply: Ply) -> StepView:
        """Return a ply as a screen shows it."""
        after = self.as_state(ply.state)
        shown = step_view(
            self.game, number, before, ply.actions, after,
            by=ply.by, ms=ply.ms, nodes=ply.nodes, target=self.row.target,
        )  # fmt: skip
        if self.row.forfeit is not None and self.row.forfeit.ply == number:
            shown.position = _lost(shown.position, self.row.forfeit, self.game)
        return shown

    def summary(self) -> GameSummary:
        """Return the game's entry in a list."""
        position = self.position()
        return GameSummary(
            id=self.row.id,
            name=self.row.name,
            saved=self.row.saved,
            game=self.row.spec,
            players=self.row.players,
            moves=self.row.cursor,
            text=position.text,
            over=position.over,
            score=position.score,
            max_tile=position.max_tile,
            winner=position.winner,
            updated=_iso(self.row.updated),
        )


def _lost(position: Position, forfeit: Forfeited, game: Game) -> Position:
    """Return a position in which a player has lost by rule: nobody moves there."""
    winner = 2 - forfeit.side if game.sides == 2 else None
    why = ForfeitView(side=1 + forfeit.side, reason={"en": forfeit.en, "es": forfeit.es})  # type: ignore[arg-type]
    return position.model_copy(update={"legal": [], "gestures": [], "over": True, "winner": winner, "forfeit": why})


def aimed(game: Game, state: State, target: int | None) -> Game:
    """Return the game that players search from here: it ends at its target, unless that has been reached already."""
    return game if target is None or game.reached(state, target) else game.until(target)


def draw_on(game: Game, state: State, luck: np.record) -> tuple[list[int], State]:
    """Draw chance events until a player is to move; return them and the state after them."""
    drawn: list[int] = []
    while not game.rules.over(state) and game.rules.turn(state) == CHANCE:
        drawn.append(int(game.rules.draw(state, luck)))
        state = game.apply(state, drawn[-1])
    return drawn, state


def _generator_at(state: int) -> np.record:
    luck = generator(0)
    luck.state = np.uint64(state)
    return luck


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
