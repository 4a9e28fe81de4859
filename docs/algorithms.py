"""Writes a page for each algorithm: idea, pseudocode, a tree to step through, our source.

The idea and the cost come from `contienda.trace.algorithms`, the pseudocode from `contienda.trace.pseudocode`, the tree
from the search that plays, the references from the docstring of its file.
"""

from __future__ import annotations

import importlib
import re
from functools import cache
from pathlib import Path

from contienda.cli.trace import TraceOrder, find_trace
from contienda.trace.algorithms import ALGORITHMS, Algorithm
from contienda.trace.model import Trace
from contienda.trace.pseudocode import code_of

__all__ = ["write", "write_trees"]

_SOURCES = Path(__file__).resolve().parents[1] / "src"
_WORDS = {
    "en": {
        "title": "The algorithms",
        "intro": "Each page has the idea, the pseudocode, a tree to step through, and the source: the very code that"
        " plays.",
        "code": "Pseudocode",
        "tree": "Step through it",
        "tree intro": "The same page comes from `{command}`. It works offline.",
        "cost": "Complexity",
        "documents": "In the source documents",
        "documents folder": "documents",
        "references": "References",
        "source": "Our source",
        "source intro": "Its docstring says what the returned value means. It runs compiled in play and with"
        " recording hooks in a trace.",
    },
    "es": {
        "title": "Los algoritmos",
        "intro": "Cada página tiene la idea, el pseudocódigo, un árbol para recorrer paso a paso y el código: el"
        " mismo que juega.",
        "code": "Pseudocódigo",
        "tree": "Paso a paso",
        "tree intro": "La misma página sale de `{command}`. Funciona sin conexión.",
        "cost": "Complejidad",
        "documents": "En los documentos de origen",
        "documents folder": "documentos",
        "references": "Referencias",
        "source": "Nuestro código",
        "source intro": "Su docstring dice qué significa el valor devuelto. Se compila para jugar y se ejecuta con"
        " ganchos que registran para la traza.",
    },
}


def write(folder: Path, language: str) -> None:
    """Write a page for each algorithm, and the page that lists them."""
    words = _WORDS[language]
    folder.joinpath("algorithms").mkdir(parents=True, exist_ok=True)
    names = "\n".join(algorithm.name for algorithm in ALGORITHMS)
    listed = f"# {words['title']}\n\n{words['intro']}\n\n```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n"
    _put(folder / "algorithms" / "index.md", listed)
    for algorithm in ALGORITHMS:
        _put(folder / "algorithms" / f"{algorithm.name}.md", _page(algorithm, language))


def write_trees(site: Path) -> None:
    """Write the trees that the pages embed: each a page of its own that loads nothing."""
    if not (site / "generated").is_dir():  # not a site of pages
        return
    for algorithm in ALGORITHMS:
        _trace(algorithm).save(site / "generated" / "algorithms" / f"tree-{algorithm.name}.html")


def _page(algorithm: Algorithm, language: str) -> str:
    words = _WORDS[language]
    game, position, player = algorithm.example
    command = f'contienda trace {game} "{position}" --player {player} -o tree.html'
    title = algorithm.title.into(language)
    path = _SOURCES / Path(*algorithm.module.split(".")).with_suffix(".py")
    parts = [
        f"# {title}",
        algorithm.idea.into(language),
        f"## {words['code']}",
        f"```text\n{_pseudocode(algorithm)}\n```",
        f"## {words['tree']}",
        f'<iframe src="tree-{algorithm.name}.html?lang={language}" title="{title}" loading="lazy"'
        ' style="width: 100%; height: 44rem; border: 1px solid; border-radius: 4px"></iframe>',
        words["tree intro"].format(command=command),
        f"## {words['cost']}",
        algorithm.cost.into(language),
    ]
    if algorithm.documents:
        links = [f"[{name}](../../{words['documents folder']}/{name}.md)" for name in algorithm.documents]
        parts += [f"## {words['documents']}", ", ".join(links)]
    parts += [
        f"## {words['references']}",
        _references(algorithm),
        f"## {words['source']}",
        f"`{algorithm.module}`. {words['source intro']}",
        f"```{{literalinclude}} ../../../../{path.relative_to(_SOURCES.parent).as_posix()}\n:language: python\n```",
    ]
    return "\n\n".join(parts) + "\n"


def _pseudocode(algorithm: Algorithm) -> str:
    return "\n".join("    " * line.indent + str(line.text) for line in code_of(_trace(algorithm)))


def _references(algorithm: Algorithm) -> str:
    told = importlib.import_module(algorithm.module).__doc__ or ""
    found = re.search(r"References?: (.*?)(?=\n\n|\nContract|\nCost|\Z)", told, re.DOTALL)
    assert found, algorithm.module
    return " ".join(found[1].split()).replace("*", "\\*")


def _trace(algorithm: Algorithm) -> Trace:
    return _traced(*algorithm.example)


@cache
def _traced(game: str, position: str, player: str) -> Trace:
    return find_trace(TraceOrder(game, position, player, 0, None, 0, None, None))


def _put(path: Path, text: str) -> None:
    """Write a page, unless it says the same already: Sphinx reads again what is newer."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
