"""Writes the notebooks of both languages from the texts below: ``python docs/make_notebooks.py``.

Both languages have the same code, and no outputs: tests/notebook runs them.
"""

from __future__ import annotations

import json
from pathlib import Path

TREE = '"max[min[3 12 8] min[2 4 6] min[14 5 2]]"'

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
    "measure": [
        (
            "# How to measure rightly\n\nThe same seeds for all players, and intervals instead of means. It needs"
            " `contienda[lab]`.",
            "# Medir bien\n\nLas mismas semillas para todos, e intervalos en lugar de medias. Necesita"
            " `contienda[lab]`.",
        ),
        "from pathlib import Path\n\nfrom contienda import Results\n"
        "from contienda.lab.plan_file import plan_from_toml\n"
        "from contienda.lab.run import run\nfrom contienda.lab.where import Where\n\n"
        "plan = plan_from_toml(\n"
        '    """\nname = "first steps"\ngame = "tictactoe"\nplayers = ["random", "greedy"]\nopponents = ["random"]\n'
        'games = 20\nseed = 1\n""",\n    "first",\n)\n'
        'results = Results(Path("first.sqlite"), plan)\nrun(results, Where())\nresults',
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
            text = json.dumps(written, ensure_ascii=False, indent=1) + "\n"
            (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")


def _cell(number: int, text: str) -> dict[str, object]:
    source = text.splitlines(keepends=True)
    return {"cell_type": "markdown", "id": f"cell-{number}", "metadata": {}, "source": source}


if __name__ == "__main__":
    main()
