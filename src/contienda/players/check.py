"""Checks the players that a game names: its default player, levels, configurations and examples."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from contienda.core.extensions import blame
from contienda.core.game import Game
from contienda.core.language import Text
from contienda.players import make_player

__all__ = ["player_faults"]


def player_faults(game: Game, known: Collection[Text] = ()) -> list[Text]:
    """Return, in one line each, what is wrong with the players that a game names and the positions of its examples.

    Faults that are ``known`` already are not told again for every player that meets them.
    """
    found: dict[str, Text] = {}
    for what, position, spec in _named(game):
        if spec in found:
            continue
        try:
            make_player(spec, game)
            if position is not None:
                game.parse(position)
        except Exception as error:
            told = blame(error)
            if told is None:
                raise
            if told.text not in known:
                found[spec] = Text("{what}: {spec}: {error}", what=what, spec=spec, error=told.text)
    return list(found.values())


def _named(game: Game) -> Iterator[tuple[str, str | None, str]]:
    """Yield each player that a game names: the attribute that names it, the position to search or None, the spec."""
    yield "default_player", None, game.default_player
    yield from (("levels", None, level.player) for level in game.levels)
    yield from (("configurations", None, level.player) for level in game.configurations)
    if game.spec != game.name:
        return  # examples are for the game without parameters
    for example in game.trace_examples:
        yield from (("trace_examples", position, spec) for position, spec in example.searches)
    for experiment in game.lab_examples:
        yield from (("lab_examples", None, spec) for spec in (*experiment.players, *experiment.opponents))
