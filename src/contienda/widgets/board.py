"""A board that one plays on, as a widget: the rules, the luck and the machine's moves come from the kernel."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from contienda.compiled.rng import generator
from contienda.core.game import MIN, Game
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.match import Played
from contienda.players import make_player
from contienda.players.base import Forfeit, Player
from contienda.web.catalogue import game_entry
from contienda.web.games.files import played_table
from contienda.web.games.reader import Forfeited, Ply, Row
from contienda.web.games.shapes import StepView
from contienda.web.games.table import Table, aimed
from contienda.web.games.undo import undo_and_redo
from contienda.web.games.views import analysis_view
from contienda.widgets.page import FrameWidget, widget_module

__all__ = ["BoardWidget"]


class _Plies:
    """The plies of the game on the board, found as the app's store finds them."""

    def __init__(self) -> None:
        self.all: list[Ply] = []

    def states(self, game_id: str, plies: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the states after these plies."""
        return [self.all[ply - 1].state for ply in plies]


class BoardWidget(FrameWidget):
    """A game to play against a player, a person, or alone: ``BoardWidget("connect4", "human", "solver")``.

    A player is a spec as on the command line, or "human". The machine thinks in the kernel: other cells wait meanwhile.
    `played` is the game so far, ``helper`` the player that proposes moves.
    """

    _esm = widget_module("board", "widget-board")
    _table: Table
    _step: StepView | None
    """The move that led to the position, if one did."""

    def __init__(
        self,
        game: str | Game,
        player: str = "human",
        opponent: str | None = None,
        *,
        position: str | None = None,
        seed: int | None = None,
        target: int | None = None,
        helper: str | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else make_game(game)
        specs = [player, opponent or self.game.default_player][: self.game.sides]
        self._helper = helper or self.game.default_player
        self._makers: dict[tuple[str, bool], Player] = {}
        self._target = self.game.default_target if target is None else target
        if self._target is not None:
            self.game.until(self._target)  # raises BadInput if it is not a tile
        for spec in {*specs, self._helper} - {"human"}:
            make_player(spec, self.game)  # raises BadInput before anything is shown
        self._specs, self._position = specs, position
        super().__init__(str(self.game.title))
        self._catalogue = {"games": {self.game.name: game_entry(self.game)}, "levels": {}}
        self._number = 0
        self._begin(secrets.randbits(32) if seed is None else seed)

    @property
    def played(self) -> Played:
        """The game so far, as `contienda.play` returns one."""
        return played_table(self._table, self._plies.all)

    @property
    def state(self) -> Any:
        """The position on the board, for players and searches."""
        return self._table.state

    def _begin(self, seed: int) -> None:
        luck = generator(seed)
        start = self.game.start(luck) if self._position is None else self.game.parse(self._position)
        self._number += 1
        row = Row(
            "", self.game.spec, seed % 2**64, self._target, self._specs, self.game.as_numbers(start), int(luck.state),
            id=str(self._number),
        )  # fmt: skip
        self._plies = _Plies()
        self._set(row)
        self._tell()
        self._answer()

    # --- What a person asks for ---------------------------------------------------------------------------------------

    def _heard(self, wish: dict[str, Any]) -> None:
        if wish.get("revision") != self._table.row.revision:
            return  # meant for a position that is gone
        try:
            match wish.get("do"):
                case "move":
                    self.move(str(wish.get("move")))
                case "undo" | "redo" as way:
                    self._jump(getattr(self._table, way))
                case "new":
                    self._begin(secrets.randbits(32))
                case "hint":
                    self._propose()
        except BadInput as error:
            self._tell(error=error.text.in_all_languages())

    def move(self, move: str) -> None:
        """Make a move for the person to move; the machine answers."""
        table = self._table
        legal = {self.game.action_name(table.state, a): a for a in self.game.legal_actions(table.state)}
        if table.forfeit is not None or not legal:
            raise BadInput("the game is over")
        if move not in legal:
            raise BadInput(
                "{move!r} is not a legal move; choose one of {known}", move=move[:40], known=", ".join(legal)
            )
        self._make(legal[move], "human")
        self._answer()

    def _jump(self, ply: int | None) -> None:
        if ply is not None:
            self._set(replace(self._table.row, cursor=ply))
            self._tell()

    def _propose(self) -> None:
        table = self._table
        if not table.game.legal_actions(table.state):
            raise BadInput("the game is over")
        self._tell(thinking=True)
        found = self._player(self._helper).analyse(table.state)
        self._tell(hint=analysis_view(self.game, table.state, self._helper, found).model_dump())

    # --- What the game does -------------------------------------------------------------------------------------------

    def _answer(self) -> None:
        """Let the machine move for as long as it is its turn."""
        table = self._table
        while table.mover != "human" and table.forfeit is None and self.game.legal_actions(table.state):
            lots = int(generator(table.row.seed, stream=1 + table.row.cursor).state)
            self._tell(self._step, thinking=True)
            try:
                found = self._player(table.mover).analyse(table.state, seed=lots)
            except Forfeit as forfeit:
                words = forfeit.text.in_all_languages()
                side = int(self.game.rules.turn(table.state) == MIN)
                self._set(replace(table.row, forfeit=Forfeited(table.row.cursor, side, words["en"], words["es"])))
                self._tell()
                return
            seconds, nodes = found.counters.seconds, found.counters.nodes
            self._make(self.game.action_number(table.state, found.best), table.mover, 1000 * seconds, nodes)
            table = self._table

    def _player(self, spec: str) -> Player:
        """Return the player of a spec for the game as it stands: beyond its target, it plays on."""
        game = aimed(self.game, self._table.state, self._target)
        key = (spec, game is self.game)
        if key not in self._makers:
            self._makers[key] = make_player(spec, game)
        return self._makers[key]

    def _make(self, action: int, by: str, ms: float = 0.0, nodes: int = 0) -> None:
        table = self._table
        ply = table.move(action, by, ms, nodes)
        cursor = table.row.cursor + 1
        self._plies.all[cursor - 1 :] = [ply]
        self._set(replace(table.row, cursor=cursor, length=cursor, forfeit=None))
        self._step = self._table.step(cursor, table.state, ply)
        self._tell(self._step)

    def _set(self, row: Row) -> None:
        row = replace(row, revision=row.revision + 1)
        self._step = None
        self._table = Table(row, self._plies.all[row.cursor - 1] if row.cursor else None, self.game)
        self._table.undo, self._table.redo = undo_and_redo(self._table, self._plies)

    def _tell(self, step: StepView | None = None, **more: Any) -> None:
        self._show(
            catalogue=self._catalogue,
            game=self._table.view().model_dump(),
            step=None if step is None else step.model_dump(),
            **{"hint": None, "thinking": False, "error": None} | more,
        )
