"""Contienda: a laboratory of game search.

The names below load what they need when they are first used: importing the package loads neither Numba nor anything
else that is slow.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

_WHERE = {
    "Analysis": "contienda.core.analysis",
    "BadInput": "contienda.core.language",
    "BoardWidget": "contienda.widgets",
    "Evaluator": "contienda.core.evaluator",
    "Experiment": "contienda.lab.experiment",
    "Game": "contienda.core.game",
    "Limit": "contienda.core.analysis",
    "Match": "contienda.match",
    "PlainGame": "contienda.games.plain",
    "Played": "contienda.match",
    "Plan": "contienda.lab.plan",
    "Player": "contienda.players.base",
    "Results": "contienda.lab.results",
    "RunWidget": "contienda.widgets",
    "Stop": "contienda.compiled.stopping",
    "Term": "contienda.core.evaluator",
    "TreeWidget": "contienda.widgets",
    "check_game": "contienda.games.check",
    "evaluator": "contienda.evaluation.custom",
    "hint": "contienda.notebook",
    "load_game": "contienda.record",
    "make_game": "contienda.games",
    "make_player": "contienda.players",
    "make_trace": "contienda.trace.making",
    "play": "contienda.notebook",
    "play_games": "contienda.match",
    "save_game": "contienda.record",
    "use_language": "contienda.core.language",
}

# No room may see the widgets, which stand above all: type checkers take theirs from contienda.widgets.
__all__ = ["__version__", *_WHERE]

if TYPE_CHECKING:  # for editors and type checkers; `__getattr__` does it at run time
    from contienda.compiled.stopping import Stop as Stop
    from contienda.core.analysis import Analysis as Analysis
    from contienda.core.analysis import Limit as Limit
    from contienda.core.evaluator import Evaluator as Evaluator
    from contienda.core.evaluator import Term as Term
    from contienda.core.game import Game as Game
    from contienda.core.language import BadInput as BadInput
    from contienda.core.language import use_language as use_language
    from contienda.evaluation.custom import evaluator as evaluator
    from contienda.games import make_game as make_game
    from contienda.games.check import check_game as check_game
    from contienda.games.plain import PlainGame as PlainGame
    from contienda.lab.experiment import Experiment as Experiment
    from contienda.lab.plan import Plan as Plan
    from contienda.lab.results import Results as Results
    from contienda.match import Match as Match
    from contienda.match import Played as Played
    from contienda.match import play_games as play_games
    from contienda.notebook import hint as hint
    from contienda.notebook import play as play
    from contienda.players import make_player as make_player
    from contienda.players.base import Player as Player
    from contienda.record import load_game as load_game
    from contienda.record import save_game as save_game
    from contienda.trace.making import make_trace as make_trace


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
