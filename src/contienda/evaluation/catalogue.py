"""The evaluators of a game: its own (`Game.evaluators`) and the general ones defined here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from contienda.core.evaluator import CompiledEvaluator, Evaluator, weights_record
from contienda.core.language import BadInput, Text
from contienda.games import game_types, games_with, make_game

if TYPE_CHECKING:
    from contienda.core.game import Game, State

__all__ = [
    "GENERAL",
    "GUESS",
    "NETWORK",
    "all_evaluators",
    "evaluators_of",
    "find_evaluator",
    "network_evaluator",
    "unit_of",
]

#: The names in a spec of a plain game's own estimate, and of a learned network.
GUESS, NETWORK = "guess", "ntuple"


class General(NamedTuple):
    """An evaluator that is not tied to one game."""

    evaluator: Evaluator
    fits: Callable[[Game], bool]


def evaluators_of(game: Game) -> list[Evaluator]:
    """Return the evaluators that a game can use: ``none``, its own, and the general ones."""
    own = {evaluator.name: evaluator for evaluator in game.evaluators}
    nothing, *general = (e.evaluator for e in GENERAL if e.fits(game) and e.evaluator.name not in own)
    return [nothing, *own.values(), *general]


def find_evaluator(name: str, game: Game) -> Evaluator:
    """Return the evaluator of this name, if the game can use it."""
    fitting = {evaluator.name: evaluator for evaluator in evaluators_of(game)}
    if name not in fitting:
        raise BadInput(
            "no evaluator {name!r} for {game}: there are {known}, or your own as FILE.py:FUNCTION",
            name=name,
            game=game.name,
            known=", ".join(fitting),
        )
    return fitting[name]


def unit_of(name: str, game: Game) -> Text:
    """Return what the values of an evaluator count, in words."""
    if name.partition(":")[0] == NETWORK:
        if "points" in game.features:
            return Text("points: the final score that the network expects.")
        return Text("estimates of the result by the network: from −1000, lost for sure, to 1000, won for sure.")
    known = next((evaluator for evaluator in evaluators_of(game) if evaluator.name == name), None)
    if known is None:
        return Text("points of your heuristic {evaluator}.", evaluator=name)
    if not known.meaning.message:
        return Text("points of {evaluator}: {formula}.", evaluator=known.name, formula=known.in_symbols)
    return Text(
        "points of {evaluator} ({formula}). {meaning}",
        evaluator=known.name,
        formula=known.in_symbols,
        meaning=known.meaning,
    )


class Listed(NamedTuple):
    """An evaluator and the games that can use it."""

    evaluator: Evaluator
    games: list[str]


def all_evaluators(games: dict[str, Game] | None = None) -> list[Listed]:
    """Return the evaluators of these games, by default of all named games."""
    if games is None:
        games = {name: make_game(name) for name, game in game_types().items() if not game.takes_text}
    found: dict[int, Listed] = {}
    for name, game in games.items():
        for evaluator in evaluators_of(game):
            found.setdefault(id(evaluator), Listed(evaluator, [])).games.append(name)
    return list(found.values())


# --- The general ones ------------------------------------------------------------------------------------------------


def _guess(evaluator: Evaluator, game: Game) -> CompiledEvaluator:
    from contienda.evaluation.plain import guess_of

    return guess_of(evaluator, game)


def _shipped_network(evaluator: Evaluator, game: Game) -> CompiledEvaluator:
    return network_evaluator(NETWORK, game)


def network_evaluator(name: str, game: Game) -> CompiledEvaluator:
    """Return a trained network: the file named after the colon, or the package's own."""
    from contienda.evaluation.g2048.afterstates import build_best_afterstate, build_evaluate, build_send_for
    from contienda.evaluation.g2048.network_file import shared_network, shipped_network

    file = name.partition(":")[2]
    if game.cells is not None:
        return _cell_network(name, Path(file) if file else None, game)
    if "network" not in game.features:
        known = ", ".join(games_with("network"))
        raise BadInput("{spec} has no n-tuple networks; these games have: {known}", spec=game.spec, known=known)
    network, record = shared_network(Path(file) if file else shipped_network())
    evaluate = build_evaluate(network)

    def terms(state: State) -> dict[str, float]:
        points = float(game.outcome(state)["score"])
        return {"score": points, "network": evaluate(state, record) - points}

    return CompiledEvaluator(
        name,
        evaluate,
        record,
        terms,
        {},
        symmetric=True,
        best_move=build_best_afterstate(network),
        send_for=build_send_for(network),
        of_afterstates=True,
    )


def shipped_cells(game: Game) -> Path:
    """Return the path of the package's network for a two-player game, if there is one."""
    return Path(__file__).parent / "networks" / f"{game.spec}.cells"


def _cell_network(name: str, file: Path | None, game: Game) -> CompiledEvaluator:
    """Return the evaluator of a two-player network (`contienda.evaluation.cell_network`)."""
    from contienda.evaluation.cell_network import build_cell_evaluate, shared_cells

    if file is None and not shipped_cells(game).is_file():
        raise BadInput(
            "Contienda has no network for {game}: train one with contienda train {game} --games 40000 "
            "--out my.net and use it as eval=ntuple:my.net",
            game=game.spec,
        )
    network, record = shared_cells(shipped_cells(game) if file is None else file, game)
    evaluate = build_cell_evaluate(network, game)
    return CompiledEvaluator(
        name,
        evaluate,
        record,
        lambda state: {"network": float(evaluate(state, record))},
        {},
        bounds=(-1000.0, 1000.0),
        symmetric=True,
        counts_points=False,
    )


def _solved(evaluator: Evaluator, game: Any) -> CompiledEvaluator:
    from contienda.perfect.evaluate import build_exact_evaluator

    evaluate, record = build_exact_evaluator(game.rows, game.columns, game.connect), weights_record(evaluator.weights)
    most = float((game.rows * game.columns + 1) // 2)
    return CompiledEvaluator(
        evaluator.name,
        evaluate,
        record,
        lambda state: {"score": float(evaluate(state, record))},
        evaluator.weights,
        bounds=(-most, most),
    )


def _exact_points(evaluator: Evaluator, game: Any) -> CompiledEvaluator:
    from contienda.perfect.layers_2048 import evaluate_exactly
    from contienda.perfect.values_2048 import values_of

    record = values_of(game)

    def terms(state: State) -> dict[str, float]:
        points = float(game.outcome(state)["score"])
        return {"score": points, "to come": float(evaluate_exactly(state, record)) - points}

    return CompiledEvaluator(evaluator.name, evaluate_exactly, record, terms, {}, symmetric=True)


GENERAL = [
    General(
        Evaluator(
            "none",
            formula="0",
            meaning=Text("Always 0: only finished games count."),
            origin=Text("Contienda"),
        ),
        lambda game: True,
    ),
    General(
        Evaluator(
            GUESS,
            formula="guess",
            meaning=Text("The game's own estimate."),
            build=_guess,
        ),
        lambda game: not game.compiled,
    ),
    General(
        Evaluator(
            NETWORK,
            formula=Text("score + Σ weights of what stands on each tuple of cells, in all eight symmetric images"),
            meaning=Text("A learned network: the points so far plus those it expects."),
            origin=Text("Szubert and Jaśkowski 2014; trained by Contienda"),
            build=_shipped_network,
        ),
        lambda game: "network" in game.features and game.cells is None,
    ),
    General(
        Evaluator(
            NETWORK,
            formula=Text("1000 × tanh(Σ weights of what stands on each tuple of cells, in both mirror images)"),
            meaning=Text("A learned network: from −1000, MIN surely wins, to 1000, MAX surely wins."),
            origin=Text("Thill, Koch and Konen 2012; trained by Contienda"),
            build=_shipped_network,
        ),
        lambda game: game.cells is not None and shipped_cells(game).is_file(),
    ),
    General(
        Evaluator(
            "solver",
            weights={"nodes": 100_000.0},
            formula=Text("the score under perfect play; after `nodes` nodes the middle of what it can be"),
            meaning=Text("How soon MAX wins or loses if both play their best."),
            origin=Text("Contienda"),
            build=_solved,
        ),
        lambda game: "exact" in game.features,
    ),
    General(
        Evaluator(
            "perfect",
            formula=Text("score + expected further score under perfect play"),
            meaning=Text("The final score of perfect play, on average; `contienda perfect` works it out."),
            origin=Text("Contienda"),
            build=_exact_points,
        ),
        lambda game: "solved" in game.features,
    ),
]
