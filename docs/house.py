"""Draws the house for the pages on architecture: its rooms, as pyproject.toml lays them out, and the way of a hint.

``python docs/house.py`` writes docs/en/house.svg and docs/es/casa.svg; a test compares them with what this draws.
"""

from __future__ import annotations

import tomllib
from html import escape
from itertools import pairwise
from pathlib import Path

_DOCS = Path(__file__).parent

#: What each layer is for, from the ground up, in both languages.
_HOLDS = {
    "core": ("contracts: Game, Problem, Picture, Limit, Analysis; texts, specs, files",
             "contratos: Game, Problem, Picture, Limit, Analysis; textos, archivos"),
    "compiled": ("the one door to Numba: jit, kept code, random numbers, stop flags",
                 "la única puerta a Numba: jit, código guardado, azar, señales de parada"),
    "games": ("one file or folder per game", "un archivo o una carpeta por juego"),
    "search": ("one file per algorithm · problems · the plainest form of each",
               "un archivo por algoritmo · problemas · la forma más sencilla"),
    "perfect": ("exact values · endgame tables", "valores exactos · tablas de finales"),
    "evaluation": ("evaluators, networks", "evaluadores, redes"),
    "players": ("algorithm + evaluator + limit", "algoritmo + evaluador + límite"),
    "trace": ("a search recorded · networks trained", "una búsqueda grabada · redes entrenadas"),
    "match": ("games played: one compiled loop", "partidas jugadas: un solo bucle compilado"),
    "record": ("games saved · short names for notebooks", "partidas guardadas · nombres cortos para cuadernos"),
    "lab": ("experiments, statistics · exercises", "experimentos, estadística · ejercicios"),
    "league": ("which of many players is best", "quién es mejor entre muchos"),
    "web": ("the app · environments for learning", "la app · entornos de aprendizaje"),
    "cli": ("what people type · widgets for notebooks", "lo que se escribe · widgets para cuadernos"),
}  # fmt: skip
#: The steps of a hint, each in a room; the pages explain them by these numbers.
_HINT = (("cli", "1"), ("games", "2"), ("players", "3"), ("search", "4"), ("core", "5"))
_TITLES = {
    "en": ("The rooms of Contienda", "a room imports only from the rooms below it", "the way of a hint"),
    "es": (
        "Las habitaciones de Contienda",
        "cada habitación importa solo de las que tiene debajo",
        "el camino de una pista",
    ),
}
_ROW, _WIDE, _LEFT, _TOP = 42, 860, 110, 50


def layers() -> list[list[str]]:
    """Return the rooms of each layer, from the top down."""
    project = tomllib.loads((_DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = project["tool"]["importlinter"]["contracts"]
    return [layer.split(" | ") for layer in contract["layers"]]


def draw(language: str) -> str:
    """Return the drawing as SVG."""
    which = ("en", "es").index(language)
    title, below, hint = _TITLES[language]
    parts, middle = [], {}
    for row, rooms in enumerate(layers()):
        top = _TOP + row * _ROW
        for room in rooms:
            middle[room] = top + _ROW / 2 - 3
        holds = next(_HOLDS[room][which] for room in rooms if room in _HOLDS)
        width = 78 * max(map(len, layers()))
        for place, room in enumerate(rooms):
            left, each = _LEFT + place * width / len(rooms), width / len(rooms) - 4
            parts.append(
                f'<rect x="{left:g}" y="{top}" width="{each:g}" height="{_ROW - 6}" rx="4" class="room"/>'
                f'<text x="{left + each / 2:g}" y="{top + 22}" class="name">{room}</text>'
            )
        parts.append(f'<text x="{_LEFT + width + 10}" y="{top + 22}" class="holds">{escape(holds)}</text>')
    parts += _way(middle)
    height = _TOP + len(layers()) * _ROW + 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {height}" role="img" aria-label="{title}">'
        "<style>text{font:13px system-ui,sans-serif;fill:#1a1a1a}.name{font-weight:600;text-anchor:middle}"
        ".room{fill:#f4efe6;stroke:#8a7f70}.holds{fill:#4a4a4a}.way{fill:none;stroke:#2456b8;stroke-width:2}"
        ".stop{fill:#2456b8}.number{fill:#fff;text-anchor:middle;font-weight:600}.hint{fill:#2456b8}</style>"
        f'<rect width="{_WIDE}" height="{height}" fill="#fff"/>'
        f'<text x="{_LEFT}" y="22" class="holds">{below}</text><text x="12" y="40" class="hint">{hint}</text>'
        f"{''.join(parts)}</svg>\n"
    )


def _way(middle: dict[str, float]) -> list[str]:
    """The line of a hint from room to room, with a numbered stop at each."""
    lanes = [(_LEFT - 18 * (5 - step), middle[room]) for step, (room, _) in enumerate(_HINT)]
    line = "".join(f"M{x:g},{y:g}H{_LEFT}" for x, y in lanes)
    line += "".join(f"M{x:g},{y:g}V{down:g}H{to:g}" for (x, y), (to, down) in pairwise(lanes))
    stops = [
        f'<circle cx="{x:g}" cy="{y:g}" r="9" class="stop"/>'
        f'<text x="{x:g}" y="{y + 4.5:g}" class="number">{number}</text>'
        for (x, y), (_, number) in zip(lanes, _HINT, strict=True)
    ]
    return [f'<path d="{line}" class="way"/>', *stops]


if __name__ == "__main__":
    for name, language in (("en/house.svg", "en"), ("es/casa.svg", "es")):
        (_DOCS / name).write_text(draw(language), encoding="utf-8")
