"""Saved games: read from a file with every move checked, or collected from the store for writing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from contienda.core.game import CHANCE, MIN
from contienda.core.language import Text
from contienda.match import Fault, Played
from contienda.record import game_from_text
from contienda.web.games.reader import Ply, Reader
from contienda.web.games.table import Table, draw_on, game_to_play

__all__ = ["game_from_file", "played_game", "played_table", "plies_of"]


def game_from_file(text: str, name: str) -> Played:
    """Return the game in the text of a saved file, if it can be played here."""
    return game_from_text(text, name, lambda spec, start: game_to_play(spec))


def played_game(reader: Reader, client: str, game_id: str) -> Played:
    """Return a whole stored game in the library's form."""
    with reader.as_it_stands():
        table = Table(reader.game(client, game_id), None)
        plies = reader.plies(game_id)
    return played_table(table, plies)


def played_table(table: Table, plies: list[Ply]) -> Played:
    """Return a game with these plies in the library's form."""
    last = table.as_state(plies[-1].state) if plies else table.start
    target, lost = table.row.target, table.row.forfeit
    there = lost is not None and lost.ply == len(plies)
    return Played(
        table.game,
        table.row.players,
        table.row.seed,
        # In the app a target does not end a game; in a file it does, at the move that reaches it.
        None if target is None or table.game.reached(last, target) else target,
        table.start,
        last,
        [action for ply in plies for action in ply.actions],
        [ply.ms / 1000 for ply in plies],
        sum(ply.nodes for ply in plies),
        "forfeit" if there else "stopped" if table.game.legal_actions(last) else "over",
        Fault(lost.side, Text.rendered({"en": lost.en, "es": lost.es})) if lost is not None and there else None,
    )


def plies_of(played: Played, luck: np.record) -> list[Ply]:
    """Return the actions of a game as plies. ``luck`` draws along, so that the game continues with its own generator.

    A game that ended at its target lacks its last tile: it is drawn here, so that play can continue.
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
        numbers = played.game.as_numbers(state)
        if chance:
            last = plies[-1]
            plies[-1] = replace(last, actions=[*last.actions, action], state=numbers, luck=int(luck.state))
        else:
            plies.append(Ply([action], mover, next(times, 0.0) * 1000, 0, numbers, int(luck.state)))
    drawn, state = draw_on(played.game, state, luck)
    if drawn:
        last = plies[-1]
        numbers = played.game.as_numbers(state)
        plies[-1] = replace(last, actions=[*last.actions, *drawn], state=numbers, luck=int(luck.state))
    return plies
