"""Writes the reference pages that the code knows best: commands, players, and the HTTP interface."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from contienda.core.language import language

__all__ = ["write"]

_WORDS = {
    "en": {
        "commands": "Commands",
        "commands intro": "`contienda --help` and `contienda COMMAND --help` show the same.",
        "http": "HTTP interface",
        "http intro": (
            "`contienda web` serves it under `/api`; `GET /api/openapi.json` is the same in OpenAPI's form. The cookie"
            " that the page sets says whose games they are. For the value of every move in one position, without a"
            ' game, ask `POST /api/hint`. Errors are one line in every language: `{"error": {"en": …, "es": …}}`.'
        ),
        "option": "argument or option",
        "meaning": "meaning",
        "default": "default",
        "field": "field",
        "type": "type",
        "where": "in",
        "answer": "Answer",
        "body": "Body",
    },
    "es": {
        "commands": "Órdenes",
        "commands intro": "`contienda --help` y `contienda ORDEN --help` muestran lo mismo.",
        "http": "Interfaz HTTP",
        "http intro": (
            "`contienda web` la sirve en `/api`; `GET /api/openapi.json` es lo mismo en el formato de OpenAPI. La"
            " cookie"
            " que pone la página dice de quién son las partidas. Para el valor de cada jugada en una posición, sin"
            ' partida, usa `POST /api/hint`. Los errores son una línea en cada idioma: `{"error": {"en": …, "es":'
            " …}}`. Las descripciones de esta página vienen del código, en inglés."
        ),
        "option": "argumento u opción",
        "meaning": "significado",
        "default": "por omisión",
        "field": "campo",
        "type": "tipo",
        "where": "en",
        "answer": "Respuesta",
        "body": "Cuerpo",
    },
}


def write(folder: Path) -> None:
    """Write all pages into a folder, in the language in use."""
    folder.mkdir(exist_ok=True)
    words = _WORDS[language()]
    _put(folder / "commands.md", [f"# {words['commands']}", "", words["commands intro"], "", *_commands(words)])
    _put(folder / "http.md", [f"# {words['http']}", "", words["http intro"], "", *_http(words)])


def _put(path: Path, lines: list[str]) -> None:
    """Write a page, unless it says the same already: Sphinx reads again what is newer."""
    text = "\n".join(lines) + "\n"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _cell(text: object) -> str:
    return " ".join(str(text).split()).replace("|", "\\|").replace("<", "&lt;")


# --- Commands --------------------------------------------------------------------------------------------------------


def _commands(words: dict[str, str]) -> Iterator[str]:
    import typer

    from contienda.cli.commands import app

    group: Any = typer.main.get_command(app)
    yield from _group(group, "contienda", words)


def _group(group: Any, name: str, words: dict[str, str]) -> Iterator[str]:
    for each, command in group.commands.items():
        full = f"{name} {each}"
        if command.hidden:
            continue
        if hasattr(command, "commands"):
            yield from (f"## {full}", "", _cell(command.help or ""), "")
            yield from _group(command, full, words)
            continue
        context = type(command).context_class(command, info_name=full)
        shown = [parameter for parameter in command.get_params(context) if parameter.name != "help"]
        yield from (f"## {full}", "", _cell(command.help or ""), "", "```text")
        yield " ".join(command.get_usage(context).partition(":")[2].split())
        yield from ("```", "")
        if shown:
            yield f"| {words['option']} | {words['meaning']} | {words['default']} |"
            yield "|---|---|---|"
            for parameter in shown:
                yield _parameter(parameter)
            yield ""


def _parameter(parameter: Any) -> str:
    names = [*parameter.opts, *parameter.secondary_opts]
    written = ", ".join(names) if names[0].startswith("-") else (parameter.metavar or names[0].upper())
    value = parameter.metavar if names[0].startswith("-") and parameter.metavar else ""
    default = parameter.default
    told = "" if default in (None, False, (), []) or callable(default) else f"`{default}`"
    return f"| `{_cell(f'{written} {value}'.strip())}` | {_cell(getattr(parameter, 'help', '') or '')} | {told} |"


# --- HTTP ------------------------------------------------------------------------------------------------------------


def _http(words: dict[str, str]) -> Iterator[str]:
    from contienda.web.app import make_app
    from contienda.web.settings import Limits, Settings

    with tempfile.TemporaryDirectory() as folder:
        described = make_app(Settings("127.0.0.1", 2048, Path(folder), Limits())).openapi()
    shapes = described["components"]["schemas"]
    for path, methods in described["paths"].items():
        for method, about in methods.items():
            yield from (
                f"## {method.upper()} {path}",
                "",
                _cell(about.get("description", about.get("summary", ""))),
                "",
            )
            rows = [(each["name"], each["in"], each["schema"]) for each in about.get("parameters", [])]
            if body := about.get("requestBody"):
                shape = next(iter(body["content"].values()))["schema"]
                rows += [(name, words["body"], each) for name, each in _fields(shape, shapes).items()]
            if rows:
                yield f"| {words['field']} | {words['where']} | {words['type']} |"
                yield "|---|---|---|"
                for name, where, schema in rows:
                    yield f"| `{name}` | {where} | {_cell(_type(schema))} |"
                yield ""
            for code, answer in about["responses"].items():
                if code.startswith("2") and (content := answer.get("content")):
                    kind, shape = next(iter(content.items()))
                    yield from (f"{words['answer']} {code}: {_cell(_type(shape.get('schema', {})) or kind)}", "")


def _fields(shape: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in shape:
        shape = shapes[shape["$ref"].rpartition("/")[2]]
    fields: dict[str, Any] = shape.get("properties", {})
    return fields


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    if "anyOf" in schema:
        return " / ".join(filter(None, (_type(each) for each in schema["anyOf"])))
    if schema.get("type") == "array":
        return f"[{_type(schema.get('items', {}))}]"
    if "enum" in schema:
        return " / ".join(f"`{each}`" for each in schema["enum"])
    return str(schema.get("type", schema.get("const", "")))
