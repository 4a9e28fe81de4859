"""A trace as data for JSON; its shape is described in docs/en/formats.md.

A text is a string, or ``[template, field, …]``: the number of a template in ``texts``, which holds every template once
per language, and the texts to put in its places ``{0}``, ``{1}`` …. So one file contains all languages, and a step
takes few bytes. Labels, notes, cells and the values of variables are figures as English writes them.
"""

from __future__ import annotations

from dataclasses import asdict
from string import Formatter
from typing import Any, NamedTuple

from contienda.core.language import LANGUAGES, Figures, Text
from contienda.trace.drawing import blocks, level_heights
from contienda.trace.growth import LEGEND, growth
from contienda.trace.model import Step, Trace, TraceNode, number_text, plain
from contienda.trace.names import KIND_NAMES, move_name
from contienda.trace.pseudocode import code_of, variables_of
from contienda.trace.telling import COLUMNS, START, Show, lists_of, tell
from contienda.trace.why import why

__all__ = ["trace_data"]


def trace_data(trace: Trace) -> dict[str, Any]:
    """Return a whole trace as data for JSON."""
    counters = asdict(trace.counters)
    for clock in ("seconds", "compile_seconds"):  # not measured while recording
        del counters[clock]
    message, writing = trace.message, _Writing(trace)
    drawn = list(blocks(trace))
    places = {place.node.id: place for block in drawn for place in reversed(block)}  # a folded one where it is folded
    for block in drawn:
        for place in block[1:]:
            places[place.node.id] = place
    nodes = [writing.node(node) | _place_data(places.get(node.id)) for node in trace.nodes]
    steps = [writing.step(step) for step in trace.steps]
    for number, boards in trace.playouts.items():
        steps[number]["playout"] = boards
    return {
        "format": "contienda trace",
        "version": 1,
        "family": trace.family,
        "game": trace.game,
        "position": trace.position,
        "player": trace.player,
        "best": trace.best,
        "value": plain(trace.value),
        "moves": [{"move": m.move, "value": plain(m.value)} for m in trace.moves],
        "counters": counters,
        "line": sorted(trace.best_nodes),
        "events": {"recorded": len(trace.steps), "total": trace.total},
        "truncated": None if message is None else message.in_all_languages(),
        **writing.whole(),
        "levels": [round(height) for height in level_heights(drawn)],
        "texts": writing.texts,
        "nodes": nodes,
        "steps": steps,
    }


def _place_data(place: Any) -> dict[str, Any]:
    """Return a node's position in its block; nothing if another node stands for it."""
    if place is None:
        return {}
    data: dict[str, Any] = {"x": round(place.x), "width": round(place.width)}
    if place.folded:
        data["folded"] = True
    return data | {"more": place.more} if place.more else data


class _Field(NamedTuple):
    """A place in a template."""

    name: str
    form: str
    conversion: str | None


class _Template(NamedTuple):
    """A template's number in the table and its fields; -1 if the text is just one field."""

    number: int
    fields: list[_Field]


class _Writing:
    """Stores each text once and refers to it by number."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.texts: dict[str, list[str]] = {language: [] for language in LANGUAGES}
        self._numbers: dict[tuple[str, ...], int] = {}
        self._templates: dict[tuple[str, ...], _Template] = {}
        self._known: dict[str, _Template] = {}  # by message, if it has no fields
        self._lines = {line.key: i for i, line in enumerate(code_of(trace))}

    def whole(self) -> dict[str, Any]:
        """Return the texts and data of the trace as a whole."""
        trace = self.trace
        found = Text("best {best}, value {value}", best=move_name(trace.best or "–"), value=number_text(trace.value))
        data: dict[str, Any] = {
            "summary": self.text(trace.title),
            "start": self.text(START),
            "result": self.text(found),
            "kinds": {kind: self.text(KIND_NAMES[kind]) for kind in sorted({node.kind for node in trace.nodes})},
            "code": [[line.indent, self.text(line.text)] for line in code_of(trace)],
            "variables": list(variables_of(trace)),
            "has_boards": trace.has_boards,
            "draws_boards": trace.draws_boards,
            "numbered": trace.family == "path",  # steps refer to a state by its number
        }
        if trace.note_name is not None:
            data["note_name"] = self.text(trace.note_name)
        if trace.family in COLUMNS:
            data["columns"] = [self.text(name) for name in COLUMNS[trace.family]]
        if trace.family == "mcts":
            data["growth"] = growth(trace)
            data["legend"] = self.text(LEGEND)
        if lists := lists_of(trace):
            data["lists"] = [
                entry._asdict() | {"title": self.text(entry.title), "statuses": list(entry.statuses)} for entry in lists
            ]
        return data

    def node(self, node: TraceNode) -> dict[str, Any]:
        """One node."""
        trace, edge = self.trace, self.text(node.edge)
        data = {
            "id": node.id,
            "parent": node.parent if node.parent >= 0 else None,
            "kind": node.kind,
            "move": node.move,
            "board": trace.board(node.state),
            "depth": node.depth,
            "value": plain(node.value),
        } | node.as_data()
        data["name"], data["label"], data["born"] = self.text(trace.name(node)), node.label.message, node.born
        if node.note:
            data["note"] = node.note.message
        if node.given:
            data["given"] = node.given.message
        if node.skipped:
            data["skipped"] = node.skipped
        if edge != node.move:
            data["edge"] = edge
        if facts := [self._fact(node, *fact) for fact in node.facts()]:
            data["facts"] = facts
        if node.row:
            data["row"] = [cell.message for cell in node.row]
        if (formula := getattr(node, "formula", None)) is not None:
            data["formula"] = self.text(formula)
        if (reason := why(trace, node)) is not None:
            lines = [self._lines[key] for key in reason.keys]
            data["why"] = {"text": self.text(reason.text), "since": reason.since, "lit": lines}
        return data

    def _fact(self, node: TraceNode, name: Text, value: str | Text, since: int) -> list[Any]:
        said = [self.text(name), self.text(value)]
        return said if since <= node.born else [*said, since]

    def step(self, step: Step) -> dict[str, Any]:
        """Return one step: its data, its words and its changes to the drawing."""
        told = tell(self.trace, step)
        data = {"do": step.do, "node": step.node} | step.facts
        data["says"] = self.text(told.sentence)
        if told.shows:
            data["shows"] = [_show_data(show) for show in told.shows]
        data["lit"] = [self._lines[key] for key in told.code.keys]
        data["values"] = [value.message for value in told.code.values]
        if told.cells:
            data["cells"] = [[node, cell.message] for node, cell in told.cells]
        if told.formula is not None:
            data["formula"] = self.text(told.formula)
        if told.way is not None:
            data["way"] = told.way
        if told.proof:
            data["proof"] = told.proof
        return data

    # --- Texts ---

    def text(self, text: str | Text) -> str | list[Any]:
        """Return a text in the form that JSON uses."""
        if isinstance(text, str):
            return text
        if isinstance(text, Figures):
            return self._figures(text)
        fixed = text.many is None and not text.translations
        template = self._known.get(text.message) if fixed else None
        if template is None:
            template = self._template(tuple(text.template(language) for language in LANGUAGES), bool(text.fields))
            if fixed:
                self._known[text.message] = template
        if template.number < 0:
            return self._field(text.fields[template.fields[0].name], template.fields[0])
        return [template.number, *(self._field(text.fields[field.name], field) for field in template.fields)]

    def _template(self, written: tuple[str, ...], filled: bool) -> _Template:
        """Return the template that has this text in each language."""
        found = self._templates.get(written)
        if found is None:
            parsed = [list(Formatter().parse(one)) if filled else [(one, None, None, None)] for one in written]
            found_fields = (_field_of(part) for parts in parsed for part in parts)
            fields = list(dict.fromkeys(field for field in found_fields if field is not None))
            numbered = tuple(_numbered(parts, fields) for parts in parsed)
            number_ = -1 if set(numbered) == {"{0}"} else self._number(numbered)
            found = self._templates[written] = _Template(number_, fields)
        return found

    def _field(self, value: Any, field: _Field) -> str | list[Any]:
        if isinstance(value, Text | str):
            return self.text(value)
        return self._figures(Text("{n:,}", n=value) if field.form else Text("{n}", n=value))

    def _figures(self, shown: Text) -> str | list[Any]:
        """Return numbers: a string if every language writes them alike."""
        said = tuple(shown.into(language) for language in LANGUAGES)
        return said[0] if len(set(said)) == 1 else [self._number(said)]

    def _number(self, templates: tuple[str, ...]) -> int:
        """Return the number of a template in the table."""
        number_ = self._numbers.setdefault(templates, len(self._numbers))
        if number_ == len(self.texts[LANGUAGES[0]]):
            for language, template in zip(LANGUAGES, templates, strict=True):
                self.texts[language].append(template)
        return number_


def _field_of(part: Any) -> _Field | None:
    """Return the field in a part of a template from `string.Formatter.parse`: text, name, format, conversion."""
    return None if part[1] is None else _Field(part[1], part[2], part[3])


def _numbered(parts: list[Any], fields: list[_Field]) -> str:
    """Return a template with numbers in place of field names."""
    return "".join(
        part[0] + (f"{{{fields.index(field)}}}" if (field := _field_of(part)) is not None else "") for part in parts
    )


def _show_data(show: Show) -> list[Any]:
    """Return [node, label, note, status, row] without trailing missing values."""
    label, note = (None if part is None else part.message for part in (show.label, show.note))
    data = [show.node, label, note, show.status, [cell.message for cell in show.row] or None]
    while data[-1] is None:
        data.pop()
    return data
