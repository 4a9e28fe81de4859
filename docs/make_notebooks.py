"""Writes the notebooks of both languages from the texts below: ``python docs/make_notebooks.py; ruff format docs``.

Both languages have the same code, and no outputs: tests/notebook runs them. Slow cells run in `make slow`.
"""

from __future__ import annotations

import json
from pathlib import Path

TREE = '"max[min[3 12 8] min[2 4 6] min[14 5 2]]"'


class Slow(str):
    """Code that takes longer than the usual tests may: only the slow ones run it."""


#: name -> cells: a pair is text in English and Spanish, a string is code.
NOTEBOOKS: dict[str, list[tuple[str, str] | str]] = {
    "first-hour": [
        (
            "# A first hour\n\nPlay, ask, look inside. `pip install contienda` is all that you need.",
            "# Una primera hora\n\nJuega, pregunta, mira dentro. Basta con `pip install contienda`.",
        ),
        'from contienda import hint, make_game, play, trace\n\nplay("tictactoe", "alphabeta", "random", seed=1)',
        (
            "The same seed gives the same game. Now the value of every move in a position:",
            "La misma semilla da la misma partida. Ahora, el valor de cada jugada en una posición:",
        ),
        'hint("tictactoe", "XOX/.O./...", "minimax")',
        ("A position shows itself:", "Una posición se muestra sola:"),
        'game = make_game("tictactoe")\ngame.picture(game.parse("XOX/.O./..."))',
        ("And a search, step by step:", "Y una búsqueda, paso a paso:"),
        f'trace("tree", {TREE}, "alphabeta")',
    ],
    "minimax-to-mtdf": [
        (
            "# From minimax to alpha-beta to MTD(f)\n\nThe same value each time, for less work.",
            "# De minimax a alfa-beta y a MTD(f)\n\nEl mismo valor cada vez, con menos trabajo.",
        ),
        f"from contienda import hint, trace\n\ntree = {TREE}\n"
        '{name: (hint("tree", tree, name).value, hint("tree", tree, name).counters.nodes)\n'
        ' for name in ("minimax", "alphabeta", "mtdf")}',
        ("Where does alpha-beta cut, and why?", "¿Dónde poda alfa-beta y por qué?"),
        'print(trace("tree", tree, "alphabeta"))',
        (
            "The order of the moves decides how much is cut. Turn the tree around:",
            "El orden de las jugadas decide cuánto se poda. Dale la vuelta al árbol:",
        ),
        'hint("tree", "max[min[14 5 2] min[2 4 6] min[3 12 8]]", "alphabeta").counters.nodes',
    ],
    "luck": [
        (
            "# Luck\n\nA mean is not a minimum: expectimax and minimax choose differently.",
            "# El azar\n\nUna media no es un mínimo: expectimax y minimax eligen distinto.",
        ),
        'from contienda import hint, trace\n\ntree = "max[chance[0.5:3 0.5:5] chance[0.9:2 0.1:30]]"\n'
        'hint("tree", tree, "expectimax")',
        ("Step through it:", "Recórrelo paso a paso:"),
        'trace("tree", tree, "expectimax")',
    ],
    "heuristics": [
        (
            "# Heuristics, and how to tune them\n\nA function of the board and its weights, compiled into the search. It needs"
            " `contienda[lab]`.",
            "# Heurísticas, y cómo ajustarlas\n\nUna función del tablero y de sus pesos, compilada dentro de la búsqueda."
            " Necesita `contienda[lab]`.",
        ),
        "from contienda import Experiment, evaluator, hint\n"
        "from contienda.games.g2048.helpers import empty, largest, tile\n\n"
        '@evaluator("corner", weights={"room": 100.0, "home": 1.0})\n'
        "def corner(board, weights):\n"
        "    bonus = largest(board) if tile(board, 0, 0) == largest(board) else 0\n"
        "    return weights.home * bonus + weights.room * empty(board)",
        (
            "The search takes it by its name, and its weights in the spec:",
            "La búsqueda la usa por su nombre, y sus pesos van en la spec:",
        ),
        Slow('hint("2048", "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0", "greedy:eval=corner,room=80")'),
        (
            "Is it any good? The same seeds for all, and intervals. A small board is enough to see the difference:",
            "¿Sirve de algo? Las mismas semillas para todos, e intervalos. Un tablero pequeño basta para ver la diferencia:",
        ),
        Slow(
            'players = ["random", "greedy:eval=corner", "greedy:eval=corner,room=0"]\n'
            'experiment = Experiment("2048:rows=3,columns=3", players, games=30)\n'
            "experiment.run()"
        ),
        (
            "What does one weight do? A sweep multiplies it by several factors. The intervals tell you whether the"
            " difference is more than luck:",
            "¿Qué hace un peso? Un barrido lo multiplica por varios factores. Los intervalos te dicen si la diferencia es"
            " algo más que azar:",
        ),
        Slow(
            "from contienda.lab.sensitivity import sweep_plan, sweep_table\n"
            "from contienda.lab.table import table_of\n\n"
            'plan = sweep_plan("greedy:eval=corner", "2048:rows=3,columns=3", games=100, names=["room"])\n'
            'sweep = Experiment(plan.game, plan.players, games=plan.games, name=plan.name, path="sweep.sqlite")\n'
            "sweep_table(table_of(sweep.run()), plan.game)"
        ),
        (
            "`contienda lab tune` goes on from here: it looks for better weights by CMA-ES, and tests them on seeds that it"
            " has not seen.",
            "`contienda lab tune` sigue desde aquí: busca pesos mejores con CMA-ES y los prueba en semillas que no ha visto.",
        ),
    ],
    "connect4-solved": [
        (
            "# Connect 4, solved\n\nEvery position has an exact value: who wins, and in how many moves, if both play"
            " perfectly.",
            "# Conecta 4, resuelto\n\nCada posición tiene un valor exacto: quién gana, y en cuántas jugadas, si ambos juegan"
            " a la perfección.",
        ),
        'from contienda import hint, make_game\n\ngame = make_game("connect4")\ngame.picture(game.parse("44444432"))',
        ("The empty board: the middle wins.", "El tablero vacío: el centro gana."),
        Slow('hint("connect4", "", "solver")'),
        (
            "A heuristic search sees only as far as its depth. Compare its values with the exact ones:",
            "Una búsqueda heurística no ve más allá de su profundidad. Compara sus valores con los exactos:",
        ),
        Slow('hint("connect4", "4443", "alphabeta:depth=6")'),
        Slow('hint("connect4", "4443", "solver")'),
        (
            "How often does a player find the best move? On positions of all stages, with an interval:",
            "¿Cuántas veces encuentra un jugador la mejor jugada? En posiciones de todas las fases, con su intervalo:",
        ),
        Slow(
            "from contienda.players import make_player\n\n"
            'solver, player = make_player("solver", game), make_player("alphabeta:depth=4", game)\n'
            'positions = ["4443", "44444432", "4532", "123456", "7654321", "4455"]\n'
            "right = 0\n"
            "for position in positions:\n"
            "    exact = {move.move: move.value for move in solver.analyse(game.parse(position)).moves}\n"
            "    right += exact[player.analyse(game.parse(position)).best] == max(exact.values())\n"
            "right, len(positions)"
        ),
        (
            "`contienda lab grade alphabeta:depth=4 mcts:sims=1000` does this on thousands of positions.",
            "`contienda lab grade alphabeta:depth=4 mcts:sims=1000` lo hace con miles de posiciones.",
        ),
    ],
    "learns": [
        (
            "# A network learns\n\nIt plays against luck, and corrects the value of each board by the one that came after.",
            "# Una red aprende\n\nJuega contra el azar y corrige el valor de cada tablero con el del siguiente.",
        ),
        "from contienda.evaluation.g2048.ntuple import parse_network\n\n"
        'network = parse_network("0123 4567 0145")\nnetwork',
        (
            "A weight for each pattern of each tuple; all begin at 0.",
            "Un peso por cada patrón de cada tupla; todos empiezan en 0.",
        ),
        Slow(
            "from pathlib import Path\n\n"
            "from contienda.learning.plan import TrainingPlan\n"
            "from contienda.learning.training import Training\n\n"
            'training = Training(TrainingPlan(network, "tc", 1.0, point=500), threads=1)\n'
            'training.run(Path("mine.net"), games=3000, seconds=None)\n'
            "[(point.games, round(point.mean)) for point in training.curve]"
        ),
        ("It plays with what it has learned:", "Juega con lo que ha aprendido:"),
        Slow(
            "from contienda import Experiment\n\n"
            'Experiment("2048", ["greedy", "greedy:eval=ntuple:mine.net"], games=20).run()'
        ),
        (
            "More games, larger networks, other methods: `contienda train`. The network that comes with the package learned"
            " for days.",
            "Más partidas, redes mayores, otros métodos: `contienda train`. La red que trae el paquete aprendió durante días.",
        ),
    ],
    "ort": [
        (
            "# ort's analysis\n\nA course report, played again: its eight experiments come with the package. It needs"
            " `contienda[lab]`.",
            "# El análisis de ort\n\nEl informe de un curso, jugado otra vez: sus ocho experimentos vienen con el paquete."
            " Necesita `contienda[lab]`.",
        ),
        "from contienda.lab.documents import DOCUMENTS\n"
        "from contienda.lab.shipped import shipped\n\n"
        'experiment = DOCUMENTS["ort"].experiments(False)[0]\n'
        "experiment.plan",
        ("Our games, 20 of each player:", "Nuestras partidas, 20 de cada jugador:"),
        "results = shipped(experiment.plan)\nresults",
        (
            "Beside what was published. A score that is impossible for the published tile is marked:",
            "Junto a lo publicado. Se marca la puntuación que es imposible para la ficha publicada:",
        ),
        "from contienda.lab.reproduce import reproduced\n\n"
        "[\n"
        "    (line.label, c.published.mean, c.ours and round(c.ours.value), line.impossible)\n"
        "    for line in reproduced(experiment, results).lines()\n"
        "    for c in line.comparisons\n"
        '    if c.metric == "score"\n'
        "]",
        (
            "Quality against time, one of its figures:",
            "Calidad frente a tiempo, una de sus figuras:",
        ),
        'results.charts()["quality-and-speed"]',
        (
            "`contienda lab reproduce ort` plays it all again on your machine.",
            "`contienda lab reproduce ort` lo juega todo otra vez en tu máquina.",
        ),
    ],
    "measure": [
        (
            "# How to measure rightly\n\nThe same seeds for all players, and intervals instead of means. It needs"
            " `contienda[lab]`.",
            "# Medir bien\n\nLas mismas semillas para todos, e intervalos en lugar de medias. Necesita"
            " `contienda[lab]`.",
        ),
        "from contienda import Experiment\n\n"
        'experiment = Experiment("tictactoe", ["random", "greedy"], ["random"], games=20)\nexperiment',
        ("Play them; a second time nothing is missing:", "Juégalas; la segunda vez no falta ninguna:"),
        "experiment.run()",
        (
            "Twenty games say little: look at the intervals. Ten times as many games make them about a third as wide."
            " A chart:",
            "Veinte partidas dicen poco: mira los intervalos. Con diez veces más partidas miden la tercera parte. Un"
            " gráfico:",
        ),
        'experiment.charts()["overview"]',
    ],
}


def main() -> None:
    """Write every notebook."""
    for at, language in enumerate(("en", "es")):
        folder = Path(__file__).parent / language / "notebooks"
        folder.mkdir(exist_ok=True)
        for name, cells in NOTEBOOKS.items():
            written = {
                "cells": [
                    _cell(number, cell if isinstance(cell, str) else cell[at]) for number, cell in enumerate(cells)
                ],
                "metadata": {"language_info": {"name": "python"}},
                "nbformat": 4,
                "nbformat_minor": 5,
            }
            for cell, given in zip(written["cells"], cells, strict=True):  # type: ignore[call-overload]
                if isinstance(given, str):
                    cell |= {"cell_type": "code", "execution_count": None, "outputs": []}
                if isinstance(given, Slow):
                    cell["metadata"] = {"tags": ["slow"]}
            text = json.dumps(written, ensure_ascii=False, indent=1) + "\n"
            (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")


def _cell(number: int, text: str) -> dict[str, object]:
    source = text.splitlines(keepends=True)
    return {"cell_type": "markdown", "id": f"cell-{number}", "metadata": {}, "source": source}


if __name__ == "__main__":
    main()
