"""The app's own modules and styles in one piece, for a page that stands alone.

Each module becomes a function that is called once and returns what it exports, after those that it imports. The
modules import and export by name, one statement each, as everywhere in the app: that is all that is understood here.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from posixpath import dirname, join, normpath

__all__ = ["script", "styles"]

_STATIC = files("contienda").joinpath("web", "static")

_IMPORT = re.compile(r'^import (?:\{(?P<names>[^}]*)\} from )?"(?P<module>[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (?P<name>\w+))", re.MULTILINE)


def styles(*names: str) -> str:
    """Style sheets, one after another."""
    return "".join(_STATIC.joinpath("css", f"{name}.css").read_text(encoding="utf-8") for name in names)


@cache
def script(entry: str) -> str:
    """A module of ``static/js`` with all that it imports, as one script."""
    written: dict[str, str] = {}  # in the order of need
    _add(entry, written)
    return '"use strict";\nconst modules = {};\n' + "".join(written.values())


def _add(name: str, written: dict[str, str]) -> None:
    source = _STATIC.joinpath("js", *name.split("/")).read_text(encoding="utf-8")

    def taken(found: re.Match[str]) -> str:
        module = normpath(join(dirname(name), found["module"]))
        if module not in written:
            _add(module, written)
        if found["names"] is None:
            return ""
        return f'const {{{found["names"].replace(" as ", ": ")}}} = modules["{module}"];\n'

    body = _IMPORT.sub(taken, source)
    exports = ", ".join(found["name"] for found in _EXPORT.finditer(body))
    written[name] = f'modules["{name}"] = (() => {{\n{_EXPORT.sub("", body)}return {{ {exports} }};\n}})();\n'
