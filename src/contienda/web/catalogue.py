"""Everything that can be chosen in the app, in every language. It comes from the registries: nothing is compiled."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from contienda import __version__
from contienda.compiled.rng import generator
from contienda.core.game import CHANCE, Game
from contienda.core.language import BadInput, Text
from contienda.evaluation.catalogue import all_evaluators
from contienda.exercises.course import course
from contienda.games import game_types, make_game
from contienda.players import PLAYERS
from contienda.players.catalogue import PlayerInfo
from contienda.players.paths import PATH_SEARCHES
from contienda.problems import PROBLEMS
from contienda.web.games.opened import opened
from contienda.web.games.table import games_to_play
from contienda.web.games.views import picture_view
from contienda.web.settings import Settings

__all__ = ["catalogue", "game_entry"]


def catalogue(settings: Settings, heuristics: bool, safe: bool = False) -> dict[str, Any]:
    """Return the answer to `GET /api/catalogue`."""
    told = {name: found for name in games_to_play() if (found := _found(name)) is not None}
    games = {name: game for name, (game, _) in told.items()}
    return {
        "version": __version__,
        "games": {name: data for name, (_, data) in told.items()},
        "players": [
            _player(info)
            | {
                "games": [name for name, game in games.items() if info.takes(game)] + _drawn(info),
                "evaluators": {name: info.default_evaluator(game) for name, game in games.items() if info.takes(game)},
                "refused": {
                    name: refused
                    for name, game in games.items()
                    if info.takes(game) and (refused := info.refused_options(game))
                },
            }
            for info in (*PLAYERS.values(), *opened.player_infos().values())
        ],
        "solvers": [_player(info) for info in PATH_SEARCHES.values()],
        "problems": {
            name: {
                "choices": {
                    key: {
                        "title": choice.title.in_all_languages(),
                        "values": {value: text.in_all_languages() for value, text in choice.values.items()},
                    }
                    for key, choice in problem.choices.items()
                },
                "targets": list(problem.targets),
            }
            for name, problem in PROBLEMS.items()
        },
        "evaluators": [
            {
                "name": e.name,
                "games": names,
                "formula": e.in_symbols.in_all_languages(),
                "about": e.meaning.in_all_languages(),
                "origin": e.origin.in_all_languages(),
                "weights": e.weights,
            }
            for e, names in all_evaluators(games)
        ],
        "levels": {
            name: [{"name": level.name.in_all_languages(), "player": level.player} for level in game.levels]
            for name, game in games.items()
            if game.levels
        },
        "configurations": {
            name: [{"name": each.name.in_all_languages(), "player": each.player} for each in game.configurations]
            for name, game in games.items()
            if game.configurations
        },
        "trace_examples": _trace_examples(games),
        "exercises": [
            {"name": name, "player": exercise.player, "title": exercise.words("title").in_all_languages()}
            for name, exercise in course().items()
        ],
        "lab_examples": [
            {"game": name} | each._asdict() | {"question": each.question.in_all_languages()}
            for name, game in games.items()
            for each in game.lab_examples
        ],
        "limits": asdict(settings.limits),
        "heuristics": heuristics,
        "safe_heuristics": safe,
        "open": opened.allowed,
    }


def _trace_examples(games: dict[str, Game]) -> list[dict[str, Any]]:
    """Return the searches that the explorer offers: first those of drawn trees, then of games, then of problems."""
    drawn = {name: game.trace_examples for name, game in game_types().items() if game.takes_text}
    played = {name: game.trace_examples for name, game in games.items()}
    solved = {name: problem.trace_examples for name, problem in PROBLEMS.items()}
    return [
        {
            "title": each.title.in_all_languages(),
            "mode": each.mode,
            "asked": [{"game": name, "position": position, "player": player} for position, player in each.searches],
        }
        for examples in (drawn, played, solved)
        for name, found in examples.items()
        for each in found
    ]


def _found(name: str) -> tuple[Game, dict[str, Any]] | None:
    """Return a game and its entry; None if a user's own file fails or is gone, so that the others still show."""
    try:
        game = make_game(name)
        return game, game_entry(game)
    except BadInput:
        return None


def _drawn(info: PlayerInfo) -> list[str]:
    """Return the games made from a text that the player can search: their nodes are of any kind, with rules only."""
    return [] if info.features else [name for name, game in game_types().items() if game.takes_text]


def game_entry(game: Game) -> dict[str, Any]:
    """Return what the catalogue says of a game."""
    example = game.parse(game.example) if game.example else game.start(generator(0))
    preview = picture_view(game.picture(example))
    return {
        "title": game.title.in_all_languages(),
        "about": game.about.in_all_languages(),
        "sides": game.sides,
        "luck": CHANCE in game.kinds,
        "drawing": game.drawing,
        "position_help": game.position_help.in_all_languages(),
        "example": game.example or game.format(example),
        "preview": None if preview is None else preview.model_dump(),
        "example_evaluator": game.example_evaluator,
        "compiled": game.compiled,
        "features": sorted(game.features),
        "problem": game.problem,
        "targets": list(game.targets),
        "default_target": game.default_target,
        "default_evaluator": game.default_evaluator,
        "default_player": game.default_player,
        "usual_depth": game.usual_depth,
        "parameters": {
            key: {"default": p.default, "least": p.least, "most": p.most, "meaning": p.meaning.in_all_languages()}
            for key, p in game.parameters.items()
        },
    }


def _player(info: PlayerInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "about": info.about.in_all_languages(),
        "weights": info.weights,
        "features": sorted(info.features),
        "parameters": {
            key: {
                "default": p.default.in_all_languages() if isinstance(p.default, Text) else p.default,
                "meaning": p.meaning.in_all_languages(),
            }
            for key, p in info.parameters.items()
        },
    }
