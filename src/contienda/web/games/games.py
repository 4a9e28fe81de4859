"""Games for all browsers: new games, moves, undo and redo, copies, lists; over `Store`, by the library's rules."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from contienda.compiled.rng import generator
from contienda.core.extensions import is_place
from contienda.core.game import CHANCE, MIN, Game
from contienda.core.language import BadInput, Text
from contienda.core.specs import parse_spec
from contienda.match import Played
from contienda.web.access.identity import address_of_browser
from contienda.web.access.rates import Buckets
from contienda.web.errors import Conflict, TooMany
from contienda.web.games.files import plies_of
from contienda.web.games.reader import Forfeited, Ply, Row
from contienda.web.games.shapes import GameSummary, NewGame, StepsView, StepView
from contienda.web.games.store import GAME_BYTES, PLY_BYTES, Store
from contienda.web.games.table import Table, game_of, game_to_play
from contienda.web.games.undo import undo_and_redo
from contienda.web.games.views import position_view
from contienda.web.settings import Limits

__all__ = ["Games"]


class Games:
    """The games of all browsers."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self.store = store
        self._limits = limits
        self._written = Buckets(limits.writes / 60, limits.writes)
        self._address_written = Buckets(limits.address_writes / 60, limits.address_writes)

    def table(self, client: str, game_id: str) -> Table:
        """Return a game of this browser, at its cursor."""
        with self.store.lock:
            row = self.store.game(client, game_id)
            return self._on_table(row, self.store.ply_at(row))

    def _on_table(self, row: Row, last: Ply | None) -> Table:
        """Return the table of a game in the row's state. Call it under the store's lock, or for a new game."""
        table = Table(row, last)
        table.undo, table.redo = undo_and_redo(table, self.store)
        return table

    def create(self, client: str, asked: NewGame) -> Table:
        """Create a new game, or one that continues from a ply of another."""
        if asked.copy_of is not None:
            return self._copy(client, asked.copy_of, asked.ply, players=asked.players)
        game = game_to_play(asked.game)
        seed = secrets.randbits(32) if asked.seed is None else int(asked.seed) % 2**64
        luck = generator(seed)
        start = game.start(luck) if asked.position is None else game.parse_scored(asked.position, asked.score)
        if asked.target is not None:
            game.until(asked.target)  # raises BadInput if it is not a tile
        players = _sides(game, asked.players or ["human"] * game.sides)
        row = Row(client, game.spec, seed, asked.target, players, game.as_numbers(start), int(luck.state))
        return self._add(row, [])

    def _add(self, row: Row, plies: list[Ply], copied: str = "") -> Table:
        return self._on_table(self.store.add(row, plies, self._limits, copied), plies[-1] if plies else None)

    def _count_written(self, client: str, plies: int) -> None:
        """Limit the rate of copies and uploads. Played games need no limit: they grow no faster than requests come."""
        if not plies:
            return
        megabytes = (GAME_BYTES + plies * PLY_BYTES) / (1 << 20)
        buckets = ((self._written, client), (self._address_written, address_of_browser(client)))
        if any(bucket.level(name) < min(megabytes, bucket.size) for bucket, name in buckets):
            raise TooMany(
                "too much was written in the last minute: the game was not saved; wait a moment and try again"
            )
        for bucket, name in buckets:
            bucket.take(name, megabytes)

    def _copy(
        self,
        client: str,
        game_id: str,
        ply: int | None,
        *,
        name: str | None = None,
        saved: bool = False,
        players: list[str] | None = None,
    ) -> Table:
        reader = self.store.reader
        with reader.as_it_stands():
            old = reader.game(client, game_id)
            last = _within(old, old.cursor if ply is None else ply)
            self._count_written(client, last)  # before anything is read: a refusal must be cheap
            plies = reader.plies(game_id, 1, last)
        players = old.players if players is None else _sides(game_of(old), players)
        row = Row(client, old.spec, old.seed, old.target, players, old.start, old.luck, name, saved)
        if old.forfeit is not None and old.forfeit.ply == last and players == old.players:
            row = replace(row, forfeit=old.forfeit)
        return self._add(row, plies, game_id)

    def save(self, client: str, game_id: str, name: str | None, ply: int | None) -> Table:
        """Save a copy of a game up to a ply, under a name; the default name is the date and time."""
        old = self.store.game(client, game_id)
        return self._copy(client, game_id, old.length if ply is None else ply, name=_name(name), saved=True)

    def make_move(
        self, client: str, game_id: str, revision: int, move: str, by: str, ms: float = 0.0, nodes: int = 0
    ) -> tuple[Table, StepView]:
        """Make a move for the side to move; Conflict if the game has changed since ``revision``."""
        table = self.table(client, game_id)
        self._check(table, revision)
        if by == "human" and table.mover != "human":
            raise BadInput("it is the turn of {mover}", mover=table.mover)
        legal = {table.game.action_name(table.state, a): a for a in table.game.legal_actions(table.state)}
        if not legal or table.forfeit is not None:
            raise BadInput("the game is over")
        if move not in legal:
            known = ", ".join(legal)
            raise BadInput("{move!r} is not a legal move; choose one of {known}", move=move, known=known)
        ply = table.move(legal[move], by, ms, nodes)
        with self.store.lock:
            row = self.store.append(table.row, ply)
            if row is None:
                raise Conflict(self.table(client, game_id).view())
            made = self._on_table(row, ply)
        return made, table.step(row.cursor, table.state, ply)

    def lose(self, client: str, game_id: str, revision: int, why: Text) -> Table:
        """End a game that the player to move loses by rule: it made no legal move in time."""
        table = self.table(client, game_id)
        self._check(table, revision)
        row, side = table.row, int(table.game.rules.turn(table.state) == MIN)
        words = why.in_all_languages()
        lost = Forfeited(row.cursor, side, words["en"], words["es"])
        with self.store.lock:
            changed = self.store.change(row, forfeit=lost, length=row.cursor)
            if changed is not None:
                return self._on_table(changed, self.store.ply_at(changed))
        raise Conflict(self.table(client, game_id).view())

    def change(self, client: str, game_id: str, revision: int, **changes: object) -> Table:
        """Change the cursor (undo, redo, jump: nothing is lost until another move is made), name, target or players."""
        table = self.table(client, game_id)
        self._check(table, revision)
        if "cursor" in changes:
            _within(table.row, changes["cursor"])  # type: ignore[arg-type]
        if "players" in changes:
            _sides(table.game, changes["players"])  # type: ignore[arg-type]
            changes["forfeit"] = None  # another player plays on
        if "target" in changes:
            table.game.until(changes["target"])  # type: ignore[arg-type]
        if "name" in changes:
            changes["name"] = _name(changes["name"])  # type: ignore[arg-type]
        with self.store.lock:
            row = self.store.change(table.row, **changes)
            if row is not None:
                return self._on_table(row, self.store.ply_at(row))
        raise Conflict(self.table(client, game_id).view())

    def _check(self, table: Table, revision: int) -> None:
        if revision != table.row.revision:
            raise Conflict(table.view())

    def summaries(self, client: str, saved: bool) -> list[GameSummary]:
        """Return this browser's games, newest first."""
        reader = self.store.reader
        with reader.as_it_stands():
            found = [(row, reader.ply_at(row)) for row in reader.games(client, saved)]
        there = (each for each in found if _can_be_shown(each[0]))
        return [Table(row, ply).summary() for row, ply in there]

    def steps(self, client: str, game_id: str, first: int, count: int) -> StepsView:
        """Return ``count`` plies of a game after the ply ``first``."""
        reader = self.store.reader
        with reader.as_it_stands():
            row = reader.game(client, game_id)
            _within(row, first)
            plies = reader.plies(game_id, max(first, 1), first + count)  # and the one before, for the first state
        table = Table(row, None)
        before = table.as_state(plies.pop(0).state) if first else table.start
        steps: list[StepView] = []
        begin = position_view(table.game, before, table.row.target)
        for number, ply in enumerate(plies, first + 1):
            steps.append(table.step(number, before, ply))
            before = table.as_state(ply.state)
        return StepsView(start=begin, steps=steps, length=table.row.length)

    def game(self, client: str, game_id: str) -> Game:
        """Return the game's rules."""
        return game_of(self.store.reader.game(client, game_id))

    def add_played(self, client: str, played: Played, name: str | None, saved: bool) -> Table:
        """Add a game that was played elsewhere; its moves are already checked."""
        game_to_play(played.game.spec)
        if played.game.rules.turn(played.start) == CHANCE:
            raise BadInput("the game begins with a chance move")
        luck = generator(played.seed)
        if played.game.start(generator(played.seed)) == played.start:
            played.game.start(luck)
        row = Row(
            client, played.game.spec, played.seed % 2**64, played.target, [*played.players],
            played.game.as_numbers(played.start), int(luck.state), _name(name) if saved else name, saved,
        )  # fmt: skip
        plies = plies_of(played, luck)
        if played.fault is not None:
            why = played.fault.reason.in_all_languages()
            row = replace(row, forfeit=Forfeited(len(plies), played.fault.side, why["en"], why["es"]))
        self._count_written(client, len(plies))
        return self._add(row, plies)


def _sides(game: Game, players: Sequence[str]) -> list[str]:
    if len(players) != game.sides:
        raise BadInput(
            "the number of players of {name} is {sides}, not {count}",
            name=game.name,
            sides=game.sides,
            count=len(players),
        )
    return list(players)


def _name(name: str | None) -> str:
    """Return a saved game's name; the default is the date and time."""
    return (name or "").strip() or datetime.now().astimezone().strftime("%Y-%m-%d %H.%M.%S")


def _within(row: Row, ply: int) -> int:
    if not 0 <= ply <= row.length:
        raise BadInput("no ply {ply}: this game has plies 0 to {length}", ply=ply, length=row.length)
    return ply


def _can_be_shown(row: Row) -> bool:
    """Whether a game can be loaded: a user's own file may be closed, edited or gone, and must not hide the others."""
    if not is_place(parse_spec(row.spec).name):
        return True
    try:
        game = game_of(row)
        game.from_numbers(row.start, game.start(generator(0)))
    except BadInput:
        return False
    return True
