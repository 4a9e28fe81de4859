"""Positions of plain games as text, and back: literals, records, sets, enumerations and exact numbers."""

from __future__ import annotations

import ast
import dataclasses
import enum
import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from contienda.core.syntax import parse_expression

__all__ = ["read_value", "types_within", "unreadable_type", "write_value"]

#: What a text may name without the game's own file knowing it.
_KNOWN: dict[str, Any] = {"frozenset": frozenset, "Fraction": Fraction, "Decimal": Decimal}
_NUMBERS = {"inf": math.inf, "nan": math.nan}


def write_value(value: Any) -> str:
    """A value as Python writes it; equal values have the same text in every process.

    >>> write_value(frozenset({"b", "a"}))
    "frozenset({'a', 'b'})"
    """
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if _is_record(type(value)):
        parts = ", ".join(f"{name}={write_value(getattr(value, name))}" for name in _fields(type(value)))
        return f"{type(value).__name__}({parts})"
    if type(value) is tuple:
        return f"({', '.join(map(write_value, value))}{',' if len(value) == 1 else ''})"
    if type(value) is frozenset:
        return f"frozenset({{{', '.join(map(write_value, _in_order(value)))}}})" if value else "frozenset()"
    return repr(value.item() if isinstance(value, np.generic) else value)


def read_value(text: str, types: Mapping[str, Any]) -> Any:
    """The value that `write_value` wrote, of literals and the given types; nothing else in the text is run.

    >>> read_value("(Fraction(1, 3), 'a')", {})
    (Fraction(1, 3), 'a')
    """
    return _evaluated(parse_expression(text), {**types, **_KNOWN})


def types_within(value: Any) -> dict[str, Any]:
    """The records and enumerations that a value is made of, by name."""
    kind = type(value)
    if isinstance(value, enum.Enum):
        return {kind.__name__: kind}
    if _is_record(kind):
        parts = [getattr(value, name) for name in _fields(kind)]
    elif isinstance(value, tuple | frozenset):
        parts = list(value)
    else:
        return {}
    found = {kind.__name__: kind} if _is_record(kind) else {}
    for part in parts:
        found |= types_within(part)
    return found


def unreadable_type(value: Any) -> str | None:
    """The name of a type that `read_value` cannot make again, if there is one in a value."""
    parts: list[Any] = list(value) if isinstance(value, tuple | frozenset) else []
    if _is_record(type(value)):
        parts = [getattr(value, name) for name in _fields(type(value))]
    elif not parts:
        try:
            return None if read_value(write_value(value), types_within(value)) == value else type(value).__name__
        except Exception:
            return type(value).__name__
    return next(filter(None, map(unreadable_type, parts)), None)


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and (dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"))


def _fields(kind: Any) -> tuple[str, ...]:
    """The fields that make a record."""
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind) if field.init)
    return tuple(kind._fields)


def _in_order(values: Iterable[Any]) -> list[Any]:
    listed = list(values)
    if all(isinstance(value, int) for value in listed):
        return sorted(listed)
    return sorted(listed, key=write_value)


def _evaluated(node: ast.expr, types: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        made = types.get(node.func.id)
        if made is not None and (made in _KNOWN.values() or _is_record(made)):
            named = {each.arg: _evaluated(each.value, types) for each in node.keywords if each.arg is not None}
            return made(*(_evaluated(each, types) for each in node.args), **named)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        members = types.get(node.value.id)
        if isinstance(members, enum.EnumType):
            return members[node.attr]
    if isinstance(node, ast.Name) and node.id in _NUMBERS:
        return _NUMBERS[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Name):
        return -_NUMBERS[node.operand.id]
    if isinstance(node, ast.Tuple):
        return tuple(_evaluated(each, types) for each in node.elts)
    if isinstance(node, ast.Set):
        return {_evaluated(each, types) for each in node.elts}
    return ast.literal_eval(node)
