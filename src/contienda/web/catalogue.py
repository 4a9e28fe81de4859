"""Everything that can be chosen in the app, in both languages: from the registries, nothing is compiled for it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from contienda import __version__
from contienda.evaluation.catalogue import CATALOGUE
from contienda.games import GAMES, make_game
from contienda.language import Text
from contienda.players import PLAYERS
from contienda.players.catalogue import PlayerInfo
from contienda.players.defaults import default_player
from contienda.solvers import SOLVERS
from contienda.trace.phrases import spoken
from contienda.web.games import GAMES_TO_PLAY
from contienda.web.settings import Settings

__all__ = ["catalogue"]

#: How strong the machine plays Connect 4: a beginner, uja's levels, and who knows better, with slips and without.
_LEVELS = {
    "connect4": [
        (Text("Beginner", "Principiante"), "alphabeta:depth=1"),
        (Text("Easy", "Fácil"), "alphabeta:depth=2"),
        (Text("Level 4", "Nivel 4"), "alphabeta:depth=4"),
        (Text("Level 5", "Nivel 5"), "alphabeta:depth=5"),
        (Text("Level 6", "Nivel 6"), "alphabeta:depth=6"),
        (Text("Level 7", "Nivel 7"), "alphabeta:depth=7"),
        (Text("Level 8", "Nivel 8"), "alphabeta:depth=8"),
        (Text("Level 9", "Nivel 9"), "alphabeta:depth=9,table=on,order=history"),
        (Text("Strong, with slips", "Fuerte, con descuidos"), "solver:ms=2000,slip=0.15"),
        (Text("Master", "Maestro"), "solver:ms=5000"),
    ]
}


def catalogue(settings: Settings, heuristics: bool) -> dict[str, Any]:
    """What `GET /api/catalogue` answers."""
    return {
        "version": __version__,
        "games": {name: _game(name) for name in GAMES_TO_PLAY},
        "players": [_player(info) | {"games": list(info.games)} for info in PLAYERS.values()],
        "solvers": [_player(info) for info in SOLVERS.values()],
        "evaluators": [
            {
                "name": e.name,
                "games": list(GAMES_TO_PLAY) if e.game == "any" else [e.game],
                "formula": e.formula,
                "about": e.meaning._asdict(),
                "origin": e.origin._asdict(),
                "weights": e.weights,
            }
            for e in CATALOGUE.values()
        ],
        "levels": {
            game: [{"name": name._asdict(), "player": player} for name, player in levels]
            for game, levels in _LEVELS.items()
        },
        "phrases": {key: text._asdict() for key, text in spoken().items()},
        "limits": asdict(settings.limits),
        "heuristics": heuristics,
    }


def _game(name: str) -> dict[str, Any]:
    info, game = GAMES[name], make_game(name)
    return {
        "title": info.title._asdict(),
        "about": info.about._asdict(),
        "default_evaluator": game.default_evaluator,
        "default_player": default_player(game),
        "parameters": {
            key: {"default": p.default, "meaning": p.meaning._asdict()} for key, p in info.parameters.items()
        },
    }


def _player(info: PlayerInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "about": info.about._asdict(),
        "weights": info.weights,
        "parameters": {
            key: {
                "default": p.default._asdict() if isinstance(p.default, Text) else p.default,
                "meaning": p.meaning._asdict(),
            }
            for key, p in info.parameters.items()
        },
    }
