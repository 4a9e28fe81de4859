"""Bundles the app's modules and styles for a page that needs no server.

Each module becomes a function that is called once, after those that it imports, and returns what it exports. Only
imports and exports by name, one statement each, are understood: the app uses no others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath

__all__ = ["MADE", "made_module", "script", "style_names", "styles", "texts_module"]

_STATIC = files("contienda").joinpath("web", "static")

#: Generated modules that import all files of a kind, so that a new file needs no registration: screens and drawings.
MADE = {
    "all-screens.js": re.compile(r"elements/(?!app-)\w+-screen\.js"),
    "all-drawings.js": re.compile(r"elements/board-\w+\.js"),
}

_IMPORT = re.compile(r'^import (?:\{(?P<names>[^}]*)\} from )?"(?P<module>[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (?P<name>\w+))", re.MULTILINE)


def styles(*names: str) -> str:
    """Return style sheets, joined."""
    return "".join(_STATIC.joinpath("css", f"{name}.css").read_text(encoding="utf-8") for name in names)


def style_names() -> set[str]:
    """Return the names of all style sheets."""
    return {file.name.removesuffix(".css") for file in _STATIC.joinpath("css").iterdir()}


@cache
def script(entry: str) -> str:
    """Return a module of ``static/js`` with everything that it imports, as one script."""
    written: dict[str, str] = {}  # in the order in which they are needed
    _add(entry, written)
    return '"use strict";\nconst modules = {};\n' + "".join(written.values())


def texts_module(folder: Traversable = _STATIC) -> str:
    """Return the module ``texts.js``: the texts of every language in the folder ``texts``, English first."""
    found = {file.name.removesuffix(".json"): file for file in folder.joinpath("texts").iterdir()}
    texts = {
        name: json.loads(found[name].read_bytes()) for name in sorted(found, key=lambda name: (name != "en", name))
    }
    return f"export const TEXTS = {json.dumps(texts, ensure_ascii=False, separators=(',', ':'))};\n"


def made_module(name: str, modules: Iterable[str]) -> str:
    """Return one of the generated modules `MADE`: imports of all modules of ``static/js`` of its kind."""
    return "".join(f'import "./{module}";\n' for module in sorted(modules) if MADE[name].fullmatch(module))


def _source(name: str) -> str:
    if name == "texts.js":
        return texts_module()
    if name in MADE:
        return made_module(name, (f"elements/{file.name}" for file in _STATIC.joinpath("js", "elements").iterdir()))
    return _STATIC.joinpath("js", *name.split("/")).read_text(encoding="utf-8")


def _add(name: str, written: dict[str, str]) -> None:
    def taken(found: re.Match[str]) -> str:
        module = normpath(join(dirname(name), found["module"]))
        if module not in written:
            _add(module, written)
        if found["names"] is None:
            return ""
        return f'const {{{found["names"].replace(" as ", ": ")}}} = modules["{module}"];\n'

    body = _IMPORT.sub(taken, _source(name))
    exports = ", ".join(found["name"] for found in _EXPORT.finditer(body))
    written[name] = f'modules["{name}"] = (() => {{\n{_EXPORT.sub("", body)}return {{ {exports} }};\n}})();\n'
