"""Making games, moving in them, going back and forth, keeping them: over `Store`, by the rules of the library.

Luck is drawn from the game's own generator, whose state is kept with every ply: the same seed and the same moves give
the same game as on the command line, and whoever takes a move back and makes it again gets the same tile.
"""

from __future__ import annotations

import math
import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from contienda.core import CHANCE, MIN, Game, State
from contienda.evaluation.compiled import CompiledEvaluator
from contienda.games import make_game
from contienda.language import BadInput
from contienda.match import Played
from contienda.rng import generator
from contienda.web.errors import Conflict, TooMany
from contienda.web.rates import Buckets
from contienda.web.settings import Limits
from contienda.web.shapes import Chart, GameView, NewGame, Position, Step, Steps, Summary
from contienda.web.store import GAME_BYTES, PLY_BYTES, Ply, Row, Store
from contienda.web.views import position_view, step_view

__all__ = ["GAMES_TO_PLAY", "Games", "Table", "game_to_play"]

#: The games that have a board to play on; a drawn tree has none.
GAMES_TO_PLAY = ("2048", "connect4", "tictactoe")

#: Charts that are remembered, of some 10 kB each.
_CHARTS = 200


def game_to_play(spec: str) -> Game:
    """The game that a spec names, if it has a board."""
    if spec.partition(":")[0].strip() not in GAMES_TO_PLAY:
        known = ", ".join(GAMES_TO_PLAY)
        raise BadInput(
            f"no game {spec[:40]!r} to play here: there are {known}", f"aquí no se juega a {spec[:40]!r}: hay {known}"
        )
    return make_game(spec)


class Table:
    """A game on the table: its row in the store, its rules, and the state at the cursor."""

    def __init__(self, row: Row, last: Ply | None) -> None:
        self.row = row
        self.game = make_game(row.spec)
        self._kind = type(self.game.start(generator(0)))
        self.state = self.as_state(last.state if last else row.start)
        self.luck = last.luck if last else row.luck

    def as_state(self, numbers: tuple[int, ...]) -> State:
        """The game's own tuple."""
        return self._kind(*numbers)

    @property
    def start(self) -> State:
        return self.as_state(self.row.start)

    @property
    def mover(self) -> str:
        """Who is to move: a spec, or "human"."""
        return self.row.players[1 if self.game.rules.turn(self.state) == MIN else 0]

    def view(self) -> GameView:
        """The game as it stands."""
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
            start=position_view(self.game, self.start, row.target),
            position=position_view(self.game, self.state, row.target),
            updated=_iso(row.updated),
        )

    def move(self, action: int, by: str, ms: float, nodes: int) -> Ply:
        """A move at the cursor, and what luck makes of it."""
        luck = _generator_at(self.luck)
        drawn, state = _draw_on(self.game, self.game.apply(self.state, action), luck)
        return Ply([action, *drawn], by, ms, nodes, tuple(map(int, state)), int(luck.state))

    def step(self, number: int, before: State, ply: Ply) -> Step:
        """A ply as a screen needs it."""
        after = self.as_state(ply.state)
        return step_view(
            self.game, number, before, ply.actions, after,
            by=ply.by, ms=ply.ms, nodes=ply.nodes, target=self.row.target,
        )  # fmt: skip


class Games:
    """The games of all browsers."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self.store = store
        self._limits = limits
        self._charts: OrderedDict[Hashable, Chart] = OrderedDict()
        self._written = Buckets(limits.writes / 60, limits.writes)
        self._address_written = Buckets(limits.address_writes / 60, limits.address_writes)

    def table(self, client: str, game_id: str) -> Table:
        """A game of this browser, at its cursor."""
        with self.store.lock:
            row = self.store.game(client, game_id)
            return Table(row, self.store.ply_at(row))

    def create(self, client: str, asked: NewGame) -> Table:
        """A new game, or one that goes on from a ply of another."""
        if asked.copy_of is not None:
            return self._copy(client, asked.copy_of, asked.ply, players=asked.players)
        game = game_to_play(asked.game)
        seed = secrets.randbits(32) if asked.seed is None else int(asked.seed) % 2**64
        luck = generator(seed)
        start = game.start(luck) if asked.position is None else game.parse_scored(asked.position, asked.score)
        if asked.target is not None:
            game.until(asked.target)  # says so where it is no tile
        players = _sides(game, asked.players or ["human"] * _count(game))
        row = Row(client, game.spec, seed, asked.target, players, tuple(map(int, start)), int(luck.state))
        return self._add(row, [])

    def _add(self, row: Row, plies: list[Ply], copied: str = "") -> Table:
        if plies:
            self._count_written(row.client, (GAME_BYTES + len(plies) * PLY_BYTES) / (1 << 20))
        return Table(self.store.add(row, plies, self._limits, copied), plies[-1] if plies else None)

    def _count_written(self, client: str, megabytes: float) -> None:
        """Copies and uploads only so fast: a game that is played grows by itself no faster than requests come."""
        address = getattr(client, "address", client)
        buckets = ((self._written, client), (self._address_written, address))
        if any(bucket.level(name) < min(megabytes, bucket.size) for bucket, name in buckets):
            raise TooMany(
                "too much was written in the last minute: the game was not kept; wait a little and try again",
                "se ha escrito demasiado en el último minuto: no se ha guardado la partida; espera un poco",
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
            plies = reader.plies(game_id, 1, _within(old, old.cursor if ply is None else ply))
        players = old.players if players is None else _sides(make_game(old.spec), players)
        row = Row(client, old.spec, old.seed, old.target, players, old.start, old.luck, name, saved)
        return self._add(row, plies, game_id)

    def save(self, client: str, game_id: str, name: str | None, ply: int | None) -> Table:
        """Keep a game up to a ply, under a name; by default the date and the time."""
        old = self.store.game(client, game_id)
        return self._copy(client, game_id, old.length if ply is None else ply, name=_name(name), saved=True)

    def make_move(
        self, client: str, game_id: str, revision: int, move: str, by: str, ms: float = 0.0, nodes: int = 0
    ) -> tuple[Table, Step]:
        """A move by whoever's turn it is; for a move of another the revision is old."""
        table = self.table(client, game_id)
        self._check(table, revision)
        if by == "human" and table.mover != "human":
            raise BadInput(f"it is the turn of {table.mover}", f"es el turno de {table.mover}")
        legal = {table.game.action_name(table.state, a): a for a in table.game.legal_actions(table.state)}
        if not legal:
            raise BadInput("the game is over: no move can follow", "la partida ha acabado: no puede seguir otra jugada")
        if move not in legal:
            known = ", ".join(legal)
            raise BadInput(
                f"{move!r} is not possible here: there are {known}", f"{move!r} no es posible aquí: hay {known}"
            )
        ply = table.move(legal[move], by, ms, nodes)
        row = self.store.append(table.row, ply)
        if row is None:
            raise Conflict(self.table(client, game_id).view())
        return Table(row, ply), table.step(row.cursor, table.state, ply)

    def change(self, client: str, game_id: str, revision: int, **changes: object) -> Table:
        """Another cursor (undo, redo, jump: nothing is lost until another move is made), name, target or players."""
        table = self.table(client, game_id)
        self._check(table, revision)
        if "cursor" in changes:
            _within(table.row, changes["cursor"])  # type: ignore[arg-type]
        if "players" in changes:
            _sides(table.game, changes["players"])  # type: ignore[arg-type]
        if "target" in changes:
            table.game.until(changes["target"])  # type: ignore[arg-type]
        if "name" in changes:
            changes["name"] = _name(changes["name"])  # type: ignore[arg-type]
        with self.store.lock:
            row = self.store.change(table.row, **changes)
            if row is not None:
                return Table(row, self.store.ply_at(row))
        raise Conflict(self.table(client, game_id).view())

    def _check(self, table: Table, revision: int) -> None:
        if revision != table.row.revision:
            raise Conflict(table.view())

    def summaries(self, client: str, saved: bool) -> list[Summary]:
        """This browser's games, newest first."""
        reader = self.store.reader
        with reader.as_it_stands():
            found = [(row, reader.ply_at(row)) for row in reader.games(client, saved)]
        return [_summary(Table(row, ply)) for row, ply in found]

    def steps(self, client: str, game_id: str, first: int, count: int) -> Steps:
        """The plies after one, so many of them."""
        reader = self.store.reader
        with reader.as_it_stands():
            row = reader.game(client, game_id)
            _within(row, first)
            plies = reader.plies(game_id, max(first, 1), first + count)  # one before them, for where they begin
        table = Table(row, None)
        before = table.as_state(plies.pop(0).state) if first else table.start
        steps: list[Step] = []
        begin = position_view(table.game, before, table.row.target)
        for number, ply in enumerate(plies, first + 1):
            steps.append(table.step(number, before, ply))
            before = table.as_state(ply.state)
        return Steps(start=begin, steps=steps, length=table.row.length)

    def game(self, client: str, game_id: str) -> Game:
        """The game that is played there."""
        return make_game(self.store.reader.game(client, game_id).spec)

    def chart(
        self, client: str, game_id: str, points: int, evaluator_of: Callable[[Game], CompiledEvaluator], name: str
    ) -> Chart:
        """The score and an evaluator's value at so many plies of a game, the first and the last among them.

        Only these plies are read. A chart is remembered by its game's revision and the ``name`` of its evaluator.
        """
        reader = self.store.reader
        row = reader.game(client, game_id)
        key = (row.id, row.revision, name, points)
        if (known := self._charts.get(key)) is not None:
            return known
        table = Table(row, None)
        evaluator = evaluator_of(table.game)
        count = min(points, row.length + 1)
        chosen = sorted({round(i * row.length / max(count - 1, 1)) for i in range(count)})
        with reader.as_it_stands():
            now = reader.game(client, game_id)
            found = reader.states(game_id, [ply for ply in chosen[1:] if ply <= now.length])
        states = [table.start, *(table.as_state(state) for state in found)]
        values: list[float | None] = []
        for state in states:
            # As the first player sees it, whoever is to move.
            value = float(evaluator.evaluate(state, evaluator.weights))
            values.append(value if math.isfinite(value) else None)
        outcomes = [table.game.outcome(state) for state in states]
        scores = [outcome["score"] for outcome in outcomes] if "score" in outcomes[0] else None
        chart = Chart(plies=chosen[: len(states)], scores=scores, values=values)
        if now.revision == row.revision:
            self._charts[key] = chart
            while len(self._charts) > _CHARTS:
                self._charts.popitem(last=False)
        return chart

    # Files.

    def played(self, client: str, game_id: str) -> Played:
        """The whole game as the library keeps it."""
        reader = self.store.reader
        with reader.as_it_stands():
            table = Table(reader.game(client, game_id), None)
            plies = reader.plies(game_id)
        last = table.as_state(plies[-1].state) if plies else table.start
        target = table.row.target
        return Played(
            table.game,
            table.row.players,
            table.row.seed,
            # Here a target does not end a game; a file that has one ends where it is reached.
            None if target is None or table.game.outcome(last)["max_tile"] >= target else target,
            table.start,
            last,
            [action for ply in plies for action in ply.actions],
            [ply.ms / 1000 for ply in plies],
            sum(ply.nodes for ply in plies),
            "stopped" if table.game.legal_actions(last) else "over",
        )

    def add_played(self, client: str, played: Played, name: str | None, saved: bool) -> Table:
        """A game that was played elsewhere, each of its moves checked already."""
        game_to_play(played.game.spec)
        if played.game.rules.turn(played.start) == CHANCE:
            raise BadInput("the game begins with chance", "la partida empieza con el azar")
        luck = generator(played.seed)
        if played.game.start(generator(played.seed)) == played.start:
            played.game.start(luck)
        row = Row(
            client, played.game.spec, played.seed % 2**64, played.target, [*played.players],
            tuple(map(int, played.start)), int(luck.state), _name(name) if saved else name, saved,
        )  # fmt: skip
        return self._add(row, _as_plies(played, luck))


def _as_plies(played: Played, luck: np.record) -> list[Ply]:
    """The actions of a game as plies; the generator draws along, so that it goes on where the game's own would.

    A game that ended at its target lacks its last tile: it is drawn here, so that somebody can play on.
    """
    plies: list[Ply] = []
    state = played.start
    rules = played.game.rules
    times = iter(played.move_seconds)
    for action in played.actions:
        chance = rules.turn(state) == CHANCE
        if chance:
            rules.draw(state, luck)
        mover = played.players[1 if rules.turn(state) == MIN else 0]
        state = played.game.apply(state, action)
        numbers = tuple(map(int, state))
        if chance:
            last = plies[-1]
            plies[-1] = replace(last, actions=[*last.actions, action], state=numbers, luck=int(luck.state))
        else:
            plies.append(Ply([action], mover, next(times, 0.0) * 1000, 0, numbers, int(luck.state)))
    drawn, state = _draw_on(played.game, state, luck)
    if drawn:
        last = plies[-1]
        numbers = tuple(map(int, state))
        plies[-1] = replace(last, actions=[*last.actions, *drawn], state=numbers, luck=int(luck.state))
    return plies


def _draw_on(game: Game, state: State, luck: np.record) -> tuple[list[int], State]:
    """What chance does until somebody is to move."""
    drawn: list[int] = []
    while not game.rules.over(state) and game.rules.turn(state) == CHANCE:
        drawn.append(int(game.rules.draw(state, luck)))
        state = game.apply(state, drawn[-1])
    return drawn, state


def _generator_at(state: int) -> np.record:
    luck = generator(0)
    luck.state = np.uint64(state)
    return luck


def _count(game: Game) -> int:
    return 2 if MIN in game.kinds else 1


def _sides(game: Game, players: Sequence[str]) -> list[str]:
    if len(players) != _count(game):
        raise BadInput(
            f"{game.name} takes {_count(game)} players, and {len(players)} came",
            f"a {game.name} juegan {_count(game)}, y han venido {len(players)}",
        )
    return list(players)


def _name(name: str | None) -> str:
    """What a saved game is called; by default the date and the time."""
    return (name or "").strip() or datetime.now().astimezone().strftime("%Y-%m-%d %H.%M.%S")


def _within(row: Row, ply: int) -> int:
    if not 0 <= ply <= row.length:
        raise BadInput(
            f"there is no ply {ply}: the game has 0 to {row.length}",
            f"no hay jugada {ply}: la partida tiene 0 a {row.length}",
        )
    return ply


def _summary(table: Table) -> Summary:
    position: Position = position_view(table.game, table.state, table.row.target)
    return Summary(
        id=table.row.id,
        name=table.row.name,
        saved=table.row.saved,
        game=table.row.spec,
        players=table.row.players,
        moves=table.row.cursor,
        text=position.text,
        over=position.over,
        score=position.score,
        max_tile=position.max_tile,
        winner=position.winner,
        updated=_iso(table.row.updated),
    )


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
